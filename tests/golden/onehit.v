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
  localparam [4:0]  retire           = 5'd25;   // clocks until an item accepted now has left every trace
  localparam [4:0]  load_clocks      = 5'd7;
  localparam [1:0]  clear_forces     = 2'd2;    // recycles that empty everything
  localparam [1:0]  one_force        = 2'd1;
  localparam [1:0]  no_force         = 2'd0;
  localparam [31:0] no_age           = 32'd0;
  localparam [4:0]  no_hold          = 5'd0;
  localparam [4:0]  before_still     = 5'd12;   // hold in the clock before still
  localparam [9:0]  no_tick          = 10'd0;
  localparam [9:0]  tick_before_last = 10'h3fe;

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
    waiting = 5'd25;
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

// What stands in each stage: an item, a forced recycle, a word for the host, a refresh or nothing. A slot left empty refreshes one word of the
// active half with its present contents, so that it bears the current epoch.
module slots (
  input  wire       clock,
  input  wire       reset,          // empties every slot that has not been decided
  input  wire       accept,         // an item is accepted
  input  wire [1:0] operation,      // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire       force_recycle,  // a recycle without an item is issued
  input  wire       fetch,          // the fetch of a word for the host is issued
  input  wire [8:0] fetch_address,  // that word
  input  wire       set,            // the setting of bits in it is issued
  input  wire       covered,        // no word of the active half needs a refresh
  input  wire       trip,           // the slot in stage D recycles
  output wire       direct,         // the slot entering stage 0 is a refresh, a fetch or a set
  output reg  [8:0] direct_address, // its word
  output wire       near_inserting, // bit i: the slot in stage 8 + i inserts
  output wire       inserting_8,    // the slot in stage 8 inserts
  output wire       inserting_9,    // the slot in stage 9 inserts
  output wire       far_inserting,  // the slot in stage D - 1 inserts
  output wire       forced,         // the slot in stage D - 1 recycles in any case
  output wire       item,           // stage D: an item
  output wire       inserting,      // stage D: it inserts
  output wire       answering,      // stage D: it wants a verdict
  output wire       setting,        // stage D + 1: it inserts
  output wire       tripped,        // stage D + 1: it recycled
  output wire       storing,        // stage D + 1: it writes
  output wire       current,        // stage W: nothing decided behind it before stage D recycled
  output wire       write_enable,   // stage W: it writes
  output wire       recycled,       // stage W: it recycled
  output wire       fetching_6,     // stage 6: a fetch or a set
  output wire       fetched,        // stage 8: a fetch, whose word is there
  output wire       finding_6,      // it is a set
  output wire       found,          // stage 8: a set, the word before it is there
  output wire       adding          // stage D + 1: a set
);
  localparam        retain     = 1'b1;  // the item that trips opens the new cycle
  localparam [17:0] no_line    = 18'd0;
  localparam [16:0] no_force   = 17'd0;
  localparam [11:0] no_refresh = 12'd0;
  localparam [14:0] no_fetch   = 15'd0;

  reg [17:0] item_line;
  reg [17:0] insert_line;
  reg [17:0] answer_line;
  reg [16:0] force_line;
  reg [11:0] refresh_line;
  reg [14:0] fetch_line;
  reg [17:0] set_line;
  reg [8:0]  address;
  reg        setting_d1;
  reg        adding_d1;
  reg        trip_d1;
  reg        trip_d2;
  reg        trip_w;
  reg        store_d1;
  reg        store_d2;
  reg        store_w;
  reg        current_d2;
  reg        current_w;

  wire entering_item;
  wire entering_insert;
  wire entering_answer;
  wire entering_refresh;
  wire entering_fetch;
  wire entering_set;

  assign entering_item = accept;
  assign entering_insert = accept && (operation != 2'd0);
  assign entering_answer = accept && (operation != 2'd1);

  // an empty slot becomes a refresh where it enters stage 0
  assign entering_set = set_line[5];
  assign entering_fetch = fetch_line[5] || entering_set;
  assign entering_refresh = !reset && !covered && !item_line[5] && !force_line[5] && !entering_fetch;
  assign direct = entering_refresh || entering_fetch;
  assign fetching_6 = fetch_line[12] || set_line[12];
  assign fetched = fetch_line[14];
  assign finding_6 = set_line[12];
  assign found = set_line[14];

  // before the decision
  assign near_inserting = insert_line[14];
  assign inserting_8 = insert_line[14];
  assign inserting_9 = insert_line[15];
  assign far_inserting = insert_line[16];
  assign forced = force_line[16];

  // at the decision
  assign item = item_line[17];
  assign inserting = insert_line[17];
  assign answering = answer_line[17];
  assign setting = setting_d1;
  assign adding = adding_d1;
  assign tripped = trip_d1;
  assign storing = store_d1;
  assign current = current_w;
  assign write_enable = store_w;
  assign recycled = trip_w;

  initial begin
    item_line = 18'd0;
    insert_line = 18'd0;
    answer_line = 18'd0;
    force_line = 17'd0;
    refresh_line = 12'd0;
    fetch_line = 15'd0;
    set_line = 18'd0;
    address = 9'd0;
    setting_d1 = 1'b0;
    adding_d1 = 1'b0;
    trip_d1 = 1'b0;
    trip_d2 = 1'b0;
    trip_w = 1'b0;
    store_d1 = 1'b0;
    store_d2 = 1'b0;
    store_w = 1'b0;
    current_d2 = 1'b0;
    current_w = 1'b0;
  end

  always @* begin
    direct_address = address;
    if (entering_fetch) begin
      direct_address = fetch_address;
    end
  end

  always @(posedge clock) begin
    item_line <= {item_line[16:0], entering_item};
    insert_line <= {insert_line[16:0], entering_insert};
    answer_line <= {answer_line[16:0], entering_answer};
    force_line <= {force_line[15:0], force_recycle};
    fetch_line <= {fetch_line[13:0], fetch};
    set_line <= {set_line[16:0], set};
    refresh_line <= {refresh_line[10:0], entering_refresh || entering_set};
    if (entering_refresh) begin
      address <= address + 9'd1;
    end
    if (reset) begin
      item_line <= no_line;
      insert_line <= no_line;
      answer_line <= no_line;
      force_line <= no_force;
      refresh_line <= no_refresh;
      fetch_line <= no_fetch;
      set_line <= no_line;
    end

    // behind it: not reset, what has been decided is finished
    setting_d1 <= inserting;
    adding_d1 <= set_line[17];
    trip_d1 <= trip;
    trip_d2 <= trip_d1;
    trip_w <= trip_d2;
    store_d1 <= (inserting && (retain || !trip)) || refresh_line[11];
    store_d2 <= store_d1;
    store_w <= store_d2;
    current_d2 <= !trip;
    current_w <= current_d2 && !trip;
  end
endmodule

// Each output is the sum (exclusive or) of the key bits whose row has it, and of the offset's bit.
module hash_layer_1 (
  input  wire [103:0] x,
  output wire [63:0]  y
);
  assign y[0] = (x[12] ^ x[36] ^ x[42] ^ x[49]) ^ (x[5] ^ x[83] ^ x[87] ^ x[89]) ^ (x[8] ^ x[14] ^ x[18] ^ x[50]) ^ x[82];
  assign y[1] = (x[10] ^ x[65] ^ x[79] ^ x[91]) ^ (x[35] ^ x[88] ^ x[92]) ^ (x[0] ^ x[4] ^ x[17] ^ x[63]) ^ (x[74] ^ x[75] ^ x[77] ^ x[78])
    ^ 1'b1;
  assign y[2] = (x[28] ^ x[76] ^ x[85] ^ x[94]) ^ (x[13] ^ x[30] ^ x[41] ^ x[46]) ^ (x[55] ^ x[56] ^ x[90] ^ x[100]) ^ x[102];
  assign y[3] = (x[69] ^ x[86] ^ x[99]) ^ (x[3] ^ x[15] ^ x[26] ^ x[61]) ^ (x[64] ^ x[96]) ^ ((x[16] ^ x[40] ^ x[62] ^ x[67]) ^ (x[45] ^ x[59] ^ x[70] ^ x[93]));
  assign y[4] = (x[34] ^ x[54] ^ x[57]) ^ (x[20] ^ x[22] ^ x[29] ^ x[32]) ^ (x[37] ^ x[47] ^ x[58] ^ x[60]) ^ x[81] ^ 1'b1;
  assign y[5] = (x[6] ^ x[7] ^ x[21] ^ x[25]) ^ (x[31] ^ x[48] ^ x[72]) ^ x[73] ^ x[95];
  assign y[6] = (x[2] ^ x[68] ^ x[84] ^ x[98]) ^ (x[9] ^ x[11] ^ x[19] ^ x[38]) ^ (x[43] ^ x[44] ^ x[71] ^ x[80]) ^ x[101];
  assign y[7] = (x[23] ^ x[24] ^ x[97]) ^ (x[1] ^ x[27] ^ x[33] ^ x[39]) ^ (x[51] ^ x[52] ^ x[53] ^ x[66]) ^ x[103];
  assign y[8] = (x[0] ^ x[12] ^ x[38] ^ x[39]) ^ (x[35] ^ x[88] ^ x[92]) ^ (x[5] ^ x[19] ^ x[69]) ^ (x[29] ^ x[66] ^ x[82] ^ x[85]);
  assign y[9] = (x[3] ^ x[18] ^ x[34] ^ x[68]) ^ (x[13] ^ x[54] ^ x[86] ^ x[96]) ^ (x[21] ^ x[28] ^ x[51]) ^ x[77] ^ 1'b1;
  assign y[10] = (x[44] ^ x[50] ^ x[89] ^ x[103]) ^ (x[33] ^ x[72] ^ x[91] ^ x[98]) ^ (x[56] ^ x[70]) ^ (x[9] ^ x[55] ^ x[57] ^ x[94]);
  assign y[11] = (x[20] ^ x[23] ^ x[43] ^ x[100]) ^ (x[32] ^ x[59] ^ x[73]) ^ (x[2] ^ x[36] ^ x[81]) ^ x[93] ^ 1'b1;
  assign y[12] = (x[1] ^ x[6] ^ x[27] ^ x[75]) ^ (x[10] ^ x[95] ^ x[101]) ^ (x[16] ^ x[40] ^ x[48] ^ x[65]) ^ x[102] ^ 1'b1;
  assign y[13] = (x[22] ^ x[52] ^ x[53] ^ x[63]) ^ (x[8] ^ x[14] ^ x[26] ^ x[31]) ^ (x[60] ^ x[62] ^ x[80] ^ x[83]) ^ x[97] ^ 1'b1;
  assign y[14] = (x[7] ^ x[17] ^ x[24] ^ x[41]) ^ (x[25] ^ x[45] ^ x[47] ^ x[61]) ^ (x[67] ^ x[76] ^ x[78]) ^ x[90];
  assign y[15] = (x[4] ^ x[30] ^ x[58] ^ x[64]) ^ (x[11] ^ x[42] ^ x[71] ^ x[74]) ^ (x[15] ^ x[37] ^ x[46] ^ x[49]) ^ (x[79] ^ x[84] ^ x[87] ^ x[99]);
  assign y[16] = (x[15] ^ x[32] ^ x[33] ^ x[42]) ^ x[57] ^ x[84] ^ x[101];
  assign y[17] = (x[45] ^ x[59] ^ x[70] ^ x[93]) ^ (x[1] ^ x[31] ^ x[43] ^ x[55]) ^ (x[56] ^ x[80] ^ x[82] ^ x[97]) ^ x[100] ^ 1'b1;
  assign y[18] = (x[22] ^ x[52] ^ x[53] ^ x[63]) ^ (x[5] ^ x[6] ^ x[13] ^ x[102]) ^ (x[20] ^ x[29] ^ x[38] ^ x[51]) ^ (x[78] ^ x[88])
    ^ 1'b1;
  assign y[19] = (x[0] ^ x[17] ^ x[24] ^ x[48]) ^ (x[49] ^ x[54] ^ x[61] ^ x[75]) ^ x[85] ^ x[90];
  assign y[20] = (x[3] ^ x[18] ^ x[34] ^ x[68]) ^ (x[25] ^ x[27] ^ x[37] ^ x[77]) ^ (x[36] ^ x[39] ^ x[74] ^ x[92]) ^ (x[95] ^ x[96] ^ x[103])
    ^ 1'b1;
  assign y[21] = (x[10] ^ x[65] ^ x[79] ^ x[91]) ^ (x[69] ^ x[86] ^ x[99]) ^ (x[19] ^ x[72] ^ x[81]) ^ ((x[16] ^ x[40] ^ x[62] ^ x[67])
    ^ (x[2] ^ x[7] ^ x[46] ^ x[47])) ^ 1'b1;
  assign y[22] = (x[8] ^ x[50] ^ x[60] ^ x[66]) ^ (x[23] ^ x[41] ^ x[44] ^ x[71]) ^ (x[73] ^ x[83] ^ x[89] ^ x[94]) ^ ((x[9] ^ x[14] ^ x[26] ^ x[28])
    ^ (x[4] ^ x[30] ^ x[58] ^ x[64])) ^ 1'b1;
  assign y[23] = (x[11] ^ x[21] ^ x[76] ^ x[87]) ^ x[12] ^ x[35] ^ x[98];
  assign y[24] = (x[25] ^ x[29] ^ x[32] ^ x[40]) ^ (x[45] ^ x[61] ^ x[66] ^ x[77]) ^ (x[81] ^ x[83] ^ x[85] ^ x[87]) ^ x[99];
  assign y[25] = (x[5] ^ x[59] ^ x[79] ^ x[89]) ^ (x[37] ^ x[62] ^ x[64]) ^ (x[13] ^ x[35] ^ x[55] ^ x[68]) ^ (x[71] ^ x[76] ^ x[80]);
  assign y[26] = (x[2] ^ x[7] ^ x[46] ^ x[47]) ^ (x[4] ^ x[18] ^ x[20] ^ x[54]) ^ (x[65] ^ x[90] ^ x[98]) ^ x[101] ^ 1'b1;
  assign y[27] = (x[9] ^ x[14] ^ x[26] ^ x[28]) ^ (x[24] ^ x[69] ^ x[73]) ^ (x[19] ^ x[22] ^ x[50]) ^ x[63];
  assign y[28] = (x[3] ^ x[23] ^ x[30] ^ x[39]) ^ (x[43] ^ x[49] ^ x[56] ^ x[84]) ^ x[86] ^ x[91];
  assign y[29] = (x[15] ^ x[51] ^ x[88] ^ x[94]) ^ (x[11] ^ x[53] ^ x[72] ^ x[95]) ^ (x[16] ^ x[17] ^ x[70]) ^ x[82];
  assign y[30] = (x[1] ^ x[6] ^ x[27] ^ x[75]) ^ (x[0] ^ x[8] ^ x[12] ^ x[31]) ^ (x[33] ^ x[36] ^ x[38] ^ x[52]) ^ (x[92] ^ x[96] ^ x[100] ^ x[102]);
  assign y[31] = (x[34] ^ x[41] ^ x[42] ^ x[58]) ^ (x[10] ^ x[21] ^ x[44] ^ x[48]) ^ (x[57] ^ x[60] ^ x[67] ^ x[74]) ^ (x[78] ^ x[93] ^ x[97] ^ x[103])
    ^ 1'b1;
  assign y[32] = (x[11] ^ x[21] ^ x[76] ^ x[87]) ^ (x[5] ^ x[19] ^ x[69]) ^ (x[7] ^ x[16] ^ x[22] ^ x[30]) ^ (x[40] ^ x[47] ^ x[78]);
  assign y[33] = (x[44] ^ x[50] ^ x[89] ^ x[103]) ^ (x[37] ^ x[62] ^ x[64]) ^ (x[36] ^ x[54] ^ x[66] ^ x[85]) ^ x[92];
  assign y[34] = (x[31] ^ x[90] ^ x[93]) ^ (x[13] ^ x[17] ^ x[38] ^ x[39]) ^ (x[65] ^ x[70] ^ x[86]) ^ x[96];
  assign y[35] = (x[23] ^ x[24] ^ x[97]) ^ (x[4] ^ x[6] ^ x[8] ^ x[45]) ^ (x[48] ^ x[68] ^ x[81] ^ x[82]) ^ x[91];
  assign y[36] = (x[15] ^ x[51] ^ x[88] ^ x[94]) ^ (x[10] ^ x[95] ^ x[101]) ^ (x[3] ^ x[20] ^ x[27] ^ x[56]) ^ (x[57] ^ x[67] ^ x[79] ^ x[84])
    ^ 1'b1;
  assign y[37] = (x[0] ^ x[2] ^ x[12] ^ x[14]) ^ (x[29] ^ x[35] ^ x[46] ^ x[59]) ^ (x[60] ^ x[83]) ^ x[99];
  assign y[38] = (x[52] ^ x[55] ^ x[61] ^ x[75]) ^ (x[1] ^ x[9] ^ x[18] ^ x[32]) ^ (x[43] ^ x[49] ^ x[63] ^ x[71]) ^ (x[77] ^ x[98] ^ x[102]);
  assign y[39] = (x[34] ^ x[41] ^ x[42] ^ x[58]) ^ (x[28] ^ x[53] ^ x[73] ^ x[74]) ^ (x[25] ^ x[26] ^ x[33] ^ x[72]) ^ (x[80] ^ x[100])
    ^ 1'b1;
  assign y[40] = (x[14] ^ x[42] ^ x[55] ^ x[64]) ^ (x[65] ^ x[75] ^ x[78] ^ x[81]) ^ (x[85] ^ x[92] ^ x[97]) ^ x[100] ^ 1'b1;
  assign y[41] = (x[21] ^ x[32] ^ x[40] ^ x[48]) ^ (x[58] ^ x[70]) ^ x[84] ^ x[93];
  assign y[42] = (x[5] ^ x[83] ^ x[87] ^ x[89]) ^ (x[28] ^ x[53] ^ x[73] ^ x[74]) ^ (x[9] ^ x[15] ^ x[16] ^ x[35]) ^ (x[43] ^ x[86] ^ x[90] ^ x[101])
    ^ 1'b1;
  assign y[43] = (x[26] ^ x[44] ^ x[46] ^ x[56]) ^ (x[4] ^ x[19] ^ x[29] ^ x[52]) ^ (x[67] ^ x[79]) ^ x[80];
  assign y[44] = (x[2] ^ x[6] ^ x[20] ^ x[88]) ^ (x[10] ^ x[25] ^ x[47] ^ x[63]) ^ (x[68] ^ x[71] ^ x[96]) ^ ((x[0] ^ x[12] ^ x[38] ^ x[39])
    ^ (x[8] ^ x[50] ^ x[60] ^ x[66]));
  assign y[45] = (x[34] ^ x[54] ^ x[57]) ^ (x[1] ^ x[3] ^ x[23] ^ x[49]) ^ (x[59] ^ x[69] ^ x[94]) ^ x[103];
  assign y[46] = (x[18] ^ x[22] ^ x[31] ^ x[37]) ^ (x[45] ^ x[51] ^ x[77]) ^ x[95] ^ x[99] ^ 1'b1;
  assign y[47] = (x[11] ^ x[13] ^ x[27] ^ x[30]) ^ (x[36] ^ x[61] ^ x[62] ^ x[76]) ^ (x[82] ^ x[102]) ^ ((x[7] ^ x[17] ^ x[24] ^ x[41])
    ^ (x[33] ^ x[72] ^ x[91] ^ x[98])) ^ 1'b1;
  assign y[48] = (x[9] ^ x[78] ^ x[81]) ^ (x[0] ^ x[3] ^ x[4] ^ x[57]) ^ (x[62] ^ x[66] ^ x[80]) ^ x[91] ^ 1'b1;
  assign y[49] = (x[31] ^ x[90] ^ x[93]) ^ (x[7] ^ x[29] ^ x[30] ^ x[41]) ^ (x[54] ^ x[69] ^ x[74]) ^ x[97] ^ 1'b1;
  assign y[50] = (x[20] ^ x[23] ^ x[43] ^ x[100]) ^ (x[17] ^ x[19] ^ x[25] ^ x[50]) ^ (x[71] ^ x[83] ^ x[99]) ^ ((x[12] ^ x[36] ^ x[42] ^ x[49])
    ^ (x[28] ^ x[76] ^ x[85] ^ x[94]));
  assign y[51] = (x[11] ^ x[53] ^ x[72] ^ x[95]) ^ (x[26] ^ x[44] ^ x[46] ^ x[56]) ^ (x[1] ^ x[14] ^ x[18] ^ x[48]) ^ (x[65] ^ x[89] ^ x[96]);
  assign y[52] = (x[2] ^ x[68] ^ x[84] ^ x[98]) ^ (x[52] ^ x[55] ^ x[61] ^ x[75]) ^ (x[22] ^ x[33] ^ x[40] ^ x[60]) ^ (x[79] ^ x[82] ^ x[86] ^ x[101]);
  assign y[53] = (x[5] ^ x[6] ^ x[13] ^ x[102]) ^ (x[10] ^ x[21] ^ x[24] ^ x[35]) ^ (x[45] ^ x[58] ^ x[70] ^ x[77]) ^ x[92] ^ 1'b1;
  assign y[54] = (x[15] ^ x[27] ^ x[37] ^ x[47]) ^ x[51] ^ x[64] ^ x[103];
  assign y[55] = (x[32] ^ x[59] ^ x[73]) ^ (x[8] ^ x[16] ^ x[34] ^ x[38]) ^ (x[39] ^ x[63] ^ x[67] ^ x[87]) ^ x[88] ^ 1'b1;
  assign y[56] = (x[5] ^ x[59] ^ x[79] ^ x[89]) ^ (x[0] ^ x[4] ^ x[28] ^ x[30]) ^ (x[31] ^ x[39] ^ x[40] ^ x[58]) ^ (x[67] ^ x[72] ^ x[92])
    ^ 1'b1;
  assign y[57] = (x[2] ^ x[6] ^ x[20] ^ x[88]) ^ (x[7] ^ x[17] ^ x[26] ^ x[35]) ^ (x[45] ^ x[60] ^ x[85] ^ x[87]) ^ x[94];
  assign y[58] = (x[56] ^ x[70]) ^ (x[3] ^ x[14] ^ x[51] ^ x[52]) ^ (x[76] ^ x[98] ^ x[100]) ^ ((x[25] ^ x[27] ^ x[37] ^ x[77]) ^ (x[10] ^ x[21] ^ x[44] ^ x[48]));
  assign y[59] = (x[24] ^ x[69] ^ x[73]) ^ (x[9] ^ x[78] ^ x[81]) ^ (x[8] ^ x[15] ^ x[38] ^ x[49]) ^ x[61] ^ 1'b1;
  assign y[60] = (x[1] ^ x[41] ^ x[64]) ^ x[80] ^ x[102] ^ x[103] ^ 1'b1;
  assign y[61] = (x[12] ^ x[23] ^ x[47] ^ x[66]) ^ x[75] ^ x[83] ^ x[90];
  assign y[62] = (x[29] ^ x[32] ^ x[50] ^ x[53]) ^ (x[62] ^ x[63] ^ x[68] ^ x[91]) ^ (x[95] ^ x[97] ^ x[101]) ^ ((x[13] ^ x[54] ^ x[86] ^ x[96])
    ^ (x[11] ^ x[42] ^ x[71] ^ x[74]));
  assign y[63] = (x[16] ^ x[18] ^ x[19] ^ x[22]) ^ (x[33] ^ x[34] ^ x[36] ^ x[43]) ^ (x[46] ^ x[55] ^ x[57] ^ x[65]) ^ (x[82] ^ x[84] ^ x[93] ^ x[99]);
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

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2 (
  input  wire [63:0] x,
  output wire [13:0] y
);
  assign y[0] = (x[12] ^ x[17] ^ x[26] ^ x[38]) ^ (x[22] ^ x[29] ^ x[34] ^ x[55]) ^ (x[3] ^ x[7] ^ x[10] ^ x[40]) ^ (x[45] ^ x[51] ^ x[57] ^ x[63]);
  assign y[1] = (x[5] ^ x[8] ^ x[39] ^ x[46]) ^ (x[0] ^ x[15] ^ x[23] ^ x[24]) ^ (x[16] ^ x[29] ^ x[34] ^ x[41]) ^ (x[50] ^ x[53] ^ x[58] ^ x[61]);
  assign y[2] = (x[12] ^ x[17] ^ x[26] ^ x[38]) ^ (x[2] ^ x[4] ^ x[8] ^ x[20]) ^ (x[30] ^ x[33] ^ x[40] ^ x[44]) ^ (x[51] ^ x[53] ^ x[58] ^ x[63]);
  assign y[3] = (x[14] ^ x[25] ^ x[43] ^ x[58]) ^ (x[6] ^ x[11] ^ x[38] ^ x[60]) ^ (x[3] ^ x[17] ^ x[23] ^ x[29]) ^ (x[33] ^ x[46] ^ x[49] ^ x[54]);
  assign y[4] = (x[2] ^ x[29] ^ x[35] ^ x[39]) ^ (x[4] ^ x[18] ^ x[52] ^ x[61]) ^ (x[10] ^ x[12] ^ x[20] ^ x[24]) ^ (x[43] ^ x[47] ^ x[48] ^ x[57]);
  assign y[5] = (x[2] ^ x[29] ^ x[35] ^ x[39]) ^ (x[7] ^ x[9] ^ x[22] ^ x[27]) ^ (x[15] ^ x[16] ^ x[43] ^ x[47]) ^ (x[48] ^ x[55] ^ x[59] ^ x[60]);
  assign y[6] = (x[7] ^ x[9] ^ x[22] ^ x[27]) ^ (x[19] ^ x[40] ^ x[47] ^ x[50]) ^ (x[3] ^ x[14] ^ x[29] ^ x[32]) ^ (x[37] ^ x[53] ^ x[59] ^ x[62]);
  assign y[7] = (x[0] ^ x[4] ^ x[11] ^ x[13]) ^ (x[16] ^ x[21] ^ x[27] ^ x[29]) ^ (x[33] ^ x[37] ^ x[42] ^ x[45]) ^ (x[50] ^ x[54] ^ x[57] ^ x[63]);
  assign y[8] = (x[0] ^ x[4] ^ x[11] ^ x[13]) ^ (x[22] ^ x[29] ^ x[34] ^ x[55]) ^ (x[41] ^ x[47] ^ x[48] ^ x[63]) ^ (x[19] ^ x[26] ^ x[36] ^ x[57]);
  assign y[9] = (x[9] ^ x[23] ^ x[29] ^ x[35]) ^ (x[4] ^ x[18] ^ x[52] ^ x[61]) ^ (x[3] ^ x[15] ^ x[26] ^ x[38]) ^ (x[41] ^ x[45] ^ x[50] ^ x[59]);
  assign y[10] = (x[9] ^ x[23] ^ x[29] ^ x[35]) ^ (x[41] ^ x[47] ^ x[48] ^ x[63]) ^ (x[1] ^ x[7] ^ x[14] ^ x[17]) ^ (x[24] ^ x[38] ^ x[52] ^ x[56]);
  assign y[11] = (x[19] ^ x[31] ^ x[35] ^ x[50]) ^ (x[0] ^ x[5] ^ x[8] ^ x[13]) ^ (x[22] ^ x[24] ^ x[36] ^ x[43]) ^ (x[45] ^ x[55] ^ x[59] ^ x[63]);
  assign y[12] = (x[5] ^ x[8] ^ x[39] ^ x[46]) ^ (x[14] ^ x[25] ^ x[43] ^ x[58]) ^ (x[19] ^ x[31] ^ x[35] ^ x[50]) ^ (x[1] ^ x[20] ^ x[53] ^ x[60]);
  assign y[13] = (x[0] ^ x[15] ^ x[23] ^ x[24]) ^ (x[6] ^ x[11] ^ x[38] ^ x[60]) ^ (x[19] ^ x[40] ^ x[47] ^ x[50]) ^ (x[31] ^ x[34] ^ x[52] ^ x[57]);
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
  assign y[0] = (x[2] ^ x[5] ^ x[9] ^ x[18]) ^ (x[22] ^ x[26] ^ x[33] ^ x[47]) ^ (x[14] ^ x[29] ^ x[38] ^ x[43]) ^ (x[51] ^ x[55] ^ x[56] ^ x[61]);
  assign y[1] = (x[0] ^ x[4] ^ x[13] ^ x[22]) ^ (x[18] ^ x[37] ^ x[42] ^ x[49]) ^ (x[11] ^ x[26] ^ x[30] ^ x[33]) ^ (x[44] ^ x[55] ^ x[57] ^ x[61]);
  assign y[2] = (x[0] ^ x[4] ^ x[13] ^ x[22]) ^ (x[19] ^ x[26] ^ x[45] ^ x[53]) ^ (x[8] ^ x[29] ^ x[34] ^ x[36]) ^ (x[40] ^ x[49] ^ x[57] ^ x[60]);
  assign y[3] = (x[1] ^ x[14] ^ x[18] ^ x[25]) ^ (x[44] ^ x[53] ^ x[59] ^ x[60]) ^ (x[5] ^ x[9] ^ x[22] ^ x[28]) ^ (x[35] ^ x[36] ^ x[40] ^ x[51]);
  assign y[4] = (x[2] ^ x[5] ^ x[9] ^ x[18]) ^ (x[15] ^ x[20] ^ x[26] ^ x[41]) ^ (x[31] ^ x[39] ^ x[51] ^ x[56]) ^ (x[33] ^ x[47] ^ x[54] ^ x[63]);
  assign y[5] = (x[22] ^ x[26] ^ x[33] ^ x[47]) ^ (x[2] ^ x[4] ^ x[15] ^ x[17]) ^ (x[9] ^ x[28] ^ x[36] ^ x[41]) ^ (x[50] ^ x[55] ^ x[58] ^ x[61]);
  assign y[6] = (x[19] ^ x[26] ^ x[45] ^ x[53]) ^ (x[9] ^ x[12] ^ x[30] ^ x[35]) ^ (x[3] ^ x[4] ^ x[20] ^ x[39]) ^ (x[43] ^ x[50] ^ x[57] ^ x[60]);
  assign y[7] = (x[31] ^ x[39] ^ x[51] ^ x[56]) ^ (x[0] ^ x[7] ^ x[10] ^ x[15]) ^ (x[18] ^ x[23] ^ x[25] ^ x[32]) ^ (x[40] ^ x[46] ^ x[52] ^ x[63]);
  assign y[8] = (x[21] ^ x[30] ^ x[32] ^ x[38]) ^ (x[2] ^ x[4] ^ x[15] ^ x[17]) ^ (x[44] ^ x[53] ^ x[59] ^ x[60]) ^ (x[11] ^ x[27] ^ x[41] ^ x[50]);
  assign y[9] = (x[15] ^ x[20] ^ x[26] ^ x[41]) ^ (x[2] ^ x[6] ^ x[10] ^ x[17]) ^ (x[30] ^ x[35] ^ x[36] ^ x[45]) ^ (x[51] ^ x[52] ^ x[56] ^ x[63]);
  assign y[10] = (x[3] ^ x[4] ^ x[31] ^ x[34]) ^ (x[11] ^ x[14] ^ x[19] ^ x[20]) ^ (x[27] ^ x[38] ^ x[42] ^ x[44]) ^ (x[48] ^ x[54] ^ x[58] ^ x[62]);
  assign y[11] = (x[18] ^ x[37] ^ x[42] ^ x[49]) ^ (x[3] ^ x[4] ^ x[31] ^ x[34]) ^ (x[10] ^ x[12] ^ x[21] ^ x[24]) ^ (x[45] ^ x[55] ^ x[56] ^ x[61]);
  assign y[12] = (x[9] ^ x[12] ^ x[30] ^ x[35]) ^ (x[1] ^ x[5] ^ x[17] ^ x[21]) ^ (x[27] ^ x[39] ^ x[41] ^ x[46]) ^ (x[49] ^ x[55] ^ x[59] ^ x[63]);
  assign y[13] = (x[1] ^ x[14] ^ x[18] ^ x[25]) ^ (x[21] ^ x[30] ^ x[32] ^ x[38]) ^ (x[7] ^ x[8] ^ x[40] ^ x[44]) ^ (x[50] ^ x[53] ^ x[59] ^ x[63]);
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

// Double hashing: probe i = h1 + i h2, i = 0 to 3, modulo the partition (KM section 3).
module hash_spread (
  input  wire        clock,
  input  wire [13:0] h1,      // first hash value
  input  wire [13:0] h2,      // second hash value
  output wire [13:0] index_0, // probe 0, two clocks later
  output wire [13:0] index_1, // probe 1, two clocks later
  output wire [13:0] index_2, // probe 2, two clocks later
  output wire [13:0] index_3  // probe 3, two clocks later
);
  reg [13:0] base_0;
  reg [13:0] scaled_0;
  reg [13:0] scaled_1;
  reg [13:0] scaled_2;
  reg [13:0] position_0;
  reg [13:0] position_1;
  reg [13:0] position_2;
  reg [13:0] position_3;

  wire [13:0] multiple_0;
  wire [13:0] multiple_1;
  wire [13:0] multiple_2;

  assign multiple_0 = h2;
  assign multiple_1 = multiple_0 << 1;
  assign multiple_2 = (multiple_0 << 1) + h2;
  assign index_0 = position_0;
  assign index_1 = position_1;
  assign index_2 = position_2;
  assign index_3 = position_3;

  initial begin
    base_0 = 14'd0;
    scaled_0 = 14'd0;
    scaled_1 = 14'd0;
    scaled_2 = 14'd0;
    position_0 = 14'd0;
    position_1 = 14'd0;
    position_2 = 14'd0;
    position_3 = 14'd0;
  end

  always @(posedge clock) begin
    base_0 <= h1;
    position_0 <= base_0;
    scaled_0 <= multiple_0;
    scaled_1 <= multiple_1;
    scaled_2 <= multiple_2;
    position_1 <= base_0 + scaled_0;
    position_2 <= base_0 + scaled_1;
    position_3 <= base_0 + scaled_2;
  end
endmodule

// 104 bits of key to 4 probe positions, one key a clock.
module hash_unit (
  input  wire         clock,
  input  wire [103:0] key,     // key
  output wire [13:0]  index_0, // probe position in bank 0
  output wire [13:0]  index_1, // probe position in bank 1
  output wire [13:0]  index_2, // probe position in bank 2
  output wire [13:0]  index_3  // probe position in bank 3
);
  wire [63:0] mix_0_mixed;
  wire [13:0] function_0_index;
  wire [13:0] function_1_index;
  wire [13:0] spread_0_index_0;
  wire [13:0] spread_0_index_1;
  wire [13:0] spread_0_index_2;
  wire [13:0] spread_0_index_3;

  hash_mix mix_0 (
    .clock (clock),
    .key   (key),
    .mixed (mix_0_mixed)
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

  hash_spread spread_0 (
    .clock   (clock),
    .h1      (function_0_index),
    .h2      (function_1_index),
    .index_0 (spread_0_index_0),
    .index_1 (spread_0_index_1),
    .index_2 (spread_0_index_2),
    .index_3 (spread_0_index_3)
  );

  assign index_0 = spread_0_index_0;
  assign index_1 = spread_0_index_1;
  assign index_2 = spread_0_index_2;
  assign index_3 = spread_0_index_3;
endmodule

// Do two slots go to the same word? Half of the address a register, so that no comparison is wide.
module word_compare (
  input  wire       clock,
  input  wire [8:0] ahead,  // word address of the slot ahead
  input  wire [8:0] behind, // word address of the slot behind
  output wire       same    // they are equal, one clock later
);
  reg equal_low;
  reg equal_high;

  assign same = equal_low && equal_high;

  initial begin
    equal_low = 1'b0;
    equal_high = 1'b0;
  end

  always @(posedge clock) begin
    equal_low <= ahead[3:0] == behind[3:0];
    equal_high <= ahead[8:4] == behind[8:4];
  end
endmodule

// Do two slots probe the same word, or the same bit? Two clocks, so that no comparison is wider than 20 inputs.
module index_compare (
  input  wire        clock,
  input  wire [13:0] ahead,     // probe position of the slot ahead
  input  wire [13:0] behind,    // probe position of the slot behind
  input  wire        inserting, // the slot ahead inserts (one clock after its position)
  output wire        same_word, // both lie in one memory word
  output wire        same_bit   // both are one bit and the slot ahead inserts
);
  reg equal_offset;
  reg word_equal;
  reg bit_equal;

  wire word_same;

  word_compare word (
    .clock  (clock),
    .ahead  (ahead[13:5]),
    .behind (behind[13:5]),
    .same   (word_same)
  );

  assign same_word = word_equal;
  assign same_bit = bit_equal;

  initial begin
    equal_offset = 1'b0;
    word_equal = 1'b0;
    bit_equal = 1'b0;
  end

  always @(posedge clock) begin
    equal_offset <= ahead[4:0] == behind[4:0];
    word_equal <= word_same;
    bit_equal <= word_same && equal_offset && inserting;
  end
endmodule

// Match with a slot directly ahead: early for the count of new bits, late for the flags.
module near_match (
  input  wire        clock,
  input  wire [13:0] ahead,     // probe position of the slot ahead
  input  wire [13:0] behind,    // probe position of the slot behind, stage 6
  input  wire        inserting, // the slot ahead inserts (one clock after its position)
  output wire        early,     // same bit, slot behind in stage 8
  output wire        following, // same bit, slot behind in stage 9
  output wire        late_bit,  // same bit, slot ahead in the decision stage
  output wire        late_word  // same word, slot ahead in the decision stage
);
  reg bit_delay_0;
  reg bit_delay_1;
  reg word_delay_0;
  reg word_delay_1;

  wire compare_same_word;
  wire compare_same_bit;

  index_compare compare (
    .clock     (clock),
    .ahead     (ahead),
    .behind    (behind),
    .inserting (inserting),
    .same_word (compare_same_word),
    .same_bit  (compare_same_bit)
  );

  assign early = compare_same_bit;
  assign following = bit_delay_0;
  assign late_bit = bit_delay_1;
  assign late_word = word_delay_1;

  initial begin
    bit_delay_0 = 1'b0;
    bit_delay_1 = 1'b0;
    word_delay_0 = 1'b0;
    word_delay_1 = 1'b0;
  end

  always @(posedge clock) begin
    bit_delay_0 <= compare_same_bit;
    word_delay_0 <= compare_same_word;
    bit_delay_1 <= bit_delay_0;
    word_delay_1 <= word_delay_0;
  end
endmodule

// 512 words of 32 data bits and 4 epoch bits in block RAM, two clocks of read latency.
// Reading the word that is being written gives an unspecified value: the bank forwards it.
module bank_memory (
  input  wire        clock,
  input  wire [8:0]  read_address,  // word to read
  output wire [35:0] read_data,     // {epoch, data}, two clocks later
  input  wire        write_enable,  // write this clock
  input  wire [8:0]  write_address, // word to write
  input  wire [35:0] write_data     // {epoch, data}
);
  (* no_rw_check *)
  reg [35:0] words [0:511];
  reg [35:0] array_out;
  reg [35:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 511; i = i + 1) words[i] = 36'd0;
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

// The word read from one half, and whether it bears the half's epoch (if not, it reads as empty).
module word_read (
  input  wire        clock,
  input  wire [35:0] read_data,   // {epoch, data} from memory, stage 6
  input  wire [3:0]  epoch,       // the half's epoch
  input  wire        bypass,      // a write met this read: take its word
  input  wire [31:0] bypass_word, // that word
  output wire [31:0] word,        // data bits, stage 7
  output wire        current      // they bear the half's epoch
);
  reg [31:0] word_r;
  reg        current_r;

  assign word = word_r;
  assign current = current_r;

  initial begin
    word_r = 32'd0;
    current_r = 1'b0;
  end

  always @(posedge clock) begin
    word_r <= read_data[31:0];
    if (bypass) begin
      word_r <= bypass_word;
    end
    current_r <= bypass || (read_data[35:32] == epoch);
  end
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

// Counts down the words of the active half that do not yet bear its current epoch.
// When none is left, every older epoch value is free again.
module coverage (
  input  wire clock,
  input  wire recycled, // the slot in the write stage recycled
  input  wire touch,    // it writes a word that bore another epoch
  output wire full      // every word bears the current epoch
);
  localparam [9:0] words          = 10'h200;
  localparam [9:0] words_less_one = 10'h1ff;

  reg [9:0] left;
  reg       full_r;

  assign full = full_r;

  initial begin
    left = 10'h200;
    full_r = 1'b0;
  end

  always @(posedge clock) begin
    if (touch) begin
      left <= left - 10'd1;
    end
    if (recycled) begin
      left <= words;
      if (touch) begin
        left <= words_less_one;
      end
    end
    full_r <= !recycled && (full_r || (touch && (left == 10'd1)));
  end
endmodule

// One bank: 16384 bits a half, 2 half/halves, probe to verdict flags and memory write.
// Exact for any sequence of slots: flags and words of everything in flight are forwarded.
// Source: RBF section V; an epoch with each word makes a recycle one increment.
module filter_bank (
  input  wire        clock,
  input  wire [13:0] index,             // probe position of the slot entering stage 0
  input  wire        direct,            // the slot entering stage 0 is a refresh, a fetch or a set
  input  wire [8:0]  direct_address,    // word that it goes to
  input  wire        trip,              // the slot in stage D recycles
  input  wire        near_inserting,    // bit i: the slot in stage 8 + i inserts
  input  wire        far_inserting,     // the slot in stage D - 1 inserts
  input  wire        phase_6_0,         // active half as it stood in stage 2, now stage 6
  input  wire [3:0]  active_epoch_6,    // its epoch, likewise
  input  wire [3:0]  frozen_epoch_6_0,  // the frozen half's epoch, likewise
  input  wire        fetching_active,   // the slot in stage 7 fetches this bank's word of the active half, or sets bits in it
  input  wire        fetching_frozen_0, // of the frozen half
  input  wire        setting,           // the slot in stage D + 1 inserts
  input  wire        adding,            // it sets bits of a host in this bank
  input  wire [31:0] added,             // these
  input  wire        tripped,           // the slot in stage D + 1 recycled
  input  wire        storing,           // the slot in stage D + 1 writes
  input  wire        current,           // no decided slot behind the one in stage W recycled before stage D
  input  wire        write_enable,      // the slot in stage W writes
  input  wire        recycled,          // the slot in stage W recycled
  input  wire        write_phase_0,     // half that the slot in stage W writes
  input  wire [3:0]  write_epoch,       // epoch that it writes
  output wire        clear_early_0,     // stage 8: my bit is clear if the slot 1 ahead is the last to recycle
  output wire        clear_none,        // stage 9: my bit is clear if none of the near slots recycles
  output wire        in_active,         // stage D: my bit is set in the active half
  output wire        in_frozen_0,       // stage D: my bit is set in the frozen half
  output wire        full,              // every word of the active half bears its epoch
  output wire [31:0] word_8             // stage 8: that word; 0 if there is no such fetch
);
  localparam        retain          = 1'b1;
  localparam [5:0]  retain_symbolic = 6'd63;
  localparam [2:0]  retain_concrete = 3'd7;
  localparam [5:0]  keep_first      = 6'd1;
  localparam [5:0]  none_symbolic   = 6'd0;
  localparam [8:0]  no_match        = 9'd0;
  localparam [6:0]  none_hit        = 7'd0;
  localparam [9:0]  all_empty       = 10'h3ff;
  localparam [31:0] no_word         = 32'd0;
  localparam [31:0] one             = 32'd1;

  reg [13:0] stage_0;
  reg [13:0] stage_1;
  reg [13:0] stage_2;
  reg [13:0] stage_3;
  reg [13:0] stage_4;
  reg [13:0] stage_5;
  reg [13:0] stage_6;
  reg [13:0] stage_7;
  reg [13:0] stage_8;
  reg [13:0] stage_9;
  reg [13:0] stage_10;
  reg [13:0] stage_11;
  reg [13:0] stage_12;
  reg [8:0]  write_address_d2;
  reg [8:0]  write_address;
  reg [8:0]  same_word_d1;
  reg [8:0]  same_word_d2;
  reg [7:0]  same_word_w;
  reg        collision_3;
  reg        collision_4;
  reg        collision_5;
  reg        collision_6;
  reg [31:0] fetched;
  reg [5:0]  active_set;
  reg [5:0]  active_keep;
  reg [2:0]  active;
  reg [5:0]  frozen_set_0;
  reg [5:0]  frozen_keep_active_0;
  reg [5:0]  frozen_keep_0;
  reg [2:0]  frozen_0;
  reg [9:0]  empty;
  reg        from_write_6;
  reg        from_write_7;
  reg        from_last_7;
  reg [31:0] word_0;
  reg [31:0] word_1;
  reg [31:0] word_2;
  reg [31:0] word_3;
  reg [31:0] word_4;
  reg [31:0] base_word;
  reg [31:0] mask;
  reg        first;
  reg        chained;
  reg [31:0] written;
  reg [31:0] written_1;
  reg [31:0] written_2;
  reg        first_w;

  reg  [13:0] entering;
  wire [13:0] ahead_far;
  wire [13:0] ahead_collision;
  wire [13:0] writing;
  wire [8:0]  same_bit;
  wire [8:0]  same_word;
  wire [35:0] write_data;
  wire [8:0]  read_address;
  wire [4:0]  offset_7;
  wire [5:0]  match_symbolic;
  wire [2:0]  match_concrete;
  wire [5:0]  active_set_in;
  wire [5:0]  active_keep_in;
  wire        active_8;
  wire [2:0]  active_in;
  reg  [2:0]  frozen_in_0;
  wire        near_9;
  wire        base_9;
  reg  [6:0]  hit;
  reg  [9:0]  empty_in;
  wire [31:0] last_word;
  wire        overtaken;
  wire        far_0_same_word;
  wire        far_0_same_bit;
  wire        far_1_same_word;
  wire        far_1_same_bit;
  wire        far_2_same_word;
  wire        far_2_same_bit;
  wire        far_3_same_word;
  wire        far_3_same_bit;
  wire        far_4_same_word;
  wire        far_4_same_bit;
  wire        far_5_same_word;
  wire        far_5_same_bit;
  wire        far_6_same_word;
  wire        far_6_same_bit;
  wire        far_7_same_word;
  wire        far_7_same_bit;
  wire        near_0_early;
  wire        near_0_following;
  wire        near_0_late_bit;
  wire        near_0_late_word;
  wire        collision_same_word;
  wire        collision_same_bit;
  wire [35:0] memory_0_read_data;
  wire        memory_0_write_enable;
  wire [35:0] memory_1_read_data;
  wire        memory_1_write_enable;
  reg  [35:0] active_read_read_data;
  wire [31:0] active_read_word;
  wire        active_read_current;
  reg  [35:0] frozen_read_0_read_data;
  wire [31:0] frozen_read_0_word;
  wire        frozen_read_0_current;
  wire        active_select_selected;
  wire        frozen_select_0_selected;
  wire        coverage_touch;
  wire        coverage_full;

  // matches with the slot in stage D: bit s of same_bit and same_word belongs to the slot in stage s + 2
  index_compare far_0 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_0),
    .inserting (far_inserting),
    .same_word (far_0_same_word),
    .same_bit  (far_0_same_bit)
  );

  index_compare far_1 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_1),
    .inserting (far_inserting),
    .same_word (far_1_same_word),
    .same_bit  (far_1_same_bit)
  );

  index_compare far_2 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_2),
    .inserting (far_inserting),
    .same_word (far_2_same_word),
    .same_bit  (far_2_same_bit)
  );

  index_compare far_3 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_3),
    .inserting (far_inserting),
    .same_word (far_3_same_word),
    .same_bit  (far_3_same_bit)
  );

  index_compare far_4 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_4),
    .inserting (far_inserting),
    .same_word (far_4_same_word),
    .same_bit  (far_4_same_bit)
  );

  index_compare far_5 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_5),
    .inserting (far_inserting),
    .same_word (far_5_same_word),
    .same_bit  (far_5_same_bit)
  );

  index_compare far_6 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_6),
    .inserting (far_inserting),
    .same_word (far_6_same_word),
    .same_bit  (far_6_same_bit)
  );

  index_compare far_7 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_7),
    .inserting (far_inserting),
    .same_word (far_7_same_word),
    .same_bit  (far_7_same_bit)
  );

  near_match near_0 (
    .clock     (clock),
    .ahead     (stage_7),
    .behind    (stage_6),
    .inserting (near_inserting),
    .early     (near_0_early),
    .following (near_0_following),
    .late_bit  (near_0_late_bit),
    .late_word (near_0_late_word)
  );

  index_compare collision (
    .clock     (clock),
    .ahead     (ahead_collision),
    .behind    (stage_0),
    .inserting (1'b0),
    .same_word (collision_same_word),
    .same_bit  (collision_same_bit)
  );

  bank_memory memory_0 (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (memory_0_read_data),
    .write_enable  (memory_0_write_enable),
    .write_address (write_address),
    .write_data    (write_data)
  );

  bank_memory memory_1 (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (memory_1_read_data),
    .write_enable  (memory_1_write_enable),
    .write_address (write_address),
    .write_data    (write_data)
  );

  word_read active_read (
    .clock       (clock),
    .read_data   (active_read_read_data),
    .epoch       (active_epoch_6),
    .bypass      (collision_6),
    .bypass_word (written_2),
    .word        (active_read_word),
    .current     (active_read_current)
  );

  word_read frozen_read_0 (
    .clock       (clock),
    .read_data   (frozen_read_0_read_data),
    .epoch       (frozen_epoch_6_0),
    .bypass      (1'b0),
    .bypass_word (no_word),
    .word        (frozen_read_0_word),
    .current     (frozen_read_0_current)
  );

  bit_select active_select (
    .clock    (clock),
    .word     (active_read_word),
    .current  (active_read_current),
    .offset   (offset_7),
    .selected (active_select_selected)
  );

  bit_select frozen_select_0 (
    .clock    (clock),
    .word     (frozen_read_0_word),
    .current  (frozen_read_0_current),
    .offset   (offset_7),
    .selected (frozen_select_0_selected)
  );

  coverage coverage (
    .clock    (clock),
    .recycled (recycled),
    .touch    (coverage_touch),
    .full     (coverage_full)
  );

  assign ahead_far = stage_9;
  assign ahead_collision = stage_10;
  assign writing = stage_12;
  assign same_bit[0] = far_0_same_bit;
  assign same_word[0] = far_0_same_word;
  assign same_bit[1] = far_1_same_bit;
  assign same_word[1] = far_1_same_word;
  assign same_bit[2] = far_2_same_bit;
  assign same_word[2] = far_2_same_word;
  assign same_bit[3] = far_3_same_bit;
  assign same_word[3] = far_3_same_word;
  assign same_bit[4] = far_4_same_bit;
  assign same_word[4] = far_4_same_word;
  assign same_bit[5] = far_5_same_bit;
  assign same_word[5] = far_5_same_word;
  assign same_bit[6] = far_6_same_bit;
  assign same_word[6] = far_6_same_word;
  assign same_bit[7] = far_7_same_bit;
  assign same_word[7] = far_7_same_word;
  assign same_bit[8] = near_0_late_bit;
  assign same_word[8] = near_0_late_word;

  // memory: address in stage 4, data in stage 6, one bit in stage 8
  assign write_data = {write_epoch, written};
  assign offset_7 = stage_7[4:0];
  assign read_address = stage_4[13:5];
  assign memory_0_write_enable = write_enable && !write_phase_0;
  assign memory_1_write_enable = write_enable && write_phase_0;
  assign word_8 = fetched;

  // symbolic flags, stages 3 to 8, until the memory bit arrives
  assign match_symbolic = same_bit[5:0];
  assign active_set_in = active_set << 1;
  assign active_keep_in = (active_keep << 1) | keep_first;

  // flags, stages 9 to D
  assign active_8 = active_set[5] || (active_keep[5] && active_select_selected);
  assign match_concrete = same_bit[8:6];
  assign active_in = {active[1:0], active_8};
  assign in_active = active[2];
  assign in_frozen_0 = frozen_0[2];

  // is my bit new? once for each slot that may be the last to recycle before me, and once for none
  assign clear_early_0 = !(retain && near_0_early);
  assign near_9 = near_0_following;
  assign base_9 = (active[0] && !trip) || (same_bit[7] && (retain || !trip));
  assign clear_none = !(base_9 || near_9);
  assign last_word = word_4;
  assign overtaken = same_word_w[7] && current;
  assign coverage_touch = first_w && write_enable;
  assign full = coverage_full;

  initial begin
    stage_0 = 14'd0;
    stage_1 = 14'd0;
    stage_2 = 14'd0;
    stage_3 = 14'd0;
    stage_4 = 14'd0;
    stage_5 = 14'd0;
    stage_6 = 14'd0;
    stage_7 = 14'd0;
    stage_8 = 14'd0;
    stage_9 = 14'd0;
    stage_10 = 14'd0;
    stage_11 = 14'd0;
    stage_12 = 14'd0;
    write_address_d2 = 9'd0;
    write_address = 9'd0;
    same_word_d1 = 9'd0;
    same_word_d2 = 9'd0;
    same_word_w = 8'd0;
    collision_3 = 1'b0;
    collision_4 = 1'b0;
    collision_5 = 1'b0;
    collision_6 = 1'b0;
    fetched = 32'd0;
    active_set = 6'd0;
    active_keep = 6'd0;
    active = 3'd0;
    frozen_set_0 = 6'd0;
    frozen_keep_active_0 = 6'd0;
    frozen_keep_0 = 6'd0;
    frozen_0 = 3'd0;
    empty = 10'd0;
    from_write_6 = 1'b0;
    from_write_7 = 1'b0;
    from_last_7 = 1'b0;
    word_0 = 32'd0;
    word_1 = 32'd0;
    word_2 = 32'd0;
    word_3 = 32'd0;
    word_4 = 32'd0;
    base_word = 32'd0;
    mask = 32'd0;
    first = 1'b0;
    chained = 1'b0;
    written = 32'd0;
    written_1 = 32'd0;
    written_2 = 32'd0;
    first_w = 1'b0;
  end

  always @* begin
    // positions, stage 0 to D + 1
    entering = index;
    if (direct) begin
      entering = {5'd0, direct_address} << 5;
    end
  end

  always @* begin
    active_read_read_data = memory_0_read_data;
    frozen_read_0_read_data = memory_1_read_data;
    if (phase_6_0) begin
      active_read_read_data = memory_1_read_data;
      frozen_read_0_read_data = memory_0_read_data;
    end
  end

  always @* begin
    frozen_in_0 = frozen_0 << 1;
    frozen_in_0[0] = frozen_set_0[5] || (frozen_keep_active_0[5] && active_select_selected) || (frozen_keep_0[5] && frozen_select_0_selected);
  end

  always @* begin
    // words: a slot takes over the word of a slot ahead that writes the same address; a recycle empties it
    hit = none_hit;
    if (current && !trip) begin
      hit = same_word_w[6:0];
    end
  end

  always @* begin
    empty_in = empty << 1;
    if (trip) begin
      empty_in = all_empty;
    end
    if (!from_write_7 && !active_read_current) begin
      empty_in[5] = 1'b1;
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
    stage_8 <= stage_7;
    stage_9 <= stage_8;
    stage_10 <= stage_9;
    stage_11 <= stage_10;
    stage_12 <= stage_11;
    same_word_d1 <= same_word;
    same_word_d2 <= same_word_d1;
    if (!storing) begin
      same_word_d2 <= no_match;
    end
    same_word_w <= same_word_d2[7:0];
    collision_3 <= collision_same_word && storing;
    collision_4 <= collision_3;
    collision_5 <= collision_4;
    collision_6 <= collision_5;

    // a word for the host, stage 7: nothing is in flight that writes to it but refreshes, which change nothing
    fetched <= no_word;
    if (fetching_active && active_read_current) begin
      fetched <= active_read_word;
    end
    if (fetching_frozen_0 && frozen_read_0_current) begin
      fetched <= frozen_read_0_word;
    end
    active_set <= active_set_in | match_symbolic;
    active_keep <= active_keep_in;
    if (trip) begin
      active_set <= match_symbolic & retain_symbolic;
      active_keep <= none_symbolic;
    end
    active <= active_in | match_concrete;
    if (trip) begin
      active <= match_concrete & retain_concrete;
    end
    frozen_set_0 <= frozen_set_0 << 1;
    frozen_keep_active_0 <= frozen_keep_active_0 << 1;
    frozen_keep_0 <= (frozen_keep_0 << 1) | keep_first;
    frozen_0 <= frozen_in_0;
    if (trip) begin
      frozen_set_0 <= active_set_in;
      frozen_keep_active_0 <= active_keep_in;
      frozen_keep_0 <= none_symbolic;
      frozen_0 <= active_in;
    end
    empty <= empty_in & ~({3'd0, hit} << 3);
    from_write_6 <= same_word_w[0];
    from_write_7 <= from_write_6 || same_word_w[1];
    from_last_7 <= same_word_w[1];
    word_0 <= active_read_word;
    if (same_word_w[2]) begin
      word_0 <= written;
    end else if (from_last_7) begin
      word_0 <= written_1;
    end else if (from_write_7) begin
      word_0 <= written_2;
    end
    word_1 <= word_0;
    if (same_word_w[3]) begin
      word_1 <= written;
    end
    word_2 <= word_1;
    if (same_word_w[4]) begin
      word_2 <= written;
    end
    word_3 <= word_2;
    if (same_word_w[5]) begin
      word_3 <= written;
    end
    word_4 <= word_3;
    if (same_word_w[6]) begin
      word_4 <= written;
    end
    base_word <= last_word;
    if (overtaken) begin
      base_word <= written;
    end else if (empty[9]) begin
      base_word <= no_word;
    end
    first <= empty[9] && !overtaken;
    mask <= no_word;
    if (setting) begin
      mask <= one << writing[4:0];
    end
    if (adding) begin
      mask <= added;
    end
    chained <= same_word_d2[8] && !tripped;
    written <= base_word | mask;
    if (chained) begin
      written <= written | mask;
    end
    written_1 <= written;
    written_2 <= written_1;
    write_address_d2 <= writing[13:5];
    write_address <= write_address_d2;

    // coverage by the current epoch
    first_w <= first && !chained;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, collision_same_bit};
endmodule

// Number of ones among 4 bits, 1 clock later.
module count_ones (
  input  wire       clock,
  input  wire       reset, // drops what is being counted
  input  wire [3:0] x,     // bits to count
  output wire [2:0] count  // ones
);
  reg [2:0] sum_1_0;

  initial begin
    sum_1_0 = 3'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      sum_1_0 <= 3'd0;
    end else begin
      sum_1_0 <= {2'd0, x[0]} + {2'd0, x[1]} + {2'd0, x[2]} + {2'd0, x[3]};
    end
  end

  assign count = sum_1_0;
endmodule

// Decides for one item a clock whether it trips the recycle: threshold on bits set (RBF section III).
// room = what the active half may still take; an item that would take more trips.
// New bits are counted for every way the 1 slot directly ahead may turn out; their decisions select.
module recycle_decision (
  input  wire        clock,
  input  wire        reset,         // drops the slots that are not decided
  input  wire [3:0]  clear_none,    // stage 9: clear bits if no near slot recycles
  input  wire [3:0]  clear_early_0, // stage 8: clear bits if the slot 1 ahead is the last to recycle
  input  wire        inserting_8,   // the slot in stage 8 inserts
  input  wire        inserting_9,   // the slot in stage 9 inserts
  input  wire        forced,        // the slot in stage D - 1 recycles in any case
  input  wire        load,          // take room (the pipeline is empty)
  input  wire [16:0] room,          // room of the active half as it stands
  input  wire [16:0] base_room,     // room right after a recycle by an item
  output wire        trip,          // the slot in stage D recycles
  output wire [2:0]  count          // new bits of the slot in stage D
);
  localparam [3:0] nothing  = 4'd0;
  localparam [2:0] no_count = 3'd0;

  reg [2:0]  first;
  reg [2:0]  resolved;
  reg        trip_r;
  reg [3:0]  low;
  reg [12:0] high;
  reg        high_zero;
  reg        high_one;
  reg        borrow;
  reg [3:0]  room_low;
  reg [12:0] room_high;
  reg        room_zero;
  reg        room_one;
  reg [3:0]  base_low;
  reg [12:0] base_high;
  reg [12:0] base_less;
  reg        base_zero;
  reg        base_one;
  reg [3:0]  after_low;
  reg [12:0] after_high;
  reg        after_zero;
  reg        after_one;

  wire [2:0]  counted;
  wire [3:0]  amount;
  wire [3:0]  first_amount;
  wire        over;
  wire [12:0] base_high_in;
  wire [12:0] room_high_in;
  reg  [3:0]  count_none_x;
  wire [2:0]  count_none_count;
  reg  [3:0]  count_early_0_x;
  wire [2:0]  count_early_0_count;

  // new bits of the slot, for each way the slots ahead may turn out
  count_ones count_none (
    .clock (clock),
    .reset (reset),
    .x     (count_none_x),
    .count (count_none_count)
  );

  count_ones count_early_0 (
    .clock (clock),
    .reset (reset),
    .x     (count_early_0_x),
    .count (count_early_0_count)
  );

  assign counted = count_none_count;
  assign count = resolved;
  assign amount = {1'b0, counted};
  assign first_amount = {1'b0, count_early_0_count};
  assign base_high_in = base_room[16:4];
  assign room_high_in = room[16:4];

  // the loop
  assign over = amount > low;
  assign trip = trip_r;

  initial begin
    first = 3'd0;
    resolved = 3'd0;
    trip_r = 1'b0;
    low = 4'd0;
    high = 13'd0;
    high_zero = 1'b0;
    high_one = 1'b0;
    borrow = 1'b0;
    room_low = 4'd0;
    room_high = 13'd0;
    room_zero = 1'b0;
    room_one = 1'b0;
    base_low = 4'd0;
    base_high = 13'd0;
    base_less = 13'd0;
    base_zero = 1'b0;
    base_one = 1'b0;
    after_low = 4'd0;
    after_high = 13'd0;
    after_zero = 1'b0;
    after_one = 1'b0;
  end

  always @* begin
    count_none_x = nothing;
    if (inserting_9) begin
      count_none_x = clear_none;
    end
  end

  always @* begin
    count_early_0_x = nothing;
    if (inserting_8) begin
      count_early_0_x = clear_early_0;
    end
  end

  always @(posedge clock) begin
    first <= count_early_0_count;
    resolved <= counted;
    if (trip_r) begin
      resolved <= first;
    end
    if (reset) begin
      resolved <= no_count;
      first <= no_count;
    end

    // room right after a recycle, and what is left of it after the next slot
    base_low <= base_room[3:0];
    base_high <= base_high_in;
    base_less <= base_high_in - 13'd1;
    base_zero <= base_high_in == 13'd0;
    base_one <= base_high_in == 13'd1;
    after_low <= base_low - first_amount;
    after_high <= base_high;
    if (first_amount > base_low) begin
      after_high <= base_less;
    end
    after_zero <= base_zero;
    after_one <= base_one;

    // room as it stands, for a new threshold
    room_low <= room[3:0];
    room_high <= room_high_in;
    room_zero <= room_high_in == 13'd0;
    room_one <= room_high_in == 13'd1;
    trip_r <= !trip_r && !reset && (forced || (high_zero && over));
    low <= low - amount;
    borrow <= over && !trip_r && !load;
    high_one <= high == 13'd1;
    if (borrow) begin
      high <= high - 13'd1;
      high_one <= high == 13'd2;
    end
    if (over) begin
      high_zero <= high_one;
    end
    if (trip_r) begin
      low <= after_low;
      high <= after_high;
      high_zero <= after_zero;
      high_one <= after_one;
    end
    if (load) begin
      low <= room_low;
      high <= room_high;
      high_zero <= room_zero;
      high_one <= room_one;
    end
  end
endmodule

// The limit in force (sigma on bits set; N - 1 on messages, since the N-th message trips), the room left in the
// active half, and the room right after a recycle, when the retained item is in it.
module recycle_limit (
  input  wire        clock,
  input  wire        take,         // take the threshold
  input  wire [16:0] threshold,    // threshold register
  input  wire [16:0] count,        // bits set, or messages, of the active half
  output wire [16:0] room,         // limit - count, not below 0
  output wire [16:0] base_room,    // limit - what a retained item adds, not below 0
  output wire        one_at_a_time // cycles may be so short that two slots in flight recycle: admit one item at a time
);
  localparam [16:0] base   = 17'd4;   // what a retained item adds
  localparam [16:0] large_ = 17'h100; // room from which cycles are long enough for full rate
  localparam [16:0] zero   = 17'd0;

  reg [16:0] limit_r;
  reg [17:0] difference;      // limit - count, with sign
  reg [16:0] room_r;
  reg [17:0] base_difference; // limit - base, with sign
  reg [16:0] base_room_r;
  reg        one_at_a_time_r;

  wire [16:0] limit_in;

  assign limit_in = threshold;
  assign room = room_r;
  assign base_room = base_room_r;
  assign one_at_a_time = one_at_a_time_r;

  initial begin
    limit_r = 17'd0;
    difference = 18'd0;
    room_r = 17'd0;
    base_difference = 18'd0;
    base_room_r = 17'd0;
    one_at_a_time_r = 1'b1;
  end

  always @(posedge clock) begin
    if (take) begin
      limit_r <= limit_in;
    end
    difference <= {1'b0, limit_r} - {1'b0, count};
    room_r <= difference[16:0];
    if (difference[17]) begin
      room_r <= zero;
    end
    base_difference <= {1'b0, limit_r} - {1'b0, base};
    base_room_r <= base_difference[16:0];
    if (base_difference[17]) begin
      base_room_r <= zero;
    end
    one_at_a_time_r <= base_room_r < large_;
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

  delay_1x4 phase_line_0 (
    .clock (clock),
    .d     (phase_r_0),
    .q     (phase_line_0_q)
  );

  delay_4x4 epoch_line (
    .clock (clock),
    .d     (epoch_now),
    .q     (epoch_line_q)
  );

  delay_4x4 other_line_0 (
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

// Number of ones among 32 bits, 4 clocks later.
module count_ones_2 (
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
  output wire [16:0] bits_active, // bits set in the active half
  output wire [16:0] bits_frozen, // bits set in the frozen half
  output wire [16:0] messages     // bit-setting messages of this cycle
);
  localparam [31:0] no_bits           = 32'd0;
  localparam [16:0] zero              = 17'd0;
  localparam [16:0] retained_bits     = 17'd4; // bits of a retained item
  localparam [16:0] retained_messages = 17'd1; // a retained item

  reg [16:0] active;
  reg [16:0] frozen_0;
  reg [16:0] message_count;
  reg [31:0] fresh;         // bits of a host that were clear

  wire [5:0] more;        // bits that come
  wire [5:0] added_count;

  count_ones_2 added (
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
    active = 17'd0;
    frozen_0 = 17'd0;
    message_count = 17'd0;
    fresh = 32'd0;
  end

  always @(posedge clock) begin
    // bits of a host
    fresh <= no_bits;
    if (found && !reset) begin
      fresh <= bits & ~word;
    end
    active <= active + {11'd0, more};
    message_count <= message_count + {16'd0, |more};
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

// 8 entries of 28 bits in distributed RAM; reads without a clock.
module counter_memory (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [2:0]  write_address, // entry to write
  input  wire [27:0] write_data,    // its value
  input  wire [2:0]  read_address,  // entry to read
  output wire [27:0] read_data      // its value, in the same clock
);
  reg [27:0] entries [0:7];
  integer i;

  initial begin
    for (i = 0; i <= 7; i = i + 1) entries[i] = 28'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// 8 entries of 32 bits in distributed RAM; reads without a clock.
module counter_memory_2 (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [2:0]  write_address, // entry to write
  input  wire [31:0] write_data,    // its value
  input  wire [2:0]  read_address,  // entry to read
  output wire [31:0] read_data      // its value, in the same clock
);
  reg [31:0] entries [0:7];
  integer i;

  initial begin
    for (i = 0; i <= 7; i = i + 1) entries[i] = 32'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// 7 counters of 64 bits. Each event has a counter of 5 bits that wraps; a memory holds the bits above it,
// which one adder updates round robin, and for each read of a host.
module event_counters (
  input  wire        clock,
  input  wire        reset,   // all back to zero
  input  wire        event_0, // count in ITEMS
  input  wire        event_1, // count in SEEN
  input  wire        event_2, // count in INSERTED
  input  wire        event_3, // count in RECYCLES
  input  wire        event_4, // count in STALL_RECYCLE
  input  wire        event_5, // count in STALL_CONTROL
  input  wire        event_6, // count in STALL_VERDICT
  input  wire        read,    // read a counter
  input  wire [2:0]  which,   // its number
  output wire [31:0] low,     // lower half, two clocks behind `read`
  output wire [31:0] high     // upper half, three clocks behind `read`
);
  localparam [2:0]  number_0    = 3'd0;
  localparam [2:0]  number_1    = 3'd1;
  localparam [2:0]  number_2    = 3'd2;
  localparam [2:0]  number_3    = 3'd3;
  localparam [2:0]  number_4    = 3'd4;
  localparam [2:0]  number_5    = 3'd5;
  localparam [2:0]  number_6    = 3'd6;
  localparam [2:0]  first       = 3'd0;
  localparam [2:0]  before_last = 3'd5;
  localparam [4:0]  no_events   = 5'd0;
  localparam [7:0]  none_valid  = 8'd0;
  localparam [27:0] no_word     = 28'd0;
  localparam [31:0] zero        = 32'd0;

  reg [4:0]  recent_0;      // lowest bits of the count; wraps
  reg [4:0]  recent_1;      // lowest bits of the count; wraps
  reg [4:0]  recent_2;      // lowest bits of the count; wraps
  reg [4:0]  recent_3;      // lowest bits of the count; wraps
  reg [4:0]  recent_4;      // lowest bits of the count; wraps
  reg [4:0]  recent_5;      // lowest bits of the count; wraps
  reg [4:0]  recent_6;      // lowest bits of the count; wraps
  reg [7:0]  valid;         // bit i: the words of counter i are valid
  reg        due;           // not reset since the words were read
  reg        due_late;
  reg [2:0]  turn;          // round robin: the next counter
  reg        last_turn;     // turn is the last counter
  reg [2:0]  place;         // the counter that is updated
  reg [2:0]  place_late;
  reg [4:0]  recent_late;
  reg        valid_late;
  reg [27:0] above;         // bits above the narrow counter, and its top bit when they were written
  reg        wrapped;       // the narrow counter has wrapped since
  reg [27:0] written;
  reg [2:0]  place_later;
  reg [2:0]  place_latest;
  reg        due_latest;
  reg [31:0] upper;
  reg        carry;
  reg [31:0] upper_written;

  wire        here_0;
  wire        here_1;
  wire        here_2;
  wire        here_3;
  wire        here_4;
  wire        here_5;
  wire        here_6;
  reg  [4:0]  recent_here;
  wire        valid_here;
  wire [27:0] sum;
  wire [31:0] upper_sum;
  wire [27:0] memory_read_data;
  wire [31:0] upper_memory_read_data;

  counter_memory memory (
    .clock         (clock),
    .write_enable  (due_late),
    .write_address (place_later),
    .write_data    (written),
    .read_address  (place),
    .read_data     (memory_read_data)
  );

  counter_memory_2 upper_memory (
    .clock         (clock),
    .write_enable  (due_latest),
    .write_address (place_latest),
    .write_data    (upper_written),
    .read_address  (place_late),
    .read_data     (upper_memory_read_data)
  );

  assign valid_here = valid[place];
  assign here_0 = place == number_0;
  assign here_1 = place == number_1;
  assign here_2 = place == number_2;
  assign here_3 = place == number_3;
  assign here_4 = place == number_4;
  assign here_5 = place == number_5;
  assign here_6 = place == number_6;

  // update
  assign sum = (above >> 1) + {27'd0, wrapped};
  assign low = {sum[26:0], recent_late};
  assign upper_sum = upper + {31'd0, carry};
  assign high = upper_sum;

  initial begin
    recent_0 = 5'd0;
    recent_1 = 5'd0;
    recent_2 = 5'd0;
    recent_3 = 5'd0;
    recent_4 = 5'd0;
    recent_5 = 5'd0;
    recent_6 = 5'd0;
    valid = 8'd0;
    due = 1'b0;
    due_late = 1'b0;
    turn = 3'd0;
    last_turn = 1'b0;
    place = 3'd0;
    place_late = 3'd0;
    recent_late = 5'd0;
    valid_late = 1'b0;
    above = 28'd0;
    wrapped = 1'b0;
    written = 28'd0;
    place_later = 3'd0;
    place_latest = 3'd0;
    due_latest = 1'b0;
    upper = 32'd0;
    carry = 1'b0;
    upper_written = 32'd0;
  end

  always @* begin
    recent_here = no_events;
    if (here_0) begin
      recent_here = recent_here | recent_0;
    end
    if (here_1) begin
      recent_here = recent_here | recent_1;
    end
    if (here_2) begin
      recent_here = recent_here | recent_2;
    end
    if (here_3) begin
      recent_here = recent_here | recent_3;
    end
    if (here_4) begin
      recent_here = recent_here | recent_4;
    end
    if (here_5) begin
      recent_here = recent_here | recent_5;
    end
    if (here_6) begin
      recent_here = recent_here | recent_6;
    end
  end

  always @(posedge clock) begin
    // round robin; a read comes first
    place <= turn;
    turn <= turn + 3'd1;
    last_turn <= turn == before_last;
    if (last_turn) begin
      turn <= first;
    end
    if (read) begin
      place <= which;
      turn <= turn;
      last_turn <= last_turn;
    end
    recent_0 <= recent_0 + {4'd0, event_0};
    recent_1 <= recent_1 + {4'd0, event_1};
    recent_2 <= recent_2 + {4'd0, event_2};
    recent_3 <= recent_3 + {4'd0, event_3};
    recent_4 <= recent_4 + {4'd0, event_4};
    recent_5 <= recent_5 + {4'd0, event_5};
    recent_6 <= recent_6 + {4'd0, event_6};
    place_late <= place;
    recent_late <= recent_here;
    above <= memory_read_data;
    wrapped <= memory_read_data[0] && !recent_here[4];
    if (!valid_here) begin
      above <= no_word;
      wrapped <= 1'b0;
    end
    written <= {sum[26:0], recent_late[4]};
    due <= !reset;

    // write back
    place_later <= place_late;
    due_late <= due && !reset;
    if (due_late) begin
      valid <= valid | (8'd1 << place_later);
    end
    if (reset) begin
      valid <= none_valid;
      recent_0 <= no_events;
      recent_1 <= no_events;
      recent_2 <= no_events;
      recent_3 <= no_events;
      recent_4 <= no_events;
      recent_5 <= no_events;
      recent_6 <= no_events;
    end

    // upper half
    valid_late <= valid_here;
    place_latest <= place_later;
    carry <= sum[27];
    upper <= upper_memory_read_data;
    if (!valid_late) begin
      upper <= zero;
    end
    if (reset) begin
      carry <= 1'b0;
      upper <= zero;
    end
    due_latest <= due_late;
    upper_written <= upper_sum;
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
  input  wire [16:0] live_1,           // register BITS_ACTIVE
  input  wire [16:0] live_2,           // register BITS_FROZEN
  input  wire [16:0] live_3,           // register MESSAGES
  input  wire        event_0,          // count in ITEMS
  input  wire        event_1,          // count in SEEN
  input  wire        event_2,          // count in INSERTED
  input  wire        event_3,          // count in RECYCLES
  input  wire        event_4,          // count in STALL_RECYCLE
  input  wire        event_5,          // count in STALL_CONTROL
  input  wire        event_6,          // count in STALL_VERDICT
  input  wire        finished,         // what is pending is done
  input  wire        load_0,           // load ARRAY_DATA
  input  wire [31:0] load_value_0,     // its value
  input  wire        fetched_0,        // the word that was asked for is there in the next clock
  output wire [16:0] value_0,          // register THRESHOLD
  output wire [31:0] value_1,          // register MAX_AGE
  output wire [11:0] value_2,          // register ARRAY_ADDRESS
  output wire [31:0] value_3,          // register ARRAY_DATA
  output wire        stored_0,         // ARRAY_DATA is being written
  output reg         fetch_asked_0,    // ARRAY_ADDRESS is being written
  output wire        clear_pending,    // a clear was written and is not done
  output wire        write_pending,    // a clear, a recycle or THRESHOLD or ARRAY_DATA was written and is not done
  output wire        recycle_pending_0 // a recycle was written and is not done
);
  localparam [2:0]  number_0         = 3'd0;
  localparam [2:0]  number_1         = 3'd1;
  localparam [2:0]  number_2         = 3'd2;
  localparam [2:0]  number_3         = 3'd3;
  localparam [2:0]  number_4         = 3'd4;
  localparam [2:0]  number_5         = 3'd5;
  localparam [2:0]  number_6         = 3'd6;
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
  localparam [31:0] fixed_value_2    = 32'h3a5d2e08;
  localparam [31:0] fixed_value_3    = 32'h8f44e9e1;
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
  localparam [16:0] value_reset_0    = 17'h8000;          // THRESHOLD after reset
  localparam [31:0] value_reset_1    = 32'd0;             // MAX_AGE after reset
  localparam [11:0] value_reset_2    = 12'd0;             // ARRAY_ADDRESS after reset
  localparam [31:0] value_reset_3    = 32'd0;             // ARRAY_DATA after reset
  localparam [5:0]  low_address_0    = 6'd36;
  localparam [5:0]  low_address_1    = 6'd38;
  localparam [5:0]  low_address_2    = 6'd40;
  localparam [5:0]  low_address_3    = 6'd42;
  localparam [5:0]  low_address_4    = 6'd44;
  localparam [5:0]  low_address_5    = 6'd46;
  localparam [5:0]  low_address_6    = 6'd48;
  localparam [2:0]  no_number        = 3'd0;
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

  reg [16:0] value_r_0;
  reg [31:0] value_r_1;
  reg [11:0] value_r_2;
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
  reg        resting;         // no read is under way
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
  reg        low_hit;
  reg        low_hit_late;
  reg        high_hit;
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
  wire        offered;          // an address is valid, and no read is under way
  wire        beginning;        // it is taken
  wire        answering;        // there is an answer in the next clock
  wire [5:0]  read_word;
  reg         held;
  reg  [2:0]  which;            // the counter at the address
  reg         to_low;
  reg         high_sampled;
  reg         to_high;
  reg  [31:0] fixed_group;
  reg  [31:0] live_group;
  reg  [31:0] counter_group;
  reg  [31:0] high_in;
  reg  [31:0] counter_high_now;
  reg         found;
  wire [31:0] counters_low;
  wire [31:0] counters_high;

  event_counters counters (
    .clock   (clock),
    .reset   (reset),
    .event_0 (event_0),
    .event_1 (event_1),
    .event_2 (event_2),
    .event_3 (event_3),
    .event_4 (event_4),
    .event_5 (event_5),
    .event_6 (event_6),
    .read    (offered),
    .which   (which),
    .low     (counters_low),
    .high    (counters_high)
  );

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

  // read: address taken, registers sampled, groups merged, answer
  assign offered = arvalid && resting && !held;
  assign beginning = offered && !reset;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign answering = merging || (rvalid_r && !rready);
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    value_r_0 = 17'h8000;
    value_r_1 = 32'd0;
    value_r_2 = 12'd0;
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
    resting = 1'b1;
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
    low_hit = 1'b0;
    low_hit_late = 1'b0;
    high_hit = 1'b0;
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
      live_group = live_group | {15'd0, live_1};
      found = 1'b1;
    end
    if (live_hit_2) begin
      live_group = live_group | {15'd0, live_2};
      found = 1'b1;
    end
    if (live_hit_3) begin
      live_group = live_group | {15'd0, live_3};
      found = 1'b1;
    end
    if (value_hit_0) begin
      live_group = live_group | {15'd0, value_r_0};
      found = 1'b1;
    end
    if (value_hit_1) begin
      live_group = live_group | value_r_1;
      found = 1'b1;
    end
    if (value_hit_2) begin
      live_group = live_group | {20'd0, value_r_2};
      found = 1'b1;
    end
    if (value_hit_3) begin
      live_group = live_group | value_r_3;
      found = 1'b1;
    end
    if (low_hit) begin
      counter_group = counter_group | counters_low;
      found = 1'b1;
    end
    if (high_hit) begin
      live_group = live_group | high_sample;
      found = 1'b1;
    end
  end

  always @* begin
    which = no_number;
    to_low = 1'b0;
    if (read_word == low_address_0) begin
      which = which | number_0;
      to_low = 1'b1;
    end
    if (read_word == low_address_1) begin
      which = which | number_1;
      to_low = 1'b1;
    end
    if (read_word == low_address_2) begin
      which = which | number_2;
      to_low = 1'b1;
    end
    if (read_word == low_address_3) begin
      which = which | number_3;
      to_low = 1'b1;
    end
    if (read_word == low_address_4) begin
      which = which | number_4;
      to_low = 1'b1;
    end
    if (read_word == low_address_5) begin
      which = which | number_5;
      to_low = 1'b1;
    end
    if (read_word == low_address_6) begin
      which = which | number_6;
      to_low = 1'b1;
    end
  end

  always @* begin
    high_sampled = 1'b0;
    counter_high_now = zero;
    if (low_hit_late) begin
      high_sampled = 1'b1;
      counter_high_now = counters_high;
    end
  end

  always @* begin
    high_in = high_sample;
    if (high_sampled) begin
      high_in = counter_high_now;
    end
  end

  always @* begin
    to_high = 1'b0;
    if (read_word == high_address_0) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_1) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_2) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_3) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_4) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_5) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_6) begin
      to_high = 1'b1;
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
    value_wide_0 <= |(wdata >> 17);
    value_wide_1 <= |32'd0;
    value_wide_2 <= |(wdata >> 12);
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
      value_r_0 <= wdata[16:0];
    end
    if (legal && to_value_r_1) begin
      value_r_1 <= wdata;
    end
    if (legal && to_value_r_2) begin
      value_r_2 <= wdata[11:0];
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
    reading <= beginning;
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
    low_hit <= to_low;
    low_hit_late <= low_hit && sampling;
    high_hit <= to_high;
    fixed_group_r <= fixed_group;
    live_group_r <= live_group;
    counter_group_r <= counter_group;
    high_sample <= high_in;
    found_r <= found;
    rvalid_r <= answering;
    resting <= !beginning && !reading && !sampling && !answering;
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
      resting <= 1'b1;
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
  input  wire [11:0] address,      // register ARRAY_ADDRESS: half, bank, word
  input  wire        trip,         // the slot in stage D recycles
  output wire [8:0]  word_address, // the word in its bank
  output wire [3:0]  in_bank_0,    // bit i: it is bank i
  output wire        of_frozen_0,  // it is the frozen half
  output wire [15:0] turns         // recycles of every cause
);
  localparam [1:0] bank_number_0 = 2'd0;
  localparam [1:0] bank_number_1 = 2'd1;
  localparam [1:0] bank_number_2 = 2'd2;
  localparam [1:0] bank_number_3 = 2'd3;

  reg [15:0] turns_r;

  wire [1:0] bank_0;

  assign word_address = address[8:0];
  assign bank_0 = address[10:9];
  assign in_bank_0[0] = bank_0 == bank_number_0;
  assign in_bank_0[1] = bank_0 == bank_number_1;
  assign in_bank_0[2] = bank_0 == bank_number_2;
  assign in_bank_0[3] = bank_0 == bank_number_3;
  assign of_frozen_0 = address[11];
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

// Recycling Bloom filter: 131072 bits, 4 hash(es), two-phase, recycles on bits set, the tripping item retained.
// One item a clock. Source: RBF sections III and V; timing: pipeline.md.
module onehit (
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
  localparam [3:0]  no_bank   = 4'd0;
  localparam [31:0] no_word   = 32'd0;

  reg [103:0] key;
  reg [3:0]   fetching_active;   // stage 7: a fetch of that bank's word
  reg [3:0]   fetching_frozen_0;
  reg         push;
  reg [3:0]   verdict;
  reg         item;
  reg         inserted;

  wire [3:0]  clear_none;
  wire [3:0]  clear_early_0;
  wire [3:0]  in_active;
  wire [3:0]  in_frozen_0;
  wire [3:0]  full;
  reg  [3:0]  fetching;
  reg  [31:0] array_word;
  wire        frozen;
  wire [16:0] held;
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
  wire        slots_direct;
  wire [8:0]  slots_direct_address;
  wire        slots_near_inserting;
  wire        slots_inserting_8;
  wire        slots_inserting_9;
  wire        slots_far_inserting;
  wire        slots_forced;
  wire        slots_item;
  wire        slots_inserting;
  wire        slots_answering;
  wire        slots_setting;
  wire        slots_tripped;
  wire        slots_storing;
  wire        slots_current;
  wire        slots_write_enable;
  wire        slots_recycled;
  wire        slots_fetching_6;
  wire        slots_fetched;
  wire        slots_finding_6;
  wire        slots_found;
  wire        slots_adding;
  wire [13:0] hash_index_0;
  wire [13:0] hash_index_1;
  wire [13:0] hash_index_2;
  wire [13:0] hash_index_3;
  wire        bank_0_adding;
  wire        bank_0_clear_early_0;
  wire        bank_0_clear_none;
  wire        bank_0_in_active;
  wire        bank_0_in_frozen_0;
  wire        bank_0_full;
  wire [31:0] bank_0_word_8;
  wire        bank_1_adding;
  wire        bank_1_clear_early_0;
  wire        bank_1_clear_none;
  wire        bank_1_in_active;
  wire        bank_1_in_frozen_0;
  wire        bank_1_full;
  wire [31:0] bank_1_word_8;
  wire        bank_2_adding;
  wire        bank_2_clear_early_0;
  wire        bank_2_clear_none;
  wire        bank_2_in_active;
  wire        bank_2_in_frozen_0;
  wire        bank_2_full;
  wire [31:0] bank_2_word_8;
  wire        bank_3_adding;
  wire        bank_3_clear_early_0;
  wire        bank_3_clear_none;
  wire        bank_3_in_active;
  wire        bank_3_in_frozen_0;
  wire        bank_3_full;
  wire [31:0] bank_3_word_8;
  wire        decision_trip;
  wire [2:0]  decision_count;
  wire [16:0] limit_room;
  wire [16:0] limit_base_room;
  wire        limit_one_at_a_time;
  wire        epochs_all_full;
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
  wire        occupancy_found;
  wire [16:0] occupancy_bits_active;
  wire [16:0] occupancy_bits_frozen;
  wire [16:0] occupancy_messages;
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
  wire        registers_event_1;
  wire        registers_event_3;
  wire [16:0] registers_value_0;
  wire [31:0] registers_value_1;
  wire [11:0] registers_value_2;
  wire [31:0] registers_value_3;
  wire        registers_stored_0;
  wire        registers_fetch_asked_0;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire        registers_recycle_pending_0;
  wire [8:0]  reader_word_address;
  wire [3:0]  reader_in_bank_0;
  wire        reader_of_frozen_0;
  wire [15:0] reader_turns;

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

  slots slots (
    .clock          (clock),
    .reset          (reset),
    .accept         (sequencer_accept),
    .operation      (s_item_tuser),
    .force_recycle  (sequencer_force_recycle),
    .fetch          (sequencer_fetch),
    .fetch_address  (reader_word_address),
    .set            (sequencer_set),
    .covered        (epochs_covered),
    .trip           (decision_trip),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .near_inserting (slots_near_inserting),
    .inserting_8    (slots_inserting_8),
    .inserting_9    (slots_inserting_9),
    .far_inserting  (slots_far_inserting),
    .forced         (slots_forced),
    .item           (slots_item),
    .inserting      (slots_inserting),
    .answering      (slots_answering),
    .setting        (slots_setting),
    .tripped        (slots_tripped),
    .storing        (slots_storing),
    .current        (slots_current),
    .write_enable   (slots_write_enable),
    .recycled       (slots_recycled),
    .fetching_6     (slots_fetching_6),
    .fetched        (slots_fetched),
    .finding_6      (slots_finding_6),
    .found          (slots_found),
    .adding         (slots_adding)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1),
    .index_2 (hash_index_2),
    .index_3 (hash_index_3)
  );

  // banks
  filter_bank bank_0 (
    .clock             (clock),
    .index             (hash_index_0),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[0]),
    .fetching_frozen_0 (fetching_frozen_0[0]),
    .setting           (slots_setting),
    .adding            (bank_0_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_0_clear_early_0),
    .clear_none        (bank_0_clear_none),
    .in_active         (bank_0_in_active),
    .in_frozen_0       (bank_0_in_frozen_0),
    .full              (bank_0_full),
    .word_8            (bank_0_word_8)
  );

  filter_bank bank_1 (
    .clock             (clock),
    .index             (hash_index_1),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[1]),
    .fetching_frozen_0 (fetching_frozen_0[1]),
    .setting           (slots_setting),
    .adding            (bank_1_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_1_clear_early_0),
    .clear_none        (bank_1_clear_none),
    .in_active         (bank_1_in_active),
    .in_frozen_0       (bank_1_in_frozen_0),
    .full              (bank_1_full),
    .word_8            (bank_1_word_8)
  );

  filter_bank bank_2 (
    .clock             (clock),
    .index             (hash_index_2),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[2]),
    .fetching_frozen_0 (fetching_frozen_0[2]),
    .setting           (slots_setting),
    .adding            (bank_2_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_2_clear_early_0),
    .clear_none        (bank_2_clear_none),
    .in_active         (bank_2_in_active),
    .in_frozen_0       (bank_2_in_frozen_0),
    .full              (bank_2_full),
    .word_8            (bank_2_word_8)
  );

  filter_bank bank_3 (
    .clock             (clock),
    .index             (hash_index_3),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[3]),
    .fetching_frozen_0 (fetching_frozen_0[3]),
    .setting           (slots_setting),
    .adding            (bank_3_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_3_clear_early_0),
    .clear_none        (bank_3_clear_none),
    .in_active         (bank_3_in_active),
    .in_frozen_0       (bank_3_in_frozen_0),
    .full              (bank_3_full),
    .word_8            (bank_3_word_8)
  );

  // decision, epochs, occupancy
  recycle_decision decision (
    .clock         (clock),
    .reset         (reset),
    .clear_none    (clear_none),
    .clear_early_0 (clear_early_0),
    .inserting_8   (slots_inserting_8),
    .inserting_9   (slots_inserting_9),
    .forced        (slots_forced),
    .load          (sequencer_load_room),
    .room          (limit_room),
    .base_room     (limit_base_room),
    .trip          (decision_trip),
    .count         (decision_count)
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
    .all_full         (epochs_all_full),
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
    .found       (occupancy_found),
    .word        (array_word),
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

  // counters: items, seen, inserted, recycles, stalls by recycle, control and verdict
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
    .event_0           (item),
    .event_1           (registers_event_1),
    .event_2           (inserted),
    .event_3           (registers_event_3),
    .event_4           (sequencer_stall_recycle),
    .event_5           (sequencer_stall_control),
    .event_6           (sequencer_stall_verdict),
    .finished          (sequencer_finished),
    .load_0            (slots_fetched),
    .load_value_0      (array_word),
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

  // a word for the host: which bank it is in, in stage 7, and the word, in stage 8
  array_reader reader (
    .clock        (clock),
    .address      (registers_value_2),
    .trip         (decision_trip),
    .word_address (reader_word_address),
    .in_bank_0    (reader_in_bank_0),
    .of_frozen_0  (reader_of_frozen_0),
    .turns        (reader_turns)
  );

  assign s_item_tready = sequencer_ready;
  assign bank_0_adding = slots_adding && reader_in_bank_0[0];
  assign in_frozen_0[0] = bank_0_in_frozen_0;
  assign clear_early_0[0] = bank_0_clear_early_0;
  assign clear_none[0] = bank_0_clear_none;
  assign in_active[0] = bank_0_in_active;
  assign full[0] = bank_0_full;
  assign bank_1_adding = slots_adding && reader_in_bank_0[1];
  assign in_frozen_0[1] = bank_1_in_frozen_0;
  assign clear_early_0[1] = bank_1_clear_early_0;
  assign clear_none[1] = bank_1_clear_none;
  assign in_active[1] = bank_1_in_active;
  assign full[1] = bank_1_full;
  assign bank_2_adding = slots_adding && reader_in_bank_0[2];
  assign in_frozen_0[2] = bank_2_in_frozen_0;
  assign clear_early_0[2] = bank_2_clear_early_0;
  assign clear_none[2] = bank_2_clear_none;
  assign in_active[2] = bank_2_in_active;
  assign full[2] = bank_2_full;
  assign bank_3_adding = slots_adding && reader_in_bank_0[3];
  assign in_frozen_0[3] = bank_3_in_frozen_0;
  assign clear_early_0[3] = bank_3_clear_early_0;
  assign clear_none[3] = bank_3_clear_none;
  assign in_active[3] = bank_3_in_active;
  assign full[3] = bank_3_full;
  assign held = occupancy_bits_active;
  assign epochs_all_full = &full;

  // bits of the host: a bank that is not there takes none
  assign occupancy_found = slots_found && (|reader_in_bank_0);

  // verdict
  assign frozen = &in_frozen_0;
  assign verdict_in[0] = (&in_active) || frozen;
  assign verdict_in[1] = &in_active;
  assign verdict_in[2] = frozen;
  assign verdict_in[3] = decision_trip;
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign registers_event_1 = item && verdict[0];
  assign registers_event_3 = (item && verdict[3]) || sequencer_aged;

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
    fetching_active = 4'd0;
    fetching_frozen_0 = 4'd0;
    push = 1'b0;
    verdict = 4'd0;
    item = 1'b0;
    inserted = 1'b0;
  end

  always @* begin
    fetching = no_bank;
    if (slots_fetching_6) begin
      fetching = reader_in_bank_0;
    end
  end

  always @* begin
    array_word = no_word;
    array_word = array_word | bank_0_word_8;
    array_word = array_word | bank_1_word_8;
    array_word = array_word | bank_2_word_8;
    array_word = array_word | bank_3_word_8;
  end

  always @(posedge clock) begin
    // hash
    key <= s_item_tdata;
    fetching_active <= fetching;
    fetching_frozen_0 <= no_bank;
    if (reader_of_frozen_0 && !slots_finding_6) begin
      fetching_frozen_0 <= fetching;
      fetching_active <= no_bank;
    end
    verdict <= verdict_in;
    push <= slots_answering && !reset;
    item <= slots_item && !reset;
    inserted <= slots_inserting && (|decision_count) && (retain || !decision_trip) && !reset;
  end
endmodule
