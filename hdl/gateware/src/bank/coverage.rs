//! Counts the words of the active half that still bear an older epoch.

use crate::prelude::*;

/// Counts the words of one bank's active half that do not yet bear its current epoch.
///
/// Timing: inputs in the write stage; `full` one clock later. Not reset: it describes memory, which does not reset.
#[derive(LogicBlock)]
pub struct Coverage {
    about: About,
    pub clock: Signal<In, Clock>,
    pub recycled: Wire<In>,
    pub touch: Wire<In>,
    pub full: Wire<Out>,
    left: Reg,
    full_r: Flag,
    words: Const,
    words_less_one: Const,
}

impl Coverage {
    /// For a half of `words` words (at least 4).
    pub fn new(words: usize) -> Self {
        let width = clog2(words) + 1;
        Self {
            about: About::new(
                "coverage",
                "Counts down the words of the active half that do not yet bear its current epoch.\nWhen none is left, every older epoch value is free again.",
            ),
            clock: Default::default(),
            recycled: Wire::default().doc("the slot in the write stage recycled"),
            touch: Wire::default().doc("it writes a word that bore another epoch"),
            full: Wire::default().doc("every word bears the current epoch"),
            left: Reg::with_init(width, words as u128),
            full_r: Default::default(),
            words: Const::new(words as u128, width),
            words_less_one: Const::new(words as u128 - 1, width),
        }
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
