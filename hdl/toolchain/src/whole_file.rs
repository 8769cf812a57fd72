//! Atomic writes of files.

use bloomline_spec::files;
use std::io::{self, Write};
use std::path::Path;

/// Writes a text file: into a temporary file beside it that is then renamed. Missing folders are made; everyone may read it.
///
/// # Errors
/// Those of the file system; that something else than a file has the name.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let path = files::regular(path)?;
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
