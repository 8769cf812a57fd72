//! The bench of the host port has teeth: single edits of its Verilog are caught. The faulty ports stand in one design beside the sound one; an input chooses.

use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Initial, Library};
use bloomline_tests::faults::{fault, Fault};
use bloomline_tests::{host_design, toolchain, HostBench};

const FAULTS: &[Fault] = &[];

/// Clocks and runs that a fault is given.
const CLOCKS: u64 = 40_000;
const SEEDS: u64 = 4;

#[test]
fn every_fault_is_caught_and_the_port_as_emitted_is_sound() {
    let toolchain = toolchain(&[Program::Verilator]);
    let library = Library::build(&toolchain, &host_design(FAULTS), &BuildOptions::default())
        .expect("builds");
    let run = |which: usize, seed: u64| {
        let mut sim = library.open(Initial::Random(seed)).expect("opens");
        HostBench::new(&mut sim, which, seed).run(CLOCKS)
    };
    let mut missed = Vec::new();
    for (fault, which) in FAULTS.iter().zip(1..) {
        let caught = (0..SEEDS).find_map(|seed| Some((seed, run(which, seed).err()?)));
        match caught {
            Some((seed, error)) => {
                let brief: String = error.chars().take(120).collect();
                println!("{}: seed {seed}, {brief}", fault.name);
                if let Err(error) = run(0, seed) {
                    panic!("seed {seed}: the port as emitted fails too: {error}");
                }
            }
            None => missed.push(fault.name),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
