//! Clocks a second and start-up time of every simulator on the filter `onehit`, in one run:
//! `cargo bench -p bloomline-verify --features benches,jit --bench engines`.
//!
//! | row | what runs |
//! |---|---|
//! | plain C++ | a hand-written loop around Verilator's model ([`plain.cpp`](lockstep/plain.cpp)) |
//! | built-in | the built-in simulator, one lane |
//! | jit | the same as machine code; needs feature `jit` |
//! | N lanes | as many independent runs at once; each takes random keys of its own |
//! | 256 lanes, N threads | a group of lanes on each core |
//!
//! Every row test-and-inserts a random key in every clock and checks nothing. Speed is by the processor time of the process, for threads by the
//! clock on the wall. Rows take turns; the median of the rounds counts.

#[path = "lockstep/rivals.rs"]
#[allow(dead_code)]
mod rivals;

use bloomline_bench::filter::emitted_design;
use bloomline_bench::verilator::{BuildOptions, Optimisation};
use bloomline_engine::{Design, EngineError, Groups, Initial, LaneCount, Lanes, Sim};
use bloomline_spec::{FilterSpec, RecyclingGeometry, EXAMPLES};
use bloomline_toolchain::{Program, Toolchain};
use cpu_time::ProcessTime;
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const ROUNDS: usize = 7;
const ITEMS: u64 = 200_000;
const LANE_CLOCKS: u64 = 1_500_000;
const KEY_BITS: usize = 104;
const COUNTS: [LaneCount; 4] = [
    LaneCount::L64,
    LaneCount::L128,
    LaneCount::L256,
    LaneCount::L512,
];

/// A row of the table.
struct Row {
    name: String,
    /// How long it takes from the emitted text to the first clock, in milliseconds.
    start_up: f64,
    /// Million clocks a second in each round.
    rounds: Vec<f64>,
}

impl Row {
    fn new(name: impl Into<String>, start_up: f64) -> Self {
        let (name, rounds) = (name.into(), vec![]);
        Self {
            name,
            start_up,
            rounds,
        }
    }

    fn take(&mut self, clocks: u64, seconds: f64) {
        self.rounds.push(clocks as f64 / seconds / 1e6);
    }

    fn median(&self) -> f64 {
        let mut rounds = self.rounds.clone();
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    }
}

/// Random bits: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Words of the input buffer.
struct Inputs {
    constant: Vec<(usize, u64)>,
    key: usize,
    ready: usize,
}

impl Inputs {
    fn of(design: &Design) -> Result<Self, String> {
        let word = |name: &str| design.word_of(name).ok_or(format!("no port {name}"));
        Ok(Self {
            constant: vec![
                (word("s_item_tvalid")?, 1),
                (word("s_item_tuser")?, 2),
                (word("m_verdict_tready")?, 1),
            ],
            key: word("s_item_tdata")?,
            ready: word("s_item_tready")?,
        })
    }
}

fn one_lane(sim: &mut Sim, keys: &[u64]) -> Result<f64, Box<dyn Error>> {
    let at = Inputs::of(sim.design())?;
    let mut inputs = vec![0; sim.input_words()];
    let mut outputs = vec![0; sim.output_words()];
    at.constant
        .iter()
        .for_each(|(word, value)| inputs[*word] = *value);
    let start = ProcessTime::now();
    let mut keys = keys.chunks(2);
    let mut key = keys.next();
    while let Some(words) = key {
        inputs[at.key..at.key + 2].copy_from_slice(words);
        sim.step(&inputs, &mut outputs)?;
        if outputs[at.ready] != 0 {
            key = keys.next();
        }
    }
    Ok(start.elapsed().as_secs_f64())
}

fn many_lanes(lanes: &mut Lanes, clocks: u64, seed: u64) -> Result<(), EngineError> {
    let at = match Inputs::of(lanes.design()) {
        Ok(at) => at,
        Err(port) => unreachable!("{port}: the example is a filter"),
    };
    for (word, value) in &at.constant {
        lanes.set_input_everywhere(*word, *value)?;
    }
    let words = lanes.lanes() / 64;
    let mut key = vec![vec![0; words]; KEY_BITS];
    let mut random: Vec<Random> = (0..words as u64)
        .map(|w| Random(seed << 8 | (w + 1)))
        .collect();
    for _ in 0..clocks {
        let ready = lanes.output_bit(at.ready, 0)?.to_vec();
        for (bit, plane) in key.iter_mut().enumerate() {
            for ((plane, random), ready) in plane.iter_mut().zip(&mut random).zip(&ready) {
                // A key that has not been taken stays.
                *plane = (*plane & !ready) | (random.next() & ready);
            }
            lanes.set_input_bit(at.key + bit / 64, bit % 64, plane)?;
        }
        lanes.clock();
    }
    Ok(())
}

fn milliseconds(start: Instant) -> f64 {
    1e3 * start.elapsed().as_secs_f64()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (file, text) = EXAMPLES[0];
    let sizing = FilterSpec::from_toml(text, Path::new(file))?.validate()?;
    // The speed does not depend on the threshold.
    let geometry: RecyclingGeometry = sizing.with_threshold(19_694)?;
    let toolchain = Toolchain::discover()?;
    toolchain.find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))?;
    let (emitted, _) = emitted_design(&geometry)?;
    let options = BuildOptions {
        optimisation: Optimisation::Full,
        ..BuildOptions::default()
    };
    let folder = tempfile::tempdir()?;
    let start = Instant::now();
    let plain = rivals::build_plain(&toolchain, &emitted, &options, folder.path())?;
    let mut rows = vec![Row::new("plain C++", milliseconds(start))];
    let mut random = Random(1);
    let keys: Vec<u64> = (0..2 * ITEMS).map(|_| random.next()).collect();
    let key_file = folder.path().join("keys");
    let bytes: Vec<u8> = keys.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(&key_file, bytes)?;

    let start = Instant::now();
    let read = || Design::read(&emitted.sources, &emitted.top, emitted.clock.as_deref());
    let design = read()?;
    let reading = milliseconds(start);
    let start = Instant::now();
    let built_in = design.open(Initial::Zeros);
    let compiling = reading + milliseconds(start);
    rows.push(Row::new("built-in", compiling));
    let start = Instant::now();
    let jit = design.open_jit(Initial::Zeros);
    match &jit {
        Ok(_) => rows.push(Row::new("jit", compiling + milliseconds(start))),
        Err(error) => eprintln!("{error}"),
    }
    for count in COUNTS {
        let start = Instant::now();
        design.open_lanes(count, Initial::Zeros)?;
        let name = format!("{} lanes", count.lanes());
        rows.push(Row::new(name, reading + milliseconds(start)));
    }
    let threads = std::thread::available_parallelism()?.get();
    rows.push(Row::new(format!("256 lanes, {threads} threads"), f64::NAN));

    for _ in 0..ROUNDS {
        let mut row = rows.iter_mut();
        let mut take = |clocks, seconds| {
            if let Some(row) = row.next() {
                row.take(clocks, seconds);
            }
        };
        let output = Command::new(&plain)
            .arg(&key_file)
            .args([ITEMS.to_string(), "cpu".to_string()])
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let seconds = text.split_whitespace().nth(1).ok_or("no time")?;
        take(ITEMS, seconds.parse()?);
        let one_lane_engines = std::iter::once(&built_in).chain(jit.as_ref().ok());
        for sim in one_lane_engines {
            take(ITEMS, one_lane(&mut sim.clone(), &keys)?);
        }
        for count in COUNTS {
            let mut lanes = design.open_lanes(count, Initial::Zeros)?;
            let clocks = LANE_CLOCKS / count.lanes() as u64;
            let start = ProcessTime::now();
            many_lanes(&mut lanes, clocks, 1)?;
            let seconds = start.elapsed().as_secs_f64();
            take(clocks * count.lanes() as u64, seconds);
        }
        let groups = Groups {
            count: threads,
            lanes: LaneCount::L256,
            initial: Initial::Zeros,
            threads: None,
        };
        let clocks = LANE_CLOCKS / 256;
        let start = Instant::now();
        design.run_groups(&groups, |group, mut lanes| {
            many_lanes(&mut lanes, clocks, 1 + group as u64)
        })?;
        let seconds = start.elapsed().as_secs_f64();
        take(clocks * 256 * threads as u64, seconds);
    }

    println!("\n`cargo bench -p bloomline-verify --features benches,jit --bench engines`, median of {ROUNDS} rounds\n");
    println!("| {} | million clocks (of all lanes) a second | of plain C++ | start-up, ms |\n|---|---|---|---|", emitted.top);
    let plain = rows[0].median();
    for row in &rows {
        let start_up = match row.start_up.is_nan() {
            true => "as above".to_string(),
            false => format!("{:.0}", row.start_up),
        };
        let speed = row.median();
        println!(
            "| {} | {speed:.2} | {:.2} | {start_up} |",
            row.name,
            speed / plain
        );
    }
    Ok(())
}
