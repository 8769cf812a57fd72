//! The sliding-window filter against theory: rate, overflow, space; and real traffic against its own truth.

use bloomline_model::{Place, SlidingFilter, WindowOracle};
use bloomline_spec::{FilterSpec, Key, Operation, SlidingGeometry, SLIDING_EXAMPLES};
use bloomline_stimulus::CsvColumn;
use bloomline_tests::{runs, traces, SlidingSample};
use bloomline_theory::sliding::SlidingFilter as Sizes;
use bloomline_verify::dictionary;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

fn example() -> SlidingGeometry {
    let (file, text) = SLIDING_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file))
        .and_then(|spec| spec.sliding())
        .expect("an example")
}

/// Distinct elements, so that every verdict `seen` is a false positive; each of two rates at 99.5%.
#[test]
fn the_rate_of_distinct_keys_and_the_share_of_the_back_table_are_as_predicted() {
    let crowded = SlidingSample {
        window: 20_000,
        slack: 5_000,
        target_fpr: 0.2,
        sizes:
            "generations = 4\nfront_buckets = 4096\nfingerprint_bits = 9\naccept_overflow = true",
        key_bits: 64,
        ..SlidingSample::BASE
    };
    for (geometry, items, seed) in [
        (example(), runs(1_500_000, 4_000_000), 31),
        (crowded.geometry(), 400_000, 32),
    ] {
        let mut filter = SlidingFilter::new(&geometry);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let warm = 3 * geometry.live_items();
        let items = items.next_multiple_of(geometry.generation_items());
        let (mut seen, mut back) = (0u64, 0u64);
        for item in 0..items + warm {
            let key = Key::from_integer(rng.random::<u64>().into(), geometry.key_bits())
                .expect("64 bits fit");
            let outcome = filter.apply(&key, Operation::TestAndInsert);
            if item >= warm {
                seen += u64::from(outcome.verdict.seen);
                back += u64::from(outcome.inserted.is_some_and(|place| place != Place::Front));
            }
            assert!(!outcome.verdict.lost);
        }
        let theory = dictionary(&geometry);
        let predicted = theory.mean_false_positive_rate().expect("in the domain");
        let (measured, n) = (seen as f64 / items as f64, items as f64);
        let half =
            2.81 * (measured / n).sqrt() + predicted.accuracy.relative_error * predicted.value;
        println!(
            "rate {measured:.4e}, predicted {:.4e}, half width {half:.1e}",
            predicted.value
        );
        assert!((measured - predicted.value).abs() < half);
        let to_back = theory.mean_to_back().expect("in the domain");
        let share = back as f64 / items as f64;
        println!(
            "to the back table {share:.4e}, predicted {:.4e}",
            to_back.value
        );
        let half = 2.81 * (share / n).sqrt() + to_back.accuracy.relative_error * to_back.value;
        assert!((share - to_back.value).abs() < half);
    }
}

#[test]
fn the_example_loses_less_than_one_insertion_in_1e12_and_its_space_stands_beside_the_bound() {
    let geometry = example();
    let theory = dictionary(&geometry);
    let lost = theory
        .overflow(geometry.live_items())
        .expect("in the domain")
        .lost;
    assert!(lost.value < 1e-12, "{lost:?}");
    let sizes = Sizes::with_generations(
        geometry.window(),
        geometry.slack(),
        geometry.target_fpr(),
        geometry.generations().into(),
    )
    .expect("in the domain");
    let window = geometry.window() as f64;
    let bound = sizes.lower_bound_bits().value / window;
    let built = theory.bits(geometry.generation_bits()) as f64 / window;
    println!(
        "bits an element: {built:.2}, lower bound {bound:.2} + O(1), plain table at a load of 1: {:.2}; lost {:.1e}",
        sizes.table_bits(bloomline_theory::sliding::Deletion::TwoCellsAStep).value / window,
        lost.value
    );
    // what the page on the filter states
    assert_eq!(
        theory.bits(geometry.generation_bits()),
        geometry.memory_bits() + 16 * 30
    );
    assert!(
        (built - 45.03).abs() < 0.01 && (bound - 13.28).abs() < 0.01,
        "{built} {bound}"
    );
}

#[test]
fn generations_are_chosen_for_no_more_memory_than_those_of_theory_take() {
    for (window, slack, rate, generations) in [
        (65_536, 16_384, 1e-3, "generations = 9"),
        (4096, 4096, 0.01, "generations = 6"),
        (1000, 100, 0.1, "generations = 10"),
    ] {
        let bits = |sizes| {
            let sample = SlidingSample {
                window,
                slack,
                target_fpr: rate,
                sizes,
                ..SlidingSample::BASE
            };
            sample.geometry().memory_bits()
        };
        let theory = Sizes::new(window, slack, rate).expect("in the domain");
        let theirs = format!("generations = {}", theory.generations_a_window());
        assert_eq!(theirs, generations);
        assert!(bits("") <= bits(generations), "{window} {slack} {rate}");
    }
}

#[test]
fn recorded_accesses_of_the_window_are_always_seen() {
    let Some(folder) = traces() else { return };
    let path = folder.join("cloudPhysicsIO.csv");
    let geometry = example();
    let mut filter = SlidingFilter::new(&geometry);
    let mut oracle = WindowOracle::new();
    let (mut inside, mut outside, mut false_positives, mut next_to_each_other) =
        (0u64, 0u64, 0u64, 0u64);
    for value in CsvColumn::open(&path, "lbn").expect("the column is there") {
        let number = value.expect("a number");
        let key = Key::from_integer(number.into(), geometry.key_bits()).expect("fits");
        let seen = filter.apply(&key, Operation::TestAndInsert).verdict.seen;
        match oracle.arrival(number, Operation::TestAndInsert) {
            Some(back) if back <= geometry.window() => {
                inside += 1;
                next_to_each_other += u64::from(back <= 6);
                assert!(seen, "{number}, {back} elements back");
            }
            Some(back) if back <= geometry.live_items() => {}
            _ => {
                outside += 1;
                false_positives += u64::from(seen);
            }
        }
    }
    let rate = false_positives as f64 / outside as f64;
    println!("{inside} inside the window ({next_to_each_other} of them at most 6 back), {outside} outside, rate {rate:.2e}");
    assert!(inside > 1000 && next_to_each_other > 0 && rate <= geometry.target_fpr());
}
