// Start and clear of a sliding-window filter on cuckoo tables: what the other checkers of its tables assume of the sequencer.
//
// Proved: at a restart nothing is in flight, and no item comes in that clock; every row is wiped behind a reset or a restart before an item comes, and
// before an agent reads; while rows are wiped nothing is in flight and agents are idle, since two clocks.
//
// Hash, registers, queue, counters, track, stash and cells are cut: clears may be written, and items offered, at any time, with resets between.
//
// observe cuckoo_sequencer: wire [2:0] formal_state = {waited, wipe_r, run_r}; wire [31:0] formal_waiting = waiting; wire [`ROW_BITS-1:0] formal_wiped = wiped; wire formal_ready = ready_r;
// observe cuckoo_slots: wire [`LATENCY-1:0] formal_items = {item_line, item_front}; wire [`LATENCY-1:0] formal_inserts = {element_line, element_front};
// observe hold_queue: wire formal_queued = waiting;
// observe row_agent*: wire [5:0] formal_busy = {move_4, scan_4, r3, r2, r1, wait_}; wire formal_move_3 = move_3;
module formal_wipes (input wire clock, input wire reset, input wire s_item_tvalid, input wire [1:0] s_item_tuser);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tvalid(s_item_tvalid), .s_item_tuser(s_item_tuser));
  (* hierconn *) wire \dut.begin_ ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_starting ;
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer_wipe ;
  (* hierconn *) wire [`ROW_BITS-1:0] \dut.sequencer_wipe_row ;
  (* hierconn *) wire \dut.sequencer_restart ;
  (* hierconn *) wire [2:0] \dut.sequencer.formal_state ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire [`ROW_BITS-1:0] \dut.sequencer.formal_wiped ;
  (* hierconn *) wire \dut.sequencer.formal_ready ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire \dut.hold.formal_queued ;
  (* hierconn *) wire [3:0] \dut.fit_takes ;
  (* hierconn *) wire \dut.table_0_taken ;
  (* hierconn *) wire \dut.table_1_taken ;
  (* hierconn *) wire \dut.table_2_taken ;
  (* hierconn *) wire \dut.table_3_taken ;
  (* hierconn *) wire [5:0] \dut.agent_0.formal_busy ;
  (* hierconn *) wire [5:0] \dut.agent_1.formal_busy ;
  (* hierconn *) wire [5:0] \dut.agent_2.formal_busy ;
  (* hierconn *) wire [5:0] \dut.agent_3.formal_busy ;
  (* hierconn *) wire \dut.agent_0.formal_move_3 ;
  (* hierconn *) wire \dut.agent_1.formal_move_3 ;
  (* hierconn *) wire \dut.agent_2.formal_move_3 ;
  (* hierconn *) wire \dut.agent_3.formal_move_3 ;
  (* hierconn *) wire [3:0] \dut.order_first ;
  wire [`LATENCY-1:0] items = dut.slots.formal_items;
  wire [3:0] taken = {dut.table_3_taken, dut.table_2_taken, dut.table_1_taken, dut.table_0_taken};
  wire running, wiping, waited;
  assign {waited, wiping, running} = dut.sequencer.formal_state;
  wire [31:0] waiting = dut.sequencer.formal_waiting;
  wire busy = (dut.agent_0.formal_busy | dut.agent_1.formal_busy | dut.agent_2.formal_busy | dut.agent_3.formal_busy) != 0 || dut.order_first != 0
    || dut.agent_0.formal_move_3 || dut.agent_1.formal_move_3 || dut.agent_2.formal_move_3 || dut.agent_3.formal_move_3;

  (* anyconst *) wire [`ROW_BITS-1:0] watched;
  reg wiped; initial wiped = 0;   // the watched row, since a reset or a restart
  reg opened; initial opened = 0; // items or agents may have begun since
  reg was_busy; initial was_busy = 0;
  reg [1:0] quiet; initial quiet = 0; // clocks since
  wire wipes = dut.sequencer_wipe && dut.sequencer_wipe_row == watched;
  always @(posedge clock) begin
    wiped <= !dut.begin_ && (wiped || wipes);
    opened <= !dut.begin_ && (opened || dut.sequencer_accept || dut.sequencer_starting);
    was_busy <= busy;
    quiet <= dut.begin_ ? 0 : &quiet ? quiet : quiet + 1;
  end
  integer i;
  always @* begin
    if (dut.sequencer_restart) nothing_at_a_restart: assert (items == 0 && !dut.hold.formal_queued && taken == 0 && dut.fit_takes == 0 && !dut.sequencer_accept);
    if (dut.sequencer_accept) wiped_before_items: assert (wiped);
    if (dut.sequencer_starting) wiped_before_agents: assert (wiped || wipes);
    if (dut.sequencer_wipe) nothing_while_wiping: assert (items == 0 && !dut.hold.formal_queued && taken == 0 && dut.fit_takes == 0 && !dut.sequencer_accept && !opened && !busy && !was_busy && quiet != 0);
    // What makes the induction go through.
    assert (!(running && wiping) && (!dut.sequencer.formal_ready || running) && (running || !dut.sequencer_accept));
    assert ((dut.slots.formal_inserts & ~items) == 0);
    if (!running && !wiping) begin
      assert (waiting <= `RETIRE && (waited || waiting > 0));
      for (i = 0; i < `LATENCY; i = i + 1) assert (!items[i] || (!waited && waiting + i >= `RETIRE - 1));
      assert (taken == 0 || (!waited && waiting + `LATENCY >= `RETIRE - 1));
      assert (!dut.sequencer_wipe);
    end
    if (wiping) assert (!opened && items == 0 && !dut.hold.formal_queued && taken == 0 && wiped == (32'd0 + watched + dut.sequencer_wipe < dut.sequencer.formal_wiped));
    if (wiping && dut.sequencer_wipe) assert (dut.sequencer_wipe_row + 1 == dut.sequencer.formal_wiped);
    if (running) assert (wiped || (dut.sequencer_wipe && watched == {`ROW_BITS{1'b1}}));
    if (running && dut.sequencer_wipe) assert (!opened && dut.sequencer_wipe_row == {`ROW_BITS{1'b1}} && items == 0 && !dut.hold.formal_queued && taken == 0 && !dut.sequencer.formal_ready);
    assert (opened ? wiped : items == 0 && !dut.hold.formal_queued);
    if (!opened) assert (!busy && !was_busy || quiet == 0);
    if (!opened) assert (!busy);
  end
endmodule
