//! Pipeline slots: operation and flags of each stage.

use crate::prelude::*;

block! {
    /// Carries each slot's kind (item, inserting, with verdict) along the pipeline; the bits that a host sets join those that insert in stage 0.
    ///
    /// Bit vectors over the ranks from the key register to stage D.
    /// `reset` is synchronous and active high.
    pub struct SpareHalfSlots {
        about: About = About::new(
            "spare_half_slots",
            "What stands in each stage: an item, a bit that a host sets, or nothing.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empties every slot that has not been decided"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
        pub look: Vec<Wire<In>> = (0..shape.secret_per_half)
            .map(|_| {
                Wire::default()
                    .doc("what is accepted only looks: it neither inserts nor answers")
            })
            .collect(),
        pub adding: Optional<Wire<In>> = Optional::new(
            shape.array_access,
            Wire::default().doc("stage 0: a bit that a host sets"),
        ),
        pub accessing: Optional<Wire<In>> = Optional::new(
            shape.array_access,
            Wire::default().doc("no items, but bits for a host"),
        ),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub near_inserting: Bus<Out> = Bus::new(shape.near).doc(format!(
            "bit i: the slot in stage {} + i inserts",
            shape.bit_stage
        )),
        pub inserting_6: Wire<Out> = Wire::default()
            .doc(format!("the item in stage {} inserts", shape.bit_stage)),
        pub inserting_7: Wire<Out> = Wire::default()
            .doc(format!("the item in stage {} inserts", shape.bit_stage + 1)),
        pub far_inserting: Wire<Out> = Wire::default().doc("the slot in stage D - 1 inserts"),
        pub item: Wire<Out> = Wire::default().doc("stage D: an item"),
        pub inserting: Wire<Out> = Wire::default().doc("stage D: it inserts"),
        pub answering: Wire<Out> = Wire::default().doc("stage D: it wants a verdict"),
        pub storing: Wire<Out> = Wire::default().doc("stage D: it sets its bits"),
        item_line: Reg = Reg::new(line),
        insert_line: Reg = Reg::new(line),
        answer_line: Reg = Reg::new(line),
        entering_item: Wire<Local>,
        entering_insert: Wire<Local>,
        entering_answer: Wire<Local>,
        no_line: Const = Const::new(0, line),
        at_1: Const = at(1),
        at_6: Const = at(shape.bit_stage),
        at_7: Const = at(shape.bit_stage + 1),
        at_before: Const = at(shape.decision - 1),
        at_decision: Const = at(shape.decision),
        line: usize = line,
        shape: Shape = *shape,
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let line = shape.front + shape.decision;
        let at = |stage: usize| {
            let bit = shape.front - 1 + stage;
            Const::new(bit as u128, width_of(bit))
        };
    }
}

impl Logic for SpareHalfSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.entering_item.next = self.accept.val();
        self.entering_insert.next = self.accept.val() && (self.operation.val() != 0);
        self.entering_answer.next = self.accept.val() && (self.operation.val() != 1);
        for l in 0..self.shape.secret_per_half {
            self.entering_insert.next = self.entering_insert.val() && !self.look[l].val();
            self.entering_answer.next = self.entering_answer.val() && !self.look[l].val();
        }
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.entering_item.val(), self.line);
        if self.shape.array_access {
            self.insert_line.d.next = (self.insert_line.q.val() << 1)
                | bits_of(self.entering_insert.val(), self.line)
                | (bits_of(self.adding.val(), self.line) << self.at_1.val());
        } else {
            self.insert_line.d.next =
                (self.insert_line.q.val() << 1) | bits_of(self.entering_insert.val(), self.line);
        }
        self.answer_line.d.next =
            (self.answer_line.q.val() << 1) | bits_of(self.entering_answer.val(), self.line);
        if self.reset.val() {
            self.item_line.d.next = self.no_line.val();
            self.insert_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
        }

        comment!("before the decision");
        self.near_inserting.next =
            bits_to(self.insert_line.q.val() >> self.at_6.val(), self.shape.near);
        if self.shape.array_access {
            self.inserting_6.next =
                self.insert_line.q.val().get_bit(self.at_6.val()) && !self.accessing.val();
            self.inserting_7.next =
                self.insert_line.q.val().get_bit(self.at_7.val()) && !self.accessing.val();
        } else {
            self.inserting_6.next = self.insert_line.q.val().get_bit(self.at_6.val());
            self.inserting_7.next = self.insert_line.q.val().get_bit(self.at_7.val());
        }
        self.far_inserting.next = self.insert_line.q.val().get_bit(self.at_before.val());

        comment!("at the decision");
        self.item.next = self.item_line.q.val().get_bit(self.at_decision.val());
        self.inserting.next = self.insert_line.q.val().get_bit(self.at_decision.val());
        self.answering.next = self.answer_line.q.val().get_bit(self.at_decision.val());
        if self.shape.secret_per_half > 0 {
            comment!("what neither inserts nor answers is a look");
            self.item.next = self.item.val() && (self.inserting.val() || self.answering.val());
        }
        if self.shape.retain {
            self.storing.next = self.insert_line.q.val().get_bit(self.at_decision.val());
        } else {
            self.storing.next =
                self.insert_line.q.val().get_bit(self.at_decision.val()) && !self.trip.val();
        }
    }
}
