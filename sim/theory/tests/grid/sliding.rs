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
        generation_items: filter.generation_items(),
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

/// An element that has no cell yet: when it is tried next, and in which table.
struct Stashed {
    identity: u64,
    born: u64,
    table: usize,
    next: u64,
}

/// Cuckoo tables that are nearly full: elements that find all their rows full wait in a stash, and are put into one of them in exchange for
/// another, every so many elements.
pub fn displaced(random: &mut ChaCha8Rng) -> Drawn {
    let rows = 1u64 << random.random_range(4..=7);
    let row_cells = random.random_range(3..=8u32);
    // up to the greatest loads of the gateware
    let most = [0.0, 0.0, 0.0, 0.79, 0.835, 0.865, 0.88, 0.895, 0.91][row_cells as usize];
    let load = random.random_range(0.6 * most..most);
    let generations = random.random_range(1..=8u64);
    let live = load * 4.0 * (rows * u64::from(row_cells)) as f64;
    let tables = CuckooTables {
        generations,
        generation_items: (live / (generations as f64 + 0.5)).max(1.0) as u64,
        rows,
        row_cells,
        stash_cells: 64,
        fingerprint_bits: 20,
        generation_bits: 4,
    };
    let pause = random.random_range(0..=10u64);
    let mut drawn = Drawn::new(format!("{tables:?} pause {pause}"));
    let Some(figures) = drawn.always(tables.displacement()) else {
        return drawn;
    };
    const RUNS: usize = 8;
    let runs: Vec<[f64; 3]> = (0..RUNS).map(|_| run(tables, pause, random)).collect();
    let figures = [
        ("full rows", &figures.full_rows),
        ("stashed", &figures.stashed),
        ("moves", &figures.moves),
    ];
    for (place, (name, figure)) in figures.into_iter().enumerate() {
        let measured: Vec<f64> = runs.iter().map(|run| run[place]).collect();
        drawn.simulated(name, figure, super::mean_of(&measured));
    }
    drawn
}

/// Shares of full rows and of stashed elements, and moves an element, of one filter.
fn run(tables: CuckooTables, pause: u64, random: &mut ChaCha8Rng) -> [f64; 3] {
    let (c, g) = (tables.generations, tables.generation_items);
    let (rows, cells) = (tables.rows as usize, tables.row_cells as usize);
    // four rows of an identity, and its phase, are drawn once
    let mut of: Vec<([usize; 4], u64)> = Vec::new();
    let mut table = vec![vec![None::<(u64, u64)>; cells]; 4 * rows];
    let mut stash: Vec<Stashed> = Vec::new();
    let warm = 3 * (c + 1) * g;
    let last = warm + 2 * (c + 1) * g;
    let (mut full, mut looked, mut stashed, mut moves) = (0u64, 0u64, 0u64, 0u64);
    for time in 0..last {
        let own = std::array::from_fn(|at| at * rows + random.random_range(0..rows));
        of.push((own, random.random_range(0..8)));
        let generation = |identity: u64, at: u64| (at + of[identity as usize].1 * g / 8) / g;
        let lives = |cell: &Option<(u64, u64)>| {
            cell.is_some_and(|(identity, born)| {
                generation(identity, time) - generation(identity, born) <= c
            })
        };
        let free = |row: &[Option<(u64, u64)>]| row.iter().position(|cell| !lives(cell));
        let counts = u64::from(time >= warm);
        // no identity comes twice
        let first = random.random_range(0..4usize);
        let found = (0..4).find_map(|by| {
            let row = own[(first + by) % 4];
            free(&table[row]).map(|place| (row, place))
        });
        for row in own {
            full += counts * u64::from(free(&table[row]).is_none());
            looked += counts;
        }
        match found {
            Some((row, place)) => table[row][place] = Some((time, time)),
            None => {
                stashed += counts;
                stash.push(Stashed {
                    identity: time,
                    born: time,
                    table: first,
                    next: time + pause,
                });
            }
        }
        stash.retain(|waits| lives(&Some((waits.identity, waits.born))));
        // without a pause a chain ends at once, where it ends
        let attempts = if pause == 0 { 1000 } else { 1 };
        for at in (0..stash.len()).rev() {
            for _ in 0..attempts {
                let waits = &mut stash[at];
                if waits.next > time {
                    break;
                }
                moves += counts;
                let row = of[waits.identity as usize].0[waits.table];
                let own = Some((waits.identity, waits.born));
                if let Some(place) = free(&table[row]) {
                    table[row][place] = own;
                    stash.swap_remove(at);
                    break;
                }
                let place = random.random_range(0..cells);
                if let Some((identity, born)) = std::mem::replace(&mut table[row][place], own) {
                    (waits.identity, waits.born) = (identity, born);
                }
                waits.table = (waits.table + random.random_range(1..4usize)) % 4;
                waits.next = time + pause;
            }
        }
    }
    let elements = (last - warm) as f64;
    [
        full as f64 / looked as f64,
        stashed as f64 / elements,
        moves as f64 / elements,
    ]
}
