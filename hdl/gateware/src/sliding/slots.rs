//! Pipeline slots of a sliding-window filter: operation, tag, flags and generation of each stage.

use crate::prelude::*;
use crate::sliding::SlidingShape;

block! {
    /// Carries each slot's kind (item, element, with verdict; scan; wipe) along the pipeline, counts elements into generations, and says which bucket a scan visits.
    ///
    /// `reset` empties what has not reached stage D; what stands in D or W writes all the same.
    pub struct SlidingSlots {
        about: About = About::new(
            "sliding_slots",
            "What stands in each stage: an item, a scan, a wipe or nothing; and the generation that it stands in.\nThe scan visits the buckets in turn.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empties every slot that has not been decided"),
        pub restart: Wire<In> = Wire::default().doc("elements count from 0: nothing is in flight"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
        pub scan: Wire<In> = Wire::default().doc("a scan is issued"),
        pub wipe: Wire<In> = Wire::default().doc("a wipe is issued"),
        pub scanning: Wire<Out> = Wire::default().doc(format!("the slot entering stage {entry} is a scan or a wipe")),
        pub scan_address: Bus<Out> = Bus::new(shape.front_bits).doc("its bucket"),
        pub generation: Bus<Out> = Bus::new(shape.generation_bits).doc("of the slot in stage 3"),
        pub reading_3: Vec<Wire<Out>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("the slot in stage 3 reads cells: an item or a scan"))
            .collect(),
        pub item_6: Wire<Out> = Wire::default().doc("the slot in stage 6 is an item"),
        pub answer_6: Wire<Out> = Wire::default().doc("it wants a verdict"),
        pub element_6: Wire<Out> = Wire::default().doc("it is an element"),
        pub scan_6: Wire<Out> = Wire::default().doc("the slot in stage 6 is a scan"),
        pub wipe_6: Wire<Out> = Wire::default().doc("the slot in stage 6 is a wipe"),
        pub sets: Wire<Out> = Wire::default().doc("the slot in stage 7 is an element"),
        pub write_generation: Bus<Out> = Bus::new(shape.generation_bits).doc("that the slot in stage 7 writes: of an element its own, of a scan the youngest stale one"),
        item_line: Reg = lines(),
        element_line: Reg = lines(),
        answer_line: Reg = lines(),
        scan_line: Reg = lines(),
        wipe_line: Reg = lines(),
        address: Reg = Reg::new(shape.front_bits),
        elements: Reg = Reg::new(count).doc("elements of this generation"),
        generation_r: Reg = generations(),
        generation_4: Reg = generations(),
        generation_5: Reg = generations(),
        generation_6: Reg = generations(),
        write_generation_r: Reg = generations(),
        sets_r: Flag,
        entering: Wire<Local>,
        counting: Wire<Local>,
        front_last: Const = at(shape.front - 2 - shape.read_ahead),
        at_age: Const = at(stage(shape.age)),
        at_decision: Const = at(stage(shape.decision)),
        no_line: Const = Const::new(0, line),
        no_address: Const = Const::new(0, shape.front_bits),
        no_elements: Const = Const::new(0, count),
        last_element: Const = Const::new(shape.generation_items - 1, count),
        first_generation: Const = Const::new(0, shape.generation_bits),
        to_stale: Const = Const::new(shape.generations + 1, shape.generation_bits)
            .doc("age of the youngest stale generation"),
        line: usize = line,
        shape: SlidingShape = *shape,
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &SlidingShape) {
        let line = shape.front + shape.decision;
        let stage = |s: usize| shape.front - 1 + s;
        let at = |bit: usize| Const::new(bit as u128, width_of(bit));
        let entry = shape.entry();
        let count = width_of(shape.generation_items as usize - 1);
        let lines = || Reg::new(line);
        let generations = || Reg::new(shape.generation_bits);
    }
}

impl Logic for SlidingSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.accept.val(), self.line);
        self.element_line.d.next = (self.element_line.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 0), self.line);
        self.answer_line.d.next = (self.answer_line.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 1), self.line);
        self.scan_line.d.next = (self.scan_line.q.val() << 1) | bits_of(self.scan.val(), self.line);
        self.wipe_line.d.next = (self.wipe_line.q.val() << 1) | bits_of(self.wipe.val(), self.line);

        if self.shape.ecc == 0 {
            comment!("a scan takes its bucket where it enters stage 0");
        }
        if self.shape.ecc == 1 {
            comment!("a scan takes its bucket where it enters stage -2");
        }
        self.entering.next = self.scan_line.q.val().get_bit(self.front_last.val())
            || self.wipe_line.q.val().get_bit(self.front_last.val());
        self.scanning.next = self.entering.val();
        self.scan_address.next = self.address.q.val();
        self.address.d.next = self.address.q.val();
        if self.entering.val() {
            self.address.d.next = self.address.q.val() + 1;
        }

        comment!("elements count where they meet their generation, in stage 3");
        self.counting.next = self.element_line.q.val().get_bit(self.at_age.val());
        self.elements.d.next = self.elements.q.val();
        self.generation_r.d.next = self.generation_r.q.val();
        if self.counting.val() {
            self.elements.d.next = self.elements.q.val() + 1;
            if self.elements.q.val() == self.last_element.val() {
                self.elements.d.next = self.no_elements.val();
                self.generation_r.d.next = self.generation_r.q.val() + 1;
            }
        }
        self.generation.next = self.generation_r.q.val();
        for e in 0..self.shape.ecc {
            self.reading_3[e].next = !self.reset.val()
                && (self.item_line.q.val().get_bit(self.at_age.val())
                    || self.scan_line.q.val().get_bit(self.at_age.val()));
        }
        self.generation_4.d.next = self.generation_r.q.val();
        self.generation_5.d.next = self.generation_4.q.val();
        self.generation_6.d.next = self.generation_5.q.val();

        comment!("stage 6, and what is written in stage 7");
        self.item_6.next = self.item_line.q.val().get_bit(self.at_decision.val());
        self.answer_6.next = self.answer_line.q.val().get_bit(self.at_decision.val());
        self.element_6.next = self.element_line.q.val().get_bit(self.at_decision.val());
        self.scan_6.next = self.scan_line.q.val().get_bit(self.at_decision.val());
        self.wipe_6.next = self.wipe_line.q.val().get_bit(self.at_decision.val());
        self.sets_r.d.next = self.element_line.q.val().get_bit(self.at_decision.val());
        self.sets.next = self.sets_r.q.val();
        self.write_generation_r.d.next = self.generation_6.q.val() - self.to_stale.val();
        if self.element_line.q.val().get_bit(self.at_decision.val()) {
            self.write_generation_r.d.next = self.generation_6.q.val();
        }
        self.write_generation.next = self.write_generation_r.q.val();

        if self.restart.val() || self.reset.val() {
            self.elements.d.next = self.no_elements.val();
            self.generation_r.d.next = self.first_generation.val();
        }
        if self.reset.val() {
            self.address.d.next = self.no_address.val();
            self.item_line.d.next = self.no_line.val();
            self.element_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
            self.scan_line.d.next = self.no_line.val();
            self.wipe_line.d.next = self.no_line.val();
        }
    }
}
