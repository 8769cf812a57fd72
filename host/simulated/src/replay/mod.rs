//! Captures through the emitted Verilog of a packet path or a line card, with the model beside it: frame by frame, and counter by counter.
//!
//! [`ReplayFrames`] are what comes, [`replay`] sends it. A packet path gets its frames one right behind the other at its stream, a line card 12 clocks
//! apart at the pins of its ports. May depend on [`crate::device`], which emits either, on [`crate::linecard`] and on what that may.

mod error;
mod frames;
mod line_card;
mod path;

pub use error::ReplayError;
pub use frames::{ethernet_frames, EthernetFrames, ReplayFrames};

use crate::device::emitted;
use bloomline_bench::lockstep::Simulation;
use bloomline_bench::path::write_capture;
use bloomline_bench::verilator::{BuildOptions, Optimisation};
use bloomline_driver::Design;
use bloomline_hdl::packet::latency_bound_clocks;
use bloomline_model::PathFilter;
use bloomline_spec::{FrameClass, Ports};
use bloomline_toolchain::Progress;
use bloomline_verify::stats::Verdict;
use bloomline_verify::Simulator;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Frames that a model compiled in haste is good enough for.
const FEW_FRAMES: u64 = 10_000;

/// How frames are sent, and what is kept of what leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayPlan {
    /// Seed of start values and of the phases of the PHYs' clocks.
    pub seed: u64,
    /// Keep the frames that leave.
    pub keep: bool,
    /// What runs the gateware.
    pub simulator: Simulator,
}

/// Frames of one direction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaneResult {
    /// Port of a line card that they came at; they leave at the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_port: Option<usize>,
    /// Frames that came.
    pub frames: u64,
    /// Frames that left.
    pub left: u64,
    /// Frames by class, those that occurred.
    pub classes: BTreeMap<String, u64>,
    /// Frames that left as they came.
    pub passed: u64,
    /// Frames that a mark changed or could have.
    pub marked: u64,
    /// Frames that a policy dropped.
    pub dropped: u64,
    /// Frames that are longer than the buffer.
    pub overflows: u64,
    /// Frames that came later than the line or the stream would bring them, since there may have been no room before: neither waits, and such may be lost.
    pub held_back: u64,
    /// Frames that the port of a line card counted as bad: wrong FCS, too short, with an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad_at_port: Option<u64>,
    /// Most clocks from a frame's last byte, or the last of the frame before it at the output, to its first there: at the stream's beats, or at the pins
    /// of a line card, where the first is that of the preamble.
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
    /// Frames that the captures hold in part; what is missing came as 0, up to the length on the wire.
    pub cut: u64,
    /// Frames, counters or registers in which device and model differed; the run ends with the first.
    pub differences: u64,
    /// The first of them.
    pub first_difference: Option<String>,
    /// A packet path's one direction or a line card's two; empty where device and model differed.
    pub lanes: Vec<LaneResult>,
    /// What the contract promises of the latency, where nothing stands before a frame in its own lane.
    pub latency_bound_clocks: u64,
    /// What ran the gateware, by its name on the command line.
    pub simulator: &'static str,
    /// Clocks that were simulated.
    pub clocks: u64,
    /// Clocks a second of the simulation.
    pub clocks_per_second: f64,
    /// The frames that left, with the clock of the first beat, in the order of time, if they were to be kept.
    #[serde(skip)]
    pub left: Vec<(u64, Vec<u8>)>,
}

impl Replay {
    /// Writes the frames that left into a capture.
    ///
    /// # Errors
    /// [`ReplayError`] when the file cannot be written; an earlier one stays.
    pub fn write_capture(&self, design: &Design, file: &Path) -> Result<(), ReplayError> {
        let frames = self.left.iter();
        let frames = frames.map(|(clock, bytes)| (*clock, &bytes[..]));
        Ok(write_capture(file, design.clock_hz(), frames)?)
    }
}

/// What a run came to, of either kind of path.
struct Ran {
    clocks: u64,
    lanes: Vec<LaneResult>,
    /// A frame took longer than the contract promises.
    late: bool,
    difference: Option<String>,
}

impl Ran {
    /// A run that ended with a difference.
    fn different(clock: u64, difference: String) -> Ran {
        Ran {
            clocks: clock,
            lanes: Vec::new(),
            late: false,
            difference: Some(difference),
        }
    }
}

/// A device in a simulator, and what it is to do.
struct Job<'a> {
    simulation: Simulation,
    filter: PathFilter,
    frames: &'a ReplayFrames,
    seed: u64,
    latency_bound_clocks: u64,
}

/// Sends frames through the emitted packet path or line card of a design, and compares what leaves with the model. `tools` hears of tools that are
/// being installed, `progress` of how many frames have left and how many came in all.
///
/// A difference between device and model is a result, not an error.
///
/// # Errors
/// [`ReplayError`] for a specification without `[packet]`, what building a model needs, and a capture that cannot be written.
pub fn replay(
    design: &Design,
    frames: &ReplayFrames,
    plan: &ReplayPlan,
    tools: &dyn Fn(&Progress),
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Replay, ReplayError> {
    let name = || design.name().to_owned();
    let Some(packet) = design.packet() else {
        return Err(ReplayError::NoPath { name: name() });
    };
    if packet.ports() == Ports::Streams && !frames.ports[1].is_empty() {
        return Err(ReplayError::OneWay { name: name() });
    }
    let filter = PathFilter::new(design);
    let total = frames.count();
    let options = BuildOptions {
        // for few frames compiling is most of the time
        optimisation: match total > FEW_FRAMES {
            true => Optimisation::Full,
            false => Optimisation::Quick,
        },
        ..BuildOptions::default()
    };
    let simulation = plan.simulator.load(&emitted(design)?, &options, tools);
    let job = Job {
        simulation: simulation.map_err(Box::new)?,
        latency_bound_clocks: latency_bound_clocks(design).map_or(0, u64::from),
        filter,
        frames,
        seed: plan.seed,
    };
    let latency_bound_clocks = job.latency_bound_clocks;
    let mut kept: Vec<(u64, Vec<u8>)> = Vec::new();
    let (keeps, mut count) = (plan.keep, 0);
    let mut leaves = |clock, bytes: &[u8]| {
        count += 1;
        progress(count, total);
        if keeps {
            kept.push((clock, bytes.to_vec()));
        }
    };
    let start = Instant::now();
    let ran = match packet.ports() {
        Ports::Rgmii => line_card::run(job, &mut leaves)?,
        Ports::Streams => path::run(job, &mut leaves)?,
    };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    kept.sort_by_key(|(clock, _)| *clock);
    Ok(Replay {
        verdict: match ran.late || ran.difference.is_some() {
            true => Verdict::Fail,
            false => Verdict::Pass,
        },
        source: frames.source.clone(),
        skipped: frames.skipped,
        cut: frames.cut,
        differences: ran.difference.is_some().into(),
        first_difference: ran.difference,
        lanes: ran.lanes,
        latency_bound_clocks,
        simulator: plan.simulator.name(),
        clocks: ran.clocks,
        clocks_per_second: ran.clocks as f64 / seconds,
        left: kept,
    })
}

/// Frames by class, those that occurred.
fn classes(by_class: [u64; FrameClass::COUNT]) -> BTreeMap<String, u64> {
    FrameClass::ALL
        .iter()
        .zip(by_class)
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| (class.to_string(), count))
        .collect()
}
