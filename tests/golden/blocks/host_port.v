// Registers over Ethernet: Etherbone at 10.0.0.2, UDP port 1234. Contract: host-port.md.
module host_port (
  input  wire        clock,
  input  wire        reset,         // synchronous, active high
  input  wire        s_rx_tvalid,   // frames from the MAC
  output wire        s_rx_tready,
  input  wire [7:0]  s_rx_tdata,
  input  wire        s_rx_tlast,
  input  wire        s_rx_tuser,    // with tlast: the frame is bad
  output wire        m_rx_tvalid,   // those that are not the card's, to the lane
  input  wire        m_rx_tready,
  output wire [7:0]  m_rx_tdata,
  output wire        m_rx_tlast,
  output wire        m_rx_tuser,    // with tlast: the frame is bad
  input  wire        s_tx_tvalid,   // frames from the lane
  output wire        s_tx_tready,
  input  wire [7:0]  s_tx_tdata,
  input  wire        s_tx_tlast,
  output wire        m_tx_tvalid,   // those and answers, to the MAC
  input  wire        m_tx_tready,
  output wire [7:0]  m_tx_tdata,
  output wire        m_tx_tlast,
  output wire        awvalid,       // registers, AXI4-Lite
  input  wire        awready,
  output wire [10:0] awaddr,        // byte address
  output wire        wvalid,
  input  wire        wready,
  output wire [31:0] wdata,
  output wire [3:0]  wstrb,
  input  wire        bvalid,
  output wire        bready,
  input  wire [1:0]  bresp,
  output wire        arvalid,
  input  wire        arready,
  output wire [10:0] araddr,        // byte address
  input  wire        rvalid,
  output wire        rready,
  input  wire [31:0] rdata,
  input  wire [1:0]  rresp,
  output wire        busy,          // a frame is worked on
  output wire        frame_taken,   // a frame is the card's
  output wire        frame_missed,  // it came while one was worked on
  output wire        frame_refused, // nothing is done of one
  output wire        answer_sent,   // an answer has left
  output wire        access_late    // an access had no response in time
);
  reg       beat_r;    // a beat was taken
  reg [7:0] data_r;
  reg       last_r;
  reg       user_r;
  reg       to_card_r;
  reg       to_all_r;
  reg       taken_r;
  reg       missed_r;
  reg       refused_r;
  reg       sent_r;
  reg       late_r;

  wire        put;                   // a word of the answer goes to the memory
  wire        divert_s_tready;
  wire        divert_m_tvalid;
  wire [7:0]  divert_m_tdata;
  wire        divert_m_tlast;
  wire        divert_m_tuser;
  wire        divert_beat;
  wire        divert_to_card;
  wire        divert_to_all;
  wire        head_single;
  wire        head_arp;
  wire        head_ip;
  wire        head_echo;
  wire        head_datagram;
  wire        head_unchecked;
  wire [31:0] head_peer;
  wire [7:0]  head_first;
  wire        reader_missed;
  wire        reader_store;
  wire        reader_write;
  wire [6:0]  reader_place;
  wire [31:0] reader_word;
  wire        reader_ended;
  wire        reader_own;
  wire        reader_sound;
  wire        reader_fits;
  wire        reader_header_right;
  wire        reader_body_right;
  wire [15:0] reader_total;
  wire        payload_write_enable;
  reg  [6:0]  payload_write_address;
  reg  [31:0] payload_write_data;
  reg  [6:0]  payload_read_address;
  wire [31:0] payload_read_data;
  wire        handler_free;
  wire [6:0]  handler_place;
  wire        handler_put;
  wire [6:0]  handler_put_place;
  wire [31:0] handler_put_word;
  wire        handler_start;
  wire        handler_write;
  wire [29:0] handler_address;
  wire [31:0] handler_word;
  wire        handler_answer;
  wire        handler_answers;
  wire        handler_answer_arp;
  wire        handler_answer_echo;
  wire        handler_answer_probe;
  wire [15:0] handler_answer_total;
  wire [15:0] handler_answer_check;
  wire [9:0]  handler_answer_bytes;
  wire [7:0]  handler_answer_reads;
  wire        handler_refused;
  wire        handler_missing;
  wire        access_done;
  wire        access_late_2;
  wire [31:0] access_data;
  wire        access_stuck;
  wire        access_awvalid;
  wire [10:0] access_awaddr;
  wire        access_wvalid;
  wire [31:0] access_wdata;
  wire [3:0]  access_wstrb;
  wire        access_bready;
  wire        access_arvalid;
  wire [10:0] access_araddr;
  wire        access_rready;
  wire        answer_packet;
  wire        answer_give;
  wire [6:0]  answer_place;
  wire        answer_tvalid;
  wire [7:0]  answer_tdata;
  wire        answer_tlast;
  wire        answer_sent_2;
  wire        merge_s_tready;
  wire        merge_a_tready;
  wire        merge_m_tvalid;
  wire [7:0]  merge_m_tdata;
  wire        merge_m_tlast;

  // frames from the MAC
  host_divert divert (
    .clock    (clock),
    .reset    (reset),
    .s_tvalid (s_rx_tvalid),
    .s_tready (divert_s_tready),
    .s_tdata  (s_rx_tdata),
    .s_tlast  (s_rx_tlast),
    .s_tuser  (s_rx_tuser),
    .m_tvalid (divert_m_tvalid),
    .m_tready (m_rx_tready),
    .m_tdata  (divert_m_tdata),
    .m_tlast  (divert_m_tlast),
    .m_tuser  (divert_m_tuser),
    .beat     (divert_beat),
    .to_card  (divert_to_card),
    .to_all   (divert_to_all)
  );

  // answers
  host_head head (
    .clock        (clock),
    .store        (reader_store),
    .byte_        (data_r),
    .total        (reader_total),
    .single       (head_single),
    .arp          (head_arp),
    .ip           (head_ip),
    .echo         (head_echo),
    .datagram     (head_datagram),
    .unchecked    (head_unchecked),
    .peer         (head_peer),
    .answer       (handler_answer),
    .answer_arp   (handler_answer_arp),
    .answer_echo  (handler_answer_echo),
    .answer_total (handler_answer_total),
    .answer_check (handler_answer_check),
    .give         (answer_give),
    .first        (head_first)
  );

  host_reader reader (
    .clock        (clock),
    .reset        (reset),
    .free         (handler_free),
    .beat         (beat_r),
    .data         (data_r),
    .last         (last_r),
    .user         (user_r),
    .to_card      (to_card_r),
    .to_all       (to_all_r),
    .missed       (reader_missed),
    .store        (reader_store),
    .write        (reader_write),
    .place        (reader_place),
    .word         (reader_word),
    .ended        (reader_ended),
    .own          (reader_own),
    .sound        (reader_sound),
    .fits         (reader_fits),
    .header_right (reader_header_right),
    .body_right   (reader_body_right),
    .total        (reader_total)
  );

  frame_memory payload (
    .clock         (clock),
    .write_enable  (payload_write_enable),
    .write_address (payload_write_address),
    .write_data    (payload_write_data),
    .read_address  (payload_read_address),
    .read_data     (payload_read_data)
  );

  // what is known of one
  request_handler handler (
    .clock        (clock),
    .reset        (reset),
    .free         (handler_free),
    .ended        (reader_ended),
    .own          (reader_own),
    .sound        (reader_sound),
    .fits         (reader_fits),
    .header_right (reader_header_right),
    .body_right   (reader_body_right),
    .total        (reader_total),
    .single       (head_single),
    .arp          (head_arp),
    .ip           (head_ip),
    .echo         (head_echo),
    .datagram     (head_datagram),
    .unchecked    (head_unchecked),
    .peer         (head_peer),
    .place        (handler_place),
    .payload      (payload_read_data),
    .put          (handler_put),
    .put_place    (handler_put_place),
    .put_word     (handler_put_word),
    .start        (handler_start),
    .write        (handler_write),
    .address      (handler_address),
    .word         (handler_word),
    .done         (access_done),
    .late         (access_late_2),
    .data         (access_data),
    .stuck        (access_stuck),
    .answer       (handler_answer),
    .answers      (handler_answers),
    .answer_arp   (handler_answer_arp),
    .answer_echo  (handler_answer_echo),
    .answer_probe (handler_answer_probe),
    .answer_total (handler_answer_total),
    .answer_check (handler_answer_check),
    .answer_bytes (handler_answer_bytes),
    .answer_reads (handler_answer_reads),
    .sent         (answer_sent_2),
    .refused      (handler_refused),
    .missing      (handler_missing)
  );

  // accesses
  host_access access (
    .clock   (clock),
    .reset   (reset),
    .start   (handler_start),
    .write   (handler_write),
    .address (handler_address),
    .word    (handler_word),
    .done    (access_done),
    .late    (access_late_2),
    .data    (access_data),
    .stuck   (access_stuck),
    .awvalid (access_awvalid),
    .awready (awready),
    .awaddr  (access_awaddr),
    .wvalid  (access_wvalid),
    .wready  (wready),
    .wdata   (access_wdata),
    .wstrb   (access_wstrb),
    .bvalid  (bvalid),
    .bready  (access_bready),
    .bresp   (bresp),
    .arvalid (access_arvalid),
    .arready (arready),
    .araddr  (access_araddr),
    .rvalid  (rvalid),
    .rready  (access_rready),
    .rdata   (rdata),
    .rresp   (rresp)
  );

  host_answer answer (
    .clock   (clock),
    .reset   (reset),
    .start   (handler_answer),
    .bytes   (handler_answer_bytes),
    .packet  (answer_packet),
    .probe   (handler_answer_probe),
    .reads   (handler_answer_reads),
    .first   (head_first),
    .give    (answer_give),
    .place   (answer_place),
    .payload (payload_read_data),
    .tvalid  (answer_tvalid),
    .tready  (merge_a_tready),
    .tdata   (answer_tdata),
    .tlast   (answer_tlast),
    .sent    (answer_sent_2)
  );

  reply_merge merge (
    .clock    (clock),
    .reset    (reset),
    .s_tvalid (s_tx_tvalid),
    .s_tready (merge_s_tready),
    .s_tdata  (s_tx_tdata),
    .s_tlast  (s_tx_tlast),
    .a_tvalid (answer_tvalid),
    .a_tready (merge_a_tready),
    .a_tdata  (answer_tdata),
    .a_tlast  (answer_tlast),
    .m_tvalid (merge_m_tvalid),
    .m_tready (m_tx_tready),
    .m_tdata  (merge_m_tdata),
    .m_tlast  (merge_m_tlast)
  );

  assign s_rx_tready = divert_s_tready;
  assign m_rx_tvalid = divert_m_tvalid;
  assign m_rx_tdata = divert_m_tdata;
  assign m_rx_tlast = divert_m_tlast;
  assign m_rx_tuser = divert_m_tuser;

  // its payload, and that of the answer
  assign put = handler_put;
  assign payload_write_enable = reader_write || put;
  assign awvalid = access_awvalid;
  assign awaddr = access_awaddr;
  assign wvalid = access_wvalid;
  assign wdata = access_wdata;
  assign wstrb = access_wstrb;
  assign bready = access_bready;
  assign arvalid = access_arvalid;
  assign araddr = access_araddr;
  assign rready = access_rready;
  assign answer_packet = !handler_answer_arp && !handler_answer_echo;
  assign s_tx_tready = merge_s_tready;
  assign m_tx_tvalid = merge_m_tvalid;
  assign m_tx_tdata = merge_m_tdata;
  assign m_tx_tlast = merge_m_tlast;

  // events
  assign busy = !handler_free;
  assign frame_taken = taken_r;
  assign frame_missed = missed_r;
  assign frame_refused = refused_r;
  assign answer_sent = sent_r;
  assign access_late = late_r;

  initial begin
    beat_r = 1'b0;
    data_r = 8'd0;
    last_r = 1'b0;
    user_r = 1'b0;
    to_card_r = 1'b0;
    to_all_r = 1'b0;
    taken_r = 1'b0;
    missed_r = 1'b0;
    refused_r = 1'b0;
    sent_r = 1'b0;
    late_r = 1'b0;
  end

  always @* begin
    payload_write_address = reader_place;
    payload_write_data = reader_word;
    if (put) begin
      payload_write_address = handler_put_place;
      payload_write_data = handler_put_word;
    end
  end

  always @* begin
    payload_read_address = handler_place;
    if (handler_answers) begin
      payload_read_address = answer_place;
    end
  end

  always @(posedge clock) begin
    beat_r <= divert_beat && !reset;
    data_r <= s_rx_tdata;
    last_r <= s_rx_tlast;
    user_r <= s_rx_tuser;
    to_card_r <= divert_to_card && !reset;
    to_all_r <= divert_to_all && !reset;
    taken_r <= to_card_r;
    missed_r <= reader_missed;
    refused_r <= handler_refused;
    sent_r <= answer_sent_2;
    late_r <= handler_missing;
    if (reset) begin
      taken_r <= 1'b0;
      missed_r <= 1'b0;
      refused_r <= 1'b0;
      sent_r <= 1'b0;
      late_r <= 1'b0;
    end
  end
endmodule
