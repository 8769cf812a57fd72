// Does a cell match the slot in stage 6, and is it empty to it? What the slots ahead write since the cell was read counts.
module lane_flags (
  input  wire       clock,
  input  wire       equal,       // stage 3: the cell bears the slot's fingerprint
  input  wire [4:0] age,         // stage 3: generations since the cell's
  input  wire       taken,       // the slot in stage 7 writes this lane
  input  wire       sets,        // it is an element; else a scan, which empties
  input  wire [4:0] same_bucket, // bit s: the slot in stage s + 1 holds its bucket
  input  wire [4:0] same_value,  // and bears its fingerprint
  input  wire       taking,      // the slot in stage 6 writes this lane
  input  wire       setting,     // it is an element
  input  wire       near_bucket, // the slot in stage 5 holds its bucket
  input  wire       near_value,  // and bears its fingerprint
  output wire       matching,    // stage 6: the cell matches
  output wire       empty        // stage 6: the cell is empty
);
  localparam [4:0] oldest = 5'd8; // age of the oldest live generation
  localparam [4:0] no_hit = 5'd0;

  reg       equal_4;
  reg       live_4;
  reg [2:0] touched; // stages 2 to 4: a slot ahead took the cell since
  reg [2:0] matched; // and left it with this slot's fingerprint
  reg [2:0] cleared; // and left it empty
  reg       match_5;
  reg       empty_5;
  reg       match_6;
  reg       empty_6;

  reg  [4:0] hit;
  wire [2:0] hit_early;
  reg  [4:0] value;
  reg        match_base;
  reg        empty_base;
  reg        match_mid;
  reg        empty_mid;

  assign hit_early = hit[2:0];
  assign matching = match_6;
  assign empty = empty_6;

  initial begin
    equal_4 = 1'b0;
    live_4 = 1'b0;
    touched = 3'd0;
    matched = 3'd0;
    cleared = 3'd0;
    match_5 = 1'b0;
    empty_5 = 1'b0;
    match_6 = 1'b0;
    empty_6 = 1'b0;
  end

  always @* begin
    // what the slot in stage 7 writes, for the slots in stages 1 to 5
    hit = no_hit;
    if (taken) begin
      hit = same_bucket;
    end
  end

  always @* begin
    value = no_hit;
    if (sets) begin
      value = same_value;
    end
  end

  always @* begin
    // stage 4 to 5: memory, unless touched
    match_base = equal_4 && live_4;
    empty_base = !live_4;
    if (touched[2]) begin
      match_base = matched[2];
      empty_base = cleared[2];
    end
  end

  always @* begin
    // stage 5 to 6: and what the slot in stage 6 decides in this clock
    match_mid = match_5;
    empty_mid = empty_5;
    if (hit[4]) begin
      match_mid = value[4];
      empty_mid = !sets;
    end
  end

  always @(posedge clock) begin
    equal_4 <= equal;
    live_4 <= age <= oldest;
    touched <= (touched << 1) | hit_early;
    matched <= ((matched << 1) & ~hit_early) | (hit_early & value[2:0]);
    cleared <= (cleared << 1) & ~hit_early;
    if (!sets) begin
      cleared <= (cleared << 1) | hit_early;
    end
    match_5 <= match_base;
    empty_5 <= empty_base;
    if (hit[3]) begin
      match_5 <= value[3];
      empty_5 <= !sets;
    end
    match_6 <= match_mid;
    empty_6 <= empty_mid;
    if (taking && near_bucket) begin
      match_6 <= setting && near_value;
      empty_6 <= !setting;
    end
  end
endmodule
