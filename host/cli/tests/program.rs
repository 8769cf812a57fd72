//! Programming a board, with a stand-in for openFPGALoader.

use crate::common::{run, run_with};
use std::path::Path;

const SUMMARY: &str = r#"{ "board": "versa-ecp5", "timing_met": true, "bitstream": "elsewhere/card.bit", "openfpgaloader": ["--cable", "ft2232"] }"#;

fn build(folder: &Path, summary: &str) {
    std::fs::create_dir(folder.join("built")).expect("a folder");
    std::fs::write(folder.join("built/build.json"), summary).expect("written");
    std::fs::write(folder.join("built/card.bit"), b"bits").expect("written");
}

/// A loader that prints its arguments and ends like this.
#[cfg(unix)]
fn loader(folder: &Path, code: u8) -> String {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join("loader");
    std::fs::write(
        &file,
        format!("#!/bin/sh\necho \"loads $@\"\nexit {code}\n"),
    )
    .expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("executable");
    file.display().to_string()
}

#[test]
#[cfg(unix)]
fn the_bitstream_of_a_build_goes_to_the_loader() {
    let folder = tempfile::tempdir().expect("a folder");
    build(folder.path(), SUMMARY);
    let printed = run(folder.path(), &["program", "built", "--print"]);
    assert_eq!(
        (printed.code, printed.stdout.as_str()),
        (0, "openFPGALoader --cable ft2232 built/card.bit\n")
    );
    let good = loader(folder.path(), 0);
    let variables = [("BLOOMLINE_OPENFPGALOADER", good.as_str())];
    let loaded = run_with(folder.path(), &["program", "built", "--flash"], &variables);
    assert_eq!(loaded.code, 0, "{}", loaded.stderr);
    assert!(
        loaded
            .stdout
            .starts_with("loads --cable ft2232 --write-flash built/card.bit\n"),
        "{}",
        loaded.stdout
    );
    let bad = loader(folder.path(), 3);
    let variables = [("BLOOMLINE_OPENFPGALOADER", bad.as_str())];
    let failed = run_with(folder.path(), &["program", "built"], &variables);
    assert_eq!(failed.code, 2);
    assert!(failed.stderr.contains("plugged in"), "{}", failed.stderr);
}

#[test]
fn what_cannot_be_loaded_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    build(
        folder.path(),
        &SUMMARY.replace("[\"--cable\", \"ft2232\"]", "[]"),
    );
    let refused = |folder: &Path, variables: &[(&str, &str)], part: &str| {
        let run = run_with(folder, &["program", "built"], variables);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{part}");
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    };
    refused(folder.path(), &[], "add a line openfpgaloader");
    std::fs::write(folder.path().join("built/build.json"), SUMMARY).expect("written");
    refused(
        folder.path(),
        &[("PATH", "")],
        "apt-get install openfpgaloader",
    );
    refused(
        folder.path(),
        &[("PATH", "")],
        "openFPGALoader --cable ft2232 built/card.bit",
    );
    std::fs::remove_file(folder.path().join("built/card.bit")).expect("removed");
    refused(folder.path(), &[], "card.bit: is not there; build again");
    std::fs::write(folder.path().join("built/build.json"), "{}").expect("written");
    refused(folder.path(), &[], "build again");
    std::fs::remove_file(folder.path().join("built/build.json")).expect("removed");
    refused(folder.path(), &[], "bloomline build SPEC --board NAME");
    #[cfg(unix)]
    {
        let endless = folder.path().join("built/build.json");
        std::os::unix::fs::symlink("/dev/zero", endless).expect("a link");
        refused(folder.path(), &[], "more than 1048576 bytes");
    }
}
