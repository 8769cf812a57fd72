use crate::specification::{HashFamily, Hashing};

/// Verdicts the queue behind the pipeline holds.
///
/// It is deeper than the pipeline's items in flight, so the pipeline itself never stalls: `ready` falls while every
/// place in the queue could be claimed by an item already accepted.
pub const VERDICT_QUEUE_DEPTH: u32 = 64;

/// Shortest cycle, in items, that runs at one item a clock.
///
/// With `room_after_recycle` = threshold minus what a retained item adds (k bits, or 1 message; on messages
/// `threshold - 1` takes the place of sigma, since the N-th message trips): a threshold whose room is at least 64 items'
/// worth (64 k bits, or 64 messages) runs at full rate; below that, one item at a time.
pub const LARGE_CYCLE_ITEMS: u32 = 64;

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
/// Stages are counted from the index register, which is stage 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Register ranks after the key register until the hash outputs are registered: 3 for `h3-sbox` (layer 1, S-boxes,
    /// layer 2), 2 for `h3` (partial sums, sums).
    pub hash_clocks: u32,
    /// Ranks that form `h1 + i h2`: 2 for double hashing (multiples of h2, then sums), 0 for independent functions and for k = 1.
    pub spread_clocks: u32,
    /// Ranks that hold the finished indices before the memory: the index register, stage 0.
    pub index_clocks: u32,
    /// Ranks that count an item's new bits, P = 1 + ceil(log2(ceil(k / 4))): one to count groups of four, then a tree.
    pub count_clocks: u32,
    /// Stage at which an item trips or not, D = 10 + P.
    pub decision_stage: u32,
    /// Stage at which an item's words are written, D + 3.
    pub write_stage: u32,
    /// Clock edges from acceptance until the item stands in stage 0: the key register, then hash, spread and index.
    pub front_clocks: u32,
    /// Clocks after acceptance at which an item has left every trace (memory, counts, verdict queue): the write stage,
    /// and four clocks to spare. A safe number, no exact latency.
    pub retire_clocks: u32,
    /// Verdicts the queue holds: [`VERDICT_QUEUE_DEPTH`].
    pub verdict_queue_depth: u32,
    /// Shortest cycle, in items, at full rate: [`LARGE_CYCLE_ITEMS`].
    pub large_cycle_items: u32,
}

impl Timing {
    /// Timing for a family, a hashing and k hashes (at least 1).
    pub(crate) fn new(family: HashFamily, hashing: Hashing, hashes: u32) -> Timing {
        let hash_clocks = match family {
            HashFamily::H3Sbox => 3,
            HashFamily::H3 => 2,
            // 22 ranks were measured for SipHash-1-3; validation refuses the family in this version.
            HashFamily::SipHash => 22,
        };
        let spread_clocks = match hashing {
            _ if hashes == 1 => 0,
            Hashing::Independent => 0,
            Hashing::Double | Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => 2,
        };
        let index_clocks = 1;
        let count_clocks = 1 + ceil_log2(hashes.div_ceil(4));
        let decision_stage = 10 + count_clocks;
        let write_stage = decision_stage + 3;
        let front_clocks = 1 + hash_clocks + spread_clocks + index_clocks;
        Timing {
            hash_clocks,
            spread_clocks,
            index_clocks,
            count_clocks,
            decision_stage,
            write_stage,
            front_clocks,
            retire_clocks: front_clocks + write_stage + 4,
            verdict_queue_depth: VERDICT_QUEUE_DEPTH,
            large_cycle_items: LARGE_CYCLE_ITEMS,
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
    /// Clock edges from acceptance until the item stands in stage 0.
    pub front_clocks: u32,
    /// Stage at which a clear takes effect: slots behind it meet empty cells. 2.
    pub clear_stage: u32,
    /// Stage at which an item's words are written: 5.
    pub write_stage: u32,
    /// Ranks that find the least of k cells, ceil(log2 k).
    pub least_clocks: u32,
    /// Stage at which the least cell is known and compared with the threshold: D = 6 + `least_clocks`.
    pub decision_stage: u32,
    /// Clocks after acceptance at which an item has left every trace: `front_clocks + D + 4`.
    pub retire_clocks: u32,
    /// Verdicts the queue holds: [`VERDICT_QUEUE_DEPTH`].
    pub verdict_queue_depth: u32,
}

impl CellTiming {
    /// Timing for a family, a hashing and k hashes (at least 1).
    pub(crate) fn new(family: HashFamily, hashing: Hashing, hashes: u32) -> CellTiming {
        let front = Timing::new(family, hashing, hashes);
        let least_clocks = ceil_log2(hashes);
        let decision_stage = 6 + least_clocks;
        CellTiming {
            hash_clocks: front.hash_clocks,
            spread_clocks: front.spread_clocks,
            index_clocks: front.index_clocks,
            front_clocks: front.front_clocks,
            clear_stage: 2,
            write_stage: 5,
            least_clocks,
            decision_stage,
            retire_clocks: front.front_clocks + decision_stage + 4,
            verdict_queue_depth: VERDICT_QUEUE_DEPTH,
        }
    }
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
    /// Clock edges from acceptance until the item stands in stage 0.
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
    /// Timing for a family and a hashing; there are two probes.
    pub(crate) fn new(family: HashFamily, hashing: Hashing) -> SlidingTiming {
        let front = Timing::new(family, hashing, 2);
        let write_stage = 7;
        SlidingTiming {
            hash_clocks: front.hash_clocks,
            spread_clocks: front.spread_clocks,
            index_clocks: front.index_clocks,
            front_clocks: front.front_clocks,
            age_stage: 3,
            decision_stage: 6,
            write_stage,
            retire_clocks: front.front_clocks + write_stage + 4,
            verdict_queue_depth: VERDICT_QUEUE_DEPTH,
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

    #[test]
    fn four_double_hashes_take_seven_clocks_to_stage_zero_and_decide_at_eleven() {
        let timing = Timing::new(HashFamily::H3Sbox, Hashing::Double, 4);
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
            let timing = Timing::new(HashFamily::H3, Hashing::Double, hashes);
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
        assert_eq!(
            Timing::new(HashFamily::H3, Hashing::Independent, 32).spread_clocks,
            0
        );
    }

    #[test]
    fn verdict_queue_covers_every_item_in_flight_of_every_supported_geometry() {
        for family in [HashFamily::H3Sbox, HashFamily::H3] {
            for hashing in [Hashing::Independent, Hashing::Double] {
                for hashes in 1..=32 {
                    let timing = Timing::new(family, hashing, hashes);
                    assert!(
                        timing.retire_clocks < timing.verdict_queue_depth,
                        "{family} {hashing} {hashes}"
                    );
                }
            }
        }
    }
}
