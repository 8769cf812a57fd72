//! The shared layout with independent hash functions.

use super::params::On;
use super::predict::{capacity_gain, without_one_message, Prediction};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::memo::Memo;
use crate::recycling::shared_messages::{messages_law_within, Effort};
use crate::recycling::{
    bits_set_law, two_phase_bits_set_rate, two_phase_retaining_rate, CycleLaw, Restart, SharedHalf,
};
use crate::two_hash::{Extension, SingleArray};
use std::rc::Rc;

/// A recycling filter in the shared layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedParams {
    /// Bits of one half that are probed (M).
    pub half_bits: u64,
    /// Halves: 1, or 2 (active and frozen).
    pub phases: u32,
    /// Probes of a message (k).
    pub hashes: u32,
    /// Whether a message's probes differ (RBF: non-colliding).
    pub distinct: bool,
    /// The scheme of two hash functions in the place of k; `None` for k independent ones.
    pub two_hash: Option<Extension>,
    /// What the threshold counts.
    pub on: On,
    /// The threshold of one half, in bits or messages.
    pub threshold: u64,
    /// Whether the tripping message opens the next cycle (`true`) or is forgotten.
    pub retain: bool,
}

impl SharedParams {
    pub(super) fn half(&self) -> Result<SharedHalf, TheoryError> {
        if !(1..=2).contains(&self.phases) {
            let name = "recycling filter";
            return Err(TheoryError::domain(name, "phases", "1 or 2", self.phases));
        }
        if self.distinct && self.two_hash.is_some() {
            let (name, expected) = ("shared recycling filter", "independent hashes");
            return Err(TheoryError::domain(
                name,
                "distinct",
                expected,
                "two hashes",
            ));
        }
        SharedHalf::new(self.half_bits, self.hashes, self.distinct)
    }

    /// The law of two hash functions; `None` for k independent ones, and for up to two probes, which are independent positions.
    pub(super) fn coincidences(&self) -> Result<Option<Rc<SingleArray>>, TheoryError> {
        self.half()?;
        let Some(extension) = self.two_hash.filter(|_| self.hashes > 2) else {
            return Ok(None);
        };
        SingleArray::known(self.half_bits, self.hashes, extension).map(Some)
    }
}

/// What a prediction was asked for, and what it gave.
type LastPrediction = Memo<(SharedParams, Effort), (Prediction, CycleLaw)>;

/// The prediction for independent functions, and the law of a half that it comes from; what was predicted last is kept.
pub(super) fn independent(
    params: &SharedParams,
    effort: Effort,
) -> Result<(Prediction, CycleLaw), TheoryError> {
    thread_local! {
        // of colliding and of distinct probes, between which two hash functions lie
        static LAST: [LastPrediction; 2] = const { [Memo::new(), Memo::new()] };
    }
    // the chain of a threshold on bits takes no less effort for a search
    let effort = match params.on {
        On::BitsSet => Effort::Own,
        On::Messages => effort,
    };
    LAST.with(|last| {
        last[usize::from(params.distinct)].or_compute((*params, effort), || found(params, effort))
    })
}

fn found(params: &SharedParams, effort: Effort) -> Result<(Prediction, CycleLaw), TheoryError> {
    let half = SharedParams {
        two_hash: None,
        ..*params
    }
    .half()?;
    let restart = if params.retain {
        Restart::Retain
    } else {
        Restart::Forget
    };
    let (law, chain) = match params.on {
        On::BitsSet => (
            bits_set_law(half, params.threshold, restart)?,
            "RBF (18), chain of the bits set",
        ),
        On::Messages => (
            messages_law_within(half, params.threshold, restart, effort)?,
            "chain of the bits set over N bit-setting messages",
        ),
    };
    let variant = format!(
        "{chain}, {}, {}",
        if params.distinct {
            "non-colliding"
        } else {
            "colliding"
        },
        if params.retain {
            "retaining"
        } else {
            "non-retaining"
        },
    );
    let average = match params.phases {
        1 => Figure::new(
            law.active_rate,
            format!("{variant}, one phase"),
            law.accuracy,
        ),
        _ => two_phases(params, half, &law, &variant)?,
    };
    let (worst, worst_accuracy, worst_source) = match params.on {
        On::BitsSet if params.distinct => (
            half.rate_at(params.threshold).0,
            Accuracy::bound(),
            "bound: C(sigma,k)/C(M,k) in every live half, RBF (17)",
        ),
        On::BitsSet => (
            half.rate_at(params.threshold).0,
            Accuracy::bound(),
            "bound: (sigma/M)^k in every live half, RBF (17)",
        ),
        On::Messages => (
            law.frozen_rate,
            law.accuracy,
            "mean rate at the tripping arrival, every live half as full as when it is frozen",
        ),
    };
    let k = u64::from(params.hashes);
    let (worst, worst_accuracy) = match (params.phases, params.on) {
        (1, _) => (worst, worst_accuracy),
        // the halves share at least what they share without the retained message
        (_, On::BitsSet) if params.retain => {
            let others = half.rate_at(params.threshold.saturating_sub(k)).0;
            (worst * (2.0 - others), worst_accuracy)
        }
        (_, On::BitsSet) => (worst * (2.0 - worst), worst_accuracy),
        (_, On::Messages) => {
            let both = worst * (2.0 - worst);
            let repeated = Accuracy::approximation(repeats_error(params, worst * worst, both));
            let retained =
                without_one_message(worst, params.hashes, k as f64 / params.half_bits as f64);
            let accuracy = match (params.retain, params.distinct || k == 1) {
                (false, true) => worst_accuracy,
                (false, false) => worst_accuracy.and(repeated),
                (true, true) => worst_accuracy.and(retained),
                (true, false) => worst_accuracy.and(repeated).and(retained),
            };
            (both, accuracy)
        }
    };
    let prediction = Prediction {
        fpr_worst_case: Figure::new(worst.min(1.0), worst_source, worst_accuracy),
        two_hash_excess: Figure::new(0.0, "independent hashes: none", Accuracy::exact(0.0)),
        cycle_arrivals: Figure::new(
            law.mean_arrivals,
            format!("{variant}, mean cycle, RBF (20)-(23) with N_b = 0 for b > sigma"),
            law.accuracy,
        ),
        cycle_messages: Figure::new(
            law.mean_bit_setting(),
            format!("{variant}, mean cycle times (1 - active rate)"),
            law.bit_setting_accuracy(),
        ),
        capacity_gain: capacity_gain(
            (law.mean_arrivals, law.accuracy),
            (average.value, average.accuracy),
            |rate| worst_case_capacity(params, rate),
            "mean cycle over the n at which RBF (1) reaches the average rate",
        ),
        fpr_average: average,
    };
    Ok((prediction, law))
}

/// The average rate of two halves.
fn two_phases(
    params: &SharedParams,
    half: SharedHalf,
    law: &CycleLaw,
    variant: &str,
) -> Result<Figure, TheoryError> {
    let k = u64::from(params.hashes);
    let forgets = !params.retain;
    let independent = forgets && (params.distinct || params.hashes == 1);
    // one hash: the N-th bit-setting message is the one that would set more than N - 1 bits
    let sigma = match params.on {
        On::BitsSet => Some(params.threshold),
        On::Messages if k == 1 => Some(params.threshold - 1),
        On::Messages => None,
    };
    if let Some(sigma) = sigma.filter(|_| !independent) {
        let (joined, shared) = if forgets {
            (
                two_phase_bits_set_rate(half, sigma)?,
                "the repeats that both halves share",
            )
        } else {
            (
                two_phase_retaining_rate(half, sigma)?,
                "halves joined by the retained message and the positions of a key",
            )
        };
        let formula = format!("{variant}, two phases: RBF (26) with {shared}");
        return Ok(Figure::new(joined.value, formula, joined.accuracy));
    }
    let rate = law.two_phase_rate();
    let accuracy = if independent {
        law.accuracy
    } else {
        let both = law.active_rate * law.frozen_rate;
        let error = repeats_error(params, both, rate);
        law.accuracy.and(Accuracy::approximation(error))
    };
    Ok(Figure::new(
        rate,
        format!("{variant}, two phases, RBF (26)"),
        accuracy,
    ))
}

/// Stated relative error of taking the halves as independent, where a key's own positions coincide: of the share `both` of the keys that
/// both halves have seen in a rate. With c the share of common bits, so that both is `c^k`, k positions of which j are distinct
/// are common with `c^j`: the terms `S(k,j) M^(j-k) c^j` below k, and `4 k^2/M` for the spread of the rest.
fn repeats_error(params: &SharedParams, both: f64, rate: f64) -> f64 {
    if rate <= 0.0 {
        return 0.0;
    }
    let (k, bits) = (params.hashes as usize, params.half_bits as f64);
    let common = both.powf(1.0 / k as f64);
    // S(k,j) M^(j-k), by the recurrence of the Stirling numbers over M
    let mut ways = vec![1.0];
    for _ in 0..k {
        let longer = |j: usize| {
            let repeated = ways.get(j).map_or(0.0, |ways| j as f64 * ways / bits);
            repeated + j.checked_sub(1).map_or(0.0, |one| ways[one])
        };
        ways = (0..=ways.len()).map(longer).collect();
    }
    let coincident: f64 = (1..k).map(|j| ways[j] * common.powi(j as i32)).sum();
    (coincident + 4.0 * (k * k) as f64 / bits * both) / rate
}

/// Messages that fill every live half to the given rate: RBF (1) solved for n.
fn worst_case_capacity(params: &SharedParams, rate: f64) -> f64 {
    let one_half = match params.phases {
        1 => rate,
        _ => rate / (1.0 + (1.0 - rate).sqrt()),
    };
    let (bits, k) = (params.half_bits as f64, f64::from(params.hashes));
    let fill = one_half.powf(1.0 / k);
    let kept = if params.distinct {
        (-k / bits).ln_1p()
    } else {
        k * (-1.0 / bits).ln_1p()
    };
    (-fill).ln_1p() / kept
}
