// The 4 positions of an item, one a clock, the first at once.
module probe_line (
  input  wire        clock,
  input  wire        load,       // positions are those of an item
  input  wire [13:0] position_0, // position of probe 0
  input  wire [13:0] position_1, // position of probe 1
  input  wire [13:0] position_2, // position of probe 2
  input  wire [13:0] position_3, // position of probe 3
  output reg  [13:0] index       // position of the probe whose turn it is
);
  reg [13:0] waiting_0;
  reg [13:0] waiting_1;
  reg [13:0] waiting_2;

  initial begin
    waiting_0 = 14'd0;
    waiting_1 = 14'd0;
    waiting_2 = 14'd0;
  end

  always @* begin
    index = waiting_0;
    if (load) begin
      index = position_0;
    end
  end

  always @(posedge clock) begin
    waiting_0 <= waiting_1;
    waiting_1 <= waiting_2;
    if (load) begin
      waiting_0 <= position_1;
      waiting_1 <= position_2;
      waiting_2 <= position_3;
    end
  end
endmodule
