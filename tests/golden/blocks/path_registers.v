// AXI4-Lite registers of the packet path. The register map is in registers.md.
module path_registers (
  input  wire        clock,
  input  wire        reset,     // back to the specification's values; counters 0
  input  wire        awvalid,
  output wire        awready,
  input  wire [8:0]  awaddr,    // above 0xFF there is no register
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [8:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  output wire        learn,     // register LEARN
  output wire [15:0] max_frame, // register MAX_FRAME
  output wire [13:0] policy_0,  // register POLICY_UNSEEN
  output wire [13:0] policy_1,  // register POLICY_SEEN
  output wire [13:0] policy_2,  // register POLICY_OTHER
  output wire [13:0] policy_3,  // register POLICY_TRUNCATED
  output wire [13:0] policy_4,  // register POLICY_MALFORMED
  output wire [13:0] policy_5,  // register POLICY_TOO_DEEP
  output wire [13:0] policy_6,  // register POLICY_OVERSIZE
  output wire [13:0] policy_7,  // register POLICY_BAD
  input  wire        event_0,   // event of counter FRAMES_UNSEEN
  input  wire        event_1,   // event of counter FRAMES_SEEN
  input  wire        event_2,   // event of counter FRAMES_OTHER
  input  wire        event_3,   // event of counter FRAMES_TRUNCATED
  input  wire        event_4,   // event of counter FRAMES_MALFORMED
  input  wire        event_5,   // event of counter FRAMES_TOO_DEEP
  input  wire        event_6,   // event of counter FRAMES_OVERSIZE
  input  wire        event_7,   // event of counter FRAMES_BAD
  input  wire        event_8,   // event of counter OVERFLOWS
  input  wire        event_9,   // event of counter DROPPED
  input  wire        event_10,  // event of counter MARKED
  input  wire [10:0] next_block // register NEXT_BLOCK
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
  wire        file_value_0;
  wire [15:0] file_value_1;
  wire [13:0] file_value_2;
  wire [13:0] file_value_3;
  wire [13:0] file_value_4;
  wire [13:0] file_value_5;
  wire [13:0] file_value_6;
  wire [13:0] file_value_7;
  wire [13:0] file_value_8;
  wire [13:0] file_value_9;
  wire        file_clear_pending;
  wire        file_write_pending;

  register_file file (
    .clock         (clock),
    .reset         (reset),
    .awvalid       (awvalid),
    .awready       (file_awready),
    .awaddr        (file_awaddr),
    .wvalid        (wvalid),
    .wready        (file_wready),
    .wdata         (wdata),
    .wstrb         (wstrb),
    .bvalid        (file_bvalid),
    .bready        (bready),
    .bresp         (file_bresp),
    .arvalid       (arvalid),
    .arready       (file_arready),
    .araddr        (file_araddr),
    .rvalid        (file_rvalid),
    .rready        (rready),
    .rdata         (file_rdata),
    .rresp         (file_rresp),
    .live_0        (next_block),
    .event_0       (event_0),
    .event_1       (event_1),
    .event_2       (event_2),
    .event_3       (event_3),
    .event_4       (event_4),
    .event_5       (event_5),
    .event_6       (event_6),
    .event_7       (event_7),
    .event_8       (event_8),
    .event_9       (event_9),
    .event_10      (event_10),
    .finished      (1'b1),
    .value_0       (file_value_0),
    .value_1       (file_value_1),
    .value_2       (file_value_2),
    .value_3       (file_value_3),
    .value_4       (file_value_4),
    .value_5       (file_value_5),
    .value_6       (file_value_6),
    .value_7       (file_value_7),
    .value_8       (file_value_8),
    .value_9       (file_value_9),
    .clear_pending (file_clear_pending),
    .write_pending (file_write_pending)
  );

  assign awready = file_awready;
  assign wready = file_wready;
  assign bvalid = file_bvalid;
  assign bresp = file_bresp;
  assign arready = file_arready;
  assign rvalid = file_rvalid;
  assign rdata = file_rdata;
  assign rresp = file_rresp;
  assign learn = file_value_0;
  assign max_frame = file_value_1;
  assign policy_0 = file_value_2;
  assign policy_1 = file_value_3;
  assign policy_2 = file_value_4;
  assign policy_3 = file_value_5;
  assign policy_4 = file_value_6;
  assign policy_5 = file_value_7;
  assign policy_6 = file_value_8;
  assign policy_7 = file_value_9;

  always @* begin
    file_awaddr = awaddr[7:0];
    if (awaddr[8]) begin
      file_awaddr = nowhere;
    end
  end

  always @* begin
    file_araddr = araddr[7:0];
    if (araddr[8]) begin
      file_araddr = nowhere;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, file_clear_pending, file_write_pending};
endmodule
