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

/// The tool that reads the constraints of a design.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Quartus,
    Vivado,
}

/// Constraints in the form of Synopsys (SDC), with Vivado's own option for paths between clocks where that reads them.
fn design_constraints(common: &Common, tool: Tool) -> String {
    let clocks = clocks(common);
    let ending = match tool {
        Tool::Quartus => "sdc",
        Tool::Vivado => "xdc",
    };
    let mut text = format!("# {}.{ending}: where these ports are pins. Inside another design its own clock stands in their place.\n", common.name());
    for (port, period) in &clocks {
        text += &format!("create_clock -name {port} -period {period:.3} [get_ports {port}]\n");
    }
    if clocks.len() > 1 {
        text += "# What crosses is Gray code, or goes through two registers. The clocks are not cut from each other (set_clock_groups): bits of\n\
                 # Gray code must arrive within a period of each other.\n";
    }
    let pairs = clocks
        .iter()
        .flat_map(|from| clocks.iter().map(move |to| (from, to)));
    for ((from, _), (to, period)) in pairs.filter(|(from, to)| from.0 != to.0) {
        let paths = format!("-from [get_clocks {from}] -to [get_clocks {to}]");
        text += &match tool {
            Tool::Quartus => {
                format!("set_max_delay {paths} {period:.3}\nset_min_delay {paths} -{period:.3}\n")
            }
            Tool::Vivado => format!("set_max_delay -datapath_only {paths} {period:.3}\n"),
        };
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

/// `<name>.sdc`, for Quartus.
pub fn sdc(common: &Common) -> String {
    design_constraints(common, Tool::Quartus)
}

/// `<name>.xdc`, for Vivado.
pub fn xdc(common: &Common) -> String {
    design_constraints(common, Tool::Vivado)
}

/// `<name>.lpf`, for ECP5.
pub fn lpf(common: &Common) -> String {
    let mut text = format!("# {}.lpf: where these ports are pins.\n", common.name());
    for (port, period) in clocks(common) {
        text += &format!("FREQUENCY PORT \"{port}\" {:.3} MHZ;\n", 1e3 / period);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{sdc, xdc};
    use crate::Filter;
    use bloomline_spec::{EXAMPLES, LINECARD_EXAMPLES};
    use std::path::Path;

    #[test]
    fn every_path_between_two_clocks_is_bounded_by_a_period_and_none_is_cut() {
        let texts = |(name, text): (&str, &str)| {
            let filter = Filter::from_text(Path::new(name), text.to_owned()).expect("an example");
            [sdc(filter.design()), xdc(filter.design())]
        };
        for text in texts(LINECARD_EXAMPLES[0]) {
            // three clocks: six ways from one to another
            assert_eq!(text.matches("set_max_delay ").count(), 6, "{text}");
            assert!(
                text.contains("-from [get_clocks clock] -to [get_clocks rgmii_1_rx_clock] 8.000\n")
            );
            let commands = text.lines().filter(|line| !line.starts_with('#'));
            assert!(commands
                .into_iter()
                .all(|line| !line.contains("set_clock_groups")));
        }
        for text in texts(EXAMPLES[0]) {
            assert!(!text.contains("set_max_delay"), "{text}");
        }
    }
}
