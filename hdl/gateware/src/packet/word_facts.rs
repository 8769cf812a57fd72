//! Predecodes a word for every interpretation of it.

use super::fields::{ether, fact, FAR_BITS, LAST_PLACE, PLACE_BITS};
use super::NextHeader;
use crate::prelude::*;

/// The word behind the last that is read: the highest that [`PLACE_BITS`] can say, so that what lies behind is told by bits alone.
const FIRST_UNREAD: usize = LAST_PLACE + 1;
const _: () = assert!(FIRST_UNREAD + 1 == 1 << PLACE_BITS && PLACE_BITS == 5);

block! {
    /// Decodes a word for every way to read it, so that [`super::ParserLook`] and [`super::ParserStep`] only choose. Combinational; nothing here depends on the parser's state.
    pub struct WordFacts {
        about: About = About::new(
            "word_facts",
            "What a word says whatever it is read as: the parser's step only chooses.",
        ),
        pub word: Bus<In> = Bus::new(32).doc("first byte highest"),
        pub place: Bus<In> = Bus::new(PLACE_BITS).doc("its number: the four bytes from 4 place + 2 on"),
        pub second: Bus<In> = Bus::new(PLACE_BITS + 1).doc("the number of the word behind the next one"),
        pub whole: Wire<In> = Wire::default().doc("the frame has all four"),
        pub facts: Bus<Out> = Bus::new(fact::BITS),
        high: NextHeader,
        middle: NextHeader,
        low: NextHeader,
        ether: Bus<Local> = Bus::new(ether::BITS).doc("what follows the type in bits 15:0"),
        is_4: Wire<Local>,
        is_6: Wire<Local>,
        fits_4: Wire<Local> = Wire::default().doc("the first word of an IPv4 header whose lengths agree"),
        here: Bus<Local> = far(),
        behind_fragment: Bus<Local> = far().doc("behind an extension of two words"),
        next: Bus<Local> = far(),
        behind_ipv4: Bus<Local> = far().doc("word behind an IPv4 header that begins here"),
        behind_options: Bus<Local> = far().doc("behind an extension of 8 (b + 1) bytes"),
        behind_authentication: Bus<Local> = far().doc("behind one of 4 (b + 2) bytes"),
        deep_next: Wire<Local>,
        deep_ipv4: Wire<Local>,
        deep_options: Wire<Local>,
        deep_authentication: Wire<Local>,
        deep_fragment: Wire<Local>,
        no_ip: Const = ether(ether::NO_IP),
        tag: Const = ether(ether::TAG),
        label: Const = ether(ether::LABEL),
        ipv4: Const = ether(ether::IPV4),
        ipv6: Const = ether(ether::IPV6),
        customer_tag: Const = number(0x8100),
        service_tag: Const = number(0x88A8),
        old_tag: Const = number(0x9100),
        unicast_label: Const = number(0x8847),
        multicast_label: Const = number(0x8848),
        ipv4_type: Const = number(0x0800),
        ipv6_type: Const = number(0x86DD),
        unread: Const = Const::new(FIRST_UNREAD as u128, PLACE_BITS)
            .doc("word behind the last that is read"),
        kind_high_place: Const = fact::KIND_HIGH.place(),
        kind_middle_place: Const = fact::KIND_MIDDLE.place(),
        kind_low_place: Const = fact::KIND_LOW.place(),
        type_place: Const = fact::TYPE.place(),
        is_4_place: Const = fact::IS_4.place(),
        is_6_place: Const = fact::IS_6.place(),
        fits_4_place: Const = fact::FITS_4.place(),
        fragment_4_place: Const = fact::FRAGMENT_4.place(),
        fragment_6_place: Const = fact::FRAGMENT_6.place(),
        place_place: Const = fact::PLACE.place(),
        next_place: Const = fact::NEXT.place(),
        behind_ipv4_place: Const = fact::BEHIND_IPV4.place(),
        behind_options_place: Const = fact::BEHIND_OPTIONS.place(),
        behind_authentication_place: Const = fact::BEHIND_AUTHENTICATION.place(),
        behind_fragment_place: Const = fact::BEHIND_FRAGMENT.place(),
        deep_next_place: Const = fact::DEEP_NEXT.place(),
        deep_ipv4_place: Const = fact::DEEP_IPV4.place(),
        deep_options_place: Const = fact::DEEP_OPTIONS.place(),
        deep_authentication_place: Const = fact::DEEP_AUTHENTICATION.place(),
        deep_fragment_place: Const = fact::DEEP_FRAGMENT.place(),
        whole_place: Const = fact::WHOLE.place(),
        facts_bits: usize = fact::BITS,
        far: usize = FAR_BITS,
        place_bits: usize = PLACE_BITS,
        beyond: usize = FAR_BITS - PLACE_BITS,
    }

    fn default() {
        let ether = |value| Const::new(value, ether::BITS);
        let number = |value| Const::new(value, 16);
        let far = || Bus::new(FAR_BITS);
    }
}

impl Logic for WordFacts {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("as a type");
        self.ether.next = self.no_ip.val();
        if (bits_to(self.word.val(), 16) == self.customer_tag.val())
            || (bits_to(self.word.val(), 16) == self.service_tag.val())
            || (bits_to(self.word.val(), 16) == self.old_tag.val())
        {
            self.ether.next = self.tag.val();
        }
        if (bits_to(self.word.val(), 16) == self.unicast_label.val())
            || (bits_to(self.word.val(), 16) == self.multicast_label.val())
        {
            self.ether.next = self.label.val();
        }
        if bits_to(self.word.val(), 16) == self.ipv4_type.val() {
            self.ether.next = self.ipv4.val();
        }
        if bits_to(self.word.val(), 16) == self.ipv6_type.val() {
            self.ether.next = self.ipv6.val();
        }

        comment!("as the first word of an IP header: of IPv4 at least five words, and a packet no shorter than its header");
        self.is_4.next = bits_to(self.word.val() >> 28, 4) == 4;
        self.is_6.next = bits_to(self.word.val() >> 28, 4) == 6;
        self.fits_4.next = self.is_4.val()
            && (bits_to(self.word.val() >> 24, 4) >= 5)
            && (bits_to(self.word.val() >> 2, 14)
                >= bits_to(bits_to(self.word.val() >> 24, 4), 14));

        comment!("as one that says what follows, and where");
        self.high.number.next = bits_to(self.word.val() >> 24, 8);
        self.middle.number.next = bits_to(self.word.val() >> 16, 8);
        self.low.number.next = bits_to(self.word.val() >> 8, 8);
        self.here.next = bits_to(self.place.val(), self.far);
        self.next.next = self.here.val() + 1;
        self.behind_ipv4.next =
            self.here.val() + bits_to(bits_to(self.word.val() >> 24, 4), self.far);
        self.behind_fragment.next = bits_to(self.second.val(), self.far);
        self.behind_options.next = self.behind_fragment.val()
            + (bits_to(bits_to(self.word.val() >> 16, 8), self.far) << 1);
        self.behind_authentication.next =
            self.behind_fragment.val() + bits_to(bits_to(self.word.val() >> 16, 8), self.far);

        comment!("which of them lie behind the last word that is read; a comparison by carry would follow the sum's");
        self.deep_next.next = bits_to(self.next.val() >> 5, self.beyond).any()
            || (bits_to(self.next.val(), self.place_bits) == self.unread.val());
        self.deep_ipv4.next = bits_to(self.behind_ipv4.val() >> 5, self.beyond).any()
            || (bits_to(self.behind_ipv4.val(), self.place_bits) == self.unread.val());
        self.deep_options.next = bits_to(self.behind_options.val() >> 5, self.beyond).any()
            || (bits_to(self.behind_options.val(), self.place_bits) == self.unread.val());
        self.deep_authentication.next = bits_to(self.behind_authentication.val() >> 5, self.beyond)
            .any()
            || (bits_to(self.behind_authentication.val(), self.place_bits) == self.unread.val());
        self.deep_fragment.next = bits_to(self.behind_fragment.val() >> 5, self.beyond).any()
            || (bits_to(self.behind_fragment.val(), self.place_bits) == self.unread.val());

        self.facts.next = bits_to(self.word.val(), self.facts_bits)
            | (bits_to(self.high.kind.val(), self.facts_bits) << self.kind_high_place.val())
            | (bits_to(self.middle.kind.val(), self.facts_bits) << self.kind_middle_place.val())
            | (bits_to(self.low.kind.val(), self.facts_bits) << self.kind_low_place.val())
            | (bits_to(self.ether.val(), self.facts_bits) << self.type_place.val())
            | (bits_of(self.is_4.val(), self.facts_bits) << self.is_4_place.val())
            | (bits_of(self.is_6.val(), self.facts_bits) << self.is_6_place.val())
            | (bits_of(self.fits_4.val(), self.facts_bits) << self.fits_4_place.val())
            | (bits_of(bits_to(self.word.val(), 13).any(), self.facts_bits)
                << self.fragment_4_place.val())
            | (bits_of(bits_to(self.word.val() >> 3, 13).any(), self.facts_bits)
                << self.fragment_6_place.val())
            | (bits_to(self.place.val(), self.facts_bits) << self.place_place.val())
            | (bits_to(self.next.val(), self.facts_bits) << self.next_place.val())
            | (bits_to(self.behind_ipv4.val(), self.facts_bits) << self.behind_ipv4_place.val())
            | (bits_to(self.behind_options.val(), self.facts_bits)
                << self.behind_options_place.val())
            | (bits_to(self.behind_authentication.val(), self.facts_bits)
                << self.behind_authentication_place.val())
            | (bits_to(self.behind_fragment.val(), self.facts_bits)
                << self.behind_fragment_place.val())
            | (bits_of(self.deep_next.val(), self.facts_bits) << self.deep_next_place.val())
            | (bits_of(self.deep_ipv4.val(), self.facts_bits) << self.deep_ipv4_place.val())
            | (bits_of(self.deep_options.val(), self.facts_bits) << self.deep_options_place.val())
            | (bits_of(self.deep_authentication.val(), self.facts_bits)
                << self.deep_authentication_place.val())
            | (bits_of(self.deep_fragment.val(), self.facts_bits)
                << self.deep_fragment_place.val())
            | (bits_of(self.whole.val(), self.facts_bits) << self.whole_place.val());
    }
}
