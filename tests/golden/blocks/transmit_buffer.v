// 64 beats before the transmitter: a frame leaves when it is whole or 32 beats of it are here.
module transmit_buffer (
  input  wire       clock,
  input  wire       reset,    // empty
  input  wire       s_tvalid, // frames in
  output wire       s_tready, // 0 from the second clock of a reset to the clock after its last
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,
  input  wire       s_tuser,  // with tlast: the frame is bad
  output wire       m_tvalid, // frames out, without a pause unless the source makes one
  input  wire       m_tready,
  output wire [7:0] m_tdata,
  output wire       m_tlast,
  output wire       m_tuser
);
  localparam [6:0] below_whole = 7'd63;
  localparam [6:0] start       = 7'd32;
  localparam [6:0] below_start = 7'd31;

  reg [5:0] write_place;
  reg [5:0] read_place;
  reg [6:0] level;       // beats here
  reg [6:0] ends;        // ends of frames among them
  reg       any;         // level is not 0
  reg       alone;       // level is 1: no beat is behind the oldest
  reg       room;        // level is not the most, and there was no reset in the clock before
  reg       started;     // level is so high that a frame may begin
  reg       ending;      // ends is not 0
  reg       open;        // a frame has begun to leave
  reg [9:0] head;        // the oldest, {tuser, tlast, tdata}

  wire [9:0] word;             // the one that comes
  wire       storing;
  wire       giving;
  wire       more;             // level rises by one
  wire       fewer;            // level falls by one
  wire       end_in;           // the end of a frame comes
  wire       end_out;          // one leaves
  wire       to_head;          // the one that comes is the oldest next
  wire       enough;
  wire [9:0] beats_read_data;
  reg  [5:0] write_place_next;
  reg  [5:0] read_place_next;
  reg  [6:0] level_next;
  reg  [6:0] ends_next;
  reg        open_next;

  // written in every clock: the place is free, and nobody reads it before a beat is stored there
  queue_memory beats (
    .clock         (clock),
    .write_enable  (1'b1),
    .write_address (write_place),
    .write_data    (word),
    .read_address  (read_place),
    .read_data     (beats_read_data)
  );

  // what the transmitter sees
  assign m_tdata = head[7:0];
  assign m_tlast = head[8];
  assign m_tuser = head[9];
  assign enough = open || ending || started;
  assign m_tvalid = any && enough;
  assign giving = m_tvalid && m_tready;

  // the oldest beat, and those behind it
  assign s_tready = room;
  assign storing = s_tvalid && s_tready;
  assign to_head = !any || (alone && giving);
  assign word = {s_tuser, s_tlast, s_tdata};
  assign end_in = storing && s_tlast;
  assign end_out = giving && head[8];

  // what the counts will be
  assign more = storing && !giving;
  assign fewer = giving && !storing;

  initial begin
    write_place = 6'd0;
    read_place = 6'd0;
    level = 7'd0;
    ends = 7'd0;
    any = 1'b0;
    alone = 1'b0;
    room = 1'b0;
    started = 1'b0;
    ending = 1'b0;
    open = 1'b0;
    head = 10'd0;
  end

  always @* begin
    write_place_next = write_place;
    if (storing && !to_head) begin
      write_place_next = write_place + 6'd1;
    end
  end

  always @* begin
    read_place_next = read_place;
    if (giving && !alone) begin
      read_place_next = read_place + 6'd1;
    end
  end

  always @* begin
    open_next = open;
    if (giving) begin
      open_next = !head[8];
    end
  end

  always @* begin
    ends_next = ends;
    if (end_in && !end_out) begin
      ends_next = ends + 7'd1;
    end
    if (end_out && !end_in) begin
      ends_next = ends - 7'd1;
    end
  end

  always @* begin
    level_next = level;
    if (more) begin
      level_next = level + 7'd1;
    end
    if (fewer) begin
      level_next = level - 7'd1;
    end
  end

  always @(posedge clock) begin
    if (giving) begin
      head <= beats_read_data;
    end
    if (to_head) begin
      head <= word;
    end
    if (reset) begin
      write_place <= 6'd0;
      read_place <= 6'd0;
      level <= 7'd0;
      ends <= 7'd0;
      any <= 1'b0;
      alone <= 1'b0;
      room <= 1'b0;
      started <= 1'b0;
      ending <= 1'b0;
      open <= 1'b0;
    end else begin
      write_place <= write_place_next;
      read_place <= read_place_next;
      level <= level_next;
      ends <= ends_next;
      any <= more || (any && !(alone && fewer));
      alone <= (alone && !more && !fewer) || (!any && more) || ((level == 7'd2) && fewer);
      room <= (room || !any || fewer) && !((level == below_whole) && more);
      started <= (started && !((level == start) && fewer)) || ((level == below_start) && more);
      ending <= (end_in && !end_out) || (ending && !((ends == 7'd1) && end_out && !end_in));
      open <= open_next;
    end
  end
endmodule
