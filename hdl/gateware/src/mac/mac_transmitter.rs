//! Sends Ethernet frames over GMII: preamble, padding, FCS and gap.

use crate::card::Crc32Step;
use crate::prelude::*;
use bloomline_spec::mac::{
    FCS_BYTES, FRAME_START_BYTE, GAP_CLOCKS, MIN_FRAME_BYTES, PREAMBLE_BYTE, PREAMBLE_BYTES,
};

/// Bits of a state.
const STATE: usize = 3;
/// Bits of what counts the clocks of a state.
const COUNT: usize = 4;
/// Bits of what counts the bytes of a frame.
const SENT: usize = 6;

block! {
    /// Sends frames: preamble, padding, FCS and gap.
    ///
    /// ```text
    /// IDLE --> PREAMBLE --> DATA --> PAD --> FCS --> GAP --> IDLE
    ///                          \-------------^
    /// ```
    ///
    /// A frame whose source runs dry, or says that it is bad, ends with an error and a wrong FCS. Timing: `docs/mac.md`, "Transmitter".
    /// `reset` is synchronous and active high.
    pub struct MacTransmitter {
        about: About = About::new(
            "mac_transmitter",
            "Ethernet transmitter: frames to GMII, with preamble, padding, FCS and gap.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In>,
        pub s_tvalid: Wire<In> = Wire::default().doc("frames; one that has begun must not pause"),
        pub s_tready: Wire<Out>,
        pub s_tdata: Bus<In> = Bus::new(8),
        pub s_tlast: Wire<In>,
        pub s_tuser: Wire<In> = Wire::default().doc("with tlast: end the frame as bad"),
        pub gmii_data: Bus<Out> = Bus::new(8).doc("byte to the line"),
        pub gmii_valid: Wire<Out> = Wire::default().doc("there is a carrier"),
        pub gmii_error: Wire<Out> = Wire::default().doc("with it: the frame is not to be used"),
        pub frame_sent: Wire<Out> = Wire::default().doc("a frame was sent"),
        pub frame_broken: Wire<Out> = Wire::default().doc("one was sent as bad"),
        pub underrun: Wire<Out> = Wire::default().doc("the source paused within a frame"),
        state: Reg = Reg::with_init(STATE, 5),
        count: Reg = Reg::new(COUNT).doc("clocks in the state"),
        sent: Reg = Reg::new(SENT).doc("bytes of the frame, at most the least that is legal"),
        crc: Reg = Reg::new(32).doc("over those bytes; in FCS what is left of it"),
        broken: Flag = Flag::default().doc("end the frame as bad"),
        takes: Flag = Flag::default().doc("bytes of a frame are taken, up to its last; outside of DATA they are discarded"),
        data_r: Reg = Reg::new(8),
        valid_r: Flag,
        error_r: Flag,
        sent_r: Flag,
        broken_r: Flag,
        underrun_r: Flag,
        step: Crc32Step,
        in_data: Wire<Local>,
        byte: Bus<Local> = Bus::new(8).doc("next byte of the CRC, in DATA and PAD"),
        padded: Wire<Local> = Wire::default().doc("with this byte the frame is long enough"),
        idle: Const = Const::new(0, STATE),
        preamble: Const = Const::new(1, STATE),
        data: Const = Const::new(2, STATE),
        pad: Const = Const::new(3, STATE),
        fcs: Const = Const::new(4, STATE),
        gap: Const = Const::new(5, STATE),
        first: Const = Const::new(0, COUNT),
        last_preamble: Const = Const::new(PREAMBLE_BYTES as u128, COUNT),
        last_fcs: Const = Const::new(FCS_BYTES as u128 - 1, COUNT),
        // the clock of IDLE in which the next frame is met is the last of the gap
        last_gap: Const = Const::new(GAP_CLOCKS as u128 - 2, COUNT),
        no_byte: Const = Const::new(0, SENT),
        before_least: Const = Const::new((MIN_FRAME_BYTES - FCS_BYTES - 1) as u128, SENT),
        zero: Const = Const::new(0, 8),
        preamble_byte: Const = Const::new(PREAMBLE_BYTE.into(), 8),
        start_byte: Const = Const::new(FRAME_START_BYTE.into(), 8),
        all_ones: Const = Const::new(u32::MAX.into(), 32),
    }
}

impl Logic for MacTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        self.in_data.next = self.state.q.val() == self.data.val();
        self.byte.next = self.zero.val();
        if self.takes.q.val() {
            self.byte.next = self.s_tdata.val();
        }
        self.step.crc.next = self.crc.q.val();
        self.step.data.next = self.byte.val();
        self.padded.next = self.sent.q.val() >= self.before_least.val();

        self.state.d.next = self.state.q.val();
        self.count.d.next = self.count.q.val() + 1;
        self.sent.d.next = self.sent.q.val();
        self.crc.d.next = self.crc.q.val();
        self.broken.d.next = self.broken.q.val();
        self.takes.d.next = self.takes.q.val() && !(self.s_tvalid.val() && self.s_tlast.val());
        self.data_r.d.next = self.byte.val();
        self.valid_r.d.next = true;
        self.error_r.d.next = false;
        self.sent_r.d.next = false;
        self.broken_r.d.next = false;
        self.underrun_r.d.next = false;
        if self.in_data.val() && self.s_tvalid.val() {
            self.crc.d.next = self.step.stepped.val();
            if !self.padded.val() {
                self.sent.d.next = self.sent.q.val() + 1;
            }
            self.count.d.next = self.first.val();
            if self.s_tlast.val() {
                self.broken.d.next = self.s_tuser.val();
                self.state.d.next = self.pad.val();
                if self.padded.val() || self.s_tuser.val() {
                    self.state.d.next = self.fcs.val();
                }
            }
        } else if self.in_data.val() {
            comment!("the source ran dry");
            self.data_r.d.next = self.zero.val();
            self.error_r.d.next = true;
            self.underrun_r.d.next = true;
            self.broken.d.next = true;
            self.count.d.next = self.first.val();
            self.state.d.next = self.fcs.val();
        } else if self.state.q.val() == self.preamble.val() {
            self.sent.d.next = self.no_byte.val();
            self.crc.d.next = self.all_ones.val();
            self.data_r.d.next = self.preamble_byte.val();
            if self.count.q.val() == self.last_preamble.val() {
                self.data_r.d.next = self.start_byte.val();
                self.state.d.next = self.data.val();
                self.takes.d.next = true;
            }
        } else if self.state.q.val() == self.pad.val() {
            self.crc.d.next = self.step.stepped.val();
            self.sent.d.next = self.sent.q.val() + 1;
            self.count.d.next = self.first.val();
            if self.padded.val() {
                self.state.d.next = self.fcs.val();
            }
        } else if self.state.q.val() == self.fcs.val() {
            self.error_r.d.next = self.broken.q.val();
            self.data_r.d.next = !bits_to(self.crc.q.val(), 8);
            if self.broken.q.val() {
                self.data_r.d.next = bits_to(self.crc.q.val(), 8);
            }
            self.crc.d.next = self.crc.q.val() >> 8;
            if self.count.q.val() == self.last_fcs.val() {
                self.sent_r.d.next = !self.broken.q.val();
                self.broken_r.d.next = self.broken.q.val();
                self.count.d.next = self.first.val();
                self.state.d.next = self.gap.val();
            }
        } else {
            comment!("IDLE and GAP");
            self.valid_r.d.next = false;
            self.data_r.d.next = self.zero.val();
            if self.state.q.val() == self.gap.val() {
                if self.count.q.val() == self.last_gap.val() {
                    self.state.d.next = self.idle.val();
                }
            } else {
                self.count.d.next = self.first.val();
                if self.s_tvalid.val() && !self.takes.q.val() {
                    self.state.d.next = self.preamble.val();
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = self.gap.val();
            self.count.d.next = self.first.val();
            self.takes.d.next = false;
            self.data_r.d.next = self.zero.val();
            self.valid_r.d.next = false;
            self.error_r.d.next = false;
            self.sent_r.d.next = false;
            self.broken_r.d.next = false;
            self.underrun_r.d.next = false;
        }
        self.s_tready.next = self.takes.q.val();
        self.gmii_data.next = self.data_r.q.val();
        self.gmii_valid.next = self.valid_r.q.val();
        self.gmii_error.next = self.error_r.q.val();
        self.frame_sent.next = self.sent_r.q.val();
        self.frame_broken.next = self.broken_r.q.val();
        self.underrun.next = self.underrun_r.q.val();
    }
}
