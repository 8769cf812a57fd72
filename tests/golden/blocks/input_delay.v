// A pin, delayed where a device does it.
module input_delay (
  input  wire a,
  output wire z
);
  assign z = a;
endmodule
