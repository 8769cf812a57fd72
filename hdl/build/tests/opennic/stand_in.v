// A module with the ports of a packet path: frames pass as they are, whole and with their length, and its registers are a memory
// of 192 words. Addresses from 0x300 on answer DECERR, a write with a byte left out SLVERR. It answers after 0 to 7 clocks.
module stand_in_path (
    input  wire         clock,
    input  wire         reset,
    input  wire         s_frame_tvalid,
    output wire         s_frame_tready,
    input  wire [511:0] s_frame_tdata,
    input  wire  [63:0] s_frame_tkeep,
    input  wire         s_frame_tlast,
    input  wire         s_frame_tuser,
    output wire         m_frame_tvalid,
    input  wire         m_frame_tready,
    output wire [511:0] m_frame_tdata,
    output wire  [63:0] m_frame_tkeep,
    output wire         m_frame_tlast,
    output wire  [15:0] m_frame_tuser,
    input  wire         s_axil_awvalid,
    output reg          s_axil_awready,
    input  wire   [9:0] s_axil_awaddr,
    input  wire   [2:0] s_axil_awprot,
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    input  wire  [31:0] s_axil_wdata,
    input  wire   [3:0] s_axil_wstrb,
    output reg          s_axil_bvalid,
    input  wire         s_axil_bready,
    output reg    [1:0] s_axil_bresp,
    input  wire         s_axil_arvalid,
    output reg          s_axil_arready,
    input  wire   [9:0] s_axil_araddr,
    input  wire   [2:0] s_axil_arprot,
    output reg          s_axil_rvalid,
    input  wire         s_axil_rready,
    output reg   [31:0] s_axil_rdata,
    output reg    [1:0] s_axil_rresp
);
    whole_frames frames (
        .clock(clock), .reset(reset),
        .s_tvalid(s_frame_tvalid && !s_frame_tuser), .s_tready(s_frame_tready), .s_tdata(s_frame_tdata), .s_tkeep(s_frame_tkeep),
        .s_tlast(s_frame_tlast),
        .m_tvalid(m_frame_tvalid), .m_tready(m_frame_tready), .m_tdata(m_frame_tdata), .m_tkeep(m_frame_tkeep),
        .m_tlast(m_frame_tlast), .m_tsize(m_frame_tuser)
    );

    reg [31:0] words [0:191];
    reg  [2:0] clocks, write_wait, read_wait;
    reg        writing, reading;
    assign s_axil_wready = s_axil_awready;
    initial clocks = 3'd0;

    always @(posedge clock) begin
        clocks         <= clocks + 3'd3;
        s_axil_awready <= 1'b0;
        s_axil_arready <= 1'b0;
        if (reset) begin
            writing       <= 1'b0;
            reading       <= 1'b0;
            s_axil_bvalid <= 1'b0;
            s_axil_rvalid <= 1'b0;
        end else begin
            if (!writing && s_axil_awvalid && s_axil_wvalid) begin
                writing        <= 1'b1;
                write_wait     <= clocks;
                s_axil_awready <= 1'b1;
                s_axil_bresp   <= s_axil_awaddr[9:8] == 2'd3 ? 2'd3 : s_axil_wstrb != 4'd15 ? 2'd2 : 2'd0;
                if (s_axil_awaddr[9:8] != 2'd3 && s_axil_wstrb == 4'd15) words[s_axil_awaddr[9:2]] <= s_axil_wdata;
            end else if (writing && !s_axil_awready && !s_axil_bvalid) begin
                write_wait    <= write_wait - 3'd1;
                s_axil_bvalid <= write_wait == 3'd0;
            end else if (s_axil_bvalid && s_axil_bready) begin
                writing       <= 1'b0;
                s_axil_bvalid <= 1'b0;
            end
            if (!reading && s_axil_arvalid) begin
                reading        <= 1'b1;
                read_wait      <= clocks;
                s_axil_arready <= 1'b1;
                s_axil_rresp   <= s_axil_araddr[9:8] == 2'd3 ? 2'd3 : 2'd0;
                s_axil_rdata   <= s_axil_araddr[9:8] == 2'd3 ? 32'd0 : words[s_axil_araddr[9:2]];
            end else if (reading && !s_axil_arready && !s_axil_rvalid) begin
                read_wait     <= read_wait - 3'd1;
                s_axil_rvalid <= read_wait == 3'd0;
            end else if (s_axil_rvalid && s_axil_rready) begin
                reading       <= 1'b0;
                s_axil_rvalid <= 1'b0;
            end
        end
    end
endmodule

// Holds a frame until it is whole, so that its first beat can say how many bytes it has. A beat comes and a beat goes in every
// clock, as long as frames leave four beats of room; no frame may be longer than BEATS beats.
module whole_frames #(
    parameter BEATS = 64  // beats that it holds, a power of two
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
