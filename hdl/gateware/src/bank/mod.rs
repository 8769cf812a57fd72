//! One bank of a partitioned filter: memory, forwarding of everything in flight, bit selection, coverage by the current epoch; and memory of single bits.
//! Depends on `wires` only.

mod bit_memory;
mod code_word;
mod compare;
mod coverage;
mod ecc_port;
mod filter_bank;
mod memory;
mod near;
mod parity_check;
mod parity_seal;
mod position_compare;
mod select;
mod word_compare;
mod word_read;

pub use bit_memory::BitMemory;
pub use code_word::{CheckBits, CodeCorrection, CodeRead, CodeSyndrome};
pub use compare::IndexCompare;
pub use coverage::Coverage;
pub use ecc_port::EccPort;
pub use filter_bank::FilterBank;
pub use memory::BankMemory;
pub use near::NearMatch;
pub use parity_check::ParityCheck;
pub use parity_seal::ParitySeal;
pub use position_compare::PositionCompare;
pub use select::BitSelect;
pub use word_compare::WordCompare;
pub use word_read::WordRead;
