use super::words::CellWords;
use crate::hash::ProbeHasher;
use bloomline_spec::{CellGeometry, CellOperation, CellVerdict, Key, Layout};

/// A filter of cells, one item at a time: what every item does, with no notion of time.
///
/// State: k banks of saturating counters, or one array of them that all k probes of an item share, and the threshold. Static filter, counting filter and Count-Min sketch differ in
/// the width of a cell, in what an item adds, and in whether it may take away. A counting filter over a window has two such sets of banks, its panes, which change places after
/// every so many insertions.
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
    /// The panes; one without a window.
    panes: Vec<CellWords>,
    /// Which of them insertions go to.
    active: usize,
    /// Insertions behind which the panes change places.
    window: Option<u64>,
    /// Insertions since they last did.
    in_window: u64,
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
            panes: vec![CellWords::new(geometry); geometry.panes() as usize],
            active: 0,
            window: geometry.window(),
            in_window: 0,
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

    /// Does what the semantics say of one item, whose probe positions are known.
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
        if operation.inserts() {
            self.count_insertion();
        }
        CellOutcome::new(operation, verdict)
    }

    /// The last insertion of a window turns the panes.
    fn count_insertion(&mut self) {
        self.in_window += 1;
        if self.window == Some(self.in_window) {
            self.turn();
        }
    }

    /// The frozen pane is emptied and becomes active, the active one becomes frozen. Does nothing without a window.
    pub(super) fn turn(&mut self) {
        if self.window.is_some() {
            self.active = 1 - self.active;
            self.panes[self.active].clear();
            self.in_window = 0;
        }
    }

    /// Insertions since the panes changed places (or since the last clear).
    pub fn in_window(&self) -> u64 {
        self.in_window
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
        if self.window.is_some() {
            return self.probe_panes(positions, operation, amount, verdict);
        }
        let cells = &mut self.panes[0];
        for (probe, &position) in (first..).zip(positions) {
            let bank = match self.layout {
                Layout::Partitioned => probe,
                Layout::Shared => 0,
            };
            let before = cells.cell(bank, position);
            let after = match operation {
                CellOperation::Query => before,
                CellOperation::Insert | CellOperation::TestAndInsert => {
                    before.saturating_add(amount).min(self.max)
                }
                CellOperation::Remove if before == self.max => before,
                CellOperation::Remove => before.saturating_sub(1),
            };
            if after != before {
                cells.set_cell(bank, position, after);
            }
            verdict.seen &= before > 0;
            verdict.underflow |= operation == CellOperation::Remove && before == 0;
            verdict.saturated |= after == self.max;
            verdict.estimate = verdict.estimate.min(after);
        }
    }

    /// All probes of an item, in both panes: it adds in the active one, and its estimate is the sum of their least cells.
    fn probe_panes(
        &mut self,
        positions: &[u32],
        operation: CellOperation,
        amount: u32,
        verdict: &mut CellVerdict,
    ) {
        let mut sum = 0;
        verdict.seen = false;
        for (pane, cells) in self.panes.iter_mut().enumerate() {
            let adds = pane == self.active && operation.inserts();
            let (mut seen, mut least) = (true, self.max);
            for (bank, &position) in positions.iter().enumerate() {
                let before = cells.cell(bank, position);
                let mut after = before;
                if adds {
                    after = before.saturating_add(amount).min(self.max);
                    cells.set_cell(bank, position, after);
                }
                seen &= before > 0;
                least = least.min(after);
                verdict.saturated |= after == self.max;
            }
            verdict.seen |= seen;
            sum += u64::from(least);
        }
        verdict.saturated |= sum > u64::from(self.max);
        verdict.estimate = sum.min(self.max.into()) as u32;
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
            if self.panes[0].cell(0, position) < level {
                self.panes[0].set_cell(0, position, level);
            }
        }
    }

    /// What an item adds that carries `amount`: its low amount bits in a Count-Min sketch, 1 in every other kind.
    pub fn amount_of(&self, amount: u32) -> u32 {
        self.amount_mask.map_or(1, |mask| amount & mask)
    }

    /// Every cell becomes 0; the threshold stays, and a window begins.
    pub fn clear(&mut self) {
        self.panes.iter_mut().for_each(CellWords::clear);
        self.in_window = 0;
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

    /// The cell of a position in a bank, with a window of the active pane; a position past the bank's end counts modulo its
    /// cells.
    ///
    /// # Panics
    /// When there is no such bank.
    pub fn cell(&self, bank: usize, position: u32) -> u32 {
        self.panes[self.active].cell(bank, position)
    }

    /// Likewise of the frozen pane; 0 without a window.
    ///
    /// # Panics
    /// When there is no such bank.
    pub fn frozen_cell(&self, bank: usize, position: u32) -> u32 {
        let frozen = self.window.map(|_| &self.panes[1 - self.active]);
        frozen.map_or(0, |cells| cells.cell(bank, position))
    }

    /// A word of the array: cells side by side, the least position in the lowest bits, the rest 0. `address` is the bank
    /// times the words of a bank, plus the word's address in it; with a window the active pane's banks come first, then the
    /// frozen pane's. 0 where there is no such bank.
    pub fn word(&self, address: u64) -> u32 {
        let (pane, address) = self.place(address);
        self.panes.get(pane).map_or(0, |cells| cells.word(address))
    }

    /// Replaces the cells of a word, addressed as in [`CellFilter::word`]; bits of `data` above the cells are ignored, and
    /// nothing happens where there is no such bank.
    pub fn set_word(&mut self, address: u64, data: u32) {
        let (pane, address) = self.place(address);
        if let Some(cells) = self.panes.get_mut(pane) {
            cells.set_word(address, data);
        }
    }

    /// The pane of a word, and its address there.
    fn place(&self, address: u64) -> (usize, u64) {
        let words = self.panes[0].words();
        let pane = match address / words {
            0 => self.active,
            1 => 1 - self.active,
            _ => self.panes.len(),
        };
        (pane, address % words)
    }

    /// A word by its place in memory: one pane's banks after the other's, whichever is active.
    pub(super) fn at_place(&self, place: u64) -> u32 {
        let words = self.panes[0].words();
        self.panes[(place / words) as usize].word(place % words)
    }

    /// Replaces the cells of a word by its place in memory.
    pub(super) fn set_place(&mut self, place: u64, data: u32) {
        let words = self.panes[0].words();
        self.panes[(place / words) as usize].set_word(place % words, data);
    }

    /// Which pane is active, 0 or 1.
    pub(super) fn active(&self) -> usize {
        self.active
    }

    /// How many cells of a bank are at least `least`, of those that probes go to, by looking at all of them; with a window
    /// of the active pane.
    ///
    /// # Panics
    /// When there is no such bank.
    pub fn cells_at_least(&self, bank: usize, least: u32) -> u64 {
        self.panes[self.active].at_least(bank, least)
    }

    /// Probability that a fresh key meets k cells of at least `least` each: the chance that k independent probes, each
    /// uniform over its bank or the one array (distinct ones: all k-subsets equally likely), all hit such cells. Exact under
    /// that ideal; double hashing ties the probes of one key to each other. With `least` = 1 it is the false-positive rate
    /// of the filter as it stands, with `least` = threshold the rate at which queries for fresh keys are reported. With a
    /// window: that the least cells of both panes come to `least` together.
    pub fn probability_at_least(&self, least: u32) -> f64 {
        let hashes = self.hasher.hashes();
        let cells = &self.panes[0];
        let range = cells.range() as f64;
        match self.layout {
            Layout::Partitioned if self.window.is_some() => self.sum_at_least(least),
            Layout::Partitioned => (0..hashes)
                .map(|bank| cells.at_least(bank, least) as f64 / range)
                .product(),
            Layout::Shared => {
                let cells = cells.at_least(0, least) as f64;
                let taken = |probe: usize| if self.distinct { probe as f64 } else { 0.0 };
                (0..hashes)
                    .map(|probe| (cells - taken(probe)).max(0.0) / (range - taken(probe)))
                    .product()
            }
        }
    }

    /// `P(min A + min B >= L)` for a fresh key: the sum over a below L of `P(min A = a, min B >= L - a)`, and `P(min A >= L)`.
    /// The k positions are independent, and each is the same in both panes.
    fn sum_at_least(&self, least: u32) -> f64 {
        let (active, frozen) = (&self.panes[self.active], &self.panes[1 - self.active]);
        let levels = least as usize;
        let mut reach = vec![1.0; levels];
        let mut pass = vec![1.0; levels];
        let mut all = 1.0;
        let range = active.range() as f64;
        for bank in 0..self.hasher.hashes() {
            // cells with A >= a and B >= L - a, and with A > a and B >= L - a: for one cell both are an interval of a
            let (mut reaching, mut passing) = (vec![0_i64; levels + 1], vec![0_i64; levels + 1]);
            let mut alone = 0_u64;
            for position in 0..active.range() as u32 {
                let a = (active.cell(bank, position) as usize).min(levels);
                let b = (frozen.cell(bank, position) as usize).min(levels);
                alone += u64::from(a == levels);
                let first = levels - b;
                if first <= a && first < levels {
                    reaching[first] += 1;
                    reaching[(a + 1).min(levels)] -= 1;
                }
                if first < a {
                    passing[first] += 1;
                    passing[a] -= 1;
                }
            }
            let (mut reaches, mut passes) = (0, 0);
            for level in 0..levels {
                reaches += reaching[level];
                passes += passing[level];
                reach[level] *= reaches as f64 / range;
                pass[level] *= passes as f64 / range;
            }
            all *= alone as f64 / range;
        }
        let exactly = reach.iter().zip(&pass).map(|(reach, pass)| reach - pass);
        all + exactly.sum::<f64>()
    }

    /// The hasher, for callers who compute positions ahead of time.
    pub fn hasher(&self) -> &ProbeHasher {
        &self.hasher
    }
}
