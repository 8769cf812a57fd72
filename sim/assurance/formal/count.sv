// BITS_ACTIVE, BITS_FROZEN and MESSAGES, a bank a hash, against a reference that holds every bit of the active half in both banks. Two hashes.
//
// Proved: BITS_ACTIVE is the number of bits that the items stored and a host set in the active half since it was emptied, BITS_FROZEN the number that
// the half had when it froze, MESSAGES the number of items and sets that set a bit that was clear; for any number of recycles.
//
// Hash, sequencer, limit, registers, the queue, epochs and the banks are cut: any positions, any slots as far apart as the sequencer keeps them
// (progress.sv), and any room, so that any item that inserts may recycle. Of the banks this is assumed, which bank.sv proves: a bit is told clear
// exactly if the reference has it clear, by the one wire if the slot ahead recycled and by the other if not, and a set meets the word that the reference
// has. Recycles are as far apart as recycles.sv proves. No reset: what it empties is forced behind it. Word and bits of the host are any, and stand
// still while a set is on its way.
//
// observe slots: wire formal_accept = accept; wire formal_insert = entering_insert; wire [`LATENCY-1:0] formal_items = item_line; wire [`LATENCY-1:0] formal_inserts = insert_line; wire [`LATENCY-2:0] formal_forces = force_line;
// observe slots: wire [`LATENCY-1:0] formal_sets = set_line;
module formal_count (input wire clock);
  `DUT dut (.clock(clock), .reset(1'b0));
  (* hierconn *) wire \dut.slots.formal_accept ;
  (* hierconn *) wire \dut.slots.formal_insert ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.registers_value_2 ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_item ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_found ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_sets ;
  (* hierconn *) wire [`LATENCY-2:0] \dut.slots.formal_forces ;
  (* hierconn *) wire \dut.bank_0_clear_none ;
  (* hierconn *) wire \dut.bank_0_clear_early_0 ;
  (* hierconn *) wire [31:0] \dut.bank_0_word_8 ;
  (* hierconn *) wire \dut.bank_1_clear_none ;
  (* hierconn *) wire \dut.bank_1_clear_early_0 ;
  (* hierconn *) wire [31:0] \dut.bank_1_word_8 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_1 ;
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.occupancy_bits_active ;
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.occupancy_messages ;
`ifdef TWO_PHASES
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.occupancy_bits_frozen ;
`endif
  // The surroundings. Bit i of a line: accepted, issued or decided i + 1 clocks ago.
  wire [`ARRAY_BITS-1:0] address = dut.registers_value_2;
  wire [31:0] bits = dut.registers_value_3;
  reg [`ARRAY_BITS-1:0] old_address;
  reg [31:0] old_bits;
  reg [`RETIRE-1:0] items, inserts, forces, sets; initial begin items = 0; inserts = 0; forces = 0; sets = 0; end
  reg [`LATENCY+4:0] trips; initial trips = 0;
  always @(posedge clock) begin
    old_address <= address;
    old_bits <= bits;
    items <= {items, dut.slots.formal_accept};
    inserts <= {inserts, dut.slots.formal_insert};
    forces <= {forces, dut.sequencer_force_recycle};
    sets <= {sets, dut.sequencer_set};
    trips <= {trips, dut.decision_trip};
  end
  wire alone = dut.sequencer_force_recycle || dut.sequencer_set;
  always @* begin
    assume (dut.slots.formal_accept + dut.sequencer_force_recycle + dut.sequencer_set <= 1);
    assume (!alone || (items | forces | sets) == 0);
    assume (!dut.slots.formal_accept || (forces | sets) == 0);
    assume (sets == 0 || (address == old_address && bits == old_bits));
    assume (!dut.decision_trip || trips == 0);
  end

  // The positions of the slot in stage D, and what was said of its bits.
  reg [`INDEX_BITS-1:0] line_0 [0:`DECISION];
  reg [`INDEX_BITS-1:0] line_1 [0:`DECISION];
  reg [1:0] none [0:1];
  reg [1:0] early [0:2];
  integer i;
  always @(posedge clock) begin
    line_0[0] <= dut.hash_index_0;
    line_1[0] <= dut.hash_index_1;
    for (i = 1; i <= `DECISION; i = i + 1) begin
      line_0[i] <= line_0[i-1];
      line_1[i] <= line_1[i-1];
    end
    none[0] <= {dut.bank_1_clear_none, dut.bank_0_clear_none};
    none[1] <= none[0];
    early[0] <= {dut.bank_1_clear_early_0, dut.bank_0_clear_early_0};
    early[1] <= early[0];
    early[2] <= early[1];
  end
  wire [`INDEX_BITS-1:0] at_0 = line_0[`DECISION];
  wire [`INDEX_BITS-1:0] at_1 = line_1[`DECISION];

  // The reference. Bits of a host count five clocks later.
  localparam SIZE = 1 << `INDEX_BITS;
  reg [SIZE-1:0] bits_0, bits_1; initial begin bits_0 = 0; bits_1 = 0; end
  reg [`COUNT_BITS-1:0] count, frozen, messages; initial begin count = 0; frozen = 0; messages = 0; end
  reg [5:0] later [0:4];
  initial for (i = 0; i < 5; i = i + 1) later[i] = 0;
  wire stores = dut.slots_inserting && (!dut.decision_trip || `RETAIN);
  wire [SIZE-1:0] kept_0 = dut.decision_trip ? 0 : bits_0;
  wire [SIZE-1:0] kept_1 = dut.decision_trip ? 0 : bits_1;
  wire [1:0] clear = {!bits_1[at_1], !bits_0[at_0]};
  wire [1:0] fresh = {!kept_1[at_1], !kept_0[at_0]};
  localparam WORD_BITS_OF_BANK = `INDEX_BITS - 5;
  wire bank = address[WORD_BITS_OF_BANK];
  wire [31:0] word_0 = bits_0 >> {address[WORD_BITS_OF_BANK-1:0], 5'd0};
  wire [31:0] word_1 = bits_1 >> {address[WORD_BITS_OF_BANK-1:0], 5'd0};
  wire [31:0] word = bank ? word_1 : word_0;
  wire [SIZE-1:0] added = {{(SIZE-32){1'b0}}, bits} << {address[WORD_BITS_OF_BANK-1:0], 5'd0};
  reg [5:0] more;
  always @* begin
    more = 0;
    for (i = 0; i < 32; i = i + 1) more = more + (bits[i] && !word[i]);
  end
  always @(posedge clock) begin
    bits_0 <= stores ? kept_0 | ({{(SIZE-1){1'b0}}, 1'b1} << at_0) : kept_0 | (dut.slots_found && !bank ? added : 0);
    bits_1 <= stores ? kept_1 | ({{(SIZE-1){1'b0}}, 1'b1} << at_1) : kept_1 | (dut.slots_found && bank ? added : 0);
    later[0] <= dut.slots_found ? more : 0;
    for (i = 1; i < 5; i = i + 1) later[i] <= later[i-1];
    if (dut.decision_trip) frozen <= count;
    count <= (dut.decision_trip ? 0 : count) + (stores ? fresh[0] + fresh[1] : 0) + later[4];
    messages <= (dut.decision_trip ? 0 : messages) + ((stores && fresh != 0) || later[4] != 0);
  end
  always @* begin
    if (dut.slots_item) assume ((trips[0] ? early[2] : none[1]) == clear);
    if (dut.slots_found) assume ((bank ? dut.bank_1_word_8 : dut.bank_0_word_8) == word && (bank ? dut.bank_0_word_8 : dut.bank_1_word_8) == 0);
  end
  always @* begin
    bits_active: assert (dut.occupancy_bits_active == count);
    bit_messages: assert (dut.occupancy_messages == messages);
`ifdef TWO_PHASES
    bits_frozen: assert (dut.occupancy_bits_frozen == frozen);
`endif
    // What makes the induction go through: slots on their way.
    assert (dut.slots.formal_items == items[`LATENCY-1:0] && dut.slots.formal_inserts == inserts[`LATENCY-1:0]);
    assert (dut.slots.formal_forces == forces[`LATENCY-2:0] && dut.slots.formal_sets == sets[`LATENCY-1:0]);
    assert ((inserts & ~items) == 0 && (items & forces) == 0);
    assert (sets == 0 || ((items | forces) == 0 && (sets & (sets - 1)) == 0));
  end
endmodule
