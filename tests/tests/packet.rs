//! The packet path: what leaves the emitted Verilog, frame by frame, is what the model says, at the rate that the contract says.
//!
//! `BLOOMLINE_SOAK=50` sends 1,000,000 frames at full rate instead of 20,000, and so many times the runs under torture.

use bloomline_bench::path::{
    run_path, Episode, FrameMaker, FrameMix, OfferedFrame, PathBench, PathReport, Room, Script,
    ScriptMix,
};
use bloomline_bench::verilator::{
    BuildOptions, Coverage, CoverageKind, CoveragePoint, Initial, Library,
};
use bloomline_hdl::packet::{parser_clocks, PATH_CLOCKS};
use bloomline_model::PathModel;
use bloomline_simulated::replay::ethernet_frames;
use bloomline_spec::registers::address;
use bloomline_spec::{
    FilterSpec, FrameClass, Policy, KEY_QUEUE_ITEMS, PACKET_EXAMPLES, TUNNEL_DATA_BITS,
};
use bloomline_tests::{
    captures, emitted_path, few, packet_of, path_bench, path_filter, runs, soak, toolchain, traces,
    CardGeometry, CellSample, PathSample, Sample, SampleFilter,
};
use bloomline_toolchain::Program;
use std::path::Path;

fn run(bench: &PathBench, seed: u64, make: impl Fn(u64) -> Script) -> PathReport {
    bench
        .run(seed, Initial::Random(seed), make, |_, _| {})
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Runs of torture on a sample: every class, lost frames and accesses occur.
fn torture(sample: PathSample, runs: u64) {
    const MIX: ScriptMix = ScriptMix {
        episodes: 4,
        frames: 400,
        beats: 30_000,
    };
    let geometry = sample.geometry();
    let (packet, bench) = (packet_of(&geometry), path_bench(&geometry));
    let mut sum = PathReport::default();
    for seed in 0..runs * soak() {
        let report = run(&bench, seed, |seed| Script::draw(&packet, true, MIX, seed));
        for (sum, count) in sum.by_class.iter_mut().zip(report.by_class) {
            *sum += count;
        }
        sum.clocks += report.clocks;
        sum.came += report.came;
        sum.left += report.left;
        sum.overflows += report.overflows;
        sum.accesses += report.accesses;
    }
    println!("{sample:?}: {sum:?}");
    let digest = sample.source == "frame-digest";
    for &class in FrameClass::ALL {
        use FrameClass::*;
        let occurs = !digest || matches!(class, Unseen | Seen | Oversize | Bad);
        let count = sum.by_class[class as usize];
        assert_eq!(count > 0, occurs, "{class}: {count}");
    }
    assert!(sum.overflows > 0 && sum.accesses > 1_000, "{sum:?}");
    assert!(sum.left > 200 * runs, "{sum:?}");
}

#[test]
fn a_byte_a_clock_equals_the_model() {
    torture(PathSample::BASE, runs(3, 10));
}

#[test]
#[ignore = "a claim"]
fn eight_bytes_a_clock_equal_the_model() {
    let sample = PathSample {
        data_bits: 64,
        source: "ipv6-5tuple",
        filter: SampleFilter::Recycling(Sample {
            hashes: 2,
            threshold: 128,
            ..Sample::BASE
        }),
        ..PathSample::BASE
    };
    torture(sample, 12);
}

#[test]
#[ignore = "a claim"]
fn packets_in_tunnels_equal_the_model() {
    for data_bits in TUNNEL_DATA_BITS {
        let sample = PathSample {
            data_bits,
            ..PathSample::OPENING
        };
        torture(sample, 8);
    }
}

/// Lines of the modules that open tunnels, by their part of the name, that no run of torture meets.
fn lines_not_met(sample: PathSample, modules: &[&str]) -> Vec<CoveragePoint> {
    const MIX: ScriptMix = ScriptMix {
        episodes: 4,
        frames: 400,
        beats: 30_000,
    };
    let geometry = sample.geometry();
    let (packet, design) = (packet_of(&geometry), emitted_path(&geometry));
    let options = BuildOptions {
        coverage: true,
        ..BuildOptions::default()
    };
    let library = Library::build(&toolchain(&[Program::Verilator]), &design, &options);
    let library = library.unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut met = Coverage::default();
    for seed in 0..8 * soak() {
        let filter = path_filter(&geometry);
        let map = filter.design().register_map();
        let model = PathModel::new(filter).expect("has a packet path");
        let mut sim = library.open(Initial::Random(seed)).expect("opens");
        let script = Script::draw(&packet, true, MIX, seed);
        run_path(&design, &mut sim, model, &map, script, seed, |_, _| {})
            .expect("has every port")
            .unwrap_or_else(|failure| panic!("seed {seed}: {}", failure.problem));
        let path = folder.path().join(format!("{seed}.dat"));
        sim.write_coverage(&path).expect("written");
        met.merge(&Coverage::load(&path).expect("read"));
    }
    let counted = |point: &CoveragePoint| {
        let module = modules.iter().any(|part| point.module.contains(part));
        module && point.kind == CoverageKind::Line
    };
    let points = met.points().filter(|(point, _)| counted(point)).count();
    println!("{} bits: {points} points", sample.data_bits);
    assert!(points > 40, "{points} points");
    met.holes()
        .filter(|point| counted(point))
        .cloned()
        .collect()
}

#[test]
#[ignore = "a claim"]
fn torture_meets_every_line_of_what_opens_tunnels() {
    for (data_bits, modules) in [
        (
            8,
            [
                "outer_packet",
                "tunnel_step",
                "tunnel_stage",
                "inner_parser",
                "inner_front",
            ]
            .as_slice(),
        ),
        (
            64,
            &["outer_packet", "tunnel_step", "tunnel_beats", "inner_front"],
        ),
    ] {
        let sample = PathSample {
            data_bits,
            ..PathSample::OPENING
        };
        assert_eq!(lines_not_met(sample, modules), [], "{data_bits} bits");
    }
}

#[test]
#[ignore = "a claim"]
fn a_filter_of_cells_behind_addresses_equals_the_model() {
    let sample = PathSample {
        source: "src-ip",
        filter: SampleFilter::Cells(CellSample::COUNTING),
        ..PathSample::BASE
    };
    torture(sample, 6);
}

#[test]
#[ignore = "a claim"]
fn sixty_four_bytes_a_clock_equal_the_model() {
    let sample = PathSample {
        data_bits: 512,
        ..PathSample::BASE
    };
    torture(sample, 8);
}

#[test]
#[ignore = "a claim"]
fn digests_of_frames_equal_the_model() {
    let sample = PathSample {
        source: "frame-digest",
        ..PathSample::BASE
    };
    let standard: &[(u32, u64)] = &[(64, 8)];
    let all = &[(8, 6), (64, 8), (512, 8)];
    for &(data_bits, runs) in if soak() > 1 { all } else { standard } {
        let sample = PathSample {
            data_bits,
            ..sample
        };
        torture(sample, runs);
    }
}

/// The example over AXI4-Lite, for a clock.
fn example(data_bits: u64, clock_hz: u64) -> CardGeometry {
    let (file, text) = PACKET_EXAMPLES[0];
    let mut spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    spec.card.as_mut().expect("has a card").uart_baud = None;
    spec.packet.as_mut().expect("has a path").data_bits = data_bits;
    spec.target.as_mut().expect("has a clock").clock_hz = clock_hz;
    let sizing = spec.validate().expect("is valid");
    CardGeometry::Recycling(sizing.with_threshold(20_000).expect("is legal"))
}

/// Clocks from a frame's last beat to its first, as the contract says it: path, parser, filter.
fn promised_clocks(geometry: &CardGeometry) -> u64 {
    let parser = parser_clocks(geometry.common()).expect("has a packet path");
    let CardGeometry::Recycling(recycling) = geometry else {
        panic!("a recycling filter")
    };
    let timing = recycling.timing();
    let filter = timing.front_clocks + timing.decision_stage + 3;
    u64::from(PATH_CLOCKS + parser + filter)
}

/// Clock of a gigabit at 8 bits, in Hz.
const GIGABIT: u64 = 125_000_000;

/// Data width, clock, and the minimum-size frames a second that a line brings: 1, 10 and 100 Gb/s over the 84 bytes that one takes on the wire.
const LINES: [(u64, u64, u64); 3] = [
    (8, GIGABIT, 1_488_095),
    (64, 156_250_000, 14_880_952),
    (512, 250_000_000, 148_809_523),
];

#[test]
fn minimum_size_frames_pass_at_full_rate_without_loss_or_gap() {
    let (frames, flows) = (runs(4_000, 20_000), runs(1 << 12, 1 << 14));
    for &(data_bits, clock_hz, line) in few(&LINES, 1) {
        let geometry = example(data_bits, clock_hz);
        let bench = path_bench(&geometry);
        let report = run(&bench, 1, |seed| {
            // as many flows as the filter remembers: half of them seen, half new
            let maker = FrameMaker::new(FrameMix::minimum(flows), seed);
            Script::of(Episode {
                room: Room::Enough,
                ..Episode::of(maker.take(frames as usize))
            })
        });
        let (first, last) = report.first_and_last.expect("frames left");
        println!("{data_bits} bits: {report:?}");
        assert_eq!(
            (report.came, report.left, report.overflows),
            (frames, frames, 0)
        );
        let (unseen, seen) = (report.by_class[0], report.by_class[1]);
        assert!(unseen > frames / 20 && seen > frames / 20, "{report:?}");
        // nothing waits: a frame's first beat comes as long after its last as the manifest says
        let promised = promised_clocks(&geometry);
        println!(
            "{data_bits} bits: {} clocks, promised {promised}",
            report.wait_clocks
        );
        assert!(report.wait_clocks <= promised, "{report:?}");
        // 60 bytes a frame, and not one clock between two frames
        let beats = 60_u64.div_ceil(data_bits / 8);
        let clocks = last - first + 1;
        assert_eq!(clocks, frames * beats, "{data_bits} bits");
        let rate = frames * clock_hz / clocks;
        println!("{data_bits} bits: {rate} frames a second at {clock_hz} Hz, the line has {line}");
        assert!(rate >= line, "{data_bits} bits");
    }
}

/// ARP, 64 bytes, each with its number.
fn without_key(number: u64) -> OfferedFrame {
    let mut frame = vec![0xFF; 12];
    frame.extend([0x08, 0x06]);
    frame.extend([0; 42]);
    frame.extend(number.to_be_bytes());
    OfferedFrame::good(frame)
}

fn blocked(room: Room, frames: impl Iterator<Item = OfferedFrame> + 'static) -> Script {
    Script::of(Episode {
        room,
        blocked: true,
        ..Episode::of(frames)
    })
}

#[test]
fn a_blocked_path_keeps_as_many_frames_as_it_promises_and_counts_the_rest() {
    let bench = path_bench(&example(8, GIGABIT));
    // 256 frames of 64 bytes fill buffer and frame queue
    let full = run(&bench, 2, |_| {
        blocked(Room::Enough, (0..256).map(without_key))
    });
    assert_eq!((full.left, full.overflows), (256, 0));
    let more = run(&bench, 3, |_| {
        blocked(Room::Overflowing, (0..400).map(without_key))
    });
    assert_eq!(more.left + more.overflows, 400);
    // what stands in the output may have made room for a few
    assert!((256..=260).contains(&more.left), "{more:?}");
    let keys = run(&bench, 4, |seed| {
        let maker = FrameMaker::new(FrameMix::minimum(1 << 20), seed);
        blocked(Room::Enough, maker.take(KEY_QUEUE_ITEMS as usize))
    });
    assert_eq!(keys.overflows, 0);
}

#[test]
fn frames_that_wait_leave_by_the_policy_of_their_turn() {
    let bench = path_bench(&example(8, GIGABIT));
    let policy = |class: FrameClass, policy: Policy| {
        (address::POLICY + 4 * class.number(), policy.register())
    };
    for (seed, new) in [(5, Policy::Drop), (6, Policy::Mark(33)), (7, Policy::Pass)] {
        let old = Policy::Mark(1);
        run(&bench, seed, |seed| {
            let maker = FrameMaker::new(FrameMix::minimum(4), seed);
            Script::of(Episode {
                settings: vec![
                    policy(FrameClass::Seen, old),
                    policy(FrameClass::Unseen, old),
                ],
                settings_behind: vec![
                    policy(FrameClass::Seen, new),
                    policy(FrameClass::Unseen, new),
                ],
                blocked: true,
                ..Episode::of(maker.take(25))
            })
        });
    }
}

#[test]
fn recorded_frames_leave_as_the_model_says() {
    const FRAMES: usize = 200;
    let Some(folder) = traces() else { return };
    let bench = path_bench(&example(64, 156_250_000));
    let mut sum = 0;
    for file in captures(&folder) {
        let read = ethernet_frames(&file, FRAMES * soak() as usize).expect("a capture");
        let frames: Vec<OfferedFrame> = read
            .frames
            .iter()
            .map(|frame| OfferedFrame::good(frame.filled(0)))
            .collect();
        let report = run(&bench, 8, |_| {
            Script::of(Episode::of(frames.clone().into_iter()))
        });
        println!("{}: {report:?}", file.display());
        assert_eq!(report.came, frames.len() as u64);
        sum += report.left;
    }
    assert!(sum > 500, "{sum}");
}

/// A recycling filter with this latency behind a path of 512 bits.
const FAR: &str = r#"
name = "far"
[filter]
kind = "recycling"
memory_bits = 262144
LINES
[filter.recycle]
phases = 2
on = "bits-set"
threshold = 20000
[key]
source = "ipv6-5tuple"
[target]
clock_hz = 250_000_000
[card]
[packet]
data_bits = 512
"#;

#[test]
#[ignore = "a claim"]
fn frames_of_a_beat_behind_the_longest_are_not_lost_however_long_its_verdict_takes() {
    let ranged = "hashes = 32\nhashing = \"double\"\nrange = 4093\naccept_two_hash_floor = true";
    let keyed = "hashes = 4\nhashing = \"independent\"";
    for (filter, more) in [
        (ranged, "trusted_keys = true\n"),
        (keyed, "[hash]\nfamily = \"siphash\"\n"),
        (
            keyed,
            "max_frame_bytes = 4096\n[hash]\nfamily = \"siphash-2-4\"\n",
        ),
    ] {
        let text = FAR.replace("LINES", filter) + more;
        let spec = FilterSpec::from_toml(&text, Path::new("far.toml")).expect("reads");
        let geometry = spec.design().unwrap_or_else(|error| panic!("{error}"));
        let packet = packet_of(&geometry);
        let latency = geometry.timing().latency_clocks();
        assert!(
            latency > 36 && latency == packet.verdict_clocks(),
            "{latency}"
        );
        let mut long = vec![0; 12];
        let payload = packet.max_frame_bytes() as u16 - 54;
        long.extend([0x86, 0xDD, 0x60, 0, 0, 0]);
        long.extend(payload.to_be_bytes());
        long.extend([17, 64]);
        long.resize(packet.max_frame_bytes() as usize, 1);
        let behind = 250;
        let report = run(&path_bench(&geometry), 1, |_| {
            let first = std::iter::once(OfferedFrame::good(long.clone()));
            Script::of(Episode {
                room: Room::Overflowing,
                ..Episode::of(first.chain((0..behind).map(without_key)))
            })
        });
        assert_eq!((report.left, report.overflows), (behind + 1, 0), "{filter}");
        assert_eq!(report.by_class[FrameClass::Unseen as usize], 1, "{filter}");
    }
}
