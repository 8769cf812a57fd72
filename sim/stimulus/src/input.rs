//! Opens input files, plain or gzip.

use super::StimulusError;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A file's bytes, unpacked when it begins with the magic of gzip; says whether it does.
pub(super) fn open(path: &Path) -> Result<(Box<dyn Read>, bool), StimulusError> {
    let fail = |source| StimulusError::Open {
        path: path.to_path_buf(),
        source,
    };
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(fail)?);
    let compressed = file.fill_buf().map_err(fail)?.starts_with(&[0x1f, 0x8b]);
    Ok(if compressed {
        (Box::new(MultiGzDecoder::new(file)), true)
    } else {
        (Box::new(file), false)
    })
}
