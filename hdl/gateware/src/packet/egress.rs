//! Reads frames out of the buffer and applies the policy of their class.

use super::descriptor::Descriptor;
use super::fields::PLACE_BITS;
use super::{Beat, Queue, WordPatch};
use crate::prelude::*;
use bloomline_spec::FrameClass;

/// Beats that may be on their way out of the buffer: more than the clocks from a read to the stream and back, so that a frame that has begun leaves without a gap.
const BEATS_OUT: usize = 16;

block! {
    /// Reads whole frames out of the buffer, one behind the other, by the policy of their class: passed, dropped (all its space at once), or marked.
    ///
    /// ```text
    ///                  read    +1    +2 (data)     +3
    /// frame, policy --> place --> patch --> patched --> queue --> m
    /// ```
    ///
    /// The policies are read a clock ahead of the class that chooses between them, and the class chooses a clock ahead of the frame's turn, so that its turn has only to obey: a frame
    /// meets the policy that stood in its register two clocks before. A mark changes the half that holds the DSCP (the second of the word the IP header begins with), and in IPv4 the
    /// checksum (the first of the third word behind that). `docs/packet.md`, "Policies".
    /// `reset` is synchronous and active high.
    pub struct Egress {
        about: About = About::new(
            "egress",
            "Frames out of the buffer by the policies of their classes: passed, dropped or marked. A frame that has begun leaves without a gap.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame"),
        pub frame_valid: Wire<In> = Wire::default().doc("the next frame's class is known"),
        pub frame: WideBus<In> = WideBus::<In>::new(descriptor.bits).doc("what is known of it"),
        pub take: Wire<Out> = Wire::default().doc("its turn has come"),
        pub follows: Wire<In> = Wire::default().doc("in the next clock the next frame is that of class_behind"),
        pub class_behind: Bus<In> = Bus::new(descriptor.class.width).doc("class of the frame after the oldest"),
        pub policy: Vec<Bus<In>> = (0..FrameClass::COUNT).map(|c| Bus::new(14).doc(format!("policy of class {c}"))).collect(),
        pub read: Bus<Out> = Bus::new(address + 1).doc("place that is read next; those before are free"),
        pub read_address: Bus<Out> = Bus::new(address).doc("beat to read"),
        pub read_data: WideBus<In> = WideBus::<In>::new(bits).doc("it, two clocks later"),
        pub m_tvalid: Wire<Out> = Wire::default().doc("frames"),
        pub m_tready: Wire<In>,
        pub m_tdata: WideBus<Out> = WideBus::<Out>::new(bits),
        pub m_tkeep: Bus<Out> = Bus::new(bytes),
        pub m_tlast: Wire<Out>,
        pub m_tuser: Bus<Out> = Bus::new(16).doc("bytes of the frame"),
        pub frame_taken: Vec<Wire<Out>> = (0..FrameClass::COUNT).map(|c| Wire::default().doc(format!("a frame of class {c} met its policy"))).collect(),
        pub dropped: Wire<Out> = Wire::default().doc("and was dropped"),
        pub marked: Wire<Out> = Wire::default().doc("and is marked"),
        end_in: WideSlice = part(descriptor.end),
        most_in: WideSlice = part(descriptor.most),
        class_in: WideSlice = part(descriptor.class),
        place_in: WideSlice = part(descriptor.ip_place),
        adjust_in: WideSlice = part(descriptor.adjust),
        bytes_in: WideSlice = part(descriptor.bytes),
        is_ip_bit: Const = descriptor.is_ip.place(),
        six_bit: Const = descriptor.six.place(),
        single_bit: Const = descriptor.single.place(),
        // the frame that is read
        busy: Flag = Flag::default().doc("a frame is read"),
        place: Reg = Reg::new(address + 1).doc("its next beat"),
        end: Reg = Reg::new(address + 1).doc("its last"),
        at_end: Flag = Flag::default().doc("a frame is read, and the two are the same"),
        behind: Reg = Reg::with_init(address + 1, 1).doc("the beat behind its next"),
        most: Reg = Reg::new(most).doc("last byte of that"),
        length: Reg = Reg::new(16).doc("bytes of the frame"),
        mark: Flag = Flag::default().doc("it is marked"),
        six: Flag,
        ip_place: Reg = Reg::new(WORD_PLACE_BITS).doc("word with the DSCP"),
        sum_place: Reg = Reg::new(WORD_PLACE_BITS).doc("word that begins with the checksum"),
        sum: Reg = Reg::new(17).doc("ones' complement sum that the new checksum is the complement of, before its end-around carry"),
        dscp: Reg = Reg::new(6),
        index: Reg = Reg::new(WORD_PLACE_BITS + 2).doc("beats of it that are read, as far as a mark may reach"),
        action_in: Vec<Slice> = (0..FrameClass::COUNT).map(|_| Slice::new(14, 0, 2)).collect(),
        dscp_in: Vec<Slice> = (0..FrameClass::COUNT).map(|_| Slice::new(14, 8, 6)).collect(),
        drop_by: Vec<Flag> = (0..FrameClass::COUNT).map(|c| Flag::default().doc(format!("the policy of class {c} drops"))).collect(),
        mark_by: Vec<Flag> = (0..FrameClass::COUNT).map(|c| Flag::default().doc(format!("that of class {c} marks"))).collect(),
        dscp_by: Vec<Reg> = (0..FrameClass::COUNT).map(|c| Reg::new(6).doc(format!("DSCP of its mark, class {c}"))).collect(),
        followed: Flag = Flag::default().doc("the oldest frame was class_behind's in the clock before"),
        oldest_drops: Flag = Flag::default().doc("policy of the class of frame, as of the clock before: drop"),
        oldest_marks: Flag = Flag::default().doc("mark"),
        oldest_dscp: Reg = Reg::new(6).doc("DSCP of the mark"),
        behind_drops: Flag = Flag::default().doc("policy of class_behind, as of the clock before: drop"),
        behind_marks: Flag = Flag::default().doc("mark"),
        behind_dscp: Reg = Reg::new(6).doc("DSCP of the mark"),
        dropping: Wire<Local> = Wire::default().doc("policy of the frame whose turn it is: drop"),
        marking: Wire<Local> = Wire::default().doc("mark"),
        mark_dscp: Bus<Local> = Bus::new(6).doc("DSCP of the mark"),
        takes: Wire<Local>,
        drops: Wire<Local>,
        marks: Wire<Local>,
        reads: Wire<Local>,
        ends: Wire<Local>,
        class_r: Reg = Reg::new(3),
        taken_r: Flag,
        dropped_r: Flag,
        marked_r: Flag,
        // a clock later: what changes in the beat
        new_checksum: Bus<Local> = Bus::new(16).doc("RFC 1624"),
        valid_1: Flag,
        last_1: Flag,
        most_1: Reg = Reg::new(most),
        length_1: Reg = Reg::new(16),
        head_here: Vec<Flag> = flags(lanes),
        sum_here: Vec<Flag> = flags(lanes),
        head_mask: Reg = Reg::new(16).doc("bits of the half that are the DSCP"),
        head_value: Reg = Reg::new(16),
        sum_value: Reg = Reg::new(16),
        byte_1: Reg = Reg::new(2).doc("byte of its word, at 8 bits"),
        patches: Vec<WordPatch> = (0..lanes).map(|l| WordPatch::new(l, lanes)).collect(),
        lane: Vec<Const> = (0..lanes).map(|l| Const::new(l as u128, WORD_PLACE_BITS)).collect(),
        lanes_shift: usize = lanes.ilog2() as usize,
        no_lanes: WideConst = WideConst::from_value(Wide::zero(32 * lanes)),
        first_word: Bus<Local> = Bus::new(WORD_PLACE_BITS).doc("number of the beat's first word"),
        byte_place: Bus<Local> = Bus::new(5),
        mask: WideBus<Local> = WideBus::<Local>::new(32 * lanes),
        value: WideBus<Local> = WideBus::<Local>::new(32 * lanes),
        // two clocks later: with the data
        valid_2: Flag,
        last_2: Flag,
        most_2: Reg = Reg::new(most),
        length_2: Reg = Reg::new(16),
        mask_2: WideReg = WideReg::new(bits),
        value_2: WideReg = WideReg::new(bits),
        // three clocks later: into the queue
        valid_3: Flag,
        beat_3: WideReg = WideReg::new(entry),
        out: Queue = Queue::new("egress_queue", "Beats on their way to the stream: last byte, last beat, bytes of the frame, data.", BEATS_OUT, entry),
        on_the_way: Reg = Reg::new(count).doc("beats that are read and not out of the queue's memory"),
        credit: Flag = Flag::with_init(true).doc("the queue has a place for one more"),
        after: Bus<Local> = Bus::new(count),
        keep: Bus<Local> = Bus::new(bytes),
        data_place: usize = most + 17,
        length_place: usize = most + 1,
        out_length: WideSlice = WideSlice::new(entry, most + 1, 16),
        out_most: WideSlice = WideSlice::new(entry, 0, most),
        last_bit: usize = most,
        drop_action: Const = Const::new(1, 2),
        mark_action: Const = Const::new(2, 2),
        ipv4_dscp: Const = Const::new(0x00FC, 16),
        ipv6_dscp: Const = Const::new(0x0FC0, 16),
        no_index: Const = Const::new(0, WORD_PLACE_BITS + 2),
        beyond: Const = Const::new(beat.parsed_beats() as u128, WORD_PLACE_BITS + 2),
        three: Const = Const::new(3, WORD_PLACE_BITS),
        nowhere: Const = Const::new(0, address + 1),
        second: Const = Const::new(1, address + 1),
        none_out: Const = Const::new(0, count),
        most_out: Const = Const::new(BEATS_OUT as u128 - 1, count).doc("beats on the way with which one more may follow in the next clock"),
        all: Const = Const::new(ones(most), most).doc("all bytes"),
        classes: usize = FrameClass::COUNT,
        address: usize = address,
        bits: usize = bits,
        entry: usize = entry,
        lanes: usize = lanes,
        bytewise: bool = bytewise > 0,
        wordwise: bool = bytewise == 0,
        bytes: usize = bytes,
        word_place: usize = WORD_PLACE_BITS,
    }

    /// For a buffer of `depth` beats, a power of two.
    pub fn new(beat: Beat, depth: usize) {
        let descriptor = Descriptor::new(beat, depth);
        let part = |field: super::fields::Field| field.of_wide(descriptor.bits);
        let (bits, bytes, most) = (beat.bits(), beat.bytes(), beat.most_bits());
        let address = clog2(depth);
        let bytewise = usize::from(bytes == 1);
        let lanes = bytes.div_ceil(4);
        let entry = bits + 16 + most + 1;
        let count = width_of(BEATS_OUT);
        let flags = |n: usize| (0..n).map(|_| Flag::default()).collect::<Vec<_>>();
    }
}

/// Bits of the number of a word that a mark changes.
const WORD_PLACE_BITS: usize = PLACE_BITS + 2;

impl Logic for Egress {
    #[hdl_gen]
    fn update(&mut self) {
        self.end_in.input.next = self.frame.val();
        self.most_in.input.next = self.frame.val();
        self.class_in.input.next = self.frame.val();
        self.place_in.input.next = self.frame.val();
        self.adjust_in.input.next = self.frame.val();
        self.bytes_in.input.next = self.frame.val();

        comment!("a frame's turn comes with the last read of the one before");
        self.reads.next = self.busy.q.val() && self.credit.q.val();
        self.ends.next = self.at_end.q.val() && self.credit.q.val();
        self.takes.next = self.frame_valid.val() && (!self.busy.q.val() || self.ends.val());
        self.take.next = self.takes.val();
        for c in 0..self.classes {
            self.action_in[c].input.next = self.policy[c].val();
            self.dscp_in[c].input.next = self.policy[c].val();
            self.drop_by[c].d.next = self.action_in[c].output.val() == self.drop_action.val();
            self.mark_by[c].d.next = self.action_in[c].output.val() == self.mark_action.val();
            self.dscp_by[c].d.next = self.dscp_in[c].output.val();
        }
        self.oldest_drops.d.next = self.drop_by[0].q.val();
        self.oldest_marks.d.next = self.mark_by[0].q.val();
        self.oldest_dscp.d.next = self.dscp_by[0].q.val();
        self.behind_drops.d.next = self.drop_by[0].q.val();
        self.behind_marks.d.next = self.mark_by[0].q.val();
        self.behind_dscp.d.next = self.dscp_by[0].q.val();
        for c in 1..self.classes {
            if self.class_in.output.val() == c {
                self.oldest_drops.d.next = self.drop_by[c].q.val();
                self.oldest_marks.d.next = self.mark_by[c].q.val();
                self.oldest_dscp.d.next = self.dscp_by[c].q.val();
            }
            if self.class_behind.val() == c {
                self.behind_drops.d.next = self.drop_by[c].q.val();
                self.behind_marks.d.next = self.mark_by[c].q.val();
                self.behind_dscp.d.next = self.dscp_by[c].q.val();
            }
        }
        self.followed.d.next = self.follows.val();
        self.dropping.next = self.oldest_drops.q.val();
        self.marking.next = self.oldest_marks.q.val();
        self.mark_dscp.next = self.oldest_dscp.q.val();
        if self.followed.q.val() {
            self.dropping.next = self.behind_drops.q.val();
            self.marking.next = self.behind_marks.q.val();
            self.mark_dscp.next = self.behind_dscp.q.val();
        }
        self.drops.next = self.takes.val() && self.dropping.val();
        self.marks.next = self.takes.val()
            && self.marking.val()
            && self.frame.val().get_bit(self.is_ip_bit.val());
        self.busy.d.next = self.busy.q.val() && !self.ends.val();
        self.place.d.next = self.place.q.val();
        self.index.d.next = self.index.q.val();
        self.end.d.next = self.end.q.val();
        self.most.d.next = self.most.q.val();
        self.length.d.next = self.length.q.val();
        self.mark.d.next = self.mark.q.val();
        self.six.d.next = self.six.q.val();
        self.ip_place.d.next = self.ip_place.q.val();
        self.sum_place.d.next = self.sum_place.q.val();
        self.sum.d.next = self.sum.q.val();
        self.dscp.d.next = self.dscp.q.val();
        self.behind.d.next = self.behind.q.val();
        self.at_end.d.next = self.at_end.q.val();
        if self.reads.val() {
            self.place.d.next = self.behind.q.val();
            self.behind.d.next = self.behind.q.val() + 1;
            self.at_end.d.next = !self.at_end.q.val() && (self.behind.q.val() == self.end.q.val());
            if self.index.q.val() != self.beyond.val() {
                self.index.d.next = self.index.q.val() + 1;
            }
        }
        if self.takes.val() {
            self.busy.d.next = !self.dropping.val();
            self.at_end.d.next =
                !self.dropping.val() && self.frame.val().get_bit(self.single_bit.val());
            self.index.d.next = self.no_index.val();
            self.end.d.next = self.end_in.output.val();
            self.most.d.next = self.most_in.output.val();
            self.length.d.next = self.bytes_in.output.val();
            self.mark.d.next = self.marks.val();
            self.six.d.next = self.frame.val().get_bit(self.six_bit.val());
            self.ip_place.d.next = bits_to(self.place_in.output.val(), self.word_place);
            self.sum_place.d.next =
                bits_to(self.place_in.output.val(), self.word_place) + self.three.val();
            self.sum.d.next =
                bits_to(self.adjust_in.output.val(), 17) + (bits_to(self.mark_dscp.val(), 17) << 2);
            self.dscp.d.next = self.mark_dscp.val();
        }
        if self.drops.val() {
            self.place.d.next = self.end_in.output.val() + 1;
            self.behind.d.next = self.end_in.output.val() + 2;
        }
        self.read.next = self.place.q.val();
        self.read_address.next = bits_to(self.place.q.val(), self.address);

        comment!("what the counters count");
        self.class_r.d.next = self.class_in.output.val();
        self.taken_r.d.next = self.takes.val();
        self.dropped_r.d.next = self.drops.val();
        self.marked_r.d.next = self.marks.val();
        for c in 0..self.classes {
            self.frame_taken[c].next = self.taken_r.q.val() && (self.class_r.q.val() == c);
        }
        self.dropped.next = self.dropped_r.q.val();
        self.marked.next = self.marked_r.q.val();

        comment!("the clock after a read: the mark, and the words of the beat that it changes");
        self.valid_1.d.next = self.reads.val();
        self.last_1.d.next = self.ends.val();
        self.length_1.d.next = self.length.q.val();
        self.most_1.d.next = self.all.val();
        if self.ends.val() {
            self.most_1.d.next = self.most.q.val();
        }
        self.head_mask.d.next = self.ipv4_dscp.val();
        self.head_value.d.next = bits_to(self.dscp.q.val(), 16) << 2;
        if self.six.q.val() {
            self.head_mask.d.next = self.ipv6_dscp.val();
            self.head_value.d.next = bits_to(self.dscp.q.val(), 16) << 6;
        }
        self.new_checksum.next =
            bits_to(self.sum.q.val(), 16) + bits_of(self.sum.q.val().get_bit(16), 16);
        self.sum_value.d.next = !self.new_checksum.val();
        self.byte_1.d.next = bits_to(self.index.q.val(), 2);
        if self.bytewise {
            self.first_word.next = bits_to(self.index.q.val() >> 2, self.word_place);
        }
        if self.wordwise {
            self.first_word.next = bits_to(self.index.q.val() << self.lanes_shift, self.word_place);
        }
        for l in 0..self.lanes {
            self.head_here[l].d.next = self.mark.q.val()
                && ((self.first_word.val() | self.lane[l].val()) == self.ip_place.q.val());
            self.sum_here[l].d.next = self.mark.q.val()
                && !self.six.q.val()
                && ((self.first_word.val() | self.lane[l].val()) == self.sum_place.q.val());
        }

        comment!("two clocks after it: the bits that change");
        self.mask.next = self.no_lanes.val();
        self.value.next = self.no_lanes.val();
        for l in 0..self.lanes {
            self.patches[l].head_here.next = self.head_here[l].q.val();
            self.patches[l].head_mask.next = self.head_mask.q.val();
            self.patches[l].head_value.next = self.head_value.q.val();
            self.patches[l].sum_here.next = self.sum_here[l].q.val();
            self.patches[l].sum_value.next = self.sum_value.q.val();
            self.mask.next = self.mask.val() | self.patches[l].mask.val();
            self.value.next = self.value.val() | self.patches[l].value.val();
        }
        self.byte_place.next = bits_to(self.byte_1.q.val(), 5) << 3;
        if self.bytewise {
            self.mask_2.d.next = bits_wide(self.mask.val() >> self.byte_place.val(), self.bits);
            self.value_2.d.next = bits_wide(self.value.val() >> self.byte_place.val(), self.bits);
        }
        if self.wordwise {
            self.mask_2.d.next = bits_wide(self.mask.val(), self.bits);
            self.value_2.d.next = bits_wide(self.value.val(), self.bits);
        }
        self.valid_2.d.next = self.valid_1.q.val();
        self.last_2.d.next = self.last_1.q.val();
        self.most_2.d.next = self.most_1.q.val();
        self.length_2.d.next = self.length_1.q.val();

        comment!("with the data");
        self.valid_3.d.next = self.valid_2.q.val();
        self.beat_3.d.next = (bits_wide(
            (self.read_data.val() & !self.mask_2.q.val()) | self.value_2.q.val(),
            self.entry,
        ) << self.data_place)
            | (bits_wide(bits_of(self.last_2.q.val(), 1), self.entry) << self.last_bit)
            | (bits_wide(self.length_2.q.val(), self.entry) << self.length_place)
            | bits_wide(self.most_2.q.val(), self.entry);
        self.out.reset.next = self.reset.val();
        self.out.push.next = self.valid_3.q.val();
        self.out.data_in.next = self.beat_3.q.val();
        self.out.take.next = self.m_tready.val();
        self.after.next = self.on_the_way.q.val();
        if self.reads.val() && !self.out.loads.val() {
            self.after.next = self.on_the_way.q.val() + 1;
        }
        if !self.reads.val() && self.out.loads.val() {
            self.after.next = self.on_the_way.q.val() - 1;
        }
        self.on_the_way.d.next = self.after.val();
        self.credit.d.next = self.after.val() <= self.most_out.val();

        comment!("the stream");
        self.out_most.input.next = self.out.data.val();
        self.out_length.input.next = self.out.data.val();
        self.m_tuser.next = self.out_length.output.val();
        self.m_tvalid.next = self.out.valid.val();
        self.m_tlast.next = self.out.data.val().get_bit(self.last_bit);
        self.m_tdata.next = bits_wide(self.out.data.val() >> self.data_place, self.bits);
        self.keep.next = bits_to(1, self.bytes);
        for i in 1..self.bytes {
            self.keep.next = self
                .keep
                .val()
                .replace_bit(i, self.out_most.output.val() >= i);
        }
        self.m_tkeep.next = self.keep.val();

        if self.reset.val() {
            self.busy.d.next = false;
            self.at_end.d.next = false;
            self.place.d.next = self.nowhere.val();
            self.behind.d.next = self.second.val();
            self.taken_r.d.next = false;
            self.dropped_r.d.next = false;
            self.marked_r.d.next = false;
            self.valid_1.d.next = false;
            self.valid_2.d.next = false;
            self.valid_3.d.next = false;
            self.on_the_way.d.next = self.none_out.val();
            self.credit.d.next = true;
        }
    }
}
