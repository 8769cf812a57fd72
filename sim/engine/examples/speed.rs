//! Clocks a second of the built-in engines on an emitted filter, by the processor time of this process:
//! `cargo run --release -p bloomline-engine --example speed -- tests/golden/onehit.v [CLOCKS]`.
//!
//! The items are random keys, one a clock while the filter takes them (test-and-insert); a design without an item stream gets
//! random inputs. Each row is the median of five rounds.

use bloomline_engine::{Design, Initial};
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
    Ok(())
}
