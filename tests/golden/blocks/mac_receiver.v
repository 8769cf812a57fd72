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
