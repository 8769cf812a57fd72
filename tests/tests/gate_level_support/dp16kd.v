// Behaviour of the ECP5's block RAM primitive as memories here use it, inferred by yosys' synth_ecp5: pseudo dual port, port A writes,
// port B reads, 512 words of 36 bits, 1024 of 18, 2048 of 9, 4096 of 4, 8192 of 2 or 16384 of 1. Port names and parameters as in
// yosys' black box; what it does follows yosys' description of the primitive (brams_16kd.txt) and its mapping to it (brams_map_16kd.v).
//
//   write  rising CLKA with CEA and WEA: 36 bits: word ADA[13:5] takes {DIB, DIA}, 9 bits for each of the enables ADA[3:0];
//          18 bits: word ADA[13:4] takes DIA, enables ADA[1:0]; 9, 4, 2, 1 bits: word ADA[13:3], [13:2], [13:1], [13:0] takes the lowest of DIA.
//   read   rising CLKB with CEB: the word at ADB is at {DOB, DOA} (36 bits) or DOB after the edge (REGMODE_B "NOREG"), or
//          after the next edge with OCEB ("OUTREG"). Without CEB the output holds.
//   both   of one word in one clock: the description promises no read data for the bytes being written. Here they are
//          never to be relied on: old, new, a mix of both bit by bit, or noise, drawn anew each time. The first such read
//          of each block is announced on the log, so that a test knows it has met one.
//   start  all words and outputs zero.
//
// WRITEMODE_A/B have no effect: no port both reads and writes. Whatever of the primitive is not modelled (other or unequal
// widths, initial content, output reset, chip selects, inverted clocks) stops the simulation when it is asked for.
module DP16KD #(
  parameter integer DATA_WIDTH_A = 18,
  parameter integer DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  parameter CLKAMUX = "CLKA",
  parameter CLKBMUX = "CLKB",
  parameter GSR = "ENABLED",
  parameter [319:0] INITVAL_00 = 320'd0, parameter [319:0] INITVAL_01 = 320'd0, parameter [319:0] INITVAL_02 = 320'd0,
  parameter [319:0] INITVAL_03 = 320'd0, parameter [319:0] INITVAL_04 = 320'd0, parameter [319:0] INITVAL_05 = 320'd0,
  parameter [319:0] INITVAL_06 = 320'd0, parameter [319:0] INITVAL_07 = 320'd0, parameter [319:0] INITVAL_08 = 320'd0,
  parameter [319:0] INITVAL_09 = 320'd0, parameter [319:0] INITVAL_0A = 320'd0, parameter [319:0] INITVAL_0B = 320'd0,
  parameter [319:0] INITVAL_0C = 320'd0, parameter [319:0] INITVAL_0D = 320'd0, parameter [319:0] INITVAL_0E = 320'd0,
  parameter [319:0] INITVAL_0F = 320'd0, parameter [319:0] INITVAL_10 = 320'd0, parameter [319:0] INITVAL_11 = 320'd0,
  parameter [319:0] INITVAL_12 = 320'd0, parameter [319:0] INITVAL_13 = 320'd0, parameter [319:0] INITVAL_14 = 320'd0,
  parameter [319:0] INITVAL_15 = 320'd0, parameter [319:0] INITVAL_16 = 320'd0, parameter [319:0] INITVAL_17 = 320'd0,
  parameter [319:0] INITVAL_18 = 320'd0, parameter [319:0] INITVAL_19 = 320'd0, parameter [319:0] INITVAL_1A = 320'd0,
  parameter [319:0] INITVAL_1B = 320'd0, parameter [319:0] INITVAL_1C = 320'd0, parameter [319:0] INITVAL_1D = 320'd0,
  parameter [319:0] INITVAL_1E = 320'd0, parameter [319:0] INITVAL_1F = 320'd0, parameter [319:0] INITVAL_20 = 320'd0,
  parameter [319:0] INITVAL_21 = 320'd0, parameter [319:0] INITVAL_22 = 320'd0, parameter [319:0] INITVAL_23 = 320'd0,
  parameter [319:0] INITVAL_24 = 320'd0, parameter [319:0] INITVAL_25 = 320'd0, parameter [319:0] INITVAL_26 = 320'd0,
  parameter [319:0] INITVAL_27 = 320'd0, parameter [319:0] INITVAL_28 = 320'd0, parameter [319:0] INITVAL_29 = 320'd0,
  parameter [319:0] INITVAL_2A = 320'd0, parameter [319:0] INITVAL_2B = 320'd0, parameter [319:0] INITVAL_2C = 320'd0,
  parameter [319:0] INITVAL_2D = 320'd0, parameter [319:0] INITVAL_2E = 320'd0, parameter [319:0] INITVAL_2F = 320'd0,
  parameter [319:0] INITVAL_30 = 320'd0, parameter [319:0] INITVAL_31 = 320'd0, parameter [319:0] INITVAL_32 = 320'd0,
  parameter [319:0] INITVAL_33 = 320'd0, parameter [319:0] INITVAL_34 = 320'd0, parameter [319:0] INITVAL_35 = 320'd0,
  parameter [319:0] INITVAL_36 = 320'd0, parameter [319:0] INITVAL_37 = 320'd0, parameter [319:0] INITVAL_38 = 320'd0,
  parameter [319:0] INITVAL_39 = 320'd0, parameter [319:0] INITVAL_3A = 320'd0, parameter [319:0] INITVAL_3B = 320'd0,
  parameter [319:0] INITVAL_3C = 320'd0, parameter [319:0] INITVAL_3D = 320'd0, parameter [319:0] INITVAL_3E = 320'd0,
  parameter [319:0] INITVAL_3F = 320'd0
) (
  input wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
  input wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  input wire CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
  input wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
  input wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  input wire CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
  wire [35:0] write_data = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  // memory is kept in rows of 36 bits; a narrower word is a part of a row, and below 9 bits of its lower 32
  localparam NARROW = DATA_WIDTH_A < 9;
  localparam [1:0] ROW_LANES = DATA_WIDTH_A == 36 ? 2'd3 : DATA_WIDTH_A == 18 ? 2'd1 : 2'd0;
  localparam [4:0] WORD_PLACES = NARROW ? DATA_WIDTH_A[4:0] - 5'd1 : 5'd0;
  wire [8:0] write_address = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5};
  wire [8:0] read_address = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5};
  wire [5:0] write_lane = 6'd9 * {4'd0, {ADA4, ADA3} & ~ROW_LANES};
  wire [5:0] read_lane = 6'd9 * {4'd0, {ADB4, ADB3} & ~ROW_LANES};
  wire [5:0] write_place = NARROW ? {1'b0, {ADA4, ADA3, ADA2, ADA1, ADA0} & ~WORD_PLACES} : write_lane;
  wire [5:0] read_place = NARROW ? {1'b0, {ADB4, ADB3, ADB2, ADB1, ADB0} & ~WORD_PLACES} : read_lane;
  wire [3:0] lanes = DATA_WIDTH_A == 36 ? {ADA3, ADA2, ADA1, ADA0} : DATA_WIDTH_A == 18 ? {2'd0, ADA1, ADA0} : 4'd1;
  wire [35:0] word = NARROW ? (36'd1 << DATA_WIDTH_A) - 36'd1 : {{9{lanes[3]}}, {9{lanes[2]}}, {9{lanes[1]}}, {9{lanes[0]}}};
  wire [35:0] enabled = CEA && WEA ? word << write_place : 36'd0;
  wire [35:0] row_data = write_data << write_place;

  reg [35:0] words [0:511];
  reg [35:0] array_out;
  reg [35:0] register_out;
  reg [63:0] noise;
  reg announced;
  integer i;

  wire [35:0] old = words[read_address];
  wire [35:0] incoming = (words[write_address] & ~enabled) | (row_data & enabled);
  wire [35:0] mixed = (old & noise[37:2]) | (incoming & ~noise[37:2]);
  wire collision = |enabled && write_address == read_address && write_place == read_place;
  reg [35:0] unreliable;

  always @(*)
    case (noise[1:0])
      2'd0: unreliable = old;
      2'd1: unreliable = incoming;
      2'd2: unreliable = mixed;
      2'd3: unreliable = noise[37:2];
    endcase

  wire initialised = |{
    INITVAL_00, INITVAL_01, INITVAL_02, INITVAL_03, INITVAL_04, INITVAL_05, INITVAL_06, INITVAL_07, INITVAL_08,
    INITVAL_09, INITVAL_0A, INITVAL_0B, INITVAL_0C, INITVAL_0D, INITVAL_0E, INITVAL_0F, INITVAL_10, INITVAL_11,
    INITVAL_12, INITVAL_13, INITVAL_14, INITVAL_15, INITVAL_16, INITVAL_17, INITVAL_18, INITVAL_19, INITVAL_1A,
    INITVAL_1B, INITVAL_1C, INITVAL_1D, INITVAL_1E, INITVAL_1F, INITVAL_20, INITVAL_21, INITVAL_22, INITVAL_23,
    INITVAL_24, INITVAL_25, INITVAL_26, INITVAL_27, INITVAL_28, INITVAL_29, INITVAL_2A, INITVAL_2B, INITVAL_2C,
    INITVAL_2D, INITVAL_2E, INITVAL_2F, INITVAL_30, INITVAL_31, INITVAL_32, INITVAL_33, INITVAL_34, INITVAL_35,
    INITVAL_36, INITVAL_37, INITVAL_38, INITVAL_39, INITVAL_3A, INITVAL_3B, INITVAL_3C, INITVAL_3D, INITVAL_3E,
    INITVAL_3F
  };

  initial begin
    for (i = 0; i < 512; i = i + 1) words[i] = 36'd0;
    array_out = 36'd0;
    register_out = 36'd0;
    noise = 64'h9e3779b97f4a7c15;
    announced = 1'b0;
    case (DATA_WIDTH_A)
      36, 18, 9, 4, 2, 1: ;
      default: $fatal(1, "DP16KD: width %0d is not modelled, only 36, 18, 9, 4, 2 and 1", DATA_WIDTH_A);
    endcase
    if (DATA_WIDTH_A != DATA_WIDTH_B) $fatal(1, "DP16KD: widths %0d and %0d on its ports are not modelled", DATA_WIDTH_A, DATA_WIDTH_B);
    if (REGMODE_B != "NOREG" && REGMODE_B != "OUTREG") $fatal(1, "DP16KD: REGMODE_B %s is not modelled", REGMODE_B);
    if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB") $fatal(1, "DP16KD: an inverted clock is not modelled");
    if (CSDECODE_A != "0b000" || CSDECODE_B != "0b000") $fatal(1, "DP16KD: chip selects are not modelled");
    if (initialised) $fatal(1, "DP16KD: initial content is not modelled");
  end

  always @(posedge CLKA) begin
    words[write_address] <= incoming;
    if (RSTA || |{CSA2, CSA1, CSA0}) $fatal(1, "DP16KD: RSTA and CSA are not modelled");
  end

  always @(posedge CLKB) begin
    // xorshift of 64 bits: 13, 7, 17
    noise <= scrambled(noise);
    if (CEB) array_out <= (collision ? (old & ~enabled) | (unreliable & enabled) : old) >> read_place;
    if (CEB && collision && !announced) begin
      announced <= 1'b1;
      $display("DP16KD %m: a word was read while it was written");
    end
    if (OCEB) register_out <= array_out;
    if (RSTB || WEB || |{CSB2, CSB1, CSB0}) $fatal(1, "DP16KD: RSTB, CSB and a write by port B are not modelled");
  end

  function [63:0] scrambled(input [63:0] from);
    reg [63:0] x;
    begin
      x = from ^ (from << 13);
      x = x ^ (x >> 7);
      scrambled = x ^ (x << 17);
    end
  endfunction

  wire [35:0] read_data = REGMODE_B == "OUTREG" ? register_out : array_out;
  // in 36 bits the lower half comes out of port A
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = read_data[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} =
    DATA_WIDTH_B == 36 ? read_data[35:18] : read_data[17:0];
endmodule
