//! Derived sizes of a geometry, as the kernels use them.

use bloomline_language::made;
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

made! {
    /// Sizes, widths and stages of one pipeline, as `usize` for vectors and loops.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)] // the names are those of `RecyclingGeometry` and `Timing`
    pub struct Shape {
        pub phases: usize = geometry.phases() as usize,
        pub hashes: usize = geometry.hashes() as usize,
        pub index_bits: usize = geometry.index_bits() as usize,
        pub word_address_bits: usize = geometry.word_address_bits() as usize,
        pub words: usize = geometry.words_per_bank() as usize,
        pub banks: usize = geometry.banks() as usize,
        pub array_bank_bits: usize = geometry.array_bank_bits() as usize,
        pub array_address_bits: usize = geometry.array_address_bits() as usize,
        pub key_bits: usize = geometry.key_bits() as usize,
        pub tag_bits: usize = geometry.tag_bits() as usize,
        pub count_bits: usize = geometry.count_bits() as usize,
        /// Parity bits of a memory word: 0 or 1.
        pub parity: usize = geometry.parity().bits() as usize,
        /// A word whose parity is wrong reads as empty: 0 or 1.
        pub parity_empties: usize = usize::from(geometry.parity() == Parity::Empty),
        /// Memory words bear an error-correcting code: 0 or 1.
        pub ecc: usize = usize::from(geometry.ecc()),
        /// Clocks that memory is read ahead because of it; in the shared layout they are in `front`.
        pub read_ahead: usize = geometry.read_ahead_clocks() as usize,
        pub retain: bool = geometry.retain(),
        pub on_messages: bool = geometry.recycle_on() == RecycleOn::Messages,
        /// Each half is hashed under a secret of its own: 0 or 1.
        pub secret_per_half: usize = usize::from(geometry.has_secret_per_half()),
        pub threshold: u128 = geometry.threshold().into(),
        pub max_age_ticks: u128 = geometry.max_age_ticks().into(),
        /// Positions of an item differ from each other: always in banks, by distinct draws in one array.
        pub distinct: bool = geometry.distinct() || geometry.layout() == Layout::Partitioned,
        /// Clocks from an item to the next: 1, more in the shared layout.
        pub interval: usize = timing.initiation_interval as usize,
        /// Clock edges from acceptance until a slot stands in stage 0.
        pub front: usize = timing.front_clocks as usize,
        /// Ranks that count new bits.
        pub near: usize = timing.count_clocks as usize,
        /// Decision stage.
        pub decision: usize = timing.decision_stage as usize,
        /// Write stage.
        pub write: usize = timing.write_stage as usize,
        /// Stage of a word that a host reads.
        pub fetch: usize = timing.fetch_stage as usize,
        /// What `retire` may have counted down to when it is issued.
        pub still: usize = timing.still_clocks as usize,
        /// Clocks after which an accepted item has left every trace.
        pub retire: usize = timing.retire_clocks as usize,
        pub queue_depth: usize = timing.verdict_queue_depth as usize,
        pub large_cycle_items: u128 = timing.large_cycle_items.into(),
        /// Control logic checks itself: 0 or 1.
        pub self_check: usize = usize::from(geometry.self_check()),
        /// A half more than phases, erased while items go on: 0 or 1.
        pub spare_half: usize = usize::from(geometry.erase() == Erase::SpareHalf),
        /// With a spare half: stage in which a row address stands at memory.
        pub row_stage: usize = timing.row_stage as usize,
        /// With a spare half: stage in which the bit of each half is there.
        pub bit_stage: usize = timing.bit_stage as usize,
        /// The key is hashed as it comes, without a register of its own.
        pub hashes_port: bool = !geometry.front_ranks().key,
        /// Verdicts go to the queue in the clock in which they are made, and past it if none waits.
        pub answers_at_once: bool = geometry.has_verdict_queue() && timing.verdict_clocks == 1,
        /// Bits of a row of it.
        pub row_bits: usize = geometry.row_bits() as usize,
        /// A host reads and sets words of the array.
        pub array_access: bool = geometry.has_array_logic(),
        /// A host reads what the halves hold.
        pub count_registers: bool = geometry.has_count_registers(),
        /// The age of the active half is counted and can be limited.
        pub max_age: bool = geometry.has_max_age(),
        /// Base-2 logarithm of the room below which no item comes while it is erased.
        pub erase_guard_bits: usize = geometry.erase_guard().ilog2() as usize,
        /// Event counters are built.
        pub counted: bool = geometry.counter_width().is_built(),
        /// There is a verdict queue.
        pub queued: bool = geometry.has_verdict_queue(),
        /// A host reaches the registers.
        pub reached: bool = geometry.has_registers(),
        /// The hash has a secret: 0 or 1.
        pub keyed: usize = usize::from(geometry.hash().secret.is_some()),
    }

    /// The numbers of a geometry.
    pub fn of(geometry: &RecyclingGeometry) {
        let timing = geometry.timing();
    }
}

impl Shape {
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

made! {
    /// Sizes, widths and stages of one pipeline of a filter of cells, as `usize` for vectors and loops.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)] // the names are those of `CellGeometry` and `CellTiming`
    pub struct CellShape {
        pub hashes: usize = geometry.hashes() as usize,
        /// Those of all panes.
        pub banks: usize = geometry.banks() as usize,
        /// Sets of banks: 2 with a window, else 1.
        pub panes: usize = geometry.panes() as usize,
        /// Insertions of a window; 0 without one.
        pub window: u128 = geometry.window().unwrap_or(0).into(),
        /// Slots that a turn of the panes takes.
        pub turn: usize = timing.turn_clocks() as usize,
        /// One array, which an item's probes go through one after the other: 0 or 1.
        pub shared: usize = usize::from(geometry.layout() == Layout::Shared),
        /// Clocks from an item's first probe to its last.
        pub fold: usize = timing.fold_clocks as usize,
        /// Conservative update, where an insertion raises its cells to a level: 0 or 1.
        pub conserves: usize = usize::from(geometry.conservative()),
        /// Clocks from a probe that looks to the one that raises; 0 without conservative update.
        pub raise: usize = timing.raise_clocks as usize,
        pub index_bits: usize = geometry.index_bits() as usize,
        pub word_address_bits: usize = geometry.word_address_bits() as usize,
        pub words: usize = geometry.words_per_bank() as usize,
        pub cell_bits: usize = cell_bits,
        pub lanes: usize = lanes,
        pub lane_bits: usize = geometry.lane_bits() as usize,
        /// Bits of a word that hold cells.
        pub used_bits: usize = lanes * cell_bits,
        /// Parity bits of a memory word: 0 or 1.
        pub parity: usize = geometry.parity().bits() as usize,
        /// A word whose parity is wrong reads as empty: 0 or 1.
        pub parity_empties: usize = usize::from(geometry.parity() == Parity::Empty),
        /// Memory words bear an error-correcting code: 0 or 1.
        pub ecc: usize = usize::from(geometry.ecc()),
        /// Clocks that memory is read ahead because of it.
        pub read_ahead: usize = geometry.read_ahead_clocks() as usize,
        /// Cells are counters, as the kind is not `static`: 0 or 1.
        pub counts: usize = usize::from(geometry.kind() != FilterKind::Static),
        /// Items can be removed: 0 or 1.
        pub removes: usize = usize::from(geometry.removes()),
        pub amount_bits: usize = geometry.amount_bits() as usize,
        pub tag_bits: usize = geometry.tag_bits() as usize,
        pub verdict_bits: usize = geometry.verdict_bits() as usize,
        /// Clock edges from acceptance until a slot stands in stage 0.
        pub front: usize = timing.front_clocks as usize,
        /// Ranks that find the least of k cells.
        pub ranks: usize = timing.least_clocks as usize,
        /// Ranks that add those of two panes.
        pub sum: usize = timing.sum_clocks as usize,
        /// Decision stage.
        pub decision: usize = timing.decision_stage as usize,
        /// Clocks after which an accepted item has left every trace.
        pub retire: usize = timing.retire_clocks as usize,
        /// Stage in which what a host reads leaves for its register.
        pub fetch: usize = timing.fetch_stage as usize,
        /// Clocks of an access to the array.
        pub access: usize = timing.access_clocks as usize,
        /// Cells that a clear erases in one clock, of single cells.
        pub row_bits: usize = geometry.row_bits() as usize,
        /// Rows of a bank that a clear erases; 0 where it makes epochs old.
        pub erase_rows: usize = geometry.erase_clocks() as usize,
        /// A host reads and stores words of the array.
        pub array_access: bool = geometry.has_array_logic(),
        pub queue_depth: usize = timing.verdict_queue_depth as usize,
        /// Event counters are built.
        pub counted: bool = geometry.counter_width().is_built(),
        /// There is a verdict queue.
        pub queued: bool = geometry.has_verdict_queue(),
        /// A host reaches the registers.
        pub reached: bool = geometry.has_registers(),
        /// The hash has a secret: 0 or 1.
        pub keyed: usize = usize::from(geometry.hash().secret.is_some()),
    }

    /// The numbers of a geometry.
    pub fn of(geometry: &CellGeometry) {
        let timing = geometry.timing();
        let cell_bits = geometry.cell_bits() as usize;
        let lanes = geometry.lanes() as usize;
    }
}

impl CellShape {
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
