//! Combines the probes of an item, and decides whether the item trips a recycle.

use crate::prelude::*;

block! {
    /// Folds the bits of an item's probes, which come one a clock, and decides.
    ///
    /// An item that would take more than `room` (what the active half may still take, in bits or messages) trips the recycle. Only one item is in the array, so `room` needs no loop.
    ///
    /// Timing: `first` in stage 5, bit of probe i in stage 5 + i, results in stage D = k + 6. Source: RBF section III.
    /// `reset` is synchronous and active high.
    pub struct SharedArrayDecision {
        about: About = About::new(
            "shared_array_decision",
            format!(
                "Folds the bits of an item's probes and decides whether it trips the recycle: threshold on {rule} (RBF section III).\n\
                 room = what the active half may still take; an item that would take more trips."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("drops the item that is not decided"),
        pub first: Wire<In> = Wire::default().doc("stage 5: the bits are those of an item's first probe"),
        pub active_bit: Wire<In> = Wire::default().doc("stage i + 5: the probe's bit in the active half"),
        pub frozen_bit: Vec<Wire<In>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("stage i + 5: in the frozen half")).collect(),
        pub repeated: Wire<In> = Wire::default().doc("stage i + 5: an earlier probe has the same position"),
        pub inserting: Wire<In> = Wire::default().doc("the slot in stage D - 1 inserts"),
        pub forced: Wire<In> = Wire::default().doc("the slot in stage D - 1 recycles in any case"),
        pub room: Bus<In> = Bus::new(shape.count_bits).doc("room of the active half"),
        pub trip: Wire<Out> = Wire::default().doc("the slot in stage D recycles"),
        pub count: Bus<Out> = Bus::new(width).doc("new bits of the slot in stage D"),
        pub distinct: Vec<Bus<Out>> = (0..collides).map(|_| Bus::new(width).doc("stage D: different positions of the item")).collect(),
        pub in_active: Wire<Out> = Wire::default().doc("stage D: every bit is set in the active half"),
        pub in_frozen: Vec<Wire<Out>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("stage D: in the frozen half")).collect(),
        all_active: Flag,
        all_frozen: Vec<Flag> = (0..shape.frozen_halves()).map(|_| Flag::default()).collect(),
        clear: Reg = Reg::new(width),
        clear_before: Bus<Local> = Bus::new(width),
        different: Vec<Reg> = (0..collides).map(|_| Reg::new(width)).collect(),
        different_before: Vec<Bus<Local>> = (0..collides).map(|_| Bus::new(width)).collect(),
        over: Wire<Local>,
        trip_r: Flag,
        count_r: Reg = Reg::new(width),
        distinct_r: Vec<Reg> = (0..collides).map(|_| Reg::new(width)).collect(),
        in_active_r: Flag,
        in_frozen_r: Vec<Flag> = (0..shape.frozen_halves()).map(|_| Flag::default()).collect(),
        no_count: Const = Const::new(0, width),
        count_width: usize = width,
        collides: usize = collides,
        shape: Shape = *shape,
    }

    /// The decision of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let collides = usize::from(!shape.distinct);
        let width = width_of(shape.hashes);
        let rule = if shape.on_messages {
            "bit-setting messages"
        } else {
            "bits set"
        };
    }
}

impl Logic for SharedArrayDecision {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("probes 0 to i, in stage i + 6");
        self.all_active.d.next =
            self.active_bit.val() && (self.first.val() || self.all_active.q.val());
        self.clear_before.next = self.clear.q.val();
        if self.first.val() {
            self.clear_before.next = self.no_count.val();
        }
        self.clear.d.next = self.clear_before.val()
            + bits_of(
                !self.active_bit.val() && !self.repeated.val(),
                self.count_width,
            );
        for c in 0..self.collides {
            self.different_before[c].next = self.different[c].q.val();
            if self.first.val() {
                self.different_before[c].next = self.no_count.val();
            }
            self.different[c].d.next =
                self.different_before[c].val() + bits_of(!self.repeated.val(), self.count_width);
            self.distinct_r[c].d.next = self.different[c].q.val();
            self.distinct[c].next = self.distinct_r[c].q.val();
        }

        comment!("the decision");
        if !self.shape.on_messages {
            self.over.next = bits_to(self.clear.q.val(), self.shape.count_bits) > self.room.val();
        }
        if self.shape.on_messages {
            comment!("a message counts once, however many bits it sets");
            self.over.next = self.clear.q.val().any() && !self.room.val().any();
        }
        self.trip_r.d.next =
            !self.reset.val() && (self.forced.val() || (self.inserting.val() && self.over.val()));
        self.count_r.d.next = self.no_count.val();
        if self.inserting.val() && !self.reset.val() {
            self.count_r.d.next = self.clear.q.val();
        }
        self.in_active_r.d.next = self.all_active.q.val();
        for h in 0..self.shape.frozen_halves() {
            self.all_frozen[h].d.next =
                self.frozen_bit[h].val() && (self.first.val() || self.all_frozen[h].q.val());
            self.in_frozen_r[h].d.next = self.all_frozen[h].q.val();
            self.in_frozen[h].next = self.in_frozen_r[h].q.val();
        }
        self.trip.next = self.trip_r.q.val();
        self.count.next = self.count_r.q.val();
        self.in_active.next = self.in_active_r.q.val();
    }
}
