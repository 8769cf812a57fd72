//! Pipelined population count, as a leaf.

use crate::prelude::*;
use std::collections::VecDeque;
use std::fmt::Write;

block! {
    /// Number of ones in `x`, `ranks` clocks later; one value a clock. First rank: groups of four bits; then pairs of sums.
    ///
    /// `reset` is synchronous and active high.
    pub struct CountOnes {
        about: About = About::new(
            "count_ones",
            format!("Number of ones among {}, {} later.", counted(bits, "bit"), counted(ranks, "clock")),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("drops what is being counted"),
        pub x: Bus<In> = Bus::new(bits).doc("bits to count"),
        pub count: Bus<Out> = Bus::new(width).doc("ones"),
        _line: VecDeque<u128> = vec![0; ranks].into(),
        width: usize = width,
        bits: usize = bits,
    }

    /// Counts `bits` bits in `ranks` = 1 + ceil(log2(ceil(bits / 4))) clocks.
    pub fn new(bits: usize, ranks: usize) {
        let width = width_of(bits);
    }
}

impl Logic for CountOnes {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self._line
                .push_front(self.x.val().get().count_ones().into());
            self._line.pop_back();
            if self.reset.val() {
                self._line.iter_mut().for_each(|sum| *sum = 0);
            }
            self.count.next = UInt::new(self._line[self._line.len() - 1], self.width);
        }
    }
    fn connect(&mut self) {
        self.count.connect();
    }
    fn hdl(&self) -> Verilog {
        let name = |rank: usize, i: usize| format!("sum_{rank}_{i}");
        let mut declare = String::new();
        let mut start = String::new();
        let mut clear = String::new();
        let mut clocked = String::new();
        // (name, most it can be) of the terms of the next rank
        let mut terms: Vec<(String, usize)> = (0..self.bits)
            .map(|i| {
                if self.bits == 1 {
                    ("x".into(), 1)
                } else {
                    (format!("x[{i}]"), 1)
                }
            })
            .collect();
        for rank in 1..=self._line.len() {
            let group = if rank == 1 { 4 } else { 2 };
            let mut sums = Vec::new();
            for (i, part) in terms.chunks(group).enumerate() {
                let most: usize = part.iter().map(|term| term.1).sum();
                let width = width_of(most);
                let padded: Vec<String> = part
                    .iter()
                    .map(|(text, most)| match width - width_of(*most) {
                        0 => text.clone(),
                        pad => format!("{{{pad}'d0, {text}}}"),
                    })
                    .collect();
                let range = if width == 1 {
                    String::new()
                } else {
                    format!("[{}:0] ", width - 1)
                };
                writeln!(declare, "reg {range}{};", name(rank, i))
                    .expect("a String takes any text");
                writeln!(start, "  {} = {width}'d0;", name(rank, i))
                    .expect("a String takes any text");
                writeln!(clear, "    {} <= {width}'d0;", name(rank, i))
                    .expect("a String takes any text");
                writeln!(clocked, "    {} <= {};", name(rank, i), padded.join(" + "))
                    .expect("a String takes any text");
                sums.push((name(rank, i), most));
            }
            terms = sums;
        }
        Verilog::Custom(format!("{declare}\ninitial begin\n{start}end\n\nalways @(posedge clock) begin\n  if (reset) begin\n{clear}  end else begin\n{clocked}  end\nend\n\nassign count = {};", terms[0].0))
    }
}
