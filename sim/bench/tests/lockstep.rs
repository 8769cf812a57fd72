//! Claims about lockstep runs, on a counter with a handshake.

mod common;

use bloomline_bench::lockstep::{
    compare, Bench, Device, DeviceError, Limits, LockstepError, Ran, Recording, Reference,
    Simulation, Stimulus, Window,
};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Port};
use common::{design, toolchain};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::Path;

/// Adds `data` when `valid` and `ready`; `ready` is low in every fourth clock; `sum` is 100 bits of the total, repeated.
fn adder(bug: &str) -> Design {
    let text = format!(
        "module accumulator(input wire clock, input wire reset, input wire valid, input wire [31:0] data,\n\
         output wire ready, output wire [99:0] sum);\nreg [1:0] phase; reg [49:0] total;\n\
         assign ready = phase != 2'd3; assign sum = {{total, total}};\n\
         always @(posedge clock) if (reset) begin phase <= 2'd0; total <= 50'd0; end else begin\n\
         phase <= phase + 2'd1;\nif (valid && ready) total <= total + {{18'd0, data}}; {bug}\nend\nendmodule\n"
    );
    let ports = [
        Port::input("reset", 1),
        Port::input("valid", 1),
        Port::input("data", 32),
        Port::output("ready", 1),
        Port::output("sum", 100),
    ];
    design("accumulator", &text, &ports)
}

#[derive(Debug, Default, PartialEq)]
struct Model {
    alive: bool,
    phase: u8,
    total: u64,
}

impl Reference for Model {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        if !self.alive {
            return;
        }
        outputs[0] = u64::from(self.phase != 3);
        outputs[1] = self.total | self.total << 50;
        outputs[2] = self.total >> 14;
        care.copy_from_slice(&[1, u64::MAX, (1 << 36) - 1]);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let [reset, valid, data] = [inputs[0], inputs[1], inputs[2]];
        if reset == 1 {
            *self = Model {
                alive: true,
                ..Model::default()
            };
            return;
        }
        if valid == 1 && self.phase != 3 {
            self.total = (self.total + data) & ((1 << 50) - 1);
        }
        self.phase = (self.phase + 1) % 4;
    }
}

/// One clock of reset, then `items` items that each wait for the predicted `ready`.
struct Items {
    random: ChaCha8Rng,
    reset: bool,
    left: u64,
}

impl Items {
    fn new(seed: u64, items: u64) -> Self {
        Self {
            random: ChaCha8Rng::seed_from_u64(seed),
            reset: true,
            left: items,
        }
    }
}

impl Stimulus for Items {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if std::mem::take(&mut self.reset) {
            inputs[0] = 1;
            return true;
        }
        if predicted[0] == 1 && self.left > 0 {
            self.left -= 1;
            inputs[1] = 1;
            inputs[2] = u64::from(self.random.random::<u32>());
            return true;
        }
        self.left > 0
    }
}

fn bench(design: &Design) -> Bench {
    Bench::new(Simulation::built_in(design).expect("it reads"))
}

fn verilator_bench(design: &Design) -> Bench {
    let simulation = Simulation::verilator(&toolchain(), design, &BuildOptions::default());
    Bench::new(simulation.expect("it builds"))
}

#[test]
fn equal_device_and_reference_run_to_the_end() {
    let mut ready_clocks = 0;
    let outcome = bench(&adder(""))
        .run(
            1,
            Initial::Random(3),
            |seed| (Model::default(), Items::new(seed, 10_000)),
            |clock| {
                if clock.reference.alive {
                    ready_clocks += clock.outputs[0];
                }
            },
        )
        .expect("they are equal");
    // One clock of reset; three items every four clocks.
    assert_eq!(outcome.clocks, 1 + 13_333);
    assert_eq!(ready_clocks, 10_000);
}

/// The sum goes wrong at its first carry into bit 40.
fn wrong_adder() -> Design {
    adder("if (total[40]) total <= 50'd0;")
}

#[test]
fn a_difference_is_named_and_drawn() {
    is_named_and_drawn(verilator_bench(&wrong_adder()));
}

#[test]
fn a_difference_in_the_built_in_simulator_is_named_and_drawn() {
    is_named_and_drawn(bench(&wrong_adder()));
}

fn is_named_and_drawn(mut bench: Bench) {
    let folder = tempfile::tempdir().expect("a folder");
    bench.waveforms = folder.path().join("new/folder");
    let run = |bench: &Bench| {
        bench.run(
            11,
            Initial::Zeros,
            |s| (Model::default(), Items::new(s, 10_000)),
            |_| {},
        )
    };
    let error = run(&bench).expect_err("they differ");
    let LockstepError::Mismatch {
        cycle,
        port,
        expected,
        got,
        seed,
        waveform,
    } = &error
    else {
        panic!("{error:?}")
    };
    assert_eq!((port.as_str(), *seed), ("sum", 11));
    assert_eq!((expected.len(), got.len()), (2 + 25, 2 + 25));
    assert_ne!(expected, got);
    let path = waveform.path().expect("a waveform");
    assert!(
        error.to_string().contains(&path.display().to_string()),
        "{error}"
    );

    let text = std::fs::read_to_string(path).expect("the file");
    let times: Vec<u64> = text
        .lines()
        .filter_map(|line| line.strip_prefix('#')?.parse().ok())
        .collect();
    assert_eq!(
        times.first(),
        Some(&(10 * (cycle - 199))),
        "the window begins 200 clocks back"
    );
    assert_eq!(
        times.last(),
        Some(&(10 * cycle + 5)),
        "it ends with the mismatch"
    );

    let again = run(&bench).expect_err("they still differ");
    assert_eq!(
        again.to_string(),
        error.to_string(),
        "a seed gives the same run"
    );
}

#[test]
fn a_wrong_ready_is_itself_a_mismatch() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = adder("");
    wrong.sources[0].1 = wrong.sources[0].1.replace("phase != 2'd3", "phase != 2'd2");
    let mut bench = bench(&wrong);
    bench.waveforms = folder.path().to_path_buf();
    let error = bench
        .run(
            1,
            Initial::Zeros,
            |s| (Model::default(), Items::new(s, 10)),
            |_| {},
        )
        .expect_err("they differ");
    assert!(
        matches!(&error, LockstepError::Mismatch { port, cycle: 3, .. } if port == "ready"),
        "{error:?}"
    );
}

#[test]
fn a_fatal_in_the_device_is_drawn_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bench = verilator_bench(&adder(
        "if (total > 50'd100000000000) $fatal(1, \"overflow\");",
    ));
    bench.waveforms = folder.path().to_path_buf();
    let error = bench
        .run(
            2,
            Initial::Zeros,
            |s| (Model::default(), Items::new(s, 1000)),
            |_| {},
        )
        .expect_err("it stops");
    assert!(matches!(error, LockstepError::Device { .. }), "{error:?}");
    assert!(error.to_string().contains("overflow"), "{error}");
    assert!(error.waveform().expect("a waveform").is_file());
}

#[test]
fn a_stimulus_that_depends_on_more_than_its_seed_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bench = bench(&wrong_adder());
    bench.waveforms = folder.path().to_path_buf();
    let mut calls = 0;
    let make = |seed| {
        calls += 1;
        (Model::default(), Items::new(seed + 1000 * calls, 10_000))
    };
    let error = bench
        .run(11, Initial::Zeros, make, |_| {})
        .expect_err("they differ");
    assert!(
        error.waveform().is_none() && error.to_string().contains("more than the seed"),
        "{error}"
    );
}

#[test]
fn a_run_without_end_is_an_error() {
    let mut bench = bench(&adder(""));
    bench.limits = Limits { max_clocks: 500 };
    let error = bench
        .run(
            1,
            Initial::Zeros,
            |s| (Model::default(), Items::new(s, 10_000)),
            |_| {},
        )
        .expect_err("it is too long");
    assert!(
        matches!(error, LockstepError::TooLong { clocks: 500, .. }),
        "{error:?}"
    );
}

#[test]
fn any_device_can_be_compared() {
    struct Native(Model, u64);
    impl Device for Native {
        fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
            outputs.fill(0);
            self.0.outputs(outputs, &mut [0; 3]);
            self.0.clock(inputs);
            self.1 += 1;
            if self.1 == 100 {
                return Err("the cable is out".into());
            }
            Ok(())
        }
    }
    let run = |items| {
        let mut device = Native(Model::default(), 0);
        compare(
            &adder(""),
            &mut device,
            &mut Model::default(),
            &mut Items::new(1, items),
            1,
            Limits::default(),
            |_| {},
        )
    };
    assert_eq!(run(60).expect("they are equal").clocks, 80);
    let error = run(90).expect_err("it fails");
    assert!(
        error.to_string().contains("clock 99: the cable is out"),
        "{error}"
    );
}

/// As [`Bench::run`] of [`Items`], with what the reference is in the end.
fn run_ahead(bench: &Bench, seed: u64, items: u64) -> Result<Ran<Model>, LockstepError> {
    let make = |seed| (Model::default(), Items::new(seed, items));
    bench.run_ahead(seed, Initial::Zeros, make, |_| {}, |_| {})
}

/// The reference after so many clocks.
fn model_after(clocks: u64, seed: u64, items: u64) -> Model {
    let (mut model, mut items) = (Model::default(), Items::new(seed, items));
    for _ in 0..clocks {
        let (mut outputs, mut inputs) = ([0; 3], [0; 3]);
        model.outputs(&mut outputs, &mut [0; 3]);
        assert!(items.next(&outputs, &mut inputs));
        model.clock(&inputs);
    }
    model
}

#[test]
fn a_run_with_the_reference_ahead_is_the_same_run() {
    let bench = bench(&adder(""));
    // fewer clocks than a batch, and some batches
    for (items, clocks) in [(3, 4), (300, 400), (10_000, 13_334)] {
        let mut seen = Vec::new();
        let make = |seed| (Model::default(), Items::new(seed, items));
        let observe = |clock: &bloomline_bench::lockstep::Seen<'_>| {
            seen.push((clock.cycle, clock.inputs.to_vec(), clock.outputs.to_vec()));
        };
        let ran = bench
            .run_ahead(1, Initial::Random(3), make, observe, |_| {})
            .expect("it runs");
        assert_eq!(ran.result.expect("they are equal").clocks, clocks);
        assert_eq!(ran.reference, model_after(clocks, 1, items));
        let mut plain = Vec::new();
        bench
            .run(1, Initial::Random(3), make, |clock| {
                plain.push((clock.cycle, clock.inputs.to_vec(), clock.outputs.to_vec()));
            })
            .expect("they are equal");
        assert_eq!(seen, plain);
    }
}

#[test]
fn a_failure_with_the_reference_ahead_is_the_same_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let fatal = adder("if (total > 50'd100000000000) $fatal(1, \"overflow\");");
    let of_verilator = |design: &Design| verilator_bench(design);
    for mut bench in [bench(&wrong_adder()), of_verilator(&fatal)] {
        bench.waveforms = folder.path().to_path_buf();
        let make = |seed| (Model::default(), Items::new(seed, 10_000));
        let plain = bench
            .run(11, Initial::Zeros, make, |_| {})
            .expect_err("it fails");
        let ran = run_ahead(&bench, 11, 10_000).expect("it runs");
        let error = ran.result.expect_err("it fails");
        assert_eq!(error.to_string(), plain.to_string());
        let cycle = error.cycle().expect("a clock");
        assert_eq!(ran.reference, model_after(cycle, 11, 10_000));
    }
}

#[test]
fn a_run_ahead_without_end_is_an_error_and_one_of_as_many_clocks_is_none() {
    let mut bench = bench(&adder(""));
    bench.limits = Limits { max_clocks: 13_334 };
    assert!(run_ahead(&bench, 1, 10_000).is_ok_and(|ran| ran.result.is_ok()));
    bench.limits = Limits { max_clocks: 13_333 };
    let error = run_ahead(&bench, 1, 10_000).expect_err("it is too long");
    assert!(
        matches!(error, LockstepError::TooLong { clocks: 13_333, .. }),
        "{error:?}"
    );
}

/// Values of every signal of a VCD by its path below `top`, at each time.
fn values(path: &Path, top: &str) -> BTreeMap<String, Vec<(u64, u64)>> {
    let file = std::fs::File::open(path).expect("the waveform");
    let mut parser = vcd::Parser::new(std::io::BufReader::new(file));
    let header = parser.parse_header().expect("a header");
    let mut names: BTreeMap<vcd::IdCode, Vec<String>> = BTreeMap::new();
    let mut open = vec![(String::new(), header.items)];
    while let Some((prefix, items)) = open.pop() {
        for item in items {
            match item {
                vcd::ScopeItem::Scope(scope) => {
                    let path = format!("{prefix}{}.", scope.identifier);
                    open.push((path, scope.children));
                }
                vcd::ScopeItem::Var(var) => {
                    let path = format!("{prefix}{}", var.reference);
                    if let Some(at) = path.find(&format!("{top}.")) {
                        names.entry(var.code).or_default().push(path[at..].into());
                    }
                }
            }
        }
    }
    let mut values: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    let mut time = 0;
    for command in parser {
        let (code, value) = match command.expect("a command") {
            vcd::Command::Timestamp(now) => {
                time = now;
                continue;
            }
            vcd::Command::ChangeScalar(code, value) => (code, vec![value]),
            vcd::Command::ChangeVector(code, value) => (code, value),
            _ => continue,
        };
        let number = value.iter().fold(0u64, |number, bit| {
            number.rotate_left(1) ^ u64::from(*bit == vcd::Value::V1)
        });
        for name in names.get(&code).into_iter().flatten() {
            values.entry(name.clone()).or_default().push((time, number));
        }
    }
    values
}

#[test]
fn the_waveform_of_a_good_run_is_the_same_from_both_simulators() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut nested = adder("");
    nested.sources[0].1 = nested.sources[0].1.replace(
        "endmodule",
        "wire [3:0] below; part inner(.clock(clock), .up(phase), .down(below)); endmodule\n\
         module part(input wire clock, input wire [1:0] up, output reg [3:0] down);\n\
         initial down = 4'd0;\nalways @(posedge clock) down <= {down[1:0], up};\nendmodule",
    );
    let waveform = |mut bench: Bench, name: &str| {
        let path = folder.path().join(name);
        bench.record = Some(Window {
            path: path.clone(),
            from: 600,
            to: 623,
        });
        let ran = run_ahead(&bench, 5, 1_000).expect("it runs");
        assert_eq!(ran.result.expect("they are equal").clocks, 1_334);
        values(&path, "accumulator")
    };
    let built_in = waveform(bench(&nested), "built-in.vcd");
    let verilator = waveform(verilator_bench(&nested), "verilator.vcd");
    for name in ["phase", "total", "sum", "clock", "inner.up", "inner.down"] {
        let name = format!("accumulator.{name}");
        let (here, there) = (&built_in[&name], &verilator[&name]);
        assert_eq!(here, there, "{name}");
        assert_eq!(here[0].0, 6_000, "{name}: the first clock");
        assert!(here.iter().all(|(time, _)| *time <= 6_235), "{name}");
    }
    assert_eq!(built_in["accumulator.clock"].last(), Some(&(6_235, 1)));
}

#[test]
fn a_window_that_cannot_be_written_is_an_error_before_or_after_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bench = bench(&adder(""));
    let mut error = |path: &str, from, to| {
        let path = folder.path().join(path);
        bench.record = Some(Window { path, from, to });
        run_ahead(&bench, 5, 1_000)
            .expect_err("no waveform")
            .to_string()
    };
    assert!(error("a.vcd", 5, 4).contains("give --to 5 or more"));
    assert!(error("none/a.vcd", 0, 4).contains("cannot be written"));
    let beyond = error("a.vcd", 1_334, 2_000);
    assert!(beyond.contains("has 1334 clocks"), "{beyond}");
    assert!(!folder.path().join("a.vcd").exists());
    let simulation = Simulation::built_in(&adder("")).expect("it reads");
    let last = Window {
        path: folder.path().join("b.vcd"),
        from: 1,
        to: u64::MAX,
    };
    let mut recording = Recording::open(&simulation, Initial::Zeros, &last).expect("it opens");
    recording.step(&[0; 3], &mut [0; 3]).expect("a clock");
    recording.step(&[0; 3], &mut [0; 3]).expect("a clock");
    recording.close().expect("the second clock is there");
}

#[test]
fn lanes_are_as_many_runs_and_the_first_that_differs_is_told() {
    let seeds: Vec<u64> = (0..64).map(|lane| 100 + lane).collect();
    let make = |seed: u64| (Model::default(), Items::new(seed, 200 + seed % 7));
    let mut clocks = Vec::new();
    let ran = bench(&adder(""))
        .run_lanes(
            &seeds,
            Initial::Random(3),
            true,
            make,
            |seen| clocks.push(seen.cycle),
            |_| {},
        )
        .expect("it runs");
    let mut all = 0;
    for (seed, reference) in seeds.iter().zip(&ran.references) {
        let single = bench(&adder(""))
            .run(*seed, Initial::Zeros, make, |_| {})
            .expect("they are equal");
        all += single.clocks;
        assert_eq!(
            reference,
            &model_after(single.clocks, *seed, 200 + seed % 7)
        );
        if *seed == 100 {
            assert!(
                clocks.iter().copied().eq(0..single.clocks),
                "lane 0 is seen"
            );
        }
    }
    assert_eq!(ran.result.expect("they are equal").clocks, all);

    let folder = tempfile::tempdir().expect("a folder");
    let mut bench = bench(&wrong_adder());
    bench.waveforms = folder.path().to_path_buf();
    let make = |seed| (Model::default(), Items::new(seed, 10_000));
    let error = bench
        .run_lanes(&seeds, Initial::Zeros, true, make, |_| {}, |_| {})
        .expect("it runs")
        .result
        .expect_err("they differ");
    let LockstepError::Lane { lane, source } = &error else {
        panic!("{error:?}")
    };
    let alone = |seed| {
        bench
            .run(seed, Initial::Zeros, make, |_| {})
            .expect_err("they differ")
    };
    assert_eq!(source.to_string(), alone(seeds[*lane]).to_string());
    let first = seeds.iter().map(|seed| alone(*seed).cycle()).min();
    assert_eq!(error.cycle(), first.expect("lanes"));
    assert!(error.waveform().is_some_and(Path::is_file));

    let few = bench.run_lanes(&seeds[..9], Initial::Zeros, true, make, |_| {}, |_| {});
    assert!(matches!(few, Err(LockstepError::Lanes { lanes: 9 })));
}
