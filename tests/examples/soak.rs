//! Filters of every kind and mode, drawn one a seed, in lockstep with their models for as long as one likes. A line a filter goes to a log, and a
//! run goes on behind what the log holds:
//!
//!     cargo run --release -p bloomline-tests --example soak -- --log tests/soak.csv --clocks 1000000000

use bloomline_tests::{toolchain, DrawnFilter, DrawnOutcome};
use bloomline_toolchain::Program;
use clap::Parser;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

/// The first line of a log.
const HEAD: &str = "seed;kind;clocks;verdicts;differences;filter";

#[derive(Parser)]
#[command(about = "Filters of every kind, drawn one a seed, in lockstep with their models")]
struct Options {
    /// Log, a line a filter; seeds in it are not run again
    #[arg(long)]
    log: PathBuf,
    /// Clocks that the log is to hold in the end
    #[arg(long, default_value_t = 1_000_000_000)]
    clocks: u64,
    /// Clocks of a filter
    #[arg(long, default_value_t = 4_000_000)]
    filter_clocks: u64,
    /// Filters at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// A line of the log.
struct Row {
    seed: u64,
    kind: String,
    clocks: u64,
    verdicts: u64,
    differences: u64,
}

impl Row {
    fn read(line: &str) -> Option<Self> {
        let mut parts = line.splitn(6, ';');
        let mut next = || parts.next();
        Some(Self {
            seed: next()?.parse().ok()?,
            kind: next()?.to_owned(),
            clocks: next()?.parse().ok()?,
            verdicts: next()?.parse().ok()?,
            differences: next()?.parse().ok()?,
        })
    }
}

/// What the log holds.
fn rows(log: &Path) -> Result<Vec<Row>, String> {
    let text = match std::fs::read_to_string(log) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("{}: {error}", log.display())),
    };
    text.lines()
        .zip(1..)
        .filter(|(line, _)| *line != HEAD)
        .map(|(line, number)| {
            Row::read(line).ok_or_else(|| {
                format!(
                    "{}, line {number}: {line:?} is no line of a log; they look like {HEAD:?}",
                    log.display()
                )
            })
        })
        .collect()
}

fn append(log: &Path, line: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", log.display());
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .map_err(told)?;
    writeln!(file, "{line}").map_err(told)
}

/// What has been run, and what comes next.
struct Progress {
    seeds: BTreeSet<u64>,
    next: u64,
    clocks: u64,
}

impl Progress {
    /// The next seed, while there are clocks to come; `planned` more count as run.
    fn take(&mut self, clocks: u64, planned: u64) -> Option<u64> {
        if self.clocks >= clocks {
            return None;
        }
        self.clocks += planned;
        while self.seeds.contains(&self.next) {
            self.next += 1;
        }
        self.seeds.insert(self.next);
        Some(self.next)
    }
}

fn work(options: &Options, progress: &Mutex<Progress>) -> Result<(), String> {
    let toolchain = toolchain(&[Program::Verilator]);
    let lock = || progress.lock().expect("no thread panics with it");
    loop {
        let Some(seed) = lock().take(options.clocks, options.filter_clocks) else {
            return Ok(());
        };
        let filter = DrawnFilter::draw(seed);
        let (outcome, differences) =
            match filter.in_lockstep(&toolchain, seed, options.filter_clocks) {
                Ok(outcome) => (outcome, 0),
                Err(error) => {
                    eprintln!("seed {seed}: {filter:?}: {error}");
                    (DrawnOutcome::default(), 1)
                }
            };
        let DrawnOutcome { clocks, verdicts } = outcome;
        let kind = filter.kind();
        let _one_at_a_time = lock();
        if !options.log.exists() {
            append(&options.log, HEAD)?;
        }
        append(
            &options.log,
            &format!("{seed};{kind};{clocks};{verdicts};{differences};{filter:?}"),
        )?;
        eprintln!(
            "seed {seed}: {kind}: {clocks} clocks, {verdicts} verdicts, {differences} differences"
        );
    }
}

/// The log by kinds.
fn summary(rows: &[Row]) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        kinds.entry(&row.kind).or_default().push(row);
    }
    let line = |kind: &str, rows: &[&Row]| {
        let sum = |of: fn(&Row) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
        format!(
            "| {kind} | {} | {} | {} | {} |",
            rows.len(),
            sum(|row| row.clocks),
            sum(|row| row.verdicts),
            sum(|row| row.differences)
        )
    };
    let head = "| kind | filters | clocks | verdicts | differences |\n|---|---|---|---|---|";
    let all = rows.iter().collect_vec();
    let kinds = kinds.iter().map(|(kind, rows)| line(kind, rows)).join("\n");
    format!("{head}\n{kinds}\n{}", line("all", &all))
}

fn soak(options: &Options) -> Result<bool, String> {
    let before = rows(&options.log)?;
    let progress = Mutex::new(Progress {
        seeds: before.iter().map(|row| row.seed).collect(),
        next: 0,
        clocks: before.iter().map(|row| row.clocks).sum(),
    });
    std::thread::scope(|scope| {
        let threads = (0..options.jobs.max(1))
            .map(|_| scope.spawn(|| work(options, &progress)))
            .collect_vec();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("a thread that works does not panic"))
    })?;
    let rows = rows(&options.log)?;
    println!("{}", summary(&rows));
    Ok(rows.iter().all(|row| row.differences == 0))
}

fn main() -> ExitCode {
    match soak(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
