// The class of a frame, from what the parser found and the frame's length, three clocks after its last beat is here.
module frame_classifier (
  input  wire        clock,
  input  wire        reset,     // a frame begins
  input  wire        valid,     // a beat
  input  wire        last,      // the last of its frame
  input  wire        bad,       // of a bad one
  input  wire        most,      // its last valid byte
  input  wire [88:0] finding,   // the parser's state after it
  input  wire [15:0] max_frame, // register MAX_FRAME
  output wire [2:0]  class_,    // class of the frame that ended three clocks ago; 0: by its verdict
  output wire        keyed,     // it has a key
  output wire        is_ip,     // its parse ended with IP
  output wire        six,       // of version 6
  output wire [4:0]  ip_place,  // word that the IP header begins with
  output wire [15:0] adjust,    // to this a mark adds its DSCP, for the checksum of IPv4
  output wire [15:0] bytes      // bytes of the frame
);
  localparam [3:0]  end_mode      = 4'd8;
  localparam [1:0]  end_no_ip     = 2'd0;
  localparam [1:0]  end_ip        = 2'd1;
  localparam [1:0]  end_malformed = 2'd2;
  localparam [1:0]  end_too_deep  = 2'd3;
  localparam [17:0] no_bytes      = 18'd0;
  localparam [17:0] beat_bytes    = 18'd1;
  localparam [17:0] ipv6_header   = 18'h28;
  localparam [17:0] two           = 18'd2;
  localparam        wanted_six    = 1'b0;
  localparam [2:0]  unseen        = 3'd0;
  localparam [2:0]  other         = 3'd2;
  localparam [2:0]  truncated     = 3'd3;
  localparam [2:0]  malformed     = 3'd4;
  localparam [2:0]  too_deep      = 3'd5;
  localparam [2:0]  oversize      = 3'd6;
  localparam [2:0]  bad_class     = 3'd7;

  reg [17:0] count;       // bytes of the frame before this beat
  reg [17:0] bytes_1;     // bytes of the frame
  reg [17:0] packet_1;    // of the IP packet, as its header says
  reg [17:0] from_ip_1;   // of the frame from its IP header on
  reg [17:0] reach_1;     // of the IP packet that its headers take
  reg [16:0] sum_1;
  reg        bad_1;
  reg        waits_1;     // the parser waits for a word
  reg        is_ip_1;
  reg        no_ip_1;
  reg        malformed_1;
  reg        deep_1;
  reg        in_ip_1;
  reg        six_1;
  reg [4:0]  place_1;
  reg        short_2;     // the frame ends before the IP packet
  reg [15:0] sum_2;
  reg        bad_2;
  reg        above_2;     // upper part of the frame's bytes above that of MAX_FRAME
  reg        level_2;     // the same as that
  reg        above_low_2; // lower part above
  reg        waits_2;
  reg        is_ip_2;
  reg        no_ip_2;
  reg        malformed_2;
  reg        deep_2;
  reg        six_2;
  reg [4:0]  place_2;
  reg [2:0]  class_r;
  reg        keyed_r;
  reg        is_ip_3;
  reg        six_3;
  reg [4:0]  place_3;
  reg [15:0] sum_3;
  reg [15:0] bytes_2;
  reg [15:0] bytes_3;

  wire        ended;
  wire [17:0] total;    // and with it
  wire [15:0] old_dscp; // where it stands in its half
  wire [17:0] up_to_ip; // bytes before its IP header
  wire [17:0] high;     // the frame's bytes, their upper part
  wire [17:0] max_high; // that of MAX_FRAME
  wire        beyond;   // the headers say that they are longer than the IP packet
  reg  [2:0]  found;

  // length of the frame
  assign total = count + 18'd1;

  // first clock: what the parse says, lengths in bytes
  assign ended = finding[3:0] == end_mode;
  assign up_to_ip = ({13'd0, finding[26:22]} << 2) | two;
  assign old_dscp = {10'd0, finding[71:66]} << 2;

  // second: headers against the packet, the frame against the longest
  assign beyond = in_ip_1 && (reach_1 > packet_1);
  assign high = bytes_1 >> 8;
  assign max_high = {2'd0, max_frame} >> 8;
  assign class_ = class_r;
  assign keyed = keyed_r;
  assign is_ip = is_ip_3;
  assign six = six_3;
  assign ip_place = place_3;
  assign adjust = sum_3;
  assign bytes = bytes_3;

  initial begin
    count = 18'd0;
    bytes_1 = 18'd0;
    packet_1 = 18'd0;
    from_ip_1 = 18'd0;
    reach_1 = 18'd0;
    sum_1 = 17'd0;
    bad_1 = 1'b0;
    waits_1 = 1'b0;
    is_ip_1 = 1'b0;
    no_ip_1 = 1'b0;
    malformed_1 = 1'b0;
    deep_1 = 1'b0;
    in_ip_1 = 1'b0;
    six_1 = 1'b0;
    place_1 = 5'd0;
    short_2 = 1'b0;
    sum_2 = 16'd0;
    bad_2 = 1'b0;
    above_2 = 1'b0;
    level_2 = 1'b0;
    above_low_2 = 1'b0;
    waits_2 = 1'b0;
    is_ip_2 = 1'b0;
    no_ip_2 = 1'b0;
    malformed_2 = 1'b0;
    deep_2 = 1'b0;
    six_2 = 1'b0;
    place_2 = 5'd0;
    class_r = 3'd0;
    keyed_r = 1'b0;
    is_ip_3 = 1'b0;
    six_3 = 1'b0;
    place_3 = 5'd0;
    sum_3 = 16'd0;
    bytes_2 = 16'd0;
    bytes_3 = 16'd0;
  end

  always @* begin
    // third: the class
    found = unseen;
    if (no_ip_2 || (six_2 != wanted_six)) begin
      found = other;
    end
    if (waits_2 || short_2) begin
      found = truncated;
    end
    if (deep_2) begin
      found = too_deep;
    end
    if (malformed_2) begin
      found = malformed;
    end
    if (above_2 || (level_2 && above_low_2)) begin
      found = oversize;
    end
    if (bad_2) begin
      found = bad_class;
    end
  end

  always @(posedge clock) begin
    if (valid) begin
      if (!count[17]) begin
        count <= count + beat_bytes;
      end
      if (last) begin
        count <= no_bytes;
      end
    end
    if (reset) begin
      count <= no_bytes;
    end
    bytes_1 <= total;
    packet_1 <= {2'd0, finding[42:27]};
    if (finding[20]) begin
      packet_1 <= {2'd0, finding[42:27]} + ipv6_header;
    end
    from_ip_1 <= total - up_to_ip;
    reach_1 <= ({8'd0, finding[17:8]} - {13'd0, finding[26:22]}) << 2;
    sum_1 <= {1'b0, ~finding[87:72]} + {1'b0, ~old_dscp};
    bad_1 <= bad;
    waits_1 <= !ended;
    is_ip_1 <= ended && (finding[19:18] == end_ip);
    no_ip_1 <= ended && (finding[19:18] == end_no_ip);
    malformed_1 <= ended && (finding[19:18] == end_malformed);
    deep_1 <= ended && (finding[19:18] == end_too_deep);
    in_ip_1 <= finding[21];
    six_1 <= finding[20];
    place_1 <= finding[26:22];
    short_2 <= is_ip_1 && (from_ip_1 < packet_1);
    bytes_2 <= bytes_1[15:0];
    sum_2 <= sum_1[15:0] + {15'd0, sum_1[16]};
    bad_2 <= bad_1;
    above_2 <= high > max_high;
    level_2 <= high == max_high;
    above_low_2 <= bytes_1[7:0] > max_frame[7:0];
    waits_2 <= waits_1;
    is_ip_2 <= is_ip_1 && !beyond;
    no_ip_2 <= no_ip_1;
    malformed_2 <= malformed_1 || beyond;
    deep_2 <= deep_1;
    six_2 <= six_1;
    place_2 <= place_1;
    class_r <= found;
    keyed_r <= found == unseen;
    is_ip_3 <= is_ip_2;
    six_3 <= six_2;
    place_3 <= place_2;
    sum_3 <= sum_2;
    bytes_3 <= bytes_2;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, most, finding[7:4], finding[65:43], finding[88]};
endmodule
