//! Top module of the host port: registers over Ethernet.

use super::{HostAccess, HostAnswer, HostDivert, HostHead, HostReader, ReplyMerge, RequestHandler};
use crate::bus::SECRET_BITS;
use crate::packet::FrameMemory;
use crate::prelude::*;
use bloomline_spec::host_port::{HostAddress, HostAuth, HOST_PAYLOAD_BYTES};

block! {
    /// Takes the frames to the card out of a stream, answers ARP and ping, and carries out what Etherbone packets ask for.
    ///
    /// ```text
    /// s_rx --> divert --> m_rx
    ///            v
    ///           [ ]
    ///            v
    ///   head, reader, memory --> handler --> access --> axil
    ///            v                 |
    ///          answer <------------+
    ///            v
    /// s_tx --> merge --> m_tx
    /// ```
    ///
    /// `docs/host-port.md` is the contract.
    /// `reset` is synchronous and active high.
    pub struct HostPort {
        about: About = About::new(
            "host_port",
            format!(
                "Registers over Ethernet: Etherbone at {a}.{b}.{c}.{d}, UDP port {}. Contract: host-port.md.",
                address.udp_port
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("synchronous, active high"),
        pub s_rx_tvalid: Wire<In> = Wire::default().doc("frames from the MAC"),
        pub s_rx_tready: Wire<Out>,
        pub s_rx_tdata: Bus<In> = Bus::new(8),
        pub s_rx_tlast: Wire<In>,
        pub s_rx_tuser: Wire<In> = Wire::default().doc("with tlast: the frame is bad"),
        pub m_rx_tvalid: Wire<Out> = Wire::default().doc("those that are not the card's, to the lane"),
        pub m_rx_tready: Wire<In>,
        pub m_rx_tdata: Bus<Out> = Bus::new(8),
        pub m_rx_tlast: Wire<Out>,
        pub m_rx_tuser: Wire<Out> = Wire::default().doc("with tlast: the frame is bad"),
        pub s_tx_tvalid: Wire<In> = Wire::default().doc("frames from the lane"),
        pub s_tx_tready: Wire<Out>,
        pub s_tx_tdata: Bus<In> = Bus::new(8),
        pub s_tx_tlast: Wire<In>,
        pub m_tx_tvalid: Wire<Out> = Wire::default().doc("those and answers, to the MAC"),
        pub m_tx_tready: Wire<In>,
        pub m_tx_tdata: Bus<Out> = Bus::new(8),
        pub m_tx_tlast: Wire<Out>,
        pub axil: Axil<Master> = Axil::port(bits).named(""),
        pub secret: Vec<Bus<In>> = (0..tagged).map(|_| Bus::new(SECRET_BITS).doc("secret of the tags")).collect(),
        pub locked: Vec<Wire<In>> = (0..tagged).map(|_| Wire::default().doc("there is none")).collect(),
        pub busy: Wire<Out> = Wire::default().doc("a frame is worked on"),
        pub frame_taken: Wire<Out> = Wire::default().doc("a frame is the card's"),
        pub frame_missed: Wire<Out> = Wire::default().doc("it came while one was worked on"),
        pub frame_refused: Wire<Out> = Wire::default().doc("nothing is done of one"),
        pub answer_sent: Wire<Out> = Wire::default().doc("an answer has left"),
        pub access_late: Wire<Out> = Wire::default().doc("an access had no response in time"),
        divert: HostDivert = HostDivert::new(address),
        head: HostHead = HostHead::new(address),
        reader: HostReader,
        payload: FrameMemory = FrameMemory::new(words, 32),
        handler: RequestHandler = RequestHandler::new(address, place),
        access: HostAccess = HostAccess::new(bits, tagged),
        answer: HostAnswer = HostAnswer::new(place),
        merge: ReplyMerge,
        beat_r: Flag = Flag::default().doc("a beat was taken"),
        data_r: Reg = Reg::new(8),
        last_r: Flag,
        user_r: Flag,
        to_card_r: Flag,
        to_all_r: Flag,
        taken_r: Flag,
        missed_r: Flag,
        refused_r: Flag,
        sent_r: Flag,
        late_r: Flag,
        put: Wire<Local> = Wire::default().doc("a word of the answer goes to the memory"),
        tagged: usize = tagged,
    }

    /// For the card of `address`, to registers at byte addresses of `bits` bits, for whom `auth` says.
    pub fn new(address: &HostAddress, auth: HostAuth, bits: usize) {
        let tagged = usize::from(auth == HostAuth::SipHash24);
        let words = HOST_PAYLOAD_BYTES / 4;
        let place = clog2(words);
        let [a, b, c, d] = address.ip;
    }
}

impl Logic for HostPort {
    #[hdl_gen]
    fn update(&mut self) {
        self.divert.reset.next = self.reset.val();
        self.reader.reset.next = self.reset.val();
        self.handler.reset.next = self.reset.val();
        self.access.reset.next = self.reset.val();
        self.answer.reset.next = self.reset.val();
        self.merge.reset.next = self.reset.val();

        comment!("frames from the MAC");
        self.divert.s_tvalid.next = self.s_rx_tvalid.val();
        self.s_rx_tready.next = self.divert.s_tready.val();
        self.divert.s_tdata.next = self.s_rx_tdata.val();
        self.divert.s_tlast.next = self.s_rx_tlast.val();
        self.divert.s_tuser.next = self.s_rx_tuser.val();
        self.m_rx_tvalid.next = self.divert.m_tvalid.val();
        self.divert.m_tready.next = self.m_rx_tready.val();
        self.m_rx_tdata.next = self.divert.m_tdata.val();
        self.m_rx_tlast.next = self.divert.m_tlast.val();
        self.m_rx_tuser.next = self.divert.m_tuser.val();
        self.reader.free.next = self.handler.free.val();
        self.beat_r.d.next = self.divert.beat.val() && !self.reset.val();
        self.data_r.d.next = self.s_rx_tdata.val();
        self.last_r.d.next = self.s_rx_tlast.val();
        self.user_r.d.next = self.s_rx_tuser.val();
        self.to_card_r.d.next = self.divert.to_card.val() && !self.reset.val();
        self.to_all_r.d.next = self.divert.to_all.val() && !self.reset.val();
        self.reader.beat.next = self.beat_r.q.val();
        self.reader.data.next = self.data_r.q.val();
        self.reader.last.next = self.last_r.q.val();
        self.reader.user.next = self.user_r.q.val();
        self.reader.to_card.next = self.to_card_r.q.val();
        self.reader.to_all.next = self.to_all_r.q.val();
        self.head.store.next = self.reader.store.val();
        self.head.byte.next = self.data_r.q.val();
        self.head.total.next = self.reader.total.val();

        comment!("what is known of one");
        self.handler.ended.next = self.reader.ended.val();
        self.handler.own.next = self.reader.own.val();
        self.handler.sound.next = self.reader.sound.val();
        self.handler.fits.next = self.reader.fits.val();
        self.handler.header_right.next = self.reader.header_right.val();
        self.handler.body_right.next = self.reader.body_right.val();
        self.handler.total.next = self.reader.total.val();
        self.handler.single.next = self.head.single.val();
        self.handler.arp.next = self.head.arp.val();
        self.handler.ip.next = self.head.ip.val();
        self.handler.echo.next = self.head.echo.val();
        self.handler.datagram.next = self.head.datagram.val();
        self.handler.unchecked.next = self.head.unchecked.val();
        self.handler.peer.next = self.head.peer.val();

        comment!("its payload, and that of the answer");
        self.put.next = self.handler.put.val();
        self.payload.write_enable.next = self.reader.write.val() || self.put.val();
        self.payload.write_address.next = self.reader.place.val();
        self.payload.write_data.next = bits_wide(self.reader.word.val(), 32);
        if self.put.val() {
            self.payload.write_address.next = self.handler.put_place.val();
            self.payload.write_data.next = bits_wide(self.handler.put_word.val(), 32);
        }
        self.payload.read_address.next = self.handler.place.val();
        if self.handler.answers.val() {
            self.payload.read_address.next = self.answer.place.val();
        }
        self.handler.payload.next = bits_to(self.payload.read_data.val(), 32);
        self.answer.payload.next = bits_to(self.payload.read_data.val(), 32);

        comment!("accesses");
        self.access.start.next = self.handler.start.val();
        self.access.write.next = self.handler.write.val();
        self.access.address.next = self.handler.address.val();
        self.access.word.next = self.handler.word.val();
        for t in 0..self.tagged {
            self.access.secret[t].next = self.secret[t].val();
            self.access.locked[t].next = self.locked[t].val();
        }
        self.handler.done.next = self.access.done.val();
        self.handler.late.next = self.access.late.val();
        self.handler.data.next = self.access.data.val();
        self.handler.stuck.next = self.access.stuck.val();
        self.axil.link(&mut self.access.axil);

        comment!("answers");
        self.head.answer.next = self.handler.answer.val();
        self.head.answer_arp.next = self.handler.answer_arp.val();
        self.head.answer_echo.next = self.handler.answer_echo.val();
        self.head.answer_total.next = self.handler.answer_total.val();
        self.head.answer_check.next = self.handler.answer_check.val();
        self.answer.start.next = self.handler.answer.val();
        self.answer.bytes.next = self.handler.answer_bytes.val();
        self.answer.packet.next = !self.handler.answer_arp.val() && !self.handler.answer_echo.val();
        self.answer.probe.next = self.handler.answer_probe.val();
        self.answer.reads.next = self.handler.answer_reads.val();
        self.answer.first.next = self.head.first.val();
        self.head.give.next = self.answer.give.val();
        self.handler.sent.next = self.answer.sent.val();
        self.merge.a_tvalid.next = self.answer.tvalid.val();
        self.answer.tready.next = self.merge.a_tready.val();
        self.merge.a_tdata.next = self.answer.tdata.val();
        self.merge.a_tlast.next = self.answer.tlast.val();
        self.merge.s_tvalid.next = self.s_tx_tvalid.val();
        self.s_tx_tready.next = self.merge.s_tready.val();
        self.merge.s_tdata.next = self.s_tx_tdata.val();
        self.merge.s_tlast.next = self.s_tx_tlast.val();
        self.m_tx_tvalid.next = self.merge.m_tvalid.val();
        self.merge.m_tready.next = self.m_tx_tready.val();
        self.m_tx_tdata.next = self.merge.m_tdata.val();
        self.m_tx_tlast.next = self.merge.m_tlast.val();

        comment!("events");
        self.busy.next = !self.handler.free.val();
        self.taken_r.d.next = self.to_card_r.q.val();
        self.missed_r.d.next = self.reader.missed.val();
        self.refused_r.d.next = self.handler.refused.val();
        self.sent_r.d.next = self.answer.sent.val();
        self.late_r.d.next = self.handler.missing.val();
        if self.reset.val() {
            self.taken_r.d.next = false;
            self.missed_r.d.next = false;
            self.refused_r.d.next = false;
            self.sent_r.d.next = false;
            self.late_r.d.next = false;
        }
        self.frame_taken.next = self.taken_r.q.val();
        self.frame_missed.next = self.missed_r.q.val();
        self.frame_refused.next = self.refused_r.q.val();
        self.answer_sent.next = self.sent_r.q.val();
        self.access_late.next = self.late_r.q.val();
    }
}
