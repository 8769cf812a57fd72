//! Counts set bits and messages, for the status registers and the decision.

use crate::prelude::*;
use crate::recycle::CountOnes;

/// Clocks in which the new bits among those of a host are counted.
const ADDED_RANKS: usize = 4;

/// Bits set in each half and bit-setting messages of this cycle, after the slot in stage D.
///
/// A retained item that recycles leaves as many bits as it has different positions. Bits that a host sets are counted six clocks after `found`; no item is decided
/// then.
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct Occupancy {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub trip: Wire<In>,
    pub inserting: Wire<In>,
    pub count: Bus<In>,
    pub found: Wire<In>,
    pub word: Bus<In>,
    pub bits: Bus<In>,
    pub distinct: Vec<Bus<In>>,
    pub bits_active: Bus<Out>,
    pub bits_frozen: Bus<Out>,
    pub messages: Bus<Out>,
    active: Reg,
    frozen: Vec<Reg>,
    different: Vec<Slice>,
    message_count: Reg,
    fresh: Reg,
    added: CountOnes,
    more: Bus<Local>,
    no_bits: Const,
    zero: Const,
    retained_bits: Const,
    retained_messages: Const,
    shape: Shape,
}

impl Occupancy {
    /// The counts of a pipeline of this shape.
    pub fn new(shape: &Shape) -> Self {
        let retained = |amount: u128| if shape.retain { amount } else { 0 };
        let frozen = shape.frozen_halves();
        let collides = usize::from(!shape.distinct && shape.retain);
        Self {
            about: About::new(
                "occupancy",
                "Bits set in each half, and bit-setting messages of this cycle.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("empty"),
            trip: Wire::default().doc("the slot in stage D recycles"),
            inserting: Wire::default().doc("the slot in stage D inserts"),
            count: Bus::new(width_of(shape.hashes)).doc("its new bits"),
            found: Wire::default().doc("a host sets bits"),
            word: Bus::new(WORD_BITS).doc("in this word"),
            bits: Bus::new(WORD_BITS).doc("namely these"),
            distinct: (0..collides)
                .map(|_| Bus::new(width_of(shape.hashes)).doc("its different positions"))
                .collect(),
            bits_active: Bus::new(shape.count_bits).doc("bits set in the active half"),
            bits_frozen: Bus::new(shape.count_bits).doc("bits set in the frozen half"),
            messages: Bus::new(shape.count_bits).doc("bit-setting messages of this cycle"),
            active: Reg::new(shape.count_bits),
            frozen: (0..frozen).map(|_| Reg::new(shape.count_bits)).collect(),
            different: (0..collides)
                .map(|_| Slice::new(width_of(shape.hashes), 0, shape.count_bits))
                .collect(),
            message_count: Reg::new(shape.count_bits),
            fresh: Reg::new(WORD_BITS).doc("bits of a host that were clear"),
            added: CountOnes::new(WORD_BITS, ADDED_RANKS),
            more: Bus::new(width_of(WORD_BITS)).doc("bits that come"),
            no_bits: Const::new(0, WORD_BITS),
            zero: Const::new(0, shape.count_bits),
            retained_bits: Const::new(retained(shape.hashes as u128), shape.count_bits)
                .doc("bits of a retained item"),
            retained_messages: Const::new(retained(1), shape.count_bits).doc("a retained item"),
            shape: *shape,
        }
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
