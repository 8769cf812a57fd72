//! Scales a hash value to a range of any size.

use crate::prelude::*;
use std::collections::VecDeque;
use std::fmt::Write;

/// Ranks of registers.
const RANKS: usize = 3;

block! {
    /// `y = floor(x r / 2^F)` for a constant r and an x of F bits: the high part of a product. Three clocks.
    ///
    /// The product is a sum of shifted copies of x, one for each digit of r in signed binary (Reitwiesner 1960: no two neighbours
    /// differ from 0, so a third of the digits do on average, and a range next to a power of two has two of them). Three ranks of
    /// additions take two or three operands each. A leaf, since its shape depends on the digits of r.
    /// New inputs in every clock. No reset.
    pub struct Scale {
        about: About = About::new(
            "hash_scale",
            format!("From {x_bits} bits to the range 0 to {}: the high part of the product with {range}, as shifts and sums. Three clocks.", range - 1),
        ),
        pub clock: Signal<In, Clock>,
        pub x: Bus<In> = Bus::new(x_bits).doc("hash value"),
        pub y: Bus<Out> = Bus::new(y_bits).doc("the value scaled to the range, three clocks later"),
        range: u128 = range,
        x_bits: usize = x_bits,
        y_bits: usize = y_bits,
        _stages: VecDeque<u128> = vec![0; RANKS].into(),
    }

    /// From `x_bits` bits to `range` positions (at least 1), numbered in `y_bits` bits.
    pub fn new(x_bits: usize, range: u128, y_bits: usize) {}
}

/// A digit of a number in signed binary that is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digit {
    /// It stands for 2^shift,
    pub shift: usize,
    /// subtracted.
    pub negative: bool,
}

/// The number's digits, the lowest first: `number` = sum of +-2^shift.
pub fn digits(mut number: u128) -> Vec<Digit> {
    let mut digits = Vec::new();
    for shift in 0.. {
        if number == 0 {
            break;
        }
        if number & 1 == 1 {
            let negative = number & 3 == 3;
            digits.push(Digit { shift, negative });
            number = if negative { number + 1 } else { number - 1 };
        }
        number >>= 1;
    }
    digits
}

impl Scale {
    /// The copies of x that are added up, as Verilog in the product's width: `(text, negative)`.
    fn terms(&self) -> Vec<(String, bool)> {
        let digits = digits(self.range);
        let term = |digit: &Digit| {
            let above = self.y_bits - digit.shift;
            let mut parts = Vec::new();
            if above > 0 {
                parts.push(format!("{above}'d0"));
            }
            parts.push("x".to_owned());
            if digit.shift > 0 {
                parts.push(format!("{}'d0", digit.shift));
            }
            (format!("{{{}}}", parts.join(", ")), digit.negative)
        };
        digits.iter().map(term).collect()
    }
}

/// A signed sum of terms in Verilog, `width` bits wide.
fn sum(terms: &[(String, bool)], width: usize) -> String {
    let mut text = String::new();
    let (taken, added): (Vec<_>, Vec<_>) = terms.iter().partition(|(_, negative)| *negative);
    for (term, _) in added {
        if !text.is_empty() {
            text.push_str(" + ");
        }
        text.push_str(term);
    }
    if text.is_empty() {
        text = format!("{width}'d0");
    }
    for (term, _) in taken {
        text.push_str(" - ");
        text.push_str(term);
    }
    text
}

impl Logic for Scale {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self._stages.rotate_right(1);
            self._stages[0] = (self.x.val().get() * self.range) >> self.x_bits;
            self.y.next = UInt::new(self._stages[RANKS - 1], self.y_bits);
        }
    }
    fn connect(&mut self) {
        self.y.connect();
    }
    fn hdl(&self) -> Verilog {
        let width = self.x_bits + self.y_bits;
        let mut terms = self.terms();
        // the least number of operands an addition that makes one sum of all terms in the ranks there are
        let operands = (2..)
            .find(|n: &usize| n.pow(RANKS as u32) >= terms.len())
            .expect("some power is greater");
        let (mut declared, mut power_up, mut loaded) =
            (String::new(), String::new(), String::new());
        let line = |to: &mut String, text: String| {
            writeln!(to, "{text}").expect("a String takes any text");
        };
        for rank in 1..=RANKS {
            let groups: Vec<String> = terms
                .chunks(operands)
                .map(|group| sum(group, width))
                .collect();
            terms = (0..groups.len())
                .map(|i| (format!("sum_{rank}_{i}"), false))
                .collect();
            for ((name, _), group) in terms.iter().zip(&groups) {
                line(&mut declared, format!("reg [{}:0] {name};", width - 1));
                line(&mut power_up, format!("  {name} = {width}'d0;"));
                line(&mut loaded, format!("  {name} <= {group};"));
            }
        }
        let last = &terms[0].0;
        Verilog::Custom(format!(
            "{declared}\nassign y = {last}[{}:{}];\nwire unused = &{{1'b0, {last}[{}:0]}};\n\ninitial begin\n{power_up}end\n\n\
             always @(posedge clock) begin\n{loaded}end",
            width - 1,
            self.x_bits,
            self.x_bits - 1,
        ))
    }
}
