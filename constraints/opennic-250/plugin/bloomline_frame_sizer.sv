// bloomline_frame_sizer: holds a frame until it is whole, so that its first beat can say how many bytes it has.
//
//   s_* --> beats (block RAM) ----------------> m_tdata, m_tlast
//     \---> bytes of the frame --> sizes -----> m_tsize, m_tkeep
//
// Shell and DMA want a frame's size beside its first beat; a packet path tells its last byte only in its last beat. A beat comes
// and a beat goes in every clock, as long as frames leave four beats of room. A frame of n beats is shown n + 2 clocks after its
// first beat came, if nothing stands before it.
//
// Sizes are modulo 2^16. All beats but a frame's last are full. A frame longer than BEATS beats would wait for ever: BEATS is the
// frame buffer of the packet path, which lets no longer one through.
`default_nettype none
module bloomline_frame_sizer #(
    parameter BEATS = 256  // beats of 64 bytes that it holds: a power of two, 64 or more
) (
    input  wire         clock,
    input  wire         reset,
    input  wire         s_tvalid,
    output wire         s_tready,
    input  wire [511:0] s_tdata,
    input  wire  [63:0] s_tkeep,
    input  wire         s_tlast,
    output reg          m_tvalid,
    input  wire         m_tready,
    output wire [511:0] m_tdata,
    output wire  [63:0] m_tkeep,
    output wire         m_tlast,
    output wire  [15:0] m_tsize
);
    localparam INDEX  = $clog2(BEATS);
    localparam FRAMES = 64;  // whole frames that it holds
    localparam FRAME  = $clog2(FRAMES);

    reg [512:0] beats [0:BEATS-1];
    reg  [15:0] sizes [0:FRAMES-1];

    reg [INDEX:0] written;        // beats that came
    reg [INDEX:0] whole;          // of these, those of whole frames
    reg [INDEX:0] fetched;        // beats that left the RAM
    reg [FRAME:0] frames_written;
    reg [FRAME:0] frames_read;

    // A frame ends one clock before its size is in place.
    reg         ended;
    reg  [6:0]  end_bytes;        // bytes of its last beat
    reg [15:0]  full_bytes;       // bytes of the beats before the last
    reg [15:0]  bytes;            // bytes that came of the frame that has not ended

    reg [512:0] shown;

    wire room = written - fetched != {1'b1, {INDEX{1'b0}}}
        // one place less: a frame may be ending
        && frames_written - frames_read < FRAMES[FRAME:0] - 1'b1;
    assign s_tready = room && !reset;
    wire take = s_tvalid && s_tready;
    wire move = m_tready || !m_tvalid;
    wire fetch = move && fetched != whole;
    wire leave = m_tvalid && m_tready && m_tlast;

    // The valid bytes are the lowest ones: their number is the place of the one 1 that has a 0 above it.
    function [6:0] bytes_of(input [64:0] keep);
        integer i;
        begin
            bytes_of = 7'd0;
            for (i = 0; i < 64; i = i + 1)
                if (keep[i] && !keep[i+1]) bytes_of = bytes_of | (i[6:0] + 7'd1);
        end
    endfunction

    assign {m_tlast, m_tdata} = shown;
    assign m_tsize = sizes[frames_read[FRAME-1:0]];
    wire [5:0] over = m_tsize[5:0];
    assign m_tkeep = (m_tlast && over != 6'd0) ? ~({64{1'b1}} << over) : {64{1'b1}};

    initial begin
        m_tvalid       = 1'b0;
        written        = 0;
        whole          = 0;
        fetched        = 0;
        frames_written = 0;
        frames_read    = 0;
        ended          = 1'b0;
        bytes          = 16'd0;
    end

    always @(posedge clock) begin
        if (take) beats[written[INDEX-1:0]] <= {s_tlast, s_tdata};
        if (ended) sizes[frames_written[FRAME-1:0]] <= full_bytes + {9'd0, end_bytes};
        if (fetch) shown <= beats[fetched[INDEX-1:0]];
    end

    always @(posedge clock) begin
        end_bytes  <= bytes_of({1'b0, s_tkeep});
        full_bytes <= bytes;
        if (reset) begin
            m_tvalid       <= 1'b0;
            written        <= 0;
            whole          <= 0;
            fetched        <= 0;
            frames_written <= 0;
            frames_read    <= 0;
            ended          <= 1'b0;
            bytes          <= 16'd0;
        end else begin
            ended <= take && s_tlast;
            if (take) begin
                written <= written + 1'b1;
                bytes   <= s_tlast ? 16'd0 : bytes + 16'd64;
            end
            if (ended) begin
                frames_written <= frames_written + 1'b1;
                whole          <= written;
            end
            if (fetch) fetched <= fetched + 1'b1;
            if (move) m_tvalid <= fetch;
            if (leave) frames_read <= frames_read + 1'b1;
        end
    end
endmodule
`default_nettype wire
