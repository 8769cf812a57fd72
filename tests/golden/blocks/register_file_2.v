// AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.
// Reading the low half of a counter samples all 64 bits; the high half read next belongs to it.
module register_file_2 (
  input  wire        clock,
  input  wire        reset,           // back to the specification's values
  input  wire        awvalid,
  output wire        awready,
  input  wire [7:0]  awaddr,
  input  wire        wvalid,
  output wire        wready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        bvalid,
  input  wire        bready,
  output wire [1:0]  bresp,
  input  wire        arvalid,
  output wire        arready,
  input  wire [7:0]  araddr,
  output wire        rvalid,
  input  wire        rready,
  output wire [31:0] rdata,
  output wire [1:0]  rresp,
  input  wire [7:0]  live_0,          // register LINK
  input  wire [31:0] outside_low_0,   // counter PORT_0_FRAMES_GOOD, lower half
  input  wire [31:0] outside_low_1,   // counter PORT_0_FRAMES_BAD_FCS, lower half
  input  wire [31:0] outside_low_2,   // counter PORT_0_FRAMES_RUNT, lower half
  input  wire [31:0] outside_low_3,   // counter PORT_0_FRAMES_ERROR, lower half
  input  wire [31:0] outside_low_4,   // counter PORT_0_OVERFLOWS, lower half
  input  wire [31:0] outside_low_5,   // counter PORT_0_FRAMES_SENT, lower half
  input  wire [31:0] outside_low_6,   // counter PORT_0_FRAMES_BROKEN, lower half
  input  wire [31:0] outside_low_7,   // counter PORT_0_UNDERRUNS, lower half
  input  wire [31:0] outside_low_8,   // counter PORT_1_FRAMES_GOOD, lower half
  input  wire [31:0] outside_low_9,   // counter PORT_1_FRAMES_BAD_FCS, lower half
  input  wire [31:0] outside_low_10,  // counter PORT_1_FRAMES_RUNT, lower half
  input  wire [31:0] outside_low_11,  // counter PORT_1_FRAMES_ERROR, lower half
  input  wire [31:0] outside_low_12,  // counter PORT_1_OVERFLOWS, lower half
  input  wire [31:0] outside_low_13,  // counter PORT_1_FRAMES_SENT, lower half
  input  wire [31:0] outside_low_14,  // counter PORT_1_FRAMES_BROKEN, lower half
  input  wire [31:0] outside_low_15,  // counter PORT_1_UNDERRUNS, lower half
  input  wire [31:0] outside_high_0,  // counter PORT_0_FRAMES_GOOD, upper half, a clock late
  input  wire [31:0] outside_high_1,  // counter PORT_0_FRAMES_BAD_FCS, upper half, a clock late
  input  wire [31:0] outside_high_2,  // counter PORT_0_FRAMES_RUNT, upper half, a clock late
  input  wire [31:0] outside_high_3,  // counter PORT_0_FRAMES_ERROR, upper half, a clock late
  input  wire [31:0] outside_high_4,  // counter PORT_0_OVERFLOWS, upper half, a clock late
  input  wire [31:0] outside_high_5,  // counter PORT_0_FRAMES_SENT, upper half, a clock late
  input  wire [31:0] outside_high_6,  // counter PORT_0_FRAMES_BROKEN, upper half, a clock late
  input  wire [31:0] outside_high_7,  // counter PORT_0_UNDERRUNS, upper half, a clock late
  input  wire [31:0] outside_high_8,  // counter PORT_1_FRAMES_GOOD, upper half, a clock late
  input  wire [31:0] outside_high_9,  // counter PORT_1_FRAMES_BAD_FCS, upper half, a clock late
  input  wire [31:0] outside_high_10, // counter PORT_1_FRAMES_RUNT, upper half, a clock late
  input  wire [31:0] outside_high_11, // counter PORT_1_FRAMES_ERROR, upper half, a clock late
  input  wire [31:0] outside_high_12, // counter PORT_1_OVERFLOWS, upper half, a clock late
  input  wire [31:0] outside_high_13, // counter PORT_1_FRAMES_SENT, upper half, a clock late
  input  wire [31:0] outside_high_14, // counter PORT_1_FRAMES_BROKEN, upper half, a clock late
  input  wire [31:0] outside_high_15, // counter PORT_1_UNDERRUNS, upper half, a clock late
  input  wire        finished,        // what is pending is done
  output wire        clear_pending,   // a clear was written and is not done
  output wire        write_pending    // a clear was written and is not done
);
  localparam [5:0]  fixed_address_0    = 6'd0;
  localparam [5:0]  fixed_address_1    = 6'd1;
  localparam [5:0]  fixed_address_2    = 6'd2;
  localparam [5:0]  fixed_address_3    = 6'd4;
  localparam [31:0] fixed_value_0      = 32'hb;
  localparam [31:0] fixed_value_1      = 32'd1;
  localparam [31:0] fixed_value_2      = 32'd0;
  localparam [31:0] fixed_value_3      = 32'd0;
  localparam [5:0]  live_address_0     = 6'd3;
  localparam [5:0]  outside_address_0  = 6'd16;
  localparam [5:0]  outside_address_1  = 6'd18;
  localparam [5:0]  outside_address_2  = 6'd20;
  localparam [5:0]  outside_address_3  = 6'd22;
  localparam [5:0]  outside_address_4  = 6'd24;
  localparam [5:0]  outside_address_5  = 6'd26;
  localparam [5:0]  outside_address_6  = 6'd28;
  localparam [5:0]  outside_address_7  = 6'd30;
  localparam [5:0]  outside_address_8  = 6'd32;
  localparam [5:0]  outside_address_9  = 6'd34;
  localparam [5:0]  outside_address_10 = 6'd36;
  localparam [5:0]  outside_address_11 = 6'd38;
  localparam [5:0]  outside_address_12 = 6'd40;
  localparam [5:0]  outside_address_13 = 6'd42;
  localparam [5:0]  outside_address_14 = 6'd44;
  localparam [5:0]  outside_address_15 = 6'd46;
  localparam [5:0]  high_address_0     = 6'd17;
  localparam [5:0]  high_address_1     = 6'd19;
  localparam [5:0]  high_address_2     = 6'd21;
  localparam [5:0]  high_address_3     = 6'd23;
  localparam [5:0]  high_address_4     = 6'd25;
  localparam [5:0]  high_address_5     = 6'd27;
  localparam [5:0]  high_address_6     = 6'd29;
  localparam [5:0]  high_address_7     = 6'd31;
  localparam [5:0]  high_address_8     = 6'd33;
  localparam [5:0]  high_address_9     = 6'd35;
  localparam [5:0]  high_address_10    = 6'd37;
  localparam [5:0]  high_address_11    = 6'd39;
  localparam [5:0]  high_address_12    = 6'd41;
  localparam [5:0]  high_address_13    = 6'd43;
  localparam [5:0]  high_address_14    = 6'd45;
  localparam [5:0]  high_address_15    = 6'd47;
  localparam [63:0] mapped_words       = 64'hffffffff001f; // bit w: there is a register at word w
  localparam [63:0] writable_words     = 64'd0;            // bit w: that a host may write
  localparam        commands           = 1'b1;             // bits of CONTROL that command something
  localparam        clears             = 1'b1;             // those that clear
  localparam [1:0]  okay               = 2'd0;
  localparam [1:0]  slave_error        = 2'd2;
  localparam [1:0]  decode_error       = 2'd3;
  localparam [31:0] zero               = 32'd0;

  reg        clear_r;
  reg        pending_r;
  reg        seen;                // a write is judged
  reg        taking;              // it is taken
  reg        known;               // there is a register at its address
  reg        legal_r;             // it is done
  reg        bvalid_r;
  reg [1:0]  bresp_r;
  reg        mapped_r;
  reg        to_control_r;
  reg        unwritable_r;
  reg        control_wide;        // the data are wider than CONTROL
  reg        resting;             // no read is under way
  reg        reading;
  reg        sampling;
  reg        merging;
  reg        fixed_hit_0;
  reg        fixed_hit_1;
  reg        fixed_hit_2;
  reg        fixed_hit_3;
  reg        live_hit_0;
  reg        outside_hit_0;
  reg        outside_hit_1;
  reg        outside_hit_2;
  reg        outside_hit_3;
  reg        outside_hit_4;
  reg        outside_hit_5;
  reg        outside_hit_6;
  reg        outside_hit_7;
  reg        outside_hit_8;
  reg        outside_hit_9;
  reg        outside_hit_10;
  reg        outside_hit_11;
  reg        outside_hit_12;
  reg        outside_hit_13;
  reg        outside_hit_14;
  reg        outside_hit_15;
  reg        outside_hit_late_0;
  reg        outside_hit_late_1;
  reg        outside_hit_late_2;
  reg        outside_hit_late_3;
  reg        outside_hit_late_4;
  reg        outside_hit_late_5;
  reg        outside_hit_late_6;
  reg        outside_hit_late_7;
  reg        outside_hit_late_8;
  reg        outside_hit_late_9;
  reg        outside_hit_late_10;
  reg        outside_hit_late_11;
  reg        outside_hit_late_12;
  reg        outside_hit_late_13;
  reg        outside_hit_late_14;
  reg        outside_hit_late_15;
  reg        high_hit;
  reg [31:0] fixed_group_r;
  reg [31:0] live_group_r;
  reg [31:0] counter_group_r;
  reg [31:0] high_sample;
  reg        found_r;
  reg        rvalid_r;
  reg [31:0] rdata_r;
  reg [1:0]  rresp_r;

  wire [5:0]  write_word;
  wire        mapped;
  wire        to_control;
  wire        command;
  wire        commanded;
  wire        writable;
  wire        too_wide;
  wire        refused;
  wire        legal;
  wire        offered;          // an address is valid, and no read is under way
  wire        beginning;        // it is taken
  wire        answering;        // there is an answer in the next clock
  wire [5:0]  read_word;
  wire        held;
  reg         high_sampled;
  reg         to_high;
  reg  [31:0] fixed_group;
  reg  [31:0] live_group;
  reg  [31:0] counter_group;
  reg  [31:0] high_in;
  reg  [31:0] counter_high_now;
  reg         found;

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_control = 1'b0;

  // decoded while the address waits to be taken; AXI holds it and the data until then
  assign writable = writable_words[write_word];
  assign mapped = mapped_words[write_word];
  assign too_wide = to_control_r && control_wide;
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[0] & commands;
  assign commanded = legal && to_control_r && command;
  assign held = 1'b0;
  assign clear_pending = clear_r;
  assign write_pending = pending_r;

  // read: address taken, registers sampled, groups merged, answer
  assign offered = arvalid && resting && !held;
  assign beginning = offered && !reset;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign answering = merging || (rvalid_r && !rready);
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    clear_r = 1'b0;
    pending_r = 1'b0;
    seen = 1'b0;
    taking = 1'b0;
    known = 1'b0;
    legal_r = 1'b0;
    bvalid_r = 1'b0;
    bresp_r = 2'd0;
    mapped_r = 1'b0;
    to_control_r = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    resting = 1'b1;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    fixed_hit_2 = 1'b0;
    fixed_hit_3 = 1'b0;
    live_hit_0 = 1'b0;
    outside_hit_0 = 1'b0;
    outside_hit_1 = 1'b0;
    outside_hit_2 = 1'b0;
    outside_hit_3 = 1'b0;
    outside_hit_4 = 1'b0;
    outside_hit_5 = 1'b0;
    outside_hit_6 = 1'b0;
    outside_hit_7 = 1'b0;
    outside_hit_8 = 1'b0;
    outside_hit_9 = 1'b0;
    outside_hit_10 = 1'b0;
    outside_hit_11 = 1'b0;
    outside_hit_12 = 1'b0;
    outside_hit_13 = 1'b0;
    outside_hit_14 = 1'b0;
    outside_hit_15 = 1'b0;
    outside_hit_late_0 = 1'b0;
    outside_hit_late_1 = 1'b0;
    outside_hit_late_2 = 1'b0;
    outside_hit_late_3 = 1'b0;
    outside_hit_late_4 = 1'b0;
    outside_hit_late_5 = 1'b0;
    outside_hit_late_6 = 1'b0;
    outside_hit_late_7 = 1'b0;
    outside_hit_late_8 = 1'b0;
    outside_hit_late_9 = 1'b0;
    outside_hit_late_10 = 1'b0;
    outside_hit_late_11 = 1'b0;
    outside_hit_late_12 = 1'b0;
    outside_hit_late_13 = 1'b0;
    outside_hit_late_14 = 1'b0;
    outside_hit_late_15 = 1'b0;
    high_hit = 1'b0;
    fixed_group_r = 32'd0;
    live_group_r = 32'd0;
    counter_group_r = 32'd0;
    high_sample = 32'd0;
    found_r = 1'b0;
    rvalid_r = 1'b0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @* begin
    fixed_group = zero;
    live_group = zero;
    counter_group = zero;
    found = 1'b0;
    if (fixed_hit_0) begin
      fixed_group = fixed_group | fixed_value_0;
      found = 1'b1;
    end
    if (fixed_hit_1) begin
      fixed_group = fixed_group | fixed_value_1;
      found = 1'b1;
    end
    if (fixed_hit_2) begin
      fixed_group = fixed_group | fixed_value_2;
      found = 1'b1;
    end
    if (fixed_hit_3) begin
      fixed_group = fixed_group | fixed_value_3;
      found = 1'b1;
    end
    if (live_hit_0) begin
      live_group = live_group | {24'd0, live_0};
      found = 1'b1;
    end
    if (outside_hit_0) begin
      counter_group = counter_group | outside_low_0;
      found = 1'b1;
    end
    if (outside_hit_1) begin
      counter_group = counter_group | outside_low_1;
      found = 1'b1;
    end
    if (outside_hit_2) begin
      counter_group = counter_group | outside_low_2;
      found = 1'b1;
    end
    if (outside_hit_3) begin
      counter_group = counter_group | outside_low_3;
      found = 1'b1;
    end
    if (outside_hit_4) begin
      counter_group = counter_group | outside_low_4;
      found = 1'b1;
    end
    if (outside_hit_5) begin
      counter_group = counter_group | outside_low_5;
      found = 1'b1;
    end
    if (outside_hit_6) begin
      counter_group = counter_group | outside_low_6;
      found = 1'b1;
    end
    if (outside_hit_7) begin
      counter_group = counter_group | outside_low_7;
      found = 1'b1;
    end
    if (outside_hit_8) begin
      counter_group = counter_group | outside_low_8;
      found = 1'b1;
    end
    if (outside_hit_9) begin
      counter_group = counter_group | outside_low_9;
      found = 1'b1;
    end
    if (outside_hit_10) begin
      counter_group = counter_group | outside_low_10;
      found = 1'b1;
    end
    if (outside_hit_11) begin
      counter_group = counter_group | outside_low_11;
      found = 1'b1;
    end
    if (outside_hit_12) begin
      counter_group = counter_group | outside_low_12;
      found = 1'b1;
    end
    if (outside_hit_13) begin
      counter_group = counter_group | outside_low_13;
      found = 1'b1;
    end
    if (outside_hit_14) begin
      counter_group = counter_group | outside_low_14;
      found = 1'b1;
    end
    if (outside_hit_15) begin
      counter_group = counter_group | outside_low_15;
      found = 1'b1;
    end
    if (high_hit) begin
      live_group = live_group | high_sample;
      found = 1'b1;
    end
  end

  always @* begin
    high_sampled = 1'b0;
    counter_high_now = zero;
    if (outside_hit_late_0) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_0;
    end
    if (outside_hit_late_1) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_1;
    end
    if (outside_hit_late_2) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_2;
    end
    if (outside_hit_late_3) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_3;
    end
    if (outside_hit_late_4) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_4;
    end
    if (outside_hit_late_5) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_5;
    end
    if (outside_hit_late_6) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_6;
    end
    if (outside_hit_late_7) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_7;
    end
    if (outside_hit_late_8) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_8;
    end
    if (outside_hit_late_9) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_9;
    end
    if (outside_hit_late_10) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_10;
    end
    if (outside_hit_late_11) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_11;
    end
    if (outside_hit_late_12) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_12;
    end
    if (outside_hit_late_13) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_13;
    end
    if (outside_hit_late_14) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_14;
    end
    if (outside_hit_late_15) begin
      high_sampled = 1'b1;
      counter_high_now = counter_high_now | outside_high_15;
    end
  end

  always @* begin
    high_in = high_sample;
    if (high_sampled) begin
      high_in = counter_high_now;
    end
  end

  always @* begin
    to_high = 1'b0;
    if (read_word == high_address_0) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_1) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_2) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_3) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_4) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_5) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_6) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_7) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_8) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_9) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_10) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_11) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_12) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_13) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_14) begin
      to_high = 1'b1;
    end
    if (read_word == high_address_15) begin
      to_high = 1'b1;
    end
  end

  always @(posedge clock) begin
    // write
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !pending_r && !reset;
    taking <= seen && !reset;
    control_wide <= |wdata;
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;

    // judged in the clock behind
    known <= mapped_r;
    legal_r <= seen && mapped_r && !refused && !reset;
    bvalid_r <= taking || (bvalid_r && !bready);
    if (taking) begin
      bresp_r <= okay;
      if (!known) begin
        bresp_r <= decode_error;
      end else if (!legal) begin
        bresp_r <= slave_error;
      end
    end
    clear_r <= clear_r && !finished;
    pending_r <= pending_r && !finished;
    if (commanded) begin
      clear_r <= command & clears;
      pending_r <= 1'b1;
    end
    reading <= beginning;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    fixed_hit_2 <= read_word == fixed_address_2;
    fixed_hit_3 <= read_word == fixed_address_3;
    live_hit_0 <= read_word == live_address_0;
    outside_hit_0 <= read_word == outside_address_0;
    outside_hit_late_0 <= outside_hit_0 && sampling;
    outside_hit_1 <= read_word == outside_address_1;
    outside_hit_late_1 <= outside_hit_1 && sampling;
    outside_hit_2 <= read_word == outside_address_2;
    outside_hit_late_2 <= outside_hit_2 && sampling;
    outside_hit_3 <= read_word == outside_address_3;
    outside_hit_late_3 <= outside_hit_3 && sampling;
    outside_hit_4 <= read_word == outside_address_4;
    outside_hit_late_4 <= outside_hit_4 && sampling;
    outside_hit_5 <= read_word == outside_address_5;
    outside_hit_late_5 <= outside_hit_5 && sampling;
    outside_hit_6 <= read_word == outside_address_6;
    outside_hit_late_6 <= outside_hit_6 && sampling;
    outside_hit_7 <= read_word == outside_address_7;
    outside_hit_late_7 <= outside_hit_7 && sampling;
    outside_hit_8 <= read_word == outside_address_8;
    outside_hit_late_8 <= outside_hit_8 && sampling;
    outside_hit_9 <= read_word == outside_address_9;
    outside_hit_late_9 <= outside_hit_9 && sampling;
    outside_hit_10 <= read_word == outside_address_10;
    outside_hit_late_10 <= outside_hit_10 && sampling;
    outside_hit_11 <= read_word == outside_address_11;
    outside_hit_late_11 <= outside_hit_11 && sampling;
    outside_hit_12 <= read_word == outside_address_12;
    outside_hit_late_12 <= outside_hit_12 && sampling;
    outside_hit_13 <= read_word == outside_address_13;
    outside_hit_late_13 <= outside_hit_13 && sampling;
    outside_hit_14 <= read_word == outside_address_14;
    outside_hit_late_14 <= outside_hit_14 && sampling;
    outside_hit_15 <= read_word == outside_address_15;
    outside_hit_late_15 <= outside_hit_15 && sampling;
    high_hit <= to_high;
    fixed_group_r <= fixed_group;
    live_group_r <= live_group;
    counter_group_r <= counter_group;
    high_sample <= high_in;
    found_r <= found;
    rvalid_r <= answering;
    resting <= !beginning && !reading && !sampling && !answering;
    if (merging) begin
      rdata_r <= fixed_group_r | live_group_r | counter_group_r;
      rresp_r <= okay;
      if (!found_r) begin
        rresp_r <= decode_error;
      end
    end
    if (reset) begin
      clear_r <= 1'b0;
      pending_r <= 1'b0;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
      resting <= 1'b1;
      high_sample <= zero;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule
