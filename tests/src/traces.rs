//! Recorded traffic.

use std::path::{Path, PathBuf};

/// The folder of recorded traffic: `BLOOMLINE_TRACES`, or beside the checkout. `None` where there is none, which is told.
///
/// # Panics
/// When there is none and `CI=true`.
pub fn traces() -> Option<PathBuf> {
    let folder = std::env::var_os("BLOOMLINE_TRACES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/traces"),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(
        !in_ci,
        "{}: no traces; set BLOOMLINE_TRACES",
        folder.display()
    );
    eprintln!("skipped: no traces in {}", folder.display());
    None
}

/// The captures of a folder, by name.
///
/// # Panics
/// When it cannot be read.
pub fn captures(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| file.to_string_lossy().contains(".pcap"));
    files.sort();
    files
}
