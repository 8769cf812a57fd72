// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

// A pin, delayed where a device does it.
module input_delay (
  input  wire a,
  output wire z
);
  assign z = a;
endmodule

// A pin on both edges of a clock.
module input_ddr (
  input  wire clock,
  input  wire pin,
  output wire rising, // as it was at the rising edge before the last
  output wire falling // as it was at the falling edge between
);
  reg at_rise, at_fall, rising_r, falling_r;

  always @(negedge clock) at_fall <= pin;
  always @(posedge clock) begin
    at_rise <= pin;
    rising_r <= at_rise;
    falling_r <= at_fall;
  end

  assign rising = rising_r;
  assign falling = falling_r;
endmodule

// GMII from the pins of RGMII, and the PHY's status from between frames.
module rgmii_input (
  input  wire       rgmii_rx_clock,
  input  wire       rgmii_rx_control,
  input  wire [3:0] rgmii_rx_data,
  output wire [7:0] gmii_data,
  output wire       gmii_valid,
  output wire       gmii_error,
  output wire       link_up,          // the PHY tells of a link
  output wire [1:0] link_speed,       // 0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s
  output wire       link_full_duplex
);
  reg       told;        // the same a clock ago
  reg [3:0] told_before; // what was told then
  reg [3:0] status;      // told twice

  wire [7:0] data;
  wire [3:0] low;
  wire [3:0] high;
  wire       tells;           // between frames, with equal nibbles
  wire       delays_0_z;
  wire       delays_1_z;
  wire       delays_2_z;
  wire       delays_3_z;
  wire       pins_0_rising;
  wire       pins_0_falling;
  wire       pins_1_rising;
  wire       pins_1_falling;
  wire       pins_2_rising;
  wire       pins_2_falling;
  wire       pins_3_rising;
  wire       pins_3_falling;
  wire       control_delay_z;
  wire       control_rising;
  wire       control_falling;

  input_delay delays_0 (
    .a (rgmii_rx_data[0]),
    .z (delays_0_z)
  );

  input_delay delays_1 (
    .a (rgmii_rx_data[1]),
    .z (delays_1_z)
  );

  input_delay delays_2 (
    .a (rgmii_rx_data[2]),
    .z (delays_2_z)
  );

  input_delay delays_3 (
    .a (rgmii_rx_data[3]),
    .z (delays_3_z)
  );

  input_ddr pins_0 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_0_z),
    .rising  (pins_0_rising),
    .falling (pins_0_falling)
  );

  input_ddr pins_1 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_1_z),
    .rising  (pins_1_rising),
    .falling (pins_1_falling)
  );

  input_ddr pins_2 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_2_z),
    .rising  (pins_2_rising),
    .falling (pins_2_falling)
  );

  input_ddr pins_3 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_3_z),
    .rising  (pins_3_rising),
    .falling (pins_3_falling)
  );

  input_delay control_delay (
    .a (rgmii_rx_control),
    .z (control_delay_z)
  );

  input_ddr control (
    .clock   (rgmii_rx_clock),
    .pin     (control_delay_z),
    .rising  (control_rising),
    .falling (control_falling)
  );

  assign low[0] = pins_0_rising;
  assign high[0] = pins_0_falling;
  assign low[1] = pins_1_rising;
  assign high[1] = pins_1_falling;
  assign low[2] = pins_2_rising;
  assign high[2] = pins_2_falling;
  assign low[3] = pins_3_rising;
  assign high[3] = pins_3_falling;
  assign data = {high, low};
  assign gmii_data = data;
  assign gmii_valid = control_rising;
  assign gmii_error = control_rising != control_falling;
  assign tells = !control_rising && !control_falling && (low == high);
  assign link_up = status[0];
  assign link_speed = status[2:1];
  assign link_full_duplex = status[3];

  initial begin
    told = 1'b0;
    told_before = 4'd0;
    status = 4'd0;
  end

  always @(posedge rgmii_rx_clock) begin
    told <= tells;
    told_before <= low;
    if (tells && told && (told_before == low)) begin
      status <= low;
    end
  end
endmodule

// What the eight bits that leave the register leave in it.
module crc32_byte (
  input  wire [7:0]  x,
  output wire [31:0] y
);
  assign y[0] = x[2];
  assign y[1] = x[0] ^ x[3];
  assign y[2] = x[0] ^ x[1] ^ x[4];
  assign y[3] = x[1] ^ x[2] ^ x[5];
  assign y[4] = x[0] ^ x[2] ^ x[3] ^ x[6];
  assign y[5] = x[1] ^ x[3] ^ x[4] ^ x[7];
  assign y[6] = x[4] ^ x[5];
  assign y[7] = x[0] ^ x[5] ^ x[6];
  assign y[8] = x[1] ^ x[6] ^ x[7];
  assign y[9] = x[7];
  assign y[10] = x[2];
  assign y[11] = x[3];
  assign y[12] = x[0] ^ x[4];
  assign y[13] = x[0] ^ x[1] ^ x[5];
  assign y[14] = x[1] ^ x[2] ^ x[6];
  assign y[15] = x[2] ^ x[3] ^ x[7];
  assign y[16] = x[0] ^ x[2] ^ x[3] ^ x[4];
  assign y[17] = x[0] ^ x[1] ^ x[3] ^ x[4] ^ x[5];
  assign y[18] = x[0] ^ x[1] ^ x[2] ^ x[4] ^ x[5] ^ x[6];
  assign y[19] = x[1] ^ x[2] ^ x[3] ^ x[5] ^ x[6] ^ x[7];
  assign y[20] = x[3] ^ x[4] ^ x[6] ^ x[7];
  assign y[21] = x[2] ^ x[4] ^ x[5] ^ x[7];
  assign y[22] = x[2] ^ x[3] ^ x[5] ^ x[6];
  assign y[23] = x[3] ^ x[4] ^ x[6] ^ x[7];
  assign y[24] = x[0] ^ x[2] ^ x[4] ^ x[5] ^ x[7];
  assign y[25] = x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[5] ^ x[6];
  assign y[26] = x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[4] ^ x[6] ^ x[7];
  assign y[27] = x[1] ^ x[3] ^ x[4] ^ x[5] ^ x[7];
  assign y[28] = x[0] ^ x[4] ^ x[5] ^ x[6];
  assign y[29] = x[0] ^ x[1] ^ x[5] ^ x[6] ^ x[7];
  assign y[30] = x[0] ^ x[1] ^ x[6] ^ x[7];
  assign y[31] = x[1] ^ x[7];
endmodule

// CRC-32 of IEEE 802.3: the register after one more byte.
module crc32_step (
  input  wire [31:0] crc,    // register before the byte
  input  wire [7:0]  data,   // the byte
  output wire [31:0] stepped // register after it
);
  wire [7:0]  lowest_x;
  wire [31:0] lowest_y;

  crc32_byte lowest (
    .x (lowest_x),
    .y (lowest_y)
  );

  assign lowest_x = crc[7:0] ^ data;
  assign stepped = lowest_y ^ (crc >> 8);
endmodule

// Ethernet receiver: frames from GMII, with their FCS checked and stripped.
module mac_receiver (
  input  wire       clock,
  input  wire       reset,         // what is left of a frame is passed over
  input  wire [7:0] gmii_data,     // byte from the line
  input  wire       gmii_valid,    // there is a carrier
  input  wire       gmii_error,    // with it: the byte is wrong
  output wire       m_tvalid,      // a byte of a frame, for this clock
  output wire [7:0] m_tdata,
  output wire       m_tlast,       // its last
  output wire       m_tuser,       // with it: the frame is bad
  output wire       frame_good,    // a frame ended, and was good
  output wire       frame_bad_fcs, // a frame ended with a wrong FCS
  output wire       frame_runt,    // a frame ended too early
  output wire       frame_error    // a frame ended that had a byte with an error
);
  localparam [6:0]  none      = 7'd0;
  localparam [6:0]  row_bytes = 7'd5;
  localparam [6:0]  least     = 7'd64;
  localparam [31:0] all_ones  = 32'hffffffff;
  localparam [31:0] residue   = 32'hdebb20e3; // CRC-32 over anything and its right FCS, before the complement
  localparam [7:0]  start     = 8'hd5;

  reg        waiting;   // the carrier may be in mid-frame
  reg        inside_;   // behind the start of a frame
  reg [39:0] row;       // the last five bytes, the oldest highest
  reg [6:0]  count;     // bytes of the frame with its FCS, at most the least that is legal
  reg [31:0] crc;
  reg        errored;   // a byte had an error
  reg        valid_r;
  reg        last_r;
  reg        bad_r;
  reg [7:0]  data_r;
  reg        good_r;
  reg        bad_fcs_r;
  reg        runt_r;
  reg        error_r;

  wire        ends;         // the frame is over
  wire        full_row;     // the oldest byte of the row is one of the frame
  wire        long_;        // of legal length
  wire        whole;        // the FCS is right
  wire [31:0] step_stepped;

  crc32_step step (
    .crc     (crc),
    .data    (gmii_data),
    .stepped (step_stepped)
  );

  assign ends = inside_ && !gmii_valid;
  assign full_row = count >= row_bytes;
  assign long_ = count == least;
  assign whole = crc == residue;
  assign m_tvalid = valid_r;
  assign m_tdata = data_r;
  assign m_tlast = last_r;
  assign m_tuser = bad_r;
  assign frame_good = good_r;
  assign frame_bad_fcs = bad_fcs_r;
  assign frame_runt = runt_r;
  assign frame_error = error_r;

  initial begin
    waiting = 1'b1;
    inside_ = 1'b0;
    row = 40'd0;
    count = 7'd0;
    crc = 32'd0;
    errored = 1'b0;
    valid_r = 1'b0;
    last_r = 1'b0;
    bad_r = 1'b0;
    data_r = 8'd0;
    good_r = 1'b0;
    bad_fcs_r = 1'b0;
    runt_r = 1'b0;
    error_r = 1'b0;
  end

  always @(posedge clock) begin
    waiting <= waiting && gmii_valid;
    inside_ <= inside_ && gmii_valid;
    row <= {row[31:0], gmii_data};
    count <= none;
    crc <= all_ones;
    errored <= 1'b0;
    if (inside_) begin
      crc <= step_stepped;
      errored <= errored || gmii_error;
      if (long_) begin
        count <= least;
      end else begin
        count <= count + 7'd1;
      end
    end else if (!waiting && gmii_valid && !gmii_error && (gmii_data == start)) begin
      inside_ <= 1'b1;
    end
    valid_r <= inside_ && full_row;
    last_r <= !gmii_valid;
    data_r <= row[39:32];
    bad_r <= errored || !long_ || !whole;
    error_r <= ends && errored;
    runt_r <= ends && !errored && !long_;
    bad_fcs_r <= ends && !errored && long_ && !whole;
    good_r <= ends && !errored && long_ && whole;
    if (reset) begin
      waiting <= 1'b1;
      inside_ <= 1'b0;
      valid_r <= 1'b0;
      good_r <= 1'b0;
      bad_fcs_r <= 1'b0;
      runt_r <= 1'b0;
      error_r <= 1'b0;
    end
  end
endmodule

// Drops whole the frames that meet a full FIFO; one that was cut ends as bad.
module frame_gate (
  input  wire       clock,
  input  wire       reset,
  input  wire       s_tvalid, // a beat, for this clock
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,  // a frame's last
  input  wire       s_tuser,  // with it: the frame is bad
  output wire       write,    // for the FIFO
  output reg  [9:0] word,     // {tuser, tlast, tdata}
  input  wire       full,     // the FIFO takes nothing
  output wire       overflow  // a frame was dropped or cut
);
  localparam [9:0] broken_end = 10'h300; // the end of a frame that was cut

  reg inside_;    // the FIFO has a frame's beginning and not its end
  reg skip;       // what is left of the frame is passed over
  reg owed;       // the FIFO lacks the end of a frame that was cut
  reg overflow_r;

  wire offered; // a beat of a frame that is not passed over
  wire drop;    // it has no place

  assign offered = s_tvalid && !skip;
  assign drop = offered && (owed || full);
  assign write = owed || offered;
  assign overflow = overflow_r;

  initial begin
    inside_ = 1'b0;
    skip = 1'b0;
    owed = 1'b0;
    overflow_r = 1'b0;
  end

  always @* begin
    word = {s_tuser && s_tlast, s_tlast, s_tdata};
    if (owed) begin
      word = broken_end;
    end
  end

  always @(posedge clock) begin
    overflow_r <= drop;
    owed <= (owed && full) || (drop && inside_);
    if (s_tvalid) begin
      skip <= (skip || drop) && !s_tlast;
    end
    if (drop) begin
      inside_ <= 1'b0;
    end else if (offered) begin
      inside_ <= !s_tlast;
    end
    if (reset) begin
      inside_ <= 1'b0;
      skip <= 1'b0;
      owed <= 1'b0;
      overflow_r <= 1'b0;
    end
  end
endmodule

// 16 words of 10 bits in distributed RAM; reads without a clock.
module crossing_memory (
  input  wire       write_clock,
  input  wire       write_enable,  // write this clock
  input  wire [3:0] write_address, // word to write
  input  wire [9:0] write_data,    // its value
  input  wire [3:0] read_address,  // word to read
  output wire [9:0] read_data      // its value
);
  reg [9:0] words [0:15];

  assign read_data = words[read_address];

  always @(posedge write_clock) begin
    if (write_enable) words[write_address] <= write_data;
  end
endmodule

// Two registers against metastability.
module synchroniser (
  input  wire       clock,
  input  wire       reset, // all 0
  input  wire [4:0] d,     // of another clock
  output wire [4:0] q      // of this one, two edges later
);
  reg [4:0] first;  // may be metastable: nothing else reads it
  reg [4:0] second;

  assign q = second;

  initial begin
    first = 5'd0;
    second = 5'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      first <= 5'd0;
      second <= 5'd0;
    end else begin
      first <= d;
      second <= first;
    end
  end
endmodule

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
  wire [4:0] write_next;
  wire [4:0] read_next;
  wire [9:0] memory_read_data;
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
  assign write_next = write_place + {4'd0, storing};
  assign valid = read_gray != write_seen_q;
  assign taking = valid && ready;
  assign read_next = read_place + {4'd0, taking};
  assign read_data = memory_read_data;

  initial begin
    write_place = 5'd0;
    write_gray = 5'd0;
    read_place = 5'd0;
    read_gray = 5'd0;
  end

  always @(posedge write_clock) begin
    if (write_reset) begin
      write_place <= 5'd0;
      write_gray <= 5'd0;
    end else begin
      write_place <= write_next;
      write_gray <= write_next ^ (write_next >> 1);
    end
  end

  always @(posedge read_clock) begin
    if (read_reset) begin
      read_place <= 5'd0;
      read_gray <= 5'd0;
    end else begin
      read_place <= read_next;
      read_gray <= read_next ^ (read_next >> 1);
    end
  end
endmodule

// 64 entries of 10 bits in distributed RAM; reads without a clock.
module queue_memory (
  input  wire       clock,
  input  wire       write_enable,  // write this clock
  input  wire [5:0] write_address, // entry to write
  input  wire [9:0] write_data,    // its value
  input  wire [5:0] read_address,  // entry to read
  output wire [9:0] read_data      // its value, in the same clock
);
  reg [9:0] entries [0:63];
  integer i;

  initial begin
    for (i = 0; i <= 63; i = i + 1) entries[i] = 10'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// 64 beats before the transmitter: a frame leaves when it is whole or 32 beats of it are here.
module transmit_buffer (
  input  wire       clock,
  input  wire       reset,    // empty
  input  wire       s_tvalid, // frames in
  output wire       s_tready,
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,
  input  wire       s_tuser,  // with tlast: the frame is bad
  output wire       m_tvalid, // frames out, without a pause unless the source makes one
  input  wire       m_tready,
  output wire [7:0] m_tdata,
  output wire       m_tlast,
  output wire       m_tuser
);
  localparam [6:0] whole = 7'd64;
  localparam [6:0] start = 7'd32;

  reg [5:0] write_place;
  reg [5:0] read_place;
  reg [6:0] level;       // beats here
  reg [6:0] ends;        // ends of frames among them
  reg       open;        // a frame has begun to leave
  reg [9:0] head;        // the oldest, {tuser, tlast, tdata}

  wire [9:0] word;               // the one that comes
  wire       storing;
  wire       giving;
  wire       alone;              // no beat is behind the oldest
  wire       to_head;            // the one that comes is the oldest next
  wire       any;
  wire       enough;
  wire       beats_write_enable;
  wire [9:0] beats_read_data;
  reg        open_next;

  queue_memory beats (
    .clock         (clock),
    .write_enable  (beats_write_enable),
    .write_address (write_place),
    .write_data    (word),
    .read_address  (read_place),
    .read_data     (beats_read_data)
  );

  // what the transmitter sees
  assign m_tdata = head[7:0];
  assign m_tlast = head[8];
  assign m_tuser = head[9];
  assign any = |level;
  assign enough = open || (|ends) || (level >= start);
  assign m_tvalid = any && enough;
  assign giving = m_tvalid && m_tready;

  // the oldest beat, and those behind it
  assign s_tready = level != whole;
  assign storing = s_tvalid && s_tready;
  assign alone = level == 7'd1;
  assign to_head = !any || (alone && giving);
  assign word = {s_tuser, s_tlast, s_tdata};
  assign beats_write_enable = storing && !to_head;

  initial begin
    write_place = 6'd0;
    read_place = 6'd0;
    level = 7'd0;
    ends = 7'd0;
    open = 1'b0;
    head = 10'd0;
  end

  always @* begin
    open_next = open;
    if (giving) begin
      open_next = !head[8];
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
      open <= 1'b0;
    end else begin
      write_place <= write_place + {5'd0, storing && !to_head};
      read_place <= read_place + {5'd0, giving && !alone};
      level <= (level + {6'd0, storing}) - {6'd0, giving};
      ends <= (ends + {6'd0, storing && s_tlast}) - {6'd0, giving && head[8]};
      open <= open_next;
    end
  end
endmodule

// Ethernet transmitter: frames to GMII, with preamble, padding, FCS and gap.
module mac_transmitter (
  input  wire       clock,
  input  wire       reset,
  input  wire       s_tvalid,     // frames; one that has begun must not pause
  output wire       s_tready,
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,
  input  wire       s_tuser,      // with tlast: end the frame as bad
  output wire [7:0] gmii_data,    // byte to the line
  output wire       gmii_valid,   // there is a carrier
  output wire       gmii_error,   // with it: the frame is not to be used
  output wire       frame_sent,   // a frame was sent
  output wire       frame_broken, // one was sent as bad
  output wire       underrun      // the source paused within a frame
);
  localparam [2:0]  idle          = 3'd0;
  localparam [2:0]  preamble      = 3'd1;
  localparam [2:0]  data          = 3'd2;
  localparam [2:0]  pad           = 3'd3;
  localparam [2:0]  fcs           = 3'd4;
  localparam [2:0]  gap           = 3'd5;
  localparam [3:0]  first         = 4'd0;
  localparam [3:0]  last_preamble = 4'd7;
  localparam [3:0]  last_fcs      = 4'd3;
  localparam [3:0]  last_gap      = 4'd10;
  localparam [5:0]  no_byte       = 6'd0;
  localparam [5:0]  before_least  = 6'd59;
  localparam [7:0]  zero          = 8'd0;
  localparam [7:0]  preamble_byte = 8'd85;
  localparam [7:0]  start_byte    = 8'hd5;
  localparam [31:0] all_ones      = 32'hffffffff;

  reg [2:0]  state;
  reg [3:0]  count;      // clocks in the state
  reg [5:0]  sent;       // bytes of the frame, at most the least that is legal
  reg [31:0] crc;        // over those bytes; in FCS what is left of it
  reg        broken;     // end the frame as bad
  reg        drain;      // pass over the rest of a frame
  reg [7:0]  data_r;
  reg        valid_r;
  reg        error_r;
  reg        sent_r;
  reg        broken_r;
  reg        underrun_r;

  wire        in_data;
  reg  [7:0]  byte_;        // next byte of the CRC
  wire        padded;       // with this byte the frame is long enough
  wire [31:0] step_stepped;

  crc32_step step (
    .crc     (crc),
    .data    (byte_),
    .stepped (step_stepped)
  );

  assign in_data = state == data;
  assign padded = sent >= before_least;
  assign s_tready = in_data || drain;
  assign gmii_data = data_r;
  assign gmii_valid = valid_r;
  assign gmii_error = error_r;
  assign frame_sent = sent_r;
  assign frame_broken = broken_r;
  assign underrun = underrun_r;

  initial begin
    state = 3'd5;
    count = 4'd0;
    sent = 6'd0;
    crc = 32'd0;
    broken = 1'b0;
    drain = 1'b0;
    data_r = 8'd0;
    valid_r = 1'b0;
    error_r = 1'b0;
    sent_r = 1'b0;
    broken_r = 1'b0;
    underrun_r = 1'b0;
  end

  always @* begin
    byte_ = zero;
    if (in_data) begin
      byte_ = s_tdata;
    end
  end

  always @(posedge clock) begin
    count <= count + 4'd1;
    drain <= drain && !(s_tvalid && s_tlast);
    data_r <= byte_;
    valid_r <= 1'b1;
    error_r <= 1'b0;
    sent_r <= 1'b0;
    broken_r <= 1'b0;
    underrun_r <= 1'b0;
    if (in_data && s_tvalid) begin
      crc <= step_stepped;
      if (!padded) begin
        sent <= sent + 6'd1;
      end
      count <= first;
      if (s_tlast) begin
        broken <= s_tuser;
        state <= pad;
        if (padded || s_tuser) begin
          state <= fcs;
        end
      end
    end else if (in_data) begin
      // the source ran dry
      data_r <= zero;
      error_r <= 1'b1;
      underrun_r <= 1'b1;
      broken <= 1'b1;
      drain <= 1'b1;
      count <= first;
      state <= fcs;
    end else if (state == preamble) begin
      sent <= no_byte;
      crc <= all_ones;
      data_r <= preamble_byte;
      if (count == last_preamble) begin
        data_r <= start_byte;
        state <= data;
      end
    end else if (state == pad) begin
      crc <= step_stepped;
      sent <= sent + 6'd1;
      count <= first;
      if (padded) begin
        state <= fcs;
      end
    end else if (state == fcs) begin
      error_r <= broken;
      data_r <= ~crc[7:0];
      if (broken) begin
        data_r <= crc[7:0];
      end
      crc <= crc >> 8;
      if (count == last_fcs) begin
        sent_r <= !broken;
        broken_r <= broken;
        count <= first;
        state <= gap;
      end
    end else begin
      // IDLE and GAP
      valid_r <= 1'b0;
      if (state == gap) begin
        if (count == last_gap) begin
          state <= idle;
        end
      end else begin
        count <= first;
        if (s_tvalid && !drain) begin
          state <= preamble;
        end
      end
    end
    if (reset) begin
      state <= gap;
      count <= first;
      drain <= 1'b0;
      data_r <= zero;
      valid_r <= 1'b0;
      error_r <= 1'b0;
      sent_r <= 1'b0;
      broken_r <= 1'b0;
      underrun_r <= 1'b0;
    end
  end
endmodule

// A pin with two bits a clock.
module output_ddr (
  input  wire clock,
  input  wire rising,  // for the next clock's high half
  input  wire falling, // for its low half
  output wire pin
);
  reg after_rise, after_fall, later;

  initial begin
    after_rise = 1'b0;
    after_fall = 1'b0;
  end

  always @(posedge clock) begin
    after_rise <= rising ^ after_fall;
    later <= falling;
  end
  always @(negedge clock) after_fall <= later ^ after_rise;

  assign pin = after_rise ^ after_fall;
endmodule

// What goes to a pin, delayed where a device does it.
module output_delay (
  input  wire a,
  output wire z
);
  assign z = a;
endmodule

// The pins of RGMII from GMII.
module rgmii_output (
  input  wire       clock,
  input  wire [7:0] gmii_data,
  input  wire       gmii_valid,
  input  wire       gmii_error,
  output wire       rgmii_tx_clock,
  output wire       rgmii_tx_control,
  output wire [3:0] rgmii_tx_data
);
  wire [3:0] low;
  wire [3:0] high;
  wire       pins_0_pin;
  wire       pins_1_pin;
  wire       pins_2_pin;
  wire       pins_3_pin;
  wire       control_falling;
  wire       control_pin;
  wire       clock_out_pin;
  wire       clock_delay_z;

  output_ddr pins_0 (
    .clock   (clock),
    .rising  (low[0]),
    .falling (high[0]),
    .pin     (pins_0_pin)
  );

  output_ddr pins_1 (
    .clock   (clock),
    .rising  (low[1]),
    .falling (high[1]),
    .pin     (pins_1_pin)
  );

  output_ddr pins_2 (
    .clock   (clock),
    .rising  (low[2]),
    .falling (high[2]),
    .pin     (pins_2_pin)
  );

  output_ddr pins_3 (
    .clock   (clock),
    .rising  (low[3]),
    .falling (high[3]),
    .pin     (pins_3_pin)
  );

  output_ddr control (
    .clock   (clock),
    .rising  (gmii_valid),
    .falling (control_falling),
    .pin     (control_pin)
  );

  output_ddr clock_out (
    .clock   (clock),
    .rising  (1'b1),
    .falling (1'b0),
    .pin     (clock_out_pin)
  );

  output_delay clock_delay (
    .a (clock_out_pin),
    .z (clock_delay_z)
  );

  assign control_falling = gmii_valid != gmii_error;
  assign rgmii_tx_control = control_pin;
  assign rgmii_tx_clock = clock_delay_z;
  assign low = gmii_data[3:0];
  assign high = gmii_data[7:4];
  assign rgmii_tx_data[0] = pins_0_pin;
  assign rgmii_tx_data[1] = pins_1_pin;
  assign rgmii_tx_data[2] = pins_2_pin;
  assign rgmii_tx_data[3] = pins_3_pin;
endmodule

// A reset that comes without a clock and goes with one.
module reset_crossing (
  input  wire clock,
  input  wire hold,   // reset, of any clock or none
  output wire reset,  // reset of this clock: falls with its fourth edge after hold
  output wire holding // a clock longer: to hold what must leave its reset later
);
  reg [4:0] stages;

  initial stages = {5{1'b1}};

  always @(posedge clock or posedge hold) begin
    if (hold) stages <= {5{1'b1}};
    else stages <= {stages[3:0], 1'b0};
  end

  assign reset = stages[3];
  assign holding = stages[4];
endmodule

// Two registers against metastability.
module synchroniser_2 (
  input  wire       clock,
  input  wire       reset, // all 0
  input  wire [3:0] d,     // of another clock
  output wire [3:0] q      // of this one, two edges later
);
  reg [3:0] first;  // may be metastable: nothing else reads it
  reg [3:0] second;

  assign q = second;

  initial begin
    first = 4'd0;
    second = 4'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      first <= 4'd0;
      second <= 4'd0;
    end else begin
      first <= d;
      second <= first;
    end
  end
endmodule

// Counts in one clock the events of another: a small number crosses in Gray code.
module mac_counter (
  input  wire        event_clock,
  input  wire        event_reset, // with reset, and not after it
  input  wire        event_,      // one more, in event_clock
  input  wire        clock,
  input  wire        reset,       // back to zero
  output wire [63:0] count        // how many, in clock; the upper half a clock late
);
  reg [3:0]  number;    // events, modulo 16
  reg [3:0]  gray;      // the same in Gray code
  reg [3:0]  before_;   // events a clock ago
  reg [31:0] low;       // lower half
  reg        carry;
  reg [31:0] high_half; // upper half as it was a clock ago

  wire [32:0] sum;
  wire [3:0]  next;
  wire [3:0]  high;
  wire [3:0]  now;    // events, as seen here
  wire [3:0]  more;
  wire [3:0]  seen_q;

  synchroniser_2 seen (
    .clock (clock),
    .reset (reset),
    .d     (gray),
    .q     (seen_q)
  );

  assign next = number + {3'd0, event_};
  assign high = seen_q ^ (seen_q >> 1);
  assign now = high ^ (high >> 2);
  assign more = now - before_;
  assign sum = {1'b0, low} + {29'd0, more};
  assign count = {high_half, low};

  initial begin
    number = 4'd0;
    gray = 4'd0;
    before_ = 4'd0;
    low = 32'd0;
    carry = 1'b0;
    high_half = 32'd0;
  end

  always @(posedge event_clock) begin
    if (event_reset) begin
      number <= 4'd0;
      gray <= 4'd0;
    end else begin
      number <= next;
      gray <= next ^ (next >> 1);
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      before_ <= 4'd0;
      low <= 32'd0;
      carry <= 1'b0;
      high_half <= 32'd0;
    end else begin
      before_ <= now;
      low <= sum[31:0];
      carry <= sum[32];
      high_half <= high_half + {31'd0, carry};
    end
  end
endmodule

// A gigabit Ethernet port on RGMII. Contract: mac.md.
module mac_port (
  input  wire        clock,
  input  wire        hold,             // reset, of any clock or none
  output wire        reset,            // the same in clock, for what the streams are connected to
  input  wire        rgmii_rx_clock,
  input  wire        rgmii_rx_control,
  input  wire [3:0]  rgmii_rx_data,
  output wire        rgmii_tx_clock,
  output wire        rgmii_tx_control,
  output wire [3:0]  rgmii_tx_data,
  output wire        m_frame_tvalid,   // frames from the line
  input  wire        m_frame_tready,
  output wire [7:0]  m_frame_tdata,
  output wire        m_frame_tlast,
  output wire        m_frame_tuser,    // with tlast: the frame is bad
  input  wire        s_frame_tvalid,   // frames to the line
  output wire        s_frame_tready,
  input  wire [7:0]  s_frame_tdata,
  input  wire        s_frame_tlast,
  input  wire        s_frame_tuser,    // with tlast: end the frame as bad
  output wire        link_up,          // the PHY tells of a link
  output wire [1:0]  link_speed,       // 0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s
  output wire        link_full_duplex,
  output wire [63:0] frames_good,      // frames received that were good
  output wire [63:0] frames_bad_fcs,   // with a wrong FCS
  output wire [63:0] frames_runt,      // too short
  output wire [63:0] frames_error,     // with an error from the PHY
  output wire [63:0] overflows,        // frames that met a full FIFO
  output wire [63:0] frames_sent,      // frames sent
  output wire [63:0] frames_broken,    // frames sent as bad
  output wire [63:0] underruns         // of those, for want of bytes
);
  wire [7:0]  pins_in_gmii_data;
  wire        pins_in_gmii_valid;
  wire        pins_in_gmii_error;
  wire        pins_in_link_up;
  wire [1:0]  pins_in_link_speed;
  wire        pins_in_link_full_duplex;
  wire        receiver_m_tvalid;
  wire [7:0]  receiver_m_tdata;
  wire        receiver_m_tlast;
  wire        receiver_m_tuser;
  wire        receiver_frame_good;
  wire        receiver_frame_bad_fcs;
  wire        receiver_frame_runt;
  wire        receiver_frame_error;
  wire        gate_write;
  wire [9:0]  gate_word;
  wire        gate_overflow;
  wire        fifo_full;
  wire        fifo_valid;
  wire [9:0]  fifo_read_data;
  wire        buffer_s_tready;
  wire        buffer_m_tvalid;
  wire [7:0]  buffer_m_tdata;
  wire        buffer_m_tlast;
  wire        buffer_m_tuser;
  wire        transmitter_s_tready;
  wire [7:0]  transmitter_gmii_data;
  wire        transmitter_gmii_valid;
  wire        transmitter_gmii_error;
  wire        transmitter_frame_sent;
  wire        transmitter_frame_broken;
  wire        transmitter_underrun;
  wire        pins_out_rgmii_tx_clock;
  wire        pins_out_rgmii_tx_control;
  wire [3:0]  pins_out_rgmii_tx_data;
  wire        rx_reset_reset;
  wire        rx_reset_holding;
  wire        card_reset_hold;
  wire        card_reset_reset;
  wire        card_reset_holding;
  wire [3:0]  link_d;
  wire [3:0]  link_q;
  wire [63:0] good_count;
  wire [63:0] bad_fcs_count;
  wire [63:0] runt_count;
  wire [63:0] error_count;
  wire [63:0] overflow_count;
  wire [63:0] sent_count;
  wire [63:0] broken_count;
  wire [63:0] underrun_count;

  // from the line
  rgmii_input pins_in (
    .rgmii_rx_clock   (rgmii_rx_clock),
    .rgmii_rx_control (rgmii_rx_control),
    .rgmii_rx_data    (rgmii_rx_data),
    .gmii_data        (pins_in_gmii_data),
    .gmii_valid       (pins_in_gmii_valid),
    .gmii_error       (pins_in_gmii_error),
    .link_up          (pins_in_link_up),
    .link_speed       (pins_in_link_speed),
    .link_full_duplex (pins_in_link_full_duplex)
  );

  mac_receiver receiver (
    .clock         (rgmii_rx_clock),
    .reset         (rx_reset_reset),
    .gmii_data     (pins_in_gmii_data),
    .gmii_valid    (pins_in_gmii_valid),
    .gmii_error    (pins_in_gmii_error),
    .m_tvalid      (receiver_m_tvalid),
    .m_tdata       (receiver_m_tdata),
    .m_tlast       (receiver_m_tlast),
    .m_tuser       (receiver_m_tuser),
    .frame_good    (receiver_frame_good),
    .frame_bad_fcs (receiver_frame_bad_fcs),
    .frame_runt    (receiver_frame_runt),
    .frame_error   (receiver_frame_error)
  );

  frame_gate gate (
    .clock    (rgmii_rx_clock),
    .reset    (rx_reset_reset),
    .s_tvalid (receiver_m_tvalid),
    .s_tdata  (receiver_m_tdata),
    .s_tlast  (receiver_m_tlast),
    .s_tuser  (receiver_m_tuser),
    .write    (gate_write),
    .word     (gate_word),
    .full     (fifo_full),
    .overflow (gate_overflow)
  );

  async_fifo fifo (
    .write_clock (rgmii_rx_clock),
    .write_reset (rx_reset_reset),
    .write       (gate_write),
    .write_data  (gate_word),
    .full        (fifo_full),
    .read_clock  (clock),
    .read_reset  (card_reset_reset),
    .valid       (fifo_valid),
    .ready       (m_frame_tready),
    .read_data   (fifo_read_data)
  );

  // to the line
  transmit_buffer buffer (
    .clock    (clock),
    .reset    (card_reset_reset),
    .s_tvalid (s_frame_tvalid),
    .s_tready (buffer_s_tready),
    .s_tdata  (s_frame_tdata),
    .s_tlast  (s_frame_tlast),
    .s_tuser  (s_frame_tuser),
    .m_tvalid (buffer_m_tvalid),
    .m_tready (transmitter_s_tready),
    .m_tdata  (buffer_m_tdata),
    .m_tlast  (buffer_m_tlast),
    .m_tuser  (buffer_m_tuser)
  );

  mac_transmitter transmitter (
    .clock        (clock),
    .reset        (card_reset_reset),
    .s_tvalid     (buffer_m_tvalid),
    .s_tready     (transmitter_s_tready),
    .s_tdata      (buffer_m_tdata),
    .s_tlast      (buffer_m_tlast),
    .s_tuser      (buffer_m_tuser),
    .gmii_data    (transmitter_gmii_data),
    .gmii_valid   (transmitter_gmii_valid),
    .gmii_error   (transmitter_gmii_error),
    .frame_sent   (transmitter_frame_sent),
    .frame_broken (transmitter_frame_broken),
    .underrun     (transmitter_underrun)
  );

  rgmii_output pins_out (
    .clock            (clock),
    .gmii_data        (transmitter_gmii_data),
    .gmii_valid       (transmitter_gmii_valid),
    .gmii_error       (transmitter_gmii_error),
    .rgmii_tx_clock   (pins_out_rgmii_tx_clock),
    .rgmii_tx_control (pins_out_rgmii_tx_control),
    .rgmii_tx_data    (pins_out_rgmii_tx_data)
  );

  reset_crossing rx_reset (
    .clock   (rgmii_rx_clock),
    .hold    (hold),
    .reset   (rx_reset_reset),
    .holding (rx_reset_holding)
  );

  reset_crossing card_reset (
    .clock   (clock),
    .hold    (card_reset_hold),
    .reset   (card_reset_reset),
    .holding (card_reset_holding)
  );

  // what is told of it
  synchroniser_2 link (
    .clock (clock),
    .reset (card_reset_reset),
    .d     (link_d),
    .q     (link_q)
  );

  mac_counter good (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_good),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (good_count)
  );

  mac_counter bad_fcs (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_bad_fcs),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (bad_fcs_count)
  );

  mac_counter runt (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_runt),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (runt_count)
  );

  mac_counter error (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (receiver_frame_error),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (error_count)
  );

  mac_counter overflow (
    .event_clock (rgmii_rx_clock),
    .event_reset (rx_reset_reset),
    .event_      (gate_overflow),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (overflow_count)
  );

  mac_counter sent (
    .event_clock (clock),
    .event_reset (card_reset_reset),
    .event_      (transmitter_frame_sent),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (sent_count)
  );

  mac_counter broken (
    .event_clock (clock),
    .event_reset (card_reset_reset),
    .event_      (transmitter_frame_broken),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (broken_count)
  );

  mac_counter underrun (
    .event_clock (clock),
    .event_reset (card_reset_reset),
    .event_      (transmitter_underrun),
    .clock       (clock),
    .reset       (card_reset_reset),
    .count       (underrun_count)
  );

  assign card_reset_hold = hold || rx_reset_holding;
  assign reset = card_reset_reset;
  assign m_frame_tvalid = fifo_valid;
  assign m_frame_tdata = fifo_read_data[7:0];
  assign m_frame_tlast = fifo_read_data[8];
  assign m_frame_tuser = fifo_read_data[9];

  // in reset nothing is taken, so that what sends may leave its own reset earlier
  assign s_frame_tready = buffer_s_tready && !card_reset_reset;
  assign rgmii_tx_clock = pins_out_rgmii_tx_clock;
  assign rgmii_tx_control = pins_out_rgmii_tx_control;
  assign rgmii_tx_data = pins_out_rgmii_tx_data;
  assign link_d = {pins_in_link_full_duplex, pins_in_link_speed, pins_in_link_up};
  assign link_up = link_q[0];
  assign link_speed = link_q[2:1];
  assign link_full_duplex = link_q[3];
  assign frames_good = good_count;
  assign frames_bad_fcs = bad_fcs_count;
  assign frames_runt = runt_count;
  assign frames_error = error_count;
  assign overflows = overflow_count;
  assign frames_sent = sent_count;
  assign frames_broken = broken_count;
  assign underruns = underrun_count;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, card_reset_holding};
endmodule

// A gigabit Ethernet port that sends what it receives.
module mac_loop (
  input  wire        clock,
  input  wire        hold,             // reset, of any clock or none
  input  wire        rgmii_rx_clock,
  input  wire        rgmii_rx_control,
  input  wire [3:0]  rgmii_rx_data,
  output wire        rgmii_tx_clock,
  output wire        rgmii_tx_control,
  output wire [3:0]  rgmii_tx_data,
  output wire        link_up,
  output wire [1:0]  link_speed,
  output wire        link_full_duplex,
  output wire [63:0] frames_good,
  output wire [63:0] frames_bad_fcs,
  output wire [63:0] frames_runt,
  output wire [63:0] frames_error,
  output wire [63:0] overflows,
  output wire [63:0] frames_sent,
  output wire [63:0] frames_broken,
  output wire [63:0] underruns
);
  wire        port_reset;
  wire        port_rgmii_tx_clock;
  wire        port_rgmii_tx_control;
  wire [3:0]  port_rgmii_tx_data;
  wire        port_m_frame_tvalid;
  wire [7:0]  port_m_frame_tdata;
  wire        port_m_frame_tlast;
  wire        port_m_frame_tuser;
  wire        port_s_frame_tready;
  wire        port_link_up;
  wire [1:0]  port_link_speed;
  wire        port_link_full_duplex;
  wire [63:0] port_frames_good;
  wire [63:0] port_frames_bad_fcs;
  wire [63:0] port_frames_runt;
  wire [63:0] port_frames_error;
  wire [63:0] port_overflows;
  wire [63:0] port_frames_sent;
  wire [63:0] port_frames_broken;
  wire [63:0] port_underruns;

  mac_port port (
    .clock            (clock),
    .hold             (hold),
    .reset            (port_reset),
    .rgmii_rx_clock   (rgmii_rx_clock),
    .rgmii_rx_control (rgmii_rx_control),
    .rgmii_rx_data    (rgmii_rx_data),
    .rgmii_tx_clock   (port_rgmii_tx_clock),
    .rgmii_tx_control (port_rgmii_tx_control),
    .rgmii_tx_data    (port_rgmii_tx_data),
    .m_frame_tvalid   (port_m_frame_tvalid),
    .m_frame_tready   (port_s_frame_tready),
    .m_frame_tdata    (port_m_frame_tdata),
    .m_frame_tlast    (port_m_frame_tlast),
    .m_frame_tuser    (port_m_frame_tuser),
    .s_frame_tvalid   (port_m_frame_tvalid),
    .s_frame_tready   (port_s_frame_tready),
    .s_frame_tdata    (port_m_frame_tdata),
    .s_frame_tlast    (port_m_frame_tlast),
    .s_frame_tuser    (port_m_frame_tuser),
    .link_up          (port_link_up),
    .link_speed       (port_link_speed),
    .link_full_duplex (port_link_full_duplex),
    .frames_good      (port_frames_good),
    .frames_bad_fcs   (port_frames_bad_fcs),
    .frames_runt      (port_frames_runt),
    .frames_error     (port_frames_error),
    .overflows        (port_overflows),
    .frames_sent      (port_frames_sent),
    .frames_broken    (port_frames_broken),
    .underruns        (port_underruns)
  );

  assign rgmii_tx_clock = port_rgmii_tx_clock;
  assign rgmii_tx_control = port_rgmii_tx_control;
  assign rgmii_tx_data = port_rgmii_tx_data;
  assign link_up = port_link_up;
  assign link_speed = port_link_speed;
  assign link_full_duplex = port_link_full_duplex;
  assign frames_good = port_frames_good;
  assign frames_bad_fcs = port_frames_bad_fcs;
  assign frames_runt = port_frames_runt;
  assign frames_error = port_frames_error;
  assign overflows = port_overflows;
  assign frames_sent = port_frames_sent;
  assign frames_broken = port_frames_broken;
  assign underruns = port_underruns;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, port_reset};
endmodule
