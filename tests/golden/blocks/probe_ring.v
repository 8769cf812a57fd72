// The 4 positions of an item, one a clock: round once to be read, once to be written. Positions in one word
// are found by comparison.
module probe_ring (
  input  wire        clock,
  input  wire        load,          // positions are those of an item
  input  wire [14:0] position_0,    // position of probe 0
  input  wire [14:0] position_1,    // position of probe 1
  input  wire [14:0] position_2,    // position of probe 2
  input  wire [14:0] position_3,    // position of probe 3
  input  wire        hold,          // stand still
  output wire [9:0]  word,          // word of the probe whose turn it is
  output wire [4:0]  offset,        // its bit in the word
  output wire        word_repeated, // a clock later: an earlier probe lies in the same word
  output wire        bit_repeated,  // a clock later: an earlier probe has the same position
  output wire [31:0] mask           // a clock later: the bits of all probes in that word
);
  localparam [31:0] one = 32'd1;

  reg [14:0] ring_0;
  reg [14:0] ring_1;
  reg [14:0] ring_2;
  reg [14:0] ring_3;
  reg        passed_0;       // place 1 has had its turn
  reg        passed_1;       // place 2 has had its turn
  reg        passed_2;       // place 3 has had its turn
  reg        same_0;
  reg        same_1;
  reg        same_2;
  reg        earlier_word_0;
  reg        earlier_word_1;
  reg        earlier_word_2;

  wire [2:0]  in_word;
  wire        in_bit;
  reg  [31:0] mixed;

  assign word = ring_0[14:5];
  assign offset = ring_0[4:0];
  assign in_bit = 1'b0;
  assign bit_repeated = in_bit;
  assign in_word[0] = earlier_word_0;
  assign in_word[1] = earlier_word_1;
  assign in_word[2] = earlier_word_2;
  assign word_repeated = |in_word;
  assign mask = mixed;

  initial begin
    ring_0 = 15'd0;
    ring_1 = 15'd0;
    ring_2 = 15'd0;
    ring_3 = 15'd0;
    passed_0 = 1'b0;
    passed_1 = 1'b0;
    passed_2 = 1'b0;
    same_0 = 1'b0;
    same_1 = 1'b0;
    same_2 = 1'b0;
    earlier_word_0 = 1'b0;
    earlier_word_1 = 1'b0;
    earlier_word_2 = 1'b0;
  end

  always @* begin
    // the ring has gone on by one place
    mixed = one << ring_3[4:0];
    if (same_0) begin
      mixed = mixed | (one << ring_0[4:0]);
    end
    if (same_1) begin
      mixed = mixed | (one << ring_1[4:0]);
    end
    if (same_2) begin
      mixed = mixed | (one << ring_2[4:0]);
    end
  end

  always @(posedge clock) begin
    if (load) begin
      ring_0 <= position_0;
      ring_1 <= position_1;
      ring_2 <= position_2;
      ring_3 <= position_3;
      passed_0 <= 1'b0;
      passed_1 <= 1'b0;
      passed_2 <= 1'b0;
    end else if (!hold) begin
      ring_0 <= ring_1;
      ring_1 <= ring_2;
      ring_2 <= ring_3;
      ring_3 <= ring_0;
      passed_0 <= passed_1;
      passed_1 <= passed_2;
      passed_2 <= 1'b1;
    end

    // the head against the others
    same_0 <= ring_0[14:5] == ring_1[14:5];
    earlier_word_0 <= (ring_0[14:5] == ring_1[14:5]) && passed_0;
    same_1 <= ring_0[14:5] == ring_2[14:5];
    earlier_word_1 <= (ring_0[14:5] == ring_2[14:5]) && passed_1;
    same_2 <= ring_0[14:5] == ring_3[14:5];
    earlier_word_2 <= (ring_0[14:5] == ring_3[14:5]) && passed_2;
  end
endmodule
