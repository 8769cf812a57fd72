// Frames to classes and keys: both are here with the frame's last beat.
module front (
  input  wire         clock,
  input  wire         reset,     // a frame begins
  input  wire         valid,     // a beat
  input  wire         last,      // the last of its frame
  input  wire         bad,       // of a bad one
  input  wire         most,      // its last valid byte
  input  wire [7:0]   data,
  input  wire [15:0]  max_frame, // register MAX_FRAME
  output wire         valid_out, // the beat, later
  output wire         last_out,  // it, and it is the last of its frame
  output wire         most_out,
  output wire [7:0]   data_out,
  output wire [2:0]   class_,    // with the last beat: class, 0 for one with a key
  output wire         keyed,     // the frame has a key
  output wire         is_ip,     // its parse ended with IP
  output wire         six,       // of version 6
  output wire [4:0]   ip_place,  // word that the IP header begins with
  output wire [15:0]  adjust,    // to this a mark adds its DSCP, for the checksum of IPv4
  output wire [15:0]  bytes,     // bytes of the frame
  output wire [103:0] key
);
  wire         valid_p;             // the beat, with what was found up to it
  wire         last_p;
  wire         bad_p;
  wire         most_p;
  wire [7:0]   data_p;
  wire [88:0]  finding;
  wire [103:0] parsed_key;
  wire         zeroes;              // bytes of it that change from hop to hop
  wire         before_;             // bytes before it do, too
  wire [103:0] key_in;
  wire         narrow_0_valid_out;
  wire         narrow_0_last_out;
  wire         narrow_0_bad_out;
  wire         narrow_0_most_out;
  wire [7:0]   narrow_0_data_out;
  wire [88:0]  narrow_0_finding;
  wire [103:0] narrow_0_key;
  wire         narrow_0_zeroes;
  wire         narrow_0_before_;
  wire         beats_valid_out;
  wire         beats_last_out;
  wire         beats_bad_out;
  wire         beats_most_out;
  wire [7:0]   beats_data_out;
  wire [2:0]   classifier_class_;
  wire         classifier_keyed;
  wire         classifier_is_ip;
  wire         classifier_six;
  wire [4:0]   classifier_ip_place;
  wire [15:0]  classifier_adjust;
  wire [15:0]  classifier_bytes;
  wire [88:0]  next_input;
  wire [103:0] keys_q;
  wire [2:0]   late_class_q;
  wire         late_keyed_q;
  wire         late_is_ip_q;
  wire         late_six_q;
  wire [4:0]   late_place_q;
  wire [15:0]  late_adjust_q;
  wire [15:0]  late_bytes_q;

  parser narrow_0 (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid),
    .last      (last),
    .data      (data),
    .bad       (bad),
    .most      (most),
    .valid_out (narrow_0_valid_out),
    .last_out  (narrow_0_last_out),
    .bad_out   (narrow_0_bad_out),
    .most_out  (narrow_0_most_out),
    .data_out  (narrow_0_data_out),
    .finding   (narrow_0_finding),
    .key       (narrow_0_key),
    .zeroes    (narrow_0_zeroes),
    .before_   (narrow_0_before_)
  );

  // the beats
  beat_delay_2 beats (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid_p),
    .last      (last_p),
    .bad       (1'b0),
    .most      (most_p),
    .data      (data_p),
    .valid_out (beats_valid_out),
    .last_out  (beats_last_out),
    .bad_out   (beats_bad_out),
    .most_out  (beats_most_out),
    .data_out  (beats_data_out)
  );

  // the class
  frame_classifier classifier (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid_p),
    .last      (last_p),
    .bad       (bad_p),
    .most      (most_p),
    .finding   (finding),
    .max_frame (max_frame),
    .class_    (classifier_class_),
    .keyed     (classifier_keyed),
    .is_ip     (classifier_is_ip),
    .six       (classifier_six),
    .ip_place  (classifier_ip_place),
    .adjust    (classifier_adjust),
    .bytes     (classifier_bytes)
  );

  delay_104x3 keys (
    .clock (clock),
    .d     (key_in),
    .q     (keys_q)
  );

  delay_3x0 late_class (
    .clock (clock),
    .d     (classifier_class_),
    .q     (late_class_q)
  );

  delay_1x0 late_keyed (
    .clock (clock),
    .d     (classifier_keyed),
    .q     (late_keyed_q)
  );

  delay_1x0 late_is_ip (
    .clock (clock),
    .d     (classifier_is_ip),
    .q     (late_is_ip_q)
  );

  delay_1x0 late_six (
    .clock (clock),
    .d     (classifier_six),
    .q     (late_six_q)
  );

  delay_5x0 late_place (
    .clock (clock),
    .d     (classifier_ip_place),
    .q     (late_place_q)
  );

  delay_16x0 late_adjust (
    .clock (clock),
    .d     (classifier_adjust),
    .q     (late_adjust_q)
  );

  delay_16x0 late_bytes (
    .clock (clock),
    .d     (classifier_bytes),
    .q     (late_bytes_q)
  );

  assign valid_p = narrow_0_valid_out;
  assign last_p = narrow_0_last_out;
  assign bad_p = narrow_0_bad_out;
  assign most_p = narrow_0_most_out;
  assign data_p = narrow_0_data_out;
  assign finding = narrow_0_finding;
  assign parsed_key = narrow_0_key;
  assign zeroes = narrow_0_zeroes;
  assign before_ = narrow_0_before_;
  assign class_ = late_class_q;
  assign keyed = late_keyed_q;
  assign is_ip = late_is_ip_q;
  assign six = late_six_q;
  assign ip_place = late_place_q;
  assign adjust = late_adjust_q;
  assign bytes = late_bytes_q;
  assign valid_out = beats_valid_out;
  assign last_out = beats_last_out;
  assign most_out = beats_most_out;
  assign data_out = beats_data_out;

  // the key: at its end the number of the last header; or the digest
  assign next_input = finding;
  assign key_in = parsed_key | ({96'd0, next_input[62:55]} << 96);
  assign key = keys_q;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, zeroes, before_, beats_bad_out, next_input[54:0], next_input[88:63]};
endmodule
