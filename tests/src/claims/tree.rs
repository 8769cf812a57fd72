use super::ClaimsError;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders that hold nothing a check's result depends on, and the page that the results are pasted into.
const LEFT_OUT: [&str; 5] = ["target", ".git", ".tools", "out", "how-we-know.md"];

/// Hash of every file of the source tree, by path and content: a claim that passed need not run again while it is the same.
///
/// # Errors
/// When a file cannot be read.
pub fn fingerprint(root: &Path) -> Result<String, ClaimsError> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let bytes = fs::read(&file).map_err(ClaimsError::file(&file))?;
        let name = file.strip_prefix(root).unwrap_or(&file).as_os_str();
        hash.update(name.as_encoded_bytes());
        hash.update([0]);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    let digest = hash.finalize();
    Ok(digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), ClaimsError> {
    for entry in fs::read_dir(folder).map_err(ClaimsError::file(folder))? {
        let entry = entry.map_err(ClaimsError::file(folder))?;
        if LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        let kind = entry.file_type().map_err(ClaimsError::file(entry.path()))?;
        if kind.is_dir() {
            collect(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Files that differ from where this branch left `base`, or from the commit before where it is at `base` itself, and those not committed yet;
/// none where there is no git.
pub fn changed_files(root: &Path, base: &str) -> Vec<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(root)
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    };
    let head = git(&["rev-parse", "HEAD"]);
    let since = git(&["merge-base", base, "HEAD"])
        .filter(|common| Some(common) != head.as_ref())
        .map_or_else(|| "HEAD~1".to_owned(), |common| common.trim().to_owned());
    let tracked = git(&["diff", "--name-only", &since]).unwrap_or_default();
    let new = git(&["ls-files", "--others", "--exclude-standard"]).unwrap_or_default();
    tracked
        .lines()
        .chain(new.lines())
        .map(str::to_owned)
        .collect()
}
