// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

// Says when the item stream is ready, and acts between two items: clear, recycle, a new threshold, bits of a host, ageing, start after reset.
// RUN; on a request DRAIN (let every item retire, then force the recycles or set the bits it asks for), LOAD (take threshold and count), RUN.
module sequencer (
  input  wire        clock,
  input  wire        reset,           // start with two empty halves
  input  wire        valid,           // an item is offered
  input  wire        clear_pending,   // a clear was written
  input  wire        write_pending,   // a clear, a recycle, a threshold or bits were written
  input  wire [31:0] max_age,         // age limit of the active half in ticks of 1024 clocks; 0: none
  input  wire        trip,            // the slot in stage D recycles
  input  wire        blocked,         // the active half has no spare epoch
  input  wire        one_at_a_time,   // admit an item only when the one before has retired
  input  wire        credit,          // the verdict queue has room for what is in flight and more
  input  wire        recycle_pending, // a recycle was written
  input  wire        set_asked,       // a host writes bits of the array
  input  wire        fetch_asked,     // a host asks for a word of the array
  output wire        ready,           // the item stream is ready
  output wire        accept,          // an item is accepted
  output wire        force_recycle,   // issue a recycle without an item
  output wire        aged,            // it is one by age or command
  output wire        fetch,           // issue the fetch of a word
  output wire        set,             // issue the setting of bits in one
  output wire        take_limit,      // take the threshold register into force
  output wire        load_room,       // load the decision loop
  output wire        finished,        // pending clear and threshold are done
  output wire        running,         // state RUN
  output wire        stall_recycle,   // not ready: waiting for an epoch to become free, or one item at a time
  output wire        stall_control,   // not ready: a command, a threshold, ageing, a word to be fetched or bits to be set, or start
  output wire        stall_verdict    // not ready: back-pressure of the verdict stream
);
  localparam [4:0]  retire              = 5'd29;   // clocks until an item accepted now has left every trace
  localparam [4:0]  load_clocks         = 5'd7;
  localparam [1:0]  clear_forces        = 2'd2;    // recycles that empty everything
  localparam [1:0]  one_force           = 2'd1;
  localparam [1:0]  no_force            = 2'd0;
  localparam [31:0] no_age              = 32'd0;
  localparam [4:0]  no_hold             = 5'd0;
  localparam [4:0]  before_still        = 5'd16;   // hold in the clock before still
  localparam [9:0]  no_tick             = 10'd0;
  localparam [9:0]  tick_before_last    = 10'h3fe;
  localparam [3:0]  interval_less_one_0 = 4'd13;   // clocks of an item behind its first

  reg        run_r;
  reg        load_r;
  reg [4:0]  waiting;
  reg        waited;     // waiting has come to 0; it counts on
  reg [4:0]  hold;
  reg        holding;    // one at a time: the last item has not retired (hold counts on)
  reg        still;      // the last item has its words in memory when a fetch issued now reads
  reg        fetch_due;  // a word is to be fetched
  reg        set_due;    // bits are to be set in one
  reg        sets;       // what is forced sets bits
  reg [1:0]  forces;
  reg        force_due;  // DRAIN, waited, forces > 0
  reg        first_load; // LOAD, waiting = load_clocks
  reg        last_load;  // LOAD, waiting = 1
  reg        aged_r;
  reg        serving;
  reg        ready_r;
  reg        recycle_r;
  reg        control_r;
  reg        verdict_r;
  reg [9:0]  tick;
  reg        last_tick;  // every bit of tick is set
  reg [31:0] age;
  reg        oldest;     // age cannot grow; a clock late, of 1024 between two ticks
  reg        age_due;
  reg [3:0]  fold_0;     // clocks until the next item may come, and one
  reg        folding_0;  // they are two or more (fold counts on)

  wire request;
  wire accepted;
  wire forcing;
  wire setting;
  wire fetching;
  wire may_run;
  wire may_recycle;

  assign accepted = valid && ready_r;
  assign request = write_pending || age_due;

  // what happens between items; comparisons with counters are made a clock ahead
  assign forcing = force_due && !sets && !blocked;
  assign setting = force_due && sets;
  assign take_limit = first_load;
  assign load_room = last_load;
  assign finished = load_r && waited && serving;
  assign force_recycle = forcing && !reset;
  assign aged = forcing && aged_r && !reset;
  assign set = setting && !reset;
  assign fetching = run_r && fetch_due && still && !ready_r;
  assign fetch = fetching && !reset;
  assign may_run = run_r && !request && !fetch_due;
  assign may_recycle = !blocked && !holding && !(one_at_a_time && accepted);
  assign ready = ready_r;
  assign accept = accepted;
  assign running = run_r;
  assign stall_recycle = recycle_r;
  assign stall_control = control_r;
  assign stall_verdict = verdict_r;

  initial begin
    run_r = 1'b0;
    load_r = 1'b0;
    waiting = 5'd29;
    waited = 1'b0;
    hold = 5'd0;
    holding = 1'b0;
    still = 1'b1;
    fetch_due = 1'b0;
    set_due = 1'b0;
    sets = 1'b0;
    forces = 2'd2;
    force_due = 1'b0;
    first_load = 1'b0;
    last_load = 1'b0;
    aged_r = 1'b0;
    serving = 1'b0;
    ready_r = 1'b0;
    recycle_r = 1'b0;
    control_r = 1'b0;
    verdict_r = 1'b0;
    tick = 10'd0;
    last_tick = 1'b0;
    age = 32'd0;
    oldest = 1'b0;
    age_due = 1'b0;
    fold_0 = 4'd0;
    folding_0 = 1'b0;
  end

  always @(posedge clock) begin
    sets <= sets && !setting;
    set_due <= set_asked || (set_due && !setting);
    waiting <= waiting - 5'd1;
    waited <= waited || (waiting == 5'd1);
    force_due <= force_due && !sets && blocked;
    first_load <= 1'b0;
    last_load <= 1'b0;
    if (run_r) begin
      // what a request asks for is taken in every clock and counts from the clock that leaves RUN
      run_r <= !request;
      waiting <= retire;
      waited <= 1'b0;
      aged_r <= !clear_pending;
      serving <= write_pending;
      sets <= set_due;
      forces <= no_force;
      if (clear_pending) begin
        forces <= clear_forces;
      end else if (set_due || recycle_pending || age_due) begin
        forces <= one_force;
      end
    end else if (!waited) begin
      force_due <= !load_r && (|forces) && (waiting == 5'd1);
      last_load <= load_r && (waiting == 5'd2);
    end else if (load_r) begin
      load_r <= 1'b0;
      run_r <= 1'b1;
    end else if (!(|forces)) begin
      load_r <= 1'b1;
      first_load <= 1'b1;
      waiting <= load_clocks;
      waited <= 1'b0;
    end else if (forcing || setting) begin
      forces <= forces - 2'd1;
      waiting <= retire;
      waited <= 1'b0;
    end

    // a word for the host: when the last item's words are written, in a clock without one
    still <= (still || (hold == before_still)) && !accepted;
    fetch_due <= fetch_asked || (fetch_due && !fetching);

    // admission
    holding <= holding && (hold != 5'd1);
    if (accepted) begin
      hold <= retire;
      holding <= one_at_a_time;
    end else begin
      hold <= hold - 5'd1;
    end
    ready_r <= may_run && may_recycle && credit && !reset;
    control_r <= !may_run && !reset;
    recycle_r <= may_run && !may_recycle && !reset;
    verdict_r <= may_run && may_recycle && !credit && !reset;

    // an item takes the clocks of its probes, of reads and writes; they are no stall
    fold_0 <= fold_0 - 4'd1;
    folding_0 <= folding_0 && (fold_0 != 4'd2);
    if (accepted) begin
      fold_0 <= interval_less_one_0;
      folding_0 <= 1'b1;
    end
    if (accepted || folding_0) begin
      ready_r <= 1'b0;
      verdict_r <= 1'b0;
    end
    if (reset) begin
      folding_0 <= 1'b0;
    end

    // age of the active half
    tick <= tick + 10'd1;
    last_tick <= tick == tick_before_last;
    if (last_tick && !oldest) begin
      age <= age + 32'd1;
    end
    oldest <= (&age) && !trip;
    if (trip) begin
      age <= no_age;
    end
    age_due <= (|max_age) && (age >= max_age);
    if (reset) begin
      run_r <= 1'b0;
      load_r <= 1'b0;
      waiting <= retire;
      waited <= 1'b0;
      hold <= no_hold;
      holding <= 1'b0;
      still <= 1'b1;
      fetch_due <= 1'b0;
      set_due <= 1'b0;
      sets <= 1'b0;
      forces <= clear_forces;
      force_due <= 1'b0;
      first_load <= 1'b0;
      last_load <= 1'b0;
      aged_r <= 1'b0;
      serving <= 1'b0;
      tick <= no_tick;
      last_tick <= 1'b0;
      oldest <= 1'b0;
      age <= no_age;
      age_due <= 1'b0;
    end
  end
endmodule

// What stands in each stage: an item, a forced recycle, a word for the host, a refresh or nothing. A slot left empty while the array is idle refreshes
// one word of the active half with its present contents, so that it bears the current epoch.
module shared_array_slots (
  input  wire       clock,
  input  wire       reset,            // empties every slot that has not been decided
  input  wire       accept,           // an item is accepted
  input  wire [1:0] operation,        // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire       force_recycle,    // a recycle without an item is issued
  input  wire       fetch,            // the fetch of a word for the host is issued
  input  wire [9:0] fetch_address,    // that word
  input  wire       set,              // the setting of bits in it is issued
  input  wire       covered,          // no word of the active half needs a refresh
  input  wire       trip,             // the slot in stage D recycles
  output wire       load,             // an item enters stage 0
  output wire       ring_hold,        // an item in stages k to D - 2
  output wire       store_hold,       // an item in stages D - 2 and D - 1
  output wire       first,            // an item in stage 5
  output reg        direct,           // a refresh, a fetch or a set in stage 0
  output reg  [9:0] direct_address,   // its word
  output wire       refreshing,       // stage 4: a refresh or a set that will be written
  output wire       before_inserting, // the slot in stage D - 1 inserts
  output wire       forced,           // the slot in stage D - 1 recycles in any case
  output wire       item,             // stage D: an item
  output wire       inserting,        // stage D: it inserts
  output wire       answering,        // stage D: it wants a verdict
  output wire       writing,          // stages D to D + k - 1: a word is written in the next clock
  output wire       emptied,          // then: the item recycled
  output wire       recycled,         // stage W: the slot recycled
  output wire       fetched,          // stage 4: a fetch, whose word is there
  output wire       found             // stage 4: a set, the word before it is there
);
  localparam        retain            = 1'b1;  // the item that trips opens the new cycle
  localparam [3:0]  interval_less_one = 4'd13;
  localparam [20:0] no_line           = 21'd0;
  localparam [19:0] no_force          = 20'd0;
  localparam [4:0]  no_refresh        = 5'd0;
  localparam [14:0] no_fetch          = 15'd0;

  reg [20:0] item_line;
  reg [20:0] insert_line;
  reg [20:0] answer_line;
  reg [19:0] force_line;
  reg [4:0]  refresh_line;
  reg [14:0] fetch_line;
  reg [14:0] set_line;
  reg [2:0]  store_line_0;
  reg [9:0]  address;
  reg [9:0]  address_0;
  reg        busy;         // the array is taken, or will be until a refresh could read (busy_clocks counts on)
  reg [3:0]  busy_clocks;
  reg        emptied_r;
  reg        trip_w;

  wire       entering_insert;
  wire       entering_answer;
  wire       entering;
  wire       entering_refresh;
  wire       entering_set;
  wire [4:0] holding_ring;
  wire [1:0] holding_store;
  wire [3:0] near;
  wire       storing;
  wire       to_write;
  wire       empty;

  assign entering_insert = accept && (operation != 2'd0);
  assign entering_answer = accept && (operation != 2'd1);
  assign entering_set = set_line[9];

  // an empty slot becomes a refresh where it enters stage 0, if the array is idle and no set is on its way
  assign load = item_line[9];
  assign entering = item_line[9] || force_line[9];
  assign entering_refresh = !reset && !covered && !busy && !entering && !fetch_line[9] && !(|set_line);
  assign fetched = fetch_line[14];
  assign found = set_line[14];

  // it is dropped if the item or set behind it has begun to read when it would be written, or a fetch reads then
  assign near = item_line[13:10] | set_line[13:10];
  assign refreshing = refresh_line[4] && !(|near) && !fetch_line[10] && !reset;

  // before the decision
  assign holding_ring = item_line[18:14];
  assign holding_store = item_line[19:18];
  assign ring_hold = |holding_ring;
  assign store_hold = |holding_store;
  assign first = item_line[15];
  assign before_inserting = insert_line[19];
  assign forced = force_line[19];

  // at the decision
  assign item = item_line[20];
  assign inserting = insert_line[20];
  assign answering = answer_line[20];

  // from it on: not reset, what has been decided is finished
  assign storing = insert_line[20] && (retain || !trip);
  assign to_write = storing || (|store_line_0);
  assign writing = to_write;
  assign empty = trip || emptied_r;
  assign emptied = empty;
  assign recycled = trip_w;

  initial begin
    item_line = 21'd0;
    insert_line = 21'd0;
    answer_line = 21'd0;
    force_line = 20'd0;
    refresh_line = 5'd0;
    fetch_line = 15'd0;
    set_line = 15'd0;
    store_line_0 = 3'd0;
    address = 10'd0;
    address_0 = 10'd0;
    busy = 1'b0;
    busy_clocks = 4'd0;
    emptied_r = 1'b0;
    trip_w = 1'b0;
  end

  always @* begin
    direct = refresh_line[0];
    direct_address = address_0;
    if (fetch_line[10] || set_line[10]) begin
      direct = 1'b1;
      direct_address = fetch_address;
    end
  end

  always @(posedge clock) begin
    item_line <= {item_line[19:0], accept};
    insert_line <= {insert_line[19:0], entering_insert};
    answer_line <= {answer_line[19:0], entering_answer};
    force_line <= {force_line[18:0], force_recycle};
    fetch_line <= {fetch_line[13:0], fetch};
    set_line <= {set_line[13:0], set};
    busy_clocks <= busy_clocks - 4'd1;
    busy <= busy && (busy_clocks != 4'd1);
    if (entering && !reset) begin
      busy_clocks <= interval_less_one;
      busy <= 1'b1;
    end
    refresh_line <= {refresh_line[3:0], entering_refresh || entering_set};
    if (entering_refresh) begin
      address <= address + 10'd1;
    end
    address_0 <= address;
    if (reset) begin
      item_line <= no_line;
      insert_line <= no_line;
      answer_line <= no_line;
      force_line <= no_force;
      refresh_line <= no_refresh;
      fetch_line <= no_fetch;
      set_line <= no_fetch;
    end
    store_line_0 <= {store_line_0[1:0], storing};
    emptied_r <= empty && to_write;
    trip_w <= trip;
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
  assign y[0] = x[5] ^ x[6] ^ x[34] ^ x[36] ^ x[39] ^ x[40] ^ x[46] ^ x[58] ^ x[75] ^ x[77] ^ x[80] ^ x[83] ^ x[99] ^ x[101] ^ x[102] ^ 1'b1;
  assign y[1] = x[2] ^ x[15] ^ x[27] ^ x[31] ^ x[33] ^ x[54] ^ x[56] ^ x[63] ^ x[64] ^ x[66] ^ x[71] ^ x[72] ^ x[85] ^ x[93] ^ x[98] ^ x[103]
    ^ 1'b1;
  assign y[2] = x[9] ^ x[23] ^ x[30] ^ x[38] ^ x[43] ^ x[81] ^ x[89] ^ 1'b1;
  assign y[3] = x[7] ^ x[12] ^ x[20] ^ x[21] ^ x[22] ^ x[25] ^ x[49] ^ x[51] ^ x[55] ^ x[61] ^ x[68] ^ x[69] ^ x[78] ^ x[86] ^ x[87] ^ x[92]
    ^ x[97];
  assign y[4] = x[3] ^ x[4] ^ x[16] ^ x[24] ^ x[53] ^ x[60] ^ x[76] ^ x[88] ^ x[91];
  assign y[5] = x[1] ^ x[11] ^ x[13] ^ x[14] ^ x[26] ^ x[29] ^ x[41] ^ x[42] ^ x[44] ^ x[48] ^ x[52] ^ x[57] ^ x[59] ^ x[62] ^ x[70] ^ x[95]
    ^ 1'b1;
  assign y[6] = x[0] ^ x[17] ^ x[19] ^ x[28] ^ x[35] ^ x[37] ^ x[45] ^ x[65] ^ x[79] ^ x[82] ^ x[90] ^ x[96] ^ x[100] ^ 1'b1;
  assign y[7] = x[8] ^ x[10] ^ x[18] ^ x[32] ^ x[47] ^ x[50] ^ x[67] ^ x[73] ^ x[74] ^ x[84] ^ x[94];
  assign y[8] = x[6] ^ x[13] ^ x[29] ^ x[34] ^ x[38] ^ x[41] ^ x[42] ^ x[53] ^ x[67] ^ x[74] ^ x[77] ^ x[86] ^ x[95];
  assign y[9] = x[1] ^ x[8] ^ x[18] ^ x[55] ^ x[57] ^ x[62] ^ x[81] ^ x[101] ^ x[102] ^ x[103];
  assign y[10] = x[0] ^ x[5] ^ x[28] ^ x[32] ^ x[40] ^ x[61] ^ x[64] ^ x[66] ^ x[75] ^ x[88] ^ x[97];
  assign y[11] = x[9] ^ x[16] ^ x[20] ^ x[21] ^ x[23] ^ x[25] ^ x[33] ^ x[43] ^ x[44] ^ x[48] ^ x[54] ^ x[58] ^ x[65] ^ x[76] ^ x[80] ^ x[82]
    ^ x[90] ^ x[92] ^ x[100] ^ 1'b1;
  assign y[12] = x[4] ^ x[10] ^ x[11] ^ x[19] ^ x[22] ^ x[30] ^ x[37] ^ x[46] ^ x[47] ^ x[52] ^ x[56] ^ x[60] ^ x[71] ^ x[83] ^ x[85] ^ x[93];
  assign y[13] = x[2] ^ x[7] ^ x[26] ^ x[27] ^ x[35] ^ x[45] ^ x[59] ^ x[68] ^ x[69] ^ x[73] ^ x[78] ^ x[89] ^ x[91] ^ 1'b1;
  assign y[14] = x[3] ^ x[12] ^ x[14] ^ x[17] ^ x[36] ^ x[49] ^ x[70] ^ x[84] ^ x[87] ^ x[94] ^ x[96] ^ x[99];
  assign y[15] = x[15] ^ x[24] ^ x[31] ^ x[39] ^ x[50] ^ x[51] ^ x[63] ^ x[72] ^ x[79] ^ x[98] ^ 1'b1;
  assign y[16] = x[4] ^ x[11] ^ x[45] ^ x[55] ^ x[64] ^ x[83] ^ x[92];
  assign y[17] = x[13] ^ x[18] ^ x[34] ^ x[36] ^ x[44] ^ x[50] ^ x[67] ^ x[72] ^ x[89] ^ x[94] ^ x[97];
  assign y[18] = x[27] ^ x[37] ^ x[42] ^ x[43] ^ x[57] ^ x[63] ^ x[66] ^ x[79] ^ 1'b1;
  assign y[19] = x[15] ^ x[19] ^ x[20] ^ x[24] ^ x[32] ^ x[35] ^ x[49] ^ x[53] ^ x[54] ^ x[58] ^ x[74] ^ x[75] ^ x[78] ^ x[82] ^ x[85] ^ x[86]
    ^ x[95] ^ x[98] ^ 1'b1;
  assign y[20] = x[31] ^ x[39] ^ x[48] ^ x[51] ^ x[60] ^ x[65] ^ x[76] ^ x[80] ^ x[81] ^ x[84] ^ x[90] ^ x[101] ^ x[102] ^ x[103];
  assign y[21] = x[1] ^ x[6] ^ x[9] ^ x[21] ^ x[22] ^ x[25] ^ x[26] ^ x[28] ^ x[41] ^ x[47] ^ x[59] ^ x[68] ^ x[69] ^ x[71] ^ x[73] ^ x[99];
  assign y[22] = x[0] ^ x[2] ^ x[7] ^ x[10] ^ x[14] ^ x[16] ^ x[17] ^ x[29] ^ x[33] ^ x[38] ^ x[40] ^ x[61] ^ x[62] ^ x[70] ^ x[87] ^ x[91]
    ^ x[93] ^ 1'b1;
  assign y[23] = x[3] ^ x[5] ^ x[8] ^ x[12] ^ x[23] ^ x[30] ^ x[46] ^ x[52] ^ x[56] ^ x[77] ^ x[88] ^ x[96] ^ x[100];
  assign y[24] = x[1] ^ x[7] ^ x[9] ^ x[11] ^ x[17] ^ x[20] ^ x[21] ^ x[26] ^ x[64] ^ x[70] ^ x[93] ^ x[94] ^ x[96];
  assign y[25] = x[5] ^ x[6] ^ x[19] ^ x[23] ^ x[25] ^ x[37] ^ x[46] ^ x[49] ^ x[59] ^ x[66] ^ x[69] ^ x[72];
  assign y[26] = x[10] ^ x[13] ^ x[18] ^ x[28] ^ x[38] ^ x[67] ^ x[76] ^ x[87] ^ x[100] ^ x[103] ^ 1'b1;
  assign y[27] = x[4] ^ x[33] ^ x[36] ^ x[39] ^ x[45] ^ x[50] ^ x[51] ^ x[52] ^ x[53] ^ x[60] ^ x[71] ^ x[75] ^ x[78] ^ x[79] ^ x[80] ^ x[84]
    ^ 1'b1;
  assign y[28] = x[22] ^ x[29] ^ x[32] ^ x[40] ^ x[47] ^ x[48] ^ x[61] ^ x[83] ^ x[85] ^ x[97] ^ x[99] ^ 1'b1;
  assign y[29] = x[2] ^ x[41] ^ x[62] ^ x[63] ^ x[86] ^ x[91] ^ x[95] ^ x[98];
  assign y[30] = x[0] ^ x[3] ^ x[8] ^ x[14] ^ x[15] ^ x[24] ^ x[34] ^ x[42] ^ x[43] ^ x[65] ^ x[68] ^ x[73] ^ x[74] ^ x[77] ^ x[82] ^ x[90]
    ^ x[92] ^ 1'b1;
  assign y[31] = x[12] ^ x[16] ^ x[27] ^ x[30] ^ x[31] ^ x[35] ^ x[44] ^ x[54] ^ x[55] ^ x[56] ^ x[57] ^ x[58] ^ x[81] ^ x[88] ^ x[89] ^ x[101]
    ^ x[102];
  assign y[32] = x[12] ^ x[15] ^ x[30] ^ x[36] ^ x[41] ^ x[56] ^ x[57] ^ x[72] ^ x[74] ^ x[77] ^ x[91] ^ x[93] ^ x[96];
  assign y[33] = x[1] ^ x[3] ^ x[13] ^ x[14] ^ x[19] ^ x[23] ^ x[33] ^ x[37] ^ x[43] ^ x[51] ^ x[78] ^ x[82] ^ x[94] ^ x[97] ^ x[103] ^ 1'b1;
  assign y[34] = x[4] ^ x[8] ^ x[25] ^ x[32] ^ x[63] ^ x[68] ^ x[87] ^ x[89];
  assign y[35] = x[10] ^ x[27] ^ x[29] ^ x[40] ^ x[45] ^ x[46] ^ x[54] ^ x[59] ^ x[71] ^ x[80] ^ x[90] ^ x[95] ^ x[101];
  assign y[36] = x[0] ^ x[18] ^ x[20] ^ x[21] ^ x[22] ^ x[26] ^ x[31] ^ x[42] ^ x[47] ^ x[49] ^ x[52] ^ x[55] ^ x[60] ^ x[69] ^ x[79] ^ x[85]
    ^ 1'b1;
  assign y[37] = x[2] ^ x[5] ^ x[6] ^ x[7] ^ x[11] ^ x[16] ^ x[17] ^ x[28] ^ x[34] ^ x[35] ^ x[44] ^ x[53] ^ x[66] ^ x[67] ^ x[75] ^ x[81]
    ^ x[88] ^ x[98];
  assign y[38] = x[9] ^ x[38] ^ x[39] ^ x[48] ^ x[58] ^ x[61] ^ x[92] ^ x[99] ^ 1'b1;
  assign y[39] = x[24] ^ x[50] ^ x[62] ^ x[64] ^ x[65] ^ x[70] ^ x[73] ^ x[76] ^ x[83] ^ x[84] ^ x[86] ^ x[100] ^ x[102] ^ 1'b1;
  assign y[40] = x[0] ^ x[1] ^ x[8] ^ x[13] ^ x[14] ^ x[21] ^ x[24] ^ x[25] ^ x[34] ^ x[35] ^ x[36] ^ x[40] ^ x[46] ^ x[55] ^ x[57] ^ x[77]
    ^ x[80] ^ x[97];
  assign y[41] = x[10] ^ x[22] ^ x[29] ^ x[42] ^ x[43] ^ x[44] ^ x[53] ^ x[60] ^ x[76] ^ x[78] ^ x[82] ^ x[86] ^ x[87];
  assign y[42] = x[3] ^ x[5] ^ x[11] ^ x[17] ^ x[33] ^ x[41] ^ x[52] ^ x[54] ^ x[58] ^ x[71] ^ x[90] ^ x[92] ^ x[94] ^ x[96] ^ x[100] ^ 1'b1;
  assign y[43] = x[2] ^ x[12] ^ x[16] ^ x[20] ^ x[31] ^ x[38] ^ x[48] ^ x[49] ^ x[89] ^ 1'b1;
  assign y[44] = x[9] ^ x[15] ^ x[23] ^ x[37] ^ x[47] ^ x[68] ^ x[69] ^ x[79];
  assign y[45] = x[18] ^ x[45] ^ x[51] ^ x[56] ^ x[59] ^ x[62] ^ x[67] ^ x[72] ^ x[93] ^ x[99];
  assign y[46] = x[4] ^ x[6] ^ x[7] ^ x[26] ^ x[27] ^ x[30] ^ x[32] ^ x[39] ^ x[50] ^ x[61] ^ x[74] ^ x[84] ^ x[85] ^ x[91] ^ x[101];
  assign y[47] = x[19] ^ x[28] ^ x[63] ^ x[64] ^ x[65] ^ x[66] ^ x[70] ^ x[73] ^ x[75] ^ x[81] ^ x[83] ^ x[88] ^ x[95] ^ x[98] ^ x[102] ^ x[103];
  assign y[48] = x[8] ^ x[10] ^ x[12] ^ x[25] ^ x[26] ^ x[33] ^ x[34] ^ x[49] ^ x[58] ^ x[61] ^ x[62] ^ x[71] ^ x[85] ^ x[90];
  assign y[49] = x[4] ^ x[13] ^ x[16] ^ x[32] ^ x[42] ^ x[46] ^ x[78] ^ x[79] ^ x[84] ^ x[93] ^ x[96] ^ 1'b1;
  assign y[50] = x[15] ^ x[17] ^ x[18] ^ x[21] ^ x[35] ^ x[54] ^ x[60] ^ x[70] ^ x[72] ^ x[73] ^ x[86] ^ x[87] ^ x[91] ^ x[100];
  assign y[51] = x[2] ^ x[3] ^ x[40] ^ x[43] ^ x[64] ^ x[65] ^ x[76] ^ x[80] ^ x[88] ^ x[95] ^ x[97] ^ x[99];
  assign y[52] = x[5] ^ x[37] ^ x[44] ^ x[55] ^ x[56] ^ x[69] ^ x[77] ^ x[81] ^ x[83] ^ x[89];
  assign y[53] = x[1] ^ x[19] ^ x[22] ^ x[27] ^ x[30] ^ x[51] ^ x[52] ^ x[59] ^ x[63] ^ x[67] ^ x[68] ^ x[74] ^ x[92] ^ x[102];
  assign y[54] = x[6] ^ x[7] ^ x[9] ^ x[14] ^ x[28] ^ x[29] ^ x[31] ^ x[39] ^ x[41] ^ x[45] ^ x[50] ^ x[57] ^ x[94] ^ x[101];
  assign y[55] = x[0] ^ x[11] ^ x[20] ^ x[23] ^ x[24] ^ x[36] ^ x[38] ^ x[47] ^ x[48] ^ x[53] ^ x[66] ^ x[75] ^ x[82] ^ x[98] ^ x[103] ^ 1'b1;
  assign y[56] = x[3] ^ x[4] ^ x[5] ^ x[16] ^ x[18] ^ x[26] ^ x[36] ^ x[38] ^ x[41] ^ x[45] ^ x[51] ^ x[64] ^ x[68] ^ x[75] ^ x[81] ^ x[83]
    ^ x[84] ^ x[89] ^ x[96] ^ x[101];
  assign y[57] = x[2] ^ x[7] ^ x[11] ^ x[19] ^ x[22] ^ x[63] ^ x[80] ^ x[86] ^ x[94];
  assign y[58] = x[0] ^ x[10] ^ x[21] ^ x[27] ^ x[28] ^ x[31] ^ x[37] ^ x[44] ^ x[60] ^ x[65] ^ x[93] ^ 1'b1;
  assign y[59] = x[8] ^ x[20] ^ x[23] ^ x[34] ^ x[52] ^ x[53] ^ x[57] ^ x[59] ^ x[61] ^ x[70] ^ x[90] ^ x[97] ^ x[100];
  assign y[60] = x[12] ^ x[17] ^ x[46] ^ x[47] ^ x[48] ^ x[54] ^ x[56] ^ x[71] ^ x[74] ^ x[76] ^ 1'b1;
  assign y[61] = x[1] ^ x[13] ^ x[15] ^ x[24] ^ x[30] ^ x[32] ^ x[33] ^ x[39] ^ x[40] ^ x[42] ^ x[55] ^ x[58] ^ x[62] ^ x[67] ^ x[73] ^ x[79]
    ^ x[85] ^ x[87] ^ x[98];
  assign y[62] = x[6] ^ x[14] ^ x[35] ^ x[49] ^ x[50] ^ x[69] ^ x[72] ^ x[77] ^ x[82] ^ x[88] ^ x[91] ^ x[92] ^ x[95] ^ x[99] ^ x[102] ^ 1'b1;
  assign y[63] = x[9] ^ x[25] ^ x[29] ^ x[43] ^ x[66] ^ x[78] ^ x[103];
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

// Each output is the sum (exclusive or) of the key bits whose row has it, and of the offset's bit.
module hash_layer_1_3 (
  input  wire [103:0] x,
  output wire [63:0]  y
);
  assign y[0] = x[1] ^ x[10] ^ x[11] ^ x[25] ^ x[36] ^ x[47] ^ x[62] ^ x[70] ^ x[78] ^ x[93] ^ x[96] ^ x[101] ^ 1'b1;
  assign y[1] = x[0] ^ x[29] ^ x[31] ^ x[33] ^ x[37] ^ x[40] ^ x[44] ^ x[50] ^ x[52] ^ x[60] ^ x[76] ^ x[82] ^ x[85] ^ x[87] ^ x[98];
  assign y[2] = x[2] ^ x[5] ^ x[13] ^ x[22] ^ x[23] ^ x[28] ^ x[32] ^ x[35] ^ x[43] ^ x[89] ^ 1'b1;
  assign y[3] = x[6] ^ x[14] ^ x[17] ^ x[46] ^ x[61] ^ x[67] ^ x[75] ^ x[79] ^ x[86] ^ x[90] ^ x[102] ^ 1'b1;
  assign y[4] = x[12] ^ x[20] ^ x[34] ^ x[49] ^ x[58] ^ x[59] ^ x[68] ^ x[80] ^ x[91] ^ x[92] ^ x[95] ^ x[103] ^ 1'b1;
  assign y[5] = x[7] ^ x[15] ^ x[19] ^ x[27] ^ x[51] ^ x[54] ^ x[57] ^ x[63] ^ x[64] ^ x[72] ^ x[77] ^ x[94] ^ x[99];
  assign y[6] = x[9] ^ x[21] ^ x[24] ^ x[26] ^ x[30] ^ x[38] ^ x[45] ^ x[53] ^ x[56] ^ x[65] ^ x[69] ^ x[73] ^ x[74] ^ x[84] ^ x[97] ^ x[100];
  assign y[7] = x[3] ^ x[4] ^ x[8] ^ x[16] ^ x[18] ^ x[39] ^ x[41] ^ x[42] ^ x[48] ^ x[55] ^ x[66] ^ x[71] ^ x[81] ^ x[83] ^ x[88];
  assign y[8] = x[1] ^ x[25] ^ x[30] ^ x[34] ^ x[35] ^ x[45] ^ x[55] ^ x[72] ^ x[75] ^ x[82] ^ x[85] ^ x[88] ^ 1'b1;
  assign y[9] = x[2] ^ x[4] ^ x[15] ^ x[29] ^ x[41] ^ x[47] ^ x[48] ^ x[52] ^ x[57] ^ x[67] ^ x[74] ^ x[77] ^ x[92] ^ x[100] ^ 1'b1;
  assign y[10] = x[0] ^ x[20] ^ x[21] ^ x[32] ^ x[37] ^ x[38] ^ x[84] ^ x[102] ^ 1'b1;
  assign y[11] = x[13] ^ x[19] ^ x[26] ^ x[33] ^ x[44] ^ x[58] ^ x[59] ^ x[66] ^ x[71] ^ x[78] ^ x[94] ^ x[95] ^ x[96];
  assign y[12] = x[3] ^ x[11] ^ x[14] ^ x[18] ^ x[22] ^ x[40] ^ x[42] ^ x[49] ^ x[50] ^ x[51] ^ x[54] ^ x[60] ^ x[69] ^ x[76] ^ x[79] ^ x[80]
    ^ x[81] ^ x[83] ^ x[86] ^ x[98] ^ x[99];
  assign y[13] = x[7] ^ x[16] ^ x[23] ^ x[24] ^ x[27] ^ x[28] ^ x[36] ^ x[53] ^ x[62] ^ x[63] ^ x[65] ^ x[68] ^ x[90] ^ x[91] ^ 1'b1;
  assign y[14] = x[9] ^ x[10] ^ x[12] ^ x[31] ^ x[43] ^ x[56] ^ x[64] ^ x[73] ^ x[97] ^ x[103];
  assign y[15] = x[5] ^ x[6] ^ x[8] ^ x[17] ^ x[39] ^ x[46] ^ x[61] ^ x[70] ^ x[87] ^ x[89] ^ x[93] ^ x[101] ^ 1'b1;
  assign y[16] = x[3] ^ x[7] ^ x[13] ^ x[19] ^ x[26] ^ x[31] ^ x[41] ^ x[46] ^ x[58] ^ x[61] ^ x[64] ^ x[71] ^ x[76] ^ x[78] ^ x[79] ^ x[87]
    ^ x[93] ^ 1'b1;
  assign y[17] = x[1] ^ x[4] ^ x[11] ^ x[12] ^ x[25] ^ x[27] ^ x[54] ^ x[60] ^ x[65] ^ x[77] ^ x[80] ^ x[90] ^ 1'b1;
  assign y[18] = x[0] ^ x[30] ^ x[38] ^ x[49] ^ x[56] ^ x[83] ^ x[85] ^ x[97] ^ x[99] ^ x[103];
  assign y[19] = x[5] ^ x[9] ^ x[10] ^ x[17] ^ x[18] ^ x[21] ^ x[24] ^ x[40] ^ x[50] ^ x[53] ^ x[70] ^ x[82] ^ x[88] ^ x[89] ^ 1'b1;
  assign y[20] = x[8] ^ x[15] ^ x[20] ^ x[22] ^ x[32] ^ x[33] ^ x[34] ^ x[43] ^ x[57] ^ x[59] ^ x[63] ^ x[72] ^ x[86] ^ x[92] ^ x[94] ^ x[98]
    ^ x[101] ^ 1'b1;
  assign y[21] = x[2] ^ x[6] ^ x[16] ^ x[42] ^ x[51] ^ x[52] ^ x[62] ^ x[67] ^ x[73] ^ x[95] ^ 1'b1;
  assign y[22] = x[29] ^ x[35] ^ x[39] ^ x[44] ^ x[47] ^ x[48] ^ x[69] ^ x[74] ^ x[91] ^ x[96] ^ x[100];
  assign y[23] = x[14] ^ x[23] ^ x[28] ^ x[36] ^ x[37] ^ x[45] ^ x[55] ^ x[66] ^ x[68] ^ x[75] ^ x[81] ^ x[84] ^ x[102];
  assign y[24] = x[0] ^ x[1] ^ x[12] ^ x[19] ^ x[43] ^ x[66] ^ x[90] ^ x[96] ^ 1'b1;
  assign y[25] = x[10] ^ x[22] ^ x[38] ^ x[40] ^ x[42] ^ x[50] ^ x[56] ^ x[71] ^ x[75] ^ x[85] ^ x[99] ^ 1'b1;
  assign y[26] = x[4] ^ x[11] ^ x[14] ^ x[30] ^ x[32] ^ x[36] ^ x[49] ^ x[54] ^ x[57] ^ x[76] ^ x[84] ^ x[88] ^ x[95] ^ x[98] ^ 1'b1;
  assign y[27] = x[18] ^ x[20] ^ x[28] ^ x[33] ^ x[35] ^ x[41] ^ x[53] ^ x[60] ^ x[67] ^ x[70] ^ x[82] ^ x[101] ^ x[102];
  assign y[28] = x[2] ^ x[3] ^ x[8] ^ x[46] ^ x[48] ^ x[51] ^ x[55] ^ x[61] ^ x[68] ^ x[69] ^ x[73] ^ x[80] ^ x[81] ^ x[97] ^ x[103] ^ 1'b1;
  assign y[29] = x[24] ^ x[34] ^ x[39] ^ x[77] ^ x[79] ^ x[86] ^ x[91] ^ x[92] ^ x[100];
  assign y[30] = x[6] ^ x[7] ^ x[13] ^ x[15] ^ x[16] ^ x[21] ^ x[23] ^ x[29] ^ x[31] ^ x[47] ^ x[52] ^ x[63] ^ x[72] ^ x[74] ^ x[83] ^ x[89]
    ^ x[93] ^ 1'b1;
  assign y[31] = x[5] ^ x[9] ^ x[17] ^ x[25] ^ x[26] ^ x[27] ^ x[37] ^ x[44] ^ x[45] ^ x[58] ^ x[59] ^ x[62] ^ x[64] ^ x[65] ^ x[78] ^ x[87]
    ^ x[94];
  assign y[32] = x[29] ^ x[49] ^ x[51] ^ x[56] ^ x[65] ^ x[70] ^ x[73] ^ x[76] ^ x[93];
  assign y[33] = x[1] ^ x[4] ^ x[6] ^ x[22] ^ x[23] ^ x[34] ^ x[39] ^ x[41] ^ x[42] ^ x[46] ^ x[63] ^ x[72] ^ x[74] ^ x[82] ^ x[83] ^ x[87]
    ^ x[88] ^ x[96] ^ x[99] ^ 1'b1;
  assign y[34] = x[8] ^ x[14] ^ x[16] ^ x[25] ^ x[28] ^ x[44] ^ x[60] ^ x[61] ^ x[62] ^ x[64] ^ x[69] ^ x[77] ^ x[90] ^ x[91] ^ x[92] ^ x[95]
    ^ x[102];
  assign y[35] = x[12] ^ x[15] ^ x[17] ^ x[18] ^ x[21] ^ x[36] ^ x[43] ^ x[55] ^ x[67] ^ x[68] ^ x[75] ^ x[85] ^ x[86] ^ x[89] ^ x[101];
  assign y[36] = x[5] ^ x[7] ^ x[11] ^ x[26] ^ x[27] ^ x[30] ^ x[33] ^ x[37] ^ x[50] ^ x[71] ^ x[80] ^ x[81] ^ 1'b1;
  assign y[37] = x[0] ^ x[9] ^ x[19] ^ x[31] ^ x[53] ^ x[54] ^ x[57] ^ x[59] ^ x[79] ^ x[84] ^ x[97];
  assign y[38] = x[2] ^ x[10] ^ x[13] ^ x[20] ^ x[24] ^ x[32] ^ x[40] ^ x[48] ^ x[66] ^ x[78] ^ x[98] ^ x[103];
  assign y[39] = x[3] ^ x[35] ^ x[38] ^ x[45] ^ x[47] ^ x[52] ^ x[58] ^ x[94] ^ x[100] ^ 1'b1;
  assign y[40] = x[1] ^ x[6] ^ x[7] ^ x[11] ^ x[48] ^ x[49] ^ x[52] ^ x[63] ^ x[67] ^ x[68] ^ x[70] ^ x[88] ^ x[100];
  assign y[41] = x[8] ^ x[13] ^ x[29] ^ x[33] ^ x[51] ^ x[56] ^ x[64] ^ x[71] ^ x[90] ^ x[91] ^ 1'b1;
  assign y[42] = x[5] ^ x[10] ^ x[16] ^ x[17] ^ x[18] ^ x[23] ^ x[38] ^ x[46] ^ x[55] ^ x[57] ^ x[62] ^ x[69] ^ x[78] ^ x[82] ^ x[86] ^ x[89]
    ^ x[94] ^ x[99] ^ x[102] ^ 1'b1;
  assign y[43] = x[9] ^ x[26] ^ x[36] ^ x[39] ^ x[50] ^ x[75] ^ x[79] ^ x[81] ^ x[96] ^ x[97];
  assign y[44] = x[4] ^ x[21] ^ x[35] ^ x[41] ^ x[43] ^ x[44] ^ x[45] ^ x[47] ^ x[65] ^ x[66] ^ x[77] ^ x[80] ^ x[85] ^ x[92] ^ x[95] ^ x[101]
    ^ 1'b1;
  assign y[45] = x[2] ^ x[14] ^ x[30] ^ x[31] ^ x[32] ^ x[37] ^ x[40] ^ x[53] ^ x[73] ^ x[76] ^ x[103] ^ 1'b1;
  assign y[46] = x[0] ^ x[3] ^ x[12] ^ x[15] ^ x[19] ^ x[22] ^ x[24] ^ x[25] ^ x[27] ^ x[28] ^ x[42] ^ x[58] ^ x[60] ^ x[74] ^ x[84] ^ x[98]
    ^ 1'b1;
  assign y[47] = x[20] ^ x[34] ^ x[54] ^ x[59] ^ x[61] ^ x[72] ^ x[83] ^ x[87] ^ x[93];
  assign y[48] = x[0] ^ x[5] ^ x[7] ^ x[23] ^ x[32] ^ x[46] ^ x[47] ^ x[50] ^ x[73] ^ x[77] ^ x[80] ^ x[81] ^ x[84] ^ x[88];
  assign y[49] = x[1] ^ x[4] ^ x[10] ^ x[16] ^ x[17] ^ x[21] ^ x[36] ^ x[49] ^ x[53] ^ x[57] ^ x[65] ^ x[70] ^ x[82] ^ x[85] ^ x[86] ^ x[90]
    ^ 1'b1;
  assign y[50] = x[2] ^ x[20] ^ x[22] ^ x[31] ^ x[38] ^ x[64] ^ x[96] ^ x[98];
  assign y[51] = x[3] ^ x[9] ^ x[11] ^ x[13] ^ x[14] ^ x[18] ^ x[26] ^ x[30] ^ x[35] ^ x[37] ^ x[45] ^ x[56] ^ x[61] ^ x[71] ^ x[72] ^ x[74]
    ^ x[78] ^ x[89] ^ x[91] ^ x[95] ^ 1'b1;
  assign y[52] = x[27] ^ x[40] ^ x[43] ^ x[48] ^ x[52] ^ x[69] ^ x[93] ^ x[100];
  assign y[53] = x[8] ^ x[12] ^ x[25] ^ x[28] ^ x[33] ^ x[58] ^ x[59] ^ x[67] ^ x[68] ^ x[75] ^ x[76] ^ x[79] ^ x[92] ^ x[97] ^ x[101];
  assign y[54] = x[15] ^ x[19] ^ x[29] ^ x[41] ^ x[54] ^ x[63] ^ x[66] ^ x[94] ^ x[99] ^ x[103];
  assign y[55] = x[6] ^ x[24] ^ x[34] ^ x[39] ^ x[42] ^ x[44] ^ x[51] ^ x[55] ^ x[60] ^ x[62] ^ x[83] ^ x[87] ^ x[102];
  assign y[56] = x[2] ^ x[20] ^ x[28] ^ x[42] ^ x[45] ^ x[47] ^ x[54] ^ x[66] ^ x[70] ^ x[78] ^ x[82] ^ x[86] ^ 1'b1;
  assign y[57] = x[1] ^ x[6] ^ x[12] ^ x[14] ^ x[15] ^ x[25] ^ x[27] ^ x[38] ^ x[41] ^ x[46] ^ x[49] ^ x[50] ^ x[55] ^ x[58] ^ x[75] ^ x[97]
    ^ x[99] ^ x[100] ^ 1'b1;
  assign y[58] = x[4] ^ x[9] ^ x[10] ^ x[16] ^ x[19] ^ x[44] ^ x[57] ^ x[61] ^ x[71] ^ x[81] ^ x[88] ^ x[94] ^ x[95] ^ x[103];
  assign y[59] = x[3] ^ x[13] ^ x[18] ^ x[23] ^ x[30] ^ x[32] ^ x[48] ^ x[56] ^ x[63] ^ x[67] ^ x[80] ^ x[98] ^ 1'b1;
  assign y[60] = x[17] ^ x[21] ^ x[26] ^ x[31] ^ x[33] ^ x[39] ^ x[53] ^ x[62] ^ x[76] ^ x[79] ^ x[83] ^ x[85] ^ x[101];
  assign y[61] = x[11] ^ x[29] ^ x[34] ^ x[35] ^ x[37] ^ x[43] ^ x[51] ^ x[60] ^ x[64] ^ x[68] ^ x[69] ^ x[87] ^ x[89] ^ x[90] ^ x[92] ^ x[93]
    ^ x[102] ^ 1'b1;
  assign y[62] = x[5] ^ x[7] ^ x[8] ^ x[22] ^ x[40] ^ x[52] ^ x[59] ^ x[65] ^ x[73] ^ x[84] ^ 1'b1;
  assign y[63] = x[0] ^ x[24] ^ x[36] ^ x[72] ^ x[74] ^ x[77] ^ x[91] ^ x[96];
endmodule

// Hash family h3-sbox, first half: 64 sparse sums of key bits (H3, 8 taps a key bit), then S-boxes, which break its linearity.
module hash_mix_3 (
  input  wire         clock,
  input  wire [103:0] key,   // key
  output wire [63:0]  mixed  // mixed key, two clocks later
);
  reg [63:0] x;
  reg [63:0] s;

  wire [63:0] layer_1_y;
  wire [63:0] sboxes_y;

  hash_layer_1_3 layer_1 (
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
module hash_layer_1_4 (
  input  wire [103:0] x,
  output wire [63:0]  y
);
  assign y[0] = x[5] ^ x[9] ^ x[16] ^ x[31] ^ x[40] ^ x[45] ^ x[49] ^ x[54] ^ x[58] ^ x[62] ^ x[64] ^ x[81] ^ x[101] ^ 1'b1;
  assign y[1] = x[7] ^ x[11] ^ x[21] ^ x[22] ^ x[38] ^ x[59] ^ x[69] ^ x[71] ^ x[73] ^ x[76] ^ x[78] ^ x[96] ^ x[97] ^ 1'b1;
  assign y[2] = x[4] ^ x[12] ^ x[27] ^ x[41] ^ x[50] ^ x[57] ^ x[66] ^ x[70] ^ x[80] ^ x[86] ^ x[87] ^ x[89] ^ x[92] ^ x[103];
  assign y[3] = x[3] ^ x[13] ^ x[14] ^ x[25] ^ x[29] ^ x[36] ^ x[46] ^ x[48] ^ x[56] ^ x[60] ^ x[72] ^ x[75] ^ 1'b1;
  assign y[4] = x[20] ^ x[24] ^ x[43] ^ x[44] ^ x[55] ^ x[65] ^ x[68] ^ x[83] ^ x[91] ^ x[100] ^ 1'b1;
  assign y[5] = x[0] ^ x[17] ^ x[32] ^ x[34] ^ x[37] ^ x[39] ^ x[42] ^ x[51] ^ x[67] ^ x[79] ^ x[82] ^ x[90] ^ x[94] ^ x[99] ^ x[102];
  assign y[6] = x[2] ^ x[10] ^ x[15] ^ x[26] ^ x[30] ^ x[33] ^ x[52] ^ x[53] ^ x[84] ^ x[93] ^ x[95];
  assign y[7] = x[1] ^ x[6] ^ x[8] ^ x[18] ^ x[19] ^ x[23] ^ x[28] ^ x[35] ^ x[47] ^ x[61] ^ x[63] ^ x[74] ^ x[77] ^ x[85] ^ x[88] ^ x[98];
  assign y[8] = x[14] ^ x[18] ^ x[25] ^ x[26] ^ x[28] ^ x[39] ^ x[42] ^ x[55] ^ x[65] ^ x[67] ^ x[70] ^ x[81] ^ x[83] ^ x[89] ^ x[100] ^ x[101];
  assign y[9] = x[16] ^ x[19] ^ x[37] ^ x[44] ^ x[53] ^ x[66] ^ x[69] ^ x[75] ^ x[76] ^ x[99];
  assign y[10] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[17] ^ x[22] ^ x[46] ^ x[59] ^ x[61] ^ x[73] ^ x[74] ^ x[88] ^ x[98];
  assign y[11] = x[8] ^ x[41] ^ x[57] ^ x[64] ^ x[71] ^ x[87] ^ x[94] ^ x[102] ^ x[103] ^ 1'b1;
  assign y[12] = x[2] ^ x[6] ^ x[12] ^ x[23] ^ x[29] ^ x[30] ^ x[38] ^ x[40] ^ x[43] ^ x[47] ^ x[49] ^ x[72] ^ x[77] ^ x[78] ^ x[82] ^ 1'b1;
  assign y[13] = x[5] ^ x[9] ^ x[11] ^ x[20] ^ x[21] ^ x[24] ^ x[36] ^ x[58] ^ x[63] ^ x[68] ^ x[84] ^ x[86] ^ x[90] ^ x[91] ^ x[97] ^ 1'b1;
  assign y[14] = x[4] ^ x[13] ^ x[31] ^ x[32] ^ x[33] ^ x[45] ^ x[48] ^ x[50] ^ x[54] ^ x[56] ^ x[62] ^ x[79] ^ x[80] ^ x[85] ^ x[93] ^ x[95];
  assign y[15] = x[1] ^ x[3] ^ x[27] ^ x[34] ^ x[35] ^ x[51] ^ x[52] ^ x[60] ^ x[92] ^ x[96] ^ 1'b1;
  assign y[16] = x[16] ^ x[32] ^ x[34] ^ x[36] ^ x[38] ^ x[44] ^ x[47] ^ x[49] ^ x[53] ^ x[54] ^ x[59] ^ x[67] ^ x[73] ^ x[74] ^ x[76] ^ x[83]
    ^ x[97];
  assign y[17] = x[3] ^ x[4] ^ x[5] ^ x[8] ^ x[12] ^ x[13] ^ x[20] ^ x[21] ^ x[26] ^ x[33] ^ x[58] ^ x[64] ^ x[65] ^ x[70] ^ x[75] ^ x[84]
    ^ x[85] ^ x[88] ^ x[94] ^ x[103];
  assign y[18] = x[25] ^ x[46] ^ x[55] ^ x[56] ^ x[68] ^ x[72] ^ x[77] ^ x[89] ^ x[92] ^ 1'b1;
  assign y[19] = x[2] ^ x[14] ^ x[15] ^ x[24] ^ x[35] ^ x[37] ^ x[39] ^ x[41] ^ x[43] ^ x[52] ^ x[69] ^ x[91] ^ x[96] ^ 1'b1;
  assign y[20] = x[0] ^ x[23] ^ x[60] ^ x[66] ^ x[82] ^ x[87] ^ x[93] ^ x[100] ^ 1'b1;
  assign y[21] = x[1] ^ x[28] ^ x[30] ^ x[31] ^ x[48] ^ x[101] ^ 1'b1;
  assign y[22] = x[6] ^ x[7] ^ x[10] ^ x[18] ^ x[22] ^ x[29] ^ x[40] ^ x[45] ^ x[50] ^ x[57] ^ x[61] ^ x[62] ^ x[63] ^ x[71] ^ x[78] ^ x[79]
    ^ x[98] ^ x[99] ^ x[102];
  assign y[23] = x[9] ^ x[11] ^ x[17] ^ x[19] ^ x[27] ^ x[42] ^ x[51] ^ x[80] ^ x[81] ^ x[86] ^ x[90] ^ x[95];
  assign y[24] = x[0] ^ x[31] ^ x[36] ^ x[38] ^ x[48] ^ x[50] ^ x[52] ^ x[54] ^ x[76] ^ x[88] ^ x[91] ^ x[102] ^ 1'b1;
  assign y[25] = x[2] ^ x[3] ^ x[21] ^ x[27] ^ x[34] ^ x[39] ^ x[41] ^ x[87] ^ x[89] ^ x[96] ^ x[101];
  assign y[26] = x[12] ^ x[29] ^ x[30] ^ x[45] ^ x[53] ^ x[63] ^ x[64] ^ x[67] ^ x[85] ^ x[92];
  assign y[27] = x[20] ^ x[24] ^ x[32] ^ x[33] ^ x[37] ^ x[40] ^ x[46] ^ x[58] ^ x[74] ^ x[81] ^ x[82] ^ x[83] ^ x[90] ^ 1'b1;
  assign y[28] = x[6] ^ x[11] ^ x[28] ^ x[56] ^ x[93] ^ x[98] ^ x[103];
  assign y[29] = x[4] ^ x[5] ^ x[10] ^ x[42] ^ x[43] ^ x[57] ^ x[59] ^ x[60] ^ x[61] ^ x[65] ^ x[66] ^ x[73] ^ x[75] ^ x[95] ^ x[97] ^ x[99];
  assign y[30] = x[8] ^ x[9] ^ x[14] ^ x[15] ^ x[22] ^ x[62] ^ x[70] ^ x[71] ^ x[77] ^ x[79] ^ x[84];
  assign y[31] = x[1] ^ x[7] ^ x[13] ^ x[16] ^ x[17] ^ x[18] ^ x[19] ^ x[23] ^ x[25] ^ x[26] ^ x[35] ^ x[44] ^ x[47] ^ x[49] ^ x[51] ^ x[55]
    ^ x[68] ^ x[69] ^ x[72] ^ x[78] ^ x[80] ^ x[86] ^ x[94] ^ x[100] ^ 1'b1;
  assign y[32] = x[13] ^ x[14] ^ x[18] ^ x[19] ^ x[28] ^ x[30] ^ x[41] ^ x[42] ^ x[47] ^ x[51] ^ x[52] ^ x[58] ^ x[60] ^ x[69] ^ x[70] ^ x[75]
    ^ x[82] ^ x[86] ^ x[92] ^ x[94] ^ 1'b1;
  assign y[33] = x[7] ^ x[31] ^ x[50] ^ x[65] ^ x[68] ^ x[79] ^ x[80] ^ x[83] ^ x[96] ^ x[101] ^ x[102];
  assign y[34] = x[2] ^ x[9] ^ x[10] ^ x[38] ^ x[43] ^ x[59] ^ x[76] ^ x[98] ^ 1'b1;
  assign y[35] = x[3] ^ x[8] ^ x[25] ^ x[48] ^ x[49] ^ x[56] ^ x[63] ^ x[77] ^ x[95];
  assign y[36] = x[4] ^ x[12] ^ x[20] ^ x[29] ^ x[35] ^ x[37] ^ x[54] ^ x[66] ^ x[72] ^ x[73] ^ x[87] ^ x[99];
  assign y[37] = x[22] ^ x[23] ^ x[27] ^ x[39] ^ x[53] ^ x[78] ^ x[85] ^ x[88] ^ x[89] ^ x[90] ^ x[93] ^ x[97] ^ x[100] ^ x[103] ^ 1'b1;
  assign y[38] = x[0] ^ x[1] ^ x[11] ^ x[16] ^ x[17] ^ x[21] ^ x[26] ^ x[34] ^ x[40] ^ x[55] ^ x[57] ^ x[61] ^ x[67] ^ x[74] ^ x[91] ^ 1'b1;
  assign y[39] = x[5] ^ x[6] ^ x[15] ^ x[24] ^ x[32] ^ x[33] ^ x[36] ^ x[44] ^ x[45] ^ x[46] ^ x[62] ^ x[64] ^ x[71] ^ x[81] ^ x[84];
  assign y[40] = x[7] ^ x[8] ^ x[13] ^ x[23] ^ x[33] ^ x[38] ^ x[42] ^ x[45] ^ x[47] ^ x[85] ^ x[92] ^ 1'b1;
  assign y[41] = x[0] ^ x[19] ^ x[22] ^ x[24] ^ x[26] ^ x[31] ^ x[32] ^ x[34] ^ x[46] ^ x[50] ^ x[53] ^ x[55] ^ x[56] ^ x[62] ^ x[65] ^ x[69]
    ^ x[73] ^ x[76] ^ x[83] ^ x[91] ^ x[98] ^ x[102];
  assign y[42] = x[9] ^ x[10] ^ x[14] ^ x[15] ^ x[21] ^ x[28] ^ x[37] ^ x[40] ^ x[44] ^ x[52] ^ x[71] ^ x[72] ^ x[74] ^ x[77] ^ x[81] ^ x[84]
    ^ x[90] ^ x[101];
  assign y[43] = x[3] ^ x[4] ^ x[12] ^ x[29] ^ x[30] ^ x[39] ^ x[41] ^ x[43] ^ x[63] ^ x[79] ^ x[87] ^ x[96] ^ x[97] ^ 1'b1;
  assign y[44] = x[1] ^ x[2] ^ x[16] ^ x[36] ^ x[57] ^ x[64] ^ x[86] ^ x[89] ^ x[93];
  assign y[45] = x[11] ^ x[20] ^ x[27] ^ x[35] ^ x[49] ^ x[54] ^ x[67] ^ x[70] ^ x[75] ^ x[78] ^ x[80] ^ x[82] ^ x[88] ^ x[99] ^ x[103];
  assign y[46] = x[5] ^ x[6] ^ x[17] ^ x[18] ^ x[48] ^ x[51] ^ x[58] ^ x[61] ^ x[68] ^ x[100] ^ 1'b1;
  assign y[47] = x[25] ^ x[59] ^ x[60] ^ x[66] ^ x[94] ^ x[95];
  assign y[48] = x[12] ^ x[16] ^ x[22] ^ x[23] ^ x[36] ^ x[39] ^ x[53] ^ x[73] ^ x[75] ^ x[84] ^ x[92] ^ x[98] ^ 1'b1;
  assign y[49] = x[9] ^ x[20] ^ x[25] ^ x[30] ^ x[35] ^ x[38] ^ x[41] ^ x[60] ^ x[68] ^ x[94];
  assign y[50] = x[8] ^ x[10] ^ x[14] ^ x[18] ^ x[21] ^ x[24] ^ x[31] ^ x[45] ^ x[58] ^ x[70] ^ x[72] ^ x[74] ^ x[78] ^ x[89] ^ x[90] ^ x[96]
    ^ x[102] ^ 1'b1;
  assign y[51] = x[4] ^ x[6] ^ x[27] ^ x[29] ^ x[33] ^ x[42] ^ x[44] ^ x[47] ^ x[51] ^ x[62] ^ x[64] ^ x[77] ^ x[80] ^ x[83] ^ x[99];
  assign y[52] = x[3] ^ x[7] ^ x[11] ^ x[19] ^ x[26] ^ x[32] ^ x[34] ^ x[37] ^ x[43] ^ x[50] ^ x[54] ^ x[85] ^ x[87] ^ 1'b1;
  assign y[53] = x[5] ^ x[13] ^ x[17] ^ x[48] ^ x[61] ^ x[63] ^ x[67] ^ x[71] ^ x[82] ^ x[93] ^ x[97] ^ x[101] ^ 1'b1;
  assign y[54] = x[2] ^ x[40] ^ x[46] ^ x[49] ^ x[56] ^ x[65] ^ x[79] ^ x[81] ^ x[86] ^ x[88] ^ x[91] ^ x[95] ^ x[103] ^ 1'b1;
  assign y[55] = x[0] ^ x[1] ^ x[15] ^ x[28] ^ x[52] ^ x[55] ^ x[57] ^ x[59] ^ x[66] ^ x[69] ^ x[76] ^ x[100] ^ 1'b1;
  assign y[56] = x[18] ^ x[21] ^ x[33] ^ x[39] ^ x[42] ^ x[52] ^ x[55] ^ x[67] ^ x[69] ^ x[79] ^ x[80] ^ x[85] ^ x[86] ^ x[87] ^ x[90] ^ x[91]
    ^ x[98] ^ 1'b1;
  assign y[57] = x[7] ^ x[26] ^ x[27] ^ x[32] ^ x[41] ^ x[51] ^ x[57] ^ x[60] ^ x[70] ^ x[81] ^ x[84] ^ x[88] ^ x[94] ^ x[99];
  assign y[58] = x[2] ^ x[3] ^ x[16] ^ x[36] ^ x[58] ^ x[66] ^ x[82] ^ x[89] ^ x[92];
  assign y[59] = x[0] ^ x[9] ^ x[14] ^ x[19] ^ x[23] ^ x[29] ^ x[30] ^ x[38] ^ x[45] ^ x[59] ^ x[61] ^ x[63] ^ x[71] ^ x[75] ^ x[93] ^ x[97]
    ^ x[100] ^ x[102];
  assign y[60] = x[1] ^ x[11] ^ x[12] ^ x[17] ^ x[31] ^ x[34] ^ x[43] ^ x[47] ^ x[49] ^ x[53] ^ x[73] ^ x[83] ^ x[95];
  assign y[61] = x[4] ^ x[8] ^ x[24] ^ x[25] ^ x[50] ^ x[56] ^ x[62] ^ x[65] ^ x[72] ^ x[74] ^ x[101] ^ 1'b1;
  assign y[62] = x[10] ^ x[13] ^ x[15] ^ x[28] ^ x[35] ^ x[46] ^ x[48] ^ x[54] ^ x[64] ^ x[68] ^ x[77] ^ x[96] ^ x[103];
  assign y[63] = x[5] ^ x[6] ^ x[20] ^ x[22] ^ x[37] ^ x[40] ^ x[44] ^ x[76] ^ x[78] ^ 1'b1;
endmodule

// Hash family h3-sbox, first half: 64 sparse sums of key bits (H3, 8 taps a key bit), then S-boxes, which break its linearity.
module hash_mix_4 (
  input  wire         clock,
  input  wire [103:0] key,   // key
  output wire [63:0]  mixed  // mixed key, two clocks later
);
  reg [63:0] x;
  reg [63:0] s;

  wire [63:0] layer_1_y;
  wire [63:0] sboxes_y;

  hash_layer_1_4 layer_1 (
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
  output wire [38:0] y
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
  assign y[25] = x[3] ^ x[4] ^ x[11] ^ x[14] ^ x[19] ^ x[20] ^ x[27] ^ x[31] ^ x[34] ^ x[38] ^ x[42] ^ x[44] ^ x[48] ^ x[54] ^ x[58] ^ x[62];
  assign y[26] = x[3] ^ x[4] ^ x[10] ^ x[12] ^ x[18] ^ x[21] ^ x[24] ^ x[31] ^ x[34] ^ x[37] ^ x[42] ^ x[45] ^ x[49] ^ x[55] ^ x[56] ^ x[61];
  assign y[27] = x[1] ^ x[5] ^ x[9] ^ x[12] ^ x[17] ^ x[21] ^ x[27] ^ x[30] ^ x[35] ^ x[39] ^ x[41] ^ x[46] ^ x[49] ^ x[55] ^ x[59] ^ x[63];
  assign y[28] = x[1] ^ x[7] ^ x[8] ^ x[14] ^ x[18] ^ x[21] ^ x[25] ^ x[30] ^ x[32] ^ x[38] ^ x[40] ^ x[44] ^ x[50] ^ x[53] ^ x[59] ^ x[63];
  assign y[29] = x[0] ^ x[5] ^ x[10] ^ x[15] ^ x[17] ^ x[22] ^ x[26] ^ x[29] ^ x[32] ^ x[36] ^ x[43] ^ x[46] ^ x[49] ^ x[54] ^ x[59] ^ x[62];
  assign y[30] = x[1] ^ x[7] ^ x[11] ^ x[14] ^ x[19] ^ x[23] ^ x[25] ^ x[30] ^ x[34] ^ x[39] ^ x[41] ^ x[46] ^ x[50] ^ x[55] ^ x[58] ^ x[62];
  assign y[31] = x[3] ^ x[7] ^ x[11] ^ x[13] ^ x[18] ^ x[20] ^ x[26] ^ x[29] ^ x[35] ^ x[36] ^ x[41] ^ x[45] ^ x[48] ^ x[53] ^ x[57] ^ x[62];
  assign y[32] = x[0] ^ x[5] ^ x[8] ^ x[12] ^ x[16] ^ x[22] ^ x[24] ^ x[29] ^ x[35] ^ x[38] ^ x[43] ^ x[44] ^ x[51] ^ x[52] ^ x[58] ^ x[63];
  assign y[33] = x[2] ^ x[5] ^ x[9] ^ x[14] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[33] ^ x[37] ^ x[41] ^ x[45] ^ x[49] ^ x[55] ^ x[59] ^ x[62];
  assign y[34] = x[3] ^ x[7] ^ x[9] ^ x[14] ^ x[19] ^ x[20] ^ x[24] ^ x[28] ^ x[33] ^ x[36] ^ x[42] ^ x[44] ^ x[51] ^ x[53] ^ x[57] ^ x[61];
  assign y[35] = x[1] ^ x[4] ^ x[11] ^ x[14] ^ x[18] ^ x[23] ^ x[24] ^ x[29] ^ x[33] ^ x[37] ^ x[41] ^ x[45] ^ x[51] ^ x[55] ^ x[58] ^ x[62];
  assign y[36] = x[2] ^ x[5] ^ x[8] ^ x[15] ^ x[16] ^ x[23] ^ x[27] ^ x[31] ^ x[34] ^ x[37] ^ x[41] ^ x[47] ^ x[48] ^ x[53] ^ x[59] ^ x[61];
  assign y[37] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[19] ^ x[22] ^ x[26] ^ x[28] ^ x[33] ^ x[36] ^ x[43] ^ x[47] ^ x[50] ^ x[55] ^ x[58] ^ x[60];
  assign y[38] = x[0] ^ x[6] ^ x[10] ^ x[13] ^ x[19] ^ x[23] ^ x[27] ^ x[31] ^ x[32] ^ x[37] ^ x[40] ^ x[47] ^ x[51] ^ x[52] ^ x[58] ^ x[60];
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [38:0] index  // hash value, one clock later
);
  reg [38:0] index_r;

  wire [38:0] layer_2_y;

  hash_layer_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 39'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_2 (
  input  wire [63:0] x,
  output wire [38:0] y
);
  assign y[0] = x[2] ^ x[6] ^ x[11] ^ x[14] ^ x[16] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[38] ^ x[42] ^ x[47] ^ x[51] ^ x[53] ^ x[59] ^ x[61];
  assign y[1] = x[1] ^ x[5] ^ x[11] ^ x[15] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[38] ^ x[41] ^ x[46] ^ x[50] ^ x[52] ^ x[56] ^ x[62];
  assign y[2] = x[2] ^ x[6] ^ x[10] ^ x[12] ^ x[19] ^ x[21] ^ x[26] ^ x[30] ^ x[32] ^ x[37] ^ x[43] ^ x[46] ^ x[51] ^ x[55] ^ x[58] ^ x[61];
  assign y[3] = x[1] ^ x[6] ^ x[9] ^ x[13] ^ x[16] ^ x[22] ^ x[24] ^ x[28] ^ x[35] ^ x[36] ^ x[42] ^ x[44] ^ x[48] ^ x[55] ^ x[59] ^ x[62];
  assign y[4] = x[1] ^ x[5] ^ x[8] ^ x[13] ^ x[16] ^ x[21] ^ x[25] ^ x[30] ^ x[33] ^ x[36] ^ x[41] ^ x[46] ^ x[50] ^ x[55] ^ x[58] ^ x[61];
  assign y[5] = x[1] ^ x[7] ^ x[11] ^ x[12] ^ x[16] ^ x[20] ^ x[26] ^ x[28] ^ x[32] ^ x[39] ^ x[43] ^ x[45] ^ x[48] ^ x[53] ^ x[59] ^ x[63];
  assign y[6] = x[1] ^ x[5] ^ x[8] ^ x[15] ^ x[18] ^ x[22] ^ x[25] ^ x[31] ^ x[32] ^ x[37] ^ x[40] ^ x[45] ^ x[49] ^ x[52] ^ x[56] ^ x[62];
  assign y[7] = x[2] ^ x[7] ^ x[10] ^ x[14] ^ x[18] ^ x[20] ^ x[24] ^ x[28] ^ x[34] ^ x[38] ^ x[42] ^ x[45] ^ x[51] ^ x[53] ^ x[56] ^ x[63];
  assign y[8] = x[0] ^ x[4] ^ x[11] ^ x[14] ^ x[18] ^ x[20] ^ x[26] ^ x[29] ^ x[32] ^ x[39] ^ x[40] ^ x[44] ^ x[49] ^ x[54] ^ x[57] ^ x[62];
  assign y[9] = x[1] ^ x[6] ^ x[8] ^ x[12] ^ x[17] ^ x[22] ^ x[26] ^ x[31] ^ x[35] ^ x[39] ^ x[43] ^ x[44] ^ x[49] ^ x[54] ^ x[57] ^ x[63];
  assign y[10] = x[1] ^ x[5] ^ x[9] ^ x[13] ^ x[19] ^ x[21] ^ x[26] ^ x[31] ^ x[34] ^ x[37] ^ x[41] ^ x[45] ^ x[49] ^ x[54] ^ x[57] ^ x[61];
  assign y[11] = x[2] ^ x[6] ^ x[9] ^ x[13] ^ x[16] ^ x[22] ^ x[27] ^ x[29] ^ x[33] ^ x[37] ^ x[43] ^ x[46] ^ x[50] ^ x[53] ^ x[58] ^ x[60];
  assign y[12] = x[1] ^ x[4] ^ x[8] ^ x[14] ^ x[18] ^ x[20] ^ x[24] ^ x[28] ^ x[35] ^ x[38] ^ x[41] ^ x[45] ^ x[50] ^ x[55] ^ x[58] ^ x[62];
  assign y[13] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[17] ^ x[20] ^ x[25] ^ x[28] ^ x[34] ^ x[39] ^ x[42] ^ x[46] ^ x[48] ^ x[54] ^ x[57] ^ x[61];
  assign y[14] = x[3] ^ x[5] ^ x[9] ^ x[15] ^ x[19] ^ x[20] ^ x[25] ^ x[31] ^ x[32] ^ x[39] ^ x[43] ^ x[44] ^ x[50] ^ x[52] ^ x[59] ^ x[62];
  assign y[15] = x[3] ^ x[4] ^ x[9] ^ x[12] ^ x[18] ^ x[21] ^ x[27] ^ x[29] ^ x[33] ^ x[38] ^ x[40] ^ x[45] ^ x[51] ^ x[55] ^ x[59] ^ x[60];
  assign y[16] = x[2] ^ x[4] ^ x[9] ^ x[14] ^ x[17] ^ x[20] ^ x[24] ^ x[28] ^ x[33] ^ x[38] ^ x[42] ^ x[47] ^ x[50] ^ x[54] ^ x[58] ^ x[62];
  assign y[17] = x[0] ^ x[4] ^ x[10] ^ x[13] ^ x[18] ^ x[22] ^ x[27] ^ x[29] ^ x[35] ^ x[37] ^ x[40] ^ x[46] ^ x[49] ^ x[52] ^ x[59] ^ x[61];
  assign y[18] = x[2] ^ x[4] ^ x[11] ^ x[14] ^ x[16] ^ x[20] ^ x[27] ^ x[31] ^ x[34] ^ x[39] ^ x[41] ^ x[44] ^ x[48] ^ x[52] ^ x[57] ^ x[63];
  assign y[19] = x[2] ^ x[7] ^ x[11] ^ x[13] ^ x[19] ^ x[20] ^ x[25] ^ x[28] ^ x[35] ^ x[39] ^ x[40] ^ x[47] ^ x[48] ^ x[54] ^ x[58] ^ x[62];
  assign y[20] = x[0] ^ x[6] ^ x[11] ^ x[13] ^ x[18] ^ x[22] ^ x[26] ^ x[28] ^ x[32] ^ x[36] ^ x[43] ^ x[47] ^ x[48] ^ x[53] ^ x[58] ^ x[61];
  assign y[21] = x[0] ^ x[7] ^ x[9] ^ x[13] ^ x[19] ^ x[22] ^ x[26] ^ x[31] ^ x[32] ^ x[39] ^ x[41] ^ x[45] ^ x[49] ^ x[54] ^ x[56] ^ x[61];
  assign y[22] = x[2] ^ x[7] ^ x[10] ^ x[15] ^ x[17] ^ x[21] ^ x[26] ^ x[31] ^ x[35] ^ x[39] ^ x[41] ^ x[45] ^ x[49] ^ x[53] ^ x[56] ^ x[61];
  assign y[23] = x[2] ^ x[7] ^ x[9] ^ x[15] ^ x[19] ^ x[20] ^ x[25] ^ x[30] ^ x[33] ^ x[38] ^ x[40] ^ x[44] ^ x[50] ^ x[55] ^ x[59] ^ x[63];
  assign y[24] = x[0] ^ x[7] ^ x[8] ^ x[15] ^ x[19] ^ x[22] ^ x[27] ^ x[31] ^ x[34] ^ x[38] ^ x[40] ^ x[46] ^ x[51] ^ x[54] ^ x[57] ^ x[62];
  assign y[25] = x[2] ^ x[6] ^ x[8] ^ x[12] ^ x[16] ^ x[23] ^ x[25] ^ x[28] ^ x[34] ^ x[39] ^ x[41] ^ x[45] ^ x[51] ^ x[52] ^ x[57] ^ x[63];
  assign y[26] = x[0] ^ x[7] ^ x[11] ^ x[14] ^ x[18] ^ x[21] ^ x[25] ^ x[29] ^ x[33] ^ x[37] ^ x[41] ^ x[44] ^ x[48] ^ x[53] ^ x[58] ^ x[62];
  assign y[27] = x[0] ^ x[7] ^ x[9] ^ x[13] ^ x[18] ^ x[21] ^ x[25] ^ x[31] ^ x[34] ^ x[39] ^ x[41] ^ x[45] ^ x[48] ^ x[53] ^ x[56] ^ x[61];
  assign y[28] = x[3] ^ x[4] ^ x[8] ^ x[12] ^ x[19] ^ x[21] ^ x[25] ^ x[28] ^ x[33] ^ x[36] ^ x[41] ^ x[46] ^ x[50] ^ x[55] ^ x[56] ^ x[60];
  assign y[29] = x[1] ^ x[6] ^ x[9] ^ x[15] ^ x[18] ^ x[23] ^ x[25] ^ x[29] ^ x[34] ^ x[39] ^ x[40] ^ x[46] ^ x[51] ^ x[53] ^ x[58] ^ x[60];
  assign y[30] = x[0] ^ x[6] ^ x[11] ^ x[13] ^ x[19] ^ x[20] ^ x[24] ^ x[28] ^ x[35] ^ x[38] ^ x[40] ^ x[47] ^ x[51] ^ x[54] ^ x[57] ^ x[63];
  assign y[31] = x[3] ^ x[4] ^ x[8] ^ x[15] ^ x[17] ^ x[22] ^ x[27] ^ x[31] ^ x[32] ^ x[37] ^ x[43] ^ x[44] ^ x[48] ^ x[55] ^ x[58] ^ x[61];
  assign y[32] = x[1] ^ x[4] ^ x[8] ^ x[13] ^ x[18] ^ x[21] ^ x[25] ^ x[29] ^ x[34] ^ x[39] ^ x[41] ^ x[44] ^ x[51] ^ x[53] ^ x[59] ^ x[61];
  assign y[33] = x[3] ^ x[7] ^ x[9] ^ x[12] ^ x[17] ^ x[23] ^ x[24] ^ x[31] ^ x[34] ^ x[39] ^ x[42] ^ x[45] ^ x[48] ^ x[53] ^ x[59] ^ x[61];
  assign y[34] = x[1] ^ x[6] ^ x[10] ^ x[14] ^ x[18] ^ x[20] ^ x[24] ^ x[30] ^ x[32] ^ x[39] ^ x[41] ^ x[45] ^ x[48] ^ x[54] ^ x[59] ^ x[60];
  assign y[35] = x[0] ^ x[6] ^ x[10] ^ x[14] ^ x[18] ^ x[21] ^ x[26] ^ x[29] ^ x[34] ^ x[38] ^ x[40] ^ x[45] ^ x[49] ^ x[53] ^ x[56] ^ x[63];
  assign y[36] = x[1] ^ x[5] ^ x[8] ^ x[12] ^ x[18] ^ x[21] ^ x[25] ^ x[29] ^ x[33] ^ x[38] ^ x[40] ^ x[44] ^ x[49] ^ x[52] ^ x[56] ^ x[61];
  assign y[37] = x[0] ^ x[5] ^ x[11] ^ x[13] ^ x[17] ^ x[23] ^ x[24] ^ x[30] ^ x[35] ^ x[39] ^ x[43] ^ x[45] ^ x[50] ^ x[54] ^ x[57] ^ x[63];
  assign y[38] = x[2] ^ x[4] ^ x[11] ^ x[14] ^ x[16] ^ x[23] ^ x[26] ^ x[29] ^ x[35] ^ x[37] ^ x[40] ^ x[44] ^ x[51] ^ x[55] ^ x[59] ^ x[63];
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_2 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [38:0] index  // hash value, one clock later
);
  reg [38:0] index_r;

  wire [38:0] layer_2_y;

  hash_layer_2_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 39'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_3 (
  input  wire [63:0] x,
  output wire [38:0] y
);
  assign y[0] = x[0] ^ x[4] ^ x[9] ^ x[14] ^ x[19] ^ x[23] ^ x[26] ^ x[28] ^ x[34] ^ x[37] ^ x[43] ^ x[47] ^ x[50] ^ x[52] ^ x[59] ^ x[62];
  assign y[1] = x[2] ^ x[7] ^ x[10] ^ x[13] ^ x[16] ^ x[21] ^ x[27] ^ x[31] ^ x[34] ^ x[37] ^ x[42] ^ x[45] ^ x[51] ^ x[53] ^ x[59] ^ x[63];
  assign y[2] = x[1] ^ x[7] ^ x[11] ^ x[15] ^ x[17] ^ x[21] ^ x[27] ^ x[29] ^ x[34] ^ x[38] ^ x[43] ^ x[44] ^ x[51] ^ x[55] ^ x[57] ^ x[61];
  assign y[3] = x[2] ^ x[7] ^ x[9] ^ x[14] ^ x[17] ^ x[23] ^ x[24] ^ x[30] ^ x[34] ^ x[38] ^ x[40] ^ x[46] ^ x[48] ^ x[52] ^ x[59] ^ x[60];
  assign y[4] = x[2] ^ x[7] ^ x[9] ^ x[12] ^ x[16] ^ x[23] ^ x[24] ^ x[30] ^ x[33] ^ x[36] ^ x[43] ^ x[47] ^ x[50] ^ x[55] ^ x[59] ^ x[62];
  assign y[5] = x[3] ^ x[4] ^ x[11] ^ x[15] ^ x[19] ^ x[20] ^ x[25] ^ x[28] ^ x[34] ^ x[37] ^ x[42] ^ x[44] ^ x[51] ^ x[54] ^ x[56] ^ x[60];
  assign y[6] = x[1] ^ x[4] ^ x[10] ^ x[15] ^ x[19] ^ x[21] ^ x[26] ^ x[30] ^ x[32] ^ x[38] ^ x[41] ^ x[45] ^ x[48] ^ x[55] ^ x[59] ^ x[62];
  assign y[7] = x[2] ^ x[7] ^ x[9] ^ x[12] ^ x[17] ^ x[23] ^ x[26] ^ x[29] ^ x[33] ^ x[36] ^ x[40] ^ x[45] ^ x[50] ^ x[53] ^ x[56] ^ x[60];
  assign y[8] = x[0] ^ x[6] ^ x[9] ^ x[15] ^ x[16] ^ x[21] ^ x[27] ^ x[30] ^ x[34] ^ x[39] ^ x[42] ^ x[45] ^ x[49] ^ x[53] ^ x[57] ^ x[63];
  assign y[9] = x[0] ^ x[7] ^ x[9] ^ x[13] ^ x[18] ^ x[20] ^ x[25] ^ x[30] ^ x[32] ^ x[39] ^ x[42] ^ x[45] ^ x[48] ^ x[53] ^ x[59] ^ x[61];
  assign y[10] = x[3] ^ x[6] ^ x[9] ^ x[14] ^ x[16] ^ x[23] ^ x[27] ^ x[29] ^ x[33] ^ x[37] ^ x[42] ^ x[45] ^ x[50] ^ x[55] ^ x[58] ^ x[63];
  assign y[11] = x[1] ^ x[5] ^ x[10] ^ x[15] ^ x[18] ^ x[22] ^ x[26] ^ x[31] ^ x[35] ^ x[38] ^ x[40] ^ x[44] ^ x[51] ^ x[55] ^ x[58] ^ x[60];
  assign y[12] = x[0] ^ x[6] ^ x[11] ^ x[13] ^ x[17] ^ x[20] ^ x[25] ^ x[29] ^ x[33] ^ x[36] ^ x[40] ^ x[47] ^ x[51] ^ x[53] ^ x[58] ^ x[60];
  assign y[13] = x[3] ^ x[6] ^ x[9] ^ x[13] ^ x[18] ^ x[23] ^ x[27] ^ x[29] ^ x[34] ^ x[39] ^ x[42] ^ x[45] ^ x[50] ^ x[55] ^ x[58] ^ x[62];
  assign y[14] = x[1] ^ x[7] ^ x[9] ^ x[14] ^ x[17] ^ x[22] ^ x[24] ^ x[31] ^ x[34] ^ x[37] ^ x[42] ^ x[47] ^ x[48] ^ x[53] ^ x[58] ^ x[60];
  assign y[15] = x[3] ^ x[6] ^ x[10] ^ x[13] ^ x[16] ^ x[23] ^ x[26] ^ x[30] ^ x[35] ^ x[39] ^ x[41] ^ x[46] ^ x[48] ^ x[55] ^ x[56] ^ x[61];
  assign y[16] = x[3] ^ x[6] ^ x[8] ^ x[15] ^ x[17] ^ x[22] ^ x[26] ^ x[29] ^ x[33] ^ x[38] ^ x[42] ^ x[44] ^ x[49] ^ x[52] ^ x[57] ^ x[63];
  assign y[17] = x[3] ^ x[5] ^ x[8] ^ x[12] ^ x[19] ^ x[23] ^ x[24] ^ x[29] ^ x[32] ^ x[38] ^ x[42] ^ x[44] ^ x[49] ^ x[53] ^ x[58] ^ x[62];
  assign y[18] = x[2] ^ x[4] ^ x[8] ^ x[12] ^ x[19] ^ x[21] ^ x[24] ^ x[31] ^ x[35] ^ x[36] ^ x[41] ^ x[46] ^ x[50] ^ x[52] ^ x[58] ^ x[63];
  assign y[19] = x[3] ^ x[4] ^ x[11] ^ x[14] ^ x[19] ^ x[22] ^ x[24] ^ x[28] ^ x[33] ^ x[38] ^ x[43] ^ x[46] ^ x[49] ^ x[54] ^ x[59] ^ x[60];
  assign y[20] = x[0] ^ x[4] ^ x[11] ^ x[14] ^ x[17] ^ x[21] ^ x[24] ^ x[28] ^ x[32] ^ x[39] ^ x[43] ^ x[47] ^ x[50] ^ x[52] ^ x[58] ^ x[60];
  assign y[21] = x[0] ^ x[7] ^ x[9] ^ x[15] ^ x[19] ^ x[22] ^ x[25] ^ x[30] ^ x[33] ^ x[37] ^ x[43] ^ x[45] ^ x[49] ^ x[52] ^ x[59] ^ x[63];
  assign y[22] = x[1] ^ x[5] ^ x[9] ^ x[15] ^ x[19] ^ x[20] ^ x[26] ^ x[30] ^ x[33] ^ x[38] ^ x[43] ^ x[44] ^ x[51] ^ x[55] ^ x[56] ^ x[63];
  assign y[23] = x[1] ^ x[7] ^ x[9] ^ x[12] ^ x[16] ^ x[21] ^ x[26] ^ x[30] ^ x[34] ^ x[39] ^ x[42] ^ x[44] ^ x[48] ^ x[52] ^ x[56] ^ x[63];
  assign y[24] = x[3] ^ x[6] ^ x[8] ^ x[13] ^ x[18] ^ x[20] ^ x[27] ^ x[29] ^ x[33] ^ x[36] ^ x[43] ^ x[44] ^ x[51] ^ x[54] ^ x[58] ^ x[60];
  assign y[25] = x[0] ^ x[5] ^ x[9] ^ x[12] ^ x[17] ^ x[21] ^ x[27] ^ x[31] ^ x[33] ^ x[36] ^ x[43] ^ x[46] ^ x[49] ^ x[52] ^ x[57] ^ x[61];
  assign y[26] = x[3] ^ x[7] ^ x[11] ^ x[13] ^ x[16] ^ x[23] ^ x[26] ^ x[28] ^ x[33] ^ x[37] ^ x[42] ^ x[47] ^ x[51] ^ x[54] ^ x[56] ^ x[62];
  assign y[27] = x[1] ^ x[6] ^ x[11] ^ x[14] ^ x[18] ^ x[23] ^ x[24] ^ x[31] ^ x[35] ^ x[39] ^ x[41] ^ x[47] ^ x[50] ^ x[54] ^ x[58] ^ x[61];
  assign y[28] = x[0] ^ x[4] ^ x[11] ^ x[15] ^ x[16] ^ x[22] ^ x[26] ^ x[29] ^ x[35] ^ x[37] ^ x[43] ^ x[45] ^ x[48] ^ x[55] ^ x[58] ^ x[62];
  assign y[29] = x[0] ^ x[6] ^ x[8] ^ x[12] ^ x[16] ^ x[22] ^ x[26] ^ x[30] ^ x[34] ^ x[39] ^ x[42] ^ x[46] ^ x[48] ^ x[55] ^ x[59] ^ x[60];
  assign y[30] = x[0] ^ x[7] ^ x[8] ^ x[15] ^ x[18] ^ x[21] ^ x[25] ^ x[28] ^ x[32] ^ x[38] ^ x[42] ^ x[45] ^ x[48] ^ x[52] ^ x[59] ^ x[61];
  assign y[31] = x[1] ^ x[5] ^ x[11] ^ x[12] ^ x[17] ^ x[22] ^ x[26] ^ x[28] ^ x[32] ^ x[38] ^ x[40] ^ x[47] ^ x[51] ^ x[55] ^ x[56] ^ x[62];
  assign y[32] = x[2] ^ x[5] ^ x[11] ^ x[14] ^ x[17] ^ x[22] ^ x[27] ^ x[28] ^ x[34] ^ x[38] ^ x[41] ^ x[47] ^ x[48] ^ x[53] ^ x[59] ^ x[62];
  assign y[33] = x[2] ^ x[5] ^ x[8] ^ x[14] ^ x[19] ^ x[23] ^ x[24] ^ x[31] ^ x[33] ^ x[37] ^ x[40] ^ x[44] ^ x[51] ^ x[53] ^ x[57] ^ x[61];
  assign y[34] = x[1] ^ x[6] ^ x[10] ^ x[13] ^ x[17] ^ x[22] ^ x[26] ^ x[28] ^ x[33] ^ x[38] ^ x[41] ^ x[47] ^ x[48] ^ x[54] ^ x[59] ^ x[61];
  assign y[35] = x[2] ^ x[4] ^ x[10] ^ x[12] ^ x[17] ^ x[21] ^ x[27] ^ x[30] ^ x[34] ^ x[38] ^ x[40] ^ x[44] ^ x[49] ^ x[53] ^ x[56] ^ x[62];
  assign y[36] = x[1] ^ x[4] ^ x[10] ^ x[12] ^ x[16] ^ x[21] ^ x[26] ^ x[30] ^ x[35] ^ x[38] ^ x[41] ^ x[44] ^ x[50] ^ x[53] ^ x[57] ^ x[60];
  assign y[37] = x[1] ^ x[5] ^ x[10] ^ x[15] ^ x[18] ^ x[20] ^ x[27] ^ x[28] ^ x[34] ^ x[36] ^ x[43] ^ x[47] ^ x[48] ^ x[54] ^ x[59] ^ x[60];
  assign y[38] = x[3] ^ x[4] ^ x[11] ^ x[14] ^ x[19] ^ x[23] ^ x[27] ^ x[30] ^ x[33] ^ x[38] ^ x[42] ^ x[46] ^ x[49] ^ x[55] ^ x[56] ^ x[60];
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_3 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [38:0] index  // hash value, one clock later
);
  reg [38:0] index_r;

  wire [38:0] layer_2_y;

  hash_layer_2_3 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 39'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_4 (
  input  wire [63:0] x,
  output wire [38:0] y
);
  assign y[0] = x[2] ^ x[6] ^ x[10] ^ x[13] ^ x[18] ^ x[22] ^ x[27] ^ x[28] ^ x[32] ^ x[38] ^ x[43] ^ x[47] ^ x[50] ^ x[54] ^ x[56] ^ x[61];
  assign y[1] = x[0] ^ x[6] ^ x[9] ^ x[15] ^ x[18] ^ x[21] ^ x[25] ^ x[30] ^ x[34] ^ x[39] ^ x[43] ^ x[45] ^ x[51] ^ x[55] ^ x[58] ^ x[61];
  assign y[2] = x[0] ^ x[5] ^ x[9] ^ x[13] ^ x[19] ^ x[22] ^ x[25] ^ x[29] ^ x[35] ^ x[39] ^ x[41] ^ x[46] ^ x[51] ^ x[52] ^ x[58] ^ x[62];
  assign y[3] = x[3] ^ x[7] ^ x[9] ^ x[12] ^ x[17] ^ x[22] ^ x[27] ^ x[28] ^ x[32] ^ x[39] ^ x[43] ^ x[45] ^ x[50] ^ x[54] ^ x[58] ^ x[61];
  assign y[4] = x[2] ^ x[6] ^ x[8] ^ x[13] ^ x[16] ^ x[20] ^ x[27] ^ x[31] ^ x[34] ^ x[39] ^ x[40] ^ x[44] ^ x[49] ^ x[53] ^ x[57] ^ x[60];
  assign y[5] = x[1] ^ x[5] ^ x[10] ^ x[13] ^ x[19] ^ x[21] ^ x[27] ^ x[30] ^ x[34] ^ x[37] ^ x[40] ^ x[47] ^ x[51] ^ x[53] ^ x[58] ^ x[60];
  assign y[6] = x[3] ^ x[7] ^ x[10] ^ x[15] ^ x[19] ^ x[21] ^ x[24] ^ x[29] ^ x[35] ^ x[36] ^ x[41] ^ x[44] ^ x[51] ^ x[53] ^ x[59] ^ x[62];
  assign y[7] = x[1] ^ x[4] ^ x[8] ^ x[13] ^ x[16] ^ x[21] ^ x[24] ^ x[31] ^ x[32] ^ x[38] ^ x[42] ^ x[46] ^ x[50] ^ x[52] ^ x[57] ^ x[63];
  assign y[8] = x[3] ^ x[7] ^ x[8] ^ x[15] ^ x[16] ^ x[20] ^ x[24] ^ x[31] ^ x[32] ^ x[36] ^ x[41] ^ x[44] ^ x[48] ^ x[55] ^ x[58] ^ x[63];
  assign y[9] = x[3] ^ x[5] ^ x[9] ^ x[12] ^ x[19] ^ x[20] ^ x[24] ^ x[31] ^ x[35] ^ x[36] ^ x[40] ^ x[44] ^ x[51] ^ x[52] ^ x[57] ^ x[63];
  assign y[10] = x[1] ^ x[7] ^ x[8] ^ x[12] ^ x[19] ^ x[23] ^ x[25] ^ x[30] ^ x[33] ^ x[37] ^ x[40] ^ x[46] ^ x[51] ^ x[54] ^ x[59] ^ x[62];
  assign y[11] = x[2] ^ x[4] ^ x[11] ^ x[12] ^ x[18] ^ x[21] ^ x[26] ^ x[30] ^ x[32] ^ x[37] ^ x[43] ^ x[47] ^ x[51] ^ x[53] ^ x[57] ^ x[61];
  assign y[12] = x[2] ^ x[5] ^ x[11] ^ x[15] ^ x[16] ^ x[21] ^ x[26] ^ x[30] ^ x[32] ^ x[36] ^ x[41] ^ x[45] ^ x[48] ^ x[52] ^ x[59] ^ x[62];
  assign y[13] = x[1] ^ x[5] ^ x[9] ^ x[12] ^ x[17] ^ x[22] ^ x[26] ^ x[30] ^ x[32] ^ x[39] ^ x[42] ^ x[45] ^ x[48] ^ x[54] ^ x[58] ^ x[61];
  assign y[14] = x[2] ^ x[4] ^ x[10] ^ x[12] ^ x[16] ^ x[21] ^ x[25] ^ x[31] ^ x[33] ^ x[39] ^ x[41] ^ x[44] ^ x[48] ^ x[52] ^ x[59] ^ x[62];
  assign y[15] = x[3] ^ x[7] ^ x[9] ^ x[14] ^ x[19] ^ x[20] ^ x[26] ^ x[30] ^ x[32] ^ x[36] ^ x[43] ^ x[47] ^ x[48] ^ x[53] ^ x[57] ^ x[63];
  assign y[16] = x[1] ^ x[5] ^ x[9] ^ x[13] ^ x[16] ^ x[23] ^ x[24] ^ x[29] ^ x[34] ^ x[36] ^ x[42] ^ x[44] ^ x[50] ^ x[55] ^ x[58] ^ x[62];
  assign y[17] = x[2] ^ x[7] ^ x[10] ^ x[12] ^ x[17] ^ x[20] ^ x[25] ^ x[31] ^ x[33] ^ x[38] ^ x[43] ^ x[45] ^ x[51] ^ x[52] ^ x[57] ^ x[61];
  assign y[18] = x[3] ^ x[5] ^ x[10] ^ x[13] ^ x[18] ^ x[21] ^ x[25] ^ x[31] ^ x[32] ^ x[39] ^ x[41] ^ x[45] ^ x[50] ^ x[54] ^ x[57] ^ x[60];
  assign y[19] = x[1] ^ x[7] ^ x[10] ^ x[14] ^ x[19] ^ x[21] ^ x[25] ^ x[29] ^ x[33] ^ x[37] ^ x[43] ^ x[45] ^ x[49] ^ x[52] ^ x[56] ^ x[62];
  assign y[20] = x[3] ^ x[5] ^ x[11] ^ x[13] ^ x[18] ^ x[21] ^ x[25] ^ x[28] ^ x[34] ^ x[36] ^ x[41] ^ x[47] ^ x[48] ^ x[54] ^ x[58] ^ x[61];
  assign y[21] = x[1] ^ x[4] ^ x[9] ^ x[14] ^ x[17] ^ x[22] ^ x[27] ^ x[29] ^ x[35] ^ x[36] ^ x[41] ^ x[46] ^ x[48] ^ x[55] ^ x[57] ^ x[60];
  assign y[22] = x[3] ^ x[5] ^ x[10] ^ x[12] ^ x[19] ^ x[21] ^ x[26] ^ x[28] ^ x[32] ^ x[39] ^ x[41] ^ x[45] ^ x[48] ^ x[54] ^ x[59] ^ x[61];
  assign y[23] = x[2] ^ x[6] ^ x[10] ^ x[12] ^ x[19] ^ x[20] ^ x[24] ^ x[31] ^ x[34] ^ x[36] ^ x[41] ^ x[45] ^ x[49] ^ x[53] ^ x[58] ^ x[62];
  assign y[24] = x[3] ^ x[7] ^ x[9] ^ x[14] ^ x[17] ^ x[20] ^ x[25] ^ x[29] ^ x[33] ^ x[38] ^ x[41] ^ x[47] ^ x[50] ^ x[55] ^ x[56] ^ x[62];
  assign y[25] = x[0] ^ x[7] ^ x[11] ^ x[15] ^ x[17] ^ x[23] ^ x[24] ^ x[31] ^ x[33] ^ x[36] ^ x[41] ^ x[47] ^ x[50] ^ x[54] ^ x[59] ^ x[62];
  assign y[26] = x[3] ^ x[4] ^ x[10] ^ x[14] ^ x[18] ^ x[21] ^ x[26] ^ x[30] ^ x[32] ^ x[38] ^ x[43] ^ x[44] ^ x[50] ^ x[53] ^ x[58] ^ x[60];
  assign y[27] = x[3] ^ x[5] ^ x[8] ^ x[13] ^ x[18] ^ x[20] ^ x[25] ^ x[31] ^ x[34] ^ x[38] ^ x[40] ^ x[45] ^ x[48] ^ x[54] ^ x[58] ^ x[61];
  assign y[28] = x[0] ^ x[4] ^ x[8] ^ x[14] ^ x[16] ^ x[21] ^ x[24] ^ x[30] ^ x[33] ^ x[38] ^ x[41] ^ x[47] ^ x[49] ^ x[55] ^ x[58] ^ x[61];
  assign y[29] = x[0] ^ x[5] ^ x[8] ^ x[12] ^ x[19] ^ x[21] ^ x[24] ^ x[31] ^ x[32] ^ x[39] ^ x[43] ^ x[44] ^ x[49] ^ x[54] ^ x[58] ^ x[60];
  assign y[30] = x[2] ^ x[4] ^ x[10] ^ x[12] ^ x[18] ^ x[23] ^ x[24] ^ x[31] ^ x[34] ^ x[37] ^ x[41] ^ x[44] ^ x[50] ^ x[53] ^ x[56] ^ x[61];
  assign y[31] = x[1] ^ x[5] ^ x[10] ^ x[12] ^ x[16] ^ x[22] ^ x[26] ^ x[28] ^ x[35] ^ x[37] ^ x[43] ^ x[46] ^ x[49] ^ x[55] ^ x[59] ^ x[62];
  assign y[32] = x[2] ^ x[4] ^ x[8] ^ x[12] ^ x[19] ^ x[22] ^ x[25] ^ x[29] ^ x[33] ^ x[36] ^ x[41] ^ x[47] ^ x[50] ^ x[54] ^ x[59] ^ x[61];
  assign y[33] = x[1] ^ x[4] ^ x[9] ^ x[15] ^ x[19] ^ x[23] ^ x[27] ^ x[28] ^ x[33] ^ x[38] ^ x[43] ^ x[44] ^ x[49] ^ x[55] ^ x[59] ^ x[61];
  assign y[34] = x[1] ^ x[5] ^ x[10] ^ x[12] ^ x[18] ^ x[20] ^ x[24] ^ x[28] ^ x[33] ^ x[36] ^ x[41] ^ x[47] ^ x[49] ^ x[53] ^ x[56] ^ x[60];
  assign y[35] = x[2] ^ x[5] ^ x[10] ^ x[14] ^ x[18] ^ x[21] ^ x[27] ^ x[28] ^ x[34] ^ x[38] ^ x[41] ^ x[44] ^ x[50] ^ x[52] ^ x[59] ^ x[63];
  assign y[36] = x[2] ^ x[4] ^ x[10] ^ x[13] ^ x[18] ^ x[23] ^ x[24] ^ x[31] ^ x[35] ^ x[38] ^ x[41] ^ x[44] ^ x[48] ^ x[55] ^ x[58] ^ x[62];
  assign y[37] = x[0] ^ x[6] ^ x[8] ^ x[14] ^ x[16] ^ x[20] ^ x[25] ^ x[28] ^ x[34] ^ x[38] ^ x[40] ^ x[47] ^ x[50] ^ x[54] ^ x[58] ^ x[63];
  assign y[38] = x[0] ^ x[5] ^ x[8] ^ x[12] ^ x[17] ^ x[21] ^ x[27] ^ x[29] ^ x[33] ^ x[36] ^ x[40] ^ x[45] ^ x[50] ^ x[53] ^ x[58] ^ x[61];
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_4 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [38:0] index  // hash value, one clock later
);
  reg [38:0] index_r;

  wire [38:0] layer_2_y;

  hash_layer_2_4 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 39'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// From 39 bits to the range 0 to 32764: the high part of the product with 32765, as shifts and sums. Three clocks.
module hash_scale (
  input  wire        clock,
  input  wire [38:0] x,     // hash value
  output wire [14:0] y      // the value scaled to the range, three clocks later
);
  reg [53:0] sum_1_0;
  reg [53:0] sum_1_1;
  reg [53:0] sum_2_0;
  reg [53:0] sum_3_0;

  assign y = sum_3_0[53:39];
  wire unused = &{1'b0, sum_3_0[38:0]};

  initial begin
    sum_1_0 = 54'd0;
    sum_1_1 = 54'd0;
    sum_2_0 = 54'd0;
    sum_3_0 = 54'd0;
  end

  always @(posedge clock) begin
    sum_1_0 <= {15'd0, x} - {13'd0, x, 2'd0};
    sum_1_1 <= {x, 15'd0};
    sum_2_0 <= sum_1_0 + sum_1_1;
    sum_3_0 <= sum_2_0;
  end
endmodule

// From 39 bits to the range 0 to 32765: the high part of the product with 32766, as shifts and sums. Three clocks.
module hash_scale_2 (
  input  wire        clock,
  input  wire [38:0] x,     // hash value
  output wire [14:0] y      // the value scaled to the range, three clocks later
);
  reg [53:0] sum_1_0;
  reg [53:0] sum_2_0;
  reg [53:0] sum_3_0;

  assign y = sum_3_0[53:39];
  wire unused = &{1'b0, sum_3_0[38:0]};

  initial begin
    sum_1_0 = 54'd0;
    sum_2_0 = 54'd0;
    sum_3_0 = 54'd0;
  end

  always @(posedge clock) begin
    sum_1_0 <= {x, 15'd0} - {14'd0, x, 1'd0};
    sum_2_0 <= sum_1_0;
    sum_3_0 <= sum_2_0;
  end
endmodule

// From 39 bits to the range 0 to 32766: the high part of the product with 32767, as shifts and sums. Three clocks.
module hash_scale_3 (
  input  wire        clock,
  input  wire [38:0] x,     // hash value
  output wire [14:0] y      // the value scaled to the range, three clocks later
);
  reg [53:0] sum_1_0;
  reg [53:0] sum_2_0;
  reg [53:0] sum_3_0;

  assign y = sum_3_0[53:39];
  wire unused = &{1'b0, sum_3_0[38:0]};

  initial begin
    sum_1_0 = 54'd0;
    sum_2_0 = 54'd0;
    sum_3_0 = 54'd0;
  end

  always @(posedge clock) begin
    sum_1_0 <= {x, 15'd0} - {15'd0, x};
    sum_2_0 <= sum_1_0;
    sum_3_0 <= sum_2_0;
  end
endmodule

// From 39 bits to the range 0 to 32767: the high part of the product with 32768, as shifts and sums. Three clocks.
module hash_scale_4 (
  input  wire        clock,
  input  wire [38:0] x,     // hash value
  output wire [14:0] y      // the value scaled to the range, three clocks later
);
  reg [53:0] sum_1_0;
  reg [53:0] sum_2_0;
  reg [53:0] sum_3_0;

  assign y = sum_3_0[53:39];
  wire unused = &{1'b0, sum_3_0[38:0]};

  initial begin
    sum_1_0 = 54'd0;
    sum_2_0 = 54'd0;
    sum_3_0 = 54'd0;
  end

  always @(posedge clock) begin
    sum_1_0 <= {x, 15'd0};
    sum_2_0 <= sum_1_0;
    sum_3_0 <= sum_2_0;
  end
endmodule

// A draw waits for its turn, and is compared with each position found before it. One clock.
module draw_check (
  input  wire        clock,
  input  wire [14:0] draw,     // draw
  input  wire        taken,    // it has met a position already
  input  wire [14:0] position, // position to compare with
  output wire [14:0] draw_out, // the draw, a clock later
  output wire        taken_out // it has met a position, this one included
);
  reg [14:0] draw_r;
  reg        taken_r;

  assign draw_out = draw_r;
  assign taken_out = taken_r;

  initial begin
    draw_r = 15'd0;
    taken_r = 1'b0;
  end

  always @(posedge clock) begin
    draw_r <= draw;
    taken_r <= taken || (draw == position);
  end
endmodule

// The position of a draw: the draw, or where that is taken the position kept for it. One clock.
module draw_settle (
  input  wire        clock,
  input  wire [14:0] draw,     // draw
  input  wire        taken,    // it has met a position already
  input  wire [14:0] position, // last position to compare with
  input  wire [14:0] kept,     // position that no draw before this one can be, constant
  output wire [14:0] settled   // position, a clock later
);
  reg [14:0] settled_r;

  assign settled = settled_r;

  initial begin
    settled_r = 15'd0;
  end

  always @(posedge clock) begin
    settled_r <= draw;
    if (taken || (draw == position)) begin
      settled_r <= kept;
    end
  end
endmodule

// Delays 15 bits by 3 clocks.
module delay_15x3 (
  input  wire        clock,
  input  wire [14:0] d,
  output wire [14:0] q
);
  reg [14:0] stage_1;
  reg [14:0] stage_2;
  reg [14:0] stage_3;

  assign q = stage_3;

  initial begin
    stage_1 = 15'd0;
    stage_2 = 15'd0;
    stage_3 = 15'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
  end
endmodule

// Delays 15 bits by 2 clocks.
module delay_15x2 (
  input  wire        clock,
  input  wire [14:0] d,
  output wire [14:0] q
);
  reg [14:0] stage_1;
  reg [14:0] stage_2;

  assign q = stage_2;

  initial begin
    stage_1 = 15'd0;
    stage_2 = 15'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
  end
endmodule

// Delays 15 bits by 1 clock.
module delay_15x1 (
  input  wire        clock,
  input  wire [14:0] d,
  output wire [14:0] q
);
  reg [14:0] stage_1;

  assign q = stage_1;

  initial begin
    stage_1 = 15'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
  end
endmodule

// Delays 15 bits by 0 clocks.
module delay_15x0 (
  input  wire        clock,
  input  wire [14:0] d,
  output wire [14:0] q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// 4 positions of 0 to 32767 that differ from each other: a draw that is taken gives way to the position kept for it (Bentley and Floyd, CACM 1987).
module hash_draws (
  input  wire        clock,
  input  wire [14:0] draw_0,  // draw 0, 0 to 32764
  input  wire [14:0] draw_1,  // draw 1, 0 to 32765
  input  wire [14:0] draw_2,  // draw 2, 0 to 32766
  input  wire [14:0] draw_3,  // draw 3, 0 to 32767
  output wire [14:0] index_0, // position of probe 0, 3 clock(s) later
  output wire [14:0] index_1, // position of probe 1, 3 clock(s) later
  output wire [14:0] index_2, // position of probe 2, 3 clock(s) later
  output wire [14:0] index_3  // position of probe 3, 3 clock(s) later
);
  localparam [14:0] kept_0 = 15'h7ffd;
  localparam [14:0] kept_1 = 15'h7ffe;
  localparam [14:0] kept_2 = 15'h7fff;

  wire        never;
  wire [14:0] check_0_draw_out;
  wire        check_0_taken_out;
  wire [14:0] check_1_draw_out;
  wire        check_1_taken_out;
  wire [14:0] check_2_draw_out;
  wire        check_2_taken_out;
  wire [14:0] settle_0_settled;
  wire [14:0] settle_1_settled;
  wire [14:0] settle_2_settled;
  wire [14:0] found_0_q;
  wire [14:0] found_1_q;
  wire [14:0] found_2_q;
  wire [14:0] found_3_q;

  draw_check check_0 (
    .clock     (clock),
    .draw      (draw_2),
    .taken     (never),
    .position  (draw_0),
    .draw_out  (check_0_draw_out),
    .taken_out (check_0_taken_out)
  );

  draw_check check_1 (
    .clock     (clock),
    .draw      (draw_3),
    .taken     (never),
    .position  (draw_0),
    .draw_out  (check_1_draw_out),
    .taken_out (check_1_taken_out)
  );

  draw_check check_2 (
    .clock     (clock),
    .draw      (check_1_draw_out),
    .taken     (check_1_taken_out),
    .position  (settle_0_settled),
    .draw_out  (check_2_draw_out),
    .taken_out (check_2_taken_out)
  );

  draw_settle settle_0 (
    .clock    (clock),
    .draw     (draw_1),
    .taken    (never),
    .position (draw_0),
    .kept     (kept_0),
    .settled  (settle_0_settled)
  );

  draw_settle settle_1 (
    .clock    (clock),
    .draw     (check_0_draw_out),
    .taken    (check_0_taken_out),
    .position (settle_0_settled),
    .kept     (kept_1),
    .settled  (settle_1_settled)
  );

  draw_settle settle_2 (
    .clock    (clock),
    .draw     (check_2_draw_out),
    .taken    (check_2_taken_out),
    .position (settle_1_settled),
    .kept     (kept_2),
    .settled  (settle_2_settled)
  );

  delay_15x3 found_0 (
    .clock (clock),
    .d     (draw_0),
    .q     (found_0_q)
  );

  delay_15x2 found_1 (
    .clock (clock),
    .d     (settle_0_settled),
    .q     (found_1_q)
  );

  delay_15x1 found_2 (
    .clock (clock),
    .d     (settle_1_settled),
    .q     (found_2_q)
  );

  delay_15x0 found_3 (
    .clock (clock),
    .d     (settle_2_settled),
    .q     (found_3_q)
  );

  assign never = 1'b0;
  assign index_0 = found_0_q;
  assign index_1 = found_1_q;
  assign index_2 = found_2_q;
  assign index_3 = found_3_q;
endmodule

// 104 bits of key to 4 probe position(s), one key a clock.
module hash_unit (
  input  wire         clock,
  input  wire [103:0] key,     // key
  output wire [14:0]  index_0, // position of probe 0
  output wire [14:0]  index_1, // position of probe 1
  output wire [14:0]  index_2, // position of probe 2
  output wire [14:0]  index_3  // position of probe 3
);
  wire [63:0] mix_0_mixed;
  wire [63:0] mix_1_mixed;
  wire [63:0] mix_2_mixed;
  wire [63:0] mix_3_mixed;
  wire [38:0] function_0_index;
  wire [38:0] function_1_index;
  wire [38:0] function_2_index;
  wire [38:0] function_3_index;
  wire [14:0] scale_0_y;
  wire [14:0] scale_1_y;
  wire [14:0] scale_2_y;
  wire [14:0] scale_3_y;
  wire [14:0] draws_0_index_0;
  wire [14:0] draws_0_index_1;
  wire [14:0] draws_0_index_2;
  wire [14:0] draws_0_index_3;

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

  hash_mix_3 mix_2 (
    .clock (clock),
    .key   (key),
    .mixed (mix_2_mixed)
  );

  hash_mix_4 mix_3 (
    .clock (clock),
    .key   (key),
    .mixed (mix_3_mixed)
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

  hash_index_3 function_2 (
    .clock (clock),
    .mixed (mix_2_mixed),
    .index (function_2_index)
  );

  hash_index_4 function_3 (
    .clock (clock),
    .mixed (mix_3_mixed),
    .index (function_3_index)
  );

  hash_scale scale_0 (
    .clock (clock),
    .x     (function_0_index),
    .y     (scale_0_y)
  );

  hash_scale_2 scale_1 (
    .clock (clock),
    .x     (function_1_index),
    .y     (scale_1_y)
  );

  hash_scale_3 scale_2 (
    .clock (clock),
    .x     (function_2_index),
    .y     (scale_2_y)
  );

  hash_scale_4 scale_3 (
    .clock (clock),
    .x     (function_3_index),
    .y     (scale_3_y)
  );

  hash_draws draws_0 (
    .clock   (clock),
    .draw_0  (scale_0_y),
    .draw_1  (scale_1_y),
    .draw_2  (scale_2_y),
    .draw_3  (scale_3_y),
    .index_0 (draws_0_index_0),
    .index_1 (draws_0_index_1),
    .index_2 (draws_0_index_2),
    .index_3 (draws_0_index_3)
  );

  assign index_0 = draws_0_index_0;
  assign index_1 = draws_0_index_1;
  assign index_2 = draws_0_index_2;
  assign index_3 = draws_0_index_3;
endmodule

// The 4 position(s) of an item, one a clock: round once to be read, once to be written. Positions in one word
// are found by comparison.
module probe_ring (
  input  wire        clock,
  input  wire        load,          // positions are those of an item
  input  wire [14:0] position_0,    // position of probe 0
  input  wire [14:0] position_1,    // position of probe 1
  input  wire [14:0] position_2,    // position of probe 2
  input  wire [14:0] position_3,    // position of probe 3
  input  wire        hold,          // stand still
  output wire [9:0]  word,          // word of the probe whose turn it is
  output wire [4:0]  offset,        // its bit in the word
  output wire        word_repeated, // a clock later: an earlier probe lies in the same word
  output wire        bit_repeated,  // a clock later: an earlier probe has the same position
  output wire [31:0] mask           // a clock later: the bits of all probes in that word
);
  localparam [31:0] one = 32'd1;

  reg [14:0] ring_0;
  reg [14:0] ring_1;
  reg [14:0] ring_2;
  reg [14:0] ring_3;
  reg        passed_0;       // place 1 has had its turn
  reg        passed_1;       // place 2 has had its turn
  reg        passed_2;       // place 3 has had its turn
  reg        same_0;
  reg        same_1;
  reg        same_2;
  reg        earlier_word_0;
  reg        earlier_word_1;
  reg        earlier_word_2;

  wire [2:0]  in_word;
  wire        in_bit;
  reg  [31:0] mixed;

  assign word = ring_0[14:5];
  assign offset = ring_0[4:0];
  assign in_bit = 1'b0;
  assign bit_repeated = in_bit;
  assign in_word[0] = earlier_word_0;
  assign in_word[1] = earlier_word_1;
  assign in_word[2] = earlier_word_2;
  assign word_repeated = |in_word;
  assign mask = mixed;

  initial begin
    ring_0 = 15'd0;
    ring_1 = 15'd0;
    ring_2 = 15'd0;
    ring_3 = 15'd0;
    passed_0 = 1'b0;
    passed_1 = 1'b0;
    passed_2 = 1'b0;
    same_0 = 1'b0;
    same_1 = 1'b0;
    same_2 = 1'b0;
    earlier_word_0 = 1'b0;
    earlier_word_1 = 1'b0;
    earlier_word_2 = 1'b0;
  end

  always @* begin
    // the ring has gone on by one place
    mixed = one << ring_3[4:0];
    if (same_0) begin
      mixed = mixed | (one << ring_0[4:0]);
    end
    if (same_1) begin
      mixed = mixed | (one << ring_1[4:0]);
    end
    if (same_2) begin
      mixed = mixed | (one << ring_2[4:0]);
    end
  end

  always @(posedge clock) begin
    if (load) begin
      ring_0 <= position_0;
      ring_1 <= position_1;
      ring_2 <= position_2;
      ring_3 <= position_3;
      passed_0 <= 1'b0;
      passed_1 <= 1'b0;
      passed_2 <= 1'b0;
    end else if (!hold) begin
      ring_0 <= ring_1;
      ring_1 <= ring_2;
      ring_2 <= ring_3;
      ring_3 <= ring_0;
      passed_0 <= passed_1;
      passed_1 <= passed_2;
      passed_2 <= 1'b1;
    end

    // the head against the others
    same_0 <= ring_0[14:5] == ring_1[14:5];
    earlier_word_0 <= (ring_0[14:5] == ring_1[14:5]) && passed_0;
    same_1 <= ring_0[14:5] == ring_2[14:5];
    earlier_word_1 <= (ring_0[14:5] == ring_2[14:5]) && passed_1;
    same_2 <= ring_0[14:5] == ring_3[14:5];
    earlier_word_2 <= (ring_0[14:5] == ring_3[14:5]) && passed_2;
  end
endmodule

// Delays 10 bits by 4 clocks.
module delay_10x4 (
  input  wire       clock,
  input  wire [9:0] d,
  output wire [9:0] q
);
  reg [9:0] stage_1;
  reg [9:0] stage_2;
  reg [9:0] stage_3;
  reg [9:0] stage_4;

  assign q = stage_4;

  initial begin
    stage_1 = 10'd0;
    stage_2 = 10'd0;
    stage_3 = 10'd0;
    stage_4 = 10'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
  end
endmodule

// Delays 5 bits by 4 clocks.
module delay_5x4 (
  input  wire       clock,
  input  wire [4:0] d,
  output wire [4:0] q
);
  reg [4:0] stage_1;
  reg [4:0] stage_2;
  reg [4:0] stage_3;
  reg [4:0] stage_4;

  assign q = stage_4;

  initial begin
    stage_1 = 5'd0;
    stage_2 = 5'd0;
    stage_3 = 5'd0;
    stage_4 = 5'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
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

// Delays 1 bit by 3 clocks.
module delay_1x3 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;
  reg stage_3;

  assign q = stage_3;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
    stage_3 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
  end
endmodule

// 1024 words of 32 data bits and 4 epoch bits in block RAM, two clocks of read latency.
// Reading the word that is being written gives an unspecified value: the bank forwards it.
module bank_memory (
  input  wire        clock,
  input  wire [9:0]  read_address,  // word to read
  output wire [35:0] read_data,     // {epoch, data}, two clocks later
  input  wire        write_enable,  // write this clock
  input  wire [9:0]  write_address, // word to write
  input  wire [35:0] write_data     // {epoch, data}
);
  (* no_rw_check *)
  reg [35:0] words [0:1023];
  reg [35:0] array_out;
  reg [35:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 1023; i = i + 1) words[i] = 36'd0;
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

// One bit of a memory word; a word of another epoch reads as zero.
module bit_select (
  input  wire        clock,
  input  wire [31:0] word,    // memory word, stage 7
  input  wire        current, // the word bears its half's epoch, stage 7
  input  wire [4:0]  offset,  // bit in the word, stage 7
  output wire        selected // the bit, stage 8
);
  reg [3:0] picked_r;
  reg [1:0] byte_select;

  wire [7:0] byte_0;
  wire [7:0] byte_1;
  wire [7:0] byte_2;
  wire [7:0] byte_3;
  wire [2:0] in_byte;
  reg  [3:0] picked;

  assign byte_0 = word[7:0];
  assign byte_1 = word[15:8];
  assign byte_2 = word[23:16];
  assign byte_3 = word[31:24];
  assign in_byte = offset[2:0];
  assign selected = picked_r[byte_select];

  initial begin
    picked_r = 4'd0;
    byte_select = 2'd0;
  end

  always @* begin
    picked = 4'd0;
    if (current) begin
      picked[0] = byte_0[in_byte];
      picked[1] = byte_1[in_byte];
      picked[2] = byte_2[in_byte];
      picked[3] = byte_3[in_byte];
    end
  end

  always @(posedge clock) begin
    picked_r <= picked;
    byte_select <= offset[4:3];
  end
endmodule

// The 4 word(s) that an item reads, until they are written. Moves on in every clock without hold.
module word_store (
  input  wire        clock,
  input  wire        hold,     // stand still
  input  wire [31:0] word_in,  // word read, 0 if it does not bear the epoch
  input  wire        bears_in, // it bears the epoch of the active half
  input  wire        fresh_in, // no earlier probe of the item lies in it
  output wire [31:0] word,     // the oldest
  output wire        bears,
  output wire        fresh
);
  reg [31:0] words_0;
  reg [31:0] words_1;
  reg [31:0] words_2;
  reg [31:0] words_3;
  reg        bears_r_0;
  reg        bears_r_1;
  reg        bears_r_2;
  reg        bears_r_3;
  reg        fresh_r_0;
  reg        fresh_r_1;
  reg        fresh_r_2;
  reg        fresh_r_3;

  assign word = words_0;
  assign bears = bears_r_0;
  assign fresh = fresh_r_0;

  initial begin
    words_0 = 32'd0;
    words_1 = 32'd0;
    words_2 = 32'd0;
    words_3 = 32'd0;
    bears_r_0 = 1'b0;
    bears_r_1 = 1'b0;
    bears_r_2 = 1'b0;
    bears_r_3 = 1'b0;
    fresh_r_0 = 1'b0;
    fresh_r_1 = 1'b0;
    fresh_r_2 = 1'b0;
    fresh_r_3 = 1'b0;
  end

  always @(posedge clock) begin
    if (!hold) begin
      words_0 <= words_1;
      bears_r_0 <= bears_r_1;
      fresh_r_0 <= fresh_r_1;
      words_1 <= words_2;
      bears_r_1 <= bears_r_2;
      fresh_r_1 <= fresh_r_2;
      words_2 <= words_3;
      bears_r_2 <= bears_r_3;
      fresh_r_2 <= fresh_r_3;
      words_3 <= word_in;
      bears_r_3 <= bears_in;
      fresh_r_3 <= fresh_in;
    end
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
  localparam [10:0] words          = 11'h400;
  localparam [10:0] words_less_one = 11'h3ff;

  reg [10:0] left;
  reg        full_r;

  assign full = full_r;

  initial begin
    left = 11'h400;
    full_r = 1'b0;
  end

  always @(posedge clock) begin
    if (touch) begin
      left <= left - 11'd1;
    end
    if (recycled) begin
      left <= words;
      if (touch) begin
        left <= words_less_one;
      end
    end
    full_r <= !recycled && (full_r || (touch && (left == 11'd1)));
  end
endmodule

// One array of 1024 words a half. An item's 4 probe(s) are read one a clock, then written one a clock.
// One item at a time, so that no word is forwarded; refreshes take the clocks between items.
module shared_array_bank (
  input  wire        clock,
  input  wire        load,           // an item enters stage 0
  input  wire [14:0] position_0,     // position of its probe 0
  input  wire [14:0] position_1,     // position of its probe 1
  input  wire [14:0] position_2,     // position of its probe 2
  input  wire [14:0] position_3,     // position of its probe 3
  input  wire        ring_hold,      // the ring stands still: item in stages k to D - 2
  input  wire        store_hold,     // the words stand still: item in stages D - 2 and D - 1
  input  wire        direct,         // stage 0: a refresh or a fetch
  input  wire [9:0]  direct_address, // stage 0: its word
  input  wire        of_frozen_0,    // a fetch is of the frozen half
  input  wire        refreshing,     // stage 4: a refresh, to be written in stage 5
  input  wire        adding,         // it sets bits of a host
  input  wire [31:0] added,          // these
  input  wire        writing,        // stages D to D + k - 1: the item's word is written in the next clock
  input  wire        emptied,        // then: the item recycled, so that every word is empty
  input  wire        recycled,       // stage W: the slot recycled
  input  wire [3:0]  active_epoch,   // epoch of the active half
  input  wire        phase_0,        // which half is active
  input  wire [3:0]  frozen_epoch_0, // epoch of the other half
  output wire        in_active,      // stage i + 5: the bit of probe i in the active half
  output wire        in_frozen_0,    // stage i + 5: in the frozen half
  output wire        repeated,       // stage i + 5: an earlier probe has the same position
  output wire        full,           // every word of the active half bears its epoch
  output reg  [31:0] word_4          // stage 4: the word fetched; 0 if it does not bear its half's epoch
);
  localparam [31:0] no_word = 32'd0;

  reg [9:0]  address;
  reg [31:0] word;
  reg        bears;
  reg [31:0] frozen_word_0;
  reg        frozen_bears_0;
  reg        write;
  reg        touch;          // the word written bore another epoch
  reg [9:0]  write_address;
  reg [31:0] data;

  reg  [35:0] active_read;
  reg  [35:0] frozen_read_0;
  wire [3:0]  read_epoch;
  reg  [31:0] kept;
  reg  [31:0] kept_frozen_0;
  wire [9:0]  ring_word;
  wire [4:0]  ring_offset;
  wire        ring_word_repeated;
  wire        ring_bit_repeated;
  wire [31:0] ring_mask;
  wire [9:0]  refresh_line_q;
  wire [4:0]  offset_line_q;
  wire        repeated_line_q;
  wire        fresh_line_d;
  wire        fresh_line_q;
  wire [35:0] memory_0_read_data;
  wire        memory_0_write_enable;
  wire [35:0] memory_0_write_data;
  wire [35:0] memory_1_read_data;
  wire        memory_1_write_enable;
  wire [35:0] memory_1_write_data;
  wire [35:0] other_epoch_0_input;
  wire [35:0] other_word_0_input;
  wire        select_selected;
  wire        frozen_select_0_selected;
  wire [31:0] store_word;
  wire        store_bears;
  wire        store_fresh;
  wire        coverage_full;

  // positions: address in stage i + 1
  probe_ring ring (
    .clock         (clock),
    .load          (load),
    .position_0    (position_0),
    .position_1    (position_1),
    .position_2    (position_2),
    .position_3    (position_3),
    .hold          (ring_hold),
    .word          (ring_word),
    .offset        (ring_offset),
    .word_repeated (ring_word_repeated),
    .bit_repeated  (ring_bit_repeated),
    .mask          (ring_mask)
  );

  delay_10x4 refresh_line (
    .clock (clock),
    .d     (direct_address),
    .q     (refresh_line_q)
  );

  delay_5x4 offset_line (
    .clock (clock),
    .d     (ring_offset),
    .q     (offset_line_q)
  );

  delay_1x4 repeated_line (
    .clock (clock),
    .d     (ring_bit_repeated),
    .q     (repeated_line_q)
  );

  delay_1x3 fresh_line (
    .clock (clock),
    .d     (fresh_line_d),
    .q     (fresh_line_q)
  );

  bank_memory memory_0 (
    .clock         (clock),
    .read_address  (address),
    .read_data     (memory_0_read_data),
    .write_enable  (memory_0_write_enable),
    .write_address (write_address),
    .write_data    (memory_0_write_data)
  );

  bank_memory memory_1 (
    .clock         (clock),
    .read_address  (address),
    .read_data     (memory_1_read_data),
    .write_enable  (memory_1_write_enable),
    .write_address (write_address),
    .write_data    (memory_1_write_data)
  );

  bit_select select (
    .clock    (clock),
    .word     (word),
    .current  (bears),
    .offset   (offset_line_q),
    .selected (select_selected)
  );

  bit_select frozen_select_0 (
    .clock    (clock),
    .word     (frozen_word_0),
    .current  (frozen_bears_0),
    .offset   (offset_line_q),
    .selected (frozen_select_0_selected)
  );

  word_store store (
    .clock    (clock),
    .hold     (store_hold),
    .word_in  (kept),
    .bears_in (bears),
    .fresh_in (fresh_line_q),
    .word     (store_word),
    .bears    (store_bears),
    .fresh    (store_fresh)
  );

  // coverage by the current epoch
  coverage coverage (
    .clock    (clock),
    .recycled (recycled),
    .touch    (touch),
    .full     (coverage_full)
  );

  assign repeated = repeated_line_q;
  assign fresh_line_d = !ring_word_repeated;
  assign other_epoch_0_input = frozen_read_0;
  assign other_word_0_input = frozen_read_0;
  assign in_frozen_0 = frozen_select_0_selected;
  assign read_epoch = active_read[35:32];
  assign in_active = select_selected;
  assign memory_0_write_data = {active_epoch, data};
  assign memory_1_write_data = {active_epoch, data};
  assign memory_0_write_enable = write && !phase_0;
  assign memory_1_write_enable = write && phase_0;
  assign full = coverage_full;

  initial begin
    address = 10'd0;
    word = 32'd0;
    bears = 1'b0;
    frozen_word_0 = 32'd0;
    frozen_bears_0 = 1'b0;
    write = 1'b0;
    touch = 1'b0;
    write_address = 10'd0;
    data = 32'd0;
  end

  always @* begin
    // words of both halves: from memory in stage i + 3, in registers in stage i + 4
    active_read = memory_0_read_data;
    frozen_read_0 = memory_1_read_data;
    if (phase_0) begin
      active_read = memory_1_read_data;
      frozen_read_0 = memory_0_read_data;
    end
  end

  always @* begin
    // what is written: a refresh's word, or the item's with the bits of its probes
    kept = no_word;
    if (bears) begin
      kept = word;
    end
  end

  always @* begin
    // a word for the host
    word_4 = kept;
    if (of_frozen_0) begin
      word_4 = kept_frozen_0;
    end
  end

  always @* begin
    kept_frozen_0 = no_word;
    if (frozen_bears_0) begin
      kept_frozen_0 = frozen_word_0;
    end
  end

  always @(posedge clock) begin
    address <= ring_word;
    if (direct) begin
      address <= direct_address;
    end
    frozen_word_0 <= other_word_0_input[31:0];
    frozen_bears_0 <= other_epoch_0_input[35:32] == frozen_epoch_0;
    word <= active_read[31:0];
    bears <= read_epoch == active_epoch;
    write <= refreshing || writing;
    write_address <= address;
    data <= ring_mask;
    if (!emptied) begin
      data <= store_word | ring_mask;
    end
    touch <= writing && store_fresh && (emptied || !store_bears);
    if (refreshing) begin
      write_address <= refresh_line_q;
      data <= kept;
      if (adding) begin
        data <= kept | added;
      end
      touch <= !bears;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, other_epoch_0_input[31:0], other_word_0_input[35:32]};
endmodule

// Folds the bits of an item's probes and decides whether it trips the recycle: threshold on bits set (RBF section III).
// room = what the active half may still take; an item that would take more trips.
module shared_array_decision (
  input  wire        clock,
  input  wire        reset,        // drops the item that is not decided
  input  wire        first,        // stage 5: the bits are those of an item's first probe
  input  wire        active_bit,   // stage i + 5: the probe's bit in the active half
  input  wire        frozen_bit_0, // stage i + 5: in the frozen half
  input  wire        repeated,     // stage i + 5: an earlier probe has the same position
  input  wire        inserting,    // the slot in stage D - 1 inserts
  input  wire        forced,       // the slot in stage D - 1 recycles in any case
  input  wire [15:0] room,         // room of the active half
  output wire        trip,         // the slot in stage D recycles
  output wire [2:0]  count,        // new bits of the slot in stage D
  output wire        in_active,    // stage D: every bit is set in the active half
  output wire        in_frozen_0   // stage D: in the frozen half
);
  localparam [2:0] no_count = 3'd0;

  reg       all_active;
  reg       all_frozen_0;
  reg [2:0] clear;
  reg       trip_r;
  reg [2:0] count_r;
  reg       in_active_r;
  reg       in_frozen_r_0;

  reg  [2:0] clear_before;
  wire       over;

  // the decision
  assign over = {13'd0, clear} > room;
  assign in_frozen_0 = in_frozen_r_0;
  assign trip = trip_r;
  assign count = count_r;
  assign in_active = in_active_r;

  initial begin
    all_active = 1'b0;
    all_frozen_0 = 1'b0;
    clear = 3'd0;
    trip_r = 1'b0;
    count_r = 3'd0;
    in_active_r = 1'b0;
    in_frozen_r_0 = 1'b0;
  end

  always @* begin
    clear_before = clear;
    if (first) begin
      clear_before = no_count;
    end
  end

  always @(posedge clock) begin
    // probes 0 to i, in stage i + 6
    all_active <= active_bit && (first || all_active);
    clear <= clear_before + {2'd0, !active_bit && !repeated};
    trip_r <= !reset && (forced || (inserting && over));
    count_r <= no_count;
    if (inserting && !reset) begin
      count_r <= clear;
    end
    in_active_r <= all_active;
    all_frozen_0 <= frozen_bit_0 && (first || all_frozen_0);
    in_frozen_r_0 <= all_frozen_0;
  end
endmodule

// The limit in force (sigma on bits set; N - 1 on messages, since the N-th message trips), the room left in the
// active half, and the room right after a recycle, when the retained item is in it.
module recycle_limit (
  input  wire        clock,
  input  wire        take,         // take the threshold
  input  wire [15:0] threshold,    // threshold register
  input  wire [15:0] count,        // bits set, or messages, of the active half
  output wire [15:0] room,         // limit - count, not below 0
  output wire [15:0] base_room,    // limit - what a retained item adds, not below 0
  output wire        one_at_a_time // cycles may be so short that two slots in flight recycle: admit one item at a time
);
  localparam [15:0] base   = 16'd4;   // what a retained item adds
  localparam [15:0] large_ = 16'h100; // room from which cycles are long enough for full rate
  localparam [15:0] zero   = 16'd0;

  reg [15:0] limit_r;
  reg [16:0] difference;      // limit - count, with sign
  reg [15:0] room_r;
  reg [16:0] base_difference; // limit - base, with sign
  reg [15:0] base_room_r;
  reg        one_at_a_time_r;

  wire [15:0] limit_in;

  assign limit_in = threshold;
  assign room = room_r;
  assign base_room = base_room_r;
  assign one_at_a_time = one_at_a_time_r;

  initial begin
    limit_r = 16'd0;
    difference = 17'd0;
    room_r = 16'd0;
    base_difference = 17'd0;
    base_room_r = 16'd0;
    one_at_a_time_r = 1'b1;
  end

  always @(posedge clock) begin
    if (take) begin
      limit_r <= limit_in;
    end
    difference <= {1'b0, limit_r} - {1'b0, count};
    room_r <= difference[15:0];
    if (difference[16]) begin
      room_r <= zero;
    end
    base_difference <= {1'b0, limit_r} - {1'b0, base};
    base_room_r <= base_difference[15:0];
    if (base_difference[16]) begin
      base_room_r <= zero;
    end
    one_at_a_time_r <= base_room_r < large_;
  end
endmodule

// Delays 1 bit by 0 clocks.
module delay_1x0 (
  input  wire clock,
  input  wire d,
  output wire q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// Delays 4 bits by 0 clocks.
module delay_4x0 (
  input  wire       clock,
  input  wire [3:0] d,
  output wire [3:0] q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// Delays 1 bit by 2 clocks.
module delay_1x2 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;

  assign q = stage_2;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
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
  input  wire       trip,             // the slot that is decided in this clock recycles
  input  wire       recycled,         // the slot in stage W recycled
  input  wire       all_full,         // every word of the active half bears its epoch, in every bank
  output wire       phase,            // which half is active, after the slots decided before
  output wire [3:0] active_epoch,     // its epoch
  output wire       phase_6_0,        // which half was active when the slot in stage 6 stood in stage 2
  output wire [3:0] active_epoch_6,   // its epoch then
  output wire [3:0] frozen_epoch_6_0, // the other half's epoch then
  output wire       write_phase_0,    // half that the slot in stage W writes
  output wire [3:0] write_epoch,      // epoch that it writes
  output wire       covered,          // every word of the active half bears its epoch
  output wire       blocked,          // the active half has no spare epoch: admit nothing until it is covered
  output wire [3:0] spare             // spare epochs of the active half
);
  localparam [3:0] last_epoch  = 4'd15;
  localparam [3:0] first_epoch = 4'd1;
  localparam [3:0] all_spare   = 4'd14; // epoch values but the current one

  reg       phase_r_0;
  reg [3:0] epoch_0;
  reg [3:0] epoch_1;
  reg       here_0;
  reg [3:0] spare_r_0;
  reg [3:0] spare_r_1;
  reg       covered_r;
  reg       blocked_r;

  reg  [3:0] epoch_now;
  reg  [3:0] other_epoch_0;
  reg  [3:0] next_epoch;
  reg  [3:0] spare_here;
  wire       phase_line_0_q;
  wire [3:0] epoch_line_q;
  wire [3:0] other_line_0_q;
  wire       write_phase_line_0_q;
  wire [3:0] write_epoch_line_q;

  delay_1x0 phase_line_0 (
    .clock (clock),
    .d     (phase_r_0),
    .q     (phase_line_0_q)
  );

  delay_4x0 epoch_line (
    .clock (clock),
    .d     (epoch_now),
    .q     (epoch_line_q)
  );

  delay_4x0 other_line_0 (
    .clock (clock),
    .d     (other_epoch_0),
    .q     (other_line_0_q)
  );

  delay_1x2 write_phase_line_0 (
    .clock (clock),
    .d     (phase_r_0),
    .q     (write_phase_line_0_q)
  );

  delay_4x2 write_epoch_line (
    .clock (clock),
    .d     (epoch_now),
    .q     (write_epoch_line_q)
  );

  assign phase = phase_r_0;
  assign active_epoch = epoch_now;
  assign active_epoch_6 = epoch_line_q;
  assign write_epoch = write_epoch_line_q;
  assign phase_6_0 = phase_line_0_q;
  assign frozen_epoch_6_0 = other_line_0_q;
  assign write_phase_0 = write_phase_line_0_q;
  assign covered = covered_r;
  assign blocked = blocked_r;
  assign spare = spare_here;

  initial begin
    phase_r_0 = 1'b0;
    epoch_0 = 4'd1;
    epoch_1 = 4'd1;
    here_0 = 1'b0;
    spare_r_0 = 4'd14;
    spare_r_1 = 4'd14;
    covered_r = 1'b0;
    blocked_r = 1'b0;
  end

  always @* begin
    // at the decision
    epoch_now = epoch_0;
    other_epoch_0 = epoch_1;
    if (phase_r_0) begin
      epoch_now = epoch_1;
      other_epoch_0 = epoch_0;
    end
  end

  always @* begin
    // the half that a recycle makes active
    next_epoch = other_epoch_0 + 4'd1;
    if (other_epoch_0 == last_epoch) begin
      next_epoch = first_epoch;
    end
  end

  always @* begin
    spare_here = spare_r_0;
    if (here_0) begin
      spare_here = spare_r_1;
    end
  end

  always @(posedge clock) begin
    if (trip) begin
      phase_r_0 <= !phase_r_0;
      if (phase_r_0) begin
        epoch_0 <= next_epoch;
      end else begin
        epoch_1 <= next_epoch;
      end
    end

    // at retirement
    covered_r <= all_full && !recycled;
    if (recycled) begin
      here_0 <= !here_0;
      if (here_0) begin
        spare_r_0 <= spare_r_0 - 4'd1;
      end else begin
        spare_r_1 <= spare_r_1 - 4'd1;
      end
    end else if (covered_r) begin
      if (here_0) begin
        spare_r_1 <= all_spare;
      end else begin
        spare_r_0 <= all_spare;
      end
    end
    blocked_r <= !(|spare_here);
  end
endmodule

// Number of ones among 32 bit(s), 4 clock(s) later.
module count_ones (
  input  wire        clock,
  input  wire        reset, // drops what is being counted
  input  wire [31:0] x,     // bits to count
  output wire [5:0]  count  // ones
);
  reg [2:0] sum_1_0;
  reg [2:0] sum_1_1;
  reg [2:0] sum_1_2;
  reg [2:0] sum_1_3;
  reg [2:0] sum_1_4;
  reg [2:0] sum_1_5;
  reg [2:0] sum_1_6;
  reg [2:0] sum_1_7;
  reg [3:0] sum_2_0;
  reg [3:0] sum_2_1;
  reg [3:0] sum_2_2;
  reg [3:0] sum_2_3;
  reg [4:0] sum_3_0;
  reg [4:0] sum_3_1;
  reg [5:0] sum_4_0;

  initial begin
    sum_1_0 = 3'd0;
    sum_1_1 = 3'd0;
    sum_1_2 = 3'd0;
    sum_1_3 = 3'd0;
    sum_1_4 = 3'd0;
    sum_1_5 = 3'd0;
    sum_1_6 = 3'd0;
    sum_1_7 = 3'd0;
    sum_2_0 = 4'd0;
    sum_2_1 = 4'd0;
    sum_2_2 = 4'd0;
    sum_2_3 = 4'd0;
    sum_3_0 = 5'd0;
    sum_3_1 = 5'd0;
    sum_4_0 = 6'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      sum_1_0 <= 3'd0;
      sum_1_1 <= 3'd0;
      sum_1_2 <= 3'd0;
      sum_1_3 <= 3'd0;
      sum_1_4 <= 3'd0;
      sum_1_5 <= 3'd0;
      sum_1_6 <= 3'd0;
      sum_1_7 <= 3'd0;
      sum_2_0 <= 4'd0;
      sum_2_1 <= 4'd0;
      sum_2_2 <= 4'd0;
      sum_2_3 <= 4'd0;
      sum_3_0 <= 5'd0;
      sum_3_1 <= 5'd0;
      sum_4_0 <= 6'd0;
    end else begin
      sum_1_0 <= {2'd0, x[0]} + {2'd0, x[1]} + {2'd0, x[2]} + {2'd0, x[3]};
      sum_1_1 <= {2'd0, x[4]} + {2'd0, x[5]} + {2'd0, x[6]} + {2'd0, x[7]};
      sum_1_2 <= {2'd0, x[8]} + {2'd0, x[9]} + {2'd0, x[10]} + {2'd0, x[11]};
      sum_1_3 <= {2'd0, x[12]} + {2'd0, x[13]} + {2'd0, x[14]} + {2'd0, x[15]};
      sum_1_4 <= {2'd0, x[16]} + {2'd0, x[17]} + {2'd0, x[18]} + {2'd0, x[19]};
      sum_1_5 <= {2'd0, x[20]} + {2'd0, x[21]} + {2'd0, x[22]} + {2'd0, x[23]};
      sum_1_6 <= {2'd0, x[24]} + {2'd0, x[25]} + {2'd0, x[26]} + {2'd0, x[27]};
      sum_1_7 <= {2'd0, x[28]} + {2'd0, x[29]} + {2'd0, x[30]} + {2'd0, x[31]};
      sum_2_0 <= {1'd0, sum_1_0} + {1'd0, sum_1_1};
      sum_2_1 <= {1'd0, sum_1_2} + {1'd0, sum_1_3};
      sum_2_2 <= {1'd0, sum_1_4} + {1'd0, sum_1_5};
      sum_2_3 <= {1'd0, sum_1_6} + {1'd0, sum_1_7};
      sum_3_0 <= {1'd0, sum_2_0} + {1'd0, sum_2_1};
      sum_3_1 <= {1'd0, sum_2_2} + {1'd0, sum_2_3};
      sum_4_0 <= {1'd0, sum_3_0} + {1'd0, sum_3_1};
    end
  end

  assign count = sum_4_0;
endmodule

// Bits set in each half, and bit-setting messages of this cycle.
module occupancy (
  input  wire        clock,
  input  wire        reset,       // empty
  input  wire        trip,        // the slot in stage D recycles
  input  wire        inserting,   // the slot in stage D inserts
  input  wire [2:0]  count,       // its new bits
  input  wire        found,       // a host sets bits
  input  wire [31:0] word,        // in this word
  input  wire [31:0] bits,        // namely these
  output wire [15:0] bits_active, // bits set in the active half
  output wire [15:0] bits_frozen, // bits set in the frozen half
  output wire [15:0] messages     // bit-setting messages of this cycle
);
  localparam [31:0] no_bits           = 32'd0;
  localparam [15:0] zero              = 16'd0;
  localparam [15:0] retained_bits     = 16'd4; // bits of a retained item
  localparam [15:0] retained_messages = 16'd1; // a retained item

  reg [15:0] active;
  reg [15:0] frozen_0;
  reg [15:0] message_count;
  reg [31:0] fresh;         // bits of a host that were clear

  wire [5:0] more;        // bits that come
  wire [5:0] added_count;

  count_ones added (
    .clock (clock),
    .reset (reset),
    .x     (fresh),
    .count (added_count)
  );

  assign more = {3'd0, count} | added_count;
  assign bits_frozen = frozen_0;
  assign bits_active = active;
  assign messages = message_count;

  initial begin
    active = 16'd0;
    frozen_0 = 16'd0;
    message_count = 16'd0;
    fresh = 32'd0;
  end

  always @(posedge clock) begin
    // bits of a host
    fresh <= no_bits;
    if (found && !reset) begin
      fresh <= bits & ~word;
    end
    active <= active + {10'd0, more};
    message_count <= message_count + {15'd0, |more};
    if (trip) begin
      active <= zero;
      message_count <= zero;
      if (inserting) begin
        active <= retained_bits;
        message_count <= retained_messages;
      end
    end
    if (reset) begin
      active <= zero;
      message_count <= zero;
    end
    if (trip) begin
      frozen_0 <= active;
    end
    if (reset) begin
      frozen_0 <= zero;
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

// 64 entries of 4 bits in distributed RAM; reads without a clock.
module queue_memory_2 (
  input  wire       clock,
  input  wire       write_enable,  // write this clock
  input  wire [5:0] write_address, // entry to write
  input  wire [3:0] write_data,    // its value
  input  wire [5:0] read_address,  // entry to read
  output wire [3:0] read_data      // its value, in the same clock
);
  reg [3:0] entries [0:63];
  integer i;

  initial begin
    for (i = 0; i <= 63; i = i + 1) entries[i] = 4'd0;
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
  input  wire [3:0]  flags,    // verdict: tripped, in_frozen, in_active, seen
  input  wire        ready,    // the stream takes the beat
  output wire        valid,    // a beat is offered
  output wire [3:0]  data,     // its verdict
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
  reg [3:0]  data_r;
  reg [15:0] tag_r;
  reg        credit_r;

  wire        load;
  wire [15:0] tags_read_data;
  wire [3:0]  verdicts_read_data;

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
    data_r = 4'd0;
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
  input  wire        reset,            // back to the specification's values
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
  input  wire [31:0] live_0,           // register STATUS
  input  wire [15:0] live_1,           // register BITS_ACTIVE
  input  wire [15:0] live_2,           // register BITS_FROZEN
  input  wire [15:0] live_3,           // register MESSAGES
  input  wire [31:0] counter_low_0,    // counter ITEMS, lower half
  input  wire [31:0] counter_low_1,    // counter SEEN, lower half
  input  wire [31:0] counter_low_2,    // counter INSERTED, lower half
  input  wire [31:0] counter_low_3,    // counter RECYCLES, lower half
  input  wire [31:0] counter_low_4,    // counter STALL_RECYCLE, lower half
  input  wire [31:0] counter_low_5,    // counter STALL_CONTROL, lower half
  input  wire [31:0] counter_low_6,    // counter STALL_VERDICT, lower half
  input  wire [31:0] counter_high_0,   // counter ITEMS, upper half, a clock late
  input  wire [31:0] counter_high_1,   // counter SEEN, upper half, a clock late
  input  wire [31:0] counter_high_2,   // counter INSERTED, upper half, a clock late
  input  wire [31:0] counter_high_3,   // counter RECYCLES, upper half, a clock late
  input  wire [31:0] counter_high_4,   // counter STALL_RECYCLE, upper half, a clock late
  input  wire [31:0] counter_high_5,   // counter STALL_CONTROL, upper half, a clock late
  input  wire [31:0] counter_high_6,   // counter STALL_VERDICT, upper half, a clock late
  input  wire        finished,         // what is pending is done
  input  wire        load_0,           // load ARRAY_DATA
  input  wire [31:0] load_value_0,     // its value
  input  wire        fetched_0,        // the word that was asked for is there in the next clock
  output wire [15:0] value_0,          // register THRESHOLD
  output wire [31:0] value_1,          // register MAX_AGE
  output wire [10:0] value_2,          // register ARRAY_ADDRESS
  output wire [31:0] value_3,          // register ARRAY_DATA
  output wire        stored_0,         // ARRAY_DATA is being written
  output reg         fetch_asked_0,    // ARRAY_ADDRESS is being written
  output wire        clear_pending,    // a clear was written and is not done
  output wire        write_pending,    // a clear, a recycle or THRESHOLD or ARRAY_DATA was written and is not done
  output wire        recycle_pending_0 // a recycle was written and is not done
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
  localparam [31:0] fixed_value_2    = 32'hdb089f93;
  localparam [31:0] fixed_value_3    = 32'h559ec896;
  localparam [31:0] fixed_value_4    = 32'h40;
  localparam [31:0] fixed_value_5    = 32'd1;
  localparam [31:0] fixed_value_6    = 32'd3;
  localparam [31:0] fixed_value_7    = 32'h80;
  localparam [31:0] fixed_value_8    = 32'd0;
  localparam [31:0] fixed_value_9    = 32'd2;
  localparam [31:0] fixed_value_10   = 32'd1;
  localparam [31:0] fixed_value_11   = 32'd0;
  localparam [5:0]  live_address_0   = 6'd20;
  localparam [5:0]  live_address_1   = 6'd23;
  localparam [5:0]  live_address_2   = 6'd24;
  localparam [5:0]  live_address_3   = 6'd25;
  localparam [5:0]  value_address_0  = 6'd21;
  localparam [5:0]  value_address_1  = 6'd22;
  localparam [5:0]  value_address_2  = 6'd26;
  localparam [5:0]  value_address_3  = 6'd27;
  localparam [15:0] value_reset_0    = 16'h4000;          // THRESHOLD after reset
  localparam [31:0] value_reset_1    = 32'd0;             // MAX_AGE after reset
  localparam [10:0] value_reset_2    = 11'd0;             // ARRAY_ADDRESS after reset
  localparam [31:0] value_reset_3    = 32'd0;             // ARRAY_DATA after reset
  localparam [5:0]  low_address_0    = 6'd36;
  localparam [5:0]  low_address_1    = 6'd38;
  localparam [5:0]  low_address_2    = 6'd40;
  localparam [5:0]  low_address_3    = 6'd42;
  localparam [5:0]  low_address_4    = 6'd44;
  localparam [5:0]  low_address_5    = 6'd46;
  localparam [5:0]  low_address_6    = 6'd48;
  localparam [5:0]  high_address_0   = 6'd37;
  localparam [5:0]  high_address_1   = 6'd39;
  localparam [5:0]  high_address_2   = 6'd41;
  localparam [5:0]  high_address_3   = 6'd43;
  localparam [5:0]  high_address_4   = 6'd45;
  localparam [5:0]  high_address_5   = 6'd47;
  localparam [5:0]  high_address_6   = 6'd49;
  localparam [63:0] mapped_words     = 64'h3fff70fff001f; // bit w: there is a register at word w
  localparam [63:0] writable_words   = 64'hc680000;       // bit w: that a host may write
  localparam [5:0]  control_address  = 6'd19;
  localparam [2:0]  commands         = 3'd5;              // bits of CONTROL that command something
  localparam [2:0]  clears           = 3'd1;              // those that clear
  localparam [1:0]  okay             = 2'd0;
  localparam [1:0]  slave_error      = 2'd2;
  localparam [1:0]  decode_error     = 2'd3;
  localparam [31:0] zero             = 32'd0;

  reg [15:0] value_r_0;
  reg [31:0] value_r_1;
  reg [10:0] value_r_2;
  reg [31:0] value_r_3;
  reg        clear_r;
  reg        recycle_r_0;
  reg        pending_r;
  reg        fetching_0;      // a word was asked for and is not there
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
  reg        to_value_r_3;
  reg        unwritable_r;
  reg        control_wide;    // the data are wider than CONTROL
  reg        value_wide_0;    // wider than THRESHOLD
  reg        value_wide_1;    // wider than MAX_AGE
  reg        value_wide_2;    // wider than ARRAY_ADDRESS
  reg        value_wide_3;    // wider than ARRAY_DATA
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
  reg        live_hit_1;
  reg        live_hit_2;
  reg        live_hit_3;
  reg        value_hit_0;
  reg        value_hit_1;
  reg        value_hit_2;
  reg        value_hit_3;
  reg        low_hit_0;
  reg        low_hit_1;
  reg        low_hit_2;
  reg        low_hit_3;
  reg        low_hit_4;
  reg        low_hit_5;
  reg        low_hit_6;
  reg        low_hit_late_0;
  reg        low_hit_late_1;
  reg        low_hit_late_2;
  reg        low_hit_late_3;
  reg        low_hit_late_4;
  reg        low_hit_late_5;
  reg        low_hit_late_6;
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
  wire        to_value_3;
  wire [2:0]  command;
  wire        commanded;
  wire        writable;
  reg         too_wide;
  wire        refused;
  wire        legal;
  wire [5:0]  read_word;
  reg         held;
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
  assign to_value_3 = write_word == value_address_3;
  assign mapped = mapped_words[write_word];
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[2:0] & commands;
  assign commanded = legal && to_control_r && (|command);
  assign recycle_pending_0 = recycle_r_0;
  assign value_0 = value_r_0;
  assign value_1 = value_r_1;
  assign value_2 = value_r_2;
  assign value_3 = value_r_3;
  assign stored_0 = legal && to_value_r_3;
  assign clear_pending = clear_r;
  assign write_pending = pending_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    value_r_0 = 16'h4000;
    value_r_1 = 32'd0;
    value_r_2 = 11'd0;
    value_r_3 = 32'd0;
    clear_r = 1'b0;
    recycle_r_0 = 1'b0;
    pending_r = 1'b0;
    fetching_0 = 1'b0;
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
    to_value_r_3 = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    value_wide_0 = 1'b0;
    value_wide_1 = 1'b0;
    value_wide_2 = 1'b0;
    value_wide_3 = 1'b0;
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
    live_hit_1 = 1'b0;
    live_hit_2 = 1'b0;
    live_hit_3 = 1'b0;
    value_hit_0 = 1'b0;
    value_hit_1 = 1'b0;
    value_hit_2 = 1'b0;
    value_hit_3 = 1'b0;
    low_hit_0 = 1'b0;
    low_hit_1 = 1'b0;
    low_hit_2 = 1'b0;
    low_hit_3 = 1'b0;
    low_hit_4 = 1'b0;
    low_hit_5 = 1'b0;
    low_hit_6 = 1'b0;
    low_hit_late_0 = 1'b0;
    low_hit_late_1 = 1'b0;
    low_hit_late_2 = 1'b0;
    low_hit_late_3 = 1'b0;
    low_hit_late_4 = 1'b0;
    low_hit_late_5 = 1'b0;
    low_hit_late_6 = 1'b0;
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
    too_wide = too_wide || (to_value_r_3 && value_wide_3);
  end

  always @* begin
    held = 1'b0;
    held = held || fetching_0;
  end

  always @* begin
    fetch_asked_0 = 1'b0;
    if (legal && to_value_r_2) begin
      fetch_asked_0 = 1'b1;
    end
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
      live_group = live_group | live_0;
      found = 1'b1;
    end
    if (live_hit_1) begin
      live_group = live_group | {16'd0, live_1};
      found = 1'b1;
    end
    if (live_hit_2) begin
      live_group = live_group | {16'd0, live_2};
      found = 1'b1;
    end
    if (live_hit_3) begin
      live_group = live_group | {16'd0, live_3};
      found = 1'b1;
    end
    if (value_hit_0) begin
      live_group = live_group | {16'd0, value_r_0};
      found = 1'b1;
    end
    if (value_hit_1) begin
      live_group = live_group | value_r_1;
      found = 1'b1;
    end
    if (value_hit_2) begin
      live_group = live_group | {21'd0, value_r_2};
      found = 1'b1;
    end
    if (value_hit_3) begin
      live_group = live_group | value_r_3;
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
    if (fetching_0) begin
      seen <= 1'b0;
    end
    taking <= seen && !reset;
    control_wide <= |(wdata >> 3);
    value_wide_0 <= |(wdata >> 16);
    value_wide_1 <= |32'd0;
    value_wide_2 <= |(wdata >> 11);
    value_wide_3 <= |32'd0;
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;
    to_value_r_0 <= to_value_0;
    to_value_r_1 <= to_value_1;
    to_value_r_2 <= to_value_2;
    to_value_r_3 <= to_value_3;

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
      clear_r <= |(command & clears);
      pending_r <= 1'b1;
    end
    recycle_r_0 <= recycle_r_0 && !finished;
    if (commanded) begin
      recycle_r_0 <= wdata[2];
    end
    if (reset) begin
      recycle_r_0 <= 1'b0;
    end
    if (legal && to_value_r_0) begin
      pending_r <= 1'b1;
    end
    if (legal && to_value_r_0) begin
      value_r_0 <= wdata[15:0];
    end
    if (legal && to_value_r_1) begin
      value_r_1 <= wdata;
    end
    if (legal && to_value_r_2) begin
      value_r_2 <= wdata[10:0];
    end
    if (legal && to_value_r_3) begin
      value_r_3 <= wdata;
    end
    if (load_0) begin
      value_r_3 <= load_value_0;
    end
    if (stored_0) begin
      pending_r <= 1'b1;
    end
    fetching_0 <= fetching_0 && !fetched_0;
    if (legal && to_value_r_2) begin
      fetching_0 <= 1'b1;
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
    live_hit_1 <= read_word == live_address_1;
    live_hit_2 <= read_word == live_address_2;
    live_hit_3 <= read_word == live_address_3;
    value_hit_0 <= read_word == value_address_0;
    value_hit_1 <= read_word == value_address_1;
    value_hit_2 <= read_word == value_address_2;
    value_hit_3 <= read_word == value_address_3;
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
      value_r_3 <= value_reset_3;
      clear_r <= 1'b0;
      pending_r <= 1'b0;
      fetching_0 <= 1'b0;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
      high_sample <= zero;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule

// Takes the address of a word that a host means apart. Counts recycles, by which a host knows whether two
// words are of the same halves.
module array_reader (
  input  wire        clock,
  input  wire [10:0] address,      // register ARRAY_ADDRESS: half, bank, word
  input  wire        trip,         // the slot in stage D recycles
  output wire [9:0]  word_address, // the word in its bank
  output wire        of_frozen_0,  // it is the frozen half
  output wire [15:0] turns         // recycles of every cause
);
  reg [15:0] turns_r;

  assign word_address = address[9:0];
  assign of_frozen_0 = address[10];
  assign turns = turns_r;

  initial begin
    turns_r = 16'd0;
  end

  always @(posedge clock) begin
    if (trip) begin
      turns_r <= turns_r + 16'd1;
    end
  end
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

// Recycling Bloom filter: 65536 bits in one array a half, 4 distinct probe(s), two-phase, recycles on bits set, the tripping item retained.
// One item in 14 clocks. Source: RBF sections III and V; timing: shared-array.md.
module flows (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; empties the filter
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // operation: 0 query, 1 insert, 2 test-and-insert
  input  wire [15:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [3:0]   m_verdict_tdata,  // {tripped, in_frozen, in_active, seen}
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
  localparam        retain    = 1'b1;
  localparam [31:0] no_status = 32'd0;

  reg [103:0] key;
  reg         push;
  reg [3:0]   verdict;
  reg         item;
  reg         inserted;

  wire        frozen;
  wire [15:0] held;
  wire [3:0]  verdict_in;
  wire [31:0] status;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_force_recycle;
  wire        sequencer_aged;
  wire        sequencer_fetch;
  wire        sequencer_set;
  wire        sequencer_take_limit;
  wire        sequencer_load_room;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_stall_recycle;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_load;
  wire        slots_ring_hold;
  wire        slots_store_hold;
  wire        slots_first;
  wire        slots_direct;
  wire [9:0]  slots_direct_address;
  wire        slots_refreshing;
  wire        slots_before_inserting;
  wire        slots_forced;
  wire        slots_item;
  wire        slots_inserting;
  wire        slots_answering;
  wire        slots_writing;
  wire        slots_emptied;
  wire        slots_recycled;
  wire        slots_fetched;
  wire        slots_found;
  wire [14:0] hash_index_0;
  wire [14:0] hash_index_1;
  wire [14:0] hash_index_2;
  wire [14:0] hash_index_3;
  wire        bank_of_frozen_0;
  wire        bank_in_active;
  wire        bank_in_frozen_0;
  wire        bank_repeated;
  wire        bank_full;
  wire [31:0] bank_word_4;
  wire        decision_trip;
  wire [2:0]  decision_count;
  wire        decision_in_active;
  wire        decision_in_frozen_0;
  wire [15:0] limit_room;
  wire [15:0] limit_base_room;
  wire        limit_one_at_a_time;
  wire        epochs_phase;
  wire [3:0]  epochs_active_epoch;
  wire        epochs_phase_6_0;
  wire [3:0]  epochs_active_epoch_6;
  wire [3:0]  epochs_frozen_epoch_6_0;
  wire        epochs_write_phase_0;
  wire [3:0]  epochs_write_epoch;
  wire        epochs_covered;
  wire        epochs_blocked;
  wire [3:0]  epochs_spare;
  wire [15:0] occupancy_bits_active;
  wire [15:0] occupancy_bits_frozen;
  wire [15:0] occupancy_messages;
  wire        verdicts_claim;
  wire        verdicts_valid;
  wire [3:0]  verdicts_data;
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
  wire [15:0] registers_value_0;
  wire [31:0] registers_value_1;
  wire [10:0] registers_value_2;
  wire [31:0] registers_value_3;
  wire        registers_stored_0;
  wire        registers_fetch_asked_0;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire        registers_recycle_pending_0;
  wire [9:0]  reader_word_address;
  wire        reader_of_frozen_0;
  wire [15:0] reader_turns;
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
  wire [31:0] counter_6_low;
  wire [31:0] counter_6_high;

  // admission
  sequencer sequencer (
    .clock           (clock),
    .reset           (reset),
    .valid           (s_item_tvalid),
    .clear_pending   (registers_clear_pending),
    .write_pending   (registers_write_pending),
    .max_age         (registers_value_1),
    .trip            (decision_trip),
    .blocked         (epochs_blocked),
    .one_at_a_time   (limit_one_at_a_time),
    .credit          (verdicts_credit),
    .recycle_pending (registers_recycle_pending_0),
    .set_asked       (registers_stored_0),
    .fetch_asked     (registers_fetch_asked_0),
    .ready           (sequencer_ready),
    .accept          (sequencer_accept),
    .force_recycle   (sequencer_force_recycle),
    .aged            (sequencer_aged),
    .fetch           (sequencer_fetch),
    .set             (sequencer_set),
    .take_limit      (sequencer_take_limit),
    .load_room       (sequencer_load_room),
    .finished        (sequencer_finished),
    .running         (sequencer_running),
    .stall_recycle   (sequencer_stall_recycle),
    .stall_control   (sequencer_stall_control),
    .stall_verdict   (sequencer_stall_verdict)
  );

  shared_array_slots slots (
    .clock            (clock),
    .reset            (reset),
    .accept           (sequencer_accept),
    .operation        (s_item_tuser),
    .force_recycle    (sequencer_force_recycle),
    .fetch            (sequencer_fetch),
    .fetch_address    (reader_word_address),
    .set              (sequencer_set),
    .covered          (epochs_covered),
    .trip             (decision_trip),
    .load             (slots_load),
    .ring_hold        (slots_ring_hold),
    .store_hold       (slots_store_hold),
    .first            (slots_first),
    .direct           (slots_direct),
    .direct_address   (slots_direct_address),
    .refreshing       (slots_refreshing),
    .before_inserting (slots_before_inserting),
    .forced           (slots_forced),
    .item             (slots_item),
    .inserting        (slots_inserting),
    .answering        (slots_answering),
    .writing          (slots_writing),
    .emptied          (slots_emptied),
    .recycled         (slots_recycled),
    .fetched          (slots_fetched),
    .found            (slots_found)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1),
    .index_2 (hash_index_2),
    .index_3 (hash_index_3)
  );

  shared_array_bank bank (
    .clock          (clock),
    .load           (slots_load),
    .position_0     (hash_index_0),
    .position_1     (hash_index_1),
    .position_2     (hash_index_2),
    .position_3     (hash_index_3),
    .ring_hold      (slots_ring_hold),
    .store_hold     (slots_store_hold),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .of_frozen_0    (bank_of_frozen_0),
    .refreshing     (slots_refreshing),
    .adding         (slots_found),
    .added          (registers_value_3),
    .writing        (slots_writing),
    .emptied        (slots_emptied),
    .recycled       (slots_recycled),
    .active_epoch   (epochs_active_epoch_6),
    .phase_0        (epochs_phase_6_0),
    .frozen_epoch_0 (epochs_frozen_epoch_6_0),
    .in_active      (bank_in_active),
    .in_frozen_0    (bank_in_frozen_0),
    .repeated       (bank_repeated),
    .full           (bank_full),
    .word_4         (bank_word_4)
  );

  // decision, epochs, occupancy
  shared_array_decision decision (
    .clock        (clock),
    .reset        (reset),
    .first        (slots_first),
    .active_bit   (bank_in_active),
    .frozen_bit_0 (bank_in_frozen_0),
    .repeated     (bank_repeated),
    .inserting    (slots_before_inserting),
    .forced       (slots_forced),
    .room         (limit_room),
    .trip         (decision_trip),
    .count        (decision_count),
    .in_active    (decision_in_active),
    .in_frozen_0  (decision_in_frozen_0)
  );

  recycle_limit limit (
    .clock         (clock),
    .take          (sequencer_take_limit),
    .threshold     (registers_value_0),
    .count         (held),
    .room          (limit_room),
    .base_room     (limit_base_room),
    .one_at_a_time (limit_one_at_a_time)
  );

  epoch_guard epochs (
    .clock            (clock),
    .trip             (decision_trip),
    .recycled         (slots_recycled),
    .all_full         (bank_full),
    .phase            (epochs_phase),
    .active_epoch     (epochs_active_epoch),
    .phase_6_0        (epochs_phase_6_0),
    .active_epoch_6   (epochs_active_epoch_6),
    .frozen_epoch_6_0 (epochs_frozen_epoch_6_0),
    .write_phase_0    (epochs_write_phase_0),
    .write_epoch      (epochs_write_epoch),
    .covered          (epochs_covered),
    .blocked          (epochs_blocked),
    .spare            (epochs_spare)
  );

  occupancy occupancy (
    .clock       (clock),
    .reset       (reset),
    .trip        (decision_trip),
    .inserting   (slots_inserting),
    .count       (decision_count),
    .found       (slots_found),
    .word        (bank_word_4),
    .bits        (registers_value_3),
    .bits_active (occupancy_bits_active),
    .bits_frozen (occupancy_bits_frozen),
    .messages    (occupancy_messages)
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
    .clock             (clock),
    .reset             (reset),
    .awvalid           (s_axil_awvalid),
    .awready           (registers_awready),
    .awaddr            (s_axil_awaddr),
    .wvalid            (s_axil_wvalid),
    .wready            (registers_wready),
    .wdata             (s_axil_wdata),
    .wstrb             (s_axil_wstrb),
    .bvalid            (registers_bvalid),
    .bready            (s_axil_bready),
    .bresp             (registers_bresp),
    .arvalid           (s_axil_arvalid),
    .arready           (registers_arready),
    .araddr            (s_axil_araddr),
    .rvalid            (registers_rvalid),
    .rready            (s_axil_rready),
    .rdata             (registers_rdata),
    .rresp             (registers_rresp),
    .live_0            (status),
    .live_1            (occupancy_bits_active),
    .live_2            (occupancy_bits_frozen),
    .live_3            (occupancy_messages),
    .counter_low_0     (counter_0_low),
    .counter_low_1     (counter_1_low),
    .counter_low_2     (counter_2_low),
    .counter_low_3     (counter_3_low),
    .counter_low_4     (counter_4_low),
    .counter_low_5     (counter_5_low),
    .counter_low_6     (counter_6_low),
    .counter_high_0    (counter_0_high),
    .counter_high_1    (counter_1_high),
    .counter_high_2    (counter_2_high),
    .counter_high_3    (counter_3_high),
    .counter_high_4    (counter_4_high),
    .counter_high_5    (counter_5_high),
    .counter_high_6    (counter_6_high),
    .finished          (sequencer_finished),
    .load_0            (slots_fetched),
    .load_value_0      (bank_word_4),
    .fetched_0         (slots_fetched),
    .value_0           (registers_value_0),
    .value_1           (registers_value_1),
    .value_2           (registers_value_2),
    .value_3           (registers_value_3),
    .stored_0          (registers_stored_0),
    .fetch_asked_0     (registers_fetch_asked_0),
    .clear_pending     (registers_clear_pending),
    .write_pending     (registers_write_pending),
    .recycle_pending_0 (registers_recycle_pending_0)
  );

  array_reader reader (
    .clock        (clock),
    .address      (registers_value_2),
    .trip         (decision_trip),
    .word_address (reader_word_address),
    .of_frozen_0  (reader_of_frozen_0),
    .turns        (reader_turns)
  );

  // counters: items, seen, inserted, recycles, stalls by recycle, control and verdict
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
    .event_ (sequencer_stall_recycle),
    .low    (counter_4_low),
    .high   (counter_4_high)
  );

  event_counter counter_5 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_control),
    .low    (counter_5_low),
    .high   (counter_5_high)
  );

  event_counter counter_6 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_verdict),
    .low    (counter_6_low),
    .high   (counter_6_high)
  );

  assign s_item_tready = sequencer_ready;
  assign bank_of_frozen_0 = reader_of_frozen_0 && !slots_found;
  assign held = occupancy_bits_active;

  // verdict
  assign frozen = decision_in_frozen_0;
  assign verdict_in[0] = decision_in_active || frozen;
  assign verdict_in[1] = decision_in_active;
  assign verdict_in[2] = frozen;
  assign verdict_in[3] = decision_trip;
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign counter_1_event_ = item && verdict[0];
  assign counter_3_event_ = (item && verdict[3]) || sequencer_aged;

  // registers
  assign status = no_status | {31'd0, sequencer_running} | ({31'd0, epochs_phase} << 1) | ({28'd0, epochs_active_epoch} << 4) | ({28'd0, epochs_spare} << 8) | ({31'd0, epochs_covered} << 12) | ({16'd0, reader_turns} << 16);
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
    verdict = 4'd0;
    item = 1'b0;
    inserted = 1'b0;
  end

  always @(posedge clock) begin
    // hash and array
    key <= s_item_tdata;
    verdict <= verdict_in;
    push <= slots_answering && !reset;
    item <= slots_item && !reset;
    inserted <= slots_inserting && (|decision_count) && (retain || !decision_trip) && !reset;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, sequencer_load_room, limit_base_room, epochs_write_phase_0, epochs_write_epoch};
endmodule
