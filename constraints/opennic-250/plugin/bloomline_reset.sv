// bloomline_reset: the shell's reset pair to a reset of each clock.
//
//   mod_rstn ----> [64 clocks of axil_aclk] --+--> axil_reset
//   mod_rst_done <----------------------------+--> [two registers of axis_aclk] --> axis_reset
//
// The shell asks with one clock of mod_rstn = 0 (synchronous to axil_aclk) and waits for mod_rst_done. That is 0 from the clock
// after the request to the end of the reset, long enough for the slower side of every crossing to see it. A configured device
// starts in reset, and leaves it without being asked.
`default_nettype none
module bloomline_reset (
    input  wire axil_aclk,
    input  wire axis_aclk,
    input  wire mod_rstn,
    output reg  mod_rst_done,
    output reg  axil_reset,
    output wire axis_reset
);
    reg [5:0] left;
    (* ASYNC_REG = "TRUE" *) reg [1:0] axis_reset_sync;
    assign axis_reset = axis_reset_sync[1];

    initial begin
        mod_rst_done    = 1'b0;
        axil_reset      = 1'b1;
        left            = 6'd63;
        axis_reset_sync = 2'b11;
    end

    always @(posedge axil_aclk) begin
        if (!mod_rstn) begin
            mod_rst_done <= 1'b0;
            axil_reset   <= 1'b1;
            left         <= 6'd63;
        end else if (left != 6'd0) begin
            left <= left - 6'd1;
        end else begin
            mod_rst_done <= 1'b1;
            axil_reset   <= 1'b0;
        end
    end

    always @(posedge axis_aclk) begin
        axis_reset_sync <= {axis_reset_sync[0], axil_reset};
    end
endmodule
`default_nettype wire
