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
  input  wire        checking,      // run the CRC, until it is over
  input  wire        of_request,    // over the request and judge it, otherwise over the record
  output wire        over,          // the last clock of it
  output wire        good,          // the request is good; its access begins in the next clock
  output wire        write,         // the access writes
  output wire [8:0]  address,       // its byte address, if it is one of the device
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
  reg         ending;     // the last clock of a check of the record
  reg         complete;   // the CRC has run over the record
  reg         judging;    // the last clock of a check of the request: right is its judgement

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
  assign over = ending || judging;
  assign good = judging && framed && expected && right;
  assign write = write_r;
  assign address = address_r[8:0];
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
    ending = 1'b0;
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
    ending <= checking && !of_request && (at == 5'd15);
    complete <= ending;
    if (complete) begin
      check <= ~crc;
    end

    // access: nobody sees the record before it is finished
    if (start) begin
      tag <= no_tag;
      write_r <= start_write;
      address_r <= {2'd0, start_address} << 2;
      outside_r <= |start_address[29:7];
      data_r <= word;
    end
    if (good) begin
      tag <= request_words[119:104];
      write_r <= request_words[96];
      address_r <= request_words[95:64];
      outside_r <= |request_words[95:73];
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
      ending <= 1'b0;
      complete <= 1'b0;
      judging <= 1'b0;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, octet_term[127:8], octet_term_2[127:8]};
endmodule
