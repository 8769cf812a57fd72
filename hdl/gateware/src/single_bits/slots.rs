//! Pipeline slots: operation and flags of each stage.

use super::{DATA_STAGE, ROW_STAGE};
use crate::prelude::*;

/// Carries each slot's kind (item, inserting, with verdict) along the pipeline.
///
/// Bit vectors over the ranks from the key register to stage D.
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct SingleBitSlots {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub accept: Wire<In>,
    pub operation: Bus<In>,
    pub inserting_2: Wire<Out>,
    pub inserting_4: Wire<Out>,
    pub item: Wire<Out>,
    pub inserting: Wire<Out>,
    pub answering: Wire<Out>,
    item_line: Reg,
    insert_line: Reg,
    answer_line: Reg,
    no_line: Const,
    at_2: Const,
    at_4: Const,
    at_decision: Const,
    line: usize,
}

impl SingleBitSlots {
    /// The slots of a pipeline of this shape.
    pub fn new(shape: &CellShape) -> Self {
        let line = shape.front + shape.decision;
        let at = |stage: usize| {
            let bit = shape.front - 1 + stage;
            Const::new(bit as u128, width_of(bit))
        };
        Self {
            about: About::new(
                "single_bit_slots",
                "What stands in each stage: an item, or nothing.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("empties every slot"),
            accept: Wire::default().doc("an item is accepted"),
            operation: Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
            inserting_2: Wire::default().doc("the item in stage 2 inserts"),
            inserting_4: Wire::default().doc("the item in stage 4 inserts"),
            item: Wire::default().doc("stage D: an item"),
            inserting: Wire::default().doc("stage D: it inserts"),
            answering: Wire::default().doc("stage D: it wants a verdict"),
            item_line: Reg::new(line),
            insert_line: Reg::new(line),
            answer_line: Reg::new(line),
            no_line: Const::new(0, line),
            at_2: at(ROW_STAGE),
            at_4: at(DATA_STAGE),
            at_decision: at(shape.decision),
            line,
        }
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
