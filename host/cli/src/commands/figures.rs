use crate::output::{Ending, Output};
use crate::written_file::{may_write, Format};
use anyhow::{bail, Context};
use bloomline_verify::figures::{
    all, run, write_gallery, Check, Drawn, Experiment, JournalHeader, Progress, Size,
};
use indicatif::{ProgressBar, ProgressStyle};
use itertools::Itertools;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `figures`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Finished simulations are kept in DIR/<figure>.journal: a run that was stopped goes on where it was. \
                  `campaign` with kind = \"figures\" spreads figures over machines."
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
    /// List the figures
    #[arg(long)]
    list: bool,
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
        std::fs::create_dir_all(&self.out).with_context(|| {
            format!(
                "--out {}: cannot make the folder; name another",
                self.out.display()
            )
        })?;
        let mut drawn = Vec::new();
        for (number, experiment) in chosen.iter().enumerate() {
            let header = JournalHeader::new(experiment.id(), size, self.seed);
            let prefix = format!("{}/{} {}", number + 1, chosen.len(), experiment.id());
            let bar = bar(prefix);
            let journal = run(
                experiment.as_ref(),
                &header,
                &self.out,
                self.threads(),
                |progress| show(&bar, progress),
            )?;
            bar.finish_and_clear();
            drawn.push(Drawn {
                id: experiment.id().to_owned(),
                chart: experiment
                    .chart(size, journal.results())
                    .with_context(|| experiment.id().to_owned())?,
            });
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
