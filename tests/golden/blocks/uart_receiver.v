// Receives bytes of 8 bits, least first, no parity, one stop bit; 125 clocks a bit.
module uart_receiver (
  input  wire       clock,
  input  wire       reset,    // idle
  input  wire       line,     // the line, of any clock
  output wire       received, // a byte is received
  output wire [7:0] data      // it, in this clock
);
  localparam [6:0] half      = 7'd61; // from the edge to the middle of the start bit
  localparam [6:0] whole     = 7'h7c; // from the middle of a bit to that of the next
  localparam [6:0] one       = 7'd1;
  localparam [3:0] no_bit    = 4'd0;
  localparam [3:0] first_bit = 4'd1;
  localparam [3:0] stop_bit  = 4'd9;

  (* ASYNC_REG = "TRUE" *)
  reg       rx1;    // the line a clock ago
  (* ASYNC_REG = "TRUE" *)
  reg       rx2;    // two clocks ago, safe to use
  reg       busy;   // within a byte (count, bit)
  reg       broken; // a stop bit was missing; wait until the line rests
  reg [6:0] count;  // clocks until the middle of the bit
  reg       due;    // count is 0
  reg [3:0] bit_;   // 0 start, 1 to 8 data, 9 stop
  reg [7:0] shift;

  wire met;

  assign met = busy && due;
  assign received = met && (bit_ == stop_bit) && rx2;
  assign data = shift;

  initial begin
    rx1 = 1'b1;
    rx2 = 1'b1;
    busy = 1'b0;
    broken = 1'b0;
    count = 7'd0;
    due = 1'b0;
    bit_ = 4'd0;
    shift = 8'd0;
  end

  always @(posedge clock) begin
    rx1 <= line || reset;
    rx2 <= rx1 || reset;
    broken <= broken && !rx2;
    count <= count - 7'd1;
    due <= count == one;
    if (met) begin
      count <= whole;
      bit_ <= bit_ + 4'd1;
      if (bit_ == stop_bit) begin
        busy <= 1'b0;
        broken <= !rx2;
      end else if (bit_ == no_bit) begin
        // a start bit that has gone by its middle was a glitch
        busy <= !rx2;
        bit_ <= first_bit;
      end else begin
        shift <= ({7'd0, rx2} << 7) | (shift >> 1);
      end
    end
    if (!busy) begin
      count <= half;
      due <= 1'b0;
      bit_ <= no_bit;
      busy <= !broken && !rx2;
    end
    if (reset) begin
      busy <= 1'b0;
      broken <= 1'b0;
    end
  end
endmodule
