use super::cell::Cell;
use bloomline_spec::{CuckooGeometry, CUCKOO_PHASES};

/// Generation number and elements within it, as one clock has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Moment {
    /// G.
    pub generation: u32,
    /// x.
    pub elements: u64,
}

/// How the pipeline tells generations apart, which it keeps modulo V.
#[derive(Debug, Clone)]
pub(super) struct Ages {
    /// c.
    generations: u32,
    /// V.
    values: u32,
    /// g.
    generation_items: u64,
    /// By phase: the elements by which it is ahead.
    leads: [u64; CUCKOO_PHASES],
}

impl Ages {
    pub fn new(geometry: &CuckooGeometry) -> Ages {
        Ages {
            generations: geometry.generations(),
            values: geometry.generation_values(),
            generation_items: geometry.generation_items(),
            leads: std::array::from_fn(|phase| geometry.phase_lead(phase)),
        }
    }

    /// V.
    pub fn values(&self) -> u32 {
        self.values
    }

    /// The moment one element later.
    pub fn after_element(&self, moment: Moment) -> Moment {
        if moment.elements + 1 < self.generation_items {
            return Moment {
                elements: moment.elements + 1,
                ..moment
            };
        }
        Moment {
            generation: self.next(moment.generation),
            elements: 0,
        }
    }

    fn next(&self, generation: u32) -> u32 {
        self.modulo(generation + 1)
    }

    /// A sum below 2 V, modulo V.
    fn modulo(&self, sum: u32) -> u32 {
        if sum >= self.values {
            sum - self.values
        } else {
            sum
        }
    }

    /// `G_p` of the fingerprint's phase.
    pub fn generation_of(&self, moment: Moment, fingerprint: u32) -> u32 {
        let lead = self.leads[fingerprint as usize % CUCKOO_PHASES];
        if moment.elements + lead >= self.generation_items {
            self.next(moment.generation)
        } else {
            moment.generation
        }
    }

    /// Generations since the cell was written or refreshed, modulo V.
    pub fn age(&self, moment: Moment, cell: Cell) -> u32 {
        let now = self.generation_of(moment, cell.fingerprint);
        self.modulo(now + self.values - cell.generation)
    }

    /// Whether the cell belongs to the window or its slack.
    pub fn is_live(&self, moment: Moment, cell: Cell) -> bool {
        self.age(moment, cell) <= self.generations
    }

    /// Whether the scan writes the cell, and the stash forgets the entry: a generation later than it ceases to be live, so that every
    /// slot in flight takes it for dead.
    pub fn is_old(&self, moment: Moment, cell: Cell) -> bool {
        self.age(moment, cell) > self.generations + 1
    }

    /// What a scan writes: the fingerprint 0, whose phase is never ahead, in the youngest generation that is not live.
    pub fn dead(&self, moment: Moment) -> Cell {
        Cell {
            fingerprint: 0,
            generation: self.modulo(moment.generation + self.values - self.generations - 1),
        }
    }

    /// What a wipe writes: the same, in generation 0.
    pub fn wiped(&self) -> Cell {
        self.dead(Moment::default())
    }
}
