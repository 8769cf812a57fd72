// Frames in, verdict, frames out: parsed for their keys while they are stored, sent on by the policies of their classes.
// Timing: packet.md.
module packet_path (
  input  wire         clock,
  input  wire         reset,          // no frame, counters 0, registers as the specification says
  input  wire         s_frame_tvalid, // frames in
  output wire         s_frame_tready,
  input  wire [7:0]   s_frame_tdata,
  input  wire         s_frame_tkeep,
  input  wire         s_frame_tlast,
  input  wire         s_frame_tuser,
  output wire         m_frame_tvalid, // frames out
  input  wire         m_frame_tready,
  output wire [7:0]   m_frame_tdata,
  output wire         m_frame_tkeep,
  output wire         m_frame_tlast,
  output wire [15:0]  m_frame_tuser,  // bytes of the frame
  output wire         item_tvalid,    // items to the filter
  input  wire         item_tready,
  output wire [103:0] item_tdata,     // key
  output reg  [1:0]   item_tuser,     // operation
  input  wire         verdict_tvalid, // verdicts from it
  output wire         verdict_tready,
  input  wire         verdict_seen,   // bit 0 of the verdict
  input  wire         awvalid,        // registers, AXI4-Lite
  output wire         awready,
  input  wire [8:0]   awaddr,
  input  wire         wvalid,
  output wire         wready,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  output wire         bvalid,
  input  wire         bready,
  output wire [1:0]   bresp,
  input  wire         arvalid,
  output wire         arready,
  input  wire [8:0]   araddr,
  output wire         rvalid,
  input  wire         rready,
  output wire [31:0]  rdata,
  output wire [1:0]   rresp,
  input  wire [10:0]  next_block      // register NEXT_BLOCK
);
  localparam [1:0] query           = 2'd0;
  localparam [1:0] test_and_insert = 2'd2;

  reg learn; // LEARN, held while an item is offered

  wire         standing;
  wire [59:0]  descriptor;
  wire         intake_s_tready;
  wire         intake_valid;
  wire         intake_last;
  wire         intake_bad;
  wire         intake_most;
  wire [7:0]   intake_data;
  wire         front_valid_out;
  wire         front_last_out;
  wire         front_most_out;
  wire [7:0]   front_data_out;
  wire [2:0]   front_class_;
  wire         front_keyed;
  wire         front_is_ip;
  wire         front_six;
  wire [4:0]   front_ip_place;
  wire [15:0]  front_adjust;
  wire [15:0]  front_bytes;
  wire [103:0] front_key;
  wire         store_write_enable;
  wire [13:0]  store_write_address;
  wire [14:0]  store_end_;
  wire         store_single;
  wire         store_keep;
  wire         store_keep_key;
  wire         store_overflow;
  wire [7:0]   buffer_read_data;
  wire         keys_full;
  wire         keys_valid;
  wire [103:0] keys_data;
  wire         keys_loads;
  wire         frames_full;
  wire         frames_verdict_ready;
  wire         frames_valid;
  wire [59:0]  frames_frame;
  wire         frames_follows;
  wire [2:0]   frames_class_behind;
  wire         egress_take;
  wire [14:0]  egress_read;
  wire [13:0]  egress_read_address;
  wire         egress_m_tvalid;
  wire [7:0]   egress_m_tdata;
  wire         egress_m_tkeep;
  wire         egress_m_tlast;
  wire [15:0]  egress_m_tuser;
  wire         egress_frame_taken_0;
  wire         egress_frame_taken_1;
  wire         egress_frame_taken_2;
  wire         egress_frame_taken_3;
  wire         egress_frame_taken_4;
  wire         egress_frame_taken_5;
  wire         egress_frame_taken_6;
  wire         egress_frame_taken_7;
  wire         egress_dropped;
  wire         egress_marked;
  wire         registers_awready;
  wire         registers_wready;
  wire         registers_bvalid;
  wire [1:0]   registers_bresp;
  wire         registers_arready;
  wire         registers_rvalid;
  wire [31:0]  registers_rdata;
  wire [1:0]   registers_rresp;
  wire         registers_learn;
  wire [15:0]  registers_max_frame;
  wire [13:0]  registers_policy_0;
  wire [13:0]  registers_policy_1;
  wire [13:0]  registers_policy_2;
  wire [13:0]  registers_policy_3;
  wire [13:0]  registers_policy_4;
  wire [13:0]  registers_policy_5;
  wire [13:0]  registers_policy_6;
  wire [13:0]  registers_policy_7;

  // in: parsed, then stored
  intake intake (
    .clock    (clock),
    .reset    (reset),
    .s_tvalid (s_frame_tvalid),
    .s_tready (intake_s_tready),
    .s_tdata  (s_frame_tdata),
    .s_tkeep  (s_frame_tkeep),
    .s_tlast  (s_frame_tlast),
    .s_tuser  (s_frame_tuser),
    .valid    (intake_valid),
    .last     (intake_last),
    .bad      (intake_bad),
    .most     (intake_most),
    .data     (intake_data)
  );

  front front (
    .clock     (clock),
    .reset     (reset),
    .valid     (intake_valid),
    .last      (intake_last),
    .bad       (intake_bad),
    .most      (intake_most),
    .data      (intake_data),
    .max_frame (registers_max_frame),
    .valid_out (front_valid_out),
    .last_out  (front_last_out),
    .most_out  (front_most_out),
    .data_out  (front_data_out),
    .class_    (front_class_),
    .keyed     (front_keyed),
    .is_ip     (front_is_ip),
    .six       (front_six),
    .ip_place  (front_ip_place),
    .adjust    (front_adjust),
    .bytes     (front_bytes),
    .key       (front_key)
  );

  frame_store store (
    .clock         (clock),
    .reset         (reset),
    .valid         (front_valid_out),
    .last          (front_last_out),
    .keyed         (front_keyed),
    .frames_full   (frames_full),
    .keys_full     (keys_full),
    .read          (egress_read),
    .write_enable  (store_write_enable),
    .write_address (store_write_address),
    .end_          (store_end_),
    .single        (store_single),
    .keep          (store_keep),
    .keep_key      (store_keep_key),
    .overflow      (store_overflow)
  );

  frame_memory buffer (
    .clock         (clock),
    .write_enable  (store_write_enable),
    .write_address (store_write_address),
    .write_data    (front_data_out),
    .read_address  (egress_read_address),
    .read_data     (buffer_read_data)
  );

  // keys to the filter
  key_queue keys (
    .clock   (clock),
    .reset   (reset),
    .push    (store_keep_key),
    .data_in (front_key),
    .full    (keys_full),
    .valid   (keys_valid),
    .data    (keys_data),
    .take    (item_tready),
    .loads   (keys_loads)
  );

  verdict_stage frames (
    .clock         (clock),
    .reset         (reset),
    .push          (store_keep),
    .frame_in      (descriptor),
    .full          (frames_full),
    .verdict_valid (verdict_tvalid),
    .verdict_ready (frames_verdict_ready),
    .seen          (verdict_seen),
    .valid         (frames_valid),
    .frame         (frames_frame),
    .take          (egress_take),
    .follows       (frames_follows),
    .class_behind  (frames_class_behind)
  );

  // registers
  egress egress (
    .clock         (clock),
    .reset         (reset),
    .frame_valid   (frames_valid),
    .frame         (frames_frame),
    .take          (egress_take),
    .follows       (frames_follows),
    .class_behind  (frames_class_behind),
    .policy_0      (registers_policy_0),
    .policy_1      (registers_policy_1),
    .policy_2      (registers_policy_2),
    .policy_3      (registers_policy_3),
    .policy_4      (registers_policy_4),
    .policy_5      (registers_policy_5),
    .policy_6      (registers_policy_6),
    .policy_7      (registers_policy_7),
    .read          (egress_read),
    .read_address  (egress_read_address),
    .read_data     (buffer_read_data),
    .m_tvalid      (egress_m_tvalid),
    .m_tready      (m_frame_tready),
    .m_tdata       (egress_m_tdata),
    .m_tkeep       (egress_m_tkeep),
    .m_tlast       (egress_m_tlast),
    .m_tuser       (egress_m_tuser),
    .frame_taken_0 (egress_frame_taken_0),
    .frame_taken_1 (egress_frame_taken_1),
    .frame_taken_2 (egress_frame_taken_2),
    .frame_taken_3 (egress_frame_taken_3),
    .frame_taken_4 (egress_frame_taken_4),
    .frame_taken_5 (egress_frame_taken_5),
    .frame_taken_6 (egress_frame_taken_6),
    .frame_taken_7 (egress_frame_taken_7),
    .dropped       (egress_dropped),
    .marked        (egress_marked)
  );

  path_registers registers (
    .clock      (clock),
    .reset      (reset),
    .awvalid    (awvalid),
    .awready    (registers_awready),
    .awaddr     (awaddr),
    .wvalid     (wvalid),
    .wready     (registers_wready),
    .wdata      (wdata),
    .wstrb      (wstrb),
    .bvalid     (registers_bvalid),
    .bready     (bready),
    .bresp      (registers_bresp),
    .arvalid    (arvalid),
    .arready    (registers_arready),
    .araddr     (araddr),
    .rvalid     (registers_rvalid),
    .rready     (rready),
    .rdata      (registers_rdata),
    .rresp      (registers_rresp),
    .learn      (registers_learn),
    .max_frame  (registers_max_frame),
    .policy_0   (registers_policy_0),
    .policy_1   (registers_policy_1),
    .policy_2   (registers_policy_2),
    .policy_3   (registers_policy_3),
    .policy_4   (registers_policy_4),
    .policy_5   (registers_policy_5),
    .policy_6   (registers_policy_6),
    .policy_7   (registers_policy_7),
    .event_0    (egress_frame_taken_0),
    .event_1    (egress_frame_taken_1),
    .event_2    (egress_frame_taken_2),
    .event_3    (egress_frame_taken_3),
    .event_4    (egress_frame_taken_4),
    .event_5    (egress_frame_taken_5),
    .event_6    (egress_frame_taken_6),
    .event_7    (egress_frame_taken_7),
    .event_8    (store_overflow),
    .event_9    (egress_dropped),
    .event_10   (egress_marked),
    .next_block (next_block)
  );

  assign s_frame_tready = intake_s_tready;
  assign standing = keys_valid && !item_tready;
  assign item_tvalid = keys_valid;
  assign item_tdata = keys_data;

  // frames to their verdicts, and out
  assign descriptor = {store_single, front_bytes, front_adjust, front_ip_place, front_six, front_is_ip, front_keyed, front_class_, front_most_out, store_end_};
  assign verdict_tready = frames_verdict_ready;
  assign m_frame_tvalid = egress_m_tvalid;
  assign m_frame_tdata = egress_m_tdata;
  assign m_frame_tkeep = egress_m_tkeep;
  assign m_frame_tlast = egress_m_tlast;
  assign m_frame_tuser = egress_m_tuser;
  assign awready = registers_awready;
  assign wready = registers_wready;
  assign bvalid = registers_bvalid;
  assign bresp = registers_bresp;
  assign arready = registers_arready;
  assign rvalid = registers_rvalid;
  assign rdata = registers_rdata;
  assign rresp = registers_rresp;

  initial begin
    learn = 1'b0;
  end

  always @* begin
    item_tuser = query;
    if (learn) begin
      item_tuser = test_and_insert;
    end
  end

  always @(posedge clock) begin
    if (!standing) begin
      learn <= registers_learn;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, keys_loads};
endmodule
