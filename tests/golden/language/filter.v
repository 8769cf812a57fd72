// A filter for tests.

// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

// Memory of 8 words of 32 bits, one read and one write a clock.
module ram (
  input  wire        clock,
  input  wire [2:0]  read_address,
  output wire [31:0] read_data,     // Word at read_address one clock ago.
  input  wire        write_enable,
  input  wire [2:0]  write_address,
  input  wire [31:0] write_data
);
  (* no_rw_check *) reg [31:0] words [0:7];
  reg [31:0] word;
  assign read_data = word;

  integer i;
  initial begin
    for (i = 0; i < 8; i = i + 1) words[i] = 32'd0;
    word = 32'd0;
  end

  always @(posedge clock) begin
    word <= words[read_address];
    if (write_enable) words[write_address] <= write_data;
  end
endmodule

// One bank of 256 bits: tests and sets one bit a clock.
module bank (
  input  wire       clock,
  input  wire       valid,     // bit_index is valid.
  input  wire [7:0] bit_index, // Bit to test and set.
  output wire       seen       // The bit was set before; two clocks after valid.
);
  localparam [31:0] one = 32'd1;

  reg        valid_1;
  reg [7:0]  index_1;
  reg        valid_2;
  reg [2:0]  address_2;
  reg [31:0] word_2;

  wire [2:0]  address_1;
  reg  [31:0] word_1;         // Word as the item ahead leaves it.
  wire [31:0] select;
  wire [31:0] ram_read_data;
  wire [31:0] ram_write_data;

  ram ram (
    .clock         (clock),
    .read_address  (bit_index[7:5]),
    .read_data     (ram_read_data),
    .write_enable  (valid_1),
    .write_address (address_1),
    .write_data    (ram_write_data)
  );

  assign address_1 = index_1[7:5];
  assign select = one << index_1[4:0];
  assign seen = |(word_1 & select);
  assign ram_write_data = word_1 | select;

  initial begin
    valid_1 = 1'b0;
    index_1 = 8'd0;
    valid_2 = 1'b0;
    address_2 = 3'd0;
    word_2 = 32'd0;
  end

  always @* begin
    // A word written in the last clock is not in the memory's output yet.
    word_1 = ram_read_data;
    if (valid_2 && (address_2 == address_1)) begin
      word_1 = word_2;
    end
  end

  always @(posedge clock) begin
    valid_1 <= valid;
    index_1 <= bit_index;
    valid_2 <= valid_1;
    address_2 <= address_1;
    word_2 <= word_1 | select;
  end
endmodule

// Filter of 1024 bits in 4 banks.
// Small, for tests.
module onehit (
  input  wire        clock,
  input  wire        clear,    // Sets the count to zero.
  input  wire        valid,
  input  wire [7:0]  h1,       // First hash.
  input  wire [7:0]  h2,       // Second hash.
  output wire        seen,
  output wire [10:0] bits_set, // Bits set since the last clear.
  output wire        recycle
);
  localparam [10:0] sigma = 11'h12c; // Threshold.

  reg [7:0]  probe_0;
  reg [7:0]  probe_1;
  reg [7:0]  probe_2;
  reg [7:0]  probe_3;
  reg        valid_0;
  reg        valid_1;
  reg [10:0] count;   // Bits set.

  reg  [10:0] fresh;
  wire [3:0]  hits;
  wire        banks_0_seen;
  wire        banks_1_seen;
  wire        banks_2_seen;
  wire        banks_3_seen;

  bank banks_0 (
    .clock     (clock),
    .valid     (valid_0),
    .bit_index (probe_0),
    .seen      (banks_0_seen)
  );

  bank banks_1 (
    .clock     (clock),
    .valid     (valid_0),
    .bit_index (probe_1),
    .seen      (banks_1_seen)
  );

  bank banks_2 (
    .clock     (clock),
    .valid     (valid_0),
    .bit_index (probe_2),
    .seen      (banks_2_seen)
  );

  bank banks_3 (
    .clock     (clock),
    .valid     (valid_0),
    .bit_index (probe_3),
    .seen      (banks_3_seen)
  );

  // One bit a bank.
  assign hits[0] = banks_0_seen;
  assign hits[1] = banks_1_seen;
  assign hits[2] = banks_2_seen;
  assign hits[3] = banks_3_seen;
  assign seen = &hits;
  assign recycle = fresh > sigma;
  assign bits_set = count;

  initial begin
    probe_0 = 8'd0;
    probe_1 = 8'd0;
    probe_2 = 8'd0;
    probe_3 = 8'd0;
    valid_0 = 1'b0;
    valid_1 = 1'b0;
    count = 11'd0;
  end

  always @* begin
    fresh = count;
    if (!banks_0_seen) begin
      fresh = fresh + 11'd1;
    end
    if (!banks_1_seen) begin
      fresh = fresh + 11'd1;
    end
    if (!banks_2_seen) begin
      fresh = fresh + 11'd1;
    end
    if (!banks_3_seen) begin
      fresh = fresh + 11'd1;
    end
  end

  always @(posedge clock) begin
    valid_0 <= valid;
    valid_1 <= valid_0;
    probe_0 <= h1;
    probe_1 <= probe_0 + h2;
    probe_2 <= probe_1 + h2;
    probe_3 <= probe_2 + h2;

    // The count follows one clock behind.
    if (clear) begin
      count <= 11'd0;
    end else if (valid_1) begin
      count <= fresh;
    end
  end
endmodule
