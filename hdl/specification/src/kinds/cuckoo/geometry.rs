//! Geometry of a sliding-window filter on cuckoo tables.

use super::counters::CuckooCounter;
use super::masks::row_masks;
use super::rules::Sizes;
use crate::common::{geometry_hash, Common, Streams};
use crate::error::SpecError;
use crate::item::{SlidingVerdict, OPERATION_BITS};
use crate::key_source::KeySource;
use crate::rules::Rules;
use crate::specification::FilterSpec;
use crate::timing::SlidingTiming;
use std::ops::Deref;

/// Tables of a filter, each with one row for a key.
pub const CUCKOO_TABLES: usize = 4;
/// Phases in which the fingerprints change from one generation to the next.
pub const CUCKOO_PHASES: usize = 8;
/// Clocks in a row that the stream is held because the stash could fill; after them it goes on, and elements may be lost.
pub const CUCKOO_PATIENCE_CLOCKS: u32 = 1023;
/// Elements that may take an entry of the stash after it was found too full: those of stages -1 to D, and of the clocks until it is found and what leaves the hash unit is
/// queued; beside `read_ahead_clocks`.
pub(super) const STASH_RESERVE: u32 = 12;

/// A complete, validated sliding-window filter on cuckoo tables: the last n elements are always seen, anything but the last n + m with
/// probability eps at most, in about half the memory of [`SlidingGeometry`](crate::SlidingGeometry).
///
/// Four tables of B rows of s cells and a stash of S cells; a cell holds one of R fingerprints and a generation number below V. Sizes that the
/// specification leaves out are chosen so:
///
/// | size | chosen |
/// |---|---|
/// | c, `generations`; B, `rows`; s, `row_cells` | together, for the least memory; of equal ones the fewest generations, and the widest rows |
/// | f, `fingerprint_bits` | the least, from 8, with `(c g + 9 g / 16) / (B R) <= eps`, `R = 2^f + 2^(f-v)` |
/// | v, `generation_bits` | the least, from 3, with a scan quota of 10 elements a row and a scan room of 64, or more |
/// | S, `stash_cells` | 24 |
///
/// Rows are filled to 79 % (s = 3) up to 91 % (s = 8), at which a quarter of the elements cause a move. Words, rules and timing: `hdl/docs/cuckoo-window.md`. Dereferences to
/// [`Common`], whose `range` is that of the identity: `B R`.
#[derive(Debug, Clone, PartialEq)]
pub struct CuckooGeometry {
    pub(super) common: Common,
    sizes: Sizes,
    masks: [Vec<u32>; CUCKOO_TABLES - 1],
    timing: SlidingTiming,
    geometry_hash: u64,
}

impl FilterSpec {
    /// Checks every rule of a sliding-window filter on cuckoo tables, chooses the sizes that are not given, and expands the hash constants.
    ///
    /// # Errors
    /// [`SpecError::Rule`] for a value that breaks a rule, [`SpecError::Unsupported`] for another kind and for words of
    /// later versions.
    pub fn cuckoo(&self) -> Result<CuckooGeometry, SpecError> {
        CuckooGeometry::new(self)
    }

    /// Memory in bits that the tables of a sliding-window filter on cuckoo tables take: what `filter.memory_bits` must be, whatever it is now.
    ///
    /// # Errors
    /// As [`FilterSpec::cuckoo`], but for `filter.memory_bits` itself.
    pub fn cuckoo_memory_bits(&self) -> Result<u64, SpecError> {
        let sizes = Rules::new(&self.file).cuckoo_tables(self)?;
        Ok(sizes.memory_bits())
    }
}

impl CuckooGeometry {
    fn new(spec: &FilterSpec) -> Result<CuckooGeometry, SpecError> {
        let rules = Rules::new(&spec.file);
        rules.name(&spec.name)?;
        rules.sliding_kind(spec)?;
        rules.sections(spec)?;
        rules.no_self_check(spec)?;
        rules.erase(spec)?;
        rules.sliding_supported(spec)?;
        rules.cuckoo_supported(spec)?;
        rules.probing(spec)?;
        rules.sliding_has_no_counters(spec)?;
        let sizes = rules.cuckoo_sizes(spec)?;
        let streams = Streams {
            range: sizes.rows * sizes.fingerprints(),
            operation_bits: OPERATION_BITS,
            verdict_bits: SlidingVerdict::BITS,
        };
        let mut common = Common::new(spec, &rules, streams)?;
        let usual = SlidingTiming::on_cuckoo_tables(
            common.hash().clocks(),
            &common.probing(),
            common.read_ahead_clocks(),
        );
        let need = usual.queue_need();
        common.choose_verdict_queue(rules.verdict_queue(spec, need)?, &need);
        let mut geometry = CuckooGeometry {
            timing: usual.with_verdict_queue(common.chosen_verdict_queue()),
            masks: row_masks(sizes.fingerprint_bits + 1, sizes.rows.trailing_zeros()),
            common,
            sizes,
            geometry_hash: 0,
        };
        rules.cuckoo_stash(&geometry)?;
        geometry.geometry_hash = geometry.canonical_hash();
        Ok(geometry)
    }

    fn canonical_hash(&self) -> u64 {
        geometry_hash(
            self,
            serde_json::json!({
                "format": 1,
                "kind": "sliding",
                "table": "cuckoo",
                "name": self.name(),
                "generations": self.generations(),
                "generation_items": self.generation_items(),
                "generation_bits": self.generation_bits(),
                "rows": self.rows(),
                "row_cells": self.row_cells(),
                "stash_cells": self.stash_cells(),
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

    /// n': elements back from now beyond which none is seen but by an equal identity, (c + 1) g.
    pub fn live_items(&self) -> u64 {
        (u64::from(self.generations()) + 1) * self.generation_items()
    }

    /// Most cells expected live at a time, c g + 9 g / 16: the phases keep them within g/16 of c g + g/2.
    pub fn peak_live_items(&self) -> u64 {
        self.sizes.peak_live()
    }

    /// Elements by which phase p, from 0 to 7, is ahead of phase 0: p g / 8.
    pub fn phase_lead(&self, phase: usize) -> u64 {
        phase as u64 * self.generation_items() / CUCKOO_PHASES as u64
    }

    /// v: bits of a generation number.
    pub fn generation_bits(&self) -> u32 {
        self.sizes.generation_bits
    }

    /// V: generation numbers are kept modulo `2^v - 1`.
    pub fn generation_values(&self) -> u32 {
        self.sizes.generation_values() as u32
    }

    /// B: rows of a table, a power of two.
    pub fn rows(&self) -> u64 {
        self.sizes.rows
    }

    /// b: bits of a row's number.
    pub fn row_bits(&self) -> u32 {
        self.sizes.rows.trailing_zeros()
    }

    /// s: cells of a row.
    pub fn row_cells(&self) -> u32 {
        self.sizes.row_cells
    }

    /// S: cells of the stash.
    pub fn stash_cells(&self) -> u32 {
        self.sizes.stash_cells
    }

    /// Most entries of the stash that are used while items go on to the tables: beyond, those that are there might not find room.
    pub fn stash_limit(&self) -> u32 {
        self.stash_cells() - self.stash_reserve()
    }

    /// Entries that are kept for elements between the hash unit and the stash.
    pub(super) fn stash_reserve(&self) -> u32 {
        STASH_RESERVE + self.read_ahead_clocks()
    }

    /// Stages from the register of the key to the last one before the identity's: so many items may be there and in the queue behind, and one stands in stage -1 (-3 with an
    /// error-correcting code) one clock edge later.
    pub fn hash_stages(&self) -> u32 {
        self.timing.front_clocks - self.read_ahead_clocks() - 2
    }

    /// f: bits of a fingerprint, one of `2^f + 2^(f-v)`.
    pub fn fingerprint_bits(&self) -> u32 {
        self.sizes.fingerprint_bits
    }

    /// R: fingerprints.
    pub fn fingerprints(&self) -> u64 {
        self.sizes.fingerprints()
    }

    /// Bits of a cell of the tables.
    pub fn cell_bits(&self) -> u32 {
        self.sizes.cell_bits()
    }

    /// Data bits of the four tables.
    pub fn memory_bits(&self) -> u64 {
        self.sizes.memory_bits()
    }

    /// Bits of memory: the cells of the four tables, each with its error-correcting code.
    pub fn stored_bits(&self) -> u64 {
        let cells = CUCKOO_TABLES as u64 * self.rows() * u64::from(self.row_cells());
        cells * u64::from(self.cell_bits() + self.check_bits(self.cell_bits()))
    }

    /// Masks of the row functions, of tables 1 to 3 ([`row_masks`]).
    pub fn masks(&self) -> &[Vec<u32>; CUCKOO_TABLES - 1] {
        &self.masks
    }

    /// q: elements that the scan of one row pays for.
    pub fn scan_quota(&self) -> u64 {
        self.sizes.scan_quota()
    }

    /// C: most elements that a table may be ahead of what its scan has paid for.
    pub fn scan_room(&self) -> u64 {
        self.sizes.scan_room()
    }

    /// Whether the scan has room enough not to hold a saturated stream of distinct elements; a given `generation_bits` may leave it less.
    pub fn scan_has_room(&self) -> bool {
        self.scan_room() >= super::rules::CHOSEN_ROOM
    }

    /// The counters, in the order of their addresses.
    pub fn counters(&self) -> &'static [CuckooCounter] {
        match self.counter_width().is_built() {
            true => CuckooCounter::of(self.ecc()),
            false => &[],
        }
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

impl Deref for CuckooGeometry {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}
