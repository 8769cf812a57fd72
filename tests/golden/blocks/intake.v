// Frames in: bytes beyond the last one become 0; a reset ends a frame, here and where it comes from.
module intake (
  input  wire       clock,
  input  wire       reset,    // no frame
  input  wire       s_tvalid, // frames
  output wire       s_tready, // always but behind a reset
  input  wire [7:0] s_tdata,
  input  wire       s_tkeep,
  input  wire       s_tlast,
  input  wire       s_tuser,  // the frame is bad
  output wire       valid,    // a beat
  output wire       last,     // the last of its frame
  output wire       bad,      // of a bad one
  output wire       most,     // its last byte
  output wire [7:0] data
);
  localparam none = 1'b0;

  reg       ready_r;
  reg       valid_r;
  reg       last_r;
  reg       bad_r;
  reg       most_r;
  reg [7:0] data_r;
  reg       within_; // a frame has begun and not ended; a reset does not change that
  reg       passing; // this one was cut by a reset

  wire       taken;
  reg        cut;
  wire       most_now;
  wire [7:0] kept;

  assign s_tready = ready_r;
  assign taken = s_tvalid && ready_r;

  // the last byte is that behind which none is valid; a beat that is not the last has all
  assign most_now = none;
  assign kept = s_tdata;
  assign valid = valid_r;
  assign last = last_r;
  assign bad = bad_r;
  assign most = most_r;
  assign data = data_r;

  initial begin
    ready_r = 1'b1;
    valid_r = 1'b0;
    last_r = 1'b0;
    bad_r = 1'b0;
    most_r = 1'b0;
    data_r = 8'd0;
    within_ = 1'b0;
    passing = 1'b0;
  end

  always @* begin
    cut = within_;
    if (taken) begin
      cut = !s_tlast;
    end
  end

  always @(posedge clock) begin
    ready_r <= !reset;
    if (taken) begin
      within_ <= !s_tlast;
    end
    passing <= passing && cut;
    if (reset) begin
      passing <= cut;
    end
    passing <= 1'b0;
    if (reset) begin
      within_ <= 1'b0;
    end
    valid_r <= taken && !passing && !reset;
    last_r <= s_tlast;
    bad_r <= s_tuser;
    most_r <= most_now;
    data_r <= kept;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, s_tkeep};
endmodule
