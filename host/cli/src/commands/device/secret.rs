//! Secrets of 128 bits: from a file, from standard input, or made by the operating system.

use anyhow::{anyhow, bail, Context};
use bloomline_spec::files;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
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

/// Writes a new secret to `file`, which must not be there, for its owner alone to read.
///
/// # Errors
/// The file cannot be made, or is there.
pub fn write_new(file: &Path, secret: u128) -> anyhow::Result<()> {
    let made = std::fs::File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)
        .and_then(|mut opened| {
            writeln!(opened, "{secret:032x}").inspect_err(|_| {
                // A file without its key, as a full disk leaves it, would be taken for one.
                let _ = std::fs::remove_file(file);
            })
        });
    made.map_err(|error| {
        let next = match error.kind() {
            ErrorKind::AlreadyExists => "leave out --new to load the one that is there",
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

    #[test]
    fn a_key_that_cannot_be_written_says_why_and_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("key");
        write_new(&file, 1).expect("it is written");
        let refused = |file: &Path| write_new(file, 2).expect_err("no file").to_string();
        assert!(refused(&file).ends_with("leave out --new to load the one that is there"));
        assert!(refused(&folder.path().join("none/key")).ends_with("its folder is there and yours"));
        assert_eq!(read("--from", &file).expect("the first key"), 1);
    }
}
