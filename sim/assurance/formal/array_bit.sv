// One shared array: any watched bit, item by item, against a reference of two bits (in the active half, in the frozen half).
//
// Proved: probe i of an item finds the watched position set, in the active and in the frozen half, exactly if an item stored it there, or a host
// set it, since that half was last emptied; so does the word that a fetch gives. An earlier probe of the item counts as the same position exactly if it is.
// A write counts as covering its word exactly if the word did not bear the epoch of the active half.
//
// Hash, sequencer, decision, registers and the queue are cut: an item may have any positions, and any item that inserts may recycle. A force always
// does. Any operation, fetch, set and reset may come in any clock that the sequencer's spacing allows. Of that, this is assumed (ports.sv, section PROGRESS,
// proves more): items, forces and sets are I clocks apart or more, and so far behind a fetch (items: 2) and a reset; a fetch is I + 1 behind them.
// The memories are cut, too: the watched bit's word is held here, any other word may read as anything, and so may a word that is read while it is written.
// So the size of the memory does not matter. Word and bits of the host are any, and stand still while a fetch or set is on its way.
//
// Assumed of the epoch guard, and proved by array_epochs.sv: when a half is emptied, the watched word does not bear the epoch that comes then.
//
// observe shared_array_bank: wire formal_write = write; wire formal_touch = touch; wire [`INDEX_BITS-6:0] formal_write_address = write_address; wire [`INDEX_BITS-6:0] formal_address = address;
// observe shared_array_slots: wire [`LATENCY-1:0] formal_items = item_line; wire [`LATENCY-1:0] formal_inserts = insert_line; wire [`LATENCY-2:0] formal_forces = force_line;
// observe shared_array_slots: wire [`FRONT+`FETCH-1:0] formal_fetches = fetch_line; wire [`FRONT+`FETCH-1:0] formal_sets = set_line;
module formal_array_bit (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.registers_value_2 ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_load ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_forced ;
  (* hierconn *) wire \dut.slots_fetched ;
  (* hierconn *) wire \dut.slots_found ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`LATENCY-2:0] \dut.slots.formal_forces ;
  (* hierconn *) wire [`FRONT+`FETCH-1:0] \dut.slots.formal_fetches ;
  (* hierconn *) wire [`FRONT+`FETCH-1:0] \dut.slots.formal_sets ;
  (* hierconn *) wire \dut.bank_in_active ;
  (* hierconn *) wire \dut.bank_repeated ;
  (* hierconn *) wire [31:0] \dut.bank_word_4 ;
  (* hierconn *) wire [3:0] \dut.epochs_active_epoch ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_1 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_2 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_3 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_4 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_5 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_6 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_7 ;
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.bank.formal_write_address ;
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.bank.formal_address ;
  (* hierconn *) wire \dut.bank.formal_write ;
  (* hierconn *) wire \dut.bank.formal_touch ;
`ifdef PARITY
  (* hierconn *) wire [`MEMORY_BITS-1:0] \dut.bank.seal_0_word ;
  wire [`MEMORY_BITS-1:0] written_0 = dut.bank.seal_0_word;
  wire [`MEMORY_BITS-1:0] written_1 = dut.bank.seal_0_word;
`else
  (* hierconn *) wire [`MEMORY_BITS-1:0] \dut.bank.memory_0_write_data ;
  wire [`MEMORY_BITS-1:0] written_0 = dut.bank.memory_0_write_data;
`ifdef TWO_PHASES
  (* hierconn *) wire [`MEMORY_BITS-1:0] \dut.bank.memory_1_write_data ;
  wire [`MEMORY_BITS-1:0] written_1 = dut.bank.memory_1_write_data;
`endif
`endif
  (* hierconn *) wire [`MEMORY_BITS-1:0] \dut.bank.memory_0_read_data ;
`ifdef TWO_PHASES
  (* hierconn *) wire \dut.bank_in_frozen_0 ;
  (* hierconn *) wire \dut.epochs_phase ;
  (* hierconn *) wire [3:0] \dut.epochs_frozen_epoch_6_0 ;
  (* hierconn *) wire \dut.bank.memory_0_write_enable ;
  (* hierconn *) wire \dut.bank.memory_1_write_enable ;
  (* hierconn *) wire [`MEMORY_BITS-1:0] \dut.bank.memory_1_read_data ;
`endif
  // The surroundings.
  reg [`FRONT+`FETCH-1:0] fetches, sets; initial begin fetches = 0; sets = 0; end
  wire [`ARRAY_BITS-1:0] address = dut.registers_value_2;
  wire [31:0] bits = dut.registers_value_3;
  reg [`ARRAY_BITS-1:0] old_address;
  reg [31:0] old_bits;
  wire entering = dut.sequencer_accept || dut.sequencer_force_recycle || dut.sequencer_set;
  reg [`INTERVAL-1:0] entered; initial entered = 0;
  reg [`INTERVAL-2:0] fetched; initial fetched = 0;
  reg forced; initial forced = 0;
  always @(posedge clock) begin
    entered <= {entered[`INTERVAL-2:0], entering || reset};
    fetched <= {fetched[`INTERVAL-3:0], dut.sequencer_fetch};
    forced <= dut.slots_forced && !reset;
    old_address <= address;
    old_bits <= bits;
  end
  always @* begin
    assume (dut.sequencer_accept + dut.sequencer_force_recycle + dut.sequencer_fetch + dut.sequencer_set <= 1);
    assume (!entering || entered[`INTERVAL-2:0] == 0);
    assume (!dut.sequencer_fetch || entered == 0);
    assume (!dut.sequencer_accept || !fetched[0]);
    assume (!(dut.sequencer_force_recycle || dut.sequencer_set) || fetched == 0);
    assume (!reset || !(dut.sequencer_force_recycle || dut.sequencer_fetch || dut.sequencer_set));
    assume ((fetches == 0 && sets == 0) || (address == old_address && bits == old_bits));
    assume (!dut.decision_trip || dut.slots_inserting || forced);
    assume (!forced || dut.decision_trip);
  end
  // The item in the array, of up to 8 probes: its stage, and its positions.
  reg [`DECISION:0] stage; initial stage = 0;
  reg [`INDEX_BITS-1:0] position [0:`HASHES-1];
  wire [8*`INDEX_BITS-1:0] drawn = {dut.hash_index_7, dut.hash_index_6, dut.hash_index_5, dut.hash_index_4,
    dut.hash_index_3, dut.hash_index_2, dut.hash_index_1, dut.hash_index_0};
  integer i, j;
  always @(posedge clock) begin
    stage <= reset ? 0 : {stage[`DECISION-1:0], dut.slots_load};
    if (dut.slots_load) for (i = 0; i < `HASHES; i = i + 1) position[i] <= drawn[i*`INDEX_BITS +: `INDEX_BITS];
  end

  // The watched word in the memory of each half.
  (* anyconst *) wire [`INDEX_BITS-1:0] watched;
  localparam WORD_BITS = `INDEX_BITS - 5;
  wire [WORD_BITS-1:0] word = watched[`INDEX_BITS-1:5];
  reg [1:0] read, read_before; initial begin read = 0; read_before = 0; end
  reg [`MEMORY_BITS-1:0] held_0, out_0, out_before_0; initial held_0 = 0;
`ifdef TWO_PHASES
  wire writes_0 = dut.bank.memory_0_write_enable && dut.bank.formal_write_address == word;
`else
  wire writes_0 = dut.bank.formal_write && dut.bank.formal_write_address == word;
`endif
  always @(posedge clock) begin
    if (writes_0) held_0 <= written_0;
    read_before[0] <= dut.bank.formal_address == word && !writes_0;
    read[0] <= read_before[0];
    out_before_0 <= held_0;
    out_0 <= out_before_0;
  end
  always @* assume (!read[0] || dut.bank.memory_0_read_data == out_0);
`ifdef TWO_PHASES
  reg [`MEMORY_BITS-1:0] held_1, out_1, out_before_1; initial held_1 = 0;
  wire writes_1 = dut.bank.memory_1_write_enable && dut.bank.formal_write_address == word;
  always @(posedge clock) begin
    if (writes_1) held_1 <= written_1;
    read_before[1] <= dut.bank.formal_address == word && !writes_1;
    read[1] <= read_before[1];
    out_before_1 <= held_1;
    out_1 <= out_before_1;
  end
  always @* assume (!read[1] || dut.bank.memory_1_read_data == out_1);
  wire [`MEMORY_BITS-1:0] held = dut.epochs_phase ? held_1 : held_0;
  wire writes = dut.epochs_phase ? writes_1 : writes_0;
  wire [`MEMORY_BITS-1:0] held_frozen = dut.epochs_phase ? held_0 : held_1;
`else
  wire writes = writes_0;
  wire [`MEMORY_BITS-1:0] held = held_0;
`endif
  // The epoch guard's part.
  reg tripped; initial tripped = 0;
  always @(posedge clock) tripped <= dut.decision_trip;
  wire bears = held[35:32] == dut.epochs_active_epoch;
  always @* assume (!tripped || !bears);

  reg probed, stored, looked, earlier;
  always @* begin
    probed = 0;
    stored = 0;
    looked = 0;
    earlier = 0;
    for (i = 0; i < `HASHES; i = i + 1) begin
      if (stage[i+5] && position[i] == watched) probed = 1;
      if (position[i] == watched) stored = 1;
      if (stage[i+5]) looked = 1;
      for (j = 0; j < i; j = j + 1) if (stage[i+5] && position[j] == position[i]) earlier = 1;
    end
  end
  wire mine = address[WORD_BITS-1:0] == word;
  wire of_frozen = `PHASES == 2 && address[`ARRAY_BITS-1];
  wire stores = dut.slots_inserting && stored && (`RETAIN || !dut.decision_trip);
  wire added = dut.slots_found && !reset && mine && bits[watched[4:0]];
  reg active; initial active = 0;
  reg frozen; initial frozen = 0;
  reg [`HASHES-1:0] writing; initial writing = 0;
  reg adding; initial adding = 0;
  always @(posedge clock) begin
    if (dut.decision_trip) begin
      frozen <= active;
      active <= stores;
    end else if (stores || added) active <= 1;
    writing <= (writing << 1) | stores;
    adding <= added;
  end
  wire memory_has = bears && held[watched[4:0]];
  always @* begin
    if (probed) begin
      kept_active: assert (!active || dut.bank_in_active);
      stale_active: assert (active || !dut.bank_in_active);
`ifdef TWO_PHASES
      kept_frozen: assert (!frozen || dut.bank_in_frozen_0);
      stale_frozen: assert (frozen || !dut.bank_in_frozen_0);
`endif
    end
    // colliding draws; non-colliding ones never repeat, by the hash
    if (looked) repeated_is_so: assert (dut.bank_repeated == (earlier && !`DISTINCT));
    if (dut.slots_fetched && mine) word_has_the_bit: assert (dut.bank_word_4[watched[4:0]] == (of_frozen ? frozen : active));
    if (dut.slots_found && mine) word_before_a_set: assert (dut.bank_word_4[watched[4:0]] == active);
`ifdef PARITY
    assert (!(^held_0));
`ifdef TWO_PHASES
    assert (!(^held_1));
`endif
`endif
    touch_is_so: assert (dut.bank.formal_touch == !bears || !writes);
    touch_is_written: assert (!dut.bank.formal_touch || dut.bank.formal_write);
    // What makes the induction go through: the memories hold what they should, but for what is being written.
    memory_is_active: assert (memory_has == active || (active && (writing != 0 || adding)));
`ifdef TWO_PHASES
    memory_is_frozen: assert ((held_frozen[35:32] == dut.epochs_frozen_epoch_6_0 && held_frozen[watched[4:0]]) == frozen);
`endif
  end

  // Slots on their way, and how far apart they are.
  reg [`LATENCY-1:0] line, items, inserts, forces; initial begin line = 0; items = 0; inserts = 0; forces = 0; end
  integer d;
  always @(posedge clock) begin
    line <= reset ? 0 : {line[`LATENCY-2:0], entering};
    items <= reset ? 0 : {items[`LATENCY-2:0], dut.sequencer_accept};
    inserts <= reset ? 0 : {inserts[`LATENCY-2:0], dut.sequencer_accept && operation != 0};
    forces <= reset ? 0 : {forces[`LATENCY-2:0], dut.sequencer_force_recycle};
    fetches <= reset ? 0 : {fetches[`FRONT+`FETCH-2:0], dut.sequencer_fetch};
    sets <= reset ? 0 : {sets[`FRONT+`FETCH-2:0], dut.sequencer_set};
  end
  always @* begin
    assert (dut.slots.formal_items == items && dut.slots.formal_inserts == inserts && dut.slots.formal_forces == forces[`LATENCY-2:0]);
    assert (dut.slots.formal_fetches == fetches && dut.slots.formal_sets == sets);
    assert ((items & forces) == 0 && (inserts & ~items) == 0 && (items & ~line) == 0 && (forces & ~line) == 0 && (sets & ~line) == 0);
    assert ((sets & (items | forces)) == 0 && (fetches & line) == 0);
    assert ((line[`INTERVAL-1:0] & ~entered) == 0);
    for (d = 1; d < `INTERVAL; d = d + 1) assert ((line & (line >> d)) == 0);
    for (d = 1; d <= `INTERVAL; d = d + 1) assert ((fetches & (line >> d)) == 0);
    assert ((fetches & (items << 1)) == 0);
    for (d = 1; d < `INTERVAL; d = d + 1) assert ((fetches & ((forces | sets) << d)) == 0);
    assert (stage == {items, 1'b0} >> `FRONT);
  end
endmodule
