//! Bank memory: a leaf module that a device may replace.

use crate::prelude::*;

block! {
    /// Simple dual-port memory of 36-bit words (32 data bits, 4 epoch bits), or of more with parity or check bits above them.
    ///
    /// Timing: `read_data` two clocks after `read_address` (array, then output register). A read of the word written in the same clock gives an unspecified
    /// value; the pipeline forwards it. All words are zero at configuration; reset does not touch them.
    pub struct BankMemory {
        about: About = About::new(
            "bank_memory",
            format!(
                "{words} words of {bits} in block RAM, two clocks of read latency.\nReading the word that is being written gives an unspecified value: the bank forwards it."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub read_address: Bus<In> = Bus::new(address_bits).doc("word to read"),
        pub read_data: Bus<Out> = Bus::new(width).doc(format!("{layout}, two clocks later")),
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address_bits).doc("word to write"),
        pub write_data: Bus<In> = Bus::new(width).doc(layout),
        width: usize = width,
        words: Vec<u64> = vec![0; words],
        read: u64 = 0,
        rising: bool = false,
    }

    /// The same with `check_bits` more bits a word: 1 is a parity bit, more are those of an error-correcting code.
    pub fn with_check_bits(words: usize, check_bits: usize) {
        let address_bits = clog2(words);
        let width = WORD_BITS + EPOCH_BITS + check_bits;
        let (bits, layout) = match check_bits {
            0 => (
                format!("{WORD_BITS} data bits and {EPOCH_BITS} epoch bits"),
                "{epoch, data}",
            ),
            1 => (
                format!("{WORD_BITS} data bits, {EPOCH_BITS} epoch bits and a parity bit"),
                "{parity, epoch, data}",
            ),
            n => (
                format!("{WORD_BITS} data bits, {EPOCH_BITS} epoch bits and {n} check bits"),
                "{check, epoch, data}",
            ),
        };
    }
}

impl BankMemory {
    /// `words` words.
    pub fn new(words: usize) -> Self {
        Self::with_check_bits(words, 0)
    }
}

impl Logic for BankMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = UInt::new(self.read.into(), self.width);
            let read = self.read_address.val().get() as usize;
            let write = self.write_address.val().get() as usize;
            self.read = self.words[read];
            if self.write_enable.val() {
                if read == write {
                    // what a block RAM returns here differs between devices: return what nobody may rely on
                    self.read = !self.read & ((1 << self.width) - 1);
                }
                self.words[write] = self.write_data.val().get() as u64;
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let top = self.width - 1;
        let last = self.words.len() - 1;
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg [{top}:0] words [0:{last}];\nreg [{top}:0] array_out;\nreg [{top}:0] register_out;\ninteger i;\n\ninitial begin\n  for (i = 0; i <= {last}; i = i + 1) words[i] = {w}'d0;\n  array_out = {w}'d0;\n  register_out = {w}'d0;\nend\n\nalways @(posedge clock) begin\n  array_out <= words[read_address];\n  register_out <= array_out;\n  if (write_enable) words[write_address] <= write_data;\nend\n\nassign read_data = register_out;",
            w = self.width
        ))
    }
}
