//! Counters of one array that are updated conservatively: the numbers of the plain update, turned into bounds as `plan` turns them, against
//! the law of all counters of a small array, followed insertion by insertion.

use super::bits::{any_scheme, Layout};
use super::keys::{added, Scheme};
use super::{domain, Drawn};
use bloomline_theory::cells::SharedArray;
use bloomline_theory::{Accuracy, AccuracyKind, Figure};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// A counter is followed up to this value.
const MOST: u64 = 15;

/// The positions of every key, all equally probable.
fn keys(scheme: Scheme, range: u64, hashes: u64) -> Vec<Vec<usize>> {
    let numbers = match scheme {
        Scheme::TwoHash(_) => range * range,
        _ => range.pow(hashes as u32),
    };
    let key = |number: u64| -> Vec<usize> {
        let (start, step) = (number % range, number / range);
        let at = |i: u64| match scheme {
            Scheme::TwoHash(extension) => (start + i * step + added(extension, i)) % range,
            _ => number / range.pow(i as u32) % range,
        };
        (0..hashes).map(|i| at(i) as usize).collect()
    };
    let differ = |key: &Vec<usize>| (1..key.len()).all(|i| !key[..i].contains(&key[i]));
    (0..numbers)
        .map(key)
        .filter(|key| scheme != Scheme::Distinct || differ(key))
        .collect()
}

/// Counters, four bits each.
fn counter(state: u64, at: usize) -> u64 {
    state >> (4 * at) & MOST
}

fn least(state: u64, key: &[usize]) -> u64 {
    key.iter().map(|at| counter(state, *at)).min().unwrap_or(0)
}

/// An insertion raises every counter of its key to the least of them and the amount, and none that is higher.
fn insert(state: u64, key: &[usize], amount: u64) -> u64 {
    let level = (least(state, key) + amount).min(MOST);
    key.iter().fold(state, |state, at| {
        let raised = counter(state, *at).max(level);
        state & !(MOST << (4 * at)) | raised << (4 * at)
    })
}

/// The law of all counters after every insertion: of the key itself (`None`), or of another that comes once, with its amount.
fn follow(all: &[Vec<usize>], key: &[usize], insertions: &[Option<u64>]) -> Vec<HashMap<u64, f64>> {
    let each = 1.0 / all.len() as f64;
    let mut laws = vec![HashMap::from([(0, 1.0)])];
    for of in insertions {
        let mut after = HashMap::new();
        for (state, mass) in &laws[laws.len() - 1] {
            match of {
                None => *after.entry(insert(*state, key, 1)).or_insert(0.0) += mass,
                Some(amount) => {
                    for other in all {
                        let to = insert(*state, other, *amount);
                        *after.entry(to).or_insert(0.0) += mass * each;
                    }
                }
            }
        }
        laws.push(after);
    }
    laws
}

/// What `plan` says of the conservative update where a law says this of the plain one.
fn bound(plain: Figure) -> Option<Figure> {
    let value = match plain.accuracy.kind {
        AccuracyKind::Exact | AccuracyKind::Bound => plain.value,
        AccuracyKind::Approximation => plain.value * (1.0 + plain.accuracy.relative_error),
        AccuracyKind::LowerBound => return None,
    };
    Some(Figure::new(value, plain.formula, Accuracy::bound()))
}

/// A small array, of which every state is followed.
struct Specification {
    scheme: Scheme,
    array: SharedArray,
    all: Vec<Vec<usize>>,
    /// One of those that differ by more than a turn of the array, with the share of each.
    own: Vec<Vec<usize>>,
}

fn specification(random: &mut ChaCha8Rng, drawn: &mut Drawn) -> Option<Specification> {
    let (scheme, draw) = loop {
        if let (scheme, Layout::Array(draw)) = any_scheme(random) {
            break (scheme, draw);
        }
    };
    let (hashes, range) = match scheme {
        Scheme::TwoHash(_) => (2, random.random_range(8..=9u64)),
        _ => (random.random_range(2..=3u64), random.random_range(3..=5u64)),
    };
    drawn.what = format!("{scheme:?} k {hashes} range {range} conservative");
    let array = drawn.always(SharedArray::new(range, hashes as u32, draw))?;
    let all = keys(scheme, range, hashes);
    // turned by any number of positions a key is as good as any other
    let own = all.iter().filter(|key| key[0] == 0).cloned().collect();
    Some(Specification {
        scheme,
        array,
        all,
        own,
    })
}

/// Counting filters: a key of some count is reported, a counter reaches a value.
pub fn counting(random: &mut ChaCha8Rng) -> Drawn {
    let mut drawn = Drawn::new(String::new());
    let Some(it) = specification(random, &mut drawn) else {
        return drawn;
    };
    let others = random.random_range(1..=4usize);
    let threshold = random.random_range(1..=4u64);
    let count = random.random_range(0..threshold);
    let mut insertions = vec![Some(1); others];
    (0..count).for_each(|_| {
        let place = random.random_range(0..=insertions.len());
        insertions.insert(place, None);
    });
    drawn.what += &format!(" threshold {threshold} insertions {insertions:?}");
    // the probability that the key is reported, behind each insertion
    let mut reported = vec![0.0; insertions.len() + 1];
    for key in &it.own {
        for (sum, law) in reported.iter_mut().zip(follow(&it.all, key, &insertions)) {
            let states = law
                .iter()
                .filter(|(state, _)| least(**state, key) >= threshold);
            *sum += states.map(|(_, mass)| mass).sum::<f64>() / it.own.len() as f64;
        }
    }
    let exact = reported[insertions.len()];
    let plain = drawn.always(it.array.reported(others as u64, threshold, count));
    if let Some(figure) = plain.and_then(bound) {
        drawn.figure("report", &figure, exact);
    }
    let plain = drawn.always(it.array.counter_reaches(others as u64, threshold));
    if let Some(figure) = plain.and_then(bound) {
        let laws = follow(&it.all, &[], &vec![Some(1); others]);
        let states = laws[others]
            .iter()
            .filter(|(state, _)| counter(**state, 0) >= threshold);
        let reaches = states.map(|(_, mass)| mass).sum();
        drawn.figure("counter", &figure, reaches);
    }
    // of capacities lower bounds: within them the rate that was asked for is kept
    let target = exact * random.random_range(1.01..3.0);
    if target > 0.0 && target < 1.0 && count == 0 {
        if let Ok(most) = it.array.most_insertions(threshold, count, target) {
            let least = most.value * (1.0 - most.accuracy.relative_error);
            drawn.count(&most);
            let within = (least.floor() as usize).min(others);
            if most.accuracy.kind != AccuracyKind::Bound && reported[within] > target {
                drawn.fault("capacity", &most, &reported[within].to_string());
            }
        }
    }
    drawn
}

/// Count-Min sketches: the error of a new key after a few of some amounts.
pub fn sketch(random: &mut ChaCha8Rng) -> Drawn {
    let mut drawn = Drawn::new(String::new());
    let Some(it) = specification(random, &mut drawn) else {
        return drawn;
    };
    let amounts: Vec<Option<u64>> = (0..random.random_range(1..=4))
        .map(|_| Some(random.random_range(1..=3)))
        .collect();
    let total: u64 = amounts.iter().flatten().sum();
    drawn.what += &format!(" amounts {amounts:?}");
    let laws = follow(&it.all, &[], &amounts);
    let law = &laws[amounts.len()];
    let at_least = |error: u64| -> f64 {
        let of = |key: &Vec<usize>| -> f64 {
            let states = law.iter().filter(|(state, _)| least(**state, key) >= error);
            states.map(|(_, mass)| mass).sum()
        };
        it.all.iter().map(of).sum::<f64>() / it.all.len() as f64
    };
    let mean = law
        .iter()
        .map(|(state, mass)| mass * counter(*state, 0) as f64)
        .sum();
    if let Some(figure) = bound(it.array.counter_error(total)) {
        drawn.figure("counter", &figure, mean);
    }
    let error = random.random_range(1..=total);
    let excess = error as f64 / total as f64 * (1.0 - 1e-12);
    let plain = drawn.always(it.array.failure_bound(excess));
    if let Some(figure) = plain.and_then(bound) {
        drawn.figure("failure", &figure, at_least(error));
    }
    let failure = [0.9, 0.5, 0.3, 0.1][random.random_range(0..4)];
    let refused = it.scheme != Scheme::Distinct;
    let answer = it.array.error_bound(failure);
    let of_bound = domain(&[(refused && answer.is_err(), "probes coincide more often")]);
    if let Some(figure) = drawn.answer(of_bound, answer) {
        let error = (figure.value * total as f64 * (1.0 - 1e-12)).ceil() as u64;
        if error <= MOST {
            drawn.exceeded("error but for", &figure, failure, at_least(error));
        }
    }
    drawn
}
