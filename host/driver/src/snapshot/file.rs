//! The file: a header that says what the array is, its words, and a check sum over both. All numbers little-endian.
//!
//! | bytes | |
//! |---|---|
//! | 0 to 7 | `BLMSNAP` and a line feed |
//! | 8 to 11 | format version: 1 for filters of cells, 2 for recycling filters |
//! | 12 to 15 | bytes before the first word, H: the name's place and the name, rounded up to a multiple of 4 |
//! | 16 to 19 | kind: the type of the filter's register block (1 recycling, 3 static, 4 counting, 5 Count-Min) |
//! | 20 to 23 | bits of a cell |
//! | 24 to 27, 28 to 31 | banks of a half, hashes |
//! | 32 to 39, 40 to 47 | words of a bank, cells of a bank that probes go to |
//! | 48 to 55 | geometry hash |
//! | 56 to 63, 64 to 71 | counter ITEMS before and after |
//! | 72 to 75 | flags: bit 0 distinct positions, bit 1 keyed hash, bit 2 two panes (version 1, a counting filter over a window), bit 3 a union or intersection |
//! | 76 to 79 | bytes of the filter's name |
//! | version 2: 80 to 83 | halves, 1 or 2 |
//! | 84 to 87, 88 to 91 | number of the active half; what the threshold is about, 0 bits set, 1 messages |
//! | 92 to 95, 96 to 103 | register MESSAGES, register THRESHOLD |
//! | 104 to 111 | counter RECYCLES |
//! | from 80, in version 2 from 112 | the name in UTF-8 |
//! | H on | the words, bank 0 first, the active half or pane before the frozen one |
//! | last 4 | CRC-32 (IEEE 802.3) of everything before |

use super::{ArrayShape, Cycle, Snapshot, SnapshotError};
use bloomline_spec::{files, FilterKind, RecycleOn};
use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Newest version of the format: that of recycling filters.
pub const SNAPSHOT_VERSION: u32 = 2;
/// Version of the files of filters of cells.
const CELLS_VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"BLMSNAP\n";
/// Bytes of the header before the name, of a filter of cells and of a recycling one.
const FIXED_BYTES: usize = 80;
const FIXED_BYTES_OF_HALVES: usize = 112;
const CHECK_BYTES: usize = 4;
/// Longest file behind the magic, in bytes: the largest memory has 2^33 bits, 1 GiB, and words are at least half filled by their cells.
const MOST_BYTES: u64 = 1 << 31;
/// Longest name that a header is believed to have, in bytes.
const LONGEST_NAME: usize = 4096;
const FLAG_DISTINCT: u32 = 1;
const FLAG_KEYED: u32 = 2;
const FLAG_PANES: u32 = 4;
const FLAG_COMBINED: u32 = 8;

impl Snapshot {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = &self.shape;
        let name = shape.name.as_bytes();
        let (version, fixed) = match self.cycle {
            None => (CELLS_VERSION, FIXED_BYTES),
            Some(_) => (SNAPSHOT_VERSION, FIXED_BYTES_OF_HALVES),
        };
        let start = (fixed + name.len()).next_multiple_of(4);
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        let mut bytes = Vec::with_capacity(start + 4 * self.words.len() + CHECK_BYTES);
        bytes.extend(MAGIC);
        for word in [
            version,
            start as u32,
            shape.kind.block_type(),
            shape.cell_bits,
            shape.banks,
            shape.hashes,
        ] {
            bytes.extend(word.to_le_bytes());
        }
        let [before, after] = self.items;
        for long in [
            shape.words_per_bank,
            shape.range,
            shape.geometry_hash,
            before,
            after,
        ] {
            bytes.extend(long.to_le_bytes());
        }
        let panes = self.cycle.is_none() && shape.halves == 2;
        let flags = flag(shape.distinct, FLAG_DISTINCT)
            | flag(shape.keyed, FLAG_KEYED)
            | flag(panes, FLAG_PANES)
            | flag(self.combined, FLAG_COMBINED);
        bytes.extend(flags.to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
        if let Some(cycle) = &self.cycle {
            let on = u32::from(cycle.on == RecycleOn::Messages);
            for word in [shape.halves, cycle.active_half, on, cycle.messages] {
                bytes.extend(word.to_le_bytes());
            }
            for long in [cycle.threshold, cycle.recycles] {
                bytes.extend(long.to_le_bytes());
            }
        }
        bytes.extend(name);
        bytes.resize(start, 0);
        for word in &self.words {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The snapshot of a file's bytes; `path` is what errors name.
    ///
    /// # Errors
    /// [`SnapshotError`] for anything that [`Snapshot::to_bytes`] does not give.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Snapshot, SnapshotError> {
        let path = || path.to_owned();
        if !bytes.starts_with(&MAGIC) {
            return Err(SnapshotError::Foreign { path: path() });
        }
        let wrong_length = |expected: u64| SnapshotError::Length {
            path: path(),
            expected,
            got: bytes.len() as u64,
        };
        if bytes.len() < FIXED_BYTES + CHECK_BYTES {
            return Err(wrong_length((FIXED_BYTES + CHECK_BYTES) as u64));
        }
        let word = |at: usize| {
            let of = |place: usize| u32::from(bytes[at + place]) << (8 * place);
            of(0) | of(1) | of(2) | of(3)
        };
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let version = word(8);
        let fixed = match version {
            CELLS_VERSION => FIXED_BYTES,
            SNAPSHOT_VERSION => FIXED_BYTES_OF_HALVES,
            got => {
                return Err(SnapshotError::Version {
                    path: path(),
                    expected: SNAPSHOT_VERSION,
                    got,
                })
            }
        };
        if bytes.len() < fixed + CHECK_BYTES {
            return Err(wrong_length((fixed + CHECK_BYTES) as u64));
        }
        let recycles = version == SNAPSHOT_VERSION;
        let halves = match recycles {
            true => word(80),
            false => 1 + u32::from(word(72) & FLAG_PANES != 0),
        };
        let (contents, _) = bytes.split_at(bytes.len() - CHECK_BYTES);
        let (expected, got) = (crc32fast::hash(contents), word(contents.len()));
        let sound = expected == got;
        let damaged = || SnapshotError::Damaged {
            path: path(),
            expected,
            got,
        };
        let (banks, words_per_bank) = (word(24), long(32));
        let (start, name_bytes) = (word(12) as usize, word(76) as usize);
        let length = u64::from(banks)
            .checked_mul(words_per_bank)
            .and_then(|words| words.checked_mul(halves.into()))
            .and_then(|words| words.checked_mul(4))
            .and_then(|bytes| bytes.checked_add(start as u64 + CHECK_BYTES as u64));
        match length {
            // What it lost or gained says more than that the check sum does not fit.
            Some(length) if length != bytes.len() as u64 && start <= fixed + LONGEST_NAME => {
                return Err(wrong_length(length))
            }
            _ if !sound => return Err(damaged()),
            _ => {}
        }
        let header = |field, expected, got: u64, legal: bool| match legal {
            true => Ok(()),
            false => Err(SnapshotError::Header {
                path: path(),
                field,
                expected,
                got,
            }),
        };
        let (cell_bits, hashes, range) = (word(20), word(28), long(40));
        let mut kinds = FilterKind::ALL.iter().copied();
        let kind = kinds.find(|kind| {
            let halves = *kind == FilterKind::Recycling;
            kind.block_type() == word(16) && kind.has_array() && halves == recycles
        });
        let kinds = ["3, 4 or 5", "1"][usize::from(recycles)];
        header("kind", kinds, word(16).into(), kind.is_some())?;
        let cycle = match recycles {
            false => None,
            true => {
                let [active_half, on] = [84, 88].map(word);
                let some_halves = (1..=2).contains(&halves);
                header("halves", "1 or 2", halves.into(), some_halves)?;
                let there = active_half < halves;
                header("active half", "one of them", active_half.into(), there)?;
                header("rule of the threshold", "0 or 1", on.into(), on <= 1)?;
                let one_bit = word(20) == 1;
                header("bits of a cell", "1", word(20).into(), one_bit)?;
                Some(Cycle {
                    on: match on {
                        0 => RecycleOn::BitsSet,
                        _ => RecycleOn::Messages,
                    },
                    active_half,
                    threshold: long(96),
                    messages: word(92),
                    recycles: long(104),
                })
            }
        };
        let cell_fits = (1..=32).contains(&cell_bits);
        header("bits of a cell", "1 to 32", cell_bits.into(), cell_fits)?;
        let some_hashes = (1..=64).contains(&hashes);
        header("hashes", "1 to 64", hashes.into(), some_hashes)?;
        let banks_fit = banks == 1 || banks == hashes;
        header("banks", "1, or as many as hashes", banks.into(), banks_fit)?;
        let (words, words_fit) = match recycles {
            true => ("1 or more", words_per_bank > 0),
            false => ("a power of two", words_per_bank.is_power_of_two()),
        };
        header("words of a bank", words, words_per_bank, words_fit)?;
        let name_fits = name_bytes <= LONGEST_NAME
            && start == (fixed + name_bytes).next_multiple_of(4)
            && start + CHECK_BYTES <= bytes.len();
        header(
            "start of the words",
            "the name's end",
            start as u64,
            name_fits,
        )?;
        let length_fits = length == Some(bytes.len() as u64);
        header(
            "words of a bank",
            "those of the file",
            words_per_bank,
            length_fits,
        )?;
        let name = std::str::from_utf8(&bytes[fixed..fixed + name_bytes]);
        header("name", "UTF-8", name_bytes as u64, name.is_ok())?;
        let flags = word(72);
        let shape = ArrayShape {
            name: name.unwrap_or_default().to_owned(),
            kind: kind.unwrap_or(FilterKind::Static),
            geometry_hash: long(48),
            hashes,
            halves,
            banks,
            words_per_bank,
            cell_bits,
            range,
            distinct: flags & FLAG_DISTINCT != 0,
            keyed: flags & FLAG_KEYED != 0,
        };
        let in_bank = (1..=words_per_bank * u64::from(shape.lanes())).contains(&range);
        header("cells of a bank", "those of its words", range, in_bank)?;
        let words = contents[start..].chunks_exact(4).map(|bytes| {
            let place = bytes.iter().rev();
            place.fold(0, |word, &byte| word << 8 | u32::from(byte))
        });
        let mut snapshot = Snapshot::new(shape, words.collect(), [long(56), long(64)]);
        snapshot.combined = flags & FLAG_COMBINED != 0;
        Ok(match cycle {
            Some(cycle) => snapshot.with_cycle(cycle),
            None => snapshot,
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn load(path: &Path) -> Result<Snapshot, SnapshotError> {
        let read = || {
            let file = File::open(path)?;
            let mut bytes = Vec::new();
            (&file).take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
            // What is no snapshot is not read to its end, which it may not have.
            if bytes == MAGIC {
                bytes.extend(files::bounded(file, MOST_BYTES)?);
            }
            Ok(bytes)
        };
        let bytes = read().map_err(|source| SnapshotError::Io {
            path: path.to_owned(),
            what: "read",
            source,
        })?;
        Snapshot::from_bytes(&bytes, path)
    }

    /// Writes a file: beside it first, then renamed, so that there is never a part of one under its name.
    ///
    /// # Errors
    /// [`SnapshotError::Io`]; what stood there before stands there still.
    pub fn save(&self, path: &Path) -> Result<(), SnapshotError> {
        let write = || {
            let (mut file, path) = beside(path)?;
            file.write_all(&self.to_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|source| not_written(path, source))
    }

    /// Whether a snapshot can be saved at `path`, to be asked before an array is read, which may take minutes. Leaves nothing there.
    ///
    /// # Errors
    /// Those of [`Snapshot::save`], but for a full disk.
    pub fn may_save(path: &Path) -> Result<(), SnapshotError> {
        let tried = beside(path).map(|_| ());
        tried.map_err(|source| not_written(path, source))
    }
}

/// A temporary file in the folder of `path`, and the file that it may become.
fn beside(path: &Path) -> io::Result<(NamedTempFile, PathBuf)> {
    let path = files::regular(path)?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let file = tempfile::Builder::new()
        .prefix(".snapshot-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    Ok((file, path))
}

fn not_written(path: &Path, source: io::Error) -> SnapshotError {
    SnapshotError::Io {
        path: path.to_owned(),
        what: "written",
        source,
    }
}
