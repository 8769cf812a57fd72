// Generations of a sliding-window filter: which element belongs to which, what a slot meets and writes, what stands in flight at a
// restart, which bucket a scan visits, and that the age of no cell comes round.
//
// Everything is counted where slots are issued and compared with the gateware where they stand in stage 0, 3 and 7: what is counted there
// goes along with the slots. The data path is cut: hash, tables, store, decision and counters may answer anything. One bucket is watched, any.
//
// observe sliding_sequencer: wire formal_wiping = wipe_r; wire formal_waited = waited; wire [31:0] formal_waiting = waiting;
// observe sliding_sequencer: wire [31:0] formal_wiped = wiped; wire [31:0] formal_gap = gap;
// observe sliding_slots: wire [`LATENCY-1:0] formal_items = item_line; wire [`LATENCY-1:0] formal_answers = answer_line; wire [`LATENCY-1:0] formal_elements = element_line;
// observe sliding_slots: wire [`LATENCY-1:0] formal_scans = scan_line; wire [`LATENCY-1:0] formal_wipes = wipe_line; wire [31:0] formal_count = elements;
module formal_generations (
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
  `DUT dut (
`ifdef REACHED
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awaddr(s_axil_awaddr), .s_axil_wvalid(s_axil_wvalid), .s_axil_wdata(s_axil_wdata),
    .s_axil_wstrb(s_axil_wstrb), .s_axil_bready(s_axil_bready), .s_axil_arvalid(1'b0),
`endif
`ifdef QUEUED
    .m_verdict_tready(m_verdict_tready),
`endif
    .clock(clock), .reset(reset),
    .s_item_tvalid(s_item_tvalid), .s_item_tdata(s_item_tdata), .s_item_tuser(s_item_tuser), .s_item_tid(s_item_tid)
  );
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_scan ;
  (* hierconn *) wire \dut.sequencer_wipe ;
  (* hierconn *) wire \dut.sequencer_restart ;
  (* hierconn *) wire \dut.sequencer_ready ;
  (* hierconn *) wire \dut.slots_scanning ;
  (* hierconn *) wire [`FRONT_BITS-1:0] \dut.slots_scan_address ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generation ;
  (* hierconn *) wire \dut.slots_element_6 ;
  (* hierconn *) wire \dut.slots_scan_6 ;
  (* hierconn *) wire \dut.slots_wipe_6 ;
  (* hierconn *) wire \dut.slots_sets ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_write_generation ;
  (* hierconn *) wire \dut.sequencer.formal_wiping ;
  (* hierconn *) wire \dut.sequencer.formal_waited ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_wiped ;
  (* hierconn *) wire [31:0] \dut.sequencer.formal_gap ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_answers ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_elements ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_scans ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_wipes ;
  (* hierconn *) wire [31:0] \dut.slots.formal_count ;

  localparam [31:0] BUCKETS = 1 << `FRONT_BITS;
  localparam [31:0] SPARE = (1 << `GENERATION_BITS) - `GENERATIONS - 2; // generations that may begin between two visits of a bucket
  localparam AGE = `FRONT + 2;   // place in the lines of the slot in stage 3
  localparam WRITE = `FRONT + 6; // likewise stage 7, one behind their end
  wire running = dut.sequencer_running;
  wire wiping = dut.sequencer.formal_wiping;
  wire waited = dut.sequencer.formal_waited;
  wire restart = dut.sequencer_restart;
  wire element = dut.sequencer_accept && s_item_tuser != 0;
  wire scan = dut.sequencer_scan || dut.sequencer_wipe;

  // What the slot issued in this clock meets.
  reg [31:0] count; initial count = 0;                       // elements of its generation before it
  reg [`GENERATION_BITS-1:0] number; initial number = 0;     // that generation
  reg [`FRONT_BITS-1:0] address; initial address = 0;        // bucket that the next scan visits
  wire ends = element && count == `GENERATION_ITEMS - 1;
  always @(posedge clock) begin
    if (element) count <= ends ? 0 : count + 1;
    if (ends) number <= number + 1;
    if (scan) address <= address + 1;
    if (restart || reset) begin
      count <= 0;
      number <= 0;
    end
    if (reset) address <= 0;
  end

  // The same, of the slots in flight.
  reg [31:0] counts [0:AGE];
  reg [`GENERATION_BITS-1:0] numbers [0:WRITE];
  reg [`FRONT_BITS-1:0] addresses [0:AGE];
  reg writes_element; initial writes_element = 0;
  reg writes_scan; initial writes_scan = 0;
  integer i;
  initial for (i = 0; i <= WRITE; i = i + 1) begin
    if (i <= AGE) counts[i] = 0;
    if (i <= AGE) addresses[i] = 0;
    numbers[i] = 0;
  end
  always @(posedge clock) begin
    for (i = 0; i <= AGE; i = i + 1) begin
      counts[i] <= restart || reset ? 0 : i == 0 ? count : counts[i == 0 ? 0 : i - 1];
      addresses[i] <= reset ? 0 : i == 0 ? address : addresses[i == 0 ? 0 : i - 1];
    end
    for (i = 0; i <= WRITE; i = i + 1)
      numbers[i] <= i <= AGE && (restart || reset) ? 0 : i == 0 ? number : numbers[i == 0 ? 0 : i - 1];
    writes_element <= dut.slots_element_6;
    writes_scan <= dut.slots_scan_6 || dut.slots_wipe_6;
  end

  // The watched bucket: elements and generations since a scan visited it.
  (* anyconst *) wire [`FRONT_BITS-1:0] watched;
  reg visited; initial visited = 0;
  reg [31:0] passed; initial passed = 0;
  reg [31:0] begun; initial begun = 0;
  reg [31:0] since; initial since = 0; // elements since a scan of any bucket
  wire visit = scan && address == watched;
  always @(posedge clock) begin
    visited <= visited || (dut.sequencer_wipe && address == watched);
    passed <= visit ? 0 : passed + element;
    begun <= visit ? 0 : begun + ends;
    since <= scan ? 0 : since + element;
    if (restart || reset) begin
      visited <= 0;
      passed <= 0;
      begun <= 0;
      since <= 0;
    end
  end
  wire [`FRONT_BITS-1:0] first = address - dut.sequencer.formal_wiped[`FRONT_BITS-1:0]; // bucket that the wipe began with
  wire [`FRONT_BITS-1:0] turn = watched - first;
  wire [`FRONT_BITS-1:0] visits = address - watched - 1'b1;                            // scans since its own

  wire [`LATENCY-1:0] elements = dut.slots.formal_elements;
  wire [`LATENCY-1:0] scans = dut.slots.formal_scans | dut.slots.formal_wipes;
  wire [`LATENCY-1:0] slots = dut.slots.formal_items | scans;
  wire [`GENERATION_BITS-1:0] youngest_stale = numbers[WRITE] - (`GENERATIONS + 1);
  wire [31:0] old = dut.sequencer.formal_waiting;
  always @* begin
    generation_met: assert (dut.slots_generation == numbers[AGE]);
    elements_met: assert (dut.slots.formal_count == counts[AGE] && dut.slots.formal_count < `GENERATION_ITEMS);
    element_writes_its_own: assert (dut.slots_sets == writes_element && (!writes_element || dut.slots_write_generation == numbers[WRITE]));
    scan_writes_youngest_stale: assert (!writes_scan || dut.slots_write_generation == youngest_stale);
    scan_in_turn: assert (!dut.slots_scanning || dut.slots_scan_address == addresses[`FRONT-2]);
    one_kind_a_slot: assert ((dut.slots.formal_scans & dut.slots.formal_wipes) == 0 && (dut.slots.formal_items & scans) == 0
      && ((elements | dut.slots.formal_answers) == dut.slots.formal_items));
    nothing_in_flight: assert (!restart || (slots == 0 && !writes_element && !writes_scan && !dut.sequencer_accept && !scan));
    wiped_before_items: assert (!running || visited);
    visited_in_time: assert (!running || passed <= BUCKETS * `INTERVAL);
    age_never_round: assert (!running || begun <= SPARE);
    // What makes the induction go through.
    assert (count < `GENERATION_ITEMS);
    assert (count == (elements[0] ? counts[0] == `GENERATION_ITEMS - 1 ? 0 : counts[0] + 1 : counts[0]));
    assert (number == numbers[0] + (elements[0] && counts[0] == `GENERATION_ITEMS - 1));
    assert (address == addresses[0] + scans[0]);
    for (i = 1; i <= AGE; i = i + 1) begin
      assert (counts[i-1] == (elements[i] ? counts[i] == `GENERATION_ITEMS - 1 ? 0 : counts[i] + 1 : counts[i]));
      assert (numbers[i-1] == numbers[i] + (elements[i] && counts[i] == `GENERATION_ITEMS - 1));
      if (i <= `FRONT - 2) assert (addresses[i-1] == addresses[i] + scans[i]);
    end
    address_met: assert (dut.slots_scan_address == addresses[`FRONT-2]);
    assert (!(running && wiping) && !(dut.sequencer_ready && !running));
    assert (running || wiping || waited || (old != 0 && old <= `RETIRE));
    wiped_from_0: assert (wiping || dut.sequencer.formal_wiped == 0);
    assert (dut.sequencer.formal_wiped < BUCKETS);
    // slots age in DRAIN, and in WIPE there are wipes only
    if (!running && !wiping && !waited) slots_age: assert ((slots & ((1 << (`RETIRE - old)) - 1)) == 0);
    if (!running && (wiping || waited)) assert (dut.slots.formal_items == 0 && dut.slots.formal_scans == 0);
    if (!running && !wiping && waited) assert (slots == 0);
    if (!running && wiping) assert (count == 0 && number == 0 && visited == (turn < dut.sequencer.formal_wiped) && passed == 0 && begun == 0 && since == 0);
    if (running) gap_counts: assert (since == dut.sequencer.formal_gap && since <= `INTERVAL && (since < `INTERVAL || !dut.sequencer_ready));
    if (running) passed_with_scans: assert (passed <= visits * `INTERVAL + since);
    if (running) begun_with_elements: assert (begun <= SPARE && begun * `GENERATION_ITEMS + count <= `GENERATION_ITEMS - 1 + passed);
  end
endmodule
