//! Rotates the positions of the item through the address port of memory that is read ahead.

use crate::prelude::*;

/// A ring of the k positions of an item whose memory is read two clocks ahead: once round, for the addresses, before [`ProbeRing`](super::ProbeRing) goes round for the words.
///
/// ```text
/// clock     s (load)   s + 1 + i     s + 2
/// head      -          p_i           later: all positions in their order
/// ```
///
/// It turns in every clock. No reset.
#[derive(LogicBlock)]
pub struct EarlyRing {
    about: About,
    pub clock: Signal<In, Clock>,
    pub load: Wire<In>,
    pub position: Vec<Bus<In>>,
    pub word: Bus<Out>,
    pub later: Vec<Bus<Out>>,
    ring: Vec<Reg>,
    place: Slice,
    last: usize,
    shape: Shape,
}

impl EarlyRing {
    /// The ring of a pipeline of this shape.
    pub fn new(shape: &Shape) -> Self {
        let (k, bits) = (shape.hashes, shape.index_bits);
        Self {
            about: About::new(
                "early_ring",
                format!("The {k} position(s) of an item, one a clock, for memory that is read two clocks ahead."),
            ),
            clock: Default::default(),
            load: Wire::default().doc("positions are those of an item"),
            position: (0..k).map(|i| Bus::new(bits).doc(format!("position of probe {i}"))).collect(),
            word: Bus::new(shape.word_address_bits).doc("word of the probe whose turn it is"),
            later: (0..k).map(|i| Bus::new(bits).doc(format!("two clocks behind load: position of probe {i}"))).collect(),
            ring: (0..k).map(|_| Reg::new(bits)).collect(),
            place: Slice::new(bits, OFFSET_BITS, shape.word_address_bits),
            last: k - 1,
            shape: *shape,
        }
    }
}

impl Logic for EarlyRing {
    #[hdl_gen]
    fn update(&mut self) {
        for j in 0..self.last {
            self.ring[j].d.next = self.ring[j + 1].q.val();
        }
        for l in self.last..self.shape.hashes {
            self.ring[l].d.next = self.ring[0].q.val();
        }
        if self.load.val() {
            for i in 0..self.shape.hashes {
                self.ring[i].d.next = self.position[i].val();
            }
        }
        self.place.input.next = self.ring[0].q.val();
        self.word.next = self.place.output.val();

        comment!("the ring has gone on by one place");
        for j in 0..self.last {
            self.later[j + 1].next = self.ring[j].q.val();
        }
        for l in self.last..self.shape.hashes {
            self.later[0].next = self.ring[l].q.val();
        }
    }
}
