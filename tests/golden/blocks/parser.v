// Reads the words of each frame. The state after a frame's last beat is what was found, 4 clocks after that beat.
module parser (
  input  wire         clock,
  input  wire         reset,     // a frame begins
  input  wire         valid,     // a beat
  input  wire         last,      // the last of its frame
  input  wire [7:0]   data,
  input  wire         bad,       // of a bad one
  input  wire         most,      // its last valid byte
  output wire         valid_out, // the beat, as late as what was found
  output wire         last_out,
  output wire         bad_out,
  output wire         most_out,
  output wire [7:0]   data_out,
  output wire [88:0]  finding,   // state after that beat
  output wire [103:0] key,
  output reg          zeroes,    // bytes of it that change from hop to hop
  output wire         before_    // bytes of the beats before do, too
);
  localparam [109:0] read_once = 110'h1fffffffffffffffffffffffffff; // the word is read in one clock
  localparam         no_zeroes = 1'b0;
  localparam         byte_3    = 1'b1;
  localparam [88:0]  initial_  = 89'h200;                           // before the word at byte 10
  localparam [103:0] no_key    = 104'd0;

  reg [109:0] facts_r_0;
  reg [31:0]  looks_r_0;
  reg [31:0]  words_r_0;
  reg [2:0]   part_r_0;
  reg         valid_r_0;
  reg         valid_r_1;
  reg         valid_r_2;
  reg         last_r_0;
  reg         last_r_1;
  reg         last_r_2;
  reg [88:0]  state;
  reg [103:0] key_r;
  reg         cut;        // reset in the clock before
  reg [88:0]  finding_r;
  reg         hops_4_r_0;
  reg         hops_6_r_0;

  wire         beats_valid_out;
  wire         beats_last_out;
  wire         beats_bad_out;
  wire         beats_most_out;
  wire [7:0]   beats_data_out;
  wire [31:0]  feed_word_0;
  wire [4:0]   feed_place_0;
  wire [5:0]   feed_second_0;
  wire         feed_whole_0;
  wire [109:0] facts_0_facts;
  wire [31:0]  looks_0_look;
  wire [88:0]  steps_0_stepped;
  wire         steps_0_header;
  wire         steps_0_six_header;
  wire [3:0]   steps_0_header_step;
  wire         steps_0_ports;
  wire         steps_0_hops_4;
  wire         steps_0_hops_6;
  wire [2:0]   parts_0_part;
  wire [103:0] captures_0_captured;

  beat_delay beats (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid),
    .last      (last),
    .bad       (bad),
    .most      (most),
    .data      (data),
    .valid_out (beats_valid_out),
    .last_out  (beats_last_out),
    .bad_out   (beats_bad_out),
    .most_out  (beats_most_out),
    .data_out  (beats_data_out)
  );

  word_feed feed (
    .clock    (clock),
    .reset    (reset),
    .valid    (valid),
    .last     (last),
    .data     (data),
    .most     (most),
    .word_0   (feed_word_0),
    .place_0  (feed_place_0),
    .second_0 (feed_second_0),
    .whole_0  (feed_whole_0)
  );

  word_facts facts_0 (
    .word   (feed_word_0),
    .place  (feed_place_0),
    .second (feed_second_0),
    .whole  (feed_whole_0),
    .facts  (facts_0_facts)
  );

  parser_look looks_0 (
    .state (state),
    .facts (facts_r_0),
    .look  (looks_0_look)
  );

  parser_step steps_0 (
    .state       (state),
    .facts       (facts_r_0),
    .look        (looks_r_0),
    .stepped     (steps_0_stepped),
    .header      (steps_0_header),
    .six_header  (steps_0_six_header),
    .header_step (steps_0_header_step),
    .ports       (steps_0_ports),
    .hops_4      (steps_0_hops_4),
    .hops_6      (steps_0_hops_6)
  );

  key_part parts_0 (
    .in_header (steps_0_header),
    .six       (steps_0_six_header),
    .step      (steps_0_header_step),
    .ports     (steps_0_ports),
    .part      (parts_0_part)
  );

  key_capture captures_0 (
    .key      (key_r),
    .word     (words_r_0),
    .part     (part_r_0),
    .captured (captures_0_captured)
  );

  // the key, a clock behind
  assign key = captures_0_captured;
  assign before_ = hops_4_r_0;
  assign valid_out = beats_valid_out;
  assign last_out = beats_last_out;
  assign bad_out = beats_bad_out;
  assign most_out = beats_most_out;
  assign data_out = beats_data_out;
  assign finding = finding_r;

  initial begin
    facts_r_0 = 110'd0;
    looks_r_0 = 32'd0;
    words_r_0 = 32'd0;
    part_r_0 = 3'd0;
    valid_r_0 = 1'b0;
    valid_r_1 = 1'b0;
    valid_r_2 = 1'b0;
    last_r_0 = 1'b0;
    last_r_1 = 1'b0;
    last_r_2 = 1'b0;
    state = 89'h200;
    key_r = 104'd0;
    cut = 1'b0;
    finding_r = 89'h200;
    hops_4_r_0 = 1'b0;
    hops_6_r_0 = 1'b0;
  end

  always @* begin
    // bytes that change from hop to hop: TTL, checksum and hop limit are bytes 0, 2 and 3 of their words
    zeroes = no_zeroes;
    if (hops_4_r_0 || hops_6_r_0) begin
      zeroes = byte_3;
    end
  end

  always @(posedge clock) begin
    valid_r_0 <= valid;
    last_r_0 <= last;
    valid_r_1 <= valid_r_0;
    last_r_1 <= last_r_0;
    valid_r_2 <= valid_r_1;
    last_r_2 <= last_r_1;
    if (reset) begin
      valid_r_0 <= 1'b0;
      valid_r_1 <= 1'b0;
      valid_r_2 <= 1'b0;
    end
    words_r_0 <= facts_r_0[31:0];
    part_r_0 <= parts_0_part;
    hops_4_r_0 <= steps_0_hops_4;
    hops_6_r_0 <= steps_0_hops_6;

    // a step takes two clocks, in which the facts stand
    facts_r_0 <= facts_r_0 & read_once;
    if (feed_whole_0) begin
      facts_r_0 <= facts_0_facts;
    end
    looks_r_0 <= looks_0_look;
    finding_r <= steps_0_stepped;
    if (valid_r_2) begin
      state <= steps_0_stepped;
    end
    if ((valid_r_2 && last_r_2) || reset) begin
      state <= initial_;
    end
    if (beats_valid_out) begin
      key_r <= captures_0_captured;
    end

    // cleared a clock after a reset: no word comes sooner
    cut <= reset;
    if (beats_last_out || cut) begin
      key_r <= no_key;
    end
  end
endmodule
