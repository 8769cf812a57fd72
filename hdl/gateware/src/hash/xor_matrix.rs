//! Matrix of exclusive ORs, as a leaf module.

use super::partial_sums::{PartialSums, TABLE_INPUTS};
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
        let name = |bit: usize| match one_in {
            true => "x".to_string(),
            false => format!("x[{bit}]"),
        };
        let mut used = vec![false; self._seen.bits()];
        let parts = PartialSums::of(&self._taps);
        for (j, taps) in self._taps.iter().enumerate() {
            taps.iter().for_each(|&bit| used[bit] = true);
            let target = match one_out {
                true => "y".to_string(),
                false => format!("y[{j}]"),
            };
            let mut sum = sum_text(&parts.sums[j], &parts.rest[j], name);
            if self.inverted_count[j] || taps.is_empty() {
                sum.push(format!("1'b{}", u8::from(self.inverted_count[j])));
            }
            writeln!(text, "assign {target} = {};", in_lines(&sum))
                .expect("a String takes any text");
        }
        let unused: Vec<String> = (0..used.len())
            .filter(|&bit| !used[bit])
            .map(name)
            .collect();
        if !unused.is_empty() {
            writeln!(text, "wire unused = &{{1'b0, {}}};", unused.join(", "))
                .expect("a String takes any text");
        }
        Verilog::Custom(text)
    }
}

/// Length of a line of a sum, in characters, about.
const LINE: usize = 120;

/// The terms of a sum, in nested groups of four at most, so that each pair of parentheses is a lookup table. The shared sums keep a group each.
fn sum_text(sums: &[Vec<usize>], rest: &[usize], name: impl Fn(usize) -> String) -> Vec<String> {
    let in_one = |bits: &[usize]| -> Vec<String> { bits.iter().map(|&bit| name(bit)).collect() };
    let mut terms: Vec<Vec<String>> = sums.iter().map(|sum| nested(in_one(sum))).collect();
    let mut rest = rest;
    while terms.len() + rest.len() > TABLE_INPUTS && rest.len() > 1 {
        // no larger than needed: inputs that can stay in the outer group do
        let excess = terms.len() + rest.len() - TABLE_INPUTS;
        let (some, others) = rest.split_at(rest.len().min((excess + 1).min(TABLE_INPUTS)));
        terms.push(nested(in_one(some)));
        rest = others;
    }
    terms.extend(rest.iter().map(|&bit| vec![name(bit)]));
    while terms.len() > TABLE_INPUTS {
        let first = (terms.len() - TABLE_INPUTS + 1).min(TABLE_INPUTS);
        let others = terms.split_off(first);
        let level = nested(terms.concat());
        terms = others;
        terms.push(level);
    }
    terms.concat()
}

/// Terms in parentheses.
fn nested(mut terms: Vec<String>) -> Vec<String> {
    if let Some(first) = terms.first_mut() {
        first.insert(0, '(');
    }
    if let Some(last) = terms.last_mut() {
        last.push(')');
    }
    terms
}

/// A sum, in lines of about the same length; a group of inputs is not split.
fn in_lines(terms: &[String]) -> String {
    let mut text = String::new();
    let mut line = 0;
    let mut within = 0;
    for (i, term) in terms.iter().enumerate() {
        let begins = term.matches('(').count();
        if i > 0 {
            let full = line + term.len() > LINE && (within == 0 || begins > 0);
            text += if full { "\n  ^ " } else { " ^ " };
            line = if full { 0 } else { line };
        }
        within = within + begins - term.matches(')').count();
        text += term;
        line += term.len() + 3;
    }
    text
}
