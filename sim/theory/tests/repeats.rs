//! False positives over all arrivals of keys that come again.

use bloomline_theory::recycling::{
    bits_set_law, repeat_factor, uniform_requests, Restart, SharedHalf,
};
use rand::seq::index::sample;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// One hash and a threshold of one bit: a cycle is a first key, false positives with 1/M each, and the key that trips.
#[test]
fn averages_of_a_single_bit_are_geometric_sums() {
    let (bits, universe) = (4u64, 40u64);
    let half = SharedHalf::new(bits, 1, false).expect("legal");
    let found = uniform_requests(half, 1, universe).expect("legal");
    let (mut first, mut all, mut wrong, mut each) = (1.0, 1.0, 0.0, 0.0);
    let mut lasting = 1.0;
    for keys in 1..30u64 {
        let more = 1.0 / (universe - keys) as f64;
        first += lasting;
        all += lasting * (1.0 + keys as f64 * more);
        each += lasting * (keys - 1) as f64 * more;
        lasting /= bits as f64;
        wrong += lasting;
        each += lasting;
    }
    for (figure, exact) in [
        (&found.count_instance, wrong / first),
        (&found.count_first, wrong / all),
        (&found.count_each, each / all),
    ] {
        assert!(
            (figure.value / exact - 1.0).abs() < 1e-10,
            "{figure:?} {exact}"
        );
    }
}

/// (instance, first, each) of a simulated filter, with the standard deviations over batches.
fn simulate(
    bits: usize,
    hashes: usize,
    distinct: bool,
    sigma: usize,
    universe: usize,
    seed: u64,
) -> [(f64, f64); 3] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let batches: Vec<[f64; 3]> = (0..40)
        .map(|_| {
            let (mut first, mut all, mut wrong, mut each) = (0.0, 0.0, 0.0, 0.0);
            for _ in 0..400 {
                // a cycle: 0 for keys that did not come, else whether they were a false positive
                let mut came: Vec<Option<bool>> = vec![None; universe];
                let mut set = vec![false; bits];
                let mut count = 0;
                loop {
                    let key = random.random_range(0..universe);
                    all += 1.0;
                    match came[key] {
                        Some(positive) => each += f64::from(u8::from(positive)),
                        None => {
                            first += 1.0;
                            let probes: Vec<usize> = match distinct {
                                true => sample(&mut random, bits, hashes).into_vec(),
                                false => {
                                    (0..hashes).map(|_| random.random_range(0..bits)).collect()
                                }
                            };
                            let mut fresh: Vec<usize> =
                                probes.into_iter().filter(|probe| !set[*probe]).collect();
                            fresh.sort_unstable();
                            fresh.dedup();
                            if count + fresh.len() > sigma {
                                break;
                            }
                            count += fresh.len();
                            came[key] = Some(fresh.is_empty());
                            if fresh.is_empty() {
                                wrong += 1.0;
                                each += 1.0;
                            }
                            fresh.into_iter().for_each(|probe| set[probe] = true);
                        }
                    }
                }
            }
            [wrong / first, wrong / all, each / all]
        })
        .collect();
    std::array::from_fn(|i| {
        let n = batches.len() as f64;
        let mean = batches.iter().map(|batch| batch[i]).sum::<f64>() / n;
        let square: f64 = batches.iter().map(|batch| (batch[i] - mean).powi(2)).sum();
        (mean, (square / (n * (n - 1.0))).sqrt())
    })
}

#[test]
fn averages_of_uniform_requests_are_those_of_simulated_filters() {
    // two-sided, 99 % for the family of 12
    const QUANTILE: f64 = 3.34;
    for (case, (bits, hashes, distinct, sigma, universe)) in [
        (60usize, 3usize, false, 30usize, 60usize),
        (60, 3, true, 30, 400),
        (100, 1, false, 50, 200),
        (40, 2, false, 30, 90),
    ]
    .into_iter()
    .enumerate()
    {
        let half = SharedHalf::new(bits as u64, hashes as u32, distinct).expect("legal");
        let found = uniform_requests(half, sigma as u64, universe as u64).expect("legal");
        let seed = 70 + case as u64;
        let measured = simulate(bits, hashes, distinct, sigma, universe, seed);
        let figures = [&found.count_instance, &found.count_first, &found.count_each];
        for (figure, (mean, deviation)) in figures.into_iter().zip(measured) {
            assert!(
                (figure.value - mean).abs() < QUANTILE * deviation,
                "seed {seed}, case {case}: {} measured {mean} +- {deviation}",
                figure.value
            );
        }
    }
}

#[test]
fn count_instance_does_not_depend_on_repeats_and_theorem_1_holds() {
    for (bits, hashes, distinct, sigma, fewest) in [
        (60, 3, false, 30, 200),
        (200, 4, true, 100, 600),
        (50, 1, false, 45, 1000),
        (400, 8, false, 200, 1200),
        (64, 4, false, 8, 200),
    ] {
        let half = SharedHalf::new(bits, hashes, distinct).expect("legal");
        let law = bits_set_law(half, sigma, Restart::Forget).expect("legal");
        let factor = repeat_factor(half.rate_at(sigma).0).value;
        for universe in [fewest, 4 * fewest, 1000 * fewest] {
            let found = uniform_requests(half, sigma, universe).expect("enough keys");
            let (instance, each) = (found.count_instance.value, found.count_each.value);
            assert!(
                (instance / law.active_rate - 1.0).abs() < 1e-9,
                "{instance} {}",
                law.active_rate
            );
            assert!(found.count_first.value <= each);
            assert!(
                each <= factor * instance,
                "{bits} {hashes} {sigma} {universe}: {each} {factor} {instance}"
            );
            // what the repeats of a false positive in the one more key of its cycle can add
            let longer = 1.0 + 2.0 / law.mean_arrivals;
            assert!(
                each <= longer * instance,
                "{bits} {hashes} {sigma} {universe}: {}",
                each / instance
            );
        }
    }
}

#[test]
fn too_few_keys_are_refused() {
    let half = SharedHalf::new(100, 2, false).expect("legal");
    let error = uniform_requests(half, 90, 20).expect_err("20 keys cannot set 91 bits");
    assert!(
        error
            .to_string()
            .contains("a cycle ends before all have come"),
        "{error}"
    );
    assert!(uniform_requests(half, 100, 1000).is_err() && uniform_requests(half, 1, 1000).is_err());
}
