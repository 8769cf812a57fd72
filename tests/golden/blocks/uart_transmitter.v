// Sends bytes of 8 bits, least first, no parity, one stop bit; 125 clocks a bit.
module uart_transmitter (
  input  wire       clock,
  input  wire       reset, // idle
  input  wire       load,  // send a byte; only while idle
  input  wire [7:0] data,  // it
  output wire       idle,  // nothing is being sent
  output wire       line   // the line, 1 at rest
);
  localparam [6:0] whole    = 7'h7c;
  localparam [9:0] rest     = 10'h3ff;
  localparam [9:0] stop_bit = 10'h200;
  localparam [3:0] all_bits = 4'd9;

  reg [9:0] frame;  // {stop, byte, start}, the bit on the line lowest
  reg       idle_r;
  reg [6:0] count;  // clocks of this bit to come
  reg [3:0] bits;   // bits to come

  assign idle = idle_r;
  assign line = frame[0];

  initial begin
    frame = 10'h3ff;
    idle_r = 1'b1;
    count = 7'd0;
    bits = 4'd0;
  end

  always @(posedge clock) begin
    count <= count - 7'd1;
    if (idle_r) begin
      count <= whole;
      bits <= all_bits;
      if (load) begin
        frame <= stop_bit | ({2'd0, data} << 1);
        idle_r <= 1'b0;
      end
    end else if (!(|count)) begin
      count <= whole;
      bits <= bits - 4'd1;
      frame <= stop_bit | (frame >> 1);
      if (!(|bits)) begin
        frame <= frame;
        idle_r <= 1'b1;
      end
    end
    if (reset) begin
      frame <= rest;
      idle_r <= 1'b1;
    end
  end
endmodule
