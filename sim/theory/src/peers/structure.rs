//! Common description of the structures that are compared.

use super::age_partitioned::AgePartitioned;
use super::remembers::Remembers;
use super::stable::Stable;
use crate::accuracy::Figure;
use serde::Serialize;

/// A structure for approximate membership that forgets by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Structure {
    /// Recycling filter of one half.
    OnePhase,
    /// Recycling filter of an active and a frozen half.
    TwoPhases,
    /// Sliding-window filter with a dictionary of fingerprints.
    SlidingWindow,
    /// One filter for every block of keys.
    SimpleConstruction,
    /// Two filters, one queried and one warming up.
    DoubleBuffering,
    /// Slices that take keys for k generations and are read for k + l.
    AgePartitioned,
    /// Cells that are set to their maximum and decremented at random.
    Stable,
    /// Bits of which some are cleared at random with every key.
    Retouched,
    /// Cells that are set to their maximum and all decremented once a generation.
    TimeDecaying,
    /// Bits that are cleared unless they were hit during a window.
    TimeAware,
    /// Counters, and a queue of the keys that they will lose.
    CountingQueue,
    /// Cyclic buffer of fingerprints beside a compact table of their counts.
    Swamp,
    /// Two phases whose probes of a key lie in one block.
    Blocked,
    /// Cuckoo filter with a generation in each cell.
    Cuckoo,
    /// Quotient filter with a generation in each slot.
    Quotient,
}

impl Structure {
    /// Its name in the field.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnePhase => "one phase",
            Self::TwoPhases => "two phases",
            Self::SlidingWindow => "sliding window",
            Self::SimpleConstruction => "one filter per block",
            Self::DoubleBuffering => "double buffering",
            Self::AgePartitioned => "age-partitioned",
            Self::Stable => "stable",
            Self::Retouched => "retouched",
            Self::TimeDecaying => "time-decaying",
            Self::TimeAware => "time-aware",
            Self::CountingQueue => "counting with a queue",
            Self::Swamp => "SWAMP",
            Self::Blocked => "blocked",
            Self::Cuckoo => "cuckoo filter",
            Self::Quotient => "quotient filter",
        }
    }

    /// The paper that describes it, as on the page of references.
    pub fn source(self) -> &'static str {
        match self {
            Self::OnePhase | Self::TwoPhases => "RBF",
            Self::SlidingWindow | Self::SimpleConstruction => "SBF",
            Self::DoubleBuffering => "Chang, Li, Feng 2004",
            Self::AgePartitioned => "Shtul, Baquero, Almeida 2020",
            Self::Stable => "Deng, Rafiei 2006",
            Self::Retouched => "Donnet, Baynat, Friedman 2006",
            Self::TimeDecaying => "Cheng et al. 2005",
            Self::TimeAware => "Trindade, Vazão 2011",
            Self::CountingQueue => "Fan et al. 2000",
            Self::Swamp => "Assaf et al. 2018",
            Self::Blocked => "Putze, Sanders, Singler 2009",
            Self::Cuckoo => "Fan et al. 2014",
            Self::Quotient => "Bender et al. 2012",
        }
    }

    /// What it forgets, and when.
    pub fn forgets(self) -> &'static str {
        match self {
            Self::OnePhase => "everything at once, when it is full",
            Self::TwoPhases | Self::Blocked => "the older half of its keys, when the active half is full",
            Self::SlidingWindow | Self::SimpleConstruction | Self::AgePartitioned => {
                "the oldest generation, when a new one begins"
            }
            Self::DoubleBuffering => "the older half of its keys, when the warm-up filter takes over",
            Self::TimeDecaying | Self::Cuckoo | Self::Quotient => {
                "the oldest generation, when a new one begins; a key that comes again is as good as new"
            }
            Self::TimeAware => {
                "bits that no key of the last window hit; a key that comes again is as good as new"
            }
            Self::Swamp | Self::CountingQueue => "exactly the oldest key, with every new one",
            Self::Stable | Self::Retouched => "any key at any time, old ones more likely; nothing is guaranteed",
        }
    }
}

/// One size of a structure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Size {
    /// Its name: `k`, `slices`, `generation keys`.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
}

impl Size {
    pub(super) fn new(name: &'static str, value: u64) -> Size {
        Size { name, value }
    }
}

/// What one item, that is looked up and inserted, does to the memories. The decrements, scrubbing and cleaning that a
/// structure needs beside the items are counted where a bank takes them between items, and not where they fit idle banks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Accesses {
    /// Words read an item, on average.
    pub reads: f64,
    /// Words written an item, on average.
    pub writes: f64,
    /// Memory banks.
    pub banks: u64,
    /// Port uses an item of the bank that is used most.
    pub busiest_bank: f64,
}

impl Accesses {
    /// Items a clock cycle that memories with two ports let through: `min(1, 2 / busiest_bank)`. An upper bound: for tables whose
    /// insertions move entries the worst case is longer.
    pub fn items_a_clock(&self) -> f64 {
        (2.0 / self.busiest_bank).min(1.0)
    }
}

/// A structure at its sizes, with what it does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Peer {
    /// Which structure.
    pub structure: Structure,
    /// Its sizes.
    pub sizes: Vec<Size>,
    /// Bits that it takes.
    pub memory_bits: f64,
    /// Average false-positive rate of a key that was never seen, or is forgotten.
    pub fpr: Figure,
    /// How long it remembers.
    pub remembers: Remembers,
    /// Memory accesses an item.
    pub accesses: Accesses,
}

impl Peer {
    /// The probability that a key is not seen when it comes again after `distance` new keys: forgotten, and no false positive. Of
    /// generations an approximation within the rate, which is taken at its average.
    pub fn missed(&self, distance: f64) -> f64 {
        match self.remembers {
            generations @ Remembers::Generations { .. } => {
                generations.forgotten(distance) * (1.0 - self.fpr.value)
            }
            Remembers::Slices(slices) => slices.missed(distance),
            Remembers::Decay(stable) => stable.missed(distance),
        }
    }

    /// Bits for each key of the reach at which at most `share` of the keys are forgotten.
    pub fn bits_an_element(&self, share: f64) -> f64 {
        self.memory_bits / self.remembers.reach(share)
    }
}

/// Word of a bank whose cells are decremented in rows, in bits.
const DECREMENTED_WORD_BITS: f64 = 32.0;

impl Stable {
    /// What it does.
    pub fn peer(&self) -> Peer {
        let k = f64::from(self.hashes);
        // words that P cells in a row lie in, from a random one on
        let words = 1.0
            + (self.decrements as f64 - 1.0) * f64::from(self.cell_bits) / DECREMENTED_WORD_BITS;
        Peer {
            structure: match self.cell_bits {
                1 => Structure::Retouched,
                _ => Structure::Stable,
            },
            sizes: vec![
                Size::new("k", self.hashes.into()),
                Size::new("cell bits", self.cell_bits.into()),
                Size::new("bank cells", self.cells),
                Size::new("decrements", self.decrements),
            ],
            memory_bits: k * self.cells as f64 * f64::from(self.cell_bits),
            fpr: self.rate(),
            remembers: Remembers::Decay(*self),
            accesses: Accesses {
                reads: k * (1.0 + words),
                writes: k * (1.0 + words),
                banks: self.hashes.into(),
                busiest_bank: 2.0 * (1.0 + words),
            },
        }
    }
}

impl AgePartitioned {
    /// What it does.
    pub fn peer(&self) -> Peer {
        let (k, slices) = (f64::from(self.hashes), self.hashes + self.older);
        Peer {
            structure: Structure::AgePartitioned,
            sizes: vec![
                Size::new("k", self.hashes.into()),
                Size::new("l", self.older.into()),
                Size::new("slice bits", self.slice_bits as u64),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: self.slice_bits * f64::from(slices),
            fpr: self.rate(),
            remembers: Remembers::Slices(*self),
            accesses: Accesses {
                reads: f64::from(slices),
                writes: k,
                banks: slices.into(),
                busiest_bank: 2.0,
            },
        }
    }
}
