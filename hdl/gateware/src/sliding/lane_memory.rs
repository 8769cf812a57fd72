//! Memory of one lane of cells.

use crate::prelude::*;

block! {
    /// Simple dual-port memory of words of any width up to 64 bits.
    ///
    /// Timing: `read_data` two clocks after `read_address` (array, then output register). A read of the word written in the same clock gives an unspecified
    /// value; the lane does not look at it. All words are zero at configuration, on which nothing relies; reset does not touch them.
    pub struct LaneMemory {
        about: About = About::new(
            "lane_memory",
            format!(
                "{words} cells of {width} bits in block RAM, two clocks of read latency.\nReading the cell that is being written gives an unspecified value: the lane does not look at it."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub read_address: Bus<In> = Bus::new(address_bits).doc("cell to read"),
        pub read_data: Bus<Out> = Bus::new(width).doc("its contents, two clocks later"),
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address_bits).doc("cell to write"),
        pub write_data: Bus<In> = Bus::new(width).doc("its contents"),
        words: Vec<u64> = vec![0; words],
        read: u64 = 0,
        width: usize = width,
    }

    /// `2^address_bits` words of `width` bits, at most 64.
    pub fn new(address_bits: usize, width: usize) {
        let words = 1 << address_bits;
    }
}

impl Logic for LaneMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = UInt::new(self.read.into(), self.width);
            let read = self.read_address.val().get() as usize;
            let write = self.write_address.val().get() as usize;
            self.read = self.words[read];
            if self.write_enable.val() {
                if read == write {
                    // what a block RAM returns here differs between devices: return what nobody may rely on
                    self.read = !self.read;
                }
                self.words[write] = self.write_data.val().get() as u64;
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let width = self.width;
        let top = width - 1;
        let last = self.words.len() - 1;
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg [{top}:0] cells [0:{last}];\nreg [{top}:0] array_out;\nreg [{top}:0] register_out;\ninteger i;\n\ninitial begin\n  for (i = 0; i <= {last}; i = i + 1) cells[i] = {width}'d0;\n  array_out = {width}'d0;\n  register_out = {width}'d0;\nend\n\nalways @(posedge clock) begin\n  array_out <= cells[read_address];\n  register_out <= array_out;\n  if (write_enable) cells[write_address] <= write_data;\nend\n\nassign read_data = register_out;"
        ))
    }
}
