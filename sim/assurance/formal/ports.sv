// A filter's ports, of any kind: AXI4-Stream verdicts (STREAM; without a queue LINE), AXI4-Lite (REGISTERS), and what can be reached (REACH). The data path is cut: hash,
// banks, what is made of them, epochs, limit, occupancy and counters may answer anything.
//
// observe BANKS register_file: wire formal_fetching = fetching_0;
// observe ARRAY register_file: wire formal_fetching = fetching_0;
// observe CELLS register_file: wire formal_fetching = held;
// observe HALVES register_file: wire formal_fetching = fetching_0;
// observe BITS register_file: wire formal_fetching = held;
// observe SINGLE_COUNTERS register_file: wire formal_fetching = held;
// observe WINDOWS register_file: wire formal_fetching = 1'b0;
// observe TABLES register_file: wire formal_fetching = 1'b0;
// observe STREAM verdict_queue: wire [`DEPTH_BITS:0] formal_used = used; wire [`DEPTH_BITS:0] formal_outstanding = outstanding;
// observe STREAM verdict_queue: wire formal_some = some; wire formal_single = single; wire formal_claimed = claimed; wire formal_loaded = loaded;
// observe BANKS slots: wire [`LATENCY-1:0] formal_answers = answer_line;
// observe ARRAY shared_array_slots: wire [`LATENCY-1:0] formal_answers = answer_line;
// observe HALVES spare_half_slots: wire [`LATENCY-1:0] formal_answers = answer_line;
// observe BITS in_place_slots: wire [`LATENCY-1:0] formal_answers = answer_line;
// observe SINGLE_COUNTERS in_place_slots: wire [`LATENCY-1:0] formal_answers = answer_line;
// observe WINDOWS sliding_slots: wire [`LATENCY-1:0] formal_answers = answer_line;
// observe TABLES cuckoo_slots: wire [`LATENCY-1:0] formal_answers = {answer_line, answer_front}; wire [`HASH_STAGES-1:0] formal_front = item_front;
// observe TABLES hold_queue: wire formal_stopped = stopped; wire formal_waiting = waiting; wire [`HOLD_BITS-1:0] formal_first = first; wire [`HOLD_BITS-1:0] formal_last = last;
// observe TABLES hold_memory: wire [`HELD_BITS*(1<<`HOLD_BITS)-1:0] formal_entries; genvar place; generate for (place = 0; place < (1 << `HOLD_BITS); place = place + 1) begin : formal_place assign formal_entries[place*`HELD_BITS +: `HELD_BITS] = entries[place]; end endgenerate
// observe CELLS cell_slots: wire [`LATENCY-`FOLD-1:0] formal_answers = {answer_late, answer_line};
// observe FOLDED cell_slots: wire [`FRONT:0] formal_lasts = last_line_0;
// observe FOLDED cell_sequencer: wire [`WAIT_BITS-1:0] formal_fold = fold_0; wire formal_folding = folding_0; wire formal_more = more_0;
module formal_ports (
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
  (* hierconn *) wire \dut.registers.formal_fetching ;
  (* hierconn *) wire \dut.registers_clear_pending ;
  (* hierconn *) wire \dut.registers_write_pending ;

`ifdef ITEMS
  // items that want a verdict, from acceptance to the clock behind the decision
  (* hierconn *) wire [`LATENCY-`FOLD-1:0] \dut.slots.formal_answers ;
`ifdef FOLDED
  (* hierconn *) wire [`FRONT:0] \dut.slots.formal_lasts ;
  (* hierconn *) wire [`WAIT_BITS-1:0] \dut.sequencer.formal_fold ;
  (* hierconn *) wire \dut.sequencer.formal_folding ;
  (* hierconn *) wire \dut.sequencer.formal_more ;
`endif
  wire wants = s_item_tvalid && s_item_tready && s_item_tuser[1:0] != 1;
  reg [`LATENCY-1:0] line; initial line = 0;
  integer i;
`ifdef TABLES
  // items are queued behind the hash unit while the stash is too full; the oldest is the lowest
  (* hierconn *) wire [`HASH_STAGES-1:0] \dut.slots.formal_front ;
  (* hierconn *) wire \dut.hold.formal_stopped ;
  (* hierconn *) wire \dut.hold.formal_waiting ;
  (* hierconn *) wire [`HOLD_BITS-1:0] \dut.hold.formal_first ;
  (* hierconn *) wire [`HOLD_BITS-1:0] \dut.hold.formal_last ;
  (* hierconn *) wire [`HELD_BITS*(1<<`HOLD_BITS)-1:0] \dut.hold.items.formal_entries ;
  localparam PLACES = 1 << `HOLD_BITS;
  reg [`HASH_STAGES-1:0] front; initial front = 0;
  reg [PLACES-1:0] queue; initial queue = 0;
  reg [`HOLD_BITS:0] queued; initial queued = 0;
  wire stopped = dut.hold.formal_stopped;
  wire arrives = front[`HASH_STAGES-1];
  wire pops = queued != 0 && !stopped;
  wire pushes_held = arrives && (queued != 0 || stopped);
  wire [`HOLD_BITS:0] stay = queued - pops;
  wire [PLACES-1:0] kept = queue >> pops;
  always @(posedge clock) begin
    front <= reset ? 0 : {front, s_item_tvalid && s_item_tready};
    queue <= reset ? 0 : pushes_held ? (kept & ~(1 << stay)) | (line[`HASH_STAGES-1] << stay) : kept;
    queued <= reset ? 0 : stay + pushes_held;
    line[`HASH_STAGES-1:0] <= reset ? 0 : {line[`HASH_STAGES-1:0], wants};
    line[`LATENCY-1:`HASH_STAGES] <= reset ? 0 : {line[`LATENCY-1:`HASH_STAGES], !stopped && (queued != 0 ? queue[0] : line[`HASH_STAGES-1])};
  end
  reg [`HOLD_BITS+1:0] on_the_way;
  reg [`HELD_BITS-1:0] held;
  wire [`HOLD_BITS-1:0] oldest = dut.hold.formal_first;
  reg [`HOLD_BITS-1:0] at;
  always @* begin
    assert (!stopped || !s_item_tready);
    assert (dut.slots.formal_front == front && (line[`HASH_STAGES-1:0] & ~front) == 0);
    assert (dut.hold.formal_waiting == (queued != 0) && queued <= PLACES);
    assert ((dut.hold.formal_last - dut.hold.formal_first) % PLACES == queued % PLACES);
    on_the_way = queued;
    for (i = 0; i < `HASH_STAGES; i = i + 1) on_the_way = on_the_way + front[i];
    queue_has_room: assert (on_the_way <= `HASH_STAGES);
    for (i = 0; i < PLACES; i = i + 1) begin
      at = oldest + i;
      held = dut.hold.items.formal_entries >> (at * `HELD_BITS);
      assert (i < queued ? held[`INDEX_BITS+1] == queue[i] : !queue[i]);
    end
  end
`else
  always @(posedge clock) line <= reset ? 0 : {line[`LATENCY-2:0], wants};
`endif
`ifdef BYPASS
  wire decided = 0; // a verdict is pushed in the clock of its decision
  wire pushes = line[`LATENCY-1];
`else
  reg decided; initial decided = 0;
  always @(posedge clock) decided <= line[`LATENCY-1] && !reset;
  wire pushes = decided;
`endif
  // The line of the slots: where an item has several probes each of them stands in it, and behind the hash only the last.
  reg [`LATENCY-`FOLD-1:0] answers;
`ifdef FOLDED
  reg [`LATENCY-1:0] items; initial items = 0;
  always @(posedge clock) items <= reset ? 0 : {items, s_item_tvalid && s_item_tready};
  always @* begin
    answers = line >> `FOLD;
    for (i = 0; i < `FOLD; i = i + 1) answers[`FRONT:0] = answers[`FRONT:0] | line[`FRONT+`FOLD:0] >> i;
    assert ((line & ~items) == 0);
    assert (dut.slots.formal_lasts == items[`FRONT+`FOLD:`FOLD]);
    assert (dut.sequencer.formal_folding == (items[`FOLD-1:0] != 0) && dut.sequencer.formal_more == ((items & ((1 << (`FOLD - 1)) - 1)) != 0));
    assert (!s_item_tready || items[`FOLD-1:0] == 0);
    for (i = 0; i < `LATENCY - 1; i = i + 1) assert (!items[i] || ((items >> (i + 1)) & ((1 << `FOLD) - 1)) == 0);
    for (i = 0; i < `FOLD; i = i + 1) assert (!items[i] || dut.sequencer.formal_fold == `FOLD - i);
  end
`else
  always @* answers = line;
`endif
  always @* assert (dut.slots.formal_answers == answers);
`endif

`ifdef STREAM
  (* hierconn *) wire [`DEPTH_BITS:0] \dut.verdicts.formal_used ;
  (* hierconn *) wire [`DEPTH_BITS:0] \dut.verdicts.formal_outstanding ;
  (* hierconn *) wire \dut.verdicts.formal_some ;
  (* hierconn *) wire \dut.verdicts.formal_single ;
  (* hierconn *) wire \dut.verdicts.formal_claimed ;
  (* hierconn *) wire \dut.verdicts.formal_loaded ;
  (* hierconn *) wire \dut.verdicts_claim ;
  (* hierconn *) wire \dut.verdicts.push ;
  (* hierconn *) wire \dut.verdicts_credit ;
  // verdict stream
  wire taken = m_verdict_tvalid && m_verdict_tready;
  reg waited; initial waited = 0;
  reg [`FLAG_BITS-1:0] old_data;
  reg [`TAG_BITS-1:0] old_tag;
  reg [`DEPTH_BITS:0] owed; initial owed = 0;
  reg [15:0] silent; initial silent = 0;
  reg credit_before; initial credit_before = 1;
  reg [`DEPTH_BITS:0] undecided; initial undecided = 0;
  always @(posedge clock) begin
    waited <= !reset && m_verdict_tvalid && !m_verdict_tready;
    old_data <= m_verdict_tdata;
    old_tag <= m_verdict_tid;
    owed <= reset ? 0 : owed + wants - taken;
    undecided <= reset ? 0 : undecided + wants - dut.verdicts.push;
    credit_before <= dut.verdicts_credit;
`ifdef TABLES
    silent <= reset || owed == 0 || m_verdict_tvalid || stopped || queued != 0 ? 0 : silent + 1;
`else
    silent <= reset || owed == 0 || m_verdict_tvalid ? 0 : silent + 1;
`endif
  end
  wire [`DEPTH_BITS:0] inside = undecided + dut.verdicts.formal_used;
  reg [`DEPTH_BITS:0] in_line;
  always @* begin
    in_line = 0;
    for (i = 0; i < `LATENCY; i = i + 1) in_line = in_line + line[i];
`ifdef TABLES
    for (i = 0; i < PLACES; i = i + 1) in_line = in_line + queue[i];
`endif
  end
  always @* begin
    verdict_held: assert (!waited || (m_verdict_tvalid && m_verdict_tdata == old_data && m_verdict_tid == old_tag));
    verdict_not_invented: assert (!m_verdict_tvalid || owed != 0);
    verdicts_fit: assert (owed - m_verdict_tvalid <= `DEPTH);
    verdict_arrives: assert (silent <= `LATENCY + 2);
    // what the proof of the queue assumes of its surroundings
    claim_has_credit: assert (!dut.verdicts_claim || credit_before);
`ifdef BYPASS
    push_was_claimed: assert (!dut.verdicts.push || undecided > dut.verdicts.formal_claimed);
    assert (dut.verdicts.formal_claimed == line[0]);
`else
    push_was_claimed: assert (!dut.verdicts.push || undecided != 0);
`endif
    // What makes the induction go through.
    assert (dut.verdicts.push == pushes);
    assert (undecided == in_line + decided);
    assert (owed == undecided + dut.verdicts.formal_used + m_verdict_tvalid);
    assert (dut.verdicts.formal_some == (dut.verdicts.formal_used != 0) && dut.verdicts.formal_single == (dut.verdicts.formal_used == 1));
    assert (dut.verdicts.formal_outstanding + dut.verdicts.formal_claimed == inside + dut.verdicts.formal_loaded);
    assert (dut.verdicts.formal_used <= inside && inside <= `DEPTH);
    assert (!credit_before || inside <= `DEPTH - 1);
    assert (!dut.verdicts_credit || inside <= `DEPTH - 2);
    assert (credit_before || !s_item_tready);
    assert (silent == 0 || owed != 0);
    assert (silent == 0 || m_verdict_tvalid || (line >> silent) != 0 || (decided && silent <= `LATENCY)
      || (dut.verdicts.formal_used != 0 && silent <= `LATENCY + 1));
  end
`endif

`ifdef LINE
  // without a queue: each verdict in its clock, with the tag of its item
  reg [(`LATENCY+1)*`TAG_BITS-1:0] tags;
`ifdef TABLES
  localparam AHEAD = `HASH_STAGES * `TAG_BITS;
  reg [PLACES*`TAG_BITS-1:0] queue_tags;
  wire [`TAG_BITS-1:0] last_tag = tags[AHEAD-1 -: `TAG_BITS];
  wire [PLACES*`TAG_BITS-1:0] kept_tags = queue_tags >> (pops * `TAG_BITS);
  wire [PLACES*`TAG_BITS-1:0] of_place = {`TAG_BITS{1'b1}};
  always @(posedge clock) begin
    queue_tags <= pushes_held ? (kept_tags & ~(of_place << (stay * `TAG_BITS))) | ({{PLACES*`TAG_BITS{1'b0}}, last_tag} << (stay * `TAG_BITS)) : kept_tags;
    tags[AHEAD-1:0] <= {tags[AHEAD-1:0], s_item_tid};
    tags[(`LATENCY+1)*`TAG_BITS-1:AHEAD] <= {tags[(`LATENCY+1)*`TAG_BITS-1:AHEAD], queued != 0 ? queue_tags[`TAG_BITS-1:0] : last_tag};
  end
  reg [`HELD_BITS-1:0] tagged;
  reg [`HOLD_BITS-1:0] its_place;
  always @* for (i = 0; i < PLACES; i = i + 1) begin
    its_place = oldest + i;
    tagged = dut.hold.items.formal_entries >> (its_place * `HELD_BITS);
    assert (i >= queued || tagged[`HELD_BITS-1 -: `TAG_BITS] == queue_tags[i*`TAG_BITS +: `TAG_BITS]);
  end
`else
  always @(posedge clock) tags <= {tags[`LATENCY*`TAG_BITS-1:0], s_item_tid};
`endif
  always @* begin
    verdict_in_its_clock: assert (m_verdict_tvalid == decided);
    tag_of_its_item: assert (!m_verdict_tvalid || m_verdict_tid == tags[(`LATENCY+1)*`TAG_BITS-1 -: `TAG_BITS]);
  end
`endif

`ifdef REGISTERS
  // the host keeps a request until it is taken
  reg aw_waited, w_waited, ar_waited; initial begin aw_waited = 0; w_waited = 0; ar_waited = 0; end
  reg b_waited, r_waited; initial begin b_waited = 0; r_waited = 0; end
  reg [1:0] old_bresp, old_rresp;
  reg [31:0] old_rdata;
  reg [1:0] writes; initial writes = 0;
  reg [1:0] reads; initial reads = 0;
  reg [2:0] read_age; initial read_age = 0;
  reg [2:0] write_wait; initial write_wait = 0;
  reg [2:0] read_wait; initial read_wait = 0;
  wire fetching = dut.registers.formal_fetching;
  wire write_free = writes == 0 && !dut.registers_write_pending && !fetching;
  wire aw = s_axil_awvalid && s_axil_awready;
  wire w = s_axil_wvalid && s_axil_wready;
  wire b = s_axil_bvalid && s_axil_bready;
  wire ar = s_axil_arvalid && s_axil_arready;
  wire r = s_axil_rvalid && s_axil_rready;
  always @(posedge clock) begin
    aw_waited <= !reset && s_axil_awvalid && !s_axil_awready;
    w_waited <= !reset && s_axil_wvalid && !s_axil_wready;
    ar_waited <= !reset && s_axil_arvalid && !s_axil_arready;
    b_waited <= !reset && s_axil_bvalid && !s_axil_bready;
    r_waited <= !reset && s_axil_rvalid && !s_axil_rready;
    old_bresp <= s_axil_bresp;
    old_rresp <= s_axil_rresp;
    old_rdata <= s_axil_rdata;
    writes <= reset ? 0 : writes + aw - b;
    reads <= reset ? 0 : reads + ar - r;
    read_age <= reset || reads == 0 || s_axil_rvalid ? 0 : read_age + 1;
    write_wait <= !reset && s_axil_awvalid && s_axil_wvalid && !s_axil_awready && write_free ? write_wait + 1 : 0;
    read_wait <= !reset && s_axil_arvalid && !s_axil_arready && reads == 0 && !fetching ? read_wait + 1 : 0;
  end
  always @* begin
    assume (!aw_waited || s_axil_awvalid);
    assume (!w_waited || s_axil_wvalid);
    assume (!ar_waited || s_axil_arvalid);
  end
  always @* begin
    taken_when_asked: assert ((!s_axil_awready || (s_axil_awvalid && s_axil_wvalid)) && (!s_axil_arready || s_axil_arvalid));
    write_taken_whole: assert (s_axil_awready == s_axil_wready && aw == w);
    write_answer_held: assert (!b_waited || (s_axil_bvalid && s_axil_bresp == old_bresp));
    one_answer_a_write: assert (writes <= 1 && s_axil_bvalid == (writes == 1));
    write_answer_legal: assert (!s_axil_bvalid || s_axil_bresp != 1);
    read_answer_held: assert (!r_waited || (s_axil_rvalid && s_axil_rdata == old_rdata && s_axil_rresp == old_rresp));
    read_not_invented: assert (reads <= 1 && (!s_axil_rvalid || reads == 1));
    read_answered: assert (read_age <= 2);
    read_answer_legal: assert (!s_axil_rvalid || s_axil_rresp == 0 || (s_axil_rresp == 3 && s_axil_rdata == 0));
    write_is_taken: assert (write_wait <= 2);
    read_is_taken: assert (read_wait <= 1);
  end
`endif

`ifdef REACH
`ifdef EPOCHS
  (* hierconn *) wire \dut.epochs_blocked ;
  always @* assume (!dut.epochs_blocked);
`endif
`ifdef RECYCLES
  (* hierconn *) wire \dut.limit_one_at_a_time ;
  always @* assume (!dut.limit_one_at_a_time);
`endif
  // Inputs that the search can do without are held, so that it is short.
  always @* begin
    assume (!reset);
    assume (!s_axil_arvalid);
  end
`ifdef REACH_VERDICT
  reg sent; initial sent = 0;
  always @(posedge clock) sent <= sent || (s_item_tvalid && s_item_tready);
  always @* begin
    assume (!s_axil_awvalid && m_verdict_tready && s_item_tuser[1:0] == 2 && s_item_tid == 1 && s_item_tvalid == !sent);
    verdict_reached: cover (m_verdict_tvalid && m_verdict_tid == 1);
  end
`endif
`ifdef REACH_CLEAR
  reg asked_before; initial asked_before = 0;
  reg cleared; initial cleared = 0;
  always @(posedge clock) begin
    asked_before <= dut.registers_clear_pending;
    cleared <= cleared || (asked_before && !dut.registers_clear_pending);
  end
  always @* begin
    assume (!s_item_tvalid);
    assume (s_axil_awvalid == s_axil_wvalid && s_axil_wdata == 1 && s_axil_wstrb == 15);
    clear_completes: cover (cleared && s_item_tready);
  end
`endif
`endif
endmodule
