// The filter line_card between two gigabit Ethernet ports: frames in, verdict, frames out. Contract: linecard.md.
module line_card_linecard (
  input  wire       clock,
  input  wire       hold,               // reset, of any clock or none
  input  wire       rgmii_0_rx_clock,
  input  wire       rgmii_0_rx_control,
  input  wire [3:0] rgmii_0_rx_data,
  output wire       rgmii_0_tx_clock,
  output wire       rgmii_0_tx_control,
  output wire [3:0] rgmii_0_tx_data,
  input  wire       rgmii_1_rx_clock,
  input  wire       rgmii_1_rx_control,
  input  wire [3:0] rgmii_1_rx_data,
  output wire       rgmii_1_tx_clock,
  output wire       rgmii_1_tx_control,
  output wire [3:0] rgmii_1_tx_data,
  input  wire       uart_rx,            // line from the host, of any clock
  output wire       uart_tx,            // line to the host
  output wire [1:0] link,               // bit p: the PHY of port p tells of a link
  output wire [1:0] item_taken,         // bit i: the card took an item of lane i a clock ago
  output wire [1:0] item_seen           // bit i: a verdict for lane i came a clock ago, and its bit 0 was 1
);
  wire         datapath_reset;
  wire         datapath_rgmii_0_tx_clock;
  wire         datapath_rgmii_0_tx_control;
  wire [3:0]   datapath_rgmii_0_tx_data;
  wire         datapath_rgmii_1_tx_clock;
  wire         datapath_rgmii_1_tx_control;
  wire [3:0]   datapath_rgmii_1_tx_data;
  wire         datapath_uart_tx;
  wire [1:0]   datapath_link;
  wire [1:0]   datapath_item_taken;
  wire [1:0]   datapath_item_seen;
  wire         datapath_item_tvalid;
  wire [103:0] datapath_item_tdata;
  wire [1:0]   datapath_item_tuser;
  wire [15:0]  datapath_item_tid;
  wire         datapath_verdict_tready;
  wire         datapath_awvalid;
  wire [8:0]   datapath_awaddr;
  wire         datapath_wvalid;
  wire [31:0]  datapath_wdata;
  wire [3:0]   datapath_wstrb;
  wire         datapath_bready;
  wire         datapath_arvalid;
  wire [8:0]   datapath_araddr;
  wire         datapath_rready;
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

  line_card_datapath datapath (
    .clock              (clock),
    .hold               (hold),
    .reset              (datapath_reset),
    .rgmii_0_rx_clock   (rgmii_0_rx_clock),
    .rgmii_0_rx_control (rgmii_0_rx_control),
    .rgmii_0_rx_data    (rgmii_0_rx_data),
    .rgmii_0_tx_clock   (datapath_rgmii_0_tx_clock),
    .rgmii_0_tx_control (datapath_rgmii_0_tx_control),
    .rgmii_0_tx_data    (datapath_rgmii_0_tx_data),
    .rgmii_1_rx_clock   (rgmii_1_rx_clock),
    .rgmii_1_rx_control (rgmii_1_rx_control),
    .rgmii_1_rx_data    (rgmii_1_rx_data),
    .rgmii_1_tx_clock   (datapath_rgmii_1_tx_clock),
    .rgmii_1_tx_control (datapath_rgmii_1_tx_control),
    .rgmii_1_tx_data    (datapath_rgmii_1_tx_data),
    .uart_rx            (uart_rx),
    .uart_tx            (datapath_uart_tx),
    .link               (datapath_link),
    .item_taken         (datapath_item_taken),
    .item_seen          (datapath_item_seen),
    .item_tvalid        (datapath_item_tvalid),
    .item_tready        (card_s_item_tready),
    .item_tdata         (datapath_item_tdata),
    .item_tuser         (datapath_item_tuser),
    .item_tid           (datapath_item_tid),
    .verdict_tvalid     (card_m_verdict_tvalid),
    .verdict_tready     (datapath_verdict_tready),
    .verdict_tid        (card_m_verdict_tid),
    .verdict_seen       (card_m_verdict_tdata[0]),
    .awvalid            (datapath_awvalid),
    .awready            (card_s_axil_awready),
    .awaddr             (datapath_awaddr),
    .wvalid             (datapath_wvalid),
    .wready             (card_s_axil_wready),
    .wdata              (datapath_wdata),
    .wstrb              (datapath_wstrb),
    .bvalid             (card_s_axil_bvalid),
    .bready             (datapath_bready),
    .bresp              (card_s_axil_bresp),
    .arvalid            (datapath_arvalid),
    .arready            (card_s_axil_arready),
    .araddr             (datapath_araddr),
    .rvalid             (card_s_axil_rvalid),
    .rready             (datapath_rready),
    .rdata              (card_s_axil_rdata),
    .rresp              (card_s_axil_rresp)
  );

  // items and verdicts
  // registers
  line_card_axil card (
    .clock            (clock),
    .reset            (datapath_reset),
    .s_item_tvalid    (datapath_item_tvalid),
    .s_item_tready    (card_s_item_tready),
    .s_item_tdata     (datapath_item_tdata),
    .s_item_tuser     (datapath_item_tuser),
    .s_item_tid       (datapath_item_tid),
    .m_verdict_tvalid (card_m_verdict_tvalid),
    .m_verdict_tready (datapath_verdict_tready),
    .m_verdict_tdata  (card_m_verdict_tdata),
    .m_verdict_tid    (card_m_verdict_tid),
    .s_axil_awvalid   (datapath_awvalid),
    .s_axil_awready   (card_s_axil_awready),
    .s_axil_awaddr    (datapath_awaddr),
    .s_axil_wvalid    (datapath_wvalid),
    .s_axil_wready    (card_s_axil_wready),
    .s_axil_wdata     (datapath_wdata),
    .s_axil_wstrb     (datapath_wstrb),
    .s_axil_bvalid    (card_s_axil_bvalid),
    .s_axil_bready    (datapath_bready),
    .s_axil_bresp     (card_s_axil_bresp),
    .s_axil_arvalid   (datapath_arvalid),
    .s_axil_arready   (card_s_axil_arready),
    .s_axil_araddr    (datapath_araddr),
    .s_axil_rvalid    (card_s_axil_rvalid),
    .s_axil_rready    (datapath_rready),
    .s_axil_rdata     (card_s_axil_rdata),
    .s_axil_rresp     (card_s_axil_rresp)
  );

  assign rgmii_0_tx_clock = datapath_rgmii_0_tx_clock;
  assign rgmii_0_tx_control = datapath_rgmii_0_tx_control;
  assign rgmii_0_tx_data = datapath_rgmii_0_tx_data;
  assign rgmii_1_tx_clock = datapath_rgmii_1_tx_clock;
  assign rgmii_1_tx_control = datapath_rgmii_1_tx_control;
  assign rgmii_1_tx_data = datapath_rgmii_1_tx_data;
  assign uart_tx = datapath_uart_tx;
  assign link = datapath_link;
  assign item_taken = datapath_item_taken;
  assign item_seen = datapath_item_seen;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, card_m_verdict_tdata[3:1]};
endmodule
