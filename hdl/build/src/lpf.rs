//! Pins and clocks in Lattice's preference language (LPF).

use super::board::Port;

/// Where the ports are: one pair of lines a port.
pub fn pins(ports: &[Port]) -> String {
    let line = |Port { name, pin, .. }: &Port| {
        let attributes = pin.attributes("PULLMODE");
        format!(
            "LOCATE COMP \"{name}\" SITE \"{}\";\nIOBUF PORT \"{name}\" {attributes};\n",
            pin.pin
        )
    };
    ports.iter().map(line).collect()
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
