// Counting Bloom filter. Source: CBF: 524288 bits in 4 banks of cells of 4 bits.
// One item a clock. Timing: cells.md.
module hotkeys (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; empties the filter
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // 0 query, 1 insert, 2 test-and-insert, 3 remove
  input  wire [15:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [7:0]   m_verdict_tdata,  // {estimate, saturated, underflow, seen, reached}
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
  localparam [12:0] no_status     = 13'd0;
  localparam [31:0] no_word       = 32'd0;
  localparam [1:0]  bank_number_0 = 2'd0;
  localparam [1:0]  bank_number_1 = 2'd1;
  localparam [1:0]  bank_number_2 = 2'd2;
  localparam [1:0]  bank_number_3 = 2'd3;

  reg [103:0] key;
  reg         storing;   // the access stores; if not, it fetches
  reg         push;
  reg [7:0]   verdict;
  reg         item;
  reg         inserted;
  reg         removed_0;

  wire        seen;
  wire [3:0]  estimate_0;
  wire        saturated_0;
  wire        underflowed_0;
  wire [3:0]  above;
  wire [3:0]  full;
  reg         underflow_0;
  wire [13:0] array_address;
  wire [31:0] array_data;
  wire [1:0]  array_bank_0;
  wire        in_bank_0;
  wire        in_bank_1;
  wire        in_bank_2;
  wire        in_bank_3;
  reg  [31:0] array_word;
  wire [31:0] store_word;
  wire [3:0]  threshold_0;
  reg  [7:0]  verdict_in;
  wire        changed;
  wire [12:0] status;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_force_clear;
  wire        sequencer_access;
  wire        sequencer_access_pending;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_direct;
  wire [11:0] slots_direct_address;
  wire [3:0]  slots_writing;
  wire        slots_accessing;
  wire        slots_inserting;
  wire        slots_removing_0;
  wire        slots_clearing;
  wire        slots_recycled;
  wire        slots_fetched;
  wire        slots_item;
  wire        slots_inserted;
  wire        slots_removed_0;
  wire        slots_answering;
  wire [14:0] hash_index_0;
  wire [14:0] hash_index_1;
  wire [14:0] hash_index_2;
  wire [14:0] hash_index_3;
  wire        bank_0_storing;
  wire        bank_0_above;
  wire        bank_0_underflow_0;
  wire [3:0]  bank_0_cell_0;
  wire        bank_0_cell_full_0;
  wire [31:0] bank_0_word_6;
  wire        bank_0_full;
  wire        bank_1_storing;
  wire        bank_1_above;
  wire        bank_1_underflow_0;
  wire [3:0]  bank_1_cell_0;
  wire        bank_1_cell_full_0;
  wire [31:0] bank_1_word_6;
  wire        bank_1_full;
  wire        bank_2_storing;
  wire        bank_2_above;
  wire        bank_2_underflow_0;
  wire [3:0]  bank_2_cell_0;
  wire        bank_2_cell_full_0;
  wire [31:0] bank_2_word_6;
  wire        bank_2_full;
  wire        bank_3_storing;
  wire        bank_3_above;
  wire        bank_3_underflow_0;
  wire [3:0]  bank_3_cell_0;
  wire        bank_3_cell_full_0;
  wire [31:0] bank_3_word_6;
  wire        bank_3_full;
  wire        epochs_all_full;
  wire        epochs_phase;
  wire [3:0]  epochs_active_epoch;
  wire [3:0]  epochs_active_epoch_6;
  wire [3:0]  epochs_write_epoch;
  wire        epochs_covered;
  wire        epochs_blocked;
  wire [3:0]  epochs_spare;
  wire [3:0]  least_0_least;
  wire        least_0_full;
  wire        above_line_0_d;
  wire        above_line_0_q;
  wire        underflow_line_0_q;
  wire        verdicts_claim;
  wire        verdicts_valid;
  wire [7:0]  verdicts_data;
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
  wire        registers_event_4;
  wire        registers_event_5;
  wire        registers_load_0;
  wire [3:0]  registers_value_0;
  wire [13:0] registers_value_1;
  wire [31:0] registers_value_2;
  wire        registers_stored_0;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire [3:0]  estimate_word_0_input;

  // admission
  cell_sequencer sequencer (
    .clock          (clock),
    .reset          (reset),
    .valid          (s_item_tvalid),
    .clear_pending  (registers_clear_pending),
    .write_pending  (registers_write_pending),
    .blocked        (epochs_blocked),
    .credit         (verdicts_credit),
    .ready          (sequencer_ready),
    .accept         (sequencer_accept),
    .force_clear    (sequencer_force_clear),
    .access         (sequencer_access),
    .access_pending (sequencer_access_pending),
    .finished       (sequencer_finished),
    .running        (sequencer_running),
    .stall_control  (sequencer_stall_control),
    .stall_verdict  (sequencer_stall_verdict)
  );

  // slots, hash and banks
  cell_slots slots (
    .clock          (clock),
    .reset          (reset),
    .accept         (sequencer_accept),
    .operation      (s_item_tuser),
    .force_clear    (sequencer_force_clear),
    .access         (sequencer_access),
    .access_address (array_address[11:0]),
    .covered        (epochs_covered),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .writing        (slots_writing),
    .accessing      (slots_accessing),
    .inserting      (slots_inserting),
    .removing_0     (slots_removing_0),
    .clearing       (slots_clearing),
    .recycled       (slots_recycled),
    .fetched        (slots_fetched),
    .item           (slots_item),
    .inserted       (slots_inserted),
    .removed_0      (slots_removed_0),
    .answering      (slots_answering)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1),
    .index_2 (hash_index_2),
    .index_3 (hash_index_3)
  );

  cell_bank bank_0 (
    .clock          (clock),
    .index          (hash_index_0),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .writing        (slots_writing),
    .storing        (bank_0_storing),
    .store_word     (store_word),
    .epoch          (epochs_active_epoch),
    .inserting      (slots_inserting),
    .removing_0     (slots_removing_0),
    .write_epoch    (epochs_write_epoch),
    .recycled       (slots_recycled),
    .above          (bank_0_above),
    .underflow_0    (bank_0_underflow_0),
    .cell_0         (bank_0_cell_0),
    .cell_full_0    (bank_0_cell_full_0),
    .word_6         (bank_0_word_6),
    .full           (bank_0_full)
  );

  cell_bank bank_1 (
    .clock          (clock),
    .index          (hash_index_1),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .writing        (slots_writing),
    .storing        (bank_1_storing),
    .store_word     (store_word),
    .epoch          (epochs_active_epoch),
    .inserting      (slots_inserting),
    .removing_0     (slots_removing_0),
    .write_epoch    (epochs_write_epoch),
    .recycled       (slots_recycled),
    .above          (bank_1_above),
    .underflow_0    (bank_1_underflow_0),
    .cell_0         (bank_1_cell_0),
    .cell_full_0    (bank_1_cell_full_0),
    .word_6         (bank_1_word_6),
    .full           (bank_1_full)
  );

  cell_bank bank_2 (
    .clock          (clock),
    .index          (hash_index_2),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .writing        (slots_writing),
    .storing        (bank_2_storing),
    .store_word     (store_word),
    .epoch          (epochs_active_epoch),
    .inserting      (slots_inserting),
    .removing_0     (slots_removing_0),
    .write_epoch    (epochs_write_epoch),
    .recycled       (slots_recycled),
    .above          (bank_2_above),
    .underflow_0    (bank_2_underflow_0),
    .cell_0         (bank_2_cell_0),
    .cell_full_0    (bank_2_cell_full_0),
    .word_6         (bank_2_word_6),
    .full           (bank_2_full)
  );

  cell_bank bank_3 (
    .clock          (clock),
    .index          (hash_index_3),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .writing        (slots_writing),
    .storing        (bank_3_storing),
    .store_word     (store_word),
    .epoch          (epochs_active_epoch),
    .inserting      (slots_inserting),
    .removing_0     (slots_removing_0),
    .write_epoch    (epochs_write_epoch),
    .recycled       (slots_recycled),
    .above          (bank_3_above),
    .underflow_0    (bank_3_underflow_0),
    .cell_0         (bank_3_cell_0),
    .cell_full_0    (bank_3_cell_full_0),
    .word_6         (bank_3_word_6),
    .full           (bank_3_full)
  );

  epoch_guard epochs (
    .clock          (clock),
    .trip           (slots_clearing),
    .recycled       (slots_recycled),
    .all_full       (epochs_all_full),
    .phase          (epochs_phase),
    .active_epoch   (epochs_active_epoch),
    .active_epoch_6 (epochs_active_epoch_6),
    .write_epoch    (epochs_write_epoch),
    .covered        (epochs_covered),
    .blocked        (epochs_blocked),
    .spare          (epochs_spare)
  );

  least_tree least_0 (
    .clock       (clock),
    .cell_0      (bank_0_cell_0),
    .cell_1      (bank_1_cell_0),
    .cell_2      (bank_2_cell_0),
    .cell_3      (bank_3_cell_0),
    .cell_full_0 (bank_0_cell_full_0),
    .cell_full_1 (bank_1_cell_full_0),
    .cell_full_2 (bank_2_cell_full_0),
    .cell_full_3 (bank_3_cell_full_0),
    .least       (least_0_least),
    .full        (least_0_full)
  );

  delay_1x2 above_line_0 (
    .clock (clock),
    .d     (above_line_0_d),
    .q     (above_line_0_q)
  );

  delay_1x2 underflow_line_0 (
    .clock (clock),
    .d     (underflow_0),
    .q     (underflow_line_0_q)
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
    .event_3       (removed_0),
    .event_4       (registers_event_4),
    .event_5       (registers_event_5),
    .event_6       (sequencer_stall_control),
    .event_7       (sequencer_stall_verdict),
    .hold_reads_0  (sequencer_access_pending),
    .finished      (sequencer_finished),
    .load_0        (registers_load_0),
    .load_value_0  (array_word),
    .value_0       (registers_value_0),
    .value_1       (registers_value_1),
    .value_2       (registers_value_2),
    .stored_0      (registers_stored_0),
    .clear_pending (registers_clear_pending),
    .write_pending (registers_write_pending)
  );

  assign s_item_tready = sequencer_ready;

  // access to the array: word of each bank, and which bank it is about
  assign array_address = registers_value_1;
  assign array_data = registers_value_2;
  assign store_word = array_data;
  assign array_bank_0 = array_address[13:12];
  assign in_bank_0 = array_bank_0 == bank_number_0;
  assign in_bank_1 = array_bank_0 == bank_number_1;
  assign in_bank_2 = array_bank_0 == bank_number_2;
  assign in_bank_3 = array_bank_0 == bank_number_3;
  assign bank_0_storing = slots_accessing && storing && in_bank_0;
  assign above[0] = bank_0_above;
  assign full[0] = bank_0_full;
  assign bank_1_storing = slots_accessing && storing && in_bank_1;
  assign above[1] = bank_1_above;
  assign full[1] = bank_1_full;
  assign bank_2_storing = slots_accessing && storing && in_bank_2;
  assign above[2] = bank_2_above;
  assign full[2] = bank_2_full;
  assign bank_3_storing = slots_accessing && storing && in_bank_3;
  assign above[3] = bank_3_above;
  assign full[3] = bank_3_full;
  assign epochs_all_full = &full;

  // verdict
  assign above_line_0_d = &above;
  assign seen = above_line_0_q;
  assign estimate_0 = least_0_least;
  assign saturated_0 = least_0_full;
  assign underflowed_0 = underflow_line_0_q;
  assign threshold_0 = registers_value_0;
  assign estimate_word_0_input = estimate_0;
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign registers_event_1 = item && verdict[0];
  assign changed = inserted || removed_0;
  assign registers_event_4 = removed_0 && verdict[2];
  assign registers_event_5 = changed && verdict[3];

  // registers
  assign status = no_status | {12'd0, sequencer_running} | ({9'd0, epochs_active_epoch} << 4) | ({9'd0, epochs_spare} << 8) | ({12'd0, epochs_covered} << 12);
  assign registers_load_0 = slots_fetched && !storing;
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
    storing = 1'b0;
    push = 1'b0;
    verdict = 8'd0;
    item = 1'b0;
    inserted = 1'b0;
    removed_0 = 1'b0;
  end

  always @* begin
    underflow_0 = 1'b0;
    underflow_0 = underflow_0 || bank_0_underflow_0;
    underflow_0 = underflow_0 || bank_1_underflow_0;
    underflow_0 = underflow_0 || bank_2_underflow_0;
    underflow_0 = underflow_0 || bank_3_underflow_0;
  end

  always @* begin
    array_word = no_word;
    if (in_bank_0) begin
      array_word = array_word | bank_0_word_6;
    end
    if (in_bank_1) begin
      array_word = array_word | bank_1_word_6;
    end
    if (in_bank_2) begin
      array_word = array_word | bank_2_word_6;
    end
    if (in_bank_3) begin
      array_word = array_word | bank_3_word_6;
    end
  end

  always @* begin
    verdict_in = {4'd0, estimate_word_0_input} << 4;
    verdict_in[0] = estimate_0 >= threshold_0;
    verdict_in[1] = seen;
    verdict_in[3] = saturated_0;
    verdict_in[2] = underflowed_0;
  end

  always @(posedge clock) begin
    if (registers_stored_0) begin
      storing <= 1'b1;
    end else if (sequencer_finished || reset) begin
      storing <= 1'b0;
    end
    key <= s_item_tdata;
    verdict <= verdict_in;
    push <= slots_answering && !reset;
    item <= slots_item && !reset;
    inserted <= slots_inserted && !reset;
    removed_0 <= slots_removed_0 && !reset;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, epochs_phase, epochs_active_epoch_6};
endmodule
