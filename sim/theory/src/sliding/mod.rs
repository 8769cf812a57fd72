//! The sliding-window filter (SBF): a dictionary of hash values with generation numbers.
//!
//! The last n elements always answer yes; an element that is neither among the last n + m nor equal by hash to one that
//! is stored answers yes with a probability of at most eps. Generations are n/c elements long, c + 1 of them are live, so
//! at most `n' = n (1 + 1/c)` hash values are stored, each from a range of `n'/eps`.
//!
//! * Assumes a universal hash function for the union bound, an ideal one for the exact rate. The dictionary's own
//!   overhead, 1 + o(1), is not counted; what is counted is named.
//! * Domain: 1 to 2^40 elements, a slack of at least 1, eps between 0 and 1/2.
//! * [`Dictionary`] is the dictionary of the gateware: bins with first fit, its overflow and its rate.
//! * [`CuckooTables`] is its other one, cuckoo tables with a stash: rate, full rows, moves.
//! * Erratum: c is printed as `max(log 1/eps, m/n)`; the second term is `n/m`, as `n/c <= m` demands. Here c minimises
//!   `n (1 + 1/c) (log2(1/eps) + log2(c) + 1)` over whole numbers with `n/c <= m`.
//!
//! The last 65,536 elements, a slack of a quarter of that, one false positive in a thousand:
//!
//! ```
//! use bloomline_theory::sliding::{Deletion, SlidingFilter};
//!
//! let filter = SlidingFilter::new(65_536, 16_384, 1e-3)?;
//! assert_eq!(filter.generations_a_window(), 9);
//! assert_eq!(filter.generation_items(), 7_282);
//! assert_eq!(filter.live_generations(), 10);
//! assert_eq!(filter.generation_values(Deletion::TwoCellsAStep), 21);
//! assert!(filter.union_bound().value <= 1e-3);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

mod cuckoo;
mod dictionary;
mod filter;
mod space;

pub use cuckoo::{CuckooTables, Displacement};
pub use dictionary::{Dictionary, Overflow};
pub use filter::{Deletion, SlidingFilter};
