//! Two-hash laws, Count-Min sizing and the sliding window, against check values and by hand.

use crate::rational::Fraction;
use bloomline_theory::count_min::{CountMin, Sizing};
use bloomline_theory::sliding::{Deletion, SlidingFilter};
use bloomline_theory::two_hash::{ManyItems, PartitionedDoubleHashing, PrimePartition, Scheme};
use num_bigint::BigInt;

#[test]
fn prime_partitions_equal_rational_arithmetic_and_the_check_values() {
    for (p, k, n) in [
        (2, 1, 1),
        (2, 2, 5),
        (61, 5, 40),
        (1361, 6, 300),
        (257, 30, 100),
    ] {
        let rate = PrimePartition::new(p, k, n)
            .expect("legal")
            .rate()
            .expect("short");
        let square = BigInt::from(p * p);
        let twin_free = Fraction::new((&square - 1u32).pow(n as u32), square.pow(n as u32));
        let one = Fraction::new(BigInt::from(1), BigInt::from(1));
        let met = crate::rational::covered(p + 1, &[(n, 1)], u64::from(k));
        let exact = one.minus(&twin_free).plus(&twin_free.times(&met));
        let error = exact.relative_error(rate.value);
        assert!(error < 1e-13, "{p} {k} {n}: {error:e}");
    }
    let rate = PrimePartition::new(1361, 6, 1000)
        .expect("legal")
        .rate()
        .expect("short");
    assert!(
        (rate.value - 0.02021979474).abs() < 0.51e-11,
        "{}",
        rate.value
    );
}

#[test]
fn prime_partitions_equal_the_law_for_any_range() {
    for (p, k, n) in [(61u64, 5u32, 40u64), (1361, 6, 1000), (257, 8, 177)] {
        let prime = PrimePartition::new(p, k, n)
            .expect("legal")
            .rate()
            .expect("short");
        let any = PartitionedDoubleHashing::new(p, k)
            .expect("legal")
            .rate(n as f64);
        assert!((prime.value / any - 1.0).abs() < 1e-10, "{p} {k} {n}");
    }
}

#[test]
fn corrected_first_order_halves_its_error_with_every_doubling() {
    let error = |p, n| {
        let scheme = PrimePartition::new(p, 6, n).expect("legal");
        let corrected = scheme
            .first_order_excess()
            .expect("short")
            .accuracy
            .relative_error;
        let printed = scheme.printed_first_order_excess().expect("short");
        (corrected, printed.accuracy.relative_error)
    };
    let (small, printed) = error(1669, 1250);
    let (large, still) = error(6673, 5000);
    assert!(large < 0.3 * small && large < 1e-3, "{small} {large}");
    assert!(printed > 0.2 && still > 0.2, "{printed} {still}");
}

#[test]
fn excess_lies_between_the_corrected_bounds_and_can_pass_the_printed_ones() {
    let mut passed = 0;
    for (p, n) in [
        (10_007, 200),
        (10_007, 1000),
        (10_007, 5000),
        (10_007, 20_000),
        (20_011, 9000),
    ] {
        for k in [2, 3, 4, 6, 10, 16] {
            let scheme = PrimePartition::new(p, k, n).expect("legal");
            let many = scheme.many_items();
            let excess = scheme.rate().expect("short").value - many.limit().value;
            let bounds = many.excess_bounds();
            let slack = 0.01 * bounds.upper.value.abs();
            assert!(excess <= bounds.upper.value + slack, "{p} {k} {n}");
            assert!(
                excess >= bounds.lower.value - slack,
                "{p} {k} {n}: {excess:e} {bounds:?}"
            );
            if excess < bounds.printed_lower.value - slack {
                passed += 1;
            }
            let stated = many.limit();
            assert!(excess.abs() <= stated.accuracy.relative_error * stated.value * 1.01);
        }
    }
    assert!(passed > 0, "the erratum of KM 6.2 shows in this grid");
}

/// The exact rate of double hashing in one array of prime length m, by inclusion and exclusion over the positions of the
/// key and enumeration of every item. A step of the key other than 0 may be taken as 1.
fn double_hashing_rate(m: u64, items: i32, hashes: u64) -> f64 {
    let rate = |positions: u64| {
        let mut sum = 0.0;
        for subset in 0u64..1 << positions {
            let mut missed = 0u64;
            for start in 0..m {
                for step in 0..m {
                    let hits = |i| {
                        let at = (start + i * step) % m;
                        at < positions && subset >> at & 1 == 1
                    };
                    missed += u64::from(!(0..hashes).any(hits));
                }
            }
            let sign = if subset.count_ones() % 2 == 0 {
                1.0
            } else {
                -1.0
            };
            sum += sign * (missed as f64 / (m * m) as f64).powi(items);
        }
        sum
    };
    let standing = 1.0 / m as f64;
    standing * rate(1) + (1.0 - standing) * rate(hashes)
}

#[test]
fn double_hashing_in_one_array_keeps_the_corrected_bounds() {
    for (m, k) in [(499u64, 2u64), (499, 3), (251, 4)] {
        for items in [20, 60, 150] {
            let many = ManyItems::new(Scheme::DoubleHashing, m, items, k as u32).expect("legal");
            let excess = double_hashing_rate(m, items as i32, k) - many.limit().value;
            let bounds = many.excess_bounds();
            assert!(
                excess <= bounds.upper.value && excess >= bounds.lower.value,
                "{m} {k} {items}"
            );
        }
    }
}

#[test]
fn zeros_and_extremes_are_errors_and_not_panics() {
    use bloomline_theory::static_filter as filter;
    use filter::Probes::{Distinct, Independent};
    for probes in [Independent, Distinct] {
        for (m, n, k) in [
            (0, 1, 1),
            (1, 1, 0),
            (u64::MAX, 1, 1),
            (9, u64::MAX, 1),
            (9, 1, 10),
        ] {
            assert!(
                filter::StaticFilter::new(m, n, k, probes).is_err(),
                "{m} {n} {k}"
            );
        }
        assert!(filter::optimal_hashes(0, 1, probes).is_err());
        assert!(filter::optimal_hashes(1, 0, probes).is_err());
        assert!(filter::optimal_hashes(9, u64::MAX, probes).is_err());
        assert!(filter::most_items(0, 0.5, probes).is_err());
        assert!(filter::most_items(64, f64::NAN, probes).is_err());
        assert!(filter::fewest_bits(0, 0.5, probes).is_err());
        assert!(filter::peak_efficiency(0, 0, probes).is_err());
        assert!(filter::valley(0, 0, probes).is_err());
        assert!(filter::items_from_set(0, 0, 0, probes).is_err());
    }
    assert!(filter::bits_from_set(0, 0, 0).is_err());
    assert!(filter::bits_from_set(u64::MAX, u64::MAX, u64::MAX).is_err());
    assert_eq!(
        filter::bits_from_set(1, 3, 3).expect("one batch").value,
        3.0
    );
    assert!(filter::hashes_estimate(1, 0).is_err());
    assert!(ManyItems::new(Scheme::Partition, 0, 0, 0).is_err());
    assert!(PrimePartition::new(0, 0, 0).is_err());
    assert!(CountMin::new(0, 0).is_err() && CountMin::new(u64::MAX, 1).is_err());
    assert!(Sizing::by_copies(f64::NAN, 0.1).is_err() && Sizing::single(1e-300, 0.1).is_err());
    assert!(SlidingFilter::new(0, 0, 0.1).is_err() && SlidingFilter::new(9, 1, f64::NAN).is_err());
}

#[test]
fn printed_lower_bound_fails_where_the_documentation_says() {
    let scheme = PrimePartition::new(10_007, 2, 1000).expect("legal");
    let excess = scheme.rate().expect("short").value - scheme.many_items().limit().value;
    let printed = scheme.many_items().excess_bounds().printed_lower.value;
    assert!((printed / 2.75e-6 - 1.0).abs() < 0.005, "{printed:e}");
    assert!((excess / 8.5e-7 - 1.0).abs() < 0.02, "{excess:e}");
}

#[test]
fn limit_and_concentration_are_those_of_the_paper() {
    let many = ManyItems::new(Scheme::DoubleHashing, 40_000, 5000, 6).expect("legal");
    assert!((many.limit().value - 0.021577).abs() < 0.51e-6);
    assert_eq!((10.0 / many.limit().value).ceil(), 464.0);
    // lambda = k^2/c = 4.5
    let bound = many.concentration(0.1, 0.0).expect("legal").value;
    assert!((bound / (2.0 * (-2.0 * 5000.0 * 0.01 / 20.25f64).exp()) - 1.0).abs() < 1e-12);
    let sampled = many
        .query_concentration(100_000, 0.2, 0.0)
        .expect("legal")
        .value;
    let expected = bound + 2.0 * (-100_000.0 * 0.02f64).exp();
    assert!((sampled / expected - 1.0).abs() < 1e-12);
    assert_eq!(many.concentration(1e-6, 0.0).expect("legal").value, 1.0);
    let error = many
        .concentration(0.1, 0.1)
        .expect_err("gap reaches distance");
    assert!(error.to_string().contains("gap = 0.1"), "{error}");
    assert!(ManyItems::new(Scheme::Partition, 10, 1, 65).is_err());
    assert!(PrimePartition::new(15, 2, 5).is_err());
}

#[test]
fn sketches_meet_their_failure_probability() {
    for excess in [0.5, 0.1, 1e-2, 1e-3, 1e-5] {
        for failure in [0.3, 1e-2, 1e-6, 1e-12] {
            for sizing in [
                Sizing::by_copies(excess, failure),
                Sizing::single(excess, failure),
                Sizing::in_copies(excess, failure, 3),
                Sizing::smallest(excess, failure),
            ] {
                let sizing = sizing.expect("legal");
                assert!(
                    sizing.failure.value <= failure,
                    "{excess} {failure} {sizing:?}"
                );
                let one = sizing.sketch.failure_bound(excess).expect("legal").value;
                let all = one.powi(sizing.copies as i32);
                assert!((all / sizing.failure.value - 1.0).abs() < 1e-12);
            }
        }
    }
    let paper = Sizing::by_copies(0.01, 0.01).expect("legal");
    assert_eq!(
        (paper.copies, paper.sketch.width(), paper.sketch.depth()),
        (1, 547, 5)
    );
    // 2/(0.01 547^2) + (2/(0.01 547))^5
    let by_hand = 2.0 / (0.01 * 299_209.0) + (2.0f64 / 5.47).powi(5);
    assert!((paper.failure.value / by_hand - 1.0).abs() < 1e-13);
    let error = CountMin::new(546, 3).expect_err("not prime");
    assert!(error.to_string().contains("the next one: 547"), "{error}");
    assert!(CountMin::new(5, 6).is_err() && Sizing::single(0.0, 0.1).is_err());
}

#[test]
fn the_smallest_sketch_is_the_smallest_of_all_widths_depths_and_copies() {
    let mut tried = 0;
    for (excess, failure) in [(0.5, 0.3), (0.4, 1e-4), (0.3, 1e-6)] {
        let smallest = Sizing::smallest(excess, failure).expect("legal");
        // every prime width, depth and number of copies that would be smaller fails more often
        let fewer = |copies: u32| (smallest.counters() - 1) / u64::from(copies);
        for copies in 1..=40u32 {
            for depth in u64::from(copies.min(2))..=fewer(copies) {
                let widths = depth.max(2)..=fewer(copies) / depth;
                // the bound falls with the width
                let widest = widths.rev().find_map(|w| CountMin::new(w, depth).ok());
                let Some(sketch) = widest else {
                    continue;
                };
                let bound = sketch.failure_bound_of_copies(excess, copies);
                assert!(
                    bound.expect("legal").value > failure,
                    "{excess} {failure}: {copies} of {sketch:?} and {smallest:?}"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "{tried}");
    // in one copy the term 2/(eps w^2) decides
    let [one, all] = [Sizing::single, Sizing::smallest].map(|of| of(0.05, 1e-9).expect("legal"));
    assert!(
        all.copies > 1 && 20 * all.counters() < one.counters(),
        "{all:?} {one:?}"
    );
    assert!(Sizing::in_copies(0.1, 0.1, 0).is_err());
}

#[test]
fn sketch_exceeds_its_bound_in_no_simulation() {
    use rand::{Rng, SeedableRng};
    let seed = 20_261;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let (w, d, excess) = (97u64, 3u64, 0.06);
    let bound = CountMin::new(w, d)
        .expect("prime")
        .failure_bound(excess)
        .expect("legal")
        .value;
    let mut exceeded = 0u32;
    let trials = 4000;
    for _ in 0..trials {
        // 300 other items of count 1; the item asked for has count 0
        let key = (rng.random_range(0..w), rng.random_range(0..w));
        let mut counters = vec![0u32; d as usize];
        for _ in 0..300 {
            let other = (rng.random_range(0..w), rng.random_range(0..w));
            for (j, counter) in (0u64..).zip(counters.iter_mut()) {
                let at = |h: (u64, u64)| (h.0 + j * h.1) % w;
                *counter += u32::from(at(key) == at(other));
            }
        }
        let estimate = counters.iter().min().expect("rows");
        exceeded += u32::from(f64::from(*estimate) > excess * 300.0);
    }
    let share = f64::from(exceeded) / f64::from(trials);
    assert!(share <= bound, "seed {seed}: {share} above {bound}");
}

#[test]
fn generations_are_the_cheapest_that_the_slack_allows() {
    for (n, m, eps) in [
        (65_536u64, 16_384u64, 1e-3),
        (1000, 1, 0.01),
        (1000, 1_000_000, 0.5),
        (1, 1, 0.1),
        (100_000, 3000, 1e-9),
        (4096, 4096, 1e-6),
    ] {
        let filter = SlidingFilter::new(n, m, eps).expect("legal");
        let bits = |c: u64| {
            let law = SlidingFilter::with_generations(n, m, eps, c).expect("legal");
            law.bits().value
        };
        let c = filter.generations_a_window();
        let best = (n.div_ceil(m)..=n.min(5000))
            .min_by(|a, b| bits(*a).total_cmp(&bits(*b)))
            .expect("not empty");
        assert_eq!(c, best, "{n} {m} {eps}");
        assert!(n as f64 / c as f64 <= m as f64);
        assert!(filter.union_bound().value <= eps);
        let exact = filter.rate_with(filter.capacity()).expect("full").value;
        assert!(
            exact <= filter.union_bound().value && exact > 0.7 * eps,
            "{exact}"
        );
        assert!(filter.slack_used() <= m + c, "{n} {m}");
        if n % c == 0 {
            assert!(filter.slack_used() <= m, "{n} {m}");
            assert_eq!(filter.stored().value, filter.capacity() as f64);
        }
        assert_eq!(filter.generation_values(Deletion::ScanAGeneration), c + 1);
        assert_eq!(filter.generation_values(Deletion::TwoCellsAStep), 2 * c + 3);
        assert_eq!(
            filter.cells_scanned_a_step(Deletion::ScanAGeneration),
            c + 1
        );
        assert_eq!(filter.worst_cells_scanned(Deletion::TwoCellsAStep), 2);
        let scan = filter.capacity().div_ceil(filter.generation_items());
        assert_eq!(scan, filter.cells_scanned_a_step(Deletion::ScanAGeneration));
        for deletion in [Deletion::ScanAGeneration, Deletion::TwoCellsAStep] {
            let (entropy, table) = (filter.entropy_bits(deletion), filter.table_bits(deletion));
            assert!(entropy.value <= table.value, "{n} {m} {eps}");
        }
    }
}

#[test]
fn the_sliding_lower_bound_takes_the_larger_of_its_two_terms() {
    let coarse = SlidingFilter::new(1 << 20, 1 << 20, 2f64.powi(-16)).expect("legal");
    assert_eq!(coarse.lower_bound_bits().value, 1_048_576.0 * (16.0 + 4.0));
    let fine = SlidingFilter::new(1 << 20, 1 << 10, 2f64.powi(-16)).expect("legal");
    assert_eq!(fine.lower_bound_bits().value, 1_048_576.0 * (16.0 + 10.0));
    // the construction stays within O(n) of it
    assert!(fine.bits().value - fine.lower_bound_bits().value < 3.0 * 1_048_576.0);
    let error = SlidingFilter::with_generations(100, 10, 0.1, 9).expect_err("n/c above m");
    assert!(error.to_string().contains("nearest: 10"), "{error}");
    assert!(SlidingFilter::new(10, 0, 0.1).is_err() && SlidingFilter::new(10, 5, 0.0).is_err());
}

#[test]
fn entropy_of_a_small_dictionary_equals_its_binomial() {
    let filter = SlidingFilter::with_generations(64, 64, 0.125, 4).expect("legal");
    assert_eq!((filter.capacity(), filter.range()), (80, 640.0));
    let exact = Fraction::new(crate::rational::binomial(640, 80), BigInt::from(1))
        .value()
        .log2();
    let expected = exact + 80.0 * 5f64.log2();
    let found = filter.entropy_bits(Deletion::ScanAGeneration).value;
    assert!((found - expected).abs() < 1e-7, "{found} {expected}");
}

#[test]
fn a_count_min_sketch_has_the_fewest_counters_that_theorem_9_1_allows() {
    let counters = |excess, failure| {
        let size = Sizing::single(excess, failure).expect("in the domain");
        assert!(size.failure.value <= failure);
        size.sketch.counters()
    };
    assert_eq!(counters(0.1, 0.5), 41);
    assert_eq!(counters(0.001, 0.01), 25_195);
    // against every prime width and depth
    for (excess, failure) in [
        (0.1, 0.5),
        (0.1, 1e-5),
        (0.3, 0.01),
        (0.02, 0.1),
        (0.05, 1e-3),
        (0.9, 0.9),
    ] {
        let fewest = (2u64..4000)
            .filter(|w| (2..*w).take_while(|d| d * d <= *w).all(|d| w % d != 0))
            .flat_map(|w| (1..=w.min(60)).map(move |d| (w, d)))
            .filter(|(w, d)| {
                let sketch = CountMin::new(*w, *d).expect("a prime width");
                let bound =
                    2.0 / (excess * (w * w) as f64) + (2.0 / (excess * *w as f64)).powf(*d as f64);
                bound <= failure
                    && sketch.failure_bound(excess).expect("in the domain").value <= failure
            })
            .map(|(w, d)| w * d)
            .min();
        assert_eq!(
            Some(counters(excess, failure)),
            fewest,
            "{excess} {failure}"
        );
    }
}

#[test]
fn a_slack_above_the_useful_one_leaves_the_lower_bound_as_it_is() {
    let window = 1_u64 << 20;
    for rate in [0.25_f64, 1e-2, 1e-3, 1e-6] {
        let filter = |slack: u64| SlidingFilter::new(window, slack, rate).expect("legal");
        let useful = filter(window).useful_slack().value;
        let least = filter(window).lower_bound_bits().value;
        let near = |bits: f64, right: f64| (bits / right - 1.0).abs() < 1e-12;
        for slack in [useful.ceil(), (2.0 * useful).ceil().min(window as f64)] {
            assert!(
                near(filter(slack as u64).lower_bound_bits().value, least),
                "{rate}"
            );
        }
        // half of it costs a bit an element
        let half = filter((0.5 * useful) as u64).lower_bound_bits().value;
        assert!(
            (half - least - window as f64).abs() < 1e-3 * window as f64,
            "{rate}: {half}"
        );
    }
}
