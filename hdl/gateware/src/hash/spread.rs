//! Double hashing.

use crate::prelude::*;

/// `g_i = h1 + i h2 mod m'` for i = 0 .. k-1 (KM section 3, partitioned; m' a power of two, so the sum wraps). Two clocks: multiples of h2, then sums.
#[derive(LogicBlock)]
pub struct Spread {
    about: About,
    pub clock: Signal<In, Clock>,
    pub h1: Bus<In>,
    pub h2: Bus<In>,
    pub index: Vec<Bus<Out>>,
    multiple: Vec<Bus<Local>>,
    base: Reg,
    scaled: Vec<Reg>,
    position: Vec<Reg>,
    _k: usize,
    _pairs_end: usize,
    _tail_start: usize,
    _tail_end: usize,
}

impl Spread {
    /// For `k` probes (at least 2) of `index_bits` bits.
    pub fn new(k: usize, index_bits: usize) -> Self {
        // multiple[0] stands for 1 h2, multiple[i - 1] for i h2; pairs 2j, 2j + 1 for j from 1, and a last even one
        let pairs_end = (k / 2).max(1);
        let tail = k % 2 == 1; // (k - 1) h2 has no odd companion
        Self {
            about: About::new("hash_spread", format!("Double hashing: probe i = h1 + i h2, i = 0 to {}, modulo the partition (KM section 3).", k - 1)),
            clock: Default::default(),
            h1: Bus::new(index_bits).doc("first hash value"),
            h2: Bus::new(index_bits).doc("second hash value"),
            index: (0..k).map(|i| Bus::new(index_bits).doc(format!("probe {i}, two clocks later"))).collect(),
            multiple: (1..k).map(|_| Bus::new(index_bits)).collect(),
            base: Reg::new(index_bits),
            scaled: (1..k).map(|_| Reg::new(index_bits)).collect(),
            position: (0..k).map(|_| Reg::new(index_bits)).collect(),
            _k: k,
            _pairs_end: pairs_end,
            _tail_start: pairs_end,
            _tail_end: pairs_end + usize::from(tail),
        }
    }
}

impl Logic for Spread {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, base);
        self.base.d.next = self.h1.val();
        self.multiple[0].next = self.h2.val();
        for j in 1..self._pairs_end {
            self.multiple[j + j - 1].next = self.multiple[j - 1].val() << 1;
            self.multiple[j + j].next = (self.multiple[j - 1].val() << 1) + self.h2.val();
        }
        for j in self._tail_start..self._tail_end {
            self.multiple[j + j - 1].next = self.multiple[j - 1].val() << 1;
        }
        self.position[0].clock.next = self.clock.val();
        self.position[0].d.next = self.base.q.val();
        for i in 1..self._k {
            self.scaled[i - 1].clock.next = self.clock.val();
            self.scaled[i - 1].d.next = self.multiple[i - 1].val();
            self.position[i].clock.next = self.clock.val();
            self.position[i].d.next = self.base.q.val() + self.scaled[i - 1].q.val();
        }
        for i in 0..self._k {
            self.index[i].next = self.position[i].q.val();
        }
    }
}
