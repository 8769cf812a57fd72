// Static filters of single bits: any watched bit of bank 0, item by item, against a reference of one bit, and progress of the sequencer.
//
// Proved: an item that has the watched position finds it set exactly if an item or a host stored it there since the last clear, and a fetch
// gives the host the same. A host's store leaves the word that it wrote. No bit is set in a clock in which a row is erased, and every row is erased
// before an item comes. A clear and an access end, and items are taken, within a bounded time.
//
// Hash, the other banks, the queue and the counters are cut: an item may have any position. The memory of bank 0 is cut, too: the watched bit is held
// here, any other bit may read as anything, and so may the watched one if it is read in the clock in which it is set, or in which a row is erased.
// So the size of the memory does not matter.
//
// observe cell_sequencer: wire formal_settle = settle_r; wire [31:0] formal_waiting = waiting; wire formal_waited = waited; wire formal_ready = ready_r;
// observe in_place_slots: wire [`FRONT+`DECISION-1:0] formal_items = item_line; wire [`FRONT+`DECISION-1:0] formal_inserts = insert_line;
// observe single_bit_bank: wire formal_set = set; wire formal_erase = erase_r; wire [`INDEX_BITS-1:0] formal_row = row_r; wire [`INDEX_BITS-1:0] formal_place = place_2;
// observe HOST_WORDS cell_sequencer: wire formal_out = out;
// observe HOST_WORDS word_access: wire formal_on_way = on_way; wire [15:0] formal_clocks = clocks; wire [4:0] formal_offset = offset;
module formal_single_bit (
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
  (* hierconn *) wire \dut.sequencer.formal_settle ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire \dut.sequencer.formal_waited ;
  (* hierconn *) wire \dut.sequencer.formal_ready ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`FRONT+`DECISION-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire \dut.bank_0.formal_set ;
  (* hierconn *) wire \dut.bank_0.formal_erase ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.formal_row ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.formal_place ;
  (* hierconn *) wire [`ROW_BITS-1:0] \dut.bank_0.memory_data ;
  (* hierconn *) wire \dut.bank_0_present ;
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
  integer i;

  // Access of a host.
`ifdef HOST_WORDS
  (* hierconn *) wire \dut.sequencer_access ;
  (* hierconn *) wire \dut.sequencer.formal_out ;
  (* hierconn *) wire \dut.access_direct ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.access_position ;
  (* hierconn *) wire \dut.access_value ;
  (* hierconn *) wire \dut.access_done ;
  (* hierconn *) wire \dut.access.formal_on_way ;
  (* hierconn *) wire [15:0] \dut.access.formal_clocks ;
  (* hierconn *) wire [4:0] \dut.access.formal_offset ;
  (* hierconn *) wire \dut.storing ;
  (* hierconn *) wire [`HASHES-1:0] \dut.in_bank ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.array_address ;
  (* hierconn *) wire [31:0] \dut.registers_value_1 ;
  wire issue = dut.sequencer_access;
  wire on_way = dut.access.formal_on_way;
  wire [15:0] clocks = dut.access.formal_clocks;
  wire direct = dut.access_direct;
  wire storing = dut.storing;
  wire in_bank = dut.in_bank[0];
  wire [31:0] bits = dut.registers_value_1;
  wire [`INDEX_BITS-1:0] place = direct ? dut.access_position : dut.hash_index_0;
  wire written = dut.access_value;
  reg [`ARRAY_BITS-1:0] old_address;
  reg old_storing;
  reg [31:0] host_word; // as it was when the access was issued
  always @(posedge clock) begin
    old_address <= dut.array_address;
    old_storing <= storing;
    if (issue) host_word <= bits;
  end
  wire [15:0] turned = clocks <= `FRONT ? 0 : clocks - `FRONT >= 32 ? 32 : clocks - `FRONT;
  wire [15:0] fetched = clocks <= `FRONT + `DECISION ? 0 : clocks - `FRONT - `DECISION >= 32 ? 32 : clocks - `FRONT - `DECISION;
  wire [63:0] twice = {host_word, host_word} >> turned;
`else
  wire issue = 0, on_way = 0, direct = 0, storing = 0, in_bank = 0, written = 1;
  wire [15:0] clocks = 0;
  wire [31:0] bits = 1;
  wire [`INDEX_BITS-1:0] place = dut.hash_index_0;
`endif

  // The reference: the watched bit as the slot in stage 0 finds it, and as those in later stages found it.
  (* anyconst *) wire [`INDEX_BITS-1:0] watched;
  wire meets = (items[`FRONT-1] || direct) && place == watched;
  wire stores = place == watched && (inserts[`FRONT-1] || (direct && storing && in_bank));
  reg truth; initial truth = 0;
  reg [`DECISION:1] found; initial found = 0;
  reg [`DECISION:1] met; initial met = 0;
  reg [3:1] stored; initial stored = 0;
  reg [3:1] value; initial value = 7;
  reg sound; initial sound = 0; // behind the first clear since reset
  always @(posedge clock) begin
    if (dut.sequencer_force_clear) truth <= 0;
    else if (stores) truth <= !direct || bits[0];
    found <= {found, truth};
    met <= reset ? 0 : {met, meets};
    stored <= {stored, stores};
    value <= {value, !direct || bits[0]};
    sound <= !reset && !dut.sequencer_force_clear && (sound || (settling && dut.sequencer.formal_waited));
  end

  // The watched bit in memory, and what is read of it.
  wire [`INDEX_BITS-1:0] row = watched / `ROW_BITS;
  wire set_here = dut.bank_0.formal_set && dut.bank_0.formal_place == watched;
  wire reads = dut.bank_0.formal_row == row && !dut.bank_0.formal_erase && !set_here;
  reg held; initial held = 0;
  reg [1:0] known; initial known = 0;
  reg [1:0] out;
  always @(posedge clock) begin
    if (set_here) held <= written;
    else if (dut.bank_0.formal_erase && dut.bank_0.formal_row == row) held <= 0;
    known <= {known, reads};
    out <= {out, held};
  end
  always @* assume (!known[1] || dut.bank_0.memory_data[watched % `ROW_BITS] == out[1]);

  // Rows are erased in this order: 0, the last, .., 1.
  wire [31:0] erased = `ROWS - still;
  wire [31:0] turn = row == 0 ? 0 : `ROWS - row;
  wire [31:0] before = still + 1 == `ROWS ? 0 : still + 1; // the row of the clock before

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
    found_as_stored: assert (!(sound && met[`DECISION]) || dut.bank_0_present == found[`DECISION]);
    set_and_erase_never_meet: assert (!(dut.bank_0.formal_set && dut.bank_0.formal_erase));
    erased_before_items: assert (!dut.sequencer_accept || (sound && !dut.bank_0.formal_erase));
    runs_again: assert (shut <= LONGEST);
    writes_take_effect: assert (pending <= SERVED);
    takes_items: assert (closed <= 1);
`ifdef HOST_WORDS
    fetched_as_stored: assert (!(dut.access_done && !storing && in_bank && dut.array_address[`INDEX_BITS-6:0] == watched[`INDEX_BITS-1:5]) || bits[watched[4:0]] == truth);
    store_leaves_its_word: assert (!(dut.access_done && storing) || bits == host_word);
    host_stands_still: assert (!on_way || (dut.array_address == old_address && storing == old_storing));
`endif
    // What makes the induction go through.
    assert (!(running && settling));
    assert (!(running && !sound));
    assert (!settling || !sound);
    assert (running || dut.sequencer.formal_waited || (still != 0 && still <= (settling ? `ROWS : `RETIRE)));
    assert (running || shut + way <= LONGEST);
    assert (!dut.sequencer.formal_ready || (running && !on_way));
    assert ((inserts & ~items) == 0);
    assert (!settling || (items == 0 && truth == 0));
    for (i = 0; i < `FRONT + `DECISION; i = i + 1) assert (!(draining && items[i]) || i + still >= `RETIRE);
    for (i = 1; i <= `DECISION; i = i + 1) assert (!(settling && erased >= i) || !found[i]);
    assert (!(settling && erased >= turn + 2) || !held);
    assert (!(settling && erased != 0) || (dut.bank_0.formal_erase && dut.bank_0.formal_row == before));
    assert (!running || !dut.bank_0.formal_erase);
    assert (!sound || (set_here == stored[3] && (!set_here || written == value[3]) && held == found[3]));
    assert (!clearing || asked);
    assert (!asked || pending + left <= SERVED);
`ifdef HOST_WORDS
    assert (on_way == dut.sequencer.formal_out);
    assert (!on_way || (running && asked && !clearing && clocks != 0 && clocks <= `ACCESS_CLOCKS));
    assert (dut.access_done == (on_way && clocks == `ACCESS_CLOCKS));
    assert (direct == (on_way && clocks >= `FRONT && clocks < `FRONT + 32));
    assert (dut.access.formal_offset == (direct ? clocks - `FRONT : 0));
    for (i = 0; i < `FRONT + `DECISION; i = i + 1) assert (!(on_way && items[i]) || i >= clocks);
    assert (!(on_way && storing) || bits == twice[31:0]);
    assert (!(on_way && !storing && in_bank && dut.array_address[`INDEX_BITS-6:0] == watched[`INDEX_BITS-1:5] && fetched > watched[4:0])
      || bits[32 - fetched + watched[4:0]] == truth);
`else
    assert (asked == clearing);
`endif
  end
endmodule
