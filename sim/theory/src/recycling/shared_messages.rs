//! Shared array, threshold on bit-setting messages, exactly (derivation of this project).

use super::cycle::CycleLaw;
use super::half::SharedHalf;
use super::positives_count::{self, Fill};
use super::restart::Restart;
use super::retained;
use super::shared_bits::bits_set_law;
use crate::accuracy::Accuracy;
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

const NAME: &str = "messages law";
/// Work (additions) up to which the distribution of the set bits is followed message by message.
const EXACT_BUDGET: f64 = 2e7;
/// Ends of the window below this mass are dropped: more than 10 standard deviations.
const NEGLIGIBLE: f64 = 1e-26;

/// Checks a threshold on messages.
pub(crate) fn check_messages(messages: u64) -> Result<(), TheoryError> {
    if !(2..1 << 40).contains(&messages) {
        let expected = "2 to 2^40 - 1 (with 1 no message is ever stored)";
        return Err(TheoryError::domain(NAME, "messages", expected, messages));
    }
    Ok(())
}

/// Estimated additions of the exact law.
fn work(half: SharedHalf, messages: u64) -> f64 {
    let n = messages as f64;
    let deviation = (0.08 * half.bits() as f64).min(n).sqrt();
    n * (24.0 * deviation + 8.0).min(half.bits() as f64) * f64::from(half.hashes())
}

/// The law of a shared half that recycles with its `messages`-th bit-setting message.
///
/// Source: derivation of this project. The distribution of the set bits is followed over the bit-setting messages, in a window beyond
/// 10 standard deviations: exact, relative error below 1e-12; one probe is the threshold on bits N - 1. Where that would
/// take more than about 2*10^7 additions (a half above some 2*10^4 bits) the law of the count of false positives is used instead, an approximation whose
/// relative error, falling as 1/M, is stated in the result and below 1e-5 at that size for up to 8 probes. With [`Restart::Retain`] the retained message's number
/// of distinct bits is taken given that it set one (exact for colliding and distinct probes).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `2 <= messages < 2^40`.
pub fn messages_law(
    half: SharedHalf,
    messages: u64,
    restart: Restart,
) -> Result<CycleLaw, TheoryError> {
    check_messages(messages)?;
    let most = 4 * half.bits() / u64::from(half.hashes());
    let most = if half.hashes() == 1 {
        half.bits()
    } else {
        most
    };
    if messages > most {
        return Err(TheoryError::domain(
            NAME,
            "messages",
            format!("at most {most}, where the half is full"),
            messages,
        ));
    }
    if half.hashes() == 1 {
        // every bit-setting message sets one bit: the N-th is the one that would set more than N - 1
        return bits_set_law(half, messages - 1, restart).map_err(|_| {
            let expected = "a threshold that is met before the half is full";
            TheoryError::domain(NAME, "messages", expected, messages)
        });
    }
    if work(half, messages) > EXACT_BUDGET {
        let law = positives_count::law(Fill::shared(half), messages)?;
        return Ok(if restart == Restart::Forget {
            law
        } else {
            law.retaining()
        });
    }
    let (forgetting, tail) = follow(half, &[1.0], 0, messages);
    if !forgetting.mean_arrivals.is_finite() {
        let expected = "a threshold that is met before the half is full";
        return Err(TheoryError::domain(NAME, "messages", expected, messages));
    }
    if restart == Restart::Forget {
        return Ok(forgetting);
    }
    if restart == Restart::RetainRedrawn || half.distinct() || half.hashes() == 1 {
        return Ok(forgetting.retaining());
    }
    // two rounds: the start depends on the end of a cycle, which hardly depends on its start
    let start = tripping_distinct_counts(half, &tail);
    let (_, tail) = follow(half, &start, 1, messages);
    let start = tripping_distinct_counts(half, &tail);
    Ok(follow(half, &start, 1, messages).0)
}

/// The distribution of the set bits: a window of masses.
#[derive(Debug, Clone)]
struct Window {
    first: usize,
    mass: Vec<f64>,
}

/// Runs a cycle from `start` bits with `stored` messages counted; also returns the distribution of the bits before the
/// tripping message.
fn follow(half: SharedHalf, start: &[f64], stored: u64, messages: u64) -> (CycleLaw, Window) {
    let mut window = Window {
        first: 0,
        mass: start.to_vec(),
    };
    let (mut arrivals, mut positives) = (Sum::default(), Sum::default());
    for message in stored..messages {
        let mut some_new = vec![0.0; window.mass.len()];
        let mut rate = vec![0.0; window.mass.len()];
        for (i, mass) in window.mass.iter().enumerate() {
            (rate[i], some_new[i]) = half.rate_at((window.first + i) as u64);
            arrivals.add(mass / some_new[i]);
            positives.add(mass * rate[i] / some_new[i]);
        }
        if message + 1 == messages {
            let frozen: f64 = window
                .mass
                .iter()
                .zip(&rate)
                .map(|(mass, rate)| mass * rate)
                .sum();
            let mean_arrivals = arrivals.value();
            let law = CycleLaw {
                mean_arrivals,
                active_rate: positives.value() / mean_arrivals,
                frozen_rate: frozen,
                accuracy: Accuracy::exact(1e-12),
            };
            return (law, window);
        }
        window = insert(half, &window, &some_new);
    }
    unreachable!("thresholds are at least 2, so the last message is met above")
}

/// The distribution after one bit-setting message, draw by draw. `unchanged` is the mass that has set nothing yet.
fn insert(half: SharedHalf, window: &Window, some_new: &[f64]) -> Window {
    let k = half.hashes();
    let len = window.mass.len();
    let mut unchanged: Vec<f64> = window
        .mass
        .iter()
        .zip(some_new)
        .map(|(mass, new)| mass / new)
        .collect();
    let mut changed = vec![0.0; len + k as usize];
    for drawn in 0..k {
        let reach = (len + drawn as usize).min(changed.len() - 1);
        for i in (0..=reach).rev() {
            let set = (window.first + i) as f64;
            let below = if i == 0 {
                0.0
            } else {
                changed[i - 1] + unchanged.get(i - 1).copied().unwrap_or(0.0)
            };
            let up = if i == 0 {
                0.0
            } else {
                half.set_one(set - 1.0, drawn)
            };
            changed[i] = changed[i] * half.stay(set, drawn) + below * up.max(0.0);
        }
        for (i, mass) in unchanged.iter_mut().enumerate() {
            *mass *= half.stay((window.first + i) as f64, drawn);
        }
    }
    while changed.last().is_some_and(|mass| *mass < NEGLIGIBLE) {
        changed.pop();
    }
    let empty = changed
        .iter()
        .take_while(|mass| **mass < NEGLIGIBLE)
        .count();
    changed.drain(..empty);
    Window {
        first: window.first + empty,
        mass: changed,
    }
}

/// Distinct bits of the message that trips, given the bits before it.
fn tripping_distinct_counts(half: SharedHalf, tail: &Window) -> Vec<f64> {
    let mut counts = vec![0.0; half.hashes() as usize + 1];
    for (i, mass) in tail.mass.iter().enumerate() {
        if *mass < 1e-18 {
            continue;
        }
        let set = (tail.first + i) as u64;
        let joint = retained::joint_distinct_counts(half, set, 1);
        let total: f64 = joint.iter().sum();
        for (count, part) in counts.iter_mut().zip(joint) {
            *count += mass * part / total;
        }
    }
    counts
}
