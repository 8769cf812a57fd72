// One bank: any watched bit, item by item and word by word, against a reference of two bits (in the active half, in the frozen half), for every
// clock and any number of recycles.
//
// Hash, sequencer, registers, decision and the other banks are cut: any position, any operation, any word of a host, and a recycle by any item that
// inserts. Assumed is what the sequencer and the decision see to:
// - a slot is one of item, forced recycle, fetch and set;
// - an item is let in only if the half was not blocked two clocks before, a recycle forced only in a clock in which it is not;
// - only items that insert and forces recycle, a force always does; from one recycle to the next are at least R clocks (recycles.sv): a slot that
//   was let in before `blocked` could tell of a recycle does not recycle;
// - behind a set come, for W clocks, only sets, fetches, refreshes or nothing;
// - address and bits of a host stand still while a fetch or set is on its way; with reset the bits are 0.
// Reset comes at any time. A fetch and a set, too; its word is right if nothing but refreshes and fetches came in the W clocks before it.
// A half that has no spare epoch is covered, and has one, after a bounded time in which nothing comes; of the other banks that is assumed.
//
// observe slots: wire formal_accept = accept; wire [`INDEX_BITS-6:0] formal_next = address; wire [`FRONT+`DECISION-1:0] formal_items = item_line; wire [`FRONT+`DECISION-1:0] formal_inserts = insert_line; wire [`FRONT+`DECISION-1:0] formal_sets = set_line;
// observe slots: wire [`FRONT+`DECISION-2:0] formal_forces = force_line; wire [`FRONT+`FETCH-1:0] formal_fetches = fetch_line; wire [`DECISION:0] formal_refreshes = refresh_line;
// observe bank_memory: wire [`INDEX_BITS-6:0] formal_address; wire [35:0] formal_entry = words[formal_address];
// observe bank_memory: reg [(4 << (`INDEX_BITS-5))-1:0] formal_epochs; integer formal_i; always @* for (formal_i = 0; formal_i < 1 << (`INDEX_BITS-5); formal_i = formal_i + 1) formal_epochs[4*formal_i +: 4] = words[formal_i][35:32];
// observe filter_bank: wire [12*`INDEX_BITS-1:0] formal_positions = {stage_11, stage_10, stage_9, stage_8, stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0};
// observe coverage: wire [`INDEX_BITS-5:0] formal_left = left;
// observe epoch_guard: wire [3:0] formal_epoch_0 = epoch_0; wire [3:0] formal_spare_0 = spare_r_0; wire formal_covered = covered_r;
// observe TWO_PHASES epoch_guard: wire [3:0] formal_epoch_1 = epoch_1; wire [3:0] formal_spare_1 = spare_r_1; wire formal_here = here_0;
// observe PARITY bank_memory: reg formal_wrong; integer formal_j; always @* begin formal_wrong = 0; for (formal_j = 0; formal_j < 1 << (`INDEX_BITS-5); formal_j = formal_j + 1) if (^words[formal_j]) formal_wrong = 1; end
module formal_bank (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  (* hierconn *) wire \dut.slots.formal_accept ;
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.slots.formal_next ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire \dut.slots_adding ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.registers_value_2 ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.epochs_blocked ;
  (* hierconn *) wire \dut.epochs_phase ;
  (* hierconn *) wire \dut.slots_item ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_forced ;
  (* hierconn *) wire \dut.slots_fetched ;
  (* hierconn *) wire \dut.slots_found ;
  (* hierconn *) wire \dut.bank_0_clear_none ;
  (* hierconn *) wire \dut.bank_0_clear_early_0 ;
  (* hierconn *) wire \dut.bank_0_in_active ;
  (* hierconn *) wire \dut.bank_0_full ;
  (* hierconn *) wire \dut.epochs_all_full ;
  (* hierconn *) wire [31:0] \dut.bank_0_word_8 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_sets ;
  (* hierconn *) wire [`FRONT+`DECISION-2:0] \dut.slots.formal_forces ;
  (* hierconn *) wire [`FRONT+`FETCH-1:0] \dut.slots.formal_fetches ;
  (* hierconn *) wire [`DECISION:0] \dut.slots.formal_refreshes ;
  (* hierconn *) wire [12*`INDEX_BITS-1:0] \dut.bank_0.formal_positions ;
  (* hierconn *) wire [`INDEX_BITS-5:0] \dut.bank_0.coverage.formal_left ;
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.bank_0.memory_0.formal_address ;
  (* hierconn *) wire [35:0] \dut.bank_0.memory_0.formal_entry ;
  (* hierconn *) wire [(4 << (`INDEX_BITS-5))-1:0] \dut.bank_0.memory_0.formal_epochs ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_epoch_0 ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_spare_0 ;
  (* hierconn *) wire \dut.epochs.formal_covered ;
`ifdef PARITY
  (* hierconn *) wire \dut.bank_0.memory_0.formal_wrong ;
`endif
`ifdef TWO_PHASES
  (* hierconn *) wire \dut.bank_0_in_frozen_0 ;
`ifdef PARITY
  (* hierconn *) wire \dut.bank_0.memory_1.formal_wrong ;
`endif
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.bank_0.memory_1.formal_address ;
  (* hierconn *) wire [35:0] \dut.bank_0.memory_1.formal_entry ;
  (* hierconn *) wire [(4 << (`INDEX_BITS-5))-1:0] \dut.bank_0.memory_1.formal_epochs ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_epoch_1 ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_spare_1 ;
  (* hierconn *) wire \dut.epochs.formal_here ;
`endif

  // The surroundings. Bit i of a line: accepted, issued or decided i + 1 clocks ago.
  localparam LINE = `FRONT + `DECISION;
  wire [LINE-1:0] items = dut.slots.formal_items;
  wire [LINE-1:0] inserts = dut.slots.formal_inserts;
  wire [LINE-1:0] sets = dut.slots.formal_sets;
  wire [LINE-2:0] early_forces = dut.slots.formal_forces;
  wire [LINE-1:0] fetches = dut.slots.formal_fetches;
  wire [LINE-1:0] refreshes = dut.slots.formal_refreshes << (`FRONT - 1);
  wire quiet = ((items | early_forces | sets) & ((1 << `WRITE) - 1)) == 0;
  reg forced; initial forced = 0;
  wire [LINE-1:0] forces = {forced, early_forces};
  reg [LINE+5:0] trips; initial trips = 0;
  reg [1:0] was_blocked; initial was_blocked = 0;
  reg was_reset; initial was_reset = 0;
  reg [`ARRAY_BITS-1:0] old_address;
  reg [31:0] old_bits;
  reg [LINE-1:0] due; initial due = 0;      // fetches and sets whose word must be right
  always @(posedge clock) begin
    forced <= dut.slots_forced && !reset;
    trips <= {trips, dut.decision_trip};
    was_blocked <= {was_blocked, dut.epochs_blocked};
    was_reset <= reset;
    old_address <= dut.registers_value_2;
    old_bits <= dut.registers_value_3;
    due <= {due, (dut.sequencer_fetch || dut.sequencer_set) && quiet};
  end
  wire of_a_host = sets != 0 || fetches != 0 || dut.slots_adding;
  always @* begin
    assume (dut.slots.formal_accept + dut.sequencer_force_recycle + dut.sequencer_fetch + dut.sequencer_set <= 1);
    assume (!dut.slots.formal_accept || !(&was_blocked));
    assume (!dut.sequencer_force_recycle || !dut.epochs_blocked);
    assume ((sets & ((1 << `WRITE) - 1)) == 0 || !(dut.slots.formal_accept || dut.sequencer_force_recycle));
    assume (!of_a_host || was_reset || (dut.registers_value_2 == old_address && dut.registers_value_3 == old_bits));
    assume (!was_reset || dut.registers_value_3 == 0);
    assume (!dut.decision_trip || dut.slots_inserting || forced);
    assume (!forced || dut.decision_trip);
    assume (!dut.decision_trip || trips == 0);
  end

  // The position of the slot in stage D.
  reg [`INDEX_BITS-1:0] line [0:`DECISION];
  integer i;
  always @(posedge clock) begin
    line[0] <= dut.hash_index_0;
    for (i = 1; i <= `DECISION; i = i + 1) line[i] <= line[i-1];
  end

  (* anyconst *) wire [`INDEX_BITS-1:0] watched;
  wire here = dut.slots_item && line[`DECISION] == watched;
  wire stores = here && dut.slots_inserting;
  localparam WORD_BITS = `INDEX_BITS - 5;
  localparam BANK_BITS = `ARRAY_BITS - WORD_BITS - (`PHASES - 1);
  wire [`ARRAY_BITS-1:0] address = dut.registers_value_2;
  wire mine = address[WORD_BITS-1:0] == watched[`INDEX_BITS-1:5];
  wire of_bank = BANK_BITS == 0 || ((address >> WORD_BITS) & ((1 << BANK_BITS) - 1)) == 0;
  wire of_frozen = `PHASES == 2 && address[`ARRAY_BITS-1];
  wire added = dut.slots_adding && mine && of_bank && dut.registers_value_3[watched[4:0]];
  // Bit i: as it was i clocks ago. What a host sets is heard of a clock late, with nothing behind it.
  reg [3:0] active; initial active = 0;
  reg [3:0] frozen; initial frozen = 0;
  always @(posedge clock) begin
    active <= {active[2:1], active[0] || added, active[0] || added};
    frozen <= {frozen, frozen[0]};
    if (stores) active[0] <= 1;
    if (dut.decision_trip) begin
      frozen[0] <= active[0] || added;
      active[0] <= stores && `RETAIN;
    end
  end
  // What the decision is told of the bit: in stage D - 2 if the slot ahead does not recycle, in stage D - 3 if it does.
  reg [1:0] clear_none;
  reg [2:0] clear_early;
  always @(posedge clock) begin
    clear_none <= {clear_none, dut.bank_0_clear_none};
    clear_early <= {clear_early, dut.bank_0_clear_early_0};
  end
  wire got = dut.bank_0_word_8[watched[4:0]];
  always @* begin
    if (here) begin
      kept_active: assert (!active[0] || dut.bank_0_in_active);
      stale_active: assert (active[0] || !dut.bank_0_in_active);
      told_clear: assert ((trips[0] ? clear_early[2] : clear_none[1]) == !active[0]);
`ifdef TWO_PHASES
      kept_frozen: assert (!frozen[0] || dut.bank_0_in_frozen_0);
      stale_frozen: assert (frozen[0] || !dut.bank_0_in_frozen_0);
`endif
    end
    if (dut.slots_fetched || dut.slots_found) begin
      word_has_the_bit: assert (!(due[`FRONT+`FETCH-1] && mine && of_bank) || got == (of_frozen && dut.slots_fetched ? frozen[0] : active[0]));
      no_word_of_another_bank: assert (of_bank || dut.bank_0_word_8 == 0);
    end
  end

  // What makes the induction go through. Memory holds what the slots past stage W made of it: the halves and the reference as they were 3 clocks ago.
  reg [2:0] phase; initial phase = 0;
  reg [3:0] epoch_0 [1:3];
  wire [3:0] epoch_of_0 = epoch_0[3];
  initial begin epoch_0[1] = 1; epoch_0[2] = 1; epoch_0[3] = 1; end
  always @(posedge clock) begin
    phase <= {phase, dut.epochs_phase};
    epoch_0[1] <= dut.epochs.formal_epoch_0; epoch_0[2] <= epoch_0[1]; epoch_0[3] <= epoch_0[2];
  end
  assign dut.bank_0.memory_0.formal_address = watched[`INDEX_BITS-1:5];
  wire bit_0 = dut.bank_0.memory_0.formal_entry[35:32] == epoch_of_0 && dut.bank_0.memory_0.formal_entry[watched[4:0]];
  wire [3:0] spare_of_0 = dut.epochs.formal_spare_0;
`ifdef TWO_PHASES
  reg [3:0] epoch_1 [1:3];
  wire [3:0] epoch_of_1 = epoch_1[3];
  initial begin epoch_1[1] = 1; epoch_1[2] = 1; epoch_1[3] = 1; end
  always @(posedge clock) begin
    epoch_1[1] <= dut.epochs.formal_epoch_1; epoch_1[2] <= epoch_1[1]; epoch_1[3] <= epoch_1[2];
  end
  assign dut.bank_0.memory_1.formal_address = watched[`INDEX_BITS-1:5];
  wire bit_1 = dut.bank_0.memory_1.formal_entry[35:32] == epoch_of_1 && dut.bank_0.memory_1.formal_entry[watched[4:0]];
  wire [3:0] spare_of_1 = dut.epochs.formal_spare_1;
  wire [3:0] spare = phase[2] ? spare_of_1 : spare_of_0;
`else
  wire [3:0] spare = spare_of_0;
`endif
  // Clocks for which the active half has had no spare epoch and nothing came: every slot is a refresh then, of one word after the other.
  reg [7:0] waits; initial waits = 0;
  always @(posedge clock) begin
    waits <= spare != 0 || dut.slots.formal_accept || dut.sequencer_force_recycle || dut.sequencer_fetch || dut.sequencer_set || reset ? 0 : waits + 1;
  end
  localparam SWEPT = `FRONT + `WRITE + (1 << WORD_BITS);
  always @* assume (waits <= SWEPT || dut.epochs_all_full == dut.bank_0_full); // the other banks see the same slots
  reg [`INDEX_BITS-5:0] other;
  reg [3:0] epoch, age;
  reg [LINE+5:0] recent;                          // the lowest of trips: those less than 7 clocks before the slot, or behind it
  reg free_0, free_1, with_spare, single, room, placed, swept;
  reg [WORD_BITS-1:0] behind;
  reg [`INDEX_BITS-1:0] position;
  integer w;
  integer j;
  always @* begin
    // A word bears 0 or an epoch that is not spare; words of the active half that bear another are counted.
    other = 0;
    swept = 1;
    free_0 = 1;
    free_1 = 1;
    for (w = 0; w < 1 << WORD_BITS; w = w + 1) begin
      epoch = dut.bank_0.memory_0.formal_epochs[4*w +: 4];
      age = epoch <= epoch_of_0 ? epoch_of_0 - epoch : epoch_of_0 + 4'd15 - epoch;
      if (epoch != 0 && age + spare_of_0 > 14) free_0 = 0;
      behind = dut.slots.formal_next - 2 - `WRITE - w;
      if (!phase[2] && epoch != epoch_of_0) begin
        other = other + 1;
        if (`FRONT + `WRITE + behind < waits) swept = 0;
      end
`ifdef TWO_PHASES
      epoch = dut.bank_0.memory_1.formal_epochs[4*w +: 4];
      age = epoch <= epoch_of_1 ? epoch_of_1 - epoch : epoch_of_1 + 4'd15 - epoch;
      if (epoch != 0 && age + spare_of_1 > 14) free_1 = 0;
      if (phase[2] && epoch != epoch_of_1) begin
        other = other + 1;
        if (`FRONT + `WRITE + behind < waits) swept = 0;
      end
`endif
    end
    waiting_bank_is_covered: assert (waits <= SWEPT || dut.bank_0_full || spare != 0);
    waiting_half_is_covered: assert (waits <= SWEPT + 3);
    words_are_swept: assert (swept || spare != 0);
    spare_is_borne_by_none: assert (free_0 && free_1);
    uncovered_is_counted: assert (dut.bank_0.coverage.formal_left == other);
    full_is_told: assert (dut.bank_0_full == (other == 0));
    covered_is_full: assert (!dut.epochs.formal_covered || dut.bank_0_full);
    epoch_is_one_0: assert (epoch_of_0 != 0 && spare_of_0 <= 14);
`ifdef TWO_PHASES
    epoch_is_one_1: assert (epoch_of_1 != 0 && spare_of_1 <= 14);
    half_is_known: assert (dut.epochs.formal_here == phase[2]);
    frozen_has_a_spare: assert ((phase[2] ? spare_of_0 : spare_of_1) != 0);
    memory_is_active: assert ((phase[2] ? bit_1 : bit_0) == active[3]);
    memory_is_frozen: assert ((phase[2] ? bit_0 : bit_1) == frozen[3]);
`else
    memory_is_active: assert (bit_0 == active[3]);
`endif
`ifdef PARITY
    parity_is_even_0: assert (!dut.bank_0.memory_0.formal_wrong);
`ifdef TWO_PHASES
    parity_is_even_1: assert (!dut.bank_0.memory_1.formal_wrong);
`endif
`endif
    // What may recycle, and what has and is not yet counted, finds a spare epoch.
    recycle_has_a_spare: assert (trips[2:0] == 0 || spare != 0);
    with_spare = 1;
    single = 1;
    room = 1;
    for (j = 0; j < LINE; j = j + 1) begin
      if (waits > j && (items[j] || forces[j] || sets[j] || fetches[j])) single = 0;
      recent = trips << (LINE - 1 - j);
      if ((inserts[j] || forces[j]) && recent == 0 && spare == 0) with_spare = 0;
      if (items[j] + forces[j] + sets[j] > 1 || (inserts[j] && !items[j])) single = 0;
      if (fetches[j] && (items[j] || forces[j] || sets[j])) single = 0;
      if (refreshes[j] && (items[j] || forces[j] || fetches[j])) single = 0;
      if (sets[j] && (({items | forces, {`WRITE{1'b0}}} >> j) & ((1 << `WRITE) - 1)) != 0) room = 0;
      if (due[j] && (fetches[j] || sets[j]) && (((items | forces | sets) >> (j + 1)) & ((1 << `WRITE) - 1)) != 0) room = 0;
    end
    placed = 1;
    for (j = 0; j < 12; j = j + 1) begin
      position = dut.bank_0.formal_positions[`INDEX_BITS*j +: `INDEX_BITS];
      if (items[j+`FRONT-1] && position != line[j]) placed = 0;
      behind = dut.slots.formal_next - 1 - j;
      if (spare == 0 && waits >= `FRONT + j && !(refreshes[j+`FRONT-1] && position[`INDEX_BITS-1:5] == behind)) placed = 0;
      if ((sets[j+`FRONT-1] || fetches[j+`FRONT-1]) && position[`INDEX_BITS-1:5] != address[WORD_BITS-1:0]) placed = 0;
    end
    slot_has_its_position: assert (placed);
    slot_has_a_spare: assert (with_spare);
    slot_is_one_thing: assert (single);
    access_has_room: assert (room);
  end
endmodule
