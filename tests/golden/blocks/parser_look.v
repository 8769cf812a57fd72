// What a word is to the parser, which reads it only if it stands at it, and where the parser goes from there.
module parser_look (
  input  wire [88:0]  state,
  input  wire [109:0] facts, // of the word
  output wire [31:0]  look
);
  localparam [3:0] version_mode        = 4'd2;
  localparam [3:0] ip_mode             = 4'd3;
  localparam [3:0] options_mode        = 4'd4;
  localparam [3:0] authentication_mode = 4'd5;
  localparam [3:0] fragment_mode       = 4'd6;
  localparam [3:0] end_mode            = 4'd8;

  wire       reads;
  wire       in_header;
  reg        six;         // IP version 6
  reg        first;       // of an IP header
  reg        stranger;    // behind labels, no IP
  reg        fits;
  reg        leaves;      // a header behind which another may stand is read
  reg        from_ipv6;   // the IPv6 header itself
  reg        deep;        // the next word is not read any more
  reg  [9:0] at;          // next word that is read
  reg        fragment;    // not the first one
  reg  [7:0] next_number; // of the header that follows
  reg  [2:0] kind;        // how it is read
  wire       checksum;    // the word of an IPv4 header with TTL and checksum
  wire       length_6;    // that of an IPv6 header with payload length and hop limit

  // the word is read if the frame has it and the parser stands at it
  assign reads = facts[109] && (state[3:0] != end_mode) && (state[12:8] == facts[53:49]);
  assign in_header = state[3:0] == ip_mode;
  assign checksum = in_header && !six && (state[7:4] == 4'd2);
  assign length_6 = in_header && six && (state[7:4] == 4'd1);
  assign look = {length_6, checksum, kind, next_number, fragment, at, deep, from_ipv6, leaves, stranger, fits, first, six, reads};

  always @* begin
    six = state[20];
    first = in_header && !(|state[7:4]);
    stranger = 1'b0;
    if (state[3:0] == version_mode) begin
      six = facts[45];
      first = facts[44] || facts[45];
      stranger = !facts[44] && !facts[45];
    end
  end

  always @* begin
    fits = facts[46];
    if (six) begin
      fits = facts[45];
    end
  end

  always @* begin
    // where the next word stands, and whether another header does
    at = facts[63:54];
    deep = facts[104];
    leaves = 1'b0;
    from_ipv6 = 1'b0;
    kind = state[65:63];
    next_number = state[62:55];
    fragment = state[54];
    if (in_header && !six) begin
      if (state[7:4] == 4'd1) begin
        fragment = facts[47];
      end
      if (checksum) begin
        next_number = facts[23:16];
        kind = facts[37:35];
      end
      if (state[7:4] == 4'd4) begin
        leaves = 1'b1;
        at = state[52:43];
        deep = state[53];
      end
    end
    if (in_header && six) begin
      if (length_6) begin
        next_number = facts[15:8];
        kind = facts[40:38];
      end
      if (state[7:4] == 4'd9) begin
        leaves = 1'b1;
        from_ipv6 = 1'b1;
      end
    end
    if (state[3:0] == options_mode) begin
      leaves = 1'b1;
      at = facts[83:74];
      deep = facts[106];
    end
    if (state[3:0] == authentication_mode) begin
      leaves = 1'b1;
      at = facts[93:84];
      deep = facts[107];
    end
    if (state[3:0] == fragment_mode) begin
      leaves = 1'b1;
      at = facts[103:94];
      deep = facts[108];
      fragment = facts[48];
    end
    if (leaves && !in_header) begin
      next_number = facts[31:24];
      kind = facts[34:32];
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, state[19:13], state[42:21], state[88:66], facts[7:0], facts[43:41], facts[73:64], facts[105]};
endmodule
