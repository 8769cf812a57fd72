//! Exact rates of static filters against rational arithmetic and the check values.

use crate::rational::{classic_rate, covered, standard_rate, Fraction};
use bloomline_theory::static_filter::{
    bits_from_set, classic_hashes_estimate, classic_peak_items_estimate, fewest_bits,
    greatest_classic_efficiency, greatest_standard_efficiency, greatest_standard_efficiency_bound,
    items_from_set, most_items, optimal_hashes, peak_efficiency, valley, Probes, StaticFilter,
};
use num_traits::Signed;

fn filter(m: u64, n: u64, k: u64, probes: Probes) -> StaticFilter {
    StaticFilter::new(m, n, k, probes).expect("legal filter")
}

fn rate(m: u64, n: u64, k: u64, probes: Probes) -> f64 {
    filter(m, n, k, probes).rate().expect("short").value
}

/// m, n, k: small and large rates, one item, a full filter, every bit probed.
const GRID: [(u64, u64, u64); 18] = [
    (1, 1, 1),
    (2, 5, 2),
    (3, 1, 3),
    (10, 3, 10),
    (13, 2, 7),
    (64, 4, 10),
    (64, 4, 9),
    (64, 40, 31),
    (100, 1, 50),
    (100, 69, 1),
    (100, 20, 40),
    (256, 1000, 3),
    (1000, 20, 34),
    (1024, 1, 142),
    (1024, 5, 133),
    (1024, 5, 142),
    (4096, 300, 10),
    (20_011, 500, 12),
];

#[test]
fn rates_equal_rational_arithmetic_to_1e_13() {
    for (m, n, k) in GRID {
        let standard = standard_rate(m, n, k).relative_error(rate(m, n, k, Probes::Independent));
        assert!(standard < 1e-13, "f_S({m},{n},{k}): {standard:e}");
        let classic = classic_rate(m, n, k).relative_error(rate(m, n, k, Probes::Distinct));
        assert!(classic < 1e-13, "f_C({m},{n},{k}): {classic:e}");
        let lower = filter(m, n, k, Probes::Independent).lower_bound_l();
        let value = lower.expect("short").value;
        let error = covered(m, &[(n * k, 1)], k).relative_error(value);
        assert!(error < 1e-13, "L({m},{n},{k}): {error:e}");
    }
    let smallest = rate(1024, 5, 142, Probes::Distinct);
    assert!((1e-44..1e-42).contains(&smallest), "{smallest:e}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(150))]

    #[test]
    fn rates_of_any_small_filter_equal_rational_arithmetic(m in 1u64..200, n in 1u64..12, k in 1u64..25) {
        let k = k.min(m);
        let standard = standard_rate(m, n, k).relative_error(rate(m, n, k, Probes::Independent));
        proptest::prop_assert!(standard < 1e-13, "f_S({m},{n},{k}): {standard:e}");
        let classic = classic_rate(m, n, k).relative_error(rate(m, n, k, Probes::Distinct));
        proptest::prop_assert!(classic < 1e-13, "f_C({m},{n},{k}): {classic:e}");
    }
}

#[test]
fn recursion_55_gives_the_rate_only_with_the_corrected_exponent() {
    // psi(h, m) = psi(h-1, m) - (1-1/m)^(kn + h + shift) psi(h-1, m-1)
    fn psi(h: i32, m: f64, balls: i32, shift: i32) -> f64 {
        if h == 0 {
            return 1.0;
        }
        let factor = (1.0 - 1.0 / m).powi(balls + h + shift);
        psi(h - 1, m, balls, shift) - factor * psi(h - 1, m - 1.0, balls, shift)
    }
    let exact = rate(64, 4, 10, Probes::Independent);
    assert!((psi(10, 64.0, 40, -1) / exact - 1.0).abs() < 1e-9);
    assert!((psi(10, 64.0, 40, 1) / 8.673e-4 - 1.0).abs() < 1e-4);
}

#[test]
fn rates_below_the_range_of_doubles_come_as_logarithms() {
    let tiny = filter(1024, 1, 512, Probes::Distinct);
    let error = tiny.rate().expect_err("2^-1018.7 is 1e-306");
    assert!(error.to_string().contains("logarithm"), "{error}");
    let log2 = tiny.log2_rate().expect("short").value;
    let exact = -greatest_classic_efficiency(1024).expect("even").value * 1024.0;
    assert!((log2 / exact - 1.0).abs() < 1e-13, "{log2} {exact}");
}

#[test]
fn rates_and_optima_match_the_check_values() {
    let agrees = |value: f64, expected: f64| {
        assert!(
            (value / expected - 1.0).abs() < 0.51e-7,
            "{value:e} {expected:e}"
        );
    };
    agrees(rate(64, 4, 10, Probes::Independent), 6.1540933e-4);
    agrees(rate(64, 4, 9, Probes::Distinct), 4.5501212e-4);
    for (m, n, standard, classic) in [(64, 4, 10, 9), (1024, 5, 133, 124), (1000, 20, 34, 33)] {
        let found = optimal_hashes(m, n, Probes::Independent).expect("legal");
        assert_eq!(found.hashes, standard, "k_S*({m},{n})");
        let found = optimal_hashes(m, n, Probes::Distinct).expect("legal");
        assert_eq!(found.hashes, classic, "k_C*({m},{n})");
    }
    let peak = greatest_standard_efficiency(100).expect("legal");
    assert_eq!(peak.items, 69);
    agrees(peak.efficiency.value, 0.6896756);
    let bound = greatest_standard_efficiency_bound(100)
        .expect("legal")
        .value;
    assert!(peak.efficiency.value < bound && bound < std::f64::consts::LN_2);
    let peak = peak_efficiency(100, 50, Probes::Distinct).expect("legal");
    assert_eq!(peak.items, 1);
    agrees(peak.efficiency.value, 0.9634872);
    agrees(
        greatest_classic_efficiency(100).expect("even").value,
        0.9634872,
    );
}

#[test]
fn optima_and_peaks_are_those_of_trying_everything() {
    for probes in [Probes::Independent, Probes::Distinct] {
        for (m, n) in [(2, 1), (7, 9), (16, 1), (40, 3), (64, 50), (90, 2)] {
            let log2 = |k: u64| filter(m, n, k, probes).log2_rate().expect("short").value;
            let best = (1..=m)
                .min_by(|a, b| log2(*a).total_cmp(&log2(*b)))
                .expect("not empty");
            let found = optimal_hashes(m, n, probes).expect("legal");
            assert_eq!(found.hashes, best, "{m} {n} {probes:?}");
            assert_eq!(found.log2_rate.value, log2(best));
        }
        for (m, k) in [(20, 1), (20, 7), (64, 3), (100, 2), (100, 19)] {
            let efficiency = |n: u64| filter(m, n, k, probes).efficiency().expect("short").value;
            let best = (1..=20 * m / k)
                .rev()
                .max_by(|a, b| efficiency(*a).total_cmp(&efficiency(*b)))
                .expect("not empty");
            let found = peak_efficiency(m, k, probes).expect("legal");
            assert_eq!(found.items, best, "{m} {k} {probes:?}");
        }
    }
}

#[test]
fn capacities_are_the_last_that_meet_the_rate() {
    for probes in [Probes::Independent, Probes::Distinct] {
        let best = |m: u64, n: u64| {
            let log2 = optimal_hashes(m, n, probes).expect("legal").log2_rate;
            log2.value.exp2()
        };
        for (m, rate) in [(1000, 0.01), (256, 1e-5), (64, 0.3)] {
            let found = most_items(m, rate, probes).expect("one fits");
            assert!(best(m, found.exact) <= rate && best(m, found.exact + 1) > rate);
            let distance = (found.estimate.value - found.exact as f64).abs();
            assert!(
                distance <= found.estimate.accuracy.relative_error * found.estimate.value * 1.001
            );
        }
        for (n, rate) in [(100, 0.01), (3, 1e-6), (20, 0.5)] {
            let found = fewest_bits(n, rate, probes).expect("legal");
            assert!(best(found.exact, n) <= rate, "{n} {rate}");
            assert!(
                found.exact == 1 || best(found.exact - 1, n) > rate,
                "{n} {rate}"
            );
        }
    }
    let error = most_items(8, 1e-9, Probes::Distinct).expect_err("8 bits hold none at 1e-9");
    assert!(error.to_string().contains("2^-6.13"), "{error}");
}

#[test]
fn conjecture_24_holds_rounded_but_for_two_filters_in_the_tested_range() {
    let ln2 = std::f64::consts::LN_2;
    let mut crossed = Vec::new();
    for m in 2u64..=128 {
        for n in 1..=m {
            let best = |probes| optimal_hashes(m, n, probes).expect("legal").hashes;
            let (standard, classic) = (best(Probes::Independent), best(Probes::Distinct));
            let share = m as f64 / n as f64;
            if share * ln2 < 1.0 {
                assert_eq!((classic, standard), (1, 1), "m={m} n={n}");
                continue;
            }
            let within = (m / (2 * n)..=(share * ln2).ceil() as u64).contains(&classic)
                && standard >= m / (2 * n)
                && standard <= (share * ln2).ceil() as u64;
            assert!(within, "m={m} n={n} k_C*={classic} k_S*={standard}");
            if classic > standard {
                crossed.push((m, n, classic, standard));
            }
        }
    }
    assert_eq!(crossed, [(26, 12, 2, 1), (105, 50, 2, 1)]);
    for (m, n, ..) in crossed {
        let less = |a: &Fraction, b: &Fraction| a.minus(b).numerator.is_negative();
        assert!(
            less(&standard_rate(m, n, 1), &standard_rate(m, n, 2)),
            "m={m} n={n}"
        );
        assert!(
            less(&classic_rate(m, n, 2), &classic_rate(m, n, 1)),
            "m={m} n={n}"
        );
    }
}

#[test]
fn conjecture_28_holds_for_the_greatest_efficiency_but_not_for_every_step() {
    let mut fallen = Vec::new();
    for m in (4..=64).step_by(2) {
        let peaks: Vec<f64> = (1..=m / 2)
            .map(|k| {
                let peak = peak_efficiency(m, k, Probes::Distinct).expect("legal");
                peak.efficiency.value
            })
            .collect();
        let greatest = greatest_classic_efficiency(m).expect("even").value;
        let (last, others) = peaks.split_last().expect("not empty");
        assert!((last / greatest - 1.0).abs() < 1e-13, "m={m}");
        assert!(others.iter().all(|peak| peak < last), "m={m}");
        if peaks.windows(2).any(|pair| pair[0] >= pair[1]) {
            fallen.push(m);
        }
    }
    assert_eq!(fallen, [12, 32, 38, 50, 52, 56, 58, 60, 62, 64]);
    // at m = 12, 8 items of one hash use more than 4 of two: f_C(12,8,1)^2 < f_C(12,4,2)
    let difference = classic_rate(12, 8, 1).pow(2).minus(&classic_rate(12, 4, 2));
    assert!(difference.numerator.is_negative());
}

#[test]
fn classic_estimates_keep_their_stated_errors() {
    for m in [100, 128, 256, 700] {
        for k in 1..=25 {
            let estimate = classic_peak_items_estimate(m, k).expect("legal");
            let exact = peak_efficiency(m, k, Probes::Distinct)
                .expect("legal")
                .items as f64;
            let error = (exact / estimate.value - 1.0).abs();
            assert!(
                error <= estimate.accuracy.relative_error + 1e-12,
                "(76) m={m} k={k}: {error} {exact} {}",
                estimate.value
            );
        }
        for n in [1, 2, 4, 8, 16, 32, 64] {
            let estimate = classic_hashes_estimate(m, n).expect("legal");
            let exact = optimal_hashes(m, n, Probes::Distinct)
                .expect("legal")
                .hashes as f64;
            let error = (exact / estimate.value - 1.0).abs();
            assert!(
                error <= estimate.accuracy.relative_error + 1e-12,
                "(77) m={m} n={n}: {error} {exact} {}",
                estimate.value
            );
        }
    }
}

#[test]
fn valleys_lie_where_both_numbers_of_hashes_are_equal() {
    for k in [1u64, 2, 3, 10, 63] {
        let found = valley(100_000, k, Probes::Independent).expect("legal");
        let x = found.items_per_bit.value;
        let rate = |k: f64| (k * (-(-k * x).exp_m1()).ln()).exp();
        let (one, next) = (rate(k as f64), rate(k as f64 + 1.0));
        assert!((one / next - 1.0).abs() < 1e-12, "{k}: {one} {next}");
        assert!((found.efficiency.value + x * one.log2()).abs() < 0.02);
        assert!(
            found.items_per_bit.accuracy.relative_error < 0.05,
            "{found:?}"
        );
        let log2 = |n, k| {
            let filter = filter(100_000, n, k, Probes::Independent);
            filter.log2_rate().expect("short").value
        };
        let n = found.items;
        assert!(
            log2(n, k) <= log2(n, k + 1) && log2(n - 1, k) > log2(n - 1, k + 1),
            "{k}"
        );
    }
    // no number of items uses the bits of k hashes better than the best
    for (bits, items) in [(8, 1), (16, 3), (24, 5), (30, 7), (64, 9)] {
        for probes in [Probes::Independent, Probes::Distinct] {
            let k = optimal_hashes(bits, items, probes).expect("short").hashes;
            let best = peak_efficiency(bits, k, probes).expect("short").efficiency;
            let Ok(worst) = valley(bits, k, probes) else {
                continue;
            };
            assert!(
                worst.efficiency.value <= best.value,
                "{bits} {k} {probes:?}"
            );
            let there = filter(bits, worst.items, k, probes);
            let efficiency = there.efficiency().expect("short").value;
            assert_eq!(worst.efficiency.value, efficiency);
        }
    }
    // by inclusion and exclusion over the bits that 3 items of 3 bits each leave clear, of 16
    let clear = [560.0, 455.0, 364.0, 286.0].map(|ways: f64| (ways / 560.0).powi(3));
    let rate = clear[0] - 3.0 * clear[1] + 3.0 * clear[2] - clear[3];
    let small = valley(16, 3, Probes::Distinct).expect("legal");
    assert_eq!(small.items, 3);
    assert!((small.efficiency.value + 3.0 / 16.0 * rate.log2()).abs() < 1e-12);
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let found = valley(100, 1, Probes::Distinct).expect("legal");
    assert!((found.items_per_bit.value - golden.ln()).abs() < 1e-15);
}

#[test]
fn estimates_of_items_return_the_items_behind_an_expected_count() {
    for (probes, m, n, k) in [
        (Probes::Distinct, 10_000, 700, 8),
        (Probes::Independent, 10_000, 700, 8),
    ] {
        let set = filter(m, n, k, probes).set_bits().mean().value;
        let estimate = items_from_set(m, set.round() as u64, k, probes).expect("legal");
        let error = estimate.value / n as f64 - 1.0;
        assert!(error.abs() < 1e-3, "{probes:?} {error}");
        let stated = estimate.accuracy.relative_error;
        assert!((0.003..0.02).contains(&stated), "{stated}");
    }
    assert!(items_from_set(100, 100, 3, Probes::Distinct).is_err());
}

#[test]
fn estimate_of_bits_equals_its_rational_formula() {
    use num_bigint::BigInt;
    // OCC (47): b (1 + Delta^(b-1)/Delta^b) of C(x,k)^n at 0
    let forward = |n: u64, k: u64, order: u64| {
        crate::rational::backward_differences(order, order, |x| {
            crate::rational::binomial(x, k).pow(n as u32)
        })[order as usize]
            .clone()
    };
    for (n, k, set) in [
        (5, 1, 4),
        (5, 1, 5),
        (12, 3, 20),
        (30, 2, 25),
        (6, 4, 4),
        (40, 5, 60),
    ] {
        let (below, here) = (forward(n, k, set - 1), forward(n, k, set));
        let exact = Fraction::new((&here + below) * BigInt::from(set), here);
        let estimate = bits_from_set(n, k, set).expect("legal").value;
        let error = exact.relative_error(estimate);
        assert!(
            error < 1e-12,
            "{n} {k} {set}: {estimate} {} {error:e}",
            exact.value()
        );
    }
    assert!(bits_from_set(5, 2, 11).is_err());
}

#[test]
fn a_large_filter_has_rates_in_order() {
    let standard = rate(1 << 20, 100_000, 10, Probes::Independent);
    let classic = rate(1 << 20, 100_000, 10, Probes::Distinct);
    assert!(classic < standard && (standard / classic - 1.0).abs() < 1e-3);
}

#[test]
fn arguments_outside_the_domain_are_named() {
    let message = |result: Result<StaticFilter, bloomline_theory::TheoryError>| {
        result.expect_err("outside the domain").to_string()
    };
    let text = message(StaticFilter::new(64, 4, 65, Probes::Distinct));
    assert!(
        text.contains("hashes = 65") && text.contains("nearest: 64"),
        "{text}"
    );
    let text = message(StaticFilter::new(0, 4, 1, Probes::Distinct));
    assert!(
        text.contains("bits = 0") && text.contains("nearest: 1"),
        "{text}"
    );
    let error = filter(64, 4, 32, Probes::Distinct)
        .upper_bound_u()
        .expect_err("above (m-1)/2");
    assert!(error.to_string().contains("nearest: 31"), "{error}");
    let error = filter(1 << 30, 1 << 20, 700, Probes::Distinct)
        .rate()
        .expect_err("too long");
    assert!(error.to_string().contains("bounds M and U"), "{error}");
}

#[test]
fn searches_that_take_long_are_refused_at_once() {
    use bloomline_theory::static_filter::optimal_hashes_soon;
    use bloomline_theory::TheoryError;
    let too_large = |found: Result<u64, TheoryError>| {
        assert!(
            matches!(found, Err(TheoryError::TooLarge { .. })),
            "{found:?}"
        );
    };
    for probes in [Probes::Independent, Probes::Distinct] {
        too_large(optimal_hashes_soon(1_000_000, 300, probes).map(|best| best.hashes));
        too_large(fewest_bits(10, 1e-100, probes).map(|found| found.exact));
        let soon = optimal_hashes_soon(1024, 5, probes).expect("soon enough");
        assert_eq!(soon, optimal_hashes(1024, 5, probes).expect("legal"));
    }
}

#[test]
fn compression_needs_no_more_bits_than_are_said() {
    for (bits, items, hashes, probes) in [
        (16, 3, 2, Probes::Independent),
        (24, 1, 6, Probes::Distinct),
        (40, 9, 3, Probes::Distinct),
        (32, 40, 4, Probes::Independent),
    ] {
        let filter = StaticFilter::new(bits, items, hashes, probes).unwrap();
        // all sets of as many bits are alike: the entropy is that of the number, and of the set of its size
        let batches: Vec<(u64, u64)> = match probes {
            Probes::Independent => vec![(items * hashes, 1)],
            Probes::Distinct => vec![(items, hashes)],
        };
        let law = crate::rational::union_pmf(bits, &batches);
        let entropy: f64 = law
            .iter()
            .zip(0_u64..)
            .map(|(share, set)| {
                let p = share.value();
                let sets =
                    num_traits::ToPrimitive::to_f64(&crate::rational::binomial(bits, set)).unwrap();
                if p > 0.0 {
                    -p * (p / sets).log2()
                } else {
                    0.0
                }
            })
            .sum();
        let most = filter.compressed_bits();
        assert!(
            entropy <= most.value + 1e-9,
            "{bits} {items}: {entropy} {most:?}"
        );
        assert!(
            most.value < 1.2 * entropy + 4.0,
            "{bits} {items}: {entropy} {most:?}"
        );
        assert!(most.value <= bits as f64 + 1e-9);
        let better = filter.compressed_efficiency().unwrap().value;
        assert!(better >= filter.efficiency().unwrap().value - 1e-12);
    }
}
