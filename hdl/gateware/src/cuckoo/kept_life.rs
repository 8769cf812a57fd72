//! Keeps track of whether an element in registers is live, as its phase turns.

use super::{CuckooShape, Turns};
use crate::prelude::*;

block! {
    /// Keeps whether an element is live, and whether it has been dead for a generation, from a clock in which that is known on.
    ///
    /// `fresh`: the element that is taken in this clock is live. `given`: the flags of the one that is taken in this clock are those at the inputs. The flags at the outputs
    /// are those of the element as it stands in its registers. A live element dies as its phase turns and `died` is its generation; a dead one has been so for a generation when its phase turns next.
    /// Latency: none from the turn to `live` and `old`; 1 clock for `was_old`. No reset: an element that is not there has no use for flags.
    pub struct KeptLife {
        about: About = About::new(
            "kept_life",
            "Is an element in registers live, and has it been dead for a generation? Changes where its phase turns.",
        ),
        pub clock: Signal<In, Clock>,
        pub turns: Turns<Slave> = Turns::new(shape),
        pub phase: Bus<In> = Bus::new(clog2(shape.lead.len())).doc("of the element"),
        pub generation: Bus<In> = Bus::new(shape.generation_bits).doc("of the element"),
        pub fresh: Wire<In> = Wire::default().doc("the element that is taken now is live"),
        pub given: Wire<In> = Wire::default().doc("that of the element that is taken now is given"),
        pub given_live: Wire<In> = Wire::default().doc("it is live"),
        pub given_old: Wire<In> = Wire::default().doc("it has been dead for a generation"),
        pub live: Wire<Out> = Wire::default().doc("the element is live"),
        pub old: Wire<Out> = Wire::default().doc("it is not, and has not been so for a generation"),
        pub was_old: Wire<Out> = Wire::default().doc("so it was in the clock before"),
        live_r: Flag,
        old_r: Flag,
        turned: Wire<Local>,
        live_now: Wire<Local>,
        old_now: Wire<Local>,
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {}
}

impl Logic for KeptLife {
    #[hdl_gen]
    fn update(&mut self) {
        self.turned.next = self.turns.turned.val() && (self.phase.val() == self.turns.phase.val());
        self.live_now.next = self.live_r.q.val()
            && !(self.turned.val() && (self.generation.val() == self.turns.died.val()));
        self.old_now.next = self.old_r.q.val() || (self.turned.val() && !self.live_r.q.val());
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
