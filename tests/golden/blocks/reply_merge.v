// Answers between the frames of a stream, whole ones each.
module reply_merge (
  input  wire       clock,
  input  wire       reset,    // no frame is under way
  input  wire       s_tvalid, // frames that pass
  output wire       s_tready,
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,
  input  wire       a_tvalid, // answers
  output wire       a_tready,
  input  wire [7:0] a_tdata,
  input  wire       a_tlast,
  output reg        m_tvalid, // both
  input  wire       m_tready,
  output reg  [7:0] m_tdata,
  output reg        m_tlast
);
  reg own;  // the next frame is an answer, or it is one
  reg open; // a frame is under way

  wire gives;

  assign s_tready = m_tready && !own;
  assign a_tready = m_tready && own;
  assign gives = m_tvalid && m_tready;

  initial begin
    own = 1'b0;
    open = 1'b0;
  end

  always @* begin
    m_tvalid = s_tvalid;
    m_tdata = s_tdata;
    m_tlast = s_tlast;
    if (own) begin
      m_tvalid = a_tvalid;
      m_tdata = a_tdata;
      m_tlast = a_tlast;
    end
  end

  always @(posedge clock) begin
    if (gives) begin
      open <= !m_tlast;
      if (m_tlast) begin
        own <= a_tvalid && !own;
      end
    end else if (!m_tvalid && !open) begin
      own <= a_tvalid;
    end
    if (reset) begin
      own <= 1'b0;
      open <= 1'b0;
    end
  end
endmodule
