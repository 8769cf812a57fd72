//! Self-check of the control logic: decides when it is restarted.

use crate::prelude::*;

/// Clocks without an item that have no reason, after which the stream has stopped: far more than any drain takes.
const STOPPED_CLOCKS: usize = 8190;

block! {
    /// Restarts the verdict queue and the sequencer when they contradict themselves, when the stream has stopped, or on command.
    ///
    /// `recover` makes the sequencer drain; when it loads, nothing is on its way and `restart` empties the queue.
    /// Rules: `docs/soft-errors.md`. `reset` is synchronous and active high.
    pub struct SelfCheck {
        about: About = About::new(
            "self_check",
            "Restarts the verdict queue and the sequencer: when their counts contradict each other, when no item was taken for\n8190 clocks without a reason, or on command. Drains first.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("nothing is restarted"),
        pub asked: Wire<In> = Wire::default().doc("a restart was written"),
        pub trouble: Wire<In> = Wire::default().doc("the queue contradicts itself"),
        pub moving: Wire<In> = Wire::default().doc("items are taken, or have a reason to wait: a verdict that nobody takes, epochs"),
        pub loading: Wire<In> = Wire::default().doc("the sequencer has drained, and loads"),
        pub recover: Wire<Out> = Wire::default().doc("drain now"),
        pub restart: Wire<Out> = Wire::default().doc("empty the queue now"),
        fault: Flag = Flag::default().doc("trouble, a clock ago"),
        recover_r: Flag,
        draining: Flag,
        still: Reg = Reg::new(width).doc("clocks without an item and without a reason"),
        stopped: Flag = Flag::default().doc("too many"),
        most: Const = Const::new(STOPPED_CLOCKS as u128, width),
        none: Const = Const::new(0, width),
    }

    fn default() {
        let width = width_of(STOPPED_CLOCKS);
    }
}

impl Logic for SelfCheck {
    #[hdl_gen]
    fn update(&mut self) {
        self.fault.d.next = self.trouble.val()
            && !self.draining.q.val()
            && !self.recover_r.q.val()
            && !self.reset.val();
        self.still.d.next = self.still.q.val() + 1;
        if self.moving.val() || self.recover_r.q.val() || self.reset.val() {
            self.still.d.next = self.none.val();
        }
        self.stopped.d.next = (self.still.q.val() == self.most.val()) && !self.reset.val();
        self.recover_r.d.next = !self.reset.val()
            && (self.asked.val()
                || self.stopped.q.val()
                || (self.fault.q.val() && !self.draining.q.val() && !self.recover_r.q.val()));
        self.draining.d.next = !self.reset.val()
            && (self.recover_r.q.val() || (self.draining.q.val() && !self.loading.val()));
        self.recover.next = self.recover_r.q.val();
        self.restart.next = self.draining.q.val() && self.loading.val();
    }
}
