// AXI4-Lite registers of the Ethernet ports. The register map is in registers.md.
module port_registers (
  input  wire        clock,
  input  wire        reset,    // no access is under way
  input  wire        awvalid,
  output wire        awready,
  input  wire [9:0]  awaddr,   // above 0xFF there is no register
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [9:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  input  wire [7:0]  link,     // register LINK
  input  wire [63:0] count_0,  // counter PORT_0_FRAMES_GOOD, its upper half a clock late
  input  wire [63:0] count_1,  // counter PORT_0_FRAMES_BAD_FCS, its upper half a clock late
  input  wire [63:0] count_2,  // counter PORT_0_FRAMES_RUNT, its upper half a clock late
  input  wire [63:0] count_3,  // counter PORT_0_FRAMES_ERROR, its upper half a clock late
  input  wire [63:0] count_4,  // counter PORT_0_OVERFLOWS, its upper half a clock late
  input  wire [63:0] count_5,  // counter PORT_0_FRAMES_SENT, its upper half a clock late
  input  wire [63:0] count_6,  // counter PORT_0_FRAMES_BROKEN, its upper half a clock late
  input  wire [63:0] count_7,  // counter PORT_0_UNDERRUNS, its upper half a clock late
  input  wire [63:0] count_8,  // counter PORT_1_FRAMES_GOOD, its upper half a clock late
  input  wire [63:0] count_9,  // counter PORT_1_FRAMES_BAD_FCS, its upper half a clock late
  input  wire [63:0] count_10, // counter PORT_1_FRAMES_RUNT, its upper half a clock late
  input  wire [63:0] count_11, // counter PORT_1_FRAMES_ERROR, its upper half a clock late
  input  wire [63:0] count_12, // counter PORT_1_OVERFLOWS, its upper half a clock late
  input  wire [63:0] count_13, // counter PORT_1_FRAMES_SENT, its upper half a clock late
  input  wire [63:0] count_14, // counter PORT_1_FRAMES_BROKEN, its upper half a clock late
  input  wire [63:0] count_15  // counter PORT_1_UNDERRUNS, its upper half a clock late
);
  localparam [7:0] nowhere = 8'hfc; // an address without a register

  wire        file_awready;
  reg  [7:0]  file_awaddr;
  wire        file_wready;
  wire        file_bvalid;
  wire [1:0]  file_bresp;
  wire        file_arready;
  reg  [7:0]  file_araddr;
  wire        file_rvalid;
  wire [31:0] file_rdata;
  wire [1:0]  file_rresp;
  wire        file_clear_pending;
  wire        file_write_pending;

  register_file_2 file (
    .clock           (clock),
    .reset           (reset),
    .awvalid         (awvalid),
    .awready         (file_awready),
    .awaddr          (file_awaddr),
    .wvalid          (wvalid),
    .wready          (file_wready),
    .wdata           (wdata),
    .wstrb           (wstrb),
    .bvalid          (file_bvalid),
    .bready          (bready),
    .bresp           (file_bresp),
    .arvalid         (arvalid),
    .arready         (file_arready),
    .araddr          (file_araddr),
    .rvalid          (file_rvalid),
    .rready          (rready),
    .rdata           (file_rdata),
    .rresp           (file_rresp),
    .live_0          (link),
    .outside_low_0   (count_0[31:0]),
    .outside_low_1   (count_1[31:0]),
    .outside_low_2   (count_2[31:0]),
    .outside_low_3   (count_3[31:0]),
    .outside_low_4   (count_4[31:0]),
    .outside_low_5   (count_5[31:0]),
    .outside_low_6   (count_6[31:0]),
    .outside_low_7   (count_7[31:0]),
    .outside_low_8   (count_8[31:0]),
    .outside_low_9   (count_9[31:0]),
    .outside_low_10  (count_10[31:0]),
    .outside_low_11  (count_11[31:0]),
    .outside_low_12  (count_12[31:0]),
    .outside_low_13  (count_13[31:0]),
    .outside_low_14  (count_14[31:0]),
    .outside_low_15  (count_15[31:0]),
    .outside_high_0  (count_0[63:32]),
    .outside_high_1  (count_1[63:32]),
    .outside_high_2  (count_2[63:32]),
    .outside_high_3  (count_3[63:32]),
    .outside_high_4  (count_4[63:32]),
    .outside_high_5  (count_5[63:32]),
    .outside_high_6  (count_6[63:32]),
    .outside_high_7  (count_7[63:32]),
    .outside_high_8  (count_8[63:32]),
    .outside_high_9  (count_9[63:32]),
    .outside_high_10 (count_10[63:32]),
    .outside_high_11 (count_11[63:32]),
    .outside_high_12 (count_12[63:32]),
    .outside_high_13 (count_13[63:32]),
    .outside_high_14 (count_14[63:32]),
    .outside_high_15 (count_15[63:32]),
    .finished        (1'b1),
    .clear_pending   (file_clear_pending),
    .write_pending   (file_write_pending)
  );

  assign awready = file_awready;
  assign wready = file_wready;
  assign bvalid = file_bvalid;
  assign bresp = file_bresp;
  assign arready = file_arready;
  assign rvalid = file_rvalid;
  assign rdata = file_rdata;
  assign rresp = file_rresp;

  always @* begin
    file_awaddr = awaddr[7:0];
    if (|awaddr[9:8]) begin
      file_awaddr = nowhere;
    end
  end

  always @* begin
    file_araddr = araddr[7:0];
    if (|araddr[9:8]) begin
      file_araddr = nowhere;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, file_clear_pending, file_write_pending};
endmodule
