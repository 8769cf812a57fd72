// 4096 buckets of 8 cells: which cells of a slot's bucket match, which are empty.
module bucket_table (
  input  wire        clock,
  input  wire [24:0] index,            // position of the slot entering stage 0
  input  wire        scanning,         // the slot entering stage 0 is a scan
  input  wire [11:0] scan_address,     // bucket that it visits
  input  wire [4:0]  generation,       // of the slot in stage 3
  input  wire [4:0]  write_generation, // that the slot in stage 7 writes
  input  wire        sets,             // the slot in stage 7 is an element
  input  wire        setting,          // the slot in stage 6 is an element
  input  wire [7:0]  taking,           // cells that the slot in stage 6 writes
  output wire [7:0]  matching,         // stage 6: cells that match
  output wire [7:0]  empty,            // stage 6: cells that are empty
  output wire [24:0] position_3_0,     // stage 3
  output wire [24:0] position_7_0,     // stage 7
  output wire [4:0]  same_value_0,     // bit s: the slot in stage s + 1 has the position of that in stage 7
  output wire        near_value_0      // the slot in stage 5 has the position of that in stage 6
);
  wire [11:0] read_address;
  wire [12:0] fingerprint;
  wire [11:0] write_address;
  wire [12:0] write_fingerprint;
  wire [17:0] write_data;
  wire [24:0] track_position_1;
  wire [24:0] track_position_3;
  wire [24:0] track_position_7;
  wire [4:0]  track_same_bucket;
  wire [4:0]  track_same_value;
  wire        track_near_bucket;
  wire        track_near_value;
  wire        lane_0_matching;
  wire        lane_0_empty;
  wire        lane_1_matching;
  wire        lane_1_empty;
  wire        lane_2_matching;
  wire        lane_2_empty;
  wire        lane_3_matching;
  wire        lane_3_empty;
  wire        lane_4_matching;
  wire        lane_4_empty;
  wire        lane_5_matching;
  wire        lane_5_empty;
  wire        lane_6_matching;
  wire        lane_6_empty;
  wire        lane_7_matching;
  wire        lane_7_empty;

  position_track track (
    .clock        (clock),
    .index        (index),
    .scanning     (scanning),
    .scan_address (scan_address),
    .position_1   (track_position_1),
    .position_3   (track_position_3),
    .position_7   (track_position_7),
    .same_bucket  (track_same_bucket),
    .same_value   (track_same_value),
    .near_bucket  (track_near_bucket),
    .near_value   (track_near_value)
  );

  table_lane lane_0 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[0]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_0_matching),
    .empty         (lane_0_empty)
  );

  table_lane lane_1 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[1]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_1_matching),
    .empty         (lane_1_empty)
  );

  table_lane lane_2 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[2]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_2_matching),
    .empty         (lane_2_empty)
  );

  table_lane lane_3 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[3]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_3_matching),
    .empty         (lane_3_empty)
  );

  table_lane lane_4 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[4]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_4_matching),
    .empty         (lane_4_empty)
  );

  table_lane lane_5 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[5]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_5_matching),
    .empty         (lane_5_empty)
  );

  table_lane lane_6 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[6]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_6_matching),
    .empty         (lane_6_empty)
  );

  table_lane lane_7 (
    .clock         (clock),
    .read_address  (read_address),
    .fingerprint   (fingerprint),
    .generation    (generation),
    .write_address (write_address),
    .write_data    (write_data),
    .sets          (sets),
    .same_bucket   (track_same_bucket),
    .same_value    (track_same_value),
    .taking        (taking[7]),
    .setting       (setting),
    .near_bucket   (track_near_bucket),
    .near_value    (track_near_value),
    .matching      (lane_7_matching),
    .empty         (lane_7_empty)
  );

  assign position_3_0 = track_position_3;
  assign position_7_0 = track_position_7;
  assign same_value_0 = track_same_value;
  assign near_value_0 = track_near_value;
  assign read_address = track_position_1[11:0];
  assign fingerprint = track_position_3[24:12];
  assign write_address = track_position_7[11:0];
  assign write_fingerprint = track_position_7[24:12];
  assign write_data = {write_fingerprint, write_generation};
  assign matching[0] = lane_0_matching;
  assign empty[0] = lane_0_empty;
  assign matching[1] = lane_1_matching;
  assign empty[1] = lane_1_empty;
  assign matching[2] = lane_2_matching;
  assign empty[2] = lane_2_empty;
  assign matching[3] = lane_3_matching;
  assign empty[3] = lane_3_empty;
  assign matching[4] = lane_4_matching;
  assign empty[4] = lane_4_empty;
  assign matching[5] = lane_5_matching;
  assign empty[5] = lane_5_empty;
  assign matching[6] = lane_6_matching;
  assign empty[6] = lane_6_empty;
  assign matching[7] = lane_7_matching;
  assign empty[7] = lane_7_empty;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, track_position_1[24:12]};
endmodule
