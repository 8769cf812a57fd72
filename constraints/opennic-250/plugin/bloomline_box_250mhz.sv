// bloomline_box_250mhz: a packet path between the packet adapter and the host, one an interface of the OpenNIC shell.
//
//   adap_rx --> packet path --> register --> qdma_c2h      received: filtered
//                  ^
//   axil --> crossing, 125 to 250 MHz
//
//   qdma_h2c -----------------> register --> adap_tx       sent: as it is
//
// tuser of a frame to the host: size is that of the frame as it leaves; src is the interface's MAC port, as the packet adapter
// marks it; dst is the interface's PCIe function. Of a frame to the wire: size and src as they came; dst is the interface's MAC
// port. The shell's adapter keeps bad frames, so none is marked as bad here.
//
// A frame that a reset cuts loses its end: reset the shell's DMA and MAC as well (system reset), or while no frame is under way.
`include "bloomline_path.vh"
`default_nettype none
module bloomline_box_250mhz #(
    parameter NUM_INTF = 1  // interfaces, each with a MAC port and a PCIe function
) (
    input  wire     [NUM_INTF-1:0] s_axil_awvalid,
    input  wire  [10*NUM_INTF-1:0] s_axil_awaddr,
    output wire     [NUM_INTF-1:0] s_axil_awready,
    input  wire     [NUM_INTF-1:0] s_axil_wvalid,
    input  wire  [32*NUM_INTF-1:0] s_axil_wdata,
    output wire     [NUM_INTF-1:0] s_axil_wready,
    output wire     [NUM_INTF-1:0] s_axil_bvalid,
    output wire   [2*NUM_INTF-1:0] s_axil_bresp,
    input  wire     [NUM_INTF-1:0] s_axil_bready,
    input  wire     [NUM_INTF-1:0] s_axil_arvalid,
    input  wire  [10*NUM_INTF-1:0] s_axil_araddr,
    output wire     [NUM_INTF-1:0] s_axil_arready,
    output wire     [NUM_INTF-1:0] s_axil_rvalid,
    output wire  [32*NUM_INTF-1:0] s_axil_rdata,
    output wire   [2*NUM_INTF-1:0] s_axil_rresp,
    input  wire     [NUM_INTF-1:0] s_axil_rready,

    input  wire     [NUM_INTF-1:0] s_axis_qdma_h2c_tvalid,
    input  wire [512*NUM_INTF-1:0] s_axis_qdma_h2c_tdata,
    input  wire  [64*NUM_INTF-1:0] s_axis_qdma_h2c_tkeep,
    input  wire     [NUM_INTF-1:0] s_axis_qdma_h2c_tlast,
    input  wire  [16*NUM_INTF-1:0] s_axis_qdma_h2c_tuser_size,
    input  wire  [16*NUM_INTF-1:0] s_axis_qdma_h2c_tuser_src,
    output wire     [NUM_INTF-1:0] s_axis_qdma_h2c_tready,

    output wire     [NUM_INTF-1:0] m_axis_qdma_c2h_tvalid,
    output wire [512*NUM_INTF-1:0] m_axis_qdma_c2h_tdata,
    output wire  [64*NUM_INTF-1:0] m_axis_qdma_c2h_tkeep,
    output wire     [NUM_INTF-1:0] m_axis_qdma_c2h_tlast,
    output wire  [16*NUM_INTF-1:0] m_axis_qdma_c2h_tuser_size,
    output wire  [16*NUM_INTF-1:0] m_axis_qdma_c2h_tuser_src,
    output wire  [16*NUM_INTF-1:0] m_axis_qdma_c2h_tuser_dst,
    input  wire     [NUM_INTF-1:0] m_axis_qdma_c2h_tready,

    output wire     [NUM_INTF-1:0] m_axis_adap_tx_250mhz_tvalid,
    output wire [512*NUM_INTF-1:0] m_axis_adap_tx_250mhz_tdata,
    output wire  [64*NUM_INTF-1:0] m_axis_adap_tx_250mhz_tkeep,
    output wire     [NUM_INTF-1:0] m_axis_adap_tx_250mhz_tlast,
    output wire  [16*NUM_INTF-1:0] m_axis_adap_tx_250mhz_tuser_size,
    output wire  [16*NUM_INTF-1:0] m_axis_adap_tx_250mhz_tuser_src,
    output wire  [16*NUM_INTF-1:0] m_axis_adap_tx_250mhz_tuser_dst,
    input  wire     [NUM_INTF-1:0] m_axis_adap_tx_250mhz_tready,

    input  wire     [NUM_INTF-1:0] s_axis_adap_rx_250mhz_tvalid,
    input  wire [512*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tdata,
    input  wire  [64*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tkeep,
    input  wire     [NUM_INTF-1:0] s_axis_adap_rx_250mhz_tlast,
    output wire     [NUM_INTF-1:0] s_axis_adap_rx_250mhz_tready,

    input  wire                    mod_rstn,
    output wire                    mod_rst_done,
    input  wire                    axil_aclk,
    input  wire                    axis_aclk
);
    localparam TX_BITS = 512 + 64 + 1 + 16 + 16;  // data, keep, last, size, src
    localparam RX_BITS = 512 + 64 + 1 + 16;       // data, keep, last, size

    wire axil_reset, axis_reset;
    bloomline_reset reset (
        .axil_aclk(axil_aclk), .axis_aclk(axis_aclk), .mod_rstn(mod_rstn), .mod_rst_done(mod_rst_done),
        .axil_reset(axil_reset), .axis_reset(axis_reset)
    );

    generate
        for (genvar i = 0; i < NUM_INTF; i = i + 1) begin : interface_
            // registers
            wire        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
            wire  [9:0] awaddr, araddr;
            wire [31:0] wdata, rdata;
            wire  [3:0] wstrb;
            wire  [1:0] bresp, rresp;
            bloomline_axil_crossing crossing (
                .axil_aclk(axil_aclk), .axil_reset(axil_reset),
                .s_axil_awvalid(s_axil_awvalid[i]), .s_axil_awready(s_axil_awready[i]), .s_axil_awaddr(s_axil_awaddr[10*i +: 10]),
                .s_axil_wvalid(s_axil_wvalid[i]), .s_axil_wready(s_axil_wready[i]), .s_axil_wdata(s_axil_wdata[32*i +: 32]),
                .s_axil_bvalid(s_axil_bvalid[i]), .s_axil_bready(s_axil_bready[i]), .s_axil_bresp(s_axil_bresp[2*i +: 2]),
                .s_axil_arvalid(s_axil_arvalid[i]), .s_axil_arready(s_axil_arready[i]), .s_axil_araddr(s_axil_araddr[10*i +: 10]),
                .s_axil_rvalid(s_axil_rvalid[i]), .s_axil_rready(s_axil_rready[i]), .s_axil_rdata(s_axil_rdata[32*i +: 32]),
                .s_axil_rresp(s_axil_rresp[2*i +: 2]),
                .axis_aclk(axis_aclk), .axis_reset(axis_reset),
                .m_axil_awvalid(awvalid), .m_axil_awready(awready), .m_axil_awaddr(awaddr),
                .m_axil_wvalid(wvalid), .m_axil_wready(wready), .m_axil_wdata(wdata), .m_axil_wstrb(wstrb),
                .m_axil_bvalid(bvalid), .m_axil_bready(bready), .m_axil_bresp(bresp),
                .m_axil_arvalid(arvalid), .m_axil_arready(arready), .m_axil_araddr(araddr),
                .m_axil_rvalid(rvalid), .m_axil_rready(rready), .m_axil_rdata(rdata), .m_axil_rresp(rresp)
            );

            // received frames
            wire         path_tvalid, path_tready, path_tlast;
            wire [511:0] path_tdata;
            wire  [63:0] path_tkeep;
            wire  [15:0] path_tuser;  // bytes of the frame
            `BLOOMLINE_PATH path (
                .clock(axis_aclk), .reset(axis_reset),
                .s_frame_tvalid(s_axis_adap_rx_250mhz_tvalid[i]), .s_frame_tready(s_axis_adap_rx_250mhz_tready[i]),
                .s_frame_tdata(s_axis_adap_rx_250mhz_tdata[512*i +: 512]), .s_frame_tkeep(s_axis_adap_rx_250mhz_tkeep[64*i +: 64]),
                .s_frame_tlast(s_axis_adap_rx_250mhz_tlast[i]), .s_frame_tuser(1'b0),
                .m_frame_tvalid(path_tvalid), .m_frame_tready(path_tready), .m_frame_tdata(path_tdata),
                .m_frame_tkeep(path_tkeep), .m_frame_tlast(path_tlast), .m_frame_tuser(path_tuser),
                .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0),
                .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
                .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
                .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr), .s_axil_arprot(3'd0),
                .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp)
            );

            wire [RX_BITS-1:0] rx;
            bloomline_axis_register #(.WIDTH(RX_BITS)) rx_register (
                .clock(axis_aclk), .reset(axis_reset),
                .s_tvalid(path_tvalid), .s_tready(path_tready),
                .s_beat({path_tuser, path_tlast, path_tkeep, path_tdata}),
                .m_tvalid(m_axis_qdma_c2h_tvalid[i]), .m_tready(m_axis_qdma_c2h_tready[i]), .m_beat(rx)
            );
            assign m_axis_qdma_c2h_tdata[512*i +: 512]     = rx[511:0];
            assign m_axis_qdma_c2h_tkeep[64*i +: 64]       = rx[575:512];
            assign m_axis_qdma_c2h_tlast[i]                = rx[576];
            assign m_axis_qdma_c2h_tuser_size[16*i +: 16]  = rx[592:577];
            assign m_axis_qdma_c2h_tuser_src[16*i +: 16]   = 16'd1 << (6 + i);
            assign m_axis_qdma_c2h_tuser_dst[16*i +: 16]   = 16'd1 << i;

            // frames to be sent
            wire [TX_BITS-1:0] tx;
            bloomline_axis_register #(.WIDTH(TX_BITS)) tx_register (
                .clock(axis_aclk), .reset(axis_reset),
                .s_tvalid(s_axis_qdma_h2c_tvalid[i]), .s_tready(s_axis_qdma_h2c_tready[i]),
                .s_beat({s_axis_qdma_h2c_tuser_src[16*i +: 16], s_axis_qdma_h2c_tuser_size[16*i +: 16], s_axis_qdma_h2c_tlast[i],
                         s_axis_qdma_h2c_tkeep[64*i +: 64], s_axis_qdma_h2c_tdata[512*i +: 512]}),
                .m_tvalid(m_axis_adap_tx_250mhz_tvalid[i]), .m_tready(m_axis_adap_tx_250mhz_tready[i]), .m_beat(tx)
            );
            assign m_axis_adap_tx_250mhz_tdata[512*i +: 512]    = tx[511:0];
            assign m_axis_adap_tx_250mhz_tkeep[64*i +: 64]      = tx[575:512];
            assign m_axis_adap_tx_250mhz_tlast[i]               = tx[576];
            assign m_axis_adap_tx_250mhz_tuser_size[16*i +: 16] = tx[592:577];
            assign m_axis_adap_tx_250mhz_tuser_src[16*i +: 16]  = tx[608:593];
            assign m_axis_adap_tx_250mhz_tuser_dst[16*i +: 16]  = 16'd1 << (6 + i);
        end
    endgenerate
endmodule
`default_nettype wire
