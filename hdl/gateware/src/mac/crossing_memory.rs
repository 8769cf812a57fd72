//! Dual-clock memory of a FIFO.

use crate::prelude::*;

/// Simple dual-port memory whose writes have a clock of their own and whose reads have none: distributed RAM.
///
/// The words of a FIFO: what is read was written at least two clocks of the reader ago.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct CrossingMemory {
    about: About,
    pub write_clock: Signal<In, Clock>,
    pub write_enable: Wire<In>,
    pub write_address: Bus<In>,
    pub write_data: Bus<In>,
    pub read_address: Bus<In>,
    pub read_data: Bus<Out>,
    words: Vec<u128>,
    width: usize,
}

impl CrossingMemory {
    /// `depth` words (a power of two) of `width` bits, 2 at least.
    pub fn new(depth: usize, width: usize) -> Self {
        let address = clog2(depth);
        Self {
            about: About::new(
                "crossing_memory",
                format!("{depth} words of {width} bits in distributed RAM; reads without a clock."),
            ),
            write_clock: Default::default(),
            write_enable: Wire::default().doc("write this clock"),
            write_address: Bus::new(address).doc("word to write"),
            write_data: Bus::new(width).doc("its value"),
            read_address: Bus::new(address).doc("word to read"),
            read_data: Bus::new(width).doc("its value"),
            words: vec![0; depth],
            width,
        }
    }
}

impl Logic for CrossingMemory {
    fn update(&mut self) {
        if self.write_clock.pos_edge() && self.write_enable.val() {
            self.words[self.write_address.val().get() as usize] = self.write_data.val().get();
        }
        let word = self.words[self.read_address.val().get() as usize];
        self.read_data.next = UInt::new(word, self.width);
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let (top, last) = (self.width - 1, self.words.len() - 1);
        Verilog::Custom(format!(
            "reg [{top}:0] words [0:{last}];\n\nassign read_data = words[read_address];\n\nalways @(posedge write_clock) begin\n  if (write_enable) words[write_address] <= write_data;\nend"
        ))
    }
}
