// Puts a word that is read into the key, byte by byte in the order of the wire.
module key_capture (
  input  wire [103:0] key,
  input  wire [31:0]  word,
  input  wire         in_header, // it is one of the IP header
  input  wire         six,       // of version 6
  input  wire [3:0]   step,      // which one
  input  wire         ports,     // it holds the ports
  output reg  [103:0] captured
);
  localparam       wanted_six  = 1'b0;
  localparam [3:0] word_step_0 = 4'd3;
  localparam [3:0] word_step_1 = 4'd4;

  wire [103:0] bytes;
  wire [31:0]  order_word;

  network_order order (
    .bytes (word),
    .word  (order_word)
  );

  assign bytes = {72'd0, order_word};

  always @* begin
    captured = key;
    if (in_header && (six == wanted_six) && (step == word_step_0)) begin
      captured = key | bytes;
    end
    if (in_header && (six == wanted_six) && (step == word_step_1)) begin
      captured = key | (bytes << 32);
    end
    if (ports) begin
      captured = key | (bytes << 64);
    end
  end
endmodule
