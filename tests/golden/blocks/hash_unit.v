// 104 bits of key to 4 probe positions, one key a clock.
module hash_unit (
  input  wire         clock,
  input  wire [103:0] key,     // key
  output wire [14:0]  index_0, // position of probe 0
  output wire [14:0]  index_1, // position of probe 1
  output wire [14:0]  index_2, // position of probe 2
  output wire [14:0]  index_3  // position of probe 3
);
  wire [63:0] mix_0_mixed;
  wire [63:0] mix_1_mixed;
  wire [63:0] mix_2_mixed;
  wire [63:0] mix_3_mixed;
  wire [38:0] function_0_index;
  wire [38:0] function_1_index;
  wire [38:0] function_2_index;
  wire [38:0] function_3_index;
  wire [14:0] scale_0_y;
  wire [14:0] scale_1_y;
  wire [14:0] scale_2_y;
  wire [14:0] scale_3_y;
  wire [14:0] draws_0_index_0;
  wire [14:0] draws_0_index_1;
  wire [14:0] draws_0_index_2;
  wire [14:0] draws_0_index_3;

  hash_mix mix_0 (
    .clock (clock),
    .key   (key),
    .mixed (mix_0_mixed)
  );

  hash_mix_2 mix_1 (
    .clock (clock),
    .key   (key),
    .mixed (mix_1_mixed)
  );

  hash_mix_3 mix_2 (
    .clock (clock),
    .key   (key),
    .mixed (mix_2_mixed)
  );

  hash_mix_4 mix_3 (
    .clock (clock),
    .key   (key),
    .mixed (mix_3_mixed)
  );

  hash_index function_0 (
    .clock (clock),
    .mixed (mix_0_mixed),
    .index (function_0_index)
  );

  hash_index_2 function_1 (
    .clock (clock),
    .mixed (mix_1_mixed),
    .index (function_1_index)
  );

  hash_index_3 function_2 (
    .clock (clock),
    .mixed (mix_2_mixed),
    .index (function_2_index)
  );

  hash_index_4 function_3 (
    .clock (clock),
    .mixed (mix_3_mixed),
    .index (function_3_index)
  );

  hash_scale scale_0 (
    .clock (clock),
    .x     (function_0_index),
    .y     (scale_0_y)
  );

  hash_scale_2 scale_1 (
    .clock (clock),
    .x     (function_1_index),
    .y     (scale_1_y)
  );

  hash_scale_3 scale_2 (
    .clock (clock),
    .x     (function_2_index),
    .y     (scale_2_y)
  );

  hash_scale_4 scale_3 (
    .clock (clock),
    .x     (function_3_index),
    .y     (scale_3_y)
  );

  hash_draws draws_0 (
    .clock   (clock),
    .draw_0  (scale_0_y),
    .draw_1  (scale_1_y),
    .draw_2  (scale_2_y),
    .draw_3  (scale_3_y),
    .index_0 (draws_0_index_0),
    .index_1 (draws_0_index_1),
    .index_2 (draws_0_index_2),
    .index_3 (draws_0_index_3)
  );

  assign index_0 = draws_0_index_0;
  assign index_1 = draws_0_index_1;
  assign index_2 = draws_0_index_2;
  assign index_3 = draws_0_index_3;
endmodule
