//! Gives the halves their roles, and erases the one that has had its time.

use crate::prelude::*;

/// Clocks behind a recycle in which the room known is that of before it.
const UNKNOWING: usize = 3;

block! {
    /// The roles of the halves, as one-hot flags, and the row that is erased.
    ///
    /// ```text
    /// trip -> active <- spare, frozen <- active, spare <- frozen (one phase: active); the spare half's rows are erased, one a clock
    /// ```
    ///
    /// `active_half` and `frozen_half` are the roles as a slot in the stage of the bit met them when it read, with every recycle behind it applied: a half that became active behind
    /// its read is empty.
    /// Rules and timing: `docs/spare-half.md`. No reset: memory has none.
    pub struct Eraser {
        about: About = About::new(
            "eraser",
            "Roles of the halves, as one-hot flags: active, with two phases frozen, and spare. A recycle moves them on; the half that becomes spare is\n\
             erased, a row a clock. While that goes on, items wait as soon as the active half has too little room for what is in flight.",
        ),
        pub clock: Signal<In, Clock>,
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub storing: Wire<In> = Wire::default().doc("it sets its bits"),
        pub room: Bus<In> = Bus::new(shape.count_bits).doc("room of the active half, three clocks late"),
        pub one_at_a_time: Wire<In> = Wire::default().doc("items come one at a time"),
        pub active_half: Bus<Out> = Bus::new(halves).doc(format!("stage {bit}: half that was active when the slot read; none if it has recycled")),
        pub frozen_half: Vec<Bus<Out>> = (0..shape.frozen_halves())
            .map(|_| Bus::new(halves).doc(format!("stage {bit}: half that was frozen, or has become so")))
            .collect(),
        pub store: Bus<Out> = Bus::new(halves).doc("stage D: half in which the slot sets its bits, or none"),
        pub erase: Bus<Out> = Bus::new(halves).doc("half that is being erased, or none"),
        pub row: Bus<Out> = Bus::new(row).doc("its row"),
        pub erasing: Wire<Out> = Wire::default().doc("a half is being erased"),
        pub blocked: Wire<Out> = Wire::default().doc("items wait for it"),
        role: Reg = Reg::with_init(halves, 1).doc("the active half"),
        next: Bus<Local> = Bus::new(halves),
        before: Bus<Local> = Bus::new(halves),
        active_view: Vec<Reg> = (0..views).map(|_| Reg::new(halves)).collect(),
        frozen_view: Vec<Reg> = (0..views * shape.frozen_halves()).map(|_| Reg::new(halves)).collect(),
        erase_r: Reg = Reg::new(halves),
        row_r: Reg = Reg::new(row),
        last_row: Flag = Flag::default().doc("the row is the last"),
        erasing_r: Flag,
        begun: FlagDelay = FlagDelay::new(UNKNOWING),
        ample: Wire<Local>,
        low: Flag = Flag::with_init(true).doc("too little room for what is in flight"),
        blocked_r: Flag,
        none: Const = Const::new(0, halves),
        first_row: Const = Const::new(0, row),
        row_before_last: Const = Const::new((shape.words * WORD_BITS / shape.row_bits) as u128 - 2, row),
        views: usize = views,
        last_view: usize = views - 1,
        turn: usize = halves - 1,
        guard_from: usize = shape.erase_guard_bits,
        guard_bits: usize = shape.count_bits.saturating_sub(shape.erase_guard_bits).max(1),
        guarded: bool = shape.erase_guard_bits < shape.count_bits,
        shape: Shape = *shape,
    }

    /// For a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let halves = shape.phases + 1;
        let row = shape.index_bits - clog2(shape.row_bits);
        // from the row's address to the bit
        let views = shape.bit_stage - shape.row_stage + 1;
        let bit = shape.bit_stage;
    }
}

impl Logic for Eraser {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("the spare half, which becomes active, and the one that has had its time");
        self.next.next = (self.role.q.val() << 1) | (self.role.q.val() >> self.turn);
        if self.shape.phases == 2 {
            self.before.next = (self.role.q.val() >> 1) | (self.role.q.val() << self.turn);
        } else {
            self.before.next = self.role.q.val();
        }
        self.role.d.next = self.role.q.val();
        self.store.next = self.none.val();
        if self.storing.val() {
            self.store.next = self.role.q.val();
        }
        if self.trip.val() {
            self.role.d.next = self.next.val();
            if self.storing.val() {
                self.store.next = self.next.val();
            }
        }

        comment!("roles as the slots in stages 3 to 6 met them");
        self.active_view[0].d.next = self.role.q.val();
        for i in 1..self.views {
            self.active_view[i].d.next = self.active_view[i - 1].q.val();
        }
        if self.shape.phases == 2 {
            self.frozen_view[0].d.next = self.before.val();
            for i in 1..self.views {
                self.frozen_view[i].d.next = self.frozen_view[i - 1].q.val();
            }
            if self.trip.val() {
                self.frozen_view[0].d.next = self.role.q.val();
                for i in 1..self.views {
                    self.frozen_view[i].d.next = self.active_view[i - 1].q.val();
                }
            }
            self.frozen_half[0].next = self.frozen_view[self.last_view].q.val();
        }
        if self.trip.val() {
            for i in 0..self.views {
                self.active_view[i].d.next = self.none.val();
            }
        }
        self.active_half.next = self.active_view[self.last_view].q.val();

        comment!("erasing");
        self.row_r.d.next = self.row_r.q.val() + 1;
        self.last_row.d.next =
            (self.row_r.q.val() == self.row_before_last.val()) && !self.trip.val();
        self.erasing_r.d.next = self.erasing_r.q.val() && !self.last_row.q.val();
        self.erase_r.d.next = self.erase_r.q.val();
        if self.last_row.q.val() {
            self.erase_r.d.next = self.none.val();
        }
        if self.trip.val() {
            self.row_r.d.next = self.first_row.val();
            self.erasing_r.d.next = true;
            self.erase_r.d.next = self.before.val();
        }
        self.erase.next = self.erase_r.q.val();
        self.row.next = self.row_r.q.val();
        self.erasing.next = self.erasing_r.q.val();

        comment!("items wait while what is in flight could fill the active half before the spare one is empty");
        if self.guarded {
            self.ample.next = bits_to(self.room.val() >> self.guard_from, self.guard_bits).any();
        } else {
            self.ample.next = false;
        }
        self.low.d.next = !self.ample.val();
        self.begun.d.next = self.erasing_r.q.val();
        self.blocked_r.d.next = self.erasing_r.q.val()
            && self.begun.q.val()
            && (self.low.q.val() || self.one_at_a_time.val());
        self.blocked.next = self.blocked_r.q.val();
    }
}
