//! All structures at one memory and rate, and where each is the best.

use super::age_partitioned::AgePartitioned;
use super::blocked::Blocked;
use super::blocks::{Blocks, DoubleBuffering};
use super::counting_queue::CountingQueue;
use super::fingerprints::{Cuckoo, Quotient};
use super::stable::Stable;
use super::structure::Peer;
use super::swamp::Swamp;
use super::time_aware::TimeAware;
use super::time_decaying::TimeDecaying;
use serde::Serialize;

/// Share of the keys that may be forgotten within the reach by which sizes are chosen.
pub const KEPT_SHARE: f64 = 0.01;
/// Most banks that a comparison builds.
const MOST_BANKS: u32 = 64;
/// Shares of missed keys that count as equal: chance alone.
const CHANCE: f64 = 0.001;
/// Bits of a block: a cache line.
const BLOCK_BITS: u64 = 512;

/// Every structure with the sizes that remember longest within `memory_bits` and an average rate of at most `rate`.
///
/// Partitions, slices and tables have any size: powers of two are a matter of their hardware. Age-partitioned filters come twice: with
/// at most `banks` slices, and with at most 64. A structure that cannot keep the rate in this memory is left out. `rate` is above 0 and
/// below 1; nothing is found otherwise.
pub fn compare(memory_bits: u64, rate: f64, banks: u32) -> Vec<Peer> {
    if !(rate > 0.0 && rate < 1.0) {
        return Vec::new();
    }
    let few = AgePartitioned::best(memory_bits, rate, banks.clamp(2, MOST_BANKS));
    let many = AgePartitioned::best(memory_bits, rate, MOST_BANKS);
    let sliced = [few, many.filter(|many| Some(*many) != few)];
    let mut peers = Vec::new();
    peers.extend(Blocks::best(memory_bits, rate, 1..=1, MOST_BANKS).map(|blocks| blocks.peer()));
    peers.extend(sliced.into_iter().flatten().map(|sliced| sliced.peer()));
    peers.extend(Blocks::best(memory_bits, rate, 2..=9, MOST_BANKS).map(|blocks| blocks.peer()));
    peers.extend(DoubleBuffering::best(memory_bits, rate).map(|buffers| buffers.peer()));
    peers.extend(Blocked::best(memory_bits, rate, BLOCK_BITS).map(|blocked| blocked.peer()));
    peers.extend(TimeDecaying::best(memory_bits, rate).map(|decaying| decaying.peer()));
    peers.extend(TimeAware::best(memory_bits, rate).map(|aware| aware.peer()));
    for cell_bits in [2..=4, 1..=1] {
        let stable = Stable::best(memory_bits, rate, KEPT_SHARE, cell_bits);
        peers.extend(stable.map(|stable| stable.peer()));
    }
    peers.extend(Cuckoo::best(memory_bits, rate).map(|cuckoo| cuckoo.peer()));
    peers.extend(Quotient::best(memory_bits, rate).map(|quotient| quotient.peer()));
    peers.extend(Swamp::best(memory_bits, rate).map(|swamp| swamp.peer()));
    peers.extend(CountingQueue::best(memory_bits, rate).map(|queue| queue.peer()));
    peers
}

/// Distances at which one of several structures forgets least.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Range {
    /// Least distance, in new keys between two occurrences of a key.
    pub from: f64,
    /// Greatest distance; infinite where it is the last.
    pub to: f64,
    /// Which structure, by its place in the list.
    pub best: usize,
}

/// By rising distance, by which structure a key that comes again is missed least, seen by chance included; the first in the list
/// where several miss as few. Ends are found to 1e-6 of the distance.
pub fn better_ranges(peers: &[&Peer]) -> Vec<Range> {
    const POINTS: u32 = 400;
    let Some(longest) = peers
        .iter()
        .map(|peer| peer.remembers.reach(0.999))
        .reduce(f64::max)
    else {
        return Vec::new();
    };
    let best = |distance: f64| {
        let mut best = 0;
        let forgotten: Vec<f64> = peers.iter().map(|peer| peer.missed(distance)).collect();
        for (place, share) in forgotten.iter().enumerate() {
            if *share < forgotten[best] - CHANCE {
                best = place;
            }
        }
        best
    };
    let mut ranges = vec![Range {
        from: 0.0,
        to: f64::INFINITY,
        best: best(0.0),
    }];
    let mut before = 0.0;
    for point in 1..=POINTS {
        let distance = 1.05 * longest * f64::from(point) / f64::from(POINTS);
        let now = best(distance);
        let last = ranges.len() - 1;
        if now != ranges[last].best {
            let (mut low, mut high) = (before, distance);
            while high - low > 1e-6 * high {
                let middle = 0.5 * (low + high);
                if best(middle) == ranges[last].best {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            ranges[last].to = high;
            ranges.push(Range {
                from: high,
                to: f64::INFINITY,
                best: now,
            });
        }
        before = distance;
    }
    ranges
}
