// Two Ethernet ports, a packet path from either to the other, and the UART to all registers. Contract: linecard.md.
module line_card_datapath (
  input  wire         clock,
  input  wire         hold,               // reset, of any clock or none
  output wire         reset,              // the same in clock, for the card
  input  wire         rgmii_0_rx_clock,
  input  wire         rgmii_0_rx_control,
  input  wire [3:0]   rgmii_0_rx_data,
  output wire         rgmii_0_tx_clock,
  output wire         rgmii_0_tx_control,
  output wire [3:0]   rgmii_0_tx_data,
  input  wire         rgmii_1_rx_clock,
  input  wire         rgmii_1_rx_control,
  input  wire [3:0]   rgmii_1_rx_data,
  output wire         rgmii_1_tx_clock,
  output wire         rgmii_1_tx_control,
  output wire [3:0]   rgmii_1_tx_data,
  input  wire         uart_rx,            // line from the host, of any clock
  output wire         uart_tx,            // line to the host
  output wire [1:0]   link,               // bit p: the PHY of port p tells of a link
  output wire [1:0]   item_taken,         // bit i: the card took an item of lane i a clock ago
  output wire [1:0]   item_seen,          // bit i: a verdict for lane i came a clock ago, and its bit 0 was 1
  output wire         item_tvalid,        // items to the card
  input  wire         item_tready,
  output wire [103:0] item_tdata,         // key
  output wire [1:0]   item_tuser,         // operation
  output wire [15:0]  item_tid,           // lane
  input  wire         verdict_tvalid,     // verdicts from it
  output wire         verdict_tready,
  input  wire [15:0]  verdict_tid,
  input  wire         verdict_seen,       // bit 0 of the verdict
  output wire         awvalid,            // the card's registers, AXI4-Lite
  input  wire         awready,
  output wire [8:0]   awaddr,
  output wire         wvalid,
  input  wire         wready,
  output wire [31:0]  wdata,
  output wire [3:0]   wstrb,
  input  wire         bvalid,
  output wire         bready,
  input  wire [1:0]   bresp,
  output wire         arvalid,
  input  wire         arready,
  output wire [8:0]   araddr,
  input  wire         rvalid,
  output wire         rready,
  input  wire [31:0]  rdata,
  input  wire [1:0]   rresp
);
  localparam [10:0] next_block_0 = 11'h300;
  localparam [10:0] next_block_1 = 11'h400;
  localparam        whole        = 1'b1;    // a beat is a byte

  reg host_reset; // reset of the host's register path: its own register, which can be placed near it

  wire [7:0]   into_0;                    // bytes into a lane
  wire [7:0]   into_1;                    // bytes into a lane
  wire [7:0]   out_of_0;                  // bytes out of one
  wire [7:0]   out_of_1;                  // bytes out of one
  wire         card_reset_early;
  wire         card_reset_reset;
  wire         card_reset_holding;
  wire         port_0_reset;
  wire         port_0_rgmii_tx_clock;
  wire         port_0_rgmii_tx_control;
  wire [3:0]   port_0_rgmii_tx_data;
  wire         port_0_m_frame_tvalid;
  wire [7:0]   port_0_m_frame_tdata;
  wire         port_0_m_frame_tlast;
  wire         port_0_m_frame_tuser;
  wire         port_0_s_frame_tready;
  wire         port_0_link_up;
  wire [1:0]   port_0_link_speed;
  wire         port_0_link_full_duplex;
  wire [63:0]  port_0_frames_good;
  wire [63:0]  port_0_frames_bad_fcs;
  wire [63:0]  port_0_frames_runt;
  wire [63:0]  port_0_frames_error;
  wire [63:0]  port_0_overflows;
  wire [63:0]  port_0_frames_sent;
  wire [63:0]  port_0_frames_broken;
  wire [63:0]  port_0_underruns;
  wire         port_1_reset;
  wire         port_1_rgmii_tx_clock;
  wire         port_1_rgmii_tx_control;
  wire [3:0]   port_1_rgmii_tx_data;
  wire         port_1_m_frame_tvalid;
  wire [7:0]   port_1_m_frame_tdata;
  wire         port_1_m_frame_tlast;
  wire         port_1_m_frame_tuser;
  wire         port_1_s_frame_tready;
  wire         port_1_link_up;
  wire [1:0]   port_1_link_speed;
  wire         port_1_link_full_duplex;
  wire [63:0]  port_1_frames_good;
  wire [63:0]  port_1_frames_bad_fcs;
  wire [63:0]  port_1_frames_runt;
  wire [63:0]  port_1_frames_error;
  wire [63:0]  port_1_overflows;
  wire [63:0]  port_1_frames_sent;
  wire [63:0]  port_1_frames_broken;
  wire [63:0]  port_1_underruns;
  wire         lane_0_s_frame_tready;
  wire         lane_0_m_frame_tvalid;
  wire [7:0]   lane_0_m_frame_tdata;
  wire         lane_0_m_frame_tkeep;
  wire         lane_0_m_frame_tlast;
  wire [15:0]  lane_0_m_frame_tuser;
  wire         lane_0_item_tvalid;
  wire [103:0] lane_0_item_tdata;
  wire [1:0]   lane_0_item_tuser;
  wire         lane_0_verdict_tready;
  wire         lane_0_awready;
  wire         lane_0_wready;
  wire         lane_0_bvalid;
  wire [1:0]   lane_0_bresp;
  wire         lane_0_arready;
  wire         lane_0_rvalid;
  wire [31:0]  lane_0_rdata;
  wire [1:0]   lane_0_rresp;
  wire         lane_1_s_frame_tready;
  wire         lane_1_m_frame_tvalid;
  wire [7:0]   lane_1_m_frame_tdata;
  wire         lane_1_m_frame_tkeep;
  wire         lane_1_m_frame_tlast;
  wire [15:0]  lane_1_m_frame_tuser;
  wire         lane_1_item_tvalid;
  wire [103:0] lane_1_item_tdata;
  wire [1:0]   lane_1_item_tuser;
  wire         lane_1_verdict_tready;
  wire         lane_1_awready;
  wire         lane_1_wready;
  wire         lane_1_bvalid;
  wire [1:0]   lane_1_bresp;
  wire         lane_1_arready;
  wire         lane_1_rvalid;
  wire [31:0]  lane_1_rdata;
  wire [1:0]   lane_1_rresp;
  wire         merge_item_0_tready;
  wire         merge_item_1_tready;
  wire         merge_verdict_0_tvalid;
  wire         merge_verdict_0_seen;
  wire         merge_verdict_1_tvalid;
  wire         merge_verdict_1_seen;
  wire         merge_item_tvalid;
  wire [103:0] merge_item_tdata;
  wire [1:0]   merge_item_tuser;
  wire [15:0]  merge_item_tid;
  wire         merge_verdict_tready;
  wire [1:0]   merge_item_taken;
  wire [1:0]   merge_item_seen;
  wire         bridge_uart_tx;
  wire         bridge_awvalid;
  wire [10:0]  bridge_awaddr;
  wire         bridge_wvalid;
  wire [31:0]  bridge_wdata;
  wire [3:0]   bridge_wstrb;
  wire         bridge_bready;
  wire         bridge_arvalid;
  wire [10:0]  bridge_araddr;
  wire         bridge_rready;
  wire         slice_host_awready;
  wire         slice_host_wready;
  wire         slice_host_bvalid;
  wire [1:0]   slice_host_bresp;
  wire         slice_host_arready;
  wire         slice_host_rvalid;
  wire [31:0]  slice_host_rdata;
  wire [1:0]   slice_host_rresp;
  wire         slice_awvalid;
  wire [10:0]  slice_awaddr;
  wire         slice_wvalid;
  wire [31:0]  slice_wdata;
  wire [3:0]   slice_wstrb;
  wire         slice_bready;
  wire         slice_arvalid;
  wire [10:0]  slice_araddr;
  wire         slice_rready;
  wire         to_ports_awready;
  wire         to_ports_wready;
  wire         to_ports_bvalid;
  wire [1:0]   to_ports_bresp;
  wire         to_ports_arready;
  wire         to_ports_rvalid;
  wire [31:0]  to_ports_rdata;
  wire [1:0]   to_ports_rresp;
  wire         to_ports_filter_awvalid;
  wire         to_ports_filter_wvalid;
  wire         to_ports_filter_arvalid;
  wire         to_ports_port_awvalid;
  wire         to_ports_port_wvalid;
  wire         to_ports_port_arvalid;
  wire [9:0]   to_ports_slave_awaddr;
  wire [9:0]   to_ports_slave_araddr;
  wire         to_lanes_awready;
  wire         to_lanes_wready;
  wire         to_lanes_bvalid;
  wire [1:0]   to_lanes_bresp;
  wire         to_lanes_arready;
  wire         to_lanes_rvalid;
  wire [31:0]  to_lanes_rdata;
  wire [1:0]   to_lanes_rresp;
  wire         to_lanes_filter_awvalid;
  wire         to_lanes_filter_wvalid;
  wire         to_lanes_filter_arvalid;
  wire         to_lanes_port_awvalid;
  wire         to_lanes_port_wvalid;
  wire         to_lanes_port_arvalid;
  wire [8:0]   to_lanes_slave_awaddr;
  wire [8:0]   to_lanes_slave_araddr;
  wire         lane_slice_0_host_awready;
  wire [8:0]   lane_slice_0_host_awaddr;
  wire         lane_slice_0_host_wready;
  wire         lane_slice_0_host_bvalid;
  wire [1:0]   lane_slice_0_host_bresp;
  wire         lane_slice_0_host_arready;
  wire [8:0]   lane_slice_0_host_araddr;
  wire         lane_slice_0_host_rvalid;
  wire [31:0]  lane_slice_0_host_rdata;
  wire [1:0]   lane_slice_0_host_rresp;
  wire         lane_slice_0_awvalid;
  wire [8:0]   lane_slice_0_awaddr;
  wire         lane_slice_0_wvalid;
  wire [31:0]  lane_slice_0_wdata;
  wire [3:0]   lane_slice_0_wstrb;
  wire         lane_slice_0_bready;
  wire         lane_slice_0_arvalid;
  wire [8:0]   lane_slice_0_araddr;
  wire         lane_slice_0_rready;
  wire         lane_slice_1_host_awready;
  wire [8:0]   lane_slice_1_host_awaddr;
  wire         lane_slice_1_host_wready;
  wire         lane_slice_1_host_bvalid;
  wire [1:0]   lane_slice_1_host_bresp;
  wire         lane_slice_1_host_arready;
  wire [8:0]   lane_slice_1_host_araddr;
  wire         lane_slice_1_host_rvalid;
  wire [31:0]  lane_slice_1_host_rdata;
  wire [1:0]   lane_slice_1_host_rresp;
  wire         lane_slice_1_awvalid;
  wire [8:0]   lane_slice_1_awaddr;
  wire         lane_slice_1_wvalid;
  wire [31:0]  lane_slice_1_wdata;
  wire [3:0]   lane_slice_1_wstrb;
  wire         lane_slice_1_bready;
  wire         lane_slice_1_arvalid;
  wire [8:0]   lane_slice_1_araddr;
  wire         lane_slice_1_rready;
  wire         card_slice_host_awready;
  wire         card_slice_host_wready;
  wire         card_slice_host_bvalid;
  wire [1:0]   card_slice_host_bresp;
  wire         card_slice_host_arready;
  wire         card_slice_host_rvalid;
  wire [31:0]  card_slice_host_rdata;
  wire [1:0]   card_slice_host_rresp;
  wire         card_slice_awvalid;
  wire [8:0]   card_slice_awaddr;
  wire         card_slice_wvalid;
  wire [31:0]  card_slice_wdata;
  wire [3:0]   card_slice_wstrb;
  wire         card_slice_bready;
  wire         card_slice_arvalid;
  wire [8:0]   card_slice_araddr;
  wire         card_slice_rready;
  wire         port_slice_host_awready;
  wire         port_slice_host_wready;
  wire         port_slice_host_bvalid;
  wire [1:0]   port_slice_host_bresp;
  wire         port_slice_host_arready;
  wire         port_slice_host_rvalid;
  wire [31:0]  port_slice_host_rdata;
  wire [1:0]   port_slice_host_rresp;
  wire         port_slice_awvalid;
  wire [9:0]   port_slice_awaddr;
  wire         port_slice_wvalid;
  wire [31:0]  port_slice_wdata;
  wire [3:0]   port_slice_wstrb;
  wire         port_slice_bready;
  wire         port_slice_arvalid;
  wire [9:0]   port_slice_araddr;
  wire         port_slice_rready;
  wire         to_lane_awready;
  wire         to_lane_wready;
  wire         to_lane_bvalid;
  wire [1:0]   to_lane_bresp;
  wire         to_lane_arready;
  wire         to_lane_rvalid;
  wire [31:0]  to_lane_rdata;
  wire [1:0]   to_lane_rresp;
  wire         to_lane_filter_awvalid;
  wire         to_lane_filter_wvalid;
  wire         to_lane_filter_arvalid;
  wire         to_lane_port_awvalid;
  wire         to_lane_port_wvalid;
  wire         to_lane_port_arvalid;
  wire [7:0]   to_lane_slave_awaddr;
  wire [7:0]   to_lane_slave_araddr;
  wire         registers_awready;
  wire         registers_wready;
  wire         registers_bvalid;
  wire [1:0]   registers_bresp;
  wire         registers_arready;
  wire         registers_rvalid;
  wire [31:0]  registers_rdata;
  wire [1:0]   registers_rresp;
  wire [7:0]   registers_link;

  reset_crossing card_reset (
    .clock   (clock),
    .hold    (hold),
    .early   (card_reset_early),
    .reset   (card_reset_reset),
    .holding (card_reset_holding)
  );

  // what comes in at one port goes through its lane and out at the other
  mac_port port_0 (
    .clock            (clock),
    .hold             (hold),
    .reset            (port_0_reset),
    .rgmii_rx_clock   (rgmii_0_rx_clock),
    .rgmii_rx_control (rgmii_0_rx_control),
    .rgmii_rx_data    (rgmii_0_rx_data),
    .rgmii_tx_clock   (port_0_rgmii_tx_clock),
    .rgmii_tx_control (port_0_rgmii_tx_control),
    .rgmii_tx_data    (port_0_rgmii_tx_data),
    .m_frame_tvalid   (port_0_m_frame_tvalid),
    .m_frame_tready   (lane_0_s_frame_tready),
    .m_frame_tdata    (port_0_m_frame_tdata),
    .m_frame_tlast    (port_0_m_frame_tlast),
    .m_frame_tuser    (port_0_m_frame_tuser),
    .s_frame_tvalid   (lane_1_m_frame_tvalid),
    .s_frame_tready   (port_0_s_frame_tready),
    .s_frame_tdata    (out_of_1),
    .s_frame_tlast    (lane_1_m_frame_tlast),
    .s_frame_tuser    (1'b0),
    .link_up          (port_0_link_up),
    .link_speed       (port_0_link_speed),
    .link_full_duplex (port_0_link_full_duplex),
    .frames_good      (port_0_frames_good),
    .frames_bad_fcs   (port_0_frames_bad_fcs),
    .frames_runt      (port_0_frames_runt),
    .frames_error     (port_0_frames_error),
    .overflows        (port_0_overflows),
    .frames_sent      (port_0_frames_sent),
    .frames_broken    (port_0_frames_broken),
    .underruns        (port_0_underruns)
  );

  mac_port port_1 (
    .clock            (clock),
    .hold             (hold),
    .reset            (port_1_reset),
    .rgmii_rx_clock   (rgmii_1_rx_clock),
    .rgmii_rx_control (rgmii_1_rx_control),
    .rgmii_rx_data    (rgmii_1_rx_data),
    .rgmii_tx_clock   (port_1_rgmii_tx_clock),
    .rgmii_tx_control (port_1_rgmii_tx_control),
    .rgmii_tx_data    (port_1_rgmii_tx_data),
    .m_frame_tvalid   (port_1_m_frame_tvalid),
    .m_frame_tready   (lane_1_s_frame_tready),
    .m_frame_tdata    (port_1_m_frame_tdata),
    .m_frame_tlast    (port_1_m_frame_tlast),
    .m_frame_tuser    (port_1_m_frame_tuser),
    .s_frame_tvalid   (lane_0_m_frame_tvalid),
    .s_frame_tready   (port_1_s_frame_tready),
    .s_frame_tdata    (out_of_0),
    .s_frame_tlast    (lane_0_m_frame_tlast),
    .s_frame_tuser    (1'b0),
    .link_up          (port_1_link_up),
    .link_speed       (port_1_link_speed),
    .link_full_duplex (port_1_link_full_duplex),
    .frames_good      (port_1_frames_good),
    .frames_bad_fcs   (port_1_frames_bad_fcs),
    .frames_runt      (port_1_frames_runt),
    .frames_error     (port_1_frames_error),
    .overflows        (port_1_overflows),
    .frames_sent      (port_1_frames_sent),
    .frames_broken    (port_1_frames_broken),
    .underruns        (port_1_underruns)
  );

  // a reset register for each lane, which can be placed near it
  packet_path lane_0 (
    .clock          (clock),
    .reset          (card_reset_early),
    .s_frame_tvalid (port_0_m_frame_tvalid),
    .s_frame_tready (lane_0_s_frame_tready),
    .s_frame_tdata  (into_0),
    .s_frame_tkeep  (whole),
    .s_frame_tlast  (port_0_m_frame_tlast),
    .s_frame_tuser  (port_0_m_frame_tuser),
    .m_frame_tvalid (lane_0_m_frame_tvalid),
    .m_frame_tready (port_1_s_frame_tready),
    .m_frame_tdata  (lane_0_m_frame_tdata),
    .m_frame_tkeep  (lane_0_m_frame_tkeep),
    .m_frame_tlast  (lane_0_m_frame_tlast),
    .m_frame_tuser  (lane_0_m_frame_tuser),
    .item_tvalid    (lane_0_item_tvalid),
    .item_tready    (merge_item_0_tready),
    .item_tdata     (lane_0_item_tdata),
    .item_tuser     (lane_0_item_tuser),
    .verdict_tvalid (merge_verdict_0_tvalid),
    .verdict_tready (lane_0_verdict_tready),
    .verdict_seen   (merge_verdict_0_seen),
    .awvalid        (lane_slice_0_awvalid),
    .awready        (lane_0_awready),
    .awaddr         (lane_slice_0_awaddr),
    .wvalid         (lane_slice_0_wvalid),
    .wready         (lane_0_wready),
    .wdata          (lane_slice_0_wdata),
    .wstrb          (lane_slice_0_wstrb),
    .bvalid         (lane_0_bvalid),
    .bready         (lane_slice_0_bready),
    .bresp          (lane_0_bresp),
    .arvalid        (lane_slice_0_arvalid),
    .arready        (lane_0_arready),
    .araddr         (lane_slice_0_araddr),
    .rvalid         (lane_0_rvalid),
    .rready         (lane_slice_0_rready),
    .rdata          (lane_0_rdata),
    .rresp          (lane_0_rresp),
    .next_block     (next_block_0)
  );

  packet_path lane_1 (
    .clock          (clock),
    .reset          (card_reset_holding),
    .s_frame_tvalid (port_1_m_frame_tvalid),
    .s_frame_tready (lane_1_s_frame_tready),
    .s_frame_tdata  (into_1),
    .s_frame_tkeep  (whole),
    .s_frame_tlast  (port_1_m_frame_tlast),
    .s_frame_tuser  (port_1_m_frame_tuser),
    .m_frame_tvalid (lane_1_m_frame_tvalid),
    .m_frame_tready (port_0_s_frame_tready),
    .m_frame_tdata  (lane_1_m_frame_tdata),
    .m_frame_tkeep  (lane_1_m_frame_tkeep),
    .m_frame_tlast  (lane_1_m_frame_tlast),
    .m_frame_tuser  (lane_1_m_frame_tuser),
    .item_tvalid    (lane_1_item_tvalid),
    .item_tready    (merge_item_1_tready),
    .item_tdata     (lane_1_item_tdata),
    .item_tuser     (lane_1_item_tuser),
    .verdict_tvalid (merge_verdict_1_tvalid),
    .verdict_tready (lane_1_verdict_tready),
    .verdict_seen   (merge_verdict_1_seen),
    .awvalid        (lane_slice_1_awvalid),
    .awready        (lane_1_awready),
    .awaddr         (lane_slice_1_awaddr),
    .wvalid         (lane_slice_1_wvalid),
    .wready         (lane_1_wready),
    .wdata          (lane_slice_1_wdata),
    .wstrb          (lane_slice_1_wstrb),
    .bvalid         (lane_1_bvalid),
    .bready         (lane_slice_1_bready),
    .bresp          (lane_1_bresp),
    .arvalid        (lane_slice_1_arvalid),
    .arready        (lane_1_arready),
    .araddr         (lane_slice_1_araddr),
    .rvalid         (lane_1_rvalid),
    .rready         (lane_slice_1_rready),
    .rdata          (lane_1_rdata),
    .rresp          (lane_1_rresp),
    .next_block     (next_block_1)
  );

  // items and verdicts
  lane_merge merge (
    .clock            (clock),
    .reset            (card_reset_reset),
    .item_0_tvalid    (lane_0_item_tvalid),
    .item_0_tready    (merge_item_0_tready),
    .item_0_tdata     (lane_0_item_tdata),
    .item_0_tuser     (lane_0_item_tuser),
    .item_1_tvalid    (lane_1_item_tvalid),
    .item_1_tready    (merge_item_1_tready),
    .item_1_tdata     (lane_1_item_tdata),
    .item_1_tuser     (lane_1_item_tuser),
    .verdict_0_tvalid (merge_verdict_0_tvalid),
    .verdict_0_tready (lane_0_verdict_tready),
    .verdict_0_seen   (merge_verdict_0_seen),
    .verdict_1_tvalid (merge_verdict_1_tvalid),
    .verdict_1_tready (lane_1_verdict_tready),
    .verdict_1_seen   (merge_verdict_1_seen),
    .item_tvalid      (merge_item_tvalid),
    .item_tready      (item_tready),
    .item_tdata       (merge_item_tdata),
    .item_tuser       (merge_item_tuser),
    .item_tid         (merge_item_tid),
    .verdict_tvalid   (verdict_tvalid),
    .verdict_tready   (merge_verdict_tready),
    .verdict_tid      (verdict_tid),
    .verdict_seen     (verdict_seen),
    .item_taken       (merge_item_taken),
    .item_seen        (merge_item_seen)
  );

  uart_bridge bridge (
    .clock   (clock),
    .reset   (host_reset),
    .uart_rx (uart_rx),
    .uart_tx (bridge_uart_tx),
    .awvalid (bridge_awvalid),
    .awready (slice_host_awready),
    .awaddr  (bridge_awaddr),
    .wvalid  (bridge_wvalid),
    .wready  (slice_host_wready),
    .wdata   (bridge_wdata),
    .wstrb   (bridge_wstrb),
    .bvalid  (slice_host_bvalid),
    .bready  (bridge_bready),
    .bresp   (slice_host_bresp),
    .arvalid (bridge_arvalid),
    .arready (slice_host_arready),
    .araddr  (bridge_araddr),
    .rvalid  (slice_host_rvalid),
    .rready  (bridge_rready),
    .rdata   (slice_host_rdata),
    .rresp   (slice_host_rresp)
  );

  bus_slice slice (
    .clock        (clock),
    .reset        (host_reset),
    .host_awvalid (bridge_awvalid),
    .host_awready (slice_host_awready),
    .host_awaddr  (bridge_awaddr),
    .host_wvalid  (bridge_wvalid),
    .host_wready  (slice_host_wready),
    .host_wdata   (bridge_wdata),
    .host_wstrb   (bridge_wstrb),
    .host_bvalid  (slice_host_bvalid),
    .host_bready  (bridge_bready),
    .host_bresp   (slice_host_bresp),
    .host_arvalid (bridge_arvalid),
    .host_arready (slice_host_arready),
    .host_araddr  (bridge_araddr),
    .host_rvalid  (slice_host_rvalid),
    .host_rready  (bridge_rready),
    .host_rdata   (slice_host_rdata),
    .host_rresp   (slice_host_rresp),
    .awvalid      (slice_awvalid),
    .awready      (to_ports_awready),
    .awaddr       (slice_awaddr),
    .wvalid       (slice_wvalid),
    .wready       (to_ports_wready),
    .wdata        (slice_wdata),
    .wstrb        (slice_wstrb),
    .bvalid       (to_ports_bvalid),
    .bready       (slice_bready),
    .bresp        (to_ports_bresp),
    .arvalid      (slice_arvalid),
    .arready      (to_ports_arready),
    .araddr       (slice_araddr),
    .rvalid       (to_ports_rvalid),
    .rready       (slice_rready),
    .rdata        (to_ports_rdata),
    .rresp        (to_ports_rresp)
  );

  // to the ports' registers, or what is below them
  ports_split to_ports (
    .clock          (clock),
    .reset          (host_reset),
    .awvalid        (slice_awvalid),
    .awready        (to_ports_awready),
    .awaddr         (slice_awaddr),
    .wvalid         (slice_wvalid),
    .wready         (to_ports_wready),
    .bvalid         (to_ports_bvalid),
    .bready         (slice_bready),
    .bresp          (to_ports_bresp),
    .arvalid        (slice_arvalid),
    .arready        (to_ports_arready),
    .araddr         (slice_araddr),
    .rvalid         (to_ports_rvalid),
    .rready         (slice_rready),
    .rdata          (to_ports_rdata),
    .rresp          (to_ports_rresp),
    .filter_awvalid (to_ports_filter_awvalid),
    .filter_awready (to_lanes_awready),
    .filter_wvalid  (to_ports_filter_wvalid),
    .filter_wready  (to_lanes_wready),
    .filter_bvalid  (to_lanes_bvalid),
    .filter_bresp   (to_lanes_bresp),
    .filter_arvalid (to_ports_filter_arvalid),
    .filter_arready (to_lanes_arready),
    .filter_rvalid  (to_lanes_rvalid),
    .filter_rdata   (to_lanes_rdata),
    .filter_rresp   (to_lanes_rresp),
    .port_awvalid   (to_ports_port_awvalid),
    .port_awready   (port_slice_host_awready),
    .port_wvalid    (to_ports_port_wvalid),
    .port_wready    (port_slice_host_wready),
    .port_bvalid    (port_slice_host_bvalid),
    .port_bresp     (port_slice_host_bresp),
    .port_arvalid   (to_ports_port_arvalid),
    .port_arready   (port_slice_host_arready),
    .port_rvalid    (port_slice_host_rvalid),
    .port_rdata     (port_slice_host_rdata),
    .port_rresp     (port_slice_host_rresp),
    .slave_awaddr   (to_ports_slave_awaddr),
    .slave_araddr   (to_ports_slave_araddr)
  );

  // to a lane, or to the card
  path_split to_lanes (
    .clock          (clock),
    .reset          (host_reset),
    .awvalid        (to_ports_filter_awvalid),
    .awready        (to_lanes_awready),
    .awaddr         (to_ports_slave_awaddr),
    .wvalid         (to_ports_filter_wvalid),
    .wready         (to_lanes_wready),
    .bvalid         (to_lanes_bvalid),
    .bready         (slice_bready),
    .bresp          (to_lanes_bresp),
    .arvalid        (to_ports_filter_arvalid),
    .arready        (to_lanes_arready),
    .araddr         (to_ports_slave_araddr),
    .rvalid         (to_lanes_rvalid),
    .rready         (slice_rready),
    .rdata          (to_lanes_rdata),
    .rresp          (to_lanes_rresp),
    .filter_awvalid (to_lanes_filter_awvalid),
    .filter_awready (card_slice_host_awready),
    .filter_wvalid  (to_lanes_filter_wvalid),
    .filter_wready  (card_slice_host_wready),
    .filter_bvalid  (card_slice_host_bvalid),
    .filter_bresp   (card_slice_host_bresp),
    .filter_arvalid (to_lanes_filter_arvalid),
    .filter_arready (card_slice_host_arready),
    .filter_rvalid  (card_slice_host_rvalid),
    .filter_rdata   (card_slice_host_rdata),
    .filter_rresp   (card_slice_host_rresp),
    .port_awvalid   (to_lanes_port_awvalid),
    .port_awready   (to_lane_awready),
    .port_wvalid    (to_lanes_port_wvalid),
    .port_wready    (to_lane_wready),
    .port_bvalid    (to_lane_bvalid),
    .port_bresp     (to_lane_bresp),
    .port_arvalid   (to_lanes_port_arvalid),
    .port_arready   (to_lane_arready),
    .port_rvalid    (to_lane_rvalid),
    .port_rdata     (to_lane_rdata),
    .port_rresp     (to_lane_rresp),
    .slave_awaddr   (to_lanes_slave_awaddr),
    .slave_araddr   (to_lanes_slave_araddr)
  );

  bus_slice_2 lane_slice_0 (
    .clock        (clock),
    .reset        (host_reset),
    .host_awvalid (to_lane_filter_awvalid),
    .host_awready (lane_slice_0_host_awready),
    .host_awaddr  (lane_slice_0_host_awaddr),
    .host_wvalid  (to_lane_filter_wvalid),
    .host_wready  (lane_slice_0_host_wready),
    .host_wdata   (slice_wdata),
    .host_wstrb   (slice_wstrb),
    .host_bvalid  (lane_slice_0_host_bvalid),
    .host_bready  (slice_bready),
    .host_bresp   (lane_slice_0_host_bresp),
    .host_arvalid (to_lane_filter_arvalid),
    .host_arready (lane_slice_0_host_arready),
    .host_araddr  (lane_slice_0_host_araddr),
    .host_rvalid  (lane_slice_0_host_rvalid),
    .host_rready  (slice_rready),
    .host_rdata   (lane_slice_0_host_rdata),
    .host_rresp   (lane_slice_0_host_rresp),
    .awvalid      (lane_slice_0_awvalid),
    .awready      (lane_0_awready),
    .awaddr       (lane_slice_0_awaddr),
    .wvalid       (lane_slice_0_wvalid),
    .wready       (lane_0_wready),
    .wdata        (lane_slice_0_wdata),
    .wstrb        (lane_slice_0_wstrb),
    .bvalid       (lane_0_bvalid),
    .bready       (lane_slice_0_bready),
    .bresp        (lane_0_bresp),
    .arvalid      (lane_slice_0_arvalid),
    .arready      (lane_0_arready),
    .araddr       (lane_slice_0_araddr),
    .rvalid       (lane_0_rvalid),
    .rready       (lane_slice_0_rready),
    .rdata        (lane_0_rdata),
    .rresp        (lane_0_rresp)
  );

  bus_slice_2 lane_slice_1 (
    .clock        (clock),
    .reset        (host_reset),
    .host_awvalid (to_lane_port_awvalid),
    .host_awready (lane_slice_1_host_awready),
    .host_awaddr  (lane_slice_1_host_awaddr),
    .host_wvalid  (to_lane_port_wvalid),
    .host_wready  (lane_slice_1_host_wready),
    .host_wdata   (slice_wdata),
    .host_wstrb   (slice_wstrb),
    .host_bvalid  (lane_slice_1_host_bvalid),
    .host_bready  (slice_bready),
    .host_bresp   (lane_slice_1_host_bresp),
    .host_arvalid (to_lane_port_arvalid),
    .host_arready (lane_slice_1_host_arready),
    .host_araddr  (lane_slice_1_host_araddr),
    .host_rvalid  (lane_slice_1_host_rvalid),
    .host_rready  (slice_rready),
    .host_rdata   (lane_slice_1_host_rdata),
    .host_rresp   (lane_slice_1_host_rresp),
    .awvalid      (lane_slice_1_awvalid),
    .awready      (lane_1_awready),
    .awaddr       (lane_slice_1_awaddr),
    .wvalid       (lane_slice_1_wvalid),
    .wready       (lane_1_wready),
    .wdata        (lane_slice_1_wdata),
    .wstrb        (lane_slice_1_wstrb),
    .bvalid       (lane_1_bvalid),
    .bready       (lane_slice_1_bready),
    .bresp        (lane_1_bresp),
    .arvalid      (lane_slice_1_arvalid),
    .arready      (lane_1_arready),
    .araddr       (lane_slice_1_araddr),
    .rvalid       (lane_1_rvalid),
    .rready       (lane_slice_1_rready),
    .rdata        (lane_1_rdata),
    .rresp        (lane_1_rresp)
  );

  bus_slice_2 card_slice (
    .clock        (clock),
    .reset        (host_reset),
    .host_awvalid (to_lanes_filter_awvalid),
    .host_awready (card_slice_host_awready),
    .host_awaddr  (to_lanes_slave_awaddr),
    .host_wvalid  (to_lanes_filter_wvalid),
    .host_wready  (card_slice_host_wready),
    .host_wdata   (slice_wdata),
    .host_wstrb   (slice_wstrb),
    .host_bvalid  (card_slice_host_bvalid),
    .host_bready  (slice_bready),
    .host_bresp   (card_slice_host_bresp),
    .host_arvalid (to_lanes_filter_arvalid),
    .host_arready (card_slice_host_arready),
    .host_araddr  (to_lanes_slave_araddr),
    .host_rvalid  (card_slice_host_rvalid),
    .host_rready  (slice_rready),
    .host_rdata   (card_slice_host_rdata),
    .host_rresp   (card_slice_host_rresp),
    .awvalid      (card_slice_awvalid),
    .awready      (awready),
    .awaddr       (card_slice_awaddr),
    .wvalid       (card_slice_wvalid),
    .wready       (wready),
    .wdata        (card_slice_wdata),
    .wstrb        (card_slice_wstrb),
    .bvalid       (bvalid),
    .bready       (card_slice_bready),
    .bresp        (bresp),
    .arvalid      (card_slice_arvalid),
    .arready      (arready),
    .araddr       (card_slice_araddr),
    .rvalid       (rvalid),
    .rready       (card_slice_rready),
    .rdata        (rdata),
    .rresp        (rresp)
  );

  bus_slice_3 port_slice (
    .clock        (clock),
    .reset        (host_reset),
    .host_awvalid (to_ports_port_awvalid),
    .host_awready (port_slice_host_awready),
    .host_awaddr  (to_ports_slave_awaddr),
    .host_wvalid  (to_ports_port_wvalid),
    .host_wready  (port_slice_host_wready),
    .host_wdata   (slice_wdata),
    .host_wstrb   (slice_wstrb),
    .host_bvalid  (port_slice_host_bvalid),
    .host_bready  (slice_bready),
    .host_bresp   (port_slice_host_bresp),
    .host_arvalid (to_ports_port_arvalid),
    .host_arready (port_slice_host_arready),
    .host_araddr  (to_ports_slave_araddr),
    .host_rvalid  (port_slice_host_rvalid),
    .host_rready  (slice_rready),
    .host_rdata   (port_slice_host_rdata),
    .host_rresp   (port_slice_host_rresp),
    .awvalid      (port_slice_awvalid),
    .awready      (registers_awready),
    .awaddr       (port_slice_awaddr),
    .wvalid       (port_slice_wvalid),
    .wready       (registers_wready),
    .wdata        (port_slice_wdata),
    .wstrb        (port_slice_wstrb),
    .bvalid       (registers_bvalid),
    .bready       (port_slice_bready),
    .bresp        (registers_bresp),
    .arvalid      (port_slice_arvalid),
    .arready      (registers_arready),
    .araddr       (port_slice_araddr),
    .rvalid       (registers_rvalid),
    .rready       (port_slice_rready),
    .rdata        (registers_rdata),
    .rresp        (registers_rresp)
  );

  // to lane 0, or to lane 1
  lane_split to_lane (
    .clock          (clock),
    .reset          (host_reset),
    .awvalid        (to_lanes_port_awvalid),
    .awready        (to_lane_awready),
    .awaddr         (to_lanes_slave_awaddr),
    .wvalid         (to_lanes_port_wvalid),
    .wready         (to_lane_wready),
    .bvalid         (to_lane_bvalid),
    .bready         (slice_bready),
    .bresp          (to_lane_bresp),
    .arvalid        (to_lanes_port_arvalid),
    .arready        (to_lane_arready),
    .araddr         (to_lanes_slave_araddr),
    .rvalid         (to_lane_rvalid),
    .rready         (slice_rready),
    .rdata          (to_lane_rdata),
    .rresp          (to_lane_rresp),
    .filter_awvalid (to_lane_filter_awvalid),
    .filter_awready (lane_slice_0_host_awready),
    .filter_wvalid  (to_lane_filter_wvalid),
    .filter_wready  (lane_slice_0_host_wready),
    .filter_bvalid  (lane_slice_0_host_bvalid),
    .filter_bresp   (lane_slice_0_host_bresp),
    .filter_arvalid (to_lane_filter_arvalid),
    .filter_arready (lane_slice_0_host_arready),
    .filter_rvalid  (lane_slice_0_host_rvalid),
    .filter_rdata   (lane_slice_0_host_rdata),
    .filter_rresp   (lane_slice_0_host_rresp),
    .port_awvalid   (to_lane_port_awvalid),
    .port_awready   (lane_slice_1_host_awready),
    .port_wvalid    (to_lane_port_wvalid),
    .port_wready    (lane_slice_1_host_wready),
    .port_bvalid    (lane_slice_1_host_bvalid),
    .port_bresp     (lane_slice_1_host_bresp),
    .port_arvalid   (to_lane_port_arvalid),
    .port_arready   (lane_slice_1_host_arready),
    .port_rvalid    (lane_slice_1_host_rvalid),
    .port_rdata     (lane_slice_1_host_rdata),
    .port_rresp     (lane_slice_1_host_rresp),
    .slave_awaddr   (to_lane_slave_awaddr),
    .slave_araddr   (to_lane_slave_araddr)
  );

  port_registers registers (
    .clock    (clock),
    .reset    (host_reset),
    .awvalid  (port_slice_awvalid),
    .awready  (registers_awready),
    .awaddr   (port_slice_awaddr),
    .wvalid   (port_slice_wvalid),
    .wready   (registers_wready),
    .wdata    (port_slice_wdata),
    .wstrb    (port_slice_wstrb),
    .bvalid   (registers_bvalid),
    .bready   (port_slice_bready),
    .bresp    (registers_bresp),
    .arvalid  (port_slice_arvalid),
    .arready  (registers_arready),
    .araddr   (port_slice_araddr),
    .rvalid   (registers_rvalid),
    .rready   (port_slice_rready),
    .rdata    (registers_rdata),
    .rresp    (registers_rresp),
    .link     (registers_link),
    .count_0  (port_0_frames_good),
    .count_1  (port_0_frames_bad_fcs),
    .count_2  (port_0_frames_runt),
    .count_3  (port_0_frames_error),
    .count_4  (port_0_overflows),
    .count_5  (port_0_frames_sent),
    .count_6  (port_0_frames_broken),
    .count_7  (port_0_underruns),
    .count_8  (port_1_frames_good),
    .count_9  (port_1_frames_bad_fcs),
    .count_10 (port_1_frames_runt),
    .count_11 (port_1_frames_error),
    .count_12 (port_1_overflows),
    .count_13 (port_1_frames_sent),
    .count_14 (port_1_frames_broken),
    .count_15 (port_1_underruns)
  );

  assign reset = card_reset_reset;
  assign rgmii_0_tx_clock = port_0_rgmii_tx_clock;
  assign rgmii_0_tx_control = port_0_rgmii_tx_control;
  assign rgmii_0_tx_data = port_0_rgmii_tx_data;
  assign rgmii_1_tx_clock = port_1_rgmii_tx_clock;
  assign rgmii_1_tx_control = port_1_rgmii_tx_control;
  assign rgmii_1_tx_data = port_1_rgmii_tx_data;
  assign out_of_0 = lane_0_m_frame_tdata;
  assign out_of_1 = lane_1_m_frame_tdata;
  assign into_0 = port_0_m_frame_tdata;
  assign into_1 = port_1_m_frame_tdata;
  assign item_tvalid = merge_item_tvalid;
  assign item_tdata = merge_item_tdata;
  assign item_tuser = merge_item_tuser;
  assign item_tid = merge_item_tid;
  assign verdict_tready = merge_verdict_tready;
  assign item_taken = merge_item_taken;
  assign item_seen = merge_item_seen;
  assign uart_tx = bridge_uart_tx;
  assign awvalid = card_slice_awvalid;
  assign awaddr = card_slice_awaddr;
  assign wvalid = card_slice_wvalid;
  assign wdata = card_slice_wdata;
  assign wstrb = card_slice_wstrb;
  assign bready = card_slice_bready;
  assign arvalid = card_slice_arvalid;
  assign araddr = card_slice_araddr;
  assign rready = card_slice_rready;
  assign lane_slice_0_host_awaddr = {1'b0, to_lane_slave_awaddr};
  assign lane_slice_0_host_araddr = {1'b0, to_lane_slave_araddr};
  assign lane_slice_1_host_awaddr = {1'b0, to_lane_slave_awaddr};
  assign lane_slice_1_host_araddr = {1'b0, to_lane_slave_araddr};

  // what the ports tell
  assign link = {port_1_link_up, port_0_link_up};
  assign registers_link = {port_1_link_full_duplex, port_1_link_speed, port_1_link_up, port_0_link_full_duplex, port_0_link_speed, port_0_link_up};

  initial begin
    host_reset = 1'b1;
  end

  always @(posedge clock) begin
    // the host
    host_reset <= card_reset_holding;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, port_0_reset, port_1_reset, lane_0_m_frame_tkeep, lane_0_m_frame_tuser, lane_1_m_frame_tkeep, lane_1_m_frame_tuser};
endmodule
