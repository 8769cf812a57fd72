//! Count-Min sketches, in rows, copies and one array: by the law of the least count of a key's counters.

use super::bits::{any_scheme, Layout};
use super::keys::{classes, least, Scheme};
use super::{domain, Drawn};
use bloomline_theory::cells::{Partitions, Rows, SharedArray};
use bloomline_theory::count_min::CountMin;
use bloomline_theory::sizing::Hashing;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Amounts of keys: of one each, or a few large among small ones.
fn amounts(random: &mut ChaCha8Rng, most: u64) -> (bool, Vec<u64>) {
    let keys = random.random_range(1..=most);
    let once = random.random_bool(0.5);
    let amount = |random: &mut ChaCha8Rng| match once {
        true => 1,
        false => 1 + 12 / random.random_range(1..=12u64),
    };
    (once, (0..keys).map(|_| amount(random)).collect())
}

/// Greatest error that is looked at.
const MOST_ERROR: u64 = 14;

pub fn in_rows(random: &mut ChaCha8Rng) -> Drawn {
    let double = random.random_bool(0.6);
    let (scheme, hashing) = match double {
        true => (Scheme::DoublePartitions, Hashing::Double),
        false => (Scheme::Partitions, Hashing::Independent),
    };
    let copies = random.random_range(1..=3u64);
    let depth = random.random_range(1..=3u64);
    let range = [10, 11, 12, 13, 16, 17, 23, 24, 29, 32, 37][random.random_range(0..11)];
    let (once, amounts) = amounts(random, 2 * range);
    let total: u64 = amounts.iter().sum();
    let mut drawn = Drawn::new(format!(
        "{hashing:?} copies {copies} depth {depth} width {range} keys {} once {once} total {total}",
        amounts.len()
    ));
    let rows = Partitions::new(range, (copies * depth) as u32, hashing)
        .and_then(|parts| Rows::new(parts, total))
        .and_then(|rows| rows.in_copies(copies as u32));
    let Some(rows) = drawn.always(rows) else {
        return drawn;
    };
    // of an absent key, the least of all copies: each has functions of its own
    let one_copy = least(
        &classes(scheme, range, depth),
        MOST_ERROR,
        amounts.iter().copied(),
    );
    let at_least: Vec<f64> = one_copy
        .iter()
        .map(|reaches| reaches.powi(copies as i32))
        .collect();
    drawn.figure("row", &rows.row_error(), total as f64 / range as f64);
    for _ in 0..3 {
        let error = random.random_range(1..=MOST_ERROR);
        let exact = at_least[error as usize];
        let excess = error as f64 / total as f64;
        if let Some(bound) = drawn.always(rows.failure_bound(excess * (1.0 - 1e-12))) {
            drawn.figure("failure", &bound, exact);
        }
        drawn.figure("false report", &rows.false_report_bound(error), exact);
        // KM 9.1 is for rows of prime width, two functions and less than all of the total
        let km = CountMin::new(range, depth).ok().filter(|_| double);
        if let Some(sketch) = km.filter(|_| excess < 1.0) {
            // more than the excess
            let more = at_least[(error as usize + 1).min(MOST_ERROR as usize)];
            let bound = sketch.failure_bound_of_copies(excess, copies as u32);
            if let Some(bound) = drawn.always(bound) {
                drawn.figure("KM 9.1", &bound, more);
            }
        }
    }
    let failure = [0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5][random.random_range(0..6)];
    if let Some(bound) = drawn.always(rows.error_bound(failure)) {
        let error = (bound.value * total as f64 * (1.0 - 1e-12)).ceil() as u64;
        if error <= MOST_ERROR {
            drawn.exceeded("error but for", &bound, failure, at_least[error as usize]);
        }
    }
    if once {
        let mean: f64 = at_least[1..].iter().sum();
        drawn.figure("unit error", &rows.unit_error(), mean);
        if let Some(figure) = drawn.always(rows.unit_error_quantile(failure)) {
            let reached = |error: u64| at_least[error.min(MOST_ERROR) as usize];
            // 1 less the probability of less
            drawn.quantile("unit error but for", &figure, 1.0 - failure, |error| {
                (1.0 - reached(error), 1e-13)
            });
        }
    }
    drawn
}

pub fn in_one_array(random: &mut ChaCha8Rng) -> Drawn {
    let (scheme, draw) = loop {
        if let (scheme, Layout::Array(draw)) = any_scheme(random) {
            break (scheme, draw);
        }
    };
    let hashes = random.random_range(1..=3u64);
    let range = 2 * hashes * hashes + random.random_range(2..40);
    let (_, amounts) = amounts(random, 2 * range / hashes);
    let total: u64 = amounts.iter().sum();
    let mut drawn = Drawn::new(format!(
        "{scheme:?} k {hashes} range {range} keys {} total {total}",
        amounts.len()
    ));
    let Some(array) = drawn.always(SharedArray::new(range, hashes as u32, draw)) else {
        return drawn;
    };
    let at_least = least(
        &classes(scheme, range, hashes),
        MOST_ERROR,
        amounts.iter().copied(),
    );
    let mean = hashes as f64 * total as f64 / range as f64;
    drawn.figure("counter", &array.counter_error(total), mean);
    for _ in 0..3 {
        let error = random.random_range(1..=MOST_ERROR);
        let excess = error as f64 / total as f64;
        if let Some(bound) = drawn.always(array.failure_bound(excess * (1.0 - 1e-12))) {
            drawn.figure("failure", &bound, at_least[error as usize]);
        }
    }
    let failure = [0.5, 0.3, 0.1, 0.03][random.random_range(0..4)];
    // two of a key's probes coincide with a greater probability, by the bound of the documentation
    let divisor = |d: u64| {
        (1..=d)
            .filter(|i| d.is_multiple_of(*i) && range.is_multiple_of(*i))
            .max()
    };
    let pairs: u64 = (1..hashes)
        .map(|d| (hashes - d) * divisor(d).unwrap_or(1))
        .sum();
    let coincide = match scheme {
        Scheme::Distinct => 0.0,
        Scheme::Independent => (hashes * (hashes - 1)) as f64 / (2 * range) as f64,
        _ => pairs as f64 / range as f64,
    };
    let of_bound = domain(&[(failure <= coincide, "probes coincide more often")]);
    if let Some(bound) = drawn.answer(of_bound, array.error_bound(failure)) {
        let error = (bound.value * total as f64 * (1.0 - 1e-12)).ceil() as u64;
        if error <= MOST_ERROR {
            drawn.exceeded("error but for", &bound, failure, at_least[error as usize]);
        }
    }
    drawn
}
