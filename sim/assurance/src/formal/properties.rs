//! The table of properties that are proved, with their checkers and what each cuts away.

use super::property::{Limit, Method, Property, Subject, EVERY, RECYCLING};
use crate::kinds::{Gateware, Pipeline};

const PORTS: &str = include_str!("../../formal/ports.sv");
const BANK: &str = include_str!("../../formal/bank.sv");
const CELL: &str = include_str!("../../formal/cell.sv");

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
        ..Property::UNCUT
    },
    Property {
        name: "register-port",
        claim: "AXI4-Lite: one answer a request, held until taken, legal; with nothing pending a read is taken within two clocks and a write within three",
        method: |_| Method::Induction(7),
        subject: Subject::Filter(EVERY),
        checker: PORTS,
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
        sections: &["ITEMS", "LINE"],
        cut: DATA_PATH,
        limits: &[Limit::NoQueue],
    },
    Property {
        name: "progress",
        claim: "unless a half waits for a free epoch, the sequencer runs again within a bounded time and a clear or a new threshold takes effect; a word that a host asks for is fetched within a bounded time of running, and bits of a host are set before their write is done; items, fetches, sets and recycles come as far apart as the memories need",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(RECYCLING),
        checker: include_str!("../../formal/progress.sv"),
        cut: DATA_PATH,
        ..Property::UNCUT
    },
    Property {
        name: "cell-progress",
        claim: "unless a clear waits for a free epoch, the sequencer runs again, a clear or an access ends, and items are taken, each within a bounded time; probes, clears and accesses come as far apart as the cells need",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(CELLS),
        checker: include_str!("../../formal/progress_cells.sv"),
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
        ..Property::UNCUT
    },
    Property {
        name: "window-progress",
        claim: "the sequencer runs again after every bucket was wiped, a clear takes effect within a bounded time, no more than the interval's elements pass between two scans, and ready falls for a due scan alone",
        method: |_| Method::Induction(4),
        subject: Subject::Filter(WINDOWS),
        checker: include_str!("../../formal/progress_windows.sv"),
        cut: DATA_PATH,
        ..Property::UNCUT
    },
    Property {
        name: "generations",
        claim: "an element belongs to the generation that its number says and writes it, a scan writes the youngest stale one, scans visit the buckets in turn and often enough that no age comes round, and no item comes before every bucket is wiped",
        method: |_| Method::Induction(6),
        subject: Subject::Filter(WINDOWS),
        checker: include_str!("../../formal/generations.sv"),
        cut: DATA_PATH,
        ..Property::UNCUT
    },
    Property {
        name: "verdict-queue",
        claim: "the verdict queue keeps order, flags and tags of any item, and never overflows under the credit rule",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(EVERY),
        checker: include_str!("../../formal/verdict_queue.sv"),
        limits: &[Limit::Queue],
        ..Property::UNCUT
    },
    Property {
        name: "card-port",
        claim: "a card's AXI4-Lite gives each request one answer, of the part that it addresses; items and verdicts pass the host's held, unchanged, none lost or invented; the host has one item at a time, offered once",
        method: |_| Method::Induction(6),
        subject: Subject::Card,
        checker: include_str!("../../formal/card.sv"),
        cut: &["c:filter"],
        ..Property::UNCUT
    },
    Property {
        name: "frame-stream",
        claim: "a packet path always takes frames and holds what it offers; every frame leaves in its turn, read from its first beat to its last, each beat once and unchanged but for a mark; no queue overflows",
        method: |_| Method::Induction(5),
        subject: Subject::PacketPath,
        checker: include_str!("../../formal/frames.sv"),
        cut: &["c:front", "c:registers", "c:buffer"],
        ..Property::UNCUT
    },
    Property {
        name: "frame-buffer",
        claim: "no place of a packet path's buffer is written before the beat in it was read or its frame dropped",
        method: |_| Method::Induction(1),
        subject: Subject::PacketPath,
        checker: include_str!("../../formal/frame_buffer.sv"),
        cut: &[
            "c:front",
            "c:registers",
            "c:buffer",
            "c:keys",
            "c:frames",
            "egress/t:egress_queue",
        ],
        ..Property::UNCUT
    },
    Property {
        name: "crossing-fifo",
        claim: "the FIFO between two clocks, whatever their waveforms, keeps order and data of any word, loses and invents none, is seen through within two edges, and crosses in one bit at a time",
        method: |_| Method::Induction(3),
        subject: Subject::EthernetPort,
        checker: include_str!("../../formal/crossing_fifo.sv"),
        ..Property::UNCUT
    },
    Property {
        name: "host-tag",
        claim: "a host port that asks for tags makes an access to the registers only behind a tag that was right under a loaded secret, one a tag, exactly as the tag's message says",
        method: |_| Method::Induction(3),
        subject: Subject::TaggedHostPort,
        checker: include_str!("../../formal/host_tag.sv"),
        ..Property::UNCUT
    },
    Property {
        name: "cell-verdict",
        claim: "a verdict is made of the item's own cells: their least, compared with the threshold, and whether one was 0, is at its greatest value, or was taken from at 0; under conservative update the level is that least and the amount",
        method: |gateware| Method::Induction(gateware.timing().front_clocks + 9),
        subject: Subject::Filter(CELLS),
        checker: CELL,
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
        sections: &["BANK"],
        cut: ALL_BUT_A_CELL,
        limits: &[Limit::Memory, Limit::TwoHashes, Limit::FullWords],
    },
    Property {
        name: "single-bit",
        claim: "any bit of a bank, as an item or a host finds it, is set from the item or host that stored it until the next clear, and only then; a bit is never set while a row is erased, and every row is erased before an item comes; clears and accesses end, and items are taken, within a bounded time",
        method: |_| Method::Induction(8),
        subject: Subject::Filter(BITS),
        checker: include_str!("../../formal/single_bit.sv"),
        cut: ALL_BUT_A_BIT,
        ..Property::UNCUT
    },
    Property {
        name: "single-counter",
        claim: "any counter of a bank, as an item or a host finds it, is a plain saturating counter of what items and hosts did to it since the last clear; every counter is erased before an item comes; clears and accesses end, and items are taken, within a bounded time",
        method: |_| Method::Induction(9),
        subject: Subject::Filter(COUNTERS),
        checker: include_str!("../../formal/single_counter.sv"),
        cut: ALL_BUT_A_COUNTER,
        ..Property::UNCUT
    },
    Property {
        name: "half-bit",
        claim: "any bit of a bank, for items and in a word of a host, is set in the active and in the frozen half from the item or host that stored it until its half is erased, and only then; a bit is never set in a half while a row of it is erased, and a half is erased wholly before it becomes active",
        method: |_| Method::Induction(20),
        subject: Subject::Filter(HALVES),
        checker: include_str!("../../formal/half_bit.sv"),
        cut: ALL_BUT_A_BIT_OF_HALVES,
        limits: &[Limit::Hashes(4)],
        ..Property::UNCUT
    },
    Property {
        name: "window",
        claim: "for any pair of positions: an item whose last element was not lost and is at most c generations old is seen, one without an element alike in the live generations is not, and an element is lost exactly if it matches nothing and no cell is empty",
        method: |_| Method::Induction(9),
        subject: Subject::Filter(WINDOWS),
        checker: include_str!("../../formal/window.sv"),
        cut: ALL_BUT_CELLS_OF_A_WINDOW,
        limits: &[Limit::Words, Limit::TwoCells],
        ..Property::UNCUT
    },
    Property {
        name: "cuckoo-wipes",
        claim: "at a restart nothing is in flight; behind a reset or a restart every row is wiped before an item comes or an agent reads, and while rows are wiped nothing is in flight and agents are idle",
        method: |_| Method::Induction(5),
        subject: Subject::Filter(TABLES),
        checker: include_str!("../../formal/cuckoo_wipes.sv"),
        cut: ALL_BUT_WIPES_OF_TABLES,
        limits: &[Limit::SmallTables],
        ..Property::UNCUT
    },
    Property {
        name: "cuckoo-moves",
        claim: "an operation of an agent that is cancelled writes no cell, and the entry of the stash that it was to move keeps its element; one that is not writes a row that no item has in flight and that is as it was read; cells and entries change as decided and in no other way; an entry in flight is in one place",
        method: |_| Method::Induction(8),
        subject: Subject::Filter(TABLES),
        checker: include_str!("../../formal/cuckoo_moves.sv"),
        cut: ALL_BUT_MOVES_OF_TABLES,
        limits: &[Limit::SmallTables],
        ..Property::UNCUT
    },
    Property {
        name: "cuckoo-cells",
        claim: "any cell matches an item exactly if it bears its fingerprint and is live to it, as every slot ahead leaves it, and else is told as empty exactly if it is not live; an agent is told of the cells that it reads which are dead, and which are old",
        method: |_| Method::Induction(9),
        subject: Subject::Filter(TABLES),
        checker: include_str!("../../formal/cuckoo_cells.sv"),
        cut: ALL_BUT_CELLS_OF_A_TABLE,
        limits: &[Limit::SmallTables],
        ..Property::UNCUT
    },
    Property {
        name: "cuckoo-window",
        claim: "an item whose identity's last element was not lost and is at most c generations old is told that it was seen; wherever that element is moved, it is in one place with the generation that it was given",
        method: |_| Method::ByAssertion,
        subject: Subject::Filter(TABLES),
        checker: include_str!("../../formal/cuckoo_window.sv"),
        cut: ALL_BUT_PLACES_OF_TABLES,
        limits: &[Limit::SmallTables],
        ..Property::UNCUT
    },
    Property {
        name: "recycles-apart",
        claim: "from one recycle to the next more clocks pass than a slot and the news of a recycle take, whatever the threshold",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(RECYCLING),
        checker: include_str!("../../formal/recycles.sv"),
        cut: ALL_BUT_RECYCLES,
        limits: &[Limit::Hashes(4)],
        ..Property::UNCUT
    },
    Property {
        name: "array-bit",
        claim: "any bit of the array reads as set, by an item or a host, from the item or host that stored it until its half is emptied, and only then",
        method: |gateware| Method::Induction(2 * gateware.hashes() + 12),
        subject: Subject::Filter(ARRAY),
        checker: include_str!("../../formal/array_bit.sv"),
        cut: ALL_BUT_THE_ARRAY,
        limits: &[Limit::Hashes(4)],
        ..Property::UNCUT
    },
    Property {
        name: "array-epochs",
        claim: "when a half of the array is emptied none of its words bears the epoch that comes, for any number of recycles, and a half that waits for one gets it within a bounded time",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(ARRAY),
        checker: include_str!("../../formal/array_epochs.sv"),
        cut: ALL_BUT_EPOCHS_OF_AN_ARRAY,
        limits: &[Limit::Words],
        ..Property::UNCUT
    },
    Property {
        name: "array-count",
        claim: "the registers of bits set and messages equal what the items and the host stored in each half, equal positions of an item counted once",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(ARRAY),
        checker: include_str!("../../formal/array_count.sv"),
        cut: ALL_BUT_COUNTING_OF_AN_ARRAY,
        limits: &[Limit::Words, Limit::Hashes(4)],
        ..Property::UNCUT
    },
    Property {
        name: "bank-bit",
        claim: "any bit of a bank, for items, for the decision and in a word that a host fetches, is set from the item or host that stored it until its half is emptied, and only then; no epoch comes back while a word bears it, and a half that waits for one gets it within a bounded time",
        method: |_| Method::Induction(16),
        subject: Subject::Filter(BANKS),
        checker: BANK,
        cut: ALL_BUT_A_BANK,
        limits: &[Limit::Memory, Limit::Hashes(4)],
        ..Property::UNCUT
    },
    Property {
        name: "count-exact",
        claim: "the registers of bits set and messages equal what the items and the host stored in each half",
        method: |_| Method::Induction(10),
        subject: Subject::Filter(BANKS),
        checker: include_str!("../../formal/count.sv"),
        cut: ALL_BUT_COUNTING,
        limits: &[Limit::Words, Limit::TwoHashes],
        ..Property::UNCUT
    },
    Property {
        name: "reach-verdict",
        claim: "from power-up an item can be accepted and its verdict appears",
        method: |gateware| Method::Cover(gateware.first_verdict_clocks()),
        subject: Subject::Filter(EVERY),
        checker: PORTS,
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
        sections: &["REACH", "REACH_CLEAR"],
        cut: DATA_PATH,
        limits: &[Limit::Start, Limit::Registers],
    },
];
