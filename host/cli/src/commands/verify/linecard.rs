//! Captures through a simulated line card, as the user sees it.

use super::{bar, file_bytes, Cmd};
use crate::written_file::{may_write, Format};
use anyhow::bail;
use bloomline_simulated::linecard::{replay, LaneResult, Replay, ReplayPlan};
use bloomline_toolkit::Filter;

/// Clocks that a frame of the usual sizes takes of a line, with what stands between two frames.
const MOST_FRAME_CLOCKS: u64 = 1538;

/// Bytes of a capture up to which the built-in simulator ends sooner than Verilator with its compiling: of `linecard` 12 s of processor time to
/// compile, then 9 us a clock beside 17 us, so 1.5 million clocks, of which the registers take 440,000 (`hdl/docs/command.md`).
const BUILT_IN_BYTES: u64 = 1_000_000;

/// What only a line card takes.
#[derive(Debug, clap::Args)]
pub struct LineCard {
    /// Of a line card: frames of a capture that come at port 1 while those of --pcap come at port 0
    #[arg(long, value_name = "FILE", requires = "pcap")]
    pcap_back: Option<std::path::PathBuf>,
    /// Of a line card: file for the frames that leave, in the order of time (pcap)
    #[arg(long, value_name = "FILE", requires = "pcap")]
    write_pcap: Option<std::path::PathBuf>,
}

impl LineCard {
    /// The first option that was given, by its name.
    pub fn given(&self) -> Option<&'static str> {
        match self {
            LineCard {
                pcap_back: Some(_), ..
            } => Some("--pcap-back"),
            LineCard {
                write_pcap: Some(_),
                ..
            } => Some("--write-pcap"),
            LineCard { .. } => None,
        }
    }
}

/// Sends the captures through the card, showing how far it is.
pub fn verify(filter: &Filter, command: &Cmd) -> anyhow::Result<Replay> {
    let name = filter.design().name();
    if command.waves.is_given() {
        bail!("{name}: --waves: the waveform is of a filter or card without a line card; leave it out, or leave out --pcap for the filter alone");
    }
    if command.report.is_some() {
        bail!("{name}: --report: frames through a line card have no page; take --json");
    }
    let captures = [&command.source.pcap, &command.line_card.pcap_back];
    // a byte is a clock
    let bytes = captures
        .into_iter()
        .flatten()
        .map(|file| file_bytes(file))
        .max();
    let bytes = bytes.unwrap_or(0);
    let bytes = command.items.map_or(bytes, |frames| {
        bytes.min(frames.saturating_mul(MOST_FRAME_CLOCKS))
    });
    let plan = ReplayPlan {
        captures: [
            command.source.pcap.clone(),
            command.line_card.pcap_back.clone(),
        ],
        frames: command.items.map_or(usize::MAX, |items| {
            usize::try_from(items).unwrap_or(usize::MAX)
        }),
        seed: command.seed,
        write: command.line_card.write_pcap.clone(),
        simulator: command.simulator(bytes, BUILT_IN_BYTES)?,
    };
    if let Some(file) = &plan.write {
        let captures = plan.captures.iter().flatten();
        let inputs: Vec<_> = captures
            .chain([&command.spec])
            .map(|path| path.as_path())
            .collect();
        may_write("--write-pcap", file, Format::Pcap, &inputs)?;
    }
    note!("simulator: {}", plan.simulator.name());
    let bar = bar("frames");
    bar.set_message(format!("frames through {name}"));
    let result = replay(
        filter.design(),
        &plan,
        &|progress| bar.suspend(|| note!("{progress}")),
        &|done, total| {
            bar.set_length(total);
            bar.set_position(done);
        },
    );
    bar.finish_and_clear();
    if let (Ok(result), Some(file)) = (&result, &plan.write) {
        if result.differences == 0 {
            note!("frames that left: {}", file.display());
        }
    }
    Ok(result?)
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

fn lane_lines(lane: &LaneResult) -> [String; 3] {
    let (from, to) = (lane.from_port, 1 - lane.from_port);
    let classes: Vec<String> = lane
        .classes
        .iter()
        .map(|(class, count)| format!("{class} {count}"))
        .collect();
    [
        format!(
            "port {from} to port {to}       {} frames came, {} left, {} without room",
            lane.frames, lane.left, lane.overflows
        ),
        format!("  classes              {}", classes.join(", ")),
        format!(
            "  latency              {} clocks at most",
            lane.latency_clocks
        ),
    ]
}
