// Between the shell's register bus and the packet paths. Included into box_250mhz of the shell.
wire      [NUM_PHYS_FUNC-1:0] axil_path_awvalid;
wire   [10*NUM_PHYS_FUNC-1:0] axil_path_awaddr;
wire      [NUM_PHYS_FUNC-1:0] axil_path_awready;
wire      [NUM_PHYS_FUNC-1:0] axil_path_wvalid;
wire   [32*NUM_PHYS_FUNC-1:0] axil_path_wdata;
wire      [NUM_PHYS_FUNC-1:0] axil_path_wready;
wire      [NUM_PHYS_FUNC-1:0] axil_path_bvalid;
wire    [2*NUM_PHYS_FUNC-1:0] axil_path_bresp;
wire      [NUM_PHYS_FUNC-1:0] axil_path_bready;
wire      [NUM_PHYS_FUNC-1:0] axil_path_arvalid;
wire   [10*NUM_PHYS_FUNC-1:0] axil_path_araddr;
wire      [NUM_PHYS_FUNC-1:0] axil_path_arready;
wire      [NUM_PHYS_FUNC-1:0] axil_path_rvalid;
wire   [32*NUM_PHYS_FUNC-1:0] axil_path_rdata;
wire    [2*NUM_PHYS_FUNC-1:0] axil_path_rresp;
wire      [NUM_PHYS_FUNC-1:0] axil_path_rready;

box_250mhz_address_map #(
  .NUM_INTF (NUM_PHYS_FUNC)
) address_map_inst (
  .aclk           (axil_aclk),
  .aresetn        (internal_box_rstn),
  .s_axil_awvalid (s_axil_awvalid),
  .s_axil_awaddr  (s_axil_awaddr),
  .s_axil_awready (s_axil_awready),
  .s_axil_wvalid  (s_axil_wvalid),
  .s_axil_wdata   (s_axil_wdata),
  .s_axil_wready  (s_axil_wready),
  .s_axil_bvalid  (s_axil_bvalid),
  .s_axil_bresp   (s_axil_bresp),
  .s_axil_bready  (s_axil_bready),
  .s_axil_arvalid (s_axil_arvalid),
  .s_axil_araddr  (s_axil_araddr),
  .s_axil_arready (s_axil_arready),
  .s_axil_rvalid  (s_axil_rvalid),
  .s_axil_rdata   (s_axil_rdata),
  .s_axil_rresp   (s_axil_rresp),
  .s_axil_rready  (s_axil_rready),

  .m_axil_awvalid (axil_path_awvalid),
  .m_axil_awaddr  (axil_path_awaddr),
  .m_axil_awready (axil_path_awready),
  .m_axil_wvalid  (axil_path_wvalid),
  .m_axil_wdata   (axil_path_wdata),
  .m_axil_wready  (axil_path_wready),
  .m_axil_bvalid  (axil_path_bvalid),
  .m_axil_bresp   (axil_path_bresp),
  .m_axil_bready  (axil_path_bready),
  .m_axil_arvalid (axil_path_arvalid),
  .m_axil_araddr  (axil_path_araddr),
  .m_axil_arready (axil_path_arready),
  .m_axil_rvalid  (axil_path_rvalid),
  .m_axil_rdata   (axil_path_rdata),
  .m_axil_rresp   (axil_path_rresp),
  .m_axil_rready  (axil_path_rready)
);
