//! Stash: elements that found their four rows full.

use super::{CuckooShape, StashEntry, Turns, FORWARDED};
use crate::bus::SmallMemory;
use crate::hash::XorMatrix;
use crate::prelude::*;

block! {
    /// S entries that every slot sees, and the choice of the one that an agent moves next. The identity that is handed to an agent is read from a memory beside the entries; an entry is never read there in the clock in which it is written.
    ///
    /// ```text
    /// entries --pick--> pick --contents--> cand --handed--> an agent's next
    /// ```
    /// Timing of an item: compared in stage 3, `meets` in stage 6, `takes` in the same clock, the entry is written in stage 7. An item meets one entry at most, whose number goes along with its slot; where the
    /// slot in stage 7 takes or refreshes an entry, every slot behind with its identity meets that entry. Rules: `docs/cuckoo-window.md`, "Stash".
    /// `clear` frees every entry.
    pub struct Stash {
        about: About = About::new(
            "stash",
            format!("{cells} entries for what finds its four rows full, each seen by every slot; and the one that an agent moves next."),
        ),
        pub clock: Signal<In, Clock>,
        pub clear: Wire<In> = Wire::default().doc("free every entry"),
        pub identity_3: Bus<In> = Bus::new(bits).doc("{r, b} of the slot in stage 3"),
        pub identity_7: Bus<In> = Bus::new(bits).doc("of the slot in stage 7"),
        pub own_7: Bus<In> = Bus::new(v).doc("its generation"),
        pub turns: Turns<Slave> = Turns::new(shape),
        pub same_identity: Bus<In> = Bus::new(FORWARDED)
            .doc("bit s: the slot in stage s + 1 bears the identity of that in stage 7"),
        pub near_identity: Wire<In> = Wire::default().doc("the slot in stage 5 bears the identity of that in stage 6"),
        pub element_5: Wire<In> = Wire::default().doc("the slot in stage 5 is an element"),
        pub takes: Wire<In> = Wire::default().doc("the slot in stage 6 takes an entry"),
        pub next_free: Bus<In> = Bus::new(tables).doc("agents that can take a move"),
        pub moved: Vec<Bus<In>> = (0..tables).map(|_| Bus::new(entry).doc("entry that the agent moves")).collect(),
        pub first_entry: Bus<In> = Bus::new(entry).doc("entry whose move may end"),
        pub ends: Wire<In> = Wire::default().doc("that move ends"),
        pub placed: Wire<In> = Wire::default().doc("its element is in a cell that was dead: the entry is free"),
        pub succeeds: Wire<In> = Wire::default().doc("its element is in its row; unless a cell was dead, the element that gave way takes the entry"),
        pub target_in: Bus<In> = Bus::new(target).doc("table that the entry is aimed at from now on"),
        pub victim_identity: Bus<In> = Bus::new(bits).doc("{r, b} of that other element"),
        pub victim_generation: Bus<In> = Bus::new(v).doc("its generation"),
        pub victim_live: Wire<In> = Wire::default().doc("it is live"),
        pub victim_old: Wire<In> = Wire::default().doc("it has been dead for a generation"),
        pub meets: Wire<Out> = Wire::default().doc("stage 6: an entry matches"),
        pub room: Wire<Out> = Wire::default().doc("stage 6: an entry is free"),
        pub taken: Wire<Out> = Wire::default().doc("the slot in stage 7 takes an entry"),
        pub disturbed: Bus<Out> = Bus::new(tables).doc("the entry that the agent moves was refreshed since it was picked, or was old in the clock before"),
        pub held: Wire<Out> = Wire::default().doc("no item must come: there might be no room for it"),
        pub calm: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("no entry was used in the clock before")),
        pub hop: Bus<Out> = Bus::new(2).doc("0, 1, 2, 0 .."),
        pub handed: Wire<Out> = Wire::default().doc("a move is handed to an agent"),
        pub hands: Bus<Out> = Bus::new(tables).doc("to that of this table"),
        pub row: Bus<Out> = Bus::new(shape.row_bits).doc("its row"),
        pub entry: Bus<Out> = Bus::new(entry).doc("its entry"),
        pub value: Bus<Out> = Bus::new(shape.value_bits()).doc("its fingerprint"),
        pub generation: Bus<Out> = Bus::new(v).doc("its generation"),
        cell: Vec<StashEntry> = (0..cells).map(|_| StashEntry::new(shape)).collect(),
        taken_r: Flag,
        refreshed: Flag = Flag::default().doc("the slot in stage 7 refreshes an entry"),
        meets_r: Flag = Flag::default().doc("stage 6: an entry matches"),
        refreshing: Flag = Flag::default().doc("the slot in stage 6 refreshes an entry"),
        found: Reg = Reg::new(EARLY).doc("stages 2 to 4: a slot ahead took or refreshed the entry of this slot since"),
        found_entry: Vec<Reg> = (0..EARLY).map(|_| Reg::new(entry).doc("its number")).collect(),
        meets_5: Flag = Flag::default().doc("stage 5: an entry matches, without what the slots in stages 6 and 7 change"),
        entry_5: Reg = Reg::new(entry).doc("its number"),
        entry_6: Reg = Reg::new(entry).doc("stage 6: the same, without what the slot ahead changes"),
        known_6: Flag = Flag::default().doc("the slot in stage 6 refreshes that entry"),
        near_6: Flag = Flag::default().doc("the slot in stage 6 refreshes the entry that the slot in stage 7 takes or refreshes"),
        wrote_7: Wire<Local> = Wire::default().doc("the slot in stage 7 takes or refreshes an entry"),
        near_now: Wire<Local> = Wire::default().doc("the slot in stage 6 takes or refreshes an entry, and that in stage 5 bears its identity"),
        hit: Bus<Local> = Bus::new(FORWARDED),
        no_hit: Const = Const::new(0, FORWARDED),
        no_early: Const = Const::new(0, EARLY),
        last_early: usize = EARLY - 1,
        low_lines: Bus<Local> = Bus::new(4).doc("low bits of the number of the entry that the slot in stage 6 refreshes, one line each"),
        high_lines: Bus<Local> = Bus::new(fours).doc("the others"),
        first_low: Bus<Local> = Bus::new(4).doc("the same of the entry whose move may end"),
        first_high: Bus<Local> = Bus::new(fours),
        meeting_now: Wire<Local>,
        pick: Flag = Flag::default().doc("an entry is picked"),
        pick_cells: Reg = Reg::new(cells),
        cand: Flag = Flag::default().doc("a move waits to be handed over"),
        cand_entry: Reg = Reg::new(entry),
        cand_identity: Reg = Reg::new(bits),
        cand_generation: Reg = Reg::new(v),
        cand_target: Reg = Reg::new(target),
        above: Reg = Reg::with_init(cells, ones(cells)).doc("entries above the one picked last"),
        filled: Reg = Reg::new(count).doc("entries used"),
        hold: Reg = Reg::new(hold).doc("clocks for which the stash has been full"),
        hop_r: Reg = Reg::new(2),
        shift: Vec<XorMatrix> = (1..tables).map(|table| shape.row_function(table)).collect(),
        meeting: Bus<Local> = Bus::new(cells).doc("entries that matched the slot in stage 4 in stage 3"),
        meeting_entry: Bus<Local> = Bus::new(entry).doc("number of the one that did"),
        disturbing: Bus<Local> = Bus::new(1 << entry),
        free: Bus<Local> = Bus::new(cells),
        lowest: Bus<Local> = Bus::new(cells),
        used: Bus<Local> = Bus::new(cells),
        eligible: Bus<Local> = Bus::new(cells),
        beyond: Bus<Local> = Bus::new(cells),
        chosen: Bus<Local> = Bus::new(cells),
        over: Bus<Local> = Bus::new(cells).doc("entries above it"),
        accepts: Wire<Local>,
        picks: Bus<Local> = Bus::new(cells),
        identities: SmallMemory = SmallMemory::new("stash_memory", 1 << entry, bits),
        wrote_entry: Bus<Local> = Bus::new(entry).doc("the one that the slot in stage 7 takes or refreshes; 0 if there is none"),
        picked_entry: Bus<Local> = Bus::new(entry).doc("the one that is picked"),
        first_here: Bus<Local> = Bus::new(cells).doc("the one whose move may end, one bit each"),
        refreshes: Bus<Local> = Bus::new(cells).doc("the one that the slot in stage 6 refreshes, one bit each"),
        read_generation: Bus<Local> = Bus::new(v),
        read_target: Bus<Local> = Bus::new(target),
        identity_in: Bus<Local> = Bus::new(bits),
        four: Vec<Bus<Local>> = (0..fours).map(|_| Bus::new(4).doc("four of the entries used")).collect(),
        ones: Vec<Bus<Local>> = (0..fours).map(|_| Bus::new(3).doc("how many")).collect(),
        carry_0: Vec<Wire<Local>> = (0..pairs).map(|_| Wire::default()).collect(),
        carry_1: Vec<Wire<Local>> = (0..pairs).map(|_| Wire::default()).collect(),
        eight: Vec<Bus<Local>> = (0..fours.div_ceil(2)).map(|_| Bus::new(4).doc("of eight of the entries")).collect(),
        count: Bus<Local> = Bus::new(count),
        full: Wire<Local>,
        spent: Wire<Local> = Wire::default().doc("the stream has been held for long enough"),
        target_here: Bus<Local> = Bus::new(tables),
        no_entry: Const = Const::new(0, cells),
        any_entry: Const = Const::new(ones(cells), cells),
        limit: Const = Const::new(shape.stash_limit as u128, count).doc("most entries used while items come"),
        patience: Const = Const::new(shape.patience, hold),
        last_hop: Const = Const::new(2, 2),
        cells: usize = cells,
        entries: usize = 1 << entry,
        count_bits: usize = count,
        hold_bits: usize = hold,
        row_bits: usize = shape.row_bits,
        value_bits: usize = shape.value_bits(),
        fours: usize = fours,
        high_bits: usize = entry - 2,
        low_of: Vec<usize> = (0..cells).map(|j| j % 4).collect(),
        high_of: Vec<usize> = (0..cells).map(|j| j / 4).collect(),
        pairs: usize = pairs,
        first_from: usize = shape.row_bits + clog2(shape.lead.len()),
        shape: CuckooShape = shape.clone(),
    }

    /// The stash of this shape.
    pub fn new(shape: &CuckooShape) {
        let cells = shape.stash_cells;
        let (bits, v) = (shape.identity_bits(), shape.generation_bits);
        let tables = CuckooShape::TABLES;
        let target = clog2(tables);
        let entry = shape.entry_bits();
        let count = width_of(cells);
        let fours = cells.div_ceil(4);
        let pairs = fours / 2;
        let hold = width_of(shape.patience as usize);
    }
}

/// Stages in which an entry that a slot ahead takes is only noted: 1 to 3.
const EARLY: usize = 3;

impl Logic for Stash {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("what the entries say");
        self.picked_entry.next = bits_to(0, self.shape.entry_bits());
        self.wrote_entry.next = bits_to(0, self.shape.entry_bits());
        self.meeting_entry.next = bits_to(0, self.shape.entry_bits());
        self.read_generation.next = bits_to(0, self.shape.generation_bits);
        self.read_target.next = bits_to(0, self.shape.table_bits());
        for j in self.cells..self.entries {
            self.disturbing.set_bit(j, false);
        }
        for j in 0..self.cells {
            self.meeting.set_bit(j, self.cell[j].meets_4.val());
            if self.cell[j].meets_4.val() {
                self.meeting_entry.next =
                    self.meeting_entry.val() | bits_to(j, self.shape.entry_bits());
            }
            self.disturbing.set_bit(j, self.cell[j].disturbed.val());
            self.free.set_bit(j, self.cell[j].free.val());
            self.used.set_bit(j, self.cell[j].used.val());
            self.eligible.set_bit(j, self.cell[j].waits.val());
            if self.cell[j].wrote_7.val() {
                self.wrote_entry.next =
                    self.wrote_entry.val() | bits_to(j, self.shape.entry_bits());
            }
            if self.pick_cells.q.val().get_bit(j) {
                self.picked_entry.next =
                    self.picked_entry.val() | bits_to(j, self.shape.entry_bits());
                self.read_generation.next =
                    self.read_generation.val() | self.cell[j].generation.val();
                self.read_target.next = self.read_target.val() | self.cell[j].target.val();
            }
        }

        comment!("match: compared in stage 3, and what the slots ahead take or refresh since");
        self.wrote_7.next = self.taken_r.q.val() || self.refreshed.q.val();
        self.hit.next = self.no_hit.val();
        if self.wrote_7.val() {
            self.hit.next = self.same_identity.val();
        }
        self.found.d.next = (self.found.q.val() << 1) | bits_to(self.hit.val(), EARLY);
        self.found_entry[0].d.next = self.wrote_entry.val();
        for s in 1..self.found_entry.len() {
            self.found_entry[s].d.next = self.found_entry[s - 1].q.val();
            if self.hit.val().get_bit(s) {
                self.found_entry[s].d.next = self.wrote_entry.val();
            }
        }
        self.meets_5.d.next = self.meeting.val().any()
            || self.found.q.val().get_bit(self.last_early)
            || self.hit.val().get_bit(3usize);
        self.entry_5.d.next = self.meeting_entry.val();
        if self.found.q.val().get_bit(self.last_early) {
            self.entry_5.d.next = self.found_entry[2].q.val();
        }
        if self.hit.val().get_bit(3usize) {
            self.entry_5.d.next = self.wrote_entry.val();
        }
        self.entry_6.d.next = self.entry_5.q.val();
        if self.hit.val().get_bit(4usize) {
            self.entry_6.d.next = self.wrote_entry.val();
        }
        self.near_now.next =
            self.near_identity.val() && (self.takes.val() || self.refreshing.q.val());
        self.meeting_now.next =
            self.meets_5.q.val() || self.hit.val().get_bit(4usize) || self.near_now.val();
        self.meets.next = self.meets_r.q.val();
        self.meets_r.d.next = self.meeting_now.val();
        self.refreshing.d.next = self.meeting_now.val() && self.element_5.val();
        self.known_6.d.next =
            self.element_5.val() && (self.meets_5.q.val() || self.hit.val().get_bit(4usize));
        self.near_6.d.next = self.element_5.val() && self.near_now.val();
        self.refreshed.d.next = self.refreshing.q.val();
        comment!("an entry that is refreshed by the slot behind one that refreshes it was disturbed in the clock before");
        for t in 0..CuckooShape::TABLES {
            self.disturbed.set_bit(
                t,
                self.disturbing.val().get_bit(self.moved[t].val())
                    || (self.known_6.q.val() && (self.entry_6.q.val() == self.moved[t].val())),
            );
        }

        comment!("the lowest free entry; what an entry takes");
        self.lowest.next = self.free.val() & -self.free.val();
        self.room.next = self.free.val().any();
        self.taken_r.d.next = self.takes.val();
        self.taken.next = self.taken_r.q.val();
        self.identities.write_address.next = self.first_entry.val();
        self.identity_in.next = self.victim_identity.val();
        if self.taken_r.q.val() {
            self.identities.write_address.next = self.wrote_entry.val();
            self.identity_in.next = self.identity_7.val();
        }
        self.identities.write_enable.next = self.taken_r.q.val() || self.succeeds.val();
        self.identities.write_data.next = self.identity_in.val();
        self.identities.read_address.next = self.picked_entry.val();

        comment!("the entry that is moved next: in turn");
        self.beyond.next = self.eligible.val() & self.above.q.val();
        self.chosen.next = self.eligible.val() & -self.eligible.val();
        self.over.next = self.eligible.val() ^ -self.eligible.val();
        if self.beyond.val().any() {
            self.chosen.next = self.beyond.val() & -self.beyond.val();
            self.over.next = self.beyond.val() ^ -self.beyond.val();
        }
        self.handed.next =
            self.cand.q.val() && self.next_free.val().get_bit(self.cand_target.q.val());
        self.accepts.next = !self.cand.q.val() || self.handed.val();
        self.picks.next = self.no_entry.val();
        self.pick.d.next = self.pick.q.val();
        self.pick_cells.d.next = self.pick_cells.q.val();
        self.above.d.next = self.above.q.val();
        if !self.pick.q.val() || self.accepts.val() {
            self.picks.next = self.chosen.val();
            self.pick.d.next = self.eligible.val().any();
            self.pick_cells.d.next = self.chosen.val();
            if self.eligible.val().any() {
                self.above.d.next = self.over.val();
            }
        }
        self.cand.d.next = self.cand.q.val();
        self.cand_entry.d.next = self.cand_entry.q.val();
        self.cand_identity.d.next = self.cand_identity.q.val();
        self.cand_generation.d.next = self.cand_generation.q.val();
        self.cand_target.d.next = self.cand_target.q.val();
        if self.accepts.val() {
            self.cand.d.next = self.pick.q.val();
            self.cand_entry.d.next = self.picked_entry.val();
            self.cand_identity.d.next = self.identities.read_data.val();
            self.cand_generation.d.next = self.read_generation.val();
            self.cand_target.d.next = self.read_target.val();
        }
        for t in 0..CuckooShape::TABLES {
            self.target_here
                .set_bit(t, self.handed.val() && (self.cand_target.q.val() == t));
        }
        self.hands.next = self.target_here.val();
        self.entry.next = self.cand_entry.q.val();
        self.generation.next = self.cand_generation.q.val();
        self.value.next = bits_to(self.cand_identity.q.val() >> self.row_bits, self.value_bits);
        self.row.next = bits_to(self.cand_identity.q.val(), self.row_bits);
        for t in 0..self.shift.len() {
            self.shift[t].x.next = bits_wide(
                bits_to(self.cand_identity.q.val() >> self.row_bits, self.value_bits),
                self.value_bits,
            );
            if self.cand_target.q.val() == t + 1 {
                self.row.next = bits_to(self.cand_identity.q.val(), self.row_bits)
                    ^ bits_to(self.shift[t].y.val(), self.row_bits);
            }
        }

        comment!("entries; numbers are decoded in two parts");
        for l in 0..4 {
            self.low_lines.set_bit(
                l,
                self.known_6.q.val() && (bits_to(self.entry_6.q.val(), 2) == l),
            );
            self.first_low
                .set_bit(l, bits_to(self.first_entry.val(), 2) == l);
        }
        for h in 0..self.fours {
            self.high_lines
                .set_bit(h, bits_to(self.entry_6.q.val() >> 2, self.high_bits) == h);
            self.first_high
                .set_bit(h, bits_to(self.first_entry.val() >> 2, self.high_bits) == h);
        }
        for j in 0..self.cells {
            self.refreshes.set_bit(
                j,
                (self.low_lines.val().get_bit(self.low_of[j])
                    && self.high_lines.val().get_bit(self.high_of[j]))
                    || (self.near_6.q.val() && self.cell[j].wrote_7.val()),
            );
            self.first_here.set_bit(
                j,
                self.first_low.val().get_bit(self.low_of[j])
                    && self.first_high.val().get_bit(self.high_of[j]),
            );
            self.cell[j].clear.next = self.clear.val();
            self.cell[j].identity_3.next = self.identity_3.val();
            self.turns.link(&mut self.cell[j].turns);
            self.cell[j].refreshing.next = self.refreshes.val().get_bit(j);
            self.cell[j].takes_7.next = self.taken_r.q.val();
            self.cell[j].taking.next = self.takes.val() && self.lowest.val().get_bit(j);
            self.cell[j].own_7.next = self.own_7.val();
            self.cell[j].first_7.next = bits_to(
                self.identity_7.val() >> self.first_from,
                self.shape.table_bits(),
            );
            self.cell[j].picks.next = self.picks.val().get_bit(j);
            self.cell[j].ends.next = self.ends.val() && self.first_here.val().get_bit(j);
            self.cell[j].placed.next = self.placed.val() && self.first_here.val().get_bit(j);
            self.cell[j].stores.next = self.succeeds.val() && self.first_here.val().get_bit(j);
            self.cell[j].target_in.next = self.target_in.val();
            self.cell[j].identity_in.next = self.identity_in.val();
            self.cell[j].generation_in.next = self.victim_generation.val();
            self.cell[j].live_in.next = self.victim_live.val();
            self.cell[j].old_in.next = self.victim_old.val();
        }

        comment!("how full it is, counted by fours and eights, since adders of single bits would be the longest path; and for how long the stream has been held");
        self.count.next = bits_to(0, self.count_bits);
        for i in 0..self.fours {
            self.four[i].next = bits_to(self.used.val() >> (4 * i), 4);
            self.ones[i].set_bit(0, self.four[i].val().xor());
            self.ones[i].set_bit(
                1,
                !self.four[i].val().all()
                    && (bits_to(self.four[i].val(), 2).all()
                        || bits_to(self.four[i].val() >> 2, 2).all()
                        || (bits_to(self.four[i].val(), 2).any()
                            && bits_to(self.four[i].val() >> 2, 2).any())),
            );
            self.ones[i].set_bit(2, self.four[i].val().all());
        }
        for i in 0..self.eight.len() {
            if i < self.pairs {
                self.carry_0[i].next =
                    self.ones[2 * i].val().get_bit(0) && self.ones[2 * i + 1].val().get_bit(0);
                self.carry_1[i].next = (self.ones[2 * i].val().get_bit(1)
                    && self.ones[2 * i + 1].val().get_bit(1))
                    || ((self.ones[2 * i].val().get_bit(1)
                        || self.ones[2 * i + 1].val().get_bit(1))
                        && self.carry_0[i].val());
                self.eight[i].set_bit(
                    0,
                    self.ones[2 * i].val().get_bit(0) != self.ones[2 * i + 1].val().get_bit(0),
                );
                self.eight[i].set_bit(
                    1,
                    (self.ones[2 * i].val().get_bit(1) != self.ones[2 * i + 1].val().get_bit(1))
                        != self.carry_0[i].val(),
                );
                self.eight[i].set_bit(
                    2,
                    (self.ones[2 * i].val().get_bit(2) != self.ones[2 * i + 1].val().get_bit(2))
                        != self.carry_1[i].val(),
                );
                self.eight[i].set_bit(
                    3,
                    (self.ones[2 * i].val().get_bit(2) && self.ones[2 * i + 1].val().get_bit(2))
                        || ((self.ones[2 * i].val().get_bit(2)
                            || self.ones[2 * i + 1].val().get_bit(2))
                            && self.carry_1[i].val()),
                );
            } else {
                self.eight[i].next = bits_to(self.ones[2 * i].val(), 4);
            }
            self.count.next = self.count.val() + bits_to(self.eight[i].val(), self.count_bits);
        }
        self.filled.d.next = self.count.val();
        self.full.next = self.filled.q.val() > self.limit.val();
        self.spent.next = self.hold.q.val() == self.patience.val();
        self.held.next = self.full.val() && !self.spent.val();
        self.hold.d.next = bits_to(0, self.hold_bits);
        if self.full.val() {
            self.hold.d.next = self.hold.q.val();
            if !self.spent.val() {
                self.hold.d.next = self.hold.q.val() + 1;
            }
        }
        if self.shape.ecc {
            self.calm.next = !self.filled.q.val().any();
        }
        self.hop.next = self.hop_r.q.val();
        self.hop_r.d.next = self.hop_r.q.val() + 1;
        if self.hop_r.q.val() == self.last_hop.val() {
            self.hop_r.d.next = bits_to(0, 2);
        }

        if self.clear.val() {
            self.taken_r.d.next = false;
            self.found.d.next = self.no_early.val();
            self.meets_5.d.next = false;
            self.known_6.d.next = false;
            self.near_6.d.next = false;
            self.refreshing.d.next = false;
            self.refreshed.d.next = false;
            self.meets_r.d.next = false;
            self.pick.d.next = false;
            self.pick_cells.d.next = self.no_entry.val();
            self.cand.d.next = false;
            self.above.d.next = self.any_entry.val();
            self.filled.d.next = bits_to(0, self.count_bits);
            self.hold.d.next = bits_to(0, self.hold_bits);
            self.hop_r.d.next = bits_to(0, 2);
        }
    }
}
