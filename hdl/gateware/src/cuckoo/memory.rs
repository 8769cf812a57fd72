//! Memory of one lane of cells: a leaf module that a device may replace.

use crate::prelude::*;

block! {
    /// True dual-port memory of cells of any width up to 64 bits: port A reads, port B reads or writes.
    ///
    /// Timing: data two clocks after the address (array, then output register). What port A reads of the cell that port B writes in the same clock is
    /// unspecified, and so is what port B reads in a clock in which it writes; nobody looks at either. All cells are zero at configuration, on which nothing relies; reset does not touch them.
    pub struct CellMemory {
        about: About = About::new(
            "cell_memory",
            format!(
                "{words} cells of {width} bits in block RAM, two clocks of read latency. Port A reads, port B reads or writes.\n\
                 Reading the cell that is being written, and port B's data of a clock in which it writes, are unspecified: nobody looks at them."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub a_address: Bus<In> = Bus::new(address_bits).doc("cell that port A reads"),
        pub a_data: Bus<Out> = Bus::new(width).doc("its contents, two clocks later"),
        pub b_address: Bus<In> = Bus::new(address_bits).doc("cell that port B reads or writes"),
        pub b_data: Bus<Out> = Bus::new(width).doc("its contents, two clocks later, if it was not written"),
        pub write: Wire<In> = Wire::default().doc("port B writes this clock"),
        pub write_data: Bus<In> = Bus::new(width).doc("what it writes"),
        _words: Vec<u64> = vec![0; words],
        a_read: u64 = 0,
        b_read: u64 = 0,
        width: usize = width,
    }

    /// `2^address_bits` words of `width` bits, at most 64.
    pub fn new(address_bits: usize, width: usize) {
        let words = 1 << address_bits;
    }
}

impl Logic for CellMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.a_data.next = UInt::new(self.a_read.into(), self.width);
            self.b_data.next = UInt::new(self.b_read.into(), self.width);
            let a = self.a_address.val().get() as usize;
            let b = self.b_address.val().get() as usize;
            self.a_read = self._words[a];
            self.b_read = self._words[b];
            if self.write.val() {
                // what a block RAM returns here differs between devices: return what nobody may rely on
                self.b_read = !self.b_read;
                if a == b {
                    self.a_read = !self.a_read;
                }
                self._words[b] = self.write_data.val().get() as u64;
            }
        }
    }
    fn connect(&mut self) {
        self.a_data.connect();
        self.b_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let width = self.width;
        let top = width - 1;
        let last = self._words.len() - 1;
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg [{top}:0] cells [0:{last}];\nreg [{top}:0] a_array_out;\nreg [{top}:0] a_register_out;\n\
             reg [{top}:0] b_array_out;\nreg [{top}:0] b_register_out;\ninteger i;\n\n\
             initial begin\n  for (i = 0; i <= {last}; i = i + 1) cells[i] = {width}'d0;\n  a_array_out = {width}'d0;\n  a_register_out = {width}'d0;\n\
             \x20 b_array_out = {width}'d0;\n  b_register_out = {width}'d0;\nend\n\n\
             always @(posedge clock) begin\n  a_array_out <= cells[a_address];\n  a_register_out <= a_array_out;\nend\n\n\
             always @(posedge clock) begin\n  b_array_out <= cells[b_address];\n  b_register_out <= b_array_out;\n  if (write) cells[b_address] <= write_data;\nend\n\n\
             assign a_data = a_register_out;\nassign b_data = b_register_out;"
        ))
    }
}
