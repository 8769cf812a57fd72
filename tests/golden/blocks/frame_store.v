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
  output wire        single,        // it is the only one of its frame, if that is kept
  output wire        keep,          // the frame is whole and kept
  output wire        keep_key,      // and so is its key
  output wire        overflow       // a frame ended in the clock before for which there was no room
);
  localparam [14:0] buffer  = 15'h4000; // beats of the buffer
  localparam [14:0] nowhere = 15'd0;
  localparam [14:0] second  = 15'd1;

  reg [14:0] write;      // place of the next beat
  reg [14:0] after;      // place after it
  reg [14:0] kept;       // place behind the last frame that was kept
  reg        begun;      // a beat of this frame is in the buffer
  reg        spilled;    // a beat of this frame had no room
  reg        full;       // there is no place for a beat
  reg        overflow_r;

  wire        clear; // a frame ends, and there is room for its beats and in the frame queue
  wire [14:0] lap;   // place that is given back next, as a beat would meet it

  assign write_enable = valid && !full;
  assign write_address = write[13:0];
  assign end_ = write;
  assign single = !begun;
  assign clear = last && !full && !spilled && !frames_full;
  assign keep = clear && !(keyed && keys_full);
  assign keep_key = clear && keyed && !keys_full;
  assign overflow = overflow_r;
  assign lap = read ^ buffer;

  initial begin
    write = 15'd0;
    after = 15'd1;
    kept = 15'd0;
    begun = 1'b0;
    spilled = 1'b0;
    full = 1'b0;
    overflow_r = 1'b0;
  end

  always @(posedge clock) begin
    overflow_r <= last && !keep;
    if (valid) begin
      if (full) begin
        spilled <= 1'b1;
      end else begin
        write <= after;
        after <= after + 15'd1;
        begun <= 1'b1;
      end
      if (last) begin
        spilled <= 1'b0;
        begun <= 1'b0;
        if (keep) begin
          kept <= after;
        end else begin
          write <= kept;
          after <= kept + 15'd1;
        end
      end
    end

    // a frame that is taken back leaves room, if a beat of it is in the buffer
    full <= valid && (after == lap) && (!last || keep);
    if (full) begin
      full <= (write == lap) && !(last && begun);
    end
    if (reset) begin
      write <= nowhere;
      after <= second;
      kept <= nowhere;
      begun <= 1'b0;
      spilled <= 1'b0;
      full <= 1'b0;
      overflow_r <= 1'b0;
    end
  end
endmodule
