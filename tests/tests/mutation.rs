//! Would lockstep notice if the gateware were a little wrong? Mutants of the emitted text, by yosys.
//!
//! A test run draws some of each kind; `BLOOMLINE_MUTANTS=1000 cargo test --release -p bloomline-tests mutation:: -- --nocapture`
//! draws a thousand and lists what survived without being proved equivalent; `BLOOMLINE_SURVIVORS=48,56` looks at those of them again.

use bloomline_assurance::mutation::{equivalent, hunt, mutate, Fate, Hunt, Mutant, Mutated, Parts};
use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::filter::{
    emitted_design, Act, CardReference, CardTorture, CardTortureMix, CellReference, CellTorture,
    CellTortureMix, ClockedModel, Crowd, CuckooReference, HostPattern, ModelReference,
    SlidingReference, SlidingTorture, SlidingTortureMix, Torture, TortureMix, TorturedWindow,
};
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::Design;
use bloomline_model::CardModel;
use bloomline_spec::registers::{address, SlidingCounter};
use bloomline_spec::{Common, Erase, RecyclingGeometry};
use bloomline_tests::faults::{fault, with_fault, Fault};
use bloomline_tests::{
    mac_sides, thorough_mix, toolchain, with_card, with_counts, CardSample, CardTask, CellSample,
    CuckooSample, MacReference, MacTorture, Sample, SharedArraySample, SlidingSample,
};
use bloomline_toolchain::{Program, Toolchain};
use std::ops::Range;
use std::time::Instant;

/// Mutants of each filter in a test run.
const MUTANTS: u16 = 50;
/// Live mutants that must be killed, in percent; those that are equivalent and not proved so count as live.
const KILLED: usize = 96;
/// Clocks of a run.
const CLOCKS: u64 = 20_000;
/// Seeds of the runs from power-up that a mutant must survive.
const FRESH: Range<u64> = 0..6;
/// Those of a filter that has run for years before, the later half of them with [`rare_mix`].
const OLD: Range<u64> = 6..47;
const RARE: u64 = 18;
/// Seeds of the other kinds, the later ones with what [`rare`] gives; of windows those before it have a [`Crowd`] each.
const OTHERS: Range<u64> = 0..24;
const CROWDS_OTHERS: u64 = 12;
const RARE_OTHERS: u64 = 16;

/// What such a filter has counted of everything: soon every bit of a counter changes.
const PAST_EVENTS: u64 = 0x7fff_ffff_ffff_ffc0;
/// Ticks for which a half has been active when it becomes so: soon that is as many as the register can hold.
const PAST_TICKS: u32 = 0xffff_fffd;
/// The same in the emitted text.
const PAST: [Fault; 3] = past(
    "no_age           = 32'd0",
    "no_age           = 32'hfffffffd",
);
const PAST_ON_ONE_ARRAY: [Fault; 3] = past(
    "no_age              = 32'd0",
    "no_age              = 32'hfffffffd",
);

/// Epochs that a filter of cells has to spare.
const PAST_SPARE: u8 = 1;
const SPARE: Fault = fault(
    "spare epochs",
    "epoch_guard",
    "spare_r_0 = 4'd14",
    "spare_r_0 = 4'd1",
);

/// `no_age` stands in a column as wide as the names beside it.
const fn past(no_age: &'static str, old_age: &'static str) -> [Fault; 3] {
    [
        fault(
            "turns",
            "array_reader",
            "turns_r = 16'd0",
            "turns_r = 16'hffc0",
        ),
        fault("age", "sequencer", "age = 32'd0", "age = 32'hfffffffd"),
        fault("age behind a recycle", "sequencer", no_age, old_age),
    ]
}

fn mutants() -> u16 {
    match std::env::var("BLOOMLINE_MUTANTS") {
        Ok(text) => text
            .parse()
            .expect("BLOOMLINE_MUTANTS is a number below 65536"),
        Err(_) => MUTANTS,
    }
}

/// The mutants to look at, if not all.
fn chosen() -> Option<Vec<u32>> {
    let list = std::env::var("BLOOMLINE_SURVIVORS").ok()?;
    let numbers = list.split(',').map(|number| {
        number
            .parse()
            .expect("BLOOMLINE_SURVIVORS is a list of numbers")
    });
    Some(numbers.collect())
}

/// What runs show of mutants, by number.
type Shows<'a> = Box<dyn Fn(&Hunt, &[u32]) -> Vec<Fate> + 'a>;

/// A text and the runs that are to show its mutants.
struct Runs<'a> {
    design: Design,
    /// What is changed.
    parts: Parts,
    /// Bits of its memories flip in the runs.
    flippable: Option<&'a Flippable>,
    shows: Shows<'a>,
}

impl<'a> Runs<'a> {
    /// `make` gives by seed what the text is compared with and what drives it.
    fn new<R: Reference, S: Stimulus>(
        design: Design,
        seeds: Range<u64>,
        make: impl Fn(u64) -> (R, S) + 'a,
    ) -> Runs<'a> {
        let shows = move |read: &Hunt, mutants: &[u32]| {
            let fates = hunt(read, mutants, seeds.clone(), &make);
            fates.unwrap_or_else(|error| panic!("{error}"))
        };
        Runs {
            design,
            parts: Parts::All,
            flippable: None,
            shows: Box::new(shows),
        }
    }

    fn mutants(&self, toolchain: &Toolchain, count: u16) -> Mutated {
        let mutated = mutate(toolchain, &self.design, count, 1, self.parts);
        let mut mutated = mutated.unwrap_or_else(|error| panic!("{error}"));
        if let Some(flippable) = self.flippable {
            let flipped = flippable.in_flat(&mutated.design);
            mutated.design = flipped.unwrap_or_else(|error| panic!("{error}"));
        }
        mutated
    }
}

struct Tally {
    killed: usize,
    equivalent: Vec<u32>,
    survivors: usize,
}

/// What becomes of `count` mutants; the texts may differ in what registers hold at power-up.
fn tally(texts: &[Runs<'_>], count: u16) -> Tally {
    let toolchain = toolchain(&[Program::Yosys]);
    let mutated: Vec<Mutated> = texts
        .iter()
        .map(|text| text.mutants(&toolchain, count))
        .collect();
    let mutants = &mutated[0].mutants;
    for other in &mutated {
        assert_eq!(&other.mutants, mutants, "texts differ at power-up only");
    }
    let chosen = chosen();
    let is_chosen = |mutant: &&Mutant| {
        let numbers = chosen.as_ref();
        numbers.is_none_or(|numbers| numbers.contains(&mutant.number))
    };
    let looked_at: Vec<&Mutant> = mutants.iter().filter(is_chosen).collect();
    let mut left: Vec<u32> = looked_at.iter().map(|mutant| mutant.number).collect();
    let start = Instant::now();
    for (text, mutated) in texts.iter().zip(&mutated) {
        let read = Hunt::new(mutated).unwrap_or_else(|error| panic!("{error}"));
        let fates = (text.shows)(&read, &left);
        let survivors = left.iter().zip(fates);
        left = survivors
            .filter(|(_, fate)| *fate == Fate::Survived)
            .map(|(number, _)| *number)
            .collect();
    }
    println!("  hunted in {:.1} s", start.elapsed().as_secs_f64());
    let mut tally = Tally {
        killed: looked_at.len() - left.len(),
        equivalent: Vec::new(),
        survivors: 0,
    };
    let not_killed: Vec<&Mutant> = looked_at
        .into_iter()
        .filter(|mutant| left.contains(&mutant.number))
        .collect();
    for mutant in &not_killed {
        println!("  not killed: {} {}", mutant.number, mutant.change);
    }
    for mutant in not_killed {
        if equivalent(&toolchain, &mutated[0], mutant).unwrap_or_else(|error| panic!("{error}")) {
            tally.equivalent.push(mutant.number);
        } else {
            println!("  survived: {} {}", mutant.number, mutant.change);
            tally.survivors += 1;
        }
    }
    tally
}

/// The text of a filter that has run for years before its power-up.
fn with_past(design: &Design, past: &[Fault]) -> Design {
    let mut old = design.clone();
    with_counts(&mut old, PAST_EVENTS);
    for (_, text) in &mut old.sources {
        for edit in past {
            *text = with_fault(text, edit);
        }
    }
    old
}

fn check(texts: &[Runs<'_>]) {
    check_above(KILLED, texts);
}

/// At least so many percent of those that live are to be killed.
fn check_above(floor: usize, texts: &[Runs<'_>]) {
    let tally = tally(texts, mutants());
    println!(
        "{} mutants: {} killed, {} equivalent, {} survived",
        tally.killed + tally.equivalent.len() + tally.survivors,
        tally.killed,
        tally.equivalent.len(),
        tally.survivors
    );
    println!("  proved equivalent: {:?}", tally.equivalent);
    let live = tally.killed + tally.survivors;
    assert!(live > 0 || chosen().is_some(), "there are no mutants");
    assert!(
        100 * tally.killed >= floor * live || chosen().is_some(),
        "{} of {live} live mutants survived",
        tally.survivors
    );
}

/// What other runs seldom do, a case a seed: wait for an age, come to an age in a clock of its own, write values of one bit, repeat one key for ever, recycle
/// faster than words are covered.
fn rare_mix(mix: &mut TortureMix, geometry: &RecyclingGeometry, seed: u64) {
    let span = geometry.half_bits() as u32;
    let cycle = geometry.timing().large_cycle_items;
    (mix.idle, mix.hold_verdict, mix.reset, mix.write) = (0.0, 0.0, 0.0, 0.0);
    (mix.fetch, mix.read, mix.pattern.counters) = (0.0, 0.3, 0.5);
    (mix.keys, mix.repeat) = (u64::MAX, 0.0);
    mix.ages = vec![u32::MAX];
    mix.script = Vec::new();
    match seed - RARE {
        case @ 0..2 => {
            (mix.idle, mix.write, mix.thresholds) = (0.998, 1e-3, vec![span]);
            mix.script.push(Act::opening(span));
            mix.pattern.eager = case == 1;
        }
        // an age that is there at once, in clocks of either parity; and two that come after the greatest age was reached
        case @ 2..6 => {
            mix.idle = 0.998;
            let (clock, age) = match case {
                2 | 3 => (100 + case, PAST_TICKS),
                4 => (5_000, u32::MAX),
                _ => (6_000, 1),
            };
            mix.script.push(Act::write(clock, address::MAX_AGE, age));
        }
        6..9 => {
            (mix.write, mix.pattern.one_bit, mix.pattern.eager) = (0.05, 0.6, true);
            mix.thresholds.extend((0..32).map(|bit| 1 << bit));
        }
        9 => {
            mix.keys = 1;
            mix.script.push(Act::opening(1));
        }
        // a reader so slow that items that come one at a time fill the verdict queue
        10 => {
            mix.hold_verdict = 0.999;
            mix.script.push(Act::opening(1));
        }
        // one item at a time until epochs run short, and a recycle asked for now and then
        11..17 => {
            (mix.write, mix.thresholds, mix.query, mix.insert) = (0.002, vec![1], 0.0, 0.0);
            mix.script.push(Act::opening(1));
        }
        // full rate, with a room of whole sixteens behind a recycle
        case @ 17..22 => {
            let sixteens = cycle.div_ceil(16) + 1;
            let room = |more| 16 * (sixteens + case as u32 - 17) + more;
            mix.thresholds = (0..4).map(room).collect();
            mix.write = 0.001;
            mix.script.push(Act::opening(room(1 + case as u32 % 2)));
        }
        // a cycle long enough for the high bits of room, and short enough to end
        25 => mix.script.push(Act::opening(span / 8 * 3)),
        // resets while the verdict queue is full
        26 => (mix.hold_verdict, mix.reset) = (0.99, 1e-3),
        // and amid items, close together and far apart
        27 => mix.reset = 5e-3,
        28 => (mix.reset, mix.idle) = (5e-3, 0.7),
        // a host sets many bits in words that are often emptied, and reads how many there are
        _ => {
            (mix.fetch, mix.set, mix.write) = (0.2, 0.7, 0.01);
            (mix.idle, mix.reset) = (0.9, 1e-3);
        }
    }
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_recycling_filter_are_killed_by_lockstep() {
    let sample = Sample {
        phases: 1,
        hashes: 3,
        key_bits: 16,
        partition_bits: 1024,
        threshold: 90,
        on: "messages",
        retain: false,
        ..Sample::BASE
    };
    check_recycling(&sample.geometry(), &PAST);
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_recycling_filter_on_one_array_are_killed_by_lockstep() {
    let sample = SharedArraySample {
        hashes: 3,
        key_bits: 16,
        ..SharedArraySample::BASE
    };
    check_recycling(&sample.geometry(), &PAST_ON_ONE_ARRAY);
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_recycling_filter_with_a_spare_half_are_killed_by_lockstep() {
    let sample = Sample {
        hashes: 3,
        key_bits: 16,
        partition_bits: 256,
        ..Sample::SPARE_HALF
    };
    check_recycling(&sample.geometry(), &PAST);
}

fn check_recycling(geometry: &RecyclingGeometry, past: &[Fault]) {
    let (design, _) = emitted_design(geometry).expect("every legal geometry can be printed");
    let fresh = |seed| {
        let mix = thorough_mix(geometry, seed, CLOCKS);
        (
            ModelReference::new(geometry),
            Torture::new(geometry, mix, seed),
        )
    };
    let old = |seed| {
        let mut reference = ModelReference::new(geometry);
        reference.model.set_past(PAST_EVENTS, PAST_TICKS);
        let mut mix = thorough_mix(geometry, seed, CLOCKS);
        mix.read = 0.1;
        mix.ages = vec![0, PAST_TICKS + 1, u32::MAX, u32::MAX];
        if seed >= RARE {
            rare_mix(&mut mix, geometry, seed);
        }
        (reference, Torture::new(geometry, mix, seed))
    };
    check(&[
        Runs::new(design.clone(), FRESH, fresh),
        Runs::new(with_past(&design, past), OLD, old),
    ]);
}

/// What runs of any kind seldom do: probabilities a clock, and what the host does.
struct Rare {
    idle: f64,
    hold_verdict: f64,
    reset: f64,
    write: f64,
    pattern: HostPattern,
    /// Clears that a filter with epochs opens with, one after the other: they run short.
    opening_clears: u32,
}

/// A case a seed: resets at full rate, among items far apart and while the verdict queue is full; writes of one bit; clears; counters alone; resets amid writes, and
/// amid looks at counters.
fn rare(seed: u64) -> Option<Rare> {
    let case = seed.checked_sub(RARE_OTHERS)?;
    let mut rare = Rare {
        idle: 0.0,
        hold_verdict: 0.0,
        reset: 0.0,
        write: 0.0,
        pattern: HostPattern {
            counters: 0.5,
            ..HostPattern::default()
        },
        opening_clears: 0,
    };
    match case {
        0 => rare.reset = 5e-3,
        1 => (rare.reset, rare.idle) = (5e-3, 0.7),
        2 => (rare.reset, rare.hold_verdict) = (1e-3, 0.99),
        3 => (rare.write, rare.pattern.one_bit, rare.pattern.eager) = (0.05, 0.6, true),
        4 => (rare.opening_clears, rare.idle) = (400, 0.5),
        5 => rare.pattern.counters = 0.9,
        6 => (rare.reset, rare.write) = (5e-3, 0.05),
        _ => (rare.reset, rare.pattern.counters) = (2e-3, 0.9),
    }
    Some(rare)
}

/// A kind other than the first, at power-up and with counters that soon wrap: `runs` gives those of a seed, with what was counted before.
fn of_other<'a, R: Reference, S: Stimulus>(
    design: &Design,
    past: &[Fault],
    runs: impl Fn(Option<u64>, u64) -> (R, S) + Copy + 'a,
) -> [Runs<'a>; 2] {
    [
        Runs::new(design.clone(), OTHERS, move |seed| runs(None, seed)),
        Runs::new(with_past(design, past), OTHERS, move |seed| {
            runs(Some(PAST_EVENTS), seed)
        }),
    ]
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_counting_filter_are_killed_by_lockstep() {
    check_cells(CellSample {
        words: 32,
        ..CellSample::COUNTING
    });
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_static_filter_are_killed_by_lockstep() {
    check_cells(CellSample {
        words: 32,
        ..CellSample::STATIC
    });
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_sketch_with_conservative_update_are_killed_by_lockstep() {
    check_cells(CellSample {
        layout: "shared",
        conservative: true,
        words: 32,
        ..CellSample::SKETCH
    });
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_static_filter_of_single_bits_are_killed_by_lockstep() {
    check_cells(CellSample {
        words: 8,
        ..CellSample::SINGLE_BITS
    });
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_counting_filter_of_single_counters_are_killed_by_lockstep() {
    check_cells(CellSample::SINGLE_COUNTERS);
}

fn check_cells(sample: CellSample) {
    let sample = CellSample {
        hashes: 3,
        key_bits: 16,
        ..sample
    };
    let geometry = &sample.geometry();
    let (design, _) = emitted_design(geometry).expect("every legal geometry can be printed");
    let runs = |past: Option<u64>, seed| {
        let mut reference = CellReference::new(geometry);
        let mut mix = CellTortureMix::draw(geometry, seed, CLOCKS);
        if let Some(events) = past {
            reference.model.set_past(events, PAST_SPARE);
            mix.read = f64::max(mix.read, 0.1);
        }
        if let Some(rare) = rare(seed) {
            (mix.idle, mix.hold_verdict) = (rare.idle, rare.hold_verdict);
            (mix.reset, mix.write, mix.read) = (rare.reset, rare.write, 0.5);
            (mix.pattern, mix.opening_clears) = (rare.pattern, rare.opening_clears);
        }
        (reference, CellTorture::new(geometry, mix, seed))
    };
    let past: &[Fault] = match geometry.erase() {
        Erase::Epoch => &[SPARE],
        _ => &[],
    };
    check(&of_other(&design, past, runs));
}

/// Runs of a sliding window, whose reference `make` gives: at power-up, or with so many events counted before.
fn window_runs<'g, R>(
    geometry: &'g impl TorturedWindow,
    make: impl Fn(Option<u64>) -> R + Copy + 'g,
) -> impl Fn(Option<u64>, u64) -> (R, SlidingTorture) + Copy + 'g {
    move |past, seed| {
        let mut mix = SlidingTortureMix::draw(geometry, seed, CLOCKS);
        if past.is_some() {
            mix.read = f64::max(mix.read, 0.1);
        }
        let crowd = seed.checked_sub(CROWDS_OTHERS);
        if let Some(&crowd) = crowd.and_then(|case| Crowd::ALL.get(case as usize)) {
            (mix.crowd, mix.keys, mix.repeat) = (Some(crowd), u64::MAX, 0.2);
            (mix.idle, mix.hold_verdict, mix.reset) = (0.0, 0.0, 0.0);
            mix.operations = [0, 1, 8, 1];
        }
        if let Some(rare) = rare(seed) {
            (mix.idle, mix.hold_verdict) = (rare.idle, rare.hold_verdict);
            (mix.reset, mix.write, mix.read) = (rare.reset, rare.write, 0.5);
            (mix.pattern, mix.keys) = (rare.pattern, u64::MAX);
            // elements go to the last places; in one of the two runs resets come as soon as they do
            mix.crowd = [RARE_OTHERS, OTHERS.end - 1]
                .contains(&seed)
                .then_some(Crowd::FirstFew);
            if seed == RARE_OTHERS {
                (mix.reset, mix.pattern.counters) = (0.01, 0.9);
            }
        }
        (make(past), SlidingTorture::new(geometry, mix, seed))
    }
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_sliding_window_on_cuckoo_tables_are_killed_by_lockstep() {
    // In tables that lose elements the place of an element is observable, and with the smallest stash items wait in the queue. In long fingerprints
    // a single wrong bit is rarely observable.
    let sample = CuckooSample {
        key_bits: 16,
        target_fpr: 0.05,
        ..CuckooSample::HELD
    };
    let geometry = &sample.geometry();
    let (design, _) = emitted_design(geometry).expect("every legal geometry can be printed");
    let runs = window_runs(geometry, |past| {
        let mut reference = CuckooReference::new(geometry);
        past.iter()
            .for_each(|&events| reference.model.set_past(events));
        reference
    });
    // Scaling to the range discards the low bits of the hash, but for one key in millions; the hash is mutated in other filters.
    let texts = of_other(&design, &[], runs).map(|runs| Runs {
        parts: Parts::AllBut(&["hash"]),
        ..runs
    });
    check(&texts);
}

#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_sliding_filter_are_killed_by_lockstep() {
    // in tables that lose elements it shows where an element was put
    let sample = SlidingSample {
        key_bits: 16,
        ..SlidingSample::CROWDED
    };
    let geometry = &sample.geometry();
    let (design, _) = emitted_design(geometry).expect("every legal geometry can be printed");
    let runs = window_runs(geometry, |past| {
        let mut reference = SlidingReference::new(geometry);
        past.iter()
            .for_each(|&events| reference.model.set_past(events));
        reference
    });
    let flippable = Flippable::new(&design, "lane_memory").expect("every table has such memory");
    let flipped = |seed| {
        let (_, torture) = runs(None, seed);
        let flips = FlipMix {
            rate: 0.05,
            first: 0,
            end: flippable.bits,
        };
        let errors = SlidingCounter::ParityErrors.address_lo();
        (
            Flipped::sliding(SlidingReference::with_memory(geometry), geometry),
            Flipping::new(torture, &flippable, flips, &[errors], seed),
        )
    };
    let [fresh, old] = of_other(&design, &[], runs);
    // a flip that meets another element shows one that lies elsewhere, or is stored otherwise
    let flips = Runs {
        flippable: Some(&flippable),
        ..Runs::new(design.clone(), FRESH, flipped)
    };
    check(&[fresh, old, flips]);
}

/// Seeds of a card behind a UART, whose runs are ten times as long.
const BEHIND_A_UART: Range<u64> = 0..24;
/// Live mutants of a card that must be killed, in percent: what survives does what the protocol leaves open, and is not proved equivalent.
const KILLED_OF_A_CARD: usize = 90;

/// What a host reaches a filter by: the bridge of a UART, the split of the bus, the item port.
#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_cards_way_to_its_host_are_killed_by_lockstep() {
    struct Mutants;
    impl CardTask for Mutants {
        type Result = ();

        fn run<M: ClockedModel + Clone>(
            self,
            common: &Common,
            design: Design,
            model: CardModel<M>,
        ) {
            let runs = |seed| {
                let mix = CardTortureMix::draw(common, seed, CLOCKS * 10);
                (
                    CardReference::new(common, model.clone()),
                    CardTorture::new(common, mix, seed),
                )
            };
            let runs = Runs {
                parts: Parts::Only(&["bridge", "card.port", "card.split"]),
                ..Runs::new(design, BEHIND_A_UART, runs)
            };
            check_above(KILLED_OF_A_CARD, &[runs]);
        }
    }
    with_card(&CardSample::BASE, Mutants);
}

/// Receiver, gate, buffer and transmitter, each with every output in sight.
#[test]
#[ignore = "a claim"]
fn most_mutants_of_a_mac_are_killed_by_lockstep() {
    let (design, _) = mac_sides(&[]);
    let runs = |seed| (MacReference::default(), MacTorture::new(seed, CLOCKS * 5));
    check(&[Runs::new(design, OTHERS, runs)]);
}
