//! The extended schemes of two hash functions.

use crate::numeric::primes::is_prime;

/// The term f(i) that extended double hashing adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    /// f(i) = 0: double hashing.
    None,
    /// f(i) = i^2.
    Square,
    /// f(i) = i^3.
    Cube,
}

impl Extension {
    pub(crate) fn at(self, i: u64) -> u64 {
        match self {
            Extension::None => 0,
            Extension::Square => i * i,
            Extension::Cube => i * i * i,
        }
    }

    /// The stated relative error of leaving out coincidences by chance: `k^4/m^2` where m is a prime, else twice that.
    pub(crate) fn chance(self, range: u64, hashes: u32) -> f64 {
        let times = match self {
            Extension::None => 0.0,
            Extension::Square | Extension::Cube if is_prime(range) => 1.0,
            Extension::Square | Extension::Cube => 2.0,
        };
        times * f64::from(hashes).powi(4) / (range as f64).powi(2)
    }
}
