//! Drops frames that do not fit the FIFO, whole, or ends them as bad.

use crate::prelude::*;
use bloomline_spec::mac::MAC_WORD_BITS;

block! {
    /// Stands between a stream that cannot wait and a FIFO that can be full.
    ///
    /// Timing: `docs/mac.md`, "Frame gate".
    /// `reset` is synchronous and active high.
    pub struct FrameGate {
        about: About = About::new(
            "frame_gate",
            "Drops whole the frames that meet a full FIFO; one that was cut ends as bad.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In>,
        pub s_tvalid: Wire<In> = Wire::default().doc("a beat, for this clock"),
        pub s_tdata: Bus<In> = Bus::new(8),
        pub s_tlast: Wire<In> = Wire::default().doc("a frame's last"),
        pub s_tuser: Wire<In> = Wire::default().doc("with it: the frame is bad"),
        pub write: Wire<Out> = Wire::default().doc("for the FIFO"),
        pub word: Bus<Out> = Bus::new(MAC_WORD_BITS).doc("{tuser, tlast, tdata}"),
        pub full: Wire<In> = Wire::default().doc("the FIFO takes nothing"),
        pub overflow: Wire<Out> = Wire::default().doc("a frame was dropped or cut"),
        inside: Flag = Flag::default().doc("the FIFO has a frame's beginning and not its end"),
        skip: Flag = Flag::default().doc("what is left of the frame is passed over"),
        owed: Flag = Flag::default().doc("the FIFO lacks the end of a frame that was cut"),
        overflow_r: Flag,
        offered: Wire<Local> = Wire::default().doc("a beat of a frame that is not passed over"),
        drop: Wire<Local> = Wire::default().doc("it has no place"),
        broken_end: Const = Const::new(0x300, MAC_WORD_BITS).doc("the end of a frame that was cut"),
    }
}

impl Logic for FrameGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.offered.next = self.s_tvalid.val() && !self.skip.q.val();
        self.drop.next = self.offered.val() && (self.owed.q.val() || self.full.val());
        self.write.next = self.owed.q.val() || self.offered.val();
        self.word.next = (bits_of(self.s_tuser.val() && self.s_tlast.val(), 10) << 9)
            | (bits_of(self.s_tlast.val(), 10) << 8)
            | bits_to(self.s_tdata.val(), 10);
        if self.owed.q.val() {
            self.word.next = self.broken_end.val();
        }
        self.overflow_r.d.next = self.drop.val();
        self.owed.d.next =
            (self.owed.q.val() && self.full.val()) || (self.drop.val() && self.inside.q.val());
        self.skip.d.next = self.skip.q.val();
        self.inside.d.next = self.inside.q.val();
        if self.s_tvalid.val() {
            self.skip.d.next = (self.skip.q.val() || self.drop.val()) && !self.s_tlast.val();
        }
        if self.drop.val() {
            self.inside.d.next = false;
        } else if self.offered.val() {
            self.inside.d.next = !self.s_tlast.val();
        }
        if self.reset.val() {
            self.inside.d.next = false;
            self.skip.d.next = false;
            self.owed.d.next = false;
            self.overflow_r.d.next = false;
        }
        self.overflow.next = self.overflow_r.q.val();
    }
}
