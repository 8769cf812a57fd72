// Cells of a table of a sliding-window filter on cuckoo tables: what an item is told of its row, and what an agent reads of one.
//
// Proved, for any one cell of table 1 (all tables are of one module): it matches the item in stage 6 exactly if it bears its fingerprint and is live
// to it, as every slot ahead leaves it; where it matches, the item is told whether it bears the generation that the item would write; else, whether
// it is dead. An agent that reads it is told whether it is dead, and old, two clocks later.
//
// All but slots, track, decision and this table are cut, and so are its memories: the cell is held here, any other may read as anything, and
// so may this one if it is read while it is written. So the number of rows does not matter.
//
// Assumed, and proved by cuckoo_moves.sv: no item in stages 1 to 6 has a row that an agent writes, and no slot writes then; every word that is
// written is of a generation that there is. By cuckoo_wipes.sv: nothing is in flight at a restart and while rows are wiped.
// Of the other cells of the row it is assumed of the clock before what is proved of this one: no slot takes one that matches another fingerprint. Assumed and not
// proved: no age comes round, and a fingerprint is one that the hash gives.
//
// observe hold_queue: wire [`INDEX_BITS-1:0] formal_oldest = items_read_data[`INDEX_BITS-1:0];
// observe cuckoo_slots: wire [`LATENCY-1:0] formal_items = {item_line, item_front}; wire [`LATENCY-1:0] formal_inserts = {element_line, element_front}; wire [31:0] formal_elements = elements;
// observe cuckoo_track: wire [8*`INDEX_BITS-1:0] formal_line = {stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0}; wire [`GENERATION_BITS-1:0] formal_own_6 = generation_2;
// observe cuckoo_table: wire [8*`ROW_BITS-1:0] formal_rows = {stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0}; wire [`ROW_BITS+`CELL_BITS-1:0] formal_port = {port_row, data};
// observe cuckoo_lane: wire [1:0] formal_write = {taken, memory_write};
module formal_cells (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  localparam VALUE_BITS = `INDEX_BITS - `ROW_BITS;
  localparam [`GENERATION_BITS:0] V = (1 << `GENERATION_BITS) - 1;
  localparam [VALUE_BITS-1:0] PRINTS = (1 << `FINGERPRINT_BITS) + (1 << (`FINGERPRINT_BITS - `GENERATION_BITS));
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hold.formal_oldest ;
  (* hierconn *) wire \dut.begin_ ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_wipe ;
  (* hierconn *) wire \dut.sequencer_restart ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [31:0] \dut.slots.formal_elements ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generations_newest ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generations_following ;
  (* hierconn *) wire [2:0] \dut.slots_generations_unturned ;
  (* hierconn *) wire \dut.slots_turns_turned ;
  (* hierconn *) wire [2:0] \dut.slots_turns_phase ;
  (* hierconn *) wire [8*`INDEX_BITS-1:0] \dut.track.formal_line ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.track.formal_own_6 ;
  (* hierconn *) wire [8*`ROW_BITS-1:0] \dut.table_1.formal_rows ;
  (* hierconn *) wire [`ROW_BITS+`CELL_BITS-1:0] \dut.table_1.formal_port ;
  (* hierconn *) wire \dut.track_near_value ;
  (* hierconn *) wire [2:0] \dut.table_1.taking ;
  (* hierconn *) wire \dut.table_1.near ;
  (* hierconn *) wire [2:0] \dut.table_1.matching_5 ;
  (* hierconn *) wire [2:0] \dut.table_1_matching ;
  (* hierconn *) wire [2:0] \dut.table_1_settled ;
  (* hierconn *) wire \dut.table_1_any_matching ;
  (* hierconn *) wire \dut.table_1_any_empty ;
  (* hierconn *) wire \dut.table_1_taken ;
  (* hierconn *) wire [2:0] \dut.table_1_dead ;
  (* hierconn *) wire [2:0] \dut.table_1_old ;
  (* hierconn *) wire \dut.agent_1_writes ;
  (* hierconn *) wire [`ROW_BITS-1:0] \dut.agent_1_row ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.agent_1_write_data ;
  (* hierconn *) wire [1:0] \dut.table_1.lane_0.formal_write ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_0.memory_a_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_0.memory_b_data ;
  (* hierconn *) wire [1:0] \dut.table_1.lane_1.formal_write ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_1.memory_a_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_1.memory_b_data ;
  (* hierconn *) wire [1:0] \dut.table_1.lane_2.formal_write ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_2.memory_a_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.table_1.lane_2.memory_b_data ;
  wire [`LATENCY-1:0] items = dut.slots.formal_items;
  wire [8*`ROW_BITS-1:0] rows = dut.table_1.formal_rows;
  wire [`ROW_BITS-1:0] port_row;
  wire [`CELL_BITS-1:0] data;
  assign {port_row, data} = dut.table_1.formal_port;
  wire [2:0] taken, written;
  assign {taken[2], written[2], taken[1], written[1], taken[0], written[0]} = {dut.table_1.lane_2.formal_write, dut.table_1.lane_1.formal_write, dut.table_1.lane_0.formal_write};
  wire [`CELL_BITS-1:0] a_data [0:2];
  wire [`CELL_BITS-1:0] b_data [0:2];
  assign a_data[0] = dut.table_1.lane_0.memory_a_data;
  assign b_data[0] = dut.table_1.lane_0.memory_b_data;
  assign a_data[1] = dut.table_1.lane_1.memory_a_data;
  assign b_data[1] = dut.table_1.lane_1.memory_b_data;
  assign a_data[2] = dut.table_1.lane_2.memory_a_data;
  assign b_data[2] = dut.table_1.lane_2.memory_b_data;
  integer i, s;

  // The watched cell: a row and a lane.
  (* anyconst *) wire [`ROW_BITS-1:0] watched;
  (* anyconst *) wire [1:0] lane;
  (* anyconst *) wire [`CELL_BITS-1:0] at_first;
  reg [`CELL_BITS-1:0] kept;
  reg started; initial started = 0;
  wire [`CELL_BITS-1:0] cell_now = started ? kept : at_first;
  reg [`CELL_BITS-1:0] cell_1, cell_2, cell_3; // as it stood some clocks ago
  reg [1:0] a_reads; initial a_reads = 0;      // port A read it, and nothing was written
  reg [2:0] b_reads; initial b_reads = 0;
  wire here = port_row == watched;
  wire write_here = here && written[lane];
  always @(posedge clock) begin
    started <= 1;
    kept <= write_here ? data : cell_now;
    cell_1 <= cell_now;
    cell_2 <= cell_1;
    cell_3 <= cell_2;
    a_reads <= {a_reads[0], rows[`ROW_BITS +: `ROW_BITS] == watched && !write_here};
    b_reads <= {b_reads[1:0], here && !written[lane]};
  end

  // Generations, as slots and agents met them.
  wire [2*`GENERATION_BITS+2:0] generations = {dut.slots_generations_newest, dut.slots_generations_following, dut.slots_generations_unturned};
  reg [2*`GENERATION_BITS+2:0] met [1:3];
  always @(posedge clock) begin
    met[1] <= generations;
    met[2] <= met[1];
    met[3] <= met[2];
  end
  function [VALUE_BITS-1:0] value_of(input [`CELL_BITS-1:0] word);
    value_of = &word[`GENERATION_BITS-1:0]
      ? {1'b1, {(VALUE_BITS-1-(`FINGERPRINT_BITS-`GENERATION_BITS)){1'b0}}, word[`FINGERPRINT_BITS-1:`GENERATION_BITS]} : {1'b0, word[`CELL_BITS-1:`GENERATION_BITS]};
  endfunction
  function [`GENERATION_BITS-1:0] generation_of(input [`CELL_BITS-1:0] word);
    generation_of = &word[`GENERATION_BITS-1:0] ? word[`CELL_BITS-1:`FINGERPRINT_BITS] : word[`GENERATION_BITS-1:0];
  endfunction
  function [`GENERATION_BITS-1:0] age_of(input [`CELL_BITS-1:0] word, input [2*`GENERATION_BITS+2:0] by);
    reg [`GENERATION_BITS:0] own;
    reg [VALUE_BITS-1:0] value;
    begin
      value = value_of(word);
      own = value[2:0] > by[2:0] ? by[3 +: `GENERATION_BITS] : by[3+`GENERATION_BITS +: `GENERATION_BITS];
      age_of = own >= generation_of(word) ? own - generation_of(word) : own + V - generation_of(word);
    end
  endfunction

  // The row as the slot in stage 6 is to meet it.
  wire [`INDEX_BITS-1:0] identity_6 = dut.track.formal_line[6*`INDEX_BITS +: `INDEX_BITS];
  wire late = rows[7*`ROW_BITS +: `ROW_BITS] == watched;
  wire [`CELL_BITS-1:0] view = taken[lane] && late ? data : cell_now;
  wire [`GENERATION_BITS-1:0] view_age = age_of(view, met[3]);
  wire matches = value_of(view) == identity_6[`INDEX_BITS-1:`ROW_BITS] && view_age <= `GENERATIONS;
  wire settled = matches ? generation_of(view) == dut.track.formal_own_6 : view_age > `GENERATIONS;
  wire [`GENERATION_BITS-1:0] read_age = age_of(cell_3, met[1]);
  wire meets = items[`LATENCY-1] && rows[6*`ROW_BITS +: `ROW_BITS] == watched;
  reg [3:0] quiet; initial quiet = 0; // clocks since the generations began anew
  always @(posedge clock) quiet <= dut.begin_ ? 0 : quiet[3] ? quiet : quiet + 1;

  // The surroundings.
  wire [VALUE_BITS-1:0] value_now = value_of(cell_now);
  wire [2:0] clash = dut.table_1.taking & dut.table_1.matching_5;
  wire clashes = dut.table_1.near && !dut.track_near_value;
  reg [2:0] clashed; initial clashed = 0; // in the clock before
  always @(posedge clock) clashed <= clashes ? clash : 0;
  reg agents_row;
  always @* begin
    assume (lane < `ROW_CELLS);
    assume (dut.hash_index_0[`INDEX_BITS-1:`ROW_BITS] < PRINTS && dut.hold.formal_oldest[`INDEX_BITS-1:`ROW_BITS] < PRINTS);
    agents_row = 0;
    for (s = 1; s < 7; s = s + 1)
      if (items[`FRONT-1+s] && rows[s*`ROW_BITS +: `ROW_BITS] == dut.agent_1_row) agents_row = 1;
    assume (!a_reads[1] || a_data[lane] == cell_2);
    assume (!b_reads[1] || b_data[lane] == cell_2);
    assume (started || generation_of(cell_now) != V);
    assume (!(dut.slots_turns_turned && value_now[2:0] == dut.slots_turns_phase && age_of(cell_now, generations) == 0));
    assume (!dut.agent_1_writes || (!dut.table_1_taken && taken == 0 && !agents_row));
    assume (generation_of(dut.agent_1_write_data) != V && age_of(dut.agent_1_write_data, met[3]) != V - 1);
    assume (!dut.sequencer_restart || (items == 0 && taken == 0));
    assume (!dut.sequencer_wipe || (items == 0 && taken == 0));
    for (i = 0; i < `ROW_CELLS; i = i + 1) assume (i == lane || !clashed[i]);
  end

  always @* begin
    if (meets) begin
      matches_if_it_bears: assert (dut.table_1_matching[lane] == matches);
      settled_or_empty: assert (dut.table_1_settled[lane] == settled);
    end
    takes_no_others: assert (!(clashes && clash[lane]) || rows[6*`ROW_BITS +: `ROW_BITS] != watched);
    if (meets) begin
      any_that_matches: assert (dut.table_1_any_matching == (dut.table_1_matching != 0));
      any_that_is_empty: assert (dut.table_1_any_matching || dut.table_1_any_empty == (dut.table_1_settled != 0));
    end
    if (b_reads[2]) begin
      agent_told_dead: assert (dut.table_1_dead[lane] == (read_age > `GENERATIONS));
      agent_told_old: assert (dut.table_1_old[lane] == (read_age > `GENERATIONS + 1));
    end
    // What makes the induction go through.
    assert ((dut.slots.formal_inserts & ~items) == 0);
    for (s = 0; s < 8; s = s + 1) assert (dut.track.formal_line[s*`INDEX_BITS+`ROW_BITS +: VALUE_BITS] < PRINTS);
    assert (generation_of(cell_now) != V);
    assert (dut.slots_generations_newest < V && dut.slots_generations_following == (dut.slots_generations_newest == V - 1 ? 0 : dut.slots_generations_newest + 1));
    assert (dut.slots.formal_elements < `GENERATION_ITEMS);
    for (i = 1; i < 8; i = i + 1)
      assert ((i > dut.slots_generations_unturned) == (dut.slots.formal_elements + i * `GENERATION_ITEMS / 8 >= `GENERATION_ITEMS));
  end
endmodule
