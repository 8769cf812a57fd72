//! Derived sizes of a geometry, as the kernels use them.

use bloomline_spec::registers::field;
use bloomline_spec::{
    CellGeometry, Erase, FilterKind, Layout, Parity, RecycleOn, RecyclingGeometry,
};

/// Data bits of a memory word.
pub const WORD_BITS: usize = 32;
/// Bits that select a bit in a word.
pub const OFFSET_BITS: usize = 5;
/// Epoch bits of a memory word.
pub const EPOCH_BITS: usize = 4;
/// Recycles of a half that need no coverage: the 15 epoch values but the current one.
pub const SPARE_EPOCHS: u128 = 14;
/// Bits of the register STATUS of a filter of cells.
pub const STATUS_BITS: usize = field::STATUS_COVERED as usize + 1;
/// Bits of STATUS of a filter of cells with a keyed hash.
pub const KEYED_STATUS_BITS: usize = field::STATUS_PUBLIC_SECRET as usize + 1;
/// Bits of the count of recycles of every cause.
pub const TURNS_BITS: usize = field::STATUS_TURNS_BITS as usize;
/// Bits of the register STATUS of a recycling filter.
pub const TURNING_STATUS_BITS: usize = field::STATUS_TURNS as usize + TURNS_BITS;

/// Sizes, widths and stages of one pipeline, as `usize` for vectors and loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of `RecyclingGeometry` and `Timing`
pub struct Shape {
    pub phases: usize,
    pub hashes: usize,
    pub index_bits: usize,
    pub word_address_bits: usize,
    pub words: usize,
    pub banks: usize,
    pub array_bank_bits: usize,
    pub array_address_bits: usize,
    pub key_bits: usize,
    pub tag_bits: usize,
    pub count_bits: usize,
    /// Parity bits of a memory word: 0 or 1.
    pub parity: usize,
    /// A word whose parity is wrong reads as empty: 0 or 1.
    pub parity_empties: usize,
    /// Memory words bear an error-correcting code: 0 or 1.
    pub ecc: usize,
    /// Clocks that memory is read ahead because of it; in the shared layout they are in `front`.
    pub read_ahead: usize,
    pub retain: bool,
    pub on_messages: bool,
    /// Each half is hashed under a secret of its own: 0 or 1.
    pub secret_per_half: usize,
    pub threshold: u128,
    pub max_age_ticks: u128,
    /// Positions of an item differ from each other: always in banks, by distinct draws in one array.
    pub distinct: bool,
    /// Clocks from an item to the next: 1, more in the shared layout.
    pub interval: usize,
    /// Clock edges from acceptance until a slot stands in stage 0.
    pub front: usize,
    /// Ranks that count new bits.
    pub near: usize,
    /// Decision stage.
    pub decision: usize,
    /// Write stage.
    pub write: usize,
    /// Stage of a word that a host reads.
    pub fetch: usize,
    /// What `retire` may have counted down to when it is issued.
    pub still: usize,
    /// Clocks after which an accepted item has left every trace.
    pub retire: usize,
    pub queue_depth: usize,
    pub large_cycle_items: u128,
    /// Control logic checks itself: 0 or 1.
    pub self_check: usize,
    /// A half more than phases, erased while items go on: 0 or 1.
    pub spare_half: usize,
    /// With a spare half: stage in which a row address stands at memory.
    pub row_stage: usize,
    /// With a spare half: stage in which the bit of each half is there.
    pub bit_stage: usize,
    /// The key is hashed as it comes, without a register of its own.
    pub hashes_port: bool,
    /// Verdicts go to the queue in the clock in which they are made, and past it if none waits.
    pub answers_at_once: bool,
    /// Bits of a row of it.
    pub row_bits: usize,
    /// A host reads and sets words of the array.
    pub array_access: bool,
    /// A host reads what the halves hold.
    pub count_registers: bool,
    /// The age of the active half is counted and can be limited.
    pub max_age: bool,
    /// Base-2 logarithm of the room below which no item comes while it is erased.
    pub erase_guard_bits: usize,
    /// Event counters are built.
    pub counted: bool,
    /// There is a verdict queue.
    pub queued: bool,
    /// A host reaches the registers.
    pub reached: bool,
    /// The hash has a secret: 0 or 1.
    pub keyed: usize,
}

impl Shape {
    /// The numbers of a geometry.
    pub fn of(geometry: &RecyclingGeometry) -> Self {
        let timing = geometry.timing();
        Self {
            phases: geometry.phases() as usize,
            hashes: geometry.hashes() as usize,
            index_bits: geometry.index_bits() as usize,
            word_address_bits: geometry.word_address_bits() as usize,
            words: geometry.words_per_bank() as usize,
            banks: geometry.banks() as usize,
            array_bank_bits: geometry.array_bank_bits() as usize,
            array_address_bits: geometry.array_address_bits() as usize,
            key_bits: geometry.key_bits() as usize,
            tag_bits: geometry.tag_bits() as usize,
            count_bits: geometry.count_bits() as usize,
            parity: geometry.parity().bits() as usize,
            parity_empties: usize::from(geometry.parity() == Parity::Empty),
            ecc: usize::from(geometry.ecc()),
            read_ahead: geometry.read_ahead_clocks() as usize,
            retain: geometry.retain(),
            on_messages: geometry.recycle_on() == RecycleOn::Messages,
            secret_per_half: usize::from(geometry.has_secret_per_half()),
            threshold: geometry.threshold().into(),
            max_age_ticks: geometry.max_age_ticks().into(),
            distinct: geometry.distinct() || geometry.layout() == Layout::Partitioned,
            interval: timing.initiation_interval as usize,
            front: timing.front_clocks as usize,
            near: timing.count_clocks as usize,
            decision: timing.decision_stage as usize,
            write: timing.write_stage as usize,
            fetch: timing.fetch_stage as usize,
            still: timing.still_clocks as usize,
            retire: timing.retire_clocks as usize,
            queue_depth: timing.verdict_queue_depth as usize,
            large_cycle_items: timing.large_cycle_items.into(),
            self_check: usize::from(geometry.self_check()),
            spare_half: usize::from(geometry.erase() == Erase::SpareHalf),
            row_stage: timing.row_stage as usize,
            bit_stage: timing.bit_stage as usize,
            hashes_port: !geometry.front_ranks().key,
            answers_at_once: geometry.has_verdict_queue() && timing.verdict_clocks == 1,
            row_bits: geometry.row_bits() as usize,
            array_access: geometry.has_array_logic(),
            count_registers: geometry.has_count_registers(),
            max_age: geometry.has_max_age(),
            erase_guard_bits: geometry.erase_guard().ilog2() as usize,
            counted: geometry.counter_width().is_built(),
            queued: geometry.has_verdict_queue(),
            reached: geometry.has_registers(),
            keyed: usize::from(geometry.hash().secret.is_some()),
        }
    }

    /// Halves beside the active one.
    pub fn frozen_halves(&self) -> usize {
        self.phases - 1
    }

    /// Whether a retained item may set the same bit twice: 0 or 1.
    pub fn collides(&self) -> usize {
        usize::from(!self.distinct && self.retain)
    }

    /// What a retained item adds to an empty half, in units of the threshold: k bits or one message.
    pub fn unit(&self) -> u128 {
        if self.on_messages {
            1
        } else {
            self.hashes as u128
        }
    }

    /// What the active half holds right after a recycle by an item.
    pub fn base(&self) -> u128 {
        if self.retain {
            self.unit()
        } else {
            0
        }
    }
}

/// Sizes, widths and stages of one pipeline of a filter of cells, as `usize` for vectors and loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of `CellGeometry` and `CellTiming`
pub struct CellShape {
    pub hashes: usize,
    /// Those of all panes.
    pub banks: usize,
    /// Sets of banks: 2 with a window, else 1.
    pub panes: usize,
    /// Insertions of a window; 0 without one.
    pub window: u128,
    /// Slots that a turn of the panes takes.
    pub turn: usize,
    /// One array, which an item's probes go through one after the other: 0 or 1.
    pub shared: usize,
    /// Clocks from an item's first probe to its last.
    pub fold: usize,
    /// Conservative update, where an insertion raises its cells to a level: 0 or 1.
    pub conserves: usize,
    /// Clocks from a probe that looks to the one that raises; 0 without conservative update.
    pub raise: usize,
    pub index_bits: usize,
    pub word_address_bits: usize,
    pub words: usize,
    pub cell_bits: usize,
    pub lanes: usize,
    pub lane_bits: usize,
    /// Bits of a word that hold cells.
    pub used_bits: usize,
    /// Parity bits of a memory word: 0 or 1.
    pub parity: usize,
    /// A word whose parity is wrong reads as empty: 0 or 1.
    pub parity_empties: usize,
    /// Memory words bear an error-correcting code: 0 or 1.
    pub ecc: usize,
    /// Clocks that memory is read ahead because of it.
    pub read_ahead: usize,
    /// Cells are counters, as the kind is not `static`: 0 or 1.
    pub counts: usize,
    /// Items can be removed: 0 or 1.
    pub removes: usize,
    pub amount_bits: usize,
    pub tag_bits: usize,
    pub verdict_bits: usize,
    /// Clock edges from acceptance until a slot stands in stage 0.
    pub front: usize,
    /// Ranks that find the least of k cells.
    pub ranks: usize,
    /// Ranks that add those of two panes.
    pub sum: usize,
    /// Decision stage.
    pub decision: usize,
    /// Clocks after which an accepted item has left every trace.
    pub retire: usize,
    /// Clocks of an access to the array.
    pub access: usize,
    /// Bits of a row that a clear erases in one clock, of single bits.
    pub row_bits: usize,
    /// Rows of a bank that a clear erases; 0 where it makes epochs old.
    pub erase_rows: usize,
    /// A host reads and stores words of the array.
    pub array_access: bool,
    pub queue_depth: usize,
    /// Event counters are built.
    pub counted: bool,
    /// There is a verdict queue.
    pub queued: bool,
    /// A host reaches the registers.
    pub reached: bool,
    /// The hash has a secret: 0 or 1.
    pub keyed: usize,
}

impl CellShape {
    /// The numbers of a geometry.
    pub fn of(geometry: &CellGeometry) -> Self {
        let timing = geometry.timing();
        let cell_bits = geometry.cell_bits() as usize;
        let lanes = geometry.lanes() as usize;
        Self {
            hashes: geometry.hashes() as usize,
            banks: geometry.banks() as usize,
            panes: geometry.panes() as usize,
            window: geometry.window().unwrap_or(0).into(),
            turn: timing.turn_clocks() as usize,
            shared: usize::from(geometry.layout() == Layout::Shared),
            fold: timing.fold_clocks as usize,
            conserves: usize::from(geometry.conservative()),
            raise: timing.raise_clocks as usize,
            index_bits: geometry.index_bits() as usize,
            word_address_bits: geometry.word_address_bits() as usize,
            words: geometry.words_per_bank() as usize,
            cell_bits,
            lanes,
            lane_bits: geometry.lane_bits() as usize,
            used_bits: lanes * cell_bits,
            parity: geometry.parity().bits() as usize,
            parity_empties: usize::from(geometry.parity() == Parity::Empty),
            ecc: usize::from(geometry.ecc()),
            read_ahead: geometry.read_ahead_clocks() as usize,
            counts: usize::from(geometry.kind() != FilterKind::Static),
            removes: usize::from(geometry.removes()),
            amount_bits: geometry.amount_bits() as usize,
            tag_bits: geometry.tag_bits() as usize,
            verdict_bits: geometry.verdict_bits() as usize,
            front: timing.front_clocks as usize,
            ranks: timing.least_clocks as usize,
            sum: timing.sum_clocks as usize,
            decision: timing.decision_stage as usize,
            retire: timing.retire_clocks as usize,
            access: timing.access_clocks as usize,
            row_bits: geometry.row_bits() as usize,
            erase_rows: geometry.erase_clocks() as usize,
            array_access: geometry.has_array_logic(),
            queue_depth: timing.verdict_queue_depth as usize,
            counted: geometry.counter_width().is_built(),
            queued: geometry.has_verdict_queue(),
            reached: geometry.has_registers(),
            keyed: usize::from(geometry.hash().secret.is_some()),
        }
    }

    /// Panes beside the first; where there is one, the two change places after every window.
    pub fn windows(&self) -> usize {
        self.panes - 1
    }

    /// Whether an item takes several clocks: 0 or 1.
    pub fn folds(&self) -> usize {
        usize::from(self.fold > 0)
    }

    /// Whether an item brings an amount: 0 or 1.
    pub fn amounts(&self) -> usize {
        usize::from(self.amount_bits > 0)
    }

    /// Whether a cell is handed a number by what is done to it: an amount to add, or a level to be raised to.
    pub fn has_operand(&self) -> bool {
        self.amount_bits > 0 || self.conserves > 0
    }
}

/// All ones in the low `width` bits (at most 127).
pub fn ones(width: usize) -> u128 {
    (1 << width) - 1
}

/// Bits that hold the numbers 0 to `most`.
pub fn width_of(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()).max(1) as usize
}
