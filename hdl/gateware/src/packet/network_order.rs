//! Converts between beat order and network byte order.

use crate::prelude::*;

/// Four bytes of a beat, the first lowest, as a word with the first byte highest; and back.
///
/// Combinational: no latency, no reset.
#[derive(LogicBlock)]
pub struct NetworkOrder {
    about: About,
    pub bytes: Bus<In>,
    pub word: Bus<Out>,
}

impl Default for NetworkOrder {
    fn default() -> Self {
        Self {
            about: About::new(
                "network_order",
                "Four bytes, the first lowest, as a word with the first byte highest; and back.",
            ),
            bytes: Bus::new(32),
            word: Bus::new(32),
        }
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
