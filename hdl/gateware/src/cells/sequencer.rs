//! Admission control of a filter of cells.

use crate::cells::RaiseTimer;
use crate::prelude::*;

block! {
    /// Says when the item stream is ready, and acts between two items: start, clear, access to the array.
    ///
    /// ```text
    /// RUN --clear--> DRAIN --(the clear is forced when a spare epoch is there)--> SETTLE --> RUN
    /// ```
    ///
    /// Over a window it also counts insertions, and issues a turn of the panes behind the last of each. Where single bits are erased, SETTLE lasts until the last row is.
    ///
    /// Rules and timing: `docs/cells.md`, "Sequencer", and `docs/single-bits.md`.
    /// `reset` is synchronous and active high.
    pub struct CellSequencer {
        about: About = About::new(
            "cell_sequencer",
            format!(
                "Says when the item stream is ready, and acts between two items: start, clear{}.\nRUN; for a clear DRAIN ({}), SETTLE ({}), RUN.",
                if shape.array_access { ", access to the array" } else { "" },
                if erases { "let every item retire" } else { "let every item retire, then force it" },
                if erases { "erase a row in each clock" } else { "let it retire" },
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("start with empty cells"),
        pub valid: Wire<In> = Wire::default().doc("an item is offered"),
        pub inserting: Vec<Wire<In>> = (0..shape.conserves).map(|_| Wire::default().doc("it inserts")).collect(),
        pub clear_pending: Wire<In> = Wire::default().doc("a clear was written"),
        pub write_pending: Optional<Wire<In>> = Optional::new(shape.array_access, Wire::default().doc("a clear or an access was written")),
        pub blocked: Wire<In> = Wire::default().doc("there is no spare epoch"),
        pub counting: Vec<Wire<In>> = (0..shape.windows()).map(|_| Wire::default().doc("the item that is offered inserts")).collect(),
        pub credit: Wire<In> = Wire::default().doc("the verdict queue has room for what is in flight and more"),
        pub ready: Wire<Out> = Wire::default().doc("the item stream is ready"),
        pub accept: Wire<Out> = Wire::default().doc("an item is accepted"),
        pub force_clear: Wire<Out> = Wire::default().doc("issue a clear"),
        pub access_done: Optional<Wire<In>> = Optional::new(shape.array_access && erases, Wire::default().doc("the access is in its last clock")),
        pub access: Optional<Wire<Out>> = Optional::new(shape.array_access, Wire::default().doc("issue an access")),
        pub access_pending: Optional<Wire<Out>> = Optional::new(shape.array_access, Wire::default().doc("an access was written and is not done")),
        pub finished: Wire<Out> = Wire::default().doc("what is pending is done"),
        pub running: Wire<Out> = Wire::default().doc("state RUN"),
        pub probing: Vec<Wire<Out>> = (0..shape.folds()).map(|_| Wire::default().doc("issue the next probe of the item accepted last")).collect(),
        pub last: Vec<Wire<Out>> = (0..shape.folds()).map(|_| Wire::default().doc("it is its last one")).collect(),
        pub raising: Vec<Wire<Out>> = (0..shape.conserves).map(|_| Wire::default().doc("issue its next probe that raises")).collect(),
        pub turning: Vec<Wire<Out>> = (0..shape.windows()).map(|_| Wire::default().doc("issue a turn")).collect(),
        pub erasing: Optional<Wire<Out>> = Optional::new(erases, Wire::default().doc("erase a row")),
        pub row: Optional<Bus<Out>> = Optional::new(erases, Bus::new(row).doc("that row")),
        pub stall_control: Wire<Out> = Wire::default().doc(match shape.windows() {
            0 => "not ready: clear, access or start",
            _ => "not ready: clear, access, turn or start",
        }),
        pub stall_verdict: Wire<Out> = Wire::default().doc("not ready: back-pressure of the verdict stream"),
        run_r: Flag,
        settle_r: Flag,
        waiting: Reg = Reg::with_init(wait, shape.retire as u128),
        waited: Flag = Flag::default().doc("waiting has come to 0; it counts on"),
        away: Optional<Reg> = Optional::new(times, Reg::new(wait)),
        out: Optional<Flag> = Optional::new(shape.array_access, Flag::default().doc(if times { "an access is on its way (away counts on)" } else { "an access is on its way" })),
        returning: Optional<Flag> = Optional::new(times, Flag::default().doc("this is its last clock")),
        ready_r: Flag,
        control_r: Flag,
        verdict_r: Flag,
        asked: Optional<Wire<Local>> = Optional::new(shape.array_access, Wire::default()),
        access_due: Optional<Wire<Local>> = Optional::new(shape.array_access, Wire::default()),
        forcing: Wire<Local>,
        accessing: Optional<Wire<Local>> = Optional::new(shape.array_access, Wire::default()),
        may_run: Wire<Local>,
        accepting: Wire<Local>,
        fold: Vec<Reg> = (0..shape.folds()).map(|_| Reg::new(fold).doc("probes to come of the item accepted last")).collect(),
        folding: Vec<Flag> = flags().map(|flag| flag.doc("there is one (fold counts on)")).collect(),
        more: Vec<Flag> = flags().map(|flag| flag.doc("there are two or more")).collect(),
        timer: Vec<RaiseTimer> = (0..shape.conserves).map(|_| RaiseTimer::new(shape)).collect(),
        left: Vec<Reg> = (0..shape.windows())
            .map(|_| Reg::with_init(left, shape.window).doc("insertions to come in this window"))
            .collect(),
        last_left: Vec<Flag> = (0..shape.windows()).map(|_| Flag::default().doc("it is one")).collect(),
        filled: Vec<Flag> = (0..shape.windows()).map(|_| Flag::default().doc("the window is full: a turn is due")).collect(),
        gap: Vec<Reg> = (0..shape.windows()).map(|_| Reg::new(gap).doc("bit i: in the i-th clock from now on slots stay empty behind a turn")).collect(),
        filling: Vec<Wire<Local>> = (0..shape.windows()).map(|_| Wire::default()).collect(),
        turn: Vec<Wire<Local>> = (0..shape.windows()).map(|_| Wire::default()).collect(),
        all_left: Vec<Const> = (0..shape.windows()).map(|_| Const::new(shape.window, left).doc("insertions of a window")).collect(),
        no_gap: Vec<Const> = (0..shape.windows()).map(|_| Const::new(0, gap)).collect(),
        whole_gap: Vec<Const> = (0..shape.windows()).map(|_| Const::new(ones(gap), gap)).collect(),
        retire: Const = Const::new(shape.retire as u128, wait)
            .doc("clocks until a slot issued now has left every trace"),
        rows: Optional<Const> = Optional::new(erases, Const::new(shape.erase_rows as u128, wait).doc("rows of a bank")),
        probes_behind: Const = Const::new(shape.fold as u128, fold).doc("probes of an item behind its first"),
        several_behind: Const = Const::new(u128::from(shape.fold > 1), 1).doc("they are two or more"),
        times: bool = times,
        row_bits: usize = row,
        shape: CellShape = *shape,
    }

    /// The sequencer of a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let wait = width_of(shape.retire.max(shape.erase_rows));
        let erases = shape.erase_rows > 0;
        let row = clog2(shape.erase_rows.max(2));
        let times = shape.array_access && !erases;
        let fold = width_of(shape.fold.max(2));
        let left = 128 - shape.window.leading_zeros() as usize;
        let gap = shape.turn - 1;
        let flags = || (0..shape.folds()).map(|_| Flag::default());
    }
}

impl Logic for CellSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("state; comparisons with counters are made a clock ahead");
        self.forcing.next = !self.run_r.q.val()
            && !self.settle_r.q.val()
            && self.waited.q.val()
            && !self.blocked.val();
        self.run_r.d.next = self.run_r.q.val();
        self.settle_r.d.next = self.settle_r.q.val();
        self.waiting.d.next = self.waiting.q.val() - 1;
        self.waited.d.next = self.waited.q.val() || (self.waiting.q.val() == 1);
        if self.run_r.q.val() {
            self.run_r.d.next = !self.clear_pending.val();
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
        } else if self.settle_r.q.val() {
            self.settle_r.d.next = !self.waited.q.val();
            self.run_r.d.next = self.waited.q.val();
        } else if self.forcing.val() {
            self.settle_r.d.next = true;
            if self.shape.erase_rows > 0 {
                self.waiting.d.next = self.rows.val();
            } else {
                self.waiting.d.next = self.retire.val();
            }
            self.waited.d.next = false;
        }
        if self.shape.erase_rows > 0 {
            comment!("a row in each clock but the last of SETTLE, all of them once");
            self.erasing.next = self.settle_r.q.val() && !self.waited.q.val();
            self.row.next = bits_to(self.waiting.q.val(), self.row_bits);
        }
        self.force_clear.next = self.forcing.val() && !self.reset.val();

        if self.shape.array_access {
            comment!("access to the array: in a clock without an item");
            self.asked.next = self.write_pending.val() && !self.clear_pending.val();
            self.access_due.next = self.asked.val() && !self.out.q.val();
            self.accessing.next = self.run_r.q.val()
                && self.access_due.val()
                && !self.ready_r.q.val()
                && !self.reset.val();
            for f in 0..self.shape.folds() {
                self.accessing.next = self.accessing.val() && !self.folding[f].q.val();
            }
            for c in 0..self.shape.conserves {
                self.accessing.next = self.accessing.val() && !self.timer[c].busy.val();
            }
            for w in 0..self.shape.windows() {
                self.accessing.next = self.accessing.val()
                    && !self.filled[w].q.val()
                    && !self.gap[w].q.val().get_bit(0);
            }
            self.access.next = self.accessing.val();
            self.access_pending.next = self.asked.val();
        }
        if self.times {
            self.out.d.next = self.accessing.val() || (self.out.q.val() && !self.returning.q.val());
            self.returning.d.next = self.out.q.val() && (self.away.q.val() == 2);
            self.away.d.next = self.away.q.val() - 1;
            if self.accessing.val() {
                self.away.d.next = self.retire.val();
            }
            self.finished.next = self.returning.q.val()
                || (self.settle_r.q.val() && self.waited.q.val() && self.clear_pending.val());
        } else {
            self.finished.next =
                self.settle_r.q.val() && self.waited.q.val() && self.clear_pending.val();
            if self.shape.array_access {
                self.out.d.next =
                    self.accessing.val() || (self.out.q.val() && !self.access_done.val());
                self.finished.next = self.access_done.val()
                    || (self.settle_r.q.val() && self.waited.q.val() && self.clear_pending.val());
            }
        }

        comment!("admission");
        if self.times {
            self.may_run.next =
                self.run_r.q.val() && !self.clear_pending.val() && !self.access_due.val();
        } else {
            self.may_run.next = self.run_r.q.val() && !self.clear_pending.val();
            if self.shape.array_access {
                self.may_run.next =
                    self.run_r.q.val() && !self.clear_pending.val() && !self.asked.val();
            }
        }
        self.ready_r.d.next = self.may_run.val() && self.credit.val() && !self.reset.val();
        self.control_r.d.next = !self.may_run.val() && !self.reset.val();
        self.verdict_r.d.next = self.may_run.val() && !self.credit.val() && !self.reset.val();

        self.accepting.next = self.valid.val() && self.ready_r.q.val();
        for w in 0..self.shape.windows() {
            comment!("the last insertion of a window is followed by a turn, and that by slots that stay empty");
            self.filling[w].next =
                self.accepting.val() && self.counting[w].val() && self.last_left[w].q.val();
            self.turn[w].next = self.run_r.q.val()
                && self.filled[w].q.val()
                && !self.blocked.val()
                && !self.out.q.val()
                && !self.reset.val();
            self.turning[w].next = self.turn[w].val();
            self.left[w].d.next = self.left[w].q.val();
            self.last_left[w].d.next = self.last_left[w].q.val();
            if self.accepting.val() && self.counting[w].val() {
                self.left[w].d.next = self.left[w].q.val() - 1;
                self.last_left[w].d.next = self.left[w].q.val() == 2;
            }
            self.filled[w].d.next =
                self.filling[w].val() || (self.filled[w].q.val() && !self.turn[w].val());
            self.gap[w].d.next = self.gap[w].q.val() >> 1;
            if self.turn[w].val() {
                self.gap[w].d.next = self.whole_gap[w].val();
            }
            if self.filling[w].val() || self.filled[w].q.val() || self.gap[w].q.val().get_bit(1) {
                self.ready_r.d.next = false;
                self.verdict_r.d.next = false;
                self.control_r.d.next = !self.reset.val();
            }
            if self.filling[w].val() || !self.run_r.q.val() || self.reset.val() {
                self.left[w].d.next = self.all_left[w].val();
                self.last_left[w].d.next = false;
            }
            if !self.run_r.q.val() || self.reset.val() {
                self.filled[w].d.next = false;
            }
            if self.reset.val() {
                self.gap[w].d.next = self.no_gap[w].val();
            }
        }
        for f in 0..self.shape.folds() {
            comment!("an item takes the clocks of its probes");
            self.fold[f].d.next = self.fold[f].q.val() - 1;
            self.folding[f].d.next = self.more[f].q.val();
            self.more[f].d.next = self.more[f].q.val() && (self.fold[f].q.val() != 2);
            if self.accepting.val() {
                self.fold[f].d.next = self.probes_behind.val();
                self.folding[f].d.next = true;
                self.more[f].d.next = self.several_behind.val().any();
            }
            if self.accepting.val() || self.more[f].q.val() {
                self.ready_r.d.next = false;
                self.verdict_r.d.next = false;
            }
            self.probing[f].next = self.folding[f].q.val();
            self.last[f].next = self.folding[f].q.val() && !self.more[f].q.val();
            if self.reset.val() {
                self.folding[f].d.next = false;
                self.more[f].d.next = false;
            }
        }

        for c in 0..self.shape.conserves {
            comment!("one that inserts also those of its raises, and of what they wait for");
            self.timer[c].reset.next = self.reset.val();
            self.timer[c].start.next = self.accepting.val() && self.inserting[c].val();
            if self.timer[c].more.val() {
                self.ready_r.d.next = false;
                self.verdict_r.d.next = false;
            }
            self.raising[c].next = self.timer[c].raising.val();
        }

        if self.reset.val() {
            self.run_r.d.next = false;
            self.settle_r.d.next = false;
            self.waiting.d.next = self.retire.val();
            self.waited.d.next = false;
            if self.shape.array_access {
                self.out.d.next = false;
            }
            if self.times {
                self.returning.d.next = false;
            }
        }
        self.ready.next = self.ready_r.q.val();
        self.accept.next = self.accepting.val();
        self.running.next = self.run_r.q.val();
        self.stall_control.next = self.control_r.q.val();
        self.stall_verdict.next = self.verdict_r.q.val();
    }
}
