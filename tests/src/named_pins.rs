//! Emitted Verilog in the built-in simulator, its ports reached by their names.

use bloomline_engine::{Design, Initial, Sim};
use bloomline_language::emit::{verilog, Options};
use rust_hdl::prelude::Block;

/// A module of emitted Verilog in the built-in simulator.
///
/// Inputs keep what was last set, at first 0. [`NamedPins::get`] gives the outputs of the last clock cycle, settled, before its edge.
pub struct NamedPins {
    sim: Sim,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl NamedPins {
    /// The module `top` of a text, with the input `clock`, at power-up with zeros where the text does not say.
    ///
    /// # Panics
    /// When the built-in simulator refuses the text.
    pub fn of_text(text: String, top: &str) -> Self {
        let sources = [(format!("{top}.v"), text)];
        let design = Design::read(&sources, top, Some("clock"))
            .unwrap_or_else(|error| panic!("{top}: {error}"));
        Self {
            inputs: vec![0; design.input_words()],
            outputs: vec![0; design.output_words()],
            sim: design.open(Initial::Zeros),
        }
    }

    /// A block by itself, emitted as the module `top`.
    ///
    /// # Panics
    /// When it cannot be emitted.
    pub fn of_block(mut block: impl Block, top: &str) -> Self {
        block.connect_all();
        let emitted = verilog(&block, top, &Options::default());
        Self::of_text(emitted.unwrap_or_else(|e| panic!("{top}: {e}")).text(), top)
    }

    fn place(&self, port: &str, input: bool) -> (usize, usize) {
        let design = self.sim.design();
        let found = design.ports().iter().find(|p| p.name == port);
        let width = found.filter(|p| p.input == input).map(|p| p.width);
        let width = width.unwrap_or_else(|| panic!("{}: no port {port}", design.top()));
        let first = design.word_of(port).expect("is a port");
        (first, width)
    }

    /// Sets an input, which keeps the value until it is set again.
    ///
    /// # Panics
    /// When there is no such input, or the value is wider.
    pub fn set(&mut self, port: &str, value: impl Into<u64>) {
        self.set_words(port, &[value.into()]);
    }

    /// Sets an input of any width from words of 64 bits, the lowest first; bits that no word gives are 0.
    ///
    /// # Panics
    /// As [`NamedPins::set`].
    pub fn set_words(&mut self, port: &str, words: &[u64]) {
        let (first, width) = self.place(port, true);
        for bit in width..64 * words.len() {
            assert_eq!(words[bit / 64] >> (bit % 64) & 1, 0, "{port}: wider value");
        }
        for (i, word) in self.inputs[first..first + width.div_ceil(64)]
            .iter_mut()
            .enumerate()
        {
            *word = words.get(i).copied().unwrap_or(0);
        }
    }

    /// Runs one clock cycle.
    pub fn clock(&mut self) {
        let stepped = self.sim.step(&self.inputs, &mut self.outputs);
        stepped.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Clock cycles run so far.
    pub fn cycles(&self) -> u64 {
        self.sim.cycle()
    }

    /// An output of at most 64 bits in the last clock cycle.
    ///
    /// # Panics
    /// When there is no such output.
    pub fn get(&self, port: &str) -> u64 {
        let (first, width) = self.place(port, false);
        assert!(width <= 64, "{port} has {width} bits");
        self.outputs[first]
    }

    /// An output of one bit in the last clock cycle.
    ///
    /// # Panics
    /// As [`NamedPins::get`].
    pub fn is_high(&self, port: &str) -> bool {
        self.get(port) != 0
    }

    /// An output in the last clock cycle, the lowest word first.
    ///
    /// # Panics
    /// As [`NamedPins::get`].
    pub fn words(&self, port: &str) -> &[u64] {
        let (first, width) = self.place(port, false);
        &self.outputs[first..first + width.div_ceil(64)]
    }
}
