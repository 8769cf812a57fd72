// Keys of frames that are whole, on their way to the filter.
// 32 entries, and one in the register behind them; an entry comes out two clocks after it came.
module key_queue (
  input  wire         clock,
  input  wire         reset,   // empty
  input  wire         push,    // an entry comes; not while full
  input  wire [103:0] data_in, // it
  output wire         full,    // there is no place
  output wire         valid,   // there is an entry
  output wire [103:0] data,    // the oldest
  input  wire         take,    // the oldest is taken
  output wire         loads    // an entry leaves the memory
);
  localparam [4:0] first = 5'd0;

  reg [4:0]   write_place;
  reg [4:0]   read_place;
  reg         some;        // the memory holds an entry
  reg         one;         // it holds one entry, if any
  reg         full_r;
  reg         valid_r;
  reg [103:0] data_r;

  wire [4:0]   ahead;
  wire         free;
  wire         load;
  wire         storing;
  wire         memory_write_enable;
  wire [103:0] memory_read_data;

  wide_queue_memory memory (
    .clock         (clock),
    .write_enable  (memory_write_enable),
    .write_address (write_place),
    .write_data    (data_in),
    .read_address  (read_place),
    .read_data     (memory_read_data)
  );

  assign free = !valid_r || take;
  assign load = some && free;
  assign loads = load;
  assign storing = push && !full_r;

  // the place that is written next may be written before an entry comes: nobody reads it until then
  assign memory_write_enable = !full_r;

  // entries in the memory, but for all of them, which look like none
  assign ahead = write_place - read_place;
  assign full = full_r;
  assign valid = valid_r;
  assign data = data_r;

  initial begin
    write_place = 5'd0;
    read_place = 5'd0;
    some = 1'b0;
    one = 1'b0;
    full_r = 1'b0;
    valid_r = 1'b0;
    data_r = 104'd0;
  end

  always @(posedge clock) begin
    if (storing) begin
      write_place <= write_place + 5'd1;
    end
    if (load) begin
      read_place <= read_place + 5'd1;
    end

    // load is the latest of these signals
    full_r <= (full_r || (storing && (&ahead))) && !load;
    some <= storing || (some && !(one && free));
    if (storing && !load) begin
      one <= !some;
    end
    if (load && !storing) begin
      one <= ahead == 5'd2;
    end
    valid_r <= load || (valid_r && !take);

    // loaded without an entry, too: data counts while valid is 1
    if (free) begin
      data_r <= memory_read_data;
    end
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full_r <= 1'b0;
      valid_r <= 1'b0;
    end
  end
endmodule
