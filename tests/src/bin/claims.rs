//! Runs the claims of the page "How we know": the second tier of tests. CONTRIBUTING.md says how a claim is added.
//!
//!     cargo run --release -p bloomline-tests --bin claims -- --list
//!     cargo run --release -p bloomline-tests --bin claims -- --only sliding mac
//!     cargo run --release -p bloomline-tests --bin claims -- --once --budget-minutes 30
//!
//! Results go to stdout as Markdown, progress to stderr. Exit codes: 0 all that ran passed, 1 a claim failed, 2 bad input or usage.

use bloomline_tests::claims::{
    changed_files, expand, fingerprint, markdown, most_urgent_first, run, shard, Binaries, Claim,
    ClaimsError, Journal, Manner, Place, Strength, Table,
};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Runs the claims of the page "How we know", each check in a process of its own.
#[derive(Debug, Parser)]
#[command(
    name = "claims",
    after_help = "A run that is killed goes on where it stopped. Exit codes: 0 all that ran passed, 1 a claim failed, 2 bad input or usage."
)]
struct Options {
    /// Print the claims with the estimated time of one pass and at full strength, and run none
    #[arg(long)]
    list: bool,
    /// Only these claims, by name
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Not these claims
    #[arg(long, value_name = "NAME", num_args = 1..)]
    except: Vec<String>,
    /// One of n parts of the checks, of about the same length each, for n machines: i/n with i from 1
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// One pass of each check, not as many as the page's figures are made of
    #[arg(long)]
    once: bool,
    /// Run also what passed in this very source tree before
    #[arg(long)]
    fresh: bool,
    /// Begin no check that is not expected to end within so many minutes; what is left comes first in the next run
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..))]
    budget_minutes: Option<u32>,
    /// Checks at a time; the number of cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Branch or commit that changes are counted from: claims about what changed run first
    #[arg(long, value_name = "REVISION", default_value = "main")]
    changed_since: String,
    /// Also write the table to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    match claims(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn list(claims: &[Claim]) {
    let minutes = |seconds: f64| format!("{:.1}", seconds / 60.0);
    println!("{:32} {:>9} {:>9}  claim", "name", "once/min", "full/min");
    let mut sums = [0.0; 2];
    for claim in claims {
        let both =
            [Strength::Once, Strength::Full].map(|strength| claim.estimate_seconds(strength));
        for (sum, seconds) in sums.iter_mut().zip(both) {
            *sum += seconds;
        }
        let [once, full] = both.map(minutes);
        println!("{:32} {once:>9} {full:>9}  {}", claim.name, claim.says);
    }
    for (name, at_a_time) in [("one check at a time", 1.0), ("two at a time", 2.0)] {
        let [once, full] = sums.map(|seconds| minutes(seconds / at_a_time));
        println!("{name:32} {once:>9} {full:>9}  the sum");
    }
}

fn claims(options: &Options) -> Result<bool, ClaimsError> {
    let table = Table::load()?;
    let claims = table.chosen(&options.only, &options.except)?;
    if options.list {
        list(&claims);
        return Ok(true);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let binaries = Binaries::build(&root)?;
    let forgotten = binaries.forgotten(&table);
    if !forgotten.is_empty() {
        return Err(ClaimsError::Table(format!(
            "`cargo test` leaves these tests out and no claim runs them: {}",
            forgotten.join(", ")
        )));
    }
    let strength = match options.once {
        true => Strength::Once,
        false => Strength::Full,
    };
    let place = Place::of_this_program(&root)?;
    let mut journal = Journal::open(&place.journal())?;
    let mut checks = expand(&claims, &binaries, strength)?;
    if let Some(text) = &options.shard {
        checks = shard(checks, text)?;
    }
    let changed = changed_files(&root, &options.changed_since);
    let tree = fingerprint(&root)?;
    most_urgent_first(&mut checks, &table, &changed, &journal, &tree);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let manner = Manner {
        jobs: options.jobs.map_or(cores, |jobs| jobs as usize),
        budget: options
            .budget_minutes
            .map(|minutes| Duration::from_secs(60 * u64::from(minutes))),
        fresh: options.fresh,
    };
    let summary = run(checks, &place, &tree, &mut journal, manner)?;

    let text = markdown(&claims, &summary);
    print!("{text}");
    if let Some(file) = &options.out {
        std::fs::write(file, &text).map_err(|source| ClaimsError::File {
            path: file.clone(),
            source,
        })?;
    }
    eprintln!(
        "{} checks ended, {} of them had passed in this tree before; {} left for the next run",
        summary.ended.len(),
        summary.reused,
        summary.left.len()
    );
    for check in &summary.left {
        eprintln!(
            "left: {} (about {:.0} s)",
            check.key(),
            check.estimate_seconds
        );
    }
    Ok(summary.is_good())
}
