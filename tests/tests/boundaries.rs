//! Blocks of the packet path and counters at their boundaries: exact capacities, events in the very clock of a reset, carry and wrap.
//!
//! Each block is compared in every clock with a few lines that say what it promises, in a run that goes to the boundary again and again. Each edit in
//! `tests/faults/boundaries.toml` must be caught there; most are faults that runs of the whole path seldom or never show.

use bloomline_bench::filter::{emitted_card_design, emitted_design};
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::{Design, Port};
use bloomline_tests::faults::{every_fault_is_caught_at_any_size, FaultTable};
use bloomline_tests::{
    emitted_path, with_counts, CardGeometry, CardSample, CellSample, CuckooSample, PathSample,
    Sample, SlidingSample,
};
use itertools::Itertools;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::VecDeque;

/// What goes into a block and what it must answer, clock by clock.
#[derive(Default)]
struct Played {
    /// Inputs, expected outputs and which of their bits matter.
    clocks: Vec<[Vec<u64>; 3]>,
}

impl Played {
    /// `None` is an output that does not matter in this clock.
    fn clock(&mut self, inputs: &[u64], outputs: &[Option<u64>]) {
        let care = |output: &Option<u64>| output.map_or(0, |_| u64::MAX);
        self.clocks.push([
            inputs.to_vec(),
            outputs.iter().map(|output| output.unwrap_or(0)).collect(),
            outputs.iter().map(care).collect(),
        ]);
    }

    fn sides(self) -> (Expected, Given) {
        let (mut inputs, mut outputs) = (VecDeque::new(), VecDeque::new());
        for [given, expected, care] in self.clocks {
            inputs.push_back(given);
            outputs.push_back([expected, care]);
        }
        (Expected(outputs), Given(inputs))
    }
}

struct Expected(VecDeque<[Vec<u64>; 2]>);

impl Reference for Expected {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        if let Some([expected, matters]) = self.0.front() {
            outputs.copy_from_slice(expected);
            care.copy_from_slice(matters);
        }
    }

    fn clock(&mut self, _: &[u64]) {
        self.0.pop_front();
    }
}

struct Given(VecDeque<Vec<u64>>);

impl Stimulus for Given {
    fn next(&mut self, _: &[u64], inputs: &mut [u64]) -> bool {
        let next = self.0.pop_front();
        next.is_some_and(|next| {
            inputs.copy_from_slice(&next);
            true
        })
    }
}

/// A block of the path of 8 bits by itself.
fn block(top: &str) -> Design {
    block_of(emitted_path(&PathSample::BASE.geometry()), top)
}

/// A block of a design by itself.
fn block_of(whole: Design, top: &str) -> Design {
    let read = bloomline_engine::Design::read(&whole.sources, top, Some("clock"));
    let read = read.unwrap_or_else(|error| panic!("{error}"));
    let port = |port: &bloomline_engine::Port| match port.input {
        true => Port::input(&port.name, port.width),
        false => Port::output(&port.name, port.width),
    };
    Design {
        top: top.into(),
        clock: Some("clock".into()),
        ports: read.ports().iter().map(port).collect(),
        ..whole
    }
}

fn every_fault_is_caught(design: &Design, play: impl Fn(u64) -> Played) {
    let table = FaultTable::load(&format!("boundaries.{}", design.top));
    every_fault_is_caught_at_any_size(design, &table.faults, table.seeds, |seed| {
        play(seed).sides()
    });
}

/// The page's rule: a beat is taken where `tvalid` and `tready` are 1, and comes out a clock later. One that comes in a clock of reset does not, nor does
/// what is left of its frame.
#[derive(Default)]
struct Intake {
    ready: bool,
    /// A frame has begun and not ended.
    within: bool,
    /// It was cut.
    cut: bool,
    /// What comes out: data, and whether the beat is the last.
    out: Option<(u64, bool)>,
    played: Played,
}

impl Intake {
    /// One clock in which a beat (data, last) is on offer, or none. Whether it was taken.
    fn clock(&mut self, reset: bool, offer: Option<(u64, bool)>) -> bool {
        let (data, last) = offer.unwrap_or((0x5A, true));
        let inputs = [
            reset.into(),
            offer.is_some().into(),
            data,
            1,
            last.into(),
            0,
        ];
        let shown = |value: fn((u64, bool)) -> u64| self.out.map(value);
        self.played.clock(
            &inputs,
            &[
                Some(self.ready.into()),
                Some(self.out.is_some().into()),
                shown(|(_, last)| last.into()),
                shown(|_| 0),
                shown(|_| 0),
                shown(|(data, _)| data),
            ],
        );
        let taken = offer.filter(|_| self.ready);
        self.out = taken.filter(|_| !reset && !self.cut);
        if let Some((_, last)) = taken {
            self.within = !last;
        }
        self.cut = self.within && (self.cut || reset);
        self.ready = !reset;
        taken.is_some()
    }
}

#[test]
fn every_fault_of_beats_in_the_clock_of_a_reset_is_caught() {
    every_fault_is_caught(&block("intake"), |_| {
        let mut intake = Intake {
            ready: true,
            ..Intake::default()
        };
        let mut data = 0;
        for length in 1..=4 {
            for (reset_clocks, gap) in [(1, 0), (1, 1), (2, 0), (3, 1)] {
                for reset_at in 0..3 * length + 3 {
                    // three frames, and resets that begin in each clock of them
                    let mut beats: VecDeque<Option<(u64, bool)>> = VecDeque::new();
                    for _ in 0..3 {
                        for beat in 1..=length {
                            data = (data + 1) & 0xFF;
                            beats.push_back(Some((data, beat == length)));
                        }
                        beats.extend((0..gap).map(|_| None));
                    }
                    let mut clock = 0;
                    while let Some(offer) = beats.front().copied() {
                        let reset = (reset_at..reset_at + reset_clocks).contains(&clock);
                        if intake.clock(reset, offer) || offer.is_none() {
                            beats.pop_front();
                        }
                        clock += 1;
                    }
                }
            }
        }
        intake.played
    });
}

/// Beats of the buffer of [`PathSample::BASE`].
const BUFFER: u64 = 4096;
/// Values of a place, which tells a full buffer from an empty one.
const PLACES: u64 = 2 * BUFFER;

#[test]
fn every_fault_of_a_buffer_that_is_full_to_the_last_beat_is_caught() {
    every_fault_is_caught(&block("frame_store"), |seed| {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut played = Played::default();
        let (mut write, mut kept, mut spilled, mut overflowed) = (0, 0, false, false);
        // places given back, in this clock and as the room follows a clock later
        let (mut read, mut known_read): (u64, u64) = (0, 0);
        for clock in 0..4 * BUFFER {
            let filling = clock < BUFFER - 2;
            let reset = !filling && rng.random_bool(0.0002);
            let valid = filling || rng.random_bool(0.7);
            let last = valid && rng.random_bool(if filling { 0.3 } else { 0.5 });
            let (keyed, frames_full, keys_full) = match filling {
                true => (false, false, false),
                false => (
                    rng.random_bool(0.5),
                    rng.random_bool(0.05),
                    rng.random_bool(0.05),
                ),
            };
            let full = (write - known_read) == BUFFER;
            let whole = !(full || spilled || frames_full || keyed && keys_full);
            let inputs = [reset, valid, last, keyed, frames_full, keys_full].map(u64::from);
            let inputs: Vec<u64> = inputs.into_iter().chain([read % PLACES]).collect();
            let stored = valid && !full;
            played.clock(
                &inputs,
                &[
                    Some(stored.into()),
                    stored.then_some(write % BUFFER),
                    stored.then_some(write % PLACES),
                    (valid && last && whole).then_some((write == kept).into()),
                    Some((valid && last && whole).into()),
                    Some((valid && last && whole && keyed).into()),
                    Some(overflowed.into()),
                ],
            );
            known_read = read;
            overflowed = valid && last && !whole && !reset;
            if stored {
                write += 1;
            }
            spilled |= valid && full;
            if valid && last {
                match whole {
                    true => kept = write,
                    false => write = kept,
                }
                spilled = false;
            }
            if reset {
                (write, kept, spilled, read, known_read) = (0, 0, false, 0, 0);
            } else if !filling && read < kept && rng.random_bool(0.4) {
                read += 1;
            }
        }
        played
    });
}

/// A queue as it is described: `depth` entries and one in the register behind them, which is filled a clock after the memory has an entry.
fn queue(depth: usize, seed: u64) -> Played {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut played = Played::default();
    let mut memory: VecDeque<u64> = VecDeque::new();
    let mut out = None;
    let phases = [
        (1.0, 0.0),
        (0.9, 0.6),
        (0.6, 0.9),
        (0.9, 0.9),
        (0.5, 0.5),
        (0.0, 1.0),
    ];
    for round in 0..4 {
        for (comes, goes) in phases {
            for clock in 0..2 * depth + 8 {
                let reset = round > 0 && comes > 0.0 && rng.random_bool(0.25 / depth as f64);
                // no entry comes while the queue is full
                let full = memory.len() == depth;
                let push = !full && rng.random_bool(comes);
                let take = out.is_some() && rng.random_bool(goes);
                let entry = rng.random::<u64>() & 0xFF_FFFF;
                let loads = !memory.is_empty() && (out.is_none() || take);
                played.clock(
                    &[reset.into(), push.into(), entry, take.into()],
                    &[
                        Some(full.into()),
                        Some(out.is_some().into()),
                        out,
                        Some(loads.into()),
                    ],
                );
                if take {
                    out = None;
                }
                if loads {
                    out = memory.pop_front();
                }
                if push {
                    memory.push_back(entry);
                }
                if reset {
                    memory.clear();
                    out = None;
                }
                let capacity = memory.len() + usize::from(out.is_some());
                assert!(capacity <= depth + 1, "clock {clock}");
            }
        }
    }
    played
}

/// The queue behind a UART's receiver as it is described: 16 bytes, the oldest of them shown two clocks after it came or after the one before it
/// was taken; one that meets it full is dropped.
fn byte_queue(seed: u64) -> Played {
    const DEPTH: usize = 16;
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut played = Played::default();
    let mut bytes: VecDeque<u64> = VecDeque::new();
    let mut shown = false;
    for (comes, goes) in [(1.0, 0.0), (0.9, 0.6), (0.5, 1.0), (0.5, 0.5), (0.0, 1.0)] {
        for _ in 0..4 * DEPTH {
            let reset = comes > 0.0 && rng.random_bool(0.04);
            let received = rng.random_bool(comes);
            let take = shown && rng.random_bool(goes);
            let byte = rng.random_range(0..256);
            let full = bytes.len() == DEPTH;
            played.clock(
                &[reset.into(), received.into(), byte, take.into()],
                &[
                    Some(shown.into()),
                    bytes.front().copied().filter(|_| shown),
                    Some((received && full).into()),
                ],
            );
            shown = !bytes.is_empty() && !take && !reset;
            if take {
                bytes.pop_front();
            }
            if received && !full {
                bytes.push_back(byte);
            }
            if reset {
                bytes.clear();
            }
        }
    }
    played
}

/// The queue in registers as it is described: two entries and the oldest, which is the first of them in the clock behind that in which its place is free.
fn register_queue(seed: u64) -> Played {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut played = Played::default();
    let mut waiting: VecDeque<u64> = VecDeque::new();
    let mut out = None;
    for (comes, goes) in [(1.0, 0.0), (1.0, 1.0), (0.9, 0.6), (0.6, 0.9), (0.5, 0.5)] {
        for _ in 0..40 {
            let reset = rng.random_bool(0.05);
            let push = waiting.len() < 2 && rng.random_bool(comes);
            let take = out.is_some() && rng.random_bool(goes);
            let entry = rng.random::<u64>() & 0xFF_FFFF;
            let follows = out.is_none() || take;
            played.clock(
                &[reset.into(), push.into(), entry, take.into()],
                &[
                    Some((waiting.len() == 2).into()),
                    Some(out.is_some().into()),
                    out,
                    waiting.front().copied(),
                    Some(follows.into()),
                ],
            );
            if follows {
                out = waiting.pop_front();
            }
            waiting.extend(push.then_some(entry));
            if reset {
                (out, waiting) = (None, VecDeque::new());
            }
        }
    }
    played
}

/// The queue's words, each entry as wide as the block's; all that is not given is 0.
fn wide(design: &Design, played: Played) -> Played {
    let spread = |values: Vec<u64>, input: bool, care: bool| -> Vec<u64> {
        let ports = match input {
            true => design.inputs().map(|(port, _)| port.words()).collect(),
            false => design
                .outputs()
                .map(|(port, _)| port.words())
                .collect::<Vec<_>>(),
        };
        let pairs = values.into_iter().zip(ports);
        let words = |(value, words): (u64, usize)| {
            let more = if care { value } else { 0 };
            (0..words).map(move |word| if word == 0 { value } else { more })
        };
        pairs.flat_map(words).collect()
    };
    let clocks = played.clocks.into_iter().map(|[inputs, outputs, care]| {
        [
            spread(inputs, true, false),
            spread(outputs, false, false),
            spread(care, false, true),
        ]
    });
    Played {
        clocks: clocks.collect(),
    }
}

#[test]
fn every_fault_of_the_exact_capacity_of_a_queue_is_caught() {
    for (top, depth) in [("frame_queue", 256), ("key_queue", 32)] {
        let design = block(top);
        every_fault_is_caught(&design, |seed| wide(&design, queue(depth, seed)));
    }
}

#[test]
fn every_fault_of_the_queue_of_received_bytes_is_caught() {
    let CardGeometry::Recycling(geometry) = CardSample::BASE.geometry() else {
        unreachable!("the sample is a recycling filter")
    };
    let (card, _) = emitted_card_design(&geometry).expect("a sample can be printed");
    every_fault_is_caught(&block_of(card, "byte_queue"), byte_queue);
}

#[test]
fn every_fault_of_the_queue_of_known_frames_is_caught() {
    let design = block("known_queue");
    every_fault_is_caught(&design, |seed| wide(&design, register_queue(seed)));
}

/// Random events, and reads as often as the register file makes them, of counters that stood at `start`: they carry, and a reset comes in some clock around it.
fn counted(design: &Design, start: u64, seed: u64) -> Played {
    let mut rng = SmallRng::seed_from_u64(seed);
    let counters = design
        .inputs()
        .filter(|(port, _)| port.name.starts_with("event_"))
        .count();
    let mut counts = vec![start; counters];
    let mut played = Played::default();
    // What the outputs are to be in this clock and in those behind it.
    let (mut lows, mut highs) = ([None; 3], [None; 4]);
    let (mut next_read, mut reset_at) = (0, 100 + rng.random_range(0..40));
    // In every other run it comes while the carry of a counter that is read is on its way.
    let mut carrying = (seed.is_multiple_of(2)).then_some(rng.random_range(0..counters));
    for clock in 0..300 {
        let reset = clock == reset_at;
        let events: Vec<bool> = counts.iter().map(|_| rng.random_bool(0.8)).collect();
        let mut which = rng.random_range(0..counters);
        if let Some(counter) = carrying.filter(|&c| clock > 50 && counts[c] & 0xffff_ffff == 0) {
            (which, reset_at, carrying) = (counter, clock + 2, None);
        }
        // A read ahead of a reset is never answered; of the one in the clock before it the register file still takes the upper half, which is 0.
        let ahead = clock + 2 == reset_at;
        let read = ahead || clock >= next_read && !(reset_at - 6..=reset_at).contains(&clock);
        let mut inputs = vec![u64::from(reset)];
        inputs.extend(events.iter().map(|event| u64::from(*event)));
        inputs.extend([read.into(), which as u64]);
        played.clock(&inputs, &[lows[0], highs[0]]);
        for (count, event) in counts.iter_mut().zip(&events) {
            *count = match reset {
                true => 0,
                false => count.wrapping_add((*event).into()),
            };
        }
        if ahead {
            highs[3] = Some(0);
        } else if read {
            next_read = clock + 5 + u64::from(rng.random_bool(0.2));
            (lows[2], highs[3]) = (Some(counts[which] & 0xffff_ffff), Some(counts[which] >> 32));
        }
        lows = [lows[1], lows[2], None];
        highs = [highs[1], highs[2], highs[3], None];
    }
    played
}

#[test]
fn every_fault_of_a_carry_around_a_reset_is_caught() {
    const START: u64 = 0x7fff_ffff_ffff_ffc0;
    let mut design = block("event_counters");
    with_counts(&mut design, START);
    every_fault_is_caught(&design, |seed| counted(&design, START, seed));
}

#[test]
fn counters_are_exact_from_wherever_they_stand() {
    // Seven counters of a recycling filter, five of a static one, ten of a window, and those of a path.
    let filters = [
        emitted_design(&Sample::BASE.geometry()),
        emitted_design(&CellSample::STATIC.geometry()),
        emitted_design(&SlidingSample::BASE.geometry()),
    ];
    let filters = filters.map(|design| design.expect("samples can be printed").0);
    let designs = filters.map(|design| block_of(design, "event_counters"));
    let designs = designs.into_iter().chain([block("event_counters")]);
    let starts = [0, 0xffff_fff0, u64::MAX - 20, 0x1234_5678_ffff_ff13];
    for (design, start) in designs.cartesian_product(starts) {
        let mut design = design.clone();
        with_counts(&mut design, start);
        let read = bloomline_engine::Design::read(&design.sources, &design.top, Some("clock"));
        let read = read.unwrap_or_else(|error| panic!("{error}"));
        for seed in 0..20 {
            let mut sim = read.open(bloomline_engine::Initial::Random(seed));
            let mut outputs = vec![0; design.output_words()];
            for (clock, [inputs, expected, care]) in
                counted(&design, start, seed).clocks.iter().enumerate()
            {
                sim.step(inputs, &mut outputs).expect("runs");
                for (at, got) in outputs.iter().enumerate() {
                    assert_eq!(
                        got & care[at],
                        expected[at] & care[at],
                        "{}, from {start:#x}, seed {seed}, clock {clock}",
                        design.top
                    );
                }
            }
        }
    }
}

/// A block of a sliding window on cuckoo tables.
fn cuckoo_block(top: &str) -> Design {
    let (whole, _) =
        emitted_design(&CuckooSample::BASE.geometry()).expect("a sample can be printed");
    block_of(whole, top)
}

/// Bits of an input.
fn input_bits(design: &Design, name: &str) -> u32 {
    let port = design.inputs().find(|(port, _)| port.name == name);
    port.unwrap_or_else(|| panic!("{}: no input {name}", design.top))
        .0
        .width as u32
}

/// One clock of a block: inputs by their names, the others 0; outputs that matter by theirs.
fn named(design: &Design, played: &mut Played, inputs: &[(&str, u64)], outputs: &[(&str, u64)]) {
    let value = |given: &[(&str, u64)], name: &str| {
        let found = given.iter().find(|(given, _)| *given == name);
        found.map(|(_, value)| *value)
    };
    let given = design.inputs().flat_map(|(port, _)| {
        let first = value(inputs, &port.name).unwrap_or(0);
        std::iter::once(first).chain(std::iter::repeat_n(0, port.words() - 1))
    });
    let awaited = design
        .outputs()
        .flat_map(|(port, _)| std::iter::repeat_n(value(outputs, &port.name), port.words()));
    let (given, awaited): (Vec<u64>, Vec<Option<u64>>) = (given.collect(), awaited.collect());
    played.clock(&given, &awaited);
}

#[test]
fn every_fault_of_an_element_whose_phase_turns_as_it_is_taken_is_caught() {
    let design = cuckoo_block("kept_life");
    let [phases, generations] = ["phase", "generation"].map(|name| 1 << input_bits(&design, name));
    every_fault_is_caught(&design, |seed| {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut played = Played::default();
        // live, old: known from the first element on
        let mut kept: Option<(bool, bool)> = None;
        for _ in 0..2000 {
            let (phase, generation) = (
                rng.random_range(0..phases),
                rng.random_range(0..generations),
            );
            let mut near = |value: u64, most: u64, of: f64| match rng.random_bool(of) {
                true => value,
                false => rng.random_range(0..most),
            };
            let turns_phase = near(phase, phases, 0.5);
            let died = near(generation, generations, 0.4);
            let turned = rng.random_bool(0.5);
            let (fresh, given) = (kept.is_none() || rng.random_bool(0.3), rng.random_bool(0.3));
            let (given_live, given_old) = (rng.random_bool(0.5), rng.random_bool(0.5));
            // a turn counts in the clock that it comes with, but not for an element that is taken in that clock; it makes an element old that was dead before
            let turns = turned && turns_phase == phase;
            let now = kept.map(|(live, old)| {
                (
                    live && !(turns && died == generation),
                    old || (turns && !live),
                )
            });
            let mut outputs = Vec::new();
            if let (Some((live, old)), Some((_, was_old))) = (now, kept) {
                outputs = vec![
                    ("live", live.into()),
                    ("old", old.into()),
                    ("was_old", was_old.into()),
                ];
            }
            let inputs = [
                ("turns_turned", turned.into()),
                ("turns_phase", turns_phase),
                ("turns_died", died),
                ("phase", phase),
                ("generation", generation),
                ("fresh", fresh.into()),
                ("given", given.into()),
                ("given_live", given_live.into()),
                ("given_old", given_old.into()),
            ];
            named(&design, &mut played, &inputs, &outputs);
            kept = match (fresh, given) {
                (true, _) => Some((true, false)),
                (false, true) => Some((given_live, given_old)),
                (false, false) => now,
            };
        }
        played
    });
}

/// An element is handed over and its row is read at once; its phase, or that of the element which gives way, turns in each clock around the one in which the row is judged.
#[test]
fn every_fault_of_elements_whose_phase_turns_as_a_row_is_judged_is_caught() {
    /// Clocks from the one that hands the element over to the one that judges its row (R3), and to the one that ends the move (R4).
    const JUDGED: u64 = 5;
    const ENDS: u64 = 6;
    const ROW: u64 = 3;
    let design = cuckoo_block("row_agent");
    let phase_bits = input_bits(&design, "turns_phase");
    let generation_bits = input_bits(&design, "turns_died");
    let fingerprint_bits = input_bits(&design, "victim") - generation_bits;
    let row_bits = input_bits(&design, "hand_row");
    every_fault_is_caught(&design, |seed| {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut played = Played::default();
        named(&design, &mut played, &[("reset", 1)], &[]);
        for turns_at in (0..=ENDS).cycle().take(200) {
            let draw = |rng: &mut SmallRng, name: &str| {
                rng.random_range(0..1 << input_bits(&design, name))
            };
            let (value, generation) = (
                draw(&mut rng, "hand_value"),
                draw(&mut rng, "hand_generation"),
            );
            let phase_of = |value: u64| value & ((1 << phase_bits) - 1);
            let phase = phase_of(value);
            let full = rng.random_bool(0.5);
            let victim = rng.random_range(0..1 << fingerprint_bits);
            let victim_generation = rng.random_range(0..(1 << generation_bits) - 1);
            let victim_turns = rng.random_bool(0.5);
            // now and then another phase turns, or another generation grows old
            let (other_phase, other_generation) = (rng.random_bool(0.2), rng.random_bool(0.2));
            let turning = if victim_turns { victim } else { value };
            let turns_phase = phase_of(turning) ^ u64::from(other_phase);
            let aged = generation ^ u64::from(other_generation);
            let died = victim_generation ^ u64::from(other_generation);
            let grows_old = turns_phase == phase && !other_generation;
            let dies = turns_phase == phase_of(victim)
                && !other_generation
                && (JUDGED..=ENDS).contains(&turns_at);
            for clock in 0..=ENDS {
                let inputs = [
                    ("running", 1),
                    ("starting", 1),
                    ("first", u64::from(clock == ENDS)),
                    ("hand", u64::from(clock == 0)),
                    ("hand_row", ROW),
                    ("hand_entry", 1),
                    ("hand_value", value),
                    ("hand_generation", generation),
                    ("dead", u64::from(!full)),
                    ("victim", victim << generation_bits | victim_generation),
                    ("turns_turned", u64::from(clock == turns_at)),
                    ("turns_phase", turns_phase),
                    ("turns_aged", aged),
                    ("turns_died", died),
                    // the stash says so of an entry that was old in the clock before
                    ("disturbed", u64::from(grows_old && clock > turns_at)),
                ];
                let moved = u64::from(clock == ENDS && !(grows_old && turns_at <= JUDGED));
                let mut outputs = vec![
                    ("ends", u64::from(clock == ENDS)),
                    ("writes", moved),
                    ("placed", moved & u64::from(!full)),
                    ("succeeds", moved),
                ];
                if moved == 1 && full {
                    outputs.extend([
                        ("victim_identity", victim << row_bits | ROW),
                        ("victim_generation", victim_generation),
                        ("victim_live", u64::from(!dies)),
                    ]);
                }
                named(&design, &mut played, &inputs, &outputs);
            }
        }
        played
    });
}
