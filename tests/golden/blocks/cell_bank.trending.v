// One bank: 2048 words of 8 cells of 4 bits: counters, each raised to a level. Source: Estan and Varghese, SIGCOMM 2002.
// Exact for any sequence of slots: words of slots in flight are forwarded; an epoch with each word makes a clear one increment.
module cell_bank (
  input  wire        clock,
  input  wire [13:0] index,          // position of the slot entering stage 0
  input  wire        direct,         // that slot is a refresh or an access
  input  wire [10:0] direct_address, // word that it goes to
  input  wire [3:0]  writing,        // bit i: the slot in stage 2 + i writes its word
  input  wire        storing,        // stage 2: an access stores to this bank
  input  wire [31:0] store_word,     // stage 2: the word to store
  input  wire [3:0]  epoch,          // stage 3: current epoch
  input  wire        inserting,      // stage 3: the item inserts
  input  wire [3:0]  amount_0,       // stage 3: what it raises to
  input  wire [3:0]  write_epoch,    // stage 5: epoch that the slot writes
  input  wire        recycled,       // stage 5: the slot is a clear
  output wire        above,          // stage 6: the item's cell was above 0
  output wire [3:0]  cell_0,         // stage 6: the item's cell, after it
  output wire        cell_full_0,    // stage 6: it is at its greatest value
  output wire [31:0] word_6,         // stage 6: the slot's word
  output wire        full            // every word bears the current epoch
);
  localparam [2:0]  lane_number_0 = 3'd0;
  localparam [2:0]  lane_number_1 = 3'd1;
  localparam [2:0]  lane_number_2 = 3'd2;
  localparam [2:0]  lane_number_3 = 3'd3;
  localparam [2:0]  lane_number_4 = 3'd4;
  localparam [2:0]  lane_number_5 = 3'd5;
  localparam [2:0]  lane_number_6 = 3'd6;
  localparam [2:0]  lane_number_7 = 3'd7;
  localparam [31:0] no_word       = 32'd0;
  localparam [3:0]  no_cell       = 4'd0;

  reg [10:0] address_0;
  reg [10:0] address_1;
  reg [10:0] address_2;
  reg [10:0] address_3;
  reg [10:0] address_4;
  reg [10:0] address_5;
  reg [2:0]  offset_0;
  reg [2:0]  offset_1;
  reg [2:0]  offset_2;
  reg [2:0]  offset_3;
  reg        hit_0;     // stage 2: the slot 1 ahead writes my word
  reg        hit_1;     // stage 2: the slot 2 ahead writes my word
  reg        hit_2;     // stage 2: the slot 3 ahead writes my word
  reg        hit_3;     // stage 2: the slot 4 ahead writes my word
  reg        next_3;    // stage 3: the slot one ahead writes my word
  reg        from_near; // stage 3: the word comes from the slot two ahead
  reg        from_far;  // stage 3: the word comes from far_word
  reg        forwarded; // stage 3: a slot two to four ahead writes my word
  reg        stored_3;  // stage 3: an access stores
  reg [31:0] far_word;  // stage 3: word of the slot three or four ahead, or the one to store
  reg [31:0] word;
  reg        current;   // stage 4: word counts; if not, it is 0
  reg        chained;   // stage 4: the value of the slot one ahead counts
  reg        first_4;   // stage 4: memory's word does not bear the current epoch
  reg        first_5;
  reg [31:0] value_6;
  reg [3:0]  cell_r_0;
  reg        above_r_0;

  reg  [10:0] entering;
  wire [2:0]  entering_offset_0;
  wire [3:0]  read_epoch;
  wire        bears;
  reg  [31:0] value;
  reg  [3:0]  picked_0;
  reg         picked_above_0;
  wire        compare_0_same;
  wire        compare_1_same;
  wire        compare_2_same;
  wire        compare_3_same;
  wire [35:0] memory_read_data;
  wire [35:0] memory_write_data;
  wire        raise_0_here;
  wire [3:0]  raise_0_value;
  wire [3:0]  raise_0_picked;
  wire        raise_0_above;
  wire        raise_1_here;
  wire [3:0]  raise_1_value;
  wire [3:0]  raise_1_picked;
  wire        raise_1_above;
  wire        raise_2_here;
  wire [3:0]  raise_2_value;
  wire [3:0]  raise_2_picked;
  wire        raise_2_above;
  wire        raise_3_here;
  wire [3:0]  raise_3_value;
  wire [3:0]  raise_3_picked;
  wire        raise_3_above;
  wire        raise_4_here;
  wire [3:0]  raise_4_value;
  wire [3:0]  raise_4_picked;
  wire        raise_4_above;
  wire        raise_5_here;
  wire [3:0]  raise_5_value;
  wire [3:0]  raise_5_picked;
  wire        raise_5_above;
  wire        raise_6_here;
  wire [3:0]  raise_6_value;
  wire [3:0]  raise_6_picked;
  wire        raise_6_above;
  wire        raise_7_here;
  wire [3:0]  raise_7_value;
  wire [3:0]  raise_7_picked;
  wire        raise_7_above;
  wire        coverage_touch;
  wire        coverage_full;

  // which of the four slots ahead write my word, and where it comes from then
  word_compare compare_0 (
    .clock  (clock),
    .ahead  (address_1),
    .behind (address_0),
    .same   (compare_0_same)
  );

  word_compare compare_1 (
    .clock  (clock),
    .ahead  (address_2),
    .behind (address_0),
    .same   (compare_1_same)
  );

  word_compare compare_2 (
    .clock  (clock),
    .ahead  (address_3),
    .behind (address_0),
    .same   (compare_2_same)
  );

  word_compare compare_3 (
    .clock  (clock),
    .ahead  (address_4),
    .behind (address_0),
    .same   (compare_3_same)
  );

  // memory: address in stage 1, data in stage 3
  bank_memory memory (
    .clock         (clock),
    .read_address  (address_1),
    .read_data     (memory_read_data),
    .write_enable  (writing[3]),
    .write_address (address_5),
    .write_data    (memory_write_data)
  );

  raise_lane raise_0 (
    .clock   (clock),
    .here    (raise_0_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[3:0]),
    .current (current),
    .chained (chained),
    .value   (raise_0_value),
    .picked  (raise_0_picked),
    .above   (raise_0_above)
  );

  raise_lane raise_1 (
    .clock   (clock),
    .here    (raise_1_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[7:4]),
    .current (current),
    .chained (chained),
    .value   (raise_1_value),
    .picked  (raise_1_picked),
    .above   (raise_1_above)
  );

  raise_lane raise_2 (
    .clock   (clock),
    .here    (raise_2_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[11:8]),
    .current (current),
    .chained (chained),
    .value   (raise_2_value),
    .picked  (raise_2_picked),
    .above   (raise_2_above)
  );

  raise_lane raise_3 (
    .clock   (clock),
    .here    (raise_3_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[15:12]),
    .current (current),
    .chained (chained),
    .value   (raise_3_value),
    .picked  (raise_3_picked),
    .above   (raise_3_above)
  );

  raise_lane raise_4 (
    .clock   (clock),
    .here    (raise_4_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[19:16]),
    .current (current),
    .chained (chained),
    .value   (raise_4_value),
    .picked  (raise_4_picked),
    .above   (raise_4_above)
  );

  raise_lane raise_5 (
    .clock   (clock),
    .here    (raise_5_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[23:20]),
    .current (current),
    .chained (chained),
    .value   (raise_5_value),
    .picked  (raise_5_picked),
    .above   (raise_5_above)
  );

  raise_lane raise_6 (
    .clock   (clock),
    .here    (raise_6_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[27:24]),
    .current (current),
    .chained (chained),
    .value   (raise_6_value),
    .picked  (raise_6_picked),
    .above   (raise_6_above)
  );

  raise_lane raise_7 (
    .clock   (clock),
    .here    (raise_7_here),
    .raising (inserting),
    .level   (amount_0),
    .word    (word[31:28]),
    .current (current),
    .chained (chained),
    .value   (raise_7_value),
    .picked  (raise_7_picked),
    .above   (raise_7_above)
  );

  coverage coverage (
    .clock    (clock),
    .recycled (recycled),
    .touch    (coverage_touch),
    .full     (coverage_full)
  );

  assign entering_offset_0 = index[2:0];
  assign raise_0_here = offset_3 == lane_number_0;
  assign raise_1_here = offset_3 == lane_number_1;
  assign raise_2_here = offset_3 == lane_number_2;
  assign raise_3_here = offset_3 == lane_number_3;
  assign raise_4_here = offset_3 == lane_number_4;
  assign raise_5_here = offset_3 == lane_number_5;
  assign raise_6_here = offset_3 == lane_number_6;
  assign raise_7_here = offset_3 == lane_number_7;
  assign cell_0 = cell_r_0;
  assign cell_full_0 = &cell_r_0;
  assign above = above_r_0;
  assign memory_write_data = {write_epoch, value};
  assign read_epoch = memory_read_data[35:32];
  assign bears = read_epoch == epoch;
  assign word_6 = value_6;
  assign coverage_touch = first_5 && writing[3];
  assign full = coverage_full;

  initial begin
    address_0 = 11'd0;
    address_1 = 11'd0;
    address_2 = 11'd0;
    address_3 = 11'd0;
    address_4 = 11'd0;
    address_5 = 11'd0;
    offset_0 = 3'd0;
    offset_1 = 3'd0;
    offset_2 = 3'd0;
    offset_3 = 3'd0;
    hit_0 = 1'b0;
    hit_1 = 1'b0;
    hit_2 = 1'b0;
    hit_3 = 1'b0;
    next_3 = 1'b0;
    from_near = 1'b0;
    from_far = 1'b0;
    forwarded = 1'b0;
    stored_3 = 1'b0;
    far_word = 32'd0;
    word = 32'd0;
    current = 1'b0;
    chained = 1'b0;
    first_4 = 1'b0;
    first_5 = 1'b0;
    value_6 = 32'd0;
    cell_r_0 = 4'd0;
    above_r_0 = 1'b0;
  end

  always @* begin
    // positions
    entering = index[13:3];
    if (direct) begin
      entering = direct_address;
    end
  end

  always @* begin
    // arithmetic, stage 4, and the item's cell
    value = no_word;
    value = value | {28'd0, raise_0_value};
    value = value | ({28'd0, raise_1_value} << 4);
    value = value | ({28'd0, raise_2_value} << 8);
    value = value | ({28'd0, raise_3_value} << 12);
    value = value | ({28'd0, raise_4_value} << 16);
    value = value | ({28'd0, raise_5_value} << 20);
    value = value | ({28'd0, raise_6_value} << 24);
    value = value | ({28'd0, raise_7_value} << 28);
  end

  always @* begin
    picked_0 = no_cell;
    picked_0 = picked_0 | raise_0_picked;
    picked_0 = picked_0 | raise_1_picked;
    picked_0 = picked_0 | raise_2_picked;
    picked_0 = picked_0 | raise_3_picked;
    picked_0 = picked_0 | raise_4_picked;
    picked_0 = picked_0 | raise_5_picked;
    picked_0 = picked_0 | raise_6_picked;
    picked_0 = picked_0 | raise_7_picked;
  end

  always @* begin
    picked_above_0 = 1'b0;
    picked_above_0 = picked_above_0 || raise_0_above;
    picked_above_0 = picked_above_0 || raise_1_above;
    picked_above_0 = picked_above_0 || raise_2_above;
    picked_above_0 = picked_above_0 || raise_3_above;
    picked_above_0 = picked_above_0 || raise_4_above;
    picked_above_0 = picked_above_0 || raise_5_above;
    picked_above_0 = picked_above_0 || raise_6_above;
    picked_above_0 = picked_above_0 || raise_7_above;
  end

  always @(posedge clock) begin
    address_0 <= entering;
    address_1 <= address_0;
    address_2 <= address_1;
    address_3 <= address_2;
    address_4 <= address_3;
    address_5 <= address_4;
    offset_0 <= entering_offset_0;
    offset_1 <= offset_0;
    offset_2 <= offset_1;
    offset_3 <= offset_2;
    cell_r_0 <= picked_0;
    above_r_0 <= picked_above_0;
    hit_0 <= compare_0_same && writing[0];
    hit_1 <= compare_1_same && writing[1];
    hit_2 <= compare_2_same && writing[2];
    hit_3 <= compare_3_same && writing[3];
    next_3 <= hit_0;
    forwarded <= hit_1 || hit_2 || hit_3;
    stored_3 <= storing;
    from_near <= hit_1 && !storing;
    from_far <= hit_2 || hit_3 || storing;
    far_word <= value_6;
    if (storing) begin
      far_word <= store_word;
    end else if (hit_2) begin
      far_word <= value;
    end
    word <= memory_read_data[31:0];
    if (from_near) begin
      word <= value;
    end else if (from_far) begin
      word <= far_word;
    end
    current <= bears || from_near || from_far;
    chained <= next_3 && !stored_3;
    value_6 <= value;

    // coverage by the current epoch
    first_4 <= !bears && !forwarded && !next_3;
    first_5 <= first_4;
  end
endmodule
