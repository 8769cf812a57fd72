// What stands in each stage: an item, a clear, an access to the array, a refresh or nothing. A slot left empty refreshes one
// word with its present contents, so that it bears the current epoch.
module cell_slots (
  input  wire        clock,
  input  wire        reset,            // empty every slot in stage 1 or earlier, silence the others
  input  wire        accept,           // an item is accepted
  input  wire [1:0]  operation,        // its operation
  input  wire        probing_0,        // the next probe of the item accepted last is issued
  input  wire        last_0,           // it is its last one
  input  wire        raising_0,        // a probe of it that raises is issued
  input  wire        force_clear,      // a clear is issued
  input  wire        access,           // an access is issued
  input  wire [10:0] access_address,   // word of each bank that it goes to
  input  wire        covered,          // every word bears the current epoch
  output wire        direct,           // the slot entering stage 0 is a refresh or an access
  output reg  [10:0] direct_address,   // word that it goes to
  output wire [3:0]  writing,          // bit i: the slot in stage 2 + i writes its word
  output wire        accessing,        // stage 2: an access
  output wire        inserting,        // stage 3: an item that inserts
  output wire        clearing,         // stage 2: a clear
  output wire        recycled,         // stage 5: a clear
  output wire        fetched,          // stage 6: an access
  output wire        item,             // stage D: an item
  output wire        inserted,         // stage D: one that inserted
  output wire        answering,        // stage D: one with a verdict
  output wire        entering_raise_0, // the slot entering stage 0 raises
  output wire        looked_0,         // stage 7: the last look of an item
  output wire        level_wanted_0    // stage 7: of one that inserts
);
  localparam [1:0] query      = 2'd0;
  localparam [1:0] insert     = 2'd1;
  localparam [5:0] no_line    = 6'd0;
  localparam [5:0] one        = 6'd1;
  localparam [6:0] no_late    = 7'd0;
  localparam [4:0] no_fetch   = 5'd0;
  localparam [1:0] no_refresh = 2'd0;

  reg [5:0]  item_line;    // bit i: the slot issued i + 1 clocks ago is an item
  reg [5:0]  last_line_0;  // it is the last probe of an item
  reg [5:0]  raise_line_0; // it raises its cell; probes of the other lines look
  reg [5:0]  insert_line;
  reg [5:0]  answer_line;
  reg [5:0]  clear_line;
  reg [5:0]  access_line;
  reg [1:0]  refresh_line; // stages 0 and 1
  reg [10:0] address;      // next word to refresh
  reg [3:0]  write_line;
  reg [3:0]  recycle_line;
  reg        access_2;
  reg        insert_2;
  reg        insert_3;
  reg [6:0]  item_late;    // bit i: an item in stage 2 + i that will be heard of
  reg [6:0]  insert_late;
  reg [6:0]  answer_late;
  reg [4:0]  fetch_late;

  wire entering_insert;
  wire entering_answer;
  wire entering_access;
  wire entering_refresh;
  wire live;

  // issued to stage 1
  assign entering_answer = accept && (operation != insert);
  assign entering_insert = accept && (operation != query);
  assign entering_raise_0 = raise_line_0[3];

  // an empty slot becomes a refresh where it enters stage 0
  assign entering_access = access_line[3];
  assign entering_refresh = !reset && !covered && !entering_access && !item_line[3] && !clear_line[3];
  assign direct = entering_refresh || entering_access;

  // what a slot does to memory and epochs, from stage 2 on
  assign live = item_line[5] || access_line[5] || refresh_line[1];
  assign writing = write_line;
  assign clearing = recycle_line[0];
  assign recycled = recycle_line[3];
  assign accessing = access_2;
  assign inserting = insert_3;
  assign fetched = fetch_late[4];
  assign item = item_late[6];
  assign inserted = insert_late[6];
  assign answering = answer_late[6];
  assign looked_0 = item_late[5];
  assign level_wanted_0 = insert_late[5];

  initial begin
    item_line = 6'd0;
    last_line_0 = 6'd0;
    raise_line_0 = 6'd0;
    insert_line = 6'd0;
    answer_line = 6'd0;
    clear_line = 6'd0;
    access_line = 6'd0;
    refresh_line = 2'd0;
    address = 11'd0;
    write_line = 4'd0;
    recycle_line = 4'd0;
    access_2 = 1'b0;
    insert_2 = 1'b0;
    insert_3 = 1'b0;
    item_late = 7'd0;
    insert_late = 7'd0;
    answer_late = 7'd0;
    fetch_late = 5'd0;
  end

  always @* begin
    direct_address = address;
    if (entering_access) begin
      direct_address = access_address;
    end
  end

  always @(posedge clock) begin
    item_line <= {item_line[4:0], accept};
    insert_line <= {insert_line[4:0], entering_insert};
    answer_line <= {answer_line[4:0], entering_answer};
    clear_line <= {clear_line[4:0], force_clear};
    access_line <= {access_line[4:0], access};

    // a probe is of the kind of the one before it
    last_line_0 <= last_line_0 << 1;
    if (last_0) begin
      last_line_0 <= (last_line_0 << 1) | one;
    end
    if (probing_0) begin
      item_line <= (item_line << 1) | one;
      insert_line <= (insert_line << 1) | (insert_line & one);
      answer_line <= (answer_line << 1) | (answer_line & one);
    end

    // a probe that raises
    raise_line_0 <= raise_line_0 << 1;
    if (raising_0) begin
      raise_line_0 <= (raise_line_0 << 1) | one;
      item_line <= (item_line << 1) | one;
    end
    refresh_line <= {refresh_line[0], entering_refresh};
    if (entering_refresh) begin
      address <= address + 11'd1;
    end
    write_line <= {write_line[2:0], live && !reset};
    recycle_line <= {recycle_line[2:0], clear_line[5] && !reset};
    access_2 <= access_line[5] && !reset;
    insert_2 <= raise_line_0[5] && !reset;
    insert_3 <= insert_2;

    // what it says to the outside, from stage 2 on
    item_late <= {item_late[5:0], item_line[5]};
    insert_late <= {insert_late[5:0], insert_line[5]};
    answer_late <= {answer_late[5:0], answer_line[5]};
    fetch_late <= {fetch_late[3:0], access_line[5]};

    // of an item only the last probe is heard of
    if (!last_line_0[5]) begin
      item_late <= item_late << 1;
      insert_late <= insert_late << 1;
      answer_late <= answer_late << 1;
    end
    if (reset) begin
      last_line_0 <= no_line;
      raise_line_0 <= no_line;
      item_line <= no_line;
      insert_line <= no_line;
      answer_line <= no_line;
      clear_line <= no_line;
      access_line <= no_line;
      refresh_line <= no_refresh;
      item_late <= no_late;
      insert_late <= no_late;
      answer_late <= no_late;
      fetch_late <= no_fetch;
    end
  end
endmodule
