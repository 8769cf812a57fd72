//! Claims about the count of what small designs take of an FPGA.

use bloomline_engine::{BlockRams, Census, Design, Fabric};

fn census(fabric: Fabric, body: &str) -> Census {
    let text = format!("module top (\n{body}endmodule\n");
    let design = Design::read_for_census(&[("top.v".into(), text)], "top");
    design.expect("it reads").census(fabric)
}

/// Block RAMs of 36 and of 18 kbit for [`memory_text`].
fn memory(fabric: Fabric, words: usize, width: usize, simple: bool) -> (u64, u64) {
    let rams = census(fabric, &memory_text(words, width, simple)).block_rams;
    (rams.of_36_kbit, rams.of_18_kbit)
}

/// A memory that is written through one port and read through another, or, if not `simple`, written and read through one of two.
fn memory_text(words: usize, width: usize, simple: bool) -> String {
    let (address, data) = (words.next_power_of_two().ilog2() - 1, width - 1);
    let (second, second_read) = match simple {
        true => ("", ""),
        false => (
            "  output reg  [DATA:0] other,\n",
            "    other <= words[written];\n",
        ),
    };
    "  input  wire clock,
  input  wire write,
  input  wire [ADDRESS:0] written,
  input  wire [ADDRESS:0] read,
  input  wire [DATA:0] in,
SECOND  output reg  [DATA:0] out
);
  reg [DATA:0] words [0:LAST];

  always @(posedge clock) begin
    if (write) begin
      words[written] <= in;
    end
    out <= words[read];
OTHER  end
"
    .replace("SECOND", second)
    .replace("OTHER", second_read)
    .replace("ADDRESS", &address.to_string())
    .replace("DATA", &data.to_string())
    .replace("LAST", &(words - 1).to_string())
}

/// Shapes of DP16KD: Lattice FPGA-TN-02204; of RAMB18 and RAMB36: AMD UG473 and UG573.
#[test]
fn memories_take_the_block_rams_of_their_shape() {
    for (words, width, ecp5, amd) in [
        (512, 36, 1, (0, 1)),
        (1024, 36, 2, (1, 0)),
        (1024, 18, 1, (0, 1)),
        (2048, 36, 4, (2, 0)),
        (16_384, 1, 1, (0, 1)),
        (65_536, 1, 4, (2, 0)),
        (512, 72, 2, (1, 0)),
        (512, 43, 2, (1, 0)),
        (32, 36, 0, (0, 0)),
    ] {
        let of = |fabric| memory(fabric, words, width, true);
        assert_eq!(of(Fabric::Ecp5), (0, ecp5), "{words} x {width}");
        assert_eq!(of(Fabric::Series7), amd, "{words} x {width}");
        assert_eq!(of(Fabric::UltraScalePlus), amd, "{words} x {width}");
    }
}

#[test]
fn no_logic_checks_for_addresses_beyond_a_memory() {
    for fabric in [Fabric::Ecp5, Fabric::Series7, Fabric::UltraScalePlus] {
        let [odd, whole] = [1042, 2048].map(|words| census(fabric, &memory_text(words, 36, true)));
        assert!(
            odd.block_rams != BlockRams::default(),
            "{fabric:?}: {odd:?}"
        );
        assert_eq!((odd.tables, odd.memory_tables), (whole.tables, 0));
    }
}

#[test]
fn a_port_that_writes_and_reads_takes_words_half_as_wide() {
    assert_eq!(memory(Fabric::Ecp5, 512, 36, false), (0, 2));
    assert_eq!(memory(Fabric::Series7, 512, 36, false), (1, 0));
}

/// What yosys 0.70 makes of memories that are read at one address or two: on ECP5 distributed RAM takes a copy for each, and a choice between its slices costs something.
#[test]
fn small_memories_are_distributed_where_yosys_makes_them_so() {
    for (words, width, simple, ecp5) in [
        (32, 18, false, 0),
        (32, 22, false, 0),
        (64, 8, false, 0),
        (64, 12, false, 1),
        (64, 20, true, 0),
        (64, 21, true, 1),
        (64, 22, true, 1),
        (64, 22, false, 2),
        (64, 36, false, 2),
        (128, 22, false, 2),
    ] {
        let of = memory(Fabric::Ecp5, words, width, simple);
        assert_eq!(of, (0, ecp5), "{words} x {width}, simple: {simple}");
    }
    // a slice of which a part is used costs less there
    for (words, width, series7, ultrascale) in [
        (512, 4, 0, 0),
        (512, 5, 1, 0),
        (1024, 2, 0, 0),
        (1024, 3, 1, 1),
        (2048, 1, 1, 0),
    ] {
        let of = |fabric| memory(fabric, words, width, true);
        assert_eq!(of(Fabric::Series7), (0, series7), "{words} x {width}");
        let of_ultrascale = of(Fabric::UltraScalePlus);
        assert_eq!(of_ultrascale, (0, ultrascale), "{words} x {width}");
    }
    for fabric in [Fabric::Series7, Fabric::UltraScalePlus] {
        for (words, width, block_rams) in [(32, 22, 0), (64, 22, 0), (128, 22, 0), (128, 18, 1)] {
            let of = memory(fabric, words, width, false);
            assert_eq!(of, (0, block_rams), "{words} x {width}, {fabric:?}");
        }
    }
}

/// RAM32M of 4 bits, RAM64X1D and RAM128X1D on 7 series, as yosys maps to them.
#[test]
fn distributed_ram_with_a_second_port_is_not_copied() {
    for (words, tables) in [(32, 24), (64, 44), (128, 88)] {
        let census = census(Fabric::Series7, &memory_text(words, 22, false));
        assert_eq!(census.memory_tables, tables, "{words} words");
    }
}

#[test]
fn registers_that_are_constant_equal_or_unread_are_not_counted() {
    let body = "  input  wire clock,
  input  wire [7:0] in,
  output wire [7:0] out
);
  reg [7:0] first;
  reg [7:0] same;
  reg [7:0] unread;
  reg [7:0] zero;
  assign out = first ^ same ^ zero ^ in;
  initial begin
    zero = 8'h0;
  end
  always @(posedge clock) begin
    first <= in;
    same <= in;
    unread <= in;
    zero <= zero;
  end
";
    // out is `in` alone, so that no register is left
    assert_eq!(census(Fabric::Ecp5, body).flip_flops, 0);
    let apart = body.replace("same <= in", "same <= ~first");
    assert_eq!(census(Fabric::Ecp5, &apart).flip_flops, 16);
}

/// Two flip-flops that only `set` changes are the same one; a flip-flop that becomes 1 with the first clock is another.
#[test]
fn registers_that_keep_what_they_have_but_for_a_reset_are_alike() {
    let body = "  input  wire clock,
  input  wire set,
  input  wire [1:0] in,
  output wire [1:0] out
);
  reg keeps;
  reg too;
  reg rises;
  assign out = {keeps & in[1], too & in[0]} ^ {rises, 1'b0};
  initial begin
    keeps = 1'b0;
    too = 1'b0;
    rises = 1'b0;
  end
  always @(posedge clock) begin
    keeps <= keeps | set;
    too <= set ? 1'b1 : too;
    rises <= set ? 1'b1 : 1'b1;
  end
";
    for fabric in [Fabric::Ecp5, Fabric::Series7, Fabric::UltraScalePlus] {
        assert_eq!(census(fabric, body).flip_flops, 2, "{fabric:?}");
    }
}

/// Each register is constant, or the same as another, only where the one before it is known to be, which the gates before it show: one more round each.
#[test]
fn registers_that_only_others_show_to_be_constant_or_equal_are_not_counted() {
    const ROUNDS: usize = 9;
    let mut body = String::from(
        "  input  wire clock,
  input  wire [7:0] in,
  output wire [7:0] out
);
  reg [7:0] words [0:31];
  reg [7:0] read;
",
    );
    for n in 0..=ROUNDS {
        body += &format!("  reg zero{n};\n  reg [7:0] one{n};\n  reg [7:0] other{n};\n");
    }
    body += "  initial begin\n";
    for n in 0..=ROUNDS {
        body += &format!("    zero{n} = 1'b0;\n");
    }
    body += "  end\n  always @(posedge clock) begin
    zero0 <= 1'b0;
    one0 <= in;
    other0 <= in;
    if (in[7]) words[in[4:0]] <= in;
    read <= words[one0[4:0]];
";
    for n in 1..=ROUNDS {
        let before = n - 1;
        body += &format!(
            "    zero{n} <= zero{before} & in[0];
    one{n} <= one{before} + in;
    other{n} <= other{before} + {{7'd0, zero{before}}} + in;\n"
        );
    }
    body += &format!(
        "  end\n  assign out = one{ROUNDS} ^ other{ROUNDS} ^ {{7'd0, zero{ROUNDS}}} ^ read;\n"
    );
    for fabric in [Fabric::Ecp5, Fabric::Series7, Fabric::UltraScalePlus] {
        let census = census(fabric, &body);
        // what is left is the memory, what reads it and the address at which it is read
        assert_eq!(census.carry_bits, 0, "{fabric:?}");
        assert_eq!(census.flip_flops, 13, "{fabric:?}");
    }
}

#[test]
fn a_gate_of_six_inputs_takes_one_table_of_six_inputs_and_four_of_four_behind_multiplexers() {
    let body = "  input  wire [5:0] in,
  output wire out
);
  assign out = ^in;
";
    let text = format!("module top (\n{body}endmodule\n");
    let design = Design::read(&[("top.v".into(), text)], "top", None).expect("it reads");
    assert_eq!(design.census(Fabric::Series7).tables, 1);
    // two of them would do, one behind the other: yosys takes what is faster, 4 LUT4, 2 PFUMX and a L6MUX21
    assert_eq!(design.census(Fabric::Ecp5).tables, 4);
}

#[test]
fn two_families_counted_together_are_counted_as_each_alone() {
    // 64 words of 6 bits are sliced otherwise by UltraScale+: nothing is shared there
    for (words, width) in [(32, 36), (64, 6), (64, 40), (1024, 36)] {
        let body = format!(
            "  input  wire clock,\n  input  wire write,\n  input  wire [{address}:0] place,\n  input  wire [{data}:0] in,\n  output reg  [{data}:0] out\n);\n\
             \x20 reg [{data}:0] words [0:{last}];\n  always @(posedge clock) begin\n    if (write) words[place] <= in;\n    out <= words[place] + in;\n  end\n",
            address = usize::ilog2(words) - 1,
            data = width - 1,
            last = words - 1,
        );
        let text = format!("module top (\n{body}endmodule\n");
        let design = Design::read_for_census(&[("top.v".into(), text)], "top");
        let design = design.expect("it reads");
        let (one, other) = (Fabric::Series7, Fabric::UltraScalePlus);
        let apart = [design.census(one), design.census(other)];
        assert_eq!(
            design.census_of_both(one, other),
            apart,
            "{words} x {width}"
        );
        assert_ne!(
            apart[0].memory_tables, 0,
            "{words} x {width}: it is memory of tables"
        );
    }
}
