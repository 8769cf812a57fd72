//! Decodes the number of the next IP header.

use super::fields::kind;
use crate::prelude::*;

/// How the parser reads a header of a number, before the version of IP has its say. `docs/packet.md`, "What a frame is to the parser".
///
/// Combinational: no latency, no reset.
#[derive(LogicBlock)]
pub struct NextHeader {
    about: About,
    pub number: Bus<In>,
    pub kind: Bus<Out>,
    none: Const,
    hops: Const,
    options: Const,
    fragment: Const,
    authentication: Const,
    ports: Const,
}

impl Default for NextHeader {
    fn default() -> Self {
        let of = |value| Const::new(value, kind::BITS);
        Self {
            about: About::new("next_header", "How a header of a number is read."),
            number: Bus::new(8).doc("next header, or protocol"),
            kind: Bus::new(kind::BITS),
            none: of(kind::NONE).doc("not at all: the parse ends"),
            hops: of(kind::HOPS),
            options: of(kind::OPTIONS).doc("8 (b + 1) bytes"),
            fragment: of(kind::FRAGMENT).doc("8 bytes"),
            authentication: of(kind::AUTHENTICATION).doc("4 (b + 2) bytes"),
            ports: of(kind::PORTS).doc("it begins with two ports"),
        }
    }
}

impl Logic for NextHeader {
    #[hdl_gen]
    fn update(&mut self) {
        self.kind.next = self.none.val();
        if self.number.val() == 0 {
            self.kind.next = self.hops.val();
        }
        if (self.number.val() == 43) || (self.number.val() == 60) {
            self.kind.next = self.options.val();
        }
        if self.number.val() == 44 {
            self.kind.next = self.fragment.val();
        }
        if self.number.val() == 51 {
            self.kind.next = self.authentication.val();
        }
        if (self.number.val() == 6)
            || (self.number.val() == 17)
            || (self.number.val() == 33)
            || (self.number.val() == 132)
            || (self.number.val() == 136)
        {
            self.kind.next = self.ports.val();
        }
    }
}
