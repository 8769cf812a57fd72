//! What the language's tests share.

#![allow(dead_code, reason = "every test file uses its own part")]

pub mod designs;
mod expressions;
pub mod generate;
pub mod harness;
pub mod interpret;
pub mod slots;
