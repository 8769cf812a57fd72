//! Counting filters, plain, over a window and along a stream: by the law of the counts of a key's positions; large thresholds and what one
//! filter of many exceeds are simulated.

use super::bits::{any_scheme, cells, positions, share_of_keys, Layout, CHANCES, EXTENSIONS};
use super::keys::{added, classes, least, reached, Scheme};
use super::{over, Domain, Drawn};
use bloomline_theory::cells::{
    CountingStream, Draw, PartitionedCounting, Partitions, SharedArray, WindowStream,
    WindowedCounting,
};
use bloomline_theory::counting::CountingFilter;
use bloomline_theory::sizing::Hashing;
use bloomline_theory::two_hash::Extension;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::iter::repeat_n;

/// Most that a key needs of each of its counters, by the number of hashes.
const MOST_NEED: [u64; 6] = [0, 8, 5, 3, 2, 1];

struct Specification {
    scheme: Scheme,
    layout: Layout,
    range: u64,
    hashes: u64,
    threshold: u64,
    count: u64,
    insertions: u64,
}

fn specification(random: &mut ChaCha8Rng) -> Specification {
    let (scheme, layout) = any_scheme(random);
    let hashes = random.random_range(1..=5u64);
    let range = match layout {
        Layout::Partitions(_) => random.random_range(4..=60u64),
        Layout::Array(Draw::TwoHash(_)) => {
            2 * hashes * hashes + random.random_range(0..30) + u64::from(hashes == 1) * 2
        }
        Layout::Array(_) => random.random_range(2 * hashes..=60),
    };
    let need = random.random_range(1..=MOST_NEED[hashes as usize]);
    let count = random.random_range(0..=2u64);
    let load = random.random_range(0.1..1.5) * need as f64 * range as f64;
    let insertions = match layout {
        Layout::Partitions(_) => load,
        Layout::Array(_) => load / hashes as f64,
    };
    Specification {
        scheme,
        layout,
        range,
        hashes,
        threshold: need + count,
        count,
        insertions: insertions.ceil() as u64,
    }
}

/// The probability that a key is reported after none and after each insertion of another.
pub fn draw(random: &mut ChaCha8Rng) -> Drawn {
    let Specification {
        scheme,
        layout,
        range,
        hashes,
        threshold,
        count,
        insertions,
    } = specification(random);
    let mut drawn = Drawn::new(format!(
        "{scheme:?} k {hashes} range {range} threshold {threshold} count {count} insertions {insertions}"
    ));
    let all = classes(scheme, range, hashes);
    let n = insertions as usize;
    let of_insertions = reached(
        &all,
        |own| threshold.saturating_sub(count * own),
        repeat_n(1, n),
    );
    let k = hashes as u32;
    let parts = match layout {
        Layout::Partitions(hashing) => Partitions::new(range, k, hashing),
        Layout::Array(draw) => {
            let Some(array) = drawn.always(SharedArray::new(range, k, draw)) else {
                return drawn;
            };
            if let Some(figure) = drawn.always(array.reported(insertions, threshold, count)) {
                drawn.figure("report", &figure, of_insertions[n]);
            }
            if scheme == Scheme::Independent && count == 0 {
                let model = CountingFilter::new(range, insertions, hashes, threshold);
                if let Some(model) = drawn.always(model) {
                    drawn.figure("CBF (2)", &model.rate(), of_insertions[n]);
                }
            }
            if let Some(figure) = drawn.always(array.counter_reaches(insertions, threshold)) {
                let reaches = one_counter(scheme, range, hashes, threshold, n);
                drawn.figure("counter", &figure, reaches);
            }
            return drawn;
        }
    };
    let Some(parts) = drawn.always(parts) else {
        return drawn;
    };
    let Some(filter) = drawn.always(PartitionedCounting::new(parts, insertions, threshold)) else {
        return drawn;
    };
    if let Some(figure) = drawn.always(filter.reported(count)) {
        drawn.figure("report", &figure, of_insertions[n]);
    }
    let reaches = one_counter(scheme, range, hashes, threshold, n);
    drawn.figure("counter", &filter.counter_reaches(threshold), reaches);
    let max = threshold;
    let any = -(hashes as f64 * (-reaches).ln_1p()).exp_m1();
    // two functions: at most that of independent ones
    drawn.figure("saturated", &filter.saturated(max), any);
    if threshold > 1 && MOST_NEED[hashes as usize] >= threshold - 1 {
        let of_new = reached(&all, |own| threshold.saturating_sub(own), repeat_n(1, n));
        if let Some(figure) = drawn.always(filter.false_alarms_of_new_keys()) {
            let sum: f64 = of_new[..n].iter().sum();
            drawn.figure("false alarms", &figure, sum);
        }
    }
    let after = random.random_range(1..=n);
    let target = 0.5 * (of_insertions[after] + of_insertions[after - 1]);
    let step = of_insertions[after] - of_insertions[after - 1];
    if target > 0.0 && target < 1.0 {
        let most = PartitionedCounting::most_insertions(parts, threshold, count, target);
        if let Some(most) = drawn.always(most) {
            // an error of the rate moves the number by as much as the rate's slope says
            let stated = most.accuracy.relative_error * target;
            let apart = (most.value - (after - 1) as f64).abs();
            drawn.count(&most);
            if step > 1e-9 * target && apart > 0.0 && stated < 0.5 * step {
                drawn.fault("most insertions", &most, &(after - 1).to_string());
            }
        }
    }
    drawn
}

/// The probability that `insertions` raise one counter so far.
fn one_counter(scheme: Scheme, range: u64, hashes: u64, threshold: u64, insertions: usize) -> f64 {
    let m = range as f64;
    // hits of one item on the counter at 0, with probabilities
    let mut hits: BTreeMap<u64, f64> = BTreeMap::new();
    match scheme {
        Scheme::Partitions | Scheme::DoublePartitions => {
            hits.insert(1, 1.0 / m);
        }
        Scheme::Distinct => {
            hits.insert(1, hashes as f64 / m);
        }
        Scheme::Independent => {
            for hit in 1..=hashes {
                let ways: f64 = (0..hit)
                    .map(|i| (hashes - i) as f64 / (hit - i) as f64)
                    .product();
                let share =
                    ways * m.powi(-(hit as i32)) * (1.0 - 1.0 / m).powi((hashes - hit) as i32);
                hits.insert(hit, share);
            }
        }
        Scheme::TwoHash(extension) => {
            for step in 0..range {
                for start in 0..range {
                    let on =
                        |i: &u64| (start + i * step + added(extension, *i)).is_multiple_of(range);
                    let hit = (0..hashes).filter(on).count() as u64;
                    *hits.entry(hit).or_default() += 1.0 / (m * m);
                }
            }
            hits.remove(&0);
        }
    }
    let missed = 1.0 - hits.values().sum::<f64>();
    let mut law = vec![0.0; threshold as usize + 1];
    law[0] = 1.0;
    for _ in 0..insertions {
        let mut after: Vec<f64> = law.iter().map(|mass| mass * missed).collect();
        for (hit, share) in &hits {
            for (at, mass) in law.iter().enumerate() {
                after[(at + *hit as usize).min(threshold as usize)] += mass * share;
            }
        }
        law = after;
    }
    law[threshold as usize]
}

/// Two panes: the least counters of both are added.
pub fn window(random: &mut ChaCha8Rng) -> Drawn {
    let double = random.random_bool(0.5);
    let (scheme, hashing) = match double {
        true => (Scheme::DoublePartitions, Hashing::Double),
        false => (Scheme::Partitions, Hashing::Independent),
    };
    let hashes = random.random_range(1..=4u64);
    let range = random.random_range(8..=50u64);
    let need = random.random_range(1..=MOST_NEED[hashes as usize]);
    let count = random.random_range(0..=2u64);
    let window = (random.random_range(0.1..0.8) * (need * range) as f64).ceil() as u64;
    let active = random.random_range(0..=window);
    let mut drawn = Drawn::new(format!(
        "{scheme:?} k {hashes} range {range} need {need} count {count} window {window} active {active}"
    ));
    let all = classes(scheme, range, hashes);
    let pane: Vec<Vec<f64>> = (0..=window)
        .map(|n| least(&all, need, repeat_n(1, n as usize)))
        .collect();
    // in partitions all keys are alike, so the panes are independent
    let both = |active: u64| -> f64 {
        let (a, b) = (&pane[active as usize], &pane[window as usize]);
        let need = need as usize;
        let exactly = |i: usize| a[i] - a.get(i + 1).copied().unwrap_or(0.0);
        a[need] + (0..need).map(|i| exactly(i) * b[need - i]).sum::<f64>()
    };
    let filter = Partitions::new(range, hashes as u32, hashing)
        .and_then(|parts| WindowedCounting::new(parts, window, need + count));
    let Some(filter) = drawn.always(filter) else {
        return drawn;
    };
    if let Some(figure) = drawn.always(filter.reported(count, active)) {
        drawn.figure("report", &figure, both(active));
    }
    if let Some(figure) = drawn.always(filter.reported_in_mean(count)) {
        let mean = (0..window).map(both).sum::<f64>() / window as f64;
        drawn.figure("report in the mean", &figure, mean);
    }
    if let Some(figure) = drawn.always(filter.saturated(need)) {
        let reaches = one_counter(scheme, range, hashes, need, window as usize);
        let any = -(2.0 * hashes as f64 * (-reaches).ln_1p()).exp_m1();
        drawn.figure("saturated", &figure, any);
    }
    drawn
}

/// Keys that come again, without a window and with one: the alarm of an arrival given the counts of all others.
pub fn stream(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(1..=3u64);
    let range = random.random_range(4..=40u64);
    let threshold = random.random_range(2..=4u64);
    let keys = random.random_range(3..=25usize);
    let arrivals = random.random_range(10..=120usize);
    let turn = random.random_range(10..=60usize);
    let mut drawn = Drawn::new(format!(
        "stream k {hashes} range {range} threshold {threshold} keys {keys} arrivals {arrivals} turn {turn}"
    ));
    let parts = Partitions::new(range, hashes as u32, Hashing::Independent);
    let Some(parts) = drawn.always(parts) else {
        return drawn;
    };
    let plain = drawn.always(CountingStream::new(parts, threshold as u32));
    let windowed = drawn.always(WindowStream::new(parts, threshold as u32));
    let (Some(mut plain), Some(mut windowed)) = (plain, windowed) else {
        return drawn;
    };
    let all = classes(Scheme::Partitions, range, hashes);
    let mut counts = vec![0u64; keys];
    let mut panes = vec![(0u64, 0u64); keys];
    let (mut last, mut last_windowed) = (None, None);
    for arrival in 0..arrivals {
        if arrival % turn == turn - 1 {
            windowed.turn();
            panes.iter_mut().for_each(|pane| *pane = (0, pane.0));
        }
        let key = random.random_range(0..keys);
        if let Some(alarm) = plain.arrive(counts[key]) {
            last = Some((key, counts.clone(), alarm));
        }
        if let Some(alarm) = windowed.arrive(panes[key].0, panes[key].1) {
            last_windowed = Some((key, panes.clone(), alarm));
        }
        counts[key] += 1;
        panes[key].0 += 1;
    }
    let mut compare = |name: &str, probability: f64, exact: f64| {
        drawn.exact += 1;
        // what is below the threshold is taken from 1
        if (probability - exact).abs() > 1e-12 + 1e-9 * exact {
            let fault = format!("{name} {probability} for {exact}");
            drawn.wrong.push(fault);
        }
    };
    if let Some((key, counts, alarm)) = last {
        let need = threshold - counts[key] - 1;
        let mut others = counts;
        others.remove(key);
        let others = others.into_iter().filter(|count| *count > 0);
        let of_others = reached(&all, |_| need, others);
        compare("alarm", alarm.probability, of_others[of_others.len() - 1]);
    }
    if let Some((key, panes, alarm)) = last_windowed {
        let need = threshold - panes[key].0 - panes[key].1 - 1;
        let mut others = panes;
        others.remove(key);
        compare(
            "alarm over a window",
            alarm.probability,
            both_panes(range, hashes as usize, need, &others),
        );
    }
    drawn
}

/// The probability that the least counters of the two panes come to what is needed: counters of one partition after the other are alike
/// and independent, each with its counts in both panes.
fn both_panes(range: u64, hashes: usize, need: u64, others: &[(u64, u64)]) -> f64 {
    let hit = 1.0 / range as f64;
    let mut one: BTreeMap<(u64, u64), f64> = BTreeMap::from([((0, 0), 1.0)]);
    for (a, f) in others {
        let mut after: BTreeMap<(u64, u64), f64> = BTreeMap::new();
        for ((x, y), mass) in one {
            *after.entry((x, y)).or_default() += mass * (1.0 - hit);
            let raised = ((x + a).min(need), (y + f).min(need));
            *after.entry(raised).or_default() += mass * hit;
        }
        one = after;
    }
    let mut least: BTreeMap<(u64, u64), f64> = BTreeMap::from([((need, need), 1.0)]);
    for _ in 0..hashes {
        let mut after: BTreeMap<(u64, u64), f64> = BTreeMap::new();
        for ((x, y), mass) in &least {
            for ((a, f), share) in &one {
                let lower = ((*x).min(*a), (*y).min(*f));
                *after.entry(lower).or_default() += mass * share;
            }
        }
        least = after;
    }
    let enough = least.iter().filter(|((x, y), _)| x + y >= need);
    enough.map(|(_, mass)| mass).sum()
}

/// What one filter of many exceeds, of keys of the same count: plain in partitions, and over a window.
pub fn one_of_many(random: &mut ChaCha8Rng) -> Drawn {
    let double = random.random_bool(0.5);
    let (scheme, hashing) = match double {
        true => (Scheme::DoublePartitions, Hashing::Double),
        false => (Scheme::Partitions, Hashing::Independent),
    };
    let hashes = random.random_range(1..=4u64);
    let range = random.random_range(8..=40u64);
    let windowed = random.random_bool(0.5);
    let need = random.random_range(1..=4u64);
    let count = random.random_range(0..=2u64);
    let load = random.random_range(0.1..1.0) / if windowed { 2.0 } else { 1.0 };
    let insertions = (load * (need * range) as f64).ceil() as u64;
    let chance = CHANCES[random.random_range(1..CHANCES.len())];
    let mut drawn = Drawn::new(format!(
        "{scheme:?} k {hashes} range {range} windowed {windowed} need {need} count {count} insertions {insertions} chance {chance}"
    ));
    let Some(parts) = drawn.always(Partitions::new(range, hashes as u32, hashing)) else {
        return drawn;
    };
    let threshold = need + count;
    let figure = match windowed {
        false => PartitionedCounting::new(parts, insertions, threshold)
            .and_then(|filter| filter.reported_exceeded_by(count, chance)),
        true => WindowedCounting::new(parts, insertions, threshold)
            .and_then(|filter| filter.reported_exceeded_by(count, chance)),
    };
    let Some(figure) = drawn.always(figure) else {
        return drawn;
    };
    const FILTERS: u32 = 150;
    let mut above = 0;
    for _ in 0..FILTERS {
        let mut pane = || {
            let mut counters = vec![0u64; cells(scheme, range, hashes)];
            for _ in 0..insertions {
                for at in positions(scheme, range, hashes, random) {
                    counters[at] += 1;
                }
            }
            counters
        };
        let (one, other) = (pane(), if windowed { pane() } else { Vec::new() });
        let reach = |counters: &[u64], least: u64| {
            let yes: Vec<bool> = counters.iter().map(|counter| *counter >= least).collect();
            yes
        };
        let rate = match windowed {
            false => share_of_keys(scheme, range, hashes, &reach(&one, need)),
            // exactly a in one pane, what is left in the other: of the keys that reach a, those that do not reach a + 1
            true => (0..=need)
                .map(|a| {
                    let enough = reach(&other, need - a);
                    let both = |least: u64| {
                        let here = reach(&one, least);
                        let yes: Vec<bool> =
                            here.iter().zip(&enough).map(|(a, b)| *a && *b).collect();
                        share_of_keys(scheme, range, hashes, &yes)
                    };
                    match a == need {
                        true => both(a),
                        false => both(a) - both(a + 1),
                    }
                })
                .sum(),
        };
        above += u32::from(rate > figure.value * (1.0 + 1e-9));
    }
    drawn.exceeded_in("report but for", &figure, chance, (above, FILTERS));
    drawn
}

/// Counters in one array by two hash functions, thresholds small and large, for keys of every count below: simulated.
pub fn simulated(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(2..=8u64);
    let extension = match hashes {
        7.. => Extension::None,
        _ => EXTENSIONS[random.random_range(0..3)],
    };
    let range = random.random_range(2 * hashes * hashes..16 * hashes * hashes);
    let threshold = [1, 2, 4, 10, 30, 60, 120][random.random_range(0..7)];
    let count = random.random_range(0..threshold);
    let load = random.random_range(0.3..1.1) * (threshold - count) as f64;
    let insertions = (load * range as f64 / hashes as f64).ceil() as u64;
    let mut drawn = Drawn::new(format!(
        "counting by two hashes {extension:?} k {hashes} counters {range} threshold {threshold} count {count} insertions {insertions}"
    ));
    let Some(array) = drawn.always(SharedArray::new(
        range,
        hashes as u32,
        Draw::TwoHash(extension),
    )) else {
        return drawn;
    };
    // the number of insertions that meet a key twice is not computed here: so few insertions surely meet no key 60 times
    let seldom = insertions * hashes.pow(4) < 4 * range;
    let figure = match array.reported(insertions, threshold, count) {
        Ok(figure) => figure,
        refusal => {
            let most = match seldom {
                true => Domain::Inside,
                false => Domain::Outside("over 60 insertions meet a key twice"),
            };
            drawn.answer(most, refusal);
            return drawn;
        }
    };
    let scheme = Scheme::TwoHash(extension);
    let measured = over(60, || {
        let mut cells = vec![0u64; range as usize];
        for _ in 0..insertions {
            positions(scheme, range, hashes, random)
                .into_iter()
                .for_each(|at| cells[at] += 1);
        }
        let queries = 200;
        let mut reported = 0;
        for _ in 0..queries {
            let key = positions(scheme, range, hashes, random);
            let own = |at: usize| key.iter().filter(|other| **other == at).count() as u64;
            let all = key
                .iter()
                .all(|at| cells[*at] + count * own(*at) >= threshold);
            reported += u32::from(all);
        }
        f64::from(reported) / f64::from(queries)
    });
    drawn.simulated("report", &figure, measured);
    drawn
}
