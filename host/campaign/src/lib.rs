//! Campaigns: many independent runs of the `bloomline` command.
//!
//! ```text
//! FILE.toml --create--> folder: plan, specifications, input files --run, or a batch system--> results --merge--> report
//! ```
//!
//! A campaign is data: a list of [`Unit`]s, each one call of the command with its seed, an estimate of its time and memory, and the name of its
//! result. That name is the hash of all that the result depends on, and a result is written whole or not at all. So a unit whose result
//! is there is not run again, and one that is killed, queued again or run twice leaves the same bytes. The batch system schedules; this crate
//! plans, resumes and merges.

mod description;
mod error;
mod expand;
mod folder;
mod merge;
mod parts;
mod run;
mod slurm;
mod unit;

pub use description::Kind;
pub use error::CampaignError;
pub use expand::Checks;
pub use folder::{Campaign, Damage, Progress};
pub use merge::{Group, Merged, PooledRate, PooledState, Report, Spread};
pub use parts::{parts, Part};
pub use run::{Ended, Event, Runner};
pub use slurm::{shell_word, Slurm, Submission};
pub use unit::{Outcome, Unit, UnitResult};
