//! Matrix of exclusive ORs, as a leaf module.

use crate::prelude::*;
use std::fmt::Write;

block! {
    /// Each output bit is the exclusive or of some input bits, and inverted where the constant says so. Combinational.
    pub struct XorMatrix {
        about: About = About::new(name, text),
        pub x: WideBus<In> = WideBus::new(input_bits),
        pub y: WideBus<Out> = WideBus::new(width),
        _taps: Vec<Vec<usize>> = taps,
        inverted_count: Vec<bool> = inverted,
        _seen: Wide = Wide::zero(input_bits),
        _result: Wide = result,
    }

    /// `taps[j]` are the input bits of output `j`; `inverted[j]` inverts it.
    pub fn new(name: &str, text: &str, input_bits: usize, taps: Vec<Vec<usize>>, inverted: Vec<bool>) {
        let width = taps.len();
        let result = Self::evaluate(&taps, &inverted, Wide::zero(input_bits));
    }
}

impl XorMatrix {
    /// From rows: `rows[i]` holds the outputs that input bit `i` takes part in.
    pub fn from_rows(
        name: &str,
        text: &str,
        rows: &[u64],
        output_bits: usize,
        constant: u64,
    ) -> Self {
        let taps = (0..output_bits)
            .map(|j| (0..rows.len()).filter(|&i| rows[i] >> j & 1 == 1).collect())
            .collect();
        let inverted = (0..output_bits).map(|j| constant >> j & 1 == 1).collect();
        Self::new(name, text, rows.len(), taps, inverted)
    }

    fn evaluate(taps: &[Vec<usize>], inverted: &[bool], x: Wide) -> Wide {
        let mut y = Wide::zero(taps.len());
        for (j, (taps, &inverted)) in taps.iter().zip(inverted).enumerate() {
            let odd = taps.iter().fold(inverted, |sum, &i| sum ^ x.get_bit(i));
            if odd {
                y = y.replace_bit(j, true);
            }
        }
        y
    }
}

impl Logic for XorMatrix {
    fn update(&mut self) {
        let x = self.x.val();
        if x != self._seen {
            self._seen = x;
            self._result = Self::evaluate(&self._taps, &self.inverted_count, x);
        }
        self.y.next = self._result;
    }
    fn connect(&mut self) {
        self.y.connect();
    }
    fn hdl(&self) -> Verilog {
        let one_in = self._seen.bits() == 1;
        let one_out = self._taps.len() == 1;
        let mut text = String::new();
        let mut used = vec![false; self._seen.bits()];
        for (j, taps) in self._taps.iter().enumerate() {
            let name = |bit: usize| {
                if one_in {
                    "x".to_string()
                } else {
                    format!("x[{bit}]")
                }
            };
            let mut terms: Vec<String> = taps.iter().map(|&bit| name(bit)).collect();
            if self.inverted_count[j] || terms.is_empty() {
                terms.push(format!("1'b{}", u8::from(self.inverted_count[j])));
            }
            taps.iter().for_each(|&bit| used[bit] = true);
            let target = if one_out {
                "y".to_string()
            } else {
                format!("y[{j}]")
            };
            let lines: Vec<String> = terms.chunks(16).map(|part| part.join(" ^ ")).collect();
            writeln!(text, "assign {target} = {};", lines.join("\n  ^ "))
                .expect("a String takes any text");
        }
        let unused: Vec<String> = (0..used.len())
            .filter(|&bit| !used[bit])
            .map(|bit| {
                if one_in {
                    "x".into()
                } else {
                    format!("x[{bit}]")
                }
            })
            .collect();
        if !unused.is_empty() {
            writeln!(text, "wire unused = &{{1'b0, {}}};", unused.join(", "))
                .expect("a String takes any text");
        }
        Verilog::Custom(text)
    }
}
