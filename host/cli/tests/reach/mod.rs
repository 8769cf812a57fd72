//! The driver from other languages and from the outside, against served cards: the library for C, the Python module, the three
//! examples, and a whole life of a card. One program, so that the Python module is built once.

mod c_library;
#[path = "../../../driver/examples/deduplicate.rs"]
mod deduplicate;
mod examples;
mod litex_soc;
mod python_module;
mod scenario;
mod support;

pub use support::trace;
