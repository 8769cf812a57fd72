// Counts in one clock the events of another: a small number crosses in Gray code.
module mac_counter (
  input  wire        event_clock,
  input  wire        event_reset, // with reset, and not after it
  input  wire        event_,      // one more, in event_clock
  input  wire        clock,
  input  wire        reset,       // back to zero
  output wire [63:0] count        // how many, in clock; the upper half a clock late
);
  reg [3:0]  number;    // events, modulo 16
  reg [3:0]  gray;      // the same in Gray code
  reg [3:0]  before_;   // events a clock ago
  reg [3:0]  more;      // events in the clock before
  reg [31:0] low;       // lower half
  reg        carry;
  reg [31:0] high_half; // upper half as it was a clock ago

  wire [32:0] sum;
  wire [3:0]  next;
  wire [3:0]  high;
  wire [3:0]  now;    // events, as seen here
  wire [3:0]  seen_q;

  synchroniser_2 seen (
    .clock (clock),
    .reset (reset),
    .d     (gray),
    .q     (seen_q)
  );

  assign next = number + {3'd0, event_};
  assign high = seen_q ^ (seen_q >> 1);
  assign now = high ^ (high >> 2);
  assign sum = {1'b0, low} + {29'd0, more};
  assign count = {high_half, low};

  initial begin
    number = 4'd0;
    gray = 4'd0;
    before_ = 4'd0;
    more = 4'd0;
    low = 32'd0;
    carry = 1'b0;
    high_half = 32'd0;
  end

  always @(posedge event_clock) begin
    if (event_reset) begin
      number <= 4'd0;
      gray <= 4'd0;
    end else begin
      number <= next;
      gray <= next ^ (next >> 1);
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      before_ <= 4'd0;
      more <= 4'd0;
      low <= 32'd0;
      carry <= 1'b0;
      high_half <= 32'd0;
    end else begin
      before_ <= now;
      more <= now - before_;
      low <= sum[31:0];
      carry <= sum[32];
      high_half <= high_half + {31'd0, carry};
    end
  end
endmodule
