// AXI4-Lite with a register in every channel: no path goes through, and an access takes two clocks more.
module bus_slice (
  input  wire        clock,
  input  wire        reset,        // every channel is empty
  input  wire        host_awvalid, // from the host
  output wire        host_awready,
  input  wire [10:0] host_awaddr,
  input  wire        host_wvalid,
  output wire        host_wready,
  input  wire [31:0] host_wdata,
  input  wire [3:0]  host_wstrb,
  output wire        host_bvalid,
  input  wire        host_bready,
  output wire [1:0]  host_bresp,
  input  wire        host_arvalid,
  output wire        host_arready,
  input  wire [10:0] host_araddr,
  output wire        host_rvalid,
  input  wire        host_rready,
  output wire [31:0] host_rdata,
  output wire [1:0]  host_rresp,
  output wire        awvalid,      // to the registers
  input  wire        awready,
  output wire [10:0] awaddr,
  output wire        wvalid,
  input  wire        wready,
  output wire [31:0] wdata,
  output wire [3:0]  wstrb,
  input  wire        bvalid,
  output wire        bready,
  input  wire [1:0]  bresp,
  output wire        arvalid,
  input  wire        arready,
  output wire [10:0] araddr,
  input  wire        rvalid,
  output wire        rready,
  input  wire [31:0] rdata,
  input  wire [1:0]  rresp
);
  reg        aw_full;  // the channel holds a transfer
  reg        w_full;
  reg        b_full;
  reg        ar_full;
  reg        r_full;
  reg [10:0] awaddr_r;
  reg [31:0] wdata_r;
  reg [3:0]  wstrb_r;
  reg [1:0]  bresp_r;
  reg [10:0] araddr_r;
  reg [31:0] rdata_r;
  reg [1:0]  rresp_r;

  // a write and its response
  assign host_awready = !aw_full;
  assign awvalid = aw_full;
  assign awaddr = awaddr_r;
  assign host_wready = !w_full;
  assign wvalid = w_full;
  assign wdata = wdata_r;
  assign wstrb = wstrb_r;
  assign bready = !b_full;
  assign host_bvalid = b_full;
  assign host_bresp = bresp_r;

  // a read and its response
  assign host_arready = !ar_full;
  assign arvalid = ar_full;
  assign araddr = araddr_r;
  assign rready = !r_full;
  assign host_rvalid = r_full;
  assign host_rdata = rdata_r;
  assign host_rresp = rresp_r;

  initial begin
    aw_full = 1'b0;
    w_full = 1'b0;
    b_full = 1'b0;
    ar_full = 1'b0;
    r_full = 1'b0;
    awaddr_r = 11'd0;
    wdata_r = 32'd0;
    wstrb_r = 4'd0;
    bresp_r = 2'd0;
    araddr_r = 11'd0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @(posedge clock) begin
    aw_full <= aw_full && !awready;
    if (!aw_full) begin
      aw_full <= host_awvalid;
      awaddr_r <= host_awaddr;
    end
    w_full <= w_full && !wready;
    if (!w_full) begin
      w_full <= host_wvalid;
      wdata_r <= host_wdata;
      wstrb_r <= host_wstrb;
    end
    b_full <= b_full && !host_bready;
    if (!b_full) begin
      b_full <= bvalid;
      bresp_r <= bresp;
    end
    ar_full <= ar_full && !arready;
    if (!ar_full) begin
      ar_full <= host_arvalid;
      araddr_r <= host_araddr;
    end
    r_full <= r_full && !host_rready;
    if (!r_full) begin
      r_full <= rvalid;
      rdata_r <= rdata;
      rresp_r <= rresp;
    end
    if (reset) begin
      aw_full <= 1'b0;
      w_full <= 1'b0;
      b_full <= 1'b0;
      ar_full <= 1'b0;
      r_full <= 1'b0;
    end
  end
endmodule
