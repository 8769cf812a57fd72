//! Instantiations to copy: Verilog, SystemVerilog and VHDL.

use bloomline_spec::outer_port_doc;
use bloomline_spec::ports::{design_name, outer_ports, Direction, OuterPort};
use bloomline_spec::Design;

/// The module, and its ports with their documentation.
struct Ports {
    top: String,
    ports: Vec<(OuterPort, String)>,
}

impl Ports {
    fn of(design: &Design) -> Ports {
        let ports = outer_ports(design).into_iter().map(|outer| {
            let doc = outer_port_doc(design, &outer).unwrap_or_default();
            (outer, doc)
        });
        Ports {
            top: design_name(design),
            ports: ports.collect(),
        }
    }

    /// A line a port, `separator` between.
    fn lines(&self, separator: &str, line: impl Fn(&OuterPort) -> String, comment: &str) -> String {
        let mut text = String::new();
        for (place, (outer, doc)) in self.ports.iter().enumerate() {
            let end = if place + 1 < self.ports.len() {
                separator
            } else {
                ""
            };
            text += &format!("{}{end} {comment} {doc}\n", line(outer));
        }
        text
    }

    /// Signals of the names of the ports and an instance connected to them.
    fn verilog(&self, kind: &str) -> String {
        let mut text = String::new();
        for (outer, _) in &self.ports {
            let range = match outer.port.width {
                1 => String::new(),
                width => format!("[{}:0] ", width - 1),
            };
            text += &format!("{kind} {range}{};\n", outer.port.name);
        }
        let pins = self.lines(",", |outer| format!("  .{0} ({0})", outer.port.name), "//");
        format!("{text}\n{top} {top}_inst (\n{pins});\n", top = self.top)
    }
}

/// Verilog-2005.
pub fn verilog(design: &Design) -> String {
    let text = Ports::of(design).verilog("wire");
    format!(
        "// Signals and an instance of {}, to be copied.\n\n{text}",
        design_name(design)
    )
}

/// SystemVerilog.
pub fn system_verilog(design: &Design) -> String {
    let text = Ports::of(design).verilog("logic");
    format!(
        "// Signals and an instance of {}, to be copied.\n\n{text}",
        design_name(design)
    )
}

/// Reserved words of VHDL-2008.
const RESERVED: &str = include_str!("vhdl_reserved.txt");

/// A name as VHDL writes it: between backslashes where it is a reserved word, or has underscores that a plain name may not have.
fn vhdl_name(name: &str) -> String {
    let mut words = RESERVED.split_whitespace();
    let reserved = words.any(|word| word.eq_ignore_ascii_case(name));
    let underscores = name.contains("__") || name.ends_with('_') || name.starts_with('_');
    match reserved || underscores {
        true => format!("\\{name}\\"),
        false => name.to_owned(),
    }
}

/// VHDL-93: component, signals, instance.
pub fn vhdl(design: &Design) -> String {
    let ports = Ports::of(design);
    let subtype = |outer: &OuterPort| match outer.port.width {
        1 => "std_logic".to_owned(),
        width => format!("std_logic_vector({} downto 0)", width - 1),
    };
    let declared = ports.lines(
        ";",
        |outer| {
            let direction = match outer.port.direction {
                Direction::Input => "in ",
                Direction::Output => "out",
            };
            format!("    {} : {direction} {}", outer.port.name, subtype(outer))
        },
        "--",
    );
    let signals: String = ports
        .ports
        .iter()
        .map(|(outer, _)| format!("signal {} : {};\n", outer.port.name, subtype(outer)))
        .collect();
    let pins = ports.lines(
        ",",
        |outer| format!("    {0} => {0}", outer.port.name),
        "--",
    );
    format!(
        "-- Component, signals and an instance of {top}, to be copied. The module itself is Verilog: its simulator reads both languages.\n\n\
         component {name} is\n  port (\n{declared}  );\nend component;\n\n{signals}\n{inst} : {name}\n  port map (\n{pins}  );\n",
        top = ports.top,
        name = vhdl_name(&ports.top),
        inst = vhdl_name(&format!("{}_inst", ports.top))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_vhdl_does_not_take_stand_between_backslashes() {
        assert!(RESERVED.split_whitespace().is_sorted());
        for (name, written) in [
            ("onehit", "onehit"),
            ("guarded", "\\guarded\\"),
            ("Entity", "\\Entity\\"),
            ("a__b", "\\a__b\\"),
        ] {
            assert_eq!(vhdl_name(name), written);
        }
    }
}
