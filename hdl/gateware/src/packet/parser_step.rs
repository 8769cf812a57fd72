//! Second half of a parser step: updates the parser state by one word.

use super::fields::{ending, ether, fact, kind, look, mode, state, FAR_BITS, PLACE_BITS};
use crate::prelude::*;

block! {
    /// The parser's state after one more word, by what [`super::ParserLook`] says that it is; combinational. `docs/packet.md`, "What a frame is to the parser".
    ///
    /// The end of the IP packet is not compared with here: what the headers reach to only grows, so
    /// [`super::FrameClassifier`] compares once, at the frame's end. A frame that ends while the parser waits for a word is truncated.
    pub struct ParserStep {
        about: About = About::new(
            "parser_step",
            "The parser's state after one more word, which is read only if the parser stands at it.",
        ),
        pub state: Bus<In> = Bus::new(state::BITS),
        pub facts: Bus<In> = Bus::new(fact::BITS).doc("of the word"),
        pub look: Bus<In> = Bus::new(look::BITS).doc("what it is to the parser"),
        pub stepped: Bus<Out> = Bus::new(state::BITS),
        pub header: Wire<Out> = Wire::default().doc("the word is read as one of the IP header"),
        pub six_header: Wire<Out> = Wire::default().doc("of version 6"),
        pub header_step: Bus<Out> = Bus::new(4).doc("which one"),
        pub ports: Wire<Out> = Wire::default().doc("the word is read as the ports"),
        pub hops_4: Wire<Out> = Wire::default().doc("the word is read as that of TTL and checksum"),
        pub hops_6: Wire<Out> = Wire::default().doc("as that of the hop limit"),
        // what is known of the word
        word: Slice = fact(fact::WORD),
        ether: Slice = fact(fact::TYPE),
        place: Slice = fact(fact::PLACE),
        behind_ipv4: Slice = fact(fact::BEHIND_IPV4),
        deep_ipv4: Const = fact::DEEP_IPV4.place(),
        // what it is to the parser
        reads_bit: Const = look::READS.place(),
        six_bit: Const = look::SIX.place(),
        first_bit: Const = look::FIRST.place(),
        fits_bit: Const = look::FITS.place(),
        stranger_bit: Const = look::STRANGER.place(),
        leaves_bit: Const = look::LEAVES.place(),
        from_ipv6_bit: Const = look::FROM_IPV6.place(),
        deep_bit: Const = look::DEEP.place(),
        fragment_bit: Const = look::FRAGMENT.place(),
        is_checksum_bit: Const = look::CHECKSUM.place(),
        is_length_6_bit: Const = look::LENGTH_6.place(),
        // the state before
        mode_was: Slice = was(state::MODE),
        step_was: Slice = was(state::STEP),
        ip_place_was: Slice = was(state::IP_PLACE),
        length_was: Slice = was(state::LENGTH),
        ipv4_end_was: Slice = was(state::BEHIND_IPV4),
        dscp_was: Slice = was(state::DSCP),
        checksum_was: Slice = was(state::CHECKSUM),
        in_ip_bit: Const = state::IN_IP.place(),
        ipv4_end_deep_bit: Const = state::DEEP_IPV4.place(),
        hops_bit: Const = state::HOPS.place(),
        // the state after
        mode: Bus<Local> = Bus::new(mode::BITS).doc("what the next word is read as"),
        step: Bus<Local> = Bus::new(4).doc("word within the IP header"),
        at: Slice = look::AT.of(look::BITS),
        ending: Bus<Local> = Bus::new(ending::BITS),
        six: Wire<Local>,
        six_next: Wire<Local>,
        in_ip: Wire<Local> = Wire::default().doc("within an IP packet"),
        ip_place: Bus<Local> = Bus::new(PLACE_BITS).doc("word it begins with"),
        length: Bus<Local> = Bus::new(16).doc("its total or payload length"),
        ipv4_end: Bus<Local> = Bus::new(FAR_BITS).doc("word behind the IPv4 header"),
        ipv4_end_deep: Wire<Local> = Wire::default().doc("which is not read any more"),
        fragment: Wire<Local>,
        next_number: Slice = look::NEXT.of(look::BITS),
        kind: Slice = look::KIND.of(look::BITS),
        dscp: Bus<Local> = Bus::new(6),
        checksum: Bus<Local> = Bus::new(16),
        packed: Bus<Local> = Bus::new(state::BITS),
        header_follows: Wire<Local> = Wire::default().doc("a header follows, of which words are read"),
        goes_on: Wire<Local> = Wire::default().doc("another word is read, unless it is too deep"),
        reads: Wire<Local>,
        in_header: Wire<Local>,
        first: Wire<Local>,
        reads_hops_4: Wire<Local>,
        reads_hops_6: Wire<Local>,
        stranger: Wire<Local>,
        fits: Wire<Local>,
        leaves: Wire<Local>,
        from_ipv6: Wire<Local>,
        deep: Wire<Local>,
        at_place: Const = state::AT.place(),
        six_place: Const = state::SIX.place(),
        fragment_place: Const = state::FRAGMENT.place(),
        step_place: Const = state::STEP.place(),
        ending_place: Const = state::ENDING.place(),
        ip_place_place: Const = state::IP_PLACE.place(),
        length_place: Const = state::LENGTH.place(),
        ipv4_end_place: Const = state::BEHIND_IPV4.place(),
        next_place: Const = state::NEXT.place(),
        kind_place: Const = state::KIND.place(),
        dscp_place: Const = state::DSCP.place(),
        checksum_place: Const = state::CHECKSUM.place(),
        tag: Const = ether(ether::TAG),
        labelled: Const = ether(ether::LABEL),
        other_type: Const = ether(ether::NO_IP),
        ipv4: Const = ether(ether::IPV4),
        ipv6: Const = ether(ether::IPV6),
        type_mode: Const = mode(mode::TYPE),
        label_mode: Const = mode(mode::LABEL),
        version_mode: Const = mode(mode::VERSION),
        ip_mode: Const = mode(mode::IP),
        options_mode: Const = mode(mode::OPTIONS),
        authentication_mode: Const = mode(mode::AUTHENTICATION),
        fragment_mode: Const = mode(mode::FRAGMENT),
        ports_mode: Const = mode(mode::PORTS),
        end_mode: Const = mode(mode::END),
        no_ip: Const = ending(ending::NO_IP),
        ip: Const = ending(ending::IP),
        malformed: Const = ending(ending::MALFORMED),
        too_deep: Const = ending(ending::TOO_DEEP),
        hops_kind: Const = kind(kind::HOPS),
        options_kind: Const = kind(kind::OPTIONS),
        fragment_kind: Const = kind(kind::FRAGMENT),
        authentication_kind: Const = kind(kind::AUTHENTICATION),
        ports_kind: Const = kind(kind::PORTS),
        state_bits: usize = state::BITS,
    }

    fn default() {
        let fact = |field: super::fields::Field| field.of(fact::BITS);
        let was = |field: super::fields::Field| field.of(state::BITS);
        let mode = |value| Const::new(value, mode::BITS);
        let kind = |value| Const::new(value, kind::BITS);
        let ether = |value| Const::new(value, ether::BITS);
        let ending = |value| Const::new(value, ending::BITS);
    }
}

impl Logic for ParserStep {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.input.next = self.facts.val();
        self.ether.input.next = self.facts.val();
        self.place.input.next = self.facts.val();
        self.behind_ipv4.input.next = self.facts.val();
        self.mode_was.input.next = self.state.val();
        self.step_was.input.next = self.state.val();
        self.ip_place_was.input.next = self.state.val();
        self.length_was.input.next = self.state.val();
        self.ipv4_end_was.input.next = self.state.val();
        self.dscp_was.input.next = self.state.val();
        self.checksum_was.input.next = self.state.val();

        comment!("what the word is");
        self.at.input.next = self.look.val();
        self.next_number.input.next = self.look.val();
        self.kind.input.next = self.look.val();
        self.reads.next = self.look.val().get_bit(self.reads_bit.val());
        self.six.next = self.look.val().get_bit(self.six_bit.val());
        self.first.next = self.look.val().get_bit(self.first_bit.val());
        self.fits.next = self.look.val().get_bit(self.fits_bit.val());
        self.stranger.next = self.look.val().get_bit(self.stranger_bit.val());
        self.leaves.next = self.look.val().get_bit(self.leaves_bit.val());
        self.from_ipv6.next = self.look.val().get_bit(self.from_ipv6_bit.val());
        self.deep.next = self.look.val().get_bit(self.deep_bit.val());
        self.fragment.next = self.look.val().get_bit(self.fragment_bit.val());
        self.in_header.next = self.mode_was.output.val() == self.ip_mode.val();
        self.reads_hops_4.next = self.look.val().get_bit(self.is_checksum_bit.val());
        self.reads_hops_6.next = self.look.val().get_bit(self.is_length_6_bit.val());

        comment!("what it says");
        self.length.next = self.length_was.output.val();
        self.checksum.next = self.checksum_was.output.val();
        if self.reads_hops_4.val() {
            self.checksum.next = bits_to(self.word.output.val(), 16);
        }
        if self.reads_hops_6.val() {
            self.length.next = bits_to(self.word.output.val() >> 16, 16);
        }

        comment!("what it is read as");
        self.mode.next = self.mode_was.output.val();
        self.ending.next = self.no_ip.val();
        if self.mode_was.output.val() == self.type_mode.val() {
            self.mode.next = self.end_mode.val();
            if self.ether.output.val() == self.tag.val() {
                self.mode.next = self.type_mode.val();
            }
            if self.ether.output.val() == self.labelled.val() {
                self.mode.next = self.label_mode.val();
            }
            if (self.ether.output.val() == self.ipv4.val())
                || (self.ether.output.val() == self.ipv6.val())
            {
                self.mode.next = self.ip_mode.val();
            }
        }
        if (self.mode_was.output.val() == self.label_mode.val())
            && self.word.output.val().get_bit(8)
        {
            self.mode.next = self.version_mode.val();
        }
        if self.first.val() {
            self.mode.next = self.ip_mode.val();
            if !self.fits.val() {
                self.mode.next = self.end_mode.val();
                self.ending.next = self.malformed.val();
            }
        }
        if self.stranger.val() {
            self.mode.next = self.end_mode.val();
        }
        if self.leaves.val() {
            self.mode.next = self.end_mode.val();
            self.ending.next = self.ip.val();
            if !self.fragment.val() {
                if self.kind.output.val() == self.authentication_kind.val() {
                    self.mode.next = self.authentication_mode.val();
                }
                if self.kind.output.val() == self.ports_kind.val() {
                    self.mode.next = self.ports_mode.val();
                }
                if self.six.val() {
                    if self.kind.output.val() == self.options_kind.val() {
                        self.mode.next = self.options_mode.val();
                    }
                    if self.kind.output.val() == self.fragment_kind.val() {
                        self.mode.next = self.fragment_mode.val();
                    }
                    if self.kind.output.val() == self.hops_kind.val() {
                        self.ending.next = self.malformed.val();
                        if self.from_ipv6.val() {
                            self.mode.next = self.options_mode.val();
                        }
                    }
                }
            }
        }
        if self.mode_was.output.val() == self.ports_mode.val() {
            self.mode.next = self.end_mode.val();
            self.ending.next = self.ip.val();
        }
        comment!(
            "whether another word is read, decided in parallel with mode, whose path is longer"
        );
        self.header_follows.next = !self.fragment.val()
            && ((self.kind.output.val() == self.authentication_kind.val())
                || (self.kind.output.val() == self.ports_kind.val())
                || (self.six.val()
                    && ((self.kind.output.val() == self.options_kind.val())
                        || (self.kind.output.val() == self.fragment_kind.val())
                        || ((self.kind.output.val() == self.hops_kind.val())
                            && self.from_ipv6.val()))));
        self.goes_on.next = !self.stranger.val() && (!self.first.val() || self.fits.val());
        if self.mode_was.output.val() == self.type_mode.val() {
            self.goes_on.next = self.ether.output.val() != self.other_type.val();
        }
        if self.leaves.val() {
            self.goes_on.next = self.header_follows.val();
        }
        if self.mode_was.output.val() == self.ports_mode.val() {
            self.goes_on.next = false;
        }
        if self.deep.val() {
            self.mode.next = self.end_mode.val();
            if self.goes_on.val() {
                self.ending.next = self.too_deep.val();
            }
        }

        comment!("what a first word says; IPv6 says its length in the next one");
        self.step.next = self.step_was.output.val() + 1;
        self.in_ip.next = self.state.val().get_bit(self.in_ip_bit.val()) || self.first.val();
        self.ip_place.next = self.ip_place_was.output.val();
        self.ipv4_end.next = self.ipv4_end_was.output.val();
        self.ipv4_end_deep.next = self.state.val().get_bit(self.ipv4_end_deep_bit.val());
        self.dscp.next = self.dscp_was.output.val();
        if !self.in_header.val() && !self.first.val() {
            self.step.next = bits_to(0, 4);
        }
        self.six_next.next = self.six.val();
        if self.mode_was.output.val() == self.type_mode.val() {
            self.six_next.next = self.ether.output.val() == self.ipv6.val();
        }
        if self.first.val() {
            self.step.next = bits_to(1, 4);
            self.ip_place.next = self.place.output.val();
            self.ipv4_end.next = self.behind_ipv4.output.val();
            self.ipv4_end_deep.next = self.facts.val().get_bit(self.deep_ipv4.val());
            self.dscp.next = bits_to(self.word.output.val() >> 18, 6);
            if !self.six.val() {
                self.length.next = bits_to(self.word.output.val(), 16);
            }
        }

        self.packed.next = bits_to(self.mode.val(), self.state_bits)
            | (bits_to(self.step.val(), self.state_bits) << self.step_place.val())
            | (bits_to(self.at.output.val(), self.state_bits) << self.at_place.val())
            | (bits_to(self.ending.val(), self.state_bits) << self.ending_place.val())
            | (bits_of(self.six_next.val(), self.state_bits) << self.six_place.val())
            | (bits_of(self.in_ip.val(), self.state_bits) << self.in_ip_bit.val())
            | (bits_to(self.ip_place.val(), self.state_bits) << self.ip_place_place.val())
            | (bits_to(self.length.val(), self.state_bits) << self.length_place.val())
            | (bits_to(self.ipv4_end.val(), self.state_bits) << self.ipv4_end_place.val())
            | (bits_of(self.ipv4_end_deep.val(), self.state_bits) << self.ipv4_end_deep_bit.val())
            | (bits_of(self.fragment.val(), self.state_bits) << self.fragment_place.val())
            | (bits_to(self.next_number.output.val(), self.state_bits) << self.next_place.val())
            | (bits_to(self.kind.output.val(), self.state_bits) << self.kind_place.val())
            | (bits_to(self.dscp.val(), self.state_bits) << self.dscp_place.val())
            | (bits_to(self.checksum.val(), self.state_bits) << self.checksum_place.val())
            | (bits_of(
                self.state.val().get_bit(self.hops_bit.val())
                    || self.reads_hops_4.val()
                    || self.reads_hops_6.val(),
                self.state_bits,
            ) << self.hops_bit.val());
        self.stepped.next = self.state.val();
        if self.reads.val() {
            self.stepped.next = self.packed.val();
        }

        comment!("what it is to the key");
        self.header.next = self.reads.val() && self.in_header.val();
        self.six_header.next = self.six.val();
        self.header_step.next = self.step_was.output.val();
        self.ports.next = self.reads.val() && (self.mode_was.output.val() == self.ports_mode.val());
        self.hops_4.next = self.reads.val() && self.reads_hops_4.val();
        self.hops_6.next = self.reads.val() && self.reads_hops_6.val();
    }
}
