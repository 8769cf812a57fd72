//! Holds the words of the item between its reads and its writes.

use crate::prelude::*;

block! {
    /// Keeps the k words that an item reads until they are written: a queue of exactly k places that moves on in every clock without `hold`.
    ///
    /// Timing: what goes in in the clocks s to s + k - 1 comes out, in that order, from clock s + k on, as long as it is held there and then one a clock.
    /// `reset` is synchronous and active high.
    pub struct WordStore {
        about: About = About::new(
            "word_store",
            format!("The {} that an item reads, until they are written. Moves on in every clock without hold.", counted(k, "word")),
        ),
        pub clock: Signal<In, Clock>,
        pub hold: Wire<In> = Wire::default().doc("stand still"),
        pub word_in: Bus<In> = Bus::new(WORD_BITS).doc("word read, 0 if it does not bear the epoch"),
        pub bears_in: Wire<In> = Wire::default().doc("it bears the epoch of the active half"),
        pub fresh_in: Wire<In> = Wire::default().doc("no earlier probe of the item lies in it"),
        pub word: Bus<Out> = Bus::new(WORD_BITS).doc("the oldest"),
        pub bears: Wire<Out>,
        pub fresh: Wire<Out>,
        words: Vec<Reg> = (0..k).map(|_| Reg::new(WORD_BITS)).collect(),
        bears_r: Vec<Flag> = (0..k).map(|_| Flag::default()).collect(),
        fresh_r: Vec<Flag> = (0..k).map(|_| Flag::default()).collect(),
        k: usize = k,
        last: usize = k - 1,
    }

    /// For `k` words.
    pub fn new(k: usize) {}
}

impl Logic for WordStore {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.k {
            self.words[i].d.next = self.words[i].q.val();
            self.bears_r[i].d.next = self.bears_r[i].q.val();
            self.fresh_r[i].d.next = self.fresh_r[i].q.val();
        }
        if !self.hold.val() {
            for i in 0..self.last {
                self.words[i].d.next = self.words[i + 1].q.val();
                self.bears_r[i].d.next = self.bears_r[i + 1].q.val();
                self.fresh_r[i].d.next = self.fresh_r[i + 1].q.val();
            }
            for l in self.last..self.k {
                self.words[l].d.next = self.word_in.val();
                self.bears_r[l].d.next = self.bears_in.val();
                self.fresh_r[l].d.next = self.fresh_in.val();
            }
        }
        self.word.next = self.words[0].q.val();
        self.bears.next = self.bears_r[0].q.val();
        self.fresh.next = self.fresh_r[0].q.val();
    }
}
