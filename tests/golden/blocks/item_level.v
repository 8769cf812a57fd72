// The least of an item's cells and its amount: what an insertion raises them to. Source: Estan and Varghese, SIGCOMM 2002.
module item_level (
  input  wire       clock,
  input  wire       looked,      // stage 7: the last look of an item
  input  wire       inserting,   // stage 7: the item inserts
  input  wire [3:0] least,       // stage 7: the least of its cells
  input  wire       seen,        // stage 7: all of them are above 0
  input  wire       full,        // stage 7: one of them is at its greatest value
  output wire [3:0] level,       // stage 8 and on: the least of its cells after the item
  output wire       seen_before, // stage 8: all of them were above 0
  output wire       saturated    // stage 8: one of them is at its greatest value after the item
);
  localparam [3:0] one      = 4'd1;
  localparam [3:0] greatest = 4'd15;

  reg [3:0] level_r;
  reg       seen_r;
  reg       full_r;

  wire [3:0] addend;
  wire [4:0] total;

  assign addend = one;
  assign total = {1'b0, least} + {1'b0, addend};
  assign level = level_r;
  assign seen_before = seen_r;
  assign saturated = full_r || (&level_r);

  initial begin
    level_r = 4'd0;
    seen_r = 1'b0;
    full_r = 1'b0;
  end

  always @(posedge clock) begin
    if (looked) begin
      level_r <= least;
      if (inserting) begin
        level_r <= total[3:0];
        if (total[4]) begin
          level_r <= greatest;
        end
      end
    end
    seen_r <= seen;
    full_r <= full;
  end
endmodule
