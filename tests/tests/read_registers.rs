//! A bank's memory whose read registers have moved into the block RAM is the memory as written, clock by clock.

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
/// Clocks a run. A fifth of the reads or more meet a write; what those give is left open, and they are not compared.
const CLOCKS: usize = 50_000;
const WIDTH: usize = 36;

fn bank(words: usize) -> Design {
    let address = words.trailing_zeros() as usize;
    let mut memory = BankMemory::new(words);
    memory.connect_all();
    let text = verilog(&memory, "memory", &Options::default()).expect("a leaf can be printed");
    Design {
        top: "memory".into(),
        clock: Some("clock".into()),
        sources: vec![("memory.v".into(), text.text())],
        ports: vec![
            Port::input("read_address", address),
            Port::input("write_enable", 1),
            Port::input("write_address", address),
            Port::input("write_data", WIDTH),
            Port::output("read_data", WIDTH),
        ],
    }
}

/// A memory as written, and what was made of it.
struct Pair {
    words: u64,
    plain: Library,
    gates: Library,
}

impl Pair {
    fn new(words: usize, netlist: String) -> Pair {
        let toolchain = toolchain(&TOOLS);
        let build = |design: &Design| {
            Library::build(&toolchain, design, &build_options()).expect("it builds")
        };
        let plain = bank(words);
        Pair {
            words: words as u64,
            gates: build(&gate_design(&toolchain, &plain, netlist)),
            plain: build(&plain),
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
            let data = random.random::<u64>() >> (64 - WIDTH);
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
fn a_banks_registers_move_for_every_width_of_a_block_and_it_is_the_same_memory() {
    for words in [512, 1024, 2048] {
        let Synthesis {
            netlist,
            settled,
            moved,
        } = synthesise(&toolchain(&TOOLS), &bank(words));
        assert_eq!(moved, WIDTH, "{words} words");
        assert_eq!(cells(&netlist, "TRELLIS_FF"), WIDTH);
        assert_eq!(cells(&settled, "TRELLIS_FF"), 0);
        assert_eq!(cells(&settled, BLOCK_RAM), words / 512);
        let pair = Pair::new(words, settled);
        for seed in 1..=3 {
            let (met, full) = pair.compare(seed).unwrap_or_else(|clock| {
                panic!("{words} words, seed {seed}: they differ in clock {clock}")
            });
            assert!(met > 5_000 && full > 10_000, "{met} met, {full} full");
        }
    }
}

#[test]
fn the_comparison_sees_a_register_too_few_and_a_swapped_bit() {
    let settled = synthesise(&toolchain(&TOOLS), &bank(512)).settled;
    for (from, to) in [
        (".REGMODE_B(\"OUTREG\")", ".REGMODE_B(\"NOREG\")"),
        (".DIA17(write_data[17])", ".DIA17(write_data[16])"),
    ] {
        assert_eq!(settled.matches(from).count(), 1, "{from}\n{settled}");
        let damaged = settled.replace(from, to);
        assert!(
            Pair::new(512, damaged).compare(1).is_err(),
            "{from} -> {to}"
        );
    }
}
