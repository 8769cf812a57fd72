// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

// Follows an item that inserts: it has the array until its last raise, and then the next item comes.
module raise_timer (
  input  wire clock,
  input  wire reset,   // forget it
  input  wire start,   // an item that inserts is accepted
  output wire raising, // issue the next raise
  output wire busy,    // the item holds up the next one (left counts on)
  output wire more     // in the next clock too
);
  localparam [3:0] clocks_behind = 4'd11;
  localparam [3:0] before_raises = 4'd5;  // clocks left in the one before the first raise

  reg [3:0] left;      // clocks, this one included, in which it does
  reg       busy_r;
  reg       more_r;
  reg       raising_r;

  assign busy = busy_r;
  assign more = more_r;
  assign raising = raising_r;

  initial begin
    left = 4'd0;
    busy_r = 1'b0;
    more_r = 1'b0;
    raising_r = 1'b0;
  end

  always @(posedge clock) begin
    left <= left - 4'd1;
    busy_r <= more_r;
    more_r <= more_r && (left != 4'd2);
    raising_r <= more_r && (raising_r || (left == before_raises));
    if (start) begin
      left <= clocks_behind;
      busy_r <= 1'b1;
      more_r <= 1'b1;
    end
    if (reset) begin
      busy_r <= 1'b0;
      more_r <= 1'b0;
      raising_r <= 1'b0;
    end
  end
endmodule

// Says when the item stream is ready, and acts between two items: start, clear, access to the array.
// RUN; for a clear DRAIN (let every item retire, then force it), SETTLE (let it retire), RUN.
module cell_sequencer (
  input  wire clock,
  input  wire reset,          // start with empty cells
  input  wire valid,          // an item is offered
  input  wire inserting_0,    // it inserts
  input  wire clear_pending,  // a clear was written
  input  wire write_pending,  // a clear or an access was written
  input  wire blocked,        // there is no spare epoch
  input  wire credit,         // the verdict queue has room for what is in flight and more
  output wire ready,          // the item stream is ready
  output wire accept,         // an item is accepted
  output wire force_clear,    // issue a clear
  output wire access,         // issue an access
  output wire access_pending, // an access was written and is not done
  output wire finished,       // what is pending is done
  output wire running,        // state RUN
  output wire probing_0,      // issue the next probe of the item accepted last
  output wire last_0,         // it is its last one
  output wire raising_0,      // issue its next probe that raises
  output wire stall_control,  // not ready: clear, access or start
  output wire stall_verdict   // not ready: back-pressure of the verdict stream
);
  localparam [4:0] retire         = 5'd28; // clocks until a slot issued now has left every trace
  localparam [1:0] probes_behind  = 2'd3;  // probes of an item behind its first
  localparam       several_behind = 1'b1;  // they are two or more

  reg       run_r;
  reg       settle_r;
  reg [4:0] waiting;
  reg       waited;    // waiting has come to 0; it counts on
  reg [4:0] away;
  reg       out;       // an access is on its way (away counts on)
  reg       returning; // this is its last clock
  reg       ready_r;
  reg       control_r;
  reg       verdict_r;
  reg [1:0] fold_0;    // probes to come of the item accepted last
  reg       folding_0; // there is one (fold counts on)
  reg       more_0;    // there are two or more

  wire asked;
  wire access_due;
  wire forcing;
  reg  accessing;
  wire may_run;
  wire accepting;
  wire timer_0_start;
  wire timer_0_raising;
  wire timer_0_busy;
  wire timer_0_more;

  // one that inserts also those of its raises, and of what they wait for
  raise_timer timer_0 (
    .clock   (clock),
    .reset   (reset),
    .start   (timer_0_start),
    .raising (timer_0_raising),
    .busy    (timer_0_busy),
    .more    (timer_0_more)
  );

  // state; comparisons with counters are made a clock ahead
  assign forcing = !run_r && !settle_r && waited && !blocked;
  assign force_clear = forcing && !reset;

  // access to the array: in a clock without an item
  assign asked = write_pending && !clear_pending;
  assign access_due = asked && !out;
  assign access = accessing;
  assign access_pending = asked;
  assign finished = returning || (settle_r && waited && clear_pending);

  // admission
  assign may_run = run_r && !clear_pending && !access_due;
  assign accepting = valid && ready_r;
  assign probing_0 = folding_0;
  assign last_0 = folding_0 && !more_0;
  assign timer_0_start = accepting && inserting_0;
  assign raising_0 = timer_0_raising;
  assign ready = ready_r;
  assign accept = accepting;
  assign running = run_r;
  assign stall_control = control_r;
  assign stall_verdict = verdict_r;

  initial begin
    run_r = 1'b0;
    settle_r = 1'b0;
    waiting = 5'd28;
    waited = 1'b0;
    away = 5'd0;
    out = 1'b0;
    returning = 1'b0;
    ready_r = 1'b0;
    control_r = 1'b0;
    verdict_r = 1'b0;
    fold_0 = 2'd0;
    folding_0 = 1'b0;
    more_0 = 1'b0;
  end

  always @* begin
    accessing = run_r && access_due && !ready_r && !reset;
    accessing = accessing && !folding_0;
    accessing = accessing && !timer_0_busy;
  end

  always @(posedge clock) begin
    waiting <= waiting - 5'd1;
    waited <= waited || (waiting == 5'd1);
    if (run_r) begin
      run_r <= !clear_pending;
      waiting <= retire;
      waited <= 1'b0;
    end else if (settle_r) begin
      settle_r <= !waited;
      run_r <= waited;
    end else if (forcing) begin
      settle_r <= 1'b1;
      waiting <= retire;
      waited <= 1'b0;
    end
    out <= accessing || (out && !returning);
    returning <= out && (away == 5'd2);
    away <= away - 5'd1;
    if (accessing) begin
      away <= retire;
    end
    ready_r <= may_run && credit && !reset;
    control_r <= !may_run && !reset;
    verdict_r <= may_run && !credit && !reset;

    // an item takes the clocks of its probes
    fold_0 <= fold_0 - 2'd1;
    folding_0 <= more_0;
    more_0 <= more_0 && (fold_0 != 2'd2);
    if (accepting) begin
      fold_0 <= probes_behind;
      folding_0 <= 1'b1;
      more_0 <= several_behind;
    end
    if (accepting || more_0) begin
      ready_r <= 1'b0;
      verdict_r <= 1'b0;
    end
    if (reset) begin
      folding_0 <= 1'b0;
      more_0 <= 1'b0;
    end
    if (timer_0_more) begin
      ready_r <= 1'b0;
      verdict_r <= 1'b0;
    end
    if (reset) begin
      run_r <= 1'b0;
      settle_r <= 1'b0;
      waiting <= retire;
      waited <= 1'b0;
      out <= 1'b0;
      returning <= 1'b0;
    end
  end
endmodule

// What stands in each stage: an item, a clear, an access to the array, a refresh or nothing. A slot left empty refreshes one
// word with its present contents, so that it bears the current epoch.
module cell_slots (
  input  wire        clock,
  input  wire        reset,            // empty every slot in stage 1 or earlier, silence the others
  input  wire        accept,           // an item is accepted
  input  wire [1:0]  operation,        // its operation
  input  wire        probing_0,        // the next probe of the item accepted last is issued
  input  wire        last_0,           // it is its last one
  input  wire        raising_0,        // a probe of it that raises is issued
  input  wire        force_clear,      // a clear is issued
  input  wire        access,           // an access is issued
  input  wire [10:0] access_address,   // word of each bank that it goes to
  input  wire        covered,          // every word bears the current epoch
  output wire        direct,           // the slot entering stage 0 is a refresh or an access
  output reg  [10:0] direct_address,   // word that it goes to
  output wire [3:0]  writing,          // bit i: the slot in stage 2 + i writes its word
  output wire        accessing,        // stage 2: an access
  output wire        inserting,        // stage 3: an item that inserts
  output wire        clearing,         // stage 2: a clear
  output wire        recycled,         // stage 5: a clear
  output wire        fetched,          // stage 6: an access
  output wire        item,             // stage D: an item
  output wire        inserted,         // stage D: one that inserted
  output wire        answering,        // stage D: one with a verdict
  output wire        entering_raise_0, // the slot entering stage 0 raises
  output wire        looked_0,         // stage 7: the last look of an item
  output wire        level_wanted_0    // stage 7: of one that inserts
);
  localparam [1:0] query      = 2'd0;
  localparam [1:0] insert     = 2'd1;
  localparam [5:0] no_line    = 6'd0;
  localparam [5:0] one        = 6'd1;
  localparam [6:0] no_late    = 7'd0;
  localparam [4:0] no_fetch   = 5'd0;
  localparam [1:0] no_refresh = 2'd0;

  reg [5:0]  item_line;    // bit i: the slot issued i + 1 clocks ago is an item
  reg [5:0]  last_line_0;  // it is the last probe of an item
  reg [5:0]  raise_line_0; // it raises its cell; probes of the other lines look
  reg [5:0]  insert_line;
  reg [5:0]  answer_line;
  reg [5:0]  clear_line;
  reg [5:0]  access_line;
  reg [1:0]  refresh_line; // stages 0 and 1
  reg [10:0] address;      // next word to refresh
  reg [3:0]  write_line;
  reg [3:0]  recycle_line;
  reg        access_2;
  reg        insert_2;
  reg        insert_3;
  reg [6:0]  item_late;    // bit i: an item in stage 2 + i that will be heard of
  reg [6:0]  insert_late;
  reg [6:0]  answer_late;
  reg [4:0]  fetch_late;

  wire entering_insert;
  wire entering_answer;
  wire entering_access;
  wire entering_refresh;
  wire live;

  // issued to stage 1
  assign entering_answer = accept && (operation != insert);
  assign entering_insert = accept && (operation != query);
  assign entering_raise_0 = raise_line_0[3];

  // an empty slot becomes a refresh where it enters stage 0
  assign entering_access = access_line[3];
  assign entering_refresh = !reset && !covered && !entering_access && !item_line[3] && !clear_line[3];
  assign direct = entering_refresh || entering_access;

  // what a slot does to memory and epochs, from stage 2 on
  assign live = item_line[5] || access_line[5] || refresh_line[1];
  assign writing = write_line;
  assign clearing = recycle_line[0];
  assign recycled = recycle_line[3];
  assign accessing = access_2;
  assign inserting = insert_3;
  assign fetched = fetch_late[4];
  assign item = item_late[6];
  assign inserted = insert_late[6];
  assign answering = answer_late[6];
  assign looked_0 = item_late[5];
  assign level_wanted_0 = insert_late[5];

  initial begin
    item_line = 6'd0;
    last_line_0 = 6'd0;
    raise_line_0 = 6'd0;
    insert_line = 6'd0;
    answer_line = 6'd0;
    clear_line = 6'd0;
    access_line = 6'd0;
    refresh_line = 2'd0;
    address = 11'd0;
    write_line = 4'd0;
    recycle_line = 4'd0;
    access_2 = 1'b0;
    insert_2 = 1'b0;
    insert_3 = 1'b0;
    item_late = 7'd0;
    insert_late = 7'd0;
    answer_late = 7'd0;
    fetch_late = 5'd0;
  end

  always @* begin
    direct_address = address;
    if (entering_access) begin
      direct_address = access_address;
    end
  end

  always @(posedge clock) begin
    item_line <= {item_line[4:0], accept};
    insert_line <= {insert_line[4:0], entering_insert};
    answer_line <= {answer_line[4:0], entering_answer};
    clear_line <= {clear_line[4:0], force_clear};
    access_line <= {access_line[4:0], access};

    // a probe is of the kind of the one before it
    last_line_0 <= last_line_0 << 1;
    if (last_0) begin
      last_line_0 <= (last_line_0 << 1) | one;
    end
    if (probing_0) begin
      item_line <= (item_line << 1) | one;
      insert_line <= (insert_line << 1) | (insert_line & one);
      answer_line <= (answer_line << 1) | (answer_line & one);
    end

    // a probe that raises
    raise_line_0 <= raise_line_0 << 1;
    if (raising_0) begin
      raise_line_0 <= (raise_line_0 << 1) | one;
      item_line <= (item_line << 1) | one;
    end
    refresh_line <= {refresh_line[0], entering_refresh};
    if (entering_refresh) begin
      address <= address + 11'd1;
    end
    write_line <= {write_line[2:0], live && !reset};
    recycle_line <= {recycle_line[2:0], clear_line[5] && !reset};
    access_2 <= access_line[5] && !reset;
    insert_2 <= raise_line_0[5] && !reset;
    insert_3 <= insert_2;

    // what it says to the outside, from stage 2 on
    item_late <= {item_late[5:0], item_line[5]};
    insert_late <= {insert_late[5:0], insert_line[5]};
    answer_late <= {answer_late[5:0], answer_line[5]};
    fetch_late <= {fetch_late[3:0], access_line[5]};

    // of an item only the last probe is heard of
    if (!last_line_0[5]) begin
      item_late <= item_late << 1;
      insert_late <= insert_late << 1;
      answer_late <= answer_late << 1;
    end
    if (reset) begin
      last_line_0 <= no_line;
      raise_line_0 <= no_line;
      item_line <= no_line;
      insert_line <= no_line;
      answer_line <= no_line;
      clear_line <= no_line;
      access_line <= no_line;
      refresh_line <= no_refresh;
      item_late <= no_late;
      insert_late <= no_late;
      answer_late <= no_late;
      fetch_late <= no_fetch;
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
  assign y[0] = x[0] ^ x[28] ^ x[30] ^ x[33] ^ x[34] ^ x[40] ^ x[52] ^ x[69] ^ x[71] ^ x[74] ^ x[77] ^ x[93] ^ x[95] ^ x[96] ^ 1'b1;
  assign y[1] = x[9] ^ x[21] ^ x[25] ^ x[27] ^ x[48] ^ x[50] ^ x[57] ^ x[58] ^ x[60] ^ x[65] ^ x[66] ^ x[79] ^ x[87] ^ x[92] ^ x[97] ^ x[102];
  assign y[2] = x[3] ^ x[17] ^ x[24] ^ x[32] ^ x[37] ^ x[75] ^ x[83] ^ x[99] ^ x[101] ^ 1'b1;
  assign y[3] = x[1] ^ x[6] ^ x[14] ^ x[15] ^ x[16] ^ x[19] ^ x[43] ^ x[45] ^ x[49] ^ x[55] ^ x[62] ^ x[63] ^ x[72] ^ x[80] ^ x[81] ^ x[86]
    ^ x[91];
  assign y[4] = x[10] ^ x[18] ^ x[47] ^ x[54] ^ x[70] ^ x[82] ^ x[85];
  assign y[5] = x[5] ^ x[7] ^ x[8] ^ x[20] ^ x[23] ^ x[35] ^ x[36] ^ x[38] ^ x[42] ^ x[46] ^ x[51] ^ x[53] ^ x[56] ^ x[64] ^ x[89] ^ x[100]
    ^ x[103];
  assign y[6] = x[11] ^ x[13] ^ x[22] ^ x[29] ^ x[31] ^ x[39] ^ x[59] ^ x[73] ^ x[76] ^ x[84] ^ x[90] ^ x[94] ^ 1'b1;
  assign y[7] = x[2] ^ x[4] ^ x[12] ^ x[26] ^ x[41] ^ x[44] ^ x[61] ^ x[67] ^ x[68] ^ x[78] ^ x[88] ^ x[98] ^ 1'b1;
  assign y[8] = x[0] ^ x[7] ^ x[23] ^ x[28] ^ x[32] ^ x[35] ^ x[36] ^ x[47] ^ x[61] ^ x[68] ^ x[71] ^ x[80] ^ x[89];
  assign y[9] = x[2] ^ x[12] ^ x[49] ^ x[51] ^ x[56] ^ x[75] ^ x[95] ^ x[96] ^ x[97] ^ 1'b1;
  assign y[10] = x[22] ^ x[26] ^ x[34] ^ x[55] ^ x[58] ^ x[60] ^ x[69] ^ x[82] ^ x[91];
  assign y[11] = x[3] ^ x[10] ^ x[14] ^ x[15] ^ x[17] ^ x[19] ^ x[27] ^ x[37] ^ x[38] ^ x[42] ^ x[48] ^ x[52] ^ x[59] ^ x[70] ^ x[74] ^ x[76]
    ^ x[84] ^ x[86] ^ x[94] ^ x[102] ^ 1'b1;
  assign y[12] = x[4] ^ x[5] ^ x[13] ^ x[16] ^ x[24] ^ x[31] ^ x[40] ^ x[41] ^ x[46] ^ x[50] ^ x[54] ^ x[65] ^ x[77] ^ x[79] ^ x[87] ^ x[98]
    ^ 1'b1;
  assign y[13] = x[1] ^ x[20] ^ x[21] ^ x[29] ^ x[39] ^ x[53] ^ x[62] ^ x[63] ^ x[67] ^ x[72] ^ x[83] ^ x[85] ^ x[101];
  assign y[14] = x[6] ^ x[8] ^ x[11] ^ x[30] ^ x[43] ^ x[64] ^ x[78] ^ x[81] ^ x[88] ^ x[90] ^ x[93] ^ x[100] ^ 1'b1;
  assign y[15] = x[9] ^ x[18] ^ x[25] ^ x[33] ^ x[44] ^ x[45] ^ x[57] ^ x[66] ^ x[73] ^ x[92] ^ x[99] ^ x[103] ^ 1'b1;
  assign y[16] = x[5] ^ x[39] ^ x[49] ^ x[58] ^ x[77] ^ x[86] ^ x[103];
  assign y[17] = x[7] ^ x[12] ^ x[28] ^ x[30] ^ x[38] ^ x[44] ^ x[61] ^ x[66] ^ x[83] ^ x[88] ^ x[91] ^ x[98] ^ x[102];
  assign y[18] = x[21] ^ x[31] ^ x[36] ^ x[37] ^ x[51] ^ x[57] ^ x[60] ^ x[73] ^ x[99] ^ 1'b1;
  assign y[19] = x[9] ^ x[13] ^ x[14] ^ x[18] ^ x[26] ^ x[29] ^ x[43] ^ x[47] ^ x[48] ^ x[52] ^ x[68] ^ x[69] ^ x[72] ^ x[76] ^ x[79] ^ x[80]
    ^ x[89] ^ x[92];
  assign y[20] = x[25] ^ x[33] ^ x[42] ^ x[45] ^ x[54] ^ x[59] ^ x[70] ^ x[74] ^ x[75] ^ x[78] ^ x[84] ^ x[95] ^ x[96] ^ x[97] ^ x[101];
  assign y[21] = x[0] ^ x[3] ^ x[15] ^ x[16] ^ x[19] ^ x[20] ^ x[22] ^ x[35] ^ x[41] ^ x[53] ^ x[62] ^ x[63] ^ x[65] ^ x[67] ^ x[93];
  assign y[22] = x[1] ^ x[4] ^ x[8] ^ x[10] ^ x[11] ^ x[23] ^ x[27] ^ x[32] ^ x[34] ^ x[55] ^ x[56] ^ x[64] ^ x[81] ^ x[85] ^ x[87] ^ 1'b1;
  assign y[23] = x[2] ^ x[6] ^ x[17] ^ x[24] ^ x[40] ^ x[46] ^ x[50] ^ x[71] ^ x[82] ^ x[90] ^ x[94] ^ x[100];
  assign y[24] = x[1] ^ x[3] ^ x[5] ^ x[11] ^ x[14] ^ x[15] ^ x[20] ^ x[58] ^ x[64] ^ x[87] ^ x[88] ^ x[90] ^ x[100] ^ x[103] ^ 1'b1;
  assign y[25] = x[0] ^ x[13] ^ x[17] ^ x[19] ^ x[31] ^ x[40] ^ x[43] ^ x[53] ^ x[60] ^ x[63] ^ x[66];
  assign y[26] = x[4] ^ x[7] ^ x[12] ^ x[22] ^ x[32] ^ x[61] ^ x[70] ^ x[81] ^ x[94] ^ x[97];
  assign y[27] = x[27] ^ x[30] ^ x[33] ^ x[39] ^ x[44] ^ x[45] ^ x[46] ^ x[47] ^ x[54] ^ x[65] ^ x[69] ^ x[72] ^ x[73] ^ x[74] ^ x[78] ^ x[101];
  assign y[28] = x[16] ^ x[23] ^ x[26] ^ x[34] ^ x[41] ^ x[42] ^ x[55] ^ x[77] ^ x[79] ^ x[91] ^ x[93] ^ x[98] ^ x[99] ^ x[102];
  assign y[29] = x[35] ^ x[56] ^ x[57] ^ x[80] ^ x[85] ^ x[89] ^ x[92];
  assign y[30] = x[2] ^ x[8] ^ x[9] ^ x[18] ^ x[28] ^ x[36] ^ x[37] ^ x[59] ^ x[62] ^ x[67] ^ x[68] ^ x[71] ^ x[76] ^ x[84] ^ x[86];
  assign y[31] = x[6] ^ x[10] ^ x[21] ^ x[24] ^ x[25] ^ x[29] ^ x[38] ^ x[48] ^ x[49] ^ x[50] ^ x[51] ^ x[52] ^ x[75] ^ x[82] ^ x[83] ^ x[95]
    ^ x[96] ^ 1'b1;
  assign y[32] = x[6] ^ x[9] ^ x[24] ^ x[30] ^ x[35] ^ x[50] ^ x[51] ^ x[66] ^ x[68] ^ x[71] ^ x[85] ^ x[87] ^ x[90] ^ x[102];
  assign y[33] = x[7] ^ x[8] ^ x[13] ^ x[17] ^ x[27] ^ x[31] ^ x[37] ^ x[45] ^ x[72] ^ x[76] ^ x[88] ^ x[91] ^ x[97];
  assign y[34] = x[2] ^ x[19] ^ x[26] ^ x[57] ^ x[62] ^ x[81] ^ x[83] ^ x[98] ^ x[100] ^ x[101] ^ x[103];
  assign y[35] = x[4] ^ x[21] ^ x[23] ^ x[34] ^ x[39] ^ x[40] ^ x[48] ^ x[53] ^ x[65] ^ x[74] ^ x[84] ^ x[89] ^ x[95] ^ 1'b1;
  assign y[36] = x[12] ^ x[14] ^ x[15] ^ x[16] ^ x[20] ^ x[25] ^ x[36] ^ x[41] ^ x[43] ^ x[46] ^ x[49] ^ x[54] ^ x[63] ^ x[73] ^ x[79];
  assign y[37] = x[0] ^ x[1] ^ x[5] ^ x[10] ^ x[11] ^ x[22] ^ x[28] ^ x[29] ^ x[38] ^ x[47] ^ x[60] ^ x[61] ^ x[69] ^ x[75] ^ x[82] ^ x[92];
  assign y[38] = x[3] ^ x[32] ^ x[33] ^ x[42] ^ x[52] ^ x[55] ^ x[86] ^ x[93] ^ x[99] ^ 1'b1;
  assign y[39] = x[18] ^ x[44] ^ x[56] ^ x[58] ^ x[59] ^ x[64] ^ x[67] ^ x[70] ^ x[77] ^ x[78] ^ x[80] ^ x[94] ^ x[96];
  assign y[40] = x[2] ^ x[7] ^ x[8] ^ x[15] ^ x[18] ^ x[19] ^ x[28] ^ x[29] ^ x[30] ^ x[34] ^ x[40] ^ x[49] ^ x[51] ^ x[71] ^ x[74] ^ x[91]
    ^ x[103] ^ 1'b1;
  assign y[41] = x[4] ^ x[16] ^ x[23] ^ x[36] ^ x[37] ^ x[38] ^ x[47] ^ x[54] ^ x[70] ^ x[72] ^ x[76] ^ x[80] ^ x[81] ^ x[98] ^ x[101];
  assign y[42] = x[5] ^ x[11] ^ x[27] ^ x[35] ^ x[46] ^ x[48] ^ x[52] ^ x[65] ^ x[84] ^ x[86] ^ x[88] ^ x[90] ^ x[94] ^ 1'b1;
  assign y[43] = x[6] ^ x[10] ^ x[14] ^ x[25] ^ x[32] ^ x[42] ^ x[43] ^ x[83];
  assign y[44] = x[3] ^ x[9] ^ x[17] ^ x[31] ^ x[41] ^ x[62] ^ x[63] ^ x[73] ^ x[99];
  assign y[45] = x[12] ^ x[39] ^ x[45] ^ x[50] ^ x[53] ^ x[56] ^ x[61] ^ x[66] ^ x[87] ^ x[93];
  assign y[46] = x[0] ^ x[1] ^ x[20] ^ x[21] ^ x[24] ^ x[26] ^ x[33] ^ x[44] ^ x[55] ^ x[68] ^ x[78] ^ x[79] ^ x[85] ^ x[95] ^ x[102] ^ 1'b1;
  assign y[47] = x[13] ^ x[22] ^ x[57] ^ x[58] ^ x[59] ^ x[60] ^ x[64] ^ x[67] ^ x[69] ^ x[75] ^ x[77] ^ x[82] ^ x[89] ^ x[92] ^ x[96] ^ x[97]
    ^ x[100] ^ 1'b1;
  assign y[48] = x[2] ^ x[4] ^ x[6] ^ x[19] ^ x[20] ^ x[27] ^ x[28] ^ x[43] ^ x[52] ^ x[55] ^ x[56] ^ x[65] ^ x[79] ^ x[84] ^ x[102] ^ 1'b1;
  assign y[49] = x[7] ^ x[10] ^ x[26] ^ x[36] ^ x[40] ^ x[72] ^ x[73] ^ x[78] ^ x[87] ^ x[90] ^ 1'b1;
  assign y[50] = x[9] ^ x[11] ^ x[12] ^ x[15] ^ x[29] ^ x[48] ^ x[54] ^ x[64] ^ x[66] ^ x[67] ^ x[80] ^ x[81] ^ x[85] ^ x[94] ^ x[99];
  assign y[51] = x[34] ^ x[37] ^ x[58] ^ x[59] ^ x[70] ^ x[74] ^ x[82] ^ x[89] ^ x[91] ^ x[93] ^ x[98];
  assign y[52] = x[31] ^ x[38] ^ x[49] ^ x[50] ^ x[63] ^ x[71] ^ x[75] ^ x[77] ^ x[83] ^ 1'b1;
  assign y[53] = x[13] ^ x[16] ^ x[21] ^ x[24] ^ x[45] ^ x[46] ^ x[53] ^ x[57] ^ x[61] ^ x[62] ^ x[68] ^ x[86] ^ x[96] ^ x[101];
  assign y[54] = x[0] ^ x[1] ^ x[3] ^ x[8] ^ x[22] ^ x[23] ^ x[25] ^ x[33] ^ x[35] ^ x[39] ^ x[44] ^ x[51] ^ x[88] ^ x[95] ^ x[100] ^ 1'b1;
  assign y[55] = x[5] ^ x[14] ^ x[17] ^ x[18] ^ x[30] ^ x[32] ^ x[41] ^ x[42] ^ x[47] ^ x[60] ^ x[69] ^ x[76] ^ x[92] ^ x[97] ^ x[103] ^ 1'b1;
  assign y[56] = x[10] ^ x[12] ^ x[20] ^ x[30] ^ x[32] ^ x[35] ^ x[39] ^ x[45] ^ x[58] ^ x[62] ^ x[69] ^ x[75] ^ x[77] ^ x[78] ^ x[83] ^ x[90]
    ^ x[95];
  assign y[57] = x[1] ^ x[5] ^ x[13] ^ x[16] ^ x[57] ^ x[74] ^ x[80] ^ x[88] ^ x[102];
  assign y[58] = x[4] ^ x[15] ^ x[21] ^ x[22] ^ x[25] ^ x[31] ^ x[38] ^ x[54] ^ x[59] ^ x[87] ^ x[98];
  assign y[59] = x[2] ^ x[14] ^ x[17] ^ x[28] ^ x[46] ^ x[47] ^ x[51] ^ x[53] ^ x[55] ^ x[64] ^ x[84] ^ x[91] ^ x[94] ^ x[103] ^ 1'b1;
  assign y[60] = x[6] ^ x[11] ^ x[40] ^ x[41] ^ x[42] ^ x[48] ^ x[50] ^ x[65] ^ x[68] ^ x[70] ^ x[100] ^ 1'b1;
  assign y[61] = x[7] ^ x[9] ^ x[18] ^ x[24] ^ x[26] ^ x[27] ^ x[33] ^ x[34] ^ x[36] ^ x[49] ^ x[52] ^ x[56] ^ x[61] ^ x[67] ^ x[73] ^ x[79]
    ^ x[81] ^ x[92] ^ x[101] ^ 1'b1;
  assign y[62] = x[0] ^ x[8] ^ x[29] ^ x[43] ^ x[44] ^ x[63] ^ x[66] ^ x[71] ^ x[76] ^ x[82] ^ x[85] ^ x[86] ^ x[89] ^ x[93] ^ x[96];
  assign y[63] = x[3] ^ x[19] ^ x[23] ^ x[37] ^ x[60] ^ x[72] ^ x[97] ^ x[99];
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
  output wire [13:0] y
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
  wire unused = &{1'b0, x[28]};
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [13:0] index  // hash value, one clock later
);
  reg [13:0] index_r;

  wire [13:0] layer_2_y;

  hash_layer_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 14'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_2 (
  input  wire [63:0] x,
  output wire [13:0] y
);
  assign y[0] = x[2] ^ x[5] ^ x[9] ^ x[14] ^ x[18] ^ x[22] ^ x[26] ^ x[29] ^ x[33] ^ x[38] ^ x[43] ^ x[47] ^ x[51] ^ x[55] ^ x[56] ^ x[61];
  assign y[1] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[18] ^ x[22] ^ x[26] ^ x[30] ^ x[33] ^ x[37] ^ x[42] ^ x[44] ^ x[49] ^ x[55] ^ x[57] ^ x[61];
  assign y[2] = x[0] ^ x[4] ^ x[8] ^ x[13] ^ x[19] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[36] ^ x[40] ^ x[45] ^ x[49] ^ x[53] ^ x[57] ^ x[60];
  assign y[3] = x[1] ^ x[5] ^ x[9] ^ x[14] ^ x[18] ^ x[22] ^ x[25] ^ x[28] ^ x[35] ^ x[36] ^ x[40] ^ x[44] ^ x[51] ^ x[53] ^ x[59] ^ x[60];
  assign y[4] = x[2] ^ x[5] ^ x[9] ^ x[15] ^ x[18] ^ x[20] ^ x[26] ^ x[31] ^ x[33] ^ x[39] ^ x[41] ^ x[47] ^ x[51] ^ x[54] ^ x[56] ^ x[63];
  assign y[5] = x[2] ^ x[4] ^ x[9] ^ x[15] ^ x[17] ^ x[22] ^ x[26] ^ x[28] ^ x[33] ^ x[36] ^ x[41] ^ x[47] ^ x[50] ^ x[55] ^ x[58] ^ x[61];
  assign y[6] = x[3] ^ x[4] ^ x[9] ^ x[12] ^ x[19] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[39] ^ x[43] ^ x[45] ^ x[50] ^ x[53] ^ x[57] ^ x[60];
  assign y[7] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[18] ^ x[23] ^ x[25] ^ x[31] ^ x[32] ^ x[39] ^ x[40] ^ x[46] ^ x[51] ^ x[52] ^ x[56] ^ x[63];
  assign y[8] = x[2] ^ x[4] ^ x[11] ^ x[15] ^ x[17] ^ x[21] ^ x[27] ^ x[30] ^ x[32] ^ x[38] ^ x[41] ^ x[44] ^ x[50] ^ x[53] ^ x[59] ^ x[60];
  assign y[9] = x[2] ^ x[6] ^ x[10] ^ x[15] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[36] ^ x[41] ^ x[45] ^ x[51] ^ x[52] ^ x[56] ^ x[63];
  assign y[10] = x[3] ^ x[4] ^ x[11] ^ x[14] ^ x[19] ^ x[20] ^ x[27] ^ x[31] ^ x[34] ^ x[38] ^ x[42] ^ x[44] ^ x[48] ^ x[54] ^ x[58] ^ x[62];
  assign y[11] = x[3] ^ x[4] ^ x[10] ^ x[12] ^ x[18] ^ x[21] ^ x[24] ^ x[31] ^ x[34] ^ x[37] ^ x[42] ^ x[45] ^ x[49] ^ x[55] ^ x[56] ^ x[61];
  assign y[12] = x[1] ^ x[5] ^ x[9] ^ x[12] ^ x[17] ^ x[21] ^ x[27] ^ x[30] ^ x[35] ^ x[39] ^ x[41] ^ x[46] ^ x[49] ^ x[55] ^ x[59] ^ x[63];
  assign y[13] = x[1] ^ x[7] ^ x[8] ^ x[14] ^ x[18] ^ x[21] ^ x[25] ^ x[30] ^ x[32] ^ x[38] ^ x[40] ^ x[44] ^ x[50] ^ x[53] ^ x[59] ^ x[63];
  wire unused = &{1'b0, x[16]};
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_2 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [13:0] index  // hash value, one clock later
);
  reg [13:0] index_r;

  wire [13:0] layer_2_y;

  hash_layer_2_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 14'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_3 (
  input  wire [63:0] x,
  output wire [13:0] y
);
  assign y[0] = x[1] ^ x[7] ^ x[11] ^ x[14] ^ x[19] ^ x[23] ^ x[25] ^ x[30] ^ x[34] ^ x[39] ^ x[41] ^ x[46] ^ x[50] ^ x[55] ^ x[58] ^ x[62];
  assign y[1] = x[3] ^ x[7] ^ x[11] ^ x[13] ^ x[18] ^ x[20] ^ x[26] ^ x[29] ^ x[35] ^ x[36] ^ x[41] ^ x[45] ^ x[48] ^ x[53] ^ x[57] ^ x[62];
  assign y[2] = x[0] ^ x[5] ^ x[8] ^ x[12] ^ x[16] ^ x[22] ^ x[24] ^ x[29] ^ x[35] ^ x[38] ^ x[43] ^ x[44] ^ x[51] ^ x[52] ^ x[58] ^ x[63];
  assign y[3] = x[2] ^ x[5] ^ x[9] ^ x[14] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[33] ^ x[37] ^ x[41] ^ x[45] ^ x[49] ^ x[55] ^ x[59] ^ x[62];
  assign y[4] = x[3] ^ x[7] ^ x[9] ^ x[14] ^ x[19] ^ x[20] ^ x[24] ^ x[28] ^ x[33] ^ x[36] ^ x[42] ^ x[44] ^ x[51] ^ x[53] ^ x[57] ^ x[61];
  assign y[5] = x[1] ^ x[4] ^ x[11] ^ x[14] ^ x[18] ^ x[23] ^ x[24] ^ x[29] ^ x[33] ^ x[37] ^ x[41] ^ x[45] ^ x[51] ^ x[55] ^ x[58] ^ x[62];
  assign y[6] = x[2] ^ x[5] ^ x[8] ^ x[15] ^ x[16] ^ x[23] ^ x[27] ^ x[31] ^ x[34] ^ x[37] ^ x[41] ^ x[47] ^ x[48] ^ x[53] ^ x[59] ^ x[61];
  assign y[7] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[19] ^ x[22] ^ x[26] ^ x[28] ^ x[33] ^ x[36] ^ x[43] ^ x[47] ^ x[50] ^ x[55] ^ x[58] ^ x[60];
  assign y[8] = x[0] ^ x[6] ^ x[10] ^ x[13] ^ x[19] ^ x[23] ^ x[27] ^ x[31] ^ x[32] ^ x[37] ^ x[40] ^ x[47] ^ x[51] ^ x[52] ^ x[58] ^ x[60];
  assign y[9] = x[2] ^ x[5] ^ x[9] ^ x[14] ^ x[17] ^ x[23] ^ x[24] ^ x[29] ^ x[32] ^ x[39] ^ x[41] ^ x[45] ^ x[49] ^ x[53] ^ x[57] ^ x[62];
  assign y[10] = x[1] ^ x[7] ^ x[8] ^ x[13] ^ x[17] ^ x[20] ^ x[25] ^ x[28] ^ x[32] ^ x[37] ^ x[43] ^ x[46] ^ x[48] ^ x[53] ^ x[59] ^ x[62];
  assign y[11] = x[1] ^ x[6] ^ x[10] ^ x[14] ^ x[19] ^ x[22] ^ x[25] ^ x[31] ^ x[33] ^ x[39] ^ x[42] ^ x[44] ^ x[50] ^ x[54] ^ x[58] ^ x[61];
  assign y[12] = x[0] ^ x[5] ^ x[11] ^ x[15] ^ x[17] ^ x[23] ^ x[25] ^ x[28] ^ x[33] ^ x[39] ^ x[40] ^ x[44] ^ x[49] ^ x[52] ^ x[59] ^ x[62];
  assign y[13] = x[0] ^ x[5] ^ x[10] ^ x[12] ^ x[18] ^ x[21] ^ x[26] ^ x[28] ^ x[35] ^ x[37] ^ x[40] ^ x[44] ^ x[50] ^ x[53] ^ x[58] ^ x[62];
  wire unused = &{1'b0, x[56]};
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_3 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [13:0] index  // hash value, one clock later
);
  reg [13:0] index_r;

  wire [13:0] layer_2_y;

  hash_layer_2_3 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 14'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_4 (
  input  wire [63:0] x,
  output wire [13:0] y
);
  assign y[0] = x[2] ^ x[7] ^ x[10] ^ x[14] ^ x[18] ^ x[20] ^ x[24] ^ x[28] ^ x[34] ^ x[38] ^ x[42] ^ x[45] ^ x[51] ^ x[53] ^ x[56] ^ x[63];
  assign y[1] = x[0] ^ x[4] ^ x[11] ^ x[14] ^ x[18] ^ x[20] ^ x[26] ^ x[29] ^ x[32] ^ x[39] ^ x[40] ^ x[44] ^ x[49] ^ x[54] ^ x[57] ^ x[62];
  assign y[2] = x[1] ^ x[6] ^ x[8] ^ x[12] ^ x[17] ^ x[22] ^ x[26] ^ x[31] ^ x[35] ^ x[39] ^ x[43] ^ x[44] ^ x[49] ^ x[54] ^ x[57] ^ x[63];
  assign y[3] = x[1] ^ x[5] ^ x[9] ^ x[13] ^ x[19] ^ x[21] ^ x[26] ^ x[31] ^ x[34] ^ x[37] ^ x[41] ^ x[45] ^ x[49] ^ x[54] ^ x[57] ^ x[61];
  assign y[4] = x[2] ^ x[6] ^ x[9] ^ x[13] ^ x[16] ^ x[22] ^ x[27] ^ x[29] ^ x[33] ^ x[37] ^ x[43] ^ x[46] ^ x[50] ^ x[53] ^ x[58] ^ x[60];
  assign y[5] = x[1] ^ x[4] ^ x[8] ^ x[14] ^ x[18] ^ x[20] ^ x[24] ^ x[28] ^ x[35] ^ x[38] ^ x[41] ^ x[45] ^ x[50] ^ x[55] ^ x[58] ^ x[62];
  assign y[6] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[17] ^ x[20] ^ x[25] ^ x[28] ^ x[34] ^ x[39] ^ x[42] ^ x[46] ^ x[48] ^ x[54] ^ x[57] ^ x[61];
  assign y[7] = x[3] ^ x[5] ^ x[9] ^ x[15] ^ x[19] ^ x[20] ^ x[25] ^ x[31] ^ x[32] ^ x[39] ^ x[43] ^ x[44] ^ x[50] ^ x[52] ^ x[59] ^ x[62];
  assign y[8] = x[3] ^ x[4] ^ x[9] ^ x[12] ^ x[18] ^ x[21] ^ x[27] ^ x[29] ^ x[33] ^ x[38] ^ x[40] ^ x[45] ^ x[51] ^ x[55] ^ x[59] ^ x[60];
  assign y[9] = x[2] ^ x[4] ^ x[9] ^ x[14] ^ x[17] ^ x[20] ^ x[24] ^ x[28] ^ x[33] ^ x[38] ^ x[42] ^ x[47] ^ x[50] ^ x[54] ^ x[58] ^ x[62];
  assign y[10] = x[0] ^ x[4] ^ x[10] ^ x[13] ^ x[18] ^ x[22] ^ x[27] ^ x[29] ^ x[35] ^ x[37] ^ x[40] ^ x[46] ^ x[49] ^ x[52] ^ x[59] ^ x[61];
  assign y[11] = x[2] ^ x[4] ^ x[11] ^ x[14] ^ x[16] ^ x[20] ^ x[27] ^ x[31] ^ x[34] ^ x[39] ^ x[41] ^ x[44] ^ x[48] ^ x[52] ^ x[57] ^ x[63];
  assign y[12] = x[2] ^ x[7] ^ x[11] ^ x[13] ^ x[19] ^ x[20] ^ x[25] ^ x[28] ^ x[35] ^ x[39] ^ x[40] ^ x[47] ^ x[48] ^ x[54] ^ x[58] ^ x[62];
  assign y[13] = x[0] ^ x[6] ^ x[11] ^ x[13] ^ x[18] ^ x[22] ^ x[26] ^ x[28] ^ x[32] ^ x[36] ^ x[43] ^ x[47] ^ x[48] ^ x[53] ^ x[58] ^ x[61];
  wire unused = &{1'b0, x[23], x[30]};
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_4 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [13:0] index  // hash value, one clock later
);
  reg [13:0] index_r;

  wire [13:0] layer_2_y;

  hash_layer_2_4 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 14'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// 104 bits of key to 4 probe position(s), one key a clock.
module hash_unit (
  input  wire         clock,
  input  wire [103:0] key,     // key
  output wire [13:0]  index_0, // position of probe 0
  output wire [13:0]  index_1, // position of probe 1
  output wire [13:0]  index_2, // position of probe 2
  output wire [13:0]  index_3  // position of probe 3
);
  wire [63:0] mix_0_mixed;
  wire [63:0] mix_1_mixed;
  wire [13:0] function_0_index;
  wire [13:0] function_1_index;
  wire [13:0] function_2_index;
  wire [13:0] function_3_index;

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
    .mixed (mix_0_mixed),
    .index (function_1_index)
  );

  hash_index_3 function_2 (
    .clock (clock),
    .mixed (mix_0_mixed),
    .index (function_2_index)
  );

  hash_index_4 function_3 (
    .clock (clock),
    .mixed (mix_1_mixed),
    .index (function_3_index)
  );

  assign index_0 = function_0_index;
  assign index_1 = function_1_index;
  assign index_2 = function_2_index;
  assign index_3 = function_3_index;
endmodule

// The 4 positions of an item, one a clock, the first at once.
module probe_line (
  input  wire        clock,
  input  wire        load,       // positions are those of an item
  input  wire [13:0] position_0, // position of probe 0
  input  wire [13:0] position_1, // position of probe 1
  input  wire [13:0] position_2, // position of probe 2
  input  wire [13:0] position_3, // position of probe 3
  output reg  [13:0] index       // position of the probe whose turn it is
);
  reg [13:0] waiting_0;
  reg [13:0] waiting_1;
  reg [13:0] waiting_2;

  initial begin
    waiting_0 = 14'd0;
    waiting_1 = 14'd0;
    waiting_2 = 14'd0;
  end

  always @* begin
    index = waiting_0;
    if (load) begin
      index = position_0;
    end
  end

  always @(posedge clock) begin
    waiting_0 <= waiting_1;
    waiting_1 <= waiting_2;
    if (load) begin
      waiting_0 <= position_1;
      waiting_1 <= position_2;
      waiting_2 <= position_3;
    end
  end
endmodule

// Delays 14 bits by 8 clocks.
module delay_14x8 (
  input  wire        clock,
  input  wire [13:0] d,
  output wire [13:0] q
);
  reg [13:0] stage_1;
  reg [13:0] stage_2;
  reg [13:0] stage_3;
  reg [13:0] stage_4;
  reg [13:0] stage_5;
  reg [13:0] stage_6;
  reg [13:0] stage_7;
  reg [13:0] stage_8;

  assign q = stage_8;

  initial begin
    stage_1 = 14'd0;
    stage_2 = 14'd0;
    stage_3 = 14'd0;
    stage_4 = 14'd0;
    stage_5 = 14'd0;
    stage_6 = 14'd0;
    stage_7 = 14'd0;
    stage_8 = 14'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
    stage_5 <= stage_4;
    stage_6 <= stage_5;
    stage_7 <= stage_6;
    stage_8 <= stage_7;
  end
endmodule

// Delays 1 bit by 4 clocks.
module delay_1x4 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;
  reg stage_3;
  reg stage_4;

  assign q = stage_4;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
    stage_3 = 1'd0;
    stage_4 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
  end
endmodule

// Do two slots go to the same word? Half of the address a register, so that no comparison is wide.
module word_compare (
  input  wire        clock,
  input  wire [10:0] ahead,  // word address of the slot ahead
  input  wire [10:0] behind, // word address of the slot behind
  output wire        same    // they are equal, one clock later
);
  reg equal_low;
  reg equal_high;

  assign same = equal_low && equal_high;

  initial begin
    equal_low = 1'b0;
    equal_high = 1'b0;
  end

  always @(posedge clock) begin
    equal_low <= ahead[4:0] == behind[4:0];
    equal_high <= ahead[10:5] == behind[10:5];
  end
endmodule

// 2048 words of 32 data bits and 4 epoch bits in block RAM, two clocks of read latency.
// Reading the word that is being written gives an unspecified value: the bank forwards it.
module bank_memory (
  input  wire        clock,
  input  wire [10:0] read_address,  // word to read
  output wire [35:0] read_data,     // {epoch, data}, two clocks later
  input  wire        write_enable,  // write this clock
  input  wire [10:0] write_address, // word to write
  input  wire [35:0] write_data     // {epoch, data}
);
  (* no_rw_check *)
  reg [35:0] words [0:2047];
  reg [35:0] array_out;
  reg [35:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 2047; i = i + 1) words[i] = 36'd0;
    array_out = 36'd0;
    register_out = 36'd0;
  end

  always @(posedge clock) begin
    array_out <= words[read_address];
    register_out <= array_out;
    if (write_enable) words[write_address] <= write_data;
  end

  assign read_data = register_out;
endmodule

// One counter of a word: raised to a level where it is below it. Source: Estan and Varghese, SIGCOMM 2002.
module raise_lane (
  input  wire       clock,
  input  wire       here,    // stage 3: the item's cell stands here
  input  wire       raising, // stage 3: it is to be raised
  input  wire [3:0] level,   // stage 3: to this
  input  wire [3:0] word,    // stage 4: the cell, from memory or a slot two to four ahead
  input  wire       current, // stage 4: that counts; if not, the cell is 0
  input  wire       chained, // stage 4: the slot one ahead has the same word: take its value
  output wire [3:0] value,   // stage 5: the cell after the slot
  output reg  [3:0] picked,  // stage 5: likewise if it is the item's, else 0
  output wire       above    // stage 5: it is the item's and was above 0
);
  localparam [3:0] zero = 4'd0;

  reg       here_4;
  reg       here_5;
  reg [3:0] level_4; // 0 where nothing is raised
  reg [3:0] value_5;
  reg       above_0;

  reg [3:0] base;

  assign value = value_5;
  assign above = here_5 && above_0;

  initial begin
    here_4 = 1'b0;
    here_5 = 1'b0;
    level_4 = 4'd0;
    value_5 = 4'd0;
    above_0 = 1'b0;
  end

  always @* begin
    // the cell as the slots ahead leave it
    base = zero;
    if (chained) begin
      base = value_5;
    end else if (current) begin
      base = word;
    end
  end

  always @* begin
    picked = zero;
    if (here_5) begin
      picked = value_5;
    end
  end

  always @(posedge clock) begin
    here_4 <= here;
    here_5 <= here_4;
    level_4 <= zero;
    if (here && raising) begin
      level_4 <= level;
    end

    // the greater of cell and level
    value_5 <= base;
    if (base < level_4) begin
      value_5 <= level_4;
    end
    above_0 <= |base;
  end
endmodule

// Counts down the words of the active half that do not yet bear its current epoch.
// When none is left, every older epoch value is free again.
module coverage (
  input  wire clock,
  input  wire recycled, // the slot in the write stage recycled
  input  wire touch,    // it writes a word that bore another epoch
  output wire full      // every word bears the current epoch
);
  localparam [11:0] words          = 12'h800;
  localparam [11:0] words_less_one = 12'h7ff;

  reg [11:0] left;
  reg        full_r;

  assign full = full_r;

  initial begin
    left = 12'h800;
    full_r = 1'b0;
  end

  always @(posedge clock) begin
    if (touch) begin
      left <= left - 12'd1;
    end
    if (recycled) begin
      left <= words;
      if (touch) begin
        left <= words_less_one;
      end
    end
    full_r <= !recycled && (full_r || (touch && (left == 12'd1)));
  end
endmodule

// One bank: 2048 words of 8 cells of 4 bit(s): counters, each raised to a level. Source: Estan and Varghese, SIGCOMM 2002.
// Exact for any sequence of slots: words of slots in flight are forwarded; an epoch with each word makes a clear one increment.
module cell_bank (
  input  wire        clock,
  input  wire [13:0] index,          // position of the slot entering stage 0
  input  wire        direct,         // that slot is a refresh or an access
  input  wire [10:0] direct_address, // word that it goes to
  input  wire [3:0]  writing,        // bit i: the slot in stage 2 + i writes its word
  input  wire        storing,        // stage 2: an access stores to this bank
  input  wire [31:0] store_word,     // stage 2: the word to store
  input  wire [3:0]  epoch,          // stage 3: current epoch
  input  wire        inserting,      // stage 3: the item inserts
  input  wire [3:0]  amount_0,       // stage 3: what it raises to
  input  wire [3:0]  write_epoch,    // stage 5: epoch that the slot writes
  input  wire        recycled,       // stage 5: the slot is a clear
  output wire        above,          // stage 6: the item's cell was above 0
  output wire [3:0]  cell_0,         // stage 6: the item's cell, after it
  output wire        cell_full_0,    // stage 6: it is at its greatest value
  output wire [31:0] word_6,         // stage 6: the slot's word
  output wire        full            // every word bears the current epoch
);
  localparam [2:0]  lane_number_0 = 3'd0;
  localparam [2:0]  lane_number_1 = 3'd1;
  localparam [2:0]  lane_number_2 = 3'd2;
  localparam [2:0]  lane_number_3 = 3'd3;
  localparam [2:0]  lane_number_4 = 3'd4;
  localparam [2:0]  lane_number_5 = 3'd5;
  localparam [2:0]  lane_number_6 = 3'd6;
  localparam [2:0]  lane_number_7 = 3'd7;
  localparam [31:0] no_word       = 32'd0;
  localparam [3:0]  no_cell       = 4'd0;

  reg [10:0] address_0;
  reg [10:0] address_1;
  reg [10:0] address_2;
  reg [10:0] address_3;
  reg [10:0] address_4;
  reg [10:0] address_5;
  reg [2:0]  offset_0;
  reg [2:0]  offset_1;
  reg [2:0]  offset_2;
  reg [2:0]  offset_3;
  reg        hit_0;     // stage 2: the slot 1 ahead writes my word
  reg        hit_1;     // stage 2: the slot 2 ahead writes my word
  reg        hit_2;     // stage 2: the slot 3 ahead writes my word
  reg        hit_3;     // stage 2: the slot 4 ahead writes my word
  reg        next_3;    // stage 3: the slot one ahead writes my word
  reg        from_near; // stage 3: the word comes from the slot two ahead
  reg        from_far;  // stage 3: the word comes from far_word
  reg        forwarded; // stage 3: a slot two to four ahead writes my word
  reg        stored_3;  // stage 3: an access stores
  reg [31:0] far_word;  // stage 3: word of the slot three or four ahead, or the one to store
  reg [31:0] word;
  reg        current;   // stage 4: word counts; if not, it is 0
  reg        chained;   // stage 4: the value of the slot one ahead counts
  reg        first_4;   // stage 4: memory's word does not bear the current epoch
  reg        first_5;
  reg [31:0] value_6;
  reg [3:0]  cell_r_0;
  reg        above_r_0;

  reg  [10:0] entering;
  wire [2:0]  entering_offset_0;
  wire [3:0]  read_epoch;
  wire        bears;
  reg  [31:0] value;
  reg  [3:0]  picked_0;
  reg         picked_above_0;
  wire        compare_0_same;
  wire        compare_1_same;
  wire        compare_2_same;
  wire        compare_3_same;
  wire [35:0] memory_read_data;
  wire [35:0] memory_write_data;
  wire        raise_0_here;
  wire [3:0]  raise_0_value;
  wire [3:0]  raise_0_picked;
  wire        raise_0_above;
  wire        raise_1_here;
  wire [3:0]  raise_1_value;
  wire [3:0]  raise_1_picked;
  wire        raise_1_above;
  wire        raise_2_here;
  wire [3:0]  raise_2_value;
  wire [3:0]  raise_2_picked;
  wire        raise_2_above;
  wire        raise_3_here;
  wire [3:0]  raise_3_value;
  wire [3:0]  raise_3_picked;
  wire        raise_3_above;
  wire        raise_4_here;
  wire [3:0]  raise_4_value;
  wire [3:0]  raise_4_picked;
  wire        raise_4_above;
  wire        raise_5_here;
  wire [3:0]  raise_5_value;
  wire [3:0]  raise_5_picked;
  wire        raise_5_above;
  wire        raise_6_here;
  wire [3:0]  raise_6_value;
  wire [3:0]  raise_6_picked;
  wire        raise_6_above;
  wire        raise_7_here;
  wire [3:0]  raise_7_value;
  wire [3:0]  raise_7_picked;
  wire        raise_7_above;
  wire        coverage_touch;
  wire        coverage_full;

  // which of the four slots ahead write my word, and where it comes from then
  word_compare compare_0 (
    .clock  (clock),
    .ahead  (address_1),
    .behind (address_0),
    .same   (compare_0_same)
  );

  word_compare compare_1 (
    .clock  (clock),
    .ahead  (address_2),
    .behind (address_0),
    .same   (compare_1_same)
  );

  word_compare compare_2 (
    .clock  (clock),
    .ahead  (address_3),
    .behind (address_0),
    .same   (compare_2_same)
  );

  word_compare compare_3 (
    .clock  (clock),
    .ahead  (address_4),
    .behind (address_0),
    .same   (compare_3_same)
  );

  // memory: address in stage 1, data in stage 3
  bank_memory memory (
    .clock         (clock),
    .read_address  (address_1),
    .read_data     (memory_read_data),
    .write_enable  (writing[3]),
    .write_address (address_5),
    .write_data    (memory_write_data)
  );

  raise_lane raise_0 (
    .clock   (clock),
    .here    (raise_0_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[3:0]),
    .current (current),
    .chained (chained),
    .value   (raise_0_value),
    .picked  (raise_0_picked),
    .above   (raise_0_above)
  );

  raise_lane raise_1 (
    .clock   (clock),
    .here    (raise_1_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[7:4]),
    .current (current),
    .chained (chained),
    .value   (raise_1_value),
    .picked  (raise_1_picked),
    .above   (raise_1_above)
  );

  raise_lane raise_2 (
    .clock   (clock),
    .here    (raise_2_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[11:8]),
    .current (current),
    .chained (chained),
    .value   (raise_2_value),
    .picked  (raise_2_picked),
    .above   (raise_2_above)
  );

  raise_lane raise_3 (
    .clock   (clock),
    .here    (raise_3_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[15:12]),
    .current (current),
    .chained (chained),
    .value   (raise_3_value),
    .picked  (raise_3_picked),
    .above   (raise_3_above)
  );

  raise_lane raise_4 (
    .clock   (clock),
    .here    (raise_4_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[19:16]),
    .current (current),
    .chained (chained),
    .value   (raise_4_value),
    .picked  (raise_4_picked),
    .above   (raise_4_above)
  );

  raise_lane raise_5 (
    .clock   (clock),
    .here    (raise_5_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[23:20]),
    .current (current),
    .chained (chained),
    .value   (raise_5_value),
    .picked  (raise_5_picked),
    .above   (raise_5_above)
  );

  raise_lane raise_6 (
    .clock   (clock),
    .here    (raise_6_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[27:24]),
    .current (current),
    .chained (chained),
    .value   (raise_6_value),
    .picked  (raise_6_picked),
    .above   (raise_6_above)
  );

  raise_lane raise_7 (
    .clock   (clock),
    .here    (raise_7_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[31:28]),
    .current (current),
    .chained (chained),
    .value   (raise_7_value),
    .picked  (raise_7_picked),
    .above   (raise_7_above)
  );

  coverage coverage (
    .clock    (clock),
    .recycled (recycled),
    .touch    (coverage_touch),
    .full     (coverage_full)
  );

  assign entering_offset_0 = index[2:0];
  assign raise_0_here = offset_3 == lane_number_0;
  assign raise_1_here = offset_3 == lane_number_1;
  assign raise_2_here = offset_3 == lane_number_2;
  assign raise_3_here = offset_3 == lane_number_3;
  assign raise_4_here = offset_3 == lane_number_4;
  assign raise_5_here = offset_3 == lane_number_5;
  assign raise_6_here = offset_3 == lane_number_6;
  assign raise_7_here = offset_3 == lane_number_7;
  assign cell_0 = cell_r_0;
  assign cell_full_0 = &cell_r_0;
  assign above = above_r_0;
  assign memory_write_data = {write_epoch, value};
  assign read_epoch = memory_read_data[35:32];
  assign bears = read_epoch == epoch;
  assign word_6 = value_6;
  assign coverage_touch = first_5 && writing[3];
  assign full = coverage_full;

  initial begin
    address_0 = 11'd0;
    address_1 = 11'd0;
    address_2 = 11'd0;
    address_3 = 11'd0;
    address_4 = 11'd0;
    address_5 = 11'd0;
    offset_0 = 3'd0;
    offset_1 = 3'd0;
    offset_2 = 3'd0;
    offset_3 = 3'd0;
    hit_0 = 1'b0;
    hit_1 = 1'b0;
    hit_2 = 1'b0;
    hit_3 = 1'b0;
    next_3 = 1'b0;
    from_near = 1'b0;
    from_far = 1'b0;
    forwarded = 1'b0;
    stored_3 = 1'b0;
    far_word = 32'd0;
    word = 32'd0;
    current = 1'b0;
    chained = 1'b0;
    first_4 = 1'b0;
    first_5 = 1'b0;
    value_6 = 32'd0;
    cell_r_0 = 4'd0;
    above_r_0 = 1'b0;
  end

  always @* begin
    // positions
    entering = index[13:3];
    if (direct) begin
      entering = direct_address;
    end
  end

  always @* begin
    // arithmetic, stage 4, and the item's cell
    value = no_word;
    value = value | {28'd0, raise_0_value};
    value = value | ({28'd0, raise_1_value} << 4);
    value = value | ({28'd0, raise_2_value} << 8);
    value = value | ({28'd0, raise_3_value} << 12);
    value = value | ({28'd0, raise_4_value} << 16);
    value = value | ({28'd0, raise_5_value} << 20);
    value = value | ({28'd0, raise_6_value} << 24);
    value = value | ({28'd0, raise_7_value} << 28);
  end

  always @* begin
    picked_0 = no_cell;
    picked_0 = picked_0 | raise_0_picked;
    picked_0 = picked_0 | raise_1_picked;
    picked_0 = picked_0 | raise_2_picked;
    picked_0 = picked_0 | raise_3_picked;
    picked_0 = picked_0 | raise_4_picked;
    picked_0 = picked_0 | raise_5_picked;
    picked_0 = picked_0 | raise_6_picked;
    picked_0 = picked_0 | raise_7_picked;
  end

  always @* begin
    picked_above_0 = 1'b0;
    picked_above_0 = picked_above_0 || raise_0_above;
    picked_above_0 = picked_above_0 || raise_1_above;
    picked_above_0 = picked_above_0 || raise_2_above;
    picked_above_0 = picked_above_0 || raise_3_above;
    picked_above_0 = picked_above_0 || raise_4_above;
    picked_above_0 = picked_above_0 || raise_5_above;
    picked_above_0 = picked_above_0 || raise_6_above;
    picked_above_0 = picked_above_0 || raise_7_above;
  end

  always @(posedge clock) begin
    address_0 <= entering;
    address_1 <= address_0;
    address_2 <= address_1;
    address_3 <= address_2;
    address_4 <= address_3;
    address_5 <= address_4;
    offset_0 <= entering_offset_0;
    offset_1 <= offset_0;
    offset_2 <= offset_1;
    offset_3 <= offset_2;
    cell_r_0 <= picked_0;
    above_r_0 <= picked_above_0;
    hit_0 <= compare_0_same && writing[0];
    hit_1 <= compare_1_same && writing[1];
    hit_2 <= compare_2_same && writing[2];
    hit_3 <= compare_3_same && writing[3];
    next_3 <= hit_0;
    forwarded <= hit_1 || hit_2 || hit_3;
    stored_3 <= storing;
    from_near <= hit_1 && !storing;
    from_far <= hit_2 || hit_3 || storing;
    far_word <= value_6;
    if (storing) begin
      far_word <= store_word;
    end else if (hit_2) begin
      far_word <= value;
    end
    word <= memory_read_data[31:0];
    if (from_near) begin
      word <= value;
    end else if (from_far) begin
      word <= far_word;
    end
    current <= bears || from_near || from_far;
    chained <= next_3 && !stored_3;
    value_6 <= value;

    // coverage by the current epoch
    first_4 <= !bears && !forwarded && !next_3;
    first_5 <= first_4;
  end
endmodule

// Delays 4 bits by 4 clocks.
module delay_4x4 (
  input  wire       clock,
  input  wire [3:0] d,
  output wire [3:0] q
);
  reg [3:0] stage_1;
  reg [3:0] stage_2;
  reg [3:0] stage_3;
  reg [3:0] stage_4;

  assign q = stage_4;

  initial begin
    stage_1 = 4'd0;
    stage_2 = 4'd0;
    stage_3 = 4'd0;
    stage_4 = 4'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
  end
endmodule

// Delays 4 bits by 2 clocks.
module delay_4x2 (
  input  wire       clock,
  input  wire [3:0] d,
  output wire [3:0] q
);
  reg [3:0] stage_1;
  reg [3:0] stage_2;

  assign q = stage_2;

  initial begin
    stage_1 = 4'd0;
    stage_2 = 4'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
  end
endmodule

// Which half is active, each half's epoch, and how many epoch values each may still issue.
// A recycle costs no clock: the next epoch makes every word of the half read as empty.
// Safety: a value is issued again only after every word of the half has been seen to bear a later one.
module epoch_guard (
  input  wire       clock,
  input  wire       trip,           // the slot that is decided in this clock recycles
  input  wire       recycled,       // the slot in stage W recycled
  input  wire       all_full,       // every word of the active half bears its epoch, in every bank
  output wire       phase,          // which half is active, after the slots decided before
  output wire [3:0] active_epoch,   // its epoch
  output wire [3:0] active_epoch_6, // its epoch then
  output wire [3:0] write_epoch,    // epoch that it writes
  output wire       covered,        // every word of the active half bears its epoch
  output wire       blocked,        // the active half has no spare epoch: admit nothing until it is covered
  output wire [3:0] spare           // spare epochs of the active half
);
  localparam [3:0] last_epoch  = 4'd15;
  localparam [3:0] first_epoch = 4'd1;
  localparam [3:0] all_spare   = 4'd14; // epoch values but the current one

  reg [3:0] epoch_0;
  reg [3:0] spare_r_0;
  reg       covered_r;
  reg       blocked_r;

  wire [3:0] epoch_now;
  reg  [3:0] next_epoch;
  wire [3:0] spare_here;
  wire [3:0] epoch_line_q;
  wire [3:0] write_epoch_line_q;

  delay_4x4 epoch_line (
    .clock (clock),
    .d     (epoch_now),
    .q     (epoch_line_q)
  );

  delay_4x2 write_epoch_line (
    .clock (clock),
    .d     (epoch_now),
    .q     (write_epoch_line_q)
  );

  // at the decision
  assign epoch_now = epoch_0;
  assign phase = 1'b0;
  assign active_epoch = epoch_now;
  assign active_epoch_6 = epoch_line_q;
  assign write_epoch = write_epoch_line_q;
  assign spare_here = spare_r_0;
  assign covered = covered_r;
  assign blocked = blocked_r;
  assign spare = spare_here;

  initial begin
    epoch_0 = 4'd1;
    spare_r_0 = 4'd14;
    covered_r = 1'b0;
    blocked_r = 1'b0;
  end

  always @* begin
    // the half that a recycle makes active
    next_epoch = epoch_now + 4'd1;
    if (epoch_now == last_epoch) begin
      next_epoch = first_epoch;
    end
  end

  always @(posedge clock) begin
    if (trip) begin
      epoch_0 <= next_epoch;
    end

    // at retirement
    covered_r <= all_full && !recycled;
    if (recycled) begin
      spare_r_0 <= spare_r_0 - 4'd1;
    end else if (covered_r) begin
      spare_r_0 <= all_spare;
    end
    blocked_r <= !(|spare_here);
  end
endmodule

// Delays 1 bit by 7 clocks.
module delay_1x7 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;
  reg stage_3;
  reg stage_4;
  reg stage_5;
  reg stage_6;
  reg stage_7;

  assign q = stage_7;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
    stage_3 = 1'd0;
    stage_4 = 1'd0;
    stage_5 = 1'd0;
    stage_6 = 1'd0;
    stage_7 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
    stage_5 <= stage_4;
    stage_6 <= stage_5;
    stage_7 <= stage_6;
  end
endmodule

// What the probes of an item come to, taken one after the other: the least cell, and the flags of all.
module item_fold (
  input  wire       clock,
  input  wire       first,       // stage 6: an item's first probe
  input  wire       above,       // stage 6: the probe's cell was above 0
  input  wire [3:0] cell_0,      // stage 6: the cell, after it
  input  wire       cell_full_0, // stage 6: it is at its greatest value
  output wire       seen,        // stage 7: all probes up to this one found their cell above 0
  output wire [3:0] least_0,     // stage 7: the least of their cells
  output wire       full_0       // stage 7: one of them is at its greatest value
);
  reg       seen_r;
  reg [3:0] least_r_0;
  reg       full_r_0;

  assign seen = seen_r;
  assign least_0 = least_r_0;
  assign full_0 = full_r_0;

  initial begin
    seen_r = 1'b0;
    least_r_0 = 4'd0;
    full_r_0 = 1'b0;
  end

  always @(posedge clock) begin
    seen_r <= above && (first || seen_r);
    if (first || (cell_0 < least_r_0)) begin
      least_r_0 <= cell_0;
    end
    full_r_0 <= cell_full_0 || (full_r_0 && !first);
  end
endmodule

// The least of an item's cells and its amount: what an insertion raises them to. Source: Estan and Varghese, SIGCOMM 2002.
module item_level (
  input  wire       clock,
  input  wire       looked,      // stage 7: the last look of an item
  input  wire       inserting,   // stage 7: the item inserts
  input  wire [3:0] least,       // stage 7: the least of its cells
  input  wire       seen,        // stage 7: all of them are above 0
  input  wire       full,        // stage 7: one of them is at its greatest value
  output wire [3:0] level,       // stage 8 and on: the least of its cells after the item
  output wire       seen_before, // stage 8: all of them were above 0
  output wire       saturated    // stage 8: one of them is at its greatest value after the item
);
  localparam [3:0] one      = 4'd1;
  localparam [3:0] greatest = 4'd15;

  reg [3:0] level_r;
  reg       seen_r;
  reg       full_r;

  wire [3:0] addend;
  wire [4:0] total;

  assign addend = one;
  assign total = {1'b0, least} + {1'b0, addend};
  assign level = level_r;
  assign seen_before = seen_r;
  assign saturated = full_r || (&level_r);

  initial begin
    level_r = 4'd0;
    seen_r = 1'b0;
    full_r = 1'b0;
  end

  always @(posedge clock) begin
    if (looked) begin
      level_r <= least;
      if (inserting) begin
        level_r <= total[3:0];
        if (total[4]) begin
          level_r <= greatest;
        end
      end
    end
    seen_r <= seen;
    full_r <= full;
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

// 64 entries of 8 bits in distributed RAM; reads without a clock.
module queue_memory_2 (
  input  wire       clock,
  input  wire       write_enable,  // write this clock
  input  wire [5:0] write_address, // entry to write
  input  wire [7:0] write_data,    // its value
  input  wire [5:0] read_address,  // entry to read
  output wire [7:0] read_data      // its value, in the same clock
);
  reg [7:0] entries [0:63];
  integer i;

  initial begin
    for (i = 0; i <= 63; i = i + 1) entries[i] = 8'd0;
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
  input  wire [7:0]  flags,    // verdict: estimate, saturated, underflow, seen, reached
  input  wire        ready,    // the stream takes the beat
  output wire        valid,    // a beat is offered
  output wire [7:0]  data,     // its verdict
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
  reg [7:0]  data_r;
  reg [15:0] tag_r;
  reg        credit_r;

  wire        load;
  wire [15:0] tags_read_data;
  wire [7:0]  verdicts_read_data;

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
    data_r = 8'd0;
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
  input  wire [12:0] live_0,         // register STATUS
  input  wire [31:0] counter_low_0,  // counter ITEMS, lower half
  input  wire [31:0] counter_low_1,  // counter REPORTED, lower half
  input  wire [31:0] counter_low_2,  // counter INSERTED, lower half
  input  wire [31:0] counter_low_3,  // counter SATURATED, lower half
  input  wire [31:0] counter_low_4,  // counter STALL_CONTROL, lower half
  input  wire [31:0] counter_low_5,  // counter STALL_VERDICT, lower half
  input  wire [31:0] counter_high_0, // counter ITEMS, upper half, a clock late
  input  wire [31:0] counter_high_1, // counter REPORTED, upper half, a clock late
  input  wire [31:0] counter_high_2, // counter INSERTED, upper half, a clock late
  input  wire [31:0] counter_high_3, // counter SATURATED, upper half, a clock late
  input  wire [31:0] counter_high_4, // counter STALL_CONTROL, upper half, a clock late
  input  wire [31:0] counter_high_5, // counter STALL_VERDICT, upper half, a clock late
  input  wire        hold_reads_0,   // take no read
  input  wire        finished,       // what is pending is done
  input  wire        load_0,         // load ARRAY_DATA
  input  wire [31:0] load_value_0,   // its value
  output wire [3:0]  value_0,        // register THRESHOLD
  output wire [10:0] value_1,        // register ARRAY_ADDRESS
  output wire [31:0] value_2,        // register ARRAY_DATA
  output wire        stored_0,       // ARRAY_DATA is being written
  output wire        clear_pending,  // a clear was written and is not done
  output wire        write_pending   // a clear or ARRAY_ADDRESS or ARRAY_DATA was written and is not done
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
  localparam [31:0] fixed_value_2    = 32'h416798de;
  localparam [31:0] fixed_value_3    = 32'h17614ee8;
  localparam [31:0] fixed_value_4    = 32'h40;
  localparam [31:0] fixed_value_5    = 32'd4;
  localparam [31:0] fixed_value_6    = 32'd1;
  localparam [31:0] fixed_value_7    = 32'h80;
  localparam [31:0] fixed_value_8    = 32'd0;
  localparam [31:0] fixed_value_9    = 32'd6;
  localparam [31:0] fixed_value_10   = 32'd1;
  localparam [31:0] fixed_value_11   = 32'd0;
  localparam [5:0]  live_address_0   = 6'd20;
  localparam [5:0]  value_address_0  = 6'd21;
  localparam [5:0]  value_address_1  = 6'd26;
  localparam [5:0]  value_address_2  = 6'd27;
  localparam [3:0]  value_reset_0    = 4'd5;              // THRESHOLD after reset
  localparam [10:0] value_reset_1    = 11'd0;             // ARRAY_ADDRESS after reset
  localparam [31:0] value_reset_2    = 32'd0;             // ARRAY_DATA after reset
  localparam [5:0]  low_address_0    = 6'd36;
  localparam [5:0]  low_address_1    = 6'd38;
  localparam [5:0]  low_address_2    = 6'd40;
  localparam [5:0]  low_address_3    = 6'd46;
  localparam [5:0]  low_address_4    = 6'd48;
  localparam [5:0]  low_address_5    = 6'd50;
  localparam [5:0]  high_address_0   = 6'd37;
  localparam [5:0]  high_address_1   = 6'd39;
  localparam [5:0]  high_address_2   = 6'd41;
  localparam [5:0]  high_address_3   = 6'd47;
  localparam [5:0]  high_address_4   = 6'd49;
  localparam [5:0]  high_address_5   = 6'd51;
  localparam [63:0] mapped_words     = 64'hfc3f70c3f001f; // bit w: there is a register at word w
  localparam [63:0] writable_words   = 64'hc280000;       // bit w: that a host may write
  localparam [5:0]  control_address  = 6'd19;
  localparam        commands         = 1'b1;              // bits of CONTROL that command something
  localparam        clears           = 1'b1;              // those that clear
  localparam [1:0]  okay             = 2'd0;
  localparam [1:0]  slave_error      = 2'd2;
  localparam [1:0]  decode_error     = 2'd3;
  localparam [31:0] zero             = 32'd0;

  reg [3:0]  value_r_0;
  reg [10:0] value_r_1;
  reg [31:0] value_r_2;
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
  reg        to_value_r_0;
  reg        to_value_r_1;
  reg        to_value_r_2;
  reg        unwritable_r;
  reg        control_wide;    // the data are wider than CONTROL
  reg        value_wide_0;    // wider than THRESHOLD
  reg        value_wide_1;    // wider than ARRAY_ADDRESS
  reg        value_wide_2;    // wider than ARRAY_DATA
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
  reg        value_hit_0;
  reg        value_hit_1;
  reg        value_hit_2;
  reg        low_hit_0;
  reg        low_hit_1;
  reg        low_hit_2;
  reg        low_hit_3;
  reg        low_hit_4;
  reg        low_hit_5;
  reg        low_hit_late_0;
  reg        low_hit_late_1;
  reg        low_hit_late_2;
  reg        low_hit_late_3;
  reg        low_hit_late_4;
  reg        low_hit_late_5;
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
  wire        to_value_0;
  wire        to_value_1;
  wire        to_value_2;
  wire        command;
  wire        commanded;
  wire        writable;
  reg         too_wide;
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
  assign to_value_0 = write_word == value_address_0;
  assign to_value_1 = write_word == value_address_1;
  assign to_value_2 = write_word == value_address_2;
  assign mapped = mapped_words[write_word];
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[0] & commands;
  assign commanded = legal && to_control_r && command;
  assign value_0 = value_r_0;
  assign value_1 = value_r_1;
  assign value_2 = value_r_2;
  assign stored_0 = legal && to_value_r_2;
  assign held = hold_reads_0;
  assign clear_pending = clear_r;
  assign write_pending = pending_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    value_r_0 = 4'd5;
    value_r_1 = 11'd0;
    value_r_2 = 32'd0;
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
    to_value_r_0 = 1'b0;
    to_value_r_1 = 1'b0;
    to_value_r_2 = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    value_wide_0 = 1'b0;
    value_wide_1 = 1'b0;
    value_wide_2 = 1'b0;
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
    value_hit_0 = 1'b0;
    value_hit_1 = 1'b0;
    value_hit_2 = 1'b0;
    low_hit_0 = 1'b0;
    low_hit_1 = 1'b0;
    low_hit_2 = 1'b0;
    low_hit_3 = 1'b0;
    low_hit_4 = 1'b0;
    low_hit_5 = 1'b0;
    low_hit_late_0 = 1'b0;
    low_hit_late_1 = 1'b0;
    low_hit_late_2 = 1'b0;
    low_hit_late_3 = 1'b0;
    low_hit_late_4 = 1'b0;
    low_hit_late_5 = 1'b0;
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
    too_wide = to_control_r && control_wide;
    too_wide = too_wide || (to_value_r_0 && value_wide_0);
    too_wide = too_wide || (to_value_r_1 && value_wide_1);
    too_wide = too_wide || (to_value_r_2 && value_wide_2);
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
      live_group = live_group | {19'd0, live_0};
      found = 1'b1;
    end
    if (value_hit_0) begin
      live_group = live_group | {28'd0, value_r_0};
      found = 1'b1;
    end
    if (value_hit_1) begin
      live_group = live_group | {21'd0, value_r_1};
      found = 1'b1;
    end
    if (value_hit_2) begin
      live_group = live_group | value_r_2;
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
    value_wide_0 <= |(wdata >> 4);
    value_wide_1 <= |(wdata >> 11);
    value_wide_2 <= |32'd0;
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;
    to_value_r_0 <= to_value_0;
    to_value_r_1 <= to_value_1;
    to_value_r_2 <= to_value_2;

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
    if (legal && to_value_r_1) begin
      pending_r <= 1'b1;
    end
    if (legal && to_value_r_0) begin
      value_r_0 <= wdata[3:0];
    end
    if (legal && to_value_r_1) begin
      value_r_1 <= wdata[10:0];
    end
    if (legal && to_value_r_2) begin
      value_r_2 <= wdata;
    end
    if (load_0) begin
      value_r_2 <= load_value_0;
    end
    if (stored_0) begin
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
    value_hit_0 <= read_word == value_address_0;
    value_hit_1 <= read_word == value_address_1;
    value_hit_2 <= read_word == value_address_2;
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
      value_r_0 <= value_reset_0;
      value_r_1 <= value_reset_1;
      value_r_2 <= value_reset_2;
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

// Counting Bloom filter, updated conservatively. Sources: CBF; Estan and Varghese, SIGCOMM 2002: 65536 bits in 1 bank(s) of cells of 4 bit(s).
// A query in 4 clocks, a probe in each; an insertion in 12: 4 probes look, 4 raise. Timing: cells.md.
module trending (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; empties the filter
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire [15:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [7:0]   m_verdict_tdata,  // {estimate, saturated, underflow, seen, reached}
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
  localparam [12:0] no_status = 13'd0;
  localparam [31:0] no_word   = 32'd0;

  reg [103:0] key;
  reg         storing;  // the access stores; if not, it fetches
  reg         push;
  reg [7:0]   verdict;
  reg         item;
  reg         inserted;

  wire        seen;
  wire [3:0]  estimate_0;
  wire        saturated_0;
  wire        above;
  wire        full;
  wire [10:0] array_address;
  wire [31:0] array_data;
  wire        in_bank_0;
  reg  [31:0] array_word;
  wire [31:0] store_word;
  wire [3:0]  threshold_0;
  reg  [7:0]  verdict_in;
  wire        changed;
  wire [12:0] status;
  wire        sequencer_inserting_0;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_force_clear;
  wire        sequencer_access;
  wire        sequencer_access_pending;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_probing_0;
  wire        sequencer_last_0;
  wire        sequencer_raising_0;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_direct;
  wire [10:0] slots_direct_address;
  wire [3:0]  slots_writing;
  wire        slots_accessing;
  wire        slots_inserting;
  wire        slots_clearing;
  wire        slots_recycled;
  wire        slots_fetched;
  wire        slots_item;
  wire        slots_inserted;
  wire        slots_answering;
  wire        slots_entering_raise_0;
  wire        slots_looked_0;
  wire        slots_level_wanted_0;
  wire [13:0] hash_index_0;
  wire [13:0] hash_index_1;
  wire [13:0] hash_index_2;
  wire [13:0] hash_index_3;
  wire [13:0] probes_0_index;
  wire [13:0] raise_index_0_q;
  wire        entering_0_q;
  reg  [13:0] bank_0_index;
  wire        bank_0_storing;
  wire        bank_0_above;
  wire [3:0]  bank_0_cell_0;
  wire        bank_0_cell_full_0;
  wire [31:0] bank_0_word_6;
  wire        bank_0_full;
  wire        epochs_phase;
  wire [3:0]  epochs_active_epoch;
  wire [3:0]  epochs_active_epoch_6;
  wire [3:0]  epochs_write_epoch;
  wire        epochs_covered;
  wire        epochs_blocked;
  wire [3:0]  epochs_spare;
  wire        first_0_q;
  wire        fold_0_seen;
  wire [3:0]  fold_0_least_0;
  wire        fold_0_full_0;
  wire [3:0]  level_0_level;
  wire        level_0_seen_before;
  wire        level_0_saturated;
  wire        verdicts_claim;
  wire        verdicts_valid;
  wire [7:0]  verdicts_data;
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
  wire        registers_load_0;
  wire [3:0]  registers_value_0;
  wire [10:0] registers_value_1;
  wire [31:0] registers_value_2;
  wire        registers_stored_0;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire [31:0] counter_0_low;
  wire [31:0] counter_0_high;
  wire        counter_1_event_;
  wire [31:0] counter_1_low;
  wire [31:0] counter_1_high;
  wire [31:0] counter_2_low;
  wire [31:0] counter_2_high;
  wire        counter_3_event_;
  wire [31:0] counter_3_low;
  wire [31:0] counter_3_high;
  wire [31:0] counter_4_low;
  wire [31:0] counter_4_high;
  wire [31:0] counter_5_low;
  wire [31:0] counter_5_high;
  wire [3:0]  estimate_word_0_input;

  // admission
  cell_sequencer sequencer (
    .clock          (clock),
    .reset          (reset),
    .valid          (s_item_tvalid),
    .inserting_0    (sequencer_inserting_0),
    .clear_pending  (registers_clear_pending),
    .write_pending  (registers_write_pending),
    .blocked        (epochs_blocked),
    .credit         (verdicts_credit),
    .ready          (sequencer_ready),
    .accept         (sequencer_accept),
    .force_clear    (sequencer_force_clear),
    .access         (sequencer_access),
    .access_pending (sequencer_access_pending),
    .finished       (sequencer_finished),
    .running        (sequencer_running),
    .probing_0      (sequencer_probing_0),
    .last_0         (sequencer_last_0),
    .raising_0      (sequencer_raising_0),
    .stall_control  (sequencer_stall_control),
    .stall_verdict  (sequencer_stall_verdict)
  );

  // slots, hash and banks
  cell_slots slots (
    .clock            (clock),
    .reset            (reset),
    .accept           (sequencer_accept),
    .operation        (s_item_tuser),
    .probing_0        (sequencer_probing_0),
    .last_0           (sequencer_last_0),
    .raising_0        (sequencer_raising_0),
    .force_clear      (sequencer_force_clear),
    .access           (sequencer_access),
    .access_address   (array_address),
    .covered          (epochs_covered),
    .direct           (slots_direct),
    .direct_address   (slots_direct_address),
    .writing          (slots_writing),
    .accessing        (slots_accessing),
    .inserting        (slots_inserting),
    .clearing         (slots_clearing),
    .recycled         (slots_recycled),
    .fetched          (slots_fetched),
    .item             (slots_item),
    .inserted         (slots_inserted),
    .answering        (slots_answering),
    .entering_raise_0 (slots_entering_raise_0),
    .looked_0         (slots_looked_0),
    .level_wanted_0   (slots_level_wanted_0)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1),
    .index_2 (hash_index_2),
    .index_3 (hash_index_3)
  );

  probe_line probes_0 (
    .clock      (clock),
    .load       (entering_0_q),
    .position_0 (hash_index_0),
    .position_1 (hash_index_1),
    .position_2 (hash_index_2),
    .position_3 (hash_index_3),
    .index      (probes_0_index)
  );

  // a raise goes where its look went
  delay_14x8 raise_index_0 (
    .clock (clock),
    .d     (probes_0_index),
    .q     (raise_index_0_q)
  );

  delay_1x4 entering_0 (
    .clock (clock),
    .d     (sequencer_accept),
    .q     (entering_0_q)
  );

  cell_bank bank_0 (
    .clock          (clock),
    .index          (bank_0_index),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .writing        (slots_writing),
    .storing        (bank_0_storing),
    .store_word     (store_word),
    .epoch          (epochs_active_epoch),
    .inserting      (slots_inserting),
    .amount_0       (level_0_level),
    .write_epoch    (epochs_write_epoch),
    .recycled       (slots_recycled),
    .above          (bank_0_above),
    .cell_0         (bank_0_cell_0),
    .cell_full_0    (bank_0_cell_full_0),
    .word_6         (bank_0_word_6),
    .full           (bank_0_full)
  );

  epoch_guard epochs (
    .clock          (clock),
    .trip           (slots_clearing),
    .recycled       (slots_recycled),
    .all_full       (full),
    .phase          (epochs_phase),
    .active_epoch   (epochs_active_epoch),
    .active_epoch_6 (epochs_active_epoch_6),
    .write_epoch    (epochs_write_epoch),
    .covered        (epochs_covered),
    .blocked        (epochs_blocked),
    .spare          (epochs_spare)
  );

  // verdict
  delay_1x7 first_0 (
    .clock (clock),
    .d     (entering_0_q),
    .q     (first_0_q)
  );

  item_fold fold_0 (
    .clock       (clock),
    .first       (first_0_q),
    .above       (above),
    .cell_0      (bank_0_cell_0),
    .cell_full_0 (bank_0_cell_full_0),
    .seen        (fold_0_seen),
    .least_0     (fold_0_least_0),
    .full_0      (fold_0_full_0)
  );

  // what an insertion makes of the least
  item_level level_0 (
    .clock       (clock),
    .looked      (slots_looked_0),
    .inserting   (slots_level_wanted_0),
    .least       (fold_0_least_0),
    .seen        (fold_0_seen),
    .full        (fold_0_full_0),
    .level       (level_0_level),
    .seen_before (level_0_seen_before),
    .saturated   (level_0_saturated)
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
    .counter_high_0 (counter_0_high),
    .counter_high_1 (counter_1_high),
    .counter_high_2 (counter_2_high),
    .counter_high_3 (counter_3_high),
    .counter_high_4 (counter_4_high),
    .counter_high_5 (counter_5_high),
    .hold_reads_0   (sequencer_access_pending),
    .finished       (sequencer_finished),
    .load_0         (registers_load_0),
    .load_value_0   (array_word),
    .value_0        (registers_value_0),
    .value_1        (registers_value_1),
    .value_2        (registers_value_2),
    .stored_0       (registers_stored_0),
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
    .event_ (counter_3_event_),
    .low    (counter_3_low),
    .high   (counter_3_high)
  );

  event_counter counter_4 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_control),
    .low    (counter_4_low),
    .high   (counter_4_high)
  );

  event_counter counter_5 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_verdict),
    .low    (counter_5_low),
    .high   (counter_5_high)
  );

  assign s_item_tready = sequencer_ready;

  // access to the array: word of each bank, and which bank it is about
  assign array_address = registers_value_1;
  assign array_data = registers_value_2;
  assign store_word = array_data;
  assign in_bank_0 = 1'b1;
  assign sequencer_inserting_0 = s_item_tuser != 2'd0;
  assign bank_0_storing = slots_accessing && storing && in_bank_0;
  assign above = bank_0_above;
  assign full = bank_0_full;
  assign estimate_0 = level_0_level;
  assign seen = level_0_seen_before;
  assign saturated_0 = level_0_saturated;
  assign threshold_0 = registers_value_0;
  assign estimate_word_0_input = estimate_0;
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign changed = inserted;
  assign counter_1_event_ = item && verdict[0];
  assign counter_3_event_ = changed && verdict[3];

  // registers
  assign status = no_status | {12'd0, sequencer_running} | ({9'd0, epochs_active_epoch} << 4) | ({9'd0, epochs_spare} << 8) | ({12'd0, epochs_covered} << 12);
  assign registers_load_0 = slots_fetched && !storing;
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
    storing = 1'b0;
    push = 1'b0;
    verdict = 8'd0;
    item = 1'b0;
    inserted = 1'b0;
  end

  always @* begin
    bank_0_index = probes_0_index;
    if (slots_entering_raise_0) begin
      bank_0_index = raise_index_0_q;
    end
  end

  always @* begin
    array_word = no_word;
    if (in_bank_0) begin
      array_word = array_word | bank_0_word_6;
    end
  end

  always @* begin
    verdict_in = {4'd0, estimate_word_0_input} << 4;
    verdict_in[0] = estimate_0 >= threshold_0;
    verdict_in[1] = seen;
    verdict_in[3] = saturated_0;
  end

  always @(posedge clock) begin
    if (registers_stored_0) begin
      storing <= 1'b1;
    end else if (sequencer_finished || reset) begin
      storing <= 1'b0;
    end
    key <= s_item_tdata;
    verdict <= verdict_in;
    push <= slots_answering && !reset;
    item <= slots_item && !reset;
    inserted <= slots_inserted && !reset;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, epochs_phase, epochs_active_epoch_6};
endmodule
