// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

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

// Frames in: bytes beyond the last one become 0; a reset ends a frame, here and where it comes from.
module intake (
  input  wire       clock,
  input  wire       reset,    // no frame
  input  wire       s_tvalid, // frames
  output wire       s_tready, // always but behind a reset
  input  wire [7:0] s_tdata,
  input  wire       s_tkeep,
  input  wire       s_tlast,
  input  wire       s_tuser,  // the frame is bad
  output wire       valid,    // a beat
  output wire       last,     // the last of its frame
  output wire       bad,      // of a bad one
  output wire       most,     // its last byte
  output wire [7:0] data
);
  localparam none = 1'b0;

  reg       ready_r;
  reg       valid_r;
  reg       last_r;
  reg       bad_r;
  reg       most_r;
  reg [7:0] data_r;
  reg       within_; // a frame has begun and not ended; a reset does not change that
  reg       passing; // this one was cut by a reset

  wire       taken;
  reg        cut;
  wire       most_now;
  wire [7:0] kept;

  assign s_tready = ready_r;
  assign taken = s_tvalid && ready_r;

  // the last byte is that behind which none is valid; a beat that is not the last has all
  assign most_now = none;
  assign kept = s_tdata;
  assign valid = valid_r;
  assign last = last_r;
  assign bad = bad_r;
  assign most = most_r;
  assign data = data_r;

  initial begin
    ready_r = 1'b1;
    valid_r = 1'b0;
    last_r = 1'b0;
    bad_r = 1'b0;
    most_r = 1'b0;
    data_r = 8'd0;
    within_ = 1'b0;
    passing = 1'b0;
  end

  always @* begin
    cut = within_;
    if (taken) begin
      cut = !s_tlast;
    end
  end

  always @(posedge clock) begin
    ready_r <= !reset;
    if (taken) begin
      within_ <= !s_tlast;
    end
    passing <= passing && cut;
    if (reset) begin
      passing <= cut;
    end
    passing <= 1'b0;
    if (reset) begin
      within_ <= 1'b0;
    end
    valid_r <= taken && !passing && !reset;
    last_r <= s_tlast;
    bad_r <= s_tuser;
    most_r <= most_now;
    data_r <= kept;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, s_tkeep};
endmodule

// Delays 1 bit by 4 clocks.
module delay_1x4 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;
  reg stage_3;
  reg stage_4;

  assign q = stage_4;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
    stage_3 = 1'd0;
    stage_4 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
  end
endmodule

// Delays 8 bits by 4 clocks.
module delay_8x4 (
  input  wire       clock,
  input  wire [7:0] d,
  output wire [7:0] q
);
  reg [7:0] stage_1;
  reg [7:0] stage_2;
  reg [7:0] stage_3;
  reg [7:0] stage_4;

  assign q = stage_4;

  initial begin
    stage_1 = 8'd0;
    stage_2 = 8'd0;
    stage_3 = 8'd0;
    stage_4 = 8'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
  end
endmodule

// Beats 4 clocks later; a reset takes those back that are on their way.
module beat_delay (
  input  wire       clock,
  input  wire       reset,
  input  wire       valid,     // a beat
  input  wire       last,
  input  wire       bad,
  input  wire       most,
  input  wire [7:0] data,
  output wire       valid_out, // the beat of then
  output wire       last_out,
  output wire       bad_out,
  output wire       most_out,
  output wire [7:0] data_out
);
  reg valids_0;
  reg valids_1;
  reg valids_2;
  reg valids_3;

  wire       lasts_q;
  wire       bads_q;
  wire       mosts_q;
  wire [7:0] datas_q;

  delay_1x4 lasts (
    .clock (clock),
    .d     (last),
    .q     (lasts_q)
  );

  delay_1x4 bads (
    .clock (clock),
    .d     (bad),
    .q     (bads_q)
  );

  delay_1x4 mosts (
    .clock (clock),
    .d     (most),
    .q     (mosts_q)
  );

  delay_8x4 datas (
    .clock (clock),
    .d     (data),
    .q     (datas_q)
  );

  assign valid_out = valids_3;
  assign last_out = lasts_q;
  assign bad_out = bads_q;
  assign most_out = mosts_q;
  assign data_out = datas_q;

  initial begin
    valids_0 = 1'b0;
    valids_1 = 1'b0;
    valids_2 = 1'b0;
    valids_3 = 1'b0;
  end

  always @(posedge clock) begin
    valids_0 <= valid && !reset;
    valids_1 <= valids_0 && !reset;
    valids_2 <= valids_1 && !reset;
    valids_3 <= valids_2 && !reset;
  end
endmodule

// Four bytes, the first lowest, as a word with the first byte highest; and back.
module network_order (
  input  wire [31:0] bytes,
  output wire [31:0] word
);
  assign word = {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
endmodule

// Beats to words of four bytes that begin two bytes behind a multiple of four; a beat's words come in the next clock.
module word_feed (
  input  wire        clock,
  input  wire        reset,   // a frame begins
  input  wire        valid,   // a beat
  input  wire        last,    // the last of its frame
  input  wire [7:0]  data,
  input  wire        most,    // its last valid byte
  output wire [31:0] word_0,  // first byte highest
  output wire [4:0]  place_0, // number of the word
  output wire        whole_0  // the frame has it, and the parser may read it
);
  localparam [6:0] first_index = 7'd0;
  localparam [6:0] beyond      = 7'h7e; // beats that the parser may read
  localparam [4:0] back        = 5'd1;

  reg [31:0] word_r_0;
  reg [4:0]  place_r_0;
  reg        whole_r_0;
  reg [23:0] tail;      // last bytes of the beats before
  reg [6:0]  index;     // beats of this frame before, as far as the parser reads

  wire [31:0] joined;
  wire [31:0] order_0_word;
  wire [31:0] bytes_0_input;

  network_order order_0 (
    .bytes (bytes_0_input),
    .word  (order_0_word)
  );

  assign joined = {data, tail};
  assign bytes_0_input = joined;
  assign word_0 = word_r_0;
  assign place_0 = place_r_0;
  assign whole_0 = whole_r_0;

  initial begin
    word_r_0 = 32'd0;
    place_r_0 = 5'd0;
    whole_r_0 = 1'b0;
    tail = 24'd0;
    index = 7'd0;
  end

  always @(posedge clock) begin
    if (valid) begin
      tail <= joined[31:8];
      if (index != beyond) begin
        index <= index + 7'd1;
      end
      if (last) begin
        index <= first_index;
      end
    end
    word_r_0 <= order_0_word;

    // byte 4 place + 5 completes a word
    place_r_0 <= index[6:2] - back;
    whole_r_0 <= valid && (index[1:0] == 2'd1) && (index > 7'd1) && (index != beyond) && !reset;
    if (reset) begin
      index <= first_index;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, most};
endmodule

// How a header of a number is read.
module next_header (
  input  wire [7:0] number, // next header, or protocol
  output reg  [2:0] kind
);
  localparam [2:0] none           = 3'd0; // not at all: the parse ends
  localparam [2:0] hops           = 3'd1;
  localparam [2:0] options        = 3'd2; // 8 (b + 1) bytes
  localparam [2:0] fragment       = 3'd3; // 8 bytes
  localparam [2:0] authentication = 3'd4; // 4 (b + 2) bytes
  localparam [2:0] ports          = 3'd5; // it begins with two ports

  always @* begin
    kind = none;
    if (number == 8'd0) begin
      kind = hops;
    end
    if ((number == 8'd43) || (number == 8'd60)) begin
      kind = options;
    end
    if (number == 8'd44) begin
      kind = fragment;
    end
    if (number == 8'd51) begin
      kind = authentication;
    end
    if ((number == 8'd6) || (number == 8'd17) || (number == 8'd33) || (number == 8'h84) || (number == 8'h88)) begin
      kind = ports;
    end
  end
endmodule

// What a word says whatever it is read as: the parser's step only chooses.
module word_facts (
  input  wire [31:0]  word,  // first byte highest
  input  wire [4:0]   place, // its number: the four bytes from 4 place + 2 on
  input  wire         whole, // the frame has all four
  output wire [109:0] facts
);
  localparam [2:0]  no_ip           = 3'd0;
  localparam [2:0]  tag             = 3'd1;
  localparam [2:0]  label           = 3'd2;
  localparam [2:0]  ipv4            = 3'd3;
  localparam [2:0]  ipv6            = 3'd4;
  localparam [15:0] customer_tag    = 16'h8100;
  localparam [15:0] service_tag     = 16'h88a8;
  localparam [15:0] old_tag         = 16'h9100;
  localparam [15:0] unicast_label   = 16'h8847;
  localparam [15:0] multicast_label = 16'h8848;
  localparam [15:0] ipv4_type       = 16'h800;
  localparam [15:0] ipv6_type       = 16'h86dd;
  localparam [4:0]  unread          = 5'd31;    // word behind the last that is read

  reg  [2:0] ether;                 // what follows the type in bits 15:0
  wire       is_4;
  wire       is_6;
  wire       fits_4;                // the first word of an IPv4 header whose lengths agree
  wire [9:0] here;
  wire [9:0] next;
  wire [9:0] behind_ipv4;           // word behind an IPv4 header that begins here
  wire [9:0] behind_options;        // behind an extension of 8 (b + 1) bytes
  wire [9:0] behind_authentication; // behind one of 4 (b + 2) bytes
  wire [9:0] behind_fragment;
  wire       deep_next;
  wire       deep_ipv4;
  wire       deep_options;
  wire       deep_authentication;
  wire       deep_fragment;
  wire [2:0] high_kind;
  wire [2:0] middle_kind;
  wire [2:0] low_kind;

  // as one that says what follows, and where
  next_header high (
    .number (word[31:24]),
    .kind   (high_kind)
  );

  next_header middle (
    .number (word[23:16]),
    .kind   (middle_kind)
  );

  next_header low (
    .number (word[15:8]),
    .kind   (low_kind)
  );

  // as the first word of an IP header: of IPv4 at least five words, and a packet no shorter than its header
  assign is_4 = word[31:28] == 4'd4;
  assign is_6 = word[31:28] == 4'd6;
  assign fits_4 = is_4 && (word[27:24] >= 4'd5) && (word[15:2] >= {10'd0, word[27:24]});
  assign here = {5'd0, place};
  assign next = here + 10'd1;
  assign behind_ipv4 = here + {6'd0, word[27:24]};
  assign behind_options = here + ({2'd0, word[23:16]} << 1) + 10'd2;
  assign behind_authentication = here + {2'd0, word[23:16]} + 10'd2;
  assign behind_fragment = here + 10'd2;

  // which of them lie behind the last word that is read; a comparison by carry would follow the sum's
  assign deep_next = (|next[9:5]) || (next[4:0] == unread);
  assign deep_ipv4 = (|behind_ipv4[9:5]) || (behind_ipv4[4:0] == unread);
  assign deep_options = (|behind_options[9:5]) || (behind_options[4:0] == unread);
  assign deep_authentication = (|behind_authentication[9:5]) || (behind_authentication[4:0] == unread);
  assign deep_fragment = (|behind_fragment[9:5]) || (behind_fragment[4:0] == unread);
  assign facts = {whole, deep_fragment, deep_authentication, deep_options, deep_ipv4, deep_next, behind_fragment, behind_authentication, behind_options, behind_ipv4, next, place, |word[15:3], |word[12:0], fits_4, is_6, is_4, ether, low_kind, middle_kind, high_kind, word};

  always @* begin
    // as a type
    ether = no_ip;
    if ((word[15:0] == customer_tag) || (word[15:0] == service_tag) || (word[15:0] == old_tag)) begin
      ether = tag;
    end
    if ((word[15:0] == unicast_label) || (word[15:0] == multicast_label)) begin
      ether = label;
    end
    if (word[15:0] == ipv4_type) begin
      ether = ipv4;
    end
    if (word[15:0] == ipv6_type) begin
      ether = ipv6;
    end
  end
endmodule

// What a word is to the parser, which reads it only if it stands at it, and where the parser goes from there.
module parser_look (
  input  wire [88:0]  state,
  input  wire [109:0] facts, // of the word
  output wire [29:0]  look
);
  localparam [3:0] version_mode        = 4'd2;
  localparam [3:0] ip_mode             = 4'd3;
  localparam [3:0] options_mode        = 4'd4;
  localparam [3:0] authentication_mode = 4'd5;
  localparam [3:0] fragment_mode       = 4'd6;
  localparam [3:0] end_mode            = 4'd8;

  wire       reads;
  wire       in_header;
  reg        six;         // IP version 6
  reg        first;       // of an IP header
  reg        stranger;    // behind labels, no IP
  reg        fits;
  reg        leaves;      // a header behind which another may stand is read
  reg        from_ipv6;   // the IPv6 header itself
  reg        deep;        // the next word is not read any more
  reg  [9:0] at;          // next word that is read
  reg        fragment;    // not the first one
  reg  [7:0] next_number; // of the header that follows
  reg  [2:0] kind;        // how it is read

  // the word is read if the frame has it and the parser stands at it
  assign reads = facts[109] && (state[3:0] != end_mode) && (state[12:8] == facts[53:49]);
  assign in_header = state[3:0] == ip_mode;
  assign look = {kind, next_number, fragment, at, deep, from_ipv6, leaves, stranger, fits, first, six, reads};

  always @* begin
    six = state[20];
    first = in_header && !(|state[7:4]);
    stranger = 1'b0;
    if (state[3:0] == version_mode) begin
      six = facts[45];
      first = facts[44] || facts[45];
      stranger = !facts[44] && !facts[45];
    end
  end

  always @* begin
    fits = facts[46];
    if (six) begin
      fits = facts[45];
    end
  end

  always @* begin
    // where the next word stands, and whether another header does
    at = facts[63:54];
    deep = facts[104];
    leaves = 1'b0;
    from_ipv6 = 1'b0;
    kind = state[65:63];
    next_number = state[62:55];
    fragment = state[54];
    if (in_header && !six) begin
      if (state[7:4] == 4'd1) begin
        fragment = facts[47];
      end
      if (state[7:4] == 4'd2) begin
        next_number = facts[23:16];
        kind = facts[37:35];
      end
      if (state[7:4] == 4'd4) begin
        leaves = 1'b1;
        at = state[52:43];
        deep = state[53];
      end
    end
    if (in_header && six) begin
      if (state[7:4] == 4'd1) begin
        next_number = facts[15:8];
        kind = facts[40:38];
      end
      if (state[7:4] == 4'd9) begin
        leaves = 1'b1;
        from_ipv6 = 1'b1;
      end
    end
    if (state[3:0] == options_mode) begin
      leaves = 1'b1;
      at = facts[83:74];
      deep = facts[106];
    end
    if (state[3:0] == authentication_mode) begin
      leaves = 1'b1;
      at = facts[93:84];
      deep = facts[107];
    end
    if (state[3:0] == fragment_mode) begin
      leaves = 1'b1;
      at = facts[103:94];
      deep = facts[108];
      fragment = facts[48];
    end
    if (leaves && !in_header) begin
      next_number = facts[31:24];
      kind = facts[34:32];
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, state[19:13], state[42:21], state[88:66], facts[7:0], facts[43:41], facts[73:64], facts[105]};
endmodule

// The parser's state after one more word, which is read only if the parser stands at it.
module parser_step (
  input  wire [88:0]  state,
  input  wire [109:0] facts,       // of the word
  input  wire [29:0]  look,        // what it is to the parser
  output reg  [88:0]  stepped,
  output wire         header,      // the word is read as one of the IP header
  output wire         six_header,  // of version 6
  output wire [3:0]   header_step, // which one
  output wire         ports,       // the word is read as the ports
  output wire         hops_4,      // the word is read as that of TTL and checksum
  output wire         hops_6       // as that of the hop limit
);
  localparam [2:0] tag                 = 3'd1;
  localparam [2:0] labelled            = 3'd2;
  localparam [2:0] ipv4                = 3'd3;
  localparam [2:0] ipv6                = 3'd4;
  localparam [3:0] type_mode           = 4'd0;
  localparam [3:0] label_mode          = 4'd1;
  localparam [3:0] version_mode        = 4'd2;
  localparam [3:0] ip_mode             = 4'd3;
  localparam [3:0] options_mode        = 4'd4;
  localparam [3:0] authentication_mode = 4'd5;
  localparam [3:0] fragment_mode       = 4'd6;
  localparam [3:0] ports_mode          = 4'd7;
  localparam [3:0] end_mode            = 4'd8;
  localparam [1:0] no_ip               = 2'd0;
  localparam [1:0] ip                  = 2'd1;
  localparam [1:0] malformed           = 2'd2;
  localparam [1:0] too_deep            = 2'd3;
  localparam [2:0] hops_kind           = 3'd1;
  localparam [2:0] options_kind        = 3'd2;
  localparam [2:0] fragment_kind       = 3'd3;
  localparam [2:0] authentication_kind = 3'd4;
  localparam [2:0] ports_kind          = 3'd5;

  reg  [3:0]  mode;          // what the next word is read as
  reg  [3:0]  step;          // word within the IP header
  reg  [1:0]  ending;
  wire        six;
  reg         six_next;
  wire        in_ip;         // within an IP packet
  reg  [4:0]  ip_place;      // word it begins with
  reg  [15:0] length;        // its total or payload length
  reg  [9:0]  ipv4_end;      // word behind the IPv4 header
  reg         ipv4_end_deep; // which is not read any more
  wire        fragment;
  reg  [5:0]  dscp;
  reg  [15:0] checksum;
  wire [88:0] packed_;
  wire        reads;
  wire        in_header;
  wire        first;
  wire        reads_hops_4;
  wire        reads_hops_6;
  wire        stranger;
  wire        fits;
  wire        leaves;
  wire        from_ipv6;
  wire        deep;

  assign reads = look[0];
  assign six = look[1];
  assign first = look[2];
  assign fits = look[3];
  assign stranger = look[4];
  assign leaves = look[5];
  assign from_ipv6 = look[6];
  assign deep = look[7];
  assign fragment = look[18];
  assign in_header = state[3:0] == ip_mode;
  assign in_ip = state[21] || first;
  assign reads_hops_4 = in_header && !six && (state[7:4] == 4'd2);
  assign reads_hops_6 = in_header && six && (state[7:4] == 4'd1);
  assign packed_ = {state[88] || reads_hops_4 || reads_hops_6, checksum, dscp, look[29:27], look[26:19], fragment, ipv4_end_deep, ipv4_end, length, ip_place, in_ip, six_next, ending, look[17:8], step, mode};

  // what it is to the key
  assign header = reads && in_header;
  assign six_header = six;
  assign header_step = state[7:4];
  assign ports = reads && (state[3:0] == ports_mode);
  assign hops_4 = reads && reads_hops_4;
  assign hops_6 = reads && reads_hops_6;

  always @* begin
    // what it says
    length = state[42:27];
    if (in_header && six && (state[7:4] == 4'd1)) begin
      length = facts[31:16];
    end

    // what a first word says; IPv6 says its length in the next one
    step = state[7:4] + 4'd1;
    ip_place = state[26:22];
    ipv4_end = state[52:43];
    ipv4_end_deep = state[53];
    dscp = state[71:66];
    if (!in_header && !first) begin
      step = 4'd0;
    end
    if (first) begin
      step = 4'd1;
      ip_place = facts[53:49];
      ipv4_end = facts[73:64];
      ipv4_end_deep = facts[105];
      dscp = facts[23:18];
      if (!six) begin
        length = facts[15:0];
      end
    end
  end

  always @* begin
    checksum = state[87:72];
    if (in_header && !six && (state[7:4] == 4'd2)) begin
      checksum = facts[15:0];
    end
  end

  always @* begin
    // what it is read as
    mode = state[3:0];
    ending = no_ip;
    if (state[3:0] == type_mode) begin
      mode = end_mode;
      if (facts[43:41] == tag) begin
        mode = type_mode;
      end
      if (facts[43:41] == labelled) begin
        mode = label_mode;
      end
      if ((facts[43:41] == ipv4) || (facts[43:41] == ipv6)) begin
        mode = ip_mode;
      end
    end
    if ((state[3:0] == label_mode) && facts[8]) begin
      mode = version_mode;
    end
    if (first) begin
      mode = ip_mode;
      if (!fits) begin
        mode = end_mode;
        ending = malformed;
      end
    end
    if (stranger) begin
      mode = end_mode;
    end
    if (leaves) begin
      mode = end_mode;
      ending = ip;
      if (!fragment) begin
        if (look[29:27] == authentication_kind) begin
          mode = authentication_mode;
        end
        if (look[29:27] == ports_kind) begin
          mode = ports_mode;
        end
        if (six) begin
          if (look[29:27] == options_kind) begin
            mode = options_mode;
          end
          if (look[29:27] == fragment_kind) begin
            mode = fragment_mode;
          end
          if (look[29:27] == hops_kind) begin
            ending = malformed;
            if (from_ipv6) begin
              mode = options_mode;
            end
          end
        end
      end
    end
    if (state[3:0] == ports_mode) begin
      mode = end_mode;
      ending = ip;
    end
    if (deep && (mode != end_mode)) begin
      mode = end_mode;
      ending = too_deep;
    end
  end

  always @* begin
    six_next = six;
    if (state[3:0] == type_mode) begin
      six_next = facts[43:41] == ipv6;
    end
  end

  always @* begin
    stepped = state;
    if (reads) begin
      stepped = packed_;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, facts[40:32], facts[48:44], facts[63:54], facts[104:74], facts[109:106]};
endmodule

// Puts a word that is read into the key, byte by byte in the order of the wire.
module key_capture (
  input  wire [103:0] key,
  input  wire [31:0]  word,
  input  wire         in_header, // it is one of the IP header
  input  wire         six,       // of version 6
  input  wire [3:0]   step,      // which one
  input  wire         ports,     // it holds the ports
  output reg  [103:0] captured
);
  localparam       wanted_six  = 1'b0;
  localparam [3:0] word_step_0 = 4'd3;
  localparam [3:0] word_step_1 = 4'd4;

  wire [103:0] bytes;
  wire [31:0]  order_word;

  network_order order (
    .bytes (word),
    .word  (order_word)
  );

  assign bytes = {72'd0, order_word};

  always @* begin
    captured = key;
    if (in_header && (six == wanted_six) && (step == word_step_0)) begin
      captured = key | bytes;
    end
    if (in_header && (six == wanted_six) && (step == word_step_1)) begin
      captured = key | (bytes << 32);
    end
    if (ports) begin
      captured = key | (bytes << 64);
    end
  end
endmodule

// Reads the words of each frame. The state after a frame's last beat is what was found, 4 clocks after that beat.
module parser (
  input  wire         clock,
  input  wire         reset,     // a frame begins
  input  wire         valid,     // a beat
  input  wire         last,      // the last of its frame
  input  wire [7:0]   data,
  input  wire         bad,       // of a bad one
  input  wire         most,      // its last valid byte
  output wire         valid_out, // the beat, as late as what was found
  output wire         last_out,
  output wire         bad_out,
  output wire         most_out,
  output wire [7:0]   data_out,
  output wire [88:0]  finding,   // state after that beat
  output wire [103:0] key,
  output reg          zeroes,    // bytes of it that change from hop to hop
  output wire         before_    // bytes of the beats before do, too
);
  localparam [109:0] read_once = 110'h1fffffffffffffffffffffffffff; // the word is read in one clock
  localparam         no_zeroes = 1'b0;
  localparam         byte_3    = 1'b1;
  localparam [88:0]  initial_  = 89'h200;                           // before the word at byte 10
  localparam [103:0] no_key    = 104'd0;

  reg [109:0] facts_r_0;
  reg [29:0]  looks_r_0;
  reg [31:0]  words_r_0;
  reg         header_r_0;
  reg         six_r_0;
  reg [3:0]   step_r_0;
  reg         ports_r_0;
  reg         valid_r_0;
  reg         valid_r_1;
  reg         valid_r_2;
  reg         last_r_0;
  reg         last_r_1;
  reg         last_r_2;
  reg [88:0]  state;
  reg [103:0] key_r;
  reg [88:0]  finding_r;
  reg         hops_4_r_0;
  reg         hops_6_r_0;

  wire         beats_valid_out;
  wire         beats_last_out;
  wire         beats_bad_out;
  wire         beats_most_out;
  wire [7:0]   beats_data_out;
  wire [31:0]  feed_word_0;
  wire [4:0]   feed_place_0;
  wire         feed_whole_0;
  wire [109:0] facts_0_facts;
  wire [29:0]  looks_0_look;
  wire [88:0]  steps_0_stepped;
  wire         steps_0_header;
  wire         steps_0_six_header;
  wire [3:0]   steps_0_header_step;
  wire         steps_0_ports;
  wire         steps_0_hops_4;
  wire         steps_0_hops_6;
  wire [103:0] captures_0_captured;

  beat_delay beats (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid),
    .last      (last),
    .bad       (bad),
    .most      (most),
    .data      (data),
    .valid_out (beats_valid_out),
    .last_out  (beats_last_out),
    .bad_out   (beats_bad_out),
    .most_out  (beats_most_out),
    .data_out  (beats_data_out)
  );

  word_feed feed (
    .clock   (clock),
    .reset   (reset),
    .valid   (valid),
    .last    (last),
    .data    (data),
    .most    (most),
    .word_0  (feed_word_0),
    .place_0 (feed_place_0),
    .whole_0 (feed_whole_0)
  );

  word_facts facts_0 (
    .word  (feed_word_0),
    .place (feed_place_0),
    .whole (feed_whole_0),
    .facts (facts_0_facts)
  );

  parser_look looks_0 (
    .state (state),
    .facts (facts_r_0),
    .look  (looks_0_look)
  );

  parser_step steps_0 (
    .state       (state),
    .facts       (facts_r_0),
    .look        (looks_r_0),
    .stepped     (steps_0_stepped),
    .header      (steps_0_header),
    .six_header  (steps_0_six_header),
    .header_step (steps_0_header_step),
    .ports       (steps_0_ports),
    .hops_4      (steps_0_hops_4),
    .hops_6      (steps_0_hops_6)
  );

  key_capture captures_0 (
    .key       (key_r),
    .word      (words_r_0),
    .in_header (header_r_0),
    .six       (six_r_0),
    .step      (step_r_0),
    .ports     (ports_r_0),
    .captured  (captures_0_captured)
  );

  // the key, a clock behind
  assign key = captures_0_captured;
  assign before_ = hops_4_r_0;
  assign valid_out = beats_valid_out;
  assign last_out = beats_last_out;
  assign bad_out = beats_bad_out;
  assign most_out = beats_most_out;
  assign data_out = beats_data_out;
  assign finding = finding_r;

  initial begin
    facts_r_0 = 110'd0;
    looks_r_0 = 30'd0;
    words_r_0 = 32'd0;
    header_r_0 = 1'b0;
    six_r_0 = 1'b0;
    step_r_0 = 4'd0;
    ports_r_0 = 1'b0;
    valid_r_0 = 1'b0;
    valid_r_1 = 1'b0;
    valid_r_2 = 1'b0;
    last_r_0 = 1'b0;
    last_r_1 = 1'b0;
    last_r_2 = 1'b0;
    state = 89'h200;
    key_r = 104'd0;
    finding_r = 89'h200;
    hops_4_r_0 = 1'b0;
    hops_6_r_0 = 1'b0;
  end

  always @* begin
    // bytes that change from hop to hop: TTL, checksum and hop limit are bytes 0, 2 and 3 of their words
    zeroes = no_zeroes;
    if (hops_4_r_0 || hops_6_r_0) begin
      zeroes = byte_3;
    end
  end

  always @(posedge clock) begin
    valid_r_0 <= valid && !reset;
    last_r_0 <= last;
    valid_r_1 <= valid_r_0 && !reset;
    last_r_1 <= last_r_0;
    valid_r_2 <= valid_r_1 && !reset;
    last_r_2 <= last_r_1;
    words_r_0 <= facts_r_0[31:0];
    header_r_0 <= steps_0_header;
    six_r_0 <= steps_0_six_header;
    step_r_0 <= steps_0_header_step;
    ports_r_0 <= steps_0_ports;
    hops_4_r_0 <= steps_0_hops_4;
    hops_6_r_0 <= steps_0_hops_6;

    // a step takes two clocks, in which the facts stand
    facts_r_0 <= facts_r_0 & read_once;
    if (feed_whole_0) begin
      facts_r_0 <= facts_0_facts;
    end
    looks_r_0 <= looks_0_look;
    finding_r <= steps_0_stepped;
    if (valid_r_2) begin
      state <= steps_0_stepped;
    end
    if ((valid_r_2 && last_r_2) || reset) begin
      state <= initial_;
    end
    if (beats_valid_out) begin
      key_r <= captures_0_captured;
    end
    if ((beats_valid_out && beats_last_out) || reset) begin
      key_r <= no_key;
    end
  end
endmodule

// Delays 1 bit by 3 clocks.
module delay_1x3 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;
  reg stage_3;

  assign q = stage_3;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
    stage_3 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
  end
endmodule

// Delays 8 bits by 3 clocks.
module delay_8x3 (
  input  wire       clock,
  input  wire [7:0] d,
  output wire [7:0] q
);
  reg [7:0] stage_1;
  reg [7:0] stage_2;
  reg [7:0] stage_3;

  assign q = stage_3;

  initial begin
    stage_1 = 8'd0;
    stage_2 = 8'd0;
    stage_3 = 8'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
  end
endmodule

// Beats 3 clocks later; a reset takes those back that are on their way.
module beat_delay_2 (
  input  wire       clock,
  input  wire       reset,
  input  wire       valid,     // a beat
  input  wire       last,
  input  wire       bad,
  input  wire       most,
  input  wire [7:0] data,
  output wire       valid_out, // the beat of then
  output wire       last_out,
  output wire       bad_out,
  output wire       most_out,
  output wire [7:0] data_out
);
  reg valids_0;
  reg valids_1;
  reg valids_2;

  wire       lasts_q;
  wire       bads_q;
  wire       mosts_q;
  wire [7:0] datas_q;

  delay_1x3 lasts (
    .clock (clock),
    .d     (last),
    .q     (lasts_q)
  );

  delay_1x3 bads (
    .clock (clock),
    .d     (bad),
    .q     (bads_q)
  );

  delay_1x3 mosts (
    .clock (clock),
    .d     (most),
    .q     (mosts_q)
  );

  delay_8x3 datas (
    .clock (clock),
    .d     (data),
    .q     (datas_q)
  );

  assign valid_out = valids_2;
  assign last_out = lasts_q;
  assign bad_out = bads_q;
  assign most_out = mosts_q;
  assign data_out = datas_q;

  initial begin
    valids_0 = 1'b0;
    valids_1 = 1'b0;
    valids_2 = 1'b0;
  end

  always @(posedge clock) begin
    valids_0 <= valid && !reset;
    valids_1 <= valids_0 && !reset;
    valids_2 <= valids_1 && !reset;
  end
endmodule

// The class of a frame, from what the parser found and the frame's length, three clocks after its last beat is here.
module frame_classifier (
  input  wire        clock,
  input  wire        reset,     // a frame begins
  input  wire        valid,     // a beat
  input  wire        last,      // the last of its frame
  input  wire        bad,       // of a bad one
  input  wire        most,      // its last valid byte
  input  wire [88:0] finding,   // the parser's state after it
  input  wire [15:0] max_frame, // register MAX_FRAME
  output wire [2:0]  class_,    // class of the frame that ended three clocks ago; 0: by its verdict
  output wire        keyed,     // it has a key
  output wire        is_ip,     // its parse ended with IP
  output wire        six,       // of version 6
  output wire [4:0]  ip_place,  // word that the IP header begins with
  output wire [15:0] adjust,    // to this a mark adds its DSCP, for the checksum of IPv4
  output wire [15:0] bytes      // bytes of the frame
);
  localparam [3:0]  end_mode       = 4'd8;
  localparam [1:0]  end_no_ip      = 2'd0;
  localparam [1:0]  end_ip         = 2'd1;
  localparam [1:0]  end_malformed  = 2'd2;
  localparam [1:0]  end_too_deep   = 2'd3;
  localparam [17:0] no_bytes       = 18'd0;
  localparam [17:0] beat_bytes     = 18'd1;
  localparam [17:0] ipv6_header    = 18'h28;
  localparam [17:0] two            = 18'd2;
  localparam [17:0] two_and_header = 18'h2a;
  localparam        wanted_six     = 1'b0;
  localparam [2:0]  unseen         = 3'd0;
  localparam [2:0]  other          = 3'd2;
  localparam [2:0]  truncated      = 3'd3;
  localparam [2:0]  malformed      = 3'd4;
  localparam [2:0]  too_deep       = 3'd5;
  localparam [2:0]  oversize       = 3'd6;
  localparam [2:0]  bad_class      = 3'd7;

  reg [17:0] count;       // bytes of the frame before this beat
  reg [17:0] bytes_1;     // bytes of the frame
  reg [17:0] packet_1;    // of the IP packet, as its header says
  reg [17:0] need_1;      // of a frame that holds the whole IP packet
  reg [17:0] reach_1;     // of the IP packet that its headers take
  reg [16:0] sum_1;
  reg        bad_1;
  reg        waits_1;     // the parser waits for a word
  reg        is_ip_1;
  reg        no_ip_1;
  reg        malformed_1;
  reg        deep_1;
  reg        in_ip_1;
  reg        six_1;
  reg [4:0]  place_1;
  reg        short_2;     // the frame ends before the IP packet
  reg [15:0] sum_2;
  reg        bad_2;
  reg        above_2;     // upper part of the frame's bytes above that of MAX_FRAME
  reg        level_2;     // the same as that
  reg        above_low_2; // lower part above
  reg        waits_2;
  reg        is_ip_2;
  reg        no_ip_2;
  reg        malformed_2;
  reg        deep_2;
  reg        six_2;
  reg [4:0]  place_2;
  reg [2:0]  class_r;
  reg        keyed_r;
  reg        is_ip_3;
  reg        six_3;
  reg [4:0]  place_3;
  reg [15:0] sum_3;
  reg [15:0] bytes_2;
  reg [15:0] bytes_3;

  wire        ended;
  wire [17:0] total;    // and with it
  wire [15:0] old_dscp; // where it stands in its half
  reg  [17:0] before_;  // before the IP packet, and its header if that does not count in its length
  wire [17:0] high;     // the frame's bytes, their upper part
  wire [17:0] max_high; // that of MAX_FRAME
  wire        beyond;   // the headers say that they are longer than the IP packet
  reg  [2:0]  found;

  // length of the frame
  assign total = count + 18'd1;

  // first clock: what the parse says, lengths in bytes
  assign ended = finding[3:0] == end_mode;
  assign old_dscp = {10'd0, finding[71:66]} << 2;

  // second: headers against the packet, the frame against the longest
  assign beyond = in_ip_1 && (reach_1 > packet_1);
  assign high = bytes_1 >> 8;
  assign max_high = {2'd0, max_frame} >> 8;
  assign class_ = class_r;
  assign keyed = keyed_r;
  assign is_ip = is_ip_3;
  assign six = six_3;
  assign ip_place = place_3;
  assign adjust = sum_3;
  assign bytes = bytes_3;

  initial begin
    count = 18'd0;
    bytes_1 = 18'd0;
    packet_1 = 18'd0;
    need_1 = 18'd0;
    reach_1 = 18'd0;
    sum_1 = 17'd0;
    bad_1 = 1'b0;
    waits_1 = 1'b0;
    is_ip_1 = 1'b0;
    no_ip_1 = 1'b0;
    malformed_1 = 1'b0;
    deep_1 = 1'b0;
    in_ip_1 = 1'b0;
    six_1 = 1'b0;
    place_1 = 5'd0;
    short_2 = 1'b0;
    sum_2 = 16'd0;
    bad_2 = 1'b0;
    above_2 = 1'b0;
    level_2 = 1'b0;
    above_low_2 = 1'b0;
    waits_2 = 1'b0;
    is_ip_2 = 1'b0;
    no_ip_2 = 1'b0;
    malformed_2 = 1'b0;
    deep_2 = 1'b0;
    six_2 = 1'b0;
    place_2 = 5'd0;
    class_r = 3'd0;
    keyed_r = 1'b0;
    is_ip_3 = 1'b0;
    six_3 = 1'b0;
    place_3 = 5'd0;
    sum_3 = 16'd0;
    bytes_2 = 16'd0;
    bytes_3 = 16'd0;
  end

  always @* begin
    before_ = ({13'd0, finding[26:22]} << 2) + two;
    if (finding[20]) begin
      before_ = ({13'd0, finding[26:22]} << 2) + two_and_header;
    end
  end

  always @* begin
    // third: the class
    found = unseen;
    if (no_ip_2 || (six_2 != wanted_six)) begin
      found = other;
    end
    if (waits_2 || short_2) begin
      found = truncated;
    end
    if (deep_2) begin
      found = too_deep;
    end
    if (malformed_2) begin
      found = malformed;
    end
    if (above_2 || (level_2 && above_low_2)) begin
      found = oversize;
    end
    if (bad_2) begin
      found = bad_class;
    end
  end

  always @(posedge clock) begin
    if (valid) begin
      if (!count[17]) begin
        count <= count + beat_bytes;
      end
      if (last) begin
        count <= no_bytes;
      end
    end
    if (reset) begin
      count <= no_bytes;
    end
    bytes_1 <= total;
    packet_1 <= {2'd0, finding[42:27]};
    if (finding[20]) begin
      packet_1 <= {2'd0, finding[42:27]} + ipv6_header;
    end
    need_1 <= {2'd0, finding[42:27]} + before_;
    reach_1 <= ({8'd0, finding[17:8]} - {13'd0, finding[26:22]}) << 2;
    sum_1 <= {1'b0, ~finding[87:72]} + {1'b0, ~old_dscp};
    bad_1 <= bad;
    waits_1 <= !ended;
    is_ip_1 <= ended && (finding[19:18] == end_ip);
    no_ip_1 <= ended && (finding[19:18] == end_no_ip);
    malformed_1 <= ended && (finding[19:18] == end_malformed);
    deep_1 <= ended && (finding[19:18] == end_too_deep);
    in_ip_1 <= finding[21];
    six_1 <= finding[20];
    place_1 <= finding[26:22];
    short_2 <= is_ip_1 && (bytes_1 < need_1);
    bytes_2 <= bytes_1[15:0];
    sum_2 <= sum_1[15:0] + {15'd0, sum_1[16]};
    bad_2 <= bad_1;
    above_2 <= high > max_high;
    level_2 <= high == max_high;
    above_low_2 <= bytes_1[7:0] > max_frame[7:0];
    waits_2 <= waits_1;
    is_ip_2 <= is_ip_1 && !beyond;
    no_ip_2 <= no_ip_1;
    malformed_2 <= malformed_1 || beyond;
    deep_2 <= deep_1;
    six_2 <= six_1;
    place_2 <= place_1;
    class_r <= found;
    keyed_r <= found == unseen;
    is_ip_3 <= is_ip_2;
    six_3 <= six_2;
    place_3 <= place_2;
    sum_3 <= sum_2;
    bytes_3 <= bytes_2;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, most, finding[7:4], finding[65:43], finding[88]};
endmodule

// Delays 104 bits by 3 clocks.
module delay_104x3 (
  input  wire         clock,
  input  wire [103:0] d,
  output wire [103:0] q
);
  reg [103:0] stage_1;
  reg [103:0] stage_2;
  reg [103:0] stage_3;

  assign q = stage_3;

  initial begin
    stage_1 = 104'd0;
    stage_2 = 104'd0;
    stage_3 = 104'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
  end
endmodule

// Delays 3 bits by 0 clocks.
module delay_3x0 (
  input  wire       clock,
  input  wire [2:0] d,
  output wire [2:0] q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// Delays 1 bit by 0 clocks.
module delay_1x0 (
  input  wire clock,
  input  wire d,
  output wire q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// Delays 5 bits by 0 clocks.
module delay_5x0 (
  input  wire       clock,
  input  wire [4:0] d,
  output wire [4:0] q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// Delays 16 bits by 0 clocks.
module delay_16x0 (
  input  wire        clock,
  input  wire [15:0] d,
  output wire [15:0] q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// Frames to classes and keys: both are here with the frame's last beat.
module front (
  input  wire         clock,
  input  wire         reset,     // a frame begins
  input  wire         valid,     // a beat
  input  wire         last,      // the last of its frame
  input  wire         bad,       // of a bad one
  input  wire         most,      // its last valid byte
  input  wire [7:0]   data,
  input  wire [15:0]  max_frame, // register MAX_FRAME
  output wire         valid_out, // the beat, later
  output wire         last_out,
  output wire         most_out,
  output wire [7:0]   data_out,
  output wire [2:0]   class_,    // with the last beat: class, 0 for one with a key
  output wire         keyed,     // the frame has a key
  output wire         is_ip,     // its parse ended with IP
  output wire         six,       // of version 6
  output wire [4:0]   ip_place,  // word that the IP header begins with
  output wire [15:0]  adjust,    // to this a mark adds its DSCP, for the checksum of IPv4
  output wire [15:0]  bytes,     // bytes of the frame
  output wire [103:0] key
);
  wire         valid_p;             // the beat, with what was found up to it
  wire         last_p;
  wire         bad_p;
  wire         most_p;
  wire [7:0]   data_p;
  wire [88:0]  finding;
  wire [103:0] parsed_key;
  wire         zeroes;              // bytes of it that change from hop to hop
  wire         before_;             // bytes before it do, too
  wire [103:0] key_in;
  wire         narrow_0_valid_out;
  wire         narrow_0_last_out;
  wire         narrow_0_bad_out;
  wire         narrow_0_most_out;
  wire [7:0]   narrow_0_data_out;
  wire [88:0]  narrow_0_finding;
  wire [103:0] narrow_0_key;
  wire         narrow_0_zeroes;
  wire         narrow_0_before_;
  wire         beats_valid_out;
  wire         beats_last_out;
  wire         beats_bad_out;
  wire         beats_most_out;
  wire [7:0]   beats_data_out;
  wire [2:0]   classifier_class_;
  wire         classifier_keyed;
  wire         classifier_is_ip;
  wire         classifier_six;
  wire [4:0]   classifier_ip_place;
  wire [15:0]  classifier_adjust;
  wire [15:0]  classifier_bytes;
  wire [88:0]  next_input;
  wire [103:0] keys_q;
  wire [2:0]   late_class_q;
  wire         late_keyed_q;
  wire         late_is_ip_q;
  wire         late_six_q;
  wire [4:0]   late_place_q;
  wire [15:0]  late_adjust_q;
  wire [15:0]  late_bytes_q;

  parser narrow_0 (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid),
    .last      (last),
    .data      (data),
    .bad       (bad),
    .most      (most),
    .valid_out (narrow_0_valid_out),
    .last_out  (narrow_0_last_out),
    .bad_out   (narrow_0_bad_out),
    .most_out  (narrow_0_most_out),
    .data_out  (narrow_0_data_out),
    .finding   (narrow_0_finding),
    .key       (narrow_0_key),
    .zeroes    (narrow_0_zeroes),
    .before_   (narrow_0_before_)
  );

  // the beats
  beat_delay_2 beats (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid_p),
    .last      (last_p),
    .bad       (1'b0),
    .most      (most_p),
    .data      (data_p),
    .valid_out (beats_valid_out),
    .last_out  (beats_last_out),
    .bad_out   (beats_bad_out),
    .most_out  (beats_most_out),
    .data_out  (beats_data_out)
  );

  // the class
  frame_classifier classifier (
    .clock     (clock),
    .reset     (reset),
    .valid     (valid_p),
    .last      (last_p),
    .bad       (bad_p),
    .most      (most_p),
    .finding   (finding),
    .max_frame (max_frame),
    .class_    (classifier_class_),
    .keyed     (classifier_keyed),
    .is_ip     (classifier_is_ip),
    .six       (classifier_six),
    .ip_place  (classifier_ip_place),
    .adjust    (classifier_adjust),
    .bytes     (classifier_bytes)
  );

  delay_104x3 keys (
    .clock (clock),
    .d     (key_in),
    .q     (keys_q)
  );

  delay_3x0 late_class (
    .clock (clock),
    .d     (classifier_class_),
    .q     (late_class_q)
  );

  delay_1x0 late_keyed (
    .clock (clock),
    .d     (classifier_keyed),
    .q     (late_keyed_q)
  );

  delay_1x0 late_is_ip (
    .clock (clock),
    .d     (classifier_is_ip),
    .q     (late_is_ip_q)
  );

  delay_1x0 late_six (
    .clock (clock),
    .d     (classifier_six),
    .q     (late_six_q)
  );

  delay_5x0 late_place (
    .clock (clock),
    .d     (classifier_ip_place),
    .q     (late_place_q)
  );

  delay_16x0 late_adjust (
    .clock (clock),
    .d     (classifier_adjust),
    .q     (late_adjust_q)
  );

  delay_16x0 late_bytes (
    .clock (clock),
    .d     (classifier_bytes),
    .q     (late_bytes_q)
  );

  assign valid_p = narrow_0_valid_out;
  assign last_p = narrow_0_last_out;
  assign bad_p = narrow_0_bad_out;
  assign most_p = narrow_0_most_out;
  assign data_p = narrow_0_data_out;
  assign finding = narrow_0_finding;
  assign parsed_key = narrow_0_key;
  assign zeroes = narrow_0_zeroes;
  assign before_ = narrow_0_before_;
  assign class_ = late_class_q;
  assign keyed = late_keyed_q;
  assign is_ip = late_is_ip_q;
  assign six = late_six_q;
  assign ip_place = late_place_q;
  assign adjust = late_adjust_q;
  assign bytes = late_bytes_q;
  assign valid_out = beats_valid_out;
  assign last_out = beats_last_out;
  assign most_out = beats_most_out;
  assign data_out = beats_data_out;

  // the key: at its end the number of the last header; or the digest
  assign next_input = finding;
  assign key_in = parsed_key | ({96'd0, next_input[62:55]} << 96);
  assign key = keys_q;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, zeroes, before_, beats_bad_out, next_input[54:0], next_input[88:63]};
endmodule

// Beats into the frame buffer. A frame for which there is no room is taken back when its last beat comes.
module frame_store (
  input  wire        clock,
  input  wire        reset,         // the buffer is empty
  input  wire        valid,         // a beat
  input  wire        last,          // the last of its frame
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
  assign keep = valid && last && whole;
  assign overflow = valid && last && !whole;
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

// 16384 beats of 8 bits in block RAM, two clocks of read latency.
// Reading the beat that is being written gives an unspecified value; nobody does.
module frame_memory (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [13:0] write_address, // beat to write
  input  wire [7:0]  write_data,
  input  wire [13:0] read_address,  // beat to read
  output wire [7:0]  read_data      // it, two clocks later
);
  (* no_rw_check *)
  reg [7:0] beats [0:16383];
  reg [7:0] array_out;
  reg [7:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 16383; i = i + 1) beats[i] = 8'd0;
    array_out = 8'd0;
    register_out = 8'd0;
  end

  always @(posedge clock) begin
    array_out <= beats[read_address];
    register_out <= array_out;
    if (write_enable) beats[write_address] <= write_data;
  end

  assign read_data = register_out;
endmodule

// 32 entries of 104 bits; reads without a clock. Nobody uses what is read from the entry that is being written.
module wide_queue_memory (
  input  wire         clock,
  input  wire         write_enable,  // write this clock
  input  wire [4:0]   write_address, // entry to write
  input  wire [103:0] write_data,    // its value
  input  wire [4:0]   read_address,  // entry to read
  output wire [103:0] read_data      // its value, in the same clock
);
  (* no_rw_check *)
  reg [103:0] entries [0:31];
  integer i;

  initial begin
    for (i = 0; i <= 31; i = i + 1) entries[i] = 104'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Keys of frames that are whole, on their way to the filter.
// 32 entries, and one in the register behind them; an entry comes out two clocks after it came.
module key_queue (
  input  wire         clock,
  input  wire         reset,   // empty
  input  wire         push,    // an entry comes; not while full
  input  wire [103:0] data_in, // it
  output wire         full,    // there is no place
  output wire         valid,   // there is an entry
  output wire [103:0] data,    // the oldest
  output wire [103:0] behind,  // the one behind it, when it leaves the memory
  input  wire         take,    // the oldest is taken
  output wire         loads    // an entry leaves the memory
);
  localparam [4:0] first = 5'd0;

  reg [4:0]   write_place;
  reg [4:0]   read_place;
  reg         some;
  reg         full_r;
  reg         valid_r;
  reg [103:0] data_r;

  wire [4:0]   ahead;
  wire         load;
  wire         storing;
  wire         memory_write_enable;
  wire [103:0] memory_read_data;

  wide_queue_memory memory (
    .clock         (clock),
    .write_enable  (memory_write_enable),
    .write_address (write_place),
    .write_data    (data_in),
    .read_address  (read_place),
    .read_data     (memory_read_data)
  );

  assign load = some && (!valid_r || take);
  assign loads = load;
  assign storing = push && !full_r;

  // the place that is written next may be written before an entry comes: nobody reads it until then
  assign memory_write_enable = !full_r;

  // entries in the memory, but for all of them, which look like none
  assign ahead = write_place - read_place;
  assign full = full_r;
  assign valid = valid_r;
  assign data = data_r;
  assign behind = memory_read_data;

  initial begin
    write_place = 5'd0;
    read_place = 5'd0;
    some = 1'b0;
    full_r = 1'b0;
    valid_r = 1'b0;
    data_r = 104'd0;
  end

  always @(posedge clock) begin
    if (storing) begin
      write_place <= write_place + 5'd1;
    end
    if (load) begin
      read_place <= read_place + 5'd1;
    end
    if (storing && !load) begin
      some <= 1'b1;
      full_r <= &ahead;
    end else if (!storing && load) begin
      some <= ahead != 5'd1;
      full_r <= 1'b0;
    end
    valid_r <= load || (valid_r && !take);
    if (load) begin
      data_r <= memory_read_data;
    end
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full_r <= 1'b0;
      valid_r <= 1'b0;
    end
  end
endmodule

// 256 entries of 59 bits; reads without a clock. Nobody uses what is read from the entry that is being written.
module wide_queue_memory_2 (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [7:0]  write_address, // entry to write
  input  wire [58:0] write_data,    // its value
  input  wire [7:0]  read_address,  // entry to read
  output wire [58:0] read_data      // its value, in the same clock
);
  (* no_rw_check *)
  reg [58:0] entries [0:255];
  integer i;

  initial begin
    for (i = 0; i <= 255; i = i + 1) entries[i] = 59'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Frames that are whole.
// 256 entries, and one in the register behind them; an entry comes out two clocks after it came.
module frame_queue (
  input  wire        clock,
  input  wire        reset,   // empty
  input  wire        push,    // an entry comes; not while full
  input  wire [58:0] data_in, // it
  output wire        full,    // there is no place
  output wire        valid,   // there is an entry
  output wire [58:0] data,    // the oldest
  output wire [58:0] behind,  // the one behind it, when it leaves the memory
  input  wire        take,    // the oldest is taken
  output wire        loads    // an entry leaves the memory
);
  localparam [7:0] first = 8'd0;

  reg [7:0]  write_place;
  reg [7:0]  read_place;
  reg        some;
  reg        full_r;
  reg        valid_r;
  reg [58:0] data_r;

  wire [7:0]  ahead;
  wire        load;
  wire        storing;
  wire        memory_write_enable;
  wire [58:0] memory_read_data;

  wide_queue_memory_2 memory (
    .clock         (clock),
    .write_enable  (memory_write_enable),
    .write_address (write_place),
    .write_data    (data_in),
    .read_address  (read_place),
    .read_data     (memory_read_data)
  );

  assign load = some && (!valid_r || take);
  assign loads = load;
  assign storing = push && !full_r;

  // the place that is written next may be written before an entry comes: nobody reads it until then
  assign memory_write_enable = !full_r;

  // entries in the memory, but for all of them, which look like none
  assign ahead = write_place - read_place;
  assign full = full_r;
  assign valid = valid_r;
  assign data = data_r;
  assign behind = memory_read_data;

  initial begin
    write_place = 8'd0;
    read_place = 8'd0;
    some = 1'b0;
    full_r = 1'b0;
    valid_r = 1'b0;
    data_r = 59'd0;
  end

  always @(posedge clock) begin
    if (storing) begin
      write_place <= write_place + 8'd1;
    end
    if (load) begin
      read_place <= read_place + 8'd1;
    end
    if (storing && !load) begin
      some <= 1'b1;
      full_r <= &ahead;
    end else if (!storing && load) begin
      some <= ahead != 8'd1;
      full_r <= 1'b0;
    end
    valid_r <= load || (valid_r && !take);
    if (load) begin
      data_r <= memory_read_data;
    end
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full_r <= 1'b0;
      valid_r <= 1'b0;
    end
  end
endmodule

// 4 entries of 59 bits; reads without a clock. Nobody uses what is read from the entry that is being written.
module wide_queue_memory_3 (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [1:0]  write_address, // entry to write
  input  wire [58:0] write_data,    // its value
  input  wire [1:0]  read_address,  // entry to read
  output wire [58:0] read_data      // its value, in the same clock
);
  (* no_rw_check *)
  reg [58:0] entries [0:3];
  integer i;

  initial begin
    for (i = 0; i <= 3; i = i + 1) entries[i] = 59'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Frames whose class is known.
// 4 entries, and one in the register behind them; an entry comes out two clocks after it came.
module known_queue (
  input  wire        clock,
  input  wire        reset,   // empty
  input  wire        push,    // an entry comes; not while full
  input  wire [58:0] data_in, // it
  output wire        full,    // there is no place
  output wire        valid,   // there is an entry
  output wire [58:0] data,    // the oldest
  output wire [58:0] behind,  // the one behind it, when it leaves the memory
  input  wire        take,    // the oldest is taken
  output wire        loads    // an entry leaves the memory
);
  localparam [1:0] first = 2'd0;

  reg [1:0]  write_place;
  reg [1:0]  read_place;
  reg        some;
  reg        full_r;
  reg        valid_r;
  reg [58:0] data_r;

  wire [1:0]  ahead;
  wire        load;
  wire        storing;
  wire        memory_write_enable;
  wire [58:0] memory_read_data;

  wide_queue_memory_3 memory (
    .clock         (clock),
    .write_enable  (memory_write_enable),
    .write_address (write_place),
    .write_data    (data_in),
    .read_address  (read_place),
    .read_data     (memory_read_data)
  );

  assign load = some && (!valid_r || take);
  assign loads = load;
  assign storing = push && !full_r;

  // the place that is written next may be written before an entry comes: nobody reads it until then
  assign memory_write_enable = !full_r;

  // entries in the memory, but for all of them, which look like none
  assign ahead = write_place - read_place;
  assign full = full_r;
  assign valid = valid_r;
  assign data = data_r;
  assign behind = memory_read_data;

  initial begin
    write_place = 2'd0;
    read_place = 2'd0;
    some = 1'b0;
    full_r = 1'b0;
    valid_r = 1'b0;
    data_r = 59'd0;
  end

  always @(posedge clock) begin
    if (storing) begin
      write_place <= write_place + 2'd1;
    end
    if (load) begin
      read_place <= read_place + 2'd1;
    end
    if (storing && !load) begin
      some <= 1'b1;
      full_r <= &ahead;
    end else if (!storing && load) begin
      some <= ahead != 2'd1;
      full_r <= 1'b0;
    end
    valid_r <= load || (valid_r && !take);
    if (load) begin
      data_r <= memory_read_data;
    end
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full_r <= 1'b0;
      valid_r <= 1'b0;
    end
  end
endmodule

// Frames wait for their verdicts, in the order in which they ended.
module verdict_stage (
  input  wire        clock,
  input  wire        reset,         // no frame waits
  input  wire        push,          // a frame ended
  input  wire [58:0] frame_in,      // what is known of it
  output wire        full,          // there is no place for a frame
  input  wire        verdict_valid, // verdict of the oldest frame with a key
  output wire        verdict_ready, // that frame is the oldest of all
  input  wire        seen,          // bit 0 of the verdict
  output wire        valid,         // the oldest frame's class is known
  output wire [58:0] frame,
  input  wire        take,          // it leaves, or is dropped
  output wire        loads,         // another is the oldest in the next clock
  output wire [2:0]  class_behind   // of this class
);
  reg        next_valid; // a frame meets its verdict next
  reg [58:0] next_frame; // it

  wire        keyed;
  wire        goes;
  wire        waiting_full;
  wire        waiting_valid;
  wire [58:0] waiting_data;
  wire [58:0] waiting_behind;
  wire        waiting_take;
  wire        waiting_loads;
  wire [58:0] known_data_in;
  wire        known_full;
  wire        known_valid;
  wire [58:0] known_data;
  wire [58:0] known_behind;
  wire        known_loads;

  frame_queue waiting (
    .clock   (clock),
    .reset   (reset),
    .push    (push),
    .data_in (frame_in),
    .full    (waiting_full),
    .valid   (waiting_valid),
    .data    (waiting_data),
    .behind  (waiting_behind),
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
    .loads   (known_loads)
  );

  assign full = waiting_full;
  assign keyed = next_frame[19];
  assign verdict_ready = next_valid && keyed && !known_full;
  assign goes = next_valid && !known_full && (!keyed || verdict_valid);
  assign waiting_take = !next_valid || goes;
  assign known_data_in = next_frame | ({58'd0, keyed && seen} << 16);
  assign valid = known_valid;
  assign frame = known_data;
  assign loads = known_loads;
  assign class_behind = known_behind[18:16];

  initial begin
    next_valid = 1'b0;
    next_frame = 59'd0;
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
  wire unused = &{1'b0, waiting_behind, waiting_loads, known_behind[15:0], known_behind[58:19]};
endmodule

// What a mark changes in a word of a beat.
module word_patch (
  input  wire        head_here,  // the word's second half holds the DSCP
  input  wire [15:0] head_mask,  // in these bits
  input  wire [15:0] head_value, // which become these
  input  wire        sum_here,   // its first half is the checksum
  input  wire [15:0] sum_value,  // which becomes this
  output wire [31:0] mask,       // bits of the beat that change
  output wire [31:0] value       // what they become
);
  localparam [31:0] whole_half = 32'hffff0000;
  localparam [31:0] nothing    = 32'd0;

  reg  [31:0] mask_order_bytes;
  wire [31:0] mask_order_word;
  reg  [31:0] value_order_bytes;
  wire [31:0] value_order_word;

  network_order mask_order (
    .bytes (mask_order_bytes),
    .word  (mask_order_word)
  );

  network_order value_order (
    .bytes (value_order_bytes),
    .word  (value_order_word)
  );

  assign mask = mask_order_word;
  assign value = value_order_word;

  always @* begin
    mask_order_bytes = nothing;
    value_order_bytes = nothing;
    if (head_here) begin
      mask_order_bytes = {16'd0, head_mask};
      value_order_bytes = {16'd0, head_value};
    end
    if (sum_here) begin
      mask_order_bytes = whole_half;
      value_order_bytes = {16'd0, sum_value} << 16;
    end
  end
endmodule

// 16 entries of 26 bits; reads without a clock. Nobody uses what is read from the entry that is being written.
module wide_queue_memory_4 (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [3:0]  write_address, // entry to write
  input  wire [25:0] write_data,    // its value
  input  wire [3:0]  read_address,  // entry to read
  output wire [25:0] read_data      // its value, in the same clock
);
  (* no_rw_check *)
  reg [25:0] entries [0:15];
  integer i;

  initial begin
    for (i = 0; i <= 15; i = i + 1) entries[i] = 26'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Beats on their way to the stream: last byte, last beat, bytes of the frame, data.
// 16 entries, and one in the register behind them; an entry comes out two clocks after it came.
module egress_queue (
  input  wire        clock,
  input  wire        reset,   // empty
  input  wire        push,    // an entry comes; not while full
  input  wire [25:0] data_in, // it
  output wire        full,    // there is no place
  output wire        valid,   // there is an entry
  output wire [25:0] data,    // the oldest
  output wire [25:0] behind,  // the one behind it, when it leaves the memory
  input  wire        take,    // the oldest is taken
  output wire        loads    // an entry leaves the memory
);
  localparam [3:0] first = 4'd0;

  reg [3:0]  write_place;
  reg [3:0]  read_place;
  reg        some;
  reg        full_r;
  reg        valid_r;
  reg [25:0] data_r;

  wire [3:0]  ahead;
  wire        load;
  wire        storing;
  wire        memory_write_enable;
  wire [25:0] memory_read_data;

  wide_queue_memory_4 memory (
    .clock         (clock),
    .write_enable  (memory_write_enable),
    .write_address (write_place),
    .write_data    (data_in),
    .read_address  (read_place),
    .read_data     (memory_read_data)
  );

  assign load = some && (!valid_r || take);
  assign loads = load;
  assign storing = push && !full_r;

  // the place that is written next may be written before an entry comes: nobody reads it until then
  assign memory_write_enable = !full_r;

  // entries in the memory, but for all of them, which look like none
  assign ahead = write_place - read_place;
  assign full = full_r;
  assign valid = valid_r;
  assign data = data_r;
  assign behind = memory_read_data;

  initial begin
    write_place = 4'd0;
    read_place = 4'd0;
    some = 1'b0;
    full_r = 1'b0;
    valid_r = 1'b0;
    data_r = 26'd0;
  end

  always @(posedge clock) begin
    if (storing) begin
      write_place <= write_place + 4'd1;
    end
    if (load) begin
      read_place <= read_place + 4'd1;
    end
    if (storing && !load) begin
      some <= 1'b1;
      full_r <= &ahead;
    end else if (!storing && load) begin
      some <= ahead != 4'd1;
      full_r <= 1'b0;
    end
    valid_r <= load || (valid_r && !take);
    if (load) begin
      data_r <= memory_read_data;
    end
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full_r <= 1'b0;
      valid_r <= 1'b0;
    end
  end
endmodule

// Frames out of the buffer by the policies of their classes: passed, dropped or marked. A frame that has begun leaves without a gap.
module egress (
  input  wire        clock,
  input  wire        reset,         // no frame
  input  wire        frame_valid,   // the next frame's class is known
  input  wire [58:0] frame,         // what is known of it
  output wire        take,          // its turn has come
  input  wire        loads,         // another is the next in the next clock
  input  wire [2:0]  class_behind,  // of this class
  input  wire [13:0] policy_0,      // policy of class 0
  input  wire [13:0] policy_1,      // policy of class 1
  input  wire [13:0] policy_2,      // policy of class 2
  input  wire [13:0] policy_3,      // policy of class 3
  input  wire [13:0] policy_4,      // policy of class 4
  input  wire [13:0] policy_5,      // policy of class 5
  input  wire [13:0] policy_6,      // policy of class 6
  input  wire [13:0] policy_7,      // policy of class 7
  output wire [14:0] read,          // place that is read next; those before are free
  output wire [13:0] read_address,  // beat to read
  input  wire [7:0]  read_data,     // it, two clocks later
  output wire        m_tvalid,      // frames
  input  wire        m_tready,
  output wire [7:0]  m_tdata,
  output wire        m_tkeep,
  output wire        m_tlast,
  output wire [15:0] m_tuser,       // bytes of the frame
  output wire        frame_taken_0, // a frame of class 0 met its policy
  output wire        frame_taken_1, // a frame of class 1 met its policy
  output wire        frame_taken_2, // a frame of class 2 met its policy
  output wire        frame_taken_3, // a frame of class 3 met its policy
  output wire        frame_taken_4, // a frame of class 4 met its policy
  output wire        frame_taken_5, // a frame of class 5 met its policy
  output wire        frame_taken_6, // a frame of class 6 met its policy
  output wire        frame_taken_7, // a frame of class 7 met its policy
  output wire        dropped,       // and was dropped
  output wire        marked         // and is marked
);
  localparam [6:0]  lane_0      = 7'd0;
  localparam [31:0] no_lanes    = 32'd0;
  localparam [1:0]  drop_action = 2'd1;
  localparam [1:0]  mark_action = 2'd2;
  localparam [15:0] ipv4_dscp   = 16'hfc;
  localparam [15:0] ipv6_dscp   = 16'hfc0;
  localparam [8:0]  no_index    = 9'd0;
  localparam [8:0]  beyond      = 9'h7e;
  localparam [6:0]  three       = 7'd3;
  localparam [14:0] nowhere     = 15'd0;
  localparam [4:0]  none_out    = 5'd0;
  localparam [4:0]  most_out    = 5'd15;   // beats on the way with which one more may follow in the next clock
  localparam        all         = 1'b1;    // all bytes

  reg        busy;        // a frame is read
  reg [14:0] place;       // its next beat
  reg [14:0] end_;        // its last
  reg        at_end;      // the two are the same
  reg        most;        // last byte of that
  reg [15:0] length;      // bytes of the frame
  reg        mark;        // it is marked
  reg        six;
  reg [6:0]  ip_place;    // word with the DSCP
  reg [6:0]  sum_place;   // word that begins with the checksum
  reg [15:0] adjust;
  reg [5:0]  dscp;
  reg [8:0]  index;       // beats of it that are read, as far as a mark may reach
  reg [1:0]  action_by_0; // action of the policy of class 0
  reg [1:0]  action_by_1; // action of the policy of class 1
  reg [1:0]  action_by_2; // action of the policy of class 2
  reg [1:0]  action_by_3; // action of the policy of class 3
  reg [1:0]  action_by_4; // action of the policy of class 4
  reg [1:0]  action_by_5; // action of the policy of class 5
  reg [1:0]  action_by_6; // action of the policy of class 6
  reg [1:0]  action_by_7; // action of the policy of class 7
  reg [5:0]  dscp_by_0;   // DSCP of its mark, class 0
  reg [5:0]  dscp_by_1;   // DSCP of its mark, class 1
  reg [5:0]  dscp_by_2;   // DSCP of its mark, class 2
  reg [5:0]  dscp_by_3;   // DSCP of its mark, class 3
  reg [5:0]  dscp_by_4;   // DSCP of its mark, class 4
  reg [5:0]  dscp_by_5;   // DSCP of its mark, class 5
  reg [5:0]  dscp_by_6;   // DSCP of its mark, class 6
  reg [5:0]  dscp_by_7;   // DSCP of its mark, class 7
  reg        dropping;    // the policy of the next frame drops
  reg        marking;     // it marks
  reg [5:0]  next_dscp;   // with this
  reg [2:0]  class_r;
  reg        taken_r;
  reg        dropped_r;
  reg        marked_r;
  reg        valid_1;
  reg        last_1;
  reg        most_1;
  reg [15:0] length_1;
  reg        head_here_0;
  reg        sum_here_0;
  reg [15:0] head_mask;   // bits of the half that are the DSCP
  reg [15:0] head_value;
  reg [15:0] sum_value;
  reg [1:0]  byte_1;      // byte of its word, at 8 bits
  reg        valid_2;
  reg        last_2;
  reg        most_2;
  reg [15:0] length_2;
  reg [7:0]  mask_2;
  reg [7:0]  value_2;
  reg        valid_3;
  reg [25:0] beat_3;
  reg [4:0]  on_the_way;  // beats that are read and not out of the queue's memory
  reg        credit;      // the queue has a place for one more

  wire [14:0] behind;          // the beat behind
  reg  [1:0]  action;
  reg  [1:0]  action_behind;
  reg  [5:0]  dscp_behind;
  wire        takes;
  wire        drops;
  wire        marks;
  wire        reads;
  wire        ends;
  wire [16:0] sum;
  wire [15:0] new_checksum;    // RFC 1624
  wire [6:0]  first_word;      // number of the beat's first word
  wire [4:0]  byte_place;
  reg  [31:0] mask;
  reg  [31:0] value;
  reg  [4:0]  after;
  wire        keep;
  wire [31:0] patches_0_mask;
  wire [31:0] patches_0_value;
  wire        out_full;
  wire        out_valid;
  wire [25:0] out_data;
  wire [25:0] out_behind;
  wire        out_loads;
  wire [31:0] mask_2_term;
  wire [31:0] value_2_term;

  word_patch patches_0 (
    .head_here  (head_here_0),
    .head_mask  (head_mask),
    .head_value (head_value),
    .sum_here   (sum_here_0),
    .sum_value  (sum_value),
    .mask       (patches_0_mask),
    .value      (patches_0_value)
  );

  egress_queue out (
    .clock   (clock),
    .reset   (reset),
    .push    (valid_3),
    .data_in (beat_3),
    .full    (out_full),
    .valid   (out_valid),
    .data    (out_data),
    .behind  (out_behind),
    .take    (m_tready),
    .loads   (out_loads)
  );

  assign mask_2_term = mask >> byte_place;
  assign value_2_term = value >> byte_place;
  // a frame's turn comes with the last read of the one before
  assign reads = busy && credit;
  assign ends = reads && at_end;
  assign takes = frame_valid && (!busy || ends);
  assign take = takes;
  assign drops = takes && dropping;
  assign marks = takes && marking && frame[20];
  assign behind = place + 15'd1;
  assign read = place;
  assign read_address = place[13:0];
  assign frame_taken_0 = taken_r && (class_r == 3'd0);
  assign frame_taken_1 = taken_r && (class_r == 3'd1);
  assign frame_taken_2 = taken_r && (class_r == 3'd2);
  assign frame_taken_3 = taken_r && (class_r == 3'd3);
  assign frame_taken_4 = taken_r && (class_r == 3'd4);
  assign frame_taken_5 = taken_r && (class_r == 3'd5);
  assign frame_taken_6 = taken_r && (class_r == 3'd6);
  assign frame_taken_7 = taken_r && (class_r == 3'd7);
  assign dropped = dropped_r;
  assign marked = marked_r;
  assign sum = {1'b0, adjust} + ({11'd0, dscp} << 2);
  assign new_checksum = sum[15:0] + {15'd0, sum[16]};
  assign first_word = index[8:2];
  assign byte_place = {3'd0, byte_1} << 3;
  assign m_tuser = out_data[17:2];
  assign m_tvalid = out_valid;
  assign m_tlast = out_data[1];
  assign m_tdata = out_data[25:18];
  assign keep = 1'b1;
  assign m_tkeep = keep;

  initial begin
    busy = 1'b0;
    place = 15'd0;
    end_ = 15'd0;
    at_end = 1'b0;
    most = 1'b0;
    length = 16'd0;
    mark = 1'b0;
    six = 1'b0;
    ip_place = 7'd0;
    sum_place = 7'd0;
    adjust = 16'd0;
    dscp = 6'd0;
    index = 9'd0;
    action_by_0 = 2'd0;
    action_by_1 = 2'd0;
    action_by_2 = 2'd0;
    action_by_3 = 2'd0;
    action_by_4 = 2'd0;
    action_by_5 = 2'd0;
    action_by_6 = 2'd0;
    action_by_7 = 2'd0;
    dscp_by_0 = 6'd0;
    dscp_by_1 = 6'd0;
    dscp_by_2 = 6'd0;
    dscp_by_3 = 6'd0;
    dscp_by_4 = 6'd0;
    dscp_by_5 = 6'd0;
    dscp_by_6 = 6'd0;
    dscp_by_7 = 6'd0;
    dropping = 1'b0;
    marking = 1'b0;
    next_dscp = 6'd0;
    class_r = 3'd0;
    taken_r = 1'b0;
    dropped_r = 1'b0;
    marked_r = 1'b0;
    valid_1 = 1'b0;
    last_1 = 1'b0;
    most_1 = 1'b0;
    length_1 = 16'd0;
    head_here_0 = 1'b0;
    sum_here_0 = 1'b0;
    head_mask = 16'd0;
    head_value = 16'd0;
    sum_value = 16'd0;
    byte_1 = 2'd0;
    valid_2 = 1'b0;
    last_2 = 1'b0;
    most_2 = 1'b0;
    length_2 = 16'd0;
    mask_2 = 8'd0;
    value_2 = 8'd0;
    valid_3 = 1'b0;
    beat_3 = 26'd0;
    on_the_way = 5'd0;
    credit = 1'b1;
  end

  always @* begin
    action = action_by_0;
    if (frame[18:16] == 3'd1) begin
      action = action_by_1;
    end
    if (frame[18:16] == 3'd2) begin
      action = action_by_2;
    end
    if (frame[18:16] == 3'd3) begin
      action = action_by_3;
    end
    if (frame[18:16] == 3'd4) begin
      action = action_by_4;
    end
    if (frame[18:16] == 3'd5) begin
      action = action_by_5;
    end
    if (frame[18:16] == 3'd6) begin
      action = action_by_6;
    end
    if (frame[18:16] == 3'd7) begin
      action = action_by_7;
    end
  end

  always @* begin
    action_behind = action_by_0;
    dscp_behind = dscp_by_0;
    if (class_behind == 3'd1) begin
      action_behind = action_by_1;
      dscp_behind = dscp_by_1;
    end
    if (class_behind == 3'd2) begin
      action_behind = action_by_2;
      dscp_behind = dscp_by_2;
    end
    if (class_behind == 3'd3) begin
      action_behind = action_by_3;
      dscp_behind = dscp_by_3;
    end
    if (class_behind == 3'd4) begin
      action_behind = action_by_4;
      dscp_behind = dscp_by_4;
    end
    if (class_behind == 3'd5) begin
      action_behind = action_by_5;
      dscp_behind = dscp_by_5;
    end
    if (class_behind == 3'd6) begin
      action_behind = action_by_6;
      dscp_behind = dscp_by_6;
    end
    if (class_behind == 3'd7) begin
      action_behind = action_by_7;
      dscp_behind = dscp_by_7;
    end
  end

  always @* begin
    // two clocks after it: the bits that change
    mask = no_lanes;
    mask = mask | patches_0_mask;
  end

  always @* begin
    value = no_lanes;
    value = value | patches_0_value;
  end

  always @* begin
    after = on_the_way;
    if (reads && !out_loads) begin
      after = on_the_way + 5'd1;
    end
    if (!reads && out_loads) begin
      after = on_the_way - 5'd1;
    end
  end

  always @(posedge clock) begin
    action_by_0 <= policy_0[1:0];
    dscp_by_0 <= policy_0[13:8];
    action_by_1 <= policy_1[1:0];
    dscp_by_1 <= policy_1[13:8];
    action_by_2 <= policy_2[1:0];
    dscp_by_2 <= policy_2[13:8];
    action_by_3 <= policy_3[1:0];
    dscp_by_3 <= policy_3[13:8];
    action_by_4 <= policy_4[1:0];
    dscp_by_4 <= policy_4[13:8];
    action_by_5 <= policy_5[1:0];
    dscp_by_5 <= policy_5[13:8];
    action_by_6 <= policy_6[1:0];
    dscp_by_6 <= policy_6[13:8];
    action_by_7 <= policy_7[1:0];
    dscp_by_7 <= policy_7[13:8];
    next_dscp <= dscp_by_0;
    if (frame[18:16] == 3'd1) begin
      next_dscp <= dscp_by_1;
    end
    if (frame[18:16] == 3'd2) begin
      next_dscp <= dscp_by_2;
    end
    if (frame[18:16] == 3'd3) begin
      next_dscp <= dscp_by_3;
    end
    if (frame[18:16] == 3'd4) begin
      next_dscp <= dscp_by_4;
    end
    if (frame[18:16] == 3'd5) begin
      next_dscp <= dscp_by_5;
    end
    if (frame[18:16] == 3'd6) begin
      next_dscp <= dscp_by_6;
    end
    if (frame[18:16] == 3'd7) begin
      next_dscp <= dscp_by_7;
    end
    dropping <= action == drop_action;
    marking <= action == mark_action;
    if (loads) begin
      dropping <= action_behind == drop_action;
      marking <= action_behind == mark_action;
      next_dscp <= dscp_behind;
    end
    busy <= busy && !ends;
    if (reads) begin
      place <= behind;
      at_end <= behind == end_;
      if (index != beyond) begin
        index <= index + 9'd1;
      end
    end
    if (takes) begin
      busy <= 1'b1;
      at_end <= place == frame[14:0];
      if (busy) begin
        at_end <= behind == frame[14:0];
      end
      index <= no_index;
      end_ <= frame[14:0];
      most <= frame[15];
      length <= frame[58:43];
      mark <= marks;
      six <= frame[21];
      ip_place <= {2'd0, frame[26:22]};
      sum_place <= {2'd0, frame[26:22]} + three;
      adjust <= frame[42:27];
      dscp <= next_dscp;
    end
    if (drops) begin
      busy <= 1'b0;
      place <= frame[14:0] + 15'd1;
    end

    // what the counters count
    class_r <= frame[18:16];
    taken_r <= takes;
    dropped_r <= drops;
    marked_r <= marks;

    // the clock after a read: the mark, and the words of the beat that it changes
    valid_1 <= reads;
    last_1 <= ends;
    length_1 <= length;
    most_1 <= all;
    if (ends) begin
      most_1 <= most;
    end
    head_mask <= ipv4_dscp;
    head_value <= {10'd0, dscp} << 2;
    if (six) begin
      head_mask <= ipv6_dscp;
      head_value <= {10'd0, dscp} << 6;
    end
    sum_value <= ~new_checksum;
    byte_1 <= index[1:0];
    head_here_0 <= mark && ((first_word | lane_0) == ip_place);
    sum_here_0 <= mark && !six && ((first_word | lane_0) == sum_place);
    mask_2 <= mask_2_term[7:0];
    value_2 <= value_2_term[7:0];
    valid_2 <= valid_1;
    last_2 <= last_1;
    most_2 <= most_1;
    length_2 <= length_1;

    // with the data
    valid_3 <= valid_2;
    beat_3 <= {(read_data & ~mask_2) | value_2, length_2, last_2, most_2};
    on_the_way <= after;
    credit <= after <= most_out;
    if (reset) begin
      busy <= 1'b0;
      place <= nowhere;
      taken_r <= 1'b0;
      dropped_r <= 1'b0;
      marked_r <= 1'b0;
      valid_1 <= 1'b0;
      valid_2 <= 1'b0;
      valid_3 <= 1'b0;
      on_the_way <= none_out;
      credit <= 1'b1;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, frame[19], policy_0[7:2], policy_1[7:2], policy_2[7:2], policy_3[7:2], policy_4[7:2], policy_5[7:2], policy_6[7:2], policy_7[7:2], out_full, out_data[0], out_behind, mask_2_term[31:8], value_2_term[31:8]};
endmodule

// AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.
// Reading the low half of a counter samples all 64 bits; the high half read next belongs to it.
module register_file (
  input  wire        clock,
  input  wire        reset,           // back to the specification's values
  input  wire        awvalid,
  output wire        awready,
  input  wire [7:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [7:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  input  wire [10:0] live_0,          // register NEXT_BLOCK
  input  wire [31:0] counter_low_0,   // counter FRAMES_UNSEEN, lower half
  input  wire [31:0] counter_low_1,   // counter FRAMES_SEEN, lower half
  input  wire [31:0] counter_low_2,   // counter FRAMES_OTHER, lower half
  input  wire [31:0] counter_low_3,   // counter FRAMES_TRUNCATED, lower half
  input  wire [31:0] counter_low_4,   // counter FRAMES_MALFORMED, lower half
  input  wire [31:0] counter_low_5,   // counter FRAMES_TOO_DEEP, lower half
  input  wire [31:0] counter_low_6,   // counter FRAMES_OVERSIZE, lower half
  input  wire [31:0] counter_low_7,   // counter FRAMES_BAD, lower half
  input  wire [31:0] counter_low_8,   // counter OVERFLOWS, lower half
  input  wire [31:0] counter_low_9,   // counter DROPPED, lower half
  input  wire [31:0] counter_low_10,  // counter MARKED, lower half
  input  wire [31:0] counter_high_0,  // counter FRAMES_UNSEEN, upper half, a clock late
  input  wire [31:0] counter_high_1,  // counter FRAMES_SEEN, upper half, a clock late
  input  wire [31:0] counter_high_2,  // counter FRAMES_OTHER, upper half, a clock late
  input  wire [31:0] counter_high_3,  // counter FRAMES_TRUNCATED, upper half, a clock late
  input  wire [31:0] counter_high_4,  // counter FRAMES_MALFORMED, upper half, a clock late
  input  wire [31:0] counter_high_5,  // counter FRAMES_TOO_DEEP, upper half, a clock late
  input  wire [31:0] counter_high_6,  // counter FRAMES_OVERSIZE, upper half, a clock late
  input  wire [31:0] counter_high_7,  // counter FRAMES_BAD, upper half, a clock late
  input  wire [31:0] counter_high_8,  // counter OVERFLOWS, upper half, a clock late
  input  wire [31:0] counter_high_9,  // counter DROPPED, upper half, a clock late
  input  wire [31:0] counter_high_10, // counter MARKED, upper half, a clock late
  input  wire        finished,        // what is pending is done
  output wire        value_0,         // register LEARN
  output wire [15:0] value_1,         // register MAX_FRAME
  output wire [13:0] value_2,         // register POLICY_UNSEEN
  output wire [13:0] value_3,         // register POLICY_SEEN
  output wire [13:0] value_4,         // register POLICY_OTHER
  output wire [13:0] value_5,         // register POLICY_TRUNCATED
  output wire [13:0] value_6,         // register POLICY_MALFORMED
  output wire [13:0] value_7,         // register POLICY_TOO_DEEP
  output wire [13:0] value_8,         // register POLICY_OVERSIZE
  output wire [13:0] value_9,         // register POLICY_BAD
  output wire        clear_pending,   // a clear was written and is not done
  output wire        write_pending    // a clear or  was written and is not done
);
  localparam [5:0]  fixed_address_0 = 6'd0;
  localparam [5:0]  fixed_address_1 = 6'd1;
  localparam [31:0] fixed_value_0   = 32'ha;
  localparam [31:0] fixed_value_1   = 32'd1;
  localparam [5:0]  live_address_0  = 6'd2;
  localparam [5:0]  value_address_0 = 6'd3;
  localparam [5:0]  value_address_1 = 6'd4;
  localparam [5:0]  value_address_2 = 6'd8;
  localparam [5:0]  value_address_3 = 6'd9;
  localparam [5:0]  value_address_4 = 6'd10;
  localparam [5:0]  value_address_5 = 6'd11;
  localparam [5:0]  value_address_6 = 6'd12;
  localparam [5:0]  value_address_7 = 6'd13;
  localparam [5:0]  value_address_8 = 6'd14;
  localparam [5:0]  value_address_9 = 6'd15;
  localparam        value_reset_0   = 1'b1;           // LEARN after reset
  localparam [15:0] value_reset_1   = 16'h5ee;        // MAX_FRAME after reset
  localparam [13:0] value_reset_2   = 14'h802;        // POLICY_UNSEEN after reset
  localparam [13:0] value_reset_3   = 14'd0;          // POLICY_SEEN after reset
  localparam [13:0] value_reset_4   = 14'd0;          // POLICY_OTHER after reset
  localparam [13:0] value_reset_5   = 14'd1;          // POLICY_TRUNCATED after reset
  localparam [13:0] value_reset_6   = 14'd1;          // POLICY_MALFORMED after reset
  localparam [13:0] value_reset_7   = 14'd0;          // POLICY_TOO_DEEP after reset
  localparam [13:0] value_reset_8   = 14'd1;          // POLICY_OVERSIZE after reset
  localparam [13:0] value_reset_9   = 14'd1;          // POLICY_BAD after reset
  localparam [5:0]  low_address_0   = 6'd16;
  localparam [5:0]  low_address_1   = 6'd18;
  localparam [5:0]  low_address_2   = 6'd20;
  localparam [5:0]  low_address_3   = 6'd22;
  localparam [5:0]  low_address_4   = 6'd24;
  localparam [5:0]  low_address_5   = 6'd26;
  localparam [5:0]  low_address_6   = 6'd28;
  localparam [5:0]  low_address_7   = 6'd30;
  localparam [5:0]  low_address_8   = 6'd32;
  localparam [5:0]  low_address_9   = 6'd34;
  localparam [5:0]  low_address_10  = 6'd36;
  localparam [5:0]  high_address_0  = 6'd17;
  localparam [5:0]  high_address_1  = 6'd19;
  localparam [5:0]  high_address_2  = 6'd21;
  localparam [5:0]  high_address_3  = 6'd23;
  localparam [5:0]  high_address_4  = 6'd25;
  localparam [5:0]  high_address_5  = 6'd27;
  localparam [5:0]  high_address_6  = 6'd29;
  localparam [5:0]  high_address_7  = 6'd31;
  localparam [5:0]  high_address_8  = 6'd33;
  localparam [5:0]  high_address_9  = 6'd35;
  localparam [5:0]  high_address_10 = 6'd37;
  localparam [63:0] mapped_words    = 64'h3fffffff1f; // bit w: there is a register at word w
  localparam [63:0] writable_words  = 64'hff18;       // bit w: that a host may write
  localparam        commands        = 1'b1;           // bits of CONTROL that command something
  localparam        clears          = 1'b1;           // those that clear
  localparam [13:0] kept            = 14'h3f03;       // bits that are kept
  localparam [1:0]  okay            = 2'd0;
  localparam [1:0]  slave_error     = 2'd2;
  localparam [1:0]  decode_error    = 2'd3;
  localparam [31:0] zero            = 32'd0;

  reg        value_r_0;
  reg [15:0] value_r_1;
  reg [13:0] value_r_2;
  reg [13:0] value_r_3;
  reg [13:0] value_r_4;
  reg [13:0] value_r_5;
  reg [13:0] value_r_6;
  reg [13:0] value_r_7;
  reg [13:0] value_r_8;
  reg [13:0] value_r_9;
  reg        clear_r;
  reg        pending_r;
  reg        seen;            // a write is judged
  reg        taking;          // it is taken
  reg        known;           // there is a register at its address
  reg        legal_r;         // it is done
  reg        bvalid_r;
  reg [1:0]  bresp_r;
  reg        mapped_r;
  reg        to_control_r;
  reg        to_value_r_0;
  reg        to_value_r_1;
  reg        to_value_r_2;
  reg        to_value_r_3;
  reg        to_value_r_4;
  reg        to_value_r_5;
  reg        to_value_r_6;
  reg        to_value_r_7;
  reg        to_value_r_8;
  reg        to_value_r_9;
  reg        unwritable_r;
  reg        control_wide;    // the data are wider than CONTROL
  reg        value_wide_0;    // wider than LEARN
  reg        value_wide_1;    // wider than MAX_FRAME
  reg        value_wide_2;    // wider than POLICY_UNSEEN
  reg        value_wide_3;    // wider than POLICY_SEEN
  reg        value_wide_4;    // wider than POLICY_OTHER
  reg        value_wide_5;    // wider than POLICY_TRUNCATED
  reg        value_wide_6;    // wider than POLICY_MALFORMED
  reg        value_wide_7;    // wider than POLICY_TOO_DEEP
  reg        value_wide_8;    // wider than POLICY_OVERSIZE
  reg        value_wide_9;    // wider than POLICY_BAD
  reg        reading;
  reg        sampling;
  reg        merging;
  reg        fixed_hit_0;
  reg        fixed_hit_1;
  reg        live_hit_0;
  reg        value_hit_0;
  reg        value_hit_1;
  reg        value_hit_2;
  reg        value_hit_3;
  reg        value_hit_4;
  reg        value_hit_5;
  reg        value_hit_6;
  reg        value_hit_7;
  reg        value_hit_8;
  reg        value_hit_9;
  reg        low_hit_0;
  reg        low_hit_1;
  reg        low_hit_2;
  reg        low_hit_3;
  reg        low_hit_4;
  reg        low_hit_5;
  reg        low_hit_6;
  reg        low_hit_7;
  reg        low_hit_8;
  reg        low_hit_9;
  reg        low_hit_10;
  reg        low_hit_late_0;
  reg        low_hit_late_1;
  reg        low_hit_late_2;
  reg        low_hit_late_3;
  reg        low_hit_late_4;
  reg        low_hit_late_5;
  reg        low_hit_late_6;
  reg        low_hit_late_7;
  reg        low_hit_late_8;
  reg        low_hit_late_9;
  reg        low_hit_late_10;
  reg        high_hit;
  reg        any_low_hit_r;
  reg [31:0] fixed_group_r;
  reg [31:0] live_group_r;
  reg [31:0] counter_group_r;
  reg [31:0] high_sample;
  reg        found_r;
  reg        rvalid_r;
  reg [31:0] rdata_r;
  reg [1:0]  rresp_r;

  wire [5:0]  write_word;
  wire        mapped;
  wire        to_control;
  wire        to_value_0;
  wire        to_value_1;
  wire        to_value_2;
  wire        to_value_3;
  wire        to_value_4;
  wire        to_value_5;
  wire        to_value_6;
  wire        to_value_7;
  wire        to_value_8;
  wire        to_value_9;
  wire        command;
  wire        commanded;
  wire        writable;
  reg         too_wide;
  wire        refused;
  wire        legal;
  wire [5:0]  read_word;
  wire        held;
  reg         any_low_hit;
  reg         any_high_hit;
  reg  [31:0] fixed_group;
  reg  [31:0] live_group;
  reg  [31:0] counter_group;
  reg  [31:0] high_in;
  reg  [31:0] counter_high_now;
  reg         found;

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_control = 1'b0;

  // decoded while the address waits to be taken; AXI holds it and the data until then
  assign writable = writable_words[write_word];
  assign to_value_0 = write_word == value_address_0;
  assign to_value_1 = write_word == value_address_1;
  assign to_value_2 = write_word == value_address_2;
  assign to_value_3 = write_word == value_address_3;
  assign to_value_4 = write_word == value_address_4;
  assign to_value_5 = write_word == value_address_5;
  assign to_value_6 = write_word == value_address_6;
  assign to_value_7 = write_word == value_address_7;
  assign to_value_8 = write_word == value_address_8;
  assign to_value_9 = write_word == value_address_9;
  assign mapped = mapped_words[write_word];
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[0] & commands;
  assign commanded = legal && to_control_r && command;
  assign value_0 = value_r_0;
  assign value_1 = value_r_1;
  assign value_2 = value_r_2;
  assign value_3 = value_r_3;
  assign value_4 = value_r_4;
  assign value_5 = value_r_5;
  assign value_6 = value_r_6;
  assign value_7 = value_r_7;
  assign value_8 = value_r_8;
  assign value_9 = value_r_9;
  assign held = 1'b0;
  assign clear_pending = clear_r;
  assign write_pending = pending_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    value_r_0 = 1'b1;
    value_r_1 = 16'h5ee;
    value_r_2 = 14'h802;
    value_r_3 = 14'd0;
    value_r_4 = 14'd0;
    value_r_5 = 14'd1;
    value_r_6 = 14'd1;
    value_r_7 = 14'd0;
    value_r_8 = 14'd1;
    value_r_9 = 14'd1;
    clear_r = 1'b0;
    pending_r = 1'b0;
    seen = 1'b0;
    taking = 1'b0;
    known = 1'b0;
    legal_r = 1'b0;
    bvalid_r = 1'b0;
    bresp_r = 2'd0;
    mapped_r = 1'b0;
    to_control_r = 1'b0;
    to_value_r_0 = 1'b0;
    to_value_r_1 = 1'b0;
    to_value_r_2 = 1'b0;
    to_value_r_3 = 1'b0;
    to_value_r_4 = 1'b0;
    to_value_r_5 = 1'b0;
    to_value_r_6 = 1'b0;
    to_value_r_7 = 1'b0;
    to_value_r_8 = 1'b0;
    to_value_r_9 = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    value_wide_0 = 1'b0;
    value_wide_1 = 1'b0;
    value_wide_2 = 1'b0;
    value_wide_3 = 1'b0;
    value_wide_4 = 1'b0;
    value_wide_5 = 1'b0;
    value_wide_6 = 1'b0;
    value_wide_7 = 1'b0;
    value_wide_8 = 1'b0;
    value_wide_9 = 1'b0;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    live_hit_0 = 1'b0;
    value_hit_0 = 1'b0;
    value_hit_1 = 1'b0;
    value_hit_2 = 1'b0;
    value_hit_3 = 1'b0;
    value_hit_4 = 1'b0;
    value_hit_5 = 1'b0;
    value_hit_6 = 1'b0;
    value_hit_7 = 1'b0;
    value_hit_8 = 1'b0;
    value_hit_9 = 1'b0;
    low_hit_0 = 1'b0;
    low_hit_1 = 1'b0;
    low_hit_2 = 1'b0;
    low_hit_3 = 1'b0;
    low_hit_4 = 1'b0;
    low_hit_5 = 1'b0;
    low_hit_6 = 1'b0;
    low_hit_7 = 1'b0;
    low_hit_8 = 1'b0;
    low_hit_9 = 1'b0;
    low_hit_10 = 1'b0;
    low_hit_late_0 = 1'b0;
    low_hit_late_1 = 1'b0;
    low_hit_late_2 = 1'b0;
    low_hit_late_3 = 1'b0;
    low_hit_late_4 = 1'b0;
    low_hit_late_5 = 1'b0;
    low_hit_late_6 = 1'b0;
    low_hit_late_7 = 1'b0;
    low_hit_late_8 = 1'b0;
    low_hit_late_9 = 1'b0;
    low_hit_late_10 = 1'b0;
    high_hit = 1'b0;
    any_low_hit_r = 1'b0;
    fixed_group_r = 32'd0;
    live_group_r = 32'd0;
    counter_group_r = 32'd0;
    high_sample = 32'd0;
    found_r = 1'b0;
    rvalid_r = 1'b0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @* begin
    too_wide = to_control_r && control_wide;
    too_wide = too_wide || (to_value_r_0 && value_wide_0);
    too_wide = too_wide || (to_value_r_1 && value_wide_1);
    too_wide = too_wide || (to_value_r_2 && value_wide_2);
    too_wide = too_wide || (to_value_r_3 && value_wide_3);
    too_wide = too_wide || (to_value_r_4 && value_wide_4);
    too_wide = too_wide || (to_value_r_5 && value_wide_5);
    too_wide = too_wide || (to_value_r_6 && value_wide_6);
    too_wide = too_wide || (to_value_r_7 && value_wide_7);
    too_wide = too_wide || (to_value_r_8 && value_wide_8);
    too_wide = too_wide || (to_value_r_9 && value_wide_9);
  end

  always @* begin
    fixed_group = zero;
    live_group = zero;
    counter_group = zero;
    found = 1'b0;
    if (fixed_hit_0) begin
      fixed_group = fixed_group | fixed_value_0;
      found = 1'b1;
    end
    if (fixed_hit_1) begin
      fixed_group = fixed_group | fixed_value_1;
      found = 1'b1;
    end
    if (live_hit_0) begin
      live_group = live_group | {21'd0, live_0};
      found = 1'b1;
    end
    if (value_hit_0) begin
      live_group = live_group | {31'd0, value_r_0};
      found = 1'b1;
    end
    if (value_hit_1) begin
      live_group = live_group | {16'd0, value_r_1};
      found = 1'b1;
    end
    if (value_hit_2) begin
      live_group = live_group | {18'd0, value_r_2};
      found = 1'b1;
    end
    if (value_hit_3) begin
      live_group = live_group | {18'd0, value_r_3};
      found = 1'b1;
    end
    if (value_hit_4) begin
      live_group = live_group | {18'd0, value_r_4};
      found = 1'b1;
    end
    if (value_hit_5) begin
      live_group = live_group | {18'd0, value_r_5};
      found = 1'b1;
    end
    if (value_hit_6) begin
      live_group = live_group | {18'd0, value_r_6};
      found = 1'b1;
    end
    if (value_hit_7) begin
      live_group = live_group | {18'd0, value_r_7};
      found = 1'b1;
    end
    if (value_hit_8) begin
      live_group = live_group | {18'd0, value_r_8};
      found = 1'b1;
    end
    if (value_hit_9) begin
      live_group = live_group | {18'd0, value_r_9};
      found = 1'b1;
    end
    any_low_hit = 1'b0;
    if (low_hit_0) begin
      counter_group = counter_group | counter_low_0;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_1) begin
      counter_group = counter_group | counter_low_1;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_2) begin
      counter_group = counter_group | counter_low_2;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_3) begin
      counter_group = counter_group | counter_low_3;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_4) begin
      counter_group = counter_group | counter_low_4;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_5) begin
      counter_group = counter_group | counter_low_5;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_6) begin
      counter_group = counter_group | counter_low_6;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_7) begin
      counter_group = counter_group | counter_low_7;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_8) begin
      counter_group = counter_group | counter_low_8;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_9) begin
      counter_group = counter_group | counter_low_9;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_10) begin
      counter_group = counter_group | counter_low_10;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (high_hit) begin
      live_group = live_group | high_sample;
      found = 1'b1;
    end
  end

  always @* begin
    any_high_hit = 1'b0;
    if (read_word == high_address_0) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_1) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_2) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_3) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_4) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_5) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_6) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_7) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_8) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_9) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_10) begin
      any_high_hit = 1'b1;
    end
  end

  always @* begin
    counter_high_now = zero;
    if (low_hit_late_0) begin
      counter_high_now = counter_high_now | counter_high_0;
    end
    if (low_hit_late_1) begin
      counter_high_now = counter_high_now | counter_high_1;
    end
    if (low_hit_late_2) begin
      counter_high_now = counter_high_now | counter_high_2;
    end
    if (low_hit_late_3) begin
      counter_high_now = counter_high_now | counter_high_3;
    end
    if (low_hit_late_4) begin
      counter_high_now = counter_high_now | counter_high_4;
    end
    if (low_hit_late_5) begin
      counter_high_now = counter_high_now | counter_high_5;
    end
    if (low_hit_late_6) begin
      counter_high_now = counter_high_now | counter_high_6;
    end
    if (low_hit_late_7) begin
      counter_high_now = counter_high_now | counter_high_7;
    end
    if (low_hit_late_8) begin
      counter_high_now = counter_high_now | counter_high_8;
    end
    if (low_hit_late_9) begin
      counter_high_now = counter_high_now | counter_high_9;
    end
    if (low_hit_late_10) begin
      counter_high_now = counter_high_now | counter_high_10;
    end
  end

  always @* begin
    high_in = high_sample;
    if (any_low_hit_r) begin
      high_in = counter_high_now;
    end
  end

  always @(posedge clock) begin
    // write
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !pending_r && !reset;
    taking <= seen && !reset;
    control_wide <= |wdata;
    value_wide_0 <= |(wdata >> 1);
    value_wide_1 <= |(wdata >> 16);
    value_wide_2 <= |(wdata >> 14);
    value_wide_3 <= |(wdata >> 14);
    value_wide_4 <= |(wdata >> 14);
    value_wide_5 <= |(wdata >> 14);
    value_wide_6 <= |(wdata >> 14);
    value_wide_7 <= |(wdata >> 14);
    value_wide_8 <= |(wdata >> 14);
    value_wide_9 <= |(wdata >> 14);
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;
    to_value_r_0 <= to_value_0;
    to_value_r_1 <= to_value_1;
    to_value_r_2 <= to_value_2;
    to_value_r_3 <= to_value_3;
    to_value_r_4 <= to_value_4;
    to_value_r_5 <= to_value_5;
    to_value_r_6 <= to_value_6;
    to_value_r_7 <= to_value_7;
    to_value_r_8 <= to_value_8;
    to_value_r_9 <= to_value_9;

    // judged in the clock behind
    known <= mapped_r;
    legal_r <= seen && mapped_r && !refused && !reset;
    bvalid_r <= taking || (bvalid_r && !bready);
    if (taking) begin
      bresp_r <= okay;
      if (!known) begin
        bresp_r <= decode_error;
      end else if (!legal) begin
        bresp_r <= slave_error;
      end
    end
    clear_r <= clear_r && !finished;
    pending_r <= pending_r && !finished;
    if (commanded) begin
      clear_r <= command & clears;
      pending_r <= 1'b1;
    end
    if (legal && to_value_r_0) begin
      value_r_0 <= wdata[0];
    end
    if (legal && to_value_r_1) begin
      value_r_1 <= wdata[15:0];
    end
    if (legal && to_value_r_2) begin
      value_r_2 <= wdata[13:0];
    end
    if (legal && to_value_r_3) begin
      value_r_3 <= wdata[13:0];
    end
    if (legal && to_value_r_4) begin
      value_r_4 <= wdata[13:0];
    end
    if (legal && to_value_r_5) begin
      value_r_5 <= wdata[13:0];
    end
    if (legal && to_value_r_6) begin
      value_r_6 <= wdata[13:0];
    end
    if (legal && to_value_r_7) begin
      value_r_7 <= wdata[13:0];
    end
    if (legal && to_value_r_8) begin
      value_r_8 <= wdata[13:0];
    end
    if (legal && to_value_r_9) begin
      value_r_9 <= wdata[13:0];
    end
    if (legal && to_value_r_2) begin
      value_r_2 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_3) begin
      value_r_3 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_4) begin
      value_r_4 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_5) begin
      value_r_5 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_6) begin
      value_r_6 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_7) begin
      value_r_7 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_8) begin
      value_r_8 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_9) begin
      value_r_9 <= wdata[13:0] & kept;
    end

    // read: address taken, registers sampled, groups merged, answer
    reading <= arvalid && !reading && !sampling && !merging && !rvalid_r && !held && !reset;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    live_hit_0 <= read_word == live_address_0;
    value_hit_0 <= read_word == value_address_0;
    value_hit_1 <= read_word == value_address_1;
    value_hit_2 <= read_word == value_address_2;
    value_hit_3 <= read_word == value_address_3;
    value_hit_4 <= read_word == value_address_4;
    value_hit_5 <= read_word == value_address_5;
    value_hit_6 <= read_word == value_address_6;
    value_hit_7 <= read_word == value_address_7;
    value_hit_8 <= read_word == value_address_8;
    value_hit_9 <= read_word == value_address_9;
    low_hit_0 <= read_word == low_address_0;
    low_hit_late_0 <= low_hit_0 && sampling;
    low_hit_1 <= read_word == low_address_1;
    low_hit_late_1 <= low_hit_1 && sampling;
    low_hit_2 <= read_word == low_address_2;
    low_hit_late_2 <= low_hit_2 && sampling;
    low_hit_3 <= read_word == low_address_3;
    low_hit_late_3 <= low_hit_3 && sampling;
    low_hit_4 <= read_word == low_address_4;
    low_hit_late_4 <= low_hit_4 && sampling;
    low_hit_5 <= read_word == low_address_5;
    low_hit_late_5 <= low_hit_5 && sampling;
    low_hit_6 <= read_word == low_address_6;
    low_hit_late_6 <= low_hit_6 && sampling;
    low_hit_7 <= read_word == low_address_7;
    low_hit_late_7 <= low_hit_7 && sampling;
    low_hit_8 <= read_word == low_address_8;
    low_hit_late_8 <= low_hit_8 && sampling;
    low_hit_9 <= read_word == low_address_9;
    low_hit_late_9 <= low_hit_9 && sampling;
    low_hit_10 <= read_word == low_address_10;
    low_hit_late_10 <= low_hit_10 && sampling;
    any_low_hit_r <= any_low_hit && sampling;
    high_hit <= any_high_hit;
    fixed_group_r <= fixed_group;
    live_group_r <= live_group;
    counter_group_r <= counter_group;
    high_sample <= high_in;
    found_r <= found;
    rvalid_r <= merging || (rvalid_r && !rready);
    if (merging) begin
      rdata_r <= fixed_group_r | live_group_r | counter_group_r;
      rresp_r <= okay;
      if (!found_r) begin
        rresp_r <= decode_error;
      end
    end
    if (reset) begin
      value_r_0 <= value_reset_0;
      value_r_1 <= value_reset_1;
      value_r_2 <= value_reset_2;
      value_r_3 <= value_reset_3;
      value_r_4 <= value_reset_4;
      value_r_5 <= value_reset_5;
      value_r_6 <= value_reset_6;
      value_r_7 <= value_reset_7;
      value_r_8 <= value_reset_8;
      value_r_9 <= value_reset_9;
      clear_r <= 1'b0;
      pending_r <= 1'b0;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
      high_sample <= zero;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule

// Counts events in 64 bits. The upper half takes the carry a clock later: low now and high in the next clock are one value.
module event_counter (
  input  wire        clock,
  input  wire        reset,  // back to zero
  input  wire        event_, // count
  output wire [31:0] low,    // lower half
  output wire [31:0] high    // upper half as it was a clock ago
);
  localparam [31:0] zero = 32'd0;

  reg [31:0] low_r;
  reg [31:0] high_r;
  reg        event_r;
  reg        carry;

  wire [32:0] sum;

  assign sum = {1'b0, low_r} + {32'd0, event_r};
  assign low = low_r;
  assign high = high_r;

  initial begin
    low_r = 32'd0;
    high_r = 32'd0;
    event_r = 1'b0;
    carry = 1'b0;
  end

  always @(posedge clock) begin
    event_r <= event_;
    low_r <= sum[31:0];
    carry <= sum[32];
    high_r <= high_r + {31'd0, carry};
    if (reset) begin
      event_r <= 1'b0;
      low_r <= zero;
      high_r <= zero;
      carry <= 1'b0;
    end
  end
endmodule

// AXI4-Lite registers of the packet path. The register map is in registers.md.
module path_registers (
  input  wire        clock,
  input  wire        reset,     // back to the specification's values; counters 0
  input  wire        awvalid,
  output wire        awready,
  input  wire [8:0]  awaddr,    // above 0xFF there is no register
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [8:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  output wire        learn,     // register LEARN
  output wire [15:0] max_frame, // register MAX_FRAME
  output wire [13:0] policy_0,  // register POLICY_UNSEEN
  output wire [13:0] policy_1,  // register POLICY_SEEN
  output wire [13:0] policy_2,  // register POLICY_OTHER
  output wire [13:0] policy_3,  // register POLICY_TRUNCATED
  output wire [13:0] policy_4,  // register POLICY_MALFORMED
  output wire [13:0] policy_5,  // register POLICY_TOO_DEEP
  output wire [13:0] policy_6,  // register POLICY_OVERSIZE
  output wire [13:0] policy_7,  // register POLICY_BAD
  input  wire        event_0,   // event of counter FRAMES_UNSEEN
  input  wire        event_1,   // event of counter FRAMES_SEEN
  input  wire        event_2,   // event of counter FRAMES_OTHER
  input  wire        event_3,   // event of counter FRAMES_TRUNCATED
  input  wire        event_4,   // event of counter FRAMES_MALFORMED
  input  wire        event_5,   // event of counter FRAMES_TOO_DEEP
  input  wire        event_6,   // event of counter FRAMES_OVERSIZE
  input  wire        event_7,   // event of counter FRAMES_BAD
  input  wire        event_8,   // event of counter OVERFLOWS
  input  wire        event_9,   // event of counter DROPPED
  input  wire        event_10,  // event of counter MARKED
  input  wire [10:0] next_block // register NEXT_BLOCK
);
  localparam [7:0] nowhere = 8'hfc; // an address without a register

  wire        file_awready;
  reg  [7:0]  file_awaddr;
  wire        file_wready;
  wire        file_bvalid;
  wire [1:0]  file_bresp;
  wire        file_arready;
  reg  [7:0]  file_araddr;
  wire        file_rvalid;
  wire [31:0] file_rdata;
  wire [1:0]  file_rresp;
  wire        file_value_0;
  wire [15:0] file_value_1;
  wire [13:0] file_value_2;
  wire [13:0] file_value_3;
  wire [13:0] file_value_4;
  wire [13:0] file_value_5;
  wire [13:0] file_value_6;
  wire [13:0] file_value_7;
  wire [13:0] file_value_8;
  wire [13:0] file_value_9;
  wire        file_clear_pending;
  wire        file_write_pending;
  wire [31:0] counters_0_low;
  wire [31:0] counters_0_high;
  wire [31:0] counters_1_low;
  wire [31:0] counters_1_high;
  wire [31:0] counters_2_low;
  wire [31:0] counters_2_high;
  wire [31:0] counters_3_low;
  wire [31:0] counters_3_high;
  wire [31:0] counters_4_low;
  wire [31:0] counters_4_high;
  wire [31:0] counters_5_low;
  wire [31:0] counters_5_high;
  wire [31:0] counters_6_low;
  wire [31:0] counters_6_high;
  wire [31:0] counters_7_low;
  wire [31:0] counters_7_high;
  wire [31:0] counters_8_low;
  wire [31:0] counters_8_high;
  wire [31:0] counters_9_low;
  wire [31:0] counters_9_high;
  wire [31:0] counters_10_low;
  wire [31:0] counters_10_high;

  register_file file (
    .clock           (clock),
    .reset           (reset),
    .awvalid         (awvalid),
    .awready         (file_awready),
    .awaddr          (file_awaddr),
    .wvalid          (wvalid),
    .wready          (file_wready),
    .wdata           (wdata),
    .wstrb           (wstrb),
    .bvalid          (file_bvalid),
    .bready          (bready),
    .bresp           (file_bresp),
    .arvalid         (arvalid),
    .arready         (file_arready),
    .araddr          (file_araddr),
    .rvalid          (file_rvalid),
    .rready          (rready),
    .rdata           (file_rdata),
    .rresp           (file_rresp),
    .live_0          (next_block),
    .counter_low_0   (counters_0_low),
    .counter_low_1   (counters_1_low),
    .counter_low_2   (counters_2_low),
    .counter_low_3   (counters_3_low),
    .counter_low_4   (counters_4_low),
    .counter_low_5   (counters_5_low),
    .counter_low_6   (counters_6_low),
    .counter_low_7   (counters_7_low),
    .counter_low_8   (counters_8_low),
    .counter_low_9   (counters_9_low),
    .counter_low_10  (counters_10_low),
    .counter_high_0  (counters_0_high),
    .counter_high_1  (counters_1_high),
    .counter_high_2  (counters_2_high),
    .counter_high_3  (counters_3_high),
    .counter_high_4  (counters_4_high),
    .counter_high_5  (counters_5_high),
    .counter_high_6  (counters_6_high),
    .counter_high_7  (counters_7_high),
    .counter_high_8  (counters_8_high),
    .counter_high_9  (counters_9_high),
    .counter_high_10 (counters_10_high),
    .finished        (1'b1),
    .value_0         (file_value_0),
    .value_1         (file_value_1),
    .value_2         (file_value_2),
    .value_3         (file_value_3),
    .value_4         (file_value_4),
    .value_5         (file_value_5),
    .value_6         (file_value_6),
    .value_7         (file_value_7),
    .value_8         (file_value_8),
    .value_9         (file_value_9),
    .clear_pending   (file_clear_pending),
    .write_pending   (file_write_pending)
  );

  event_counter counters_0 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_0),
    .low    (counters_0_low),
    .high   (counters_0_high)
  );

  event_counter counters_1 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_1),
    .low    (counters_1_low),
    .high   (counters_1_high)
  );

  event_counter counters_2 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_2),
    .low    (counters_2_low),
    .high   (counters_2_high)
  );

  event_counter counters_3 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_3),
    .low    (counters_3_low),
    .high   (counters_3_high)
  );

  event_counter counters_4 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_4),
    .low    (counters_4_low),
    .high   (counters_4_high)
  );

  event_counter counters_5 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_5),
    .low    (counters_5_low),
    .high   (counters_5_high)
  );

  event_counter counters_6 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_6),
    .low    (counters_6_low),
    .high   (counters_6_high)
  );

  event_counter counters_7 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_7),
    .low    (counters_7_low),
    .high   (counters_7_high)
  );

  event_counter counters_8 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_8),
    .low    (counters_8_low),
    .high   (counters_8_high)
  );

  event_counter counters_9 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_9),
    .low    (counters_9_low),
    .high   (counters_9_high)
  );

  event_counter counters_10 (
    .clock  (clock),
    .reset  (reset),
    .event_ (event_10),
    .low    (counters_10_low),
    .high   (counters_10_high)
  );

  assign awready = file_awready;
  assign wready = file_wready;
  assign bvalid = file_bvalid;
  assign bresp = file_bresp;
  assign arready = file_arready;
  assign rvalid = file_rvalid;
  assign rdata = file_rdata;
  assign rresp = file_rresp;
  assign learn = file_value_0;
  assign max_frame = file_value_1;
  assign policy_0 = file_value_2;
  assign policy_1 = file_value_3;
  assign policy_2 = file_value_4;
  assign policy_3 = file_value_5;
  assign policy_4 = file_value_6;
  assign policy_5 = file_value_7;
  assign policy_6 = file_value_8;
  assign policy_7 = file_value_9;

  always @* begin
    file_awaddr = awaddr[7:0];
    if (awaddr[8]) begin
      file_awaddr = nowhere;
    end
  end

  always @* begin
    file_araddr = araddr[7:0];
    if (araddr[8]) begin
      file_araddr = nowhere;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, file_clear_pending, file_write_pending};
endmodule

// Frames in, verdict, frames out: parsed for their keys while they are stored, sent on by the policies of their classes.
// Timing: packet.md.
module packet_path (
  input  wire         clock,
  input  wire         reset,          // no frame, counters 0, registers as the specification says
  input  wire         s_frame_tvalid, // frames in
  output wire         s_frame_tready,
  input  wire [7:0]   s_frame_tdata,
  input  wire         s_frame_tkeep,
  input  wire         s_frame_tlast,
  input  wire         s_frame_tuser,
  output wire         m_frame_tvalid, // frames out
  input  wire         m_frame_tready,
  output wire [7:0]   m_frame_tdata,
  output wire         m_frame_tkeep,
  output wire         m_frame_tlast,
  output wire [15:0]  m_frame_tuser,  // bytes of the frame
  output wire         item_tvalid,    // items to the filter
  input  wire         item_tready,
  output wire [103:0] item_tdata,     // key
  output reg  [1:0]   item_tuser,     // operation
  input  wire         verdict_tvalid, // verdicts from it
  output wire         verdict_tready,
  input  wire         verdict_seen,   // bit 0 of the verdict
  input  wire         awvalid,        // registers, AXI4-Lite
  output wire         awready,
  input  wire [8:0]   awaddr,
  input  wire         wvalid,
  output wire         wready,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  output wire         bvalid,
  input  wire         bready,
  output wire [1:0]   bresp,
  input  wire         arvalid,
  output wire         arready,
  input  wire [8:0]   araddr,
  output wire         rvalid,
  input  wire         rready,
  output wire [31:0]  rdata,
  output wire [1:0]   rresp,
  input  wire [10:0]  next_block      // register NEXT_BLOCK
);
  localparam [1:0] query           = 2'd0;
  localparam [1:0] test_and_insert = 2'd2;

  reg learn; // LEARN, held while an item is offered

  wire         standing;
  wire [58:0]  descriptor;
  wire         intake_s_tready;
  wire         intake_valid;
  wire         intake_last;
  wire         intake_bad;
  wire         intake_most;
  wire [7:0]   intake_data;
  wire         front_valid_out;
  wire         front_last_out;
  wire         front_most_out;
  wire [7:0]   front_data_out;
  wire [2:0]   front_class_;
  wire         front_keyed;
  wire         front_is_ip;
  wire         front_six;
  wire [4:0]   front_ip_place;
  wire [15:0]  front_adjust;
  wire [15:0]  front_bytes;
  wire [103:0] front_key;
  wire         store_write_enable;
  wire [13:0]  store_write_address;
  wire [14:0]  store_end_;
  wire         store_keep;
  wire         store_overflow;
  wire [7:0]   buffer_read_data;
  wire         keys_push;
  wire         keys_full;
  wire         keys_valid;
  wire [103:0] keys_data;
  wire [103:0] keys_behind;
  wire         keys_loads;
  wire         frames_full;
  wire         frames_verdict_ready;
  wire         frames_valid;
  wire [58:0]  frames_frame;
  wire         frames_loads;
  wire [2:0]   frames_class_behind;
  wire         egress_take;
  wire [14:0]  egress_read;
  wire [13:0]  egress_read_address;
  wire         egress_m_tvalid;
  wire [7:0]   egress_m_tdata;
  wire         egress_m_tkeep;
  wire         egress_m_tlast;
  wire [15:0]  egress_m_tuser;
  wire         egress_frame_taken_0;
  wire         egress_frame_taken_1;
  wire         egress_frame_taken_2;
  wire         egress_frame_taken_3;
  wire         egress_frame_taken_4;
  wire         egress_frame_taken_5;
  wire         egress_frame_taken_6;
  wire         egress_frame_taken_7;
  wire         egress_dropped;
  wire         egress_marked;
  wire         registers_awready;
  wire         registers_wready;
  wire         registers_bvalid;
  wire [1:0]   registers_bresp;
  wire         registers_arready;
  wire         registers_rvalid;
  wire [31:0]  registers_rdata;
  wire [1:0]   registers_rresp;
  wire         registers_learn;
  wire [15:0]  registers_max_frame;
  wire [13:0]  registers_policy_0;
  wire [13:0]  registers_policy_1;
  wire [13:0]  registers_policy_2;
  wire [13:0]  registers_policy_3;
  wire [13:0]  registers_policy_4;
  wire [13:0]  registers_policy_5;
  wire [13:0]  registers_policy_6;
  wire [13:0]  registers_policy_7;

  // in: parsed, then stored
  intake intake (
    .clock    (clock),
    .reset    (reset),
    .s_tvalid (s_frame_tvalid),
    .s_tready (intake_s_tready),
    .s_tdata  (s_frame_tdata),
    .s_tkeep  (s_frame_tkeep),
    .s_tlast  (s_frame_tlast),
    .s_tuser  (s_frame_tuser),
    .valid    (intake_valid),
    .last     (intake_last),
    .bad      (intake_bad),
    .most     (intake_most),
    .data     (intake_data)
  );

  front front (
    .clock     (clock),
    .reset     (reset),
    .valid     (intake_valid),
    .last      (intake_last),
    .bad       (intake_bad),
    .most      (intake_most),
    .data      (intake_data),
    .max_frame (registers_max_frame),
    .valid_out (front_valid_out),
    .last_out  (front_last_out),
    .most_out  (front_most_out),
    .data_out  (front_data_out),
    .class_    (front_class_),
    .keyed     (front_keyed),
    .is_ip     (front_is_ip),
    .six       (front_six),
    .ip_place  (front_ip_place),
    .adjust    (front_adjust),
    .bytes     (front_bytes),
    .key       (front_key)
  );

  frame_store store (
    .clock         (clock),
    .reset         (reset),
    .valid         (front_valid_out),
    .last          (front_last_out),
    .keyed         (front_keyed),
    .frames_full   (frames_full),
    .keys_full     (keys_full),
    .read          (egress_read),
    .write_enable  (store_write_enable),
    .write_address (store_write_address),
    .end_          (store_end_),
    .keep          (store_keep),
    .overflow      (store_overflow)
  );

  frame_memory buffer (
    .clock         (clock),
    .write_enable  (store_write_enable),
    .write_address (store_write_address),
    .write_data    (front_data_out),
    .read_address  (egress_read_address),
    .read_data     (buffer_read_data)
  );

  // keys to the filter
  key_queue keys (
    .clock   (clock),
    .reset   (reset),
    .push    (keys_push),
    .data_in (front_key),
    .full    (keys_full),
    .valid   (keys_valid),
    .data    (keys_data),
    .behind  (keys_behind),
    .take    (item_tready),
    .loads   (keys_loads)
  );

  verdict_stage frames (
    .clock         (clock),
    .reset         (reset),
    .push          (store_keep),
    .frame_in      (descriptor),
    .full          (frames_full),
    .verdict_valid (verdict_tvalid),
    .verdict_ready (frames_verdict_ready),
    .seen          (verdict_seen),
    .valid         (frames_valid),
    .frame         (frames_frame),
    .take          (egress_take),
    .loads         (frames_loads),
    .class_behind  (frames_class_behind)
  );

  // registers
  egress egress (
    .clock         (clock),
    .reset         (reset),
    .frame_valid   (frames_valid),
    .frame         (frames_frame),
    .take          (egress_take),
    .loads         (frames_loads),
    .class_behind  (frames_class_behind),
    .policy_0      (registers_policy_0),
    .policy_1      (registers_policy_1),
    .policy_2      (registers_policy_2),
    .policy_3      (registers_policy_3),
    .policy_4      (registers_policy_4),
    .policy_5      (registers_policy_5),
    .policy_6      (registers_policy_6),
    .policy_7      (registers_policy_7),
    .read          (egress_read),
    .read_address  (egress_read_address),
    .read_data     (buffer_read_data),
    .m_tvalid      (egress_m_tvalid),
    .m_tready      (m_frame_tready),
    .m_tdata       (egress_m_tdata),
    .m_tkeep       (egress_m_tkeep),
    .m_tlast       (egress_m_tlast),
    .m_tuser       (egress_m_tuser),
    .frame_taken_0 (egress_frame_taken_0),
    .frame_taken_1 (egress_frame_taken_1),
    .frame_taken_2 (egress_frame_taken_2),
    .frame_taken_3 (egress_frame_taken_3),
    .frame_taken_4 (egress_frame_taken_4),
    .frame_taken_5 (egress_frame_taken_5),
    .frame_taken_6 (egress_frame_taken_6),
    .frame_taken_7 (egress_frame_taken_7),
    .dropped       (egress_dropped),
    .marked        (egress_marked)
  );

  path_registers registers (
    .clock      (clock),
    .reset      (reset),
    .awvalid    (awvalid),
    .awready    (registers_awready),
    .awaddr     (awaddr),
    .wvalid     (wvalid),
    .wready     (registers_wready),
    .wdata      (wdata),
    .wstrb      (wstrb),
    .bvalid     (registers_bvalid),
    .bready     (bready),
    .bresp      (registers_bresp),
    .arvalid    (arvalid),
    .arready    (registers_arready),
    .araddr     (araddr),
    .rvalid     (registers_rvalid),
    .rready     (rready),
    .rdata      (registers_rdata),
    .rresp      (registers_rresp),
    .learn      (registers_learn),
    .max_frame  (registers_max_frame),
    .policy_0   (registers_policy_0),
    .policy_1   (registers_policy_1),
    .policy_2   (registers_policy_2),
    .policy_3   (registers_policy_3),
    .policy_4   (registers_policy_4),
    .policy_5   (registers_policy_5),
    .policy_6   (registers_policy_6),
    .policy_7   (registers_policy_7),
    .event_0    (egress_frame_taken_0),
    .event_1    (egress_frame_taken_1),
    .event_2    (egress_frame_taken_2),
    .event_3    (egress_frame_taken_3),
    .event_4    (egress_frame_taken_4),
    .event_5    (egress_frame_taken_5),
    .event_6    (egress_frame_taken_6),
    .event_7    (egress_frame_taken_7),
    .event_8    (store_overflow),
    .event_9    (egress_dropped),
    .event_10   (egress_marked),
    .next_block (next_block)
  );

  assign s_frame_tready = intake_s_tready;
  assign keys_push = store_keep && front_keyed;
  assign standing = keys_valid && !item_tready;
  assign item_tvalid = keys_valid;
  assign item_tdata = keys_data;

  // frames to their verdicts, and out
  assign descriptor = {front_bytes, front_adjust, front_ip_place, front_six, front_is_ip, front_keyed, front_class_, front_most_out, store_end_};
  assign verdict_tready = frames_verdict_ready;
  assign m_frame_tvalid = egress_m_tvalid;
  assign m_frame_tdata = egress_m_tdata;
  assign m_frame_tkeep = egress_m_tkeep;
  assign m_frame_tlast = egress_m_tlast;
  assign m_frame_tuser = egress_m_tuser;
  assign awready = registers_awready;
  assign wready = registers_wready;
  assign bvalid = registers_bvalid;
  assign bresp = registers_bresp;
  assign arready = registers_arready;
  assign rvalid = registers_rvalid;
  assign rdata = registers_rdata;
  assign rresp = registers_rresp;

  initial begin
    learn = 1'b0;
  end

  always @* begin
    item_tuser = query;
    if (learn) begin
      item_tuser = test_and_insert;
    end
  end

  always @(posedge clock) begin
    if (!standing) begin
      learn <= registers_learn;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, keys_behind, keys_loads};
endmodule

// 256 entries of 1 bits; reads without a clock. Nobody uses what is read from the entry that is being written.
module wide_queue_memory_5 (
  input  wire       clock,
  input  wire       write_enable,  // write this clock
  input  wire [7:0] write_address, // entry to write
  input  wire       write_data,    // its value
  input  wire [7:0] read_address,  // entry to read
  output wire       read_data      // its value, in the same clock
);
  (* no_rw_check *)
  reg entries [0:255];
  integer i;

  initial begin
    for (i = 0; i <= 255; i = i + 1) entries[i] = 1'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Verdicts on their way to a lane: bit 0 of each.
// 256 entries, and one in the register behind them; an entry comes out two clocks after it came.
module lane_verdicts (
  input  wire clock,
  input  wire reset,   // empty
  input  wire push,    // an entry comes; not while full
  input  wire data_in, // it
  output wire full,    // there is no place
  output wire valid,   // there is an entry
  output wire data,    // the oldest
  output wire behind,  // the one behind it, when it leaves the memory
  input  wire take,    // the oldest is taken
  output wire loads    // an entry leaves the memory
);
  localparam [7:0] first = 8'd0;

  reg [7:0] write_place;
  reg [7:0] read_place;
  reg       some;
  reg       full_r;
  reg       valid_r;
  reg       data_r;

  wire [7:0] ahead;
  wire       load;
  wire       storing;
  wire       memory_write_enable;
  wire       memory_read_data;

  wide_queue_memory_5 memory (
    .clock         (clock),
    .write_enable  (memory_write_enable),
    .write_address (write_place),
    .write_data    (data_in),
    .read_address  (read_place),
    .read_data     (memory_read_data)
  );

  assign load = some && (!valid_r || take);
  assign loads = load;
  assign storing = push && !full_r;

  // the place that is written next may be written before an entry comes: nobody reads it until then
  assign memory_write_enable = !full_r;

  // entries in the memory, but for all of them, which look like none
  assign ahead = write_place - read_place;
  assign full = full_r;
  assign valid = valid_r;
  assign data = data_r;
  assign behind = memory_read_data;

  initial begin
    write_place = 8'd0;
    read_place = 8'd0;
    some = 1'b0;
    full_r = 1'b0;
    valid_r = 1'b0;
    data_r = 1'b0;
  end

  always @(posedge clock) begin
    if (storing) begin
      write_place <= write_place + 8'd1;
    end
    if (load) begin
      read_place <= read_place + 8'd1;
    end
    if (storing && !load) begin
      some <= 1'b1;
      full_r <= &ahead;
    end else if (!storing && load) begin
      some <= ahead != 8'd1;
      full_r <= 1'b0;
    end
    valid_r <= load || (valid_r && !take);
    if (load) begin
      data_r <= memory_read_data;
    end
    if (reset) begin
      write_place <= first;
      read_place <= first;
      some <= 1'b0;
      full_r <= 1'b0;
      valid_r <= 1'b0;
    end
  end
endmodule

// Items of two lanes in turn to one card; verdicts back by their tags. Contract: linecard.md.
module lane_merge (
  input  wire         clock,
  input  wire         reset,            // lane 0 is asked; no verdict waits
  input  wire         item_0_tvalid,    // items of lane 0
  output wire         item_0_tready,
  input  wire [103:0] item_0_tdata,     // key
  input  wire [1:0]   item_0_tuser,     // operation
  input  wire         item_1_tvalid,    // items of lane 1
  output wire         item_1_tready,
  input  wire [103:0] item_1_tdata,
  input  wire [1:0]   item_1_tuser,
  output wire         verdict_0_tvalid, // verdicts for lane 0
  input  wire         verdict_0_tready,
  output wire         verdict_0_seen,   // bit 0 of the verdict
  output wire         verdict_1_tvalid, // verdicts for lane 1
  input  wire         verdict_1_tready,
  output wire         verdict_1_seen,
  output wire         item_tvalid,      // items to the card
  input  wire         item_tready,
  output reg  [103:0] item_tdata,
  output reg  [1:0]   item_tuser,
  output wire [15:0]  item_tid,         // lane of the item
  input  wire         verdict_tvalid,   // verdicts from it
  output wire         verdict_tready,   // always: there is a place for each that may come
  input  wire [15:0]  verdict_tid,      // lane of the item
  input  wire         verdict_seen,
  output wire [1:0]   item_taken,       // bit i: the card took an item of lane i a clock ago
  output wire [1:0]   item_seen         // bit i: a verdict for lane i came a clock ago, and its bit 0 was 1
);
  reg lane;    // lane that is asked for an item
  reg taken_0;
  reg taken_1;
  reg seen_0;
  reg seen_1;

  reg  offered;
  wire to_lane;        // lane of the verdict
  wire queue_0_push;
  wire queue_0_full;
  wire queue_0_valid;
  wire queue_0_data;
  wire queue_0_behind;
  wire queue_0_loads;
  wire queue_1_push;
  wire queue_1_full;
  wire queue_1_valid;
  wire queue_1_data;
  wire queue_1_behind;
  wire queue_1_loads;

  lane_verdicts queue_0 (
    .clock   (clock),
    .reset   (reset),
    .push    (queue_0_push),
    .data_in (verdict_seen),
    .full    (queue_0_full),
    .valid   (queue_0_valid),
    .data    (queue_0_data),
    .behind  (queue_0_behind),
    .take    (verdict_0_tready),
    .loads   (queue_0_loads)
  );

  lane_verdicts queue_1 (
    .clock   (clock),
    .reset   (reset),
    .push    (queue_1_push),
    .data_in (verdict_seen),
    .full    (queue_1_full),
    .valid   (queue_1_valid),
    .data    (queue_1_data),
    .behind  (queue_1_behind),
    .take    (verdict_1_tready),
    .loads   (queue_1_loads)
  );

  assign item_tvalid = offered;
  assign item_tid = {15'd0, lane};
  assign item_0_tready = item_tready && !lane;
  assign item_1_tready = item_tready && lane;

  // a verdict has its place: no more are under way than frames wait
  assign verdict_tready = 1'b1;
  assign to_lane = verdict_tid[0];
  assign queue_0_push = verdict_tvalid && !to_lane;
  assign verdict_0_tvalid = queue_0_valid;
  assign verdict_0_seen = queue_0_data;
  assign queue_1_push = verdict_tvalid && to_lane;
  assign verdict_1_tvalid = queue_1_valid;
  assign verdict_1_seen = queue_1_data;
  assign item_taken = {taken_1, taken_0};
  assign item_seen = {seen_1, seen_0};

  initial begin
    lane = 1'b0;
    taken_0 = 1'b0;
    taken_1 = 1'b0;
    seen_0 = 1'b0;
    seen_1 = 1'b0;
  end

  always @* begin
    // an offer that stands is not taken back
    offered = item_0_tvalid;
    item_tdata = item_0_tdata;
    item_tuser = item_0_tuser;
    if (lane) begin
      offered = item_1_tvalid;
      item_tdata = item_1_tdata;
      item_tuser = item_1_tuser;
    end
  end

  always @(posedge clock) begin
    if (!offered || item_tready) begin
      lane <= !lane;
    end

    // for lamps
    taken_0 <= offered && item_tready && !lane;
    taken_1 <= offered && item_tready && lane;
    seen_0 <= verdict_tvalid && verdict_seen && !to_lane;
    seen_1 <= verdict_tvalid && verdict_seen && to_lane;
    if (reset) begin
      lane <= 1'b0;
      taken_0 <= 1'b0;
      taken_1 <= 1'b0;
      seen_0 <= 1'b0;
      seen_1 <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, verdict_tid[15:1], queue_0_full, queue_0_behind, queue_0_loads, queue_1_full, queue_1_behind, queue_1_loads};
endmodule

// Receives bytes of 8 bits, least first, no parity, one stop bit; 125 clocks a bit.
module uart_receiver (
  input  wire       clock,
  input  wire       reset,    // idle
  input  wire       line,     // the line, of any clock
  output wire       received, // a byte is received
  output wire [7:0] data      // it, in this clock
);
  localparam [6:0] half      = 7'd61; // from the edge to the middle of the start bit
  localparam [6:0] whole     = 7'h7c; // from the middle of a bit to that of the next
  localparam [3:0] no_bit    = 4'd0;
  localparam [3:0] first_bit = 4'd1;
  localparam [3:0] stop_bit  = 4'd9;

  reg       rx1;    // the line a clock ago
  reg       rx2;    // two clocks ago, safe to use
  reg       busy;   // within a byte (count, bit)
  reg       broken; // a stop bit was missing; wait until the line rests
  reg [6:0] count;  // clocks until the middle of the bit
  reg [3:0] bit_;   // 0 start, 1 to 8 data, 9 stop
  reg [7:0] shift;

  wire met;

  assign met = busy && !(|count);
  assign received = met && (bit_ == stop_bit) && rx2;
  assign data = shift;

  initial begin
    rx1 = 1'b1;
    rx2 = 1'b1;
    busy = 1'b0;
    broken = 1'b0;
    count = 7'd0;
    bit_ = 4'd0;
    shift = 8'd0;
  end

  always @(posedge clock) begin
    rx1 <= line || reset;
    rx2 <= rx1 || reset;
    broken <= broken && !rx2;
    count <= count - 7'd1;
    if (met) begin
      count <= whole;
      bit_ <= bit_ + 4'd1;
      if (bit_ == stop_bit) begin
        busy <= 1'b0;
        broken <= !rx2;
      end else if (bit_ == no_bit) begin
        // a start bit that has gone by its middle was a glitch
        busy <= !rx2;
        bit_ <= first_bit;
      end else begin
        shift <= ({7'd0, rx2} << 7) | (shift >> 1);
      end
    end
    if (!busy) begin
      count <= half;
      bit_ <= no_bit;
      busy <= !broken && !rx2;
    end
    if (reset) begin
      busy <= 1'b0;
      broken <= 1'b0;
    end
  end
endmodule

// 16 entries of 8 bits in distributed RAM; reads without a clock.
module queue_memory_2 (
  input  wire       clock,
  input  wire       write_enable,  // write this clock
  input  wire [3:0] write_address, // entry to write
  input  wire [7:0] write_data,    // its value
  input  wire [3:0] read_address,  // entry to read
  output wire [7:0] read_data      // its value, in the same clock
);
  reg [7:0] entries [0:15];
  integer i;

  initial begin
    for (i = 0; i <= 15; i = i + 1) entries[i] = 8'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Queue of 16 bytes; one that meets it full is dropped.
module byte_queue (
  input  wire       clock,
  input  wire       reset,    // empty
  input  wire       received, // a byte comes
  input  wire [7:0] data,     // it
  input  wire       take,     // the oldest byte is taken
  output wire       any,      // there is a byte
  output wire [7:0] head      // the oldest
);
  localparam [3:0] first = 4'd0;

  reg [3:0] write_place;
  reg [3:0] read_place;
  reg       some;
  reg       full;

  wire [3:0] ahead;
  wire       storing;
  wire [7:0] bytes_read_data;

  queue_memory_2 bytes (
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

// Sends bytes of 8 bits, least first, no parity, one stop bit; 125 clocks a bit.
module uart_transmitter (
  input  wire       clock,
  input  wire       reset, // idle
  input  wire       load,  // send a byte; only while idle
  input  wire [7:0] data,  // it
  output wire       idle,  // nothing is being sent
  output wire       line   // the line, 1 at rest
);
  localparam [6:0] whole    = 7'h7c;
  localparam [9:0] rest     = 10'h3ff;
  localparam [9:0] stop_bit = 10'h200;
  localparam [3:0] all_bits = 4'd9;

  reg [9:0] frame;  // {stop, byte, start}, the bit on the line lowest
  reg       idle_r;
  reg [6:0] count;  // clocks of this bit to come
  reg [3:0] bits;   // bits to come

  assign idle = idle_r;
  assign line = frame[0];

  initial begin
    frame = 10'h3ff;
    idle_r = 1'b1;
    count = 7'd0;
    bits = 4'd0;
  end

  always @(posedge clock) begin
    count <= count - 7'd1;
    if (idle_r) begin
      count <= whole;
      bits <= all_bits;
      if (load) begin
        frame <= stop_bit | ({2'd0, data} << 1);
        idle_r <= 1'b0;
      end
    end else if (!(|count)) begin
      count <= whole;
      bits <= bits - 4'd1;
      frame <= stop_bit | (frame >> 1);
      if (!(|bits)) begin
        frame <= frame;
        idle_r <= 1'b1;
      end
    end
    if (reset) begin
      frame <= rest;
      idle_r <= 1'b1;
    end
  end
endmodule

// Requests of accesses that are carried out exactly as meant or not at all, and the record of the last access.
// CRC-32 over either, a byte a clock: byte 1 is fetched in the first clock and run in the second, byte 15 in the sixteenth.
module bridge_mailbox (
  input  wire        clock,
  input  wire        reset,         // no request, and a record of nothing
  input  wire [2:0]  place,         // word of the request or record
  input  wire        keep,          // a word of the request is written
  input  wire [31:0] word,          // it, or what an access writes
  output reg  [31:0] fetched,       // word of the record
  input  wire        start,         // an access of a command begins
  input  wire        start_write,   // it writes
  input  wire [29:0] start_address, // its address in words
  input  wire        finish,        // the access is finished
  input  wire [1:0]  response,      // with this response, 0 or 2 or 3
  input  wire [31:0] read_data,     // and these data
  input  wire        checking,      // run the CRC
  input  wire        of_request,    // over the request and judge it, otherwise over the record
  output wire        over,          // the last clock of it
  output wire        good,          // the request is good; its access begins in the next clock
  output wire        write,         // the access writes
  output wire [10:0] address,       // its byte address, if it is one of the device
  output wire [31:0] data,          // what it writes
  output wire        outside        // no device is at its address
);
  localparam [167:0] keep_others_0      = 168'hfffffffffffffffffffffffffffffffffff;        // the other words
  localparam [167:0] keep_others_1      = 168'hfffffff0000000ffffffffffffffffffffffffffff; // the other words
  localparam [167:0] keep_others_2      = 168'hffffffffffffff0000000fffffffffffffffffffff; // the other words
  localparam [167:0] keep_others_3      = 168'hfffffffffffffffffffff0000000ffffffffffffff; // the other words
  localparam [167:0] keep_others_4      = 168'hffffffffffffffffffffffffffff0000000fffffff; // the other words
  localparam [167:0] keep_others_5      = 168'hfffffffffffffffffffffffffffffffffff0000000; // the other words
  localparam [7:0]   request_mark       = 8'hb1;
  localparam [7:0]   record_mark        = 8'hb2;
  localparam [31:0]  after_request_mark = 32'h919b9368;                                    // the CRC after the mark
  localparam [31:0]  after_record_mark  = 32'h892c2d2;                                     // the CRC after the mark
  localparam [31:0]  check_at_reset     = 32'hc6fec621;
  localparam [167:0] no_request         = 168'd0;
  localparam [5:0]   no_marks           = 6'd0;
  localparam [15:0]  no_tag             = 16'd0;
  localparam [1:0]   okay               = 2'd0;
  localparam [1:0]   decode_error       = 2'd3;
  localparam [31:0]  zero               = 32'd0;
  localparam [4:0]   first              = 5'd1;

  reg [167:0] request;    // what the words carry, the first word highest
  reg [5:0]   marked;     // bit i: every byte of word i has its top bit
  reg         framed;     // the request is one by all but check and count
  reg         expected;   // it expects the record's count
  reg [15:0]  tag;
  reg         write_r;
  reg [1:0]   response_r;
  reg [31:0]  count;
  reg [31:0]  address_r;
  reg         outside_r;
  reg [31:0]  data_r;
  reg [31:0]  check;
  reg [4:0]   at;         // byte to be fetched while the CRC runs
  reg [7:0]   octet;
  reg [31:0]  crc;
  reg         right;      // the CRC was the request's check
  reg         complete;   // the CRC has run over the record
  reg         judging;    // it was, or was not, when the CRC had run over the request

  wire [27:0]  carried;
  wire [127:0] request_words;
  wire [127:0] record_words;
  wire [6:0]   from;
  wire         starting;
  wire [31:0]  step_stepped;
  wire [127:0] octet_term;
  wire [127:0] octet_term_2;

  crc32_step step (
    .crc     (crc),
    .data    (octet),
    .stepped (step_stepped)
  );

  assign octet_term = record_words >> from;
  assign octet_term_2 = request_words >> from;
  // request: seven bits of every byte
  assign carried = {word[30:24], word[22:16], word[14:8], word[6:0]};
  assign request_words = request[167:40];

  // record
  assign record_words = {record_mark, tag, 5'd0, response_r, write_r, count, address_r, data_r};

  // check: the first byte is the mark
  assign from = {3'd0, ~at[3:0]} << 3;
  assign starting = at == first;
  assign over = (checking && !of_request && (at == 5'd16)) || (checking && judging);
  assign good = checking && judging && framed && expected && right;
  assign write = write_r;
  assign address = address_r[10:0];
  assign data = data_r;
  assign outside = outside_r;

  initial begin
    request = 168'd0;
    marked = 6'd0;
    framed = 1'b0;
    expected = 1'b0;
    tag = 16'd0;
    write_r = 1'b0;
    response_r = 2'd0;
    count = 32'd0;
    address_r = 32'd0;
    outside_r = 1'b0;
    data_r = 32'd0;
    check = 32'hc6fec621;
    at = 5'd1;
    octet = 8'd0;
    crc = 32'd0;
    right = 1'b0;
    complete = 1'b0;
    judging = 1'b0;
  end

  always @* begin
    fetched = record_words[127:96];
    if (place == 3'd1) begin
      fetched = count;
    end
    if (place == 3'd2) begin
      fetched = address_r;
    end
    if (place == 3'd3) begin
      fetched = data_r;
    end
    if (place == 3'd4) begin
      fetched = check;
    end
  end

  always @(posedge clock) begin
    if (keep && (place == 3'd0)) begin
      request <= (request & keep_others_0) | ({140'd0, carried} << 140);
      marked <= {marked[5:1], word[31] && word[23] && word[15] && word[7]};
    end
    if (keep && (place == 3'd1)) begin
      request <= (request & keep_others_1) | ({140'd0, carried} << 112);
      marked <= {marked[5:2], word[31] && word[23] && word[15] && word[7], marked[0]};
    end
    if (keep && (place == 3'd2)) begin
      request <= (request & keep_others_2) | ({140'd0, carried} << 84);
      marked <= {marked[5:3], word[31] && word[23] && word[15] && word[7], marked[1:0]};
    end
    if (keep && (place == 3'd3)) begin
      request <= (request & keep_others_3) | ({140'd0, carried} << 56);
      marked <= {marked[5:4], word[31] && word[23] && word[15] && word[7], marked[2:0]};
    end
    if (keep && (place == 3'd4)) begin
      request <= (request & keep_others_4) | ({140'd0, carried} << 28);
      marked <= {marked[5], word[31] && word[23] && word[15] && word[7], marked[3:0]};
    end
    if (keep && (place == 3'd5)) begin
      request <= (request & keep_others_5) | {140'd0, carried};
      marked <= {word[31] && word[23] && word[15] && word[7], marked[4:0]};
    end
    framed <= (&marked) && !(|request[7:0]) && (request_words[127:120] == request_mark) && !(|request_words[103:97]);
    expected <= request_words[31:0] == count;
    octet <= octet_term[7:0];
    if (of_request) begin
      octet <= octet_term_2[7:0];
    end
    crc <= step_stepped;
    if (starting) begin
      crc <= after_record_mark;
      if (of_request) begin
        crc <= after_request_mark;
      end
    end
    at <= first;
    if (checking) begin
      at <= at + 5'd1;
    end
    right <= ~crc == request[39:8];
    judging <= checking && of_request && (at == 5'd17);
    complete <= checking && !of_request && (at == 5'd16);
    if (complete) begin
      check <= ~crc;
    end

    // access: nobody sees the record before it is finished
    if (start) begin
      tag <= no_tag;
      write_r <= start_write;
      address_r <= {2'd0, start_address} << 2;
      outside_r <= |start_address[29:9];
      data_r <= word;
    end
    if (good) begin
      tag <= request_words[119:104];
      write_r <= request_words[96];
      address_r <= request_words[95:64];
      outside_r <= |request_words[95:75];
      data_r <= request_words[63:32];
    end
    if (finish) begin
      count <= count + 32'd1;
      response_r <= response;
      if (outside_r) begin
        response_r <= decode_error;
      end
      if (!write_r) begin
        data_r <= read_data;
      end
    end
    if (reset) begin
      request <= no_request;
      marked <= no_marks;
      tag <= no_tag;
      write_r <= 1'b0;
      response_r <= okay;
      count <= zero;
      address_r <= zero;
      data_r <= zero;
      check <= check_at_reset;
      at <= first;
      complete <= 1'b0;
      judging <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, octet_term[127:8], octet_term_2[127:8]};
endmodule

// UART to AXI4-Lite: LiteX's uartbone, and a mailbox for accesses that are carried out exactly as meant or not at all.
// COMMAND, DATA, ACCESS, BUS, CHECK, NEXT, ANSWER: card.md.
module uart_bridge (
  input  wire        clock,
  input  wire        reset,   // no command, nothing in the queue
  input  wire        uart_rx, // line from the host
  output wire        uart_tx, // line to the host
  output wire        awvalid, // registers, AXI4-Lite
  input  wire        awready,
  output wire [10:0] awaddr,  // byte address
  output wire        wvalid,
  input  wire        wready,
  output wire [31:0] wdata,
  output wire [3:0]  wstrb,
  input  wire        bvalid,
  output wire        bready,
  input  wire [1:0]  bresp,
  output wire        arvalid,
  input  wire        arready,
  output wire [10:0] araddr,  // byte address
  input  wire        rvalid,
  output wire        rready,
  input  wire [31:0] rdata,
  input  wire [1:0]  rresp
);
  localparam [2:0]  command         = 3'd0;        // COMMAND
  localparam [2:0]  data            = 3'd1;        // DATA
  localparam [2:0]  access          = 3'd2;        // ACCESS
  localparam [2:0]  bus             = 3'd3;        // BUS
  localparam [2:0]  check           = 3'd4;        // CHECK
  localparam [2:0]  next            = 3'd5;        // NEXT
  localparam [2:0]  answering       = 3'd6;        // ANSWER
  localparam [2:0]  none            = 3'd0;
  localparam [25:0] mailbox_address = 26'h2969694; // of 16 words
  localparam [3:0]  all_strobes     = 4'd15;
  localparam [31:0] zero            = 32'd0;
  localparam [24:0] in_time         = 25'hbebc1f;  // one less than the clocks until a command is late

  reg [2:0]  state;
  reg [2:0]  collected;    // bytes of the command, of a word, or of the answer
  reg        begun;        // some of a command is collected
  reg        writes;       // command 1 or 3
  reg        reads;        // command 2 or 4
  reg        rising;       // command 1 or 2
  reg [7:0]  left;         // words to come
  reg [29:0] address;      // of the word, in words
  reg [31:0] word;         // what is written
  reg [31:0] answer;       // what was read, the next byte highest
  reg        requested;    // the check is that of a request
  reg        address_sent; // the device has the address
  reg        data_sent;    // the device has the data
  reg [24:0] until_late;   // clocks, less one, until the command is late; then negative
  reg        of_request;
  reg        of_record;
  reg        decoded;      // of_request and of_record are those of this access
  reg        answered;     // the device has answered
  reg [31:0] read_word;    // with this
  reg [1:0]  response;     // and this response

  wire        in_command;
  wire        in_data;
  wire        in_access;
  wire        in_bus;
  wire        in_check;
  wire        in_next;
  wire        in_answer;
  wire        late;
  wire        take;
  wire        at_mailbox;
  wire        acting;            // the second clock of an access
  wire        finished;
  reg  [31:0] read_data;
  wire        sending;
  wire        receiver_received;
  wire [7:0]  receiver_data;
  wire        queue_any;
  wire [7:0]  queue_head;
  wire        transmitter_idle;
  wire        transmitter_line;
  wire        mail_keep;
  wire [31:0] mail_fetched;
  wire        mail_start;
  wire        mail_over;
  wire        mail_good;
  wire        mail_write;
  wire [10:0] mail_address;
  wire [31:0] mail_data;
  wire        mail_outside;

  // line
  uart_receiver receiver (
    .clock    (clock),
    .reset    (reset),
    .line     (uart_rx),
    .received (receiver_received),
    .data     (receiver_data)
  );

  byte_queue queue (
    .clock    (clock),
    .reset    (reset),
    .received (receiver_received),
    .data     (receiver_data),
    .take     (take),
    .any      (queue_any),
    .head     (queue_head)
  );

  uart_transmitter transmitter (
    .clock (clock),
    .reset (reset),
    .load  (sending),
    .data  (answer[31:24]),
    .idle  (transmitter_idle),
    .line  (transmitter_line)
  );

  // check, then the answer or the next word
  bridge_mailbox mail (
    .clock         (clock),
    .reset         (reset),
    .place         (address[2:0]),
    .keep          (mail_keep),
    .word          (word),
    .fetched       (mail_fetched),
    .start         (mail_start),
    .start_write   (writes),
    .start_address (address),
    .finish        (finished),
    .response      (response),
    .read_data     (read_data),
    .checking      (in_check),
    .of_request    (requested),
    .over          (mail_over),
    .good          (mail_good),
    .write         (mail_write),
    .address       (mail_address),
    .data          (mail_data),
    .outside       (mail_outside)
  );

  // state
  assign in_command = state == command;
  assign in_data = state == data;
  assign in_access = state == access;
  assign in_bus = state == bus;
  assign in_check = state == check;
  assign in_next = state == next;
  assign in_answer = state == answering;
  assign late = begun && (in_command || in_data) && until_late[24];
  assign take = queue_any && (in_command || in_data) && !late;

  // access: to the mailbox, or over the bus; decoded in its first clock
  assign at_mailbox = address[29:4] == mailbox_address;
  assign acting = in_access && decoded;
  assign mail_keep = acting && of_request;
  assign mail_start = acting && !of_request && !of_record;

  // bus
  assign awvalid = in_bus && mail_write && !mail_outside && !address_sent;
  assign wvalid = in_bus && mail_write && !mail_outside && !data_sent;
  assign arvalid = in_bus && !mail_write && !mail_outside && !address_sent;
  assign awaddr = mail_address;
  assign araddr = mail_address;
  assign wdata = mail_data;
  assign wstrb = all_strobes;
  assign bready = in_bus && mail_write;
  assign rready = in_bus && !mail_write;
  assign finished = in_bus && (mail_outside || answered);
  assign sending = in_answer && transmitter_idle;
  assign uart_tx = transmitter_line;

  initial begin
    state = 3'd0;
    collected = 3'd0;
    begun = 1'b0;
    writes = 1'b0;
    reads = 1'b0;
    rising = 1'b0;
    left = 8'd0;
    address = 30'd0;
    word = 32'd0;
    answer = 32'd0;
    requested = 1'b0;
    address_sent = 1'b0;
    data_sent = 1'b0;
    until_late = 25'hbebc1f;
    of_request = 1'b0;
    of_record = 1'b0;
    decoded = 1'b0;
    answered = 1'b0;
    read_word = 32'd0;
    response = 2'd0;
  end

  always @* begin
    read_data = zero;
    if (!mail_outside && !(|response)) begin
      read_data = read_word;
    end
  end

  always @(posedge clock) begin
    if (!begun) begin
      until_late <= in_time;
    end else if (!until_late[24]) begin
      until_late <= until_late - 25'd1;
    end

    // command and data
    if (take) begin
      collected <= collected + 3'd1;
    end
    if (take && in_command) begin
      begun <= 1'b1;
      if (collected == 3'd0) begin
        writes <= (queue_head == 8'd1) || (queue_head == 8'd3);
        reads <= (queue_head == 8'd2) || (queue_head == 8'd4);
        rising <= (queue_head == 8'd1) || (queue_head == 8'd2);
      end else if (collected == 3'd1) begin
        left <= queue_head - 8'd1;
      end else begin
        address <= {address[21:0], queue_head};
      end
      if (collected == 3'd5) begin
        collected <= none;
        if (writes) begin
          state <= data;
        end else if (reads) begin
          state <= access;
        end else begin
          begun <= 1'b0;
        end
      end
    end
    if (take && in_data) begin
      word <= {word[23:0], queue_head};
      if (collected == 3'd3) begin
        collected <= none;
        state <= access;
      end
    end
    if (late) begin
      state <= command;
      collected <= none;
      begun <= 1'b0;
    end
    of_request <= at_mailbox && writes && (address[3:0] < 4'd6);
    of_record <= at_mailbox && reads && (address[3:0] >= 4'd8) && (address[3:0] < 4'd13);
    decoded <= in_access && !decoded;
    if (acting) begin
      requested <= 1'b1;
      state <= bus;
      if (of_request) begin
        state <= next;
        if (address[2:0] == 3'd5) begin
          state <= check;
        end
      end
      if (of_record) begin
        state <= answering;
        answer <= mail_fetched;
      end
    end
    address_sent <= in_bus && (address_sent || (mail_write && awready) || (!mail_write && arready));
    data_sent <= in_bus && (data_sent || wready);
    answered <= in_bus && !answered && (bvalid || rvalid);
    read_word <= rdata;
    response <= rresp;
    if (mail_write) begin
      response <= bresp;
    end
    if (finished) begin
      requested <= 1'b0;
      answer <= read_data;
      address_sent <= 1'b0;
      data_sent <= 1'b0;
      state <= check;
    end
    if (mail_over) begin
      state <= next;
      if (mail_good) begin
        state <= bus;
      end else if (!requested && reads) begin
        state <= answering;
      end
    end
    if (sending) begin
      answer <= answer << 8;
      collected <= collected + 3'd1;
      if (collected == 3'd3) begin
        collected <= none;
        state <= next;
      end
    end
    if (in_next) begin
      left <= left - 8'd1;
      address <= address + {29'd0, rising};
      state <= access;
      if (writes) begin
        state <= data;
      end
      if (!(|left)) begin
        state <= command;
        begun <= 1'b0;
      end
    end
    if (reset) begin
      state <= command;
      collected <= none;
      begun <= 1'b0;
      address_sent <= 1'b0;
      data_sent <= 1'b0;
      answered <= 1'b0;
      decoded <= 1'b0;
    end
  end
endmodule

// AXI4-Lite to card and lanes (bit 10 of the address 0, called filter) and the ports (1, called port); one write and one read at a time.
module ports_split (
  input  wire        clock,
  input  wire        reset,          // no access is under way
  input  wire        awvalid,        // from the host
  output wire        awready,
  input  wire [10:0] awaddr,
  input  wire        wvalid,
  output wire        wready,
  output wire        bvalid,
  input  wire        bready,
  output reg  [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [10:0] araddr,
  output wire        rvalid,
  input  wire        rready,
  output reg  [31:0] rdata,
  output reg  [1:0]  rresp,
  output wire        filter_awvalid, // to the filter; it takes data and readies of responses from the host
  input  wire        filter_awready,
  output wire        filter_wvalid,
  input  wire        filter_wready,
  input  wire        filter_bvalid,
  input  wire [1:0]  filter_bresp,
  output wire        filter_arvalid,
  input  wire        filter_arready,
  input  wire        filter_rvalid,
  input  wire [31:0] filter_rdata,
  input  wire [1:0]  filter_rresp,
  output wire        port_awvalid,   // to the item port
  input  wire        port_awready,
  output wire        port_wvalid,
  input  wire        port_wready,
  input  wire        port_bvalid,
  input  wire [1:0]  port_bresp,
  output wire        port_arvalid,
  input  wire        port_arready,
  input  wire        port_rvalid,
  input  wire [31:0] port_rdata,
  input  wire [1:0]  port_rresp,
  output wire [9:0]  slave_awaddr,   // address within either
  output wire [9:0]  slave_araddr    // address within either
);
  reg writing; // a write is taken and not answered
  reg reading; // a read is taken and not answered

  wire write_to_port;
  wire read_of_port;

  // write
  assign write_to_port = awaddr[10];
  assign slave_awaddr = awaddr[9:0];
  assign filter_awvalid = awvalid && !writing && !write_to_port;
  assign filter_wvalid = wvalid && !writing && !write_to_port;
  assign port_awvalid = awvalid && !writing && write_to_port;
  assign port_wvalid = wvalid && !writing && write_to_port;
  assign awready = filter_awready || port_awready;
  assign wready = filter_wready || port_wready;
  assign bvalid = filter_bvalid || port_bvalid;

  // read
  assign read_of_port = araddr[10];
  assign slave_araddr = araddr[9:0];
  assign filter_arvalid = arvalid && !reading && !read_of_port;
  assign port_arvalid = arvalid && !reading && read_of_port;
  assign arready = filter_arready || port_arready;
  assign rvalid = filter_rvalid || port_rvalid;

  initial begin
    writing = 1'b0;
    reading = 1'b0;
  end

  always @* begin
    bresp = filter_bresp;
    if (port_bvalid) begin
      bresp = port_bresp;
    end
  end

  always @* begin
    rdata = filter_rdata;
    rresp = filter_rresp;
    if (port_rvalid) begin
      rdata = port_rdata;
      rresp = port_rresp;
    end
  end

  always @(posedge clock) begin
    if (bvalid && bready) begin
      writing <= 1'b0;
    end
    if (awvalid && awready) begin
      writing <= 1'b1;
    end
    if (rvalid && rready) begin
      reading <= 1'b0;
    end
    if (arvalid && arready) begin
      reading <= 1'b1;
    end
    if (reset) begin
      writing <= 1'b0;
      reading <= 1'b0;
    end
  end
endmodule

// AXI4-Lite to the card (bit 9 of the address 0, called filter) and the packet path (1, called port); one write and one read at a time.
module path_split (
  input  wire        clock,
  input  wire        reset,          // no access is under way
  input  wire        awvalid,        // from the host
  output wire        awready,
  input  wire [9:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  output wire        bvalid,
  input  wire        bready,
  output reg  [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [9:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output reg  [31:0] rdata,
  output reg  [1:0]  rresp,
  output wire        filter_awvalid, // to the filter; it takes data and readies of responses from the host
  input  wire        filter_awready,
  output wire        filter_wvalid,
  input  wire        filter_wready,
  input  wire        filter_bvalid,
  input  wire [1:0]  filter_bresp,
  output wire        filter_arvalid,
  input  wire        filter_arready,
  input  wire        filter_rvalid,
  input  wire [31:0] filter_rdata,
  input  wire [1:0]  filter_rresp,
  output wire        port_awvalid,   // to the item port
  input  wire        port_awready,
  output wire        port_wvalid,
  input  wire        port_wready,
  input  wire        port_bvalid,
  input  wire [1:0]  port_bresp,
  output wire        port_arvalid,
  input  wire        port_arready,
  input  wire        port_rvalid,
  input  wire [31:0] port_rdata,
  input  wire [1:0]  port_rresp,
  output wire [8:0]  slave_awaddr,   // address within either
  output wire [8:0]  slave_araddr    // address within either
);
  reg writing; // a write is taken and not answered
  reg reading; // a read is taken and not answered

  wire write_to_port;
  wire read_of_port;

  // write
  assign write_to_port = awaddr[9];
  assign slave_awaddr = awaddr[8:0];
  assign filter_awvalid = awvalid && !writing && !write_to_port;
  assign filter_wvalid = wvalid && !writing && !write_to_port;
  assign port_awvalid = awvalid && !writing && write_to_port;
  assign port_wvalid = wvalid && !writing && write_to_port;
  assign awready = filter_awready || port_awready;
  assign wready = filter_wready || port_wready;
  assign bvalid = filter_bvalid || port_bvalid;

  // read
  assign read_of_port = araddr[9];
  assign slave_araddr = araddr[8:0];
  assign filter_arvalid = arvalid && !reading && !read_of_port;
  assign port_arvalid = arvalid && !reading && read_of_port;
  assign arready = filter_arready || port_arready;
  assign rvalid = filter_rvalid || port_rvalid;

  initial begin
    writing = 1'b0;
    reading = 1'b0;
  end

  always @* begin
    bresp = filter_bresp;
    if (port_bvalid) begin
      bresp = port_bresp;
    end
  end

  always @* begin
    rdata = filter_rdata;
    rresp = filter_rresp;
    if (port_rvalid) begin
      rdata = port_rdata;
      rresp = port_rresp;
    end
  end

  always @(posedge clock) begin
    if (bvalid && bready) begin
      writing <= 1'b0;
    end
    if (awvalid && awready) begin
      writing <= 1'b1;
    end
    if (rvalid && rready) begin
      reading <= 1'b0;
    end
    if (arvalid && arready) begin
      reading <= 1'b1;
    end
    if (reset) begin
      writing <= 1'b0;
      reading <= 1'b0;
    end
  end
endmodule

// AXI4-Lite to lane 0 (bit 8 of the address 0, called filter) and lane 1 (1, called port); one write and one read at a time.
module lane_split (
  input  wire        clock,
  input  wire        reset,          // no access is under way
  input  wire        awvalid,        // from the host
  output wire        awready,
  input  wire [8:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  output wire        bvalid,
  input  wire        bready,
  output reg  [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [8:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output reg  [31:0] rdata,
  output reg  [1:0]  rresp,
  output wire        filter_awvalid, // to the filter; it takes data and readies of responses from the host
  input  wire        filter_awready,
  output wire        filter_wvalid,
  input  wire        filter_wready,
  input  wire        filter_bvalid,
  input  wire [1:0]  filter_bresp,
  output wire        filter_arvalid,
  input  wire        filter_arready,
  input  wire        filter_rvalid,
  input  wire [31:0] filter_rdata,
  input  wire [1:0]  filter_rresp,
  output wire        port_awvalid,   // to the item port
  input  wire        port_awready,
  output wire        port_wvalid,
  input  wire        port_wready,
  input  wire        port_bvalid,
  input  wire [1:0]  port_bresp,
  output wire        port_arvalid,
  input  wire        port_arready,
  input  wire        port_rvalid,
  input  wire [31:0] port_rdata,
  input  wire [1:0]  port_rresp,
  output wire [7:0]  slave_awaddr,   // address within either
  output wire [7:0]  slave_araddr    // address within either
);
  reg writing; // a write is taken and not answered
  reg reading; // a read is taken and not answered

  wire write_to_port;
  wire read_of_port;

  // write
  assign write_to_port = awaddr[8];
  assign slave_awaddr = awaddr[7:0];
  assign filter_awvalid = awvalid && !writing && !write_to_port;
  assign filter_wvalid = wvalid && !writing && !write_to_port;
  assign port_awvalid = awvalid && !writing && write_to_port;
  assign port_wvalid = wvalid && !writing && write_to_port;
  assign awready = filter_awready || port_awready;
  assign wready = filter_wready || port_wready;
  assign bvalid = filter_bvalid || port_bvalid;

  // read
  assign read_of_port = araddr[8];
  assign slave_araddr = araddr[7:0];
  assign filter_arvalid = arvalid && !reading && !read_of_port;
  assign port_arvalid = arvalid && !reading && read_of_port;
  assign arready = filter_arready || port_arready;
  assign rvalid = filter_rvalid || port_rvalid;

  initial begin
    writing = 1'b0;
    reading = 1'b0;
  end

  always @* begin
    bresp = filter_bresp;
    if (port_bvalid) begin
      bresp = port_bresp;
    end
  end

  always @* begin
    rdata = filter_rdata;
    rresp = filter_rresp;
    if (port_rvalid) begin
      rdata = port_rdata;
      rresp = port_rresp;
    end
  end

  always @(posedge clock) begin
    if (bvalid && bready) begin
      writing <= 1'b0;
    end
    if (awvalid && awready) begin
      writing <= 1'b1;
    end
    if (rvalid && rready) begin
      reading <= 1'b0;
    end
    if (arvalid && arready) begin
      reading <= 1'b1;
    end
    if (reset) begin
      writing <= 1'b0;
      reading <= 1'b0;
    end
  end
endmodule

// AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.
// Reading the low half of a counter samples all 64 bits; the high half read next belongs to it.
module register_file_2 (
  input  wire        clock,
  input  wire        reset,           // back to the specification's values
  input  wire        awvalid,
  output wire        awready,
  input  wire [7:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [7:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  input  wire [7:0]  live_0,          // register LINK
  input  wire [31:0] counter_low_0,   // counter PORT_0_FRAMES_GOOD, lower half
  input  wire [31:0] counter_low_1,   // counter PORT_0_FRAMES_BAD_FCS, lower half
  input  wire [31:0] counter_low_2,   // counter PORT_0_FRAMES_RUNT, lower half
  input  wire [31:0] counter_low_3,   // counter PORT_0_FRAMES_ERROR, lower half
  input  wire [31:0] counter_low_4,   // counter PORT_0_OVERFLOWS, lower half
  input  wire [31:0] counter_low_5,   // counter PORT_0_FRAMES_SENT, lower half
  input  wire [31:0] counter_low_6,   // counter PORT_0_FRAMES_BROKEN, lower half
  input  wire [31:0] counter_low_7,   // counter PORT_0_UNDERRUNS, lower half
  input  wire [31:0] counter_low_8,   // counter PORT_1_FRAMES_GOOD, lower half
  input  wire [31:0] counter_low_9,   // counter PORT_1_FRAMES_BAD_FCS, lower half
  input  wire [31:0] counter_low_10,  // counter PORT_1_FRAMES_RUNT, lower half
  input  wire [31:0] counter_low_11,  // counter PORT_1_FRAMES_ERROR, lower half
  input  wire [31:0] counter_low_12,  // counter PORT_1_OVERFLOWS, lower half
  input  wire [31:0] counter_low_13,  // counter PORT_1_FRAMES_SENT, lower half
  input  wire [31:0] counter_low_14,  // counter PORT_1_FRAMES_BROKEN, lower half
  input  wire [31:0] counter_low_15,  // counter PORT_1_UNDERRUNS, lower half
  input  wire [31:0] counter_high_0,  // counter PORT_0_FRAMES_GOOD, upper half, a clock late
  input  wire [31:0] counter_high_1,  // counter PORT_0_FRAMES_BAD_FCS, upper half, a clock late
  input  wire [31:0] counter_high_2,  // counter PORT_0_FRAMES_RUNT, upper half, a clock late
  input  wire [31:0] counter_high_3,  // counter PORT_0_FRAMES_ERROR, upper half, a clock late
  input  wire [31:0] counter_high_4,  // counter PORT_0_OVERFLOWS, upper half, a clock late
  input  wire [31:0] counter_high_5,  // counter PORT_0_FRAMES_SENT, upper half, a clock late
  input  wire [31:0] counter_high_6,  // counter PORT_0_FRAMES_BROKEN, upper half, a clock late
  input  wire [31:0] counter_high_7,  // counter PORT_0_UNDERRUNS, upper half, a clock late
  input  wire [31:0] counter_high_8,  // counter PORT_1_FRAMES_GOOD, upper half, a clock late
  input  wire [31:0] counter_high_9,  // counter PORT_1_FRAMES_BAD_FCS, upper half, a clock late
  input  wire [31:0] counter_high_10, // counter PORT_1_FRAMES_RUNT, upper half, a clock late
  input  wire [31:0] counter_high_11, // counter PORT_1_FRAMES_ERROR, upper half, a clock late
  input  wire [31:0] counter_high_12, // counter PORT_1_OVERFLOWS, upper half, a clock late
  input  wire [31:0] counter_high_13, // counter PORT_1_FRAMES_SENT, upper half, a clock late
  input  wire [31:0] counter_high_14, // counter PORT_1_FRAMES_BROKEN, upper half, a clock late
  input  wire [31:0] counter_high_15, // counter PORT_1_UNDERRUNS, upper half, a clock late
  input  wire        finished,        // what is pending is done
  output wire        clear_pending,   // a clear was written and is not done
  output wire        write_pending    // a clear or  was written and is not done
);
  localparam [5:0]  fixed_address_0 = 6'd0;
  localparam [5:0]  fixed_address_1 = 6'd1;
  localparam [5:0]  fixed_address_2 = 6'd2;
  localparam [5:0]  fixed_address_3 = 6'd4;
  localparam [31:0] fixed_value_0   = 32'hb;
  localparam [31:0] fixed_value_1   = 32'd1;
  localparam [31:0] fixed_value_2   = 32'd0;
  localparam [31:0] fixed_value_3   = 32'd0;
  localparam [5:0]  live_address_0  = 6'd3;
  localparam [5:0]  low_address_0   = 6'd16;
  localparam [5:0]  low_address_1   = 6'd18;
  localparam [5:0]  low_address_2   = 6'd20;
  localparam [5:0]  low_address_3   = 6'd22;
  localparam [5:0]  low_address_4   = 6'd24;
  localparam [5:0]  low_address_5   = 6'd26;
  localparam [5:0]  low_address_6   = 6'd28;
  localparam [5:0]  low_address_7   = 6'd30;
  localparam [5:0]  low_address_8   = 6'd32;
  localparam [5:0]  low_address_9   = 6'd34;
  localparam [5:0]  low_address_10  = 6'd36;
  localparam [5:0]  low_address_11  = 6'd38;
  localparam [5:0]  low_address_12  = 6'd40;
  localparam [5:0]  low_address_13  = 6'd42;
  localparam [5:0]  low_address_14  = 6'd44;
  localparam [5:0]  low_address_15  = 6'd46;
  localparam [5:0]  high_address_0  = 6'd17;
  localparam [5:0]  high_address_1  = 6'd19;
  localparam [5:0]  high_address_2  = 6'd21;
  localparam [5:0]  high_address_3  = 6'd23;
  localparam [5:0]  high_address_4  = 6'd25;
  localparam [5:0]  high_address_5  = 6'd27;
  localparam [5:0]  high_address_6  = 6'd29;
  localparam [5:0]  high_address_7  = 6'd31;
  localparam [5:0]  high_address_8  = 6'd33;
  localparam [5:0]  high_address_9  = 6'd35;
  localparam [5:0]  high_address_10 = 6'd37;
  localparam [5:0]  high_address_11 = 6'd39;
  localparam [5:0]  high_address_12 = 6'd41;
  localparam [5:0]  high_address_13 = 6'd43;
  localparam [5:0]  high_address_14 = 6'd45;
  localparam [5:0]  high_address_15 = 6'd47;
  localparam [63:0] mapped_words    = 64'hffffffff001f; // bit w: there is a register at word w
  localparam [63:0] writable_words  = 64'd0;            // bit w: that a host may write
  localparam        commands        = 1'b1;             // bits of CONTROL that command something
  localparam        clears          = 1'b1;             // those that clear
  localparam [1:0]  okay            = 2'd0;
  localparam [1:0]  slave_error     = 2'd2;
  localparam [1:0]  decode_error    = 2'd3;
  localparam [31:0] zero            = 32'd0;

  reg        clear_r;
  reg        pending_r;
  reg        seen;            // a write is judged
  reg        taking;          // it is taken
  reg        known;           // there is a register at its address
  reg        legal_r;         // it is done
  reg        bvalid_r;
  reg [1:0]  bresp_r;
  reg        mapped_r;
  reg        to_control_r;
  reg        unwritable_r;
  reg        control_wide;    // the data are wider than CONTROL
  reg        reading;
  reg        sampling;
  reg        merging;
  reg        fixed_hit_0;
  reg        fixed_hit_1;
  reg        fixed_hit_2;
  reg        fixed_hit_3;
  reg        live_hit_0;
  reg        low_hit_0;
  reg        low_hit_1;
  reg        low_hit_2;
  reg        low_hit_3;
  reg        low_hit_4;
  reg        low_hit_5;
  reg        low_hit_6;
  reg        low_hit_7;
  reg        low_hit_8;
  reg        low_hit_9;
  reg        low_hit_10;
  reg        low_hit_11;
  reg        low_hit_12;
  reg        low_hit_13;
  reg        low_hit_14;
  reg        low_hit_15;
  reg        low_hit_late_0;
  reg        low_hit_late_1;
  reg        low_hit_late_2;
  reg        low_hit_late_3;
  reg        low_hit_late_4;
  reg        low_hit_late_5;
  reg        low_hit_late_6;
  reg        low_hit_late_7;
  reg        low_hit_late_8;
  reg        low_hit_late_9;
  reg        low_hit_late_10;
  reg        low_hit_late_11;
  reg        low_hit_late_12;
  reg        low_hit_late_13;
  reg        low_hit_late_14;
  reg        low_hit_late_15;
  reg        high_hit;
  reg        any_low_hit_r;
  reg [31:0] fixed_group_r;
  reg [31:0] live_group_r;
  reg [31:0] counter_group_r;
  reg [31:0] high_sample;
  reg        found_r;
  reg        rvalid_r;
  reg [31:0] rdata_r;
  reg [1:0]  rresp_r;

  wire [5:0]  write_word;
  wire        mapped;
  wire        to_control;
  wire        command;
  wire        commanded;
  wire        writable;
  wire        too_wide;
  wire        refused;
  wire        legal;
  wire [5:0]  read_word;
  wire        held;
  reg         any_low_hit;
  reg         any_high_hit;
  reg  [31:0] fixed_group;
  reg  [31:0] live_group;
  reg  [31:0] counter_group;
  reg  [31:0] high_in;
  reg  [31:0] counter_high_now;
  reg         found;

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_control = 1'b0;

  // decoded while the address waits to be taken; AXI holds it and the data until then
  assign writable = writable_words[write_word];
  assign mapped = mapped_words[write_word];
  assign too_wide = to_control_r && control_wide;
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[0] & commands;
  assign commanded = legal && to_control_r && command;
  assign held = 1'b0;
  assign clear_pending = clear_r;
  assign write_pending = pending_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    clear_r = 1'b0;
    pending_r = 1'b0;
    seen = 1'b0;
    taking = 1'b0;
    known = 1'b0;
    legal_r = 1'b0;
    bvalid_r = 1'b0;
    bresp_r = 2'd0;
    mapped_r = 1'b0;
    to_control_r = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    fixed_hit_2 = 1'b0;
    fixed_hit_3 = 1'b0;
    live_hit_0 = 1'b0;
    low_hit_0 = 1'b0;
    low_hit_1 = 1'b0;
    low_hit_2 = 1'b0;
    low_hit_3 = 1'b0;
    low_hit_4 = 1'b0;
    low_hit_5 = 1'b0;
    low_hit_6 = 1'b0;
    low_hit_7 = 1'b0;
    low_hit_8 = 1'b0;
    low_hit_9 = 1'b0;
    low_hit_10 = 1'b0;
    low_hit_11 = 1'b0;
    low_hit_12 = 1'b0;
    low_hit_13 = 1'b0;
    low_hit_14 = 1'b0;
    low_hit_15 = 1'b0;
    low_hit_late_0 = 1'b0;
    low_hit_late_1 = 1'b0;
    low_hit_late_2 = 1'b0;
    low_hit_late_3 = 1'b0;
    low_hit_late_4 = 1'b0;
    low_hit_late_5 = 1'b0;
    low_hit_late_6 = 1'b0;
    low_hit_late_7 = 1'b0;
    low_hit_late_8 = 1'b0;
    low_hit_late_9 = 1'b0;
    low_hit_late_10 = 1'b0;
    low_hit_late_11 = 1'b0;
    low_hit_late_12 = 1'b0;
    low_hit_late_13 = 1'b0;
    low_hit_late_14 = 1'b0;
    low_hit_late_15 = 1'b0;
    high_hit = 1'b0;
    any_low_hit_r = 1'b0;
    fixed_group_r = 32'd0;
    live_group_r = 32'd0;
    counter_group_r = 32'd0;
    high_sample = 32'd0;
    found_r = 1'b0;
    rvalid_r = 1'b0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @* begin
    fixed_group = zero;
    live_group = zero;
    counter_group = zero;
    found = 1'b0;
    if (fixed_hit_0) begin
      fixed_group = fixed_group | fixed_value_0;
      found = 1'b1;
    end
    if (fixed_hit_1) begin
      fixed_group = fixed_group | fixed_value_1;
      found = 1'b1;
    end
    if (fixed_hit_2) begin
      fixed_group = fixed_group | fixed_value_2;
      found = 1'b1;
    end
    if (fixed_hit_3) begin
      fixed_group = fixed_group | fixed_value_3;
      found = 1'b1;
    end
    if (live_hit_0) begin
      live_group = live_group | {24'd0, live_0};
      found = 1'b1;
    end
    any_low_hit = 1'b0;
    if (low_hit_0) begin
      counter_group = counter_group | counter_low_0;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_1) begin
      counter_group = counter_group | counter_low_1;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_2) begin
      counter_group = counter_group | counter_low_2;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_3) begin
      counter_group = counter_group | counter_low_3;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_4) begin
      counter_group = counter_group | counter_low_4;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_5) begin
      counter_group = counter_group | counter_low_5;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_6) begin
      counter_group = counter_group | counter_low_6;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_7) begin
      counter_group = counter_group | counter_low_7;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_8) begin
      counter_group = counter_group | counter_low_8;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_9) begin
      counter_group = counter_group | counter_low_9;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_10) begin
      counter_group = counter_group | counter_low_10;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_11) begin
      counter_group = counter_group | counter_low_11;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_12) begin
      counter_group = counter_group | counter_low_12;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_13) begin
      counter_group = counter_group | counter_low_13;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_14) begin
      counter_group = counter_group | counter_low_14;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_15) begin
      counter_group = counter_group | counter_low_15;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (high_hit) begin
      live_group = live_group | high_sample;
      found = 1'b1;
    end
  end

  always @* begin
    any_high_hit = 1'b0;
    if (read_word == high_address_0) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_1) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_2) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_3) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_4) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_5) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_6) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_7) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_8) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_9) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_10) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_11) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_12) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_13) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_14) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_15) begin
      any_high_hit = 1'b1;
    end
  end

  always @* begin
    counter_high_now = zero;
    if (low_hit_late_0) begin
      counter_high_now = counter_high_now | counter_high_0;
    end
    if (low_hit_late_1) begin
      counter_high_now = counter_high_now | counter_high_1;
    end
    if (low_hit_late_2) begin
      counter_high_now = counter_high_now | counter_high_2;
    end
    if (low_hit_late_3) begin
      counter_high_now = counter_high_now | counter_high_3;
    end
    if (low_hit_late_4) begin
      counter_high_now = counter_high_now | counter_high_4;
    end
    if (low_hit_late_5) begin
      counter_high_now = counter_high_now | counter_high_5;
    end
    if (low_hit_late_6) begin
      counter_high_now = counter_high_now | counter_high_6;
    end
    if (low_hit_late_7) begin
      counter_high_now = counter_high_now | counter_high_7;
    end
    if (low_hit_late_8) begin
      counter_high_now = counter_high_now | counter_high_8;
    end
    if (low_hit_late_9) begin
      counter_high_now = counter_high_now | counter_high_9;
    end
    if (low_hit_late_10) begin
      counter_high_now = counter_high_now | counter_high_10;
    end
    if (low_hit_late_11) begin
      counter_high_now = counter_high_now | counter_high_11;
    end
    if (low_hit_late_12) begin
      counter_high_now = counter_high_now | counter_high_12;
    end
    if (low_hit_late_13) begin
      counter_high_now = counter_high_now | counter_high_13;
    end
    if (low_hit_late_14) begin
      counter_high_now = counter_high_now | counter_high_14;
    end
    if (low_hit_late_15) begin
      counter_high_now = counter_high_now | counter_high_15;
    end
  end

  always @* begin
    high_in = high_sample;
    if (any_low_hit_r) begin
      high_in = counter_high_now;
    end
  end

  always @(posedge clock) begin
    // write
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !pending_r && !reset;
    taking <= seen && !reset;
    control_wide <= |wdata;
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;

    // judged in the clock behind
    known <= mapped_r;
    legal_r <= seen && mapped_r && !refused && !reset;
    bvalid_r <= taking || (bvalid_r && !bready);
    if (taking) begin
      bresp_r <= okay;
      if (!known) begin
        bresp_r <= decode_error;
      end else if (!legal) begin
        bresp_r <= slave_error;
      end
    end
    clear_r <= clear_r && !finished;
    pending_r <= pending_r && !finished;
    if (commanded) begin
      clear_r <= command & clears;
      pending_r <= 1'b1;
    end

    // read: address taken, registers sampled, groups merged, answer
    reading <= arvalid && !reading && !sampling && !merging && !rvalid_r && !held && !reset;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    fixed_hit_2 <= read_word == fixed_address_2;
    fixed_hit_3 <= read_word == fixed_address_3;
    live_hit_0 <= read_word == live_address_0;
    low_hit_0 <= read_word == low_address_0;
    low_hit_late_0 <= low_hit_0 && sampling;
    low_hit_1 <= read_word == low_address_1;
    low_hit_late_1 <= low_hit_1 && sampling;
    low_hit_2 <= read_word == low_address_2;
    low_hit_late_2 <= low_hit_2 && sampling;
    low_hit_3 <= read_word == low_address_3;
    low_hit_late_3 <= low_hit_3 && sampling;
    low_hit_4 <= read_word == low_address_4;
    low_hit_late_4 <= low_hit_4 && sampling;
    low_hit_5 <= read_word == low_address_5;
    low_hit_late_5 <= low_hit_5 && sampling;
    low_hit_6 <= read_word == low_address_6;
    low_hit_late_6 <= low_hit_6 && sampling;
    low_hit_7 <= read_word == low_address_7;
    low_hit_late_7 <= low_hit_7 && sampling;
    low_hit_8 <= read_word == low_address_8;
    low_hit_late_8 <= low_hit_8 && sampling;
    low_hit_9 <= read_word == low_address_9;
    low_hit_late_9 <= low_hit_9 && sampling;
    low_hit_10 <= read_word == low_address_10;
    low_hit_late_10 <= low_hit_10 && sampling;
    low_hit_11 <= read_word == low_address_11;
    low_hit_late_11 <= low_hit_11 && sampling;
    low_hit_12 <= read_word == low_address_12;
    low_hit_late_12 <= low_hit_12 && sampling;
    low_hit_13 <= read_word == low_address_13;
    low_hit_late_13 <= low_hit_13 && sampling;
    low_hit_14 <= read_word == low_address_14;
    low_hit_late_14 <= low_hit_14 && sampling;
    low_hit_15 <= read_word == low_address_15;
    low_hit_late_15 <= low_hit_15 && sampling;
    any_low_hit_r <= any_low_hit && sampling;
    high_hit <= any_high_hit;
    fixed_group_r <= fixed_group;
    live_group_r <= live_group;
    counter_group_r <= counter_group;
    high_sample <= high_in;
    found_r <= found;
    rvalid_r <= merging || (rvalid_r && !rready);
    if (merging) begin
      rdata_r <= fixed_group_r | live_group_r | counter_group_r;
      rresp_r <= okay;
      if (!found_r) begin
        rresp_r <= decode_error;
      end
    end
    if (reset) begin
      clear_r <= 1'b0;
      pending_r <= 1'b0;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
      high_sample <= zero;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule

// AXI4-Lite registers of the Ethernet ports. The register map is in registers.md.
module port_registers (
  input  wire        clock,
  input  wire        reset,    // no access is under way
  input  wire        awvalid,
  output wire        awready,
  input  wire [9:0]  awaddr,   // above 0xFF there is no register
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [9:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  input  wire [7:0]  link,     // register LINK
  input  wire [63:0] count_0,  // counter PORT_0_FRAMES_GOOD, its upper half a clock late
  input  wire [63:0] count_1,  // counter PORT_0_FRAMES_BAD_FCS, its upper half a clock late
  input  wire [63:0] count_2,  // counter PORT_0_FRAMES_RUNT, its upper half a clock late
  input  wire [63:0] count_3,  // counter PORT_0_FRAMES_ERROR, its upper half a clock late
  input  wire [63:0] count_4,  // counter PORT_0_OVERFLOWS, its upper half a clock late
  input  wire [63:0] count_5,  // counter PORT_0_FRAMES_SENT, its upper half a clock late
  input  wire [63:0] count_6,  // counter PORT_0_FRAMES_BROKEN, its upper half a clock late
  input  wire [63:0] count_7,  // counter PORT_0_UNDERRUNS, its upper half a clock late
  input  wire [63:0] count_8,  // counter PORT_1_FRAMES_GOOD, its upper half a clock late
  input  wire [63:0] count_9,  // counter PORT_1_FRAMES_BAD_FCS, its upper half a clock late
  input  wire [63:0] count_10, // counter PORT_1_FRAMES_RUNT, its upper half a clock late
  input  wire [63:0] count_11, // counter PORT_1_FRAMES_ERROR, its upper half a clock late
  input  wire [63:0] count_12, // counter PORT_1_OVERFLOWS, its upper half a clock late
  input  wire [63:0] count_13, // counter PORT_1_FRAMES_SENT, its upper half a clock late
  input  wire [63:0] count_14, // counter PORT_1_FRAMES_BROKEN, its upper half a clock late
  input  wire [63:0] count_15  // counter PORT_1_UNDERRUNS, its upper half a clock late
);
  localparam [7:0] nowhere = 8'hfc; // an address without a register

  wire        file_awready;
  reg  [7:0]  file_awaddr;
  wire        file_wready;
  wire        file_bvalid;
  wire [1:0]  file_bresp;
  wire        file_arready;
  reg  [7:0]  file_araddr;
  wire        file_rvalid;
  wire [31:0] file_rdata;
  wire [1:0]  file_rresp;
  wire        file_clear_pending;
  wire        file_write_pending;

  register_file_2 file (
    .clock           (clock),
    .reset           (reset),
    .awvalid         (awvalid),
    .awready         (file_awready),
    .awaddr          (file_awaddr),
    .wvalid          (wvalid),
    .wready          (file_wready),
    .wdata           (wdata),
    .wstrb           (wstrb),
    .bvalid          (file_bvalid),
    .bready          (bready),
    .bresp           (file_bresp),
    .arvalid         (arvalid),
    .arready         (file_arready),
    .araddr          (file_araddr),
    .rvalid          (file_rvalid),
    .rready          (rready),
    .rdata           (file_rdata),
    .rresp           (file_rresp),
    .live_0          (link),
    .counter_low_0   (count_0[31:0]),
    .counter_low_1   (count_1[31:0]),
    .counter_low_2   (count_2[31:0]),
    .counter_low_3   (count_3[31:0]),
    .counter_low_4   (count_4[31:0]),
    .counter_low_5   (count_5[31:0]),
    .counter_low_6   (count_6[31:0]),
    .counter_low_7   (count_7[31:0]),
    .counter_low_8   (count_8[31:0]),
    .counter_low_9   (count_9[31:0]),
    .counter_low_10  (count_10[31:0]),
    .counter_low_11  (count_11[31:0]),
    .counter_low_12  (count_12[31:0]),
    .counter_low_13  (count_13[31:0]),
    .counter_low_14  (count_14[31:0]),
    .counter_low_15  (count_15[31:0]),
    .counter_high_0  (count_0[63:32]),
    .counter_high_1  (count_1[63:32]),
    .counter_high_2  (count_2[63:32]),
    .counter_high_3  (count_3[63:32]),
    .counter_high_4  (count_4[63:32]),
    .counter_high_5  (count_5[63:32]),
    .counter_high_6  (count_6[63:32]),
    .counter_high_7  (count_7[63:32]),
    .counter_high_8  (count_8[63:32]),
    .counter_high_9  (count_9[63:32]),
    .counter_high_10 (count_10[63:32]),
    .counter_high_11 (count_11[63:32]),
    .counter_high_12 (count_12[63:32]),
    .counter_high_13 (count_13[63:32]),
    .counter_high_14 (count_14[63:32]),
    .counter_high_15 (count_15[63:32]),
    .finished        (1'b1),
    .clear_pending   (file_clear_pending),
    .write_pending   (file_write_pending)
  );

  assign awready = file_awready;
  assign wready = file_wready;
  assign bvalid = file_bvalid;
  assign bresp = file_bresp;
  assign arready = file_arready;
  assign rvalid = file_rvalid;
  assign rdata = file_rdata;
  assign rresp = file_rresp;

  always @* begin
    file_awaddr = awaddr[7:0];
    if (|awaddr[9:8]) begin
      file_awaddr = nowhere;
    end
  end

  always @* begin
    file_araddr = araddr[7:0];
    if (|araddr[9:8]) begin
      file_araddr = nowhere;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, file_clear_pending, file_write_pending};
endmodule

// Two Ethernet ports, a packet path from either to the other, and the UART to all registers. Contract: linecard.md.
module line_card_datapath (
  input  wire         clock,
  input  wire         hold,               // reset, of any clock or none
  output wire         reset,              // the same in clock, for the card
  input  wire         rgmii_0_rx_clock,
  input  wire         rgmii_0_rx_control,
  input  wire [3:0]   rgmii_0_rx_data,
  output wire         rgmii_0_tx_clock,
  output wire         rgmii_0_tx_control,
  output wire [3:0]   rgmii_0_tx_data,
  input  wire         rgmii_1_rx_clock,
  input  wire         rgmii_1_rx_control,
  input  wire [3:0]   rgmii_1_rx_data,
  output wire         rgmii_1_tx_clock,
  output wire         rgmii_1_tx_control,
  output wire [3:0]   rgmii_1_tx_data,
  input  wire         uart_rx,            // line from the host, of any clock
  output wire         uart_tx,            // line to the host
  output wire [1:0]   link,               // bit p: the PHY of port p tells of a link
  output wire [1:0]   item_taken,         // bit i: the card took an item of lane i a clock ago
  output wire [1:0]   item_seen,          // bit i: a verdict for lane i came a clock ago, and its bit 0 was 1
  output wire         item_tvalid,        // items to the card
  input  wire         item_tready,
  output wire [103:0] item_tdata,         // key
  output wire [1:0]   item_tuser,         // operation
  output wire [15:0]  item_tid,           // lane
  input  wire         verdict_tvalid,     // verdicts from it
  output wire         verdict_tready,
  input  wire [15:0]  verdict_tid,
  input  wire         verdict_seen,       // bit 0 of the verdict
  output wire         awvalid,            // the card's registers, AXI4-Lite
  input  wire         awready,
  output wire [8:0]   awaddr,
  output wire         wvalid,
  input  wire         wready,
  output wire [31:0]  wdata,
  output wire [3:0]   wstrb,
  input  wire         bvalid,
  output wire         bready,
  input  wire [1:0]   bresp,
  output wire         arvalid,
  input  wire         arready,
  output wire [8:0]   araddr,
  input  wire         rvalid,
  output wire         rready,
  input  wire [31:0]  rdata,
  input  wire [1:0]   rresp
);
  localparam [10:0] next_block_0 = 11'h300;
  localparam [10:0] next_block_1 = 11'h400;
  localparam        whole        = 1'b1;    // a beat is a byte

  wire [7:0]   into_0;                  // bytes into a lane
  wire [7:0]   into_1;                  // bytes into a lane
  wire [7:0]   out_of_0;                // bytes out of one
  wire [7:0]   out_of_1;                // bytes out of one
  wire         card_reset_reset;
  wire         card_reset_holding;
  wire         port_0_reset;
  wire         port_0_rgmii_tx_clock;
  wire         port_0_rgmii_tx_control;
  wire [3:0]   port_0_rgmii_tx_data;
  wire         port_0_m_frame_tvalid;
  wire [7:0]   port_0_m_frame_tdata;
  wire         port_0_m_frame_tlast;
  wire         port_0_m_frame_tuser;
  wire         port_0_s_frame_tready;
  wire         port_0_link_up;
  wire [1:0]   port_0_link_speed;
  wire         port_0_link_full_duplex;
  wire [63:0]  port_0_frames_good;
  wire [63:0]  port_0_frames_bad_fcs;
  wire [63:0]  port_0_frames_runt;
  wire [63:0]  port_0_frames_error;
  wire [63:0]  port_0_overflows;
  wire [63:0]  port_0_frames_sent;
  wire [63:0]  port_0_frames_broken;
  wire [63:0]  port_0_underruns;
  wire         port_1_reset;
  wire         port_1_rgmii_tx_clock;
  wire         port_1_rgmii_tx_control;
  wire [3:0]   port_1_rgmii_tx_data;
  wire         port_1_m_frame_tvalid;
  wire [7:0]   port_1_m_frame_tdata;
  wire         port_1_m_frame_tlast;
  wire         port_1_m_frame_tuser;
  wire         port_1_s_frame_tready;
  wire         port_1_link_up;
  wire [1:0]   port_1_link_speed;
  wire         port_1_link_full_duplex;
  wire [63:0]  port_1_frames_good;
  wire [63:0]  port_1_frames_bad_fcs;
  wire [63:0]  port_1_frames_runt;
  wire [63:0]  port_1_frames_error;
  wire [63:0]  port_1_overflows;
  wire [63:0]  port_1_frames_sent;
  wire [63:0]  port_1_frames_broken;
  wire [63:0]  port_1_underruns;
  wire         lane_0_s_frame_tready;
  wire         lane_0_m_frame_tvalid;
  wire [7:0]   lane_0_m_frame_tdata;
  wire         lane_0_m_frame_tkeep;
  wire         lane_0_m_frame_tlast;
  wire [15:0]  lane_0_m_frame_tuser;
  wire         lane_0_item_tvalid;
  wire [103:0] lane_0_item_tdata;
  wire [1:0]   lane_0_item_tuser;
  wire         lane_0_verdict_tready;
  wire         lane_0_awready;
  wire [8:0]   lane_0_awaddr;
  wire         lane_0_wready;
  wire         lane_0_bvalid;
  wire [1:0]   lane_0_bresp;
  wire         lane_0_arready;
  wire [8:0]   lane_0_araddr;
  wire         lane_0_rvalid;
  wire [31:0]  lane_0_rdata;
  wire [1:0]   lane_0_rresp;
  wire         lane_1_s_frame_tready;
  wire         lane_1_m_frame_tvalid;
  wire [7:0]   lane_1_m_frame_tdata;
  wire         lane_1_m_frame_tkeep;
  wire         lane_1_m_frame_tlast;
  wire [15:0]  lane_1_m_frame_tuser;
  wire         lane_1_item_tvalid;
  wire [103:0] lane_1_item_tdata;
  wire [1:0]   lane_1_item_tuser;
  wire         lane_1_verdict_tready;
  wire         lane_1_awready;
  wire [8:0]   lane_1_awaddr;
  wire         lane_1_wready;
  wire         lane_1_bvalid;
  wire [1:0]   lane_1_bresp;
  wire         lane_1_arready;
  wire [8:0]   lane_1_araddr;
  wire         lane_1_rvalid;
  wire [31:0]  lane_1_rdata;
  wire [1:0]   lane_1_rresp;
  wire         merge_item_0_tready;
  wire         merge_item_1_tready;
  wire         merge_verdict_0_tvalid;
  wire         merge_verdict_0_seen;
  wire         merge_verdict_1_tvalid;
  wire         merge_verdict_1_seen;
  wire         merge_item_tvalid;
  wire [103:0] merge_item_tdata;
  wire [1:0]   merge_item_tuser;
  wire [15:0]  merge_item_tid;
  wire         merge_verdict_tready;
  wire [1:0]   merge_item_taken;
  wire [1:0]   merge_item_seen;
  wire         bridge_uart_tx;
  wire         bridge_awvalid;
  wire [10:0]  bridge_awaddr;
  wire         bridge_wvalid;
  wire [31:0]  bridge_wdata;
  wire [3:0]   bridge_wstrb;
  wire         bridge_bready;
  wire         bridge_arvalid;
  wire [10:0]  bridge_araddr;
  wire         bridge_rready;
  wire         to_ports_awready;
  wire         to_ports_wready;
  wire         to_ports_bvalid;
  wire [1:0]   to_ports_bresp;
  wire         to_ports_arready;
  wire         to_ports_rvalid;
  wire [31:0]  to_ports_rdata;
  wire [1:0]   to_ports_rresp;
  wire         to_ports_filter_awvalid;
  wire         to_ports_filter_wvalid;
  wire         to_ports_filter_arvalid;
  wire         to_ports_port_awvalid;
  wire         to_ports_port_wvalid;
  wire         to_ports_port_arvalid;
  wire [9:0]   to_ports_slave_awaddr;
  wire [9:0]   to_ports_slave_araddr;
  wire         to_lanes_awready;
  wire         to_lanes_wready;
  wire         to_lanes_bvalid;
  wire [1:0]   to_lanes_bresp;
  wire         to_lanes_arready;
  wire         to_lanes_rvalid;
  wire [31:0]  to_lanes_rdata;
  wire [1:0]   to_lanes_rresp;
  wire         to_lanes_filter_awvalid;
  wire         to_lanes_filter_wvalid;
  wire         to_lanes_filter_arvalid;
  wire         to_lanes_port_awvalid;
  wire         to_lanes_port_wvalid;
  wire         to_lanes_port_arvalid;
  wire [8:0]   to_lanes_slave_awaddr;
  wire [8:0]   to_lanes_slave_araddr;
  wire         to_lane_awready;
  wire         to_lane_wready;
  wire         to_lane_bvalid;
  wire [1:0]   to_lane_bresp;
  wire         to_lane_arready;
  wire         to_lane_rvalid;
  wire [31:0]  to_lane_rdata;
  wire [1:0]   to_lane_rresp;
  wire         to_lane_filter_awvalid;
  wire         to_lane_filter_wvalid;
  wire         to_lane_filter_arvalid;
  wire         to_lane_port_awvalid;
  wire         to_lane_port_wvalid;
  wire         to_lane_port_arvalid;
  wire [7:0]   to_lane_slave_awaddr;
  wire [7:0]   to_lane_slave_araddr;
  wire         registers_awready;
  wire         registers_wready;
  wire         registers_bvalid;
  wire [1:0]   registers_bresp;
  wire         registers_arready;
  wire         registers_rvalid;
  wire [31:0]  registers_rdata;
  wire [1:0]   registers_rresp;
  wire [7:0]   registers_link;

  reset_crossing card_reset (
    .clock   (clock),
    .hold    (hold),
    .reset   (card_reset_reset),
    .holding (card_reset_holding)
  );

  // what comes in at one port goes through its lane and out at the other
  mac_port port_0 (
    .clock            (clock),
    .hold             (hold),
    .reset            (port_0_reset),
    .rgmii_rx_clock   (rgmii_0_rx_clock),
    .rgmii_rx_control (rgmii_0_rx_control),
    .rgmii_rx_data    (rgmii_0_rx_data),
    .rgmii_tx_clock   (port_0_rgmii_tx_clock),
    .rgmii_tx_control (port_0_rgmii_tx_control),
    .rgmii_tx_data    (port_0_rgmii_tx_data),
    .m_frame_tvalid   (port_0_m_frame_tvalid),
    .m_frame_tready   (lane_0_s_frame_tready),
    .m_frame_tdata    (port_0_m_frame_tdata),
    .m_frame_tlast    (port_0_m_frame_tlast),
    .m_frame_tuser    (port_0_m_frame_tuser),
    .s_frame_tvalid   (lane_1_m_frame_tvalid),
    .s_frame_tready   (port_0_s_frame_tready),
    .s_frame_tdata    (out_of_1),
    .s_frame_tlast    (lane_1_m_frame_tlast),
    .s_frame_tuser    (1'b0),
    .link_up          (port_0_link_up),
    .link_speed       (port_0_link_speed),
    .link_full_duplex (port_0_link_full_duplex),
    .frames_good      (port_0_frames_good),
    .frames_bad_fcs   (port_0_frames_bad_fcs),
    .frames_runt      (port_0_frames_runt),
    .frames_error     (port_0_frames_error),
    .overflows        (port_0_overflows),
    .frames_sent      (port_0_frames_sent),
    .frames_broken    (port_0_frames_broken),
    .underruns        (port_0_underruns)
  );

  mac_port port_1 (
    .clock            (clock),
    .hold             (hold),
    .reset            (port_1_reset),
    .rgmii_rx_clock   (rgmii_1_rx_clock),
    .rgmii_rx_control (rgmii_1_rx_control),
    .rgmii_rx_data    (rgmii_1_rx_data),
    .rgmii_tx_clock   (port_1_rgmii_tx_clock),
    .rgmii_tx_control (port_1_rgmii_tx_control),
    .rgmii_tx_data    (port_1_rgmii_tx_data),
    .m_frame_tvalid   (port_1_m_frame_tvalid),
    .m_frame_tready   (lane_1_s_frame_tready),
    .m_frame_tdata    (port_1_m_frame_tdata),
    .m_frame_tlast    (port_1_m_frame_tlast),
    .m_frame_tuser    (port_1_m_frame_tuser),
    .s_frame_tvalid   (lane_0_m_frame_tvalid),
    .s_frame_tready   (port_1_s_frame_tready),
    .s_frame_tdata    (out_of_0),
    .s_frame_tlast    (lane_0_m_frame_tlast),
    .s_frame_tuser    (1'b0),
    .link_up          (port_1_link_up),
    .link_speed       (port_1_link_speed),
    .link_full_duplex (port_1_link_full_duplex),
    .frames_good      (port_1_frames_good),
    .frames_bad_fcs   (port_1_frames_bad_fcs),
    .frames_runt      (port_1_frames_runt),
    .frames_error     (port_1_frames_error),
    .overflows        (port_1_overflows),
    .frames_sent      (port_1_frames_sent),
    .frames_broken    (port_1_frames_broken),
    .underruns        (port_1_underruns)
  );

  packet_path lane_0 (
    .clock          (clock),
    .reset          (card_reset_reset),
    .s_frame_tvalid (port_0_m_frame_tvalid),
    .s_frame_tready (lane_0_s_frame_tready),
    .s_frame_tdata  (into_0),
    .s_frame_tkeep  (whole),
    .s_frame_tlast  (port_0_m_frame_tlast),
    .s_frame_tuser  (port_0_m_frame_tuser),
    .m_frame_tvalid (lane_0_m_frame_tvalid),
    .m_frame_tready (port_1_s_frame_tready),
    .m_frame_tdata  (lane_0_m_frame_tdata),
    .m_frame_tkeep  (lane_0_m_frame_tkeep),
    .m_frame_tlast  (lane_0_m_frame_tlast),
    .m_frame_tuser  (lane_0_m_frame_tuser),
    .item_tvalid    (lane_0_item_tvalid),
    .item_tready    (merge_item_0_tready),
    .item_tdata     (lane_0_item_tdata),
    .item_tuser     (lane_0_item_tuser),
    .verdict_tvalid (merge_verdict_0_tvalid),
    .verdict_tready (lane_0_verdict_tready),
    .verdict_seen   (merge_verdict_0_seen),
    .awvalid        (to_lane_filter_awvalid),
    .awready        (lane_0_awready),
    .awaddr         (lane_0_awaddr),
    .wvalid         (to_lane_filter_wvalid),
    .wready         (lane_0_wready),
    .wdata          (wdata),
    .wstrb          (wstrb),
    .bvalid         (lane_0_bvalid),
    .bready         (bready),
    .bresp          (lane_0_bresp),
    .arvalid        (to_lane_filter_arvalid),
    .arready        (lane_0_arready),
    .araddr         (lane_0_araddr),
    .rvalid         (lane_0_rvalid),
    .rready         (rready),
    .rdata          (lane_0_rdata),
    .rresp          (lane_0_rresp),
    .next_block     (next_block_0)
  );

  packet_path lane_1 (
    .clock          (clock),
    .reset          (card_reset_reset),
    .s_frame_tvalid (port_1_m_frame_tvalid),
    .s_frame_tready (lane_1_s_frame_tready),
    .s_frame_tdata  (into_1),
    .s_frame_tkeep  (whole),
    .s_frame_tlast  (port_1_m_frame_tlast),
    .s_frame_tuser  (port_1_m_frame_tuser),
    .m_frame_tvalid (lane_1_m_frame_tvalid),
    .m_frame_tready (port_0_s_frame_tready),
    .m_frame_tdata  (lane_1_m_frame_tdata),
    .m_frame_tkeep  (lane_1_m_frame_tkeep),
    .m_frame_tlast  (lane_1_m_frame_tlast),
    .m_frame_tuser  (lane_1_m_frame_tuser),
    .item_tvalid    (lane_1_item_tvalid),
    .item_tready    (merge_item_1_tready),
    .item_tdata     (lane_1_item_tdata),
    .item_tuser     (lane_1_item_tuser),
    .verdict_tvalid (merge_verdict_1_tvalid),
    .verdict_tready (lane_1_verdict_tready),
    .verdict_seen   (merge_verdict_1_seen),
    .awvalid        (to_lane_port_awvalid),
    .awready        (lane_1_awready),
    .awaddr         (lane_1_awaddr),
    .wvalid         (to_lane_port_wvalid),
    .wready         (lane_1_wready),
    .wdata          (wdata),
    .wstrb          (wstrb),
    .bvalid         (lane_1_bvalid),
    .bready         (bready),
    .bresp          (lane_1_bresp),
    .arvalid        (to_lane_port_arvalid),
    .arready        (lane_1_arready),
    .araddr         (lane_1_araddr),
    .rvalid         (lane_1_rvalid),
    .rready         (rready),
    .rdata          (lane_1_rdata),
    .rresp          (lane_1_rresp),
    .next_block     (next_block_1)
  );

  // items and verdicts
  lane_merge merge (
    .clock            (clock),
    .reset            (card_reset_reset),
    .item_0_tvalid    (lane_0_item_tvalid),
    .item_0_tready    (merge_item_0_tready),
    .item_0_tdata     (lane_0_item_tdata),
    .item_0_tuser     (lane_0_item_tuser),
    .item_1_tvalid    (lane_1_item_tvalid),
    .item_1_tready    (merge_item_1_tready),
    .item_1_tdata     (lane_1_item_tdata),
    .item_1_tuser     (lane_1_item_tuser),
    .verdict_0_tvalid (merge_verdict_0_tvalid),
    .verdict_0_tready (lane_0_verdict_tready),
    .verdict_0_seen   (merge_verdict_0_seen),
    .verdict_1_tvalid (merge_verdict_1_tvalid),
    .verdict_1_tready (lane_1_verdict_tready),
    .verdict_1_seen   (merge_verdict_1_seen),
    .item_tvalid      (merge_item_tvalid),
    .item_tready      (item_tready),
    .item_tdata       (merge_item_tdata),
    .item_tuser       (merge_item_tuser),
    .item_tid         (merge_item_tid),
    .verdict_tvalid   (verdict_tvalid),
    .verdict_tready   (merge_verdict_tready),
    .verdict_tid      (verdict_tid),
    .verdict_seen     (verdict_seen),
    .item_taken       (merge_item_taken),
    .item_seen        (merge_item_seen)
  );

  // the host
  uart_bridge bridge (
    .clock   (clock),
    .reset   (card_reset_reset),
    .uart_rx (uart_rx),
    .uart_tx (bridge_uart_tx),
    .awvalid (bridge_awvalid),
    .awready (to_ports_awready),
    .awaddr  (bridge_awaddr),
    .wvalid  (bridge_wvalid),
    .wready  (to_ports_wready),
    .wdata   (bridge_wdata),
    .wstrb   (bridge_wstrb),
    .bvalid  (to_ports_bvalid),
    .bready  (bridge_bready),
    .bresp   (to_ports_bresp),
    .arvalid (bridge_arvalid),
    .arready (to_ports_arready),
    .araddr  (bridge_araddr),
    .rvalid  (to_ports_rvalid),
    .rready  (bridge_rready),
    .rdata   (to_ports_rdata),
    .rresp   (to_ports_rresp)
  );

  // to the ports' registers, or what is below them
  ports_split to_ports (
    .clock          (clock),
    .reset          (card_reset_reset),
    .awvalid        (bridge_awvalid),
    .awready        (to_ports_awready),
    .awaddr         (bridge_awaddr),
    .wvalid         (bridge_wvalid),
    .wready         (to_ports_wready),
    .bvalid         (to_ports_bvalid),
    .bready         (bready),
    .bresp          (to_ports_bresp),
    .arvalid        (bridge_arvalid),
    .arready        (to_ports_arready),
    .araddr         (bridge_araddr),
    .rvalid         (to_ports_rvalid),
    .rready         (rready),
    .rdata          (to_ports_rdata),
    .rresp          (to_ports_rresp),
    .filter_awvalid (to_ports_filter_awvalid),
    .filter_awready (to_lanes_awready),
    .filter_wvalid  (to_ports_filter_wvalid),
    .filter_wready  (to_lanes_wready),
    .filter_bvalid  (to_lanes_bvalid),
    .filter_bresp   (to_lanes_bresp),
    .filter_arvalid (to_ports_filter_arvalid),
    .filter_arready (to_lanes_arready),
    .filter_rvalid  (to_lanes_rvalid),
    .filter_rdata   (to_lanes_rdata),
    .filter_rresp   (to_lanes_rresp),
    .port_awvalid   (to_ports_port_awvalid),
    .port_awready   (registers_awready),
    .port_wvalid    (to_ports_port_wvalid),
    .port_wready    (registers_wready),
    .port_bvalid    (registers_bvalid),
    .port_bresp     (registers_bresp),
    .port_arvalid   (to_ports_port_arvalid),
    .port_arready   (registers_arready),
    .port_rvalid    (registers_rvalid),
    .port_rdata     (registers_rdata),
    .port_rresp     (registers_rresp),
    .slave_awaddr   (to_ports_slave_awaddr),
    .slave_araddr   (to_ports_slave_araddr)
  );

  // to a lane, or to the card
  path_split to_lanes (
    .clock          (clock),
    .reset          (card_reset_reset),
    .awvalid        (to_ports_filter_awvalid),
    .awready        (to_lanes_awready),
    .awaddr         (to_ports_slave_awaddr),
    .wvalid         (to_ports_filter_wvalid),
    .wready         (to_lanes_wready),
    .bvalid         (to_lanes_bvalid),
    .bready         (bready),
    .bresp          (to_lanes_bresp),
    .arvalid        (to_ports_filter_arvalid),
    .arready        (to_lanes_arready),
    .araddr         (to_ports_slave_araddr),
    .rvalid         (to_lanes_rvalid),
    .rready         (rready),
    .rdata          (to_lanes_rdata),
    .rresp          (to_lanes_rresp),
    .filter_awvalid (to_lanes_filter_awvalid),
    .filter_awready (awready),
    .filter_wvalid  (to_lanes_filter_wvalid),
    .filter_wready  (wready),
    .filter_bvalid  (bvalid),
    .filter_bresp   (bresp),
    .filter_arvalid (to_lanes_filter_arvalid),
    .filter_arready (arready),
    .filter_rvalid  (rvalid),
    .filter_rdata   (rdata),
    .filter_rresp   (rresp),
    .port_awvalid   (to_lanes_port_awvalid),
    .port_awready   (to_lane_awready),
    .port_wvalid    (to_lanes_port_wvalid),
    .port_wready    (to_lane_wready),
    .port_bvalid    (to_lane_bvalid),
    .port_bresp     (to_lane_bresp),
    .port_arvalid   (to_lanes_port_arvalid),
    .port_arready   (to_lane_arready),
    .port_rvalid    (to_lane_rvalid),
    .port_rdata     (to_lane_rdata),
    .port_rresp     (to_lane_rresp),
    .slave_awaddr   (to_lanes_slave_awaddr),
    .slave_araddr   (to_lanes_slave_araddr)
  );

  // to lane 0, or to lane 1
  lane_split to_lane (
    .clock          (clock),
    .reset          (card_reset_reset),
    .awvalid        (to_lanes_port_awvalid),
    .awready        (to_lane_awready),
    .awaddr         (to_lanes_slave_awaddr),
    .wvalid         (to_lanes_port_wvalid),
    .wready         (to_lane_wready),
    .bvalid         (to_lane_bvalid),
    .bready         (bready),
    .bresp          (to_lane_bresp),
    .arvalid        (to_lanes_port_arvalid),
    .arready        (to_lane_arready),
    .araddr         (to_lanes_slave_araddr),
    .rvalid         (to_lane_rvalid),
    .rready         (rready),
    .rdata          (to_lane_rdata),
    .rresp          (to_lane_rresp),
    .filter_awvalid (to_lane_filter_awvalid),
    .filter_awready (lane_0_awready),
    .filter_wvalid  (to_lane_filter_wvalid),
    .filter_wready  (lane_0_wready),
    .filter_bvalid  (lane_0_bvalid),
    .filter_bresp   (lane_0_bresp),
    .filter_arvalid (to_lane_filter_arvalid),
    .filter_arready (lane_0_arready),
    .filter_rvalid  (lane_0_rvalid),
    .filter_rdata   (lane_0_rdata),
    .filter_rresp   (lane_0_rresp),
    .port_awvalid   (to_lane_port_awvalid),
    .port_awready   (lane_1_awready),
    .port_wvalid    (to_lane_port_wvalid),
    .port_wready    (lane_1_wready),
    .port_bvalid    (lane_1_bvalid),
    .port_bresp     (lane_1_bresp),
    .port_arvalid   (to_lane_port_arvalid),
    .port_arready   (lane_1_arready),
    .port_rvalid    (lane_1_rvalid),
    .port_rdata     (lane_1_rdata),
    .port_rresp     (lane_1_rresp),
    .slave_awaddr   (to_lane_slave_awaddr),
    .slave_araddr   (to_lane_slave_araddr)
  );

  port_registers registers (
    .clock    (clock),
    .reset    (card_reset_reset),
    .awvalid  (to_ports_port_awvalid),
    .awready  (registers_awready),
    .awaddr   (to_ports_slave_awaddr),
    .wvalid   (to_ports_port_wvalid),
    .wready   (registers_wready),
    .wdata    (wdata),
    .wstrb    (wstrb),
    .bvalid   (registers_bvalid),
    .bready   (bready),
    .bresp    (registers_bresp),
    .arvalid  (to_ports_port_arvalid),
    .arready  (registers_arready),
    .araddr   (to_ports_slave_araddr),
    .rvalid   (registers_rvalid),
    .rready   (rready),
    .rdata    (registers_rdata),
    .rresp    (registers_rresp),
    .link     (registers_link),
    .count_0  (port_0_frames_good),
    .count_1  (port_0_frames_bad_fcs),
    .count_2  (port_0_frames_runt),
    .count_3  (port_0_frames_error),
    .count_4  (port_0_overflows),
    .count_5  (port_0_frames_sent),
    .count_6  (port_0_frames_broken),
    .count_7  (port_0_underruns),
    .count_8  (port_1_frames_good),
    .count_9  (port_1_frames_bad_fcs),
    .count_10 (port_1_frames_runt),
    .count_11 (port_1_frames_error),
    .count_12 (port_1_overflows),
    .count_13 (port_1_frames_sent),
    .count_14 (port_1_frames_broken),
    .count_15 (port_1_underruns)
  );

  assign reset = card_reset_reset;
  assign rgmii_0_tx_clock = port_0_rgmii_tx_clock;
  assign rgmii_0_tx_control = port_0_rgmii_tx_control;
  assign rgmii_0_tx_data = port_0_rgmii_tx_data;
  assign rgmii_1_tx_clock = port_1_rgmii_tx_clock;
  assign rgmii_1_tx_control = port_1_rgmii_tx_control;
  assign rgmii_1_tx_data = port_1_rgmii_tx_data;
  assign out_of_0 = lane_0_m_frame_tdata;
  assign out_of_1 = lane_1_m_frame_tdata;
  assign into_0 = port_0_m_frame_tdata;
  assign into_1 = port_1_m_frame_tdata;
  assign item_tvalid = merge_item_tvalid;
  assign item_tdata = merge_item_tdata;
  assign item_tuser = merge_item_tuser;
  assign item_tid = merge_item_tid;
  assign verdict_tready = merge_verdict_tready;
  assign item_taken = merge_item_taken;
  assign item_seen = merge_item_seen;
  assign uart_tx = bridge_uart_tx;
  assign wstrb = bridge_wstrb;
  assign wdata = bridge_wdata;
  assign bready = bridge_bready;
  assign rready = bridge_rready;
  assign awvalid = to_lanes_filter_awvalid;
  assign awaddr = to_lanes_slave_awaddr;
  assign wvalid = to_lanes_filter_wvalid;
  assign arvalid = to_lanes_filter_arvalid;
  assign araddr = to_lanes_slave_araddr;
  assign lane_0_awaddr = {1'b0, to_lane_slave_awaddr};
  assign lane_0_araddr = {1'b0, to_lane_slave_araddr};
  assign lane_1_awaddr = {1'b0, to_lane_slave_awaddr};
  assign lane_1_araddr = {1'b0, to_lane_slave_araddr};

  // what the ports tell
  assign link = {port_1_link_up, port_0_link_up};
  assign registers_link = {port_1_link_full_duplex, port_1_link_speed, port_1_link_up, port_0_link_full_duplex, port_0_link_speed, port_0_link_up};

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, card_reset_holding, port_0_reset, port_1_reset, lane_0_m_frame_tkeep, lane_0_m_frame_tuser, lane_1_m_frame_tkeep, lane_1_m_frame_tuser};
endmodule

// Says when the item stream is ready, and acts between two items: clear, recycle, a new threshold, bits of a host, ageing, start after reset.
// RUN; on a request DRAIN (let every item retire, then force the recycles or set the bits it asks for), LOAD (take threshold and count), RUN.
module sequencer (
  input  wire        clock,
  input  wire        reset,           // start with two empty halves
  input  wire        valid,           // an item is offered
  input  wire        clear_pending,   // a clear was written
  input  wire        write_pending,   // a clear, a recycle, a threshold or bits were written
  input  wire [31:0] max_age,         // age limit of the active half in ticks of 1024 clocks; 0: none
  input  wire        trip,            // the slot in stage D recycles
  input  wire        blocked,         // the active half has no spare epoch
  input  wire        one_at_a_time,   // admit an item only when the one before has retired
  input  wire        credit,          // the verdict queue has room for what is in flight and more
  input  wire        recycle_pending, // a recycle was written
  input  wire        set_asked,       // a host writes bits of the array
  input  wire        fetch_asked,     // a host asks for a word of the array
  output wire        ready,           // the item stream is ready
  output wire        accept,          // an item is accepted
  output wire        force_recycle,   // issue a recycle without an item
  output wire        aged,            // it is one by age or command
  output wire        fetch,           // issue the fetch of a word
  output wire        set,             // issue the setting of bits in one
  output wire        take_limit,      // take the threshold register into force
  output wire        load_room,       // load the decision loop
  output wire        finished,        // pending clear and threshold are done
  output wire        running,         // state RUN
  output wire        stall_recycle,   // not ready: waiting for an epoch to become free, or one item at a time
  output wire        stall_control,   // not ready: a command, a threshold, ageing, a word to be fetched or bits to be set, or start
  output wire        stall_verdict    // not ready: back-pressure of the verdict stream
);
  localparam [4:0]  retire           = 5'd25;   // clocks until an item accepted now has left every trace
  localparam [4:0]  load_clocks      = 5'd7;
  localparam [1:0]  clear_forces     = 2'd2;    // recycles that empty everything
  localparam [1:0]  one_force        = 2'd1;
  localparam [1:0]  no_force         = 2'd0;
  localparam [31:0] no_age           = 32'd0;
  localparam [4:0]  no_hold          = 5'd0;
  localparam [4:0]  before_still     = 5'd12;   // hold in the clock before still
  localparam [9:0]  no_tick          = 10'd0;
  localparam [9:0]  tick_before_last = 10'h3fe;

  reg        run_r;
  reg        load_r;
  reg [4:0]  waiting;
  reg        waited;     // waiting has come to 0; it counts on
  reg [4:0]  hold;
  reg        holding;    // one at a time: the last item has not retired (hold counts on)
  reg        still;      // the last item has its words in memory when a fetch issued now reads
  reg        fetch_due;  // a word is to be fetched
  reg        set_due;    // bits are to be set in one
  reg        sets;       // what is forced sets bits
  reg [1:0]  forces;
  reg        force_due;  // DRAIN, waited, forces > 0
  reg        first_load; // LOAD, waiting = load_clocks
  reg        last_load;  // LOAD, waiting = 1
  reg        aged_r;
  reg        serving;
  reg        ready_r;
  reg        recycle_r;
  reg        control_r;
  reg        verdict_r;
  reg [9:0]  tick;
  reg        last_tick;  // every bit of tick is set
  reg [31:0] age;
  reg        oldest;     // age cannot grow; a clock late, of 1024 between two ticks
  reg        age_due;

  wire request;
  wire accepted;
  wire forcing;
  wire setting;
  wire fetching;
  wire may_run;
  wire may_recycle;

  assign accepted = valid && ready_r;
  assign request = write_pending || age_due;

  // what happens between items; comparisons with counters are made a clock ahead
  assign forcing = force_due && !sets && !blocked;
  assign setting = force_due && sets;
  assign take_limit = first_load;
  assign load_room = last_load;
  assign finished = load_r && waited && serving;
  assign force_recycle = forcing && !reset;
  assign aged = forcing && aged_r && !reset;
  assign set = setting && !reset;
  assign fetching = run_r && fetch_due && still && !ready_r;
  assign fetch = fetching && !reset;
  assign may_run = run_r && !request && !fetch_due;
  assign may_recycle = !blocked && !holding && !(one_at_a_time && accepted);
  assign ready = ready_r;
  assign accept = accepted;
  assign running = run_r;
  assign stall_recycle = recycle_r;
  assign stall_control = control_r;
  assign stall_verdict = verdict_r;

  initial begin
    run_r = 1'b0;
    load_r = 1'b0;
    waiting = 5'd25;
    waited = 1'b0;
    hold = 5'd0;
    holding = 1'b0;
    still = 1'b1;
    fetch_due = 1'b0;
    set_due = 1'b0;
    sets = 1'b0;
    forces = 2'd2;
    force_due = 1'b0;
    first_load = 1'b0;
    last_load = 1'b0;
    aged_r = 1'b0;
    serving = 1'b0;
    ready_r = 1'b0;
    recycle_r = 1'b0;
    control_r = 1'b0;
    verdict_r = 1'b0;
    tick = 10'd0;
    last_tick = 1'b0;
    age = 32'd0;
    oldest = 1'b0;
    age_due = 1'b0;
  end

  always @(posedge clock) begin
    sets <= sets && !setting;
    set_due <= set_asked || (set_due && !setting);
    waiting <= waiting - 5'd1;
    waited <= waited || (waiting == 5'd1);
    force_due <= force_due && !sets && blocked;
    first_load <= 1'b0;
    last_load <= 1'b0;
    if (run_r) begin
      // what a request asks for is taken in every clock and counts from the clock that leaves RUN
      run_r <= !request;
      waiting <= retire;
      waited <= 1'b0;
      aged_r <= !clear_pending;
      serving <= write_pending;
      sets <= set_due;
      forces <= no_force;
      if (clear_pending) begin
        forces <= clear_forces;
      end else if (set_due || recycle_pending || age_due) begin
        forces <= one_force;
      end
    end else if (!waited) begin
      force_due <= !load_r && (|forces) && (waiting == 5'd1);
      last_load <= load_r && (waiting == 5'd2);
    end else if (load_r) begin
      load_r <= 1'b0;
      run_r <= 1'b1;
    end else if (!(|forces)) begin
      load_r <= 1'b1;
      first_load <= 1'b1;
      waiting <= load_clocks;
      waited <= 1'b0;
    end else if (forcing || setting) begin
      forces <= forces - 2'd1;
      waiting <= retire;
      waited <= 1'b0;
    end

    // a word for the host: when the last item's words are written, in a clock without one
    still <= (still || (hold == before_still)) && !accepted;
    fetch_due <= fetch_asked || (fetch_due && !fetching);

    // admission
    holding <= holding && (hold != 5'd1);
    if (accepted) begin
      hold <= retire;
      holding <= one_at_a_time;
    end else begin
      hold <= hold - 5'd1;
    end
    ready_r <= may_run && may_recycle && credit && !reset;
    control_r <= !may_run && !reset;
    recycle_r <= may_run && !may_recycle && !reset;
    verdict_r <= may_run && may_recycle && !credit && !reset;

    // age of the active half
    tick <= tick + 10'd1;
    last_tick <= tick == tick_before_last;
    if (last_tick && !oldest) begin
      age <= age + 32'd1;
    end
    oldest <= (&age) && !trip;
    if (trip) begin
      age <= no_age;
    end
    age_due <= (|max_age) && (age >= max_age);
    if (reset) begin
      run_r <= 1'b0;
      load_r <= 1'b0;
      waiting <= retire;
      waited <= 1'b0;
      hold <= no_hold;
      holding <= 1'b0;
      still <= 1'b1;
      fetch_due <= 1'b0;
      set_due <= 1'b0;
      sets <= 1'b0;
      forces <= clear_forces;
      force_due <= 1'b0;
      first_load <= 1'b0;
      last_load <= 1'b0;
      aged_r <= 1'b0;
      serving <= 1'b0;
      tick <= no_tick;
      last_tick <= 1'b0;
      oldest <= 1'b0;
      age <= no_age;
      age_due <= 1'b0;
    end
  end
endmodule

// What stands in each stage: an item, a forced recycle, a word for the host, a refresh or nothing. A slot left empty refreshes one word of the
// active half with its present contents, so that it bears the current epoch.
module slots (
  input  wire       clock,
  input  wire       reset,          // empties every slot that has not been decided
  input  wire       accept,         // an item is accepted
  input  wire [1:0] operation,      // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire       force_recycle,  // a recycle without an item is issued
  input  wire       fetch,          // the fetch of a word for the host is issued
  input  wire [8:0] fetch_address,  // that word
  input  wire       set,            // the setting of bits in it is issued
  input  wire       covered,        // no word of the active half needs a refresh
  input  wire       trip,           // the slot in stage D recycles
  output wire       direct,         // the slot entering stage 0 is a refresh, a fetch or a set
  output reg  [8:0] direct_address, // its word
  output wire       near_inserting, // bit i: the slot in stage 8 + i inserts
  output wire       inserting_8,    // the slot in stage 8 inserts
  output wire       inserting_9,    // the slot in stage 9 inserts
  output wire       far_inserting,  // the slot in stage D - 1 inserts
  output wire       forced,         // the slot in stage D - 1 recycles in any case
  output wire       item,           // stage D: an item
  output wire       inserting,      // stage D: it inserts
  output wire       answering,      // stage D: it wants a verdict
  output wire       setting,        // stage D + 1: it inserts
  output wire       tripped,        // stage D + 1: it recycled
  output wire       storing,        // stage D + 1: it writes
  output wire       current,        // stage W: nothing decided behind it before stage D recycled
  output wire       write_enable,   // stage W: it writes
  output wire       recycled,       // stage W: it recycled
  output wire       fetching_6,     // stage 6: a fetch or a set
  output wire       fetched,        // stage 8: a fetch, whose word is there
  output wire       finding_6,      // it is a set
  output wire       found,          // stage 8: a set, the word before it is there
  output wire       adding          // stage D + 1: a set
);
  localparam        retain     = 1'b1;  // the item that trips opens the new cycle
  localparam [17:0] no_line    = 18'd0;
  localparam [16:0] no_force   = 17'd0;
  localparam [11:0] no_refresh = 12'd0;
  localparam [14:0] no_fetch   = 15'd0;

  reg [17:0] item_line;
  reg [17:0] insert_line;
  reg [17:0] answer_line;
  reg [16:0] force_line;
  reg [11:0] refresh_line;
  reg [14:0] fetch_line;
  reg [17:0] set_line;
  reg [8:0]  address;
  reg        setting_d1;
  reg        adding_d1;
  reg        trip_d1;
  reg        trip_d2;
  reg        trip_w;
  reg        store_d1;
  reg        store_d2;
  reg        store_w;
  reg        current_d2;
  reg        current_w;

  wire entering_item;
  wire entering_insert;
  wire entering_answer;
  wire entering_refresh;
  wire entering_fetch;
  wire entering_set;

  assign entering_item = accept;
  assign entering_insert = accept && (operation != 2'd0);
  assign entering_answer = accept && (operation != 2'd1);

  // an empty slot becomes a refresh where it enters stage 0
  assign entering_set = set_line[5];
  assign entering_fetch = fetch_line[5] || entering_set;
  assign entering_refresh = !reset && !covered && !item_line[5] && !force_line[5] && !entering_fetch;
  assign direct = entering_refresh || entering_fetch;
  assign fetching_6 = fetch_line[12] || set_line[12];
  assign fetched = fetch_line[14];
  assign finding_6 = set_line[12];
  assign found = set_line[14];

  // before the decision
  assign near_inserting = insert_line[14];
  assign inserting_8 = insert_line[14];
  assign inserting_9 = insert_line[15];
  assign far_inserting = insert_line[16];
  assign forced = force_line[16];

  // at the decision
  assign item = item_line[17];
  assign inserting = insert_line[17];
  assign answering = answer_line[17];
  assign setting = setting_d1;
  assign adding = adding_d1;
  assign tripped = trip_d1;
  assign storing = store_d1;
  assign current = current_w;
  assign write_enable = store_w;
  assign recycled = trip_w;

  initial begin
    item_line = 18'd0;
    insert_line = 18'd0;
    answer_line = 18'd0;
    force_line = 17'd0;
    refresh_line = 12'd0;
    fetch_line = 15'd0;
    set_line = 18'd0;
    address = 9'd0;
    setting_d1 = 1'b0;
    adding_d1 = 1'b0;
    trip_d1 = 1'b0;
    trip_d2 = 1'b0;
    trip_w = 1'b0;
    store_d1 = 1'b0;
    store_d2 = 1'b0;
    store_w = 1'b0;
    current_d2 = 1'b0;
    current_w = 1'b0;
  end

  always @* begin
    direct_address = address;
    if (entering_fetch) begin
      direct_address = fetch_address;
    end
  end

  always @(posedge clock) begin
    item_line <= {item_line[16:0], entering_item};
    insert_line <= {insert_line[16:0], entering_insert};
    answer_line <= {answer_line[16:0], entering_answer};
    force_line <= {force_line[15:0], force_recycle};
    fetch_line <= {fetch_line[13:0], fetch};
    set_line <= {set_line[16:0], set};
    refresh_line <= {refresh_line[10:0], entering_refresh || entering_set};
    if (entering_refresh) begin
      address <= address + 9'd1;
    end
    if (reset) begin
      item_line <= no_line;
      insert_line <= no_line;
      answer_line <= no_line;
      force_line <= no_force;
      refresh_line <= no_refresh;
      fetch_line <= no_fetch;
      set_line <= no_line;
    end

    // behind it: not reset, what has been decided is finished
    setting_d1 <= inserting;
    adding_d1 <= set_line[17];
    trip_d1 <= trip;
    trip_d2 <= trip_d1;
    trip_w <= trip_d2;
    store_d1 <= (inserting && (retain || !trip)) || refresh_line[11];
    store_d2 <= store_d1;
    store_w <= store_d2;
    current_d2 <= !trip;
    current_w <= current_d2 && !trip;
  end
endmodule

// Each output is the sum (exclusive or) of the key bits whose row has it, and of the offset's bit.
module hash_layer_1 (
  input  wire [103:0] x,
  output wire [63:0]  y
);
  assign y[0] = x[5] ^ x[8] ^ x[12] ^ x[14] ^ x[18] ^ x[36] ^ x[42] ^ x[49] ^ x[50] ^ x[82] ^ x[83] ^ x[87] ^ x[89];
  assign y[1] = x[0] ^ x[4] ^ x[10] ^ x[17] ^ x[35] ^ x[63] ^ x[65] ^ x[74] ^ x[75] ^ x[77] ^ x[78] ^ x[79] ^ x[88] ^ x[91] ^ x[92] ^ 1'b1;
  assign y[2] = x[13] ^ x[28] ^ x[30] ^ x[41] ^ x[46] ^ x[55] ^ x[56] ^ x[76] ^ x[85] ^ x[90] ^ x[94] ^ x[100] ^ x[102];
  assign y[3] = x[3] ^ x[15] ^ x[16] ^ x[26] ^ x[40] ^ x[45] ^ x[59] ^ x[61] ^ x[62] ^ x[64] ^ x[67] ^ x[69] ^ x[70] ^ x[86] ^ x[93] ^ x[96]
    ^ x[99];
  assign y[4] = x[20] ^ x[22] ^ x[29] ^ x[32] ^ x[34] ^ x[37] ^ x[47] ^ x[54] ^ x[57] ^ x[58] ^ x[60] ^ x[81] ^ 1'b1;
  assign y[5] = x[6] ^ x[7] ^ x[21] ^ x[25] ^ x[31] ^ x[48] ^ x[72] ^ x[73] ^ x[95];
  assign y[6] = x[2] ^ x[9] ^ x[11] ^ x[19] ^ x[38] ^ x[43] ^ x[44] ^ x[68] ^ x[71] ^ x[80] ^ x[84] ^ x[98] ^ x[101];
  assign y[7] = x[1] ^ x[23] ^ x[24] ^ x[27] ^ x[33] ^ x[39] ^ x[51] ^ x[52] ^ x[53] ^ x[66] ^ x[97] ^ x[103];
  assign y[8] = x[0] ^ x[5] ^ x[12] ^ x[19] ^ x[29] ^ x[35] ^ x[38] ^ x[39] ^ x[66] ^ x[69] ^ x[82] ^ x[85] ^ x[88] ^ x[92];
  assign y[9] = x[3] ^ x[13] ^ x[18] ^ x[21] ^ x[28] ^ x[34] ^ x[51] ^ x[54] ^ x[68] ^ x[77] ^ x[86] ^ x[96] ^ 1'b1;
  assign y[10] = x[9] ^ x[33] ^ x[44] ^ x[50] ^ x[55] ^ x[56] ^ x[57] ^ x[70] ^ x[72] ^ x[89] ^ x[91] ^ x[94] ^ x[98] ^ x[103];
  assign y[11] = x[2] ^ x[20] ^ x[23] ^ x[32] ^ x[36] ^ x[43] ^ x[59] ^ x[73] ^ x[81] ^ x[93] ^ x[100] ^ 1'b1;
  assign y[12] = x[1] ^ x[6] ^ x[10] ^ x[16] ^ x[27] ^ x[40] ^ x[48] ^ x[65] ^ x[75] ^ x[95] ^ x[101] ^ x[102] ^ 1'b1;
  assign y[13] = x[8] ^ x[14] ^ x[22] ^ x[26] ^ x[31] ^ x[52] ^ x[53] ^ x[60] ^ x[62] ^ x[63] ^ x[80] ^ x[83] ^ x[97] ^ 1'b1;
  assign y[14] = x[7] ^ x[17] ^ x[24] ^ x[25] ^ x[41] ^ x[45] ^ x[47] ^ x[61] ^ x[67] ^ x[76] ^ x[78] ^ x[90];
  assign y[15] = x[4] ^ x[11] ^ x[15] ^ x[30] ^ x[37] ^ x[42] ^ x[46] ^ x[49] ^ x[58] ^ x[64] ^ x[71] ^ x[74] ^ x[79] ^ x[84] ^ x[87] ^ x[99];
  assign y[16] = x[15] ^ x[32] ^ x[33] ^ x[42] ^ x[57] ^ x[84] ^ x[101];
  assign y[17] = x[1] ^ x[31] ^ x[43] ^ x[45] ^ x[55] ^ x[56] ^ x[59] ^ x[70] ^ x[80] ^ x[82] ^ x[93] ^ x[97] ^ x[100] ^ 1'b1;
  assign y[18] = x[5] ^ x[6] ^ x[13] ^ x[20] ^ x[22] ^ x[29] ^ x[38] ^ x[51] ^ x[52] ^ x[53] ^ x[63] ^ x[78] ^ x[88] ^ x[102] ^ 1'b1;
  assign y[19] = x[0] ^ x[17] ^ x[24] ^ x[48] ^ x[49] ^ x[54] ^ x[61] ^ x[75] ^ x[85] ^ x[90];
  assign y[20] = x[3] ^ x[18] ^ x[25] ^ x[27] ^ x[34] ^ x[36] ^ x[37] ^ x[39] ^ x[68] ^ x[74] ^ x[77] ^ x[92] ^ x[95] ^ x[96] ^ x[103] ^ 1'b1;
  assign y[21] = x[2] ^ x[7] ^ x[10] ^ x[16] ^ x[19] ^ x[40] ^ x[46] ^ x[47] ^ x[62] ^ x[65] ^ x[67] ^ x[69] ^ x[72] ^ x[79] ^ x[81] ^ x[86]
    ^ x[91] ^ x[99] ^ 1'b1;
  assign y[22] = x[4] ^ x[8] ^ x[9] ^ x[14] ^ x[23] ^ x[26] ^ x[28] ^ x[30] ^ x[41] ^ x[44] ^ x[50] ^ x[58] ^ x[60] ^ x[64] ^ x[66] ^ x[71]
    ^ x[73] ^ x[83] ^ x[89] ^ x[94] ^ 1'b1;
  assign y[23] = x[11] ^ x[12] ^ x[21] ^ x[35] ^ x[76] ^ x[87] ^ x[98];
  assign y[24] = x[25] ^ x[29] ^ x[32] ^ x[40] ^ x[45] ^ x[61] ^ x[66] ^ x[77] ^ x[81] ^ x[83] ^ x[85] ^ x[87] ^ x[99];
  assign y[25] = x[5] ^ x[13] ^ x[35] ^ x[37] ^ x[55] ^ x[59] ^ x[62] ^ x[64] ^ x[68] ^ x[71] ^ x[76] ^ x[79] ^ x[80] ^ x[89];
  assign y[26] = x[2] ^ x[4] ^ x[7] ^ x[18] ^ x[20] ^ x[46] ^ x[47] ^ x[54] ^ x[65] ^ x[90] ^ x[98] ^ x[101] ^ 1'b1;
  assign y[27] = x[9] ^ x[14] ^ x[19] ^ x[22] ^ x[24] ^ x[26] ^ x[28] ^ x[50] ^ x[63] ^ x[69] ^ x[73];
  assign y[28] = x[3] ^ x[23] ^ x[30] ^ x[39] ^ x[43] ^ x[49] ^ x[56] ^ x[84] ^ x[86] ^ x[91];
  assign y[29] = x[11] ^ x[15] ^ x[16] ^ x[17] ^ x[51] ^ x[53] ^ x[70] ^ x[72] ^ x[82] ^ x[88] ^ x[94] ^ x[95];
  assign y[30] = x[0] ^ x[1] ^ x[6] ^ x[8] ^ x[12] ^ x[27] ^ x[31] ^ x[33] ^ x[36] ^ x[38] ^ x[52] ^ x[75] ^ x[92] ^ x[96] ^ x[100] ^ x[102];
  assign y[31] = x[10] ^ x[21] ^ x[34] ^ x[41] ^ x[42] ^ x[44] ^ x[48] ^ x[57] ^ x[58] ^ x[60] ^ x[67] ^ x[74] ^ x[78] ^ x[93] ^ x[97] ^ x[103]
    ^ 1'b1;
  assign y[32] = x[5] ^ x[7] ^ x[11] ^ x[16] ^ x[19] ^ x[21] ^ x[22] ^ x[30] ^ x[40] ^ x[47] ^ x[69] ^ x[76] ^ x[78] ^ x[87];
  assign y[33] = x[36] ^ x[37] ^ x[44] ^ x[50] ^ x[54] ^ x[62] ^ x[64] ^ x[66] ^ x[85] ^ x[89] ^ x[92] ^ x[103];
  assign y[34] = x[13] ^ x[17] ^ x[31] ^ x[38] ^ x[39] ^ x[65] ^ x[70] ^ x[86] ^ x[90] ^ x[93] ^ x[96];
  assign y[35] = x[4] ^ x[6] ^ x[8] ^ x[23] ^ x[24] ^ x[45] ^ x[48] ^ x[68] ^ x[81] ^ x[82] ^ x[91] ^ x[97];
  assign y[36] = x[3] ^ x[10] ^ x[15] ^ x[20] ^ x[27] ^ x[51] ^ x[56] ^ x[57] ^ x[67] ^ x[79] ^ x[84] ^ x[88] ^ x[94] ^ x[95] ^ x[101] ^ 1'b1;
  assign y[37] = x[0] ^ x[2] ^ x[12] ^ x[14] ^ x[29] ^ x[35] ^ x[46] ^ x[59] ^ x[60] ^ x[83] ^ x[99];
  assign y[38] = x[1] ^ x[9] ^ x[18] ^ x[32] ^ x[43] ^ x[49] ^ x[52] ^ x[55] ^ x[61] ^ x[63] ^ x[71] ^ x[75] ^ x[77] ^ x[98] ^ x[102];
  assign y[39] = x[25] ^ x[26] ^ x[28] ^ x[33] ^ x[34] ^ x[41] ^ x[42] ^ x[53] ^ x[58] ^ x[72] ^ x[73] ^ x[74] ^ x[80] ^ x[100] ^ 1'b1;
  assign y[40] = x[14] ^ x[42] ^ x[55] ^ x[64] ^ x[65] ^ x[75] ^ x[78] ^ x[81] ^ x[85] ^ x[92] ^ x[97] ^ x[100] ^ 1'b1;
  assign y[41] = x[21] ^ x[32] ^ x[40] ^ x[48] ^ x[58] ^ x[70] ^ x[84] ^ x[93];
  assign y[42] = x[5] ^ x[9] ^ x[15] ^ x[16] ^ x[28] ^ x[35] ^ x[43] ^ x[53] ^ x[73] ^ x[74] ^ x[83] ^ x[86] ^ x[87] ^ x[89] ^ x[90] ^ x[101]
    ^ 1'b1;
  assign y[43] = x[4] ^ x[19] ^ x[26] ^ x[29] ^ x[44] ^ x[46] ^ x[52] ^ x[56] ^ x[67] ^ x[79] ^ x[80];
  assign y[44] = x[0] ^ x[2] ^ x[6] ^ x[8] ^ x[10] ^ x[12] ^ x[20] ^ x[25] ^ x[38] ^ x[39] ^ x[47] ^ x[50] ^ x[60] ^ x[63] ^ x[66] ^ x[68]
    ^ x[71] ^ x[88] ^ x[96];
  assign y[45] = x[1] ^ x[3] ^ x[23] ^ x[34] ^ x[49] ^ x[54] ^ x[57] ^ x[59] ^ x[69] ^ x[94] ^ x[103];
  assign y[46] = x[18] ^ x[22] ^ x[31] ^ x[37] ^ x[45] ^ x[51] ^ x[77] ^ x[95] ^ x[99] ^ 1'b1;
  assign y[47] = x[7] ^ x[11] ^ x[13] ^ x[17] ^ x[24] ^ x[27] ^ x[30] ^ x[33] ^ x[36] ^ x[41] ^ x[61] ^ x[62] ^ x[72] ^ x[76] ^ x[82] ^ x[91]
    ^ x[98] ^ x[102] ^ 1'b1;
  assign y[48] = x[0] ^ x[3] ^ x[4] ^ x[9] ^ x[57] ^ x[62] ^ x[66] ^ x[78] ^ x[80] ^ x[81] ^ x[91] ^ 1'b1;
  assign y[49] = x[7] ^ x[29] ^ x[30] ^ x[31] ^ x[41] ^ x[54] ^ x[69] ^ x[74] ^ x[90] ^ x[93] ^ x[97] ^ 1'b1;
  assign y[50] = x[12] ^ x[17] ^ x[19] ^ x[20] ^ x[23] ^ x[25] ^ x[28] ^ x[36] ^ x[42] ^ x[43] ^ x[49] ^ x[50] ^ x[71] ^ x[76] ^ x[83] ^ x[85]
    ^ x[94] ^ x[99] ^ x[100];
  assign y[51] = x[1] ^ x[11] ^ x[14] ^ x[18] ^ x[26] ^ x[44] ^ x[46] ^ x[48] ^ x[53] ^ x[56] ^ x[65] ^ x[72] ^ x[89] ^ x[95] ^ x[96];
  assign y[52] = x[2] ^ x[22] ^ x[33] ^ x[40] ^ x[52] ^ x[55] ^ x[60] ^ x[61] ^ x[68] ^ x[75] ^ x[79] ^ x[82] ^ x[84] ^ x[86] ^ x[98] ^ x[101];
  assign y[53] = x[5] ^ x[6] ^ x[10] ^ x[13] ^ x[21] ^ x[24] ^ x[35] ^ x[45] ^ x[58] ^ x[70] ^ x[77] ^ x[92] ^ x[102] ^ 1'b1;
  assign y[54] = x[15] ^ x[27] ^ x[37] ^ x[47] ^ x[51] ^ x[64] ^ x[103];
  assign y[55] = x[8] ^ x[16] ^ x[32] ^ x[34] ^ x[38] ^ x[39] ^ x[59] ^ x[63] ^ x[67] ^ x[73] ^ x[87] ^ x[88] ^ 1'b1;
  assign y[56] = x[0] ^ x[4] ^ x[5] ^ x[28] ^ x[30] ^ x[31] ^ x[39] ^ x[40] ^ x[58] ^ x[59] ^ x[67] ^ x[72] ^ x[79] ^ x[89] ^ x[92] ^ 1'b1;
  assign y[57] = x[2] ^ x[6] ^ x[7] ^ x[17] ^ x[20] ^ x[26] ^ x[35] ^ x[45] ^ x[60] ^ x[85] ^ x[87] ^ x[88] ^ x[94];
  assign y[58] = x[3] ^ x[10] ^ x[14] ^ x[21] ^ x[25] ^ x[27] ^ x[37] ^ x[44] ^ x[48] ^ x[51] ^ x[52] ^ x[56] ^ x[70] ^ x[76] ^ x[77] ^ x[98]
    ^ x[100];
  assign y[59] = x[8] ^ x[9] ^ x[15] ^ x[24] ^ x[38] ^ x[49] ^ x[61] ^ x[69] ^ x[73] ^ x[78] ^ x[81] ^ 1'b1;
  assign y[60] = x[1] ^ x[41] ^ x[64] ^ x[80] ^ x[102] ^ x[103] ^ 1'b1;
  assign y[61] = x[12] ^ x[23] ^ x[47] ^ x[66] ^ x[75] ^ x[83] ^ x[90];
  assign y[62] = x[11] ^ x[13] ^ x[29] ^ x[32] ^ x[42] ^ x[50] ^ x[53] ^ x[54] ^ x[62] ^ x[63] ^ x[68] ^ x[71] ^ x[74] ^ x[86] ^ x[91] ^ x[95]
    ^ x[96] ^ x[97] ^ x[101];
  assign y[63] = x[16] ^ x[18] ^ x[19] ^ x[22] ^ x[33] ^ x[34] ^ x[36] ^ x[43] ^ x[46] ^ x[55] ^ x[57] ^ x[65] ^ x[82] ^ x[84] ^ x[93] ^ x[99];
endmodule

// Sixteen S-boxes of the PRESENT cipher (Bogdanov et al., CHES 2007), one a nibble.
module sbox_layer (
  input  wire [63:0] x,
  output wire [63:0] y
);
  function [3:0] sbox;
    input [3:0] nibble;
    case (nibble)
      4'h0: sbox = 4'hc;
      4'h1: sbox = 4'h5;
      4'h2: sbox = 4'h6;
      4'h3: sbox = 4'hb;
      4'h4: sbox = 4'h9;
      4'h5: sbox = 4'h0;
      4'h6: sbox = 4'ha;
      4'h7: sbox = 4'hd;
      4'h8: sbox = 4'h3;
      4'h9: sbox = 4'he;
      4'ha: sbox = 4'hf;
      4'hb: sbox = 4'h8;
      4'hc: sbox = 4'h4;
      4'hd: sbox = 4'h7;
      4'he: sbox = 4'h1;
      default: sbox = 4'h2;
    endcase
  endfunction

  assign y[3:0] = sbox(x[3:0]);
  assign y[7:4] = sbox(x[7:4]);
  assign y[11:8] = sbox(x[11:8]);
  assign y[15:12] = sbox(x[15:12]);
  assign y[19:16] = sbox(x[19:16]);
  assign y[23:20] = sbox(x[23:20]);
  assign y[27:24] = sbox(x[27:24]);
  assign y[31:28] = sbox(x[31:28]);
  assign y[35:32] = sbox(x[35:32]);
  assign y[39:36] = sbox(x[39:36]);
  assign y[43:40] = sbox(x[43:40]);
  assign y[47:44] = sbox(x[47:44]);
  assign y[51:48] = sbox(x[51:48]);
  assign y[55:52] = sbox(x[55:52]);
  assign y[59:56] = sbox(x[59:56]);
  assign y[63:60] = sbox(x[63:60]);
endmodule

// Hash family h3-sbox, first half: 64 sparse sums of key bits (H3, 8 taps a key bit), then S-boxes, which break its linearity.
module hash_mix (
  input  wire         clock,
  input  wire [103:0] key,   // key
  output wire [63:0]  mixed  // mixed key, two clocks later
);
  reg [63:0] x;
  reg [63:0] s;

  wire [63:0] layer_1_y;
  wire [63:0] sboxes_y;

  hash_layer_1 layer_1 (
    .x (key),
    .y (layer_1_y)
  );

  sbox_layer sboxes (
    .x (x),
    .y (sboxes_y)
  );

  assign mixed = s;

  initial begin
    x = 64'd0;
    s = 64'd0;
  end

  always @(posedge clock) begin
    x <= layer_1_y;
    s <= sboxes_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2 (
  input  wire [63:0] x,
  output wire [13:0] y
);
  assign y[0] = x[3] ^ x[7] ^ x[10] ^ x[12] ^ x[17] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[38] ^ x[40] ^ x[45] ^ x[51] ^ x[55] ^ x[57] ^ x[63];
  assign y[1] = x[0] ^ x[5] ^ x[8] ^ x[15] ^ x[16] ^ x[23] ^ x[24] ^ x[29] ^ x[34] ^ x[39] ^ x[41] ^ x[46] ^ x[50] ^ x[53] ^ x[58] ^ x[61];
  assign y[2] = x[2] ^ x[4] ^ x[8] ^ x[12] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[33] ^ x[38] ^ x[40] ^ x[44] ^ x[51] ^ x[53] ^ x[58] ^ x[63];
  assign y[3] = x[3] ^ x[6] ^ x[11] ^ x[14] ^ x[17] ^ x[23] ^ x[25] ^ x[29] ^ x[33] ^ x[38] ^ x[43] ^ x[46] ^ x[49] ^ x[54] ^ x[58] ^ x[60];
  assign y[4] = x[2] ^ x[4] ^ x[10] ^ x[12] ^ x[18] ^ x[20] ^ x[24] ^ x[29] ^ x[35] ^ x[39] ^ x[43] ^ x[47] ^ x[48] ^ x[52] ^ x[57] ^ x[61];
  assign y[5] = x[2] ^ x[7] ^ x[9] ^ x[15] ^ x[16] ^ x[22] ^ x[27] ^ x[29] ^ x[35] ^ x[39] ^ x[43] ^ x[47] ^ x[48] ^ x[55] ^ x[59] ^ x[60];
  assign y[6] = x[3] ^ x[7] ^ x[9] ^ x[14] ^ x[19] ^ x[22] ^ x[27] ^ x[29] ^ x[32] ^ x[37] ^ x[40] ^ x[47] ^ x[50] ^ x[53] ^ x[59] ^ x[62];
  assign y[7] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[16] ^ x[21] ^ x[27] ^ x[29] ^ x[33] ^ x[37] ^ x[42] ^ x[45] ^ x[50] ^ x[54] ^ x[57] ^ x[63];
  assign y[8] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[19] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[36] ^ x[41] ^ x[47] ^ x[48] ^ x[55] ^ x[57] ^ x[63];
  assign y[9] = x[3] ^ x[4] ^ x[9] ^ x[15] ^ x[18] ^ x[23] ^ x[26] ^ x[29] ^ x[35] ^ x[38] ^ x[41] ^ x[45] ^ x[50] ^ x[52] ^ x[59] ^ x[61];
  assign y[10] = x[1] ^ x[7] ^ x[9] ^ x[14] ^ x[17] ^ x[23] ^ x[24] ^ x[29] ^ x[35] ^ x[38] ^ x[41] ^ x[47] ^ x[48] ^ x[52] ^ x[56] ^ x[63];
  assign y[11] = x[0] ^ x[5] ^ x[8] ^ x[13] ^ x[19] ^ x[22] ^ x[24] ^ x[31] ^ x[35] ^ x[36] ^ x[43] ^ x[45] ^ x[50] ^ x[55] ^ x[59] ^ x[63];
  assign y[12] = x[1] ^ x[5] ^ x[8] ^ x[14] ^ x[19] ^ x[20] ^ x[25] ^ x[31] ^ x[35] ^ x[39] ^ x[43] ^ x[46] ^ x[50] ^ x[53] ^ x[58] ^ x[60];
  assign y[13] = x[0] ^ x[6] ^ x[11] ^ x[15] ^ x[19] ^ x[23] ^ x[24] ^ x[31] ^ x[34] ^ x[38] ^ x[40] ^ x[47] ^ x[50] ^ x[52] ^ x[57] ^ x[60];
  wire unused = &{1'b0, x[28]};
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [13:0] index  // hash value, one clock later
);
  reg [13:0] index_r;

  wire [13:0] layer_2_y;

  hash_layer_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 14'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Each output is the sum of sixteen S-box output bits.
module hash_layer_2_2 (
  input  wire [63:0] x,
  output wire [13:0] y
);
  assign y[0] = x[2] ^ x[5] ^ x[9] ^ x[14] ^ x[18] ^ x[22] ^ x[26] ^ x[29] ^ x[33] ^ x[38] ^ x[43] ^ x[47] ^ x[51] ^ x[55] ^ x[56] ^ x[61];
  assign y[1] = x[0] ^ x[4] ^ x[11] ^ x[13] ^ x[18] ^ x[22] ^ x[26] ^ x[30] ^ x[33] ^ x[37] ^ x[42] ^ x[44] ^ x[49] ^ x[55] ^ x[57] ^ x[61];
  assign y[2] = x[0] ^ x[4] ^ x[8] ^ x[13] ^ x[19] ^ x[22] ^ x[26] ^ x[29] ^ x[34] ^ x[36] ^ x[40] ^ x[45] ^ x[49] ^ x[53] ^ x[57] ^ x[60];
  assign y[3] = x[1] ^ x[5] ^ x[9] ^ x[14] ^ x[18] ^ x[22] ^ x[25] ^ x[28] ^ x[35] ^ x[36] ^ x[40] ^ x[44] ^ x[51] ^ x[53] ^ x[59] ^ x[60];
  assign y[4] = x[2] ^ x[5] ^ x[9] ^ x[15] ^ x[18] ^ x[20] ^ x[26] ^ x[31] ^ x[33] ^ x[39] ^ x[41] ^ x[47] ^ x[51] ^ x[54] ^ x[56] ^ x[63];
  assign y[5] = x[2] ^ x[4] ^ x[9] ^ x[15] ^ x[17] ^ x[22] ^ x[26] ^ x[28] ^ x[33] ^ x[36] ^ x[41] ^ x[47] ^ x[50] ^ x[55] ^ x[58] ^ x[61];
  assign y[6] = x[3] ^ x[4] ^ x[9] ^ x[12] ^ x[19] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[39] ^ x[43] ^ x[45] ^ x[50] ^ x[53] ^ x[57] ^ x[60];
  assign y[7] = x[0] ^ x[7] ^ x[10] ^ x[15] ^ x[18] ^ x[23] ^ x[25] ^ x[31] ^ x[32] ^ x[39] ^ x[40] ^ x[46] ^ x[51] ^ x[52] ^ x[56] ^ x[63];
  assign y[8] = x[2] ^ x[4] ^ x[11] ^ x[15] ^ x[17] ^ x[21] ^ x[27] ^ x[30] ^ x[32] ^ x[38] ^ x[41] ^ x[44] ^ x[50] ^ x[53] ^ x[59] ^ x[60];
  assign y[9] = x[2] ^ x[6] ^ x[10] ^ x[15] ^ x[17] ^ x[20] ^ x[26] ^ x[30] ^ x[35] ^ x[36] ^ x[41] ^ x[45] ^ x[51] ^ x[52] ^ x[56] ^ x[63];
  assign y[10] = x[3] ^ x[4] ^ x[11] ^ x[14] ^ x[19] ^ x[20] ^ x[27] ^ x[31] ^ x[34] ^ x[38] ^ x[42] ^ x[44] ^ x[48] ^ x[54] ^ x[58] ^ x[62];
  assign y[11] = x[3] ^ x[4] ^ x[10] ^ x[12] ^ x[18] ^ x[21] ^ x[24] ^ x[31] ^ x[34] ^ x[37] ^ x[42] ^ x[45] ^ x[49] ^ x[55] ^ x[56] ^ x[61];
  assign y[12] = x[1] ^ x[5] ^ x[9] ^ x[12] ^ x[17] ^ x[21] ^ x[27] ^ x[30] ^ x[35] ^ x[39] ^ x[41] ^ x[46] ^ x[49] ^ x[55] ^ x[59] ^ x[63];
  assign y[13] = x[1] ^ x[7] ^ x[8] ^ x[14] ^ x[18] ^ x[21] ^ x[25] ^ x[30] ^ x[32] ^ x[38] ^ x[40] ^ x[44] ^ x[50] ^ x[53] ^ x[59] ^ x[63];
  wire unused = &{1'b0, x[16]};
endmodule

// Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.
module hash_index_2 (
  input  wire        clock,
  input  wire [63:0] mixed, // mixed key
  output wire [13:0] index  // hash value, one clock later
);
  reg [13:0] index_r;

  wire [13:0] layer_2_y;

  hash_layer_2_2 layer_2 (
    .x (mixed),
    .y (layer_2_y)
  );

  assign index = index_r;

  initial begin
    index_r = 14'd0;
  end

  always @(posedge clock) begin
    index_r <= layer_2_y;
  end
endmodule

// Double hashing: probe i = h1 + i h2, i = 0 to 3, modulo the partition (KM section 3).
module hash_spread (
  input  wire        clock,
  input  wire [13:0] h1,      // first hash value
  input  wire [13:0] h2,      // second hash value
  output wire [13:0] index_0, // probe 0, two clocks later
  output wire [13:0] index_1, // probe 1, two clocks later
  output wire [13:0] index_2, // probe 2, two clocks later
  output wire [13:0] index_3  // probe 3, two clocks later
);
  reg [13:0] base_0;
  reg [13:0] scaled_0;
  reg [13:0] scaled_1;
  reg [13:0] scaled_2;
  reg [13:0] position_0;
  reg [13:0] position_1;
  reg [13:0] position_2;
  reg [13:0] position_3;

  wire [13:0] multiple_0;
  wire [13:0] multiple_1;
  wire [13:0] multiple_2;

  assign multiple_0 = h2;
  assign multiple_1 = multiple_0 << 1;
  assign multiple_2 = (multiple_0 << 1) + h2;
  assign index_0 = position_0;
  assign index_1 = position_1;
  assign index_2 = position_2;
  assign index_3 = position_3;

  initial begin
    base_0 = 14'd0;
    scaled_0 = 14'd0;
    scaled_1 = 14'd0;
    scaled_2 = 14'd0;
    position_0 = 14'd0;
    position_1 = 14'd0;
    position_2 = 14'd0;
    position_3 = 14'd0;
  end

  always @(posedge clock) begin
    base_0 <= h1;
    position_0 <= base_0;
    scaled_0 <= multiple_0;
    scaled_1 <= multiple_1;
    scaled_2 <= multiple_2;
    position_1 <= base_0 + scaled_0;
    position_2 <= base_0 + scaled_1;
    position_3 <= base_0 + scaled_2;
  end
endmodule

// 104 bits of key to 4 probe position(s), one key a clock.
module hash_unit (
  input  wire         clock,
  input  wire [103:0] key,     // key
  output wire [13:0]  index_0, // probe position in bank 0
  output wire [13:0]  index_1, // probe position in bank 1
  output wire [13:0]  index_2, // probe position in bank 2
  output wire [13:0]  index_3  // probe position in bank 3
);
  wire [63:0] mix_0_mixed;
  wire [13:0] function_0_index;
  wire [13:0] function_1_index;
  wire [13:0] spread_0_index_0;
  wire [13:0] spread_0_index_1;
  wire [13:0] spread_0_index_2;
  wire [13:0] spread_0_index_3;

  hash_mix mix_0 (
    .clock (clock),
    .key   (key),
    .mixed (mix_0_mixed)
  );

  hash_index function_0 (
    .clock (clock),
    .mixed (mix_0_mixed),
    .index (function_0_index)
  );

  hash_index_2 function_1 (
    .clock (clock),
    .mixed (mix_0_mixed),
    .index (function_1_index)
  );

  hash_spread spread_0 (
    .clock   (clock),
    .h1      (function_0_index),
    .h2      (function_1_index),
    .index_0 (spread_0_index_0),
    .index_1 (spread_0_index_1),
    .index_2 (spread_0_index_2),
    .index_3 (spread_0_index_3)
  );

  assign index_0 = spread_0_index_0;
  assign index_1 = spread_0_index_1;
  assign index_2 = spread_0_index_2;
  assign index_3 = spread_0_index_3;
endmodule

// Do two slots go to the same word? Half of the address a register, so that no comparison is wide.
module word_compare (
  input  wire       clock,
  input  wire [8:0] ahead,  // word address of the slot ahead
  input  wire [8:0] behind, // word address of the slot behind
  output wire       same    // they are equal, one clock later
);
  reg equal_low;
  reg equal_high;

  assign same = equal_low && equal_high;

  initial begin
    equal_low = 1'b0;
    equal_high = 1'b0;
  end

  always @(posedge clock) begin
    equal_low <= ahead[3:0] == behind[3:0];
    equal_high <= ahead[8:4] == behind[8:4];
  end
endmodule

// Do two slots probe the same word, or the same bit? Two clocks, so that no comparison is wider than 20 inputs.
module index_compare (
  input  wire        clock,
  input  wire [13:0] ahead,     // probe position of the slot ahead
  input  wire [13:0] behind,    // probe position of the slot behind
  input  wire        inserting, // the slot ahead inserts (one clock after its position)
  output wire        same_word, // both lie in one memory word
  output wire        same_bit   // both are one bit and the slot ahead inserts
);
  reg equal_offset;
  reg word_equal;
  reg bit_equal;

  wire word_same;

  word_compare word (
    .clock  (clock),
    .ahead  (ahead[13:5]),
    .behind (behind[13:5]),
    .same   (word_same)
  );

  assign same_word = word_equal;
  assign same_bit = bit_equal;

  initial begin
    equal_offset = 1'b0;
    word_equal = 1'b0;
    bit_equal = 1'b0;
  end

  always @(posedge clock) begin
    equal_offset <= ahead[4:0] == behind[4:0];
    word_equal <= word_same;
    bit_equal <= word_same && equal_offset && inserting;
  end
endmodule

// Match with a slot directly ahead: early for the count of new bits, late for the flags.
module near_match (
  input  wire        clock,
  input  wire [13:0] ahead,     // probe position of the slot ahead
  input  wire [13:0] behind,    // probe position of the slot behind, stage 6
  input  wire        inserting, // the slot ahead inserts (one clock after its position)
  output wire        early,     // same bit, slot behind in stage 8
  output wire        following, // same bit, slot behind in stage 9
  output wire        late_bit,  // same bit, slot ahead in the decision stage
  output wire        late_word  // same word, slot ahead in the decision stage
);
  reg bit_delay_0;
  reg bit_delay_1;
  reg word_delay_0;
  reg word_delay_1;

  wire compare_same_word;
  wire compare_same_bit;

  index_compare compare (
    .clock     (clock),
    .ahead     (ahead),
    .behind    (behind),
    .inserting (inserting),
    .same_word (compare_same_word),
    .same_bit  (compare_same_bit)
  );

  assign early = compare_same_bit;
  assign following = bit_delay_0;
  assign late_bit = bit_delay_1;
  assign late_word = word_delay_1;

  initial begin
    bit_delay_0 = 1'b0;
    bit_delay_1 = 1'b0;
    word_delay_0 = 1'b0;
    word_delay_1 = 1'b0;
  end

  always @(posedge clock) begin
    bit_delay_0 <= compare_same_bit;
    word_delay_0 <= compare_same_word;
    bit_delay_1 <= bit_delay_0;
    word_delay_1 <= word_delay_0;
  end
endmodule

// 512 words of 32 data bits and 4 epoch bits in block RAM, two clocks of read latency.
// Reading the word that is being written gives an unspecified value: the bank forwards it.
module bank_memory (
  input  wire        clock,
  input  wire [8:0]  read_address,  // word to read
  output wire [35:0] read_data,     // {epoch, data}, two clocks later
  input  wire        write_enable,  // write this clock
  input  wire [8:0]  write_address, // word to write
  input  wire [35:0] write_data     // {epoch, data}
);
  (* no_rw_check *)
  reg [35:0] words [0:511];
  reg [35:0] array_out;
  reg [35:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 511; i = i + 1) words[i] = 36'd0;
    array_out = 36'd0;
    register_out = 36'd0;
  end

  always @(posedge clock) begin
    array_out <= words[read_address];
    register_out <= array_out;
    if (write_enable) words[write_address] <= write_data;
  end

  assign read_data = register_out;
endmodule

// The word read from one half, and whether it bears the half's epoch (if not, it reads as empty).
module word_read (
  input  wire        clock,
  input  wire [35:0] read_data,   // {epoch, data} from memory, stage 6
  input  wire [3:0]  epoch,       // the half's epoch
  input  wire        bypass,      // a write met this read: take its word
  input  wire [31:0] bypass_word, // that word
  output wire [31:0] word,        // data bits, stage 7
  output wire        current      // they bear the half's epoch
);
  reg [31:0] word_r;
  reg        current_r;

  assign word = word_r;
  assign current = current_r;

  initial begin
    word_r = 32'd0;
    current_r = 1'b0;
  end

  always @(posedge clock) begin
    word_r <= read_data[31:0];
    if (bypass) begin
      word_r <= bypass_word;
    end
    current_r <= bypass || (read_data[35:32] == epoch);
  end
endmodule

// One bit of a memory word; a word of another epoch reads as zero.
module bit_select (
  input  wire        clock,
  input  wire [31:0] word,    // memory word, stage 7
  input  wire        current, // the word bears its half's epoch, stage 7
  input  wire [4:0]  offset,  // bit in the word, stage 7
  output wire        selected // the bit, stage 8
);
  reg [3:0] picked_r;
  reg [1:0] byte_select;

  wire [7:0] byte_0;
  wire [7:0] byte_1;
  wire [7:0] byte_2;
  wire [7:0] byte_3;
  wire [2:0] in_byte;
  reg  [3:0] picked;

  assign byte_0 = word[7:0];
  assign byte_1 = word[15:8];
  assign byte_2 = word[23:16];
  assign byte_3 = word[31:24];
  assign in_byte = offset[2:0];
  assign selected = picked_r[byte_select];

  initial begin
    picked_r = 4'd0;
    byte_select = 2'd0;
  end

  always @* begin
    picked = 4'd0;
    if (current) begin
      picked[0] = byte_0[in_byte];
      picked[1] = byte_1[in_byte];
      picked[2] = byte_2[in_byte];
      picked[3] = byte_3[in_byte];
    end
  end

  always @(posedge clock) begin
    picked_r <= picked;
    byte_select <= offset[4:3];
  end
endmodule

// Counts down the words of the active half that do not yet bear its current epoch.
// When none is left, every older epoch value is free again.
module coverage (
  input  wire clock,
  input  wire recycled, // the slot in the write stage recycled
  input  wire touch,    // it writes a word that bore another epoch
  output wire full      // every word bears the current epoch
);
  localparam [9:0] words          = 10'h200;
  localparam [9:0] words_less_one = 10'h1ff;

  reg [9:0] left;
  reg       full_r;

  assign full = full_r;

  initial begin
    left = 10'h200;
    full_r = 1'b0;
  end

  always @(posedge clock) begin
    if (touch) begin
      left <= left - 10'd1;
    end
    if (recycled) begin
      left <= words;
      if (touch) begin
        left <= words_less_one;
      end
    end
    full_r <= !recycled && (full_r || (touch && (left == 10'd1)));
  end
endmodule

// One bank: 16384 bits a half, 2 half/halves, probe to verdict flags and memory write.
// Exact for any sequence of slots: flags and words of everything in flight are forwarded.
// Source: RBF section V; an epoch with each word makes a recycle one increment.
module filter_bank (
  input  wire        clock,
  input  wire [13:0] index,             // probe position of the slot entering stage 0
  input  wire        direct,            // the slot entering stage 0 is a refresh, a fetch or a set
  input  wire [8:0]  direct_address,    // word that it goes to
  input  wire        trip,              // the slot in stage D recycles
  input  wire        near_inserting,    // bit i: the slot in stage 8 + i inserts
  input  wire        far_inserting,     // the slot in stage D - 1 inserts
  input  wire        phase_6_0,         // active half as it stood in stage 2, now stage 6
  input  wire [3:0]  active_epoch_6,    // its epoch, likewise
  input  wire [3:0]  frozen_epoch_6_0,  // the frozen half's epoch, likewise
  input  wire        fetching_active,   // the slot in stage 7 fetches this bank's word of the active half, or sets bits in it
  input  wire        fetching_frozen_0, // of the frozen half
  input  wire        setting,           // the slot in stage D + 1 inserts
  input  wire        adding,            // it sets bits of a host in this bank
  input  wire [31:0] added,             // these
  input  wire        tripped,           // the slot in stage D + 1 recycled
  input  wire        storing,           // the slot in stage D + 1 writes
  input  wire        current,           // no decided slot behind the one in stage W recycled before stage D
  input  wire        write_enable,      // the slot in stage W writes
  input  wire        recycled,          // the slot in stage W recycled
  input  wire        write_phase_0,     // half that the slot in stage W writes
  input  wire [3:0]  write_epoch,       // epoch that it writes
  output wire        clear_early_0,     // stage 8: my bit is clear if the slot 1 ahead is the last to recycle
  output wire        clear_none,        // stage 9: my bit is clear if none of the near slots recycles
  output wire        in_active,         // stage D: my bit is set in the active half
  output wire        in_frozen_0,       // stage D: my bit is set in the frozen half
  output wire        full,              // every word of the active half bears its epoch
  output wire [31:0] word_8             // stage 8: that word; 0 if there is no such fetch
);
  localparam        retain          = 1'b1;
  localparam [5:0]  retain_symbolic = 6'd63;
  localparam [2:0]  retain_concrete = 3'd7;
  localparam [5:0]  keep_first      = 6'd1;
  localparam [5:0]  none_symbolic   = 6'd0;
  localparam [8:0]  no_match        = 9'd0;
  localparam [6:0]  none_hit        = 7'd0;
  localparam [9:0]  all_empty       = 10'h3ff;
  localparam [31:0] no_word         = 32'd0;
  localparam [31:0] one             = 32'd1;

  reg [13:0] stage_0;
  reg [13:0] stage_1;
  reg [13:0] stage_2;
  reg [13:0] stage_3;
  reg [13:0] stage_4;
  reg [13:0] stage_5;
  reg [13:0] stage_6;
  reg [13:0] stage_7;
  reg [13:0] stage_8;
  reg [13:0] stage_9;
  reg [13:0] stage_10;
  reg [13:0] stage_11;
  reg [13:0] stage_12;
  reg [8:0]  write_address_d2;
  reg [8:0]  write_address;
  reg [8:0]  same_word_d1;
  reg [8:0]  same_word_d2;
  reg [7:0]  same_word_w;
  reg        collision_3;
  reg        collision_4;
  reg        collision_5;
  reg        collision_6;
  reg [31:0] fetched;
  reg [5:0]  active_set;
  reg [5:0]  active_keep;
  reg [2:0]  active;
  reg [5:0]  frozen_set_0;
  reg [5:0]  frozen_keep_active_0;
  reg [5:0]  frozen_keep_0;
  reg [2:0]  frozen_0;
  reg [9:0]  empty;
  reg        from_write_6;
  reg        from_write_7;
  reg        from_last_7;
  reg [31:0] word_0;
  reg [31:0] word_1;
  reg [31:0] word_2;
  reg [31:0] word_3;
  reg [31:0] word_4;
  reg [31:0] base_word;
  reg [31:0] mask;
  reg        first;
  reg        chained;
  reg [31:0] written;
  reg [31:0] written_1;
  reg [31:0] written_2;
  reg        first_w;

  reg  [13:0] entering;
  wire [13:0] ahead_far;
  wire [13:0] ahead_collision;
  wire [13:0] writing;
  wire [8:0]  same_bit;
  wire [8:0]  same_word;
  wire [35:0] write_data;
  wire [8:0]  read_address;
  wire [4:0]  offset_7;
  wire [5:0]  match_symbolic;
  wire [2:0]  match_concrete;
  wire [5:0]  active_set_in;
  wire [5:0]  active_keep_in;
  wire        active_8;
  wire [2:0]  active_in;
  reg  [2:0]  frozen_in_0;
  wire        near_9;
  wire        base_9;
  reg  [6:0]  hit;
  reg  [9:0]  empty_in;
  wire [31:0] last_word;
  wire        overtaken;
  wire        far_0_same_word;
  wire        far_0_same_bit;
  wire        far_1_same_word;
  wire        far_1_same_bit;
  wire        far_2_same_word;
  wire        far_2_same_bit;
  wire        far_3_same_word;
  wire        far_3_same_bit;
  wire        far_4_same_word;
  wire        far_4_same_bit;
  wire        far_5_same_word;
  wire        far_5_same_bit;
  wire        far_6_same_word;
  wire        far_6_same_bit;
  wire        far_7_same_word;
  wire        far_7_same_bit;
  wire        near_0_early;
  wire        near_0_following;
  wire        near_0_late_bit;
  wire        near_0_late_word;
  wire        collision_same_word;
  wire        collision_same_bit;
  wire [35:0] memory_0_read_data;
  wire        memory_0_write_enable;
  wire [35:0] memory_1_read_data;
  wire        memory_1_write_enable;
  reg  [35:0] active_read_read_data;
  wire [31:0] active_read_word;
  wire        active_read_current;
  reg  [35:0] frozen_read_0_read_data;
  wire [31:0] frozen_read_0_word;
  wire        frozen_read_0_current;
  wire        active_select_selected;
  wire        frozen_select_0_selected;
  wire        coverage_touch;
  wire        coverage_full;

  // matches with the slot in stage D: bit s of same_bit and same_word belongs to the slot in stage s + 2
  index_compare far_0 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_0),
    .inserting (far_inserting),
    .same_word (far_0_same_word),
    .same_bit  (far_0_same_bit)
  );

  index_compare far_1 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_1),
    .inserting (far_inserting),
    .same_word (far_1_same_word),
    .same_bit  (far_1_same_bit)
  );

  index_compare far_2 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_2),
    .inserting (far_inserting),
    .same_word (far_2_same_word),
    .same_bit  (far_2_same_bit)
  );

  index_compare far_3 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_3),
    .inserting (far_inserting),
    .same_word (far_3_same_word),
    .same_bit  (far_3_same_bit)
  );

  index_compare far_4 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_4),
    .inserting (far_inserting),
    .same_word (far_4_same_word),
    .same_bit  (far_4_same_bit)
  );

  index_compare far_5 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_5),
    .inserting (far_inserting),
    .same_word (far_5_same_word),
    .same_bit  (far_5_same_bit)
  );

  index_compare far_6 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_6),
    .inserting (far_inserting),
    .same_word (far_6_same_word),
    .same_bit  (far_6_same_bit)
  );

  index_compare far_7 (
    .clock     (clock),
    .ahead     (ahead_far),
    .behind    (stage_7),
    .inserting (far_inserting),
    .same_word (far_7_same_word),
    .same_bit  (far_7_same_bit)
  );

  near_match near_0 (
    .clock     (clock),
    .ahead     (stage_7),
    .behind    (stage_6),
    .inserting (near_inserting),
    .early     (near_0_early),
    .following (near_0_following),
    .late_bit  (near_0_late_bit),
    .late_word (near_0_late_word)
  );

  index_compare collision (
    .clock     (clock),
    .ahead     (ahead_collision),
    .behind    (stage_0),
    .inserting (1'b0),
    .same_word (collision_same_word),
    .same_bit  (collision_same_bit)
  );

  bank_memory memory_0 (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (memory_0_read_data),
    .write_enable  (memory_0_write_enable),
    .write_address (write_address),
    .write_data    (write_data)
  );

  bank_memory memory_1 (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (memory_1_read_data),
    .write_enable  (memory_1_write_enable),
    .write_address (write_address),
    .write_data    (write_data)
  );

  word_read active_read (
    .clock       (clock),
    .read_data   (active_read_read_data),
    .epoch       (active_epoch_6),
    .bypass      (collision_6),
    .bypass_word (written_2),
    .word        (active_read_word),
    .current     (active_read_current)
  );

  word_read frozen_read_0 (
    .clock       (clock),
    .read_data   (frozen_read_0_read_data),
    .epoch       (frozen_epoch_6_0),
    .bypass      (1'b0),
    .bypass_word (no_word),
    .word        (frozen_read_0_word),
    .current     (frozen_read_0_current)
  );

  bit_select active_select (
    .clock    (clock),
    .word     (active_read_word),
    .current  (active_read_current),
    .offset   (offset_7),
    .selected (active_select_selected)
  );

  bit_select frozen_select_0 (
    .clock    (clock),
    .word     (frozen_read_0_word),
    .current  (frozen_read_0_current),
    .offset   (offset_7),
    .selected (frozen_select_0_selected)
  );

  coverage coverage (
    .clock    (clock),
    .recycled (recycled),
    .touch    (coverage_touch),
    .full     (coverage_full)
  );

  assign ahead_far = stage_9;
  assign ahead_collision = stage_10;
  assign writing = stage_12;
  assign same_bit[0] = far_0_same_bit;
  assign same_word[0] = far_0_same_word;
  assign same_bit[1] = far_1_same_bit;
  assign same_word[1] = far_1_same_word;
  assign same_bit[2] = far_2_same_bit;
  assign same_word[2] = far_2_same_word;
  assign same_bit[3] = far_3_same_bit;
  assign same_word[3] = far_3_same_word;
  assign same_bit[4] = far_4_same_bit;
  assign same_word[4] = far_4_same_word;
  assign same_bit[5] = far_5_same_bit;
  assign same_word[5] = far_5_same_word;
  assign same_bit[6] = far_6_same_bit;
  assign same_word[6] = far_6_same_word;
  assign same_bit[7] = far_7_same_bit;
  assign same_word[7] = far_7_same_word;
  assign same_bit[8] = near_0_late_bit;
  assign same_word[8] = near_0_late_word;

  // memory: address in stage 4, data in stage 6, one bit in stage 8
  assign write_data = {write_epoch, written};
  assign offset_7 = stage_7[4:0];
  assign read_address = stage_4[13:5];
  assign memory_0_write_enable = write_enable && !write_phase_0;
  assign memory_1_write_enable = write_enable && write_phase_0;
  assign word_8 = fetched;

  // symbolic flags, stages 3 to 8, until the memory bit arrives
  assign match_symbolic = same_bit[5:0];
  assign active_set_in = active_set << 1;
  assign active_keep_in = (active_keep << 1) | keep_first;

  // flags, stages 9 to D
  assign active_8 = active_set[5] || (active_keep[5] && active_select_selected);
  assign match_concrete = same_bit[8:6];
  assign active_in = {active[1:0], active_8};
  assign in_active = active[2];
  assign in_frozen_0 = frozen_0[2];

  // is my bit new? once for each slot that may be the last to recycle before me, and once for none
  assign clear_early_0 = !(retain && near_0_early);
  assign near_9 = near_0_following;
  assign base_9 = (active[0] && !trip) || (same_bit[7] && (retain || !trip));
  assign clear_none = !(base_9 || near_9);
  assign last_word = word_4;
  assign overtaken = same_word_w[7] && current;
  assign coverage_touch = first_w && write_enable;
  assign full = coverage_full;

  initial begin
    stage_0 = 14'd0;
    stage_1 = 14'd0;
    stage_2 = 14'd0;
    stage_3 = 14'd0;
    stage_4 = 14'd0;
    stage_5 = 14'd0;
    stage_6 = 14'd0;
    stage_7 = 14'd0;
    stage_8 = 14'd0;
    stage_9 = 14'd0;
    stage_10 = 14'd0;
    stage_11 = 14'd0;
    stage_12 = 14'd0;
    write_address_d2 = 9'd0;
    write_address = 9'd0;
    same_word_d1 = 9'd0;
    same_word_d2 = 9'd0;
    same_word_w = 8'd0;
    collision_3 = 1'b0;
    collision_4 = 1'b0;
    collision_5 = 1'b0;
    collision_6 = 1'b0;
    fetched = 32'd0;
    active_set = 6'd0;
    active_keep = 6'd0;
    active = 3'd0;
    frozen_set_0 = 6'd0;
    frozen_keep_active_0 = 6'd0;
    frozen_keep_0 = 6'd0;
    frozen_0 = 3'd0;
    empty = 10'd0;
    from_write_6 = 1'b0;
    from_write_7 = 1'b0;
    from_last_7 = 1'b0;
    word_0 = 32'd0;
    word_1 = 32'd0;
    word_2 = 32'd0;
    word_3 = 32'd0;
    word_4 = 32'd0;
    base_word = 32'd0;
    mask = 32'd0;
    first = 1'b0;
    chained = 1'b0;
    written = 32'd0;
    written_1 = 32'd0;
    written_2 = 32'd0;
    first_w = 1'b0;
  end

  always @* begin
    // positions, stage 0 to D + 1
    entering = index;
    if (direct) begin
      entering = {5'd0, direct_address} << 5;
    end
  end

  always @* begin
    active_read_read_data = memory_0_read_data;
    frozen_read_0_read_data = memory_1_read_data;
    if (phase_6_0) begin
      active_read_read_data = memory_1_read_data;
      frozen_read_0_read_data = memory_0_read_data;
    end
  end

  always @* begin
    frozen_in_0 = frozen_0 << 1;
    frozen_in_0[0] = frozen_set_0[5] || (frozen_keep_active_0[5] && active_select_selected) || (frozen_keep_0[5] && frozen_select_0_selected);
  end

  always @* begin
    // words: a slot takes over the word of a slot ahead that writes the same address; a recycle empties it
    hit = none_hit;
    if (current && !trip) begin
      hit = same_word_w[6:0];
    end
  end

  always @* begin
    empty_in = empty << 1;
    if (trip) begin
      empty_in = all_empty;
    end
    if (!from_write_7 && !active_read_current) begin
      empty_in[5] = 1'b1;
    end
  end

  always @(posedge clock) begin
    stage_0 <= entering;
    stage_1 <= stage_0;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
    stage_5 <= stage_4;
    stage_6 <= stage_5;
    stage_7 <= stage_6;
    stage_8 <= stage_7;
    stage_9 <= stage_8;
    stage_10 <= stage_9;
    stage_11 <= stage_10;
    stage_12 <= stage_11;
    same_word_d1 <= same_word;
    same_word_d2 <= same_word_d1;
    if (!storing) begin
      same_word_d2 <= no_match;
    end
    same_word_w <= same_word_d2[7:0];
    collision_3 <= collision_same_word && storing;
    collision_4 <= collision_3;
    collision_5 <= collision_4;
    collision_6 <= collision_5;

    // a word for the host, stage 7: nothing is in flight that writes to it but refreshes, which change nothing
    fetched <= no_word;
    if (fetching_active && active_read_current) begin
      fetched <= active_read_word;
    end
    if (fetching_frozen_0 && frozen_read_0_current) begin
      fetched <= frozen_read_0_word;
    end
    active_set <= active_set_in | match_symbolic;
    active_keep <= active_keep_in;
    if (trip) begin
      active_set <= match_symbolic & retain_symbolic;
      active_keep <= none_symbolic;
    end
    active <= active_in | match_concrete;
    if (trip) begin
      active <= match_concrete & retain_concrete;
    end
    frozen_set_0 <= frozen_set_0 << 1;
    frozen_keep_active_0 <= frozen_keep_active_0 << 1;
    frozen_keep_0 <= (frozen_keep_0 << 1) | keep_first;
    frozen_0 <= frozen_in_0;
    if (trip) begin
      frozen_set_0 <= active_set_in;
      frozen_keep_active_0 <= active_keep_in;
      frozen_keep_0 <= none_symbolic;
      frozen_0 <= active_in;
    end
    empty <= empty_in & ~({3'd0, hit} << 3);
    from_write_6 <= same_word_w[0];
    from_write_7 <= from_write_6 || same_word_w[1];
    from_last_7 <= same_word_w[1];
    word_0 <= active_read_word;
    if (same_word_w[2]) begin
      word_0 <= written;
    end else if (from_last_7) begin
      word_0 <= written_1;
    end else if (from_write_7) begin
      word_0 <= written_2;
    end
    word_1 <= word_0;
    if (same_word_w[3]) begin
      word_1 <= written;
    end
    word_2 <= word_1;
    if (same_word_w[4]) begin
      word_2 <= written;
    end
    word_3 <= word_2;
    if (same_word_w[5]) begin
      word_3 <= written;
    end
    word_4 <= word_3;
    if (same_word_w[6]) begin
      word_4 <= written;
    end
    base_word <= last_word;
    if (overtaken) begin
      base_word <= written;
    end else if (empty[9]) begin
      base_word <= no_word;
    end
    first <= empty[9] && !overtaken;
    mask <= no_word;
    if (setting) begin
      mask <= one << writing[4:0];
    end
    if (adding) begin
      mask <= added;
    end
    chained <= same_word_d2[8] && !tripped;
    written <= base_word | mask;
    if (chained) begin
      written <= written | mask;
    end
    written_1 <= written;
    written_2 <= written_1;
    write_address_d2 <= writing[13:5];
    write_address <= write_address_d2;

    // coverage by the current epoch
    first_w <= first && !chained;
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, collision_same_bit};
endmodule

// Number of ones among 4 bit(s), 1 clock(s) later.
module count_ones (
  input  wire       clock,
  input  wire       reset, // drops what is being counted
  input  wire [3:0] x,     // bits to count
  output wire [2:0] count  // ones
);
  reg [2:0] sum_1_0;

  initial begin
    sum_1_0 = 3'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      sum_1_0 <= 3'd0;
    end else begin
      sum_1_0 <= {2'd0, x[0]} + {2'd0, x[1]} + {2'd0, x[2]} + {2'd0, x[3]};
    end
  end

  assign count = sum_1_0;
endmodule

// Decides for one item a clock whether it trips the recycle: threshold on bits set (RBF section III).
// room = what the active half may still take; an item that would take more trips.
// New bits are counted for every way the 1 slot(s) directly ahead may turn out; their decisions select.
module recycle_decision (
  input  wire        clock,
  input  wire        reset,         // drops the slots that are not decided
  input  wire [3:0]  clear_none,    // stage 9: clear bits if no near slot recycles
  input  wire [3:0]  clear_early_0, // stage 8: clear bits if the slot 1 ahead is the last to recycle
  input  wire        inserting_8,   // the slot in stage 8 inserts
  input  wire        inserting_9,   // the slot in stage 9 inserts
  input  wire        forced,        // the slot in stage D - 1 recycles in any case
  input  wire        load,          // take room (the pipeline is empty)
  input  wire [16:0] room,          // room of the active half as it stands
  input  wire [16:0] base_room,     // room right after a recycle by an item
  output wire        trip,          // the slot in stage D recycles
  output wire [2:0]  count          // new bits of the slot in stage D
);
  localparam [3:0] nothing  = 4'd0;
  localparam [2:0] no_count = 3'd0;

  reg [2:0]  first;
  reg [2:0]  resolved;
  reg        trip_r;
  reg [3:0]  low;
  reg [12:0] high;
  reg        high_zero;
  reg        high_one;
  reg        borrow;
  reg [3:0]  room_low;
  reg [12:0] room_high;
  reg        room_zero;
  reg        room_one;
  reg [3:0]  base_low;
  reg [12:0] base_high;
  reg [12:0] base_less;
  reg        base_zero;
  reg        base_one;
  reg [3:0]  after_low;
  reg [12:0] after_high;
  reg        after_zero;
  reg        after_one;

  wire [2:0]  counted;
  wire [3:0]  amount;
  wire [3:0]  first_amount;
  wire        over;
  wire [12:0] base_high_in;
  wire [12:0] room_high_in;
  reg  [3:0]  count_none_x;
  wire [2:0]  count_none_count;
  reg  [3:0]  count_early_0_x;
  wire [2:0]  count_early_0_count;

  // new bits of the slot, for each way the slots ahead may turn out
  count_ones count_none (
    .clock (clock),
    .reset (reset),
    .x     (count_none_x),
    .count (count_none_count)
  );

  count_ones count_early_0 (
    .clock (clock),
    .reset (reset),
    .x     (count_early_0_x),
    .count (count_early_0_count)
  );

  assign counted = count_none_count;
  assign count = resolved;
  assign amount = {1'b0, counted};
  assign first_amount = {1'b0, count_early_0_count};
  assign base_high_in = base_room[16:4];
  assign room_high_in = room[16:4];

  // the loop
  assign over = amount > low;
  assign trip = trip_r;

  initial begin
    first = 3'd0;
    resolved = 3'd0;
    trip_r = 1'b0;
    low = 4'd0;
    high = 13'd0;
    high_zero = 1'b0;
    high_one = 1'b0;
    borrow = 1'b0;
    room_low = 4'd0;
    room_high = 13'd0;
    room_zero = 1'b0;
    room_one = 1'b0;
    base_low = 4'd0;
    base_high = 13'd0;
    base_less = 13'd0;
    base_zero = 1'b0;
    base_one = 1'b0;
    after_low = 4'd0;
    after_high = 13'd0;
    after_zero = 1'b0;
    after_one = 1'b0;
  end

  always @* begin
    count_none_x = nothing;
    if (inserting_9) begin
      count_none_x = clear_none;
    end
  end

  always @* begin
    count_early_0_x = nothing;
    if (inserting_8) begin
      count_early_0_x = clear_early_0;
    end
  end

  always @(posedge clock) begin
    first <= count_early_0_count;
    resolved <= counted;
    if (trip_r) begin
      resolved <= first;
    end
    if (reset) begin
      resolved <= no_count;
      first <= no_count;
    end

    // room right after a recycle, and what is left of it after the next slot
    base_low <= base_room[3:0];
    base_high <= base_high_in;
    base_less <= base_high_in - 13'd1;
    base_zero <= base_high_in == 13'd0;
    base_one <= base_high_in == 13'd1;
    after_low <= base_low - first_amount;
    after_high <= base_high;
    if (first_amount > base_low) begin
      after_high <= base_less;
    end
    after_zero <= base_zero;
    after_one <= base_one;

    // room as it stands, for a new threshold
    room_low <= room[3:0];
    room_high <= room_high_in;
    room_zero <= room_high_in == 13'd0;
    room_one <= room_high_in == 13'd1;
    trip_r <= !trip_r && !reset && (forced || (high_zero && over));
    low <= low - amount;
    borrow <= over && !trip_r && !load;
    high_one <= high == 13'd1;
    if (borrow) begin
      high <= high - 13'd1;
      high_one <= high == 13'd2;
    end
    if (over) begin
      high_zero <= high_one;
    end
    if (trip_r) begin
      low <= after_low;
      high <= after_high;
      high_zero <= after_zero;
      high_one <= after_one;
    end
    if (load) begin
      low <= room_low;
      high <= room_high;
      high_zero <= room_zero;
      high_one <= room_one;
    end
  end
endmodule

// The limit in force (sigma on bits set; N - 1 on messages, since the N-th message trips), the room left in the
// active half, and the room right after a recycle, when the retained item is in it.
module recycle_limit (
  input  wire        clock,
  input  wire        take,         // take the threshold
  input  wire [16:0] threshold,    // threshold register
  input  wire [16:0] count,        // bits set, or messages, of the active half
  output wire [16:0] room,         // limit - count, not below 0
  output wire [16:0] base_room,    // limit - what a retained item adds, not below 0
  output wire        one_at_a_time // cycles may be so short that two slots in flight recycle: admit one item at a time
);
  localparam [16:0] base   = 17'd4;   // what a retained item adds
  localparam [16:0] large_ = 17'h100; // room from which cycles are long enough for full rate
  localparam [16:0] zero   = 17'd0;

  reg [16:0] limit_r;
  reg [17:0] difference;      // limit - count, with sign
  reg [16:0] room_r;
  reg [17:0] base_difference; // limit - base, with sign
  reg [16:0] base_room_r;
  reg        one_at_a_time_r;

  wire [16:0] limit_in;

  assign limit_in = threshold;
  assign room = room_r;
  assign base_room = base_room_r;
  assign one_at_a_time = one_at_a_time_r;

  initial begin
    limit_r = 17'd0;
    difference = 18'd0;
    room_r = 17'd0;
    base_difference = 18'd0;
    base_room_r = 17'd0;
    one_at_a_time_r = 1'b1;
  end

  always @(posedge clock) begin
    if (take) begin
      limit_r <= limit_in;
    end
    difference <= {1'b0, limit_r} - {1'b0, count};
    room_r <= difference[16:0];
    if (difference[17]) begin
      room_r <= zero;
    end
    base_difference <= {1'b0, limit_r} - {1'b0, base};
    base_room_r <= base_difference[16:0];
    if (base_difference[17]) begin
      base_room_r <= zero;
    end
    one_at_a_time_r <= base_room_r < large_;
  end
endmodule

// Delays 4 bits by 4 clocks.
module delay_4x4 (
  input  wire       clock,
  input  wire [3:0] d,
  output wire [3:0] q
);
  reg [3:0] stage_1;
  reg [3:0] stage_2;
  reg [3:0] stage_3;
  reg [3:0] stage_4;

  assign q = stage_4;

  initial begin
    stage_1 = 4'd0;
    stage_2 = 4'd0;
    stage_3 = 4'd0;
    stage_4 = 4'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
    stage_3 <= stage_2;
    stage_4 <= stage_3;
  end
endmodule

// Delays 1 bit by 2 clocks.
module delay_1x2 (
  input  wire clock,
  input  wire d,
  output wire q
);
  reg stage_1;
  reg stage_2;

  assign q = stage_2;

  initial begin
    stage_1 = 1'd0;
    stage_2 = 1'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
  end
endmodule

// Delays 4 bits by 2 clocks.
module delay_4x2 (
  input  wire       clock,
  input  wire [3:0] d,
  output wire [3:0] q
);
  reg [3:0] stage_1;
  reg [3:0] stage_2;

  assign q = stage_2;

  initial begin
    stage_1 = 4'd0;
    stage_2 = 4'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
  end
endmodule

// Which half is active, each half's epoch, and how many epoch values each may still issue.
// A recycle costs no clock: the next epoch makes every word of the half read as empty.
// Safety: a value is issued again only after every word of the half has been seen to bear a later one.
module epoch_guard (
  input  wire       clock,
  input  wire       trip,             // the slot that is decided in this clock recycles
  input  wire       recycled,         // the slot in stage W recycled
  input  wire       all_full,         // every word of the active half bears its epoch, in every bank
  output wire       phase,            // which half is active, after the slots decided before
  output wire [3:0] active_epoch,     // its epoch
  output wire       phase_6_0,        // which half was active when the slot in stage 6 stood in stage 2
  output wire [3:0] active_epoch_6,   // its epoch then
  output wire [3:0] frozen_epoch_6_0, // the other half's epoch then
  output wire       write_phase_0,    // half that the slot in stage W writes
  output wire [3:0] write_epoch,      // epoch that it writes
  output wire       covered,          // every word of the active half bears its epoch
  output wire       blocked,          // the active half has no spare epoch: admit nothing until it is covered
  output wire [3:0] spare             // spare epochs of the active half
);
  localparam [3:0] last_epoch  = 4'd15;
  localparam [3:0] first_epoch = 4'd1;
  localparam [3:0] all_spare   = 4'd14; // epoch values but the current one

  reg       phase_r_0;
  reg [3:0] epoch_0;
  reg [3:0] epoch_1;
  reg       here_0;
  reg [3:0] spare_r_0;
  reg [3:0] spare_r_1;
  reg       covered_r;
  reg       blocked_r;

  reg  [3:0] epoch_now;
  reg  [3:0] other_epoch_0;
  reg  [3:0] next_epoch;
  reg  [3:0] spare_here;
  wire       phase_line_0_q;
  wire [3:0] epoch_line_q;
  wire [3:0] other_line_0_q;
  wire       write_phase_line_0_q;
  wire [3:0] write_epoch_line_q;

  delay_1x4 phase_line_0 (
    .clock (clock),
    .d     (phase_r_0),
    .q     (phase_line_0_q)
  );

  delay_4x4 epoch_line (
    .clock (clock),
    .d     (epoch_now),
    .q     (epoch_line_q)
  );

  delay_4x4 other_line_0 (
    .clock (clock),
    .d     (other_epoch_0),
    .q     (other_line_0_q)
  );

  delay_1x2 write_phase_line_0 (
    .clock (clock),
    .d     (phase_r_0),
    .q     (write_phase_line_0_q)
  );

  delay_4x2 write_epoch_line (
    .clock (clock),
    .d     (epoch_now),
    .q     (write_epoch_line_q)
  );

  assign phase = phase_r_0;
  assign active_epoch = epoch_now;
  assign active_epoch_6 = epoch_line_q;
  assign write_epoch = write_epoch_line_q;
  assign phase_6_0 = phase_line_0_q;
  assign frozen_epoch_6_0 = other_line_0_q;
  assign write_phase_0 = write_phase_line_0_q;
  assign covered = covered_r;
  assign blocked = blocked_r;
  assign spare = spare_here;

  initial begin
    phase_r_0 = 1'b0;
    epoch_0 = 4'd1;
    epoch_1 = 4'd1;
    here_0 = 1'b0;
    spare_r_0 = 4'd14;
    spare_r_1 = 4'd14;
    covered_r = 1'b0;
    blocked_r = 1'b0;
  end

  always @* begin
    // at the decision
    epoch_now = epoch_0;
    other_epoch_0 = epoch_1;
    if (phase_r_0) begin
      epoch_now = epoch_1;
      other_epoch_0 = epoch_0;
    end
  end

  always @* begin
    // the half that a recycle makes active
    next_epoch = other_epoch_0 + 4'd1;
    if (other_epoch_0 == last_epoch) begin
      next_epoch = first_epoch;
    end
  end

  always @* begin
    spare_here = spare_r_0;
    if (here_0) begin
      spare_here = spare_r_1;
    end
  end

  always @(posedge clock) begin
    if (trip) begin
      phase_r_0 <= !phase_r_0;
      if (phase_r_0) begin
        epoch_0 <= next_epoch;
      end else begin
        epoch_1 <= next_epoch;
      end
    end

    // at retirement
    covered_r <= all_full && !recycled;
    if (recycled) begin
      here_0 <= !here_0;
      if (here_0) begin
        spare_r_0 <= spare_r_0 - 4'd1;
      end else begin
        spare_r_1 <= spare_r_1 - 4'd1;
      end
    end else if (covered_r) begin
      if (here_0) begin
        spare_r_1 <= all_spare;
      end else begin
        spare_r_0 <= all_spare;
      end
    end
    blocked_r <= !(|spare_here);
  end
endmodule

// Number of ones among 32 bit(s), 4 clock(s) later.
module count_ones_2 (
  input  wire        clock,
  input  wire        reset, // drops what is being counted
  input  wire [31:0] x,     // bits to count
  output wire [5:0]  count  // ones
);
  reg [2:0] sum_1_0;
  reg [2:0] sum_1_1;
  reg [2:0] sum_1_2;
  reg [2:0] sum_1_3;
  reg [2:0] sum_1_4;
  reg [2:0] sum_1_5;
  reg [2:0] sum_1_6;
  reg [2:0] sum_1_7;
  reg [3:0] sum_2_0;
  reg [3:0] sum_2_1;
  reg [3:0] sum_2_2;
  reg [3:0] sum_2_3;
  reg [4:0] sum_3_0;
  reg [4:0] sum_3_1;
  reg [5:0] sum_4_0;

  initial begin
    sum_1_0 = 3'd0;
    sum_1_1 = 3'd0;
    sum_1_2 = 3'd0;
    sum_1_3 = 3'd0;
    sum_1_4 = 3'd0;
    sum_1_5 = 3'd0;
    sum_1_6 = 3'd0;
    sum_1_7 = 3'd0;
    sum_2_0 = 4'd0;
    sum_2_1 = 4'd0;
    sum_2_2 = 4'd0;
    sum_2_3 = 4'd0;
    sum_3_0 = 5'd0;
    sum_3_1 = 5'd0;
    sum_4_0 = 6'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      sum_1_0 <= 3'd0;
      sum_1_1 <= 3'd0;
      sum_1_2 <= 3'd0;
      sum_1_3 <= 3'd0;
      sum_1_4 <= 3'd0;
      sum_1_5 <= 3'd0;
      sum_1_6 <= 3'd0;
      sum_1_7 <= 3'd0;
      sum_2_0 <= 4'd0;
      sum_2_1 <= 4'd0;
      sum_2_2 <= 4'd0;
      sum_2_3 <= 4'd0;
      sum_3_0 <= 5'd0;
      sum_3_1 <= 5'd0;
      sum_4_0 <= 6'd0;
    end else begin
      sum_1_0 <= {2'd0, x[0]} + {2'd0, x[1]} + {2'd0, x[2]} + {2'd0, x[3]};
      sum_1_1 <= {2'd0, x[4]} + {2'd0, x[5]} + {2'd0, x[6]} + {2'd0, x[7]};
      sum_1_2 <= {2'd0, x[8]} + {2'd0, x[9]} + {2'd0, x[10]} + {2'd0, x[11]};
      sum_1_3 <= {2'd0, x[12]} + {2'd0, x[13]} + {2'd0, x[14]} + {2'd0, x[15]};
      sum_1_4 <= {2'd0, x[16]} + {2'd0, x[17]} + {2'd0, x[18]} + {2'd0, x[19]};
      sum_1_5 <= {2'd0, x[20]} + {2'd0, x[21]} + {2'd0, x[22]} + {2'd0, x[23]};
      sum_1_6 <= {2'd0, x[24]} + {2'd0, x[25]} + {2'd0, x[26]} + {2'd0, x[27]};
      sum_1_7 <= {2'd0, x[28]} + {2'd0, x[29]} + {2'd0, x[30]} + {2'd0, x[31]};
      sum_2_0 <= {1'd0, sum_1_0} + {1'd0, sum_1_1};
      sum_2_1 <= {1'd0, sum_1_2} + {1'd0, sum_1_3};
      sum_2_2 <= {1'd0, sum_1_4} + {1'd0, sum_1_5};
      sum_2_3 <= {1'd0, sum_1_6} + {1'd0, sum_1_7};
      sum_3_0 <= {1'd0, sum_2_0} + {1'd0, sum_2_1};
      sum_3_1 <= {1'd0, sum_2_2} + {1'd0, sum_2_3};
      sum_4_0 <= {1'd0, sum_3_0} + {1'd0, sum_3_1};
    end
  end

  assign count = sum_4_0;
endmodule

// Bits set in each half, and bit-setting messages of this cycle.
module occupancy (
  input  wire        clock,
  input  wire        reset,       // empty
  input  wire        trip,        // the slot in stage D recycles
  input  wire        inserting,   // the slot in stage D inserts
  input  wire [2:0]  count,       // its new bits
  input  wire        found,       // a host sets bits
  input  wire [31:0] word,        // in this word
  input  wire [31:0] bits,        // namely these
  output wire [16:0] bits_active, // bits set in the active half
  output wire [16:0] bits_frozen, // bits set in the frozen half
  output wire [16:0] messages     // bit-setting messages of this cycle
);
  localparam [31:0] no_bits           = 32'd0;
  localparam [16:0] zero              = 17'd0;
  localparam [16:0] retained_bits     = 17'd4; // bits of a retained item
  localparam [16:0] retained_messages = 17'd1; // a retained item

  reg [16:0] active;
  reg [16:0] frozen_0;
  reg [16:0] message_count;
  reg [31:0] fresh;         // bits of a host that were clear

  wire [5:0] more;        // bits that come
  wire [5:0] added_count;

  count_ones_2 added (
    .clock (clock),
    .reset (reset),
    .x     (fresh),
    .count (added_count)
  );

  assign more = {3'd0, count} | added_count;
  assign bits_frozen = frozen_0;
  assign bits_active = active;
  assign messages = message_count;

  initial begin
    active = 17'd0;
    frozen_0 = 17'd0;
    message_count = 17'd0;
    fresh = 32'd0;
  end

  always @(posedge clock) begin
    // bits of a host
    fresh <= no_bits;
    if (found && !reset) begin
      fresh <= bits & ~word;
    end
    active <= active + {11'd0, more};
    message_count <= message_count + {16'd0, |more};
    if (trip) begin
      active <= zero;
      message_count <= zero;
      if (inserting) begin
        active <= retained_bits;
        message_count <= retained_messages;
      end
    end
    if (reset) begin
      active <= zero;
      message_count <= zero;
    end
    if (trip) begin
      frozen_0 <= active;
    end
    if (reset) begin
      frozen_0 <= zero;
    end
  end
endmodule

// 64 entries of 17 bits in distributed RAM; reads without a clock.
module queue_memory_3 (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [5:0]  write_address, // entry to write
  input  wire [16:0] write_data,    // its value
  input  wire [5:0]  read_address,  // entry to read
  output wire [16:0] read_data      // its value, in the same clock
);
  reg [16:0] entries [0:63];
  integer i;

  initial begin
    for (i = 0; i <= 63; i = i + 1) entries[i] = 17'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// 64 entries of 4 bits in distributed RAM; reads without a clock.
module queue_memory_4 (
  input  wire       clock,
  input  wire       write_enable,  // write this clock
  input  wire [5:0] write_address, // entry to write
  input  wire [3:0] write_data,    // its value
  input  wire [5:0] read_address,  // entry to read
  output wire [3:0] read_data      // its value, in the same clock
);
  reg [3:0] entries [0:63];
  integer i;

  initial begin
    for (i = 0; i <= 63; i = i + 1) entries[i] = 4'd0;
  end

  assign read_data = entries[read_address];

  always @(posedge clock) begin
    if (write_enable) entries[write_address] <= write_data;
  end
endmodule

// Queue of 64 verdicts. An item is admitted only while its verdict is sure of a place, so the pipeline never stops.
// Tags enter at admission, flags at the decision, both in order.
module verdict_queue (
  input  wire        clock,
  input  wire        reset,    // empty
  input  wire        claim,    // an item that wants a verdict is accepted
  input  wire [16:0] tag,      // its tag
  input  wire        push,     // the oldest claimed verdict is known
  input  wire [3:0]  flags,    // verdict: tripped, in_frozen, in_active, seen
  input  wire        ready,    // the stream takes the beat
  output wire        valid,    // a beat is offered
  output wire [3:0]  data,     // its verdict
  output wire [16:0] data_tag, // its tag
  output wire        credit    // places are left for items accepted from here on
);
  localparam [5:0] no_address = 6'd0;
  localparam [6:0] no_count   = 7'd0;
  localparam [6:0] most       = 7'd60; // places that may be claimed when ready is decided: four more items may follow

  reg [5:0]  tag_in;
  reg [5:0]  verdict_in;
  reg [5:0]  out;
  reg [6:0]  used;
  reg        some;        // used > 0
  reg        single;      // used = 1
  reg        claimed;
  reg [16:0] claimed_tag;
  reg        loaded;
  reg [6:0]  outstanding; // claimed and not loaded, a clock late
  reg        valid_r;
  reg [3:0]  data_r;
  reg [16:0] tag_r;
  reg        credit_r;

  wire        load;
  wire [16:0] tags_read_data;
  wire [3:0]  verdicts_read_data;

  queue_memory_3 tags (
    .clock         (clock),
    .write_enable  (claimed),
    .write_address (tag_in),
    .write_data    (claimed_tag),
    .read_address  (out),
    .read_data     (tags_read_data)
  );

  queue_memory_4 verdicts (
    .clock         (clock),
    .write_enable  (push),
    .write_address (verdict_in),
    .write_data    (flags),
    .read_address  (out),
    .read_data     (verdicts_read_data)
  );

  assign load = some && (!valid_r || ready);
  assign valid = valid_r;
  assign data = data_r;
  assign data_tag = tag_r;
  assign credit = credit_r;

  initial begin
    tag_in = 6'd0;
    verdict_in = 6'd0;
    out = 6'd0;
    used = 7'd0;
    some = 1'b0;
    single = 1'b0;
    claimed = 1'b0;
    claimed_tag = 17'd0;
    loaded = 1'b0;
    outstanding = 7'd0;
    valid_r = 1'b0;
    data_r = 4'd0;
    tag_r = 17'd0;
    credit_r = 1'b1;
  end

  always @(posedge clock) begin
    claimed <= claim && !reset;
    claimed_tag <= tag;
    loaded <= load && !reset;
    if (claimed) begin
      tag_in <= tag_in + 6'd1;
    end
    if (push) begin
      verdict_in <= verdict_in + 6'd1;
    end
    valid_r <= valid_r && !ready;
    if (load) begin
      out <= out + 6'd1;
      data_r <= verdicts_read_data;
      tag_r <= tags_read_data;
      valid_r <= 1'b1;
    end
    if (push && !load) begin
      used <= used + 7'd1;
      some <= 1'b1;
      single <= !some;
    end else if (!push && load) begin
      used <= used - 7'd1;
      some <= !single;
      single <= used == 7'd2;
    end
    if (claimed && !loaded) begin
      outstanding <= outstanding + 7'd1;
    end else if (!claimed && loaded) begin
      outstanding <= outstanding - 7'd1;
    end
    credit_r <= outstanding <= most;
    if (reset) begin
      tag_in <= no_address;
      verdict_in <= no_address;
      out <= no_address;
      used <= no_count;
      some <= 1'b0;
      single <= 1'b0;
      outstanding <= no_count;
      valid_r <= 1'b0;
      credit_r <= 1'b1;
    end
  end
endmodule

// AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.
// Reading the low half of a counter samples all 64 bits; the high half read next belongs to it.
module register_file_3 (
  input  wire        clock,
  input  wire        reset,            // back to the specification's values
  input  wire        awvalid,
  output wire        awready,
  input  wire [7:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [7:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  input  wire [31:0] live_0,           // register STATUS
  input  wire [16:0] live_1,           // register BITS_ACTIVE
  input  wire [16:0] live_2,           // register BITS_FROZEN
  input  wire [16:0] live_3,           // register MESSAGES
  input  wire [31:0] counter_low_0,    // counter ITEMS, lower half
  input  wire [31:0] counter_low_1,    // counter SEEN, lower half
  input  wire [31:0] counter_low_2,    // counter INSERTED, lower half
  input  wire [31:0] counter_low_3,    // counter RECYCLES, lower half
  input  wire [31:0] counter_low_4,    // counter STALL_RECYCLE, lower half
  input  wire [31:0] counter_low_5,    // counter STALL_CONTROL, lower half
  input  wire [31:0] counter_low_6,    // counter STALL_VERDICT, lower half
  input  wire [31:0] counter_high_0,   // counter ITEMS, upper half, a clock late
  input  wire [31:0] counter_high_1,   // counter SEEN, upper half, a clock late
  input  wire [31:0] counter_high_2,   // counter INSERTED, upper half, a clock late
  input  wire [31:0] counter_high_3,   // counter RECYCLES, upper half, a clock late
  input  wire [31:0] counter_high_4,   // counter STALL_RECYCLE, upper half, a clock late
  input  wire [31:0] counter_high_5,   // counter STALL_CONTROL, upper half, a clock late
  input  wire [31:0] counter_high_6,   // counter STALL_VERDICT, upper half, a clock late
  input  wire        finished,         // what is pending is done
  input  wire        load_0,           // load ARRAY_DATA
  input  wire [31:0] load_value_0,     // its value
  input  wire        fetched_0,        // the word that was asked for is there in the next clock
  output wire [16:0] value_0,          // register THRESHOLD
  output wire [31:0] value_1,          // register MAX_AGE
  output wire [11:0] value_2,          // register ARRAY_ADDRESS
  output wire [31:0] value_3,          // register ARRAY_DATA
  output wire        stored_0,         // ARRAY_DATA is being written
  output reg         fetch_asked_0,    // ARRAY_ADDRESS is being written
  output wire        clear_pending,    // a clear was written and is not done
  output wire        write_pending,    // a clear, a recycle or THRESHOLD or ARRAY_DATA was written and is not done
  output wire        recycle_pending_0 // a recycle was written and is not done
);
  localparam [5:0]  fixed_address_0  = 6'd0;
  localparam [5:0]  fixed_address_1  = 6'd1;
  localparam [5:0]  fixed_address_2  = 6'd2;
  localparam [5:0]  fixed_address_3  = 6'd3;
  localparam [5:0]  fixed_address_4  = 6'd4;
  localparam [5:0]  fixed_address_5  = 6'd16;
  localparam [5:0]  fixed_address_6  = 6'd17;
  localparam [5:0]  fixed_address_7  = 6'd18;
  localparam [5:0]  fixed_address_8  = 6'd19;
  localparam [5:0]  fixed_address_9  = 6'd32;
  localparam [5:0]  fixed_address_10 = 6'd33;
  localparam [5:0]  fixed_address_11 = 6'd34;
  localparam [31:0] fixed_value_0    = 32'h424c4d4c;
  localparam [31:0] fixed_value_1    = 32'd1;
  localparam [31:0] fixed_value_2    = 32'he38a5230;
  localparam [31:0] fixed_value_3    = 32'h580aaa3;
  localparam [31:0] fixed_value_4    = 32'h40;
  localparam [31:0] fixed_value_5    = 32'd1;
  localparam [31:0] fixed_value_6    = 32'd3;
  localparam [31:0] fixed_value_7    = 32'h80;
  localparam [31:0] fixed_value_8    = 32'd0;
  localparam [31:0] fixed_value_9    = 32'd2;
  localparam [31:0] fixed_value_10   = 32'd1;
  localparam [31:0] fixed_value_11   = 32'h100;
  localparam [5:0]  live_address_0   = 6'd20;
  localparam [5:0]  live_address_1   = 6'd23;
  localparam [5:0]  live_address_2   = 6'd24;
  localparam [5:0]  live_address_3   = 6'd25;
  localparam [5:0]  value_address_0  = 6'd21;
  localparam [5:0]  value_address_1  = 6'd22;
  localparam [5:0]  value_address_2  = 6'd26;
  localparam [5:0]  value_address_3  = 6'd27;
  localparam [16:0] value_reset_0    = 17'h8000;          // THRESHOLD after reset
  localparam [31:0] value_reset_1    = 32'd0;             // MAX_AGE after reset
  localparam [11:0] value_reset_2    = 12'd0;             // ARRAY_ADDRESS after reset
  localparam [31:0] value_reset_3    = 32'd0;             // ARRAY_DATA after reset
  localparam [5:0]  low_address_0    = 6'd36;
  localparam [5:0]  low_address_1    = 6'd38;
  localparam [5:0]  low_address_2    = 6'd40;
  localparam [5:0]  low_address_3    = 6'd42;
  localparam [5:0]  low_address_4    = 6'd44;
  localparam [5:0]  low_address_5    = 6'd46;
  localparam [5:0]  low_address_6    = 6'd48;
  localparam [5:0]  high_address_0   = 6'd37;
  localparam [5:0]  high_address_1   = 6'd39;
  localparam [5:0]  high_address_2   = 6'd41;
  localparam [5:0]  high_address_3   = 6'd43;
  localparam [5:0]  high_address_4   = 6'd45;
  localparam [5:0]  high_address_5   = 6'd47;
  localparam [5:0]  high_address_6   = 6'd49;
  localparam [63:0] mapped_words     = 64'h3fff70fff001f; // bit w: there is a register at word w
  localparam [63:0] writable_words   = 64'hc680000;       // bit w: that a host may write
  localparam [5:0]  control_address  = 6'd19;
  localparam [2:0]  commands         = 3'd5;              // bits of CONTROL that command something
  localparam [2:0]  clears           = 3'd1;              // those that clear
  localparam [1:0]  okay             = 2'd0;
  localparam [1:0]  slave_error      = 2'd2;
  localparam [1:0]  decode_error     = 2'd3;
  localparam [31:0] zero             = 32'd0;

  reg [16:0] value_r_0;
  reg [31:0] value_r_1;
  reg [11:0] value_r_2;
  reg [31:0] value_r_3;
  reg        clear_r;
  reg        recycle_r_0;
  reg        pending_r;
  reg        fetching_0;      // a word was asked for and is not there
  reg        seen;            // a write is judged
  reg        taking;          // it is taken
  reg        known;           // there is a register at its address
  reg        legal_r;         // it is done
  reg        bvalid_r;
  reg [1:0]  bresp_r;
  reg        mapped_r;
  reg        to_control_r;
  reg        to_value_r_0;
  reg        to_value_r_1;
  reg        to_value_r_2;
  reg        to_value_r_3;
  reg        unwritable_r;
  reg        control_wide;    // the data are wider than CONTROL
  reg        value_wide_0;    // wider than THRESHOLD
  reg        value_wide_1;    // wider than MAX_AGE
  reg        value_wide_2;    // wider than ARRAY_ADDRESS
  reg        value_wide_3;    // wider than ARRAY_DATA
  reg        reading;
  reg        sampling;
  reg        merging;
  reg        fixed_hit_0;
  reg        fixed_hit_1;
  reg        fixed_hit_2;
  reg        fixed_hit_3;
  reg        fixed_hit_4;
  reg        fixed_hit_5;
  reg        fixed_hit_6;
  reg        fixed_hit_7;
  reg        fixed_hit_8;
  reg        fixed_hit_9;
  reg        fixed_hit_10;
  reg        fixed_hit_11;
  reg        live_hit_0;
  reg        live_hit_1;
  reg        live_hit_2;
  reg        live_hit_3;
  reg        value_hit_0;
  reg        value_hit_1;
  reg        value_hit_2;
  reg        value_hit_3;
  reg        low_hit_0;
  reg        low_hit_1;
  reg        low_hit_2;
  reg        low_hit_3;
  reg        low_hit_4;
  reg        low_hit_5;
  reg        low_hit_6;
  reg        low_hit_late_0;
  reg        low_hit_late_1;
  reg        low_hit_late_2;
  reg        low_hit_late_3;
  reg        low_hit_late_4;
  reg        low_hit_late_5;
  reg        low_hit_late_6;
  reg        high_hit;
  reg        any_low_hit_r;
  reg [31:0] fixed_group_r;
  reg [31:0] live_group_r;
  reg [31:0] counter_group_r;
  reg [31:0] high_sample;
  reg        found_r;
  reg        rvalid_r;
  reg [31:0] rdata_r;
  reg [1:0]  rresp_r;

  wire [5:0]  write_word;
  wire        mapped;
  wire        to_control;
  wire        to_value_0;
  wire        to_value_1;
  wire        to_value_2;
  wire        to_value_3;
  wire [2:0]  command;
  wire        commanded;
  wire        writable;
  reg         too_wide;
  wire        refused;
  wire        legal;
  wire [5:0]  read_word;
  reg         held;
  reg         any_low_hit;
  reg         any_high_hit;
  reg  [31:0] fixed_group;
  reg  [31:0] live_group;
  reg  [31:0] counter_group;
  reg  [31:0] high_in;
  reg  [31:0] counter_high_now;
  reg         found;

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_control = write_word == control_address;

  // decoded while the address waits to be taken; AXI holds it and the data until then
  assign writable = writable_words[write_word];
  assign to_value_0 = write_word == value_address_0;
  assign to_value_1 = write_word == value_address_1;
  assign to_value_2 = write_word == value_address_2;
  assign to_value_3 = write_word == value_address_3;
  assign mapped = mapped_words[write_word];
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[2:0] & commands;
  assign commanded = legal && to_control_r && (|command);
  assign recycle_pending_0 = recycle_r_0;
  assign value_0 = value_r_0;
  assign value_1 = value_r_1;
  assign value_2 = value_r_2;
  assign value_3 = value_r_3;
  assign stored_0 = legal && to_value_r_3;
  assign clear_pending = clear_r;
  assign write_pending = pending_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    value_r_0 = 17'h8000;
    value_r_1 = 32'd0;
    value_r_2 = 12'd0;
    value_r_3 = 32'd0;
    clear_r = 1'b0;
    recycle_r_0 = 1'b0;
    pending_r = 1'b0;
    fetching_0 = 1'b0;
    seen = 1'b0;
    taking = 1'b0;
    known = 1'b0;
    legal_r = 1'b0;
    bvalid_r = 1'b0;
    bresp_r = 2'd0;
    mapped_r = 1'b0;
    to_control_r = 1'b0;
    to_value_r_0 = 1'b0;
    to_value_r_1 = 1'b0;
    to_value_r_2 = 1'b0;
    to_value_r_3 = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    value_wide_0 = 1'b0;
    value_wide_1 = 1'b0;
    value_wide_2 = 1'b0;
    value_wide_3 = 1'b0;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    fixed_hit_2 = 1'b0;
    fixed_hit_3 = 1'b0;
    fixed_hit_4 = 1'b0;
    fixed_hit_5 = 1'b0;
    fixed_hit_6 = 1'b0;
    fixed_hit_7 = 1'b0;
    fixed_hit_8 = 1'b0;
    fixed_hit_9 = 1'b0;
    fixed_hit_10 = 1'b0;
    fixed_hit_11 = 1'b0;
    live_hit_0 = 1'b0;
    live_hit_1 = 1'b0;
    live_hit_2 = 1'b0;
    live_hit_3 = 1'b0;
    value_hit_0 = 1'b0;
    value_hit_1 = 1'b0;
    value_hit_2 = 1'b0;
    value_hit_3 = 1'b0;
    low_hit_0 = 1'b0;
    low_hit_1 = 1'b0;
    low_hit_2 = 1'b0;
    low_hit_3 = 1'b0;
    low_hit_4 = 1'b0;
    low_hit_5 = 1'b0;
    low_hit_6 = 1'b0;
    low_hit_late_0 = 1'b0;
    low_hit_late_1 = 1'b0;
    low_hit_late_2 = 1'b0;
    low_hit_late_3 = 1'b0;
    low_hit_late_4 = 1'b0;
    low_hit_late_5 = 1'b0;
    low_hit_late_6 = 1'b0;
    high_hit = 1'b0;
    any_low_hit_r = 1'b0;
    fixed_group_r = 32'd0;
    live_group_r = 32'd0;
    counter_group_r = 32'd0;
    high_sample = 32'd0;
    found_r = 1'b0;
    rvalid_r = 1'b0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @* begin
    too_wide = to_control_r && control_wide;
    too_wide = too_wide || (to_value_r_0 && value_wide_0);
    too_wide = too_wide || (to_value_r_1 && value_wide_1);
    too_wide = too_wide || (to_value_r_2 && value_wide_2);
    too_wide = too_wide || (to_value_r_3 && value_wide_3);
  end

  always @* begin
    held = 1'b0;
    held = held || fetching_0;
  end

  always @* begin
    fetch_asked_0 = 1'b0;
    if (legal && to_value_r_2) begin
      fetch_asked_0 = 1'b1;
    end
  end

  always @* begin
    fixed_group = zero;
    live_group = zero;
    counter_group = zero;
    found = 1'b0;
    if (fixed_hit_0) begin
      fixed_group = fixed_group | fixed_value_0;
      found = 1'b1;
    end
    if (fixed_hit_1) begin
      fixed_group = fixed_group | fixed_value_1;
      found = 1'b1;
    end
    if (fixed_hit_2) begin
      fixed_group = fixed_group | fixed_value_2;
      found = 1'b1;
    end
    if (fixed_hit_3) begin
      fixed_group = fixed_group | fixed_value_3;
      found = 1'b1;
    end
    if (fixed_hit_4) begin
      fixed_group = fixed_group | fixed_value_4;
      found = 1'b1;
    end
    if (fixed_hit_5) begin
      fixed_group = fixed_group | fixed_value_5;
      found = 1'b1;
    end
    if (fixed_hit_6) begin
      fixed_group = fixed_group | fixed_value_6;
      found = 1'b1;
    end
    if (fixed_hit_7) begin
      fixed_group = fixed_group | fixed_value_7;
      found = 1'b1;
    end
    if (fixed_hit_8) begin
      fixed_group = fixed_group | fixed_value_8;
      found = 1'b1;
    end
    if (fixed_hit_9) begin
      fixed_group = fixed_group | fixed_value_9;
      found = 1'b1;
    end
    if (fixed_hit_10) begin
      fixed_group = fixed_group | fixed_value_10;
      found = 1'b1;
    end
    if (fixed_hit_11) begin
      fixed_group = fixed_group | fixed_value_11;
      found = 1'b1;
    end
    if (live_hit_0) begin
      live_group = live_group | live_0;
      found = 1'b1;
    end
    if (live_hit_1) begin
      live_group = live_group | {15'd0, live_1};
      found = 1'b1;
    end
    if (live_hit_2) begin
      live_group = live_group | {15'd0, live_2};
      found = 1'b1;
    end
    if (live_hit_3) begin
      live_group = live_group | {15'd0, live_3};
      found = 1'b1;
    end
    if (value_hit_0) begin
      live_group = live_group | {15'd0, value_r_0};
      found = 1'b1;
    end
    if (value_hit_1) begin
      live_group = live_group | value_r_1;
      found = 1'b1;
    end
    if (value_hit_2) begin
      live_group = live_group | {20'd0, value_r_2};
      found = 1'b1;
    end
    if (value_hit_3) begin
      live_group = live_group | value_r_3;
      found = 1'b1;
    end
    any_low_hit = 1'b0;
    if (low_hit_0) begin
      counter_group = counter_group | counter_low_0;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_1) begin
      counter_group = counter_group | counter_low_1;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_2) begin
      counter_group = counter_group | counter_low_2;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_3) begin
      counter_group = counter_group | counter_low_3;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_4) begin
      counter_group = counter_group | counter_low_4;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_5) begin
      counter_group = counter_group | counter_low_5;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (low_hit_6) begin
      counter_group = counter_group | counter_low_6;
      any_low_hit = 1'b1;
      found = 1'b1;
    end
    if (high_hit) begin
      live_group = live_group | high_sample;
      found = 1'b1;
    end
  end

  always @* begin
    any_high_hit = 1'b0;
    if (read_word == high_address_0) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_1) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_2) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_3) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_4) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_5) begin
      any_high_hit = 1'b1;
    end
    if (read_word == high_address_6) begin
      any_high_hit = 1'b1;
    end
  end

  always @* begin
    counter_high_now = zero;
    if (low_hit_late_0) begin
      counter_high_now = counter_high_now | counter_high_0;
    end
    if (low_hit_late_1) begin
      counter_high_now = counter_high_now | counter_high_1;
    end
    if (low_hit_late_2) begin
      counter_high_now = counter_high_now | counter_high_2;
    end
    if (low_hit_late_3) begin
      counter_high_now = counter_high_now | counter_high_3;
    end
    if (low_hit_late_4) begin
      counter_high_now = counter_high_now | counter_high_4;
    end
    if (low_hit_late_5) begin
      counter_high_now = counter_high_now | counter_high_5;
    end
    if (low_hit_late_6) begin
      counter_high_now = counter_high_now | counter_high_6;
    end
  end

  always @* begin
    high_in = high_sample;
    if (any_low_hit_r) begin
      high_in = counter_high_now;
    end
  end

  always @(posedge clock) begin
    // write
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !pending_r && !reset;
    if (fetching_0) begin
      seen <= 1'b0;
    end
    taking <= seen && !reset;
    control_wide <= |(wdata >> 3);
    value_wide_0 <= |(wdata >> 17);
    value_wide_1 <= |32'd0;
    value_wide_2 <= |(wdata >> 12);
    value_wide_3 <= |32'd0;
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;
    to_value_r_0 <= to_value_0;
    to_value_r_1 <= to_value_1;
    to_value_r_2 <= to_value_2;
    to_value_r_3 <= to_value_3;

    // judged in the clock behind
    known <= mapped_r;
    legal_r <= seen && mapped_r && !refused && !reset;
    bvalid_r <= taking || (bvalid_r && !bready);
    if (taking) begin
      bresp_r <= okay;
      if (!known) begin
        bresp_r <= decode_error;
      end else if (!legal) begin
        bresp_r <= slave_error;
      end
    end
    clear_r <= clear_r && !finished;
    pending_r <= pending_r && !finished;
    if (commanded) begin
      clear_r <= |(command & clears);
      pending_r <= 1'b1;
    end
    recycle_r_0 <= recycle_r_0 && !finished;
    if (commanded) begin
      recycle_r_0 <= wdata[2];
    end
    if (reset) begin
      recycle_r_0 <= 1'b0;
    end
    if (legal && to_value_r_0) begin
      pending_r <= 1'b1;
    end
    if (legal && to_value_r_0) begin
      value_r_0 <= wdata[16:0];
    end
    if (legal && to_value_r_1) begin
      value_r_1 <= wdata;
    end
    if (legal && to_value_r_2) begin
      value_r_2 <= wdata[11:0];
    end
    if (legal && to_value_r_3) begin
      value_r_3 <= wdata;
    end
    if (load_0) begin
      value_r_3 <= load_value_0;
    end
    if (stored_0) begin
      pending_r <= 1'b1;
    end
    fetching_0 <= fetching_0 && !fetched_0;
    if (legal && to_value_r_2) begin
      fetching_0 <= 1'b1;
    end

    // read: address taken, registers sampled, groups merged, answer
    reading <= arvalid && !reading && !sampling && !merging && !rvalid_r && !held && !reset;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    fixed_hit_2 <= read_word == fixed_address_2;
    fixed_hit_3 <= read_word == fixed_address_3;
    fixed_hit_4 <= read_word == fixed_address_4;
    fixed_hit_5 <= read_word == fixed_address_5;
    fixed_hit_6 <= read_word == fixed_address_6;
    fixed_hit_7 <= read_word == fixed_address_7;
    fixed_hit_8 <= read_word == fixed_address_8;
    fixed_hit_9 <= read_word == fixed_address_9;
    fixed_hit_10 <= read_word == fixed_address_10;
    fixed_hit_11 <= read_word == fixed_address_11;
    live_hit_0 <= read_word == live_address_0;
    live_hit_1 <= read_word == live_address_1;
    live_hit_2 <= read_word == live_address_2;
    live_hit_3 <= read_word == live_address_3;
    value_hit_0 <= read_word == value_address_0;
    value_hit_1 <= read_word == value_address_1;
    value_hit_2 <= read_word == value_address_2;
    value_hit_3 <= read_word == value_address_3;
    low_hit_0 <= read_word == low_address_0;
    low_hit_late_0 <= low_hit_0 && sampling;
    low_hit_1 <= read_word == low_address_1;
    low_hit_late_1 <= low_hit_1 && sampling;
    low_hit_2 <= read_word == low_address_2;
    low_hit_late_2 <= low_hit_2 && sampling;
    low_hit_3 <= read_word == low_address_3;
    low_hit_late_3 <= low_hit_3 && sampling;
    low_hit_4 <= read_word == low_address_4;
    low_hit_late_4 <= low_hit_4 && sampling;
    low_hit_5 <= read_word == low_address_5;
    low_hit_late_5 <= low_hit_5 && sampling;
    low_hit_6 <= read_word == low_address_6;
    low_hit_late_6 <= low_hit_6 && sampling;
    any_low_hit_r <= any_low_hit && sampling;
    high_hit <= any_high_hit;
    fixed_group_r <= fixed_group;
    live_group_r <= live_group;
    counter_group_r <= counter_group;
    high_sample <= high_in;
    found_r <= found;
    rvalid_r <= merging || (rvalid_r && !rready);
    if (merging) begin
      rdata_r <= fixed_group_r | live_group_r | counter_group_r;
      rresp_r <= okay;
      if (!found_r) begin
        rresp_r <= decode_error;
      end
    end
    if (reset) begin
      value_r_0 <= value_reset_0;
      value_r_1 <= value_reset_1;
      value_r_2 <= value_reset_2;
      value_r_3 <= value_reset_3;
      clear_r <= 1'b0;
      pending_r <= 1'b0;
      fetching_0 <= 1'b0;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
      high_sample <= zero;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule

// Takes the address of a word that a host means apart. Counts recycles, by which a host knows whether two
// words are of the same halves.
module array_reader (
  input  wire        clock,
  input  wire [11:0] address,      // register ARRAY_ADDRESS: half, bank, word
  input  wire        trip,         // the slot in stage D recycles
  output wire [8:0]  word_address, // the word in its bank
  output wire [3:0]  in_bank_0,    // bit i: it is bank i
  output wire        of_frozen_0,  // it is the frozen half
  output wire [15:0] turns         // recycles of every cause
);
  localparam [1:0] bank_number_0 = 2'd0;
  localparam [1:0] bank_number_1 = 2'd1;
  localparam [1:0] bank_number_2 = 2'd2;
  localparam [1:0] bank_number_3 = 2'd3;

  reg [15:0] turns_r;

  wire [1:0] bank_0;

  assign word_address = address[8:0];
  assign bank_0 = address[10:9];
  assign in_bank_0[0] = bank_0 == bank_number_0;
  assign in_bank_0[1] = bank_0 == bank_number_1;
  assign in_bank_0[2] = bank_0 == bank_number_2;
  assign in_bank_0[3] = bank_0 == bank_number_3;
  assign of_frozen_0 = address[11];
  assign turns = turns_r;

  initial begin
    turns_r = 16'd0;
  end

  always @(posedge clock) begin
    if (trip) begin
      turns_r <= turns_r + 16'd1;
    end
  end
endmodule

// Recycling Bloom filter: 131072 bits, 4 hash(es), two-phase, recycles on bits set, the tripping item retained.
// One item a clock. Source: RBF sections III and V; timing: pipeline.md.
module line_card (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; empties the filter
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // operation: 0 query, 1 insert, 2 test-and-insert
  input  wire [16:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [3:0]   m_verdict_tdata,  // {tripped, in_frozen, in_active, seen}
  output wire [16:0]  m_verdict_tid,    // tag of the item
  input  wire         s_axil_awvalid,   // registers, AXI4-Lite
  output wire         s_axil_awready,
  input  wire [7:0]   s_axil_awaddr,    // byte address
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  output wire [1:0]   s_axil_bresp,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  input  wire [7:0]   s_axil_araddr,    // byte address
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,
  output wire [31:0]  s_axil_rdata,
  output wire [1:0]   s_axil_rresp
);
  localparam        retain    = 1'b1;
  localparam [31:0] no_status = 32'd0;
  localparam [3:0]  no_bank   = 4'd0;
  localparam [31:0] no_word   = 32'd0;

  reg [103:0] key;
  reg [3:0]   fetching_active;   // stage 7: a fetch of that bank's word
  reg [3:0]   fetching_frozen_0;
  reg         push;
  reg [3:0]   verdict;
  reg         item;
  reg         inserted;

  wire [3:0]  clear_none;
  wire [3:0]  clear_early_0;
  wire [3:0]  in_active;
  wire [3:0]  in_frozen_0;
  wire [3:0]  full;
  reg  [3:0]  fetching;
  reg  [31:0] array_word;
  wire        frozen;
  wire [16:0] held;
  wire [3:0]  verdict_in;
  wire [31:0] status;
  wire        sequencer_ready;
  wire        sequencer_accept;
  wire        sequencer_force_recycle;
  wire        sequencer_aged;
  wire        sequencer_fetch;
  wire        sequencer_set;
  wire        sequencer_take_limit;
  wire        sequencer_load_room;
  wire        sequencer_finished;
  wire        sequencer_running;
  wire        sequencer_stall_recycle;
  wire        sequencer_stall_control;
  wire        sequencer_stall_verdict;
  wire        slots_direct;
  wire [8:0]  slots_direct_address;
  wire        slots_near_inserting;
  wire        slots_inserting_8;
  wire        slots_inserting_9;
  wire        slots_far_inserting;
  wire        slots_forced;
  wire        slots_item;
  wire        slots_inserting;
  wire        slots_answering;
  wire        slots_setting;
  wire        slots_tripped;
  wire        slots_storing;
  wire        slots_current;
  wire        slots_write_enable;
  wire        slots_recycled;
  wire        slots_fetching_6;
  wire        slots_fetched;
  wire        slots_finding_6;
  wire        slots_found;
  wire        slots_adding;
  wire [13:0] hash_index_0;
  wire [13:0] hash_index_1;
  wire [13:0] hash_index_2;
  wire [13:0] hash_index_3;
  wire        bank_0_adding;
  wire        bank_0_clear_early_0;
  wire        bank_0_clear_none;
  wire        bank_0_in_active;
  wire        bank_0_in_frozen_0;
  wire        bank_0_full;
  wire [31:0] bank_0_word_8;
  wire        bank_1_adding;
  wire        bank_1_clear_early_0;
  wire        bank_1_clear_none;
  wire        bank_1_in_active;
  wire        bank_1_in_frozen_0;
  wire        bank_1_full;
  wire [31:0] bank_1_word_8;
  wire        bank_2_adding;
  wire        bank_2_clear_early_0;
  wire        bank_2_clear_none;
  wire        bank_2_in_active;
  wire        bank_2_in_frozen_0;
  wire        bank_2_full;
  wire [31:0] bank_2_word_8;
  wire        bank_3_adding;
  wire        bank_3_clear_early_0;
  wire        bank_3_clear_none;
  wire        bank_3_in_active;
  wire        bank_3_in_frozen_0;
  wire        bank_3_full;
  wire [31:0] bank_3_word_8;
  wire        decision_trip;
  wire [2:0]  decision_count;
  wire [16:0] limit_room;
  wire [16:0] limit_base_room;
  wire        limit_one_at_a_time;
  wire        epochs_all_full;
  wire        epochs_phase;
  wire [3:0]  epochs_active_epoch;
  wire        epochs_phase_6_0;
  wire [3:0]  epochs_active_epoch_6;
  wire [3:0]  epochs_frozen_epoch_6_0;
  wire        epochs_write_phase_0;
  wire [3:0]  epochs_write_epoch;
  wire        epochs_covered;
  wire        epochs_blocked;
  wire [3:0]  epochs_spare;
  wire        occupancy_found;
  wire [16:0] occupancy_bits_active;
  wire [16:0] occupancy_bits_frozen;
  wire [16:0] occupancy_messages;
  wire        verdicts_claim;
  wire        verdicts_valid;
  wire [3:0]  verdicts_data;
  wire [16:0] verdicts_data_tag;
  wire        verdicts_credit;
  wire        registers_awready;
  wire        registers_wready;
  wire        registers_bvalid;
  wire [1:0]  registers_bresp;
  wire        registers_arready;
  wire        registers_rvalid;
  wire [31:0] registers_rdata;
  wire [1:0]  registers_rresp;
  wire [16:0] registers_value_0;
  wire [31:0] registers_value_1;
  wire [11:0] registers_value_2;
  wire [31:0] registers_value_3;
  wire        registers_stored_0;
  wire        registers_fetch_asked_0;
  wire        registers_clear_pending;
  wire        registers_write_pending;
  wire        registers_recycle_pending_0;
  wire [8:0]  reader_word_address;
  wire [3:0]  reader_in_bank_0;
  wire        reader_of_frozen_0;
  wire [15:0] reader_turns;
  wire [31:0] counter_0_low;
  wire [31:0] counter_0_high;
  wire        counter_1_event_;
  wire [31:0] counter_1_low;
  wire [31:0] counter_1_high;
  wire [31:0] counter_2_low;
  wire [31:0] counter_2_high;
  wire        counter_3_event_;
  wire [31:0] counter_3_low;
  wire [31:0] counter_3_high;
  wire [31:0] counter_4_low;
  wire [31:0] counter_4_high;
  wire [31:0] counter_5_low;
  wire [31:0] counter_5_high;
  wire [31:0] counter_6_low;
  wire [31:0] counter_6_high;

  // admission
  sequencer sequencer (
    .clock           (clock),
    .reset           (reset),
    .valid           (s_item_tvalid),
    .clear_pending   (registers_clear_pending),
    .write_pending   (registers_write_pending),
    .max_age         (registers_value_1),
    .trip            (decision_trip),
    .blocked         (epochs_blocked),
    .one_at_a_time   (limit_one_at_a_time),
    .credit          (verdicts_credit),
    .recycle_pending (registers_recycle_pending_0),
    .set_asked       (registers_stored_0),
    .fetch_asked     (registers_fetch_asked_0),
    .ready           (sequencer_ready),
    .accept          (sequencer_accept),
    .force_recycle   (sequencer_force_recycle),
    .aged            (sequencer_aged),
    .fetch           (sequencer_fetch),
    .set             (sequencer_set),
    .take_limit      (sequencer_take_limit),
    .load_room       (sequencer_load_room),
    .finished        (sequencer_finished),
    .running         (sequencer_running),
    .stall_recycle   (sequencer_stall_recycle),
    .stall_control   (sequencer_stall_control),
    .stall_verdict   (sequencer_stall_verdict)
  );

  slots slots (
    .clock          (clock),
    .reset          (reset),
    .accept         (sequencer_accept),
    .operation      (s_item_tuser),
    .force_recycle  (sequencer_force_recycle),
    .fetch          (sequencer_fetch),
    .fetch_address  (reader_word_address),
    .set            (sequencer_set),
    .covered        (epochs_covered),
    .trip           (decision_trip),
    .direct         (slots_direct),
    .direct_address (slots_direct_address),
    .near_inserting (slots_near_inserting),
    .inserting_8    (slots_inserting_8),
    .inserting_9    (slots_inserting_9),
    .far_inserting  (slots_far_inserting),
    .forced         (slots_forced),
    .item           (slots_item),
    .inserting      (slots_inserting),
    .answering      (slots_answering),
    .setting        (slots_setting),
    .tripped        (slots_tripped),
    .storing        (slots_storing),
    .current        (slots_current),
    .write_enable   (slots_write_enable),
    .recycled       (slots_recycled),
    .fetching_6     (slots_fetching_6),
    .fetched        (slots_fetched),
    .finding_6      (slots_finding_6),
    .found          (slots_found),
    .adding         (slots_adding)
  );

  hash_unit hash (
    .clock   (clock),
    .key     (key),
    .index_0 (hash_index_0),
    .index_1 (hash_index_1),
    .index_2 (hash_index_2),
    .index_3 (hash_index_3)
  );

  // banks
  filter_bank bank_0 (
    .clock             (clock),
    .index             (hash_index_0),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[0]),
    .fetching_frozen_0 (fetching_frozen_0[0]),
    .setting           (slots_setting),
    .adding            (bank_0_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_0_clear_early_0),
    .clear_none        (bank_0_clear_none),
    .in_active         (bank_0_in_active),
    .in_frozen_0       (bank_0_in_frozen_0),
    .full              (bank_0_full),
    .word_8            (bank_0_word_8)
  );

  filter_bank bank_1 (
    .clock             (clock),
    .index             (hash_index_1),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[1]),
    .fetching_frozen_0 (fetching_frozen_0[1]),
    .setting           (slots_setting),
    .adding            (bank_1_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_1_clear_early_0),
    .clear_none        (bank_1_clear_none),
    .in_active         (bank_1_in_active),
    .in_frozen_0       (bank_1_in_frozen_0),
    .full              (bank_1_full),
    .word_8            (bank_1_word_8)
  );

  filter_bank bank_2 (
    .clock             (clock),
    .index             (hash_index_2),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[2]),
    .fetching_frozen_0 (fetching_frozen_0[2]),
    .setting           (slots_setting),
    .adding            (bank_2_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_2_clear_early_0),
    .clear_none        (bank_2_clear_none),
    .in_active         (bank_2_in_active),
    .in_frozen_0       (bank_2_in_frozen_0),
    .full              (bank_2_full),
    .word_8            (bank_2_word_8)
  );

  filter_bank bank_3 (
    .clock             (clock),
    .index             (hash_index_3),
    .direct            (slots_direct),
    .direct_address    (slots_direct_address),
    .trip              (decision_trip),
    .near_inserting    (slots_near_inserting),
    .far_inserting     (slots_far_inserting),
    .phase_6_0         (epochs_phase_6_0),
    .active_epoch_6    (epochs_active_epoch_6),
    .frozen_epoch_6_0  (epochs_frozen_epoch_6_0),
    .fetching_active   (fetching_active[3]),
    .fetching_frozen_0 (fetching_frozen_0[3]),
    .setting           (slots_setting),
    .adding            (bank_3_adding),
    .added             (registers_value_3),
    .tripped           (slots_tripped),
    .storing           (slots_storing),
    .current           (slots_current),
    .write_enable      (slots_write_enable),
    .recycled          (slots_recycled),
    .write_phase_0     (epochs_write_phase_0),
    .write_epoch       (epochs_write_epoch),
    .clear_early_0     (bank_3_clear_early_0),
    .clear_none        (bank_3_clear_none),
    .in_active         (bank_3_in_active),
    .in_frozen_0       (bank_3_in_frozen_0),
    .full              (bank_3_full),
    .word_8            (bank_3_word_8)
  );

  // decision, epochs, occupancy
  recycle_decision decision (
    .clock         (clock),
    .reset         (reset),
    .clear_none    (clear_none),
    .clear_early_0 (clear_early_0),
    .inserting_8   (slots_inserting_8),
    .inserting_9   (slots_inserting_9),
    .forced        (slots_forced),
    .load          (sequencer_load_room),
    .room          (limit_room),
    .base_room     (limit_base_room),
    .trip          (decision_trip),
    .count         (decision_count)
  );

  recycle_limit limit (
    .clock         (clock),
    .take          (sequencer_take_limit),
    .threshold     (registers_value_0),
    .count         (held),
    .room          (limit_room),
    .base_room     (limit_base_room),
    .one_at_a_time (limit_one_at_a_time)
  );

  epoch_guard epochs (
    .clock            (clock),
    .trip             (decision_trip),
    .recycled         (slots_recycled),
    .all_full         (epochs_all_full),
    .phase            (epochs_phase),
    .active_epoch     (epochs_active_epoch),
    .phase_6_0        (epochs_phase_6_0),
    .active_epoch_6   (epochs_active_epoch_6),
    .frozen_epoch_6_0 (epochs_frozen_epoch_6_0),
    .write_phase_0    (epochs_write_phase_0),
    .write_epoch      (epochs_write_epoch),
    .covered          (epochs_covered),
    .blocked          (epochs_blocked),
    .spare            (epochs_spare)
  );

  occupancy occupancy (
    .clock       (clock),
    .reset       (reset),
    .trip        (decision_trip),
    .inserting   (slots_inserting),
    .count       (decision_count),
    .found       (occupancy_found),
    .word        (array_word),
    .bits        (registers_value_3),
    .bits_active (occupancy_bits_active),
    .bits_frozen (occupancy_bits_frozen),
    .messages    (occupancy_messages)
  );

  verdict_queue verdicts (
    .clock    (clock),
    .reset    (reset),
    .claim    (verdicts_claim),
    .tag      (s_item_tid),
    .push     (push),
    .flags    (verdict),
    .ready    (m_verdict_tready),
    .valid    (verdicts_valid),
    .data     (verdicts_data),
    .data_tag (verdicts_data_tag),
    .credit   (verdicts_credit)
  );

  register_file_3 registers (
    .clock             (clock),
    .reset             (reset),
    .awvalid           (s_axil_awvalid),
    .awready           (registers_awready),
    .awaddr            (s_axil_awaddr),
    .wvalid            (s_axil_wvalid),
    .wready            (registers_wready),
    .wdata             (s_axil_wdata),
    .wstrb             (s_axil_wstrb),
    .bvalid            (registers_bvalid),
    .bready            (s_axil_bready),
    .bresp             (registers_bresp),
    .arvalid           (s_axil_arvalid),
    .arready           (registers_arready),
    .araddr            (s_axil_araddr),
    .rvalid            (registers_rvalid),
    .rready            (s_axil_rready),
    .rdata             (registers_rdata),
    .rresp             (registers_rresp),
    .live_0            (status),
    .live_1            (occupancy_bits_active),
    .live_2            (occupancy_bits_frozen),
    .live_3            (occupancy_messages),
    .counter_low_0     (counter_0_low),
    .counter_low_1     (counter_1_low),
    .counter_low_2     (counter_2_low),
    .counter_low_3     (counter_3_low),
    .counter_low_4     (counter_4_low),
    .counter_low_5     (counter_5_low),
    .counter_low_6     (counter_6_low),
    .counter_high_0    (counter_0_high),
    .counter_high_1    (counter_1_high),
    .counter_high_2    (counter_2_high),
    .counter_high_3    (counter_3_high),
    .counter_high_4    (counter_4_high),
    .counter_high_5    (counter_5_high),
    .counter_high_6    (counter_6_high),
    .finished          (sequencer_finished),
    .load_0            (slots_fetched),
    .load_value_0      (array_word),
    .fetched_0         (slots_fetched),
    .value_0           (registers_value_0),
    .value_1           (registers_value_1),
    .value_2           (registers_value_2),
    .value_3           (registers_value_3),
    .stored_0          (registers_stored_0),
    .fetch_asked_0     (registers_fetch_asked_0),
    .clear_pending     (registers_clear_pending),
    .write_pending     (registers_write_pending),
    .recycle_pending_0 (registers_recycle_pending_0)
  );

  // a word for the host: which bank it is in, in stage 7, and the word, in stage 8
  array_reader reader (
    .clock        (clock),
    .address      (registers_value_2),
    .trip         (decision_trip),
    .word_address (reader_word_address),
    .in_bank_0    (reader_in_bank_0),
    .of_frozen_0  (reader_of_frozen_0),
    .turns        (reader_turns)
  );

  // counters: items, seen, inserted, recycles, stalls by recycle, control and verdict
  event_counter counter_0 (
    .clock  (clock),
    .reset  (reset),
    .event_ (item),
    .low    (counter_0_low),
    .high   (counter_0_high)
  );

  event_counter counter_1 (
    .clock  (clock),
    .reset  (reset),
    .event_ (counter_1_event_),
    .low    (counter_1_low),
    .high   (counter_1_high)
  );

  event_counter counter_2 (
    .clock  (clock),
    .reset  (reset),
    .event_ (inserted),
    .low    (counter_2_low),
    .high   (counter_2_high)
  );

  event_counter counter_3 (
    .clock  (clock),
    .reset  (reset),
    .event_ (counter_3_event_),
    .low    (counter_3_low),
    .high   (counter_3_high)
  );

  event_counter counter_4 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_recycle),
    .low    (counter_4_low),
    .high   (counter_4_high)
  );

  event_counter counter_5 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_control),
    .low    (counter_5_low),
    .high   (counter_5_high)
  );

  event_counter counter_6 (
    .clock  (clock),
    .reset  (reset),
    .event_ (sequencer_stall_verdict),
    .low    (counter_6_low),
    .high   (counter_6_high)
  );

  assign s_item_tready = sequencer_ready;
  assign bank_0_adding = slots_adding && reader_in_bank_0[0];
  assign in_frozen_0[0] = bank_0_in_frozen_0;
  assign clear_early_0[0] = bank_0_clear_early_0;
  assign clear_none[0] = bank_0_clear_none;
  assign in_active[0] = bank_0_in_active;
  assign full[0] = bank_0_full;
  assign bank_1_adding = slots_adding && reader_in_bank_0[1];
  assign in_frozen_0[1] = bank_1_in_frozen_0;
  assign clear_early_0[1] = bank_1_clear_early_0;
  assign clear_none[1] = bank_1_clear_none;
  assign in_active[1] = bank_1_in_active;
  assign full[1] = bank_1_full;
  assign bank_2_adding = slots_adding && reader_in_bank_0[2];
  assign in_frozen_0[2] = bank_2_in_frozen_0;
  assign clear_early_0[2] = bank_2_clear_early_0;
  assign clear_none[2] = bank_2_clear_none;
  assign in_active[2] = bank_2_in_active;
  assign full[2] = bank_2_full;
  assign bank_3_adding = slots_adding && reader_in_bank_0[3];
  assign in_frozen_0[3] = bank_3_in_frozen_0;
  assign clear_early_0[3] = bank_3_clear_early_0;
  assign clear_none[3] = bank_3_clear_none;
  assign in_active[3] = bank_3_in_active;
  assign full[3] = bank_3_full;
  assign held = occupancy_bits_active;
  assign epochs_all_full = &full;

  // bits of the host: a bank that is not there takes none
  assign occupancy_found = slots_found && (|reader_in_bank_0);

  // verdict
  assign frozen = &in_frozen_0;
  assign verdict_in[0] = (&in_active) || frozen;
  assign verdict_in[1] = &in_active;
  assign verdict_in[2] = frozen;
  assign verdict_in[3] = decision_trip;
  assign verdicts_claim = sequencer_accept && (s_item_tuser != 2'd1);
  assign m_verdict_tvalid = verdicts_valid;
  assign m_verdict_tdata = verdicts_data;
  assign m_verdict_tid = verdicts_data_tag;
  assign counter_1_event_ = item && verdict[0];
  assign counter_3_event_ = (item && verdict[3]) || sequencer_aged;

  // registers
  assign status = no_status | {31'd0, sequencer_running} | ({31'd0, epochs_phase} << 1) | ({28'd0, epochs_active_epoch} << 4) | ({28'd0, epochs_spare} << 8) | ({31'd0, epochs_covered} << 12) | ({16'd0, reader_turns} << 16);
  assign s_axil_awready = registers_awready;
  assign s_axil_wready = registers_wready;
  assign s_axil_bvalid = registers_bvalid;
  assign s_axil_bresp = registers_bresp;
  assign s_axil_arready = registers_arready;
  assign s_axil_rvalid = registers_rvalid;
  assign s_axil_rdata = registers_rdata;
  assign s_axil_rresp = registers_rresp;

  initial begin
    key = 104'd0;
    fetching_active = 4'd0;
    fetching_frozen_0 = 4'd0;
    push = 1'b0;
    verdict = 4'd0;
    item = 1'b0;
    inserted = 1'b0;
  end

  always @* begin
    fetching = no_bank;
    if (slots_fetching_6) begin
      fetching = reader_in_bank_0;
    end
  end

  always @* begin
    array_word = no_word;
    array_word = array_word | bank_0_word_8;
    array_word = array_word | bank_1_word_8;
    array_word = array_word | bank_2_word_8;
    array_word = array_word | bank_3_word_8;
  end

  always @(posedge clock) begin
    // hash
    key <= s_item_tdata;
    fetching_active <= fetching;
    fetching_frozen_0 <= no_bank;
    if (reader_of_frozen_0 && !slots_finding_6) begin
      fetching_frozen_0 <= fetching;
      fetching_active <= no_bank;
    end
    verdict <= verdict_in;
    push <= slots_answering && !reset;
    item <= slots_item && !reset;
    inserted <= slots_inserting && (|decision_count) && (retain || !decision_trip) && !reset;
  end
endmodule

// AXI4-Lite registers of the item port. The register map is in registers.md.
// Operation and key refuse writes while an item is not done.
module item_registers (
  input  wire         clock,
  input  wire         reset,     // all 0
  input  wire         awvalid,
  output wire         awready,
  input  wire [7:0]   awaddr,
  input  wire         wvalid,
  output wire         wready,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  output wire         bvalid,
  input  wire         bready,
  output wire [1:0]   bresp,
  input  wire         arvalid,
  output wire         arready,
  input  wire [7:0]   araddr,
  output wire         rvalid,
  input  wire         rready,
  output wire [31:0]  rdata,
  output wire [1:0]   rresp,
  input  wire         busy,      // an item is not done
  input  wire [31:0]  live_0,    // register ITEM_RESULT
  output wire [1:0]   operation, // register ITEM_OPERATION
  output wire [103:0] key,       // registers ITEM_KEY
  output wire         offered    // the highest word of the key is being written
);
  localparam [5:0]   fixed_address_0   = 6'd0;
  localparam [5:0]   fixed_address_1   = 6'd1;
  localparam [5:0]   fixed_address_2   = 6'd2;
  localparam [31:0]  fixed_value_0     = 32'd9;
  localparam [31:0]  fixed_value_1     = 32'd1;
  localparam [31:0]  fixed_value_2     = 32'h200;
  localparam [5:0]   live_address_0    = 6'd4;
  localparam [5:0]   operation_address = 6'd7;
  localparam [5:0]   key_address_0     = 6'd8;
  localparam [5:0]   key_address_1     = 6'd9;
  localparam [5:0]   key_address_2     = 6'd10;
  localparam [5:0]   key_address_3     = 6'd11;
  localparam [103:0] key_keep_0        = 104'hffffffffffffffffff00000000; // the other words
  localparam [103:0] key_keep_1        = 104'hffffffffff00000000ffffffff; // the other words
  localparam [103:0] key_keep_2        = 104'hff00000000ffffffffffffffff; // the other words
  localparam [103:0] key_keep_3        = 104'hffffffffffffffffffffffff;   // the other words
  localparam [1:0]   no_operation      = 2'd0;
  localparam [103:0] no_key            = 104'd0;
  localparam [3:0]   no_word           = 4'd0;
  localparam [1:0]   okay              = 2'd0;
  localparam [1:0]   slave_error       = 2'd2;
  localparam [1:0]   decode_error      = 2'd3;
  localparam [31:0]  zero              = 32'd0;

  reg [1:0]   operation_r;
  reg [103:0] key_r;
  reg         seen;           // a write is judged
  reg         taking;         // it is taken
  reg         known;          // there is a register at its address
  reg         unfit;          // it is no legal one
  reg         bvalid_r;
  reg [1:0]   bresp_r;
  reg         to_operation_r;
  reg [3:0]   to_key_r;
  reg         mapped_r;
  reg         unwritable_r;   // read only, or in part
  reg         operation_wide; // the data are wider than ITEM_OPERATION
  reg         last_wide;      // wider than the highest word of the key
  reg         reading;
  reg         sampling;
  reg         merging;
  reg         fixed_hit_0;
  reg         fixed_hit_1;
  reg         fixed_hit_2;
  reg         live_hit_0;
  reg         operation_hit;
  reg         key_hit_0;
  reg         key_hit_1;
  reg         key_hit_2;
  reg         key_hit_3;
  reg [31:0]  sample_r;
  reg         found_r;
  reg         rvalid_r;
  reg [31:0]  rdata_r;
  reg [1:0]   rresp_r;

  wire [5:0]   write_word;
  wire         to_operation;
  reg  [3:0]   to_key;
  reg          mapped;
  reg          read_only;
  reg          too_wide;
  wire         refused;
  wire         acts;
  wire [103:0] written;
  wire [5:0]   read_word;
  reg  [31:0]  sample;
  reg          found;

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_operation = write_word == operation_address;
  assign refused = unfit || busy;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign acts = taking && !refused;
  assign operation = operation_r;
  assign written = {72'd0, wdata};
  assign offered = acts && to_key_r[3];
  assign key = key_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    operation_r = 2'd0;
    key_r = 104'd0;
    seen = 1'b0;
    taking = 1'b0;
    known = 1'b0;
    unfit = 1'b0;
    bvalid_r = 1'b0;
    bresp_r = 2'd0;
    to_operation_r = 1'b0;
    to_key_r = 4'd0;
    mapped_r = 1'b0;
    unwritable_r = 1'b0;
    operation_wide = 1'b0;
    last_wide = 1'b0;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    fixed_hit_2 = 1'b0;
    live_hit_0 = 1'b0;
    operation_hit = 1'b0;
    key_hit_0 = 1'b0;
    key_hit_1 = 1'b0;
    key_hit_2 = 1'b0;
    key_hit_3 = 1'b0;
    sample_r = 32'd0;
    found_r = 1'b0;
    rvalid_r = 1'b0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @* begin
    to_key = no_word;
    mapped = to_operation;
    read_only = !to_operation;
    if (write_word == key_address_0) begin
      to_key[0] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == key_address_1) begin
      to_key[1] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == key_address_2) begin
      to_key[2] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == key_address_3) begin
      to_key[3] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == fixed_address_0) begin
      mapped = 1'b1;
    end
    if (write_word == fixed_address_1) begin
      mapped = 1'b1;
    end
    if (write_word == fixed_address_2) begin
      mapped = 1'b1;
    end
    if (write_word == live_address_0) begin
      mapped = 1'b1;
    end
  end

  always @* begin
    too_wide = to_operation_r && operation_wide;
    too_wide = too_wide || (to_key_r[3] && last_wide);
  end

  always @* begin
    sample = zero;
    found = 1'b0;
    if (fixed_hit_0) begin
      sample = sample | fixed_value_0;
      found = 1'b1;
    end
    if (fixed_hit_1) begin
      sample = sample | fixed_value_1;
      found = 1'b1;
    end
    if (fixed_hit_2) begin
      sample = sample | fixed_value_2;
      found = 1'b1;
    end
    if (live_hit_0) begin
      sample = sample | live_0;
      found = 1'b1;
    end
    if (operation_hit) begin
      sample = sample | {30'd0, operation_r};
      found = 1'b1;
    end
    if (key_hit_0) begin
      sample = sample | key_r[31:0];
      found = 1'b1;
    end
    if (key_hit_1) begin
      sample = sample | key_r[63:32];
      found = 1'b1;
    end
    if (key_hit_2) begin
      sample = sample | key_r[95:64];
      found = 1'b1;
    end
    if (key_hit_3) begin
      sample = sample | {24'd0, key_r[103:96]};
      found = 1'b1;
    end
  end

  always @(posedge clock) begin
    // write: decoded while the address waits to be taken; AXI holds it until then
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !reset;
    taking <= seen && !reset;
    to_operation_r <= to_operation;
    to_key_r <= to_key;
    mapped_r <= mapped;
    unwritable_r <= read_only || !(&wstrb);
    operation_wide <= |(wdata >> 2);
    last_wide <= |(wdata >> 8);

    // judged in the clock behind
    known <= mapped_r;
    unfit <= unwritable_r || too_wide;
    bvalid_r <= taking || (bvalid_r && !bready);
    if (taking) begin
      bresp_r <= okay;
      if (!known) begin
        bresp_r <= decode_error;
      end else if (refused) begin
        bresp_r <= slave_error;
      end
    end
    if (acts && to_operation_r) begin
      operation_r <= wdata[1:0];
    end
    if (acts && to_key_r[0]) begin
      key_r <= (key_r & key_keep_0) | written;
    end
    if (acts && to_key_r[1]) begin
      key_r <= (key_r & key_keep_1) | (written << 32);
    end
    if (acts && to_key_r[2]) begin
      key_r <= (key_r & key_keep_2) | (written << 64);
    end
    if (acts && to_key_r[3]) begin
      key_r <= (key_r & key_keep_3) | (written << 96);
    end

    // read: address taken, registers sampled, answer
    reading <= arvalid && !reading && !sampling && !merging && !rvalid_r && !reset;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    fixed_hit_2 <= read_word == fixed_address_2;
    live_hit_0 <= read_word == live_address_0;
    operation_hit <= read_word == operation_address;
    key_hit_0 <= read_word == key_address_0;
    key_hit_1 <= read_word == key_address_1;
    key_hit_2 <= read_word == key_address_2;
    key_hit_3 <= read_word == key_address_3;
    sample_r <= sample;
    found_r <= found;
    rvalid_r <= merging || (rvalid_r && !rready);
    if (merging) begin
      rdata_r <= sample_r;
      rresp_r <= okay;
      if (!found_r) begin
        rresp_r <= decode_error;
      end
    end
    if (reset) begin
      operation_r <= no_operation;
      key_r <= no_key;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule

// Items from the host, between those of the stream: written into registers, offered with the highest word of the key.
// The highest bit of the filter's tags says that an item is the host's. Timing: card.md.
module item_port (
  input  wire         clock,
  input  wire         reset,            // no item of the host
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,
  input  wire [1:0]   s_item_tuser,
  input  wire [15:0]  s_item_tid,
  output wire         m_verdict_tvalid, // verdict stream
  input  wire         m_verdict_tready,
  output wire [3:0]   m_verdict_tdata,
  output wire [15:0]  m_verdict_tid,
  output wire         f_item_tvalid,    // items to the filter
  input  wire         f_item_tready,
  output reg  [103:0] f_item_tdata,
  output reg  [1:0]   f_item_tuser,
  output reg  [16:0]  f_item_tid,
  input  wire         f_verdict_tvalid, // verdicts of the filter
  output wire         f_verdict_tready,
  input  wire [3:0]   f_verdict_tdata,
  input  wire [16:0]  f_verdict_tid,
  input  wire         awvalid,          // registers, AXI4-Lite
  output wire         awready,
  input  wire [7:0]   awaddr,
  input  wire         wvalid,
  output wire         wready,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  output wire         bvalid,
  input  wire         bready,
  output wire [1:0]   bresp,
  input  wire         arvalid,
  output wire         arready,
  input  wire [7:0]   araddr,
  output wire         rvalid,
  input  wire         rready,
  output wire [31:0]  rdata,
  output wire [1:0]   rresp
);
  localparam [16:0] host_tag    = 17'h10000;
  localparam [3:0]  no_verdict  = 4'd0;
  localparam [6:0]  no_sequence = 7'd0;

  reg       pending;   // the host's item is not accepted
  reg       grant;     // it is offered to the filter
  reg       busy;      // it is not done
  reg [6:0] sequence_; // items of the host done
  reg [3:0] verdict;   // of the last one

  wire         taken;
  wire         silent;
  wire         host;
  wire         answered;
  wire         registers_awready;
  wire         registers_wready;
  wire         registers_bvalid;
  wire [1:0]   registers_bresp;
  wire         registers_arready;
  wire         registers_rvalid;
  wire [31:0]  registers_rdata;
  wire [1:0]   registers_rresp;
  wire [31:0]  registers_live_0;
  wire [1:0]   registers_operation;
  wire [103:0] registers_key;
  wire         registers_offered;

  // registers
  item_registers registers (
    .clock     (clock),
    .reset     (reset),
    .awvalid   (awvalid),
    .awready   (registers_awready),
    .awaddr    (awaddr),
    .wvalid    (wvalid),
    .wready    (registers_wready),
    .wdata     (wdata),
    .wstrb     (wstrb),
    .bvalid    (registers_bvalid),
    .bready    (bready),
    .bresp     (registers_bresp),
    .arvalid   (arvalid),
    .arready   (registers_arready),
    .araddr    (araddr),
    .rvalid    (registers_rvalid),
    .rready    (rready),
    .rdata     (registers_rdata),
    .rresp     (registers_rresp),
    .busy      (busy),
    .live_0    (registers_live_0),
    .operation (registers_operation),
    .key       (registers_key),
    .offered   (registers_offered)
  );

  // items: the host's comes when no offer of the stream stands
  assign taken = grant && f_item_tready;
  assign f_item_tvalid = grant || s_item_tvalid;
  assign s_item_tready = f_item_tready && !grant;

  // verdicts: the host's do not reach the stream; an insert has none
  assign host = f_verdict_tid[16];
  assign m_verdict_tvalid = f_verdict_tvalid && !host;
  assign m_verdict_tdata = f_verdict_tdata;
  assign m_verdict_tid = f_verdict_tid[15:0];
  assign f_verdict_tready = host || m_verdict_tready;
  assign answered = f_verdict_tvalid && host;
  assign silent = taken && (registers_operation == 2'd1);
  assign registers_live_0 = {busy, sequence_, 20'd0, verdict};
  assign awready = registers_awready;
  assign wready = registers_wready;
  assign bvalid = registers_bvalid;
  assign bresp = registers_bresp;
  assign arready = registers_arready;
  assign rvalid = registers_rvalid;
  assign rdata = registers_rdata;
  assign rresp = registers_rresp;

  initial begin
    pending = 1'b0;
    grant = 1'b0;
    busy = 1'b0;
    sequence_ = 7'd0;
    verdict = 4'd0;
  end

  always @* begin
    f_item_tdata = s_item_tdata;
    f_item_tuser = s_item_tuser;
    f_item_tid = {1'b0, s_item_tid};
    if (grant) begin
      f_item_tdata = registers_key;
      f_item_tuser = registers_operation;
      f_item_tid = host_tag;
    end
  end

  always @(posedge clock) begin
    grant <= pending && (!s_item_tvalid || f_item_tready);
    if (grant) begin
      grant <= !f_item_tready;
    end
    pending <= pending && !taken;
    if (registers_offered) begin
      pending <= 1'b1;
      busy <= 1'b1;
    end
    if (silent) begin
      verdict <= no_verdict;
    end
    if (answered) begin
      verdict <= f_verdict_tdata;
    end
    if (silent || answered) begin
      busy <= 1'b0;
      sequence_ <= sequence_ + 7'd1;
    end
    if (reset) begin
      pending <= 1'b0;
      grant <= 1'b0;
      busy <= 1'b0;
      sequence_ <= no_sequence;
      verdict <= no_verdict;
    end
  end
endmodule

// AXI4-Lite to the filter (bit 8 of the address 0) and the item port (1); one write and one read at a time.
module bus_split (
  input  wire        clock,
  input  wire        reset,          // no access is under way
  input  wire        awvalid,        // from the host
  output wire        awready,
  input  wire [8:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  output wire        bvalid,
  input  wire        bready,
  output reg  [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [8:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output reg  [31:0] rdata,
  output reg  [1:0]  rresp,
  output wire        filter_awvalid, // to the filter; it takes data and readies of responses from the host
  input  wire        filter_awready,
  output wire        filter_wvalid,
  input  wire        filter_wready,
  input  wire        filter_bvalid,
  input  wire [1:0]  filter_bresp,
  output wire        filter_arvalid,
  input  wire        filter_arready,
  input  wire        filter_rvalid,
  input  wire [31:0] filter_rdata,
  input  wire [1:0]  filter_rresp,
  output wire        port_awvalid,   // to the item port
  input  wire        port_awready,
  output wire        port_wvalid,
  input  wire        port_wready,
  input  wire        port_bvalid,
  input  wire [1:0]  port_bresp,
  output wire        port_arvalid,
  input  wire        port_arready,
  input  wire        port_rvalid,
  input  wire [31:0] port_rdata,
  input  wire [1:0]  port_rresp,
  output wire [7:0]  slave_awaddr,   // address within either
  output wire [7:0]  slave_araddr    // address within either
);
  reg writing; // a write is taken and not answered
  reg reading; // a read is taken and not answered

  wire write_to_port;
  wire read_of_port;

  // write
  assign write_to_port = awaddr[8];
  assign slave_awaddr = awaddr[7:0];
  assign filter_awvalid = awvalid && !writing && !write_to_port;
  assign filter_wvalid = wvalid && !writing && !write_to_port;
  assign port_awvalid = awvalid && !writing && write_to_port;
  assign port_wvalid = wvalid && !writing && write_to_port;
  assign awready = filter_awready || port_awready;
  assign wready = filter_wready || port_wready;
  assign bvalid = filter_bvalid || port_bvalid;

  // read
  assign read_of_port = araddr[8];
  assign slave_araddr = araddr[7:0];
  assign filter_arvalid = arvalid && !reading && !read_of_port;
  assign port_arvalid = arvalid && !reading && read_of_port;
  assign arready = filter_arready || port_arready;
  assign rvalid = filter_rvalid || port_rvalid;

  initial begin
    writing = 1'b0;
    reading = 1'b0;
  end

  always @* begin
    bresp = filter_bresp;
    if (port_bvalid) begin
      bresp = port_bresp;
    end
  end

  always @* begin
    rdata = filter_rdata;
    rresp = filter_rresp;
    if (port_rvalid) begin
      rdata = port_rdata;
      rresp = port_rresp;
    end
  end

  always @(posedge clock) begin
    if (bvalid && bready) begin
      writing <= 1'b0;
    end
    if (awvalid && awready) begin
      writing <= 1'b1;
    end
    if (rvalid && rready) begin
      reading <= 1'b0;
    end
    if (arvalid && arready) begin
      reading <= 1'b1;
    end
    if (reset) begin
      writing <= 1'b0;
      reading <= 1'b0;
    end
  end
endmodule

// The filter line_card with an item port, through which a host inserts and queries keys. Timing: card.md.
module line_card_axil (
  input  wire         clock,
  input  wire         reset,            // synchronous, active high; empties the filter
  input  wire         s_item_tvalid,    // item stream
  output wire         s_item_tready,
  input  wire [103:0] s_item_tdata,     // key
  input  wire [1:0]   s_item_tuser,     // operation
  input  wire [15:0]  s_item_tid,       // tag, returned with the verdict
  output wire         m_verdict_tvalid, // verdict stream, in the order of the items
  input  wire         m_verdict_tready,
  output wire [3:0]   m_verdict_tdata,  // verdict
  output wire [15:0]  m_verdict_tid,    // tag of the item
  input  wire         s_axil_awvalid,   // registers, AXI4-Lite
  output wire         s_axil_awready,
  input  wire [8:0]   s_axil_awaddr,    // byte address
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  output wire [1:0]   s_axil_bresp,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  input  wire [8:0]   s_axil_araddr,    // byte address
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,
  output wire [31:0]  s_axil_rdata,
  output wire [1:0]   s_axil_rresp
);
  wire         filter_s_item_tready;
  wire         filter_m_verdict_tvalid;
  wire [3:0]   filter_m_verdict_tdata;
  wire [16:0]  filter_m_verdict_tid;
  wire         filter_s_axil_awready;
  wire         filter_s_axil_wready;
  wire         filter_s_axil_bvalid;
  wire [1:0]   filter_s_axil_bresp;
  wire         filter_s_axil_arready;
  wire         filter_s_axil_rvalid;
  wire [31:0]  filter_s_axil_rdata;
  wire [1:0]   filter_s_axil_rresp;
  wire         port_s_item_tready;
  wire         port_m_verdict_tvalid;
  wire [3:0]   port_m_verdict_tdata;
  wire [15:0]  port_m_verdict_tid;
  wire         port_f_item_tvalid;
  wire [103:0] port_f_item_tdata;
  wire [1:0]   port_f_item_tuser;
  wire [16:0]  port_f_item_tid;
  wire         port_f_verdict_tready;
  wire         port_awready;
  wire         port_wready;
  wire         port_bvalid;
  wire [1:0]   port_bresp;
  wire         port_arready;
  wire         port_rvalid;
  wire [31:0]  port_rdata;
  wire [1:0]   port_rresp;
  wire         split_awready;
  wire         split_wready;
  wire         split_bvalid;
  wire [1:0]   split_bresp;
  wire         split_arready;
  wire         split_rvalid;
  wire [31:0]  split_rdata;
  wire [1:0]   split_rresp;
  wire         split_filter_awvalid;
  wire         split_filter_wvalid;
  wire         split_filter_arvalid;
  wire         split_port_awvalid;
  wire         split_port_wvalid;
  wire         split_port_arvalid;
  wire [7:0]   split_slave_awaddr;
  wire [7:0]   split_slave_araddr;

  line_card filter (
    .clock            (clock),
    .reset            (reset),
    .s_item_tvalid    (port_f_item_tvalid),
    .s_item_tready    (filter_s_item_tready),
    .s_item_tdata     (port_f_item_tdata),
    .s_item_tuser     (port_f_item_tuser),
    .s_item_tid       (port_f_item_tid),
    .m_verdict_tvalid (filter_m_verdict_tvalid),
    .m_verdict_tready (port_f_verdict_tready),
    .m_verdict_tdata  (filter_m_verdict_tdata),
    .m_verdict_tid    (filter_m_verdict_tid),
    .s_axil_awvalid   (split_filter_awvalid),
    .s_axil_awready   (filter_s_axil_awready),
    .s_axil_awaddr    (split_slave_awaddr),
    .s_axil_wvalid    (split_filter_wvalid),
    .s_axil_wready    (filter_s_axil_wready),
    .s_axil_wdata     (s_axil_wdata),
    .s_axil_wstrb     (s_axil_wstrb),
    .s_axil_bvalid    (filter_s_axil_bvalid),
    .s_axil_bready    (s_axil_bready),
    .s_axil_bresp     (filter_s_axil_bresp),
    .s_axil_arvalid   (split_filter_arvalid),
    .s_axil_arready   (filter_s_axil_arready),
    .s_axil_araddr    (split_slave_araddr),
    .s_axil_rvalid    (filter_s_axil_rvalid),
    .s_axil_rready    (s_axil_rready),
    .s_axil_rdata     (filter_s_axil_rdata),
    .s_axil_rresp     (filter_s_axil_rresp)
  );

  // items and verdicts
  item_port port (
    .clock            (clock),
    .reset            (reset),
    .s_item_tvalid    (s_item_tvalid),
    .s_item_tready    (port_s_item_tready),
    .s_item_tdata     (s_item_tdata),
    .s_item_tuser     (s_item_tuser),
    .s_item_tid       (s_item_tid),
    .m_verdict_tvalid (port_m_verdict_tvalid),
    .m_verdict_tready (m_verdict_tready),
    .m_verdict_tdata  (port_m_verdict_tdata),
    .m_verdict_tid    (port_m_verdict_tid),
    .f_item_tvalid    (port_f_item_tvalid),
    .f_item_tready    (filter_s_item_tready),
    .f_item_tdata     (port_f_item_tdata),
    .f_item_tuser     (port_f_item_tuser),
    .f_item_tid       (port_f_item_tid),
    .f_verdict_tvalid (filter_m_verdict_tvalid),
    .f_verdict_tready (port_f_verdict_tready),
    .f_verdict_tdata  (filter_m_verdict_tdata),
    .f_verdict_tid    (filter_m_verdict_tid),
    .awvalid          (split_port_awvalid),
    .awready          (port_awready),
    .awaddr           (split_slave_awaddr),
    .wvalid           (split_port_wvalid),
    .wready           (port_wready),
    .wdata            (s_axil_wdata),
    .wstrb            (s_axil_wstrb),
    .bvalid           (port_bvalid),
    .bready           (s_axil_bready),
    .bresp            (port_bresp),
    .arvalid          (split_port_arvalid),
    .arready          (port_arready),
    .araddr           (split_slave_araddr),
    .rvalid           (port_rvalid),
    .rready           (s_axil_rready),
    .rdata            (port_rdata),
    .rresp            (port_rresp)
  );

  // writes
  // reads
  bus_split split (
    .clock          (clock),
    .reset          (reset),
    .awvalid        (s_axil_awvalid),
    .awready        (split_awready),
    .awaddr         (s_axil_awaddr),
    .wvalid         (s_axil_wvalid),
    .wready         (split_wready),
    .bvalid         (split_bvalid),
    .bready         (s_axil_bready),
    .bresp          (split_bresp),
    .arvalid        (s_axil_arvalid),
    .arready        (split_arready),
    .araddr         (s_axil_araddr),
    .rvalid         (split_rvalid),
    .rready         (s_axil_rready),
    .rdata          (split_rdata),
    .rresp          (split_rresp),
    .filter_awvalid (split_filter_awvalid),
    .filter_awready (filter_s_axil_awready),
    .filter_wvalid  (split_filter_wvalid),
    .filter_wready  (filter_s_axil_wready),
    .filter_bvalid  (filter_s_axil_bvalid),
    .filter_bresp   (filter_s_axil_bresp),
    .filter_arvalid (split_filter_arvalid),
    .filter_arready (filter_s_axil_arready),
    .filter_rvalid  (filter_s_axil_rvalid),
    .filter_rdata   (filter_s_axil_rdata),
    .filter_rresp   (filter_s_axil_rresp),
    .port_awvalid   (split_port_awvalid),
    .port_awready   (port_awready),
    .port_wvalid    (split_port_wvalid),
    .port_wready    (port_wready),
    .port_bvalid    (port_bvalid),
    .port_bresp     (port_bresp),
    .port_arvalid   (split_port_arvalid),
    .port_arready   (port_arready),
    .port_rvalid    (port_rvalid),
    .port_rdata     (port_rdata),
    .port_rresp     (port_rresp),
    .slave_awaddr   (split_slave_awaddr),
    .slave_araddr   (split_slave_araddr)
  );

  assign s_item_tready = port_s_item_tready;
  assign m_verdict_tvalid = port_m_verdict_tvalid;
  assign m_verdict_tdata = port_m_verdict_tdata;
  assign m_verdict_tid = port_m_verdict_tid;
  assign s_axil_awready = split_awready;
  assign s_axil_wready = split_wready;
  assign s_axil_bvalid = split_bvalid;
  assign s_axil_bresp = split_bresp;
  assign s_axil_arready = split_arready;
  assign s_axil_rvalid = split_rvalid;
  assign s_axil_rdata = split_rdata;
  assign s_axil_rresp = split_rresp;
endmodule

// The filter line_card between two gigabit Ethernet ports: frames in, verdict, frames out. Contract: linecard.md.
module line_card_linecard (
  input  wire       clock,
  input  wire       hold,               // reset, of any clock or none
  input  wire       rgmii_0_rx_clock,
  input  wire       rgmii_0_rx_control,
  input  wire [3:0] rgmii_0_rx_data,
  output wire       rgmii_0_tx_clock,
  output wire       rgmii_0_tx_control,
  output wire [3:0] rgmii_0_tx_data,
  input  wire       rgmii_1_rx_clock,
  input  wire       rgmii_1_rx_control,
  input  wire [3:0] rgmii_1_rx_data,
  output wire       rgmii_1_tx_clock,
  output wire       rgmii_1_tx_control,
  output wire [3:0] rgmii_1_tx_data,
  input  wire       uart_rx,            // line from the host, of any clock
  output wire       uart_tx,            // line to the host
  output wire [1:0] link,               // bit p: the PHY of port p tells of a link
  output wire [1:0] item_taken,         // bit i: the card took an item of lane i a clock ago
  output wire [1:0] item_seen           // bit i: a verdict for lane i came a clock ago, and its bit 0 was 1
);
  wire         datapath_reset;
  wire         datapath_rgmii_0_tx_clock;
  wire         datapath_rgmii_0_tx_control;
  wire [3:0]   datapath_rgmii_0_tx_data;
  wire         datapath_rgmii_1_tx_clock;
  wire         datapath_rgmii_1_tx_control;
  wire [3:0]   datapath_rgmii_1_tx_data;
  wire         datapath_uart_tx;
  wire [1:0]   datapath_link;
  wire [1:0]   datapath_item_taken;
  wire [1:0]   datapath_item_seen;
  wire         datapath_item_tvalid;
  wire [103:0] datapath_item_tdata;
  wire [1:0]   datapath_item_tuser;
  wire [15:0]  datapath_item_tid;
  wire         datapath_verdict_tready;
  wire         datapath_awvalid;
  wire [8:0]   datapath_awaddr;
  wire         datapath_wvalid;
  wire [31:0]  datapath_wdata;
  wire [3:0]   datapath_wstrb;
  wire         datapath_bready;
  wire         datapath_arvalid;
  wire [8:0]   datapath_araddr;
  wire         datapath_rready;
  wire         card_s_item_tready;
  wire         card_m_verdict_tvalid;
  wire [3:0]   card_m_verdict_tdata;
  wire [15:0]  card_m_verdict_tid;
  wire         card_s_axil_awready;
  wire         card_s_axil_wready;
  wire         card_s_axil_bvalid;
  wire [1:0]   card_s_axil_bresp;
  wire         card_s_axil_arready;
  wire         card_s_axil_rvalid;
  wire [31:0]  card_s_axil_rdata;
  wire [1:0]   card_s_axil_rresp;

  line_card_datapath datapath (
    .clock              (clock),
    .hold               (hold),
    .reset              (datapath_reset),
    .rgmii_0_rx_clock   (rgmii_0_rx_clock),
    .rgmii_0_rx_control (rgmii_0_rx_control),
    .rgmii_0_rx_data    (rgmii_0_rx_data),
    .rgmii_0_tx_clock   (datapath_rgmii_0_tx_clock),
    .rgmii_0_tx_control (datapath_rgmii_0_tx_control),
    .rgmii_0_tx_data    (datapath_rgmii_0_tx_data),
    .rgmii_1_rx_clock   (rgmii_1_rx_clock),
    .rgmii_1_rx_control (rgmii_1_rx_control),
    .rgmii_1_rx_data    (rgmii_1_rx_data),
    .rgmii_1_tx_clock   (datapath_rgmii_1_tx_clock),
    .rgmii_1_tx_control (datapath_rgmii_1_tx_control),
    .rgmii_1_tx_data    (datapath_rgmii_1_tx_data),
    .uart_rx            (uart_rx),
    .uart_tx            (datapath_uart_tx),
    .link               (datapath_link),
    .item_taken         (datapath_item_taken),
    .item_seen          (datapath_item_seen),
    .item_tvalid        (datapath_item_tvalid),
    .item_tready        (card_s_item_tready),
    .item_tdata         (datapath_item_tdata),
    .item_tuser         (datapath_item_tuser),
    .item_tid           (datapath_item_tid),
    .verdict_tvalid     (card_m_verdict_tvalid),
    .verdict_tready     (datapath_verdict_tready),
    .verdict_tid        (card_m_verdict_tid),
    .verdict_seen       (card_m_verdict_tdata[0]),
    .awvalid            (datapath_awvalid),
    .awready            (card_s_axil_awready),
    .awaddr             (datapath_awaddr),
    .wvalid             (datapath_wvalid),
    .wready             (card_s_axil_wready),
    .wdata              (datapath_wdata),
    .wstrb              (datapath_wstrb),
    .bvalid             (card_s_axil_bvalid),
    .bready             (datapath_bready),
    .bresp              (card_s_axil_bresp),
    .arvalid            (datapath_arvalid),
    .arready            (card_s_axil_arready),
    .araddr             (datapath_araddr),
    .rvalid             (card_s_axil_rvalid),
    .rready             (datapath_rready),
    .rdata              (card_s_axil_rdata),
    .rresp              (card_s_axil_rresp)
  );

  // items and verdicts
  // registers
  line_card_axil card (
    .clock            (clock),
    .reset            (datapath_reset),
    .s_item_tvalid    (datapath_item_tvalid),
    .s_item_tready    (card_s_item_tready),
    .s_item_tdata     (datapath_item_tdata),
    .s_item_tuser     (datapath_item_tuser),
    .s_item_tid       (datapath_item_tid),
    .m_verdict_tvalid (card_m_verdict_tvalid),
    .m_verdict_tready (datapath_verdict_tready),
    .m_verdict_tdata  (card_m_verdict_tdata),
    .m_verdict_tid    (card_m_verdict_tid),
    .s_axil_awvalid   (datapath_awvalid),
    .s_axil_awready   (card_s_axil_awready),
    .s_axil_awaddr    (datapath_awaddr),
    .s_axil_wvalid    (datapath_wvalid),
    .s_axil_wready    (card_s_axil_wready),
    .s_axil_wdata     (datapath_wdata),
    .s_axil_wstrb     (datapath_wstrb),
    .s_axil_bvalid    (card_s_axil_bvalid),
    .s_axil_bready    (datapath_bready),
    .s_axil_bresp     (card_s_axil_bresp),
    .s_axil_arvalid   (datapath_arvalid),
    .s_axil_arready   (card_s_axil_arready),
    .s_axil_araddr    (datapath_araddr),
    .s_axil_rvalid    (card_s_axil_rvalid),
    .s_axil_rready    (datapath_rready),
    .s_axil_rdata     (card_s_axil_rdata),
    .s_axil_rresp     (card_s_axil_rresp)
  );

  assign rgmii_0_tx_clock = datapath_rgmii_0_tx_clock;
  assign rgmii_0_tx_control = datapath_rgmii_0_tx_control;
  assign rgmii_0_tx_data = datapath_rgmii_0_tx_data;
  assign rgmii_1_tx_clock = datapath_rgmii_1_tx_clock;
  assign rgmii_1_tx_control = datapath_rgmii_1_tx_control;
  assign rgmii_1_tx_data = datapath_rgmii_1_tx_data;
  assign uart_tx = datapath_uart_tx;
  assign link = datapath_link;
  assign item_taken = datapath_item_taken;
  assign item_seen = datapath_item_seen;

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, card_m_verdict_tdata[3:1]};
endmodule
