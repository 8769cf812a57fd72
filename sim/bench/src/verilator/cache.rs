//! Build cache shared between processes.

use super::VerilatorError;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A hash over length-prefixed parts, so that no two lists of parts run together.
pub(crate) struct Key(Sha256);

impl Key {
    pub(crate) fn new(purpose: &str) -> Self {
        Self(Sha256::new()).with(purpose)
    }

    pub(crate) fn with(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    pub(crate) fn with_all(self, parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let parts: Vec<_> = parts.into_iter().collect();
        let counted = self.with((parts.len() as u64).to_le_bytes());
        parts.into_iter().fold(counted, Self::with)
    }

    /// 32 hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        self.0
            .finalize()
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// Returns `parent/name`, which `build` fills when it is not there. `build` works in a temporary folder beside it that is renamed
/// when it succeeds; a lock file keeps other processes and threads waiting meanwhile. The flag says whether it was built now.
pub(crate) fn build_once(
    parent: &Path,
    name: &str,
    build: impl FnOnce(&Path) -> Result<(), VerilatorError>,
) -> Result<(PathBuf, bool), VerilatorError> {
    let target = parent.join(name);
    if target.is_dir() {
        return Ok((target, false));
    }
    fs::create_dir_all(parent).map_err(VerilatorError::io("make the folder", parent))?;
    let lock_path = parent.join(format!("{name}.lock"));
    let lock =
        File::create(&lock_path).map_err(VerilatorError::io("create the lock file", &lock_path))?;
    lock.lock()
        .map_err(VerilatorError::io("lock", &lock_path))?;
    if target.is_dir() {
        return Ok((target, false));
    }
    let partial = tempfile::Builder::new()
        .prefix(&format!("{name}.partial-"))
        .tempdir_in(parent)
        .map_err(VerilatorError::io("make a temporary folder in", parent))?;
    build(partial.path())?;
    // From here on the folder is kept.
    let partial = partial.keep();
    fs::rename(&partial, &target).map_err(VerilatorError::io("rename into place", &target))?;
    Ok((target, true))
}

/// Hash of a file's content, read whole.
pub(crate) fn read_hash(file: &Path) -> Result<String, VerilatorError> {
    let content = fs::read(file).map_err(VerilatorError::io("read", file))?;
    Ok(Key::new("content").with(content).finish())
}

/// Hash of a file's content. The answer is remembered in the cache for as long as size, inode, modification and change time
/// of the file stay what they are, because Verilator has tens of megabytes.
pub(crate) fn content_hash(cache: &Path, file: &Path) -> Result<String, VerilatorError> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(file).map_err(VerilatorError::io("read", file))?;
    let modified = metadata
        .modified()
        .ok()
        .and_then(|t| t.duration_since(UNIX_EPOCH).ok())
        .unwrap_or_default();
    let name = Key::new("content hash")
        .with(file.as_os_str().as_encoded_bytes())
        .with(format!(
            "{} {} {} {} {}",
            metadata.len(),
            metadata.ino(),
            modified.as_nanos(),
            metadata.ctime(),
            metadata.ctime_nsec()
        ))
        .finish();
    let folder = cache.join("hashes");
    let stamp = folder.join(&name);
    if let Ok(hash) = fs::read_to_string(&stamp) {
        if hash.len() == 32 {
            return Ok(hash);
        }
    }
    let hash = read_hash(file)?;
    fs::create_dir_all(&folder).map_err(VerilatorError::io("make the folder", &folder))?;
    let partial = tempfile::NamedTempFile::new_in(&folder)
        .map_err(VerilatorError::io("make a temporary file in", &folder))?;
    fs::write(partial.path(), &hash).map_err(VerilatorError::io("write", partial.path()))?;
    partial
        .persist(&stamp)
        .map_err(|e| VerilatorError::io("rename into place", &stamp)(e.error))?;
    Ok(hash)
}
