//! Sequences of register accesses that reach rare states.

use super::offers::Offers;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// How a host goes about registers, as shares of its reads and writes; a drawn mix has none of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HostPattern {
    /// A write is of one bit, to any register.
    pub one_bit: f64,
    /// A read is of a counter: its high half if the low one was read last.
    pub counters: f64,
    /// Reads and writes are offered while the answer of the one before waits to be taken.
    pub eager: bool,
}

/// A host that accesses registers by a pattern.
pub(super) struct PatternedHost {
    pattern: HostPattern,
    /// Addresses of the low halves of the counters; the high ones are behind them.
    counters: Vec<u32>,
    /// The low half that was read last.
    low_read: Option<u32>,
}

impl PatternedHost {
    /// At the registers of a filter with counters at these addresses.
    pub fn new(pattern: HostPattern, counters: impl Iterator<Item = u32>) -> Self {
        Self {
            pattern,
            counters: counters.collect(),
            low_read: None,
        }
    }

    /// Offers a write, if it is the time for one.
    pub fn offer_write(&self, rng: &mut ChaCha8Rng, offers: &mut Offers) -> bool {
        let now = self.pattern.one_bit > 0.0 && rng.random_bool(self.pattern.one_bit);
        if now {
            let (byte, bit) = (4 * rng.random_range(0..64), rng.random_range(0..32));
            offers.offer_write(byte, 1 << bit, 15);
        }
        now
    }

    /// Offers a read, if it is the time for one.
    pub fn offer_read(&mut self, rng: &mut ChaCha8Rng, offers: &mut Offers) -> bool {
        let any = self.pattern.counters > 0.0 && !self.counters.is_empty();
        let now = any && rng.random_bool(self.pattern.counters);
        let low = self.low_read.take();
        if now {
            let byte = match low {
                Some(low) => low + 4,
                None => {
                    let low = self.counters[rng.random_range(0..self.counters.len())];
                    self.low_read = Some(low);
                    low
                }
            };
            offers.offer_read(byte as u8);
        }
        now
    }
}
