//! Admission control: when items are accepted, and which control operations run between them.

use crate::prelude::*;

block! {
    /// Says when the item stream is ready, and acts between two items: clear, recycle, a new threshold, ageing, start after reset, a word for the host or bits of his.
    ///
    /// ```text
    /// RUN --request--> DRAIN --(recycles forced, each when a spare epoch is there; or bits set)--> LOAD --> RUN
    /// ```
    ///
    /// Rules and timing: `docs/pipeline.md`, "Sequencer".
    pub struct Sequencer {
        about: About = About::new(
            "sequencer",
            "Says when the item stream is ready, and acts between two items: clear, recycle, a new threshold, bits of a host, ageing, start after reset.\n\
             RUN; on a request DRAIN (let every item retire, then force the recycles or set the bits it asks for), LOAD (take threshold and count), RUN.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("start with two empty halves"),
        pub valid: Wire<In> = Wire::default().doc("an item is offered"),
        pub clear_pending: Wire<In> = Wire::default().doc("a clear was written"),
        pub write_pending: Wire<In> = Wire::default().doc(if shape.secret_per_half == 1 {
            "a clear, a recycle, a rekey, a threshold or bits were written"
        } else {
            "a clear, a recycle, a threshold or bits were written"
        }),
        pub max_age: Optional<Bus<In>> = Optional::new(ages, Bus::new(32).doc("age limit of the active half in ticks of 1024 clocks; 0: none")),
        pub trip: Optional<Wire<In>> = Optional::new(ages, Wire::default().doc("the slot in stage D recycles")),
        pub blocked: Wire<In> = Wire::default().doc(match shape.spare_half {
            0 => "the active half has no spare epoch",
            _ => "the spare half is being erased, and items wait for it",
        }),
        pub one_at_a_time: Wire<In> = Wire::default().doc("admit an item only when the one before has retired"),
        pub credit: Wire<In> = Wire::default().doc("the verdict queue has room for what is in flight and more"),
        pub recycle_pending: Wire<In> = Wire::default().doc("a recycle was written"),
        pub set_asked: Optional<Wire<In>> = Optional::new(access, Wire::default().doc("a host writes bits of the array")),
        pub rekey_pending: Vec<Wire<In>> = (0..shape.secret_per_half).map(|_| Wire::default().doc("a rekey was written")).collect(),
        pub differ: Vec<Wire<In>> = (0..shape.secret_per_half)
            .map(|_| Wire::default().doc("the halves' secrets differ: an item takes two clocks"))
            .collect(),
        pub fetch_asked: Optional<Wire<In>> = Optional::new(access, Wire::default().doc("a host asks for a word of the array")),
        pub erasing: Vec<Wire<In>> = (0..shape.spare_half)
            .map(|_| Wire::default().doc("the spare half is being erased"))
            .collect(),
        pub accessing: Vec<Wire<In>> = (0..accesses)
            .map(|_| Wire::default().doc("a word of the array is being read or set"))
            .collect(),
        pub recover: Vec<Wire<In>> = (0..shape.self_check)
            .map(|_| Wire::default().doc("drain and load, whatever the state is"))
            .collect(),
        pub ready: Wire<Out> = Wire::default().doc("the item stream is ready"),
        pub accept: Wire<Out> = Wire::default().doc("an item is accepted"),
        pub force_recycle: Wire<Out> = Wire::default().doc("issue a recycle without an item"),
        pub aged: Wire<Out> = Wire::default().doc(if shape.secret_per_half == 1 {
            "it is one by age, command or rekey"
        } else {
            "it is one by age or command"
        }),
        pub fetch: Optional<Wire<Out>> = Optional::new(access, Wire::default().doc("issue the fetch of a word")),
        pub set: Optional<Wire<Out>> = Optional::new(access, Wire::default().doc("issue the setting of bits in one")),
        pub take_limit: Wire<Out> = Wire::default().doc("take the threshold register into force"),
        pub load_room: Wire<Out> = Wire::default().doc("load the decision loop"),
        pub finished: Wire<Out> = Wire::default().doc("pending clear and threshold are done"),
        pub running: Wire<Out> = Wire::default().doc("state RUN"),
        pub stall_recycle: Wire<Out> = Wire::default().doc(match shape.spare_half {
            0 => "not ready: waiting for an epoch to become free, or one item at a time",
            _ => "not ready: waiting for the spare half to be erased, or one item at a time",
        }),
        pub stall_control: Wire<Out> = Wire::default().doc("not ready: a command, a threshold, ageing, a word to be fetched or bits to be set, or start"),
        pub stall_verdict: Wire<Out> = Wire::default().doc("not ready: back-pressure of the verdict stream"),
        run_r: Flag,
        load_r: Flag,
        waiting: Reg = Reg::with_init(wait, shape.retire as u128),
        waited: Flag = Flag::default().doc("waiting has come to 0; it counts on"),
        hold: Reg = Reg::new(wait),
        holding: Flag = Flag::default().doc("one at a time: the last item has not retired (hold counts on)"),
        still: Optional<Flag> = Optional::new(access, Flag::with_init(true).doc("the last item has its words in memory when a fetch issued now reads")),
        fetch_due: Optional<Flag> = Optional::new(access, Flag::default().doc("a word is to be fetched")),
        set_due: Optional<Flag> = Optional::new(access, Flag::default().doc("bits are to be set in one")),
        sets: Optional<Flag> = Optional::new(access, Flag::default().doc("what is forced sets bits")),
        forces: Reg = Reg::with_init(2, shape.phases as u128),
        force_due: Flag = Flag::default().doc("DRAIN, waited, forces > 0"),
        first_load: Flag = Flag::default().doc("LOAD, waiting = load_clocks"),
        last_load: Flag = Flag::default().doc("LOAD, waiting = 1"),
        aged_r: Flag,
        serving: Flag,
        ready_r: Flag,
        recycle_r: Flag,
        control_r: Flag,
        verdict_r: Flag,
        tick: Optional<Reg> = Optional::new(ages, Reg::new(10)),
        last_tick: Optional<Flag> = Optional::new(ages, Flag::default().doc("every bit of tick is set")),
        age: Optional<Reg> = Optional::new(ages, Reg::new(32)),
        oldest: Optional<Flag> = Optional::new(ages, Flag::default().doc("age cannot grow; a clock late, of 1024 between two ticks")),
        age_due: Optional<Flag> = Optional::new(ages, Flag::default()),
        request: Wire<Local>,
        recycling: Optional<Wire<Local>> = Optional::new(!plain, Wire::default()),
        accepted: Wire<Local>,
        forcing: Wire<Local>,
        setting: Wire<Local>,
        fetching: Optional<Wire<Local>> = Optional::new(access, Wire::default()),
        may_run: Wire<Local>,
        may_recycle: Wire<Local>,
        fold: Vec<Reg> = (0..folds).map(|_| Reg::new(fold).doc("clocks until the next item may come, and one")).collect(),
        folding: Vec<Flag> = (0..folds).map(|_| Flag::default().doc("they are two or more (fold counts on)")).collect(),
        retire: Const = Const::new(shape.retire as u128, wait).doc("clocks until an item accepted now has left every trace"),
        load_clocks: Const = Const::new(7, wait),
        clear_forces: Const = Const::new(shape.phases as u128, 2).doc("recycles that empty everything"),
        one_force: Const = Const::new(1, 2),
        no_force: Const = Const::new(0, 2),
        no_age: Const = Const::new(0, 32),
        no_hold: Const = Const::new(0, wait),
        before_still: Const = Const::new(shape.still as u128 + 1, wait).doc("hold in the clock before still"),
        no_tick: Const = Const::new(0, 10),
        tick_before_last: Const = Const::new(1022, 10),
        interval_less_one: Vec<Const> = (0..folds).map(|_| Const::new(shape.interval as u128 - 1, fold).doc("clocks of an item behind its first")).collect(),
        plain: bool = plain,
        shape: Shape = *shape,
    }

    /// The sequencer of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let wait = width_of(shape.retire);
        let folds = usize::from(shape.interval > 1);
        let fold = width_of(shape.interval - 1);
        let (access, ages) = (shape.array_access, shape.max_age);
        let plain = access && ages;
        let accesses = shape.spare_half * usize::from(access);
    }
}

#[allow(clippy::nonminimal_bool)] // conditions are printed as they stand here
impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        self.accepted.next = self.valid.val() && self.ready_r.q.val();
        if self.shape.max_age {
            self.request.next = self.write_pending.val() || self.age_due.q.val();
        } else {
            self.request.next = self.write_pending.val();
        }
        for c in 0..self.shape.self_check {
            self.request.next = self.request.val() || self.recover[c].val();
        }

        comment!("what happens between items; comparisons with counters are made a clock ahead");
        if self.shape.spare_half == 0 {
            self.forcing.next = self.force_due.q.val() && !self.sets.q.val() && !self.blocked.val();
        }
        for s in 0..self.shape.spare_half {
            if self.shape.array_access {
                self.forcing.next = self.force_due.q.val()
                    && !self.sets.q.val()
                    && !self.erasing[s].val()
                    && !self.accessing[s].val();
            } else {
                self.forcing.next = self.force_due.q.val() && !self.erasing[s].val();
            }
        }
        if self.shape.array_access {
            self.setting.next = self.force_due.q.val() && self.sets.q.val();
            self.sets.d.next = self.sets.q.val() && !self.setting.val();
            self.set_due.d.next =
                self.set_asked.val() || (self.set_due.q.val() && !self.setting.val());
        } else {
            self.setting.next = false;
        }
        if !self.plain {
            self.recycling.next = self.recycle_pending.val();
            if self.shape.array_access {
                self.recycling.next = self.recycling.val() || self.set_due.q.val();
            }
            if self.shape.max_age {
                self.recycling.next = self.recycling.val() || self.age_due.q.val();
            }
        }
        self.run_r.d.next = self.run_r.q.val();
        self.load_r.d.next = self.load_r.q.val();
        self.forces.d.next = self.forces.q.val();
        self.aged_r.d.next = self.aged_r.q.val();
        self.serving.d.next = self.serving.q.val();
        self.waiting.d.next = self.waiting.q.val() - 1;
        self.waited.d.next = self.waited.q.val() || (self.waiting.q.val() == 1);
        if self.shape.spare_half == 0 {
            self.force_due.d.next =
                self.force_due.q.val() && !self.sets.q.val() && self.blocked.val();
        }
        for s in 0..self.shape.spare_half {
            if self.shape.array_access {
                self.force_due.d.next = self.force_due.q.val()
                    && !self.sets.q.val()
                    && (self.erasing[s].val() || self.accessing[s].val());
            } else {
                self.force_due.d.next = self.force_due.q.val() && self.erasing[s].val();
            }
        }
        self.first_load.d.next = false;
        self.last_load.d.next = false;
        if self.run_r.q.val() {
            comment!("what a request asks for is taken in every clock and counts from the clock that leaves RUN");
            self.run_r.d.next = !self.request.val();
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
            self.aged_r.d.next = !self.clear_pending.val();
            self.serving.d.next = self.write_pending.val();
            if self.shape.array_access {
                self.sets.d.next = self.set_due.q.val();
            }
            self.forces.d.next = self.no_force.val();
            if self.plain {
                if self.clear_pending.val() {
                    self.forces.d.next = self.clear_forces.val();
                } else if self.set_due.q.val() || self.recycle_pending.val() || self.age_due.q.val()
                {
                    self.forces.d.next = self.one_force.val();
                }
            } else {
                if self.clear_pending.val() {
                    self.forces.d.next = self.clear_forces.val();
                } else if self.recycling.val() {
                    self.forces.d.next = self.one_force.val();
                }
            }
            for h in 0..self.shape.secret_per_half {
                if self.rekey_pending[h].val() && !self.clear_pending.val() {
                    self.forces.d.next = self.one_force.val();
                }
            }
        } else if !self.waited.q.val() {
            self.force_due.d.next =
                !self.load_r.q.val() && self.forces.q.val().any() && (self.waiting.q.val() == 1);
            self.last_load.d.next = self.load_r.q.val() && (self.waiting.q.val() == 2);
        } else if self.load_r.q.val() {
            self.load_r.d.next = false;
            self.run_r.d.next = true;
        } else if !self.forces.q.val().any() {
            if self.accessing.is_empty() {
                self.load_r.d.next = true;
                self.first_load.d.next = true;
                self.waiting.d.next = self.load_clocks.val();
                self.waited.d.next = false;
            }
            for s in 0..self.accessing.len() {
                if !self.accessing[s].val() {
                    self.load_r.d.next = true;
                    self.first_load.d.next = true;
                    self.waiting.d.next = self.load_clocks.val();
                    self.waited.d.next = false;
                }
            }
        } else if self.forcing.val() || self.setting.val() {
            self.forces.d.next = self.forces.q.val() - 1;
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
        }
        for c in 0..self.shape.self_check {
            if self.recover[c].val() {
                comment!("drain and load once more; what a reset or a request asked for is still done, and served once");
                self.run_r.d.next = false;
                self.load_r.d.next = false;
                self.waiting.d.next = self.retire.val();
                self.waited.d.next = false;
                self.force_due.d.next = false;
                self.first_load.d.next = false;
                self.last_load.d.next = false;
                if self.load_r.q.val() && self.waited.q.val() {
                    self.serving.d.next = false;
                }
            }
        }
        self.take_limit.next = self.first_load.q.val();
        self.load_room.next = self.last_load.q.val();
        self.finished.next = self.load_r.q.val() && self.waited.q.val() && self.serving.q.val();
        self.force_recycle.next = self.forcing.val() && !self.reset.val();
        self.aged.next = self.forcing.val() && self.aged_r.q.val() && !self.reset.val();
        if self.shape.array_access {
            self.set.next = self.setting.val() && !self.reset.val();

            comment!(
            "a word for the host: when the last item's words are written, in a clock without one"
        );
            self.still.d.next = (self.still.q.val()
                || (self.hold.q.val() == self.before_still.val()))
                && !self.accepted.val();
            self.fetching.next = self.run_r.q.val()
                && self.fetch_due.q.val()
                && self.still.q.val()
                && !self.ready_r.q.val();
            self.fetch_due.d.next =
                self.fetch_asked.val() || (self.fetch_due.q.val() && !self.fetching.val());
            self.fetch.next = self.fetching.val() && !self.reset.val();
        }

        comment!("admission");
        self.holding.d.next = self.holding.q.val() && (self.hold.q.val() != 1);
        if self.accepted.val() {
            self.hold.d.next = self.retire.val();
            self.holding.d.next = self.one_at_a_time.val();
        } else {
            self.hold.d.next = self.hold.q.val() - 1;
        }
        if self.shape.array_access {
            self.may_run.next =
                self.run_r.q.val() && !self.request.val() && !self.fetch_due.q.val();
        } else {
            self.may_run.next = self.run_r.q.val() && !self.request.val();
        }
        for s in 0..self.accessing.len() {
            self.may_run.next = self.may_run.val() && !self.accessing[s].val();
        }
        self.may_recycle.next = !self.blocked.val()
            && !self.holding.q.val()
            && !(self.one_at_a_time.val() && self.accepted.val());
        for h in 0..self.shape.secret_per_half {
            self.may_recycle.next =
                self.may_recycle.val() && !(self.differ[h].val() && self.accepted.val());
        }
        self.ready_r.d.next =
            self.may_run.val() && self.may_recycle.val() && self.credit.val() && !self.reset.val();
        self.control_r.d.next = !self.may_run.val() && !self.reset.val();
        self.recycle_r.d.next = self.may_run.val() && !self.may_recycle.val() && !self.reset.val();
        self.verdict_r.d.next =
            self.may_run.val() && self.may_recycle.val() && !self.credit.val() && !self.reset.val();

        for f in 0..self.fold.len() {
            comment!(
                "an item takes the clocks of its probes, of reads and writes; they are no stall"
            );
            self.fold[f].d.next = self.fold[f].q.val() - 1;
            self.folding[f].d.next = self.folding[f].q.val() && (self.fold[f].q.val() != 2);
            if self.accepted.val() {
                self.fold[f].d.next = self.interval_less_one[f].val();
                self.folding[f].d.next = true;
            }
            if self.accepted.val() || self.folding[f].q.val() {
                self.ready_r.d.next = false;
                self.verdict_r.d.next = false;
            }
            if self.reset.val() {
                self.folding[f].d.next = false;
            }
        }

        if self.shape.max_age {
            comment!("age of the active half");
            self.tick.d.next = self.tick.q.val() + 1;
            self.age.d.next = self.age.q.val();
            self.last_tick.d.next = self.tick.q.val() == self.tick_before_last.val();
            if self.last_tick.q.val() && !self.oldest.q.val() {
                self.age.d.next = self.age.q.val() + 1;
            }
            self.oldest.d.next = self.age.q.val().all() && !self.trip.val();
            if self.trip.val() {
                self.age.d.next = self.no_age.val();
            }
            self.age_due.d.next =
                self.max_age.val().any() && (self.age.q.val() >= self.max_age.val());
        }

        if self.reset.val() {
            self.run_r.d.next = false;
            self.load_r.d.next = false;
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
            self.hold.d.next = self.no_hold.val();
            self.holding.d.next = false;
            if self.shape.array_access {
                self.still.d.next = true;
                self.fetch_due.d.next = false;
                self.set_due.d.next = false;
                self.sets.d.next = false;
            }
            self.forces.d.next = self.clear_forces.val();
            self.force_due.d.next = false;
            self.first_load.d.next = false;
            self.last_load.d.next = false;
            self.aged_r.d.next = false;
            self.serving.d.next = false;
            if self.shape.max_age {
                self.tick.d.next = self.no_tick.val();
                self.last_tick.d.next = false;
                self.oldest.d.next = false;
                self.age.d.next = self.no_age.val();
                self.age_due.d.next = false;
            }
        }
        self.ready.next = self.ready_r.q.val();
        self.accept.next = self.accepted.val();
        self.running.next = self.run_r.q.val();
        self.stall_recycle.next = self.recycle_r.q.val();
        self.stall_control.next = self.control_r.q.val();
        self.stall_verdict.next = self.verdict_r.q.val();
    }
}
