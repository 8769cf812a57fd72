//! Claims that cross crates.
