//! Parser for data paths of 64 bits: a pipeline that takes two words a clock.

use super::fields::{header, state, FIRST_PLACE, HEADER_WORDS, LAST_PLACE, PLACE_BITS, RING};
use super::{
    Beat, BeatDelay, ExtensionStage, FindingStage, HeaderStage, KeyLayout, LinkStage, ReachStage,
    WordClass, WordFeed,
};
use crate::prelude::*;

/// Clocks from a beat to what was found up to it: a register a stage.
pub(super) const PAIR_PARSER_CLOCKS: usize = 7;
/// Words of a beat.
const LANES: usize = 2;

block! {
    /// Parses each frame, two words a clock, one stage for each layer. Beats come out seven clocks later, with what was found up to them.
    ///
    /// ```text
    /// clock   1              2             3             4               5                  6                7
    /// beat -> WordFeed ----> WordClass --> LinkStage --> HeaderStage --> ExtensionStage --> ReachStage ----> FindingStage --> finding, key
    ///         words          flags         types, tags,  words of the    headers behind     length of the    fields
    ///                        of a word     labels        IP header       it, ports          one that begins
    /// ```
    ///
    /// Words pass through beside the stages. A stage holds only what its own layer needs from beat to beat, and marks for the next ones what begins in a beat, so none of them has more
    /// than one step of a decision in its loop. `docs/packet.md`, "What a frame is to the parser".
    /// `reset` is synchronous and active high.
    pub struct PairParser {
        about: About = About::new(
            "pair_parser",
            format!("Parses each frame, two words a clock, a stage for each layer. What was found up to a beat comes {PAIR_PARSER_CLOCKS} clocks after it."),
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
        beats: BeatDelay = BeatDelay::new(beat, PAIR_PARSER_CLOCKS),
        feed: WordFeed = WordFeed::new(beat),
        class: Vec<WordClass> = (0..LANES).map(|_| Default::default()).collect(),
        link: LinkStage,
        ip: HeaderStage,
        extension: ExtensionStage,
        reach: ReachStage,
        end: FindingStage = FindingStage::new(layout),
        valid_r: Vec<Flag> = (0..STAGES).map(|_| Flag::default()).collect(),
        last_r: Vec<Flag> = (0..STAGES).map(|_| Flag::default()).collect(),
        type_here: Flag = Flag::default().doc("the second word holds the type of the frame"),
        // beside the stages; the number is that of the clock
        place_5: Delay = Delay::new(PLACE_BITS, 4),
        deepest_6: FlagDelay = FlagDelay::new(5),
        no_ip_6: FlagDelay = FlagDelay::new(3),
        unfit_6: FlagDelay = FlagDelay::new(2),
        six_5: FlagDelay = FlagDelay::new(1),
        six_6: FlagDelay = FlagDelay::new(1),
        waits_6: FlagDelay = FlagDelay::new(1),
        malformed_6: FlagDelay = FlagDelay::new(1),
        word_3: Vec<Delay> = delays(32, 2),
        word_5: Vec<Delay> = delays(32, 2),
        word_6: Vec<Delay> = delays(32, 1),
        whole_2: Vec<FlagDelay> = flags(1),
        whole_3: Vec<FlagDelay> = flags(1),
        whole_4: Vec<FlagDelay> = flags(1),
        fragment_4_3: Vec<FlagDelay> = flags(1),
        fragment_6_4: Vec<FlagDelay> = flags(2),
        middle_3: Vec<Delay> = delays(header::BITS, 1),
        low_3: Vec<Delay> = delays(header::BITS, 1),
        high_4: Vec<Delay> = delays(header::BITS, 2),
        size_4: Vec<Reg> = (0..LANES).map(|_| Reg::new(RING)).collect(),
        number_5: Vec<Delay> = delays(HEADER_WORDS, 1),
        number_6: Vec<Delay> = delays(HEADER_WORDS, 1),
        header_6: Vec<FlagDelay> = flags(1),
        ports_6: Vec<FlagDelay> = flags(1),
        first_size: Const = Const::new(1, RING),
        type_place: Const = Const::new(FIRST_PLACE as u128, PLACE_BITS),
        last_place: Const = Const::new(LAST_PLACE as u128, PLACE_BITS),
        no_zeroes: Const = Const::new(0, beat.bytes()),
        first_four: Const = Const::new(0b11, beat.bytes()).doc("bytes 2 and 3 of the first word, the beat's first"),
        first_six: Const = Const::new(0b10, beat.bytes()),
        second_four: Const = Const::new(0b11_0100, beat.bytes()).doc("bytes 0, 2 and 3 of the second word"),
        second_six: Const = Const::new(0b10_0000, beat.bytes()),
        lanes: usize = LANES,
        stages: usize = STAGES,
    }

    /// For beats of 64 bits and keys of `layout`.
    pub fn new(beat: Beat, layout: &KeyLayout) {
        const STAGES: usize = PAIR_PARSER_CLOCKS - 1;
        let delays = |bits: usize, clocks: usize| -> Vec<Delay> {
            (0..LANES).map(|_| Delay::new(bits, clocks)).collect()
        };
        let flags = |clocks: usize| -> Vec<FlagDelay> {
            (0..LANES).map(|_| FlagDelay::new(clocks)).collect()
        };
    }
}

impl Logic for PairParser {
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

        comment!("flags of the words");
        self.type_here.d.next =
            self.feed.whole[1].val() && (self.feed.place[1].val() == self.type_place.val());
        self.deepest_6.d.next =
            self.feed.whole[1].val() && (self.feed.place[1].val() == self.last_place.val());
        self.place_5.d.next = self.feed.place[1].val();
        for i in 0..self.lanes {
            self.class[i].word.next = self.feed.word[i].val();
            self.word_3[i].d.next = self.feed.word[i].val();
            self.word_5[i].d.next = self.word_3[i].q.val();
            self.word_6[i].d.next = self.word_5[i].q.val();
            self.whole_2[i].d.next = self.feed.whole[i].val();
            self.whole_3[i].d.next = self.whole_2[i].q.val();
            self.whole_4[i].d.next = self.whole_3[i].q.val();
        }

        comment!("types, tags and labels");
        self.link.reset.next = self.reset.val();
        self.link.valid.next = self.valid_r[1].q.val();
        self.link.last.next = self.last_r[1].q.val();
        self.link.type_here.next = self.type_here.q.val();
        for i in 0..self.lanes {
            self.link.whole[i].next = self.whole_2[i].q.val();
            self.link.tag[i].next = self.class[i].tag.val();
            self.link.label[i].next = self.class[i].label.val();
            self.link.ipv4[i].next = self.class[i].ipv4.val();
            self.link.ipv6[i].next = self.class[i].ipv6.val();
            self.link.bottom[i].next = self.class[i].bottom.val();
            self.link.is_4[i].next = self.class[i].is_4.val();
            self.link.is_6[i].next = self.class[i].is_6.val();
            self.link.fits_4[i].next = self.class[i].fits_4.val();
        }
        self.no_ip_6.d.next = self.link.no_ip.val();

        comment!("the IP header");
        self.ip.reset.next = self.reset.val();
        self.ip.valid.next = self.valid_r[2].q.val();
        self.ip.last.next = self.last_r[2].q.val();
        self.ip.six.next = self.link.six.val();
        self.ip.fits.next = self.link.fits.val();
        for i in 0..self.lanes {
            self.fragment_4_3[i].d.next = self.class[i].fragment_4.val();
            self.middle_3[i].d.next = self.class[i].middle.val();
            self.low_3[i].d.next = self.class[i].low.val();
            self.ip.begins[i].next = self.link.begins[i].val();
            self.ip.whole[i].next = self.whole_3[i].q.val();
            self.ip.header_words[i].next = bits_to(self.word_3[i].q.val() >> 24, 4);
            self.ip.fragment_4[i].next = self.fragment_4_3[i].q.val();
            self.ip.middle[i].next = self.middle_3[i].q.val();
            self.ip.low[i].next = self.low_3[i].q.val();
        }
        self.unfit_6.d.next = self.ip.unfit.val();

        comment!("extensions and ports");
        self.extension.reset.next = self.reset.val();
        self.extension.valid.next = self.valid_r[3].q.val();
        self.extension.last.next = self.last_r[3].q.val();
        self.extension.begins.next =
            self.ip.number[0].val().get_bit(0) || self.ip.number[1].val().get_bit(0);
        self.extension.reach.next = self.ip.reach.val();
        self.extension.known.next = self.ip.known.val();
        self.extension.options.next = self.ip.options.val();
        self.extension.authentication.next = self.ip.authentication.val();
        self.extension.fragment.next = self.ip.fragment.val();
        self.extension.ports.next = self.ip.ports.val();
        self.extension.six.next = self.ip.version_6.val();
        for i in 0..self.lanes {
            self.size_4[i].d.next =
                self.first_size.val() << bits_to(self.word_3[i].q.val() >> 16, 8);
            self.fragment_6_4[i].d.next = self.class[i].fragment_6.val();
            self.high_4[i].d.next = self.class[i].high.val();
            self.extension.whole[i].next = self.whole_4[i].q.val();
            self.extension.size[i].next = self.size_4[i].q.val();
            self.extension.high[i].next = self.high_4[i].q.val();
            self.extension.fragment_6[i].next = self.fragment_6_4[i].q.val();
        }
        self.waits_6.d.next = self.extension.waits.val();
        self.malformed_6.d.next = self.extension.malformed.val();

        comment!("length of the header that begins");
        self.six_5.d.next = self.ip.version_6.val();
        self.six_6.d.next = self.six_5.q.val();
        self.reach.place.next = self.place_5.q.val();
        self.reach.six.next = self.six_5.q.val();
        for i in 0..self.lanes {
            self.number_5[i].d.next = self.ip.number[i].val();
            self.number_6[i].d.next = self.number_5[i].q.val();
            self.reach.word[i].next = self.word_5[i].q.val();
            self.reach.begins[i].next = self.number_5[i].q.val().get_bit(0);
            self.reach.options[i].next = self.extension.at_options[i].val();
            self.reach.authentication[i].next = self.extension.at_authentication[i].val();
            self.reach.fragment[i].next = self.extension.at_fragment[i].val();
            self.reach.ports[i].next = self.extension.at_ports[i].val();
        }

        comment!("fields, key and end");
        self.end.reset.next = self.reset.val();
        self.end.valid.next = self.valid_r[5].q.val();
        self.end.last.next = self.last_r[5].q.val();
        self.end.six.next = self.six_6.q.val();
        self.end.steps.next = self.reach.steps.val();
        self.end.from.next = self.reach.from.val();
        self.end.words.next = self.reach.words.val();
        self.end.no_ip.next = self.no_ip_6.q.val();
        self.end.unfit.next = self.unfit_6.q.val();
        self.end.waits.next = self.waits_6.q.val();
        self.end.malformed.next = self.malformed_6.q.val();
        self.end.deepest.next = self.deepest_6.q.val();
        for i in 0..self.lanes {
            self.header_6[i].d.next = self.extension.at_options[i].val()
                || self.extension.at_authentication[i].val()
                || self.extension.at_fragment[i].val();
            self.ports_6[i].d.next = self.extension.at_ports[i].val();
            self.end.word[i].next = self.word_6[i].q.val();
            self.end.number[i].next = self.number_6[i].q.val();
            self.end.header[i].next = self.header_6[i].q.val();
            self.end.ports[i].next = self.ports_6[i].q.val();
        }
        self.finding.next = self.end.finding.val();
        self.key.next = self.end.key.val();

        comment!("bytes that change from hop to hop: TTL, checksum and hop limit are bytes 0, 2 and 3 of their words");
        self.zeroes.next = self.no_zeroes.val();
        if self.end.hops_4[0].val() {
            self.zeroes.next = self.first_four.val();
        }
        if self.end.hops_6[0].val() {
            self.zeroes.next = self.first_six.val();
        }
        if self.end.hops_4[1].val() {
            self.zeroes.next = self.second_four.val();
        }
        if self.end.hops_6[1].val() {
            self.zeroes.next = self.second_six.val();
        }
        self.before.next = self.end.hops_4[0].val();

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
    }
}
