//! Journal of a figure run, which makes it resumable: one JSON line per finished unit.

use super::{Counts, FigureError, Results, Size, Unit};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Version of the journal and of the simulations: one goes up when either changes.
const FORMAT: u32 = 2;

/// What run a journal belongs to: its first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// [`Experiment::id`](super::Experiment::id).
    pub figure: String,
    /// Size of the run.
    pub size: Size,
    /// Seed of the run.
    pub seed: u64,
    /// Version of the simulations.
    pub format: u32,
}

impl JournalHeader {
    /// The header of a run of this version.
    pub fn new(figure: &str, size: Size, seed: u64) -> JournalHeader {
        JournalHeader {
            figure: figure.to_owned(),
            size,
            seed,
            format: FORMAT,
        }
    }
}

/// A line of a journal but the first.
#[derive(Serialize, Deserialize)]
struct Line {
    point: u32,
    part: u32,
    counts: Counts,
}

/// An open journal, locked against other processes. A unit outlives the process once [`Journal::add`] returns.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    results: Results,
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Closing alone keeps the lock while a child process that is just being started still has the file open.
        let _ = self.file.unlock();
    }
}

impl Journal {
    /// The file of a figure in a folder.
    pub fn path(folder: &Path, figure: &str) -> PathBuf {
        folder.join(format!("{figure}.journal"))
    }

    /// Opens or starts the journal of a run. A last line that a kill cut off is dropped.
    ///
    /// # Errors
    /// [`FigureError::OtherRun`] if it belongs to another run, [`FigureError::Busy`] if another process writes it,
    /// [`FigureError::Damaged`], [`FigureError::File`].
    pub fn open(path: PathBuf, header: &JournalHeader) -> Result<Journal, FigureError> {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|source| file_error("write", &path, source))?;
        // A file system without locks has none to refuse either.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(FigureError::Busy { path });
        }
        let whole = whole_lines(&path)?;
        let results = if whole.is_empty() {
            Results::new()
        } else {
            parse(&whole, &path, header)?
        };
        file.set_len(whole.len() as u64)
            .map_err(|source| file_error("write", &path, source))?;
        if whole.is_empty() {
            write_line(&mut file, header).map_err(|source| file_error("write", &path, source))?;
        }
        Ok(Journal {
            path,
            file,
            results,
        })
    }

    /// What is finished.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Keeps a finished unit.
    ///
    /// # Errors
    /// [`FigureError::File`].
    pub fn add(&mut self, unit: Unit, counts: Counts) -> Result<(), FigureError> {
        let line = Line {
            point: unit.point,
            part: unit.part,
            counts,
        };
        write_line(&mut self.file, &line)
            .map_err(|source| file_error("write", &self.path, source))?;
        self.results.insert(unit, line.counts);
        Ok(())
    }
}

/// One line in one write, so that a kill leaves whole lines and at most one cut one.
fn write_line(file: &mut File, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_string(value).map_err(std::io::Error::other)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}

/// The text up to the last line feed: what follows was being written when the run was killed.
fn whole_lines(path: &Path) -> Result<String, FigureError> {
    let mut bytes = fs::read(path).map_err(|source| file_error("read", path, source))?;
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    bytes.truncate(end.map_or(0, |end| end + 1));
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        FigureError::Damaged {
            path: path.to_owned(),
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            why: "it is not UTF-8".into(),
        }
    })
}

fn parse(text: &str, path: &Path, header: &JournalHeader) -> Result<Results, FigureError> {
    let damaged = |line: usize, error: serde_json::Error| FigureError::Damaged {
        path: path.to_owned(),
        line,
        why: error.to_string(),
    };
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let found: JournalHeader = serde_json::from_str(first).map_err(|error| damaged(1, error))?;
    if found != *header {
        let describe = |header: &JournalHeader| serde_json::to_string(header).unwrap_or_default();
        return Err(FigureError::OtherRun {
            path: path.to_owned(),
            found: describe(&found),
            expected: describe(header),
        });
    }
    lines
        .enumerate()
        .map(|(index, line)| {
            let line: Line =
                serde_json::from_str(line).map_err(|error| damaged(index + 2, error))?;
            let unit = Unit {
                point: line.point,
                part: line.part,
            };
            Ok((unit, line.counts))
        })
        .collect()
}

fn file_error(action: &'static str, path: &Path, source: std::io::Error) -> FigureError {
    FigureError::File {
        action,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(part: u32) -> Unit {
        Unit { point: 0, part }
    }

    fn filled(folder: &Path, parts: std::ops::Range<u32>) -> PathBuf {
        let path = Journal::path(folder, "f-1");
        let header = JournalHeader::new("f-1", Size::Quick, 7);
        let mut journal = Journal::open(path.clone(), &header).expect("a new journal");
        for part in parts {
            journal
                .add(unit(part), Counts(vec![u64::from(part), 9]))
                .expect("written");
        }
        path
    }

    #[test]
    fn a_line_cut_off_by_a_kill_is_run_again_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = filled(folder.path(), 0..5);
        let text = fs::read_to_string(&path).expect("text");
        fs::write(&path, &text[..text.len() - 3]).expect("cut");
        let header = JournalHeader::new("f-1", Size::Quick, 7);
        let mut journal = Journal::open(path.clone(), &header).expect("opens");
        assert_eq!(journal.results().len(), 4);
        journal.add(unit(4), Counts(vec![4, 9])).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), text);
    }

    #[test]
    fn a_journal_has_one_writer() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f-1.journal");
        let header = JournalHeader::new("f-1", Size::Quick, 7);
        let first = Journal::open(path.clone(), &header).expect("opens");
        let error = Journal::open(path.clone(), &header).expect_err("locked");
        assert!(matches!(error, FigureError::Busy { .. }), "{error}");
        drop(first);
        Journal::open(path, &header).expect("opens again");
    }

    #[test]
    fn bytes_that_are_no_text_name_their_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = filled(folder.path(), 0..3);
        let mut bytes = fs::read(&path).expect("bytes");
        let last = bytes.len() - 4;
        bytes[last] = 0xff;
        fs::write(&path, bytes).expect("damaged");
        let header = JournalHeader::new("f-1", Size::Quick, 7);
        let error = Journal::open(path, &header)
            .expect_err("damaged")
            .to_string();
        assert!(error.contains("line 4"), "{error}");
    }

    #[test]
    fn a_journal_of_another_seed_is_refused_with_both() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = filled(folder.path(), 0..1);
        let error = Journal::open(path, &JournalHeader::new("f-1", Size::Quick, 8))
            .expect_err("another run")
            .to_string();
        assert!(
            error.contains("\"seed\":7") && error.contains("\"seed\":8"),
            "{error}"
        );
    }

    #[test]
    fn damage_in_the_middle_names_the_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = filled(folder.path(), 0..3);
        let text = fs::read_to_string(&path)
            .expect("text")
            .replacen("\"part\":1", "\"part\":x", 1);
        fs::write(&path, text).expect("damaged");
        let error = Journal::open(path, &JournalHeader::new("f-1", Size::Quick, 7))
            .expect_err("damaged")
            .to_string();
        assert!(error.contains("line 3"), "{error}");
    }
}
