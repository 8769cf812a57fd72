// What stands in each stage: an item, or nothing.
module in_place_slots (
  input  wire       clock,
  input  wire       reset,       // empties every slot
  input  wire       accept,      // an item is accepted
  input  wire [1:0] operation,   // 0 query, 1 insert, 2 test-and-insert, 3 remove
  output wire       inserting_3, // the item in stage 3 inserts
  output wire       removing_3,  // the item in stage 3 removes
  output wire [3:0] ahead,       // bit i: an item stands in stage 3 + i
  output wire       item,        // stage D: an item
  output wire       inserting,   // stage D: it inserts
  output wire       removing,    // stage D: it removes
  output wire       answering    // stage D: it wants a verdict
);
  localparam [13:0] no_line = 14'd0;

  reg [13:0] item_line;
  reg [13:0] insert_line;
  reg [13:0] remove_line;
  reg [13:0] answer_line;

  wire inserts;

  assign inserts = (operation != 2'd0) && (operation != 2'd3);
  assign inserting_3 = insert_line[8];
  assign ahead = item_line[11:8];
  assign removing_3 = remove_line[8];
  assign removing = remove_line[13];
  assign item = item_line[13];
  assign inserting = insert_line[13];
  assign answering = answer_line[13];

  initial begin
    item_line = 14'd0;
    insert_line = 14'd0;
    remove_line = 14'd0;
    answer_line = 14'd0;
  end

  always @(posedge clock) begin
    item_line <= {item_line[12:0], accept};
    remove_line <= {remove_line[12:0], accept && (operation == 2'd3)};
    insert_line <= {insert_line[12:0], accept && inserts};
    answer_line <= {answer_line[12:0], accept && (operation != 2'd1)};
    if (reset) begin
      item_line <= no_line;
      insert_line <= no_line;
      remove_line <= no_line;
      answer_line <= no_line;
    end
  end
endmodule
