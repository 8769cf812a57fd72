// A word of the array for a host, cell by cell: they pass the pipeline behind the items that were accepted before, and none comes meanwhile.
module word_access (
  input  wire        clock,
  input  wire        reset,        // ends an access
  input  wire        issue,        // an access begins
  input  wire        storing,      // it stores; if not, it fetches
  input  wire [11:0] word_address, // the word in its bank
  input  wire [31:0] data,         // register ARRAY_DATA
  input  wire [3:0]  in_bank,      // bit i: the word is in bank i
  input  wire [3:0]  found,        // stage 6: the cell of that bank
  output wire        direct,       // stage 0: a cell of the word
  output wire [14:0] position,     // its position
  output reg  [3:0]  writing,      // stage 2: the cell is written in bank i
  output wire [3:0]  value,        // stage 2: value to write; 0 for a counter to erase
  output wire        load,         // ARRAY_DATA is loaded
  output wire [31:0] word,         // with this
  output wire        done          // last clock of the access
);
  localparam [4:0] before_cells    = 5'd5;
  localparam [4:0] last_cell       = 5'd13;
  localparam [4:0] one_clock       = 5'd1;
  localparam [4:0] before_done     = 5'd19;
  localparam [3:0] no_bank         = 4'd0;
  localparam [2:0] no_offset       = 3'd0;
  localparam [3:0] value_of_others = 4'd0;

  reg       on_way;   // an access is on its way
  reg [4:0] clocks;   // clocks since it was issued
  reg       direct_r;
  reg [2:0] offset;   // cell in stage 0
  reg       last;

  wire [3:0]  first;
  reg  [31:0] turned;
  wire        write_line_d;
  wire        write_line_q;
  reg  [3:0]  value_line_d;
  wire [3:0]  value_line_q;
  wire        collect_d;
  wire        collect_q;

  delay_1x2 write_line (
    .clock (clock),
    .d     (write_line_d),
    .q     (write_line_q)
  );

  delay_4x2 value_line (
    .clock (clock),
    .d     (value_line_d),
    .q     (value_line_q)
  );

  delay_1x6 collect (
    .clock (clock),
    .d     (collect_d),
    .q     (collect_q)
  );

  assign done = last;

  // stage 0
  assign direct = direct_r;
  assign position = {word_address, offset};

  // a store: what is written, and where
  assign first = data[3:0];
  assign write_line_d = direct_r && storing;
  assign value = value_line_q;

  // a fetch shifts in the cells that were read, a store those that it shifted out
  assign collect_d = direct_r && !storing;
  assign load = (collect_q && on_way) || (direct_r && storing);
  assign word = turned | (data >> 4);

  initial begin
    on_way = 1'b0;
    clocks = 5'd0;
    direct_r = 1'b0;
    offset = 3'd0;
    last = 1'b0;
  end

  always @* begin
    writing = no_bank;
    if (write_line_q) begin
      writing = in_bank;
    end
  end

  always @* begin
    value_line_d = value_of_others;
    if (direct_r) begin
      value_line_d = first;
    end
  end

  always @* begin
    turned = {28'd0, found} << 28;
    if (storing) begin
      turned = {28'd0, first} << 28;
    end
  end

  always @(posedge clock) begin
    clocks <= clocks + 5'd1;
    on_way <= on_way && !last;
    last <= on_way && (clocks == before_done);
    if (on_way && (clocks == before_cells)) begin
      direct_r <= 1'b1;
    end else if (clocks == last_cell) begin
      direct_r <= 1'b0;
    end
    if (issue) begin
      on_way <= 1'b1;
      clocks <= one_clock;
    end
    if (direct_r) begin
      offset <= offset + 3'd1;
    end
    if (reset) begin
      on_way <= 1'b0;
      direct_r <= 1'b0;
      last <= 1'b0;
      offset <= no_offset;
    end
  end
endmodule
