//! Pipelined parser for a data path of 512 bits: one word per stage.

use super::fields::{fact, state, FIRST_PLACE, LAST_PLACE, PLACE_BITS};
use super::{KeyCapture, KeyLayout, KeyPart, NetworkOrder, ParserLook, ParserStep, WordFacts};
use crate::prelude::*;

/// Words the parser may read.
const WORDS: usize = LAST_PLACE + 1 - FIRST_PLACE;
/// Clocks from a frame's window to what was found in it.
pub(super) const ARRAY_CLOCKS: usize = WORDS + 1;
/// Bytes of two beats, the window.
const WINDOW_BYTES: usize = 128;
/// Bits that count them.
const COUNT_BITS: usize = 8;

block! {
    /// Reads one window a clock: stage i knows the facts of word i + 2 and steps on it. A word lives until its stage has it.
    ///
    /// ```text
    /// word 2 --> facts --> [ ] --> step --> [ ] ----> step --> [ ] -- .. --> finding
    /// word 3 ---> [ ] --> facts --> [ ] -------------->^
    /// word 4 ---> [ ] ---> [ ] --> facts --> ..
    /// ```
    ///
    /// `docs/packet.md`, "What a frame is to the parser".
    /// No reset.
    pub struct ParserArray {
        about: About = About::new(
            "parser_array",
            format!("Reads a window of two beats a clock, a word a stage: what was found comes {ARRAY_CLOCKS} clocks later."),
        ),
        pub clock: Signal<In, Clock>,
        pub window: WideBus<In> = WideBus::<In>::new(8 * WINDOW_BYTES).doc("first two beats of a frame"),
        pub count: Bus<In> = Bus::new(COUNT_BITS).doc("bytes that are valid in it"),
        pub finding: Bus<Out> = Bus::new(state::BITS).doc("state after all of them"),
        pub key: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        bytes: Vec<WideSlice> = (0..WORDS).map(|i| WideSlice::new(8 * WINDOW_BYTES, 32 * place(i) + 16, 32)).collect(),
        order: Vec<NetworkOrder> = (0..WORDS).map(|_| Default::default()).collect(),
        whole: Vec<FlagDelay> = (0..WORDS).map(FlagDelay::new).collect(),
        words: Vec<Delay> = (0..WORDS).map(|i| Delay::new(32, i)).collect(),
        facts: Vec<WordFacts> = (0..WORDS).map(|_| Default::default()).collect(),
        facts_r: Vec<Reg> = (0..WORDS).map(|_| Reg::new(fact::BITS)).collect(),
        looks: Vec<ParserLook> = (0..WORDS).map(|_| Default::default()).collect(),
        steps: Vec<ParserStep> = (0..WORDS).map(|_| Default::default()).collect(),
        parts: Vec<KeyPart> = (0..WORDS).map(|_| KeyPart::new(layout)).collect(),
        captures: Vec<KeyCapture> = (0..WORDS).map(|_| KeyCapture::new(layout)).collect(),
        word: Vec<Slice> = (0..WORDS).map(|_| fact::WORD.of(fact::BITS)).collect(),
        states: Vec<Reg> = (0..WORDS).map(|_| Reg::new(state::BITS)).collect(),
        keys: Vec<WideReg> = (0..WORDS).map(|_| WideReg::new(layout.bits)).collect(),
        place: Vec<Const> = (0..WORDS).map(|i| Const::new(place(i) as u128, PLACE_BITS)).collect(),
        second: Vec<Const> = (0..WORDS).map(|i| Const::new(place(i) as u128 + 2, PLACE_BITS + 1)).collect(),
        word_end: Vec<Const> = (0..WORDS).map(|i| Const::new(4 * place(i) as u128 + 6, COUNT_BITS)).collect(),
        initial: Const = Const::new(state::INITIAL, state::BITS).doc("before the word at byte 10"),
        no_key: WideConst = WideConst::from_value(Wide::zero(layout.bits)),
        final_stage: usize = WORDS - 1,
        word_count: usize = WORDS,
    }

    /// For keys of `layout`.
    pub fn new(layout: &KeyLayout) {
        let place = |i: usize| i + FIRST_PLACE;
    }
}

impl Logic for ParserArray {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.word_count {
            self.bytes[i].input.next = self.window.val();
            self.order[i].bytes.next = self.bytes[i].output.val();
            self.words[i].d.next = self.order[i].word.val();
            self.whole[i].d.next = self.count.val() >= self.word_end[i].val();
            self.facts[i].word.next = self.words[i].q.val();
            self.facts[i].place.next = self.place[i].val();
            self.facts[i].second.next = self.second[i].val();
            self.facts[i].whole.next = self.whole[i].q.val();
            self.facts_r[i].d.next = self.facts[i].facts.val();
            self.looks[i].facts.next = self.facts_r[i].q.val();
            self.steps[i].facts.next = self.facts_r[i].q.val();
            self.steps[i].look.next = self.looks[i].look.val();
            self.states[i].d.next = self.steps[i].stepped.val();
            self.keys[i].d.next = self.captures[i].captured.val();
            self.word[i].input.next = self.facts_r[i].q.val();
            self.captures[i].word.next = self.word[i].output.val();
            self.parts[i].in_header.next = self.steps[i].header.val();
            self.parts[i].six.next = self.steps[i].six_header.val();
            self.parts[i].step.next = self.steps[i].header_step.val();
            self.parts[i].ports.next = self.steps[i].ports.val();
            self.captures[i].part.next = self.parts[i].part.val();
        }
        self.looks[0].state.next = self.initial.val();
        self.steps[0].state.next = self.initial.val();
        self.captures[0].key.next = self.no_key.val();
        for i in 1..self.word_count {
            self.looks[i].state.next = self.states[i - 1].q.val();
            self.steps[i].state.next = self.states[i - 1].q.val();
            self.captures[i].key.next = self.keys[i - 1].q.val();
        }
        self.finding.next = self.states[self.final_stage].q.val();
        self.key.next = self.keys[self.final_stage].q.val();
    }
}
