//! SWAMP, the sliding-window approximate measurement protocol.

use super::remembers::Remembers;
use super::structure::{Accesses, Peer, Size, Structure};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;

const NAME: &str = "SWAMP";
/// Free cells of its table, as a share of the window.
pub const TABLE_SLACK: f64 = 0.2;

/// A cyclic buffer of the fingerprints of the last W keys, and a compact hash table (TinyTable) of how often each is in it.
///
/// Source: E. Assaf, R. Ben Basat, G. Einziger, R. Friedman, "Pay for a Sliding Bloom Filter and Get Counting, Distinct Elements,
/// and Entropy for Free", INFOCOM 2018.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swamp {
    window: u64,
    fingerprint_bits: u32,
}

impl Swamp {
    /// `window` (W) keys, `fingerprint_bits` (L).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= W < 2^40` and `1 <= L <= 62`.
    pub fn new(window: u64, fingerprint_bits: u32) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "window", window, (1, (1 << 40) - 1))?;
        TheoryError::check_range(NAME, "fingerprint_bits", fingerprint_bits.into(), (1, 62))?;
        Ok(Self {
            window,
            fingerprint_bits,
        })
    }

    /// The longest window within a memory and a rate.
    pub(super) fn best(memory_bits: u64, rate: f64) -> Option<Self> {
        let of = |fingerprint_bits: u32| {
            // 1 - (1 - 2^-L)^W <= rate
            let most = (-rate).ln_1p() / (-(-f64::from(fingerprint_bits)).exp2()).ln_1p();
            let fits = |window: u64| {
                let swamp = Self::new(window, fingerprint_bits).ok()?;
                (swamp.memory_bits() <= memory_bits as f64).then_some(swamp)
            };
            let (mut low, mut high) = (0, (most as u64).min(memory_bits) + 1);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if fits(middle).is_some() {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            fits(low)
        };
        (1..=62).filter_map(of).max_by_key(|swamp| swamp.window)
    }

    /// Bits of buffer and table: `W L + 1.2 W (L - log2 W + 3)`, the authors' count with a fifth of the table free.
    pub fn memory_bits(&self) -> f64 {
        let (window, bits) = (self.window as f64, f64::from(self.fingerprint_bits));
        let remainder = (bits - window.log2()).max(0.0) + 3.0;
        window * bits + (1.0 + TABLE_SLACK) * window * remainder
    }

    /// The rate of a key that is not in the window of W distinct keys: `1 - (1 - 2^-L)^W`. Exact for ideal fingerprints.
    pub fn rate(&self) -> Figure {
        let miss = (-(-f64::from(self.fingerprint_bits)).exp2()).ln_1p();
        Figure::new(
            -(self.window as f64 * miss).exp_m1(),
            "1 - (1 - 2^-L)^W",
            Accuracy::exact(1e-12),
        )
    }

    /// What it does. The bank used most is that of the table: an item is looked up and added, and the oldest one taken away, each by
    /// reading and writing a bucket.
    pub fn peer(&self) -> Peer {
        Peer {
            structure: Structure::Swamp,
            sizes: vec![
                Size::new("window keys", self.window),
                Size::new("fingerprint bits", self.fingerprint_bits.into()),
            ],
            memory_bits: self.memory_bits(),
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept: self.window as f64 - 1.0,
                gone: self.window as f64,
            },
            accesses: Accesses {
                reads: 3.0,
                writes: 3.0,
                banks: 2,
                busiest_bank: 4.0,
            },
        }
    }
}
