//! Inserts answers between the frames of a stream.

use crate::prelude::*;

block! {
    /// Frames of two sources on one stream, frame by frame: those that pass, and answers, of which one comes behind each frame that passes.
    ///
    /// Nothing is registered on the way but whose turn it is. `docs/host-port.md`, "Time".
    /// `reset` is synchronous and active high.
    pub struct ReplyMerge {
        about: About = About::new(
            "reply_merge",
            "Answers between the frames of a stream, whole ones each.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame is under way"),
        pub s_tvalid: Wire<In> = Wire::default().doc("frames that pass"),
        pub s_tready: Wire<Out>,
        pub s_tdata: Bus<In> = Bus::new(8),
        pub s_tlast: Wire<In>,
        pub a_tvalid: Wire<In> = Wire::default().doc("answers"),
        pub a_tready: Wire<Out>,
        pub a_tdata: Bus<In> = Bus::new(8),
        pub a_tlast: Wire<In>,
        pub m_tvalid: Wire<Out> = Wire::default().doc("both"),
        pub m_tready: Wire<In>,
        pub m_tdata: Bus<Out> = Bus::new(8),
        pub m_tlast: Wire<Out>,
        own: Flag = Flag::default().doc("the next frame is an answer, or it is one"),
        open: Flag = Flag::default().doc("a frame is under way"),
        gives: Wire<Local>,
    }
}

impl Logic for ReplyMerge {
    #[hdl_gen]
    fn update(&mut self) {
        self.m_tvalid.next = self.s_tvalid.val();
        self.m_tdata.next = self.s_tdata.val();
        self.m_tlast.next = self.s_tlast.val();
        if self.own.q.val() {
            self.m_tvalid.next = self.a_tvalid.val();
            self.m_tdata.next = self.a_tdata.val();
            self.m_tlast.next = self.a_tlast.val();
        }
        self.s_tready.next = self.m_tready.val() && !self.own.q.val();
        self.a_tready.next = self.m_tready.val() && self.own.q.val();
        self.gives.next = self.m_tvalid.val() && self.m_tready.val();
        self.open.d.next = self.open.q.val();
        self.own.d.next = self.own.q.val();
        if self.gives.val() {
            self.open.d.next = !self.m_tlast.val();
            if self.m_tlast.val() {
                self.own.d.next = self.a_tvalid.val() && !self.own.q.val();
            }
        } else if !self.m_tvalid.val() && !self.open.q.val() {
            self.own.d.next = self.a_tvalid.val();
        }
        if self.reset.val() {
            self.own.d.next = false;
            self.open.d.next = false;
        }
    }
}
