// Follows an item that inserts: it has the array until its last raise, and then the next item comes.
module raise_timer (
  input  wire clock,
  input  wire reset,   // forget it
  input  wire start,   // an item that inserts is accepted
  output wire raising, // issue the next raise
  output wire busy,    // the item holds up the next one (left counts on)
  output wire more     // in the next clock too
);
  localparam [3:0] clocks_behind = 4'd11;
  localparam [3:0] before_raises = 4'd5;  // clocks left in the one before the first raise

  reg [3:0] left;      // clocks, this one included, in which it does
  reg       busy_r;
  reg       more_r;
  reg       raising_r;

  assign busy = busy_r;
  assign more = more_r;
  assign raising = raising_r;

  initial begin
    left = 4'd0;
    busy_r = 1'b0;
    more_r = 1'b0;
    raising_r = 1'b0;
  end

  always @(posedge clock) begin
    left <= left - 4'd1;
    busy_r <= more_r;
    more_r <= more_r && (left != 4'd2);
    raising_r <= more_r && (raising_r || (left == before_raises));
    if (start) begin
      left <= clocks_behind;
      busy_r <= 1'b1;
      more_r <= 1'b1;
    end
    if (reset) begin
      busy_r <= 1'b0;
      more_r <= 1'b0;
      raising_r <= 1'b0;
    end
  end
endmodule
