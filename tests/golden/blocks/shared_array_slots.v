// What stands in each stage: an item, a forced recycle, a word for the host, a refresh or nothing. A slot left empty while the array is idle refreshes
// one word of the active half with its present contents, so that it bears the current epoch.
module shared_array_slots (
  input  wire       clock,
  input  wire       reset,            // empties every slot that has not been decided
  input  wire       accept,           // an item is accepted
  input  wire [1:0] operation,        // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire       force_recycle,    // a recycle without an item is issued
  input  wire       fetch,            // the fetch of a word for the host is issued
  input  wire [9:0] fetch_address,    // that word
  input  wire       set,              // the setting of bits in it is issued
  input  wire       covered,          // no word of the active half needs a refresh
  input  wire       trip,             // the slot in stage D recycles
  output wire       load,             // an item enters stage 0
  output wire       ring_hold,        // an item in stages k to D - 2
  output wire       store_hold,       // an item in stages D - 2 and D - 1
  output wire       first,            // an item in stage 5
  output reg        direct,           // a refresh, a fetch or a set in stage 0
  output reg  [9:0] direct_address,   // its word
  output wire       refreshing,       // stage 4: a refresh or a set that will be written
  output wire       before_inserting, // the slot in stage D - 1 inserts
  output wire       forced,           // the slot in stage D - 1 recycles in any case
  output wire       item,             // stage D: an item
  output wire       inserting,        // stage D: it inserts
  output wire       answering,        // stage D: it wants a verdict
  output wire       writing,          // stages D to D + k - 1: a word is written in the next clock
  output wire       emptied,          // then: the item recycled
  output wire       recycled,         // stage W: the slot recycled
  output wire       fetched,          // stage 4: a fetch, whose word is there
  output wire       found             // stage 4: a set, the word before it is there
);
  localparam        retain            = 1'b1;  // the item that trips opens the new cycle
  localparam [3:0]  interval_less_one = 4'd13;
  localparam [20:0] no_line           = 21'd0;
  localparam [19:0] no_force          = 20'd0;
  localparam [4:0]  no_refresh        = 5'd0;
  localparam [14:0] no_fetch          = 15'd0;

  reg [20:0] item_line;
  reg [20:0] insert_line;
  reg [20:0] answer_line;
  reg [19:0] force_line;
  reg [4:0]  refresh_line;
  reg [14:0] fetch_line;
  reg [14:0] set_line;
  reg [2:0]  store_line_0;
  reg [9:0]  address;
  reg [9:0]  address_0;
  reg        busy;         // the array is taken, or will be until a refresh could read (busy_clocks counts on)
  reg [3:0]  busy_clocks;
  reg        emptied_r;
  reg        trip_w;

  wire       entering_insert;
  wire       entering_answer;
  wire       entering;
  wire       entering_refresh;
  wire       entering_set;
  wire [4:0] holding_ring;
  wire [1:0] holding_store;
  wire [3:0] near;
  wire       storing;
  wire       to_write;
  wire       empty;

  assign entering_insert = accept && (operation != 2'd0);
  assign entering_answer = accept && (operation != 2'd1);
  assign entering_set = set_line[9];

  // an empty slot becomes a refresh where it enters stage 0, if the array is idle and no set is on its way
  assign load = item_line[9];
  assign entering = item_line[9] || force_line[9];
  assign entering_refresh = !reset && !covered && !busy && !entering && !fetch_line[9] && !(|set_line);
  assign fetched = fetch_line[14];
  assign found = set_line[14];

  // it is dropped if the item or set behind it has begun to read when it would be written, or a fetch reads then
  assign near = item_line[13:10] | set_line[13:10];
  assign refreshing = refresh_line[4] && !(|near) && !fetch_line[10] && !reset;

  // before the decision
  assign holding_ring = item_line[18:14];
  assign holding_store = item_line[19:18];
  assign ring_hold = |holding_ring;
  assign store_hold = |holding_store;
  assign first = item_line[15];
  assign before_inserting = insert_line[19];
  assign forced = force_line[19];

  // at the decision
  assign item = item_line[20];
  assign inserting = insert_line[20];
  assign answering = answer_line[20];

  // from it on: not reset, what has been decided is finished
  assign storing = insert_line[20] && (retain || !trip);
  assign to_write = storing || (|store_line_0);
  assign writing = to_write;
  assign empty = trip || emptied_r;
  assign emptied = empty;
  assign recycled = trip_w;

  initial begin
    item_line = 21'd0;
    insert_line = 21'd0;
    answer_line = 21'd0;
    force_line = 20'd0;
    refresh_line = 5'd0;
    fetch_line = 15'd0;
    set_line = 15'd0;
    store_line_0 = 3'd0;
    address = 10'd0;
    address_0 = 10'd0;
    busy = 1'b0;
    busy_clocks = 4'd0;
    emptied_r = 1'b0;
    trip_w = 1'b0;
  end

  always @* begin
    direct = refresh_line[0];
    direct_address = address_0;
    if (fetch_line[10] || set_line[10]) begin
      direct = 1'b1;
      direct_address = fetch_address;
    end
  end

  always @(posedge clock) begin
    item_line <= {item_line[19:0], accept};
    insert_line <= {insert_line[19:0], entering_insert};
    answer_line <= {answer_line[19:0], entering_answer};
    force_line <= {force_line[18:0], force_recycle};
    fetch_line <= {fetch_line[13:0], fetch};
    set_line <= {set_line[13:0], set};
    busy_clocks <= busy_clocks - 4'd1;
    busy <= busy && (busy_clocks != 4'd1);
    if (entering && !reset) begin
      busy_clocks <= interval_less_one;
      busy <= 1'b1;
    end
    refresh_line <= {refresh_line[3:0], entering_refresh || entering_set};
    if (entering_refresh) begin
      address <= address + 10'd1;
    end
    address_0 <= address;
    if (reset) begin
      item_line <= no_line;
      insert_line <= no_line;
      answer_line <= no_line;
      force_line <= no_force;
      refresh_line <= no_refresh;
      fetch_line <= no_fetch;
      set_line <= no_fetch;
    end
    store_line_0 <= {store_line_0[1:0], storing};
    emptied_r <= empty && to_write;
    trip_w <= trip;
  end
endmodule
