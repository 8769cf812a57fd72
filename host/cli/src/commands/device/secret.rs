//! Secrets of 128 bits: from a file, from standard input, or made by the operating system.

use anyhow::{anyhow, bail, Context};
use bloomline_spec::files;
use std::io::{ErrorKind, Write};
use std::path::Path;

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

/// Writes a new secret to `file`, whole or not at all, for its owner alone to read; in the place of an earlier secret, of nothing else.
///
/// # Errors
/// The file cannot be made, or holds something else.
pub fn write_new(file: &Path, secret: u128) -> anyhow::Result<()> {
    if std::fs::symlink_metadata(file).is_ok() {
        read("--new", file).context(
            "--new takes the place of an earlier key only; name another file, or remove this one",
        )?;
    }
    let made = || -> std::io::Result<()> {
        let file = files::regular(file)?;
        let folder = file.parent().filter(|folder| *folder != Path::new(""));
        // A temporary file is its owner's alone.
        let mut opened = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        writeln!(opened, "{secret:032x}")?;
        opened.persist(&file).map_err(|error| error.error)?;
        Ok(())
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
            write_new(&file, secret).expect("it is written");
            assert_eq!(read("--from", &file).expect("a key"), secret);
            let mode = std::fs::metadata(&file).expect("it").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let refused = |file: &Path| format!("{:#}", write_new(file, 3).expect_err("no file"));
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
