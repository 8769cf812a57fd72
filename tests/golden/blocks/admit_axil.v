// The filter admit with an item port, through which a host inserts and queries keys. Timing: card.md.
module admit_axil (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; empties the filter
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // operation
  input  wire [15:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [3:0]   m_verdict_tdata,  // verdict
  output wire [15:0]  m_verdict_tid,    // tag of the item
  input  wire         s_axil_awvalid,   // registers, AXI4-Lite
  output wire         s_axil_awready,
  input  wire [8:0]   s_axil_awaddr,    // byte address
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  output wire [1:0]   s_axil_bresp,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  input  wire [8:0]   s_axil_araddr,    // byte address
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,
  output wire [31:0]  s_axil_rdata,
  output wire [1:0]   s_axil_rresp
);
  wire         filter_s_item_tready;
  wire         filter_m_verdict_tvalid;
  wire [3:0]   filter_m_verdict_tdata;
  wire [16:0]  filter_m_verdict_tid;
  wire         filter_s_axil_awready;
  wire         filter_s_axil_wready;
  wire         filter_s_axil_bvalid;
  wire [1:0]   filter_s_axil_bresp;
  wire         filter_s_axil_arready;
  wire         filter_s_axil_rvalid;
  wire [31:0]  filter_s_axil_rdata;
  wire [1:0]   filter_s_axil_rresp;
  wire         port_s_item_tready;
  wire         port_m_verdict_tvalid;
  wire [3:0]   port_m_verdict_tdata;
  wire [15:0]  port_m_verdict_tid;
  wire         port_f_item_tvalid;
  wire [103:0] port_f_item_tdata;
  wire [1:0]   port_f_item_tuser;
  wire [16:0]  port_f_item_tid;
  wire         port_f_verdict_tready;
  wire         port_awready;
  wire         port_wready;
  wire         port_bvalid;
  wire [1:0]   port_bresp;
  wire         port_arready;
  wire         port_rvalid;
  wire [31:0]  port_rdata;
  wire [1:0]   port_rresp;
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
  wire [7:0]   split_slave_awaddr;
  wire [7:0]   split_slave_araddr;

  admit filter (
    .clock            (clock),
    .reset            (reset),
    .s_item_tvalid    (port_f_item_tvalid),
    .s_item_tready    (filter_s_item_tready),
    .s_item_tdata     (port_f_item_tdata),
    .s_item_tuser     (port_f_item_tuser),
    .s_item_tid       (port_f_item_tid),
    .m_verdict_tvalid (filter_m_verdict_tvalid),
    .m_verdict_tready (port_f_verdict_tready),
    .m_verdict_tdata  (filter_m_verdict_tdata),
    .m_verdict_tid    (filter_m_verdict_tid),
    .s_axil_awvalid   (split_filter_awvalid),
    .s_axil_awready   (filter_s_axil_awready),
    .s_axil_awaddr    (split_slave_awaddr),
    .s_axil_wvalid    (split_filter_wvalid),
    .s_axil_wready    (filter_s_axil_wready),
    .s_axil_wdata     (s_axil_wdata),
    .s_axil_wstrb     (s_axil_wstrb),
    .s_axil_bvalid    (filter_s_axil_bvalid),
    .s_axil_bready    (s_axil_bready),
    .s_axil_bresp     (filter_s_axil_bresp),
    .s_axil_arvalid   (split_filter_arvalid),
    .s_axil_arready   (filter_s_axil_arready),
    .s_axil_araddr    (split_slave_araddr),
    .s_axil_rvalid    (filter_s_axil_rvalid),
    .s_axil_rready    (s_axil_rready),
    .s_axil_rdata     (filter_s_axil_rdata),
    .s_axil_rresp     (filter_s_axil_rresp)
  );

  // items and verdicts
  item_port port (
    .clock            (clock),
    .reset            (reset),
    .s_item_tvalid    (s_item_tvalid),
    .s_item_tready    (port_s_item_tready),
    .s_item_tdata     (s_item_tdata),
    .s_item_tuser     (s_item_tuser),
    .s_item_tid       (s_item_tid),
    .m_verdict_tvalid (port_m_verdict_tvalid),
    .m_verdict_tready (m_verdict_tready),
    .m_verdict_tdata  (port_m_verdict_tdata),
    .m_verdict_tid    (port_m_verdict_tid),
    .f_item_tvalid    (port_f_item_tvalid),
    .f_item_tready    (filter_s_item_tready),
    .f_item_tdata     (port_f_item_tdata),
    .f_item_tuser     (port_f_item_tuser),
    .f_item_tid       (port_f_item_tid),
    .f_verdict_tvalid (filter_m_verdict_tvalid),
    .f_verdict_tready (port_f_verdict_tready),
    .f_verdict_tdata  (filter_m_verdict_tdata),
    .f_verdict_tid    (filter_m_verdict_tid),
    .awvalid          (split_port_awvalid),
    .awready          (port_awready),
    .awaddr           (split_slave_awaddr),
    .wvalid           (split_port_wvalid),
    .wready           (port_wready),
    .wdata            (s_axil_wdata),
    .wstrb            (s_axil_wstrb),
    .bvalid           (port_bvalid),
    .bready           (s_axil_bready),
    .bresp            (port_bresp),
    .arvalid          (split_port_arvalid),
    .arready          (port_arready),
    .araddr           (split_slave_araddr),
    .rvalid           (port_rvalid),
    .rready           (s_axil_rready),
    .rdata            (port_rdata),
    .rresp            (port_rresp)
  );

  // writes
  // reads
  bus_split split (
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
    .filter_awready (filter_s_axil_awready),
    .filter_wvalid  (split_filter_wvalid),
    .filter_wready  (filter_s_axil_wready),
    .filter_bvalid  (filter_s_axil_bvalid),
    .filter_bresp   (filter_s_axil_bresp),
    .filter_arvalid (split_filter_arvalid),
    .filter_arready (filter_s_axil_arready),
    .filter_rvalid  (filter_s_axil_rvalid),
    .filter_rdata   (filter_s_axil_rdata),
    .filter_rresp   (filter_s_axil_rresp),
    .port_awvalid   (split_port_awvalid),
    .port_awready   (port_awready),
    .port_wvalid    (split_port_wvalid),
    .port_wready    (port_wready),
    .port_bvalid    (port_bvalid),
    .port_bresp     (port_bresp),
    .port_arvalid   (split_port_arvalid),
    .port_arready   (port_arready),
    .port_rvalid    (port_rvalid),
    .port_rdata     (port_rdata),
    .port_rresp     (port_rresp),
    .slave_awaddr   (split_slave_awaddr),
    .slave_araddr   (split_slave_araddr)
  );

  assign s_item_tready = port_s_item_tready;
  assign m_verdict_tvalid = port_m_verdict_tvalid;
  assign m_verdict_tdata = port_m_verdict_tdata;
  assign m_verdict_tid = port_m_verdict_tid;
  assign s_axil_awready = split_awready;
  assign s_axil_wready = split_wready;
  assign s_axil_bvalid = split_bvalid;
  assign s_axil_bresp = split_bresp;
  assign s_axil_arready = split_arready;
  assign s_axil_rvalid = split_rvalid;
  assign s_axil_rdata = split_rdata;
  assign s_axil_rresp = split_rresp;
endmodule
