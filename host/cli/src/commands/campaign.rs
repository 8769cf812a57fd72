use crate::output::{Ending, Output};
use anyhow::Context;
use bloomline_campaign::{
    shell_word, Campaign, Checks, Ended, Event, Report, Runner, Slurm, Submission,
};
use bloomline_stimulus::{Capture, CsvColumn};
use bloomline_toolkit::Filter;
use bloomline_verify::text::{interval_text, percent, things};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `campaign`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A campaign is a folder: a plan, its input files and one result a unit. A unit that has its result is not run again, so a campaign \
    that was killed goes on with the same command."
)]
pub struct Cmd {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Plan a campaign from its description: runs with seeds and swept keys become units
    New(New),
    /// Run units that have no result yet on this machine
    Run(Run),
    /// Give units that have no result yet to a batch system
    Submit(Submit),
    /// Say how far a campaign is, by its results and by the batch system
    Status(Status),
    /// Take a campaign's jobs from the batch system; results stay
    Cancel(Cancel),
    /// Merge the results into one report: HTML, JSON and CSV
    Merge(Merge),
}

#[derive(Debug, clap::Args)]
struct New {
    /// Folder for the campaign
    dir: PathBuf,
    /// Description of the campaign (TOML)
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Run {
    /// Folder of the campaign
    dir: PathBuf,
    /// Units at once [default: one a core]
    #[arg(long, value_name = "N", value_parser = crate::numbers::few)]
    jobs: Option<u32>,
    /// Only the units in this list, one a line
    #[arg(long, value_name = "FILE")]
    units: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct Submit {
    /// Folder of the campaign
    dir: PathBuf,
    /// Batch system
    #[arg(long, value_enum)]
    engine: Engine,
    /// Estimated minutes of one job; short units share one
    #[arg(long, value_name = "MINUTES", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    job_minutes: u32,
    /// Jobs at most
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = crate::numbers::few)]
    most_jobs: u32,
    /// Options for sbatch
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// An array job of Slurm, with a job that merges behind it
    Slurm,
    /// Lines of shell on stdout, one a job: for GNU parallel, LSF or any other array
    Shell,
}

#[derive(Debug, clap::Args)]
struct Status {
    /// Folder of the campaign
    dir: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Cancel {
    /// Folder of the campaign
    dir: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Merge {
    /// Folder of the campaign
    dir: PathBuf,
}

impl Cmd {
    /// Plans, runs, submits or merges.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        match self.verb {
            Verb::New(cmd) => cmd.run(output),
            Verb::Run(cmd) => cmd.run(output),
            Verb::Submit(cmd) => cmd.run(output),
            Verb::Status(cmd) => cmd.run(output),
            Verb::Cancel(cmd) => cmd.run(output),
            Verb::Merge(cmd) => cmd.run(output),
        }
    }
}

fn executable() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("the command cannot find its own executable")
}

fn units(number: usize) -> String {
    things(number as u64, "unit")
}

/// The progress bar's ticks for estimated seconds: microseconds, so that short units move it.
fn ticks(seconds: f64) -> u64 {
    (1e6 * seconds).round() as u64
}

fn hours(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// That the command takes a unit's words.
fn arguments(words: &[String]) -> Result<(), String> {
    let verb = words.get(1).map_or("", String::as_str);
    crate::check(words)
        .map_err(|reason| format!("{reason}; `bloomline {verb} --help` lists the options"))
}

/// That an option of `verify` can begin to read its file: a capture, or a column of a table.
fn input(option: &str, file: &Path, behind: &str) -> Result<(), String> {
    let opened = match (option, behind.strip_prefix(':')) {
        ("--keys", Some(column)) => CsvColumn::open(file, column).map(|_| ()),
        ("--pcap" | "--pcap-back", _) => Capture::open(file).map(|_| ()),
        _ => Ok(()),
    };
    opened.map_err(|error| error.to_string())
}

impl New {
    fn run(self, output: Output) -> anyhow::Result<Ending> {
        let legal = |text: &str| {
            let filter = Filter::from_text(Path::new("specification"), text.to_owned());
            filter.map(|_| ()).map_err(|error| error.to_string())
        };
        let checks = Checks {
            specification: &legal,
            arguments: &arguments,
            input: &input,
        };
        let campaign = Campaign::create(&self.dir, &self.from, &executable()?, checks)?;
        #[derive(Serialize)]
        struct Planned<'a> {
            name: &'a str,
            folder: &'a Path,
            units: usize,
            seconds: f64,
        }
        let planned = Planned {
            name: campaign.name(),
            folder: &self.dir,
            units: campaign.units().len(),
            seconds: campaign.units().iter().map(|unit| unit.seconds).sum(),
        };
        output.result(&planned, || {
            format!(
                "{}: {}, about {} on one core\nnext: bloomline campaign run {}",
                planned.name,
                units(planned.units),
                hours(planned.seconds),
                shell_word(&self.dir)
            )
        })?;
        Ok(Ending::Good)
    }
}

impl Run {
    fn run(self, output: Output) -> anyhow::Result<Ending> {
        let campaign = Campaign::open(&self.dir)?;
        let executable = executable()?;
        campaign.check_command(&executable)?;
        let places = match &self.units {
            Some(list) => campaign.listed(list)?,
            None => (0..campaign.units().len()).collect(),
        };
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let runner = Runner {
            campaign: &campaign,
            executable,
            jobs: self.jobs.unwrap_or_else(cores) as usize,
        };
        // The bar counts estimated seconds, so that its estimate of the end holds for units of different lengths.
        let seconds: f64 = places
            .iter()
            .map(|place| campaign.units()[*place].seconds)
            .sum();
        let bar = ProgressBar::new(ticks(seconds));
        bar.set_style(
            ProgressStyle::with_template("{wide_bar} {percent} %, {eta} left: {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(500));
        let ended = runner.run(&places, &|event| match event {
            Event::Begins(unit) => bar.set_message(unit.group.clone()),
            Event::Done(unit, _) => bar.inc(ticks(unit.seconds)),
            Event::Failed(unit, said) => {
                bar.inc(ticks(unit.seconds));
                bar.suspend(|| note!("failed: {} ({}): {said}", unit.group, unit.id));
            }
        });
        bar.finish_and_clear();
        output.result(&Ran::of(&ended), || ran(&ended, &self.dir))?;
        Ok(match ended.failed.is_empty() && ended.check_failed == 0 {
            true => Ending::Good,
            false => Ending::CheckFailed,
        })
    }
}

/// What `run` prints.
#[derive(Serialize)]
struct Ran<'a> {
    run: usize,
    skipped: usize,
    check_failed: usize,
    failed: BTreeMap<&'a str, &'a str>,
    /// Failed units whose output is not in `failures`, with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    unwritten: BTreeMap<&'a str, &'a str>,
}

impl Ran<'_> {
    fn of(ended: &Ended) -> Ran<'_> {
        fn by_unit(of: &[(String, String)]) -> BTreeMap<&str, &str> {
            let texts = of.iter().map(|(unit, text)| (unit.as_str(), text.as_str()));
            texts.collect()
        }
        Ran {
            run: ended.run,
            skipped: ended.skipped,
            check_failed: ended.check_failed,
            failed: by_unit(&ended.failed),
            unwritten: by_unit(&ended.unwritten),
        }
    }
}

fn ran(ended: &Ended, dir: &Path) -> String {
    let mut text = format!(
        "{} run, {} had their results; {} failed the check; {} ended with an error",
        units(ended.run),
        ended.skipped,
        ended.check_failed,
        ended.failed.len()
    );
    let failures = dir.join("failures");
    let written = ended.failed.len() - ended.unwritten.len();
    text += &match (ended.unwritten.first(), written) {
        (None, 0) => format!("\nnext: bloomline campaign merge {}", shell_word(dir)),
        (None, _) => format!(
            "\ntheir output is in {}; the same command tries them again",
            failures.display()
        ),
        (Some((_, why)), written) => format!(
            "\nthe output of {written} of them is in {}; that of {} could not be written there and stands above only ({why}); the same command tries them again",
            failures.display(),
            ended.unwritten.len()
        ),
    };
    text
}

impl Submit {
    fn run(self, output: Output) -> anyhow::Result<Ending> {
        let campaign = Campaign::open(&self.dir)?;
        let executable = executable()?;
        campaign.check_command(&executable)?;
        let slurm = Slurm {
            campaign: &campaign,
            executable,
            job_seconds: 60.0 * f64::from(self.job_minutes),
            most_jobs: self.most_jobs as usize,
        };
        if self.engine == Engine::Shell {
            if !self.options.is_empty() {
                anyhow::bail!(
                    "{}: options behind -- are for sbatch; leave them out with --engine shell",
                    self.options.join(" ")
                );
            }
            let lines = slurm.lines()?;
            if lines.is_empty() {
                note!(
                    "every unit has its result; next: bloomline campaign merge {}",
                    shell_word(&self.dir)
                );
            }
            output.result(&lines, || lines.join("\n"))?;
            return Ok(Ending::Good);
        }
        let submitted = slurm.submit(&self.options)?;
        output.result(&submitted, || match &submitted {
            Some(submission) => format!(
                "{} in {}: array {}, merged by job {}\nnext: bloomline campaign status {}",
                units(submission.units),
                things(submission.jobs as u64, "job"),
                submission.array,
                submission.merge,
                shell_word(&self.dir)
            ),
            None => format!(
                "every unit has its result; next: bloomline campaign merge {}",
                shell_word(&self.dir)
            ),
        })?;
        Ok(Ending::Good)
    }
}

impl Status {
    fn run(self, output: Output) -> anyhow::Result<Ending> {
        let campaign = Campaign::open(&self.dir)?;
        let progress = campaign.progress()?;
        let mut jobs: BTreeMap<String, usize> = BTreeMap::new();
        for submission in Submission::all(&campaign)? {
            for (state, count) in submission.states()? {
                *jobs.entry(state).or_insert(0) += count;
            }
        }
        #[derive(Serialize)]
        struct State<'a> {
            name: &'a str,
            #[serde(flatten)]
            progress: bloomline_campaign::Progress,
            jobs: BTreeMap<String, usize>,
        }
        let state = State {
            name: campaign.name(),
            progress,
            jobs,
        };
        output.result(&state, || {
            let progress = &state.progress;
            let mut text = format!(
                "{}: {} of {} units have a result; {} failed the check; {} ended with an error; about {} on one core left",
                state.name,
                progress.done,
                progress.units,
                progress.check_failed,
                progress.failed,
                hours(progress.seconds_left)
            );
            if progress.seconds_taken > 0.0 {
                text += &format!(
                    "\ntook {} where {} were estimated",
                    hours(progress.seconds_taken),
                    hours(progress.seconds_estimated)
                );
            }
            for damage in &progress.damaged {
                text += &format!("\n{}", damage.problem);
            }
            let jobs: Vec<String> = state.jobs.iter().map(|(state, count)| format!("{count} {}", state.to_lowercase())).collect();
            if !jobs.is_empty() {
                text += &format!("\njobs: {}", jobs.join(", "));
            }
            text
        })?;
        Ok(Ending::Good)
    }
}

impl Cancel {
    fn run(self, output: Output) -> anyhow::Result<Ending> {
        let campaign = Campaign::open(&self.dir)?;
        let mut cancelled = Vec::new();
        for submission in Submission::all(&campaign)? {
            if !submission.states()?.is_empty() {
                submission.cancel()?;
                cancelled.push(submission.array);
            }
        }
        output.result(&cancelled, || match cancelled.as_slice() {
            [] => "no jobs of this campaign are in the queue".into(),
            arrays => format!("cancelled: {}; results stay, and `bloomline campaign submit` gives what is left to do again", 
                arrays.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
        })?;
        Ok(Ending::Good)
    }
}

impl Merge {
    fn run(self, output: Output) -> anyhow::Result<Ending> {
        let campaign = Campaign::open(&self.dir)?;
        let report = campaign.merge()?;
        for damage in &report.damaged {
            note!("warning: {}", damage.problem);
        }
        output.result(&report, || merged(&report, &self.dir))?;
        Ok(
            match report.done == report.units && report.groups.iter().all(|group| group.holds) {
                true => Ending::Good,
                false => Ending::CheckFailed,
            },
        )
    }
}

fn merged(report: &Report, dir: &Path) -> String {
    let mut text = format!(
        "{}: {} of {} units have a result",
        report.name, report.done, report.units
    );
    for group in &report.groups {
        text += &format!("\n  {}: {} of {}", group.group, group.done, group.units);
        text += &match &group.merged {
            bloomline_campaign::Merged::Verify { rate, .. } => {
                let rate = rate.as_ref().map_or_else(String::new, |rate| {
                    format!(
                        ", rate {}, predicted {}{}",
                        interval_text(rate.measured, rate.ci_low, rate.ci_high),
                        if rate.at_most { "at most " } else { "" },
                        percent(rate.predicted),
                    )
                });
                format!("{rate}: {}", group.verdict.because(&group.reason))
            }
            bloomline_campaign::Merged::Build {
                timing_met,
                spreads,
                ..
            } => match spreads.get("fmax_mhz") {
                Some(clock) => format!(
                    ", {:.1} MHz (median {:.1}, least {:.1}), {timing_met} meet their clock",
                    clock.greatest, clock.median, clock.least
                ),
                None => String::new(),
            },
            _ => String::new(),
        };
        if group.check_failed > 0 {
            text += &format!(", the check failed in {}", group.check_failed);
        }
    }
    text + &format!("\nreport: {}", dir.join("report/report.html").display())
}
