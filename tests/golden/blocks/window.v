// Sliding-window filter: the last 16384 elements are always seen. (4096 + 1024) buckets of 8 cells of 18 bits, 16 cells behind them.
// One item a clock. Source: SBF sections 2.3 and 2.4; timing: sliding.md.
module window (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; forgets every element
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // operation: 0 query, 1 insert, 2 test-and-insert
  input  wire [15:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [1:0]   m_verdict_tdata,  // {lost, seen}
  output wire [15:0]  m_verdict_tid,    // tag of the item
  input  wire         s_axil_awvalid,   // registers, AXI4-Lite
  output wire         s_axil_awready,
  input  wire [7:0]   s_axil_awaddr,    // byte address
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  output wire [1:0]   s_axil_bresp,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  input  wire [7:0]   s_axil_araddr,    // byte address
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,
  output wire [31:0]  s_axil_rdata,
  output wire [1:0]   s_axil_rresp
);
  localparam [15:0] no_status = 16'd0;

  reg [103:0] key;
  reg         push;
  reg [1:0]   verdict;
  reg         item;
  reg         inserted;
  reg         inserted_back;
  reg         inserted_store;

  wire [1:0]  verdict_in;
  wire [15:0] status;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_scan;
  wire        sequencer_wipe;
  wire        sequencer_restart;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_stall_scan;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_scanning;
  wire [11:0] slots_scan_address;
  wire [4:0]  slots_generation;
  wire        slots_item_6;
  wire        slots_answer_6;
  wire        slots_element_6;
  wire        slots_scan_6;
  wire        slots_wipe_6;
  wire        slots_sets;
  wire [4:0]  slots_write_generation;
  wire [24:0] hash_index_0;
  wire [24:0] hash_index_1;
  wire [7:0]  front_matching;
  wire [7:0]  front_empty;
  wire [24:0] front_position_3_0;
  wire [24:0] front_position_7_0;
  wire [4:0]  front_same_value_0;
  wire        front_near_value_0;
  wire [7:0]  back_matching;
  wire [7:0]  back_empty;
  wire [15:0] store_matching;
  wire [15:0] store_empty;
  wire [31:0] fit_matching;
  wire [31:0] fit_empty;
  wire [31:0] fit_taking;
  wire        fit_seen;
  wire        fit_lost;
  wire        fit_inserted;
  wire        fit_inserted_back;
  wire        fit_inserted_store;
  wire        verdicts_claim;
  wire        verdicts_valid;
  wire [1:0]  verdicts_data;
  wire [15:0] verdicts_data_tag;
  wire        verdicts_credit;
  wire        registers_awready;
  wire        registers_wready;
  wire        registers_bvalid;
  wire [1:0]  registers_bresp;
  wire        registers_arready;
  wire        registers_rvalid;
  wire [31:0] registers_rdata;
  wire [1:0]  registers_rresp;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire [31:0] counter_0_low;
  wire [31:0] counter_0_high;
  wire        counter_1_event_;
  wire [31:0] counter_1_low;
  wire [31:0] counter_1_high;
  wire [31:0] counter_2_low;
  wire [31:0] counter_2_high;
  wire [31:0] counter_3_low;
  wire [31:0] counter_3_high;
  wire [31:0] counter_4_low;
  wire [31:0] counter_4_high;
  wire        counter_5_event_;
  wire [31:0] counter_5_low;
  wire [31:0] counter_5_high;
  wire [31:0] counter_6_low;
  wire [31:0] counter_6_high;
  wire [31:0] counter_7_low;
  wire [31:0] counter_7_high;
  wire [31:0] counter_8_low;
  wire [31:0] counter_8_high;

  // admission
  sliding_sequencer sequencer (
    .clock         (clock),
    .reset         (reset),
    .valid         (s_item_tvalid),
    .operation     (s_item_tuser),
    .clear_pending (registers_clear_pending),
    .credit        (verdicts_credit),
    .ready         (sequencer_ready),
    .accept        (sequencer_accept),
    .scan          (sequencer_scan),
    .wipe          (sequencer_wipe),
    .restart       (sequencer_restart),
    .finished      (sequencer_finished),
    .running       (sequencer_running),
    .stall_scan    (sequencer_stall_scan),
    .stall_control (sequencer_stall_control),
    .stall_verdict (sequencer_stall_verdict)
  );

  sliding_slots slots (
    .clock            (clock),
    .reset            (reset),
    .restart          (sequencer_restart),
    .accept           (sequencer_accept),
    .operation        (s_item_tuser),
    .scan             (sequencer_scan),
    .wipe             (sequencer_wipe),
    .scanning         (slots_scanning),
    .scan_address     (slots_scan_address),
    .generation       (slots_generation),
    .item_6           (slots_item_6),
    .answer_6         (slots_answer_6),
    .element_6        (slots_element_6),
    .scan_6           (slots_scan_6),
    .wipe_6           (slots_wipe_6),
    .sets             (slots_sets),
    .write_generation (slots_write_generation)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1)
  );

  bucket_table front (
    .clock            (clock),
    .index            (hash_index_0),
    .scanning         (slots_scanning),
    .scan_address     (slots_scan_address),
    .generation       (slots_generation),
    .write_generation (slots_write_generation),
    .sets             (slots_sets),
    .setting          (slots_element_6),
    .taking           (fit_taking[7:0]),
    .matching         (front_matching),
    .empty            (front_empty),
    .position_3_0     (front_position_3_0),
    .position_7_0     (front_position_7_0),
    .same_value_0     (front_same_value_0),
    .near_value_0     (front_near_value_0)
  );

  bucket_table_2 back (
    .clock            (clock),
    .index            (hash_index_1),
    .scanning         (slots_scanning),
    .scan_address     (slots_scan_address),
    .generation       (slots_generation),
    .write_generation (slots_write_generation),
    .sets             (slots_sets),
    .setting          (slots_element_6),
    .taking           (fit_taking[15:8]),
    .matching         (back_matching),
    .empty            (back_empty)
  );

  cell_store store (
    .clock            (clock),
    .position         (front_position_3_0),
    .generation       (slots_generation),
    .write_position   (front_position_7_0),
    .write_generation (slots_write_generation),
    .sets             (slots_sets),
    .setting          (slots_element_6),
    .same_value       (front_same_value_0),
    .near_value       (front_near_value_0),
    .taking           (fit_taking[31:16]),
    .matching         (store_matching),
    .empty            (store_empty)
  );

  first_fit fit (
    .matching       (fit_matching),
    .empty          (fit_empty),
    .element        (slots_element_6),
    .scan           (slots_scan_6),
    .wipe           (slots_wipe_6),
    .taking         (fit_taking),
    .seen           (fit_seen),
    .lost           (fit_lost),
    .inserted       (fit_inserted),
    .inserted_back  (fit_inserted_back),
    .inserted_store (fit_inserted_store)
  );

  verdict_queue verdicts (
    .clock    (clock),
    .reset    (reset),
    .claim    (verdicts_claim),
    .tag      (s_item_tid),
    .push     (push),
    .flags    (verdict),
    .ready    (m_verdict_tready),
    .valid    (verdicts_valid),
    .data     (verdicts_data),
    .data_tag (verdicts_data_tag),
    .credit   (verdicts_credit)
  );

  register_file registers (
    .clock          (clock),
    .reset          (reset),
    .awvalid        (s_axil_awvalid),
    .awready        (registers_awready),
    .awaddr         (s_axil_awaddr),
    .wvalid         (s_axil_wvalid),
    .wready         (registers_wready),
    .wdata          (s_axil_wdata),
    .wstrb          (s_axil_wstrb),
    .bvalid         (registers_bvalid),
    .bready         (s_axil_bready),
    .bresp          (registers_bresp),
    .arvalid        (s_axil_arvalid),
    .arready        (registers_arready),
    .araddr         (s_axil_araddr),
    .rvalid         (registers_rvalid),
    .rready         (s_axil_rready),
    .rdata          (registers_rdata),
    .rresp          (registers_rresp),
    .live_0         (status),
    .counter_low_0  (counter_0_low),
    .counter_low_1  (counter_1_low),
    .counter_low_2  (counter_2_low),
    .counter_low_3  (counter_3_low),
    .counter_low_4  (counter_4_low),
    .counter_low_5  (counter_5_low),
    .counter_low_6  (counter_6_low),
    .counter_low_7  (counter_7_low),
    .counter_low_8  (counter_8_low),
    .counter_high_0 (counter_0_high),
    .counter_high_1 (counter_1_high),
    .counter_high_2 (counter_2_high),
    .counter_high_3 (counter_3_high),
    .counter_high_4 (counter_4_high),
    .counter_high_5 (counter_5_high),
    .counter_high_6 (counter_6_high),
    .counter_high_7 (counter_7_high),
    .counter_high_8 (counter_8_high),
    .finished       (sequencer_finished),
    .clear_pending  (registers_clear_pending),
    .write_pending  (registers_write_pending)
  );

  // counters, in the order of their registers
  event_counter counter_0 (
    .clock  (clock),
    .reset  (reset),
    .event_ (item),
    .low    (counter_0_low),
    .high   (counter_0_high)
  );

  event_counter counter_1 (
    .clock  (clock),
    .reset  (reset),
    .event_ (counter_1_event_),
    .low    (counter_1_low),
    .high   (counter_1_high)
  );

  event_counter counter_2 (
    .clock  (clock),
    .reset  (reset),
    .event_ (inserted),
    .low    (counter_2_low),
    .high   (counter_2_high)
  );

  event_counter counter_3 (
    .clock  (clock),
    .reset  (reset),
    .event_ (inserted_back),
    .low    (counter_3_low),
    .high   (counter_3_high)
  );

  event_counter counter_4 (
    .clock  (clock),
    .reset  (reset),
    .event_ (inserted_store),
    .low    (counter_4_low),
    .high   (counter_4_high)
  );

  event_counter counter_5 (
    .clock  (clock),
    .reset  (reset),
    .event_ (counter_5_event_),
    .low    (counter_5_low),
    .high   (counter_5_high)
  );

  event_counter counter_6 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_scan),
    .low    (counter_6_low),
    .high   (counter_6_high)
  );

  event_counter counter_7 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_control),
    .low    (counter_7_low),
    .high   (counter_7_high)
  );

  event_counter counter_8 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_verdict),
    .low    (counter_8_low),
    .high   (counter_8_high)
  );

  assign s_item_tready = sequencer_ready;

  // decision: front bucket, back bucket, store
  assign fit_matching = {store_matching, back_matching, front_matching};
  assign fit_empty = {store_empty, back_empty, front_empty};

  // verdict
  assign verdict_in = {fit_lost, fit_seen};
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign counter_1_event_ = item && verdict[0];
  assign counter_5_event_ = item && verdict[1];

  // registers
  assign status = no_status | {15'd0, sequencer_running} | ({11'd0, slots_generation} << 8);
  assign s_axil_awready = registers_awready;
  assign s_axil_wready = registers_wready;
  assign s_axil_bvalid = registers_bvalid;
  assign s_axil_bresp = registers_bresp;
  assign s_axil_arready = registers_arready;
  assign s_axil_rvalid = registers_rvalid;
  assign s_axil_rdata = registers_rdata;
  assign s_axil_rresp = registers_rresp;

  initial begin
    key = 104'd0;
    push = 1'b0;
    verdict = 2'd0;
    item = 1'b0;
    inserted = 1'b0;
    inserted_back = 1'b0;
    inserted_store = 1'b0;
  end

  always @(posedge clock) begin
    // hash and cells
    key <= s_item_tdata;
    verdict <= verdict_in;
    push <= slots_answer_6 && !reset;
    item <= slots_item_6 && !reset;
    inserted <= fit_inserted && !reset;
    inserted_back <= fit_inserted_back && !reset;
    inserted_store <= fit_inserted_store && !reset;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, registers_write_pending};
endmodule
