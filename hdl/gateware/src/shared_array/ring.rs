//! Rotates the positions of the item through the array's address port.

use crate::prelude::*;

block! {
    /// A ring of the k positions of an item. It goes round once while they are read and once while they are written.
    ///
    /// ```text
    /// clock     s (load)   s + 1 + i (reads)      hold        later
    /// head      -          p_i                    p_0         p_0, p_1, ...
    /// ```
    ///
    /// Timing: a clock after p_i is the head come `word_repeated` and `bit_repeated` (whether one of `p_0 .. p_(i-1)` lies in its word, or is it; meaningful in the first round)
    /// and `mask` (the bits of all k positions that lie in its word; meaningful while the ring turns). `load` goes before `hold`.
    /// `reset` is synchronous and active high.
    pub struct ProbeRing {
        about: About = About::new(
            "probe_ring",
            format!("The {} of an item, one a clock: round once to be read, once to be written. Positions in one word\nare found by comparison.", counted(k, "position")),
        ),
        pub clock: Signal<In, Clock>,
        pub load: Wire<In> = Wire::default().doc("positions are those of an item"),
        pub position: Vec<Bus<In>> = (0..k).map(|i| Bus::new(shape.index_bits).doc(format!("position of probe {i}"))).collect(),
        pub hold: Wire<In> = Wire::default().doc("stand still"),
        pub word: Bus<Out> = Bus::new(shape.word_address_bits).doc("word of the probe whose turn it is"),
        pub offset: Bus<Out> = Bus::new(OFFSET_BITS).doc("its bit in the word"),
        pub word_repeated: Wire<Out> = Wire::default().doc("a clock later: an earlier probe lies in the same word"),
        pub bit_repeated: Wire<Out> = Wire::default().doc("a clock later: an earlier probe has the same position"),
        pub mask: Bus<Out> = Bus::new(WORD_BITS).doc("a clock later: the bits of all probes in that word"),
        ring: Vec<Reg> = (0..k).map(|_| Reg::new(shape.index_bits)).collect(),
        passed: Vec<Flag> = (0..others).map(|i| Flag::default().doc(format!("place {} has had its turn", i + 1))).collect(),
        place: Vec<Slice> = (0..k).map(|_| Slice::new(shape.index_bits, OFFSET_BITS, shape.word_address_bits)).collect(),
        bit_in_word: Vec<Slice> = (0..k).map(|_| Slice::new(shape.index_bits, 0, OFFSET_BITS)).collect(),
        same: Vec<Flag> = (0..others).map(|_| Flag::default()).collect(),
        earlier_word: Vec<Flag> = (0..others).map(|_| Flag::default()).collect(),
        earlier_bit: Vec<Flag> = (0..collides).map(|_| Flag::default()).collect(),
        in_word: Bus<Local> = Bus::new(others.max(1)),
        in_bit: Wire<Local>,
        mixed: Bus<Local> = Bus::new(WORD_BITS),
        one: Const = Const::new(1, WORD_BITS),
        no_word: Const = Const::new(0, others.max(1)),
        last: usize = others,
        before_last: usize = others.saturating_sub(1),
        collides: usize = collides,
        shape: Shape = *shape,
    }

    /// The ring of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let k = shape.hashes;
        let others = k - 1;
        let collides = if shape.distinct { 0 } else { others };
    }
}

impl Logic for ProbeRing {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.shape.hashes {
            self.ring[i].d.next = self.ring[i].q.val();
            self.place[i].input.next = self.ring[i].q.val();
            self.bit_in_word[i].input.next = self.ring[i].q.val();
        }
        for j in 0..self.shape.hashes - 1 {
            self.passed[j].d.next = self.passed[j].q.val();
        }
        if self.load.val() {
            for i in 0..self.shape.hashes {
                self.ring[i].d.next = self.position[i].val();
            }
            for j in 0..self.shape.hashes - 1 {
                self.passed[j].d.next = false;
            }
        } else if !self.hold.val() {
            for j in 0..self.shape.hashes - 1 {
                self.ring[j].d.next = self.ring[j + 1].q.val();
            }
            for l in self.last..self.shape.hashes {
                self.ring[l].d.next = self.ring[0].q.val();
            }
            for j in 0..self.before_last {
                self.passed[j].d.next = self.passed[j + 1].q.val();
            }
            for b in self.before_last..self.shape.hashes - 1 {
                self.passed[b].d.next = true;
            }
        }
        self.word.next = self.place[0].output.val();
        self.offset.next = self.bit_in_word[0].output.val();

        comment!("the head against the others");
        for j in 0..self.shape.hashes - 1 {
            self.same[j].d.next = self.place[0].output.val() == self.place[j + 1].output.val();
            self.earlier_word[j].d.next = (self.place[0].output.val()
                == self.place[j + 1].output.val())
                && self.passed[j].q.val();
        }
        self.in_bit.next = false;
        for j in 0..self.collides {
            self.earlier_bit[j].d.next =
                (self.ring[0].q.val() == self.ring[j + 1].q.val()) && self.passed[j].q.val();
            self.in_bit.next = self.in_bit.val() || self.earlier_bit[j].q.val();
        }
        self.bit_repeated.next = self.in_bit.val();
        self.in_word.next = self.no_word.val();
        for j in 0..self.shape.hashes - 1 {
            self.in_word.set_bit(j, self.earlier_word[j].q.val());
        }
        self.word_repeated.next = self.in_word.val().any();

        comment!("the ring has gone on by one place");
        for l in self.last..self.shape.hashes {
            self.mixed.next = self.one.val() << self.bit_in_word[l].output.val();
        }
        for j in 0..self.shape.hashes - 1 {
            if self.same[j].q.val() {
                self.mixed.next =
                    self.mixed.val() | (self.one.val() << self.bit_in_word[j].output.val());
            }
        }
        self.mask.next = self.mixed.val();
    }
}
