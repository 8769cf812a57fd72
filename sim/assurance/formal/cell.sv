// Filters of cells. BANK: any watched cell of bank 0, probe by probe, against a plain saturating counter. VERDICT: what is made of the cells of an
// item, against their least; two hashes.
//
// Hash, sequencer, registers and queue are cut, in BANK the other banks and what is made of their cells, in VERDICT the banks: any positions, any
// operations, any amounts, any word of a host; in BANK any levels, in VERDICT any cells. What the sequencer issues comes as progress_cells.sv proves it: one thing a clock; the probes of an item one
// after the other, those that raise `RAISE clocks behind those that look. A clear comes with nothing in the W clocks and an item's before and
// behind it (the sequencer keeps more) and when an epoch is free. Reset comes at any time; what is issued first behind it is a clear. Address
// and word of an access stand still while it is on its way, and the next one comes behind it.
//
// observe cell_slots: wire [31:0] formal_next = address; wire [`FRONT:0] formal_items = item_line; wire [`FRONT:0] formal_inserts = insert_line; wire [`FRONT:0] formal_answers = answer_line;
// observe cell_slots: wire [`DECISION-2:0] formal_late_items = item_late; wire [`DECISION-2:0] formal_late_inserts = insert_late; wire [`DECISION-2:0] formal_late_answers = answer_late;
// observe cell_slots: wire [`FRONT:0] formal_clears = clear_line; wire [3:0] formal_recycles = recycle_line; wire [`FRONT:0] formal_accesses = access_line; wire [4:0] formal_late_accesses = fetch_late;
// observe cell_slots: `ifdef FOLDED wire [`FRONT:0] formal_lasts = last_line_0; `endif `ifdef CONSERVATIVE wire [`FRONT:0] formal_raises = raise_line_0; `endif `ifdef REMOVES wire [`FRONT:0] formal_removals = remove_line_0; wire [`DECISION-2:0] formal_late_removals = remove_late_0; `endif
// observe BANK bank_memory: wire [`INDEX_BITS-1:0] formal_address; wire [35:0] formal_entry = words[formal_address];
// observe BANK bank_memory: reg [4*`WORDS-1:0] formal_epochs; integer formal_i; always @* for (formal_i = 0; formal_i < `WORDS; formal_i = formal_i + 1) formal_epochs[4*formal_i +: 4] = words[formal_i][35:32];
// observe BANK coverage: wire [`INDEX_BITS:0] formal_left = left;
// observe BANK epoch_guard: wire formal_covered = covered_r; wire [3:0] formal_spare = spare_r_0;
module formal_cell (input wire clock, input wire reset, input wire [`USER_BITS-1:0] user);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(user));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_clear ;
  (* hierconn *) wire \dut.sequencer_access ;
  (* hierconn *) wire \dut.epochs_blocked ;
  (* hierconn *) wire \dut.storing ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.array_address ;
  (* hierconn *) wire [31:0] \dut.array_data ;
  (* hierconn *) wire \dut.slots_fetched ;
  (* hierconn *) wire \dut.slots_item ;
  (* hierconn *) wire \dut.slots_inserted ;
  (* hierconn *) wire \dut.slots_answering ;
`ifdef REMOVES
  (* hierconn *) wire \dut.slots_removed_0 ;
`endif
`ifdef FOLDED
  (* hierconn *) wire \dut.sequencer_probing_0 ;
  (* hierconn *) wire \dut.sequencer_last_0 ;
`endif
`ifdef CONSERVATIVE
  (* hierconn *) wire \dut.sequencer_raising_0 ;
`endif

  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_answers ;
  (* hierconn *) wire [`DECISION-2:0] \dut.slots.formal_late_items ;
  (* hierconn *) wire [`DECISION-2:0] \dut.slots.formal_late_inserts ;
  (* hierconn *) wire [`DECISION-2:0] \dut.slots.formal_late_answers ;
  (* hierconn *) wire [4:0] \dut.slots.formal_late_accesses ;
`ifdef FOLDED
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_lasts ;
`endif
`ifdef CONSERVATIVE
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_raises ;
`endif
`ifdef REMOVES
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_removals ;
  (* hierconn *) wire [`DECISION-2:0] \dut.slots.formal_late_removals ;
`endif
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_clears ;
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_accesses ;
  (* hierconn *) wire [3:0] \dut.slots.formal_recycles ;
  (* hierconn *) wire \dut.slots_clearing ;

  // The surroundings. Bit i of a line: accepted or issued i + 1 clocks ago.
  localparam LINE = `LATENCY + `RAISE + `FOLD + 2;
  localparam INTERVAL = `RAISE + `FOLD + 1;
  localparam GAP = `RETIRE - INTERVAL + 1;
  wire accept = dut.sequencer_accept;
  wire clear = dut.sequencer_force_clear;
  wire access = dut.sequencer_access;
  wire inserts = user[1:0] != 0 && !(`CAN_REMOVE && user[1:0] == 3);
  wire removes = `CAN_REMOVE && user[1:0] == 3;
  reg [LINE-1:0] items; initial items = 0;
  reg [LINE-1:0] inserting; initial inserting = 0;
  reg [LINE-1:0] removing; initial removing = 0;
  reg [LINE-1:0] answering; initial answering = 0;
  reg [LINE-1:0] accesses; initial accesses = 0;
  reg [GAP-1:0] recent; initial recent = 0;        // something was issued, probes included
  reg [`RETIRE-1:0] recent_clear; initial recent_clear = 0;
  reg spoilt; initial spoilt = 0;                  // reset, and no clear behind it
  always @(posedge clock) begin
    items <= reset ? 0 : {items, accept};
    inserting <= reset ? 0 : {inserting, accept && inserts};
    removing <= reset ? 0 : {removing, accept && removes};
    answering <= reset ? 0 : {answering, accept && user[1:0] != 1};
    accesses <= reset ? 0 : {accesses, access};
    recent <= {recent, accept || access || folding || raising};
    recent_clear <= {recent_clear, clear};
    spoilt <= reset || (spoilt && !clear);
  end
  reg unknown; initial unknown = 0;                // reset, and no clear behind it has come to stage 3
  always @(posedge clock) unknown <= reset || (unknown && !dut.slots_clearing);
  wire folding = `FOLD != 0 && (items & ((1 << `FOLD) - 1)) != 0;
  wire holding = folding || (`RAISE != 0 && (inserting & ((1 << (INTERVAL - 1)) - 1)) != 0);
  wire raising = `RAISE != 0 && ((inserting >> (`RAISE - 1)) & ((2 << `FOLD) - 1)) != 0;
  always @* begin
    assume (accept + clear + access <= 1);
    assume (!(accept || access) || !(holding || spoilt || recent_clear != 0));
    assume (!access || accesses == 0);
    assume (!clear || (recent == 0 && recent_clear == 0 && !dut.epochs_blocked && !reset));
`ifdef FOLDED
    assume (dut.sequencer_probing_0 == folding && dut.sequencer_last_0 == items[`FOLD-1]);
`endif
`ifdef CONSERVATIVE
    assume (dut.sequencer_raising_0 == raising);
`endif
  end
  reg [`ARRAY_BITS-1:0] old_address;
  reg [31:0] old_data;
  reg old_storing;
  always @(posedge clock) begin
    old_address <= dut.array_address;
    old_data <= dut.array_data;
    old_storing <= dut.storing;
  end
  always @* if (accesses != 0) assume (dut.array_address == old_address && dut.storing == old_storing && (!dut.storing || dut.array_data == old_data));

`ifdef BANK
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.index ;
  (* hierconn *) wire \dut.bank_0_above ;
  (* hierconn *) wire [31:0] \dut.bank_0_word_6 ;
`ifdef COUNTERS
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.bank_0_cell_0 ;
  (* hierconn *) wire \dut.bank_0_cell_full_0 ;
`endif
`ifdef REMOVES
  (* hierconn *) wire \dut.bank_0_underflow_0 ;
`endif
`ifdef AMOUNTS
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.bank_0.amount_0 ;
`endif
  (* hierconn *) wire [3:0] \dut.epochs_active_epoch ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_spare ;
  (* hierconn *) wire \dut.epochs.formal_covered ;
  (* hierconn *) wire \dut.bank_0_full ;
`ifndef FOLDED
  (* hierconn *) wire \dut.epochs_all_full ;
`endif
  (* hierconn *) wire [31:0] \dut.slots.formal_next ;
  (* hierconn *) wire [`INDEX_BITS:0] \dut.bank_0.coverage.formal_left ;
  (* hierconn *) wire [`INDEX_BITS-1:0] \dut.bank_0.memory.formal_address ;
  (* hierconn *) wire [35:0] \dut.bank_0.memory.formal_entry ;
  (* hierconn *) wire [4*`WORDS-1:0] \dut.bank_0.memory.formal_epochs ;

  // What stands in stage 6, which is where the reference counts.
  localparam SIXTH = `FRONT + 5;
  wire looks = ((items >> SIXTH) & ((2 << `FOLD) - 1)) != 0;
  wire raises = `RAISE != 0 && ((inserting >> (SIXTH + `RAISE)) & ((2 << `FOLD) - 1)) != 0;
  wire adds = `RAISE != 0 ? raises : ((inserting >> SIXTH) & ((2 << `FOLD) - 1)) != 0;
  wire takes = ((removing >> SIXTH) & ((2 << `FOLD) - 1)) != 0;
  wire accessed = accesses[SIXTH];
  reg [`INDEX_BITS-1:0] line [0:6];
  reg [`CELL_BITS-1:0] amounts [4:6];
  integer i;
  always @(posedge clock) begin
    line[0] <= dut.bank_0.index;
    for (i = 1; i <= 6; i = i + 1) line[i] <= line[i-1];
`ifdef AMOUNTS
    amounts[4] <= dut.bank_0.amount_0;
`else
    amounts[4] <= 1;
`endif
    amounts[5] <= amounts[4];
    amounts[6] <= amounts[5];
  end

  localparam [`CELL_BITS-1:0] MOST = {`CELL_BITS{1'b1}};
  (* anyconst *) wire [`INDEX_BITS-1:0] watched;
  wire here = line[6] == watched;
  wire [`CELL_BITS-1:0] amount = amounts[6];
  reg [`CELL_BITS-1:0] value; initial value = 0;
  reg [`CELL_BITS-1:0] after;
  always @* begin
    after = value;
`ifdef CONSERVATIVE
    if (adds && value < amount) after = amount;
`else
    if (adds) after = amount > MOST - value ? MOST : value + amount;
    if (takes && value != 0 && value != MOST) after = value - 1;
`endif
  end
  localparam OFFSET_BITS = $clog2(32 / `CELL_BITS);
  localparam WORD_BITS = `INDEX_BITS - OFFSET_BITS;
  wire of_bank = `FOLD != 0 || !dut.array_address[`ARRAY_BITS-1];
  wire of_word = accessed && of_bank && dut.array_address[WORD_BITS-1:0] == watched[`INDEX_BITS-1:OFFSET_BITS];
  wire [5:0] place = watched[OFFSET_BITS-1:0] * `CELL_BITS;
  always @(posedge clock) begin
    if ((looks || raises) && here) value <= after;
    if (of_word && dut.storing) value <= dut.array_data >> place;
    if (dut.slots_clearing) value <= 0;
  end

`ifdef AMOUNTS
`ifndef CONSERVATIVE
  reg [`CELL_BITS-1:0] given [0:`FRONT+`FOLD+2];
  always @(posedge clock) begin
    given[0] <= user >> 2;
    for (i = 1; i <= `FRONT + `FOLD + 2; i = i + 1) given[i] <= given[i-1];
  end
  reg its_own;
  always @* begin
    its_own = 1;
    for (i = 0; i <= `FOLD; i = i + 1) its_own = its_own && (!inserting[`FRONT+2+i] || dut.bank_0.amount_0 == given[`FRONT+2+i]);
    amount_is_its_own: assert (its_own);
  end
`endif
`endif
  always @* begin
    word_is_fetched: assert (!of_word || dut.storing || (dut.bank_0_word_6 >> place & MOST) == value);
    if (looks && here) begin
      above_zero: assert (dut.bank_0_above == (value != 0));
`ifdef COUNTERS
      cell_is_counted: assert (dut.bank_0_cell_0 == after);
      full_is_told: assert (dut.bank_0_cell_full_0 == (after == MOST));
`endif
`ifdef REMOVES
      underflow_is_told: assert (dut.bank_0_underflow_0 == (takes && value == 0));
`endif
    end
  end
  // What makes the induction go through: memory holds what the slots that have left stage 5 made of it; a word bears the current epoch, one that
  // was used since all words bore the same, or 0; and what is left to cover is counted.
  assign dut.bank_0.memory.formal_address = watched[`INDEX_BITS-1:OFFSET_BITS];
  wire [`CELL_BITS-1:0] kept = dut.bank_0.memory.formal_entry >> place & MOST;
  wire bears = dut.bank_0.memory.formal_entry[35:32] == dut.epochs_active_epoch;
  wire [`CELL_BITS-1:0] made = of_word && dut.storing ? dut.array_data >> place : (looks || raises) && here ? after : value;
  // Clocks for which there has been no spare epoch and nothing came: once the last item is through, every slot is a refresh, of one word after the other.
  localparam BEFORE = `FRONT + `RAISE + `FOLD + 7;
  reg [7:0] waits; initial waits = 0;
  always @(posedge clock) begin
    waits <= dut.epochs.formal_spare != 0 || dut.sequencer_accept || dut.sequencer_force_clear || dut.sequencer_access || reset ? 0 : waits + 1;
  end
`ifndef FOLDED
  always @* assume (waits <= BEFORE + `WORDS || dut.epochs_all_full == dut.bank_0_full); // the other banks see the same slots
`endif
  reg [WORD_BITS-1:0] behind;
  reg swept;
  reg [`INDEX_BITS:0] other;
  wire turning = dut.slots.formal_recycles[3:1] != 0;
  wire [4:0] used = 14 - dut.epochs.formal_spare + turning;
  reg [4:0] age;
  reg [3:0] epoch;
  integer w;
  always @* begin
    memory_is_current: assert (unknown || (bears ? kept : 0) == made);
    assert (!spoilt || unknown);
    assert (!unknown || spoilt || recent_clear[`FRONT+1:0] != 0);
    other = 0;
    swept = 1;
    assert (dut.epochs_active_epoch != 0 && dut.epochs.formal_spare <= 14);
    assert (dut.epochs_blocked || dut.epochs.formal_spare != 0 || recent_clear[`FRONT+5]);
    for (w = 0; w < `WORDS; w = w + 1) begin
      epoch = dut.bank_0.memory.formal_epochs[4*w +: 4];
      age = epoch <= dut.epochs_active_epoch ? dut.epochs_active_epoch - epoch : dut.epochs_active_epoch + 15 - epoch;
      behind = dut.slots.formal_next - 7 - w;
      if (epoch != dut.epochs_active_epoch) begin
        other = other + 1;
        if (BEFORE + behind < waits) swept = 0;
      end
      assert (epoch == 0 || age <= used);
      assert (epoch == 0 || !dut.epochs.formal_covered || age <= turning);
      assert (epoch != 0 || !dut.epochs.formal_covered);
    end
    waiting_bank_is_covered: assert (waits <= BEFORE + `WORDS || dut.bank_0_full || dut.epochs.formal_spare != 0);
    waiting_clear_is_let_in: assert (waits <= BEFORE + `WORDS + 3);
    words_are_swept: assert (swept || dut.epochs.formal_spare != 0);
    for (w = 0; w < LINE; w = w + 1) assert (waits <= w || !(items[w] || accesses[w]));
    assert (turning ? other == `WORDS : dut.bank_0.coverage.formal_left == other);
    assert (dut.bank_0_full == (dut.bank_0.coverage.formal_left == 0));
    assert (!dut.epochs.formal_covered || dut.bank_0_full);
    assert ((dut.slots.formal_clears & ~recent_clear) == 0 && (dut.slots.formal_recycles & ~(recent_clear >> (`FRONT + 1))) == 0);
    assert ((recent_clear & (recent_clear - 1)) == 0 && (recent_clear == 0 || recent == 0));
    assert (((items | accesses) & ~recent & ((1 << GAP) - 1)) == 0);
    assert (spoilt || (dut.slots.formal_clears == recent_clear[`FRONT:0] && dut.slots.formal_recycles[0] == recent_clear[`FRONT+1]));
    assert (((dut.slots.formal_items | dut.slots.formal_accesses) & ~recent) == 0);
  end
`endif

`ifdef VERDICT
  (* hierconn *) wire \dut.bank_0_above ;
  (* hierconn *) wire [`FLAG_BITS-1:0] \dut.verdict_in ;
`ifdef COUNTERS
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.threshold_0 ;
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.bank_0_cell_0 ;
  (* hierconn *) wire \dut.bank_0_cell_full_0 ;
`endif
`ifdef REMOVES
  (* hierconn *) wire \dut.bank_0_underflow_0 ;
`endif
`ifdef CONSERVATIVE
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.level_0_level ;
`endif
`ifndef FOLDED
  (* hierconn *) wire \dut.bank_1_above ;
`ifdef COUNTERS
  (* hierconn *) wire [`CELL_BITS-1:0] \dut.bank_1_cell_0 ;
  (* hierconn *) wire \dut.bank_1_cell_full_0 ;
`endif
`ifdef REMOVES
  (* hierconn *) wire \dut.bank_1_underflow_0 ;
`endif
`endif

  // One probe of an item in stage 6, or in the partitioned layout both.
  wire first = items[`FRONT+5];
  reg all_above;
  always @(posedge clock) begin
`ifdef FOLDED
    all_above <= dut.bank_0_above && (first || all_above);
`else
    all_above <= dut.bank_0_above && dut.bank_1_above;
`endif
  end
`ifdef COUNTERS
  localparam [`CELL_BITS-1:0] MOST = {`CELL_BITS{1'b1}};
  reg [`CELL_BITS-1:0] least;
  reg full;
  always @(posedge clock) begin
`ifdef FOLDED
    if (first || dut.bank_0_cell_0 < least) least <= dut.bank_0_cell_0;
    full <= dut.bank_0_cell_full_0 || (full && !first);
`else
    least <= dut.bank_0_cell_0 < dut.bank_1_cell_0 ? dut.bank_0_cell_0 : dut.bank_1_cell_0;
    full <= dut.bank_0_cell_full_0 || dut.bank_1_cell_full_0;
`endif
  end
`ifdef REMOVES
  reg under;
  always @(posedge clock) begin
`ifdef FOLDED
    under <= dut.bank_0_underflow_0 || (under && !first);
`else
    under <= dut.bank_0_underflow_0 || dut.bank_1_underflow_0;
`endif
  end
`else
  wire under = 0;
`endif
`ifdef CONSERVATIVE
  // The level of an item that inserts: the least of its cells and its amount. Kept for its raises, which stand in stage 3 from its decision on.
  reg [`CELL_BITS-1:0] amounts [0:`LATENCY-2];
  reg [`CELL_BITS-1:0] levels [`LATENCY-1:`LATENCY+`FOLD-1];
  reg above_d, full_d;
  integer i;
  wire [`CELL_BITS-1:0] room = MOST - least;
  always @(posedge clock) begin
    amounts[0] <= `AMOUNT_BITS == 0 ? 1 : user >> 2;
    for (i = 1; i <= `LATENCY - 2; i = i + 1) amounts[i] <= amounts[i-1];
    levels[`LATENCY-1] <= !inserting[`LATENCY-2] ? least : amounts[`LATENCY-2] > room ? MOST : least + amounts[`LATENCY-2];
    for (i = `LATENCY; i < `LATENCY + `FOLD; i = i + 1) levels[i] <= levels[i-1];
    above_d <= all_above;
    full_d <= full;
  end
  wire [`CELL_BITS-1:0] estimate = levels[`LATENCY-1];
  wire saturated = full_d || estimate == MOST;
  wire seen = above_d;
  reg kept;
  always @* begin
    kept = 1;
    for (i = `LATENCY - 1; i < `LATENCY + `FOLD; i = i + 1) kept = kept && (!inserting[i] || dut.level_0_level == levels[i]);
    level_is_kept: assert (kept);
  end
`else
  wire [`CELL_BITS-1:0] estimate = least;
  wire saturated = full;
  wire seen = all_above;
`endif
  always @* if (items[`LATENCY-1]) begin
    estimate_is_least: assert (dut.verdict_in[`FLAG_BITS-1:4] == estimate);
    reached_is_estimate: assert (dut.verdict_in[0] == (estimate >= dut.threshold_0));
    seen_is_above_zero: assert (dut.verdict_in[1] == seen);
    underflow_is_told: assert (dut.verdict_in[2] == under);
    saturation_is_told: assert (dut.verdict_in[3] == saturated);
  end
`else
  always @* if (items[`LATENCY-1]) begin
    seen_is_set: assert (dut.verdict_in == all_above);
  end
`endif
`endif

  // The lines of the slots; of an item only the last probe is heard of.
  localparam FAR = `FRONT + 1 + `FOLD;
  reg [`FRONT:0] probes, adding, wanted, removals, raised;
  integer j;
  always @* begin
    probes = 0;
    adding = 0;
    wanted = 0;
    removals = 0;
    raised = 0;
    for (j = 0; j <= `FOLD; j = j + 1) begin
      probes = probes | items >> j;
      adding = adding | inserting >> j;
      wanted = wanted | answering >> j;
      removals = removals | removing >> j;
      if (`RAISE != 0) raised = raised | inserting >> (`RAISE + j);
    end
    assert (((inserting | removing | answering) & ~items) == 0 && (items & accesses) == 0);
    access_is_heard_of: assert (dut.slots_fetched == accesses[`FRONT+5]);
    item_is_heard_of: assert (dut.slots_item == items[`LATENCY-1] && dut.slots_inserted == inserting[`LATENCY-1]);
    verdict_is_due: assert (dut.slots_answering == answering[`LATENCY-1]);
    assert (dut.slots.formal_items == (probes | raised) && dut.slots.formal_inserts == adding && dut.slots.formal_answers == wanted);
    assert (dut.slots.formal_late_items == items[`LATENCY-1:FAR] && dut.slots.formal_late_inserts == inserting[`LATENCY-1:FAR]);
    assert (dut.slots.formal_late_answers == answering[`LATENCY-1:FAR]);
    assert (dut.slots.formal_accesses == accesses[`FRONT:0] && dut.slots.formal_late_accesses == accesses[`FRONT+5:`FRONT+1]);
`ifdef FOLDED
    assert (dut.slots.formal_lasts == items[`FRONT+`FOLD:`FOLD]);
    for (j = 0; j < LINE - 1; j = j + 1) assert (!items[j] || ((items >> (j + 1)) & ((1 << `FOLD) - 1)) == 0);
`endif
`ifdef CONSERVATIVE
    assert (dut.slots.formal_raises == raised);
    for (j = 1; j < LINE; j = j + 1) assert (!inserting[j] || ((((items | accesses) << (INTERVAL - 1)) >> j) & ((1 << (INTERVAL - 1)) - 1)) == 0);
`endif
`ifdef REMOVES
    removal_is_heard_of: assert (dut.slots_removed_0 == removing[`LATENCY-1]);
    assert (dut.slots.formal_removals == removals && dut.slots.formal_late_removals == removing[`LATENCY-1:FAR]);
`endif
  end
endmodule
