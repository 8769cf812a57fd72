// 16 cells for what finds both buckets full, each seen by every slot.
module cell_store (
  input  wire        clock,
  input  wire [24:0] position,         // front position of the slot in stage 3
  input  wire [4:0]  generation,       // of the slot in stage 3
  input  wire [24:0] write_position,   // front position of the slot in stage 7
  input  wire [4:0]  write_generation, // that the slot in stage 7 writes
  input  wire        sets,             // the slot in stage 7 is an element
  input  wire        setting,          // the slot in stage 6 is an element
  input  wire [4:0]  same_value,       // bit s: the slot in stage s + 1 has the position of that in stage 7
  input  wire        near_value,       // the slot in stage 5 has the position of that in stage 6
  input  wire [15:0] taking,           // cells that the slot in stage 6 writes
  output wire [15:0] matching,         // stage 6: cells that match
  output wire [15:0] empty             // stage 6: cells that are empty
);
  wire lane_0_matching;
  wire lane_0_empty;
  wire lane_1_matching;
  wire lane_1_empty;
  wire lane_2_matching;
  wire lane_2_empty;
  wire lane_3_matching;
  wire lane_3_empty;
  wire lane_4_matching;
  wire lane_4_empty;
  wire lane_5_matching;
  wire lane_5_empty;
  wire lane_6_matching;
  wire lane_6_empty;
  wire lane_7_matching;
  wire lane_7_empty;
  wire lane_8_matching;
  wire lane_8_empty;
  wire lane_9_matching;
  wire lane_9_empty;
  wire lane_10_matching;
  wire lane_10_empty;
  wire lane_11_matching;
  wire lane_11_empty;
  wire lane_12_matching;
  wire lane_12_empty;
  wire lane_13_matching;
  wire lane_13_empty;
  wire lane_14_matching;
  wire lane_14_empty;
  wire lane_15_matching;
  wire lane_15_empty;

  store_lane lane_0 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[0]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_0_matching),
    .empty            (lane_0_empty)
  );

  store_lane lane_1 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[1]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_1_matching),
    .empty            (lane_1_empty)
  );

  store_lane lane_2 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[2]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_2_matching),
    .empty            (lane_2_empty)
  );

  store_lane lane_3 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[3]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_3_matching),
    .empty            (lane_3_empty)
  );

  store_lane lane_4 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[4]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_4_matching),
    .empty            (lane_4_empty)
  );

  store_lane lane_5 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[5]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_5_matching),
    .empty            (lane_5_empty)
  );

  store_lane lane_6 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[6]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_6_matching),
    .empty            (lane_6_empty)
  );

  store_lane lane_7 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[7]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_7_matching),
    .empty            (lane_7_empty)
  );

  store_lane lane_8 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[8]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_8_matching),
    .empty            (lane_8_empty)
  );

  store_lane lane_9 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[9]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_9_matching),
    .empty            (lane_9_empty)
  );

  store_lane lane_10 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[10]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_10_matching),
    .empty            (lane_10_empty)
  );

  store_lane lane_11 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[11]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_11_matching),
    .empty            (lane_11_empty)
  );

  store_lane lane_12 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[12]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_12_matching),
    .empty            (lane_12_empty)
  );

  store_lane lane_13 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[13]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_13_matching),
    .empty            (lane_13_empty)
  );

  store_lane lane_14 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[14]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_14_matching),
    .empty            (lane_14_empty)
  );

  store_lane lane_15 (
    .clock            (clock),
    .position         (position),
    .generation       (generation),
    .write_position   (write_position),
    .write_generation (write_generation),
    .sets             (sets),
    .same_value       (same_value),
    .taking           (taking[15]),
    .setting          (setting),
    .near_value       (near_value),
    .matching         (lane_15_matching),
    .empty            (lane_15_empty)
  );

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
  assign matching[8] = lane_8_matching;
  assign empty[8] = lane_8_empty;
  assign matching[9] = lane_9_matching;
  assign empty[9] = lane_9_empty;
  assign matching[10] = lane_10_matching;
  assign empty[10] = lane_10_empty;
  assign matching[11] = lane_11_matching;
  assign empty[11] = lane_11_empty;
  assign matching[12] = lane_12_matching;
  assign empty[12] = lane_12_empty;
  assign matching[13] = lane_13_matching;
  assign empty[13] = lane_13_empty;
  assign matching[14] = lane_14_matching;
  assign empty[14] = lane_14_empty;
  assign matching[15] = lane_15_matching;
  assign empty[15] = lane_15_empty;
endmodule
