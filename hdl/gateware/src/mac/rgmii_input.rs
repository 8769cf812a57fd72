//! RGMII receive pins to GMII.

use crate::mac::{InputDdr, InputDelay};
use crate::prelude::*;

block! {
    /// Takes both edges of the pins, and the status that a PHY tells between frames.
    ///
    /// Timing: `docs/mac.md`, "RGMII".
    /// No reset.
    pub struct RgmiiInput {
        about: About = About::new(
            "rgmii_input",
            "GMII from the pins of RGMII, and the PHY's status from between frames.",
        ),
        pub rgmii_rx_clock: Signal<In, Clock>,
        pub rgmii_rx_control: Wire<In>,
        pub rgmii_rx_data: Bus<In> = Bus::new(lanes),
        pub gmii_data: Bus<Out> = Bus::new(2 * lanes),
        pub gmii_valid: Wire<Out>,
        pub gmii_error: Wire<Out>,
        pub link_up: Wire<Out> = Wire::default().doc("the PHY tells of a link"),
        pub link_speed: Bus<Out> = Bus::new(2).doc("0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s"),
        pub link_full_duplex: Wire<Out>,
        delays: Vec<InputDelay> = (0..lanes).map(|_| InputDelay::default()).collect(),
        pins: Vec<InputDdr> = (0..lanes).map(|_| InputDdr::default()).collect(),
        control_delay: InputDelay,
        control: InputDdr,
        data: Bus<Local> = Bus::new(2 * lanes),
        low: Bus<Local> = Bus::new(lanes),
        high: Bus<Local> = Bus::new(lanes),
        tells: Wire<Local> = Wire::default().doc("between frames, with equal nibbles"),
        told: Flag = Flag::default().doc("the same a clock ago"),
        told_before: Reg = Reg::new(lanes).doc("what was told then"),
        status: Reg = Reg::new(lanes).doc("told twice"),
        lanes: usize = lanes,
    }

    fn default() {
        let lanes = 4;
    }
}

impl Logic for RgmiiInput {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, rgmii_rx_clock, told, told_before, status);
        self.control_delay.a.next = self.rgmii_rx_control.val();
        self.control.clock.next = self.rgmii_rx_clock.val();
        self.control.pin.next = self.control_delay.z.val();
        for i in 0..self.lanes {
            self.delays[i].a.next = self.rgmii_rx_data.val().get_bit(i);
            self.pins[i].clock.next = self.rgmii_rx_clock.val();
            self.pins[i].pin.next = self.delays[i].z.val();
        }
        for i in 0..self.lanes {
            self.low.set_bit(i, self.pins[i].rising.val());
            self.high.set_bit(i, self.pins[i].falling.val());
        }
        self.data.next = (bits_to(self.high.val(), 8) << 4) | bits_to(self.low.val(), 8);
        self.gmii_data.next = self.data.val();
        self.gmii_valid.next = self.control.rising.val();
        self.gmii_error.next = self.control.rising.val() != self.control.falling.val();
        self.tells.next = !self.control.rising.val()
            && !self.control.falling.val()
            && (self.low.val() == self.high.val());
        self.told.d.next = self.tells.val();
        self.told_before.d.next = self.low.val();
        self.status.d.next = self.status.q.val();
        if self.tells.val() && self.told.q.val() && (self.told_before.q.val() == self.low.val()) {
            self.status.d.next = self.low.val();
        }
        self.link_up.next = self.status.q.val().get_bit(0);
        self.link_speed.next = bits_to(self.status.q.val() >> 1, 2);
        self.link_full_duplex.next = self.status.q.val().get_bit(3);
    }
}
