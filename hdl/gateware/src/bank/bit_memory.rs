//! Memory of single bits: a leaf module that a device may replace.

use crate::prelude::*;
use std::fmt::Write;

block! {
    /// True dual-port memory of single bits: port A sets one (or, where it is made so, writes one), port B reads a row of them or erases it.
    ///
    /// Timing: `data` two clocks after `row` (array, then output register). What comes out for a bit that is set in the same clock, or for a row that is erased, is
    /// unspecified; the other bits of a row in which one is set come out as they are stored. All bits are 0 at configuration; there is no reset.
    pub struct BitMemory {
        about: About = About::new(
            "bit_memory",
            format!(
                "{bits} single bits in block RAM. Port A {does} one; port B reads a row of {row_bits} or erases it, two clocks of read latency.\n\
                 What comes out of a bit that is {done} in that clock, or of a row that is erased, is unspecified: nobody looks at it.{neighbours}"
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub set: Wire<In> = Wire::default().doc(match writes {
            false => "set a bit this clock",
            true => "write a bit this clock",
        }),
        pub set_address: Bus<In> = Bus::new(address_bits).doc("that bit"),
        pub value: Optional<Wire<In>> = Optional::new(writes, Wire::default().doc("its value")),
        pub erase: Wire<In> = Wire::default().doc("write 0 to the row"),
        pub row: Bus<In> = Bus::new(address_bits - clog2(row_bits)).doc("row to read or to erase"),
        pub data: Bus<Out> = Bus::new(row_bits).doc("its bits, two clocks later"),
        _bits: Vec<bool> = vec![false; bits],
        read: u128 = 0,
        seed: u64 = 1,
        row_bits: usize = row_bits,
        writes: bool = writes,
    }

    fn made(bits: usize, row_bits: usize, writes: bool) {
        let address_bits = clog2(bits);
        let (does, done) = match writes {
            false => ("sets", "set"),
            true => ("writes", "written"),
        };
        let neighbours = match row_bits {
            1 => "",
            _ if writes => "\nThe other bits of a row in which one is written must come out as they are stored: block RAM that reads old contents.",
            _ => "\nThe other bits of a row in which one is set must come out as they are stored: block RAM that reads old contents.",
        };
    }
}

impl BitMemory {
    /// `bits` bits in whole rows of `row_bits`, a power of two.
    pub fn new(bits: usize, row_bits: usize) -> Self {
        BitMemory::made(bits, row_bits, false)
    }

    /// The same, where port A writes 0 or 1.
    pub fn writing(bits: usize, row_bits: usize) -> Self {
        BitMemory::made(bits, row_bits, true)
    }

    /// What nobody may rely on.
    fn anything(&mut self) -> u128 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11).into()
    }
}

impl Logic for BitMemory {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.data.next = UInt::new(self.read, self.row_bits);
            let first = self.row.val().get() as usize * self.row_bits;
            let row = first..first + self.row_bits;
            let stored = self._bits[row.clone()].iter().rev();
            self.read = stored.fold(0, |word, &bit| word << 1 | u128::from(bit));
            let anything = self.anything();
            if self.set.val() {
                let bit = self.set_address.val().get() as usize;
                if row.contains(&bit) {
                    let mask = 1 << (bit - first);
                    self.read = self.read & !mask | anything & mask;
                }
                self._bits[bit] = !self.writes || self.value.val();
            }
            if self.erase.val() {
                self.read = anything & ones(self.row_bits);
                self._bits[row].fill(false);
            }
        }
    }
    fn connect(&mut self) {
        self.data.connect();
    }
    fn hdl(&self) -> Verilog {
        let last = self._bits.len() - 1;
        let offset_bits = clog2(self.row_bits);
        let bit = |i: usize| match self.row_bits {
            1 => "row".to_owned(),
            _ => format!("{{row, {offset_bits}'d{i}}}"),
        };
        let at = |i: usize| match self.row_bits {
            1 => String::new(),
            _ => format!("[{i}]"),
        };
        let (mut read, mut erase) = (String::new(), String::new());
        for i in 0..self.row_bits {
            writeln!(read, "  array_out{} <= cells[{}];", at(i), bit(i))
                .expect("a String takes any text");
            writeln!(erase, "  if (erase) cells[{}] <= 1'd0;", bit(i))
                .expect("a String takes any text");
        }
        let value = if self.writes { "value" } else { "1'd1" };
        let range = match self.row_bits {
            1 => String::new(),
            bits => format!("[{}:0] ", bits - 1),
        };
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg cells [0:{last}];\nreg {range}array_out;\nreg {range}register_out;\ninteger i;\n\n\
             initial begin\n  for (i = 0; i <= {last}; i = i + 1) cells[i] = 1'd0;\n  array_out = {w}'d0;\n  register_out = {w}'d0;\nend\n\n\
             always @(posedge clock) begin\n  if (set) cells[set_address] <= {value};\nend\n\n\
             always @(posedge clock) begin\n{read}  register_out <= array_out;\n{erase}end\n\nassign data = register_out;",
            w = self.row_bits
        ))
    }
}
