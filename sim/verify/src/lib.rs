//! Verification of a filter: its gateware on real or drawn keys, clock for clock against the model, and its rates against theory.
//!
//! [`verify`] takes a design of any kind and gives a [`Verification`], which is made of [`Claim`]s: what was measured, what was expected,
//! and whether they agree. What is tested of a kind stands at its module in `kinds/`; [`run`] gives what was found of one kind, number by
//! number.

pub mod figures;
pub mod report;
pub mod stats;
pub mod text;

mod error;
mod found;
mod judge;
mod keys;
mod kinds;
mod lanes;
mod latency;
mod pixels;
mod plan;
mod rows;
mod runner;
mod session;
mod verification;

pub use error::VerifyError;
pub use found::{FirstMismatch, Latency, Rate, StateResult};
pub use keys::{KeyList, Keys, LoadedKeys};
pub use kinds::cells::{
    Bound, CellVerification, ConservativeFound, CountMinFound, CountingFound, Details, HotKey,
    Quantile, StaticFound,
};
pub use kinds::recycling::{
    ArrivalShare, ByArrivals, Forgotten, Ratios, RecyclingVerification, Statistics,
};
pub use kinds::sliding::{
    cuckoo_tables, dictionary, OverflowFound, RateTest, Share, SlackBand, SlackFound,
    SlidingVerification, WindowFound,
};
pub use kinds::{run, Found, Verified};
pub use plan::{Plan, Simulator, Watch};
pub use report::Claim;
pub use verification::{verify, Verification};

pub use bloomline_bench::lockstep::Window;

/// Confidence of intervals and tests.
pub const CONFIDENCE: f64 = 0.99;

/// A small specification for the tests of this folder.
#[cfg(test)]
const TINY: &str = "\
name = \"tiny\"
[filter]
kind = \"recycling\"
memory_bits = 8192
hashes = 4
hashing = \"double\"
accept_two_hash_floor = true
[filter.recycle]
phases = 2
on = \"bits-set\"
threshold = 1000
[key]
bits = 64
[hash]
family = \"h3-sbox\"
seed = 1
";
