//! Sizing of every kind of filter from requirements: `built` gives a filter that can be built, `sheet` the papers' numbers.
//!
//! ```
//! use bloomline_toolkit::sizing::{Form, Static};
//!
//! let wanted = Static { bits: None, items: Some(10_000), rate: Some(0.01), hashes: None, distinct: false };
//! let sheet = wanted.clone().sheet()?;
//! assert!(sheet.value("memory_bits").is_some_and(|bits| bits > 95_000.0));
//! let built = wanted.built(&Form::default())?;
//! assert_eq!(built.sheet().value("memory_bits"), Some(6.0 * 16_384.0));
//! # Ok::<(), bloomline_toolkit::sizing::SizeError>(())
//! ```

mod arguments;
mod built;
mod count_min;
mod counting;
mod error;
mod recycling;
mod scheme;
mod sheet;
mod sliding;
mod static_filter;

pub(crate) use built::window_memory_bits;
pub use built::{Amounts, Built, Form, Wants};
pub use count_min::CountMin;
pub use counting::Counting;
pub use error::SizeError;
pub use recycling::{reuse_of, Recycling};
pub use scheme::Scheme;
pub use sheet::{Row, Sheet};
pub use sliding::Sliding;
pub use static_filter::Static;
