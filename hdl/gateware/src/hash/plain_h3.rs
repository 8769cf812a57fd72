//! Plain H3: a linear hash, kept for comparison.

use crate::hash::XorMatrix;
use crate::prelude::*;
use bloomline_spec::hash::H3Function;

/// Most key bits that one partial sum takes: two levels of four-input tables.
const PARTIAL_TAPS: usize = 16;

block! {
    /// One H3 function (Carter and Wegman 1979) in two clocks: partial sums of sixteen key bits, then their sums.
    ///
    /// No reset.
    pub struct PlainH3 {
        about: About = About::new("hash_h3", "Plain H3: each index bit is the sum of the key bits whose row has it. Linear: structured keys collide in structured ways."),
        pub clock: Signal<In, Clock>,
        pub key: WideBus<In> = WideBus::new(key_bits).doc("key"),
        pub index: Bus<Out> = Bus::new(index_bits).doc("hash value, two clocks later"),
        partial: XorMatrix = XorMatrix::new("hash_h3_partial", "Partial sums of at most sixteen key bits.", key_bits, partial, vec![false; partials]),
        total: XorMatrix = XorMatrix::new("hash_h3_total", "Sums of the partial sums, and of the offset's bits.", partials, total, inverted),
        partial_r: WideReg = WideReg::new(partials),
        index_r: Reg = Reg::new(index_bits),
        index_bits: usize = index_bits,
    }

    /// `function`, of which the index takes the low `index_bits`.
    pub fn new(function: &H3Function, index_bits: usize) {
        let key_bits = function.rows.len();
        let mut partial = Vec::new();
        let mut total = Vec::new();
        for j in 0..index_bits {
            let taps: Vec<usize> = (0..key_bits)
                .filter(|&i| function.rows[i] >> j & 1 == 1)
                .collect();
            let first = partial.len();
            partial.extend(taps.chunks(PARTIAL_TAPS).map(<[usize]>::to_vec));
            total.push((first..partial.len()).collect());
        }
        if partial.is_empty() {
            partial.push(Vec::new());
        }
        let partials = partial.len();
        let inverted = (0..index_bits)
            .map(|j| function.offset >> j & 1 == 1)
            .collect();
    }
}

impl Logic for PlainH3 {
    #[hdl_gen]
    fn update(&mut self) {
        self.partial.x.next = self.key.val();
        self.partial_r.d.next = self.partial.y.val();
        self.total.x.next = self.partial_r.q.val();
        self.index_r.d.next = bits_to(self.total.y.val(), self.index_bits);
        self.index.next = self.index_r.q.val();
    }
}
