// Frames wait for their verdicts, in the order in which they ended.
module verdict_stage (
  input  wire        clock,
  input  wire        reset,         // no frame waits
  input  wire        push,          // a frame ended
  input  wire [59:0] frame_in,      // what is known of it
  output wire        full,          // there is no place for a frame
  input  wire        verdict_valid, // verdict of the oldest frame with a key
  output wire        verdict_ready, // that frame is the oldest of all
  input  wire        seen,          // bit 0 of the verdict
  output wire        valid,         // the oldest frame's class is known
  output wire [59:0] frame,
  input  wire        take,          // it leaves, or is dropped
  output wire        follows,       // in the next clock the oldest frame is that of class_behind
  output wire [2:0]  class_behind   // class of the frame after the oldest
);
  reg        next_valid; // a frame meets its verdict next
  reg [59:0] next_frame; // it

  wire        keyed;
  wire        goes;
  wire        waiting_full;
  wire        waiting_valid;
  wire [59:0] waiting_data;
  wire        waiting_take;
  wire        waiting_loads;
  wire [59:0] known_data_in;
  wire        known_full;
  wire        known_valid;
  wire [59:0] known_data;
  wire [59:0] known_behind;
  wire        known_follows;

  frame_queue waiting (
    .clock   (clock),
    .reset   (reset),
    .push    (push),
    .data_in (frame_in),
    .full    (waiting_full),
    .valid   (waiting_valid),
    .data    (waiting_data),
    .take    (waiting_take),
    .loads   (waiting_loads)
  );

  known_queue known (
    .clock   (clock),
    .reset   (reset),
    .push    (goes),
    .data_in (known_data_in),
    .full    (known_full),
    .valid   (known_valid),
    .data    (known_data),
    .behind  (known_behind),
    .take    (take),
    .follows (known_follows)
  );

  assign full = waiting_full;
  assign keyed = next_frame[19];
  assign verdict_ready = next_valid && keyed && !known_full;
  assign goes = next_valid && !known_full && (!keyed || verdict_valid);
  assign waiting_take = !next_valid || goes;
  assign known_data_in = next_frame | ({59'd0, keyed && seen} << 16);
  assign valid = known_valid;
  assign frame = known_data;
  assign follows = known_follows;
  assign class_behind = known_behind[18:16];

  initial begin
    next_valid = 1'b0;
    next_frame = 60'd0;
  end

  always @(posedge clock) begin
    next_valid <= next_valid && !goes;
    if (waiting_valid && waiting_take) begin
      next_valid <= 1'b1;
      next_frame <= waiting_data;
    end
    if (reset) begin
      next_valid <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, waiting_loads, known_behind[15:0], known_behind[59:19]};
endmodule
