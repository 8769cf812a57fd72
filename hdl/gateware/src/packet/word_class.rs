//! Decodes a word into flags for the pipeline of two words a clock.

use super::fields::{header, kind};
use super::NextHeader;
use crate::prelude::*;

/// Decodes a word for every layer that may read it: as a type, as the first word of an IP header, and as one that holds the number of the next header.
///
/// Outputs are registers: latency 1 clock. `docs/packet.md`, "What a frame is to the parser". No reset.
#[derive(LogicBlock)]
pub struct WordClass {
    about: About,
    pub clock: Signal<In, Clock>,
    pub word: Bus<In>,
    pub tag: Wire<Out>,
    pub label: Wire<Out>,
    pub ipv4: Wire<Out>,
    pub ipv6: Wire<Out>,
    pub bottom: Wire<Out>,
    pub is_4: Wire<Out>,
    pub is_6: Wire<Out>,
    pub fits_4: Wire<Out>,
    pub fragment_4: Wire<Out>,
    pub fragment_6: Wire<Out>,
    pub high: Bus<Out>,
    pub middle: Bus<Out>,
    pub low: Bus<Out>,
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
    high_r: Reg,
    middle_r: Reg,
    low_r: Reg,
    in_high: NextHeader,
    in_middle: NextHeader,
    in_low: NextHeader,
    header_type: Bus<Local>,
    is_version_4: Wire<Local>,
    customer_tag: Const,
    service_tag: Const,
    old_tag: Const,
    unicast_label: Const,
    multicast_label: Const,
    ipv4_type: Const,
    ipv6_type: Const,
    first_kind: Const,
    kind_bits: usize,
}

impl Default for WordClass {
    fn default() -> Self {
        let number = |value| Const::new(value, 16);
        Self {
            about: About::new(
                "word_class",
                "Flags of a word for every layer that may read it, a clock later.",
            ),
            clock: Default::default(),
            word: Bus::new(32).doc("first byte highest"),
            tag: Wire::default().doc("bits 15:0 are the type of a tag"),
            label: Wire::default().doc("of labels"),
            ipv4: Default::default(),
            ipv6: Default::default(),
            bottom: Wire::default().doc("as a label: the last one"),
            is_4: Wire::default().doc("bits 31:28 are 4"),
            is_6: Wire::default().doc("bits 31:28 are 6"),
            fits_4: Wire::default().doc("the first word of an IPv4 header whose lengths agree"),
            fragment_4: Wire::default().doc("the fragment offset of IPv4 is not 0"),
            fragment_6: Wire::default().doc("that of a fragment header is not 0"),
            high: Bus::new(header::BITS).doc("kind of a header of the number in bits 31:24"),
            middle: Bus::new(header::BITS).doc("in bits 23:16"),
            low: Bus::new(header::BITS).doc("in bits 15:8"),
            tag_r: Default::default(),
            label_r: Default::default(),
            ipv4_r: Default::default(),
            ipv6_r: Default::default(),
            bottom_r: Default::default(),
            is_4_r: Default::default(),
            is_6_r: Default::default(),
            fits_4_r: Default::default(),
            fragment_4_r: Default::default(),
            fragment_6_r: Default::default(),
            high_r: Reg::new(header::BITS),
            middle_r: Reg::new(header::BITS),
            low_r: Reg::new(header::BITS),
            in_high: Default::default(),
            in_middle: Default::default(),
            in_low: Default::default(),
            header_type: Bus::new(16),
            is_version_4: Default::default(),
            customer_tag: number(0x8100),
            service_tag: number(0x88A8),
            old_tag: number(0x9100),
            unicast_label: number(0x8847),
            multicast_label: number(0x8848),
            ipv4_type: number(0x0800),
            ipv6_type: number(0x86DD),
            first_kind: Const::new(1, 1 << kind::BITS)
                .doc("a bit for each kind, from that of none on"),
            kind_bits: header::BITS,
        }
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
