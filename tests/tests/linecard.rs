//! The line card from its pins: what leaves either port of the emitted Verilog is what the model says, in order and in time, whatever comes.
//!
//! `BLOOMLINE_SOAK=100` sends 1,000,000 frames of minimum size instead of 10,000, and so many times the runs of drawn lines.

use bloomline_bench::path::{write_capture, FrameMaker, FrameMix, Room};
use bloomline_bench::verilator::Initial;
use bloomline_hdl::packet::latency_bound_clocks;
use bloomline_simulated::linecard::{
    LineCardBench, LineCardReport, LineEpisode, LineFrame, LineScript, Lines, PhyClocks,
};
use bloomline_simulated::replay::{ethernet_frames, replay, Replay, ReplayFrames, ReplayPlan};
use bloomline_spec::registers::PortCounter;
use bloomline_spec::{
    FilterSpec, FrameClass, LANES, LINECARD_CLOCK_HZ, LINECARD_EXAMPLES, MIN_CLOCKS_PER_BIT,
};
use bloomline_tests::{
    captures, line_card_bench, packet_of, runs, soak, traces, CardGeometry, PathSample,
};
use bloomline_verify::stats::Verdict;
use bloomline_verify::Simulator;
use std::path::Path;

fn run(bench: &LineCardBench, seed: u64, make: impl Fn(u64) -> LineScript) -> LineCardReport {
    bench
        .run(seed, Initial::Random(seed), make, |_, _, _| {})
        .unwrap_or_else(|error| panic!("{error}"))
}

fn counter(report: &LineCardReport, port: usize, counter: PortCounter) -> u64 {
    report.ports[port][counter as usize]
}

#[test]
#[ignore = "a claim"]
fn lines_of_every_kind_equal_the_model() {
    lines_equal_the_model(PathSample::BASE);
}

#[test]
#[ignore = "a claim"]
fn packets_in_tunnels_on_lines_equal_the_model() {
    lines_equal_the_model(PathSample::OPENING);
}

fn lines_equal_the_model(sample: PathSample) {
    let geometry = sample.line_card();
    let (packet, bench) = (packet_of(&geometry), line_card_bench(&geometry));
    let mut sum = LineCardReport::default();
    let mut ends = [[0; 4]; LANES];
    for seed in 0..7 * soak() {
        let report = run(&bench, seed, |seed| {
            LineScript::draw(&packet, 3, 150, 15_000, seed)
        });
        for (sum, lane) in sum.lanes.iter_mut().zip(&report.lanes) {
            for (sum, count) in sum.by_class.iter_mut().zip(lane.by_class) {
                *sum += count;
            }
            sum.came += lane.came;
            sum.left += lane.left;
            sum.overflows += lane.overflows;
        }
        for (sum, port) in ends.iter_mut().zip(&report.ports) {
            for (sum, count) in sum.iter_mut().zip(port) {
                *sum += count;
            }
        }
        sum.clocks += report.clocks;
        sum.resets += report.resets;
        sum.accesses += report.accesses;
    }
    println!("{sum:?}, frames by their end {ends:?}");
    for lane in &sum.lanes {
        assert!(lane.by_class.iter().all(|&count| count > 0), "{sum:?}");
        assert!(lane.left > 500, "{sum:?}");
    }
    assert!(ends.iter().flatten().all(|&count| count > 5), "{ends:?}");
    assert!(sum.resets > 1 && sum.accesses > 50, "{sum:?}");
}

/// The example, with the fastest UART that there is.
fn example() -> CardGeometry {
    let (file, text) = LINECARD_EXAMPLES[0];
    let mut spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    spec.card.as_mut().expect("has a card").uart_baud =
        Some(LINECARD_CLOCK_HZ / MIN_CLOCKS_PER_BIT);
    let sizing = spec.validate().expect("is valid");
    CardGeometry::Recycling(sizing.with_threshold(20_000).expect("is legal"))
}

/// Frames of minimum size with a key, of so many flows, one behind the other at both ports.
fn full_rate(frames: usize, flows: u64, seed: u64) -> LineEpisode {
    const IPV4: [u8; 2] = [0x08, 0x00];
    let lines = [seed, seed + 1].map(|seed| {
        let maker = FrameMaker::new(FrameMix::minimum(2 * flows), seed);
        let with_key = maker.filter(|frame| frame.bytes[12..14] == IPV4);
        let lines = with_key.map(|frame| LineFrame::good(&frame.bytes));
        Box::new(lines.take(frames)) as Lines
    });
    LineEpisode::of(lines)
}

#[test]
#[ignore = "a claim"]
fn minimum_size_frames_back_to_back_in_both_directions_are_not_lost_and_in_time() {
    let geometry = example();
    let bench = line_card_bench(&geometry);
    let promised = latency_bound_clocks(&geometry).map_or(0, u64::from);
    let frames = 5_000 * soak();
    let start = std::time::Instant::now();
    let even = run(&bench, 1, |seed| {
        LineScript::of(full_rate(frames as usize, 1 << 13, seed))
    });
    println!(
        "{} frames in {:.1} s: latency {:?} clocks, promised {promised}: {even:?}",
        2 * frames,
        start.elapsed().as_secs_f64(),
        even.lanes.each_ref().map(|lane| lane.wait_clocks),
    );
    for (port, lane) in even.lanes.iter().enumerate() {
        assert_eq!((lane.came, lane.left, lane.overflows), (frames, frames, 0));
        let unseen = lane.by_class[FrameClass::Unseen as usize];
        let seen = lane.by_class[FrameClass::Seen as usize];
        assert_eq!(unseen + seen, frames);
        assert!(unseen > frames / 50 && seen > frames / 50, "{lane:?}");
        assert!(lane.wait_clocks <= promised, "{lane:?}");
        // 8 clocks of preamble, 64 of the frame, 12 of the gap: the line out is as full as the line in
        let (first, last) = lane.first_and_last.expect("frames left");
        assert_eq!(last - first + 1, 84 * frames - 12, "port {port}");
        assert_eq!(counter(&even, port, PortCounter::FramesSent), frames);
    }
    // either PHY a little slower or faster: what comes too fast is made up for by the buffer
    let frames = 1_000;
    let uneven = run(&bench, 2, |seed| LineScript {
        clocks: PhyClocks {
            faster_ppm: [-100, 100],
            ..PhyClocks::EVEN
        },
        episodes: vec![full_rate(frames as usize, 1 << 13, seed)],
    });
    println!("100 ppm: {uneven:?}");
    for lane in &uneven.lanes {
        assert_eq!((lane.came, lane.left, lane.overflows), (frames, frames, 0));
        assert!(lane.latency_clocks <= promised, "{lane:?}");
    }
    assert!(uneven.lanes[0].wait_clocks <= promised, "{uneven:?}");
}

/// ARP of the least length, each with its number.
fn without_key(number: u64) -> LineFrame {
    let mut frame = vec![0xFF; 12];
    frame.extend([0x08, 0x06]);
    frame.extend([0; 38]);
    frame.extend(number.to_be_bytes());
    LineFrame::good(&frame)
}

#[test]
fn what_comes_faster_than_it_can_leave_is_dropped_whole_and_counted() {
    let bench = line_card_bench(&PathSample::BASE.line_card());
    let report = run(&bench, 3, |_| {
        let lines =
            [0, 1 << 32].map(|from| Box::new((from..from + 2_000).map(without_key)) as Lines);
        LineScript {
            clocks: PhyClocks {
                faster_ppm: [50_000, -50_000],
                ..PhyClocks::EVEN
            },
            episodes: vec![LineEpisode {
                room: Room::Overflowing,
                ..LineEpisode::of(lines)
            }],
        }
    });
    println!("{report:?}");
    let [fast, slow] = &report.lanes;
    // a twentieth too many, but for what the buffer keeps
    assert!((20..=100).contains(&fast.overflows), "{fast:?}");
    assert_eq!((fast.came, fast.left + fast.overflows), (2_000, 2_000));
    assert_eq!((slow.left, slow.overflows), (2_000, 0));
    for port in 0..LANES {
        assert_eq!(counter(&report, port, PortCounter::Overflows), 0);
    }
}

/// UDP of the least length, of a flow, each with its number.
fn with_key(number: u64, flow: u64) -> LineFrame {
    let mut frame = vec![0; 12];
    frame.extend([8, 0, 0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0]);
    frame.extend(flow.to_be_bytes());
    frame.extend([0; 18]);
    frame.extend(number.to_be_bytes());
    LineFrame::good(&frame)
}

#[test]
fn every_frame_has_its_verdict_while_as_many_wait_as_there_is_room_for() {
    let bench = line_card_bench(&example());
    let frames = 2_400;
    let report = run(&bench, 4, |_| LineScript {
        // as fast as the lane can take the bytes of the line
        clocks: PhyClocks {
            faster_ppm: [150_000, 0],
            ..PhyClocks::EVEN
        },
        episodes: vec![LineEpisode {
            room: Room::Overflowing,
            ..LineEpisode::of([frames, 1].map(|frames| {
                Box::new((0..frames).map(|number| with_key(number, number % 1_000))) as Lines
            }))
        }],
    });
    println!("{report:?}");
    let fast = &report.lanes[0];
    assert!(fast.overflows > 20, "{fast:?}");
    assert_eq!((fast.came, fast.left + fast.overflows), (frames, frames));
    for class in [FrameClass::Seen, FrameClass::Unseen] {
        assert!(fast.by_class[class as usize] > 100, "{fast:?}");
    }
}

/// A line card whose filter takes 70 clocks an item, and minimum-size frames in both directions bring one in 42.
const SLOW: &str = r#"
name = "slow"
[filter]
kind = "recycling"
memory_bits = 4096
hashes = 32
hashing = "independent"
layout = "shared"
[filter.recycle]
phases = 2
on = "bits-set"
threshold = 1000
[key]
source = "ipv4-5tuple"
[target]
clock_hz = 125_000_000
[card]
uart_baud = 15_625_000
[packet]
ports = "rgmii"
data_bits = 8
trusted_keys = true
"#;

/// Captures of these frames at both ports of a specification's line card, in the built-in simulator.
fn replayed(spec: &str, frames: &[Vec<u8>]) -> Replay {
    let spec = FilterSpec::from_toml(spec, Path::new("slow.toml")).expect("reads");
    let design = spec.design().expect("is legal");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let capture = folder.path().join("frames.pcap");
    let timed = frames.iter().map(|frame| (0, &frame[..]));
    write_capture(&capture, LINECARD_CLOCK_HZ, timed).expect("writes");
    let frames = ReplayFrames::read([Some(capture.clone()), Some(capture)], usize::MAX);
    let plan = ReplayPlan {
        seed: 1,
        keep: false,
        simulator: Simulator::BuiltIn,
    };
    let result = replay(&design, &frames.expect("reads"), &plan, &|_| (), &|_, _| ());
    let result = result.unwrap_or_else(|e| panic!("{e}"));
    println!("{result:?}");
    assert_eq!((result.verdict, result.differences), (Verdict::Pass, 0));
    result
}

#[test]
fn frames_of_a_capture_wait_where_the_filter_is_too_slow_for_their_line() {
    let frames: Vec<Vec<u8>> = (0..150)
        .map(|n| {
            let mut frame = vec![0; 12];
            frame.extend([8, 0, 0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0, n]);
            frame.resize(60, 0);
            frame
        })
        .collect();
    for lane in &replayed(SLOW, &frames).lanes {
        assert_eq!((lane.left, lane.overflows), (150, 0));
        assert!(lane.held_back > 10, "{lane:?}");
    }
}

#[test]
fn frames_that_just_fit_into_the_buffer_wait_for_room() {
    let spec = format!("{SLOW}buffer_bytes = 4096\nmax_frame_bytes = 4096\n");
    // with preamble, FCS and gap they would not fit
    let frames: Vec<Vec<u8>> = (0..3).map(|n| vec![n; 4096 - 10]).collect();
    for lane in &replayed(&spec, &frames).lanes {
        assert_eq!((lane.left, lane.overflows, lane.held_back), (3, 0, 2));
    }
}

#[test]
fn recorded_frames_leave_as_the_model_says() {
    let most = runs(40, 150) as usize;
    let Some(folder) = traces() else { return };
    let bench = line_card_bench(&PathSample::BASE.line_card());
    let mut sum = 0;
    for file in captures(&folder) {
        let frames = ethernet_frames(&file, most).expect("a capture").frames;
        let count = frames.len() as u64;
        let report = run(&bench, 8, |_| {
            // there and back: what one direction has inserted the other asks for
            let back: Vec<_> = frames.iter().rev().cloned().collect();
            let lines = [frames.clone(), back].map(|frames| {
                Box::new(
                    frames
                        .into_iter()
                        .map(|frame| LineFrame::good(&frame.filled(0))),
                ) as Lines
            });
            LineScript::of(LineEpisode {
                room: Room::Awaited,
                ..LineEpisode::of(lines)
            })
        });
        println!("{}: {report:?}", file.display());
        for lane in &report.lanes {
            assert_eq!(lane.came, count);
            sum += lane.left;
        }
    }
    assert!(sum > 8 * most as u64, "{sum}");
}
