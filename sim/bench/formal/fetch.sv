// A word for the host: any watched bit of bank 0, as a fetch gives it, against a reference of two bits (in the active half, in the frozen half).
//
// Hash, sequencer, registers, decision and the other banks are cut, as in bank.sv: any position, any slot, any recycle may come in any clock. A
// fetch comes only when the sequencer lets it: no item, forced recycle or set in the W clocks before; what comes behind it is free. The address stands
// still, as it does while a word is fetched.
module formal_fetch (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire \dut.slots_adding ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_item ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_forced ;
  (* hierconn *) wire \dut.slots_fetched ;
  (* hierconn *) wire [31:0] \dut.bank_0_word_8 ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.registers_value_2 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  // The surroundings.
  (* anyconst *) wire [`ARRAY_BITS-1:0] address;
  reg forced; initial forced = 0;
  reg [2:0] trips; initial trips = 0;
  (* anyconst *) wire [31:0] bits;
  reg [`WRITE-1:0] set; initial set = 0;
  reg [`WRITE-1:0] entered; initial entered = 0;
  always @(posedge clock) begin
    forced <= dut.slots_forced && !reset;
    trips <= trips + dut.decision_trip;
    set <= {set[`WRITE-2:0], dut.sequencer_set};
    entered <= {entered[`WRITE-2:0], dut.sequencer_accept || dut.sequencer_force_recycle || dut.sequencer_set};
  end
  always @* begin
    assume (dut.registers_value_2 == address);
    assume (dut.sequencer_accept + dut.sequencer_force_recycle + dut.sequencer_fetch + dut.sequencer_set <= 1);
    assume (set == 0 || !(dut.sequencer_accept || dut.sequencer_force_recycle));
    assume (dut.registers_value_3 == bits);
    assume (!dut.sequencer_fetch || entered == 0);
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
  wire stores = dut.slots_item && line[`DECISION] == watched && dut.slots_inserting;
  localparam WORD_BITS = `INDEX_BITS - 5;
  localparam BANK_BITS = `ARRAY_BITS - WORD_BITS - (`PHASES - 1);
  wire mine = address[WORD_BITS-1:0] == watched[`INDEX_BITS-1:5];
  wire of_bank = BANK_BITS == 0 || ((address >> WORD_BITS) & ((1 << BANK_BITS) - 1)) == 0;
  wire of_frozen = `PHASES == 2 && address[`ARRAY_BITS-1];
  wire added = dut.slots_adding && mine && of_bank && bits[watched[4:0]];
  reg active; initial active = 0;
  reg frozen; initial frozen = 0;
  always @(posedge clock) begin
    if (dut.decision_trip) begin
      frozen <= active;
      active <= stores && `RETAIN;
    end else if (stores || added) active <= 1;
  end
  wire got = dut.bank_0_word_8[watched[4:0]];
  always @* if (dut.slots_fetched) begin
    word_has_the_bit: assert (!(mine && of_bank) || got == (of_frozen ? frozen : active));
    no_word_of_another_bank: assert (of_bank || dut.bank_0_word_8 == 0);
  end
endmodule
