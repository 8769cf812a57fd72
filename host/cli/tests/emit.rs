//! Claims about what `emit` writes.

use crate::common::{edited, folder, names, root, run, BASE};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const FILES: [&str; 18] = [
    "component.xml",
    "constraints/tiny.lpf",
    "constraints/tiny.sdc",
    "constraints/tiny.xdc",
    "manifest.json",
    "registers.md",
    "registers.rdl",
    "sim/bloomline_reference.py",
    "sim/tb_tiny.v",
    "sim/test_tiny.py",
    "software/csr.csv",
    "software/csr.json",
    "software/tiny.h",
    "templates/tiny.sv",
    "templates/tiny.v",
    "templates/tiny.vhd",
    "tiny.core",
    "tiny.v",
];

fn emit(folder: &Path, extra: &[&str]) {
    let run = run(
        folder,
        &[&["emit", "tiny.toml", "--out", "out"], extra].concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
}

fn manifest(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("out/manifest.json")).expect("a manifest");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_manifest_is_taken_for_its_specification() {
    let folder = folder(BASE);
    emit(folder.path(), &[]);
    let plan = |file: &str| {
        let run = run(folder.path(), &["plan", file, "--json"]);
        assert_eq!(run.code, 0, "{file}: {}", run.stderr);
        run.stdout.replace(file, "")
    };
    assert_eq!(plan("out/manifest.json"), plan("tiny.toml"));
    let again = run(
        folder.path(),
        &["emit", "out/manifest.json", "--out", "again"],
    );
    assert_eq!(again.code, 0, "{}", again.stderr);
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is there");
    assert_eq!(text("again/manifest.json"), text("out/manifest.json"));
    fs::write(folder.path().join("none.json"), "{}").expect("a file");
    let none = run(folder.path(), &["verify", "none.json"]);
    assert!(
        none.stderr.contains("none.json: no manifest of a filter"),
        "{}",
        none.stderr
    );
    let other =
        text("out/manifest.json").replace("\"geometry_hash\": \"0x", "\"geometry_hash\": \"0x1");
    fs::write(folder.path().join("other.json"), other).expect("a file");
    let other = run(folder.path(), &["plan", "other.json"]);
    assert!(
        other.stderr.contains("the manifest says geometry hash 0x1"),
        "{}",
        other.stderr
    );
}

#[test]
fn every_file_is_there_and_named_on_stdout() {
    let folder = folder(BASE);
    let run = run(
        folder.path(),
        &["emit", "tiny.toml", "--out", "out", "--json"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let mut reported: Vec<String> = serde_json::from_value(report["files"].clone()).expect("names");
    reported.sort();
    assert_eq!(reported, FILES);
    let out = folder.path().join("out");
    let missing = FILES.iter().find(|file| !out.join(file).is_file());
    assert_eq!(missing, None);
    let mut top: Vec<&str> = FILES
        .iter()
        .filter_map(|file| file.split('/').next())
        .collect();
    top.dedup();
    assert_eq!(names(&out), top);
    assert_eq!(
        names(folder.path()),
        ["out", "tiny.toml"],
        "no temporary folder stays"
    );
}

#[test]
fn emitting_twice_gives_the_same_bytes() {
    let folder = folder(BASE);
    emit(folder.path(), &[]);
    let read = || FILES.map(|name| fs::read(folder.path().join("out").join(name)).expect("a file"));
    let first = read();
    emit(folder.path(), &["--force"]);
    assert!(first == read());
}

#[test]
fn an_earlier_emission_goes_only_with_force_and_as_a_whole() {
    let folder = folder(BASE);
    emit(folder.path(), &[]);
    let again = run(folder.path(), &["emit", "tiny.toml", "--out", "out"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    fs::write(
        folder.path().join("tiny.toml"),
        edited(&[("\"tiny\"", "\"other\"")]),
    )
    .expect("a specification");
    emit(folder.path(), &["--force"]);
    let expected = [
        "component.xml",
        "constraints",
        "manifest.json",
        "other.core",
        "other.v",
        "registers.md",
        "registers.rdl",
        "sim",
        "software",
        "templates",
    ];
    assert_eq!(names(&folder.path().join("out")), expected);
    assert_eq!(names(folder.path()), ["out", "tiny.toml"]);
}

/// Only what an emission wrote is replaced.
#[test]
fn files_that_no_emission_wrote_stay() {
    let folder = folder(BASE);
    let out = folder.path().join("out");
    emit(folder.path(), &[]);
    let kept = ["notes.txt", "sim/waves.vcd", "results/deep/a.log"];
    for name in kept {
        let file = out.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(&file, name).expect("written");
    }
    let other = edited(&[("\"tiny\"", "\"other\"")]);
    fs::write(folder.path().join("tiny.toml"), other).expect("a specification");
    emit(folder.path(), &["--force"]);
    for name in kept {
        let text = fs::read_to_string(out.join(name)).expect("it is still there");
        assert_eq!(text, name);
    }
    assert!(!out.join("tiny.v").exists() && !out.join("sim/tb_tiny.v").exists());
    assert_eq!(names(folder.path()), ["out", "tiny.toml"]);

    // a file in the way, and a folder with a manifest of something else
    fs::write(folder.path().join("tiny.toml"), BASE).expect("a specification");
    fs::write(out.join("tiny.v"), "my own").expect("written");
    let web = folder.path().join("web");
    fs::create_dir(&web).expect("made");
    fs::write(web.join("manifest.json"), "{\"files\": []}").expect("written");
    for (to, says) in [("out", "tiny.v is no file"), ("web", "holds other files")] {
        let run = run(
            folder.path(),
            &["emit", "tiny.toml", "--out", to, "--force"],
        );
        assert_eq!(run.code, 2, "{to}");
        assert!(run.stderr.contains(says), "{to}: {}", run.stderr);
    }
    assert_eq!(
        fs::read_to_string(out.join("tiny.v")).expect("mine"),
        "my own"
    );
    assert!(out.join("other.v").exists() && web.join("manifest.json").exists());
}

/// A folder may come from others: what links in it lead to is no emission's.
#[test]
fn files_behind_a_link_in_the_place_of_a_folder_stay_where_they_are() {
    let folder = folder(BASE);
    emit(folder.path(), &[]);
    let (link, elsewhere) = (folder.path().join("out/sim"), folder.path().join("mine"));
    fs::remove_dir_all(&link).expect("removed");
    fs::create_dir(&elsewhere).expect("made");
    fs::write(elsewhere.join("thesis.tex"), "mine").expect("written");
    std::os::unix::fs::symlink(&elsewhere, &link).expect("a link");
    let forced = ["emit", "tiny.toml", "--out", "out", "--force"];
    let run = run(folder.path(), &forced);
    assert_eq!(names(&elsewhere), ["thesis.tex"]);
    assert!(
        run.code == 2
            && run
                .stderr
                .contains("out/sim is no file of the earlier emission"),
        "{}",
        run.stderr
    );
}

/// The same of the folder that a vendor's tool works in.
#[test]
fn a_script_in_the_place_of_a_link_leaves_what_it_leads_to() {
    let folder = folder(BASE);
    let build = || {
        let verb = [
            "build",
            "tiny.toml",
            "--flow",
            "vivado",
            "--part",
            "xc7a35t-csg324-1",
            "--out",
            "out",
        ];
        let run = run(folder.path(), &verb);
        assert_eq!(run.code, 0, "{}", run.stderr);
    };
    build();
    let (link, mine) = (folder.path().join("out/tiny.v"), folder.path().join("mine"));
    fs::remove_file(&link).expect("removed");
    fs::write(&mine, "mine").expect("written");
    std::os::unix::fs::symlink(&mine, &link).expect("a link");
    build();
    assert_eq!(fs::read_to_string(&mine).expect("it"), "mine");
    assert!(fs::read_to_string(&link)
        .expect("it")
        .contains("module tiny"));
}

#[test]
fn the_header_says_where_the_text_comes_from() {
    let folder = folder(BASE);
    emit(folder.path(), &[]);
    let text = fs::read_to_string(folder.path().join("out/tiny.v")).expect("Verilog");
    let header: String = text
        .lines()
        .take_while(|line| line.starts_with("//"))
        .collect();
    let hash = manifest(folder.path())["geometry_hash"]
        .as_str()
        .expect("a hash")
        .to_owned();
    for part in [
        "tiny",
        env!("CARGO_PKG_VERSION"),
        "MIT OR Apache-2.0",
        hash.trim_start_matches("0x"),
    ] {
        assert!(header.contains(part), "{part} is not in: {header}");
    }
}

#[test]
fn the_ports_of_the_manifest_are_those_of_the_verilog() {
    let wide = edited(&[("bits = 104", "bits = 300\ntag_bits = 9")]);
    let uart = "[target]\nclock_hz = 100_000_000\n[card]\nuart_baud = 115_200\n";
    for (card, top) in [("", "tiny"), ("[card]\n", "tiny_card"), (uart, "tiny_card")] {
        ports_agree(&format!("{wide}\n{card}"), top);
    }
    let keyed = edited(&[("bits = 104", "source = \"ipv4-5tuple\"")]);
    for (card, data_bits) in [("[card]\n", 8), (uart, 64), ("[card]\n", 512)] {
        let packet =
            format!("{keyed}\n{card}[packet]\ntrusted_keys = true\ndata_bits = {data_bits}\n");
        ports_agree(&packet, "tiny_path");
    }
}

/// The manifest of `spec` states the ports of its top module, `top`, and so does the core description.
fn ports_agree(spec: &str, top: &str) {
    let folder = folder(spec);
    emit(folder.path(), &[]);
    let text = fs::read_to_string(folder.path().join("out/tiny.v")).expect("Verilog");
    let start = text
        .rfind(&format!("\nmodule {top} "))
        .expect("the top module");
    let list = &text[start..start + text[start..].find("\n);").expect("its ports")];
    let declared: Vec<(String, u64, String)> = list.lines().filter_map(declaration).collect();
    let manifest = manifest(folder.path());
    let stated: Vec<(String, u64, String)> = manifest["ports"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|port| {
            assert!(
                port["doc"].as_str().is_some_and(|doc| !doc.is_empty()),
                "{port}"
            );
            let text = |key: &str| port[key].as_str().expect("text").to_owned();
            (
                text("direction"),
                port["width"].as_u64().expect("a width"),
                text("name"),
            )
        })
        .collect();
    assert_eq!(declared, stated);
    assert_eq!(manifest["top"], top);
    let core = fs::read_to_string(folder.path().join("out/tiny.core")).expect("a core description");
    assert!(core.contains(&format!("toplevel: {top}\n")), "{core}");
}

/// Direction, width and name of a line such as `  output wire [3:0] m_verdict_tdata, // ..`.
fn declaration(line: &str) -> Option<(String, u64, String)> {
    let code = line.split("//").next()?.trim().trim_end_matches(',');
    let mut words = code.split_whitespace();
    let direction = words
        .next()
        .filter(|word| ["input", "output"].contains(word))?;
    let rest: Vec<&str> = words.collect();
    let range = rest
        .iter()
        .find_map(|word| word.strip_prefix('[')?.strip_suffix(":0]"));
    let width = range.map_or(1, |highest| highest.parse::<u64>().expect("a number") + 1);
    Some((direction.to_owned(), width, (*rest.last()?).to_owned()))
}

#[test]
fn the_manifest_carries_the_specification_as_read() {
    let folder = folder(BASE);
    emit(folder.path(), &[]);
    assert_eq!(manifest(folder.path())["specification"], BASE);
}

/// The script's exit code and what it said; `None` where there is no Python, which is a failure in CI.
fn check_vectors(manifest: &Path) -> Option<(i32, String)> {
    let script = root().join("tests/tests/check_vectors.py");
    match Command::new("python3").arg(script).arg(manifest).output() {
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            Some((
                output.status.code().expect("ends by itself"),
                String::from_utf8_lossy(&said).into_owned(),
            ))
        }
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
            panic!("python3 is needed in CI: {error}")
        }
        Err(error) => {
            eprintln!("skipped: python3 does not start: {error}");
            None
        }
    }
}

#[test]
fn an_independent_script_recomputes_the_vectors_of_every_kind_of_hash() {
    let kinds: [&[(&str, &str)]; 6] = [
        &[],
        &[("\"double\"", "\"independent\"")],
        &[("\"h3-sbox\"", "\"h3\"")],
        &[
            ("\"h3-sbox\"", "\"h3\""),
            ("\"double\"", "\"independent\""),
            ("hashes = 4", "hashes = 1"),
        ],
        &[
            ("bits = 104", "bits = 512"),
            ("131072", "16777216"),
            ("hashes = 4", "hashes = 8\naccept_two_hash_floor = true"),
        ],
        &[
            ("bits = 104", "bits = 1"),
            ("seed = 1", "seed = 9"),
            ("131072", "4096"),
            ("20000", "900"),
        ],
    ];
    for edits in kinds {
        let folder = folder(&edited(edits));
        emit(folder.path(), &[]);
        if let Some((code, said)) = check_vectors(&folder.path().join("out/manifest.json")) {
            assert_eq!((code, said.trim()), (0, "16 vectors agree"), "{edits:?}");
        }
    }
}

#[test]
fn the_script_finds_one_wrong_bit() {
    let folder = folder(BASE);
    emit(folder.path(), &[]);
    let mut manifest = manifest(folder.path());
    let index = manifest["vectors"][7]["indices"][2]
        .as_u64()
        .expect("an index");
    manifest["vectors"][7]["indices"][2] = (index ^ 1).into();
    let path = folder.path().join("wrong.json");
    fs::write(&path, manifest.to_string()).expect("a file");
    if let Some((code, said)) = check_vectors(&path) {
        assert_eq!(code, 1, "{said}");
        assert!(
            said.contains("indices") && said.lines().count() == 1,
            "{said}"
        );
    }
}

#[test]
fn the_manifest_and_the_registers_of_a_filter_with_error_correction_say_so() {
    let folder = folder(&edited(&[("[key]", "[memory]\necc = true\n[key]")]));
    emit(folder.path(), &[]);
    assert_eq!(manifest(folder.path())["geometry"]["ecc"], true);
    let registers = fs::read_to_string(folder.path().join("out/registers.md")).expect("a map");
    assert!(registers.contains("ECC_UNCORRECTABLE_LO"), "{registers}");
    let plain = self::folder(BASE);
    emit(plain.path(), &[]);
    assert_eq!(manifest(plain.path())["geometry"].get("ecc"), None);
}

#[test]
fn the_manifest_and_the_registers_of_a_filter_with_parity_say_so() {
    let folder = folder(&edited(&[("[key]", "[memory]\nparity = \"empty\"\n[key]")]));
    emit(folder.path(), &[]);
    assert_eq!(manifest(folder.path())["geometry"]["parity"], "empty");
    let registers = fs::read_to_string(folder.path().join("out/registers.md")).expect("a map");
    assert!(registers.contains("PARITY_ERRORS_LO"), "{registers}");
    let plain = self::folder(BASE);
    emit(plain.path(), &[]);
    assert_eq!(manifest(plain.path())["geometry"].get("parity"), None);
}
