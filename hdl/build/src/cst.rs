//! Pins in Gowin's physical constraints (CST), and clocks in SDC.

use super::board::Port;

/// Where the ports are: one pair of lines a port.
pub fn pins(ports: &[Port]) -> String {
    let line = |Port { name, pin, .. }: &Port| {
        let attributes = pin.attributes("PULL_MODE");
        format!(
            "IO_LOC \"{name}\" {};\nIO_PORT \"{name}\" {attributes};\n",
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
            let period_ns = 1e9 / port.clock_hz? as f64;
            let name = &port.name;
            Some(format!(
                "create_clock -name {name} -period {period_ns:.3} [get_ports {{{name}}}]\n"
            ))
        })
        .collect()
}

/// What the card's clock is to reach.
pub fn card_clock(mhz: f64) -> String {
    let period_ns = 1e3 / mhz;
    format!("create_clock -name card_clock -period {period_ns:.3} [get_nets {{card_clock}}]\n")
}
