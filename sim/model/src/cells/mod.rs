//! Filters of cells: static filter, counting filter, Count-Min sketch.
//!
//! [`CellFilter`] says what each item does. Written from the page on the pipeline of a filter of cells.

mod filter;
mod words;

pub use filter::{CellFilter, CellOutcome};
