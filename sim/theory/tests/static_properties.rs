//! Inequalities that hold for every static and counting filter.

use bloomline_theory::counting::CountingFilter;
use bloomline_theory::occupancy::{Batches, Intersection, Union};
use bloomline_theory::static_filter::{optimal_hashes, Probes, StaticFilter};
use proptest::prelude::*;

/// Room for the rounding of a bound.
const ROUND: f64 = 1.0 + 1e-12;

fn log2(m: u64, n: u64, k: u64, probes: Probes) -> f64 {
    let filter = StaticFilter::new(m, n, k, probes).expect("legal");
    filter.log2_rate().expect("short").value
}

fn sizes() -> impl Strategy<Value = (u64, u64, u64)> {
    (2u64..3000).prop_flat_map(|m| (Just(m), 1..2 * m, 1..=m.min(60)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn bounds_enclose_the_exact_rates((m, n, k) in sizes()) {
        let standard = StaticFilter::new(m, n, k, Probes::Independent).expect("legal");
        let (e, middle) = (standard.lower_bound_e().value, standard.lower_bound_m().value);
        prop_assert!(e <= middle * ROUND);
        let f_s = log2(m, n, k, Probes::Independent).exp2();
        let f_c = log2(m, n, k, Probes::Distinct).exp2();
        prop_assert!(middle <= f_s * ROUND, "M {middle:e} f_S {f_s:e}");
        let lower = standard.lower_bound_l().expect("short").value;
        prop_assert!(lower <= f_s * ROUND);
        if 2 * k < m {
            let upper = standard.upper_bound_u().expect("in its domain").value;
            prop_assert!(f_c <= upper * ROUND, "f_C {f_c:e} U {upper:e}");
            prop_assert!(lower <= f_c * ROUND, "L {lower:e} f_C {f_c:e}");
        }
        prop_assert!(f_s <= 1.0 && f_c <= 1.0);
    }

    #[test]
    fn rates_grow_with_items_and_fall_with_bits((m, n, k) in sizes()) {
        for probes in [Probes::Independent, Probes::Distinct] {
            let here = log2(m, n, k, probes);
            prop_assert!(log2(m, n + 1, k, probes) >= here - 1e-25);
            prop_assert!(log2(m + 1, n, k, probes) <= here + 1e-25);
        }
    }

    #[test]
    fn best_rates_fall_with_bits_and_grow_with_items(m in 2u64..200, n in 1u64..200) {
        for probes in [Probes::Independent, Probes::Distinct] {
            let best = |m, n| optimal_hashes(m, n, probes).expect("legal").log2_rate.value;
            prop_assert!(best(m + 1, n) <= best(m, n) + 1e-25);
            prop_assert!(best(m, n + 1) >= best(m, n) - 1e-25);
        }
    }

    #[test]
    fn distributions_sum_to_one_and_have_their_moments(
        (m, batches, others) in (1u64..60).prop_flat_map(|m| {
            let batch = move || (0u64..20, 1..=m);
            (Just(m), prop::collection::vec(batch(), 0..4), prop::collection::vec(batch(), 0..3))
        })
    ) {
        let union = |list: &[(u64, u64)]| {
            let list: Vec<Batches> =
                list.iter().map(|(count, size)| Batches { count: *count, size: *size }).collect();
            Union::new(m, &list).expect("legal")
        };
        let (one, other) = (union(&batches), union(&others));
        let both = Intersection::new(&[one.clone(), other]).expect("same urns");
        for (pmf, mean, variance) in [
            (one.pmf().expect("short"), one.mean(), one.variance()),
            (both.pmf().expect("short"), both.mean(), both.variance()),
        ] {
            prop_assert!((pmf.expectation(|_| 1.0) - 1.0).abs() < 1e-13);
            prop_assert!(pmf.probabilities.iter().all(|p| *p >= 0.0));
            prop_assert!((pmf.mean() - mean.value).abs() < 1e-11);
            prop_assert!((pmf.variance() - variance.value).abs() < 1e-9);
        }
    }

    #[test]
    fn counting_rates_fall_with_the_threshold_and_grow_with_insertions(
        m in 2u64..5000, n in 0u64..5000, k in 1u64..12, theta in 1u64..40
    ) {
        let at = |n, theta| {
            CountingFilter::new(m, n, k, theta).expect("legal").log2_rate().value
        };
        prop_assert!(at(n, theta + 1) <= at(n, theta));
        prop_assert!(at(n + 1, theta) >= at(n, theta));
    }
}
