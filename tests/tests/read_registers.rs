//! A memory whose read registers have moved into the block RAM is the memory as written, clock by clock.

use crate::gate_level_support::{
    build_options, cells, gate_design, synthesise, Synthesis, BLOCK_RAM,
};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{Design, Initial, Library, Port};
use bloomline_hdl::bank::BankMemory;
use bloomline_hdl::emit::{verilog, Options};
use bloomline_tests::toolchain;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::Block;

const TOOLS: [Program; 2] = [Program::Verilator, Program::Yosys];
/// Clocks a run. With addresses drawn from few, a fifth of the reads or more meet a write; what those give is left open, and they are not compared.
const CLOCKS: usize = 50_000;
const WIDTH: usize = 36;

/// A memory with `clock`, `read_enable` (of its second register), `read_address`, `read_data`, `write_enable`, `write_address`, `write_data`.
struct Memory {
    text: String,
    words: usize,
    has_enable: bool,
}

impl Memory {
    /// A bank's, whose second register takes what is read in every clock.
    fn of_a_bank(words: usize) -> Memory {
        let mut memory = BankMemory::new(words);
        memory.connect_all();
        let inner = verilog(&memory, "bank", &Options::default()).expect("a leaf can be printed");
        let text = format!(
            "{}\n{} bank bank_i (.clock(clock), .read_address(read_address), .read_data(read_data), \
             .write_enable(write_enable), .write_address(write_address), .write_data(write_data));\n  \
             wire unused = read_enable;\nendmodule\n",
            inner.text(),
            head(words),
        );
        Memory {
            text,
            words,
            has_enable: false,
        }
    }

    /// One whose second register has an enable, as that of a queue.
    fn of_a_queue(words: usize) -> Memory {
        let text = format!(
            "{}  (* no_rw_check *) reg [35:0] words [0:{}];\n  integer i;\n  initial for (i = 0; i < {words}; i = i + 1) words[i] = 36'd0;\n  \
             reg [35:0] array = 36'd0;\n  reg [35:0] second = 36'd0;\n  assign read_data = second;\n  \
             always @(posedge clock) begin\n    if (write_enable) words[write_address] <= write_data;\n    \
             array <= words[read_address];\n    if (read_enable) second <= array;\n  end\nendmodule\n",
            head(words),
            words - 1,
        );
        Memory {
            text,
            words,
            has_enable: true,
        }
    }

    fn address_bits(&self) -> usize {
        self.words.trailing_zeros() as usize
    }

    fn design(&self) -> Design {
        let address = self.address_bits();
        Design {
            top: "memory".into(),
            clock: Some("clock".into()),
            sources: vec![("memory.v".into(), self.text.clone())],
            ports: vec![
                Port::input("read_enable", 1),
                Port::input("read_address", address),
                Port::input("write_enable", 1),
                Port::input("write_address", address),
                Port::input("write_data", WIDTH),
                Port::output("read_data", WIDTH),
            ],
        }
    }

    fn synthesise(&self) -> Synthesis {
        synthesise(&toolchain(&TOOLS), &self.design())
    }
}

fn head(words: usize) -> String {
    let top = words.trailing_zeros() - 1;
    format!(
        "module memory (input wire clock, input wire read_enable, input wire [{top}:0] read_address, input wire write_enable, \
         input wire [{top}:0] write_address, input wire [35:0] write_data, output wire [35:0] read_data);\n"
    )
}

/// A memory as written, and what was made of it.
struct Pair<'a> {
    memory: &'a Memory,
    plain: Library,
    gates: Library,
}

impl Pair<'_> {
    fn new(memory: &Memory, netlist: String) -> Pair<'_> {
        let toolchain = toolchain(&TOOLS);
        let build = |design: &Design| {
            Library::build(&toolchain, design, &build_options()).expect("it builds")
        };
        let plain = memory.design();
        let gates = gate_design(&toolchain, &plain, netlist);
        Pair {
            memory,
            plain: build(&plain),
            gates: build(&gates),
        }
    }

    /// How often a read met a write, and how many words that were written before were compared; or the first clock in which a read that met none differs.
    fn compare(&self, seed: u64) -> Result<(u32, u32), usize> {
        let open = |library: &Library| library.open(Initial::Zeros).expect("the model starts");
        let (mut plain, mut gates) = (open(&self.plain), open(&self.gates));
        let memory = self.memory;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut met, mut full) = (0, 0);
        // whether what is in the array's output, and behind it in the second register, comes of a read that met a write
        let mut unsure = [false; 2];
        for clock in 0..CLOCKS {
            let write = random.random_range(0..memory.words as u64);
            let read = match random.random_range(0..3) {
                0 => write,
                _ => random.random_range(0..memory.words as u64),
            };
            let takes = random.random_bool(0.8);
            let enable = random.random_bool(0.7);
            let data = random.random::<u64>() >> (64 - WIDTH);
            let inputs = [takes.into(), read, enable.into(), write, data];
            let (mut expected, mut got) = ([0], [0]);
            plain.step(&inputs, &mut expected).expect("the model runs");
            gates.step(&inputs, &mut got).expect("the model runs");
            if !unsure[1] {
                if expected != got {
                    return Err(clock);
                }
                full += u32::from(got[0] != 0);
            }
            if takes || !memory.has_enable {
                unsure[1] = unsure[0];
            }
            unsure[0] = enable && read == write;
            met += u32::from(unsure[0]);
        }
        Ok((met, full))
    }
}

fn equals(memory: &Memory, moved: usize) {
    let synthesis = memory.synthesise();
    assert_eq!(synthesis.moved, moved, "{} words", memory.words);
    assert_eq!(
        cells(&synthesis.settled, "TRELLIS_FF") + moved,
        cells(&synthesis.netlist, "TRELLIS_FF")
    );
    assert!(cells(&synthesis.settled, BLOCK_RAM) > 0);
    let pair = Pair::new(memory, synthesis.settled);
    for seed in 1..=3 {
        let (met, full) = pair.compare(seed).unwrap_or_else(|clock| {
            panic!(
                "{} words, seed {seed}: they differ in clock {clock}",
                memory.words
            )
        });
        assert!(met > 5_000 && full > 10_000, "{met} met, {full} full");
    }
}

#[test]
fn a_banks_registers_move_for_every_width_of_a_block() {
    for words in [512, 1024, 2048] {
        equals(&Memory::of_a_bank(words), WIDTH);
    }
}

#[test]
fn registers_with_an_enable_move_with_it() {
    equals(&Memory::of_a_queue(512), WIDTH);
}

#[test]
fn the_comparison_sees_a_register_too_few_an_enable_that_is_lost_and_a_swapped_bit() {
    let memory = Memory::of_a_queue(512);
    let settled = memory.synthesise().settled;
    for (from, to) in [
        (".REGMODE_B(\"OUTREG\")", ".REGMODE_B(\"NOREG\")"),
        (".OCEB(read_enable)", ".OCEB(1'h1)"),
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
