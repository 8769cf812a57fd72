//! What one flipped bit of a register or of memory does to verdicts, by what the bit is for.
//!
//! A test run draws 60 bits for each kind; `BLOOMLINE_FLIPS=1000 cargo test --release -p bloomline-tests soft_errors_effects:: -- --nocapture`
//! draws a thousand and prints the tables of `hdl/docs/soft-errors.md`.

use bloomline_assurance::soft_error::{flip_registers, Effect, RegisterGroup, Run, Workload};
use bloomline_bench::filter::emitted_design;
use bloomline_bench::verilator::{BuildOptions, Initial, Library};
use bloomline_model::{output_ports, MemoryBit, PipelineModel};
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::{Parity, RecyclingGeometry, EPOCH_BITS, WORD_BITS};
use bloomline_tests::{toolchain, Sample};
use bloomline_toolchain::Program;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
    let flip_clock = flip.map_or(FLIP_CLOCKS.start, |(_, clock)| clock);
    let run = workload.run(outputs, flip_clock, u64::MAX, |clock, inputs, out| {
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

#[test]
#[ignore = "a claim"]
fn a_flipped_register_bit_shows_as_one_of_six_effects_most_of_which_pass() {
    let toolchain = toolchain(&[Program::Verilator, Program::Yosys]);
    let geometry = geometry("none");
    let (design, _) = emitted_design(&geometry).expect("emit");
    let (mutated, flips) =
        flip_registers(&toolchain, &design, flips(), 1).unwrap_or_else(|error| panic!("{error}"));
    let library = Library::build(&toolchain, &mutated.design, &BuildOptions::default());
    let library = library.unwrap_or_else(|error| panic!("{error}"));
    let workload = Workload::new(&geometry, ITEMS, 1);
    let (golden, _) = by_model(&geometry, &workload, None);
    let patience = workload.patience(&golden);
    let run = |number: u32, flip_clock: u64| -> Run {
        let mut sim = library.open(Initial::Zeros).expect("opens");
        let mut words = vec![0; mutated.design.input_words()];
        let outputs = mutated.design.output_words();
        let run = workload.run(outputs, flip_clock, patience, |clock, inputs, out| {
            inputs.pack(geometry.key_bits(), &mut words);
            let select = words.last_mut().expect("the last input selects");
            *select = if clock == flip_clock {
                number.into()
            } else {
                0
            };
            Ok(sim.step(&words, out)?)
        });
        run.expect("the text does not end by itself")
    };
    assert_eq!(run(0, FLIP_CLOCKS.start), golden);

    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut rows = RegisterGroup::ALL.map(|group| (group.words().to_owned(), Row::default()));
    for flip in &flips {
        let clock = rng.random_range(FLIP_CLOCKS);
        let effect = workload.effect(&golden, &run(flip.number, clock));
        if effect >= Effect::Lasting {
            println!("{} in clock {clock}: {}", flip.register, effect.words());
        }
        rows[flip.group as usize].1[effect as usize] += 1;
    }
    print_table(&rows);
    let sum = |effect: Effect| -> usize { rows.iter().map(|(_, row)| row[effect as usize]).sum() };
    let harmless = sum(Effect::None) + sum(Effect::Registers);
    let lasting = sum(Effect::Lasting) + sum(Effect::Broken);
    assert!(
        sum(Effect::None) < flips.len(),
        "no flip had any effect: none came through"
    );
    assert!(2 * harmless > flips.len(), "{harmless} were harmless");
    assert!(10 * lasting < flips.len(), "{lasting} lasted");
    // a key, a hash or a flag belongs to one item, and holds nothing up
    let in_flight = rows[RegisterGroup::Pipeline as usize].1;
    assert_eq!(in_flight[Effect::Broken as usize], 0);
}
