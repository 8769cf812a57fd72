// Delays 1 bit by 7 clocks.
module delay_1x7 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;
  reg stage_3;
  reg stage_4;
  reg stage_5;
  reg stage_6;
  reg stage_7;

  assign q = stage_7;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
    stage_3 = 1'd0;
    stage_4 = 1'd0;
    stage_5 = 1'd0;
    stage_6 = 1'd0;
    stage_7 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
    stage_5 <= stage_4;
    stage_6 <= stage_5;
    stage_7 <= stage_6;
  end
endmodule
