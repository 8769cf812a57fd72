//! A quick look at every number of hashes, so that only the promising ones are predicted in full.
//!
//! The closed form of a shared array of as many bits stands for the partitioned half, from which it differs in relative
//! order k^2/M; filters with the best k and its neighbours differ by more where it matters. On messages the
//! threshold on bits of the same rate stands for it. Only the order of the scores is used.

use super::candidate::fitted;
use super::missed::Repeated;
use super::params::{On, RecyclingParams};
use super::predict::LARGEST_FLOOR_SHARE;
use super::quick_half::QuickHalf;
use super::requirements::Requirements;
use std::collections::HashMap;

/// A filter as the quick look sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quick {
    /// The filter without its threshold.
    pub(super) params: RecyclingParams,
    /// Average rate.
    pub(super) rate: f64,
    /// New messages a cycle.
    pub(super) cycle: f64,
    /// False-negative rate, 0 where reuse is unknown.
    pub(super) missed: f64,
    /// The threshold that it has, or one on messages of about the same rate.
    pub(super) threshold: u64,
}

/// Quick looks already taken, as neighbouring memories fit the same filters.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// By phases, hashes and fitted memory.
    taken: HashMap<(u32, u32, u64), Option<Quick>>,
    /// The phases and hashes that are looked at; all unless given.
    among: Option<Vec<(u32, u32)>>,
}

impl Looks {
    /// Looks at these numbers of phases and hashes alone from now on.
    pub(super) fn only(&mut self, among: Vec<(u32, u32)>) {
        self.among = Some(among);
    }
}

/// The numbers of hashes and phases that fit the memory, the best first.
pub(super) fn ranked(
    required: &Requirements,
    memory_bits: u64,
    hashes: u32,
    looks: &mut Looks,
) -> Vec<Quick> {
    let hashes = required.hashes.map_or(1..=hashes, |k| k..=k);
    let phases = match required.phases {
        Some(phases) => phases..=phases,
        None if required.false_negatives.is_some() => 1..=2,
        None => 1..=1,
    };
    let pairs: Vec<(u32, u32)> = phases
        .flat_map(|phases| hashes.clone().map(move |hashes| (phases, hashes)))
        .filter(|pair| looks.among.as_ref().is_none_or(|few| few.contains(pair)))
        .collect();
    let mut found: Vec<Quick> = pairs
        .into_iter()
        .filter_map(|(phases, hashes)| {
            let params = RecyclingParams {
                memory_bits,
                phases,
                hashes,
                hashing: required.hashing,
                on: required.on,
                threshold: required.threshold.unwrap_or(0),
                retain: required.retain,
            };
            let params = fitted(params, hashes, required.ranges)?;
            *looks
                .taken
                .entry((phases, hashes, params.memory_bits))
                .or_insert_with(|| quick(required, params))
        })
        .collect();
    let short = |quick: &Quick| {
        required
            .capacity
            .is_some_and(|capacity| quick.cycle < capacity)
    };
    let score = |quick: &Quick| {
        if required.false_negatives.is_some() {
            // where a cycle holds every key, nothing is missed
            (short(quick), quick.missed, -quick.cycle)
        } else if required.target_fpr.is_some() {
            (false, -quick.cycle, 0.0)
        } else {
            (false, quick.rate, 0.0)
        }
    };
    found.sort_by(|a, b| {
        let (a, b) = (score(a), score(b));
        let by_number = a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2));
        a.0.cmp(&b.0).then(by_number)
    });
    found
}

fn quick(required: &Requirements, params: RecyclingParams) -> Option<Quick> {
    let half = params.half().ok()?;
    if params.on == On::Messages && half.hashes() > 1 && half.range() < 32 {
        return None;
    }
    let array = QuickHalf::new(half, params).ok()?;
    let (sigma, excess) = match (required.target_fpr, required.capacity) {
        (Some(target), _) => array.threshold_within(target),
        (None, Some(capacity)) => {
            let sigma = array.first_above(capacity, None, |law| law.mean_arrivals);
            (sigma, array.excess(sigma))
        }
        // a threshold that is given is evaluated in full
        (None, None) => (u64::from(half.hashes()), 0.0),
    };
    let law = array.law(sigma);
    let rate = law.rate(params.phases) + excess;
    if !required.accept_two_hash_floor && excess > 1.2 * LARGEST_FLOOR_SHARE * rate {
        return None; // refused in full as well
    }
    let missed = match &required.false_negatives {
        Some(budget) => {
            let repeated = Repeated {
                half,
                law: &law,
                rate: rate.min(1.0),
                phases: params.phases,
                retain: params.retain,
            };
            repeated.missed(&budget.reuse).ok()?.value
        }
        None => 0.0,
    };
    Some(Quick {
        params,
        rate,
        cycle: law.mean_arrivals,
        missed,
        threshold: match params.on {
            On::BitsSet => sigma,
            On::Messages => law.mean_bit_setting() as u64,
        },
    })
}
