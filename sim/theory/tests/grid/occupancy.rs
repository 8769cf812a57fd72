//! Occupancy of a few urns, by the law of the set of occupied ones.

use super::Drawn;
use bloomline_theory::occupancy::{
    cardinality, Batches, Count, Intersection, Pmf, RandomBatches, Throw, UnevenUrns, Union,
    UrnClass,
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

/// The law of the number of occupied urns after 0, 1, .. items.
fn after_items(urns: u64, throw: Throw, most: usize) -> Vec<Vec<f64>> {
    let m = urns as usize;
    let mut laws = vec![vec![0.0; m + 1]; most + 1];
    laws[0][0] = 1.0;
    let (balls, distinct) = match throw {
        Throw::OneEach => (1, false),
        Throw::Independent(balls) => (balls, false),
        Throw::Distinct(balls) => (balls, true),
    };
    for n in 0..most {
        // by the occupied urns and those of the item's own balls that were new
        let mut law: Vec<Vec<f64>> = laws[n].iter().map(|mass| vec![*mass]).collect();
        for ball in 0..balls as usize {
            let mut after = vec![vec![0.0; ball + 2]; m + 1];
            for (b, by_new) in law.iter().enumerate() {
                for (new, mass) in by_new.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
                    let thrown = if distinct { ball } else { 0 };
                    // of the occupied urns, those that hold a ball of this item are out
                    let occupied = (b - thrown.min(b)) as f64 / (m - thrown) as f64;
                    after[b][new] += mass * occupied;
                    if b < m {
                        after[b + 1][new + 1] += mass * (m - b) as f64 / (m - thrown) as f64;
                    }
                }
            }
            law = after;
        }
        laws[n + 1] = law.iter().map(|by_new| by_new.iter().sum()).collect();
    }
    laws
}

/// How many items there were: the most likely number and its interval, and how often that holds the truth.
pub fn estimated(random: &mut ChaCha8Rng) -> Drawn {
    let urns = random.random_range(2..=40u64);
    let balls = random.random_range(1..=urns.min(4)) as u32;
    let (throw, groups) = match random.random_range(0..3) {
        0 => (Throw::OneEach, random.random_range(1..=4usize)),
        1 => (Throw::Independent(balls), 1),
        _ => (Throw::Distinct(balls), 1),
    };
    let confidence = [0.5, 0.9, 0.95, 0.99, 0.999][random.random_range(0..5)];
    let most = 30 * urns as usize;
    let laws = after_items(urns, throw, most);
    let a_item = if throw == Throw::OneEach {
        1
    } else {
        u64::from(balls)
    };
    let load = random.random_range(0.05..2.5) * urns as f64 / a_item as f64;
    let items = (load.ceil() as usize).min(most);
    // what so many items leave, one urn count a group
    let occupied: Vec<u64> = (0..groups)
        .map(|_| {
            let mut left = random.random_range(0.0..1.0);
            let law = laws[items].iter();
            let at = law.take_while(|mass| {
                left -= **mass;
                left > 0.0
            });
            (at.count() as u64).min(urns)
        })
        .collect();
    let mut drawn = Drawn::new(format!(
        "{throw:?} urns {urns} occupied {occupied:?} confidence {confidence}"
    ));
    let Some(found) = drawn.always(cardinality(urns, &occupied, throw, confidence)) else {
        return drawn;
    };
    drawn.exact += 1;
    let z = quantile(0.5 + 0.5 * confidence);
    let full = occupied.iter().all(|occupied| *occupied == urns);
    let expected = match throw {
        Throw::Distinct(2..) => by_moments(&laws, occupied[0], z, full),
        _ => by_likelihood(&laws, &occupied, z, full),
    };
    // beyond what is followed nothing is known
    let beyond = |n: Option<u64>| n.is_none_or(|n| n + 1 >= most as u64);
    let stated = (found.items, found.low, found.high);
    let same_high = found.high == expected.high || beyond(found.high) && beyond(expected.high);
    let same_items = found.items == expected.items
        || found
            .items
            .is_some_and(|items| expected.ties.contains(&items));
    if !same_items || found.low != expected.low || !same_high {
        drawn.wrong.push(format!("{stated:?} for {expected:?}"));
    }
    if groups == 1 && urns >= 20 && confidence >= 0.9 {
        let truth = items as u64;
        let mut missed = 0.0;
        for (b, mass) in (0..).zip(&laws[items]).filter(|(_, mass)| **mass > 0.0) {
            if let Some(found) = drawn.always(cardinality(urns, &[b], throw, confidence)) {
                let holds = found.low <= truth && found.high.is_none_or(|high| truth <= high);
                missed += if holds { 0.0 } else { *mass };
            }
        }
        drawn.others += 1;
        if missed > 4.0 * (1.0 - confidence) + 0.04 {
            drawn.wrong.push(format!("{items} items: {missed} missed"));
        }
    }
    drawn
}

/// What an estimate should be.
#[derive(Debug)]
struct Expected {
    items: Option<u64>,
    low: u64,
    high: Option<u64>,
    /// Numbers that are as likely but for rounding.
    ties: Vec<u64>,
}

fn by_likelihood(laws: &[Vec<f64>], occupied: &[u64], z: f64, full: bool) -> Expected {
    let likelihood: Vec<f64> = laws
        .iter()
        .map(|law| occupied.iter().map(|at| law[*at as usize]).product())
        .collect();
    let greatest = match full {
        true => 1.0,
        false => likelihood.iter().copied().fold(0.0, f64::max),
    };
    let cut = greatest * (-0.5 * z * z).exp();
    let inside = |n: &usize| likelihood[*n] >= cut;
    let numbers = || 0..laws.len();
    let ties = numbers().filter(|n| likelihood[*n] >= greatest * (1.0 - 1e-9));
    let ties: Vec<u64> = ties.map(|n| n as u64).collect();
    let high = numbers().rev().find(inside).map(|n| n as u64);
    Expected {
        items: (!full).then(|| ties[0]),
        low: numbers().find(inside).unwrap_or(laws.len()) as u64,
        high: high.filter(|_| !full),
        ties: if full { Vec::new() } else { ties },
    }
}

fn by_moments(laws: &[Vec<f64>], occupied: u64, z: f64, full: bool) -> Expected {
    let moments: Vec<(f64, f64)> = laws
        .iter()
        .map(|law| {
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                let terms = law.iter().enumerate();
                terms.map(|(b, mass)| mass * of(b as f64)).sum()
            };
            let mean = sum(&|b| b);
            (mean, sum(&|b| (b - mean).powi(2)).sqrt())
        })
        .collect();
    let seen = occupied as f64;
    // numbers of items that can occupy as many
    let numbers = || (0..laws.len()).filter(|n| laws[*n][occupied as usize] > 0.0);
    let off = |n: usize| (moments[n].0 - seen).abs();
    let nearest = numbers().map(off).fold(f64::INFINITY, f64::min);
    let ties: Vec<u64> = numbers()
        .filter(|n| off(*n) <= nearest + 1e-9)
        .map(|n| n as u64)
        .collect();
    let inside = |n: &usize| off(*n) <= z * moments[*n].1 + 1e-9;
    let best = ties[0] as usize;
    let low = numbers().find(inside).unwrap_or(best).min(best);
    let high = numbers().rfind(inside).unwrap_or(best).max(best);
    Expected {
        items: (!full).then_some(ties[0]),
        low: match occupied {
            0 => 0,
            _ if full => numbers().find(inside).unwrap_or(laws.len()) as u64,
            _ => low as u64,
        },
        high: match occupied {
            0 => Some(0),
            _ => Some(high as u64).filter(|_| !full),
        },
        ties: if full { Vec::new() } else { ties },
    }
}

/// Of the normal distribution, by halving an interval of the integral of its density.
fn quantile(probability: f64) -> f64 {
    let below = |z: f64| {
        const STEPS: u32 = 2000;
        let step = z / f64::from(STEPS);
        let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
        let inner = (1..STEPS).map(|i| {
            let weight = if i % 2 == 1 { 4.0 } else { 2.0 };
            weight * density(f64::from(i) * step)
        });
        0.5 + (density(0.0) + inner.sum::<f64>() + density(z)) * step / 3.0
    };
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match below(middle) < probability {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}
