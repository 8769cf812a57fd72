use super::words::CellWords;
use crate::hash::ProbeHasher;
use bloomline_spec::{CellGeometry, CellOperation, CellVerdict, Key};

/// A filter of cells, one item at a time: what every item does, with no notion of time.
///
/// State: k banks of saturating counters and the threshold. Static filter, counting filter and Count-Min sketch differ in
/// the width of a cell, in what an item adds, and in whether it may take away.
///
/// ```
/// use bloomline_model::CellFilter;
/// use bloomline_spec::{CellOperation, FilterSpec, Key, Validated, CELL_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = CELL_EXAMPLES[1];
/// let Validated::Cells(geometry) = FilterSpec::from_toml(text, Path::new(file))?.resolve()? else {
///     unreachable!("the second example is a counting filter")
/// };
/// let mut filter = CellFilter::new(&geometry);
/// let key = Key::from_integer(0x1234, geometry.key_bits()).expect("fits 104 bits");
/// for count in 1..=5 {
///     let verdict = filter.apply(&key, CellOperation::TestAndInsert, 1).verdict;
///     assert_eq!((verdict.estimate, verdict.reached), (count, count == 5));
/// }
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CellFilter {
    hasher: ProbeHasher,
    cells: CellWords,
    max: u32,
    amount_mask: Option<u32>,
    removes: bool,
    threshold: u32,
}

/// What one item met and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellOutcome {
    /// What it is told. Its `reached` is by the threshold in force when the item was applied.
    pub verdict: CellVerdict,
    /// It was an insert or test-and-insert, of whatever amount.
    pub inserted: bool,
    /// It was a removal, whether or not a cell could give.
    pub removed: bool,
}

impl CellOutcome {
    /// Of a slot that is no item.
    pub(super) const NONE: CellOutcome = CellOutcome {
        verdict: CellVerdict {
            reached: false,
            seen: false,
            underflow: false,
            saturated: false,
            estimate: 0,
        },
        inserted: false,
        removed: false,
    };

    /// Whether it inserted or removed and left a cell at its greatest value.
    pub fn changed_saturated(&self) -> bool {
        (self.inserted || self.removed) && self.verdict.saturated
    }
}

impl CellFilter {
    /// An empty filter with the threshold of the specification.
    pub fn new(geometry: &CellGeometry) -> CellFilter {
        CellFilter {
            hasher: ProbeHasher::new(geometry),
            cells: CellWords::new(geometry),
            max: geometry.cell_max(),
            amount_mask: u32::MAX.checked_shr(32 - geometry.amount_bits()),
            removes: geometry.removes(),
            threshold: geometry.threshold(),
        }
    }

    /// Does what the semantics say of one item. `amount` counts in a Count-Min sketch only, where its low amount bits are
    /// what an inserting item adds; 0 is legal.
    pub fn apply(&mut self, key: &Key, operation: CellOperation, amount: u32) -> CellOutcome {
        let probes = self.hasher.probes(key);
        self.apply_probes(probes.positions(), operation, amount)
    }

    /// The same for an item whose probe positions are known.
    ///
    /// `positions` holds k positions, position i in cells from the start of bank i ([`ProbeHasher::probes`] gives such). A
    /// position past the bank's end counts modulo its cells; banks without a position are not looked at. Where nothing can
    /// be removed, `Remove` acts as `TestAndInsert`.
    pub fn apply_probes(
        &mut self,
        positions: &[u32],
        operation: CellOperation,
        amount: u32,
    ) -> CellOutcome {
        let operation = CellOperation::from_code(operation.code().into(), self.removes);
        let amount = self.amount_of(amount);
        let mut verdict = CellVerdict {
            seen: true,
            estimate: self.max,
            ..CellVerdict::default()
        };
        for (bank, &position) in positions.iter().enumerate() {
            let before = self.cells.cell(bank, position);
            let after = match operation {
                CellOperation::Query => before,
                CellOperation::Insert | CellOperation::TestAndInsert => {
                    before.saturating_add(amount).min(self.max)
                }
                CellOperation::Remove if before == self.max => before,
                CellOperation::Remove => before.saturating_sub(1),
            };
            if after != before {
                self.cells.set_cell(bank, position, after);
            }
            verdict.seen &= before > 0;
            verdict.underflow |= operation == CellOperation::Remove && before == 0;
            verdict.saturated |= after == self.max;
            verdict.estimate = verdict.estimate.min(after);
        }
        verdict.reached = verdict.estimate >= self.threshold;
        CellOutcome {
            verdict,
            inserted: operation.inserts(),
            removed: operation == CellOperation::Remove,
        }
    }

    /// What an item adds that carries `amount`: its low amount bits in a Count-Min sketch, 1 in every other kind.
    pub fn amount_of(&self, amount: u32) -> u32 {
        self.amount_mask.map_or(1, |mask| amount & mask)
    }

    /// Every cell becomes 0; the threshold stays.
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    /// Replaces the threshold, from the next item on.
    pub fn set_threshold(&mut self, threshold: u32) {
        self.threshold = threshold;
    }

    /// The threshold in force.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// The cell of a position in a bank; a position past the bank's end counts modulo its cells.
    ///
    /// # Panics
    /// When there is no such bank.
    pub fn cell(&self, bank: usize, position: u32) -> u32 {
        self.cells.cell(bank, position)
    }

    /// A word of the array: cells side by side, the least position in the lowest bits, the rest 0. `address` is the bank
    /// times the words of a bank, plus the word's address in it; 0 where there is no such bank.
    pub fn word(&self, address: u64) -> u32 {
        self.cells.word(address)
    }

    /// Replaces the cells of a word, addressed as in [`CellFilter::word`]; bits of `data` above the cells are ignored, and
    /// nothing happens where there is no such bank.
    pub fn set_word(&mut self, address: u64, data: u32) {
        self.cells.set_word(address, data);
    }

    /// How many cells of a bank are at least `least`, by looking at all of them.
    ///
    /// # Panics
    /// When there is no such bank.
    pub fn cells_at_least(&self, bank: usize, least: u32) -> u64 {
        self.cells.at_least(bank, least)
    }

    /// Probability that a fresh key meets k cells of at least `least` each: the chance that k independent probes, each
    /// uniform over its bank, all hit such cells. Exact under that ideal of independent probes; double hashing ties the
    /// probes of one key to each other. With `least` = 1 it is the false-positive rate of the filter as it stands, with
    /// `least` = threshold the rate at which queries for fresh keys are reported.
    pub fn probability_at_least(&self, least: u32) -> f64 {
        (0..self.hasher.hashes())
            .map(|bank| {
                self.cells.at_least(bank, least) as f64 / self.cells.cells_per_bank() as f64
            })
            .product()
    }

    /// The hasher, for callers who compute positions ahead of time.
    pub fn hasher(&self) -> &ProbeHasher {
        &self.hasher
    }
}
