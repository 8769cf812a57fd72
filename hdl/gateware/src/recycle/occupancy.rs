//! Counts set bits and messages, for the status registers and the decision.

use crate::prelude::*;
use crate::recycle::CountOnes;

/// Clocks in which the new bits among those of a host are counted.
const ADDED_RANKS: usize = 4;

block! {
    /// Bits set in each half and bit-setting messages of this cycle, after the slot in stage D.
    ///
    /// A retained item that recycles leaves as many bits as it has different positions. Bits that a host sets are counted six clocks after `found`; no item is decided
    /// then.
    /// `reset` is synchronous and active high.
    pub struct Occupancy {
        about: About = About::new(
            "occupancy",
            "Bits set in each half, and bit-setting messages of this cycle.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty"),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub inserting: Wire<In> = Wire::default().doc("the slot in stage D inserts"),
        pub count: Bus<In> = Bus::new(width_of(shape.hashes)).doc("its new bits"),
        pub found: Wire<In> = Wire::default().doc("a host sets bits"),
        pub word: Bus<In> = Bus::new(WORD_BITS).doc("in this word"),
        pub bits: Bus<In> = Bus::new(WORD_BITS).doc("namely these"),
        pub distinct: Vec<Bus<In>> = (0..collides)
            .map(|_| Bus::new(width_of(shape.hashes)).doc("its different positions"))
            .collect(),
        pub bits_active: Bus<Out> = Bus::new(shape.count_bits).doc("bits set in the active half"),
        pub bits_frozen: Bus<Out> = Bus::new(shape.count_bits).doc("bits set in the frozen half"),
        pub messages: Bus<Out> = Bus::new(shape.count_bits).doc("bit-setting messages of this cycle"),
        active: Reg = Reg::new(shape.count_bits),
        frozen: Vec<Reg> = (0..frozen).map(|_| Reg::new(shape.count_bits)).collect(),
        different: Vec<Slice> = (0..collides)
            .map(|_| Slice::new(width_of(shape.hashes), 0, shape.count_bits))
            .collect(),
        message_count: Reg = Reg::new(shape.count_bits),
        fresh: Reg = Reg::new(WORD_BITS).doc("bits of a host that were clear"),
        added: CountOnes = CountOnes::new(WORD_BITS, ADDED_RANKS),
        more: Bus<Local> = Bus::new(width_of(WORD_BITS)).doc("bits that come"),
        no_bits: Const = Const::new(0, WORD_BITS),
        zero: Const = Const::new(0, shape.count_bits),
        retained_bits: Const = Const::new(retained(shape.hashes as u128), shape.count_bits)
            .doc("bits of a retained item"),
        retained_messages: Const = Const::new(retained(1), shape.count_bits).doc("a retained item"),
        shape: Shape = *shape,
    }

    /// The counts of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let retained = |amount: u128| if shape.retain { amount } else { 0 };
        let frozen = shape.frozen_halves();
        let collides = usize::from(!shape.distinct && shape.retain);
    }
}

impl Logic for Occupancy {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("bits of a host");
        self.fresh.d.next = self.no_bits.val();
        if self.found.val() && !self.reset.val() {
            self.fresh.d.next = self.bits.val() & !self.word.val();
        }
        self.added.reset.next = self.reset.val();
        self.added.x.next = self.fresh.q.val();

        self.more.next = bits_to(self.count.val(), width_of(WORD_BITS)) | self.added.count.val();
        self.active.d.next = self.active.q.val() + bits_to(self.more.val(), self.shape.count_bits);
        self.message_count.d.next =
            self.message_count.q.val() + bits_of(self.more.val().any(), self.shape.count_bits);
        for r in 0..self.shape.collides() {
            self.different[r].input.next = self.distinct[r].val();
        }
        if self.trip.val() {
            self.active.d.next = self.zero.val();
            self.message_count.d.next = self.zero.val();
            if self.inserting.val() {
                if self.shape.collides() == 0 {
                    self.active.d.next = self.retained_bits.val();
                }
                for r in 0..self.shape.collides() {
                    self.active.d.next = self.different[r].output.val();
                }
                self.message_count.d.next = self.retained_messages.val();
            }
        }
        if self.reset.val() {
            self.active.d.next = self.zero.val();
            self.message_count.d.next = self.zero.val();
        }
        if self.shape.phases == 1 {
            self.bits_frozen.next = self.zero.val();
        }
        for h in 0..self.shape.frozen_halves() {
            self.frozen[h].d.next = self.frozen[h].q.val();
            if self.trip.val() {
                self.frozen[h].d.next = self.active.q.val();
            }
            if self.reset.val() {
                self.frozen[h].d.next = self.zero.val();
            }
            self.bits_frozen.next = self.frozen[h].q.val();
        }
        self.bits_active.next = self.active.q.val();
        self.messages.next = self.message_count.q.val();
    }
}
