//! What one flipped bit of a register does to verdicts, by what the register is for.
//!
//! A test run draws 60 bits; `BLOOMLINE_FLIPS=1000 cargo test --release -p bloomline-tests --test soft_errors_registers -- --nocapture` draws a thousand and prints the
//! table of `hdl/docs/soft-errors.md`.

use bloomline_bench::filter::emitted_design;
use bloomline_bench::soft_error::{flip_registers, Effect, RegisterGroup, Run, Workload};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Initial, Library};
use bloomline_model::PipelineModel;
use bloomline_tests::{toolchain, Sample};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Bits that are flipped in a test run, one a run of the filter.
const FLIPS: u16 = 60;
/// Items of a run: about nine cycles.
const ITEMS: usize = 3_000;
/// Clocks among which the one of the flip is drawn: the second and third cycle.
const FLIP_CLOCKS: std::ops::Range<u64> = 500..1_100;

fn flips() -> u16 {
    match std::env::var("BLOOMLINE_FLIPS") {
        Ok(text) => text
            .parse()
            .expect("BLOOMLINE_FLIPS is a number below 65536"),
        Err(_) => FLIPS,
    }
}

#[test]
fn a_flipped_register_bit_shows_as_one_of_six_effects_most_of_which_pass() {
    let toolchain = toolchain(&[Program::Verilator, Program::Yosys]);
    let geometry = Sample {
        partition_bits: 512,
        threshold: 1024,
        key_bits: 64,
        ..Sample::BASE
    }
    .geometry();
    let (design, _) = emitted_design(&geometry).expect("emit");
    let (mutated, flips) =
        flip_registers(&toolchain, &design, flips(), 1).expect("yosys lists them");
    let library =
        Library::build(&toolchain, &mutated.design, &BuildOptions::default()).expect("builds");
    let workload = Workload::new(&geometry, ITEMS, 1);
    let outputs = mutated.design.output_words();

    let sound = |flip_clock| -> Run {
        let mut model = PipelineModel::new(&geometry);
        let mut care = vec![0; outputs];
        let (verdict_bits, tag_bits) = (geometry.verdict_bits(), geometry.tag_bits());
        workload
            .run(outputs, flip_clock, u64::MAX, |_, inputs, out| {
                model.outputs().pack(verdict_bits, tag_bits, out, &mut care);
                model.clock(inputs);
                Ok(())
            })
            .expect("a model does not fail")
    };
    let run = |number: u32, flip_clock, most_clocks| -> Run {
        let mut sim = library.open(Initial::Zeros).expect("opens");
        let mut words = vec![0; mutated.design.input_words()];
        let (select, driven) = words
            .len()
            .checked_sub(1)
            .map(|last| (last, 0..last))
            .expect("it has inputs");
        workload
            .run(outputs, flip_clock, most_clocks, |clock, inputs, out| {
                inputs.pack(geometry.key_bits(), &mut words[driven.clone()]);
                words[select] = if clock == flip_clock {
                    number.into()
                } else {
                    0
                };
                Ok(sim.step(&words, out)?)
            })
            .expect("the text has no $finish")
    };

    let golden = sound(FLIP_CLOCKS.start);
    let patience = workload.patience(&golden);
    assert_eq!(
        workload.effect(&golden, &run(0, FLIP_CLOCKS.start, patience)),
        Effect::None
    );

    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut table: BTreeMap<RegisterGroup, BTreeMap<Effect, usize>> = BTreeMap::new();
    for flip in &flips {
        let clock = rng.random_range(FLIP_CLOCKS);
        let effect = workload.effect(&golden, &run(flip.number, clock, patience));
        if effect >= Effect::Shifted {
            println!(
                "{} of {}, clock {clock}: {}",
                flip.number,
                flip.register,
                effect.words()
            );
        }
        *table
            .entry(flip.group)
            .or_default()
            .entry(effect)
            .or_default() += 1;
    }
    let count = |group: RegisterGroup, effect: Effect| {
        table
            .get(&group)
            .and_then(|row| row.get(&effect))
            .copied()
            .unwrap_or(0)
    };
    println!(
        "| register | bits | {} |",
        Effect::ALL.map(Effect::words).join(" | ")
    );
    println!("|---|---|{}", "---|".repeat(Effect::ALL.len()));
    for group in RegisterGroup::ALL {
        let row = Effect::ALL.map(|effect| count(group, effect));
        let bits: usize = row.iter().sum();
        println!(
            "| {} | {bits} | {} |",
            group.words(),
            row.map(|n| n.to_string()).join(" | ")
        );
    }
    let sum = |effect| {
        RegisterGroup::ALL
            .iter()
            .map(|&group| count(group, effect))
            .sum::<usize>()
    };
    let harmless = sum(Effect::None) + sum(Effect::Registers);
    let passing = harmless + sum(Effect::Passing) + sum(Effect::Shifted);
    assert!(sum(Effect::None) < flips.len(), "no flip had any effect");
    assert!(
        2 * harmless > flips.len(),
        "{harmless} of {} were harmless",
        flips.len()
    );
    assert!(
        10 * passing > 9 * flips.len(),
        "{passing} of {} passed",
        flips.len()
    );
    // a key, a hash or a flag is one item's, a word is gone when its half is emptied
    let pipeline = RegisterGroup::Pipeline;
    assert_eq!(
        count(pipeline, Effect::Broken),
        0,
        "data in flight holds nothing up"
    );
}
