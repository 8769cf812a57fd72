//! The line card with a host port, from its pins: requests of a host on the network amid traffic in both directions, and faults of the wiring.
//!
//! `BLOOMLINE_SOAK=100` makes so many times the runs.

use bloomline_bench::path::{FrameMaker, FrameMix};
use bloomline_bench::verilator::Initial;
use bloomline_hdl::packet::latency_bound_clocks;
use bloomline_simulated::linecard::{
    HostReport, LineCardReport, LineEpisode, LineFrame, LineScript, Lines, PhyClocks, Requests,
};
use bloomline_spec::registers::{HostCounter, PortCounter};
use bloomline_spec::LANES;
use bloomline_tests::faults::every_line_card_fault_is_caught;
use bloomline_tests::{line_card_bench, packet_of, soak, CardGeometry, PathSample};

/// Drawn lines with requests of every kind among them.
fn drawn(geometry: &CardGeometry, seed: u64) -> LineScript {
    let packet = packet_of(geometry);
    let own = packet.host().expect("has a host port").port;
    let mut script = LineScript::draw(&packet, 3, 200, 20_000, seed);
    for episode in &mut script.episodes {
        // so that both hosts ask at once
        episode.reads = 0.5;
        episode.requests = Requests {
            at_port: std::array::from_fn(|port| if port == own { 0.8 } else { 0.2 }),
            early: 0.3,
            damaged: 0.2,
            pings: false,
        };
    }
    script
}

/// What requests came to in all runs.
#[derive(Debug, Default)]
struct Sum {
    host: HostReport,
    resets: u64,
    accesses: u64,
    left: [u64; LANES],
}

impl Sum {
    fn add(&mut self, report: &LineCardReport) {
        let host = report.host.as_ref().expect("has a host port");
        self.host.requests += host.requests;
        self.host.early += host.early;
        self.host.elsewhere += host.elsewhere;
        self.host.writes += host.writes;
        for (sum, answers) in self.host.answers.iter_mut().zip(host.answers) {
            *sum += answers;
        }
        for (sum, count) in self.host.counters.iter_mut().zip(host.counters) {
            *sum += count;
        }
        for (sum, lane) in self.left.iter_mut().zip(&report.lanes) {
            *sum += lane.left;
        }
        self.resets += report.resets;
        self.accesses += report.accesses;
    }

    /// A run that tests nothing fails.
    fn has_everything(&self) {
        println!("{self:?}");
        let Sum { host, .. } = self;
        let seen = |counter: HostCounter| host.counters[counter as usize];
        assert_eq!(seen(HostCounter::AccessesLate), 0, "{self:?}");
        let counts = [
            host.early,
            host.writes,
            self.accesses,
            seen(HostCounter::FramesMissed),
            seen(HostCounter::FramesRefused),
        ];
        assert!(counts.iter().all(|&count| count > 10), "{self:?}");
        assert!(host.answers.iter().all(|&count| count > 20), "{self:?}");
        assert!(host.requests > 200 && host.elsewhere > 200, "{self:?}");
        assert!(self.left.iter().all(|&left| left > 500), "{self:?}");
        assert!(self.resets > 1, "{self:?}");
    }
}

#[test]
#[ignore = "a claim"]
fn requests_of_every_kind_amid_traffic_are_answered_as_the_model_says() {
    for port in 0..LANES {
        let geometry = PathSample::with_host_at(port).line_card();
        let bench = line_card_bench(&geometry);
        let mut sum = Sum::default();
        for seed in 0..6 * soak() {
            let make = |seed| drawn(&geometry, seed);
            let report = bench.run(seed, Initial::Random(seed), make, |_, _, _| {});
            sum.add(&report.unwrap_or_else(|error| panic!("port {port}: {error}")));
        }
        sum.has_everything();
    }
}

/// Frames of minimum size one behind the other at both ports, and pings between them at port 0.
fn full_rate(frames: usize, pings: f64, seed: u64) -> LineScript {
    let lines = [seed, seed + 1].map(|seed| {
        let maker = FrameMaker::new(FrameMix::minimum(1 << 14), seed);
        let lines = maker.map(|frame| LineFrame::good(&frame.bytes));
        Box::new(lines.take(frames)) as Lines
    });
    let requests = Requests {
        at_port: [pings, 0.0],
        pings: true,
        ..Requests::NONE
    };
    LineScript {
        clocks: PhyClocks::EVEN,
        episodes: vec![LineEpisode {
            requests,
            ..LineEpisode::of(lines)
        }],
    }
}

#[test]
#[ignore = "a claim"]
fn minimum_size_frames_back_to_back_leave_in_time_and_pings_between_them_push_out_none() {
    let geometry = PathSample::with_host_at(0).line_card();
    let bench = line_card_bench(&geometry);
    let promised = latency_bound_clocks(&geometry).map_or(0, u64::from);
    let frames = 1_500;
    let run = |pings| {
        let make = |seed| full_rate(frames, pings, seed);
        let report = bench.run(1, Initial::Random(1), make, |_, _, _| {});
        report.unwrap_or_else(|error| panic!("{error}"))
    };
    let (silent, pinged) = (run(0.0), run(0.02));
    let waits = |report: &LineCardReport| report.lanes.each_ref().map(|lane| lane.wait_clocks);
    println!(
        "promised {promised}, without pings {:?}, with {:?}",
        waits(&silent),
        waits(&pinged)
    );
    for report in [&silent, &pinged] {
        for lane in &report.lanes {
            let frames = frames as u64;
            assert_eq!((lane.came, lane.left, lane.overflows), (frames, frames, 0));
            assert!(lane.latency_clocks <= promised, "{lane:?}");
        }
    }
    // nothing of the host under way: from last byte in to preamble out
    assert!(
        waits(&silent).iter().all(|&wait| wait <= promised),
        "{silent:?}"
    );
    // what comes at the port of the host waits for no answer
    assert!(waits(&pinged)[0] <= promised, "{pinged:?}");
    let host = pinged.host.as_ref().expect("has a host port");
    println!("{host:?}");
    let pings = host.requests;
    assert!((15..60).contains(&pings), "{host:?}");
    assert_eq!(
        (host.answers, host.counters),
        ([0, pings, 0], [pings, 0, 0, pings, 0])
    );
    let sent = pinged.ports[0][PortCounter::FramesSent as usize];
    assert_eq!(sent, frames as u64 + pings);
    // the frame under way and one that is in the transmit buffer, each 84 clocks on the line
    assert!(host.answer_clocks <= promised + 2 * 84, "{host:?}");
}

#[test]
fn every_fault_of_the_wiring_is_found_from_the_pins() {
    let geometry = PathSample::with_host_at(1).line_card();
    every_line_card_fault_is_caught(&geometry, "linecard_host.wiring", drawn);
}
