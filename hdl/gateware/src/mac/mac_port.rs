//! Ethernet port: from RGMII pins to frame streams and back.

use crate::mac::{
    AsyncFifo, FrameGate, MacCounter, MacReceiver, MacTransmitter, ResetCrossing, RgmiiInput,
    RgmiiOutput, Synchroniser, TransmitBuffer,
};
use crate::prelude::*;
use bloomline_spec::mac::{MAC_FIFO_WORDS, MAC_WORD_BITS};

block! {
    /// A gigabit port on RGMII, with its frames as streams of the card's clock.
    ///
    /// ```text
    /// rgmii --> input --> receiver --> gate --> FIFO --> m_frame
    /// rgmii <-- output <-- transmitter <-- buffer <---- s_frame
    /// ```
    ///
    /// `docs/mac.md` is the contract of every block on every clock.
    /// `hold` is an asynchronous reset, active high; every clock domain gets it synchronised.
    pub struct MacPort {
        about: About = About::new(
            "mac_port",
            "A gigabit Ethernet port on RGMII. Contract: mac.md.",
        ),
        pub clock: Signal<In, Clock>,
        pub hold: Wire<In> = Wire::default().doc("reset, of any clock or none"),
        pub reset: Wire<Out> = Wire::default().doc("the same in clock, for what the streams are connected to"),
        pub rgmii_rx_clock: Signal<In, Clock>,
        pub rgmii_rx_control: Wire<In>,
        pub rgmii_rx_data: Bus<In> = Bus::new(4),
        pub rgmii_tx_clock: Wire<Out>,
        pub rgmii_tx_control: Wire<Out>,
        pub rgmii_tx_data: Bus<Out> = Bus::new(4),
        pub m_frame_tvalid: Wire<Out> = Wire::default().doc("frames from the line"),
        pub m_frame_tready: Wire<In>,
        pub m_frame_tdata: Bus<Out> = Bus::new(8),
        pub m_frame_tlast: Wire<Out>,
        pub m_frame_tuser: Wire<Out> = Wire::default().doc("with tlast: the frame is bad"),
        pub s_frame_tvalid: Wire<In> = Wire::default().doc("frames to the line"),
        pub s_frame_tready: Wire<Out>,
        pub s_frame_tdata: Bus<In> = Bus::new(8),
        pub s_frame_tlast: Wire<In>,
        pub s_frame_tuser: Wire<In> = Wire::default().doc("with tlast: end the frame as bad"),
        pub link_up: Wire<Out> = Wire::default().doc("the PHY tells of a link"),
        pub link_speed: Bus<Out> = Bus::new(2).doc("0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s"),
        pub link_full_duplex: Wire<Out>,
        pub frames_good: Bus<Out> = Bus::new(64).doc("frames received that were good"),
        pub frames_bad_fcs: Bus<Out> = Bus::new(64).doc("with a wrong FCS"),
        pub frames_runt: Bus<Out> = Bus::new(64).doc("too short"),
        pub frames_error: Bus<Out> = Bus::new(64).doc("with an error from the PHY"),
        pub overflows: Bus<Out> = Bus::new(64).doc("frames that met a full FIFO"),
        pub frames_sent: Bus<Out> = Bus::new(64).doc("frames sent"),
        pub frames_broken: Bus<Out> = Bus::new(64).doc("frames sent as bad"),
        pub underruns: Bus<Out> = Bus::new(64).doc("of those, for want of bytes"),
        pins_in: RgmiiInput,
        receiver: MacReceiver,
        gate: FrameGate,
        fifo: AsyncFifo = AsyncFifo::new(MAC_FIFO_WORDS, MAC_WORD_BITS),
        buffer: TransmitBuffer,
        transmitter: MacTransmitter,
        pins_out: RgmiiOutput,
        rx_reset: ResetCrossing,
        card_reset: ResetCrossing,
        link: Synchroniser = Synchroniser::new(4),
        good: MacCounter,
        bad_fcs: MacCounter,
        runt: MacCounter,
        error: MacCounter,
        overflow: MacCounter,
        sent: MacCounter,
        broken: MacCounter,
        underrun: MacCounter,
    }
}

impl Logic for MacPort {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, rgmii_rx_clock, receiver, gate, rx_reset);
        self.rx_reset.hold.next = self.hold.val();
        self.card_reset.hold.next = self.hold.val() || self.rx_reset.holding.val();
        self.reset.next = self.card_reset.reset.val();

        comment!("from the line");
        self.pins_in.rgmii_rx_clock.next = self.rgmii_rx_clock.val();
        self.pins_in.rgmii_rx_control.next = self.rgmii_rx_control.val();
        self.pins_in.rgmii_rx_data.next = self.rgmii_rx_data.val();
        self.receiver.reset.next = self.rx_reset.reset.val();
        self.receiver.gmii_data.next = self.pins_in.gmii_data.val();
        self.receiver.gmii_valid.next = self.pins_in.gmii_valid.val();
        self.receiver.gmii_error.next = self.pins_in.gmii_error.val();
        self.gate.reset.next = self.rx_reset.reset.val();
        self.gate.s_tvalid.next = self.receiver.m_tvalid.val();
        self.gate.s_tdata.next = self.receiver.m_tdata.val();
        self.gate.s_tlast.next = self.receiver.m_tlast.val();
        self.gate.s_tuser.next = self.receiver.m_tuser.val();
        self.gate.full.next = self.fifo.full.val();
        self.fifo.write_clock.next = self.rgmii_rx_clock.val();
        self.fifo.write_reset.next = self.rx_reset.reset.val();
        self.fifo.write.next = self.gate.write.val();
        self.fifo.write_data.next = self.gate.word.val();
        self.fifo.read_clock.next = self.clock.val();
        self.fifo.read_reset.next = self.card_reset.reset.val();
        self.fifo.ready.next = self.m_frame_tready.val();
        self.m_frame_tvalid.next = self.fifo.valid.val();
        self.m_frame_tdata.next = bits_to(self.fifo.read_data.val(), 8);
        self.m_frame_tlast.next = self.fifo.read_data.val().get_bit(8);
        self.m_frame_tuser.next = self.fifo.read_data.val().get_bit(9);

        comment!("to the line");
        self.buffer.reset.next = self.card_reset.reset.val();
        self.buffer.s_tvalid.next = self.s_frame_tvalid.val();
        self.buffer.s_tdata.next = self.s_frame_tdata.val();
        self.buffer.s_tlast.next = self.s_frame_tlast.val();
        self.buffer.s_tuser.next = self.s_frame_tuser.val();
        comment!("not ready in reset, so what sends may leave its own reset earlier");
        self.s_frame_tready.next = self.buffer.s_tready.val();
        self.transmitter.reset.next = self.card_reset.reset.val();
        self.transmitter.s_tvalid.next = self.buffer.m_tvalid.val();
        self.transmitter.s_tdata.next = self.buffer.m_tdata.val();
        self.transmitter.s_tlast.next = self.buffer.m_tlast.val();
        self.transmitter.s_tuser.next = self.buffer.m_tuser.val();
        self.buffer.m_tready.next = self.transmitter.s_tready.val();
        self.pins_out.gmii_data.next = self.transmitter.gmii_data.val();
        self.pins_out.gmii_valid.next = self.transmitter.gmii_valid.val();
        self.pins_out.gmii_error.next = self.transmitter.gmii_error.val();
        self.rgmii_tx_clock.next = self.pins_out.rgmii_tx_clock.val();
        self.rgmii_tx_control.next = self.pins_out.rgmii_tx_control.val();
        self.rgmii_tx_data.next = self.pins_out.rgmii_tx_data.val();

        comment!("what is told of it");
        self.link.reset.next = self.card_reset.reset.val();
        self.link.d.next = (bits_of(self.pins_in.link_full_duplex.val(), 4) << 3)
            | (bits_to(self.pins_in.link_speed.val(), 4) << 1)
            | bits_of(self.pins_in.link_up.val(), 4);
        self.link_up.next = self.link.q.val().get_bit(0);
        self.link_speed.next = bits_to(self.link.q.val() >> 1, 2);
        self.link_full_duplex.next = self.link.q.val().get_bit(3);

        self.good.event_clock.next = self.rgmii_rx_clock.val();
        self.good.event_reset.next = self.rx_reset.reset.val();
        self.good.event.next = self.receiver.frame_good.val();
        self.good.reset.next = self.card_reset.reset.val();
        self.frames_good.next = self.good.count.val();
        self.bad_fcs.event_clock.next = self.rgmii_rx_clock.val();
        self.bad_fcs.event_reset.next = self.rx_reset.reset.val();
        self.bad_fcs.event.next = self.receiver.frame_bad_fcs.val();
        self.bad_fcs.reset.next = self.card_reset.reset.val();
        self.frames_bad_fcs.next = self.bad_fcs.count.val();
        self.runt.event_clock.next = self.rgmii_rx_clock.val();
        self.runt.event_reset.next = self.rx_reset.reset.val();
        self.runt.event.next = self.receiver.frame_runt.val();
        self.runt.reset.next = self.card_reset.reset.val();
        self.frames_runt.next = self.runt.count.val();
        self.error.event_clock.next = self.rgmii_rx_clock.val();
        self.error.event_reset.next = self.rx_reset.reset.val();
        self.error.event.next = self.receiver.frame_error.val();
        self.error.reset.next = self.card_reset.reset.val();
        self.frames_error.next = self.error.count.val();
        self.overflow.event_clock.next = self.rgmii_rx_clock.val();
        self.overflow.event_reset.next = self.rx_reset.reset.val();
        self.overflow.event.next = self.gate.overflow.val();
        self.overflow.reset.next = self.card_reset.reset.val();
        self.overflows.next = self.overflow.count.val();

        self.sent.event_clock.next = self.clock.val();
        self.sent.event_reset.next = self.card_reset.reset.val();
        self.sent.event.next = self.transmitter.frame_sent.val();
        self.sent.reset.next = self.card_reset.reset.val();
        self.frames_sent.next = self.sent.count.val();
        self.broken.event_clock.next = self.clock.val();
        self.broken.event_reset.next = self.card_reset.reset.val();
        self.broken.event.next = self.transmitter.frame_broken.val();
        self.broken.reset.next = self.card_reset.reset.val();
        self.frames_broken.next = self.broken.count.val();
        self.underrun.event_clock.next = self.clock.val();
        self.underrun.event_reset.next = self.card_reset.reset.val();
        self.underrun.event.next = self.transmitter.underrun.val();
        self.underrun.reset.next = self.card_reset.reset.val();
        self.underruns.next = self.underrun.count.val();
    }
}
