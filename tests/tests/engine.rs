//! Claims that the built-in simulator gives what Verilator gives, on every output in every clock.
//!
//! At the small size two of the committed designs run, at full size all of them.

use crate::language_support::generate::random_block;
use crate::language_support::harness::Batch;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};
use bloomline_engine as engine;
use bloomline_tests::{few, runs, toolchain};
use bloomline_toolchain::Program;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// A committed text, read by the built-in simulator, and the same for Verilator.
fn committed(file: &str) -> (engine::Design, Design) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
    let top = text
        .lines()
        .filter_map(|line| line.strip_prefix("module "))
        .filter_map(|line| line.split_whitespace().next())
        .next_back()
        .unwrap_or_else(|| panic!("{file} has a module"))
        .to_string();
    let name = format!("{top}.v");
    let sources = vec![(name, text)];
    // A design with several clocks has none of this name: all of its clocks are inputs.
    let read = |clock| engine::Design::read(&sources, &top, clock);
    let (clock, built_in) = match read(Some("clock")) {
        Err(engine::EngineError::NoPort { .. }) => (None, read(None)),
        design => (Some("clock".to_string()), design),
    };
    let built_in = built_in.unwrap_or_else(|e| panic!("{e}"));
    let ports = built_in.ports().iter();
    let ports = ports
        .map(|port| {
            if port.input {
                Port::input(&port.name, port.width)
            } else {
                Port::output(&port.name, port.width)
            }
        })
        .collect();
    let design = Design {
        top,
        clock,
        sources,
        ports,
    };
    (built_in, design)
}

/// New values for some of the inputs: resets are rare, and what a port does most of the time changes from run to run.
fn stir(design: &Design, activity: &[f64], inputs: &mut [u64], rng: &mut ChaCha8Rng) {
    for ((port, word), activity) in design.inputs().zip(activity) {
        let words = &mut inputs[word..word + port.words()];
        if port.name.contains("reset") {
            words[0] = u64::from(rng.random_bool(0.002));
        } else if port.width == 1 {
            words[0] = u64::from(rng.random_bool(*activity));
        } else if rng.random_bool(*activity) {
            // Few different words, so that a filter sees some again.
            let few = rng.random_bool(0.5);
            for word in words {
                *word = if few {
                    rng.random_range(0..8)
                } else {
                    rng.random()
                };
            }
        }
    }
}

/// Runs as many lanes as `seeds` beside as many single runs and Verilator's, each with its own inputs.
fn agrees(file: &str, seeds: usize, clocks: u64) {
    let (built_in, design) = committed(file);
    let library = Library::build(
        &toolchain(&[Program::Verilator]),
        &design,
        &BuildOptions::default(),
    )
    .unwrap_or_else(|e| panic!("{file}: {e}"));
    let (n, m) = (design.input_words(), design.output_words());
    // A design of several clocks runs alone.
    let mut lanes = match built_in.open_lanes(engine::LaneCount::L64, engine::Initial::Zeros) {
        Err(engine::EngineError::NotInLanes { .. }) => None,
        lanes => Some(lanes.unwrap_or_else(|e| panic!("{file}: {e}"))),
    };
    let mut rngs: Vec<_> = (0..seeds as u64).map(ChaCha8Rng::seed_from_u64).collect();
    let mut activity = |rng: &mut ChaCha8Rng| -> Vec<f64> {
        let inputs = design.inputs();
        inputs.map(|_| rng.random_range(0.05..0.95)).collect()
    };
    let activity: Vec<_> = rngs.iter_mut().map(&mut activity).collect();
    let mut sims = vec![built_in.open(engine::Initial::Zeros); seeds];
    let open = |_| library.open(Initial::Zeros).expect("opens");
    let mut devices: Vec<_> = (0..seeds).map(open).collect();
    let mut inputs = vec![0; n * 64];
    let (mut all, mut got, mut expected) = (vec![0; m * 64], vec![0; m], vec![0; m]);
    for clock in 0..clocks {
        for ((inputs, activity), rng) in inputs.chunks_mut(n).zip(&activity).zip(&mut rngs) {
            stir(&design, activity, inputs, rng);
        }
        if let Some(lanes) = &mut lanes {
            lanes.step(&inputs, &mut all).expect("runs");
        }
        for seed in 0..seeds {
            let inputs = &inputs[seed * n..][..n];
            sims[seed].step(inputs, &mut got).expect("runs");
            devices[seed].step(inputs, &mut expected).expect("runs");
            for (port, word) in design.outputs() {
                let words = word..word + port.words();
                let (got, expected) = (&got[words.clone()], &expected[words.clone()]);
                let place = || format!("{file}, seed {seed}, clock {clock}, {}", port.name);
                assert_eq!(expected, got, "{}", place());
                if lanes.is_some() {
                    assert_eq!(expected, &all[seed * m..][words], "lanes, {}", place());
                }
            }
        }
    }
}

/// Small ones and one of several clocks first.
const COMMITTED: [&str; 14] = [
    "language/corners.v",
    "mac_loop.v",
    "language/filter.v",
    "admit.v",
    "flows.v",
    "heavy.v",
    "host_port.v",
    "hotkeys.v",
    "inline.v",
    "linecard.v",
    "members.v",
    "onehit.v",
    "trending.v",
    "window.v",
];

#[test]
fn committed_designs_run_as_in_verilator() {
    for file in few(&COMMITTED, 2) {
        agrees(file, 4, runs(3_000, 50_000));
        println!("{file} agrees");
    }
}

#[test]
fn random_kernels_run_as_in_verilator() {
    let seeds = 10_000..10_000 + runs(20, 300);
    let draw = |seed| {
        let block = random_block(&mut ChaCha8Rng::seed_from_u64(seed));
        (format!("kernel_{seed}"), block)
    };
    let blocks = seeds.clone().map(draw).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seeds.start);
    let batch = Batch::new(blocks, &mut rng);
    let found = batch.built_in_disagreement(200, &mut rng);
    if let Some(text) = found {
        panic!("seeds {seeds:?}: {text}");
    }
}
