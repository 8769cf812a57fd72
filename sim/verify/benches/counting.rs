//! The Monte Carlo of CBF Fig. 7 in items a second, beside crates with a loop of the same shape.
//!
//! One filter of m counters takes n new entries and then n queries of other entries, k = 3 hashes, threshold 2; that is
//! one simulation run of the paper at one k. No crate has a counting filter with a threshold, so each row does what comes nearest:
//!
//! | Row | Work of an item |
//! |---|---|
//! | `figures` | the figure's own loop: k positions drawn from ChaCha8, m 8-bit counters, minimum >= threshold |
//! | `pdatastructs CountMinSketch` | SipHash of a u64 key, k rows of m/k 8-bit counters, minimum >= threshold: the same filter, partitioned |
//! | `pdatastructs BloomFilter` | SipHash of a u64 key, k of m bits: plain membership, an eighth of the memory |
//! | `fastbloom BloomFilter` | SipHash-1-3 of a u64 key, k of m bits: plain membership, an eighth of the memory |
//! | `fastbloom BloomFilter, mixed keys` | the same with SplitMix64 of the key in place of SipHash |
//!
//! The queries of the plain filters end at the first clear bit, the others read every counter. Found queries are false positives.
//! `BLOOMLINE_COUNTING_ITEMS` sets n (10^7 unless told); m is always 4 n. The clock is the thread's processor time, so that
//! other work on the machine disturbs less.
//!
//! ```text
//! cargo bench -p bloomline-verify --features benches --bench counting
//! ```

use bloomline_model::ideal::CountingRun;
use cpu_time::ThreadTime;
use criterion::{Criterion, SamplingMode, Throughput};
use pdatastructs::countminsketch::CountMinSketch;
use pdatastructs::filters::Filter;
use std::time::Duration;

const HASHES: usize = 3;
const THRESHOLD: u64 = 2;

/// One filled and queried filter: time of the inserts, time of the queries, queries that were found.
type Round = (Duration, Duration, u64);

/// Times both halves of a round.
fn round<F>(
    mut filter: F,
    insert: impl FnOnce(&mut F),
    query: impl FnOnce(&mut F) -> u64,
) -> Round {
    let begin = ThreadTime::now();
    insert(&mut filter);
    let inserted = begin.elapsed();
    let found = std::hint::black_box(query(&mut filter));
    (inserted, begin.elapsed() - inserted, found)
}

/// A permutation of the 64-bit numbers (SplitMix64): keys for a filter that does not hash.
fn mixed(key: u64) -> u64 {
    let z = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn figures(n: u64) -> Round {
    round(
        CountingRun::new(4 * n as u32, HASHES, 1),
        |run| run.insert(n),
        |run| run.query(n, &[THRESHOLD])[0],
    )
}

fn count_min(n: u64) -> Round {
    round(
        CountMinSketch::<u64, u8>::with_params(4 * n as usize / HASHES, HASHES),
        |sketch| {
            for key in 0..n {
                sketch.add(&key);
            }
        },
        |sketch| {
            let reached = |key: &u64| u64::from(sketch.query_point(key)) >= THRESHOLD;
            (n..2 * n).filter(reached).count() as u64
        },
    )
}

fn plain(n: u64) -> Round {
    round(
        pdatastructs::filters::bloomfilter::BloomFilter::<u64>::with_params(4 * n as usize, HASHES),
        |filter| {
            for key in 0..n {
                filter.insert(&key).expect("a Bloom filter is never full");
            }
        },
        |filter| (n..2 * n).filter(|key| filter.query(key)).count() as u64,
    )
}

fn fast(n: u64) -> Round {
    round(
        fastbloom::BloomFilter::with_num_bits(4 * n as usize)
            .seed(&1)
            .hashes(HASHES as u32),
        |filter| {
            for key in 0..n {
                filter.insert(&key);
            }
        },
        |filter| (n..2 * n).filter(|key| filter.contains(key)).count() as u64,
    )
}

fn fast_mixed(n: u64) -> Round {
    round(
        fastbloom::BloomFilter::with_num_bits(4 * n as usize)
            .seed(&1)
            .hashes(HASHES as u32),
        |filter| {
            for key in 0..n {
                filter.insert_hash(mixed(key));
            }
        },
        |filter| {
            let seen = |key: &u64| filter.contains_hash(mixed(*key));
            (n..2 * n).filter(seen).count() as u64
        },
    )
}

/// One round with n entries.
type Work = fn(u64) -> Round;

const ROWS: [(&str, Work); 5] = [
    ("figures (counters, threshold 2)", figures),
    ("pdatastructs CountMinSketch (threshold 2)", count_min),
    ("pdatastructs BloomFilter (plain)", plain),
    ("fastbloom BloomFilter (plain)", fast),
    ("fastbloom BloomFilter (plain, mixed keys)", fast_mixed),
];

/// The middle one of the durations, in seconds.
fn median(rounds: &[Round], part: impl Fn(&Round) -> Duration) -> f64 {
    let mut times: Vec<f64> = rounds.iter().map(|one| part(one).as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let n: u64 = match std::env::var("BLOOMLINE_COUNTING_ITEMS") {
        Err(_) => 10_000_000,
        Ok(text) => match text.parse() {
            Ok(n) if (1000..=500_000_000).contains(&n) => n,
            _ => {
                eprintln!("BLOOMLINE_COUNTING_ITEMS: must be a number from 1000 to 500000000, not `{text}`");
                std::process::exit(2);
            }
        },
    };
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group(format!("counting n={n}"));
    group
        .throughput(Throughput::Elements(2 * n))
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(10));
    let mut table = Vec::new();
    for (name, work) in ROWS {
        let mut rounds = Vec::new();
        group.bench_function(name, |bench| {
            bench.iter_custom(|times| {
                (0..times)
                    .map(|_| {
                        let done = work(n);
                        rounds.push(done);
                        done.0 + done.1
                    })
                    .sum()
            });
        });
        if !rounds.is_empty() {
            table.push((name, rounds));
        }
    }
    group.finish();
    show(n, &table);
}

fn show(n: u64, table: &[(&str, Vec<Round>)]) {
    let Some((_, first)) = table.first() else {
        return;
    };
    let both = |round: &Round| round.0 + round.1;
    let own = median(first, both);
    println!("BLOOMLINE_COUNTING_ITEMS={n} cargo bench -p bloomline-verify --features benches --bench counting\n");
    println!(
        "n = {n}, m = {}, k = {HASHES}; medians; million items a second of processor time\n",
        4 * n
    );
    println!("| Loop | Rounds | Inserts | Queries | Both | Time / figures | Found |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (name, rounds) in table {
        let rate = |items: u64, seconds: f64| items as f64 / seconds / 1e6;
        println!(
            "| {name} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.5} |",
            rounds.len(),
            rate(n, median(rounds, |round| round.0)),
            rate(n, median(rounds, |round| round.1)),
            rate(2 * n, median(rounds, both)),
            median(rounds, both) / own,
            rounds
                .last()
                .map_or(f64::NAN, |round| round.2 as f64 / n as f64),
        );
    }
}
