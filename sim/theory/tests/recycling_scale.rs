//! Large filters: the closed form of the settled chain against the walked one, the integrals of the partitioned layout
//! against it, and the time they take.

use bloomline_theory::recycling::shared_bits::{bits_set_law_by, Evaluation};
use bloomline_theory::recycling::Restart;
use bloomline_theory::recycling::{
    bits_set_law, messages_law, partitioned_bits_set_law, CycleLaw, Method, PartitionedHalf,
    SharedHalf,
};
fn law(
    bits: u64,
    hashes: u32,
    distinct: bool,
    sigma: u64,
    restart: Restart,
    by: Evaluation,
) -> CycleLaw {
    let half = SharedHalf::new(bits, hashes, distinct).expect("legal half");
    bits_set_law_by(half, sigma, restart, by).expect("legal threshold")
}

/// Largest relative difference of the three numbers of two laws.
fn difference(a: &CycleLaw, b: &CycleLaw) -> f64 {
    [
        a.mean_arrivals / b.mean_arrivals,
        a.active_rate / b.active_rate,
        a.frozen_rate / b.frozen_rate,
    ]
    .iter()
    .fold(0.0, |worst, ratio| f64::max(worst, (ratio - 1.0).abs()))
}

#[test]
fn the_closed_form_keeps_its_stated_error_against_the_chain_of_every_variant() {
    for bits in [1u64 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22] {
        for hashes in [1u32, 2, 3, 4, 8, 16] {
            if bits >= 1 << 22 && hashes > 8 {
                continue;
            }
            for share in [0.2, 0.5, 0.75] {
                for (distinct, restart) in [
                    (false, Restart::Forget),
                    (true, Restart::Forget),
                    (false, Restart::Retain),
                    (false, Restart::RetainRedrawn),
                    (true, Restart::Retain),
                ] {
                    if bits >= 1 << 22 && (share != 0.5 || restart != Restart::Forget) {
                        continue;
                    }
                    let sigma = (share * bits as f64) as u64;
                    let chain = law(bits, hashes, distinct, sigma, restart, Evaluation::Chain);
                    let closed = law(bits, hashes, distinct, sigma, restart, Evaluation::Settled);
                    let error = difference(&closed, &chain);
                    let stated = closed.accuracy.relative_error + chain.accuracy.relative_error;
                    assert!(
                        error <= stated,
                        "M={bits} k={hashes} sigma={sigma} distinct={distinct} {restart:?}: {error:e}, stated {stated:e}"
                    );
                }
            }
        }
    }
}

/// The last bits of a half are where the closed form states most, and where a long chain is replaced by it all the same.
#[test]
fn the_closed_form_keeps_its_stated_error_up_to_the_last_bits_of_a_long_half() {
    let bits = 1u64 << 20;
    for (hashes, room) in [(4, 1), (4, 2), (4, 6), (8, 1), (8, 3)] {
        for restart in [Restart::Forget, Restart::Retain] {
            let by = |by| law(bits, hashes, false, bits - room, restart, by);
            let (chain, closed) = (by(Evaluation::Chain), by(Evaluation::Settled));
            let stated = closed.accuracy.relative_error;
            let error = difference(&closed, &chain);
            assert!(
                error <= stated + 1e-12,
                "k={hashes}, {room} bits left, {restart:?}: {error:e}, stated {stated:e}"
            );
            let auto = by(Evaluation::Auto);
            let chosen = if stated <= 0.02 { &closed } else { &chain };
            assert_eq!(
                auto.mean_arrivals, chosen.mean_arrivals,
                "stated {stated:e}"
            );
        }
    }
}

#[test]
fn the_error_of_the_closed_form_falls_with_the_size_of_the_filter() {
    for (hashes, share) in [(4, 0.1), (8, 0.2), (8, 0.4), (16, 0.3)] {
        let errors: Vec<(f64, f64)> = (7..=13)
            .map(|log| {
                let bits = 1u64 << log;
                let sigma = (share * bits as f64) as u64 + u64::from(hashes);
                let chain = law(
                    bits,
                    hashes,
                    false,
                    sigma,
                    Restart::Forget,
                    Evaluation::Chain,
                );
                let closed = law(
                    bits,
                    hashes,
                    false,
                    sigma,
                    Restart::Forget,
                    Evaluation::Settled,
                );
                (difference(&closed, &chain), closed.accuracy.relative_error)
            })
            .collect();
        for pair in errors.windows(2) {
            assert!(
                pair[1].0 < pair[0].0 || pair[1].0 < 1e-12,
                "k={hashes} fill {share}: {errors:?}"
            );
        }
        let (first, last) = (errors[0], errors[errors.len() - 1]);
        assert!(
            first.0 > 1e-7,
            "the small filter is not settled: {errors:?}"
        );
        assert!(last.0 < 1e-11, "k={hashes} fill {share}: {errors:?}");
    }
}

#[test]
fn any_size_is_answered_within_a_millionth() {
    for log in 10..40 {
        for hashes in [1, 4, 8, 16] {
            for share in [0.02, 0.5, 0.9] {
                let half = SharedHalf::new((1u64 << log) - 3, hashes, false).expect("legal half");
                let sigma = ((share * half.bits() as f64) as u64).max(u64::from(hashes));
                let law = bits_set_law(half, sigma, Restart::Forget).expect("legal threshold");
                let stated = law.accuracy.relative_error;
                assert!(
                    stated < 1e-6,
                    "2^{log} k={hashes} sigma={sigma}: stated {stated:e}"
                );
            }
        }
    }
}

/// One partition is a shared array of one probe, so the integrals meet a closed form at every size.
#[test]
fn the_integrals_of_one_partition_keep_their_error_up_to_the_largest_range() {
    for log in [8, 12, 16, 20, 24, 28, 32, 36, 39] {
        for share in [0.1, 0.5, 0.9] {
            let range = 1u64 << log;
            let sigma = (share * range as f64) as u64;
            let half = PartitionedHalf::new(range, 1).expect("legal half");
            let contour = partitioned_bits_set_law(half, sigma, Method::Contour).expect("legal");
            let by = if log < 14 {
                Evaluation::Chain
            } else {
                Evaluation::Settled
            };
            let shared = law(range, 1, false, sigma, Restart::Forget, by);
            let error = difference(&contour, &shared);
            assert!(
                error < contour.accuracy.relative_error,
                "m'=2^{log} fill {share}: {error:e} {contour:?} {shared:?}"
            );
        }
    }
}

/// The layouts differ by terms of order 1/M only, so M times their relative difference tends to a constant: an
/// independent check of the integrals with several partitions where no convolution reaches.
#[test]
fn partitioned_and_shared_laws_approach_each_other_as_one_over_the_size() {
    for hashes in [2u32, 4, 8, 16] {
        let scaled = |log: u32| {
            let half = PartitionedHalf::new(1 << log, hashes).expect("legal half");
            let sigma = half.bits() / 2;
            let method = if log < 14 {
                Method::Auto
            } else {
                Method::Contour
            };
            let part = partitioned_bits_set_law(half, sigma, method).expect("legal threshold");
            let shared = law(
                half.bits(),
                hashes,
                true,
                sigma,
                Restart::Forget,
                Evaluation::Auto,
            );
            [
                part.mean_arrivals / shared.mean_arrivals - 1.0,
                part.active_rate / shared.active_rate - 1.0,
                part.frozen_rate / shared.frozen_rate - 1.0,
            ]
            .map(|difference| (difference, difference * half.bits() as f64))
        };
        let reference = scaled(12);
        for log in [14, 17, 20, 24, 28, 32, 35] {
            for (at, limit) in scaled(log).iter().zip(&reference) {
                let expected = limit.1 / ((1u64 << log) as f64 * f64::from(hashes));
                assert!(
                    (at.0 - expected).abs() < 0.01 * expected.abs() + 1e-9,
                    "k={hashes} m'=2^{log}: {:e} for {expected:e}",
                    at.0
                );
            }
        }
    }
}

#[test]
fn partitioned_laws_switch_method_without_a_step() {
    // both methods around the switch of Method::Auto
    for (range, hashes) in [(1024u64, 4u32), (2048, 8), (512, 16), (4096, 2)] {
        for share in [0.3, 0.5, 0.7] {
            let half = PartitionedHalf::new(range, hashes).expect("legal half");
            let sigma = (share * half.bits() as f64) as u64;
            let by = |method| partitioned_bits_set_law(half, sigma, method).expect("legal");
            let error = difference(&by(Method::Convolution), &by(Method::Contour));
            assert!(error < 1e-9, "{range} {hashes} {sigma}: {error:e}");
        }
    }
}

#[test]
fn large_partitioned_laws_are_answered() {
    for log in [10, 16, 24, 32, 38] {
        for hashes in [2, 4, 16] {
            let half = PartitionedHalf::new(1 << (log - 4), hashes).expect("legal half");
            let law = partitioned_bits_set_law(half, half.bits() / 2, Method::Auto)
                .expect("legal threshold");
            assert!(law.active_rate > 0.0 && law.active_rate < law.frozen_rate);
        }
    }
}

#[test]
fn message_thresholds_of_the_largest_halves_are_answered() {
    for log in [16, 20, 24, 32, 38] {
        for hashes in [1, 4, 8] {
            let half = SharedHalf::new(1 << log, hashes, false).expect("legal half");
            let n = half.bits() * 7 / 10 / u64::from(hashes);
            let law = messages_law(half, n, Restart::Forget).expect("legal threshold");
            assert!(law.active_rate > 0.0 && law.active_rate < law.frozen_rate);
        }
    }
}

/// A half that recycles when its last bit is set: the coupon collector's time, `m' (1 + 1/2 + .. + 1/m')` for one partition and
/// `sum_n 1 - P(a partition is full after n)^k` for several.
#[test]
fn a_half_that_fills_to_its_last_bit_is_the_coupon_collectors() {
    for (range, hashes) in [(1u64 << 18, 1u32), (1 << 14, 1), (1 << 10, 2)] {
        let half = PartitionedHalf::new(range, hashes).expect("legal half");
        let law = partitioned_bits_set_law(half, half.bits() - 1, Method::Contour)
            .expect("legal threshold");
        let exact: f64 = match hashes {
            1 => range as f64 * (1..=range).map(|i| 1.0 / i as f64).sum::<f64>(),
            _ => {
                // the number of full positions of one partition, arrival by arrival
                let m = range as f64;
                let mut filled = vec![0.0; range as usize + 1];
                filled[0] = 1.0;
                let mut sum = 0.0;
                for n in 0usize.. {
                    let missing: f64 = filled[..range as usize].iter().sum();
                    let lasting = -(f64::from(hashes) * (-missing.min(1.0)).ln_1p()).exp_m1();
                    if lasting < 1e-15 {
                        break;
                    }
                    sum += lasting;
                    for b in (0..=(n + 1).min(range as usize)).rev() {
                        let fresh = if b > 0 {
                            filled[b - 1] * (m - (b - 1) as f64)
                        } else {
                            0.0
                        };
                        filled[b] = (filled[b] * b as f64 + fresh) / m;
                    }
                }
                sum
            }
        };
        let error = (law.mean_arrivals / exact - 1.0).abs();
        let stated = law.accuracy.relative_error;
        assert!(
            error <= stated,
            "{range} {hashes}: {} for {exact}, {error:e} stated {stated:e}",
            law.mean_arrivals
        );
    }
}
