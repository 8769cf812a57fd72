//! Filters of any kind, drawn from a seed.

use crate::{
    with_card, CardSample, CardTask, CellSample, Sample, SampleFilter, SharedArraySample,
    SlidingSample, Tortured,
};
use bloomline_bench::filter::{CardReference, CardTorture, CardTortureMix, ClockedModel};
use bloomline_bench::lockstep::{Bench, Clock, LockstepError, Reference, Simulation, Stimulus};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Port};
use bloomline_model::CardModel;
use bloomline_spec::Common;
use bloomline_toolchain::Toolchain;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Clocks of one run: from power-up, with a mix of torture of its own.
const RUN_CLOCKS: u64 = 50_000;
/// The same of a card, whose commands take thousands.
const CARD_RUN_CLOCKS: u64 = 400_000;

/// A small filter, or a card with one, whose every mode is drawn.
#[derive(Debug, Clone, Copy)]
pub enum DrawnFilter {
    /// Recycling, a bank a hash.
    Recycling(Sample),
    /// Recycling, one array a half.
    SharedArray(SharedArraySample),
    /// Static, counting, Count-Min.
    Cells(CellSample),
    /// A sliding window.
    Sliding(SlidingSample),
    /// A card with one of them.
    Card(CardSample),
}

/// What the runs of a filter came to.
#[derive(Debug, Clone, Copy, Default)]
pub struct DrawnOutcome {
    /// Clocks in lockstep.
    pub clocks: u64,
    /// Verdicts that were taken; of a card over UART or AXI4-Lite those of its stream.
    pub verdicts: u64,
}

impl DrawnFilter {
    /// The filter of `seed`: a legal specification, kinds in turn.
    pub fn draw(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        loop {
            let drawn = match seed % 8 {
                0 | 1 => Self::Recycling(recycling(&mut rng)),
                2 => Self::SharedArray(shared_array(&mut rng)),
                3..=5 => Self::Cells(cells(&mut rng)),
                6 => Self::Sliding(sliding(&mut rng)),
                _ => Self::Card(card(&mut rng)),
            };
            if drawn.is_legal() {
                return drawn.with_parity(PARITY[seed as usize / 8 % PARITY.len()]);
            }
        }
    }

    /// The same with such parity, of the kinds that draw none.
    fn with_parity(self, parity: &'static str) -> Self {
        match self {
            Self::SharedArray(sample) => Self::SharedArray(SharedArraySample { parity, ..sample }),
            Self::Sliding(sample) => Self::Sliding(SlidingSample { parity, ..sample }),
            other => other,
        }
    }

    /// What it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Recycling(_) => "recycling",
            Self::SharedArray(_) => "recycling, one array",
            Self::Cells(sample) => sample.kind,
            Self::Sliding(_) => "sliding",
            Self::Card(_) => "card",
        }
    }

    fn is_legal(&self) -> bool {
        match self {
            Self::Recycling(sample) => sample.resolve().is_ok(),
            Self::SharedArray(sample) => sample.resolve().is_ok(),
            Self::Cells(sample) => sample.resolve().is_ok(),
            Self::Sliding(sample) => sample.resolve("").is_ok(),
            Self::Card(card) => match card.filter {
                SampleFilter::Recycling(sample) => sample.resolve().is_ok(),
                SampleFilter::Cells(sample) => sample.resolve().is_ok(),
                SampleFilter::Sliding(sample) => sample.resolve("").is_ok(),
            },
        }
    }

    /// Runs its emitted Verilog against its model under torture for at least `clocks` clocks, in runs with seeds from `seed` on.
    ///
    /// # Errors
    /// At the first difference, as [`Bench::run`].
    ///
    /// # Panics
    /// When the filter cannot be printed, or a model has issued an epoch that a word bears.
    pub fn in_lockstep(
        &self,
        toolchain: &Toolchain,
        seed: u64,
        clocks: u64,
    ) -> Result<DrawnOutcome, LockstepError> {
        let runs = Runs {
            toolchain,
            seed,
            clocks,
        };
        match self {
            Self::Recycling(sample) => runs.of(&sample.geometry()),
            Self::SharedArray(sample) => runs.of(&sample.geometry()),
            Self::Cells(sample) => runs.of(&sample.geometry()),
            Self::Sliding(sample) => runs.of(&sample.geometry()),
            Self::Card(sample) => with_card(sample, runs),
        }
    }
}

/// Runs of one design, with a seed each.
#[derive(Clone, Copy)]
struct Runs<'a> {
    toolchain: &'a Toolchain,
    seed: u64,
    clocks: u64,
}

impl Runs<'_> {
    fn of(&self, filter: &impl Tortured) -> Result<DrawnOutcome, LockstepError> {
        let make = |seed| filter.sides(seed, RUN_CLOCKS);
        self.go(&filter.emitted(), make, |reference| filter.check(reference))
    }

    /// `look` sees the reference at the end of each run.
    fn go<R: Reference, S: Stimulus>(
        &self,
        design: &Design,
        mut make: impl FnMut(u64) -> (R, S),
        look: impl Fn(&R),
    ) -> Result<DrawnOutcome, LockstepError> {
        let options = BuildOptions::default();
        let bench = Bench::new(Simulation::verilator(self.toolchain, design, &options)?);
        let place = |name: &str, ports: Vec<(&Port, usize)>| {
            ports
                .into_iter()
                .find_map(|(port, word)| (port.name == name).then_some(word))
                .expect("every filter has the port")
        };
        let valid = place("m_verdict_tvalid", design.outputs().collect());
        let ready = place("m_verdict_tready", design.inputs().collect());
        let mut outcome = DrawnOutcome::default();
        // far from the seeds of the next filter
        let mut seed = self.seed << 20;
        while outcome.clocks < self.clocks {
            let mut verdicts = 0;
            let run = bench.run(
                seed,
                Initial::Random(seed),
                &mut make,
                |clock: &Clock<'_, R>| {
                    verdicts += clock.outputs[valid] & clock.inputs[ready] & 1;
                    if (clock.cycle + 1).is_multiple_of(RUN_CLOCKS) {
                        look(clock.reference);
                    }
                },
            )?;
            outcome.clocks += run.clocks;
            outcome.verdicts += verdicts;
            seed += 1;
        }
        Ok(outcome)
    }
}

impl CardTask for Runs<'_> {
    type Result = Result<DrawnOutcome, LockstepError>;

    fn run<M: ClockedModel + Clone>(
        self,
        common: &Common,
        design: Design,
        model: CardModel<M>,
    ) -> Self::Result {
        let make = |seed| {
            let mix = CardTortureMix::draw(common, seed, CARD_RUN_CLOCKS);
            let torture = CardTorture::new(common, mix, seed);
            (CardReference::new(common, model.clone()), torture)
        };
        self.go(&design, make, |_| {})
    }
}

/// One of `choices`.
fn pick<T: Copy>(rng: &mut ChaCha8Rng, choices: &[T]) -> T {
    *choices.choose(rng).expect("there are choices")
}

const FAMILIES: [&str; 6] = ["h3-sbox", "h3-sbox", "h3", "h3", "siphash", "siphash-2-4"];
const PARITY: [&str; 4] = ["none", "count", "none", "empty"];
const ON: [&str; 2] = ["bits-set", "messages"];
const DRAWS: [&str; 4] = [
    "double",
    "independent",
    "extended-double-2",
    "extended-double-3",
];

/// Few, most of the time.
fn hashes(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..10) {
        0 => rng.random_range(9..=32),
        1..=3 => rng.random_range(5..=8),
        _ => rng.random_range(1..=4),
    }
}

/// Any width, and the widths at which words end.
fn key_bits(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..3) {
        0 => pick(rng, &[1, 8, 31, 32, 33, 63, 64, 65, 104, 128, 512]),
        1 => rng.random_range(8..=128),
        _ => 104,
    }
}

fn recycling(rng: &mut ChaCha8Rng) -> Sample {
    let hashes = hashes(rng);
    let partition_bits = match rng.random_bool(0.5) {
        true => 32 << rng.random_range(2..=6),
        false => 32 * rng.random_range(4..=65),
    };
    let parity = pick(rng, &["none", "none", "none", "count", "empty"]);
    let row_bits = pick(rng, &[None, None, Some(1), Some(1), Some(8)]);
    let row_bits = row_bits.filter(|_| parity == "none");
    let family = pick(rng, &FAMILIES);
    let latency = pick(rng, &["default", "default", "low", "lowest"]);
    let low = row_bits.is_some() && !family.starts_with("siphash");
    Sample {
        phases: rng.random_range(1..=2),
        hashes,
        partition_bits,
        range: rng
            .random_bool(0.3)
            .then(|| rng.random_range(partition_bits - 31..=partition_bits)),
        on: pick(rng, &ON),
        retain: rng.random(),
        hashing: pick(rng, &DRAWS[..2]),
        family,
        key_bits: key_bits(rng),
        threshold: rng.random_range(1..=partition_bits * u64::from(hashes)),
        parity,
        row_bits,
        self_check: false,
        latency: if low { latency } else { "default" },
    }
}

fn shared_array(rng: &mut ChaCha8Rng) -> SharedArraySample {
    let half_bits = 32 << rng.random_range(3..=7);
    SharedArraySample {
        phases: rng.random_range(1..=2),
        hashes: hashes(rng),
        half_bits,
        range: rng
            .random_bool(0.3)
            .then(|| rng.random_range(half_bits / 2..=half_bits)),
        distinct: rng.random_bool(0.3),
        on: pick(rng, &ON),
        retain: rng.random(),
        hashing: pick(rng, &DRAWS),
        family: pick(rng, &FAMILIES),
        key_bits: key_bits(rng),
        threshold: rng.random_range(1..=half_bits),
        max_age_ms: pick(rng, &[0, 0, 1]),
        parity: "none",
    }
}

fn cells(rng: &mut ChaCha8Rng) -> CellSample {
    let base = pick(
        rng,
        &[
            CellSample::STATIC,
            CellSample::COUNTING,
            CellSample::COUNTING,
            CellSample::SKETCH,
            CellSample::SKETCH,
        ],
    );
    let cell_bits: u64 = match base.kind {
        "static" => 1,
        "counting" => rng.random_range(2..=16),
        _ => rng.random_range(4..=32),
    };
    let words = 8 << rng.random_range(0..=4);
    let lanes: u64 = 1 << (32 / cell_bits).ilog2();
    let sample = CellSample {
        cell_bits,
        amount_bits: if base.kind == "count-min" {
            rng.random_range(1..=cell_bits)
        } else {
            0
        },
        threshold: rng.random_range(1..1 << cell_bits.min(8)),
        hashes: u64::from(hashes(rng)),
        words,
        layout: pick(rng, &["partitioned", "shared"]),
        hashing: pick(rng, &DRAWS),
        distinct: rng.random_bool(0.2),
        conservative: rng.random_bool(0.3),
        range: if rng.random_bool(0.3) {
            rng.random_range(words * lanes / 2..=words * lanes)
        } else {
            0
        },
        family: pick(rng, &FAMILIES),
        key_bits: key_bits(rng),
        tag_bits: pick(rng, &[1, 16, 63]),
        row_bits: match base.kind {
            "static" => pick(rng, &[0, 0, 1, 2, 8]),
            _ => pick(rng, &[0, 0, 1]),
        },
        ..base
    };
    CellSample {
        copies: copies(&sample),
        ..sample
    }
}

/// Copies of one in two sketches that may have them, as its other parts happen to be.
fn copies(sample: &CellSample) -> u64 {
    let (kind, layout, hashing) = (sample.kind, sample.layout, sample.hashing);
    if (kind, layout, hashing) != ("count-min", "partitioned", "double")
        || sample.threshold % 2 == 1
    {
        return 1;
    }
    let divides =
        |copies: &u64| sample.hashes.is_multiple_of(*copies) && sample.hashes >= 2 * copies;
    [3, 2].into_iter().find(divides).unwrap_or(1)
}

fn sliding(rng: &mut ChaCha8Rng) -> SlidingSample {
    let base = pick(rng, &[SlidingSample::BASE, SlidingSample::CROWDED]);
    let window = rng.random_range(48..=600);
    SlidingSample {
        window,
        slack: rng.random_range(window / 8..=window),
        target_fpr: pick(rng, &[0.5, 0.2, 0.05, 0.01, 1e-3, 1e-5]),
        sizes: pick(
            rng,
            &[
                base.sizes,
                "",
                "generations = 3",
                "generations = 4\ngeneration_bits = 4",
                "generations = 5\nbucket_cells = 3\nstore_cells = 6\nback_buckets = 16\nfront_buckets = 64\naccept_overflow = true",
                "generations = 1\nbucket_cells = 4\nstore_cells = 1\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true\ngeneration_bits = 3",
            ],
        ),
        key_bits: key_bits(rng),
        hashing: pick(rng, &DRAWS[..2]),
        family: pick(rng, &FAMILIES),
        parity: "none",
    }
}

fn card(rng: &mut ChaCha8Rng) -> CardSample {
    let filter = match rng.random_range(0..3) {
        0 => SampleFilter::Recycling(recycling(rng)),
        1 => SampleFilter::Cells(cells(rng)),
        _ => SampleFilter::Sliding(sliding(rng)),
    };
    let clocks_per_bit = pick(rng, &[None, Some(8), Some(9), Some(13)]);
    CardSample {
        filter,
        clocks_per_bit,
        timeout: 400 * clocks_per_bit.unwrap_or(8),
    }
}
