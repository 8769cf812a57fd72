// Four bytes, the first lowest, as a word with the first byte highest; and back.
module network_order (
  input  wire [31:0] bytes,
  output wire [31:0] word
);
  assign word = {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
endmodule
