//! Computes the level to which an insertion raises its cells (conservative update).

use crate::prelude::*;

block! {
    /// Adds an item's amount to the least of its cells, and keeps the sum for its raises and its verdict.
    ///
    /// With an item's last look in stage 7 the results show in the next clock, stage 8: the least cell that an insertion leaves, or that a query found. The level stays until the
    /// next item's. It is no more than the greatest value of a cell. Source: Estan and Varghese, SIGCOMM 2002.
    /// New inputs in every clock. No reset.
    pub struct ItemLevel {
        about: About = About::new(
            "item_level",
            "The least of an item's cells and its amount: what an insertion raises them to. Source: Estan and Varghese, SIGCOMM 2002.",
        ),
        pub clock: Signal<In, Clock>,
        pub looked: Wire<In> = Wire::default().doc("stage 7: the last look of an item"),
        pub inserting: Wire<In> = Wire::default().doc("stage 7: the item inserts"),
        pub least: Bus<In> = Bus::new(shape.cell_bits).doc("stage 7: the least of its cells"),
        pub seen: Wire<In> = Wire::default().doc("stage 7: all of them are above 0"),
        pub full: Wire<In> = Wire::default().doc("stage 7: one of them is at its greatest value"),
        pub amount: Vec<Bus<In>> = (0..shape.amounts()).map(|_| Bus::new(shape.cell_bits).doc("stage 7: what the item adds")).collect(),
        pub level: Bus<Out> = Bus::new(shape.cell_bits).doc("stage 8 and on: the least of its cells after the item"),
        pub seen_before: Wire<Out> = Wire::default().doc("stage 8: all of them were above 0"),
        pub saturated: Wire<Out> = Wire::default().doc("stage 8: one of them is at its greatest value after the item"),
        addend: Bus<Local> = Bus::new(shape.cell_bits),
        total: Bus<Local> = Bus::new(shape.cell_bits + 1),
        level_r: Reg = Reg::new(shape.cell_bits),
        seen_r: Flag,
        full_r: Flag,
        one: Const = Const::new(1, shape.cell_bits),
        greatest: Const = Const::new(ones(shape.cell_bits), shape.cell_bits),
        carry: usize = shape.cell_bits,
        shape: CellShape = *shape,
    }

    /// For the cells of a pipeline of this shape.
    pub fn new(shape: &CellShape) {}
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
