//! Decodes a word into flags for the pipeline of two words a clock.

use super::fields::{header, kind};
use super::NextHeader;
use crate::prelude::*;

block! {
    /// Decodes a word for every layer that may read it: as a type, as the first word of an IP header, and as one that holds the number of the next header.
    ///
    /// Outputs are registers: latency 1 clock. `docs/packet.md`, "What a frame is to the parser". No reset.
    pub struct WordClass {
        about: About = About::new(
            "word_class",
            "Flags of a word for every layer that may read it, a clock later.",
        ),
        pub clock: Signal<In, Clock>,
        pub word: Bus<In> = Bus::new(32).doc("first byte highest"),
        pub tag: Wire<Out> = Wire::default().doc("bits 15:0 are the type of a tag"),
        pub label: Wire<Out> = Wire::default().doc("of labels"),
        pub ipv4: Wire<Out>,
        pub ipv6: Wire<Out>,
        pub bottom: Wire<Out> = Wire::default().doc("as a label: the last one"),
        pub is_4: Wire<Out> = Wire::default().doc("bits 31:28 are 4"),
        pub is_6: Wire<Out> = Wire::default().doc("bits 31:28 are 6"),
        pub fits_4: Wire<Out> = Wire::default().doc("the first word of an IPv4 header whose lengths agree"),
        pub fragment_4: Wire<Out> = Wire::default().doc("the fragment offset of IPv4 is not 0"),
        pub fragment_6: Wire<Out> = Wire::default().doc("that of a fragment header is not 0"),
        pub high: Bus<Out> = Bus::new(header::BITS).doc("kind of a header of the number in bits 31:24"),
        pub middle: Bus<Out> = Bus::new(header::BITS).doc("in bits 23:16"),
        pub low: Bus<Out> = Bus::new(header::BITS).doc("in bits 15:8"),
        tag_r: Flag,
        label_r: Flag,
        ipv4_r: Flag,
        ipv6_r: Flag,
        bottom_r: Flag,
        is_4_r: Flag,
        is_6_r: Flag,
        fits_4_r: Flag,
        fragment_4_r: Flag,
        fragment_6_r: Flag,
        high_r: Reg = Reg::new(header::BITS),
        middle_r: Reg = Reg::new(header::BITS),
        low_r: Reg = Reg::new(header::BITS),
        in_high: NextHeader,
        in_middle: NextHeader,
        in_low: NextHeader,
        header_type: Bus<Local> = Bus::new(16),
        is_version_4: Wire<Local>,
        customer_tag: Const = number(0x8100),
        service_tag: Const = number(0x88A8),
        old_tag: Const = number(0x9100),
        unicast_label: Const = number(0x8847),
        multicast_label: Const = number(0x8848),
        ipv4_type: Const = number(0x0800),
        ipv6_type: Const = number(0x86DD),
        first_kind: Const = Const::new(1, 1 << kind::BITS)
            .doc("a bit for each kind, from that of none on"),
        kind_bits: usize = header::BITS,
    }

    fn default() {
        let number = |value| Const::new(value, 16);
    }
}

impl Logic for WordClass {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("as a type, or a label");
        self.header_type.next = bits_to(self.word.val(), 16);
        self.tag_r.d.next = (self.header_type.val() == self.customer_tag.val())
            || (self.header_type.val() == self.service_tag.val())
            || (self.header_type.val() == self.old_tag.val());
        self.label_r.d.next = (self.header_type.val() == self.unicast_label.val())
            || (self.header_type.val() == self.multicast_label.val());
        self.ipv4_r.d.next = self.header_type.val() == self.ipv4_type.val();
        self.ipv6_r.d.next = self.header_type.val() == self.ipv6_type.val();
        self.bottom_r.d.next = self.word.val().get_bit(8);

        comment!("as the first word of an IP header: of IPv4 at least five words, and a packet no shorter than its header");
        self.is_version_4.next = bits_to(self.word.val() >> 28, 4) == 4;
        self.is_4_r.d.next = self.is_version_4.val();
        self.is_6_r.d.next = bits_to(self.word.val() >> 28, 4) == 6;
        self.fits_4_r.d.next = self.is_version_4.val()
            && (bits_to(self.word.val() >> 24, 4) >= 5)
            && (bits_to(self.word.val() >> 2, 14)
                >= bits_to(bits_to(self.word.val() >> 24, 4), 14));

        comment!("as one that says what follows");
        self.fragment_4_r.d.next = bits_to(self.word.val(), 13).any();
        self.fragment_6_r.d.next = bits_to(self.word.val() >> 3, 13).any();
        self.in_high.number.next = bits_to(self.word.val() >> 24, 8);
        self.in_middle.number.next = bits_to(self.word.val() >> 16, 8);
        self.in_low.number.next = bits_to(self.word.val() >> 8, 8);
        self.high_r.d.next = bits_to(
            (self.first_kind.val() << self.in_high.kind.val()) >> 1,
            self.kind_bits,
        );
        self.middle_r.d.next = bits_to(
            (self.first_kind.val() << self.in_middle.kind.val()) >> 1,
            self.kind_bits,
        );
        self.low_r.d.next = bits_to(
            (self.first_kind.val() << self.in_low.kind.val()) >> 1,
            self.kind_bits,
        );

        self.tag.next = self.tag_r.q.val();
        self.label.next = self.label_r.q.val();
        self.ipv4.next = self.ipv4_r.q.val();
        self.ipv6.next = self.ipv6_r.q.val();
        self.bottom.next = self.bottom_r.q.val();
        self.is_4.next = self.is_4_r.q.val();
        self.is_6.next = self.is_6_r.q.val();
        self.fits_4.next = self.fits_4_r.q.val();
        self.fragment_4.next = self.fragment_4_r.q.val();
        self.fragment_6.next = self.fragment_6_r.q.val();
        self.high.next = self.high_r.q.val();
        self.middle.next = self.middle_r.q.val();
        self.low.next = self.low_r.q.val();
    }
}
