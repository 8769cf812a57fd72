//! The sliding-window filter, functional: never a "no" inside the window, the predicted rate outside window and slack.

use bloomline_model::{Place, SlidingFilter, WindowOracle};
use bloomline_spec::{FilterSpec, Key, Operation, SlidingGeometry, SpecError, SLIDING_EXAMPLES};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// A filter of these sizes; the memory is set to what they take.
fn geometry(window: u64, slack: u64, target_fpr: f64, rest: &str) -> SlidingGeometry {
    let sized = |memory_bits: &str| {
        let text = format!(
            "name = \"t\"\n[filter]\nkind = \"sliding\"\nmemory_bits = {memory_bits}\nhashes = 2\n[filter.sliding]\n\
             window = {window}\nslack = {slack}\ntarget_fpr = {target_fpr}\n{rest}\n[key]\nbits = 64\n"
        );
        FilterSpec::from_toml(&text, Path::new("t.toml")).and_then(|spec| spec.sliding())
    };
    let Err(SpecError::Rule { advice, .. }) = sized("0") else {
        panic!("no filter takes 0 bits")
    };
    let memory = advice.trim_start_matches("nearest legal value ");
    sized(memory).unwrap_or_else(|error| panic!("{error}"))
}

fn example() -> SlidingGeometry {
    let (file, text) = SLIDING_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file))
        .and_then(|spec| spec.sliding())
        .expect("an example")
}

fn key(number: u64) -> Key {
    Key::from_integer(number.into(), 64).expect("fits 64 bits")
}

/// What became of a stream, by how far back the last element of each key lay.
#[derive(Default, Debug)]
struct Tally {
    inside: u64,
    forgotten: u64,
    lost: u64,
    /// Arrivals and verdicts seen in the slack, in eighths of it.
    slack: [(u64, u64); 8],
    outside: u64,
    false_positives: u64,
}

struct Run {
    filter: SlidingFilter,
    oracle: WindowOracle<u64>,
    window: u64,
    slack: u64,
    tally: Tally,
}

impl Run {
    fn new(geometry: &SlidingGeometry) -> Self {
        Self {
            filter: SlidingFilter::new(geometry),
            oracle: WindowOracle::new(),
            window: geometry.window(),
            slack: geometry.live_items() - geometry.window(),
            tally: Tally::default(),
        }
    }

    fn item(&mut self, number: u64, operation: Operation) {
        let verdict = self.filter.apply(&key(number), operation).verdict;
        let tally = &mut self.tally;
        tally.lost += u64::from(verdict.lost);
        match self.oracle.arrival(number, operation) {
            Some(back) if back <= self.window => {
                tally.inside += 1;
                tally.forgotten += u64::from(!verdict.seen);
            }
            Some(back) if back <= self.window + self.slack => {
                let eighth = (8 * (back - self.window - 1) / self.slack) as usize;
                tally.slack[eighth].0 += 1;
                tally.slack[eighth].1 += u64::from(verdict.seen);
            }
            _ => {
                tally.outside += 1;
                tally.false_positives += u64::from(verdict.seen);
            }
        }
    }
}

/// The predicted probability of `seen` in each eighth of the slack, for generations that begin anywhere.
fn in_slack(geometry: &SlidingGeometry) -> [f64; 8] {
    let g = geometry.generation_items() as f64;
    let whole = f64::from(geometry.generations()) * g;
    let slack = (geometry.live_items() - geometry.window()) as f64;
    std::array::from_fn(|eighth| {
        let back = geometry.window() as f64 + slack * (eighth as f64 + 0.5) / 8.0;
        (1.0 - (back - whole) / g).clamp(0.0, 1.0)
    })
}

#[test]
fn nothing_of_the_window_is_forgotten_and_nothing_older_than_the_slack_is_remembered() {
    let items: u64 = match std::env::var_os("BLOOMLINE_SOAK") {
        Some(_) => 10_000_000,
        None => 1_000_000,
    };
    let geometry = example();
    let mut run = Run::new(&geometry);
    let mut rng = ChaCha8Rng::seed_from_u64(20_260_101);
    let mut fresh = 0u64;
    let mut history = vec![0u64; 1 << 16];
    for item in 0..items {
        // half of the items are new, half come back from up to 65536 elements ago: window, slack and beyond
        let at = item as usize % history.len();
        let number = if rng.random_bool(0.5) {
            fresh += 1;
            fresh
        } else {
            let back = rng.random_range(1..=history.len());
            history[(at + history.len() - back) % history.len()]
        };
        history[at] = number;
        run.item(number, Operation::TestAndInsert);
    }
    let tally = &run.tally;
    println!("{tally:?}");
    assert!(tally.inside > items / 20, "{tally:?}");
    assert_eq!((tally.forgotten, tally.lost), (0, 0));
    for (eighth, (&(arrivals, seen), predicted)) in
        tally.slack.iter().zip(in_slack(&geometry)).enumerate()
    {
        let share = seen as f64 / arrivals as f64;
        println!("slack, eighth {eighth}: seen {share:.4}, predicted {predicted:.4}");
        let sigma = (predicted * (1.0 - predicted) / arrivals as f64).sqrt();
        // false positives add up to eps
        assert!(
            (share - predicted).abs() < 4.5 * sigma + geometry.target_fpr(),
            "eighth {eighth}: {share}, {predicted}"
        );
    }
    let rate = tally.false_positives as f64 / tally.outside as f64;
    println!("rate outside {rate:.6}, eps {}", geometry.target_fpr());
    assert!(rate <= geometry.target_fpr(), "{rate}");
}

/// The rate of distinct keys, two-sided: binomial counts around the probability that the filter's own state gives.
#[test]
fn the_rate_of_fresh_keys_is_that_of_the_live_cells() {
    // the front table a little too small, so that back table and store hold their share
    let crowded = "generations = 4\nfront_buckets = 1024\nback_buckets = 256\naccept_overflow = true\nfingerprint_bits = 7";
    for (geometry, items, seed) in [
        (
            geometry(4096, 1024, 0.12, "generations = 4\nfingerprint_bits = 6"),
            400_000,
            11,
        ),
        (geometry(4800, 1200, 0.2, crowded), 400_000, 12),
    ] {
        let mut filter = SlidingFilter::new(&geometry);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut seen, mut expected, mut probability) = (0u64, 0.0, 0.0);
        let warm = 2 * geometry.live_items();
        for item in 0..items + warm {
            if item % 64 == 0 {
                probability = filter.probability_seen();
            }
            let verdict = filter
                .apply(&key(rng.random()), Operation::TestAndInsert)
                .verdict;
            if item >= warm {
                expected += probability;
                seen += u64::from(verdict.seen);
            }
        }
        // 99% for both together
        let z = (seen as f64 - expected) / expected.sqrt();
        println!("seen {seen}, expected {expected:.1}, z {z:.2}");
        assert!(
            z.abs() < 2.81,
            "seed {seed}: {seen} seen, {expected} expected"
        );
        assert!(
            filter.live_cells(Place::Back) > 0,
            "the back table is in use"
        );
    }
}

#[test]
fn lost_elements_are_told_and_only_they_are_forgotten() {
    let crowded = "generations = 2\nfront_buckets = 16\nback_buckets = 4\nbucket_cells = 2\nstore_cells = 3\naccept_overflow = true";
    let geometry = geometry(64, 32, 0.2, crowded);
    let mut run = Run::new(&geometry);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut lost = std::collections::HashSet::new();
    for _ in 0..200_000 {
        let number = rng.random_range(0..120);
        let forgotten = run.tally.forgotten;
        let lost_before = run.tally.lost;
        run.item(number, Operation::TestAndInsert);
        if run.tally.forgotten > forgotten {
            assert!(lost.contains(&number), "{number} was never lost");
        }
        if run.tally.lost > lost_before {
            lost.insert(number);
        } else {
            lost.remove(&number);
        }
    }
    assert!(
        run.tally.lost > 1000 && run.tally.forgotten > 100,
        "{:?}",
        run.tally
    );
}

#[test]
fn a_clear_forgets_everything() {
    let geometry = geometry(64, 32, 0.01, "");
    let mut filter = SlidingFilter::new(&geometry);
    for number in 0..40 {
        filter.apply(&key(number), Operation::Insert);
    }
    let live = |filter: &SlidingFilter| {
        [Place::Front, Place::Back, Place::Store]
            .map(|place| filter.live_cells(place))
            .iter()
            .sum::<u64>()
    };
    assert!(live(&filter) >= 39 && filter.probability_seen() > 0.0);
    filter.clear();
    assert_eq!(
        (live(&filter), filter.elements(), filter.probability_seen()),
        (0, 0, 0.0)
    );
}

fn operation(code: u8) -> Operation {
    Operation::from_code(code)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn in_any_stream_the_window_is_seen_and_live_cells_are_never_more_than_live_elements(
        window in 16u64..200,
        slack_share in 1u64..4,
        stream in proptest::collection::vec((0u64..300, 0u8..4), 1..3000),
    ) {
        let geometry = geometry(window, (window / slack_share).max(40), 0.01, "");
        let mut run = Run::new(&geometry);
        for &(number, code) in &stream {
            run.item(number, operation(code));
            let live: u64 = [Place::Front, Place::Back, Place::Store]
                .map(|place| run.filter.live_cells(place))
                .iter()
                .sum();
            prop_assert!(live <= geometry.live_items());
        }
        prop_assert_eq!((run.tally.forgotten, run.tally.lost), (0, 0));
    }

    #[test]
    fn a_query_changes_nothing(stream in proptest::collection::vec((0u64..100, 1u8..4), 1..500), queries in proptest::collection::vec(0u64..100, 1..20)) {
        let geometry = geometry(64, 40, 0.01, "");
        let mut asked = SlidingFilter::new(&geometry);
        let mut plain = asked.clone();
        for &(number, code) in &stream {
            for &query in &queries {
                asked.apply(&key(query), Operation::Query);
            }
            prop_assert_eq!(asked.apply(&key(number), operation(code)), plain.apply(&key(number), operation(code)));
        }
    }
}
