// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

// Says when the item stream is ready, when the scan goes on, and acts between two items: start and clear.
// RUN; for a clear DRAIN (let every item retire), WIPE (make every cell stale), RUN.
module sliding_sequencer (
  input  wire       clock,
  input  wire       reset,         // start with stale cells
  input  wire       valid,         // an item is offered
  input  wire [1:0] operation,     // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire       clear_pending, // a clear was written
  input  wire       credit,        // the verdict queue has room for what is in flight and more
  output wire       ready,         // the item stream is ready
  output wire       accept,        // an item is accepted
  output wire       scan,          // issue a scan
  output wire       wipe,          // issue a wipe
  output reg        restart,       // elements count from 0: nothing is in flight
  output wire       finished,      // the clear is done
  output wire       running,       // state RUN
  output wire       stall_scan,    // not ready: the scan must go on
  output wire       stall_control, // not ready: clear or start
  output wire       stall_verdict  // not ready: back-pressure of the verdict stream
);
  localparam [4:0]  retire     = 5'd18; // clocks until a slot issued now has left every trace
  localparam [3:0]  no_gap     = 4'd0;
  localparam [3:0]  last_gap   = 4'd10; // one element short of the interval
  localparam [11:0] none_wiped = 12'd0;

  reg        run_r;
  reg        wipe_r;
  reg [4:0]  waiting;
  reg        waited;    // waiting has come to 0; it counts on
  reg [11:0] wiped;
  reg [3:0]  gap;       // elements since the last scan
  reg        ready_r;
  reg        scan_r;
  reg        control_r;
  reg        verdict_r;

  wire accepted;
  wire element;
  wire due;
  wire scanning;
  wire last_wipe;
  wire may_run;

  assign accepted = valid && ready_r;
  assign element = accepted && (operation != 2'd0);

  // state; the wait is compared a clock ahead
  assign last_wipe = wipe_r && (&wiped);
  assign wipe = wipe_r && !reset;
  assign finished = last_wipe;

  // the scan goes on in every clock without an item
  assign scanning = run_r && !accepted;
  assign scan = scanning && !reset;
  assign due = element && (gap == last_gap);

  // admission
  assign may_run = run_r && !clear_pending;
  assign ready = ready_r;
  assign accept = accepted;
  assign running = run_r;
  assign stall_scan = scan_r;
  assign stall_control = control_r;
  assign stall_verdict = verdict_r;

  initial begin
    run_r = 1'b0;
    wipe_r = 1'b0;
    waiting = 5'd18;
    waited = 1'b0;
    wiped = 12'd0;
    gap = 4'd0;
    ready_r = 1'b0;
    scan_r = 1'b0;
    control_r = 1'b0;
    verdict_r = 1'b0;
  end

  always @* begin
    restart = 1'b0;
    if (!run_r) begin
      if (!wipe_r) begin
        if (waited) begin
          restart = 1'b1;
        end
      end
    end
  end

  always @(posedge clock) begin
    waiting <= waiting - 5'd1;
    waited <= waited || (waiting == 5'd1);
    wiped <= none_wiped;
    if (run_r) begin
      run_r <= !clear_pending;
      waiting <= retire;
      waited <= 1'b0;
    end else if (wipe_r) begin
      wiped <= wiped + 12'd1;
      wipe_r <= !last_wipe;
      run_r <= last_wipe;
    end else if (waited) begin
      wipe_r <= 1'b1;
    end
    if (scanning || !run_r) begin
      gap <= no_gap;
    end else if (element) begin
      gap <= gap + 4'd1;
    end
    ready_r <= may_run && !due && credit && !reset;
    control_r <= !may_run && !reset;
    scan_r <= may_run && due && !reset;
    verdict_r <= may_run && !due && !credit && !reset;
    if (reset) begin
      run_r <= 1'b0;
      wipe_r <= 1'b0;
      waiting <= retire;
      waited <= 1'b0;
      wiped <= none_wiped;
      gap <= no_gap;
    end
  end
endmodule

// What stands in each stage: an item, a scan, a wipe or nothing; and the generation that it stands in.
// The scan visits the buckets in turn.
module sliding_slots (
  input  wire        clock,
  input  wire        reset,           // empties every slot that has not been decided
  input  wire        restart,         // elements count from 0: nothing is in flight
  input  wire        accept,          // an item is accepted
  input  wire [1:0]  operation,       // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire        scan,            // a scan is issued
  input  wire        wipe,            // a wipe is issued
  output wire        scanning,        // the slot entering stage 0 is a scan or a wipe
  output wire [11:0] scan_address,    // its bucket
  output wire [4:0]  generation,      // of the slot in stage 3
  output wire        item_6,          // the slot in stage 6 is an item
  output wire        answer_6,        // it wants a verdict
  output wire        element_6,       // it is an element
  output wire        scan_6,          // the slot in stage 6 is a scan
  output wire        wipe_6,          // the slot in stage 6 is a wipe
  output wire        sets,            // the slot in stage 7 is an element
  output wire [4:0]  write_generation // that the slot in stage 7 writes: of an element its own, of a scan the youngest stale one
);
  localparam [12:0] no_line          = 13'd0;
  localparam [11:0] no_address       = 12'd0;
  localparam [10:0] no_elements      = 11'd0;
  localparam [10:0] last_element     = 11'h7ff;
  localparam [4:0]  first_generation = 5'd0;
  localparam [4:0]  to_stale         = 5'd9;    // age of the youngest stale generation

  reg [12:0] item_line;
  reg [12:0] element_line;
  reg [12:0] answer_line;
  reg [12:0] scan_line;
  reg [12:0] wipe_line;
  reg [11:0] address;
  reg [10:0] elements;           // elements of this generation
  reg [4:0]  generation_r;
  reg [4:0]  generation_4;
  reg [4:0]  generation_5;
  reg [4:0]  generation_6;
  reg [4:0]  write_generation_r;
  reg        sets_r;

  wire entering;
  wire counting;

  // a scan takes its bucket where it enters stage 0
  assign entering = scan_line[5] || wipe_line[5];
  assign scanning = entering;
  assign scan_address = address;

  // elements count where they meet their generation, in stage 3
  assign counting = element_line[9];
  assign generation = generation_r;

  // stage 6, and what is written in stage 7
  assign item_6 = item_line[12];
  assign answer_6 = answer_line[12];
  assign element_6 = element_line[12];
  assign scan_6 = scan_line[12];
  assign wipe_6 = wipe_line[12];
  assign sets = sets_r;
  assign write_generation = write_generation_r;

  initial begin
    item_line = 13'd0;
    element_line = 13'd0;
    answer_line = 13'd0;
    scan_line = 13'd0;
    wipe_line = 13'd0;
    address = 12'd0;
    elements = 11'd0;
    generation_r = 5'd0;
    generation_4 = 5'd0;
    generation_5 = 5'd0;
    generation_6 = 5'd0;
    write_generation_r = 5'd0;
    sets_r = 1'b0;
  end

  always @(posedge clock) begin
    item_line <= {item_line[11:0], accept};
    element_line <= {element_line[11:0], accept && (operation != 2'd0)};
    answer_line <= {answer_line[11:0], accept && (operation != 2'd1)};
    scan_line <= {scan_line[11:0], scan};
    wipe_line <= {wipe_line[11:0], wipe};
    if (entering) begin
      address <= address + 12'd1;
    end
    if (counting) begin
      elements <= elements + 11'd1;
      if (elements == last_element) begin
        elements <= no_elements;
        generation_r <= generation_r + 5'd1;
      end
    end
    generation_4 <= generation_r;
    generation_5 <= generation_4;
    generation_6 <= generation_5;
    sets_r <= element_line[12];
    write_generation_r <= generation_6 - to_stale;
    if (element_line[12]) begin
      write_generation_r <= generation_6;
    end
    if (restart || reset) begin
      elements <= no_elements;
      generation_r <= first_generation;
    end
    if (reset) begin
      address <= no_address;
      item_line <= no_line;
      element_line <= no_line;
      answer_line <= no_line;
      scan_line <= no_line;
      wipe_line <= no_line;
    end
  end
endmodule

// Each output is the sum (exclusive or) of the key bits whose row has it, and of the offset's bit.
module hash_layer_1 (
  input  wire [103:0] x,
  output wire [63:0]  y
);
  assign y[0] = x[5] ^ x[8] ^ x[12] ^ x[14] ^ x[18] ^ x[36] ^ x[42] ^ x[49] ^ x[50] ^ x[82] ^ x[83] ^ x[87] ^ x[89];
  assign y[1] = x[0] ^ x[4] ^ x[10] ^ x[17] ^ x[35] ^ x[63] ^ x[65] ^ x[74] ^ x[75] ^ x[77] ^ x[78] ^ x[79] ^ x[88] ^ x[91] ^ x[92] ^ 1'b1;
  assign y[2] = x[13] ^ x[28] ^ x[30] ^ x[41] ^ x[46] ^ x[55] ^ x[56] ^ x[76] ^ x[85] ^ x[90] ^ x[94] ^ x[100] ^ x[102];
  assign y[3] = x[3] ^ x[15] ^ x[16] ^ x[26] ^ x[40] ^ x[45] ^ x[59] ^ x[61] ^ x[62] ^ x[64] ^ x[67] ^ x[69] ^ x[70] ^ x[86] ^ x[93] ^ x[96]
    ^ x[99];
  assign y[4] = x[20] ^ x[22] ^ x[29] ^ x[32] ^ x[34] ^ x[37] ^ x[47] ^ x[54] ^ x[57] ^ x[58] ^ x[60] ^ x[81] ^ 1'b1;
  assign y[5] = x[6] ^ x[7] ^ x[21] ^ x[25] ^ x[31] ^ x[48] ^ x[72] ^ x[73] ^ x[95];
  assign y[6] = x[2] ^ x[9] ^ x[11] ^ x[19] ^ x[38] ^ x[43] ^ x[44] ^ x[68] ^ x[71] ^ x[80] ^ x[84] ^ x[98] ^ x[101];
  assign y[7] = x[1] ^ x[23] ^ x[24] ^ x[27] ^ x[33] ^ x[39] ^ x[51] ^ x[52] ^ x[53] ^ x[66] ^ x[97] ^ x[103];
  assign y[8] = x[0] ^ x[5] ^ x[12] ^ x[19] ^ x[29] ^ x[35] ^ x[38] ^ x[39] ^ x[66] ^ x[69] ^ x[82] ^ x[85] ^ x[88] ^ x[92];
  assign y[9] = x[3] ^ x[13] ^ x[18] ^ x[21] ^ x[28] ^ x[34] ^ x[51] ^ x[54] ^ x[68] ^ x[77] ^ x[86] ^ x[96] ^ 1'b1;
  assign y[10] = x[9] ^ x[33] ^ x[44] ^ x[50] ^ x[55] ^ x[56] ^ x[57] ^ x[70] ^ x[72] ^ x[89] ^ x[91] ^ x[94] ^ x[98] ^ x[103];
  assign y[11] = x[2] ^ x[20] ^ x[23] ^ x[32] ^ x[36] ^ x[43] ^ x[59] ^ x[73] ^ x[81] ^ x[93] ^ x[100] ^ 1'b1;
  assign y[12] = x[1] ^ x[6] ^ x[10] ^ x[16] ^ x[27] ^ x[40] ^ x[48] ^ x[65] ^ x[75] ^ x[95] ^ x[101] ^ x[102] ^ 1'b1;
  assign y[13] = x[8] ^ x[14] ^ x[22] ^ x[26] ^ x[31] ^ x[52] ^ x[53] ^ x[60] ^ x[62] ^ x[63] ^ x[80] ^ x[83] ^ x[97] ^ 1'b1;
  assign y[14] = x[7] ^ x[17] ^ x[24] ^ x[25] ^ x[41] ^ x[45] ^ x[47] ^ x[61] ^ x[67] ^ x[76] ^ x[78] ^ x[90];
  assign y[15] = x[4] ^ x[11] ^ x[15] ^ x[30] ^ x[37] ^ x[42] ^ x[46] ^ x[49] ^ x[58] ^ x[64] ^ x[71] ^ x[74] ^ x[79] ^ x[84] ^ x[87] ^ x[99];
  assign y[16] = x[15] ^ x[32] ^ x[33] ^ x[42] ^ x[57] ^ x[84] ^ x[101];
  assign y[17] = x[1] ^ x[31] ^ x[43] ^ x[45] ^ x[55] ^ x[56] ^ x[59] ^ x[70] ^ x[80] ^ x[82] ^ x[93] ^ x[97] ^ x[100] ^ 1'b1;
  assign y[18] = x[5] ^ x[6] ^ x[13] ^ x[20] ^ x[22] ^ x[29] ^ x[38] ^ x[51] ^ x[52] ^ x[53] ^ x[63] ^ x[78] ^ x[88] ^ x[102] ^ 1'b1;
  assign y[19] = x[0] ^ x[17] ^ x[24] ^ x[48] ^ x[49] ^ x[54] ^ x[61] ^ x[75] ^ x[85] ^ x[90];
  assign y[20] = x[3] ^ x[18] ^ x[25] ^ x[27] ^ x[34] ^ x[36] ^ x[37] ^ x[39] ^ x[68] ^ x[74] ^ x[77] ^ x[92] ^ x[95] ^ x[96] ^ x[103] ^ 1'b1;
  assign y[21] = x[2] ^ x[7] ^ x[10] ^ x[16] ^ x[19] ^ x[40] ^ x[46] ^ x[47] ^ x[62] ^ x[65] ^ x[67] ^ x[69] ^ x[72] ^ x[79] ^ x[81] ^ x[86]
    ^ x[91] ^ x[99] ^ 1'b1;
  assign y[22] = x[4] ^ x[8] ^ x[9] ^ x[14] ^ x[23] ^ x[26] ^ x[28] ^ x[30] ^ x[41] ^ x[44] ^ x[50] ^ x[58] ^ x[60] ^ x[64] ^ x[66] ^ x[71]
    ^ x[73] ^ x[83] ^ x[89] ^ x[94] ^ 1'b1;
  assign y[23] = x[11] ^ x[12] ^ x[21] ^ x[35] ^ x[76] ^ x[87] ^ x[98];
  assign y[24] = x[25] ^ x[29] ^ x[32] ^ x[40] ^ x[45] ^ x[61] ^ x[66] ^ x[77] ^ x[81] ^ x[83] ^ x[85] ^ x[87] ^ x[99];
  assign y[25] = x[5] ^ x[13] ^ x[35] ^ x[37] ^ x[55] ^ x[59] ^ x[62] ^ x[64] ^ x[68] ^ x[71] ^ x[76] ^ x[79] ^ x[80] ^ x[89];
  assign y[26] = x[2] ^ x[4] ^ x[7] ^ x[18] ^ x[20] ^ x[46] ^ x[47] ^ x[54] ^ x[65] ^ x[90] ^ x[98] ^ x[101] ^ 1'b1;
  assign y[27] = x[9] ^ x[14] ^ x[19] ^ x[22] ^ x[24] ^ x[26] ^ x[28] ^ x[50] ^ x[63] ^ x[69] ^ x[73];
  assign y[28] = x[3] ^ x[23] ^ x[30] ^ x[39] ^ x[43] ^ x[49] ^ x[56] ^ x[84] ^ x[86] ^ x[91];
  assign y[29] = x[11] ^ x[15] ^ x[16] ^ x[17] ^ x[51] ^ x[53] ^ x[70] ^ x[72] ^ x[82] ^ x[88] ^ x[94] ^ x[95];
  assign y[30] = x[0] ^ x[1] ^ x[6] ^ x[8] ^ x[12] ^ x[27] ^ x[31] ^ x[33] ^ x[36] ^ x[38] ^ x[52] ^ x[75] ^ x[92] ^ x[96] ^ x[100] ^ x[102];
  assign y[31] = x[10] ^ x[21] ^ x[34] ^ x[41] ^ x[42] ^ x[44] ^ x[48] ^ x[57] ^ x[58] ^ x[60] ^ x[67] ^ x[74] ^ x[78] ^ x[93] ^ x[97] ^ x[103]
    ^ 1'b1;
  assign y[32] = x[5] ^ x[7] ^ x[11] ^ x[16] ^ x[19] ^ x[21] ^ x[22] ^ x[30] ^ x[40] ^ x[47] ^ x[69] ^ x[76] ^ x[78] ^ x[87];
  assign y[33] = x[36] ^ x[37] ^ x[44] ^ x[50] ^ x[54] ^ x[62] ^ x[64] ^ x[66] ^ x[85] ^ x[89] ^ x[92] ^ x[103];
  assign y[34] = x[13] ^ x[17] ^ x[31] ^ x[38] ^ x[39] ^ x[65] ^ x[70] ^ x[86] ^ x[90] ^ x[93] ^ x[96];
  assign y[35] = x[4] ^ x[6] ^ x[8] ^ x[23] ^ x[24] ^ x[45] ^ x[48] ^ x[68] ^ x[81] ^ x[82] ^ x[91] ^ x[97];
  assign y[36] = x[3] ^ x[10] ^ x[15] ^ x[20] ^ x[27] ^ x[51] ^ x[56] ^ x[57] ^ x[67] ^ x[79] ^ x[84] ^ x[88] ^ x[94] ^ x[95] ^ x[101] ^ 1'b1;
  assign y[37] = x[0] ^ x[2] ^ x[12] ^ x[14] ^ x[29] ^ x[35] ^ x[46] ^ x[59] ^ x[60] ^ x[83] ^ x[99];
  assign y[38] = x[1] ^ x[9] ^ x[18] ^ x[32] ^ x[43] ^ x[49] ^ x[52] ^ x[55] ^ x[61] ^ x[63] ^ x[71] ^ x[75] ^ x[77] ^ x[98] ^ x[102];
  assign y[39] = x[25] ^ x[26] ^ x[28] ^ x[33] ^ x[34] ^ x[41] ^ x[42] ^ x[53] ^ x[58] ^ x[72] ^ x[73] ^ x[74] ^ x[80] ^ x[100] ^ 1'b1;
  assign y[40] = x[14] ^ x[42] ^ x[55] ^ x[64] ^ x[65] ^ x[75] ^ x[78] ^ x[81] ^ x[85] ^ x[92] ^ x[97] ^ x[100] ^ 1'b1;
  assign y[41] = x[21] ^ x[32] ^ x[40] ^ x[48] ^ x[58] ^ x[70] ^ x[84] ^ x[93];
  assign y[42] = x[5] ^ x[9] ^ x[15] ^ x[16] ^ x[28] ^ x[35] ^ x[43] ^ x[53] ^ x[73] ^ x[74] ^ x[83] ^ x[86] ^ x[87] ^ x[89] ^ x[90] ^ x[101]
    ^ 1'b1;
  assign y[43] = x[4] ^ x[19] ^ x[26] ^ x[29] ^ x[44] ^ x[46] ^ x[52] ^ x[56] ^ x[67] ^ x[79] ^ x[80];
  assign y[44] = x[0] ^ x[2] ^ x[6] ^ x[8] ^ x[10] ^ x[12] ^ x[20] ^ x[25] ^ x[38] ^ x[39] ^ x[47] ^ x[50] ^ x[60] ^ x[63] ^ x[66] ^ x[68]
    ^ x[71] ^ x[88] ^ x[96];
  assign y[45] = x[1] ^ x[3] ^ x[23] ^ x[34] ^ x[49] ^ x[54] ^ x[57] ^ x[59] ^ x[69] ^ x[94] ^ x[103];
  assign y[46] = x[18] ^ x[22] ^ x[31] ^ x[37] ^ x[45] ^ x[51] ^ x[77] ^ x[95] ^ x[99] ^ 1'b1;
  assign y[47] = x[7] ^ x[11] ^ x[13] ^ x[17] ^ x[24] ^ x[27] ^ x[30] ^ x[33] ^ x[36] ^ x[41] ^ x[61] ^ x[62] ^ x[72] ^ x[76] ^ x[82] ^ x[91]
    ^ x[98] ^ x[102] ^ 1'b1;
  assign y[48] = x[0] ^ x[3] ^ x[4] ^ x[9] ^ x[57] ^ x[62] ^ x[66] ^ x[78] ^ x[80] ^ x[81] ^ x[91] ^ 1'b1;
  assign y[49] = x[7] ^ x[29] ^ x[30] ^ x[31] ^ x[41] ^ x[54] ^ x[69] ^ x[74] ^ x[90] ^ x[93] ^ x[97] ^ 1'b1;
  assign y[50] = x[12] ^ x[17] ^ x[19] ^ x[20] ^ x[23] ^ x[25] ^ x[28] ^ x[36] ^ x[42] ^ x[43] ^ x[49] ^ x[50] ^ x[71] ^ x[76] ^ x[83] ^ x[85]
    ^ x[94] ^ x[99] ^ x[100];
  assign y[51] = x[1] ^ x[11] ^ x[14] ^ x[18] ^ x[26] ^ x[44] ^ x[46] ^ x[48] ^ x[53] ^ x[56] ^ x[65] ^ x[72] ^ x[89] ^ x[95] ^ x[96];
  assign y[52] = x[2] ^ x[22] ^ x[33] ^ x[40] ^ x[52] ^ x[55] ^ x[60] ^ x[61] ^ x[68] ^ x[75] ^ x[79] ^ x[82] ^ x[84] ^ x[86] ^ x[98] ^ x[101];
  assign y[53] = x[5] ^ x[6] ^ x[10] ^ x[13] ^ x[21] ^ x[24] ^ x[35] ^ x[45] ^ x[58] ^ x[70] ^ x[77] ^ x[92] ^ x[102] ^ 1'b1;
  assign y[54] = x[15] ^ x[27] ^ x[37] ^ x[47] ^ x[51] ^ x[64] ^ x[103];
  assign y[55] = x[8] ^ x[16] ^ x[32] ^ x[34] ^ x[38] ^ x[39] ^ x[59] ^ x[63] ^ x[67] ^ x[73] ^ x[87] ^ x[88] ^ 1'b1;
  assign y[56] = x[0] ^ x[4] ^ x[5] ^ x[28] ^ x[30] ^ x[31] ^ x[39] ^ x[40] ^ x[58] ^ x[59] ^ x[67] ^ x[72] ^ x[79] ^ x[89] ^ x[92] ^ 1'b1;
  assign y[57] = x[2] ^ x[6] ^ x[7] ^ x[17] ^ x[20] ^ x[26] ^ x[35] ^ x[45] ^ x[60] ^ x[85] ^ x[87] ^ x[88] ^ x[94];
  assign y[58] = x[3] ^ x[10] ^ x[14] ^ x[21] ^ x[25] ^ x[27] ^ x[37] ^ x[44] ^ x[48] ^ x[51] ^ x[52] ^ x[56] ^ x[70] ^ x[76] ^ x[77] ^ x[98]
    ^ x[100];
  assign y[59] = x[8] ^ x[9] ^ x[15] ^ x[24] ^ x[38] ^ x[49] ^ x[61] ^ x[69] ^ x[73] ^ x[78] ^ x[81] ^ 1'b1;
  assign y[60] = x[1] ^ x[41] ^ x[64] ^ x[80] ^ x[102] ^ x[103] ^ 1'b1;
  assign y[61] = x[12] ^ x[23] ^ x[47] ^ x[66] ^ x[75] ^ x[83] ^ x[90];
  assign y[62] = x[11] ^ x[13] ^ x[29] ^ x[32] ^ x[42] ^ x[50] ^ x[53] ^ x[54] ^ x[62] ^ x[63] ^ x[68] ^ x[71] ^ x[74] ^ x[86] ^ x[91] ^ x[95]
    ^ x[96] ^ x[97] ^ x[101];
  assign y[63] = x[16] ^ x[18] ^ x[19] ^ x[22] ^ x[33] ^ x[34] ^ x[36] ^ x[43] ^ x[46] ^ x[55] ^ x[57] ^ x[65] ^ x[82] ^ x[84] ^ x[93] ^ x[99];
endmodule

// Sixteen S-boxes of the PRESENT cipher (Bogdanov et al., CHES 2007), one a nibble.
module sbox_layer (
  input  wire [63:0] x,
  output wire [63:0] y
);
  function [3:0] sbox;
    input [3:0] nibble;
    case (nibble)
      4'h0: sbox = 4'hc;
      4'h1: sbox = 4'h5;
      4'h2: sbox = 4'h6;
      4'h3: sbox = 4'hb;
      4'h4: sbox = 4'h9;
      4'h5: sbox = 4'h0;
      4'h6: sbox = 4'ha;
      4'h7: sbox = 4'hd;
      4'h8: sbox = 4'h3;
      4'h9: sbox = 4'he;
      4'ha: sbox = 4'hf;
      4'hb: sbox = 4'h8;
      4'hc: sbox = 4'h4;
      4'hd: sbox = 4'h7;
      4'he: sbox = 4'h1;
      default: sbox = 4'h2;
    endcase
  endfunction

  assign y[3:0] = sbox(x[3:0]);
  assign y[7:4] = sbox(x[7:4]);
  assign y[11:8] = sbox(x[11:8]);
  assign y[15:12] = sbox(x[15:12]);
  assign y[19:16] = sbox(x[19:16]);
  assign y[23:20] = sbox(x[23:20]);
  assign y[27:24] = sbox(x[27:24]);
  assign y[31:28] = sbox(x[31:28]);
  assign y[35:32] = sbox(x[35:32]);
  assign y[39:36] = sbox(x[39:36]);
  assign y[43:40] = sbox(x[43:40]);
  assign y[47:44] = sbox(x[47:44]);
  assign y[51:48] = sbox(x[51:48]);
  assign y[55:52] = sbox(x[55:52]);
  assign y[59:56] = sbox(x[59:56]);
  assign y[63:60] = sbox(x[63:60]);
endmodule

// Hash family h3-sbox, first half: 64 sparse sums of key bits (H3, 8 taps a key bit), then S-boxes, which break its linearity.
module hash_mix (
  input  wire         clock,
  input  wire [103:0] key,   // key
  output wire [63:0]  mixed  // mixed key, two clocks later
);
  reg [63:0] x;
  reg [63:0] s;

  wire [63:0] layer_1_y;
  wire [63:0] sboxes_y;

  hash_layer_1 layer_1 (
    .x (key),
    .y (layer_1_y)
  );

  sbox_layer sboxes (
    .x (x),
    .y (sboxes_y)
  );

  assign mixed = s;

  initial begin
    x = 64'd0;
    s = 64'd0;
  end

  always @(posedge clock) begin
    x <= layer_1_y;
    s <= sboxes_y;
  end
endmodule

// Each output is the sum (exclusive or) of the key bits whose row has it, and of the offset's bit.
module hash_layer_1_2 (
  input  wire [103:0] x,
  output wire [63:0]  y
);
  assign y[0] = x[13] ^ x[19] ^ x[20] ^ x[47] ^ x[49] ^ x[52] ^ x[53] ^ x[59] ^ x[71] ^ x[88] ^ x[90] ^ x[93] ^ x[96];
  assign y[1] = x[10] ^ x[16] ^ x[29] ^ x[44] ^ x[46] ^ x[67] ^ x[69] ^ x[76] ^ x[77] ^ x[79] ^ x[84] ^ x[85] ^ x[98];
  assign y[2] = x[23] ^ x[37] ^ x[43] ^ x[51] ^ x[56] ^ x[94] ^ x[102] ^ 1'b1;
  assign y[3] = x[0] ^ x[1] ^ x[21] ^ x[26] ^ x[34] ^ x[35] ^ x[36] ^ x[39] ^ x[62] ^ x[64] ^ x[68] ^ x[74] ^ x[81] ^ x[82] ^ x[91] ^ x[99]
    ^ x[100] ^ 1'b1;
  assign y[4] = x[4] ^ x[7] ^ x[12] ^ x[17] ^ x[18] ^ x[30] ^ x[38] ^ x[66] ^ x[73] ^ x[89] ^ x[101];
  assign y[5] = x[2] ^ x[3] ^ x[5] ^ x[15] ^ x[25] ^ x[27] ^ x[28] ^ x[40] ^ x[42] ^ x[54] ^ x[55] ^ x[57] ^ x[61] ^ x[65] ^ x[70] ^ x[72]
    ^ x[75] ^ x[83] ^ 1'b1;
  assign y[6] = x[8] ^ x[11] ^ x[14] ^ x[31] ^ x[33] ^ x[41] ^ x[48] ^ x[50] ^ x[58] ^ x[78] ^ x[92] ^ x[95] ^ x[103];
  assign y[7] = x[6] ^ x[9] ^ x[22] ^ x[24] ^ x[32] ^ x[45] ^ x[60] ^ x[63] ^ x[80] ^ x[86] ^ x[87] ^ x[97] ^ 1'b1;
  assign y[8] = x[7] ^ x[11] ^ x[20] ^ x[27] ^ x[42] ^ x[47] ^ x[51] ^ x[54] ^ x[55] ^ x[66] ^ x[80] ^ x[87] ^ x[90] ^ x[99] ^ 1'b1;
  assign y[9] = x[3] ^ x[15] ^ x[22] ^ x[32] ^ x[68] ^ x[70] ^ x[75] ^ x[94] ^ 1'b1;
  assign y[10] = x[2] ^ x[8] ^ x[14] ^ x[19] ^ x[41] ^ x[45] ^ x[53] ^ x[74] ^ x[77] ^ x[79] ^ x[88] ^ x[101];
  assign y[11] = x[9] ^ x[23] ^ x[30] ^ x[34] ^ x[35] ^ x[37] ^ x[39] ^ x[46] ^ x[56] ^ x[57] ^ x[61] ^ x[67] ^ x[71] ^ x[78] ^ x[89] ^ x[93]
    ^ x[95] ^ x[103] ^ 1'b1;
  assign y[12] = x[1] ^ x[4] ^ x[18] ^ x[24] ^ x[25] ^ x[33] ^ x[36] ^ x[43] ^ x[50] ^ x[59] ^ x[60] ^ x[65] ^ x[69] ^ x[73] ^ x[84] ^ x[96]
    ^ x[98];
  assign y[13] = x[12] ^ x[13] ^ x[16] ^ x[21] ^ x[40] ^ x[48] ^ x[58] ^ x[72] ^ x[81] ^ x[82] ^ x[86] ^ x[91] ^ x[102];
  assign y[14] = x[0] ^ x[10] ^ x[17] ^ x[26] ^ x[28] ^ x[31] ^ x[49] ^ x[62] ^ x[83] ^ x[97] ^ x[100];
  assign y[15] = x[5] ^ x[6] ^ x[29] ^ x[38] ^ x[44] ^ x[52] ^ x[63] ^ x[64] ^ x[76] ^ x[85] ^ x[92];
  assign y[16] = x[1] ^ x[7] ^ x[18] ^ x[25] ^ x[58] ^ x[68] ^ x[77] ^ x[96] ^ 1'b1;
  assign y[17] = x[6] ^ x[27] ^ x[32] ^ x[47] ^ x[49] ^ x[57] ^ x[63] ^ x[80] ^ x[85] ^ x[102] ^ 1'b1;
  assign y[18] = x[3] ^ x[10] ^ x[50] ^ x[55] ^ x[56] ^ x[70] ^ x[76] ^ x[79] ^ x[92];
  assign y[19] = x[11] ^ x[29] ^ x[33] ^ x[34] ^ x[38] ^ x[45] ^ x[48] ^ x[62] ^ x[66] ^ x[67] ^ x[71] ^ x[87] ^ x[88] ^ x[91] ^ x[95] ^ x[98]
    ^ x[99] ^ 1'b1;
  assign y[20] = x[2] ^ x[44] ^ x[52] ^ x[61] ^ x[64] ^ x[73] ^ x[78] ^ x[89] ^ x[93] ^ x[94] ^ x[97] ^ x[103];
  assign y[21] = x[13] ^ x[15] ^ x[20] ^ x[23] ^ x[35] ^ x[36] ^ x[39] ^ x[40] ^ x[41] ^ x[54] ^ x[60] ^ x[72] ^ x[81] ^ x[82] ^ x[84] ^ x[86];
  assign y[22] = x[0] ^ x[5] ^ x[8] ^ x[9] ^ x[14] ^ x[16] ^ x[21] ^ x[24] ^ x[28] ^ x[30] ^ x[31] ^ x[42] ^ x[46] ^ x[51] ^ x[53] ^ x[74]
    ^ x[75] ^ x[83] ^ x[100] ^ 1'b1;
  assign y[23] = x[4] ^ x[12] ^ x[17] ^ x[19] ^ x[22] ^ x[26] ^ x[37] ^ x[43] ^ x[59] ^ x[65] ^ x[69] ^ x[90] ^ x[101] ^ 1'b1;
  assign y[24] = x[8] ^ x[15] ^ x[21] ^ x[23] ^ x[25] ^ x[31] ^ x[34] ^ x[35] ^ x[40] ^ x[77] ^ x[83] ^ 1'b1;
  assign y[25] = x[0] ^ x[6] ^ x[9] ^ x[19] ^ x[20] ^ x[33] ^ x[37] ^ x[39] ^ x[50] ^ x[59] ^ x[62] ^ x[72] ^ x[79] ^ x[82] ^ x[85] ^ 1'b1;
  assign y[26] = x[2] ^ x[24] ^ x[27] ^ x[32] ^ x[41] ^ x[51] ^ x[80] ^ x[89] ^ x[100];
  assign y[27] = x[1] ^ x[3] ^ x[18] ^ x[46] ^ x[49] ^ x[52] ^ x[58] ^ x[63] ^ x[64] ^ x[65] ^ x[66] ^ x[73] ^ x[84] ^ x[88] ^ x[91] ^ x[92]
    ^ x[93] ^ x[97];
  assign y[28] = x[4] ^ x[7] ^ x[36] ^ x[42] ^ x[45] ^ x[53] ^ x[60] ^ x[61] ^ x[74] ^ x[96] ^ x[98];
  assign y[29] = x[12] ^ x[16] ^ x[54] ^ x[75] ^ x[76] ^ x[99];
  assign y[30] = x[11] ^ x[14] ^ x[17] ^ x[22] ^ x[28] ^ x[29] ^ x[38] ^ x[47] ^ x[55] ^ x[56] ^ x[78] ^ x[81] ^ x[86] ^ x[87] ^ x[90] ^ x[95]
    ^ x[103] ^ 1'b1;
  assign y[31] = x[5] ^ x[10] ^ x[13] ^ x[26] ^ x[30] ^ x[43] ^ x[44] ^ x[48] ^ x[57] ^ x[67] ^ x[68] ^ x[69] ^ x[70] ^ x[71] ^ x[94] ^ x[101]
    ^ x[102] ^ 1'b1;
  assign y[32] = x[9] ^ x[26] ^ x[29] ^ x[43] ^ x[49] ^ x[54] ^ x[69] ^ x[70] ^ x[85] ^ x[87] ^ x[90] ^ 1'b1;
  assign y[33] = x[3] ^ x[5] ^ x[15] ^ x[17] ^ x[27] ^ x[28] ^ x[33] ^ x[37] ^ x[46] ^ x[50] ^ x[56] ^ x[64] ^ x[91] ^ x[95] ^ 1'b1;
  assign y[34] = x[8] ^ x[12] ^ x[18] ^ x[22] ^ x[39] ^ x[45] ^ x[76] ^ x[81] ^ x[100] ^ x[102] ^ 1'b1;
  assign y[35] = x[2] ^ x[24] ^ x[42] ^ x[53] ^ x[58] ^ x[59] ^ x[67] ^ x[72] ^ x[84] ^ x[93] ^ x[103] ^ 1'b1;
  assign y[36] = x[1] ^ x[7] ^ x[10] ^ x[14] ^ x[32] ^ x[34] ^ x[35] ^ x[36] ^ x[40] ^ x[44] ^ x[55] ^ x[60] ^ x[62] ^ x[65] ^ x[68] ^ x[73]
    ^ x[82] ^ x[92] ^ x[98] ^ 1'b1;
  assign y[37] = x[16] ^ x[19] ^ x[20] ^ x[21] ^ x[25] ^ x[30] ^ x[31] ^ x[41] ^ x[47] ^ x[48] ^ x[57] ^ x[66] ^ x[79] ^ x[80] ^ x[88] ^ x[94]
    ^ x[101];
  assign y[38] = x[4] ^ x[6] ^ x[23] ^ x[51] ^ x[52] ^ x[61] ^ x[71] ^ x[74] ^ 1'b1;
  assign y[39] = x[0] ^ x[11] ^ x[13] ^ x[38] ^ x[63] ^ x[75] ^ x[77] ^ x[78] ^ x[83] ^ x[86] ^ x[89] ^ x[96] ^ x[97] ^ x[99] ^ 1'b1;
  assign y[40] = x[4] ^ x[14] ^ x[15] ^ x[22] ^ x[27] ^ x[28] ^ x[35] ^ x[38] ^ x[39] ^ x[47] ^ x[48] ^ x[49] ^ x[53] ^ x[59] ^ x[68] ^ x[70]
    ^ x[90] ^ x[93];
  assign y[41] = x[3] ^ x[13] ^ x[24] ^ x[36] ^ x[42] ^ x[55] ^ x[56] ^ x[57] ^ x[66] ^ x[73] ^ x[89] ^ x[91] ^ x[95] ^ x[99] ^ x[100] ^ 1'b1;
  assign y[42] = x[9] ^ x[10] ^ x[12] ^ x[17] ^ x[19] ^ x[25] ^ x[31] ^ x[46] ^ x[54] ^ x[65] ^ x[67] ^ x[71] ^ x[84] ^ x[103] ^ 1'b1;
  assign y[43] = x[8] ^ x[16] ^ x[26] ^ x[30] ^ x[34] ^ x[44] ^ x[51] ^ x[61] ^ x[62] ^ x[102];
  assign y[44] = x[23] ^ x[29] ^ x[37] ^ x[50] ^ x[60] ^ x[81] ^ x[82] ^ x[92];
  assign y[45] = x[0] ^ x[1] ^ x[5] ^ x[11] ^ x[32] ^ x[58] ^ x[64] ^ x[69] ^ x[72] ^ x[75] ^ x[80] ^ x[85] ^ 1'b1;
  assign y[46] = x[6] ^ x[7] ^ x[18] ^ x[20] ^ x[21] ^ x[40] ^ x[43] ^ x[45] ^ x[52] ^ x[63] ^ x[74] ^ x[87] ^ x[97] ^ x[98] ^ 1'b1;
  assign y[47] = x[2] ^ x[33] ^ x[41] ^ x[76] ^ x[77] ^ x[78] ^ x[79] ^ x[83] ^ x[86] ^ x[88] ^ x[94] ^ x[96] ^ x[101] ^ 1'b1;
  assign y[48] = x[9] ^ x[22] ^ x[24] ^ x[26] ^ x[39] ^ x[40] ^ x[46] ^ x[47] ^ x[62] ^ x[71] ^ x[74] ^ x[75] ^ x[84] ^ x[98] ^ x[103] ^ 1'b1;
  assign y[49] = x[1] ^ x[13] ^ x[18] ^ x[27] ^ x[30] ^ x[45] ^ x[55] ^ x[59] ^ x[91] ^ x[92] ^ x[97] ^ 1'b1;
  assign y[50] = x[0] ^ x[3] ^ x[29] ^ x[31] ^ x[32] ^ x[35] ^ x[48] ^ x[67] ^ x[73] ^ x[83] ^ x[85] ^ x[86] ^ x[99] ^ x[100] ^ 1'b1;
  assign y[51] = x[16] ^ x[17] ^ x[53] ^ x[56] ^ x[77] ^ x[78] ^ x[89] ^ x[93] ^ x[101];
  assign y[52] = x[4] ^ x[6] ^ x[12] ^ x[19] ^ x[50] ^ x[57] ^ x[68] ^ x[69] ^ x[82] ^ x[90] ^ x[94] ^ x[96] ^ x[102] ^ 1'b1;
  assign y[53] = x[8] ^ x[10] ^ x[11] ^ x[15] ^ x[33] ^ x[36] ^ x[43] ^ x[64] ^ x[65] ^ x[72] ^ x[76] ^ x[80] ^ x[81] ^ x[87];
  assign y[54] = x[7] ^ x[20] ^ x[21] ^ x[23] ^ x[28] ^ x[41] ^ x[42] ^ x[44] ^ x[52] ^ x[54] ^ x[58] ^ x[63] ^ x[70];
  assign y[55] = x[2] ^ x[5] ^ x[14] ^ x[25] ^ x[34] ^ x[37] ^ x[38] ^ x[49] ^ x[51] ^ x[60] ^ x[61] ^ x[66] ^ x[79] ^ x[88] ^ x[95];
  assign y[56] = x[3] ^ x[17] ^ x[18] ^ x[19] ^ x[30] ^ x[32] ^ x[40] ^ x[49] ^ x[51] ^ x[54] ^ x[58] ^ x[64] ^ x[77] ^ x[81] ^ x[88] ^ x[94]
    ^ x[96] ^ x[97] ^ x[102];
  assign y[57] = x[0] ^ x[7] ^ x[9] ^ x[16] ^ x[21] ^ x[25] ^ x[33] ^ x[36] ^ x[76] ^ x[93] ^ x[99] ^ 1'b1;
  assign y[58] = x[6] ^ x[8] ^ x[10] ^ x[14] ^ x[24] ^ x[35] ^ x[41] ^ x[44] ^ x[50] ^ x[57] ^ x[73] ^ x[78] ^ 1'b1;
  assign y[59] = x[1] ^ x[22] ^ x[34] ^ x[37] ^ x[47] ^ x[65] ^ x[66] ^ x[70] ^ x[72] ^ x[74] ^ x[83] ^ x[103] ^ 1'b1;
  assign y[60] = x[2] ^ x[5] ^ x[26] ^ x[31] ^ x[59] ^ x[60] ^ x[61] ^ x[67] ^ x[69] ^ x[84] ^ x[87] ^ x[89] ^ 1'b1;
  assign y[61] = x[4] ^ x[15] ^ x[27] ^ x[29] ^ x[38] ^ x[43] ^ x[45] ^ x[46] ^ x[52] ^ x[53] ^ x[55] ^ x[68] ^ x[71] ^ x[75] ^ x[80] ^ x[86]
    ^ x[92] ^ x[98] ^ x[100] ^ 1'b1;
  assign y[62] = x[11] ^ x[13] ^ x[20] ^ x[28] ^ x[48] ^ x[62] ^ x[63] ^ x[82] ^ x[85] ^ x[90] ^ x[95] ^ x[101];
  assign y[63] = x[12] ^ x[23] ^ x[39] ^ x[42] ^ x[56] ^ x[79] ^ x[91];
endmodule

// Hash family h3-sbox, first half: 64 sparse sums of key bits (H3, 8 taps a key bit), then S-boxes, which break its linearity.
module hash_mix_2 (
  input  wire         clock,
  input  wire [103:0] key,   // key
  output wire [63:0]  mixed  // mixed key, two clocks later
);
  reg [63:0] x;
  reg [63:0] s;

  wire [63:0] layer_1_y;
  wire [63:0] sboxes_y;

  hash_layer_1_2 layer_1 (
    .x (key),
    .y (layer_1_y)
  );

  sbox_layer sboxes (
    .x (x),
    .y (sboxes_y)
  );

  assign mixed = s;

  initial begin
    x = 64'd0;
    s = 64'd0;
  end

  always @(posedge clock) begin
    x <= layer_1_y;
    s <= sboxes_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2 (
  input  wire [63:0] x,
  output wire [24:0] y
);
  assign y[0] = x[3] ^ x[7] ^ x[10] ^ x[12] ^ x[17] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[38] ^ x[40] ^ x[45] ^ x[51] ^ x[55] ^ x[57] ^ x[63];
  assign y[1] = x[0] ^ x[5] ^ x[8] ^ x[15] ^ x[16] ^ x[23] ^ x[24] ^ x[29] ^ x[34] ^ x[39] ^ x[41] ^ x[46] ^ x[50] ^ x[53] ^ x[58] ^ x[61];
  assign y[2] = x[2] ^ x[4] ^ x[8] ^ x[12] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[33] ^ x[38] ^ x[40] ^ x[44] ^ x[51] ^ x[53] ^ x[58] ^ x[63];
  assign y[3] = x[3] ^ x[6] ^ x[11] ^ x[14] ^ x[17] ^ x[23] ^ x[25] ^ x[29] ^ x[33] ^ x[38] ^ x[43] ^ x[46] ^ x[49] ^ x[54] ^ x[58] ^ x[60];
  assign y[4] = x[2] ^ x[4] ^ x[10] ^ x[12] ^ x[18] ^ x[20] ^ x[24] ^ x[29] ^ x[35] ^ x[39] ^ x[43] ^ x[47] ^ x[48] ^ x[52] ^ x[57] ^ x[61];
  assign y[5] = x[2] ^ x[7] ^ x[9] ^ x[15] ^ x[16] ^ x[22] ^ x[27] ^ x[29] ^ x[35] ^ x[39] ^ x[43] ^ x[47] ^ x[48] ^ x[55] ^ x[59] ^ x[60];
  assign y[6] = x[3] ^ x[7] ^ x[9] ^ x[14] ^ x[19] ^ x[22] ^ x[27] ^ x[29] ^ x[32] ^ x[37] ^ x[40] ^ x[47] ^ x[50] ^ x[53] ^ x[59] ^ x[62];
  assign y[7] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[16] ^ x[21] ^ x[27] ^ x[29] ^ x[33] ^ x[37] ^ x[42] ^ x[45] ^ x[50] ^ x[54] ^ x[57] ^ x[63];
  assign y[8] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[19] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[36] ^ x[41] ^ x[47] ^ x[48] ^ x[55] ^ x[57] ^ x[63];
  assign y[9] = x[3] ^ x[4] ^ x[9] ^ x[15] ^ x[18] ^ x[23] ^ x[26] ^ x[29] ^ x[35] ^ x[38] ^ x[41] ^ x[45] ^ x[50] ^ x[52] ^ x[59] ^ x[61];
  assign y[10] = x[1] ^ x[7] ^ x[9] ^ x[14] ^ x[17] ^ x[23] ^ x[24] ^ x[29] ^ x[35] ^ x[38] ^ x[41] ^ x[47] ^ x[48] ^ x[52] ^ x[56] ^ x[63];
  assign y[11] = x[0] ^ x[5] ^ x[8] ^ x[13] ^ x[19] ^ x[22] ^ x[24] ^ x[31] ^ x[35] ^ x[36] ^ x[43] ^ x[45] ^ x[50] ^ x[55] ^ x[59] ^ x[63];
  assign y[12] = x[1] ^ x[5] ^ x[8] ^ x[14] ^ x[19] ^ x[20] ^ x[25] ^ x[31] ^ x[35] ^ x[39] ^ x[43] ^ x[46] ^ x[50] ^ x[53] ^ x[58] ^ x[60];
  assign y[13] = x[0] ^ x[6] ^ x[11] ^ x[15] ^ x[19] ^ x[23] ^ x[24] ^ x[31] ^ x[34] ^ x[38] ^ x[40] ^ x[47] ^ x[50] ^ x[52] ^ x[57] ^ x[60];
  assign y[14] = x[1] ^ x[7] ^ x[10] ^ x[15] ^ x[18] ^ x[21] ^ x[26] ^ x[31] ^ x[32] ^ x[37] ^ x[43] ^ x[45] ^ x[49] ^ x[54] ^ x[57] ^ x[61];
  assign y[15] = x[2] ^ x[5] ^ x[9] ^ x[14] ^ x[18] ^ x[22] ^ x[26] ^ x[29] ^ x[33] ^ x[38] ^ x[43] ^ x[47] ^ x[51] ^ x[55] ^ x[56] ^ x[61];
  assign y[16] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[18] ^ x[22] ^ x[26] ^ x[30] ^ x[33] ^ x[37] ^ x[42] ^ x[44] ^ x[49] ^ x[55] ^ x[57] ^ x[61];
  assign y[17] = x[0] ^ x[4] ^ x[8] ^ x[13] ^ x[19] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[36] ^ x[40] ^ x[45] ^ x[49] ^ x[53] ^ x[57] ^ x[60];
  assign y[18] = x[1] ^ x[5] ^ x[9] ^ x[14] ^ x[18] ^ x[22] ^ x[25] ^ x[28] ^ x[35] ^ x[36] ^ x[40] ^ x[44] ^ x[51] ^ x[53] ^ x[59] ^ x[60];
  assign y[19] = x[2] ^ x[5] ^ x[9] ^ x[15] ^ x[18] ^ x[20] ^ x[26] ^ x[31] ^ x[33] ^ x[39] ^ x[41] ^ x[47] ^ x[51] ^ x[54] ^ x[56] ^ x[63];
  assign y[20] = x[2] ^ x[4] ^ x[9] ^ x[15] ^ x[17] ^ x[22] ^ x[26] ^ x[28] ^ x[33] ^ x[36] ^ x[41] ^ x[47] ^ x[50] ^ x[55] ^ x[58] ^ x[61];
  assign y[21] = x[3] ^ x[4] ^ x[9] ^ x[12] ^ x[19] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[39] ^ x[43] ^ x[45] ^ x[50] ^ x[53] ^ x[57] ^ x[60];
  assign y[22] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[18] ^ x[23] ^ x[25] ^ x[31] ^ x[32] ^ x[39] ^ x[40] ^ x[46] ^ x[51] ^ x[52] ^ x[56] ^ x[63];
  assign y[23] = x[2] ^ x[4] ^ x[11] ^ x[15] ^ x[17] ^ x[21] ^ x[27] ^ x[30] ^ x[32] ^ x[38] ^ x[41] ^ x[44] ^ x[50] ^ x[53] ^ x[59] ^ x[60];
  assign y[24] = x[2] ^ x[6] ^ x[10] ^ x[15] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[36] ^ x[41] ^ x[45] ^ x[51] ^ x[52] ^ x[56] ^ x[63];
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [24:0] index  // hash value, one clock later
);
  reg [24:0] index_r;

  wire [24:0] layer_2_y;

  hash_layer_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 25'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_2 (
  input  wire [63:0] x,
  output wire [24:0] y
);
  assign y[0] = x[3] ^ x[6] ^ x[9] ^ x[12] ^ x[16] ^ x[23] ^ x[26] ^ x[29] ^ x[33] ^ x[37] ^ x[41] ^ x[47] ^ x[48] ^ x[55] ^ x[56] ^ x[62];
  assign y[1] = x[1] ^ x[4] ^ x[10] ^ x[14] ^ x[17] ^ x[20] ^ x[24] ^ x[30] ^ x[34] ^ x[37] ^ x[40] ^ x[45] ^ x[50] ^ x[53] ^ x[59] ^ x[63];
  assign y[2] = x[3] ^ x[5] ^ x[11] ^ x[13] ^ x[16] ^ x[20] ^ x[25] ^ x[28] ^ x[33] ^ x[38] ^ x[43] ^ x[44] ^ x[51] ^ x[53] ^ x[58] ^ x[62];
  assign y[3] = x[1] ^ x[5] ^ x[8] ^ x[15] ^ x[18] ^ x[22] ^ x[27] ^ x[30] ^ x[35] ^ x[39] ^ x[40] ^ x[47] ^ x[49] ^ x[52] ^ x[56] ^ x[61];
  assign y[4] = x[2] ^ x[5] ^ x[11] ^ x[15] ^ x[17] ^ x[20] ^ x[24] ^ x[28] ^ x[33] ^ x[37] ^ x[40] ^ x[44] ^ x[49] ^ x[53] ^ x[58] ^ x[60];
  assign y[5] = x[2] ^ x[6] ^ x[10] ^ x[12] ^ x[16] ^ x[21] ^ x[26] ^ x[28] ^ x[33] ^ x[36] ^ x[41] ^ x[44] ^ x[50] ^ x[52] ^ x[57] ^ x[62];
  assign y[6] = x[3] ^ x[4] ^ x[9] ^ x[13] ^ x[16] ^ x[22] ^ x[25] ^ x[28] ^ x[32] ^ x[39] ^ x[42] ^ x[45] ^ x[50] ^ x[55] ^ x[57] ^ x[62];
  assign y[7] = x[1] ^ x[6] ^ x[11] ^ x[15] ^ x[18] ^ x[22] ^ x[25] ^ x[31] ^ x[35] ^ x[39] ^ x[43] ^ x[46] ^ x[51] ^ x[55] ^ x[57] ^ x[60];
  assign y[8] = x[3] ^ x[4] ^ x[11] ^ x[13] ^ x[17] ^ x[21] ^ x[24] ^ x[31] ^ x[33] ^ x[39] ^ x[41] ^ x[47] ^ x[50] ^ x[53] ^ x[56] ^ x[60];
  assign y[9] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[17] ^ x[22] ^ x[26] ^ x[31] ^ x[34] ^ x[39] ^ x[40] ^ x[47] ^ x[51] ^ x[55] ^ x[58] ^ x[62];
  assign y[10] = x[2] ^ x[7] ^ x[9] ^ x[15] ^ x[17] ^ x[21] ^ x[27] ^ x[29] ^ x[33] ^ x[38] ^ x[42] ^ x[45] ^ x[50] ^ x[53] ^ x[57] ^ x[61];
  assign y[11] = x[0] ^ x[6] ^ x[8] ^ x[12] ^ x[19] ^ x[23] ^ x[27] ^ x[28] ^ x[35] ^ x[38] ^ x[41] ^ x[44] ^ x[49] ^ x[54] ^ x[58] ^ x[63];
  assign y[12] = x[0] ^ x[6] ^ x[8] ^ x[12] ^ x[19] ^ x[23] ^ x[27] ^ x[31] ^ x[35] ^ x[37] ^ x[41] ^ x[47] ^ x[51] ^ x[52] ^ x[56] ^ x[62];
  assign y[13] = x[1] ^ x[6] ^ x[8] ^ x[12] ^ x[17] ^ x[21] ^ x[25] ^ x[30] ^ x[35] ^ x[39] ^ x[43] ^ x[47] ^ x[48] ^ x[55] ^ x[58] ^ x[62];
  assign y[14] = x[3] ^ x[5] ^ x[10] ^ x[13] ^ x[16] ^ x[22] ^ x[26] ^ x[30] ^ x[32] ^ x[39] ^ x[40] ^ x[45] ^ x[48] ^ x[55] ^ x[57] ^ x[61];
  assign y[15] = x[2] ^ x[6] ^ x[11] ^ x[14] ^ x[16] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[38] ^ x[42] ^ x[47] ^ x[51] ^ x[53] ^ x[59] ^ x[61];
  assign y[16] = x[1] ^ x[5] ^ x[11] ^ x[15] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[38] ^ x[41] ^ x[46] ^ x[50] ^ x[52] ^ x[56] ^ x[62];
  assign y[17] = x[2] ^ x[6] ^ x[10] ^ x[12] ^ x[19] ^ x[21] ^ x[26] ^ x[30] ^ x[32] ^ x[37] ^ x[43] ^ x[46] ^ x[51] ^ x[55] ^ x[58] ^ x[61];
  assign y[18] = x[1] ^ x[6] ^ x[9] ^ x[13] ^ x[16] ^ x[22] ^ x[24] ^ x[28] ^ x[35] ^ x[36] ^ x[42] ^ x[44] ^ x[48] ^ x[55] ^ x[59] ^ x[62];
  assign y[19] = x[1] ^ x[5] ^ x[8] ^ x[13] ^ x[16] ^ x[21] ^ x[25] ^ x[30] ^ x[33] ^ x[36] ^ x[41] ^ x[46] ^ x[50] ^ x[55] ^ x[58] ^ x[61];
  assign y[20] = x[1] ^ x[7] ^ x[11] ^ x[12] ^ x[16] ^ x[20] ^ x[26] ^ x[28] ^ x[32] ^ x[39] ^ x[43] ^ x[45] ^ x[48] ^ x[53] ^ x[59] ^ x[63];
  assign y[21] = x[1] ^ x[5] ^ x[8] ^ x[15] ^ x[18] ^ x[22] ^ x[25] ^ x[31] ^ x[32] ^ x[37] ^ x[40] ^ x[45] ^ x[49] ^ x[52] ^ x[56] ^ x[62];
  assign y[22] = x[2] ^ x[7] ^ x[10] ^ x[14] ^ x[18] ^ x[20] ^ x[24] ^ x[28] ^ x[34] ^ x[38] ^ x[42] ^ x[45] ^ x[51] ^ x[53] ^ x[56] ^ x[63];
  assign y[23] = x[0] ^ x[4] ^ x[11] ^ x[14] ^ x[18] ^ x[20] ^ x[26] ^ x[29] ^ x[32] ^ x[39] ^ x[40] ^ x[44] ^ x[49] ^ x[54] ^ x[57] ^ x[62];
  assign y[24] = x[1] ^ x[6] ^ x[8] ^ x[12] ^ x[17] ^ x[22] ^ x[26] ^ x[31] ^ x[35] ^ x[39] ^ x[43] ^ x[44] ^ x[49] ^ x[54] ^ x[57] ^ x[63];
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_2 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [24:0] index  // hash value, one clock later
);
  reg [24:0] index_r;

  wire [24:0] layer_2_y;

  hash_layer_2_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 25'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Double hashing: probe i = h1 + i h2, i = 0 to 1, modulo the partition (KM section 3).
module hash_spread (
  input  wire        clock,
  input  wire [24:0] h1,      // first hash value
  input  wire [24:0] h2,      // second hash value
  output wire [24:0] index_0, // probe 0, two clocks later
  output wire [24:0] index_1  // probe 1, two clocks later
);
  reg [24:0] base_0;
  reg [24:0] scaled_0;
  reg [24:0] position_0;
  reg [24:0] position_1;

  wire [24:0] multiple_0;

  assign multiple_0 = h2;
  assign index_0 = position_0;
  assign index_1 = position_1;

  initial begin
    base_0 = 25'd0;
    scaled_0 = 25'd0;
    position_0 = 25'd0;
    position_1 = 25'd0;
  end

  always @(posedge clock) begin
    base_0 <= h1;
    position_0 <= base_0;
    scaled_0 <= multiple_0;
    position_1 <= base_0 + scaled_0;
  end
endmodule

// 104 bits of key to 2 probe position(s), one key a clock.
module hash_unit (
  input  wire         clock,
  input  wire [103:0] key,     // key
  output wire [24:0]  index_0, // probe position in bank 0
  output wire [24:0]  index_1  // probe position in bank 1
);
  wire [63:0] mix_0_mixed;
  wire [63:0] mix_1_mixed;
  wire [24:0] function_0_index;
  wire [24:0] function_1_index;
  wire [24:0] spread_0_index_0;
  wire [24:0] spread_0_index_1;

  hash_mix mix_0 (
    .clock (clock),
    .key   (key),
    .mixed (mix_0_mixed)
  );

  hash_mix_2 mix_1 (
    .clock (clock),
    .key   (key),
    .mixed (mix_1_mixed)
  );

  hash_index function_0 (
    .clock (clock),
    .mixed (mix_0_mixed),
    .index (function_0_index)
  );

  hash_index_2 function_1 (
    .clock (clock),
    .mixed (mix_1_mixed),
    .index (function_1_index)
  );

  hash_spread spread_0 (
    .clock   (clock),
    .h1      (function_0_index),
    .h2      (function_1_index),
    .index_0 (spread_0_index_0),
    .index_1 (spread_0_index_1)
  );

  assign index_0 = spread_0_index_0;
  assign index_1 = spread_0_index_1;
endmodule

// Do two slots hold the same bucket, and do they bear the same fingerprint too?
module slot_compare (
  input  wire        clock,
  input  wire [24:0] ahead,       // position of the slot ahead
  input  wire [24:0] behind,      // position of the slot behind
  output wire        same_bucket, // one clock later: the same bucket
  output wire        same_value   // one clock later: the same bucket and fingerprint
);
  reg bucket;
  reg fingerprint;

  assign same_bucket = bucket;
  assign same_value = bucket && fingerprint;

  initial begin
    bucket = 1'b0;
    fingerprint = 1'b0;
  end

  always @(posedge clock) begin
    bucket <= ahead[11:0] == behind[11:0];
    fingerprint <= ahead[24:12] == behind[24:12];
  end
endmodule

// Carries positions with 2^12 buckets from stage 0 to stage 7, and compares them with those ahead.
module position_track (
  input  wire        clock,
  input  wire [24:0] index,        // position of the slot entering stage 0
  input  wire        scanning,     // the slot entering stage 0 is a scan
  input  wire [11:0] scan_address, // bucket that it visits
  output wire [24:0] position_1,   // stage 1
  output wire [24:0] position_3,   // stage 3
  output wire [24:0] position_7,   // stage 7
  output wire [4:0]  same_bucket,  // bit s: the slot in stage s + 1 holds the bucket of that in stage 7
  output wire [4:0]  same_value,   // and bears its fingerprint
  output wire        near_bucket,  // the slot in stage 5 holds the bucket of that in stage 6
  output wire        near_value    // and bears its fingerprint
);
  reg [24:0] stage_0;
  reg [24:0] stage_1;
  reg [24:0] stage_2;
  reg [24:0] stage_3;
  reg [24:0] stage_4;
  reg [24:0] stage_5;
  reg [24:0] stage_6;
  reg [24:0] stage_7;

  reg  [24:0] entering;
  wire        compare_0_same_bucket;
  wire        compare_0_same_value;
  wire        compare_1_same_bucket;
  wire        compare_1_same_value;
  wire        compare_2_same_bucket;
  wire        compare_2_same_value;
  wire        compare_3_same_bucket;
  wire        compare_3_same_value;
  wire        compare_4_same_bucket;
  wire        compare_4_same_value;
  wire        near_same_bucket;
  wire        near_same_value;

  // compared a clock ahead
  slot_compare compare_0 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_0),
    .same_bucket (compare_0_same_bucket),
    .same_value  (compare_0_same_value)
  );

  slot_compare compare_1 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_1),
    .same_bucket (compare_1_same_bucket),
    .same_value  (compare_1_same_value)
  );

  slot_compare compare_2 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_2),
    .same_bucket (compare_2_same_bucket),
    .same_value  (compare_2_same_value)
  );

  slot_compare compare_3 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_3),
    .same_bucket (compare_3_same_bucket),
    .same_value  (compare_3_same_value)
  );

  slot_compare compare_4 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_4),
    .same_bucket (compare_4_same_bucket),
    .same_value  (compare_4_same_value)
  );

  slot_compare near (
    .clock       (clock),
    .ahead       (stage_5),
    .behind      (stage_4),
    .same_bucket (near_same_bucket),
    .same_value  (near_same_value)
  );

  assign position_1 = stage_1;
  assign position_3 = stage_3;
  assign position_7 = stage_7;
  assign same_bucket[0] = compare_0_same_bucket;
  assign same_value[0] = compare_0_same_value;
  assign same_bucket[1] = compare_1_same_bucket;
  assign same_value[1] = compare_1_same_value;
  assign same_bucket[2] = compare_2_same_bucket;
  assign same_value[2] = compare_2_same_value;
  assign same_bucket[3] = compare_3_same_bucket;
  assign same_value[3] = compare_3_same_value;
  assign same_bucket[4] = compare_4_same_bucket;
  assign same_value[4] = compare_4_same_value;
  assign near_bucket = near_same_bucket;
  assign near_value = near_same_value;

  initial begin
    stage_0 = 25'd0;
    stage_1 = 25'd0;
    stage_2 = 25'd0;
    stage_3 = 25'd0;
    stage_4 = 25'd0;
    stage_5 = 25'd0;
    stage_6 = 25'd0;
    stage_7 = 25'd0;
  end

  always @* begin
    entering = index;
    if (scanning) begin
      entering = {13'd0, scan_address};
    end
  end

  always @(posedge clock) begin
    stage_0 <= entering;
    stage_1 <= stage_0;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
    stage_5 <= stage_4;
    stage_6 <= stage_5;
    stage_7 <= stage_6;
  end
endmodule

// 4096 cells of 18 bits in block RAM, two clocks of read latency.
// Reading the cell that is being written gives an unspecified value: the lane does not look at it.
module lane_memory (
  input  wire        clock,
  input  wire [11:0] read_address,  // cell to read
  output wire [17:0] read_data,     // its contents, two clocks later
  input  wire        write_enable,  // write this clock
  input  wire [11:0] write_address, // cell to write
  input  wire [17:0] write_data     // its contents
);
  (* no_rw_check *)
  reg [17:0] cells [0:4095];
  reg [17:0] array_out;
  reg [17:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 4095; i = i + 1) cells[i] = 18'd0;
    array_out = 18'd0;
    register_out = 18'd0;
  end

  always @(posedge clock) begin
    array_out <= cells[read_address];
    register_out <= array_out;
    if (write_enable) cells[write_address] <= write_data;
  end

  assign read_data = register_out;
endmodule

// Does a cell match the slot in stage 6, and is it empty to it? What the slots ahead write since the cell was read counts.
module lane_flags (
  input  wire       clock,
  input  wire       equal,       // stage 3: the cell bears the slot's fingerprint
  input  wire [4:0] age,         // stage 3: generations since the cell's
  input  wire       taken,       // the slot in stage 7 writes this lane
  input  wire       sets,        // it is an element; else a scan, which empties
  input  wire [4:0] same_bucket, // bit s: the slot in stage s + 1 holds its bucket
  input  wire [4:0] same_value,  // and bears its fingerprint
  input  wire       taking,      // the slot in stage 6 writes this lane
  input  wire       setting,     // it is an element
  input  wire       near_bucket, // the slot in stage 5 holds its bucket
  input  wire       near_value,  // and bears its fingerprint
  output wire       matching,    // stage 6: the cell matches
  output wire       empty        // stage 6: the cell is empty
);
  localparam [4:0] oldest = 5'd8; // age of the oldest live generation
  localparam [4:0] no_hit = 5'd0;

  reg       equal_4;
  reg       live_4;
  reg [2:0] touched; // stages 2 to 4: a slot ahead took the cell since
  reg [2:0] matched; // and left it with this slot's fingerprint
  reg [2:0] cleared; // and left it empty
  reg       match_5;
  reg       empty_5;
  reg       match_6;
  reg       empty_6;

  reg  [4:0] hit;
  wire [2:0] hit_early;
  reg  [4:0] value;
  reg        match_base;
  reg        empty_base;
  reg        match_mid;
  reg        empty_mid;

  assign hit_early = hit[2:0];
  assign matching = match_6;
  assign empty = empty_6;

  initial begin
    equal_4 = 1'b0;
    live_4 = 1'b0;
    touched = 3'd0;
    matched = 3'd0;
    cleared = 3'd0;
    match_5 = 1'b0;
    empty_5 = 1'b0;
    match_6 = 1'b0;
    empty_6 = 1'b0;
  end

  always @* begin
    // what the slot in stage 7 writes, for the slots in stages 1 to 5
    hit = no_hit;
    if (taken) begin
      hit = same_bucket;
    end
  end

  always @* begin
    value = no_hit;
    if (sets) begin
      value = same_value;
    end
  end

  always @* begin
    // stage 4 to 5: memory, unless touched
    match_base = equal_4 && live_4;
    empty_base = !live_4;
    if (touched[2]) begin
      match_base = matched[2];
      empty_base = cleared[2];
    end
  end

  always @* begin
    // stage 5 to 6: and what the slot in stage 6 decides in this clock
    match_mid = match_5;
    empty_mid = empty_5;
    if (hit[4]) begin
      match_mid = value[4];
      empty_mid = !sets;
    end
  end

  always @(posedge clock) begin
    equal_4 <= equal;
    live_4 <= age <= oldest;
    touched <= (touched << 1) | hit_early;
    matched <= ((matched << 1) & ~hit_early) | (hit_early & value[2:0]);
    cleared <= (cleared << 1) & ~hit_early;
    if (!sets) begin
      cleared <= (cleared << 1) | hit_early;
    end
    match_5 <= match_base;
    empty_5 <= empty_base;
    if (hit[3]) begin
      match_5 <= value[3];
      empty_5 <= !sets;
    end
    match_6 <= match_mid;
    empty_6 <= empty_mid;
    if (taking && near_bucket) begin
      match_6 <= setting && near_value;
      empty_6 <= !setting;
    end
  end
endmodule

// One cell of each of 4096 buckets: 13 bits of fingerprint, 5 of generation.
module table_lane (
  input  wire        clock,
  input  wire [11:0] read_address,  // bucket, stage 1
  input  wire [12:0] fingerprint,   // the slot's, stage 3
  input  wire [4:0]  generation,    // the slot's, stage 3
  input  wire [11:0] write_address, // bucket, stage 7
  input  wire [17:0] write_data,    // {fingerprint, generation}, stage 7
  input  wire        sets,          // the slot in stage 7 is an element; else a scan, which empties
  input  wire [4:0]  same_bucket,   // bit s: the slot in stage s + 1 holds the bucket of that in stage 7
  input  wire [4:0]  same_value,    // and bears its fingerprint
  input  wire        taking,        // the slot in stage 6 writes this lane
  input  wire        setting,       // it is an element
  input  wire        near_bucket,   // the slot in stage 5 holds its bucket
  input  wire        near_value,    // and bears its fingerprint
  output wire        matching,      // stage 6: the cell matches
  output wire        empty          // stage 6: the cell is empty
);
  reg taken; // the slot in stage 7 writes this lane

  wire [17:0] memory_read_data;
  wire        flags_equal;
  wire [4:0]  flags_age;
  wire        flags_matching;
  wire        flags_empty;

  lane_memory memory (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (memory_read_data),
    .write_enable  (taken),
    .write_address (write_address),
    .write_data    (write_data)
  );

  lane_flags flags (
    .clock       (clock),
    .equal       (flags_equal),
    .age         (flags_age),
    .taken       (taken),
    .sets        (sets),
    .same_bucket (same_bucket),
    .same_value  (same_value),
    .taking      (taking),
    .setting     (setting),
    .near_bucket (near_bucket),
    .near_value  (near_value),
    .matching    (flags_matching),
    .empty       (flags_empty)
  );

  assign flags_equal = memory_read_data[17:5] == fingerprint;
  assign flags_age = generation - memory_read_data[4:0];
  assign matching = flags_matching;
  assign empty = flags_empty;

  initial begin
    taken = 1'b0;
  end

  always @(posedge clock) begin
    taken <= taking;
  end
endmodule

// 4096 buckets of 8 cells: which cells of a slot's bucket match, which are empty.
module bucket_table (
  input  wire        clock,
  input  wire [24:0] index,            // position of the slot entering stage 0
  input  wire        scanning,         // the slot entering stage 0 is a scan
  input  wire [11:0] scan_address,     // bucket that it visits
  input  wire [4:0]  generation,       // of the slot in stage 3
  input  wire [4:0]  write_generation, // that the slot in stage 7 writes
  input  wire        sets,             // the slot in stage 7 is an element
  input  wire        setting,          // the slot in stage 6 is an element
  input  wire [7:0]  taking,           // cells that the slot in stage 6 writes
  output wire [7:0]  matching,         // stage 6: cells that match
  output wire [7:0]  empty,            // stage 6: cells that are empty
  output wire [24:0] position_3_0,     // stage 3
  output wire [24:0] position_7_0,     // stage 7
  output wire [4:0]  same_value_0,     // bit s: the slot in stage s + 1 has the position of that in stage 7
  output wire        near_value_0      // the slot in stage 5 has the position of that in stage 6
);
  wire [11:0] read_address;
  wire [12:0] fingerprint;
  wire [11:0] write_address;
  wire [12:0] write_fingerprint;
  wire [17:0] write_data;
  wire [24:0] track_position_1;
  wire [24:0] track_position_3;
  wire [24:0] track_position_7;
  wire [4:0]  track_same_bucket;
  wire [4:0]  track_same_value;
  wire        track_near_bucket;
  wire        track_near_value;
  wire        lane_0_matching;
  wire        lane_0_empty;
  wire        lane_1_matching;
  wire        lane_1_empty;
  wire        lane_2_matching;
  wire        lane_2_empty;
  wire        lane_3_matching;
  wire        lane_3_empty;
  wire        lane_4_matching;
  wire        lane_4_empty;
  wire        lane_5_matching;
  wire        lane_5_empty;
  wire        lane_6_matching;
  wire        lane_6_empty;
  wire        lane_7_matching;
  wire        lane_7_empty;

  position_track track (
    .clock        (clock),
    .index        (index),
    .scanning     (scanning),
    .scan_address (scan_address),
    .position_1   (track_position_1),
    .position_3   (track_position_3),
    .position_7   (track_position_7),
    .same_bucket  (track_same_bucket),
    .same_value   (track_same_value),
    .near_bucket  (track_near_bucket),
    .near_value   (track_near_value)
  );

  table_lane lane_0 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[0]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_0_matching),
    .empty         (lane_0_empty)
  );

  table_lane lane_1 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[1]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_1_matching),
    .empty         (lane_1_empty)
  );

  table_lane lane_2 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[2]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_2_matching),
    .empty         (lane_2_empty)
  );

  table_lane lane_3 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[3]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_3_matching),
    .empty         (lane_3_empty)
  );

  table_lane lane_4 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[4]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_4_matching),
    .empty         (lane_4_empty)
  );

  table_lane lane_5 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[5]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_5_matching),
    .empty         (lane_5_empty)
  );

  table_lane lane_6 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[6]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_6_matching),
    .empty         (lane_6_empty)
  );

  table_lane lane_7 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[7]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_7_matching),
    .empty         (lane_7_empty)
  );

  assign position_3_0 = track_position_3;
  assign position_7_0 = track_position_7;
  assign same_value_0 = track_same_value;
  assign near_value_0 = track_near_value;
  assign read_address = track_position_1[11:0];
  assign fingerprint = track_position_3[24:12];
  assign write_address = track_position_7[11:0];
  assign write_fingerprint = track_position_7[24:12];
  assign write_data = {write_fingerprint, write_generation};
  assign matching[0] = lane_0_matching;
  assign empty[0] = lane_0_empty;
  assign matching[1] = lane_1_matching;
  assign empty[1] = lane_1_empty;
  assign matching[2] = lane_2_matching;
  assign empty[2] = lane_2_empty;
  assign matching[3] = lane_3_matching;
  assign empty[3] = lane_3_empty;
  assign matching[4] = lane_4_matching;
  assign empty[4] = lane_4_empty;
  assign matching[5] = lane_5_matching;
  assign empty[5] = lane_5_empty;
  assign matching[6] = lane_6_matching;
  assign empty[6] = lane_6_empty;
  assign matching[7] = lane_7_matching;
  assign empty[7] = lane_7_empty;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, track_position_1[24:12]};
endmodule

// Do two slots hold the same bucket, and do they bear the same fingerprint too?
module slot_compare_2 (
  input  wire        clock,
  input  wire [24:0] ahead,       // position of the slot ahead
  input  wire [24:0] behind,      // position of the slot behind
  output wire        same_bucket, // one clock later: the same bucket
  output wire        same_value   // one clock later: the same bucket and fingerprint
);
  reg bucket;
  reg fingerprint;

  assign same_bucket = bucket;
  assign same_value = bucket && fingerprint;

  initial begin
    bucket = 1'b0;
    fingerprint = 1'b0;
  end

  always @(posedge clock) begin
    bucket <= ahead[9:0] == behind[9:0];
    fingerprint <= ahead[24:12] == behind[24:12];
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, ahead[11:10], behind[11:10]};
endmodule

// Carries positions with 2^10 buckets from stage 0 to stage 7, and compares them with those ahead.
module position_track_2 (
  input  wire        clock,
  input  wire [24:0] index,        // position of the slot entering stage 0
  input  wire        scanning,     // the slot entering stage 0 is a scan
  input  wire [11:0] scan_address, // bucket that it visits
  output wire [24:0] position_1,   // stage 1
  output wire [24:0] position_3,   // stage 3
  output wire [24:0] position_7,   // stage 7
  output wire [4:0]  same_bucket,  // bit s: the slot in stage s + 1 holds the bucket of that in stage 7
  output wire [4:0]  same_value,   // and bears its fingerprint
  output wire        near_bucket,  // the slot in stage 5 holds the bucket of that in stage 6
  output wire        near_value    // and bears its fingerprint
);
  reg [24:0] stage_0;
  reg [24:0] stage_1;
  reg [24:0] stage_2;
  reg [24:0] stage_3;
  reg [24:0] stage_4;
  reg [24:0] stage_5;
  reg [24:0] stage_6;
  reg [24:0] stage_7;

  reg  [24:0] entering;
  wire        compare_0_same_bucket;
  wire        compare_0_same_value;
  wire        compare_1_same_bucket;
  wire        compare_1_same_value;
  wire        compare_2_same_bucket;
  wire        compare_2_same_value;
  wire        compare_3_same_bucket;
  wire        compare_3_same_value;
  wire        compare_4_same_bucket;
  wire        compare_4_same_value;
  wire        near_same_bucket;
  wire        near_same_value;

  // compared a clock ahead
  slot_compare_2 compare_0 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_0),
    .same_bucket (compare_0_same_bucket),
    .same_value  (compare_0_same_value)
  );

  slot_compare_2 compare_1 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_1),
    .same_bucket (compare_1_same_bucket),
    .same_value  (compare_1_same_value)
  );

  slot_compare_2 compare_2 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_2),
    .same_bucket (compare_2_same_bucket),
    .same_value  (compare_2_same_value)
  );

  slot_compare_2 compare_3 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_3),
    .same_bucket (compare_3_same_bucket),
    .same_value  (compare_3_same_value)
  );

  slot_compare_2 compare_4 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_4),
    .same_bucket (compare_4_same_bucket),
    .same_value  (compare_4_same_value)
  );

  slot_compare_2 near (
    .clock       (clock),
    .ahead       (stage_5),
    .behind      (stage_4),
    .same_bucket (near_same_bucket),
    .same_value  (near_same_value)
  );

  assign position_1 = stage_1;
  assign position_3 = stage_3;
  assign position_7 = stage_7;
  assign same_bucket[0] = compare_0_same_bucket;
  assign same_value[0] = compare_0_same_value;
  assign same_bucket[1] = compare_1_same_bucket;
  assign same_value[1] = compare_1_same_value;
  assign same_bucket[2] = compare_2_same_bucket;
  assign same_value[2] = compare_2_same_value;
  assign same_bucket[3] = compare_3_same_bucket;
  assign same_value[3] = compare_3_same_value;
  assign same_bucket[4] = compare_4_same_bucket;
  assign same_value[4] = compare_4_same_value;
  assign near_bucket = near_same_bucket;
  assign near_value = near_same_value;

  initial begin
    stage_0 = 25'd0;
    stage_1 = 25'd0;
    stage_2 = 25'd0;
    stage_3 = 25'd0;
    stage_4 = 25'd0;
    stage_5 = 25'd0;
    stage_6 = 25'd0;
    stage_7 = 25'd0;
  end

  always @* begin
    entering = index;
    if (scanning) begin
      entering = {13'd0, scan_address};
    end
  end

  always @(posedge clock) begin
    stage_0 <= entering;
    stage_1 <= stage_0;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
    stage_5 <= stage_4;
    stage_6 <= stage_5;
    stage_7 <= stage_6;
  end
endmodule

// 1024 cells of 18 bits in block RAM, two clocks of read latency.
// Reading the cell that is being written gives an unspecified value: the lane does not look at it.
module lane_memory_2 (
  input  wire        clock,
  input  wire [9:0]  read_address,  // cell to read
  output wire [17:0] read_data,     // its contents, two clocks later
  input  wire        write_enable,  // write this clock
  input  wire [9:0]  write_address, // cell to write
  input  wire [17:0] write_data     // its contents
);
  (* no_rw_check *)
  reg [17:0] cells [0:1023];
  reg [17:0] array_out;
  reg [17:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 1023; i = i + 1) cells[i] = 18'd0;
    array_out = 18'd0;
    register_out = 18'd0;
  end

  always @(posedge clock) begin
    array_out <= cells[read_address];
    register_out <= array_out;
    if (write_enable) cells[write_address] <= write_data;
  end

  assign read_data = register_out;
endmodule

// One cell of each of 1024 buckets: 13 bits of fingerprint, 5 of generation.
module table_lane_2 (
  input  wire        clock,
  input  wire [9:0]  read_address,  // bucket, stage 1
  input  wire [12:0] fingerprint,   // the slot's, stage 3
  input  wire [4:0]  generation,    // the slot's, stage 3
  input  wire [9:0]  write_address, // bucket, stage 7
  input  wire [17:0] write_data,    // {fingerprint, generation}, stage 7
  input  wire        sets,          // the slot in stage 7 is an element; else a scan, which empties
  input  wire [4:0]  same_bucket,   // bit s: the slot in stage s + 1 holds the bucket of that in stage 7
  input  wire [4:0]  same_value,    // and bears its fingerprint
  input  wire        taking,        // the slot in stage 6 writes this lane
  input  wire        setting,       // it is an element
  input  wire        near_bucket,   // the slot in stage 5 holds its bucket
  input  wire        near_value,    // and bears its fingerprint
  output wire        matching,      // stage 6: the cell matches
  output wire        empty          // stage 6: the cell is empty
);
  reg taken; // the slot in stage 7 writes this lane

  wire [17:0] memory_read_data;
  wire        flags_equal;
  wire [4:0]  flags_age;
  wire        flags_matching;
  wire        flags_empty;

  lane_memory_2 memory (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (memory_read_data),
    .write_enable  (taken),
    .write_address (write_address),
    .write_data    (write_data)
  );

  lane_flags flags (
    .clock       (clock),
    .equal       (flags_equal),
    .age         (flags_age),
    .taken       (taken),
    .sets        (sets),
    .same_bucket (same_bucket),
    .same_value  (same_value),
    .taking      (taking),
    .setting     (setting),
    .near_bucket (near_bucket),
    .near_value  (near_value),
    .matching    (flags_matching),
    .empty       (flags_empty)
  );

  assign flags_equal = memory_read_data[17:5] == fingerprint;
  assign flags_age = generation - memory_read_data[4:0];
  assign matching = flags_matching;
  assign empty = flags_empty;

  initial begin
    taken = 1'b0;
  end

  always @(posedge clock) begin
    taken <= taking;
  end
endmodule

// 1024 buckets of 8 cells: which cells of a slot's bucket match, which are empty.
module bucket_table_2 (
  input  wire        clock,
  input  wire [24:0] index,            // position of the slot entering stage 0
  input  wire        scanning,         // the slot entering stage 0 is a scan
  input  wire [11:0] scan_address,     // bucket that it visits
  input  wire [4:0]  generation,       // of the slot in stage 3
  input  wire [4:0]  write_generation, // that the slot in stage 7 writes
  input  wire        sets,             // the slot in stage 7 is an element
  input  wire        setting,          // the slot in stage 6 is an element
  input  wire [7:0]  taking,           // cells that the slot in stage 6 writes
  output wire [7:0]  matching,         // stage 6: cells that match
  output wire [7:0]  empty             // stage 6: cells that are empty
);
  wire [9:0]  read_address;
  wire [12:0] fingerprint;
  wire [9:0]  write_address;
  wire [12:0] write_fingerprint;
  wire [17:0] write_data;
  wire [24:0] track_position_1;
  wire [24:0] track_position_3;
  wire [24:0] track_position_7;
  wire [4:0]  track_same_bucket;
  wire [4:0]  track_same_value;
  wire        track_near_bucket;
  wire        track_near_value;
  wire        lane_0_matching;
  wire        lane_0_empty;
  wire        lane_1_matching;
  wire        lane_1_empty;
  wire        lane_2_matching;
  wire        lane_2_empty;
  wire        lane_3_matching;
  wire        lane_3_empty;
  wire        lane_4_matching;
  wire        lane_4_empty;
  wire        lane_5_matching;
  wire        lane_5_empty;
  wire        lane_6_matching;
  wire        lane_6_empty;
  wire        lane_7_matching;
  wire        lane_7_empty;

  position_track_2 track (
    .clock        (clock),
    .index        (index),
    .scanning     (scanning),
    .scan_address (scan_address),
    .position_1   (track_position_1),
    .position_3   (track_position_3),
    .position_7   (track_position_7),
    .same_bucket  (track_same_bucket),
    .same_value   (track_same_value),
    .near_bucket  (track_near_bucket),
    .near_value   (track_near_value)
  );

  table_lane_2 lane_0 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[0]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_0_matching),
    .empty         (lane_0_empty)
  );

  table_lane_2 lane_1 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[1]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_1_matching),
    .empty         (lane_1_empty)
  );

  table_lane_2 lane_2 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[2]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_2_matching),
    .empty         (lane_2_empty)
  );

  table_lane_2 lane_3 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[3]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_3_matching),
    .empty         (lane_3_empty)
  );

  table_lane_2 lane_4 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[4]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_4_matching),
    .empty         (lane_4_empty)
  );

  table_lane_2 lane_5 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[5]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_5_matching),
    .empty         (lane_5_empty)
  );

  table_lane_2 lane_6 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[6]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_6_matching),
    .empty         (lane_6_empty)
  );

  table_lane_2 lane_7 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[7]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_7_matching),
    .empty         (lane_7_empty)
  );

  assign read_address = track_position_1[9:0];
  assign fingerprint = track_position_3[24:12];
  assign write_address = track_position_7[9:0];
  assign write_fingerprint = track_position_7[24:12];
  assign write_data = {write_fingerprint, write_generation};
  assign matching[0] = lane_0_matching;
  assign empty[0] = lane_0_empty;
  assign matching[1] = lane_1_matching;
  assign empty[1] = lane_1_empty;
  assign matching[2] = lane_2_matching;
  assign empty[2] = lane_2_empty;
  assign matching[3] = lane_3_matching;
  assign empty[3] = lane_3_empty;
  assign matching[4] = lane_4_matching;
  assign empty[4] = lane_4_empty;
  assign matching[5] = lane_5_matching;
  assign empty[5] = lane_5_empty;
  assign matching[6] = lane_6_matching;
  assign empty[6] = lane_6_empty;
  assign matching[7] = lane_7_matching;
  assign empty[7] = lane_7_empty;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, track_position_1[24:10], track_position_3[11:0], track_position_7[11:10]};
endmodule

// A cell of the store: 25 bits of position, 5 of generation.
module store_lane (
  input  wire        clock,
  input  wire [24:0] position,         // the slot's, stage 3
  input  wire [4:0]  generation,       // the slot's, stage 3
  input  wire [24:0] write_position,   // the slot's, stage 7
  input  wire [4:0]  write_generation, // that the slot in stage 7 writes
  input  wire        sets,             // the slot in stage 7 is an element; else a scan, which empties
  input  wire [4:0]  same_value,       // and bears its fingerprint
  input  wire        taking,           // the slot in stage 6 writes this lane
  input  wire        setting,          // it is an element
  input  wire        near_value,       // and bears its fingerprint
  output wire        matching,         // stage 6: the cell matches
  output wire        empty             // stage 6: the cell is empty
);
  localparam [4:0] everywhere = 5'd31; // every slot sees the store, as if all held one bucket

  reg [24:0] held_position;
  reg [4:0]  held_generation;
  reg        taken;           // the slot in stage 7 writes this cell

  wire       flags_equal;
  wire [4:0] flags_age;
  wire       flags_matching;
  wire       flags_empty;

  lane_flags flags (
    .clock       (clock),
    .equal       (flags_equal),
    .age         (flags_age),
    .taken       (taken),
    .sets        (sets),
    .same_bucket (everywhere),
    .same_value  (same_value),
    .taking      (taking),
    .setting     (setting),
    .near_bucket (1'b1),
    .near_value  (near_value),
    .matching    (flags_matching),
    .empty       (flags_empty)
  );

  assign flags_equal = held_position == position;
  assign flags_age = generation - held_generation;
  assign matching = flags_matching;
  assign empty = flags_empty;

  initial begin
    held_position = 25'd0;
    held_generation = 5'd0;
    taken = 1'b0;
  end

  always @(posedge clock) begin
    taken <= taking;
    if (taken) begin
      held_position <= write_position;
      held_generation <= write_generation;
    end
  end
endmodule

// 16 cells for what finds both buckets full, each seen by every slot.
module cell_store (
  input  wire        clock,
  input  wire [24:0] position,         // front position of the slot in stage 3
  input  wire [4:0]  generation,       // of the slot in stage 3
  input  wire [24:0] write_position,   // front position of the slot in stage 7
  input  wire [4:0]  write_generation, // that the slot in stage 7 writes
  input  wire        sets,             // the slot in stage 7 is an element
  input  wire        setting,          // the slot in stage 6 is an element
  input  wire [4:0]  same_value,       // bit s: the slot in stage s + 1 has the position of that in stage 7
  input  wire        near_value,       // the slot in stage 5 has the position of that in stage 6
  input  wire [15:0] taking,           // cells that the slot in stage 6 writes
  output wire [15:0] matching,         // stage 6: cells that match
  output wire [15:0] empty             // stage 6: cells that are empty
);
  wire lane_0_matching;
  wire lane_0_empty;
  wire lane_1_matching;
  wire lane_1_empty;
  wire lane_2_matching;
  wire lane_2_empty;
  wire lane_3_matching;
  wire lane_3_empty;
  wire lane_4_matching;
  wire lane_4_empty;
  wire lane_5_matching;
  wire lane_5_empty;
  wire lane_6_matching;
  wire lane_6_empty;
  wire lane_7_matching;
  wire lane_7_empty;
  wire lane_8_matching;
  wire lane_8_empty;
  wire lane_9_matching;
  wire lane_9_empty;
  wire lane_10_matching;
  wire lane_10_empty;
  wire lane_11_matching;
  wire lane_11_empty;
  wire lane_12_matching;
  wire lane_12_empty;
  wire lane_13_matching;
  wire lane_13_empty;
  wire lane_14_matching;
  wire lane_14_empty;
  wire lane_15_matching;
  wire lane_15_empty;

  store_lane lane_0 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[0]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_0_matching),
    .empty            (lane_0_empty)
  );

  store_lane lane_1 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[1]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_1_matching),
    .empty            (lane_1_empty)
  );

  store_lane lane_2 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[2]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_2_matching),
    .empty            (lane_2_empty)
  );

  store_lane lane_3 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[3]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_3_matching),
    .empty            (lane_3_empty)
  );

  store_lane lane_4 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[4]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_4_matching),
    .empty            (lane_4_empty)
  );

  store_lane lane_5 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[5]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_5_matching),
    .empty            (lane_5_empty)
  );

  store_lane lane_6 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[6]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_6_matching),
    .empty            (lane_6_empty)
  );

  store_lane lane_7 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[7]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_7_matching),
    .empty            (lane_7_empty)
  );

  store_lane lane_8 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[8]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_8_matching),
    .empty            (lane_8_empty)
  );

  store_lane lane_9 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[9]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_9_matching),
    .empty            (lane_9_empty)
  );

  store_lane lane_10 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[10]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_10_matching),
    .empty            (lane_10_empty)
  );

  store_lane lane_11 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[11]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_11_matching),
    .empty            (lane_11_empty)
  );

  store_lane lane_12 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[12]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_12_matching),
    .empty            (lane_12_empty)
  );

  store_lane lane_13 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[13]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_13_matching),
    .empty            (lane_13_empty)
  );

  store_lane lane_14 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[14]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_14_matching),
    .empty            (lane_14_empty)
  );

  store_lane lane_15 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[15]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_15_matching),
    .empty            (lane_15_empty)
  );

  assign matching[0] = lane_0_matching;
  assign empty[0] = lane_0_empty;
  assign matching[1] = lane_1_matching;
  assign empty[1] = lane_1_empty;
  assign matching[2] = lane_2_matching;
  assign empty[2] = lane_2_empty;
  assign matching[3] = lane_3_matching;
  assign empty[3] = lane_3_empty;
  assign matching[4] = lane_4_matching;
  assign empty[4] = lane_4_empty;
  assign matching[5] = lane_5_matching;
  assign empty[5] = lane_5_empty;
  assign matching[6] = lane_6_matching;
  assign empty[6] = lane_6_empty;
  assign matching[7] = lane_7_matching;
  assign empty[7] = lane_7_empty;
  assign matching[8] = lane_8_matching;
  assign empty[8] = lane_8_empty;
  assign matching[9] = lane_9_matching;
  assign empty[9] = lane_9_empty;
  assign matching[10] = lane_10_matching;
  assign empty[10] = lane_10_empty;
  assign matching[11] = lane_11_matching;
  assign empty[11] = lane_11_empty;
  assign matching[12] = lane_12_matching;
  assign empty[12] = lane_12_empty;
  assign matching[13] = lane_13_matching;
  assign empty[13] = lane_13_empty;
  assign matching[14] = lane_14_matching;
  assign empty[14] = lane_14_empty;
  assign matching[15] = lane_15_matching;
  assign empty[15] = lane_15_empty;
endmodule

// Of 32 cells (front bucket, back bucket, store, lowest first): the first that matches, else the first that is empty.
// A scan takes every empty cell, a wipe all of them.
module first_fit (
  input  wire [31:0] matching,      // cells that match
  input  wire [31:0] empty,         // cells that are empty
  input  wire        element,       // the slot is an element
  input  wire        scan,          // the slot is a scan
  input  wire        wipe,          // the slot is a wipe
  output reg  [31:0] taking,        // cells that the slot writes
  output wire        seen,          // a cell matches
  output wire        lost,          // an element for which there is no cell
  output wire        inserted,      // an element that takes an empty cell
  output wire        inserted_back, // in the back table
  output wire        inserted_store // in the store
);
  localparam [31:0] no_cell   = 32'd0;
  localparam [31:0] all_cells = 32'hffffffff;

  wire [31:0] lowest_match;
  wire [31:0] lowest_empty;
  wire        newly;
  wire        front_full;
  wire        back_full;

  assign lowest_match = matching & -matching;
  assign lowest_empty = empty & -empty;
  assign seen = |matching;
  assign newly = element && !(|matching);
  assign lost = newly && !(|empty);
  assign inserted = newly && (|empty);
  assign front_full = !(|empty[7:0]);
  assign back_full = !(|empty[15:8]);
  assign inserted_back = newly && front_full && !back_full;
  assign inserted_store = inserted && front_full && back_full;

  always @* begin
    taking = no_cell;
    if (element) begin
      taking = lowest_empty;
      if (|matching) begin
        taking = lowest_match;
      end
    end
    if (scan) begin
      taking = empty;
    end
    if (wipe) begin
      taking = all_cells;
    end
  end
endmodule

// 64 entries of 16 bits in distributed RAM; reads without a clock.
module queue_memory (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [5:0]  write_address, // entry to write
  input  wire [15:0] write_data,    // its value
  input  wire [5:0]  read_address,  // entry to read
  output wire [15:0] read_data      // its value, in the same clock
);
  reg [15:0] entries [0:63];
  integer i;

  initial begin
    for (i = 0; i <= 63; i = i + 1) entries[i] = 16'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// 64 entries of 2 bits in distributed RAM; reads without a clock.
module queue_memory_2 (
  input  wire       clock,
  input  wire       write_enable,  // write this clock
  input  wire [5:0] write_address, // entry to write
  input  wire [1:0] write_data,    // its value
  input  wire [5:0] read_address,  // entry to read
  output wire [1:0] read_data      // its value, in the same clock
);
  reg [1:0] entries [0:63];
  integer i;

  initial begin
    for (i = 0; i <= 63; i = i + 1) entries[i] = 2'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Queue of 64 verdicts. An item is admitted only while its verdict is sure of a place, so the pipeline never stops.
// Tags enter at admission, flags at the decision, both in order.
module verdict_queue (
  input  wire        clock,
  input  wire        reset,    // empty
  input  wire        claim,    // an item that wants a verdict is accepted
  input  wire [15:0] tag,      // its tag
  input  wire        push,     // the oldest claimed verdict is known
  input  wire [1:0]  flags,    // verdict: lost, seen
  input  wire        ready,    // the stream takes the beat
  output wire        valid,    // a beat is offered
  output wire [1:0]  data,     // its verdict
  output wire [15:0] data_tag, // its tag
  output wire        credit    // places are left for items accepted from here on
);
  localparam [5:0] no_address = 6'd0;
  localparam [6:0] no_count   = 7'd0;
  localparam [6:0] most       = 7'd60; // places that may be claimed when ready is decided: four more items may follow

  reg [5:0]  tag_in;
  reg [5:0]  verdict_in;
  reg [5:0]  out;
  reg [6:0]  used;
  reg        some;        // used > 0
  reg        single;      // used = 1
  reg        claimed;
  reg [15:0] claimed_tag;
  reg        loaded;
  reg [6:0]  outstanding; // claimed and not loaded, a clock late
  reg        valid_r;
  reg [1:0]  data_r;
  reg [15:0] tag_r;
  reg        credit_r;

  wire        load;
  wire [15:0] tags_read_data;
  wire [1:0]  verdicts_read_data;

  queue_memory tags (
    .clock         (clock),
    .write_enable  (claimed),
    .write_address (tag_in),
    .write_data    (claimed_tag),
    .read_address  (out),
    .read_data     (tags_read_data)
  );

  queue_memory_2 verdicts (
    .clock         (clock),
    .write_enable  (push),
    .write_address (verdict_in),
    .write_data    (flags),
    .read_address  (out),
    .read_data     (verdicts_read_data)
  );

  assign load = some && (!valid_r || ready);
  assign valid = valid_r;
  assign data = data_r;
  assign data_tag = tag_r;
  assign credit = credit_r;

  initial begin
    tag_in = 6'd0;
    verdict_in = 6'd0;
    out = 6'd0;
    used = 7'd0;
    some = 1'b0;
    single = 1'b0;
    claimed = 1'b0;
    claimed_tag = 16'd0;
    loaded = 1'b0;
    outstanding = 7'd0;
    valid_r = 1'b0;
    data_r = 2'd0;
    tag_r = 16'd0;
    credit_r = 1'b1;
  end

  always @(posedge clock) begin
    claimed <= claim && !reset;
    claimed_tag <= tag;
    loaded <= load && !reset;
    if (claimed) begin
      tag_in <= tag_in + 6'd1;
    end
    if (push) begin
      verdict_in <= verdict_in + 6'd1;
    end
    valid_r <= valid_r && !ready;
    if (load) begin
      out <= out + 6'd1;
      data_r <= verdicts_read_data;
      tag_r <= tags_read_data;
      valid_r <= 1'b1;
    end
    if (push && !load) begin
      used <= used + 7'd1;
      some <= 1'b1;
      single <= !some;
    end else if (!push && load) begin
      used <= used - 7'd1;
      some <= !single;
      single <= used == 7'd2;
    end
    if (claimed && !loaded) begin
      outstanding <= outstanding + 7'd1;
    end else if (!claimed && loaded) begin
      outstanding <= outstanding - 7'd1;
    end
    credit_r <= outstanding <= most;
    if (reset) begin
      tag_in <= no_address;
      verdict_in <= no_address;
      out <= no_address;
      used <= no_count;
      some <= 1'b0;
      single <= 1'b0;
      outstanding <= no_count;
      valid_r <= 1'b0;
      credit_r <= 1'b1;
    end
  end
endmodule

// AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.
// Reading the low half of a counter samples all 64 bits; the high half read next belongs to it.
module register_file (
  input  wire        clock,
  input  wire        reset,          // back to the specification's values
  input  wire        awvalid,
  output wire        awready,
  input  wire [7:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [7:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  input  wire [15:0] live_0,         // register STATUS
  input  wire [31:0] counter_low_0,  // counter ITEMS, lower half
  input  wire [31:0] counter_low_1,  // counter SEEN, lower half
  input  wire [31:0] counter_low_2,  // counter INSERTED, lower half
  input  wire [31:0] counter_low_3,  // counter BACK, lower half
  input  wire [31:0] counter_low_4,  // counter STORED, lower half
  input  wire [31:0] counter_low_5,  // counter LOST, lower half
  input  wire [31:0] counter_low_6,  // counter STALL_SCAN, lower half
  input  wire [31:0] counter_low_7,  // counter STALL_CONTROL, lower half
  input  wire [31:0] counter_low_8,  // counter STALL_VERDICT, lower half
  input  wire [31:0] counter_high_0, // counter ITEMS, upper half, a clock late
  input  wire [31:0] counter_high_1, // counter SEEN, upper half, a clock late
  input  wire [31:0] counter_high_2, // counter INSERTED, upper half, a clock late
  input  wire [31:0] counter_high_3, // counter BACK, upper half, a clock late
  input  wire [31:0] counter_high_4, // counter STORED, upper half, a clock late
  input  wire [31:0] counter_high_5, // counter LOST, upper half, a clock late
  input  wire [31:0] counter_high_6, // counter STALL_SCAN, upper half, a clock late
  input  wire [31:0] counter_high_7, // counter STALL_CONTROL, upper half, a clock late
  input  wire [31:0] counter_high_8, // counter STALL_VERDICT, upper half, a clock late
  input  wire        finished,       // what is pending is done
  output wire        clear_pending,  // a clear was written and is not done
  output wire        write_pending   // a clear or  was written and is not done
);
  localparam [5:0]  fixed_address_0  = 6'd0;
  localparam [5:0]  fixed_address_1  = 6'd1;
  localparam [5:0]  fixed_address_2  = 6'd2;
  localparam [5:0]  fixed_address_3  = 6'd3;
  localparam [5:0]  fixed_address_4  = 6'd4;
  localparam [5:0]  fixed_address_5  = 6'd16;
  localparam [5:0]  fixed_address_6  = 6'd17;
  localparam [5:0]  fixed_address_7  = 6'd18;
  localparam [5:0]  fixed_address_8  = 6'd19;
  localparam [5:0]  fixed_address_9  = 6'd32;
  localparam [5:0]  fixed_address_10 = 6'd33;
  localparam [5:0]  fixed_address_11 = 6'd34;
  localparam [31:0] fixed_value_0    = 32'h424c4d4c;
  localparam [31:0] fixed_value_1    = 32'd1;
  localparam [31:0] fixed_value_2    = 32'h48f3bc8a;
  localparam [31:0] fixed_value_3    = 32'he20202f1;
  localparam [31:0] fixed_value_4    = 32'h40;
  localparam [31:0] fixed_value_5    = 32'd7;
  localparam [31:0] fixed_value_6    = 32'd1;
  localparam [31:0] fixed_value_7    = 32'h80;
  localparam [31:0] fixed_value_8    = 32'd0;
  localparam [31:0] fixed_value_9    = 32'd8;
  localparam [31:0] fixed_value_10   = 32'd1;
  localparam [31:0] fixed_value_11   = 32'd0;
  localparam [5:0]  live_address_0   = 6'd20;
  localparam [5:0]  low_address_0    = 6'd36;
  localparam [5:0]  low_address_1    = 6'd38;
  localparam [5:0]  low_address_2    = 6'd40;
  localparam [5:0]  low_address_3    = 6'd42;
  localparam [5:0]  low_address_4    = 6'd44;
  localparam [5:0]  low_address_5    = 6'd46;
  localparam [5:0]  low_address_6    = 6'd48;
  localparam [5:0]  low_address_7    = 6'd50;
  localparam [5:0]  low_address_8    = 6'd52;
  localparam [5:0]  high_address_0   = 6'd37;
  localparam [5:0]  high_address_1   = 6'd39;
  localparam [5:0]  high_address_2   = 6'd41;
  localparam [5:0]  high_address_3   = 6'd43;
  localparam [5:0]  high_address_4   = 6'd45;
  localparam [5:0]  high_address_5   = 6'd47;
  localparam [5:0]  high_address_6   = 6'd49;
  localparam [5:0]  high_address_7   = 6'd51;
  localparam [5:0]  high_address_8   = 6'd53;
  localparam [63:0] mapped_words     = 64'h3ffff7001f001f; // bit w: there is a register at word w
  localparam [63:0] writable_words   = 64'h80000;          // bit w: that a host may write
  localparam [5:0]  control_address  = 6'd19;
  localparam        commands         = 1'b1;               // bits of CONTROL that command something
  localparam        clears           = 1'b1;               // those that clear
  localparam [1:0]  okay             = 2'd0;
  localparam [1:0]  slave_error      = 2'd2;
  localparam [1:0]  decode_error     = 2'd3;
  localparam [31:0] zero             = 32'd0;

  reg        clear_r;
  reg        pending_r;
  reg        seen;            // a write is judged
  reg        taking;          // it is taken
  reg        known;           // there is a register at its address
  reg        legal_r;         // it is done
  reg        bvalid_r;
  reg [1:0]  bresp_r;
  reg        mapped_r;
  reg        to_control_r;
  reg        unwritable_r;
  reg        control_wide;    // the data are wider than CONTROL
  reg        reading;
  reg        sampling;
  reg        merging;
  reg        fixed_hit_0;
  reg        fixed_hit_1;
  reg        fixed_hit_2;
  reg        fixed_hit_3;
  reg        fixed_hit_4;
  reg        fixed_hit_5;
  reg        fixed_hit_6;
  reg        fixed_hit_7;
  reg        fixed_hit_8;
  reg        fixed_hit_9;
  reg        fixed_hit_10;
  reg        fixed_hit_11;
  reg        live_hit_0;
  reg        low_hit_0;
  reg        low_hit_1;
  reg        low_hit_2;
  reg        low_hit_3;
  reg        low_hit_4;
  reg        low_hit_5;
  reg        low_hit_6;
  reg        low_hit_7;
  reg        low_hit_8;
  reg        low_hit_late_0;
  reg        low_hit_late_1;
  reg        low_hit_late_2;
  reg        low_hit_late_3;
  reg        low_hit_late_4;
  reg        low_hit_late_5;
  reg        low_hit_late_6;
  reg        low_hit_late_7;
  reg        low_hit_late_8;
  reg        high_hit;
  reg        any_low_hit_r;
  reg [31:0] fixed_group_r;
  reg [31:0] live_group_r;
  reg [31:0] counter_group_r;
  reg [31:0] high_sample;
  reg        found_r;
  reg        rvalid_r;
  reg [31:0] rdata_r;
  reg [1:0]  rresp_r;

  wire [5:0]  write_word;
  wire        mapped;
  wire        to_control;
  wire        command;
  wire        commanded;
  wire        writable;
  wire        too_wide;
  wire        refused;
  wire        legal;
  wire [5:0]  read_word;
  wire        held;
  reg         any_low_hit;
  reg         any_high_hit;
  reg  [31:0] fixed_group;
  reg  [31:0] live_group;
  reg  [31:0] counter_group;
  reg  [31:0] high_in;
  reg  [31:0] counter_high_now;
  reg         found;

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_control = write_word == control_address;

  // decoded while the address waits to be taken; AXI holds it and the data until then
  assign writable = writable_words[write_word];
  assign mapped = mapped_words[write_word];
  assign too_wide = to_control_r && control_wide;
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[0] & commands;
  assign commanded = legal && to_control_r && command;
  assign held = 1'b0;
  assign clear_pending = clear_r;
  assign write_pending = pending_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    clear_r = 1'b0;
    pending_r = 1'b0;
    seen = 1'b0;
    taking = 1'b0;
    known = 1'b0;
    legal_r = 1'b0;
    bvalid_r = 1'b0;
    bresp_r = 2'd0;
    mapped_r = 1'b0;
    to_control_r = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    fixed_hit_2 = 1'b0;
    fixed_hit_3 = 1'b0;
    fixed_hit_4 = 1'b0;
    fixed_hit_5 = 1'b0;
    fixed_hit_6 = 1'b0;
    fixed_hit_7 = 1'b0;
    fixed_hit_8 = 1'b0;
    fixed_hit_9 = 1'b0;
    fixed_hit_10 = 1'b0;
    fixed_hit_11 = 1'b0;
    live_hit_0 = 1'b0;
    low_hit_0 = 1'b0;
    low_hit_1 = 1'b0;
    low_hit_2 = 1'b0;
    low_hit_3 = 1'b0;
    low_hit_4 = 1'b0;
    low_hit_5 = 1'b0;
    low_hit_6 = 1'b0;
    low_hit_7 = 1'b0;
    low_hit_8 = 1'b0;
    low_hit_late_0 = 1'b0;
    low_hit_late_1 = 1'b0;
    low_hit_late_2 = 1'b0;
    low_hit_late_3 = 1'b0;
    low_hit_late_4 = 1'b0;
    low_hit_late_5 = 1'b0;
    low_hit_late_6 = 1'b0;
    low_hit_late_7 = 1'b0;
    low_hit_late_8 = 1'b0;
    high_hit = 1'b0;
    any_low_hit_r = 1'b0;
    fixed_group_r = 32'd0;
    live_group_r = 32'd0;
    counter_group_r = 32'd0;
    high_sample = 32'd0;
    found_r = 1'b0;
    rvalid_r = 1'b0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @* begin
    fixed_group = zero;
    live_group = zero;
    counter_group = zero;
    found = 1'b0;
    if (fixed_hit_0) begin
      fixed_group = fixed_group | fixed_value_0;
      found = 1'b1;
    end
    if (fixed_hit_1) begin
      fixed_group = fixed_group | fixed_value_1;
      found = 1'b1;
    end
    if (fixed_hit_2) begin
      fixed_group = fixed_group | fixed_value_2;
      found = 1'b1;
    end
    if (fixed_hit_3) begin
      fixed_group = fixed_group | fixed_value_3;
      found = 1'b1;
    end
    if (fixed_hit_4) begin
      fixed_group = fixed_group | fixed_value_4;
      found = 1'b1;
    end
    if (fixed_hit_5) begin
      fixed_group = fixed_group | fixed_value_5;
      found = 1'b1;
    end
    if (fixed_hit_6) begin
      fixed_group = fixed_group | fixed_value_6;
      found = 1'b1;
    end
    if (fixed_hit_7) begin
      fixed_group = fixed_group | fixed_value_7;
      found = 1'b1;
    end
    if (fixed_hit_8) begin
      fixed_group = fixed_group | fixed_value_8;
      found = 1'b1;
    end
    if (fixed_hit_9) begin
      fixed_group = fixed_group | fixed_value_9;
      found = 1'b1;
    end
    if (fixed_hit_10) begin
      fixed_group = fixed_group | fixed_value_10;
      found = 1'b1;
    end
    if (fixed_hit_11) begin
      fixed_group = fixed_group | fixed_value_11;
      found = 1'b1;
    end
    if (live_hit_0) begin
      live_group = live_group | {16'd0, live_0};
      found = 1'b1;
    end
    any_low_hit = 1'b0;
    if (low_hit_0) begin
      counter_group = counter_group | counter_low_0;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_1) begin
      counter_group = counter_group | counter_low_1;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_2) begin
      counter_group = counter_group | counter_low_2;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_3) begin
      counter_group = counter_group | counter_low_3;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_4) begin
      counter_group = counter_group | counter_low_4;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_5) begin
      counter_group = counter_group | counter_low_5;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_6) begin
      counter_group = counter_group | counter_low_6;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_7) begin
      counter_group = counter_group | counter_low_7;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_8) begin
      counter_group = counter_group | counter_low_8;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (high_hit) begin
      live_group = live_group | high_sample;
      found = 1'b1;
    end
  end

  always @* begin
    any_high_hit = 1'b0;
    if (read_word == high_address_0) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_1) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_2) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_3) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_4) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_5) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_6) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_7) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_8) begin
      any_high_hit = 1'b1;
    end
  end

  always @* begin
    counter_high_now = zero;
    if (low_hit_late_0) begin
      counter_high_now = counter_high_now | counter_high_0;
    end
    if (low_hit_late_1) begin
      counter_high_now = counter_high_now | counter_high_1;
    end
    if (low_hit_late_2) begin
      counter_high_now = counter_high_now | counter_high_2;
    end
    if (low_hit_late_3) begin
      counter_high_now = counter_high_now | counter_high_3;
    end
    if (low_hit_late_4) begin
      counter_high_now = counter_high_now | counter_high_4;
    end
    if (low_hit_late_5) begin
      counter_high_now = counter_high_now | counter_high_5;
    end
    if (low_hit_late_6) begin
      counter_high_now = counter_high_now | counter_high_6;
    end
    if (low_hit_late_7) begin
      counter_high_now = counter_high_now | counter_high_7;
    end
    if (low_hit_late_8) begin
      counter_high_now = counter_high_now | counter_high_8;
    end
  end

  always @* begin
    high_in = high_sample;
    if (any_low_hit_r) begin
      high_in = counter_high_now;
    end
  end

  always @(posedge clock) begin
    // write
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !pending_r && !reset;
    taking <= seen && !reset;
    control_wide <= |(wdata >> 1);
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;

    // judged in the clock behind
    known <= mapped_r;
    legal_r <= seen && mapped_r && !refused && !reset;
    bvalid_r <= taking || (bvalid_r && !bready);
    if (taking) begin
      bresp_r <= okay;
      if (!known) begin
        bresp_r <= decode_error;
      end else if (!legal) begin
        bresp_r <= slave_error;
      end
    end
    clear_r <= clear_r && !finished;
    pending_r <= pending_r && !finished;
    if (commanded) begin
      clear_r <= command & clears;
      pending_r <= 1'b1;
    end

    // read: address taken, registers sampled, groups merged, answer
    reading <= arvalid && !reading && !sampling && !merging && !rvalid_r && !held && !reset;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    fixed_hit_2 <= read_word == fixed_address_2;
    fixed_hit_3 <= read_word == fixed_address_3;
    fixed_hit_4 <= read_word == fixed_address_4;
    fixed_hit_5 <= read_word == fixed_address_5;
    fixed_hit_6 <= read_word == fixed_address_6;
    fixed_hit_7 <= read_word == fixed_address_7;
    fixed_hit_8 <= read_word == fixed_address_8;
    fixed_hit_9 <= read_word == fixed_address_9;
    fixed_hit_10 <= read_word == fixed_address_10;
    fixed_hit_11 <= read_word == fixed_address_11;
    live_hit_0 <= read_word == live_address_0;
    low_hit_0 <= read_word == low_address_0;
    low_hit_late_0 <= low_hit_0 && sampling;
    low_hit_1 <= read_word == low_address_1;
    low_hit_late_1 <= low_hit_1 && sampling;
    low_hit_2 <= read_word == low_address_2;
    low_hit_late_2 <= low_hit_2 && sampling;
    low_hit_3 <= read_word == low_address_3;
    low_hit_late_3 <= low_hit_3 && sampling;
    low_hit_4 <= read_word == low_address_4;
    low_hit_late_4 <= low_hit_4 && sampling;
    low_hit_5 <= read_word == low_address_5;
    low_hit_late_5 <= low_hit_5 && sampling;
    low_hit_6 <= read_word == low_address_6;
    low_hit_late_6 <= low_hit_6 && sampling;
    low_hit_7 <= read_word == low_address_7;
    low_hit_late_7 <= low_hit_7 && sampling;
    low_hit_8 <= read_word == low_address_8;
    low_hit_late_8 <= low_hit_8 && sampling;
    any_low_hit_r <= any_low_hit && sampling;
    high_hit <= any_high_hit;
    fixed_group_r <= fixed_group;
    live_group_r <= live_group;
    counter_group_r <= counter_group;
    high_sample <= high_in;
    found_r <= found;
    rvalid_r <= merging || (rvalid_r && !rready);
    if (merging) begin
      rdata_r <= fixed_group_r | live_group_r | counter_group_r;
      rresp_r <= okay;
      if (!found_r) begin
        rresp_r <= decode_error;
      end
    end
    if (reset) begin
      clear_r <= 1'b0;
      pending_r <= 1'b0;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
      high_sample <= zero;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule

// Counts events in 64 bits. The upper half takes the carry a clock later: low now and high in the next clock are one value.
module event_counter (
  input  wire        clock,
  input  wire        reset,  // back to zero
  input  wire        event_, // count
  output wire [31:0] low,    // lower half
  output wire [31:0] high    // upper half as it was a clock ago
);
  localparam [31:0] zero = 32'd0;

  reg [31:0] low_r;
  reg [31:0] high_r;
  reg        event_r;
  reg        carry;

  wire [32:0] sum;

  assign sum = {1'b0, low_r} + {32'd0, event_r};
  assign low = low_r;
  assign high = high_r;

  initial begin
    low_r = 32'd0;
    high_r = 32'd0;
    event_r = 1'b0;
    carry = 1'b0;
  end

  always @(posedge clock) begin
    event_r <= event_;
    low_r <= sum[31:0];
    carry <= sum[32];
    high_r <= high_r + {31'd0, carry};
    if (reset) begin
      event_r <= 1'b0;
      low_r <= zero;
      high_r <= zero;
      carry <= 1'b0;
    end
  end
endmodule

// Sliding-window filter: the last 16384 elements are always seen. (4096 + 1024) buckets of 8 cells of 18 bits, 16 cells behind them.
// One item a clock. Source: SBF sections 2.3 and 2.4; timing: sliding.md.
module window (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; forgets every element
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // operation: 0 query, 1 insert, 2 test-and-insert
  input  wire [15:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [1:0]   m_verdict_tdata,  // {lost, seen}
  output wire [15:0]  m_verdict_tid,    // tag of the item
  input  wire         s_axil_awvalid,   // registers, AXI4-Lite
  output wire         s_axil_awready,
  input  wire [7:0]   s_axil_awaddr,    // byte address
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  output wire [1:0]   s_axil_bresp,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  input  wire [7:0]   s_axil_araddr,    // byte address
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,
  output wire [31:0]  s_axil_rdata,
  output wire [1:0]   s_axil_rresp
);
  localparam [15:0] no_status = 16'd0;

  reg [103:0] key;
  reg         push;
  reg [1:0]   verdict;
  reg         item;
  reg         inserted;
  reg         inserted_back;
  reg         inserted_store;

  wire [1:0]  verdict_in;
  wire [15:0] status;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_scan;
  wire        sequencer_wipe;
  wire        sequencer_restart;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_stall_scan;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_scanning;
  wire [11:0] slots_scan_address;
  wire [4:0]  slots_generation;
  wire        slots_item_6;
  wire        slots_answer_6;
  wire        slots_element_6;
  wire        slots_scan_6;
  wire        slots_wipe_6;
  wire        slots_sets;
  wire [4:0]  slots_write_generation;
  wire [24:0] hash_index_0;
  wire [24:0] hash_index_1;
  wire [7:0]  front_matching;
  wire [7:0]  front_empty;
  wire [24:0] front_position_3_0;
  wire [24:0] front_position_7_0;
  wire [4:0]  front_same_value_0;
  wire        front_near_value_0;
  wire [7:0]  back_matching;
  wire [7:0]  back_empty;
  wire [15:0] store_matching;
  wire [15:0] store_empty;
  wire [31:0] fit_matching;
  wire [31:0] fit_empty;
  wire [31:0] fit_taking;
  wire        fit_seen;
  wire        fit_lost;
  wire        fit_inserted;
  wire        fit_inserted_back;
  wire        fit_inserted_store;
  wire        verdicts_claim;
  wire        verdicts_valid;
  wire [1:0]  verdicts_data;
  wire [15:0] verdicts_data_tag;
  wire        verdicts_credit;
  wire        registers_awready;
  wire        registers_wready;
  wire        registers_bvalid;
  wire [1:0]  registers_bresp;
  wire        registers_arready;
  wire        registers_rvalid;
  wire [31:0] registers_rdata;
  wire [1:0]  registers_rresp;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire [31:0] counter_0_low;
  wire [31:0] counter_0_high;
  wire        counter_1_event_;
  wire [31:0] counter_1_low;
  wire [31:0] counter_1_high;
  wire [31:0] counter_2_low;
  wire [31:0] counter_2_high;
  wire [31:0] counter_3_low;
  wire [31:0] counter_3_high;
  wire [31:0] counter_4_low;
  wire [31:0] counter_4_high;
  wire        counter_5_event_;
  wire [31:0] counter_5_low;
  wire [31:0] counter_5_high;
  wire [31:0] counter_6_low;
  wire [31:0] counter_6_high;
  wire [31:0] counter_7_low;
  wire [31:0] counter_7_high;
  wire [31:0] counter_8_low;
  wire [31:0] counter_8_high;

  // admission
  sliding_sequencer sequencer (
    .clock         (clock),
    .reset         (reset),
    .valid         (s_item_tvalid),
    .operation     (s_item_tuser),
    .clear_pending (registers_clear_pending),
    .credit        (verdicts_credit),
    .ready         (sequencer_ready),
    .accept        (sequencer_accept),
    .scan          (sequencer_scan),
    .wipe          (sequencer_wipe),
    .restart       (sequencer_restart),
    .finished      (sequencer_finished),
    .running       (sequencer_running),
    .stall_scan    (sequencer_stall_scan),
    .stall_control (sequencer_stall_control),
    .stall_verdict (sequencer_stall_verdict)
  );

  sliding_slots slots (
    .clock            (clock),
    .reset            (reset),
    .restart          (sequencer_restart),
    .accept           (sequencer_accept),
    .operation        (s_item_tuser),
    .scan             (sequencer_scan),
    .wipe             (sequencer_wipe),
    .scanning         (slots_scanning),
    .scan_address     (slots_scan_address),
    .generation       (slots_generation),
    .item_6           (slots_item_6),
    .answer_6         (slots_answer_6),
    .element_6        (slots_element_6),
    .scan_6           (slots_scan_6),
    .wipe_6           (slots_wipe_6),
    .sets             (slots_sets),
    .write_generation (slots_write_generation)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1)
  );

  bucket_table front (
    .clock            (clock),
    .index            (hash_index_0),
    .scanning         (slots_scanning),
    .scan_address     (slots_scan_address),
    .generation       (slots_generation),
    .write_generation (slots_write_generation),
    .sets             (slots_sets),
    .setting          (slots_element_6),
    .taking           (fit_taking[7:0]),
    .matching         (front_matching),
    .empty            (front_empty),
    .position_3_0     (front_position_3_0),
    .position_7_0     (front_position_7_0),
    .same_value_0     (front_same_value_0),
    .near_value_0     (front_near_value_0)
  );

  bucket_table_2 back (
    .clock            (clock),
    .index            (hash_index_1),
    .scanning         (slots_scanning),
    .scan_address     (slots_scan_address),
    .generation       (slots_generation),
    .write_generation (slots_write_generation),
    .sets             (slots_sets),
    .setting          (slots_element_6),
    .taking           (fit_taking[15:8]),
    .matching         (back_matching),
    .empty            (back_empty)
  );

  cell_store store (
    .clock            (clock),
    .position         (front_position_3_0),
    .generation       (slots_generation),
    .write_position   (front_position_7_0),
    .write_generation (slots_write_generation),
    .sets             (slots_sets),
    .setting          (slots_element_6),
    .same_value       (front_same_value_0),
    .near_value       (front_near_value_0),
    .taking           (fit_taking[31:16]),
    .matching         (store_matching),
    .empty            (store_empty)
  );

  first_fit fit (
    .matching       (fit_matching),
    .empty          (fit_empty),
    .element        (slots_element_6),
    .scan           (slots_scan_6),
    .wipe           (slots_wipe_6),
    .taking         (fit_taking),
    .seen           (fit_seen),
    .lost           (fit_lost),
    .inserted       (fit_inserted),
    .inserted_back  (fit_inserted_back),
    .inserted_store (fit_inserted_store)
  );

  verdict_queue verdicts (
    .clock    (clock),
    .reset    (reset),
    .claim    (verdicts_claim),
    .tag      (s_item_tid),
    .push     (push),
    .flags    (verdict),
    .ready    (m_verdict_tready),
    .valid    (verdicts_valid),
    .data     (verdicts_data),
    .data_tag (verdicts_data_tag),
    .credit   (verdicts_credit)
  );

  register_file registers (
    .clock          (clock),
    .reset          (reset),
    .awvalid        (s_axil_awvalid),
    .awready        (registers_awready),
    .awaddr         (s_axil_awaddr),
    .wvalid         (s_axil_wvalid),
    .wready         (registers_wready),
    .wdata          (s_axil_wdata),
    .wstrb          (s_axil_wstrb),
    .bvalid         (registers_bvalid),
    .bready         (s_axil_bready),
    .bresp          (registers_bresp),
    .arvalid        (s_axil_arvalid),
    .arready        (registers_arready),
    .araddr         (s_axil_araddr),
    .rvalid         (registers_rvalid),
    .rready         (s_axil_rready),
    .rdata          (registers_rdata),
    .rresp          (registers_rresp),
    .live_0         (status),
    .counter_low_0  (counter_0_low),
    .counter_low_1  (counter_1_low),
    .counter_low_2  (counter_2_low),
    .counter_low_3  (counter_3_low),
    .counter_low_4  (counter_4_low),
    .counter_low_5  (counter_5_low),
    .counter_low_6  (counter_6_low),
    .counter_low_7  (counter_7_low),
    .counter_low_8  (counter_8_low),
    .counter_high_0 (counter_0_high),
    .counter_high_1 (counter_1_high),
    .counter_high_2 (counter_2_high),
    .counter_high_3 (counter_3_high),
    .counter_high_4 (counter_4_high),
    .counter_high_5 (counter_5_high),
    .counter_high_6 (counter_6_high),
    .counter_high_7 (counter_7_high),
    .counter_high_8 (counter_8_high),
    .finished       (sequencer_finished),
    .clear_pending  (registers_clear_pending),
    .write_pending  (registers_write_pending)
  );

  // counters, in the order of their registers
  event_counter counter_0 (
    .clock  (clock),
    .reset  (reset),
    .event_ (item),
    .low    (counter_0_low),
    .high   (counter_0_high)
  );

  event_counter counter_1 (
    .clock  (clock),
    .reset  (reset),
    .event_ (counter_1_event_),
    .low    (counter_1_low),
    .high   (counter_1_high)
  );

  event_counter counter_2 (
    .clock  (clock),
    .reset  (reset),
    .event_ (inserted),
    .low    (counter_2_low),
    .high   (counter_2_high)
  );

  event_counter counter_3 (
    .clock  (clock),
    .reset  (reset),
    .event_ (inserted_back),
    .low    (counter_3_low),
    .high   (counter_3_high)
  );

  event_counter counter_4 (
    .clock  (clock),
    .reset  (reset),
    .event_ (inserted_store),
    .low    (counter_4_low),
    .high   (counter_4_high)
  );

  event_counter counter_5 (
    .clock  (clock),
    .reset  (reset),
    .event_ (counter_5_event_),
    .low    (counter_5_low),
    .high   (counter_5_high)
  );

  event_counter counter_6 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_scan),
    .low    (counter_6_low),
    .high   (counter_6_high)
  );

  event_counter counter_7 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_control),
    .low    (counter_7_low),
    .high   (counter_7_high)
  );

  event_counter counter_8 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_verdict),
    .low    (counter_8_low),
    .high   (counter_8_high)
  );

  assign s_item_tready = sequencer_ready;

  // decision: front bucket, back bucket, store
  assign fit_matching = {store_matching, back_matching, front_matching};
  assign fit_empty = {store_empty, back_empty, front_empty};

  // verdict
  assign verdict_in = {fit_lost, fit_seen};
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign counter_1_event_ = item && verdict[0];
  assign counter_5_event_ = item && verdict[1];

  // registers
  assign status = no_status | {15'd0, sequencer_running} | ({11'd0, slots_generation} << 8);
  assign s_axil_awready = registers_awready;
  assign s_axil_wready = registers_wready;
  assign s_axil_bvalid = registers_bvalid;
  assign s_axil_bresp = registers_bresp;
  assign s_axil_arready = registers_arready;
  assign s_axil_rvalid = registers_rvalid;
  assign s_axil_rdata = registers_rdata;
  assign s_axil_rresp = registers_rresp;

  initial begin
    key = 104'd0;
    push = 1'b0;
    verdict = 2'd0;
    item = 1'b0;
    inserted = 1'b0;
    inserted_back = 1'b0;
    inserted_store = 1'b0;
  end

  always @(posedge clock) begin
    // hash and cells
    key <= s_item_tdata;
    verdict <= verdict_in;
    push <= slots_answer_6 && !reset;
    item <= slots_item_6 && !reset;
    inserted <= fit_inserted && !reset;
    inserted_back <= fit_inserted_back && !reset;
    inserted_store <= fit_inserted_store && !reset;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, registers_write_pending};
endmodule
