//! Incremental build steps: a step is skipped while its inputs are unchanged, and its files may be kept for other builds.

use super::work::write_document;
use super::BuildError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the records of finished steps lie, in the folder of a build; it marks the folder as one.
pub const RECORDS: &str = ".steps";

/// Record of a step whose files are kept, beside them.
const KEPT_RECORD: &str = "record.json";

/// A step: what it depends on, and the files it makes.
#[derive(Debug)]
pub struct Step<'a> {
    /// Its name.
    pub name: &'a str,
    /// The folder of its files.
    pub folder: &'a Path,
    /// Everything but files that its result depends on: the tool and its version, its arguments.
    pub depends: &'a [String],
    /// Files it reads.
    pub inputs: &'a [&'a str],
    /// Files it makes.
    pub outputs: &'a [&'a str],
    /// Folder where finished steps are kept for builds in other folders, each in a folder named by a hash of all that it depends on.
    pub kept: Option<&'a Path>,
}

/// What stands of a step that was done.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    key: String,
    outputs: BTreeMap<String, String>,
}

/// The name under which a step writes `file`; the file gets its own when the step has succeeded.
pub fn partial(file: &str) -> String {
    format!("partial-{file}")
}

impl Step<'_> {
    /// Does the step unless its record says that the files are there and nothing has changed, or they are kept; says whether it was done.
    ///
    /// `work` writes every output under its [`partial`] name.
    ///
    /// # Errors
    /// Those of `work`, after which all files are as they were; that a file cannot be read, written, copied or renamed.
    pub fn run(&self, work: impl FnOnce() -> Result<(), BuildError>) -> Result<bool, BuildError> {
        let key = self.key()?;
        let record_file = self.folder.join(RECORDS).join(self.name);
        if self.is_done(&key, self.folder, &record_file) {
            return Ok(false);
        }
        // No record stands beside files that it does not describe.
        remove(&record_file)?;
        let kept = self.kept.map(|kept| kept.join(&key));
        let kept_before = kept
            .as_deref()
            .filter(|kept| self.is_done(&key, kept, &kept.join(KEPT_RECORD)));
        let result = match kept_before {
            Some(kept) => self.copy(kept, str::to_owned, self.folder, partial),
            None => work(),
        };
        if let Err(error) = result {
            for output in self.outputs {
                remove(&self.folder.join(partial(output)))?;
            }
            return Err(error);
        }
        let mut outputs = BTreeMap::new();
        for output in self.outputs {
            let from = self.folder.join(partial(output));
            outputs.insert((*output).to_owned(), digest_of(&from)?);
            std::fs::rename(&from, self.folder.join(output))
                .map_err(BuildError::io("rename", &from))?;
        }
        let done = kept_before.is_none();
        let record = Record { key, outputs };
        let text =
            serde_json::to_string_pretty(&record).expect("text and maps of text always serialise");
        if let Some(kept) = kept.filter(|_| done) {
            self.keep(&record.key, &kept, &text)?;
        }
        write_document(&self.folder.join(RECORDS), self.name, &text)?;
        Ok(done)
    }

    /// Puts the files of the step and their record into a folder that appears whole.
    fn keep(&self, key: &str, kept: &Path, record: &str) -> Result<(), BuildError> {
        let all = kept.parent().unwrap_or(kept);
        std::fs::create_dir_all(all).map_err(BuildError::io("make the folder", all))?;
        let folder = tempfile::Builder::new()
            .prefix(".partial-")
            .tempdir_in(all)
            .map_err(BuildError::io("write to", all))?;
        self.copy(self.folder, str::to_owned, folder.path(), str::to_owned)?;
        write_document(folder.path(), KEPT_RECORD, record)?;
        let rename = || std::fs::rename(folder.path(), kept);
        // Another build may have done the same at this moment; what is damaged is replaced.
        if rename().is_err() && !self.is_done(key, kept, &kept.join(KEPT_RECORD)) {
            std::fs::remove_dir_all(kept).map_err(BuildError::io("remove", kept))?;
            rename().map_err(BuildError::io("make the folder", kept))?;
        }
        Ok(())
    }

    /// Copies the files that the step makes.
    fn copy(
        &self,
        from: &Path,
        name: fn(&str) -> String,
        to: &Path,
        new_name: fn(&str) -> String,
    ) -> Result<(), BuildError> {
        for output in self.outputs {
            let file = from.join(name(output));
            std::fs::copy(&file, to.join(new_name(output)))
                .map_err(BuildError::io("copy", &file))?;
        }
        Ok(())
    }

    fn key(&self) -> Result<String, BuildError> {
        let mut hash = Sha256::new();
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        add(self.name);
        self.depends.iter().for_each(|text| add(text));
        for input in self.inputs {
            add(input);
            add(&digest_of(&self.folder.join(input))?);
        }
        Ok(hexadecimal(&hash.finalize()))
    }

    /// Whether a record stands that tells of this key, and every file in `folder` is as it tells.
    fn is_done(&self, key: &str, folder: &Path, record_file: &Path) -> bool {
        let record: Option<Record> = std::fs::read_to_string(record_file)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        let Some(record) = record else {
            return false;
        };
        record.key == key
            && self.outputs.iter().all(|output| {
                let digest = digest_of(&folder.join(output)).ok();
                digest.is_some() && digest.as_ref() == record.outputs.get(*output)
            })
    }
}

fn remove(file: &PathBuf) -> Result<(), BuildError> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(BuildError::io("remove", file)(error))
        }
        _ => Ok(()),
    }
}

fn digest_of(file: &Path) -> Result<String, BuildError> {
    let bytes = std::fs::read(file).map_err(BuildError::io("read", file))?;
    Ok(hexadecimal(&Sha256::digest(bytes)))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step<'a>(folder: &'a Path, depends: &'a [String]) -> Step<'a> {
        Step {
            name: "copy",
            folder,
            depends,
            inputs: &["in"],
            outputs: &["out"],
            kept: None,
        }
    }

    fn copy(folder: &Path) -> impl FnOnce() -> Result<(), BuildError> {
        let (from, to) = (folder.join("in"), folder.join(partial("out")));
        move || {
            std::fs::copy(from, to).expect("a copy");
            Ok(())
        }
    }

    #[test]
    fn a_step_is_done_again_exactly_when_input_output_or_arguments_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect(name);
        let run = |depends: &[&str]| {
            let depends: Vec<String> = depends.iter().map(|&text| text.to_owned()).collect();
            step(folder, &depends).run(copy(folder)).expect("the step")
        };
        write("in", "one");
        assert!(run(&["tool 1", "-a"]), "nothing is there yet");
        assert!(!run(&["tool 1", "-a"]), "nothing has changed");
        write("in", "two");
        assert!(run(&["tool 1", "-a"]), "the input has changed");
        assert_eq!(
            std::fs::read_to_string(folder.join("out")).expect("out"),
            "two"
        );
        assert!(run(&["tool 2", "-a"]), "the tool has changed");
        assert!(run(&["tool 2", "-b"]), "an argument has changed");
        assert!(run(&["tool 2-b"]), "arguments do not run into one another");
        write("out", "edited");
        assert!(run(&["tool 2-b"]), "the output was changed");
        std::fs::remove_file(folder.join("out")).expect("out");
        assert!(run(&["tool 2-b"]), "the output was removed");
        write(".steps/copy", "no record");
        assert!(run(&["tool 2-b"]), "the record is damaged");
        assert!(!run(&["tool 2-b"]));
    }

    #[test]
    fn a_step_that_fails_leaves_the_old_output_and_is_done_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        std::fs::write(folder.join("in"), "one").expect("in");
        assert!(step(folder, &[]).run(copy(folder)).expect("the step"));
        std::fs::write(folder.join("in"), "two").expect("in");
        let failed = step(folder, &[]).run(|| {
            std::fs::write(folder.join(partial("out")), "half").expect("out");
            Err(BuildError::io("run", "tool")(std::io::Error::other(
                "it broke",
            )))
        });
        assert!(failed.is_err());
        assert_eq!(
            std::fs::read_to_string(folder.join("out")).expect("out"),
            "one"
        );
        assert!(!folder.join(partial("out")).exists());
        assert!(step(folder, &[]).run(copy(folder)).expect("the step"));
    }

    #[test]
    fn a_step_that_is_kept_is_done_once_for_all_folders() {
        let all = tempfile::tempdir().expect("a folder");
        let kept = all.path().join("kept");
        let build = |name: &str, text: &str| {
            let folder = all.path().join(name);
            std::fs::create_dir_all(folder.join(RECORDS)).expect(name);
            std::fs::write(folder.join("in"), text).expect("in");
            let done = Step {
                kept: Some(&kept),
                ..step(&folder, &[])
            }
            .run(copy(&folder));
            let out = std::fs::read_to_string(folder.join("out")).expect("out");
            (done.expect("the step"), out)
        };
        let text = |text: &str| text.to_owned();
        assert_eq!(build("a", "one"), (true, text("one")));
        assert_eq!(build("b", "one"), (false, text("one")), "a has done it");
        assert_eq!(build("c", "two"), (true, text("two")), "another input");
        let entries = || -> Vec<PathBuf> {
            let entries = std::fs::read_dir(&kept).expect("kept");
            entries.map(|entry| entry.expect("entry").path()).collect()
        };
        assert_eq!(entries().len(), 2);
        for entry in entries() {
            std::fs::write(entry.join("out"), "edited").expect("out");
        }
        assert_eq!(build("d", "one"), (true, text("one")), "damaged");
        assert_eq!(build("e", "one"), (false, text("one")), "d has mended it");
        assert_eq!(entries().len(), 2, "nothing is left over");
    }
}
