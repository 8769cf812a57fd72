//! Small numerical tools: complex numbers, compensated sums. Nothing here knows about filters.

pub(crate) mod circle;
pub(crate) mod complex;
pub(crate) mod fill_sum;
pub(crate) mod sum;
