//! Decides which item trips a recycle: subtract, compare, select.

use crate::prelude::*;
use crate::recycle::{room_low_bits, CountOnes};

block! {
    /// Decides one slot a clock.
    ///
    /// The loop is subtract, compare, select: `room` is what the active half may still take (bits set or messages), and an item that would take more trips. `room` is split:
    /// the low bits are exact in every clock, the high part takes their borrow a clock later and is known in time by two flags (it is zero, it is one).
    ///
    /// A slot's new bits depend on whether one of the `near` slots ahead recycles, which is decided only while they are being counted. So they are
    /// counted once for "none of them does" and once for each that may be the last to do so (its own retained bits and those behind it then count); the decisions select.
    /// What is left after a recycle, less the next slot's count, is computed a clock ahead.
    ///
    /// Latency: counts from stage 8 and 9 (two less with a spare half, whose decision is two earlier), decision in stage D, one a clock. At most one of 64 slots recycles (the sequencer sees to it), which is why the slot behind one never does.
    /// `reset` is synchronous and active high.
    pub struct RecycleDecision {
        about: About = About::new(
            "recycle_decision",
            format!(
                "Decides for one item a clock whether it trips the recycle: threshold on {rule} (RBF section III).\n\
                 room = what the active half may still take; an item that would take more trips.\n\
                 New bits are counted for every way the {} directly ahead may turn out; their decisions select.",
                counted(near, "slot")
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("drops the slots that are not decided"),
        pub clear_none: Bus<In> = Bus::new(shape.hashes).doc(format!("stage {none}: clear bits if no near slot recycles")),
        pub clear_early: Vec<Bus<In>> = (0..near).map(|i| Bus::new(shape.hashes).doc(format!("stage {early}: clear bits if the slot {} ahead is the last to recycle", i + 1))).collect(),
        pub inserting_8: Wire<In> = Wire::default().doc(format!("the slot in stage {early} inserts")),
        pub inserting_9: Wire<In> = Wire::default().doc(format!("the slot in stage {none} inserts")),
        pub forced: Wire<In> = Wire::default().doc("the slot in stage D - 1 recycles in any case"),
        pub load: Wire<In> = Wire::default().doc("take room (the pipeline is empty)"),
        pub room: Bus<In> = Bus::new(shape.count_bits).doc("room of the active half as it stands"),
        pub base_room: Bus<In> = Bus::new(shape.count_bits).doc("room right after a recycle by an item"),
        pub trip: Wire<Out> = Wire::default().doc("the slot in stage D recycles"),
        pub count: Bus<Out> = Bus::new(count_width).doc("new bits of the slot in stage D"),
        count_none: CountOnes = CountOnes::new(shape.hashes, near),
        count_early: Vec<CountOnes> = (0..near).map(|_| CountOnes::new(shape.hashes, near)).collect(),
        first: Reg = Reg::new(count_width),
        later_trip: Vec<Flag> = (0..later).map(|_| Flag::default()).collect(),
        later_count: Vec<Reg> = (0..later).map(|_| Reg::new(count_width)).collect(),
        history: Vec<Flag> = (2..near).map(|_| Flag::default()).collect(),
        counted: Bus<Local> = Bus::new(count_width),
        amount: Bus<Local> = Bus::new(low),
        first_amount: Bus<Local> = Bus::new(low),
        over: Wire<Local>,
        resolved: Reg = Reg::new(count_width),
        trip_r: Flag,
        low: Reg = Reg::new(low),
        high: Reg = Reg::new(high),
        high_zero: Flag,
        high_one: Flag,
        borrow: Flag,
        room_low: Reg = Reg::new(low),
        room_high: Reg = Reg::new(high),
        room_zero: Flag,
        room_one: Flag,
        base_low: Reg = Reg::new(low),
        base_high: Reg = Reg::new(high),
        base_less: Reg = Reg::new(high),
        base_zero: Flag,
        base_one: Flag,
        base_high_in: Bus<Local> = Bus::new(high),
        room_high_in: Bus<Local> = Bus::new(high),
        after_low: Reg = Reg::new(low),
        after_high: Reg = Reg::new(high),
        after_zero: Flag,
        after_one: Flag,
        nothing: Const = Const::new(0, shape.hashes),
        no_count: Const = Const::new(0, count_width),
        low_width: Const = Const::new(low as u128, 3),
        later: usize = later,
        history_count: usize = near.saturating_sub(2),
        first_history: usize = usize::from(near > 2),
        low_bits: usize = low,
        high_bits: usize = high,
        shape: Shape = *shape,
    }

    /// The decision for a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let near = shape.near;
        let count_width = width_of(shape.hashes);
        let low = room_low_bits(shape.hashes);
        let high = shape.count_bits - low;
        let later = usize::from(near > 1);
        let early = shape.decision - near - 2;
        let none = early + 1;
        let rule = if shape.on_messages {
            "bit-setting messages"
        } else {
            "bits set"
        };
    }
}

impl Logic for RecycleDecision {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("new bits of the slot, for each way the slots ahead may turn out");
        self.count_none.reset.next = self.reset.val();
        self.count_none.x.next = self.nothing.val();
        if self.inserting_9.val() {
            self.count_none.x.next = self.clear_none.val();
        }
        for i in 0..self.shape.near {
            self.count_early[i].reset.next = self.reset.val();
            self.count_early[i].x.next = self.nothing.val();
            if self.inserting_8.val() {
                self.count_early[i].x.next = self.clear_early[i].val();
            }
        }
        self.first.d.next = self.count_early[0].count.val();
        self.counted.next = self.count_none.count.val();
        for l in 0..self.later {
            comment!("a slot 2 or more ahead has been decided when this one reaches stage D - 1 (at most one of them recycled)");
            self.later_trip[l].d.next = self.trip_r.q.val();
            self.later_count[l].d.next = self.count_early[1].count.val();
            for i in 0..self.history_count {
                if self.history[i].q.val() {
                    self.later_trip[l].d.next = true;
                    self.later_count[l].d.next = self.count_early[i + 2].count.val();
                }
            }
            if self.later_trip[l].q.val() {
                self.counted.next = self.later_count[l].q.val();
            }
        }
        for i in 0..self.first_history {
            self.history[i].d.next = self.trip_r.q.val();
        }
        for i in 1..self.history_count {
            self.history[i].d.next = self.history[i - 1].q.val();
        }
        self.resolved.d.next = self.counted.val();
        if self.trip_r.q.val() {
            self.resolved.d.next = self.first.q.val();
        }
        if self.reset.val() {
            self.resolved.d.next = self.no_count.val();
            self.first.d.next = self.no_count.val();
            for l in 0..self.later {
                self.later_trip[l].d.next = false;
            }
        }
        self.count.next = self.resolved.q.val();

        if !self.shape.on_messages {
            self.amount.next = bits_to(self.counted.val(), self.low_bits);
            self.first_amount.next = bits_to(self.count_early[0].count.val(), self.low_bits);
        }
        if self.shape.on_messages {
            comment!("a message counts once, however many bits it sets");
            self.amount.next = bits_of(self.counted.val().any(), self.low_bits);
            self.first_amount.next = bits_of(self.count_early[0].count.val().any(), self.low_bits);
        }

        comment!("room right after a recycle, and what is left of it after the next slot");
        self.base_low.d.next = bits_to(self.base_room.val(), self.low_bits);
        self.base_high_in.next =
            bits_to(self.base_room.val() >> self.low_width.val(), self.high_bits);
        self.base_high.d.next = self.base_high_in.val();
        self.base_less.d.next = self.base_high_in.val() - 1;
        self.base_zero.d.next = self.base_high_in.val() == 0;
        self.base_one.d.next = self.base_high_in.val() == 1;
        self.after_low.d.next = self.base_low.q.val() - self.first_amount.val();
        self.after_high.d.next = self.base_high.q.val();
        if self.first_amount.val() > self.base_low.q.val() {
            self.after_high.d.next = self.base_less.q.val();
        }
        self.after_zero.d.next = self.base_zero.q.val();
        self.after_one.d.next = self.base_one.q.val();

        comment!("room as it stands, for a new threshold");
        self.room_low.d.next = bits_to(self.room.val(), self.low_bits);
        self.room_high_in.next = bits_to(self.room.val() >> self.low_width.val(), self.high_bits);
        self.room_high.d.next = self.room_high_in.val();
        self.room_zero.d.next = self.room_high_in.val() == 0;
        self.room_one.d.next = self.room_high_in.val() == 1;

        comment!("the loop");
        self.over.next = self.amount.val() > self.low.q.val();
        self.trip_r.d.next = !self.trip_r.q.val()
            && !self.reset.val()
            && (self.forced.val() || (self.high_zero.q.val() && self.over.val()));
        self.low.d.next = self.low.q.val() - self.amount.val();
        self.borrow.d.next = self.over.val() && !self.trip_r.q.val() && !self.load.val();
        self.high.d.next = self.high.q.val();
        self.high_one.d.next = self.high.q.val() == 1;
        if self.borrow.q.val() {
            self.high.d.next = self.high.q.val() - 1;
            self.high_one.d.next = self.high.q.val() == 2;
        }
        self.high_zero.d.next = self.high_zero.q.val();
        if self.over.val() {
            self.high_zero.d.next = self.high_one.q.val();
        }
        if self.trip_r.q.val() {
            self.low.d.next = self.after_low.q.val();
            self.high.d.next = self.after_high.q.val();
            self.high_zero.d.next = self.after_zero.q.val();
            self.high_one.d.next = self.after_one.q.val();
        }
        if self.load.val() {
            self.low.d.next = self.room_low.q.val();
            self.high.d.next = self.room_high.q.val();
            self.high_zero.d.next = self.room_zero.q.val();
            self.high_one.d.next = self.room_one.q.val();
        }
        self.trip.next = self.trip_r.q.val();
    }
}
