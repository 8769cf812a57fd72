//! Rotates the positions of the item through the address port of memory that is read ahead.

use crate::prelude::*;

block! {
    /// A ring of the k positions of an item whose memory is read two clocks ahead: once round, for the addresses, before [`ProbeRing`](super::ProbeRing) goes round for the words.
    ///
    /// ```text
    /// clock     s (load)   s + 1 + i     s + 2
    /// head      -          p_i           later: all positions in their order
    /// ```
    ///
    /// It turns in every clock. No reset.
    pub struct EarlyRing {
        about: About = About::new(
            "early_ring",
            format!("The {} of an item, one a clock, for memory that is read two clocks ahead.", counted(k, "position")),
        ),
        pub clock: Signal<In, Clock>,
        pub load: Wire<In> = Wire::default().doc("positions are those of an item"),
        pub position: Vec<Bus<In>> = (0..k).map(|i| Bus::new(bits).doc(format!("position of probe {i}"))).collect(),
        pub word: Bus<Out> = Bus::new(shape.word_address_bits).doc("word of the probe whose turn it is"),
        pub later: Vec<Bus<Out>> = (0..k).map(|i| Bus::new(bits).doc(format!("two clocks behind load: position of probe {i}"))).collect(),
        ring: Vec<Reg> = (0..k).map(|_| Reg::new(bits)).collect(),
        place: Slice = Slice::new(bits, OFFSET_BITS, shape.word_address_bits),
        last: usize = k - 1,
        shape: Shape = *shape,
    }

    /// The ring of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let (k, bits) = (shape.hashes, shape.index_bits);
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
