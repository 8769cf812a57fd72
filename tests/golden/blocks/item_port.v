// Items from the host, between those of the stream: written into registers, offered with the highest word of the key.
// The highest bit of the filter's tags says that an item is the host's. Timing: card.md.
module item_port (
  input  wire         clock,
  input  wire         reset,            // no item of the host
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,
  input  wire [1:0]   s_item_tuser,
  input  wire [15:0]  s_item_tid,
  output wire         m_verdict_tvalid, // verdict stream
  input  wire         m_verdict_tready,
  output wire [3:0]   m_verdict_tdata,
  output wire [15:0]  m_verdict_tid,
  output wire         f_item_tvalid,    // items to the filter
  input  wire         f_item_tready,
  output reg  [103:0] f_item_tdata,
  output reg  [1:0]   f_item_tuser,
  output reg  [16:0]  f_item_tid,
  input  wire         f_verdict_tvalid, // verdicts of the filter
  output wire         f_verdict_tready,
  input  wire [3:0]   f_verdict_tdata,
  input  wire [16:0]  f_verdict_tid,
  input  wire         awvalid,          // registers, AXI4-Lite
  output wire         awready,
  input  wire [7:0]   awaddr,
  input  wire         wvalid,
  output wire         wready,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  output wire         bvalid,
  input  wire         bready,
  output wire [1:0]   bresp,
  input  wire         arvalid,
  output wire         arready,
  input  wire [7:0]   araddr,
  output wire         rvalid,
  input  wire         rready,
  output wire [31:0]  rdata,
  output wire [1:0]   rresp
);
  localparam [16:0] host_tag    = 17'h10000;
  localparam [3:0]  no_verdict  = 4'd0;
  localparam [6:0]  no_sequence = 7'd0;

  reg       pending;   // the host's item is not accepted
  reg       grant;     // it is offered to the filter
  reg       busy;      // it is not done
  reg [6:0] sequence_; // items of the host done
  reg [3:0] verdict;   // of the last one

  wire         taken;
  wire         silent;
  wire         host;
  wire         answered;
  wire         registers_awready;
  wire         registers_wready;
  wire         registers_bvalid;
  wire [1:0]   registers_bresp;
  wire         registers_arready;
  wire         registers_rvalid;
  wire [31:0]  registers_rdata;
  wire [1:0]   registers_rresp;
  wire [31:0]  registers_live_0;
  wire [1:0]   registers_operation;
  wire [103:0] registers_key;
  wire         registers_offered;

  // registers
  item_registers registers (
    .clock     (clock),
    .reset     (reset),
    .awvalid   (awvalid),
    .awready   (registers_awready),
    .awaddr    (awaddr),
    .wvalid    (wvalid),
    .wready    (registers_wready),
    .wdata     (wdata),
    .wstrb     (wstrb),
    .bvalid    (registers_bvalid),
    .bready    (bready),
    .bresp     (registers_bresp),
    .arvalid   (arvalid),
    .arready   (registers_arready),
    .araddr    (araddr),
    .rvalid    (registers_rvalid),
    .rready    (rready),
    .rdata     (registers_rdata),
    .rresp     (registers_rresp),
    .busy      (busy),
    .live_0    (registers_live_0),
    .operation (registers_operation),
    .key       (registers_key),
    .offered   (registers_offered)
  );

  // items: the host's comes when no offer of the stream stands
  assign taken = grant && f_item_tready;
  assign f_item_tvalid = grant || s_item_tvalid;
  assign s_item_tready = f_item_tready && !grant;

  // verdicts: the host's do not reach the stream; an insert has none
  assign host = f_verdict_tid[16];
  assign m_verdict_tvalid = f_verdict_tvalid && !host;
  assign m_verdict_tdata = f_verdict_tdata;
  assign m_verdict_tid = f_verdict_tid[15:0];
  assign f_verdict_tready = host || m_verdict_tready;
  assign answered = f_verdict_tvalid && host;
  assign silent = taken && (registers_operation == 2'd1);
  assign registers_live_0 = {busy, sequence_, 20'd0, verdict};
  assign awready = registers_awready;
  assign wready = registers_wready;
  assign bvalid = registers_bvalid;
  assign bresp = registers_bresp;
  assign arready = registers_arready;
  assign rvalid = registers_rvalid;
  assign rdata = registers_rdata;
  assign rresp = registers_rresp;

  initial begin
    pending = 1'b0;
    grant = 1'b0;
    busy = 1'b0;
    sequence_ = 7'd0;
    verdict = 4'd0;
  end

  always @* begin
    f_item_tdata = s_item_tdata;
    f_item_tuser = s_item_tuser;
    f_item_tid = {1'b0, s_item_tid};
    if (grant) begin
      f_item_tdata = registers_key;
      f_item_tuser = registers_operation;
      f_item_tid = host_tag;
    end
  end

  always @(posedge clock) begin
    grant <= pending && (!s_item_tvalid || f_item_tready);
    if (grant) begin
      grant <= !f_item_tready;
    end
    pending <= pending && !taken;
    if (registers_offered) begin
      pending <= 1'b1;
      busy <= 1'b1;
    end
    if (silent) begin
      verdict <= no_verdict;
    end
    if (answered) begin
      verdict <= f_verdict_tdata;
    end
    if (silent || answered) begin
      busy <= 1'b0;
      sequence_ <= sequence_ + 7'd1;
    end
    if (reset) begin
      pending <= 1'b0;
      grant <= 1'b0;
      busy <= 1'b0;
      sequence_ <= no_sequence;
      verdict <= no_verdict;
    end
  end
endmodule
