// CRC-32 of IEEE 802.3: the register after one more byte.
module crc32_step (
  input  wire [31:0] crc,    // register before the byte
  input  wire [7:0]  data,   // the byte
  output wire [31:0] stepped // register after it
);
  wire [7:0]  lowest_x;
  wire [31:0] lowest_y;

  crc32_byte lowest (
    .x (lowest_x),
    .y (lowest_y)
  );

  assign lowest_x = crc[7:0] ^ data;
  assign stepped = lowest_y ^ (crc >> 8);
endmodule
