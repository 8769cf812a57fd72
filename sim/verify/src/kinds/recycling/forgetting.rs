//! Rate of forgotten repeats, compared with theory.
//!
//! Theory gives the probability that a repeat is not seen from its reuse distance d, in new messages, and the mean cycle L. It
//! supposes a stream of random new keys among which the repeats are few and come at any moment of a cycle alike. Measured is
//! the ratio of the observed number to the expected one, the sum of those probabilities over the repeats. Whether one repeat is
//! forgotten depends on where the recycles fall, which all repeats of a cycle share, and so does that of the next cycles; so the
//! unit is a batch of whole cycles, and the interval is that of a ratio of sums over batches.
//!
//! The test does not apply, or finds too little evidence, and never passes, when
//! * there is no prediction for the filter, or it recycled by age;
//! * there are too few cycles or forgotten repeats;
//! * the traffic is of another kind: the places in their cycles at which the keys of the repeats had come before are not uniform,
//!   by more than a tenth of the predicted rate (Kolmogorov's distance, which bounds the error of the rate).

use crate::stats::{judge, Evidence, Interval, RatioEstimator, StatsError, Verdict};
use bloomline_model::{Arrival, Outcome};
use bloomline_spec::{Hashing, Layout, RecycleOn, RecyclingGeometry};
use bloomline_theory::recycling::{
    partitioned_bits_set_law, partitioned_messages_law, CycleLaw, Forgetting, Method,
    PartitionedHalf,
};
use bloomline_theory::sizing::{self, On, RecyclingParams};
use bloomline_theory::TheoryError;
use serde::Serialize;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};
use std::collections::HashMap;
use std::sync::Arc;

/// Cycles a batch: more than any reuse distance at which it is open whether a key is forgotten.
const BATCH_CYCLES: u64 = 8;
/// Classes of places within a cycle.
const PLACES: usize = 64;
/// The greatest distance from uniform places, as a part of the predicted rate.
const MOST_DISTANCE: f64 = 0.1;

/// What became of the repeats, beside what theory says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forgotten {
    /// Repeats in whole cycles, after the first ones.
    pub repeats: u64,
    /// Of those, not seen.
    pub forgotten: u64,
    /// Their share.
    pub measured: f64,
    /// Lower end of its interval.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Confidence of the interval.
    pub confidence: f64,
    /// The mean probability of the repeats.
    pub predicted: Option<f64>,
    /// What the formula may be off by, because cycles are not all of the mean length and two hash functions are not
    /// independent ones; beside the interval.
    pub model_error: f64,
    /// Greatest distance of the repeats' places in their cycles from uniform ones.
    pub place_distance: f64,
    /// Whole cycles.
    pub cycles: u64,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Why there is no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<String>,
}

impl Forgotten {
    /// The verdict on a predicted rate, were the traffic and the filter what theory supposes.
    pub fn judge(&self, predicted: f64) -> Verdict {
        let interval = Interval {
            low: self.ci_low,
            high: self.ci_high,
            confidence: self.confidence,
        };
        let evidence = Evidence {
            cycles: self.cycles,
            events: self.forgotten,
        };
        judge(&interval, predicted, self.model_error, evidence)
    }
}

/// Theory for one geometry.
struct Theory {
    forgetting: Forgetting,
    cycle_length: f64,
    /// Added to a distance for d'.
    tripping: f64,
    phases: u32,
    two_hash_excess: f64,
}

impl Theory {
    fn new(geometry: &RecyclingGeometry) -> Result<Self, TheoryError> {
        if geometry.layout() == Layout::Shared {
            return Err(TheoryError::OutOfDomain {
                formula: "share of forgotten repeats",
                argument: "filter.layout",
                expected: "\"partitioned\"".to_owned(),
                got: geometry.layout().to_string(),
            });
        }
        let half = PartitionedHalf::new(geometry.partition_bits(), geometry.hashes())?;
        let law = match geometry.recycle_on() {
            RecycleOn::BitsSet => {
                partitioned_bits_set_law(half, geometry.threshold(), Method::Auto)?
            }
            RecycleOn::Messages => partitioned_messages_law(half, geometry.threshold())?,
        };
        let prediction = sizing::predict(&RecyclingParams {
            memory_bits: geometry.memory_bits(),
            phases: geometry.phases(),
            hashes: geometry.hashes(),
            hashing: match geometry.hashing() {
                Hashing::Independent => sizing::Hashing::Independent,
                Hashing::Double | Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => {
                    sizing::Hashing::Double
                }
            },
            on: match geometry.recycle_on() {
                RecycleOn::BitsSet => On::BitsSet,
                RecycleOn::Messages => On::Messages,
            },
            threshold: geometry.threshold(),
            retain: geometry.retain(),
        })?;
        // the two-hash excess makes cycles longer
        let law = CycleLaw {
            mean_arrivals: prediction.cycle_arrivals.value,
            ..law
        };
        Ok(Self {
            forgetting: Forgetting::new(half, &law, geometry.phases(), geometry.retain())?,
            cycle_length: law.mean_arrivals,
            tripping: f64::from(u8::from(!geometry.retain())),
            phases: geometry.phases(),
            two_hash_excess: prediction.two_hash_excess.value,
        })
    }

    /// The probability of a repeat at `distance`, and what it may be off by.
    ///
    /// The formula's corners, where d' is L or 2L, are round in truth, by the spread of the cycles' lengths: its stated error is
    /// the one in a corner and falls off beside it as the normal loss function does. In the corner at 2L two cycles meet. Two hash functions match falsely more often than the
    /// independent ones of the formula: by their mean excess, which also is what is allowed for its change over the cycle.
    fn of(&self, distance: u64) -> (f64, f64) {
        let most = self.forgetting.absolute_error();
        let deviation = most / 0.4 * self.cycle_length;
        let normal = Normal::standard();
        let loss = |u: f64| normal.pdf(u) - u * normal.sf(u);
        let corners = (1..=self.phases).map(|corner| {
            let spread = deviation * f64::from(corner).sqrt();
            let away = distance as f64 + self.tripping - f64::from(corner) * self.cycle_length;
            most * loss((away / spread).abs()) / loss(0.0)
        });
        let forgotten = self.forgetting.false_negative(distance);
        let excess = forgotten * self.two_hash_excess;
        (forgotten - excess, corners.sum::<f64>() + excess)
    }
}

/// Sums over repeats.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    repeats: u64,
    forgotten: u64,
    expected: f64,
    model_error: f64,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.repeats += other.repeats;
        self.forgotten += other.forgotten;
        self.expected += other.expected;
        self.model_error += other.model_error;
    }
}

/// Follows the arrivals of one filter.
#[derive(Clone)]
pub(super) struct ForgettingTest {
    theory: Arc<Result<Theory, TheoryError>>,
    warm_up: u64,
    aged: bool,
    arrivals: u64,
    /// Complete cycles of other filters.
    other_cycles: u64,
    this_batch: Sums,
    whole: Sums,
    batches: RatioEstimator,
    /// New messages before each cycle, the present one included.
    began_at: Vec<u64>,
    /// New messages up to those earlier arrivals whose cycle was still open when their key came again.
    open: Vec<u64>,
    places: [u64; PLACES],
    /// Values of theory by distance; distances are few or small in most traffic.
    known: HashMap<u64, (f64, f64)>,
}

impl ForgettingTest {
    pub fn new(geometry: &RecyclingGeometry) -> Self {
        Self {
            theory: Arc::new(Theory::new(geometry)),
            warm_up: u64::from(geometry.phases()),
            aged: false,
            arrivals: 0,
            other_cycles: 0,
            this_batch: Sums::default(),
            whole: Sums::default(),
            batches: RatioEstimator::new(),
            began_at: vec![0],
            open: Vec::new(),
            places: [0; PLACES],
            known: HashMap::new(),
        }
    }

    /// The next arrival; new messages `before` it, and those up to it.
    pub fn arrived(&mut self, arrival: &Arrival, outcome: &Outcome, before: u64, up_to: u64) {
        self.arrivals += 1;
        if let (Some(distance), true) = (arrival.distance, self.cycles() >= self.warm_up) {
            self.repeated(distance, arrival.seen);
            self.note(before - distance);
        }
        if outcome.tripped {
            self.recycled(up_to);
        }
    }

    /// A recycle by age.
    pub fn aged(&mut self, new_messages: u64) {
        self.aged = true;
        self.recycled(new_messages);
    }

    /// Takes in what became of the repeats of an independent filter.
    pub fn add(&mut self, other: &ForgettingTest) {
        self.aged |= other.aged;
        self.arrivals += other.arrivals;
        self.whole.add(other.whole);
        self.batches.add(&other.batches);
        self.other_cycles += other.cycles() + other.other_cycles;
        for (place, others) in self.places.iter_mut().zip(&other.places) {
            *place += others;
        }
    }

    /// Complete cycles.
    fn cycles(&self) -> u64 {
        self.began_at.len() as u64 - 1
    }

    fn repeated(&mut self, distance: u64, seen: bool) {
        let Ok(theory) = &*self.theory else {
            self.this_batch.repeats += 1;
            self.this_batch.forgotten += u64::from(!seen);
            return;
        };
        let (expected, model_error) = *self
            .known
            .entry(distance)
            .or_insert_with(|| theory.of(distance));
        self.this_batch.add(Sums {
            repeats: 1,
            forgotten: u64::from(!seen),
            expected,
            model_error,
        });
    }

    /// Counts the place in its cycle of the message with the number `message`, once the length of that cycle is known.
    fn note(&mut self, message: u64) {
        let next = self.began_at.partition_point(|&began| began < message);
        let (Some(&began), Some(&ended)) = (
            self.began_at.get(next.saturating_sub(1)),
            self.began_at.get(next),
        ) else {
            self.open.push(message);
            return;
        };
        let part = ((message - began) as f64 - 0.5) / (ended - began) as f64;
        self.places[((part * PLACES as f64) as usize).min(PLACES - 1)] += 1;
    }

    fn recycled(&mut self, new_messages: u64) {
        self.began_at.push(new_messages);
        for message in std::mem::take(&mut self.open) {
            self.note(message);
        }
        let counted = self.cycles().saturating_sub(self.warm_up);
        if counted > 0 && counted.is_multiple_of(BATCH_CYCLES) {
            let batch = std::mem::take(&mut self.this_batch);
            self.whole.add(batch);
            let weight = match &*self.theory {
                Ok(_) => batch.expected,
                Err(_) => batch.repeats as f64,
            };
            self.batches.push_weighted(batch.forgotten as f64, weight);
        }
    }

    /// Greatest difference between the measured distribution of places and the uniform one, at the ends of classes.
    fn place_distance(&self) -> f64 {
        let total: u64 = self.places.iter().sum();
        if total == 0 {
            return 1.0;
        }
        let mut below = 0;
        let differences = (1..).zip(&self.places).map(|(class, count)| {
            below += count;
            (below as f64 / total as f64 - class as f64 / PLACES as f64).abs()
        });
        differences.fold(0.0, f64::max)
    }

    /// What was found, with an interval of `confidence`.
    ///
    /// # Errors
    /// When the confidence is not strictly between 0 and 1.
    pub fn conclude(&self, confidence: f64) -> Result<Forgotten, StatsError> {
        let Sums {
            repeats,
            forgotten,
            expected,
            model_error,
        } = self.whole;
        let mean = |sum: f64| {
            if repeats == 0 {
                0.0
            } else {
                sum / repeats as f64
            }
        };
        let predicted = (*self.theory).as_ref().ok().map(|_| mean(expected));
        // the ratio is of observed to expected, where there is an expectation
        let scale = predicted.unwrap_or(1.0);
        let ratio = self.batches.interval(confidence)?;
        let interval = ratio.filter(|interval| interval.high.is_finite() && repeats > 0);
        let mut result = Forgotten {
            repeats,
            forgotten,
            measured: mean(forgotten as f64),
            ci_low: interval.map_or(0.0, |interval| interval.low * scale),
            ci_high: interval.map_or(1.0, |interval| interval.high * scale),
            confidence,
            predicted,
            model_error: mean(model_error),
            place_distance: self.place_distance(),
            cycles: BATCH_CYCLES * self.batches.cycles(),
            verdict: Verdict::Inconclusive,
            inconclusive: None,
        };
        match self.objection(&result) {
            Some(why) => {
                result.verdict = Verdict::NotApplicable;
                result.inconclusive = Some(why);
            }
            None => result.verdict = result.judge(scale),
        }
        if result.verdict == Verdict::Inconclusive && result.inconclusive.is_none() {
            let evidence = Evidence {
                cycles: result.cycles,
                events: forgotten,
            };
            result.inconclusive = Some(format!(
                "{} cycles and {forgotten} forgotten repeats; {}",
                result.cycles,
                evidence.still_needed(self.arrivals, "items")
            ));
        }
        Ok(result)
    }

    /// Why the prediction does not apply.
    fn objection(&self, result: &Forgotten) -> Option<String> {
        let predicted = match &*self.theory {
            Err(error) => return Some(format!("no prediction: {error}")),
            Ok(_) => result.predicted?,
        };
        if result.repeats == 0 {
            return Some(match self.cycles() + self.other_cycles {
                0 => "no recycle happened".into(),
                cycles if cycles < self.warm_up + BATCH_CYCLES => {
                    format!(
                        "fewer than {BATCH_CYCLES} whole cycles behind the first {}",
                        self.warm_up
                    )
                }
                _ => "no repeats in whole cycles".into(),
            });
        }
        if self.aged {
            return Some("the filter recycled by age, which the prediction leaves out".into());
        }
        (result.place_distance > MOST_DISTANCE * predicted).then(|| {
            format!(
                "the prediction is for few repeats among random new keys, at any moment of a cycle alike; here their \
                 moments are {:.4} away from that, more than {MOST_DISTANCE} of the rate",
                result.place_distance
            )
        })
    }
}
