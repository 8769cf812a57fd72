//! Captures through a simulated line card.

use super::bench::LineCardBench;
use super::clocks::PhyClocks;
use super::error::LineCardError;
use super::lines::LineFrame;
use super::pins::line_card_design;
use super::run::LineCardReport;
use super::script::{LineEpisode, LineScript, Lines};
use bloomline_bench::path::write_capture;
use bloomline_bench::verilator::{self, BuildOptions, Initial, Optimisation};
use bloomline_driver::Design;
use bloomline_hdl::emit::EmitError;
use bloomline_hdl::linecard_verilog;
use bloomline_model::PathFilter;
use bloomline_spec::registers::PortCounter;
use bloomline_spec::{
    FrameClass, LANES, LINECARD_CLOCKS, LINECARD_CLOCK_HZ, LINECARD_HOST_CLOCKS,
    LINECARD_TUNNEL_CLOCKS,
};
use bloomline_stimulus::{Capture, LinkType, StimulusError};
use bloomline_toolchain::Progress;
use bloomline_verify::stats::Verdict;
use bloomline_verify::Simulator;
use rand::rngs::SmallRng;
use rand::SeedableRng;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Frames that a model compiled in haste is good enough for.
const FEW_FRAMES: u64 = 10_000;

/// What comes at the ports, and what is kept of what leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayPlan {
    /// Captures (pcap or pcapng, plain or gzip) whose frames of Ethernet come at each port, 12 clocks apart.
    pub captures: [Option<PathBuf>; LANES],
    /// At most so many frames of each.
    pub frames: usize,
    /// Seed of start values and of the phases of the PHYs' clocks.
    pub seed: u64,
    /// Capture that the frames that leave are written to, in the order of time.
    pub write: Option<PathBuf>,
    /// What runs the card.
    pub simulator: Simulator,
}

/// Frames of one direction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaneResult {
    /// Port that they came at; they leave at the other.
    pub from_port: usize,
    /// Frames that came.
    pub frames: u64,
    /// Frames that left.
    pub left: u64,
    /// Frames by class, those that occurred.
    pub classes: BTreeMap<String, u64>,
    /// Frames for which there was no room.
    pub overflows: u64,
    /// Frames that the port counted as bad: wrong FCS, too short, with an error.
    pub bad_at_port: u64,
    /// Most clocks from a frame's last byte at the pins, or the last of the frame before it at the other port, to the first of its preamble there.
    pub latency_clocks: u64,
}

/// What a replay came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replay {
    /// Fail when device and model differed, or a frame took longer than promised.
    pub verdict: Verdict,
    /// The captures.
    pub source: String,
    /// Records of the captures that are no frames of Ethernet.
    pub skipped: u64,
    /// Frames, counters or registers in which device and model differed; the run ends with the first.
    pub differences: u64,
    /// The first of them.
    pub first_difference: Option<String>,
    /// Both directions; empty where device and model differed.
    pub lanes: Vec<LaneResult>,
    /// What the contract promises of the latency, where nothing stands before a frame in its own lane.
    pub latency_bound_clocks: u64,
    /// What ran the card, by its name on the command line.
    pub simulator: &'static str,
    /// Clocks that were simulated, at 125 MHz.
    pub clocks: u64,
    /// Clocks a second of the simulation.
    pub clocks_per_second: f64,
}

/// Frames of Ethernet of a capture, the first of them, and how many records are none.
///
/// # Errors
/// [`StimulusError`] as [`Capture`]'s.
pub fn ethernet_frames(file: &Path, most: usize) -> Result<(Vec<Vec<u8>>, u64), StimulusError> {
    let mut capture = Capture::open(file)?;
    let (mut frames, mut others) = (Vec::new(), 0);
    while frames.len() < most {
        let Some(captured) = capture.next_captured() else {
            break;
        };
        let captured = captured?;
        if captured.link == Some(LinkType::Ethernet) && !captured.bytes.is_empty() {
            frames.push(captured.bytes);
        } else {
            others += 1;
        }
    }
    Ok((frames, others))
}

/// Most clocks from a frame's last byte at the pins of a card with this filter, or the last of what was before it on the line out, to the first of its
/// preamble there.
pub fn latency_bound_clocks(filter: &PathFilter) -> u64 {
    let packet = filter.design().packet();
    let host = packet.and_then(|packet| packet.host());
    let of_host = host.map_or(0, |_| LINECARD_HOST_CLOCKS);
    let opens = packet.is_some_and(|packet| !packet.tunnels().is_empty());
    let of_tunnels = if opens { LINECARD_TUNNEL_CLOCKS } else { 0 };
    // an item of the other lane may come first
    let timing = filter.design().timing();
    let of_filter = timing.latency_clocks() + timing.longest_interval;
    u64::from(LINECARD_CLOCKS + of_host + of_tunnels + of_filter)
}

/// The emitted line card of a design, for a simulator.
///
/// # Errors
/// [`EmitError`] as [`linecard_verilog`]'s.
pub fn emitted_line_card(design: &Design) -> Result<verilator::Design, EmitError> {
    let emitted = linecard_verilog(design, "")?;
    let common = design.common();
    let file = format!("{}_linecard.v", common.name());
    Ok(line_card_design(common, vec![(file, emitted.text())]))
}

/// Sends captures through the emitted line card of a design, and compares what leaves with the model. `tools` hears of tools that are
/// being installed, `progress` of how many frames have left and how many came in all.
///
/// A difference between device and model is a result, not an error.
///
/// # Errors
/// [`LineCardError`] for captures that cannot be read or written, a specification without ports, and what building a model needs.
pub fn replay(
    design: &Design,
    plan: &ReplayPlan,
    tools: &dyn Fn(&Progress),
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Replay, LineCardError> {
    let filter = PathFilter::new(design);
    let mut frames: [Vec<Vec<u8>>; LANES] = Default::default();
    let (mut names, mut skipped) = (Vec::new(), 0);
    for (frames, capture) in frames.iter_mut().zip(&plan.captures) {
        let Some(file) = capture else { continue };
        let (read, others) = ethernet_frames(file, plan.frames)?;
        if read.is_empty() {
            return Err(LineCardError::NoFrames {
                source_name: file.display().to_string(),
            });
        }
        *frames = read;
        skipped += others;
        names.push(file.display().to_string());
    }
    let total: u64 = frames.iter().map(|frames| frames.len() as u64).sum();
    let options = BuildOptions {
        // for few frames compiling is most of the time
        optimisation: match total > FEW_FRAMES {
            true => Optimisation::Full,
            false => Optimisation::Quick,
        },
        ..BuildOptions::default()
    };
    let latency_bound_clocks = latency_bound_clocks(&filter);
    let card = emitted_line_card(design)?;
    let simulation = plan.simulator.load(&card, &options, tools);
    let simulation = simulation.map_err(|error| LineCardError::Verify(Box::new(error)))?;
    let bench = LineCardBench::new(simulation, filter)?;
    let mut kept: Vec<(u64, Vec<u8>)> = Vec::new();
    let keeps = plan.write.is_some();
    let count = AtomicU64::new(0);
    let start = Instant::now();
    let result = bench.run(
        plan.seed,
        Initial::Random(plan.seed),
        |seed| LineScript {
            clocks: PhyClocks {
                faster_ppm: [0; LANES],
                ..PhyClocks::draw(&mut SmallRng::seed_from_u64(seed))
            },
            episodes: vec![LineEpisode::of(frames.clone().map(lines))],
        },
        |_, clock, bytes| {
            progress(count.fetch_add(1, Ordering::Relaxed) + 1, total);
            if keeps {
                kept.push((clock, bytes.to_vec()));
            }
        },
    );
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let report = match result {
        Ok(report) => report,
        Err(error @ LineCardError::Failed { .. }) => {
            let clocks = error.failed().map_or(0, |(clock, ..)| clock);
            return Ok(Replay {
                verdict: Verdict::Fail,
                source: names.join(", "),
                skipped,
                differences: 1,
                first_difference: Some(error.to_string()),
                lanes: Vec::new(),
                latency_bound_clocks,
                simulator: plan.simulator.name(),
                clocks,
                clocks_per_second: clocks as f64 / seconds,
            });
        }
        Err(error) => return Err(error),
    };
    if let Some(file) = &plan.write {
        kept.sort_by_key(|(clock, _)| *clock);
        let frames = kept.iter().map(|(clock, bytes)| (*clock, &bytes[..]));
        write_capture(file, LINECARD_CLOCK_HZ, frames)?;
    }
    let lanes = [0, 1].map(|lane| lane_result(&report, lane));
    let late = lanes
        .iter()
        .any(|lane| lane.latency_clocks > latency_bound_clocks);
    Ok(Replay {
        verdict: if late { Verdict::Fail } else { Verdict::Pass },
        source: names.join(", "),
        skipped,
        differences: 0,
        first_difference: None,
        lanes: lanes.into(),
        latency_bound_clocks,
        simulator: plan.simulator.name(),
        clocks: report.clocks,
        clocks_per_second: report.clocks as f64 / seconds,
    })
}

/// Good frames one behind the other.
fn lines(frames: Vec<Vec<u8>>) -> Lines {
    Box::new(frames.into_iter().map(|frame| LineFrame::good(&frame)))
}

fn lane_result(report: &LineCardReport, lane: usize) -> LaneResult {
    let of = &report.lanes[lane];
    let classes = FrameClass::ALL
        .iter()
        .zip(of.by_class)
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| (class.to_string(), count));
    let bad = [
        PortCounter::FramesBadFcs,
        PortCounter::FramesRunt,
        PortCounter::FramesError,
    ];
    LaneResult {
        from_port: lane,
        frames: of.came,
        left: of.left,
        classes: classes.collect(),
        overflows: of.overflows,
        bad_at_port: bad
            .into_iter()
            .map(|counter| report.ports[lane][counter as usize])
            .sum(),
        latency_clocks: of.latency_clocks,
    }
}
