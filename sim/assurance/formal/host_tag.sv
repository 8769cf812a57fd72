// An access of a host port that asks for tags: made only behind a tag that was compared and found right under a secret that is loaded, once a
// tag, and exactly as the message says of which the tag was computed.
//
// That the tag is SipHash-2-4 of the message is not proved here. Of the request handler it assumes that it starts an access only when none is
// made and the bus owes nothing; the check of the record behind a reset is over before a whole frame can be there.
//
// observe host_access: wire [1:0] formal_state = state; wire formal_requested = requested; wire formal_begins = begins;
// observe host_access: wire formal_tag_start = tags_0_start; wire formal_right = tags_0_done && tags_0_tag == {tag_high_0, tag_low_0} && !locked_0; wire [127:0] formal_message = mail_message_0;
// observe tagged_mailbox: wire formal_judging = judging; wire formal_ending = ending; wire [4:0] formal_at = at;
// observe request_tag: wire formal_active = busy || done_r;
module formal_host_tag (
  input wire clock,
  input wire reset,
  input wire start,
  input wire write,
  input wire [29:0] address,
  input wire [31:0] word,
  input wire [127:0] secret,
  input wire locked,
  input wire awready,
  input wire wready,
  input wire bvalid,
  input wire [1:0] bresp,
  input wire arready,
  input wire rvalid,
  input wire [31:0] rdata,
  input wire [1:0] rresp
);
  localparam [1:0] IDLE = 0, CHECK = 2, TAG = 3;
  wire stuck, awvalid, wvalid, arvalid;
  wire [10:0] awaddr, araddr;
  wire [31:0] wdata;
  host_access dut (
    .clock(clock), .reset(reset), .start(start), .write(write), .address(address), .word(word), .stuck(stuck),
    .secret_0(secret), .locked_0(locked),
    .awvalid(awvalid), .awready(awready), .awaddr(awaddr), .wvalid(wvalid), .wready(wready), .wdata(wdata),
    .bvalid(bvalid), .bresp(bresp), .arvalid(arvalid), .arready(arready), .araddr(araddr),
    .rvalid(rvalid), .rdata(rdata), .rresp(rresp)
  );
  (* hierconn *) wire [1:0] \dut.formal_state ;
  (* hierconn *) wire \dut.formal_requested ;
  (* hierconn *) wire \dut.formal_begins ;
  (* hierconn *) wire \dut.formal_tag_start ;
  (* hierconn *) wire \dut.formal_right ;
  (* hierconn *) wire [127:0] \dut.formal_message ;
  (* hierconn *) wire \dut.mail.formal_judging ;
  (* hierconn *) wire \dut.mail.formal_ending ;
  (* hierconn *) wire [4:0] \dut.mail.formal_at ;
  (* hierconn *) wire \dut.tags_0.formal_active ;

  // A tag was right, and no access was made for it yet.
  reg right; initial right = 0;
  reg [127:0] tagged; initial tagged = 0; // the message of which the last tag was computed
  reg [127:0] made; initial made = 0;     // that of the last access
  reg began; initial began = 0;
  reg was_stuck; initial was_stuck = 0;
  reg checking; initial checking = 1; // the clock before was one of a check
  always @(posedge clock) begin
    if (dut.formal_right) right <= 1;
    if (start || dut.formal_begins || reset) right <= 0;
    if (dut.formal_tag_start) tagged <= dut.formal_message;
    if (dut.formal_begins) made <= dut.formal_message;
    began <= dut.formal_begins && !reset;
    was_stuck <= stuck;
    checking <= dut.formal_state == CHECK && !reset;
  end

  always @(posedge clock) begin
    assume(!start || (dut.formal_state == IDLE && !stuck));

    // An access begins behind a right tag alone, once, and is that of the tag's message.
    assert(!dut.formal_begins || right);
    assert(!dut.formal_begins || dut.formal_message == tagged);
    // Nothing comes to the bus but by an access that began.
    assert(!stuck || was_stuck || began);
    assert(!(awvalid || wvalid || arvalid) || stuck);
    assert(!(awvalid || wvalid) || made[96]);
    assert(!arvalid || !made[96]);
    assert(!awvalid || awaddr == made[74:64]);
    assert(!arvalid || araddr == made[74:64]);
    assert(!awvalid && !arvalid || made[95:75] == 0);
    assert(!wvalid || wdata == made[63:32]);

    // A check runs from the first byte, whatever a reset cuts.
    assert(checking || dut.mail.formal_at == 1);

    // Invariants for the induction.
    assert(dut.tags_0.formal_active == (dut.formal_state == TAG));
    assert(dut.formal_state != TAG || dut.formal_message == tagged);
    assert(dut.formal_state != CHECK || !dut.formal_requested || (right && dut.formal_message == tagged));
    assert(!dut.mail.formal_judging || (dut.formal_state == CHECK && dut.formal_requested && dut.mail.formal_at == 18));
    assert(!dut.mail.formal_ending || (dut.formal_state == CHECK && !dut.formal_requested && dut.mail.formal_at == 16));
  end
endmodule
