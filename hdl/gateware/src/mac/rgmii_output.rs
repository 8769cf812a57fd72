//! GMII to RGMII transmit pins.

use crate::mac::{OutputDdr, OutputDelay};
use crate::prelude::*;

block! {
    /// Drives the pins on both edges, and the clock that goes with them.
    ///
    /// Timing: `docs/mac.md`, "RGMII".
    /// New inputs in every clock. No reset.
    pub struct RgmiiOutput {
        about: About = About::new("rgmii_output", "The pins of RGMII from GMII."),
        pub clock: Signal<In, Clock>,
        pub gmii_data: Bus<In> = Bus::new(2 * lanes),
        pub gmii_valid: Wire<In>,
        pub gmii_error: Wire<In>,
        pub rgmii_tx_clock: Wire<Out>,
        pub rgmii_tx_control: Wire<Out>,
        pub rgmii_tx_data: Bus<Out> = Bus::new(lanes),
        pins: Vec<OutputDdr> = (0..lanes).map(|_| OutputDdr::default()).collect(),
        control: OutputDdr,
        clock_out: OutputDdr,
        clock_delay: OutputDelay,
        low: Bus<Local> = Bus::new(lanes),
        high: Bus<Local> = Bus::new(lanes),
        lanes: usize = lanes,
    }

    fn default() {
        let lanes = 4;
    }
}

impl Logic for RgmiiOutput {
    #[hdl_gen]
    fn update(&mut self) {
        self.control.rising.next = self.gmii_valid.val();
        self.control.falling.next = self.gmii_valid.val() != self.gmii_error.val();
        self.rgmii_tx_control.next = self.control.pin.val();
        self.clock_out.rising.next = true;
        self.clock_out.falling.next = false;
        self.clock_delay.a.next = self.clock_out.pin.val();
        self.rgmii_tx_clock.next = self.clock_delay.z.val();
        self.low.next = bits_to(self.gmii_data.val(), 4);
        self.high.next = bits_to(self.gmii_data.val() >> 4, 4);
        for i in 0..self.lanes {
            self.pins[i].rising.next = self.low.val().get_bit(i);
            self.pins[i].falling.next = self.high.val().get_bit(i);
            self.rgmii_tx_data.set_bit(i, self.pins[i].pin.val());
        }
    }
}
