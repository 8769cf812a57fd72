//! Library behind the `bloomline` command: from a filter specification to plan, gateware, verification and device.
//!
//! [`Filter::read`] takes a specification of any kind and completes it; everything else starts there.
//!
//! ```
//! use bloomline_spec::EXAMPLES;
//! use bloomline_toolkit::Filter;
//! use std::path::Path;
//!
//! // Read: `Filter::read(Path::new("onehit.toml"))` for a file.
//! let (name, text) = EXAMPLES[0];
//! let filter = Filter::from_text(Path::new(name), text.to_owned())?;
//!
//! // Plan: theory has solved the threshold, and predicts.
//! let plan = filter.plan()?;
//! let rate = plan.value("fpr_average").and_then(|rate| rate.as_f64());
//! assert!(rate.is_some_and(|rate| rate <= 0.01));
//!
//! // Emit: Verilog, manifest, core description, register map and an integration kit, as text; `filter.emit_to(folder, false)` writes them.
//! let package = filter.emit()?;
//! let names: Vec<&str> = package.files().iter().map(|file| file.name.as_str()).collect();
//! assert_eq!(names[..5], ["onehit.v", "manifest.json", "onehit.core", "registers.md", "registers.rdl"]);
//! # Ok::<(), bloomline_toolkit::Error>(())
//! ```
//!
//! Verify: its gateware in simulation, clock for clock against the model, and its rates against theory.
//!
//! ```no_run
//! use bloomline_toolkit::Filter;
//! use bloomline_verify::{Keys, Simulator, Watch};
//! use std::path::Path;
//!
//! let filter = Filter::read(Path::new("onehit.toml"))?;
//! let result = filter.verify(Keys::RandomNew, 100_000, 1, Simulator::BuiltIn, &Watch::silent())?;
//! for claim in result.claims() {
//!     println!("{}: {}, expected {}", claim.name, claim.measured, claim.expected);
//! }
//! # Ok::<(), bloomline_toolkit::Error>(())
//! ```
//!
//! Open a device that was built from it, and ask it:
//!
//! ```no_run
//! use bloomline_spec::Key;
//! use bloomline_toolkit::Filter;
//! use std::path::Path;
//!
//! let filter = Filter::read(Path::new("admit.toml"))?;
//! let card = filter.open("uart:/dev/ttyUSB0?baud=1000000")?;
//! let key = Key::from_text("0xC0FFEE", filter.design().key_bits())?;
//! println!("{}", card.query(&key)?.is_positive());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`forecast`] | predicted numbers with formula and accuracy, warnings, alternatives |
//! | [`plan`] | the same as one object and as a page |
//! | [`package`] | the emitted files |
//! | [`sizing`] | from what is wanted to the sizes of a filter |

//!
//! The command parses arguments and prints; nothing here writes to a terminal. What differs by kind of filter stands in `kinds/`.

mod error;
mod filter;
pub mod forecast;
mod kinds;
pub mod package;
pub mod plan;
mod resolved;
pub mod sizing;
mod verification;

pub use error::Error;
pub use filter::Filter;
