// Filters of single counters: any watched counter of bank 0, slot by slot, against a plain saturating counter, and progress of the sequencer.
//
// Proved: an item that has the watched position finds there what items and a host left since the last clear, and leaves what its operation makes of that; a fetch
// gives the host the same. A host's store leaves the word that it wrote. Every counter is erased before an item comes. A clear and an access end, and items are
// taken, within a bounded time.
//
// Hash, the other banks, what is made of their counters, the queue and the event counters are cut: an item may have any position, operation and amount. The
// memory of bank 0 is cut, too: the watched counter is held here, any other may read as anything, and so may the watched one if it is read in the clock in which
// it is written. So the size of the memory does not matter.
//
// observe cell_sequencer: wire formal_settle = settle_r; wire [31:0] formal_waiting = waiting; wire formal_waited = waited; wire formal_ready = ready_r;
// observe in_place_slots: wire [`FRONT+`DECISION-1:0] formal_items = item_line; wire [`FRONT+`DECISION-1:0] formal_inserts = insert_line;
// observe REMOVES in_place_slots: wire [`FRONT+`DECISION-1:0] formal_removals = remove_line;
// observe counter_bank: wire formal_write = ahead[2]; wire [`INDEX_BITS-1:0] formal_written = place_4; wire [`INDEX_BITS-1:0] formal_read = place_0; wire [`CELL_BITS-1:0] formal_value = written;
// observe HOST_WORDS cell_sequencer: wire formal_out = out;
// observe HOST_WORDS word_access: wire formal_on_way = on_way; wire [15:0] formal_clocks = clocks;
// observe HOST_CELLS word_access: wire [4:0] formal_offset = offset;
module formal_single_counter (
  input wire clock,
  input wire reset,
  input wire s_item_tvalid,
  input wire [`USER_BITS-1:0] s_item_tuser,
  input wire s_axil_awvalid,
  input wire [7:0] s_axil_awaddr,
  input wire s_axil_wvalid,
  input wire [31:0] s_axil_wdata,
  input wire [3:0] s_axil_wstrb,
  input wire s_axil_bready,
  input wire s_axil_arvalid,
  input wire [7:0] s_axil_araddr,
  input wire s_axil_rready
);
  `DUT dut (
    .clock(clock), .reset(reset), .s_item_tvalid(s_item_tvalid), .s_item_tuser(s_item_tuser),
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awaddr(s_axil_awaddr), .s_axil_wvalid(s_axil_wvalid), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
    .s_axil_bready(s_axil_bready), .s_axil_arvalid(s_axil_arvalid), .s_axil_araddr(s_axil_araddr), .s_axil_rready(s_axil_rready)
  );
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_clear ;
  (* hierconn *) wire \dut.sequencer_erasing ;
  (* hierconn *) wire \dut.sequencer.formal_settle ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire \dut.sequencer.formal_waited ;
  (* hierconn *) wire \dut.sequencer.formal_ready ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire \dut.direct ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.direct_position ;
  (* hierconn *) wire \dut.counter_bank_0.formal_write ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.counter_bank_0.formal_written ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.counter_bank_0.formal_read ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.counter_bank_0.memory_read_data ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.counter_bank_0.formal_value ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.counter_bank_0_count ;
  (* hierconn *) wire \dut.counter_bank_0_above ;
  (* hierconn *) wire \dut.verdicts_credit ;
  (* hierconn *) wire \dut.registers_clear_pending ;
  (* hierconn *) wire \dut.registers_write_pending ;
  wire running = dut.sequencer_running;
  wire settling = dut.sequencer.formal_settle;
  wire draining = !running && !settling;
  wire [31:0] still = dut.sequencer.formal_waited ? 0 : dut.sequencer.formal_waiting;
  wire clearing = dut.registers_clear_pending;
  wire asked = dut.registers_write_pending;
  wire [`FRONT+`DECISION-1:0] items = dut.slots.formal_items;
  wire [`FRONT+`DECISION-1:0] inserts = dut.slots.formal_inserts;
  wire erasing = dut.sequencer_erasing;
`ifdef REMOVES
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_removals ;
  (* hierconn *) wire \dut.counter_bank_0_underflow ;
  wire [`FRONT+`DECISION-1:0] removals = dut.slots.formal_removals;
`else
  wire [`FRONT+`DECISION-1:0] removals = 0;
`endif
`ifdef AMOUNTS
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.counter_bank_0_amount ;
  wire [`CELL_BITS-1:0] amount = dut.counter_bank_0_amount;
`else
  wire [`CELL_BITS-1:0] amount = 1;
`endif
  localparam [`CELL_BITS-1:0] GREATEST = -1;
  localparam USED = `LANES * `CELL_BITS;
  localparam FETCH = 6;
  integer i;

  // Access of a host.
`ifdef HOST_WORDS
  (* hierconn *) wire \dut.sequencer_access ;
  (* hierconn *) wire \dut.sequencer.formal_out ;
  (* hierconn *) wire \dut.access_direct ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.access_position ;
  (* hierconn *) wire \dut.access_done ;
  (* hierconn *) wire \dut.access.formal_on_way ;
  (* hierconn *) wire [15:0] \dut.access.formal_clocks ;
`ifdef HOST_CELLS
  (* hierconn *) wire [4:0] \dut.access.formal_offset ;
`endif
  (* hierconn *) wire \dut.storing ;
  (* hierconn *) wire [`HASHES-1:0] \dut.in_bank ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.array_address ;
  (* hierconn *) wire [31:0] \dut.registers_value_2 ;
  wire issue = dut.sequencer_access;
  wire on_way = dut.access.formal_on_way;
  wire [15:0] clocks = dut.access.formal_clocks;
  wire of_host = dut.access_direct;
  wire storing = dut.storing;
  wire in_bank = dut.in_bank[0];
  wire [31:0] data = dut.registers_value_2;
  wire [31:0] word = dut.array_address % `WORDS;
  reg [`ARRAY_BITS-1:0] old_address;
  reg old_storing;
  reg [31:0] host_word; // as it was when the access was issued
  always @(posedge clock) begin
    old_address <= dut.array_address;
    old_storing <= storing;
    if (issue) host_word <= data;
  end
  wire [15:0] turned = clocks <= `FRONT ? 0 : clocks - `FRONT >= `LANES ? `LANES : clocks - `FRONT;
  wire [15:0] fetched = clocks <= `FRONT + FETCH ? 0 : clocks - `FRONT - FETCH >= `LANES ? `LANES : clocks - `FRONT - FETCH;
  wire [USED-1:0] rotated = {host_word[USED-1:0], host_word[USED-1:0]} >> (turned * `CELL_BITS);
`else
  wire issue = 0, on_way = 0, of_host = 0, storing = 0, in_bank = 0;
  wire [15:0] clocks = 0;
  wire [31:0] data = 0;
`endif

  // What stands in each stage, as far as it has the watched position: an item, or a counter that is stored.
  (* anyconst *) wire [`INDEX_BITS-1:0] watched;
  wire [`INDEX_BITS-1:0] place = dut.direct ? dut.direct_position : dut.hash_index_0;
  wire meets = (items[`FRONT-1] || dut.direct) && place == watched;
  reg [6:1] directs; initial directs = 0; // a counter for the host, or one to erase
  reg [6:1] met; initial met = 0;
  reg [6:1] stored; initial stored = 0;
  reg [`CELL_BITS-1:0] value_1, value_2, value_3, value_4;
  reg [`CELL_BITS-1:0] amount_4;
  always @(posedge clock) begin
    directs <= reset ? 0 : {directs, dut.direct};
    met <= reset ? 0 : {met, meets};
    stored <= reset ? 0 : {stored, meets && (erasing || (of_host && storing && in_bank))};
    value_1 <= erasing ? 0 : data;
    value_2 <= value_1;
    value_3 <= value_2;
    value_4 <= value_3;
    amount_4 <= amount;
  end

  // The reference: the counter as the slot in stage 4 finds it, and as those in stages 5 and 6 found it.
  reg [`CELL_BITS-1:0] truth; initial truth = 0;
  reg [`CELL_BITS-1:0] truth_5; initial truth_5 = 0;
  reg [`CELL_BITS-1:0] truth_6; initial truth_6 = 0;
  wire [`CELL_BITS:0] sum = truth + amount_4;
  always @(posedge clock) begin
    truth_5 <= truth;
    truth_6 <= truth_5;
    if (met[4] && !reset) begin
      if (stored[4]) truth <= value_4;
      else if (inserts[`FRONT+3]) truth <= sum[`CELL_BITS] ? GREATEST : sum[`CELL_BITS-1:0];
      else if (removals[`FRONT+3] && truth != 0 && truth != GREATEST) truth <= truth - 1;
    end
  end

  // The watched counter in memory, and what is read of it.
  wire writes = dut.counter_bank_0.formal_write && dut.counter_bank_0.formal_written == watched;
  reg [`CELL_BITS-1:0] held; initial held = 0;
  reg [1:0] known; initial known = 0;
  reg [`CELL_BITS-1:0] out_2, out_3;
  always @(posedge clock) begin
    if (writes) held <= dut.counter_bank_0.formal_value;
    known <= {known, dut.counter_bank_0.formal_read == watched && !writes};
    out_2 <= held;
    out_3 <= out_2;
  end
  always @* assume (!known[1] || dut.counter_bank_0.memory_read_data == out_3);

  // Counters are erased in this order: 0, the last, .., 1.
  reg wiped; initial wiped = 0; // the watched one, since the last clear
  always @(posedge clock) wiped <= !reset && !dut.sequencer_force_clear && (wiped || (erasing && dut.direct && place == watched));
  wire [31:0] erased = `ROWS - still;
  wire [31:0] turn = watched == 0 ? 0 : `ROWS - watched;

  // Longest ways.
  localparam LONGEST = `RETIRE + `ROWS + 2;
  localparam SERVED = LONGEST + `ACCESS_CLOCKS + 4;
  reg [31:0] shut; initial shut = 0;
  reg [31:0] pending; initial pending = 0;
  reg [3:0] closed; initial closed = 0;
  always @(posedge clock) begin
    shut <= reset || running ? 0 : shut + 1;
    pending <= reset || !asked ? 0 : pending + 1;
    closed <= reset || !running || asked || !dut.verdicts_credit || dut.sequencer.formal_ready ? 0 : closed + 1;
  end
  wire [31:0] way = running ? 0 : settling ? still + 1 : still + 1 + `ROWS + 1;
  wire [31:0] access_left = on_way ? `ACCESS_CLOCKS + 1 - clocks : dut.sequencer.formal_ready ? `ACCESS_CLOCKS + 3 : `ACCESS_CLOCKS + 2;
  wire [31:0] left = clearing ? (running ? 1 + LONGEST : way) : way + access_left;
  always @* begin
    counts_as_stored: assert (!met[6] || dut.counter_bank_0_count == truth_5);
    found_above: assert (!(met[6] && items[`FRONT+5]) || dut.counter_bank_0_above == (truth_6 != 0));
`ifdef REMOVES
    underflows: assert (!(met[6] && items[`FRONT+5]) || dut.counter_bank_0_underflow == (removals[`FRONT+5] && truth_6 == 0));
`endif
    erased_before_items: assert (!dut.sequencer_accept || wiped);
    runs_again: assert (shut <= LONGEST);
    writes_take_effect: assert (pending <= SERVED);
    takes_items: assert (closed <= 1);
`ifdef HOST_WORDS
    fetched_as_stored: assert (!(dut.access_done && !storing && in_bank && word == watched / `LANES) || data[(watched % `LANES) * `CELL_BITS +: `CELL_BITS] == truth);
    store_leaves_its_word: assert (!(dut.access_done && storing) || data == host_word);
    host_stands_still: assert (!on_way || (dut.array_address == old_address && storing == old_storing));
`endif
    // What makes the induction go through.
    assert (held == truth_5);
    assert (!(running && settling));
    assert (!running || wiped);
    assert (!settling || wiped == (erased > turn));
    assert (running || dut.sequencer.formal_waited || (still != 0 && still <= (settling ? `ROWS : `RETIRE)));
    assert (running || shut + way <= LONGEST);
    assert (!dut.sequencer.formal_ready || (running && !on_way));
    assert ((inserts & ~items) == 0 && (removals & ~items) == 0 && (inserts & removals) == 0);
    assert (!settling || items == 0);
    // What is stored is forwarded to nobody: items come far behind it.
    for (i = 1; i <= 6; i = i + 1) assert (!directs[i] || ((items >> (i - 1)) & ((1 << `FRONT) - 1)) == 0);
    for (i = 0; i < `FRONT + `DECISION; i = i + 1) assert (!(draining && items[i]) || i + still >= `RETIRE);
    assert (!clearing || asked);
    assert (!asked || pending + left <= SERVED);
`ifdef HOST_WORDS
    assert (on_way == dut.sequencer.formal_out);
    assert (!on_way || (running && asked && !clearing && clocks != 0 && clocks <= `ACCESS_CLOCKS));
    assert (dut.access_done == (on_way && clocks == `ACCESS_CLOCKS));
    assert (of_host == (on_way && clocks >= `FRONT && clocks < `FRONT + `LANES));
    assert (!of_host || dut.access_position == word * `LANES + clocks - `FRONT);
`ifdef HOST_CELLS
    assert (dut.access.formal_offset == (of_host ? clocks - `FRONT : 0));
`endif
    for (i = 0; i < `FRONT + `DECISION; i = i + 1) assert (!(on_way && items[i]) || i >= clocks);
    assert (!(on_way && storing) || (data[USED-1:0] == rotated && (data >> USED) == (host_word >> USED)));
    assert (!(on_way && !storing && in_bank && word == watched / `LANES && fetched > watched % `LANES)
      || data[(`LANES - fetched + watched % `LANES) * `CELL_BITS +: `CELL_BITS] == truth);
`else
    assert (asked == clearing);
`endif
  end
endmodule
