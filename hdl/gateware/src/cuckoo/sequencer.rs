//! Admission control of a sliding-window filter on cuckoo tables.

use super::CuckooShape;
use crate::prelude::*;

block! {
    /// Says when the item stream is ready, and acts between two items: start and clear.
    ///
    /// ```text
    /// RUN --clear--> DRAIN --> WIPE (every row) --> RUN
    /// ```
    ///
    /// Rules and timing: `docs/cuckoo-window.md`, "Sequencer".
    /// `reset` is synchronous and active high.
    pub struct CuckooSequencer {
        about: About = About::new(
            "cuckoo_sequencer",
            "Says when the item stream is ready, and acts between two items: start and clear.\n\
             RUN; for a clear DRAIN (let every item retire), WIPE (make every cell stale), RUN.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("start with stale cells"),
        pub valid: Wire<In> = Wire::default().doc("an item is offered"),
        pub clear_pending: Wire<In> = Wire::default().doc("a clear was written"),
        pub short: Wire<In> = Wire::default().doc("the scan of a table is behind"),
        pub held: Wire<In> = Wire::default().doc("the stash might have no room for what is in flight"),
        pub queued: Wire<In> = Wire::default().doc("accepted items wait before the tables"),
        pub credit: Wire<In> = Wire::default().doc("the verdict queue has room for what is in flight and more"),
        pub ready: Wire<Out> = Wire::default().doc("the item stream is ready"),
        pub accept: Wire<Out> = Wire::default().doc("an item is accepted"),
        pub wipe: Wire<Out> = Wire::default().doc("every cell of a row is made stale"),
        pub wipe_row: Bus<Out> = Bus::new(shape.row_bits).doc("that row"),
        pub restart: Wire<Out> = Wire::default().doc("elements count from 0: nothing is in flight"),
        pub finished: Wire<Out> = Wire::default().doc("the clear is done"),
        pub running: Wire<Out> = Wire::default().doc("state RUN"),
        pub starting: Wire<Out> = Wire::default().doc("an agent may begin"),
        pub stall_scan: Wire<Out> = Wire::default().doc("not ready: the scan of a table is behind"),
        pub stall_stash: Wire<Out> = Wire::default().doc("not ready: the stash could fill"),
        pub stall_control: Wire<Out> = Wire::default().doc("not ready: clear or start"),
        pub stall_verdict: Wire<Out> = Wire::default().doc("not ready: back-pressure of the verdict stream"),
        run_r: Flag,
        wipe_r: Flag,
        waiting: Reg = Reg::with_init(wait, shape.retire as u128),
        waited: Flag = Flag::default().doc("waiting has come to 0; it counts on"),
        wiped: Reg = Reg::new(shape.row_bits),
        wiping: Flag,
        wiping_row: Reg = Reg::new(shape.row_bits),
        ready_r: Flag,
        scan_r: Flag,
        stash_r: Flag,
        control_r: Flag,
        verdict_r: Flag,
        last_wipe: Wire<Local>,
        may_run: Wire<Local>,
        retire: Const = Const::new(shape.retire as u128, wait)
            .doc("clocks until an item accepted now has left every trace"),
        none_wiped: Const = Const::new(0, shape.row_bits),
    }

    /// The sequencer of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let wait = width_of(shape.retire);
    }
}

impl Logic for CuckooSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        self.accept.next = self.valid.val() && self.ready_r.q.val();

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
        } else if self.queued.val() {
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
        } else if self.waited.q.val() {
            self.wipe_r.d.next = true;
            self.restart.next = true;
        }
        self.finished.next = self.last_wipe.val();
        self.wiping.d.next = self.wipe_r.q.val() && !self.reset.val();
        self.wiping_row.d.next = self.wiped.q.val();
        self.wipe.next = self.wiping.q.val();
        self.wipe_row.next = self.wiping_row.q.val();

        comment!("admission");
        self.may_run.next = self.run_r.q.val() && !self.clear_pending.val();
        self.ready_r.d.next = self.may_run.val()
            && !self.short.val()
            && !self.held.val()
            && self.credit.val()
            && !self.reset.val();
        self.control_r.d.next = !self.may_run.val() && !self.reset.val();
        self.scan_r.d.next = self.may_run.val() && self.short.val() && !self.reset.val();
        self.stash_r.d.next =
            self.may_run.val() && !self.short.val() && self.held.val() && !self.reset.val();
        self.verdict_r.d.next = self.may_run.val()
            && !self.short.val()
            && !self.held.val()
            && !self.credit.val()
            && !self.reset.val();

        if self.reset.val() {
            self.run_r.d.next = false;
            self.wipe_r.d.next = false;
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
            self.wiped.d.next = self.none_wiped.val();
        }
        self.ready.next = self.ready_r.q.val();
        self.running.next = self.run_r.q.val();
        self.starting.next = self.may_run.val() || self.queued.val();
        self.stall_scan.next = self.scan_r.q.val();
        self.stall_stash.next = self.stash_r.q.val();
        self.stall_control.next = self.control_r.q.val();
        self.stall_verdict.next = self.verdict_r.q.val();
    }
}
