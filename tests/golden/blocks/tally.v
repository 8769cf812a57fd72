// Counting Bloom filter: 131072 single counters of 4 bits in 4 banks. Source: CBF.
// One item a clock. Timing: single-bits.md.
module tally (
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
  localparam [1:0]  bank_number_0 = 2'd0;
  localparam [1:0]  bank_number_1 = 2'd1;
  localparam [1:0]  bank_number_2 = 2'd2;
  localparam [1:0]  bank_number_3 = 2'd3;
  localparam [12:0] no_status     = 13'd0;
  localparam [3:0]  no_cell       = 4'd0;
  localparam [5:0]  no_direct     = 6'd0;

  reg [103:0] key;
  reg         storing;     // the access stores; if not, it fetches
  reg [5:0]   direct_line; // bit i: a counter for the host, or one to erase, stands in stage 1 + i
  reg         push;
  reg [7:0]   verdict;
  reg         item;
  reg         inserted;
  reg         removed;

  wire [13:0] array_address;
  wire [1:0]  array_bank;
  wire [3:0]  in_bank;
  reg  [3:0]  array_cell;
  wire        direct;
  reg  [14:0] direct_position;
  wire [3:0]  ahead;
  wire [3:0]  underflow;
  wire [3:0]  threshold;
  reg  [7:0]  verdict_in;
  wire [3:0]  present;
  wire [12:0] status;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_force_clear;
  wire        sequencer_access;
  wire        sequencer_access_pending;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_erasing;
  wire [14:0] sequencer_row;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_inserting_3;
  wire        slots_removing_3;
  wire [3:0]  slots_ahead;
  wire        slots_item;
  wire        slots_inserting;
  wire        slots_removing;
  wire        slots_answering;
  wire [14:0] hash_index_0;
  wire [14:0] hash_index_1;
  wire [14:0] hash_index_2;
  wire [14:0] hash_index_3;
  wire        counter_bank_0_storing;
  wire        counter_bank_0_above;
  wire        counter_bank_0_underflow;
  wire [3:0]  counter_bank_0_count;
  wire        counter_bank_0_full;
  wire        counter_bank_1_storing;
  wire        counter_bank_1_above;
  wire        counter_bank_1_underflow;
  wire [3:0]  counter_bank_1_count;
  wire        counter_bank_1_full;
  wire        counter_bank_2_storing;
  wire        counter_bank_2_above;
  wire        counter_bank_2_underflow;
  wire [3:0]  counter_bank_2_count;
  wire        counter_bank_2_full;
  wire        counter_bank_3_storing;
  wire        counter_bank_3_above;
  wire        counter_bank_3_underflow;
  wire [3:0]  counter_bank_3_count;
  wire        counter_bank_3_full;
  wire        access_direct;
  wire [14:0] access_position;
  wire [3:0]  access_writing;
  wire [3:0]  access_value;
  wire        access_load;
  wire [31:0] access_word;
  wire        access_done;
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
  wire [3:0]  registers_value_0;
  wire [13:0] registers_value_1;
  wire [31:0] registers_value_2;
  wire        registers_stored_0;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire        erase_line_q;
  wire [3:0]  least_cell_least;
  wire        least_cell_full;
  wire        seen_line_d;
  wire        seen_line_q;
  wire        underflow_line_d;
  wire        underflow_line_q;

  // admission
  cell_sequencer sequencer (
    .clock          (clock),
    .reset          (reset),
    .valid          (s_item_tvalid),
    .clear_pending  (registers_clear_pending),
    .write_pending  (registers_write_pending),
    .blocked        (1'b0),
    .credit         (verdicts_credit),
    .ready          (sequencer_ready),
    .accept         (sequencer_accept),
    .force_clear    (sequencer_force_clear),
    .access_done    (access_done),
    .access         (sequencer_access),
    .access_pending (sequencer_access_pending),
    .finished       (sequencer_finished),
    .running        (sequencer_running),
    .erasing        (sequencer_erasing),
    .row            (sequencer_row),
    .stall_control  (sequencer_stall_control),
    .stall_verdict  (sequencer_stall_verdict)
  );

  in_place_slots slots (
    .clock       (clock),
    .reset       (reset),
    .accept      (sequencer_accept),
    .operation   (s_item_tuser),
    .inserting_3 (slots_inserting_3),
    .removing_3  (slots_removing_3),
    .ahead       (slots_ahead),
    .item        (slots_item),
    .inserting   (slots_inserting),
    .removing    (slots_removing),
    .answering   (slots_answering)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1),
    .index_2 (hash_index_2),
    .index_3 (hash_index_3)
  );

  // banks
  counter_bank counter_bank_0 (
    .clock           (clock),
    .index           (hash_index_0),
    .direct          (direct),
    .direct_position (direct_position),
    .ahead           (ahead),
    .storing         (counter_bank_0_storing),
    .store_value     (access_value),
    .inserting       (slots_inserting_3),
    .removing        (slots_removing_3),
    .above           (counter_bank_0_above),
    .underflow       (counter_bank_0_underflow),
    .count           (counter_bank_0_count),
    .full            (counter_bank_0_full)
  );

  counter_bank counter_bank_1 (
    .clock           (clock),
    .index           (hash_index_1),
    .direct          (direct),
    .direct_position (direct_position),
    .ahead           (ahead),
    .storing         (counter_bank_1_storing),
    .store_value     (access_value),
    .inserting       (slots_inserting_3),
    .removing        (slots_removing_3),
    .above           (counter_bank_1_above),
    .underflow       (counter_bank_1_underflow),
    .count           (counter_bank_1_count),
    .full            (counter_bank_1_full)
  );

  counter_bank counter_bank_2 (
    .clock           (clock),
    .index           (hash_index_2),
    .direct          (direct),
    .direct_position (direct_position),
    .ahead           (ahead),
    .storing         (counter_bank_2_storing),
    .store_value     (access_value),
    .inserting       (slots_inserting_3),
    .removing        (slots_removing_3),
    .above           (counter_bank_2_above),
    .underflow       (counter_bank_2_underflow),
    .count           (counter_bank_2_count),
    .full            (counter_bank_2_full)
  );

  counter_bank counter_bank_3 (
    .clock           (clock),
    .index           (hash_index_3),
    .direct          (direct),
    .direct_position (direct_position),
    .ahead           (ahead),
    .storing         (counter_bank_3_storing),
    .store_value     (access_value),
    .inserting       (slots_inserting_3),
    .removing        (slots_removing_3),
    .above           (counter_bank_3_above),
    .underflow       (counter_bank_3_underflow),
    .count           (counter_bank_3_count),
    .full            (counter_bank_3_full)
  );

  word_access access (
    .clock        (clock),
    .reset        (reset),
    .issue        (sequencer_access),
    .storing      (storing),
    .word_address (array_address[11:0]),
    .data         (registers_value_2),
    .in_bank      (in_bank),
    .found        (array_cell),
    .direct       (access_direct),
    .position     (access_position),
    .writing      (access_writing),
    .value        (access_value),
    .load         (access_load),
    .word         (access_word),
    .done         (access_done)
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
    .event_3       (removed),
    .event_4       (registers_event_4),
    .event_5       (registers_event_5),
    .event_6       (sequencer_stall_control),
    .event_7       (sequencer_stall_verdict),
    .hold_reads_0  (sequencer_access_pending),
    .finished      (sequencer_finished),
    .load_0        (access_load),
    .load_value_0  (access_word),
    .value_0       (registers_value_0),
    .value_1       (registers_value_1),
    .value_2       (registers_value_2),
    .stored_0      (registers_stored_0),
    .clear_pending (registers_clear_pending),
    .write_pending (registers_write_pending)
  );

  delay_1x2 erase_line (
    .clock (clock),
    .d     (sequencer_erasing),
    .q     (erase_line_q)
  );

  least_tree least_cell (
    .clock       (clock),
    .cell_0      (counter_bank_0_count),
    .cell_1      (counter_bank_1_count),
    .cell_2      (counter_bank_2_count),
    .cell_3      (counter_bank_3_count),
    .cell_full_0 (counter_bank_0_full),
    .cell_full_1 (counter_bank_1_full),
    .cell_full_2 (counter_bank_2_full),
    .cell_full_3 (counter_bank_3_full),
    .least       (least_cell_least),
    .full        (least_cell_full)
  );

  delay_1x2 seen_line (
    .clock (clock),
    .d     (seen_line_d),
    .q     (seen_line_q)
  );

  delay_1x2 underflow_line (
    .clock (clock),
    .d     (underflow_line_d),
    .q     (underflow_line_q)
  );

  assign s_item_tready = sequencer_ready;

  // a word for the host, cell by cell
  assign array_address = registers_value_1;
  assign array_bank = array_address[13:12];
  assign in_bank[0] = array_bank == bank_number_0;
  assign in_bank[1] = array_bank == bank_number_1;
  assign in_bank[2] = array_bank == bank_number_2;
  assign in_bank[3] = array_bank == bank_number_3;
  assign direct = sequencer_erasing || access_direct;
  assign ahead = slots_ahead | direct_line[5:2];
  assign underflow[0] = counter_bank_0_underflow;
  assign counter_bank_0_storing = erase_line_q || access_writing[0];
  assign present[0] = counter_bank_0_above;
  assign underflow[1] = counter_bank_1_underflow;
  assign counter_bank_1_storing = erase_line_q || access_writing[1];
  assign present[1] = counter_bank_1_above;
  assign underflow[2] = counter_bank_2_underflow;
  assign counter_bank_2_storing = erase_line_q || access_writing[2];
  assign present[2] = counter_bank_2_above;
  assign underflow[3] = counter_bank_3_underflow;
  assign counter_bank_3_storing = erase_line_q || access_writing[3];
  assign present[3] = counter_bank_3_above;

  // verdict
  assign seen_line_d = &present;
  assign threshold = registers_value_0;
  assign underflow_line_d = |underflow;
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign registers_event_1 = item && verdict[0];
  assign registers_event_4 = removed && verdict[2];
  assign registers_event_5 = (inserted || removed) && verdict[3];

  // registers
  assign status = no_status | {12'd0, sequencer_running} | ({12'd0, sequencer_running} << 12);
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
    direct_line = 6'd0;
    push = 1'b0;
    verdict = 8'd0;
    item = 1'b0;
    inserted = 1'b0;
    removed = 1'b0;
  end

  always @* begin
    // a counter for the host, or one to erase, in stage 0
    direct_position = sequencer_row;
    if (access_direct) begin
      direct_position = access_position;
    end
  end

  always @* begin
    array_cell = no_cell;
    if (in_bank[0]) begin
      array_cell = array_cell | counter_bank_0_count;
    end
    if (in_bank[1]) begin
      array_cell = array_cell | counter_bank_1_count;
    end
    if (in_bank[2]) begin
      array_cell = array_cell | counter_bank_2_count;
    end
    if (in_bank[3]) begin
      array_cell = array_cell | counter_bank_3_count;
    end
  end

  always @* begin
    verdict_in = {4'd0, least_cell_least} << 4;
    verdict_in[0] = least_cell_least >= threshold;
    verdict_in[1] = seen_line_q;
    verdict_in[2] = underflow_line_q;
    verdict_in[3] = least_cell_full;
  end

  always @(posedge clock) begin
    // hash
    key <= s_item_tdata;
    if (registers_stored_0) begin
      storing <= 1'b1;
    end else if (sequencer_finished || reset) begin
      storing <= 1'b0;
    end
    direct_line <= {direct_line[4:0], direct};
    if (reset) begin
      direct_line <= no_direct;
    end
    verdict <= verdict_in;
    push <= slots_answering && !reset;
    item <= slots_item && !reset;
    inserted <= slots_inserting && !reset;
    removed <= slots_removing && !reset;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, sequencer_force_clear};
endmodule
