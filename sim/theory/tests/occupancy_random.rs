//! Uneven urns and random numbers of batches, against enumeration in rational arithmetic.

use crate::rational::{moments, union_pmf, Fraction};
use bloomline_theory::occupancy::{Batches, Count, RandomBatches, UnevenUrns, Union, UrnClass};
use num_bigint::BigInt;

fn fraction(numerator: u64, denominator: u64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// Every way in which balls fall: the weights of those that occupy 0, 1, .. urns, and of those in which one more ball hits.
fn enumerate(weights: &[u64], balls: u32) -> (Vec<u64>, u64) {
    let mut occupying = vec![0; weights.len() + 1];
    let mut hits = 0;
    let ways = (weights.len() as u64).pow(balls);
    for way in 0..ways {
        let (mut rest, mut weight, mut taken) = (way, 1, 0u32);
        for _ in 0..balls {
            let urn = (rest % weights.len() as u64) as usize;
            rest /= weights.len() as u64;
            weight *= weights[urn];
            taken |= 1 << urn;
        }
        occupying[taken.count_ones() as usize] += weight;
        let hit: u64 = (0..weights.len())
            .filter(|urn| taken >> urn & 1 == 1)
            .map(|urn| weights[urn])
            .sum();
        hits += weight * hit;
    }
    (occupying, hits)
}

#[test]
fn uneven_urns_equal_every_way_in_which_balls_fall() {
    let class = |urns, weight| UrnClass { urns, weight };
    for (classes, balls) in [
        (vec![class(3, 1)], 4),
        (vec![class(2, 2), class(3, 1)], 5),
        (vec![class(1, 7), class(2, 3), class(3, 1)], 6),
        (vec![class(1, 1000), class(4, 1)], 5),
        (vec![class(2, 5), class(2, 5), class(1, 4)], 0),
    ] {
        let case = format!("{classes:?}, {balls} balls");
        let weights: Vec<u64> = classes
            .iter()
            .flat_map(|class| std::iter::repeat_n(class.weight, class.urns as usize))
            .collect();
        let total: u64 = weights.iter().sum();
        let (occupying, hits) = enumerate(&weights, balls);
        let all = total.pow(balls);
        let exact: Vec<Fraction> = occupying.iter().map(|ways| fraction(*ways, all)).collect();
        let (mean, variance) = moments(&exact);
        let urns = UnevenUrns::new(&classes, balls.into()).expect("legal");
        let close = |exact: &Fraction, value: f64, allowed: f64| {
            let error = exact.relative_error(value);
            assert!(
                error < allowed,
                "{case}: {value} for {}, {error:e}",
                exact.value()
            );
        };
        close(&mean, urns.mean().value, 1e-13);
        close(&variance, urns.variance().value, 1e-12);
        close(
            &Fraction::new(hits.into(), BigInt::from(all) * total),
            urns.hit().value,
            1e-13,
        );
        let found = urns.pmf().expect("short").probabilities;
        assert_eq!(found.len(), exact.len());
        for (value, exact) in found.iter().zip(&exact) {
            close(exact, *value, 1e-13);
        }
    }
}

#[test]
fn urns_of_one_weight_are_those_of_the_paper() {
    let uneven = UnevenUrns::new(
        &[UrnClass {
            urns: 40,
            weight: 3,
        }],
        60,
    )
    .expect("legal");
    let even = Union::new(40, &[Batches { count: 60, size: 1 }]).expect("legal");
    assert!((uneven.mean().value / even.mean().value - 1.0).abs() < 1e-13);
    assert!((uneven.variance().value / even.variance().value - 1.0).abs() < 1e-12);
    let pairs = uneven.pmf().expect("short").probabilities;
    for (a, b) in pairs.iter().zip(even.pmf().expect("short").probabilities) {
        assert!((a - b).abs() <= 1e-12 * b, "{a} {b}");
    }
}

#[test]
fn random_numbers_of_batches_equal_their_mixture_in_rational_arithmetic() {
    let (urns, size) = (7, 2);
    // binomial of 5 trials with 1/4, and given probabilities
    let binomial: Vec<Fraction> = [243, 405, 270, 90, 15, 1]
        .map(|ways| fraction(ways, 1024))
        .into();
    let given: Vec<Fraction> = [1, 0, 5, 2].map(|eighths| fraction(eighths, 8)).into();
    let cases = [
        (
            Count::Binomial {
                trials: 5,
                probability: 0.25,
            },
            binomial,
        ),
        (Count::Given(vec![0.125, 0.0, 0.625, 0.25]), given),
        (
            Count::Binomial {
                trials: 3,
                probability: 1.0,
            },
            vec![
                fraction(0, 1),
                fraction(0, 1),
                fraction(0, 1),
                fraction(1, 1),
            ],
        ),
    ];
    for (count, numbers) in cases {
        let mut exact: Vec<Fraction> = (0..=urns).map(|_| fraction(0, 1)).collect();
        for (n, probability) in numbers.iter().enumerate() {
            let batches = if n == 0 {
                vec![]
            } else {
                vec![(n as u64, size)]
            };
            for (sum, share) in exact.iter_mut().zip(union_pmf(urns, &batches)) {
                *sum = sum.plus(&share.times(probability));
            }
        }
        let (mean, variance) = moments(&exact);
        let law = RandomBatches::new(urns, size, &count).expect("legal");
        let close = |exact: &Fraction, value: f64| {
            let error = exact.relative_error(value);
            assert!(
                error < 1e-12,
                "{count:?}: {value} for {}, {error:e}",
                exact.value()
            );
        };
        close(&mean, law.mean().value);
        close(&variance, law.variance().value);
        for (exact, value) in exact.iter().zip(law.pmf().expect("short").probabilities) {
            close(exact, value);
        }
    }
}

#[test]
fn a_poisson_number_of_single_balls_leaves_independent_urns() {
    for (urns, mean) in [(12u64, 9.5f64), (12, 0.0), (30, 0.01)] {
        let law = RandomBatches::new(urns, 1, &Count::Poisson { mean }).expect("legal");
        let share = -(-mean / urns as f64).exp_m1();
        let found = law.pmf().expect("short").probabilities;
        let mut ways = 1.0;
        for (i, value) in found.iter().enumerate() {
            if i > 0 {
                ways *= (urns as usize - i + 1) as f64 / i as f64;
            }
            let exact =
                ways * share.powi(i as i32) * (1.0 - share).powi((urns as usize - i) as i32);
            assert!(
                (value - exact).abs() < 1e-12 * exact + 1e-20,
                "{urns} {mean} {i}: {value} {exact}"
            );
        }
    }
    // large means keep their weights: mean and variance of the number itself
    let count = Count::Poisson { mean: 1e8 };
    let law = RandomBatches::new(1 << 40, 1, &count).expect("legal");
    let mean = law.mean_of(|n| n as f64);
    let spread = law.mean_of(|n| (n as f64 - mean).powi(2));
    assert!(
        (mean / 1e8 - 1.0).abs() < 1e-9 && (spread / 1e8 - 1.0).abs() < 1e-8,
        "{mean} {spread}"
    );
}

#[test]
fn what_is_no_law_is_refused_with_the_reason() {
    let class = |urns, weight| UrnClass { urns, weight };
    for classes in [
        vec![],
        vec![class(0, 1)],
        vec![class(1, 0)],
        vec![class(1 << 30, 1 << 30)],
    ] {
        assert!(UnevenUrns::new(&classes, 1).is_err(), "{classes:?}");
    }
    for count in [
        Count::Poisson { mean: f64::NAN },
        Count::Poisson { mean: -1.0 },
        Count::Binomial {
            trials: 2,
            probability: 1.5,
        },
        Count::Given(vec![0.5, 0.4]),
        Count::Given(vec![1.5, -0.5]),
    ] {
        assert!(RandomBatches::new(10, 1, &count).is_err(), "{count:?}");
    }
    let error = UnevenUrns::new(&[class(500, 1)], 1000).and_then(|urns| urns.pmf());
    assert!(error
        .expect_err("long")
        .to_string()
        .contains("use the mean and the variance"));
}
