//! The filter pipeline: admission, slots, banks, verdict stream. Depends on everything else but `emit`.
//!
//! `docs/pipeline.md` is the contract of its timing.

mod cell_filter;
pub(crate) mod cell_text;
mod half_secrets;
mod recycling_filter;
pub(crate) mod recycling_parts;
mod self_check;
mod sequencer;
mod sliding_filter;
mod slots;
mod verdict_queue;

pub use cell_filter::CellFilter;
pub use half_secrets::HalfSecrets;
pub use recycling_filter::RecyclingFilter;
pub use self_check::SelfCheck;
pub use sequencer::Sequencer;
pub use sliding_filter::SlidingFilter;
pub use slots::Slots;
pub use verdict_queue::{tag_line, VerdictQueue, LEAST_QUEUE};
