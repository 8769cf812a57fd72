//! A property: what is proved of which gateware, by which method, within which bounds.

use crate::kinds::{Gateware, Pipeline};
use bloomline_hdl::emit::EmitError;
use bloomline_spec::host_port::HostAuth;
use bloomline_spec::{Design, Parity, Ports};
use serde::Serialize;

/// How a property is attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// k-induction, this many clocks deep: the result holds for every clock.
    Induction(u32),
    /// Induction over one clock, each assertion by itself: the result holds for every clock.
    ByAssertion,
    /// A search for a sequence of at most this many clocks.
    Cover(u32),
    /// A search of the netlist.
    Structural,
}

impl Method {
    /// The same method with another depth; induction by assertion and a structural search have none.
    pub fn with_depth(self, depth: u32) -> Self {
        match self {
            Method::Induction(_) => Method::Induction(depth),
            Method::Cover(_) => Method::Cover(depth),
            Method::ByAssertion => Method::ByAssertion,
            Method::Structural => Method::Structural,
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Method::Induction(_) => write!(f, "induction"),
            Method::ByAssertion => write!(f, "induction by assertion"),
            Method::Cover(depth) => write!(f, "cover, {depth} clocks"),
            Method::Structural => write!(f, "structural"),
        }
    }
}

/// Whose Verilog a property is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The filter's, in these pipelines.
    Filter(&'static [Pipeline]),
    /// That of the card around it.
    Card,
    /// Its packet path.
    PacketPath,
    /// That of a line card's Ethernet port, which has two clocks.
    EthernetPort,
    /// That of a line card's host port, one that asks for tags.
    TaggedHostPort,
}

/// All kinds.
pub(super) const EVERY: &[Pipeline] = &[
    Pipeline::Banks,
    Pipeline::Halves,
    Pipeline::Array,
    Pipeline::Cells,
    Pipeline::Bits,
    Pipeline::Counters,
    Pipeline::Windows,
    Pipeline::Tables,
];
/// Those of recycling filters with epochs.
pub(super) const RECYCLING: &[Pipeline] = &[Pipeline::Banks, Pipeline::Array];

/// What is proved, and how.
#[derive(Debug, Clone, Copy)]
pub struct Property {
    /// Its name, as `--only` takes it.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub claim: &'static str,
    /// How it is attempted.
    pub(super) method: fn(&Design) -> Method,
    /// What it is about.
    pub(super) subject: Subject,
    /// The checker's text.
    pub(super) checker: &'static str,
    /// The sections of the checker that are switched on.
    pub(super) sections: &'static [&'static str],
    /// Modules of the top that are cut, in yosys' selection language without the top's name.
    pub(super) cut: &'static [&'static str],
    /// What the checker or the solver asks of the geometry.
    pub(super) limits: &'static [Limit],
}

/// What a proof asks of a geometry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// Memory as registers: no more words than the solver manages.
    Memory,
    /// Two hashes.
    TwoHashes,
    /// Cells that fill a word.
    FullWords,
    /// As few words.
    Words,
    /// At most so many hashes.
    Hashes(u32),
    /// Not too many clocks from power-up to the first item.
    Start,
    /// Buckets and a store of two cells each, memory words without parity.
    TwoCells,
    /// Rows of three cells and a stash of 24 entries.
    SmallTables,
    /// A verdict queue; a filter without one is another subject.
    Queue,
    /// None.
    NoQueue,
    /// AXI4-Lite.
    Registers,
}

/// Clocks that a search for the first item may take.
const MOST_START_CLOCKS: u32 = 300;

impl Limit {
    /// What is not as it should be.
    fn broken(self, gateware: &Design) -> Option<String> {
        let most = gateware.pipeline().most_words();
        let (words, hashes) = (gateware.words_per_memory(), gateware.hashes());
        match self {
            Limit::Memory | Limit::Words if words > most => Some(format!(
                "memories of {words} words are too large for the solver, which manages {most}"
            )),
            Limit::TwoHashes if hashes != 2 => Some(format!(
                "it is written for 2 hashes, the filter has {hashes}"
            )),
            Limit::Start if gateware.start_clocks() > MOST_START_CLOCKS => Some(format!(
                "the first item comes {} clocks behind power-up; the solver manages {MOST_START_CLOCKS}",
                gateware.start_clocks()
            )),
            Limit::Hashes(most) if hashes > most => Some(format!(
                "{hashes} hashes are too many for the solver, which manages {most}"
            )),
            Limit::TwoCells => gateware.not_two_cells().or_else(|| {
                let parity = gateware.parity() != Parity::None;
                parity.then(|| "it is written for memory words without parity".to_owned())
            }),
            Limit::FullWords => gateware.not_full_words(),
            Limit::SmallTables => gateware.not_small_tables(),
            _ => None,
        }
    }
}

impl Property {
    /// A property of every filter whole, in every geometry, with the whole checker: what a row of the table leaves out.
    pub(super) const UNCUT: Property = Property {
        name: "",
        claim: "",
        method: |_| Method::Structural,
        subject: Subject::Filter(EVERY),
        checker: "",
        sections: &[],
        cut: &[],
        limits: &[],
    };

    /// How it is attempted on this gateware.
    pub fn method(&self, gateware: &Design) -> Method {
        (self.method)(gateware)
    }

    /// Whether this gateware has what the property is about.
    pub fn concerns(&self, gateware: &Design) -> bool {
        let common = gateware.common();
        let absent = match common.has_verdict_queue() {
            true => Limit::NoQueue,
            false => Limit::Queue,
        };
        let unreached = self.limits.contains(&Limit::Registers) && !common.has_registers();
        if self.limits.contains(&absent) || unreached {
            return false;
        }
        match self.subject {
            Subject::Filter(pipelines) => pipelines.contains(&gateware.pipeline()),
            Subject::Card => common.card().is_some(),
            Subject::PacketPath => common.packet().is_some(),
            Subject::EthernetPort => common
                .packet()
                .is_some_and(|packet| packet.ports() == Ports::Rgmii),
            Subject::TaggedHostPort => gateware
                .host()
                .is_some_and(|host| host.auth == HostAuth::SipHash24),
        }
    }

    /// What a specification has that it is about, and the key that says so.
    pub fn about(&self) -> &'static str {
        match self.subject {
            Subject::Filter([Pipeline::Banks]) => {
                "banks of a recycling filter (filter.kind = \"recycling\", layout = \"partitioned\")"
            }
            Subject::Filter([Pipeline::Array]) => {
                "the array of a recycling filter (filter.kind = \"recycling\", layout = \"shared\")"
            }
            Subject::Filter([Pipeline::Cells]) => {
                "cells (filter.kind = \"static\", \"counting\" or \"count-min\")"
            }
            Subject::Filter([Pipeline::Bits]) => {
                "single bits (filter.kind = \"static\", memory.erase = \"in-place\")"
            }
            Subject::Filter([Pipeline::Counters]) => {
                "single counters (filter.kind = \"counting\" or \"count-min\", memory.erase = \"in-place\")"
            }
            Subject::Filter([Pipeline::Halves]) => {
                "halves of single bits (filter.kind = \"recycling\", memory.erase = \"spare-half\")"
            }
            Subject::Filter([Pipeline::Windows]) => "windows on tables of buckets (filter.kind = \"sliding\", sliding.table = \"buckets\")",
            Subject::Filter([Pipeline::Tables]) => "windows on cuckoo tables (filter.kind = \"sliding\", sliding.table = \"cuckoo\")",
            Subject::Filter(_) if self.limits.contains(&Limit::Queue) => "a verdict queue (features.verdict_queue other than 0)",
            Subject::Filter(_) if self.limits.contains(&Limit::NoQueue) => "a filter without a verdict queue (features.verdict_queue = 0)",
            Subject::Filter(_) if self.limits.contains(&Limit::Registers) => "registers (features.registers other than \"none\")",
            Subject::Filter(RECYCLING) => "recycling (filter.kind = \"recycling\")",
            Subject::Filter(_) => "the filter",
            Subject::Card => "a card ([card])",
            Subject::PacketPath => "a packet path ([packet])",
            Subject::EthernetPort => "an Ethernet port (packet.ports = \"rgmii\")",
            Subject::TaggedHostPort => "a host port that asks for tags (packet.host.auth = \"siphash-2-4\")",
        }
    }

    /// What of this geometry the property cannot be proved with, the first such thing.
    pub(super) fn refuses(&self, gateware: &Design) -> Option<String> {
        if matches!(self.subject, Subject::Filter(_)) && gateware.common().self_check() {
            return Some("protection.self_check drops verdicts in a restart, of which the properties know nothing (a reduced filter has none)".to_owned());
        }
        if matches!(self.subject, Subject::Filter(_)) && gateware.common().ecc() {
            return Some("memory.ecc puts registers between a filter and its memory, for which the properties are not written (a reduced filter has none)".to_owned());
        }
        let windowed = gateware
            .cells()
            .is_some_and(|cells| cells.window().is_some());
        if matches!(self.subject, Subject::Filter([Pipeline::Cells])) && windowed {
            return Some("filter.counting.window gives a filter two panes, for which the properties of cells are not written (a reduced filter has none)".to_owned());
        }
        self.limits.iter().find_map(|limit| limit.broken(gateware))
    }

    /// Name of the checker's module.
    pub(super) fn top(&self) -> &'static str {
        let (_, module) = self.checker.split_once("\nmodule ").unwrap_or_default();
        module.split(' ').next().unwrap_or_default()
    }

    /// Whether the proof holds memory as registers.
    pub(super) fn with_memory(&self) -> bool {
        self.limits.contains(&Limit::Memory)
    }

    /// The module that it is about.
    pub(super) fn module(&self, gateware: &Design) -> String {
        let common = gateware.common();
        let name = common.name();
        let is_whole_card =
            common.packet().is_none() && common.card().is_some_and(|card| card.uart.is_none());
        match self.subject {
            Subject::Card if is_whole_card => format!("{name}_card"),
            Subject::Card => format!("{name}_axil"),
            Subject::PacketPath => "packet_path".to_owned(),
            Subject::Filter(_) | Subject::EthernetPort => name.to_owned(),
            Subject::TaggedHostPort => "host_access".to_owned(),
        }
    }

    /// The Verilog that it is about.
    ///
    /// # Errors
    /// As [`bloomline_hdl::card_verilog`].
    pub fn verilog(&self, gateware: &Design) -> Result<String, EmitError> {
        let emitted = match self.subject {
            Subject::Filter(_) => gateware.filter_verilog(),
            Subject::Card => gateware.card_verilog(),
            Subject::PacketPath | Subject::TaggedHostPort => gateware.design_verilog(),
            Subject::EthernetPort => bloomline_hdl::mac::mac_port_verilog(""),
        };
        Ok(emitted?.text())
    }
}
