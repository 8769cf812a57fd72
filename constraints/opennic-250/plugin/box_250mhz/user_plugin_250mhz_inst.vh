// The packet paths in the shell's 250 MHz box. Included into box_250mhz of the shell.
`include "bloomline_path.vh"

// What the paths cannot be built for ends the build.
generate
  if (USE_PHYS_FUNC != 1)
    $fatal(1, "bloomline: received frames go to the host: build the shell with -use_phys_func 1");
  if (NUM_QDMA != 1)
    $fatal(1, "bloomline: one DMA: build the shell with -num_qdma 1");
  if (NUM_PHYS_FUNC != NUM_CMAC_PORT)
    $fatal(1, "bloomline: a function for each port: build the shell with -num_phys_func equal to -num_cmac_port");
  if (MAX_PKT_LEN > `BLOOMLINE_BUFFER_BYTES)
    $fatal(1, "bloomline: -max_pkt_len is above packet.buffer_bytes: the longest frames would never fit");
endgenerate

// One reset pair is used; the others are always done.
assign mod_rst_done[15:1] = {15{1'b1}};

bloomline_box_250mhz #(
  .NUM_INTF (NUM_PHYS_FUNC)
) bloomline_box_250mhz_inst (
  .s_axil_awvalid                   (axil_path_awvalid),
  .s_axil_awaddr                    (axil_path_awaddr),
  .s_axil_awready                   (axil_path_awready),
  .s_axil_wvalid                    (axil_path_wvalid),
  .s_axil_wdata                     (axil_path_wdata),
  .s_axil_wready                    (axil_path_wready),
  .s_axil_bvalid                    (axil_path_bvalid),
  .s_axil_bresp                     (axil_path_bresp),
  .s_axil_bready                    (axil_path_bready),
  .s_axil_arvalid                   (axil_path_arvalid),
  .s_axil_araddr                    (axil_path_araddr),
  .s_axil_arready                   (axil_path_arready),
  .s_axil_rvalid                    (axil_path_rvalid),
  .s_axil_rdata                     (axil_path_rdata),
  .s_axil_rresp                     (axil_path_rresp),
  .s_axil_rready                    (axil_path_rready),
  .s_axis_qdma_h2c_tvalid           (s_axis_qdma_h2c_tvalid),
  .s_axis_qdma_h2c_tdata            (s_axis_qdma_h2c_tdata),
  .s_axis_qdma_h2c_tkeep            (s_axis_qdma_h2c_tkeep),
  .s_axis_qdma_h2c_tlast            (s_axis_qdma_h2c_tlast),
  .s_axis_qdma_h2c_tuser_size       (s_axis_qdma_h2c_tuser_size),
  .s_axis_qdma_h2c_tuser_src        (s_axis_qdma_h2c_tuser_src),
  .s_axis_qdma_h2c_tready           (s_axis_qdma_h2c_tready),
  .m_axis_qdma_c2h_tvalid           (m_axis_qdma_c2h_tvalid),
  .m_axis_qdma_c2h_tdata            (m_axis_qdma_c2h_tdata),
  .m_axis_qdma_c2h_tkeep            (m_axis_qdma_c2h_tkeep),
  .m_axis_qdma_c2h_tlast            (m_axis_qdma_c2h_tlast),
  .m_axis_qdma_c2h_tuser_size       (m_axis_qdma_c2h_tuser_size),
  .m_axis_qdma_c2h_tuser_src        (m_axis_qdma_c2h_tuser_src),
  .m_axis_qdma_c2h_tuser_dst        (m_axis_qdma_c2h_tuser_dst),
  .m_axis_qdma_c2h_tready           (m_axis_qdma_c2h_tready),
  .m_axis_adap_tx_250mhz_tvalid     (m_axis_adap_tx_250mhz_tvalid),
  .m_axis_adap_tx_250mhz_tdata      (m_axis_adap_tx_250mhz_tdata),
  .m_axis_adap_tx_250mhz_tkeep      (m_axis_adap_tx_250mhz_tkeep),
  .m_axis_adap_tx_250mhz_tlast      (m_axis_adap_tx_250mhz_tlast),
  .m_axis_adap_tx_250mhz_tuser_size (m_axis_adap_tx_250mhz_tuser_size),
  .m_axis_adap_tx_250mhz_tuser_src  (m_axis_adap_tx_250mhz_tuser_src),
  .m_axis_adap_tx_250mhz_tuser_dst  (m_axis_adap_tx_250mhz_tuser_dst),
  .m_axis_adap_tx_250mhz_tready     (m_axis_adap_tx_250mhz_tready),
  .s_axis_adap_rx_250mhz_tvalid     (s_axis_adap_rx_250mhz_tvalid),
  .s_axis_adap_rx_250mhz_tdata      (s_axis_adap_rx_250mhz_tdata),
  .s_axis_adap_rx_250mhz_tkeep      (s_axis_adap_rx_250mhz_tkeep),
  .s_axis_adap_rx_250mhz_tlast      (s_axis_adap_rx_250mhz_tlast),
  .s_axis_adap_rx_250mhz_tready     (s_axis_adap_rx_250mhz_tready),
  .mod_rstn                         (mod_rstn[0]),
  .mod_rst_done                     (mod_rst_done[0]),
  .axil_aclk                        (axil_aclk),
  .axis_aclk                        (axis_aclk)
);
