//! The inverse problem: from what is wanted to the filter.

use serde::Serialize;

use super::candidate::{fitted, Candidate, Ranges, MOST_HASHES};
use super::params::{Hashing, RecyclingParams};
use super::predict::{predict_with_law, Prediction, LARGEST_FLOOR_SHARE};
use super::rank::{ranked, Looks, Quick};
use super::requirements::{grouped, Requirements, MOST_MEMORY_BITS};
use crate::error::TheoryError;
use std::collections::{HashMap, HashSet};

/// Candidates of a memory that are predicted in full, the others having been ranked behind them by a quick look.
const TRIED: usize = 4;

/// Factor of memory by which the search for a smallest one first goes up.
const GALLOP: u64 = 16;
/// Part of the memory to which the search finds the smallest.
const NEAR: u64 = 4096;
/// Bits up to which it finds the smallest to the bit; above, that would take half as long again.
pub const TO_THE_BIT: u64 = 1 << 20;
/// Numbers of phases and hashes that the search looks at once it is near.
const PROMISING: usize = 8;

/// A filter that meets its requirements, and the others that were looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Design {
    /// The filter chosen.
    pub chosen: Candidate,
    /// The most promising numbers of phases and hashes, each with its best threshold; the chosen one included.
    pub candidates: Vec<Candidate>,
}

/// Finds a filter.
///
/// * Memory and target rate: for every k (and phases) the largest threshold within the rate (a quick look by the closed
///   form of the shared array leaves the best few to predict in full); of these the longest
///   cycle, or with reuse distances the fewest false negatives.
/// * Memory and capacity: for every k the smallest threshold with that cycle; of these the lowest rate.
/// * Memory, capacity and target rate: as memory and target rate, if its longest cycle reaches the capacity.
/// * No memory: the smallest that does all of this, by bisection, as the rate falls and the cycle grows with the
///   memory; above [`TO_THE_BIT`] to 1 part in 4,096.
/// * Memory, k and threshold: that filter, if it is within whatever else is required.
///
/// A search by its nature, of [`predict`](super::predict)ed numbers: their accuracy is that of the figures in the result, and at
/// the returned threshold the predicted rate is at most the target.
///
/// ```
/// use bloomline_theory::sizing::{design, Requirements};
///
/// let found = design(&Requirements {
///     target_fpr: Some(0.01),
///     capacity: Some(1000.0),
///     ..Requirements::open()
/// })?;
/// assert!(found.chosen.prediction.fpr_average.value <= 0.01);
/// assert!(found.chosen.prediction.cycle_arrivals.value >= 1000.0);
/// // bits a message: fewer than the 9.6 of a filter held to 1% when full
/// assert!(found.chosen.params.memory_bits < 7000);
///
/// let error = design(&Requirements {
///     memory_bits: Some(4096),
///     target_fpr: Some(1e-9),
///     capacity: Some(1000.0),
///     ..Requirements::open()
/// })
/// .unwrap_err();
/// assert!(error.to_string().starts_with("no filter of 4,096 bits reaches 1e-9 with 1,000 messages a cycle: best is"));
/// # Ok::<(), bloomline_theory::TheoryError>(())
/// ```
///
/// # Errors
/// [`TheoryError::Underdetermined`] when too little is given; [`TheoryError::Infeasible`] with the best there is when
/// nothing meets it; [`TheoryError::OutOfDomain`] for numbers outside their range.
pub fn design(required: &Requirements) -> Result<Design, TheoryError> {
    check(required)?;
    let mut seen = Seen::default();
    match required.memory_bits {
        Some(memory_bits) => at_memory(required, memory_bits, &mut seen),
        None => smallest_memory(required, &mut seen),
    }
}

fn check(required: &Requirements) -> Result<(), TheoryError> {
    const NAME: &str = "design";
    let share = |argument, value: Option<f64>| {
        value.map_or(Ok(()), |value| {
            TheoryError::check_fraction(NAME, argument, value)
        })
    };
    share("target_fpr", required.target_fpr)?;
    share(
        "false_negatives.rate",
        required.false_negatives.as_ref().map(|b| b.rate),
    )?;
    if let Some(capacity) = required.capacity {
        if !(capacity >= 1.0 && capacity < MOST_MEMORY_BITS as f64) {
            return Err(TheoryError::domain(
                NAME,
                "capacity",
                "1 to 2^38 messages per cycle",
                capacity,
            ));
        }
    }
    if let Some(hashes) = required.hashes {
        if !(1..=64).contains(&hashes) {
            return Err(TheoryError::domain(NAME, "hashes", "1 to 64", hashes));
        }
    }
    if let Some(phases) = required.phases {
        if !(1..=2).contains(&phases) {
            return Err(TheoryError::domain(NAME, "phases", "1 or 2", phases));
        }
    }
    let missing = if required.threshold.is_some() {
        (required.memory_bits.is_none() || required.hashes.is_none())
            .then_some("a threshold needs a memory and a number of hashes")
    } else if required.memory_bits.is_some() {
        (required.target_fpr.is_none() && required.capacity.is_none())
            .then_some("a memory needs a target rate, a capacity or a threshold")
    } else {
        (required.target_fpr.is_none()
            || (required.capacity.is_none() && required.false_negatives.is_none()))
        .then_some(
            "without a memory a target rate and a capacity or false-negative budget are needed",
        )
    };
    match missing {
        Some(missing) => Err(TheoryError::Underdetermined { missing }),
        None => Ok(()),
    }
}

/// What a search has looked at, as neighbouring memories fit the same filters.
#[derive(Debug, Default)]
struct Seen {
    looks: Looks,
    /// With their best thresholds, by phases, hashes and fitted memory; none where there is no threshold.
    candidates: HashMap<(u32, u32, u64), Option<Candidate>>,
    /// Whether they meet the requirements.
    serve: HashMap<(u32, u32, u64), bool>,
    /// Those that the floor of two hash functions surely refuses, whose best threshold was not looked for.
    refused: HashSet<(u32, u32, u64)>,
}

/// Factor by which the quick look may err, and more: its error falls with the memory, but not what it knows of two hash functions, whose
/// excess depends on the divisors of a partition's positions.
fn close(required: &Requirements, memory_bits: u64) -> f64 {
    match required.hashing {
        Hashing::Independent => 1.02 + (1e4 / memory_bits as f64).min(0.13),
        Hashing::Double => 1.15,
    }
}

/// The most promising filters of that memory, the best threshold each.
fn candidates(required: &Requirements, memory_bits: u64, seen: &mut Seen) -> Vec<Candidate> {
    let found = ranked(required, memory_bits, MOST_HASHES, &mut seen.looks);
    found
        .into_iter()
        .take(TRIED)
        .filter_map(|quick| solved(required, quick.params, seen))
        .collect()
}

/// The filter with its best threshold, solved once, unless it is refused.
fn solved(required: &Requirements, params: RecyclingParams, seen: &mut Seen) -> Option<Candidate> {
    let at = (params.phases, params.hashes, params.memory_bits);
    if !required.accept_two_hash_floor && seen.refused.contains(&at) {
        return None;
    }
    let candidate = seen
        .candidates
        .entry(at)
        .or_insert_with(|| candidate(required, params));
    let floor = |candidate: &&Candidate| {
        required.accept_two_hash_floor || candidate.prediction.check_two_hash_floor().is_ok()
    };
    candidate.as_ref().filter(floor).cloned()
}

/// Whether a filter of that memory meets the requirements: of the promising ones, those that may serve as well as the first that the
/// floor of two hash functions does not refuse.
fn some_serves(required: &Requirements, memory_bits: u64, seen: &mut Seen) -> bool {
    let found = ranked(required, memory_bits, MOST_HASHES, &mut seen.looks);
    let close = close(required, memory_bits);
    let may_serve = |first: Quick, quick: Quick| {
        if required.false_negatives.is_some() {
            quick.missed <= close * first.missed + 0.01 * (close - 1.0)
        } else {
            close * quick.cycle >= first.cycle
        }
    };
    let mut first = None;
    for quick in found.into_iter().take(TRIED) {
        if first.is_some_and(|first| !may_serve(first, quick)) {
            continue;
        }
        if serves(required, quick, seen) {
            return true;
        }
        let Quick { params, .. } = quick;
        let at = (params.phases, params.hashes, params.memory_bits);
        let solved_before = seen.candidates.contains_key(&at) || seen.refused.contains(&at);
        if !solved_before || solved(required, params, seen).is_some() {
            first = first.or(Some(quick));
        }
    }
    false
}

/// How near the largest share of the rate the excess of two hashes may come for a prediction beside the best threshold to tell on which side
/// it is there; and the same for a cycle of few messages, whose excess goes up in steps.
const NEAR_THE_FLOOR: f64 = 1e-3;
const NEAR_THE_FLOOR_IF_SHORT: f64 = 0.2;
/// Messages of a cycle that is not short.
const LONG_CYCLE: f64 = 120.0;

/// What a few predictions tell of a filter with its best threshold.
enum Told {
    Serves,
    Fails,
    /// Its floor of two hash functions is too high.
    Refused,
}

/// What a prediction with no more than the best threshold, which meets the requirements, tells of that with the best one. A larger threshold has a
/// smaller share of excess, but no smaller excess; and the best one's rate is at most the target.
fn told_of_floor(required: &Requirements, prediction: &Prediction, target: f64) -> Option<Told> {
    if required.accept_two_hash_floor {
        return Some(Told::Serves);
    }
    let near = match prediction.cycle_arrivals.value < LONG_CYCLE {
        true => NEAR_THE_FLOOR_IF_SHORT,
        false => NEAR_THE_FLOOR,
    };
    if prediction.two_hash_share() <= LARGEST_FLOOR_SHARE * (1.0 - near) {
        return Some(Told::Serves);
    }
    let refused = prediction.two_hash_excess.value > LARGEST_FLOOR_SHARE * target * (1.0 + near);
    refused.then_some(Told::Refused)
}

/// Whether a filter meets the requirements with its best threshold. One prediction tells in most cases, or two: where it is within the
/// rate and meets the rest, so does the filter with its best threshold, which is no smaller; where it is above the rate and does not
/// meet the rest, a smaller threshold does so still less.
fn serves(required: &Requirements, quick: Quick, seen: &mut Seen) -> bool {
    let params = quick.params;
    let at = (params.phases, params.hashes, params.memory_bits);
    if let Some(serves) = seen.serve.get(&at) {
        return *serves;
    }
    let told = match required.threshold {
        None => at_a_glance(required, quick),
        Some(_) => None,
    };
    let serves = match told {
        Some(Told::Serves) => true,
        Some(Told::Fails) => false,
        Some(Told::Refused) => {
            seen.refused.insert(at);
            false
        }
        None => solved(required, params, seen).is_some_and(|found| meets(required, &found)),
    };
    seen.serve.insert(at, serves);
    serves
}

/// One prediction of [`at_a_glance`] for each: the furthest that its threshold lies from the one that just reaches the rate, as a logarithm.
/// A prediction between those two thresholds tells nothing.
const GLANCES: [f64; 4] = [2e-3, 5e-4, 5e-5, 5e-5];
/// How fast the logarithm of a cycle's length grows with that of the threshold, about; and that of the keys that are missed falls. Only
/// the place of the second prediction depends on it, that of a third on what the first two give.
const SLOPES_OF_REST: [f64; 2] = [1.4, 10.0];

/// The answer of [`serves`] by a few predictions between the threshold that just reaches the rate and the one that just meets the rest;
/// `None` where they do not tell. The quick look says where the first is, each prediction where the next.
fn at_a_glance(required: &Requirements, quick: Quick) -> Option<Told> {
    let target = required.target_fpr?;
    if required.false_negatives.is_none() && required.capacity.is_none() {
        return None;
    }
    // by how much the rest is more than met, as a logarithm
    let spare = |missed: f64, cycle: f64| {
        let budget = required.false_negatives.as_ref();
        let of_budget = budget.map_or(f64::INFINITY, |budget| budget.rate / missed);
        let of_capacity = required.capacity.map_or(f64::INFINITY, |all| cycle / all);
        of_budget.min(of_capacity).ln()
    };
    let rest = Requirements {
        target_fpr: None,
        ..required.clone()
    };
    let mut slope = SLOPES_OF_REST[usize::from(required.false_negatives.is_some())];
    let mut reaches = (quick.threshold as f64).ln();
    let mut spare_there = spare(quick.missed, quick.cycle);
    let mut last: Option<(f64, f64)> = None;
    for furthest in GLANCES {
        let place = reaches - (0.5 * spare_there / slope).clamp(-furthest, furthest);
        let params = RecyclingParams {
            threshold: place.exp() as u64,
            ..quick.params
        };
        let predicted = predict_with_law(&params).ok()?;
        let candidate = Candidate::predicted(params, predicted, required.reuse()).ok()?;
        let prediction = &candidate.prediction;
        let rate = prediction.fpr_average.value;
        match (rate <= target, meets(&rest, &candidate)) {
            (true, true) => return told_of_floor(required, prediction, target),
            (false, false) => return Some(Told::Fails),
            _ => {}
        }
        let missed = candidate.false_negatives.as_ref().map_or(0.0, |f| f.value);
        let here = spare(missed, prediction.cycle_arrivals.value);
        if let Some((at, spare)) = last {
            let found = (here - spare) / (place - at);
            if found.is_finite() && found > 0.0 {
                slope = found;
            }
        }
        last = Some((place, here));
        let to_the_rate = (target / rate).ln() / f64::from(params.hashes);
        (reaches, spare_there) = (place + to_the_rate, here + slope * to_the_rate);
    }
    None
}

/// The filter with its best threshold, whatever its excess of two hashes.
fn candidate(required: &Requirements, params: RecyclingParams) -> Option<Candidate> {
    let reuse = required.reuse();
    let found = match (required.threshold, required.target_fpr, required.capacity) {
        (Some(_), _, _) => Candidate::of(params, reuse),
        (None, Some(target), _) => Candidate::within_rate(params, target, reuse),
        (None, None, Some(capacity)) => Candidate::with_capacity(params, capacity, reuse),
        (None, None, None) => return None,
    };
    found.ok()
}

/// Whether the first filter serves the requirements better than the second.
fn better(required: &Requirements, a: &Candidate, b: &Candidate) -> bool {
    if let (Some(a), Some(b)) = (&a.false_negatives, &b.false_negatives) {
        return a.value < b.value;
    }
    if required.target_fpr.is_some() {
        a.prediction.cycle_arrivals.value > b.prediction.cycle_arrivals.value
    } else {
        a.prediction.fpr_average.value < b.prediction.fpr_average.value
    }
}

fn meets(required: &Requirements, candidate: &Candidate) -> bool {
    let within = |value: f64, limit: Option<f64>| limit.is_none_or(|limit| value <= limit);
    let capacity = required.capacity.unwrap_or(0.0);
    let missed = candidate.false_negatives.as_ref().map_or(0.0, |f| f.value);
    within(candidate.prediction.fpr_average.value, required.target_fpr)
        && candidate.prediction.cycle_arrivals.value >= capacity
        && within(missed, required.false_negatives.as_ref().map(|b| b.rate))
}

fn at_memory(
    required: &Requirements,
    memory_bits: u64,
    seen: &mut Seen,
) -> Result<Design, TheoryError> {
    found_at(required, memory_bits, seen).map_err(|candidates| {
        if required.threshold.is_some() && candidates.is_empty() {
            if let Err(error) = the_one(required, memory_bits) {
                return error;
            }
        }
        infeasible(required, memory_bits, &candidates, seen)
    })
}

/// The filter of a memory, a number of hashes and a threshold, or what is wrong with it.
fn the_one(required: &Requirements, memory_bits: u64) -> Result<Candidate, TheoryError> {
    let (hashes, phases) = (required.hashes.unwrap_or(1), required.phases.unwrap_or(1));
    let params = RecyclingParams {
        memory_bits,
        phases,
        hashes,
        hashing: required.hashing,
        on: required.on,
        threshold: required.threshold.unwrap_or(0),
        retain: required.retain,
    };
    let parts = u64::from(phases * hashes);
    let fitted = fitted(params, hashes, required.ranges).ok_or(TheoryError::Indivisible {
        memory_bits,
        phases,
        parts: hashes,
        multiple: 2 * parts,
    })?;
    let candidate = Candidate::of(fitted, required.reuse())?;
    if !required.accept_two_hash_floor {
        candidate.prediction.check_two_hash_floor()?;
    }
    Ok(candidate)
}

/// Why no filter of a memory was even a candidate.
fn why_none(required: &Requirements, memory_bits: u64, seen: &mut Seen) -> String {
    let accepting = Requirements {
        accept_two_hash_floor: true,
        ..required.clone()
    };
    let floor = required.hashing == Hashing::Double && !required.accept_two_hash_floor && {
        seen.looks = Looks::default(); // some were refused
        !candidates(&accepting, memory_bits, seen).is_empty()
    };
    match (floor, required.target_fpr, required.capacity) {
        (true, _, _) => {
            "none without a floor of two hash functions above a tenth of the rate; independent \
                         hashes have no such floor"
                .to_owned()
        }
        (_, Some(_), _) => {
            "none: not even the smallest threshold of any k is within the rate".to_owned()
        }
        (_, None, Some(_)) => "none: at no threshold of any k is a cycle so long".to_owned(),
        (_, None, None) => "none: the memory has no room for the partitions".to_owned(),
    }
}

/// The design of a memory, or the candidates of which none meets what is required.
fn found_at(
    required: &Requirements,
    memory_bits: u64,
    seen: &mut Seen,
) -> Result<Design, Vec<Candidate>> {
    let candidates = candidates(required, memory_bits, seen);
    let mut chosen: Option<&Candidate> = None;
    for candidate in candidates
        .iter()
        .filter(|candidate| meets(required, candidate))
    {
        if chosen.is_none_or(|best| better(required, candidate, best)) {
            chosen = Some(candidate);
        }
    }
    match chosen.cloned() {
        Some(chosen) => Ok(Design { chosen, candidates }),
        None => Err(candidates),
    }
}

/// The error that names the best there is: the lowest rate with the capacity, or else the longest cycle or the fewest
/// false negatives within the rate.
fn infeasible(
    required: &Requirements,
    memory_bits: u64,
    tried: &[Candidate],
    seen: &mut Seen,
) -> TheoryError {
    let bits = grouped(memory_bits);
    let mut wanted = format!("no filter of {bits} bits {}", required.wanted());
    if let Some(hashes) = required.hashes {
        wanted += &format!(" and k = {hashes}");
    }
    // the rate at that capacity, unless that is what was searched for
    let rate_matters = required.target_fpr.is_some() && required.threshold.is_none();
    let lowest = required.capacity.filter(|_| rate_matters).and_then(|_| {
        let at_capacity = Requirements {
            target_fpr: None,
            false_negatives: None,
            accept_two_hash_floor: true,
            ..required.clone()
        };
        at_memory(&at_capacity, memory_bits, &mut Seen::default()).ok()
    });
    let best = match lowest {
        Some(found) if required.false_negatives.is_none() => {
            let rate = found.chosen.prediction.fpr_average.value;
            format!("{rate:.2e} with k = {}", found.chosen.params.hashes)
        }
        _ => {
            let best = tried.iter().reduce(|best, next| {
                if better(required, next, best) {
                    next
                } else {
                    best
                }
            });
            match best {
                Some(best) => {
                    let p = &best.prediction;
                    let missed = best.false_negatives.as_ref().map_or(String::new(), |f| {
                        format!(" and {:.2e} false negatives", f.value)
                    });
                    format!(
                        "{} messages a cycle at {:.2e}{missed} with k = {}, phases = {}",
                        grouped(p.cycle_arrivals.value as u64),
                        p.fpr_average.value,
                        best.params.hashes,
                        best.params.phases
                    )
                }
                None => why_none(required, memory_bits, seen),
            }
        }
    };
    TheoryError::Infeasible { wanted, best }
}

/// The smallest memory: by the quick look first, then in full around what it found.
fn smallest_memory(required: &Requirements, seen: &mut Seen) -> Result<Design, TheoryError> {
    let most = required.most_memory_bits.min(MOST_MEMORY_BITS);
    let target = required.target_fpr.unwrap_or(0.5);
    let look = |memory_bits: u64, seen: &mut Seen| {
        let within = |quick: &Quick| {
            quick.rate <= target * 1.001
                && quick.cycle >= required.capacity.unwrap_or(0.0)
                && required
                    .false_negatives
                    .as_ref()
                    .is_none_or(|budget| quick.missed <= budget.rate)
        };
        ranked(required, memory_bits, MOST_HASHES, &mut seen.looks)
            .iter()
            .any(within)
    };
    // a filter held to the target when full takes n ln(1/f)/ln^2 2 bits
    let mut above = ((required.capacity.unwrap_or(64.0) * (1.0 / target).ln()) as u64)
        .max(64)
        .min(most);
    let mut below = 0;
    while !look(above, seen) && above < most {
        below = above;
        above = (above * GALLOP).min(most);
    }
    while above > 2 * below.max(32) {
        let middle = ((below.max(32) as f64) * above as f64).sqrt() as u64;
        *(if look(middle, seen) {
            &mut above
        } else {
            &mut below
        }) = middle;
    }
    if required.ranges != Ranges::PowersOfTwo {
        // neighbouring memories have the same best numbers of hashes
        let promising = ranked(required, above, MOST_HASHES, &mut seen.looks);
        let few = promising.iter().take(PROMISING);
        let few = few.map(|quick| (quick.params.phases, quick.params.hashes));
        seen.looks.only(few.collect());
    }
    // how near the quick look is
    let near = match required.hashing {
        Hashing::Independent => NEAR,
        Hashing::Double => NEAR / 16,
    };
    while above - below > (above / near).max(1) {
        let middle = below + (above - below) / 2;
        *(if look(middle, seen) {
            &mut above
        } else {
            &mut below
        }) = middle;
    }
    // a bracket of full predictions around it, and the bisection of that
    let margin = |bits: u64| (2 * bits / near).max(8);
    let mut high = above;
    let mut step = margin(high);
    while high < most && !some_serves(required, high, seen) {
        high = (high + step).min(most);
        step *= 2;
    }
    step = step.max(margin(high));
    let mut low = high.saturating_sub(step);
    while low > 0 && some_serves(required, low, seen) {
        high = low;
        step *= 2;
        low = low.saturating_sub(step);
    }
    let mut few = required.ranges != Ranges::PowersOfTwo;
    let to_the_bit = high <= TO_THE_BIT;
    while high - low > if to_the_bit { 1 } else { high / NEAR } {
        if few && high - low <= high / NEAR {
            // so near, no others serve than those that serve above
            few = false;
            let tried = ranked(required, high, MOST_HASHES, &mut seen.looks);
            let serving = tried
                .into_iter()
                .take(TRIED)
                .filter(|quick| serves(required, *quick, seen));
            let serving: Vec<_> = serving
                .map(|quick| (quick.params.phases, quick.params.hashes))
                .collect();
            if !serving.is_empty() {
                seen.looks.only(serving);
            }
        }
        let middle = low + (high - low) / 2;
        *(if some_serves(required, middle, seen) {
            &mut high
        } else {
            &mut low
        }) = middle;
    }
    loop {
        match found_at(required, high, seen) {
            Ok(found) => return Ok(found),
            Err(_) if high < most => high = (high + margin(high)).min(most),
            Err(candidates) => return Err(infeasible(required, high, &candidates, seen)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizing::On;

    fn required(hashes: u32, phases: u32, target: f64, capacity: f64) -> Requirements {
        Requirements {
            target_fpr: Some(target),
            capacity: Some(capacity),
            hashes: Some(hashes),
            phases: Some(phases),
            hashing: Hashing::Double,
            on: On::BitsSet,
            retain: true,
            ..Requirements::open()
        }
    }

    #[test]
    fn a_floor_that_is_surely_too_high_is_told_without_a_search_for_the_threshold() {
        let required = required(3, 2, 1e-9, 10_000.0);
        let mut seen = Seen::default();
        assert!(!some_serves(&required, 75_474_432, &mut seen));
        assert_eq!((seen.refused.len(), seen.candidates.len()), (1, 0));
    }

    #[test]
    fn what_a_glance_tells_is_what_the_best_threshold_shows() {
        let mut told = [0, 0];
        for (hashes, phases, target, capacity, from) in [
            (3, 2, 1e-9, 10_000.0, 60e6),
            (3, 1, 1e-7, 200.0, 2e5),
            (3, 1, 1e-6, 30.0, 2e4),
            (4, 1, 1e-9, 3_000.0, 1e6),
            (5, 2, 1e-6, 1_000.0, 1e5),
            (8, 1, 1e-5, 100.0, 2e3),
        ] {
            let required = required(hashes, phases, target, capacity);
            for step in 0..24 {
                let memory_bits = (from * 1.25f64.powi(step)) as u64;
                let mut seen = Seen::default();
                let serves = some_serves(&required, memory_bits, &mut seen);
                let found = found_at(&required, memory_bits, &mut Seen::default());
                assert_eq!(serves, found.is_ok(), "{hashes} {target} {memory_bits}");
                told[usize::from(serves)] += 1;
            }
        }
        assert!(told.iter().all(|times| *times > 10), "{told:?}");
    }
}
