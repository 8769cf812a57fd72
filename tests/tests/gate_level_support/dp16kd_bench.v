// Two block RAMs on the same signals, with and without the output register, for the test of their model.
module dp16kd_bench #(
  parameter WIDTH = 36
) (
  input  wire        clock,
  input  wire        cea,
  input  wire        wea,
  input  wire [3:0]  byte_enable,
  input  wire [8:0]  write_address,
  input  wire [35:0] write_data,
  input  wire        ceb,
  input  wire        oceb,
  input  wire        rstb,
  input  wire [8:0]  read_address,
  output wire [35:0] latched,   // REGMODE_B NOREG
  output wire [35:0] registered // REGMODE_B OUTREG
);
  DP16KD #(.DATA_WIDTH_A(WIDTH), .DATA_WIDTH_B(WIDTH), .REGMODE_B("NOREG")) plain (
    .CLKA(clock), .CEA(cea), .OCEA(1'b0), .WEA(wea), .RSTA(1'b0), .CSA2(1'b0), .CSA1(1'b0), .CSA0(1'b0),
    .CLKB(clock), .CEB(ceb), .OCEB(oceb), .WEB(1'b0), .RSTB(rstb), .CSB2(1'b0), .CSB1(1'b0), .CSB0(1'b0),
    .ADA0(byte_enable[0]), .ADA1(byte_enable[1]), .ADA2(byte_enable[2]), .ADA3(byte_enable[3]), .ADA4(1'b0),
    .ADA5(write_address[0]), .ADA6(write_address[1]), .ADA7(write_address[2]), .ADA8(write_address[3]), .ADA9(write_address[4]), .ADA10(write_address[5]), .ADA11(write_address[6]), .ADA12(write_address[7]), .ADA13(write_address[8]),
    .ADB0(1'b0), .ADB1(1'b0), .ADB2(1'b0), .ADB3(1'b0), .ADB4(1'b0),
    .ADB5(read_address[0]), .ADB6(read_address[1]), .ADB7(read_address[2]), .ADB8(read_address[3]), .ADB9(read_address[4]), .ADB10(read_address[5]), .ADB11(read_address[6]), .ADB12(read_address[7]), .ADB13(read_address[8]),
    .DIA0(write_data[0]), .DIA1(write_data[1]), .DIA2(write_data[2]), .DIA3(write_data[3]), .DIA4(write_data[4]), .DIA5(write_data[5]),
    .DIA6(write_data[6]), .DIA7(write_data[7]), .DIA8(write_data[8]), .DIA9(write_data[9]), .DIA10(write_data[10]), .DIA11(write_data[11]),
    .DIA12(write_data[12]), .DIA13(write_data[13]), .DIA14(write_data[14]), .DIA15(write_data[15]), .DIA16(write_data[16]), .DIA17(write_data[17]),
    .DIB0(write_data[18]), .DIB1(write_data[19]), .DIB2(write_data[20]), .DIB3(write_data[21]), .DIB4(write_data[22]), .DIB5(write_data[23]),
    .DIB6(write_data[24]), .DIB7(write_data[25]), .DIB8(write_data[26]), .DIB9(write_data[27]), .DIB10(write_data[28]), .DIB11(write_data[29]),
    .DIB12(write_data[30]), .DIB13(write_data[31]), .DIB14(write_data[32]), .DIB15(write_data[33]), .DIB16(write_data[34]), .DIB17(write_data[35]),
    .DOA0(latched[0]), .DOA1(latched[1]), .DOA2(latched[2]), .DOA3(latched[3]), .DOA4(latched[4]), .DOA5(latched[5]),
    .DOA6(latched[6]), .DOA7(latched[7]), .DOA8(latched[8]), .DOA9(latched[9]), .DOA10(latched[10]), .DOA11(latched[11]),
    .DOA12(latched[12]), .DOA13(latched[13]), .DOA14(latched[14]), .DOA15(latched[15]), .DOA16(latched[16]), .DOA17(latched[17]),
    .DOB0(latched[18]), .DOB1(latched[19]), .DOB2(latched[20]), .DOB3(latched[21]), .DOB4(latched[22]), .DOB5(latched[23]),
    .DOB6(latched[24]), .DOB7(latched[25]), .DOB8(latched[26]), .DOB9(latched[27]), .DOB10(latched[28]), .DOB11(latched[29]),
    .DOB12(latched[30]), .DOB13(latched[31]), .DOB14(latched[32]), .DOB15(latched[33]), .DOB16(latched[34]), .DOB17(latched[35])
  );

  DP16KD #(.DATA_WIDTH_A(WIDTH), .DATA_WIDTH_B(WIDTH), .REGMODE_B("OUTREG")) piped (
    .CLKA(clock), .CEA(cea), .OCEA(1'b0), .WEA(wea), .RSTA(1'b0), .CSA2(1'b0), .CSA1(1'b0), .CSA0(1'b0),
    .CLKB(clock), .CEB(ceb), .OCEB(oceb), .WEB(1'b0), .RSTB(rstb), .CSB2(1'b0), .CSB1(1'b0), .CSB0(1'b0),
    .ADA0(byte_enable[0]), .ADA1(byte_enable[1]), .ADA2(byte_enable[2]), .ADA3(byte_enable[3]), .ADA4(1'b0),
    .ADA5(write_address[0]), .ADA6(write_address[1]), .ADA7(write_address[2]), .ADA8(write_address[3]), .ADA9(write_address[4]), .ADA10(write_address[5]), .ADA11(write_address[6]), .ADA12(write_address[7]), .ADA13(write_address[8]),
    .ADB0(1'b0), .ADB1(1'b0), .ADB2(1'b0), .ADB3(1'b0), .ADB4(1'b0),
    .ADB5(read_address[0]), .ADB6(read_address[1]), .ADB7(read_address[2]), .ADB8(read_address[3]), .ADB9(read_address[4]), .ADB10(read_address[5]), .ADB11(read_address[6]), .ADB12(read_address[7]), .ADB13(read_address[8]),
    .DIA0(write_data[0]), .DIA1(write_data[1]), .DIA2(write_data[2]), .DIA3(write_data[3]), .DIA4(write_data[4]), .DIA5(write_data[5]),
    .DIA6(write_data[6]), .DIA7(write_data[7]), .DIA8(write_data[8]), .DIA9(write_data[9]), .DIA10(write_data[10]), .DIA11(write_data[11]),
    .DIA12(write_data[12]), .DIA13(write_data[13]), .DIA14(write_data[14]), .DIA15(write_data[15]), .DIA16(write_data[16]), .DIA17(write_data[17]),
    .DIB0(write_data[18]), .DIB1(write_data[19]), .DIB2(write_data[20]), .DIB3(write_data[21]), .DIB4(write_data[22]), .DIB5(write_data[23]),
    .DIB6(write_data[24]), .DIB7(write_data[25]), .DIB8(write_data[26]), .DIB9(write_data[27]), .DIB10(write_data[28]), .DIB11(write_data[29]),
    .DIB12(write_data[30]), .DIB13(write_data[31]), .DIB14(write_data[32]), .DIB15(write_data[33]), .DIB16(write_data[34]), .DIB17(write_data[35]),
    .DOA0(registered[0]), .DOA1(registered[1]), .DOA2(registered[2]), .DOA3(registered[3]), .DOA4(registered[4]), .DOA5(registered[5]),
    .DOA6(registered[6]), .DOA7(registered[7]), .DOA8(registered[8]), .DOA9(registered[9]), .DOA10(registered[10]), .DOA11(registered[11]),
    .DOA12(registered[12]), .DOA13(registered[13]), .DOA14(registered[14]), .DOA15(registered[15]), .DOA16(registered[16]), .DOA17(registered[17]),
    .DOB0(registered[18]), .DOB1(registered[19]), .DOB2(registered[20]), .DOB3(registered[21]), .DOB4(registered[22]), .DOB5(registered[23]),
    .DOB6(registered[24]), .DOB7(registered[25]), .DOB8(registered[26]), .DOB9(registered[27]), .DOB10(registered[28]), .DOB11(registered[29]),
    .DOB12(registered[30]), .DOB13(registered[31]), .DOB14(registered[32]), .DOB15(registered[33]), .DOB16(registered[34]), .DOB17(registered[35])
  );
endmodule
