//! Atomic writes of files.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file: into a temporary file beside it that is then renamed. Missing folders are made. A link of that name is replaced, and the file that
/// it leads to stays as it is: whoever made the folder may have put the link there.
///
/// # Errors
/// Those of the file system; that something else than a file or a link has the name.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let found = std::fs::symlink_metadata(path).map(|found| found.file_type());
    if found.is_ok_and(|found| !found.is_file() && !found.is_symlink()) {
        return Err(io::Error::other("it is no regular file"));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".partial-");
    // A temporary file is readable by its owner alone; this one by whom the user's mask lets.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(contents.as_ref())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
