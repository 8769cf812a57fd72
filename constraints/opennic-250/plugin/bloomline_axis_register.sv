// bloomline_axis_register: a stage of an AXI4-Stream, one beat a clock, no path from left to right or back within a clock.
//
// Two places: one shown to the right, and a spare one for the beat that comes in the clock in which the right side stops taking.
// While reset is 1 tready is 0, and tvalid from the next clock on.
`default_nettype none
module bloomline_axis_register #(
    parameter WIDTH = 8  // bits of a beat
) (
    input  wire             clock,
    input  wire             reset,
    input  wire             s_tvalid,
    output wire             s_tready,
    input  wire [WIDTH-1:0] s_beat,
    output reg              m_tvalid,
    input  wire             m_tready,
    output reg  [WIDTH-1:0] m_beat
);
    reg             spare_full;
    reg [WIDTH-1:0] spare;

    assign s_tready = !spare_full && !reset;
    wire take = s_tvalid && s_tready;
    wire move = m_tready || !m_tvalid;

    initial begin
        spare_full = 1'b0;
        m_tvalid   = 1'b0;
    end

    always @(posedge clock) begin
        if (reset) begin
            spare_full <= 1'b0;
            m_tvalid   <= 1'b0;
        end else if (move) begin
            spare_full <= 1'b0;
            m_tvalid   <= spare_full || take;
        end else begin
            spare_full <= spare_full || take;
        end
        if (move) m_beat <= spare_full ? spare : s_beat;
        if (take) spare <= s_beat;
    end
endmodule
`default_nettype wire
