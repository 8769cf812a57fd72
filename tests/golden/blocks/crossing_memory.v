// 16 words of 10 bits in distributed RAM; reads without a clock.
module crossing_memory (
  input  wire       write_clock,
  input  wire       write_enable,  // write this clock
  input  wire [3:0] write_address, // word to write
  input  wire [9:0] write_data,    // its value
  input  wire [3:0] read_address,  // word to read
  output wire [9:0] read_data      // its value
);
  reg [9:0] words [0:15];

  assign read_data = words[read_address];

  always @(posedge write_clock) begin
    if (write_enable) words[write_address] <= write_data;
  end
endmodule
