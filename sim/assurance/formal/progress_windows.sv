// Progress of a sliding-window filter's sequencer: start, clear, scan, admission.
//
// The data path is cut: hash, tables, store, decision and counters may answer anything, so what is proved holds for any size of memory.
// A host keeps awvalid, wvalid and what it says with them until taken, as AXI asks; nothing else is assumed.
//
// observe sliding_sequencer: wire formal_wiping = wipe_r; wire formal_waited = waited; wire [31:0] formal_waiting = waiting;
// observe sliding_sequencer: wire [31:0] formal_wiped = wiped; wire [31:0] formal_gap = gap; wire formal_due = due;
// observe register_file: wire formal_seen = seen; wire formal_pending = pending_r;
module formal_progress_windows (
  input wire clock,
  input wire reset,
  input wire s_item_tvalid,
  input wire [`KEY_BITS-1:0] s_item_tdata,
  input wire [1:0] s_item_tuser,
  input wire [`TAG_BITS-1:0] s_item_tid,
  input wire m_verdict_tready,
  input wire s_axil_awvalid,
  input wire [7:0] s_axil_awaddr,
  input wire s_axil_wvalid,
  input wire [31:0] s_axil_wdata,
  input wire [3:0] s_axil_wstrb,
  input wire s_axil_bready
);
  wire s_item_tready, s_axil_awready, s_axil_wready;
  `DUT dut (
`ifdef REACHED
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bready(s_axil_bready),
    .s_axil_arvalid(1'b0),
`endif
`ifdef QUEUED
    .m_verdict_tready(m_verdict_tready),
`endif
    .clock(clock), .reset(reset),
    .s_item_tvalid(s_item_tvalid), .s_item_tready(s_item_tready), .s_item_tdata(s_item_tdata), .s_item_tuser(s_item_tuser), .s_item_tid(s_item_tid)
  );
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_scan ;
  (* hierconn *) wire \dut.sequencer_wipe ;
  (* hierconn *) wire \dut.sequencer_stall_scan ;
  (* hierconn *) wire \dut.sequencer_stall_control ;
  (* hierconn *) wire \dut.sequencer_stall_verdict ;
  (* hierconn *) wire \dut.verdicts_credit ;
  (* hierconn *) wire \dut.registers_clear_pending ;
  (* hierconn *) wire \dut.registers.formal_seen ;
  (* hierconn *) wire \dut.registers.formal_pending ;
  (* hierconn *) wire \dut.sequencer.formal_wiping ;
  (* hierconn *) wire \dut.sequencer.formal_waited ;
  (* hierconn *) wire \dut.sequencer.formal_due ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_wiped ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_gap ;

  localparam [31:0] BUCKETS = 1 << `FRONT_BITS;
  // clocks in DRAIN and WIPE together
  localparam [31:0] SHUT = `RETIRE + 1 + BUCKETS;
  wire running = dut.sequencer_running;
  wire wiping = dut.sequencer.formal_wiping;
  wire waited = dut.sequencer.formal_waited;
  wire pending = dut.registers_clear_pending;
  wire element = s_item_tvalid && s_item_tready && s_item_tuser != 0;

  // start and clear
  reg [31:0] shut; initial shut = 0;   // clocks before this one in which it did not run
  reg [31:0] asked; initial asked = 0; // clocks before this one in which a clear was pending
  reg was_pending; initial was_pending = 0;
  reg was_last; initial was_last = 0;
  reg written; initial written = 0;
  wire last = wiping && dut.sequencer.formal_wiped == BUCKETS - 1;
  wire [31:0] way = running ? 0 : wiping ? BUCKETS - dut.sequencer.formal_wiped : waited ? BUCKETS + 1 : dut.sequencer.formal_waiting + BUCKETS + 1;
  // the scan, admission
  reg [31:0] since; initial since = 0; // elements since the last scan
  reg low; initial low = 0;            // ready was low in the clock before, without a cause but the scan
  reg free; initial free = 0;          // the clock before: nothing in the way of an item
  reg was_due; initial was_due = 0;
  reg was_reset; initial was_reset = 1;
  reg was_running; initial was_running = 0;
  reg had_credit; initial had_credit = 0;
  reg aw_waited; initial aw_waited = 0;
  reg [31:0] old_data;
  reg [7:0] old_address;
  reg [3:0] old_strobe;
  always @(posedge clock) begin
    shut <= reset || running ? 0 : shut + 1;
    asked <= reset || !pending ? 0 : asked + 1;
    was_pending <= pending && !reset;
    was_last <= last && !reset;
    written <= s_axil_awready && s_axil_awaddr == 8'h4c && s_axil_wdata == 1 && s_axil_wstrb == 15 && !reset;
    since <= reset || dut.sequencer_scan || !running ? 0 : since + element;
    free <= running && !pending && dut.verdicts_credit && !reset;
    low <= free && !s_item_tready && !reset;
    was_due <= dut.sequencer.formal_due;
    was_reset <= reset;
    was_running <= running;
    had_credit <= dut.verdicts_credit;
    aw_waited <= s_axil_awvalid && s_axil_wvalid && !s_axil_awready && !reset;
    old_address <= s_axil_awaddr;
    old_data <= s_axil_wdata;
    old_strobe <= s_axil_wstrb;
  end
  always @* if (aw_waited)
    assume (s_axil_awvalid && s_axil_wvalid && s_axil_awaddr == old_address && s_axil_wdata == old_data && s_axil_wstrb == old_strobe);
  always @* begin
    runs_again: assert (running || shut < SHUT);
    clear_takes_effect: assert (!pending || asked <= SHUT);
    clear_is_taken: assert (!written || pending);
    clear_wipes: assert (!was_pending || pending || (was_last && running));
    shut_for_a_clear: assert (was_reset || running || !was_running || was_pending);
    slot_every_clock: assert (!running || reset || dut.sequencer_accept != dut.sequencer_scan);
    nothing_while_shut: assert (running || (!s_item_tready && !dut.sequencer_scan));
    never_more_than_interval: assert (since <= `INTERVAL);
    scan_when_due: assert (since < `INTERVAL || !running || reset || dut.sequencer_scan);
    ready_again: assert (!(low && free) || s_item_tready);
    ready_but_for_scan: assert (!free || s_item_tready == !was_due);
    ready_has_credit: assert (!s_item_tready || (free && had_credit));
    one_cause: assert (was_reset ? !s_item_tready && !dut.sequencer_stall_scan && !dut.sequencer_stall_control && !dut.sequencer_stall_verdict
      : s_item_tready + dut.sequencer_stall_scan + dut.sequencer_stall_control + dut.sequencer_stall_verdict == 1);
    // What makes the induction go through.
    one_state: assert (!(running && wiping));
    assert (running || wiping || waited || (dut.sequencer.formal_waiting != 0 && dut.sequencer.formal_waiting <= `RETIRE));
    assert (wiping || dut.sequencer.formal_wiped == 0);
    one_command: assert (pending == dut.registers.formal_pending && !(dut.registers.formal_seen && s_axil_awready));
    assert (!pending || !(dut.registers.formal_seen || s_axil_awready));
    way_shrinks: assert (running || shut + way == SHUT);
    clear_shrinks: assert (!pending || asked + (running ? SHUT + 1 : way) <= SHUT + 1);
    gap_counts: assert (!running || dut.sequencer.formal_gap == since);
    due_closes: assert (since < `INTERVAL || !s_item_tready);
  end
endmodule
