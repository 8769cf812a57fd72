// Of 32 cells (front bucket, back bucket, store, lowest first): the first that matches, else the first that is empty.
// A scan takes every empty cell, a wipe all of them.
module first_fit (
  input  wire [31:0] matching,      // cells that match
  input  wire [31:0] empty,         // cells that are empty
  input  wire        element,       // the slot is an element
  input  wire        scan,          // the slot is a scan
  input  wire        wipe,          // the slot is a wipe
  output reg  [31:0] taking,        // cells that the slot writes
  output wire        seen,          // a cell matches
  output wire        lost,          // an element for which there is no cell
  output wire        inserted,      // an element that takes an empty cell
  output wire        inserted_back, // in the back table
  output wire        inserted_store // in the store
);
  localparam [31:0] no_cell   = 32'd0;
  localparam [31:0] all_cells = 32'hffffffff;

  wire [31:0] lowest_match;
  wire [31:0] lowest_empty;
  wire        newly;
  wire        front_full;
  wire        back_full;

  assign lowest_match = matching & -matching;
  assign lowest_empty = empty & -empty;
  assign seen = |matching;
  assign newly = element && !(|matching);
  assign lost = newly && !(|empty);
  assign inserted = newly && (|empty);
  assign front_full = !(|empty[7:0]);
  assign back_full = !(|empty[15:8]);
  assign inserted_back = newly && front_full && !back_full;
  assign inserted_store = inserted && front_full && back_full;

  always @* begin
    taking = no_cell;
    if (element) begin
      taking = lowest_empty;
      if (|matching) begin
        taking = lowest_match;
      end
    end
    if (scan) begin
      taking = empty;
    end
    if (wipe) begin
      taking = all_cells;
    end
  end
endmodule
