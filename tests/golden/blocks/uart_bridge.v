// UART to AXI4-Lite: LiteX's uartbone, and a mailbox for accesses that are carried out exactly as meant or not at all.
// COMMAND, DATA, ACCESS, BUS, CHECK, NEXT, ANSWER: card.md.
module uart_bridge (
  input  wire        clock,
  input  wire        reset,   // no command, nothing in the queue
  input  wire        uart_rx, // line from the host
  output wire        uart_tx, // line to the host
  output wire        awvalid, // registers, AXI4-Lite
  input  wire        awready,
  output wire [8:0]  awaddr,  // byte address
  output wire        wvalid,
  input  wire        wready,
  output wire [31:0] wdata,
  output wire [3:0]  wstrb,
  input  wire        bvalid,
  output wire        bready,
  input  wire [1:0]  bresp,
  output wire        arvalid,
  input  wire        arready,
  output wire [8:0]  araddr,  // byte address
  input  wire        rvalid,
  output wire        rready,
  input  wire [31:0] rdata,
  input  wire [1:0]  rresp
);
  localparam [2:0]  command         = 3'd0;        // COMMAND
  localparam [2:0]  data            = 3'd1;        // DATA
  localparam [2:0]  access          = 3'd2;        // ACCESS
  localparam [2:0]  bus             = 3'd3;        // BUS
  localparam [2:0]  check           = 3'd4;        // CHECK
  localparam [2:0]  next            = 3'd5;        // NEXT
  localparam [2:0]  answering       = 3'd6;        // ANSWER
  localparam [2:0]  none            = 3'd0;
  localparam [25:0] mailbox_address = 26'h2969694; // of 16 words
  localparam [3:0]  all_strobes     = 4'd15;
  localparam [31:0] zero            = 32'd0;
  localparam [24:0] in_time         = 25'hbebc1f;  // one less than the clocks until a command is late
  localparam [7:0]  sync_byte       = 8'd22;
  localparam [2:0]  no_run          = 3'd0;

  reg [2:0]  state;
  reg [2:0]  collected;    // bytes of the command, of a word, or of the answer
  reg        begun;        // some of a command is collected
  reg        writes;       // command 1 or 3
  reg        reads;        // command 2 or 4
  reg        rising;       // command 1 or 2
  reg [7:0]  left;         // words to come
  reg [29:0] address;      // of the word, in words
  reg [31:0] word;         // what is written
  reg [31:0] answer;       // what was read, the next byte highest
  reg        requested;    // the check is that of a request
  reg        address_sent; // the device has the address
  reg        data_sent;    // the device has the data
  reg [24:0] until_late;   // clocks, less one, until the command is late; then negative
  reg [2:0]  run;          // synchronisation bytes taken in a row, as far as they are counted
  reg        lost;         // a byte was dropped: nothing is understood until a run of synchronisation bytes or silence
  reg        acts;         // the byte taken in the clock before takes effect
  reg        of_request;
  reg        of_record;
  reg        decoded;      // of_request and of_record are those of this access
  reg        answered;     // the device has answered
  reg [31:0] read_word;    // with this
  reg [1:0]  response;     // and this response

  wire        collecting;        // bytes are taken
  wire        synced;            // the last byte of a run of synchronisation bytes, or one behind it, takes effect
  wire        in_command;
  wire        in_data;
  wire        in_access;
  wire        in_bus;
  wire        in_check;
  wire        in_next;
  wire        in_answer;
  wire        late;
  wire        take;              // the byte at the queue's head is taken
  wire        at_mailbox;
  wire        acting;            // the second clock of an access
  wire        finished;
  reg  [31:0] read_data;
  wire        sending;
  wire        receiver_received;
  wire [7:0]  receiver_data;
  wire        queue_any;
  wire [7:0]  queue_head;
  wire        queue_dropped;
  wire        transmitter_idle;
  wire        transmitter_line;
  wire        mail_keep;
  wire [31:0] mail_fetched;
  wire        mail_start;
  wire        mail_over;
  wire        mail_good;
  wire        mail_write;
  wire [8:0]  mail_address;
  wire [31:0] mail_data;
  wire        mail_outside;

  // line
  uart_receiver receiver (
    .clock    (clock),
    .reset    (reset),
    .line     (uart_rx),
    .received (receiver_received),
    .data     (receiver_data)
  );

  byte_queue queue (
    .clock    (clock),
    .reset    (reset),
    .received (receiver_received),
    .data     (receiver_data),
    .take     (take),
    .any      (queue_any),
    .head     (queue_head),
    .dropped  (queue_dropped)
  );

  uart_transmitter transmitter (
    .clock (clock),
    .reset (reset),
    .load  (sending),
    .data  (answer[31:24]),
    .idle  (transmitter_idle),
    .line  (transmitter_line)
  );

  // check, then the answer or the next word
  bridge_mailbox mail (
    .clock         (clock),
    .reset         (reset),
    .place         (address[2:0]),
    .keep          (mail_keep),
    .word          (word),
    .fetched       (mail_fetched),
    .start         (mail_start),
    .start_write   (writes),
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

  // state
  assign in_command = state == command;
  assign in_data = state == data;
  assign in_access = state == access;
  assign in_bus = state == bus;
  assign in_check = state == check;
  assign in_next = state == next;
  assign in_answer = state == answering;
  assign collecting = in_command || in_data;
  assign late = (begun || lost) && collecting && until_late[24] && !acts;
  assign take = queue_any && collecting && !late;
  assign synced = acts && (queue_head == sync_byte) && (&run);

  // access: to the mailbox, or over the bus; decoded in its first clock
  assign at_mailbox = address[29:4] == mailbox_address;
  assign acting = in_access && decoded;
  assign mail_keep = acting && of_request;
  assign mail_start = acting && !of_request && !of_record;

  // bus
  assign awvalid = in_bus && mail_write && !mail_outside && !address_sent;
  assign wvalid = in_bus && mail_write && !mail_outside && !data_sent;
  assign arvalid = in_bus && !mail_write && !mail_outside && !address_sent;
  assign awaddr = mail_address;
  assign araddr = mail_address;
  assign wdata = mail_data;
  assign wstrb = all_strobes;
  assign bready = in_bus && mail_write;
  assign rready = in_bus && !mail_write;
  assign finished = in_bus && (mail_outside || answered);
  assign sending = in_answer && transmitter_idle;
  assign uart_tx = transmitter_line;

  initial begin
    state = 3'd0;
    collected = 3'd0;
    begun = 1'b0;
    writes = 1'b0;
    reads = 1'b0;
    rising = 1'b0;
    left = 8'd0;
    address = 30'd0;
    word = 32'd0;
    answer = 32'd0;
    requested = 1'b0;
    address_sent = 1'b0;
    data_sent = 1'b0;
    until_late = 25'hbebc1f;
    run = 3'd0;
    lost = 1'b0;
    acts = 1'b0;
    of_request = 1'b0;
    of_record = 1'b0;
    decoded = 1'b0;
    answered = 1'b0;
    read_word = 32'd0;
    response = 2'd0;
  end

  always @* begin
    read_data = zero;
    if (!mail_outside && !(|response)) begin
      read_data = read_word;
    end
  end

  always @(posedge clock) begin
    acts <= take;
    if ((!begun && !lost) || queue_dropped || (lost && (acts || !collecting))) begin
      until_late <= in_time;
    end else if (!until_late[24]) begin
      until_late <= until_late - 25'd1;
    end

    // command and data
    if (acts) begin
      collected <= collected + 3'd1;
    end
    if (acts && in_command) begin
      begun <= 1'b1;
      if (collected == 3'd0) begin
        writes <= (queue_head == 8'd1) || (queue_head == 8'd3);
        reads <= (queue_head == 8'd2) || (queue_head == 8'd4);
        rising <= (queue_head == 8'd1) || (queue_head == 8'd2);
      end else if (collected == 3'd1) begin
        left <= queue_head - 8'd1;
      end else begin
        address <= {address[21:0], queue_head};
      end
      if (collected == 3'd5) begin
        collected <= none;
        if (writes) begin
          state <= data;
        end else if (reads) begin
          state <= access;
        end else begin
          begun <= 1'b0;
        end
      end
    end
    if (acts && in_data) begin
      word <= {word[23:0], queue_head};
      if (collected == 3'd3) begin
        collected <= none;
        state <= access;
      end
    end

    // synchronisation, silence, and bytes behind one that was dropped
    if (acts && (queue_head != sync_byte)) begin
      run <= no_run;
    end else if (acts && !(&run)) begin
      run <= run + 3'd1;
    end
    if (late || synced || (lost && collecting)) begin
      state <= command;
      collected <= none;
      begun <= 1'b0;
    end
    lost <= queue_dropped || (lost && !late && !synced);
    of_request <= at_mailbox && writes && (address[3:0] < 4'd6);
    of_record <= at_mailbox && reads && (address[3:0] >= 4'd8) && (address[3:0] < 4'd13);
    decoded <= in_access && !decoded;
    if (acting) begin
      requested <= 1'b1;
      state <= bus;
      if (of_request) begin
        state <= next;
        if (address[2:0] == 3'd5) begin
          state <= check;
        end
      end
      if (of_record) begin
        state <= answering;
        answer <= mail_fetched;
      end
    end
    address_sent <= in_bus && (address_sent || (mail_write && awready) || (!mail_write && arready));
    data_sent <= in_bus && (data_sent || wready);
    answered <= in_bus && !answered && (bvalid || rvalid);
    read_word <= rdata;
    response <= rresp;
    if (mail_write) begin
      response <= bresp;
    end
    if (finished) begin
      requested <= 1'b0;
      answer <= read_data;
      address_sent <= 1'b0;
      data_sent <= 1'b0;
      state <= check;
    end
    if (mail_over) begin
      state <= next;
      if (mail_good) begin
        state <= bus;
      end else if (!requested && reads) begin
        state <= answering;
      end
    end
    if (sending) begin
      answer <= answer << 8;
      collected <= collected + 3'd1;
      if (collected == 3'd3) begin
        collected <= none;
        state <= next;
      end
    end
    if (in_next) begin
      left <= left - 8'd1;
      address <= address + {29'd0, rising};
      state <= access;
      if (writes) begin
        state <= data;
      end
      if (!(|left)) begin
        state <= command;
        begun <= 1'b0;
      end
    end
    if (reset) begin
      state <= command;
      collected <= none;
      begun <= 1'b0;
      address_sent <= 1'b0;
      data_sent <= 1'b0;
      answered <= 1'b0;
      decoded <= 1'b0;
      run <= no_run;
      lost <= 1'b0;
      acts <= 1'b0;
    end
  end
endmodule
