// Window of a sliding-window filter on cuckoo tables: for any one identity, chosen by the solver, an item that bears it is told that it was seen
// while its last element, which was not lost, is at most c generations old.
//
// The element is followed from place to place: the cell or the entry of the stash that took it, the cell that an agent moves it into, the
// entry that it gives way to. Proved of every clock: it is where it is followed to, with the generation that its last item gave it; it is live
// nowhere else; and whatever an item with its identity meets in the stages of the stash, and an agent on its way, agrees with that.
//
// Hash, sequencer, queue, registers, counters, memories and lanes are cut. Of the lanes it is assumed what cuckoo_cells.sv proves of any cell: what an
// item and an agent are told of it. Of the agents what cuckoo_moves.sv proves: a row that is written is nobody's and as it was read, the
// entry that an agent has is as it was handed over, one entry is picked at most. Of the sequencer what cuckoo_wipes.sv proves. Of other identities it is
// assumed of the clock before what is proved of this one: that no item refreshes an entry which is not its own. Assumed and not proved: no age
// comes round, and a fingerprint is one that the hash gives.
//
// observe cuckoo_slots: wire [`LATENCY-1:0] formal_items = {item_line, item_front}; wire [`LATENCY-1:0] formal_inserts = {element_line, element_front}; wire [31:0] formal_elements = elements;
// observe cuckoo_track: wire [8*`INDEX_BITS-1:0] formal_line = {stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0}; wire [4*`GENERATION_BITS-1:0] formal_own = {generation_3, generation_2, generation_1, generation_0};
// observe cuckoo_table: wire [8*`ROW_BITS-1:0] formal_rows = {stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0}; wire [`ROW_BITS+`CELL_BITS-1:0] formal_port = {port_row, data}; wire [2:0] formal_commits = {lane_2_commits, lane_1_commits, lane_0_commits};
// observe row_agent*: wire formal_move_3 = move_3; wire [11:0] formal_flags = {victim_old, victim_live, commit_full, commit_any, ripe, moves, move_4, scan_4, r3, r2, r1, wait_}; wire [`ENTRY_BITS+`INDEX_BITS+`GENERATION_BITS-1:0] formal_move = {entry_r, value, row_r, generation}; wire [`ENTRY_BITS+`INDEX_BITS+`GENERATION_BITS:0] formal_next = {next, next_entry, next_value, next_row, next_generation}; wire [`ROW_CELLS-1:0] formal_turn = turn; wire [`CELL_BITS-1:0] formal_victim = victim_r;
// observe stash_entry: wire [`INDEX_BITS+`GENERATION_BITS+7:0] formal_entry = {stirred, life_was_old, life_old, life_live, wrote, touched, flying_r, used_r, identity_r, generation_r};
// observe hold_queue: wire formal_queued = waiting; wire [`INDEX_BITS-1:0] formal_oldest = items_read_data[`INDEX_BITS-1:0];
// observe stash: wire [`STASH_CELLS:0] formal_pick = {pick, pick_cells}; wire [`ENTRY_BITS+`INDEX_BITS+`GENERATION_BITS:0] formal_cand = {cand, cand_entry, cand_identity, cand_generation}; wire [`STASH_CELLS-1:0] formal_lowest = lowest; wire [`STASH_CELLS-1:0] formal_refreshes = refreshes; wire [`STASH_CELLS-1:0] formal_meeting = meeting; wire [3*`ENTRY_BITS+2:0] formal_found = {found_entry_2, found_entry_1, found_entry_0, found}; wire [2*`ENTRY_BITS+5:0] formal_met = {entry_6, entry_5, meets_5, known_6, near_6, refreshing, refreshed, taken_r};
module formal_window_of_tables (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  localparam VALUE_BITS = `INDEX_BITS - `ROW_BITS;
  localparam MOVE = `ENTRY_BITS + `INDEX_BITS + `GENERATION_BITS;
  localparam ENTRY = `INDEX_BITS + `GENERATION_BITS + 8;
  localparam CELLS = 12;
  localparam [`GENERATION_BITS:0] V = (1 << `GENERATION_BITS) - 1;
  localparam [VALUE_BITS-1:0] PRINTS = (1 << `FINGERPRINT_BITS) + (1 << (`FINGERPRINT_BITS - `GENERATION_BITS));
  localparam [3:0] STALE = `GENERATIONS + 1;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.identity ;
  (* hierconn *) wire \dut.begin_ ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_starting ;
  (* hierconn *) wire \dut.sequencer_wipe ;
  (* hierconn *) wire \dut.sequencer_restart ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generations_newest ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generations_following ;
  (* hierconn *) wire [2:0] \dut.slots_generations_unturned ;
  (* hierconn *) wire \dut.slots_turns_turned ;
  (* hierconn *) wire [2:0] \dut.slots_turns_phase ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_turns_died ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_turns_aged ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_stale ;
  (* hierconn *) wire \dut.slots_item_6 ;
  (* hierconn *) wire \dut.slots_element_6 ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [31:0] \dut.slots.formal_elements ;
  (* hierconn *) wire [8*`INDEX_BITS-1:0] \dut.track.formal_line ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.track_own_7 ;
  (* hierconn *) wire [4*`GENERATION_BITS-1:0] \dut.track.formal_own ;
  (* hierconn *) wire [3:0] \dut.order_first ;
  (* hierconn *) wire [`ENTRY_BITS-1:0] \dut.order_entry ;
  (* hierconn *) wire \dut.stash_ends ;
  (* hierconn *) wire \dut.stash_placed ;
  (* hierconn *) wire \dut.stash_succeeds ;
  (* hierconn *) wire \dut.stash_taken ;
  (* hierconn *) wire [11:0] \dut.fit_taking ;
  (* hierconn *) wire \dut.fit_stash ;
  (* hierconn *) wire \dut.fit_seen ;
  (* hierconn *) wire \dut.fit_lost ;
  (* hierconn *) wire \dut.hold.formal_queued ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hold.formal_oldest ;
  (* hierconn *) wire [`STASH_CELLS:0] \dut.stash.formal_pick ;
  (* hierconn *) wire [MOVE:0] \dut.stash.formal_cand ;
  (* hierconn *) wire [`STASH_CELLS-1:0] \dut.stash.formal_lowest ;
  (* hierconn *) wire [`STASH_CELLS-1:0] \dut.stash.formal_refreshes ;
  (* hierconn *) wire [`STASH_CELLS-1:0] \dut.stash.formal_meeting ;
  (* hierconn *) wire [3*`ENTRY_BITS+2:0] \dut.stash.formal_found ;
  (* hierconn *) wire [2*`ENTRY_BITS+5:0] \dut.stash.formal_met ;
  (* hierconn *) wire \dut.stash_meets ;
  (* hierconn *) wire \dut.track_near_identity ;
  (* hierconn *) wire [4:0] \dut.track_same_identity ;
  wire [`LATENCY-1:0] items = dut.slots.formal_items;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_0.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_0.formal_port ;
  (* hierconn *) wire [2:0] \dut.table_0.formal_commits ;
  (* hierconn *) wire \dut.table_0_taken ;
  (* hierconn *) wire [2:0] \dut.table_0_matching ;
  (* hierconn *) wire [2:0] \dut.table_0_settled ;
  (* hierconn *) wire \dut.table_0_any_matching ;
  (* hierconn *) wire \dut.table_0_any_empty ;
  (* hierconn *) wire [2:0] \dut.table_0_dead ;
  (* hierconn *) wire [2:0] \dut.table_0_old ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_0.lane_0_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_0.lane_1_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_0.lane_2_cell_ ;
  (* hierconn *) wire [11:0] \dut.agent_0.formal_flags ;
  (* hierconn *) wire \dut.agent_0.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_0.formal_turn ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_0.formal_victim ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_0.formal_move ;
  (* hierconn *) wire [MOVE:0] \dut.agent_0.formal_next ;
  (* hierconn *) wire \dut.agent_0_writes ;
  (* hierconn *) wire \dut.agent_0_ends ;
  (* hierconn *) wire [2:0] \dut.agent_0_write_lanes ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_0_write_data ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_0_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_0_victim_generation ;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_1.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_1.formal_port ;
  (* hierconn *) wire [2:0] \dut.table_1.formal_commits ;
  (* hierconn *) wire \dut.table_1_taken ;
  (* hierconn *) wire [2:0] \dut.table_1_matching ;
  (* hierconn *) wire [2:0] \dut.table_1_settled ;
  (* hierconn *) wire \dut.table_1_any_matching ;
  (* hierconn *) wire \dut.table_1_any_empty ;
  (* hierconn *) wire [2:0] \dut.table_1_dead ;
  (* hierconn *) wire [2:0] \dut.table_1_old ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_0_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_1_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_2_cell_ ;
  (* hierconn *) wire [11:0] \dut.agent_1.formal_flags ;
  (* hierconn *) wire \dut.agent_1.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_1.formal_turn ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_1.formal_victim ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_1.formal_move ;
  (* hierconn *) wire [MOVE:0] \dut.agent_1.formal_next ;
  (* hierconn *) wire \dut.agent_1_writes ;
  (* hierconn *) wire \dut.agent_1_ends ;
  (* hierconn *) wire [2:0] \dut.agent_1_write_lanes ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_1_write_data ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_1_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_1_victim_generation ;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_2.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_2.formal_port ;
  (* hierconn *) wire [2:0] \dut.table_2.formal_commits ;
  (* hierconn *) wire \dut.table_2_taken ;
  (* hierconn *) wire [2:0] \dut.table_2_matching ;
  (* hierconn *) wire [2:0] \dut.table_2_settled ;
  (* hierconn *) wire \dut.table_2_any_matching ;
  (* hierconn *) wire \dut.table_2_any_empty ;
  (* hierconn *) wire [2:0] \dut.table_2_dead ;
  (* hierconn *) wire [2:0] \dut.table_2_old ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_2.lane_0_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_2.lane_1_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_2.lane_2_cell_ ;
  (* hierconn *) wire [11:0] \dut.agent_2.formal_flags ;
  (* hierconn *) wire \dut.agent_2.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_2.formal_turn ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_2.formal_victim ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_2.formal_move ;
  (* hierconn *) wire [MOVE:0] \dut.agent_2.formal_next ;
  (* hierconn *) wire \dut.agent_2_writes ;
  (* hierconn *) wire \dut.agent_2_ends ;
  (* hierconn *) wire [2:0] \dut.agent_2_write_lanes ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_2_write_data ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_2_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_2_victim_generation ;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_3.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_3.formal_port ;
  (* hierconn *) wire [2:0] \dut.table_3.formal_commits ;
  (* hierconn *) wire \dut.table_3_taken ;
  (* hierconn *) wire [2:0] \dut.table_3_matching ;
  (* hierconn *) wire [2:0] \dut.table_3_settled ;
  (* hierconn *) wire \dut.table_3_any_matching ;
  (* hierconn *) wire \dut.table_3_any_empty ;
  (* hierconn *) wire [2:0] \dut.table_3_dead ;
  (* hierconn *) wire [2:0] \dut.table_3_old ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_3.lane_0_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_3.lane_1_cell_ ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_3.lane_2_cell_ ;
  (* hierconn *) wire [11:0] \dut.agent_3.formal_flags ;
  (* hierconn *) wire \dut.agent_3.formal_move_3 ;
  (* hierconn *) wire [`ROW_CELLS-1:0] \dut.agent_3.formal_turn ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_3.formal_victim ;
  (* hierconn *) wire [MOVE-1:0] \dut.agent_3.formal_move ;
  (* hierconn *) wire [MOVE:0] \dut.agent_3.formal_next ;
  (* hierconn *) wire \dut.agent_3_writes ;
  (* hierconn *) wire \dut.agent_3_ends ;
  (* hierconn *) wire [2:0] \dut.agent_3_write_lanes ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_3_write_data ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.agent_3_victim_identity ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.agent_3_victim_generation ;

  // Tables and agents, by number.
  wire [8*`ROW_BITS-1:0] rows [0:3];
  wire [`ROW_BITS-1:0] port_row [0:3];
  wire [`CELL_BITS-1:0] port_data [0:3];
  wire [11:0] flags [0:3];
  wire [2:0] turn [0:3];
  wire [`CELL_BITS-1:0] victim [0:3];
  wire [2:0] lanes [0:3];
  wire [`CELL_BITS-1:0] data [0:3];
  wire [`INDEX_BITS-1:0] victim_identity [0:3];
  wire [`GENERATION_BITS-1:0] victim_generation [0:3];
  wire [`CELL_BITS-1:0] agents_cell [0:11];
  // Copies of entries: at the agents, in front of them, and the one that is handed over.
  wire [MOVE-1:0] copy [0:8];
  wire [8:0] copy_is;
  assign rows[0] = dut.table_0.formal_rows;
  assign {port_row[0], port_data[0]} = dut.table_0.formal_port;
  assign flags[0] = dut.agent_0.formal_flags;
  assign turn[0] = dut.agent_0.formal_turn;
  assign victim[0] = dut.agent_0.formal_victim;
  assign lanes[0] = dut.agent_0_write_lanes;
  assign data[0] = dut.agent_0_write_data;
  assign victim_identity[0] = dut.agent_0_victim_identity;
  assign victim_generation[0] = dut.agent_0_victim_generation;
  assign {agents_cell[2], agents_cell[1], agents_cell[0]} = {dut.table_0.lane_2_cell_, dut.table_0.lane_1_cell_, dut.table_0.lane_0_cell_};
  assign copy[0] = dut.agent_0.formal_move;
  assign copy_is[0] = flags[0][6] && flags[0][5:0] != 0;
  assign {copy_is[4], copy[4]} = dut.agent_0.formal_next;
  assign rows[1] = dut.table_1.formal_rows;
  assign {port_row[1], port_data[1]} = dut.table_1.formal_port;
  assign flags[1] = dut.agent_1.formal_flags;
  assign turn[1] = dut.agent_1.formal_turn;
  assign victim[1] = dut.agent_1.formal_victim;
  assign lanes[1] = dut.agent_1_write_lanes;
  assign data[1] = dut.agent_1_write_data;
  assign victim_identity[1] = dut.agent_1_victim_identity;
  assign victim_generation[1] = dut.agent_1_victim_generation;
  assign {agents_cell[5], agents_cell[4], agents_cell[3]} = {dut.table_1.lane_2_cell_, dut.table_1.lane_1_cell_, dut.table_1.lane_0_cell_};
  assign copy[1] = dut.agent_1.formal_move;
  assign copy_is[1] = flags[1][6] && flags[1][5:0] != 0;
  assign {copy_is[5], copy[5]} = dut.agent_1.formal_next;
  assign rows[2] = dut.table_2.formal_rows;
  assign {port_row[2], port_data[2]} = dut.table_2.formal_port;
  assign flags[2] = dut.agent_2.formal_flags;
  assign turn[2] = dut.agent_2.formal_turn;
  assign victim[2] = dut.agent_2.formal_victim;
  assign lanes[2] = dut.agent_2_write_lanes;
  assign data[2] = dut.agent_2_write_data;
  assign victim_identity[2] = dut.agent_2_victim_identity;
  assign victim_generation[2] = dut.agent_2_victim_generation;
  assign {agents_cell[8], agents_cell[7], agents_cell[6]} = {dut.table_2.lane_2_cell_, dut.table_2.lane_1_cell_, dut.table_2.lane_0_cell_};
  assign copy[2] = dut.agent_2.formal_move;
  assign copy_is[2] = flags[2][6] && flags[2][5:0] != 0;
  assign {copy_is[6], copy[6]} = dut.agent_2.formal_next;
  assign rows[3] = dut.table_3.formal_rows;
  assign {port_row[3], port_data[3]} = dut.table_3.formal_port;
  assign flags[3] = dut.agent_3.formal_flags;
  assign turn[3] = dut.agent_3.formal_turn;
  assign victim[3] = dut.agent_3.formal_victim;
  assign lanes[3] = dut.agent_3_write_lanes;
  assign data[3] = dut.agent_3_write_data;
  assign victim_identity[3] = dut.agent_3_victim_identity;
  assign victim_generation[3] = dut.agent_3_victim_generation;
  assign {agents_cell[11], agents_cell[10], agents_cell[9]} = {dut.table_3.lane_2_cell_, dut.table_3.lane_1_cell_, dut.table_3.lane_0_cell_};
  assign copy[3] = dut.agent_3.formal_move;
  assign copy_is[3] = flags[3][6] && flags[3][5:0] != 0;
  assign {copy_is[7], copy[7]} = dut.agent_3.formal_next;
  assign {copy_is[8], copy[8]} = dut.stash.formal_cand;
  wire [3:0] table_taken = {dut.table_3_taken, dut.table_2_taken, dut.table_1_taken, dut.table_0_taken};
  wire [3:0] writes = {dut.agent_3_writes, dut.agent_2_writes, dut.agent_1_writes, dut.agent_0_writes};
  wire [3:0] ends = {dut.agent_3_ends, dut.agent_2_ends, dut.agent_1_ends, dut.agent_0_ends};
  wire [3:0] first = dut.order_first;
  wire [3:0] move_3 = {dut.agent_3.formal_move_3, dut.agent_2.formal_move_3, dut.agent_1.formal_move_3, dut.agent_0.formal_move_3};
  wire [11:0] commits = {dut.table_3.formal_commits, dut.table_2.formal_commits, dut.table_1.formal_commits, dut.table_0.formal_commits};
  wire [11:0] matching = {dut.table_3_matching, dut.table_2_matching, dut.table_1_matching, dut.table_0_matching};
  wire [11:0] settled = {dut.table_3_settled, dut.table_2_settled, dut.table_1_settled, dut.table_0_settled};
  wire [3:0] any_matching = {dut.table_3_any_matching, dut.table_2_any_matching, dut.table_1_any_matching, dut.table_0_any_matching};
  wire [3:0] any_empty = {dut.table_3_any_empty, dut.table_2_any_empty, dut.table_1_any_empty, dut.table_0_any_empty};
  wire [11:0] dead = {dut.table_3_dead, dut.table_2_dead, dut.table_1_dead, dut.table_0_dead};
  wire [11:0] old = {dut.table_3_old, dut.table_2_old, dut.table_1_old, dut.table_0_old};
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
  wire [ENTRY-1:0] entries [0:`STASH_CELLS-1];
  assign entries[0] = dut.stash.cell_0.formal_entry;
  assign entries[1] = dut.stash.cell_1.formal_entry;
  assign entries[2] = dut.stash.cell_2.formal_entry;
  assign entries[3] = dut.stash.cell_3.formal_entry;
  assign entries[4] = dut.stash.cell_4.formal_entry;
  assign entries[5] = dut.stash.cell_5.formal_entry;
  assign entries[6] = dut.stash.cell_6.formal_entry;
  assign entries[7] = dut.stash.cell_7.formal_entry;
  assign entries[8] = dut.stash.cell_8.formal_entry;
  assign entries[9] = dut.stash.cell_9.formal_entry;
  assign entries[10] = dut.stash.cell_10.formal_entry;
  assign entries[11] = dut.stash.cell_11.formal_entry;
  assign entries[12] = dut.stash.cell_12.formal_entry;
  assign entries[13] = dut.stash.cell_13.formal_entry;
  assign entries[14] = dut.stash.cell_14.formal_entry;
  assign entries[15] = dut.stash.cell_15.formal_entry;
  assign entries[16] = dut.stash.cell_16.formal_entry;
  assign entries[17] = dut.stash.cell_17.formal_entry;
  assign entries[18] = dut.stash.cell_18.formal_entry;
  assign entries[19] = dut.stash.cell_19.formal_entry;
  assign entries[20] = dut.stash.cell_20.formal_entry;
  assign entries[21] = dut.stash.cell_21.formal_entry;
  assign entries[22] = dut.stash.cell_22.formal_entry;
  assign entries[23] = dut.stash.cell_23.formal_entry;
  genvar c, j, s, t;

  // The watched element, and its rows.
  (* anyconst *) wire [`INDEX_BITS-1:0] watched;
  wire [VALUE_BITS-1:0] print = watched[`INDEX_BITS-1:`ROW_BITS];
  wire [2:0] phase = print[2:0];
  wire [`ROW_BITS-1:0] shift_1, shift_2, shift_3;
  row_function of_table_1 (.x(print), .y(shift_1));
  row_function_2 of_table_2 (.x(print), .y(shift_2));
  row_function_3 of_table_3 (.x(print), .y(shift_3));
  wire [`ROW_BITS-1:0] row [0:3];
  assign row[0] = watched[`ROW_BITS-1:0];
  assign row[1] = watched[`ROW_BITS-1:0] ^ shift_1;
  assign row[2] = watched[`ROW_BITS-1:0] ^ shift_2;
  assign row[3] = watched[`ROW_BITS-1:0] ^ shift_3;
  function [VALUE_BITS-1:0] value_of(input [`CELL_BITS-1:0] word);
    value_of = &word[`GENERATION_BITS-1:0]
      ? {1'b1, {(VALUE_BITS-1-(`FINGERPRINT_BITS-`GENERATION_BITS)){1'b0}}, word[`FINGERPRINT_BITS-1:`GENERATION_BITS]} : {1'b0, word[`CELL_BITS-1:`GENERATION_BITS]};
  endfunction
  function [`GENERATION_BITS-1:0] generation_of(input [`CELL_BITS-1:0] word);
    generation_of = &word[`GENERATION_BITS-1:0] ? word[`CELL_BITS-1:`FINGERPRINT_BITS] : word[`GENERATION_BITS-1:0];
  endfunction
  function [`GENERATION_BITS-1:0] age(input [`GENERATION_BITS-1:0] generation, input [`GENERATION_BITS-1:0] by);
    age = by >= generation ? by - generation : by + V - generation;
  endfunction

  // Generations of its phase: now (for stage 3), and as the slots in stages 4 to 6 met them; whether one began with this clock, or some clocks ago.
  wire [`GENERATION_BITS-1:0] now = phase > dut.slots_generations_unturned ? dut.slots_generations_following : dut.slots_generations_newest;
  reg [`GENERATION_BITS-1:0] met_4, met_5, met_6, met_7;
  wire begins = dut.slots_turns_turned && dut.slots_turns_phase == phase;
  reg [5:0] begun; initial begun = 0;
  reg [3:0] up; initial up = 0; // clocks since power-up
  wire started = up != 0;
  reg [2:0] quiet; initial quiet = 0; // clocks since a reset or a restart
  initial met_4 = 0;
  initial met_5 = 0;
  initial met_6 = 0;
  initial met_7 = 0;
  always @(posedge clock) begin
    up <= &up ? up : up + 1;
    met_4 <= dut.begin_ ? 0 : now;
    met_5 <= dut.begin_ ? 0 : met_4;
    met_6 <= dut.begin_ ? 0 : met_5;
    met_7 <= dut.begin_ ? 0 : met_6;
    begun <= dut.begin_ ? 0 : {begun[4:0], begins};
    quiet <= dut.begin_ ? 0 : &quiet ? quiet : quiet + 1;
  end

  // Items with its identity, by stage.
  wire [6:0] ours;
  generate for (s = 0; s < 7; s = s + 1) begin : stage
    assign ours[s] = items[`FRONT-1+s] && dut.track.formal_line[s*`INDEX_BITS +: `INDEX_BITS] == watched;
  end endgenerate
  wire ours_7 = dut.track.formal_line[7*`INDEX_BITS +: `INDEX_BITS] == watched;
  wire item = ours[6];
  wire element = ours[6] && dut.slots_element_6;
  wire exact = element && !dut.fit_lost;

  // Where it is: in a cell, or in an entry; and how many generations ago it came, to the slot in stage 6.
  (* anyconst *) wire emptied; // at power-up: as if rows had been wiped
  reg [3:0] wiped_r; initial wiped_r = 0;
  wire [3:0] wiped = started ? wiped_r : {4{emptied}};
  wire sound = &wiped;
  wire [3:0] wiping = {4{dut.sequencer_wipe}} & {port_row[3] == row[3], port_row[2] == row[2], port_row[1] == row[1], port_row[0] == row[0]};
  reg in_stash; initial in_stash = 0;
  reg [11:0] place; initial place = 1;
  reg [`ENTRY_BITS-1:0] number; initial number = 0;
  reg [3:0] since; initial since = STALE;
  // to the oldest item with its identity, or to what is to come
  wire [3:0] since_eff = since == STALE ? STALE : since + (!ours[6] && begun[1]) + (!ours[6] && !ours[5] && begun[0]) + (!ours[6] && !ours[5] && !ours[4] && begins);
  wire [`GENERATION_BITS-1:0] met = ours[6] ? met_6 : ours[5] ? met_5 : ours[4] ? met_4 : now;
  wire valid = since_eff < STALE;

  wire [3:0] agents_here, agents_changed; // an agent has its row; that was written since it was read

  // Cells of its rows: memory, and as the slot in stage 6 is to meet them.
  (* anyconst *) wire [CELLS*`CELL_BITS-1:0] at_first;
  wire [11:0] bears, view_bears, view_live, live, just_dead, place_right;
  reg [11:0] taken; initial taken = 0;
  always @(posedge clock) taken <= dut.fit_taking;
  generate for (c = 0; c < 12; c = c + 1) begin : cell_
    localparam T = c / 3;
    reg [`CELL_BITS-1:0] kept, was_1, was_2, was_3;
    reg [2:0] reads; initial reads = 0;
    wire [`CELL_BITS-1:0] word = started ? kept : at_first[c*`CELL_BITS +: `CELL_BITS];
    wire written = (taken[c] || commits[c]) && port_row[T] == row[T];
    wire [`CELL_BITS-1:0] view = taken[c] && rows[T][7*`ROW_BITS +: `ROW_BITS] == row[T] ? port_data[T] : word;
    wire [`GENERATION_BITS-1:0] generation = generation_of(word);
    wire [`GENERATION_BITS-1:0] view_generation = generation_of(view);
    wire [`GENERATION_BITS-1:0] age_6 = age(view_generation, met_6);
    wire [`GENERATION_BITS-1:0] age_now = age(generation, now);
    wire [`GENERATION_BITS-1:0] age_read = age(generation_of(was_3), met_4);
    assign bears[c] = value_of(word) == print;
    assign view_bears[c] = value_of(view) == print;
    assign view_live[c] = age(view_generation, met) <= `GENERATIONS || age(view_generation, now) <= `GENERATIONS;
    assign live[c] = age_now <= `GENERATIONS;
    assign just_dead[c] = age_now == `GENERATIONS + 1;
    assign place_right[c] = view_bears[c] && age_6 == since;
    always @(posedge clock) begin
      kept <= written ? port_data[T] : word;
      was_1 <= word;
      was_2 <= was_1;
      was_3 <= was_2;
      reads <= {reads[1:0], port_row[T] == row[T] && !taken[c] && !commits[c]};
    end
    wire at_row = items[`LATENCY-1] && rows[T][6*`ROW_BITS +: `ROW_BITS] == row[T];
    always @* begin
      assume (started || !bears[c] || age_now > `GENERATIONS);
      assume (generation < V);
      // no age comes round
      assume (!(begins && bears[c] && generation == now));
      // what a slot is told of it
      if (at_row && view_bears[c]) begin
        assume (matching[c] == (item && age_6 <= `GENERATIONS));
        assume (settled[c] == (age_6 > `GENERATIONS || (matching[c] && view_generation == met_6)));
      end
      if (item && !view_bears[c]) assume (!matching[c]);
      // and an agent
      if (reads[1]) assume (agents_cell[c] == was_2);
      if (reads[2] && value_of(was_3) == print) assume (dead[c] == (age_read > `GENERATIONS) && old[c] == (age_read > `GENERATIONS + 1));
      // no other copy is live
      if (agents_here[T] && flags[T][1]) assert (reads[0] && (agents_changed[T] || was_1 == word));
      if (agents_here[T] && flags[T][2]) assert (reads[1] && (agents_changed[T] || was_2 == word));
      if (agents_here[T] && flags[T][3]) begin
        assert (reads[2] && (agents_changed[T] || was_3 == word));
        if (sound && bears[c] && !agents_changed[T] && !dead[c]) assert (!valid || (!in_stash && place[c]));
      end
      if (wiped[T] && !sound) assert (!bears[c] || !live[c]);
      if (sound) assert (!view_bears[c] || (valid && !in_stash && place[c]) || !view_live[c]);
    end
  end endgenerate

  // Entries.
  wire [`STASH_CELLS-1:0] takes_now, its_place;
  wire [`STASH_CELLS-1:0] used, flying, touched, wrote, entry_live, entry_old, is_ours, entry_right;
  wire [`STASH_CELLS*`GENERATION_BITS-1:0] generations;
  wire [`STASH_CELLS-1:0] foreign_now;
  generate for (j = 0; j < `STASH_CELLS; j = j + 1) begin : entry
    wire [`INDEX_BITS-1:0] identity;
    wire [`GENERATION_BITS-1:0] generation;
    wire stirred, was_old;
    assign {stirred, was_old, entry_old[j], entry_live[j], wrote[j], touched[j], flying[j], used[j], identity, generation} = entries[j];
    assign is_ours[j] = used[j] && identity == watched;
    assign generations[j*`GENERATION_BITS +: `GENERATION_BITS] = generation;
    wire here = valid && in_stash && number == j;
    wire taken_now = wrote[j] && dut.stash_taken;
    assign takes_now[j] = taken_now;
    assign its_place[j] = in_stash && number == j;
    wire [`GENERATION_BITS-1:0] age_now = age(generation, now);
    assign entry_right[j] = taken_now ? ours_7 && !used[j] && age(dut.track_own_7, met_6) == since
      : is_ours[j] && age(wrote[j] ? dut.track_own_7 : generation, met_6) == since;
    assign foreign_now[j] = dut.stash.formal_refreshes[j] && !ours[6] && (is_ours[j] || (taken_now && ours_7));
    always @* begin
      assume (!used[j] || (generation < V && identity[`INDEX_BITS-1:`ROW_BITS] < PRINTS));
      if (dut.stash.formal_pick[j]) assume (used[j] && flying[j]);
      assume (!taken_now || !used[j]);
      assume (used[j] || !flying[j]);
      if (sound) begin
        if (taken_now) assert (!ours_7 || here);
        // it does not expire as it is refreshed
        if (is_ours[j] && wrote[j]) assert (ours_7 && !(here && entry_old[j]));
        if (is_ours[j] && !wrote[j]) begin
          if (entry_live[j]) assert (age_now <= `GENERATIONS && !entry_old[j]);
          else assert (!here || age_now > `GENERATIONS);
          assert (!here || !entry_old[j]);
          if (!entry_live[j] && !was_old) assert (age_now == `GENERATIONS + 1 + entry_old[j]);
        end
        if (flying[j]) assert (stirred || !(touched[j] || was_old));
      end
      if (!opened) assert (!used[j] && !wrote[j]);
      if (flying[j] && !touched[j]) assert (!wrote[j]);
    end
  end endgenerate
  // Another slot refreshed an entry with the watched identity, or one that an agent is ripe to move.
  wire [3:0] moves_refreshed;
  reg foreign; initial foreign = 0;
  always @(posedge clock) foreign <= foreign_now != 0 || moves_refreshed != 0;

  // Copies of entries.
  wire [8:0] ours_copy;
  generate for (c = 0; c < 9; c = c + 1) begin : copies
    wire [`ENTRY_BITS-1:0] of = copy[c][MOVE-1 -: `ENTRY_BITS];
    wire [`GENERATION_BITS-1:0] generation = copy[c][`GENERATION_BITS-1:0];
    assign ours_copy[c] = copy_is[c] && copy[c][`GENERATION_BITS +: `INDEX_BITS] == {print, row[c == 8 ? 0 : c % 4]};
    always @* begin
      if (copy_is[c]) assume (copy[c][MOVE-`ENTRY_BITS-1 -: VALUE_BITS] < PRINTS && generation < V);
      if (copy_is[c]) assume (used[of] && flying[of] && ours_copy[c] == is_ours[of]);
      if (sound) assert (!ours_copy[c] || touched[of] || generation == generations[of*`GENERATION_BITS +: `GENERATION_BITS]);
    end
  end endgenerate

  // Agents at its rows.
  wire [3:0] moved_by; // an agent moves it into its row
  wire [3:0] loses;    // an agent takes it out of its row
  generate for (t = 0; t < 4; t = t + 1) begin : agent
    wire [`ROW_BITS-1:0] its_row = copy[t][`GENERATION_BITS +: `ROW_BITS];
    wire [`GENERATION_BITS-1:0] generation = copy[t][`GENERATION_BITS-1:0];
    wire [`ENTRY_BITS-1:0] of = copy[t][MOVE-1 -: `ENTRY_BITS];
    wire here = its_row == row[t];
    wire move_4 = flags[t][5];
    wire scan_4 = flags[t][4];
    wire full = flags[t][9];
    wire ripe = (move_4 || scan_4) && flags[t][7];
    wire [2:0] its_bears = bears[3*t +: 3];
    wire [2:0] its_live = live[3*t +: 3];
    wire gives = (its_bears & turn[t]) != 0; // the watched element gives way
    wire gives_live = (its_live & turn[t]) != 0;
    wire gives_lately = (just_dead[3*t +: 3] & turn[t]) != 0;
    wire [`CELL_BITS-1:0] giving = turn[t][0] ? cell_[3*t].word : turn[t][1] ? cell_[3*t+1].word : cell_[3*t+2].word;
    reg changed; initial changed = 0; // the row was written since it was read
    always @(posedge clock)
      changed <= !(flags[t][0] && !table_taken[t]) && (changed || (port_row[t] == its_row && (taken[3*t +: 3] != 0 || commits[3*t +: 3] != 0)));
    assign agents_here[t] = here;
    assign moves_refreshed[t] = (flags[t][3] || move_4) && flags[t][6] && dut.stash.formal_refreshes[of]
      && {dut.track.formal_line[6*`INDEX_BITS+`ROW_BITS +: VALUE_BITS], rows[t][6*`ROW_BITS +: `ROW_BITS]} != copy[t][`GENERATION_BITS +: `INDEX_BITS];
    assign agents_changed[t] = changed;
    wire [6:1] has;
    for (s = 1; s < 7; s = s + 1) begin : of_stage
      assign has[s] = items[`FRONT-1+s] && rows[t][s*`ROW_BITS +: `ROW_BITS] == its_row;
    end
    assign moved_by[t] = dut.stash_succeeds && first[t] && ours_copy[t] && in_stash && number == dut.order_entry;
    assign loses[t] = dut.stash_succeeds && !dut.stash_placed && first[t] && here && !in_stash && (place[3*t +: 3] & lanes[t]) != 0;
    always @* begin
      if (items[`LATENCY-1]) begin
        assume (any_matching[t] == (matching[3*t +: 3] != 0));
        assume (any_matching[t] || any_empty[t] == (settled[3*t +: 3] != 0));
      end
      assume (!ripe || (has == 0 && !changed));
      assume (!first[t] || (move_4 && flags[t][6] && dut.order_entry == of));
      assume (!move_4 || here || victim_identity[t] != watched);
      assume (!(begins && ripe && move_4 && ours_copy[t] && generation == now));
      assume (!(begins && ripe && scan_4 && generation_of(data[t]) == now));
      assume (turn[t] == 1 || turn[t] == 2 || turn[t] == 4);
      if (move_4) assume (flags[t][8] && value_of(data[t]) == copy[t][`GENERATION_BITS+`ROW_BITS +: VALUE_BITS] && generation_of(data[t]) == generation);
      if (move_4) assume (lanes[t] == 1 || lanes[t] == 2 || lanes[t] == 4);
      assume (flags[t][0] + flags[t][1] + flags[t][2] + flags[t][3] + flags[t][4] + flags[t][5] <= 1);
      assume (!(move_4 && !flags[t][6]) && !(scan_4 && flags[t][6]));
      assert (move_3[t] == (flags[t][3] && flags[t][6]));
      assert (table_taken[t] == (taken[3*t +: 3] != 0));
      if (sound && ripe && move_4) assert (!touched[of] && !wrote[of]);
      if (here && flags[t][3] && flags[t][6] && !changed) assert (victim[t] == giving);
      if (sound && ripe) begin
        if (move_4 && ours_copy[t]) begin
          if (!(valid && in_stash && number == of)) assert (age(generation, now) > `GENERATIONS);
        end
        if (move_4 && here) begin
          assert (victim[t] == giving && victim_generation[t] == generation_of(giving) && victim_identity[t][`INDEX_BITS-1:`ROW_BITS] == value_of(giving));
          assert (!gives || victim_identity[t] == watched);
          if (full) begin
            assert (lanes[t] == turn[t]);
            assert (its_bears == 0 || !valid || (!in_stash && place[3*t +: 3] == its_bears));
            if (gives) assert (flags[t][10] == gives_live && (flags[t][10] || flags[t][11] || gives_lately) && !(flags[t][10] && flags[t][11]));
          end
        end
        if (here && (scan_4 || !full)) assert ((its_bears & its_live & lanes[t]) == 0);
        if (scan_4) assert (value_of(data[t]) == 0 && (print != 0 || age(generation_of(data[t]), now) > `GENERATIONS));
      end
      if (!opened) begin
        assert (flags[t][5:0] == 0);
        if (quiet != 0) assert (value_of(data[t]) == 0 && generation_of(data[t]) == dut.slots_stale);
        if (wiped[t]) assert (taken[3*t +: 3] == 0 && !table_taken[t]);
      end
    end
  end endgenerate

  always @(posedge clock) begin
    if (element && !dut.fit_seen && !dut.fit_lost) begin
      in_stash <= dut.fit_stash;
      place <= dut.fit_taking;
      number <= lowest;
    end
    if (moved_by != 0) begin
      in_stash <= 0;
      place <= {{3{moved_by[3]}} & lanes[3], {3{moved_by[2]}} & lanes[2], {3{moved_by[1]}} & lanes[1], {3{moved_by[0]}} & lanes[0]};
    end
    if (loses != 0) begin
      in_stash <= 1;
      number <= dut.order_entry;
    end
    since <= exact ? begun[1] : since == STALE ? STALE : since + begun[1];
    wiped_r <= wiped | wiping;
    if (dut.begin_) begin
      wiped_r <= 0;
      since <= STALE;
    end
  end
  reg [`ENTRY_BITS-1:0] lowest; // free entry
  integer k;
  always @* begin
    lowest = 0;
    for (k = 0; k < `STASH_CELLS; k = k + 1) if (dut.stash.formal_lowest[k]) lowest = lowest | k;
  end

  // elements since a generation of its phase began
  wire [31:0] ahead = dut.slots.formal_elements + phase * `GENERATION_ITEMS / 8;
  wire [31:0] lag = ahead >= `GENERATION_ITEMS ? ahead - `GENERATION_ITEMS : ahead;

  // Items or agents may have begun since a reset or a restart.
  reg opened_r; initial opened_r = 0;
  wire opened = started ? opened_r : emptied;
  always @(posedge clock) opened_r <= !dut.begin_ && (opened || dut.sequencer_accept || dut.sequencer_starting);

  // The surroundings.
  wire [`STASH_CELLS-1:0] choice = dut.stash.formal_pick[`STASH_CELLS-1:0];
  always @* begin
    assume (!dut.sequencer_accept || sound);
    assume (!dut.sequencer_starting || (wiped | wiping) == 15);
    assume (!dut.sequencer_restart || (items == 0 && !dut.hold.formal_queued && table_taken == 0 && taken == 0 && !dut.sequencer_accept));
    assume (!dut.sequencer_wipe || (!opened && !dut.sequencer_accept && quiet != 0));
    assume (print < PRINTS && dut.hash_index_0[`INDEX_BITS-1:`ROW_BITS] < PRINTS && dut.hold.formal_oldest[`INDEX_BITS-1:`ROW_BITS] < PRINTS);
    assume (!foreign);
    assume (first == 0 || first == 1 || first == 2 || first == 4 || first == 8);
    assume (dut.stash.formal_pick[`STASH_CELLS] == (choice != 0) && (choice & (choice - 1'b1)) == 0);
  end

  // What items with its identity are told of the stash, by stage.
  wire [`ENTRY_BITS-1:0] found_entry_2, found_entry_1, found_entry_0, entry_5, entry_6;
  wire [2:0] found;
  wire meets_5, known_6, near_6, refreshing, refreshed, taken_7;
  assign {found_entry_2, found_entry_1, found_entry_0, found} = dut.stash.formal_found;
  assign {entry_6, entry_5, meets_5, known_6, near_6, refreshing, refreshed, taken_7} = dut.stash.formal_met;
  wire [`STASH_CELLS-1:0] here = 1'b1 << number;
  wire written_7 = ours_7 && (taken_7 || refreshed);
  wire fits_6 = in_stash && since < STALE;
  wire fits_5 = fits_6 && since + begun[1] < STALE;
  wire fits_4 = fits_6 && since + begun[1] + begun[0] < STALE;
  wire [8*`INDEX_BITS-1:0] line = dut.track.formal_line;
  generate for (s = 0; s < 8; s = s + 1) begin : of_stage
    wire [`INDEX_BITS-1:0] identity = line[s*`INDEX_BITS +: `INDEX_BITS];
    always @* begin
      // what stood in the register before the first clock is no identity
      assert (up == s + 1 || identity[`INDEX_BITS-1:`ROW_BITS] < PRINTS);
      if (s > 3) assert (dut.track.formal_own[(s % 4)*`GENERATION_BITS +: `GENERATION_BITS] < V);
      if (s > 3 && identity == watched && quiet > s - 4) assert (dut.track.formal_own[(s % 4)*`GENERATION_BITS +: `GENERATION_BITS] == (s == 4 ? met_4 : s == 5 ? met_5 : s == 6 ? met_6 : met_7));
      if (started && s > 0 && s < 6) assert (dut.track_same_identity[s == 0 ? 0 : (s - 1) % 5] == (identity == line[7*`INDEX_BITS +: `INDEX_BITS]));
    end
    for (t = 0; t < 4; t = t + 1) begin : in_table
      always @* begin
        assert (identity != watched || rows[t][s*`ROW_BITS +: `ROW_BITS] == row[t]);
        assert (identity == watched || identity[`INDEX_BITS-1:`ROW_BITS] != print || rows[t][s*`ROW_BITS +: `ROW_BITS] != row[t]);
      end
    end
  end endgenerate
  generate for (c = 0; c < `LATENCY; c = c + 1) begin : of_line
    always @* assert (!items[c] || ((quiet == 7 || quiet > c) && up > c));
  end endgenerate
  always @* begin
    // what is queued came through the hash unit
    assert (!dut.hold.formal_queued || ((quiet == 7 || quiet > `FRONT - 2) && up > `FRONT - 2));
    assert (wrote == 0 || quiet == 7);
    assert (!started || dut.identity[`INDEX_BITS-1:`ROW_BITS] < PRINTS);
    if (!started) begin
      assert (items == 0 && !dut.hold.formal_queued && wrote == 0 && !taken_7 && !refreshed && taken == 0 && copy_is == 0 && dut.stash.formal_pick == 0);
      assert (since == STALE && !in_stash && number == 0 && place == 1 && quiet == 0 && begun == 0 && wiped_r == 0 && !opened_r && !foreign);
    end
    assert (!started || dut.track_near_identity == (line[5*`INDEX_BITS +: `INDEX_BITS] == line[6*`INDEX_BITS +: `INDEX_BITS]));
    assert (refreshing == (dut.stash_meets && dut.slots_element_6) && refreshing == (known_6 || near_6) && !(taken_7 && refreshed));
    if (sound && ours_7) assert ((wrote != 0) == (taken_7 || refreshed));
    if (sound) begin
      if (written_7) assert (fits_6 && since <= begun[2] && wrote == here);
      if (ours[2] && found[0]) assert (fits_6 && since <= begun[2] + begun[3] && found_entry_0 == number);
      if (ours[3] && found[1]) assert (fits_6 && since <= begun[2] + begun[3] + begun[4] && found_entry_1 == number);
      if (ours[4] && found[2]) assert (fits_6 && since <= begun[2] + begun[3] + begun[4] + begun[5] && found_entry_2 == number);
      if (ours[4]) assert (dut.stash.formal_meeting == 0 || (dut.stash.formal_meeting == here && fits_4));
      if (ours[5]) assert ((meets_5 || written_7) == fits_5);
      if (ours[5] && meets_5) assert (entry_5 == number || written_7);
      if (ours[6]) assert (dut.stash_meets == fits_6);
      if (ours[6]) assert (dut.stash.formal_refreshes == (element && fits_6 ? here : 0));
      if (ours[6] && known_6) assert (entry_6 == number);
    end
  end

  always @* begin
    if (item) never_forgotten: assert (since == STALE || dut.fit_seen);
    assert ((dut.slots.formal_inserts & ~items) == 0 && since <= STALE);
    if (sound && valid) begin
      held_by_an_entry: assert (!in_stash || entry_right[number]);
      assert (in_stash || (place != 0 && (place & (place - 1'b1)) == 0));
    end
    assert (sound || !opened);
    if (!opened) begin
      assert (since == STALE && items == 0 && !dut.hold.formal_queued && copy_is == 0 && dut.stash.formal_pick == 0);
      assert (dut.slots_generations_newest == 0 && dut.slots_generations_unturned == 7 && !dut.slots_turns_turned);
    end
    // generations
    assert (dut.slots_generations_newest < V && dut.slots_generations_following == (dut.slots_generations_newest == V - 1 ? 0 : dut.slots_generations_newest + 1));
    assert (dut.slots_stale < V && age(dut.slots_stale, dut.slots_generations_newest) == `GENERATIONS + 1);
    assert (dut.slots.formal_elements < `GENERATION_ITEMS);
    assert (dut.slots_turns_died < V && dut.slots_turns_aged < V);
    if (begins) assert (age(dut.slots_turns_died, now) == `GENERATIONS + 1 && age(dut.slots_turns_aged, now) == `GENERATIONS + 2);
    assert (now < V && met_4 < V && met_5 < V && met_6 < V && met_7 < V);
    assert (age(met_4, now) == begins && age(met_5, met_4) == begun[0] && age(met_6, met_5) == begun[1] && age(met_7, met_6) == begun[2]);
    assert (begins + begun[0] + begun[1] + begun[2] + begun[3] + begun[4] + begun[5] <= 1);
    assert (!begins || lag == 0);
    assert ((!begun[0] || lag <= 1) && (!begun[1] || lag <= 2) && (!begun[2] || lag <= 3) && (!begun[3] || lag <= 4) && (!begun[4] || lag <= 5) && (!begun[5] || lag <= 6));
  end
  generate for (j = 0; j < `STASH_CELLS; j = j + 1) begin : told
    always @* if (sound && ours[4] && fits_4 && number == j) assert (dut.stash.formal_meeting[j] || found[2] || written_7);
  end endgenerate
  generate for (c = 0; c < 12; c = c + 1) begin : held_by_a_cell
    always @* if (sound && valid && !in_stash && place[c]) assert (place_right[c]);
  end endgenerate
  generate for (c = 1; c < 8; c = c + 1) begin : phases
    always @* assert ((c > dut.slots_generations_unturned) == (dut.slots.formal_elements + c * `GENERATION_ITEMS / 8 >= `GENERATION_ITEMS));
  end endgenerate
  // The questions that take longest come last, when the others are answered.
  generate for (j = 0; j < `STASH_CELLS; j = j + 1) begin : elsewhere
    always @* if (sound && is_ours[j] && !takes_now[j]) begin
      assert (its_place[j] || !(entry_live[j] || wrote[j]));
      assert (!its_place[j] || valid || !(entry_live[j] || wrote[j]));
    end
  end endgenerate
endmodule
