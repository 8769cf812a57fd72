//! Loopback: an Ethernet port that sends what it receives.

use crate::mac::MacPort;
use crate::prelude::*;

block! {
    /// One port whose frames leave where they came from: the least that a board needs to show that its pins work.
    ///
    /// `docs/mac.md`, "A port, and the loop".
    /// `hold` is an asynchronous reset, active high; every clock domain gets it synchronised.
    pub struct MacLoop {
        about: About = About::new(
            "mac_loop",
            "A gigabit Ethernet port that sends what it receives.",
        ),
        pub clock: Signal<In, Clock>,
        pub hold: Wire<In> = Wire::default().doc("reset, of any clock or none"),
        pub rgmii_rx_clock: Signal<In, Clock>,
        pub rgmii_rx_control: Wire<In>,
        pub rgmii_rx_data: Bus<In> = Bus::new(4),
        pub rgmii_tx_clock: Wire<Out>,
        pub rgmii_tx_control: Wire<Out>,
        pub rgmii_tx_data: Bus<Out> = Bus::new(4),
        pub link_up: Wire<Out>,
        pub link_speed: Bus<Out> = Bus::new(2),
        pub link_full_duplex: Wire<Out>,
        pub frames_good: Bus<Out> = Bus::new(64),
        pub frames_bad_fcs: Bus<Out> = Bus::new(64),
        pub frames_runt: Bus<Out> = Bus::new(64),
        pub frames_error: Bus<Out> = Bus::new(64),
        pub overflows: Bus<Out> = Bus::new(64),
        pub frames_sent: Bus<Out> = Bus::new(64),
        pub frames_broken: Bus<Out> = Bus::new(64),
        pub underruns: Bus<Out> = Bus::new(64),
        port: MacPort,
    }
}

impl Logic for MacLoop {
    #[hdl_gen]
    fn update(&mut self) {
        self.port.hold.next = self.hold.val();
        self.port.rgmii_rx_clock.next = self.rgmii_rx_clock.val();
        self.port.rgmii_rx_control.next = self.rgmii_rx_control.val();
        self.port.rgmii_rx_data.next = self.rgmii_rx_data.val();
        self.rgmii_tx_clock.next = self.port.rgmii_tx_clock.val();
        self.rgmii_tx_control.next = self.port.rgmii_tx_control.val();
        self.rgmii_tx_data.next = self.port.rgmii_tx_data.val();
        self.port.s_frame_tvalid.next = self.port.m_frame_tvalid.val();
        self.port.s_frame_tdata.next = self.port.m_frame_tdata.val();
        self.port.s_frame_tlast.next = self.port.m_frame_tlast.val();
        self.port.s_frame_tuser.next = self.port.m_frame_tuser.val();
        self.port.m_frame_tready.next = self.port.s_frame_tready.val();
        self.link_up.next = self.port.link_up.val();
        self.link_speed.next = self.port.link_speed.val();
        self.link_full_duplex.next = self.port.link_full_duplex.val();
        self.frames_good.next = self.port.frames_good.val();
        self.frames_bad_fcs.next = self.port.frames_bad_fcs.val();
        self.frames_runt.next = self.port.frames_runt.val();
        self.frames_error.next = self.port.frames_error.val();
        self.overflows.next = self.port.overflows.val();
        self.frames_sent.next = self.port.frames_sent.val();
        self.frames_broken.next = self.port.frames_broken.val();
        self.underruns.next = self.port.underruns.val();
    }
}
