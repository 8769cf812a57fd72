//! Synthesised filters, as netlists of ECP5 cells, equal the cycle-accurate model on every port of every clock.
//!
//! `BLOOMLINE_SOAK` multiplies the runs; `--ignored` adds further samples and damaged netlists.

use crate::gate_level_support::{
    build_options, cells, gate_design, invert_lut, synthesise, Synthesis, BLOCK_RAM,
    DISTRIBUTED_RAM, WAIVED,
};
use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_bench::lockstep::{compare, Limits, LockstepError};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{lint, Design, Initial, Library};
use bloomline_spec::Geometry;
use bloomline_tests::{soak, toolchain, Sample};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Instant;

/// Clocks a run, and runs a sample.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 6;

/// Two phases, k = 2, 128 words a half in block RAM.
const BLOCK: Sample = Sample {
    hashes: 2,
    partition_bits: 4096,
    threshold: 4096,
    key_bits: 40,
    ..Sample::BASE
};

/// One phase, k = 4, on messages, no retention, 4 words a bank in distributed RAM.
const DISTRIBUTED: Sample = Sample {
    phases: 1,
    on: "messages",
    retain: false,
    threshold: 90,
    key_bits: 33,
    family: "h3",
    ..Sample::BASE
};

/// The other combinations of phases and memory, and k = 3.
const FURTHER: [Sample; 3] = [
    Sample {
        phases: 1,
        hashes: 3,
        partition_bits: 2048,
        threshold: 3000,
        hashing: "independent",
        ..Sample::BASE
    },
    Sample {
        hashes: 3,
        threshold: 190,
        key_bits: 64,
        ..Sample::BASE
    },
    Sample {
        partition_bits: 16384,
        threshold: 32768,
        on: "messages",
        ..Sample::BASE
    },
];

/// What the tests of this file run.
const TOOLS: [Program; 2] = [Program::Verilator, Program::Yosys];

/// A sample, synthesised once for all tests of this file.
struct Synthesised {
    geometry: Geometry,
    emitted: Design,
    netlist: String,
    settled: String,
    moved: usize,
}

fn synthesised(sample: &Sample) -> Synthesised {
    let geometry = sample.geometry();
    let (emitted, _) = emitted_design(&geometry).expect("every legal geometry can be printed");
    let start = Instant::now();
    let Synthesis {
        netlist,
        settled,
        moved,
    } = synthesise(&toolchain(&TOOLS), &emitted);
    println!(
        "synthesised in {:.1} s: {} LUT4, {} CCU2C, {} TRELLIS_FF, {} {BLOCK_RAM}, {} {DISTRIBUTED_RAM}",
        start.elapsed().as_secs_f64(),
        cells(&netlist, "LUT4"),
        cells(&netlist, "CCU2C"),
        cells(&netlist, "TRELLIS_FF"),
        cells(&netlist, BLOCK_RAM),
        cells(&netlist, DISTRIBUTED_RAM),
    );
    Synthesised {
        geometry,
        emitted,
        netlist,
        settled,
        moved,
    }
}

fn block() -> &'static Synthesised {
    static ONCE: OnceLock<Synthesised> = OnceLock::new();
    ONCE.get_or_init(|| synthesised(&BLOCK))
}

fn distributed() -> &'static Synthesised {
    static ONCE: OnceLock<Synthesised> = OnceLock::new();
    ONCE.get_or_init(|| synthesised(&DISTRIBUTED))
}

/// What a lockstep run saw.
struct Run {
    clocks: u64,
    recycles: u64,
    log: String,
}

fn run(library: &Library, geometry: &Geometry, seed: u64) -> Result<Run, LockstepError> {
    let mut sim = library.open(Initial::Random(seed))?;
    let mut reference = ModelReference::new(geometry);
    let outcome = compare(
        library.design(),
        &mut sim,
        &mut reference,
        &mut Torture::new(geometry, TortureMix::draw(geometry, seed, CLOCKS), seed),
        seed,
        Limits::default(),
        |_| {},
    )?;
    Ok(Run {
        clocks: outcome.clocks,
        recycles: reference.model.filter().recycles(),
        log: sim.take_log(),
    })
}

fn build(synthesised: &Synthesised, netlist: String) -> Library {
    let toolchain = toolchain(&TOOLS);
    let design = gate_design(&toolchain, &synthesised.emitted, netlist);
    let start = Instant::now();
    let library = Library::build(&toolchain, &design, &build_options())
        .unwrap_or_else(|error| panic!("{error}"));
    println!("built in {:.1} s", start.elapsed().as_secs_f64());
    library
}

/// Runs a netlist against the model; returns what the cells printed.
fn equals_the_model(synthesised: &Synthesised, netlist: &str) -> String {
    let library = build(synthesised, netlist.to_owned());
    let start = Instant::now();
    let (mut clocks, mut recycles, mut log) = (0, 0, String::new());
    for seed in 0..RUNS * soak() {
        let run = run(&library, &synthesised.geometry, seed)
            .unwrap_or_else(|error| panic!("{}, seed {seed}: {error}", synthesised.emitted.top));
        clocks += run.clocks;
        recycles += run.recycles;
        log += &run.log;
    }
    println!(
        "{clocks} clocks, {recycles} recycles, no mismatch, in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    assert!(recycles > 100, "only {recycles} recycles");
    log
}

#[test]
fn a_netlist_with_block_ram_equals_the_model_and_relies_on_no_read_during_write() {
    let block = block();
    assert_eq!(
        cells(&block.netlist, BLOCK_RAM),
        4,
        "two banks of two halves"
    );
    let log = equals_the_model(block, &block.netlist);
    // Such reads return noise: none of it has reached a port.
    assert!(
        log.contains("a word was read while it was written"),
        "no read has met a write: {log:?}"
    );
}

#[test]
fn a_netlist_with_read_registers_in_its_block_ram_equals_the_model() {
    let block = block();
    assert_eq!(block.moved, 4 * 36, "the second register of every bank");
    equals_the_model(block, &block.settled);
}

#[test]
fn a_netlist_with_distributed_ram_equals_the_model() {
    let distributed = distributed();
    assert_eq!(cells(&distributed.netlist, BLOCK_RAM), 0);
    // 64 verdicts of 16-bit tags and 4 flags take 20; the rest are the banks.
    assert!(cells(&distributed.netlist, DISTRIBUTED_RAM) > 20);
    equals_the_model(distributed, &distributed.netlist);
}

#[test]
#[ignore = "three further syntheses: minutes"]
fn further_netlists_equal_the_model() {
    for sample in &FURTHER {
        println!("{sample:?}");
        let synthesised = synthesised(sample);
        equals_the_model(&synthesised, &synthesised.netlist);
        equals_the_model(&synthesised, &synthesised.settled);
    }
}

#[test]
fn lint_of_a_netlist_has_only_categories_that_are_explained() {
    let toolchain = toolchain(&TOOLS);
    let block = block();
    let design = gate_design(&toolchain, &block.emitted, block.netlist.clone());
    let warnings = lint(&toolchain, &design.sources, &design.top).expect("lint runs");
    let others: Vec<_> = warnings
        .iter()
        .filter(|warning| warning.is_error || WAIVED.iter().all(|(code, _)| *code != warning.code))
        .collect();
    assert!(others.is_empty(), "{others:?}");
    let met: BTreeSet<_> = warnings.iter().map(|warning| &warning.code).collect();
    println!("{} warnings, all of {met:?}", warnings.len());
}

/// The first seed whose run differs from the model, with clock and port.
fn caught(library: &Library, geometry: &Geometry) -> Option<(u64, u64, String)> {
    (0..RUNS).find_map(|seed| match run(library, geometry, seed) {
        Ok(_) => None,
        Err(LockstepError::Mismatch { cycle, port, .. }) => Some((seed, cycle, port)),
        Err(error) => panic!("seed {seed}: {error}"),
    })
}

/// Whether LUT4 number `part` of `parts` equal steps through the netlist is caught when it is inverted.
fn inverted_lut_is_caught(part: usize, parts: usize) -> bool {
    let distributed = distributed();
    let lut = part * cells(&distributed.netlist, "LUT4") / parts;
    let library = build(distributed, invert_lut(&distributed.netlist, lut));
    let caught = caught(&library, &distributed.geometry);
    println!("LUT {lut} inverted: first difference (seed, clock, port) {caught:?}");
    caught.is_some()
}

#[test]
fn one_inverted_lut_is_caught() {
    assert!(inverted_lut_is_caught(1, 2));
}

#[test]
#[ignore = "a further synthesis: a minute"]
fn a_netlist_that_relies_on_a_read_during_write_is_caught() {
    let geometry = BLOCK.geometry();
    let (mut emitted, _) = emitted_design(&geometry).expect("every legal geometry can be printed");
    let (with, without) = (".bypass      (collision_6),", ".bypass      (1'b0),");
    let text = &mut emitted.sources[0].1;
    assert_eq!(text.matches(with).count(), 1);
    *text = text.replace(with, without);
    let netlist = synthesise(&toolchain(&TOOLS), &emitted).netlist;
    let design = gate_design(&toolchain(&TOOLS), &emitted, netlist);
    let library = Library::build(&toolchain(&TOOLS), &design, &build_options()).expect("it builds");
    let (seed, cycle, port) = caught(&library, &geometry).expect("caught");
    println!("no bypass: seed {seed}, clock {cycle}, port {port}");
}
