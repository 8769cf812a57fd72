// Beats to words of four bytes that begin two bytes behind a multiple of four; a beat's words come in the next clock.
module word_feed (
  input  wire        clock,
  input  wire        reset,    // a frame begins
  input  wire        valid,    // a beat
  input  wire        last,     // the last of its frame
  input  wire [7:0]  data,
  input  wire        most,     // its last valid byte
  output wire [31:0] word_0,   // first byte highest
  output wire [4:0]  place_0,  // number of the word
  output wire [5:0]  second_0, // number of the word behind the next one
  output wire        whole_0   // the frame has it, and the parser may read it
);
  localparam [6:0] first_index = 7'd0;
  localparam [6:0] last_index  = 7'h7d; // the last beat that the parser may read
  localparam [4:0] back        = 5'd1;

  reg [31:0] word_r_0;
  reg [4:0]  place_r_0;
  reg [5:0]  second_r_0;
  reg        whole_r_0;
  reg [23:0] tail;       // last bytes of the beats before
  reg [6:0]  index;      // beats of this frame before, as far as the parser reads
  reg        past;       // the parser reads no further

  wire [31:0] joined;
  wire [31:0] order_0_word;
  wire [31:0] bytes_0_input;

  network_order order_0 (
    .bytes (bytes_0_input),
    .word  (order_0_word)
  );

  assign joined = {data, tail};
  assign bytes_0_input = joined;
  assign word_0 = word_r_0;
  assign place_0 = place_r_0;
  assign whole_0 = whole_r_0;
  assign second_0 = second_r_0;

  initial begin
    word_r_0 = 32'd0;
    place_r_0 = 5'd0;
    second_r_0 = 6'd0;
    whole_r_0 = 1'b0;
    tail = 24'd0;
    index = 7'd0;
    past = 1'b0;
  end

  always @(posedge clock) begin
    if (valid) begin
      tail <= joined[31:8];
      if (!past) begin
        index <= index + 7'd1;
        past <= index == last_index;
      end
      if (last) begin
        index <= first_index;
        past <= 1'b0;
      end
    end
    word_r_0 <= order_0_word;

    // byte 4 place + 5 completes a word
    place_r_0 <= index[6:2] - back;
    second_r_0 <= {1'b0, index[6:2]} + 6'd1;
    whole_r_0 <= valid && (index[1:0] == 2'd1) && (index > 7'd1) && !past;
    if (reset) begin
      index <= first_index;
      past <= 1'b0;
      whole_r_0 <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, most};
endmodule
