//! Would lockstep notice if the gateware were a little wrong? Mutants of the emitted text, by yosys.
//!
//! A test run draws 50 mutants; `BLOOMLINE_MUTANTS=1000 cargo test --release -p bloomline-tests --test mutation -- --nocapture`
//! draws a thousand and lists what survived without being proved equivalent.

use bloomline_bench::filter::{emitted_design, ModelReference, Torture};
use bloomline_bench::mutation::{equivalent, hunt, mutate, Fate, Hunt, Mutant, Scope};
use bloomline_bench::toolchain::Program;
use bloomline_tests::{thorough_mix, toolchain, Sample};

/// Mutants of a sample in a test run.
const MUTANTS: u16 = 50;
/// Runs that a mutant must survive, and clocks of each.
const RUNS: u64 = 6;
const CLOCKS: u64 = 20_000;

fn mutants() -> u16 {
    match std::env::var("BLOOMLINE_MUTANTS") {
        Ok(text) => text
            .parse()
            .expect("BLOOMLINE_MUTANTS is a number below 65536"),
        Err(_) => MUTANTS,
    }
}

struct Tally {
    killed: usize,
    equivalent: usize,
    survivors: Vec<Mutant>,
}

fn tally(sample: &Sample, count: u16) -> Tally {
    let toolchain = toolchain(&[Program::Verilator, Program::Yosys]);
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("every legal geometry can be printed");
    let mutated = mutate(&toolchain, &design, Scope::Everything, count, 1)
        .unwrap_or_else(|error| panic!("{error}"));
    let built = Hunt::new(&toolchain, &mutated).unwrap_or_else(|error| panic!("{error}"));
    let run = |mutant: Option<&Mutant>| {
        hunt(&built, mutant, 0..RUNS, |seed| {
            let torture = Torture::new(&geometry, thorough_mix(&geometry, seed, CLOCKS), seed);
            (ModelReference::new(&geometry), torture)
        })
        .unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(run(None), Fate::Survived, "the unchanged text");
    let mut tally = Tally {
        killed: 0,
        equivalent: 0,
        survivors: Vec::new(),
    };
    for mutant in &mutated.mutants {
        if run(Some(mutant)) != Fate::Survived {
            tally.killed += 1;
        } else if equivalent(&toolchain, &mutated, mutant).unwrap_or_else(|error| panic!("{error}"))
        {
            tally.equivalent += 1;
        } else {
            tally.survivors.push(mutant.clone());
        }
    }
    tally
}

fn check(sample: &Sample) {
    let count = mutants();
    let tally = tally(sample, count);
    println!(
        "{count} mutants: {} killed, {} equivalent, {} survived",
        tally.killed,
        tally.equivalent,
        tally.survivors.len()
    );
    for survivor in &tally.survivors {
        println!("  {}", survivor.change);
    }
    // Of the first thousand 861 of 962 live ones died. What survives are high bits of counters and ages that no run reaches,
    // renamings of positions, which no port shows, and banks whose coverage is never the last to be complete.
    let live = tally.killed + tally.survivors.len();
    assert!(
        10 * tally.killed >= 8 * live,
        "{} of {live} live mutants survived",
        tally.survivors.len()
    );
}

#[test]
fn most_mutants_are_killed_by_lockstep() {
    check(&Sample {
        phases: 1,
        hashes: 3,
        key_bits: 16,
        threshold: 90,
        on: "messages",
        retain: false,
        ..Sample::BASE
    });
}
