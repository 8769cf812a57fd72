//! Double hashing modulo a power of two.

use crate::prelude::*;

block! {
    /// `g_i = h1 + i h2 + f(i) mod m'` for i = 0 .. k-1 (KM section 3, and 5.2 for an extension f; m' a power of two, so the sum wraps). Two clocks:
    /// multiples of h2 and h1 + f(i), then sums; or one clock, without a register between them.
    ///
    /// New inputs in every clock. No reset.
    pub struct Spread {
        about: About = About::new("hash_spread", text),
        pub clock: Signal<In, Clock>,
        pub h1: Bus<In> = Bus::new(index_bits).doc("first hash value"),
        pub h2: Bus<In> = Bus::new(index_bits).doc("second hash value"),
        pub index: Vec<Bus<Out>> = (0..k)
            .map(|i| Bus::new(index_bits).doc(format!("probe {i}, {clocks} later")))
            .collect(),
        multiple: Vec<Bus<Local>> = (1..k).map(|_| Bus::new(index_bits)).collect(),
        base: Vec<Optional<Reg>> = (0..bases.max(1))
            .map(|_| Optional::new(between, Reg::new(index_bits)))
            .collect(),
        scaled: Vec<Optional<Reg>> = (1..k)
            .map(|_| Optional::new(between, Reg::new(index_bits)))
            .collect(),
        position: Vec<Reg> = (0..k).map(|_| Reg::new(index_bits)).collect(),
        extension: Vec<Const> = extension
            .iter()
            .take(bases)
            .map(|&f| Const::new(u128::from(f) & ones(index_bits), index_bits))
            .collect(),
        k: usize = k,
        plain: usize = if extended { 0 } else { k },
        bases: usize = bases.max(1),
        extended: usize = bases,
        pairs_end: usize = pairs_end,
        tail_start: usize = pairs_end,
        tail_end: usize = pairs_end + usize::from(tail),
        between: bool = between,
    }

    /// For the probes 0 .. k-1 (k at least 2) of `index_bits` bits that add `extension[i]` = f(i) to the multiples of h2;
    /// `between`: with a register between multiples and sums.
    pub fn new(extension: &[u64], index_bits: usize, between: bool) {
        let clocks = if between { "two clocks" } else { "one clock" };
        let k = extension.len();
        let extended = extension.iter().any(|&f| f > 0);
        let bases = if extended { k } else { 0 };
        let text = if extended {
            format!("Extended double hashing: probe i = h1 + i h2 + f(i), i = 0 to {}, modulo the range (KM section 5.2).", k - 1)
        } else {
            format!("Double hashing: probe i = h1 + i h2, i = 0 to {}, modulo the partition (KM section 3).", k - 1)
        };
        // multiple[0] stands for 1 h2, multiple[i - 1] for i h2; pairs 2j, 2j + 1 for j from 1, and a last even one
        let pairs_end = (k / 2).max(1);
        let tail = k % 2 == 1; // (k - 1) h2 has no odd companion
    }
}

impl Logic for Spread {
    #[hdl_gen]
    fn update(&mut self) {
        if self.between {
            for b in 0..self.bases {
                self.base[b].d.next = self.h1.val();
            }
            for e in 0..self.extended {
                self.base[e].d.next = self.h1.val() + self.extension[e].val();
            }
        }
        self.multiple[0].next = self.h2.val();
        for j in 1..self.pairs_end {
            self.multiple[j + j - 1].next = self.multiple[j - 1].val() << 1;
            self.multiple[j + j].next = (self.multiple[j - 1].val() << 1) + self.h2.val();
        }
        for j in self.tail_start..self.tail_end {
            self.multiple[j + j - 1].next = self.multiple[j - 1].val() << 1;
        }
        if self.between {
            self.position[0].d.next = self.base[0].q.val();
            for i in 1..self.k {
                self.scaled[i - 1].d.next = self.multiple[i - 1].val();
            }
            for i in 1..self.plain {
                self.position[i].d.next = self.base[0].q.val() + self.scaled[i - 1].q.val();
            }
            for i in 1..self.extended {
                self.position[i].d.next = self.base[i].q.val() + self.scaled[i - 1].q.val();
            }
        } else {
            self.position[0].d.next = self.h1.val();
            for e in 0..self.extended {
                self.position[e].d.next = self.h1.val() + self.extension[e].val();
            }
            for i in 1..self.plain {
                self.position[i].d.next = self.h1.val() + self.multiple[i - 1].val();
            }
            for i in 1..self.extended {
                self.position[i].d.next =
                    self.h1.val() + self.multiple[i - 1].val() + self.extension[i].val();
            }
        }
        for i in 0..self.k {
            self.index[i].next = self.position[i].q.val();
        }
    }
}
