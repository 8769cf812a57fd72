// Takes the frames to the card's MAC address out of a stream; all others pass, six beats later.
module host_divert (
  input  wire       clock,
  input  wire       reset,    // no frame
  input  wire       s_tvalid, // frames
  output wire       s_tready,
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,
  input  wire       s_tuser,  // with tlast: the frame is bad
  output wire       m_tvalid, // those that are not the card's
  input  wire       m_tready,
  output wire [7:0] m_tdata,
  output wire       m_tlast,
  output wire       m_tuser,
  output wire       beat,     // a beat is taken
  output wire       to_card,  // it ends the card's MAC address
  output wire       to_all    // it ends the address of all
);
  localparam [47:0] mac = 48'h2005e100001; // the card's MAC address

  reg [47:0] row;   // beats held back, the newest lowest
  reg [2:0]  held;  // so many
  reg        whole; // the last of the frame is among them
  reg        bad;   // which said that the frame is bad
  reg        mine;  // the frame is the card's

  wire        full;
  wire [47:0] pushed;
  wire        sixth;
  wire [5:0]  from;         // place of the oldest beat
  wire [47:0] m_tdata_term;

  assign m_tdata_term = row >> from;
  assign full = held == 3'd6;
  assign s_tready = !whole && (!full || mine || m_tready);
  assign beat = s_tvalid && s_tready;
  assign pushed = {row[39:0], s_tdata};
  assign sixth = beat && (held == 3'd5);
  assign to_card = sixth && (pushed == mac);
  assign to_all = sixth && (&pushed);

  // a frame passes as it comes, and its last six beats by themselves
  assign m_tvalid = !mine && (whole || (full && s_tvalid));
  assign from = {3'd0, held - 3'd1} << 3;
  assign m_tdata = m_tdata_term[7:0];
  assign m_tlast = whole && (held == 3'd1);
  assign m_tuser = bad;

  initial begin
    row = 48'd0;
    held = 3'd0;
    whole = 1'b0;
    bad = 1'b0;
    mine = 1'b0;
  end

  always @(posedge clock) begin
    if (beat) begin
      row <= pushed;
      bad <= s_tuser;
      if (!full) begin
        held <= held + 3'd1;
      end
      if (to_card) begin
        mine <= 1'b1;
      end
      if (s_tlast) begin
        whole <= 1'b1;
        if (mine || to_card) begin
          held <= 3'd0;
          whole <= 1'b0;
          mine <= 1'b0;
        end
      end
    end
    if (whole && m_tready) begin
      held <= held - 3'd1;
      whole <= held != 3'd1;
    end
    if (reset) begin
      held <= 3'd0;
      whole <= 1'b0;
      mine <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, m_tdata_term[47:8]};
endmodule
