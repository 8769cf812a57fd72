// Several modules stand in this one file.
/* verilator lint_off DECLFILENAME */

// Delays 512 bits by 2 clocks.
module delay_512x2 (
  input  wire         clock,
  input  wire [511:0] d,
  output wire [511:0] q
);
  reg [511:0] stage_1;
  reg [511:0] stage_2;

  assign q = stage_2;

  initial begin
    stage_1 = 512'd0;
    stage_2 = 512'd0;
  end

  always @(posedge clock) begin
    stage_1 <= d;
    stage_2 <= stage_1;
  end
endmodule

// Delays 1 bit by 0 clocks.
module delay_1x0 (
  input  wire clock,
  input  wire d,
  output wire q
);
  wire unused_clock = clock;
  assign q = d;
endmodule

// Corners of the language.
//
//   table -> value
module corners (
  input  wire         clock,
  input  wire [11:0]  table_,  // A name that Verilog reserves.
  input  wire         single,
  // The key.
  // Only a part of it is read.
  input  wire [511:0] key,
  input  wire         restart,
  output wire [7:0]   value,
  output wire         case_,
  output wire         parity
);
  localparam [7:0] limit = 8'hc8; // Highest digest.

  reg [7:0]   digest;   // A digest that starts at a5.
  reg [3:0]   age;
  reg [511:0] snapshot;
  reg         armed;

  wire [11:0]  signed_;
  wire [7:0]   value_term;
  reg  [7:0]   running;
  wire [511:0] delay_d;
  wire [511:0] delay_q;
  wire         straight_q;
  wire [11:0]  value_term_term;

  delay_512x2 delay (
    .clock (clock),
    .d     (delay_d),
    .q     (delay_q)
  );

  delay_1x0 straight (
    .clock (clock),
    .d     (single),
    .q     (straight_q)
  );

  assign value_term_term = signed_ + table_;
  assign signed_ = table_ * 12'd3;
  assign value_term = value_term_term[11:4];
  assign delay_d = {table_, 499'd0, single};
  assign value = digest;
  assign case_ = &snapshot;
  assign parity = single + (^snapshot);

  initial begin
    digest = 8'ha5;
    age = 4'd15;
    snapshot = 512'd0;
    armed = 1'b1;
  end

  always @* begin
    // Intermediate values keep the order of the kernel.
    running = value_term;
    if (running[0]) begin
      running = (running >> 1) ^ key[137:130];
    end
    if (running[1]) begin
      running = (running >> 1) ^ key[137:130];
    end
    if (running[2]) begin
      running = (running >> 1) ^ key[137:130];
    end
  end

  always @(posedge clock) begin
    if (digest > limit) begin
      digest <= 8'd0;
    end else if (restart && !armed) begin
      digest <= (running + digest) >> 2;
    end
    if (restart) begin
      age <= 4'd15;
      armed <= 1'b1;
    end else begin
      age <= age - 4'd1;
      armed <= (age != 4'd0) && straight_q;
    end
    if (armed) begin
      snapshot <= key ^ delay_q;
    end
  end

  // Bits that nothing in this module reads.
  wire unused = &{1'b0, value_term_term[3:0]};
endmodule
