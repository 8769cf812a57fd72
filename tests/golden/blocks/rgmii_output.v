// The pins of RGMII from GMII.
module rgmii_output (
  input  wire       clock,
  input  wire [7:0] gmii_data,
  input  wire       gmii_valid,
  input  wire       gmii_error,
  output wire       rgmii_tx_clock,
  output wire       rgmii_tx_control,
  output wire [3:0] rgmii_tx_data
);
  wire [3:0] low;
  wire [3:0] high;
  wire       pins_0_pin;
  wire       pins_1_pin;
  wire       pins_2_pin;
  wire       pins_3_pin;
  wire       control_falling;
  wire       control_pin;
  wire       clock_out_pin;
  wire       clock_delay_z;

  output_ddr pins_0 (
    .clock   (clock),
    .rising  (low[0]),
    .falling (high[0]),
    .pin     (pins_0_pin)
  );

  output_ddr pins_1 (
    .clock   (clock),
    .rising  (low[1]),
    .falling (high[1]),
    .pin     (pins_1_pin)
  );

  output_ddr pins_2 (
    .clock   (clock),
    .rising  (low[2]),
    .falling (high[2]),
    .pin     (pins_2_pin)
  );

  output_ddr pins_3 (
    .clock   (clock),
    .rising  (low[3]),
    .falling (high[3]),
    .pin     (pins_3_pin)
  );

  output_ddr control (
    .clock   (clock),
    .rising  (gmii_valid),
    .falling (control_falling),
    .pin     (control_pin)
  );

  output_ddr clock_out (
    .clock   (clock),
    .rising  (1'b1),
    .falling (1'b0),
    .pin     (clock_out_pin)
  );

  output_delay clock_delay (
    .a (clock_out_pin),
    .z (clock_delay_z)
  );

  assign control_falling = gmii_valid != gmii_error;
  assign rgmii_tx_control = control_pin;
  assign rgmii_tx_clock = clock_delay_z;
  assign low = gmii_data[3:0];
  assign high = gmii_data[7:4];
  assign rgmii_tx_data[0] = pins_0_pin;
  assign rgmii_tx_data[1] = pins_1_pin;
  assign rgmii_tx_data[2] = pins_2_pin;
  assign rgmii_tx_data[3] = pins_3_pin;
endmodule
