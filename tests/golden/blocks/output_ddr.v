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
    later = 1'b0;
  end

  always @(posedge clock) begin
    later <= falling;
    if (rising != after_fall) after_rise <= 1'b1;
    else after_rise <= 1'b0;
  end
  always @(negedge clock) begin
    if (later != after_rise) after_fall <= 1'b1;
    else after_fall <= 1'b0;
  end

  assign pin = after_rise ^ after_fall;
endmodule
