//! Captures through a simulated packet path or line card, as the user sees it.

use super::{bar, Cmd};
use crate::written_file::{may_write, Format};
use anyhow::bail;
use bloomline_simulated::replay::{replay, LaneResult, Replay, ReplayFrames, ReplayPlan};
use bloomline_spec::Ports;
use bloomline_toolkit::Filter;

/// Clocks of frames up to which the built-in simulator ends sooner than Verilator with its compiling: of `linecard` 12 s of processor time to
/// compile, then 9 us a clock beside 17 us, so 1.5 million clocks, of which the registers take 440,000; of `inline` 4.3 s, then 1.3 us beside 5.2 us, so
/// 1.1 million (`hdl/docs/command.md`).
const BUILT_IN_FRAME_CLOCKS: u64 = 1_000_000;

/// What only a packet path or a line card takes.
#[derive(Debug, clap::Args)]
pub struct Frames {
    /// Of a line card: frames of a capture that come at port 1 while those of --pcap come at port 0
    #[arg(long, value_name = "FILE", requires = "pcap")]
    pcap_back: Option<std::path::PathBuf>,
    /// Of a packet path or line card: file for the frames that leave, in the order of time (pcap)
    #[arg(long, value_name = "FILE", requires = "pcap")]
    write_pcap: Option<std::path::PathBuf>,
    /// Of a packet path or line card: the keys of --pcap through the filter alone, its rates against theory, instead of the frames through the path
    #[arg(long, requires = "pcap", conflicts_with_all = ["pcap_back", "write_pcap"])]
    filter_only: bool,
}

impl Frames {
    /// Says whether the frames of --pcap go through what the specification has around its filter.
    ///
    /// # Errors
    /// An option was given that this specification has no use for.
    pub fn are_sent(&self, filter: &Filter, command: &Cmd) -> anyhow::Result<bool> {
        let spec = command.spec.display();
        let ports = filter.design().packet().map(|packet| packet.ports());
        let given = [
            (self.pcap_back.is_some(), "--pcap-back"),
            (self.write_pcap.is_some(), "--write-pcap"),
            (self.filter_only, "--filter-only"),
        ];
        let given = given.iter().find(|(given, _)| *given);
        match (ports, given) {
            (None, Some((_, option))) => {
                bail!("{spec}: {option} is for a packet path or a line card; add [packet] to the specification")
            }
            (Some(Ports::Streams), Some((_, option @ "--pcap-back"))) => {
                bail!("{spec}: {option} is for a line card; say ports = \"rgmii\" in [packet]")
            }
            _ => {}
        }
        Ok(ports.is_some() && command.source.pcap.is_some() && !self.filter_only)
    }
}

/// Sends the captures through the path, showing how far it is.
pub fn verify(filter: &Filter, command: &Cmd) -> anyhow::Result<Replay> {
    let name = filter.design().name();
    if command.waves.is_given() {
        bail!("{name}: --waves: the waveform is of the filter; leave it out, or add --filter-only for the filter alone");
    }
    if command.report.is_some() {
        bail!("{name}: --report: frames through a packet path or line card have no page; take --json, or add --filter-only for the filter alone");
    }
    let captures = [
        command.source.pcap.clone(),
        command.frames.pcap_back.clone(),
    ];
    if let Some(file) = &command.frames.write_pcap {
        let inputs = captures.iter().flatten().chain([&command.spec]);
        let inputs: Vec<_> = inputs.map(|path| path.as_path()).collect();
        may_write("--write-pcap", file, Format::Pcap, &inputs)?;
    }
    let most = command.items.map_or(usize::MAX, |items| {
        usize::try_from(items).unwrap_or(usize::MAX)
    });
    let frames = ReplayFrames::read(captures, most)?;
    let plan = ReplayPlan {
        seed: command.seed,
        keep: command.frames.write_pcap.is_some(),
        simulator: command.simulator(frames.clocks(filter.design()), BUILT_IN_FRAME_CLOCKS)?,
    };
    note!("simulator: {}", plan.simulator.name());
    let bar = bar("frames");
    bar.set_message(format!("frames through {name}"));
    let result = replay(
        filter.design(),
        &frames,
        &plan,
        &|progress| bar.suspend(|| note!("{progress}")),
        &|done, total| {
            bar.set_length(total);
            bar.set_position(done);
        },
    );
    bar.finish_and_clear();
    Ok(result?)
}

/// Writes the frames that left, if that was asked for and none differed; the result has been told by then.
pub fn write(filter: &Filter, command: &Cmd, result: &Replay) -> anyhow::Result<()> {
    if let Some(file) = &command.frames.write_pcap {
        if result.differences == 0 {
            result.write_capture(filter.design(), file)?;
            note!("frames that left: {}", file.display());
        }
    }
    Ok(())
}

/// The result in lines.
pub fn as_text(result: &Replay) -> String {
    let mut lines = vec![
        format!("verdict                {}", result.verdict),
        format!(
            "frames                 {} ({} records that are no frames of Ethernet)",
            result.source, result.skipped
        ),
        format!(
            "differences            {} in {} clocks",
            result.differences, result.clocks
        ),
    ];
    if result.cut > 0 {
        lines.push(format!(
            "cut by the capture     {} frames: zeros came in the place of what it does not hold, up to their length on the wire",
            result.cut
        ));
    }
    lines.extend(
        result
            .lanes
            .iter()
            .filter(|lane| lane.frames > 0)
            .flat_map(lane_lines),
    );
    lines.push(format!(
        "latency by contract    {} clocks at most, with nothing before a frame",
        result.latency_bound_clocks
    ));
    lines.push(format!(
        "simulation             {:.0} clocks a second",
        result.clocks_per_second
    ));
    lines.push(format!("simulator              {}", result.simulator));
    if let Some(difference) = &result.first_difference {
        lines.push(format!("first difference       {difference}"));
    }
    lines.join("\n")
}

fn lane_lines(lane: &LaneResult) -> Vec<String> {
    let from_to = match lane.from_port {
        Some(from) => format!("port {from} to port {}", 1 - from),
        None => "stream".to_owned(),
    };
    let classes: Vec<String> = lane
        .classes
        .iter()
        .map(|(class, count)| format!("{class} {count}"))
        .collect();
    let mut lines = vec![
        format!(
            "{from_to:<22} {} frames came, {} left, {} without room",
            lane.frames, lane.left, lane.overflows
        ),
        format!("  classes              {}", classes.join(", ")),
        format!(
            "  policies             {} passed, {} marked, {} dropped",
            lane.passed, lane.marked, lane.dropped
        ),
        format!(
            "  latency              {} clocks at most",
            lane.latency_clocks
        ),
    ];
    if lane.held_back > 0 {
        lines.push(format!(
            "  held back            {} of them, until there was room: {} does not wait, and some of these may be lost",
            lane.held_back,
            match lane.from_port {
                Some(_) => "a line",
                None => "a stream without gaps",
            }
        ));
    }
    lines
}
