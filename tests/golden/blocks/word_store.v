// The 4 words that an item reads, until they are written. Moves on in every clock without hold.
module word_store (
  input  wire        clock,
  input  wire        hold,     // stand still
  input  wire [31:0] word_in,  // word read, 0 if it does not bear the epoch
  input  wire        bears_in, // it bears the epoch of the active half
  input  wire        fresh_in, // no earlier probe of the item lies in it
  output wire [31:0] word,     // the oldest
  output wire        bears,
  output wire        fresh
);
  reg [31:0] words_0;
  reg [31:0] words_1;
  reg [31:0] words_2;
  reg [31:0] words_3;
  reg        bears_r_0;
  reg        bears_r_1;
  reg        bears_r_2;
  reg        bears_r_3;
  reg        fresh_r_0;
  reg        fresh_r_1;
  reg        fresh_r_2;
  reg        fresh_r_3;

  assign word = words_0;
  assign bears = bears_r_0;
  assign fresh = fresh_r_0;

  initial begin
    words_0 = 32'd0;
    words_1 = 32'd0;
    words_2 = 32'd0;
    words_3 = 32'd0;
    bears_r_0 = 1'b0;
    bears_r_1 = 1'b0;
    bears_r_2 = 1'b0;
    bears_r_3 = 1'b0;
    fresh_r_0 = 1'b0;
    fresh_r_1 = 1'b0;
    fresh_r_2 = 1'b0;
    fresh_r_3 = 1'b0;
  end

  always @(posedge clock) begin
    if (!hold) begin
      words_0 <= words_1;
      bears_r_0 <= bears_r_1;
      fresh_r_0 <= fresh_r_1;
      words_1 <= words_2;
      bears_r_1 <= bears_r_2;
      fresh_r_1 <= fresh_r_2;
      words_2 <= words_3;
      bears_r_2 <= bears_r_3;
      fresh_r_2 <= fresh_r_3;
      words_3 <= word_in;
      bears_r_3 <= bears_in;
      fresh_r_3 <= fresh_in;
    end
  end
endmodule
