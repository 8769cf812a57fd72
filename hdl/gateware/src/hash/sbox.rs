//! The default hash family: sparse XOR layer, S-boxes, sparse XOR layer.

use crate::hash::XorMatrix;
use crate::prelude::*;
use bloomline_spec::hash::{SboxUnit, PRESENT_SBOX};
use std::fmt::Write;

/// Bits between the two layers.
const MIX_BITS: usize = 64;

block! {
    /// Sixteen S-boxes of PRESENT side by side, as a leaf. Combinational.
    pub struct SboxLayer {
        about: About = About::new(
            "sbox_layer",
            "Sixteen S-boxes of the PRESENT cipher (Bogdanov et al., CHES 2007), one a nibble.",
        ),
        pub x: WideBus<In> = WideBus::new(MIX_BITS),
        pub y: WideBus<Out> = WideBus::new(MIX_BITS),
        _seen: Wide = Wide::zero(MIX_BITS),
        _result: Wide = Self::evaluate(Wide::zero(MIX_BITS)),
    }
}

impl SboxLayer {
    fn evaluate(x: Wide) -> Wide {
        let x = bits_to(x, MIX_BITS).get();
        let y = (0..16).fold(0, |y, nibble| {
            y | u128::from(PRESENT_SBOX[(x >> (4 * nibble) & 15) as usize]) << (4 * nibble)
        });
        Wide::new(y, MIX_BITS)
    }
}

impl Logic for SboxLayer {
    fn update(&mut self) {
        let x = self.x.val();
        if x != self._seen {
            self._seen = x;
            self._result = Self::evaluate(x);
        }
        self.y.next = self._result;
    }
    fn connect(&mut self) {
        self.y.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut text =
            String::from("function [3:0] sbox;\n  input [3:0] nibble;\n  case (nibble)\n");
        for (x, y) in PRESENT_SBOX.iter().enumerate() {
            let case = if x == 15 {
                "default".into()
            } else {
                format!("4'h{x:x}")
            };
            writeln!(text, "    {case}: sbox = 4'h{y:x};").expect("a String takes any text");
        }
        text.push_str("  endcase\nendfunction\n\n");
        for nibble in 0..16 {
            let (high, low) = (4 * nibble + 3, 4 * nibble);
            writeln!(text, "assign y[{high}:{low}] = sbox(x[{high}:{low}]);")
                .expect("a String takes any text");
        }
        Verilog::Custom(text)
    }
}

block! {
    /// From the key to 64 mixed bits: layer 1 and the S-boxes of one hash unit. Two clocks, or one without a register between them.
    ///
    /// New inputs in every clock. No reset.
    pub struct SboxMix {
        about: About = About::new(
            "hash_mix",
            "Hash family h3-sbox, first half: 64 sparse sums of key bits (H3, 8 taps a key bit), then S-boxes, which break its linearity.",
        ),
        pub clock: Signal<In, Clock>,
        pub key: WideBus<In> = WideBus::new(unit.rows.len()).doc("key"),
        pub mixed: WideBus<Out> = WideBus::new(MIX_BITS).doc(format!("mixed key, {clocks} later")),
        layer_1: XorMatrix = XorMatrix::from_rows(
            "hash_layer_1",
            "Each output is the sum (exclusive or) of the key bits whose row has it, and of the offset's bit.",
            &unit.rows,
            MIX_BITS,
            unit.offset,
        ),
        sboxes: SboxLayer,
        x: Optional<WideReg> = Optional::new(between, WideReg::new(MIX_BITS)),
        s: WideReg = WideReg::new(MIX_BITS),
        between: bool = between,
    }

    /// The first half of hash unit `unit`; `between`: with a register between layer 1 and the S-boxes.
    pub fn new(unit: &SboxUnit, between: bool) {
        let clocks = if between { "two clocks" } else { "one clock" };
    }
}

impl Logic for SboxMix {
    #[hdl_gen]
    fn update(&mut self) {
        self.layer_1.x.next = self.key.val();
        if self.between {
            self.x.d.next = self.layer_1.y.val();
            self.sboxes.x.next = self.x.q.val();
        } else {
            self.sboxes.x.next = self.layer_1.y.val();
        }
        self.s.d.next = self.sboxes.y.val();
        self.mixed.next = self.s.q.val();
    }
}

block! {
    /// From 64 mixed bits to one index: layer 2 for one hash function. One clock, or none without a register.
    ///
    /// New inputs in every clock. No reset.
    pub struct IndexMix {
        about: About = About::new(
            "hash_index",
            "Hash family h3-sbox, second half: each index bit is the sum of one output bit of every S-box.",
        ),
        pub clock: Signal<In, Clock>,
        pub mixed: WideBus<In> = WideBus::new(MIX_BITS).doc("mixed key"),
        pub index: Bus<Out> = Bus::new(index_bits).doc(format!("hash value{later}")),
        layer_2: XorMatrix = XorMatrix::new("hash_layer_2", "Each output is the sum of sixteen S-box output bits.", MIX_BITS, taps, vec![false; index_bits]),
        index_r: Optional<Reg> = Optional::new(registered, Reg::new(index_bits)),
        index_bits: usize = index_bits,
        registered: bool = registered,
    }

    /// Function `local` of `unit`, whose functions have `function_bits` outputs; the index takes the low `index_bits`, with a register where it is `registered`.
    pub fn new(unit: &SboxUnit, local: usize, function_bits: usize, index_bits: usize, registered: bool) {
        let later = if registered { ", one clock later" } else { "" };
        let first = local * function_bits;
        let taps = unit.taps[first..first + index_bits]
            .iter()
            .map(|taps| taps.iter().map(|&t| t.into()).collect())
            .collect();
    }
}

impl Logic for IndexMix {
    #[hdl_gen]
    fn update(&mut self) {
        self.layer_2.x.next = self.mixed.val();
        if self.registered {
            self.index_r.d.next = bits_to(self.layer_2.y.val(), self.index_bits);
            self.index.next = self.index_r.q.val();
        } else {
            self.index.next = bits_to(self.layer_2.y.val(), self.index_bits);
        }
    }
}
