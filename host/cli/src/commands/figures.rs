use crate::output::{Ending, Output};
use crate::written_file::{may_write, Format};
use anyhow::{bail, Context};
use bloomline_verify::figures::{
    all, merge, run, write_gallery, Check, Drawn, Experiment, JournalHeader, Progress, Shard, Size,
};
use indicatif::{ProgressBar, ProgressStyle};
use itertools::Itertools;
use serde::Serialize;
use std::path::PathBuf;
use std::str::FromStr;

/// Arguments of `figures`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Finished simulations are kept in DIR/<figure>.journal: a run that was stopped goes on where it was. \
                  Shards on several machines write journals into one folder or several; `figures --merge` draws from them."
)]
pub struct Cmd {
    /// Only these figures, such as rbf-3,km-1 (all of them: --list)
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// Smaller simulations: seconds instead of hours
    #[arg(long)]
    quick: bool,
    /// Folder for charts, tables and journals
    #[arg(long, value_name = "DIR", default_value = "out/figures")]
    out: PathBuf,
    /// Seed of the simulations
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::numbers::whole)]
    seed: u64,
    /// Simulations at once [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Run part I of N and draw nothing
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    shard: Option<ShardArgument>,
    /// Draw from the journals in these folders, simulate nothing
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// List the figures
    #[arg(long)]
    list: bool,
}

/// `I/N`.
#[derive(Debug, Clone, Copy)]
struct ShardArgument(Shard);

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(index, of)| {
            Some(Shard {
                index: index.parse().ok()?,
                of: of.parse().ok()?,
            })
        });
        match shard {
            Some(shard) if (1..=shard.of).contains(&shard.index) => Ok(ShardArgument(shard)),
            _ => Err("must be I/N with I from 1 to N, for example 2/8".into()),
        }
    }
}

/// One figure of `figures --json`.
#[derive(Serialize)]
struct Shown {
    id: String,
    title: String,
    checks: Vec<Check>,
}

impl Cmd {
    /// Simulates, draws, checks.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let chosen = self.chosen()?;
        if self.list {
            let value = chosen
                .iter()
                .map(|experiment| [experiment.id(), experiment.title()])
                .collect_vec();
            output.result(&value, || {
                value
                    .iter()
                    .map(|[id, title]| format!("{id:8} {title}"))
                    .join("\n")
            })?;
            return Ok(Ending::Good);
        }
        may_write("--out", &self.out.join("index.html"), Format::Html, &[])?;
        let size = if self.quick { Size::Quick } else { Size::Full };
        if self.merge.is_empty() {
            std::fs::create_dir_all(&self.out).with_context(|| {
                format!(
                    "--out {}: cannot make the folder; name another",
                    self.out.display()
                )
            })?;
        }
        let mut drawn = Vec::new();
        for (number, experiment) in chosen.iter().enumerate() {
            let header = JournalHeader::new(experiment.id(), size, self.seed);
            let units = experiment.units(size);
            let results = if self.merge.is_empty() {
                let prefix = format!("{}/{} {}", number + 1, chosen.len(), experiment.id());
                let bar = bar(prefix);
                let shard = self.shard.map_or(Shard::WHOLE, |shard| shard.0);
                let journal = run(
                    experiment.as_ref(),
                    &header,
                    shard,
                    &self.out,
                    self.threads(),
                    |progress| {
                        show(&bar, progress);
                    },
                )?;
                bar.finish_and_clear();
                journal.results().clone()
            } else {
                merge(&self.merge, &header, &units)?
            };
            if self.shard.is_none() {
                drawn.push(Drawn {
                    id: experiment.id().to_owned(),
                    chart: experiment
                        .chart(size, &results)
                        .with_context(|| experiment.id().to_owned())?,
                });
            }
        }
        if let Some(ShardArgument(shard)) = self.shard {
            let value =
                serde_json::json!({ "shard": shard.index, "of": shard.of, "folder": self.out });
            output.result(&value, || {
                format!(
                    "shard {}/{} is complete in {}",
                    shard.index,
                    shard.of,
                    self.out.display()
                )
            })?;
            return Ok(Ending::Good);
        }
        self.report(output, size, &drawn)
    }

    fn chosen(&self) -> anyhow::Result<Vec<Box<dyn Experiment>>> {
        let every = all();
        if let Some(unknown) = self
            .only
            .iter()
            .find(|id| every.iter().all(|one| one.id() != id.as_str()))
        {
            let known = every.iter().map(|experiment| experiment.id()).join(", ");
            bail!("--only {unknown}: no such figure; there are {known}");
        }
        Ok(every
            .into_iter()
            .filter(|experiment| {
                self.only.is_empty() || self.only.iter().any(|id| id == experiment.id())
            })
            .collect())
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }

    fn report(&self, output: Output, size: Size, drawn: &[Drawn]) -> anyhow::Result<Ending> {
        let command = format!(
            "bloomline {} figures{}, seed {}",
            env!("CARGO_PKG_VERSION"),
            if size == Size::Quick { " --quick" } else { "" },
            self.seed
        );
        let page = write_gallery(&self.out, drawn, &command)?;
        let shown = drawn
            .iter()
            .map(|figure| Shown {
                id: figure.id.clone(),
                title: figure.chart.title.clone(),
                checks: figure.chart.checks.clone(),
            })
            .collect_vec();
        let all_hold = shown
            .iter()
            .flat_map(|figure| &figure.checks)
            .all(|check| check.holds);
        let value = serde_json::json!({ "page": page, "all_hold": all_hold, "figures": shown });
        output.result(&value, || {
            let lines = shown.iter().flat_map(|figure| {
                let title = figure.title.clone();
                let checks = figure.checks.iter().map(|check| {
                    let word = if check.holds { "holds" } else { "FAILS" };
                    format!("  {word}  {} ({})", check.claim, check.evidence)
                });
                [title].into_iter().chain(checks).collect_vec()
            });
            lines
                .chain([format!("\npage: {}", page.display())])
                .join("\n")
        })?;
        Ok(if all_hold {
            Ending::Good
        } else {
            Ending::CheckFailed
        })
    }
}

/// A bar with the time left; indicatif draws none where stderr is no terminal.
fn bar(prefix: String) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{prefix:14} [{bar:32}] {pos}/{len} simulations, {eta} left")
            .expect("the template is a constant")
            .progress_chars("=> ");
    ProgressBar::new(0).with_style(style).with_prefix(prefix)
}

fn show(bar: &ProgressBar, progress: Progress) {
    if bar.length() == Some(0) {
        // Units of an earlier run say nothing of the speed of this one.
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        bar.reset_eta();
    } else {
        bar.set_position(progress.done as u64);
    }
}
