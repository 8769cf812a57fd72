//! Errors of a board build.

use bloomline_toolchain::ToolchainError;
use std::path::PathBuf;

/// What can go wrong between a specification and a bitstream.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No board has this name.
    #[error("there is no board {name:?}; known are {}; a path that ends in .toml names a board of your own (constraints/README.md)", known.join(", "))]
    UnknownBoard {
        /// The name that was given.
        name: String,
        /// Every name there is.
        known: Vec<&'static str>,
    },
    /// A board has no such card.
    #[error("{board} has no part {name:?}; known are {}", known.join(", "))]
    UnknownPart {
        /// The board.
        board: String,
        /// The name that was given.
        name: String,
        /// Every name there is.
        known: Vec<String>,
    },
    /// A text that is no part number.
    #[error("--part {part:?}: a part number has letters, digits, - and _ only; write for example --part {example}")]
    VendorPart {
        /// What was given.
        part: String,
        /// A part number.
        example: &'static str,
    },
    /// A specification asks for what the board has not.
    #[error("{key} = {got}: does not suit {board}: {rule}; {advice}")]
    Unfit {
        /// The board.
        board: String,
        /// The key of the specification.
        key: &'static str,
        /// Its value.
        got: String,
        /// Why it cannot be.
        rule: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// A board file is not what it must be.
    #[error("{file}: {problem}; constraints/README.md explains every key")]
    Board {
        /// The board file.
        file: String,
        /// Key, value and rule, or what the TOML reader says.
        problem: String,
    },
    /// Two ports of a board claim one pin.
    #[error("{file}: pin {pin} is used twice, by {first} and by {second}; give each its own")]
    PinUsedTwice {
        /// The board file.
        file: String,
        /// The pin.
        pin: String,
        /// The port that claims it first.
        first: String,
        /// The other one.
        second: String,
    },
    /// The board has fewer PHYs than the design has ports.
    #[error("{board}: {found} Ethernet PHYs, {needed} needed; add [[rgmii]] tables to the board file, or take another board")]
    Phys {
        /// The board.
        board: String,
        /// PHYs it has.
        found: usize,
        /// PHYs that are needed.
        needed: usize,
    },
    /// The PLL cannot make the card clock from the oscillator.
    #[error("target.clock_hz = {wanted_hz}: the PLL of {board} cannot make it from {oscillator_hz} Hz; {}", nearest(*below_hz, *above_hz))]
    Clock {
        /// The board.
        board: String,
        /// The clock that was asked for, in hertz.
        wanted_hz: u64,
        /// The oscillator, in hertz.
        oscillator_hz: u64,
        /// The nearest slower clock of whole hertz that it can make.
        below_hz: Option<u64>,
        /// The nearest faster one.
        above_hz: Option<u64>,
    },
    /// The design needs more than the part has.
    #[error(
        "{part} is too small for {design}: {}; take a larger part or less filter.memory_bits",
        shortage_list(shortages)
    )]
    TooSmall {
        /// What is built.
        design: String,
        /// The part.
        part: String,
        /// Every resource that falls short.
        shortages: Vec<Shortage>,
    },
    /// The folder to build in holds something else.
    #[error("--out {}: holds other files (no {} of an earlier build); name an empty or new folder", folder.display(), super::RECORDS)]
    Occupied {
        /// The folder.
        folder: PathBuf,
    },
    /// A tool is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolchainError),
    /// A tool's report does not hold what it should.
    #[error("{}: {problem}; it was written by another version of {tool} than the pinned one, or changed", file.display())]
    Report {
        /// The report.
        file: PathBuf,
        /// What is missing.
        problem: String,
        /// Who writes it.
        tool: &'static str,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
}

impl BuildError {
    /// A [`BuildError::Io`] builder for `map_err`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

/// A resource of which a part has too little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortage {
    /// What it is.
    pub resource: &'static str,
    /// How many the design needs; where `at_least`, that is a lower bound.
    pub needed: u64,
    /// Whether `needed` is what the data bits alone take.
    pub at_least: bool,
    /// How many the part has.
    pub available: u64,
}

impl Shortage {
    /// Of `(resource, needed, available)` those that a part has too little of.
    pub(crate) fn among<const N: usize>(counts: [(&'static str, u64, u64); N]) -> Vec<Shortage> {
        counts
            .into_iter()
            .filter(|(_, needed, available)| needed > available)
            .map(|(resource, needed, available)| Shortage {
                resource,
                needed,
                at_least: false,
                available,
            })
            .collect()
    }
}

fn shortage_list(all: &[Shortage]) -> String {
    let texts: Vec<String> = all
        .iter()
        .map(|shortage| {
            format!(
                "{}{} {} needed, {} available",
                if shortage.at_least { "at least " } else { "" },
                shortage.needed,
                shortage.resource,
                shortage.available
            )
        })
        .collect();
    texts.join(", ")
}

fn nearest(below_hz: Option<u64>, above_hz: Option<u64>) -> String {
    match (below_hz, above_hz) {
        (Some(below), Some(above)) => format!("the nearest it can make are {below} and {above} Hz"),
        (Some(one), None) | (None, Some(one)) => format!("the nearest it can make is {one} Hz"),
        (None, None) => "it can make no clock at all: correct [pll] or [oscillator]".to_owned(),
    }
}
