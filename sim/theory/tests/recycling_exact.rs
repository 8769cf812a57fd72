//! The recycling laws against exact rational arithmetic (small) and a dense linear solve (medium). The oracles are written
//! from the definitions: messages are enumerated, chains are matrices, nothing is shared with the crate.

use bloomline_theory::recycling::cycle_length::{
    mean_cycle_arrivals, mean_messages_printed_boundary,
};
use bloomline_theory::recycling::shared_bits::{bits_set_law_by, stationary, Evaluation};
use bloomline_theory::recycling::Restart;
use bloomline_theory::recycling::{
    messages_law, partitioned_bits_set_law, CycleLaw, Method, PartitionedHalf, SharedHalf,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

type Q = BigRational;

fn q(a: u64, b: u64) -> Q {
    Q::new(BigInt::from(a), BigInt::from(b))
}

fn assert_close(value: f64, exact: &Q, tolerance: f64, case: &str) {
    let exact = exact.to_f64().expect("a finite rational");
    assert!(
        (value - exact).abs() <= tolerance * exact.abs(),
        "{case}: {value:e} for {exact:e}"
    );
}

/// Every message of k probes on M bits, colliding or distinct, as its positions.
fn messages(bits: u64, hashes: u32, distinct: bool) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = vec![Vec::new()];
    for _ in 0..hashes {
        all = all
            .into_iter()
            .flat_map(|message| {
                (0..bits)
                    .filter(|bit| !distinct || !message.contains(bit))
                    .map(|bit| [message.clone(), vec![bit]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// What a message does to the first `set` bits: bits it adds, and distinct bits it has, with the probability of both.
fn outcomes(all: &[Vec<u64>], set: u64) -> Vec<(usize, usize, Q)> {
    let mut counts = std::collections::BTreeMap::new();
    for message in all {
        let own: std::collections::BTreeSet<u64> = message.iter().copied().collect();
        let new = own.iter().filter(|bit| **bit >= set).count();
        *counts.entry((new, own.len())).or_insert(0u64) += 1;
    }
    counts
        .into_iter()
        .map(|((new, own), count)| (new, own, q(count, all.len() as u64)))
        .collect()
}

/// The stationary distribution of a stochastic matrix over exact rationals, on the states that state 0's successors reach.
fn solve_stationary(matrix: &[Vec<Q>]) -> Vec<Q> {
    let n = matrix.len();
    // rows: pi (P - I) = 0, the last replaced by sum pi = 1
    let mut rows: Vec<Vec<Q>> = (0..n)
        .map(|j| {
            let mut row: Vec<Q> = (0..n).map(|i| matrix[i][j].clone()).collect();
            row[j] -= Q::one();
            row.push(Q::zero());
            row
        })
        .collect();
    rows[n - 1] = vec![Q::one(); n + 1];
    for pivot in 0..n {
        let row = (pivot..n)
            .find(|row| !rows[*row][pivot].is_zero())
            .expect("one recurrent class");
        rows.swap(pivot, row);
        let inverse = rows[pivot][pivot].recip();
        rows[pivot].iter_mut().for_each(|value| *value *= &inverse);
        let lead = rows[pivot].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != pivot && !row[pivot].is_zero() {
                let factor = row[pivot].clone();
                for (value, lead) in row.iter_mut().zip(&lead) {
                    *value -= &factor * lead;
                }
            }
        }
    }
    rows.iter().map(|row| row[n].clone()).collect()
}

struct Exact {
    stationary: Vec<Q>,
    cycle: Q,
    active: Q,
    frozen: Q,
}

/// RBF IV with the matrix spelled out.
fn exact_bits_set(bits: u64, hashes: u32, distinct: bool, sigma: u64, restart: Restart) -> Exact {
    let all = messages(bits, hashes, distinct);
    let n = sigma as usize + 1;
    let mut matrix = vec![vec![Q::zero(); n]; n];
    let (mut rate, mut trip) = (vec![Q::zero(); n], vec![Q::zero(); n]);
    for set in 0..n {
        for (new, own, share) in outcomes(&all, set as u64) {
            if new == 0 {
                rate[set] += &share;
            }
            if set + new < n {
                matrix[set][set + new] += &share;
                continue;
            }
            trip[set] += &share;
            match restart {
                Restart::Forget => matrix[set][0] += &share,
                Restart::Retain => matrix[set][own] += &share,
                Restart::RetainRedrawn => {
                    for (new, _, again) in outcomes(&all, 0) {
                        matrix[set][new] += &share * again;
                    }
                }
            }
        }
    }
    let stationary = solve_stationary(&matrix);
    let sum = |weight: &dyn Fn(usize) -> Q| {
        stationary
            .iter()
            .enumerate()
            .fold(Q::zero(), |total, (set, pi)| total + pi * weight(set))
    };
    let trips = sum(&|set| trip[set].clone());
    Exact {
        cycle: trips.recip(),
        active: sum(&|set| rate[set].clone()),
        frozen: sum(&|set| &trip[set] * &rate[set]) / trips,
        stationary,
    }
}

fn assert_law(law: &CycleLaw, exact: &Exact, tolerance: f64, case: &str) {
    assert_close(
        law.mean_arrivals,
        &exact.cycle,
        tolerance,
        &format!("{case} cycle"),
    );
    assert_close(
        law.active_rate,
        &exact.active,
        tolerance,
        &format!("{case} active"),
    );
    assert_close(
        law.frozen_rate,
        &exact.frozen,
        tolerance,
        &format!("{case} frozen"),
    );
    let one = Q::one();
    let both = &one - (&one - &exact.active) * (&one - &exact.frozen);
    assert_close(
        law.two_phase_rate(),
        &both,
        tolerance,
        &format!("{case} two phases"),
    );
}

#[test]
fn every_chain_variant_equals_rational_arithmetic() {
    for (bits, hashes) in [(5, 1), (7, 1), (6, 2), (8, 2), (9, 3), (7, 3), (6, 4)] {
        for distinct in [false, true] {
            for sigma in u64::from(hashes)..bits {
                for restart in [Restart::Forget, Restart::Retain, Restart::RetainRedrawn] {
                    let half = SharedHalf::new(bits, hashes, distinct).expect("legal half");
                    let exact = exact_bits_set(bits, hashes, distinct, sigma, restart);
                    let case = format!(
                        "M={bits} k={hashes} distinct={distinct} sigma={sigma} {restart:?}"
                    );
                    let law = bits_set_law_by(half, sigma, restart, Evaluation::Chain);
                    assert_law(&law.expect("legal threshold"), &exact, 1e-12, &case);
                    let pi = stationary(half, sigma, restart).expect("legal threshold");
                    for (set, (value, exact)) in pi.iter().zip(&exact.stationary).enumerate() {
                        assert_close(*value, exact, 1e-12, &format!("{case} pi_{set}"));
                    }
                }
            }
        }
    }
}

#[test]
fn state_zero_is_visited_only_without_retaining() {
    // erratum of RBF IV-C2: pi_0 > 0 in the non-colliding non-retaining chain, and only 0 < i < k are empty
    let half = SharedHalf::new(20, 4, true).expect("legal half");
    let pi = |restart| stationary(half, 12, restart).expect("legal threshold");
    let forget = pi(Restart::Forget);
    assert!(forget[0] > 0.05 && forget[1..4].iter().all(|p| *p == 0.0) && forget[4] > 0.0);
    assert!(pi(Restart::Retain)[..4].iter().all(|p| *p == 0.0));
}

#[test]
fn the_corrected_boundary_is_the_cycle_and_the_printed_one_is_not() {
    for (bits, hashes, distinct) in [(8, 2, false), (9, 3, true), (7, 3, false)] {
        let half = SharedHalf::new(bits, hashes, distinct).expect("legal half");
        let all = messages(bits, hashes, distinct);
        for sigma in u64::from(hashes)..bits {
            // (20)-(23): N_b = 0 above `last`
            let backward = |last: u64| {
                let mut mean = vec![Q::zero(); (bits + 1 + u64::from(hashes)) as usize];
                for set in (0..=last).rev() {
                    let (mut sum, mut none) = (Q::one(), Q::zero());
                    for (new, _, share) in outcomes(&all, set) {
                        match new {
                            0 => none += share,
                            _ => sum += share * &mean[set as usize + new],
                        }
                    }
                    mean[set as usize] = sum / (Q::one() - none);
                }
                mean[0].clone()
            };
            let right = mean_cycle_arrivals(half, sigma).expect("legal");
            let printed = mean_messages_printed_boundary(half, sigma).expect("legal");
            assert_close(right, &backward(sigma), 1e-12, "corrected boundary");
            assert_close(printed, &backward(sigma - 1), 1e-12, "printed boundary");
            let exact = exact_bits_set(bits, hashes, distinct, sigma, Restart::Forget);
            assert_eq!(backward(sigma), exact.cycle);
        }
    }
}

#[test]
fn the_messages_law_equals_rational_arithmetic() {
    for (bits, hashes, distinct) in [(7, 1, false), (8, 2, false), (9, 3, false), (9, 3, true)] {
        let half = SharedHalf::new(bits, hashes, distinct).expect("legal half");
        let all = messages(bits, hashes, distinct);
        for threshold in 2..=u64::from(if hashes == 1 { 6 } else { 3u32 }) {
            if (threshold - 1) * u64::from(hashes) >= bits {
                continue; // the half may be full before it recycles
            }
            let mut mass = vec![Q::zero(); bits as usize + 1];
            mass[0] = Q::one();
            let (mut cycle, mut positives, mut frozen) = (Q::zero(), Q::zero(), Q::zero());
            for _ in 0..threshold {
                let mut next = vec![Q::zero(); bits as usize + 1];
                frozen = Q::zero();
                for (set, here) in mass.iter().enumerate().filter(|(_, m)| !m.is_zero()) {
                    let outcomes = outcomes(&all, set as u64);
                    let none: Q = outcomes
                        .iter()
                        .filter(|(new, _, _)| *new == 0)
                        .fold(Q::zero(), |total, (_, _, share)| total + share);
                    let stay = here / (Q::one() - &none);
                    cycle += &stay;
                    positives += &stay * &none;
                    frozen += here * &none;
                    for (new, _, share) in outcomes.iter().filter(|(new, _, _)| *new > 0) {
                        next[set + new] += &stay * share;
                    }
                }
                mass = next;
            }
            let law = messages_law(half, threshold, Restart::Forget).expect("legal threshold");
            let exact = Exact {
                active: &positives / &cycle,
                cycle,
                frozen,
                stationary: Vec::new(),
            };
            let case = format!("M={bits} k={hashes} distinct={distinct} N={threshold}");
            assert_law(&law, &exact, 1e-12, &case);
        }
    }
}

#[test]
fn the_partitioned_law_equals_rational_arithmetic() {
    for (range, hashes) in [(3u64, 2u32), (5, 2), (4, 3), (6, 1)] {
        let states = (range as usize + 1).pow(hashes);
        for sigma in u64::from(hashes)..range * u64::from(hashes) {
            // the chain over all bit counts from empty; visits by forward elimination, as counts only grow
            let counts = |state: usize| {
                (0..hashes)
                    .map(|i| state / (range as usize + 1).pow(i) % (range as usize + 1))
                    .collect::<Vec<_>>()
            };
            let mut inflow = vec![Q::zero(); states];
            inflow[0] = Q::one();
            let (mut cycle, mut positives, mut frozen) = (Q::zero(), Q::zero(), Q::zero());
            for state in 0..states {
                let b = counts(state);
                if inflow[state].is_zero() || b.iter().sum::<usize>() as u64 > sigma {
                    continue;
                }
                let rate = b.iter().fold(Q::one(), |p, b| p * q(*b as u64, range));
                let visits = &inflow[state] / (Q::one() - &rate);
                cycle += &visits;
                positives += &visits * &rate;
                for subset in 1usize..1 << hashes {
                    let (mut share, mut next) = (visits.clone(), state);
                    for (i, b) in b.iter().enumerate() {
                        let set = q(*b as u64, range);
                        if subset >> i & 1 == 1 {
                            share *= Q::one() - set;
                            next += (range as usize + 1).pow(i as u32);
                        } else {
                            share *= set;
                        }
                    }
                    let new = subset.count_ones() as usize;
                    if share.is_zero() {
                        continue;
                    }
                    if (b.iter().sum::<usize>() + new) as u64 > sigma {
                        frozen += share * &rate;
                    } else {
                        inflow[next] += share;
                    }
                }
            }
            let exact = Exact {
                active: &positives / &cycle,
                cycle,
                frozen,
                stationary: Vec::new(),
            };
            let half = PartitionedHalf::new(range, hashes).expect("legal half");
            let law = partitioned_bits_set_law(half, sigma, Method::Convolution);
            let case = format!("m'={range} k={hashes} sigma={sigma}");
            assert_law(&law.expect("legal threshold"), &exact, 1e-11, &case);
        }
    }
}

/// The colliding or distinct chain as a dense matrix, solved by elimination in f64.
fn dense(
    bits: usize,
    hashes: usize,
    distinct: bool,
    sigma: usize,
    retain: bool,
) -> (f64, f64, f64) {
    let n = sigma + 1;
    // tau by RBF (4) or (11), message by message; anything above sigma trips
    let tau = |set: usize| {
        let mut row = vec![0.0; bits + hashes + 2];
        row[set] = 1.0;
        for drawn in 0..hashes {
            let urn = (bits - if distinct { drawn } else { 0 }) as f64;
            for j in (set..=set + drawn + 1).rev() {
                let stay = (j - if distinct { drawn.min(j) } else { 0 }) as f64 / urn;
                let below = if j > set {
                    row[j - 1] * (bits + 1 - j.min(bits + 1)) as f64 / urn
                } else {
                    0.0
                };
                row[j] = row[j] * stay + below;
            }
        }
        row
    };
    let start = tau(0);
    let mut a = vec![vec![0.0; n + 1]; n];
    let (mut rate, mut trip) = (vec![0.0; n], vec![0.0; n]);
    for set in 0..n {
        let row = tau(set);
        rate[set] = row[set];
        trip[set] = row[sigma + 1..].iter().sum();
        for j in 0..n {
            a[j][set] += if j >= set { row[j] } else { 0.0 };
        }
        if retain {
            (1..=hashes).for_each(|j| a[j][set] += trip[set] * start[j]);
        } else {
            a[0][set] += trip[set];
        }
        a[set][set] -= 1.0;
    }
    a[n - 1] = vec![1.0; n + 1];
    for pivot in 0..n {
        let best = (pivot..n)
            .max_by(|x, y| a[*x][pivot].abs().total_cmp(&a[*y][pivot].abs()))
            .expect("rows are left");
        a.swap(pivot, best);
        let lead = a[pivot].clone();
        for row in a.iter_mut().skip(pivot + 1) {
            let factor = row[pivot] / lead[pivot];
            if factor != 0.0 {
                for j in pivot..=n {
                    row[j] -= factor * lead[j];
                }
            }
        }
    }
    let mut pi = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * pi[j]).sum();
        pi[i] = (a[i][n] - known) / a[i][i];
    }
    let dot = |x: &[f64]| pi.iter().zip(x).map(|(p, x)| p * x).sum::<f64>();
    let both: Vec<f64> = rate.iter().zip(&trip).map(|(r, t)| r * t).collect();
    (1.0 / dot(&trip), dot(&rate), dot(&both) / dot(&trip))
}

#[test]
fn every_chain_variant_equals_a_dense_solve_at_medium_size() {
    for (bits, hashes, sigma) in [(300, 4, 150), (256, 8, 180), (400, 1, 200)] {
        for distinct in [false, true] {
            for (retain, restart) in [(false, Restart::Forget), (true, Restart::RetainRedrawn)] {
                let half = SharedHalf::new(bits, hashes, distinct).expect("legal half");
                let law = bits_set_law_by(half, sigma, restart, Evaluation::Chain).expect("legal");
                let dense = dense(
                    bits as usize,
                    hashes as usize,
                    distinct,
                    sigma as usize,
                    retain,
                );
                for (name, value, dense) in [
                    ("cycle", law.mean_arrivals, dense.0),
                    ("active", law.active_rate, dense.1),
                    ("frozen", law.frozen_rate, dense.2),
                ] {
                    assert!(
                        (value / dense - 1.0).abs() < 1e-12,
                        "{bits} {hashes} distinct={distinct} {restart:?} {name}: {value} {dense}"
                    );
                }
            }
        }
    }
}

#[test]
fn cycles_of_one_hash_have_their_closed_form_at_every_size() {
    for bits in [30u64, 60, 131, 300, 1000, 3000, 20_000] {
        for share in [0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
            let sigma = ((share * bits as f64) as u64).max(1);
            let half = PartitionedHalf::new(bits, 1).expect("legal");
            // every bit takes a geometric number of arrivals
            let waits = (0..=sigma).map(|set| bits as f64 / (bits - set) as f64);
            let exact: f64 = waits.sum();
            for method in [Method::Auto, Method::Contour] {
                let law = partitioned_bits_set_law(half, sigma, method).expect("legal");
                let off = (law.mean_arrivals / exact - 1.0).abs();
                // a difference of two numbers
                let clear = 1.0 - law.active_rate;
                let setting = (law.mean_bit_setting() / (sigma + 1) as f64 - 1.0).abs() * clear;
                assert!(
                    off < 1e-9 && setting < 1e-9,
                    "{bits} bits, sigma {sigma}, {method:?}: {off:e}, {setting:e}"
                );
            }
        }
    }
}
