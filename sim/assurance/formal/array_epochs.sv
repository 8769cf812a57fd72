// One shared array: no epoch comes back while a word bears it.
//
// Proved: when a half is emptied, none of its words bears the epoch that comes then, for any number of recycles; and what is left to cover is counted word
// by word. A half that has no spare epoch is covered, and has one, after a bounded time in which nothing comes. array_bit.sv assumes the first of it, for the clock in which it is so; what it proves of writes in that clock is assumed here for later ones.
//
// Hash, sequencer, decision, registers, the queue and what of the array finds words are cut; the memories, too: the epochs of their words are held here.
// Any slot writes any word, any item that inserts may recycle, a force always does. Assumed is:
// - of the array what array_bit.sv proves: a write counts for coverage exactly if its word did not bear the epoch of the active half;
// - of the sequencer: an item is accepted only if the half was not blocked two clocks before, a recycle forced only in a clock in which it is not;
// - recycles are as far apart as recycles.sv proves.
// Reset comes at any time.
//
// observe shared_array_slots: wire formal_busy = busy; wire [15:0] formal_busy_clocks = busy_clocks; wire [`LATENCY-1:0] formal_lines = item_line | force_line | fetch_line | set_line;
// observe shared_array_slots: wire [`INDEX_BITS-6:0] formal_next = address; wire [`LATENCY-1:0] formal_inserts = insert_line; wire [`LATENCY-2:0] formal_forces = force_line;
// observe shared_array_bank: wire formal_write = write; wire formal_touch = touch; wire [`INDEX_BITS-6:0] formal_write_address = write_address;
// observe coverage: wire [`INDEX_BITS-5:0] formal_left = left;
// observe epoch_guard: wire [3:0] formal_epoch_0 = epoch_0; wire [3:0] formal_spare_0 = spare_r_0; wire formal_covered = covered_r;
// observe TWO_PHASES epoch_guard: wire [3:0] formal_epoch_1 = epoch_1; wire [3:0] formal_spare_1 = spare_r_1; wire formal_here = here_0;
module formal_array_epochs (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_forced ;
  (* hierconn *) wire \dut.slots_recycled ;
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.slots.formal_next ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_lines ;
  (* hierconn *) wire [15:0] \dut.slots.formal_busy_clocks ;
  (* hierconn *) wire \dut.slots.formal_busy ;
  (* hierconn *) wire \dut.epochs_blocked ;
  (* hierconn *) wire \dut.epochs_phase ;
  (* hierconn *) wire \dut.bank_full ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`LATENCY-2:0] \dut.slots.formal_forces ;
  (* hierconn *) wire \dut.bank.formal_write ;
  (* hierconn *) wire \dut.bank.formal_touch ;
  (* hierconn *) wire [`INDEX_BITS-6:0] \dut.bank.formal_write_address ;
  (* hierconn *) wire [`INDEX_BITS-5:0] \dut.bank.coverage.formal_left ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_epoch_0 ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_spare_0 ;
  (* hierconn *) wire \dut.epochs.formal_covered ;
`ifdef TWO_PHASES
  (* hierconn *) wire \dut.bank.memory_0_write_enable ;
  (* hierconn *) wire \dut.bank.memory_1_write_enable ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_epoch_1 ;
  (* hierconn *) wire [3:0] \dut.epochs.formal_spare_1 ;
  (* hierconn *) wire \dut.epochs.formal_here ;
`endif

  // The words' epochs.
  localparam WORDS = 1 << (`INDEX_BITS - 5);
  wire [`INDEX_BITS-6:0] address = dut.bank.formal_write_address;
  wire [3:0] epoch_0 = dut.epochs.formal_epoch_0;
  reg [4*WORDS-1:0] words_0; initial words_0 = 0;
`ifdef TWO_PHASES
  wire phase = dut.epochs_phase;
  wire [3:0] epoch_1 = dut.epochs.formal_epoch_1;
  reg [4*WORDS-1:0] words_1; initial words_1 = 0;
  always @(posedge clock) begin
    if (dut.bank.memory_0_write_enable) words_0[4*address +: 4] <= phase ? epoch_1 : epoch_0;
    if (dut.bank.memory_1_write_enable) words_1[4*address +: 4] <= phase ? epoch_1 : epoch_0;
  end
  wire bears = phase ? words_1[4*address +: 4] == epoch_1 : words_0[4*address +: 4] == epoch_0;
`else
  wire phase = 0;
  always @(posedge clock) if (dut.bank.formal_write) words_0[4*address +: 4] <= epoch_0;
  wire bears = words_0[4*address +: 4] == epoch_0;
`endif

  // The surroundings. Bit i of a line: accepted, issued or decided i + 1 clocks ago.
  reg forced; initial forced = 0;
  wire [`LATENCY-1:0] inserts = dut.slots.formal_inserts;
  wire [`LATENCY-1:0] forces = {forced, dut.slots.formal_forces};
  reg [`LATENCY+4:0] trips; initial trips = 0;
  reg [1:0] was_blocked; initial was_blocked = 0;
  always @(posedge clock) begin
    forced <= dut.slots_forced && !reset;
    trips <= {trips, dut.decision_trip};
    was_blocked <= {was_blocked, dut.epochs_blocked};
  end
  always @* begin
    assume (!(dut.sequencer_accept && dut.sequencer_force_recycle));
    assume (!dut.sequencer_accept || !(&was_blocked));
    assume (!dut.sequencer_force_recycle || !dut.epochs_blocked);
    assume (dut.bank.formal_touch == (dut.bank.formal_write && !bears));
    assume (!dut.decision_trip || dut.slots_inserting || forced);
    assume (!forced || dut.decision_trip);
    assume (!dut.decision_trip || trips == 0);
  end

  // A recycle is counted a clock behind the decision.
  wire tripped = trips[0];
  wire [3:0] left_0 = dut.epochs.formal_spare_0 - (tripped && !phase);
`ifdef TWO_PHASES
  wire [3:0] left_1 = dut.epochs.formal_spare_1 - (tripped && phase);
  wire [3:0] spare = dut.epochs.formal_here ? dut.epochs.formal_spare_1 : dut.epochs.formal_spare_0;
  wire [3:0] frozen_spare = phase ? left_0 : left_1;
`else
  wire [3:0] spare = dut.epochs.formal_spare_0;
`endif
  // Clocks for which the active half has had no spare epoch and nothing came: once the array is free every slot is a refresh, of one word after the other,
  // written seven clocks after it entered.
  localparam BEFORE = `FRONT + `INTERVAL + 7;
  reg [7:0] waits; initial waits = 0;
  always @(posedge clock) begin
    waits <= spare != 0 || dut.sequencer_accept || dut.sequencer_force_recycle || dut.sequencer_fetch || dut.sequencer_set || reset ? 0 : waits + 1;
  end
  reg [`INDEX_BITS-5:0] other;
  reg [3:0] epoch, age;
  reg free_0, free_1, with_spare, swept;
  reg [`INDEX_BITS-6:0] behind;
  reg [`LATENCY+4:0] recent;      // the lowest of trips: those less than 6 clocks before the slot, or behind it
  integer w, j;
  always @* begin
    other = 0;
    free_0 = 1;
    free_1 = 1;
    swept = 1;
    for (w = 0; w < WORDS; w = w + 1) begin
      epoch = words_0[4*w +: 4];
      age = epoch <= epoch_0 ? epoch_0 - epoch : epoch_0 + 4'd15 - epoch;
      if (epoch != 0 && age + left_0 > 14) free_0 = 0;
      behind = dut.slots.formal_next - 7 - w;
      if (!phase && epoch != epoch_0) begin
        other = other + 1;
        if (BEFORE + behind < waits) swept = 0;
      end
`ifdef TWO_PHASES
      epoch = words_1[4*w +: 4];
      age = epoch <= epoch_1 ? epoch_1 - epoch : epoch_1 + 4'd15 - epoch;
      if (epoch != 0 && age + left_1 > 14) free_1 = 0;
      behind = dut.slots.formal_next - 7 - w;
      if (phase && epoch != epoch_1) begin
        other = other + 1;
        if (BEFORE + behind < waits) swept = 0;
      end
`endif
    end
    if (tripped) emptied_by_all: assert (other == WORDS);
    // What makes the induction go through: words bear 0 or an epoch that is not spare, and what is left to cover is counted.
    waiting_half_is_covered: assert (waits <= BEFORE + WORDS + 3);
    words_are_swept: assert (swept || spare != 0);
    spare_is_borne_by_none: assert (free_0 && free_1);
    epoch_is_one: assert (epoch_0 != 0 && left_0 <= 14);
    if (!tripped) begin
      uncovered_is_counted: assert (dut.bank.coverage.formal_left == other);
      full_is_told: assert (dut.bank_full == (other == 0));
      covered_is_full: assert (!dut.epochs.formal_covered || dut.bank_full);
    end
    assert (dut.slots_recycled == tripped);
`ifdef TWO_PHASES
    assert (epoch_1 != 0 && left_1 <= 14);
    half_is_known: assert (dut.epochs.formal_here == (phase ^ tripped));
    frozen_has_a_spare: assert (frozen_spare != 0);
`endif
    recycle_has_a_spare: assert (!dut.decision_trip || spare != 0);
    with_spare = 1;
    for (j = 0; j < `LATENCY; j = j + 1) begin
      recent = trips << (`LATENCY - 1 - j);
      if ((inserts[j] || forces[j]) && recent == 0 && spare == 0) with_spare = 0;
    end
    slot_has_a_spare: assert (with_spare);
    for (j = 0; j < `LATENCY; j = j + 1) assert (waits <= j || !dut.slots.formal_lines[j]);
    assert (!dut.slots.formal_busy || (dut.slots.formal_busy_clocks != 0 && dut.slots.formal_busy_clocks < `INTERVAL
      && (waits < `FRONT || dut.slots.formal_busy_clocks + waits < `FRONT + `INTERVAL)));
  end
endmodule
