//! What the language's tests share.

pub mod designs;
mod expressions;
pub mod generate;
pub mod harness;
pub mod interpret;
pub mod slots;
