// One counter of a word: raised to a level where it is below it. Source: Estan and Varghese, SIGCOMM 2002.
module raise_lane (
  input  wire       clock,
  input  wire       here,    // stage 3: the item's cell stands here
  input  wire       raising, // stage 3: it is to be raised
  input  wire [3:0] level,   // stage 3: to this
  input  wire [3:0] word,    // stage 4: the cell, from memory or a slot two to four ahead
  input  wire       current, // stage 4: that counts; if not, the cell is 0
  input  wire       chained, // stage 4: the slot one ahead has the same word: take its value
  output wire [3:0] value,   // stage 5: the cell after the slot
  output reg  [3:0] picked,  // stage 5: likewise if it is the item's, else 0
  output wire       above    // stage 5: it is the item's and was above 0
);
  localparam [3:0] zero = 4'd0;

  reg       here_4;
  reg       here_5;
  reg [3:0] level_4; // 0 where nothing is raised
  reg [3:0] value_5;
  reg       above_0;

  reg [3:0] base;

  assign value = value_5;
  assign above = here_5 && above_0;

  initial begin
    here_4 = 1'b0;
    here_5 = 1'b0;
    level_4 = 4'd0;
    value_5 = 4'd0;
    above_0 = 1'b0;
  end

  always @* begin
    // the cell as the slots ahead leave it
    base = zero;
    if (chained) begin
      base = value_5;
    end else if (current) begin
      base = word;
    end
  end

  always @* begin
    picked = zero;
    if (here_5) begin
      picked = value_5;
    end
  end

  always @(posedge clock) begin
    here_4 <= here;
    here_5 <= here_4;
    level_4 <= zero;
    if (here && raising) begin
      level_4 <= level;
    end

    // the greater of cell and level
    value_5 <= base;
    if (base < level_4) begin
      value_5 <= level_4;
    end
    above_0 <= |base;
  end
endmodule
