// The count of bits in the active half against a reference that holds every bit of both banks. Two hashes.
//
// Hash, sequencer, limit, registers and the queue are cut: any positions, any slots, and any room, so that any item may recycle. At most 6
// recycles, no reset, no bits of a host: those are counted outside the loop, several clocks later.
module formal_count (input wire clock, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(1'b0), .s_item_tuser(operation));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_1 ;
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.occupancy_bits_active ;

  reg [2:0] trips; initial trips = 0;
  always @(posedge clock) trips <= trips + dut.decision_trip;
  always @* begin
    assume (dut.sequencer_accept + dut.sequencer_force_recycle + dut.sequencer_fetch <= 1);
    assume (!(&trips) && !dut.sequencer_set);
  end
  reg [`INDEX_BITS-1:0] line_0 [0:`DECISION];
  reg [`INDEX_BITS-1:0] line_1 [0:`DECISION];
  integer i;
  always @(posedge clock) begin
    line_0[0] <= dut.hash_index_0;
    line_1[0] <= dut.hash_index_1;
    for (i = 1; i <= `DECISION; i = i + 1) begin
      line_0[i] <= line_0[i-1];
      line_1[i] <= line_1[i-1];
    end
  end
  wire [`INDEX_BITS-1:0] at_0 = line_0[`DECISION];
  wire [`INDEX_BITS-1:0] at_1 = line_1[`DECISION];

  reg [(1 << `INDEX_BITS)-1:0] bits_0; initial bits_0 = 0;
  reg [(1 << `INDEX_BITS)-1:0] bits_1; initial bits_1 = 0;
  reg [`COUNT_BITS-1:0] count; initial count = 0;
  wire stores = dut.slots_inserting && (!dut.decision_trip || `RETAIN);
  wire [(1 << `INDEX_BITS)-1:0] kept_0 = dut.decision_trip ? 0 : bits_0;
  wire [(1 << `INDEX_BITS)-1:0] kept_1 = dut.decision_trip ? 0 : bits_1;
  wire [`COUNT_BITS-1:0] kept = dut.decision_trip ? 0 : count;
  always @(posedge clock) begin
    bits_0 <= kept_0;
    bits_1 <= kept_1;
    count <= kept;
    if (stores) begin
      bits_0[at_0] <= 1;
      bits_1[at_1] <= 1;
      count <= kept + !kept_0[at_0] + !kept_1[at_1];
    end
  end
  always @* count_is_exact: assert (dut.occupancy_bits_active == count);
endmodule
