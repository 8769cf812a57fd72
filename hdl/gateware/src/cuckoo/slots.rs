//! Pipeline slots of a sliding-window filter on cuckoo tables: operation, flags and generations of each stage.

use super::{CuckooShape, Generations, Turns};
use crate::prelude::*;

/// Carries each slot's kind (item, element, with verdict) along the pipeline, and counts elements into generations and phases.
///
/// `reset` and `restart` begin anew with element 0; `reset` empties every slot.
#[derive(LogicBlock)]
pub struct CuckooSlots {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub restart: Wire<In>,
    pub accept: Wire<In>,
    pub operation: Bus<In>,
    pub occupied: Bus<Out>,
    pub generations: Generations<Master>,
    pub turns: Turns<Master>,
    pub stale: Bus<Out>,
    pub odd: Wire<Out>,
    pub item_6: Wire<Out>,
    pub answer_6: Wire<Out>,
    pub element_6: Wire<Out>,
    item_line: Reg,
    element_line: Reg,
    answer_line: Reg,
    elements: Reg,
    present_r: Reg,
    following_r: Reg,
    stale_r: Reg,
    turned_r: Reg,
    odd_r: Flag,
    turned_now: Flag,
    turned_phase: Reg,
    died: Reg,
    aged: Reg,
    counting: Wire<Local>,
    following_next: Bus<Local>,
    stale_next: Bus<Local>,
    turned_next: Bus<Local>,
    turning: Wire<Local>,
    turning_phase: Bus<Local>,
    at_age: Const,
    at_decision: Const,
    no_line: Const,
    no_elements: Const,
    last_element: Const,
    last_generation: Const,
    first_generation: Const,
    second_generation: Const,
    first_stale: Const,
    turns_at: Vec<Const>,
    line: usize,
    behind_front: usize,
    shape: CuckooShape,
}

impl CuckooSlots {
    /// The slots of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let line = shape.front + shape.decision;
        let stage = |s: usize| shape.front - 1 + s;
        let at = |bit: usize| Const::new(bit as u128, width_of(bit));
        let items = shape.generation_items;
        let count = width_of(items as usize - 1);
        let lines = || Reg::new(line);
        let number = |value: u128| Const::new(value, shape.generation_bits);
        let dead = shape.generation_values - shape.generations - 1;
        Self {
            about: About::new(
                "cuckoo_slots",
                format!("What stands in each stage: an item, an element, or nothing; and generations of {items} elements, in phases."),
            ),
            clock: Default::default(),
            reset: Wire::default().doc("empties every slot"),
            restart: Wire::default().doc("elements count from 0: nothing is in flight"),
            accept: Wire::default().doc("an item is accepted"),
            operation: Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
            occupied: Bus::new(3).doc("bit s: an item stands in stage s"),
            generations: Generations::new(shape),
            turns: Turns::new(shape),
            stale: Bus::new(shape.generation_bits).doc("the youngest generation that is not live in phase 0"),
            odd: Wire::default().doc("changes with each generation of phase 0"),
            item_6: Wire::default().doc("the slot in stage 6 is an item"),
            answer_6: Wire::default().doc("it wants a verdict"),
            element_6: Wire::default().doc("it is an element"),
            item_line: lines(),
            element_line: lines(),
            answer_line: lines(),
            elements: Reg::new(count).doc("elements of this generation"),
            present_r: Reg::new(shape.generation_bits),
            following_r: Reg::with_init(shape.generation_bits, 1),
            stale_r: Reg::with_init(shape.generation_bits, dead),
            turned_r: Reg::new(shape.lead.len()),
            odd_r: Default::default(),
            turned_now: Flag::default().doc("a phase turned at the end of the clock before"),
            turned_phase: Reg::new(clog2(shape.lead.len())).doc("that phase; generations are longer than there are phases"),
            died: Reg::new(shape.generation_bits),
            aged: Reg::new(shape.generation_bits),
            counting: Default::default(),
            following_next: Bus::new(shape.generation_bits),
            stale_next: Bus::new(shape.generation_bits),
            turned_next: Bus::new(shape.lead.len()),
            turning: Default::default(),
            turning_phase: Bus::new(clog2(shape.lead.len())),
            at_age: at(stage(shape.age)),
            at_decision: at(stage(shape.decision)),
            no_line: Const::new(0, line),
            no_elements: Const::new(0, count),
            last_element: Const::new(items - 1, count),
            last_generation: number(shape.generation_values - 1),
            first_generation: number(0),
            second_generation: number(1),
            first_stale: number(dead),
            turns_at: shape.lead[1..]
                .iter()
                .map(|lead| Const::new(items - lead - 1, count))
                .collect(),
            line,
            behind_front: stage(0),
            shape: shape.clone(),
        }
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
        self.occupied.next = bits_to(self.item_line.q.val() >> self.behind_front, 3);

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
                    self.turned_next.next = self.turned_next.val().replace_bit(p, true);
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
