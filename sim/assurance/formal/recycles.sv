// Recycling filters, in either layout: how far apart recycles are decided. bank.sv, count.sv and array_epochs.sv rest on it: a slot that was let in before
// the sequencer could see that the half has no spare epoch does not recycle.
//
// Proved: from one recycle to the next at least R clocks pass, by items that fill the half or by force, whatever the threshold; nothing but items that insert
// and forces recycle, and a force always does. With a small
// threshold items come one at a time; with another the room left behind a recycle lasts for longer than that.
//
// Hash, banks or array, registers, epochs, the queue and the sequencer are cut: any threshold, any bits clear. Of the sequencer is
// assumed what progress.sv proves, a clock less of it (an item's slot may enter a clock behind it), and of slots that may recycle only, which are items that
// insert and forces, and of sets:
// - forces and sets are R from any other;
// - items are an initiation interval apart, and R where the one before came while items go one at a time;
// - the limit is taken and the room loaded R behind any; none comes from there to the load, six clocks behind.
//
// observe BANKS slots: wire formal_insert = entering_insert; wire [`LATENCY-1:0] formal_inserts = insert_line; wire [`LATENCY-2:0] formal_forces = force_line; wire [`FRONT+`FETCH-1:0] formal_sets = set_line;
// observe ARRAY shared_array_slots: wire [`LATENCY-1:0] formal_items = item_line; wire formal_insert = entering_insert; wire [`LATENCY-1:0] formal_inserts = insert_line; wire [`LATENCY-2:0] formal_forces = force_line; wire [`FRONT+`FETCH-1:0] formal_sets = set_line;
// observe BANKS recycle_decision: wire [31:0] formal_room = {high - borrow, low}; wire formal_zero = high_zero; wire formal_one = high_one; wire formal_high_is_zero = high == borrow; wire formal_high_is_one = high == 1; wire formal_borrow = borrow; wire [31:0] formal_low = low;
// observe recycle_limit: wire [31:0] formal_large = large_; wire [31:0] formal_count = count;
module formal_recycles (input wire clock, input wire reset);
  `DUT dut (.clock(clock), .reset(reset));
  (* hierconn *) wire \dut.slots.formal_insert ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_take_limit ;
  (* hierconn *) wire \dut.sequencer_load_room ;
  (* hierconn *) wire \dut.limit_one_at_a_time ;
  (* hierconn *) wire [`COUNT_BITS-1:0] \dut.limit_base_room ;
  (* hierconn *) wire \dut.decision_trip ;
  (* hierconn *) wire \dut.slots_inserting ;
  (* hierconn *) wire \dut.slots_forced ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_inserts ;
  (* hierconn *) wire [`LATENCY-2:0] \dut.slots.formal_forces ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire [`FRONT+`FETCH-1:0] \dut.slots.formal_sets ;
  (* hierconn *) wire [31:0] \dut.limit.formal_count ;
`ifdef BANKS
  (* hierconn *) wire [31:0] \dut.decision.formal_room ;
  (* hierconn *) wire [31:0] \dut.decision.formal_low ;
  (* hierconn *) wire \dut.decision.formal_zero ;
  (* hierconn *) wire \dut.decision.formal_one ;
  (* hierconn *) wire \dut.decision.formal_high_is_zero ;
  (* hierconn *) wire \dut.decision.formal_high_is_one ;
  (* hierconn *) wire \dut.decision.formal_borrow ;
`else
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
`endif
  (* hierconn *) wire [31:0] \dut.limit.formal_large ;

  // The surroundings. Bit i of a line: accepted, issued or decided i + 1 clocks ago.
  reg [`RETIRE-2:0] slots, forces, last_alone; initial begin slots = 0; forces = 0; last_alone = 0; end // forces: sets, too
  reg [2:0] taken; initial taken = 7;    // clocks since the limit was taken, up to 7
  wire force_or_set = dut.sequencer_force_recycle || dut.sequencer_set;
  wire slot = dut.slots.formal_insert || force_or_set;
  always @(posedge clock) begin
    slots <= {slots, slot};
    forces <= {forces, force_or_set};
    last_alone <= {last_alone, dut.slots.formal_insert && dut.limit_one_at_a_time};
    taken <= dut.sequencer_take_limit ? 1 : taken == 7 ? 7 : taken + 1;
  end
  always @* begin
    assume (dut.slots.formal_insert + dut.sequencer_force_recycle + dut.sequencer_set <= 1);
    assume (!force_or_set || slots == 0);
    assume (!dut.slots.formal_insert || (forces == 0 && last_alone == 0));
    assume (`INTERVAL == 1 || !slot || slots[`INTERVAL - 2 + (`INTERVAL == 1):0] == 0);
    assume (!(dut.sequencer_take_limit || dut.sequencer_load_room) || (slots == 0 && !slot));
    assume (taken > 6 || !slot);
    assume (!dut.sequencer_load_room || taken == 6);
    assume (!dut.sequencer_take_limit || taken == 7);
  end

  reg ready; initial ready = 0;          // room was loaded since the last reset
  always @(posedge clock) ready <= !reset && (ready || dut.sequencer_load_room);
  always @* assume (!dut.slots.formal_insert || ready);

  localparam APART = `RETIRE;
  reg [15:0] age; initial age = APART;   // clocks since the last recycle, up to APART
  reg renewed; initial renewed = 1;      // the limit was taken, or bits of a host were set, since
  always @(posedge clock) begin
    age <= dut.decision_trip ? 1 : age == APART ? APART : age + 1;
    renewed <= !dut.decision_trip && (renewed || dut.sequencer_take_limit || dut.sequencer_set);
  end
  reg forced; initial forced = 0;        // a force is decided
  always @(posedge clock) forced <= dut.slots_forced && !reset;
  wire [31:0] unit = dut.limit.formal_large / `DEPTH;  // what one item takes of the room at most
  wire settled = taken == 7;
  wire alone = dut.limit_one_at_a_time;
  reg early_has_room, behind_alone, behind_force;
  integer j;
  always @* begin
    recycles_apart: assert (!dut.decision_trip || age == APART);
    only_items_and_forces: assert (!dut.decision_trip || dut.slots_inserting || forced);
    forces_always: assert (!forced || dut.decision_trip);
    // What makes the induction go through: what may be decided too early was let in while cycles are long, and finds room.
    early_has_room = 1;
    behind_alone = 0;
    behind_force = 0;
    for (j = 0; j < `LATENCY; j = j + 1)
      if ((forces[j] || (dut.slots.formal_inserts[j] && (renewed || !settled || alone))) && age + `LATENCY - 1 - j < APART && age < APART) early_has_room = 0;
    for (j = 0; j < `RETIRE - 1; j = j + 1) begin
      if (last_alone[j] && (slots & ((1 << j) - 1)) != 0) behind_alone = 1;
      if (forces[j] && slots != (1 << j)) behind_force = 1;
    end
    assert (early_has_room);
    assert (!behind_alone && !behind_force && (last_alone & (forces | ~slots)) == 0 && (forces & ~slots) == 0);
    assert (((dut.slots.formal_inserts | dut.slots.formal_forces) & ~slots) == 0);
    assert ((dut.slots.formal_inserts & forces) == 0 && (dut.slots.formal_forces & ~forces) == 0);
    assert (taken != 0 && (settled || slots == 0));
    assert (!settled || alone == (dut.limit_base_room < dut.limit.formal_large));
    assert ((slots & ~last_alone & ~forces) == 0 || !alone);
    assert (last_alone == 0 || alone);
    assert (ready || dut.slots.formal_inserts == 0);
    assert (age != 0 && age <= APART);
    assert (age >= `RETIRE - `LATENCY || slots[`LATENCY - 1 + age]);
`ifdef BANKS
    if (ready) begin
      assert (dut.decision.formal_zero == dut.decision.formal_high_is_zero && dut.decision.formal_one == dut.decision.formal_high_is_one);
      assert (!dut.decision.formal_borrow || dut.decision.formal_low >= 16 - unit);
      assert (age == APART || renewed || alone || !settled || dut.decision.formal_room + unit * age >= dut.limit.formal_large);
    end
`else
    assert ((dut.slots.formal_inserts & ~dut.slots.formal_items) == 0);
    assert ((dut.slots.formal_sets & (~forces | dut.slots.formal_forces)) == 0);
    for (j = 1; j < `INTERVAL; j = j + 1) assert ((slots & (slots >> j)) == 0);
    assert (age == APART || renewed || alone || !settled || dut.limit.formal_count <= unit * age);
`endif
  end
endmodule
