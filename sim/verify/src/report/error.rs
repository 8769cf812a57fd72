//! Errors of a report.

use std::path::PathBuf;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A chart cannot be drawn.
    #[error("the chart of {chart} cannot be drawn: {why}")]
    Chart {
        /// What it shows.
        chart: &'static str,
        /// What is wrong.
        why: String,
    },
    /// The file cannot be written.
    #[error("cannot write the report {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
}
