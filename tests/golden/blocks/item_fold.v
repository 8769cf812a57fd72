// What the probes of an item come to, taken one after the other: the least cell, and the flags of all.
module item_fold (
  input  wire       clock,
  input  wire       first,       // stage 6: an item's first probe
  input  wire       above,       // stage 6: the probe's cell was above 0
  input  wire [3:0] cell_0,      // stage 6: the cell, after it
  input  wire       cell_full_0, // stage 6: it is at its greatest value
  output wire       seen,        // stage 7: all probes up to this one found their cell above 0
  output wire [3:0] least_0,     // stage 7: the least of their cells
  output wire       full_0       // stage 7: one of them is at its greatest value
);
  reg       seen_r;
  reg [3:0] least_r_0;
  reg       full_r_0;

  assign seen = seen_r;
  assign least_0 = least_r_0;
  assign full_0 = full_r_0;

  initial begin
    seen_r = 1'b0;
    least_r_0 = 4'd0;
    full_r_0 = 1'b0;
  end

  always @(posedge clock) begin
    seen_r <= above && (first || seen_r);
    if (first || (cell_0 < least_r_0)) begin
      least_r_0 <= cell_0;
    end
    full_r_0 <= cell_full_0 || (full_r_0 && !first);
  end
endmodule
