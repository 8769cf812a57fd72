// AXI4-Lite registers of the item port. The register map is in registers.md.
// Operation and key refuse writes while an item is not done.
module item_registers (
  input  wire         clock,
  input  wire         reset,     // all 0
  input  wire         awvalid,
  output wire         awready,
  input  wire [7:0]   awaddr,
  input  wire         wvalid,
  output wire         wready,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  output wire         bvalid,
  input  wire         bready,
  output wire [1:0]   bresp,
  input  wire         arvalid,
  output wire         arready,
  input  wire [7:0]   araddr,
  output wire         rvalid,
  input  wire         rready,
  output wire [31:0]  rdata,
  output wire [1:0]   rresp,
  input  wire         busy,      // an item is not done
  input  wire [31:0]  live_0,    // register ITEM_RESULT
  output wire [1:0]   operation, // register ITEM_OPERATION
  output wire [103:0] key,       // registers ITEM_KEY
  output wire         offered    // the highest word of the key is being written
);
  localparam [5:0]   fixed_address_0   = 6'd0;
  localparam [5:0]   fixed_address_1   = 6'd1;
  localparam [5:0]   fixed_address_2   = 6'd2;
  localparam [31:0]  fixed_value_0     = 32'd9;
  localparam [31:0]  fixed_value_1     = 32'd1;
  localparam [31:0]  fixed_value_2     = 32'd0;
  localparam [5:0]   live_address_0    = 6'd4;
  localparam [5:0]   operation_address = 6'd7;
  localparam [5:0]   key_address_0     = 6'd8;
  localparam [5:0]   key_address_1     = 6'd9;
  localparam [5:0]   key_address_2     = 6'd10;
  localparam [5:0]   key_address_3     = 6'd11;
  localparam [103:0] key_keep_0        = 104'hffffffffffffffffff00000000; // the other words
  localparam [103:0] key_keep_1        = 104'hffffffffff00000000ffffffff; // the other words
  localparam [103:0] key_keep_2        = 104'hff00000000ffffffffffffffff; // the other words
  localparam [103:0] key_keep_3        = 104'hffffffffffffffffffffffff;   // the other words
  localparam [1:0]   no_operation      = 2'd0;
  localparam [103:0] no_key            = 104'd0;
  localparam [3:0]   no_word           = 4'd0;
  localparam [1:0]   okay              = 2'd0;
  localparam [1:0]   slave_error       = 2'd2;
  localparam [1:0]   decode_error      = 2'd3;
  localparam [31:0]  zero              = 32'd0;

  reg [1:0]   operation_r;
  reg [103:0] key_r;
  reg         seen;           // a write is judged
  reg         taking;         // it is taken
  reg         known;          // there is a register at its address
  reg         unfit;          // it is no legal one
  reg         bvalid_r;
  reg [1:0]   bresp_r;
  reg         to_operation_r;
  reg [3:0]   to_key_r;
  reg         mapped_r;
  reg         unwritable_r;   // read only, or in part
  reg         operation_wide; // the data are wider than ITEM_OPERATION
  reg         last_wide;      // wider than the highest word of the key
  reg         reading;
  reg         sampling;
  reg         merging;
  reg         fixed_hit_0;
  reg         fixed_hit_1;
  reg         fixed_hit_2;
  reg         live_hit_0;
  reg         operation_hit;
  reg         key_hit_0;
  reg         key_hit_1;
  reg         key_hit_2;
  reg         key_hit_3;
  reg [31:0]  sample_r;
  reg         found_r;
  reg         rvalid_r;
  reg [31:0]  rdata_r;
  reg [1:0]   rresp_r;

  wire [5:0]   write_word;
  wire         to_operation;
  reg  [3:0]   to_key;
  reg          mapped;
  reg          read_only;
  reg          too_wide;
  wire         refused;
  wire         acts;
  wire [103:0] written;
  wire [5:0]   read_word;
  reg  [31:0]  sample;
  reg          found;

  assign awready = taking;
  assign wready = taking;
  assign write_word = awaddr[7:2];
  assign to_operation = write_word == operation_address;
  assign refused = unfit || busy;
  assign bvalid = bvalid_r;
  assign bresp = bresp_r;
  assign acts = taking && !refused;
  assign operation = operation_r;
  assign written = {72'd0, wdata};
  assign offered = acts && to_key_r[3];
  assign key = key_r;
  assign arready = reading;
  assign read_word = araddr[7:2];
  assign rvalid = rvalid_r;
  assign rdata = rdata_r;
  assign rresp = rresp_r;

  initial begin
    operation_r = 2'd0;
    key_r = 104'd0;
    seen = 1'b0;
    taking = 1'b0;
    known = 1'b0;
    unfit = 1'b0;
    bvalid_r = 1'b0;
    bresp_r = 2'd0;
    to_operation_r = 1'b0;
    to_key_r = 4'd0;
    mapped_r = 1'b0;
    unwritable_r = 1'b0;
    operation_wide = 1'b0;
    last_wide = 1'b0;
    reading = 1'b0;
    sampling = 1'b0;
    merging = 1'b0;
    fixed_hit_0 = 1'b0;
    fixed_hit_1 = 1'b0;
    fixed_hit_2 = 1'b0;
    live_hit_0 = 1'b0;
    operation_hit = 1'b0;
    key_hit_0 = 1'b0;
    key_hit_1 = 1'b0;
    key_hit_2 = 1'b0;
    key_hit_3 = 1'b0;
    sample_r = 32'd0;
    found_r = 1'b0;
    rvalid_r = 1'b0;
    rdata_r = 32'd0;
    rresp_r = 2'd0;
  end

  always @* begin
    to_key = no_word;
    mapped = to_operation;
    read_only = !to_operation;
    if (write_word == key_address_0) begin
      to_key[0] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == key_address_1) begin
      to_key[1] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == key_address_2) begin
      to_key[2] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == key_address_3) begin
      to_key[3] = 1'b1;
      mapped = 1'b1;
      read_only = 1'b0;
    end
    if (write_word == fixed_address_0) begin
      mapped = 1'b1;
    end
    if (write_word == fixed_address_1) begin
      mapped = 1'b1;
    end
    if (write_word == fixed_address_2) begin
      mapped = 1'b1;
    end
    if (write_word == live_address_0) begin
      mapped = 1'b1;
    end
  end

  always @* begin
    too_wide = to_operation_r && operation_wide;
    too_wide = too_wide || (to_key_r[3] && last_wide);
  end

  always @* begin
    sample = zero;
    found = 1'b0;
    if (fixed_hit_0) begin
      sample = sample | fixed_value_0;
      found = 1'b1;
    end
    if (fixed_hit_1) begin
      sample = sample | fixed_value_1;
      found = 1'b1;
    end
    if (fixed_hit_2) begin
      sample = sample | fixed_value_2;
      found = 1'b1;
    end
    if (live_hit_0) begin
      sample = sample | live_0;
      found = 1'b1;
    end
    if (operation_hit) begin
      sample = sample | {30'd0, operation_r};
      found = 1'b1;
    end
    if (key_hit_0) begin
      sample = sample | key_r[31:0];
      found = 1'b1;
    end
    if (key_hit_1) begin
      sample = sample | key_r[63:32];
      found = 1'b1;
    end
    if (key_hit_2) begin
      sample = sample | key_r[95:64];
      found = 1'b1;
    end
    if (key_hit_3) begin
      sample = sample | {24'd0, key_r[103:96]};
      found = 1'b1;
    end
  end

  always @(posedge clock) begin
    // write: decoded while the address waits to be taken; AXI holds it until then
    seen <= awvalid && wvalid && !seen && !taking && !bvalid_r && !reset;
    taking <= seen && !reset;
    to_operation_r <= to_operation;
    to_key_r <= to_key;
    mapped_r <= mapped;
    unwritable_r <= read_only || !(&wstrb);
    operation_wide <= |(wdata >> 2);
    last_wide <= |(wdata >> 8);

    // judged in the clock behind
    known <= mapped_r;
    unfit <= unwritable_r || too_wide;
    bvalid_r <= taking || (bvalid_r && !bready);
    if (taking) begin
      bresp_r <= okay;
      if (!known) begin
        bresp_r <= decode_error;
      end else if (refused) begin
        bresp_r <= slave_error;
      end
    end
    if (acts && to_operation_r) begin
      operation_r <= wdata[1:0];
    end
    if (acts && to_key_r[0]) begin
      key_r <= (key_r & key_keep_0) | written;
    end
    if (acts && to_key_r[1]) begin
      key_r <= (key_r & key_keep_1) | (written << 32);
    end
    if (acts && to_key_r[2]) begin
      key_r <= (key_r & key_keep_2) | (written << 64);
    end
    if (acts && to_key_r[3]) begin
      key_r <= (key_r & key_keep_3) | (written << 96);
    end

    // read: address taken, registers sampled, answer
    reading <= arvalid && !reading && !sampling && !merging && !rvalid_r && !reset;
    sampling <= reading && !reset;
    merging <= sampling && !reset;
    fixed_hit_0 <= read_word == fixed_address_0;
    fixed_hit_1 <= read_word == fixed_address_1;
    fixed_hit_2 <= read_word == fixed_address_2;
    live_hit_0 <= read_word == live_address_0;
    operation_hit <= read_word == operation_address;
    key_hit_0 <= read_word == key_address_0;
    key_hit_1 <= read_word == key_address_1;
    key_hit_2 <= read_word == key_address_2;
    key_hit_3 <= read_word == key_address_3;
    sample_r <= sample;
    found_r <= found;
    rvalid_r <= merging || (rvalid_r && !rready);
    if (merging) begin
      rdata_r <= sample_r;
      rresp_r <= okay;
      if (!found_r) begin
        rresp_r <= decode_error;
      end
    end
    if (reset) begin
      operation_r <= no_operation;
      key_r <= no_key;
      bvalid_r <= 1'b0;
      rvalid_r <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule
