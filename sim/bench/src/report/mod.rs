//! One HTML file that shows a verification: specification, predictions with their formulas, results, and three charts.
//!
//! The file is complete in itself (inline SVG, no scripts, nothing fetched), follows the reader's light or dark mode, and
//! prints. It is made from a plain [`ReportData`]; nothing here computes a result.
//! May depend on: [`crate::stats`] for the verdict.

mod axes;
mod bits_chart;
mod data;
mod error;
mod html;
mod latency_chart;
mod rate_chart;
mod theme;

pub use data::{
    BitsSetSeries, Fact, LatencyHistogram, Prediction, RatePoint, RateSeries, ReportData, ResultRow,
};
pub use error::ReportError;

use std::io::Write;
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
    let fail = |source| ReportError::Write {
        path: path.to_path_buf(),
        source,
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(fail)?;
    let mut file = tempfile::Builder::new()
        .prefix(".report-")
        .tempfile_in(folder)
        .map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    // A temporary file is readable by its owner alone; a report is for everyone.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file()
            .set_permissions(std::fs::Permissions::from_mode(0o644))
            .map_err(fail)?;
    }
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}
