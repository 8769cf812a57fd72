// One bank: 1024 words of 32 cells of 1 bit(s): bits, each set by an item. Source: OCC.
// Exact for any sequence of slots: words of slots in flight are forwarded; an epoch with each word makes a clear one increment.
module cell_bank (
  input  wire        clock,
  input  wire [14:0] index,          // position of the slot entering stage 0
  input  wire        direct,         // that slot is a refresh or an access
  input  wire [9:0]  direct_address, // word that it goes to
  input  wire [3:0]  writing,        // bit i: the slot in stage 2 + i writes its word
  input  wire        storing,        // stage 2: an access stores to this bank
  input  wire [31:0] store_word,     // stage 2: the word to store
  input  wire [3:0]  epoch,          // stage 3: current epoch
  input  wire        inserting,      // stage 3: the item inserts
  input  wire [3:0]  write_epoch,    // stage 5: epoch that the slot writes
  input  wire        recycled,       // stage 5: the slot is a clear
  output wire        above,          // stage 6: the item's cell was above 0
  output wire [31:0] word_6,         // stage 6: the slot's word
  output wire        full            // every word bears the current epoch
);
  reg [9:0]  address_0;
  reg [9:0]  address_1;
  reg [9:0]  address_2;
  reg [9:0]  address_3;
  reg [9:0]  address_4;
  reg [9:0]  address_5;
  reg [4:0]  offset_0;
  reg [4:0]  offset_1;
  reg [4:0]  offset_2;
  reg [4:0]  offset_3;
  reg [4:0]  offset_4;
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

  reg  [9:0]  entering;
  wire [4:0]  entering_offset_0;
  wire [3:0]  read_epoch;
  wire        bears;
  wire [31:0] value;
  wire        compare_0_same;
  wire        compare_1_same;
  wire        compare_2_same;
  wire        compare_3_same;
  wire [35:0] memory_read_data;
  wire [35:0] memory_write_data;
  wire [31:0] bits_0_value;
  wire        bits_0_above;
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

  // arithmetic, stage 4, and the item's cell
  set_bits bits_0 (
    .clock     (clock),
    .inserting (inserting),
    .offset    (offset_4),
    .word      (word),
    .current   (current),
    .chained   (chained),
    .value     (bits_0_value),
    .above     (bits_0_above)
  );

  coverage coverage (
    .clock    (clock),
    .recycled (recycled),
    .touch    (coverage_touch),
    .full     (coverage_full)
  );

  assign entering_offset_0 = index[4:0];
  assign value = bits_0_value;
  assign above = bits_0_above;
  assign memory_write_data = {write_epoch, value};
  assign read_epoch = memory_read_data[35:32];
  assign bears = read_epoch == epoch;
  assign word_6 = value_6;
  assign coverage_touch = first_5 && writing[3];
  assign full = coverage_full;

  initial begin
    address_0 = 10'd0;
    address_1 = 10'd0;
    address_2 = 10'd0;
    address_3 = 10'd0;
    address_4 = 10'd0;
    address_5 = 10'd0;
    offset_0 = 5'd0;
    offset_1 = 5'd0;
    offset_2 = 5'd0;
    offset_3 = 5'd0;
    offset_4 = 5'd0;
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
  end

  always @* begin
    // positions
    entering = index[14:5];
    if (direct) begin
      entering = direct_address;
    end
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
    offset_4 <= offset_3;
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
