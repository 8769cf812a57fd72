// FIFO of 16 words of 10 bits between two clocks; places cross in Gray code.
module async_fifo (
  input  wire       write_clock,
  input  wire       write_reset, // empty; with read_reset, and not after it
  input  wire       write,       // store a word, unless full
  input  wire [9:0] write_data,
  output wire       full,        // there is no place
  input  wire       read_clock,
  input  wire       read_reset,  // empty
  output wire       valid,       // there is a word
  input  wire       ready,       // it is taken
  output wire [9:0] read_data    // the oldest
);
  localparam [4:0] lap = 5'd24; // a whole FIFO ahead, in Gray code

  reg [4:0] write_place; // words written
  reg [4:0] write_gray;  // the same in Gray code
  reg [4:0] read_place;  // words read
  reg [4:0] read_gray;   // the same in Gray code

  wire       storing;
  wire       taking;
  wire [4:0] write_after;      // write_place, one further
  wire [4:0] read_after;       // read_place, one further
  wire [9:0] memory_read_data;
  reg  [4:0] write_place_next;
  reg  [4:0] write_gray_next;
  reg  [4:0] read_place_next;
  reg  [4:0] read_gray_next;
  wire [4:0] read_seen_q;
  wire [4:0] write_seen_q;

  crossing_memory memory (
    .write_clock   (write_clock),
    .write_enable  (storing),
    .write_address (write_place[3:0]),
    .write_data    (write_data),
    .read_address  (read_place[3:0]),
    .read_data     (memory_read_data)
  );

  synchroniser read_seen (
    .clock (write_clock),
    .reset (write_reset),
    .d     (read_gray),
    .q     (read_seen_q)
  );

  synchroniser write_seen (
    .clock (read_clock),
    .reset (read_reset),
    .d     (write_gray),
    .q     (write_seen_q)
  );

  assign full = write_gray == (read_seen_q ^ lap);
  assign storing = write && !full;
  assign write_after = write_place + 5'd1;
  assign valid = read_gray != write_seen_q;
  assign taking = valid && ready;
  assign read_after = read_place + 5'd1;
  assign read_data = memory_read_data;

  initial begin
    write_place = 5'd0;
    write_gray = 5'd0;
    read_place = 5'd0;
    read_gray = 5'd0;
  end

  always @* begin
    write_place_next = write_place;
    write_gray_next = write_gray;
    if (storing) begin
      write_place_next = write_after;
      write_gray_next = write_after ^ (write_after >> 1);
    end
  end

  always @* begin
    read_place_next = read_place;
    read_gray_next = read_gray;
    if (taking) begin
      read_place_next = read_after;
      read_gray_next = read_after ^ (read_after >> 1);
    end
  end

  always @(posedge write_clock) begin
    if (write_reset) begin
      write_place <= 5'd0;
      write_gray <= 5'd0;
    end else begin
      write_place <= write_place_next;
      write_gray <= write_gray_next;
    end
  end

  always @(posedge read_clock) begin
    if (read_reset) begin
      read_place <= 5'd0;
      read_gray <= 5'd0;
    end else begin
      read_place <= read_place_next;
      read_gray <= read_gray_next;
    end
  end
endmodule
