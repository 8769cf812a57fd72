// A reset that comes without a clock and goes with one.
module reset_crossing (
  input  wire clock,
  input  wire hold,   // reset, of any clock or none
  output wire early,  // falls a clock before reset: for what may leave its reset sooner
  output wire reset,  // reset of this clock: falls with its fourth edge after hold
  output wire holding // a clock longer: to hold what must leave its reset later
);
  (* ASYNC_REG = "TRUE" *)
  reg [4:0] stages;

  initial stages = {5{1'b1}};

  always @(posedge clock or posedge hold) begin
    if (hold) stages <= {5{1'b1}};
    else stages <= {stages[3:0], 1'b0};
  end

  assign early = stages[2];
  assign reset = stages[3];
  assign holding = stages[4];
endmodule
