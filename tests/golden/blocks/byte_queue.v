// Queue of 16 bytes; one that meets it full is dropped. A byte is at head two clocks after it came, or after the one before it was taken.
module byte_queue (
  input  wire       clock,
  input  wire       reset,    // empty
  input  wire       received, // a byte comes
  input  wire [7:0] data,     // it
  input  wire       take,     // the oldest byte is taken; only if it is shown
  output wire       any,      // a byte is shown
  output wire [7:0] head,     // the oldest
  output wire       dropped   // the byte that comes meets a full queue
);
  localparam [3:0] first = 4'd0;

  reg [3:0] write_place;
  reg [3:0] read_place;
  reg       some;
  reg       full;
  reg       any_r;
  reg [7:0] head_r;

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
  assign any = any_r;
  assign head = head_r;

  initial begin
    write_place = 4'd0;
    read_place = 4'd0;
    some = 1'b0;
    full = 1'b0;
    any_r = 1'b0;
    head_r = 8'd0;
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
    any_r <= some && !take;
    head_r <= bytes_read_data;
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full <= 1'b0;
      any_r <= 1'b0;
    end
  end
endmodule
