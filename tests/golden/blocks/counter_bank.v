// One bank: 32768 counters of 4 bits, each counted up and down by one. Source: CBF.
// Exact for any sequence of slots: counters of slots in flight are forwarded.
module counter_bank (
  input  wire        clock,
  input  wire [14:0] index,           // stage 0: position of the item
  input  wire        direct,          // stage 0: a counter for the host, or one to erase
  input  wire [14:0] direct_position, // its position
  input  wire [3:0]  ahead,           // bit i: there is a slot in stage 3 + i, which writes its counter in stage 5
  input  wire        storing,         // stage 2: the slot stores
  input  wire [3:0]  store_value,     // stage 2: this
  input  wire        inserting,       // stage 3: the item inserts
  input  wire        removing,        // stage 3: it removes
  output wire        above,           // stage 6: the item's counter was above 0
  output wire        underflow,       // stage 6: it was to be taken from and was 0
  output wire [3:0]  count,           // stage 6: the item's counter, after it
  output wire        full             // stage 6: it is at its greatest value
);
  reg [14:0] place_0;
  reg [14:0] place_1;
  reg [14:0] place_2;
  reg [14:0] place_3;
  reg [14:0] place_4;
  reg        next_3;      // stage 3: the slot one ahead has my counter
  reg        from_near;   // stage 3: it comes from the slot two ahead
  reg        from_far;    // stage 3: it comes from far_cell
  reg        chained;     // stage 4: it is that of the slot one ahead
  reg [3:0]  far_cell;
  reg [3:0]  word;
  reg [3:0]  cell_r;
  reg        above_r;
  reg        underflow_r;

  wire [3:0] hit;
  wire [3:0] written;
  wire       compare_0_same;
  wire       compare_1_same;
  wire       compare_2_same;
  wire       compare_3_same;
  wire [3:0] memory_read_data;
  wire [3:0] lane_value;
  wire [3:0] lane_picked;
  wire       lane_above;
  wire       lane_underflow_0;

  // stage 2: which of the four slots ahead have my counter, and where it comes from then
  word_compare compare_0 (
    .clock  (clock),
    .ahead  (place_1),
    .behind (place_0),
    .same   (compare_0_same)
  );

  word_compare compare_1 (
    .clock  (clock),
    .ahead  (place_2),
    .behind (place_0),
    .same   (compare_1_same)
  );

  word_compare compare_2 (
    .clock  (clock),
    .ahead  (place_3),
    .behind (place_0),
    .same   (compare_2_same)
  );

  word_compare compare_3 (
    .clock  (clock),
    .ahead  (place_4),
    .behind (place_0),
    .same   (compare_3_same)
  );

  // memory: address in stage 1, counter in stage 3, written in stage 5
  lane_memory memory (
    .clock         (clock),
    .read_address  (place_0),
    .read_data     (memory_read_data),
    .write_enable  (ahead[2]),
    .write_address (place_4),
    .write_data    (written)
  );

  // arithmetic, stage 4
  cell_lane lane (
    .clock       (clock),
    .here        (1'b1),
    .inserting   (inserting),
    .removing_0  (removing),
    .word        (word),
    .current     (1'b1),
    .chained     (chained),
    .value       (lane_value),
    .picked      (lane_picked),
    .above       (lane_above),
    .underflow_0 (lane_underflow_0)
  );

  assign hit[0] = compare_0_same && ahead[0];
  assign hit[1] = compare_1_same && ahead[1];
  assign hit[2] = compare_2_same && ahead[2];
  assign hit[3] = compare_3_same && ahead[3];
  assign written = lane_value;
  assign underflow = underflow_r;
  assign count = cell_r;
  assign full = &cell_r;
  assign above = above_r;

  initial begin
    place_0 = 15'd0;
    place_1 = 15'd0;
    place_2 = 15'd0;
    place_3 = 15'd0;
    place_4 = 15'd0;
    next_3 = 1'b0;
    from_near = 1'b0;
    from_far = 1'b0;
    chained = 1'b0;
    far_cell = 4'd0;
    word = 4'd0;
    cell_r = 4'd0;
    above_r = 1'b0;
    underflow_r = 1'b0;
  end

  always @(posedge clock) begin
    // positions of the slots from stage 1 on
    place_0 <= index;
    if (direct) begin
      place_0 <= direct_position;
    end
    place_1 <= place_0;
    place_2 <= place_1;
    place_3 <= place_2;
    place_4 <= place_3;
    next_3 <= hit[0];
    from_near <= hit[1];
    from_far <= hit[2] || hit[3];
    far_cell <= cell_r;
    if (hit[2]) begin
      far_cell <= lane_value;
    end
    if (storing) begin
      next_3 <= 1'b0;
      from_near <= 1'b0;
      from_far <= 1'b1;
      far_cell <= store_value;
    end
    word <= memory_read_data;
    if (from_near) begin
      word <= lane_value;
    end else if (from_far) begin
      word <= far_cell;
    end
    chained <= next_3;
    underflow_r <= lane_underflow_0;

    // the item's counter
    cell_r <= written;
    above_r <= lane_above;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, lane_picked};
endmodule
