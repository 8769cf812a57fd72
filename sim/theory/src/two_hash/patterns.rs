//! Counting: orders of steps, and totients.

use crate::numeric::primes::gcd;

/// Divisors r of `range` below `limit` with the number of steps d in `0..range` of order r, `phi(r)`.
pub(crate) fn short_orders(range: u64, limit: u32) -> Vec<(u32, u64)> {
    (1..limit)
        .filter(|r| range.is_multiple_of(u64::from(*r)))
        .map(|r| (r, totient(r)))
        .collect()
}

/// Euler's totient.
fn totient(r: u32) -> u64 {
    let r = u64::from(r);
    (1..=r).filter(|a| gcd(*a, r) == 1).count() as u64
}
