//! Sequence of operations that verifies a sliding-window filter, made from the given keys.

use super::window::Promise;
use crate::keys::LoadedKeys;
use crate::VerifyError;
use bloomline_bench::filter::TrafficItem;
use bloomline_model::KeyNumbers;
use bloomline_spec::{Key, Operation};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Elements a question, on average.
const ELEMENTS_A_QUESTION: u32 = 4;
/// How near the far edge of the window a question of the edge lies, in elements.
const EDGE: u64 = 8;

/// An item: the key of an element, as an element or asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScriptItem {
    /// Number of the element in [`Script::keys`].
    pub element: u32,
    /// Asks for it, and changes nothing; else it is inserted.
    pub question: bool,
    /// No item before has its key.
    pub first: bool,
}

impl ScriptItem {
    /// What it asks of the filter.
    pub fn operation(self) -> Operation {
        match self.question {
            true => Operation::Query,
            false => Operation::TestAndInsert,
        }
    }
}

/// All items, in order: every key is tested and inserted, and after every fourth one on average a key that came before is asked
/// for.
///
/// A question goes into the window, to its far edge, into the slack, or beyond both. Whether one is asked, and which, is drawn: a
/// regular pattern would keep step with the generations. Questions change nothing, so the stream of elements is that of the keys.
pub(super) struct Script {
    /// Keys of the elements.
    pub keys: Vec<Key>,
    /// Items.
    pub items: Vec<ScriptItem>,
}

impl Script {
    /// The script for these arrivals.
    ///
    /// # Errors
    /// [`VerifyError::TooManyKeys`] for more elements than are told apart.
    pub fn new(promise: Promise, loaded: LoadedKeys, seed: u64) -> Result<Script, VerifyError> {
        let elements = u32::try_from(loaded.keys.len()).map_err(|_| VerifyError::TooManyKeys)?;
        let mut questions = Questions::new(promise, seed);
        let mut items = Vec::with_capacity(loaded.keys.len() / 4 * 5 + 1);
        let mut known = KeyNumbers::default();
        for element in 0..elements {
            items.push(ScriptItem {
                element,
                question: false,
                first: loaded.all_new || known.insert(loaded.keys[element as usize], 0).is_none(),
            });
            let back = questions.draw();
            let asked = back.and_then(|back| u64::from(element + 1).checked_sub(back));
            if let Some(element) = asked.and_then(|element| u32::try_from(element).ok()) {
                items.push(ScriptItem {
                    element,
                    question: true,
                    first: false,
                });
            }
        }
        Ok(Script {
            keys: loaded.keys,
            items,
        })
    }

    /// The key of an item.
    pub fn key(&self, item: ScriptItem) -> &Key {
        &self.keys[item.element as usize]
    }
}

/// How far back questions ask.
struct Questions {
    rng: ChaCha8Rng,
    window: u64,
    slack: u64,
    /// Elements behind the window that are asked for as the slack.
    asked_slack: u64,
}

impl Questions {
    fn new(promise: Promise, seed: u64) -> Questions {
        let Promise { window, slack, .. } = promise;
        Questions {
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x736c_6964),
            window,
            slack,
            // where cells are still live, and as much again
            asked_slack: slack.min(2 * (promise.live_items() - window)),
        }
    }

    /// Elements back of the next question, if one is asked.
    fn draw(&mut self) -> Option<u64> {
        let (n, rng) = (self.window, &mut self.rng);
        if !rng.random_ratio(1, ELEMENTS_A_QUESTION) {
            return None;
        }
        Some(match rng.random_range(0..4) {
            0 => rng.random_range(1..=n),
            1 => n - rng.random_range(0..EDGE),
            2 => n + rng.random_range(1..=self.asked_slack),
            _ => n
                .saturating_add(self.slack)
                .saturating_add(rng.random_range(1..=n)),
        })
    }
}

/// The items as they are sent.
pub(super) struct Items {
    /// The script.
    pub script: Arc<Script>,
    /// Number of the next item.
    pub next: usize,
}

impl Iterator for Items {
    type Item = TrafficItem;

    fn next(&mut self) -> Option<TrafficItem> {
        let item = *self.script.items.get(self.next)?;
        self.next += 1;
        Some(TrafficItem {
            key: *self.script.key(item),
            operation: item.operation(),
        })
    }
}
