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
  reg        takes;      // bytes of a frame are taken, up to its last; outside of DATA they are discarded
  reg [7:0]  data_r;
  reg        valid_r;
  reg        error_r;
  reg        sent_r;
  reg        broken_r;
  reg        underrun_r;

  wire        in_data;
  reg  [7:0]  byte_;        // next byte of the CRC, in DATA and PAD
  wire        padded;       // with this byte the frame is long enough
  wire [31:0] step_stepped;

  crc32_step step (
    .crc     (crc),
    .data    (byte_),
    .stepped (step_stepped)
  );

  assign in_data = state == data;
  assign padded = sent >= before_least;
  assign s_tready = takes;
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
    takes = 1'b0;
    data_r = 8'd0;
    valid_r = 1'b0;
    error_r = 1'b0;
    sent_r = 1'b0;
    broken_r = 1'b0;
    underrun_r = 1'b0;
  end

  always @* begin
    byte_ = zero;
    if (takes) begin
      byte_ = s_tdata;
    end
  end

  always @(posedge clock) begin
    count <= count + 4'd1;
    takes <= takes && !(s_tvalid && s_tlast);
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
      count <= first;
      state <= fcs;
    end else if (state == preamble) begin
      sent <= no_byte;
      crc <= all_ones;
      data_r <= preamble_byte;
      if (count == last_preamble) begin
        data_r <= start_byte;
        state <= data;
        takes <= 1'b1;
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
      data_r <= zero;
      if (state == gap) begin
        if (count == last_gap) begin
          state <= idle;
        end
      end else begin
        count <= first;
        if (s_tvalid && !takes) begin
          state <= preamble;
        end
      end
    end
    if (reset) begin
      state <= gap;
      count <= first;
      takes <= 1'b0;
      data_r <= zero;
      valid_r <= 1'b0;
      error_r <= 1'b0;
      sent_r <= 1'b0;
      broken_r <= 1'b0;
      underrun_r <= 1'b0;
    end
  end
endmodule
