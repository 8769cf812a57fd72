//! Atomic writes of files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that a name stands for, behind links: one that is there must be a regular file, which a device, a pipe or a folder is not.
fn regular(path: &Path) -> io::Result<PathBuf> {
    let path = match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => std::fs::canonicalize(path)?,
        _ => path.to_owned(),
    };
    match std::fs::metadata(&path) {
        Ok(found) if !found.is_file() => Err(io::Error::other("it is no regular file")),
        _ => Ok(path),
    }
}

/// Writes a text file: into a temporary file beside it that is then renamed. Missing folders are made; everyone may read it.
///
/// # Errors
/// Those of the file system; that something else than a file has the name.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let path = regular(path)?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix(".partial-")
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    // A temporary file is readable by its owner alone.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file()
            .set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
