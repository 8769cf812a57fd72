//! Small numerical tools: complex numbers, compensated sums, double-doubles, primes, quadrature, searches. Nothing here knows about filters.

pub(crate) mod chernoff;
pub(crate) mod circle;
pub(crate) mod complex;
pub(crate) mod double_double;
pub(crate) mod fill_sum;
pub(crate) mod memo;
pub(crate) mod primes;
pub(crate) mod quadrature;
pub(crate) mod search;
pub(crate) mod sum;
pub(crate) mod tail;
pub(crate) mod wide;
