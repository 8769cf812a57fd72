use crate::hash::ProbeHasher;
use bloomline_spec::{Key, Operation, SlidingGeometry, SlidingVerdict};

/// The sliding-window filter, one item at a time: what every item does, with no notion of time.
///
/// State: the cells of two tables and a store, and the elements counted since the last clear.
///
/// ```
/// use bloomline_model::SlidingFilter;
/// use bloomline_spec::{FilterSpec, Key, Operation, SLIDING_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = SLIDING_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.sliding()?;
/// let mut filter = SlidingFilter::new(&geometry);
/// let key = |number| Key::from_integer(number, geometry.key_bits()).expect("fits 104 bits");
/// assert!(!filter.apply(&key(0), Operation::TestAndInsert).verdict.seen);
/// for number in 1..u128::from(geometry.window()) {
///     filter.apply(&key(number), Operation::Insert);
/// }
/// assert!(filter.apply(&key(0), Operation::Query).verdict.seen);
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SlidingFilter {
    hasher: ProbeHasher,
    generations: u64,
    generation_items: u64,
    bucket_cells: usize,
    /// How many different fingerprints there are.
    fingerprints: f64,
    front: Table,
    back: Table,
    store: Table,
    elements: u64,
}

/// Cells by bucket, and what part of a position is compared.
#[derive(Debug, Clone)]
struct Table {
    cells: Vec<Cell>,
    bucket_mask: u32,
    fingerprint_shift: u32,
}

/// What a cell holds.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    fingerprint: u32,
    /// Generations begun when it was last written, that one included; 0 in a cell that never was.
    begun: u64,
}

/// The part of the filter that holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The front table.
    Front,
    /// The back table: the front bucket was full.
    Back,
    /// The store: both buckets were full.
    Store,
}

/// What one item met and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SlidingOutcome {
    /// What it is told.
    pub verdict: SlidingVerdict,
    /// Where the empty cell lay that it took, if it took one.
    pub inserted: Option<Place>,
}

impl SlidingFilter {
    /// An empty filter.
    pub fn new(geometry: &SlidingGeometry) -> SlidingFilter {
        let bucket_cells = geometry.bucket_cells() as usize;
        let fingerprint_shift = geometry.front_bits();
        let table = |buckets: u64, cells: usize, fingerprint_shift| Table {
            cells: vec![Cell::default(); buckets as usize * cells],
            bucket_mask: (buckets - 1) as u32,
            fingerprint_shift,
        };
        SlidingFilter {
            hasher: ProbeHasher::new(geometry),
            generations: geometry.generations().into(),
            generation_items: geometry.generation_items(),
            bucket_cells,
            fingerprints: f64::from(geometry.fingerprint_bits()).exp2(),
            front: table(geometry.front_buckets(), bucket_cells, fingerprint_shift),
            back: table(geometry.back_buckets(), bucket_cells, fingerprint_shift),
            store: table(1, geometry.store_cells() as usize, 0),
            elements: 0,
        }
    }

    /// Does what the page says of one item.
    pub fn apply(&mut self, key: &Key, operation: Operation) -> SlidingOutcome {
        let probes = self.hasher.probes(key);
        self.apply_probes(probes.positions(), operation)
    }

    /// The same for an item whose two positions are known ([`ProbeHasher::probes`] gives such); a missing one counts as 0.
    pub fn apply_probes(&mut self, positions: &[u32], operation: Operation) -> SlidingOutcome {
        let position = |table: usize| positions.get(table).copied().unwrap_or(0);
        let generation = self.generation();
        let oldest = generation.saturating_sub(self.generations);
        let parts = [
            (Place::Front, position(0), self.bucket_cells),
            (Place::Back, position(1), self.bucket_cells),
            (Place::Store, position(0), self.store.cells.len()),
        ];
        let (mut matching, mut empty) = (None, None);
        for (place, position, cells) in parts {
            let table = self.table(place);
            let first = table.bucket(position) * cells;
            let fingerprint = table.fingerprint(position);
            for (index, cell) in table.cells[first..first + cells].iter().enumerate() {
                if !cell.is_live(oldest) {
                    empty = empty.or(Some((place, first + index)));
                } else if cell.fingerprint == fingerprint {
                    matching = matching.or(Some((place, first + index)));
                }
            }
        }
        let mut outcome = SlidingOutcome::default();
        outcome.verdict.seen = matching.is_some();
        if !operation.inserts() {
            return outcome;
        }
        self.elements += 1;
        match (matching, empty) {
            (Some((place, index)), _) => {
                self.table_mut(place).cells[index].begun = generation + 1;
            }
            (None, Some((place, index))) => {
                let position = position(usize::from(place == Place::Back));
                let table = self.table_mut(place);
                table.cells[index] = Cell {
                    fingerprint: table.fingerprint(position),
                    begun: generation + 1,
                };
                outcome.inserted = Some(place);
            }
            (None, None) => outcome.verdict.lost = true,
        }
        outcome
    }

    fn table(&self, place: Place) -> &Table {
        match place {
            Place::Front => &self.front,
            Place::Back => &self.back,
            Place::Store => &self.store,
        }
    }

    fn table_mut(&mut self, place: Place) -> &mut Table {
        match place {
            Place::Front => &mut self.front,
            Place::Back => &mut self.back,
            Place::Store => &mut self.store,
        }
    }

    /// Forgets every element, and counts them from 0.
    pub fn clear(&mut self) {
        for place in [Place::Front, Place::Back, Place::Store] {
            self.table_mut(place).cells.fill(Cell::default());
        }
        self.elements = 0;
    }

    /// Elements since the last clear.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// The generation that an item stands in which comes now.
    pub fn generation(&self) -> u64 {
        self.elements / self.generation_items
    }

    /// Live cells of a part, by looking at all of them.
    pub fn live_cells(&self, place: Place) -> u64 {
        let oldest = self.generation().saturating_sub(self.generations);
        let cells = &self.table(place).cells;
        cells.iter().filter(|cell| cell.is_live(oldest)).count() as u64
    }

    /// Probability that a fresh key gets the verdict seen, given the live cells: two independent positions, each uniform.
    /// Exact under that ideal, since the live values of a bucket differ, and so do those of front table and store together.
    pub fn probability_seen(&self) -> f64 {
        let share = |live: u64, table: &Table| {
            let buckets = f64::from(table.bucket_mask) + 1.0;
            live as f64 / buckets / self.fingerprints
        };
        let front = share(
            self.live_cells(Place::Front) + self.live_cells(Place::Store),
            &self.front,
        );
        let back = share(self.live_cells(Place::Back), &self.back);
        front + back - front * back
    }

    /// The hasher, for callers who compute positions ahead of time.
    pub fn hasher(&self) -> &ProbeHasher {
        &self.hasher
    }
}

impl Table {
    fn bucket(&self, position: u32) -> usize {
        (position & self.bucket_mask) as usize
    }

    fn fingerprint(&self, position: u32) -> u32 {
        position >> self.fingerprint_shift
    }
}

impl Cell {
    fn is_live(&self, oldest: u64) -> bool {
        self.begun > oldest
    }
}
