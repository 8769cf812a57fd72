//! What every test in the simulator begins with.

use bloomline_bench::toolchain::{Program, Toolchain};

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

/// How many times its runs a test makes: the environment's `BLOOMLINE_SOAK`, or 1.
///
/// # Panics
/// When it is no number.
pub fn soak() -> u64 {
    match std::env::var("BLOOMLINE_SOAK") {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("BLOOMLINE_SOAK = {text:?} is no whole number")),
        Err(_) => 1,
    }
}
