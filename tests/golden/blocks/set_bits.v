// Sets the item's bit in its word and says whether it was set before. Source: OCC.
module set_bits (
  input  wire        clock,
  input  wire        inserting, // stage 3: the item inserts
  input  wire [4:0]  offset,    // stage 4: its bit in the word
  input  wire [31:0] word,      // stage 4: the word, from memory or a slot two to four ahead
  input  wire        current,   // stage 4: that counts; if not, the word is 0
  input  wire        chained,   // stage 4: the slot one ahead has the same word: take its value
  output wire [31:0] value,     // stage 5: the word after the item
  output wire        above      // stage 6: the item's bit was set before
);
  localparam [31:0] one    = 32'd1;
  localparam [31:0] no_bit = 32'd0;

  reg        inserting_4;
  reg [4:0]  offset_5;
  reg [31:0] before_;     // the word before the item
  reg [31:0] mask;        // the bit that it sets

  wire select_selected;

  bit_select select (
    .clock    (clock),
    .word     (before_),
    .current  (1'b1),
    .offset   (offset_5),
    .selected (select_selected)
  );

  assign value = before_ | mask;
  assign above = select_selected;

  initial begin
    inserting_4 = 1'b0;
    offset_5 = 5'd0;
    before_ = 32'd0;
    mask = 32'd0;
  end

  always @(posedge clock) begin
    inserting_4 <= inserting;
    before_ <= no_bit;
    if (chained) begin
      before_ <= before_ | mask;
    end else if (current) begin
      before_ <= word;
    end
    mask <= no_bit;
    if (inserting_4) begin
      mask <= one << offset;
    end
    offset_5 <= offset;
  end
endmodule
