//! First half of a parser step: decides how a word is interpreted.

use super::fields::{fact, kind, look, mode, state, Field, FAR_BITS};
use crate::prelude::*;

/// What a word is to a parser that stands where it stands, whether it is read, and where the parser goes from there; combinational. The first half of a step: [`super::ParserStep`] makes it.
/// `docs/packet.md`, "What a frame is to the parser".
///
/// A word is read if the parser stands at it; any other is passed over.
#[derive(LogicBlock)]
pub struct ParserLook {
    about: About,
    pub state: Bus<In>,
    pub facts: Bus<In>,
    pub look: Bus<Out>,
    // what is known of the word
    word: Slice,
    kind_high: Slice,
    kind_middle: Slice,
    kind_low: Slice,
    place: Slice,
    next: Slice,
    behind_options: Slice,
    behind_authentication: Slice,
    behind_fragment: Slice,
    is_4: Const,
    is_6: Const,
    fits_4: Const,
    fragment_4: Const,
    fragment_6: Const,
    deep_next: Const,
    deep_options: Const,
    deep_authentication: Const,
    deep_fragment: Const,
    whole: Const,
    // the state
    mode_was: Slice,
    step_was: Slice,
    at_was: Slice,
    ipv4_end_was: Slice,
    next_was: Slice,
    kind_was: Slice,
    six_bit: Const,
    ipv4_end_deep_bit: Const,
    fragment_bit: Const,
    // what it is
    reads: Wire<Local>,
    in_header: Wire<Local>,
    six: Wire<Local>,
    first: Wire<Local>,
    stranger: Wire<Local>,
    fits: Wire<Local>,
    leaves: Wire<Local>,
    from_ipv6: Wire<Local>,
    deep: Wire<Local>,
    at: Bus<Local>,
    fragment: Wire<Local>,
    next_number: Bus<Local>,
    kind: Bus<Local>,
    six_place: Const,
    first_place: Const,
    fits_place: Const,
    stranger_place: Const,
    leaves_place: Const,
    from_ipv6_place: Const,
    deep_place: Const,
    at_place: Const,
    fragment_place: Const,
    next_place: Const,
    kind_place: Const,
    version_mode: Const,
    ip_mode: Const,
    options_mode: Const,
    authentication_mode: Const,
    fragment_mode: Const,
    end_mode: Const,
    look_bits: usize,
}

impl Default for ParserLook {
    fn default() -> Self {
        let fact = |field: Field| field.of(fact::BITS);
        let was = |field: Field| field.of(state::BITS);
        let mode = |value| Const::new(value, mode::BITS);
        Self {
            about: About::new(
                "parser_look",
                "What a word is to the parser, which reads it only if it stands at it, and where the parser goes from there.",
            ),
            state: Bus::new(state::BITS),
            facts: Bus::new(fact::BITS).doc("of the word"),
            look: Bus::new(look::BITS),
            word: fact(fact::WORD),
            kind_high: fact(fact::KIND_HIGH),
            kind_middle: fact(fact::KIND_MIDDLE),
            kind_low: fact(fact::KIND_LOW),
            place: fact(fact::PLACE),
            next: fact(fact::NEXT),
            behind_options: fact(fact::BEHIND_OPTIONS),
            behind_authentication: fact(fact::BEHIND_AUTHENTICATION),
            behind_fragment: fact(fact::BEHIND_FRAGMENT),
            is_4: fact::IS_4.place(),
            is_6: fact::IS_6.place(),
            fits_4: fact::FITS_4.place(),
            fragment_4: fact::FRAGMENT_4.place(),
            fragment_6: fact::FRAGMENT_6.place(),
            deep_next: fact::DEEP_NEXT.place(),
            deep_options: fact::DEEP_OPTIONS.place(),
            deep_authentication: fact::DEEP_AUTHENTICATION.place(),
            deep_fragment: fact::DEEP_FRAGMENT.place(),
            whole: fact::WHOLE.place(),
            mode_was: was(state::MODE),
            step_was: was(state::STEP),
            at_was: was(state::AT),
            ipv4_end_was: was(state::BEHIND_IPV4),
            next_was: was(state::NEXT),
            kind_was: was(state::KIND),
            six_bit: state::SIX.place(),
            ipv4_end_deep_bit: state::DEEP_IPV4.place(),
            fragment_bit: state::FRAGMENT.place(),
            reads: Default::default(),
            in_header: Default::default(),
            six: Wire::default().doc("IP version 6"),
            first: Wire::default().doc("of an IP header"),
            stranger: Wire::default().doc("behind labels, no IP"),
            fits: Default::default(),
            leaves: Wire::default().doc("a header behind which another may stand is read"),
            from_ipv6: Wire::default().doc("the IPv6 header itself"),
            deep: Wire::default().doc("the next word is not read any more"),
            at: Bus::new(FAR_BITS).doc("next word that is read"),
            fragment: Wire::default().doc("not the first one"),
            next_number: Bus::new(8).doc("of the header that follows"),
            kind: Bus::new(kind::BITS).doc("how it is read"),
            six_place: look::SIX.place(),
            first_place: look::FIRST.place(),
            fits_place: look::FITS.place(),
            stranger_place: look::STRANGER.place(),
            leaves_place: look::LEAVES.place(),
            from_ipv6_place: look::FROM_IPV6.place(),
            deep_place: look::DEEP.place(),
            at_place: look::AT.place(),
            fragment_place: look::FRAGMENT.place(),
            next_place: look::NEXT.place(),
            kind_place: look::KIND.place(),
            version_mode: mode(mode::VERSION),
            ip_mode: mode(mode::IP),
            options_mode: mode(mode::OPTIONS),
            authentication_mode: mode(mode::AUTHENTICATION),
            fragment_mode: mode(mode::FRAGMENT),
            end_mode: mode(mode::END),
            look_bits: look::BITS,
        }
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
        if self.in_header.val() && !self.six.val() {
            if self.step_was.output.val() == 1 {
                self.fragment.next = self.facts.val().get_bit(self.fragment_4.val());
            }
            if self.step_was.output.val() == 2 {
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
            if self.step_was.output.val() == 1 {
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
            | (bits_to(self.kind.val(), self.look_bits) << self.kind_place.val());
    }
}
