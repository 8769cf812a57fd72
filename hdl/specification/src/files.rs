//! Bounded reads of files, and the regular file behind a name.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};

/// Longest specification, or other text that people write, in bytes.
pub const MOST_TEXT_BYTES: u64 = 1 << 20;

/// What `reader` gives to its end.
///
/// # Errors
/// Its own; [`ErrorKind::FileTooLarge`] where more than `most` bytes come, as from a device without an end.
pub fn bounded(reader: impl Read, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    check_length(bytes.len() as u64, most)?;
    Ok(bytes)
}

/// That `bytes` are at most `most`.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`].
pub fn check_length(bytes: u64, most: u64) -> Result<()> {
    match bytes > most {
        true => Err(Error::new(
            ErrorKind::FileTooLarge,
            format!("it has more than {most} bytes"),
        )),
        false => Ok(()),
    }
}

/// As [`bounded`], of text.
///
/// # Errors
/// As [`bounded`]; [`ErrorKind::InvalidData`] for bytes that are no UTF-8.
pub fn bounded_text(reader: impl Read, most: u64) -> Result<String> {
    String::from_utf8(bounded(reader, most)?).map_err(|error| {
        let error = error.utf8_error();
        Error::new(ErrorKind::InvalidData, format!("it is no UTF-8: {error}"))
    })
}

/// The text of a file of at most `most` bytes.
///
/// # Errors
/// As [`bounded_text`], and those of opening it.
pub fn text(file: &Path, most: u64) -> Result<String> {
    bounded_text(File::open(file)?, most)
}

/// The file that a name stands for, behind links, before it is written: one that is there must be a regular file, which a device, a pipe or a folder is not.
///
/// # Errors
/// That it is another, or a link that leads nowhere.
pub fn regular(path: &Path) -> Result<PathBuf> {
    let path = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path)?,
        _ => path.to_owned(),
    };
    match fs::metadata(&path) {
        Ok(found) if !found.is_file() => Err(Error::other("it is no regular file")),
        _ => Ok(path),
    }
}
