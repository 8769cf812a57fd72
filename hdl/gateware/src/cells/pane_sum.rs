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
    bits: usize,
    sum_bits: usize,
}

impl PaneSum {
    /// For the cells of a pipeline of this shape.
    pub fn new(shape: &CellShape) -> Self {
        let bits = shape.cell_bits;
        Self {
            about: About::new(
                "pane_sum",
                "The sum of an item's least cells in two panes, at most the greatest value of a cell.",
            ),
            clock: Default::default(),
            first: Bus::new(bits).doc("the least cell in one pane"),
            second: Bus::new(bits).doc("the least cell in the other"),
            full: Wire::default().doc("one of the item's cells is at its greatest value"),
            sum: Bus::new(bits).doc("stage D: their sum"),
            saturated: Wire::default().doc("stage D: a cell, or the sum, is beyond what a cell holds"),
            total: Bus::new(bits + 1),
            sum_r: Reg::new(bits),
            saturated_r: Default::default(),
            greatest: Const::new(ones(bits), bits),
            carry: bits,
            bits,
            sum_bits: bits + 1,
        }
    }
}

impl Logic for PaneSum {
    #[hdl_gen]
    fn update(&mut self) {
        self.total.next =
            bits_to(self.first.val(), self.sum_bits) + bits_to(self.second.val(), self.sum_bits);
        self.sum_r.d.next = bits_to(self.total.val(), self.bits);
        if self.total.val().get_bit(self.carry) {
            self.sum_r.d.next = self.greatest.val();
        }
        self.saturated_r.d.next = self.full.val() || self.total.val().get_bit(self.carry);
        self.sum.next = self.sum_r.q.val();
        self.saturated.next = self.saturated_r.q.val();
    }
}
