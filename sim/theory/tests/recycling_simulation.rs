//! Predictions of whole filters against a simulator with ideal hashes: the definition, arrival by arrival.

use bloomline_theory::recycling::{partitioned_bits_set_law, Forgetting, Method, PartitionedHalf};
use bloomline_theory::sizing::{
    cycle_quantile, cycle_rate_exceeded_by, predict, predict_shared, shared_cycle_rate_exceeded_by,
    shared_worst_case_exceeded_by, worst_case_exceeded_by, Hashing, On, Prediction,
    RecyclingParams, SharedParams,
};
use bloomline_theory::two_hash::Extension;
use bloomline_theory::{AccuracyKind, Figure};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Absent arrivals of one run.
const ARRIVALS: u64 = 2_000_000;
/// Two-sided normal quantile of 99% for the whole family of 12 runs, each at 1 - 0.01/12.
const QUANTILE: f64 = 3.34;

/// One half: its partitions, and the counts its thresholds look at.
#[derive(Clone)]
struct Half {
    set: Vec<bool>,
    bits_set: u64,
    stored: u64,
}

impl Half {
    fn empty(positions: usize) -> Self {
        Self {
            set: vec![false; positions],
            bits_set: 0,
            stored: 0,
        }
    }

    fn store(&mut self, probes: &[usize]) {
        for probe in probes {
            self.bits_set += u64::from(!std::mem::replace(&mut self.set[*probe], true));
        }
        self.stored += 1;
    }
}

/// What a run counted.
struct Counts {
    seen: u64,
    recycles: u64,
    /// Arrivals up to the last recycle.
    in_whole_cycles: u64,
    /// Variance of the number of seen arrivals, over batches, as cycles make neighbours depend on each other.
    seen_variance: f64,
}

fn simulate(params: &RecyclingParams, seed: u64) -> Counts {
    simulate_arrivals(params, seed, ARRIVALS)
}

fn simulate_arrivals(params: &RecyclingParams, seed: u64, arrivals: u64) -> Counts {
    let (k, phases) = (params.hashes as usize, params.phases as usize);
    let range = params.memory_bits as usize / (phases * k);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut active = Half::empty(k * range);
    let mut frozen = Half::empty(k * range);
    let mut counts = Counts {
        seen: 0,
        recycles: 0,
        in_whole_cycles: 0,
        seen_variance: 0.0,
    };
    const BATCHES: u64 = 200;
    let mut batches = Vec::new();
    let warm_up = arrivals / 50;
    let mut probes = vec![0; k];
    for arrival in 0..arrivals + warm_up {
        let (start, stride) = (random.random_range(0..range), random.random_range(0..range));
        for (i, probe) in probes.iter_mut().enumerate() {
            let position = match params.hashing {
                Hashing::Independent => random.random_range(0..range),
                Hashing::Double => (start + i * stride) % range,
            };
            *probe = i * range + position;
        }
        let counted = arrival >= warm_up;
        let fresh = probes.iter().filter(|probe| !active.set[**probe]).count() as u64;
        let in_frozen = phases == 2 && probes.iter().all(|probe| frozen.set[*probe]);
        if counted {
            if (arrival - warm_up).is_multiple_of(arrivals / BATCHES) {
                batches.push(0.0);
            }
            let seen = fresh == 0 || in_frozen;
            counts.seen += u64::from(seen);
            *batches.last_mut().expect("a batch is open") += f64::from(u8::from(seen));
        }
        if fresh == 0 {
            continue;
        }
        let trips = match params.on {
            On::BitsSet => active.bits_set + fresh > params.threshold,
            On::Messages => active.stored + 1 >= params.threshold,
        };
        if !trips {
            active.store(&probes);
            continue;
        }
        frozen = std::mem::replace(&mut active, Half::empty(k * range));
        if params.retain {
            active.store(&probes);
        }
        if counted {
            counts.recycles += 1;
            counts.in_whole_cycles = arrival - warm_up + 1;
        }
    }
    let mean = counts.seen as f64 / BATCHES as f64;
    let squares: f64 = batches
        .iter()
        .map(|seen| (seen - mean) * (seen - mean))
        .sum();
    counts.seen_variance = squares / (BATCHES - 1) as f64 * BATCHES as f64;
    counts
}

/// The predicted rate and cycle lie in the two-sided interval of a run; the stated error of an approximation is allowed
/// beside it, and must be small against it.
fn assert_predicted(params: RecyclingParams, seed: u64) {
    let counts = simulate(&params, seed);
    let prediction = predict(&params).expect("legal filter");
    let measured = counts.seen as f64 / ARRIVALS as f64;
    let binomial = measured * (1.0 - measured) * ARRIVALS as f64;
    let deviation = counts.seen_variance.max(0.5 * binomial).sqrt() / ARRIVALS as f64;
    let rate = &prediction.fpr_average;
    let allowed = QUANTILE * deviation + rate.accuracy.relative_error * rate.value;
    assert!(
        counts.recycles > 1000,
        "{params:?}: inconclusive, {} cycles",
        counts.recycles
    );
    assert!(
        (measured - rate.value).abs() < allowed,
        "seed {seed}, {params:?}: measured {measured:e}, predicted {:e}, allowed {allowed:e}",
        rate.value
    );
    // at these sizes the standard deviation of a cycle's length is below 3% of its mean
    let cycle = counts.in_whole_cycles as f64 / counts.recycles as f64;
    let predicted = &prediction.cycle_arrivals;
    let spread =
        0.125 / (counts.recycles as f64).sqrt() * QUANTILE + predicted.accuracy.relative_error;
    assert!(
        (cycle / predicted.value - 1.0).abs() < spread,
        "seed {seed}, {params:?}: cycle {cycle}, predicted {}",
        predicted.value
    );
}

fn filter(phases: u32, on: On, threshold: u64, retain: bool, hashing: Hashing) -> RecyclingParams {
    RecyclingParams {
        memory_bits: 1024 * u64::from(phases),
        phases,
        hashes: 4,
        hashing,
        on,
        threshold,
        retain,
    }
}

#[test]
fn bits_set_predictions_hold_for_both_phases_with_and_without_retaining() {
    for (phases, retain, seed) in [
        (1, false, 101),
        (1, true, 102),
        (2, false, 103),
        (2, true, 104),
    ] {
        assert_predicted(
            filter(phases, On::BitsSet, 512, retain, Hashing::Independent),
            seed,
        );
    }
}

#[test]
fn messages_predictions_hold_for_both_phases_with_and_without_retaining() {
    for (phases, retain, seed) in [
        (1, false, 201),
        (1, true, 202),
        (2, false, 203),
        (2, true, 204),
    ] {
        assert_predicted(
            filter(phases, On::Messages, 177, retain, Hashing::Independent),
            seed,
        );
    }
}

#[test]
fn predictions_with_two_hashes_hold_for_both_phases_and_thresholds() {
    for (phases, on, threshold, seed) in [
        (1, On::BitsSet, 512, 301),
        (1, On::Messages, 177, 302),
        (2, On::BitsSet, 512, 303),
        (2, On::Messages, 177, 304),
    ] {
        assert_predicted(filter(phases, on, threshold, false, Hashing::Double), seed);
    }
}

/// The excess of two hashes lengthens the cycles that wait for bit-setting messages, most visibly in tiny partitions.
#[test]
fn two_hashes_with_a_threshold_on_messages_err_by_less_than_a_quarter_interval() {
    // an eighth of the arrivals for `cargo test`, and then the larger error that chance leaves
    let (length, chance) = match std::env::var_os("BLOOMLINE_SOAK") {
        Some(_) => (16 * ARRIVALS, 1.0),
        None => (2 * ARRIVALS, 8f64.sqrt()),
    };
    for (range, hashes, phases, threshold, seed) in [
        (32, 2, 1, 22, 501),
        (32, 4, 1, 12, 502),
        (32, 4, 1, 22, 503),
        (32, 4, 2, 22, 504),
        (32, 8, 1, 22, 505),
        (32, 8, 2, 16, 506),
        (64, 4, 1, 44, 507),
        (64, 8, 2, 44, 508),
    ] {
        let params = RecyclingParams {
            memory_bits: range * u64::from(hashes * phases),
            hashes,
            ..filter(phases, On::Messages, threshold, false, Hashing::Double)
        };
        let counts = simulate_arrivals(&params, seed, length);
        let measured = counts.seen as f64 / length as f64;
        let deviation = counts.seen_variance.sqrt() / length as f64;
        let prediction = predict(&params).expect("legal filter");
        let rate = prediction.fpr_average.value;
        let interval = 2.576 * deviation * 4.0; // 99%, of a sixteenth of the arrivals at full strength
        assert!(
            (rate - measured).abs() < 0.25 * interval,
            "seed {seed}, {params:?}: {rate}, measured {measured}, interval {interval}"
        );
        let cycle = counts.in_whole_cycles as f64 / counts.recycles as f64;
        let predicted = prediction.cycle_arrivals.value;
        assert!(
            (predicted / cycle - 1.0).abs() < 2e-4 * chance,
            "seed {seed}, {params:?}: cycle {predicted}, measured {cycle}"
        );
    }
}

/// Share of not-seen verdicts for keys at each distance after they arrived, by queries that change nothing.
fn simulate_false_negatives(params: &RecyclingParams, distances: &[u64], seed: u64) -> Vec<f64> {
    const KEYS: u64 = 300_000;
    let (k, phases) = (params.hashes as usize, params.phases as usize);
    let range = params.memory_bits as usize / (phases * k);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut active, mut frozen) = (Half::empty(k * range), Half::empty(k * range));
    let mut keys: Vec<Vec<usize>> = Vec::new();
    let mut missed = vec![0u64; distances.len()];
    for arrival in 0..KEYS {
        for (missed, distance) in missed.iter_mut().zip(distances) {
            // `distance` new messages have arrived since: the key is that many places before the newest
            if let Some(place) = arrival.checked_sub(distance + 1) {
                let probes = &keys[place as usize];
                let seen = probes.iter().all(|probe| active.set[*probe])
                    || (phases == 2 && probes.iter().all(|probe| frozen.set[*probe]));
                *missed += u64::from(!seen);
            }
        }
        let probes: Vec<usize> = (0..k)
            .map(|i| i * range + random.random_range(0..range))
            .collect();
        let fresh = probes.iter().filter(|probe| !active.set[**probe]).count() as u64;
        if fresh > 0 {
            if active.bits_set + fresh > params.threshold {
                frozen = std::mem::replace(&mut active, Half::empty(k * range));
                if params.retain {
                    active.store(&probes);
                }
            } else {
                active.store(&probes);
            }
        }
        keys.push(probes);
    }
    missed
        .iter()
        .zip(distances)
        .map(|(missed, distance)| *missed as f64 / (KEYS - distance - 1) as f64)
        .collect()
}

#[test]
fn false_negatives_hold_over_all_distances() {
    let distances = [0, 1, 20, 90, 165, 178, 190, 260, 340, 356, 370, 600];
    for (phases, retain, seed) in [
        (1, false, 401),
        (1, true, 402),
        (2, false, 403),
        (2, true, 404),
    ] {
        let params = filter(phases, On::BitsSet, 512, retain, Hashing::Independent);
        let half = PartitionedHalf::new(256, 4).expect("legal half");
        let law = partitioned_bits_set_law(half, 512, Method::Auto).expect("legal threshold");
        let law = if retain { law.retaining() } else { law };
        let model = Forgetting::new(half, &law, phases, retain).expect("legal filter");
        for (distance, measured) in distances
            .iter()
            .zip(simulate_false_negatives(&params, &distances, seed))
        {
            let predicted = model.false_negative(*distance);
            // 0.003 is over three standard deviations of a share of 300,000 keys
            let error = measured - predicted;
            assert!(
                error.abs() < model.absolute_error() + 0.003,
                "seed {seed}, {phases} phases, retain {retain}, distance {distance}: {measured}, predicted {predicted}"
            );
            let far = [174.0, 348.0]
                .iter()
                .all(|edge| (*distance as f64 - edge).abs() > 20.0);
            assert!(
                !far || error.abs() < 0.005,
                "seed {seed}, distance {distance}: {measured}, predicted {predicted}"
            );
        }
    }
}

/// Lengths of cycles in arrivals, the tripping one included, and the rate of the active half at each tripping arrival.
fn cycles(params: &RecyclingParams, seed: u64, count: usize) -> Vec<(u64, f64)> {
    let k = params.hashes as usize;
    let range = params.memory_bits as usize / (params.phases as usize * k);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut half = Half::empty(k * range);
    let mut cycles = Vec::with_capacity(count);
    let mut arrivals = 0;
    let mut probes = vec![0; k];
    while cycles.len() < count {
        arrivals += 1;
        let (start, stride) = (random.random_range(0..range), random.random_range(0..range));
        for (i, probe) in probes.iter_mut().enumerate() {
            let position = match params.hashing {
                Hashing::Independent => random.random_range(0..range),
                Hashing::Double => (start + i * stride) % range,
            };
            *probe = i * range + position;
        }
        let fresh = probes.iter().filter(|probe| !half.set[**probe]).count() as u64;
        if fresh == 0 {
            continue;
        }
        let trips = match params.on {
            On::BitsSet => half.bits_set + fresh > params.threshold,
            On::Messages => half.stored + 1 >= params.threshold,
        };
        if !trips {
            half.store(&probes);
            continue;
        }
        let fills = half.set.chunks(range);
        let rate = fills
            .map(|bits| bits.iter().filter(|set| **set).count() as f64 / range as f64)
            .product();
        cycles.push((arrivals, rate));
        half = Half::empty(k * range);
        arrivals = 0;
        if params.retain {
            half.store(&probes);
        }
    }
    cycles
}

#[test]
fn few_cycles_are_shorter_than_the_quantile_says() {
    // 20,000 cycles each; a share of 1 % or 50 % within 4 standard deviations, on both sides of the quantile
    const CYCLES: usize = 20_000;
    for (seed, hashes, hashing, on, threshold, retain) in [
        (61, 4, Hashing::Independent, On::BitsSet, 500, false),
        (62, 4, Hashing::Double, On::BitsSet, 500, true),
        (63, 3, Hashing::Independent, On::Messages, 150, false),
        (64, 4, Hashing::Double, On::Messages, 150, true),
        (65, 1, Hashing::Independent, On::Messages, 120, false),
    ] {
        let params = RecyclingParams {
            memory_bits: 256 * u64::from(hashes),
            phases: 1,
            hashes,
            hashing,
            on,
            threshold,
            retain,
        };
        let cycles = cycles(&params, seed, CYCLES);
        for chance in [0.01, 0.5] {
            let figure = cycle_quantile(&params, chance).expect("legal");
            let slack = (figure.value * figure.accuracy.relative_error).round() as u64;
            let least = figure.value as u64;
            let shorter = |than: u64| {
                let shorter = cycles.iter().filter(|(arrivals, _)| *arrivals < than);
                shorter.count() as f64 / CYCLES as f64
            };
            let allowed = 4.0 * (chance * (1.0 - chance) / CYCLES as f64).sqrt();
            let (below, above) = (shorter(least - slack), shorter(least + slack + 1));
            assert!(
                below <= chance + allowed && above >= chance - allowed,
                "seed {seed}, {chance}: {least} within {slack}, {below} {above}"
            );
            println!("seed {seed}, {chance}: {least} within {slack}: {below:.4} {above:.4}");
        }
        match worst_case_exceeded_by(&params, 0.01).expect("legal") {
            // the rate of two hash functions is no product of shares
            Some(_) if hashing == Hashing::Double => {}
            Some(bound) => {
                assert!(on == On::Messages);
                let above = cycles.iter().filter(|(_, rate)| *rate > bound.value);
                let share = above.count() as f64 / CYCLES as f64;
                assert!(share <= 0.01, "seed {seed}: {share}");
                // not far above the mean
                let mean = predict(&params).expect("legal").fpr_worst_case.value;
                assert!(
                    bound.value > mean && bound.value < 2.0 * mean,
                    "{mean} {bound:?}"
                );
            }
            None => assert!(on == On::BitsSet && hashing == Hashing::Independent),
        }
    }
}

/// Partitions, or one array (`parts` = 1), of `range` positions each.
#[derive(Debug, Clone, Copy)]
struct Layout {
    parts: usize,
    range: usize,
    params: RecyclingParams,
}

impl Layout {
    fn position(&self, i: usize, at: usize) -> usize {
        i % self.parts * self.range + at % self.range
    }

    fn probes(&self, random: &mut ChaCha8Rng) -> Vec<usize> {
        let (start, stride) = (
            random.random_range(0..self.range),
            random.random_range(0..self.range),
        );
        (0..self.params.hashes as usize)
            .map(|i| match self.params.hashing {
                Hashing::Double => self.position(i, start + i * stride),
                Hashing::Independent => self.position(i, random.random_range(0..self.range)),
            })
            .collect()
    }

    /// The rate of these bits; with two hash functions that of drawn keys.
    fn rate(&self, is_set: impl Fn(usize) -> bool, random: &mut ChaCha8Rng) -> f64 {
        let k = self.params.hashes as usize;
        if self.params.hashing == Hashing::Independent {
            let share = |part: usize| {
                let places = part * self.range..(part + 1) * self.range;
                let set = places.filter(|place| is_set(*place)).count();
                set as f64 / self.range as f64
            };
            return (0..k).map(|i| share(i % self.parts)).product();
        }
        const KEYS: u32 = 2_000;
        let seen = (0..KEYS).filter(|_| self.probes(random).iter().all(|probe| is_set(*probe)));
        seen.count() as f64 / f64::from(KEYS)
    }

    /// Share of false positives among the new keys of each cycle, and the rate just before its recycle.
    fn cycles(&self, seed: u64, number: usize) -> Vec<(f64, f64)> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let positions = self.parts * self.range;
        let two = self.params.phases == 2;
        let (mut active, mut frozen) = (Half::empty(positions), Half::empty(positions));
        let mut frozen_rate = 0.0;
        let mut cycles = Vec::new();
        let (mut arrivals, mut positives) = (0_u64, 0_u64);
        while cycles.len() < number + 2 {
            let probes = self.probes(&mut random);
            let mut fresh: Vec<_> = probes.iter().filter(|it| !active.set[**it]).collect();
            fresh.sort_unstable();
            fresh.dedup();
            let fresh = fresh.len() as u64;
            arrivals += 1;
            let known = two && probes.iter().all(|probe| frozen.set[*probe]);
            positives += u64::from(fresh == 0 || known);
            if fresh == 0 {
                continue;
            }
            let trips = match self.params.on {
                On::BitsSet => active.bits_set + fresh > self.params.threshold,
                On::Messages => active.stored + 1 >= self.params.threshold,
            };
            if !trips {
                active.store(&probes);
                continue;
            }
            let rate = self.rate(|place| active.set[place], &mut random);
            // of the halves as they are, which may have few bits in common
            let common = self.rate(|place| active.set[place] && frozen.set[place], &mut random);
            let either = rate + frozen_rate - common;
            cycles.push((positives as f64 / arrivals as f64, either));
            (arrivals, positives) = (0, 0);
            if two {
                frozen_rate = rate;
            }
            frozen = std::mem::replace(&mut active, Half::empty(positions));
            if self.params.retain {
                active.store(&probes);
            }
        }
        // the first begin with empty halves
        cycles.split_off(2)
    }
}

/// At most one cycle in a hundred exceeds the bounds, which lie within factors `(of a cycle, at its end)` of what is found.
fn assert_unlikely(
    layout: Layout,
    (of_a_cycle, worst): (&Figure, Option<&Figure>),
    prediction: &Prediction,
    near: (f64, f64),
    seed: u64,
) {
    const CYCLES: usize = 2_000;
    let cycles = layout.cycles(seed, CYCLES);
    // 99.9 %
    let allowed = 0.01 * CYCLES as f64 + 3.1 * (0.01 * CYCLES as f64).sqrt();
    let quantile = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[CYCLES * 99 / 100]
    };
    let shares: Vec<f64> = cycles.iter().map(|(share, _)| *share).collect();
    let slack = 1.0 + of_a_cycle.accuracy.relative_error;
    let above = shares
        .iter()
        .filter(|it| **it > slack * of_a_cycle.value)
        .count() as f64;
    let found = quantile(shares);
    assert!(
        above <= allowed,
        "seed {seed}: {above} above {of_a_cycle:?}"
    );
    assert!(
        of_a_cycle.value < near.0 * slack * found,
        "seed {seed}: {found} {of_a_cycle:?}"
    );
    assert!(of_a_cycle.value > prediction.fpr_average.value);
    if of_a_cycle.accuracy.kind == AccuracyKind::Approximation {
        assert!(
            found < slack * slack * of_a_cycle.value,
            "seed {seed}: {found} {of_a_cycle:?}"
        );
    }
    let Some(worst) = worst else {
        return;
    };
    let rates: Vec<f64> = cycles.iter().map(|(_, rate)| *rate).collect();
    let above = rates.iter().filter(|it| **it > worst.value).count() as f64;
    let found = quantile(rates);
    assert!(above <= allowed, "seed {seed}: {above} above {worst:?}");
    assert!(
        worst.value < near.1 * found,
        "seed {seed}: {found} {worst:?}"
    );
}

#[test]
fn few_cycles_have_more_false_positives_than_is_said_to_be_unlikely() {
    let (independent, double) = (Hashing::Independent, Hashing::Double);
    for (seed, range, hashing, phases, on, threshold, retain, near) in [
        (
            71,
            2048,
            independent,
            1,
            On::BitsSet,
            4096,
            false,
            (1.8, 1.1),
        ),
        (
            72,
            1024,
            independent,
            2,
            On::BitsSet,
            2048,
            true,
            (1.8, 1.1),
        ),
        (
            73,
            1024,
            independent,
            1,
            On::Messages,
            600,
            true,
            (1.0, 1.3),
        ),
        (
            74,
            1024,
            independent,
            2,
            On::Messages,
            600,
            false,
            (1.8, 1.4),
        ),
        (75, 2048, double, 1, On::BitsSet, 4096, false, (9.0, 9.0)),
        (76, 2048, double, 2, On::Messages, 1300, true, (9.0, 9.0)),
        (77, 1024, double, 1, On::Messages, 600, false, (1.0, 9.0)),
    ] {
        let params = RecyclingParams {
            memory_bits: 4 * range as u64 * u64::from(phases),
            phases,
            hashes: 4,
            hashing,
            on,
            threshold,
            retain,
        };
        let layout = Layout {
            parts: 4,
            range,
            params,
        };
        let of_a_cycle = cycle_rate_exceeded_by(&params, 0.01).expect("legal");
        let worst = worst_case_exceeded_by(&params, 0.01).expect("legal");
        let bound = phases == 1 && on == On::BitsSet && hashing != double;
        assert_eq!(worst.is_none(), bound);
        let prediction = predict(&params).expect("legal");
        let bounds = (&of_a_cycle, worst.as_ref());
        assert_unlikely(layout, bounds, &prediction, near, seed);
    }
}

#[test]
fn few_cycles_of_one_array_have_more_false_positives_than_is_said_to_be_unlikely() {
    let (independent, double) = (Hashing::Independent, Hashing::Double);
    for (seed, bits, hashing, phases, on, threshold, retain, near) in [
        (
            81,
            2048,
            independent,
            1,
            On::BitsSet,
            1024,
            true,
            (2.1, 0.0),
        ),
        (
            82,
            2048,
            independent,
            2,
            On::Messages,
            400,
            false,
            (1.8, 1.4),
        ),
        (
            83,
            2048,
            independent,
            1,
            On::Messages,
            400,
            false,
            (1.0, 1.4),
        ),
        (84, 8192, double, 2, On::BitsSet, 4096, false, (9.0, 9.0)),
        (85, 8192, double, 1, On::Messages, 1600, true, (1.0, 9.0)),
    ] {
        let params = SharedParams {
            half_bits: bits,
            phases,
            hashes: 3,
            distinct: false,
            two_hash: (hashing == double).then_some(Extension::None),
            on,
            threshold,
            retain,
        };
        let layout = Layout {
            parts: 1,
            range: bits as usize,
            params: RecyclingParams {
                memory_bits: bits * u64::from(phases),
                phases,
                hashes: 3,
                hashing,
                on,
                threshold,
                retain,
            },
        };
        let of_a_cycle = shared_cycle_rate_exceeded_by(&params, 0.01).expect("legal");
        let worst = shared_worst_case_exceeded_by(&params, 0.01).expect("legal");
        let bound = phases == 1 && on == On::BitsSet && hashing != double;
        assert_eq!(worst.is_none(), bound);
        let prediction = predict_shared(&params).expect("legal");
        let bounds = (&of_a_cycle, worst.as_ref());
        assert_unlikely(layout, bounds, &prediction, near, seed);
    }
}
