// The filter in_line in a packet path: frames in, verdict, frames out; a UART of 1000000 baud to all registers. Timing: packet.md.
module in_line_path (
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
  input  wire        uart_rx,        // line from the host, of any clock
  output wire        uart_tx         // line to the host
);
  wire        path_s_frame_tready;
  wire        path_m_frame_tvalid;
  wire [7:0]  path_m_frame_tdata;
  wire        path_m_frame_tlast;
  wire [15:0] path_m_frame_tuser;
  wire        path_s_axil_awready;
  wire        path_s_axil_wready;
  wire        path_s_axil_bvalid;
  wire [1:0]  path_s_axil_bresp;
  wire        path_s_axil_arready;
  wire        path_s_axil_rvalid;
  wire [31:0] path_s_axil_rdata;
  wire [1:0]  path_s_axil_rresp;
  wire        bridge_uart_tx;
  wire        bridge_awvalid;
  wire [9:0]  bridge_awaddr;
  wire        bridge_wvalid;
  wire [31:0] bridge_wdata;
  wire [3:0]  bridge_wstrb;
  wire        bridge_bready;
  wire        bridge_arvalid;
  wire [9:0]  bridge_araddr;
  wire        bridge_rready;

  in_line_path_axil path (
    .clock          (clock),
    .reset          (reset),
    .s_frame_tvalid (s_frame_tvalid),
    .s_frame_tready (path_s_frame_tready),
    .s_frame_tdata  (s_frame_tdata),
    .s_frame_tlast  (s_frame_tlast),
    .s_frame_tuser  (s_frame_tuser),
    .m_frame_tvalid (path_m_frame_tvalid),
    .m_frame_tready (m_frame_tready),
    .m_frame_tdata  (path_m_frame_tdata),
    .m_frame_tlast  (path_m_frame_tlast),
    .m_frame_tuser  (path_m_frame_tuser),
    .s_axil_awvalid (bridge_awvalid),
    .s_axil_awready (path_s_axil_awready),
    .s_axil_awaddr  (bridge_awaddr),
    .s_axil_wvalid  (bridge_wvalid),
    .s_axil_wready  (path_s_axil_wready),
    .s_axil_wdata   (bridge_wdata),
    .s_axil_wstrb   (bridge_wstrb),
    .s_axil_bvalid  (path_s_axil_bvalid),
    .s_axil_bready  (bridge_bready),
    .s_axil_bresp   (path_s_axil_bresp),
    .s_axil_arvalid (bridge_arvalid),
    .s_axil_arready (path_s_axil_arready),
    .s_axil_araddr  (bridge_araddr),
    .s_axil_rvalid  (path_s_axil_rvalid),
    .s_axil_rready  (bridge_rready),
    .s_axil_rdata   (path_s_axil_rdata),
    .s_axil_rresp   (path_s_axil_rresp)
  );

  // the host
  uart_bridge bridge (
    .clock   (clock),
    .reset   (reset),
    .uart_rx (uart_rx),
    .uart_tx (bridge_uart_tx),
    .awvalid (bridge_awvalid),
    .awready (path_s_axil_awready),
    .awaddr  (bridge_awaddr),
    .wvalid  (bridge_wvalid),
    .wready  (path_s_axil_wready),
    .wdata   (bridge_wdata),
    .wstrb   (bridge_wstrb),
    .bvalid  (path_s_axil_bvalid),
    .bready  (bridge_bready),
    .bresp   (path_s_axil_bresp),
    .arvalid (bridge_arvalid),
    .arready (path_s_axil_arready),
    .araddr  (bridge_araddr),
    .rvalid  (path_s_axil_rvalid),
    .rready  (bridge_rready),
    .rdata   (path_s_axil_rdata),
    .rresp   (path_s_axil_rresp)
  );

  assign s_frame_tready = path_s_frame_tready;
  assign m_frame_tvalid = path_m_frame_tvalid;
  assign m_frame_tdata = path_m_frame_tdata;
  assign m_frame_tlast = path_m_frame_tlast;
  assign m_frame_tuser = path_m_frame_tuser;
  assign uart_tx = bridge_uart_tx;
endmodule
