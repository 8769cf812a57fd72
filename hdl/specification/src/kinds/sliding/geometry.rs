//! Geometry of a sliding-window filter.

use super::counters::SlidingCounter;
use super::rules::Sizes;
use crate::common::{geometry_hash, Common, Streams};
use crate::error::SpecError;
use crate::item::{SlidingVerdict, OPERATION_BITS};
use crate::key_source::KeySource;
use crate::rules::Rules;
use crate::specification::FilterSpec;
use crate::timing::SlidingTiming;
use std::ops::Deref;

/// A complete, validated sliding-window filter: the last n elements are always seen, anything but the last n + m with
/// probability eps at most.
///
/// Two tables of buckets of s cells and a store of S cells; a cell holds a fingerprint of f bits and a generation of v.
/// Sizes that the specification leaves out are chosen so:
///
/// | size | chosen |
/// |---|---|
/// | c, `generations` | the one whose tables take the least memory, with `(c+1)g - n <= m` and a scan interval of 8 elements or more where one has it; of equals the one with the least `(1 + 1/c)(log2(1/eps) + log2 c + 1)` (SBF 2.3) |
/// | `front_buckets` | the least power of two, at least 16, with at most 4.5 live elements a bucket |
/// | `back_buckets` | a quarter of that |
/// | s, `bucket_cells`; S, `store_cells` | 8; 16 |
/// | f, `fingerprint_bits` | the least that keeps eps with the most elements live: cells compared on average, at most, over `2^f` |
/// | v, `generation_bits` | the least with a scan interval of 8 elements or more |
///
/// Tables of these proportions lose less than one insertion in 10^12 (theory derives and measures it), and the filter of
/// other proportions must say `accept_overflow`. Dereferences to [`Common`], whose `range` is that of both positions:
/// `2^f * front_buckets`.
#[derive(Debug, Clone, PartialEq)]
pub struct SlidingGeometry {
    pub(super) common: Common,
    sizes: Sizes,
    timing: SlidingTiming,
    geometry_hash: u64,
}

impl FilterSpec {
    /// Checks every rule of a sliding-window filter, chooses the sizes that are not given, and expands the hash constants.
    ///
    /// # Errors
    /// [`SpecError::Rule`] for a value that breaks a rule, [`SpecError::Unsupported`] for another kind and for words of
    /// later versions.
    pub fn sliding(&self) -> Result<SlidingGeometry, SpecError> {
        SlidingGeometry::new(self)
    }
}

impl FilterSpec {
    /// Memory in bits that the tables of a sliding-window filter take: what `filter.memory_bits` must be, whatever it is now.
    ///
    /// # Errors
    /// As [`FilterSpec::sliding`], but for `filter.memory_bits` itself.
    pub fn sliding_memory_bits(&self) -> Result<u64, SpecError> {
        let sizes = Rules::new(&self.file).sliding_tables(self)?;
        Ok(sizes.memory_bits())
    }
}

impl SlidingGeometry {
    fn new(spec: &FilterSpec) -> Result<SlidingGeometry, SpecError> {
        let rules = Rules::new(&spec.file);
        rules.name(&spec.name)?;
        rules.sliding_kind(spec)?;
        rules.sections(spec)?;
        rules.no_self_check(spec)?;
        rules.erase(spec)?;
        rules.sliding_supported(spec)?;
        rules.probing(spec)?;
        rules.sliding_has_no_counters(spec)?;
        let sizes = rules.sliding_sizes(spec)?;
        let streams = Streams {
            range: sizes.front_buckets << sizes.fingerprint_bits,
            operation_bits: OPERATION_BITS,
            verdict_bits: SlidingVerdict::BITS,
        };
        let mut common = Common::new(spec, &rules, streams)?;
        let usual = SlidingTiming::new(
            common.hash().clocks(),
            &common.probing(),
            common.read_ahead_clocks(),
        );
        let need = usual.queue_need();
        common.choose_verdict_queue(rules.verdict_queue(spec, need)?, &need);
        let mut geometry = SlidingGeometry {
            timing: usual.with_verdict_queue(common.chosen_verdict_queue()),
            common,
            sizes,
            geometry_hash: 0,
        };
        geometry.geometry_hash = geometry.canonical_hash();
        Ok(geometry)
    }

    fn canonical_hash(&self) -> u64 {
        geometry_hash(
            self,
            serde_json::json!({
                "format": 1,
                "kind": "sliding",
                "name": self.name(),
                "generations": self.generations(),
                "generation_items": self.generation_items(),
                "generation_bits": self.generation_bits(),
                "scan_interval": self.scan_interval(),
                "front_buckets": self.front_buckets(),
                "back_buckets": self.back_buckets(),
                "bucket_cells": self.bucket_cells(),
                "store_cells": self.store_cells(),
                "fingerprint_bits": self.fingerprint_bits(),
                "key_bits": self.key_bits(),
                "key_source": self.key_source().map(KeySource::word),
                "tag_bits": self.tag_bits(),
                "hashing": self.hashing().word(),
                "family": self.family().word(),
                "seed": self.seed(),
            }),
        )
    }

    /// n: elements back from now that are always seen.
    pub fn window(&self) -> u64 {
        self.sizes.window
    }

    /// m: elements before those that may be seen or not.
    pub fn slack(&self) -> u64 {
        self.sizes.slack
    }

    /// eps: most probable false positive.
    pub fn target_fpr(&self) -> f64 {
        self.sizes.target_fpr
    }

    /// c: generations of the window; c + 1 are live.
    pub fn generations(&self) -> u32 {
        self.sizes.generations
    }

    /// g: elements of a generation, n/c rounded up.
    pub fn generation_items(&self) -> u64 {
        self.sizes.generation_items
    }

    /// n': most elements live at a time, (c + 1) g.
    pub fn live_items(&self) -> u64 {
        self.sizes.live_items()
    }

    /// v: bits of a generation number; numbers are kept modulo 2^v.
    pub fn generation_bits(&self) -> u32 {
        self.sizes.generation_bits
    }

    /// The counters, in the order of their addresses.
    pub fn counters(&self) -> &'static [SlidingCounter] {
        match self.counter_width().is_built() {
            true => SlidingCounter::of(self.parity(), self.ecc()),
            false => &[],
        }
    }

    /// Bits of memory: the cells of both tables, each with its parity or error-correcting code.
    pub fn stored_bits(&self) -> u64 {
        let buckets = self.front_buckets() + self.back_buckets();
        let cells = buckets * u64::from(self.bucket_cells());
        cells * u64::from(self.cell_bits() + self.check_bits(self.cell_bits()))
    }

    /// Most elements between two scan slots, from 1 to 64.
    pub fn scan_interval(&self) -> u32 {
        self.sizes.scan_interval
    }

    /// Buckets of the front table, a power of two.
    pub fn front_buckets(&self) -> u64 {
        self.sizes.front_buckets
    }

    /// b0: bits of a bucket of the front table, the low ones of position 0.
    pub fn front_bits(&self) -> u32 {
        self.sizes.front_buckets.trailing_zeros()
    }

    /// Buckets of the back table, a power of two, at most those of the front table.
    pub fn back_buckets(&self) -> u64 {
        self.sizes.back_buckets
    }

    /// b1: bits of a bucket of the back table, the low ones of position 1.
    pub fn back_bits(&self) -> u32 {
        self.sizes.back_buckets.trailing_zeros()
    }

    /// s: cells of a bucket, of either table.
    pub fn bucket_cells(&self) -> u32 {
        self.sizes.bucket_cells
    }

    /// S: cells of the store.
    pub fn store_cells(&self) -> u32 {
        self.sizes.store_cells
    }

    /// f: bits of a fingerprint, the high ones of a position; a cell of the store holds all of position 0.
    pub fn fingerprint_bits(&self) -> u32 {
        self.sizes.fingerprint_bits
    }

    /// Bits of a cell of the tables: fingerprint and generation.
    pub fn cell_bits(&self) -> u32 {
        self.sizes.cell_bits()
    }

    /// Data bits of both tables.
    pub fn memory_bits(&self) -> u64 {
        self.sizes.memory_bits()
    }

    /// When things happen in the pipeline.
    pub fn timing(&self) -> SlidingTiming {
        self.timing
    }

    /// First eight bytes of the SHA-256 of everything that changes the gateware: a host refuses a device whose geometry
    /// hash differs. Comments, `clock_hz`, and what a size was chosen from, leave it as it is.
    pub fn geometry_hash(&self) -> u64 {
        self.geometry_hash
    }
}

impl Deref for SlidingGeometry {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}
