// The buffer of a packet path: no place is written before the beat in it was read or given up. Parser, registers, the buffer's memory and all queues are cut.
//
// Of a frame whose turn comes it is assumed that it ends among the places that are kept, behind what is read, and before any frame that was kept later. That is proved
// of one frame, chosen by the solver, towards any later one: in a clock one frame's turn comes, and what is assumed of others is of clocks before. That frames come in
// their order, with what was said of them (their last beat, and whether it is their first), and how many there are at most, is proved in frames.sv.
//
// observe frame_store: wire [`PLACE_BITS-1:0] formal_kept = kept; wire [`PLACE_BITS-1:0] formal_write = write; wire formal_full = full; wire [`PLACE_BITS-1:0] formal_after = after; wire formal_begun = begun;
// observe egress: wire formal_busy = busy; wire formal_at_end = at_end; wire [`PLACE_BITS-1:0] formal_behind = behind; wire [`PLACE_BITS-1:0] formal_end = end_;
module formal_buffer (
  input wire clock,
  input wire reset,
  input wire m_frame_tready,
  input wire choose,      // watch the frame that is kept now
  input wire choose_later // as the later one
);
  `DUT dut (.clock(clock), .reset(reset), .m_frame_tready(m_frame_tready));
  (* hierconn *) wire \dut.store_keep ;
  (* hierconn *) wire \dut.store_write_enable ;
  (* hierconn *) wire \dut.front_valid_out ;
  (* hierconn *) wire \dut.front_last_out ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store_end_ ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store.formal_kept ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store.formal_write ;
  (* hierconn *) wire \dut.store.formal_full ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store.formal_after ;
  (* hierconn *) wire \dut.store.formal_begun ;
  (* hierconn *) wire \dut.egress_take ;
  (* hierconn *) wire [`PLACE_BITS+`MOST_BITS+43:0] \dut.frames_frame ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.egress_read ;
  (* hierconn *) wire \dut.egress.formal_busy ;
  (* hierconn *) wire \dut.egress.formal_at_end ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.egress.formal_behind ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.egress.formal_end ;
  (* hierconn *) wire \dut.egress.reads ;
  (* hierconn *) wire \dut.egress.drops ;

  localparam [15:0] BUFFER = 1 << (`PLACE_BITS - 1);
  localparam MOST_FRAMES = (1 << `QUEUE_BITS) + 7;
  wire keep = dut.store_keep;
  wire take = dut.egress_take;
  wire reads = dut.egress.reads;
  wire busy = dut.egress.formal_busy;
  wire [`PLACE_BITS-1:0] place = dut.egress_read;
  wire [`PLACE_BITS-1:0] taken_last = dut.frames_frame;

  // Places from the one that is read next: to the one that is written next, to the one behind the frames that are kept, to the last of the frame that is read, and of
  // the one whose turn it is.
  localparam W = `PLACE_BITS;
  reg [W:0] to_write; initial to_write = 0;
  reg [W:0] to_kept; initial to_kept = 0;
  reg [W:0] to_end;
  wire [W-1:0] to_taken = taken_last - place;
  wire [W:0] step = dut.egress.drops ? to_taken + 1 : reads;
  wire last = dut.front_last_out;
  reg [15:0] frames; initial frames = 0;
  always @(posedge clock) begin
    to_write <= reset ? 0 : (last && !keep ? to_kept : to_write + dut.store_write_enable) - step;
    to_kept <= reset ? 0 : (keep ? to_write + 1 : to_kept) - step;
    to_end <= (take ? to_taken : to_end) - step;
    frames <= reset ? 0 : frames + keep - take;
  end

  // One frame and a later one.
  reg one; initial one = 0;
  reg [15:0] one_ahead; // frames before it
  reg [W-1:0] one_last;
  reg [W:0] to_one;
  reg later; initial later = 0;
  reg [15:0] later_ahead;
  reg [W:0] to_later;
  wire own = one && take && one_ahead == 0;
  wire own_later = later && take && later_ahead == 0;
  wire chosen = choose && keep && !one && !later;
  wire chosen_later = choose_later && keep && one && !later && !own;
  always @(posedge clock) begin
    to_one <= (chosen ? to_write : to_one) - step;
    to_later <= (chosen_later ? to_write : to_later) - step;
    if (chosen) begin
      one <= 1;
      one_ahead <= frames - take;
      one_last <= dut.store_end_;
    end else if (one && take) begin
      one_ahead <= one_ahead - 1;
      if (own) one <= 0;
    end
    if (chosen_later) begin
      later <= 1;
      later_ahead <= frames - take;
    end else if (later && take) begin
      later_ahead <= later_ahead - 1;
      if (own_later) later <= 0;
    end
    if (reset) begin
      one <= 0;
      later <= 0;
    end
  end
  // Of the frame that was taken in the clock before.
  reg told; initial told = 1;
  always @(posedge clock) told <= reset || !take || dut.frames_frame[`PLACE_BITS+`MOST_BITS+43] == (taken_last == (busy ? dut.egress.formal_behind : place));
  wire fits = to_taken < to_kept && (!busy || to_taken != 0);
  wire [W-1:0] write_places = dut.store.formal_write - place;
  wire [W-1:0] kept_places = dut.store.formal_kept - place;
  wire [W-1:0] end_places = dut.egress.formal_end - place;
  wire [W-1:0] one_places = one_last - place;
  always @* begin
    assume (!last || dut.front_valid_out);
    assume (told);
    assume (!take || frames != 0);
    assume (frames <= MOST_FRAMES);
    assume (!own || taken_last == one_last);
    assume (!take || own || (fits && (!one || to_taken < to_one) && (!later || one || own_later || to_taken < to_later)));
    lies_in_turn: assert (!own || (fits && (!later || to_taken < to_later)));
    nothing_written_over: assert (to_write <= BUFFER && (!dut.store_write_enable || to_write < BUFFER));
    // What makes the induction go through.
    assert (to_write[W-1:0] == write_places);
    assert (to_kept[W-1:0] == kept_places);
    assert (to_kept <= to_write && to_write <= BUFFER);
    assert (to_write != BUFFER || dut.store.formal_full);
    begun_is_so: assert (dut.store.formal_begun == (to_write != to_kept));
    assert (dut.store.formal_after == (dut.store.formal_write + 1'b1) % (1 << `PLACE_BITS));
    assert (!busy || (to_end[W-1:0] == end_places && to_end < to_kept));
    assert (dut.egress.formal_at_end == (busy && to_end == 0));
    assert (dut.egress.formal_behind == (place + 1'b1) % (1 << `PLACE_BITS));
    assert (!one || (one_ahead < frames && to_one[W-1:0] == one_places && to_one < to_kept && (!busy || to_end < to_one)));
    assert (!later || (later_ahead < frames && to_later < to_kept
      && (one ? one_ahead < later_ahead && to_one < to_later : !busy || to_end < to_later)));
  end
endmodule
