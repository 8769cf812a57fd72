// Two registers against metastability.
module synchroniser (
  input  wire       clock,
  input  wire       reset, // all 0
  input  wire [4:0] d,     // of another clock
  output wire [4:0] q      // of this one, two edges later
);
  (* ASYNC_REG = "TRUE" *)
  reg [4:0] first;  // may be metastable: nothing else reads it
  (* ASYNC_REG = "TRUE" *)
  reg [4:0] second;

  assign q = second;

  initial begin
    first = 5'd0;
    second = 5'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      first <= 5'd0;
      second <= 5'd0;
    end else begin
      first <= d;
      second <= first;
    end
  end
endmodule
