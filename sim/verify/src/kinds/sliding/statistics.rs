//! Statistics collected while a sliding-window filter runs.

use super::script::Script;
use super::truth::Truth;
use super::window::{Decided, Promise, WindowFilter};
use crate::stats::StateTest;
use bloomline_spec::Key;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Points of a series in the report.
const POINTS: u64 = 1_000;
/// Parts of the slack in which cells are still live.
const BANDS: u64 = 8;
/// Times the most live elements that pass before a steady state is taken for reached.
const WARM_UP: u64 = 3;

/// Trials, and how many came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Trials.
    pub trials: u64,
    /// Of those, with verdict seen.
    pub hits: u64,
}

impl Tally {
    fn push(&mut self, hit: bool) {
        self.trials += 1;
        self.hits += u64::from(hit);
    }

    fn add(&mut self, other: Tally) {
        self.trials += other.trials;
        self.hits += other.hits;
    }
}

/// A part of the slack.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Band {
    /// Least elements back.
    pub from: u64,
    /// Most.
    pub to: u64,
    /// Keys of that age, and those seen.
    pub tally: Tally,
    /// Sum of their probabilities of being seen: 1 of one that was stored and whose generation is live, else that of an absent key.
    pub expected: f64,
    /// The same, with the most of a key that was stored and has expired.
    pub most: f64,
}

/// Where insertions went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Insertions {
    /// Elements that took an empty cell or found none.
    pub all: u64,
    /// Of those, the ones that found the first place full; and those that found the second full too.
    pub further: [u64; 2],
    /// Of those, nowhere.
    pub lost: u64,
}

/// Follows the decided items: an independent functional filter, the exact truth, and what the filter is judged by.
pub(super) struct SlidingStatistics<F> {
    script: Arc<Script>,
    filter: F,
    truth: Truth,
    /// Elements of other filters.
    other_elements: u64,
    promise: Promise,
    /// Elements from which on a steady state is counted; 0 where any state is.
    warm_up: u64,
    /// Keys whose last element was lost.
    lost: HashSet<Key>,
    /// Places of the keys that are not in the first one, or in that of another key.
    places: HashMap<Key, u8>,
    /// Absent keys of the present generation.
    present: Tally,
    /// Items decided.
    pub items: u64,
    /// Of those, questions.
    pub questions: u64,
    /// Items whose outcome differs from the functional filter's, or that the script did not send.
    pub differing: u64,
    /// Whether a bucket was left alone for longer than ages can be told apart.
    pub scan_late: bool,
    /// Keys within the window, and those seen.
    pub inside: Tally,
    /// Keys within the window that got a no.
    pub forgotten: u64,
    /// Keys of a live generation that got a no, within window or slack.
    pub live_unseen: u64,
    /// The same two counts, of keys whose last element was lost.
    pub forgotten_after_loss: u64,
    /// The slack, nearest first.
    pub bands: Vec<Band>,
    /// Absent keys in whole generations of the steady state (or all).
    pub outside: Tally,
    /// Each absent key against its probability given the live cells.
    pub state: StateTest,
    /// From the first element on.
    pub insertions: Insertions,
    /// In the steady state.
    pub steady: Insertions,
    /// (items, absent keys, of those seen) as they came.
    pub running: Vec<(u64, u64, u64)>,
}

impl<F: WindowFilter> SlidingStatistics<F> {
    /// Of a run that has not begun; `steady` counts the rate in the steady state only, as its prediction does.
    /// `filter` is an empty one.
    pub fn new(promise: Promise, script: Arc<Script>, filter: F, steady: bool) -> Self {
        Self {
            script,
            filter,
            truth: Truth::new(promise),
            other_elements: 0,
            promise,
            warm_up: if steady {
                WARM_UP * promise.live_items()
            } else {
                0
            },
            lost: HashSet::new(),
            places: HashMap::new(),
            present: Tally::default(),
            items: 0,
            questions: 0,
            differing: 0,
            scan_late: false,
            inside: Tally::default(),
            forgotten: 0,
            live_unseen: 0,
            forgotten_after_loss: 0,
            bands: bands(promise),
            outside: Tally::default(),
            state: StateTest::new(),
            insertions: Insertions::default(),
            steady: Insertions::default(),
            running: Vec::new(),
        }
    }

    /// Elements decided.
    pub fn elements(&self) -> u64 {
        self.truth.elements() + self.other_elements
    }

    /// Takes the next decision, in order.
    pub fn decided(&mut self, decision: &Decided) {
        let script = self.script.clone();
        let Some(&item) = script.items.get(self.items as usize) else {
            self.differing += 1;
            return;
        };
        self.items += 1;
        self.questions += u64::from(item.question);
        let key = script.key(item);
        self.judge(key, decision.seen, item.first);
        let own = self.filter.item(key, item.operation());
        self.differing += u64::from(!F::allows(&own, decision));
        if !item.question {
            self.element(*key, decision);
        }
        let every = (script.items.len() as u64 / POINTS).max(1);
        if self.items.is_multiple_of(every) {
            let Tally { trials, hits } = self.outside;
            self.running.push((self.items, trials, hits));
        }
    }

    /// Holds a verdict against the truth. Only a key that comes for the first time has a hash that is independent of what the filter holds.
    fn judge(&mut self, key: &Key, seen: bool, first: bool) {
        let absent = self.filter.probability_seen();
        let Promise {
            window,
            generations,
            generation_items,
            ..
        } = self.promise;
        let Some(back) = self.truth.back(key) else {
            if self.truth.elements() >= self.warm_up {
                self.present.push(seen);
            }
            if first {
                // a probability outside 0 to 1 cannot come from the model; it would show as a differing item
                self.differing += u64::from(self.state.push(absent, seen).is_err());
            }
            return;
        };
        let lead = self.filter.lead(key);
        let generation = |element: u64| (element + lead) / generation_items;
        let (now, then) = (self.truth.elements(), self.truth.elements() - back);
        let live = generation(now) - generation(then) <= generations;
        let inside = back <= window;
        if inside {
            self.inside.push(seen);
        } else if let Some(band) = self.bands.iter_mut().find(|band| back <= band.to) {
            band.tally.push(seen);
            let kept = live && !self.lost.contains(key);
            let level = self.places.get(key).copied().unwrap_or(0);
            let most = (absent + self.filter.revived(level)).min(1.0);
            let (expected, most) = if kept { (1.0, 1.0) } else { (absent, most) };
            band.expected += expected;
            band.most += most;
        }
        if seen || !(inside || live) {
            return;
        }
        if self.lost.contains(key) {
            self.forgotten_after_loss += 1;
        } else {
            self.forgotten += u64::from(inside);
            self.live_unseen += u64::from(live);
        }
    }

    /// Goes on to the next element.
    fn element(&mut self, key: Key, decided: &Decided) {
        let (level, lost) = (decided.level, decided.lost);
        if lost {
            self.lost.insert(key);
        } else if !self.lost.is_empty() {
            self.lost.remove(&key);
        }
        let returns = self
            .truth
            .back(&key)
            .is_some_and(|back| back <= self.promise.window);
        match level {
            Some(0) => drop(self.places.remove(&key)),
            Some(level) => drop(self.places.insert(key, level)),
            // it may be in any place of another key
            None if !returns => drop(self.places.insert(key, 1)),
            None => {}
        }
        let one = Insertions {
            all: u64::from(lost || level.is_some()),
            further: [1, 2].map(|past| u64::from(lost || level >= Some(past))),
            lost: u64::from(lost),
        };
        self.insertions.add(one);
        if self.truth.elements() >= WARM_UP * self.promise.live_items() {
            self.steady.add(one);
        }
        self.truth.element(key);
        if self
            .truth
            .elements()
            .is_multiple_of(self.promise.generation_items)
        {
            self.outside.add(std::mem::take(&mut self.present));
            // of older ones nothing is asked any more
            let truth = &self.truth;
            self.places.retain(|key, _| truth.back(key).is_some());
        }
    }

    /// Takes in the statistics of an independent filter.
    pub fn add(&mut self, other: Self) {
        self.other_elements += other.elements();
        self.items += other.items;
        self.questions += other.questions;
        self.differing += other.differing;
        self.scan_late |= other.scan_late;
        self.inside.add(other.inside);
        self.forgotten += other.forgotten;
        self.live_unseen += other.live_unseen;
        self.forgotten_after_loss += other.forgotten_after_loss;
        for (band, other) in self.bands.iter_mut().zip(other.bands) {
            band.tally.add(other.tally);
            band.expected += other.expected;
            band.most += other.most;
        }
        self.outside.add(other.outside);
        self.state.add(&other.state);
        self.insertions.add(other.insertions);
        self.steady.add(other.steady);
        self.running.truncate(other.running.len());
        for (point, other) in self.running.iter_mut().zip(other.running) {
            *point = (point.0 + other.0, point.1 + other.1, point.2 + other.2);
        }
    }

    /// The stream has ended: without a steady state to wait for, its last, unfinished generation counts too.
    pub fn ended(&mut self) {
        if self.warm_up == 0 {
            self.outside.add(std::mem::take(&mut self.present));
        }
    }
}

impl Insertions {
    fn add(&mut self, other: Insertions) {
        self.all += other.all;
        for (count, other) in self.further.iter_mut().zip(other.further) {
            *count += other;
        }
        self.lost += other.lost;
    }
}

/// Eighths of the slack in which cells are still live, and the rest of it.
fn bands(promise: Promise) -> Vec<Band> {
    let (window, live) = (promise.window, promise.live_items());
    let end = window.saturating_add(promise.slack);
    let used = live - window;
    let edges: Vec<u64> = (0..=BANDS)
        .map(|band| window + used * band / BANDS)
        .chain((end > live).then_some(end))
        .collect();
    edges
        .windows(2)
        .map(|edges| Band {
            from: edges[0] + 1,
            to: edges[1],
            ..Band::default()
        })
        .collect()
}
