// Beats 4 clocks later; a reset takes those back that are on their way.
module beat_delay (
  input  wire       clock,
  input  wire       reset,
  input  wire       valid,     // a beat
  input  wire       last,
  input  wire       bad,
  input  wire       most,
  input  wire [7:0] data,
  output wire       valid_out, // the beat of then
  output wire       last_out,  // it, and it was the last of its frame
  output wire       bad_out,
  output wire       most_out,
  output wire [7:0] data_out
);
  reg valids_0;
  reg valids_1;
  reg valids_2;
  reg valids_3;
  reg lasts_0;
  reg lasts_1;
  reg lasts_2;
  reg lasts_3;

  wire       bads_q;
  wire       mosts_q;
  wire [7:0] datas_q;

  delay_1x4 bads (
    .clock (clock),
    .d     (bad),
    .q     (bads_q)
  );

  delay_1x4 mosts (
    .clock (clock),
    .d     (most),
    .q     (mosts_q)
  );

  delay_8x4 datas (
    .clock (clock),
    .d     (data),
    .q     (datas_q)
  );

  assign valid_out = valids_3;
  assign last_out = lasts_3;
  assign bad_out = bads_q;
  assign most_out = mosts_q;
  assign data_out = datas_q;

  initial begin
    valids_0 = 1'b0;
    valids_1 = 1'b0;
    valids_2 = 1'b0;
    valids_3 = 1'b0;
    lasts_0 = 1'b0;
    lasts_1 = 1'b0;
    lasts_2 = 1'b0;
    lasts_3 = 1'b0;
  end

  always @(posedge clock) begin
    valids_0 <= valid;
    lasts_0 <= valid && last;
    valids_1 <= valids_0;
    lasts_1 <= lasts_0;
    valids_2 <= valids_1;
    lasts_2 <= lasts_1;
    valids_3 <= valids_2;
    lasts_3 <= lasts_2;
    if (reset) begin
      valids_0 <= 1'b0;
      lasts_0 <= 1'b0;
      valids_1 <= 1'b0;
      lasts_1 <= 1'b0;
      valids_2 <= 1'b0;
      lasts_2 <= 1'b0;
      valids_3 <= 1'b0;
      lasts_3 <= 1'b0;
    end
  end
endmodule
