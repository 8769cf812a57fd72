//! Sliding windows: values in their range, the dictionary and the cuckoo tables that hold them, simulated.

use super::{over, Drawn};
use bloomline_theory::sliding::{CuckooTables, Dictionary, SlidingFilter};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, HashSet};

/// A sliding window: the rate of its values in their range, and of the dictionary that holds them.
pub fn window(random: &mut ChaCha8Rng) -> Drawn {
    let window = random.random_range(20..200u64);
    let slack = random.random_range(1..=2 * window);
    let rate = random.random_range(0.02..0.4);
    let mut drawn = Drawn::new(format!("sliding window {window} slack {slack} rate {rate}"));
    let Some(filter) = drawn.always(SlidingFilter::new(window, slack, rate)) else {
        return drawn;
    };
    let range = filter.range() as u64;
    let stored = filter.capacity();
    let measured = over(60, || {
        let values: Vec<u64> = (0..stored).map(|_| random.random_range(0..range)).collect();
        let queries = 200;
        let seen = (0..queries).filter(|_| values.contains(&random.random_range(0..range)));
        seen.count() as f64 / f64::from(queries)
    });
    drawn.simulated("union bound", &filter.union_bound(), measured);
    drawn.simulated(
        "values",
        &filter.rate_with(stored).expect("at the capacity"),
        measured,
    );
    // tables that are hardly ever full, so that what is stored lies in the front table
    let buckets = stored.next_power_of_two();
    let dictionary = Dictionary {
        live: stored,
        front_buckets: buckets,
        back_buckets: buckets,
        bucket_cells: 8,
        store_cells: 8,
        fingerprint_bits: random.random_range(2..=5),
    };
    let Some(figure) = drawn.always(dictionary.false_positive_rate(stored)) else {
        return drawn;
    };
    if let Some(most) = drawn.always(dictionary.greatest_false_positive_rate(stored)) {
        // no filling is above it, and so is no mean
        drawn.figure("dictionary at most", &most, figure.value * 0.99);
    }
    let values = buckets << dictionary.fingerprint_bits;
    let measured = over(60, || {
        let mut table = HashSet::new();
        // a value that matches is not stored again: so many different ones
        while (table.len() as u64) < stored {
            table.insert(random.random_range(0..values));
        }
        let queries = 400;
        let seen = (0..queries).filter(|_| table.contains(&random.random_range(0..values)));
        seen.count() as f64 / f64::from(queries)
    });
    drawn.simulated("dictionary", &figure, measured);
    drawn
}

/// Cuckoo tables: an identity is seen while its generation, which changes in eight phases, is no more than c back.
pub fn cuckoo(random: &mut ChaCha8Rng) -> Drawn {
    let generations = random.random_range(1..=6u64);
    let generation_items = random.random_range(8..=60u64);
    let generation_bits = random.random_range(1..=3u32);
    let tables = CuckooTables {
        generations,
        generation_items,
        rows: [16, 32, 64][random.random_range(0..3)],
        row_cells: 8,
        stash_cells: 8,
        fingerprint_bits: generation_bits + random.random_range(3..=4),
        generation_bits,
    };
    let mut drawn = Drawn::new(format!("{tables:?}"));
    let rate = drawn.always(tables.mean_false_positive_rate());
    let (Some(rate), Some(peak)) = (rate, drawn.always(tables.peak_false_positive_rate())) else {
        return drawn;
    };
    let f = tables.fingerprint_bits;
    let identities = tables.rows * ((1 << f) + (1 << (f - generation_bits)));
    let (c, g) = (generations, generation_items);
    let generation = |identity: u64, time: u64| (time + (identity % 8) * g / 8) / g;
    let mut last: HashMap<u64, u64> = HashMap::new();
    let mut time = 0;
    const QUERIES: u64 = 10;
    let mut seen_at = vec![0u32; g as usize];
    let mut element = |seen_at: &mut [u32]| {
        let mut seen = 0;
        for _ in 0..QUERIES {
            let query = random.random_range(0..identities);
            let live = |before: &u64| generation(query, time) - generation(query, *before) <= c;
            seen += u32::from(last.get(&query).is_some_and(live));
        }
        seen_at[(time % g) as usize] += seen;
        // what was asked for is no element: another one comes
        last.insert(random.random_range(0..identities), time);
        time += 1;
        seen
    };
    (0..(c + 2) * g).for_each(|_| {
        element(&mut seen_at);
    });
    seen_at.fill(0);
    const GENERATIONS: u32 = 200;
    let measured = over(GENERATIONS, || {
        let seen: u32 = (0..g).map(|_| element(&mut seen_at)).sum();
        f64::from(seen) / (g * QUERIES) as f64
    });
    drawn.simulated("mean", &rate, measured);
    // the greatest share is one of g: the greatest of what chance does to them is not it, so each is at most the peak
    drawn.count(&peak);
    for seen in &seen_at {
        let n = f64::from(GENERATIONS) * QUERIES as f64;
        let deviation = (peak.value * (1.0 - peak.value) / n).sqrt();
        if f64::from(*seen) / n > peak.value + 6.0 * deviation + 1.0 / n {
            drawn.fault("peak", &peak, &format!("{seen} of {n}"));
        }
    }
    drawn
}
