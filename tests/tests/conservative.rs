//! Counters that are updated conservatively: the emitted Verilog equals the cycle-accurate model on every
//! port of every clock.

use bloomline_model::{CellFilter, ProbeHasher};
use bloomline_spec::registers::address;
use bloomline_spec::{CellGeometry, CellOperation};
use bloomline_stimulus::ZipfKeys;
use bloomline_tests::cell_play::{bench, key, play, Offer, Step};
use bloomline_tests::{cells_in_lockstep, CellSample};
use itertools::Itertools;
use std::collections::HashMap;

/// Runs a sample.
const RUNS: u64 = 16;

const COUNTING: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    ..CellSample::COUNTING
};
const SKETCH: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    words: 16,
    ..CellSample::SKETCH
};

#[test]
fn emitted_counting_filters_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            COUNTING,
            CellSample {
                hashes: 2,
                cell_bits: 2,
                threshold: 3,
                hashing: "independent",
                family: "h3",
                ..COUNTING
            },
            CellSample {
                hashes: 6,
                hashing: "independent",
                distinct: true,
                range: 37,
                family: "siphash",
                ..COUNTING
            },
            CellSample {
                hashes: 9,
                cell_bits: 16,
                words: 256,
                hashing: "extended-double-3",
                ..COUNTING
            },
        ],
    );
}

#[test]
fn emitted_sketches_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            SKETCH,
            CellSample {
                hashes: 3,
                range: 61,
                ..SKETCH
            },
            CellSample {
                hashes: 5,
                hashing: "extended-double-2",
                cell_bits: 32,
                amount_bits: 32,
                threshold: 1_000_000,
                words: 128,
                ..SKETCH
            },
        ],
    );
}

/// Reads every word of the array: what the items wrote where.
fn read_array(geometry: &CellGeometry) -> impl Iterator<Item = Step> {
    (0..geometry.words_per_bank() as u32).flat_map(|word| {
        [
            Step::Write(address::ARRAY_ADDRESS, word),
            Step::Read(address::ARRAY_DATA),
        ]
    })
}

#[test]
fn raises_of_one_cell_and_looks_behind_them_are_exact_at_every_distance() {
    // keys that probe a cell twice, and the same key again and again, with queries and holes between
    let geometry = CellSample {
        hashing: "independent",
        ..COUNTING
    }
    .geometry();
    let bench = bench(&geometry);
    let hasher = ProbeHasher::new(&geometry);
    let twice = (0_u128..)
        .map(|value| key(&geometry, value))
        .filter(|key| hasher.probes(key).positions().iter().duplicates().count() > 0)
        .take(3);
    let keys: Vec<_> = twice.chain([key(&geometry, 3)]).collect();
    for holes in 0..4 {
        let offers: Vec<Offer> = keys
            .iter()
            .cartesian_product([2, 0, 1, 2, 0])
            .flat_map(|(key, operation)| {
                std::iter::once(Some((*key, operation))).chain(vec![None; holes])
            })
            .collect();
        let mut steps = vec![Step::Run(600)];
        steps.extend(read_array(&geometry));
        let told = play(&bench, &geometry, &offers, &steps);
        assert!(told.items() > 60, "{holes}: {}", told.items());
    }
}

#[test]
fn a_reset_in_any_clock_among_looks_and_raises_leaves_an_empty_filter() {
    let geometry = COUNTING.geometry();
    let bench = bench(&geometry);
    let offers: Vec<Offer> = (0..30)
        .map(|value| Some((key(&geometry, value), CellOperation::TestAndInsert as u64)))
        .collect();
    for wait in 0..2 * u64::from(geometry.timing().initiation_interval()) {
        for accessing in [false, true] {
            let mut steps = vec![Step::Run(150 + wait)];
            if accessing {
                steps.push(Step::WriteMeetsReset(
                    address::ARRAY_DATA,
                    u32::MAX,
                    1 + wait,
                ));
            }
            steps.extend([Step::Reset(1), Step::Run(300)]);
            steps.extend(read_array(&geometry));
            let told = play(&bench, &geometry, &offers, &steps);
            assert!(told.items() > 20, "{wait}: {}", told.items());
        }
    }
}

/// Estimates of a Zipf stream's keys at its end: the sum of what they are above the truth, conservative and plain, and keys.
fn overestimates(sample: CellSample, exponent: f64) -> (u64, u64, u64) {
    const ARRIVALS: usize = 60_000;
    let plain = CellSample {
        conservative: false,
        ..sample
    };
    let (geometry, plain) = (sample.geometry(), plain.geometry());
    let (mut filter, mut above) = (CellFilter::new(&geometry), CellFilter::new(&plain));
    let mut counts: HashMap<u64, u64> = HashMap::new();
    let stream = ZipfKeys::new(exponent, 200_000, 7).expect("a Zipf law");
    let insert = CellOperation::TestAndInsert;
    for value in stream.take(ARRIVALS) {
        let key = key(&geometry, value.into());
        let count = counts.entry(value).or_default();
        // a counting filter takes them all for 1
        let amount = 1 + (value % 7) as u32;
        *count += u64::from(filter.amount_of(amount));
        let estimate = filter.apply(&key, insert, amount);
        let plainly = above.apply(&key, insert, amount);
        let (estimate, plainly) = (estimate.verdict.estimate, plainly.verdict.estimate);
        assert!(u64::from(estimate) >= (*count).min(geometry.cell_max().into()));
        assert!(estimate <= plainly, "{value}: {estimate} above {plainly}");
    }
    let mut sums = (0, 0, counts.len() as u64);
    for (value, count) in counts {
        let key = key(&geometry, value.into());
        let ask = |filter: &mut CellFilter| {
            let verdict = filter.apply(&key, CellOperation::Query, 0).verdict;
            u64::from(verdict.estimate)
        };
        let truth = count.min(geometry.cell_max().into());
        let (estimate, plainly) = (ask(&mut filter), ask(&mut above));
        assert!(truth <= estimate && estimate <= plainly, "{value}");
        sums.0 += estimate - truth;
        sums.1 += plainly - truth;
    }
    sums
}

#[test]
fn estimates_of_a_zipf_stream_lie_between_the_truth_and_the_plain_filter_and_are_off_by_less() {
    let counting = CellSample {
        cell_bits: 16,
        words: 4_096,
        hashing: "independent",
        ..COUNTING
    };
    let sketch = CellSample {
        cell_bits: 32,
        amount_bits: 3,
        words: 8_192,
        hashing: "independent",
        ..SKETCH
    };
    for (name, sample, exponent) in [
        ("counting, exponent 1.1", counting, 1.1),
        ("counting, exponent 0.8", counting, 0.8),
        ("count-min, exponent 1.1", sketch, 1.1),
    ] {
        let (conservative, plain, keys) = overestimates(sample, exponent);
        let mean = |sum: u64| sum as f64 / keys as f64;
        println!(
            "{name}: mean overestimate {:.3} conservative, {:.3} plain, {keys} keys",
            mean(conservative),
            mean(plain)
        );
        assert!(
            conservative > 0 && 10 * conservative < 9 * plain,
            "{name}: {conservative} and {plain}"
        );
    }
}
