// Agents of a sliding-window filter on cuckoo tables, for any one entry of the stash: what they have of it, what a move that is cancelled
// leaves, and that nobody looks at a row which an agent writes.
//
// Proved: an operation that ends without being ripe writes no cell, and the entry that it was to move keeps identity and generation (but for
// the element that refreshes it). A cell is written by a wipe, by the slot in stage 7 as it was decided, or by an operation that ends
// ripe, and by nothing else; an entry changes where it is taken, refreshed, expires, or its move ends ripe. Such a move writes what the
// entry holds into one cell of its row in the agent's table: one that was dead when the row was read; if none was, that of the lane whose turn it is,
// and the entry takes the element that was read there. A scan writes the cells that were old. An element that is not seen takes one cell or
// one entry, or is lost. No item in stages 1 to 6 has the row that a ripe operation is about to write, and that row is as it was read. An entry in
// flight is in one place of the way to an agent, or at one agent, and its identity and row are held there as in the stash.
//
// Hash, sequencer, queue, registers, counters and memories are cut: any identity may come in any clock and any cell may be read, so
// the number of rows does not matter.
//
// Assumed of the sequencer, and proved of the emitted filter by cuckoo_wipes.sv: at a restart no item is in flight, and while rows are wiped nothing is, and
// agents are idle. Of a word that is read it is assumed that its generation is one that there is, which is proved of
// every word that is written; of the hash, that a fingerprint is one that it gives.
//
// observe hold_queue: wire [`INDEX_BITS-1:0] formal_oldest = items_read_data[`INDEX_BITS-1:0];
// observe cuckoo_slots: wire [`LATENCY-1:0] formal_items = {item_line, item_front}; wire [`LATENCY-1:0] formal_inserts = {element_line, element_front};
// observe cuckoo_track: wire [8*`INDEX_BITS-1:0] formal_line = {stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0}; wire [4*`GENERATION_BITS-1:0] formal_own = {generation_3, generation_2, generation_1, generation_0};
// observe cuckoo_table: wire [8*`ROW_BITS-1:0] formal_rows = {stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0}; wire [`ROW_BITS+`CELL_BITS-1:0] formal_port = {port_row, data}; wire [2:0] formal_writes = {lane_2_commits, lane_1_commits, lane_0_commits};
// observe cuckoo_lane: wire [1:0] formal_write = {taken, memory_write};
// observe row_agent*: wire formal_move_3 = move_3; wire [10:0] formal_flags = {next, commit_full, commit_any, ripe, moves, move_4, scan_4, r3, r2, r1, wait_}; wire [`ROW_CELLS-1:0] formal_turn = turn; wire [`CELL_BITS-1:0] formal_victim = victim_r; wire [`ENTRY_BITS+`INDEX_BITS+`GENERATION_BITS-1:0] formal_move = {entry_r, value, row_r, generation}; wire [`ENTRY_BITS+`INDEX_BITS+`GENERATION_BITS-1:0] formal_next = {next_entry, next_value, next_row, next_generation};
// observe stash_memory: wire [`ENTRY_BITS-1:0] formal_address; wire [`INDEX_BITS-1:0] formal_identity = entries[formal_address];
// observe stash_entry: wire [`INDEX_BITS+`GENERATION_BITS+7:0] formal_entry = {expires, taken, wrote, touched, flying_r, used_r, target_r, identity_r, generation_r};
// observe stash: wire [`STASH_CELLS:0] formal_pick = {pick, pick_cells}; wire [`ENTRY_BITS+`INDEX_BITS+`GENERATION_BITS+2:0] formal_cand = {cand, cand_target, cand_entry, cand_identity, cand_generation};
module formal_moves (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  localparam VALUE_BITS = `INDEX_BITS - `ROW_BITS;
  localparam MOVE = `ENTRY_BITS + `INDEX_BITS + `GENERATION_BITS;
  localparam ENTRY = `INDEX_BITS + `GENERATION_BITS + 8;
  localparam TABLES = 4;
  localparam [`GENERATION_BITS-1:0] NONE = {`GENERATION_BITS{1'b1}}; // no generation
  localparam [VALUE_BITS-1:0] PRINTS = (1 << `FINGERPRINT_BITS) + (1 << (`FINGERPRINT_BITS - `GENERATION_BITS));
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hold.formal_oldest ;
  (* hierconn *) wire \dut.begin_ ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_starting ;
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer_wipe ;
  (* hierconn *) wire \dut.sequencer_restart ;
  (* hierconn *) wire [11:0] \dut.fit_taking ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.track_identity_7 ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.track_own_7 ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generations_newest ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generations_following ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_stale ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire \dut.fit_seen ;
  (* hierconn *) wire \dut.fit_lost ;
  (* hierconn *) wire \dut.fit_stash ;
  (* hierconn *) wire \dut.slots_element_6 ;
  (* hierconn *) wire [8*`INDEX_BITS-1:0] \dut.track.formal_line ;
  (* hierconn *) wire [4*`GENERATION_BITS-1:0] \dut.track.formal_own ;
  (* hierconn *) wire [3:0] \dut.order_first ;
  (* hierconn *) wire [`ENTRY_BITS-1:0] \dut.order_entry ;
  (* hierconn *) wire \dut.stash_ends ;
  (* hierconn *) wire \dut.stash_placed ;
  (* hierconn *) wire \dut.stash_succeeds ;
  (* hierconn *) wire \dut.stash_taken ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.victim_generation ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`STASH_CELLS:0] \dut.stash.formal_pick ;
  (* hierconn *) wire [MOVE+2:0] \dut.stash.formal_cand ;
  (* hierconn *) wire [`ENTRY_BITS-1:0] \dut.stash.identities.formal_address ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.stash.identities.formal_identity ;
  wire [`LATENCY-1:0] items = dut.slots.formal_items;

  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_0.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_0.formal_port ;
  (* hierconn *) wire [1:0] \dut.table_0.lane_0.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_0.lane_1.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_0.lane_2.formal_write ;
  (* hierconn *) wire \dut.table_0_taken ;
  (* hierconn *) wire [2:0] \dut.table_0_dead ;
  (* hierconn *) wire [2:0] \dut.table_0_old ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_0_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_0_victim_generation ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_0.lane_0.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_0.lane_1.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_0.lane_2.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_0.formal_victim ;
  (* hierconn *) wire [10:0] \dut.agent_0.formal_flags ;
  (* hierconn *) wire \dut.agent_0.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_0.formal_turn ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_0.formal_move ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_0.formal_next ;
  (* hierconn *) wire \dut.agent_0_writes ;
  (* hierconn *) wire \dut.agent_0_ends ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_0_write_data ;
  (* hierconn *) wire [2:0] \dut.agent_0_write_lanes ;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_1.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_1.formal_port ;
  (* hierconn *) wire [1:0] \dut.table_1.lane_0.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_1.lane_1.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_1.lane_2.formal_write ;
  (* hierconn *) wire \dut.table_1_taken ;
  (* hierconn *) wire [2:0] \dut.table_1_dead ;
  (* hierconn *) wire [2:0] \dut.table_1_old ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_1_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_1_victim_generation ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_0.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_1.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_2.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_1.formal_victim ;
  (* hierconn *) wire [10:0] \dut.agent_1.formal_flags ;
  (* hierconn *) wire \dut.agent_1.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_1.formal_turn ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_1.formal_move ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_1.formal_next ;
  (* hierconn *) wire \dut.agent_1_writes ;
  (* hierconn *) wire \dut.agent_1_ends ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_1_write_data ;
  (* hierconn *) wire [2:0] \dut.agent_1_write_lanes ;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_2.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_2.formal_port ;
  (* hierconn *) wire [1:0] \dut.table_2.lane_0.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_2.lane_1.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_2.lane_2.formal_write ;
  (* hierconn *) wire \dut.table_2_taken ;
  (* hierconn *) wire [2:0] \dut.table_2_dead ;
  (* hierconn *) wire [2:0] \dut.table_2_old ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_2_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_2_victim_generation ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_2.lane_0.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_2.lane_1.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_2.lane_2.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_2.formal_victim ;
  (* hierconn *) wire [10:0] \dut.agent_2.formal_flags ;
  (* hierconn *) wire \dut.agent_2.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_2.formal_turn ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_2.formal_move ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_2.formal_next ;
  (* hierconn *) wire \dut.agent_2_writes ;
  (* hierconn *) wire \dut.agent_2_ends ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_2_write_data ;
  (* hierconn *) wire [2:0] \dut.agent_2_write_lanes ;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_3.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_3.formal_port ;
  (* hierconn *) wire [1:0] \dut.table_3.lane_0.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_3.lane_1.formal_write ;
  (* hierconn *) wire [1:0] \dut.table_3.lane_2.formal_write ;
  (* hierconn *) wire \dut.table_3_taken ;
  (* hierconn *) wire [2:0] \dut.table_3_dead ;
  (* hierconn *) wire [2:0] \dut.table_3_old ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_3_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_3_victim_generation ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_3.lane_0.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_3.lane_1.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_3.lane_2.memory_b_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_3.formal_victim ;
  (* hierconn *) wire [10:0] \dut.agent_3.formal_flags ;
  (* hierconn *) wire \dut.agent_3.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_3.formal_turn ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_3.formal_move ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_3.formal_next ;
  (* hierconn *) wire \dut.agent_3_writes ;
  (* hierconn *) wire \dut.agent_3_ends ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_3_write_data ;
  (* hierconn *) wire [2:0] \dut.agent_3_write_lanes ;

  // Tables and agents, by number.
  wire [8*`ROW_BITS-1:0] rows [0:3];
  wire [`ROW_BITS-1:0] port_row [0:3];
  wire [`CELL_BITS-1:0] port_data [0:3];
  wire [2:0] written [0:3]; // cells that are written
  wire [2:0] taken [0:3];   // of these, by the slot in stage 7
  wire [10:0] flags [0:3];
  wire [`ROW_CELLS-1:0] turn [0:3];
  wire [`CELL_BITS-1:0] victim [0:3];
  wire [`INDEX_BITS-1:0] victim_identity [0:3];
  wire [`GENERATION_BITS-1:0] victim_generation [0:3];
  wire [`CELL_BITS-1:0] read [0:11];
  wire [MOVE-1:0] move [0:3];
  wire [MOVE-1:0] next_move [0:3];
  wire [2:0] lanes [0:3];
  wire [`CELL_BITS-1:0] data [0:3];
  assign rows[0] = dut.table_0.formal_rows;
  assign {port_row[0], port_data[0]} = dut.table_0.formal_port;
  assign {taken[0][2], written[0][2], taken[0][1], written[0][1], taken[0][0], written[0][0]} = {dut.table_0.lane_2.formal_write, dut.table_0.lane_1.formal_write, dut.table_0.lane_0.formal_write};
  assign flags[0] = dut.agent_0.formal_flags;
  assign read[0] = dut.table_0.lane_0.memory_b_data;
  assign read[1] = dut.table_0.lane_1.memory_b_data;
  assign read[2] = dut.table_0.lane_2.memory_b_data;
  assign victim[0] = dut.agent_0.formal_victim;
  assign victim_identity[0] = dut.agent_0_victim_identity;
  assign victim_generation[0] = dut.agent_0_victim_generation;
  assign turn[0] = dut.agent_0.formal_turn;
  assign move[0] = dut.agent_0.formal_move;
  assign next_move[0] = dut.agent_0.formal_next;
  assign data[0] = dut.agent_0_write_data;
  assign lanes[0] = dut.agent_0_write_lanes;
  assign rows[1] = dut.table_1.formal_rows;
  assign {port_row[1], port_data[1]} = dut.table_1.formal_port;
  assign {taken[1][2], written[1][2], taken[1][1], written[1][1], taken[1][0], written[1][0]} = {dut.table_1.lane_2.formal_write, dut.table_1.lane_1.formal_write, dut.table_1.lane_0.formal_write};
  assign flags[1] = dut.agent_1.formal_flags;
  assign read[3] = dut.table_1.lane_0.memory_b_data;
  assign read[4] = dut.table_1.lane_1.memory_b_data;
  assign read[5] = dut.table_1.lane_2.memory_b_data;
  assign victim[1] = dut.agent_1.formal_victim;
  assign victim_identity[1] = dut.agent_1_victim_identity;
  assign victim_generation[1] = dut.agent_1_victim_generation;
  assign turn[1] = dut.agent_1.formal_turn;
  assign move[1] = dut.agent_1.formal_move;
  assign next_move[1] = dut.agent_1.formal_next;
  assign data[1] = dut.agent_1_write_data;
  assign lanes[1] = dut.agent_1_write_lanes;
  assign rows[2] = dut.table_2.formal_rows;
  assign {port_row[2], port_data[2]} = dut.table_2.formal_port;
  assign {taken[2][2], written[2][2], taken[2][1], written[2][1], taken[2][0], written[2][0]} = {dut.table_2.lane_2.formal_write, dut.table_2.lane_1.formal_write, dut.table_2.lane_0.formal_write};
  assign flags[2] = dut.agent_2.formal_flags;
  assign read[6] = dut.table_2.lane_0.memory_b_data;
  assign read[7] = dut.table_2.lane_1.memory_b_data;
  assign read[8] = dut.table_2.lane_2.memory_b_data;
  assign victim[2] = dut.agent_2.formal_victim;
  assign victim_identity[2] = dut.agent_2_victim_identity;
  assign victim_generation[2] = dut.agent_2_victim_generation;
  assign turn[2] = dut.agent_2.formal_turn;
  assign move[2] = dut.agent_2.formal_move;
  assign next_move[2] = dut.agent_2.formal_next;
  assign data[2] = dut.agent_2_write_data;
  assign lanes[2] = dut.agent_2_write_lanes;
  assign rows[3] = dut.table_3.formal_rows;
  assign {port_row[3], port_data[3]} = dut.table_3.formal_port;
  assign {taken[3][2], written[3][2], taken[3][1], written[3][1], taken[3][0], written[3][0]} = {dut.table_3.lane_2.formal_write, dut.table_3.lane_1.formal_write, dut.table_3.lane_0.formal_write};
  assign flags[3] = dut.agent_3.formal_flags;
  assign read[9] = dut.table_3.lane_0.memory_b_data;
  assign read[10] = dut.table_3.lane_1.memory_b_data;
  assign read[11] = dut.table_3.lane_2.memory_b_data;
  assign victim[3] = dut.agent_3.formal_victim;
  assign victim_identity[3] = dut.agent_3_victim_identity;
  assign victim_generation[3] = dut.agent_3_victim_generation;
  assign turn[3] = dut.agent_3.formal_turn;
  assign move[3] = dut.agent_3.formal_move;
  assign next_move[3] = dut.agent_3.formal_next;
  assign data[3] = dut.agent_3_write_data;
  assign lanes[3] = dut.agent_3_write_lanes;
  wire [3:0] table_taken = {dut.table_3_taken, dut.table_2_taken, dut.table_1_taken, dut.table_0_taken};
  wire [3:0] writes = {dut.agent_3_writes, dut.agent_2_writes, dut.agent_1_writes, dut.agent_0_writes};
  wire [3:0] ends = {dut.agent_3_ends, dut.agent_2_ends, dut.agent_1_ends, dut.agent_0_ends};
  wire [3:0] first = dut.order_first;
  wire [3:0] move_3 = {dut.agent_3.formal_move_3, dut.agent_2.formal_move_3, dut.agent_1.formal_move_3, dut.agent_0.formal_move_3};

  // The watched entry.
  (* anyconst *) wire [`ENTRY_BITS-1:0] watched;
  assign dut.stash.identities.formal_address = watched;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_0.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_1.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_2.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_3.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_4.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_5.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_6.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_7.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_8.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_9.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_10.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_11.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_12.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_13.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_14.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_15.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_16.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_17.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_18.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_19.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_20.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_21.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_22.formal_entry ;
  (* hierconn *) wire [ENTRY-1:0] \dut.stash.cell_23.formal_entry ;
  wire [ENTRY-1:0] all_entries [0:`STASH_CELLS-1];
  assign all_entries[0] = dut.stash.cell_0.formal_entry;
  assign all_entries[1] = dut.stash.cell_1.formal_entry;
  assign all_entries[2] = dut.stash.cell_2.formal_entry;
  assign all_entries[3] = dut.stash.cell_3.formal_entry;
  assign all_entries[4] = dut.stash.cell_4.formal_entry;
  assign all_entries[5] = dut.stash.cell_5.formal_entry;
  assign all_entries[6] = dut.stash.cell_6.formal_entry;
  assign all_entries[7] = dut.stash.cell_7.formal_entry;
  assign all_entries[8] = dut.stash.cell_8.formal_entry;
  assign all_entries[9] = dut.stash.cell_9.formal_entry;
  assign all_entries[10] = dut.stash.cell_10.formal_entry;
  assign all_entries[11] = dut.stash.cell_11.formal_entry;
  assign all_entries[12] = dut.stash.cell_12.formal_entry;
  assign all_entries[13] = dut.stash.cell_13.formal_entry;
  assign all_entries[14] = dut.stash.cell_14.formal_entry;
  assign all_entries[15] = dut.stash.cell_15.formal_entry;
  assign all_entries[16] = dut.stash.cell_16.formal_entry;
  assign all_entries[17] = dut.stash.cell_17.formal_entry;
  assign all_entries[18] = dut.stash.cell_18.formal_entry;
  assign all_entries[19] = dut.stash.cell_19.formal_entry;
  assign all_entries[20] = dut.stash.cell_20.formal_entry;
  assign all_entries[21] = dut.stash.cell_21.formal_entry;
  assign all_entries[22] = dut.stash.cell_22.formal_entry;
  assign all_entries[23] = dut.stash.cell_23.formal_entry;
  reg [ENTRY-1:0] entry;
  reg [`ENTRY_BITS:0] writers; // entries that the slot in stage 7 takes
  always @* begin
    entry = 0;
    writers = 0;
    for (i = 0; i < `STASH_CELLS; i = i + 1) begin
      if (watched == i) entry = all_entries[i];
      writers = writers + all_entries[i][ENTRY-2];
    end
  end
  wire expires, takes, wrote, touched, flying, used;
  wire [1:0] target;
  wire [`INDEX_BITS-1:0] identity;
  wire [`GENERATION_BITS-1:0] generation;
  assign {expires, takes, wrote, touched, flying, used, target, identity, generation} = entry;
  integer i, s, t;

  // Its rows.
  wire [`ROW_BITS-1:0] shift_1, shift_2, shift_3;
  row_function of_table_1 (.x(identity[`INDEX_BITS-1:`ROW_BITS]), .y(shift_1));
  row_function_2 of_table_2 (.x(identity[`INDEX_BITS-1:`ROW_BITS]), .y(shift_2));
  row_function_3 of_table_3 (.x(identity[`INDEX_BITS-1:`ROW_BITS]), .y(shift_3));
  wire [`ROW_BITS-1:0] row [0:3];
  assign row[0] = identity[`ROW_BITS-1:0];
  assign row[1] = identity[`ROW_BITS-1:0] ^ shift_1;
  assign row[2] = identity[`ROW_BITS-1:0] ^ shift_2;
  assign row[3] = identity[`ROW_BITS-1:0] ^ shift_3;

  // Who has it.
  wire [`STASH_CELLS-1:0] choice = dut.stash.formal_pick[`STASH_CELLS-1:0];
  wire picked = dut.stash.formal_pick[`STASH_CELLS] && dut.stash.formal_pick[watched];
  wire cand;
  wire [1:0] cand_target;
  wire [`ENTRY_BITS-1:0] cand_entry;
  wire [`INDEX_BITS-1:0] cand_identity;
  wire [`GENERATION_BITS-1:0] cand_generation;
  assign {cand, cand_target, cand_entry, cand_identity, cand_generation} = dut.stash.formal_cand;
  wire cand_has = cand && cand_entry == watched;
  reg [3:0] next_has, move_has, row_4, move_4, scan_4, ripe, busy, reads;
  reg [3:0] holders;
  always @* begin
    holders = picked + cand_has;
    for (t = 0; t < TABLES; t = t + 1) begin
      move_4[t] = flags[t][5];
      scan_4[t] = flags[t][4];
      row_4[t] = move_4[t] || scan_4[t];
      ripe[t] = flags[t][7];
      reads[t] = flags[t][0] && !table_taken[t];
      busy[t] = |flags[t][5:0];
      next_has[t] = flags[t][10] && next_move[t][MOVE-1 -: `ENTRY_BITS] == watched;
      move_has[t] = busy[t] && flags[t][6] && move[t][MOVE-1 -: `ENTRY_BITS] == watched;
      holders = holders + next_has[t] + move_has[t];
    end
  end
  wire ends_here = dut.stash_ends && dut.order_entry == watched;
  wire moved_here = dut.stash_succeeds && dut.order_entry == watched;
  wire [`CELL_BITS-1:0] own_word [0:3];
  cell_word word_0 (.value(identity[`INDEX_BITS-1:`ROW_BITS]), .generation(move[0][`GENERATION_BITS-1:0]), .word(own_word[0]));
  cell_word word_1 (.value(identity[`INDEX_BITS-1:`ROW_BITS]), .generation(move[1][`GENERATION_BITS-1:0]), .word(own_word[1]));
  cell_word word_2 (.value(identity[`INDEX_BITS-1:`ROW_BITS]), .generation(move[2][`GENERATION_BITS-1:0]), .word(own_word[2]));
  cell_word word_3 (.value(identity[`INDEX_BITS-1:`ROW_BITS]), .generation(move[3][`GENERATION_BITS-1:0]), .word(own_word[3]));

  // What an agent has read: the cell that would give way, and which were dead, and old.
  wire [11:0] dead = {dut.table_3_dead, dut.table_2_dead, dut.table_1_dead, dut.table_0_dead};
  wire [11:0] old = {dut.table_3_old, dut.table_2_old, dut.table_1_old, dut.table_0_old};
  reg [`CELL_BITS-1:0] gave [0:3];
  reg [2:0] were_dead [0:3];
  reg [2:0] were_old [0:3];
  wire [`ROW_BITS-1:0] gave_shift [0:3];
  wire [`ROW_BITS-1:0] gave_shift_1, gave_shift_2, gave_shift_3;
  row_function gave_in_table_1 (.x(value_of(gave[1])), .y(gave_shift_1));
  row_function_2 gave_in_table_2 (.x(value_of(gave[2])), .y(gave_shift_2));
  row_function_3 gave_in_table_3 (.x(value_of(gave[3])), .y(gave_shift_3));
  assign gave_shift[0] = 0;
  assign gave_shift[1] = gave_shift_1;
  assign gave_shift[2] = gave_shift_2;
  assign gave_shift[3] = gave_shift_3;
  always @(posedge clock)
    for (t = 0; t < TABLES; t = t + 1) begin
      if (flags[t][2]) gave[t] <= turn[t][0] ? read[3*t] : turn[t][1] ? read[3*t+1] : read[3*t+2];
      if (flags[t][3]) were_dead[t] <= dead[3*t +: 3];
      if (flags[t][3]) were_old[t] <= old[3*t +: 3];
    end
  function [VALUE_BITS-1:0] value_of(input [`CELL_BITS-1:0] word);
    value_of = &word[`GENERATION_BITS-1:0]
      ? {1'b1, {(VALUE_BITS-1-(`FINGERPRINT_BITS-`GENERATION_BITS)){1'b0}}, word[`FINGERPRINT_BITS-1:`GENERATION_BITS]} : {1'b0, word[`CELL_BITS-1:`GENERATION_BITS]};
  endfunction

  // The row that an agent has read was written since.
  reg [3:0] changed; initial changed = 0;
  reg [3:0] writing;
  always @* begin
    for (t = 0; t < TABLES; t = t + 1)
      writing[t] = written[t] != 0 && port_row[t] == move[t][`GENERATION_BITS +: `ROW_BITS];
  end
  always @(posedge clock) for (t = 0; t < TABLES; t = t + 1) changed[t] <= !reads[t] && (changed[t] || writing[t]);

  // The clock before.
  reg started; initial started = 0;
  reg [ENTRY-1:0] was;
  reg [11:0] was_taking;
  reg [3:0] was_busy; initial was_busy = 0;
  reg was_begin, was_ends, was_moved, was_placed;
  reg [`INDEX_BITS-1:0] was_victim, was_identity_7;
  reg [`GENERATION_BITS-1:0] was_victim_generation, was_own_7;
  always @(posedge clock) begin
    started <= 1;
    was <= entry;
    was_taking <= dut.fit_taking;
    was_busy <= busy;
    was_begin <= dut.begin_;
    was_ends <= ends_here;
    was_moved <= moved_here;
    was_placed <= dut.stash_placed;
    was_victim <= dut.victim_identity;
    was_victim_generation <= dut.victim_generation;
    was_identity_7 <= dut.track_identity_7;
    was_own_7 <= dut.track_own_7;
  end
  wire was_taken = was[ENTRY-2];
  wire was_refreshed = was[ENTRY-3] && !was_taken;
  wire [`INDEX_BITS-1:0] was_identity = was[`GENERATION_BITS +: `INDEX_BITS];
  wire [`GENERATION_BITS-1:0] was_generation = was[`GENERATION_BITS-1:0];
  wire was_used = was[ENTRY-6];

  function [`GENERATION_BITS-1:0] generation_of(input [`CELL_BITS-1:0] word);
    generation_of = &word[`GENERATION_BITS-1:0] ? word[`CELL_BITS-1:`FINGERPRINT_BITS] : word[`GENERATION_BITS-1:0];
  endfunction

  // The surroundings.
  always @* begin
    assume (watched < `STASH_CELLS);
    assume (dut.hash_index_0[`INDEX_BITS-1:`ROW_BITS] < PRINTS && dut.hold.formal_oldest[`INDEX_BITS-1:`ROW_BITS] < PRINTS);
    // no word was written that is none
    for (i = 0; i < 12; i = i + 1) assume (generation_of(read[i]) != NONE);
    assume (!dut.sequencer_restart || (items == 0 && table_taken == 0));
    assume (!dut.sequencer_wipe || (items == 0 && table_taken == 0 && busy == 0 && was_busy == 0));
  end

  wire mute = !started || was_begin;
  reg only_ripe, cell_written, as_decided, one_writer, moves_entry, one_cell, in_its_row, nobodys, as_read, next_as_is, move_as_is, words_are_cells, as_it_gave, as_told;
  always @* begin
    only_ripe = 1;
    cell_written = 1;
    as_decided = 1;
    one_writer = 1;
    moves_entry = 1;
    one_cell = 1;
    in_its_row = 1;
    nobodys = 1;
    as_read = 1;
    next_as_is = 1;
    move_as_is = 1;
    words_are_cells = 1;
    as_it_gave = 1;
    as_told = 1;
    for (t = 0; t < TABLES; t = t + 1) begin
      if (writes[t] && !(ripe[t] && (scan_4[t] || (move_4[t] && first[t] && ends[t])))) only_ripe = 0;
      for (i = 0; i < `ROW_CELLS; i = i + 1) begin
        if (written[t][i] && !dut.sequencer_wipe && !taken[t][i] && !(writes[t] && lanes[t][i])) cell_written = 0;
        if (started && taken[t][i] != was_taking[`ROW_CELLS*t+i]) as_decided = 0;
      end
      if (written[t] != 0 && !(writes[t] && move_4[t] && !move_has[t]) && generation_of(port_data[t]) == NONE) words_are_cells = 0;
      if (move_4[t]) begin
        if (victim_generation[t] != generation_of(gave[t]) || victim_identity[t] != {value_of(gave[t]), move[t][`GENERATION_BITS +: `ROW_BITS] ^ gave_shift[t]}) as_it_gave = 0;
        if (flags[t][9] != (were_dead[t] == 0) || (flags[t][9] ? lanes[t] != turn[t] : (lanes[t] & ~were_dead[t]) != 0)) as_told = 0;
      end
      if (scan_4[t] && lanes[t] != were_old[t]) as_told = 0;
      if (writes[t] && (table_taken[t] || taken[t] != 0)) one_writer = 0;
      if (moved_here && first[t]) begin
        if (!(ends[t] && ripe[t] && move_4[t] && writes[t] && used && flying)) moves_entry = 0;
        if (written[t] == 0 || (written[t] & (written[t] - 3'd1)) != 0) one_cell = 0;
        if (port_row[t] != row[t] || port_data[t] != own_word[t]) in_its_row = 0;
      end
      if (ripe[t] && row_4[t]) begin
        for (s = 1; s < 7; s = s + 1)
          if (items[`FRONT-1+s] && rows[t][s*`ROW_BITS +: `ROW_BITS] == move[t][`GENERATION_BITS +: `ROW_BITS]) nobodys = 0;
        if (changed[t]) as_read = 0;
      end
      if (next_has[t] && next_move[t][`GENERATION_BITS +: `INDEX_BITS] != {identity[`INDEX_BITS-1:`ROW_BITS], row[t]}) next_as_is = 0;
      if (move_has[t] && move[t][`GENERATION_BITS +: `INDEX_BITS] != {identity[`INDEX_BITS-1:`ROW_BITS], row[t]}) move_as_is = 0;
    end
  end
  always @* begin
    // an operation that is cancelled writes nothing, and nothing else writes a cell
    writes_if_ripe: assert (only_ripe);
    written_by_whom: assert (cell_written);
    written_as_decided: assert (as_decided);
    one_writes: assert (one_writer);
    // the entry of a move that is cancelled keeps its element, and is free for another agent
    if (!mute && was_ends && !was_moved)
      cancelled_keeps: assert (used == was_used && identity == was_identity && (was_refreshed || generation == was_generation) && !flying);
    // an entry changes only so
    if (!mute) begin
      identity_kept: assert (identity == was_identity || was_taken || was_moved);
      generation_kept: assert (generation == was_generation || was_taken || was_refreshed || was_moved);
      use_kept: assert (used || !was_used || was[ENTRY-1] || (was_moved && was_placed));
      flight_kept: assert (flying || !was[ENTRY-5] || was_ends);
      if (was_taken) taken_whole: assert (!was_used && !was_moved && used && identity == was_identity_7 && generation == was_own_7);
      if (was_refreshed) refreshed_whole: assert (generation == was_own_7);
      if (was_moved && !was_placed) exchanged_whole: assert (used && !flying && identity == was_victim && (was_refreshed || generation == was_victim_generation));
    end
    // what a move that succeeds writes
    moved_by_its_agent: assert (moves_entry);
    moved_into_one_cell: assert (one_cell);
    moved_as_it_was: assert (in_its_row);
    // a row that is to be written is nobody's, and as it was read
    row_is_nobodys: assert (nobodys);
    row_as_read: assert (as_read);
    // one has the entry, as it is
    one_holder: assert (holders == flying);
    flying_is_used: assert (!flying || used);
    known_by_number: assert (!used || dut.stash.identities.formal_identity == identity);
    if (cand_has) handed_as_is: assert (cand_identity == identity && cand_target == target);
    waits_as_is: assert (next_as_is);
    agent_has_as_is: assert (move_as_is);
    // an element that is not seen takes a cell or an entry, or is lost
    if (dut.slots_element_6 && !dut.fit_seen) taken_or_lost: assert (dut.fit_lost + dut.fit_stash + (dut.fit_taking != 0) == 1);
    gives_way_as_read: assert (as_it_gave);
    dead_or_old_as_read: assert (as_told);
    // generations and fingerprints are such as there are
    if (used) known_generation: assert (generation != NONE && identity[`INDEX_BITS-1:`ROW_BITS] < PRINTS);
    words_written: assert (words_are_cells);
    if (cand_has) assert (cand_generation != NONE);
    // What makes the induction go through.
    assert ((dut.slots.formal_inserts & ~items) == 0);
    assert (dut.slots_generations_following == (dut.slots_generations_newest == NONE - 1 ? 0 : dut.slots_generations_newest + 1));
    assert (dut.slots_stale != NONE && (dut.slots_generations_newest >= dut.slots_stale ? dut.slots_generations_newest - dut.slots_stale : dut.slots_generations_newest + NONE - dut.slots_stale) == `GENERATIONS + 1);
    for (t = 0; t < TABLES; t = t + 1) if (flags[t][3] && flags[t][6]) assert (victim[t] == gave[t]);
    assert (dut.slots_generations_newest != NONE && dut.slots_generations_following != NONE && dut.slots_stale != NONE);
    for (s = 0; s < 8; s = s + 1) assert (dut.track.formal_line[s*`INDEX_BITS+`ROW_BITS +: VALUE_BITS] < PRINTS);
    for (s = 0; s < 4; s = s + 1) assert (dut.track.formal_own[s*`GENERATION_BITS +: `GENERATION_BITS] != NONE);
    for (t = 0; t < TABLES; t = t + 1) begin
      assert (generation_of(victim[t]) != NONE);
      if (scan_4[t] || !(busy[t] || was_busy[t])) assert (generation_of(data[t]) != NONE);
      if (next_has[t]) assert (next_move[t][`GENERATION_BITS-1:0] != NONE);
      if (move_has[t]) assert (move[t][`GENERATION_BITS-1:0] != NONE);
      assert (move_3[t] == (flags[t][3] && flags[t][6]));
    end
    assert (dut.stash.formal_pick[`STASH_CELLS] == (choice != 0) && (choice & (choice - 1'b1)) == 0);
    assert (writers == dut.stash_taken);
    assert ((first & (first - 4'd1)) == 0 && (first & ~move_4) == 0);
    for (t = 0; t < TABLES; t = t + 1) begin
      assert (turn[t] != 0 && (turn[t] & (turn[t] - 1'b1)) == 0);
      if (move_4[t]) assert (flags[t][8] && lanes[t] != 0 && (lanes[t] & (lanes[t] - 1'b1)) == 0);
      if (move_4[t] && move_has[t]) assert (data[t] == own_word[t]);
      if (first[t]) assert (dut.order_entry == move[t][MOVE-1 -: `ENTRY_BITS]);
      assert (!(flags[t][5] && !flags[t][6]) && !(flags[t][4] && flags[t][6]));
      assert (flags[t][0] + flags[t][1] + flags[t][2] + flags[t][3] + flags[t][4] + flags[t][5] <= 1);
    end
  end
endmodule
