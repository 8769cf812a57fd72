// Frames whose class is known.
// Three places in registers; an entry comes out two clocks after it came.
module known_queue (
  input  wire        clock,
  input  wire        reset,   // empty
  input  wire        push,    // an entry comes; not while full
  input  wire [59:0] data_in, // it
  output wire        full,    // there is no place
  output wire        valid,   // there is an entry
  output wire [59:0] data,    // the oldest
  output wire [59:0] behind,  // the entry after the oldest, if there is one
  input  wire        take,    // the oldest is taken
  output wire        follows  // in the next clock data is what behind is now
);
  reg [59:0] even;      // entries 0, 2, 4 ..
  reg [59:0] odd;       // entries 1, 3, 5 ..
  reg        write_odd; // the next entry is odd
  reg        read_odd;  // the entry after the oldest is odd
  reg        some;      // even or odd holds an entry
  reg        full_r;    // both hold one
  reg        valid_r;
  reg [59:0] data_r;

  reg  [59:0] second;
  wire        free;
  wire        load;

  assign free = !valid_r || take;
  assign load = some && free;
  assign full = full_r;
  assign valid = valid_r;
  assign data = data_r;
  assign behind = second;
  assign follows = free;

  initial begin
    even = 60'd0;
    odd = 60'd0;
    write_odd = 1'b0;
    read_odd = 1'b0;
    some = 1'b0;
    full_r = 1'b0;
    valid_r = 1'b0;
    data_r = 60'd0;
  end

  always @* begin
    second = even;
    if (read_odd) begin
      second = odd;
    end
  end

  always @(posedge clock) begin
    // the place that is written next may be written before an entry comes
    if (!full_r && !write_odd) begin
      even <= data_in;
    end
    if (!full_r && write_odd) begin
      odd <= data_in;
    end
    write_odd <= write_odd != push;
    read_odd <= read_odd != load;

    // load is the latest of these signals
    full_r <= (full_r || (some && push)) && !load;
    some <= push || full_r || (some && !load);
    valid_r <= some || !free;

    // loaded without an entry, too: data counts while valid is 1
    if (free) begin
      data_r <= second;
    end
    if (reset) begin
      write_odd <= 1'b0;
      read_odd <= 1'b0;
      some <= 1'b0;
      full_r <= 1'b0;
      valid_r <= 1'b0;
    end
  end
endmodule
