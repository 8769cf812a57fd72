//! Memory of the frame buffer.

use crate::prelude::*;

block! {
    /// Simple dual-port memory of beats in block RAM.
    ///
    /// Timing: `read_data` two clocks after `read_address` (array, then output register). A beat that is read while it is written gives an unspecified value; the path reads no beat
    /// before its frame is whole.
    /// New inputs in every clock. No reset.
    pub struct FrameMemory {
        about: About = About::new(
            "frame_memory",
            format!("{depth} beats of {width} bits in block RAM, two clocks of read latency.\nReading the beat that is being written gives an unspecified value; nobody does."),
        ),
        pub clock: Signal<In, Clock>,
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address).doc("beat to write"),
        pub write_data: WideBus<In> = WideBus::<In>::new(width),
        pub read_address: Bus<In> = Bus::new(address).doc("beat to read"),
        pub read_data: WideBus<Out> = WideBus::<Out>::new(width).doc("it, two clocks later"),
        _beats: Vec<Wide> = vec![Wide::zero(width); depth],
        _read: Wide = Wide::zero(width),
        width: usize = width,
    }

    /// `depth` beats (a power of two) of `width` bits.
    pub fn new(depth: usize, width: usize) {
        let address = clog2(depth);
    }
}

impl Logic for FrameMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = self._read;
            let read = self.read_address.val().get() as usize;
            let write = self.write_address.val().get() as usize;
            self._read = self._beats[read];
            if self.write_enable.val() {
                if read == write {
                    // what a block RAM returns here differs between devices: return what nobody may rely on
                    self._read = !self._read;
                }
                self._beats[write] = self.write_data.val();
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let (top, last, width) = (self.width - 1, self._beats.len() - 1, self.width);
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg [{top}:0] beats [0:{last}];\nreg [{top}:0] array_out;\nreg [{top}:0] register_out;\ninteger i;\n\ninitial begin\n  for (i = 0; i <= {last}; i = i + 1) beats[i] = {width}'d0;\n  array_out = {width}'d0;\n  register_out = {width}'d0;\nend\n\nalways @(posedge clock) begin\n  array_out <= beats[read_address];\n  register_out <= array_out;\n  if (write_enable) beats[write_address] <= write_data;\nend\n\nassign read_data = register_out;"
        ))
    }
}
