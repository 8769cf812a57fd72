// The filter in_line in a packet path: frames in, verdict, frames out. Timing: packet.md.
module in_line_path_axil (
  input  wire        clock,
  input  wire        reset,          // synchronous, active high; empties filter and buffers
  input  wire        s_frame_tvalid, // frames in, without preamble and FCS
  output wire        s_frame_tready, // always but behind a reset: what there is no room for is dropped
  input  wire [7:0]  s_frame_tdata,  // lowest byte first
  input  wire        s_frame_tlast,
  input  wire        s_frame_tuser,  // with the last beat: the frame is bad
  output wire        m_frame_tvalid, // frames out
  input  wire        m_frame_tready,
  output wire [7:0]  m_frame_tdata,
  output wire        m_frame_tlast,
  output wire [15:0] m_frame_tuser,  // bytes of the frame
  input  wire        s_axil_awvalid, // registers, AXI4-Lite
  output wire        s_axil_awready,
  input  wire [9:0]  s_axil_awaddr,  // byte address
  input  wire        s_axil_wvalid,
  output wire        s_axil_wready,
  input  wire [31:0] s_axil_wdata,
  input  wire [3:0]  s_axil_wstrb,
  output wire        s_axil_bvalid,
  input  wire        s_axil_bready,
  output wire [1:0]  s_axil_bresp,
  input  wire        s_axil_arvalid,
  output wire        s_axil_arready,
  input  wire [9:0]  s_axil_araddr,  // byte address
  output wire        s_axil_rvalid,
  input  wire        s_axil_rready,
  output wire [31:0] s_axil_rdata,
  output wire [1:0]  s_axil_rresp
);
  localparam [15:0] no_tag   = 16'd0; // verdicts come in the order of the items
  localparam [10:0] no_block = 11'd0; // the path's registers are the last
  localparam        whole    = 1'b1;  // a beat is a byte

  wire         path_s_frame_tready;
  wire         path_m_frame_tvalid;
  wire [7:0]   path_m_frame_tdata;
  wire         path_m_frame_tkeep;
  wire         path_m_frame_tlast;
  wire [15:0]  path_m_frame_tuser;
  wire         path_item_tvalid;
  wire [103:0] path_item_tdata;
  wire [1:0]   path_item_tuser;
  wire         path_verdict_tready;
  wire         path_awready;
  wire         path_wready;
  wire         path_bvalid;
  wire [1:0]   path_bresp;
  wire         path_arready;
  wire         path_rvalid;
  wire [31:0]  path_rdata;
  wire [1:0]   path_rresp;
  wire         card_s_item_tready;
  wire         card_m_verdict_tvalid;
  wire [3:0]   card_m_verdict_tdata;
  wire [15:0]  card_m_verdict_tid;
  wire         card_s_axil_awready;
  wire         card_s_axil_wready;
  wire         card_s_axil_bvalid;
  wire [1:0]   card_s_axil_bresp;
  wire         card_s_axil_arready;
  wire         card_s_axil_rvalid;
  wire [31:0]  card_s_axil_rdata;
  wire [1:0]   card_s_axil_rresp;
  wire         split_awready;
  wire         split_wready;
  wire         split_bvalid;
  wire [1:0]   split_bresp;
  wire         split_arready;
  wire         split_rvalid;
  wire [31:0]  split_rdata;
  wire [1:0]   split_rresp;
  wire         split_filter_awvalid;
  wire         split_filter_wvalid;
  wire         split_filter_arvalid;
  wire         split_port_awvalid;
  wire         split_port_wvalid;
  wire         split_port_arvalid;
  wire [8:0]   split_slave_awaddr;
  wire [8:0]   split_slave_araddr;

  // frames
  // writes
  packet_path path (
    .clock          (clock),
    .reset          (reset),
    .s_frame_tvalid (s_frame_tvalid),
    .s_frame_tready (path_s_frame_tready),
    .s_frame_tdata  (s_frame_tdata),
    .s_frame_tkeep  (whole),
    .s_frame_tlast  (s_frame_tlast),
    .s_frame_tuser  (s_frame_tuser),
    .m_frame_tvalid (path_m_frame_tvalid),
    .m_frame_tready (m_frame_tready),
    .m_frame_tdata  (path_m_frame_tdata),
    .m_frame_tkeep  (path_m_frame_tkeep),
    .m_frame_tlast  (path_m_frame_tlast),
    .m_frame_tuser  (path_m_frame_tuser),
    .item_tvalid    (path_item_tvalid),
    .item_tready    (card_s_item_tready),
    .item_tdata     (path_item_tdata),
    .item_tuser     (path_item_tuser),
    .verdict_tvalid (card_m_verdict_tvalid),
    .verdict_tready (path_verdict_tready),
    .verdict_seen   (card_m_verdict_tdata[0]),
    .awvalid        (split_port_awvalid),
    .awready        (path_awready),
    .awaddr         (split_slave_awaddr),
    .wvalid         (split_port_wvalid),
    .wready         (path_wready),
    .wdata          (s_axil_wdata),
    .wstrb          (s_axil_wstrb),
    .bvalid         (path_bvalid),
    .bready         (s_axil_bready),
    .bresp          (path_bresp),
    .arvalid        (split_port_arvalid),
    .arready        (path_arready),
    .araddr         (split_slave_araddr),
    .rvalid         (path_rvalid),
    .rready         (s_axil_rready),
    .rdata          (path_rdata),
    .rresp          (path_rresp),
    .next_block     (no_block)
  );

  // items and verdicts
  in_line_axil card (
    .clock            (clock),
    .reset            (reset),
    .s_item_tvalid    (path_item_tvalid),
    .s_item_tready    (card_s_item_tready),
    .s_item_tdata     (path_item_tdata),
    .s_item_tuser     (path_item_tuser),
    .s_item_tid       (no_tag),
    .m_verdict_tvalid (card_m_verdict_tvalid),
    .m_verdict_tready (path_verdict_tready),
    .m_verdict_tdata  (card_m_verdict_tdata),
    .m_verdict_tid    (card_m_verdict_tid),
    .s_axil_awvalid   (split_filter_awvalid),
    .s_axil_awready   (card_s_axil_awready),
    .s_axil_awaddr    (split_slave_awaddr),
    .s_axil_wvalid    (split_filter_wvalid),
    .s_axil_wready    (card_s_axil_wready),
    .s_axil_wdata     (s_axil_wdata),
    .s_axil_wstrb     (s_axil_wstrb),
    .s_axil_bvalid    (card_s_axil_bvalid),
    .s_axil_bready    (s_axil_bready),
    .s_axil_bresp     (card_s_axil_bresp),
    .s_axil_arvalid   (split_filter_arvalid),
    .s_axil_arready   (card_s_axil_arready),
    .s_axil_araddr    (split_slave_araddr),
    .s_axil_rvalid    (card_s_axil_rvalid),
    .s_axil_rready    (s_axil_rready),
    .s_axil_rdata     (card_s_axil_rdata),
    .s_axil_rresp     (card_s_axil_rresp)
  );

  // reads
  path_split split (
    .clock          (clock),
    .reset          (reset),
    .awvalid        (s_axil_awvalid),
    .awready        (split_awready),
    .awaddr         (s_axil_awaddr),
    .wvalid         (s_axil_wvalid),
    .wready         (split_wready),
    .bvalid         (split_bvalid),
    .bready         (s_axil_bready),
    .bresp          (split_bresp),
    .arvalid        (s_axil_arvalid),
    .arready        (split_arready),
    .araddr         (s_axil_araddr),
    .rvalid         (split_rvalid),
    .rready         (s_axil_rready),
    .rdata          (split_rdata),
    .rresp          (split_rresp),
    .filter_awvalid (split_filter_awvalid),
    .filter_awready (card_s_axil_awready),
    .filter_wvalid  (split_filter_wvalid),
    .filter_wready  (card_s_axil_wready),
    .filter_bvalid  (card_s_axil_bvalid),
    .filter_bresp   (card_s_axil_bresp),
    .filter_arvalid (split_filter_arvalid),
    .filter_arready (card_s_axil_arready),
    .filter_rvalid  (card_s_axil_rvalid),
    .filter_rdata   (card_s_axil_rdata),
    .filter_rresp   (card_s_axil_rresp),
    .port_awvalid   (split_port_awvalid),
    .port_awready   (path_awready),
    .port_wvalid    (split_port_wvalid),
    .port_wready    (path_wready),
    .port_bvalid    (path_bvalid),
    .port_bresp     (path_bresp),
    .port_arvalid   (split_port_arvalid),
    .port_arready   (path_arready),
    .port_rvalid    (path_rvalid),
    .port_rdata     (path_rdata),
    .port_rresp     (path_rresp),
    .slave_awaddr   (split_slave_awaddr),
    .slave_araddr   (split_slave_araddr)
  );

  assign s_frame_tready = path_s_frame_tready;
  assign m_frame_tvalid = path_m_frame_tvalid;
  assign m_frame_tdata = path_m_frame_tdata;
  assign m_frame_tlast = path_m_frame_tlast;
  assign m_frame_tuser = path_m_frame_tuser;
  assign s_axil_awready = split_awready;
  assign s_axil_wready = split_wready;
  assign s_axil_bvalid = split_bvalid;
  assign s_axil_bresp = split_bresp;
  assign s_axil_arready = split_arready;
  assign s_axil_rvalid = split_rvalid;
  assign s_axil_rdata = split_rdata;
  assign s_axil_rresp = split_rresp;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, path_m_frame_tkeep, card_m_verdict_tdata[3:1], card_m_verdict_tid};
endmodule
