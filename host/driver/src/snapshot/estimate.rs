use super::{Snapshot, SnapshotError};
use bloomline_spec::Layout;
use bloomline_theory::occupancy::{cardinality, Cardinality, Throw};

/// What an array tells of the keys that filled it.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Different keys: the most likely number, and the interval.
    pub keys: Cardinality,
    /// For each bank, cells above 0.
    pub occupied: Vec<u64>,
    /// For each bank, the share of its cells above 0.
    pub fill: Vec<f64>,
    /// Probability that a key which was never inserted meets cells above 0 only.
    pub fresh_key_seen: f64,
}

impl Snapshot {
    /// How many different keys the array holds, with an interval of `confidence` (between 0 and 1); see [`cardinality`].
    ///
    /// # Errors
    /// [`SnapshotError::Estimate`] for a confidence outside that range and for an array beyond what theory covers.
    pub fn estimate(&self, confidence: f64) -> Result<Estimate, SnapshotError> {
        let shape = self.shape();
        let occupied = self.occupied();
        let throw = match (shape.layout(), shape.distinct) {
            (Layout::Partitioned, _) => Throw::OneEach,
            (Layout::Shared, false) => Throw::Independent(shape.hashes),
            (Layout::Shared, true) => Throw::Distinct(shape.hashes),
        };
        let keys = cardinality(shape.range, &occupied, throw, confidence)
            .map_err(|source| SnapshotError::Estimate { source })?;
        let share = |&cells: &u64| cells as f64 / shape.range as f64;
        Ok(Estimate {
            keys,
            fill: occupied.iter().map(share).collect(),
            fresh_key_seen: fresh_key_seen(shape.range, &occupied, throw),
            occupied,
        })
    }
}

/// Probability that k positions, each uniform, fall on occupied cells only.
fn fresh_key_seen(range: u64, occupied: &[u64], throw: Throw) -> f64 {
    let share = |cells: u64, taken: u32| {
        let taken = f64::from(taken);
        (cells as f64 - taken).max(0.0) / (range as f64 - taken)
    };
    let all = |probes: u32, distinct: bool| {
        let one = |cells: &u64| -> f64 {
            let taken = |probe: u32| if distinct { probe } else { 0 };
            (0..probes)
                .map(|probe| share(*cells, taken(probe)))
                .product()
        };
        occupied.iter().map(one).product()
    };
    match throw {
        Throw::OneEach => all(1, false),
        Throw::Independent(probes) => all(probes, false),
        Throw::Distinct(probes) => all(probes, true),
    }
}
