// Registers of the 250 MHz box. In BAR2 of the card the box begins at 0x100000.
//
//   0x0000 + 0x1000 i .. 0x03FF + 0x1000 i   packet path of interface i
//   anything else                            answered here: DECERR, a read gives 0
//
// One write and one read at a time; each direction has its own way. aresetn is that of the box, not that of the paths: an access
// to a path that is in reset waits for its end.
`timescale 1ns/1ps
module box_250mhz_address_map #(
    parameter NUM_INTF = 1
) (
    input                      aclk,
    input                      aresetn,
    input                      s_axil_awvalid,
    input               [31:0] s_axil_awaddr,
    output                     s_axil_awready,
    input                      s_axil_wvalid,
    input               [31:0] s_axil_wdata,
    output                     s_axil_wready,
    output                     s_axil_bvalid,
    output reg           [1:0] s_axil_bresp,
    input                      s_axil_bready,
    input                      s_axil_arvalid,
    input               [31:0] s_axil_araddr,
    output                     s_axil_arready,
    output                     s_axil_rvalid,
    output reg          [31:0] s_axil_rdata,
    output reg           [1:0] s_axil_rresp,
    input                      s_axil_rready,

    output      [NUM_INTF-1:0] m_axil_awvalid,
    output   [10*NUM_INTF-1:0] m_axil_awaddr,
    input       [NUM_INTF-1:0] m_axil_awready,
    output      [NUM_INTF-1:0] m_axil_wvalid,
    output   [32*NUM_INTF-1:0] m_axil_wdata,
    input       [NUM_INTF-1:0] m_axil_wready,
    input       [NUM_INTF-1:0] m_axil_bvalid,
    input     [2*NUM_INTF-1:0] m_axil_bresp,
    output      [NUM_INTF-1:0] m_axil_bready,
    output      [NUM_INTF-1:0] m_axil_arvalid,
    output   [10*NUM_INTF-1:0] m_axil_araddr,
    input       [NUM_INTF-1:0] m_axil_arready,
    input       [NUM_INTF-1:0] m_axil_rvalid,
    input    [32*NUM_INTF-1:0] m_axil_rdata,
    input     [2*NUM_INTF-1:0] m_axil_rresp,
    output      [NUM_INTF-1:0] m_axil_rready
);
    localparam [1:0] DECERR = 2'd3;

    // The chosen interface, one bit each; none where nothing is.
    function [NUM_INTF-1:0] interface_at(input [31:10] address);
        integer i;
        for (i = 0; i < NUM_INTF; i = i + 1)
            interface_at[i] = address == {i[19:0], 2'd0};
    endfunction

    // writes
    reg                writing;       // from the clock after an address came to the response
    reg                address_taken;
    reg                data_taken;
    reg [NUM_INTF-1:0] write_to;
    wire               write_nowhere = write_to == 0;

    assign s_axil_awready = writing && !address_taken && (write_nowhere || (write_to & m_axil_awready) != 0);
    assign s_axil_wready  = writing && !data_taken && (write_nowhere || (write_to & m_axil_wready) != 0);
    assign s_axil_bvalid  = writing && (write_nowhere ? address_taken && data_taken : (write_to & m_axil_bvalid) != 0);
    assign m_axil_awvalid = write_to & {NUM_INTF{writing && !address_taken && s_axil_awvalid}};
    assign m_axil_wvalid  = write_to & {NUM_INTF{writing && !data_taken && s_axil_wvalid}};
    assign m_axil_bready  = write_to & {NUM_INTF{writing && s_axil_bready}};
    assign m_axil_awaddr  = {NUM_INTF{s_axil_awaddr[9:0]}};
    assign m_axil_wdata   = {NUM_INTF{s_axil_wdata}};

    // reads
    reg                reading;
    reg                read_taken;
    reg [NUM_INTF-1:0] read_from;
    wire               read_nowhere = read_from == 0;

    assign s_axil_arready = reading && !read_taken && (read_nowhere || (read_from & m_axil_arready) != 0);
    assign s_axil_rvalid  = reading && (read_nowhere ? read_taken : (read_from & m_axil_rvalid) != 0);
    assign m_axil_arvalid = read_from & {NUM_INTF{reading && !read_taken && s_axil_arvalid}};
    assign m_axil_rready  = read_from & {NUM_INTF{reading && s_axil_rready}};
    assign m_axil_araddr  = {NUM_INTF{s_axil_araddr[9:0]}};

    integer n;
    always @* begin
        s_axil_bresp = write_nowhere ? DECERR : 2'd0;
        s_axil_rresp = read_nowhere ? DECERR : 2'd0;
        s_axil_rdata = 32'd0;
        for (n = 0; n < NUM_INTF; n = n + 1) begin
            s_axil_bresp = s_axil_bresp | (m_axil_bresp[2*n +: 2] & {2{write_to[n]}});
            s_axil_rresp = s_axil_rresp | (m_axil_rresp[2*n +: 2] & {2{read_from[n]}});
            s_axil_rdata = s_axil_rdata | (m_axil_rdata[32*n +: 32] & {32{read_from[n]}});
        end
    end

    initial begin
        writing = 1'b0;
        reading = 1'b0;
    end

    always @(posedge aclk) begin
        if (!aresetn) begin
            writing <= 1'b0;
            reading <= 1'b0;
        end else begin
            if (!writing) begin
                writing       <= s_axil_awvalid;
                address_taken <= 1'b0;
                data_taken    <= 1'b0;
                write_to      <= interface_at(s_axil_awaddr[31:10]);
            end else begin
                if (s_axil_awvalid && s_axil_awready) address_taken <= 1'b1;
                if (s_axil_wvalid && s_axil_wready) data_taken <= 1'b1;
                if (s_axil_bvalid && s_axil_bready) writing <= 1'b0;
            end
            if (!reading) begin
                reading    <= s_axil_arvalid;
                read_taken <= 1'b0;
                read_from  <= interface_at(s_axil_araddr[31:10]);
            end else begin
                if (s_axil_arvalid && s_axil_arready) read_taken <= 1'b1;
                if (s_axil_rvalid && s_axil_rready) reading <= 1'b0;
            end
        end
    end
endmodule
