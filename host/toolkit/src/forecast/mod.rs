//! Forecast of a geometry: rates from theory, throughput and latency from the pipeline's structure.

mod alternatives;
mod area;
mod cells;
mod cuckoo;
mod line;
mod path;
mod queue;
mod rates;
mod recycling;
mod shared;
mod sliding;
mod speed;

pub use alternatives::{cycle_of, why_threshold, Alternative, Alternatives};
pub use area::{censuses, AreaEstimate, AreaFit, Factors, Family};
pub use bloomline_verify::text::{format_number, format_value, short, things, whole};
pub use cells::CellForecast;
pub use line::{stated, Line};
pub use path::PathForecast;
pub(crate) use rates::by_arrivals;
pub use rates::solve;
pub use recycling::Forecast;
pub use shared::{Probes, Variants};
pub(crate) use sliding::items_per_clock;
pub use sliding::SlidingForecast;
pub use speed::{item_clocks, may_stall, MEASURED_MHZ};

/// The probability with which one filter, or one cycle, may be worse than the numbers say that are given beside the means.
const UNLIKELY: f64 = 0.01;
