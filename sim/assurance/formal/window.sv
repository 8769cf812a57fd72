// The answers of a sliding-window filter, for any one watched pair of positions: no false negative within the window, no stale yes
// beyond it, lost only where no cell is empty. Buckets of two cells, a store of two.
//
// Hash, sequencer, queue, registers and counters are cut: any positions and any slots (items, scans, wipes) may come in any clock, with
// resets and restarts between. The generation is cut too, so that it may advance at any element: stage 3 meets what the checker says, and
// stage 7 writes what follows from it.
//
// Assumed, and proved of the emitted filter by generations.sv at the geometry as specified: a slot is one of item, scan and wipe; at a
// restart nothing is in flight; no item is decided before a wipe has visited its buckets and the store since power-up, reset or restart; no
// more than V - c - 2 generations begin between two visits of a bucket or of the store, so that no age comes round; no more than c
// generations begin in seven clocks (in the filter one in g elements, and g is at least 16); an element writes the generation that it met,
// a scan the youngest stale one.
//
// With CLAIMS only the two answers are asserted, without what makes the induction go through; with REACH it is a search for what they speak of.
//
// observe lane_memory*: wire [`FRONT_BITS-1:0] formal_address; wire [`FINGERPRINT_BITS+`GENERATION_BITS-1:0] formal_cell = cells[formal_address];
// observe position_track*: wire [8*(`FINGERPRINT_BITS+`FRONT_BITS)-1:0] formal_line = {stage_7, stage_6, stage_5, stage_4, stage_3, stage_2, stage_1, stage_0};
// observe store_lane: wire [`FINGERPRINT_BITS+`FRONT_BITS+`GENERATION_BITS-1:0] formal_cell = {held_position, held_generation};
// observe sliding_slots: wire [`LATENCY-1:0] formal_elements = element_line; wire [`LATENCY-1:0] formal_items = item_line; wire [`LATENCY-1:0] formal_scans = scan_line; wire [`LATENCY-1:0] formal_wipes = wipe_line;
module formal_window (input wire clock, input wire reset, input wire [1:0] operation);
  `DUT dut (.clock(clock), .reset(reset), .s_item_tuser(operation));
  localparam CELLS = 2 * `BUCKET_CELLS + `STORE_CELLS;
  localparam POSITION_BITS = `FINGERPRINT_BITS + `FRONT_BITS;
  localparam [31:0] SPARE = (1 << `GENERATION_BITS) - `GENERATIONS - 2;
  localparam [31:0] STALE = `GENERATIONS + 1; // age of the youngest stale generation
  (* hierconn *) wire \dut.sequencer_accept ;
  (* hierconn *) wire \dut.sequencer_scan ;
  (* hierconn *) wire \dut.sequencer_wipe ;
  (* hierconn *) wire \dut.sequencer_restart ;
  (* hierconn *) wire \dut.slots_scanning ;
  (* hierconn *) wire [`FRONT_BITS-1:0] \dut.slots_scan_address ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_generation ;
  (* hierconn *) wire [`GENERATION_BITS-1:0] \dut.slots_write_generation ;
  (* hierconn *) wire \dut.slots_item_6 ;
  (* hierconn *) wire \dut.slots_element_6 ;
  (* hierconn *) wire \dut.slots_scan_6 ;
  (* hierconn *) wire \dut.slots_wipe_6 ;
  (* hierconn *) wire [POSITION_BITS-1:0] \dut.hash_index_0 ;
  (* hierconn *) wire [POSITION_BITS-1:0] \dut.hash_index_1 ;
  (* hierconn *) wire [CELLS-1:0] \dut.fit_matching ;
  (* hierconn *) wire [CELLS-1:0] \dut.fit_empty ;
  (* hierconn *) wire [CELLS-1:0] \dut.fit_taking ;
  (* hierconn *) wire \dut.fit_seen ;
  (* hierconn *) wire \dut.fit_lost ;
  (* hierconn *) wire \dut.fit_inserted ;
  (* hierconn *) wire \dut.fit_inserted_back ;
  (* hierconn *) wire \dut.fit_inserted_store ;
  (* hierconn *) wire \dut.registers_event_1 ;
  (* hierconn *) wire \dut.registers_event_5 ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_elements ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_items ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_scans ;
  (* hierconn *) wire [`LATENCY-1:0] \dut.slots.formal_wipes ;
  localparam CELL_BITS = `FINGERPRINT_BITS + `GENERATION_BITS;
  (* hierconn *) wire [8*POSITION_BITS-1:0] \dut.front.track.formal_line ;
  (* hierconn *) wire [8*POSITION_BITS-1:0] \dut.back.track.formal_line ;
  (* hierconn *) wire [`FRONT_BITS-1:0] \dut.front.lane_0.memory.formal_address ;
  (* hierconn *) wire [`FRONT_BITS-1:0] \dut.front.lane_1.memory.formal_address ;
  (* hierconn *) wire [`FRONT_BITS-1:0] \dut.back.lane_0.memory.formal_address ;
  (* hierconn *) wire [`FRONT_BITS-1:0] \dut.back.lane_1.memory.formal_address ;
  (* hierconn *) wire [CELL_BITS-1:0] \dut.front.lane_0.memory.formal_cell ;
  (* hierconn *) wire [CELL_BITS-1:0] \dut.front.lane_1.memory.formal_cell ;
  (* hierconn *) wire [CELL_BITS-1:0] \dut.back.lane_0.memory.formal_cell ;
  (* hierconn *) wire [CELL_BITS-1:0] \dut.back.lane_1.memory.formal_cell ;
  (* hierconn *) wire [POSITION_BITS+`GENERATION_BITS-1:0] \dut.store.lane_0.formal_cell ;
  (* hierconn *) wire [POSITION_BITS+`GENERATION_BITS-1:0] \dut.store.lane_1.formal_cell ;

  // The watched positions.
  (* anyconst *) wire [POSITION_BITS-1:0] watched_0;
  (* anyconst *) wire [POSITION_BITS-1:0] watched_1;
  wire [`FRONT_BITS-1:0] front_bucket = watched_0[`FRONT_BITS-1:0];
  wire [`BACK_BITS-1:0] back_bucket = watched_1[`BACK_BITS-1:0];
  wire [`FINGERPRINT_BITS-1:0] front_print = watched_0[POSITION_BITS-1:`FRONT_BITS];
  wire [`FINGERPRINT_BITS-1:0] back_print = watched_1[POSITION_BITS-1:`FRONT_BITS];
  assign dut.front.lane_0.memory.formal_address = front_bucket;
  assign dut.front.lane_1.memory.formal_address = front_bucket;
  assign dut.back.lane_0.memory.formal_address = back_bucket;
  assign dut.back.lane_1.memory.formal_address = back_bucket;

  wire [`LATENCY-1:0] slots = dut.slots.formal_items | dut.slots.formal_scans | dut.slots.formal_wipes;

  // Positions of the slots from stage 0 to stage 7.
  reg [POSITION_BITS-1:0] line_0 [0:7];
  reg [POSITION_BITS-1:0] line_1 [0:7];
  integer i;
  initial for (i = 0; i <= 7; i = i + 1) begin
    line_0[i] = 0;
    line_1[i] = 0;
  end
  always @(posedge clock) begin
    line_0[0] <= dut.slots_scanning ? dut.slots_scan_address : dut.hash_index_0;
    line_1[0] <= dut.slots_scanning ? dut.slots_scan_address : dut.hash_index_1;
    for (i = 1; i <= 7; i = i + 1) begin
      line_0[i] <= line_0[i-1];
      line_1[i] <= line_1[i-1];
    end
  end
  wire [POSITION_BITS-1:0] at_0 = line_0[6];
  wire [POSITION_BITS-1:0] at_1 = line_1[6];

  // Generations: in stage 3 as an element says, from there along with the slots.
  (* anyseq *) wire begins; // a generation begins behind the element in stage 3
  wire ends = begins && dut.slots.formal_elements[`FRONT+2];
  reg [`GENERATION_BITS-1:0] generation [3:7];
  reg sets; initial sets = 0; // the slot in stage 7 is an element
  wire [`GENERATION_BITS-1:0] write_generation = sets ? generation[7] : generation[7] - STALE[`GENERATION_BITS-1:0];
  reg [3:0] broken; initial broken = 0; // bit i: they began anew i + 1 clocks ago
  reg [6:0] begun; initial begun = 0; // bit i: one began i + 1 clocks ago
  initial begin
    generation[3] = 0;
    generation[4] = 0;
    generation[5] = 0;
    generation[6] = 0;
    generation[7] = 0;
  end
  always @(posedge clock) begin
    generation[3] <= dut.sequencer_restart || reset ? 0 : generation[3] + ends;
    generation[4] <= generation[3];
    generation[5] <= generation[4];
    generation[6] <= generation[5];
    generation[7] <= generation[6];
    sets <= dut.slots_element_6;
    broken <= {broken[2:0], reset || dut.sequencer_restart};
    begun <= {begun[5:0], ends && !reset && !dut.sequencer_restart};
  end
  wire advance = begun[2]; // the slot behind that in stage 6 stands in the next generation
  reg [3:0] lately;
  always @* begin
    lately = ends;
    for (i = 0; i < 6; i = i + 1) lately = lately + begun[i];
  end

  // The slot in stage 6.
  wire item = dut.slots_item_6;
  wire element = dut.slots_element_6;
  wire visits = dut.slots_scan_6 || dut.slots_wipe_6;
  wire in_front = at_0[`FRONT_BITS-1:0] == front_bucket;
  wire in_back = at_1[`BACK_BITS-1:0] == back_bucket;
  wire same_front = at_0 == watched_0;
  wire same_back = in_back && at_1[POSITION_BITS-1:`FRONT_BITS] == back_print;
  wire same = same_front && same_back;
  wire [`GENERATION_BITS-1:0] now = generation[6];

  // The cells that the watched positions see, as the slot in stage 6 is to meet them: memory, and what the slot in stage 7 writes.
  reg [CELLS-1:0] taken; initial taken = 0;
  always @(posedge clock) taken <= dut.fit_taking;
  wire late_front = line_0[7][`FRONT_BITS-1:0] == front_bucket;
  wire late_back = line_1[7][`BACK_BITS-1:0] == back_bucket;
  wire [CELL_BITS-1:0] late_front_cell = {line_0[7][POSITION_BITS-1:`FRONT_BITS], write_generation};
  wire [CELL_BITS-1:0] late_back_cell = {line_1[7][POSITION_BITS-1:`FRONT_BITS], write_generation};
  wire [CELL_BITS-1:0] front_0 = taken[0] && late_front ? late_front_cell : dut.front.lane_0.memory.formal_cell;
  wire [CELL_BITS-1:0] front_1 = taken[1] && late_front ? late_front_cell : dut.front.lane_1.memory.formal_cell;
  wire [CELL_BITS-1:0] back_0 = taken[2] && late_back ? late_back_cell : dut.back.lane_0.memory.formal_cell;
  wire [CELL_BITS-1:0] back_1 = taken[3] && late_back ? late_back_cell : dut.back.lane_1.memory.formal_cell;
  wire [POSITION_BITS+`GENERATION_BITS-1:0] store_0 = taken[4] ? {line_0[7], write_generation} : dut.store.lane_0.formal_cell;
  wire [POSITION_BITS+`GENERATION_BITS-1:0] store_1 = taken[5] ? {line_0[7], write_generation} : dut.store.lane_1.formal_cell;
  reg [`GENERATION_BITS-1:0] age [0:CELLS-1]; // generations since the cell's, modulo V
  reg [CELLS-1:0] bears;                      // a watched position's fingerprint
  reg [CELLS-1:0] live;
  always @* begin
    age[0] = now - front_0[`GENERATION_BITS-1:0];
    age[1] = now - front_1[`GENERATION_BITS-1:0];
    age[2] = now - back_0[`GENERATION_BITS-1:0];
    age[3] = now - back_1[`GENERATION_BITS-1:0];
    age[4] = now - store_0[`GENERATION_BITS-1:0];
    age[5] = now - store_1[`GENERATION_BITS-1:0];
    bears[0] = front_0[CELL_BITS-1:`GENERATION_BITS] == front_print;
    bears[1] = front_1[CELL_BITS-1:`GENERATION_BITS] == front_print;
    bears[2] = back_0[CELL_BITS-1:`GENERATION_BITS] == back_print;
    bears[3] = back_1[CELL_BITS-1:`GENERATION_BITS] == back_print;
    bears[4] = store_0[POSITION_BITS+`GENERATION_BITS-1:`GENERATION_BITS] == watched_0;
    bears[5] = store_1[POSITION_BITS+`GENERATION_BITS-1:`GENERATION_BITS] == watched_0;
    for (i = 0; i < CELLS; i = i + 1) live[i] = age[i] <= `GENERATIONS;
  end

  // What came, slot by slot in the order of decision.
  reg [31:0] since_exact; initial since_exact = STALE; // generations since an element with both positions that was not lost; STALE: more than c
  reg [31:0] since_alike; initial since_alike = STALE; // since an element with one of them
  reg [2:0] wiped; initial wiped = 0;                  // front bucket, back bucket, store
  reg [31:0] passed_front; initial passed_front = 0;   // generations since the last visit
  reg [31:0] passed_back; initial passed_back = 0;
  reg [31:0] passed_store; initial passed_store = 0;
  wire exact = element && same && !dut.fit_lost;
  wire alike = element && (same_front || same_back);
  wire [2:0] visited = {visits, visits && in_back, visits && in_front};
  always @(posedge clock) begin
    since_exact <= exact ? advance : since_exact == STALE ? STALE : since_exact + advance;
    since_alike <= alike ? advance : since_alike == STALE ? STALE : since_alike + advance;
    passed_front <= visited[0] ? advance : wiped[0] ? passed_front + advance : 0;
    passed_back <= visited[1] ? advance : wiped[1] ? passed_back + advance : 0;
    passed_store <= visited[2] ? advance : wiped[2] ? passed_store + advance : 0;
    if (dut.slots_wipe_6) begin
      wiped <= wiped | visited;
      since_exact <= STALE;
    end
    if (reset || dut.sequencer_restart) begin
      since_exact <= STALE;
      since_alike <= STALE;
      wiped <= 0;
      passed_front <= 0;
      passed_back <= 0;
      passed_store <= 0;
    end
  end
  reg [1:0] was; initial was = 0; // verdict of the item before
  always @(posedge clock) was <= item && !reset ? {dut.fit_lost, dut.fit_seen} : 0;

  // The surroundings.
  always @* begin
    assume (dut.slots_generation == generation[3]);
    assume (dut.slots_write_generation == write_generation);
    assume (dut.sequencer_accept + dut.sequencer_scan + dut.sequencer_wipe <= 1);
    assume (!dut.sequencer_restart || (slots == 0 && taken == 0 && !dut.sequencer_accept && !dut.sequencer_scan && !dut.sequencer_wipe));
    assume (!item || ((wiped[0] || !in_front) && (wiped[1] || !in_back) && wiped[2]));
    assume (lately <= `GENERATIONS);
    assume (passed_front <= SPARE && passed_back <= SPARE && passed_store <= SPARE);
  end

  wire meets_front = (item || dut.slots_scan_6) && in_front && wiped[0];
  wire meets_back = (item || dut.slots_scan_6) && in_back && wiped[1];
  wire meets_store = (item || dut.slots_scan_6) && wiped[2];
  wire [CELLS-1:0] met = {{`STORE_CELLS{meets_store}}, {`BUCKET_CELLS{meets_back}}, {`BUCKET_CELLS{meets_front}}};
  wire [CELLS-1:0] matches = bears & live;
  wire [CELLS-1:0] first_match = matches & -matches;
  wire [CELLS-1:0] first_empty = ~live & -(~live);
  reg kept;
  always @* begin
    kept = 0;
    for (i = 0; i < CELLS; i = i + 1) kept = kept || (bears[i] && age[i] <= since_exact);
  end
  always @* begin
    // no false negative, no stale yes
    if (item && same) never_forgotten: assert (since_exact == STALE || dut.fit_seen);
    if (item && same) never_stale: assert (since_alike != STALE || !dut.fit_seen);
`ifndef CLAIMS
    // the decision, of an item with both positions
    if (item && same) seen_if_a_cell_matches: assert (dut.fit_seen == (matches != 0));
    if (element && same) lost_if_none_is_empty: assert (dut.fit_lost == (matches == 0 && live == {CELLS{1'b1}}));
    if (element && same) inserted_else: assert (dut.fit_inserted == (matches == 0 && !dut.fit_lost));
    if (element && same) takes_first: assert (dut.fit_taking == (matches != 0 ? first_match : first_empty));
    if (item && !element) query_takes_nothing: assert (dut.fit_taking == 0 && !dut.fit_lost && !dut.fit_inserted);
    one_outcome: assert (dut.fit_seen + dut.fit_lost + dut.fit_inserted <= 1 || !element);
    where_inserted: assert (dut.fit_inserted_back == (dut.fit_inserted && (dut.fit_taking[CELLS-1:0] >> `BUCKET_CELLS) % (1 << `BUCKET_CELLS) != 0)
      && dut.fit_inserted_store == (dut.fit_inserted && (dut.fit_taking >> 2 * `BUCKET_CELLS) != 0));
    if (dut.slots_scan_6) scan_takes_what_is_stale: assert (((dut.fit_taking ^ ~live) & met) == 0);
    if (dut.slots_wipe_6) wipe_takes_all: assert (&dut.fit_taking);
    counted_as_decided: assert (dut.registers_event_1 == was[0] && dut.registers_event_5 == was[1]);
    // each cell's flags, of any slot that meets it
    empty_is_stale: assert (((dut.fit_empty ^ ~live) & met) == 0);
    if (item && same_front) match_front: assert (dut.fit_matching[`BUCKET_CELLS-1:0] == matches[`BUCKET_CELLS-1:0]);
    if (item && same_back) match_back: assert (((dut.fit_matching ^ matches) >> `BUCKET_CELLS) % (1 << `BUCKET_CELLS) == 0);
    if (item && same_front) match_store: assert ((dut.fit_matching ^ matches) >> 2 * `BUCKET_CELLS == 0);
    // What makes the induction go through.
    assert ((dut.slots.formal_elements & ~dut.slots.formal_items) == 0 && (dut.slots.formal_scans & dut.slots.formal_wipes) == 0);
    assert ((dut.slots.formal_items & (dut.slots.formal_scans | dut.slots.formal_wipes)) == 0);
    for (i = 0; i <= 7; i = i + 1) begin
      assert (line_0[i] == dut.front.track.formal_line[i*POSITION_BITS +: POSITION_BITS]);
      assert (line_1[i] == dut.back.track.formal_line[i*POSITION_BITS +: POSITION_BITS]);
    end
    for (i = 0; i < 4; i = i + 1) assert (broken[i] || generation[3+i] == generation[4+i] + begun[i]);
    assert (since_exact <= STALE && since_alike <= STALE);
    if (&wiped) cell_kept: assert (since_exact == STALE || kept);
    if (!(&wiped)) assert (since_exact == STALE);
    for (i = 0; i < CELLS; i = i + 1) begin
      if (i < `BUCKET_CELLS ? wiped[0] : i < 2 * `BUCKET_CELLS ? wiped[1] : wiped[2]) begin
        assert (!bears[i] || age[i] >= since_alike); // no cell is younger than what was written
        // and none older than the last visit leaves it
        assert (age[i] <= STALE + (i < `BUCKET_CELLS ? passed_front : i < 2 * `BUCKET_CELLS ? passed_back : passed_store));
      end
    end
`endif
  end
`ifdef REACH
  reg was_live; initial was_live = 0;     // an element with the watched positions was written
  reg went; initial went = 0;             // and it went stale
  reg emptied; initial emptied = 0;       // and a scan met its cell
  reg replaced; initial replaced = 0;     // and another element took it
  always @(posedge clock) begin
    was_live <= was_live || (exact && dut.fit_inserted && dut.fit_taking[0]);
    went <= went || (was_live && since_exact == STALE);
    emptied <= emptied || (went && dut.slots_scan_6 && in_front && dut.fit_taking[0]);
    replaced <= replaced || (emptied && element && in_front && !same_front && dut.fit_inserted && dut.fit_taking[0]);
  end
  always @* begin
    assume (!reset && !dut.sequencer_restart);
    seen_reached: cover (item && same && dut.fit_seen);
    oldest_reached: cover (item && same && dut.fit_seen && since_exact == `GENERATIONS);
    stale_reached: cover (item && same && was_live && !dut.fit_seen);
    lost_reached: cover (element && same && dut.fit_lost);
    back_reached: cover (element && same && dut.fit_inserted_back);
    store_reached: cover (element && same && dut.fit_inserted_store);
    emptied_reached: cover (emptied);
    replaced_reached: cover (replaced && element && same);
  end
`endif
endmodule
