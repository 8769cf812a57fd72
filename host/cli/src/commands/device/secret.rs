//! Secrets of 128 bits: from a file, from standard input, or made by the operating system.

use anyhow::{anyhow, bail, Context};
use bloomline_spec::{files, Design};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

const DIGITS: usize = 32;
/// Bytes that are read of a file at most: what is longer is no secret, and may have no end.
const MOST_BYTES: u64 = 4096;

/// A secret that nobody can guess.
///
/// # Errors
/// The operating system has no random numbers.
pub fn random() -> anyhow::Result<u128> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow!("the operating system gives no random numbers: {error}"))?;
    Ok(u128::from_le_bytes(bytes))
}

/// Whether a rekey empties a filter of this design: only two phases keep a half under the secret before, unless they are cleared with it.
pub fn empties(design: &Design, clear: bool) -> bool {
    clear || design.recycling().is_none_or(|it| it.phases() == 1)
}

/// Says who reads a secret that is loaded over Ethernet.
pub fn warn_of_the_network(url: &str, what: &str) {
    if url.starts_with("etherbone:") {
        note!("warning: {url}: the {what} is sent unencrypted: anyone on the network path, and anyone who reads the mailbox before the next access, can read it; load it over the UART");
    }
}

/// The secret in `file`, `-` for standard input, which `option` names. It never stands on the command line, where every user of the machine can read it.
///
/// # Errors
/// It cannot be read, or is no secret.
pub fn read(option: &str, file: &Path) -> anyhow::Result<u128> {
    let read = match file.as_os_str() == "-" {
        true => files::bounded_text(std::io::stdin(), MOST_BYTES),
        false => files::text(file, MOST_BYTES),
    };
    let text = read.with_context(|| format!(
            "{option} {}: cannot be read; name a file with {DIGITS} hexadecimal digits, as `openssl rand -hex 16` prints",
            file.display()
        ))?;
    let digits = text.trim();
    let hexadecimal = digits.len() == DIGITS && digits.chars().all(|c| c.is_ascii_hexdigit());
    match u128::from_str_radix(digits, 16) {
        Ok(secret) if hexadecimal => Ok(secret),
        _ => bail!(
            "{option} {}: expected {DIGITS} hexadecimal digits, got {} characters; `openssl rand -hex 16` makes a secret",
            file.display(),
            digits.chars().count()
        ),
    }
}

/// What becomes of a file that keeps the secret before an earlier new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// It stays, and no new secret is written.
    Kept,
    /// The secret before this new one takes its place.
    Replaced,
}

/// The file that keeps the secret before the one in `file`: `FILE.old`.
pub fn earlier(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".old");
    name.into()
}

/// Removes what [`write_new`] kept.
///
/// # Errors
/// It cannot be removed.
pub fn remove_earlier(file: &Path) -> anyhow::Result<()> {
    let old = earlier(file);
    match std::fs::remove_file(&old) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(anyhow!(
            "{}: the earlier key, which is no longer in force, cannot be removed: {error}; remove it",
            old.display()
        )),
        _ => Ok(()),
    }
}

/// Writes a new secret to `file`, for its owner alone to read; in the place of an earlier secret, of nothing else. `FILE.old` keeps the earlier one.
///
/// # Errors
/// A file cannot be made, or holds something else.
pub fn write_new(file: &Path, secret: u128, keeps: Earlier) -> anyhow::Result<()> {
    if std::fs::symlink_metadata(file).is_ok() {
        let only =
            "--new takes the place of an earlier key only; name another file, or remove this one";
        let before = read("--new", file).context(only)?;
        let old = earlier(file);
        if std::fs::symlink_metadata(&old).is_ok() {
            read("--new", &old).context(only)?;
            if keeps == Earlier::Kept {
                bail!(
                    "{old}: keeps the key before a load that failed, and the card may have that one or the one in {file}; load {file} (`host-key SPEC {file}`, with the one of the two as `?key=` that the card takes, or over the UART), then remove {old}",
                    old = old.display(),
                    file = file.display()
                );
            }
        }
        write_whole(&old, before)?;
    }
    write_whole(file, secret)
}

/// Writes a secret to a file, whole or not at all, and on the disk when it is done.
fn write_whole(file: &Path, secret: u128) -> anyhow::Result<()> {
    let made = || -> std::io::Result<()> {
        let file = files::regular(file)?;
        let folder = file.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        // A temporary file is its owner's alone.
        let mut opened = tempfile::NamedTempFile::new_in(folder)?;
        writeln!(opened, "{secret:032x}")?;
        opened.as_file().sync_all()?;
        opened.persist(&file).map_err(|error| error.error)?;
        std::fs::File::open(folder)?.sync_all()
    };
    made().map_err(|error| {
        let next = match error.kind() {
            ErrorKind::StorageFull => "make room there, or name a file on another disk",
            _ => "check that its folder is there and yours",
        };
        anyhow!(
            "{}: the key cannot be written: {error}; {next}",
            file.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_new_key_takes_the_place_of_an_earlier_one_and_of_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("key");
        for secret in [1, 2] {
            write_new(&file, secret, Earlier::Kept).expect("it is written");
            assert_eq!(read("--from", &file).expect("a key"), secret);
            let mode = std::fs::metadata(&file).expect("it").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let old = folder.path().join("key.old");
        let kept = |secret| {
            assert_eq!(read("--from", &old).expect("a key"), secret);
            let mode = std::fs::metadata(&old).expect("it").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        };
        kept(1);
        let error = write_new(&file, 3, Earlier::Kept).expect_err("1 may be in force");
        assert!(error.to_string().contains("load that failed"), "{error}");
        kept(1);
        assert_eq!(read("--from", &file).expect("a key"), 2);
        write_new(&file, 3, Earlier::Replaced).expect("it is written");
        kept(2);
        remove_earlier(&file).expect("it is there");
        remove_earlier(&file).expect("it is gone");
        assert!(!old.exists());
        let refused = |file: &Path| {
            format!(
                "{:#}",
                write_new(file, 3, Earlier::Replaced).expect_err("no file")
            )
        };
        let notes = folder.path().join("notes");
        std::fs::write(&notes, "mine").expect("a file");
        let error = refused(&notes);
        assert!(
            error.starts_with("--new takes the place of an earlier key only; name another file"),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&notes).expect("notes"), "mine");
        assert!(refused(&folder.path().join("none/key")).ends_with("its folder is there and yours"));
    }
}
