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
