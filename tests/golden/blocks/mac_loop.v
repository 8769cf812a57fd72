// A gigabit Ethernet port that sends what it receives.
module mac_loop (
  input  wire        clock,
  input  wire        hold,             // reset, of any clock or none
  input  wire        rgmii_rx_clock,
  input  wire        rgmii_rx_control,
  input  wire [3:0]  rgmii_rx_data,
  output wire        rgmii_tx_clock,
  output wire        rgmii_tx_control,
  output wire [3:0]  rgmii_tx_data,
  output wire        link_up,
  output wire [1:0]  link_speed,
  output wire        link_full_duplex,
  output wire [63:0] frames_good,
  output wire [63:0] frames_bad_fcs,
  output wire [63:0] frames_runt,
  output wire [63:0] frames_error,
  output wire [63:0] overflows,
  output wire [63:0] frames_sent,
  output wire [63:0] frames_broken,
  output wire [63:0] underruns
);
  wire        port_reset;
  wire        port_rgmii_tx_clock;
  wire        port_rgmii_tx_control;
  wire [3:0]  port_rgmii_tx_data;
  wire        port_m_frame_tvalid;
  wire [7:0]  port_m_frame_tdata;
  wire        port_m_frame_tlast;
  wire        port_m_frame_tuser;
  wire        port_s_frame_tready;
  wire        port_link_up;
  wire [1:0]  port_link_speed;
  wire        port_link_full_duplex;
  wire [63:0] port_frames_good;
  wire [63:0] port_frames_bad_fcs;
  wire [63:0] port_frames_runt;
  wire [63:0] port_frames_error;
  wire [63:0] port_overflows;
  wire [63:0] port_frames_sent;
  wire [63:0] port_frames_broken;
  wire [63:0] port_underruns;

  mac_port port (
    .clock            (clock),
    .hold             (hold),
    .reset            (port_reset),
    .rgmii_rx_clock   (rgmii_rx_clock),
    .rgmii_rx_control (rgmii_rx_control),
    .rgmii_rx_data    (rgmii_rx_data),
    .rgmii_tx_clock   (port_rgmii_tx_clock),
    .rgmii_tx_control (port_rgmii_tx_control),
    .rgmii_tx_data    (port_rgmii_tx_data),
    .m_frame_tvalid   (port_m_frame_tvalid),
    .m_frame_tready   (port_s_frame_tready),
    .m_frame_tdata    (port_m_frame_tdata),
    .m_frame_tlast    (port_m_frame_tlast),
    .m_frame_tuser    (port_m_frame_tuser),
    .s_frame_tvalid   (port_m_frame_tvalid),
    .s_frame_tready   (port_s_frame_tready),
    .s_frame_tdata    (port_m_frame_tdata),
    .s_frame_tlast    (port_m_frame_tlast),
    .s_frame_tuser    (port_m_frame_tuser),
    .link_up          (port_link_up),
    .link_speed       (port_link_speed),
    .link_full_duplex (port_link_full_duplex),
    .frames_good      (port_frames_good),
    .frames_bad_fcs   (port_frames_bad_fcs),
    .frames_runt      (port_frames_runt),
    .frames_error     (port_frames_error),
    .overflows        (port_overflows),
    .frames_sent      (port_frames_sent),
    .frames_broken    (port_frames_broken),
    .underruns        (port_underruns)
  );

  assign rgmii_tx_clock = port_rgmii_tx_clock;
  assign rgmii_tx_control = port_rgmii_tx_control;
  assign rgmii_tx_data = port_rgmii_tx_data;
  assign link_up = port_link_up;
  assign link_speed = port_link_speed;
  assign link_full_duplex = port_link_full_duplex;
  assign frames_good = port_frames_good;
  assign frames_bad_fcs = port_frames_bad_fcs;
  assign frames_runt = port_frames_runt;
  assign frames_error = port_frames_error;
  assign overflows = port_overflows;
  assign frames_sent = port_frames_sent;
  assign frames_broken = port_frames_broken;
  assign underruns = port_underruns;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, port_reset};
endmodule
