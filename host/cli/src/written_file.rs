//! Files that options name for results: never an input of the same run, never a file of another format.

use anyhow::bail;
use std::fs::{metadata, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Format of a result, by which an earlier one is recognised.
#[derive(Debug, Clone, Copy)]
pub enum Format {
    /// A page.
    Html,
    /// A report for programs.
    Json,
    /// Frames, as this command writes them.
    Pcap,
    /// The array of a device.
    Snapshot,
    /// A waveform.
    Vcd,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Html => "HTML page",
            Format::Json => "JSON report",
            Format::Pcap => "capture that this command wrote",
            Format::Snapshot => "snapshot",
            Format::Vcd => "VCD waveform",
        }
    }

    /// How its files begin; those of earlier versions may begin otherwise.
    fn starts(self) -> &'static [&'static [u8]] {
        match self {
            Format::Html => &[b"<!DOCTYPE html>"],
            Format::Json => &[b"{"],
            // most significant byte first: captures of usual computers are not
            Format::Pcap => &[&[0xa1, 0xb2, 0x3c, 0x4d], &[0xa1, 0xb2, 0xc3, 0xd4]],
            Format::Snapshot => &[b"BLMSNAP\n"],
            Format::Vcd => &[b"$"],
        }
    }
}

/// Says whether a run with these inputs may write the file that `option` names: one that is not there, is empty, or holds an earlier result of the format.
///
/// # Errors
/// The file is an input, under whatever name, or holds something else.
pub fn may_write(
    option: &str,
    file: &Path,
    format: Format,
    inputs: &[&Path],
) -> anyhow::Result<()> {
    let Ok(found) = metadata(file) else {
        return Ok(());
    };
    if found.is_dir() {
        bail!("{option} {}: is a folder; name a file", file.display());
    }
    if !found.is_file() {
        return Ok(());
    }
    let place = (found.dev(), found.ino());
    let is_found =
        |input: &&&Path| metadata(input).is_ok_and(|input| (input.dev(), input.ino()) == place);
    if let Some(input) = inputs.iter().find(is_found) {
        bail!(
            "{option} {}: would replace the input {}; name another file",
            file.display(),
            input.display()
        );
    }
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| {
        let longest = format.starts().iter().map(|start| start.len()).max();
        file.take(longest.unwrap_or(0) as u64)
            .read_to_end(&mut start)
    });
    let mut starts = format.starts().iter();
    let is_earlier = read.is_ok() && starts.any(|known| start.eq_ignore_ascii_case(known));
    if found.len() > 0 && !is_earlier {
        bail!(
            "{option} {}: is there already and is no {}; name another file, or remove it first",
            file.display(),
            format.name()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_and_files_of_other_formats_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("written");
        write("in.vcd", "$timescale 1 ns $end");
        write("out.vcd", "$timescale 1 ns $end");
        write("empty.vcd", "");
        write("notes.txt", "notes");
        std::os::unix::fs::symlink(path("in.vcd"), path("link.vcd")).expect("a link");
        std::fs::hard_link(path("in.vcd"), path("hard.vcd")).expect("a link");
        let input = path("in.vcd");
        let check = |name: &str| may_write("--waves", &path(name), Format::Vcd, &[&input]);
        for name in ["new.vcd", "out.vcd", "empty.vcd"] {
            check(name).expect(name);
        }
        for name in ["in.vcd", "./in.vcd", "link.vcd", "hard.vcd", "notes.txt"] {
            let refused = check(name).expect_err(name).to_string();
            assert!(refused.contains("name another file"), "{refused}");
        }
        let refused = check(".").expect_err("a folder").to_string();
        assert!(refused.ends_with("is a folder; name a file"), "{refused}");
    }
}
