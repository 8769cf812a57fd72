// What a mark changes in a word of a beat.
module word_patch (
  input  wire        head_here,  // the word's second half holds the DSCP
  input  wire [15:0] head_mask,  // in these bits
  input  wire [15:0] head_value, // which become these
  input  wire        sum_here,   // its first half is the checksum
  input  wire [15:0] sum_value,  // which becomes this
  output wire [31:0] mask,       // bits of the beat that change
  output wire [31:0] value       // what they become
);
  localparam [31:0] whole_half = 32'hffff0000;
  localparam [31:0] nothing    = 32'd0;

  reg  [31:0] mask_order_bytes;
  wire [31:0] mask_order_word;
  reg  [31:0] value_order_bytes;
  wire [31:0] value_order_word;

  network_order mask_order (
    .bytes (mask_order_bytes),
    .word  (mask_order_word)
  );

  network_order value_order (
    .bytes (value_order_bytes),
    .word  (value_order_word)
  );

  assign mask = mask_order_word;
  assign value = value_order_word;

  always @* begin
    mask_order_bytes = nothing;
    value_order_bytes = nothing;
    if (head_here) begin
      mask_order_bytes = {16'd0, head_mask};
      value_order_bytes = {16'd0, head_value};
    end
    if (sum_here) begin
      mask_order_bytes = whole_half;
      value_order_bytes = {16'd0, sum_value} << 16;
    end
  end
endmodule
