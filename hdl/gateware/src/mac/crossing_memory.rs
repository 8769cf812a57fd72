//! Dual-clock memory of a FIFO.

use crate::prelude::*;

block! {
    /// Simple dual-port memory whose writes have a clock of their own and whose reads have none: distributed RAM.
    ///
    /// The words of a FIFO: what is read was written at least two clocks of the reader ago.
    /// New inputs in every clock. No reset.
    pub struct CrossingMemory {
        about: About = About::new(
            "crossing_memory",
            format!("{depth} words of {width} bits in distributed RAM; reads without a clock."),
        ),
        pub write_clock: Signal<In, Clock>,
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address).doc("word to write"),
        pub write_data: Bus<In> = Bus::new(width).doc("its value"),
        pub read_address: Bus<In> = Bus::new(address).doc("word to read"),
        pub read_data: Bus<Out> = Bus::new(width).doc("its value"),
        words: Vec<u128> = vec![0; depth],
        width: usize = width,
    }

    /// `depth` words (a power of two) of `width` bits, 2 at least.
    pub fn new(depth: usize, width: usize) {
        let address = clog2(depth);
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
