// Verdicts on their way to two lanes: bit 0 of each, 512 places a lane.
module lane_verdicts (
  input  wire clock,
  input  wire reset,            // no verdict waits
  input  wire push,             // a verdict comes; not where its lane has no place
  input  wire lane,             // for this lane
  input  wire seen,             // it
  output wire verdict_0_tvalid, // verdicts for lane 0
  input  wire verdict_0_tready,
  output wire verdict_0_seen,   // bit 0 of the verdict
  output wire verdict_1_tvalid, // verdicts for lane 1
  input  wire verdict_1_tready,
  output wire verdict_1_seen
);
  localparam [8:0] first = 9'd0;

  reg [8:0] write_0; // place that lane 0's next verdict takes
  reg [8:0] write_1;
  reg [8:0] read_0;  // place of its oldest verdict that is not read
  reg [8:0] read_1;
  reg       some_0;  // there was one a clock ago
  reg       some_1;
  reg       valid_0; // a verdict is offered to lane 0
  reg       valid_1;
  reg       seen_0;
  reg       seen_1;
  reg       turn;    // lane whose verdict may be read; it changes in every clock
  reg       going;   // one was read a clock ago, for the other lane
  reg       coming;  // one was read two clocks ago, and is out of the memory

  wire       goes_0;               // lane 0's is read: none is offered, and none on its way
  wire       goes_1;
  reg  [8:0] write_place;
  reg  [8:0] read_place;
  wire [9:0] memory_write_address;
  wire [9:0] memory_read_address;
  wire       memory_read_data;

  frame_memory_2 memory (
    .clock         (clock),
    .write_enable  (push),
    .write_address (memory_write_address),
    .write_data    (seen),
    .read_address  (memory_read_address),
    .read_data     (memory_read_data)
  );

  assign memory_write_address = {lane, write_place};
  assign goes_0 = some_0 && !turn && !coming && !valid_0;
  assign goes_1 = some_1 && turn && !coming && !valid_1;
  assign memory_read_address = {turn, read_place};

  // to its lane
  assign verdict_0_tvalid = valid_0;
  assign verdict_0_seen = seen_0;
  assign verdict_1_tvalid = valid_1;
  assign verdict_1_seen = seen_1;

  initial begin
    write_0 = 9'd0;
    write_1 = 9'd0;
    read_0 = 9'd0;
    read_1 = 9'd0;
    some_0 = 1'b0;
    some_1 = 1'b0;
    valid_0 = 1'b0;
    valid_1 = 1'b0;
    seen_0 = 1'b0;
    seen_1 = 1'b0;
    turn = 1'b0;
    going = 1'b0;
    coming = 1'b0;
  end

  always @* begin
    // a verdict that comes
    write_place = write_0;
    if (lane) begin
      write_place = write_1;
    end
  end

  always @* begin
    read_place = read_0;
    if (turn) begin
      read_place = read_1;
    end
  end

  always @(posedge clock) begin
    if (push && !lane) begin
      write_0 <= write_0 + 9'd1;
    end
    if (push && lane) begin
      write_1 <= write_1 + 9'd1;
    end

    // one that is read
    turn <= !turn;
    some_0 <= write_0 != read_0;
    some_1 <= write_1 != read_1;
    if (goes_0) begin
      read_0 <= read_0 + 9'd1;
    end
    if (goes_1) begin
      read_1 <= read_1 + 9'd1;
    end
    going <= goes_0 || goes_1;
    coming <= going;
    valid_0 <= valid_0 && !verdict_0_tready;
    valid_1 <= valid_1 && !verdict_1_tready;
    if (coming && !turn) begin
      valid_0 <= 1'b1;
      seen_0 <= memory_read_data;
    end
    if (coming && turn) begin
      valid_1 <= 1'b1;
      seen_1 <= memory_read_data;
    end
    if (reset) begin
      write_0 <= first;
      write_1 <= first;
      read_0 <= first;
      read_1 <= first;
      some_0 <= 1'b0;
      some_1 <= 1'b0;
      valid_0 <= 1'b0;
      valid_1 <= 1'b0;
      turn <= 1'b0;
      going <= 1'b0;
      coming <= 1'b0;
    end
  end
endmodule
