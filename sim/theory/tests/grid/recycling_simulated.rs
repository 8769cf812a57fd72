//! Recycling filters as a whole, with two phases, the retained message and two hash functions: simulated.

use super::bits::{cells, positions, share_of_keys, CHANCES, EXTENSIONS};
use super::keys::Scheme;
use super::{domain, mean_of, Drawn};
use bloomline_theory::sizing::{
    cycle_quantile, predict, predict_shared, shared_cycle_quantile, shared_worst_case_exceeded_by,
    worst_case_exceeded_by, Candidate, Hashing, On, Prediction, RecyclingParams, Reuse,
    SharedParams,
};
use bloomline_theory::{Accuracy, AccuracyKind, Figure};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// A filter that new keys arrive at.
struct Filter {
    scheme: Scheme,
    range: u64,
    hashes: u64,
    phases: u64,
    on: On,
    threshold: u64,
    retain: bool,
    active: Vec<bool>,
    frozen: Vec<bool>,
    bits: u64,
    messages: u64,
    /// Since the last recycle.
    arrivals: u64,
    setting: u64,
    cycles: Vec<Cycle>,
    /// Probes of the last keys, the latest one first.
    last: VecDeque<Vec<usize>>,
}

/// Between two recycles: arrivals, those that set a bit, and the rate just before the second one.
struct Cycle {
    arrivals: u64,
    setting: u64,
    last: Option<f64>,
}

impl Filter {
    /// Recycles whose rate is looked at; counting all keys of two hash functions takes time.
    const WATCHED: usize = 120;
    /// Keys of which the probes are kept.
    const REMEMBERED: usize = 1_000;

    /// Share of all keys that are seen: those of the active half or of the frozen one.
    fn rate(&self) -> f64 {
        let share = |yes: &[bool]| share_of_keys(self.scheme, self.range, self.hashes, yes);
        match self.phases {
            1 => share(&self.active),
            _ => {
                let pairs = self.active.iter().zip(&self.frozen);
                let both: Vec<bool> = pairs.map(|(a, f)| *a && *f).collect();
                share(&self.active) + share(&self.frozen) - share(&both)
            }
        }
    }

    /// Whether the key is forgotten that came so many new messages ago.
    fn forgot(&self, distance: usize) -> bool {
        let seen_in = |half: &[bool]| self.last[distance].iter().all(|at| half[*at]);
        let in_frozen = self.phases == 2 && seen_in(&self.frozen);
        !seen_in(&self.active) && !in_frozen
    }

    /// A new key arrives: whether it is seen.
    fn arrive(&mut self, random: &mut ChaCha8Rng) -> bool {
        let probes = positions(self.scheme, self.range, self.hashes, random);
        self.last.truncate(Self::REMEMBERED - 1);
        self.last.push_front(probes.clone());
        let mut fresh: Vec<usize> = probes
            .iter()
            .copied()
            .filter(|at| !self.active[*at])
            .collect();
        fresh.sort_unstable();
        fresh.dedup();
        let in_frozen = self.phases == 2 && probes.iter().all(|at| self.frozen[*at]);
        let new = fresh.len() as u64;
        self.arrivals += 1;
        if new == 0 {
            return true;
        }
        self.setting += 1;
        let trips = match self.on {
            On::BitsSet => self.bits + new > self.threshold,
            On::Messages => self.messages + 1 >= self.threshold,
        };
        if trips {
            self.cycles.push(Cycle {
                arrivals: self.arrivals,
                setting: self.setting,
                last: (self.cycles.len() < Self::WATCHED).then(|| self.rate()),
            });
            std::mem::swap(&mut self.active, &mut self.frozen);
            self.active.fill(false);
            (self.bits, self.messages, self.arrivals, self.setting) = (0, 0, 0, 0);
        }
        if !trips || self.retain {
            for at in probes {
                self.bits += u64::from(!std::mem::replace(&mut self.active[at], true));
            }
            self.messages += 1;
        }
        in_frozen
    }
}

/// Keys that come again behind so many new ones, of one distance.
fn forgotten(
    drawn: &mut Drawn,
    filter: &mut Filter,
    params: &RecyclingParams,
    predicted: &Prediction,
    random: &mut ChaCha8Rng,
) {
    const BATCHES: u32 = 60;
    let cycle = predicted.cycle_arrivals.value;
    let distance = random.random_range(0.0..2.3) * cycle;
    let distance = (distance as usize).min(Filter::REMEMBERED - 1);
    let reuse = Reuse::Distances(vec![(distance as u64, 1.0)]);
    let candidate = Candidate::of(*params, Some(&reuse));
    let Some(missed) = drawn
        .always(candidate)
        .and_then(|found| found.false_negatives)
    else {
        return;
    };
    while filter.last.len() <= distance {
        filter.arrive(random);
    }
    // a key and the next one are forgotten at about the same time
    let batch = (4.0 * cycle) as u32 + 100;
    let (mean, deviation) = super::over(BATCHES, || {
        let gone = (0..batch).filter(|_| {
            filter.arrive(random);
            filter.forgot(distance)
        });
        gone.count() as f64 / f64::from(batch)
    });
    // what is stated is absolute; `simulated` leaves five deviations
    let absolute = (missed.accuracy.relative_error * missed.value).min(1.0);
    let absolute = match missed.value > 0.0 {
        true => absolute,
        false => 0.6 / (filter.active.len() as f64).sqrt(),
    };
    let figure = Figure {
        accuracy: Accuracy::approximation(0.0),
        ..missed
    };
    drawn.simulated("forgotten", &figure, (mean, deviation + absolute / 5.0));
}

pub fn draw(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(1..=5u64);
    let extension = EXTENSIONS[random.random_range(0..3)];
    let scheme = match random.random_range(0..8) {
        0 => Scheme::Partitions,
        1..=3 => Scheme::DoublePartitions,
        4 => Scheme::Independent,
        5 => Scheme::Distinct,
        _ => Scheme::TwoHash(extension),
    };
    let partitioned = matches!(scheme, Scheme::Partitions | Scheme::DoublePartitions);
    let range = match partitioned {
        true => random.random_range(16..=128u64),
        false => 2 * hashes * hashes + random.random_range(30..300u64),
    };
    let half_bits = cells(scheme, range, hashes) as u64;
    let phases = random.random_range(1..=2u64);
    let retain = random.random_bool(0.5);
    let on = match random.random_bool(0.5) {
        true => On::BitsSet,
        false => On::Messages,
    };
    let threshold = match on {
        On::BitsSet => random.random_range(2 * hashes..half_bits * 7 / 10),
        On::Messages => random.random_range(3..=3 + half_bits / (2 * hashes)),
    };
    let chance = CHANCES[random.random_range(1..CHANCES.len())];
    let mut drawn = Drawn::new(format!(
        "{scheme:?} k {hashes} range {range} phases {phases} {on:?} {threshold} retain {retain} chance {chance}"
    ));
    let in_partitions = RecyclingParams {
        memory_bits: half_bits * phases,
        phases: phases as u32,
        hashes: hashes as u32,
        hashing: match scheme {
            Scheme::DoublePartitions => Hashing::Double,
            _ => Hashing::Independent,
        },
        on,
        threshold,
        retain,
    };
    let shared = SharedParams {
        half_bits,
        phases: phases as u32,
        hashes: hashes as u32,
        distinct: scheme == Scheme::Distinct,
        two_hash: match scheme {
            Scheme::TwoHash(extension) => Some(extension),
            _ => None,
        },
        on,
        threshold,
        retain,
    };
    let small = partitioned && on == On::Messages && hashes > 1 && range < 32;
    let of_law = domain(&[(small, "messages, partitions below 32 bits")]);
    let predicted = match partitioned {
        true => predict(&in_partitions),
        false => predict_shared(&shared),
    };
    let Some(predicted) = drawn.answer(of_law, predicted) else {
        return drawn;
    };
    let (quantile, exceeded) = match partitioned {
        true => (
            cycle_quantile(&in_partitions, chance),
            worst_case_exceeded_by(&in_partitions, chance),
        ),
        false => (
            shared_cycle_quantile(&shared, chance),
            shared_worst_case_exceeded_by(&shared, chance),
        ),
    };
    let mut filter = Filter {
        scheme,
        range,
        hashes,
        phases,
        on,
        threshold,
        retain,
        active: vec![false; half_bits as usize],
        frozen: vec![false; half_bits as usize],
        bits: 0,
        messages: 0,
        arrivals: 0,
        setting: 0,
        cycles: Vec::new(),
        last: VecDeque::new(),
    };
    // every key has as much of a rate as its cycle has of it
    while filter.cycles.len() < 3 {
        filter.arrive(random);
    }
    filter.cycles.clear();
    const BATCHES: u32 = 60;
    let cycles = (predicted.cycle_arrivals.value as u32).clamp(1, 2000);
    let batch = (3 * cycles).max(500);
    let measured = super::over(BATCHES, || {
        let seen = (0..batch).filter(|_| filter.arrive(random)).count();
        seen as f64 / f64::from(batch)
    });
    drawn.simulated("average", &predicted.fpr_average, measured);
    if partitioned {
        forgotten(&mut drawn, &mut filter, &in_partitions, &predicted, random);
    }
    // the first one was under way
    let cycles = &filter.cycles[1..];
    let mean = |of: &dyn Fn(&Cycle) -> f64| mean_of(&cycles.iter().map(of).collect::<Vec<_>>());
    // false positives may be too few to show in a deviation
    let n = cycles.len() as f64;
    let positives = predicted.cycle_arrivals.value * predicted.fpr_average.value;
    let rare = (positives / n).sqrt() + 1.0 / n;
    let (arrivals, deviation) = mean(&|cycle| cycle.arrivals as f64);
    let arrivals = (arrivals, deviation.max(rare));
    drawn.simulated("cycle", &predicted.cycle_arrivals, arrivals);
    let (setting, deviation) = mean(&|cycle| cycle.setting as f64);
    let setting = (setting, deviation.max(rare));
    drawn.simulated("messages", &predicted.cycle_messages, setting);
    let last = &predicted.fpr_worst_case;
    let lasts: Vec<f64> = cycles.iter().filter_map(|cycle| cycle.last).collect();
    // on bits the rate of two hash functions is a bound and what they add to it
    if on == On::Messages || last.accuracy.kind == AccuracyKind::Bound {
        drawn.simulated("last", last, mean_of(&lasts));
    }
    if let Some(quantile) = drawn.always(quantile) {
        drawn.quantile("cycle but for", &quantile, chance, |least| {
            let below = cycles.iter().filter(|cycle| cycle.arrivals < least);
            let share = below.count() as f64 / n;
            (share, (chance / n).sqrt())
        });
    }
    if let Some(Some(figure)) = drawn.always(exceeded) {
        let above = lasts.iter().filter(|last| **last > figure.value);
        let trials = (above.count() as u32, lasts.len() as u32);
        drawn.exceeded_in("last but for", &figure, chance, trials);
    }
    drawn
}
