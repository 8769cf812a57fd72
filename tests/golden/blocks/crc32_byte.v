// What the eight bits that leave the register leave in it.
module crc32_byte (
  input  wire [7:0]  x,
  output wire [31:0] y
);
  assign y[0] = x[2];
  assign y[1] = x[0] ^ x[3];
  assign y[2] = (x[0] ^ x[1] ^ x[4]);
  assign y[3] = x[1] ^ x[2] ^ x[5];
  assign y[4] = x[0] ^ x[2] ^ x[3] ^ x[6];
  assign y[5] = (x[1] ^ x[3] ^ x[4] ^ x[7]);
  assign y[6] = x[4] ^ x[5];
  assign y[7] = x[0] ^ x[5] ^ x[6];
  assign y[8] = x[1] ^ x[6] ^ x[7];
  assign y[9] = x[7];
  assign y[10] = x[2];
  assign y[11] = x[3];
  assign y[12] = x[0] ^ x[4];
  assign y[13] = x[0] ^ x[1] ^ x[5];
  assign y[14] = x[1] ^ x[2] ^ x[6];
  assign y[15] = x[2] ^ x[3] ^ x[7];
  assign y[16] = x[0] ^ x[2] ^ x[3] ^ x[4];
  assign y[17] = (x[0] ^ x[1] ^ x[4]) ^ x[3] ^ x[5];
  assign y[18] = (x[0] ^ x[1] ^ x[2] ^ x[5]) ^ x[4] ^ x[6];
  assign y[19] = (x[1] ^ x[2] ^ x[3] ^ x[6]) ^ x[5] ^ x[7];
  assign y[20] = (x[3] ^ x[4] ^ x[6] ^ x[7]);
  assign y[21] = (x[2] ^ x[4] ^ x[5] ^ x[7]);
  assign y[22] = x[2] ^ x[3] ^ x[5] ^ x[6];
  assign y[23] = (x[3] ^ x[4] ^ x[6] ^ x[7]);
  assign y[24] = (x[2] ^ x[4] ^ x[5] ^ x[7]) ^ x[0];
  assign y[25] = (x[0] ^ x[1] ^ x[2] ^ x[5]) ^ x[3] ^ x[6];
  assign y[26] = (x[1] ^ x[2] ^ x[3] ^ x[6]) ^ x[0] ^ x[4] ^ x[7];
  assign y[27] = (x[1] ^ x[3] ^ x[4] ^ x[7]) ^ x[5];
  assign y[28] = x[0] ^ x[4] ^ x[5] ^ x[6];
  assign y[29] = (x[0] ^ x[1] ^ x[6] ^ x[7]) ^ x[5];
  assign y[30] = (x[0] ^ x[1] ^ x[6] ^ x[7]);
  assign y[31] = x[1] ^ x[7];
endmodule
