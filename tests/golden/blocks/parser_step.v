// The parser's state after one more word, which is read only if the parser stands at it.
module parser_step (
  input  wire [88:0]  state,
  input  wire [109:0] facts,       // of the word
  input  wire [31:0]  look,        // what it is to the parser
  output reg  [88:0]  stepped,
  output wire         header,      // the word is read as one of the IP header
  output wire         six_header,  // of version 6
  output wire [3:0]   header_step, // which one
  output wire         ports,       // the word is read as the ports
  output wire         hops_4,      // the word is read as that of TTL and checksum
  output wire         hops_6       // as that of the hop limit
);
  localparam [2:0] tag                 = 3'd1;
  localparam [2:0] labelled            = 3'd2;
  localparam [2:0] other_type          = 3'd0;
  localparam [2:0] ipv4                = 3'd3;
  localparam [2:0] ipv6                = 3'd4;
  localparam [3:0] type_mode           = 4'd0;
  localparam [3:0] label_mode          = 4'd1;
  localparam [3:0] version_mode        = 4'd2;
  localparam [3:0] ip_mode             = 4'd3;
  localparam [3:0] options_mode        = 4'd4;
  localparam [3:0] authentication_mode = 4'd5;
  localparam [3:0] fragment_mode       = 4'd6;
  localparam [3:0] ports_mode          = 4'd7;
  localparam [3:0] end_mode            = 4'd8;
  localparam [1:0] no_ip               = 2'd0;
  localparam [1:0] ip                  = 2'd1;
  localparam [1:0] malformed           = 2'd2;
  localparam [1:0] too_deep            = 2'd3;
  localparam [2:0] hops_kind           = 3'd1;
  localparam [2:0] options_kind        = 3'd2;
  localparam [2:0] fragment_kind       = 3'd3;
  localparam [2:0] authentication_kind = 3'd4;
  localparam [2:0] ports_kind          = 3'd5;

  reg  [3:0]  mode;           // what the next word is read as
  reg  [3:0]  step;           // word within the IP header
  reg  [1:0]  ending;
  wire        six;
  reg         six_next;
  wire        in_ip;          // within an IP packet
  reg  [4:0]  ip_place;       // word it begins with
  reg  [15:0] length;         // its total or payload length
  reg  [9:0]  ipv4_end;       // word behind the IPv4 header
  reg         ipv4_end_deep;  // which is not read any more
  wire        fragment;
  reg  [5:0]  dscp;
  reg  [15:0] checksum;
  wire [88:0] packed_;
  wire        header_follows; // a header follows, of which words are read
  reg         goes_on;        // another word is read, unless it is too deep
  wire        reads;
  wire        in_header;
  wire        first;
  wire        reads_hops_4;
  wire        reads_hops_6;
  wire        stranger;
  wire        fits;
  wire        leaves;
  wire        from_ipv6;
  wire        deep;

  assign reads = look[0];
  assign six = look[1];
  assign first = look[2];
  assign fits = look[3];
  assign stranger = look[4];
  assign leaves = look[5];
  assign from_ipv6 = look[6];
  assign deep = look[7];
  assign fragment = look[18];
  assign in_header = state[3:0] == ip_mode;
  assign reads_hops_4 = look[30];
  assign reads_hops_6 = look[31];

  // whether another word is read, decided in parallel with mode, whose path is longer
  assign header_follows = !fragment && ((look[29:27] == authentication_kind) || (look[29:27] == ports_kind) || (six && ((look[29:27] == options_kind) || (look[29:27] == fragment_kind) || ((look[29:27] == hops_kind) && from_ipv6))));
  assign in_ip = state[21] || first;
  assign packed_ = {state[88] || reads_hops_4 || reads_hops_6, checksum, dscp, look[29:27], look[26:19], fragment, ipv4_end_deep, ipv4_end, length, ip_place, in_ip, six_next, ending, look[17:8], step, mode};

  // what it is to the key
  assign header = reads && in_header;
  assign six_header = six;
  assign header_step = state[7:4];
  assign ports = reads && (state[3:0] == ports_mode);
  assign hops_4 = reads && reads_hops_4;
  assign hops_6 = reads && reads_hops_6;

  always @* begin
    // what it says
    length = state[42:27];
    if (reads_hops_6) begin
      length = facts[31:16];
    end

    // what a first word says; IPv6 says its length in the next one
    step = state[7:4] + 4'd1;
    ip_place = state[26:22];
    ipv4_end = state[52:43];
    ipv4_end_deep = state[53];
    dscp = state[71:66];
    if (!in_header && !first) begin
      step = 4'd0;
    end
    if (first) begin
      step = 4'd1;
      ip_place = facts[53:49];
      ipv4_end = facts[73:64];
      ipv4_end_deep = facts[105];
      dscp = facts[23:18];
      if (!six) begin
        length = facts[15:0];
      end
    end
  end

  always @* begin
    checksum = state[87:72];
    if (reads_hops_4) begin
      checksum = facts[15:0];
    end
  end

  always @* begin
    // what it is read as
    mode = state[3:0];
    ending = no_ip;
    if (state[3:0] == type_mode) begin
      mode = end_mode;
      if (facts[43:41] == tag) begin
        mode = type_mode;
      end
      if (facts[43:41] == labelled) begin
        mode = label_mode;
      end
      if ((facts[43:41] == ipv4) || (facts[43:41] == ipv6)) begin
        mode = ip_mode;
      end
    end
    if ((state[3:0] == label_mode) && facts[8]) begin
      mode = version_mode;
    end
    if (first) begin
      mode = ip_mode;
      if (!fits) begin
        mode = end_mode;
        ending = malformed;
      end
    end
    if (stranger) begin
      mode = end_mode;
    end
    if (leaves) begin
      mode = end_mode;
      ending = ip;
      if (!fragment) begin
        if (look[29:27] == authentication_kind) begin
          mode = authentication_mode;
        end
        if (look[29:27] == ports_kind) begin
          mode = ports_mode;
        end
        if (six) begin
          if (look[29:27] == options_kind) begin
            mode = options_mode;
          end
          if (look[29:27] == fragment_kind) begin
            mode = fragment_mode;
          end
          if (look[29:27] == hops_kind) begin
            ending = malformed;
            if (from_ipv6) begin
              mode = options_mode;
            end
          end
        end
      end
    end
    if (state[3:0] == ports_mode) begin
      mode = end_mode;
      ending = ip;
    end
    if (deep) begin
      mode = end_mode;
      if (goes_on) begin
        ending = too_deep;
      end
    end
  end

  always @* begin
    goes_on = !stranger && (!first || fits);
    if (state[3:0] == type_mode) begin
      goes_on = facts[43:41] != other_type;
    end
    if (leaves) begin
      goes_on = header_follows;
    end
    if (state[3:0] == ports_mode) begin
      goes_on = 1'b0;
    end
  end

  always @* begin
    six_next = six;
    if (state[3:0] == type_mode) begin
      six_next = facts[43:41] == ipv6;
    end
  end

  always @* begin
    stepped = state;
    if (reads) begin
      stepped = packed_;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, facts[40:32], facts[48:44], facts[63:54], facts[104:74], facts[109:106]};
endmodule
