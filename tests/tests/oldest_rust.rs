//! The oldest Rust that `Cargo.toml` names compiles everything.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "a claim"]
fn the_oldest_rust_that_the_manifest_names_compiles_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = toml::from_str(&text).expect("TOML");
    let version = manifest["workspace"]["package"]["rust-version"]
        .as_str()
        .expect("a version");
    let toolchain = format!("+{version}");
    let there = Command::new("cargo")
        .args([&toolchain, "--version"])
        .env("RUSTUP_AUTO_INSTALL", "0")
        .env_remove("RUSTUP_TOOLCHAIN")
        .output();
    if !there.is_ok_and(|output| output.status.success()) {
        // not a failure even in CI: only rustup has two toolchains, and a distribution's Rust is as good
        println!(
            "SKIPPED: no Rust {version} beside this one: `rustup toolchain install {version}`"
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // cargo is a proxy of rustup's only where neither of these says which one runs
    let status = Command::new("cargo")
        .args([
            &toolchain,
            "check",
            "--workspace",
            "--all-targets",
            "--locked",
        ])
        .arg("--target-dir")
        .arg(folder.path())
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .env_remove("RUSTC")
        .current_dir(root)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "Rust {version} does not compile this");
}
