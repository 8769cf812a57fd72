//! Memory in distributed RAM.

use crate::prelude::*;

block! {
    /// Small memory with one write port and one read port without a clock, for distributed RAM.
    ///
    /// New inputs in every clock. No reset.
    pub struct SmallMemory {
        about: About = About::new(
            name,
            format!(
                "{depth} entries of {width} bits in distributed RAM; reads without a clock."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address).doc("entry to write"),
        pub write_data: Bus<In> = Bus::new(width).doc("its value"),
        pub read_address: Bus<In> = Bus::new(address).doc("entry to read"),
        pub read_data: Bus<Out> = Bus::new(width).doc("its value, in the same clock"),
        entries: Vec<u128> = vec![0; depth],
        width: usize = width,
    }

    /// `depth` entries (a power of two) of `width` bits, in a module of this name.
    pub fn new(name: &str, depth: usize, width: usize) {
        let address = clog2(depth);
    }
}

impl Logic for SmallMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            self.entries[self.write_address.val().get() as usize] = self.write_data.val().get();
        }
        self.read_data.next = UInt::new(
            self.entries[self.read_address.val().get() as usize],
            self.width,
        );
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let range = if self.width == 1 {
            String::new()
        } else {
            format!("[{}:0] ", self.width - 1)
        };
        let last = self.entries.len() - 1;
        let width = self.width;
        Verilog::Custom(format!(
            "reg {range}entries [0:{last}];\ninteger i;\n\ninitial begin\n  for (i = 0; i <= {last}; i = i + 1) entries[i] = {width}'d0;\nend\n\nassign read_data = entries[read_address];\n\nalways @(posedge clock) begin\n  if (write_enable) entries[write_address] <= write_data;\nend"
        ))
    }
}
