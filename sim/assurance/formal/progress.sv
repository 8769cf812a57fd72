// Recycling filters, in either layout: progress of the sequencer, a word and bits of the host, and how far apart slots come. The data path is cut: hash,
// banks, decision, epochs, limit, occupancy and counters may answer anything.
//
// observe sequencer: wire formal_load = load_r; wire formal_serving = serving; wire formal_waited = waited; wire formal_force_due = force_due; wire [1:0] formal_forces = forces; wire [`WAIT_BITS-1:0] formal_waiting = waiting;
// observe sequencer: wire formal_fetch_due = fetch_due; wire formal_still = still; wire formal_ready = ready_r; wire [`WAIT_BITS-1:0] formal_hold = hold;
// observe register_file: wire formal_fetching = fetching_0;
// observe sequencer: wire formal_set_due = set_due; wire formal_sets = sets; wire formal_request = request; wire formal_holding = holding; `ifdef ARRAY wire formal_folding = folding_0; wire [15:0] formal_fold = fold_0; `endif
// observe BANKS slots: wire [`FRONT+`FETCH-1:0] formal_fetches = fetch_line;
// observe ARRAY shared_array_slots: wire [`FRONT+`FETCH-1:0] formal_fetches = fetch_line;
module formal_progress (
  input wire clock,
  input wire reset,
  input wire s_item_tvalid,
  input wire [`KEY_BITS-1:0] s_item_tdata,
  input wire [`USER_BITS-1:0] s_item_tuser,
  input wire [`TAG_BITS-1:0] s_item_tid,
  input wire m_verdict_tready,
  input wire s_axil_awvalid,
  input wire [7:0] s_axil_awaddr,
  input wire s_axil_wvalid,
  input wire [31:0] s_axil_wdata,
  input wire [3:0] s_axil_wstrb,
  input wire s_axil_bready,
  input wire s_axil_arvalid,
  input wire [7:0] s_axil_araddr,
  input wire s_axil_rready
);
  wire s_item_tready, m_verdict_tvalid;
  wire [`FLAG_BITS-1:0] m_verdict_tdata;
  wire [`TAG_BITS-1:0] m_verdict_tid;
  wire s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid;
  wire [1:0] s_axil_bresp, s_axil_rresp;
  wire [31:0] s_axil_rdata;
  `DUT dut (
`ifdef REACHED
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
    .s_axil_araddr(s_axil_araddr), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata),
    .s_axil_rresp(s_axil_rresp),
`endif
`ifdef QUEUED
    .m_verdict_tready(m_verdict_tready),
`endif
    .clock(clock), .reset(reset),
    .s_item_tvalid(s_item_tvalid), .s_item_tready(s_item_tready), .s_item_tdata(s_item_tdata), .s_item_tuser(s_item_tuser), .s_item_tid(s_item_tid),
    .m_verdict_tvalid(m_verdict_tvalid),
    .m_verdict_tdata(m_verdict_tdata), .m_verdict_tid(m_verdict_tid)
  );
  (* hierconn *) wire \dut.sequencer_running ;
  (* hierconn *) wire \dut.sequencer.formal_load ;
  (* hierconn *) wire \dut.sequencer.formal_serving ;
  (* hierconn *) wire \dut.sequencer.formal_waited ;
  (* hierconn *) wire \dut.sequencer.formal_force_due ;
  (* hierconn *) wire [1:0] \dut.sequencer.formal_forces ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_waiting ;
  (* hierconn *) wire \dut.sequencer.formal_fetch_due ;
  (* hierconn *) wire \dut.sequencer.formal_still ;
  (* hierconn *) wire \dut.sequencer.formal_ready ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_hold ;
  (* hierconn *) wire \dut.sequencer.formal_set_due ;
  (* hierconn *) wire \dut.sequencer.formal_sets ;
  (* hierconn *) wire \dut.sequencer.formal_request ;
  (* hierconn *) wire \dut.sequencer.formal_holding ;
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_take_limit ;
  (* hierconn *) wire \dut.sequencer_load_room ;
  (* hierconn *) wire \dut.sequencer_force_recycle ;
  (* hierconn *) wire \dut.sequencer_fetch ;
  (* hierconn *) wire \dut.sequencer_set ;
  (* hierconn *) wire \dut.sequencer_finished ;
  (* hierconn *) wire \dut.registers_stored_0 ;
  (* hierconn *) wire \dut.registers.formal_fetching ;
  (* hierconn *) wire [`FRONT+`FETCH-1:0] \dut.slots.formal_fetches ;
  (* hierconn *) wire \dut.verdicts_credit ;
  (* hierconn *) wire \dut.epochs_blocked ;
  (* hierconn *) wire \dut.limit_one_at_a_time ;
  (* hierconn *) wire [`ARRAY_BITS-1:0] \dut.registers_value_2 ;
  (* hierconn *) wire [31:0] \dut.registers_value_3 ;
  (* hierconn *) wire \dut.registers_clear_pending ;
  (* hierconn *) wire \dut.registers_write_pending ;
`ifdef ARRAY
  (* hierconn *) wire \dut.sequencer.formal_folding ;
  (* hierconn *) wire [15:0] \dut.sequencer.formal_fold ;
`endif

  // longest way from DRAIN or LOAD to RUN
  localparam LONGEST = (`RETIRE + 1) * (`PHASES + 1) + 10;
  reg [15:0] shut; initial shut = 0;
  reg [15:0] pending; initial pending = 0;
  wire asked = dut.registers_write_pending;
  wire [15:0] still = dut.sequencer.formal_waited ? 0 : dut.sequencer.formal_waiting;
  wire [15:0] way = dut.sequencer_running ? 0
    : dut.sequencer.formal_load ? still + 1
    : dut.sequencer.formal_forces * (`RETIRE + 1) + still + 10;
  always @(posedge clock) begin
    shut <= reset || dut.sequencer_running || dut.epochs_blocked ? 0 : shut + 1;
    pending <= reset || !asked || dut.epochs_blocked ? 0 : pending + 1;
  end
  wire [15:0] served = dut.sequencer_running ? LONGEST + 1
    : dut.sequencer.formal_serving ? way : way + LONGEST + 1;
  always @* begin
    runs_again: assert (shut <= LONGEST);
    writes_take_effect: assert (pending <= 2 * LONGEST + 2);
    // What makes the induction go through.
    assert (way <= LONGEST);
    assert (dut.sequencer.formal_forces <= `PHASES);
    assert (dut.sequencer.formal_waited || (dut.sequencer.formal_waiting != 0 && dut.sequencer.formal_waiting <= `RETIRE));
    assert (dut.sequencer.formal_force_due == (!dut.sequencer_running && !dut.sequencer.formal_load && dut.sequencer.formal_waited
      && dut.sequencer.formal_forces != 0));
    assert (!(dut.sequencer_running && dut.sequencer.formal_load));
    way_shrinks: assert (dut.sequencer_running || shut + way <= LONGEST);
    assert (!asked || pending + served <= 2 * LONGEST + 2);
  end

  // A word for the host: clocks in RUN from the one in which it is asked for until it is there.
  localparam FLIGHT = `FRONT + `FETCH;
  localparam SERVED = `RETIRE + `FETCH - 2;
  wire fetching = dut.registers.formal_fetching;
  wire due = dut.sequencer.formal_fetch_due;
  wire [FLIGHT-1:0] line = dut.slots.formal_fetches;
  wire [15:0] settling = dut.sequencer.formal_still ? 0 : dut.sequencer.formal_hold - (`FRONT + 4);
  reg [15:0] open; initial open = 0;
  reg [15:0] flown;
  integer f;
  always @(posedge clock) open <= reset || !fetching ? 0 : open + (!due || dut.sequencer_running);
  always @* begin
    flown = 0;
    for (f = 0; f < FLIGHT; f = f + 1) if (line[f]) flown = f;
  end
  wire [15:0] left = !due ? FLIGHT - flown
    : (dut.sequencer.formal_ready ? `RETIRE - (`FRONT + 4) + 1 : settling) + FLIGHT + 1;
  always @* begin
    word_is_fetched: assert (open <= SERVED);
    // What makes the induction go through.
    assert (fetching == (due || line != 0) && !(due && line != 0) && (line & (line - 1)) == 0);
    assert (!(s_axil_awready && fetching));
    assert (dut.sequencer.formal_still || (dut.sequencer.formal_hold > `FRONT + 4 && dut.sequencer.formal_hold <= `RETIRE));
    assert (!fetching || open + left <= SERVED);
  end

  // Bits of a host: set before the write that asked for it is done.
  reg owed_set; initial owed_set = 0;
  always @(posedge clock) owed_set <= !reset && (dut.registers_stored_0 || (owed_set && !dut.sequencer_set));
  always @* begin
    bits_are_set: assert (!dut.sequencer_finished || !owed_set);
    set_was_asked: assert (!dut.sequencer_set || owed_set);
    // What makes the induction go through.
    assert (owed_set == dut.sequencer.formal_set_due);
    assert ((!owed_set && !dut.registers_clear_pending) || asked);
    assert (!owed_set || !dut.registers_clear_pending);
    assert (!s_axil_awready || !asked);
    assert (dut.sequencer_running || !dut.sequencer.formal_serving || asked);
    assert (dut.sequencer_running || !dut.sequencer.formal_sets || (owed_set && !dut.sequencer.formal_load && dut.sequencer.formal_forces == 1));
    assert (dut.sequencer_running || !owed_set || !dut.sequencer.formal_serving || dut.sequencer.formal_sets);
  end

  // Word and bits of the host stand still while a fetch or set is on its way.
  reg [15:0] set_age; initial set_age = `RETIRE + 1; // clocks since the last set, up to R + 1
  reg was_reset; initial was_reset = 1;
  reg [`ARRAY_BITS-1:0] old_address;
  reg [31:0] old_bits;
  always @(posedge clock) begin
    set_age <= reset ? `RETIRE + 1 : dut.sequencer_set ? 1 : set_age > `RETIRE ? set_age : set_age + 1;
    was_reset <= reset;
    old_address <= dut.registers_value_2;
    old_bits <= dut.registers_value_3;
  end
  always @* begin
    host_stands_still: assert (was_reset || (set_age > `RETIRE && line == 0)
      || (dut.registers_value_2 == old_address && dut.registers_value_3 == old_bits));
    none_to_set_behind_reset: assert (!was_reset || dut.registers_value_3 == 0);
  end

  // How far apart the sequencer issues slots, in either layout (I = 1 with one bank a hash, 2 k + 6 with one shared array). What a reset finds undecided it empties, and nothing comes in the R clocks behind it.
  localparam FAR = `RETIRE + 2;
  reg [15:0] item_age; initial item_age = FAR;
  reg [15:0] fetch_age; initial fetch_age = FAR;
  reg [15:0] forced_age; initial forced_age = FAR;
  wire forced = dut.sequencer_force_recycle || dut.sequencer_set;
  always @(posedge clock) begin
    item_age <= reset ? FAR : dut.sequencer_accept ? 1 : item_age == FAR ? FAR : item_age + 1;
    fetch_age <= reset ? FAR : dut.sequencer_fetch ? 1 : fetch_age == FAR ? FAR : fetch_age + 1;
    forced_age <= reset || forced ? 1 : forced_age == FAR ? FAR : forced_age + 1;
  end
  reg alone; initial alone = 0; // the last item was admitted one at a time
  reg free; initial free = 0; // nothing but the items before keeps the stream shut
  always @(posedge clock) begin
    alone <= !reset && (dut.sequencer_accept ? dut.limit_one_at_a_time : alone);
    free <= !reset && dut.sequencer_running && !dut.sequencer.formal_request && !due && !dut.epochs_blocked && dut.verdicts_credit
      && !(alone && item_age <= `RETIRE) && !dut.sequencer_accept && item_age + 1 >= `INTERVAL;
  end
  reg [2:0] taken; initial taken = 7;     // clocks since the limit was taken, up to 7
  reg was_blocked; initial was_blocked = 0;
  always @(posedge clock) was_blocked <= dut.epochs_blocked;
  reg roomy; initial roomy = 0;           // room was loaded since the last reset
  always @(posedge clock) begin
    taken <= dut.sequencer_take_limit && !reset ? 1 : reset || taken == 7 ? 7 : taken + 1;
    roomy <= !reset && (roomy || dut.sequencer_load_room);
  end
  wire draining = !dut.sequencer_running && !dut.sequencer.formal_load;
`ifdef ARRAY
  wire folding = dut.sequencer.formal_folding;
  wire [15:0] fold = dut.sequencer.formal_fold;
`else
  wire folding = 0;
  wire [15:0] fold = 0;
`endif
  always @* begin
    one_slot: assert (dut.sequencer_accept + dut.sequencer_force_recycle + dut.sequencer_fetch + dut.sequencer_set <= 1);
    none_with_reset: assert (!reset || !(forced || dut.sequencer_fetch));
    items_apart: assert (!dut.sequencer_accept || item_age >= `INTERVAL);
    no_later_than_that: assert (!free || dut.sequencer.formal_ready);
    one_at_a_time: assert (!dut.sequencer_accept || !alone || item_age > `RETIRE);
    fetch_behind_writes: assert (!dut.sequencer_fetch || item_age >= `RETIRE - `FRONT - 3);
    item_behind_fetch: assert (!dut.sequencer_accept || fetch_age >= 2);
    forced_alone: assert (!forced || (item_age > `RETIRE && fetch_age > `RETIRE && forced_age > `RETIRE));
    item_let_in_with_an_epoch: assert (!dut.sequencer_accept || !was_blocked);
    recycle_forced_with_an_epoch: assert (!dut.sequencer_force_recycle || !dut.epochs_blocked);
    limit_taken_alone: assert (!dut.sequencer_take_limit || (item_age > `RETIRE && forced_age > `RETIRE && taken == 7));
    nothing_till_room_is_loaded: assert (taken > 6 || !(dut.sequencer_accept || forced || dut.sequencer_fetch));
    room_behind_limit: assert (!dut.sequencer_load_room || taken == 6);
    item_has_room: assert (!dut.sequencer_accept || roomy);
    alone_behind_forced: assert (!(dut.sequencer_accept || dut.sequencer_fetch) || forced_age > `RETIRE);
    // What makes the induction go through.
    assert (item_age != 0 && item_age <= FAR && fetch_age != 0 && fetch_age <= FAR && forced_age != 0 && forced_age <= FAR);
    assert (!dut.sequencer.formal_ready || (dut.sequencer_running && !was_blocked));
    assert (!dut.sequencer.formal_ready || (item_age >= `INTERVAL && fetch_age >= 2));
    assert (folding ? fold >= 2 && item_age + fold == `INTERVAL : item_age + 1 >= `INTERVAL);
    assert (dut.sequencer.formal_still ? item_age >= `RETIRE - `FRONT - 3 : item_age + dut.sequencer.formal_hold == `RETIRE + 1);
    assert (dut.sequencer.formal_holding == (alone && item_age <= `RETIRE));
    assert (!dut.sequencer.formal_holding || item_age + dut.sequencer.formal_hold == `RETIRE + 1);
    assert (!dut.sequencer.formal_ready || !alone || item_age > `RETIRE);
    assert (draining || forced_age > `RETIRE);
    assert (set_age > `RETIRE || (asked && forced_age <= set_age && line == 0));
    assert (line == 0 || fetch_age == flown + 1);
    assert (dut.sequencer.formal_load || (!dut.sequencer_take_limit && taken == 7));
    assert (!dut.sequencer.formal_load || dut.sequencer.formal_waiting + (dut.sequencer_take_limit ? 0 : taken) == 7);
    assert (!dut.sequencer_take_limit || taken == 7);
    assert (dut.sequencer_load_room == (dut.sequencer.formal_load && taken == 6));
    assert (dut.sequencer.formal_load ? roomy || taken < 7 || dut.sequencer_take_limit : roomy || !dut.sequencer_running);
    assert (!draining || (item_age + still > `RETIRE && fetch_age + still > `RETIRE && forced_age + still > `RETIRE));
  end
endmodule
