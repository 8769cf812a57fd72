//! Predictions of whole filters against the check values, and the search for a threshold.

use bloomline_theory::sizing::{
    predict, predict_shared, solve_threshold, Hashing, On, RecyclingParams, SharedParams,
};
use bloomline_theory::{AccuracyKind, TheoryError};
use proptest::prelude::*;

fn filter(memory_bits: u64, phases: u32, hashes: u32, threshold: u64) -> RecyclingParams {
    RecyclingParams {
        memory_bits,
        phases,
        hashes,
        hashing: Hashing::Independent,
        on: On::BitsSet,
        threshold,
        retain: false,
    }
}

#[test]
fn predictions_match_the_check_values() {
    for (params, rate) in [
        (filter(1000, 2, 4, 250), 0.0762055979),
        (
            RecyclingParams {
                retain: true,
                ..filter(1000, 2, 4, 250)
            },
            0.0763872296,
        ),
        (filter(1000, 1, 4, 500), 0.0156516823),
        (filter(4096, 1, 4, 2048), 0.0156588700),
    ] {
        let prediction = predict(&params).expect("legal filter");
        assert!(
            (prediction.fpr_average.value - rate).abs() < 0.6e-10,
            "{params:?}: {prediction:?}"
        );
        assert_eq!(prediction.fpr_average.accuracy.kind, AccuracyKind::Exact);
        assert_eq!(prediction.two_hash_excess.value, 0.0);
    }
    let one = predict(&filter(1000, 1, 4, 500)).expect("legal filter");
    assert!((one.cycle_arrivals.value - 173.776318).abs() < 1e-6);
    assert!((one.fpr_worst_case.value - 0.0625).abs() < 1e-15);
    // RBF Fig. 5, 6: a worst-case filter takes some 30% fewer messages than one held to the same average
    assert!(
        (1.3..1.7).contains(&one.capacity_gain.value),
        "{}",
        one.capacity_gain.value
    );
}

#[test]
fn large_filters_are_solved_and_predicted() {
    for (on, phases) in [
        (On::BitsSet, 1),
        (On::BitsSet, 2),
        (On::Messages, 1),
        (On::Messages, 2),
    ] {
        let params = RecyclingParams {
            on,
            hashing: Hashing::Double,
            ..filter(1 << 24, phases, 16, 0)
        };
        let threshold = solve_threshold(&params, 1e-4).expect("reachable target");
        let rate = |threshold| {
            predict(&RecyclingParams {
                threshold,
                ..params
            })
            .expect("legal threshold")
            .fpr_average
            .value
        };
        assert!(
            rate(threshold) <= 1e-4 && rate(threshold + 1) > 1e-4,
            "{on:?} {phases}: {threshold}"
        );
    }
}

#[test]
fn a_target_below_the_smallest_threshold_is_unreachable() {
    let double = RecyclingParams {
        hashing: Hashing::Double,
        ..filter(4096, 1, 16, 0)
    };
    // one stored item already gives a rate of 1/m'^2 = 1.5e-5 half of the time
    let error = solve_threshold(&double, 1e-6).expect_err("two hashes put a floor under the rate");
    assert!(
        matches!(error, TheoryError::TargetUnreachable { smallest: 16, .. }),
        "{error}"
    );
    assert!(solve_threshold(
        &RecyclingParams {
            hashing: Hashing::Independent,
            ..double
        },
        1e-6
    )
    .is_ok());
    assert!(solve_threshold(&double, 0.0).is_err() && solve_threshold(&double, f64::NAN).is_err());
}

#[test]
fn a_floor_above_a_tenth_of_the_rate_is_refused() {
    let double = |hashes, threshold| {
        let params = RecyclingParams {
            hashing: Hashing::Double,
            ..filter(1024 * u64::from(hashes), 1, hashes, threshold)
        };
        predict(&params).expect("legal filter")
    };
    let error = double(8, 4096)
        .check_two_hash_floor()
        .expect_err("3.4e-4 on 5.7e-4");
    assert!(matches!(error, TheoryError::TwoHashFloor { .. }), "{error}");
    double(4, 2048)
        .check_two_hash_floor()
        .expect("2.2e-4 on 0.0157");
}

#[test]
fn illegal_filters_are_errors() {
    assert!(matches!(
        predict(&filter(1001, 2, 4, 250)),
        Err(TheoryError::Indivisible { multiple: 8, .. })
    ));
    for params in [
        filter(1000, 0, 4, 250),
        filter(1000, 3, 4, 250),
        filter(1000, 1, 0, 250),
        filter(65 * 64, 1, 65, 250),
        filter(1000, 1, 4, 3),
        filter(1000, 1, 4, 1000),
        filter(4, 1, 4, 4),
        RecyclingParams {
            on: On::Messages,
            ..filter(1000, 1, 4, 1)
        },
        RecyclingParams {
            on: On::Messages,
            ..filter(1000, 1, 4, 5000)
        },
    ] {
        let result = predict(&params);
        assert!(
            matches!(result, Err(TheoryError::OutOfDomain { .. })),
            "{params:?}: {result:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_solved_threshold_is_the_largest_that_meets_the_target(
        range_words in 1u64..40,
        hashes in 2u32..10,
        phases in 1u32..3,
        exponent in 0.5f64..4.0,
        double in any::<bool>(),
        messages in any::<bool>(),
        retain in any::<bool>(),
    ) {
        let params = RecyclingParams {
            hashing: if double { Hashing::Double } else { Hashing::Independent },
            on: if messages { On::Messages } else { On::BitsSet },
            retain,
            ..filter(32 * range_words * u64::from(hashes * phases), phases, hashes, 0)
        };
        let target = 10f64.powf(-exponent);
        match solve_threshold(&params, target) {
            Ok(threshold) => {
                let at = |threshold| predict(&RecyclingParams { threshold, ..params }).map(|p| p.fpr_average.value);
                prop_assert!(at(threshold).expect("legal") <= target);
                if let Ok(above) = at(threshold + 1) {
                    prop_assert!(above > target, "{threshold} and one more meet {target}: {above}");
                }
            }
            Err(error) => {
                let unreachable = matches!(error, TheoryError::TargetUnreachable { .. });
                prop_assert!(unreachable, "{error}");
            }
        }
    }
}

/// Few positions, three hashes: two hash functions make the cycle uncertain by percents.
#[test]
fn a_gain_is_no_better_known_than_the_cycle_that_it_divides() {
    for on in [On::BitsSet, On::Messages] {
        let params = RecyclingParams {
            memory_bits: 4 * 64,
            phases: 1,
            hashes: 4,
            hashing: Hashing::Double,
            on,
            threshold: 30,
            retain: false,
        };
        let predicted = predict(&params).expect("in the domain");
        let [gain, cycle] = [predicted.capacity_gain, predicted.cycle_arrivals];
        assert!(
            gain.accuracy.relative_error >= cycle.accuracy.relative_error,
            "{gain:?} {cycle:?}"
        );
    }
}

#[test]
fn halves_with_hardly_a_common_bit_state_what_coincident_positions_add() {
    let params = SharedParams {
        half_bits: 256,
        phases: 2,
        hashes: 2,
        distinct: false,
        two_hash: None,
        on: On::Messages,
        threshold: 10,
        retain: false,
    };
    let worst = predict_shared(&params).expect("legal").fpr_worst_case;
    // by enumeration of both halves
    let off = (worst.value / 0.00925666 - 1.0).abs();
    let stated = worst.accuracy.relative_error;
    assert!(1.5e-3 < off && off < stated && stated < 0.01, "{worst:?}");
}
