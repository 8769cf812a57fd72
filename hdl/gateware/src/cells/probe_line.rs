//! Serialises the positions of one item.

use crate::prelude::*;

/// Takes the k positions of an item and gives them one a clock, the first at once.
///
/// ```text
/// clock    t (load)   t + 1     ...   t + k - 1
/// index    p_0        p_1       ...   p_(k-1)
/// ```
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct ProbeLine {
    about: About,
    pub clock: Signal<In, Clock>,
    pub load: Wire<In>,
    pub position: Vec<Bus<In>>,
    pub index: Bus<Out>,
    waiting: Vec<Reg>,
    waiting_count: usize,
    last: usize,
}

impl ProbeLine {
    /// For `k` positions (at least 2) of `bits` bits.
    pub fn new(k: usize, bits: usize) -> Self {
        Self {
            about: About::new(
                "probe_line",
                format!("The {k} positions of an item, one a clock, the first at once."),
            ),
            clock: Default::default(),
            load: Wire::default().doc("positions are those of an item"),
            position: (0..k)
                .map(|i| Bus::new(bits).doc(format!("position of probe {i}")))
                .collect(),
            index: Bus::new(bits).doc("position of the probe whose turn it is"),
            waiting: (1..k).map(|_| Reg::new(bits)).collect(),
            waiting_count: k - 1,
            last: k - 2,
        }
    }
}

impl Logic for ProbeLine {
    #[hdl_gen]
    fn update(&mut self) {
        self.index.next = self.waiting[0].q.val();
        for i in 0..self.waiting_count {
            self.waiting[i].d.next = self.waiting[i].q.val();
        }
        for i in 0..self.last {
            self.waiting[i].d.next = self.waiting[i + 1].q.val();
        }
        if self.load.val() {
            self.index.next = self.position[0].val();
            for i in 0..self.waiting_count {
                self.waiting[i].d.next = self.position[i + 1].val();
            }
        }
    }
}
