// Do two slots hold the same bucket, and do they bear the same fingerprint too?
module slot_compare_2 (
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
    bucket <= ahead[9:0] == behind[9:0];
    fingerprint <= ahead[24:12] == behind[24:12];
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, ahead[11:10], behind[11:10]};
endmodule
