// The least of 4 cells, a rank of registers a level, and whether any is at its greatest value.
module least_tree (
  input  wire       clock,
  input  wire [3:0] cell_0,      // stage 6: the item's cell in bank 0
  input  wire [3:0] cell_1,      // stage 6: the item's cell in bank 1
  input  wire [3:0] cell_2,      // stage 6: the item's cell in bank 2
  input  wire [3:0] cell_3,      // stage 6: the item's cell in bank 3
  input  wire       cell_full_0, // stage 6: it is at its greatest value
  input  wire       cell_full_1, // stage 6: it is at its greatest value
  input  wire       cell_full_2, // stage 6: it is at its greatest value
  input  wire       cell_full_3, // stage 6: it is at its greatest value
  output wire [3:0] least,       // stage D: the least of them
  output wire       full         // stage D: one of them is at its greatest value
);
  wire [3:0] node_0_least;
  wire       node_0_full;
  wire [3:0] node_1_least;
  wire       node_1_full;
  wire [3:0] node_2_least;
  wire       node_2_full;

  least_of_two node_0 (
    .clock      (clock),
    .left       (cell_0),
    .left_full  (cell_full_0),
    .right      (cell_1),
    .right_full (cell_full_1),
    .least      (node_0_least),
    .full       (node_0_full)
  );

  least_of_two node_1 (
    .clock      (clock),
    .left       (cell_2),
    .left_full  (cell_full_2),
    .right      (cell_3),
    .right_full (cell_full_3),
    .least      (node_1_least),
    .full       (node_1_full)
  );

  least_of_two node_2 (
    .clock      (clock),
    .left       (node_0_least),
    .left_full  (node_0_full),
    .right      (node_1_least),
    .right_full (node_1_full),
    .least      (node_2_least),
    .full       (node_2_full)
  );

  assign least = node_2_least;
  assign full = node_2_full;
endmodule
