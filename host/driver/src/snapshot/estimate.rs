use super::{Snapshot, SnapshotError};
use bloomline_spec::{HalfRole, Layout};
use bloomline_theory::occupancy::{cardinality, Cardinality, Throw};

/// What an array tells of the keys that filled it.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// What each part tells: a filter of cells is one, a recycling filter one of each half and a counting filter over a window one of
    /// each pane, the active one first.
    pub parts: Vec<Part>,
    /// With two halves under one secret, what both together tell of the keys in either, each counted once.
    pub either: Option<Part>,
    /// Probability that a key which was never inserted gets the verdict seen: meets cells above 0 only, in a recycling filter
    /// in the active half or in the frozen one.
    pub fresh_key_seen: f64,
}

/// What the banks of an array, or of a half, tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Which half it is; `None` for the whole of a filter of cells, and for what is of both halves.
    pub half: Option<HalfRole>,
    /// Different keys: the most likely number, and the interval.
    pub keys: Cardinality,
    /// For each bank, cells above 0.
    pub occupied: Vec<u64>,
    /// For each bank, the share of its cells above 0.
    pub fill: Vec<f64>,
}

impl Estimate {
    /// All keys, each counted once; `None` for two halves that may be under different secrets.
    pub fn whole(&self) -> Option<&Part> {
        match &self.parts[..] {
            [only] => Some(only),
            _ => self.either.as_ref(),
        }
    }
}

impl Snapshot {
    /// How many different keys the array holds, with intervals of `confidence` (between 0 and 1); see [`cardinality`].
    ///
    /// # Errors
    /// [`SnapshotError::Estimate`] for a confidence outside that range and for an array beyond what theory covers.
    pub fn estimate(&self, confidence: f64) -> Result<Estimate, SnapshotError> {
        let shape = self.shape();
        let throw = self.throw();
        let part = |half: Option<HalfRole>, occupied: &[u64]| {
            let share = |&cells: &u64| cells as f64 / shape.range as f64;
            Ok(Part {
                half,
                keys: cardinality(shape.range, occupied, throw, confidence)
                    .map_err(|source| SnapshotError::Estimate { source })?,
                fill: occupied.iter().map(share).collect(),
                occupied: occupied.to_vec(),
            })
        };
        let seen = |occupied: &[u64]| fresh_key_seen(shape.range, occupied, throw);
        let occupied = self.occupied();
        if self.cycle().is_none() && shape.halves == 1 {
            return Ok(Estimate {
                parts: vec![part(None, &occupied)?],
                either: None,
                fresh_key_seen: seen(&occupied),
            });
        }
        // A key has the same positions in both halves (or, behind a rekey, others, of which the array does not tell): the bits
        // set in both are a filter that it meets if it meets either half's.
        let halves = occupied.chunks(shape.banks as usize);
        let (either, both) = (
            self.bits_of_both(|a, b| a | b),
            self.bits_of_both(|a, b| a & b),
        );
        let both_seen = if both.is_empty() { 0.0 } else { seen(&both) };
        let fresh_key_seen = halves.clone().map(seen).sum::<f64>() - both_seen;
        let roles = HalfRole::of(shape.halves).iter().copied();
        let parts = roles
            .zip(halves)
            .map(|(role, banks)| part(Some(role), banks));
        Ok(Estimate {
            parts: parts.collect::<Result<_, _>>()?,
            // the panes of a filter of cells are under one secret: a rekey clears both
            either: match either.is_empty() || (shape.keyed && self.cycle().is_some()) {
                true => None,
                false => Some(part(None, &either)?),
            },
            fresh_key_seen,
        })
    }
}

impl Snapshot {
    /// How a key's positions lie.
    pub(super) fn throw(&self) -> Throw {
        let shape = self.shape();
        match (shape.layout(), shape.distinct) {
            (Layout::Partitioned, _) => Throw::OneEach,
            (Layout::Shared, false) => Throw::Independent(shape.hashes),
            (Layout::Shared, true) => Throw::Distinct(shape.hashes),
        }
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
