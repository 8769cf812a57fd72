//! Frames at the ports of a line card.

use super::{classes, Job, LaneResult, Ran, ReplayError};
use crate::linecard::{
    LineCardBench, LineCardError, LineCardReport, LineEpisode, LineFrame, LineScript, Lines,
    PhyClocks,
};
use bloomline_bench::path::Room;
use bloomline_bench::verilator::Initial;
use bloomline_spec::registers::PortCounter;
use bloomline_spec::LANES;
use rand::rngs::SmallRng;
use rand::SeedableRng;

/// Sends the frames of each port, 12 clocks apart; `leaves` hears of each that left.
pub(super) fn run(
    job: Job<'_>,
    leaves: &mut (dyn FnMut(u64, &[u8]) + Send),
) -> Result<Ran, ReplayError> {
    let bench = LineCardBench::new(job.simulation, job.filter)?;
    let frames = job.frames;
    let result = bench.run(
        job.seed,
        Initial::Random(job.seed),
        |seed| LineScript {
            clocks: PhyClocks {
                faster_ppm: [0; LANES],
                ..PhyClocks::draw(&mut SmallRng::seed_from_u64(seed))
            },
            // what would be lost cannot be told from what is not: it waits
            episodes: vec![LineEpisode {
                room: Room::Awaited,
                ..LineEpisode::of([0, 1].map(|port| {
                    let frames = frames.of_port(port);
                    Box::new(frames.map(|frame| LineFrame::good(&frame))) as Lines
                }))
            }],
        },
        |_, clock, bytes| leaves(clock, bytes),
    );
    match result {
        Ok(report) => {
            let lanes = [0, 1].map(|lane| lane_result(&report, lane));
            let bound = job.latency_bound_clocks;
            Ok(Ran {
                clocks: report.clocks,
                late: lanes.iter().any(|lane| lane.latency_clocks > bound),
                lanes: lanes.into(),
                difference: None,
            })
        }
        Err(error @ LineCardError::Failed { clock, .. }) => {
            Ok(Ran::different(clock, error.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}

fn lane_result(report: &LineCardReport, lane: usize) -> LaneResult {
    let of = &report.lanes[lane];
    let bad = [
        PortCounter::FramesBadFcs,
        PortCounter::FramesRunt,
        PortCounter::FramesError,
    ];
    let bad_at_port = bad
        .into_iter()
        .map(|counter| report.ports[lane][counter as usize])
        .sum();
    LaneResult {
        from_port: Some(lane),
        frames: of.came,
        left: of.left,
        classes: classes(of.by_class),
        passed: of.left.saturating_sub(of.marked),
        marked: of.marked,
        dropped: of.dropped,
        overflows: of.overflows,
        held_back: of.held_back,
        bad_at_port: Some(bad_at_port),
        latency_clocks: of.latency_clocks,
    }
}
