// The FIFO between two clocks, any waveforms of which: order and data of any one word, nothing lost, nothing invented, no overflow.
//
// From power-up, which is what a reset of both sides leaves behind (hdl/docs/mac.md, "Asynchronous FIFO"). What crosses changes in one
// bit at a time, which is proved, too: a register that samples it in that instant takes the old or the new value, as after another phase
// of its clock.
//
// observe async_fifo: wire [`FIFO_BITS:0] formal_write_place = write_place; wire [`FIFO_BITS:0] formal_write_gray = write_gray;
// observe async_fifo: wire [`FIFO_BITS:0] formal_read_place = read_place; wire [`FIFO_BITS:0] formal_read_gray = read_gray;
// observe synchroniser: wire [`FIFO_BITS:0] formal_first = first; wire [`FIFO_BITS:0] formal_second = second;
// observe crossing_memory: wire [`FIFO_BITS-1:0] formal_address; wire [`WORD_BITS-1:0] formal_data = words[formal_address];
module formal_crossing_fifo (
  input wire write_clock,
  input wire read_clock,
  input wire write,
  input wire [`WORD_BITS-1:0] write_data,
  input wire ready
);
  localparam [`FIFO_BITS:0] WORDS = 1 << `FIFO_BITS;
  wire full;
  wire valid;
  wire [`WORD_BITS-1:0] read_data;
  async_fifo dut (
    .write_clock(write_clock), .write_reset(1'b0), .write(write), .write_data(write_data), .full(full),
    .read_clock(read_clock), .read_reset(1'b0), .valid(valid), .ready(ready), .read_data(read_data)
  );
  (* hierconn *) wire [`FIFO_BITS:0] \dut.formal_write_place ;
  (* hierconn *) wire [`FIFO_BITS:0] \dut.formal_write_gray ;
  (* hierconn *) wire [`FIFO_BITS:0] \dut.formal_read_place ;
  (* hierconn *) wire [`FIFO_BITS:0] \dut.formal_read_gray ;
  (* hierconn *) wire [`FIFO_BITS:0] \dut.read_seen.formal_first ;
  (* hierconn *) wire [`FIFO_BITS:0] \dut.read_seen.formal_second ;
  (* hierconn *) wire [`FIFO_BITS:0] \dut.write_seen.formal_first ;
  (* hierconn *) wire [`FIFO_BITS:0] \dut.write_seen.formal_second ;
  (* hierconn *) wire [`FIFO_BITS-1:0] \dut.memory.formal_address ;
  (* hierconn *) wire [`WORD_BITS-1:0] \dut.memory.formal_data ;

  function [`FIFO_BITS:0] gray(input [`FIFO_BITS:0] place);
    gray = place ^ (place >> 1);
  endfunction
  integer i;
  reg [`FIFO_BITS:0] read_first, read_second, write_first, write_second; // the places in the synchronisers, back to binary
  always @* for (i = 0; i <= `FIFO_BITS; i = i + 1) begin
    read_first[i] = ^(dut.read_seen.formal_first >> i);
    read_second[i] = ^(dut.read_seen.formal_second >> i);
    write_first[i] = ^(dut.write_seen.formal_first >> i);
    write_second[i] = ^(dut.write_seen.formal_second >> i);
  end

  // Any one word, by its place: a number that wraps after two laps.
  (* anyconst *) wire [`FIFO_BITS:0] place;
  assign dut.memory.formal_address = place[`FIFO_BITS-1:0];
  wire [`FIFO_BITS:0] held = dut.formal_write_place - dut.formal_read_place;
  wire [`FIFO_BITS:0] before = place - dut.formal_read_place; // words to be taken before it
  wire inside = before < held;
  reg [`WORD_BITS-1:0] its_data;
  reg [`FIFO_BITS:0] old_write_gray; initial old_write_gray = 0;
  always @(posedge write_clock) begin
    if (write && !full && dut.formal_write_place == place) its_data <= write_data;
    old_write_gray <= dut.formal_write_gray;
  end
  reg [`FIFO_BITS:0] old_read_gray; initial old_read_gray = 0;
  always @(posedge read_clock) old_read_gray <= dut.formal_read_gray;

  // How long a side has not seen what the other did.
  reg [1:0] unseen; initial unseen = 0;
  always @(posedge read_clock) unseen <= held != 0 && !valid ? unseen + 1 : 0;
  reg [1:0] unfreed; initial unfreed = 0;
  always @(posedge write_clock) unfreed <= held != WORDS && full ? unfreed + 1 : 0;

  wire [`FIFO_BITS:0] write_change = old_write_gray ^ dut.formal_write_gray;
  wire [`FIFO_BITS:0] read_change = old_read_gray ^ dut.formal_read_gray;
  always @* begin
    word_is_its_own: assert (!valid || before != 0 || (inside && read_data == its_data));
    word_not_invented: assert (!valid || held != 0);
    never_overwritten: assert (held <= WORDS && (full || held < WORDS));
    write_crosses_in_one_bit: assert ((write_change & (write_change - 1'b1)) == 0);
    read_crosses_in_one_bit: assert ((read_change & (read_change - 1'b1)) == 0);
    word_is_seen: assert (unseen <= 2);
    place_is_seen: assert (unfreed <= 2);
    // What makes the induction go through.
    assert (dut.formal_write_gray == gray(dut.formal_write_place));
    assert (dut.formal_read_gray == gray(dut.formal_read_place));
    assert (!inside || dut.memory.formal_data == its_data);
    assert (unseen != 1 || write_first != dut.formal_read_place);
    assert (unseen != 2 || valid);
    assert (unfreed != 1 || dut.formal_write_place - read_first < WORDS);
    assert (unfreed != 2 || !full);
  end
  // From the oldest to the newest: the read place as the write side has it, the read place, the write place as the read side has it.
  wire [`FIFO_BITS:0] to_first = read_first - read_second;
  wire [`FIFO_BITS:0] to_read = dut.formal_read_place - read_second;
  wire [`FIFO_BITS:0] to_seen = write_second - read_second;
  wire [`FIFO_BITS:0] to_next = write_first - read_second;
  wire [`FIFO_BITS:0] to_write = dut.formal_write_place - read_second;
  always @* assert (to_first <= to_read && to_read <= to_seen && to_seen <= to_next && to_next <= to_write && to_write <= WORDS);
endmodule
