//! Counting filters against rational arithmetic, the paper's table and the exact law of small filters.

use crate::rational::binomial_tail;
use bloomline_theory::counting::{linear_load, optimal_hashes, optimal_load, CountingFilter};
use bloomline_theory::static_filter::{Probes, StaticFilter};

fn filter(m: u64, n: u64, k: u64, theta: u64) -> CountingFilter {
    CountingFilter::new(m, n, k, theta).expect("legal filter")
}

#[test]
fn rates_equal_rational_arithmetic_to_1e_12() {
    for (m, n, k, theta) in [
        (2, 1, 1, 1),
        (2, 3, 2, 6),
        (4, 25, 4, 30),
        (100, 25, 3, 1),
        (100, 400, 3, 5),
        (100, 400, 3, 13),
        (1000, 50, 1, 20),
        (4000, 150, 6, 5),
        (4000, 50, 20, 12),
        (64, 600, 2, 40),
    ] {
        let tail = binomial_tail(n * k, m, theta);
        let law = filter(m, n, k, theta);
        let error = tail.relative_error(law.share_reached().value);
        assert!(error < 1e-15, "{m} {n} {k} {theta}: {error:e}");
        let exact = tail.pow(k as u32);
        if exact.value() > 1e-300 {
            let error = exact.relative_error(law.rate().value);
            assert!(error < 1e-12, "{m} {n} {k} {theta}: {error:e}");
        }
        let log2 = law.log2_rate().value;
        let expected = k as f64 * tail.value().log2();
        assert!(
            (log2 - expected).abs() <= 1e-12 * expected.abs().max(1.0),
            "{log2} {expected}"
        );
    }
    let impossible = filter(10, 2, 3, 7);
    assert_eq!(impossible.rate().value, 0.0);
    assert_eq!(impossible.log2_rate().value, f64::NEG_INFINITY);
    let tiny = filter(1 << 30, 1000, 3, 100);
    assert!(tiny.log2_rate().value < -5000.0 && tiny.rate().value == 0.0);
}

#[test]
fn threshold_one_is_the_standard_filter_as_the_textbook_has_it() {
    for (m, n, k) in [(64, 4, 10), (1000, 20, 34), (4096, 300, 10)] {
        let bloom = StaticFilter::new(m, n, k, Probes::Independent).expect("legal");
        let counting = filter(m, n, k, 1).rate();
        assert!((counting.value / bloom.lower_bound_m().value - 1.0).abs() < 1e-12);
        let excess = bloom.rate().expect("short").value / counting.value - 1.0;
        let stated = counting.accuracy.relative_error;
        assert!(
            (0.7..2.5).contains(&(excess / stated)),
            "{m} {n} {k}: {excess} {stated}"
        );
    }
}

/// The exact law of a small filter: E[(counters at theta or above / m)^k].
fn exact_rate(m: usize, balls: usize, k: i32, theta: usize) -> f64 {
    let row = |left: usize, cells: usize| -> Vec<f64> {
        let p = 1.0 / cells as f64;
        let mut value = if cells == 1 {
            0.0
        } else {
            (1.0 - p).powi(left as i32)
        };
        let mut row = Vec::new();
        for l in 0..=left {
            row.push(if cells == 1 {
                f64::from(u8::from(l == left))
            } else {
                value
            });
            value *= (left - l) as f64 / (l + 1) as f64 * p / (1.0 - p);
        }
        row
    };
    let mut state = vec![vec![0.0; m + 1]; balls + 1];
    state[balls][0] = 1.0;
    for cells in (1..=m).rev() {
        let mut next = vec![vec![0.0; m + 1]; balls + 1];
        for left in 0..=balls {
            for (taken, p) in row(left, cells).into_iter().enumerate() {
                let reached = usize::from(taken >= theta);
                for count in 0..=m - cells {
                    next[left - taken][count + reached] += p * state[left][count];
                }
            }
        }
        state = next;
    }
    let share = |count: usize| (count as f64 / m as f64).powi(k);
    (0..=m).map(|count| state[0][count] * share(count)).sum()
}

#[test]
fn the_stated_model_error_is_that_of_the_exact_law() {
    for (m, n, k, theta) in [
        (40, 20, 2, 2),
        (60, 30, 3, 2),
        (60, 40, 3, 3),
        (50, 60, 2, 4),
    ] {
        let rate = filter(m, n, k, theta).rate();
        let exact = exact_rate(m as usize, (n * k) as usize, k as i32, theta as usize);
        let (error, stated) = (exact / rate.value - 1.0, rate.accuracy.relative_error);
        assert!(
            (0.8..1.25).contains(&(error / stated)),
            "{m} {n} {k} {theta}: {error} {stated}"
        );
    }
}

#[test]
fn optimal_loads_are_those_of_table_1() {
    let table_in_ten_thousandths = [
        6931, 9326, 11635, 13893, 16117, 18317, 20498, 22664, 24818, 26963, 29099, 31228, 33351,
        35469, 37582, 39690, 41795, 43896, 45995, 48090, 50183, 52274, 54362, 56448, 58533, 60616,
        62697, 64776, 66854, 68931,
    ];
    for (theta, expected) in (1u64..).zip(table_in_ten_thousandths) {
        let expected = f64::from(expected) * 1e-4;
        let load = optimal_load(theta).expect("legal").value;
        assert!(
            (load - expected).abs() <= 0.5001e-4,
            "{theta}: {load} {expected}"
        );
    }
    assert!((optimal_load(1).expect("legal").value - std::f64::consts::LN_2).abs() < 1e-12);
    let line = linear_load(30).expect("legal");
    assert!((line.value - 7.0286).abs() < 1e-10);
    assert!((line.accuracy.relative_error * line.value / 6.8931 - 0.0197).abs() < 1e-4);
    for theta in [31, 40, 64, 100] {
        assert!(
            linear_load(theta).expect("legal").accuracy.relative_error < 0.02,
            "{theta}"
        );
    }
}

#[test]
fn the_best_number_of_hashes_is_that_of_trying_all() {
    for (m, n) in [(4000, 1000), (40_000_000, 10_000_000), (100, 90), (1000, 7)] {
        for theta in 1..=6 {
            let best = optimal_hashes(m, n, theta).expect("legal");
            let rate = |k: u64| {
                let law = filter(m, n, k, theta);
                law.poisson_rate().value
            };
            let most = (theta + 1) * m / n + 2;
            let tried = (1..=most.min(150))
                .filter(|k| rate(*k) > 0.0)
                .min_by(|a, b| rate(*a).total_cmp(&rate(*b)))
                .expect("not empty");
            if most <= 150 {
                assert_eq!(best, tried, "{m} {n} {theta}");
            } else {
                assert!(rate(best) <= rate(best + 1) && rate(best) <= rate(best - 1));
            }
        }
    }
}

#[test]
fn poisson_form_stays_within_the_papers_half_percent_at_the_optimum() {
    for theta in 1..=5 {
        let k = optimal_hashes(4000, 1000, theta).expect("legal");
        let law = filter(4000, 1000, k, theta);
        let error = law.poisson_rate().value / law.rate().value - 1.0;
        assert!(error.abs() < 0.0048, "{theta}: {error}");
    }
}

#[test]
fn a_true_count_lowers_the_threshold_and_reaching_it_is_an_error() {
    let law = filter(4000, 1000, 6, 5);
    assert_eq!(law.for_true_count(2), Ok(filter(4000, 1000, 6, 3)));
    let error = law.for_true_count(5).expect_err("a true positive");
    assert!(error.to_string().contains("nearest: 4"), "{error}");
    let error = CountingFilter::new(1, 1, 1, 1).expect_err("one counter");
    assert!(error.to_string().contains("nearest: 2"), "{error}");
    assert!(optimal_load(0).is_err() && optimal_hashes(10, 0, 1).is_err());
}
