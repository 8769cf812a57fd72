//! Decodes the number of the next IP header.

use super::fields::kind;
use crate::prelude::*;

block! {
    /// How the parser reads a header of a number, before the version of IP has its say. `docs/packet.md`, "What a frame is to the parser".
    ///
    /// Combinational: no latency, no reset.
    pub struct NextHeader {
        about: About = About::new("next_header", "How a header of a number is read."),
        pub number: Bus<In> = Bus::new(8).doc("next header, or protocol"),
        pub kind: Bus<Out> = Bus::new(kind::BITS),
        none: Const = of(kind::NONE).doc("not at all: the parse ends"),
        hops: Const = of(kind::HOPS),
        options: Const = of(kind::OPTIONS).doc("8 (b + 1) bytes"),
        fragment: Const = of(kind::FRAGMENT).doc("8 bytes"),
        authentication: Const = of(kind::AUTHENTICATION).doc("4 (b + 2) bytes"),
        ports: Const = of(kind::PORTS).doc("it begins with two ports"),
    }

    fn default() {
        let of = |value| Const::new(value, kind::BITS);
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
