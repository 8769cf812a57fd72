//! Counting filters against rational arithmetic, the paper's table and the exact law of small filters.

use crate::rational::binomial_tail;
use bloomline_theory::cells::{Draw, PartitionedCounting, Partitions, SharedArray};
use bloomline_theory::counting::{
    linear_load, optimal_hashes, optimal_load, slope_at, turning_loads, CountingFilter,
};
use bloomline_theory::sizing::Hashing;
use bloomline_theory::static_filter::{Probes, StaticFilter};
use bloomline_theory::AccuracyKind;

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

#[test]
fn rates_below_the_range_of_doubles_come_with_their_logarithm() {
    use statrs::function::gamma::ln_gamma;
    let law = |hashing, threshold| {
        let parts = Partitions::new(1 << 17, 4, hashing).expect("legal");
        let law = PartitionedCounting::new(parts, 400_000, threshold).expect("legal");
        law.reported(0).expect("a law")
    };
    let independent = law(Hashing::Independent, 200);
    let ln = independent.ln.expect("below the range of doubles");
    // the binomial tail by its terms in logarithms
    let (n, p) = (400_000f64, 1.0 / f64::from(1 << 17));
    let term = |l: f64| {
        ln_gamma(n + 1.0) - ln_gamma(l + 1.0) - ln_gamma(n - l + 1.0)
            + l * p.ln()
            + (n - l) * (-p).ln_1p()
    };
    let first = term(200.0);
    let rest: f64 = (200..300).map(|l| (term(f64::from(l)) - first).exp()).sum();
    assert!((ln - 4.0 * (first + rest.ln())).abs() < 1e-5, "{ln}");
    let log10 = ln / std::f64::consts::LN_10;
    assert_eq!(
        format!(
            "{:.0}e{:.0}",
            10f64.powf(log10 - log10.floor()),
            log10.floor()
        ),
        "5e-1118"
    );
    assert_eq!(independent.value, 0.0);
    // two hash functions: more, and the logarithms go on where the numbers end
    let logarithm = |threshold| {
        let rate = law(Hashing::Double, threshold);
        rate.ln.unwrap_or(rate.value.ln())
    };
    assert!(logarithm(200) > ln);
    let slopes: Vec<f64> = (40..140)
        .map(|theta| logarithm(theta + 1) - logarithm(theta))
        .collect();
    for slopes in slopes.windows(2) {
        let bend = slopes[1] - slopes[0];
        assert!((-0.2..0.2).contains(&bend), "{slopes:?}");
    }
}

#[test]
fn counters_of_one_array_are_exact_where_the_law_is_short() {
    // every draw of the key and of the others, one by one
    for (m, k, n, theta, count) in [
        (4u64, 2u32, 3u32, 2u64, 0u64),
        (4, 2, 3, 2, 1),
        (5, 3, 2, 2, 0),
        (3, 2, 4, 3, 2),
        (6, 2, 3, 1, 0),
    ] {
        let draws = k + k * n;
        let (mut reported, all) = (0u64, m.pow(draws));
        for draw in 0..all {
            let at = |i: u32| (draw / m.pow(i) % m) as usize;
            let mut counters = vec![0u64; m as usize];
            (k..draws).for_each(|i| counters[at(i)] += 1);
            (0..k).for_each(|i| counters[at(i)] += count);
            reported += u64::from((0..k).all(|i| counters[at(i)] >= theta));
        }
        let exact = reported as f64 / all as f64;
        let array = SharedArray::new(m, k, Draw::Independent).expect("legal");
        let law = array.reported(n.into(), theta, count).expect("a law");
        assert_eq!(law.accuracy.kind, AccuracyKind::Exact);
        assert!(
            (law.value / exact - 1.0).abs() < 1e-10,
            "{m} {k} {n} {theta} {count}: {} {exact}",
            law.value
        );
    }
}

#[test]
fn where_the_counters_reached_vary_too_much_the_model_is_a_bound() {
    let few = filter(1 << 19, 400_000, 4, 200);
    assert_eq!(few.rate().accuracy.kind, AccuracyKind::LowerBound);
    assert!(few
        .rate()
        .ln
        .is_some_and(|ln| (ln / few.log2_rate().value - std::f64::consts::LN_2).abs() < 1e-9));
}

/// CBF Figures 3 and 4, and their relation: `dg/dkappa = kappa^(theta-1) e^-kappa / Gamma(theta) (y_1 - y_2)` (7).
#[test]
fn the_curves_of_figures_3_and_4_are_those_of_the_paper() {
    let [first, second] = turning_loads(5).expect("legal");
    assert!(
        (first - 1.2262).abs() < 5e-5 && (second - 5.5756).abs() < 5e-5,
        "{first} {second}"
    );
    for theta in [1u64, 2, 5, 30] {
        let best = optimal_load(theta).expect("legal").value;
        let at = |load: f64| slope_at(theta, load).expect("legal");
        assert!(at(best).g.abs() < 1e-10, "{theta}: {:?}", at(best));
        let factorial: f64 = (1..theta).map(|i| i as f64).product();
        for load in [0.3, 1.0, best, 7.5] {
            let step = 1e-5 * load;
            let slope = (at(load + step).g - at(load - step).g) / (2.0 * step);
            let here = at(load);
            let exact =
                load.powi(theta as i32 - 1) * (-load).exp() / factorial * (here.y1 - here.y2);
            assert!(
                (slope - exact).abs() < 1e-7 * (1.0 + exact.abs()),
                "{theta} {load}: {slope} {exact}"
            );
        }
    }
    // g is least and greatest at the turning loads
    let g = |load: f64| slope_at(5, load).expect("legal").g;
    assert!(g(first) < g(0.95 * first).min(g(1.05 * first)));
    assert!(g(second) > g(0.95 * second).max(g(1.05 * second)));
    assert!(slope_at(5, 0.0).is_err() && slope_at(0, 1.0).is_err() && turning_loads(0).is_err());
}
