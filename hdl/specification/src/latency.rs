//! Register ranks that `target.latency` saves on the way of an item.

use crate::hash::HashConstants;
use crate::probing::Probing;
use crate::values::{HashFamily, Latency};

/// Register ranks in front of the positions that a specification may leave out. All are there by default.
///
/// ```text
/// key -> [key] -> layer 1 -> [sums] -> S-boxes -> [reg] -> layer 2 -> [values] -> i h2 -> [multiples] -> h1 + i h2 -> [stage 0]
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontRanks {
    /// The key, as the port has it.
    pub key: bool,
    /// Sums of key bits, before the S-boxes of `h3-sbox`.
    pub sums: bool,
    /// Values of the functions of `h3-sbox`.
    pub values: bool,
    /// Multiples of the second function's value, in double hashing.
    pub multiples: bool,
}

impl FrontRanks {
    /// Those of a choice of latency.
    pub(crate) fn of(latency: Latency, family: HashFamily, probing: &Probing) -> FrontRanks {
        let merging = latency == Latency::Lowest && family == HashFamily::H3Sbox;
        FrontRanks {
            key: latency != Latency::Lowest,
            sums: !merging,
            // where positions are sums, their register takes the place of the values'
            values: !merging || probing.spread_clocks() == 0,
            multiples: latency == Latency::Default,
        }
    }

    /// Clock edges until the key is where it is hashed: 1 or 0.
    pub(crate) fn key_clocks(&self) -> u32 {
        self.key.into()
    }

    /// Register ranks from the key to the functions' values.
    pub(crate) fn hash_clocks(&self, hash: &HashConstants) -> u32 {
        hash.clocks() - u32::from(!self.sums) - u32::from(!self.values)
    }

    /// Register ranks from hash values to positions.
    pub(crate) fn spread_clocks(&self, probing: &Probing) -> u32 {
        match probing.spread_clocks() {
            2 if !self.multiples => 1,
            clocks => clocks,
        }
    }
}
