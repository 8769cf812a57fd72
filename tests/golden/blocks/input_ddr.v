// A pin on both edges of a clock.
module input_ddr (
  input  wire clock,
  input  wire pin,
  output wire rising, // as it was at the rising edge before the last
  output wire falling // as it was at the falling edge between
);
  reg at_rise, at_fall, rising_r, falling_r;

  always @(negedge clock) at_fall <= pin;
  always @(posedge clock) begin
    at_rise <= pin;
    rising_r <= at_rise;
    falling_r <= at_fall;
  end

  assign rising = rising_r;
  assign falling = falling_r;
endmodule
