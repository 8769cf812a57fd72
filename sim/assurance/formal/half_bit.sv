// Recycling filters with a spare half: any watched bit of bank 0 against a reference of one bit a half, and what is set and erased.
//
// Proved: an item, and a bit of a host's word, that has the watched position finds it set, in the active and in the frozen half, exactly if an item or
// a host stored it there since that half was last erased. A recycle takes the active half's bits to the frozen one, and begins with an empty half. No bit
// is set in a half in a clock in which a row of that half is erased, and a half is erased wholly before a recycle makes it active.
//
// Hash, sequencer, decision, limit, registers, counts, the queue and the other banks are cut: an item may have any position, any item that inserts may
// recycle, and a force comes at any time, with resets at any time. Assumed, as spare-half.md has it: no recycle comes while a half is erased; a word of a
// host passes while no item is in flight and nothing recycles. The memories of bank 0 are cut, too: the watched bits are held here, any other bit may read
// as anything, and so may the watched one if it is read in the clock in which it is set, or in which a row is erased. So the size of the memory does not
// matter.
//
// observe eraser: wire [`PHASES:0] formal_role = role; wire formal_erasing = erasing_r; wire [31:0] formal_row = row_r; wire [`PHASES:0] formal_erase = erase_r; wire formal_last_row = last_row;
// observe spare_half_slots: wire [`FRONT+`DECISION-1:0] formal_items = item_line; wire [`FRONT+`DECISION-1:0] formal_inserts = insert_line;
// observe spare_half_bank: wire [`PHASES:0] formal_set = set;
// observe READS_LATE spare_half_bank: wire [`INDEX_BITS-1:0] formal_place = place_9;
// observe READS_FIRST spare_half_bank: wire [`INDEX_BITS-1:0] formal_place = place_6;
// observe spare_half_bank: wire formal_erase_0 = erase_r_0; wire [`INDEX_BITS-1:0] formal_row_0 = row_r_0; wire formal_erase_1 = erase_r_1; wire [`INDEX_BITS-1:0] formal_row_1 = row_r_1;
// observe TWO_PHASES spare_half_bank: wire formal_erase_2 = erase_r_2; wire [`INDEX_BITS-1:0] formal_row_2 = row_r_2;
// observe HOST_WORDS bit_access: wire [5:0] formal_ahead = ahead; wire [31:0] formal_rest = rest; wire formal_last = last; wire formal_setting = setting;
module formal_half_bit (input wire clock, input wire reset, input wire [1:0] operation);
  localparam HALVES = `PHASES + 1;
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_storing ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [HALVES-1:0] \dut.eraser.formal_role ;
  (* hierconn *) wire [HALVES-1:0] \dut.eraser.formal_erase ;
  (* hierconn *) wire \dut.eraser.formal_erasing ;
  (* hierconn *) wire [31:0] \dut.eraser.formal_row ;
  (* hierconn *) wire \dut.eraser.formal_last_row ;
  (* hierconn *) wire [HALVES-1:0] \dut.bank_0.formal_set ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.formal_place ;
  (* hierconn *) wire \dut.bank_0.formal_erase_0 ;
  (* hierconn *) wire \dut.bank_0.formal_erase_1 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.formal_row_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.formal_row_1 ;
  (* hierconn *) wire [`ROW_BITS-1:0] \dut.bank_0.memory_0_data ;
  (* hierconn *) wire [`ROW_BITS-1:0] \dut.bank_0.memory_1_data ;
  (* hierconn *) wire \dut.bank_0_in_active ;
`ifdef TWO_PHASES
  (* hierconn *) wire \dut.bank_0.formal_erase_2 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.formal_row_2 ;
  (* hierconn *) wire [`ROW_BITS-1:0] \dut.bank_0.memory_2_data ;
  (* hierconn *) wire \dut.bank_0_in_frozen_0 ;
  wire [HALVES-1:0] erase = {dut.bank_0.formal_erase_2, dut.bank_0.formal_erase_1, dut.bank_0.formal_erase_0};
  wire [HALVES*`INDEX_BITS-1:0] rows = {dut.bank_0.formal_row_2, dut.bank_0.formal_row_1, dut.bank_0.formal_row_0};
  wire [HALVES*`ROW_BITS-1:0] data = {dut.bank_0.memory_2_data, dut.bank_0.memory_1_data, dut.bank_0.memory_0_data};
`else
  wire [HALVES-1:0] erase = {dut.bank_0.formal_erase_1, dut.bank_0.formal_erase_0};
  wire [HALVES*`INDEX_BITS-1:0] rows = {dut.bank_0.formal_row_1, dut.bank_0.formal_row_0};
  wire [HALVES*`ROW_BITS-1:0] data = {dut.bank_0.memory_1_data, dut.bank_0.memory_0_data};
`endif
  wire trip = dut.decision_trip;
  wire [`FRONT+`DECISION-1:0] items = dut.slots.formal_items;
  wire [`FRONT+`DECISION-1:0] inserts = dut.slots.formal_inserts;
  integer h, s;

`ifdef HOST_WORDS
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire \dut.access_accessing ;
  (* hierconn *) wire \dut.access_adding ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.access_position ;
  (* hierconn *) wire [`HASHES-1:0] \dut.access_takes ;
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.reader_word_address ;
  (* hierconn *) wire [5:0] \dut.access.formal_ahead ;
  (* hierconn *) wire [31:0] \dut.access.formal_rest ;
  (* hierconn *) wire \dut.access.formal_last ;
  (* hierconn *) wire \dut.access.formal_setting ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  wire issue = dut.sequencer_fetch || dut.sequencer_set;
  wire accessing = dut.access_accessing;
  wire adding = dut.access_adding;
  wire takes = dut.access_takes[0];
  wire [`INDEX_BITS-1:0] place = accessing ? dut.access_position : dut.hash_index_0;
  reg [`INDEX_BITS-6:0] old_word;
  reg [31:0] host_bits; // as they were when the access was issued
  always @(posedge clock) begin
    old_word <= dut.reader_word_address;
    if (issue) host_bits <= dut.registers_value_3;
  end
  always @* assume (!accessing || dut.reader_word_address == old_word);
  wire [5:0] ahead = dut.access.formal_ahead;
  wire [5:0] in_stage_0 = ahead - 1;
  wire [4:0] offset = in_stage_0[4:0];
`else
  wire issue = 0, accessing = 0, adding = 0, takes = 1;
  wire [5:0] ahead = 0;
  wire [`INDEX_BITS-1:0] place = dut.hash_index_0;
`endif

  // The surroundings.
  reg forced; initial forced = 0;
  reg [`FRONT+`DECISION+1:0] quiet; initial quiet = 0; // clocks of late with an item or a recycle
  always @(posedge clock) begin
    forced <= dut.sequencer_force_recycle && !reset;
    quiet <= {quiet, dut.sequencer_accept || dut.sequencer_force_recycle || trip || reset};
  end
  always @* begin
    assume (!trip || forced || (items[`FRONT+`DECISION-1] && inserts[`FRONT+`DECISION-1]));
    assume (!forced || trip);
    assume (!trip || !dut.eraser.formal_erasing);
    assume (!issue || (quiet == 0 && items == 0 && !accessing && !reset));
    assume (!(issue || accessing) || !(dut.sequencer_accept || dut.sequencer_force_recycle || trip));
`ifdef HOST_WORDS
    assume (!(dut.sequencer_fetch && dut.sequencer_set));
`endif
  end

  // Positions of the slots, and those that have not been emptied.
  (* anyconst *) wire [`INDEX_BITS-1:0] watched;
  always @* assume (watched / `ROW_BITS < `ROWS);
  reg [`INDEX_BITS-1:0] position [1:`DECISION];
  reg [`DECISION:1] there; initial there = 0;
  always @(posedge clock) begin
    position[1] <= place;
    for (s = 2; s <= `DECISION; s = s + 1) position[s] <= position[s-1];
    there <= reset ? 0 : {there, items[`FRONT-1] || (accessing && ahead <= 32)};
  end
  wire meets = there[`DECISION] && position[`DECISION] == watched;
  wire stores = dut.slots_storing && takes && position[`DECISION] == watched;

  // The reference, as the slot in stage D finds it.
  reg active, frozen; initial begin active = 0; frozen = 0; end
  always @(posedge clock) begin
    if (trip) begin
      active <= stores;
      frozen <= active;
    end else if (stores) active <= 1;
  end

  // The watched bit of each half in memory, and what is read of it.
  wire [`INDEX_BITS-1:0] row = watched / `ROW_BITS;
  wire [HALVES-1:0] set_here = dut.bank_0.formal_place == watched ? dut.bank_0.formal_set : 0;
  reg [HALVES-1:0] held, known_1, known, out_1, out; initial begin held = 0; known_1 = 0; known = 0; end
  always @(posedge clock) begin
    for (h = 0; h < HALVES; h = h + 1) begin
      if (set_here[h]) held[h] <= 1;
      else if (erase[h] && rows[h*`INDEX_BITS +: `INDEX_BITS] == row) held[h] <= 0;
      known_1[h] <= rows[h*`INDEX_BITS +: `INDEX_BITS] == row && !erase[h] && !set_here[h];
    end
    known <= known_1;
    out_1 <= held;
    out <= out_1;
  end
  always @* for (h = 0; h < HALVES; h = h + 1) assume (!known[h] || data[h*`ROW_BITS + watched % `ROW_BITS] == out[h]);

  // Roles: the half behind the active one is spare, the one before it, with two phases, frozen.
  wire [HALVES-1:0] role = dut.eraser.formal_role;
  wire [HALVES-1:0] spare = {role[HALVES-2:0], role[HALVES-1]};
  wire [HALVES-1:0] before = {role[0], role[HALVES-1:1]};
  wire [HALVES-1:0] now = held | set_here;
  always @* begin
    found_in_active: assert (!meets || dut.bank_0_in_active == active);
`ifdef TWO_PHASES
    found_in_frozen: assert (!meets || dut.bank_0_in_frozen_0 == frozen);
`endif
    set_and_erase_never_meet: assert ((dut.bank_0.formal_set & erase) == 0);
`ifdef HOST_WORDS
    host_sets_its_bits: assert (!accessing || ahead > 32 || adding == (dut.access.formal_setting && host_bits[offset]));
`endif
    erased_before_use: assert (!trip || ((now & spare) & ~(rows_of_watched & erase)) == 0);
    // What makes the induction go through.
    assert (role != 0 && (role & (role - 1)) == 0);
    assert (active == ((now & role) != 0));
`ifdef TWO_PHASES
    assert (frozen == ((now & before) != 0));
`endif
    assert ((set_here & spare) == 0);
    assert (dut.eraser.formal_erasing == (dut.eraser.formal_erase != 0) && (dut.eraser.formal_erase == 0 || dut.eraser.formal_erase == spare));
    assert (!dut.eraser.formal_erasing || dut.eraser.formal_row < `ROWS);
    assert (!dut.eraser.formal_erasing || dut.eraser.formal_last_row == (dut.eraser.formal_row == `ROWS - 1));
    assert (!dut.eraser.formal_erasing || dut.eraser.formal_row < row + 2 || (held & spare) == 0);
    assert (!(dut.eraser.formal_erasing && dut.eraser.formal_row == row + 1) || (rows_of_watched & erase & spare) != 0);
    assert (dut.eraser.formal_erasing || (held & spare) == 0 || (rows_of_watched & erase & spare) != 0);
    assert ((erase & ~spare) == 0);
    assert ((inserts[`FRONT-1:0] & ~items[`FRONT-1:0]) == 0);
`ifdef HOST_WORDS
    assert (!accessing || items == 0);
    assert (accessing || &dut.access_takes);
    assert (!accessing || (ahead != 0 && ahead <= `DECISION + 32));
    assert (dut.access.formal_last == (accessing && ahead == `DECISION + 32));
    assert (!accessing || dut.access.formal_rest == (ahead >= 32 ? 0 : host_bits >> ahead));
    assert (!adding || (accessing && ahead <= 32));
    assert (!accessing || dut.access_position == {dut.reader_word_address, offset});
    for (s = 1; s <= `DECISION; s = s + 1) begin
      if (accessing && s < ahead) assert (position[s] == {dut.reader_word_address, offset - s[4:0]} && (s + 32 >= ahead || !inserts[`FRONT+s-1]));
      else assert (!inserts[`FRONT+s-1] || items[`FRONT+s-1]);
    end
`endif
  end
  reg [HALVES-1:0] rows_of_watched;
  always @* for (h = 0; h < HALVES; h = h + 1) rows_of_watched[h] = rows[h*`INDEX_BITS +: `INDEX_BITS] == row;
endmodule
