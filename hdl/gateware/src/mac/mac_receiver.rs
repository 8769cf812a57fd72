//! Receives Ethernet frames from GMII and checks their FCS.

use crate::card::Crc32Step;
use crate::prelude::*;
use bloomline_spec::mac::{FCS_BYTES, FRAME_START_BYTE, MIN_FRAME_BYTES};

/// The CRC's register after a frame and its right FCS: the residue of CRC-32 before the complement.
pub(super) const RESIDUE: u32 = 0xDEBB_20E3;
/// Bytes that stand in the row: the FCS, and the byte that may be the frame's last.
const ROW_BYTES: usize = FCS_BYTES + 1;

block! {
    /// Finds frames in a carrier, checks and strips their FCS, and judges them.
    ///
    /// ```text
    /// gmii --> row of five bytes --> m (the oldest; tlast, tuser when the carrier falls)
    ///   \----> CRC, count ---------> judgement
    /// ```
    ///
    /// A beat stands for one clock: there is no ready. Timing: `docs/mac.md`, "Receiver".
    /// `reset` is synchronous and active high.
    pub struct MacReceiver {
        about: About = About::new(
            "mac_receiver",
            "Ethernet receiver: frames from GMII, with their FCS checked and stripped.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("what is left of a frame is passed over"),
        pub gmii_data: Bus<In> = Bus::new(8).doc("byte from the line"),
        pub gmii_valid: Wire<In> = Wire::default().doc("there is a carrier"),
        pub gmii_error: Wire<In> = Wire::default().doc("with it: the byte is wrong"),
        pub m_tvalid: Wire<Out> = Wire::default().doc("a byte of a frame, for this clock"),
        pub m_tdata: Bus<Out> = Bus::new(8),
        pub m_tlast: Wire<Out> = Wire::default().doc("its last"),
        pub m_tuser: Wire<Out> = Wire::default().doc("with it: the frame is bad"),
        pub frame_good: Wire<Out> = Wire::default().doc("a frame ended, and was good"),
        pub frame_bad_fcs: Wire<Out> = Wire::default().doc("a frame ended with a wrong FCS"),
        pub frame_runt: Wire<Out> = Wire::default().doc("a frame ended too early"),
        pub frame_error: Wire<Out> = Wire::default().doc("a frame ended that had a byte with an error"),
        waiting: Flag = Flag::with_init(true).doc("the carrier may be in mid-frame"),
        inside: Flag = Flag::default().doc("behind the start of a frame"),
        row: Reg = Reg::new(8 * ROW_BYTES).doc("the last five bytes, the oldest highest"),
        count: Reg = Reg::new(count)
            .doc("bytes of the frame with its FCS, at most the least that is legal"),
        crc: Reg = Reg::new(32),
        errored: Flag = Flag::default().doc("a byte had an error"),
        valid_r: Flag,
        last_r: Flag,
        bad_r: Flag,
        data_r: Reg = Reg::new(8),
        good_r: Flag,
        bad_fcs_r: Flag,
        runt_r: Flag,
        error_r: Flag,
        step: Crc32Step,
        ends: Wire<Local> = Wire::default().doc("the frame is over"),
        full_row: Wire<Local> = Wire::default().doc("the oldest byte of the row is one of the frame"),
        long: Wire<Local> = Wire::default().doc("of legal length"),
        whole: Wire<Local> = Wire::default().doc("the FCS is right"),
        none: Const = Const::new(0, count),
        row_bytes: Const = Const::new(ROW_BYTES as u128, count),
        least: Const = Const::new(MIN_FRAME_BYTES as u128, count),
        all_ones: Const = Const::new(u32::MAX.into(), 32),
        residue: Const = Const::new(RESIDUE.into(), 32)
            .doc("CRC-32 over anything and its right FCS, before the complement"),
        start: Const = Const::new(FRAME_START_BYTE.into(), 8),
    }

    fn default() {
        let count = width_of(MIN_FRAME_BYTES);
    }
}

impl Logic for MacReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        self.step.crc.next = self.crc.q.val();
        self.step.data.next = self.gmii_data.val();
        self.ends.next = self.inside.q.val() && !self.gmii_valid.val();
        self.full_row.next = self.count.q.val() >= self.row_bytes.val();
        self.long.next = self.count.q.val() == self.least.val();
        self.whole.next = self.crc.q.val() == self.residue.val();

        self.waiting.d.next = self.waiting.q.val() && self.gmii_valid.val();
        self.inside.d.next = self.inside.q.val() && self.gmii_valid.val();
        self.row.d.next = (self.row.q.val() << 8) | bits_to(self.gmii_data.val(), 40);
        self.count.d.next = self.none.val();
        self.crc.d.next = self.all_ones.val();
        self.errored.d.next = false;
        if self.inside.q.val() {
            self.crc.d.next = self.step.stepped.val();
            self.errored.d.next = self.errored.q.val() || self.gmii_error.val();
            if self.long.val() {
                self.count.d.next = self.least.val();
            } else {
                self.count.d.next = self.count.q.val() + 1;
            }
        } else if !self.waiting.q.val()
            && self.gmii_valid.val()
            && !self.gmii_error.val()
            && (self.gmii_data.val() == self.start.val())
        {
            self.inside.d.next = true;
        }

        self.valid_r.d.next = self.inside.q.val() && self.full_row.val();
        self.last_r.d.next = !self.gmii_valid.val();
        self.data_r.d.next = bits_to(self.row.q.val() >> 32, 8);
        self.bad_r.d.next = self.errored.q.val() || !self.long.val() || !self.whole.val();
        self.error_r.d.next = self.ends.val() && self.errored.q.val();
        self.runt_r.d.next = self.ends.val() && !self.errored.q.val() && !self.long.val();
        self.bad_fcs_r.d.next =
            self.ends.val() && !self.errored.q.val() && self.long.val() && !self.whole.val();
        self.good_r.d.next =
            self.ends.val() && !self.errored.q.val() && self.long.val() && self.whole.val();
        if self.reset.val() {
            self.waiting.d.next = true;
            self.inside.d.next = false;
            self.valid_r.d.next = false;
            self.good_r.d.next = false;
            self.bad_fcs_r.d.next = false;
            self.runt_r.d.next = false;
            self.error_r.d.next = false;
        }
        self.m_tvalid.next = self.valid_r.q.val();
        self.m_tdata.next = self.data_r.q.val();
        self.m_tlast.next = self.last_r.q.val();
        self.m_tuser.next = self.bad_r.q.val();
        self.frame_good.next = self.good_r.q.val();
        self.frame_bad_fcs.next = self.bad_fcs_r.q.val();
        self.frame_runt.next = self.runt_r.q.val();
        self.frame_error.next = self.error_r.q.val();
    }
}
