//! Frames at the stream of a packet path.

use super::{classes, Job, LaneResult, Ran, ReplayError, ReplayFrames};
use bloomline_bench::path::{Episode, OfferedFrame, PathBench, PathError, Room, Script};
use bloomline_bench::verilator::Initial;
use bloomline_hdl::packet::{keyed_frames_kept, lossless_frame_bytes};
use bloomline_model::PathFilter;
use bloomline_spec::LEAST_FRAME_BYTES;
use bloomline_stimulus::CapturedFrame;

/// Whether the contract promises that none of these frames is lost, one right behind the other (`hdl/docs/packet.md`, "Room and time").
fn loses_none(filter: &PathFilter, frames: &ReplayFrames) -> bool {
    let (design, timing) = (filter.design(), filter.design().timing());
    let Some(packet) = design.packet() else {
        return false;
    };
    let beats = |bytes: usize| bytes.div_ceil(packet.beat_bytes() as usize) as u32;
    let lengths = || frames.ports[0].iter().map(CapturedFrame::wire_bytes);
    let longest = lengths().max().unwrap_or(0);
    let shortest = beats(lengths().min().unwrap_or(0));
    let keys = keyed_frames_kept(design).unwrap_or(0);
    shortest >= beats(LEAST_FRAME_BYTES as usize).max(timing.longest_interval)
        && longest <= packet.max_frame_bytes() as usize
        && longest <= lossless_frame_bytes(design).unwrap_or(0) as usize
        // those that come while the longest one leaves wait for their verdicts
        && beats(longest) + timing.latency_clocks() <= keys * shortest
}

/// Sends the frames one right behind the other, with the output always ready; `leaves` hears of each that left.
pub(super) fn run(
    job: Job<'_>,
    leaves: &mut (dyn FnMut(u64, &[u8]) + Send),
) -> Result<Ran, ReplayError> {
    let frames = job.frames;
    let loses_none = loses_none(&job.filter, frames);
    let bench = PathBench::new(job.simulation, job.filter)?;
    let result = bench.run(
        job.seed,
        Initial::Random(job.seed),
        |_| {
            Script::of(Episode {
                // what may be lost cannot be told from what is not: it waits
                room: match loses_none {
                    true => Room::Enough,
                    false => Room::Awaited,
                },
                ..Episode::of(frames.of_port(0).map(OfferedFrame::good))
            })
        },
        leaves,
    );
    match result {
        Ok(report) => Ok(Ran {
            clocks: report.clocks,
            late: loses_none && report.latency_clocks > job.latency_bound_clocks,
            lanes: vec![LaneResult {
                from_port: None,
                frames: report.came,
                left: report.left,
                classes: classes(report.by_class),
                passed: report.left.saturating_sub(report.marked),
                marked: report.marked,
                dropped: report.dropped,
                overflows: report.overflows,
                held_back: report.held_back,
                bad_at_port: None,
                latency_clocks: report.latency_clocks,
            }],
            difference: None,
        }),
        Err(error @ PathError::Failed { clock, .. }) => {
            Ok(Ran::different(clock, error.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}
