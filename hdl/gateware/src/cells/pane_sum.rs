//! Estimate of a filter with two panes.

use crate::prelude::*;

block! {
    /// Adds the least cells of an item in two panes; a sum beyond the greatest value of a cell stays there. One clock.
    ///
    /// New inputs in every clock. No reset.
    pub struct PaneSum {
        about: About = About::new(
            "pane_sum",
            "The sum of an item's least cells in two panes, at most the greatest value of a cell.",
        ),
        pub clock: Signal<In, Clock>,
        pub first: Bus<In> = Bus::new(shape.cell_bits).doc("the least cell in one pane"),
        pub second: Bus<In> = Bus::new(shape.cell_bits).doc("the least cell in the other"),
        pub full: Wire<In> = Wire::default().doc("one of the item's cells is at its greatest value"),
        pub sum: Bus<Out> = Bus::new(shape.cell_bits).doc("stage D: their sum"),
        pub saturated: Wire<Out> = Wire::default().doc("stage D: a cell, or the sum, is beyond what a cell holds"),
        total: Bus<Local> = Bus::new(shape.cell_bits + 1),
        sum_r: Reg = Reg::new(shape.cell_bits),
        saturated_r: Flag,
        greatest: Const = Const::new(ones(shape.cell_bits), shape.cell_bits),
        carry: usize = shape.cell_bits,
        shape: CellShape = *shape,
    }

    /// For the cells of a pipeline of this shape.
    pub fn new(shape: &CellShape) {}
}

impl Logic for PaneSum {
    #[hdl_gen]
    fn update(&mut self) {
        self.total.next = bits_to(self.first.val(), self.shape.cell_bits + 1)
            + bits_to(self.second.val(), self.shape.cell_bits + 1);
        self.sum_r.d.next = bits_to(self.total.val(), self.shape.cell_bits);
        if self.total.val().get_bit(self.carry) {
            self.sum_r.d.next = self.greatest.val();
        }
        self.saturated_r.d.next = self.full.val() || self.total.val().get_bit(self.carry);
        self.sum.next = self.sum_r.q.val();
        self.saturated.next = self.saturated_r.q.val();
    }
}
