//! Geometry of a filter of cells.

use super::counters::CellCounter;
use super::kind::{lanes, CellKind};
use crate::common::{geometry_hash, Common, Streams};
use crate::erase::EraseReason;
use crate::error::SpecError;
use crate::item::{CELL_VERDICT_ESTIMATE, OPERATION_BITS};
use crate::key_source::KeySource;
use crate::rules::{Rules, MAX_HASHES};
use crate::specification::FilterSpec;
use crate::timing::CellTiming;
use crate::values::{Erase, FilterKind, Layout, Parity};
use crate::word::{EPOCH_BITS, WORD_BITS};
use std::ops::Deref;

/// A complete, validated filter of cells: saturating counters in one bank for each hash function (partitioned layout) or in
/// one array (shared layout), and a verdict that looks at the least of the k counters of a key.
///
/// | kind | cell | insert | verdict bit 0 |
/// |---|---|---|---|
/// | `static` | 1 bit | sets it | seen: all k bits were set before |
/// | `counting` | 2 to 16 bits | adds 1 | reached: the least counter, after the item, is at least the threshold |
/// | `count-min` | 8 to 32 bits | adds the item's amount | likewise |
///
/// Cells lie in memory words of [`WORD_BITS`] data bits: [`CellGeometry::lanes`] of them in the low bits of each, the cell of
/// the least position lowest. Dereferences to [`Common`].
#[derive(Debug, Clone, PartialEq)]
pub struct CellGeometry {
    pub(super) common: Common,
    kind: CellKind,
    cells_per_bank: u64,
    cell_bits: u32,
    amount_bits: u32,
    conservative: bool,
    threshold: u32,
    window: Option<u64>,
    items: u64,
    erase: Erase,
    erase_reason: Option<EraseReason>,
    row_bits: u32,
    timing: CellTiming,
    geometry_hash: u64,
}

impl FilterSpec {
    /// Checks every rule of a static filter, a counting filter or a Count-Min sketch and expands the hash constants.
    ///
    /// # Errors
    /// [`SpecError::Rule`] for a value that breaks a rule, [`SpecError::Unsupported`] for another kind and for words of later versions.
    pub fn cells(&self) -> Result<CellGeometry, SpecError> {
        CellGeometry::new(self)
    }

    /// Insertions over which a counting filter's occurrences count, `None` for those since the last clear.
    ///
    /// # Errors
    /// [`SpecError::Rule`] for a window that no filter has, whatever its sizes.
    pub fn counting_window(&self) -> Result<Option<u64>, SpecError> {
        Rules::new(&self.file).window(self)
    }
}

impl CellGeometry {
    fn new(spec: &FilterSpec) -> Result<CellGeometry, SpecError> {
        let rules = Rules::new(&spec.file);
        rules.name(&spec.name)?;
        let kind = rules.cell_kind(spec)?;
        rules.sections(spec)?;
        rules.no_self_check(spec)?;
        let request = rules.erase(spec)?;
        let (erase, erase_reason) = match (request.setting.given(), request.words_for) {
            (Some(erase), _) => (erase, None),
            (None, Some(what)) => (Erase::Epoch, Some(EraseReason::NeedsWords(what))),
            (None, None) => (Erase::InPlace, Some(EraseReason::OnlyClears)),
        };
        // Nothing in the stream waits for an erase, so there is no need for wide rows.
        let row_bits = match erase {
            Erase::Epoch => 1,
            Erase::SpareHalf | Erase::InPlace => request.row_bits.unwrap_or(1),
        };
        let hashes = rules.integer("filter.hashes", spec.filter.hashes, 1, MAX_HASHES)?;
        let cells = rules.cells(spec, kind)?;
        rules.probing(spec)?;
        rules.cells_conservative(spec, kind)?;
        let window = rules.window(spec)?;
        let banks = panes(window)
            * match spec.filter.layout {
                Layout::Partitioned => hashes,
                Layout::Shared => 1,
            };
        let cells_per_bank = rules.cell_memory(spec, banks, cells.bits)?;
        let range = rules.range(spec, cells_per_bank)?;
        let items = rules.items(spec, window)?;
        let streams = Streams {
            range,
            operation_bits: OPERATION_BITS + cells.amount_bits,
            verdict_bits: match kind {
                CellKind::Static => 1,
                CellKind::Counting | CellKind::CountMin => CELL_VERDICT_ESTIMATE + cells.bits,
            },
        };
        let mut common = Common::new(spec, &rules, streams)?;
        common.choose_array_logic(erase);
        let usual = timing_of(&common, cells.bits, spec.filter.conservative, window, erase);
        let need = usual.queue_need();
        common.choose_verdict_queue(rules.verdict_queue(spec, need)?, &need);
        let mut geometry = CellGeometry {
            kind,
            cells_per_bank,
            cell_bits: cells.bits,
            amount_bits: cells.amount_bits,
            conservative: spec.filter.conservative,
            threshold: cells.threshold,
            window,
            items,
            erase,
            erase_reason,
            row_bits,
            timing: timing_of(&common, cells.bits, spec.filter.conservative, window, erase),
            geometry_hash: 0,
            common,
        };
        geometry.geometry_hash = geometry.canonical_hash();
        Ok(geometry)
    }

    fn canonical_hash(&self) -> u64 {
        let mut canonical = serde_json::json!({
            "format": 1,
            "kind": self.kind().word(),
            "layout": self.layout().word(),
            "distinct": self.distinct(),
            "range": self.range(),
            "name": self.name(),
            "hashes": self.hashes(),
            "memory_bits": self.memory_bits(),
            "cell_bits": self.cell_bits,
            "amount_bits": self.amount_bits,
            "threshold": self.threshold,
            "key_bits": self.key_bits(),
            "key_source": self.key_source().map(KeySource::word),
            "tag_bits": self.tag_bits(),
            "hashing": self.hashing().word(),
            "family": self.family().word(),
            "seed": self.seed(),
        });
        if self.copies() > 1 {
            canonical["copies"] = self.copies().into();
        }
        if self.conservative {
            canonical["conservative"] = true.into();
        }
        if let Some(window) = self.window {
            canonical["window"] = window.into();
        }
        if self.erase == Erase::InPlace {
            canonical["erase"] = self.erase.word().into();
            canonical["row_bits"] = self.row_bits.into();
        }
        geometry_hash(self, canonical)
    }

    /// `static`, `counting` or `count-min`.
    pub fn kind(&self) -> FilterKind {
        match self.kind {
            CellKind::Static => FilterKind::Static,
            CellKind::Counting => FilterKind::Counting,
            CellKind::CountMin => FilterKind::CountMin,
        }
    }

    /// The same among the kinds that keep cells.
    pub fn cell_kind(&self) -> CellKind {
        self.kind
    }

    /// Whether an insertion raises no cell above the least cell of its item and the amount.
    pub fn conservative(&self) -> bool {
        self.conservative
    }

    /// Whether the operation `remove` exists: only in counting filters, and neither under conservative update nor over a window.
    pub fn removes(&self) -> bool {
        self.kind == CellKind::Counting && !self.conservative && self.window.is_none()
    }

    /// Insertions over which occurrences count, N: those among the last N count, none that lies 2 N back. `None` for a filter
    /// that counts since the last clear.
    pub fn window(&self) -> Option<u64> {
        self.window
    }

    /// Sets of banks, one active: 2 with a window, else 1.
    pub fn panes(&self) -> u32 {
        panes(self.window)
    }

    /// The counters that it has registers of, in the order of their addresses.
    pub fn counters(&self) -> &'static [CellCounter] {
        match self.counter_width().is_built() {
            true => CellCounter::of(self.kind, self.removes(), self.parity(), self.ecc()),
            false => &[],
        }
    }

    /// Data bits of all cells.
    pub fn memory_bits(&self) -> u64 {
        self.cells_per_bank * u64::from(self.cell_bits) * u64::from(self.banks())
    }

    /// How the memory is emptied by a clear.
    pub fn erase(&self) -> Erase {
        self.erase
    }

    /// The same filter with memory that is emptied in another way, if it can be built so.
    pub fn erased_by(&self, erase: Erase) -> Option<CellGeometry> {
        let single_cells = self.window.is_none()
            && self.layout() == Layout::Partitioned
            && self.parity() == Parity::None
            && !self.ecc();
        let fits = match erase {
            Erase::Epoch => self.has_array_logic(),
            Erase::SpareHalf => false,
            Erase::InPlace => single_cells,
        };
        fits.then(|| {
            let mut other = self.clone();
            other.erase = erase;
            if erase != self.erase {
                other.row_bits = 1;
            }
            other.timing = timing_of(
                &self.common,
                self.cell_bits,
                self.conservative,
                self.window,
                erase,
            );
            other.geometry_hash = other.canonical_hash();
            other
        })
    }

    /// Why `memory.erase = "auto"` has become what it is; `None` where the specification says how.
    pub fn erase_reason(&self) -> Option<&EraseReason> {
        self.erase_reason.as_ref()
    }

    /// Block RAMs of the memory and their name, where the specification says the part. Small memories may be built from lookup tables instead.
    pub fn block_rams(&self) -> Option<(u64, &'static str)> {
        let (banks, words) = (self.banks().into(), self.words_per_bank());
        let cells = (self.cells_per_bank, self.cell_bits);
        self.block_rams_of(banks, cells, words, self.erase)
    }

    /// Cells of a bank that are erased in one clock, where a clear erases.
    pub fn row_bits(&self) -> u32 {
        self.row_bits
    }

    /// Clocks that a clear erases for: the rows of a bank, or 0 where it makes epochs old.
    pub fn erase_clocks(&self) -> u64 {
        match self.erase {
            Erase::InPlace => self.cells_per_bank / u64::from(self.row_bits),
            Erase::Epoch | Erase::SpareHalf => 0,
        }
    }

    /// Clocks from the last item before a clear until the filter takes items again, with an epoch to spare.
    pub fn clear_clocks(&self) -> u64 {
        let retire_clocks = u64::from(self.timing.retire_clocks);
        let settle_clocks = match self.erase {
            Erase::InPlace => self.erase_clocks(),
            Erase::Epoch | Erase::SpareHalf => retire_clocks,
        };
        retire_clocks + settle_clocks + 2
    }

    /// Bits of memory: data, epoch and check bits of every word; of single cells their own bits alone.
    pub fn stored_bits(&self) -> u64 {
        if self.erase == Erase::InPlace {
            return self.memory_bits();
        }
        let words = self.words_per_bank() * u64::from(self.banks());
        words * u64::from(WORD_BITS + EPOCH_BITS + self.check_bits(WORD_BITS + EPOCH_BITS))
    }

    /// Banks of memory, those of all panes: one a hash in the partitioned layout, one in the shared layout.
    pub fn banks(&self) -> u32 {
        self.panes()
            * match self.layout() {
                Layout::Partitioned => self.hashes(),
                Layout::Shared => 1,
            }
    }

    /// Cells of one bank, a power of two; probes go to the first [`Common::range`] of them.
    pub fn cells_per_bank(&self) -> u64 {
        self.cells_per_bank
    }

    /// Bits of a cell: 1 for a static filter.
    pub fn cell_bits(&self) -> u32 {
        self.cell_bits
    }

    /// Greatest value of a cell, at which it stays.
    pub fn cell_max(&self) -> u32 {
        u32::MAX >> (32 - self.cell_bits)
    }

    /// Bits of the amount an item carries; 0 where every item counts as one.
    pub fn amount_bits(&self) -> u32 {
        self.amount_bits
    }

    /// Count from which a key is reported, as of reset; 1 for a static filter.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// Insertions between two clears (their amounts added up), at which rates are predicted; with a window N, 2 N.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Cells of one memory word: the greatest power of two that fits [`WORD_BITS`] bits.
    pub fn lanes(&self) -> u32 {
        lanes(self.cell_bits)
    }

    /// Low bits of a position, which select the cell in its word.
    pub fn lane_bits(&self) -> u32 {
        self.lanes().trailing_zeros()
    }

    /// Memory words of one bank: a power of two of at least [`MIN_CELL_WORDS`](crate::MIN_CELL_WORDS).
    pub fn words_per_bank(&self) -> u64 {
        self.cells_per_bank / u64::from(self.lanes())
    }

    /// Bits of a word's address in its bank: the high bits of a position.
    pub fn word_address_bits(&self) -> u32 {
        self.words_per_bank().trailing_zeros()
    }

    /// Bits of a word's address in the whole array: the bank above the address in the bank.
    pub fn array_address_bits(&self) -> u32 {
        self.word_address_bits() + self.banks().next_power_of_two().trailing_zeros()
    }

    /// When things happen in the pipeline.
    pub fn timing(&self) -> CellTiming {
        self.timing
    }

    /// First eight bytes of the SHA-256 of everything that changes the gateware: a host refuses a device whose geometry
    /// hash differs. Comments, `clock_hz`, `items` and spelled-out defaults leave it as it is.
    pub fn geometry_hash(&self) -> u64 {
        self.geometry_hash
    }
}

fn timing_of(
    common: &Common,
    cell_bits: u32,
    conservative: bool,
    window: Option<u64>,
    erase: Erase,
) -> CellTiming {
    let (hash_clocks, probing) = (common.hash().clocks(), common.probing());
    let usual = match erase {
        Erase::InPlace => CellTiming::in_place(hash_clocks, &probing, lanes(cell_bits)),
        Erase::Epoch | Erase::SpareHalf => {
            let read_ahead_clocks = common.read_ahead_clocks();
            CellTiming::new(hash_clocks, &probing, conservative, read_ahead_clocks)
                .with_panes(panes(window))
        }
    };
    usual.with_verdict_queue(common.chosen_verdict_queue())
}

/// Sets of banks.
fn panes(window: Option<u64>) -> u32 {
    1 + u32::from(window.is_some())
}

impl Deref for CellGeometry {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}
