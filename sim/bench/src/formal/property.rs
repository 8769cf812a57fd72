//! The properties.

use bloomline_hdl::emit::EmitError;
use bloomline_spec::{Geometry, Ports};
use serde::Serialize;

/// How a property is attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// k-induction, this many clocks deep: the result holds for every clock.
    Induction(u32),
    /// Every sequence of this many clocks from power-up.
    Bounded(u32),
    /// A search for a sequence of at most this many clocks.
    Cover(u32),
    /// A search of the netlist.
    Structural,
}

impl Method {
    /// The same method with another depth; a structural search has none.
    pub fn with_depth(self, depth: u32) -> Self {
        match self {
            Method::Induction(_) => Method::Induction(depth),
            Method::Bounded(_) => Method::Bounded(depth),
            Method::Cover(_) => Method::Cover(depth),
            Method::Structural => Method::Structural,
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Method::Induction(_) => write!(f, "induction"),
            Method::Bounded(depth) => write!(f, "bounded, {depth} clocks"),
            Method::Cover(depth) => write!(f, "cover, {depth} clocks"),
            Method::Structural => write!(f, "structural"),
        }
    }
}

/// Whose Verilog a property is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The filter's.
    Filter,
    /// That of the card around it.
    Card,
    /// That of a line card's Ethernet port, which has two clocks.
    EthernetPort,
}

/// What is proved, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// Its name, as `--only` takes it.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub claim: &'static str,
    /// How it is attempted.
    pub method: Method,
    /// What it is about.
    pub(super) subject: Subject,
    /// The checker's text.
    pub(super) checker: &'static str,
    /// The checker's top module.
    pub(super) top: &'static str,
    /// The sections of the checker that are switched on.
    pub(super) sections: &'static [&'static str],
    /// Modules of the top that are cut, in yosys' selection language without the top's name.
    pub(super) cut: &'static [&'static str],
    /// The proof holds block memory as registers, so its size is bounded.
    pub(super) with_memory: bool,
    /// The checker is written for two hashes.
    pub(super) two_hashes: bool,
}

impl Property {
    /// Whether a card of this geometry has what the property is about.
    pub fn concerns(&self, geometry: &Geometry) -> bool {
        match self.subject {
            Subject::Filter => true,
            Subject::Card => geometry.card().is_some(),
            Subject::EthernetPort => geometry
                .packet()
                .is_some_and(|packet| packet.ports() == Ports::Rgmii),
        }
    }

    /// What a specification has that it is about, and the key that says so.
    pub fn about(&self) -> &'static str {
        match self.subject {
            Subject::Filter => "the filter",
            Subject::Card => "a card ([card])",
            Subject::EthernetPort => "an Ethernet port (packet.ports = \"rgmii\")",
        }
    }

    /// The module that it is about.
    pub(super) fn module(&self, geometry: &Geometry) -> String {
        let name = geometry.name();
        let is_whole_card =
            geometry.packet().is_none() && geometry.card().is_some_and(|card| card.uart.is_none());
        match self.subject {
            Subject::Card if is_whole_card => format!("{name}_card"),
            Subject::Card => format!("{name}_axil"),
            Subject::Filter | Subject::EthernetPort => name.to_owned(),
        }
    }

    /// The Verilog that it is about.
    ///
    /// # Errors
    /// As [`bloomline_hdl::card_verilog`].
    pub fn verilog(&self, geometry: &Geometry) -> Result<String, EmitError> {
        let emitted = match self.subject {
            Subject::Filter => bloomline_hdl::filter_verilog(geometry, ""),
            Subject::Card => bloomline_hdl::card_verilog(geometry, ""),
            Subject::EthernetPort => bloomline_hdl::mac::mac_port_verilog(""),
        };
        Ok(emitted?.text())
    }
}

/// Largest partition, in bits, that a proof with memory takes: the smallest legal one.
pub(super) const MOST_PARTITION_BITS: u64 = 128;

const QUEUE: &str = include_str!("../../formal/verdict_queue.sv");
const PORTS: &str = include_str!("../../formal/ports.sv");
const BANK: &str = include_str!("../../formal/bank.sv");
const FETCH: &str = include_str!("../../formal/fetch.sv");
const CARD: &str = include_str!("../../formal/card.sv");
const CROSSING: &str = include_str!("../../formal/crossing_fifo.sv");
const COUNT: &str = include_str!("../../formal/count.sv");

/// All of the data path and what steers it: what ports do must not depend on it.
const DATA_PATH: &[&str] = &[
    "t:hash_unit",
    "t:filter_bank",
    "t:recycle_decision",
    "t:event_counter",
    "t:recycle_limit",
    "t:occupancy",
    "t:epoch_guard",
];

/// All but the slots, the epochs, the array reader and bank 0.
const ALL_BUT_A_BANK: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:recycle_decision",
    "t:register_file",
    "t:event_counter",
    "t:verdict_queue",
    "t:recycle_limit",
    "t:occupancy",
    "t:filter_bank",
    "c:bank_0",
    "%d",
];

/// All but the slots, the banks, the array reader, the decision, the epochs and the occupancy.
const ALL_BUT_COUNTING: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:register_file",
    "t:event_counter",
    "t:verdict_queue",
    "t:recycle_limit",
];

/// Every property, quick ones first.
pub const PROPERTIES: &[Property] = &[
    Property {
        name: "outputs-registered",
        claim: "no output of the filter depends on an input of the same clock",
        method: Method::Structural,
        subject: Subject::Filter,
        checker: "",
        top: "",
        sections: &[],
        cut: &[],
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "register-port",
        claim: "AXI4-Lite: one answer a request, held until taken, legal; with nothing pending a read is taken within two clocks and a write within three",
        method: Method::Induction(7),
        subject: Subject::Filter,
        checker: PORTS,
        top: "formal_ports",
        sections: &["REGISTERS"],
        cut: DATA_PATH,
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "verdict-stream",
        claim: "a verdict is held until taken, none is invented, each arrives in its time, and the queue's credit rule is kept",
        method: Method::Induction(3),
        subject: Subject::Filter,
        checker: PORTS,
        top: "formal_ports",
        sections: &["STREAM"],
        cut: DATA_PATH,
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "progress",
        claim: "unless a half waits for a free epoch, the sequencer runs again within a bounded time and a clear or a new threshold takes effect; a word that a host asks for is fetched within a bounded time of running",
        method: Method::Induction(5),
        subject: Subject::Filter,
        checker: PORTS,
        top: "formal_ports",
        sections: &["PROGRESS"],
        cut: DATA_PATH,
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "verdict-queue",
        claim: "the verdict queue keeps order, flags and tags of any item, and never overflows under the credit rule",
        method: Method::Induction(5),
        subject: Subject::Filter,
        checker: QUEUE,
        top: "formal_verdict_queue",
        sections: &[],
        cut: &[],
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "card-port",
        claim: "a card's AXI4-Lite gives each request one answer, of the part that it addresses; items and verdicts pass the host's held, unchanged, none lost or invented; the host has one item at a time, offered once",
        method: Method::Induction(6),
        subject: Subject::Card,
        checker: CARD,
        top: "formal_card",
        sections: &[],
        cut: &["c:filter"],
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "crossing-fifo",
        claim: "the FIFO between two clocks, whatever their waveforms, keeps order and data of any word, loses and invents none, is seen through within two edges, and crosses in one bit at a time",
        method: Method::Induction(3),
        subject: Subject::EthernetPort,
        checker: CROSSING,
        top: "formal_crossing_fifo",
        sections: &[],
        cut: &[],
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "bank-bit",
        claim: "any bit of a bank reads as set from the item that stored it until its half is emptied, and only then",
        method: Method::Bounded(31),
        subject: Subject::Filter,
        checker: BANK,
        top: "formal_bank",
        sections: &[],
        cut: ALL_BUT_A_BANK,
        with_memory: true,
        two_hashes: false,
    },
    Property {
        name: "fetch-bit",
        claim: "any bit of a word that the host fetches is set exactly if an item or the host set it in that half since the half was emptied",
        method: Method::Bounded(32),
        subject: Subject::Filter,
        checker: FETCH,
        top: "formal_fetch",
        sections: &[],
        cut: ALL_BUT_A_BANK,
        with_memory: true,
        two_hashes: false,
    },
    Property {
        name: "count-exact",
        claim: "the register of bits set in the active half equals the number of bits that the items stored set in it",
        method: Method::Bounded(23),
        subject: Subject::Filter,
        checker: COUNT,
        top: "formal_count",
        sections: &[],
        cut: ALL_BUT_COUNTING,
        with_memory: true,
        two_hashes: true,
    },
    Property {
        name: "reach-verdict",
        claim: "from power-up an item can be accepted and its verdict appears",
        method: Method::Cover(130),
        subject: Subject::Filter,
        checker: PORTS,
        top: "formal_ports",
        sections: &["REACH", "REACH_VERDICT"],
        cut: DATA_PATH,
        with_memory: false,
        two_hashes: false,
    },
    Property {
        name: "reach-clear",
        claim: "from power-up a clear can be written, completes, and items are accepted again",
        method: Method::Cover(190),
        subject: Subject::Filter,
        checker: PORTS,
        top: "formal_ports",
        sections: &["REACH", "REACH_CLEAR"],
        cut: DATA_PATH,
        with_memory: false,
        two_hashes: false,
    },
];
