//! Transmit FIFO of an Ethernet port, with an output register.

use crate::bus::SmallMemory;
use crate::prelude::*;
use bloomline_spec::mac::{MAC_BUFFER_BYTES, MAC_START_BYTES, MAC_WORD_BITS};

block! {
    /// A FIFO that begins a frame when it is whole, or so far in that its source will not be overtaken.
    ///
    /// The oldest beat lies in a register, the others in the memory behind it.
    ///
    /// Timing: `docs/mac.md`, "Transmit buffer".
    /// `reset` is synchronous and active high.
    pub struct TransmitBuffer {
        about: About = About::new(
            "transmit_buffer",
            format!("{MAC_BUFFER_BYTES} beats before the transmitter: a frame leaves when it is whole or {MAC_START_BYTES} beats of it are here."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty"),
        pub s_tvalid: Wire<In> = Wire::default().doc("frames in"),
        pub s_tready: Wire<Out> = Wire::default().doc("0 from the second clock of a reset to the clock after its last"),
        pub s_tdata: Bus<In> = Bus::new(8),
        pub s_tlast: Wire<In>,
        pub s_tuser: Wire<In> = Wire::default().doc("with tlast: the frame is bad"),
        pub m_tvalid: Wire<Out> = Wire::default().doc("frames out, without a pause unless the source makes one"),
        pub m_tready: Wire<In>,
        pub m_tdata: Bus<Out> = Bus::new(8),
        pub m_tlast: Wire<Out>,
        pub m_tuser: Wire<Out>,
        beats: SmallMemory = SmallMemory::new("queue_memory", MAC_BUFFER_BYTES, MAC_WORD_BITS),
        write_place: ResetReg = ResetReg::new(place),
        read_place: ResetReg = ResetReg::new(place),
        level: ResetReg = ResetReg::new(level).doc("beats here"),
        ends: ResetReg = ResetReg::new(level).doc("ends of frames among them"),
        any: ResetFlag = ResetFlag::default().doc("level is not 0"),
        alone: ResetFlag = ResetFlag::default().doc("level is 1: no beat is behind the oldest"),
        room: ResetFlag = ResetFlag::default().doc("level is not the most, and there was no reset in the clock before"),
        started: ResetFlag = ResetFlag::default().doc("level is so high that a frame may begin"),
        ending: ResetFlag = ResetFlag::default().doc("ends is not 0"),
        open: ResetFlag = ResetFlag::default().doc("a frame has begun to leave"),
        head: Reg = Reg::new(MAC_WORD_BITS).doc("the oldest, {tuser, tlast, tdata}"),
        word: Bus<Local> = Bus::new(MAC_WORD_BITS).doc("the one that comes"),
        storing: Wire<Local>,
        giving: Wire<Local>,
        more: Wire<Local> = Wire::default().doc("level rises by one"),
        fewer: Wire<Local> = Wire::default().doc("level falls by one"),
        end_in: Wire<Local> = Wire::default().doc("the end of a frame comes"),
        end_out: Wire<Local> = Wire::default().doc("one leaves"),
        to_head: Wire<Local> = Wire::default().doc("the one that comes is the oldest next"),
        enough: Wire<Local>,
        below_whole: Const = Const::new(MAC_BUFFER_BYTES as u128 - 1, level),
        start: Const = Const::new(MAC_START_BYTES as u128, level),
        below_start: Const = Const::new(MAC_START_BYTES as u128 - 1, level),
    }

    fn default() {
        let place = clog2(MAC_BUFFER_BYTES);
        let level = width_of(MAC_BUFFER_BYTES);
    }
}

impl Logic for TransmitBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.write_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.level.reset.next = self.reset.val();
        self.ends.reset.next = self.reset.val();
        self.any.reset.next = self.reset.val();
        self.alone.reset.next = self.reset.val();
        self.room.reset.next = self.reset.val();
        self.started.reset.next = self.reset.val();
        self.ending.reset.next = self.reset.val();
        self.open.reset.next = self.reset.val();

        comment!("what the transmitter sees");
        self.m_tdata.next = bits_to(self.head.q.val(), 8);
        self.m_tlast.next = self.head.q.val().get_bit(8);
        self.m_tuser.next = self.head.q.val().get_bit(9);
        self.enough.next = self.open.q.val() || self.ending.q.val() || self.started.q.val();
        self.m_tvalid.next = self.any.q.val() && self.enough.val();
        self.giving.next = self.m_tvalid.val() && self.m_tready.val();

        comment!("the oldest beat, and those behind it");
        self.s_tready.next = self.room.q.val();
        self.storing.next = self.s_tvalid.val() && self.s_tready.val();
        self.to_head.next = !self.any.q.val() || (self.alone.q.val() && self.giving.val());
        self.word.next = (bits_of(self.s_tuser.val(), 10) << 9)
            | (bits_of(self.s_tlast.val(), 10) << 8)
            | bits_to(self.s_tdata.val(), 10);
        comment!("written in every clock: the place is free, and nobody reads it before a beat is stored there");
        self.beats.write_enable.next = true;
        self.beats.write_address.next = self.write_place.q.val();
        self.beats.write_data.next = self.word.val();
        self.write_place.d.next = self.write_place.q.val();
        if self.storing.val() && !self.to_head.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        self.beats.read_address.next = self.read_place.q.val();
        self.read_place.d.next = self.read_place.q.val();
        if self.giving.val() && !self.alone.q.val() {
            self.read_place.d.next = self.read_place.q.val() + 1;
        }
        self.head.d.next = self.head.q.val();
        if self.giving.val() {
            self.head.d.next = self.beats.read_data.val();
        }
        if self.to_head.val() {
            self.head.d.next = self.word.val();
        }

        self.open.d.next = self.open.q.val();
        if self.giving.val() {
            self.open.d.next = !self.head.q.val().get_bit(8);
        }
        self.end_in.next = self.storing.val() && self.s_tlast.val();
        self.end_out.next = self.giving.val() && self.head.q.val().get_bit(8);
        self.ends.d.next = self.ends.q.val();
        if self.end_in.val() && !self.end_out.val() {
            self.ends.d.next = self.ends.q.val() + 1;
        }
        if self.end_out.val() && !self.end_in.val() {
            self.ends.d.next = self.ends.q.val() - 1;
        }

        comment!("what the counts will be");
        self.more.next = self.storing.val() && !self.giving.val();
        self.fewer.next = self.giving.val() && !self.storing.val();
        self.level.d.next = self.level.q.val();
        if self.more.val() {
            self.level.d.next = self.level.q.val() + 1;
        }
        if self.fewer.val() {
            self.level.d.next = self.level.q.val() - 1;
        }
        self.any.d.next =
            self.more.val() || (self.any.q.val() && !(self.alone.q.val() && self.fewer.val()));
        self.alone.d.next = (self.alone.q.val() && !self.more.val() && !self.fewer.val())
            || (!self.any.q.val() && self.more.val())
            || ((self.level.q.val() == 2) && self.fewer.val());
        self.room.d.next = (self.room.q.val() || !self.any.q.val() || self.fewer.val())
            && !((self.level.q.val() == self.below_whole.val()) && self.more.val());
        self.started.d.next = (self.started.q.val()
            && !((self.level.q.val() == self.start.val()) && self.fewer.val()))
            || ((self.level.q.val() == self.below_start.val()) && self.more.val());
        self.ending.d.next = (self.end_in.val() && !self.end_out.val())
            || (self.ending.q.val()
                && !((self.ends.q.val() == 1) && self.end_out.val() && !self.end_in.val()));
    }
}
