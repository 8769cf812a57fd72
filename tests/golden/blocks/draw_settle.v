// The position of a draw: the draw, or where that is taken the position kept for it. One clock.
module draw_settle (
  input  wire        clock,
  input  wire [14:0] draw,     // draw
  input  wire        taken,    // it has met a position already
  input  wire [14:0] position, // last position to compare with
  input  wire [14:0] kept,     // position that no draw before this one can be, constant
  output wire [14:0] settled   // position, a clock later
);
  reg [14:0] settled_r;

  assign settled = settled_r;

  initial begin
    settled_r = 15'd0;
  end

  always @(posedge clock) begin
    settled_r <= draw;
    if (taken || (draw == position)) begin
      settled_r <= kept;
    end
  end
endmodule
