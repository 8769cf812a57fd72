// From 39 bits to the range 0 to 32764: the high part of the product with 32765, as shifts and sums. Three clocks.
module hash_scale (
  input  wire        clock,
  input  wire [38:0] x,     // hash value
  output wire [14:0] y      // the value scaled to the range, three clocks later
);
  reg [53:0] sum_1_0;
  reg [53:0] sum_1_1;
  reg [53:0] sum_2_0;
  reg [53:0] sum_3_0;

  assign y = sum_3_0[53:39];
  wire unused = &{1'b0, sum_3_0[38:0]};

  initial begin
    sum_1_0 = 54'd0;
    sum_1_1 = 54'd0;
    sum_2_0 = 54'd0;
    sum_3_0 = 54'd0;
  end

  always @(posedge clock) begin
    sum_1_0 <= {15'd0, x} - {13'd0, x, 2'd0};
    sum_1_1 <= {x, 15'd0};
    sum_2_0 <= sum_1_0 + sum_1_1;
    sum_3_0 <= sum_2_0;
  end
endmodule
