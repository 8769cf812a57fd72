// Behaviour of a Lattice ECP5 block RAM as far as a bank's memory uses it: port A writes, port B reads, 9, 18 or 36 bits wide.
// A read of the word written in the same clock gives the old word here; in a device it is not specified.
module DP16KD #(
  parameter integer DATA_WIDTH_A = 18,
  parameter integer DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter GSR = "ENABLED"
) (
  input CLKA, input CLKB, input WEA, input WEB, input CEA, input CEB, input OCEA, input OCEB, input RSTA, input RSTB,
  input CSA0, input CSA1, input CSA2, input CSB0, input CSB1, input CSB2,
  input ADA0, input ADA1, input ADA2, input ADA3, input ADA4, input ADA5, input ADA6, input ADA7, input ADA8,
  input ADA9, input ADA10, input ADA11, input ADA12, input ADA13,
  input ADB0, input ADB1, input ADB2, input ADB3, input ADB4, input ADB5, input ADB6, input ADB7, input ADB8,
  input ADB9, input ADB10, input ADB11, input ADB12, input ADB13,
  input DIA0, input DIA1, input DIA2, input DIA3, input DIA4, input DIA5, input DIA6, input DIA7, input DIA8,
  input DIA9, input DIA10, input DIA11, input DIA12, input DIA13, input DIA14, input DIA15, input DIA16, input DIA17,
  input DIB0, input DIB1, input DIB2, input DIB3, input DIB4, input DIB5, input DIB6, input DIB7, input DIB8,
  input DIB9, input DIB10, input DIB11, input DIB12, input DIB13, input DIB14, input DIB15, input DIB16, input DIB17,
  output DOA0, output DOA1, output DOA2, output DOA3, output DOA4, output DOA5, output DOA6, output DOA7, output DOA8,
  output DOA9, output DOA10, output DOA11, output DOA12, output DOA13, output DOA14, output DOA15, output DOA16, output DOA17,
  output DOB0, output DOB1, output DOB2, output DOB3, output DOB4, output DOB5, output DOB6, output DOB7, output DOB8,
  output DOB9, output DOB10, output DOB11, output DOB12, output DOB13, output DOB14, output DOB15, output DOB16, output DOB17
);
  wire [13:0] write_at = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] read_at = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [35:0] write_data = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0, DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  // first byte of the word; the pins below a word's address are byte enables, or unused
  wire [10:0] write_first = write_at[13:3] & ~(DATA_WIDTH_A == 36 ? 11'd3 : DATA_WIDTH_A == 18 ? 11'd1 : 11'd0);
  wire [10:0] read_first = read_at[13:3] & ~(DATA_WIDTH_B == 36 ? 11'd3 : DATA_WIDTH_B == 18 ? 11'd1 : 11'd0);
  reg [8:0] bytes [0:2047];
  reg [35:0] latch, register;
  wire [35:0] out = REGMODE_B == "OUTREG" ? register : latch;
  integer i;
  initial begin
    for (i = 0; i < 2048; i = i + 1) bytes[i] = 9'd0;
    latch = 36'd0;
    register = 36'd0;
  end
  always @(posedge CLKA) if (CEA && WEA && {CSA2, CSA1, CSA0} == 3'd0)
    for (i = 0; i < DATA_WIDTH_A / 9; i = i + 1)
      if (DATA_WIDTH_A == 9 || write_at[i[1:0]]) bytes[write_first + i[10:0]] <= write_data[9 * i +: 9];
  always @(posedge CLKB) begin
    if (CEB && !WEB && {CSB2, CSB1, CSB0} == 3'd0)
      for (i = 0; i < DATA_WIDTH_B / 9; i = i + 1) latch[9 * i +: 9] <= bytes[read_first + i[10:0]];
    if (OCEB) register <= latch;
    if (RSTA || RSTB) register <= 36'd0;
  end
  // in 36 bits the lower half comes out of port A
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = out[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = DATA_WIDTH_B == 36 ? out[35:18] : out[17:0];
endmodule
