//! Alternatives in the same memory: other numbers of hashes and phases, compared with the specification's.

use super::rates::params;
use super::recycling::Forecast;
use super::whole;
use bloomline_spec::{RecycleOn, RecyclingGeometry, WORD_BITS};
use bloomline_theory::sizing::{Candidate, Prediction, RecyclingParams, MOST_HASHES};
use bloomline_theory::Figure;
use bloomline_verify::text::percent;
use serde::Serialize;

/// One filter beside the specification's own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alternative {
    /// Whether this is the specification's own filter, at its own threshold.
    pub own: bool,
    /// Bits of one partition: whole words.
    pub partition_bits: u64,
    /// Whether that is a power of two, to which hash values are cut instead of scaled.
    pub power_of_two: bool,
    /// Whether the floor of two hash functions is within what is accepted unasked.
    pub floor_accepted: bool,
    /// The filter and its numbers, each with its formula and accuracy.
    #[serde(flatten)]
    pub filter: Candidate,
}

/// The filters beside the specification's own, all at the same average rate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alternatives {
    /// The average rate that all of them keep: the target, or what a given threshold comes to.
    pub rate: f64,
    /// Every number of hashes from 1 to 16, and the own one, with the phases of the specification.
    pub by_hashes: Vec<Alternative>,
    /// One phase and two, with the hashes of the specification.
    pub by_phases: Vec<Alternative>,
}

impl Alternatives {
    /// Solves every alternative that theory covers; those whose smallest threshold exceeds the rate are left out.
    pub fn of(geometry: &RecyclingGeometry, own: &Prediction) -> Self {
        let rate = match geometry.target_fpr() {
            Some(target) if own.fpr_average.value <= target => target,
            _ => own.fpr_average.value,
        };
        let own_params = params(geometry, geometry.threshold());
        let own_filter = || Candidate {
            params: own_params,
            prediction: own.clone(),
            false_negatives: None,
        };
        let alternative = |hashes: u32, phases: u32| {
            let own = hashes == own_params.hashes && phases == own_params.phases;
            let parts = u64::from(hashes * phases);
            let word = u64::from(WORD_BITS);
            let (partition_bits, filter) = if own {
                (geometry.partition_bits(), own_filter())
            } else {
                let partition_bits = geometry.memory_bits() / parts / word * word;
                let params = RecyclingParams {
                    memory_bits: partition_bits * parts,
                    phases,
                    hashes,
                    ..own_params
                };
                let filter = Candidate::within_rate(params, rate, None).ok()?;
                (partition_bits, filter)
            };
            Some(Alternative {
                own,
                partition_bits,
                power_of_two: partition_bits.is_power_of_two(),
                floor_accepted: filter.prediction.check_two_hash_floor().is_ok(),
                filter,
            })
        };
        let mut hashes: Vec<u32> = (1..=MOST_HASHES).collect();
        if own_params.hashes > MOST_HASHES {
            hashes.push(own_params.hashes);
        }
        Self {
            rate,
            by_hashes: hashes
                .into_iter()
                .filter_map(|k| alternative(k, own_params.phases))
                .collect(),
            by_phases: (1..=2)
                .filter_map(|phases| alternative(own_params.hashes, phases))
                .collect(),
        }
    }

    /// Why this k, this threshold and this number of phases, a sentence or two each.
    pub fn reasons(
        &self,
        geometry: &RecyclingGeometry,
        forecast: &Forecast,
    ) -> Vec<(&'static str, String)> {
        let Ok(own) = forecast.rates() else {
            return Vec::new();
        };
        let mut reasons = vec![
            ("hashes", self.why_hashes(geometry, own)),
            ("threshold", why_threshold(geometry, own)),
        ];
        if let Some(phases) = self.why_phases(geometry) {
            reasons.push(("phases", phases));
        }
        reasons
    }

    fn why_hashes(&self, geometry: &RecyclingGeometry, own: &Prediction) -> String {
        let k = geometry.hashes();
        let cycle = own.cycle_arrivals.value;
        let usable = |a: &&Alternative| a.floor_accepted || geometry.accept_two_hash_floor();
        let longest = self
            .by_hashes
            .iter()
            .filter(usable)
            .max_by(|a, b| cycle_of(a).total_cmp(&cycle_of(b)));
        let rate = percent(self.rate);
        let mut text = match longest {
            Some(best) if cycle_of(best) > 1.001 * cycle => format!(
                "k = {k} holds {} new messages a cycle at an average rate of {rate}; the most in this memory would be {} \
                 with k = {} ({:+.0}%), for {} memory banks instead of {}",
                whole(cycle),
                whole(cycle_of(best)),
                best.filter.params.hashes,
                100.0 * (cycle_of(best) / cycle - 1.0),
                best.filter.params.hashes * geometry.phases(),
                k * geometry.phases(),
            ),
            _ => format!(
                "k = {k} holds {} new messages a cycle at an average rate of {rate}, the most of k = 1 to {MOST_HASHES} in this memory",
                whole(cycle)
            ),
        };
        if own.two_hash_excess.value > 0.0 {
            text += &format!(
                ". Two hash functions make all {k} probes and add {:.1}% to the rate",
                100.0 * own.two_hash_share()
            );
        }
        text + "."
    }

    fn why_phases(&self, geometry: &RecyclingGeometry) -> Option<String> {
        let cycle = |phases: u32| {
            self.by_phases
                .iter()
                .find(|a| a.filter.params.phases == phases)
                .map(cycle_of)
        };
        let (one, two) = (cycle(1)?, cycle(2)?);
        let lead = match geometry.phases() {
            1 => format!(
                "one phase gives all memory to one cycle of {} new messages, and a recycle forgets all of it: a key that \
                 returns d new messages later is missed in about d/{} of cases. Two phases would miss none up to {} \
                 new messages and everything from {} on",
                whole(one),
                whole(one),
                whole(two),
                whole(2.0 * two),
            ),
            _ => format!(
                "two phases keep the last cycle readable: a key is remembered for at least {} new messages and at most \
                 {}. One phase would cycle every {} and miss a key that returns d new messages later in about d/{} of \
                 cases",
                whole(two),
                whole(2.0 * two),
                whole(one),
                whole(one),
            ),
        };
        let even = one * two / (one - two);
        Some(if one > 2.0 * two && even.is_finite() {
            format!("{lead}. Keys that return within {} are better served by two phases, later ones by one.", whole(even))
        } else {
            format!("{lead}.")
        })
    }
}

/// Why this threshold.
pub fn why_threshold(geometry: &RecyclingGeometry, own: &Prediction) -> String {
    let threshold = geometry.threshold();
    let what = match geometry.recycle_on() {
        RecycleOn::BitsSet => {
            format!(
                "{} bits set ({:.1}% of a half)",
                whole(threshold as f64),
                100.0 * threshold as f64 / geometry.half_bits() as f64
            )
        }
        RecycleOn::Messages => format!("{} bit-setting messages", whole(threshold as f64)),
    };
    let (average, worst) = (own.fpr_average.value, own.fpr_worst_case.value);
    let source = match geometry.target_fpr() {
        Some(target) if average <= target => format!(
            "the largest that keeps the average rate within {}; it is {} just before a recycle",
            percent(target),
            percent(worst)
        ),
        _ => format!(
            "given; the average rate comes to {} and is {} just before a recycle",
            percent(average),
            percent(worst)
        ),
    };
    format!("{what}: {source}. {}", at_its_fullest(own))
}

/// What a filter held to the average rate at its fullest would take, as far as that is known.
fn at_its_fullest(own: &Prediction) -> String {
    let gain = own.capacity_gain.value;
    let known = |figure: &Figure| figure.accuracy.relative_error < 1.0;
    if !(gain > 0.0 && gain.is_finite() && known(&own.capacity_gain) && known(&own.fpr_average)) {
        return "How many messages a cycle a filter held to the average rate at its fullest would take is not known: \
                the error of the prediction is as large as the rate itself."
            .to_owned();
    }
    let fewer = 1.0 - 1.0 / gain;
    let than = if fewer < 0.0 { "more" } else { "fewer" };
    format!(
        "A filter held to the average rate at its fullest would take {:.0}% {than} messages a cycle.",
        100.0 * fewer.abs()
    )
}

/// New messages a cycle.
pub fn cycle_of(alternative: &Alternative) -> f64 {
    alternative.filter.prediction.cycle_arrivals.value
}
