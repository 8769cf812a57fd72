//! Admission control of a sliding-window filter.

use crate::prelude::*;
use crate::sliding::SlidingShape;

block! {
    /// Says when the item stream is ready, when the scan goes on, and acts between two items: start and clear.
    ///
    /// ```text
    /// RUN --clear--> DRAIN --> WIPE (every bucket) --> RUN
    /// ```
    ///
    /// Rules and timing: `docs/sliding.md`, "Sequencer".
    /// `reset` is synchronous and active high.
    pub struct SlidingSequencer {
        about: About = About::new(
            "sliding_sequencer",
            "Says when the item stream is ready, when the scan goes on, and acts between two items: start and clear.\n\
             RUN; for a clear DRAIN (let every item retire), WIPE (make every cell stale), RUN.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("start with stale cells"),
        pub valid: Wire<In> = Wire::default().doc("an item is offered"),
        pub operation: Bus<In> = Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
        pub clear_pending: Wire<In> = Wire::default().doc("a clear was written"),
        pub credit: Wire<In> = Wire::default().doc("the verdict queue has room for what is in flight and more"),
        pub ready: Wire<Out> = Wire::default().doc("the item stream is ready"),
        pub accept: Wire<Out> = Wire::default().doc("an item is accepted"),
        pub scan: Wire<Out> = Wire::default().doc("issue a scan"),
        pub wipe: Wire<Out> = Wire::default().doc("issue a wipe"),
        pub restart: Wire<Out> = Wire::default().doc("elements count from 0: nothing is in flight"),
        pub finished: Wire<Out> = Wire::default().doc("the clear is done"),
        pub running: Wire<Out> = Wire::default().doc("state RUN"),
        pub stall_scan: Wire<Out> = Wire::default().doc("not ready: the scan must go on"),
        pub stall_control: Wire<Out> = Wire::default().doc("not ready: clear or start"),
        pub stall_verdict: Wire<Out> = Wire::default().doc("not ready: back-pressure of the verdict stream"),
        run_r: Flag,
        wipe_r: Flag,
        waiting: Reg = Reg::with_init(wait, shape.retire as u128),
        waited: Flag = Flag::default().doc("waiting has come to 0; it counts on"),
        wiped: Reg = Reg::new(shape.front_bits),
        gap: Reg = Reg::new(gap).doc("elements since the last scan"),
        ready_r: Flag,
        scan_r: Flag,
        control_r: Flag,
        verdict_r: Flag,
        accepted: Wire<Local>,
        element: Wire<Local>,
        due: Wire<Local>,
        scanning: Wire<Local>,
        last_wipe: Wire<Local>,
        may_run: Wire<Local>,
        retire: Const = Const::new(shape.retire as u128, wait)
            .doc("clocks until a slot issued now has left every trace"),
        no_gap: Const = Const::new(0, gap),
        last_gap: Const = Const::new(shape.scan_interval - 1, gap)
            .doc("one element short of the interval"),
        none_wiped: Const = Const::new(0, shape.front_bits),
    }

    /// The sequencer of a pipeline of this shape.
    pub fn new(shape: &SlidingShape) {
        let wait = width_of(shape.retire);
        let gap = width_of(shape.scan_interval as usize);
    }
}

impl Logic for SlidingSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        self.accepted.next = self.valid.val() && self.ready_r.q.val();
        self.element.next = self.accepted.val() && (self.operation.val() != 0);

        comment!("state; the wait is compared a clock ahead");
        self.last_wipe.next = self.wipe_r.q.val() && self.wiped.q.val().all();
        self.run_r.d.next = self.run_r.q.val();
        self.wipe_r.d.next = self.wipe_r.q.val();
        self.waiting.d.next = self.waiting.q.val() - 1;
        self.waited.d.next = self.waited.q.val() || (self.waiting.q.val() == 1);
        self.wiped.d.next = self.none_wiped.val();
        self.restart.next = false;
        if self.run_r.q.val() {
            self.run_r.d.next = !self.clear_pending.val();
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
        } else if self.wipe_r.q.val() {
            self.wiped.d.next = self.wiped.q.val() + 1;
            self.wipe_r.d.next = !self.last_wipe.val();
            self.run_r.d.next = self.last_wipe.val();
        } else if self.waited.q.val() {
            self.wipe_r.d.next = true;
            self.restart.next = true;
        }
        self.wipe.next = self.wipe_r.q.val() && !self.reset.val();
        self.finished.next = self.last_wipe.val();

        comment!("the scan goes on in every clock without an item");
        self.scanning.next = self.run_r.q.val() && !self.accepted.val();
        self.scan.next = self.scanning.val() && !self.reset.val();
        self.due.next = self.element.val() && (self.gap.q.val() == self.last_gap.val());
        self.gap.d.next = self.gap.q.val();
        if self.scanning.val() || !self.run_r.q.val() {
            self.gap.d.next = self.no_gap.val();
        } else if self.element.val() {
            self.gap.d.next = self.gap.q.val() + 1;
        }

        comment!("admission");
        self.may_run.next = self.run_r.q.val() && !self.clear_pending.val();
        self.ready_r.d.next =
            self.may_run.val() && !self.due.val() && self.credit.val() && !self.reset.val();
        self.control_r.d.next = !self.may_run.val() && !self.reset.val();
        self.scan_r.d.next = self.may_run.val() && self.due.val() && !self.reset.val();
        self.verdict_r.d.next =
            self.may_run.val() && !self.due.val() && !self.credit.val() && !self.reset.val();

        if self.reset.val() {
            self.run_r.d.next = false;
            self.wipe_r.d.next = false;
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
            self.wiped.d.next = self.none_wiped.val();
            self.gap.d.next = self.no_gap.val();
        }
        self.ready.next = self.ready_r.q.val();
        self.accept.next = self.accepted.val();
        self.running.next = self.run_r.q.val();
        self.stall_scan.next = self.scan_r.q.val();
        self.stall_control.next = self.control_r.q.val();
        self.stall_verdict.next = self.verdict_r.q.val();
    }
}
