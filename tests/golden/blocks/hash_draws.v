// 4 positions of 0 to 32767 that differ from each other: a draw that is taken gives way to the position kept for it (Bentley and Floyd, CACM 1987).
module hash_draws (
  input  wire        clock,
  input  wire [14:0] draw_0,  // draw 0, 0 to 32764
  input  wire [14:0] draw_1,  // draw 1, 0 to 32765
  input  wire [14:0] draw_2,  // draw 2, 0 to 32766
  input  wire [14:0] draw_3,  // draw 3, 0 to 32767
  output wire [14:0] index_0, // position of probe 0, 3 clocks later
  output wire [14:0] index_1, // position of probe 1, 3 clocks later
  output wire [14:0] index_2, // position of probe 2, 3 clocks later
  output wire [14:0] index_3  // position of probe 3, 3 clocks later
);
  localparam [14:0] kept_0 = 15'h7ffd;
  localparam [14:0] kept_1 = 15'h7ffe;
  localparam [14:0] kept_2 = 15'h7fff;

  wire        never;
  wire [14:0] check_0_draw_out;
  wire        check_0_taken_out;
  wire [14:0] check_1_draw_out;
  wire        check_1_taken_out;
  wire [14:0] check_2_draw_out;
  wire        check_2_taken_out;
  wire [14:0] settle_0_settled;
  wire [14:0] settle_1_settled;
  wire [14:0] settle_2_settled;
  wire [14:0] found_0_q;
  wire [14:0] found_1_q;
  wire [14:0] found_2_q;
  wire [14:0] found_3_q;

  draw_check check_0 (
    .clock     (clock),
    .draw      (draw_2),
    .taken     (never),
    .position  (draw_0),
    .draw_out  (check_0_draw_out),
    .taken_out (check_0_taken_out)
  );

  draw_check check_1 (
    .clock     (clock),
    .draw      (draw_3),
    .taken     (never),
    .position  (draw_0),
    .draw_out  (check_1_draw_out),
    .taken_out (check_1_taken_out)
  );

  draw_check check_2 (
    .clock     (clock),
    .draw      (check_1_draw_out),
    .taken     (check_1_taken_out),
    .position  (settle_0_settled),
    .draw_out  (check_2_draw_out),
    .taken_out (check_2_taken_out)
  );

  draw_settle settle_0 (
    .clock    (clock),
    .draw     (draw_1),
    .taken    (never),
    .position (draw_0),
    .kept     (kept_0),
    .settled  (settle_0_settled)
  );

  draw_settle settle_1 (
    .clock    (clock),
    .draw     (check_0_draw_out),
    .taken    (check_0_taken_out),
    .position (settle_0_settled),
    .kept     (kept_1),
    .settled  (settle_1_settled)
  );

  draw_settle settle_2 (
    .clock    (clock),
    .draw     (check_2_draw_out),
    .taken    (check_2_taken_out),
    .position (settle_1_settled),
    .kept     (kept_2),
    .settled  (settle_2_settled)
  );

  delay_15x3 found_0 (
    .clock (clock),
    .d     (draw_0),
    .q     (found_0_q)
  );

  delay_15x2 found_1 (
    .clock (clock),
    .d     (settle_0_settled),
    .q     (found_1_q)
  );

  delay_15x1 found_2 (
    .clock (clock),
    .d     (settle_1_settled),
    .q     (found_2_q)
  );

  delay_15x0 found_3 (
    .clock (clock),
    .d     (settle_2_settled),
    .q     (found_3_q)
  );

  assign never = 1'b0;
  assign index_0 = found_0_q;
  assign index_1 = found_1_q;
  assign index_2 = found_2_q;
  assign index_3 = found_3_q;
endmodule
