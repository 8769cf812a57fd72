use bloomline_spec::Design;
use std::fmt;

/// A part of a device: whose a counter is. Printed as users see it: `filter`, `path`, `lane_0`, `port_1`, `host`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The filter.
    Filter,
    /// The packet path of a card between two streams of frames.
    Path,
    /// A packet path of a line card: from this Ethernet port to the other.
    Lane(usize),
    /// An Ethernet port of a line card.
    Port(usize),
    /// The host port of a line card: registers over Ethernet.
    Host,
}

impl Part {
    /// The part that packet path number `lane` of a design is, as users see it.
    pub fn of_lane(design: &Design, lane: usize) -> Part {
        match design.ports() {
            0 => Part::Path,
            _ => Part::Lane(lane),
        }
    }

    /// The part that a block of the register map around the filter is of, by the block's name; of the ports' block the first
    /// port, until a register's name says more.
    pub(super) fn of_block(name: &str) -> Option<Part> {
        match name {
            "packet_path" => Some(Part::Path),
            "lane_0" => Some(Part::Lane(0)),
            "lane_1" => Some(Part::Lane(1)),
            "ports" => Some(Part::Port(0)),
            _ => None,
        }
    }

    /// The part that a register of such a block is of, and its name there: in the ports' block `PORT_1_..` and `HOST_..`.
    pub(super) fn of_register(self, name: &'static str) -> (Part, &'static str) {
        let prefixes = [
            ("PORT_0_", Part::Port(0)),
            ("PORT_1_", Part::Port(1)),
            ("HOST_", Part::Host),
        ];
        let stripped = |(prefix, part)| Some((part, name.strip_prefix::<&'static str>(prefix)?));
        match self {
            Part::Port(_) => prefixes.into_iter().find_map(stripped),
            _ => None,
        }
        .unwrap_or((self, name))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Filter => f.write_str("filter"),
            Part::Path => f.write_str("path"),
            Part::Lane(lane) => write!(f, "lane_{lane}"),
            Part::Port(port) => write!(f, "port_{port}"),
            Part::Host => f.write_str("host"),
        }
    }
}
