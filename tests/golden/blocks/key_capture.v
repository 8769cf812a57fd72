// Puts a word that is read into the key, byte by byte in the order of the wire.
module key_capture (
  input  wire [103:0] key,
  input  wire [31:0]  word,
  input  wire [2:0]   part,    // which part of the key it is, if any
  output reg  [103:0] captured
);
  wire [103:0] bytes;
  wire [31:0]  order_word;

  network_order order (
    .bytes (word),
    .word  (order_word)
  );

  assign bytes = {72'd0, order_word};

  always @* begin
    captured = key;
    if (part[0]) begin
      captured = key | bytes;
    end
    if (part[1]) begin
      captured = key | (bytes << 32);
    end
    if (part[2]) begin
      captured = key | (bytes << 64);
    end
  end
endmodule
