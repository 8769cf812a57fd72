// How a header of a number is read.
module next_header (
  input  wire [7:0] number, // next header, or protocol
  output reg  [2:0] kind
);
  localparam [2:0] none           = 3'd0; // not at all: the parse ends
  localparam [2:0] hops           = 3'd1;
  localparam [2:0] options        = 3'd2; // 8 (b + 1) bytes
  localparam [2:0] fragment       = 3'd3; // 8 bytes
  localparam [2:0] authentication = 3'd4; // 4 (b + 2) bytes
  localparam [2:0] ports          = 3'd5; // it begins with two ports

  always @* begin
    kind = none;
    if (number == 8'd0) begin
      kind = hops;
    end
    if ((number == 8'd43) || (number == 8'd60)) begin
      kind = options;
    end
    if (number == 8'd44) begin
      kind = fragment;
    end
    if (number == 8'd51) begin
      kind = authentication;
    end
    if ((number == 8'd6) || (number == 8'd17) || (number == 8'd33) || (number == 8'h84) || (number == 8'h88)) begin
      kind = ports;
    end
  end
endmodule
