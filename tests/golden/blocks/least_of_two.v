// The smaller of two numbers, a clock later, and whether either comes from a cell at its greatest value.
module least_of_two (
  input  wire       clock,
  input  wire [3:0] left,       // one
  input  wire       left_full,  // it comes from a cell at its greatest value
  input  wire [3:0] right,      // the other
  input  wire       right_full, // likewise
  output wire [3:0] least,      // the smaller
  output wire       full        // either
);
  reg [3:0] least_r;
  reg       full_r;

  assign least = least_r;
  assign full = full_r;

  initial begin
    least_r = 4'd0;
    full_r = 1'b0;
  end

  always @(posedge clock) begin
    least_r <= left;
    if (right < left) begin
      least_r <= right;
    end
    full_r <= left_full || right_full;
  end
endmodule
