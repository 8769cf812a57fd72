use super::{PackageFile, MANIFEST};
use anyhow::{bail, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `files` as the folder `out`, whole or not at all: into a folder beside it first, which is then renamed.
///
/// An empty folder at `out` is replaced. One that holds an earlier emission (a manifest) is replaced with `force`; any other
/// content is never removed.
///
/// # Errors
/// What stands in the way, with the path; `out` is then as it was.
pub fn write_folder(out: &Path, files: &[PackageFile], force: bool) -> Result<()> {
    let occupied = may_replace(out, force)?;
    let out = std::path::absolute(out).map_err(|e| cannot("find", out, e))?;
    let Some(parent) = out.parent() else {
        bail!(
            "--out {}: is the root of the file system; name a folder to make",
            out.display()
        );
    };
    fs::create_dir_all(parent).map_err(|e| cannot("make the folder", parent, e))?;
    let partial = Temporary::beside(&out, "partial");
    fs::create_dir(&partial.0).map_err(|e| cannot("make the folder", &partial.0, e))?;
    for file in files {
        let path = partial.0.join(&file.name);
        fs::write(&path, &file.text).map_err(|e| cannot("write", &path, e))?;
    }
    if !occupied {
        return fs::rename(&partial.0, &out).map_err(|e| cannot("rename into place", &out, e));
    }
    let old = Temporary::beside(&out, "old");
    fs::rename(&out, &old.0).map_err(|e| cannot("move aside", &out, e))?;
    fs::rename(&partial.0, &out).map_err(|error| {
        // Best effort: the first error is the one to report.
        let _ = fs::rename(&old.0, &out);
        cannot("rename into place", &out, error)
    })
}

/// Whether something stands at `out` that may go.
fn may_replace(out: &Path, force: bool) -> Result<bool> {
    match fs::symlink_metadata(out) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(cannot("use", out, error)),
        Ok(found) if !found.is_dir() => {
            bail!(
                "--out {}: exists and is no folder; name another",
                out.display()
            )
        }
        Ok(_) => {}
    }
    let mut entries = fs::read_dir(out).map_err(|e| cannot("read the folder", out, e))?;
    if entries.next().is_none() {
        return Ok(true);
    }
    if !out.join(MANIFEST).is_file() {
        bail!(
            "--out {}: holds other files (no {MANIFEST}); name an empty or new folder",
            out.display()
        );
    }
    if !force {
        bail!(
            "--out {}: holds an earlier emission; add --force to replace it",
            out.display()
        );
    }
    Ok(true)
}

fn cannot(action: &str, path: &Path, error: std::io::Error) -> anyhow::Error {
    anyhow::anyhow!(
        "--out: cannot {action} {}: {error}; choose a folder that can be written",
        path.display()
    )
}

/// A folder that goes when this value goes; renaming it away beforehand keeps it.
struct Temporary(PathBuf);

impl Temporary {
    fn beside(out: &Path, what: &str) -> Temporary {
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        Temporary(out.with_file_name(format!(".{name}.{what}-{}", std::process::id())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It is not there any more where all went well.
        let _ = fs::remove_dir_all(&self.0);
    }
}
