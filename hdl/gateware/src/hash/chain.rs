//! Double hashing modulo a range that is not a power of two.

use crate::prelude::*;

block! {
    /// `sum = a + b mod r` for a and b below r. One clock.
    ///
    /// No reset.
    pub struct ModuloSum {
        about: About = About::new(
            "modulo_sum",
            format!("A sum modulo {range}: one subtraction where it is too great."),
        ),
        pub clock: Signal<In, Clock>,
        pub a: Bus<In> = Bus::new(bits).doc("a number of the range"),
        pub b: Bus<In> = Bus::new(bits).doc("another"),
        pub sum: Bus<Out> = Bus::new(bits).doc("their sum, a clock later"),
        whole: Bus<Local> = Bus::new(bits + 1),
        less: Bus<Local> = Bus::new(bits + 1),
        sum_r: Reg = Reg::new(bits),
        range: Const = Const::new(range, bits + 1),
        bits: usize = bits,
        wide: usize = bits + 1,
    }

    /// Modulo `range`, for numbers of `bits` bits (`range` below 2^bits).
    pub fn new(range: u128, bits: usize) {}
}

impl Logic for ModuloSum {
    #[hdl_gen]
    fn update(&mut self) {
        self.whole.next = bits_to(self.a.val(), self.wide) + bits_to(self.b.val(), self.wide);
        self.less.next = self.whole.val() - self.range.val();
        self.sum_r.d.next = bits_to(self.whole.val(), self.bits);
        if self.whole.val() >= self.range.val() {
            self.sum_r.d.next = bits_to(self.less.val(), self.bits);
        }
        self.sum.next = self.sum_r.q.val();
    }
}

block! {
    /// `sum = x + c mod r` for x below r and constants c and r - c. One clock.
    ///
    /// No reset.
    pub struct ModuloOffset {
        about: About = About::new(
            "modulo_offset",
            "Adds a constant c modulo r, or subtracts r - c where that is too much.",
        ),
        pub clock: Signal<In, Clock>,
        pub x: Bus<In> = Bus::new(bits).doc("a number of the range"),
        pub offset: Bus<In> = Bus::new(bits).doc("c, constant"),
        pub gap: Bus<In> = Bus::new(bits).doc("r - c, constant"),
        pub sum: Bus<Out> = Bus::new(bits).doc("the sum, a clock later"),
        sum_r: Reg = Reg::new(bits),
    }

    /// For numbers of `bits` bits.
    pub fn new(bits: usize) {}
}

impl Logic for ModuloOffset {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_r.d.next = self.x.val() + self.offset.val();
        if self.x.val() >= self.gap.val() {
            self.sum_r.d.next = self.x.val() - self.gap.val();
        }
        self.sum.next = self.sum_r.q.val();
    }
}

block! {
    /// `p_i = h1 + i h2 + f(i) mod r` for i = 0 .. k-1 on a range r that is no power of two (KM sections 3 and 5.2).
    ///
    /// ```text
    /// p_0 = h1      p_i = p_(i-1) + s_i mod r      s_i = h2 + f(i) - f(i-1) mod r
    /// ```
    ///
    /// k - 1 clocks, one addition each; with an extension f one more before them, for the steps s_i. Positions that are found early wait for
    /// the last one.
    /// No reset.
    pub struct ChainSpread {
        about: About = About::new(
            "hash_chain",
            format!("{what} hashing modulo {range}: each of {} probes is the one before it and a step. Source: KM sections 3 and 5.2.", steps + 1),
        ),
        pub clock: Signal<In, Clock>,
        pub h1: Bus<In> = Bus::new(bits).doc("first hash value"),
        pub h2: Bus<In> = Bus::new(bits).doc("second hash value"),
        pub index: Vec<Bus<Out>> = (0..=steps).map(|i| Bus::new(bits).doc(format!("probe {i}"))).collect(),
        base: Vec<Reg> = (0..usize::from(extended)).map(|_| Reg::new(bits)).collect(),
        offset: Vec<ModuloOffset> = offsets.iter().map(|_| ModuloOffset::new(bits)).collect(),
        start: Bus<Local> = Bus::new(bits),
        step: Vec<Bus<Local>> = (0..steps).map(|_| Bus::new(bits)).collect(),
        // a step that is the same for all probes goes along the chain, others wait for their probe
        step_line: Vec<Delay> = (0..steps)
            .map(|i| Delay::new(bits, if extended { i } else { usize::from(i > 0) }))
            .collect(),
        sum: Vec<ModuloSum> = (0..steps).map(|_| ModuloSum::new(range, bits)).collect(),
        first: Delay = Delay::new(bits, steps),
        found: Vec<Delay> = (1..=steps).map(|i| Delay::new(bits, steps - i)).collect(),
        offset_value: Vec<Const> = offsets.iter().map(|&c| Const::new(c, bits)).collect(),
        gap_value: Vec<Const> = offsets.iter().map(|&c| Const::new(range - c, bits)).collect(),
        steps: usize = steps,
        plain: bool = !extended,
        extended: usize = usize::from(extended),
        offsets: usize = offsets.len(),
        held: usize = if extended { 0 } else { steps },
    }

    /// For the probes 0 .. k-1 (k at least 2) that add `extension[i]` = f(i) to the multiples of h2, on `range` positions of `bits` bits.
    pub fn new(extension: &[u64], range: u128, bits: usize) {
        let steps = extension.len() - 1;
        let extended = extension.iter().any(|&f| f > 0);
        let offsets: Vec<u128> = if extended {
            extension
                .windows(2)
                .map(|f| u128::from(f[1] - f[0]) % range)
                .collect()
        } else {
            Vec::new()
        };
        let what = if extended {
            "Extended double"
        } else {
            "Double"
        };
    }
}

impl Logic for ChainSpread {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.steps {
            self.step[i].next = self.step_line[i].q.val();
        }
        if self.plain {
            self.start.next = self.h1.val();
            self.step_line[0].d.next = self.h2.val();
        }
        for i in 1..self.held {
            self.step_line[i].d.next = self.step[i - 1].val();
        }
        for e in 0..self.extended {
            self.base[e].d.next = self.h1.val();
            self.start.next = self.base[e].q.val();
        }
        for i in 0..self.offsets {
            self.offset[i].x.next = self.h2.val();
            self.offset[i].offset.next = self.offset_value[i].val();
            self.offset[i].gap.next = self.gap_value[i].val();
            self.step_line[i].d.next = self.offset[i].sum.val();
        }
        for i in 0..self.steps {
            self.sum[i].b.next = self.step[i].val();
        }
        self.sum[0].a.next = self.start.val();
        for i in 1..self.steps {
            self.sum[i].a.next = self.sum[i - 1].sum.val();
        }
        self.first.d.next = self.start.val();
        self.index[0].next = self.first.q.val();
        for i in 0..self.steps {
            self.found[i].d.next = self.sum[i].sum.val();
            self.index[i + 1].next = self.found[i].q.val();
        }
    }
}
