//! Secrets of 128 bits: from a file, from standard input, or made by the operating system.

use anyhow::{anyhow, bail, Context};
use bloomline_spec::files;
use std::io::Write;
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
        .and_then(|mut file| writeln!(file, "{secret:032x}"));
    made.with_context(|| {
        format!(
            "{}: the key cannot be written; leave out --new to load the one that is there",
            file.display()
        )
    })
}
