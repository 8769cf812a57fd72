//! From what is wanted to the sizes of a filter, for every kind that theory covers.
//!
//! ```
//! use bloomline_toolkit::sizing::Static;
//!
//! let wanted = Static { bits: None, items: Some(10_000), rate: Some(0.01), hashes: None, distinct: false };
//! let sheet = wanted.sheet()?;
//! assert!(sheet.value("memory_bits").is_some_and(|bits| bits > 95_000.0));
//! # Ok::<(), bloomline_toolkit::sizing::SizeError>(())
//! ```

mod count_min;
mod counting;
mod error;
mod recycling;
mod sheet;
mod sliding;
mod static_filter;

pub use count_min::CountMin;
pub use counting::Counting;
pub use error::SizeError;
pub use recycling::{reuse_of, Recycling};
pub use sheet::{Row, Sheet};
pub use sliding::Sliding;
pub use static_filter::Static;
