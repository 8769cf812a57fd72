// AXI4-Lite to the filter (bit 8 of the address 0) and the item port (1); one write and one read at a time.
module bus_split (
  input  wire        clock,
  input  wire        reset,          // no access is under way
  input  wire        awvalid,        // from the host
  output wire        awready,
  input  wire [8:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  output wire        bvalid,
  input  wire        bready,
  output reg  [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [8:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output reg  [31:0] rdata,
  output reg  [1:0]  rresp,
  output wire        filter_awvalid, // to the filter; it takes data and readies of responses from the host
  input  wire        filter_awready,
  output wire        filter_wvalid,
  input  wire        filter_wready,
  input  wire        filter_bvalid,
  input  wire [1:0]  filter_bresp,
  output wire        filter_arvalid,
  input  wire        filter_arready,
  input  wire        filter_rvalid,
  input  wire [31:0] filter_rdata,
  input  wire [1:0]  filter_rresp,
  output wire        port_awvalid,   // to the item port
  input  wire        port_awready,
  output wire        port_wvalid,
  input  wire        port_wready,
  input  wire        port_bvalid,
  input  wire [1:0]  port_bresp,
  output wire        port_arvalid,
  input  wire        port_arready,
  input  wire        port_rvalid,
  input  wire [31:0] port_rdata,
  input  wire [1:0]  port_rresp,
  output wire [7:0]  slave_awaddr,   // address within either
  output wire [7:0]  slave_araddr    // address within either
);
  reg writing; // a write is taken and not answered
  reg reading; // a read is taken and not answered

  wire write_to_port;
  wire read_of_port;

  // write
  assign write_to_port = awaddr[8];
  assign slave_awaddr = awaddr[7:0];
  assign filter_awvalid = awvalid && !writing && !write_to_port;
  assign filter_wvalid = wvalid && !writing && !write_to_port;
  assign port_awvalid = awvalid && !writing && write_to_port;
  assign port_wvalid = wvalid && !writing && write_to_port;
  assign awready = filter_awready || port_awready;
  assign wready = filter_wready || port_wready;
  assign bvalid = filter_bvalid || port_bvalid;

  // read
  assign read_of_port = araddr[8];
  assign slave_araddr = araddr[7:0];
  assign filter_arvalid = arvalid && !reading && !read_of_port;
  assign port_arvalid = arvalid && !reading && read_of_port;
  assign arready = filter_arready || port_arready;
  assign rvalid = filter_rvalid || port_rvalid;

  initial begin
    writing = 1'b0;
    reading = 1'b0;
  end

  always @* begin
    bresp = filter_bresp;
    if (port_bvalid) begin
      bresp = port_bresp;
    end
  end

  always @* begin
    rdata = filter_rdata;
    rresp = filter_rresp;
    if (port_rvalid) begin
      rdata = port_rdata;
      rresp = port_rresp;
    end
  end

  always @(posedge clock) begin
    if (bvalid && bready) begin
      writing <= 1'b0;
    end
    if (awvalid && awready) begin
      writing <= 1'b1;
    end
    if (rvalid && rready) begin
      reading <= 1'b0;
    end
    if (arvalid && arready) begin
      reading <= 1'b1;
    end
    if (reset) begin
      writing <= 1'b0;
      reading <= 1'b0;
    end
  end
endmodule
