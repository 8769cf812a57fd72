//! Memory of a queue, in distributed RAM.

use crate::prelude::*;

block! {
    /// Memory with one write port and one read port without a clock, for distributed RAM, or (with the register behind it) block RAM; entries of up to 1024 bits.
    ///
    /// An entry is never read for use while it is written ([`super::Queue`] reads what was written in an earlier clock), so nothing has to look for that.
    /// New inputs in every clock. No reset.
    pub struct WideQueueMemory {
        about: About = About::new(
            "wide_queue_memory",
            format!(
                "{depth} entries of {width} bits; reads without a clock. Nobody uses what is read from the entry that is being written."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address).doc("entry to write"),
        pub write_data: WideBus<In> = WideBus::<In>::new(width).doc("its value"),
        pub read_address: Bus<In> = Bus::new(address).doc("entry to read"),
        pub read_data: WideBus<Out> = WideBus::<Out>::new(width).doc("its value, in the same clock"),
        _entries: Vec<Wide> = vec![Wide::zero(width); depth],
        width: usize = width,
    }

    /// `depth` entries (a power of two) of `width` bits.
    pub fn new(depth: usize, width: usize) {
        let address = clog2(depth);
    }
}

impl Logic for WideQueueMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            self._entries[self.write_address.val().get() as usize] = self.write_data.val();
        }
        self.read_data.next = self._entries[self.read_address.val().get() as usize];
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let last = self._entries.len() - 1;
        let width = self.width;
        let range = match width {
            1 => String::new(),
            _ => format!("[{}:0] ", width - 1),
        };
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg {range}entries [0:{last}];\ninteger i;\n\ninitial begin\n  for (i = 0; i <= {last}; i = i + 1) entries[i] = {width}'d0;\nend\n\nassign read_data = entries[read_address];\n\nalways @(posedge clock) begin\n  if (write_enable) entries[write_address] <= write_data;\nend"
        ))
    }
}
