// A cell of the store: 25 bits of position, 5 of generation.
module store_lane (
  input  wire        clock,
  input  wire [24:0] position,         // the slot's, stage 3
  input  wire [4:0]  generation,       // the slot's, stage 3
  input  wire [24:0] write_position,   // the slot's, stage 7
  input  wire [4:0]  write_generation, // that the slot in stage 7 writes
  input  wire        sets,             // the slot in stage 7 is an element; else a scan, which empties
  input  wire [4:0]  same_value,       // and bears its fingerprint
  input  wire        taking,           // the slot in stage 6 writes this lane
  input  wire        setting,          // it is an element
  input  wire        near_value,       // and bears its fingerprint
  output wire        matching,         // stage 6: the cell matches
  output wire        empty             // stage 6: the cell is empty
);
  localparam [4:0] everywhere = 5'd31; // every slot sees the store, as if all held one bucket

  reg [24:0] held_position;
  reg [4:0]  held_generation;
  reg        taken;           // the slot in stage 7 writes this cell

  wire       flags_equal;
  wire [4:0] flags_age;
  wire       flags_matching;
  wire       flags_empty;

  lane_flags flags (
    .clock       (clock),
    .equal       (flags_equal),
    .age         (flags_age),
    .taken       (taken),
    .sets        (sets),
    .same_bucket (everywhere),
    .same_value  (same_value),
    .taking      (taking),
    .setting     (setting),
    .near_bucket (1'b1),
    .near_value  (near_value),
    .matching    (flags_matching),
    .empty       (flags_empty)
  );

  assign flags_equal = held_position == position;
  assign flags_age = generation - held_generation;
  assign matching = flags_matching;
  assign empty = flags_empty;

  initial begin
    held_position = 25'd0;
    held_generation = 5'd0;
    taken = 1'b0;
  end

  always @(posedge clock) begin
    taken <= taking;
    if (taken) begin
      held_position <= write_position;
      held_generation <= write_generation;
    end
  end
endmodule
