// What a word says whatever it is read as: the parser's step only chooses.
module word_facts (
  input  wire [31:0]  word,   // first byte highest
  input  wire [4:0]   place,  // its number: the four bytes from 4 place + 2 on
  input  wire [5:0]   second, // the number of the word behind the next one
  input  wire         whole,  // the frame has all four
  output wire [109:0] facts
);
  localparam [2:0]  no_ip           = 3'd0;
  localparam [2:0]  tag             = 3'd1;
  localparam [2:0]  label           = 3'd2;
  localparam [2:0]  ipv4            = 3'd3;
  localparam [2:0]  ipv6            = 3'd4;
  localparam [15:0] customer_tag    = 16'h8100;
  localparam [15:0] service_tag     = 16'h88a8;
  localparam [15:0] old_tag         = 16'h9100;
  localparam [15:0] unicast_label   = 16'h8847;
  localparam [15:0] multicast_label = 16'h8848;
  localparam [15:0] ipv4_type       = 16'h800;
  localparam [15:0] ipv6_type       = 16'h86dd;
  localparam [4:0]  unread          = 5'd31;    // word behind the last that is read

  reg  [2:0] ether;                 // what follows the type in bits 15:0
  wire       is_4;
  wire       is_6;
  wire       fits_4;                // the first word of an IPv4 header whose lengths agree
  wire [9:0] here;
  wire [9:0] behind_fragment;       // behind an extension of two words
  wire [9:0] next;
  wire [9:0] behind_ipv4;           // word behind an IPv4 header that begins here
  wire [9:0] behind_options;        // behind an extension of 8 (b + 1) bytes
  wire [9:0] behind_authentication; // behind one of 4 (b + 2) bytes
  wire       deep_next;
  wire       deep_ipv4;
  wire       deep_options;
  wire       deep_authentication;
  wire       deep_fragment;
  wire [2:0] high_kind;
  wire [2:0] middle_kind;
  wire [2:0] low_kind;

  // as one that says what follows, and where
  next_header high (
    .number (word[31:24]),
    .kind   (high_kind)
  );

  next_header middle (
    .number (word[23:16]),
    .kind   (middle_kind)
  );

  next_header low (
    .number (word[15:8]),
    .kind   (low_kind)
  );

  // as the first word of an IP header: of IPv4 at least five words, and a packet no shorter than its header
  assign is_4 = word[31:28] == 4'd4;
  assign is_6 = word[31:28] == 4'd6;
  assign fits_4 = is_4 && (word[27:24] >= 4'd5) && (word[15:2] >= {10'd0, word[27:24]});
  assign here = {5'd0, place};
  assign next = here + 10'd1;
  assign behind_ipv4 = here + {6'd0, word[27:24]};
  assign behind_fragment = {4'd0, second};
  assign behind_options = behind_fragment + ({2'd0, word[23:16]} << 1);
  assign behind_authentication = behind_fragment + {2'd0, word[23:16]};

  // which of them lie behind the last word that is read; a comparison by carry would follow the sum's
  assign deep_next = (|next[9:5]) || (next[4:0] == unread);
  assign deep_ipv4 = (|behind_ipv4[9:5]) || (behind_ipv4[4:0] == unread);
  assign deep_options = (|behind_options[9:5]) || (behind_options[4:0] == unread);
  assign deep_authentication = (|behind_authentication[9:5]) || (behind_authentication[4:0] == unread);
  assign deep_fragment = (|behind_fragment[9:5]) || (behind_fragment[4:0] == unread);
  assign facts = {whole, deep_fragment, deep_authentication, deep_options, deep_ipv4, deep_next, behind_fragment, behind_authentication, behind_options, behind_ipv4, next, place, |word[15:3], |word[12:0], fits_4, is_6, is_4, ether, low_kind, middle_kind, high_kind, word};

  always @* begin
    // as a type
    ether = no_ip;
    if ((word[15:0] == customer_tag) || (word[15:0] == service_tag) || (word[15:0] == old_tag)) begin
      ether = tag;
    end
    if ((word[15:0] == unicast_label) || (word[15:0] == multicast_label)) begin
      ether = label;
    end
    if (word[15:0] == ipv4_type) begin
      ether = ipv4;
    end
    if (word[15:0] == ipv6_type) begin
      ether = ipv6;
    end
  end
endmodule
