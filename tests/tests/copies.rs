//! Count-Min sketches of several copies with two hash functions each: the emitted Verilog equals the cycle-accurate model on every
//! port of every clock.

use bloomline_model::CellFilter;
use bloomline_spec::{CellOperation, Key};
use bloomline_tests::{cells_in_lockstep, runs, CellSample};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Runs a sample.
const RUNS: u64 = 12;

const SKETCH: CellSample = CellSample {
    hashes: 6,
    copies: 2,
    ..CellSample::SKETCH
};

#[test]
fn emitted_sketches_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            SKETCH,
            // as many functions as rows
            CellSample {
                copies: 3,
                family: "h3",
                words: 16,
                range: 53,
                ..SKETCH
            },
            // sums modulo a prime, one SipHash unit for the functions of both copies
            CellSample {
                hashes: 8,
                words: 16,
                range: 61,
                family: "siphash",
                ..SKETCH
            },
            // several units, each with its number
            CellSample {
                hashes: 12,
                copies: 4,
                cell_bits: 32,
                amount_bits: 32,
                threshold: 1_000_000,
                words: 32,
                family: "siphash-2-4",
                key_bits: 128,
                ..SKETCH
            },
            CellSample {
                hashes: 32,
                copies: 16,
                parity: "ecc",
                ..SKETCH
            },
        ],
    );
}

/// A sketch of six rows of eight counters holds one key. A key meets it in all three rows of a copy with probability 1/64: both
/// differences are 0. So it is reported with 1/64 in one copy of three rows or more, and with 1/64^2 in two.
#[test]
fn a_key_is_confused_in_all_copies_at_once_as_rarely_as_independent_functions_do() {
    let (filters, queries) = (runs(20, 200), 50_000);
    for (copies, family) in [
        (1, "siphash"),
        (2, "siphash"),
        (1, "h3-sbox"),
        (2, "h3-sbox"),
    ] {
        let mut confused = 0;
        for seed in 0..filters {
            let geometry = CellSample {
                copies,
                family,
                cell_bits: 32,
                threshold: 1,
                key_bits: 64,
                ..SKETCH
            }
            .geometry();
            assert_eq!(geometry.range(), 8);
            let mut filter = CellFilter::new(&geometry);
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut key = || Key::from_integer(random.random::<u64>().into(), 64).expect("64 bits");
            filter.apply(&key(), CellOperation::Insert, 1);
            confused += (0..queries)
                .filter(|_| filter.apply(&key(), CellOperation::Query, 0).verdict.seen)
                .count();
        }
        let expected = (filters * queries) as f64 / 64_f64.powi(copies as i32);
        // 99% for the family of four; of a small share the variance is its mean
        let z = (confused as f64 - expected) / expected.sqrt();
        println!(
            "{copies} copies, {family}: {confused} confused, expected {expected:.0}, z {z:.2}"
        );
        assert!(z.abs() < 3.03, "{copies} {family}, seeds 0 to {filters}");
    }
}
