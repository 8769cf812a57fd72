//! Epoch counters: a recycle is one increment, and no epoch value is reused while a word may still bear it.

use crate::prelude::*;

/// Clocks from stage 2, where a slot's view of the halves is taken, to stage 6, where memory arrives.
const VIEW_CLOCKS: usize = 4;

block! {
    /// Which half is active, each half's epoch, and how many epoch values each may still issue.
    ///
    /// At the decision: a recycle moves the active role to the other half (two phases) and gives it the next epoch (1 to 15, then 1; 0 stands for memory as configured).
    /// At retirement, in the same order: each recycle uses up one spare value of the half that becomes active; when every word of the active half bears its
    /// current epoch, all 14 others are spare again. Nothing here is reset: it describes memory, which does not reset.
    pub struct EpochGuard {
        about: About = About::new(
            "epoch_guard",
            "Which half is active, each half's epoch, and how many epoch values each may still issue.\n\
             A recycle costs no clock: the next epoch makes every word of the half read as empty.\n\
             Safety: a value is issued again only after every word of the half has been seen to bear a later one.",
        ),
        pub clock: Signal<In, Clock>,
        pub trip: Wire<In> = Wire::default().doc("the slot that is decided in this clock recycles"),
        pub recycled: Wire<In> = Wire::default().doc("the slot in stage W recycled"),
        pub all_full: Wire<In> = Wire::default().doc("every word of the active half bears its epoch, in every bank"),
        pub phase: Wire<Out> = Wire::default().doc("which half is active, after the slots decided before"),
        pub active_epoch: Bus<Out> = Bus::new(EPOCH_BITS).doc("its epoch"),
        pub phase_6: Vec<Wire<Out>> = (0..frozen).map(|_| Wire::default().doc("which half was active when the slot in stage 6 stood in stage 2")).collect(),
        pub active_epoch_6: Bus<Out> = Bus::new(EPOCH_BITS).doc("its epoch then"),
        pub frozen_epoch_6: Vec<Bus<Out>> = (0..frozen).map(|_| Bus::new(EPOCH_BITS).doc("the other half's epoch then")).collect(),
        pub write_phase: Vec<Wire<Out>> = (0..frozen).map(|_| Wire::default().doc("half that the slot in stage W writes")).collect(),
        pub write_epoch: Bus<Out> = Bus::new(EPOCH_BITS).doc("epoch that it writes"),
        pub covered: Wire<Out> = Wire::default().doc("every word of the active half bears its epoch"),
        pub blocked: Wire<Out> = Wire::default().doc("the active half has no spare epoch: admit nothing until it is covered"),
        pub spare: Bus<Out> = Bus::new(EPOCH_BITS).doc("spare epochs of the active half"),
        phase_r: Vec<Flag> = (0..frozen).map(|_| Flag::default()).collect(),
        epoch: Vec<Reg> = (0..phases).map(|_| Reg::with_init(EPOCH_BITS, 1)).collect(),
        epoch_now: Bus<Local> = Bus::new(EPOCH_BITS),
        other_epoch: Vec<Bus<Local>> = (0..frozen).map(|_| Bus::new(EPOCH_BITS)).collect(),
        next_epoch: Bus<Local> = Bus::new(EPOCH_BITS),
        phase_line: Vec<FlagDelay> = (0..frozen).map(|_| FlagDelay::new(view_clocks)).collect(),
        epoch_line: Delay = Delay::new(EPOCH_BITS, view_clocks),
        other_line: Vec<Delay> = (0..frozen).map(|_| Delay::new(EPOCH_BITS, view_clocks)).collect(),
        write_phase_line: Vec<FlagDelay> = (0..frozen).map(|_| FlagDelay::new(2)).collect(),
        write_epoch_line: Delay = Delay::new(EPOCH_BITS, 2),
        here: Vec<Flag> = (0..frozen).map(|_| Flag::default()).collect(),
        spare_r: Vec<Reg> = (0..phases).map(|_| Reg::with_init(EPOCH_BITS, SPARE_EPOCHS)).collect(),
        spare_here: Bus<Local> = Bus::new(EPOCH_BITS),
        covered_r: Flag,
        blocked_r: Flag,
        last_epoch: Const = Const::new(15, EPOCH_BITS),
        first_epoch: Const = Const::new(1, EPOCH_BITS),
        all_spare: Const = Const::new(SPARE_EPOCHS, EPOCH_BITS).doc("epoch values but the current one"),
        frozen_halves: usize = frozen,
        single: usize = 1 - frozen,
    }

    fn seen_after(phases: usize, view_clocks: usize) {
        let frozen = phases - 1;
    }
}

impl EpochGuard {
    /// The epochs of one half or two.
    pub fn new(phases: usize) -> Self {
        Self::seen_after(phases, VIEW_CLOCKS)
    }

    /// The same for a pipeline with one item at a time, in which the halves stand still between stage 2 and the decision: the ports for stage 6 show them as they are.
    pub fn standing(phases: usize) -> Self {
        Self::seen_after(phases, 0)
    }
}

impl Logic for EpochGuard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("at the decision");
        self.epoch_now.next = self.epoch[0].q.val();
        if self.single > 0 {
            self.phase.next = false;
        }
        for h in 0..self.frozen_halves {
            self.phase.next = self.phase_r[h].q.val();
            self.other_epoch[h].next = self.epoch[h + 1].q.val();
            if self.phase_r[h].q.val() {
                self.epoch_now.next = self.epoch[h + 1].q.val();
                self.other_epoch[h].next = self.epoch[h].q.val();
            }
        }
        comment!("the half that a recycle makes active");
        if self.single > 0 {
            self.next_epoch.next = self.epoch_now.val() + 1;
            if self.epoch_now.val() == self.last_epoch.val() {
                self.next_epoch.next = self.first_epoch.val();
            }
        }
        for h in 0..self.frozen_halves {
            self.next_epoch.next = self.other_epoch[h].val() + 1;
            if self.other_epoch[h].val() == self.last_epoch.val() {
                self.next_epoch.next = self.first_epoch.val();
            }
        }
        self.epoch[0].d.next = self.epoch[0].q.val();
        for s in 0..self.single {
            if self.trip.val() {
                self.epoch[s].d.next = self.next_epoch.val();
            }
        }
        for h in 0..self.frozen_halves {
            self.epoch[h + 1].d.next = self.epoch[h + 1].q.val();
            self.phase_r[h].d.next = self.phase_r[h].q.val();
            if self.trip.val() {
                self.phase_r[h].d.next = !self.phase_r[h].q.val();
                if self.phase_r[h].q.val() {
                    self.epoch[h].d.next = self.next_epoch.val();
                } else {
                    self.epoch[h + 1].d.next = self.next_epoch.val();
                }
            }
        }
        self.active_epoch.next = self.epoch_now.val();
        self.epoch_line.d.next = self.epoch_now.val();
        self.active_epoch_6.next = self.epoch_line.q.val();
        self.write_epoch_line.d.next = self.epoch_now.val();
        self.write_epoch.next = self.write_epoch_line.q.val();
        for h in 0..self.frozen_halves {
            self.phase_line[h].d.next = self.phase_r[h].q.val();
            self.phase_6[h].next = self.phase_line[h].q.val();
            self.other_line[h].d.next = self.other_epoch[h].val();
            self.frozen_epoch_6[h].next = self.other_line[h].q.val();
            self.write_phase_line[h].d.next = self.phase_r[h].q.val();
            self.write_phase[h].next = self.write_phase_line[h].q.val();
        }

        comment!("at retirement");
        self.covered_r.d.next = self.all_full.val() && !self.recycled.val();
        self.spare_here.next = self.spare_r[0].q.val();
        for h in 0..self.frozen_halves {
            if self.here[h].q.val() {
                self.spare_here.next = self.spare_r[h + 1].q.val();
            }
        }
        self.spare_r[0].d.next = self.spare_r[0].q.val();
        for s in 0..self.single {
            if self.recycled.val() {
                self.spare_r[s].d.next = self.spare_r[s].q.val() - 1;
            } else if self.covered_r.q.val() {
                self.spare_r[s].d.next = self.all_spare.val();
            }
        }
        for h in 0..self.frozen_halves {
            self.here[h].d.next = self.here[h].q.val();
            self.spare_r[h + 1].d.next = self.spare_r[h + 1].q.val();
            if self.recycled.val() {
                self.here[h].d.next = !self.here[h].q.val();
                if self.here[h].q.val() {
                    self.spare_r[h].d.next = self.spare_r[h].q.val() - 1;
                } else {
                    self.spare_r[h + 1].d.next = self.spare_r[h + 1].q.val() - 1;
                }
            } else if self.covered_r.q.val() {
                if self.here[h].q.val() {
                    self.spare_r[h + 1].d.next = self.all_spare.val();
                } else {
                    self.spare_r[h].d.next = self.all_spare.val();
                }
            }
        }
        self.blocked_r.d.next = !self.spare_here.val().any();
        self.covered.next = self.covered_r.q.val();
        self.blocked.next = self.blocked_r.q.val();
        self.spare.next = self.spare_here.val();
    }
}
