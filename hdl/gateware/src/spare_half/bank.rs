//! One bank of single bits: a memory for each half, and the forwarding of what is in flight.

use crate::bank::{BitMemory, PositionCompare};
use crate::prelude::*;

block! {
    /// A bank of a filter with a spare half.
    ///
    /// ```text
    /// position -> [stages 1, 2] -> row -> [half memories] -> bit of each half -> active, frozen -> ... -> stage D
    ///          -> compared with the slots ahead ------------------^ applied as each is decided ----^
    ///          -> [stages 1 to W] ------------------------------------------------------> port A sets the bit
    /// ```
    ///
    /// A slot's bits are known but for what the slots ahead do that have not been decided; each decision is applied to every slot behind it. The `near` slots directly ahead, which are
    /// undecided when new bits are counted, are compared early.
    /// The stages are those of the default latency; with a lower one the row stands at memory in stage 1 and its bits come in stage 3.
    /// Rules and timing: `docs/spare-half.md`. No reset.
    pub struct SpareHalfBank {
        about: About = About::new("spare_half_bank", text),
        pub clock: Signal<In, Clock>,
        pub index: Bus<In> = Bus::new(index).doc("stage 0: position of the item"),
        pub direct: Optional<Wire<In>> = Optional::new(shape.array_access, Wire::default().doc("stage 0: a bit for the host")),
        pub direct_position: Optional<Bus<In>> = Optional::new(shape.array_access, Bus::new(index).doc("its position")),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub near_inserting: Bus<In> = Bus::new(near).doc(format!("bit i: the slot in stage {bit_stage} + i inserts")),
        pub far_inserting: Wire<In> = Wire::default().doc("the slot in stage D - 1 inserts"),
        pub decided_inserting: Optional<Wire<In>> = Optional::new(
            clocks(0) == 0,
            Wire::default().doc("the slot in stage D inserts"),
        ),
        pub active_half: Bus<In> = Bus::new(halves)
            .doc(format!("stage {bit_stage}: half that was active when the slot read; none if it has recycled")),
        pub frozen_half: Vec<Bus<In>> = (0..shape.frozen_halves())
            .map(|_| Bus::new(halves).doc(format!("stage {bit_stage}: half that was frozen, or has become so")))
            .collect(),
        pub takes: Optional<Wire<In>> = Optional::new(shape.array_access, Wire::default().doc("bits are set in this bank")),
        pub store: Bus<In> = Bus::new(halves).doc("stage D: half in which the slot sets its bits, or none"),
        pub erase: Bus<In> = Bus::new(halves).doc("half that is being erased, or none"),
        pub row: Bus<In> = Bus::new(row).doc("its row"),
        pub clear_none: Wire<Out> = Wire::default().doc(format!("stage {}: the bit is clear if no near slot recycles", bit_stage + 1)),
        pub clear_early: Vec<Wire<Out>> = (0..near)
            .map(|i| {
                let doc = format!(
                    "stage {bit_stage}: it is clear if the slot {} ahead is the last to recycle",
                    i + 1
                );
                Wire::default().doc(doc)
            })
            .collect(),
        pub in_active: Wire<Out> = Wire::default().doc("stage D: it is set in the active half"),
        pub in_frozen: Vec<Wire<Out>> = (0..shape.frozen_halves())
            .map(|_| Wire::default().doc("stage D: in the frozen half"))
            .collect(),
        place: Vec<Reg> = (0..=decision).map(|_| Reg::new(index)).collect(),
        offset: Vec<Bus<Local>> = (0..offsets).map(|_| Bus::new(offset)).collect(),
        far: Vec<PositionCompare> = (0..far)
            .map(|i| PositionCompare::within(clocks(i), index))
            .collect(),
        near_match: Vec<PositionCompare> = (0..near).map(|_| PositionCompare::new(index)).collect(),
        following: Vec<Flag> = (0..near).map(|_| Flag::default()).collect(),
        late: Vec<FlagDelay> = (0..near).map(|i| FlagDelay::new(near - i)).collect(),
        same: Vec<Wire<Local>> = (0..chain).map(|_| Wire::default()).collect(),
        row_r: Vec<Reg> = (0..halves).map(|_| Reg::new(row)).collect(),
        erase_r: Vec<Flag> = (0..halves).map(|_| Flag::default()).collect(),
        memory: Vec<BitMemory> = (0..halves)
            .map(|_| BitMemory::new(shape.words * WORD_BITS, shape.row_bits))
            .collect(),
        bit: Optional<Reg> = Optional::new(
            bit_registered,
            Reg::new(halves).doc(format!("stage {bit_stage}: the bit in each half")),
        ),
        bit_in: Bus<Local> = Bus::new(halves),
        set: Reg = Reg::new(halves).doc("stage W: half in which it is set"),
        active: Vec<Flag> = (0..chain).map(|_| Flag::default()).collect(),
        was_active: Vec<Wire<Local>> = (0..chain).map(|_| Wire::default()).collect(),
        next_active: Vec<Wire<Local>> = (0..chain).map(|_| Wire::default()).collect(),
        frozen: Vec<Flag> = (0..chain * shape.frozen_halves()).map(|_| Flag::default()).collect(),
        was_frozen: Vec<Wire<Local>> = (0..chain * shape.frozen_halves()).map(|_| Wire::default()).collect(),
        by_near: Vec<Wire<Local>> = (0..=near).map(|_| Wire::default()).collect(),
        by_following: Wire<Local>,
        no_half: Const = Const::new(0, halves),
        chain: usize = chain,
        chain_last: usize = chain - 1,
        met: usize = bit_stage - row_stage,
        // `place` begins with stage 1
        at_behind: Vec<usize> = (0..far).map(|i| place_behind(i).unwrap_or(0)).collect(),
        at_ahead: Vec<usize> = (0..far).map(|i| decision - 1 - clocks(i)).collect(),
        at_once: Vec<bool> = (0..far).map(|i| clocks(i) == 0).collect(),
        at_first: Vec<bool> = (0..far).map(|i| place_behind(i).is_none()).collect(),
        masked: Vec<bool> = (0..far)
            .map(|i| shape.array_access && place_behind(i).is_none())
            .collect(),
        row_from: usize = offset,
        row_width: usize = row,
        offset_width: usize = offset.max(1),
        shape: Shape = *shape,
    }

    /// A bank of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let Shape {
            near,
            decision,
            index_bits: index,
            ..
        } = *shape;
        let halves = shape.phases + 1;
        let offset = clog2(shape.row_bits);
        let offsets = usize::from(offset > 0);
        let row = index - offset;
        let (row_stage, bit_stage) = (shape.row_stage, shape.bit_stage);
        let far = decision + 1 - row_stage - near;
        // stages of the row to D
        let chain = decision + 1 - row_stage;
        // two clocks for a comparison where the slot behind has been in stage 0 for so long
        let clocks = |i: usize| (row_stage + i - 1).min(2);
        let place_behind = |i: usize| (row_stage + i - 1 - clocks(i)).checked_sub(1);
        let bit_registered = bit_stage > row_stage + 2;
        let text = "One bank of single bits. Port A of a half sets bits, port B reads; what the slots in flight ahead do is applied as each is decided.";
    }
}

impl Logic for SpareHalfBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("positions of the slots in stages 1 to W");
        self.place[0].d.next = self.index.val();
        if self.shape.array_access {
            if self.direct.val() {
                self.place[0].d.next = self.direct_position.val();
            }
        }
        for i in 1..self.place.len() {
            self.place[i].d.next = self.place[i - 1].q.val();
        }

        comment!("in stage s: the slot in stage D inserts the same bit");
        for i in 0..self.far.len() {
            if self.masked[i] {
                comment!(
                    "a bit for the host comes in behind stage 0, and meets none of its own word"
                );
            }
            if self.at_first[i] {
                self.far[i].behind.next = self.index.val();
            } else {
                self.far[i].behind.next = self.place[self.at_behind[i]].q.val();
            }
            if self.at_once[i] {
                if self.shape.array_access {
                    self.far[i].inserting.next = self.decided_inserting.val() && !self.direct.val();
                } else {
                    self.far[i].inserting.next = self.decided_inserting.val();
                }
            } else {
                if self.masked[i] {
                    self.far[i].inserting.next = self.far_inserting.val() && !self.direct.val();
                } else {
                    self.far[i].inserting.next = self.far_inserting.val();
                }
            }
            self.far[i].ahead.next = self.place[self.at_ahead[i]].q.val();
            self.same[i].next = self.far[i].same.val();
        }
        comment!("the slots directly ahead, early");
        self.by_near[0].next = false;
        self.by_following.next = false;
        for i in 0..self.shape.near {
            self.near_match[i].behind.next = self.place[self.shape.bit_stage - 3].q.val();
            self.near_match[i].ahead.next = self.place[self.shape.bit_stage - 3 + i + 1].q.val();
            self.near_match[i].inserting.next = self.near_inserting.val().get_bit(i);
            self.following[i].d.next = self.near_match[i].same.val();
            self.late[i].d.next = self.following[i].q.val();
            self.same[self.chain_last - i].next = self.late[i].q.val();
            self.by_near[i + 1].next = self.by_near[i].val() || self.near_match[i].same.val();
            self.by_following.next = self.by_following.val() || self.following[i].q.val();
            if self.shape.retain {
                self.clear_early[i].next =
                    !(self.by_near[i].val() || self.near_match[i].same.val());
            } else {
                self.clear_early[i].next = !self.by_near[i].val();
            }
        }

        if self.shape.bit_stage > self.shape.row_stage + 2 {
            comment!("memory: row in stage 3, bit of each half in stage 6");
        } else {
            comment!("memory: row in stage 1, bit of each half in stage 3");
        }
        if self.shape.array_access {
            self.set.d.next = self.no_half.val();
            if self.takes.val() {
                self.set.d.next = self.store.val();
            }
        } else {
            self.set.d.next = self.store.val();
        }
        for o in 0..self.offset.len() {
            self.offset[o].next = bits_to(
                self.place[self.shape.row_stage + 1].q.val(),
                self.offset_width,
            );
        }
        for h in 0..self.shape.phases + 1 {
            if self.shape.row_stage == 1 {
                self.row_r[h].d.next = bits_to(self.index.val() >> self.row_from, self.row_width);
                if self.shape.array_access {
                    if self.direct.val() {
                        self.row_r[h].d.next =
                            bits_to(self.direct_position.val() >> self.row_from, self.row_width);
                    }
                }
            } else {
                self.row_r[h].d.next = bits_to(
                    self.place[self.shape.row_stage - 2].q.val() >> self.row_from,
                    self.row_width,
                );
            }
            self.erase_r[h].d.next = self.erase.val().get_bit(h);
            if self.erase.val().get_bit(h) {
                self.row_r[h].d.next = self.row.val();
            }
            self.memory[h].row.next = self.row_r[h].q.val();
            self.memory[h].erase.next = self.erase_r[h].q.val();
            self.memory[h].set.next = self.set.q.val().get_bit(h);
            self.memory[h].set_address.next = self.place[self.shape.decision].q.val();
            if self.shape.row_bits == 1 {
                self.bit_in.set_bit(h, self.memory[h].data.val().any());
            } else {
                self.bit_in
                    .set_bit(h, self.memory[h].data.val().get_bit(self.offset[0].val()));
            }
        }
        if self.shape.bit_stage > self.shape.row_stage + 2 {
            self.bit.d.next = self.bit_in.val();
        }

        if self.shape.bit_stage > self.shape.row_stage + 2 {
            comment!("each decision is applied to the slots behind it, in stages 3 to D");
        } else {
            comment!("each decision is applied to the slots behind it, in stages 1 to D");
        }
        for i in 0..self.chain {
            self.was_active[i].next = self.active[i].q.val();
            if i == self.met {
                if self.shape.bit_stage > self.shape.row_stage + 2 {
                    self.was_active[i].next =
                        self.active[i].q.val() || (self.active_half.val() & self.bit.q.val()).any();
                } else {
                    self.was_active[i].next = self.active[i].q.val()
                        || (self.active_half.val() & self.bit_in.val()).any();
                }
            }
            if self.shape.phases == 2 {
                self.was_frozen[i].next = self.frozen[i].q.val();
                if i == self.met {
                    if self.shape.bit_stage > self.shape.row_stage + 2 {
                        self.was_frozen[i].next = self.frozen[i].q.val()
                            || (self.frozen_half[0].val() & self.bit.q.val()).any();
                    } else {
                        self.was_frozen[i].next = self.frozen[i].q.val()
                            || (self.frozen_half[0].val() & self.bit_in.val()).any();
                    }
                }
            }
        }
        self.next_active[0].next = self.same[0].val();
        for i in 1..self.chain {
            self.next_active[i].next = self.was_active[i - 1].val() || self.same[i].val();
            if self.shape.phases == 2 {
                self.frozen[i].d.next = self.was_frozen[i - 1].val();
                if self.trip.val() {
                    self.frozen[i].d.next = self.was_active[i - 1].val();
                }
            }
        }
        if self.shape.phases == 2 {
            self.frozen[0].d.next = false;
        }
        for i in 0..self.chain {
            if self.trip.val() {
                if self.shape.retain {
                    self.next_active[i].next = self.same[i].val();
                } else {
                    self.next_active[i].next = false;
                }
            }
            self.active[i].d.next = self.next_active[i].val();
        }
        self.clear_none.next = !(self.by_following.val()
            || self.next_active[self.shape.bit_stage + 2 - self.shape.row_stage].val());
        self.in_active.next = self.active[self.chain_last].q.val();
        if self.shape.phases == 2 {
            self.in_frozen[0].next = self.frozen[self.chain_last].q.val();
        }
    }
}
