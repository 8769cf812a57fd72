//! Occupancy of a few urns, by the law of the set of occupied ones.

use super::Drawn;
use bloomline_theory::occupancy::{
    Batches, Count, Intersection, Pmf, RandomBatches, UnevenUrns, Union, UrnClass,
};
use bloomline_theory::Figure;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Probabilities of the sets of occupied urns, a bit an urn.
type Sets = Vec<f64>;

fn none(urns: u32) -> Sets {
    let mut sets = vec![0.0; 1 << urns];
    sets[0] = 1.0;
    sets
}

/// After one more batch of so many balls in different urns.
fn batch(sets: &Sets, urns: u32, size: u64) -> Sets {
    let thrown: Vec<usize> = (0..1usize << urns)
        .filter(|set| u64::from(set.count_ones()) == size)
        .collect();
    let each = 1.0 / thrown.len() as f64;
    let mut after = vec![0.0; sets.len()];
    for (set, share) in sets.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        for more in &thrown {
            after[set | more] += share * each;
        }
    }
    after
}

/// The probabilities of 0, 1, .. occupied urns.
fn counts(sets: &Sets, urns: u32) -> Vec<f64> {
    let mut counts = vec![0.0; urns as usize + 1];
    for (set, share) in sets.iter().enumerate() {
        counts[set.count_ones() as usize] += share;
    }
    counts
}

/// Everything that is stated of the number of occupied urns.
fn compare(
    drawn: &mut Drawn,
    name: &str,
    law: &[f64],
    mean: &Figure,
    variance: &Figure,
    pmf: &Pmf,
) {
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        law.iter().enumerate().map(|(i, p)| p * of(i as f64)).sum()
    };
    let exact = sum(&|i| i);
    drawn.figure(&format!("{name}, mean"), mean, exact);
    let square = sum(&|i| (i - exact).powi(2));
    // one that can hardly vary is good to a share of the squared mean
    if square > 1e-9 {
        drawn.figure(&format!("{name}, variance"), variance, square);
    }
    if pmf.probabilities.len() != law.len() {
        drawn
            .wrong
            .push(format!("{name}: {} numbers", pmf.probabilities.len()));
    }
    for (i, (stated, exact)) in pmf.probabilities.iter().zip(law).enumerate() {
        // what random numbers of batches leave out
        if name == "random" && *exact < 1e-12 {
            continue;
        }
        let figure = Figure::new(*stated, "", pmf.accuracy);
        drawn.figure(&format!("{name}, {i} urns"), &figure, *exact);
    }
}

/// Unions, intersections, random numbers of batches.
pub fn draw(random: &mut ChaCha8Rng) -> Drawn {
    let urns = random.random_range(1..=7u32);
    let kinds = random.random_range(1..=3);
    let mut union = |most: u64| -> Vec<Batches> {
        let batches = (0..kinds).map(|_| Batches {
            count: random.random_range(0..=most),
            size: random.random_range(1..=u64::from(urns.min(4))),
        });
        batches.collect()
    };
    let (one, other) = (union(6), union(6));
    let size = random.random_range(1..=u64::from(urns.min(4)));
    let (count, numbers) = random_count(random);
    let targets = random.random_range(0..=urns);
    let mut drawn = Drawn::new(format!(
        "urns {urns} {one:?} and {other:?} targets {targets}, {count:?} of {size}"
    ));
    let sets = |batches: &[Batches]| {
        let mut sets = none(urns);
        for of in batches {
            for _ in 0..of.count {
                sets = batch(&sets, urns, of.size);
            }
        }
        sets
    };
    let (a, b) = (sets(&one), sets(&other));
    let m = u64::from(urns);
    let unions = (Union::new(m, &one), Union::new(m, &other));
    let (Some(first), Some(second)) = (drawn.always(unions.0), drawn.always(unions.1)) else {
        return drawn;
    };
    let law = counts(&a, urns);
    if let Some(pmf) = drawn.always(first.pmf()) {
        compare(
            &mut drawn,
            "union",
            &law,
            &first.mean(),
            &first.variance(),
            &pmf,
        );
    }
    let given = (1usize << targets) - 1;
    let all_of = |sets: &Sets| -> f64 {
        let holding = sets
            .iter()
            .enumerate()
            .filter(|(set, _)| set & given == given);
        holding.map(|(_, share)| share).sum()
    };
    if let Some(all) = drawn.always(first.all_occupied(targets.into())) {
        drawn.figure("all occupied", &all, all_of(&a));
    }
    let mut both = vec![0.0; a.len()];
    for (x, share) in a.iter().enumerate() {
        for (y, of_other) in b.iter().enumerate() {
            both[x & y] += share * of_other;
        }
    }
    let Some(intersection) = drawn.always(Intersection::new(&[first, second])) else {
        return drawn;
    };
    if let Some(pmf) = drawn.always(intersection.pmf()) {
        let (mean, variance) = (intersection.mean(), intersection.variance());
        let law = counts(&both, urns);
        compare(&mut drawn, "intersection", &law, &mean, &variance, &pmf);
    }
    if let Some(all) = drawn.always(intersection.all_occupied(targets.into())) {
        drawn.figure("all occupied in both", &all, all_of(&both));
    }
    let mut mixed = vec![0.0; a.len()];
    let mut after = none(urns);
    for share in &numbers {
        mixed
            .iter_mut()
            .zip(&after)
            .for_each(|(sum, p)| *sum += share * p);
        after = batch(&after, urns, size);
    }
    if let Some(batches) = drawn.always(RandomBatches::new(m, size, &count)) {
        if let Some(pmf) = drawn.always(batches.pmf()) {
            let law = counts(&mixed, urns);
            compare(
                &mut drawn,
                "random",
                &law,
                &batches.mean(),
                &batches.variance(),
                &pmf,
            );
        }
    }
    drawn
}

/// A law of the number of batches, and its probabilities as far as they count.
fn random_count(random: &mut ChaCha8Rng) -> (Count, Vec<f64>) {
    match random.random_range(0..3) {
        0 => {
            let mean = random.random_range(0.0..6.0);
            let mut term = f64::exp(-mean);
            let terms = (0..60).map(|n| {
                let here = term;
                term *= mean / f64::from(n + 1);
                here
            });
            (Count::Poisson { mean }, terms.collect())
        }
        1 => {
            let trials = random.random_range(0..=12u64);
            let probability = random.random_range(0.0..1.0);
            let mut law = vec![1.0];
            for _ in 0..trials {
                let mut next = vec![0.0; law.len() + 1];
                for (n, p) in law.iter().enumerate() {
                    next[n] += p * (1.0 - probability);
                    next[n + 1] += p * probability;
                }
                law = next;
            }
            (
                Count::Binomial {
                    trials,
                    probability,
                },
                law,
            )
        }
        _ => {
            let weights: Vec<f64> = (0..random.random_range(1..=8))
                .map(|_| random.random_range(0.0..1.0))
                .collect();
            let total: f64 = weights.iter().sum();
            let law: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
            (Count::Given(law.clone()), law)
        }
    }
}

/// Urns that balls do not reach equally often.
pub fn uneven(random: &mut ChaCha8Rng) -> Drawn {
    let classes: Vec<UrnClass> = (0..random.random_range(1..=3))
        .map(|_| UrnClass {
            urns: random.random_range(1..=3),
            weight: random.random_range(1..=9),
        })
        .collect();
    let balls = random.random_range(0..=20u64);
    let mut drawn = Drawn::new(format!("{classes:?} balls {balls}"));
    let weights: Vec<f64> = classes
        .iter()
        .flat_map(|class| vec![class.weight as f64; class.urns as usize])
        .collect();
    let total: f64 = weights.iter().sum();
    let urns = weights.len() as u32;
    let mut sets = none(urns);
    for _ in 0..balls {
        let mut after = vec![0.0; sets.len()];
        for (set, share) in sets.iter().enumerate() {
            for (urn, weight) in weights.iter().enumerate() {
                after[set | 1 << urn] += share * weight / total;
            }
        }
        sets = after;
    }
    let Some(filled) = drawn.always(UnevenUrns::new(&classes, balls)) else {
        return drawn;
    };
    if let Some(pmf) = drawn.always(filled.pmf()) {
        let law = counts(&sets, urns);
        compare(
            &mut drawn,
            "uneven",
            &law,
            &filled.mean(),
            &filled.variance(),
            &pmf,
        );
    }
    let hit: f64 = sets
        .iter()
        .enumerate()
        .map(|(set, share)| {
            let occupied = (0..weights.len()).filter(|urn| set >> urn & 1 == 1);
            share * occupied.map(|urn| weights[urn]).sum::<f64>() / total
        })
        .sum();
    drawn.figure("hit", &filled.hit(), hit);
    drawn
}
