// A module with the ports of a packet path: frames pass as they are, and its registers are a memory of 192 words. Addresses from
// 0x300 on answer DECERR, a write with a byte left out SLVERR. It answers after 0 to 7 clocks.
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
    input  wire         s_axil_awvalid,
    output reg          s_axil_awready,
    input  wire   [9:0] s_axil_awaddr,
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
    output reg          s_axil_rvalid,
    input  wire         s_axil_rready,
    output reg   [31:0] s_axil_rdata,
    output reg    [1:0] s_axil_rresp
);
    assign s_frame_tready = m_frame_tready && !reset;
    assign m_frame_tvalid = s_frame_tvalid && !s_frame_tuser && !reset;
    assign m_frame_tdata  = s_frame_tdata;
    assign m_frame_tkeep  = s_frame_tkeep;
    assign m_frame_tlast  = s_frame_tlast;

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
