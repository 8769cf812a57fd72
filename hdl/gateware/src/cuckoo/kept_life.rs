//! Whether an element in registers is live, kept up to date by the turns of its phase.

use super::{CuckooShape, Turns};
use crate::prelude::*;

/// Keeps whether an element is live, and whether it has been dead for a generation, from a clock in which that is known on.
///
/// `fresh`: the element that is taken in this clock is live. `given`: the flags of the one that is taken in this clock are those at the inputs. The flags at the outputs
/// are those of the element as it stands in its registers. No reset: an element that is not there has no use for flags.
#[derive(LogicBlock)]
pub struct KeptLife {
    about: About,
    pub clock: Signal<In, Clock>,
    pub turns: Turns<Slave>,
    pub phase: Bus<In>,
    pub generation: Bus<In>,
    pub fresh: Wire<In>,
    pub given: Wire<In>,
    pub given_live: Wire<In>,
    pub given_old: Wire<In>,
    pub live: Wire<Out>,
    pub old: Wire<Out>,
    pub was_old: Wire<Out>,
    live_r: Flag,
    old_r: Flag,
    turned: Wire<Local>,
    live_now: Wire<Local>,
    old_now: Wire<Local>,
}

impl KeptLife {
    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        Self {
            about: About::new(
                "kept_life",
                "Is an element in registers live, and has it been dead for a generation? Changes where its phase turns.",
            ),
            clock: Default::default(),
            turns: Turns::new(shape),
            phase: Bus::new(clog2(shape.lead.len())).doc("of the element"),
            generation: Bus::new(shape.generation_bits).doc("of the element"),
            fresh: Wire::default().doc("the element that is taken now is live"),
            given: Wire::default().doc("that of the element that is taken now is given"),
            given_live: Wire::default().doc("it is live"),
            given_old: Wire::default().doc("it has been dead for a generation"),
            live: Wire::default().doc("the element is live"),
            old: Wire::default().doc("it is not, and has not been so for a generation"),
            was_old: Wire::default().doc("so it was in the clock before"),
            live_r: Default::default(),
            old_r: Default::default(),
            turned: Default::default(),
            live_now: Default::default(),
            old_now: Default::default(),
        }
    }
}

impl Logic for KeptLife {
    #[hdl_gen]
    fn update(&mut self) {
        self.turned.next = self.turns.turned.val() && (self.phase.val() == self.turns.phase.val());
        self.live_now.next = self.live_r.q.val()
            && !(self.turned.val() && (self.generation.val() == self.turns.died.val()));
        self.old_now.next = self.old_r.q.val()
            || (self.turned.val() && (self.generation.val() == self.turns.aged.val()));
        self.live.next = self.live_now.val();
        self.old.next = self.old_now.val();
        self.was_old.next = self.old_r.q.val();
        self.live_r.d.next = self.live_now.val();
        self.old_r.d.next = self.old_now.val();
        if self.given.val() {
            self.live_r.d.next = self.given_live.val();
            self.old_r.d.next = self.given_old.val();
        }
        if self.fresh.val() {
            self.live_r.d.next = true;
            self.old_r.d.next = false;
        }
    }
}
