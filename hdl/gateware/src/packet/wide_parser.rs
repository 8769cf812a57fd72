//! Parser for a data path of 512 bits, with the beats that it delays.

use super::fields::state;
use super::parser_array::ARRAY_CLOCKS;
use super::{Beat, FrameMemory, KeyLayout, ParserArray};
use crate::prelude::*;

/// Clocks from the beat that lets a beat go to what was found: the beat before the array, and the array.
pub(super) const WIDE_PARSER_CLOCKS: usize = 2 + ARRAY_CLOCKS;
/// Places of the ring that beats wait in.
const RING: usize = 32;
/// Clocks from a beat's way into the ring to its way out that the memory's two are not.
const RING_CLOCKS: usize = ARRAY_CLOCKS - 2;

block! {
    /// Keeps each beat until the next one of its frame is here, so that a frame's first beat goes with its window of two; the window goes through the array while the beats wait in a
    /// ring in block RAM. What was found comes out with the first beat, and stands until the last.
    ///
    /// ```text
    /// beat --> [held] --> [gone] --+--> ring in block RAM ------> beat
    ///            |                 |
    ///            +---- + beat -----+--> ParserArray --> [held] --> finding
    /// ```
    ///
    /// Outputs as of [`super::Parser`]. `docs/packet.md`, "What a frame is to the parser".
    /// `reset` is synchronous and active high.
    pub struct WideParser {
        about: About = About::new(
            "wide_parser",
            "A frame's first two beats go through the array while its beats wait in block RAM; what was found stands with each of its beats.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no beat"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub bad: Wire<In> = Wire::default().doc("of a bad one"),
        pub most: Bus<In> = Bus::new(most).doc("its last valid byte"),
        pub data: WideBus<In> = WideBus::<In>::new(bits),
        pub valid_out: Wire<Out> = Wire::default().doc("the beat, later"),
        pub last_out: Wire<Out>,
        pub bad_out: Wire<Out>,
        pub most_out: Bus<Out> = Bus::new(most),
        pub data_out: WideBus<Out> = WideBus::<Out>::new(bits),
        pub finding: Bus<Out> = Bus::new(state::BITS).doc("what was found in its frame"),
        pub key: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        pub zeroes: Bus<Out> = Bus::new(bytes).doc("bytes of the beat that change from hop to hop"),
        array: ParserArray = ParserArray::new(layout),
        ring: FrameMemory = FrameMemory::new(RING, bits),
        // a beat that waits for the next one
        held: Flag = Flag::default().doc("a beat waits for the next one, or goes as its frame's last"),
        held_last: Flag,
        held_bad: Flag,
        held_most: Reg = Reg::new(most),
        held_data: WideReg = WideReg::new(bits),
        goes: Wire<Local>,
        // a beat on its way into the ring
        gone: Flag = Flag::default().doc("a beat goes into the ring"),
        gone_first: Flag = Flag::default().doc("the first of its frame, with its window"),
        gone_last: Flag,
        gone_bad: Flag,
        gone_most: Reg = Reg::new(most),
        window: WideReg = WideReg::new(2 * bits).doc("the beat, and the next one"),
        count: Reg = Reg::new(COUNT_BITS).doc("bytes valid in them"),
        begins: Flag = Flag::with_init(true).doc("the next beat that goes is the first of its frame"),
        // with the beat on its way out
        valids: Vec<Flag> = (0..ARRAY_CLOCKS).map(|_| Flag::default()).collect(),
        firsts: FlagDelay = FlagDelay::new(ARRAY_CLOCKS),
        lasts: FlagDelay = FlagDelay::new(ARRAY_CLOCKS),
        bads: FlagDelay = FlagDelay::new(ARRAY_CLOCKS),
        mosts: Delay = Delay::new(most, ARRAY_CLOCKS),
        place: Reg = Reg::new(place_bits).doc("place of the ring that is written"),
        within: Reg = Reg::new(2).doc("which beat of its frame comes out: the first, the second, a later one"),
        now: Bus<Local> = Bus::new(state::BITS),
        now_key: WideBus<Local> = WideBus::<Local>::new(layout.bits),
        kept: Reg = Reg::new(state::BITS).doc("what was found in the frame that comes out"),
        kept_key: WideReg = WideReg::new(layout.bits),
        six_bit: Const = state::SIX.place(),
        hops_bit: Const = state::HOPS.place(),
        ip_place: Slice = state::IP_PLACE.of(state::BITS),
        hop_word: Bus<Local> = Bus::new(HOP_BITS).doc("word with TTL and checksum, or the hop limit"),
        beat_word: Bus<Local> = Bus::new(HOP_BITS).doc("number of the beat's first word that begins in it"),
        marks: Bus<Local> = Bus::new(bytes + 4).doc("bytes that change, from two before the beat on"),
        four_hop_bytes: Const = Const::new(0b1101, bytes + 4),
        six_hop_bytes: Const = Const::new(0b1000, bytes + 4),
        word_here: Vec<Const> = (0..=bytes / 4).map(|i| Const::new(i as u128, HOP_BITS)).collect(),
        word_first: Vec<usize> = (0..=bytes / 4).map(|i| 4 * i).collect(),
        beat_bits: usize = bits,
        one_beat: Const = Const::new(bytes as u128, COUNT_BITS),
        two_beats: Const = Const::new(2 * bytes as u128, COUNT_BITS),
        ring_ahead: Const = Const::new((RING - RING_CLOCKS) as u128, place_bits).doc("the ring is read so many places ahead"),
        first_beat: Const = Const::new(0, 2),
        second_beat: Const = Const::new(1, 2),
        later_beats: Const = Const::new(2, 2),
        final_stage: usize = ARRAY_CLOCKS - 1,
        beat: usize = bits,
        window_bits: usize = 2 * bits,
        count_bits: usize = COUNT_BITS,
        stages: usize = ARRAY_CLOCKS,
        words: usize = bytes / 4 + 1,
        bytes: usize = bytes,
        bytes_and_a_word: usize = bytes + 4,
    }

    /// For beats of 512 bits and keys of `layout`.
    pub fn new(beat: Beat, layout: &KeyLayout) {
        let (bits, most, bytes) = (beat.bits(), beat.most_bits(), beat.bytes());
        let place_bits = clog2(RING);
    }
}

/// Bits of the number of a word within the window.
const HOP_BITS: usize = 6;
/// Bits that count the bytes of the window.
const COUNT_BITS: usize = 8;

impl Logic for WideParser {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("a beat goes when the next one of its frame is here, or as the last at once");
        self.goes.next = self.held.q.val() && (self.valid.val() || self.held_last.q.val());
        self.held.d.next = self.valid.val() || (self.held.q.val() && !self.goes.val());
        self.held_last.d.next = self.held_last.q.val();
        self.held_bad.d.next = self.held_bad.q.val();
        self.held_most.d.next = self.held_most.q.val();
        self.held_data.d.next = self.held_data.q.val();
        if self.valid.val() {
            self.held_last.d.next = self.last.val();
            self.held_bad.d.next = self.bad.val();
            self.held_most.d.next = self.most.val();
            self.held_data.d.next = self.data.val();
        }
        self.gone.d.next = self.goes.val();
        self.gone_first.d.next = self.begins.q.val();
        self.begins.d.next = self.begins.q.val();
        if self.goes.val() {
            self.begins.d.next = self.held_last.q.val();
        }
        self.gone_last.d.next = self.held_last.q.val();
        self.gone_bad.d.next = self.held_bad.q.val();
        self.gone_most.d.next = self.held_most.q.val();
        self.window.d.next = bits_wide(self.held_data.q.val(), self.window_bits)
            | (bits_wide(self.data.val(), self.window_bits) << self.beat_bits);
        self.count.d.next = self.two_beats.val();
        if self.last.val() {
            self.count.d.next = self.one_beat.val() + bits_to(self.most.val(), self.count_bits) + 1;
        }
        if self.held_last.q.val() {
            self.count.d.next = bits_to(self.held_most.q.val(), self.count_bits) + 1;
        }

        comment!("the window through the array, the beat through the ring");
        self.array.window.next = self.window.q.val();
        self.array.count.next = self.count.q.val();
        self.place.d.next = self.place.q.val() + 1;
        self.ring.write_enable.next = self.gone.q.val();
        self.ring.write_address.next = self.place.q.val();
        self.ring.write_data.next = bits_wide(self.window.q.val(), self.beat);
        self.ring.read_address.next = self.place.q.val() + self.ring_ahead.val();
        self.valids[0].d.next = self.gone.q.val() && !self.reset.val();
        for i in 1..self.stages {
            self.valids[i].d.next = self.valids[i - 1].q.val() && !self.reset.val();
        }
        self.firsts.d.next = self.gone_first.q.val();
        self.lasts.d.next = self.gone_last.q.val();
        self.bads.d.next = self.gone_bad.q.val();
        self.mosts.d.next = self.gone_most.q.val();

        comment!("what was found comes with the first beat and stands until the last");
        self.now.next = self.kept.q.val();
        self.now_key.next = self.kept_key.q.val();
        if self.firsts.q.val() {
            self.now.next = self.array.finding.val();
            self.now_key.next = self.array.key.val();
        }
        self.kept.d.next = self.kept.q.val();
        self.kept_key.d.next = self.kept_key.q.val();
        if self.valids[self.final_stage].q.val() {
            self.kept.d.next = self.now.val();
            self.kept_key.d.next = self.now_key.val();
        }
        self.valid_out.next = self.valids[self.final_stage].q.val();
        self.last_out.next = self.lasts.q.val();
        self.bad_out.next = self.bads.q.val();
        self.most_out.next = self.mosts.q.val();
        self.data_out.next = self.ring.read_data.val();
        self.finding.next = self.now.val();
        self.key.next = self.now_key.val();

        comment!("bytes that change from hop to hop: 0, 2 and 3 of the IP header's third word, or 3 of its second; each word begins two bytes behind a multiple of four");
        self.within.d.next = self.within.q.val();
        if self.valids[self.final_stage].q.val() {
            if self.within.q.val() == self.first_beat.val() {
                self.within.d.next = self.second_beat.val();
            } else {
                self.within.d.next = self.later_beats.val();
            }
            if self.lasts.q.val() {
                self.within.d.next = self.first_beat.val();
            }
        }
        self.ip_place.input.next = self.now.val();
        self.hop_word.next = bits_to(self.ip_place.output.val(), 6) + 2;
        if self.now.val().get_bit(self.six_bit.val()) {
            self.hop_word.next = bits_to(self.ip_place.output.val(), 6) + 1;
        }
        comment!("counted from the word that begins two bytes before the beat");
        self.beat_word.next = self.hop_word.val() + 1;
        if self.within.q.val() == self.second_beat.val() {
            self.beat_word.next = self.hop_word.val() - 15;
        }
        self.marks.next = bits_to(0, self.bytes_and_a_word);
        for i in 0..self.words {
            if self.now.val().get_bit(self.hops_bit.val())
                && (self.within.q.val() != self.later_beats.val())
                && (self.beat_word.val() == self.word_here[i].val())
            {
                self.marks.next = self.four_hop_bytes.val() << self.word_first[i];
                if self.now.val().get_bit(self.six_bit.val()) {
                    self.marks.next = self.six_hop_bytes.val() << self.word_first[i];
                }
            }
        }
        self.zeroes.next = bits_to(self.marks.val() >> 2, self.bytes);

        if self.reset.val() {
            self.held.d.next = false;
            self.gone.d.next = false;
            self.begins.d.next = true;
            self.within.d.next = self.first_beat.val();
        }
    }
}
