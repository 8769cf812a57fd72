//! Clocks a second of the filter `onehit`, the same items in every row:
//! `cargo bench -p bloomline-verify --features benches --bench lockstep`.
//!
//! | row | what runs |
//! |---|---|
//! | plain C++ | [`plain.cpp`](plain.cpp), a hand-written loop around the model, by the same Verilator and g++ arguments; no checks |
//! | lockstep | reference model leading, every output of every clock compared |
//! | model alone | the reference model without a device |
//! | verify | lockstep with the statistics of a verification |
//! | built-in | the built-in simulator, one run, in the same plain loop; no checks |
//! | built-in lockstep, built-in verify | as above with the built-in simulator |
//!
//! Rows take turns and the best of the rounds counts, so that another load on the machine weighs on all of them alike.

mod rivals;

use bloomline_bench::built_in::BuiltIn;
use bloomline_bench::filter::{emitted_design, ModelReference, Traffic, TrafficItem};
use bloomline_bench::lockstep::{compare_ahead, Device, Limits, Outcome, Reference};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Optimisation};
use bloomline_model::Inputs;
use bloomline_spec::{FilterSpec, Key, Operation, RecyclingGeometry, ThresholdSetting, EXAMPLES};
use bloomline_theory::sizing::{solve_threshold, Hashing, On, RecyclingParams};
use bloomline_toolchain::{Program, Toolchain};
use bloomline_verify::{run, Keys, Plan, Simulator, Watch};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const ITEMS: u64 = 500_000;
const ROUNDS: usize = 5;
const SEED: u64 = 1;
/// Lockstep is to run at this part of the plain loop's speed.
const GOAL: f64 = 0.95;

fn geometry() -> Result<RecyclingGeometry, Box<dyn Error>> {
    let (file, text) = EXAMPLES[0];
    let sizing = FilterSpec::from_toml(text, Path::new(file))?.validate()?;
    let threshold = match sizing.threshold_setting() {
        ThresholdSetting::Fixed(threshold) => threshold,
        ThresholdSetting::Auto { target_fpr } => solve_threshold(
            &RecyclingParams {
                memory_bits: sizing.memory_bits(),
                phases: sizing.phases(),
                hashes: sizing.hashes(),
                hashing: Hashing::Double,
                on: On::BitsSet,
                threshold: 0,
                retain: sizing.retain(),
            },
            target_fpr,
        )?,
    };
    Ok(sizing.with_threshold(threshold)?)
}

/// A row's clocks a second, best of its rounds.
struct Row {
    name: &'static str,
    best: f64,
}

impl Row {
    const fn new(name: &'static str) -> Self {
        Self { name, best: 0.0 }
    }

    fn take(&mut self, clocks: u64, seconds: f64) {
        self.best = self.best.max(clocks as f64 / seconds);
    }
}

fn model_alone(geometry: &RecyclingGeometry, keys: &[Key]) -> (u64, f64) {
    let mut reference = ModelReference::new(geometry);
    let mut inputs = Inputs {
        s_item_tvalid: true,
        s_item_tuser: Operation::TestAndInsert.code().into(),
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let mut packed = vec![0; 64];
    let (mut outputs, mut care) = (vec![0; 64], vec![0; 64]);
    let start = Instant::now();
    for key in keys {
        inputs.set_key(key);
        inputs.pack(geometry.key_bits(), &mut packed);
        reference.outputs(&mut outputs, &mut care);
        reference.clock(&packed);
    }
    (keys.len() as u64, start.elapsed().as_secs_f64())
}

/// The plain loop around the built-in simulator: packed inputs in, packed outputs out, nothing looked at.
fn built_in_alone(
    geometry: &RecyclingGeometry,
    design: &Design,
    keys: &[Key],
) -> Result<(u64, f64), Box<dyn Error>> {
    let mut device = BuiltIn::open(design, Initial::Zeros)?;
    let mut inputs = Inputs {
        s_item_tvalid: true,
        s_item_tuser: Operation::TestAndInsert.code().into(),
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let mut packed = vec![0; design.input_words()];
    let mut outputs = vec![0; design.output_words()];
    let start = Instant::now();
    for key in keys {
        inputs.set_key(key);
        inputs.pack(geometry.key_bits(), &mut packed);
        device
            .step(&packed, &mut outputs)
            .map_err(|error| error as Box<dyn Error>)?;
    }
    Ok((keys.len() as u64, start.elapsed().as_secs_f64()))
}

/// The keys test-and-inserted at full rate, every output of every clock compared.
fn lockstep(
    geometry: &RecyclingGeometry,
    design: &Design,
    device: &mut impl Device,
    keys: &[Key],
) -> Result<Outcome, Box<dyn Error>> {
    let items = keys.iter().map(|&key| TrafficItem {
        key,
        operation: Operation::TestAndInsert,
    });
    let run = (ModelReference::new(geometry), Traffic::new(geometry, items));
    let limits = Limits::default();
    let ran = compare_ahead(design, device, run, SEED, limits, |_| {}, |_| {});
    Ok(ran.result?)
}

/// Clocks and seconds of a verification.
fn verified(
    geometry: &RecyclingGeometry,
    simulator: Simulator,
) -> Result<(u64, f64), Box<dyn Error>> {
    let plan = Plan::new(Keys::RandomNew, ITEMS, SEED, simulator);
    let watch = Watch {
        tools: &|progress| eprintln!("{progress}"),
        ..Watch::silent()
    };
    let result = run(geometry, &plan, &watch)?;
    let seconds = result.cycles as f64 / result.cycles_per_second;
    Ok((result.cycles, seconds))
}

fn main() -> Result<(), Box<dyn Error>> {
    let geometry = geometry()?;
    let toolchain = Toolchain::discover()?;
    toolchain.find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))?;
    let (design, _) = emitted_design(&geometry)?;
    let options = BuildOptions {
        optimisation: Optimisation::Full,
        ..BuildOptions::default()
    };
    let library = Library::build(&toolchain, &design, &options)?;
    let keys = Keys::RandomNew.load(&geometry, ITEMS, SEED)?.keys;
    let folder = tempfile::tempdir()?;
    let key_file = folder.path().join("keys");
    let words = keys.iter().flat_map(|key| key.words()[..2].iter());
    std::fs::write(
        &key_file,
        words
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<u8>>(),
    )?;
    let plain = rivals::build_plain(&toolchain, &design, &options, folder.path())?;

    let mut rows = [
        "plain C++",
        "lockstep",
        "model alone",
        "verify",
        "built-in",
        "built-in lockstep",
        "built-in verify",
    ]
    .map(Row::new);
    for _ in 0..ROUNDS {
        let (clocks, seconds) = rivals::run_plain(&plain, &key_file, ITEMS)?;
        rows[0].take(clocks, seconds);
        let outcome = lockstep(
            &geometry,
            &design,
            &mut library.open(Initial::Zeros)?,
            &keys,
        )?;
        rows[1].take(outcome.clocks, outcome.elapsed.as_secs_f64());
        let (clocks, seconds) = model_alone(&geometry, &keys);
        rows[2].take(clocks, seconds);
        let (clocks, seconds) = verified(&geometry, Simulator::Verilator)?;
        rows[3].take(clocks, seconds);
        let (clocks, seconds) = built_in_alone(&geometry, &design, &keys)?;
        rows[4].take(clocks, seconds);
        let mut built_in = BuiltIn::open(&design, Initial::Zeros)?;
        let outcome = lockstep(&geometry, &design, &mut built_in, &keys)?;
        rows[5].take(outcome.clocks, outcome.elapsed.as_secs_f64());
        let (clocks, seconds) = verified(&geometry, Simulator::BuiltIn)?;
        rows[6].take(clocks, seconds);
    }

    let lockstep = rows[1].best;
    println!("\n`cargo bench -p bloomline-verify --features benches --bench lockstep`: {}, {ITEMS} items, best of {ROUNDS}\n", geometry.name());
    println!("| run | clocks a second | lockstep runs at |\n|---|---|---|");
    for row in &rows {
        println!(
            "| {} | {:.0} | {:.2} of it |",
            row.name,
            row.best,
            lockstep / row.best
        );
    }
    let ratio = lockstep / rows[0].best;
    let judged = if ratio >= GOAL { "met" } else { "missed" };
    println!("\nlockstep over plain C++: {ratio:.2}; the goal of {GOAL} is {judged}");
    Ok(())
}
