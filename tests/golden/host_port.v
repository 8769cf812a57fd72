// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

// Takes the frames to the card's MAC address out of a stream; all others pass, six beats later.
module host_divert (
  input  wire       clock,
  input  wire       reset,    // no frame
  input  wire       s_tvalid, // frames
  output wire       s_tready,
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,
  input  wire       s_tuser,  // with tlast: the frame is bad
  output wire       m_tvalid, // those that are not the card's
  input  wire       m_tready,
  output wire [7:0] m_tdata,
  output wire       m_tlast,
  output wire       m_tuser,
  output wire       beat,     // a beat is taken
  output wire       to_card,  // it ends the card's MAC address
  output wire       to_all    // it ends the address of all
);
  localparam [47:0] mac = 48'h2005e100001; // the card's MAC address

  reg [47:0] row;   // beats held back, the newest lowest
  reg [2:0]  held;  // so many
  reg        whole; // the last of the frame is among them
  reg        bad;   // which said that the frame is bad
  reg        mine;  // the frame is the card's

  wire        full;
  wire [47:0] pushed;
  wire        sixth;
  wire [5:0]  from;         // place of the oldest beat
  wire [47:0] m_tdata_term;

  assign m_tdata_term = row >> from;
  assign full = held == 3'd6;
  assign s_tready = !whole && (!full || mine || m_tready);
  assign beat = s_tvalid && s_tready;
  assign pushed = {row[39:0], s_tdata};
  assign sixth = beat && (held == 3'd5);
  assign to_card = sixth && (pushed == mac);
  assign to_all = sixth && (&pushed);

  // a frame passes as it comes, and its last six beats by themselves
  assign m_tvalid = !mine && (whole || (full && s_tvalid));
  assign from = {3'd0, held - 3'd1} << 3;
  assign m_tdata = m_tdata_term[7:0];
  assign m_tlast = whole && (held == 3'd1);
  assign m_tuser = bad;

  initial begin
    row = 48'd0;
    held = 3'd0;
    whole = 1'b0;
    bad = 1'b0;
    mine = 1'b0;
  end

  always @(posedge clock) begin
    if (beat) begin
      row <= pushed;
      bad <= s_tuser;
      if (!full) begin
        held <= held + 3'd1;
      end
      if (to_card) begin
        mine <= 1'b1;
      end
      if (s_tlast) begin
        whole <= 1'b1;
        if (mine || to_card) begin
          held <= 3'd0;
          whole <= 1'b0;
          mine <= 1'b0;
        end
      end
    end
    if (whole && m_tready) begin
      held <= held - 3'd1;
      whole <= held != 3'd1;
    end
    if (reset) begin
      held <= 3'd0;
      whole <= 1'b0;
      mine <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, m_tdata_term[47:8]};
endmodule

// 42 bytes: the head of a frame to the card, and of its answer.
// byte b of the frame is in bits 335 - 8 b to 328 - 8 b.
module host_head (
  input  wire        clock,
  input  wire        store,        // a byte of a frame's head comes
  input  wire [7:0]  byte_,        // it
  input  wire [15:0] total,        // the IP packet's length
  output wire        single,       // its source address is one station's
  output wire        arp,          // an ARP request for the card's IP address
  output wire        ip,           // whole IPv4 without options to the card's IP address
  output wire        echo,         // an ICMP echo request, if it is IPv4
  output wire        datagram,     // UDP to the card's port, if it is IPv4
  output wire        unchecked,    // with a checksum of 0
  output wire [31:0] peer,         // source IP address
  input  wire        answer,       // put the answer's head in place of it
  input  wire        answer_arp,   // of an ARP reply
  input  wire        answer_echo,  // of an echo reply, else of a datagram
  input  wire [15:0] answer_total, // length of its IP packet
  input  wire [15:0] answer_check, // checksum of its IP header
  input  wire        give,         // the first byte is taken
  output wire [7:0]  first         // the first byte
);
  localparam [79:0]  arp_request     = 80'h8060001080006040001;                                                      // type, Ethernet and IPv4, request
  localparam [23:0]  ipv4            = 24'h80045;                                                                    // type, version and header length
  localparam [15:0]  fragment_bits   = 16'hbfff;                                                                     // all but do not fragment
  localparam [7:0]   icmp            = 8'd1;
  localparam [15:0]  echo_type       = 16'h800;                                                                      // echo request
  localparam [7:0]   udp             = 8'd17;
  localparam [31:0]  own_ip          = 32'ha000002;                                                                  // the card's IP address
  localparam [15:0]  own_port        = 16'h4d2;                                                                      // its UDP port
  localparam [16:0]  less_type       = 17'h800;                                                                      // what the checksum gains by the type of a reply
  localparam [15:0]  ip_header       = 16'h14;                                                                       // bytes of the IP header
  localparam [335:0] arp_answer      = 336'h2005e1000010806000108000604000202005e1000010a00000200000000000000000000; // what all ARP replies have
  localparam [335:0] echo_answer     = 336'h2005e10000108004500000000004000400100000a000002000000000000000000000000; // what all echo replies have
  localparam [335:0] datagram_answer = 336'h2005e10000108004500000000004000401100000a0000020000000004d2000000000000; // what all datagrams have

  reg [335:0] row;
  reg         single_r;
  reg         arp_r;
  reg         ip_r;
  reg         echo_r;
  reg         datagram_r;
  reg         unchecked_r;

  wire [16:0] raised;     // checksum of an echo reply, before its carry is added
  wire [15:0] echo_check; // checksum of an echo reply
  wire [15:0] length;     // length of the answer's datagram

  assign peer = row[127:96];

  // answer: to whom it came from
  assign raised = {1'b0, row[47:32]} + less_type;
  assign echo_check = raised[15:0] + {15'd0, raised[16]};
  assign length = answer_total - ip_header;
  assign single = single_r;
  assign arp = arp_r;
  assign ip = ip_r;
  assign echo = echo_r;
  assign datagram = datagram_r;
  assign unchecked = unchecked_r;
  assign first = row[335:328];

  initial begin
    row = 336'd0;
    single_r = 1'b0;
    arp_r = 1'b0;
    ip_r = 1'b0;
    echo_r = 1'b0;
    datagram_r = 1'b0;
    unchecked_r = 1'b0;
  end

  always @(posedge clock) begin
    // what is known of a frame
    single_r <= !row[280];
    arp_r <= (row[239:160] == arp_request) && (row[31:0] == own_ip);
    ip_r <= (row[239:216] == ipv4) && !(|(row[175:160] & fragment_bits)) && (row[95:64] == own_ip);
    echo_r <= (row[151:144] == icmp) && (row[63:48] == echo_type);
    datagram_r <= (row[151:144] == udp) && (row[47:32] == own_port) && (row[31:16] == (total - ip_header));
    unchecked_r <= !(|row[15:0]);
    if (store) begin
      row <= {row[327:0], byte_};
    end
    if (answer) begin
      row <= ((row >> 240) << 288) | datagram_answer | ({320'd0, answer_total} << 192) | ({320'd0, answer_check} << 128) | ({304'd0, peer} << 64) | ({320'd0, row[63:48]} << 32) | ({320'd0, length} << 16);
      if (answer_echo) begin
        row <= ((row >> 240) << 288) | echo_answer | ({320'd0, answer_total} << 192) | ({320'd0, answer_check} << 128) | ({304'd0, peer} << 64) | ({320'd0, echo_check} << 32) | {304'd0, row[31:0]};
      end
      if (answer_arp) begin
        row <= ((row >> 240) << 288) | arp_answer | {256'd0, row[159:80]};
      end
    end
    if (give) begin
      row <= row << 8;
    end
  end
endmodule

// Counts a frame's bytes, sums them up in ones' complement, and sends them on to head and memory.
module host_reader (
  input  wire        clock,
  input  wire        reset,        // no frame
  input  wire        free,         // a frame that begins is read
  input  wire        beat,         // a beat of any frame
  input  wire [7:0]  data,
  input  wire        last,
  input  wire        user,         // with the last: the frame is bad
  input  wire        to_card,      // it ends the card's MAC address
  input  wire        to_all,       // it ends the address of all
  output wire        missed,       // it does, in a frame that is not read
  output wire        store,        // it belongs to the head
  output wire        write,        // to the payload
  output wire [6:0]  place,        // word of it
  output wire [31:0] word,         // what of the word has come, the first byte highest
  output wire        ended,        // a frame to the card or to all has come; the facts stand from the next clock on
  output wire        own,          // to the card
  output wire        sound,        // not bad, and of a length that can be
  output wire        fits,         // the IP packet is long enough, and within the frame
  output wire        header_right, // its header's checksum is right
  output wire        body_right,   // the checksum of what it carries is right
  output wire [15:0] total         // its length
);
  localparam [9:0]  most        = 10'h3ff;
  localparam [7:0]  udp         = 8'd17;
  localparam [16:0] ethernet    = 17'he;   // bytes before the IP packet
  localparam [15:0] less_sizes  = 16'd3;   // the header's bytes, less the protocol's number
  localparam [15:0] least_total = 16'h1c;
  localparam [9:0]  head_bytes  = 10'h2a;
  localparam [9:0]  frame_bytes = 10'h22a;

  reg        within_;     // a frame has begun
  reg        listening_r; // it is read
  reg        own_r;
  reg        all_r;       // to all
  reg        bad;
  reg [9:0]  count;       // its bytes, at most 1023
  reg [9:0]  at;          // bytes of payload, as many as are kept
  reg [15:0] total_r;
  reg [16:0] end_;        // bytes of the frame up to the end of the IP packet
  reg        udp_r;       // protocol UDP
  reg [15:0] header;      // sum over the IP header
  reg [15:0] body;        // sum over what it carries, for UDP with the pseudo header
  reg [31:0] word_r;
  reg        ended_r;
  reg        sound_r;
  reg        fits_r;
  reg        header_r;
  reg        body_r;

  wire        first;
  reg         listening;
  wire        heard;      // a byte that is read
  wire        read;       // the frame is to the card or to all
  reg  [9:0]  index;      // number of the byte
  reg  [16:0] term;       // what it adds to a sum
  wire [16:0] header_sum;
  wire [16:0] body_sum;
  reg  [31:0] filled;
  wire [4:0]  shift;      // place of the byte in its word
  wire        in_payload; // it belongs to the payload and is kept

  // whose frame it is
  assign first = beat && !within_;
  assign heard = beat && listening;
  assign missed = to_card && !listening;
  assign read = to_card || to_all || ((own_r || all_r) && !first);
  assign store = heard && (index < head_bytes);
  assign header_sum = {1'b0, header} + term;
  assign body_sum = {1'b0, body} + term;

  // payload
  assign in_payload = heard && (index >= head_bytes) && (index < frame_bytes);
  assign shift = {3'd0, ~at[1:0]} << 3;
  assign write = in_payload;
  assign place = at[8:2];
  assign word = filled;
  assign ended = ended_r;
  assign own = own_r;
  assign sound = sound_r;
  assign fits = fits_r;
  assign header_right = header_r;
  assign body_right = body_r;
  assign total = total_r;

  initial begin
    within_ = 1'b0;
    listening_r = 1'b0;
    own_r = 1'b0;
    all_r = 1'b0;
    bad = 1'b0;
    count = 10'd0;
    at = 10'd0;
    total_r = 16'd0;
    end_ = 17'd0;
    udp_r = 1'b0;
    header = 16'd0;
    body = 16'd0;
    word_r = 32'd0;
    ended_r = 1'b0;
    sound_r = 1'b0;
    fits_r = 1'b0;
    header_r = 1'b0;
    body_r = 1'b0;
  end

  always @* begin
    listening = listening_r;
    if (first) begin
      listening = free;
    end
  end

  always @* begin
    // its bytes
    index = count;
    if (first) begin
      index = 10'd0;
    end
  end

  always @* begin
    // sums
    term = {9'd0, data} << 8;
    if (index[0]) begin
      term = {9'd0, data};
    end
  end

  always @* begin
    filled = ({24'd0, data} << shift) | word_r;
    if (!(|at[1:0])) begin
      filled = {24'd0, data} << 24;
    end
  end

  always @(posedge clock) begin
    if (beat) begin
      within_ <= !last;
    end
    listening_r <= listening;
    if (heard) begin
      own_r <= to_card || (own_r && !first);
      all_r <= to_all || (all_r && !first);
    end
    ended_r <= heard && last && read;
    if (heard) begin
      count <= index + 10'd1;
      if (index == most) begin
        count <= most;
      end
      bad <= user;
      if ((index == 10'h10) || (index == 10'h11)) begin
        total_r <= {total_r[7:0], data};
      end
      if (index == 10'h17) begin
        udp_r <= data == udp;
      end
    end
    end_ <= {1'b0, total_r} + ethernet;
    if (heard) begin
      if (index == 10'he) begin
        header <= term[15:0];
      end else if (index < 10'h22) begin
        header <= header_sum[15:0] + {15'd0, header_sum[16]};
      end
      if (index == 10'h18) begin
        body <= 16'd0;
        if (udp_r) begin
          body <= total_r - less_sizes;
        end
      end else if (((index >= 10'h1a) && (index < 10'h22) && udp_r) || ((index >= 10'h22) && ({7'd0, index} < end_))) begin
        body <= body_sum[15:0] + {15'd0, body_sum[16]};
      end
    end
    if (first) begin
      at <= 10'd0;
    end else if (in_payload) begin
      at <= at + 10'd1;
    end
    if (in_payload) begin
      word_r <= filled;
    end

    // facts
    sound_r <= !bad && (count >= head_bytes) && (count <= frame_bytes);
    fits_r <= (total_r >= least_total) && (end_ <= {7'd0, count});
    header_r <= &header;
    body_r <= &body;
    if (reset) begin
      within_ <= 1'b0;
      ended_r <= 1'b0;
    end
  end
endmodule

// 128 beats of 32 bits in block RAM, two clocks of read latency.
// Reading the beat that is being written gives an unspecified value; nobody does.
module frame_memory (
  input  wire        clock,
  input  wire        write_enable,  // write this clock
  input  wire [6:0]  write_address, // beat to write
  input  wire [31:0] write_data,
  input  wire [6:0]  read_address,  // beat to read
  output wire [31:0] read_data      // it, two clocks later
);
  (* no_rw_check *)
  reg [31:0] beats [0:127];
  reg [31:0] array_out;
  reg [31:0] register_out;
  integer i;

  initial begin
    for (i = 0; i <= 127; i = i + 1) beats[i] = 32'd0;
    array_out = 32'd0;
    register_out = 32'd0;
  end

  always @(posedge clock) begin
    array_out <= beats[read_address];
    register_out <= array_out;
    if (write_enable) beats[write_address] <= write_data;
  end

  assign read_data = register_out;
endmodule

// Judges a frame that has come, goes through its packet word by word, and has it answered.
// LISTEN, JUDGE, FETCH, WAIT, LOOK, ASK, ACCESS, SUM, HEAD, ANSWER.
module request_handler (
  input  wire        clock,
  input  wire        reset,        // no frame
  output wire        free,         // a frame that begins is read
  input  wire        ended,        // one has come; what is known of it, from the next clock on:
  input  wire        own,          // to the card
  input  wire        sound,        // not bad, and of a length that can be
  input  wire        fits,         // the IP packet is long enough, and within the frame
  input  wire        header_right,
  input  wire        body_right,
  input  wire [15:0] total,        // its length
  input  wire        single,       // the source address is one station's
  input  wire        arp,          // an ARP request for the card
  input  wire        ip,           // IPv4 to the card
  input  wire        echo,
  input  wire        datagram,
  input  wire        unchecked,    // its UDP checksum is 0
  input  wire [31:0] peer,         // source IP address
  output wire [6:0]  place,        // word of the payload
  input  wire [31:0] payload,      // it, two clocks later
  output reg         put,          // a word of the answer
  output reg  [6:0]  put_place,
  output reg  [31:0] put_word,
  output wire        start,        // an access
  output wire        write,
  output wire [29:0] address,      // in words
  output wire [31:0] word,         // what is written
  input  wire        done,         // it is made
  input  wire        late,         // with done: there was no response in time
  input  wire [31:0] data,         // what was read
  input  wire        stuck,        // the bus owes a response
  output wire        answer,       // an answer begins
  output wire        answers,      // it leaves
  output wire        answer_arp,   // an ARP reply
  output wire        answer_echo,  // an echo reply
  output wire        answer_probe, // to a probe
  output wire [15:0] answer_total, // length of its IP packet
  output wire [15:0] answer_check, // checksum of its IP header
  output wire [9:0]  answer_bytes, // its bytes
  output wire [7:0]  answer_reads, // words that were read
  input  wire        sent,         // its last byte is taken
  output wire        refused,      // nothing is done of a frame to the card
  output reg         missing       // an access was late
);
  localparam [3:0]  listen       = 4'd0;      // LISTEN
  localparam [3:0]  judge        = 4'd1;      // JUDGE
  localparam [3:0]  fetch        = 4'd2;      // FETCH
  localparam [3:0]  wait_        = 4'd3;      // WAIT
  localparam [3:0]  look         = 4'd4;      // LOOK
  localparam [3:0]  ask          = 4'd5;      // ASK
  localparam [3:0]  access       = 4'd6;      // ACCESS
  localparam [3:0]  adding       = 4'd7;      // SUM
  localparam [3:0]  heading      = 4'd8;      // HEAD
  localparam [3:0]  answering    = 4'd9;      // ANSWER
  localparam [2:0]  header       = 3'd0;      // packet header
  localparam [2:0]  record       = 3'd1;      // record header
  localparam [2:0]  write_base   = 3'd2;      // base address of the writes
  localparam [2:0]  write_word   = 3'd3;      // word to write
  localparam [2:0]  read_base    = 3'd4;      // base address of the answer
  localparam [2:0]  read_address = 3'd5;      // address to read
  localparam [6:0]  of_header    = 7'd0;
  localparam [6:0]  of_record    = 7'd2;
  localparam [6:0]  of_lists     = 7'd3;
  localparam [19:0] magic        = 20'h4e6f1; // Etherbone, version 1
  localparam [7:0]  sizes        = 8'd68;     // addresses and words of 32 bits
  localparam [15:0] enables      = 16'hf;     // no flags, all bytes
  localparam [1:0]  no_step      = 2'd0;
  localparam [15:0] echo_sum     = 16'hcf03;  // sum of what echo replies have in the header
  localparam [15:0] udp_sum      = 16'hcf13;  // of what datagrams have
  localparam [15:0] head_total   = 16'h1c;    // bytes of IP in the head
  localparam [15:0] probe_total  = 16'h28;    // the same, and the answer to a probe
  localparam [15:0] packet_total = 16'h2c;    // the same, and a packet without words
  localparam [15:0] ethernet     = 16'he;     // bytes before the IP packet
  localparam [15:0] header_bytes = 16'd8;     // bytes of a packet's header
  localparam [15:0] record_bytes = 16'hc;     // and the record's
  localparam [15:0] record_words = 16'd3;

  reg [3:0]  state;
  reg [2:0]  role;      // what the next word is
  reg [6:0]  place_r;   // place of it
  reg [6:0]  slot;      // place of the next word of the answer
  reg        arp_r;
  reg        echo_r;
  reg        probe_r;
  reg [7:0]  writes;    // words to be written
  reg [7:0]  reads;     // words to be read
  reg [7:0]  left;      // of those, not yet
  reg [29:0] address_r;
  reg [31:0] word_r;
  reg        writing;
  reg [15:0] total_r;   // length of the answer's IP packet
  reg [15:0] sum;       // over its header, in ones' complement
  reg [1:0]  step;      // halves added
  reg [15:0] length;    // bytes of its payload

  wire [16:0] summed;
  reg  [16:0] part;       // what is added next
  wire        listening;
  wire        looking;
  wire        good;       // the frame is good
  wire        packet;     // a datagram for Etherbone
  wire [15:0] need;       // bytes that a packet's lists ask for
  wire        bad_header;
  wire        bad_record;
  reg         refuses;

  assign listening = state == listen;
  assign looking = state == look;
  assign free = listening && !ended;

  // the frame
  assign packet = own && ip && fits && header_right && datagram && (unchecked || body_right);
  assign good = sound && single && (arp || packet || (own && ip && fits && header_right && echo && body_right));
  assign bad_header = (payload[31:12] != magic) || (length < header_bytes) || (!payload[8] && (payload[9] || (payload[7:0] != sizes) || (length < record_bytes)));
  assign need = record_words + {8'd0, payload[15:8]} + {15'd0, |payload[15:8]} + {8'd0, payload[7:0]} + {15'd0, |payload[7:0]};
  assign bad_record = (payload[31:16] != enables) || (need > (length >> 2)) || (stuck && (|payload[15:0]));

  // an access
  assign start = state == ask;
  assign summed = {1'b0, sum} + part;
  assign answer = state == heading;
  assign answers = state == answering;
  assign place = place_r;
  assign write = writing;
  assign address = address_r;
  assign word = word_r;
  assign refused = refuses;
  assign answer_arp = arp_r;
  assign answer_echo = echo_r;
  assign answer_probe = probe_r;
  assign answer_total = total_r;
  assign answer_check = ~sum;
  assign answer_bytes = total_r[9:0] + ethernet[9:0];
  assign answer_reads = reads;

  initial begin
    state = 4'd0;
    role = 3'd0;
    place_r = 7'd0;
    slot = 7'd0;
    arp_r = 1'b0;
    echo_r = 1'b0;
    probe_r = 1'b0;
    writes = 8'd0;
    reads = 8'd0;
    left = 8'd0;
    address_r = 30'd0;
    word_r = 32'd0;
    writing = 1'b0;
    total_r = 16'd0;
    sum = 16'd0;
    step = 2'd0;
    length = 16'd0;
  end

  always @* begin
    put = 1'b0;
    put_place = slot;
    put_word = data;
    refuses = 1'b0;
    if (state == judge) begin
      if (!good) begin
        refuses = own;
      end
    end
    if (looking) begin
      if (role == header) begin
        if (bad_header) begin
          refuses = 1'b1;
        end
      end
      if (role == record) begin
        if (bad_record) begin
          refuses = 1'b1;
        end
      end
      if (role == read_base) begin
        put = 1'b1;
        put_place = of_lists;
        put_word = payload;
      end
    end
    missing = 1'b0;
    if ((state == access) && done) begin
      if (!writing) begin
        put = 1'b1;
      end
      if (late) begin
        missing = 1'b1;
      end
    end
  end

  always @* begin
    // the answer
    part = {1'b0, peer[15:0]};
    if (step == 2'd0) begin
      part = {1'b0, total_r};
    end
    if (step == 2'd1) begin
      part = {1'b0, peer[31:16]};
    end
  end

  always @(posedge clock) begin
    step <= no_step;
    if (listening && ended) begin
      state <= judge;
    end
    if (state == judge) begin
      arp_r <= arp;
      echo_r <= !arp && !packet;
      probe_r <= 1'b0;
      place_r <= of_header;
      role <= header;
      total_r <= total;
      sum <= echo_sum;
      state <= adding;
      if (arp) begin
        total_r <= head_total;
      end else if (packet) begin
        sum <= udp_sum;
        state <= fetch;
      end
      if (!good) begin
        state <= listen;
      end
    end

    // the packet, word by word
    if (state == fetch) begin
      state <= wait_;
    end
    if (state == wait_) begin
      state <= look;
    end
    length <= total - head_total;
    if (looking) begin
      state <= fetch;
      place_r <= place_r + 7'd1;
      if (role == header) begin
        role <= record;
        place_r <= of_record;
        if (payload[8]) begin
          probe_r <= 1'b1;
          total_r <= probe_total;
          state <= adding;
        end
        if (bad_header) begin
          state <= listen;
        end
      end
      if (role == record) begin
        writes <= payload[15:8];
        reads <= payload[7:0];
        total_r <= packet_total + ({8'd0, payload[7:0]} << 2);
        role <= write_base;
        if (!(|payload[15:8])) begin
          role <= read_base;
          if (!(|payload[7:0])) begin
            state <= listen;
          end
        end
        if (bad_record) begin
          state <= listen;
        end
      end
      if (role == write_base) begin
        address_r <= payload[31:2];
        left <= writes;
        writing <= 1'b1;
        role <= write_word;
      end
      if (role == write_word) begin
        word_r <= payload;
        state <= ask;
      end
      if (role == read_base) begin
        slot <= of_lists + 7'd1;
        left <= reads;
        writing <= 1'b0;
        role <= read_address;
      end
      if (role == read_address) begin
        address_r <= payload[31:2];
        state <= ask;
      end
    end
    if (start) begin
      state <= access;
    end
    if ((state == access) && done) begin
      left <= left - 8'd1;
      state <= fetch;
      if (writing) begin
        address_r <= address_r + 30'd1;
      end else begin
        slot <= slot + 7'd1;
      end
      if (left == 8'd1) begin
        role <= read_base;
        if (!writing) begin
          state <= adding;
        end else if (!(|reads)) begin
          state <= listen;
        end
      end
      if (late) begin
        state <= listen;
      end
    end
    if (state == adding) begin
      step <= step + 2'd1;
      sum <= summed[15:0] + {15'd0, summed[16]};
      if (step == 2'd2) begin
        state <= heading;
      end
    end
    if (answer) begin
      state <= answering;
    end
    if (answers && sent) begin
      state <= listen;
    end
    if (reset) begin
      state <= listen;
    end
  end
endmodule

// What the eight bits that leave the register leave in it.
module crc32_byte (
  input  wire [7:0]  x,
  output wire [31:0] y
);
  assign y[0] = x[2];
  assign y[1] = x[0] ^ x[3];
  assign y[2] = x[0] ^ x[1] ^ x[4];
  assign y[3] = x[1] ^ x[2] ^ x[5];
  assign y[4] = x[0] ^ x[2] ^ x[3] ^ x[6];
  assign y[5] = x[1] ^ x[3] ^ x[4] ^ x[7];
  assign y[6] = x[4] ^ x[5];
  assign y[7] = x[0] ^ x[5] ^ x[6];
  assign y[8] = x[1] ^ x[6] ^ x[7];
  assign y[9] = x[7];
  assign y[10] = x[2];
  assign y[11] = x[3];
  assign y[12] = x[0] ^ x[4];
  assign y[13] = x[0] ^ x[1] ^ x[5];
  assign y[14] = x[1] ^ x[2] ^ x[6];
  assign y[15] = x[2] ^ x[3] ^ x[7];
  assign y[16] = x[0] ^ x[2] ^ x[3] ^ x[4];
  assign y[17] = x[0] ^ x[1] ^ x[3] ^ x[4] ^ x[5];
  assign y[18] = x[0] ^ x[1] ^ x[2] ^ x[4] ^ x[5] ^ x[6];
  assign y[19] = x[1] ^ x[2] ^ x[3] ^ x[5] ^ x[6] ^ x[7];
  assign y[20] = x[3] ^ x[4] ^ x[6] ^ x[7];
  assign y[21] = x[2] ^ x[4] ^ x[5] ^ x[7];
  assign y[22] = x[2] ^ x[3] ^ x[5] ^ x[6];
  assign y[23] = x[3] ^ x[4] ^ x[6] ^ x[7];
  assign y[24] = x[0] ^ x[2] ^ x[4] ^ x[5] ^ x[7];
  assign y[25] = x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[5] ^ x[6];
  assign y[26] = x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[4] ^ x[6] ^ x[7];
  assign y[27] = x[1] ^ x[3] ^ x[4] ^ x[5] ^ x[7];
  assign y[28] = x[0] ^ x[4] ^ x[5] ^ x[6];
  assign y[29] = x[0] ^ x[1] ^ x[5] ^ x[6] ^ x[7];
  assign y[30] = x[0] ^ x[1] ^ x[6] ^ x[7];
  assign y[31] = x[1] ^ x[7];
endmodule

// CRC-32 of IEEE 802.3: the register after one more byte.
module crc32_step (
  input  wire [31:0] crc,    // register before the byte
  input  wire [7:0]  data,   // the byte
  output wire [31:0] stepped // register after it
);
  wire [7:0]  lowest_x;
  wire [31:0] lowest_y;

  crc32_byte lowest (
    .x (lowest_x),
    .y (lowest_y)
  );

  assign lowest_x = crc[7:0] ^ data;
  assign stepped = lowest_y ^ (crc >> 8);
endmodule

// Requests of accesses that are carried out exactly as meant or not at all, and the record of the last access.
// CRC-32 over either, a byte a clock: byte 1 is fetched in the first clock and run in the second, byte 15 in the sixteenth.
module bridge_mailbox (
  input  wire        clock,
  input  wire        reset,         // no request, and a record of nothing
  input  wire [2:0]  place,         // word of the request or record
  input  wire        keep,          // a word of the request is written
  input  wire [31:0] word,          // it, or what an access writes
  output reg  [31:0] fetched,       // word of the record
  input  wire        start,         // an access of a command begins
  input  wire        start_write,   // it writes
  input  wire [29:0] start_address, // its address in words
  input  wire        finish,        // the access is finished
  input  wire [1:0]  response,      // with this response, 0 or 2 or 3
  input  wire [31:0] read_data,     // and these data
  input  wire        checking,      // run the CRC
  input  wire        of_request,    // over the request and judge it, otherwise over the record
  output wire        over,          // the last clock of it
  output wire        good,          // the request is good; its access begins in the next clock
  output wire        write,         // the access writes
  output wire [10:0] address,       // its byte address, if it is one of the device
  output wire [31:0] data,          // what it writes
  output wire        outside        // no device is at its address
);
  localparam [167:0] keep_others_0      = 168'hfffffffffffffffffffffffffffffffffff;        // the other words
  localparam [167:0] keep_others_1      = 168'hfffffff0000000ffffffffffffffffffffffffffff; // the other words
  localparam [167:0] keep_others_2      = 168'hffffffffffffff0000000fffffffffffffffffffff; // the other words
  localparam [167:0] keep_others_3      = 168'hfffffffffffffffffffff0000000ffffffffffffff; // the other words
  localparam [167:0] keep_others_4      = 168'hffffffffffffffffffffffffffff0000000fffffff; // the other words
  localparam [167:0] keep_others_5      = 168'hfffffffffffffffffffffffffffffffffff0000000; // the other words
  localparam [7:0]   request_mark       = 8'hb1;
  localparam [7:0]   record_mark        = 8'hb2;
  localparam [31:0]  after_request_mark = 32'h919b9368;                                    // the CRC after the mark
  localparam [31:0]  after_record_mark  = 32'h892c2d2;                                     // the CRC after the mark
  localparam [31:0]  check_at_reset     = 32'hc6fec621;
  localparam [167:0] no_request         = 168'd0;
  localparam [5:0]   no_marks           = 6'd0;
  localparam [15:0]  no_tag             = 16'd0;
  localparam [1:0]   okay               = 2'd0;
  localparam [1:0]   decode_error       = 2'd3;
  localparam [31:0]  zero               = 32'd0;
  localparam [4:0]   first              = 5'd1;

  reg [167:0] request;    // what the words carry, the first word highest
  reg [5:0]   marked;     // bit i: every byte of word i has its top bit
  reg         framed;     // the request is one by all but check and count
  reg         expected;   // it expects the record's count
  reg [15:0]  tag;
  reg         write_r;
  reg [1:0]   response_r;
  reg [31:0]  count;
  reg [31:0]  address_r;
  reg         outside_r;
  reg [31:0]  data_r;
  reg [31:0]  check;
  reg [4:0]   at;         // byte to be fetched while the CRC runs
  reg [7:0]   octet;
  reg [31:0]  crc;
  reg         right;      // the CRC was the request's check
  reg         complete;   // the CRC has run over the record
  reg         judging;    // it was, or was not, when the CRC had run over the request

  wire [27:0]  carried;
  wire [127:0] request_words;
  wire [127:0] record_words;
  wire [6:0]   from;
  wire         starting;
  wire [31:0]  step_stepped;
  wire [127:0] octet_term;
  wire [127:0] octet_term_2;

  crc32_step step (
    .crc     (crc),
    .data    (octet),
    .stepped (step_stepped)
  );

  assign octet_term = record_words >> from;
  assign octet_term_2 = request_words >> from;
  // request: seven bits of every byte
  assign carried = {word[30:24], word[22:16], word[14:8], word[6:0]};
  assign request_words = request[167:40];

  // record
  assign record_words = {record_mark, tag, 5'd0, response_r, write_r, count, address_r, data_r};

  // check: the first byte is the mark
  assign from = {3'd0, ~at[3:0]} << 3;
  assign starting = at == first;
  assign over = (checking && !of_request && (at == 5'd16)) || (checking && judging);
  assign good = checking && judging && framed && expected && right;
  assign write = write_r;
  assign address = address_r[10:0];
  assign data = data_r;
  assign outside = outside_r;

  initial begin
    request = 168'd0;
    marked = 6'd0;
    framed = 1'b0;
    expected = 1'b0;
    tag = 16'd0;
    write_r = 1'b0;
    response_r = 2'd0;
    count = 32'd0;
    address_r = 32'd0;
    outside_r = 1'b0;
    data_r = 32'd0;
    check = 32'hc6fec621;
    at = 5'd1;
    octet = 8'd0;
    crc = 32'd0;
    right = 1'b0;
    complete = 1'b0;
    judging = 1'b0;
  end

  always @* begin
    fetched = record_words[127:96];
    if (place == 3'd1) begin
      fetched = count;
    end
    if (place == 3'd2) begin
      fetched = address_r;
    end
    if (place == 3'd3) begin
      fetched = data_r;
    end
    if (place == 3'd4) begin
      fetched = check;
    end
  end

  always @(posedge clock) begin
    if (keep && (place == 3'd0)) begin
      request <= (request & keep_others_0) | ({140'd0, carried} << 140);
      marked <= {marked[5:1], word[31] && word[23] && word[15] && word[7]};
    end
    if (keep && (place == 3'd1)) begin
      request <= (request & keep_others_1) | ({140'd0, carried} << 112);
      marked <= {marked[5:2], word[31] && word[23] && word[15] && word[7], marked[0]};
    end
    if (keep && (place == 3'd2)) begin
      request <= (request & keep_others_2) | ({140'd0, carried} << 84);
      marked <= {marked[5:3], word[31] && word[23] && word[15] && word[7], marked[1:0]};
    end
    if (keep && (place == 3'd3)) begin
      request <= (request & keep_others_3) | ({140'd0, carried} << 56);
      marked <= {marked[5:4], word[31] && word[23] && word[15] && word[7], marked[2:0]};
    end
    if (keep && (place == 3'd4)) begin
      request <= (request & keep_others_4) | ({140'd0, carried} << 28);
      marked <= {marked[5], word[31] && word[23] && word[15] && word[7], marked[3:0]};
    end
    if (keep && (place == 3'd5)) begin
      request <= (request & keep_others_5) | {140'd0, carried};
      marked <= {word[31] && word[23] && word[15] && word[7], marked[4:0]};
    end
    framed <= (&marked) && !(|request[7:0]) && (request_words[127:120] == request_mark) && !(|request_words[103:97]);
    expected <= request_words[31:0] == count;
    octet <= octet_term[7:0];
    if (of_request) begin
      octet <= octet_term_2[7:0];
    end
    crc <= step_stepped;
    if (starting) begin
      crc <= after_record_mark;
      if (of_request) begin
        crc <= after_request_mark;
      end
    end
    at <= first;
    if (checking) begin
      at <= at + 5'd1;
    end
    right <= ~crc == request[39:8];
    judging <= checking && of_request && (at == 5'd17);
    complete <= checking && !of_request && (at == 5'd16);
    if (complete) begin
      check <= ~crc;
    end

    // access: nobody sees the record before it is finished
    if (start) begin
      tag <= no_tag;
      write_r <= start_write;
      address_r <= {2'd0, start_address} << 2;
      outside_r <= |start_address[29:9];
      data_r <= word;
    end
    if (good) begin
      tag <= request_words[119:104];
      write_r <= request_words[96];
      address_r <= request_words[95:64];
      outside_r <= |request_words[95:75];
      data_r <= request_words[63:32];
    end
    if (finish) begin
      count <= count + 32'd1;
      response_r <= response;
      if (outside_r) begin
        response_r <= decode_error;
      end
      if (!write_r) begin
        data_r <= read_data;
      end
    end
    if (reset) begin
      request <= no_request;
      marked <= no_marks;
      tag <= no_tag;
      write_r <= 1'b0;
      response_r <= okay;
      count <= zero;
      address_r <= zero;
      data_r <= zero;
      check <= check_at_reset;
      at <= first;
      complete <= 1'b0;
      judging <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, octet_term[127:8], octet_term_2[127:8]};
endmodule

// Accesses of the host port: to its mailbox, or over AXI4-Lite with an end to waiting.
module host_access (
  input  wire        clock,
  input  wire        reset,   // no access, and a record of nothing
  input  wire        start,   // an access; not while one is made, nor while stuck
  input  wire        write,   // it writes
  input  wire [29:0] address, // its address in words
  input  wire [31:0] word,    // what it writes
  output wire        done,    // it is made
  output wire        late,    // with done: there was no response in time
  output wire [31:0] data,    // with done: what was read
  output wire        stuck,   // the bus owes a response
  output wire        awvalid, // registers, AXI4-Lite
  input  wire        awready,
  output wire [10:0] awaddr,  // byte address
  output wire        wvalid,
  input  wire        wready,
  output wire [31:0] wdata,
  output wire [3:0]  wstrb,
  input  wire        bvalid,
  output wire        bready,
  input  wire [1:0]  bresp,
  output wire        arvalid,
  input  wire        arready,
  output wire [10:0] araddr,  // byte address
  input  wire        rvalid,
  output wire        rready,
  input  wire [31:0] rdata,
  input  wire [1:0]  rresp
);
  localparam [1:0]  idle            = 2'd0;        // IDLE
  localparam [1:0]  bus             = 2'd1;        // BUS
  localparam [1:0]  check           = 2'd2;        // CHECK
  localparam [1:0]  none            = 2'd1;        // no response
  localparam [25:0] mailbox_address = 26'h2969694; // of 16 words
  localparam [3:0]  all_strobes     = 4'd15;
  localparam [31:0] zero            = 32'd0;
  localparam [10:0] no_age          = 11'd0;

  reg [1:0]  state;
  reg        requested;    // the check is that of a request
  reg        open;         // an access is on the bus
  reg        address_sent; // the device has the address
  reg        data_sent;    // the device has the data
  reg [10:0] age;          // clocks on the bus
  reg        done_r;
  reg        late_r;
  reg [31:0] data_r;

  wire        in_bus;
  wire        in_check;
  wire        at_mailbox;
  wire        of_request;
  wire        of_record;
  wire        begins;       // an access to the device begins in the next clock
  wire        answered;     // its response is here
  wire        finished;
  reg  [1:0]  response;
  reg  [31:0] read_data;
  wire        mail_keep;
  wire [31:0] mail_fetched;
  wire        mail_start;
  wire        mail_over;
  wire        mail_good;
  wire        mail_write;
  wire [10:0] mail_address;
  wire [31:0] mail_data;
  wire        mail_outside;

  // check
  bridge_mailbox mail (
    .clock         (clock),
    .reset         (reset),
    .place         (address[2:0]),
    .keep          (mail_keep),
    .word          (word),
    .fetched       (mail_fetched),
    .start         (mail_start),
    .start_write   (write),
    .start_address (address),
    .finish        (finished),
    .response      (response),
    .read_data     (read_data),
    .checking      (in_check),
    .of_request    (requested),
    .over          (mail_over),
    .good          (mail_good),
    .write         (mail_write),
    .address       (mail_address),
    .data          (mail_data),
    .outside       (mail_outside)
  );

  assign in_bus = state == bus;
  assign in_check = state == check;

  // to the mailbox, or over the bus
  assign at_mailbox = address[29:4] == mailbox_address;
  assign of_request = at_mailbox && write && (address[3:0] < 4'd6);
  assign of_record = at_mailbox && !write && (address[3:0] >= 4'd8) && (address[3:0] < 4'd13);
  assign mail_keep = start && of_request;
  assign mail_start = start && !of_request && !of_record;
  assign begins = mail_good || (start && !of_request && !of_record);

  // bus
  assign awvalid = open && mail_write && !mail_outside && !address_sent;
  assign wvalid = open && mail_write && !mail_outside && !data_sent;
  assign arvalid = open && !mail_write && !mail_outside && !address_sent;
  assign awaddr = mail_address;
  assign araddr = mail_address;
  assign wdata = mail_data;
  assign wstrb = all_strobes;
  assign bready = open && mail_write;
  assign rready = open && !mail_write;
  assign answered = open && ((mail_write && bvalid) || (!mail_write && rvalid));
  assign finished = in_bus && (mail_outside || answered || age[10]);
  assign done = done_r;
  assign late = late_r;
  assign data = data_r;
  assign stuck = open;

  initial begin
    state = 2'd0;
    requested = 1'b0;
    open = 1'b0;
    address_sent = 1'b0;
    data_sent = 1'b0;
    age = 11'd0;
    done_r = 1'b0;
    late_r = 1'b0;
    data_r = 32'd0;
  end

  always @* begin
    response = none;
    read_data = zero;
    if (answered) begin
      response = rresp;
      if (mail_write) begin
        response = bresp;
      end else if (!(|rresp)) begin
        read_data = rdata;
      end
    end
  end

  always @(posedge clock) begin
    done_r <= 1'b0;
    if (start) begin
      late_r <= 1'b0;
      requested <= 1'b1;
      state <= bus;
      if (of_request) begin
        state <= idle;
        done_r <= 1'b1;
        if (address[2:0] == 3'd5) begin
          state <= check;
          done_r <= 1'b0;
        end
      end
      if (of_record) begin
        state <= idle;
        done_r <= 1'b1;
        data_r <= mail_fetched;
      end
    end
    address_sent <= address_sent || (awvalid && awready) || (arvalid && arready);
    data_sent <= data_sent || (wvalid && wready);
    age <= age + 11'd1;
    if (answered || (in_bus && mail_outside)) begin
      open <= 1'b0;
    end
    if (finished) begin
      requested <= 1'b0;
      data_r <= read_data;
      late_r <= !mail_outside && !answered;
      state <= check;
    end
    if (mail_over) begin
      state <= idle;
      done_r <= 1'b1;
      if (mail_good) begin
        state <= bus;
        done_r <= 1'b0;
      end
    end
    if (begins) begin
      open <= 1'b1;
      address_sent <= 1'b0;
      data_sent <= 1'b0;
      age <= no_age;
    end
    if (reset) begin
      state <= idle;
      open <= 1'b0;
      done_r <= 1'b0;
    end
  end
endmodule

// Gives an answer: its head from the row, its payload from the memory.
module host_answer (
  input  wire        clock,
  input  wire        reset,   // no answer
  input  wire        start,   // an answer; not while there is one
  input  wire [9:0]  bytes,   // of so many bytes
  input  wire        packet,  // of Etherbone
  input  wire        probe,   // to a probe
  input  wire [7:0]  reads,   // words that were read
  input  wire [7:0]  first,   // first byte of the row
  output wire        give,    // it is taken
  output wire [6:0]  place,   // word of the payload, two clocks ahead
  input  wire [31:0] payload, // the word
  output wire        tvalid,  // the answer
  input  wire        tready,
  output reg  [7:0]  tdata,
  output wire        tlast,
  output wire        sent     // its last byte is taken
);
  localparam [5:0]  head_bytes   = 6'd42;
  localparam [31:0] probe_start  = 32'h4e6f1244; // header of the answer to a probe
  localparam [31:0] packet_start = 32'h4e6f1044; // header of a packet
  localparam [31:0] record       = 32'hf0000;    // record of writes
  localparam [31:0] zero         = 32'd0;
  localparam [9:0]  none         = 10'd0;
  localparam [6:0]  no_place     = 7'd0;
  localparam [1:0]  fresh        = 2'd0;

  reg [9:0]  left;      // bytes to be given
  reg [5:0]  head_left; // of those, of the head
  reg [6:0]  place_r;
  reg [31:0] word;      // the next byte highest
  reg [1:0]  spent;     // bytes of it that are given

  wire        taken;
  wire        in_head;
  wire        load;    // the next word's turn comes
  reg  [31:0] next;

  assign tvalid = |left;
  assign taken = tvalid && tready;
  assign in_head = |head_left;
  assign give = taken && in_head;
  assign tlast = left == 10'd1;
  assign sent = taken && tlast;
  assign load = taken && ((head_left == 6'd1) || (!in_head && (&spent)));
  assign place = place_r;

  initial begin
    left = 10'd0;
    head_left = 6'd0;
    place_r = 7'd0;
    word = 32'd0;
    spent = 2'd0;
  end

  always @* begin
    tdata = word[31:24];
    if (in_head) begin
      tdata = first;
    end
  end

  always @* begin
    // the word that is next
    next = payload;
    if (packet && (place_r == 7'd0)) begin
      next = packet_start;
      if (probe) begin
        next = probe_start;
      end
    end
    if (packet && (place_r == 7'd1)) begin
      next = zero;
    end
    if (packet && (place_r == 7'd2)) begin
      next = record | ({24'd0, reads} << 8);
      if (probe) begin
        next = zero;
      end
    end
  end

  always @(posedge clock) begin
    if (taken) begin
      left <= left - 10'd1;
      spent <= spent + 2'd1;
      word <= word << 8;
      if (in_head) begin
        head_left <= head_left - 6'd1;
      end
    end
    if (load) begin
      word <= next;
      spent <= fresh;
      place_r <= place_r + 7'd1;
    end
    if (start) begin
      left <= bytes;
      head_left <= head_bytes;
      place_r <= no_place;
    end
    if (reset) begin
      left <= none;
    end
  end
endmodule

// Answers between the frames of a stream, whole ones each.
module reply_merge (
  input  wire       clock,
  input  wire       reset,    // no frame is under way
  input  wire       s_tvalid, // frames that pass
  output wire       s_tready,
  input  wire [7:0] s_tdata,
  input  wire       s_tlast,
  input  wire       a_tvalid, // answers
  output wire       a_tready,
  input  wire [7:0] a_tdata,
  input  wire       a_tlast,
  output reg        m_tvalid, // both
  input  wire       m_tready,
  output reg  [7:0] m_tdata,
  output reg        m_tlast
);
  reg own;  // the next frame is an answer, or it is one
  reg open; // a frame is under way

  wire gives;

  assign s_tready = m_tready && !own;
  assign a_tready = m_tready && own;
  assign gives = m_tvalid && m_tready;

  initial begin
    own = 1'b0;
    open = 1'b0;
  end

  always @* begin
    m_tvalid = s_tvalid;
    m_tdata = s_tdata;
    m_tlast = s_tlast;
    if (own) begin
      m_tvalid = a_tvalid;
      m_tdata = a_tdata;
      m_tlast = a_tlast;
    end
  end

  always @(posedge clock) begin
    if (gives) begin
      open <= !m_tlast;
      if (m_tlast) begin
        own <= a_tvalid && !own;
      end
    end else if (!m_tvalid && !open) begin
      own <= a_tvalid;
    end
    if (reset) begin
      own <= 1'b0;
      open <= 1'b0;
    end
  end
endmodule

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
