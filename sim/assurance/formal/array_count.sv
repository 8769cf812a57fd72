// One shared array: BITS_ACTIVE, BITS_FROZEN and MESSAGES against a reference that holds every bit of the active half.
//
// Proved: BITS_ACTIVE is the number of bits that the items stored and a host set in the active half since it was emptied (equal positions of an
// item count once), BITS_FROZEN the number that the half had when it froze, MESSAGES the number of items and sets that set a bit that was clear.
//
// Hash, sequencer, limit, registers, the queue, epochs and the array are cut: any positions, any slots as far as the sequencer's spacing allows them
// (ports.sv, section PROGRESS: items, forces and sets are I clocks apart or more), and any room, so that any item may recycle. Of the array this is assumed,
// which array_bit.sv proves: a probe finds the bit that the reference has there, `repeated` says that an earlier probe has the same position, and a set
// meets the word that the reference has. No reset: what it empties is forced behind it. Word and bits of the host are any, and stand still
// while a set is on its way.
//
// observe shared_array_slots: wire [`LATENCY-1:0] formal_items = item_line; wire [`LATENCY-1:0] formal_inserts = insert_line; wire [`LATENCY-2:0] formal_forces = force_line;
// observe shared_array_slots: wire [`FRONT+`FETCH-1:0] formal_sets = set_line;
module formal_array_count (input wire clock, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(1'b0), .s_item_tuser(operation));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.registers_value_2 ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_load ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_found ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`LATENCY-2:0] \dut.slots.formal_forces ;
  (* hierconn *) wire [`FRONT+`FETCH-1:0] \dut.slots.formal_sets ;
  (* hierconn *) wire \dut.bank_in_active ;
  (* hierconn *) wire \dut.bank_repeated ;
  (* hierconn *) wire [31:0] \dut.bank_word_4 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_1 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_2 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_3 ;
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.occupancy_bits_active ;
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.occupancy_messages ;
`ifdef TWO_PHASES
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.occupancy_bits_frozen ;
`endif
  // The surroundings.
  wire [`ARRAY_BITS-1:0] address = dut.registers_value_2;
  wire [31:0] bits = dut.registers_value_3;
  reg [`ARRAY_BITS-1:0] old_address;
  reg [31:0] old_bits;
  wire entering = dut.sequencer_accept || dut.sequencer_force_recycle || dut.sequencer_set;
  reg [`LATENCY-1:0] line, items, inserts, forces; initial begin line = 0; items = 0; inserts = 0; forces = 0; end
  reg [`FRONT+`FETCH-1:0] sets; initial sets = 0;
  always @(posedge clock) begin
    line <= {line[`LATENCY-2:0], entering};
    old_address <= address;
    old_bits <= bits;
    items <= {items[`LATENCY-2:0], dut.sequencer_accept};
    inserts <= {inserts[`LATENCY-2:0], dut.sequencer_accept && operation != 0};
    forces <= {forces[`LATENCY-2:0], dut.sequencer_force_recycle};
    sets <= {sets[`FRONT+`FETCH-2:0], dut.sequencer_set};
  end
  always @* begin
    assume (dut.sequencer_accept + dut.sequencer_force_recycle + dut.sequencer_set <= 1);
    assume (!entering || line[`INTERVAL-2:0] == 0);
    assume (sets == 0 || (address == old_address && bits == old_bits));
  end
  // The item in the array, of up to 4 probes: its stage, and its positions.
  localparam SIZE = 1 << `INDEX_BITS;
  reg [`HASHES+4:0] stage; initial stage = 0;
  reg [`INDEX_BITS-1:0] position [0:`HASHES-1];
  wire [4*`INDEX_BITS-1:0] drawn = {dut.hash_index_3, dut.hash_index_2, dut.hash_index_1, dut.hash_index_0};
  integer i, j;
  always @(posedge clock) begin
    stage <= {stage[`HASHES+3:0], dut.slots_load};
    if (dut.slots_load) for (i = 0; i < `HASHES; i = i + 1) position[i] <= drawn[i*`INDEX_BITS +: `INDEX_BITS];
  end

  reg [SIZE-1:0] active; initial active = 0;
  reg [`COUNT_BITS-1:0] count, frozen, messages; initial begin count = 0; frozen = 0; messages = 0; end
  wire stores = dut.slots_inserting && (!dut.decision_trip || `RETAIN);
  wire [SIZE-1:0] kept = dut.decision_trip ? 0 : active;
  wire [31:0] word = active >> {address[`INDEX_BITS-6:0], 5'd0};
  reg [`HASHES-1:0] earlier, fresh;
  reg [SIZE-1:0] with_item;
  reg [5:0] more, item_more;
  // Bits of a host count five clocks later.
  reg [5:0] later [0:4];
  integer l; initial for (l = 0; l < 5; l = l + 1) later[l] = 0;
  always @* begin
    with_item = kept;
    item_more = 0;
    more = 0;
    for (i = 0; i < `HASHES; i = i + 1) begin
      earlier[i] = 0;
      for (j = 0; j < i; j = j + 1) if (position[j] == position[i]) earlier[i] = 1;
      fresh[i] = !kept[position[i]] && !earlier[i];
      with_item = with_item | ({{(SIZE-1){1'b0}}, 1'b1} << position[i]);
      item_more = item_more + fresh[i];
    end
    for (i = 0; i < 32; i = i + 1) more = more + (bits[i] && !word[i]);
  end
  always @(posedge clock) begin
    active <= stores ? with_item : dut.slots_found ? kept | ({{(SIZE-32){1'b0}}, bits} << {address[`INDEX_BITS-6:0], 5'd0}) : kept;
    later[0] <= dut.slots_found ? more : 0;
    for (l = 1; l < 5; l = l + 1) later[l] <= later[l-1];
    if (dut.decision_trip) frozen <= count;
    count <= (dut.decision_trip ? 0 : count) + (stores ? item_more : 0) + later[4];
    messages <= (dut.decision_trip ? 0 : messages) + ((stores && item_more != 0) || later[4] != 0);
  end
  always @* begin
    for (i = 0; i < `HASHES; i = i + 1) if (stage[i+5]) begin
      assume (dut.bank_in_active == active[position[i]]);
      assume (dut.bank_repeated == (earlier[i] && !`DISTINCT));
      assume (!`DISTINCT || !earlier[i]);
    end
    assume (!dut.slots_found || dut.bank_word_4 == word);
  end
  always @* begin
    bits_active: assert (dut.occupancy_bits_active == count);
    bit_messages: assert (dut.occupancy_messages == messages);
`ifdef TWO_PHASES
    bits_frozen: assert (dut.occupancy_bits_frozen == frozen);
`endif
  end

  // What makes the induction go through: slots on their way, and how far apart they are.
  integer d;
  always @* begin
    assert (dut.slots.formal_items == items && dut.slots.formal_inserts == inserts && dut.slots.formal_forces == forces[`LATENCY-2:0]);
    assert (dut.slots.formal_sets == sets);
    assert ((items & forces) == 0 && (inserts & ~items) == 0 && (items & ~line) == 0 && (forces & ~line) == 0 && (sets & ~line) == 0);
    assert ((sets & (items | forces)) == 0);
    for (d = 1; d < `INTERVAL; d = d + 1) assert ((line & (line >> d)) == 0);
    assert (stage == (({items, 1'b0} >> `FRONT) & {(`HASHES+5){1'b1}}));
  end
endmodule
