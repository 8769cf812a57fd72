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
