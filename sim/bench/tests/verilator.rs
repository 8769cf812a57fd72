//! Claims about the loader, each against Verilog written by hand.

mod common;

use bloomline_bench::verilator::{
    lint, BuildOptions, Design, Initial, Library, Port, VerilatorError,
};
use bloomline_toolchain::Toolchain;
use common::{build, counter, design, toolchain};

#[test]
fn combinational_outputs_are_those_of_the_same_clock() {
    let text = "module adder(input wire [15:0] a, input wire [15:0] b, output wire [16:0] sum);\nassign sum = {1'b0, a} + {1'b0, b};\nendmodule\n";
    let ports = [
        Port::input("a", 16),
        Port::input("b", 16),
        Port::output("sum", 17),
    ];
    let adder = Design {
        clock: None,
        ..design("adder", text, &ports)
    };
    let mut sim = build(&adder)
        .expect("it builds")
        .open(Initial::Zeros)
        .expect("it opens");
    let mut out = [0];
    for (a, b) in [(1, 2), (0xffff, 0xffff), (0, 0xffff)] {
        sim.step(&[a, b], &mut out).expect("a good clock");
        assert_eq!(out[0], a + b);
    }
}

#[test]
fn registers_show_their_value_before_the_edge() {
    let mut sim = build(&counter())
        .expect("it builds")
        .open(Initial::Random(7))
        .expect("it opens");
    let mut out = [0];
    sim.step(&[1, 0], &mut out).expect("reset");
    let mut expected = 0;
    for step in 0..200_u64 {
        // Bits above the port's width must not reach the design.
        sim.step(&[0, (step % 128) | 0xff80], &mut out)
            .expect("a good clock");
        assert_eq!(out[0], expected, "in clock {step}");
        expected += step % 128;
    }
    assert_eq!(sim.cycle(), 201);
}

#[test]
fn many_steps_equal_single_steps() {
    let library = build(&counter()).expect("it builds");
    let inputs: Vec<u64> = (0..1000)
        .flat_map(|i| [u64::from(i == 0), i % 100])
        .collect();
    let mut together = vec![0; 1000];
    library
        .open(Initial::Zeros)
        .expect("it opens")
        .step_many(&inputs, &mut together, 1000)
        .expect("good clocks");
    let mut sim = library.open(Initial::Zeros).expect("it opens");
    let mut single = [0];
    for (clock, input) in inputs.chunks(2).enumerate() {
        sim.step(input, &mut single).expect("a good clock");
        assert_eq!(single[0], together[clock], "in clock {clock}");
    }
}

#[test]
fn wide_ports_keep_every_bit_in_its_place() {
    let widths = [512_usize, 65, 100, 128, 1024, 64, 33];
    let ports: Vec<Port> = widths
        .iter()
        .enumerate()
        .map(|(i, &w)| Port::input(format!("a__{i}"), w))
        .collect();
    let outs: Vec<Port> = widths
        .iter()
        .enumerate()
        .map(|(i, &w)| Port::output(format!("q{i}"), w))
        .collect();
    let mut text = "module wide(input wire clock".to_string();
    for (i, w) in widths.iter().enumerate() {
        text += &format!(
            ", input wire [{0}:0] a__{i}, output reg [{0}:0] q{i}",
            w - 1
        );
    }
    text += ");\nalways @(posedge clock) begin\n";
    for i in 0..widths.len() {
        text += &format!("q{i} <= ~a__{i};\n");
    }
    text += "end\nendmodule\n";
    let all: Vec<Port> = ports.iter().chain(&outs).cloned().collect();
    let wide = design("wide", &text, &all);
    let mut sim = build(&wide)
        .expect("it builds")
        .open(Initial::Zeros)
        .expect("it opens");
    let mut word = 0x9e37_79b9_7f4a_7c15_u64;
    let inputs: Vec<u64> = (0..wide.input_words())
        .map(|_| {
            word = word.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(17);
            word
        })
        .collect();
    let mut out = vec![u64::MAX; wide.output_words()];
    sim.step(&inputs, &mut out).expect("first clock");
    sim.step(&inputs, &mut out).expect("second clock");
    for (port, at) in wide.outputs() {
        for bit in 0..64 * port.words() {
            let read = |buffer: &[u64]| buffer[at + bit / 64] >> (bit % 64) & 1;
            // Inputs and outputs have the same widths in the same order, so the same places.
            let expected = if bit < port.width {
                1 - read(&inputs)
            } else {
                0
            };
            assert_eq!(read(&out), expected, "bit {bit} of {}", port.name);
        }
    }
}

#[test]
fn fatal_is_an_error_that_names_clock_and_line() {
    let text = "module bomb(input wire clock, input wire go, output reg [7:0] n);\ninitial n = 0;\n\
                always @(posedge clock) begin n <= n + 1; if (go) $fatal(1, \"boom at %0d\", n); end\nendmodule\n";
    let library = build(&design(
        "bomb",
        text,
        &[Port::input("go", 1), Port::output("n", 8)],
    ))
    .expect("it builds");
    let mut sim = library.open(Initial::Zeros).expect("it opens");
    let mut out = [0];
    for _ in 0..5 {
        sim.step(&[0], &mut out).expect("a good clock");
    }
    let error = sim.step(&[1], &mut out).expect_err("it must stop");
    assert!(
        matches!(error, VerilatorError::Stopped { cycle: 5, .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains("boom at 5") && error.to_string().contains("bomb.v:3"),
        "{error}"
    );
    assert!(
        sim.step(&[0], &mut out).is_err(),
        "a stopped model must stay stopped"
    );
    // The process and the library live on.
    library
        .open(Initial::Zeros)
        .expect("it opens again")
        .step(&[0], &mut out)
        .expect("a good clock");
}

#[test]
fn a_loop_that_never_settles_is_an_error() {
    let text = "module ring(input wire clock, input wire go, output wire q);\nwire a = go & ~q;\nassign q = a;\nendmodule\n";
    let library = build(&design(
        "ring",
        text,
        &[Port::input("go", 1), Port::output("q", 1)],
    ))
    .expect("it builds");
    let mut sim = library.open(Initial::Zeros).expect("it opens");
    sim.step(&[0], &mut [0]).expect("stable while go is low");
    let error = sim.step(&[1], &mut [0]).expect_err("it oscillates");
    assert!(
        matches!(error, VerilatorError::Stopped { cycle: 1, .. }),
        "{error:?}"
    );
}

#[test]
fn finish_is_an_error_and_display_goes_to_the_log() {
    let text = "module ender(input wire clock, input wire go);\nalways @(posedge clock) begin $display(\"go=%0d\", go); if (go) $finish; end\nendmodule\n";
    let mut sim = build(&design("ender", text, &[Port::input("go", 1)]))
        .expect("it builds")
        .open(Initial::Zeros)
        .expect("it opens");
    sim.step(&[0], &mut []).expect("a good clock");
    let error = sim.step(&[1], &mut []).expect_err("it must end");
    assert!(
        matches!(error, VerilatorError::Finished { cycle: 1, .. }),
        "{error:?}"
    );
    assert_eq!(sim.take_log(), "go=0\ngo=1\n");
    assert_eq!(sim.take_log(), "");
}

#[test]
fn declared_ports_must_be_those_of_the_model() {
    // 500 and 512 bits take the same room, so only the generated declaration tells them apart.
    let text = "module w(input wire clock, input wire [511:0] a, output reg [511:0] q);\nalways @(posedge clock) q <= a;\nendmodule\n";
    let with = |ports: &[Port]| build(&design("w", text, ports)).expect_err("it must be refused");
    let narrow = with(&[Port::input("a", 500), Port::output("q", 512)]);
    assert!(
        matches!(narrow, VerilatorError::PortMismatch { .. }),
        "{narrow:?}"
    );
    assert!(
        narrow.to_string().contains("input of 500 bits")
            && narrow.to_string().contains("input of 512 bits"),
        "{narrow}"
    );
    let turned = with(&[Port::output("a", 512), Port::output("q", 512)]);
    assert!(
        matches!(turned, VerilatorError::PortMismatch { .. }),
        "{turned:?}"
    );
    let missing = with(&[Port::input("b", 512), Port::output("q", 512)]);
    assert!(
        matches!(&missing, VerilatorError::PortMissing { available, .. } if available.contains('a')),
        "{missing:?}"
    );
    let left_over = with(&[Port::output("q", 512)]);
    assert!(
        matches!(&left_over, VerilatorError::PortUndeclared { port, .. } if port == "a"),
        "{left_over:?}"
    );
    let huge = with(&[Port::input("a", 1025), Port::output("q", 512)]);
    assert!(matches!(huge, VerilatorError::Design { .. }), "{huge:?}");
}

#[test]
fn broken_verilog_is_refused_with_its_line() {
    let error = build(&design(
        "bad",
        "module bad(input wire clock);\n  assign = 3;\nendmodule\n",
        &[],
    ))
    .expect_err("a syntax error");
    assert!(
        matches!(error, VerilatorError::Verilate { .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("bad.v:2"), "{error}");
}

#[test]
fn buffers_of_the_wrong_length_are_refused() {
    let mut sim = build(&counter())
        .expect("it builds")
        .open(Initial::Zeros)
        .expect("it opens");
    let error = sim
        .step(&[0], &mut [0])
        .expect_err("one input word is missing");
    assert!(
        matches!(
            error,
            VerilatorError::Buffer {
                expected: 2,
                got: 1,
                ..
            }
        ),
        "{error:?}"
    );
    let error = sim
        .step_many(&[0; 4], &mut [0; 3], 2)
        .expect_err("one output word too many");
    assert!(
        matches!(
            error,
            VerilatorError::Buffer {
                expected: 2,
                got: 3,
                ..
            }
        ),
        "{error:?}"
    );
}

#[test]
fn random_initial_state_depends_on_the_seed_alone() {
    let library = build(&counter()).expect("it builds");
    let first = |initial| {
        let mut out = [0];
        library
            .open(initial)
            .expect("it opens")
            .step(&[0, 0], &mut out)
            .expect("a good clock");
        out[0]
    };
    assert_eq!(first(Initial::Zeros), 0);
    assert_eq!(first(Initial::Ones), (1 << 34) - 1);
    assert_eq!(first(Initial::Random(1)), first(Initial::Random(1)));
    let distinct: std::collections::HashSet<u64> =
        (0..20).map(|seed| first(Initial::Random(seed))).collect();
    assert!(distinct.len() >= 19, "{distinct:?}");
}

#[test]
fn a_model_is_built_once() {
    let cache = tempfile::tempdir().expect("a folder");
    // Its own cache of models, the common runtime: the first build must be fresh, the second must not.
    let toolchain = own_models(cache.path());
    let options = BuildOptions::default();
    assert!(Library::build(&toolchain, &counter(), &options)
        .expect("it builds")
        .is_fresh());
    let library = Library::build(&toolchain, &counter(), &options).expect("it is there");
    library.open(Initial::Zeros).expect("it opens");
    assert!(!library.is_fresh());
    // One that was cut short would end the process when it is loaded.
    let whole = std::fs::read(library.path()).expect("the library");
    std::fs::remove_file(library.path()).expect("it is there");
    std::fs::write(library.path(), &whole[..whole.len() / 2]).expect("a file");
    let library = Library::build(&toolchain, &counter(), &options).expect("it builds");
    assert!(library.is_fresh(), "a damaged model must be built anew");
    library.open(Initial::Zeros).expect("it opens");
    let mut other = counter();
    other.sources[0].1 += "// changed\n";
    assert!(
        Library::build(&toolchain, &other, &options)
            .expect("it builds")
            .is_fresh(),
        "a changed text must be built anew"
    );
}

/// A toolchain whose models lie in `cache`, with the compiled runtime of the common cache.
fn own_models(cache: &std::path::Path) -> Toolchain {
    let common = toolchain();
    build(&counter()).expect("the runtime is compiled");
    std::os::unix::fs::symlink(common.cache().join("runtime"), cache.join("runtime"))
        .expect("a link");
    common.with_cache(cache).expect("an absolute folder")
}

/// Run by `processes_that_build_at_once_share_one_build` in processes of their own.
#[test]
#[ignore = "a part of another test"]
fn build_the_counter_in_the_cache_of_the_environment() {
    let library =
        Library::build(&toolchain(), &counter(), &BuildOptions::default()).expect("it builds");
    library
        .open(Initial::Zeros)
        .expect("it opens")
        .step(&[1, 0], &mut [0])
        .expect("a good clock");
    println!("fresh={}", library.is_fresh());
}

#[test]
fn processes_that_build_at_once_share_one_build() {
    let cache = tempfile::tempdir().expect("a folder");
    own_models(cache.path());
    let me = std::env::current_exe().expect("this test");
    let children: Vec<_> = (0..3)
        .map(|_| {
            std::process::Command::new(&me)
                .args([
                    "--exact",
                    "build_the_counter_in_the_cache_of_the_environment",
                    "--ignored",
                    "--nocapture",
                ])
                .env("BLOOMLINE_CACHE", cache.path())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .expect("it starts")
        })
        .collect();
    let outputs: Vec<String> = children
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        })
        .collect();
    let fresh = outputs
        .iter()
        .filter(|text| text.contains("fresh=true"))
        .count();
    let found = outputs
        .iter()
        .filter(|text| text.contains("fresh=false"))
        .count();
    assert_eq!((fresh, found), (1, 2), "{outputs:?}");
    let left: Vec<_> = std::fs::read_dir(cache.path().join("models"))
        .expect("the models")
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert_eq!(left.len(), 2, "one model and its lock file: {left:?}");
}

#[test]
fn a_waveform_holds_its_window_and_nothing_else() {
    let options = BuildOptions {
        trace: true,
        ..BuildOptions::default()
    };
    let library = Library::build(&toolchain(), &counter(), &options).expect("it builds");
    let folder = tempfile::tempdir().expect("a folder");
    let mut sim = library.open(Initial::Zeros).expect("it opens");
    let mut out = [0];
    for window in [(100, 110), (150, 152)] {
        let path = folder.path().join(format!("{}.vcd", window.0));
        while sim.cycle() < 200 {
            if sim.cycle() == window.0 {
                sim.trace_open(&path).expect("a writable folder");
            }
            sim.step(&[0, 3], &mut out).expect("a good clock");
            if sim.cycle() == window.1 {
                sim.trace_close();
                break;
            }
        }
        let mut parser = vcd::Parser::new(std::io::BufReader::new(
            std::fs::File::open(&path).expect("the file"),
        ));
        let header = parser.parse_header().expect("a header");
        let count = header
            .find_var(&["counter", "count"])
            .or_else(|| header.find_var(&["count"]))
            .expect("the register")
            .code;
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for command in parser {
            match command.expect("a good line") {
                vcd::Command::Timestamp(time) => times.push(time),
                vcd::Command::ChangeVector(code, value) if code == count => {
                    values.push(number(&value))
                }
                _ => {}
            }
        }
        assert_eq!(times.first(), Some(&(10 * window.0)), "{times:?}");
        assert_eq!(times.last(), Some(&(10 * (window.1 - 1) + 5)), "{times:?}");
        let expected: Vec<u64> = (window.0..=window.1).map(|clock| 3 * clock).collect();
        assert_eq!(values, expected);
    }
    let mut plain = build(&counter())
        .expect("it builds")
        .open(Initial::Zeros)
        .expect("it opens");
    let error = plain
        .trace_open(&folder.path().join("x.vcd"))
        .expect_err("built without");
    assert!(
        matches!(error, VerilatorError::NotBuilt { .. }),
        "{error:?}"
    );
    let error = sim
        .trace_open(&folder.path().join("no/such/x.vcd"))
        .expect_err("no such folder");
    assert!(
        matches!(error, VerilatorError::OutputFile { .. }),
        "{error:?}"
    );
}

fn number(value: &[vcd::Value]) -> u64 {
    value.iter().fold(0, |number, bit| {
        2 * number + u64::from(*bit == vcd::Value::V1)
    })
}

#[test]
fn coverage_is_written_when_asked_for() {
    let options = BuildOptions {
        coverage: true,
        ..BuildOptions::default()
    };
    let library = Library::build(&toolchain(), &counter(), &options).expect("it builds");
    let mut sim = library.open(Initial::Zeros).expect("it opens");
    sim.step(&[0, 1], &mut [0]).expect("a good clock");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("coverage.dat");
    sim.write_coverage(&path).expect("it is written");
    let text = std::fs::read_to_string(path).expect("a text");
    assert!(text.contains("counter.v"), "{text}");
}

#[test]
fn models_of_two_designs_live_side_by_side() {
    let one = build(&counter()).expect("it builds");
    let mut doubled = counter();
    doubled.sources[0].1 = doubled.sources[0]
        .1
        .replace("{27'd0, step}", "{26'd0, step, 1'b0}");
    let two = build(&doubled).expect("it builds");
    let (mut a, mut b) = (
        one.open(Initial::Zeros).expect("it opens"),
        two.open(Initial::Zeros).expect("it opens"),
    );
    let (mut out_a, mut out_b) = ([0], [0]);
    for clock in 0..100 {
        a.step(&[0, 1], &mut out_a).expect("a good clock");
        b.step(&[0, 1], &mut out_b).expect("a good clock");
        assert_eq!((out_a[0], out_b[0]), (clock, 2 * clock));
    }
    drop(a);
    std::thread::spawn(move || {
        b.step(&[0, 1], &mut [0])
            .expect("a good clock in another thread")
    })
    .join()
    .expect("no panic");
}

#[test]
fn models_run_in_parallel_threads() {
    let library = build(&counter()).expect("it builds");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let library = &library;
            scope.spawn(move || {
                for round in 0..50 {
                    let mut sim = library
                        .open(Initial::Random(thread * 100 + round))
                        .expect("it opens");
                    let mut out = [0];
                    sim.step(&[1, 0], &mut out).expect("reset");
                    for clock in 0..1000 {
                        sim.step(&[0, thread], &mut out).expect("a good clock");
                        assert_eq!(out[0], clock * thread);
                    }
                }
            });
        }
    });
}

#[test]
fn a_fatal_in_an_initial_block_stops_the_first_clock() {
    let text = "module early(input wire clock, output wire q);\nassign q = clock;\ninitial $fatal(1, \"not legal\");\nendmodule\n";
    let library = build(&design("early", text, &[Port::output("q", 1)])).expect("it builds");
    let error = library
        .open(Initial::Zeros)
        .expect("it opens")
        .step(&[], &mut [0])
        .expect_err("it must stop");
    assert!(
        matches!(error, VerilatorError::Stopped { cycle: 0, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("not legal"), "{error}");
}

#[test]
fn lint_tells_code_and_place() {
    let toolchain = toolchain();
    let clean = counter();
    assert_eq!(
        lint(&toolchain, &clean.sources, "counter").expect("it runs"),
        []
    );
    let sources = [(
        "narrow.v".to_string(),
        "module narrow(input wire [7:0] a, output wire [3:0] q);\nassign q = a;\nendmodule\n"
            .to_string(),
    )];
    let warnings = lint(&toolchain, &sources, "narrow").expect("it runs");
    assert!(
        warnings
            .iter()
            .any(|w| w.code == "WIDTHTRUNC" && w.place.starts_with("narrow.v:2") && !w.is_error),
        "{warnings:?}"
    );
    let sources = [("bad.v".to_string(), "module bad(;\nendmodule\n".to_string())];
    let warnings = lint(&toolchain, &sources, "bad").expect("it runs");
    assert!(
        warnings
            .iter()
            .any(|w| w.is_error && w.place.starts_with("bad.v:1")),
        "{warnings:?}"
    );
}
