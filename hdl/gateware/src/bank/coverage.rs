//! Counts the words of the active half that still bear an older epoch.

use crate::prelude::*;

block! {
    /// Counts the words of one bank's active half that do not yet bear its current epoch.
    ///
    /// Timing: inputs in the write stage; `full` one clock later. Not reset: it describes memory, which does not reset.
    pub struct Coverage {
        about: About = About::new(
            "coverage",
            "Counts down the words of the active half that do not yet bear its current epoch.\nWhen none is left, every older epoch value is free again.",
        ),
        pub clock: Signal<In, Clock>,
        pub recycled: Wire<In> = Wire::default().doc("the slot in the write stage recycled"),
        pub touch: Wire<In> = Wire::default().doc("it writes a word that bore another epoch"),
        pub full: Wire<Out> = Wire::default().doc("every word bears the current epoch"),
        left: Reg = Reg::with_init(width, words as u128),
        full_r: Flag,
        words: Const = Const::new(words as u128, width),
        words_less_one: Const = Const::new(words as u128 - 1, width),
    }

    /// For a half of `words` words (at least 4).
    pub fn new(words: usize) {
        let width = clog2(words) + 1;
    }
}

impl Logic for Coverage {
    #[hdl_gen]
    fn update(&mut self) {
        self.left.d.next = self.left.q.val();
        if self.touch.val() {
            self.left.d.next = self.left.q.val() - 1;
        }
        if self.recycled.val() {
            self.left.d.next = self.words.val();
            if self.touch.val() {
                self.left.d.next = self.words_less_one.val();
            }
        }
        self.full_r.d.next = !self.recycled.val()
            && (self.full_r.q.val() || (self.touch.val() && (self.left.q.val() == 1)));
        self.full.next = self.full_r.q.val();
    }
}
