// A draw waits for its turn, and is compared with each position found before it. One clock.
module draw_check (
  input  wire        clock,
  input  wire [14:0] draw,     // draw
  input  wire        taken,    // it has met a position already
  input  wire [14:0] position, // position to compare with
  output wire [14:0] draw_out, // the draw, a clock later
  output wire        taken_out // it has met a position, this one included
);
  reg [14:0] draw_r;
  reg        taken_r;

  assign draw_out = draw_r;
  assign taken_out = taken_r;

  initial begin
    draw_r = 15'd0;
    taken_r = 1'b0;
  end

  always @(posedge clock) begin
    draw_r <= draw;
    taken_r <= taken || (draw == position);
  end
endmodule
