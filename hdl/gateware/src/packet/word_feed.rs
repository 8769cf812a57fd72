//! Converts beats to the 32-bit words that the parser reads.

use super::fields::PLACE_BITS;
use super::{Beat, NetworkOrder};
use crate::prelude::*;

block! {
    /// The words that a beat completes: of a byte one in four, of eight bytes two, which begin two bytes before the beat and two behind its begin.
    ///
    /// ```text
    /// 8 bits                  64 bits
    /// .. b-3 b-2 b-1 | b      .. b-2 b-1 | b b+1 b+2 b+3 b+4 b+5 b+6 b+7
    ///    `--- word 0 --'         `- word 0 ---'  `---- word 1 ---'
    /// ```
    ///
    /// Outputs are registers: words of a beat in the clock after it. `docs/packet.md`, "What a frame is to the parser".
    /// `reset` is synchronous and active high.
    pub struct WordFeed {
        about: About = About::new(
            "word_feed",
            "Beats to words of four bytes that begin two bytes behind a multiple of four; a beat's words come in the next clock.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub data: WideBus<In> = WideBus::<In>::new(beat.bits()),
        pub most: Bus<In> = Bus::new(beat.most_bits()).doc("its last valid byte"),
        pub word: Vec<Bus<Out>> = (0..words).map(|_| Bus::new(32).doc("first byte highest")).collect(),
        pub place: Vec<Bus<Out>> = (0..words).map(|_| Bus::new(PLACE_BITS).doc("number of the word")).collect(),
        pub second: Vec<Bus<Out>> = (0..bytewise).map(|_| Bus::new(PLACE_BITS + 1).doc("number of the word behind the next one")).collect(),
        pub whole: Vec<Wire<Out>> = (0..words).map(|_| Wire::default().doc("the frame has it, and the parser may read it")).collect(),
        order: Vec<NetworkOrder> = (0..words).map(|_| Default::default()).collect(),
        word_r: Vec<Reg> = (0..words).map(|_| Reg::new(32)).collect(),
        place_r: Vec<Reg> = (0..words).map(|_| Reg::new(PLACE_BITS)).collect(),
        second_r: Vec<Reg> = (0..bytewise).map(|_| Reg::new(PLACE_BITS + 1)).collect(),
        whole_r: Vec<Flag> = (0..words).map(|_| Flag::default()).collect(),
        bytes: Vec<WideSlice> = (0..words).map(|i| WideSlice::new(joined, 32 * i, 32)).collect(),
        tail: WideReg = WideReg::new(tail).doc("last bytes of the beats before"),
        index: Reg = Reg::new(index).doc("beats of this frame before, as far as the parser reads"),
        past: Flag = Flag::default().doc("the parser reads no further"),
        joined: WideBus<Local> = WideBus::<Local>::new(joined),
        first_index: Const = Const::new(0, index),
        last_index: Const = Const::new(beat.parsed_beats() as u128 - 1, index).doc("the last beat that the parser may read"),
        beat_bits: usize = beat.bits(),
        back: Const = Const::new(1, PLACE_BITS),
        whole_from: Vec<Const> = (0..words).map(|i| Const::new(4 * i as u128 + 1, beat.most_bits().max(3))).collect(),
        words: usize = words,
        bytewise: bool = bytewise == 1,
        wordwise: bool = bytewise == 0,
        tail_bits: usize = tail,
        joined_bits: usize = joined,
        place_count: usize = PLACE_BITS,
    }

    /// For beats of 8 or 64 bits.
    pub fn new(beat: Beat) {
        let words = beat.words();
        let bytewise = usize::from(beat.bytes() == 1);
        let tail = if bytewise == 1 { 24 } else { 16 };
        let joined = tail + beat.bits();
        let index = beat.index_bits();
    }
}

impl Logic for WordFeed {
    #[hdl_gen]
    fn update(&mut self) {
        self.joined.next = bits_wide(self.tail.q.val(), self.joined_bits)
            | (bits_wide(self.data.val(), self.joined_bits) << self.tail_bits);
        self.tail.d.next = self.tail.q.val();
        self.index.d.next = self.index.q.val();
        self.past.d.next = self.past.q.val();
        if self.valid.val() {
            self.tail.d.next = bits_wide(self.joined.val() >> self.beat_bits, self.tail_bits);
            if !self.past.q.val() {
                self.index.d.next = self.index.q.val() + 1;
                self.past.d.next = self.index.q.val() == self.last_index.val();
            }
            if self.last.val() {
                self.index.d.next = self.first_index.val();
                self.past.d.next = false;
            }
        }
        for i in 0..self.words {
            self.bytes[i].input.next = self.joined.val();
            self.order[i].bytes.next = self.bytes[i].output.val();
            self.word_r[i].d.next = self.order[i].word.val();
            self.word[i].next = self.word_r[i].q.val();
            self.place[i].next = self.place_r[i].q.val();
            self.whole[i].next = self.whole_r[i].q.val();
        }
        if self.bytewise {
            comment!("byte 4 place + 5 completes a word");
            self.place_r[0].d.next = bits_to(self.index.q.val() >> 2, 5) - self.back.val();
            self.second_r[0].d.next = bits_to(self.index.q.val() >> 2, 6) + 1;
            self.second[0].next = self.second_r[0].q.val();
            self.whole_r[0].d.next = self.valid.val()
                && (bits_to(self.index.q.val(), 2) == 1)
                && (self.index.q.val() > 1)
                && !self.past.q.val();
        }
        if self.wordwise {
            comment!("beat n completes words 2 n - 1 and 2 n, if the frame does not end before");
            self.place_r[0].d.next = (bits_to(self.index.q.val(), 5) << 1) - self.back.val();
            self.whole_r[0].d.next = self.valid.val()
                && self.index.q.val().any()
                && !self.past.q.val()
                && (self.most.val() >= self.whole_from[0].val());
            self.place_r[1].d.next = bits_to(self.index.q.val(), 5) << 1;
            self.whole_r[1].d.next = self.valid.val()
                && !self.past.q.val()
                && (self.most.val() >= self.whole_from[1].val());
        }
        if self.reset.val() {
            self.index.d.next = self.first_index.val();
            self.past.d.next = false;
            for i in 0..self.words {
                self.whole_r[i].d.next = false;
            }
        }
    }
}
