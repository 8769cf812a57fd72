//! Occupancy distributions and moments against the published sums in rational arithmetic.

use crate::rational::{covered, intersection_pmf, moments, union_pmf};
use bloomline_theory::occupancy::{Batches, Intersection, Union};

/// Urns and (count, size) of the batches.
fn cases() -> Vec<(u64, Vec<(u64, u64)>)> {
    vec![
        (1, vec![(3, 1)]),
        (5, vec![(2, 3)]),
        (6, vec![(1, 6), (2, 2)]),
        (12, vec![(30, 1)]),
        (30, vec![(3, 20)]),
        (40, vec![(4, 5), (3, 7), (10, 1)]),
        (64, vec![(1, 1)]),
        (90, vec![(9, 10)]),
    ]
}

fn union(urns: u64, batches: &[(u64, u64)]) -> Union {
    let batches: Vec<Batches> = batches
        .iter()
        .map(|(count, size)| Batches {
            count: *count,
            size: *size,
        })
        .collect();
    Union::new(urns, &batches).expect("legal")
}

#[test]
fn unions_equal_rational_arithmetic() {
    for (m, batches) in cases() {
        let law = union(m, &batches);
        let exact = union_pmf(m, &batches);
        let found = law.pmf().expect("short");
        for (i, probability) in exact.iter().enumerate() {
            let error = probability.relative_error(found.probabilities[i]);
            assert!(error < 1e-14, "{m} {batches:?} {i}: {error:e}");
        }
        let (mean, variance) = moments(&exact);
        assert!(
            mean.relative_error(law.mean().value) < 1e-14,
            "{m} {batches:?}"
        );
        let error = variance.relative_error(law.variance().value);
        assert!(
            error < 1e-13,
            "{m} {batches:?}: {error:e} {}",
            variance.value()
        );
        assert!((found.variance() - variance.value()).abs() < 1e-11 * (1.0 + m as f64));
        for r in 0..=m {
            let value = law.all_occupied(r).expect("short").value;
            let error = covered(m, &batches, r).relative_error(value);
            assert!(error < 1e-14, "{m} {batches:?} {r}: {error:e}");
        }
        let total: f64 = found.probabilities.iter().sum();
        assert!((total - 1.0).abs() < 1e-14, "{m} {batches:?}: {total}");
    }
}

#[test]
fn intersections_equal_rational_arithmetic() {
    for (m, unions) in [
        (6, vec![vec![(1, 4)], vec![(1, 3)]]),
        (10, vec![vec![(3, 2)], vec![(5, 1)], vec![(1, 8)]]),
        (24, vec![vec![(20, 1)], vec![(4, 6), (2, 3)]]),
        (30, vec![vec![(5, 4)], vec![(7, 4)]]),
    ] {
        let parts: Vec<Union> = unions.iter().map(|batches| union(m, batches)).collect();
        let law = Intersection::new(&parts).expect("same urns");
        let exact = intersection_pmf(m, &unions);
        let found = law.pmf().expect("short");
        for (i, probability) in exact.iter().enumerate() {
            let error = probability.relative_error(found.probabilities[i]);
            assert!(error < 1e-14, "{m} {unions:?} {i}: {error:e}");
        }
        let (mean, variance) = moments(&exact);
        assert!(
            mean.relative_error(law.mean().value) < 1e-14,
            "{m} {unions:?}"
        );
        let error = variance.relative_error(law.variance().value);
        assert!(error < 1e-13, "{m} {unions:?}: {error:e}");
        let all = law.all_occupied(2).expect("short").value;
        let pairs = found.expectation(|i| (i * i) as f64 - i as f64);
        let m = m as f64;
        assert!((all * m * (m - 1.0) / pairs - 1.0).abs() < 1e-12);
    }
}

#[test]
fn variances_of_large_filters_keep_their_digits() {
    // OCC (45) in the Poisson limit: m (x(1-x) - c x^2), x = e^-c, c = n/m; next order 1/m
    let (m, n) = (1u64 << 30, 1u64 << 29);
    let law = union(m, &[(n, 1)]);
    let (c, x) = (0.5f64, (-0.5f64).exp());
    let limit = m as f64 * (x * (1.0 - x) - c * x * x);
    let error = law.variance().value / limit - 1.0;
    assert!(error.abs() < 1e-8, "{error:e}");
    assert_eq!(union(1000, &[(1, 7)]).variance().value, 0.0);
}

#[test]
fn arguments_outside_the_domain_are_named() {
    let batch = |count, size| Batches { count, size };
    let error = Union::new(10, &[batch(2, 11)]).expect_err("11 distinct of 10");
    assert!(error.to_string().contains("batch size = 11"), "{error}");
    let error = Union::new(1 << 20, &[batch(1 << 20, 4)])
        .and_then(|law| law.pmf())
        .expect_err("too long");
    assert!(
        error.to_string().contains("mean and the variance"),
        "{error}"
    );
    let law = union(10, &[(1, 3)]);
    let error = law.all_occupied(11).expect_err("only 10");
    assert!(error.to_string().contains("given urns = 11"), "{error}");
    let error = Intersection::new(&[law, union(11, &[(1, 3)])]).expect_err("10 and 11 urns");
    assert!(error.to_string().contains("urns = 11"), "{error}");
}
