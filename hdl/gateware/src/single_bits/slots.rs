//! Pipeline slots: operation and flags of each stage.

use super::{DATA_STAGE, ROW_STAGE};
use crate::prelude::*;

block! {
    /// Carries each slot's kind (item, inserting, with verdict) along the pipeline.
    ///
    /// Bit vectors over the ranks from the key register to stage D.
    /// `reset` is synchronous and active high.
    pub struct SingleBitSlots {
        about: About = About::new(
            "single_bit_slots",
            "What stands in each stage: an item, or nothing.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empties every slot"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
        pub inserting_2: Wire<Out> = Wire::default().doc("the item in stage 2 inserts"),
        pub inserting_4: Wire<Out> = Wire::default().doc("the item in stage 4 inserts"),
        pub item: Wire<Out> = Wire::default().doc("stage D: an item"),
        pub inserting: Wire<Out> = Wire::default().doc("stage D: it inserts"),
        pub answering: Wire<Out> = Wire::default().doc("stage D: it wants a verdict"),
        item_line: Reg = Reg::new(line),
        insert_line: Reg = Reg::new(line),
        answer_line: Reg = Reg::new(line),
        no_line: Const = Const::new(0, line),
        at_2: Const = at(ROW_STAGE),
        at_4: Const = at(DATA_STAGE),
        at_decision: Const = at(shape.decision),
        line: usize = line,
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let line = shape.front + shape.decision;
        let at = |stage: usize| {
            let bit = shape.front - 1 + stage;
            Const::new(bit as u128, width_of(bit))
        };
    }
}

impl Logic for SingleBitSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.accept.val(), self.line);
        self.insert_line.d.next = (self.insert_line.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 0), self.line);
        self.answer_line.d.next = (self.answer_line.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 1), self.line);
        if self.reset.val() {
            self.item_line.d.next = self.no_line.val();
            self.insert_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
        }
        self.inserting_2.next = self.insert_line.q.val().get_bit(self.at_2.val());
        self.inserting_4.next = self.insert_line.q.val().get_bit(self.at_4.val());
        self.item.next = self.item_line.q.val().get_bit(self.at_decision.val());
        self.inserting.next = self.insert_line.q.val().get_bit(self.at_decision.val());
        self.answering.next = self.answer_line.q.val().get_bit(self.at_decision.val());
    }
}
