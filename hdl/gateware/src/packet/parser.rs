//! Parser for data paths of 8 bits.

use super::fields::{fact, look, state};
use super::{
    Beat, BeatDelay, KeyCapture, KeyLayout, KeyPart, ParserLook, ParserStep, WordFacts, WordFeed,
};
use crate::prelude::*;

/// Clocks from a beat to what was found up to it.
pub(super) const PARSER_CLOCKS: usize = 4;

block! {
    /// Reads the words of each frame; the state after the last beat is its finding. Beats come out four clocks later, with what was found up to them.
    ///
    /// ```text
    ///                                                                  +--> [ ] --> KeyCapture --> key
    /// beat --> WordFeed --> WordFacts --> [ ] --> ParserLook --> [ ] --> ParserStep --+--> [ ] --> finding
    ///                                                ^                                |
    ///                                                +-------------- [ ] <------------+
    /// ```
    ///
    /// There is a word in four clocks, so a step takes two of them, in which its facts stand. Words come to the key a clock behind their step, which leaves the parser's longest path to its
    /// state alone. `docs/packet.md`, "What a frame is to the parser". [`super::PairParser`] does the same for 64 bits.
    /// `reset` is synchronous and active high.
    pub struct Parser {
        about: About = About::new(
            "parser",
            format!("Reads the words of each frame. The state after a frame's last beat is what was found, {PARSER_CLOCKS} clocks after that beat."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub data: WideBus<In> = WideBus::<In>::new(beat.bits()),
        pub bad: Wire<In> = Wire::default().doc("of a bad one"),
        pub most: Bus<In> = Bus::new(beat.most_bits()).doc("its last valid byte"),
        pub valid_out: Wire<Out> = Wire::default().doc("the beat, as late as what was found"),
        pub last_out: Wire<Out>,
        pub bad_out: Wire<Out>,
        pub most_out: Bus<Out> = Bus::new(beat.most_bits()),
        pub data_out: WideBus<Out> = WideBus::<Out>::new(beat.bits()),
        pub finding: Bus<Out> = Bus::new(state::BITS).doc("state after that beat"),
        pub key: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        pub zeroes: Bus<Out> = Bus::new(beat.bytes()).doc("bytes of it that change from hop to hop"),
        pub before: Wire<Out> = Wire::default().doc("bytes of the beats before do, too"),
        beats: BeatDelay = BeatDelay::new(beat, PARSER_CLOCKS),
        feed: WordFeed = WordFeed::new(beat),
        // one of each: a beat completes one word at most
        facts: Vec<WordFacts> = vec![Default::default()],
        facts_r: Vec<Reg> = vec![Reg::new(fact::BITS)],
        looks: Vec<ParserLook> = vec![Default::default()],
        looks_r: Vec<Reg> = vec![Reg::new(look::BITS)],
        steps: Vec<ParserStep> = vec![Default::default()],
        parts: Vec<KeyPart> = vec![KeyPart::new(layout)],
        captures: Vec<KeyCapture> = vec![KeyCapture::new(layout)],
        words_r: Vec<Reg> = vec![Reg::new(32)],
        part_r: Vec<Reg> = vec![Reg::new(layout.parts())],
        word: Vec<Slice> = vec![fact::WORD.of(fact::BITS)],
        valid_r: Vec<Flag> = (0..stages).map(|_| Flag::default()).collect(),
        last_r: Vec<Flag> = (0..stages).map(|_| Flag::default()).collect(),
        state: Reg = Reg::with_init(state::BITS, state::INITIAL),
        key_r: WideReg = WideReg::new(layout.bits),
        cut: Flag = Flag::default().doc("reset in the clock before"),
        finding_r: Reg = Reg::with_init(state::BITS, state::INITIAL),
        hops_4_r: Vec<Flag> = vec![Flag::default()],
        hops_6_r: Vec<Flag> = vec![Flag::default()],
        stepping: usize = stages - 1,
        read_once: Const = Const::new(ones(fact::BITS) & !(1 << fact::WHOLE.low), fact::BITS).doc("the word is read in one clock"),
        no_zeroes: Const = Const::new(0, beat.bytes()),
        byte_3: Const = Const::new(1, beat.bytes()),
        initial: Const = Const::new(state::INITIAL, state::BITS).doc("before the word at byte 10"),
        no_key: WideConst = WideConst::from_value(Wide::zero(layout.bits)),
        stages: usize = stages,
    }

    /// For beats of 8 bits and keys of `layout`.
    pub fn new(beat: Beat, layout: &KeyLayout) {
        let stages = PARSER_CLOCKS - 1;
    }
}

impl Logic for Parser {
    #[hdl_gen]
    fn update(&mut self) {
        self.feed.reset.next = self.reset.val();
        self.feed.valid.next = self.valid.val();
        self.feed.last.next = self.last.val();
        self.feed.data.next = self.data.val();
        self.feed.most.next = self.most.val();
        self.valid_r[0].d.next = self.valid.val();
        self.last_r[0].d.next = self.last.val();
        for i in 1..self.stages {
            self.valid_r[i].d.next = self.valid_r[i - 1].q.val();
            self.last_r[i].d.next = self.last_r[i - 1].q.val();
        }
        if self.reset.val() {
            for i in 0..self.stages {
                self.valid_r[i].d.next = false;
            }
        }
        self.facts[0].word.next = self.feed.word[0].val();
        self.facts[0].place.next = self.feed.place[0].val();
        self.facts[0].second.next = self.feed.second[0].val();
        self.facts[0].whole.next = self.feed.whole[0].val();
        self.looks[0].facts.next = self.facts_r[0].q.val();
        self.steps[0].facts.next = self.facts_r[0].q.val();
        self.word[0].input.next = self.facts_r[0].q.val();
        self.words_r[0].d.next = self.word[0].output.val();
        self.parts[0].in_header.next = self.steps[0].header.val();
        self.parts[0].six.next = self.steps[0].six_header.val();
        self.parts[0].step.next = self.steps[0].header_step.val();
        self.parts[0].ports.next = self.steps[0].ports.val();
        self.part_r[0].d.next = self.parts[0].part.val();
        self.captures[0].word.next = self.words_r[0].q.val();
        self.captures[0].part.next = self.part_r[0].q.val();
        self.hops_4_r[0].d.next = self.steps[0].hops_4.val();
        self.hops_6_r[0].d.next = self.steps[0].hops_6.val();
        comment!("a step takes two clocks, in which the facts stand");
        self.facts_r[0].d.next = self.facts_r[0].q.val() & self.read_once.val();
        if self.feed.whole[0].val() {
            self.facts_r[0].d.next = self.facts[0].facts.val();
        }
        self.looks_r[0].d.next = self.looks[0].look.val();
        self.steps[0].look.next = self.looks_r[0].q.val();
        self.looks[0].state.next = self.state.q.val();
        self.steps[0].state.next = self.state.q.val();
        self.captures[0].key.next = self.key_r.q.val();
        self.finding_r.d.next = self.steps[0].stepped.val();
        self.state.d.next = self.state.q.val();
        if self.valid_r[self.stepping].q.val() {
            self.state.d.next = self.steps[0].stepped.val();
        }
        if (self.valid_r[self.stepping].q.val() && self.last_r[self.stepping].q.val())
            || self.reset.val()
        {
            self.state.d.next = self.initial.val();
        }
        comment!("the key, a clock behind");
        self.key.next = self.captures[0].captured.val();
        self.key_r.d.next = self.key_r.q.val();
        if self.beats.valid_out.val() {
            self.key_r.d.next = self.captures[0].captured.val();
        }
        comment!("cleared a clock after a reset: no word comes sooner");
        self.cut.d.next = self.reset.val();
        if self.beats.last_out.val() || self.cut.q.val() {
            self.key_r.d.next = self.no_key.val();
        }
        comment!("bytes that change from hop to hop: TTL, checksum and hop limit are bytes 0, 2 and 3 of their words");
        self.zeroes.next = self.no_zeroes.val();
        if self.hops_4_r[0].q.val() || self.hops_6_r[0].q.val() {
            self.zeroes.next = self.byte_3.val();
        }
        self.before.next = self.hops_4_r[0].q.val();
        self.beats.reset.next = self.reset.val();
        self.beats.valid.next = self.valid.val();
        self.beats.last.next = self.last.val();
        self.beats.bad.next = self.bad.val();
        self.beats.most.next = self.most.val();
        self.beats.data.next = self.data.val();
        self.valid_out.next = self.beats.valid_out.val();
        self.last_out.next = self.beats.last_out.val();
        self.bad_out.next = self.beats.bad_out.val();
        self.most_out.next = self.beats.most_out.val();
        self.data_out.next = self.beats.data_out.val();
        self.finding.next = self.finding_r.q.val();
    }
}
