//! Combines the probes of an item, and decides whether the item trips a recycle.

use crate::prelude::*;

/// Folds the bits of an item's probes, which come one a clock, and decides.
///
/// An item that would take more than `room` (what the active half may still take, in bits or messages) trips the recycle. Only one item is in the array, so `room` needs no loop.
///
/// Timing: `first` in stage 5, bit of probe i in stage 5 + i, results in stage D = k + 6. Source: RBF section III.
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct SharedArrayDecision {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub first: Wire<In>,
    pub active_bit: Wire<In>,
    pub frozen_bit: Vec<Wire<In>>,
    pub repeated: Wire<In>,
    pub inserting: Wire<In>,
    pub forced: Wire<In>,
    pub room: Bus<In>,
    pub trip: Wire<Out>,
    pub count: Bus<Out>,
    pub distinct: Vec<Bus<Out>>,
    pub in_active: Wire<Out>,
    pub in_frozen: Vec<Wire<Out>>,
    all_active: Flag,
    all_frozen: Vec<Flag>,
    clear: Reg,
    clear_before: Bus<Local>,
    different: Vec<Reg>,
    different_before: Vec<Bus<Local>>,
    over: Wire<Local>,
    trip_r: Flag,
    count_r: Reg,
    distinct_r: Vec<Reg>,
    in_active_r: Flag,
    in_frozen_r: Vec<Flag>,
    no_count: Const,
    count_width: usize,
    collides: usize,
    shape: Shape,
}

impl SharedArrayDecision {
    /// The decision of a pipeline of this shape.
    pub fn new(shape: &Shape) -> Self {
        let collides = usize::from(!shape.distinct);
        let width = width_of(shape.hashes);
        let rule = if shape.on_messages {
            "bit-setting messages"
        } else {
            "bits set"
        };
        Self {
            about: About::new(
                "shared_array_decision",
                format!(
                    "Folds the bits of an item's probes and decides whether it trips the recycle: threshold on {rule} (RBF section III).\n\
                     room = what the active half may still take; an item that would take more trips."
                ),
            ),
            clock: Default::default(),
            reset: Wire::default().doc("drops the item that is not decided"),
            first: Wire::default().doc("stage 5: the bits are those of an item's first probe"),
            active_bit: Wire::default().doc("stage i + 5: the probe's bit in the active half"),
            frozen_bit: (0..shape.frozen_halves()).map(|_| Wire::default().doc("stage i + 5: in the frozen half")).collect(),
            repeated: Wire::default().doc("stage i + 5: an earlier probe has the same position"),
            inserting: Wire::default().doc("the slot in stage D - 1 inserts"),
            forced: Wire::default().doc("the slot in stage D - 1 recycles in any case"),
            room: Bus::new(shape.count_bits).doc("room of the active half"),
            trip: Wire::default().doc("the slot in stage D recycles"),
            count: Bus::new(width).doc("new bits of the slot in stage D"),
            distinct: (0..collides).map(|_| Bus::new(width).doc("stage D: different positions of the item")).collect(),
            in_active: Wire::default().doc("stage D: every bit is set in the active half"),
            in_frozen: (0..shape.frozen_halves()).map(|_| Wire::default().doc("stage D: in the frozen half")).collect(),
            all_active: Default::default(),
            all_frozen: (0..shape.frozen_halves()).map(|_| Flag::default()).collect(),
            clear: Reg::new(width),
            clear_before: Bus::new(width),
            different: (0..collides).map(|_| Reg::new(width)).collect(),
            different_before: (0..collides).map(|_| Bus::new(width)).collect(),
            over: Default::default(),
            trip_r: Default::default(),
            count_r: Reg::new(width),
            distinct_r: (0..collides).map(|_| Reg::new(width)).collect(),
            in_active_r: Default::default(),
            in_frozen_r: (0..shape.frozen_halves()).map(|_| Flag::default()).collect(),
            no_count: Const::new(0, width),
            count_width: width,
            collides,
            shape: *shape,
        }
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
