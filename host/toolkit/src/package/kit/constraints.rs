//! Fragments of constraints: clocks, and what crosses between them.

use bloomline_spec::{Common, LANES, LINECARD_CLOCK_HZ};

/// A clock port and its period in nanoseconds.
fn clocks(common: &Common) -> Vec<(String, f64)> {
    let period = |hz: u64| 1e9 / hz as f64;
    match common.line_card() {
        None => vec![(
            common.interface().clock.to_string(),
            period(common.clock_hz()),
        )],
        Some(_) => {
            let own = ("clock".to_owned(), period(common.clock_hz()));
            let phys = (0..LANES)
                .map(|lane| (format!("rgmii_{lane}_rx_clock"), period(LINECARD_CLOCK_HZ)));
            std::iter::once(own).chain(phys).collect()
        }
    }
}

/// Ports of any clock or none: what comes in passes through two registers first.
fn asynchronous(common: &Common) -> Vec<(&'static str, bool)> {
    let mut ports = Vec::new();
    if common.card().is_some_and(|card| card.uart.is_some()) {
        ports.extend([("uart_rx", true), ("uart_tx", false)]);
    }
    if common.line_card().is_some() {
        ports.extend([
            ("hold", true),
            ("link", false),
            ("item_taken", false),
            ("item_seen", false),
        ]);
    }
    ports
}

/// Synopsys Design Constraints, which Vivado and Quartus read alike.
fn design_constraints(common: &Common, name: &str) -> String {
    let clocks = clocks(common);
    let mut text = format!("# {name}: where these ports are pins. Inside another design its own clock stands in their place.\n");
    for (port, period) in &clocks {
        text += &format!("create_clock -name {port} -period {period:.3} [get_ports {port}]\n");
    }
    if clocks.len() > 1 {
        let groups: String = clocks
            .iter()
            .map(|(port, _)| format!(" -group [get_clocks {port}]"))
            .collect();
        text += &format!("# what crosses is Gray code, or goes through two registers\nset_clock_groups -asynchronous{groups}\n");
    }
    for (port, is_input) in asynchronous(common) {
        let (side, port) = match (is_input, port) {
            (true, port) => ("from", port.to_owned()),
            (false, port @ ("link" | "item_taken" | "item_seen")) => ("to", format!("{port}[*]")),
            (false, port) => ("to", port.to_owned()),
        };
        text += &format!("set_false_path -{side} [get_ports {{{port}}}]\n");
    }
    text
}

/// `<name>.sdc`.
pub fn sdc(common: &Common) -> String {
    design_constraints(common, &format!("{}.sdc", common.name()))
}

/// `<name>.xdc`.
pub fn xdc(common: &Common) -> String {
    design_constraints(common, &format!("{}.xdc", common.name()))
}

/// `<name>.lpf`, for ECP5.
pub fn lpf(common: &Common) -> String {
    let mut text = format!("# {}.lpf: where these ports are pins.\n", common.name());
    for (port, period) in clocks(common) {
        text += &format!("FREQUENCY PORT \"{port}\" {:.3} MHZ;\n", 1e3 / period);
    }
    text
}
