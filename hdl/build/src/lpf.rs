//! Pins and clocks in Lattice's preference language (LPF).

use super::board::Port;
use std::fmt::Write;

/// Where the ports are: one pair of lines a port.
pub fn pins(ports: &[Port]) -> String {
    let mut text = String::new();
    for port in ports {
        let pull = port
            .pin
            .pull
            .map(|pull| format!(" PULLMODE={pull}"))
            .unwrap_or_default();
        writeln!(
            text,
            "LOCATE COMP \"{name}\" SITE \"{}\";\nIOBUF PORT \"{name}\" IO_TYPE={}{pull};",
            port.pin.pin,
            port.pin.io_type,
            name = port.name,
        )
        .expect("writing to a string");
    }
    text
}

/// How fast the clocks are that come in through ports.
pub fn clocks(ports: &[Port]) -> String {
    ports
        .iter()
        .filter_map(|port| {
            let mhz = port.clock_hz? as f64 / 1e6;
            Some(format!("FREQUENCY PORT \"{}\" {mhz} MHZ;\n", port.name))
        })
        .collect()
}

/// Pins and clocks of a board's top module with these ports, whose card clock is to reach `mhz`.
pub fn of_top(ports: &[Port], mhz: f64) -> String {
    format!(
        "{}{}FREQUENCY NET \"card_clock\" {mhz} MHZ;\n",
        pins(ports),
        clocks(ports),
    )
}
