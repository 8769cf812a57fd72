//! Claims that the built-in simulator gives what Verilator gives, on every output in every clock.
//!
//! At the small size two of the committed designs run, at full size all of them.

use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};
use bloomline_engine as engine;
use bloomline_tests::{few, golden_folder, printed_example, runs, toolchain, GOLDEN};
use bloomline_toolchain::{run_yosys_script, Program};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::Path;

/// A golden text, read by the built-in simulator, and the same for Verilator.
fn committed(file: &str) -> (engine::Design, Design) {
    let text = match file.strip_prefix("language/") {
        Some(_) => std::fs::read_to_string(golden_folder().join(format!("{file}.v")))
            .unwrap_or_else(|e| panic!("{file}: {e}")),
        None => printed_example(file).text(),
    };
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
    // 64 lanes run as batches, 128 as machine code where the processor has AVX2.
    let open = |count| built_in.open_lanes(count, engine::Initial::Zeros);
    let mut lanes = [engine::LaneCount::L64, engine::LaneCount::L128]
        .map(|count| open(count).unwrap_or_else(|e| panic!("{file}: {e}")));
    let mut rngs: Vec<_> = (0..seeds as u64).map(ChaCha8Rng::seed_from_u64).collect();
    let mut activity = |rng: &mut ChaCha8Rng| -> Vec<f64> {
        let inputs = design.inputs();
        inputs.map(|_| rng.random_range(0.05..0.95)).collect()
    };
    let activity: Vec<_> = rngs.iter_mut().map(&mut activity).collect();
    let mut sims = vec![vec![built_in.open(engine::Initial::Zeros)]; seeds];
    if cfg!(feature = "jit") {
        let compiled = built_in.open_jit(engine::Initial::Zeros);
        let compiled = compiled.unwrap_or_else(|e| panic!("{file}: {e}"));
        sims.iter_mut().for_each(|s| s.push(compiled.clone()));
    }
    let open = |_| library.open(Initial::Zeros).expect("opens");
    let mut devices: Vec<_> = (0..seeds).map(open).collect();
    let mut inputs = vec![0; n * 128];
    let mut all = [vec![0; m * 64], vec![0; m * 128]];
    let (mut got, mut expected) = (vec![0; m], vec![0; m]);
    for clock in 0..clocks {
        for ((inputs, activity), rng) in inputs.chunks_mut(n).zip(&activity).zip(&mut rngs) {
            stir(&design, activity, inputs, rng);
        }
        for (lanes, all) in lanes.iter_mut().zip(&mut all) {
            lanes.step(&inputs[..n * lanes.lanes()], all).expect("runs");
        }
        for seed in 0..seeds {
            let inputs = &inputs[seed * n..][..n];
            devices[seed].step(inputs, &mut expected).expect("runs");
            for (port, word) in design.outputs() {
                let words = word..word + port.words();
                for all in &all {
                    let place = format!("{file}, seed {seed}, clock {clock}, {}", port.name);
                    let got = &all[seed * m..][words.clone()];
                    assert_eq!(expected[words.clone()], *got, "lanes, {place}");
                }
            }
            for (engine, sim) in sims[seed].iter_mut().enumerate() {
                sim.step(inputs, &mut got).expect("runs");
                for (port, word) in design.outputs() {
                    let words = word..word + port.words();
                    let place = || format!("{file}, seed {seed}, clock {clock}, {}", port.name);
                    let got = &got[words.clone()];
                    assert_eq!(expected[words], *got, "engine {engine}, {}", place());
                }
            }
        }
    }
}

/// Small ones and one of several clocks first.
fn all_committed() -> Vec<&'static str> {
    let first = ["language/corners", "mac_loop", "language/filter"];
    let others = GOLDEN.into_iter().filter(|name| !first.contains(name));
    first.into_iter().chain(others).collect()
}

#[test]
fn committed_designs_run_as_in_verilator() {
    for file in few(&all_committed(), 2) {
        agrees(file, 4, runs(3_000, 50_000));
        println!("{file} agrees");
    }
}

#[test]
fn every_committed_text_is_read_and_runs() {
    for file in all_committed() {
        let (design, _) = committed(file);
        assert!(design.names().count() > 10, "{file} has names");
        let mut sim = design.open(engine::Initial::Random(1));
        let mut outputs = vec![0; sim.output_words()];
        for _ in 0..3 {
            sim.step(&vec![0; sim.input_words()], &mut outputs)
                .unwrap_or_else(|e| panic!("{file}: {e}"));
        }
    }
}

/// Inputs of a lane in a clock: one-bit inputs by habit of the lane, resets rarely.
fn draw(design: &engine::Design, lane: u64, clock: u64, into: &mut Vec<u64>) {
    let mut state = (lane << 40 | clock).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for port in design.ports().iter().filter(|p| p.input) {
        for _ in 0..port.words() {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let word = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
            into.push(match (port.name.as_str(), port.width) {
                ("reset", _) => u64::from(word.is_multiple_of(97)),
                (_, 1) => u64::from(word % 16 > lane % 16),
                _ if lane.is_multiple_of(2) => word >> 60,
                _ => word,
            });
        }
    }
}

#[test]
fn every_lane_runs_as_a_run_of_its_own() {
    for (file, count) in [
        ("language/filter", engine::LaneCount::L64),
        ("language/corners", engine::LaneCount::L512),
        ("onehit", engine::LaneCount::L128),
        ("trending", engine::LaneCount::L64),
        ("host_port", engine::LaneCount::L256),
    ] {
        let (design, _) = committed(file);
        let initial = engine::Initial::Random(7);
        let mut lanes = design
            .open_lanes(count, initial)
            .unwrap_or_else(|e| panic!("{e}"));
        let looked_at: Vec<usize> = (0..count.lanes()).step_by(count.lanes() / 16 - 1).collect();
        let open = |lane: &usize| design.open(initial.of_lane(*lane as u64));
        let mut sims: Vec<engine::Sim> = looked_at.iter().map(open).collect();
        let mut outputs = vec![0; design.output_words() * count.lanes()];
        let mut expected = vec![0; design.output_words()];
        let (n, m) = (design.input_words(), design.output_words());
        for clock in 0..500 {
            let mut inputs = vec![];
            for lane in 0..count.lanes() {
                draw(&design, lane as u64, clock, &mut inputs);
            }
            lanes.step(&inputs, &mut outputs).expect("runs");
            let mut differing = vec![0; count.lanes() / 64];
            for lane in 0..count.lanes() {
                let same = outputs[..m] == outputs[lane * m..][..m];
                differing[lane / 64] |= u64::from(!same) << (lane % 64);
            }
            assert_eq!(differing, lanes.differing(), "{file}, clock {clock}");
            for (lane, sim) in looked_at.iter().zip(&mut sims) {
                sim.step(&inputs[lane * n..][..n], &mut expected)
                    .expect("runs");
                assert_eq!(
                    expected,
                    outputs[lane * m..][..m],
                    "{file}, lane {lane}, clock {clock}"
                );
            }
        }
        assert_eq!(500, lanes.cycle());
    }
}

/// Adds to a script: yosys reads a text and the built-in simulator's reading of it, and proves that outputs and registers of one name are the
/// same in both. Power-up values are not part of it.
fn compare(script: &mut String, folder: &Path, name: &str, top: &str, texts: [&str; 2]) {
    for (text, side) in texts.iter().zip(["gold", "gate"]) {
        let file = format!("{name}_{side}.v");
        std::fs::write(folder.join(&file), text).expect("written");
        *script += &format!(
            "read_verilog {file}; hierarchy -check -top {top}; proc; flatten; memory_collect; memory_map; opt_clean; \
             rename {top} {side}; design -stash {side}; "
        );
    }
    *script += &format!(
        "design -copy-from gold gold; design -copy-from gate gate; equiv_make gold gate equiv; hierarchy -top equiv; \
         opt_clean -purge; equiv_simple; equiv_induct; log COMPARED {name}; equiv_status; design -reset; "
    );
}

/// Equal bits that a script has proved, and those that it has not.
fn proved(log: &str, name: &str) -> (usize, usize) {
    let after = log.split(&format!("COMPARED {name}\n")).nth(1);
    let counts = after.and_then(|rest| rest.lines().find(|l| l.contains("Of those cells")));
    let counts = counts.unwrap_or_else(|| panic!("{name} is not compared"));
    let numbers: Vec<usize> = counts
        .split_whitespace()
        .filter_map(|w| w.parse().ok())
        .collect();
    (numbers[0], numbers[1])
}

#[test]
#[ignore = "a claim"]
fn the_reader_understands_the_text_as_yosys_does() {
    /// Lines of a flattened block that is still small.
    const SMALL: usize = 700;
    /// Memories that would take yosys minutes as registers; smaller ones have the same text.
    const LARGE: [&str; 4] = [
        "bank_memory",
        "frame_memory",
        "lane_memory",
        "wide_queue_memory",
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut script = String::new();
    let (mut names, mut wrong) = (vec![], vec![]);
    // the longest of each name
    let mut blocks: BTreeMap<&str, &str> = BTreeMap::new();
    for module in GOLDEN
        .iter()
        .flat_map(|name| &printed_example(name).modules)
    {
        let block = blocks.entry(&module.name).or_default();
        if module.text.len() > block.len() {
            *block = &module.text;
        }
    }
    for (top, text) in blocks {
        if LARGE.iter().any(|memory| top.starts_with(memory)) {
            continue;
        }
        let (name, text) = (top.to_owned(), text.to_owned());
        let sources = [(name.clone(), text.clone())];
        let read = match engine::Design::read(&sources, top, None) {
            Ok(read) => read,
            // A block of blocks.
            Err(error) if error.to_string().contains("no module") => continue,
            Err(error) => panic!("{error}"),
        };
        let flattened = read.flattened().filter(|t| t.lines().count() < SMALL);
        let Some(flattened) = flattened else {
            continue;
        };
        compare(&mut script, folder.path(), &name, top, [&text, &flattened]);
        // One operator changed.
        for (from, to) in [(" ^ ", " | "), (" & ", " | "), (" + ", " - ")] {
            let changed = flattened.replacen(from, to, 1);
            if changed != flattened {
                let other = format!("wrong_{name}");
                compare(&mut script, folder.path(), &other, top, [&text, &changed]);
                wrong.push(other);
                break;
            }
        }
        names.push(name);
    }
    let toolchain = toolchain(&[Program::Yosys]);
    let log = run_yosys_script(&toolchain, folder.path(), &script);
    let log = log.unwrap_or_else(|e| panic!("{e}")).text();
    let mut bits = 0;
    for name in &names {
        let (equal, unknown) = proved(&log, name);
        assert_eq!(0, unknown, "{name}: yosys reads the text otherwise");
        bits += equal;
    }
    // An operator that nothing needs can change unseen.
    let seen = wrong.iter().filter(|name| proved(&log, name).1 > 0).count();
    println!(
        "{} blocks, {bits} bits equal; {seen} of {} changes seen",
        names.len(),
        wrong.len()
    );
    assert!(names.len() > 40 && 2 * seen > wrong.len());
}
