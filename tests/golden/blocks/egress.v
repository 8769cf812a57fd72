// Frames out of the buffer by the policies of their classes: passed, dropped or marked. A frame that has begun leaves without a gap.
module egress (
  input  wire        clock,
  input  wire        reset,         // no frame
  input  wire        frame_valid,   // the next frame's class is known
  input  wire [59:0] frame,         // what is known of it
  output wire        take,          // its turn has come
  input  wire        follows,       // in the next clock the next frame is that of class_behind
  input  wire [2:0]  class_behind,  // class of the frame after the oldest
  input  wire [13:0] policy_0,      // policy of class 0
  input  wire [13:0] policy_1,      // policy of class 1
  input  wire [13:0] policy_2,      // policy of class 2
  input  wire [13:0] policy_3,      // policy of class 3
  input  wire [13:0] policy_4,      // policy of class 4
  input  wire [13:0] policy_5,      // policy of class 5
  input  wire [13:0] policy_6,      // policy of class 6
  input  wire [13:0] policy_7,      // policy of class 7
  output wire [14:0] read,          // place that is read next; those before are free
  output wire [13:0] read_address,  // beat to read
  input  wire [7:0]  read_data,     // it, two clocks later
  output wire        m_tvalid,      // frames
  input  wire        m_tready,
  output wire [7:0]  m_tdata,
  output wire        m_tkeep,
  output wire        m_tlast,
  output wire [15:0] m_tuser,       // bytes of the frame
  output wire        frame_taken_0, // a frame of class 0 met its policy
  output wire        frame_taken_1, // a frame of class 1 met its policy
  output wire        frame_taken_2, // a frame of class 2 met its policy
  output wire        frame_taken_3, // a frame of class 3 met its policy
  output wire        frame_taken_4, // a frame of class 4 met its policy
  output wire        frame_taken_5, // a frame of class 5 met its policy
  output wire        frame_taken_6, // a frame of class 6 met its policy
  output wire        frame_taken_7, // a frame of class 7 met its policy
  output wire        dropped,       // and was dropped
  output wire        marked         // and is marked
);
  localparam [6:0]  lane_0      = 7'd0;
  localparam [31:0] no_lanes    = 32'd0;
  localparam [1:0]  drop_action = 2'd1;
  localparam [1:0]  mark_action = 2'd2;
  localparam [15:0] ipv4_dscp   = 16'hfc;
  localparam [15:0] ipv6_dscp   = 16'hfc0;
  localparam [8:0]  no_index    = 9'd0;
  localparam [8:0]  beyond      = 9'h7e;
  localparam [6:0]  three       = 7'd3;
  localparam [14:0] nowhere     = 15'd0;
  localparam [14:0] second      = 15'd1;
  localparam [4:0]  none_out    = 5'd0;
  localparam [4:0]  most_out    = 5'd15;   // beats on the way with which one more may follow in the next clock
  localparam        all         = 1'b1;    // all bytes

  reg        busy;         // a frame is read
  reg [14:0] place;        // its next beat
  reg [14:0] end_;         // its last
  reg        at_end;       // a frame is read, and the two are the same
  reg [14:0] behind;       // the beat behind its next
  reg        most;         // last byte of that
  reg [15:0] length;       // bytes of the frame
  reg        mark;         // it is marked
  reg        six;
  reg [6:0]  ip_place;     // word with the DSCP
  reg [6:0]  sum_place;    // word that begins with the checksum
  reg [16:0] sum;          // ones' complement sum that the new checksum is the complement of, before its end-around carry
  reg [5:0]  dscp;
  reg [8:0]  index;        // beats of it that are read, as far as a mark may reach
  reg        drop_by_0;    // the policy of class 0 drops
  reg        drop_by_1;    // the policy of class 1 drops
  reg        drop_by_2;    // the policy of class 2 drops
  reg        drop_by_3;    // the policy of class 3 drops
  reg        drop_by_4;    // the policy of class 4 drops
  reg        drop_by_5;    // the policy of class 5 drops
  reg        drop_by_6;    // the policy of class 6 drops
  reg        drop_by_7;    // the policy of class 7 drops
  reg        mark_by_0;    // that of class 0 marks
  reg        mark_by_1;    // that of class 1 marks
  reg        mark_by_2;    // that of class 2 marks
  reg        mark_by_3;    // that of class 3 marks
  reg        mark_by_4;    // that of class 4 marks
  reg        mark_by_5;    // that of class 5 marks
  reg        mark_by_6;    // that of class 6 marks
  reg        mark_by_7;    // that of class 7 marks
  reg [5:0]  dscp_by_0;    // DSCP of its mark, class 0
  reg [5:0]  dscp_by_1;    // DSCP of its mark, class 1
  reg [5:0]  dscp_by_2;    // DSCP of its mark, class 2
  reg [5:0]  dscp_by_3;    // DSCP of its mark, class 3
  reg [5:0]  dscp_by_4;    // DSCP of its mark, class 4
  reg [5:0]  dscp_by_5;    // DSCP of its mark, class 5
  reg [5:0]  dscp_by_6;    // DSCP of its mark, class 6
  reg [5:0]  dscp_by_7;    // DSCP of its mark, class 7
  reg        followed;     // the oldest frame was class_behind's in the clock before
  reg        oldest_drops; // policy of the class of frame, as of the clock before: drop
  reg        oldest_marks; // mark
  reg [5:0]  oldest_dscp;  // DSCP of the mark
  reg        behind_drops; // policy of class_behind, as of the clock before: drop
  reg        behind_marks; // mark
  reg [5:0]  behind_dscp;  // DSCP of the mark
  reg [2:0]  class_r;
  reg        taken_r;
  reg        dropped_r;
  reg        marked_r;
  reg        valid_1;
  reg        last_1;
  reg        most_1;
  reg [15:0] length_1;
  reg        head_here_0;
  reg        sum_here_0;
  reg [15:0] head_mask;    // bits of the half that are the DSCP
  reg [15:0] head_value;
  reg [15:0] sum_value;
  reg [1:0]  byte_1;       // byte of its word, at 8 bits
  reg        valid_2;
  reg        last_2;
  reg        most_2;
  reg [15:0] length_2;
  reg [7:0]  mask_2;
  reg [7:0]  value_2;
  reg        valid_3;
  reg [25:0] beat_3;
  reg [4:0]  on_the_way;   // beats that are read and not out of the queue's memory
  reg        credit;       // the queue has a place for one more

  reg         dropping;        // policy of the frame whose turn it is: drop
  reg         marking;         // mark
  reg  [5:0]  mark_dscp;       // DSCP of the mark
  wire        takes;
  wire        drops;
  wire        marks;
  wire        reads;
  wire        ends;
  wire [15:0] new_checksum;    // RFC 1624
  wire [6:0]  first_word;      // number of the beat's first word
  wire [4:0]  byte_place;
  reg  [31:0] mask;
  reg  [31:0] value;
  reg  [4:0]  after;
  wire        keep;
  wire [31:0] patches_0_mask;
  wire [31:0] patches_0_value;
  wire        out_full;
  wire        out_valid;
  wire [25:0] out_data;
  wire        out_loads;
  wire [31:0] mask_2_term;
  wire [31:0] value_2_term;

  word_patch patches_0 (
    .head_here  (head_here_0),
    .head_mask  (head_mask),
    .head_value (head_value),
    .sum_here   (sum_here_0),
    .sum_value  (sum_value),
    .mask       (patches_0_mask),
    .value      (patches_0_value)
  );

  egress_queue out (
    .clock   (clock),
    .reset   (reset),
    .push    (valid_3),
    .data_in (beat_3),
    .full    (out_full),
    .valid   (out_valid),
    .data    (out_data),
    .take    (m_tready),
    .loads   (out_loads)
  );

  assign mask_2_term = mask >> byte_place;
  assign value_2_term = value >> byte_place;
  // a frame's turn comes with the last read of the one before
  assign reads = busy && credit;
  assign ends = at_end && credit;
  assign takes = frame_valid && (!busy || ends);
  assign take = takes;
  assign drops = takes && dropping;
  assign marks = takes && marking && frame[20];
  assign read = place;
  assign read_address = place[13:0];
  assign frame_taken_0 = taken_r && (class_r == 3'd0);
  assign frame_taken_1 = taken_r && (class_r == 3'd1);
  assign frame_taken_2 = taken_r && (class_r == 3'd2);
  assign frame_taken_3 = taken_r && (class_r == 3'd3);
  assign frame_taken_4 = taken_r && (class_r == 3'd4);
  assign frame_taken_5 = taken_r && (class_r == 3'd5);
  assign frame_taken_6 = taken_r && (class_r == 3'd6);
  assign frame_taken_7 = taken_r && (class_r == 3'd7);
  assign dropped = dropped_r;
  assign marked = marked_r;
  assign new_checksum = sum[15:0] + {15'd0, sum[16]};
  assign first_word = index[8:2];
  assign byte_place = {3'd0, byte_1} << 3;
  assign m_tuser = out_data[17:2];
  assign m_tvalid = out_valid;
  assign m_tlast = out_data[1];
  assign m_tdata = out_data[25:18];
  assign keep = 1'b1;
  assign m_tkeep = keep;

  initial begin
    busy = 1'b0;
    place = 15'd0;
    end_ = 15'd0;
    at_end = 1'b0;
    behind = 15'd1;
    most = 1'b0;
    length = 16'd0;
    mark = 1'b0;
    six = 1'b0;
    ip_place = 7'd0;
    sum_place = 7'd0;
    sum = 17'd0;
    dscp = 6'd0;
    index = 9'd0;
    drop_by_0 = 1'b0;
    drop_by_1 = 1'b0;
    drop_by_2 = 1'b0;
    drop_by_3 = 1'b0;
    drop_by_4 = 1'b0;
    drop_by_5 = 1'b0;
    drop_by_6 = 1'b0;
    drop_by_7 = 1'b0;
    mark_by_0 = 1'b0;
    mark_by_1 = 1'b0;
    mark_by_2 = 1'b0;
    mark_by_3 = 1'b0;
    mark_by_4 = 1'b0;
    mark_by_5 = 1'b0;
    mark_by_6 = 1'b0;
    mark_by_7 = 1'b0;
    dscp_by_0 = 6'd0;
    dscp_by_1 = 6'd0;
    dscp_by_2 = 6'd0;
    dscp_by_3 = 6'd0;
    dscp_by_4 = 6'd0;
    dscp_by_5 = 6'd0;
    dscp_by_6 = 6'd0;
    dscp_by_7 = 6'd0;
    followed = 1'b0;
    oldest_drops = 1'b0;
    oldest_marks = 1'b0;
    oldest_dscp = 6'd0;
    behind_drops = 1'b0;
    behind_marks = 1'b0;
    behind_dscp = 6'd0;
    class_r = 3'd0;
    taken_r = 1'b0;
    dropped_r = 1'b0;
    marked_r = 1'b0;
    valid_1 = 1'b0;
    last_1 = 1'b0;
    most_1 = 1'b0;
    length_1 = 16'd0;
    head_here_0 = 1'b0;
    sum_here_0 = 1'b0;
    head_mask = 16'd0;
    head_value = 16'd0;
    sum_value = 16'd0;
    byte_1 = 2'd0;
    valid_2 = 1'b0;
    last_2 = 1'b0;
    most_2 = 1'b0;
    length_2 = 16'd0;
    mask_2 = 8'd0;
    value_2 = 8'd0;
    valid_3 = 1'b0;
    beat_3 = 26'd0;
    on_the_way = 5'd0;
    credit = 1'b1;
  end

  always @* begin
    dropping = oldest_drops;
    marking = oldest_marks;
    mark_dscp = oldest_dscp;
    if (followed) begin
      dropping = behind_drops;
      marking = behind_marks;
      mark_dscp = behind_dscp;
    end
  end

  always @* begin
    // two clocks after it: the bits that change
    mask = no_lanes;
    mask = mask | patches_0_mask;
  end

  always @* begin
    value = no_lanes;
    value = value | patches_0_value;
  end

  always @* begin
    after = on_the_way;
    if (reads && !out_loads) begin
      after = on_the_way + 5'd1;
    end
    if (!reads && out_loads) begin
      after = on_the_way - 5'd1;
    end
  end

  always @(posedge clock) begin
    drop_by_0 <= policy_0[1:0] == drop_action;
    mark_by_0 <= policy_0[1:0] == mark_action;
    dscp_by_0 <= policy_0[13:8];
    drop_by_1 <= policy_1[1:0] == drop_action;
    mark_by_1 <= policy_1[1:0] == mark_action;
    dscp_by_1 <= policy_1[13:8];
    drop_by_2 <= policy_2[1:0] == drop_action;
    mark_by_2 <= policy_2[1:0] == mark_action;
    dscp_by_2 <= policy_2[13:8];
    drop_by_3 <= policy_3[1:0] == drop_action;
    mark_by_3 <= policy_3[1:0] == mark_action;
    dscp_by_3 <= policy_3[13:8];
    drop_by_4 <= policy_4[1:0] == drop_action;
    mark_by_4 <= policy_4[1:0] == mark_action;
    dscp_by_4 <= policy_4[13:8];
    drop_by_5 <= policy_5[1:0] == drop_action;
    mark_by_5 <= policy_5[1:0] == mark_action;
    dscp_by_5 <= policy_5[13:8];
    drop_by_6 <= policy_6[1:0] == drop_action;
    mark_by_6 <= policy_6[1:0] == mark_action;
    dscp_by_6 <= policy_6[13:8];
    drop_by_7 <= policy_7[1:0] == drop_action;
    mark_by_7 <= policy_7[1:0] == mark_action;
    dscp_by_7 <= policy_7[13:8];
    oldest_drops <= drop_by_0;
    oldest_marks <= mark_by_0;
    oldest_dscp <= dscp_by_0;
    behind_drops <= drop_by_0;
    behind_marks <= mark_by_0;
    behind_dscp <= dscp_by_0;
    if (frame[18:16] == 3'd1) begin
      oldest_drops <= drop_by_1;
      oldest_marks <= mark_by_1;
      oldest_dscp <= dscp_by_1;
    end
    if (class_behind == 3'd1) begin
      behind_drops <= drop_by_1;
      behind_marks <= mark_by_1;
      behind_dscp <= dscp_by_1;
    end
    if (frame[18:16] == 3'd2) begin
      oldest_drops <= drop_by_2;
      oldest_marks <= mark_by_2;
      oldest_dscp <= dscp_by_2;
    end
    if (class_behind == 3'd2) begin
      behind_drops <= drop_by_2;
      behind_marks <= mark_by_2;
      behind_dscp <= dscp_by_2;
    end
    if (frame[18:16] == 3'd3) begin
      oldest_drops <= drop_by_3;
      oldest_marks <= mark_by_3;
      oldest_dscp <= dscp_by_3;
    end
    if (class_behind == 3'd3) begin
      behind_drops <= drop_by_3;
      behind_marks <= mark_by_3;
      behind_dscp <= dscp_by_3;
    end
    if (frame[18:16] == 3'd4) begin
      oldest_drops <= drop_by_4;
      oldest_marks <= mark_by_4;
      oldest_dscp <= dscp_by_4;
    end
    if (class_behind == 3'd4) begin
      behind_drops <= drop_by_4;
      behind_marks <= mark_by_4;
      behind_dscp <= dscp_by_4;
    end
    if (frame[18:16] == 3'd5) begin
      oldest_drops <= drop_by_5;
      oldest_marks <= mark_by_5;
      oldest_dscp <= dscp_by_5;
    end
    if (class_behind == 3'd5) begin
      behind_drops <= drop_by_5;
      behind_marks <= mark_by_5;
      behind_dscp <= dscp_by_5;
    end
    if (frame[18:16] == 3'd6) begin
      oldest_drops <= drop_by_6;
      oldest_marks <= mark_by_6;
      oldest_dscp <= dscp_by_6;
    end
    if (class_behind == 3'd6) begin
      behind_drops <= drop_by_6;
      behind_marks <= mark_by_6;
      behind_dscp <= dscp_by_6;
    end
    if (frame[18:16] == 3'd7) begin
      oldest_drops <= drop_by_7;
      oldest_marks <= mark_by_7;
      oldest_dscp <= dscp_by_7;
    end
    if (class_behind == 3'd7) begin
      behind_drops <= drop_by_7;
      behind_marks <= mark_by_7;
      behind_dscp <= dscp_by_7;
    end
    followed <= follows;
    busy <= busy && !ends;
    if (reads) begin
      place <= behind;
      behind <= behind + 15'd1;
      at_end <= !at_end && (behind == end_);
      if (index != beyond) begin
        index <= index + 9'd1;
      end
    end
    if (takes) begin
      busy <= !dropping;
      at_end <= !dropping && frame[59];
      index <= no_index;
      end_ <= frame[14:0];
      most <= frame[15];
      length <= frame[58:43];
      mark <= marks;
      six <= frame[21];
      ip_place <= {2'd0, frame[26:22]};
      sum_place <= {2'd0, frame[26:22]} + three;
      sum <= {1'b0, frame[42:27]} + ({11'd0, mark_dscp} << 2);
      dscp <= mark_dscp;
    end
    if (drops) begin
      place <= frame[14:0] + 15'd1;
      behind <= frame[14:0] + 15'd2;
    end

    // what the counters count
    class_r <= frame[18:16];
    taken_r <= takes;
    dropped_r <= drops;
    marked_r <= marks;

    // the clock after a read: the mark, and the words of the beat that it changes
    valid_1 <= reads;
    last_1 <= ends;
    length_1 <= length;
    most_1 <= all;
    if (ends) begin
      most_1 <= most;
    end
    head_mask <= ipv4_dscp;
    head_value <= {10'd0, dscp} << 2;
    if (six) begin
      head_mask <= ipv6_dscp;
      head_value <= {10'd0, dscp} << 6;
    end
    sum_value <= ~new_checksum;
    byte_1 <= index[1:0];
    head_here_0 <= mark && ((first_word | lane_0) == ip_place);
    sum_here_0 <= mark && !six && ((first_word | lane_0) == sum_place);
    mask_2 <= mask_2_term[7:0];
    value_2 <= value_2_term[7:0];
    valid_2 <= valid_1;
    last_2 <= last_1;
    most_2 <= most_1;
    length_2 <= length_1;

    // with the data
    valid_3 <= valid_2;
    beat_3 <= {(read_data & ~mask_2) | value_2, length_2, last_2, most_2};
    on_the_way <= after;
    credit <= after <= most_out;
    if (reset) begin
      busy <= 1'b0;
      at_end <= 1'b0;
      place <= nowhere;
      behind <= second;
      taken_r <= 1'b0;
      dropped_r <= 1'b0;
      marked_r <= 1'b0;
      valid_1 <= 1'b0;
      valid_2 <= 1'b0;
      valid_3 <= 1'b0;
      on_the_way <= none_out;
      credit <= 1'b1;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, frame[19], policy_0[7:2], policy_1[7:2], policy_2[7:2], policy_3[7:2], policy_4[7:2], policy_5[7:2], policy_6[7:2], policy_7[7:2], out_full, out_data[0], mask_2_term[31:8], value_2_term[31:8]};
endmodule
