//! Pipeline slots of a sliding-window filter on cuckoo tables: operation, flags and generations of each stage.

use super::{CuckooShape, Generations, Turns};
use crate::prelude::*;

block! {
    /// Carries each slot's kind (item, element, with verdict) along the pipeline, and counts elements into generations and phases.
    ///
    /// `reset` and `restart` begin anew with element 0; `reset` empties every slot.
    pub struct CuckooSlots {
        about: About = About::new(
            "cuckoo_slots",
            format!("What stands in each stage: an item, an element, or nothing; and generations of {items} elements, in phases."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empties every slot"),
        pub restart: Wire<In> = Wire::default().doc("elements count from 0: nothing is in flight"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
        pub arrives: Wire<Out> = Wire::default().doc("an item leaves the hash unit"),
        pub arrives_element: Wire<Out> = Wire::default().doc("it is an element"),
        pub arrives_answer: Wire<Out> = Wire::default().doc("it wants a verdict"),
        pub enters: Wire<In> = Wire::default().doc("an item goes on to the tables: its identity is in the register behind the hash unit in the next clock"),
        pub enters_element: Wire<In> = Wire::default().doc("it is an element"),
        pub enters_answer: Wire<In> = Wire::default().doc("it wants a verdict"),
        pub entering: Wire<Out> = Wire::default().doc(format!("an item stands in stage {}", shape.entry())),
        pub item_2: Wire<Out> = Wire::default().doc("an item stands in stage 2"),
        pub generations: Generations<Master> = Generations::new(shape),
        pub turns: Turns<Master> = Turns::new(shape),
        pub stale: Bus<Out> = Bus::new(shape.generation_bits).doc("the youngest generation that is not live in phase 0"),
        pub odd: Wire<Out> = Wire::default().doc("changes with each generation of phase 0"),
        pub item_6: Wire<Out> = Wire::default().doc("the slot in stage 6 is an item"),
        pub answer_6: Wire<Out> = Wire::default().doc("it wants a verdict"),
        pub element_5: Wire<Out> = Wire::default().doc("the slot in stage 5 is an element"),
        pub element_6: Wire<Out> = Wire::default().doc("it is an element"),
        item_front: Reg = front(),
        element_front: Reg = front(),
        answer_front: Reg = front(),
        item_line: Reg = lines(),
        element_line: Reg = lines(),
        answer_line: Reg = lines(),
        elements: Reg = Reg::new(count).doc("elements of this generation"),
        present_r: Reg = Reg::new(shape.generation_bits),
        following_r: Reg = Reg::with_init(shape.generation_bits, 1),
        stale_r: Reg = Reg::with_init(shape.generation_bits, dead),
        unturned_r: Reg = Reg::with_init(shape.phase_bits(), shape.lead.len() as u128 - 1).doc("the highest phase that has not turned"),
        odd_r: Flag,
        turned_now: Flag = Flag::default().doc("a phase turned at the end of the clock before"),
        turned_phase: Reg = Reg::new(clog2(shape.lead.len())).doc("that phase; generations are longer than there are phases"),
        died: Reg = Reg::new(shape.generation_bits),
        aged: Reg = Reg::new(shape.generation_bits),
        counting: Wire<Local>,
        following_next: Bus<Local> = Bus::new(shape.generation_bits),
        stale_next: Bus<Local> = Bus::new(shape.generation_bits),
        unturned_next: Bus<Local> = Bus::new(shape.phase_bits()),
        turning: Wire<Local>,
        turning_phase: Bus<Local> = Bus::new(clog2(shape.lead.len())),
        at_arrival: Const = at(shape.hash_stages - 1),
        at_entry: Const = at(1),
        at_2: Const = at(stage(2)),
        at_age: Const = at(stage(shape.age)),
        before_decision: Const = at(stage(shape.decision - 1)),
        at_decision: Const = at(stage(shape.decision)),
        no_front: Const = Const::new(0, shape.hash_stages),
        no_line: Const = Const::new(0, line),
        no_elements: Const = Const::new(0, count),
        last_element: Const = Const::new(items - 1, count),
        last_generation: Const = number(shape.generation_values - 1),
        first_generation: Const = number(0),
        second_generation: Const = number(1),
        first_stale: Const = number(dead),
        last_phase: Const = Const::new(shape.lead.len() as u128 - 1, shape.phase_bits()),
        turns_at: Vec<Const> = shape.lead[1..]
            .iter()
            .map(|lead| Const::new(items - lead - 1, count))
            .collect(),
        line: usize = line,
        front: usize = shape.hash_stages,
        shape: CuckooShape = shape.clone(),
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let line = shape.read_ahead + shape.decision + 2;
        let stage = |s: usize| shape.read_ahead + 1 + s;
        let at = |bit: usize| Const::new(bit as u128, width_of(bit));
        let items = shape.generation_items;
        let count = width_of(items as usize - 1);
        let front = || Reg::new(shape.hash_stages);
        let lines = || Reg::new(line);
        let number = |value: u128| Const::new(value, shape.generation_bits);
        let dead = shape.generation_values - shape.generations - 1;
    }
}

impl Logic for CuckooSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.item_front.d.next =
            (self.item_front.q.val() << 1) | bits_of(self.accept.val(), self.front);
        self.element_front.d.next = (self.element_front.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 0), self.front);
        self.answer_front.d.next = (self.answer_front.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 1), self.front);
        self.arrives.next = self.item_front.q.val().get_bit(self.at_arrival.val());
        self.arrives_element.next = self.element_front.q.val().get_bit(self.at_arrival.val());
        self.arrives_answer.next = self.answer_front.q.val().get_bit(self.at_arrival.val());
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.enters.val(), self.line);
        self.element_line.d.next = (self.element_line.q.val() << 1)
            | bits_of(self.enters.val() && self.enters_element.val(), self.line);
        self.answer_line.d.next = (self.answer_line.q.val() << 1)
            | bits_of(self.enters.val() && self.enters_answer.val(), self.line);
        self.entering.next = self.item_line.q.val().get_bit(self.at_entry.val());
        self.item_2.next = self.item_line.q.val().get_bit(self.at_2.val());

        comment!("elements count where they meet their generation, in stage 3; phase p turns p/8 of a generation earlier");
        self.counting.next = self.element_line.q.val().get_bit(self.at_age.val());
        self.following_next.next = self.following_r.q.val() + 1;
        if self.following_r.q.val() == self.last_generation.val() {
            self.following_next.next = self.first_generation.val();
        }
        self.stale_next.next = self.stale_r.q.val() + 1;
        if self.stale_r.q.val() == self.last_generation.val() {
            self.stale_next.next = self.first_generation.val();
        }
        self.elements.d.next = self.elements.q.val();
        self.present_r.d.next = self.present_r.q.val();
        self.following_r.d.next = self.following_r.q.val();
        self.stale_r.d.next = self.stale_r.q.val();
        self.unturned_next.next = self.unturned_r.q.val();
        self.odd_r.d.next = self.odd_r.q.val();
        self.turning.next = false;
        self.turning_phase.next = bits_to(0, self.shape.phase_bits());
        if self.counting.val() {
            self.elements.d.next = self.elements.q.val() + 1;
            for p in 1..self.shape.lead.len() {
                if self.elements.q.val() == self.turns_at[p - 1].val() {
                    self.unturned_next.next = bits_to(p - 1, self.shape.phase_bits());
                    self.turning.next = true;
                    self.turning_phase.next = bits_to(p, self.shape.phase_bits());
                }
            }
            if self.elements.q.val() == self.last_element.val() {
                self.elements.d.next = self.no_elements.val();
                self.present_r.d.next = self.following_r.q.val();
                self.following_r.d.next = self.following_next.val();
                self.stale_r.d.next = self.stale_next.val();
                self.unturned_next.next = self.last_phase.val();
                self.odd_r.d.next = !self.odd_r.q.val();
                self.turning.next = true;
            }
        }
        self.unturned_r.d.next = self.unturned_next.val();
        self.turned_now.d.next = self.turning.val();
        self.turned_phase.d.next = self.turning_phase.val();
        self.died.d.next = self.stale_next.val();
        self.aged.d.next = self.stale_r.q.val();
        self.turns.turned.next = self.turned_now.q.val();
        self.turns.phase.next = self.turned_phase.q.val();
        self.turns.died.next = self.died.q.val();
        self.turns.aged.next = self.aged.q.val();
        self.generations.newest.next = self.present_r.q.val();
        self.generations.following.next = self.following_r.q.val();
        self.stale.next = self.stale_r.q.val();
        self.generations.unturned.next = self.unturned_r.q.val();
        self.odd.next = self.odd_r.q.val();

        self.item_6.next = self.item_line.q.val().get_bit(self.at_decision.val());
        self.answer_6.next = self.answer_line.q.val().get_bit(self.at_decision.val());
        self.element_5.next = self
            .element_line
            .q
            .val()
            .get_bit(self.before_decision.val());
        self.element_6.next = self.element_line.q.val().get_bit(self.at_decision.val());

        if self.restart.val() || self.reset.val() {
            self.elements.d.next = self.no_elements.val();
            self.present_r.d.next = self.first_generation.val();
            self.following_r.d.next = self.second_generation.val();
            self.stale_r.d.next = self.first_stale.val();
            self.unturned_r.d.next = self.last_phase.val();
            self.turned_now.d.next = false;
            self.odd_r.d.next = false;
        }
        if self.reset.val() {
            self.item_front.d.next = self.no_front.val();
            self.element_front.d.next = self.no_front.val();
            self.answer_front.d.next = self.no_front.val();
            self.item_line.d.next = self.no_line.val();
            self.element_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
        }
    }
}
