// A gigabit Ethernet port on RGMII. Contract: mac.md.
module mac_port (
  input  wire        clock,
  input  wire        hold,             // reset, of any clock or none
  output wire        reset,            // the same in clock, for what the streams are connected to
  input  wire        rgmii_rx_clock,
  input  wire        rgmii_rx_control,
  input  wire [3:0]  rgmii_rx_data,
  output wire        rgmii_tx_clock,
  output wire        rgmii_tx_control,
  output wire [3:0]  rgmii_tx_data,
  output wire        m_frame_tvalid,   // frames from the line
  input  wire        m_frame_tready,
  output wire [7:0]  m_frame_tdata,
  output wire        m_frame_tlast,
  output wire        m_frame_tuser,    // with tlast: the frame is bad
  input  wire        s_frame_tvalid,   // frames to the line
  output wire        s_frame_tready,
  input  wire [7:0]  s_frame_tdata,
  input  wire        s_frame_tlast,
  input  wire        s_frame_tuser,    // with tlast: end the frame as bad
  output wire        link_up,          // the PHY tells of a link
  output wire [1:0]  link_speed,       // 0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s
  output wire        link_full_duplex,
  output wire [63:0] frames_good,      // frames received that were good
  output wire [63:0] frames_bad_fcs,   // with a wrong FCS
  output wire [63:0] frames_runt,      // too short
  output wire [63:0] frames_error,     // with an error from the PHY
  output wire [63:0] overflows,        // frames that met a full FIFO
  output wire [63:0] frames_sent,      // frames sent
  output wire [63:0] frames_broken,    // frames sent as bad
  output wire [63:0] underruns         // of those, for want of bytes
);
  wire [7:0]  pins_in_gmii_data;
  wire        pins_in_gmii_valid;
  wire        pins_in_gmii_error;
  wire        pins_in_link_up;
  wire [1:0]  pins_in_link_speed;
  wire        pins_in_link_full_duplex;
  wire        receiver_m_tvalid;
  wire [7:0]  receiver_m_tdata;
  wire        receiver_m_tlast;
  wire        receiver_m_tuser;
  wire        receiver_frame_good;
  wire        receiver_frame_bad_fcs;
  wire        receiver_frame_runt;
  wire        receiver_frame_error;
  wire        gate_write;
  wire [9:0]  gate_word;
  wire        gate_overflow;
  wire        fifo_full;
  wire        fifo_valid;
  wire [9:0]  fifo_read_data;
  wire        buffer_s_tready;
  wire        buffer_m_tvalid;
  wire [7:0]  buffer_m_tdata;
  wire        buffer_m_tlast;
  wire        buffer_m_tuser;
  wire        transmitter_s_tready;
  wire [7:0]  transmitter_gmii_data;
  wire        transmitter_gmii_valid;
  wire        transmitter_gmii_error;
  wire        transmitter_frame_sent;
  wire        transmitter_frame_broken;
  wire        transmitter_underrun;
  wire        pins_out_rgmii_tx_clock;
  wire        pins_out_rgmii_tx_control;
  wire [3:0]  pins_out_rgmii_tx_data;
  wire        rx_reset_early;
  wire        rx_reset_reset;
  wire        rx_reset_holding;
  wire        card_reset_hold;
  wire        card_reset_early;
  wire        card_reset_reset;
  wire        card_reset_holding;
  wire [3:0]  link_d;
  wire [3:0]  link_q;
  wire [63:0] good_count;
  wire [63:0] bad_fcs_count;
  wire [63:0] runt_count;
  wire [63:0] error_count;
  wire [63:0] overflow_count;
  wire [63:0] sent_count;
  wire [63:0] broken_count;
  wire [63:0] underrun_count;

  // from the line
  rgmii_input pins_in (
    .rgmii_rx_clock   (rgmii_rx_clock),
    .rgmii_rx_control (rgmii_rx_control),
    .rgmii_rx_data    (rgmii_rx_data),
    .gmii_data        (pins_in_gmii_data),
    .gmii_valid       (pins_in_gmii_valid),
    .gmii_error       (pins_in_gmii_error),
    .link_up          (pins_in_link_up),
    .link_speed       (pins_in_link_speed),
    .link_full_duplex (pins_in_link_full_duplex)
  );

  mac_receiver receiver (
    .clock         (rgmii_rx_clock),
    .reset         (rx_reset_reset),
    .gmii_data     (pins_in_gmii_data),
    .gmii_valid    (pins_in_gmii_valid),
    .gmii_error    (pins_in_gmii_error),
    .m_tvalid      (receiver_m_tvalid),
    .m_tdata       (receiver_m_tdata),
    .m_tlast       (receiver_m_tlast),
    .m_tuser       (receiver_m_tuser),
    .frame_good    (receiver_frame_good),
    .frame_bad_fcs (receiver_frame_bad_fcs),
    .frame_runt    (receiver_frame_runt),
    .frame_error   (receiver_frame_error)
  );

  frame_gate gate (
    .clock    (rgmii_rx_clock),
    .reset    (rx_reset_reset),
    .s_tvalid (receiver_m_tvalid),
    .s_tdata  (receiver_m_tdata),
    .s_tlast  (receiver_m_tlast),
    .s_tuser  (receiver_m_tuser),
    .write    (gate_write),
    .word     (gate_word),
    .full     (fifo_full),
    .overflow (gate_overflow)
  );

  async_fifo fifo (
    .write_clock (rgmii_rx_clock),
    .write_reset (rx_reset_reset),
    .write       (gate_write),
    .write_data  (gate_word),
    .full        (fifo_full),
    .read_clock  (clock),
    .read_reset  (card_reset_reset),
    .valid       (fifo_valid),
    .ready       (m_frame_tready),
    .read_data   (fifo_read_data)
  );

  // to the line
  transmit_buffer buffer (
    .clock    (clock),
    .reset    (card_reset_reset),
    .s_tvalid (s_frame_tvalid),
    .s_tready (buffer_s_tready),
    .s_tdata  (s_frame_tdata),
    .s_tlast  (s_frame_tlast),
    .s_tuser  (s_frame_tuser),
    .m_tvalid (buffer_m_tvalid),
    .m_tready (transmitter_s_tready),
    .m_tdata  (buffer_m_tdata),
    .m_tlast  (buffer_m_tlast),
    .m_tuser  (buffer_m_tuser)
  );

  mac_transmitter transmitter (
    .clock        (clock),
    .reset        (card_reset_reset),
    .s_tvalid     (buffer_m_tvalid),
    .s_tready     (transmitter_s_tready),
    .s_tdata      (buffer_m_tdata),
    .s_tlast      (buffer_m_tlast),
    .s_tuser      (buffer_m_tuser),
    .gmii_data    (transmitter_gmii_data),
    .gmii_valid   (transmitter_gmii_valid),
    .gmii_error   (transmitter_gmii_error),
    .frame_sent   (transmitter_frame_sent),
    .frame_broken (transmitter_frame_broken),
    .underrun     (transmitter_underrun)
  );

  rgmii_output pins_out (
    .clock            (clock),
    .gmii_data        (transmitter_gmii_data),
    .gmii_valid       (transmitter_gmii_valid),
    .gmii_error       (transmitter_gmii_error),
    .rgmii_tx_clock   (pins_out_rgmii_tx_clock),
    .rgmii_tx_control (pins_out_rgmii_tx_control),
    .rgmii_tx_data    (pins_out_rgmii_tx_data)
  );

  reset_crossing rx_reset (
    .clock   (rgmii_rx_clock),
    .hold    (hold),
    .early   (rx_reset_early),
    .reset   (rx_reset_reset),
    .holding (rx_reset_holding)
  );

  reset_crossing card_reset (
    .clock   (clock),
    .hold    (card_reset_hold),
    .early   (card_reset_early),
    .reset   (card_reset_reset),
    .holding (card_reset_holding)
  );

  // what is told of it
  synchroniser_2 link (
    .clock (clock),
    .reset (card_reset_reset),
    .d     (link_d),
    .q     (link_q)
  );

  mac_counter good (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_good),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (good_count)
  );

  mac_counter bad_fcs (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_bad_fcs),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (bad_fcs_count)
  );

  mac_counter runt (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_runt),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (runt_count)
  );

  mac_counter error (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_error),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (error_count)
  );

  mac_counter overflow (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (gate_overflow),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (overflow_count)
  );

  mac_counter sent (
    .event_clock (clock),
    .event_reset (card_reset_reset),
    .event_      (transmitter_frame_sent),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (sent_count)
  );

  mac_counter broken (
    .event_clock (clock),
    .event_reset (card_reset_reset),
    .event_      (transmitter_frame_broken),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (broken_count)
  );

  mac_counter underrun (
    .event_clock (clock),
    .event_reset (card_reset_reset),
    .event_      (transmitter_underrun),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (underrun_count)
  );

  assign card_reset_hold = hold || rx_reset_holding;
  assign reset = card_reset_reset;
  assign m_frame_tvalid = fifo_valid;
  assign m_frame_tdata = fifo_read_data[7:0];
  assign m_frame_tlast = fifo_read_data[8];
  assign m_frame_tuser = fifo_read_data[9];

  // not ready in reset, so what sends may leave its own reset earlier
  assign s_frame_tready = buffer_s_tready;
  assign rgmii_tx_clock = pins_out_rgmii_tx_clock;
  assign rgmii_tx_control = pins_out_rgmii_tx_control;
  assign rgmii_tx_data = pins_out_rgmii_tx_data;
  assign link_d = {pins_in_link_full_duplex, pins_in_link_speed, pins_in_link_up};
  assign link_up = link_q[0];
  assign link_speed = link_q[2:1];
  assign link_full_duplex = link_q[3];
  assign frames_good = good_count;
  assign frames_bad_fcs = bad_fcs_count;
  assign frames_runt = runt_count;
  assign frames_error = error_count;
  assign overflows = overflow_count;
  assign frames_sent = sent_count;
  assign frames_broken = broken_count;
  assign underruns = underrun_count;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, rx_reset_early, card_reset_early, card_reset_holding};
endmodule
