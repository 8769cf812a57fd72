//! Plain filter simulated beside a conservatively updated one, as the reference for its errors.

use super::outcome::ConservativeFound;
use super::script::{Purpose, ScriptItem};
use bloomline_model::CellFilter;
use bloomline_spec::{CellGeometry, CellVerdict, FilterKind, Key};

/// What the plain filter would have said to the same items.
pub(super) struct PlainBeside {
    filter: CellFilter,
    counts: bool,
    threshold: u64,
    max: u32,
    /// By key number: reported while its count was below the threshold.
    alarmed: Vec<bool>,
    above: u64,
    /// Keys asked for at the end below the greatest value of a cell in both filters, and what they are overestimated by.
    asked: u64,
    error: u64,
    plain_error: u64,
}

impl PlainBeside {
    /// For so many keys; none where the update is plain.
    pub fn new(geometry: &CellGeometry, keys: usize) -> Option<Self> {
        geometry.conservative().then(|| Self {
            filter: CellFilter::with_plain_update(geometry),
            counts: geometry.kind() == FilterKind::Counting,
            threshold: geometry.threshold().into(),
            max: geometry.cell_max(),
            alarmed: vec![false; keys],
            above: 0,
            asked: 0,
            error: 0,
            plain_error: 0,
        })
    }

    /// Takes an item, the count of its key after it, and what the filter said.
    pub fn follow(&mut self, item: &ScriptItem, key: &Key, count: u64, verdict: CellVerdict) {
        let outcome = self.filter.apply(key, item.operation(), item.amount);
        let plain = outcome.verdict.estimate;
        self.above += u64::from(verdict.estimate > plain);
        match item.purpose {
            Purpose::Fill => {
                self.alarmed[item.key as usize] |=
                    outcome.verdict.reached && count < self.threshold;
            }
            Purpose::Member if plain < self.max => {
                self.asked += 1;
                self.error += u64::from(verdict.estimate).saturating_sub(count);
                self.plain_error += u64::from(plain).saturating_sub(count);
            }
            Purpose::Member | Purpose::Absent | Purpose::Remove => {}
        }
    }

    /// Takes in what the plain filters beside independent filters said.
    pub fn pool(&mut self, others: Vec<PlainBeside>) {
        for other in others {
            self.alarmed.extend(other.alarmed);
            self.above += other.above;
            self.asked += other.asked;
            self.error += other.error;
            self.plain_error += other.plain_error;
        }
    }

    /// What came of it.
    pub fn found(&self) -> ConservativeFound {
        let mean = |error: u64| error as f64 / self.asked.max(1) as f64;
        let alarms = self.alarmed.iter().filter(|alarmed| **alarmed).count();
        ConservativeFound {
            above_plain: self.above,
            mean_overestimate: mean(self.error),
            mean_overestimate_plain: mean(self.plain_error),
            false_alarms_plain: self.counts.then_some(alarms as u64),
        }
    }
}
