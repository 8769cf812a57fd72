// One counter of a word: adds or takes 1, stays at 0 and at its greatest value. Source: CBF.
// What a carry means is settled behind the register of the sum: the loop of one clock is a choice and an addition.
module cell_lane (
  input  wire       clock,
  input  wire       here,       // stage 3: the item's cell stands here
  input  wire       inserting,  // stage 3: it inserts
  input  wire       removing_0, // stage 3: it removes
  input  wire [3:0] word,       // stage 4: the cell, from memory or a slot two to four ahead
  input  wire       current,    // stage 4: that counts; if not, the cell is 0
  input  wire       chained,    // stage 4: the slot one ahead has the same word: take its value
  output reg  [3:0] value,      // stage 5: the cell after the item
  output reg  [3:0] picked,     // stage 5: likewise if it is the item's, else 0
  output wire       above,      // stage 5: it is the item's and was above 0
  output wire       underflow_0 // stage 5: it was to be taken from and was 0
);
  localparam [3:0] zero     = 4'd0;
  localparam [3:0] one      = 4'd1;
  localparam [3:0] greatest = 4'd15;

  reg       here_4;
  reg       here_5;
  reg       up_0;
  reg       down_0;
  reg [3:0] sum;
  reg       above_0;
  reg       full;    // at its greatest value, whatever the sum is
  reg       empty_0; // 0, whatever the sum is: it was 0 and was to be taken from

  reg  [3:0] base;
  reg  [3:0] addend;
  wire [4:0] total;

  assign total = {1'b0, base} + {1'b0, addend};
  assign underflow_0 = empty_0;
  assign above = here_5 && above_0;

  initial begin
    here_4 = 1'b0;
    here_5 = 1'b0;
    up_0 = 1'b0;
    down_0 = 1'b0;
    sum = 4'd0;
    above_0 = 1'b0;
    full = 1'b0;
    empty_0 = 1'b0;
  end

  always @* begin
    // the value behind the register
    value = sum;
    if (full) begin
      value = greatest;
    end
    if (empty_0) begin
      value = zero;
    end
  end

  always @* begin
    // the cell as the slots ahead leave it
    base = zero;
    if (chained) begin
      base = value;
    end else if (current) begin
      base = word;
    end
  end

  always @* begin
    // what is added
    addend = zero;
    if (up_0) begin
      addend = one;
    end
    if (down_0) begin
      addend = greatest;
    end
  end

  always @* begin
    picked = zero;
    if (here_5) begin
      picked = value;
    end
  end

  always @(posedge clock) begin
    here_4 <= here;
    here_5 <= here_4;

    // taking 1 is adding all ones; its carry says that the cell was above 0
    up_0 <= here && inserting;
    down_0 <= here && removing_0;
    sum <= total[3:0];
    above_0 <= |base;
    full <= (up_0 && total[4]) || (down_0 && (&base));
    empty_0 <= down_0 && !total[4];
  end
endmodule
