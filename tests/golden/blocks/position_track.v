// Carries positions with 2^12 buckets from stage 0 to stage 7, and compares them with those ahead.
module position_track (
  input  wire        clock,
  input  wire [24:0] index,        // position of the slot entering stage 0
  input  wire        scanning,     // the slot entering stage 0 is a scan
  input  wire [11:0] scan_address, // bucket that it visits
  output wire [24:0] position_1,   // stage 1
  output wire [24:0] position_3,   // stage 3
  output wire [24:0] position_7,   // stage 7
  output wire [4:0]  same_bucket,  // bit s: the slot in stage s + 1 holds the bucket of that in stage 7
  output wire [4:0]  same_value,   // and bears its fingerprint
  output wire        near_bucket,  // the slot in stage 5 holds the bucket of that in stage 6
  output wire        near_value    // and bears its fingerprint
);
  reg [24:0] stage_0;
  reg [24:0] stage_1;
  reg [24:0] stage_2;
  reg [24:0] stage_3;
  reg [24:0] stage_4;
  reg [24:0] stage_5;
  reg [24:0] stage_6;
  reg [24:0] stage_7;

  reg  [24:0] entering;
  wire        compare_0_same_bucket;
  wire        compare_0_same_value;
  wire        compare_1_same_bucket;
  wire        compare_1_same_value;
  wire        compare_2_same_bucket;
  wire        compare_2_same_value;
  wire        compare_3_same_bucket;
  wire        compare_3_same_value;
  wire        compare_4_same_bucket;
  wire        compare_4_same_value;
  wire        near_same_bucket;
  wire        near_same_value;

  // compared a clock ahead
  slot_compare compare_0 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_0),
    .same_bucket (compare_0_same_bucket),
    .same_value  (compare_0_same_value)
  );

  slot_compare compare_1 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_1),
    .same_bucket (compare_1_same_bucket),
    .same_value  (compare_1_same_value)
  );

  slot_compare compare_2 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_2),
    .same_bucket (compare_2_same_bucket),
    .same_value  (compare_2_same_value)
  );

  slot_compare compare_3 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_3),
    .same_bucket (compare_3_same_bucket),
    .same_value  (compare_3_same_value)
  );

  slot_compare compare_4 (
    .clock       (clock),
    .ahead       (stage_6),
    .behind      (stage_4),
    .same_bucket (compare_4_same_bucket),
    .same_value  (compare_4_same_value)
  );

  slot_compare near (
    .clock       (clock),
    .ahead       (stage_5),
    .behind      (stage_4),
    .same_bucket (near_same_bucket),
    .same_value  (near_same_value)
  );

  assign position_1 = stage_1;
  assign position_3 = stage_3;
  assign position_7 = stage_7;
  assign same_bucket[0] = compare_0_same_bucket;
  assign same_value[0] = compare_0_same_value;
  assign same_bucket[1] = compare_1_same_bucket;
  assign same_value[1] = compare_1_same_value;
  assign same_bucket[2] = compare_2_same_bucket;
  assign same_value[2] = compare_2_same_value;
  assign same_bucket[3] = compare_3_same_bucket;
  assign same_value[3] = compare_3_same_value;
  assign same_bucket[4] = compare_4_same_bucket;
  assign same_value[4] = compare_4_same_value;
  assign near_bucket = near_same_bucket;
  assign near_value = near_same_value;

  initial begin
    stage_0 = 25'd0;
    stage_1 = 25'd0;
    stage_2 = 25'd0;
    stage_3 = 25'd0;
    stage_4 = 25'd0;
    stage_5 = 25'd0;
    stage_6 = 25'd0;
    stage_7 = 25'd0;
  end

  always @* begin
    entering = index;
    if (scanning) begin
      entering = {13'd0, scan_address};
    end
  end

  always @(posedge clock) begin
    stage_0 <= entering;
    stage_1 <= stage_0;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
    stage_5 <= stage_4;
    stage_6 <= stage_5;
    stage_7 <= stage_6;
  end
endmodule
