// Recycling filters: progress of the sequencer, and of a word that the host asks for. The data path is cut: hash, banks, decision, epochs, limit,
// occupancy and counters may answer anything.
//
// observe sequencer: wire formal_load = load_r; wire formal_serving = serving; wire formal_waited = waited; wire formal_force_due = force_due; wire [1:0] formal_forces = forces; wire [`WAIT_BITS-1:0] formal_waiting = waiting;
// observe sequencer: wire formal_fetch_due = fetch_due; wire formal_still = still; wire formal_ready = ready_r; wire [`WAIT_BITS-1:0] formal_hold = hold;
// observe register_file: wire formal_fetching = fetching_0;
// observe slots: wire [`FRONT+`FETCH-1:0] formal_fetches = fetch_line;
module formal_progress (
  input wire clock,
  input wire reset,
  input wire s_item_tvalid,
  input wire m_verdict_tready,
  input wire s_axil_awvalid,
  input wire [7:0] s_axil_awaddr,
  input wire s_axil_wvalid,
  input wire [31:0] s_axil_wdata,
  input wire [3:0] s_axil_wstrb,
  input wire s_axil_bready
);
  wire s_axil_awready;
  `DUT dut (
    .clock(clock), .reset(reset), .s_item_tvalid(s_item_tvalid), .m_verdict_tready(m_verdict_tready),
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
    .s_axil_wvalid(s_axil_wvalid), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bready(s_axil_bready)
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
  (* hierconn *) wire \dut.epochs_blocked ;
  (* hierconn *) wire \dut.registers_write_pending ;

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
endmodule
