//! Errors of the key sources.

use std::path::PathBuf;

/// Why a source has no (more) keys to give.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// The file cannot be opened or read.
    #[error("cannot read {}: {source}; name an existing, readable file", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
    /// The file is no capture.
    #[error(
        "{} is neither pcap nor pcapng (plain or gzip): it begins with {found}; \
         give a capture made by tcpdump or Wireshark", path.display()
    )]
    NotACapture {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// The capture has frames of a kind that is not decoded.
    #[error(
        "{}: link type {link_type} is not supported (Ethernet, raw IP, BSD loopback and Linux cooked are); \
         convert the capture or record it on an Ethernet interface", path.display()
    )]
    LinkType {
        /// The file.
        path: PathBuf,
        /// Its link type number, see the tcpdump registry.
        link_type: u32,
    },
    /// The capture ends in the middle of something, or a field makes no sense.
    #[error("{}: record {record} at byte {offset}{}: {why}", path.display(), if *compressed { " of the unpacked stream" } else { "" })]
    BadCapture {
        /// The file.
        path: PathBuf,
        /// Number of the frame or block, from 1.
        record: u64,
        /// Where it begins, in bytes.
        offset: u64,
        /// The file is compressed, so the offset counts unpacked bytes.
        compressed: bool,
        /// What is wrong.
        why: String,
    },
    /// The table has no such column.
    #[error("{} has no column {column:?}; {}", path.display(), columns(available))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column asked for.
        column: String,
        /// The columns of the first line.
        available: Vec<String>,
    },
    /// The table has several columns of this name.
    #[error("{} has {} columns {column:?}; name one of them by its position: {}", path.display(), positions.len(), by_position(positions))]
    SameColumns {
        /// The file.
        path: PathBuf,
        /// The column asked for.
        column: String,
        /// Where they stand, from 1.
        positions: Vec<usize>,
    },
    /// A line of the table cannot be read.
    #[error("{}, line {line}: {why}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1 (the header).
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A parameter is outside what the source is defined for.
    #[error("{what} is {value}; it must be {rule}")]
    Parameter {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: String,
        /// What it must be.
        rule: &'static str,
    },
}

/// Positions as they are written behind the colon.
fn by_position(positions: &[usize]) -> String {
    let positions = positions.iter().map(|position| format!("#{position}"));
    positions.collect::<Vec<_>>().join(" or ")
}

/// The columns to choose from.
fn columns(available: &[String]) -> String {
    match available {
        [] => "its first line is empty; give a table whose first line names its columns".to_owned(),
        names if names.iter().all(|name| name.parse::<f64>().is_ok()) => format!(
            "its first line names no columns but has numbers ({}): give a position after the colon, #1 for the first column",
            names.join(", ")
        ),
        names => format!(
            "it has {}: name one of them after the colon, or give a position, #1 for the first",
            names.join(", ")
        ),
    }
}
