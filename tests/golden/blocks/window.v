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
  wire        registers_event_1;
  wire        registers_event_5;
  wire        registers_clear_pending;
  wire        registers_write_pending;

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

  // counters, in the order of their registers
  register_file registers (
    .clock         (clock),
    .reset         (reset),
    .awvalid       (s_axil_awvalid),
    .awready       (registers_awready),
    .awaddr        (s_axil_awaddr),
    .wvalid        (s_axil_wvalid),
    .wready        (registers_wready),
    .wdata         (s_axil_wdata),
    .wstrb         (s_axil_wstrb),
    .bvalid        (registers_bvalid),
    .bready        (s_axil_bready),
    .bresp         (registers_bresp),
    .arvalid       (s_axil_arvalid),
    .arready       (registers_arready),
    .araddr        (s_axil_araddr),
    .rvalid        (registers_rvalid),
    .rready        (s_axil_rready),
    .rdata         (registers_rdata),
    .rresp         (registers_rresp),
    .live_0        (status),
    .event_0       (item),
    .event_1       (registers_event_1),
    .event_2       (inserted),
    .event_3       (inserted_back),
    .event_4       (inserted_store),
    .event_5       (registers_event_5),
    .event_6       (sequencer_stall_scan),
    .event_7       (sequencer_stall_control),
    .event_8       (sequencer_stall_verdict),
    .finished      (sequencer_finished),
    .clear_pending (registers_clear_pending),
    .write_pending (registers_write_pending)
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
  assign registers_event_1 = item && verdict[0];
  assign registers_event_5 = item && verdict[1];

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
