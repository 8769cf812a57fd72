// Beats into the frame buffer. A frame for which there is no room is taken back when its last beat comes.
module frame_store (
  input  wire        clock,
  input  wire        reset,         // the buffer is empty
  input  wire        valid,         // a beat
  input  wire        last,          // it, and it is the last of its frame
  input  wire        keyed,         // which has a key
  input  wire        frames_full,   // the frame queue has no place
  input  wire        keys_full,     // the key queue has no place
  input  wire [14:0] read,          // place that is read next
  output wire        write_enable,  // write the beat
  output wire [13:0] write_address, // here
  output wire [14:0] end_,          // place of this beat
  output wire        keep,          // the frame is whole and kept
  output wire        overflow       // it ends and there was no room
);
  localparam [14:0] buffer  = 15'h4000; // beats of the buffer
  localparam [14:0] nowhere = 15'd0;

  reg [14:0] write;   // place of the next beat
  reg [14:0] kept;    // place behind the last frame that was kept
  reg        spilled; // a beat of this frame had no room
  reg        full;    // there is no place for a beat

  wire        whole;
  wire [14:0] after;
  wire [14:0] lap;   // place that is given back next, as a beat would meet it

  assign write_enable = valid && !full;
  assign write_address = write[13:0];
  assign end_ = write;
  assign whole = !full && !spilled && !frames_full && !(keyed && keys_full);
  assign keep = last && whole;
  assign overflow = last && !whole;
  assign after = write + 15'd1;
  assign lap = read ^ buffer;

  initial begin
    write = 15'd0;
    kept = 15'd0;
    spilled = 1'b0;
    full = 1'b0;
  end

  always @(posedge clock) begin
    full <= write == lap;
    if (valid) begin
      if (full) begin
        spilled <= 1'b1;
      end else begin
        write <= after;
        full <= after == lap;
      end
      if (last) begin
        spilled <= 1'b0;
        if (whole) begin
          kept <= after;
        end else begin
          write <= kept;
          full <= kept == lap;
        end
      end
    end
    if (reset) begin
      write <= nowhere;
      kept <= nowhere;
      spilled <= 1'b0;
      full <= 1'b0;
    end
  end
endmodule
