//! Counts set bits and messages, for the status registers and the decision.

use crate::prelude::*;

block! {
    /// Bits set in each half and bit-setting messages of this cycle, after the slot in stage D.
    ///
    /// A retained item that recycles leaves k bits. Bits that a host sets come one a clock, while no item does.
    /// `reset` is synchronous and active high.
    pub struct BitOccupancy {
        about: About = About::new(
            "bit_occupancy",
            "Bits set in each half, and bit-setting messages of this cycle.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty"),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub inserting: Wire<In> = Wire::default().doc("the slot in stage D inserts"),
        pub count: Bus<In> = Bus::new(count).doc("its new bits"),
        pub fresh: Optional<Wire<In>> = Optional::new(access, Wire::default().doc("a host has set a bit")),
        pub fresh_word: Optional<Wire<In>> = Optional::new(access, Wire::default().doc("the first of a word")),
        pub bits_active: Bus<Out> = Bus::new(shape.count_bits).doc("bits set in the active half"),
        pub bits_frozen: Bus<Out> = Bus::new(shape.count_bits).doc("bits set in the frozen half"),
        pub messages: Bus<Out> = Bus::new(shape.count_bits).doc("bit-setting messages of this cycle"),
        active: Reg = Reg::new(shape.count_bits),
        frozen: Vec<Reg> = (0..frozen).map(|_| Reg::new(shape.count_bits)).collect(),
        message_count: Reg = Reg::new(shape.count_bits),
        more: Optional<Bus<Local>> = Optional::new(access, Bus::new(count).doc("bits that come")),
        zero: Const = Const::new(0, shape.count_bits),
        retained_bits: Const = Const::new(retained(shape.hashes as u128), shape.count_bits)
            .doc("bits of a retained item"),
        retained_messages: Const = Const::new(retained(1), shape.count_bits).doc("a retained item"),
        count_width: usize = count,
        shape: Shape = *shape,
    }

    /// The counts of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let count = width_of(shape.hashes);
        let retained = |amount: u128| if shape.retain { amount } else { 0 };
        let frozen = shape.frozen_halves();
        let access = shape.array_access;
    }
}

impl Logic for BitOccupancy {
    #[hdl_gen]
    fn update(&mut self) {
        if self.shape.array_access {
            self.more.next = self.count.val() | bits_of(self.fresh.val(), self.count_width);
            self.active.d.next =
                self.active.q.val() + bits_to(self.more.val(), self.shape.count_bits);
            self.message_count.d.next = self.message_count.q.val()
                + bits_of(
                    self.count.val().any() || self.fresh_word.val(),
                    self.shape.count_bits,
                );
        } else {
            self.active.d.next =
                self.active.q.val() + bits_to(self.count.val(), self.shape.count_bits);
            self.message_count.d.next =
                self.message_count.q.val() + bits_of(self.count.val().any(), self.shape.count_bits);
        }
        if self.trip.val() {
            self.active.d.next = self.zero.val();
            self.message_count.d.next = self.zero.val();
            if self.inserting.val() {
                self.active.d.next = self.retained_bits.val();
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
