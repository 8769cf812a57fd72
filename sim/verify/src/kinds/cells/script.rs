//! Sequence of operations that verifies a filter of cells, made from the given keys.

use crate::keys::{spread, LoadedKeys};
use crate::VerifyError;
use bloomline_model::KeyNumbers;
use bloomline_spec::{CellGeometry, CellKind, CellOperation, Key};
use bloomline_stimulus::RandomNew;

/// Keys removed again from a counting filter, at most.
const REMOVED: usize = 1_000;
/// Fresh keys asked of a Count-Min sketch: as many as it has seen, between these.
const FRESH: (u64, u64) = (20_000, 100_000);
/// Places of the order of fresh keys that are tried for each one wanted: narrow keys may all be in the sketch.
const TRIES: u64 = 4;

/// What an item is sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Fills the filter: test-and-insert.
    Fill,
    /// Asks for a key that was inserted.
    Member,
    /// Asks for a key that never was.
    Absent,
    /// Takes an insertion back.
    Remove,
}

/// An item, of a key by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScriptItem {
    /// Number of the key in [`Script::keys`].
    pub key: u32,
    /// What it is for.
    pub purpose: Purpose,
    /// What it adds if it fills.
    pub amount: u32,
}

impl ScriptItem {
    /// What it asks of the filter.
    pub fn operation(&self) -> CellOperation {
        match self.purpose {
            Purpose::Fill => CellOperation::TestAndInsert,
            Purpose::Member | Purpose::Absent => CellOperation::Query,
            Purpose::Remove => CellOperation::Remove,
        }
    }
}

/// All items, in order.
///
/// * static: the first `filter.items` distinct keys are inserted, every other one is asked for, then every member.
/// * counting: every arrival is inserted; then a sample of keys is removed once where that exists, and asked for.
/// * count-min: every arrival is inserted with its amount; every key is asked for, then fresh ones.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// Distinct keys, in the order of their first arrival.
    pub keys: Vec<Key>,
    /// Items.
    pub items: Vec<ScriptItem>,
    /// Items that fill.
    pub fill: u64,
    /// Items that fill each filter, where there are several.
    pub fills: Vec<u64>,
    /// Amounts cut to what an item can carry.
    pub clipped: u64,
}

impl Script {
    /// The script of a kind for these arrivals.
    ///
    /// # Errors
    /// [`VerifyError::TooManyKeys`] for more distinct keys than are told apart.
    pub fn new(
        geometry: &CellGeometry,
        mut loaded: LoadedKeys,
        seed: u64,
    ) -> Result<Script, VerifyError> {
        let mut script = Script::default();
        let mut numbers = KeyNumbers::default();
        let arrivals = match loaded.all_new {
            true => {
                let count = u32::try_from(loaded.keys.len());
                script.keys = std::mem::take(&mut loaded.keys);
                (0..count.map_err(|_| VerifyError::TooManyKeys)?).collect()
            }
            false => {
                let mut arrivals = Vec::with_capacity(loaded.keys.len());
                for key in &loaded.keys {
                    let next =
                        u32::try_from(numbers.len()).map_err(|_| VerifyError::TooManyKeys)?;
                    let number = numbers.get_or_insert(*key, next.into()) as u32;
                    if number == next {
                        script.keys.push(*key);
                    }
                    arrivals.push(number);
                }
                arrivals
            }
        };
        let distinct = script.keys.len() as u32;
        match geometry.cell_kind() {
            CellKind::Counting => {
                script.fill_with(&arrivals, |_| 1);
                let sample = removed(distinct);
                if geometry.removes() {
                    script.extend(sample.clone(), Purpose::Remove);
                }
                script.extend(sample, Purpose::Member);
            }
            CellKind::CountMin => {
                let most = u32::MAX >> (32 - geometry.amount_bits());
                let bytes = &loaded.frame_bytes;
                let amount = |arrival: usize| bytes.get(arrival).copied().unwrap_or(1);
                script.clipped = (0..arrivals.len())
                    .filter(|&arrival| amount(arrival) > most)
                    .count() as u64;
                script.fill_with(&arrivals, |arrival| amount(arrival).min(most));
                script.extend(0..distinct, Purpose::Member);
                script.ask_fresh(geometry, numbers, seed)?;
            }
            CellKind::Static => {
                let members =
                    u32::try_from(geometry.items()).map_or(distinct, |items| items.min(distinct));
                script.extend(0..members, Purpose::Fill);
                script.fill = members.into();
                script.extend(members..distinct, Purpose::Absent);
                script.extend(0..members, Purpose::Member);
            }
        }
        script.fills = vec![script.fill];
        Ok(script)
    }

    /// The scripts of independent filters one after the other; a key of two of them is two keys.
    pub fn pooled<'a>(scripts: impl Iterator<Item = &'a Script>) -> Script {
        let mut pooled = Script::default();
        for script in scripts {
            // Numbers stay below 2^32: so many keys would not fit into any memory.
            let first = pooled.keys.len() as u32;
            pooled.keys.extend(&script.keys);
            pooled
                .items
                .extend(script.items.iter().map(|item| ScriptItem {
                    key: first.wrapping_add(item.key),
                    ..*item
                }));
            pooled.fill += script.fill;
            pooled.fills.push(script.fill);
            pooled.clipped += script.clipped;
        }
        pooled
    }

    fn fill_with(&mut self, arrivals: &[u32], amount: impl Fn(usize) -> u32) {
        self.fill = arrivals.len() as u64;
        self.items.extend(
            arrivals
                .iter()
                .enumerate()
                .map(|(arrival, &key)| ScriptItem {
                    key,
                    purpose: Purpose::Fill,
                    amount: amount(arrival),
                }),
        );
    }

    fn extend(&mut self, keys: impl Iterator<Item = u32>, purpose: Purpose) {
        self.items.extend(keys.map(|key| ScriptItem {
            key,
            purpose,
            amount: 1,
        }));
    }

    /// Asks for fresh keys.
    fn ask_fresh(
        &mut self,
        geometry: &CellGeometry,
        mut numbers: KeyNumbers,
        seed: u64,
    ) -> Result<(), VerifyError> {
        let bits = geometry.key_bits();
        let random = RandomNew::new(bits.min(64), !seed)?;
        let first = self.keys.len() as u32;
        let wanted = u64::from(first).clamp(FRESH.0, FRESH.1);
        let drawn = |place| spread(random.at(place), bits);
        if numbers.is_empty() {
            // no key came twice, so none has a number: all get one, or where they are many those that may be drawn again
            let mut maybe = KeyNumbers::default();
            let many = u64::from(first) > TRIES * wanted;
            for key in (0..TRIES * wanted).filter(|_| many).flat_map(drawn) {
                maybe.get_or_insert(key, 0);
            }
            let numbered = |key: &&Key| !many || maybe.get(key).is_some();
            for key in self.keys.iter().filter(numbered) {
                numbers.get_or_insert(*key, 0);
            }
        }
        for place in 0..TRIES * wanted {
            if self.keys.len() as u64 - u64::from(first) == wanted {
                break;
            }
            // every value of the drawn width is a key
            if let Some(key) = drawn(place).ok().filter(|key| numbers.get(key).is_none()) {
                self.keys.push(key);
            }
        }
        let last = u32::try_from(self.keys.len()).map_err(|_| VerifyError::TooManyKeys)?;
        self.extend(first..last, Purpose::Absent);
        Ok(())
    }
}

/// At most [`REMOVED`] numbers below `distinct`, spread evenly.
fn removed(distinct: u32) -> impl Iterator<Item = u32> + Clone {
    let step = (distinct as usize).div_ceil(REMOVED).max(1);
    (0..distinct).step_by(step)
}
