//! Clocks a second of the built-in engines on an emitted filter, by the processor time of this process:
//! `cargo run --release -p bloomline-engine --example engine_speed -- tests/golden/onehit.v [CLOCKS]`.
//!
//! The items are random keys, one a clock while the filter takes them (test-and-insert); a design without an item stream gets
//! random inputs. Each row is the median of five rounds.

use bloomline_engine::{Design, EngineError, Initial, LaneCount};
use cpu_time::ProcessTime;
use std::error::Error;

const ROUNDS: usize = 5;

/// Random keys as inputs of a filter, or random inputs.
struct Stimulus {
    inputs: Vec<u64>,
    key: Option<(usize, usize)>,
    ready: Option<usize>,
    state: u64,
}

impl Stimulus {
    fn new(design: &Design) -> Self {
        let mut inputs = vec![0; design.input_words()];
        for (name, value) in [
            ("s_item_tvalid", 1),
            ("s_item_tuser", 2),
            ("m_verdict_tready", 1),
        ] {
            if let Some(word) = design.word_of(name) {
                inputs[word] = value;
            }
        }
        let key = design.ports().iter().find(|p| p.name == "s_item_tdata");
        let key = key.and_then(|p| Some((design.word_of(&p.name)?, p.words())));
        Self {
            inputs,
            key,
            ready: design.word_of("s_item_tready"),
            state: 1,
        }
    }

    fn next(&mut self, outputs: &[u64]) {
        if self.ready.is_some_and(|word| outputs[word] == 0) {
            return;
        }
        let (from, words) = self.key.unwrap_or((0, self.inputs.len()));
        for word in &mut self.inputs[from..from + words] {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            *word = self.state;
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: speed FILE.v [CLOCKS]")?;
    let clocks: u64 = arguments.next().map_or(Ok(200_000), |n| n.parse())?;
    let text = std::fs::read_to_string(&file)?;
    let top = text
        .lines()
        .filter_map(|line| line.strip_prefix("module "))
        .filter_map(|line| line.split_whitespace().next())
        .next_back()
        .ok_or("no module")?
        .to_string();
    let sources = [(file, text)];
    let start = ProcessTime::now();
    let design = Design::read(&sources, &top, Some("clock"))?;
    println!(
        "read and flattened in {:.1} ms",
        1e3 * start.elapsed().as_secs_f64()
    );
    let start = ProcessTime::now();
    drop(design.open(Initial::Zeros));
    println!(
        "one lane: compiled in {:.1} ms",
        1e3 * start.elapsed().as_secs_f64()
    );
    let mut rounds = vec![];
    for _ in 0..ROUNDS {
        let mut sim = design.open(Initial::Zeros);
        let mut stimulus = Stimulus::new(&design);
        let mut outputs = vec![0; sim.output_words()];
        let start = ProcessTime::now();
        for _ in 0..clocks {
            sim.step(&stimulus.inputs, &mut outputs)?;
            stimulus.next(&outputs);
        }
        rounds.push(clocks as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    println!("one lane: {:.3} million clocks/s", median(rounds));
    let start = ProcessTime::now();
    if let Err(error) = design.open_lanes(LaneCount::L64, Initial::Zeros) {
        println!("{error}");
        return Ok(());
    }
    println!(
        "lanes: compiled in {:.1} ms",
        1e3 * start.elapsed().as_secs_f64()
    );
    for count in [
        LaneCount::L64,
        LaneCount::L128,
        LaneCount::L256,
        LaneCount::L512,
    ] {
        let rounds: Result<Vec<f64>, EngineError> = (0..ROUNDS)
            .map(|_| in_lanes(&design, count, (8 * clocks / count.lanes() as u64).max(100)))
            .collect();
        println!(
            "{} lanes: {:.3} million lane-clocks/s",
            count.lanes(),
            median(rounds?)
        );
    }
    Ok(())
}

/// Million lane-clocks a second; each lane has random keys of its own.
fn in_lanes(design: &Design, count: LaneCount, clocks: u64) -> Result<f64, EngineError> {
    let mut lanes = design.open_lanes(count, Initial::Zeros)?;
    let stimulus = Stimulus::new(design);
    for (word, value) in stimulus.inputs.iter().enumerate() {
        lanes.set_input_everywhere(word, *value)?;
    }
    let words = count.lanes() / 64;
    let (from, _) = stimulus.key.unwrap_or((0, 0));
    let ports = design.ports().iter().filter(|p| p.input);
    let widths: usize = match stimulus.key {
        Some(_) => ports
            .filter(|p| p.name == "s_item_tdata")
            .map(|p| p.width)
            .sum(),
        None => 0,
    };
    let mut key = vec![vec![0; words]; widths];
    let mut state = [1u64, 2, 3, 4, 5, 6, 7, 8].map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let start = ProcessTime::now();
    for _ in 0..clocks {
        let ready = match stimulus.ready {
            Some(word) => lanes.output_bit(word, 0)?.to_vec(),
            None => vec![u64::MAX; words],
        };
        for (bit, plane) in key.iter_mut().enumerate() {
            for ((plane, state), ready) in plane.iter_mut().zip(&mut state).zip(&ready) {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                // A key that has not been taken stays.
                *plane = (*plane & !ready) | (*state & ready);
            }
            lanes.set_input_bit(from + bit / 64, bit % 64, plane)?;
        }
        lanes.clock();
    }
    let lane_clocks = clocks * count.lanes() as u64;
    Ok(lane_clocks as f64 / start.elapsed().as_secs_f64() / 1e6)
}
