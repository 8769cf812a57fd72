//! Static filters: rates by the law of a key's positions, and of one array by that of all its bits; what one filter of many exceeds is
//! simulated.

use super::keys::{added, classes, reached, Scheme};
use super::recycling::{Half, Positions};
use super::{domain, Drawn};
use bloomline_theory::cells::{Draw, PartitionedStatic, Partitions, SharedArray};
use bloomline_theory::sizing::Hashing;
use bloomline_theory::static_filter::{Probes, StaticFilter};
use bloomline_theory::two_hash::framework::{check, check_extension};
use bloomline_theory::two_hash::{Extension, ManyItems, PrimePartition, Scheme as Km};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

pub const EXTENSIONS: [Extension; 3] = [Extension::None, Extension::Square, Extension::Cube];
/// Chances at which quantiles and their bounds are asked for.
pub const CHANCES: [f64; 5] = [1e-3, 0.01, 0.03, 0.1, 0.3];

/// Classic and standard filters of one array, by the law of the number of their bits.
pub fn one_array(random: &mut ChaCha8Rng) -> Drawn {
    let hashes = random.random_range(1..=6u8);
    let bits = random.random_range(u16::from(hashes.max(2))..=60);
    let items = random.random_range(0..=40u64);
    let distinct = random.random_bool(0.5);
    let (positions, draw) = match distinct {
        true => (Positions::Distinct, Draw::Distinct),
        false => (Positions::Colliding, Draw::Independent),
    };
    let half = Half {
        bits,
        hashes,
        positions,
    };
    let chance = CHANCES[random.random_range(0..CHANCES.len())];
    let mut drawn = Drawn::new(format!("{half:?} items {items} chance {chance}"));
    let mut law = BTreeMap::from([(half.empty(), 1.0)]);
    for _ in 0..items {
        let mut after = BTreeMap::new();
        for (state, share) in &law {
            for (to, probability) in half.next(state) {
                *after.entry(to.bits).or_insert(0.0) += share * probability;
            }
        }
        law = after;
    }
    let mean = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        let terms = law.iter();
        terms
            .map(|(state, share)| share * of(half.rate(state), f64::from(state[0])))
            .sum()
    };
    let rate = mean(&|rate, _| rate);
    let Some(array) = drawn.always(SharedArray::new(bits.into(), hashes.into(), draw)) else {
        return drawn;
    };
    if let Some(figure) = drawn.always(array.rate(items)) {
        drawn.figure("rate", &figure, rate);
    }
    let probes = match distinct {
        true => Probes::Distinct,
        false => Probes::Independent,
    };
    let filter = StaticFilter::new(bits.into(), items, hashes.into(), probes);
    if let Some(filter) = drawn.always(filter) {
        let proven = 2 * u16::from(hashes) < bits;
        if !distinct {
            drawn.figure("OCC (57)", &filter.lower_bound_m(), rate);
            drawn.figure("OCC (58)", &filter.lower_bound_e(), rate);
        }
        if let Some(bound) = drawn.always(filter.lower_bound_l()).filter(|_| proven) {
            drawn.figure("OCC (64)", &bound, rate);
        }
        let of_upper = domain(&[(!proven, "more hashes than (m - 1)/2")]);
        let upper = drawn.answer(of_upper, filter.upper_bound_u());
        if let Some(bound) = upper.filter(|_| distinct) {
            drawn.figure("OCC (65)", &bound, rate);
        }
    }
    let fill = mean(&|_, set| set / f64::from(bits));
    drawn.figure("fill", &array.fill(items), fill);
    if let Some(figure) = drawn.always(array.rate_deviation(items)) {
        let variance = mean(&|of_state, _| (of_state - rate).powi(2));
        drawn.figure("deviation", &figure, variance.sqrt());
    }
    if let Some(figure) = drawn.always(array.rate_exceeded_by(items, chance)) {
        let above = mean(&|rate, _| f64::from(u8::from(rate > figure.value * (1.0 + 1e-12))));
        drawn.exceeded("rate but for", &figure, chance, above);
    }
    drawn
}

/// Filters in partitions or one array, by k functions or two: rates by enumeration of all pairs of hash values.
pub fn by_keys(random: &mut ChaCha8Rng) -> Drawn {
    let partitioned = random.random_bool(0.5);
    let extension = EXTENSIONS[random.random_range(0..3)];
    let hashes = random.random_range(1..=if partitioned { 8 } else { 6u64 });
    let least = 2 * hashes * hashes;
    let range = match partitioned {
        true => random.random_range(2..=80u64),
        false => random.random_range(least.max(2)..least + 50),
    };
    let double = !partitioned || random.random_bool(0.7);
    let most = (2 * range).max(8);
    let items = random.random_range(1..=if partitioned { most } else { most / hashes });
    let (scheme, hashing) = match (partitioned, double) {
        (true, true) => (Scheme::DoublePartitions, Hashing::Double),
        (true, false) => (Scheme::Partitions, Hashing::Independent),
        (false, _) => (Scheme::TwoHash(extension), Hashing::Double),
    };
    let mut drawn = Drawn::new(format!("{scheme:?} k {hashes} range {range} items {items}"));
    let of_items = reached(
        &classes(scheme, range, hashes),
        |_| 1,
        std::iter::repeat_n(1, items as usize),
    );
    let rate = of_items[items as usize];
    let k = hashes as u32;
    if !partitioned {
        let array = SharedArray::new(range, k, Draw::TwoHash(extension));
        if let Some(figure) = drawn.always(array.and_then(|array| array.rate(items))) {
            drawn.figure("rate", &figure, rate);
        }
        return drawn;
    }
    let Some(parts) = drawn.always(Partitions::new(range, k, hashing)) else {
        return drawn;
    };
    let Some(filter) = drawn.always(PartitionedStatic::new(parts, items)) else {
        return drawn;
    };
    drawn.figure("rate", &filter.rate(), rate);
    // the greatest number of items that keeps a rate between those of two numbers
    let after = random.random_range(1..=items as usize);
    let target = 0.5 * (of_items[after] + of_items[after - 1]);
    let none = domain(&[(after == 1, "a rate that one item passes")]);
    if target > 0.0 && of_items[after] > of_items[after - 1] * (1.0 + 1e-9) {
        if let Some(most) = drawn.answer(none, PartitionedStatic::most_items(parts, target)) {
            drawn.figure("most items", &most, (after - 1) as f64);
        }
    }
    if let Some(prime) = PrimePartition::new(range, k, items).ok().filter(|_| double) {
        if let Some(figure) = drawn.always(prime.rate()) {
            drawn.figure("KM 3", &figure, rate);
        }
        let excess = rate - prime.many_items().limit().value;
        if let Some(figure) = drawn.always(prime.first_order_excess()) {
            // an excess that rounding makes is no excess
            if excess.abs() > 1e-9 * rate {
                drawn.count(&figure);
                let stated = figure.value.abs() * figure.accuracy.relative_error;
                if (figure.value - excess).abs() > stated * (1.0 + 1e-6) + 1e-12 * rate {
                    drawn.fault("KM 6.1", &figure, &format!("{excess}"));
                }
            }
        }
    }
    drawn
}

/// Positions of a key in partitions one behind the other, or in one array.
pub fn positions(scheme: Scheme, range: u64, hashes: u64, random: &mut ChaCha8Rng) -> Vec<usize> {
    let (start, step) = (random.random_range(0..range), random.random_range(0..range));
    let mut taken = Vec::new();
    for i in 0..hashes {
        loop {
            let at = match scheme {
                Scheme::Partitions => i * range + random.random_range(0..range),
                Scheme::DoublePartitions => i * range + (start + i * step) % range,
                Scheme::Independent | Scheme::Distinct => random.random_range(0..range),
                Scheme::TwoHash(extension) => (start + i * step + added(extension, i)) % range,
            } as usize;
            if scheme != Scheme::Distinct || !taken.contains(&at) {
                taken.push(at);
                break;
            }
        }
    }
    taken
}

/// Cells in all.
pub fn cells(scheme: Scheme, range: u64, hashes: u64) -> usize {
    let arrays = match scheme {
        Scheme::Partitions | Scheme::DoublePartitions => hashes,
        _ => 1,
    };
    (arrays * range) as usize
}

/// Share of all keys of a scheme whose every cell answers yes.
pub fn share_of_keys(scheme: Scheme, range: u64, hashes: u64, yes: &[bool]) -> f64 {
    let m = range as f64;
    let set = |cells: &[bool]| cells.iter().filter(|cell| **cell).count() as f64;
    match scheme {
        Scheme::Partitions => yes
            .chunks(range as usize)
            .map(|cells| set(cells) / m)
            .product(),
        Scheme::Independent => (set(yes) / m).powi(hashes as i32),
        Scheme::Distinct => (0..hashes)
            .map(|i| ((set(yes) - i as f64) / (m - i as f64)).max(0.0))
            .product(),
        Scheme::DoublePartitions | Scheme::TwoHash(_) => {
            let mut seen = 0u32;
            for step in 0..range {
                for start in 0..range {
                    seen += u32::from((0..hashes).all(|i| match scheme {
                        Scheme::TwoHash(extension) => {
                            yes[((start + i * step + added(extension, i)) % range) as usize]
                        }
                        _ => yes[(i * range + (start + i * step) % range) as usize],
                    }));
                }
            }
            f64::from(seen) / (m * m)
        }
    }
}

/// A scheme, and what the crate calls it: in partitions or in one array.
#[derive(Debug, Clone, Copy)]
pub enum Layout {
    Partitions(Hashing),
    Array(Draw),
}

pub fn any_scheme(random: &mut ChaCha8Rng) -> (Scheme, Layout) {
    let extension = EXTENSIONS[random.random_range(0..3)];
    [
        (Scheme::Partitions, Layout::Partitions(Hashing::Independent)),
        (
            Scheme::DoublePartitions,
            Layout::Partitions(Hashing::Double),
        ),
        (Scheme::Independent, Layout::Array(Draw::Independent)),
        (Scheme::Distinct, Layout::Array(Draw::Distinct)),
        (
            Scheme::TwoHash(extension),
            Layout::Array(Draw::TwoHash(extension)),
        ),
    ][random.random_range(0..5)]
}

/// What one filter exceeds with a small probability: so many of many filters do.
pub fn one_of_many(random: &mut ChaCha8Rng) -> Drawn {
    let (scheme, layout) = any_scheme(random);
    let hashes = random.random_range(1..=5u64);
    let range = match layout {
        Layout::Partitions(_) => random.random_range(8..=48u64),
        Layout::Array(_) => random.random_range(2 * hashes * hashes + 8..=120),
    };
    let load = random.random_range(0.2..1.4) * range as f64;
    let items = match layout {
        Layout::Partitions(_) => load as u64,
        Layout::Array(_) => (load / hashes as f64).ceil() as u64,
    };
    let chance = CHANCES[random.random_range(1..CHANCES.len())];
    let queries = random.random_range(10..400u64);
    let mut drawn = Drawn::new(format!(
        "{scheme:?} k {hashes} range {range} items {items} chance {chance} queries {queries}"
    ));
    let k = hashes as u32;
    let (exceeded, observed, deviation) = match layout {
        Layout::Partitions(hashing) => {
            let filter = Partitions::new(range, k, hashing)
                .and_then(|parts| PartitionedStatic::new(parts, items));
            let Some(filter) = drawn.always(filter) else {
                return drawn;
            };
            (
                filter.rate_exceeded_by(chance),
                filter.observed_exceeded_by(queries, chance),
                Ok(filter.rate_deviation()),
            )
        }
        Layout::Array(draw) => {
            let Some(array) = drawn.always(SharedArray::new(range, k, draw)) else {
                return drawn;
            };
            (
                array.rate_exceeded_by(items, chance),
                array.observed_exceeded_by(items, queries, chance),
                array.rate_deviation(items),
            )
        }
    };
    let found = (
        drawn.always(exceeded),
        drawn.always(observed),
        drawn.always(deviation),
    );
    let (Some(exceeded), Some(observed), Some(deviation)) = found else {
        return drawn;
    };
    const FILTERS: u32 = 200;
    let (mut above, mut seen_above) = (0, 0);
    let mut rates = Vec::new();
    for _ in 0..FILTERS {
        let mut bits = vec![false; cells(scheme, range, hashes)];
        for _ in 0..items {
            for at in positions(scheme, range, hashes, random) {
                bits[at] = true;
            }
        }
        let rate = share_of_keys(scheme, range, hashes, &bits);
        let seen = (0..queries).filter(|_| random.random_bool(rate)).count();
        above += u32::from(rate > exceeded.value * (1.0 + 1e-9));
        seen_above += u32::from(seen as f64 > observed.value * queries as f64 * (1.0 + 1e-9));
        rates.push(rate);
    }
    drawn.exceeded_in("rate but for", &exceeded, chance, (above, FILTERS));
    drawn.exceeded_in("observed but for", &observed, chance, (seen_above, FILTERS));
    // of the squares' mean over the filters
    let mean = rates.iter().sum::<f64>() / f64::from(FILTERS);
    let (square, of_square) = super::mean_of(
        &rates
            .iter()
            .map(|rate| (rate - mean).powi(2))
            .collect::<Vec<_>>(),
    );
    let simulated = square.sqrt();
    let off = match square > 0.0 {
        true => 0.5 * of_square / simulated,
        false => 1.0,
    };
    drawn.simulated("deviation", &deviation, (simulated, off));
    km_concentration(
        &mut drawn,
        layout,
        (range, hashes, items),
        (&rates, chance, queries),
        random,
    );
    drawn
}

/// KM 7: the rate of one filter, and what is observed of it, differ from the limit by more than a distance with a small probability.
fn km_concentration(
    drawn: &mut Drawn,
    layout: Layout,
    (range, hashes, items): (u64, u64, u64),
    (rates, chance, queries): (&[f64], f64, u64),
    random: &mut ChaCha8Rng,
) {
    let (scheme, bits) = match layout {
        Layout::Partitions(Hashing::Double) => (Km::Partition, range * hashes),
        Layout::Array(Draw::TwoHash(_)) => (Km::DoubleHashing, range),
        _ => return,
    };
    let many = ManyItems::new(scheme, bits, items, hashes as u32);
    let Some(many) = drawn.always(many) else {
        return;
    };
    let limit = many.limit().value;
    let (mean, deviation) = super::mean_of(rates);
    let gap = (mean - limit).abs() + 5.0 * deviation;
    let trials = rates.len() as u32;
    let Some(most) = drawn.always(many.queries_exceed(queries, gap, chance)) else {
        return;
    };
    let seen: Vec<f64> = rates
        .iter()
        .map(|rate| {
            let seen = (0..queries).filter(|_| random.random_bool(*rate)).count();
            seen as f64 / queries as f64
        })
        .collect();
    let above = seen.iter().filter(|seen| **seen > most.value).count() as u32;
    drawn.exceeded_in("KM 7.2 but for", &most, chance, (above, trials));
    let distance = gap + random.random_range(0.01..0.5);
    let beyond = |found: &[f64]| {
        let far = found
            .iter()
            .filter(|found| (**found - limit).abs() > distance);
        far.count() as f64 / f64::from(trials)
    };
    let deviation_of = |share: f64| (share.max(1.0 / 64.0) / f64::from(trials)).sqrt();
    for (name, bound, share) in [
        ("KM 7.1", many.concentration(distance, gap), beyond(rates)),
        (
            "KM 7.2",
            many.query_concentration(queries, distance.max(2.0 * gap + 0.01), gap),
            beyond(&seen),
        ),
    ] {
        if let Some(bound) = drawn.always(bound) {
            if name == "KM 7.1" || distance >= 2.0 * gap + 0.01 {
                drawn.simulated(name, &bound, (share, deviation_of(share)));
            }
        }
    }
}

/// KM 4 and 5: the exact rates of three sizes, and the limit of many items.
pub fn framework(random: &mut ChaCha8Rng) -> Drawn {
    let partitioned = random.random_bool(0.5);
    let hashes = random.random_range(1..=4u64);
    let extension = EXTENSIONS[random.random_range(0..3)];
    // items are whole numbers at every size
    let an_item = match partitioned {
        true => hashes * [1, 2, 4][random.random_range(0..3)],
        false => [2, 4, 8][random.random_range(0..3)],
    };
    let mut drawn = Drawn::new(format!(
        "framework, partitioned {partitioned} {extension:?} k {hashes} c {an_item}"
    ));
    let (scheme, arrays) = match partitioned {
        true => (Scheme::DoublePartitions, hashes),
        false => (Scheme::TwoHash(extension), 1),
    };
    let c = an_item as f64;
    let found = match partitioned {
        true => check(hashes as u32, arrays, c, |range, start, step| {
            (0..hashes)
                .map(|i| i * range + (start + i * step) % range)
                .collect()
        }),
        false => {
            let terms: Vec<u64> = (0..hashes).map(|i| added(extension, i)).collect();
            check_extension(&terms, c)
        }
    };
    let Some(found) = drawn.always(found) else {
        return drawn;
    };
    for size in &found.sizes {
        let items = size.items as usize;
        let all = classes(scheme, size.range, hashes);
        let rate = reached(&all, |_| 1, std::iter::repeat_n(1, items))[items];
        drawn.exact += 1;
        if (size.rate / rate - 1.0).abs() > 1e-9 {
            let fault = format!("rate {} of {items} items for {rate}", size.rate);
            drawn.wrong.push(fault);
        }
        let km = match partitioned {
            true => Km::Partition,
            false => Km::DoubleHashing,
        };
        let many = ManyItems::new(km, size.range * arrays, items as u64, hashes as u32);
        let Some(many) = drawn.always(many) else {
            continue;
        };
        let limit = many.limit();
        drawn.figure("KM 5", &limit, rate);
    }
    drawn
}
