//! The bank's memory for ECP5 is the memory that is written without a device, clock by clock.

use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};
use bloomline_hdl::bank::{ecp5_bank_memory, BankMemory};
use bloomline_hdl::emit::{verilog, Options};
use bloomline_tests::toolchain;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::Block;

/// Clocks a run. With 4 to 2048 words and addresses drawn from few, a third of the reads meet a write; what those give is left open
/// by either memory, and they are not compared.
const CLOCKS: usize = 50_000;

/// Both memories with the same inputs.
fn pair(words: usize, leaf: String) -> Design {
    let mut memory = BankMemory::new(words);
    memory.connect_all();
    let generic = verilog(&memory, "without_a_device", &Options::default())
        .expect("a leaf can be printed")
        .text();
    let bits = words.trailing_zeros() as usize;
    let top = bits - 1;
    let instance = |module: &str, data: &str| {
        format!("  {module} {module}_i (.clock(clock), .read_address(read_address), .read_data({data}), .write_enable(write_enable), .write_address(write_address), .write_data(write_data));\n")
    };
    let both = format!(
        "module both (input wire clock, input wire [{top}:0] read_address, input wire write_enable, input wire [{top}:0] write_address, input wire [35:0] write_data, output wire [35:0] generic, output wire [35:0] leaf);\n{}{}endmodule\n",
        instance("without_a_device", "generic"),
        instance("bank_memory", "leaf"),
    );
    Design {
        top: "both".into(),
        clock: Some("clock".into()),
        sources: vec![
            ("both.v".into(), both),
            ("generic.v".into(), generic),
            ("leaf.v".into(), leaf),
            (
                "dp16kd.v".into(),
                include_str!("gate_level_support/dp16kd.v").into(),
            ),
        ],
        ports: vec![
            Port::input("read_address", bits),
            Port::input("write_enable", 1),
            Port::input("write_address", bits),
            Port::input("write_data", 36),
            Port::output("generic", 36),
            Port::output("leaf", 36),
        ],
    }
}

/// The first clock in which a read that met no write differs; `(reads that met a write, compared words that were written before)` when
/// there is none.
fn first_difference(design: &Design, words: usize, seed: u64) -> Result<(u32, u32), usize> {
    let toolchain = toolchain(&[Program::Verilator]);
    let options = BuildOptions {
        verilator_flags: vec!["-Wno-fatal".into()],
        ..BuildOptions::default()
    };
    let library = Library::build(&toolchain, design, &options).expect("both memories build");
    let mut sim = library
        .open(Initial::Random(seed))
        .expect("the model starts");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut met, mut full) = (0, 0);
    // whether the reads of the last two clocks met a write: their words come out after two edges
    let mut open = [false; 2];
    for clock in 0..CLOCKS {
        let write = random.random_range(0..words as u64);
        let read = match random.random_range(0..3) {
            0 => write,
            _ => random.random_range(0..words as u64),
        };
        let enable = random.random_bool(0.7);
        let data = random.random::<u64>() >> 28;
        let mut outputs = [0; 2];
        sim.step(&[read, enable.into(), write, data], &mut outputs)
            .expect("the model runs");
        if !open[0] {
            if outputs[0] != outputs[1] {
                return Err(clock);
            }
            full += u32::from(outputs[0] != 0);
        }
        open = [open[1], enable && read == write];
        met += u32::from(open[1]);
    }
    Ok((met, full))
}

#[test]
fn ecp5_memory_equals_the_generic_one_in_every_clock() {
    for words in [4, 64, 512, 1024, 2048] {
        let leaf = ecp5_bank_memory(words).expect("there is one up to 2048 words");
        let design = pair(words, leaf);
        for seed in 1..=3 {
            let (met, full) = first_difference(&design, words, seed).unwrap_or_else(|clock| {
                panic!("{words} words, seed {seed}: they differ in clock {clock}")
            });
            assert!(
                met > 5_000 && full > 10_000,
                "{words} words: {met} met, {full} full"
            );
        }
    }
}

#[test]
fn the_comparison_sees_a_missing_output_register_and_a_swapped_bit() {
    let leaf = ecp5_bank_memory(512).expect("one block");
    for (from, to) in [
        ("OUTREG", "NOREG"),
        ("(write_data[17])", "(write_data[16])"),
    ] {
        assert!(leaf.contains(from));
        assert!(
            first_difference(&pair(512, leaf.replace(from, to)), 512, 1).is_err(),
            "{from} -> {to}"
        );
    }
}

#[test]
fn larger_banks_have_no_ecp5_memory() {
    assert_eq!(ecp5_bank_memory(4096), None);
}
