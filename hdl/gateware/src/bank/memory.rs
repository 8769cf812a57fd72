//! Memory of a bank or of a lane of cells: a leaf module that a device may replace.

use crate::prelude::*;

block! {
    /// Simple dual-port memory of up to 64 bits a word.
    ///
    /// Timing: `read_data` two clocks after `read_address` (array, then output register). A read of the word written in the same clock gives an unspecified
    /// value; the bank forwards it, and a lane does not look at it. All words are zero at configuration; reset does not touch them.
    pub struct BankMemory {
        about: About = About::new(
            format!("{what}_memory"),
            format!(
                "{words} {bits} in block RAM, two clocks of read latency.\nReading the {entry} that is being written gives an unspecified value: the {user}."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub read_address: Bus<In> = Bus::new(address_bits).doc(format!("{entry} to read")),
        pub read_data: Bus<Out> = Bus::new(width).doc(format!("{layout}, two clocks later")),
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address_bits).doc(format!("{entry} to write")),
        pub write_data: Bus<In> = Bus::new(width).doc(layout),
        width: usize = width,
        _words: Vec<u64> = vec![0; words],
        read: u64 = 0,
        _array: String = format!("{entry}s"),
    }

    fn of(words: usize, width: usize, bits: &str, texts: [&str; 4]) {
        let [what, entry, layout, user] = texts;
        let address_bits = clog2(words);
    }
}

impl BankMemory {
    /// `words` words of 36 bits: 32 data bits, 4 epoch bits.
    pub fn new(words: usize) -> Self {
        Self::with_check_bits(words, 0)
    }

    /// The same with `check_bits` more bits a word: 1 is a parity bit, more are those of an error-correcting code.
    pub fn with_check_bits(words: usize, check_bits: usize) -> Self {
        let (and, layout) = match check_bits {
            0 => (format!(" and {EPOCH_BITS} epoch bits"), "{epoch, data}"),
            1 => (
                format!(", {EPOCH_BITS} epoch bits and a parity bit"),
                "{parity, epoch, data}",
            ),
            n => (
                format!(", {EPOCH_BITS} epoch bits and {n} check bits"),
                "{check, epoch, data}",
            ),
        };
        let bits = format!("words of {WORD_BITS} data bits{and}");
        let texts = ["bank", "word", layout, "bank forwards it"];
        Self::of(words, WORD_BITS + EPOCH_BITS + check_bits, &bits, texts)
    }

    /// `2^address_bits` cells of a lane, of `width` bits, at most 64.
    pub fn of_cells(address_bits: usize, width: usize) -> Self {
        let bits = format!("cells of {width} bits");
        let texts = ["lane", "cell", "its contents", "lane does not look at it"];
        Self::of(1 << address_bits, width, &bits, texts)
    }
}

impl Logic for BankMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = UInt::new(self.read.into(), self.width);
            let read = self.read_address.val().get() as usize;
            let write = self.write_address.val().get() as usize;
            self.read = self._words[read];
            if self.write_enable.val() {
                if read == write {
                    // what a block RAM returns here differs between devices: return what nobody may rely on
                    self.read = !self.read;
                }
                self._words[write] = self.write_data.val().get() as u64;
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let (array, width) = (&self._array, self.width);
        let top = width - 1;
        let last = self._words.len() - 1;
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg [{top}:0] {array} [0:{last}];\nreg [{top}:0] array_out;\nreg [{top}:0] register_out;\ninteger i;\n\ninitial begin\n  for (i = 0; i <= {last}; i = i + 1) {array}[i] = {width}'d0;\n  array_out = {width}'d0;\n  register_out = {width}'d0;\nend\n\nalways @(posedge clock) begin\n  array_out <= {array}[read_address];\n  register_out <= array_out;\n  if (write_enable) {array}[write_address] <= write_data;\nend\n\nassign read_data = register_out;"
        ))
    }
}
