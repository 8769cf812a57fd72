//! Rewrites a word of a marked frame: DSCP and IPv4 checksum.

use super::NetworkOrder;
use crate::prelude::*;

block! {
    /// The bits of a beat that a mark changes in one of its words, and what they become; combinational. `docs/packet.md`, "Policies".
    ///
    /// The half with the DSCP is the second of its word, the checksum of IPv4 the first of its own, which is another word.
    pub struct WordPatch {
        about: About = About::new("word_patch", "What a mark changes in a word of a beat."),
        pub head_here: Wire<In> = Wire::default().doc("the word's second half holds the DSCP"),
        pub head_mask: Bus<In> = Bus::new(16).doc("in these bits"),
        pub head_value: Bus<In> = Bus::new(16).doc("which become these"),
        pub sum_here: Wire<In> = Wire::default().doc("its first half is the checksum"),
        pub sum_value: Bus<In> = Bus::new(16).doc("which becomes this"),
        pub mask: WideBus<Out> = WideBus::<Out>::new(32 * words).doc("bits of the beat that change"),
        pub value: WideBus<Out> = WideBus::<Out>::new(32 * words).doc("what they become"),
        mask_order: NetworkOrder,
        value_order: NetworkOrder,
        place: usize = 32 * word,
        whole_half: Const = Const::new(0xFFFF_0000, 32),
        nothing: Const = Const::new(0, 32),
        beat: usize = 32 * words,
    }

    /// For word `word` of `words` in a beat.
    pub fn new(word: usize, words: usize) {}
}

impl Logic for WordPatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.mask_order.bytes.next = self.nothing.val();
        self.value_order.bytes.next = self.nothing.val();
        if self.head_here.val() {
            self.mask_order.bytes.next = bits_to(self.head_mask.val(), 32);
            self.value_order.bytes.next = bits_to(self.head_value.val(), 32);
        }
        if self.sum_here.val() {
            self.mask_order.bytes.next = self.whole_half.val();
            self.value_order.bytes.next = bits_to(self.sum_value.val(), 32) << 16;
        }
        self.mask.next = bits_wide(self.mask_order.word.val(), self.beat) << self.place;
        self.value.next = bits_wide(self.value_order.word.val(), self.beat) << self.place;
    }
}
