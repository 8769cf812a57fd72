//! Rates of given hash functions on given keys, against every subset of small sets and against simulation.

use bloomline_theory::key_set::{KeySet, Recycles};
use bloomline_theory::{Accuracy, AccuracyKind, Figure};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Every subset of `items` keys, every other key: how many are taken for one of the subset, and how many there are.
fn by_enumeration(positions: &[Vec<u32>], items: u32, shared: bool) -> (u64, u64) {
    let cell = |(function, position): (usize, &u32)| (if shared { 0 } else { function }, *position);
    let (mut found, mut all) = (0, 0);
    for subset in (0_u32..1 << positions.len()).filter(|set| set.count_ones() == items) {
        let covered: HashSet<(usize, u32)> = (0..positions.len())
            .filter(|key| subset >> key & 1 == 1)
            .flat_map(|key| positions[key].iter().enumerate().map(cell))
            .collect();
        for key in (0..positions.len()).filter(|key| subset >> key & 1 == 0) {
            all += 1;
            found += u64::from(
                positions[key]
                    .iter()
                    .enumerate()
                    .map(cell)
                    .all(|c| covered.contains(&c)),
            );
        }
    }
    (found, all)
}

/// Positions of the keys 0, 1, .. under linear functions.
fn linear_positions(bits: u32, functions: &[Vec<u64>]) -> Vec<Vec<u32>> {
    (0..1_u32 << bits)
        .map(|key| {
            let of = |rows: &Vec<u64>| {
                let set = (0..bits as usize).filter(|bit| key >> bit & 1 == 1);
                set.fold(0, |sum, bit| sum ^ rows[bit]) as u32
            };
            functions.iter().map(of).collect()
        })
        .collect()
}

/// Whether a rate is the expected one, or a bound of none.
fn agrees(rate: &Figure, expected: f64) -> bool {
    match rate.accuracy.kind {
        AccuracyKind::Bound => expected == 0.0 && rate.value < 1e-12,
        kind => (rate.value - expected).abs() < 1e-13 && kind == AccuracyKind::Exact,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn listed_keys_have_the_share_of_all_subsets(
        positions in (1usize..5).prop_flat_map(|k| proptest::collection::vec(proptest::collection::vec(0u32..4, k), 2..11)),
        items in 1u32..8,
        shared in any::<bool>(),
    ) {
        prop_assume!((items as usize) < positions.len());
        let flat: Vec<u32> = positions.concat();
        let set = KeySet::listed(&flat, positions[0].len() as u32, shared).unwrap();
        let (found, all) = by_enumeration(&positions, items, shared);
        let rate = set.static_rate(items.into()).unwrap();
        prop_assert!(agrees(&rate, found as f64 / all as f64), "{rate:?} {found} {all}");
    }

    #[test]
    fn ranks_give_the_share_of_all_subsets(
        functions in proptest::collection::vec(proptest::collection::vec(0u64..8, 4), 1..5),
        items in 1u32..6,
    ) {
        let set = KeySet::linear(4, &functions).unwrap();
        let (found, all) = by_enumeration(&linear_positions(4, &functions), items, false);
        let rate = set.static_rate(items.into()).unwrap();
        prop_assert!(agrees(&rate, found as f64 / all as f64), "{rate:?} {found} {all}");
    }

    #[test]
    fn ranks_and_lists_agree(
        functions in proptest::collection::vec(proptest::collection::vec(0u64..1024, 9), 1..6),
        items in 1u64..500,
        threshold in 40u64..400,
        phases in 1u32..3,
    ) {
        let ranks = KeySet::linear(9, &functions).unwrap();
        let flat = linear_positions(9, &functions).concat();
        let lists = KeySet::listed(&flat, functions.len() as u32, false).unwrap();
        prop_assert_eq!(ranks.reached(), lists.reached());
        prop_assert_eq!(ranks.distinct(), lists.distinct());
        let (a, b) = (ranks.static_rate(items).unwrap().value, lists.static_rate(items).unwrap().value);
        prop_assert!((a - b).abs() < 1e-12);
        let cycle = |set: &KeySet| set.recycling(Recycles::AboveBits(threshold), phases, false).unwrap();
        let (a, b) = (cycle(&ranks), cycle(&lists));
        prop_assert_eq!(a.arrivals.value, b.arrivals.value);
        prop_assert!((a.fpr_average.value - b.fpr_average.value).abs() < 1e-12);
    }
}

#[test]
fn many_keys_on_few_positions_are_sampled_within_the_stated_error() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let positions: Vec<[u32; 4]> = (0..1 << 16)
        // uneven, so that keys differ in their neighbours
        .map(|_| std::array::from_fn(|_| random.random_range(0..64_u32).pow(2) >> 6))
        .collect();
    let set = KeySet::listed(positions.as_flattened(), 4, false).unwrap();
    let rate = set.static_rate(40).unwrap();
    assert_eq!(rate.accuracy.kind, AccuracyKind::Approximation);
    let trials = 400;
    let shares = (0..trials).map(|_| {
        let mut covered = [[false; 64]; 4];
        let held = rand::seq::index::sample(&mut random, positions.len(), 40);
        for key in held.iter() {
            (0..4).for_each(|i| covered[i][positions[key][i] as usize] = true);
        }
        let seen = positions
            .iter()
            .filter(|key| (0..4).all(|i| covered[i][key[i] as usize]));
        (seen.count() - 40) as f64 / (positions.len() - 40) as f64
    });
    let shares: Vec<f64> = shares.collect();
    let mean = shares.iter().sum::<f64>() / f64::from(trials);
    let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
    let deviation = (squares / f64::from(trials * (trials - 1))).sqrt();
    let stated = rate.value * rate.accuracy.relative_error;
    println!(
        "{} +- {stated}: simulated {mean} +- {deviation}",
        rate.value
    );
    assert!((rate.value - mean).abs() < stated + 5.0 * deviation);
    assert!(rate.accuracy.relative_error < 0.2);
}

/// Average rate and cycle length of a partitioned filter over many random orders of the keys.
fn simulated(
    positions: &[Vec<u32>],
    recycles: Recycles,
    phases: u32,
    retain: bool,
    arrivals: u64,
    seed: u64,
) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut asked, mut positives, mut cycles) = (0_u64, 0_u64, 0_u64);
    let mut order: Vec<usize> = (0..positions.len()).collect();
    while asked < arrivals {
        order.shuffle(&mut random);
        let (mut active, mut frozen) = (HashSet::new(), HashSet::new());
        let (mut messages, mut counted) = (0, 0_u64);
        let (mut order_asked, mut order_positives) = (0, 0);
        for key in &order {
            let cells = || positions[*key].iter().enumerate();
            let in_active = cells().all(|cell| active.contains(&cell));
            let in_frozen = phases == 2 && cells().all(|cell| frozen.contains(&cell));
            // with two phases the first cycle has no frozen half
            if phases == 1 || counted > 0 {
                order_asked += 1;
                order_positives += u64::from(in_active || in_frozen);
            }
            if in_active {
                continue;
            }
            let fresh = cells().filter(|cell| !active.contains(cell)).count();
            let trips = match recycles {
                Recycles::AboveBits(threshold) => (active.len() + fresh) as u64 > threshold,
                Recycles::AfterMessages(threshold) => messages + 1 >= threshold,
            };
            if trips {
                // whole cycles alone count
                if phases == 1 || counted > 0 {
                    asked += order_asked;
                    positives += order_positives;
                    cycles += 1;
                }
                (order_asked, order_positives, messages) = (0, 0, 0);
                counted += 1;
                frozen = std::mem::take(&mut active);
            }
            if !trips || retain {
                active.extend(cells());
                messages += 1;
            }
        }
    }
    (
        positives as f64 / asked as f64,
        asked as f64 / cycles as f64,
    )
}

#[test]
fn recycling_on_a_set_of_keys_is_within_its_stated_error() {
    let mut random = ChaCha8Rng::seed_from_u64(28);
    for (case, rank) in [(0, 12), (1, 9), (2, 8)] {
        let mut functions: Vec<Vec<u64>> = Vec::new();
        for _ in 0..3 {
            let basis: Vec<u64> = (0..rank).map(|_| random.random_range(0..1 << 10)).collect();
            functions.push(
                (0..12)
                    .map(|_| {
                        let mask: u64 = random.random_range(0..1 << rank);
                        let chosen = (0..rank).filter(|bit| mask >> bit & 1 == 1);
                        chosen.fold(0, |sum, bit| sum ^ basis[bit])
                    })
                    .collect(),
            );
        }
        let set = KeySet::linear(12, &functions).unwrap();
        let positions = linear_positions(12, &functions);
        let threshold = 0.4 * set.reached().iter().sum::<f64>();
        for (recycles, phases, retain) in [
            (Recycles::AboveBits(threshold as u64), 1, true),
            (Recycles::AboveBits(threshold as u64), 2, false),
            (Recycles::AfterMessages(threshold as u64 / 3), 1, false),
        ] {
            let cycle = set.recycling(recycles, phases, retain).unwrap();
            let (rate, length) = simulated(&positions, recycles, phases, retain, 400_000, case);
            let ratio = rate / cycle.fpr_average.value - 1.0;
            let stated = cycle.fpr_average.accuracy.relative_error;
            println!("{case} {recycles:?} {phases}: {rate:.5} {:.5} {ratio:+.4} of {stated:.4}; {length:.2} {:.2}", cycle.fpr_average.value, cycle.arrivals.value);
            // 400,000 arrivals have a standard deviation of at most 2 % of the rates here
            assert!(ratio.abs() < stated + 0.04, "{ratio} {stated}");
            let longer = length / cycle.arrivals.value - 1.0;
            assert!(
                longer.abs() < cycle.arrivals.accuracy.relative_error + 0.01,
                "{longer}"
            );
        }
    }
}

#[test]
fn many_keys_under_full_rank_have_the_rate_of_random_functions() {
    // 2^60 keys under functions that are the identity on bits of their own: positions are independent and even
    let functions: Vec<Vec<u64>> = (0..4)
        .map(|i| {
            (0..60)
                .map(|bit| if bit / 12 == i { 1 << (bit % 12) } else { 0 })
                .collect()
        })
        .collect();
    let set = KeySet::linear(60, &functions).unwrap();
    assert_eq!(set.rank(0b1111), Some(48));
    let clear: f64 = 1.0 - 1.0 / 4096.0;
    let expected = (1.0 - clear.powi(1000)).powi(4);
    let rate = set.static_rate(1000).unwrap().value;
    assert!((rate / expected - 1.0).abs() < 1e-11, "{rate} {expected}");
}

#[test]
fn a_filter_of_all_keys_and_impossible_questions_are_refused() {
    let set = KeySet::linear(3, &[vec![1, 2, 4]]).unwrap();
    assert_eq!(set.static_rate(7).unwrap().value, 0.0);
    let error = set.static_rate(8).unwrap_err().to_string();
    assert!(
        error.contains("items = 8") && error.contains("at most 7"),
        "{error}"
    );
    assert!(KeySet::linear(3, &[vec![1, 2]]).is_err());
    assert!(KeySet::linear(0, &[]).is_err());
    assert!(KeySet::listed(&[1], 1, false).is_err());
    let never = set.recycling(Recycles::AboveBits(8), 2, false).unwrap();
    assert!(!never.recycles && never.fpr_average.value == 0.0);
}

#[test]
fn a_rate_that_is_zero_is_said_to_be_exactly_zero_and_one_within_rounding_is_bounded() {
    // the second function tells all sixteen keys apart: none is ever taken for another
    let apart = [vec![1, 2, 4, 7], vec![1, 2, 4, 8]];
    let ranks = KeySet::linear(4, &apart).unwrap();
    let listed = linear_positions(4, &apart).concat();
    let lists = KeySet::listed(&listed, 2, false).unwrap();
    for set in [ranks, lists] {
        let cycle = set.recycling(Recycles::AfterMessages(5), 2, true).unwrap();
        for rate in [
            set.static_rate(15).unwrap(),
            cycle.fpr_average,
            cycle.fpr_worst_case,
        ] {
            assert_eq!((rate.value, rate.accuracy), (0.0, Accuracy::exact(0.0)));
        }
    }
    // each position has two keys, but no two keys share both positions
    let but = |out: u64| {
        (0..20)
            .map(|bit| u64::from(bit != out) << bit)
            .collect::<Vec<u64>>()
    };
    let functions = [but(0), but(10)];
    let set = KeySet::linear(20, &functions).unwrap();
    let rate = set.static_rate(1).unwrap();
    assert_eq!(rate.accuracy, Accuracy::bound());
    assert!(rate.value > 0.0 && rate.value < 1e-12, "{rate:?}");
}
