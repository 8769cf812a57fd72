//! Pipeline slots: operation and flags of each stage.

use super::{AHEAD, COUNT_STAGE, DATA_STAGE, ROW_STAGE};
use crate::prelude::*;

block! {
    /// Carries each slot's kind (item, inserting or removing, with verdict) along the pipeline.
    ///
    /// Bit vectors over the ranks from the key register to stage D.
    /// `reset` is synchronous and active high.
    pub struct InPlaceSlots {
        about: About = About::new(
            "in_place_slots",
            "What stands in each stage: an item, or nothing.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empties every slot"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc(operations),
        pub inserting_2: Optional<Wire<Out>> = Optional::new(bits, Wire::default().doc("the item in stage 2 inserts")),
        pub inserting_4: Optional<Wire<Out>> = Optional::new(bits, Wire::default().doc("the item in stage 4 inserts")),
        pub inserting_3: Optional<Wire<Out>> = Optional::new(!bits, Wire::default().doc("the item in stage 3 inserts")),
        pub removing_3: Optional<Wire<Out>> = Optional::new(removes, Wire::default().doc("the item in stage 3 removes")),
        pub ahead: Optional<Bus<Out>> = Optional::new(!bits, Bus::new(AHEAD).doc("bit i: an item stands in stage 3 + i")),
        pub item: Wire<Out> = Wire::default().doc("stage D: an item"),
        pub inserting: Wire<Out> = Wire::default().doc("stage D: it inserts"),
        pub removing: Optional<Wire<Out>> = Optional::new(removes, Wire::default().doc("stage D: it removes")),
        pub answering: Wire<Out> = Wire::default().doc("stage D: it wants a verdict"),
        item_line: Reg = Reg::new(line),
        insert_line: Reg = Reg::new(line),
        remove_line: Optional<Reg> = Optional::new(removes, Reg::new(line)),
        answer_line: Reg = Reg::new(line),
        inserts: Wire<Local>,
        no_line: Const = Const::new(0, line),
        at_2: Const = at(ROW_STAGE),
        at_4: Const = at(DATA_STAGE),
        at_3: Const = at(COUNT_STAGE),
        at_decision: Const = at(shape.decision),
        line: usize = line,
        ahead_from: usize = shape.front - 1 + COUNT_STAGE,
        bits: bool = bits,
        removes: bool = removes,
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let line = shape.front + shape.decision;
        let bits = shape.counts == 0;
        let removes = shape.removes > 0;
        let operations = match removes {
            false => "0 query, 1 insert, 2 and 3 test-and-insert",
            true => "0 query, 1 insert, 2 test-and-insert, 3 remove",
        };
        let at = |stage: usize| {
            let bit = shape.front - 1 + stage;
            Const::new(bit as u128, width_of(bit))
        };
    }
}

impl Logic for InPlaceSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.accept.val(), self.line);
        self.inserts.next = self.operation.val() != 0;
        if self.removes {
            self.inserts.next = (self.operation.val() != 0) && (self.operation.val() != 3);
            self.remove_line.d.next = (self.remove_line.q.val() << 1)
                | bits_of(self.accept.val() && (self.operation.val() == 3), self.line);
        }
        self.insert_line.d.next = (self.insert_line.q.val() << 1)
            | bits_of(self.accept.val() && self.inserts.val(), self.line);
        self.answer_line.d.next = (self.answer_line.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 1), self.line);
        if self.reset.val() {
            self.item_line.d.next = self.no_line.val();
            self.insert_line.d.next = self.no_line.val();
            if self.removes {
                self.remove_line.d.next = self.no_line.val();
            }
            self.answer_line.d.next = self.no_line.val();
        }
        if self.bits {
            self.inserting_2.next = self.insert_line.q.val().get_bit(self.at_2.val());
            self.inserting_4.next = self.insert_line.q.val().get_bit(self.at_4.val());
        } else {
            self.inserting_3.next = self.insert_line.q.val().get_bit(self.at_3.val());
            self.ahead.next = bits_to(self.item_line.q.val() >> self.ahead_from, AHEAD);
        }
        if self.removes {
            self.removing_3.next = self.remove_line.q.val().get_bit(self.at_3.val());
            self.removing.next = self.remove_line.q.val().get_bit(self.at_decision.val());
        }
        self.item.next = self.item_line.q.val().get_bit(self.at_decision.val());
        self.inserting.next = self.insert_line.q.val().get_bit(self.at_decision.val());
        self.answering.next = self.answer_line.q.val().get_bit(self.at_decision.val());
    }
}
