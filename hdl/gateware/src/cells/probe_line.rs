//! Serialises the positions of one item.

use crate::prelude::*;

block! {
    /// Takes the k positions of an item and gives them one a clock, the first at once.
    ///
    /// ```text
    /// clock    t (load)   t + 1     ...   t + k - 1
    /// index    p_0        p_1       ...   p_(k-1)
    /// ```
    /// New inputs in every clock. No reset.
    pub struct ProbeLine {
        about: About = About::new(
            "probe_line",
            format!("The {k} positions of an item, one a clock, the first at once."),
        ),
        pub clock: Signal<In, Clock>,
        pub load: Wire<In> = Wire::default().doc("positions are those of an item"),
        pub position: Vec<Bus<In>> = (0..k)
            .map(|i| Bus::new(bits).doc(format!("position of probe {i}")))
            .collect(),
        pub index: Bus<Out> = Bus::new(bits).doc("position of the probe whose turn it is"),
        waiting: Vec<Reg> = (1..k).map(|_| Reg::new(bits)).collect(),
        waiting_count: usize = k - 1,
        last: usize = k - 2,
    }

    /// For `k` positions (at least 2) of `bits` bits.
    pub fn new(k: usize, bits: usize) {}
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
