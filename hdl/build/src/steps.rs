//! Incremental build steps: a step is skipped while its inputs are unchanged.

use super::BuildError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the records of finished steps lie, in the folder of a build; it marks the folder as one.
pub const RECORDS: &str = ".steps";

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
    /// Does the step unless its record says that the files are there and nothing has changed; says whether it was done.
    ///
    /// `work` writes every output under its [`partial`] name.
    ///
    /// # Errors
    /// Those of `work`, after which all files are as they were; that a file cannot be read, written or renamed.
    pub fn run(&self, work: impl FnOnce() -> Result<(), BuildError>) -> Result<bool, BuildError> {
        let key = self.key()?;
        let record_file = self.folder.join(RECORDS).join(self.name);
        if self.is_done(&key, &record_file) {
            return Ok(false);
        }
        // No record stands beside files that it does not describe.
        remove(&record_file)?;
        let result = work();
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
        let record = serde_json::to_string_pretty(&Record { key, outputs })
            .expect("text and maps of text always serialise");
        bloomline_toolchain::whole_file::write(&record_file, &record)
            .map_err(BuildError::io("write", &record_file))?;
        Ok(true)
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

    /// Whether a record stands that tells of this key, and every file is as it tells.
    fn is_done(&self, key: &str, record_file: &Path) -> bool {
        let record: Option<Record> = std::fs::read_to_string(record_file)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        let Some(record) = record else {
            return false;
        };
        record.key == key
            && self.outputs.iter().all(|output| {
                let digest = digest_of(&self.folder.join(output)).ok();
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
}
