//! Pipeline slots of the shared layout: operation, tag and flags of each stage.

use crate::prelude::*;

/// Stages of a refresh from stage 0 to the one before it is written.
const REFRESH_STAGES: usize = 5;
/// Stages in which an item behind a refresh that is about to be written reads, or will in the next clock.
const NEAR_STAGES: usize = 4;

block! {
    /// Carries each slot's kind (item, inserting, with verdict; force; fetch; set, a fetch that writes what it read with bits set in it; refresh) along the pipeline, fills empty slots with refreshes while the array is idle, and says when the ring,
    /// the words and the memory of the array move.
    ///
    /// Bit vectors over the ranks from the key register to stage D; what has been decided is finished, whatever `reset` does. Timing: `docs/shared-array.md`, "Slots".
    pub struct SharedArraySlots {
        about: About = About::new(
            "shared_array_slots",
            "What stands in each stage: an item, a forced recycle, a word for the host, a refresh or nothing. A slot left empty while the array is idle refreshes\none word of the active half with its present contents, so that it bears the current epoch.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empties every slot that has not been decided"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
        pub force_recycle: Wire<In> = Wire::default().doc("a recycle without an item is issued"),
        pub fetch: Wire<In> = Wire::default().doc("the fetch of a word for the host is issued"),
        pub fetch_address: Bus<In> = Bus::new(shape.word_address_bits).doc("that word"),
        pub set: Wire<In> = Wire::default().doc("the setting of bits in it is issued"),
        pub covered: Wire<In> = Wire::default().doc("no word of the active half needs a refresh"),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub load_early: Vec<Wire<Out>> = (0..shape.ecc).map(|_| Wire::default().doc("an item enters stage -2")).collect(),
        pub load: Wire<Out> = Wire::default().doc("an item enters stage 0"),
        pub ring_hold: Wire<Out> = Wire::default().doc("an item in stages k to D - 2"),
        pub store_hold: Wire<Out> = Wire::default().doc("an item in stages D - 2 and D - 1"),
        pub first: Wire<Out> = Wire::default().doc("an item in stage 5"),
        pub direct: Wire<Out> = Wire::default().doc(format!("a refresh, a fetch or a set in stage {direct}")),
        pub direct_address: Bus<Out> = Bus::new(shape.word_address_bits).doc("its word"),
        pub refreshing: Wire<Out> = Wire::default().doc("stage 4: a refresh or a set that will be written"),
        pub before_inserting: Wire<Out> = Wire::default().doc("the slot in stage D - 1 inserts"),
        pub forced: Wire<Out> = Wire::default().doc("the slot in stage D - 1 recycles in any case"),
        pub item: Wire<Out> = Wire::default().doc("stage D: an item"),
        pub inserting: Wire<Out> = Wire::default().doc("stage D: it inserts"),
        pub answering: Wire<Out> = Wire::default().doc("stage D: it wants a verdict"),
        pub writing: Wire<Out> = Wire::default().doc("stages D to D + k - 1: a word is written in the next clock"),
        pub emptied: Wire<Out> = Wire::default().doc("then: the item recycled"),
        pub recycled: Wire<Out> = Wire::default().doc("stage W: the slot recycled"),
        pub fetched: Wire<Out> = Wire::default().doc("stage 4: a fetch, whose word is there"),
        pub found: Wire<Out> = Wire::default().doc("stage 4: a set, the word before it is there"),
        pub reading_5: Vec<Wire<Out>> = (0..reads)
            .map(|_| Wire::default().doc("stage i + 5: probe i of an item; stage 5: a refresh, a fetch or a set"))
            .collect(),
        pub reading_3: Vec<Wire<Out>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("stage i + 3: probe i of an item; stage 3: a refresh, a fetch or a set"))
            .collect(),
        item_line: Reg = Reg::new(line),
        insert_line: Reg = Reg::new(line),
        answer_line: Reg = Reg::new(line),
        force_line: Reg = Reg::new(force),
        refresh_line: Reg = Reg::new(refresh),
        fetch_line: Reg = Reg::new(fetch),
        set_line: Reg = Reg::new(fetch),
        store_line: Vec<Reg> = (0..folds).map(|_| Reg::new(shape.hashes - 1)).collect(),
        entering_insert: Wire<Local>,
        entering_answer: Wire<Local>,
        entering: Wire<Local>,
        entering_refresh: Wire<Local>,
        entering_set: Wire<Local>,
        address: Reg = Reg::new(shape.word_address_bits),
        address_0: Reg = Reg::new(shape.word_address_bits),
        busy: Flag = Flag::default().doc("the array is taken, or will be until a refresh could read (busy_clocks counts on)"),
        busy_clocks: Reg = Reg::new(width_of(shape.interval - 1)),
        holding_ring: Bus<Local> = Bus::new(shape.decision - 1 - shape.hashes),
        holding_store: Bus<Local> = Bus::new(2),
        near: Bus<Local> = Bus::new(NEAR_STAGES),
        storing: Wire<Local>,
        to_write: Wire<Local>,
        empty: Wire<Local>,
        emptied_r: Flag,
        trip_w: Flag,
        retain: Const = Const::new(shape.retain.into(), 1).doc("the item that trips opens the new cycle"),
        interval_less_one: Const = Const::new(shape.interval as u128 - 1, width_of(shape.interval - 1)),
        no_line: Const = Const::new(0, line),
        no_force: Const = Const::new(0, force),
        no_refresh: Const = Const::new(0, refresh),
        no_fetch: Const = Const::new(0, fetch),
        at_front_last: Const = at(shape.front - 2 - shape.read_ahead),
        at_load: Vec<Const> = (0..shape.ecc).map(|_| at(shape.front - 2)).collect(),
        at_direct: Vec<Const> = (0..shape.ecc).map(|_| at(stage(0) - shape.read_ahead)).collect(),
        at_3: Vec<Const> = (0..shape.ecc).map(|_| at(stage(3))).collect(),
        at_0: Const = at(stage(0)),
        at_5: Const = at(stage(5)),
        at_k: Const = at(stage(shape.hashes)),
        at_store_hold: Const = at(stage(shape.decision - 2)),
        at_before: Const = at(stage(shape.decision - 1)),
        at_decision: Const = at(stage(shape.decision)),
        refresh_last: Const = at(refresh - 1),
        refresh_3: Vec<Const> = (0..shape.ecc).map(|_| at(refresh - 2)).collect(),
        at_fetch: Const = at(stage(shape.fetch)),
        items_reading: Vec<Slice> = (0..reads).map(|_| Slice::new(line, stage(4), shape.hashes)).collect(),
        items_reading_3: Vec<Slice> = (0..shape.ecc).map(|_| Slice::new(line, stage(3), shape.hashes)).collect(),
        reading: Vec<Flag> = (0..reads).map(|_| Flag::default()).collect(),
        line: usize = line,
        force: usize = force,
        refresh: usize = refresh,
        fetch_bits: usize = fetch,
        stores: usize = (shape.hashes - 1).max(1),
        shape: Shape = *shape,
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let line = shape.front + shape.decision;
        let force = line - 1;
        let fetch = shape.front + shape.fetch;
        let stage = |s: usize| shape.front - 1 + s;
        let at = |bit: usize| Const::new(bit as u128, width_of(bit));
        let folds = usize::from(shape.hashes > 1);
        let refresh = REFRESH_STAGES + shape.read_ahead;
        let reads = shape.parity + shape.ecc;
        let direct = match shape.ecc {
            0 => "0",
            _ => "-2",
        };
    }
}

impl Logic for SharedArraySlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.entering_insert.next = self.accept.val() && (self.operation.val() != 0);
        self.entering_answer.next = self.accept.val() && (self.operation.val() != 1);
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.accept.val(), self.line);
        self.insert_line.d.next =
            (self.insert_line.q.val() << 1) | bits_of(self.entering_insert.val(), self.line);
        self.answer_line.d.next =
            (self.answer_line.q.val() << 1) | bits_of(self.entering_answer.val(), self.line);
        self.force_line.d.next =
            (self.force_line.q.val() << 1) | bits_of(self.force_recycle.val(), self.force);

        self.fetch_line.d.next =
            (self.fetch_line.q.val() << 1) | bits_of(self.fetch.val(), self.fetch_bits);
        self.set_line.d.next =
            (self.set_line.q.val() << 1) | bits_of(self.set.val(), self.fetch_bits);
        self.entering_set.next = self.set_line.q.val().get_bit(self.at_front_last.val());

        if self.shape.ecc == 0 {
            comment!("an empty slot becomes a refresh where it enters stage 0, if the array is idle and no set is on its way");
            self.load.next = self.item_line.q.val().get_bit(self.at_front_last.val());
        }
        for e in 0..self.shape.ecc {
            comment!("an empty slot becomes a refresh where it enters stage -2, if the array is idle and no set is on its way");
            self.load_early[e].next = self.item_line.q.val().get_bit(self.at_front_last.val());
            self.load.next = self.item_line.q.val().get_bit(self.at_load[e].val());
        }
        self.entering.next = self.item_line.q.val().get_bit(self.at_front_last.val())
            || self.force_line.q.val().get_bit(self.at_front_last.val());
        self.busy_clocks.d.next = self.busy_clocks.q.val() - 1;
        self.busy.d.next = self.busy.q.val() && (self.busy_clocks.q.val() != 1);
        if self.entering.val() && !self.reset.val() {
            self.busy_clocks.d.next = self.interval_less_one.val();
            self.busy.d.next = true;
        }
        self.entering_refresh.next = !self.reset.val()
            && !self.covered.val()
            && !self.busy.q.val()
            && !self.entering.val()
            && !self.fetch_line.q.val().get_bit(self.at_front_last.val())
            && !self.set_line.q.val().any();
        self.refresh_line.d.next = (self.refresh_line.q.val() << 1)
            | bits_of(
                self.entering_refresh.val() || self.entering_set.val(),
                self.refresh,
            );
        self.address.d.next = self.address.q.val();
        if self.entering_refresh.val() {
            self.address.d.next = self.address.q.val() + 1;
        }
        self.address_0.d.next = self.address.q.val();
        self.direct.next = self.refresh_line.q.val().get_bit(0);
        self.direct_address.next = self.address_0.q.val();
        if self.shape.ecc == 0 {
            if self.fetch_line.q.val().get_bit(self.at_0.val())
                || self.set_line.q.val().get_bit(self.at_0.val())
            {
                self.direct.next = true;
                self.direct_address.next = self.fetch_address.val();
            }
        }
        for e in 0..self.shape.ecc {
            if self.fetch_line.q.val().get_bit(self.at_direct[e].val())
                || self.set_line.q.val().get_bit(self.at_direct[e].val())
            {
                self.direct.next = true;
                self.direct_address.next = self.fetch_address.val();
            }
        }
        self.fetched.next = self.fetch_line.q.val().get_bit(self.at_fetch.val());
        self.found.next = self.set_line.q.val().get_bit(self.at_fetch.val());
        comment!("it is dropped if the item or set behind it has begun to read when it would be written, or a fetch reads then");
        self.near.next = bits_to(self.item_line.q.val() >> self.at_0.val(), 4)
            | bits_to(self.set_line.q.val() >> self.at_0.val(), 4);
        self.refreshing.next = self.refresh_line.q.val().get_bit(self.refresh_last.val())
            && !self.near.val().any()
            && !self.fetch_line.q.val().get_bit(self.at_0.val())
            && !self.reset.val();
        for p in 0..self.shape.parity + self.shape.ecc {
            comment!("what has read: stage 4 of refresh, fetch and set, stage i + 4 of probe i");
            self.items_reading[p].input.next = self.item_line.q.val();
            self.reading[p].d.next = (self.items_reading[p].output.val().any()
                || self.refresh_line.q.val().get_bit(self.refresh_last.val())
                || self.fetch_line.q.val().get_bit(self.at_fetch.val()))
                && !self.reset.val();
            self.reading_5[p].next = self.reading[p].q.val();
        }
        for e in 0..self.shape.ecc {
            comment!("what may be written back: a clock before");
            self.items_reading_3[e].input.next = self.item_line.q.val();
            self.reading_3[e].next = (self.items_reading_3[e].output.val().any()
                || self.refresh_line.q.val().get_bit(self.refresh_3[e].val())
                || self.fetch_line.q.val().get_bit(self.at_3[e].val()))
                && !self.reset.val();
        }

        if self.reset.val() {
            self.item_line.d.next = self.no_line.val();
            self.insert_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
            self.force_line.d.next = self.no_force.val();
            self.refresh_line.d.next = self.no_refresh.val();
            self.fetch_line.d.next = self.no_fetch.val();
            self.set_line.d.next = self.no_fetch.val();
        }

        comment!("before the decision");
        self.holding_ring.next = bits_to(self.item_line.q.val() >> self.at_k.val(), 5);
        self.holding_store.next = bits_to(self.item_line.q.val() >> self.at_store_hold.val(), 2);
        self.ring_hold.next = self.holding_ring.val().any();
        self.store_hold.next = self.holding_store.val().any();
        self.first.next = self.item_line.q.val().get_bit(self.at_5.val());
        self.before_inserting.next = self.insert_line.q.val().get_bit(self.at_before.val());
        self.forced.next = self.force_line.q.val().get_bit(self.at_before.val());

        comment!("at the decision");
        self.item.next = self.item_line.q.val().get_bit(self.at_decision.val());
        self.inserting.next = self.insert_line.q.val().get_bit(self.at_decision.val());
        self.answering.next = self.answer_line.q.val().get_bit(self.at_decision.val());

        comment!("from it on: not reset, what has been decided is finished");
        self.storing.next = self.insert_line.q.val().get_bit(self.at_decision.val())
            && (self.retain.val().any() || !self.trip.val());
        self.to_write.next = self.storing.val();
        for f in 0..self.store_line.len() {
            self.store_line[f].d.next =
                (self.store_line[f].q.val() << 1) | bits_of(self.storing.val(), self.stores);
            self.to_write.next = self.storing.val() || self.store_line[f].q.val().any();
        }
        self.writing.next = self.to_write.val();
        self.empty.next = self.trip.val() || self.emptied_r.q.val();
        self.emptied_r.d.next = self.empty.val() && self.to_write.val();
        self.emptied.next = self.empty.val();
        self.trip_w.d.next = self.trip.val();
        self.recycled.next = self.trip_w.q.val();
    }
}
