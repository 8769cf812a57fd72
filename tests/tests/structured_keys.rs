//! Structured keys: the default hash gives them the false-positive rate of random keys, a linear hash does not.
//!
//! The null hypothesis is that a run on structured keys is distributed as a run on random ones. Under it the rate of a run has the
//! predicted mean and the standard error of random keys, which [`RatioEstimator`] takes from a long random run with the covariance
//! of neighbouring cycles. That error is not taken from the structured run itself: a hash that repeats one pattern in every cycle
//! has hardly any variance within a run and all of it between the seeds. Two claims follow for every kind of keys: each seed's
//! rate lies in its interval, and the rates of the seeds spread as the standard error says (chi-square, both sides). All claims of
//! a hash family are right together with 99 %.

use bloomline_model::RecyclingFilter;
use bloomline_spec::{FilterSpec, FiveTuple, Key, Operation, PacketFields, RecyclingGeometry};
use bloomline_stimulus::{consecutive, port_scan, slash16, RandomNew, Record};
use bloomline_tests::Sample;
use bloomline_theory::sizing::{predict, solve_threshold, Hashing, On, RecyclingParams};
use bloomline_verify::stats::{family_confidence, RatioEstimator};
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};
use std::path::Path;

/// Seeds of the hash, 1 to this; fixed before the first run.
const SEEDS: u64 = 20;
/// Keys a run: a /16 and the ports of a host have no more.
const KEYS: usize = 1 << 16;
/// Keys of the random run that gives the standard error.
const REFERENCE_KEYS: usize = 4 << 20;
const TARGET_RATE: f64 = 1e-2;
const KINDS: [&str; 4] = [
    "random",
    "consecutive",
    "addresses of a /16",
    "ports of a host",
];
/// Smallest standard deviation of seeds, in units of the random one, that counts as far from random.
const FAR: f64 = 2.0;

fn params(threshold: u64) -> RecyclingParams {
    RecyclingParams {
        memory_bits: 2 * 4 * 512,
        phases: 2,
        hashes: 4,
        hashing: Hashing::Double,
        on: On::BitsSet,
        threshold,
        retain: true,
    }
}

fn geometry(family: &'static str, seed: u64, threshold: u64) -> RecyclingGeometry {
    let sample = Sample {
        partition_bits: 512,
        threshold,
        family,
        ..Sample::BASE
    };
    let text = sample
        .toml()
        .replacen("seed = 1", &format!("seed = {seed}"), 1);
    FilterSpec::from_toml(&text, Path::new("structured.toml"))
        .and_then(|spec| spec.validate())
        .and_then(|sizing| sizing.with_threshold(threshold))
        .expect("a legal specification")
}

/// The keys of a kind, none of them twice. Random keys are others for every `seed`.
fn keys(geometry: &RecyclingGeometry, kind: &str, seed: u64, count: usize) -> Vec<Key> {
    let format = geometry.key_format();
    let packet = |record: Record| {
        let fields = PacketFields {
            five_tuple: Some(FiveTuple {
                source: record.source,
                destination: record.destination,
                source_port: record.source_port,
                destination_port: record.destination_port,
                protocol: record.protocol,
            }),
            frame_digest: None,
        };
        let key = format.of_packet(&fields).expect("104 bits");
        key.expect("an IPv4 packet has a 5-tuple")
    };
    let integer = |value: u128| format.of_integer(value).expect("fits 104 bits");
    match kind {
        "random" => {
            let [low, high] =
                [2 * seed, 2 * seed + 1].map(|s| RandomNew::new(52, s).expect("52 bits"));
            let pairs = low.zip(high).take(count);
            pairs
                .map(|(low, high)| integer(u128::from(high) << 52 | u128::from(low)))
                .collect()
        }
        "consecutive" => consecutive(0)
            .take(count)
            .map(|value| integer(value.into()))
            .collect(),
        "addresses of a /16" => slash16([10, 7, 0, 0].into())
            .take(count)
            .map(packet)
            .collect(),
        _ => port_scan([198, 51, 100, 7].into(), [10, 7, 1, 2].into())
            .take(count)
            .map(packet)
            .collect(),
    }
}

/// The rate over whole cycles. Every key is new, so every arrival is absent and counts.
fn run(geometry: &RecyclingGeometry, keys: &[Key]) -> RatioEstimator {
    let mut filter = RecyclingFilter::new(geometry);
    let mut estimator = RatioEstimator::new();
    // the first cycles begin with empty halves
    let (mut events, mut arrivals, mut recycles) = (0, 0, 0);
    for key in keys {
        let outcome = filter.apply(key, Operation::TestAndInsert);
        events += u64::from(outcome.seen());
        arrivals += 1;
        if outcome.tripped {
            recycles += 1;
            if recycles > geometry.phases() {
                estimator.push(events, arrivals);
            }
            (events, arrivals) = (0, 0);
        }
    }
    estimator
}

/// What the seeds of one kind of keys gave, in standard errors of random keys.
struct Row {
    kind: &'static str,
    least: f64,
    most: f64,
    outside: usize,
    worst_z: f64,
    /// Standard deviation of the seeds about the prediction.
    spread: f64,
    spread_holds: bool,
}

/// The prediction of the filter, and the variance of an arrival in the mean of a random run.
struct Null {
    threshold: u64,
    predicted: f64,
    variance_of_arrival: f64,
}

fn null() -> Null {
    let threshold = solve_threshold(&params(0), TARGET_RATE).expect("the target can be met");
    let predicted = predict(&params(threshold))
        .expect("in the domain")
        .fpr_average
        .value;
    let geometry = geometry("h3-sbox", 1000, threshold);
    let reference = run(&geometry, &keys(&geometry, "random", 1000, REFERENCE_KEYS));
    let error = reference.standard_error().expect("many cycles");
    Null {
        threshold,
        predicted,
        variance_of_arrival: error * error * reference.arrivals() as f64,
    }
}

fn rows(null: &Null, family: &'static str) -> Vec<Row> {
    let claims = KINDS.len() * (SEEDS as usize + 1);
    let confidence = family_confidence(0.01, claims).expect("a legal confidence");
    let quantile = Normal::standard().inverse_cdf(0.5 + confidence / 2.0);
    let chi = ChiSquared::new(SEEDS as f64).expect("a positive number of seeds");
    let tail = (1.0 - confidence) / 2.0;
    let squares = chi.inverse_cdf(tail)..=chi.inverse_cdf(1.0 - tail);
    KINDS
        .map(|kind| {
            let runs: Vec<RatioEstimator> = (1..=SEEDS)
                .map(|seed| {
                    let geometry = geometry(family, seed, null.threshold);
                    run(&geometry, &keys(&geometry, kind, seed, KEYS))
                })
                .collect();
            let rates: Vec<f64> = runs.iter().map(|run| run.ratio().unwrap_or(f64::NAN)).collect();
            let z: Vec<f64> = runs
                .iter()
                .zip(&rates)
                .map(|(run, rate)| {
                    (rate - null.predicted) / (null.variance_of_arrival / run.arrivals() as f64).sqrt()
                })
                .collect();
            let sum: f64 = z.iter().map(|z| z * z).sum();
            let row = Row {
                kind,
                least: rates.iter().copied().fold(f64::INFINITY, f64::min),
                most: rates.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                // a rate that is no number is outside too
                outside: z.iter().filter(|z| z.is_nan() || z.abs() > quantile).count(),
                worst_z: z.iter().copied().fold(0.0, |worst, z| if z.abs() > f64::abs(worst) { z } else { worst }),
                spread: (sum / SEEDS as f64).sqrt(),
                spread_holds: squares.contains(&sum),
            };
            println!(
                "{family:>8} | {kind:<18} | {:.5} to {:.5} | {:2} of {SEEDS} outside +-{quantile:.2} | worst z {:7.2} | spread {:6.2} ({})",
                row.least, row.most, row.outside, row.worst_z, row.spread,
                if row.spread_holds { "as random" } else { "not random" },
            );
            row
        })
        .into()
}

#[test]
#[ignore = "a claim"]
fn the_default_hash_gives_structured_keys_the_predicted_rate_and_a_linear_hash_does_not() {
    let null = null();
    let one_run = (null.variance_of_arrival / KEYS as f64).sqrt();
    println!(
        "predicted {:.6}, standard error of a run {one_run:.6}",
        null.predicted
    );
    assert!((0.5 * TARGET_RATE..=TARGET_RATE).contains(&null.predicted));

    let random_like = |row: &Row| row.outside == 0 && row.spread_holds;
    for row in rows(&null, "h3-sbox") {
        assert!(
            random_like(&row),
            "h3-sbox, {}, hash seeds 1 to {SEEDS}: {} outside, worst z {:.2}, spread {:.2}",
            row.kind,
            row.outside,
            row.worst_z,
            row.spread
        );
    }
    // the same test finds the linear hash out, on structured keys only
    let linear = rows(&null, "h3");
    assert!(
        random_like(&linear[0]),
        "h3 on random keys is as good as any"
    );
    let far: Vec<&str> = linear
        .iter()
        .skip(1)
        .filter(|row| {
            row.outside > 0 && !row.spread_holds && (row.spread > FAR || row.spread < 1.0 / FAR)
        })
        .map(|row| row.kind)
        .collect();
    println!("h3 is far from random on: {}", far.join(", "));
    assert!(
        !far.is_empty(),
        "no kind of structured keys tells h3 from random"
    );
}
