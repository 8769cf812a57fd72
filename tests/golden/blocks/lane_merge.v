// Items of two lanes in turn to one card; verdicts back by their tags. Contract: linecard.md.
module lane_merge (
  input  wire         clock,
  input  wire         reset,            // lane 0 is asked; no item and no verdict waits
  input  wire         item_0_tvalid,    // items of lane 0
  output wire         item_0_tready,
  input  wire [103:0] item_0_tdata,     // key
  input  wire [1:0]   item_0_tuser,     // operation
  input  wire         item_1_tvalid,    // items of lane 1
  output wire         item_1_tready,
  input  wire [103:0] item_1_tdata,
  input  wire [1:0]   item_1_tuser,
  output wire         verdict_0_tvalid, // verdicts for lane 0
  input  wire         verdict_0_tready,
  output wire         verdict_0_seen,   // bit 0 of the verdict
  output wire         verdict_1_tvalid, // verdicts for lane 1
  input  wire         verdict_1_tready,
  output wire         verdict_1_seen,
  output wire         item_tvalid,      // items to the card
  input  wire         item_tready,
  output wire [103:0] item_tdata,
  output wire [1:0]   item_tuser,
  output wire [15:0]  item_tid,         // lane of the item
  input  wire         verdict_tvalid,   // verdicts from it
  output wire         verdict_tready,   // always: there is a place for each that may come
  input  wire [15:0]  verdict_tid,      // lane of the item
  input  wire         verdict_seen,
  output wire [1:0]   item_taken,       // bit i: the card took an item of lane i a clock ago
  output wire [1:0]   item_seen         // bit i: a verdict for lane i came a clock ago, and its bit 0 was 1
);
  reg         lane;      // lane that is asked for an item
  reg         waits;     // an item waits for the card
  reg         ask_0;     // lane 0 is asked, and no item waits
  reg         ask_1;     // lane 1 is asked, and no item waits
  reg         from;      // lane of that item
  reg [103:0] key;       // its key
  reg [1:0]   operation; // its operation
  reg         taken_0;
  reg         taken_1;
  reg         seen_0;
  reg         seen_1;

  reg  offered;                   // the lane that is asked has an item
  reg  waiting;                   // waits of the next clock
  reg  asked;                     // lane of the next clock
  wire goes;                      // the card takes the item that waits
  wire to_lane;                   // lane of the verdict
  wire verdicts_verdict_0_tvalid;
  wire verdicts_verdict_0_seen;
  wire verdicts_verdict_1_tvalid;
  wire verdicts_verdict_1_seen;

  lane_verdicts verdicts (
    .clock            (clock),
    .reset            (reset),
    .push             (verdict_tvalid),
    .lane             (to_lane),
    .seen             (verdict_seen),
    .verdict_0_tvalid (verdicts_verdict_0_tvalid),
    .verdict_0_tready (verdict_0_tready),
    .verdict_0_seen   (verdicts_verdict_0_seen),
    .verdict_1_tvalid (verdicts_verdict_1_tvalid),
    .verdict_1_tready (verdict_1_tready),
    .verdict_1_seen   (verdicts_verdict_1_seen)
  );

  // the lanes are asked in turn while no item waits
  assign item_0_tready = ask_0;
  assign item_1_tready = ask_1;
  assign goes = waits && item_tready;
  assign item_tvalid = waits;
  assign item_tdata = key;
  assign item_tuser = operation;
  assign item_tid = {15'd0, from};

  // a verdict has its place: no more are under way than frames wait
  assign verdict_tready = 1'b1;
  assign to_lane = verdict_tid[0];
  assign verdict_0_tvalid = verdicts_verdict_0_tvalid;
  assign verdict_0_seen = verdicts_verdict_0_seen;
  assign verdict_1_tvalid = verdicts_verdict_1_tvalid;
  assign verdict_1_seen = verdicts_verdict_1_seen;
  assign item_taken = {taken_1, taken_0};
  assign item_seen = {seen_1, seen_0};

  initial begin
    lane = 1'b0;
    waits = 1'b0;
    ask_0 = 1'b1;
    ask_1 = 1'b0;
    from = 1'b0;
    key = 104'd0;
    operation = 2'd0;
    taken_0 = 1'b0;
    taken_1 = 1'b0;
    seen_0 = 1'b0;
    seen_1 = 1'b0;
  end

  always @* begin
    offered = item_0_tvalid;
    if (lane) begin
      offered = item_1_tvalid;
    end
  end

  always @* begin
    waiting = offered;
    asked = !lane;
    if (waits) begin
      waiting = !item_tready;
      asked = lane;
    end
  end

  always @(posedge clock) begin
    waits <= waiting;
    lane <= asked;
    ask_0 <= !waiting && !asked;
    ask_1 <= !waiting && asked;
    if (!waits) begin
      from <= lane;
      key <= item_0_tdata;
      operation <= item_0_tuser;
      if (lane) begin
        key <= item_1_tdata;
        operation <= item_1_tuser;
      end
    end

    // for lamps
    taken_0 <= goes && !from;
    taken_1 <= goes && from;
    seen_0 <= verdict_tvalid && verdict_seen && !to_lane;
    seen_1 <= verdict_tvalid && verdict_seen && to_lane;
    if (reset) begin
      lane <= 1'b0;
      waits <= 1'b0;
      ask_0 <= 1'b1;
      ask_1 <= 1'b0;
      taken_0 <= 1'b0;
      taken_1 <= 1'b0;
      seen_0 <= 1'b0;
      seen_1 <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, verdict_tid[15:1]};
endmodule
