//! Specifications drawn at random, of every kind: what is called exact is exact, and stated errors hold.
//!
//! The oracles are written from the semantics: the law of the bits of a small filter, followed arrival by arrival over its states, in
//! positive terms; two hash functions are simulated.

use bloomline_theory::cells::{
    Draw, PartitionedCounting, PartitionedStatic, Partitions, Rows, SharedArray,
};
use bloomline_theory::counting::CountingFilter;
use bloomline_theory::sizing::{
    predict, predict_shared, Hashing, On, Prediction, RecyclingParams, SharedParams,
};
use bloomline_theory::sliding::{Dictionary, SlidingFilter};
use bloomline_theory::two_hash::Extension;
use bloomline_theory::{AccuracyKind, Figure};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// Bits set in each array of a half: one array, or a partition a hash.
type State = Vec<u8>;
/// States with their probabilities.
type Law = HashMap<State, f64>;

/// How a message sets bits.
#[derive(Debug, Clone, Copy)]
enum Positions {
    /// One in each of k partitions.
    Partitioned,
    /// k draws from one array that may coincide.
    Colliding,
    /// k different ones of one array.
    Distinct,
}

#[derive(Debug, Clone, Copy)]
struct Half {
    bits: u8,
    hashes: u8,
    positions: Positions,
}

impl Half {
    fn empty(self) -> State {
        match self.positions {
            Positions::Partitioned => vec![0; self.hashes.into()],
            _ => vec![0],
        }
    }

    /// Where a new message leads from a state, with probabilities. Bits set never fall.
    fn next(self, state: &State) -> Vec<(State, f64)> {
        let m = f64::from(self.bits);
        let mut reached: Law = HashMap::from([(state.clone(), 1.0)]);
        for draw in 0..self.hashes {
            let array = match self.positions {
                Positions::Partitioned => usize::from(draw),
                _ => 0,
            };
            let mut after = Law::new();
            for (to, share) in reached {
                let clear = match self.positions {
                    // of the m - draw positions that are left, none that this message took
                    Positions::Distinct => (m - f64::from(to[0])) / (m - f64::from(draw)),
                    _ => 1.0 - f64::from(to[array]) / m,
                };
                let clear = clear.clamp(0.0, 1.0);
                let mut set = to.clone();
                set[array] += 1;
                *after.entry(set).or_default() += share * clear;
                *after.entry(to).or_default() += share * (1.0 - clear);
            }
            reached = after;
        }
        reached
            .into_iter()
            .filter(|(_, share)| *share > 0.0)
            .collect()
    }

    fn rate(self, state: &State) -> f64 {
        let (m, k) = (f64::from(self.bits), self.hashes);
        match self.positions {
            Positions::Partitioned => state.iter().map(|b| f64::from(*b) / m).product(),
            Positions::Colliding => (f64::from(state[0]) / m).powi(k.into()),
            Positions::Distinct => (0..k)
                .map(|i| ((f64::from(state[0]) - f64::from(i)) / (m - f64::from(i))).max(0.0))
                .product(),
        }
    }
}

/// What one cycle brings, followed until no more than 1e-17 of it is left.
#[derive(Debug)]
struct Cycle {
    arrivals: f64,
    positives: f64,
    frozen: f64,
}

fn cycle(half: Half, on: On, threshold: u64, retain: bool) -> Cycle {
    let start = match (retain, half.positions) {
        (false, _) => half.empty(),
        (true, Positions::Partitioned) => vec![1; half.hashes.into()],
        (true, _) => vec![half.hashes],
    };
    let mut alive: HashMap<(State, u64), f64> = HashMap::from([((start, u64::from(retain)), 1.0)]);
    let mut found = Cycle {
        arrivals: 0.0,
        positives: 0.0,
        frozen: 0.0,
    };
    let bits = |state: &State| state.iter().map(|b| u64::from(*b)).sum::<u64>();
    for _ in 0..100_000 {
        let mut after = HashMap::new();
        for ((state, messages), share) in &alive {
            let rate = half.rate(state);
            found.arrivals += share;
            found.positives += share * rate;
            for (to, probability) in half.next(state) {
                let new = bits(&to) - bits(state);
                let trips = new > 0
                    && match on {
                        On::BitsSet => bits(&to) > threshold,
                        On::Messages => messages + 1 >= threshold,
                    };
                let part = share * probability;
                if trips {
                    found.frozen += part * rate;
                } else {
                    let key = (to, messages + u64::from(new > 0));
                    *after.entry(key).or_insert(0.0) += part;
                }
            }
        }
        alive = after;
        if alive.values().sum::<f64>() < 1e-17 {
            break;
        }
    }
    found
}

/// The part of a figure's stated error that is used up; above 1 it does not hold.
fn used(figure: &Figure, exact: f64) -> f64 {
    let off = (figure.value - exact).abs();
    match figure.accuracy.kind {
        // the oracle's own rounding is about 1e-13
        AccuracyKind::Exact | AccuracyKind::Approximation => {
            off / (exact * (figure.accuracy.relative_error + 1e-12) + f64::MIN_POSITIVE)
        }
        AccuracyKind::Bound => f64::from(u8::from(figure.value < exact * (1.0 - 1e-12))) * 2.0,
        AccuracyKind::LowerBound => f64::from(u8::from(figure.value > exact * (1.0 + 1e-12))) * 2.0,
    }
}

/// One drawn specification: the figures that were held against an oracle, and every one whose error does not hold.
struct Drawn {
    what: String,
    exact: u64,
    others: u64,
    wrong: Vec<String>,
}

impl Drawn {
    fn new(what: String) -> Self {
        Self {
            what,
            exact: 0,
            others: 0,
            wrong: Vec::new(),
        }
    }

    fn count(&mut self, figure: &Figure) {
        match figure.accuracy.kind {
            AccuracyKind::Exact => self.exact += 1,
            _ => self.others += 1,
        }
    }

    fn figure(&mut self, name: &str, figure: &Figure, exact: f64) {
        self.count(figure);
        let used = used(figure, exact);
        if used > 1.0 || used.is_nan() {
            self.wrong.push(format!(
                "{name} {} for {exact}, {:?} {:e}: {used} of that stated",
                figure.value, figure.accuracy.kind, figure.accuracy.relative_error
            ));
        }
    }

    /// Against a simulated share with its deviation: five deviations beside the stated error.
    fn simulated(&mut self, name: &str, figure: &Figure, (share, deviation): (f64, f64)) {
        self.count(figure);
        let off = (figure.value - share).abs();
        let stated = share * figure.accuracy.relative_error;
        if off > 5.0 * deviation + stated {
            self.wrong.push(format!(
                "{name} {} for {share} +- {deviation}, {:?} {:e}",
                figure.value, figure.accuracy.kind, figure.accuracy.relative_error
            ));
        }
    }
}

fn recycling(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(1..=3u8);
    let partitioned = random.random_bool(0.5);
    let positions = match (partitioned, random.random_bool(0.5)) {
        (true, _) => Positions::Partitioned,
        (false, true) => Positions::Colliding,
        (false, false) => Positions::Distinct,
    };
    let bits = match positions {
        Positions::Partitioned => random.random_range(2..=7),
        _ => random.random_range(hashes + 1..=20),
    };
    // the retained message of colliding draws has a number of positions that depends on where it tripped
    let retain = random.random_bool(0.5) && !matches!(positions, Positions::Colliding);
    let phases = if retain {
        1
    } else {
        random.random_range(1..=2)
    };
    let on = if random.random_bool(0.5) {
        On::BitsSet
    } else {
        On::Messages
    };
    let half_bits = match positions {
        Positions::Partitioned => u64::from(bits) * u64::from(hashes),
        _ => u64::from(bits),
    };
    let threshold = match on {
        On::BitsSet => random.random_range(u64::from(hashes)..half_bits),
        On::Messages => random.random_range(2..=1 + half_bits / u64::from(hashes)),
    };
    let half = Half {
        bits,
        hashes,
        positions,
    };
    let mut drawn = Drawn::new(format!(
        "recycling {half:?} phases {phases} {on:?} {threshold} retain {retain}"
    ));
    let predicted: Result<Prediction, _> = match positions {
        Positions::Partitioned => predict(&RecyclingParams {
            memory_bits: half_bits * phases,
            phases: phases as u32,
            hashes: hashes.into(),
            hashing: Hashing::Independent,
            on,
            threshold,
            retain,
        }),
        _ => predict_shared(&SharedParams {
            half_bits,
            phases: phases as u32,
            hashes: hashes.into(),
            distinct: matches!(positions, Positions::Distinct),
            two_hash: None,
            on,
            threshold,
            retain,
        }),
    };
    // a law that refuses says nothing wrong
    let Ok(predicted) = predicted else {
        return drawn;
    };
    let exact = cycle(half, on, threshold, retain);
    let active = exact.positives / exact.arrivals;
    let one_phase = phases == 1;
    let rate = match one_phase {
        true => active,
        false => active + exact.frozen - active * exact.frozen,
    };
    // colliding draws join the halves: (26) is not the rate of two phases there
    if one_phase || !matches!(positions, Positions::Colliding) || hashes == 1 {
        drawn.figure("average", &predicted.fpr_average, rate);
    }
    drawn.figure("cycle", &predicted.cycle_arrivals, exact.arrivals);
    let setting = exact.arrivals - exact.positives;
    drawn.figure("messages", &predicted.cycle_messages, setting);
    if one_phase {
        drawn.figure("last", &predicted.fpr_worst_case, exact.frozen);
    }
    drawn
}

/// A recycling filter as a whole, with two phases, the retained message and two hash functions: simulated.
fn recycling_simulated(random: &mut ChaCha8Rng) -> Drawn {
    let partitioned = random.random_bool(0.5);
    let hashes = random.random_range(1..=5u64);
    let scheme = random.random_range(0..4);
    let distinct = !partitioned && scheme == 0 && random.random_bool(0.5);
    let range = match partitioned {
        true => random.random_range(16..=128u64),
        false => 2 * hashes * hashes + random.random_range(30..300u64),
    };
    let half_bits = if partitioned { range * hashes } else { range };
    let phases = random.random_range(1..=2u32);
    let retain = random.random_bool(0.5);
    let on = if random.random_bool(0.6) {
        On::BitsSet
    } else {
        On::Messages
    };
    let threshold = match on {
        On::BitsSet => random.random_range(2 * hashes..half_bits * 7 / 10),
        On::Messages => random.random_range(3..=3 + half_bits / (2 * hashes)),
    };
    let mut drawn = Drawn::new(format!(
        "recycling, simulated, partitioned {partitioned} k {hashes} scheme {scheme} distinct {distinct} range {range} phases {phases} \
         {on:?} {threshold} retain {retain}"
    ));
    let predicted = if partitioned {
        let hashing = match scheme {
            0 => Hashing::Independent,
            _ => Hashing::Double,
        };
        predict(&RecyclingParams {
            memory_bits: half_bits * u64::from(phases),
            phases,
            hashes: hashes as u32,
            hashing,
            on,
            threshold,
            retain,
        })
    } else {
        let two_hash = [
            None,
            Some(Extension::None),
            Some(Extension::Square),
            Some(Extension::Cube),
        ];
        predict_shared(&SharedParams {
            half_bits,
            phases,
            hashes: hashes as u32,
            distinct,
            two_hash: two_hash[scheme],
            on,
            threshold,
            retain,
        })
    };
    let Ok(predicted) = predicted else {
        return drawn;
    };
    let positions = |random: &mut ChaCha8Rng| -> Vec<usize> {
        let (start, stride) = (random.random_range(0..range), random.random_range(0..range));
        let mut taken: Vec<usize> = Vec::new();
        for i in 0..hashes {
            let more = match (partitioned, scheme) {
                (false, 2) => i * i,
                (false, 3) => i * i * i,
                _ => 0,
            };
            loop {
                let position = match scheme {
                    0 => random.random_range(0..range),
                    _ => (start + i * stride + more) % range,
                };
                let at = if partitioned {
                    i * range + position
                } else {
                    position
                };
                if distinct && taken.contains(&(at as usize)) {
                    continue;
                }
                taken.push(at as usize);
                break;
            }
        }
        taken
    };
    let mut active = vec![false; half_bits as usize];
    let mut frozen = active.clone();
    let (mut bits, mut messages) = (0, 0);
    let mut arrival = || {
        let probes = positions(random);
        let mut fresh: Vec<usize> = probes.iter().copied().filter(|at| !active[*at]).collect();
        fresh.sort_unstable();
        fresh.dedup();
        let in_frozen = phases == 2 && probes.iter().all(|at| frozen[*at]);
        let new = fresh.len() as u64;
        if new > 0 {
            let trips = match on {
                On::BitsSet => bits + new > threshold,
                On::Messages => messages + 1 >= threshold,
            };
            if trips {
                std::mem::swap(&mut active, &mut frozen);
                active.fill(false);
                (bits, messages) = (0, 0);
            }
            if !trips || retain {
                for at in probes {
                    bits += u64::from(!std::mem::replace(&mut active[at], true));
                }
                messages += 1;
            }
        }
        new == 0 || in_frozen
    };
    let cycles = (predicted.cycle_arrivals.value as u32).clamp(1, 2000);
    (0..3 * cycles).for_each(|_| {
        arrival();
    });
    let batch = (2 * cycles).max(500);
    let measured = over_filters(60, || {
        f64::from((0..batch).filter(|_| arrival()).count() as u32) / f64::from(batch)
    });
    drawn.simulated("average", &predicted.fpr_average, measured);
    drawn
}

/// A static filter of one array.
fn one_array(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(1..=6u8);
    let bits = random.random_range(hashes.max(2)..=60);
    let items = random.random_range(0..=40u64);
    let distinct = random.random_bool(0.5);
    let half = Half {
        bits,
        hashes,
        positions: if distinct {
            Positions::Distinct
        } else {
            Positions::Colliding
        },
    };
    let mut drawn = Drawn::new(format!("static {half:?} items {items}"));
    let mut law: Law = HashMap::from([(half.empty(), 1.0)]);
    for _ in 0..items {
        let mut after = Law::new();
        for (state, share) in &law {
            for (to, probability) in half.next(state) {
                *after.entry(to).or_default() += share * probability;
            }
        }
        law = after;
    }
    let rate: f64 = law
        .iter()
        .map(|(state, share)| share * half.rate(state))
        .sum();
    let fill: f64 = law
        .iter()
        .map(|(state, share)| share * f64::from(state[0]) / f64::from(bits))
        .sum();
    let draw = if distinct {
        Draw::Distinct
    } else {
        Draw::Independent
    };
    if let Ok(array) = SharedArray::new(bits.into(), hashes.into(), draw) {
        if let Ok(figure) = array.rate(items) {
            drawn.figure("rate", &figure, rate);
        }
        drawn.figure("fill", &array.fill(items), fill);
    }
    drawn
}

/// A mean and its standard deviation over `filters` filters; `share` gives what one filter shows.
fn over_filters(filters: u32, mut share: impl FnMut() -> f64) -> (f64, f64) {
    let shares: Vec<f64> = (0..filters).map(|_| share()).collect();
    let n = f64::from(filters);
    let mean = shares.iter().sum::<f64>() / n;
    let square: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
    (
        mean,
        (square / (n * (n - 1.0))).sqrt().max(1.0 / (n * 64.0)),
    )
}

/// Static filters by two hash functions, in one array or partitions: simulated.
fn two_hash(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(3..=16u32);
    let partitioned = random.random_bool(0.5);
    let extension =
        [Extension::None, Extension::Square, Extension::Cube][random.random_range(0..3)];
    let least = if partitioned {
        8
    } else {
        2 * u64::from(hashes * hashes)
    };
    let range = random.random_range(least..least * 4);
    let load = random.random_range(0.2..1.5);
    let items = match partitioned {
        true => (load * range as f64) as u64,
        false => (load * range as f64 / f64::from(hashes)) as u64,
    };
    let mut drawn = Drawn::new(format!(
        "two hashes, partitioned {partitioned} {extension:?} k {hashes} range {range} items {items}"
    ));
    let figure = if partitioned {
        Partitions::new(range, hashes, Hashing::Double)
            .and_then(|partitions| PartitionedStatic::new(partitions, items))
            .map(|filter| filter.rate())
    } else {
        SharedArray::new(range, hashes, Draw::TwoHash(extension))
            .and_then(|array| array.rate(items))
    };
    let Ok(figure) = figure else {
        return drawn;
    };
    let power = match extension {
        Extension::None => 0,
        Extension::Square => 2,
        Extension::Cube => 3,
    };
    let positions = |random: &mut ChaCha8Rng| -> Vec<usize> {
        let (start, stride) = (random.random_range(0..range), random.random_range(0..range));
        (0..u64::from(hashes))
            .map(|i| {
                let more = match (partitioned, power) {
                    (true, _) | (_, 0) => 0,
                    (false, power) => i.pow(power),
                };
                let position = (start + i * stride + more) % range;
                match partitioned {
                    true => (i * range + position) as usize,
                    false => position as usize,
                }
            })
            .collect()
    };
    let arrays = if partitioned { u64::from(hashes) } else { 1 };
    let measured = over_filters(60, || {
        let mut bits = vec![false; (arrays * range) as usize];
        for _ in 0..items {
            positions(random).into_iter().for_each(|at| bits[at] = true);
        }
        let queries = 200;
        let seen = (0..queries).filter(|_| positions(random).into_iter().all(|at| bits[at]));
        seen.count() as f64 / f64::from(queries)
    });
    drawn.simulated("rate", &figure, measured);
    drawn
}

/// A counting filter in one array: the false report of a key that never came is CBF (2) with stated error, against simulation.
fn counting(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(1..=4u64);
    let counters = random.random_range(64..256u64);
    let threshold = random.random_range(1..=4u64);
    let insertions = random.random_range(1..=counters * threshold / hashes);
    let mut drawn = Drawn::new(format!(
        "counting k {hashes} counters {counters} threshold {threshold} insertions {insertions}"
    ));
    let Ok(array) = SharedArray::new(counters, hashes as u32, Draw::Independent) else {
        return drawn;
    };
    let Ok(figure) = array.reported(insertions, threshold, 0) else {
        return drawn;
    };
    assert!(CountingFilter::new(counters, insertions, hashes, threshold).is_ok());
    let measured = over_filters(60, || {
        let mut cells = vec![0u64; counters as usize];
        for _ in 0..insertions * hashes {
            cells[random.random_range(0..counters) as usize] += 1;
        }
        let queries = 200;
        let reported = (0..queries).filter(|_| {
            (0..hashes).all(|_| cells[random.random_range(0..counters) as usize] >= threshold)
        });
        reported.count() as f64 / f64::from(queries)
    });
    match figure.accuracy.kind {
        AccuracyKind::Bound => {
            if figure.value < measured.0 - 5.0 * measured.1 {
                drawn
                    .wrong
                    .push(format!("bound {} below {measured:?}", figure.value));
            }
        }
        _ => drawn.simulated("report", &figure, measured),
    }
    drawn
}

/// Counters in one array by two hash functions, thresholds small and large, for keys of every count below: simulated.
fn two_hash_counters(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(2..=8u64);
    let extension = match hashes {
        7.. => Extension::None,
        _ => [Extension::None, Extension::Square, Extension::Cube][random.random_range(0..3)],
    };
    let range = random.random_range(2 * hashes * hashes..16 * hashes * hashes);
    let threshold = [1, 2, 4, 10, 30, 60, 120][random.random_range(0..7)];
    let count = random.random_range(0..threshold);
    let load = random.random_range(0.3..1.1) * (threshold - count) as f64;
    let insertions = (load * range as f64 / hashes as f64).ceil() as u64;
    let mut drawn = Drawn::new(format!(
        "counting by two hashes {extension:?} k {hashes} counters {range} threshold {threshold} count {count} insertions {insertions}"
    ));
    let Ok(array) = SharedArray::new(range, hashes as u32, Draw::TwoHash(extension)) else {
        return drawn;
    };
    let Ok(figure) = array.reported(insertions, threshold, count) else {
        return drawn;
    };
    let power = match extension {
        Extension::None => None,
        Extension::Square => Some(2),
        Extension::Cube => Some(3),
    };
    let positions = |random: &mut ChaCha8Rng| -> Vec<usize> {
        let (start, stride) = (random.random_range(0..range), random.random_range(0..range));
        let more = |i: u64| power.map_or(0, |power| i.pow(power));
        (0..hashes)
            .map(|i| ((start + i * stride + more(i)) % range) as usize)
            .collect()
    };
    let measured = over_filters(60, || {
        let mut cells = vec![0u64; range as usize];
        for _ in 0..insertions {
            positions(random).into_iter().for_each(|at| cells[at] += 1);
        }
        let queries = 200;
        let mut reported = 0;
        for _ in 0..queries {
            let key = positions(random);
            let own = |at: usize| key.iter().filter(|other| **other == at).count() as u64;
            let all = key
                .iter()
                .all(|at| cells[*at] + count * own(*at) >= threshold);
            reported += u32::from(all);
        }
        f64::from(reported) / f64::from(queries)
    });
    match figure.accuracy.kind {
        AccuracyKind::LowerBound => {
            drawn.count(&figure);
            if figure.value > measured.0 + 5.0 * measured.1 {
                let fault = format!("lower bound {} above {measured:?}", figure.value);
                drawn.wrong.push(fault);
            }
        }
        _ => drawn.simulated("report", &figure, measured),
    }
    drawn
}

/// Partitions, and how a key's cells in them are drawn.
fn partitions(random: &mut ChaCha8Rng) -> (u64, u64, Hashing) {
    let double = random.random_bool(0.5);
    let range = random.random_range(16..100u64);
    let hashing = if double {
        Hashing::Double
    } else {
        Hashing::Independent
    };
    (range, random.random_range(1..=5u64), hashing)
}

/// The cells of a new key, partition after partition.
fn cells(random: &mut ChaCha8Rng, range: u64, hashes: u64, hashing: Hashing) -> Vec<usize> {
    let (start, stride) = (random.random_range(0..range), random.random_range(0..range));
    (0..hashes)
        .map(|i| {
            let position = match hashing {
                Hashing::Independent => random.random_range(0..range),
                Hashing::Double => (start + i * stride) % range,
            };
            (i * range + position) as usize
        })
        .collect()
}

/// A counting filter in partitions, for keys of every count below the threshold.
fn counting_in_partitions(random: &mut ChaCha8Rng) -> Drawn {
    let (range, hashes, hashing) = partitions(random);
    let threshold = random.random_range(1..=4u64);
    let count = random.random_range(0..threshold);
    let insertions = random.random_range(1..=range * threshold);
    let mut drawn = Drawn::new(format!(
        "counting in partitions k {hashes} {hashing:?} range {range} threshold {threshold} count {count} insertions {insertions}"
    ));
    let figure = Partitions::new(range, hashes as u32, hashing)
        .and_then(|partitions| PartitionedCounting::new(partitions, insertions, threshold))
        .and_then(|filter| filter.reported(count));
    let Ok(figure) = figure else {
        return drawn;
    };
    let measured = over_filters(60, || {
        let mut counters = vec![0u64; (hashes * range) as usize];
        for _ in 0..insertions {
            for cell in cells(random, range, hashes, hashing) {
                counters[cell] += 1;
            }
        }
        let queries = 200;
        let mut reported = 0;
        for _ in 0..queries {
            let all = cells(random, range, hashes, hashing);
            reported += u32::from(
                all.into_iter()
                    .all(|cell| counters[cell] + count >= threshold),
            );
        }
        f64::from(reported) / f64::from(queries)
    });
    drawn.simulated("report", &figure, measured);
    drawn
}

/// A Count-Min sketch: its bounds on any amounts, and its law on keys that come once.
fn sketch(random: &mut ChaCha8Rng) -> Drawn {
    let (range, hashes, hashing) = partitions(random);
    let keys = random.random_range(1..=3 * range);
    let once = random.random_bool(0.5);
    let amounts: Vec<u64> = (0..keys)
        .map(|_| {
            if once {
                1
            } else {
                1 + 400 / random.random_range(1..=400u64)
            }
        })
        .collect();
    let total: u64 = amounts.iter().sum();
    let excess = random.random_range(0.5..6.0) / range as f64;
    let mut drawn = Drawn::new(format!(
        "sketch d {hashes} {hashing:?} width {range} keys {keys} once {once} total {total} excess {excess}"
    ));
    let rows = Partitions::new(range, hashes as u32, hashing)
        .and_then(|partitions| Rows::new(partitions, total));
    let Ok(rows) = rows else {
        return drawn;
    };
    let failure = rows.failure_bound(excess).expect("above 0");
    let within = rows.error_bound(0.05).expect("a probability");
    let (mut beyond, mut beyond_bound, mut means) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..60 {
        let mut counters = vec![0u64; (hashes * range) as usize];
        for amount in &amounts {
            for cell in cells(random, range, hashes, hashing) {
                counters[cell] += amount;
            }
        }
        let queries = 100;
        let errors: Vec<u64> = (0..queries)
            .map(|_| {
                let all = cells(random, range, hashes, hashing);
                all.into_iter()
                    .map(|cell| counters[cell])
                    .min()
                    .unwrap_or(0)
            })
            .collect();
        let share = |limit: f64| {
            errors
                .iter()
                .filter(|error| **error as f64 >= limit * (1.0 - 1e-12))
                .count() as f64
                / f64::from(queries)
        };
        beyond.push(share(excess * total as f64));
        beyond_bound.push(share((within.value * total as f64).max(1e-9)));
        means.push(errors.iter().sum::<u64>() as f64 / f64::from(queries));
    }
    let over = |shares: Vec<f64>| {
        let mut all = shares.into_iter();
        over_filters(60, || all.next().expect("60 sketches"))
    };
    for (name, figure, bound, measured) in [
        ("failure", &failure, failure.value, over(beyond)),
        ("error within", &within, 0.05, over(beyond_bound)),
    ] {
        drawn.count(figure);
        if bound < measured.0 - 5.0 * measured.1 {
            drawn
                .wrong
                .push(format!("{name}: bound {bound} below {measured:?}"));
        }
    }
    if once {
        drawn.simulated("mean error", &rows.unit_error(), over(means));
    }
    drawn
}

/// A sliding window: the rate of its values in their range, and of the dictionary that holds them.
fn sliding(random: &mut ChaCha8Rng) -> Drawn {
    let window = random.random_range(20..200u64);
    let slack = random.random_range(1..=2 * window);
    let rate = random.random_range(0.02..0.4);
    let mut drawn = Drawn::new(format!("sliding window {window} slack {slack} rate {rate}"));
    let Ok(filter) = SlidingFilter::new(window, slack, rate) else {
        return drawn;
    };
    let range = filter.range() as u64;
    let stored = filter.capacity();
    let measured = over_filters(60, || {
        let values: Vec<u64> = (0..stored).map(|_| random.random_range(0..range)).collect();
        let queries = 200;
        let seen = (0..queries).filter(|_| values.contains(&random.random_range(0..range)));
        seen.count() as f64 / f64::from(queries)
    });
    let bound = filter.union_bound();
    drawn.count(&bound);
    if bound.value < measured.0 - 5.0 * measured.1 {
        drawn
            .wrong
            .push(format!("bound {} below {measured:?}", bound.value));
    }
    drawn.simulated(
        "values",
        &filter.rate_with(stored).expect("at the capacity"),
        measured,
    );
    // tables that are hardly ever full, so that what is stored lies in the front table
    let buckets = stored.next_power_of_two();
    let dictionary = Dictionary {
        live: stored,
        front_buckets: buckets,
        back_buckets: buckets,
        bucket_cells: 8,
        store_cells: 8,
        fingerprint_bits: random.random_range(2..=5),
    };
    let Ok(figure) = dictionary.false_positive_rate(stored) else {
        return drawn;
    };
    let values = buckets << dictionary.fingerprint_bits;
    let measured = over_filters(60, || {
        let mut table = std::collections::HashSet::new();
        // a value that matches is not stored again: so many different ones
        while (table.len() as u64) < stored {
            table.insert(random.random_range(0..values));
        }
        let queries = 400;
        let seen = (0..queries).filter(|_| table.contains(&random.random_range(0..values)));
        seen.count() as f64 / f64::from(queries)
    });
    drawn.simulated("dictionary", &figure, measured);
    drawn
}

/// Draws so many specifications, and reports every one of which something stated does not hold.
fn holds(specifications: u64, seed: u64) {
    let mut wrong = Vec::new();
    let mut by_kind = [0; 9];
    let (mut exact, mut others) = (0, 0);
    for number in 0..specifications {
        let mut random = ChaCha8Rng::seed_from_u64(seed + number);
        let kind = random.random_range(0..14);
        let (place, drawn) = match kind {
            0..=4 => (0, recycling(&mut random)),
            5 => (1, recycling_simulated(&mut random)),
            6..=7 => (2, one_array(&mut random)),
            8 => (3, two_hash(&mut random)),
            9 => (4, counting(&mut random)),
            10 => (5, counting_in_partitions(&mut random)),
            11 => (6, sketch(&mut random)),
            12 => (7, sliding(&mut random)),
            _ => (8, two_hash_counters(&mut random)),
        };
        by_kind[place] += 1;
        exact += drawn.exact;
        others += drawn.others;
        for fault in &drawn.wrong {
            let line = format!("seed {}: {}: {fault}", seed + number, drawn.what);
            println!("{line}");
            wrong.push(line);
        }
    }
    println!(
        "{specifications} specifications ({by_kind:?} of recycling, recycling simulated, static, two-hash, counting, counting in partitions, \
         sketch, sliding, counting by two hashes): {exact} figures called exact, {others} others, {} wrong",
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} of {specifications}: {}",
        wrong.len(),
        wrong[0]
    );
    assert!(
        exact > specifications / 2 && others > specifications / 10,
        "{exact} {others}"
    );
}

#[test]
fn a_figure_that_is_off_is_told() {
    let half = Half {
        bits: 5,
        hashes: 2,
        positions: Positions::Partitioned,
    };
    let params = RecyclingParams {
        memory_bits: 10,
        phases: 1,
        hashes: 2,
        hashing: Hashing::Independent,
        on: On::BitsSet,
        threshold: 6,
        retain: false,
    };
    let exact = cycle(half, On::BitsSet, 6, false);
    let mut figure = predict(&params).expect("legal").fpr_average;
    assert!(used(&figure, exact.positives / exact.arrivals) <= 1.0);
    figure.value *= 1.0 + 1e-8;
    assert!(used(&figure, exact.positives / exact.arrivals) > 1.0);
}

#[test]
fn stated_errors_hold_of_specifications_drawn_at_random() {
    holds(150, 1_000_000);
}

#[test]
#[ignore = "a claim"]
fn stated_errors_hold_of_ten_thousand_specifications() {
    holds(10_000, 2_000_000);
}
