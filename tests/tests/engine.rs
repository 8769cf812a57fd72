//! Claims that the built-in simulator gives what Verilator gives, on every output in every clock.
//!
//! `BLOOMLINE_SOAK` above 1 takes all committed designs, and that many times the clocks.

use crate::language_support::generate::random_block;
use crate::language_support::harness::Batch;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};
use bloomline_engine as engine;
use bloomline_tests::{soak, toolchain};
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
        .last()
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
fn stir(design: &Design, habits: &[f64], inputs: &mut [u64], rng: &mut ChaCha8Rng) {
    for ((port, word), habit) in design.inputs().zip(habits) {
        let words = &mut inputs[word..word + port.words()];
        if port.name.contains("reset") {
            words[0] = u64::from(rng.random_bool(0.002));
        } else if port.width == 1 {
            words[0] = u64::from(rng.random_bool(*habit));
        } else if rng.random_bool(*habit) {
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

fn agrees(file: &str, seeds: u64, clocks: u64) {
    let (built_in, design) = committed(file);
    let library = Library::build(
        &toolchain(&[Program::Verilator]),
        &design,
        &BuildOptions::default(),
    )
    .unwrap_or_else(|e| panic!("{file}: {e}"));
    for seed in 0..seeds {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let habits: Vec<f64> = design
            .inputs()
            .map(|_| rng.random_range(0.05..0.95))
            .collect();
        let mut sim = built_in.open(engine::Initial::Zeros);
        let mut device = library.open(Initial::Zeros).expect("opens");
        let mut inputs = vec![0; design.input_words()];
        let (mut got, mut expected) = (
            vec![0; design.output_words()],
            vec![0; design.output_words()],
        );
        for clock in 0..clocks {
            stir(&design, &habits, &mut inputs, &mut rng);
            sim.step(&inputs, &mut got).expect("runs");
            device.step(&inputs, &mut expected).expect("runs");
            if got != expected {
                let different = design
                    .outputs()
                    .filter(|(p, w)| got[*w..w + p.words()] != expected[*w..w + p.words()])
                    .map(|(p, w)| {
                        format!(
                            "{}: {:x?}, Verilator {:x?}",
                            p.name,
                            &got[w..w + p.words()],
                            &expected[w..w + p.words()]
                        )
                    });
                let different: Vec<String> = different.collect();
                panic!(
                    "{file}, seed {seed}, clock {clock}: {}",
                    different.join("; ")
                );
            }
        }
    }
}

#[test]
fn small_designs_and_those_of_several_clocks_run_as_in_verilator() {
    for file in ["language/filter.v", "language/corners.v", "mac_loop.v"] {
        agrees(file, 4, 5_000 * soak());
    }
}

#[test]
fn all_committed_designs_run_as_in_verilator() {
    if soak() == 1 {
        return;
    }
    for file in [
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
    ] {
        agrees(file, 4, 5_000 * soak());
        println!("{file} agrees");
    }
}

#[test]
fn random_kernels_run_as_in_verilator() {
    let seeds = 10_000..10_000 + 60 * soak();
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
