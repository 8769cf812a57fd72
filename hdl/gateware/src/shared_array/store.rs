//! Holds the words of the item between its reads and its writes.

use crate::prelude::*;

/// Keeps the k words that an item reads until they are written: a queue of exactly k places that moves on in every clock without `hold`.
///
/// Timing: what goes in in the clocks s to s + k - 1 comes out, in that order, from clock s + k on, as long as it is held there and then one a clock.
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct WordStore {
    about: About,
    pub clock: Signal<In, Clock>,
    pub hold: Wire<In>,
    pub word_in: Bus<In>,
    pub bears_in: Wire<In>,
    pub fresh_in: Wire<In>,
    pub word: Bus<Out>,
    pub bears: Wire<Out>,
    pub fresh: Wire<Out>,
    words: Vec<Reg>,
    bears_r: Vec<Flag>,
    fresh_r: Vec<Flag>,
    k: usize,
    last: usize,
}

impl WordStore {
    /// For `k` words.
    pub fn new(k: usize) -> Self {
        Self {
            about: About::new(
                "word_store",
                format!("The {k} word(s) that an item reads, until they are written. Moves on in every clock without hold."),
            ),
            clock: Default::default(),
            hold: Wire::default().doc("stand still"),
            word_in: Bus::new(WORD_BITS).doc("word read, 0 if it does not bear the epoch"),
            bears_in: Wire::default().doc("it bears the epoch of the active half"),
            fresh_in: Wire::default().doc("no earlier probe of the item lies in it"),
            word: Bus::new(WORD_BITS).doc("the oldest"),
            bears: Wire::default(),
            fresh: Wire::default(),
            words: (0..k).map(|_| Reg::new(WORD_BITS)).collect(),
            bears_r: (0..k).map(|_| Flag::default()).collect(),
            fresh_r: (0..k).map(|_| Flag::default()).collect(),
            k,
            last: k - 1,
        }
    }
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
