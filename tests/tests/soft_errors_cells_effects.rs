//! Effects of one flipped memory bit on the answers of a filter of cells.
//!
//! A test run flips 60 bits for each kind and policy; `BLOOMLINE_FLIPS=300 cargo test --release -p bloomline-tests soft_errors_cells_effects:: -- --nocapture`
//! flips three hundred and prints the table of `hdl/docs/soft-errors.md`.

use crate::soft_errors_effects::flips;
use bloomline_model::{CellEvent, CellPipelineModel, Flaws, Inputs, MemoryBit};
use bloomline_spec::registers::CellCounter;
use bloomline_spec::{CellGeometry, CellOperation, CellVerdict, Parity};
use bloomline_tests::{few, CellSample};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Flips of a kind and policy.
const FLIPS: u16 = 60;
/// Keys that are inserted, and fresh ones that are asked for at the end.
const KEYS: u64 = 400;
const FRESH: u64 = 1_000;
/// Items of a run before the questions at its end.
const ITEMS: usize = 3_000;

/// What a run of a stream is told: what every item is answered.
struct Stream {
    items: Vec<(u64, CellOperation)>,
}

impl Stream {
    /// Insertions of [`KEYS`] keys, few of them often and most seldom; where removals exist, one item in four takes one back. Then every key is asked for, and [`FRESH`]
    /// others.
    fn new(geometry: &CellGeometry, seed: u64) -> Stream {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut inserted = Vec::new();
        let mut items: Vec<_> = (0..KEYS).map(|key| (key, CellOperation::Insert)).collect();
        while items.len() < ITEMS {
            if geometry.removes() && rng.random_bool(0.25) && !inserted.is_empty() {
                let key = inserted.swap_remove(rng.random_range(0..inserted.len()));
                items.push((key, CellOperation::Remove));
            } else {
                let key = (KEYS as f64 * rng.random::<f64>().powi(3)) as u64;
                inserted.push(key);
                items.push((key, CellOperation::Insert));
            }
        }
        items.extend((0..KEYS + FRESH).map(|key| (key, CellOperation::Query)));
        Stream { items }
    }

    /// The verdicts of all items in the cycle-accurate model, which lockstep holds against the emitted text; `flip` is a bit and the clock in which it flips.
    fn run(
        &self,
        geometry: &CellGeometry,
        flip: Option<(MemoryBit, u64)>,
    ) -> (Vec<CellVerdict>, Flaws, u64, u64) {
        let mut model = CellPipelineModel::with_memory(geometry);
        model.keep_events();
        let mut verdicts = Vec::with_capacity(self.items.len());
        let mut next = 0;
        while verdicts.len() < self.items.len() {
            let mut inputs = Inputs {
                m_verdict_tready: true,
                ..Inputs::default()
            };
            if let Some(&(key, operation)) = self.items.get(next) {
                inputs.s_item_tvalid = true;
                inputs.s_item_tdata[0] = key;
                inputs.s_item_tuser = 1 << 2 | u64::from(operation.code());
                next += usize::from(model.outputs().s_item_tready);
            }
            if let Some((bit, _)) = flip.filter(|&(_, at)| at == model.now()) {
                model.flip(bit);
            }
            model.clock(&inputs);
            verdicts.extend(model.drain_events().filter_map(|event| match event {
                CellEvent::Item(decision) => Some(decision.outcome.verdict),
                _ => None,
            }));
        }
        // what was met last is counted some clocks later
        for _ in 0..8 {
            model.clock(&Inputs::default());
        }
        let counted = model.status().counter(CellCounter::ParityErrors);
        (verdicts, model.flaws(), counted, model.now())
    }
}

/// How many flips did what.
#[derive(Debug, Default)]
struct Row {
    read: usize,
    nothing: usize,
    higher: usize,
    lower: usize,
    forgotten: usize,
    fresh_seen: usize,
    underflow: usize,
}

/// Tells a static filter's answers as estimates of 0 and 1.
fn estimate(geometry: &CellGeometry, verdict: &CellVerdict) -> u32 {
    match geometry.cell_bits() {
        1 => verdict.seen.into(),
        _ => verdict.estimate,
    }
}

fn row(geometry: &CellGeometry) -> Row {
    let stream = Stream::new(geometry, 1);
    let (sound, _, _, clocks) = stream.run(geometry, None);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut row = Row::default();
    for _ in 0..flips(FLIPS) {
        let bit = MemoryBit {
            half: 0,
            bank: rng.random_range(0..geometry.banks()),
            word: rng.random_range(0..geometry.words_per_bank() as u32),
            bit: rng.random_range(0..36 + geometry.parity().bits()),
        };
        let clock = rng.random_range(clocks / 4..clocks / 2);
        let (verdicts, flaws, counted, _) = stream.run(geometry, Some((bit, clock)));
        let expected = match geometry.parity() {
            Parity::None => 0,
            Parity::Count | Parity::Empty => flaws.met,
        };
        assert_eq!(counted, expected, "{bit:?} in clock {clock}");
        assert!(
            flaws.met <= 1,
            "every slot writes back what it read: {flaws:?}"
        );
        let pairs = || verdicts.iter().zip(&sound);
        let asked = || pairs().skip(ITEMS);
        let of = |verdict: &CellVerdict| estimate(geometry, verdict);
        row.read += flaws.met as usize;
        row.nothing += usize::from(verdicts == sound);
        row.higher += usize::from(asked().any(|(run, sound)| of(run) > of(sound)));
        row.lower += usize::from(asked().any(|(run, sound)| of(run) < of(sound)));
        let lost = |(run, sound): (&CellVerdict, &CellVerdict)| sound.seen && !run.seen;
        row.forgotten += usize::from(asked().take(KEYS as usize).any(lost));
        let found = |(run, sound): (&CellVerdict, &CellVerdict)| run.seen && !sound.seen;
        row.fresh_seen += usize::from(asked().skip(KEYS as usize).any(found));
        row.underflow += usize::from(pairs().any(|(run, sound)| run.underflow && !sound.underflow));
    }
    row
}

#[test]
fn a_flipped_bit_is_met_once_and_an_emptied_word_never_raises_an_estimate() {
    let counting = CellSample {
        cell_bits: 8,
        words: 256,
        key_bits: 64,
        hashing: "independent",
        threshold: 200,
        ..CellSample::COUNTING
    };
    let kinds = [
        (
            "static",
            CellSample {
                cell_bits: 1,
                words: 64,
                kind: "static",
                ..counting
            },
        ),
        ("counting, with removals", counting),
        (
            "Count-Min",
            CellSample {
                cell_bits: 32,
                words: 1024,
                amount_bits: 3,
                kind: "count-min",
                ..counting
            },
        ),
        (
            "counting, conservative",
            CellSample {
                words: 1024,
                layout: "shared",
                conservative: true,
                ..counting
            },
        ),
    ];
    println!("| filter | flips | read | nothing | an estimate too high | too low | a key forgotten | a fresh key seen | a removal underflows |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for &(name, sample) in few(&kinds, 2) {
        for parity in ["none", "count", "empty"] {
            let geometry = CellSample { parity, ..sample }.geometry();
            let row = row(&geometry);
            println!(
                "| {name}: `{parity}` | {} | {} | {} | {} | {} | {} | {} | {} |",
                flips(FLIPS),
                row.read,
                row.nothing,
                row.higher,
                row.lower,
                row.forgotten,
                row.fresh_seen,
                row.underflow
            );
            assert!(row.read > 0, "{name}, {parity}: {row:?}");
            match geometry.parity() {
                Parity::Empty => {
                    assert_eq!((row.higher, row.fresh_seen), (0, 0), "{name}: {row:?}");
                    assert!(row.lower > 0, "{name}: {row:?}");
                }
                Parity::None | Parity::Count => {
                    assert!(row.higher + row.lower > 0, "{name}: {row:?}");
                }
            }
        }
    }
}
