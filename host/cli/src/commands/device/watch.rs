mod curves;
mod history;
#[cfg(test)]
mod picture;
mod screen;
mod terminal;
mod view;

use super::link::{identified, Link};
use super::readings::Readings;
use crate::numbers;
use crate::output::Output;
use anyhow::Context;
use bloomline_driver::{Device, Sample, Watch};
use history::History;
use serde::Serialize;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use terminal::Terminal;

/// Arguments of `watch`.
///
/// In a terminal a view that ends with q; elsewhere, or with --json, one line a sample. A failed sample is reported (`error` in JSON) and the next
/// one is taken; if the last one failed, the command ends with its error. Each line begins with the time of day at which its sample was taken, in JSON `unix_ms`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// Time between two samples
    #[arg(long, value_name = "MS", value_parser = numbers::whole, default_value_t = 500)]
    interval_ms: u64,
    /// End after so many samples
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    samples: Option<u64>,
}

/// A sample on one line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    /// When it was taken.
    unix_ms: u64,
    #[serde(flatten)]
    readings: &'a Readings,
    /// Since the sample before.
    #[serde(skip_serializing_if = "Option::is_none")]
    items_per_second: Option<f64>,
    events: &'a [String],
}

/// What a sample failed with, on one line of JSON.
#[derive(Serialize)]
struct Failed<'a> {
    unix_ms: u64,
    error: &'a str,
}

impl Cmd {
    /// Shows samples until it is told to end.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let device = identified(url, &self.spec)?;
        let period = Duration::from_millis(self.interval_ms);
        let samples = usize::try_from(self.samples.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        if output.is_json() || !std::io::stdout().is_terminal() {
            return lines(&device, period, samples, output);
        }
        let mut terminal = Terminal::enter().context("the terminal cannot be set up")?;
        show(&device, period, samples, &mut terminal)
    }
}

/// Milliseconds since 1970-01-01 00:00 UTC by this machine's clock.
fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// The time of day in UTC, of that many milliseconds: `14:03:22 UTC`.
fn time_of_day(unix_ms: u64) -> String {
    let seconds = unix_ms / 1000;
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02} UTC", seconds % 60)
}

fn lines(
    device: &Device<Link>,
    period: Duration,
    samples: usize,
    output: Output,
) -> anyhow::Result<()> {
    let mut last: Option<Sample> = None;
    let mut failed = None;
    for sample in Watch::new(device, period).take(samples) {
        failed = None;
        let sample = match sample {
            Ok(sample) => sample,
            Err(error) => {
                let told = error.to_string();
                let failure = Failed {
                    unix_ms: unix_ms(),
                    error: &told,
                };
                let read_on = output.line(&failure, || {
                    format!("{} failed: {told}", time_of_day(failure.unix_ms))
                })?;
                failed = Some(error.into());
                if !read_on {
                    break;
                }
                continue;
            }
        };
        let readings = Readings::of(device.design(), &sample);
        let rate = last.as_ref().and_then(|last| sample.items_per_second(last));
        let events: Vec<_> = sample.events.iter().map(history::in_words).collect();
        let line = Line {
            unix_ms: unix_ms(),
            readings: &readings,
            items_per_second: rate,
            events: &events,
        };
        let read_on = output.line(&line, || {
            let items = match sample.counters.named("ITEMS") {
                Some(items) => format!("{items} items"),
                None => "counters not built".to_owned(),
            };
            let rate = rate.map(|rate| format!(", {}/s", history::short(rate)));
            let fill = readings.halves.iter();
            let fill: String = fill
                .map(|half| format!(", {} {:.2}% full", half.name, 100.0 * half.fill))
                .collect();
            let paths = readings.paths.iter();
            let paths: String = paths
                .map(|path| format!(", {} {} frames", path.name, path.frames()))
                .collect();
            let events: String = events.iter().map(|event| format!("; {event}")).collect();
            format!(
                "{} {}: {items}{}{fill}{paths}{events}",
                time_of_day(line.unix_ms),
                readings.state(),
                rate.unwrap_or_default()
            )
        })?;
        if !read_on {
            break;
        }
        last = Some(sample);
    }
    failed.map_or(Ok(()), Err)
}

fn show(
    device: &Device<Link>,
    period: Duration,
    samples: usize,
    terminal: &mut Terminal,
) -> anyhow::Result<()> {
    let mut history = History::default();
    let mut last: Option<Sample> = None;
    let mut begun = None;
    let mut watch = Watch::new(device, period);
    for _ in 0..samples {
        match watch.next() {
            Some(Ok(sample)) => {
                let rate = last.as_ref().and_then(|last| sample.items_per_second(last));
                let readings = Readings::of(device.design(), &sample);
                let seconds = sample.at.duration_since(*begun.get_or_insert(sample.at));
                history.add(readings, seconds.as_secs_f64(), rate, &sample.events);
                last = Some(sample);
            }
            Some(Err(error)) => history.failed(error.to_string()),
            None => break,
        }
        terminal.show(|screen| view::draw(screen, &history))?;
        if terminal.told_to_end(watch.due())? {
            break;
        }
    }
    Ok(())
}
