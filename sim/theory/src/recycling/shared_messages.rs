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

/// Work, in additions, up to which the distribution of the set bits is followed message by message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For a filter's own figures: up to some 30 ms.
    Own,
    /// For a search, and for figures that are compared with the own ones: up to some 2 ms.
    Search,
}

impl Effort {
    fn additions(self) -> f64 {
        match self {
            Self::Own => 6e6,
            Self::Search => 4e5,
        }
    }
}

/// Rounds for the law of the retained message, and the change of a probability at which it has settled.
const MOST_ROUNDS: usize = 100;
const SETTLED: f64 = 1e-14;

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
/// take more than about 6*10^6 additions (a half above some 10^4 bits) the law of the count of false positives is used instead, an approximation whose
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
    messages_law_within(half, messages, restart, Effort::Own)
}

/// [`messages_law`], exact where that takes no more than `effort`.
pub(crate) fn messages_law_within(
    half: SharedHalf,
    messages: u64,
    restart: Restart,
    effort: Effort,
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
    if work(half, messages) > effort.additions() {
        let law = positives_count::law(Fill::shared(half), messages)?;
        return Ok(if restart == Restart::Forget {
            law
        } else {
            law.retaining()
        });
    }
    let chain = Chain::new(half, messages);
    let follow = |start: &[f64], stored| {
        chain.follow(start, stored, messages).ok_or_else(|| {
            let expected = "a threshold that is met before the half is full";
            TheoryError::domain(NAME, "messages", expected, messages)
        })
    };
    let (forgetting, tail) = follow(&[1.0], 0)?;
    if restart == Restart::Forget {
        return Ok(forgetting);
    }
    if restart == Restart::RetainRedrawn || half.distinct() || half.hashes() == 1 {
        return Ok(forgetting.retaining());
    }
    // the start depends on the end of a cycle, which depends on its start by a share of about 1/M
    let mut start = tripping_distinct_counts(half, &tail);
    for _ in 0..MOST_ROUNDS {
        let (law, tail) = follow(&start, 1)?;
        let next = tripping_distinct_counts(half, &tail);
        let moved = start.iter().zip(&next).map(|(a, b)| (a - b).abs());
        if moved.fold(0.0, f64::max) <= SETTLED {
            return Ok(law);
        }
        start = next;
    }
    Ok(follow(&start, 1)?.0)
}

/// The distribution of the set bits: a window of masses.
#[derive(Debug, Clone)]
struct Window {
    first: usize,
    mass: Vec<f64>,
}

/// The chain of a half over its bit-setting messages.
struct Chain {
    half: SharedHalf,
    /// By the bits set: the rate.
    rate: Vec<f64>,
    /// By the bits set: arrivals until one sets a bit.
    waits: Vec<f64>,
}

impl Chain {
    /// The chain over the numbers of set bits that so many messages reach, however large the half is.
    fn new(half: SharedHalf, messages: u64) -> Self {
        let most_set = half.bits().min(messages * u64::from(half.hashes()));
        let (rate, some_new): (Vec<f64>, Vec<f64>) =
            (0..=most_set).map(|set| half.rate_at(set)).unzip();
        let waits = some_new.iter().map(|new| 1.0 / new).collect();
        Self { half, rate, waits }
    }

    /// Runs a cycle from `start` bits with `stored` messages counted; also returns the distribution of the bits before the
    /// tripping message. `None` where the half may be full before its last message.
    fn follow(&self, start: &[f64], stored: u64, messages: u64) -> Option<(CycleLaw, Window)> {
        let mut window = Window {
            first: 0,
            mass: start.to_vec(),
        };
        let (mut arrivals, mut positives) = (Sum::default(), Sum::default());
        let mut draws = Draws::new(self.half);
        for message in stored..messages {
            let states = window.first..window.first + window.mass.len();
            if states.end > self.half.bits() as usize {
                return None;
            }
            let (rate, waits) = (&self.rate[states.clone()], &self.waits[states]);
            let visits: Vec<f64> = window
                .mass
                .iter()
                .zip(waits)
                .map(|(mass, wait)| mass * wait)
                .collect();
            arrivals.add(visits.iter().sum());
            positives.add(
                visits
                    .iter()
                    .zip(rate)
                    .map(|(visits, rate)| visits * rate)
                    .sum(),
            );
            if message + 1 == messages {
                let frozen: f64 = window
                    .mass
                    .iter()
                    .zip(rate)
                    .map(|(mass, rate)| mass * rate)
                    .sum();
                let mean_arrivals = arrivals.value();
                let law = CycleLaw {
                    mean_arrivals,
                    active_rate: positives.value() / mean_arrivals,
                    frozen_rate: frozen,
                    accuracy: Accuracy::exact(1e-12),
                };
                return Some((law, window));
            }
            window = draws.insert(window.first, visits);
        }
        unreachable!("thresholds are at least 2, so the last message is met above")
    }
}

/// The draws of a message, with room for what they work on.
struct Draws {
    half: SharedHalf,
    /// Mass by bits set of messages that have set a bit, after an entry that stays 0.
    changed: Vec<f64>,
    next: Vec<f64>,
}

impl Draws {
    fn new(half: SharedHalf) -> Self {
        Self {
            half,
            changed: Vec::new(),
            next: Vec::new(),
        }
    }

    /// The distribution after one bit-setting message, draw by draw, from the visits of arrivals to `first` bits and more.
    fn insert(&mut self, first: usize, mut unchanged: Vec<f64>) -> Window {
        let k = self.half.hashes();
        let entries = unchanged.len() + k as usize;
        unchanged.resize(entries, 0.0);
        for buffer in [&mut self.changed, &mut self.next] {
            buffer.clear();
            buffer.resize(entries + 1, 0.0);
        }
        let (bits, set) = (self.half.bits() as f64, first as f64);
        for drawn in 0..k {
            let removed = self.half.removed(drawn);
            let each = 1.0 / (bits - removed);
            // by bits set: those that a draw may meet, and those it may set
            let (met, clear) = (set - removed, bits - set);
            self.next[1] = self.changed[1] * met * each;
            let below = self.changed[1..entries].iter().zip(&unchanged);
            let here = &self.changed[2..];
            for (i, ((next, here), (below, fresh))) in
                self.next[2..].iter_mut().zip(here).zip(below).enumerate()
            {
                let i = i as u32 as f64;
                *next = (here * (met + 1.0 + i) + (below + fresh) * (clear - i)) * each;
            }
            for (i, mass) in unchanged.iter_mut().enumerate() {
                *mass *= (met + i as u32 as f64) * each;
            }
            std::mem::swap(&mut self.changed, &mut self.next);
        }
        let mass = &self.changed[1..];
        let last = mass
            .iter()
            .rposition(|mass| *mass >= NEGLIGIBLE)
            .map_or(0, |last| last + 1);
        let empty = mass[..last]
            .iter()
            .position(|mass| *mass >= NEGLIGIBLE)
            .unwrap_or(0);
        Window {
            first: first + empty,
            mass: mass[empty..last].to_vec(),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_is_no_longer_than_its_messages_reach() {
        let half = SharedHalf::new(1 << 39, 4, false).expect("legal half");
        assert_eq!(Chain::new(half, 484).rate.len(), 4 * 484 + 1);
        let small = SharedHalf::new(1000, 4, false).expect("legal half");
        assert_eq!(Chain::new(small, 484).rate.len(), 1001);
    }

    #[test]
    fn large_halves_have_a_law() {
        for (bits, hashes, messages) in [(1 << 39, 4, 484), (1 << 31, 16, 600), (1 << 32, 64, 40)] {
            for distinct in [false, true] {
                let half = SharedHalf::new(bits, hashes, distinct).expect("legal half");
                for restart in [Restart::Forget, Restart::Retain, Restart::RetainRedrawn] {
                    let law = messages_law(half, messages, restart).expect("a law");
                    let stored = u64::from(restart != Restart::Forget);
                    let arrivals = (messages - stored) as f64;
                    assert!(
                        (law.mean_arrivals / arrivals - 1.0).abs() < 1e-9,
                        "{half:?}: {law:?}"
                    );
                }
            }
        }
    }
}
