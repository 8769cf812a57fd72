use super::file::{PackageFile, MANIFEST};
use bloomline_spec::files;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `files` as the folder `out`, whole or not at all: into a folder beside it first, which is then renamed.
///
/// An empty folder at `out` is replaced. With `force` the files of an earlier emission, which its manifest names, are replaced; what else
/// is there stays.
///
/// # Errors
/// What stands in the way, with the path; `out` is then as it was, but where a file that stays cannot be moved: it is at the path that is told.
pub fn write_folder(out: &Path, files: &[PackageFile], force: bool) -> Result<(), FolderError> {
    let earlier = may_replace(out, files, force)?;
    let out = std::path::absolute(out).map_err(|e| cannot("find", out, e))?;
    let Some(parent) = out.parent() else {
        return Err(FolderError::Root { out });
    };
    fs::create_dir_all(parent).map_err(|e| cannot("make the folder", parent, e))?;
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    // A name of its own, as another thread or process may write the same folder.
    let beside = tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .tempdir_in(parent);
    let beside = beside.map_err(|e| cannot("make a folder in", parent, e))?;
    let (partial, old) = (beside.path().join("new"), beside.path().join("old"));
    fs::create_dir(&partial).map_err(|e| cannot("make the folder", &partial, e))?;
    for file in files {
        let path = partial.join(&file.name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| cannot("make the folder", parent, e))?;
        }
        fs::write(&path, &file.text).map_err(|e| cannot("write", &path, e))?;
    }
    let Some(earlier) = earlier else {
        return fs::rename(&partial, &out).map_err(|e| cannot("rename into place", &out, e));
    };
    fs::rename(&out, &old).map_err(|e| cannot("move aside", &out, e))?;
    fs::rename(&partial, &out).map_err(|error| {
        // Best effort: the first error is the one to report.
        let _ = fs::rename(&old, &out);
        cannot("rename into place", &out, error)
    })?;
    let now = files.iter().map(|file| PathBuf::from(&file.name));
    let ours: BTreeSet<PathBuf> = earlier.iter().cloned().chain(now).collect();
    keep_others(&old, &out, Path::new(""), &ours).inspect_err(|_| {
        // What could not be moved is in it.
        let _ = beside.keep();
    })
}

/// Moves what no emission wrote from the folder `old` to `new`.
fn keep_others(
    old: &Path,
    new: &Path,
    within: &Path,
    ours: &BTreeSet<PathBuf>,
) -> Result<(), FolderError> {
    let folder = old.join(within);
    let entries = fs::read_dir(&folder).map_err(|e| cannot("read the folder", &folder, e))?;
    for entry in entries {
        let entry = entry.map_err(|e| cannot("read the folder", &folder, e))?;
        let place = within.join(entry.file_name());
        if ours.contains(&place) {
            continue;
        }
        let is_folder = entry.file_type().is_ok_and(|found| found.is_dir());
        if is_folder && ours.iter().any(|path| path.starts_with(&place)) {
            keep_others(old, new, &place, ours)?;
            continue;
        }
        let (from, to) = (entry.path(), new.join(&place));
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(|e| cannot("make the folder", parent, e))?;
        }
        fs::rename(&from, &to).map_err(|e| cannot("move back", &from, e))?;
    }
    Ok(())
}

/// What an earlier emission at `out`, if something stands there, has written: none in an empty folder.
fn may_replace(
    out: &Path,
    files: &[PackageFile],
    force: bool,
) -> Result<Option<Vec<PathBuf>>, FolderError> {
    match fs::symlink_metadata(out) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot("use", out, error)),
        Ok(found) if !found.is_dir() => {
            return Err(FolderError::NoFolder {
                out: out.to_owned(),
            })
        }
        Ok(_) => {}
    }
    let mut entries = fs::read_dir(out).map_err(|e| cannot("read the folder", out, e))?;
    if entries.next().is_none() {
        return Ok(Some(vec![]));
    }
    let Some(earlier) = written_files(&out.join(MANIFEST)) else {
        return Err(FolderError::OtherFiles {
            out: out.to_owned(),
        });
    };
    if !force {
        return Err(FolderError::Earlier {
            out: out.to_owned(),
        });
    }
    let names = files.iter().map(|file| Path::new(&file.name));
    let foreign = names.clone().find(|name| {
        let is_ours = earlier.iter().any(|path| path == name);
        !is_ours && fs::symlink_metadata(out.join(name)).is_ok()
    });
    // A link in the place of a folder leads to files that are no emission's.
    let mut folders = names.filter_map(Path::parent);
    let linked = folders.find(|folder| out.join(folder).is_symlink());
    match foreign.or(linked) {
        Some(name) => Err(FolderError::Foreign {
            path: out.join(name),
        }),
        None => Ok(Some(earlier)),
    }
}

/// Whether a folder holds an emission.
pub fn is_emission(folder: &Path) -> bool {
    written_files(&folder.join(MANIFEST)).is_some()
}

/// The files that the manifest of an emission names; none of what is another program's manifest.
fn written_files(manifest: &Path) -> Option<Vec<PathBuf>> {
    let text = fs::read_to_string(files::regular(manifest).ok()?).ok()?;
    let manifest: serde_json::Value = serde_json::from_str(&text).ok()?;
    manifest["geometry_hash"].as_str()?;
    let names = manifest["files"].as_array()?;
    names
        .iter()
        .map(|name| name.as_str().map(PathBuf::from))
        .collect()
}

fn cannot(action: &'static str, path: &Path, source: std::io::Error) -> FolderError {
    FolderError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}

/// Why an emission cannot be written as a folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There is nothing above it to make it in.
    #[error("--out {}: is the root of the file system; name a folder to make", out.display())]
    Root {
        /// The folder.
        out: PathBuf,
    },
    /// Something else is there.
    #[error("--out {}: exists and is no folder; name another", out.display())]
    NoFolder {
        /// What was named.
        out: PathBuf,
    },
    /// It holds files that no emission wrote.
    #[error("--out {}: holds other files (no {MANIFEST} that names the files of an emission); name an empty or new folder", out.display())]
    OtherFiles {
        /// The folder.
        out: PathBuf,
    },
    /// It holds an earlier emission, which was not to be replaced.
    #[error("--out {}: holds an earlier emission; add --force to replace it", out.display())]
    Earlier {
        /// The folder.
        out: PathBuf,
    },
    /// A file in it has the name of one to be written, and no emission wrote it.
    #[error("--out: {} is no file of the earlier emission; move it, or name another folder", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refuses.
    #[error("--out: cannot {action} {}: {source}; choose a folder that can be written", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn threads_that_write_one_folder_leave_a_whole_one_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |number: usize| PackageFile {
            name: format!("part/{number}.v"),
            text: "x".repeat(10_000),
        };
        let files: Vec<PackageFile> = (0..60).map(file).collect();
        for round in 0..10 {
            let out = folder.path().join(round.to_string());
            let start = Barrier::new(4);
            let write = || {
                start.wait();
                write_folder(&out, &files, false)
            };
            let written = std::thread::scope(|scope| {
                let threads = [0; 4].map(|_| scope.spawn(write));
                threads.map(|thread| thread.join().expect("no panic"))
            });
            assert_eq!(
                written.iter().filter(|ended| ended.is_ok()).count(),
                1,
                "{written:?}"
            );
            assert!(files.iter().all(|file| out.join(&file.name).is_file()));
            let beside = fs::read_dir(folder.path()).expect("the folder").count();
            assert_eq!(beside, round + 1);
        }
    }
}
