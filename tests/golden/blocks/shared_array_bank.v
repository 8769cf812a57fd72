// One array of 1024 words a half. An item's 4 probes are read one a clock, then written one a clock.
// One item at a time, so that no word is forwarded; refreshes take the clocks between items.
module shared_array_bank (
  input  wire        clock,
  input  wire        load,           // an item enters stage 0
  input  wire [14:0] position_0,     // position of its probe 0
  input  wire [14:0] position_1,     // position of its probe 1
  input  wire [14:0] position_2,     // position of its probe 2
  input  wire [14:0] position_3,     // position of its probe 3
  input  wire        ring_hold,      // the ring stands still: item in stages k to D - 2
  input  wire        store_hold,     // the words stand still: item in stages D - 2 and D - 1
  input  wire        direct,         // stage 0: a refresh or a fetch
  input  wire [9:0]  direct_address, // stage 0: its word
  input  wire        of_frozen_0,    // a fetch is of the frozen half
  input  wire        refreshing,     // stage 4: a refresh, to be written in stage 5
  input  wire        adding,         // it sets bits of a host
  input  wire [31:0] added,          // these
  input  wire        writing,        // stages D to D + k - 1: the item's word is written in the next clock
  input  wire        emptied,        // then: the item recycled, so that every word is empty
  input  wire        recycled,       // stage W: the slot recycled
  input  wire [3:0]  active_epoch,   // epoch of the active half
  input  wire        phase_0,        // which half is active
  input  wire [3:0]  frozen_epoch_0, // epoch of the other half
  output wire        in_active,      // stage i + 5: the bit of probe i in the active half
  output wire        in_frozen_0,    // stage i + 5: in the frozen half
  output wire        repeated,       // stage i + 5: an earlier probe has the same position
  output wire        full,           // every word of the active half bears its epoch
  output reg  [31:0] word_4          // stage 4: the word fetched; 0 if it does not bear its half's epoch
);
  localparam [31:0] no_word = 32'd0;

  reg [9:0]  address;
  reg [31:0] word;
  reg        bears;
  reg [31:0] frozen_word_0;
  reg        frozen_bears_0;
  reg        write;
  reg        touch;          // the word written bore another epoch
  reg [9:0]  write_address;
  reg [31:0] data;

  reg  [35:0] active_read;
  reg  [35:0] frozen_read_0;
  wire [3:0]  read_epoch;
  reg  [31:0] kept;
  reg  [31:0] kept_frozen_0;
  wire [9:0]  ring_word;
  wire [4:0]  ring_offset;
  wire        ring_word_repeated;
  wire        ring_bit_repeated;
  wire [31:0] ring_mask;
  wire [9:0]  refresh_line_q;
  wire [4:0]  offset_line_q;
  wire        repeated_line_q;
  wire        fresh_line_d;
  wire        fresh_line_q;
  wire [35:0] memory_0_read_data;
  wire        memory_0_write_enable;
  wire [35:0] memory_0_write_data;
  wire [35:0] memory_1_read_data;
  wire        memory_1_write_enable;
  wire [35:0] memory_1_write_data;
  wire [35:0] other_epoch_0_input;
  wire [35:0] other_word_0_input;
  wire        select_selected;
  wire        frozen_select_0_selected;
  wire [31:0] store_word;
  wire        store_bears;
  wire        store_fresh;
  wire        coverage_full;

  // positions: address in stage i + 1
  probe_ring ring (
    .clock         (clock),
    .load          (load),
    .position_0    (position_0),
    .position_1    (position_1),
    .position_2    (position_2),
    .position_3    (position_3),
    .hold          (ring_hold),
    .word          (ring_word),
    .offset        (ring_offset),
    .word_repeated (ring_word_repeated),
    .bit_repeated  (ring_bit_repeated),
    .mask          (ring_mask)
  );

  delay_10x4 refresh_line (
    .clock (clock),
    .d     (direct_address),
    .q     (refresh_line_q)
  );

  delay_5x4 offset_line (
    .clock (clock),
    .d     (ring_offset),
    .q     (offset_line_q)
  );

  delay_1x4 repeated_line (
    .clock (clock),
    .d     (ring_bit_repeated),
    .q     (repeated_line_q)
  );

  delay_1x3 fresh_line (
    .clock (clock),
    .d     (fresh_line_d),
    .q     (fresh_line_q)
  );

  bank_memory memory_0 (
    .clock         (clock),
    .read_address  (address),
    .read_data     (memory_0_read_data),
    .write_enable  (memory_0_write_enable),
    .write_address (write_address),
    .write_data    (memory_0_write_data)
  );

  bank_memory memory_1 (
    .clock         (clock),
    .read_address  (address),
    .read_data     (memory_1_read_data),
    .write_enable  (memory_1_write_enable),
    .write_address (write_address),
    .write_data    (memory_1_write_data)
  );

  bit_select select (
    .clock    (clock),
    .word     (word),
    .current  (bears),
    .offset   (offset_line_q),
    .selected (select_selected)
  );

  bit_select frozen_select_0 (
    .clock    (clock),
    .word     (frozen_word_0),
    .current  (frozen_bears_0),
    .offset   (offset_line_q),
    .selected (frozen_select_0_selected)
  );

  word_store store (
    .clock    (clock),
    .hold     (store_hold),
    .word_in  (kept),
    .bears_in (bears),
    .fresh_in (fresh_line_q),
    .word     (store_word),
    .bears    (store_bears),
    .fresh    (store_fresh)
  );

  // coverage by the current epoch
  coverage coverage (
    .clock    (clock),
    .recycled (recycled),
    .touch    (touch),
    .full     (coverage_full)
  );

  assign repeated = repeated_line_q;
  assign fresh_line_d = !ring_word_repeated;
  assign other_epoch_0_input = frozen_read_0;
  assign other_word_0_input = frozen_read_0;
  assign in_frozen_0 = frozen_select_0_selected;
  assign read_epoch = active_read[35:32];
  assign in_active = select_selected;
  assign memory_0_write_data = {active_epoch, data};
  assign memory_1_write_data = {active_epoch, data};
  assign memory_0_write_enable = write && !phase_0;
  assign memory_1_write_enable = write && phase_0;
  assign full = coverage_full;

  initial begin
    address = 10'd0;
    word = 32'd0;
    bears = 1'b0;
    frozen_word_0 = 32'd0;
    frozen_bears_0 = 1'b0;
    write = 1'b0;
    touch = 1'b0;
    write_address = 10'd0;
    data = 32'd0;
  end

  always @* begin
    // words of both halves: from memory in stage i + 3, in registers in stage i + 4
    active_read = memory_0_read_data;
    frozen_read_0 = memory_1_read_data;
    if (phase_0) begin
      active_read = memory_1_read_data;
      frozen_read_0 = memory_0_read_data;
    end
  end

  always @* begin
    // what is written: a refresh's word, or the item's with the bits of its probes
    kept = no_word;
    if (bears) begin
      kept = word;
    end
  end

  always @* begin
    // a word for the host
    word_4 = kept;
    if (of_frozen_0) begin
      word_4 = kept_frozen_0;
    end
  end

  always @* begin
    kept_frozen_0 = no_word;
    if (frozen_bears_0) begin
      kept_frozen_0 = frozen_word_0;
    end
  end

  always @(posedge clock) begin
    address <= ring_word;
    if (direct) begin
      address <= direct_address;
    end
    frozen_word_0 <= other_word_0_input[31:0];
    frozen_bears_0 <= other_epoch_0_input[35:32] == frozen_epoch_0;
    word <= active_read[31:0];
    bears <= read_epoch == active_epoch;
    write <= refreshing || writing;
    write_address <= address;
    data <= ring_mask;
    if (!emptied) begin
      data <= store_word | ring_mask;
    end
    touch <= writing && store_fresh && (emptied || !store_bears);
    if (refreshing) begin
      write_address <= refresh_line_q;
      data <= kept;
      if (adding) begin
        data <= kept | added;
      end
      touch <= !bears;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, other_epoch_0_input[31:0], other_word_0_input[35:32]};
endmodule
