//! Tests of clock-domain crossings at any ratio and phase: words of the FIFO, events, resets.
//!
//! A place that crosses may change in the instant in which it is taken: then the other side sees, bit by bit, what it was or what it is. The
//! designs here do that whenever a place had a clock since it was last taken: before its synchroniser stands a choice at random, for each
//! bit, between the place and what it was a clock before.

use bloomline_bench::lockstep::{Running, Simulation};
use bloomline_bench::rgmii::Clocks;
use bloomline_bench::verilator::{Design, Initial, Port};
use bloomline_hdl::mac::mac_loop_verilog;
use bloomline_spec::mac::MAC_FIFO_WORDS;
use bloomline_tests::{in_verilator, runs};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Bits of a word.
const WORD_BITS: usize = 10;
/// Bits of a place.
const PLACE_BITS: usize = 5;
/// Outputs of a FIFO: full, valid, data, and its places as they cross.
const OUTPUTS: usize = 4;
/// 125 MHz in femtoseconds.
const PERIOD: u64 = 8_000_000;

/// Ratios of the clocks, as periods: both directions of 200 ppm, equal, near, and wild.
const PERIODS: [[u64; 2]; 10] = [
    [PERIOD, PERIOD],
    [PERIOD, PERIOD + PERIOD / 5000],
    [PERIOD + PERIOD / 5000, PERIOD],
    [PERIOD, PERIOD * 101 / 100],
    [PERIOD * 101 / 100, PERIOD],
    [PERIOD, 3 * PERIOD],
    [3 * PERIOD, PERIOD],
    [PERIOD, PERIOD * 1377 / 1000],
    [PERIOD * 1931 / 1000, PERIOD],
    [PERIOD, PERIOD * 2011 / 1000],
];

/// Edits of `async_fifo`, each a fault: what it breaks, and texts with what takes their place.
const FAULTS: &[(&str, &[[&str; 2]])] = &[
    (
        "the write place crosses as a binary number",
        &[
            [
                "write_gray_next = write_after ^ (write_after >> 1);",
                "write_gray_next = write_after;",
            ],
            [
                "assign valid = read_gray != write_seen_q;",
                "assign valid = read_place != write_seen_q;",
            ],
            [
                "assign full = write_gray == (read_seen_q ^ lap);",
                "assign full = (write_gray ^ (write_gray >> 1)) == (read_seen_q ^ lap);",
            ],
        ],
    ),
    (
        "the Gray code lacks a bit",
        &[[
            "read_gray_next = read_after ^ (read_after >> 1);",
            "read_gray_next = read_after ^ {2'd0, read_after[3:1]};",
        ]],
    ),
    ("full is another place", &[["lap = 5'd24;", "lap = 5'd25;"]]),
    (
        "a full FIFO takes a word",
        &[[
            "assign storing = write && !full;",
            "assign storing = write;",
        ]],
    ),
    (
        "an empty FIFO gives a word",
        &[["assign taking = valid && ready;", "assign taking = ready;"]],
    ),
    (
        "what was read gives no place back",
        &[[
            "assign full = write_gray == (read_seen_q ^ lap);",
            "assign full = write_gray == (5'd0 ^ lap);",
        ]],
    ),
];

/// The module `async_fifo` alone, as `name` and with these edits.
fn twin(text: &str, edits: &[[&str; 2]], name: &str) -> String {
    let (_, rest) = text.split_once("module async_fifo (").expect("is there");
    let (body, _) = rest.split_once("\nendmodule\n").expect("it ends");
    let mut body = body.to_owned();
    for [from, to] in edits {
        assert_eq!(body.matches(from).count(), 1, "{from}");
        body = body.replace(from, to);
    }
    format!("\nmodule {name} ({body}\nendmodule\n")
}

/// In place of a place that crosses: it or what it was, bit by bit.
fn unsure(text: &str, module: &str, place: &str, own_clock: &str, other_clock: &str) -> String {
    let head = format!("module {module} (");
    let at = text.find(&head).expect("the module is there");
    let end = at + text[at..].find("\nendmodule").expect("it ends");
    let body = &text[at..end];
    let pin = format!("({place})\n");
    let pin = body
        .lines()
        .map(|line| format!("{}\n", line.trim_end_matches(',')))
        .find(|line| line.trim_start().starts_with(".d ") && line.ends_with(&pin))
        .expect("the place goes to a synchroniser");
    let pin = pin.trim_end();
    let unsure_pin = pin.replace(&format!("({place})"), &format!("({place}_unsure)"));
    let width = if module == "async_fifo" { 5 } else { 4 };
    let top = width - 1;
    let declared = format!(");\n  wire [{top}:0] {place}_unsure;\n");
    let choice = format!(
        "\n  reg [{top}:0] {place}_before, {place}_chance;\n  reg [2:0] {place}_ticks, {place}_taken;\n  \
         assign {place}_unsure = {place}_ticks == {place}_taken ? {place} : ({place} & {place}_chance) | ({place}_before & ~{place}_chance);\n  \
         always @(posedge {own_clock}) begin\n    {place}_before <= {place};\n    {place}_ticks <= {place}_ticks + 3'd1;\n  end\n  \
         always @(posedge {other_clock}) begin\n    {place}_chance <= {width}'($urandom);\n    {place}_taken <= {place}_ticks;\n  end"
    );
    let body = body.replacen(pin, &unsure_pin, 1);
    let body = body.replacen(");\n", &declared, 1);
    format!("{}{body}{choice}{}", &text[..at], &text[end..])
}

/// The emitted text, with every place that crosses unsure.
fn emitted() -> String {
    let text = mac_loop_verilog("").expect("can be printed").text();
    let text = unsure(
        &text,
        "async_fifo",
        "write_gray",
        "write_clock",
        "read_clock",
    );
    let text = unsure(
        &text,
        "async_fifo",
        "read_gray",
        "read_clock",
        "write_clock",
    );
    unsure(&text, "mac_counter", "gray", "event_clock", "clock")
}

/// The FIFO, its faulty twins with the same inputs, a counter, and two resets in a row.
fn design(faults: &[(&str, &[[&str; 2]])]) -> Design {
    let mut text = emitted();
    let sound = text.clone();
    let top = WORD_BITS - 1;
    let mut ports: Vec<Port> = [
        ("write_clock", 1),
        ("read_clock", 1),
        ("hold", 1),
        ("write", 1),
        ("write_data", WORD_BITS),
        ("ready", 1),
        ("event_", 1),
    ]
    .map(|(name, width)| Port::input(name, width))
    .into();
    let mut body = String::from(
        "  reset_crossing write_side (.clock(write_clock), .hold(hold), .early(), .reset(write_reset), .holding(holding));\n  \
         reset_crossing read_side (.clock(read_clock), .hold(hold || holding), .early(), .reset(read_reset), .holding());\n  \
         mac_counter counter (.event_clock(write_clock), .event_reset(write_reset), .event_(event_), .clock(read_clock), .reset(read_reset), .count(count));\n",
    );
    let mut outputs = String::new();
    for i in 0..=faults.len() {
        let module = match i {
            0 => "async_fifo".to_owned(),
            _ => format!("fifo_{i}"),
        };
        if let Some((_, edits)) = i.checked_sub(1).map(|i| &faults[i]) {
            text += &twin(&sound, edits, &module);
        }
        body += &format!(
            "  {module} i{i} (.write_clock(write_clock), .write_reset(write_reset), .write(write), .write_data(write_data), .full(full_{i}),\n    \
             .read_clock(read_clock), .read_reset(read_reset), .valid(valid_{i}), .ready(ready), .read_data(data_{i}));\n  \
             assign places_{i} = {{i{i}.read_gray, i{i}.write_gray}};\n"
        );
        outputs += &format!(
            ", output wire full_{i}, output wire valid_{i}, output wire [{top}:0] data_{i}, output wire [{}:0] places_{i}",
            2 * PLACE_BITS - 1
        );
        ports.push(Port::output(format!("full_{i}"), 1));
        ports.push(Port::output(format!("valid_{i}"), 1));
        ports.push(Port::output(format!("data_{i}"), WORD_BITS));
        ports.push(Port::output(format!("places_{i}"), 2 * PLACE_BITS));
    }
    for (name, width) in [("write_reset", 1), ("read_reset", 1), ("count", 64)] {
        ports.push(Port::output(name, width));
    }
    let wrapper = format!(
        "module crossings (input wire write_clock, input wire read_clock, input wire hold, input wire write, input wire [{top}:0] write_data, input wire ready, \
         input wire event_{outputs}, output wire write_reset, output wire read_reset, output wire [63:0] count);\n  wire holding;\n{body}endmodule\n"
    );
    Design {
        top: "crossings".into(),
        clock: None,
        sources: vec![("crossings.sv".into(), text + &wrapper)],
        ports,
    }
}

/// What a FIFO ought to hold, and what it did wrong first.
#[derive(Debug, Default)]
struct Expected {
    words: VecDeque<u64>,
    moved: u64,
    was_full: u64,
    was_empty: u64,
    wrong: Option<String>,
}

impl Expected {
    fn wrong(&mut self, what: String) {
        self.wrong.get_or_insert(what);
    }
}

/// Clocks of a side after which it sees what has not changed since.
const SEEN_AFTER: u32 = 3;

/// Runs so many edges of the first clock; what became of each FIFO.
fn run(
    simulation: &Simulation,
    twins: usize,
    periods: [u64; 2],
    seed: u64,
    edges: u64,
) -> Vec<Expected> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut clocks = Clocks::new(periods, [0, rng.random_range(0..2 * PERIOD)]);
    let mut sim = simulation.open(Initial::Random(seed)).expect("opens");
    let mut inputs = vec![0; sim.input_words()];
    let mut outputs = vec![0; sim.output_words()];
    let tail = outputs.len() - 3;
    let mut fifos: Vec<Expected> = (0..twins).map(|_| Expected::default()).collect();
    let (mut write_chance, mut ready_chance, mut event_chance) = (1.0, 1.0, 0.5);
    let (mut events, mut ticks) = (0_u64, 0_u64);
    // clocks of each side since the other did anything, and since a reset held it
    let mut quiet = [None; 2];
    let mut free = [0_u32; 2];
    inputs[2] = 1;
    sim.step(&inputs, &mut outputs).expect("runs");
    while ticks < edges {
        let before = clocks.levels();
        let edge = clocks.advance();
        let rises = [0, 1].map(|i| edge[i] && !before[i]);
        let reset = [outputs[tail] != 0, outputs[tail + 1] != 0];
        let (write, word, ready) = (inputs[3] != 0, inputs[4], inputs[5] != 0);
        if rises[0] {
            ticks += 1;
            free[0] = if reset[0] { 0 } else { free[0] + 1 };
            events += u64::from(inputs[6] != 0 && !reset[0]);
        }
        if rises[1] {
            free[1] = if reset[1] { 0 } else { free[1] + 1 };
        }
        let mut acted = [false; 2];
        for (i, fifo) in fifos.iter_mut().enumerate() {
            let [full, valid, data] = [0, 1, 2].map(|place| outputs[OUTPUTS * i + place]);
            let (full, valid) = (full != 0, valid != 0);
            let held = fifo.words.len();
            if rises[0] && free[0] > 0 {
                fifo.was_full += u64::from(full);
                if quiet[0] >= Some(SEEN_AFTER) && full != (held == MAC_FIFO_WORDS) {
                    fifo.wrong(format!("full is {full} with {held} words"));
                }
            }
            if rises[1] && free[1] > 0 {
                fifo.was_empty += u64::from(!valid);
                if quiet[1] >= Some(SEEN_AFTER) && valid != (held > 0) {
                    fifo.wrong(format!("valid is {valid} with {held} words"));
                }
            }
            if rises[1] && free[1] > 0 && valid && ready {
                match fifo.words.pop_front() {
                    Some(expected) if expected == data => fifo.moved += 1,
                    expected => fifo.wrong(format!("{data:#x} in place of {expected:?}")),
                }
                acted[1] = true;
            }
            if rises[0] && free[0] > 0 && write && !full {
                if held == MAC_FIFO_WORDS {
                    fifo.wrong("a word beyond the last place".into());
                }
                fifo.words.push_back(word);
                acted[0] = true;
            }
        }
        for side in [0, 1] {
            // what a side did is sure to be seen once its own clock has ticked again
            quiet[side] = match quiet[side] {
                _ if acted[1 - side] => None,
                None => rises[1 - side].then_some(0),
                Some(clocks) => Some(clocks + u32::from(rises[side])),
            };
        }
        // edges first, with the inputs that stood before them; then the inputs of the next clock
        for side in [0, 1] {
            inputs[side] = clocks.levels()[side].into();
        }
        let places = |outputs: &[u64]| -> Vec<u64> {
            let places = outputs[..tail].chunks(OUTPUTS);
            places.map(|fifo| fifo[OUTPUTS - 1]).collect()
        };
        let crossing = places(&outputs);
        sim.step(&inputs, &mut outputs).expect("runs");
        for ((fifo, before), after) in fifos.iter_mut().zip(crossing).zip(places(&outputs)) {
            let changed = before ^ after;
            let one_each = [changed >> PLACE_BITS, changed % (1 << PLACE_BITS)];
            if reset == [false; 2] && one_each.iter().any(|bits| bits.count_ones() > 1) {
                fifo.wrong(format!("a place crosses in two bits at once: {changed:#b}"));
            }
        }
        if rises[0] && ticks.is_multiple_of(300) {
            let chances = [0.0, 0.05, 0.5, 0.95, 1.0];
            write_chance = chances[rng.random_range(0..5)];
            ready_chance = chances[rng.random_range(0..5)];
            event_chance = [0.01, 0.5][rng.random_range(0..2)];
        }
        if rises[0] {
            inputs[3] = rng.random_bool(write_chance).into();
            inputs[4] = rng.random_range(0..1 << WORD_BITS);
            inputs[6] = (rng.random_bool(event_chance) && ticks + 200 < edges).into();
        }
        if rises[1] {
            inputs[5] = rng.random_bool(ready_chance).into();
        }
        // a reset without a clock at the start, and again in the middle
        let hold = ticks < 3 || (edges / 2..edges / 2 + 2).contains(&ticks);
        if inputs[2] == 0 && hold {
            fifos.iter_mut().for_each(|fifo| fifo.words.clear());
            (events, quiet, free) = (0, [None; 2], [0; 2]);
        }
        inputs[2] = hold.into();
        sim.step(&inputs, &mut outputs).expect("runs");
    }
    assert_eq!(
        outputs[tail + 2],
        events,
        "events, {periods:?}, seed {seed}"
    );
    fifos
}

#[test]
fn no_word_and_no_event_is_lost_doubled_or_out_of_order_and_every_fault_is_caught() {
    let simulation = in_verilator(&design(FAULTS));
    let mut caught = vec![None; FAULTS.len()];
    for seed in 0..runs(1, 5) {
        for periods in PERIODS {
            let fifos = run(&simulation, FAULTS.len() + 1, periods, seed, 12_000);
            let sound = &fifos[0];
            assert_eq!(sound.wrong, None, "{periods:?}, seed {seed}");
            assert!(
                sound.moved > 500 && sound.was_full > 100 && sound.was_empty > 100,
                "{periods:?}, seed {seed}: {sound:?}"
            );
            for (fifo, caught) in fifos[1..].iter().zip(&mut caught) {
                *caught = caught.take().or(fifo.wrong.clone());
            }
        }
    }
    for ((name, _), caught) in FAULTS.iter().zip(&caught) {
        println!("{name}: {caught:?}");
        assert!(caught.is_some(), "not caught: {name}");
    }
}

#[test]
fn a_reset_comes_without_a_clock_and_goes_with_the_fourth_edge_the_reader_last() {
    let simulation = in_verilator(&design(&[]));
    let mut sim = simulation.open(Initial::Random(1)).expect("opens");
    let mut inputs = vec![0; sim.input_words()];
    let mut outputs = vec![0; sim.output_words()];
    let tail = outputs.len() - 3;
    let mut resets = |sim: &mut Running, inputs: &[u64]| {
        sim.step(inputs, &mut outputs).expect("runs");
        [outputs[tail] != 0, outputs[tail + 1] != 0]
    };
    let mut edge = |sim: &mut _, inputs: &mut Vec<u64>, side: usize| {
        inputs[side] = 1;
        let after = resets(sim, inputs);
        inputs[side] = 0;
        resets(sim, inputs);
        after
    };
    for _ in 0..3 {
        inputs[2] = 1;
        // no clock runs: a step of the other inputs alone
        let mut held = inputs.clone();
        assert_eq!(edge(&mut sim, &mut held, 1), [true, true]);
        inputs[2] = 0;
        for _ in 0..20 {
            assert_eq!(edge(&mut sim, &mut inputs, 1), [true, true]);
        }
        for i in 1..=5 {
            assert_eq!(edge(&mut sim, &mut inputs, 0), [i < 4, true]);
        }
        for i in 1..=4 {
            assert_eq!(edge(&mut sim, &mut inputs, 1), [false, i < 4]);
        }
    }
}
