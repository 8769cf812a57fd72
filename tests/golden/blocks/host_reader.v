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
