use bloomline_theory::TheoryError;
use std::io;
use std::path::PathBuf;

/// Why a snapshot file cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The operating system refuses.
    #[error("{path}: cannot be {what}: {source}; {}", advice(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What was to be done with it.
        what: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{path}: no snapshot: it does not begin with \"BLMSNAP\"; give a file that `device URL snapshot` wrote")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The format is of another version.
    #[error("{path}: a snapshot of format version {got}, this release reads versions 1 to {expected}; use the release that wrote it")]
    Version {
        /// The file.
        path: PathBuf,
        /// The newest version that is read.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// The file is longer or shorter than its header says.
    #[error("{path}: {got} bytes, its header says {expected}; it is cut off or has something behind it: take another copy")]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes by the header.
        expected: u64,
        /// Bytes of the file.
        got: u64,
    },
    /// The check sum does not fit what it is over.
    #[error("{path}: CRC-32 is 0x{got:08X}, expected 0x{expected:08X}; the file is damaged: take another copy")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the contents give.
        expected: u32,
        /// What the file says.
        got: u32,
    },
    /// A header whose check sum fits says what no filter is.
    #[error("{path}: {field} = {got} in the header, expected {expected}; the file was not written by this project")]
    Header {
        /// The file.
        path: PathBuf,
        /// Which field.
        field: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        got: u64,
    },
    /// Two snapshots of different filters.
    #[error("combine: geometry hash 0x{right:016x} of `{right_name}` is not 0x{left:016x} of `{left_name}`; combine snapshots of one geometry")]
    Geometry {
        /// Hash of the first.
        left: u64,
        /// Name of the first filter.
        left_name: String,
        /// Hash of the other.
        right: u64,
        /// Name of the other filter.
        right_name: String,
    },
    /// Keys in the halves have positions that do not belong together.
    #[error("similarity: the halves of `{name}` may be under different secrets, so their keys cannot be compared; compare filters whose hash has no secret, or with one half")]
    Secrets {
        /// The filter.
        name: String,
    },
    /// No estimate can be made of it.
    #[error("estimate: {source}")]
    Estimate {
        /// What theory says.
        source: TheoryError,
    },
}

/// What to do about an error of the operating system.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room there, or name a file on another disk"
        }
        _ => "check that folder and file are there and yours",
    }
}
