//! Settings and counters of packet paths, Ethernet ports and the host port, for info, configure, stats, the exporter and the terminal
//! view.

use bloomline_driver::{CounterRegister, Counters, Design, Part, PathSettings, PortLink, Sample};
use bloomline_spec::host_port::HostBinding;
use bloomline_spec::FrameClass;
use comfy_table::{presets, Table};
use serde::Serialize;
use serde_json::{Map, Value};
use std::net::Ipv4Addr;

/// Before the name of a class in a counter's name.
const FRAMES: &str = "frames_";

/// A packet path: the one of a card between two streams, or a lane of a line card.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    /// `path`, `lane_0` or `lane_1`.
    pub name: String,
    /// Items of frames are inserted.
    pub learn: bool,
    /// Bytes of the longest frame that is not oversize.
    pub max_frame_bytes: u32,
    /// What happens to frames, by their class.
    pub policies: Map<String, Value>,
    /// By the names of the register map, in lower case.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub counters: Map<String, Value>,
}

/// An Ethernet port.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Port {
    /// `port_0` or `port_1`.
    pub name: String,
    /// Its PHY tells of a link.
    pub up: bool,
    /// The link's speed in megabits a second, where the PHY tells of one that there is.
    pub megabits: Option<u32>,
    /// Both ends of the link may send at once.
    pub full_duplex: bool,
    /// By the names of the register map, in lower case.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub counters: Map<String, Value>,
    #[serde(skip)]
    link: String,
}

/// The host port of a line card: its registers over Ethernet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Host {
    /// The Ethernet port that it stands at: `port_0` or `port_1`.
    pub at: String,
    /// The card's MAC address.
    pub mac: String,
    /// The card's IPv4 address.
    pub ip: Ipv4Addr,
    /// UDP port of Etherbone.
    pub udp_port: u16,
    /// By the names of the register map, in lower case.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub counters: Map<String, Value>,
}

impl Host {
    /// A host port without its counters.
    pub fn new(host: &HostBinding) -> Host {
        let mac = host.address.mac.map(|byte| format!("{byte:02x}"));
        Host {
            at: Part::Port(host.port).to_string(),
            mac: mac.join(":"),
            ip: host.address.ip.into(),
            udp_port: host.address.udp_port,
            counters: Map::new(),
        }
    }

    /// That of a sample, if the card has one.
    pub fn of(design: &Design, sample: &Sample) -> Option<Host> {
        let host = design.host()?;
        Some(Host {
            counters: of_part(&sample.counters, Part::Host),
            ..Host::new(&host)
        })
    }
}

impl Path {
    /// A packet path without its counters.
    pub fn new(part: Part, settings: &PathSettings) -> Path {
        let policy = |class: &FrameClass| {
            let policy = settings.policy(*class).to_string();
            (class.to_string(), policy.into())
        };
        Path {
            name: part.to_string(),
            learn: settings.learn,
            max_frame_bytes: settings.max_frame_bytes,
            policies: FrameClass::ALL.iter().map(policy).collect(),
            counters: Map::new(),
        }
    }

    /// What is set in every packet path of a sample.
    pub fn settings(design: &Design, sample: &Sample) -> Vec<Path> {
        let path = |(lane, settings)| Path::new(Part::of_lane(design, lane), settings);
        sample.paths.iter().enumerate().map(path).collect()
    }

    /// Every packet path of a sample with its counters.
    pub fn all(design: &Design, sample: &Sample) -> Vec<Path> {
        let mut paths = Path::settings(design, sample);
        for (lane, path) in paths.iter_mut().enumerate() {
            path.counters = of_part(&sample.counters, Part::of_lane(design, lane));
        }
        paths
    }

    /// Frames that reached their policy, of every class.
    pub fn frames(&self) -> u64 {
        let of_class = |(name, _): &(&String, &Value)| name.starts_with(FRAMES);
        let frames = self.counters.iter().filter(of_class);
        frames.filter_map(|(_, value)| value.as_u64()).sum()
    }
}

impl Port {
    /// A port without its counters.
    pub fn new(port: usize, link: &PortLink) -> Port {
        Port {
            name: Part::Port(port).to_string(),
            up: link.up,
            megabits: link.megabits,
            full_duplex: link.full_duplex,
            counters: Map::new(),
            link: link.to_string(),
        }
    }

    /// Every port in a sample.
    pub fn all(sample: &Sample) -> Vec<Port> {
        let port = |(port, link)| Port {
            counters: of_part(&sample.counters, Part::Port(port)),
            ..Port::new(port, link)
        };
        sample.links.iter().enumerate().map(port).collect()
    }

    /// The link in words.
    pub fn link(&self) -> &str {
        &self.link
    }
}

/// The counters of a part by their names in lower case.
pub fn of_part(counters: &Counters, part: Part) -> Map<String, Value> {
    let of_part = |(counter, _): &(CounterRegister, u64)| counter.part() == part;
    let counters = counters.iter().filter(of_part);
    counters
        .map(|(counter, value)| (counter.name().to_lowercase(), value.into()))
        .collect()
}

/// The class in a counter's name, as the specification writes it.
pub fn class_of(counter: &str) -> Option<&'static str> {
    let class = counter.strip_prefix(FRAMES)?.replace('_', "-");
    let known = FrameClass::ALL.iter().map(|class| class.word());
    known.into_iter().find(|&known| known == class)
}

/// Packet paths side by side: what is set, and the counters where there are any.
pub fn paths_as_text(paths: &[Path]) -> String {
    let Some(first) = paths.first() else {
        return String::new();
    };
    let mut table = headed(paths.iter().map(|path| path.name.as_str()));
    let mut row = |name: &str, of: &dyn Fn(&Path) -> String| {
        table.add_row(std::iter::once(name.to_owned()).chain(paths.iter().map(of)));
    };
    row("learn", &|path| on_or_off(path.learn).to_owned());
    row("max_frame_bytes", &|path| path.max_frame_bytes.to_string());
    for class in FrameClass::ALL.iter().map(|class| class.word()) {
        let counter = format!("{FRAMES}{}", class.replace('-', "_"));
        match first.counters.contains_key(&counter) {
            true => row(&counter, &|path| {
                format!(
                    "{}  {}",
                    path.counters[&counter],
                    text(&path.policies[class])
                )
            }),
            false => row(class, &|path| text(&path.policies[class])),
        }
    }
    let others = first
        .counters
        .keys()
        .filter(|name| class_of(name).is_none());
    for counter in others {
        row(counter, &|path| path.counters[counter].to_string());
    }
    trimmed(&table)
}

/// Ports side by side: links, and the counters where there are any.
pub fn ports_as_text(ports: &[Port]) -> String {
    let Some(first) = ports.first() else {
        return String::new();
    };
    let mut table = headed(ports.iter().map(|port| port.name.as_str()));
    let mut row = |name: &str, of: &dyn Fn(&Port) -> String| {
        table.add_row(std::iter::once(name.to_owned()).chain(ports.iter().map(of)));
    };
    row("link", &|port| port.link.clone());
    for counter in first.counters.keys() {
        row(counter, &|port| port.counters[counter].to_string());
    }
    trimmed(&table)
}

/// The host port: who the card is, and the counters where there are any.
pub fn host_as_text(host: Option<&Host>) -> String {
    let Some(host) = host else {
        return String::new();
    };
    let mut table = headed(std::iter::once("host"));
    table.add_row(["at", &host.at]);
    table.add_row(["mac", &host.mac]);
    table.add_row(["ip", &host.ip.to_string()]);
    table.add_row(["udp_port", &host.udp_port.to_string()]);
    for (counter, value) in &host.counters {
        table.add_row([counter, &value.to_string()]);
    }
    trimmed(&table)
}

fn headed<'a>(names: impl Iterator<Item = &'a str>) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(std::iter::once("").chain(names));
    table
}

fn trimmed(table: &Table) -> String {
    format!("\n\n{}", table.trim_fmt())
}

fn on_or_off(on: bool) -> &'static str {
    match on {
        true => "on",
        false => "off",
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
