//! Converts between beat order and network byte order.

use crate::prelude::*;

block! {
    /// Four bytes of a beat, the first lowest, as a word with the first byte highest; and back.
    ///
    /// Combinational: no latency, no reset.
    pub struct NetworkOrder {
        about: About = About::new(
            "network_order",
            "Four bytes, the first lowest, as a word with the first byte highest; and back.",
        ),
        pub bytes: Bus<In> = Bus::new(32),
        pub word: Bus<Out> = Bus::new(32),
    }
}

impl Logic for NetworkOrder {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.next = (bits_to(bits_to(self.bytes.val(), 8), 32) << 24)
            | (bits_to(bits_to(self.bytes.val() >> 8, 8), 32) << 16)
            | (bits_to(bits_to(self.bytes.val() >> 16, 8), 32) << 8)
            | bits_to(bits_to(self.bytes.val() >> 24, 8), 32);
    }
}
