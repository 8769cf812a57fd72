// One cell of each of 4096 buckets: 13 bits of fingerprint, 5 of generation.
module table_lane (
  input  wire        clock,
  input  wire [11:0] read_address,  // bucket, stage 1
  input  wire [12:0] fingerprint,   // the slot's, stage 3
  input  wire [4:0]  generation,    // the slot's, stage 3
  input  wire [11:0] write_address, // bucket, stage 7
  input  wire [17:0] write_data,    // {fingerprint, generation}, stage 7
  input  wire        sets,          // the slot in stage 7 is an element; else a scan, which empties
  input  wire [4:0]  same_bucket,   // bit s: the slot in stage s + 1 holds the bucket of that in stage 7
  input  wire [4:0]  same_value,    // and bears its fingerprint
  input  wire        taking,        // the slot in stage 6 writes this lane
  input  wire        setting,       // it is an element
  input  wire        near_bucket,   // the slot in stage 5 holds its bucket
  input  wire        near_value,    // and bears its fingerprint
  output wire        matching,      // stage 6: the cell matches
  output wire        empty          // stage 6: the cell is empty
);
  reg taken; // the slot in stage 7 writes this lane

  wire [17:0] memory_read_data;
  wire        flags_equal;
  wire [4:0]  flags_age;
  wire        flags_matching;
  wire        flags_empty;

  lane_memory memory (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (memory_read_data),
    .write_enable  (taken),
    .write_address (write_address),
    .write_data    (write_data)
  );

  lane_flags flags (
    .clock       (clock),
    .equal       (flags_equal),
    .age         (flags_age),
    .taken       (taken),
    .sets        (sets),
    .same_bucket (same_bucket),
    .same_value  (same_value),
    .taking      (taking),
    .setting     (setting),
    .near_bucket (near_bucket),
    .near_value  (near_value),
    .matching    (flags_matching),
    .empty       (flags_empty)
  );

  assign flags_equal = memory_read_data[17:5] == fingerprint;
  assign flags_age = generation - memory_read_data[4:0];
  assign matching = flags_matching;
  assign empty = flags_empty;

  initial begin
    taken = 1'b0;
  end

  always @(posedge clock) begin
    taken <= taking;
  end
endmodule
