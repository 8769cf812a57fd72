//! Formal proofs on the emitted Verilog.
//!
//! A [`Property`] is a checker in SystemVerilog (`formal/*.sv` of this crate) that instantiates the emitted top, or one emitted
//! module, and asserts. sby unrolls the two and Yices solves:
//!
//! * **induction**: for every clock, from power-up on, with or without resets;
//! * **induction by assertion**: the same over one clock, each assertion by itself, for proofs with hundreds of them;
//! * **cover**: there is an input sequence that gets there;
//! * **structural**: a search of the netlist, no solver.
//!
//! The text that is proved is the emitted one with *observers* added: wires that give a register a name the checker may read.
//! Each stands in the checker as a line `// observe MODULE: TEXT` (`// observe FLAG MODULE: TEXT` where only some filters have it); no emitted statement changes. Modules that a proof does not need are
//! *cut*: their outputs take any value in any clock, so what is proved holds whatever they do.

mod by_assertion;
mod error;
mod outcome;
mod properties;
mod property;
mod questions;
mod run;
mod source;

pub use crate::kinds::reduced;
pub use error::FormalError;
pub use outcome::{Proof, Verdict};
pub use properties::PROPERTIES;
pub use property::{Method, Property};
pub use run::{install, prove, Settings};
