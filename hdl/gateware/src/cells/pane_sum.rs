//! Estimate of a filter with two panes.

use crate::prelude::*;

/// Adds the least cells of an item in two panes; a sum beyond the greatest value of a cell stays there. One clock.
///
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct PaneSum {
    about: About,
    pub clock: Signal<In, Clock>,
    pub first: Bus<In>,
    pub second: Bus<In>,
    pub full: Wire<In>,
    pub sum: Bus<Out>,
    pub saturated: Wire<Out>,
    total: Bus<Local>,
    sum_r: Reg,
    saturated_r: Flag,
    greatest: Const,
    carry: usize,
    shape: CellShape,
}

impl PaneSum {
    /// For the cells of a pipeline of this shape.
    pub fn new(shape: &CellShape) -> Self {
        Self {
            about: About::new(
                "pane_sum",
                "The sum of an item's least cells in two panes, at most the greatest value of a cell.",
            ),
            clock: Default::default(),
            first: Bus::new(shape.cell_bits).doc("the least cell in one pane"),
            second: Bus::new(shape.cell_bits).doc("the least cell in the other"),
            full: Wire::default().doc("one of the item's cells is at its greatest value"),
            sum: Bus::new(shape.cell_bits).doc("stage D: their sum"),
            saturated: Wire::default().doc("stage D: a cell, or the sum, is beyond what a cell holds"),
            total: Bus::new(shape.cell_bits + 1),
            sum_r: Reg::new(shape.cell_bits),
            saturated_r: Default::default(),
            greatest: Const::new(ones(shape.cell_bits), shape.cell_bits),
            carry: shape.cell_bits,
            shape: *shape,
        }
    }
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
