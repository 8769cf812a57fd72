// What stands in each stage: an item, a scan, a wipe or nothing; and the generation that it stands in.
// The scan visits the buckets in turn.
module sliding_slots (
  input  wire        clock,
  input  wire        reset,           // empties every slot that has not been decided
  input  wire        restart,         // elements count from 0: nothing is in flight
  input  wire        accept,          // an item is accepted
  input  wire [1:0]  operation,       // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire        scan,            // a scan is issued
  input  wire        wipe,            // a wipe is issued
  output wire        scanning,        // the slot entering stage 0 is a scan or a wipe
  output wire [11:0] scan_address,    // its bucket
  output wire [4:0]  generation,      // of the slot in stage 3
  output wire        item_6,          // the slot in stage 6 is an item
  output wire        answer_6,        // it wants a verdict
  output wire        element_6,       // it is an element
  output wire        scan_6,          // the slot in stage 6 is a scan
  output wire        wipe_6,          // the slot in stage 6 is a wipe
  output wire        sets,            // the slot in stage 7 is an element
  output wire [4:0]  write_generation // that the slot in stage 7 writes: of an element its own, of a scan the youngest stale one
);
  localparam [12:0] no_line          = 13'd0;
  localparam [11:0] no_address       = 12'd0;
  localparam [10:0] no_elements      = 11'd0;
  localparam [10:0] last_element     = 11'h7ff;
  localparam [4:0]  first_generation = 5'd0;
  localparam [4:0]  to_stale         = 5'd9;    // age of the youngest stale generation

  reg [12:0] item_line;
  reg [12:0] element_line;
  reg [12:0] answer_line;
  reg [12:0] scan_line;
  reg [12:0] wipe_line;
  reg [11:0] address;
  reg [10:0] elements;           // elements of this generation
  reg [4:0]  generation_r;
  reg [4:0]  generation_4;
  reg [4:0]  generation_5;
  reg [4:0]  generation_6;
  reg [4:0]  write_generation_r;
  reg        sets_r;

  wire entering;
  wire counting;

  // a scan takes its bucket where it enters stage 0
  assign entering = scan_line[5] || wipe_line[5];
  assign scanning = entering;
  assign scan_address = address;

  // elements count where they meet their generation, in stage 3
  assign counting = element_line[9];
  assign generation = generation_r;

  // stage 6, and what is written in stage 7
  assign item_6 = item_line[12];
  assign answer_6 = answer_line[12];
  assign element_6 = element_line[12];
  assign scan_6 = scan_line[12];
  assign wipe_6 = wipe_line[12];
  assign sets = sets_r;
  assign write_generation = write_generation_r;

  initial begin
    item_line = 13'd0;
    element_line = 13'd0;
    answer_line = 13'd0;
    scan_line = 13'd0;
    wipe_line = 13'd0;
    address = 12'd0;
    elements = 11'd0;
    generation_r = 5'd0;
    generation_4 = 5'd0;
    generation_5 = 5'd0;
    generation_6 = 5'd0;
    write_generation_r = 5'd0;
    sets_r = 1'b0;
  end

  always @(posedge clock) begin
    item_line <= {item_line[11:0], accept};
    element_line <= {element_line[11:0], accept && (operation != 2'd0)};
    answer_line <= {answer_line[11:0], accept && (operation != 2'd1)};
    scan_line <= {scan_line[11:0], scan};
    wipe_line <= {wipe_line[11:0], wipe};
    if (entering) begin
      address <= address + 12'd1;
    end
    if (counting) begin
      elements <= elements + 11'd1;
      if (elements == last_element) begin
        elements <= no_elements;
        generation_r <= generation_r + 5'd1;
      end
    end
    generation_4 <= generation_r;
    generation_5 <= generation_4;
    generation_6 <= generation_5;
    sets_r <= element_line[12];
    write_generation_r <= generation_6 - to_stale;
    if (element_line[12]) begin
      write_generation_r <= generation_6;
    end
    if (restart || reset) begin
      elements <= no_elements;
      generation_r <= first_generation;
    end
    if (reset) begin
      address <= no_address;
      item_line <= no_line;
      element_line <= no_line;
      answer_line <= no_line;
      scan_line <= no_line;
      wipe_line <= no_line;
    end
  end
endmodule
