use crate::hash::HashConstants;
use crate::item::CellOperation;
use crate::latency::FrontRanks;
use crate::probing::Probing;
use crate::values::{Latency, Layout};
use crate::word::WORD_BITS;

/// Least number of verdicts that the queue behind the pipeline holds.
///
/// It is deeper than the pipeline's items in flight, so the pipeline itself never stalls: `ready` falls while every
/// place in the queue could be claimed by an item already accepted. Longer pipelines have the next power of two that is more
/// than their retire clocks and three.
pub const VERDICT_QUEUE_DEPTH: u32 = 64;

/// Least of the shortest cycles, in items, that run at one item a clock: as deep as the verdict queue.
///
/// With `room_after_recycle` = threshold minus what a retained item adds (k bits, or 1 message; on messages
/// `threshold - 1` takes the place of sigma, since the N-th message trips): a threshold whose room is at least 64 items'
/// worth (64 k bits, or 64 messages) runs at full rate; below that, one item at a time.
pub const LARGE_CYCLE_ITEMS: u32 = 64;

/// Clocks from the decision to the verdict at the port: a register, the queue, the port's register.
pub const VERDICT_CLOCKS: u32 = 3;

/// The same of a pipeline with a verdict queue of so many places: without one it is the register only.
pub(crate) fn verdict_clocks(queue_depth: u32) -> u32 {
    match queue_depth {
        0 => 1,
        _ => VERDICT_CLOCKS,
    }
}

/// Least depth of the verdict queue of a filter of single cells, whose pipeline is shorter.
const SINGLE_CELL_QUEUE_DEPTH: u32 = 32;

/// When things happen in the pipeline, in clocks, as a function of the geometry.
///
/// Model and gateware read these numbers; each writes the pipeline on its own.
///
/// ```text
///  accept    hash      spread     index | stage 0 ......... D ...... D+3
/// key reg -> h ranks -> i h2 sums -> g_i |  memory, verdict  decide   write
/// |<------------- front_clocks -------->|
/// ```
///
/// Stages are counted from the index register, which is stage 0. In the shared layout an item's k probes go through one array one
/// after the other, first to be read and then to be written, so an item takes 2 k + 6 clocks of it (`hdl/docs/shared-array.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Register ranks after the key register until the hash outputs are registered: 3 for `h3-sbox` (layer 1, S-boxes,
    /// layer 2), 2 for `h3` (partial sums, sums), `4 (c n + d) + 1` for SipHash-c-d of n words.
    pub hash_clocks: u32,
    /// Ranks from hash values to positions: [`Probing::spread_clocks`](crate::Probing::spread_clocks).
    pub spread_clocks: u32,
    /// Ranks that hold the finished indices before the memory: the index register, stage 0. With a spare half none: the last
    /// rank of the spread is stage 0.
    pub index_clocks: u32,
    /// Ranks that count an item's new bits, P = 1 + ceil(log2(ceil(k / 4))): one to count groups of four, then a tree. In the
    /// shared layout k: one probe a clock.
    pub count_clocks: u32,
    /// Stage at which an item trips or not, D = 10 + P; in the shared layout k + 6, with a spare half 8 + P, with a low latency 5 + P.
    pub decision_stage: u32,
    /// Stage at which an item's words are written, D + 3; in the shared layout D + 1, for the first of them; with a spare half
    /// that in which its bits are set, D + 1.
    pub write_stage: u32,
    /// Clocks that the writing of an item's words takes: 1, in the shared layout k.
    pub write_clocks: u32,
    /// Clocks from an item to the next at full rate: 1, in the shared layout 2 k + 6.
    pub initiation_interval: u32,
    /// Stage at which a word that a host reads is there, 8; in the shared layout 4; with a spare half D, bit by bit.
    pub fetch_stage: u32,
    /// A word may be fetched when [`Timing::retire_clocks`] counted down from the item accepted last has come to this:
    /// its words are in memory when the fetch reads. `front_clocks` + 4; with a spare half 0, when it has retired.
    pub still_clocks: u32,
    /// With a spare half: stage in which an item's row address stands at memory, 3; 1 with a low latency. Elsewhere 0.
    pub row_stage: u32,
    /// With a spare half: stage in which its bits are there, 6; with a low latency 3, without a register of their own. Elsewhere 0.
    pub bit_stage: u32,
    /// Clocks from the decision to the verdict at the port, without back-pressure: [`VERDICT_CLOCKS`]; 1 with a low latency, and without a verdict queue.
    pub verdict_clocks: u32,
    /// Clock edges from acceptance until the item stands in stage 0: the key register, then hash, spread and index. In the shared layout two more with an
    /// error-correcting code, whose memory is read in stage i - 1.
    pub front_clocks: u32,
    /// Clocks after acceptance at which an item has left every trace (memory, counts, verdict queue): its last write,
    /// and four clocks to spare. A safe number, no exact latency.
    pub retire_clocks: u32,
    /// Verdicts the queue holds: [`VERDICT_QUEUE_DEPTH`], or more for long pipelines of the partitioned layout (in the shared
    /// layout few items are in flight); with a spare half 32 or more.
    pub verdict_queue_depth: u32,
    /// Shortest cycle, in items, at full rate: as the verdict queue's depth.
    pub large_cycle_items: u32,
}

impl Timing {
    /// Timing for a hash of so many ranks and positions found in so many.
    pub(crate) fn new(hash_clocks: u32, probing: &Probing) -> Timing {
        let hashes = probing.hashes;
        let spread_clocks = probing.spread_clocks();
        let index_clocks = 1;
        let front_clocks = 1 + hash_clocks + spread_clocks + index_clocks;
        let (count_clocks, decision_stage, write_stage, write_clocks, initiation_interval) =
            match probing.layout {
                Layout::Partitioned => {
                    let count = 1 + ceil_log2(hashes.div_ceil(4));
                    (count, 10 + count, 13 + count, 1, 1)
                }
                Layout::Shared => (hashes, hashes + 6, hashes + 7, hashes, 2 * hashes + 6),
            };
        let fetch_stage = match probing.layout {
            Layout::Partitioned => 8,
            Layout::Shared => 4,
        };
        let retire_clocks = front_clocks + write_stage + write_clocks + 3;
        let depth = match probing.layout {
            Layout::Partitioned => queue_depth(retire_clocks),
            Layout::Shared => VERDICT_QUEUE_DEPTH,
        };
        Timing {
            hash_clocks,
            spread_clocks,
            index_clocks,
            count_clocks,
            decision_stage,
            write_stage,
            write_clocks,
            initiation_interval,
            fetch_stage,
            still_clocks: front_clocks + 4,
            row_stage: 0,
            bit_stage: 0,
            verdict_clocks: VERDICT_CLOCKS,
            front_clocks,
            retire_clocks,
            verdict_queue_depth: depth,
            large_cycle_items: LARGE_CYCLE_ITEMS.max(depth),
        }
    }

    /// The same with memory that is read so many clocks ahead. In the partitioned layout there is room for it behind stage 0, in the shared layout there is none.
    pub(crate) fn reading_ahead(self, clocks: u32, layout: Layout) -> Timing {
        let clocks = match layout {
            Layout::Partitioned => 0,
            Layout::Shared => clocks,
        };
        Timing {
            front_clocks: self.front_clocks + clocks,
            still_clocks: self.still_clocks + clocks,
            retire_clocks: self.retire_clocks + clocks,
            ..self
        }
    }

    /// The same for a filter that keeps single bits and a spare half (`hdl/docs/spare-half.md`): a bit goes from memory to the
    /// decision in fewer clocks than a word.
    pub(crate) fn with_spare_half(
        hash: &HashConstants,
        probing: &Probing,
        latency: Latency,
    ) -> Timing {
        let ranks = FrontRanks::of(latency, hash.family, probing);
        let (row_stage, bit_stage, verdict_clocks) = match latency {
            Latency::Default => (3, 6, VERDICT_CLOCKS),
            Latency::Low | Latency::Lowest => (1, 3, 1),
        };
        let hash_clocks = ranks.hash_clocks(hash);
        let spread_clocks = ranks.spread_clocks(probing);
        let words = Timing::new(hash_clocks, probing);
        let decision_stage = bit_stage + 2 + words.count_clocks;
        let write_stage = decision_stage + 1;
        let front_clocks = ranks.key_clocks() + hash_clocks + spread_clocks;
        let retire_clocks = front_clocks + write_stage + 4;
        let depth = queue_depth_of_at_least(SINGLE_CELL_QUEUE_DEPTH, retire_clocks);
        Timing {
            spread_clocks,
            index_clocks: 0,
            row_stage,
            bit_stage,
            verdict_clocks,
            front_clocks,
            decision_stage,
            write_stage,
            fetch_stage: decision_stage,
            still_clocks: 0,
            retire_clocks,
            verdict_queue_depth: depth,
            large_cycle_items: depth,
            ..words
        }
    }

    /// The same with so many places in the verdict queue, where the specification chose them.
    pub(crate) fn with_verdict_queue(self, depth: Option<u32>) -> Timing {
        let depth = depth.unwrap_or(self.verdict_queue_depth);
        Timing {
            verdict_queue_depth: depth,
            verdict_clocks: self.verdict_clocks.min(verdict_clocks(depth)),
            ..self
        }
    }

    /// What its verdict queue needs.
    pub(crate) fn queue_need(&self) -> QueueNeed {
        QueueNeed {
            claimed_clocks: self.front_clocks + self.decision_stage + self.verdict_clocks
                - OUTPUT_CLOCKS,
            interval_clocks: self.initiation_interval,
            every_clock: self.initiation_interval == 1,
            usual_depth: self.verdict_queue_depth,
        }
    }
}

/// When things happen in the pipeline of a filter of cells, in clocks.
///
/// ```text
///  accept    hash      spread     index | stage 0 .. 2 .. 5 ...... D
/// key reg -> h ranks -> i h2 sums -> g_i |  read, add, write   verdict
/// |<------------- front_clocks -------->|
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellTiming {
    /// As [`Timing::hash_clocks`].
    pub hash_clocks: u32,
    /// As [`Timing::spread_clocks`].
    pub spread_clocks: u32,
    /// As [`Timing::index_clocks`].
    pub index_clocks: u32,
    /// Clock edges from acceptance until the item stands in stage 0; two more with an error-correcting code, whose memory is read in stage -1.
    pub front_clocks: u32,
    /// Stage at which a clear takes effect: slots behind it meet empty cells. 2.
    pub clear_stage: u32,
    /// Stage at which an item's words are written: 5.
    pub write_stage: u32,
    /// Clocks from an item's first probe to its last: 0 in the partitioned layout, k - 1 in the shared one.
    pub fold_clocks: u32,
    /// Clocks from a probe that looks at a cell to the one that raises it: k + 4 under conservative update, where an insertion
    /// goes through the array twice; else 0.
    pub raise_clocks: u32,
    /// Ranks that add the least cells of two panes: 1 with a window, else 0.
    pub sum_clocks: u32,
    /// Ranks that find the least of k cells: ceil(log2 k) in the partitioned layout; 1, which takes one after the other, in the
    /// shared one, and under conservative update another one, which adds the amount.
    pub least_clocks: u32,
    /// Stage of the last probe (under conservative update: of the last that looks) at which the least cell is known and compared
    /// with the threshold: D = 6 + `least_clocks` + `sum_clocks`.
    pub decision_stage: u32,
    /// Stage in which what a host reads leaves for its register: 6; of single bits D = 5.
    pub fetch_stage: u32,
    /// Clocks after acceptance at which an item has left every trace: `front_clocks + raise_clocks + fold_clocks + D + 4`.
    pub retire_clocks: u32,
    /// Clocks from the slot of an access to the array until it is done: `retire_clocks`; of single cells `front_clocks + fetch_stage` and one for each cell of a
    /// word, and no item comes meanwhile.
    pub access_clocks: u32,
    /// Verdicts the queue holds: [`VERDICT_QUEUE_DEPTH`], or more for long pipelines; of single cells 32 or more.
    pub verdict_queue_depth: u32,
}

impl CellTiming {
    /// Timing for a hash of so many ranks and positions found in so many, and memory that is read so many clocks ahead.
    pub(crate) fn new(
        hash_clocks: u32,
        probing: &Probing,
        conservative: bool,
        read_ahead_clocks: u32,
    ) -> CellTiming {
        let front = Timing::new(hash_clocks, probing);
        let front_clocks = front.front_clocks + read_ahead_clocks;
        let (fold_clocks, least_clocks) = match probing.layout {
            Layout::Partitioned => (0, ceil_log2(probing.hashes)),
            Layout::Shared => (probing.hashes - 1, 1 + u32::from(conservative)),
        };
        let decision_stage = 6 + least_clocks;
        // The level stands at the decision of the last look, and the first raise takes it in its stage 3.
        let raise_clocks = if conservative {
            fold_clocks + decision_stage - 3
        } else {
            0
        };
        let retire_clocks = front_clocks + raise_clocks + fold_clocks + decision_stage + 4;
        CellTiming {
            hash_clocks: front.hash_clocks,
            spread_clocks: front.spread_clocks,
            index_clocks: front.index_clocks,
            front_clocks,
            clear_stage: 2,
            write_stage: 5,
            fold_clocks,
            raise_clocks,
            least_clocks,
            sum_clocks: 0,
            decision_stage,
            fetch_stage: 6,
            retire_clocks,
            access_clocks: retire_clocks,
            verdict_queue_depth: queue_depth(retire_clocks),
        }
    }

    /// The same for single cells, so many of which a host takes for a word (`hdl/docs/single-bits.md`): without a rank of positions in front. A static filter
    /// writes a bit in the clock behind the one that reads it, and has its verdict sooner.
    pub(crate) fn in_place(hash_clocks: u32, probing: &Probing, lanes: u32) -> CellTiming {
        let words = CellTiming::new(hash_clocks, probing, false, 0);
        let front_clocks = words.front_clocks - words.index_clocks;
        let cells = match lanes == WORD_BITS {
            true => CellTiming {
                write_stage: 3,
                least_clocks: 0,
                decision_stage: 5,
                fetch_stage: 5,
                ..words
            },
            false => words,
        };
        let retire_clocks = front_clocks + cells.decision_stage + 4;
        CellTiming {
            index_clocks: 0,
            front_clocks,
            retire_clocks,
            access_clocks: front_clocks + cells.fetch_stage + lanes,
            verdict_queue_depth: queue_depth_of_at_least(SINGLE_CELL_QUEUE_DEPTH, retire_clocks),
            ..cells
        }
    }

    /// The timing with `panes` panes, whose least cells are added.
    pub(crate) fn with_panes(self, panes: u32) -> CellTiming {
        let sum_clocks = panes - 1;
        let retire_clocks = self.retire_clocks + sum_clocks;
        CellTiming {
            sum_clocks,
            decision_stage: self.decision_stage + sum_clocks,
            retire_clocks,
            access_clocks: retire_clocks,
            verdict_queue_depth: queue_depth(retire_clocks),
            ..self
        }
    }

    /// The same with so many places in the verdict queue, where the specification chose them.
    pub(crate) fn with_verdict_queue(self, depth: Option<u32>) -> CellTiming {
        CellTiming {
            verdict_queue_depth: depth.unwrap_or(self.verdict_queue_depth),
            ..self
        }
    }

    /// What its verdict queue needs.
    pub(crate) fn queue_need(&self) -> QueueNeed {
        QueueNeed {
            claimed_clocks: self.front_clocks
                + self.fold_clocks
                + self.decision_stage
                + VERDICT_CLOCKS
                - OUTPUT_CLOCKS,
            interval_clocks: self.fold_clocks + 1,
            every_clock: self.fold_clocks == 0 && self.sum_clocks == 0,
            usual_depth: self.verdict_queue_depth,
        }
    }

    /// Clocks that a turn of the panes takes from the stream: as many slots behind the last item of a window are no items, so
    /// that no word is forwarded over the turn. 4.
    pub fn turn_clocks(&self) -> u32 {
        self.write_stage - 1
    }

    /// Clocks from an item that inserts to the next item: 1 in the partitioned layout, k in the shared one, and there under
    /// conservative update 2 k + 4.
    pub fn initiation_interval(&self) -> u32 {
        self.raise_clocks + self.fold_clocks + 1
    }

    /// Clocks from an item to the next: fewer behind one that changes nothing, under conservative update, where it only looks.
    pub fn item_clocks(&self, operation: CellOperation) -> u32 {
        match operation {
            CellOperation::Query => self.fold_clocks + 1,
            CellOperation::Insert | CellOperation::TestAndInsert | CellOperation::Remove => {
                self.initiation_interval()
            }
        }
    }
}

/// Places that the credit of a queue keeps for items that may still come before `ready` falls.
const CREDIT_PLACES: u32 = 4;
/// Clocks from the queue to the port.
const OUTPUT_CLOCKS: u32 = 1;
/// Clocks from there until a next item is accepted that waited for the place: the departure is counted, gives credit, and `ready` rises.
const LOAD_TO_ACCEPT: u32 = 7;

/// What decides how many places a verdict queue needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueNeed {
    /// Clocks from acceptance until the verdict leaves the queue for the output register, at the earliest.
    pub claimed_clocks: u32,
    /// Fewest clocks from an item to the next.
    pub interval_clocks: u32,
    /// Nothing but the queue, a host and recycles keeps an item from coming in every clock, so that the rate that a small queue leaves is known.
    pub every_clock: bool,
    /// Places unless the specification says otherwise.
    pub usual_depth: u32,
}

impl QueueNeed {
    /// Clocks from the acceptance of an item until its verdict is valid, with the usual verdict queue.
    pub(crate) fn latency_clocks(&self) -> u32 {
        self.claimed_clocks + OUTPUT_CLOCKS
    }
}

impl QueueNeed {
    /// Fewest places, a power of two, with which the stream never waits for the queue as long as the sink takes every verdict at once.
    pub fn least_for_full_rate(&self) -> u32 {
        let claimed = self.claimed_clocks.div_ceil(self.interval_clocks);
        (claimed + CREDIT_PLACES).next_power_of_two()
    }
}

/// A queue for everything in flight and three more.
fn queue_depth(retire_clocks: u32) -> u32 {
    queue_depth_of_at_least(VERDICT_QUEUE_DEPTH, retire_clocks)
}

fn queue_depth_of_at_least(least: u32, retire_clocks: u32) -> u32 {
    (retire_clocks + 4).next_power_of_two().max(least)
}

/// When things happen in the pipeline of a sliding-window filter, in clocks.
///
/// ```text
///  accept    hash      spread     index | stage 0 . 1 .... 3 ... 6 ...... 7
/// key reg -> h ranks -> i h2 sums -> g_i |  address, cells, decide, write
/// |<------------- front_clocks -------->|
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlidingTiming {
    /// As [`Timing::hash_clocks`].
    pub hash_clocks: u32,
    /// As [`Timing::spread_clocks`].
    pub spread_clocks: u32,
    /// As [`Timing::index_clocks`].
    pub index_clocks: u32,
    /// Clock edges from acceptance until the item stands in stage 0; two more with an error-correcting code, whose memory is read in stage -1.
    pub front_clocks: u32,
    /// Stage at which an item meets its generation, and an element counts: 3.
    pub age_stage: u32,
    /// Stage at which the verdict is made and the cell to write is chosen: 6.
    pub decision_stage: u32,
    /// Stage at which the cell is written: 7.
    pub write_stage: u32,
    /// Clocks after acceptance at which an item has left every trace: `front_clocks` + 11.
    pub retire_clocks: u32,
    /// Verdicts the queue holds: [`VERDICT_QUEUE_DEPTH`].
    pub verdict_queue_depth: u32,
}

impl SlidingTiming {
    /// Timing for a hash of so many ranks and positions found in so many, and memory that is read so many clocks ahead.
    pub(crate) fn new(
        hash_clocks: u32,
        probing: &Probing,
        read_ahead_clocks: u32,
    ) -> SlidingTiming {
        let front = Timing::new(hash_clocks, probing);
        let front_clocks = front.front_clocks + read_ahead_clocks;
        let write_stage = 7;
        SlidingTiming {
            hash_clocks: front.hash_clocks,
            spread_clocks: front.spread_clocks,
            index_clocks: front.index_clocks,
            front_clocks,
            age_stage: 3,
            decision_stage: 6,
            write_stage,
            retire_clocks: front_clocks + write_stage + 4,
            verdict_queue_depth: VERDICT_QUEUE_DEPTH,
        }
    }

    /// The same on cuckoo tables (`hdl/docs/cuckoo-window.md`): a rank more in front, which finds the rows, and clocks for what the agents have begun.
    pub(crate) fn on_cuckoo_tables(
        hash_clocks: u32,
        probing: &Probing,
        read_ahead_clocks: u32,
    ) -> SlidingTiming {
        let buckets = SlidingTiming::new(hash_clocks, probing, read_ahead_clocks);
        let front_clocks = buckets.front_clocks + 1;
        SlidingTiming {
            index_clocks: buckets.index_clocks + 1,
            front_clocks,
            retire_clocks: front_clocks + 16,
            ..buckets
        }
    }

    /// The same with so many places in the verdict queue, where the specification chose them.
    pub(crate) fn with_verdict_queue(self, depth: Option<u32>) -> SlidingTiming {
        SlidingTiming {
            verdict_queue_depth: depth.unwrap_or(self.verdict_queue_depth),
            ..self
        }
    }

    /// What its verdict queue needs.
    pub(crate) fn queue_need(&self) -> QueueNeed {
        QueueNeed {
            claimed_clocks: self.front_clocks + self.decision_stage + VERDICT_CLOCKS
                - OUTPUT_CLOCKS,
            interval_clocks: 1,
            every_clock: false,
            usual_depth: self.verdict_queue_depth,
        }
    }

    /// What is asked of every kind.
    pub(crate) fn pipeline(&self) -> PipelineTiming {
        PipelineTiming {
            verdict_clocks: verdict_clocks(self.verdict_queue_depth),
            front_clocks: self.front_clocks,
            decision_clocks: self.front_clocks + self.decision_stage,
            retire_clocks: self.retire_clocks,
            verdict_queue_depth: self.verdict_queue_depth,
            initiation_interval: 1,
            longest_interval: 1,
        }
    }
}

/// When things happen in the pipeline of a filter of any kind, in clocks, as far as it is asked of every kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PipelineTiming {
    /// Clock edges from acceptance until the item stands in stage 0.
    pub front_clocks: u32,
    /// Clock edges from acceptance until the verdict is made.
    pub decision_clocks: u32,
    /// Clocks from there to the verdict at the port, without back-pressure.
    pub verdict_clocks: u32,
    /// Clocks after acceptance at which an item has left every trace.
    pub retire_clocks: u32,
    /// Verdicts the queue holds; 0 where there is none.
    pub verdict_queue_depth: u32,
    /// Clocks from an item to the next at full rate.
    pub initiation_interval: u32,
    /// Clocks from an item to the next at most, but for stalls: more than `initiation_interval` in a recycling filter whose cycles are
    /// short, which takes one item at a time, and in a counting filter over a window, whose panes turn.
    pub longest_interval: u32,
}

impl PipelineTiming {
    /// Clocks from the acceptance of an item until its verdict is valid, without back-pressure.
    pub fn latency_clocks(&self) -> u32 {
        self.decision_clocks + self.verdict_clocks
    }

    /// Clocks from acceptance until a verdict leaves the queue for the output register, at the earliest.
    fn claimed_clocks(&self) -> u32 {
        self.decision_clocks + self.verdict_clocks - OUTPUT_CLOCKS
    }

    /// Fewest places of a verdict queue that leave the full rate.
    pub fn full_rate_queue_depth(&self) -> u32 {
        let need = QueueNeed {
            claimed_clocks: self.claimed_clocks(),
            interval_clocks: self.initiation_interval,
            every_clock: self.initiation_interval == 1,
            usual_depth: self.verdict_queue_depth,
        };
        need.least_for_full_rate()
    }

    /// Share of the full rate that the verdict queue leaves, while every item wants a verdict and the sink takes each at once: 1, but
    /// for Q places in a pipeline of one item a clock that is longer than they last, `Q / (decision_clocks + verdict_clocks + 6)`.
    ///
    /// Source: the credit of `hdl/docs/pipeline.md`, "Verdicts and counters". Q items are accepted in a row; the first place is free
    /// `decision_clocks + verdict_clocks - 1` clocks after the first of them, and the stream goes on 7 clocks later. Exact for a stream without other stalls.
    pub fn queue_rate(&self) -> f64 {
        let depth = self.verdict_queue_depth;
        let claimed = self.claimed_clocks();
        let full = self.initiation_interval > 1 || depth == 0 || depth >= claimed + CREDIT_PLACES;
        match full {
            true => 1.0,
            false => f64::from(depth) / f64::from(claimed + LOAD_TO_ACCEPT),
        }
    }
}

/// ceil(log2 n) for n of at least 1.
fn ceil_log2(n: u32) -> u32 {
    n.next_power_of_two().trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{HashFamily, Hashing};

    fn double(hashes: u32) -> Probing {
        Probing {
            hashes,
            hashing: Hashing::Double,
            copies: 1,
            layout: Layout::Partitioned,
            distinct: false,
            range: 4096,
        }
    }

    #[test]
    fn four_double_hashes_take_seven_clocks_to_stage_zero_and_decide_at_eleven() {
        let timing = Timing::new(3, &double(4));
        assert_eq!(timing.front_clocks, 7);
        assert_eq!(
            (
                timing.count_clocks,
                timing.decision_stage,
                timing.write_stage
            ),
            (1, 11, 14)
        );
        assert_eq!(timing.retire_clocks, 25);
    }

    #[test]
    fn count_grows_with_the_logarithm_of_hashes_and_spread_does_not() {
        let clocks = |hashes| {
            let timing = Timing::new(2, &double(hashes));
            (timing.count_clocks, timing.spread_clocks)
        };
        assert_eq!(
            [1, 2, 4, 5, 8, 9, 16, 17, 32].map(clocks),
            [
                (1, 0),
                (1, 2),
                (1, 2),
                (2, 2),
                (2, 2),
                (3, 2),
                (3, 2),
                (4, 2),
                (4, 2)
            ]
        );
    }

    #[test]
    fn a_shared_array_takes_its_probes_one_after_the_other() {
        let shared = Probing {
            layout: Layout::Shared,
            ..double(4)
        };
        let (one, shared_array) = (
            CellTiming::new(3, &double(4), false, 0),
            CellTiming::new(3, &shared, false, 0),
        );
        assert_eq!((one.initiation_interval(), one.decision_stage), (1, 8));
        assert_eq!(
            (
                shared_array.initiation_interval(),
                shared_array.decision_stage
            ),
            (4, 7)
        );
        assert_eq!(shared_array.retire_clocks, 7 + 3 + 7 + 4);
    }

    #[test]
    fn a_conservative_insertion_looks_first_and_a_query_only_looks() {
        for hashes in 2..=32 {
            let probing = Probing {
                layout: Layout::Shared,
                ..double(hashes)
            };
            let timing = CellTiming::new(3, &probing, true, 0);
            assert_eq!(timing.raise_clocks, hashes + 4);
            assert_eq!(timing.initiation_interval(), 2 * hashes + 4);
            assert_eq!(timing.item_clocks(CellOperation::Insert), 2 * hashes + 4);
            assert_eq!(timing.item_clocks(CellOperation::Query), hashes);
            // the last raise is written before an item has left every trace
            let last_write = timing.raise_clocks + timing.fold_clocks + timing.write_stage;
            assert!(timing.front_clocks + last_write < timing.retire_clocks);
        }
    }

    #[test]
    fn an_item_of_a_recycling_filter_on_one_array_is_written_before_the_next_is_read() {
        for hashes in 1..=32 {
            for hash_clocks in [2, 3, 89] {
                let timing = Timing::new(
                    hash_clocks,
                    &Probing {
                        layout: Layout::Shared,
                        ..double(hashes)
                    },
                );
                let last_write = timing.write_stage + timing.write_clocks - 1;
                assert_eq!(timing.initiation_interval, 2 * hashes + 6);
                // the next item presents its first address in its stage 1
                assert_eq!(timing.initiation_interval + 1, last_write + 1);
                let in_flight = timing.retire_clocks / timing.initiation_interval + 1;
                assert!(in_flight + 3 < timing.verdict_queue_depth);
                assert!(in_flight + 3 < timing.large_cycle_items);
            }
        }
    }

    fn hash(family: HashFamily, key_bits: u32) -> HashConstants {
        HashConstants::expand(family, 1, key_bits, 2, 32)
    }

    #[test]
    fn with_a_spare_half_a_cycle_at_full_rate_is_longer_than_what_is_in_flight() {
        let keyed = [HashFamily::SipHash, HashFamily::SipHash24];
        let keyed = keyed.map(|family| (hash(family, 512), Latency::Default));
        let latencies = [Latency::Default, Latency::Low, Latency::Lowest];
        let unkeyed = [HashFamily::H3, HashFamily::H3Sbox].map(|family| hash(family, 104));
        let unkeyed = unkeyed
            .iter()
            .flat_map(|hash| latencies.map(|latency| (hash.clone(), latency)));
        for (hash, latency) in unkeyed.chain(keyed) {
            for hashes in 1..=32 {
                let timing = Timing::with_spare_half(&hash, &double(hashes), latency);
                // accepted before the first clock that knows of an erase
                let in_flight = timing.front_clocks + timing.decision_stage + 6;
                assert_eq!(in_flight, timing.retire_clocks + 1);
                assert!(in_flight < timing.large_cycle_items);
                assert!(timing.retire_clocks + 3 < timing.verdict_queue_depth);
                assert!(timing.front_clocks + timing.write_stage < timing.retire_clocks);
            }
        }
        let sbox = hash(HashFamily::H3Sbox, 104);
        let timing = Timing::with_spare_half(&sbox, &double(4), Latency::Default);
        assert_eq!(
            (
                timing.decision_stage,
                timing.write_stage,
                timing.retire_clocks
            ),
            (9, 10, 20)
        );
        assert_eq!(timing.verdict_queue_depth, 32);
    }

    #[test]
    fn a_fetch_reads_behind_the_last_write_and_before_the_next_decision() {
        for layout in [Layout::Partitioned, Layout::Shared] {
            for hashes in 1..=32 {
                let timing = Timing::new(
                    3,
                    &Probing {
                        layout,
                        ..double(hashes)
                    },
                );
                // clocks from an item to the earliest fetch behind it; an item of two slots is written a clock late
                let behind = timing.retire_clocks - timing.still_clocks + 1;
                let last_write = timing.write_stage + timing.write_clocks - 1;
                let (reads, interval) = match layout {
                    Layout::Partitioned => (4, timing.write_stage),
                    Layout::Shared => (1, timing.initiation_interval),
                };
                assert!(behind + reads > last_write + 1);
                assert_eq!(behind, interval + 1);
                assert!(timing.fetch_stage < timing.decision_stage);
            }
        }
    }

    #[test]
    fn verdict_queue_covers_every_item_in_flight() {
        for hash_clocks in [2, 3, 21, 33, 57, 89] {
            for hashes in 1..=32 {
                let timing = Timing::new(hash_clocks, &double(hashes));
                assert!(timing.retire_clocks + 3 < timing.verdict_queue_depth);
                assert!(timing.retire_clocks + 3 < timing.large_cycle_items);
                assert!(timing.verdict_queue_depth <= 128);
            }
        }
        assert_eq!(Timing::new(3, &double(32)).verdict_queue_depth, 64);
    }
}
