//! Helpers shared by the tests of the gateware language.

pub mod designs;
mod expressions;
pub mod generate;
pub mod harness;
pub mod interpret;
pub mod slots;
