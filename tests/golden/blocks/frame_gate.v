// Drops whole the frames that meet a full FIFO; one that was cut ends as bad.
module frame_gate (
  input  wire       clock,
  input  wire       reset,
  input  wire       s_tvalid, // a beat, for this clock
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,  // a frame's last
  input  wire       s_tuser,  // with it: the frame is bad
  output wire       write,    // for the FIFO
  output reg  [9:0] word,     // {tuser, tlast, tdata}
  input  wire       full,     // the FIFO takes nothing
  output wire       overflow  // a frame was dropped or cut
);
  localparam [9:0] broken_end = 10'h300; // the end of a frame that was cut

  reg inside_;    // the FIFO has a frame's beginning and not its end
  reg skip;       // what is left of the frame is passed over
  reg owed;       // the FIFO lacks the end of a frame that was cut
  reg overflow_r;

  wire offered; // a beat of a frame that is not passed over
  wire drop;    // it has no place

  assign offered = s_tvalid && !skip;
  assign drop = offered && (owed || full);
  assign write = owed || offered;
  assign overflow = overflow_r;

  initial begin
    inside_ = 1'b0;
    skip = 1'b0;
    owed = 1'b0;
    overflow_r = 1'b0;
  end

  always @* begin
    word = {s_tuser && s_tlast, s_tlast, s_tdata};
    if (owed) begin
      word = broken_end;
    end
  end

  always @(posedge clock) begin
    overflow_r <= drop;
    owed <= (owed && full) || (drop && inside_);
    if (s_tvalid) begin
      skip <= (skip || drop) && !s_tlast;
    end
    if (drop) begin
      inside_ <= 1'b0;
    end else if (offered) begin
      inside_ <= !s_tlast;
    end
    if (reset) begin
      inside_ <= 1'b0;
      skip <= 1'b0;
      owed <= 1'b0;
      overflow_r <= 1'b0;
    end
  end
endmodule
