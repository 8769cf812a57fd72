//! Would lockstep notice if the gateware were a little wrong? Mutants of the emitted text, by yosys.
//!
//! A test run draws 50 mutants; `BLOOMLINE_MUTANTS=1000 cargo test --release -p bloomline-tests mutation:: -- --nocapture`
//! draws a thousand and lists what survived without being proved equivalent.

use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_bench::mutation::{equivalent, hunt, mutate, Fate, Hunt, Mutant, Mutated, Scope};
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::Design;
use bloomline_spec::Geometry;
use bloomline_tests::faults::{fault, with_fault, Fault};
use bloomline_tests::{thorough_mix, toolchain, Sample};
use std::ops::Range;

/// Mutants of a sample in a test run.
const MUTANTS: u16 = 50;
/// Clocks of a run.
const CLOCKS: u64 = 20_000;
/// Seeds of the runs from power-up that a mutant must survive.
const FRESH: Range<u64> = 0..6;
/// Those of a filter that has run for years before, the later half of them with [`rare_mix`].
const OLD: Range<u64> = 6..30;
const RARE: u64 = 18;

/// What such a filter has counted of everything: soon every bit of a counter changes.
const PAST_EVENTS: u64 = 0x7fff_ffff_ffff_fffa;
/// Ticks for which its active half has been active: soon that is as many as the register can hold.
const PAST_TICKS: u32 = 0xffff_fffd;
/// The same in the emitted text.
const PAST: [Fault; 4] = [
    fault(
        "low halves of counters",
        "event_counter",
        "low_r = 32'd0",
        "low_r = 32'hfffffffa",
    ),
    fault(
        "high halves of counters",
        "event_counter",
        "high_r = 32'd0",
        "high_r = 32'h7fffffff",
    ),
    fault(
        "turns",
        "array_reader",
        "turns_r = 16'd0",
        "turns_r = 16'hfffa",
    ),
    fault("age", "sequencer", "age = 32'd0", "age = 32'hfffffffd"),
];

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

/// The runs of one kind, over the mutants of one text.
struct Runs<'a> {
    hunt: Hunt<'a>,
    geometry: &'a Geometry,
    old: bool,
    seeds: Range<u64>,
}

impl<'a> Runs<'a> {
    fn new(
        toolchain: &Toolchain,
        mutated: &'a Mutated,
        geometry: &'a Geometry,
        old: bool,
    ) -> Runs<'a> {
        let hunt = Hunt::new(toolchain, mutated).unwrap_or_else(|error| panic!("{error}"));
        let seeds = if old { OLD } else { FRESH };
        let runs = Runs {
            hunt,
            geometry,
            old,
            seeds,
        };
        assert!(!runs.kill(None), "the unchanged text");
        runs
    }

    /// Whether one of the runs shows the mutant.
    fn kill(&self, mutant: Option<&Mutant>) -> bool {
        let fate = hunt(&self.hunt, mutant, self.seeds.clone(), |seed| {
            let mut mix = thorough_mix(self.geometry, seed, CLOCKS);
            let mut reference = ModelReference::new(self.geometry);
            if self.old {
                reference.model.set_past(PAST_EVENTS, PAST_TICKS);
                mix.read = 0.1;
                mix.ages.extend([u32::MAX; 3]);
                if seed >= RARE {
                    rare_mix(&mut mix, self.geometry, seed);
                }
            }
            (reference, Torture::new(self.geometry, mix, seed))
        });
        fate.unwrap_or_else(|error| panic!("{error}")) != Fate::Survived
    }
}

/// What other runs seldom do: wait for an age, write values of one bit, repeat one key for ever.
fn rare_mix(mix: &mut TortureMix, geometry: &Geometry, seed: u64) {
    let span = geometry.half_bits() as u32;
    mix.fetch = 0.0;
    mix.ages = vec![u32::MAX];
    match seed % 6 {
        0 => {
            (mix.idle, mix.reset, mix.write) = (0.998, 0.0, 1e-3);
            (mix.opening, mix.thresholds) = (Some(span), vec![span]);
        }
        1 | 4 => mix.thresholds.extend((0..32).map(|bit| 1 << bit)),
        3 => {
            (mix.idle, mix.hold_verdict, mix.reset, mix.write) = (0.0, 0.0, 0.0, 0.0);
            (mix.keys, mix.repeat, mix.opening) = (1, 0.0, Some(1));
        }
        // a host sets many bits in words that are often emptied, and reads how many there are
        5 => {
            (mix.fetch, mix.set, mix.read, mix.write) = (0.2, 0.7, 0.3, 0.01);
            (mix.idle, mix.reset) = (0.9, 1e-3);
        }
        _ => {}
    }
}

/// The text of a filter that has run for years before its power-up.
fn with_past(design: &Design) -> Design {
    let mut old = design.clone();
    for (_, text) in &mut old.sources {
        for edit in &PAST {
            *text = with_fault(text, edit);
        }
    }
    old
}

fn tally(sample: &Sample, count: u16) -> Tally {
    let toolchain = toolchain(&[Program::Verilator, Program::Yosys]);
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("every legal geometry can be printed");
    let mutated_of = |design: &Design| {
        mutate(&toolchain, design, Scope::Everything, count, 1)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let (fresh, old) = (mutated_of(&design), mutated_of(&with_past(&design)));
    assert_eq!(fresh.mutants, old.mutants, "they differ at power-up only");
    let runs = [
        Runs::new(&toolchain, &fresh, &geometry, false),
        Runs::new(&toolchain, &old, &geometry, true),
    ];
    let mut tally = Tally {
        killed: 0,
        equivalent: 0,
        survivors: Vec::new(),
    };
    for mutant in &fresh.mutants {
        if runs.iter().any(|runs| runs.kill(Some(mutant))) {
            tally.killed += 1;
        } else if equivalent(&toolchain, &fresh, mutant).unwrap_or_else(|error| panic!("{error}")) {
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
        println!("  {} {}", survivor.number, survivor.change);
    }
    let live = tally.killed + tally.survivors.len();
    assert!(
        10 * tally.killed >= 9 * live,
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
        partition_bits: 1024,
        threshold: 90,
        on: "messages",
        retain: false,
        ..Sample::BASE
    });
}
