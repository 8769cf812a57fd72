//! What one flipped bit of a register or of memory does to verdicts, by what the bit is for.
//!
//! A test run draws 60 bits for each kind; `BLOOMLINE_FLIPS=300 cargo test --release -p bloomline-tests soft_errors_effects:: -- --include-ignored --nocapture`
//! draws more, flips every register bit of `onehit`, and prints the tables of `hdl/docs/soft-errors.md`.

use bloomline_assurance::soft_error::{
    register_bits, run_with_flips, Effect, RegisterBit, RegisterGroup, Run, Workload,
};
use bloomline_bench::built_in::read;
use bloomline_bench::filter::emitted_design;
use bloomline_engine::LaneCount;
use bloomline_model::{output_ports, MemoryBit, PipelineModel};
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::{Parity, ProtectionSection, RecyclingGeometry, EPOCH_BITS, WORD_BITS};
use bloomline_tests::{example_spec, Sample};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Bits that are flipped in a test run, one a run of the filter.
const FLIPS: u16 = 60;
/// Items of a run: about nine cycles.
const ITEMS: usize = 3_000;
/// Clocks among which the one of the flip is drawn: the second and third cycle.
const FLIP_CLOCKS: std::ops::Range<u64> = 500..1_100;

/// How many flips had each effect, by [`Effect::ALL`].
type Row = [usize; Effect::ALL.len()];

pub(crate) fn flips() -> u16 {
    match std::env::var("BLOOMLINE_FLIPS") {
        Ok(text) => text
            .parse()
            .expect("BLOOMLINE_FLIPS is a number below 65536"),
        Err(_) => FLIPS,
    }
}

fn geometry(parity: &'static str) -> RecyclingGeometry {
    Sample {
        partition_bits: 512,
        threshold: 1024,
        key_bits: 64,
        parity,
        ..Sample::BASE
    }
    .geometry()
}

fn print_table(rows: &[(String, Row)]) {
    let cells = |cells: Vec<String>| cells.join(" | ");
    let effects = Effect::ALL.map(|effect| effect.words().to_owned());
    println!("| bit of | flips | {} |", cells(effects.to_vec()));
    println!("|---|---|{}", "---|".repeat(effects.len()));
    for (name, row) in rows {
        let counts = row.map(|count| count.to_string()).to_vec();
        println!(
            "| {name} | {} | {} |",
            row.iter().sum::<usize>(),
            cells(counts)
        );
    }
}

/// A run of the model, in which lockstep finds no difference from the emitted text, and how many slots met the flipped bit.
fn by_model(
    geometry: &RecyclingGeometry,
    workload: &Workload,
    flip: Option<(MemoryBit, u64)>,
) -> (Run, u64) {
    let mut model = PipelineModel::with_memory(geometry);
    let (verdict_bits, tag_bits) = (geometry.verdict_bits(), geometry.tag_bits());
    let outputs = output_ports(geometry).len();
    let mut care = vec![0; outputs];
    let flip_clock = flip.map(|(_, clock)| clock);
    let run = workload.run(outputs, flip_clock, |clock, inputs, out| {
        model.outputs().pack(verdict_bits, tag_bits, out, &mut care);
        if let Some((bit, _)) = flip.filter(|&(_, at)| at == clock) {
            model.flip(bit);
        }
        model.clock(inputs);
        Ok(())
    });
    (run.expect("a model does not fail"), model.flaws().met)
}

#[test]
fn a_flipped_memory_bit_is_gone_with_its_half_and_counted_as_often_as_it_is_read() {
    let mut rows = Vec::new();
    for parity in ["none", "count", "empty"] {
        let geometry = geometry(parity);
        let workload = Workload::new(&geometry, ITEMS, 1);
        let (golden, _) = by_model(&geometry, &workload, None);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let top = WORD_BITS + EPOCH_BITS;
        let kinds = [
            ("data", 0..WORD_BITS),
            ("epoch", WORD_BITS..top),
            ("parity", top..top + geometry.parity().bits()),
        ];
        for (kind, bits) in kinds.into_iter().filter(|(_, bits)| !bits.is_empty()) {
            let mut row = [0; Effect::ALL.len()];
            let (mut read, mut counted) = (0, 0);
            for _ in 0..flips() {
                let bit = MemoryBit {
                    half: rng.random_range(0..geometry.phases()),
                    bank: rng.random_range(0..geometry.banks()),
                    word: rng.random_range(0..geometry.words_per_bank() as u32),
                    bit: rng.random_range(bits.clone()),
                };
                let clock = rng.random_range(FLIP_CLOCKS);
                let (run, met) = by_model(&geometry, &workload, Some((bit, clock)));
                let effect = workload.effect(&golden, &run);
                row[effect as usize] += 1;
                let count = run.register(RecyclingCounter::ParityErrors.address_lo());
                let expected = (geometry.parity() != Parity::None).then_some(met);
                assert_eq!(count, expected, "{parity}, {bit:?} in clock {clock}");
                assert!(
                    effect < Effect::Lasting,
                    "{parity}, {bit:?} in clock {clock}: {}",
                    workload.account(&golden, &run)
                );
                read += usize::from(met > 0);
                counted += usize::from(count > Some(0));
            }
            assert!(read > 0, "{parity}, {kind}: nothing was read");
            rows.push((
                format!("`{parity}`: {kind}; {read} read, {counted} counted"),
                row,
            ));
        }
    }
    print_table(&rows);
}

/// Runs with as many flips as lanes.
fn in_lanes(
    design: &bloomline_engine::Design,
    geometry: &RecyclingGeometry,
    workload: &Workload,
    flips: &[(RegisterBit, u64)],
) -> Vec<Run> {
    let mut runs = Vec::new();
    for some in flips.chunks(LaneCount::L256.lanes()) {
        let some: Vec<_> = some
            .iter()
            .map(|(bit, clock)| Some((bit, *clock)))
            .collect();
        let some = run_with_flips(design, geometry, workload, &some);
        runs.extend(some.unwrap_or_else(|error| panic!("{error}")));
    }
    runs
}

fn read_design(geometry: &RecyclingGeometry) -> bloomline_engine::Design {
    let (design, _) = emitted_design(geometry).expect("emit");
    read(&design).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_flipped_register_bit_shows_as_one_of_seven_effects_most_of_which_pass() {
    let geometry = geometry("none");
    let design = read_design(&geometry);
    let workload = Workload::new(&geometry, ITEMS, 1);
    let (golden, _) = by_model(&geometry, &workload, None);
    let sound = run_with_flips(&design, &geometry, &workload, &[None]);
    let sound = sound.unwrap_or_else(|error| panic!("{error}"));
    assert!(sound[0] == golden, "without a flip the text is the model");

    let bits = register_bits(&design);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let flips: Vec<(RegisterBit, u64)> = (0..flips())
        .map(|_| {
            let bit = bits[rng.random_range(0..bits.len())].clone();
            (bit, rng.random_range(FLIP_CLOCKS))
        })
        .collect();
    let runs = in_lanes(&design, &geometry, &workload, &flips);
    let mut rows = RegisterGroup::ALL.map(|group| (group.words().to_owned(), Row::default()));
    for ((bit, clock), run) in flips.iter().zip(&runs) {
        let effect = workload.effect(&golden, run);
        if effect >= Effect::Lasting {
            let RegisterBit { register, bit, .. } = bit;
            println!("{register}[{bit}] in clock {clock}: {}", effect.words());
        }
        rows[bit.group as usize].1[effect as usize] += 1;
    }
    print_table(&rows);
    let sum = |effect: Effect| -> usize { rows.iter().map(|(_, row)| row[effect as usize]).sum() };
    let harmless = sum(Effect::None) + sum(Effect::Registers);
    let lasting = sum(Effect::Lasting) + sum(Effect::Broken) + sum(Effect::Stopped);
    assert!(
        sum(Effect::None) < flips.len(),
        "no flip had any effect: none came through"
    );
    assert!(2 * harmless > flips.len(), "{harmless} were harmless");
    assert!(10 * lasting < flips.len(), "{lasting} lasted");
    // a key, a hash or a flag belongs to one item and holds nothing up; `push`, one bit, loses a verdict
    let in_flight = rows[RegisterGroup::Pipeline as usize].1;
    assert!(100 * in_flight[Effect::Broken as usize] <= in_flight.iter().sum());
    assert_eq!(in_flight[Effect::Stopped as usize], 0);
}

/// Moments at which each bit of `onehit` is flipped, one a run.
const MOMENTS: u64 = 1;
/// Threshold of these runs, so that one has several cycles: the text is that of `onehit` but for the value of THRESHOLD at reset.
const CARD_THRESHOLD: u64 = 4_096;
/// Items of such a run: four cycles and a half.
const CARD_ITEMS: usize = 10_000;

/// Runs of `onehit`, with or without self-check, each with one bit of a register flipped: the table, what lasts, and how many restarts were counted.
fn every_register_bit_of_onehit(self_check: bool) -> (Vec<(String, Row)>, usize) {
    let moments = match std::env::var("BLOOMLINE_MOMENTS") {
        Ok(text) => text.parse().expect("BLOOMLINE_MOMENTS is a number"),
        Err(_) => MOMENTS,
    };
    let mut spec = example_spec("onehit");
    spec.protection = self_check.then_some(ProtectionSection { self_check });
    let sizing = spec.validate().expect("onehit is legal");
    let geometry = sizing.with_threshold(CARD_THRESHOLD).expect("is legal");
    let design = read_design(&geometry);
    let workload = Workload::new(&geometry, CARD_ITEMS, 1);
    let sound = run_with_flips(&design, &geometry, &workload, &[None]);
    let golden = sound.expect("runs").remove(0);
    // the second cycle, so that two whole ones follow
    let (from, to) = (golden.clocks() / 4, 2 * golden.clocks() / 5);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let bits = register_bits(&design);
    let flips: Vec<(RegisterBit, u64)> = (0..moments)
        .flat_map(|_| bits.clone())
        .map(|bit| (bit, rng.random_range(from..to)))
        .collect();
    println!(
        "{} bits, {} runs of {} clocks",
        bits.len(),
        flips.len(),
        golden.clocks()
    );
    let mut rows = RegisterGroup::ALL.map(|group| (group.words().to_owned(), Row::default()));
    let mut worst: BTreeMap<(Effect, &str, bool), usize> = BTreeMap::new();
    let mut restarted = 0;
    let restarts = RecyclingCounter::ControlErrors.address_lo();
    for some in flips.chunks(LaneCount::L256.lanes()) {
        let runs = in_lanes(&design, &geometry, &workload, some);
        for ((bit, _), run) in some.iter().zip(&runs) {
            let effect = workload.effect(&golden, run);
            let noticed = self_check
                && run.register(restarts) > Some(0)
                && bit.group != RegisterGroup::Counters;
            restarted += usize::from(noticed);
            rows[bit.group as usize].1[effect as usize] += 1;
            if effect >= Effect::Lasting {
                *worst.entry((effect, &bit.register, noticed)).or_default() += 1;
            }
        }
    }
    print_table(&rows);
    for ((effect, register, noticed), count) in &worst {
        let noticed = if *noticed { ", noticed" } else { "" };
        println!("{}: {register}, {count} runs{noticed}", effect.words());
    }
    let runs: usize = rows.iter().flat_map(|(_, row)| row).sum();
    assert_eq!(runs, flips.len());
    for (group, row) in &rows {
        assert_ne!(row.iter().sum::<usize>(), 0, "no register of {group}");
    }
    (rows.into(), restarted)
}

#[test]
#[ignore = "a claim"]
fn every_single_register_flip_of_onehit_has_its_place_in_the_table() {
    every_register_bit_of_onehit(false);
}

#[test]
#[ignore = "a claim"]
fn no_single_register_flip_stops_onehit_with_self_check() {
    let (rows, restarted) = every_register_bit_of_onehit(true);
    println!("{restarted} runs restarted");
    for (group, row) in &rows {
        assert_eq!(row[Effect::Stopped as usize], 0, "{group}");
    }
    assert!(restarted > 50, "the self-check notices: {restarted}");
}
