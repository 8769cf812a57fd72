// Do two slots hold the same bucket, and do they bear the same fingerprint too?
module slot_compare (
  input  wire        clock,
  input  wire [24:0] ahead,       // position of the slot ahead
  input  wire [24:0] behind,      // position of the slot behind
  output wire        same_bucket, // one clock later: the same bucket
  output wire        same_value   // one clock later: the same bucket and fingerprint
);
  reg bucket;
  reg fingerprint;

  assign same_bucket = bucket;
  assign same_value = bucket && fingerprint;

  initial begin
    bucket = 1'b0;
    fingerprint = 1'b0;
  end

  always @(posedge clock) begin
    bucket <= ahead[11:0] == behind[11:0];
    fingerprint <= ahead[24:12] == behind[24:12];
  end
endmodule
