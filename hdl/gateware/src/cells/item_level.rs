//! Computes the level to which an insertion raises its cells (conservative update).

use crate::prelude::*;

/// Adds an item's amount to the least of its cells, and keeps the sum for its raises and its verdict.
///
/// With an item's last look in stage 7 the results show in the next clock, stage 8: the least cell that an insertion leaves, or that a query found. The level stays until the
/// next item's. It is no more than the greatest value of a cell. Source: Estan and Varghese, SIGCOMM 2002.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct ItemLevel {
    about: About,
    pub clock: Signal<In, Clock>,
    pub looked: Wire<In>,
    pub inserting: Wire<In>,
    pub least: Bus<In>,
    pub seen: Wire<In>,
    pub full: Wire<In>,
    pub amount: Vec<Bus<In>>,
    pub level: Bus<Out>,
    pub seen_before: Wire<Out>,
    pub saturated: Wire<Out>,
    addend: Bus<Local>,
    total: Bus<Local>,
    level_r: Reg,
    seen_r: Flag,
    full_r: Flag,
    one: Const,
    greatest: Const,
    carry: usize,
    shape: CellShape,
}

impl ItemLevel {
    /// For the cells of a pipeline of this shape.
    pub fn new(shape: &CellShape) -> Self {
        Self {
            about: About::new(
                "item_level",
                "The least of an item's cells and its amount: what an insertion raises them to. Source: Estan and Varghese, SIGCOMM 2002.",
            ),
            clock: Default::default(),
            looked: Wire::default().doc("stage 7: the last look of an item"),
            inserting: Wire::default().doc("stage 7: the item inserts"),
            least: Bus::new(shape.cell_bits).doc("stage 7: the least of its cells"),
            seen: Wire::default().doc("stage 7: all of them are above 0"),
            full: Wire::default().doc("stage 7: one of them is at its greatest value"),
            amount: (0..shape.amounts()).map(|_| Bus::new(shape.cell_bits).doc("stage 7: what the item adds")).collect(),
            level: Bus::new(shape.cell_bits).doc("stage 8 and on: the least of its cells after the item"),
            seen_before: Wire::default().doc("stage 8: all of them were above 0"),
            saturated: Wire::default().doc("stage 8: one of them is at its greatest value after the item"),
            addend: Bus::new(shape.cell_bits),
            total: Bus::new(shape.cell_bits + 1),
            level_r: Reg::new(shape.cell_bits),
            seen_r: Default::default(),
            full_r: Default::default(),
            one: Const::new(1, shape.cell_bits),
            greatest: Const::new(ones(shape.cell_bits), shape.cell_bits),
            carry: shape.cell_bits,
            shape: *shape,
        }
    }
}

impl Logic for ItemLevel {
    #[hdl_gen]
    fn update(&mut self) {
        self.addend.next = self.one.val();
        for a in 0..self.shape.amounts() {
            self.addend.next = self.amount[a].val();
        }
        self.total.next = bits_to(self.least.val(), self.shape.cell_bits + 1)
            + bits_to(self.addend.val(), self.shape.cell_bits + 1);
        self.level_r.d.next = self.level_r.q.val();
        if self.looked.val() {
            self.level_r.d.next = self.least.val();
            if self.inserting.val() {
                self.level_r.d.next = bits_to(self.total.val(), self.shape.cell_bits);
                if self.total.val().get_bit(self.carry) {
                    self.level_r.d.next = self.greatest.val();
                }
            }
        }
        self.seen_r.d.next = self.seen.val();
        self.full_r.d.next = self.full.val();
        self.level.next = self.level_r.q.val();
        self.seen_before.next = self.seen_r.q.val();
        self.saturated.next = self.full_r.q.val() || self.level_r.q.val().all();
    }
}
