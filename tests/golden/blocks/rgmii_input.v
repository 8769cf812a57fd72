// GMII from the pins of RGMII, and the PHY's status from between frames.
module rgmii_input (
  input  wire       rgmii_rx_clock,
  input  wire       rgmii_rx_control,
  input  wire [3:0] rgmii_rx_data,
  output wire [7:0] gmii_data,
  output wire       gmii_valid,
  output wire       gmii_error,
  output wire       link_up,          // the PHY tells of a link
  output wire [1:0] link_speed,       // 0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s
  output wire       link_full_duplex
);
  reg       told;        // the same a clock ago
  reg [3:0] told_before; // what was told then
  reg [3:0] status;      // told twice

  wire [7:0] data;
  wire [3:0] low;
  wire [3:0] high;
  wire       tells;           // between frames, with equal nibbles
  wire       delays_0_z;
  wire       delays_1_z;
  wire       delays_2_z;
  wire       delays_3_z;
  wire       pins_0_rising;
  wire       pins_0_falling;
  wire       pins_1_rising;
  wire       pins_1_falling;
  wire       pins_2_rising;
  wire       pins_2_falling;
  wire       pins_3_rising;
  wire       pins_3_falling;
  wire       control_delay_z;
  wire       control_rising;
  wire       control_falling;

  input_delay delays_0 (
    .a (rgmii_rx_data[0]),
    .z (delays_0_z)
  );

  input_delay delays_1 (
    .a (rgmii_rx_data[1]),
    .z (delays_1_z)
  );

  input_delay delays_2 (
    .a (rgmii_rx_data[2]),
    .z (delays_2_z)
  );

  input_delay delays_3 (
    .a (rgmii_rx_data[3]),
    .z (delays_3_z)
  );

  input_ddr pins_0 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_0_z),
    .rising  (pins_0_rising),
    .falling (pins_0_falling)
  );

  input_ddr pins_1 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_1_z),
    .rising  (pins_1_rising),
    .falling (pins_1_falling)
  );

  input_ddr pins_2 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_2_z),
    .rising  (pins_2_rising),
    .falling (pins_2_falling)
  );

  input_ddr pins_3 (
    .clock   (rgmii_rx_clock),
    .pin     (delays_3_z),
    .rising  (pins_3_rising),
    .falling (pins_3_falling)
  );

  input_delay control_delay (
    .a (rgmii_rx_control),
    .z (control_delay_z)
  );

  input_ddr control (
    .clock   (rgmii_rx_clock),
    .pin     (control_delay_z),
    .rising  (control_rising),
    .falling (control_falling)
  );

  assign low[0] = pins_0_rising;
  assign high[0] = pins_0_falling;
  assign low[1] = pins_1_rising;
  assign high[1] = pins_1_falling;
  assign low[2] = pins_2_rising;
  assign high[2] = pins_2_falling;
  assign low[3] = pins_3_rising;
  assign high[3] = pins_3_falling;
  assign data = {high, low};
  assign gmii_data = data;
  assign gmii_valid = control_rising;
  assign gmii_error = control_rising != control_falling;
  assign tells = !control_rising && !control_falling && (low == high);
  assign link_up = status[0];
  assign link_speed = status[2:1];
  assign link_full_duplex = status[3];

  initial begin
    told = 1'b0;
    told_before = 4'd0;
    status = 4'd0;
  end

  always @(posedge rgmii_rx_clock) begin
    told <= tells;
    told_before <= low;
    if (tells && told && (told_before == low)) begin
      status <= low;
    end
  end
endmodule
