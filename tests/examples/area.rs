//! Syntheses of drawn specifications of every kind for three families, and the factors of `plan`'s estimates of area that are fitted to them.
//!
//!     cargo run --release -p bloomline-tests --example area -- --record 0..24 --folder target/area
//!     cargo run --release -p bloomline-tests --example area -- --fit
//!
//! `--record` writes `tests/area.jsonl`; what is in the folder is not synthesised again, so that it can be stopped. `--fit` fits the factors
//! to the seeds below [`HELD_OUT`], prints them for `host/toolkit/src/forecast/area.json`, and how far the estimates of all seeds are off.

use bloomline_tests::{drawn_spec, synthesised, AreaRecord};
use bloomline_toolkit::forecast::{censuses, AreaFit, Factors, Family};
use bloomline_toolkit::Filter;
use clap::Parser;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Seeds from here on are not fitted to: they judge the fit.
const HELD_OUT: u64 = 10;
/// Fewest syntheses of a family that are fitted to.
const FEWEST: usize = 5;

#[derive(Parser)]
struct Options {
    /// Seeds to synthesise
    #[arg(long, value_name = "A..B")]
    record: Option<String>,
    /// Families: ecp5, 7-series, ultrascale+; all of them without it
    #[arg(long, value_delimiter = ',', value_parser = family)]
    families: Vec<Family>,
    /// Folder of the syntheses
    #[arg(long, default_value = "target/area")]
    folder: PathBuf,
    /// Fit the factors
    #[arg(long)]
    fit: bool,
}

fn family(name: &str) -> Result<Family, serde_json::Error> {
    serde_json::from_value(name.into())
}

fn main() {
    let options = Options::parse();
    if let Some(seeds) = &options.record {
        let (from, to) = seeds.split_once("..").expect("seeds A..B");
        let seeds = from.parse().expect("a number")..to.parse().expect("a number");
        record(&options, seeds);
    }
    if options.fit {
        fit();
    }
}

/// Synthesises, and adds to the record.
fn record(options: &Options, seeds: std::ops::Range<u64>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("area.jsonl");
    // not what was compiled in: another run may have written since
    let recorded = std::fs::read_to_string(&path).expect("the record");
    let mut records: BTreeMap<u64, AreaRecord> = AreaRecord::read(&recorded)
        .into_iter()
        .map(|record| (record.seed, record))
        .collect();
    for seed in seeds {
        let (sort, specification) = drawn_spec(seed);
        // of a family that is not synthesised now the record stays
        let before = records.remove(&seed).map(|record| record.families);
        let mut record = AreaRecord {
            seed,
            sort: sort.to_owned(),
            specification,
            families: before.unwrap_or_default(),
        };
        let filter = record.filter();
        let wanted =
            |family: &Family| options.families.is_empty() || options.families.contains(family);
        for family in Family::ALL.into_iter().filter(wanted) {
            let result = synthesised(&filter, family, &options.folder);
            println!("{seed} {sort} {family:?} {result:?}");
            record.families.insert(family.name().to_owned(), result);
        }
        records.insert(seed, record);
        let lines = records
            .values()
            .map(|record| serde_json::to_string(record).expect("JSON") + "\n");
        std::fs::write(&path, lines.collect::<String>()).expect("written");
    }
}

/// A synthesis: its seed, and tables, gates of exclusive or, what is not fitted, and lookup tables that yosys gave.
type Row = (u64, [f64; 2], f64, f64);

fn fit() {
    let mut rows: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    let mut old = AreaFit::built_in().expect("a table").families;
    for record in AreaRecord::all() {
        let filter: Filter = record.filter();
        for (family, census) in censuses(&filter).expect("a text") {
            let Some(real) = record.families.get(family.name()) else {
                continue;
            };
            let zero = Factors {
                family,
                tables: 0.0,
                exclusive_ors: 0.0,
                lookup_table_error: 0.0,
                larger_errors: BTreeMap::new(),
                flip_flop_error: 0.0,
            };
            let estimate = zero.estimate(&census);
            let fixed = estimate.lookup_tables as f64;
            let off = estimate.flip_flops as f64 / real.flip_flops as f64 - 1.0;
            println!(
                "{} {} {}: flip-flops {:+.1} %, block RAMs {:?} estimated, {:?} synthesised",
                record.seed,
                record.sort,
                family.name(),
                100.0 * off,
                (estimate.block_rams_36_kbit, estimate.block_rams_18_kbit),
                (real.block_rams_36_kbit, real.block_rams_18_kbit)
            );
            let row = (
                record.seed,
                [census.tables as f64, census.exclusive_ors as f64],
                fixed,
                real.lookup_tables as f64,
            );
            rows.entry(family.name()).or_default().push(row);
        }
    }
    for factors in &mut old {
        let rows = rows.get(factors.family.name()).map_or(&[][..], |rows| rows);
        let fitted = rows.iter().filter(|row| row.0 < HELD_OUT).count();
        match fitted >= FEWEST {
            true if factors.exclusive_ors == 0.0 => factors.tables = solve_one(rows),
            true => [factors.tables, factors.exclusive_ors] = solve(rows),
            false => println!(
                "{}: {fitted} syntheses are too few for a fit; the factors stay",
                factors.family.name()
            ),
        }
        let off = |&(seed, [tables, ors], fixed, real): &Row| {
            let estimate = factors.tables * tables + factors.exclusive_ors * ors + fixed;
            (seed, estimate / real - 1.0)
        };
        let errors: Vec<(u64, f64)> = rows.iter().map(off).collect();
        let worst = |held_out: bool| {
            let chosen = errors
                .iter()
                .filter(|(seed, _)| (*seed >= HELD_OUT) == held_out);
            chosen.map(|(_, off)| off.abs()).fold(0.0, f64::max)
        };
        println!(
            "{}: tables {:.3}, exclusive_ors {:.3}; off by at most {:.1} % where fitted, {:.1} % held out",
            factors.family.name(),
            factors.tables,
            factors.exclusive_ors,
            100.0 * worst(false),
            100.0 * worst(true)
        );
        for (seed, off) in errors {
            println!("  seed {seed}: {:+.1} %", 100.0 * off);
        }
    }
}

/// Least squares of relative errors, with gates of exclusive or as all others.
fn solve_one(rows: &[Row]) -> f64 {
    let fitted = || rows.iter().filter(|row| row.0 < HELD_OUT);
    let shares = |row: &Row| (row.1[0] / row.3, (row.3 - row.2) / row.3);
    let product: f64 = fitted()
        .map(shares)
        .map(|(tables, real)| tables * real)
        .sum();
    let square: f64 = fitted()
        .map(shares)
        .map(|(tables, _)| tables * tables)
        .sum();
    product / square
}

/// Least squares of relative errors.
fn solve(rows: &[Row]) -> [f64; 2] {
    let (mut m, mut v) = ([[0.0; 2]; 2], [0.0; 2]);
    for (_, terms, fixed, real) in rows.iter().filter(|row| row.0 < HELD_OUT) {
        for i in 0..2 {
            for j in 0..2 {
                m[i][j] += terms[i] * terms[j] / real / real;
            }
            v[i] += terms[i] * (real - fixed) / real / real;
        }
    }
    let determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    [
        (v[0] * m[1][1] - v[1] * m[0][1]) / determinant,
        (v[1] * m[0][0] - v[0] * m[1][0]) / determinant,
    ]
}
