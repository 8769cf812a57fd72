//! Beats that wait for the transmitter.

use crate::mac::frame_gate::WORD;
use crate::pipeline::QueueMemory;
use crate::prelude::*;
use bloomline_spec::mac::{MAC_BUFFER_BYTES, MAC_START_BYTES};

/// A FIFO that begins a frame when it is whole, or so far in that its source will not be overtaken.
///
/// Timing: `docs/mac.md`, "Transmit buffer".
#[derive(LogicBlock)]
pub struct TransmitBuffer {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub s_tvalid: Wire<In>,
    pub s_tready: Wire<Out>,
    pub s_tdata: Bus<In>,
    pub s_tlast: Wire<In>,
    pub s_tuser: Wire<In>,
    pub m_tvalid: Wire<Out>,
    pub m_tready: Wire<In>,
    pub m_tdata: Bus<Out>,
    pub m_tlast: Wire<Out>,
    pub m_tuser: Wire<Out>,
    beats: QueueMemory,
    write_place: ResetReg,
    read_place: ResetReg,
    level: ResetReg,
    ends: ResetReg,
    open: ResetFlag,
    storing: Wire<Local>,
    giving: Wire<Local>,
    head: Bus<Local>,
    any: Wire<Local>,
    enough: Wire<Local>,
    whole: Const,
    start: Const,
    _level: usize,
    _place: usize,
}

impl Default for TransmitBuffer {
    fn default() -> Self {
        let place = clog2(MAC_BUFFER_BYTES);
        let level = width_of(MAC_BUFFER_BYTES);
        Self {
            about: About::new(
                "transmit_buffer",
                format!("{MAC_BUFFER_BYTES} beats before the transmitter: a frame leaves when it is whole or {MAC_START_BYTES} beats of it are here."),
            ),
            clock: Default::default(),
            reset: Wire::default().doc("empty"),
            s_tvalid: Wire::default().doc("frames in"),
            s_tready: Default::default(),
            s_tdata: Bus::new(8),
            s_tlast: Default::default(),
            s_tuser: Wire::default().doc("with tlast: the frame is bad"),
            m_tvalid: Wire::default().doc("frames out, without a pause unless the source makes one"),
            m_tready: Default::default(),
            m_tdata: Bus::new(8),
            m_tlast: Default::default(),
            m_tuser: Default::default(),
            beats: QueueMemory::new(MAC_BUFFER_BYTES, WORD),
            write_place: ResetReg::new(place),
            read_place: ResetReg::new(place),
            level: ResetReg::new(level).doc("beats here"),
            ends: ResetReg::new(level).doc("ends of frames among them"),
            open: ResetFlag::default().doc("a frame has begun to leave"),
            storing: Default::default(),
            giving: Default::default(),
            head: Bus::new(WORD).doc("the oldest, {tuser, tlast, tdata}"),
            any: Default::default(),
            enough: Default::default(),
            whole: Const::new(MAC_BUFFER_BYTES as u128, level),
            start: Const::new(MAC_START_BYTES as u128, level),
            _level: level,
            _place: place,
        }
    }
}

impl Logic for TransmitBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            beats,
            write_place,
            read_place,
            level,
            ends,
            open
        );
        self.write_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.level.reset.next = self.reset.val();
        self.ends.reset.next = self.reset.val();
        self.open.reset.next = self.reset.val();

        self.s_tready.next = self.level.q.val() != self.whole.val();
        self.storing.next = self.s_tvalid.val() && self.s_tready.val();
        self.beats.write_enable.next = self.storing.val();
        self.beats.write_address.next = self.write_place.q.val();
        self.beats.write_data.next = (bits_of(self.s_tuser.val(), 10) << 9)
            | (bits_of(self.s_tlast.val(), 10) << 8)
            | bits_to(self.s_tdata.val(), 10);
        self.write_place.d.next =
            self.write_place.q.val() + bits_of(self.storing.val(), self._place);

        self.beats.read_address.next = self.read_place.q.val();
        self.head.next = self.beats.read_data.val();
        self.m_tdata.next = bits_to(self.head.val(), 8);
        self.m_tlast.next = self.head.val().get_bit(8);
        self.m_tuser.next = self.head.val().get_bit(9);
        self.any.next = self.level.q.val().any();
        self.enough.next = self.open.q.val()
            || self.ends.q.val().any()
            || (self.level.q.val() >= self.start.val());
        self.m_tvalid.next = self.any.val() && self.enough.val();
        self.giving.next = self.m_tvalid.val() && self.m_tready.val();
        self.read_place.d.next = self.read_place.q.val() + bits_of(self.giving.val(), self._place);
        self.open.d.next = self.open.q.val();
        if self.giving.val() {
            self.open.d.next = !self.head.val().get_bit(8);
        }
        self.level.d.next = self.level.q.val() + bits_of(self.storing.val(), self._level)
            - bits_of(self.giving.val(), self._level);
        self.ends.d.next = self.ends.q.val()
            + bits_of(self.storing.val() && self.s_tlast.val(), self._level)
            - bits_of(self.giving.val() && self.head.val().get_bit(8), self._level);
    }
}
