//! The properties that are proved, with method and bounds.

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
    /// The checker's top module.
    pub(super) top: &'static str,
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

const FRAMES: &str = include_str!("../../formal/frames.sv");
const FRAME_BUFFER: &str = include_str!("../../formal/frame_buffer.sv");
const QUEUE: &str = include_str!("../../formal/verdict_queue.sv");
const PORTS: &str = include_str!("../../formal/ports.sv");
const BANK: &str = include_str!("../../formal/bank.sv");
const PROGRESS: &str = include_str!("../../formal/progress.sv");
const PROGRESS_CELLS: &str = include_str!("../../formal/progress_cells.sv");
const PROGRESS_WINDOWS: &str = include_str!("../../formal/progress_windows.sv");
const GENERATIONS: &str = include_str!("../../formal/generations.sv");
const WINDOW: &str = include_str!("../../formal/window.sv");
const CUCKOO_WIPES: &str = include_str!("../../formal/cuckoo_wipes.sv");
const CUCKOO_MOVES: &str = include_str!("../../formal/cuckoo_moves.sv");
const CUCKOO_CELLS: &str = include_str!("../../formal/cuckoo_cells.sv");
const CUCKOO_WINDOW: &str = include_str!("../../formal/cuckoo_window.sv");
const ARRAY_BIT: &str = include_str!("../../formal/array_bit.sv");
const ARRAY_COUNT: &str = include_str!("../../formal/array_count.sv");
const ARRAY_EPOCHS: &str = include_str!("../../formal/array_epochs.sv");
const HALF_BIT: &str = include_str!("../../formal/half_bit.sv");
const SINGLE_COUNTER: &str = include_str!("../../formal/single_counter.sv");
const SINGLE_BIT: &str = include_str!("../../formal/single_bit.sv");
const CELL: &str = include_str!("../../formal/cell.sv");
const CARD: &str = include_str!("../../formal/card.sv");
const CROSSING: &str = include_str!("../../formal/crossing_fifo.sv");
const HOST_TAG: &str = include_str!("../../formal/host_tag.sv");
const RECYCLES: &str = include_str!("../../formal/recycles.sv");
const COUNT: &str = include_str!("../../formal/count.sv");

/// All kinds.
const EVERY: &[Pipeline] = &[
    Pipeline::Banks,
    Pipeline::Halves,
    Pipeline::Array,
    Pipeline::Cells,
    Pipeline::Bits,
    Pipeline::Counters,
    Pipeline::Windows,
    Pipeline::Tables,
];
const RECYCLING: &[Pipeline] = &[Pipeline::Banks, Pipeline::Array];
const ARRAY: &[Pipeline] = &[Pipeline::Array];
const WINDOWS: &[Pipeline] = &[Pipeline::Windows];
const TABLES: &[Pipeline] = &[Pipeline::Tables];
const BANKS: &[Pipeline] = &[Pipeline::Banks];
const CELLS: &[Pipeline] = &[Pipeline::Cells];
const BITS: &[Pipeline] = &[Pipeline::Bits];
const COUNTERS: &[Pipeline] = &[Pipeline::Counters];
const HALVES: &[Pipeline] = &[Pipeline::Halves];

/// All of the data path and what steers it: what ports do must not depend on it.
const DATA_PATH: &[&str] = &[
    "t:hash_unit",
    "t:event_counters",
    "t:epoch_guard",
    // recycling
    "t:filter_bank",
    "t:spare_half_bank",
    "t:shared_array_bank",
    "t:recycle_decision",
    "t:shared_array_decision",
    "t:recycle_limit",
    "t:occupancy",
    "t:bit_occupancy",
    // cells
    "t:cell_bank",
    "t:single_bit_bank",
    "t:counter_bank",
    "t:probe_line",
    "t:least_*",
    "t:item_*",
    // windows
    "t:bucket_table*",
    "t:cell_store",
    "t:first_fit",
    // windows on cuckoo tables
    "t:cuckoo_table",
    "t:cuckoo_track",
    "t:row_agent*",
    "t:move_order",
    "t:stash",
    "t:rotated_fit",
];

/// All but the slots, the epochs, the array reader and bank 0.
const ALL_BUT_A_BANK: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:recycle_decision",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:recycle_limit",
    "t:occupancy",
    "t:half_secrets",
    "t:filter_bank",
    "c:bank_0",
    "%d",
];

/// All but the slots, the array reader, the decision, the limit and the occupancy.
const ALL_BUT_RECYCLES: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:half_secrets",
    "t:filter_bank",
    "t:shared_array_bank",
    "t:epoch_guard",
];

/// All but the slots, the array reader, the decision and the occupancy.
const ALL_BUT_COUNTING: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:recycle_limit",
    "t:half_secrets",
    "t:filter_bank",
    "t:epoch_guard",
];

/// All but the slots, the epochs and bank 0.
const ALL_BUT_A_CELL: &[&str] = &[
    "t:hash_unit",
    "t:probe_line",
    "t:cell_sequencer",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:least_*",
    "t:item_*",
    "t:cell_bank",
    "c:bank_0",
    "%d",
];

/// All but the slots, the roles of the halves, a host's access and bank 0 around its memories.
const ALL_BUT_A_BIT_OF_HALVES: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:recycle_decision",
    "t:recycle_limit",
    "t:bit_occupancy",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:half_secrets",
    "t:array_reader",
    "t:spare_half_bank",
    "c:bank_0",
    "%d",
    "spare_half_bank/t:bit_memory",
];

/// All but the sequencer, the slots, the registers, a host's access and bank 0 around its memory.
const ALL_BUT_A_BIT: &[&str] = &[
    "t:hash_unit",
    "t:event_counters",
    "t:verdict_queue",
    "t:single_bit_bank",
    "c:bank_0",
    "%d",
    "single_bit_bank/t:bit_memory",
];

/// All but the sequencer, the slots, the registers, a host's access and bank 0 around its memory.
const ALL_BUT_A_COUNTER: &[&str] = &[
    "t:hash_unit",
    "t:event_counters",
    "t:verdict_queue",
    "t:least_*",
    "t:counter_bank",
    "c:counter_bank_0",
    "%d",
    "counter_bank/t:lane_memory",
];

/// All but the slots and what is made of an item's cells.
const ALL_BUT_A_VERDICT: &[&str] = &[
    "t:hash_unit",
    "t:probe_line",
    "t:cell_sequencer",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:cell_bank",
    "t:epoch_guard",
];

/// All but the slots, the epochs, the array reader and the array around its memories.
const ALL_BUT_THE_ARRAY: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:shared_array_decision",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:recycle_limit",
    "t:occupancy",
    "shared_array_bank/t:bank_memory",
];

/// All but the slots, the epochs and what the array writes.
const ALL_BUT_EPOCHS_OF_AN_ARRAY: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:shared_array_decision",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:recycle_limit",
    "t:occupancy",
    "shared_array_bank/t:bank_memory",
    "shared_array_bank/t:probe_ring",
    "shared_array_bank/t:word_store",
];

/// All but the slots, the decision and the occupancy.
const ALL_BUT_COUNTING_OF_AN_ARRAY: &[&str] = &[
    "t:hash_unit",
    "t:sequencer",
    "t:shared_array_bank",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:recycle_limit",
    "t:epoch_guard",
];

/// All but the slots, whose generation the checker gives, the tables, the store and what is made of them.
const ALL_BUT_CELLS_OF_A_WINDOW: &[&str] = &[
    "t:hash_unit",
    "t:sliding_sequencer",
    "t:verdict_queue",
    "t:register_file",
    "t:event_counters",
    "w:slots_generation",
    "w:slots_write_generation",
];

/// All but sequencer, slots, agents, their order, decision and the rows of cuckoo tables.
const ALL_BUT_WIPES_OF_TABLES: &[&str] = &[
    "t:hash_unit",
    "hold_queue/t:hold_memory",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:cuckoo_track",
    "t:stash",
    "cuckoo_table/t:cuckoo_lane",
];

/// All of cuckoo tables but the sequencer and the memories of cells.
const ALL_BUT_MOVES_OF_TABLES: &[&str] = &[
    "t:hash_unit",
    "hold_queue/t:hold_memory",
    "t:cuckoo_sequencer",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "cuckoo_lane/t:cell_memory",
];

/// All of cuckoo tables but the sequencer and their lanes.
const ALL_BUT_PLACES_OF_TABLES: &[&str] = &[
    "t:hash_unit",
    "hold_queue/t:hold_memory",
    "t:cuckoo_sequencer",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "cuckoo_table/t:cuckoo_lane",
    "stash/t:stash_memory",
];

/// All but slots, track, decision, and table 1 around its memories.
const ALL_BUT_CELLS_OF_A_TABLE: &[&str] = &[
    "t:hash_unit",
    "hold_queue/t:hold_memory",
    "t:cuckoo_sequencer",
    "t:register_file",
    "t:event_counters",
    "t:verdict_queue",
    "t:row_agent*",
    "t:move_order",
    "t:stash",
    "t:cuckoo_table",
    "c:table_1",
    "%d",
    "cuckoo_lane/t:cell_memory",
];

/// Every property, quick ones first.
pub const PROPERTIES: &[Property] = &[
    Property {
        name: "outputs-registered",
        claim: "no output of the filter depends on an input of the same clock",
        method: |_| Method::Structural,
        subject: Subject::Filter(EVERY),
        checker: "",
        top: "",
        sections: &[],
        cut: &[],
        limits: &[],
    },
    Property {
        name: "register-port",
        claim: "AXI4-Lite: one answer a request, held until taken, legal; with nothing pending a read is taken within two clocks and a write within three",
        method: |_| Method::Induction(7),
        subject: Subject::Filter(EVERY),
        checker: PORTS,
        top: "formal_ports",
        sections: &["REGISTERS"],
        cut: DATA_PATH,
        limits: &[Limit::Registers],
    },
    Property {
        name: "verdict-stream",
        claim: "a verdict is held until taken, none is invented, each arrives in its time, and the queue's credit rule is kept",
        method: |_| Method::Induction(3),
        subject: Subject::Filter(EVERY),
        checker: PORTS,
        top: "formal_ports",
        sections: &["ITEMS", "STREAM"],
        cut: DATA_PATH,
        limits: &[Limit::Queue],
    },
    Property {
        name: "verdict-line",
        claim: "without a queue a verdict is offered in its own clock, a fixed time after its item, with the tag of that item, and in no other clock",
        method: |gateware| Method::Induction(gateware.timing().decision_clocks + 4),
        subject: Subject::Filter(EVERY),
        checker: PORTS,
        top: "formal_ports",
        sections: &["ITEMS", "LINE"],
        cut: DATA_PATH,
        limits: &[Limit::NoQueue],
    },
    Property {
        name: "progress",
        claim: "unless a half waits for a free epoch, the sequencer runs again within a bounded time and a clear or a new threshold takes effect; a word that a host asks for is fetched within a bounded time of running, and bits of a host are set before their write is done; items, fetches, sets and recycles come as far apart as the memories need",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(RECYCLING),
        checker: PROGRESS,
        top: "formal_progress",
        sections: &[],
        cut: DATA_PATH,
        limits: &[],
    },
    Property {
        name: "cell-progress",
        claim: "unless a clear waits for a free epoch, the sequencer runs again, a clear or an access ends, and items are taken, each within a bounded time; probes, clears and accesses come as far apart as the cells need",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(CELLS),
        checker: PROGRESS_CELLS,
        top: "formal_progress_cells",
        sections: &[],
        cut: &[
            "t:hash_unit",
            "t:probe_line",
            "t:event_counters",
            "t:cell_bank",
            "t:epoch_guard",
            "t:least_*",
            "t:item_*",
            "t:cell_slots",
        ],
        limits: &[],
    },
    Property {
        name: "window-progress",
        claim: "the sequencer runs again after every bucket was wiped, a clear takes effect within a bounded time, no more than the interval's elements pass between two scans, and ready falls for a due scan alone",
        method: |_| Method::Induction(4),
        subject: Subject::Filter(WINDOWS),
        checker: PROGRESS_WINDOWS,
        top: "formal_progress_windows",
        sections: &[],
        cut: DATA_PATH,
        limits: &[],
    },
    Property {
        name: "generations",
        claim: "an element belongs to the generation that its number says and writes it, a scan writes the youngest stale one, scans visit the buckets in turn and often enough that no age comes round, and no item comes before every bucket is wiped",
        method: |_| Method::Induction(6),
        subject: Subject::Filter(WINDOWS),
        checker: GENERATIONS,
        top: "formal_generations",
        sections: &[],
        cut: DATA_PATH,
        limits: &[],
    },
    Property {
        name: "verdict-queue",
        claim: "the verdict queue keeps order, flags and tags of any item, and never overflows under the credit rule",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(EVERY),
        checker: QUEUE,
        top: "formal_verdict_queue",
        sections: &[],
        cut: &[],
        limits: &[Limit::Queue],
    },
    Property {
        name: "card-port",
        claim: "a card's AXI4-Lite gives each request one answer, of the part that it addresses; items and verdicts pass the host's held, unchanged, none lost or invented; the host has one item at a time, offered once",
        method: |_| Method::Induction(6),
        subject: Subject::Card,
        checker: CARD,
        top: "formal_card",
        sections: &[],
        cut: &["c:filter"],
        limits: &[],
    },
    Property {
        name: "frame-stream",
        claim: "a packet path always takes frames and holds what it offers; every frame leaves in its turn, read from its first beat to its last, each beat once and unchanged but for a mark; no queue overflows",
        method: |_| Method::Induction(5),
        subject: Subject::PacketPath,
        checker: FRAMES,
        top: "formal_frames",
        sections: &[],
        cut: &["c:front", "c:registers", "c:buffer"],
        limits: &[],
    },
    Property {
        name: "frame-buffer",
        claim: "no place of a packet path's buffer is written before the beat in it was read or its frame dropped",
        method: |_| Method::Induction(1),
        subject: Subject::PacketPath,
        checker: FRAME_BUFFER,
        top: "formal_buffer",
        sections: &[],
        cut: &[
            "c:front",
            "c:registers",
            "c:buffer",
            "c:keys",
            "c:frames",
            "egress/t:egress_queue",
        ],
        limits: &[],
    },
    Property {
        name: "crossing-fifo",
        claim: "the FIFO between two clocks, whatever their waveforms, keeps order and data of any word, loses and invents none, is seen through within two edges, and crosses in one bit at a time",
        method: |_| Method::Induction(3),
        subject: Subject::EthernetPort,
        checker: CROSSING,
        top: "formal_crossing_fifo",
        sections: &[],
        cut: &[],
        limits: &[],
    },
    Property {
        name: "host-tag",
        claim: "a host port that asks for tags makes an access to the registers only behind a tag that was right under a loaded secret, one a tag, exactly as the tag's message says",
        method: |_| Method::Induction(3),
        subject: Subject::TaggedHostPort,
        checker: HOST_TAG,
        top: "formal_host_tag",
        sections: &[],
        cut: &[],
        limits: &[],
    },
    Property {
        name: "cell-verdict",
        claim: "a verdict is made of the item's own cells: their least, compared with the threshold, and whether one was 0, is at its greatest value, or was taken from at 0; under conservative update the level is that least and the amount",
        method: |gateware| Method::Induction(gateware.timing().front_clocks + 9),
        subject: Subject::Filter(CELLS),
        checker: CELL,
        top: "formal_cell",
        sections: &["VERDICT"],
        cut: ALL_BUT_A_VERDICT,
        limits: &[Limit::TwoHashes],
    },
    Property {
        name: "cell-exact",
        claim: "any cell of a bank, as an item or a host finds it, is a plain saturating counter of what items and hosts did to it since the last clear; no epoch comes back while a word bears it, and a clear that waits for one gets it within a bounded time",
        method: |gateware| Method::Induction(gateware.timing().front_clocks + 7),
        subject: Subject::Filter(CELLS),
        checker: CELL,
        top: "formal_cell",
        sections: &["BANK"],
        cut: ALL_BUT_A_CELL,
        limits: &[Limit::Memory, Limit::TwoHashes, Limit::FullWords],
    },
    Property {
        name: "single-bit",
        claim: "any bit of a bank, as an item or a host finds it, is set from the item or host that stored it until the next clear, and only then; a bit is never set while a row is erased, and every row is erased before an item comes; clears and accesses end, and items are taken, within a bounded time",
        method: |_| Method::Induction(8),
        subject: Subject::Filter(BITS),
        checker: SINGLE_BIT,
        top: "formal_single_bit",
        sections: &[],
        cut: ALL_BUT_A_BIT,
        limits: &[],
    },
    Property {
        name: "single-counter",
        claim: "any counter of a bank, as an item or a host finds it, is a plain saturating counter of what items and hosts did to it since the last clear; every counter is erased before an item comes; clears and accesses end, and items are taken, within a bounded time",
        method: |_| Method::Induction(9),
        subject: Subject::Filter(COUNTERS),
        checker: SINGLE_COUNTER,
        top: "formal_single_counter",
        sections: &[],
        cut: ALL_BUT_A_COUNTER,
        limits: &[],
    },
    Property {
        name: "half-bit",
        claim: "any bit of a bank, for items and in a word of a host, is set in the active and in the frozen half from the item or host that stored it until its half is erased, and only then; a bit is never set in a half while a row of it is erased, and a half is erased wholly before it becomes active",
        method: |_| Method::Induction(20),
        subject: Subject::Filter(HALVES),
        checker: HALF_BIT,
        top: "formal_half_bit",
        sections: &[],
        cut: ALL_BUT_A_BIT_OF_HALVES,
        limits: &[Limit::Hashes(4)],
    },
    Property {
        name: "window",
        claim: "for any pair of positions: an item whose last element was not lost and is at most c generations old is seen, one without an element alike in the live generations is not, and an element is lost exactly if it matches nothing and no cell is empty",
        method: |_| Method::Induction(9),
        subject: Subject::Filter(WINDOWS),
        checker: WINDOW,
        top: "formal_window",
        sections: &[],
        cut: ALL_BUT_CELLS_OF_A_WINDOW,
        limits: &[Limit::Words, Limit::TwoCells],
    },
    Property {
        name: "cuckoo-wipes",
        claim: "at a restart nothing is in flight; behind a reset or a restart every row is wiped before an item comes or an agent reads, and while rows are wiped nothing is in flight and agents are idle",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(TABLES),
        checker: CUCKOO_WIPES,
        top: "formal_wipes",
        sections: &[],
        cut: ALL_BUT_WIPES_OF_TABLES,
        limits: &[Limit::SmallTables],
    },
    Property {
        name: "cuckoo-moves",
        claim: "an operation of an agent that is cancelled writes no cell, and the entry of the stash that it was to move keeps its element; one that is not writes a row that no item has in flight and that is as it was read; cells and entries change as decided and in no other way; an entry in flight is in one place",
        method: |_| Method::Induction(8),
        subject: Subject::Filter(TABLES),
        checker: CUCKOO_MOVES,
        top: "formal_moves",
        sections: &[],
        cut: ALL_BUT_MOVES_OF_TABLES,
        limits: &[Limit::SmallTables],
    },
    Property {
        name: "cuckoo-cells",
        claim: "any cell matches an item exactly if it bears its fingerprint and is live to it, as every slot ahead leaves it, and else is told as empty exactly if it is not live; an agent is told of the cells that it reads which are dead, and which are old",
        method: |_| Method::Induction(9),
        subject: Subject::Filter(TABLES),
        checker: CUCKOO_CELLS,
        top: "formal_cells",
        sections: &[],
        cut: ALL_BUT_CELLS_OF_A_TABLE,
        limits: &[Limit::SmallTables],
    },
    Property {
        name: "cuckoo-window",
        claim: "an item whose identity's last element was not lost and is at most c generations old is told that it was seen; wherever that element is moved, it is in one place with the generation that it was given",
        method: |_| Method::ByAssertion,
        subject: Subject::Filter(TABLES),
        checker: CUCKOO_WINDOW,
        top: "formal_window_of_tables",
        sections: &[],
        cut: ALL_BUT_PLACES_OF_TABLES,
        limits: &[Limit::SmallTables],
    },
    Property {
        name: "recycles-apart",
        claim: "from one recycle to the next more clocks pass than a slot and the news of a recycle take, whatever the threshold",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(RECYCLING),
        checker: RECYCLES,
        top: "formal_recycles",
        sections: &[],
        cut: ALL_BUT_RECYCLES,
        limits: &[Limit::Hashes(4)],
    },
    Property {
        name: "array-bit",
        claim: "any bit of the array reads as set, by an item or a host, from the item or host that stored it until its half is emptied, and only then",
        method: |gateware| Method::Induction(2 * gateware.hashes() + 12),
        subject: Subject::Filter(ARRAY),
        checker: ARRAY_BIT,
        top: "formal_array_bit",
        sections: &[],
        cut: ALL_BUT_THE_ARRAY,
        limits: &[Limit::Hashes(4)],
    },
    Property {
        name: "array-epochs",
        claim: "when a half of the array is emptied none of its words bears the epoch that comes, for any number of recycles, and a half that waits for one gets it within a bounded time",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(ARRAY),
        checker: ARRAY_EPOCHS,
        top: "formal_array_epochs",
        sections: &[],
        cut: ALL_BUT_EPOCHS_OF_AN_ARRAY,
        limits: &[Limit::Words],
    },
    Property {
        name: "array-count",
        claim: "the registers of bits set and messages equal what the items and the host stored in each half, equal positions of an item counted once",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(ARRAY),
        checker: ARRAY_COUNT,
        top: "formal_array_count",
        sections: &[],
        cut: ALL_BUT_COUNTING_OF_AN_ARRAY,
        limits: &[Limit::Words, Limit::Hashes(4)],
    },
    Property {
        name: "bank-bit",
        claim: "any bit of a bank, for items, for the decision and in a word that a host fetches, is set from the item or host that stored it until its half is emptied, and only then; no epoch comes back while a word bears it, and a half that waits for one gets it within a bounded time",
        method: |_| Method::Induction(16),
        subject: Subject::Filter(BANKS),
        checker: BANK,
        top: "formal_bank",
        sections: &[],
        cut: ALL_BUT_A_BANK,
        limits: &[Limit::Memory, Limit::Hashes(4)],
    },
    Property {
        name: "count-exact",
        claim: "the registers of bits set and messages equal what the items and the host stored in each half",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(BANKS),
        checker: COUNT,
        top: "formal_count",
        sections: &[],
        cut: ALL_BUT_COUNTING,
        limits: &[Limit::Words, Limit::TwoHashes],
    },
    Property {
        name: "reach-verdict",
        claim: "from power-up an item can be accepted and its verdict appears",
        method: |gateware| Method::Cover(gateware.first_verdict_clocks()),
        subject: Subject::Filter(EVERY),
        checker: PORTS,
        top: "formal_ports",
        sections: &["REACH", "REACH_VERDICT"],
        cut: DATA_PATH,
        limits: &[Limit::Start],
    },
    Property {
        name: "reach-clear",
        claim: "from power-up a clear can be written, completes, and items are accepted again",
        method: |gateware| Method::Cover(2 * gateware.start_clocks() + 10),
        subject: Subject::Filter(EVERY),
        checker: PORTS,
        top: "formal_ports",
        sections: &["REACH", "REACH_CLEAR"],
        cut: DATA_PATH,
        limits: &[Limit::Start, Limit::Registers],
    },
];
