// A card around its filter: the host's AXI4-Lite over filter and item port, and the item and verdict streams past the host's items. The filter is cut:
// it may do whatever `register-port`, `verdict-stream` and `verdict-queue` allow it, which is assumed here and proved there.
//
// observe item_port: wire formal_pending = pending; wire formal_grant = grant; wire formal_busy = busy;
// observe item_registers: wire [3:0] formal_read = {rvalid_r, merging, sampling, reading}; wire [2:0] formal_write = {bvalid_r, taking, seen};
// observe bus_split: wire formal_writing = writing; wire formal_reading = reading;
module formal_card (
  input wire clock,
  input wire reset,
  input wire s_item_tvalid,
  input wire [`KEY_BITS-1:0] s_item_tdata,
  input wire [`USER_BITS-1:0] s_item_tuser,
  input wire [`STREAM_TAG_BITS-1:0] s_item_tid,
  input wire m_verdict_tready,
  input wire s_axil_awvalid,
  input wire [8:0] s_axil_awaddr,
  input wire s_axil_wvalid,
  input wire [31:0] s_axil_wdata,
  input wire [3:0] s_axil_wstrb,
  input wire s_axil_bready,
  input wire s_axil_arvalid,
  input wire [8:0] s_axil_araddr,
  input wire s_axil_rready
);
  wire s_item_tready, m_verdict_tvalid;
  wire [`FLAG_BITS-1:0] m_verdict_tdata;
  wire [`STREAM_TAG_BITS-1:0] m_verdict_tid;
  wire s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid;
  wire [1:0] s_axil_bresp, s_axil_rresp;
  wire [31:0] s_axil_rdata;
  `DUT dut (
    .clock(clock), .reset(reset),
    .s_item_tvalid(s_item_tvalid), .s_item_tready(s_item_tready), .s_item_tdata(s_item_tdata), .s_item_tuser(s_item_tuser), .s_item_tid(s_item_tid),
    .m_verdict_tvalid(m_verdict_tvalid), .m_verdict_tready(m_verdict_tready), .m_verdict_tdata(m_verdict_tdata), .m_verdict_tid(m_verdict_tid),
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
    .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
    .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp)
  );
  // between card and filter
  (* hierconn *) wire \dut.filter_s_item_tready ;
  (* hierconn *) wire \dut.filter_m_verdict_tvalid ;
  (* hierconn *) wire [`FLAG_BITS-1:0] \dut.filter_m_verdict_tdata ;
  (* hierconn *) wire [`STREAM_TAG_BITS:0] \dut.filter_m_verdict_tid ;
  (* hierconn *) wire \dut.filter_s_axil_awready ;
  (* hierconn *) wire \dut.filter_s_axil_wready ;
  (* hierconn *) wire \dut.filter_s_axil_bvalid ;
  (* hierconn *) wire [1:0] \dut.filter_s_axil_bresp ;
  (* hierconn *) wire \dut.filter_s_axil_arready ;
  (* hierconn *) wire \dut.filter_s_axil_rvalid ;
  (* hierconn *) wire [31:0] \dut.filter_s_axil_rdata ;
  (* hierconn *) wire [1:0] \dut.filter_s_axil_rresp ;
  (* hierconn *) wire \dut.port_f_item_tvalid ;
  (* hierconn *) wire [`KEY_BITS-1:0] \dut.port_f_item_tdata ;
  (* hierconn *) wire [`USER_BITS-1:0] \dut.port_f_item_tuser ;
  (* hierconn *) wire [`STREAM_TAG_BITS:0] \dut.port_f_item_tid ;
  (* hierconn *) wire \dut.port_f_verdict_tready ;
  (* hierconn *) wire \dut.split_filter_awvalid ;
  (* hierconn *) wire \dut.split_filter_wvalid ;
  (* hierconn *) wire \dut.split_filter_arvalid ;
  (* hierconn *) wire \dut.split_port_arvalid ;
  (* hierconn *) wire \dut.port_bvalid ;
  (* hierconn *) wire \dut.port_rvalid ;
  (* hierconn *) wire \dut.port.formal_pending ;
  (* hierconn *) wire \dut.port.formal_grant ;
  (* hierconn *) wire \dut.port.formal_busy ;
  (* hierconn *) wire \dut.port.registers_offered ;
  (* hierconn *) wire [`USER_BITS-1:0] \dut.port.registers_operation ;
  (* hierconn *) wire [3:0] \dut.port.registers.formal_read ;
  (* hierconn *) wire [2:0] \dut.port.registers.formal_write ;
  (* hierconn *) wire \dut.split.formal_writing ;
  (* hierconn *) wire \dut.split.formal_reading ;

  wire aw = s_axil_awvalid && s_axil_awready;
  wire w = s_axil_wvalid && s_axil_wready;
  wire b = s_axil_bvalid && s_axil_bready;
  wire ar = s_axil_arvalid && s_axil_arready;
  wire r = s_axil_rvalid && s_axil_rready;
  wire filter_item = dut.port_f_item_tvalid && dut.filter_s_item_tready;
  wire item = s_item_tvalid && s_item_tready;
  wire filter_verdict = dut.filter_m_verdict_tvalid && dut.port_f_verdict_tready;
  wire hosts_item = filter_item && dut.port_f_item_tid[`STREAM_TAG_BITS];
  wire hosts_verdict = filter_verdict && dut.filter_m_verdict_tid[`STREAM_TAG_BITS];
  wire filter_aw = dut.split_filter_awvalid && dut.filter_s_axil_awready;
  wire filter_ar = dut.split_filter_arvalid && dut.filter_s_axil_arready;

  // what waits, and what it is
  reg before; initial before = 0;
  reg aw_waited, w_waited, ar_waited, b_waited, r_waited, item_waited, verdict_waited, filter_item_waited, filter_verdict_waited;
  initial begin
    aw_waited = 0; w_waited = 0; ar_waited = 0; b_waited = 0; r_waited = 0;
    item_waited = 0; verdict_waited = 0; filter_item_waited = 0; filter_verdict_waited = 0;
  end
  reg [8:0] old_awaddr, old_araddr;
  reg [35:0] old_w;
  reg [1:0] old_bresp;
  reg [33:0] old_r, old_filter_r;
  reg [1:0] old_filter_bresp;
  reg [`KEY_BITS+`STREAM_TAG_BITS+`USER_BITS-1:0] old_item;
  reg [`KEY_BITS+`STREAM_TAG_BITS+`USER_BITS:0] old_filter_item;
  reg [`STREAM_TAG_BITS+`FLAG_BITS-1:0] old_verdict;
  reg [`STREAM_TAG_BITS+`FLAG_BITS:0] old_filter_verdict;
  reg filter_b_waited, filter_r_waited; initial begin filter_b_waited = 0; filter_r_waited = 0; end
  wire [`KEY_BITS+`STREAM_TAG_BITS+`USER_BITS:0] filter_beat = {dut.port_f_item_tid, dut.port_f_item_tuser, dut.port_f_item_tdata};
  // requests under way
  reg [1:0] writes, reads; initial begin writes = 0; reads = 0; end
  reg filter_write, filter_read; initial begin filter_write = 0; filter_read = 0; end
  reg [2:0] read_age; initial read_age = 0;
  reg hosts_owed; initial hosts_owed = 0;
  reg [2:0] read_wait, write_wait, item_wait; initial begin read_wait = 0; write_wait = 0; item_wait = 0; end
  always @(posedge clock) begin
    before <= !reset;
    aw_waited <= !reset && s_axil_awvalid && !s_axil_awready;
    w_waited <= !reset && s_axil_wvalid && !s_axil_wready;
    ar_waited <= !reset && s_axil_arvalid && !s_axil_arready;
    b_waited <= !reset && s_axil_bvalid && !s_axil_bready;
    r_waited <= !reset && s_axil_rvalid && !s_axil_rready;
    item_waited <= !reset && s_item_tvalid && !s_item_tready;
    verdict_waited <= !reset && m_verdict_tvalid && !m_verdict_tready;
    filter_item_waited <= !reset && dut.port_f_item_tvalid && !dut.filter_s_item_tready;
    filter_verdict_waited <= !reset && dut.filter_m_verdict_tvalid && !dut.port_f_verdict_tready;
    filter_b_waited <= !reset && dut.filter_s_axil_bvalid && !s_axil_bready;
    filter_r_waited <= !reset && dut.filter_s_axil_rvalid && !s_axil_rready;
    old_awaddr <= s_axil_awaddr;
    old_araddr <= s_axil_araddr;
    old_w <= {s_axil_wdata, s_axil_wstrb};
    old_bresp <= s_axil_bresp;
    old_r <= {s_axil_rdata, s_axil_rresp};
    old_filter_bresp <= dut.filter_s_axil_bresp;
    old_filter_r <= {dut.filter_s_axil_rdata, dut.filter_s_axil_rresp};
    old_item <= {s_item_tid, s_item_tuser, s_item_tdata};
    old_filter_item <= filter_beat;
    old_verdict <= {m_verdict_tid, m_verdict_tdata};
    old_filter_verdict <= {dut.filter_m_verdict_tid, dut.filter_m_verdict_tdata};
    writes <= reset ? 0 : writes + aw - b;
    reads <= reset ? 0 : reads + ar - r;
    filter_write <= !reset && (filter_aw || (filter_write && !s_axil_bready));
    filter_read <= !reset && (filter_ar || (filter_read && !(dut.filter_s_axil_rvalid && s_axil_rready)));
    read_age <= reset || reads == 0 || s_axil_rvalid ? 0 : read_age + 1;
    hosts_owed <= !reset && ((hosts_item && dut.port_f_item_tuser[1:0] != 1) || (hosts_owed && !hosts_verdict));
    read_wait <= !reset && s_axil_arvalid && !s_axil_arready && reads == 0 && s_axil_araddr[8] ? read_wait + 1 : 0;
    write_wait <= !reset && s_axil_awvalid && s_axil_wvalid && !s_axil_awready && writes == 0 && s_axil_awaddr[8] ? write_wait + 1 : 0;
    item_wait <= !reset && dut.port.formal_pending && !hosts_item && dut.filter_s_item_tready ? item_wait + 1 : 0;
  end

  always @* begin
    // a host and a sender keep what they offer
    assume (!aw_waited || (s_axil_awvalid && s_axil_awaddr == old_awaddr));
    assume (!w_waited || (s_axil_wvalid && {s_axil_wdata, s_axil_wstrb} == old_w));
    assume (!ar_waited || (s_axil_arvalid && s_axil_araddr == old_araddr));
    assume (!item_waited || (s_item_tvalid && {s_item_tid, s_item_tuser, s_item_tdata} == old_item));
    // the filter: register-port
    assume (dut.filter_s_axil_awready == dut.filter_s_axil_wready);
    assume (!dut.filter_s_axil_awready || (dut.split_filter_awvalid && dut.split_filter_wvalid && !filter_write));
    assume (!dut.filter_s_axil_arready || (dut.split_filter_arvalid && !filter_read));
    assume (dut.filter_s_axil_bvalid == filter_write);
    assume (!dut.filter_s_axil_rvalid || filter_read);
    assume (read_age < 2 || !filter_read || dut.filter_s_axil_rvalid);
    assume (!filter_b_waited || dut.filter_s_axil_bresp == old_filter_bresp);
    assume (!filter_r_waited || (dut.filter_s_axil_rvalid && {dut.filter_s_axil_rdata, dut.filter_s_axil_rresp} == old_filter_r));
    // verdict-stream and verdict-queue
    assume (!filter_verdict_waited || (dut.filter_m_verdict_tvalid && {dut.filter_m_verdict_tid, dut.filter_m_verdict_tdata} == old_filter_verdict));
    assume (!dut.filter_m_verdict_tvalid || !dut.filter_m_verdict_tid[`STREAM_TAG_BITS] || hosts_owed);
  end

  wire [3:0] port_read = dut.port.registers.formal_read;
  wire [2:0] port_write = dut.port.registers.formal_write;
  always @* begin
    write_taken_whole: assert (s_axil_awready == s_axil_wready && aw == w);
    write_answer_held: assert (!b_waited || (s_axil_bvalid && s_axil_bresp == old_bresp));
    one_answer_a_write: assert (writes <= 1 && s_axil_bvalid == (writes == 1));
    read_answer_held: assert (!r_waited || (s_axil_rvalid && {s_axil_rdata, s_axil_rresp} == old_r));
    read_not_invented: assert (reads <= 1 && (!s_axil_rvalid || reads == 1));
    read_answered: assert (read_age <= 2);
    read_of_the_item_port_is_taken: assert (read_wait <= 1);
    write_to_the_item_port_is_taken: assert (write_wait <= 2);
    only_one_slave_is_asked: assert (!(dut.split_filter_awvalid && s_axil_awaddr[8]) && !(dut.split_filter_arvalid && s_axil_araddr[8]));

    item_to_filter_held: assert (!filter_item_waited || (dut.port_f_item_tvalid && filter_beat == old_filter_item));
    item_not_lost_or_invented: assert ((filter_item && !hosts_item) == item);
    item_unchanged: assert (!item || filter_beat == {1'b0, s_item_tid, s_item_tuser, s_item_tdata});
    verdict_held: assert (!verdict_waited || (m_verdict_tvalid && {m_verdict_tid, m_verdict_tdata} == old_verdict));
    verdict_not_lost_or_invented: assert ((m_verdict_tvalid && m_verdict_tready) == (filter_verdict && !hosts_verdict));
    verdict_unchanged: assert (!m_verdict_tvalid || {1'b0, m_verdict_tid, m_verdict_tdata} == {dut.filter_m_verdict_tid, dut.filter_m_verdict_tdata});
    host_waits_for_no_verdict: assert (!dut.filter_m_verdict_tvalid || !dut.filter_m_verdict_tid[`STREAM_TAG_BITS] || dut.port_f_verdict_tready);
    one_item_of_the_host: assert (!(dut.port.formal_pending && hosts_owed) && dut.port.formal_busy == (dut.port.formal_pending || hosts_owed));
    hosts_item_was_offered: assert (!hosts_item || dut.port.formal_pending);
    hosts_item_is_taken: assert (item_wait <= 2);
    // what makes the induction go through
    assert (dut.split.formal_writing == (writes == 1) && dut.split.formal_reading == (reads == 1));
    assert (!dut.port.formal_grant || dut.port.formal_pending);
    assert ((port_read & (port_read - 1)) == 0 && (port_write & (port_write - 1)) == 0);
    assert (reads == filter_read + (port_read[3:1] != 0) && writes == filter_write + port_write[2]);
    assert (!port_read[0] || (s_axil_arvalid && s_axil_araddr[8] && reads == 0));
    assert (port_write[1:0] == 0 || (s_axil_awvalid && s_axil_wvalid && s_axil_awaddr[8] && writes == 0));
    assert (!port_read[1] || read_age == 0);
    assert (!port_read[2] || read_age <= 1);
  end
endmodule
