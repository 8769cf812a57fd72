// AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.
// Reading the low half of a counter samples all 64 bits; the high half read next belongs to it.
module register_file (
  input  wire        clock,
  input  wire        reset,         // back to the specification's values
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
  input  wire [10:0] live_0,        // register NEXT_BLOCK
  input  wire        event_0,       // count in FRAMES_UNSEEN
  input  wire        event_1,       // count in FRAMES_SEEN
  input  wire        event_2,       // count in FRAMES_OTHER
  input  wire        event_3,       // count in FRAMES_TRUNCATED
  input  wire        event_4,       // count in FRAMES_MALFORMED
  input  wire        event_5,       // count in FRAMES_TOO_DEEP
  input  wire        event_6,       // count in FRAMES_OVERSIZE
  input  wire        event_7,       // count in FRAMES_BAD
  input  wire        event_8,       // count in OVERFLOWS
  input  wire        event_9,       // count in DROPPED
  input  wire        event_10,      // count in MARKED
  input  wire        finished,      // what is pending is done
  output wire        value_0,       // register LEARN
  output wire [15:0] value_1,       // register MAX_FRAME
  output wire [13:0] value_2,       // register POLICY_UNSEEN
  output wire [13:0] value_3,       // register POLICY_SEEN
  output wire [13:0] value_4,       // register POLICY_OTHER
  output wire [13:0] value_5,       // register POLICY_TRUNCATED
  output wire [13:0] value_6,       // register POLICY_MALFORMED
  output wire [13:0] value_7,       // register POLICY_TOO_DEEP
  output wire [13:0] value_8,       // register POLICY_OVERSIZE
  output wire [13:0] value_9,       // register POLICY_BAD
  output wire        clear_pending, // a clear was written and is not done
  output wire        write_pending  // a clear was written and is not done
);
  localparam [3:0]  number_0        = 4'd0;
  localparam [3:0]  number_1        = 4'd1;
  localparam [3:0]  number_2        = 4'd2;
  localparam [3:0]  number_3        = 4'd3;
  localparam [3:0]  number_4        = 4'd4;
  localparam [3:0]  number_5        = 4'd5;
  localparam [3:0]  number_6        = 4'd6;
  localparam [3:0]  number_7        = 4'd7;
  localparam [3:0]  number_8        = 4'd8;
  localparam [3:0]  number_9        = 4'd9;
  localparam [3:0]  number_10       = 4'd10;
  localparam [5:0]  fixed_address_0 = 6'd0;
  localparam [5:0]  fixed_address_1 = 6'd1;
  localparam [31:0] fixed_value_0   = 32'ha;
  localparam [31:0] fixed_value_1   = 32'd1;
  localparam [5:0]  live_address_0  = 6'd2;
  localparam [5:0]  value_address_0 = 6'd3;
  localparam [5:0]  value_address_1 = 6'd4;
  localparam [5:0]  value_address_2 = 6'd8;
  localparam [5:0]  value_address_3 = 6'd9;
  localparam [5:0]  value_address_4 = 6'd10;
  localparam [5:0]  value_address_5 = 6'd11;
  localparam [5:0]  value_address_6 = 6'd12;
  localparam [5:0]  value_address_7 = 6'd13;
  localparam [5:0]  value_address_8 = 6'd14;
  localparam [5:0]  value_address_9 = 6'd15;
  localparam        value_reset_0   = 1'b1;           // LEARN after reset
  localparam [15:0] value_reset_1   = 16'h5ee;        // MAX_FRAME after reset
  localparam [13:0] value_reset_2   = 14'h802;        // POLICY_UNSEEN after reset
  localparam [13:0] value_reset_3   = 14'd0;          // POLICY_SEEN after reset
  localparam [13:0] value_reset_4   = 14'd0;          // POLICY_OTHER after reset
  localparam [13:0] value_reset_5   = 14'd1;          // POLICY_TRUNCATED after reset
  localparam [13:0] value_reset_6   = 14'd1;          // POLICY_MALFORMED after reset
  localparam [13:0] value_reset_7   = 14'd0;          // POLICY_TOO_DEEP after reset
  localparam [13:0] value_reset_8   = 14'd1;          // POLICY_OVERSIZE after reset
  localparam [13:0] value_reset_9   = 14'd1;          // POLICY_BAD after reset
  localparam [5:0]  low_address_0   = 6'd16;
  localparam [5:0]  low_address_1   = 6'd18;
  localparam [5:0]  low_address_2   = 6'd20;
  localparam [5:0]  low_address_3   = 6'd22;
  localparam [5:0]  low_address_4   = 6'd24;
  localparam [5:0]  low_address_5   = 6'd26;
  localparam [5:0]  low_address_6   = 6'd28;
  localparam [5:0]  low_address_7   = 6'd30;
  localparam [5:0]  low_address_8   = 6'd32;
  localparam [5:0]  low_address_9   = 6'd34;
  localparam [5:0]  low_address_10  = 6'd36;
  localparam [3:0]  no_number       = 4'd0;
  localparam [5:0]  high_address_0  = 6'd17;
  localparam [5:0]  high_address_1  = 6'd19;
  localparam [5:0]  high_address_2  = 6'd21;
  localparam [5:0]  high_address_3  = 6'd23;
  localparam [5:0]  high_address_4  = 6'd25;
  localparam [5:0]  high_address_5  = 6'd27;
  localparam [5:0]  high_address_6  = 6'd29;
  localparam [5:0]  high_address_7  = 6'd31;
  localparam [5:0]  high_address_8  = 6'd33;
  localparam [5:0]  high_address_9  = 6'd35;
  localparam [5:0]  high_address_10 = 6'd37;
  localparam [63:0] mapped_words    = 64'h3fffffff1f; // bit w: there is a register at word w
  localparam [63:0] writable_words  = 64'hff18;       // bit w: that a host may write
  localparam        commands        = 1'b1;           // bits of CONTROL that command something
  localparam        clears          = 1'b1;           // those that clear
  localparam [13:0] kept            = 14'h3f03;       // bits that are kept
  localparam [1:0]  okay            = 2'd0;
  localparam [1:0]  slave_error     = 2'd2;
  localparam [1:0]  decode_error    = 2'd3;
  localparam [31:0] zero            = 32'd0;

  reg        value_r_0;
  reg [15:0] value_r_1;
  reg [13:0] value_r_2;
  reg [13:0] value_r_3;
  reg [13:0] value_r_4;
  reg [13:0] value_r_5;
  reg [13:0] value_r_6;
  reg [13:0] value_r_7;
  reg [13:0] value_r_8;
  reg [13:0] value_r_9;
  reg        clear_r;
  reg        pending_r;
  reg        seen;            // a write is judged
  reg        taking;          // it is taken
  reg        known;           // there is a register at its address
  reg        legal_r;         // it is done
  reg        bvalid_r;
  reg [1:0]  bresp_r;
  reg        mapped_r;
  reg        to_control_r;
  reg        to_value_r_0;
  reg        to_value_r_1;
  reg        to_value_r_2;
  reg        to_value_r_3;
  reg        to_value_r_4;
  reg        to_value_r_5;
  reg        to_value_r_6;
  reg        to_value_r_7;
  reg        to_value_r_8;
  reg        to_value_r_9;
  reg        unwritable_r;
  reg        control_wide;    // the data are wider than CONTROL
  reg        value_wide_0;    // wider than LEARN
  reg        value_wide_1;    // wider than MAX_FRAME
  reg        value_wide_2;    // wider than POLICY_UNSEEN
  reg        value_wide_3;    // wider than POLICY_SEEN
  reg        value_wide_4;    // wider than POLICY_OTHER
  reg        value_wide_5;    // wider than POLICY_TRUNCATED
  reg        value_wide_6;    // wider than POLICY_MALFORMED
  reg        value_wide_7;    // wider than POLICY_TOO_DEEP
  reg        value_wide_8;    // wider than POLICY_OVERSIZE
  reg        value_wide_9;    // wider than POLICY_BAD
  reg        resting;         // no read is under way
  reg        reading;
  reg        sampling;
  reg        merging;
  reg        fixed_hit_0;
  reg        fixed_hit_1;
  reg        live_hit_0;
  reg        value_hit_0;
  reg        value_hit_1;
  reg        value_hit_2;
  reg        value_hit_3;
  reg        value_hit_4;
  reg        value_hit_5;
  reg        value_hit_6;
  reg        value_hit_7;
  reg        value_hit_8;
  reg        value_hit_9;
  reg        low_hit;
  reg        low_hit_late;
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
  wire        to_value_0;
  wire        to_value_1;
  wire        to_value_2;
  wire        to_value_3;
  wire        to_value_4;
  wire        to_value_5;
  wire        to_value_6;
  wire        to_value_7;
  wire        to_value_8;
  wire        to_value_9;
  wire        command;
  wire        commanded;
  wire        writable;
  reg         too_wide;
  wire        refused;
  wire        legal;
  wire        offered;          // an address is valid, and no read is under way
  wire        beginning;        // it is taken
  wire        answering;        // there is an answer in the next clock
  wire [5:0]  read_word;
  wire        held;
  reg  [3:0]  which;            // the counter at the address
  reg         to_low;
  reg         high_sampled;
  reg         to_high;
  reg  [31:0] fixed_group;
  reg  [31:0] live_group;
  reg  [31:0] counter_group;
  reg  [31:0] high_in;
  reg  [31:0] counter_high_now;
  reg         found;
  wire [31:0] counters_low;
  wire [31:0] counters_high;

  event_counters counters (
    .clock    (clock),
    .reset    (reset),
    .event_0  (event_0),
    .event_1  (event_1),
    .event_2  (event_2),
    .event_3  (event_3),
    .event_4  (event_4),
    .event_5  (event_5),
    .event_6  (event_6),
    .event_7  (event_7),
    .event_8  (event_8),
    .event_9  (event_9),
    .event_10 (event_10),
    .read     (offered),
    .which    (which),
    .low      (counters_low),
    .high     (counters_high)
  );

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_control = 1'b0;

  // decoded while the address waits to be taken; AXI holds it and the data until then
  assign writable = writable_words[write_word];
  assign to_value_0 = write_word == value_address_0;
  assign to_value_1 = write_word == value_address_1;
  assign to_value_2 = write_word == value_address_2;
  assign to_value_3 = write_word == value_address_3;
  assign to_value_4 = write_word == value_address_4;
  assign to_value_5 = write_word == value_address_5;
  assign to_value_6 = write_word == value_address_6;
  assign to_value_7 = write_word == value_address_7;
  assign to_value_8 = write_word == value_address_8;
  assign to_value_9 = write_word == value_address_9;
  assign mapped = mapped_words[write_word];
  assign refused = unwritable_r || too_wide;
  assign legal = legal_r;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign command = wdata[0] & commands;
  assign commanded = legal && to_control_r && command;
  assign value_0 = value_r_0;
  assign value_1 = value_r_1;
  assign value_2 = value_r_2;
  assign value_3 = value_r_3;
  assign value_4 = value_r_4;
  assign value_5 = value_r_5;
  assign value_6 = value_r_6;
  assign value_7 = value_r_7;
  assign value_8 = value_r_8;
  assign value_9 = value_r_9;
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
    value_r_0 = 1'b1;
    value_r_1 = 16'h5ee;
    value_r_2 = 14'h802;
    value_r_3 = 14'd0;
    value_r_4 = 14'd0;
    value_r_5 = 14'd1;
    value_r_6 = 14'd1;
    value_r_7 = 14'd0;
    value_r_8 = 14'd1;
    value_r_9 = 14'd1;
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
    to_value_r_0 = 1'b0;
    to_value_r_1 = 1'b0;
    to_value_r_2 = 1'b0;
    to_value_r_3 = 1'b0;
    to_value_r_4 = 1'b0;
    to_value_r_5 = 1'b0;
    to_value_r_6 = 1'b0;
    to_value_r_7 = 1'b0;
    to_value_r_8 = 1'b0;
    to_value_r_9 = 1'b0;
    unwritable_r = 1'b0;
    control_wide = 1'b0;
    value_wide_0 = 1'b0;
    value_wide_1 = 1'b0;
    value_wide_2 = 1'b0;
    value_wide_3 = 1'b0;
    value_wide_4 = 1'b0;
    value_wide_5 = 1'b0;
    value_wide_6 = 1'b0;
    value_wide_7 = 1'b0;
    value_wide_8 = 1'b0;
    value_wide_9 = 1'b0;
    resting = 1'b1;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    live_hit_0 = 1'b0;
    value_hit_0 = 1'b0;
    value_hit_1 = 1'b0;
    value_hit_2 = 1'b0;
    value_hit_3 = 1'b0;
    value_hit_4 = 1'b0;
    value_hit_5 = 1'b0;
    value_hit_6 = 1'b0;
    value_hit_7 = 1'b0;
    value_hit_8 = 1'b0;
    value_hit_9 = 1'b0;
    low_hit = 1'b0;
    low_hit_late = 1'b0;
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
    too_wide = to_control_r && control_wide;
    too_wide = too_wide || (to_value_r_0 && value_wide_0);
    too_wide = too_wide || (to_value_r_1 && value_wide_1);
    too_wide = too_wide || (to_value_r_2 && value_wide_2);
    too_wide = too_wide || (to_value_r_3 && value_wide_3);
    too_wide = too_wide || (to_value_r_4 && value_wide_4);
    too_wide = too_wide || (to_value_r_5 && value_wide_5);
    too_wide = too_wide || (to_value_r_6 && value_wide_6);
    too_wide = too_wide || (to_value_r_7 && value_wide_7);
    too_wide = too_wide || (to_value_r_8 && value_wide_8);
    too_wide = too_wide || (to_value_r_9 && value_wide_9);
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
    if (live_hit_0) begin
      live_group = live_group | {21'd0, live_0};
      found = 1'b1;
    end
    if (value_hit_0) begin
      live_group = live_group | {31'd0, value_r_0};
      found = 1'b1;
    end
    if (value_hit_1) begin
      live_group = live_group | {16'd0, value_r_1};
      found = 1'b1;
    end
    if (value_hit_2) begin
      live_group = live_group | {18'd0, value_r_2};
      found = 1'b1;
    end
    if (value_hit_3) begin
      live_group = live_group | {18'd0, value_r_3};
      found = 1'b1;
    end
    if (value_hit_4) begin
      live_group = live_group | {18'd0, value_r_4};
      found = 1'b1;
    end
    if (value_hit_5) begin
      live_group = live_group | {18'd0, value_r_5};
      found = 1'b1;
    end
    if (value_hit_6) begin
      live_group = live_group | {18'd0, value_r_6};
      found = 1'b1;
    end
    if (value_hit_7) begin
      live_group = live_group | {18'd0, value_r_7};
      found = 1'b1;
    end
    if (value_hit_8) begin
      live_group = live_group | {18'd0, value_r_8};
      found = 1'b1;
    end
    if (value_hit_9) begin
      live_group = live_group | {18'd0, value_r_9};
      found = 1'b1;
    end
    if (low_hit) begin
      counter_group = counter_group | counters_low;
      found = 1'b1;
    end
    if (high_hit) begin
      live_group = live_group | high_sample;
      found = 1'b1;
    end
  end

  always @* begin
    which = no_number;
    to_low = 1'b0;
    if (read_word == low_address_0) begin
      which = which | number_0;
      to_low = 1'b1;
    end
    if (read_word == low_address_1) begin
      which = which | number_1;
      to_low = 1'b1;
    end
    if (read_word == low_address_2) begin
      which = which | number_2;
      to_low = 1'b1;
    end
    if (read_word == low_address_3) begin
      which = which | number_3;
      to_low = 1'b1;
    end
    if (read_word == low_address_4) begin
      which = which | number_4;
      to_low = 1'b1;
    end
    if (read_word == low_address_5) begin
      which = which | number_5;
      to_low = 1'b1;
    end
    if (read_word == low_address_6) begin
      which = which | number_6;
      to_low = 1'b1;
    end
    if (read_word == low_address_7) begin
      which = which | number_7;
      to_low = 1'b1;
    end
    if (read_word == low_address_8) begin
      which = which | number_8;
      to_low = 1'b1;
    end
    if (read_word == low_address_9) begin
      which = which | number_9;
      to_low = 1'b1;
    end
    if (read_word == low_address_10) begin
      which = which | number_10;
      to_low = 1'b1;
    end
  end

  always @* begin
    high_sampled = 1'b0;
    counter_high_now = zero;
    if (low_hit_late) begin
      high_sampled = 1'b1;
      counter_high_now = counters_high;
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
  end

  always @(posedge clock) begin
    // write
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !pending_r && !reset;
    taking <= seen && !reset;
    control_wide <= |wdata;
    value_wide_0 <= |(wdata >> 1);
    value_wide_1 <= |(wdata >> 16);
    value_wide_2 <= |(wdata >> 14);
    value_wide_3 <= |(wdata >> 14);
    value_wide_4 <= |(wdata >> 14);
    value_wide_5 <= |(wdata >> 14);
    value_wide_6 <= |(wdata >> 14);
    value_wide_7 <= |(wdata >> 14);
    value_wide_8 <= |(wdata >> 14);
    value_wide_9 <= |(wdata >> 14);
    mapped_r <= mapped;
    to_control_r <= to_control;
    unwritable_r <= !(&wstrb) || !writable;
    to_value_r_0 <= to_value_0;
    to_value_r_1 <= to_value_1;
    to_value_r_2 <= to_value_2;
    to_value_r_3 <= to_value_3;
    to_value_r_4 <= to_value_4;
    to_value_r_5 <= to_value_5;
    to_value_r_6 <= to_value_6;
    to_value_r_7 <= to_value_7;
    to_value_r_8 <= to_value_8;
    to_value_r_9 <= to_value_9;

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
    if (legal && to_value_r_0) begin
      value_r_0 <= wdata[0];
    end
    if (legal && to_value_r_1) begin
      value_r_1 <= wdata[15:0];
    end
    if (legal && to_value_r_2) begin
      value_r_2 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_3) begin
      value_r_3 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_4) begin
      value_r_4 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_5) begin
      value_r_5 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_6) begin
      value_r_6 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_7) begin
      value_r_7 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_8) begin
      value_r_8 <= wdata[13:0] & kept;
    end
    if (legal && to_value_r_9) begin
      value_r_9 <= wdata[13:0] & kept;
    end
    reading <= beginning;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    live_hit_0 <= read_word == live_address_0;
    value_hit_0 <= read_word == value_address_0;
    value_hit_1 <= read_word == value_address_1;
    value_hit_2 <= read_word == value_address_2;
    value_hit_3 <= read_word == value_address_3;
    value_hit_4 <= read_word == value_address_4;
    value_hit_5 <= read_word == value_address_5;
    value_hit_6 <= read_word == value_address_6;
    value_hit_7 <= read_word == value_address_7;
    value_hit_8 <= read_word == value_address_8;
    value_hit_9 <= read_word == value_address_9;
    low_hit <= to_low;
    low_hit_late <= low_hit && sampling;
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
      value_r_0 <= value_reset_0;
      value_r_1 <= value_reset_1;
      value_r_2 <= value_reset_2;
      value_r_3 <= value_reset_3;
      value_r_4 <= value_reset_4;
      value_r_5 <= value_reset_5;
      value_r_6 <= value_reset_6;
      value_r_7 <= value_reset_7;
      value_r_8 <= value_reset_8;
      value_r_9 <= value_reset_9;
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
