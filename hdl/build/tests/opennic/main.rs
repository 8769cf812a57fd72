//! Claims about the plugin for the OpenNIC shell: in a shell of two clocks around it, and on its way through the build.

#[path = "../common/mod.rs"]
mod common;
mod emitted;
mod shell;

use bloomline_bench::verilator::{lint, Library};
use bloomline_build::{
    build_plugin, BuildError, Event, KnownBoard, OpenNicBoard, PluginRequest, PLUGIN, PLUGIN_TOP,
};
use bloomline_spec::FilterSpec;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shell::{library, sources, Chances, Frame, Shell, ALWAYS, AXIS_HALF_PS};
use std::path::Path;

const STAND_IN: &str = include_str!("stand_in.v");
const BUFFER_BYTES: u32 = 4096;
/// Half a clock of the registers, 125 MHz, and its first edge: in step with the clock of the frames.
const IN_STEP: (u64, u64) = (2 * AXIS_HALF_PS, 1_000);
const OKAY: u64 = 0;
const SLVERR: u64 = 2;
const DECERR: u64 = 3;

fn stand_in(interfaces: usize) -> Library {
    let sources = sources("stand_in_path", STAND_IN, BUFFER_BYTES);
    library(&common::toolchain(), sources, interfaces, &[]).expect("a model")
}

fn board() -> OpenNicBoard {
    match KnownBoard::load("opennic-250") {
        Ok(KnownBoard::OpenNic(board)) => *board,
        other => panic!("{other:?}"),
    }
}

/// A frame as the shell hands it over on the receiving side of an interface.
fn arrived(bytes: Vec<u8>, interface: usize) -> Frame {
    Frame {
        size: bytes.len() as u16,
        bytes,
        src: 1 << (6 + interface),
        dst: 0,
    }
}

/// One of random bytes.
fn received(random: &mut ChaCha8Rng, bytes: usize, interface: usize) -> Frame {
    arrived((0..bytes).map(|_| random.random()).collect(), interface)
}

/// One that the host sends.
fn sent(random: &mut ChaCha8Rng, bytes: usize, interface: usize) -> Frame {
    Frame {
        src: 1 << interface,
        ..received(random, bytes, interface)
    }
}

/// What comes of them behind the box.
fn expected(frames: &[Frame], dst: u16) -> Vec<Frame> {
    let forward = |frame: &Frame| Frame {
        dst,
        ..frame.clone()
    };
    frames.iter().map(forward).collect()
}

#[test]
fn frames_go_both_ways_of_two_interfaces_with_size_source_and_destination() {
    let library = stand_in(2);
    for (seed, offer, take) in [(1, 128, 128), (2, ALWAYS, 64), (3, 64, ALWAYS)] {
        let chances = Chances { offer, take };
        let mut shell = Shell::start(&library, 2, seed, chances, IN_STEP);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut all = Vec::new();
        for interface in 0..2 {
            // every size around the ends of beats, one that fills the buffer, and the usual ones
            let mut sizes: Vec<usize> = (60..=130).chain([4096, 1518, 64 * 20]).collect();
            sizes.extend((0..80).map(|_| random.random_range(60..=1518)));
            let rx: Vec<Frame> = sizes
                .iter()
                .map(|&bytes| received(&mut random, bytes, interface))
                .collect();
            let tx: Vec<Frame> = sizes
                .iter()
                .map(|&bytes| sent(&mut random, bytes, interface))
                .collect();
            rx.iter()
                .for_each(|frame| shell.receive(interface, frame.clone()));
            tx.iter()
                .for_each(|frame| shell.send(interface, frame.clone()));
            all.push((rx, tx));
        }
        let frames = all[0].0.len();
        shell.run(100_000, |shell| {
            (0..2).all(|i| shell.to_host(i).len() == frames && shell.to_wire(i).len() == frames)
        });
        for (interface, (rx, tx)) in all.iter().enumerate() {
            let host = expected(rx, 1 << interface);
            assert_eq!(shell.to_host(interface), host, "seed {seed}");
            let wire = expected(tx, 1 << (6 + interface));
            assert_eq!(shell.to_wire(interface), wire, "seed {seed}");
        }
    }
}

#[test]
fn a_beat_comes_and_a_beat_goes_in_every_clock() {
    let library = stand_in(1);
    let chances = Chances {
        offer: ALWAYS,
        take: ALWAYS,
    };
    for bytes in [60, 64, 65, 1518, 3840] {
        let mut shell = Shell::start(&library, 1, 7, chances, IN_STEP);
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let frames = 200;
        for _ in 0..frames {
            shell.receive(0, received(&mut random, bytes, 0));
        }
        shell.run(50_000, |shell| shell.to_host(0).len() == frames);
        let beats = (frames * bytes.div_ceil(64)) as u64;
        let clocks = shell.clocks_to_host(0);
        assert_eq!(clocks, beats, "{bytes} bytes");
    }
}

#[test]
fn registers_are_reached_through_the_crossing_whatever_the_phase_of_the_clocks() {
    let library = stand_in(2);
    let chances = Chances { offer: 0, take: 0 };
    // in step, at other phases, drifting through all of them, and registers faster and much slower than frames
    let clocks = [
        IN_STEP,
        (4_000, 2_000),
        (4_000, 3_000),
        (4_000, 3_999),
        (4_007, 0),
        (3_993, 500),
        (1_700, 0),
        (19_009, 0),
    ];
    for (seed, axil) in (10..).zip(clocks) {
        let mut shell = Shell::start(&library, 2, seed, chances, axil);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut words = vec![[None; 192]; 2];
        for _ in 0..300 {
            let (path, word) = (random.random_range(0..2), random.random_range(0..192));
            let address = 0x1000 * path as u32 + 4 * word as u32;
            match words[path][word] {
                Some(data) if random.random() => {
                    assert_eq!(shell.read(address), (data, OKAY), "{axil:?}");
                }
                _ => {
                    let data = random.random();
                    assert_eq!(shell.write(address, data), OKAY, "{axil:?}");
                    words[path][word] = Some(data);
                }
            }
        }
        // what a path refuses, and what belongs to none
        for (address, response) in [
            (0x300, DECERR),
            (0x13FC, DECERR),
            (0x400, DECERR),
            (0x1400, DECERR),
            (0x2000, DECERR),
            (0xF_FFFC, DECERR),
        ] {
            assert_eq!(shell.read(address), (0, response), "{address:#x}");
            assert_eq!(shell.write(address, 5), response, "{address:#x}");
        }
    }
}

#[test]
fn reads_and_writes_that_come_together_take_turns() {
    let library = stand_in(1);
    let chances = Chances { offer: 0, take: 0 };
    let mut shell = Shell::start(&library, 1, 20, chances, (4_007, 0));
    for word in 0..64 {
        assert_eq!(shell.write(4 * word, word ^ 0xABCD), OKAY);
    }
    let before = shell.answers().len();
    for word in 0..64 {
        shell.ask_write(0x100 + 4 * word, !word);
        shell.ask_read(4 * word);
    }
    shell.run(20_000, |shell| shell.answers().len() == before + 20);
    let writes = shell.written().len() - 64;
    assert!((17..=23).contains(&writes), "{writes} writes in 20 reads");
    shell.run(20_000, |shell| {
        shell.answers().len() == before + 64 && shell.written().len() == 128
    });
    let answers = &shell.answers()[before..];
    for (word, answer) in (0..).zip(answers) {
        assert_eq!(*answer, (word ^ 0xABCD, OKAY));
    }
    assert!(shell.written().iter().all(|response| *response == OKAY));
    for word in 0..64 {
        assert_eq!(shell.read(0x100 + 4 * word), (!word, OKAY));
    }
}

#[test]
fn a_reset_is_done_when_it_says_so_and_answers_the_access_that_it_cuts() {
    let library = stand_in(1);
    let chances = Chances {
        offer: 200,
        take: 200,
    };
    let mut random = ChaCha8Rng::seed_from_u64(30);
    let mut cut = 0;
    for seed in 30..70 {
        let mut shell = Shell::start(&library, 1, seed, chances, (4_007, 0));
        // a configured device is in reset, and leaves it by itself
        assert_eq!(shell.get("mod_rst_done"), 0xFFFE);
        assert_eq!(shell.get("s_axis_adap_rx_250mhz_tready"), 0);
        shell.run(1_000, |shell| shell.get("mod_rst_done") == 0xFFFF);
        assert_eq!(shell.write(0x10, 77), OKAY);

        for _ in 0..40 {
            shell.receive(0, received(&mut random, 300, 0));
        }
        shell.ask_read(0x10);
        shell.ask_write(0x14, 78);
        shell.wait(seed % 24);
        shell.ask_reset();
        shell.wait(1);
        assert_eq!(shell.get("mod_rst_done"), 0xFFFE, "the reset has begun");
        shell.wait(8);
        assert_eq!(shell.get("s_axis_adap_rx_250mhz_tready"), 0);
        assert_eq!(shell.get("m_axis_qdma_c2h_tvalid"), 0);
        shell.look_again();
        shell.run(1_000, |shell| shell.get("mod_rst_done") == 0xFFFF);
        // what was under way has an answer; what came later waited for the end of the reset
        shell.run(1_000, |shell| {
            shell.answers().len() == 1 && shell.written().len() == 2
        });
        let responses = [shell.answers()[0].1, shell.written()[1]];
        assert!(responses
            .iter()
            .all(|response| [OKAY, SLVERR].contains(response)));
        cut += responses
            .iter()
            .filter(|response| **response == SLVERR)
            .count();
        // both sides of the crossing agree again
        for word in 0..8 {
            assert_eq!(shell.write(0x40 + 4 * word, word), OKAY);
            assert_eq!(shell.read(0x40 + 4 * word), (word, OKAY));
        }
    }
    assert!((5..75).contains(&cut), "{cut} accesses were cut");
}

#[test]
fn a_shell_that_the_plugin_does_not_fit_ends_its_build_with_the_reason() {
    let toolchain = common::toolchain();
    for (parameter, reason) in [
        ("-GUSE_PHYS_FUNC=0", "-use_phys_func 1"),
        ("-GNUM_QDMA=2", "-num_qdma 1"),
        (
            "-GNUM_PHYS_FUNC=2",
            "-num_phys_func equal to -num_cmac_port",
        ),
        ("-GMAX_PKT_LEN=9600", "packet.buffer_bytes"),
    ] {
        let sources = sources("stand_in_path", STAND_IN, BUFFER_BYTES);
        // ports of another width say so at length before the reason
        let flags = [parameter, "-Werror-USERFATAL", "-Wno-WIDTH"];
        let refused = library(&toolchain, sources, 1, &flags);
        let message = refused.expect_err(parameter).to_string();
        assert!(message.contains(reason), "{parameter}: {message}");
    }
}

#[test]
fn the_wrapper_is_free_of_lint() {
    let toolchain = common::toolchain();
    let sources = sources("stand_in_path", STAND_IN, BUFFER_BYTES);
    let of_plugin: Vec<_> = sources
        .into_iter()
        .filter(|(name, _)| name != "box_250mhz.sv")
        .collect();
    for top in [PLUGIN_TOP, "box_250mhz_address_map"] {
        let about = |name: &str| match top {
            PLUGIN_TOP => name != "box_250mhz_address_map.v",
            _ => name == "box_250mhz_address_map.v",
        };
        let sources: Vec<_> = of_plugin
            .iter()
            .filter(|(name, _)| about(name))
            .cloned()
            .collect();
        let mut warnings = lint(&toolchain, &sources, top).expect("verilator");
        warnings.retain(|warning| !warning.place.starts_with("stand_in"));
        assert!(warnings.is_empty(), "{warnings:#?}");
    }
}

#[test]
fn constraints_name_registers_of_their_module() {
    let text = |name: &str| PLUGIN.iter().find(|(file, _)| *file == name).expect(name).1;
    let mut names = 0;
    for module in ["bloomline_axil_crossing", "bloomline_reset"] {
        let verilog = text(&format!("{module}.sv"));
        let assigned = |name: &str| {
            let mut after = verilog
                .lines()
                .filter_map(|line| line.trim().strip_prefix(name));
            after.any(|rest| rest.trim_start().starts_with("<="))
        };
        let constraints = text(&format!("{module}.xdc"));
        let words = constraints.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for register in words.filter_map(|word| word.strip_suffix("_reg")) {
            assert!(assigned(register), "{module}: {register}");
            names += 1;
        }
    }
    assert_eq!(names, 18);
}

#[test]
#[ignore = "a claim"]
fn a_plugin_is_estimated_once_and_refused_for_a_part_that_is_too_small() {
    let toolchain = common::toolchain();
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("plugin");
    let board = board();
    let part = board.part(Some("u55c")).expect("a part").clone();
    let mut request = PluginRequest {
        board: &board,
        part: &part,
        path: "stand_in_path",
        verilog: STAND_IN,
        buffer_bytes: 4096,
        memory_bits: 1024,
        documents: &[("registers.md".into(), "a page".into())],
        registers: "registers.md",
        out: &out,
    };
    let show = |event: &Event| eprintln!("{event:?}");
    let built = build_plugin(&toolchain, &request, &show).expect("a plugin");
    assert!(!built.steps[0].unchanged);
    assert_eq!(built.part.name, "xcu55c-fsvh2892-2L-e");
    // the stand-in's 513 bits of 64 beats and its words are memory; two register stages of some 600 bits have two places each
    let estimate = built.estimate;
    assert!((1..=9).contains(&estimate.bram36), "{estimate:?}");
    assert!((2_400..4_000).contains(&estimate.ff), "{estimate:?}");
    assert!((1_000..6_000).contains(&estimate.lut), "{estimate:?}");
    for file in [
        "bloomline_box_250mhz.sv",
        "bloomline_axil_crossing.xdc",
        "build_box_250mhz.tcl",
        "stand_in_path.v",
        "ADDRESS_MAP.md",
        "registers.md",
        "box_250mhz/box_250mhz_address_map.v",
        "box_250mhz/box_250mhz_address_map_inst.vh",
        "box_250mhz/box_250mhz_axi_crossbar.tcl",
        "box_250mhz/user_plugin_250mhz_inst.vh",
        "box_250mhz/bloomline_path.vh",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let page = std::fs::read_to_string(out.join("ADDRESS_MAP.md")).expect("the page");
    for part in ["0x100000", "0x1013ff", "?offset=0x101000"] {
        assert!(page.contains(part), "{part}: {page}");
    }

    // another part asks for no other synthesis, and may be too small
    let mut small = part.clone();
    (small.ff, small.bram36) = (1000, 0);
    request.part = &small;
    let message = build_plugin(&toolchain, &request, &|event| {
        assert!(!matches!(event, Event::Done), "synthesised again");
    })
    .expect_err("too small")
    .to_string();
    assert!(
        message.contains(&format!(
            "{} FF needed, 1000 available, {} BRAM36 needed, 0 available",
            estimate.ff, estimate.bram36
        )),
        "{message}"
    );

    // before anything runs: more bits than block RAM and tables have
    request.memory_bits = 1 << 38;
    let elsewhere = folder.path().join("elsewhere");
    request.out = &elsewhere;
    let message = build_plugin(&toolchain, &request, &show)
        .expect_err("too large")
        .to_string();
    assert!(
        message.contains("at least 7456541 BRAM36 needed"),
        "{message}"
    );
    assert!(!elsewhere.exists());
}

const SPEC: &str = "
name = \"tiny\"
[filter]
kind = \"static\"
memory_bits = 1024
hashes = 4
items = 10
[key]
source = \"ipv4-5tuple\"
[target]
clock_hz = 250_000_000
[card]
[packet]
data_bits = 512
trusted_keys = true
";

#[test]
fn what_the_box_has_not_is_refused_with_key_value_and_advice() {
    let board = board();
    let complete = |from: &str, to: &str| {
        assert!(SPEC.contains(from), "{from}");
        let text = SPEC.replacen(from, to, 1);
        let mut spec = FilterSpec::from_toml(&text, Path::new("tiny.toml")).expect("a spec");
        board.complete(&mut spec).map(|notes| (notes, spec))
    };
    for (from, to, parts) in [
        (
            "[packet]\ndata_bits = 512\ntrusted_keys = true\n",
            "",
            ["packet = (missing)", "data_bits = 512"],
        ),
        ("= 512", "= 8", ["packet.data_bits = 8", "512"]),
        (
            "= 250_000_000",
            "= 200_000_000",
            ["target.clock_hz = 200000000", "250_000_000"],
        ),
        (
            "[card]",
            "[card]\nuart_baud = 1_000_000",
            ["card.uart_baud = 1000000", "PCIe"],
        ),
    ] {
        let message = complete(from, to).expect_err(to).to_string();
        for part in parts.into_iter().chain(["opennic-250"]) {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
    let (notes, spec) =
        complete("[target]\nclock_hz = 250_000_000\n[card]\n", "").expect("complete");
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert_eq!(spec.clock_hz(), 250_000_000);
    assert!(complete("[card]", "[card]").expect("complete").0.is_empty());
}

#[test]
fn a_box_has_the_parts_of_its_file_and_no_other() {
    let board = board();
    assert_eq!(board.part(None).expect("one").name, "xcu280-fsvh2892-2L-e");
    let refused = board.part(Some("u250"));
    assert!(matches!(refused, Err(BuildError::UnknownPart { .. })));
    let message = refused.expect_err("none").to_string();
    assert!(
        message.contains("\"u250\"") && message.contains("u280, u55c"),
        "{message}"
    );
    let own = |text: &str| KnownBoard::from_toml(text, Path::new("own.toml")).expect_err("refused");
    let message = own("flow = \"quartus\"").to_string();
    assert!(
        message.contains("own.toml: flow = \"quartus\""),
        "{message}"
    );
    let message = own("flow = \"opennic\"\nname = \"x\"").to_string();
    assert!(message.contains("missing field"), "{message}");
}
