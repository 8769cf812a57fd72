//! Errors of the figures.

use crate::stats::StatsError;
use bloomline_theory::TheoryError;
use std::io;
use std::path::PathBuf;

/// Why a figure could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// A prediction.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A statistic.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A chart.
    #[error("the chart of {figure} cannot be drawn: {why}")]
    Chart {
        /// Which figure.
        figure: String,
        /// What is wrong.
        why: String,
    },
    /// A file that cannot be read or written.
    #[error(
        "cannot {action} {}: {source}; {}",
        path.display(),
        if *action == "read" { "check the path" } else { "choose a folder that can be written" }
    )]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// A journal of another run.
    #[error(
        "{}: holds {found}, but this run is {expected}; give the same --seed and --quick, or choose another folder",
        path.display()
    )]
    OtherRun {
        /// The journal.
        path: PathBuf,
        /// What it says.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A journal with a line that is none.
    #[error("{}: line {line} is no line of a journal ({why}); remove the file, its simulations run again", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A journal that another process is writing.
    #[error("{}: another run is writing it; wait for that run or choose another --out", path.display())]
    Busy {
        /// The journal.
        path: PathBuf,
    },
    /// Counts that no simulation gives.
    #[error(
        "the counts of point {point}, part {part} are {found:?}, which no simulation gives; a journal is damaged: remove it, \
         its simulations run again"
    )]
    Counts {
        /// Of the unit.
        point: u32,
        /// Of the unit.
        part: u32,
        /// What the journal has.
        found: Vec<u64>,
    },
}
