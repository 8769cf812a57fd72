// bloomline_axil_crossing: AXI4-Lite from one clock to another, one access at a time, whatever the phase of the clocks.
//
//   axil_aclk                             |          axis_aclk
//   access --> held_*, request toggles ---|--> [2 registers] --> access of m_axil
//   response <-- [2 registers] <----------|--- answer_*, answered toggles
//
// What is held changes only while no toggle is on its way, so it is stable for at least one clock of the other side when that
// takes it: paths between the sides need a bound on their delay (bloomline_axil_crossing.xdc), and nothing else.
// Reads and writes take turns. A write is taken when its address and its data are there.
//
// Both resets come from one; that of axil_aclk lasts long enough for both sides to be in reset at once.
`default_nettype none
module bloomline_axil_crossing (
    input  wire        axil_aclk,
    input  wire        axil_reset,
    input  wire        s_axil_awvalid,
    output reg         s_axil_awready,
    input  wire  [9:0] s_axil_awaddr,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    output reg         s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire  [1:0] s_axil_bresp,
    input  wire        s_axil_arvalid,
    output reg         s_axil_arready,
    input  wire  [9:0] s_axil_araddr,
    output reg         s_axil_rvalid,
    input  wire        s_axil_rready,
    output reg  [31:0] s_axil_rdata,
    output wire  [1:0] s_axil_rresp,

    input  wire        axis_aclk,
    input  wire        axis_reset,
    output reg         m_axil_awvalid,
    input  wire        m_axil_awready,
    output wire  [9:0] m_axil_awaddr,
    output reg         m_axil_wvalid,
    input  wire        m_axil_wready,
    output reg  [31:0] m_axil_wdata,
    output wire  [3:0] m_axil_wstrb,
    input  wire        m_axil_bvalid,
    output wire        m_axil_bready,
    input  wire  [1:0] m_axil_bresp,
    output reg         m_axil_arvalid,
    input  wire        m_axil_arready,
    output wire  [9:0] m_axil_araddr,
    input  wire        m_axil_rvalid,
    output wire        m_axil_rready,
    input  wire [31:0] m_axil_rdata,
    input  wire  [1:0] m_axil_rresp
);
    localparam [1:0] SLVERR = 2'd2;

    // of axil_aclk
    (* DONT_TOUCH = "TRUE" *) reg        request;
    (* DONT_TOUCH = "TRUE" *) reg        held_write;
    (* DONT_TOUCH = "TRUE" *) reg  [9:0] held_address;
    (* DONT_TOUCH = "TRUE" *) reg [31:0] held_data;
    (* ASYNC_REG = "TRUE" *)  reg  [1:0] answered_sync;
    reg       busy;           // from the clock after an access is taken to its response
    reg       seen_answered;
    reg [1:0] response;

    // of axis_aclk
    (* DONT_TOUCH = "TRUE" *) reg        answered;
    (* DONT_TOUCH = "TRUE" *) reg [31:0] answer_data;
    (* DONT_TOUCH = "TRUE" *) reg  [1:0] answer_response;
    (* ASYNC_REG = "TRUE" *)  reg  [1:0] request_sync;
    reg       seen_request;
    reg       active;         // the access is one of this side
    reg [9:0] address;

    initial begin
        request        = 1'b0;
        answered_sync  = 2'b00;
        busy           = 1'b0;
        held_write     = 1'b0;
        seen_answered  = 1'b0;
        s_axil_awready = 1'b0;
        s_axil_arready = 1'b0;
        s_axil_bvalid  = 1'b0;
        s_axil_rvalid  = 1'b0;
        answered       = 1'b0;
        request_sync   = 2'b00;
        seen_request   = 1'b0;
        active         = 1'b0;
        m_axil_awvalid = 1'b0;
        m_axil_wvalid  = 1'b0;
        m_axil_arvalid = 1'b0;
    end

    assign s_axil_wready = s_axil_awready;
    assign s_axil_bresp  = response;
    assign s_axil_rresp  = response;

    wire write_offered = s_axil_awvalid && s_axil_wvalid;
    wire read_turn     = s_axil_arvalid && (held_write || !write_offered);
    wire answer_comes  = !axil_reset && answered_sync[1] != seen_answered;

    // An access that a reset cuts is answered with an error: a host that waits for ever takes its machine with it.
    wire answer_lost = axil_reset && busy && !s_axil_bvalid && !s_axil_rvalid;

    always @(posedge axil_aclk) begin
        answered_sync  <= {answered_sync[0], answered};
        s_axil_awready <= 1'b0;
        s_axil_arready <= 1'b0;
        if (axil_reset) begin
            request       <= 1'b0;
            seen_answered <= 1'b0;
        end else begin
            seen_answered <= answered_sync[1];
            if (!busy && (read_turn || write_offered)) begin
                busy           <= 1'b1;
                request        <= !request;
                held_write     <= !read_turn;
                held_address   <= read_turn ? s_axil_araddr : s_axil_awaddr;
                held_data      <= s_axil_wdata;
                s_axil_awready <= !read_turn;
                s_axil_arready <= read_turn;
            end
        end
        if (answer_comes || answer_lost) begin
            s_axil_bvalid <= held_write;
            s_axil_rvalid <= !held_write;
            s_axil_rdata  <= answer_lost ? 32'd0 : answer_data;
            response      <= answer_lost ? SLVERR : answer_response;
        end
        if ((s_axil_bvalid && s_axil_bready) || (s_axil_rvalid && s_axil_rready)) begin
            s_axil_bvalid <= 1'b0;
            s_axil_rvalid <= 1'b0;
            busy          <= 1'b0;
        end
    end

    assign m_axil_awaddr = address;
    assign m_axil_araddr = address;
    assign m_axil_wstrb  = 4'b1111;
    assign m_axil_bready = active;
    assign m_axil_rready = active;

    always @(posedge axis_aclk) begin
        request_sync <= {request_sync[0], request};
        if (axis_reset) begin
            answered       <= 1'b0;
            seen_request   <= 1'b0;
            active         <= 1'b0;
            m_axil_awvalid <= 1'b0;
            m_axil_wvalid  <= 1'b0;
            m_axil_arvalid <= 1'b0;
        end else begin
            if (m_axil_awready) m_axil_awvalid <= 1'b0;
            if (m_axil_wready)  m_axil_wvalid  <= 1'b0;
            if (m_axil_arready) m_axil_arvalid <= 1'b0;
            if (request_sync[1] != seen_request) begin
                seen_request   <= request_sync[1];
                active         <= 1'b1;
                address        <= held_address;
                m_axil_wdata   <= held_data;
                m_axil_awvalid <= held_write;
                m_axil_wvalid  <= held_write;
                m_axil_arvalid <= !held_write;
            end
            if (active && (m_axil_bvalid || m_axil_rvalid)) begin
                active          <= 1'b0;
                answered        <= !answered;
                answer_data     <= m_axil_rdata;
                answer_response <= m_axil_bvalid ? m_axil_bresp : m_axil_rresp;
            end
        end
    end
endmodule
`default_nettype wire
