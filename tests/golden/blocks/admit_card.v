// The filter admit as a card: an item port for the host, and a UART of 1000000 baud to all registers. Timing: card.md.
module admit_card (
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
  input  wire         uart_rx,          // line from the host, of any clock
  output wire         uart_tx           // line to the host
);
  wire        card_s_item_tready;
  wire        card_m_verdict_tvalid;
  wire [3:0]  card_m_verdict_tdata;
  wire [15:0] card_m_verdict_tid;
  wire        card_s_axil_awready;
  wire        card_s_axil_wready;
  wire        card_s_axil_bvalid;
  wire [1:0]  card_s_axil_bresp;
  wire        card_s_axil_arready;
  wire        card_s_axil_rvalid;
  wire [31:0] card_s_axil_rdata;
  wire [1:0]  card_s_axil_rresp;
  wire        bridge_uart_tx;
  wire        bridge_awvalid;
  wire [8:0]  bridge_awaddr;
  wire        bridge_wvalid;
  wire [31:0] bridge_wdata;
  wire [3:0]  bridge_wstrb;
  wire        bridge_bready;
  wire        bridge_arvalid;
  wire [8:0]  bridge_araddr;
  wire        bridge_rready;

  admit_axil card (
    .clock            (clock),
    .reset            (reset),
    .s_item_tvalid    (s_item_tvalid),
    .s_item_tready    (card_s_item_tready),
    .s_item_tdata     (s_item_tdata),
    .s_item_tuser     (s_item_tuser),
    .s_item_tid       (s_item_tid),
    .m_verdict_tvalid (card_m_verdict_tvalid),
    .m_verdict_tready (m_verdict_tready),
    .m_verdict_tdata  (card_m_verdict_tdata),
    .m_verdict_tid    (card_m_verdict_tid),
    .s_axil_awvalid   (bridge_awvalid),
    .s_axil_awready   (card_s_axil_awready),
    .s_axil_awaddr    (bridge_awaddr),
    .s_axil_wvalid    (bridge_wvalid),
    .s_axil_wready    (card_s_axil_wready),
    .s_axil_wdata     (bridge_wdata),
    .s_axil_wstrb     (bridge_wstrb),
    .s_axil_bvalid    (card_s_axil_bvalid),
    .s_axil_bready    (bridge_bready),
    .s_axil_bresp     (card_s_axil_bresp),
    .s_axil_arvalid   (bridge_arvalid),
    .s_axil_arready   (card_s_axil_arready),
    .s_axil_araddr    (bridge_araddr),
    .s_axil_rvalid    (card_s_axil_rvalid),
    .s_axil_rready    (bridge_rready),
    .s_axil_rdata     (card_s_axil_rdata),
    .s_axil_rresp     (card_s_axil_rresp)
  );

  // the host
  uart_bridge bridge (
    .clock   (clock),
    .reset   (reset),
    .uart_rx (uart_rx),
    .uart_tx (bridge_uart_tx),
    .awvalid (bridge_awvalid),
    .awready (card_s_axil_awready),
    .awaddr  (bridge_awaddr),
    .wvalid  (bridge_wvalid),
    .wready  (card_s_axil_wready),
    .wdata   (bridge_wdata),
    .wstrb   (bridge_wstrb),
    .bvalid  (card_s_axil_bvalid),
    .bready  (bridge_bready),
    .bresp   (card_s_axil_bresp),
    .arvalid (bridge_arvalid),
    .arready (card_s_axil_arready),
    .araddr  (bridge_araddr),
    .rvalid  (card_s_axil_rvalid),
    .rready  (bridge_rready),
    .rdata   (card_s_axil_rdata),
    .rresp   (card_s_axil_rresp)
  );

  assign s_item_tready = card_s_item_tready;
  assign m_verdict_tvalid = card_m_verdict_tvalid;
  assign m_verdict_tdata = card_m_verdict_tdata;
  assign m_verdict_tid = card_m_verdict_tid;
  assign uart_tx = bridge_uart_tx;
endmodule
