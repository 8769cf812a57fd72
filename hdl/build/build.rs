//! Lists the boards of `constraints/`, one a folder with a `board.toml`, so that a new board needs no Rust.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let folder = root.join("../../constraints");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut boards: Vec<(String, PathBuf)> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()))
        .filter_map(|entry| {
            let entry = entry.expect("an entry of a folder that was read");
            let file = entry.path().join("board.toml");
            let name = entry.file_name().to_string_lossy().into_owned();
            file.is_file().then_some((name, file))
        })
        .collect();
    boards.sort();
    let mut list = String::from("&[\n");
    for (name, file) in &boards {
        let file = fs::canonicalize(file).expect("a file that was found");
        println!("cargo::rerun-if-changed={}", file.display());
        writeln!(list, "    ({name:?}, include_str!({file:?})),").expect("writing to a string");
    }
    list.push(']');
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(Path::new(&out).join("boards.rs"), list).expect("cargo's own folder");
}
