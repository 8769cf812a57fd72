//! Admission control of a sliding-window filter.

use crate::prelude::*;
use crate::sliding::SlidingShape;

/// Says when the item stream is ready, when the scan goes on, and acts between two items: start and clear.
///
/// ```text
/// RUN --clear--> DRAIN --> WIPE (every bucket) --> RUN
/// ```
///
/// Rules and timing: `docs/sliding.md`, "Sequencer".
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct SlidingSequencer {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub valid: Wire<In>,
    pub operation: Bus<In>,
    pub clear_pending: Wire<In>,
    pub credit: Wire<In>,
    pub ready: Wire<Out>,
    pub accept: Wire<Out>,
    pub scan: Wire<Out>,
    pub wipe: Wire<Out>,
    pub restart: Wire<Out>,
    pub finished: Wire<Out>,
    pub running: Wire<Out>,
    pub stall_scan: Wire<Out>,
    pub stall_control: Wire<Out>,
    pub stall_verdict: Wire<Out>,
    run_r: Flag,
    wipe_r: Flag,
    waiting: Reg,
    waited: Flag,
    wiped: Reg,
    gap: Reg,
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
    retire: Const,
    no_gap: Const,
    last_gap: Const,
    none_wiped: Const,
}

impl SlidingSequencer {
    /// The sequencer of a pipeline of this shape.
    pub fn new(shape: &SlidingShape) -> Self {
        let wait = width_of(shape.retire);
        let gap = width_of(shape.scan_interval as usize);
        Self {
            about: About::new(
                "sliding_sequencer",
                "Says when the item stream is ready, when the scan goes on, and acts between two items: start and clear.\n\
                 RUN; for a clear DRAIN (let every item retire), WIPE (make every cell stale), RUN.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("start with stale cells"),
            valid: Wire::default().doc("an item is offered"),
            operation: Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
            clear_pending: Wire::default().doc("a clear was written"),
            credit: Wire::default().doc("the verdict queue has room for what is in flight and more"),
            ready: Wire::default().doc("the item stream is ready"),
            accept: Wire::default().doc("an item is accepted"),
            scan: Wire::default().doc("issue a scan"),
            wipe: Wire::default().doc("issue a wipe"),
            restart: Wire::default().doc("elements count from 0: nothing is in flight"),
            finished: Wire::default().doc("the clear is done"),
            running: Wire::default().doc("state RUN"),
            stall_scan: Wire::default().doc("not ready: the scan must go on"),
            stall_control: Wire::default().doc("not ready: clear or start"),
            stall_verdict: Wire::default().doc("not ready: back-pressure of the verdict stream"),
            run_r: Default::default(),
            wipe_r: Default::default(),
            waiting: Reg::with_init(wait, shape.retire as u128),
            waited: Flag::default().doc("waiting has come to 0; it counts on"),
            wiped: Reg::new(shape.front_bits),
            gap: Reg::new(gap).doc("elements since the last scan"),
            ready_r: Default::default(),
            scan_r: Default::default(),
            control_r: Default::default(),
            verdict_r: Default::default(),
            accepted: Default::default(),
            element: Default::default(),
            due: Default::default(),
            scanning: Default::default(),
            last_wipe: Default::default(),
            may_run: Default::default(),
            retire: Const::new(shape.retire as u128, wait)
                .doc("clocks until a slot issued now has left every trace"),
            no_gap: Const::new(0, gap),
            last_gap: Const::new(shape.scan_interval - 1, gap)
                .doc("one element short of the interval"),
            none_wiped: Const::new(0, shape.front_bits),
        }
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
