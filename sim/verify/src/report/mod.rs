//! One HTML file that shows a verification: specification, predictions with their formulas, results, and three charts.
//!
//! The file is complete in itself (inline SVG, no scripts, nothing fetched), follows the reader's light or dark mode, and
//! prints. It is made from a plain [`ReportData`]; nothing here computes a result.
//! May depend on: [`crate::stats`] for the verdict.

mod axes;
mod bits_chart;
mod curves_chart;
mod data;
mod error;
mod html;
mod latency_chart;
mod rate_chart;
mod theme;

pub use data::{
    BitsSetSeries, Claim, Curves, Fact, LatencyHistogram, Prediction, RatePoint, RateSeries,
    ReportData,
};
pub use error::ReportError;

use bloomline_toolchain::whole_file;
use std::path::Path;

/// The report as one HTML text.
///
/// # Errors
/// [`ReportError::Chart`] when a chart cannot be drawn from its series.
pub fn render(data: &ReportData) -> Result<String, ReportError> {
    html::page(data)
}

/// Writes the report to `path`, whole or not at all: into a temporary file beside it that is then renamed. Missing folders are made.
///
/// # Errors
/// As [`render`]; [`ReportError::Write`] when the file cannot be written.
pub fn write(data: &ReportData, path: &Path) -> Result<(), ReportError> {
    let text = render(data)?;
    whole_file::write(path, &text).map_err(|source| ReportError::Write {
        path: path.to_path_buf(),
        source,
    })
}
