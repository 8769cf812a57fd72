//! Pipeline slots: operation, tag and flags of each stage.

use crate::prelude::*;

block! {
    /// Carries each slot's kind (item, inserting, with verdict; force; fetch; set, a fetch that writes what it read with bits set in it; refresh) along the pipeline, and fills empty slots with refreshes.
    ///
    /// Bit vectors over the ranks from the key register to stage D; beyond the decision single flags, which `reset` does not touch.
    pub struct Slots {
        about: About = About::new(
            "slots",
            "What stands in each stage: an item, a forced recycle, a word for the host, a refresh or nothing. A slot left empty refreshes one word of the\nactive half with its present contents, so that it bears the current epoch.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empties every slot that has not been decided"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("0 query, 1 insert, 2 and 3 test-and-insert"),
        pub look: Vec<Wire<In>> = (0..shape.secret_per_half)
            .map(|_| Wire::default().doc("what is accepted only looks: it neither inserts nor answers"))
            .collect(),
        pub force_recycle: Wire<In> = Wire::default().doc("a recycle without an item is issued"),
        pub fetch: Wire<In> = Wire::default().doc("the fetch of a word for the host is issued"),
        pub fetch_address: Bus<In> = Bus::new(shape.word_address_bits).doc("that word"),
        pub set: Wire<In> = Wire::default().doc("the setting of bits in it is issued"),
        pub covered: Wire<In> = Wire::default().doc("no word of the active half needs a refresh"),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub direct: Wire<Out> = Wire::default().doc("the slot entering stage 0 is a refresh, a fetch or a set"),
        pub direct_address: Bus<Out> = Bus::new(shape.word_address_bits).doc("its word"),
        pub near_inserting: Bus<Out> = Bus::new(shape.near).doc("bit i: the slot in stage 8 + i inserts"),
        pub inserting_8: Wire<Out> = Wire::default().doc("the slot in stage 8 inserts"),
        pub inserting_9: Wire<Out> = Wire::default().doc("the slot in stage 9 inserts"),
        pub far_inserting: Wire<Out> = Wire::default().doc("the slot in stage D - 1 inserts"),
        pub forced: Wire<Out> = Wire::default().doc("the slot in stage D - 1 recycles in any case"),
        pub item: Wire<Out> = Wire::default().doc("stage D: an item"),
        pub inserting: Wire<Out> = Wire::default().doc("stage D: it inserts"),
        pub answering: Wire<Out> = Wire::default().doc("stage D: it wants a verdict"),
        pub answers_odd: Vec<Wire<Out>> = (0..shape.self_check)
            .map(|_| Wire::default().doc("an odd number of slots up to stage D wants a verdict"))
            .collect(),
        pub setting: Wire<Out> = Wire::default().doc("stage D + 1: it inserts"),
        pub tripped: Wire<Out> = Wire::default().doc("stage D + 1: it recycled"),
        pub storing: Wire<Out> = Wire::default().doc("stage D + 1: it writes"),
        pub current: Wire<Out> = Wire::default().doc("stage W: nothing decided behind it before stage D recycled"),
        pub write_enable: Wire<Out> = Wire::default().doc("stage W: it writes"),
        pub recycled: Wire<Out> = Wire::default().doc("stage W: it recycled"),
        pub fetching_6: Wire<Out> = Wire::default().doc("stage 6: a fetch or a set"),
        pub fetched: Wire<Out> = Wire::default().doc("stage 8: a fetch, whose word is there"),
        pub finding_6: Wire<Out> = Wire::default().doc("it is a set"),
        pub found: Wire<Out> = Wire::default().doc("stage 8: a set, the word before it is there"),
        pub adding: Wire<Out> = Wire::default().doc("stage D + 1: a set"),
        pub reading_8: Vec<Wire<Out>> = (0..shape.parity + shape.ecc)
            .map(|_| Wire::default().doc("stage 8: an item, a refresh, a fetch or a set"))
            .collect(),
        pub reading_6: Vec<Wire<Out>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("stage 6: the same, and no reset"))
            .collect(),
        item_line: Reg = Reg::new(line),
        insert_line: Reg = Reg::new(line),
        answer_line: Reg = Reg::new(line),
        force_line: Reg = Reg::new(force),
        refresh_line: Reg = Reg::new(refresh),
        fetch_line: Reg = Reg::new(fetch),
        set_line: Reg = Reg::new(line),
        entering_item: Wire<Local>,
        entering_insert: Wire<Local>,
        entering_answer: Wire<Local>,
        entering_refresh: Wire<Local>,
        entering_fetch: Wire<Local>,
        entering_set: Wire<Local>,
        address: Reg = Reg::new(shape.word_address_bits),
        setting_d1: Flag,
        adding_d1: Flag,
        trip_d1: Flag,
        trip_d2: Flag,
        trip_w: Flag,
        store_d1: Flag,
        store_d2: Flag,
        store_w: Flag,
        current_d2: Flag,
        current_w: Flag,
        retain: Const = Const::new(shape.retain.into(), 1).doc("the item that trips opens the new cycle"),
        no_line: Const = Const::new(0, line),
        no_force: Const = Const::new(0, force),
        no_refresh: Const = Const::new(0, refresh),
        no_fetch: Const = Const::new(0, fetch),
        front_last: Const = at(shape.front - 2),
        at_6: Const = at(stage(6)),
        at_fetch: Const = at(stage(shape.fetch)),
        at_8: Const = at(stage(8)),
        at_9: Const = at(stage(9)),
        at_before: Const = at(stage(shape.decision - 1)),
        at_decision: Const = at(stage(shape.decision)),
        refresh_last: Const = at(shape.decision),
        refresh_6: Const = at(6),
        refresh_8: Const = at(8),
        last_word: Vec<Const> = (0..wraps).map(|_| word(shape.words - 1)).collect(),
        first_word: Vec<Const> = (0..wraps).map(|_| word(0)).collect(),
        line: usize = line,
        force: usize = force,
        refresh: usize = refresh,
        fetch_bits: usize = fetch,
        wraps: usize = wraps,
        shape: Shape = *shape,
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let line = shape.front + shape.decision;
        let force = line - 1;
        let refresh = shape.decision + 1;
        let fetch = shape.front + shape.fetch;
        let stage = |s: usize| shape.front - 1 + s;
        let at = |bit: usize| Const::new(bit as u128, width_of(bit));
        let wraps = usize::from(!shape.words.is_power_of_two());
        let word = |word: usize| Const::new(word as u128, shape.word_address_bits);
    }
}

impl Logic for Slots {
    #[hdl_gen]
    fn update(&mut self) {
        self.entering_item.next = self.accept.val();
        self.entering_insert.next = self.accept.val() && (self.operation.val() != 0);
        self.entering_answer.next = self.accept.val() && (self.operation.val() != 1);
        for l in 0..self.shape.secret_per_half {
            self.entering_insert.next = self.entering_insert.val() && !self.look[l].val();
            self.entering_answer.next = self.entering_answer.val() && !self.look[l].val();
        }
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.entering_item.val(), self.line);
        self.insert_line.d.next =
            (self.insert_line.q.val() << 1) | bits_of(self.entering_insert.val(), self.line);
        self.answer_line.d.next =
            (self.answer_line.q.val() << 1) | bits_of(self.entering_answer.val(), self.line);
        self.force_line.d.next =
            (self.force_line.q.val() << 1) | bits_of(self.force_recycle.val(), self.force);

        self.fetch_line.d.next =
            (self.fetch_line.q.val() << 1) | bits_of(self.fetch.val(), self.fetch_bits);
        self.set_line.d.next = (self.set_line.q.val() << 1) | bits_of(self.set.val(), self.line);

        comment!("an empty slot becomes a refresh where it enters stage 0");
        self.entering_set.next = self.set_line.q.val().get_bit(self.front_last.val());
        self.entering_fetch.next =
            self.fetch_line.q.val().get_bit(self.front_last.val()) || self.entering_set.val();
        self.entering_refresh.next = !self.reset.val()
            && !self.covered.val()
            && !self.item_line.q.val().get_bit(self.front_last.val())
            && !self.force_line.q.val().get_bit(self.front_last.val())
            && !self.entering_fetch.val();
        self.refresh_line.d.next = (self.refresh_line.q.val() << 1)
            | bits_of(
                self.entering_refresh.val() || self.entering_set.val(),
                self.refresh,
            );
        self.address.d.next = self.address.q.val();
        if self.entering_refresh.val() {
            self.address.d.next = self.address.q.val() + 1;
        }
        for w in 0..self.wraps {
            if self.entering_refresh.val() && (self.address.q.val() == self.last_word[w].val()) {
                self.address.d.next = self.first_word[w].val();
            }
        }
        self.direct.next = self.entering_refresh.val() || self.entering_fetch.val();
        self.direct_address.next = self.address.q.val();
        if self.entering_fetch.val() {
            self.direct_address.next = self.fetch_address.val();
        }
        self.fetching_6.next = self.fetch_line.q.val().get_bit(self.at_6.val())
            || self.set_line.q.val().get_bit(self.at_6.val());
        self.fetched.next = self.fetch_line.q.val().get_bit(self.at_fetch.val());
        self.finding_6.next = self.set_line.q.val().get_bit(self.at_6.val());
        self.found.next = self.set_line.q.val().get_bit(self.at_fetch.val());
        for p in 0..self.shape.parity + self.shape.ecc {
            self.reading_8[p].next = self.item_line.q.val().get_bit(self.at_8.val())
                || self.refresh_line.q.val().get_bit(self.refresh_8.val())
                || self.fetch_line.q.val().get_bit(self.at_fetch.val());
        }

        for e in 0..self.shape.ecc {
            self.reading_6[e].next = !self.reset.val()
                && (self.item_line.q.val().get_bit(self.at_6.val())
                    || self.refresh_line.q.val().get_bit(self.refresh_6.val())
                    || self.fetch_line.q.val().get_bit(self.at_6.val()));
        }

        if self.reset.val() {
            self.item_line.d.next = self.no_line.val();
            self.insert_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
            self.force_line.d.next = self.no_force.val();
            self.refresh_line.d.next = self.no_refresh.val();
            self.fetch_line.d.next = self.no_fetch.val();
            self.set_line.d.next = self.no_line.val();
        }

        comment!("before the decision");
        self.near_inserting.next =
            bits_to(self.insert_line.q.val() >> self.at_8.val(), self.shape.near);
        self.inserting_8.next = self.insert_line.q.val().get_bit(self.at_8.val());
        self.inserting_9.next = self.insert_line.q.val().get_bit(self.at_9.val());
        self.far_inserting.next = self.insert_line.q.val().get_bit(self.at_before.val());
        self.forced.next = self.force_line.q.val().get_bit(self.at_before.val());

        comment!("at the decision");
        self.item.next = self.item_line.q.val().get_bit(self.at_decision.val());
        self.inserting.next = self.insert_line.q.val().get_bit(self.at_decision.val());
        self.answering.next = self.answer_line.q.val().get_bit(self.at_decision.val());
        for c in 0..self.shape.self_check {
            self.answers_odd[c].next = self.answer_line.q.val().xor();
        }
        if self.shape.secret_per_half > 0 {
            comment!("what neither inserts nor answers is a look");
            self.item.next = self.item.val() && (self.inserting.val() || self.answering.val());
        }

        comment!("behind it: not reset, what has been decided is finished");
        self.setting_d1.d.next = self.inserting.val();
        self.adding_d1.d.next = self.set_line.q.val().get_bit(self.at_decision.val());
        self.trip_d1.d.next = self.trip.val();
        self.trip_d2.d.next = self.trip_d1.q.val();
        self.trip_w.d.next = self.trip_d2.q.val();
        self.store_d1.d.next = (self.inserting.val()
            && (self.retain.val().any() || !self.trip.val()))
            || self.refresh_line.q.val().get_bit(self.refresh_last.val());
        self.store_d2.d.next = self.store_d1.q.val();
        self.store_w.d.next = self.store_d2.q.val();
        self.current_d2.d.next = !self.trip.val();
        self.current_w.d.next = self.current_d2.q.val() && !self.trip.val();
        self.setting.next = self.setting_d1.q.val();
        self.adding.next = self.adding_d1.q.val();
        self.tripped.next = self.trip_d1.q.val();
        self.storing.next = self.store_d1.q.val();
        self.current.next = self.current_w.q.val();
        self.write_enable.next = self.store_w.q.val();
        self.recycled.next = self.trip_w.q.val();
    }
}
