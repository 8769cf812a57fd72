use super::words::CellWords;
use crate::hash::ProbeHasher;
use bloomline_spec::{CellGeometry, CellOperation, CellVerdict, Key, Layout};

/// A filter of cells, one item at a time: what every item does, with no notion of time.
///
/// State: k banks of saturating counters, or one array of them that all k probes of an item share, and the threshold. Static filter, counting filter and Count-Min sketch differ in
/// the width of a cell, in what an item adds, and in whether it may take away.
///
/// ```
/// use bloomline_model::CellFilter;
/// use bloomline_spec::{CellOperation, FilterSpec, Key, Design, CELL_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = CELL_EXAMPLES[1];
/// let Design::Cells(geometry) = FilterSpec::from_toml(text, Path::new(file))?.design()? else {
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
    layout: Layout,
    distinct: bool,
    max: u32,
    amount_mask: Option<u32>,
    removes: bool,
    conservative: bool,
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

    /// Of an item with this operation.
    pub(super) fn new(operation: CellOperation, verdict: CellVerdict) -> CellOutcome {
        CellOutcome {
            verdict,
            inserted: operation.inserts(),
            removed: operation == CellOperation::Remove,
        }
    }

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
            layout: geometry.layout(),
            distinct: geometry.distinct(),
            max: geometry.cell_max(),
            amount_mask: u32::MAX.checked_shr(32 - geometry.amount_bits()),
            removes: geometry.removes(),
            conservative: geometry.conservative(),
            threshold: geometry.threshold(),
        }
    }

    /// The same filter with the plain update: what a conservatively updated one is never above.
    pub fn with_plain_update(geometry: &CellGeometry) -> CellFilter {
        CellFilter {
            conservative: false,
            ..CellFilter::new(geometry)
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
    /// `positions` holds k positions, position i in cells from the start of bank i, or of the one array
    /// ([`ProbeHasher::probes`] gives such). A position past the end counts modulo the cells; banks without a position are
    /// not looked at. In the shared layout one probe comes after the other: a cell that is probed twice is added to twice.
    /// Under conservative update an insertion first looks at all of them, then raises those below the level it comes to.
    /// Where nothing can be removed, `Remove` acts as `TestAndInsert`.
    pub fn apply_probes(
        &mut self,
        positions: &[u32],
        operation: CellOperation,
        amount: u32,
    ) -> CellOutcome {
        let operation = CellOperation::from_code(operation.code().into(), self.removes);
        let amount = self.amount_of(amount);
        let mut verdict = self.unprobed();
        if self.conservative {
            self.probe(positions, 0, CellOperation::Query, 0, &mut verdict);
            if operation.inserts() {
                let level = self.level(amount, &mut verdict);
                self.raise(positions, level);
            }
        } else {
            self.probe(positions, 0, operation, amount, &mut verdict);
        }
        verdict.reached = verdict.estimate >= self.threshold;
        CellOutcome::new(operation, verdict)
    }

    /// What is known of an item before its first probe.
    pub(super) fn unprobed(&self) -> CellVerdict {
        CellVerdict {
            seen: true,
            estimate: self.max,
            ..CellVerdict::default()
        }
    }

    /// Some probes of an item, one after the other, the first of them probe number `first`; `operation` is one of the kind's,
    /// `amount` what is added. `verdict`, but for `reached`, is of the probes so far.
    pub(super) fn probe(
        &mut self,
        positions: &[u32],
        first: usize,
        operation: CellOperation,
        amount: u32,
        verdict: &mut CellVerdict,
    ) {
        for (probe, &position) in (first..).zip(positions) {
            let bank = match self.layout {
                Layout::Partitioned => probe,
                Layout::Shared => 0,
            };
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
    }

    /// Whether an insertion looks first, and raises then.
    pub(super) fn conservative(&self) -> bool {
        self.conservative
    }

    /// The level that an insertion of `amount` raises its cells to; `verdict`, but for `reached`, is what its looks found, and
    /// becomes that of the insertion.
    pub(super) fn level(&self, amount: u32, verdict: &mut CellVerdict) -> u32 {
        let level = verdict.estimate.saturating_add(amount).min(self.max);
        verdict.estimate = level;
        verdict.saturated |= level == self.max;
        level
    }

    /// Raises the cells at some positions of the one array to a level; those that stand higher stay.
    pub(super) fn raise(&mut self, positions: &[u32], level: u32) {
        for &position in positions {
            if self.cells.cell(0, position) < level {
                self.cells.set_cell(0, position, level);
            }
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

    /// Hashes with another secret, from the next item on; changes nothing where the hash family has none. The cells stay and
    /// mean nothing under the new secret, so a clear goes with it.
    pub fn set_secret(&mut self, secret: u128) {
        self.hasher.set_secret(secret);
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

    /// How many cells of a bank are at least `least`, of those that probes go to, by looking at all of them.
    ///
    /// # Panics
    /// When there is no such bank.
    pub fn cells_at_least(&self, bank: usize, least: u32) -> u64 {
        self.cells.at_least(bank, least)
    }

    /// Probability that a fresh key meets k cells of at least `least` each: the chance that k independent probes, each
    /// uniform over its bank or the one array (distinct ones: all k-subsets equally likely), all hit such cells. Exact under
    /// that ideal; double hashing ties the probes of one key to each other. With `least` = 1 it is the false-positive rate
    /// of the filter as it stands, with `least` = threshold the rate at which queries for fresh keys are reported.
    pub fn probability_at_least(&self, least: u32) -> f64 {
        let hashes = self.hasher.hashes();
        let range = self.cells.range() as f64;
        match self.layout {
            Layout::Partitioned => (0..hashes)
                .map(|bank| self.cells.at_least(bank, least) as f64 / range)
                .product(),
            Layout::Shared => {
                let cells = self.cells.at_least(0, least) as f64;
                let taken = |probe: usize| if self.distinct { probe as f64 } else { 0.0 };
                (0..hashes)
                    .map(|probe| (cells - taken(probe)).max(0.0) / (range - taken(probe)))
                    .product()
            }
        }
    }

    /// The hasher, for callers who compute positions ahead of time.
    pub fn hasher(&self) -> &ProbeHasher {
        &self.hasher
    }
}
