//! Reads the ports of a built model from its generated header.

use super::shim::member;
use super::{Design, Direction, Port, VerilatorError};
use itertools::Itertools;

/// Checks the declared ports against those of the model: names, directions, exact widths, nothing left over.
pub(crate) fn check_ports(design: &Design, header: &str) -> Result<(), VerilatorError> {
    let built = ports_of_header(header);
    let clock = design.clock.iter().map(|name| Port::input(name.clone(), 1));
    let declared: Vec<Port> = design.ports.iter().cloned().chain(clock).collect();
    for port in &declared {
        let Some(found) = built.iter().find(|found| found.name == member(&port.name)) else {
            let available = built.iter().map(|found| &found.name).join(", ");
            return Err(VerilatorError::PortMissing {
                top: design.top.clone(),
                port: port.name.clone(),
                available,
            });
        };
        if (found.width, found.direction) != (Some(port.width), Some(port.direction)) {
            return Err(VerilatorError::PortMismatch {
                top: design.top.clone(),
                port: port.name.clone(),
                declared: format!("{} of {} bits", port.direction, port.width),
                built: found.describe(),
            });
        }
    }
    match built
        .iter()
        .find(|found| declared.iter().all(|port| member(&port.name) != found.name))
    {
        Some(found) => Err(VerilatorError::PortUndeclared {
            top: design.top.clone(),
            port: found.name.clone(),
            built: found.describe(),
        }),
        None => Ok(()),
    }
}

/// A port as the header declares it.
#[derive(Debug, PartialEq, Eq)]
struct BuiltPort {
    name: String,
    /// `None` for an inout.
    direction: Option<Direction>,
    /// `None` when it does not start at bit 0 of a plain vector.
    width: Option<usize>,
}

impl BuiltPort {
    fn describe(&self) -> String {
        let direction = self
            .direction
            .map_or("inout".to_string(), |direction| direction.to_string());
        match self.width {
            Some(width) => format!("{direction} of {width} bits"),
            None => format!("{direction} that is not a plain vector"),
        }
    }
}

/// Reads lines such as `VL_INW(&a,511,0,16);`: macro, member, most and least significant bit.
fn ports_of_header(header: &str) -> Vec<BuiltPort> {
    header
        .lines()
        .filter_map(|line| port_of_line(line.trim()))
        .collect()
}

fn port_of_line(line: &str) -> Option<BuiltPort> {
    let (kind, rest) = line.strip_prefix("VL_")?.split_once('(')?;
    let direction = match kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
        "IN" => Some(Direction::Input),
        "OUT" => Some(Direction::Output),
        "INOUT" => None,
        _ => return None,
    };
    // An array of vectors has brackets after the name: `(&a)[4],7,0`.
    let (arguments, _) = rest.rsplit_once(')')?;
    let mut parts = arguments.split(',');
    let name = parts
        .next()?
        .trim_start_matches(['&', '('])
        .trim_end_matches(')');
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<usize>().ok());
    let (msb, lsb) = (number(parts.next()), number(parts.next()));
    let width = match (plain, msb, lsb) {
        (true, Some(msb), Some(0)) => Some(msb + 1),
        _ => None,
    };
    Some(BuiltPort {
        name: name.to_string(),
        direction,
        width,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_lines_give_exact_widths_and_directions() {
        let header = "class Vdut {\n    VL_IN8(&clock,0,0);\n    VL_INW(&a,499,0,16);\n VL_OUT64(&q,33,0);\n VL_INOUT8(&z,0,0);\n VL_IN(&p,31,4);\n";
        let ports = ports_of_header(header);
        let seen: Vec<_> = ports
            .iter()
            .map(|p| (p.name.as_str(), p.direction, p.width))
            .collect();
        assert_eq!(
            seen,
            [
                ("clock", Some(Direction::Input), Some(1)),
                ("a", Some(Direction::Input), Some(500)),
                ("q", Some(Direction::Output), Some(34)),
                ("z", None, Some(1)),
                ("p", Some(Direction::Input), None),
            ]
        );
    }
}
