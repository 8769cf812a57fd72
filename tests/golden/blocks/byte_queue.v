// Queue of 16 bytes; one that meets it full is dropped.
module byte_queue (
  input  wire       clock,
  input  wire       reset,    // empty
  input  wire       received, // a byte comes
  input  wire [7:0] data,     // it
  input  wire       take,     // the oldest byte is taken
  output wire       any,      // there is a byte
  output wire [7:0] head,     // the oldest
  output wire       dropped   // the byte that comes meets a full queue
);
  localparam [3:0] first = 4'd0;

  reg [3:0] write_place;
  reg [3:0] read_place;
  reg       some;
  reg       full;

  wire [3:0] ahead;
  wire       storing;
  wire [7:0] bytes_read_data;

  queue_memory_3 bytes (
    .clock         (clock),
    .write_enable  (storing),
    .write_address (write_place),
    .write_data    (data),
    .read_address  (read_place),
    .read_data     (bytes_read_data)
  );

  assign storing = received && !full;

  // places written and not read, but for the 16 that look like none
  assign ahead = write_place - read_place;
  assign dropped = received && full;
  assign any = some;
  assign head = bytes_read_data;

  initial begin
    write_place = 4'd0;
    read_place = 4'd0;
    some = 1'b0;
    full = 1'b0;
  end

  always @(posedge clock) begin
    if (storing) begin
      write_place <= write_place + 4'd1;
    end
    if (take) begin
      read_place <= read_place + 4'd1;
    end
    if (storing && !take) begin
      some <= 1'b1;
      full <= &ahead;
    end else if (!storing && take) begin
      some <= ahead != 4'd1;
      full <= 1'b0;
    end
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full <= 1'b0;
    end
  end
endmodule
