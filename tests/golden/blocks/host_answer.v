// Gives an answer: its head from the row, its payload from the memory.
module host_answer (
  input  wire        clock,
  input  wire        reset,   // no answer
  input  wire        start,   // an answer; not while there is one
  input  wire [9:0]  bytes,   // of so many bytes
  input  wire        packet,  // of Etherbone
  input  wire        probe,   // to a probe
  input  wire [7:0]  reads,   // words that were read
  input  wire [7:0]  first,   // first byte of the row
  output wire        give,    // it is taken
  output wire [6:0]  place,   // word of the payload, two clocks ahead
  input  wire [31:0] payload, // the word
  output wire        tvalid,  // the answer
  input  wire        tready,
  output reg  [7:0]  tdata,
  output wire        tlast,
  output wire        sent     // its last byte is taken
);
  localparam [5:0]  head_bytes   = 6'd42;
  localparam [31:0] probe_start  = 32'h4e6f1244; // header of the answer to a probe
  localparam [31:0] packet_start = 32'h4e6f1044; // header of a packet
  localparam [31:0] record       = 32'hf0000;    // record of writes
  localparam [31:0] zero         = 32'd0;
  localparam [9:0]  none         = 10'd0;
  localparam [6:0]  no_place     = 7'd0;
  localparam [1:0]  fresh        = 2'd0;

  reg [9:0]  left;      // bytes to be given
  reg [5:0]  head_left; // of those, of the head
  reg [6:0]  place_r;
  reg [31:0] word;      // the next byte highest
  reg [1:0]  spent;     // bytes of it that are given

  wire        taken;
  wire        in_head;
  wire        load;    // the next word's turn comes
  reg  [31:0] next;

  assign tvalid = |left;
  assign taken = tvalid && tready;
  assign in_head = |head_left;
  assign give = taken && in_head;
  assign tlast = left == 10'd1;
  assign sent = taken && tlast;
  assign load = taken && ((head_left == 6'd1) || (!in_head && (&spent)));
  assign place = place_r;

  initial begin
    left = 10'd0;
    head_left = 6'd0;
    place_r = 7'd0;
    word = 32'd0;
    spent = 2'd0;
  end

  always @* begin
    tdata = word[31:24];
    if (in_head) begin
      tdata = first;
    end
  end

  always @* begin
    // the word that is next
    next = payload;
    if (packet && (place_r == 7'd0)) begin
      next = packet_start;
      if (probe) begin
        next = probe_start;
      end
    end
    if (packet && (place_r == 7'd1)) begin
      next = zero;
    end
    if (packet && (place_r == 7'd2)) begin
      next = record | ({24'd0, reads} << 8);
      if (probe) begin
        next = zero;
      end
    end
  end

  always @(posedge clock) begin
    if (taken) begin
      left <= left - 10'd1;
      spent <= spent + 2'd1;
      word <= word << 8;
      if (in_head) begin
        head_left <= head_left - 6'd1;
      end
    end
    if (load) begin
      word <= next;
      spent <= fresh;
      place_r <= place_r + 7'd1;
    end
    if (start) begin
      left <= bytes;
      head_left <= head_bytes;
      place_r <= no_place;
    end
    if (reset) begin
      left <= none;
    end
  end
endmodule
