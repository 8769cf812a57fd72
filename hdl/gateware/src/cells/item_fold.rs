//! Combines the probes of one item: least cell and flags.

use crate::prelude::*;

block! {
    /// The least cell of an item and its flags, taken together from probes that stand in stage 6 one after the other.
    ///
    /// With the last probe of an item in stage 6 in clock c, its results show in clock c + 1.
    /// New inputs in every clock. No reset.
    pub struct ItemFold {
        about: About = About::new(
            "item_fold",
            "What the probes of an item come to, taken one after the other: the least cell, and the flags of all.",
        ),
        pub clock: Signal<In, Clock>,
        pub first: Wire<In> = Wire::default().doc("stage 6: an item's first probe"),
        pub above: Wire<In> = Wire::default().doc("stage 6: the probe's cell was above 0"),
        pub cell: Vec<Bus<In>> = (0..shape.counts).map(|_| Bus::new(shape.cell_bits).doc("stage 6: the cell, after it")).collect(),
        pub cell_full: Vec<Wire<In>> = (0..shape.counts).map(|_| Wire::default().doc("stage 6: it is at its greatest value")).collect(),
        pub underflow: Vec<Wire<In>> = (0..shape.removes).map(|_| Wire::default().doc("stage 6: it was to be taken from and was 0")).collect(),
        pub seen: Wire<Out> = Wire::default().doc("stage 7: all probes up to this one found their cell above 0"),
        pub least: Vec<Bus<Out>> = (0..shape.counts).map(|_| Bus::new(shape.cell_bits).doc("stage 7: the least of their cells")).collect(),
        pub full: Vec<Wire<Out>> = (0..shape.counts).map(|_| Wire::default().doc("stage 7: one of them is at its greatest value")).collect(),
        pub underflowed: Vec<Wire<Out>> = (0..shape.removes).map(|_| Wire::default().doc("stage 7: one of them was 0")).collect(),
        seen_r: Flag,
        least_r: Vec<Reg> = (0..shape.counts).map(|_| Reg::new(shape.cell_bits)).collect(),
        full_r: Vec<Flag> = (0..shape.counts).map(|_| Flag::default()).collect(),
        underflow_r: Vec<Flag> = (0..shape.removes).map(|_| Flag::default()).collect(),
        shape: CellShape = *shape,
    }

    /// For the cells of a pipeline of this shape.
    pub fn new(shape: &CellShape) {}
}

impl Logic for ItemFold {
    #[hdl_gen]
    fn update(&mut self) {
        self.seen_r.d.next = self.above.val() && (self.first.val() || self.seen_r.q.val());
        self.seen.next = self.seen_r.q.val();
        for c in 0..self.shape.counts {
            self.least_r[c].d.next = self.least_r[c].q.val();
            if self.first.val() || (self.cell[c].val() < self.least_r[c].q.val()) {
                self.least_r[c].d.next = self.cell[c].val();
            }
            self.full_r[c].d.next =
                self.cell_full[c].val() || (self.full_r[c].q.val() && !self.first.val());
            self.least[c].next = self.least_r[c].q.val();
            self.full[c].next = self.full_r[c].q.val();
        }
        for r in 0..self.shape.removes {
            self.underflow_r[r].d.next =
                self.underflow[r].val() || (self.underflow_r[r].q.val() && !self.first.val());
            self.underflowed[r].next = self.underflow_r[r].q.val();
        }
    }
}
