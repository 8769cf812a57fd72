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
        pub occupied: Bus<Out> = Bus::new(shape.entry_stages()).doc(shape.stage_of("an item stands in")),
        pub generations: Generations<Master> = Generations::new(shape),
        pub turns: Turns<Master> = Turns::new(shape),
        pub stale: Bus<Out> = Bus::new(shape.generation_bits).doc("the youngest generation that is not live in phase 0"),
        pub odd: Wire<Out> = Wire::default().doc("changes with each generation of phase 0"),
        pub item_6: Wire<Out> = Wire::default().doc("the slot in stage 6 is an item"),
        pub answer_6: Wire<Out> = Wire::default().doc("it wants a verdict"),
        pub element_5: Wire<Out> = Wire::default().doc("the slot in stage 5 is an element"),
        pub element_6: Wire<Out> = Wire::default().doc("it is an element"),
        item_line: Reg = lines(),
        element_line: Reg = lines(),
        answer_line: Reg = lines(),
        elements: Reg = Reg::new(count).doc("elements of this generation"),
        present_r: Reg = Reg::new(shape.generation_bits),
        following_r: Reg = Reg::with_init(shape.generation_bits, 1),
        stale_r: Reg = Reg::with_init(shape.generation_bits, dead),
        turned_r: Reg = Reg::new(shape.lead.len()),
        odd_r: Flag,
        turned_now: Flag = Flag::default().doc("a phase turned at the end of the clock before"),
        turned_phase: Reg = Reg::new(clog2(shape.lead.len())).doc("that phase; generations are longer than there are phases"),
        died: Reg = Reg::new(shape.generation_bits),
        aged: Reg = Reg::new(shape.generation_bits),
        counting: Wire<Local>,
        following_next: Bus<Local> = Bus::new(shape.generation_bits),
        stale_next: Bus<Local> = Bus::new(shape.generation_bits),
        turned_next: Bus<Local> = Bus::new(shape.lead.len()),
        turning: Wire<Local>,
        turning_phase: Bus<Local> = Bus::new(clog2(shape.lead.len())),
        at_age: Const = at(stage(shape.age)),
        before_decision: Const = at(stage(shape.decision - 1)),
        at_decision: Const = at(stage(shape.decision)),
        no_line: Const = Const::new(0, line),
        no_elements: Const = Const::new(0, count),
        last_element: Const = Const::new(items - 1, count),
        last_generation: Const = number(shape.generation_values - 1),
        first_generation: Const = number(0),
        second_generation: Const = number(1),
        first_stale: Const = number(dead),
        turns_at: Vec<Const> = shape.lead[1..]
            .iter()
            .map(|lead| Const::new(items - lead - 1, count))
            .collect(),
        line: usize = line,
        behind_front: usize = stage(0) - shape.read_ahead,
        shape: CuckooShape = shape.clone(),
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let line = shape.front + shape.decision;
        let stage = |s: usize| shape.front - 1 + s;
        let at = |bit: usize| Const::new(bit as u128, width_of(bit));
        let items = shape.generation_items;
        let count = width_of(items as usize - 1);
        let lines = || Reg::new(line);
        let number = |value: u128| Const::new(value, shape.generation_bits);
        let dead = shape.generation_values - shape.generations - 1;
    }
}

impl Logic for CuckooSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.accept.val(), self.line);
        self.element_line.d.next = (self.element_line.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 0), self.line);
        self.answer_line.d.next = (self.answer_line.q.val() << 1)
            | bits_of(self.accept.val() && (self.operation.val() != 1), self.line);
        self.occupied.next = bits_to(
            self.item_line.q.val() >> self.behind_front,
            self.shape.entry_stages(),
        );

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
        self.turned_next.next = self.turned_r.q.val();
        self.odd_r.d.next = self.odd_r.q.val();
        self.turning.next = false;
        self.turning_phase.next = bits_to(0, self.shape.phase_bits());
        if self.counting.val() {
            self.elements.d.next = self.elements.q.val() + 1;
            for p in 1..self.shape.lead.len() {
                if self.elements.q.val() == self.turns_at[p - 1].val() {
                    self.turned_next.set_bit(p, true);
                    self.turning.next = true;
                    self.turning_phase.next = bits_to(p, self.shape.phase_bits());
                }
            }
            if self.elements.q.val() == self.last_element.val() {
                self.elements.d.next = self.no_elements.val();
                self.present_r.d.next = self.following_r.q.val();
                self.following_r.d.next = self.following_next.val();
                self.stale_r.d.next = self.stale_next.val();
                self.turned_next.next = bits_to(0, self.shape.lead.len());
                self.odd_r.d.next = !self.odd_r.q.val();
                self.turning.next = true;
            }
        }
        self.turned_r.d.next = self.turned_next.val();
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
        self.generations.turned.next = self.turned_r.q.val();
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
            self.turned_r.d.next = bits_to(0, self.shape.lead.len());
            self.turned_now.d.next = false;
            self.odd_r.d.next = false;
        }
        if self.reset.val() {
            self.item_line.d.next = self.no_line.val();
            self.element_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
        }
    }
}
