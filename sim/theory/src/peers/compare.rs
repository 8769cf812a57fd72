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
/// Shares of forgotten keys that count as equal.
const EQUAL: f64 = 0.001;
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

/// By rising distance, which structure forgets a key that comes again least; the first in the list where several forget as few, up to a
/// share of 0.001. Ends are found to 1e-6 of the distance.
pub fn better_ranges(peers: &[&Peer]) -> Vec<Range> {
    const POINTS: u32 = 1000;
    if peers.is_empty() {
        return Vec::new();
    }
    let best = |distance: f64| {
        let mut best = 0;
        let forgotten = |peer: &&Peer| peer.remembers.forgotten(distance);
        let forgotten: Vec<f64> = peers.iter().map(forgotten).collect();
        for (place, share) in forgotten.iter().enumerate() {
            if *share < forgotten[best] - EQUAL {
                best = place;
            }
        }
        best
    };
    // between two of these distances no structure forgets more than one share in POINTS
    let shares = (0..POINTS).map(|point| (f64::from(point) + 0.5) / f64::from(POINTS));
    let mut distances: Vec<f64> = shares
        .flat_map(|share| peers.iter().map(move |peer| peer.remembers.reach(share)))
        .collect();
    distances.sort_by(f64::total_cmp);
    distances.extend(distances.last().map(|last| 1.05 * last));
    let from = |from: f64, best: usize| Range {
        from,
        to: f64::INFINITY,
        best,
    };
    let mut last = from(0.0, best(0.0));
    let mut ranges = Vec::new();
    let mut before = 0.0;
    for distance in distances {
        let now = best(distance);
        if now != last.best {
            let (mut low, mut high) = (before, distance);
            while high - low > 1e-6 * high {
                let middle = 0.5 * (low + high);
                if best(middle) == last.best {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            last.to = high;
            ranges.push(std::mem::replace(&mut last, from(high, now)));
        }
        before = distance;
    }
    ranges.push(last);
    ranges
}
