// A pin with two bits a clock.
module output_ddr (
  input  wire clock,
  input  wire rising,  // for the next clock's high half
  input  wire falling, // for its low half
  output wire pin
);
  reg after_rise, after_fall, later;

  initial begin
    after_rise = 1'b0;
    after_fall = 1'b0;
  end

  always @(posedge clock) begin
    after_rise <= rising ^ after_fall;
    later <= falling;
  end
  always @(negedge clock) after_fall <= later ^ after_rise;

  assign pin = after_rise ^ after_fall;
endmodule
