// One bank: any watched bit, item by item, against a reference of two bits (in the active half, in the frozen half).
//
// Hash, sequencer, decision and the other banks are cut: any position, any slot, any recycle may come in any clock, as far as slots
// allow: a slot is one of item, forced recycle, fetch and set, only inserting items and forces recycle, a force always does. At most 6 recycles, so that no
// epoch comes back: that it does not is the epoch guard's part. Bits of a host may be set behind anything; what comes in the W clocks behind them is a
// set, a refresh or nothing, as the sequencer lets it. Word and bits are any, and stand still.
module formal_bank (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire \dut.slots_adding ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.registers_value_2 ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_item ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_forced ;
  (* hierconn *) wire \dut.bank_0_in_active ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
`ifdef TWO_PHASES
  (* hierconn *) wire \dut.bank_0_in_frozen_0 ;
`endif
  // The surroundings.
  reg forced; initial forced = 0;
  reg [2:0] trips; initial trips = 0;
  (* anyconst *) wire [`ARRAY_BITS-1:0] address;
  (* anyconst *) wire [31:0] bits;
  reg [`WRITE-1:0] set; initial set = 0;
  always @(posedge clock) begin
    set <= {set[`WRITE-2:0], dut.sequencer_set};
    forced <= dut.slots_forced && !reset;
    trips <= trips + dut.decision_trip;
  end
  always @* begin
    assume (dut.sequencer_accept + dut.sequencer_force_recycle + dut.sequencer_fetch + dut.sequencer_set <= 1);
    assume (set == 0 || !(dut.sequencer_accept || dut.sequencer_force_recycle || dut.sequencer_fetch));
    assume (dut.registers_value_2 == address && dut.registers_value_3 == bits);
    assume (!dut.decision_trip || dut.slots_inserting || forced);
    assume (!forced || dut.decision_trip);
    assume (!(&trips));
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
  wire mine = address[WORD_BITS-1:0] == watched[`INDEX_BITS-1:5];
  wire of_bank = BANK_BITS == 0 || ((address >> WORD_BITS) & ((1 << BANK_BITS) - 1)) == 0;
  wire added = dut.slots_adding && mine && of_bank && bits[watched[4:0]];
  reg active; initial active = 0;
  reg frozen; initial frozen = 0;
  always @(posedge clock) begin
    if (dut.decision_trip) begin
      frozen <= active;
      active <= stores && `RETAIN;
    end else if (stores || added) active <= 1;
  end
  always @* if (here) begin
    kept_active: assert (!active || dut.bank_0_in_active);
    stale_active: assert (active || !dut.bank_0_in_active);
`ifdef TWO_PHASES
    kept_frozen: assert (!frozen || dut.bank_0_in_frozen_0);
    stale_frozen: assert (frozen || !dut.bank_0_in_frozen_0);
`endif
  end
endmodule
