//! First half of a parser step: decides how a word is interpreted.

use super::fields::{fact, kind, look, mode, state, Field, FAR_BITS};
use crate::prelude::*;

block! {
    /// What a word is to a parser that stands where it stands, whether it is read, and where the parser goes from there; combinational. The first half of a step: [`super::ParserStep`] makes it.
    /// `docs/packet.md`, "What a frame is to the parser".
    ///
    /// A word is read if the parser stands at it; any other is passed over.
    pub struct ParserLook {
        about: About = About::new(
            "parser_look",
            "What a word is to the parser, which reads it only if it stands at it, and where the parser goes from there.",
        ),
        pub state: Bus<In> = Bus::new(state::BITS),
        pub facts: Bus<In> = Bus::new(fact::BITS).doc("of the word"),
        pub look: Bus<Out> = Bus::new(look::BITS),
        // what is known of the word
        word: Slice = fact(fact::WORD),
        kind_high: Slice = fact(fact::KIND_HIGH),
        kind_middle: Slice = fact(fact::KIND_MIDDLE),
        kind_low: Slice = fact(fact::KIND_LOW),
        place: Slice = fact(fact::PLACE),
        next: Slice = fact(fact::NEXT),
        behind_options: Slice = fact(fact::BEHIND_OPTIONS),
        behind_authentication: Slice = fact(fact::BEHIND_AUTHENTICATION),
        behind_fragment: Slice = fact(fact::BEHIND_FRAGMENT),
        is_4: Const = fact::IS_4.place(),
        is_6: Const = fact::IS_6.place(),
        fits_4: Const = fact::FITS_4.place(),
        fragment_4: Const = fact::FRAGMENT_4.place(),
        fragment_6: Const = fact::FRAGMENT_6.place(),
        deep_next: Const = fact::DEEP_NEXT.place(),
        deep_options: Const = fact::DEEP_OPTIONS.place(),
        deep_authentication: Const = fact::DEEP_AUTHENTICATION.place(),
        deep_fragment: Const = fact::DEEP_FRAGMENT.place(),
        whole: Const = fact::WHOLE.place(),
        // the state
        mode_was: Slice = was(state::MODE),
        step_was: Slice = was(state::STEP),
        at_was: Slice = was(state::AT),
        ipv4_end_was: Slice = was(state::BEHIND_IPV4),
        next_was: Slice = was(state::NEXT),
        kind_was: Slice = was(state::KIND),
        six_bit: Const = state::SIX.place(),
        ipv4_end_deep_bit: Const = state::DEEP_IPV4.place(),
        fragment_bit: Const = state::FRAGMENT.place(),
        // what it is
        reads: Wire<Local>,
        in_header: Wire<Local>,
        six: Wire<Local> = Wire::default().doc("IP version 6"),
        first: Wire<Local> = Wire::default().doc("of an IP header"),
        stranger: Wire<Local> = Wire::default().doc("behind labels, no IP"),
        fits: Wire<Local>,
        leaves: Wire<Local> = Wire::default().doc("a header behind which another may stand is read"),
        from_ipv6: Wire<Local> = Wire::default().doc("the IPv6 header itself"),
        deep: Wire<Local> = Wire::default().doc("the next word is not read any more"),
        at: Bus<Local> = Bus::new(FAR_BITS).doc("next word that is read"),
        fragment: Wire<Local> = Wire::default().doc("not the first one"),
        next_number: Bus<Local> = Bus::new(8).doc("of the header that follows"),
        kind: Bus<Local> = Bus::new(kind::BITS).doc("how it is read"),
        checksum: Wire<Local> = Wire::default().doc("the word of an IPv4 header with TTL and checksum"),
        length_6: Wire<Local> = Wire::default().doc("that of an IPv6 header with payload length and hop limit"),
        six_place: Const = look::SIX.place(),
        first_place: Const = look::FIRST.place(),
        fits_place: Const = look::FITS.place(),
        stranger_place: Const = look::STRANGER.place(),
        leaves_place: Const = look::LEAVES.place(),
        from_ipv6_place: Const = look::FROM_IPV6.place(),
        deep_place: Const = look::DEEP.place(),
        at_place: Const = look::AT.place(),
        fragment_place: Const = look::FRAGMENT.place(),
        next_place: Const = look::NEXT.place(),
        kind_place: Const = look::KIND.place(),
        checksum_place: Const = look::CHECKSUM.place(),
        length_6_place: Const = look::LENGTH_6.place(),
        version_mode: Const = mode(mode::VERSION),
        ip_mode: Const = mode(mode::IP),
        options_mode: Const = mode(mode::OPTIONS),
        authentication_mode: Const = mode(mode::AUTHENTICATION),
        fragment_mode: Const = mode(mode::FRAGMENT),
        end_mode: Const = mode(mode::END),
        look_bits: usize = look::BITS,
    }

    fn default() {
        let fact = |field: Field| field.of(fact::BITS);
        let was = |field: Field| field.of(state::BITS);
        let mode = |value| Const::new(value, mode::BITS);
    }
}

impl Logic for ParserLook {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.input.next = self.facts.val();
        self.kind_high.input.next = self.facts.val();
        self.kind_middle.input.next = self.facts.val();
        self.kind_low.input.next = self.facts.val();
        self.place.input.next = self.facts.val();
        self.next.input.next = self.facts.val();
        self.behind_options.input.next = self.facts.val();
        self.behind_authentication.input.next = self.facts.val();
        self.behind_fragment.input.next = self.facts.val();
        self.mode_was.input.next = self.state.val();
        self.step_was.input.next = self.state.val();
        self.at_was.input.next = self.state.val();
        self.ipv4_end_was.input.next = self.state.val();
        self.next_was.input.next = self.state.val();
        self.kind_was.input.next = self.state.val();

        comment!("the word is read if the frame has it and the parser stands at it");
        self.reads.next = self.facts.val().get_bit(self.whole.val())
            && (self.mode_was.output.val() != self.end_mode.val())
            && (bits_to(self.at_was.output.val(), 5) == self.place.output.val());
        self.in_header.next = self.mode_was.output.val() == self.ip_mode.val();
        self.six.next = self.state.val().get_bit(self.six_bit.val());
        self.first.next = self.in_header.val() && !self.step_was.output.val().any();
        self.stranger.next = false;
        if self.mode_was.output.val() == self.version_mode.val() {
            self.six.next = self.facts.val().get_bit(self.is_6.val());
            self.first.next = self.facts.val().get_bit(self.is_4.val())
                || self.facts.val().get_bit(self.is_6.val());
            self.stranger.next = !self.facts.val().get_bit(self.is_4.val())
                && !self.facts.val().get_bit(self.is_6.val());
        }
        self.fits.next = self.facts.val().get_bit(self.fits_4.val());
        if self.six.val() {
            self.fits.next = self.facts.val().get_bit(self.is_6.val());
        }

        comment!("where the next word stands, and whether another header does");
        self.at.next = self.next.output.val();
        self.deep.next = self.facts.val().get_bit(self.deep_next.val());
        self.leaves.next = false;
        self.from_ipv6.next = false;
        self.kind.next = self.kind_was.output.val();
        self.next_number.next = self.next_was.output.val();
        self.fragment.next = self.state.val().get_bit(self.fragment_bit.val());
        self.checksum.next =
            self.in_header.val() && !self.six.val() && (self.step_was.output.val() == 2);
        self.length_6.next =
            self.in_header.val() && self.six.val() && (self.step_was.output.val() == 1);
        if self.in_header.val() && !self.six.val() {
            if self.step_was.output.val() == 1 {
                self.fragment.next = self.facts.val().get_bit(self.fragment_4.val());
            }
            if self.checksum.val() {
                self.next_number.next = bits_to(self.word.output.val() >> 16, 8);
                self.kind.next = self.kind_middle.output.val();
            }
            if self.step_was.output.val() == 4 {
                self.leaves.next = true;
                self.at.next = self.ipv4_end_was.output.val();
                self.deep.next = self.state.val().get_bit(self.ipv4_end_deep_bit.val());
            }
        }
        if self.in_header.val() && self.six.val() {
            if self.length_6.val() {
                self.next_number.next = bits_to(self.word.output.val() >> 8, 8);
                self.kind.next = self.kind_low.output.val();
            }
            if self.step_was.output.val() == 9 {
                self.leaves.next = true;
                self.from_ipv6.next = true;
            }
        }
        if self.mode_was.output.val() == self.options_mode.val() {
            self.leaves.next = true;
            self.at.next = self.behind_options.output.val();
            self.deep.next = self.facts.val().get_bit(self.deep_options.val());
        }
        if self.mode_was.output.val() == self.authentication_mode.val() {
            self.leaves.next = true;
            self.at.next = self.behind_authentication.output.val();
            self.deep.next = self.facts.val().get_bit(self.deep_authentication.val());
        }
        if self.mode_was.output.val() == self.fragment_mode.val() {
            self.leaves.next = true;
            self.at.next = self.behind_fragment.output.val();
            self.deep.next = self.facts.val().get_bit(self.deep_fragment.val());
            self.fragment.next = self.facts.val().get_bit(self.fragment_6.val());
        }
        if self.leaves.val() && !self.in_header.val() {
            self.next_number.next = bits_to(self.word.output.val() >> 24, 8);
            self.kind.next = self.kind_high.output.val();
        }

        self.look.next = bits_of(self.reads.val(), self.look_bits)
            | (bits_of(self.six.val(), self.look_bits) << self.six_place.val())
            | (bits_of(self.first.val(), self.look_bits) << self.first_place.val())
            | (bits_of(self.fits.val(), self.look_bits) << self.fits_place.val())
            | (bits_of(self.stranger.val(), self.look_bits) << self.stranger_place.val())
            | (bits_of(self.leaves.val(), self.look_bits) << self.leaves_place.val())
            | (bits_of(self.from_ipv6.val(), self.look_bits) << self.from_ipv6_place.val())
            | (bits_of(self.deep.val(), self.look_bits) << self.deep_place.val())
            | (bits_to(self.at.val(), self.look_bits) << self.at_place.val())
            | (bits_of(self.fragment.val(), self.look_bits) << self.fragment_place.val())
            | (bits_to(self.next_number.val(), self.look_bits) << self.next_place.val())
            | (bits_to(self.kind.val(), self.look_bits) << self.kind_place.val())
            | (bits_of(self.checksum.val(), self.look_bits) << self.checksum_place.val())
            | (bits_of(self.length_6.val(), self.look_bits) << self.length_6_place.val());
    }
}
