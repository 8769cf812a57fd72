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
