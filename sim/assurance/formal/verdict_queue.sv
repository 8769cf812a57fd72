// The verdict queue alone: order and data of any one item, nothing lost, nothing invented, no overflow under the credit rule.
//
// Assumed of the surroundings (and proved of the emitted filter by ports.sv, section STREAM): an item claims a place only if credit was there a
// clock earlier; a verdict is pushed only for an item that was claimed.
//
// observe queue_memory*: wire [`DEPTH_BITS-1:0] formal_address; wire [63:0] formal_data = entries[formal_address];
// observe verdict_queue: wire [`DEPTH_BITS:0] formal_used = used; wire [`DEPTH_BITS:0] formal_outstanding = outstanding;
// observe verdict_queue: wire formal_some = some; wire formal_single = single;
// observe verdict_queue: wire formal_claimed = claimed; wire formal_loaded = loaded; wire [63:0] formal_claimed_tag = claimed_tag;
// observe verdict_queue: wire [`DEPTH_BITS-1:0] formal_tag_in = tag_in; wire [`DEPTH_BITS-1:0] formal_verdict_in = verdict_in; wire [`DEPTH_BITS-1:0] formal_out = out;
module formal_verdict_queue (
  input wire clock,
  input wire reset,
  input wire claim,
  input wire [`TAG_BITS-1:0] tag,
  input wire push,
  input wire [`FLAG_BITS-1:0] flags,
  input wire ready,
  input wire choose // watch the item that is claimed now
);
  wire valid;
  wire [`FLAG_BITS-1:0] data;
  wire [`TAG_BITS-1:0] data_tag;
  wire credit;
  verdict_queue dut (
    .clock(clock), .reset(reset), .claim(claim), .tag(tag), .push(push), .flags(flags), .ready(ready),
    .valid(valid), .data(data), .data_tag(data_tag), .credit(credit)
  );
  (* hierconn *) wire [`DEPTH_BITS:0] \dut.formal_used ;
  (* hierconn *) wire [`DEPTH_BITS:0] \dut.formal_outstanding ;
  (* hierconn *) wire \dut.formal_some ;
  (* hierconn *) wire \dut.formal_single ;
  (* hierconn *) wire \dut.formal_claimed ;
  (* hierconn *) wire \dut.formal_loaded ;
  (* hierconn *) wire [63:0] \dut.formal_claimed_tag ;
  (* hierconn *) wire [`DEPTH_BITS-1:0] \dut.formal_tag_in ;
  (* hierconn *) wire [`DEPTH_BITS-1:0] \dut.formal_verdict_in ;
  (* hierconn *) wire [`DEPTH_BITS-1:0] \dut.formal_out ;
  (* hierconn *) wire [`DEPTH_BITS-1:0] \dut.tags.formal_address ;
  (* hierconn *) wire [`DEPTH_BITS-1:0] \dut.verdicts.formal_address ;
  (* hierconn *) wire [63:0] \dut.tags.formal_data ;
  (* hierconn *) wire [63:0] \dut.verdicts.formal_data ;

  // The surroundings.
  reg credit_before; initial credit_before = 1;
  reg [`DEPTH_BITS:0] undecided; initial undecided = 0; // claimed, verdict not yet pushed
  reg [`DEPTH_BITS:0] known; initial known = 0;         // pushed, beat not yet taken
  wire take = valid && ready;
  always @(posedge clock) begin
    credit_before <= credit;
    undecided <= reset ? 0 : undecided + claim - push;
    known <= reset ? 0 : known + push - take;
  end
  always @* begin
    assume (!claim || credit_before);
`ifdef BYPASS
    // The tag of a verdict that passes the queue by is in memory: it was claimed two clocks before, or earlier.
    assume (!push || undecided > dut.formal_claimed);
`else
    assume (!push || undecided != 0);
`endif
  end

  // One item, chosen when it claims its place.
  reg watching; initial watching = 0;
  reg has; initial has = 0; // its verdict was pushed
  reg [`TAG_BITS-1:0] its_tag;
  reg [`FLAG_BITS-1:0] its_flags;
  reg [`DEPTH_BITS:0] pushes_before; // pushes still to come before its own
  reg [`DEPTH_BITS:0] takes_before;  // beats still to be taken before its own
  wire start = choose && claim && !watching;
  wire own_push = watching && !has && push && pushes_before == 0;
  wire own_take = watching && take && takes_before == 0;
  always @(posedge clock) begin
    if (start) begin
      watching <= 1;
      has <= 0;
      its_tag <= tag;
      pushes_before <= undecided - push;
      takes_before <= undecided + known - take;
    end else begin
      if (watching && push && !has) pushes_before <= pushes_before - 1;
      if (watching && take) takes_before <= takes_before - 1;
      if (own_push) begin
        has <= 1;
        its_flags <= flags;
      end
      if (own_take) watching <= 0;
    end
    if (reset) watching <= 0;
  end
  reg waited; initial waited = 0;
  reg [`FLAG_BITS-1:0] old_data;
  reg [`TAG_BITS-1:0] old_tag;
  always @(posedge clock) begin
    waited <= valid && !ready && !reset;
    old_data <= data;
    old_tag <= data_tag;
  end

  always @* begin
    beat_is_its_own: assert (!own_take || (has && data == its_flags && data_tag == its_tag));
    beat_held: assert (!waited || (valid && data == old_data && data_tag == old_tag));
    beat_not_invented: assert (!valid || known != 0);
    never_full: assert (undecided + known - valid <= `DEPTH);
  end

  // What makes the induction go through.
  reg [`DEPTH_BITS-1:0] slot; // the watched item's place in the memories
  reg [`DEPTH_BITS-1:0] claims; initial claims = 0;
  reg [`DEPTH_BITS-1:0] takes; initial takes = 0;
  always @(posedge clock) begin
    if (start) slot <= claims;
    claims <= reset ? 0 : claims + claim;
    takes <= reset ? 0 : takes + take;
  end
  assign dut.tags.formal_address = slot;
  assign dut.verdicts.formal_address = slot;
  wire [`DEPTH_BITS:0] used = known - valid;
  wire [`DEPTH_BITS:0] inside = undecided + used;
  wire [`DEPTH_BITS-1:0] age = slot - dut.formal_out;
  always @* begin
    assert (known >= valid);
    assert (dut.formal_used == used);
    assert (dut.formal_some == (used != 0) && dut.formal_single == (used == 1));
    assert (dut.formal_outstanding + dut.formal_claimed == inside + dut.formal_loaded);
    assert (used <= inside && inside <= `DEPTH);
    assert (!credit_before || inside <= `DEPTH - 1);
    assert (!credit || inside <= `DEPTH - 2);
    assert (dut.formal_tag_in + dut.formal_claimed == claims);
    assert (dut.formal_out == takes + valid);
    assert (claims == dut.formal_out + inside[`DEPTH_BITS-1:0]);
    assert (inside != 0 || !dut.formal_claimed);
    assert (dut.formal_verdict_in == dut.formal_out + used[`DEPTH_BITS-1:0]);
    if (watching) begin
      if (valid && takes_before == 0) begin
        assert (has && data == its_flags && data_tag == its_tag);
      end else begin
        assert (takes_before == age + valid && age < inside);
        if (dut.formal_claimed && slot == dut.formal_tag_in) assert (dut.formal_claimed_tag == its_tag);
        else assert (dut.tags.formal_data == its_tag);
        assert (has == (age < used));
        if (has) assert (dut.verdicts.formal_data == its_flags);
        else assert (pushes_before + used == age);
      end
    end
  end
endmodule
