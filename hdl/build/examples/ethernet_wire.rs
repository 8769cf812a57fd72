//! A board as a wire between its two Ethernet PHYs, to a bitstream:
//! `cargo run --release -p bloomline-build --example ethernet_wire -- BOARD [--out DIR] [--seed N]`.
//!
//! Prints each clock after routing and what it needs. Ends with an error when one is missed.

use bloomline_build::{build, wire_top, BuildRequest, Event, KnownBoard};
use bloomline_hdl::mac::mac_port_verilog;
use bloomline_toolchain::Toolchain;
use std::error::Error;
use std::path::PathBuf;

const USAGE: &str = "usage: ethernet_wire BOARD [--out DIR] [--seed N]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut board, mut out, mut seed) = (None, None, 1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or(format!("{argument} needs a value; {USAGE}"))
        };
        match argument.as_str() {
            "--out" => out = Some(PathBuf::from(value()?)),
            "--seed" => seed = value()?.parse()?,
            _ if board.is_none() && !argument.starts_with('-') => board = Some(argument),
            _ => return Err(format!("{argument:?} is not understood; {USAGE}").into()),
        }
    }
    let KnownBoard::Fpga(board) = KnownBoard::load(&board.ok_or(USAGE)?)? else {
        return Err("BOARD is one with an ECP5".into());
    };
    let wire = wire_top(&board, &mac_port_verilog("")?)?;
    let out = out.unwrap_or_else(|| PathBuf::from("out").join(&wire.name));
    let request = BuildRequest {
        board: &board,
        top: &wire.name,
        ports: &board.wire_ports(),
        sources: &wire.sources,
        documents: &[],
        clock_hz: wire.clock_hz,
        memory_bits: 0,
        out: &out,
        netlists: None,
        seed,
    };
    let show = |event: &Event| match event {
        Event::Install(progress) => eprintln!("{progress}"),
        Event::Begin(what) => eprintln!("{what}"),
        Event::Done | Event::Unchanged => {}
    };
    let built = build(&Toolchain::discover()?, &request, &show)?;
    for clock in &built.clocks {
        println!(
            "{}: {:.1} MHz, placed for {:.2}",
            clock.name, clock.fmax_mhz, clock.constraint_mhz
        );
    }
    println!(
        "{} LUT4 sites, {} FF, {} DP16KD; {}",
        built.lut4,
        built.ff,
        built.bram,
        built.bitstream.display()
    );
    match built.timing_met {
        true => Ok(()),
        false => Err("a clock is missed; try another --seed".into()),
    }
}
