use crate::hash::ProbeHasher;
use bloomline_spec::{CuckooGeometry, Key, Operation, SlidingVerdict, CUCKOO_PHASES};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Identities that are kept at least before the dead ones are forgotten.
const FEWEST_KEPT: usize = 1024;

/// The sliding-window filter on cuckoo tables, one item at a time: what every item is told, with no notion of time, and none of place.
///
/// State: the generation of every identity, and the elements counted since the last clear. A move changes neither the identity nor the generation of an element,
/// so where it stands does not matter: an item is seen exactly if the last element of its identity stands in a live generation of its phase.
/// This holds as long as no element is lost, and this model assumes that none is: it has room for every one.
///
/// ```
/// use bloomline_model::CuckooFilter;
/// use bloomline_spec::{FilterSpec, Key, Operation, CUCKOO_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = CUCKOO_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.cuckoo()?;
/// let mut filter = CuckooFilter::new(&geometry);
/// let key = |number| Key::from_integer(number, geometry.key_bits()).expect("fits 104 bits");
/// assert!(!filter.apply(&key(0), Operation::TestAndInsert).verdict.seen);
/// for number in 1..u128::from(geometry.window()) {
///     filter.apply(&key(number), Operation::Insert);
/// }
/// assert!(filter.apply(&key(0), Operation::Query).verdict.seen);
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CuckooFilter {
    hasher: ProbeHasher,
    row_bits: u32,
    generations: u64,
    generation_items: u64,
    /// By phase: the elements by which it is ahead.
    leads: [u64; CUCKOO_PHASES],
    identities: f64,
    /// The generation of each identity, and of some that are no longer live.
    generation_of: FxHashMap<u32, u64>,
    /// By phase: how many identities each live generation has, the newest first.
    live: [VecDeque<u64>; CUCKOO_PHASES],
    live_cells: u64,
    elements: u64,
}

/// What one item met and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CuckooOutcome {
    /// What it is told.
    pub verdict: SlidingVerdict,
    /// It is an element that was not seen, and took a cell of a table or of the stash.
    pub inserted: bool,
}

impl CuckooFilter {
    /// An empty filter.
    pub fn new(geometry: &CuckooGeometry) -> CuckooFilter {
        let live_generations = geometry.generations() as usize + 1;
        CuckooFilter {
            hasher: ProbeHasher::new(geometry),
            row_bits: geometry.row_bits(),
            generations: geometry.generations().into(),
            generation_items: geometry.generation_items(),
            leads: std::array::from_fn(|phase| geometry.phase_lead(phase)),
            identities: geometry.range() as f64,
            generation_of: FxHashMap::default(),
            live: std::array::from_fn(|_| VecDeque::from(vec![0; live_generations])),
            live_cells: 0,
            elements: 0,
        }
    }

    /// Does what the page says of one item.
    pub fn apply(&mut self, key: &Key, operation: Operation) -> CuckooOutcome {
        let probes = self.hasher.probes(key);
        self.apply_probes(probes.positions(), operation)
    }

    /// The same for an item whose position is known ([`ProbeHasher::probes`] gives it); a missing one counts as 0.
    pub fn apply_probes(&mut self, positions: &[u32], operation: Operation) -> CuckooOutcome {
        let identity = positions.first().copied().unwrap_or(0);
        let phase = self.phase(identity);
        let generation = self.generation_of_phase(phase);
        let known = self.generation_of.get(&identity).copied();
        let age = known
            .map(|written| generation - written)
            .filter(|&age| age <= self.generations);
        let mut outcome = CuckooOutcome::default();
        outcome.verdict.seen = age.is_some();
        if !operation.inserts() {
            return outcome;
        }
        outcome.inserted = age.is_none();
        match age {
            Some(age) => self.live[phase][age as usize] -= 1,
            None => self.live_cells += 1,
        }
        self.live[phase][0] += 1;
        self.generation_of.insert(identity, generation);
        self.count_element();
        outcome
    }

    fn phase(&self, identity: u32) -> usize {
        (identity >> self.row_bits) as usize % CUCKOO_PHASES
    }

    fn generation_of_phase(&self, phase: usize) -> u64 {
        (self.elements + self.leads[phase]) / self.generation_items
    }

    fn count_element(&mut self) {
        self.elements += 1;
        for (lead, live) in self.leads.iter().zip(&mut self.live) {
            if (self.elements + lead).is_multiple_of(self.generation_items) {
                self.live_cells -= live.pop_back().unwrap_or(0);
                live.push_front(0);
            }
        }
        let kept = self.generation_of.len();
        if kept > FEWEST_KEPT && kept as u64 > 2 * self.live_cells {
            self.forget_dead();
        }
    }

    fn forget_dead(&mut self) {
        let oldest: [u64; CUCKOO_PHASES] = std::array::from_fn(|phase| {
            self.generation_of_phase(phase)
                .saturating_sub(self.generations)
        });
        let row_bits = self.row_bits;
        self.generation_of.retain(|&identity, &mut generation| {
            generation >= oldest[(identity >> row_bits) as usize % CUCKOO_PHASES]
        });
    }

    /// Takes back the element of this position: the pipeline had no room for it.
    pub(super) fn lose(&mut self, position: u32) {
        let Some(generation) = self.generation_of.remove(&position) else {
            return;
        };
        let phase = self.phase(position);
        let age = self.generation_of_phase(phase) - generation;
        if age <= self.generations {
            self.live[phase][age as usize] -= 1;
            self.live_cells -= 1;
        }
    }

    /// Forgets every element, and counts them from 0.
    pub fn clear(&mut self) {
        self.generation_of.clear();
        self.live.iter_mut().for_each(|live| {
            live.iter_mut().for_each(|cells| *cells = 0);
        });
        self.live_cells = 0;
        self.elements = 0;
    }

    /// Elements since the last clear.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// The generation of phase 0 that an item stands in which comes now; other phases may be one ahead.
    pub fn generation(&self) -> u64 {
        self.generation_of_phase(0)
    }

    /// Live cells: distinct identities that are seen.
    pub fn live_cells(&self) -> u64 {
        self.live_cells
    }

    /// Probability that a fresh key gets the verdict seen, given the live cells: exact for an identity that is uniform.
    pub fn probability_seen(&self) -> f64 {
        self.live_cells as f64 / self.identities
    }

    /// The hasher, for callers who compute positions ahead of time.
    pub fn hasher(&self) -> &ProbeHasher {
        &self.hasher
    }
}
