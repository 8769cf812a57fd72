// Counting Bloom filter, updated conservatively. Sources: CBF; Estan and Varghese, SIGCOMM 2002: 65536 bits in 1 bank(s) of cells of 4 bit(s).
// A query in 4 clocks, a probe in each; an insertion in 12: 4 probes look, 4 raise. Timing: cells.md.
module trending (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; empties the filter
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // 0 query, 1 insert, 2 and 3 test-and-insert
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
  localparam [12:0] no_status = 13'd0;
  localparam [31:0] no_word   = 32'd0;

  reg [103:0] key;
  reg         storing;  // the access stores; if not, it fetches
  reg         push;
  reg [7:0]   verdict;
  reg         item;
  reg         inserted;

  wire        seen;
  wire [3:0]  estimate_0;
  wire        saturated_0;
  wire        above;
  wire        full;
  wire [10:0] array_address;
  wire [31:0] array_data;
  wire        in_bank_0;
  reg  [31:0] array_word;
  wire [31:0] store_word;
  wire [3:0]  threshold_0;
  reg  [7:0]  verdict_in;
  wire        changed;
  wire [12:0] status;
  wire        sequencer_inserting_0;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_force_clear;
  wire        sequencer_access;
  wire        sequencer_access_pending;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_probing_0;
  wire        sequencer_last_0;
  wire        sequencer_raising_0;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_direct;
  wire [10:0] slots_direct_address;
  wire [3:0]  slots_writing;
  wire        slots_accessing;
  wire        slots_inserting;
  wire        slots_clearing;
  wire        slots_recycled;
  wire        slots_fetched;
  wire        slots_item;
  wire        slots_inserted;
  wire        slots_answering;
  wire        slots_entering_raise_0;
  wire        slots_looked_0;
  wire        slots_level_wanted_0;
  wire [13:0] hash_index_0;
  wire [13:0] hash_index_1;
  wire [13:0] hash_index_2;
  wire [13:0] hash_index_3;
  wire [13:0] probes_0_index;
  wire [13:0] raise_index_0_q;
  wire        entering_0_q;
  reg  [13:0] bank_0_index;
  wire        bank_0_storing;
  wire        bank_0_above;
  wire [3:0]  bank_0_cell_0;
  wire        bank_0_cell_full_0;
  wire [31:0] bank_0_word_6;
  wire        bank_0_full;
  wire        epochs_phase;
  wire [3:0]  epochs_active_epoch;
  wire [3:0]  epochs_active_epoch_6;
  wire [3:0]  epochs_write_epoch;
  wire        epochs_covered;
  wire        epochs_blocked;
  wire [3:0]  epochs_spare;
  wire        first_0_q;
  wire        fold_0_seen;
  wire [3:0]  fold_0_least_0;
  wire        fold_0_full_0;
  wire [3:0]  level_0_level;
  wire        level_0_seen_before;
  wire        level_0_saturated;
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
  wire        registers_event_3;
  wire        registers_load_0;
  wire [3:0]  registers_value_0;
  wire [10:0] registers_value_1;
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
    .inserting_0    (sequencer_inserting_0),
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
    .probing_0      (sequencer_probing_0),
    .last_0         (sequencer_last_0),
    .raising_0      (sequencer_raising_0),
    .stall_control  (sequencer_stall_control),
    .stall_verdict  (sequencer_stall_verdict)
  );

  // slots, hash and banks
  cell_slots slots (
    .clock            (clock),
    .reset            (reset),
    .accept           (sequencer_accept),
    .operation        (s_item_tuser),
    .probing_0        (sequencer_probing_0),
    .last_0           (sequencer_last_0),
    .raising_0        (sequencer_raising_0),
    .force_clear      (sequencer_force_clear),
    .access           (sequencer_access),
    .access_address   (array_address),
    .covered          (epochs_covered),
    .direct           (slots_direct),
    .direct_address   (slots_direct_address),
    .writing          (slots_writing),
    .accessing        (slots_accessing),
    .inserting        (slots_inserting),
    .clearing         (slots_clearing),
    .recycled         (slots_recycled),
    .fetched          (slots_fetched),
    .item             (slots_item),
    .inserted         (slots_inserted),
    .answering        (slots_answering),
    .entering_raise_0 (slots_entering_raise_0),
    .looked_0         (slots_looked_0),
    .level_wanted_0   (slots_level_wanted_0)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1),
    .index_2 (hash_index_2),
    .index_3 (hash_index_3)
  );

  probe_line probes_0 (
    .clock      (clock),
    .load       (entering_0_q),
    .position_0 (hash_index_0),
    .position_1 (hash_index_1),
    .position_2 (hash_index_2),
    .position_3 (hash_index_3),
    .index      (probes_0_index)
  );

  // a raise goes where its look went
  delay_14x8 raise_index_0 (
    .clock (clock),
    .d     (probes_0_index),
    .q     (raise_index_0_q)
  );

  delay_1x4 entering_0 (
    .clock (clock),
    .d     (sequencer_accept),
    .q     (entering_0_q)
  );

  cell_bank bank_0 (
    .clock          (clock),
    .index          (bank_0_index),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .writing        (slots_writing),
    .storing        (bank_0_storing),
    .store_word     (store_word),
    .epoch          (epochs_active_epoch),
    .inserting      (slots_inserting),
    .amount_0       (level_0_level),
    .write_epoch    (epochs_write_epoch),
    .recycled       (slots_recycled),
    .above          (bank_0_above),
    .cell_0         (bank_0_cell_0),
    .cell_full_0    (bank_0_cell_full_0),
    .word_6         (bank_0_word_6),
    .full           (bank_0_full)
  );

  epoch_guard epochs (
    .clock          (clock),
    .trip           (slots_clearing),
    .recycled       (slots_recycled),
    .all_full       (full),
    .phase          (epochs_phase),
    .active_epoch   (epochs_active_epoch),
    .active_epoch_6 (epochs_active_epoch_6),
    .write_epoch    (epochs_write_epoch),
    .covered        (epochs_covered),
    .blocked        (epochs_blocked),
    .spare          (epochs_spare)
  );

  // verdict
  delay_1x7 first_0 (
    .clock (clock),
    .d     (entering_0_q),
    .q     (first_0_q)
  );

  item_fold fold_0 (
    .clock       (clock),
    .first       (first_0_q),
    .above       (above),
    .cell_0      (bank_0_cell_0),
    .cell_full_0 (bank_0_cell_full_0),
    .seen        (fold_0_seen),
    .least_0     (fold_0_least_0),
    .full_0      (fold_0_full_0)
  );

  // what an insertion makes of the least
  item_level level_0 (
    .clock       (clock),
    .looked      (slots_looked_0),
    .inserting   (slots_level_wanted_0),
    .least       (fold_0_least_0),
    .seen        (fold_0_seen),
    .full        (fold_0_full_0),
    .level       (level_0_level),
    .seen_before (level_0_seen_before),
    .saturated   (level_0_saturated)
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
    .event_3       (registers_event_3),
    .event_4       (sequencer_stall_control),
    .event_5       (sequencer_stall_verdict),
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
  assign in_bank_0 = 1'b1;
  assign sequencer_inserting_0 = s_item_tuser != 2'd0;
  assign bank_0_storing = slots_accessing && storing && in_bank_0;
  assign above = bank_0_above;
  assign full = bank_0_full;
  assign estimate_0 = level_0_level;
  assign seen = level_0_seen_before;
  assign saturated_0 = level_0_saturated;
  assign threshold_0 = registers_value_0;
  assign estimate_word_0_input = estimate_0;
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;

  // counters, in the order of their registers
  assign changed = inserted;
  assign registers_event_1 = item && verdict[0];
  assign registers_event_3 = changed && verdict[3];

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
  end

  always @* begin
    bank_0_index = probes_0_index;
    if (slots_entering_raise_0) begin
      bank_0_index = raise_index_0_q;
    end
  end

  always @* begin
    array_word = no_word;
    if (in_bank_0) begin
      array_word = array_word | bank_0_word_6;
    end
  end

  always @* begin
    verdict_in = {4'd0, estimate_word_0_input} << 4;
    verdict_in[0] = estimate_0 >= threshold_0;
    verdict_in[1] = seen;
    verdict_in[3] = saturated_0;
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
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, epochs_phase, epochs_active_epoch_6};
endmodule
