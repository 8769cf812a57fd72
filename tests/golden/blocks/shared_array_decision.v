// Folds the bits of an item's probes and decides whether it trips the recycle: threshold on bits set (RBF section III).
// room = what the active half may still take; an item that would take more trips.
module shared_array_decision (
  input  wire        clock,
  input  wire        reset,        // drops the item that is not decided
  input  wire        first,        // stage 5: the bits are those of an item's first probe
  input  wire        active_bit,   // stage i + 5: the probe's bit in the active half
  input  wire        frozen_bit_0, // stage i + 5: in the frozen half
  input  wire        repeated,     // stage i + 5: an earlier probe has the same position
  input  wire        inserting,    // the slot in stage D - 1 inserts
  input  wire        forced,       // the slot in stage D - 1 recycles in any case
  input  wire [15:0] room,         // room of the active half
  output wire        trip,         // the slot in stage D recycles
  output wire [2:0]  count,        // new bits of the slot in stage D
  output wire        in_active,    // stage D: every bit is set in the active half
  output wire        in_frozen_0   // stage D: in the frozen half
);
  localparam [2:0] no_count = 3'd0;

  reg       all_active;
  reg       all_frozen_0;
  reg [2:0] clear;
  reg       trip_r;
  reg [2:0] count_r;
  reg       in_active_r;
  reg       in_frozen_r_0;

  reg  [2:0] clear_before;
  wire       over;

  // the decision
  assign over = {13'd0, clear} > room;
  assign in_frozen_0 = in_frozen_r_0;
  assign trip = trip_r;
  assign count = count_r;
  assign in_active = in_active_r;

  initial begin
    all_active = 1'b0;
    all_frozen_0 = 1'b0;
    clear = 3'd0;
    trip_r = 1'b0;
    count_r = 3'd0;
    in_active_r = 1'b0;
    in_frozen_r_0 = 1'b0;
  end

  always @* begin
    clear_before = clear;
    if (first) begin
      clear_before = no_count;
    end
  end

  always @(posedge clock) begin
    // probes 0 to i, in stage i + 6
    all_active <= active_bit && (first || all_active);
    clear <= clear_before + {2'd0, !active_bit && !repeated};
    trip_r <= !reset && (forced || (inserting && over));
    count_r <= no_count;
    if (inserting && !reset) begin
      count_r <= clear;
    end
    in_active_r <= all_active;
    all_frozen_0 <= frozen_bit_0 && (first || all_frozen_0);
    in_frozen_r_0 <= all_frozen_0;
  end
endmodule
