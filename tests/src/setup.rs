//! Setup of tests in the simulator.

use bloomline_bench::lockstep::{Simulation, Simulator};
use bloomline_bench::verilator::{BuildOptions, Design};
use bloomline_toolchain::{Program, Toolchain};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The tools, with these programs found or installed.
///
/// # Panics
/// When one cannot be had.
pub fn toolchain(programs: &[Program]) -> Toolchain {
    let toolchain = Toolchain::discover().expect("a folder for tools");
    for &program in programs {
        toolchain
            .find_or_install(program, &|progress| eprintln!("{progress}"))
            .unwrap_or_else(|error| panic!("{error}"));
    }
    toolchain
}

/// A design to run: at the small size of a test ([`is_quick`]) in the built-in simulator, which needs no compiler, else in Verilator.
///
/// # Panics
/// When it cannot be read or built.
pub fn simulation(design: &Design) -> Simulation {
    match is_quick() {
        true => Simulation::built_in(design).unwrap_or_else(|error| panic!("{error}")),
        false => in_verilator(design),
    }
}

/// What a card runs in: as [`simulation`].
///
/// # Panics
/// When Verilator cannot be had.
pub fn simulator() -> Simulator<'static> {
    static VERILATOR: OnceLock<Toolchain> = OnceLock::new();
    match is_quick() {
        true => Simulator::BuiltIn,
        false => Simulator::Verilator(VERILATOR.get_or_init(|| toolchain(&[Program::Verilator]))),
    }
}

/// A design to run in Verilator at any size, as one test of each kind of testbench does.
///
/// # Panics
/// When it cannot be built.
pub fn in_verilator(design: &Design) -> Simulation {
    let toolchain = toolchain(&[Program::Verilator]);
    Simulation::verilator(&toolchain, design, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The environment's `BLOOMLINE_SOAK`.
fn asked_soak() -> Option<u64> {
    let text = std::env::var("BLOOMLINE_SOAK").ok()?;
    match text.parse() {
        Ok(0) | Err(_) => panic!("BLOOMLINE_SOAK = {text:?} is no whole number from 1 on"),
        Ok(times) => Some(times),
    }
}

/// How many times its runs a test makes: the environment's `BLOOMLINE_SOAK`, or 1.
///
/// # Panics
/// When it is no number.
pub fn soak() -> u64 {
    asked_soak().unwrap_or(1)
}

/// Whether tests run at their small size, as `cargo test` does. They run at full size where `BLOOMLINE_SOAK` is set, as `claims` does.
///
/// # Panics
/// When it is set to no number.
pub fn is_quick() -> bool {
    asked_soak().is_none()
}

/// Runs of a test: so many at its small size ([`is_quick`]), else the full number times [`soak`].
pub fn runs(quick: u64, full: u64) -> u64 {
    match asked_soak() {
        None => quick,
        Some(times) => full * times,
    }
}

/// How many of what it could go through a test goes through: so many at its small size ([`is_quick`]), else all.
pub fn at_most(quick: usize) -> usize {
    match is_quick() {
        true => quick,
        false => usize::MAX,
    }
}

/// The first of `all`, [`at_most`] so many.
pub fn few<T>(all: &[T], quick: usize) -> &[T] {
    &all[..at_most(quick).min(all.len())]
}

/// Says that a claim is not looked at because something is missing.
///
/// # Panics
/// In CI (`CI=true`), where nothing may be missing.
pub fn skip(missing: impl Display) {
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!in_ci, "{missing}");
    eprintln!("SKIPPED: {missing}");
}

/// Folder of the recorded traffic, of `BLOOMLINE_TRACES` or beside the source tree; where it is not there, [`skip`] and `None`.
pub fn traces() -> Option<PathBuf> {
    let folder = std::env::var_os("BLOOMLINE_TRACES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/traces"),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    let folder = folder.display();
    skip(format!("{folder}: no traces; set BLOOMLINE_TRACES"));
    None
}

/// The captures of a folder, by name.
///
/// # Panics
/// When it cannot be read.
pub fn captures(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| file.to_string_lossy().contains(".pcap"));
    files.sort();
    files
}
