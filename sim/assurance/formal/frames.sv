// The packet path: its two streams, and every frame in its turn. Parser, registers and the frame buffer's memory are cut: beats of any class, any policy
// and any data may come in any clock, verdicts too. Of the parser it is assumed that the last beat of a frame is a beat, which its registers say themselves; of the store
// that it knows whether a beat of the present frame is in the buffer, which frame_buffer.sv proves.
//
// Proved: frames are always taken in but behind a reset; what is offered, a beat or an item, is held until taken. No queue is pushed while full. For any one frame,
// chosen by the solver: it leaves in its turn with what the parser said of it and whether it has one beat, and is read from the place behind the last of the frame before to its own last, each beat once. For
// any one beat: it comes out in its turn, as it was read but for a mark.
//
// observe wide_queue_memory*: wire [15:0] formal_address; wire [1023:0] formal_data = entries[formal_address];
// observe wide_queue_memory*: wire [15:0] formal_newest; wire [1023:0] formal_newest_data = entries[formal_newest];
// observe frame_store: wire [`PLACE_BITS-1:0] formal_kept = kept; wire [`PLACE_BITS-1:0] formal_write = write; wire [`PLACE_BITS-1:0] formal_after = after; wire formal_begun = begun;
// observe verdict_stage: wire formal_next_valid = next_valid; wire [1023:0] formal_next_frame = next_frame;
// observe frame_queue: wire [15:0] formal_write = write_place; wire [15:0] formal_read = read_place; wire formal_some = some; wire formal_one = one;
// observe known_queue: wire formal_some = some; wire formal_read_odd = read_odd; wire formal_write_odd = write_odd; wire [1023:0] formal_even = even; wire [1023:0] formal_odd = odd;
// observe egress_queue: wire [15:0] formal_write = write_place; wire [15:0] formal_read = read_place; wire formal_some = some; wire formal_one = one;
// observe egress: wire formal_busy = busy; wire formal_at_end = at_end; wire [`PLACE_BITS-1:0] formal_behind = behind; wire [`PLACE_BITS-1:0] formal_end = end_; wire [2:0] formal_valid = {valid_3, valid_2, valid_1};
// observe egress: wire [15:0] formal_on_the_way = on_the_way; wire formal_credit = credit; wire formal_mark = mark; wire [15:0] formal_length = length; wire [`MOST_BITS-1:0] formal_most = most; wire [1023:0] formal_beat = beat_3;
module formal_frames (
  input wire clock,
  input wire reset,
  input wire s_frame_tvalid,
  input wire [`DATA_BITS-1:0] s_frame_tdata,
  input wire [`BYTES-1:0] s_frame_tkeep,
  input wire s_frame_tlast,
  input wire s_frame_tuser,
  input wire m_frame_tready,
  input wire item_tready,
  input wire verdict_tvalid,
  input wire verdict_seen,
  input wire choose,      // watch the frame that is kept now
  input wire choose_out   // watch the beat that comes to the stream's queue now
);
  wire s_frame_tready, m_frame_tvalid, m_frame_tlast, item_tvalid, verdict_tready;
  wire [`DATA_BITS-1:0] m_frame_tdata;
  wire [`BYTES-1:0] m_frame_tkeep;
  wire [15:0] m_frame_tuser;
  wire [`KEY_BITS-1:0] item_tdata;
  wire [1:0] item_tuser;
  `DUT dut (
    .clock(clock), .reset(reset),
    .s_frame_tvalid(s_frame_tvalid), .s_frame_tready(s_frame_tready), .s_frame_tdata(s_frame_tdata), .s_frame_tkeep(s_frame_tkeep),
    .s_frame_tlast(s_frame_tlast), .s_frame_tuser(s_frame_tuser),
    .m_frame_tvalid(m_frame_tvalid), .m_frame_tready(m_frame_tready), .m_frame_tdata(m_frame_tdata), .m_frame_tkeep(m_frame_tkeep),
    .m_frame_tlast(m_frame_tlast), .m_frame_tuser(m_frame_tuser),
    .item_tvalid(item_tvalid), .item_tready(item_tready), .item_tdata(item_tdata), .item_tuser(item_tuser),
    .verdict_tvalid(verdict_tvalid), .verdict_tready(verdict_tready), .verdict_seen(verdict_seen)
  );
  localparam CLASS = `PLACE_BITS + `MOST_BITS;
  localparam FRAME = CLASS + 44;
  localparam BEAT = `DATA_BITS + 17 + `MOST_BITS;
  (* hierconn *) wire \dut.store_keep ;
  (* hierconn *) wire \dut.front_valid_out ;
  (* hierconn *) wire \dut.front_last_out ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store.formal_kept ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store.formal_write ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store.formal_after ;
  (* hierconn *) wire \dut.store.formal_begun ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.store_end_ ;
  (* hierconn *) wire [FRAME-1:0] \dut.descriptor ;
  (* hierconn *) wire [`DATA_BITS-1:0] \dut.buffer_read_data ;
  (* hierconn *) wire \dut.egress.formal_mark ;
  (* hierconn *) wire [15:0] \dut.egress.formal_length ;
  (* hierconn *) wire [`MOST_BITS-1:0] \dut.egress.formal_most ;
  (* hierconn *) wire [BEAT-1:0] \dut.egress.formal_beat ;
  (* hierconn *) wire [BEAT-1:0] \dut.egress.out_data ;
  (* hierconn *) wire [15:0] \dut.egress.out.memory.formal_address ;
  (* hierconn *) wire [1023:0] \dut.egress.out.memory.formal_data ;
  (* hierconn *) wire [15:0] \dut.egress.out.memory.formal_newest ;
  (* hierconn *) wire [1023:0] \dut.egress.out.memory.formal_newest_data ;
  (* hierconn *) wire \dut.store_keep_key ;
  (* hierconn *) wire \dut.keys_full ;
  (* hierconn *) wire \dut.frames_full ;
  (* hierconn *) wire \dut.egress_take ;
  (* hierconn *) wire [FRAME-1:0] \dut.frames_frame ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.egress_read ;
  (* hierconn *) wire [`PLACE_BITS-2:0] \dut.egress_read_address ;
  (* hierconn *) wire \dut.frames.formal_next_valid ;
  (* hierconn *) wire [1023:0] \dut.frames.formal_next_frame ;
  (* hierconn *) wire [15:0] \dut.frames.waiting.formal_write ;
  (* hierconn *) wire [15:0] \dut.frames.waiting.formal_read ;
  (* hierconn *) wire \dut.frames.waiting.formal_some ;
  (* hierconn *) wire \dut.frames.waiting.formal_one ;
  (* hierconn *) wire \dut.frames.waiting_full ;
  (* hierconn *) wire \dut.frames.waiting_valid ;
  (* hierconn *) wire [FRAME-1:0] \dut.frames.waiting_data ;
  (* hierconn *) wire [15:0] \dut.frames.waiting.memory.formal_address ;
  (* hierconn *) wire [1023:0] \dut.frames.waiting.memory.formal_data ;
  (* hierconn *) wire \dut.frames.known.formal_some ;
  (* hierconn *) wire \dut.frames.known.formal_read_odd ;
  (* hierconn *) wire \dut.frames.known.formal_write_odd ;
  (* hierconn *) wire [1023:0] \dut.frames.known.formal_even ;
  (* hierconn *) wire [1023:0] \dut.frames.known.formal_odd ;
  (* hierconn *) wire \dut.frames.known_full ;
  (* hierconn *) wire \dut.frames.known_valid ;
  (* hierconn *) wire \dut.frames.goes ;
  (* hierconn *) wire [FRAME-1:0] \dut.frames.known_data ;
  (* hierconn *) wire \dut.egress.formal_busy ;
  (* hierconn *) wire \dut.egress.formal_at_end ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.egress.formal_behind ;
  (* hierconn *) wire [`PLACE_BITS-1:0] \dut.egress.formal_end ;
  (* hierconn *) wire \dut.egress.reads ;
  (* hierconn *) wire \dut.egress.ends ;
  (* hierconn *) wire \dut.egress.drops ;
  (* hierconn *) wire [2:0] \dut.egress.formal_valid ;
  (* hierconn *) wire [15:0] \dut.egress.formal_on_the_way ;
  (* hierconn *) wire \dut.egress.formal_credit ;
  (* hierconn *) wire [15:0] \dut.egress.out.formal_write ;
  (* hierconn *) wire [15:0] \dut.egress.out.formal_read ;
  (* hierconn *) wire \dut.egress.out.formal_some ;
  (* hierconn *) wire \dut.egress.out.formal_one ;
  (* hierconn *) wire \dut.egress.out_full ;
  (* hierconn *) wire \dut.egress.out_valid ;

  // Entries of the queues' memories.
  wire [`QUEUE_BITS-1:0] waiting_ahead = dut.frames.waiting.formal_write - dut.frames.waiting.formal_read;
  wire [15:0] waiting = dut.frames.waiting_full ? 1 << `QUEUE_BITS : waiting_ahead;
  wire [15:0] known = dut.frames.known.formal_some + dut.frames.known_full;
  wire [3:0] out_ahead = dut.egress.out.formal_write - dut.egress.out.formal_read;
  wire [15:0] out = dut.egress.out_full ? 16 : out_ahead;
  always @* begin
    assert (dut.frames.waiting.formal_some == (waiting != 0) && (!dut.frames.waiting_full || waiting_ahead == 0));
    assert (!dut.frames.known_full || dut.frames.known.formal_some);
    assert ((dut.frames.known.formal_read_odd == dut.frames.known.formal_write_odd) == (dut.frames.known_full || !dut.frames.known.formal_some));
    assert (dut.egress.out.formal_some == (out != 0) && (!dut.egress.out_full || out_ahead == 0));
    assert ((waiting == 0 || dut.frames.waiting.formal_one == (waiting == 1)) && (out == 0 || dut.egress.out.formal_one == (out == 1)));
  end

  // Frames: kept and not yet taken, in order.
  wire keep = dut.store_keep;
  wire take = dut.egress_take;
  reg [15:0] frames; initial frames = 0;
  always @(posedge clock) frames <= reset ? 0 : frames + keep - take;
  wire [15:0] early = known + dut.frames.known_valid;  // their class is known
  wire [15:0] middle = early + dut.frames.formal_next_valid;
  always @* begin
    assume (!dut.front_last_out || dut.front_valid_out);
    frame_not_invented: assert (!take || frames != 0);
    few_frames: assert (frames <= (1 << `QUEUE_BITS) + 5);
    frame_has_a_place: assert (!keep || !dut.frames_full);
    key_has_a_place: assert (!dut.store_keep_key || !dut.keys_full);
    known_has_a_place: assert (!dut.frames.goes || !dut.frames.known_full);
    // What makes the induction go through.
    assert (frames == middle + dut.frames.waiting_valid + waiting);
  end

  // One frame, chosen when it is kept, and the one behind it.
  localparam [FRAME-1:0] SEEN = 1 << CLASS;
  reg watching; initial watching = 0;
  reg inside; initial inside = 0;     // it is not yet taken
  reg [15:0] ahead;                   // frames before it
  reg [FRAME-1:0] its;
  reg [`PLACE_BITS-1:0] its_start;
  reg follows; initial follows = 0;   // the one behind it is there
  reg [`PLACE_BITS-1:0] start;        // its first place
  wire own = inside && take && ahead == 0;
  wire next = watching && !inside && take;
  wire chosen = choose && keep && !watching;
  always @(posedge clock) begin
    if (chosen) begin
      watching <= 1;
      inside <= 1;
      ahead <= frames - take;
      its <= dut.descriptor;
      its_start <= dut.store.formal_kept;
      follows <= 0;
    end else begin
      if (inside && take) ahead <= ahead - 1;
      if (own) inside <= 0;
      if (watching && keep && !follows) begin
        follows <= 1;
        start <= dut.store.formal_kept;
      end
      if (next) watching <= 0;
    end
    if (reset) begin
      watching <= 0;
      inside <= 0;
    end
  end
  wire [`PLACE_BITS-1:0] last = its;
  wire busy = dut.egress.formal_busy;
  wire [`PLACE_BITS-1:0] place = dut.egress_read;
  wire same = ((dut.frames_frame ^ its) & ~(its[CLASS+3] ? SEEN : 0)) == 0;
  wire [15:0] in_waiting = ahead - middle - dut.frames.waiting_valid;
  wire [15:0] in_known = ahead - dut.frames.known_valid;
  assign dut.frames.waiting.memory.formal_address = (dut.frames.waiting.formal_read + in_waiting) % (1 << `QUEUE_BITS);
  wire [FRAME-1:0] stored = ahead < early ? (ahead == 0 && dut.frames.known_valid ? dut.frames.known_data : in_known[0] != dut.frames.known.formal_read_odd ? dut.frames.known.formal_odd : dut.frames.known.formal_even)
    : ahead < middle ? dut.frames.formal_next_frame
    : ahead == middle && dut.frames.waiting_valid ? dut.frames.waiting_data : dut.frames.waiting.memory.formal_data;
  wire [FRAME-1:0] differs = stored ^ its;
  reg was_reset, was_read, was_dropped; initial begin was_reset = 0; was_read = 0; was_dropped = 0; end // in the clock before
  reg [`PLACE_BITS-1:0] old_place; initial old_place = 0;
  always @(posedge clock) begin
    was_reset <= reset;
    was_read <= dut.egress.reads;
    was_dropped <= dut.egress.drops;
    old_place <= place;
  end
  // Of the frame that was taken in the clock before, as frame_in_its_turn, frame_behind_frame and told_single say it of any in that clock.
  wire [`PLACE_BITS-1:0] taken_last = dut.frames_frame;
  reg told; initial told = 1;
  always @(posedge clock) told <= reset || !take || dut.frames_frame[FRAME-1] == (taken_last == (busy ? dut.egress.formal_behind : place));
  reg none_kept, none_taken; initial begin none_kept = 1; none_taken = 1; end // since reset
  always @(posedge clock) begin
    none_kept <= reset || (none_kept && !keep);
    none_taken <= reset || (none_taken && !take);
  end
  always @* begin
    assume (told);
    assume (dut.store.formal_begun == (dut.store.formal_write != dut.store.formal_kept));
    told_single: assert (!inside || its[FRAME-1] == (last == its_start));
    frame_in_its_turn: assert (!own || same);
    beat_behind_beat: assert (was_reset || was_dropped || place == old_place + was_read);
    first_frame_at_0: assert ((!none_kept || dut.store.formal_kept == 0) && (!none_taken || (place == 0 && !busy)));
    read_where_it_lies: assert (dut.egress_read_address == place[`PLACE_BITS-2:0]);
    frame_behind_frame: assert (!next || (follows && (busy ? place + 1'b1 : place) == start));
    // What makes the induction go through.
    assert (!inside || (watching && ahead < frames));
    assert (!inside || (differs & ~(ahead < early && its[CLASS+3] ? SEEN : 0)) == 0);
    assert (!watching || (follows ? frames > (inside ? ahead + 1 : 0) : frames == (inside ? ahead + 1 : 0)));
    assert (!watching || (follows ? start : dut.store.formal_kept) == (last + 1'b1) % (1 << `PLACE_BITS));
    assert (!watching || inside || (busy ? dut.egress.formal_end == last : place == (last + 1'b1) % (1 << `PLACE_BITS)));
    assert (dut.store.formal_after == (dut.store.formal_write + 1'b1) % (1 << `PLACE_BITS));
    assert (dut.egress.formal_at_end == (busy && place == dut.egress.formal_end));
    assert (dut.egress.formal_behind == (place + 1'b1) % (1 << `PLACE_BITS));
  end

  // Beats: read and not yet taken.
  integer i;
  wire beat = m_frame_tvalid && m_frame_tready;
  wire [15:0] moving = dut.egress.formal_valid[0] + dut.egress.formal_valid[1] + dut.egress.formal_valid[2];
  reg [15:0] beats; initial beats = 0;
  always @(posedge clock) beats <= reset ? 0 : beats + dut.egress.reads - beat;
  always @* begin
    beat_not_invented: assert (!m_frame_tvalid || beats != 0);
    beat_has_a_place: assert (!dut.egress.formal_valid[2] || !dut.egress.out_full);
    // What makes the induction go through.
    assert (beats == moving + out + m_frame_tvalid);
    assert (dut.egress.formal_on_the_way == moving + out && moving + out <= 16);
    assert (dut.egress.formal_credit == (moving + out <= 15));
  end

  // From a read to the stream's queue.
  reg [2:0] reads; initial reads = 0;
  reg [`MOST_BITS+17:0] said_1, said_2, said_3;
  reg [`DATA_BITS-1:0] data_3;
  always @(posedge clock) begin
    reads <= reset ? 0 : {reads, dut.egress.reads};
    said_1 <= {dut.egress.formal_mark, dut.egress.formal_length, dut.egress.ends, dut.egress.ends ? dut.egress.formal_most : {`MOST_BITS{1'b1}}};
    said_2 <= said_1;
    said_3 <= said_2;
    data_3 <= dut.buffer_read_data;
  end
  wire marked = said_3[`MOST_BITS+17];
  always @* begin
    assert (dut.egress.formal_valid == reads);
    beat_says: assert (!reads[2] || dut.egress.formal_beat[`MOST_BITS+16:0] == said_3[`MOST_BITS+16:0]);
    beat_unchanged: assert (!reads[2] || marked || dut.egress.formal_beat[BEAT-1:`MOST_BITS+17] == data_3);
  end

  // A frame that has begun does not run dry: where a read is left out within a frame, the queue is full enough. Bit i: as it was i clocks ago.
  reg [3:0] within; initial within = 0; // the last read was of a beat that is not its frame's last
  reg [2:0] skipped; initial skipped = 0; // and there was none
  reg beat_taken, last_taken; initial begin beat_taken = 0; last_taken = 0; end
  always @(posedge clock) begin
    within <= reset ? 0 : {within, dut.egress.reads ? !dut.egress.ends : within[0]};
    skipped <= reset ? 0 : {skipped, within[0] && !dut.egress.reads};
    beat_taken <= beat && !reset;
    last_taken <= m_frame_tlast;
  end
  assign dut.egress.out.memory.formal_newest = (dut.egress.out.formal_write + 15) % 16;
  wire [BEAT-1:0] newest = dut.egress.out.memory.formal_newest_data;
  always @* begin
    frame_without_gap: assert (!beat_taken || last_taken || m_frame_tvalid);
    // What makes the induction go through.
    assert (!within[0] || busy);
    for (i = 0; i < 3; i = i + 1) assert (!skipped[i] || moving + out >= 15 - i);
    assert (out != 0 ? within[3] == !newest[`MOST_BITS] : !m_frame_tvalid || within[3] == !m_frame_tlast);
  end

  // One beat for the stream, chosen when it comes to the queue.
  reg out_watched; initial out_watched = 0;
  reg [15:0] out_before;
  reg [BEAT-1:0] out_its;
  wire own_beat = out_watched && beat && out_before == 0;
  always @(posedge clock) begin
    if (choose_out && dut.egress.formal_valid[2] && !out_watched) begin
      out_watched <= 1;
      out_before <= out + m_frame_tvalid - beat;
      out_its <= dut.egress.formal_beat;
    end else begin
      if (out_watched && beat) out_before <= out_before - 1;
      if (own_beat) out_watched <= 0;
    end
    if (reset) out_watched <= 0;
  end
  assign dut.egress.out.memory.formal_address = (dut.egress.out.formal_read + out_before - m_frame_tvalid) % 16;
  reg [`BYTES-1:0] its_bytes; // those that are valid
  wire [BEAT-1:0] out_stored = out_before == 0 && m_frame_tvalid ? dut.egress.out_data : dut.egress.out.memory.formal_data;
  always @* begin
    for (i = 0; i < `BYTES; i = i + 1) its_bytes[i] = i <= out_its[`MOST_BITS-1:0];
    beat_in_its_turn: assert (!own_beat || {m_frame_tdata, m_frame_tuser, m_frame_tlast, m_frame_tkeep} == {out_its[BEAT-1:`MOST_BITS], its_bytes});
    // What makes the induction go through.
    assert (!out_watched || (out_before < out + m_frame_tvalid && out_stored == out_its));
  end

  // What is offered is held.
  reg beat_waited, item_waited; initial begin beat_waited = 0; item_waited = 0; end
  reg [`DATA_BITS+`BYTES+16:0] old_beat;
  reg [`KEY_BITS+1:0] old_item;
  always @(posedge clock) begin
    beat_waited <= m_frame_tvalid && !m_frame_tready && !reset;
    item_waited <= item_tvalid && !item_tready && !reset;
    old_beat <= {m_frame_tdata, m_frame_tkeep, m_frame_tlast, m_frame_tuser};
    old_item <= {item_tdata, item_tuser};
  end
  always @* begin
    beat_held: assert (!beat_waited || (m_frame_tvalid && old_beat == {m_frame_tdata, m_frame_tkeep, m_frame_tlast, m_frame_tuser}));
    item_held: assert (!item_waited || (item_tvalid && old_item == {item_tdata, item_tuser}));
    always_ready: assert (s_frame_tready == !was_reset);
  end
endmodule
