// The filter's ports: AXI4-Stream verdicts (STREAM), AXI4-Lite (REGISTERS), progress of the sequencer (PROGRESS), and what can be
// reached (REACH). The data path is cut: hash, banks, decision, epochs, limit, occupancy and counters may answer anything.
//
// observe sequencer: wire formal_load = load_r; wire formal_serving = serving; wire formal_waited = waited; wire formal_force_due = force_due; wire [1:0] formal_forces = forces; wire [`WAIT_BITS-1:0] formal_waiting = waiting;
// observe sequencer: wire formal_fetch_due = fetch_due; wire formal_still = still; wire formal_ready = ready_r; wire [`WAIT_BITS-1:0] formal_hold = hold;
// observe register_file: wire formal_fetching = fetching_0;
// observe slots: wire [`FRONT+`FETCH-1:0] formal_fetches = fetch_line;
// observe slots: wire [`DECIDED-1:0] formal_answers = answer_line;
// observe verdict_queue: wire [6:0] formal_used = used; wire [6:0] formal_outstanding = outstanding;
// observe verdict_queue: wire formal_some = some; wire formal_single = single; wire formal_claimed = claimed; wire formal_loaded = loaded;
module formal_ports (
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
  input wire s_axil_bready,
  input wire s_axil_arvalid,
  input wire [7:0] s_axil_araddr,
  input wire s_axil_rready
);
  wire s_item_tready, m_verdict_tvalid;
  wire [3:0] m_verdict_tdata;
  wire [`TAG_BITS-1:0] m_verdict_tid;
  wire s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid;
  wire [1:0] s_axil_bresp, s_axil_rresp;
  wire [31:0] s_axil_rdata;
  `DUT dut (
    .clock(clock), .reset(reset),
    .s_item_tvalid(s_item_tvalid), .s_item_tready(s_item_tready), .s_item_tdata(s_item_tdata), .s_item_tuser(s_item_tuser), .s_item_tid(s_item_tid),
    .m_verdict_tvalid(m_verdict_tvalid), .m_verdict_tready(m_verdict_tready), .m_verdict_tdata(m_verdict_tdata), .m_verdict_tid(m_verdict_tid),
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
    .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
    .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp)
  );
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer.formal_load ;
  (* hierconn *) wire \dut.sequencer.formal_serving ;
  (* hierconn *) wire \dut.sequencer.formal_waited ;
  (* hierconn *) wire \dut.sequencer.formal_force_due ;
  (* hierconn *) wire [1:0] \dut.sequencer.formal_forces ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire \dut.sequencer.formal_fetch_due ;
  (* hierconn *) wire \dut.sequencer.formal_still ;
  (* hierconn *) wire \dut.sequencer.formal_ready ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_hold ;
  (* hierconn *) wire \dut.registers.formal_fetching ;
  (* hierconn *) wire [`FRONT+`FETCH-1:0] \dut.slots.formal_fetches ;
  (* hierconn *) wire [`DECIDED-1:0] \dut.slots.formal_answers ;
  (* hierconn *) wire [6:0] \dut.verdicts.formal_used ;
  (* hierconn *) wire [6:0] \dut.verdicts.formal_outstanding ;
  (* hierconn *) wire \dut.verdicts.formal_some ;
  (* hierconn *) wire \dut.verdicts.formal_single ;
  (* hierconn *) wire \dut.verdicts.formal_claimed ;
  (* hierconn *) wire \dut.verdicts.formal_loaded ;
  (* hierconn *) wire \dut.verdicts_claim ;
  (* hierconn *) wire \dut.verdicts.push ;
  (* hierconn *) wire \dut.verdicts_credit ;
  (* hierconn *) wire \dut.epochs_blocked ;
  (* hierconn *) wire \dut.limit_one_at_a_time ;
  (* hierconn *) wire \dut.registers_clear_pending ;
  (* hierconn *) wire \dut.registers_write_pending ;

`ifdef STREAM
  // verdict stream
  wire wants = s_item_tvalid && s_item_tready && s_item_tuser != 1;
  wire taken = m_verdict_tvalid && m_verdict_tready;
  reg waited; initial waited = 0;
  reg [3:0] old_data;
  reg [`TAG_BITS-1:0] old_tag;
  reg [`DECIDED-1:0] line; initial line = 0;
  reg decided; initial decided = 0;
  reg [6:0] owed; initial owed = 0;
  reg [7:0] silent; initial silent = 0;
  reg credit_before; initial credit_before = 1;
  reg [6:0] undecided; initial undecided = 0;
  integer i;
  always @(posedge clock) begin
    waited <= !reset && m_verdict_tvalid && !m_verdict_tready;
    old_data <= m_verdict_tdata;
    old_tag <= m_verdict_tid;
    line <= reset ? 0 : {line[`DECIDED-2:0], wants};
    decided <= line[`DECIDED-1] && !reset;
    owed <= reset ? 0 : owed + wants - taken;
    undecided <= reset ? 0 : undecided + wants - dut.verdicts.push;
    credit_before <= dut.verdicts_credit;
    silent <= reset || owed == 0 || m_verdict_tvalid ? 0 : silent + 1;
  end
  wire [6:0] inside = undecided + dut.verdicts.formal_used;
  reg [6:0] in_line;
  always @* begin
    in_line = 0;
    for (i = 0; i < `DECIDED; i = i + 1) in_line = in_line + line[i];
  end
  always @* begin
    verdict_held: assert (!waited || (m_verdict_tvalid && m_verdict_tdata == old_data && m_verdict_tid == old_tag));
    verdict_not_invented: assert (!m_verdict_tvalid || owed != 0);
    verdicts_fit: assert (owed - m_verdict_tvalid <= 64);
    verdict_arrives: assert (silent <= `DECIDED + 2);
    // what the proof of the queue assumes of its surroundings
    claim_has_credit: assert (!dut.verdicts_claim || credit_before);
    push_was_claimed: assert (!dut.verdicts.push || undecided != 0);
    // What makes the induction go through.
    assert (dut.slots.formal_answers == line);
    assert (dut.verdicts.push == decided);
    assert (undecided == in_line + decided);
    assert (owed == undecided + dut.verdicts.formal_used + m_verdict_tvalid);
    assert (dut.verdicts.formal_some == (dut.verdicts.formal_used != 0) && dut.verdicts.formal_single == (dut.verdicts.formal_used == 1));
    assert (dut.verdicts.formal_outstanding + dut.verdicts.formal_claimed == inside + dut.verdicts.formal_loaded);
    assert (dut.verdicts.formal_used <= inside && inside <= 64);
    assert (!credit_before || inside <= 63);
    assert (!dut.verdicts_credit || inside <= 62);
    assert (credit_before || !s_item_tready);
    assert (silent == 0 || owed != 0);
    assert (silent == 0 || m_verdict_tvalid || (line >> silent) != 0 || (decided && silent <= `DECIDED)
      || (dut.verdicts.formal_used != 0 && silent <= `DECIDED + 1));
  end
`endif

`ifdef REGISTERS
  // the host keeps a request until it is taken
  reg aw_waited, w_waited, ar_waited; initial begin aw_waited = 0; w_waited = 0; ar_waited = 0; end
  reg b_waited, r_waited; initial begin b_waited = 0; r_waited = 0; end
  reg [1:0] old_bresp, old_rresp;
  reg [31:0] old_rdata;
  reg [1:0] writes; initial writes = 0;
  reg [1:0] reads; initial reads = 0;
  reg [2:0] read_age; initial read_age = 0;
  reg [2:0] write_wait; initial write_wait = 0;
  reg [2:0] read_wait; initial read_wait = 0;
  wire fetching = dut.registers.formal_fetching;
  wire write_free = writes == 0 && !dut.registers_write_pending && !fetching;
  wire aw = s_axil_awvalid && s_axil_awready;
  wire w = s_axil_wvalid && s_axil_wready;
  wire b = s_axil_bvalid && s_axil_bready;
  wire ar = s_axil_arvalid && s_axil_arready;
  wire r = s_axil_rvalid && s_axil_rready;
  always @(posedge clock) begin
    aw_waited <= !reset && s_axil_awvalid && !s_axil_awready;
    w_waited <= !reset && s_axil_wvalid && !s_axil_wready;
    ar_waited <= !reset && s_axil_arvalid && !s_axil_arready;
    b_waited <= !reset && s_axil_bvalid && !s_axil_bready;
    r_waited <= !reset && s_axil_rvalid && !s_axil_rready;
    old_bresp <= s_axil_bresp;
    old_rresp <= s_axil_rresp;
    old_rdata <= s_axil_rdata;
    writes <= reset ? 0 : writes + aw - b;
    reads <= reset ? 0 : reads + ar - r;
    read_age <= reset || reads == 0 || s_axil_rvalid ? 0 : read_age + 1;
    write_wait <= !reset && s_axil_awvalid && s_axil_wvalid && !s_axil_awready && write_free ? write_wait + 1 : 0;
    read_wait <= !reset && s_axil_arvalid && !s_axil_arready && reads == 0 && !fetching ? read_wait + 1 : 0;
  end
  always @* begin
    assume (!aw_waited || s_axil_awvalid);
    assume (!w_waited || s_axil_wvalid);
    assume (!ar_waited || s_axil_arvalid);
  end
  always @* begin
    taken_when_asked: assert ((!s_axil_awready || (s_axil_awvalid && s_axil_wvalid)) && (!s_axil_arready || s_axil_arvalid));
    write_taken_whole: assert (s_axil_awready == s_axil_wready && aw == w);
    write_answer_held: assert (!b_waited || (s_axil_bvalid && s_axil_bresp == old_bresp));
    one_answer_a_write: assert (writes <= 1 && s_axil_bvalid == (writes == 1));
    write_answer_legal: assert (!s_axil_bvalid || s_axil_bresp != 1);
    read_answer_held: assert (!r_waited || (s_axil_rvalid && s_axil_rdata == old_rdata && s_axil_rresp == old_rresp));
    read_not_invented: assert (reads <= 1 && (!s_axil_rvalid || reads == 1));
    read_answered: assert (read_age <= 2);
    read_answer_legal: assert (!s_axil_rvalid || s_axil_rresp == 0 || (s_axil_rresp == 3 && s_axil_rdata == 0));
    write_is_taken: assert (write_wait <= 2);
    read_is_taken: assert (read_wait <= 1);
  end
`endif

`ifdef PROGRESS
  // longest way from DRAIN or LOAD to RUN
  localparam LONGEST = (`RETIRE + 1) * (`PHASES + 1) + 10;
  reg [15:0] shut; initial shut = 0;
  reg [15:0] pending; initial pending = 0;
  wire asked = dut.registers_write_pending;
  wire [15:0] still = dut.sequencer.formal_waited ? 0 : dut.sequencer.formal_waiting;
  wire [15:0] way = dut.sequencer_running ? 0
    : dut.sequencer.formal_load ? still + 1
    : dut.sequencer.formal_forces * (`RETIRE + 1) + still + 10;
  always @(posedge clock) begin
    shut <= reset || dut.sequencer_running || dut.epochs_blocked ? 0 : shut + 1;
    pending <= reset || !asked || dut.epochs_blocked ? 0 : pending + 1;
  end
  wire [15:0] served = dut.sequencer_running ? LONGEST + 1
    : dut.sequencer.formal_serving ? way : way + LONGEST + 1;
  always @* begin
    runs_again: assert (shut <= LONGEST);
    writes_take_effect: assert (pending <= 2 * LONGEST + 2);
    // What makes the induction go through.
    assert (way <= LONGEST);
    assert (dut.sequencer.formal_forces <= `PHASES);
    assert (dut.sequencer.formal_waited || (dut.sequencer.formal_waiting != 0 && dut.sequencer.formal_waiting <= `RETIRE));
    assert (dut.sequencer.formal_force_due == (!dut.sequencer_running && !dut.sequencer.formal_load && dut.sequencer.formal_waited
      && dut.sequencer.formal_forces != 0));
    assert (!(dut.sequencer_running && dut.sequencer.formal_load));
    way_shrinks: assert (dut.sequencer_running || shut + way <= LONGEST);
    assert (!asked || pending + served <= 2 * LONGEST + 2);
  end

  // A word for the host: clocks in RUN from the one in which it is asked for until it is there.
  localparam FLIGHT = `FRONT + `FETCH;
  localparam SERVED = `RETIRE + `FETCH - 2;
  wire fetching = dut.registers.formal_fetching;
  wire due = dut.sequencer.formal_fetch_due;
  wire [FLIGHT-1:0] line = dut.slots.formal_fetches;
  wire [15:0] settling = dut.sequencer.formal_still ? 0 : dut.sequencer.formal_hold - (`FRONT + 4);
  reg [15:0] open; initial open = 0;
  reg [15:0] flown;
  integer f;
  always @(posedge clock) open <= reset || !fetching ? 0 : open + (!due || dut.sequencer_running);
  always @* begin
    flown = 0;
    for (f = 0; f < FLIGHT; f = f + 1) if (line[f]) flown = f;
  end
  wire [15:0] left = !due ? FLIGHT - flown
    : (dut.sequencer.formal_ready ? `RETIRE - (`FRONT + 4) + 1 : settling) + FLIGHT + 1;
  always @* begin
    word_is_fetched: assert (open <= SERVED);
    // What makes the induction go through.
    assert (fetching == (due || line != 0) && !(due && line != 0) && (line & (line - 1)) == 0);
    assert (!(s_axil_awready && fetching));
    assert (dut.sequencer.formal_still || (dut.sequencer.formal_hold > `FRONT + 4 && dut.sequencer.formal_hold <= `RETIRE));
    assert (!fetching || open + left <= SERVED);
  end
`endif
`ifdef REACH
  // Inputs that the search can do without are held, so that it is short.
  always @* begin
    assume (!reset);
    assume (!dut.epochs_blocked && !dut.limit_one_at_a_time);
    assume (!s_axil_arvalid);
  end
`ifdef REACH_VERDICT
  reg sent; initial sent = 0;
  always @(posedge clock) sent <= sent || (s_item_tvalid && s_item_tready);
  always @* begin
    assume (!s_axil_awvalid && m_verdict_tready && s_item_tuser == 2 && s_item_tid == 1 && s_item_tvalid == !sent);
    verdict_reached: cover (m_verdict_tvalid && m_verdict_tid == 1);
  end
`endif
`ifdef REACH_CLEAR
  reg asked_before; initial asked_before = 0;
  reg cleared; initial cleared = 0;
  always @(posedge clock) begin
    asked_before <= dut.registers_clear_pending;
    cleared <= cleared || (asked_before && !dut.registers_clear_pending);
  end
  always @* begin
    assume (!s_item_tvalid);
    assume (s_axil_awvalid == s_axil_wvalid && s_axil_wdata == 1 && s_axil_wstrb == 15);
    clear_completes: cover (cleared && s_item_tready);
  end
`endif
`endif
endmodule
