//! The excess of two hashes, against the check values.

use crate::rational::Fraction;
use bloomline_theory::two_hash::PartitionedDoubleHashing;
use num_bigint::BigInt;

#[test]
fn mean_excess_matches_the_check_values() {
    for (range, hashes, excess, last_digit) in [
        (256, 4, 8.68e-4, 1e-6),
        (1024, 8, 3.38e-4, 1e-6),
        (4096, 16, 8.5e-5, 1e-6),
    ] {
        let scheme = PartitionedDoubleHashing::new(range, hashes).expect("legal scheme");
        let arrivals = (range as f64 * std::f64::consts::LN_2).floor() + 1.0;
        let mean = scheme.excess_sum(arrivals) / arrivals;
        assert!(
            (mean - excess).abs() <= 0.51 * last_digit,
            "{range} {hashes}: {mean:e} for {excess:e}"
        );
    }
}

/// The rate by the alternating sum over sets of partitions that no item meets, in exact fractions.
fn exact_rate(range: u64, hashes: u32, items: u32) -> Fraction {
    let square = BigInt::from(range) * BigInt::from(range);
    let mut numerator = BigInt::from(0);
    for set in 0u32..1 << hashes {
        let members = || (0..hashes).filter(move |i| set >> i & 1 == 1);
        // differences (a, d) of an item that meets the set: for each step d the distinct values of i d mod m'
        let mut met = 0u128;
        let mut long_steps = u128::from(range);
        for order in (1..u64::from(hashes)).filter(|r| range.is_multiple_of(*r)) {
            for step in (0..order).filter(|step| greatest_divisor(*step, order) == 1) {
                let mut residues: Vec<u64> =
                    members().map(|i| u64::from(i) * step % order).collect();
                residues.sort_unstable();
                residues.dedup();
                met += residues.len() as u128;
                long_steps -= 1;
            }
        }
        met += long_steps * u128::from(set.count_ones());
        let term = (&square - BigInt::from(met)).pow(items);
        if set.count_ones().is_multiple_of(2) {
            numerator += term;
        } else {
            numerator -= term;
        }
    }
    Fraction::new(numerator, square.pow(items))
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if a == 0 {
        b
    } else {
        greatest_divisor(b % a, a)
    }
}

#[test]
fn exact_rate_counts_the_differences_that_meet_a_key() {
    // one item: the pairs (a, d) for which a + i d = 0 for all i
    // two items: all pairs of pairs
    let (range, hashes) = (6u64, 4u32);
    let mut masks = Vec::new();
    for a in 0..range {
        for d in 0..range {
            let met = (0..hashes).filter(|i| (a + u64::from(*i) * d).is_multiple_of(range));
            masks.push(met.map(|i| 1u32 << i).sum::<u32>());
        }
    }
    let all = (1 << hashes) - 1;
    let one = masks.iter().filter(|mask| **mask == all).count();
    let two = masks
        .iter()
        .flat_map(|first| masks.iter().map(move |second| first | second))
        .filter(|both| *both == all)
        .count();
    assert!(exact_rate(range, hashes, 1).relative_error(one as f64 / 36.0) < 1e-15);
    assert!(exact_rate(range, hashes, 2).relative_error(two as f64 / 1296.0) < 1e-15);
}

#[test]
fn rates_far_below_the_rounding_error_of_one_match_exact_fractions() {
    // orders that form no chain, up to the largest range; chains for comparison
    for (range, hashes) in [
        (6, 4),
        (36, 6),
        (420, 8),
        (105, 8),
        (4080, 6),
        (715_816_960, 6),
        (1_099_511_627_760, 8),
        (1 << 30, 6),
        (1_000_003, 5),
    ] {
        let scheme = PartitionedDoubleHashing::new(range, hashes).expect("legal scheme");
        for items in [1, 2, 3, 17, 59, 60, 100, 400] {
            let exact = exact_rate(range, hashes, items);
            let error = exact.relative_error(scheme.rate(f64::from(items)));
            assert!(error < 1e-11, "{range} {hashes} {items}: {error:e}");
        }
    }
}

#[test]
fn excess_of_a_large_range_is_that_of_equal_hashes() {
    // few items in a large range: all but a share of n/m' of the rate is a stored item with both hashes equal, n/m'^2
    for (range, hashes) in [(715_816_960u64, 6), (1_099_511_627_760, 8)] {
        let scheme = PartitionedDoubleHashing::new(range, hashes).expect("legal scheme");
        let square = range as f64 * range as f64;
        for items in [1000.0, 1000.5, 6000.0] {
            let expected = items / square;
            let excess = scheme.excess(items);
            assert!(
                (excess / expected - 1.0).abs() < 1e-9,
                "{items}: {excess:e}"
            );
        }
        let (arrivals, sum) = (3000.0, scheme.excess_sum(3000.0));
        let expected = arrivals * (arrivals - 1.0) / 2.0 / square;
        assert!((sum / expected - 1.0).abs() < 1e-6, "{sum:e}");
    }
}
