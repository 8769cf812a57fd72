// Which part of the key a word that is read is.
module key_part (
  input  wire       in_header, // it is one of the IP header
  input  wire       six,       // of version 6
  input  wire [3:0] step,      // which one
  input  wire       ports,     // it holds the ports
  output wire [2:0] part       // bit i: part i
);
  localparam       wanted_six  = 1'b0;
  localparam [3:0] word_step_0 = 4'd3;
  localparam [3:0] word_step_1 = 4'd4;

  wire [2:0] found;

  assign found[0] = in_header && (six == wanted_six) && (step == word_step_0);
  assign found[1] = in_header && (six == wanted_six) && (step == word_step_1);
  assign found[2] = ports;
  assign part = found;
endmodule
