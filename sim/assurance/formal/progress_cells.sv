// Filters of cells: progress of the sequencer, and what it issues. The data path is cut: hash, banks, what is made of their cells, epochs and
// counters may answer anything.
//
// observe cell_sequencer: wire formal_settle = settle_r; wire [`WAIT_BITS-1:0] formal_waiting = waiting; wire formal_waited = waited; wire [`WAIT_BITS-1:0] formal_away = away;
// observe cell_sequencer: wire formal_out = out; wire formal_returning = returning; wire formal_ready = ready_r;
// observe cell_sequencer: `ifdef FOLDED wire [`WAIT_BITS-1:0] formal_fold = fold_0; wire formal_folding = folding_0; wire formal_more = more_0; `endif
// observe CONSERVATIVE raise_timer: wire [`WAIT_BITS-1:0] formal_left = left;
module formal_progress_cells (
  input wire clock,
  input wire reset,
  input wire s_item_tvalid,
  input wire [`USER_BITS-1:0] s_item_tuser,
  input wire m_verdict_tready,
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
`ifdef REACHED
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awaddr(s_axil_awaddr), .s_axil_wvalid(s_axil_wvalid), .s_axil_wdata(s_axil_wdata),
    .s_axil_wstrb(s_axil_wstrb), .s_axil_bready(s_axil_bready), .s_axil_arvalid(s_axil_arvalid), .s_axil_araddr(s_axil_araddr),
    .s_axil_rready(s_axil_rready),
`endif
`ifdef QUEUED
    .m_verdict_tready(m_verdict_tready),
`endif
    .clock(clock), .reset(reset), .s_item_tvalid(s_item_tvalid), .s_item_tuser(s_item_tuser)
  );
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_access ;
  (* hierconn *) wire \dut.sequencer_force_clear ;
  (* hierconn *) wire \dut.sequencer.formal_settle ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire \dut.sequencer.formal_waited ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_away ;
  (* hierconn *) wire \dut.sequencer.formal_out ;
  (* hierconn *) wire \dut.sequencer.formal_returning ;
  (* hierconn *) wire \dut.sequencer.formal_ready ;
`ifdef FOLDED
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_fold ;
  (* hierconn *) wire \dut.sequencer.formal_folding ;
  (* hierconn *) wire \dut.sequencer.formal_more ;
  (* hierconn *) wire \dut.sequencer_probing_0 ;
  (* hierconn *) wire \dut.sequencer_last_0 ;
`endif
`ifdef CONSERVATIVE
  (* hierconn *) wire \dut.sequencer_raising_0 ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.timer_0.formal_left ;
  (* hierconn *) wire \dut.sequencer.timer_0.busy ;
  (* hierconn *) wire \dut.sequencer.timer_0.more ;
`endif
  (* hierconn *) wire \dut.epochs_blocked ;
  (* hierconn *) wire \dut.verdicts_credit ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.array_address ;
  (* hierconn *) wire [31:0] \dut.array_data ;
  (* hierconn *) wire \dut.storing ;
  (* hierconn *) wire \dut.registers_clear_pending ;
  (* hierconn *) wire \dut.registers_write_pending ;

  // Items by the clocks since they were accepted.
  localparam INTERVAL = `RAISE + `FOLD + 1;
  localparam LINE = INTERVAL + 1;
  wire accept = dut.sequencer_accept;
  wire running = dut.sequencer_running;
  reg [LINE-1:0] items; initial items = 0;
  reg [LINE-1:0] inserting; initial inserting = 0;
  localparam QUIET = `RETIRE - INTERVAL + 1;
  reg [QUIET-1:0] recent; initial recent = 0;             // something was issued, probes included
  reg [`RETIRE-1:0] issued; initial issued = 0;           // an item was accepted or an access issued
  reg [`RETIRE-1:0] recent_clear; initial recent_clear = 0;
  wire folding = `FOLD != 0 && (items & ((1 << `FOLD) - 1)) != 0;
  wire raising = `RAISE != 0 && ((inserting >> (`RAISE - 1)) & ((2 << `FOLD) - 1)) != 0;
  wire holding = folding || (`RAISE != 0 && (inserting & ((1 << (INTERVAL - 1)) - 1)) != 0);
  always @(posedge clock) begin
    items <= reset ? 0 : {items, accept};
    inserting <= reset ? 0 : {inserting, accept && s_item_tuser[1:0] != 0};
    issued <= {issued, accept || dut.sequencer_access};
    recent <= {recent, accept || dut.sequencer_access || folding || raising};
    recent_clear <= {recent_clear, dut.sequencer_force_clear};
  end

  // Word and cells of a host stand still while an access is on its way, and what it is for.
  localparam LONG = `LATENCY + `RAISE + `FOLD + 2;
  localparam FLIGHT = LONG < `RETIRE ? LONG : `RETIRE;
  reg [FLIGHT-1:0] accesses; initial accesses = 0;
  reg [`ARRAY_BITS-1:0] old_address;
  reg [31:0] old_data;
  reg old_storing;
  always @(posedge clock) begin
    accesses <= reset ? 0 : {accesses, dut.sequencer_access};
    old_address <= dut.array_address;
    old_data <= dut.array_data;
    old_storing <= dut.storing;
  end
  always @* begin
    host_stands_still: assert (accesses == 0 || (dut.array_address == old_address && dut.storing == old_storing && (!dut.storing || dut.array_data == old_data)));
    access_alone: assert (!dut.sequencer_access || accesses == 0);
  end

  // Longest ways: from DRAIN to RUN; from a write to its end.
  localparam SETTLED = `RETIRE + 1;
  localparam LONGEST = 2 * SETTLED;
  localparam SERVED = LONGEST + INTERVAL + 1 + `RETIRE;
  wire asked = dut.registers_write_pending;
  wire clearing = dut.registers_clear_pending;
  reg [15:0] shut; initial shut = 0;
  reg [15:0] pending; initial pending = 0;
  reg [15:0] closed; initial closed = 0;
  always @(posedge clock) begin
    shut <= reset || running || dut.epochs_blocked ? 0 : shut + 1;
    pending <= reset || !asked || dut.epochs_blocked ? 0 : pending + 1;
    closed <= reset || !running || asked || !dut.verdicts_credit || dut.sequencer.formal_ready ? 0 : closed + 1;
  end
  wire [15:0] still = dut.sequencer.formal_waited ? 0 : dut.sequencer.formal_waiting;
  wire [`RETIRE-1:0] settling = 1 << (`RETIRE - still); // the clear, while it settles
  wire [15:0] way = running ? 0 : dut.sequencer.formal_settle ? still + 1 : still + 1 + SETTLED;
  reg [15:0] held; // clocks until nothing of the last item is to be issued
  integer i;
  always @* begin
    held = 0;
    for (i = 0; i < INTERVAL - 1; i = i + 1)
      if (i < `FOLD ? items[i] : inserting[i]) held = held > (inserting[i] && `RAISE != 0 ? INTERVAL - 1 : `FOLD) - i ? held : (inserting[i] && `RAISE != 0 ? INTERVAL - 1 : `FOLD) - i;
  end
  wire [15:0] access_left = dut.sequencer.formal_out ? dut.sequencer.formal_away
    : (dut.sequencer.formal_ready ? INTERVAL : held) + 1 + `RETIRE;
  wire [15:0] left = clearing ? (running ? 1 + LONGEST : way)
    : running ? access_left : way + held + 1 + `RETIRE;
  always @* begin
    runs_again: assert (shut <= LONGEST);
    writes_take_effect: assert (pending <= SERVED);
    takes_items: assert (closed <= INTERVAL);
    // What the checkers of banks and verdicts assume.
    one_thing_a_clock: assert (accept + dut.sequencer_access + dut.sequencer_force_clear <= 1);
    clear_stands_alone: assert ((!dut.sequencer_force_clear || (recent == 0 && recent_clear == 0 && !dut.epochs_blocked && !reset))
      && (!(accept || dut.sequencer_access) || recent_clear == 0));
    items_hold_the_next: assert (!(accept || dut.sequencer_access) || !holding);
`ifdef FOLDED
    probes_follow: assert (dut.sequencer_probing_0 == folding && dut.sequencer_last_0 == items[`FOLD-1]);
`endif
`ifdef CONSERVATIVE
    raises_follow: assert (dut.sequencer_raising_0 == raising);
`endif
    // What makes the induction go through.
    assert (way <= LONGEST && (running || shut + way <= LONGEST));
    assert (dut.sequencer.formal_waited || (dut.sequencer.formal_waiting != 0 && dut.sequencer.formal_waiting <= `RETIRE));
    assert (!(running && dut.sequencer.formal_settle));
    assert (!running || recent_clear == 0);
    assert (running || ((issued | (dut.sequencer.formal_settle ? 0 : recent_clear)) & ((1 << (`RETIRE - still)) - 1)) == 0);
    assert (!dut.sequencer.formal_settle || (issued == 0 && recent_clear == settling));
    for (i = 0; i < QUIET; i = i + 1) assert (!recent[i] || ((issued >> i) & ((1 << INTERVAL) - 1)) != 0);
    assert ((items & ~issued) == 0);
    assert (!dut.sequencer.formal_out || (running && asked && !clearing && dut.sequencer.formal_away != 0 && dut.sequencer.formal_away <= `RETIRE));
    assert (dut.sequencer.formal_returning == (dut.sequencer.formal_out && dut.sequencer.formal_away == 1));
    for (i = 0; i < FLIGHT; i = i + 1) assert (!accesses[i] || (dut.sequencer.formal_out && dut.sequencer.formal_away == `RETIRE - i));
    assert (!asked || pending + left <= SERVED);
    assert (!clearing || asked);
    assert ((inserting & ~items) == 0);
    assert (!dut.sequencer.formal_ready || (running && !holding));
    assert (closed == 0 || closed + held <= INTERVAL);
`ifdef FOLDED
    assert (dut.sequencer.formal_folding == folding && dut.sequencer.formal_more == ((items & ((1 << (`FOLD - 1)) - 1)) != 0));
    for (i = 0; i < `FOLD; i = i + 1) assert (!items[i] || dut.sequencer.formal_fold == `FOLD - i);
    for (i = 0; i < LINE - 1; i = i + 1) assert (!items[i] || ((items >> (i + 1)) & ((1 << `FOLD) - 1)) == 0);
`endif
`ifdef CONSERVATIVE
    assert (dut.sequencer.timer_0.busy == ((inserting & ((1 << (INTERVAL - 1)) - 1)) != 0));
    assert (dut.sequencer.timer_0.more == ((inserting & ((1 << (INTERVAL - 2)) - 1)) != 0));
    for (i = 0; i < INTERVAL - 1; i = i + 1) assert (!inserting[i] || dut.sequencer.timer_0.formal_left == INTERVAL - 1 - i);
    for (i = 1; i < LINE; i = i + 1) assert (!inserting[i] || (((items << (INTERVAL - 1)) >> i) & ((1 << (INTERVAL - 1)) - 1)) == 0);
`endif
  end
endmodule
