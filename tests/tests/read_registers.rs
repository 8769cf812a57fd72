//! A memory whose read registers have moved into the block RAM is the memory as written, clock by clock.

use crate::gate_level_support::{
    build_options, cells, gate_design, synthesise, Synthesis, BLOCK_RAM,
};
use bloomline_bench::verilator::{Design, Initial, Library, Port};
use bloomline_hdl::bank::BankMemory;
use bloomline_hdl::packet::FrameMemory;
use bloomline_hdl::shape::{EPOCH_BITS, WORD_BITS};
use bloomline_language::emit::{verilog, Options};
use bloomline_tests::toolchain;
use bloomline_toolchain::Program;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::Block;

const TOOLS: [Program; 2] = [Program::Verilator, Program::Yosys];
/// Clocks a run. A fifth of the reads or more meet a write; what those give is left open, and they are not compared.
const CLOCKS: usize = 50_000;

/// A bank's memory.
fn bank(words: usize, parity_bits: usize) -> Design {
    let mut memory = BankMemory::with_check_bits(words, parity_bits);
    memory.connect_all();
    design(&memory, words, WORD_BITS + EPOCH_BITS + parity_bits)
}

/// A frame buffer's memory: narrower words than a bank's.
fn frames(beats: usize, width: usize) -> Design {
    let mut memory = FrameMemory::new(beats, width);
    memory.connect_all();
    design(&memory, beats, width)
}

fn design<M: Block>(memory: &M, words: usize, width: usize) -> Design {
    let address = words.trailing_zeros() as usize;
    let text = verilog(memory, "memory", &Options::default()).expect("a leaf can be printed");
    Design {
        top: "memory".into(),
        clock: Some("clock".into()),
        sources: vec![("memory.v".into(), text.text())],
        ports: vec![
            Port::input("read_address", address),
            Port::input("write_enable", 1),
            Port::input("write_address", address),
            Port::input("write_data", width),
            Port::output("read_data", width),
        ],
    }
}

/// A memory as written, and what was made of it.
struct Pair {
    words: u64,
    width: usize,
    plain: Library,
    gates: Library,
}

impl Pair {
    fn new(plain: &Design, netlist: String) -> Pair {
        let toolchain = toolchain(&TOOLS);
        let build = |design: &Design| {
            Library::build(&toolchain, design, &build_options()).expect("it builds")
        };
        let width_of = |name| {
            let port = plain.ports.iter().find(|port| port.name == name);
            port.expect("a port of a memory").width
        };
        Pair {
            words: 1 << width_of("read_address"),
            width: width_of("read_data"),
            gates: build(&gate_design(&toolchain, plain, netlist)),
            plain: build(plain),
        }
    }

    /// How often a read met a write, and how many words that were written before were compared; or the first clock in which a read that met none differs.
    fn compare(&self, seed: u64) -> Result<(u32, u32), usize> {
        let open = |library: &Library| library.open(Initial::Zeros).expect("the model starts");
        let (mut plain, mut gates) = (open(&self.plain), open(&self.gates));
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut met, mut full) = (0, 0);
        // whether the reads of the last two clocks met a write: their words come out after two edges
        let mut unsure = [false; 2];
        for clock in 0..CLOCKS {
            let write = random.random_range(0..self.words);
            let read = match random.random_range(0..3) {
                0 => write,
                _ => random.random_range(0..self.words),
            };
            let enable = random.random_bool(0.7);
            let data = random.random::<u64>() >> (64 - self.width);
            let inputs = [read, enable.into(), write, data];
            let (mut expected, mut got) = ([0], [0]);
            let runs = [(&mut plain, &mut expected), (&mut gates, &mut got)];
            for (sim, outputs) in runs {
                sim.step(&inputs, outputs).expect("the model runs");
            }
            if !unsure[1] {
                if expected != got {
                    return Err(clock);
                }
                full += u32::from(got != [0]);
            }
            unsure = [enable && read == write, unsure[0]];
            met += u32::from(unsure[0]);
        }
        Ok((met, full))
    }
}

#[test]
#[ignore = "a claim"]
fn a_memorys_registers_move_for_every_width_of_a_block_and_it_is_the_same_memory() {
    let memories = [
        (bank(512, 0), 1),
        (bank(512, 1), 2),
        (bank(1024, 0), 2),
        (bank(2048, 0), 4),
        (frames(4096, 4), 1),
        (frames(8192, 2), 1),
        (frames(16384, 1), 1),
    ];
    for (memory, blocks) in memories {
        let Synthesis {
            netlist,
            settled,
            moved,
        } = synthesise(&toolchain(&TOOLS), &memory);
        let pair = Pair::new(&memory, settled.clone());
        let words = pair.words;
        assert_eq!(moved, pair.width, "{words} words");
        assert_eq!(cells(&netlist, "TRELLIS_FF"), pair.width, "{words} words");
        assert_eq!(cells(&settled, "TRELLIS_FF"), 0, "{words} words");
        assert_eq!(cells(&settled, BLOCK_RAM), blocks, "{words} words");
        for seed in 1..=3 {
            let (met, full) = pair.compare(seed).unwrap_or_else(|clock| {
                panic!("{words} words, seed {seed}: they differ in clock {clock}")
            });
            assert!(met > 5_000 && full > 10_000, "{met} met, {full} full");
        }
    }
}

#[test]
#[ignore = "a claim"]
fn the_comparison_sees_a_register_too_few_and_a_swapped_bit() {
    let memory = bank(512, 0);
    let settled = synthesise(&toolchain(&TOOLS), &memory).settled;
    for (from, to) in [
        (".REGMODE_B(\"OUTREG\")", ".REGMODE_B(\"NOREG\")"),
        (".DIA17(write_data[17])", ".DIA17(write_data[16])"),
    ] {
        assert_eq!(settled.matches(from).count(), 1, "{from}\n{settled}");
        let damaged = settled.replace(from, to);
        assert!(
            Pair::new(&memory, damaged).compare(1).is_err(),
            "{from} -> {to}"
        );
    }
}

/// A memory whose first register holds unless `go` or `more`, and the register behind it unless `go`.
const HELD: &str = "module memory (
  input wire clock,
  input wire [8:0] read_address,
  input wire write_enable,
  input wire [8:0] write_address,
  input wire [35:0] write_data,
  input wire go,
  input wire more,
  output reg [35:0] read_data
);
  (* no_rw_check *)
  reg [35:0] words [0:511];
  reg [35:0] first;
  integer i;
  initial begin
    for (i = 0; i <= 511; i = i + 1) words[i] = 36'd0;
    first = 36'd0;
    read_data = 36'd0;
  end
  always @(posedge clock) begin
    if (write_enable) words[write_address] <= write_data;
    if (go || more) first <= words[read_address];
    if (go) read_data <= first;
  end
endmodule
";

#[test]
#[ignore = "a claim"]
fn registers_with_an_enable_move_and_hold_as_before() {
    let held = Design {
        top: "memory".into(),
        clock: Some("clock".into()),
        sources: vec![("memory.v".into(), HELD.into())],
        ports: vec![
            Port::input("read_address", 9),
            Port::input("write_enable", 1),
            Port::input("write_address", 9),
            Port::input("write_data", 36),
            Port::input("go", 1),
            Port::input("more", 1),
            Port::output("read_data", 36),
        ],
    };
    let made = synthesise(&toolchain(&TOOLS), &held);
    assert_eq!(made.moved, 36, "{}", made.settled);
    let pair = Pair::new(&held, made.settled);
    let open = |library: &Library| library.open(Initial::Zeros).expect("the model starts");
    let (mut plain, mut gates) = (open(&pair.plain), open(&pair.gates));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    // whether the first register, and what is shown, come of a read that met a write
    let (mut first, mut shown) = (false, false);
    let mut compared = 0;
    for clock in 0..CLOCKS {
        let [read, write] = [(); 2].map(|()| random.random_range(0..512));
        let [enable, go, more] = [0.7, 0.4, 0.3].map(|often| random.random_bool(often));
        let data = random.random::<u64>() >> 28;
        let inputs = [read, enable.into(), write, data, go.into(), more.into()];
        let (mut expected, mut got) = ([0], [0]);
        plain.step(&inputs, &mut expected).expect("the model runs");
        gates.step(&inputs, &mut got).expect("the model runs");
        if !shown {
            assert_eq!(expected, got, "clock {clock}");
            compared += u32::from(got != [0]);
        }
        if go {
            shown = first;
        }
        if go || more {
            first = enable && read == write;
        }
    }
    assert!(compared > 30_000, "{compared}");
}
