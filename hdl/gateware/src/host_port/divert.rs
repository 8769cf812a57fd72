//! Takes the frames addressed to the card out of the stream.

use crate::prelude::*;
use bloomline_spec::host_port::HostAddress;

/// Bytes of a MAC address, by which it is known whose a frame is.
const BYTES: usize = 6;
/// Bits of them.
const BITS: usize = 8 * BYTES;

block! {
    /// Takes the frames to the card's MAC address out of a stream. Six beats are held back until it is known whose the frame is.
    ///
    /// Timing: `docs/host-port.md`, "Time".
    /// `reset` is synchronous and active high.
    pub struct HostDivert {
        about: About = About::new(
            "host_divert",
            "Takes the frames to the card's MAC address out of a stream; all others pass, six beats later.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame"),
        pub s_tvalid: Wire<In> = Wire::default().doc("frames"),
        pub s_tready: Wire<Out>,
        pub s_tdata: Bus<In> = Bus::new(8),
        pub s_tlast: Wire<In>,
        pub s_tuser: Wire<In> = Wire::default().doc("with tlast: the frame is bad"),
        pub m_tvalid: Wire<Out> = Wire::default().doc("those that are not the card's"),
        pub m_tready: Wire<In>,
        pub m_tdata: Bus<Out> = Bus::new(8),
        pub m_tlast: Wire<Out>,
        pub m_tuser: Wire<Out>,
        pub beat: Wire<Out> = Wire::default().doc("a beat is taken"),
        pub to_card: Wire<Out> = Wire::default().doc("it ends the card's MAC address"),
        pub to_all: Wire<Out> = Wire::default().doc("it ends the address of all"),
        row: Reg = Reg::new(BITS).doc("beats held back, the newest lowest"),
        held: Reg = Reg::new(3).doc("so many"),
        whole: Flag = Flag::default().doc("the last of the frame is among them"),
        bad: Flag = Flag::default().doc("which said that the frame is bad"),
        mine: Flag = Flag::default().doc("the frame is the card's"),
        full: Wire<Local>,
        pushed: Bus<Local> = Bus::new(BITS),
        sixth: Wire<Local>,
        from: Bus<Local> = Bus::new(6).doc("place of the oldest beat"),
        mac: Const = Const::new(mac, BITS).doc("the card's MAC address"),
    }

    /// For the card of `address`.
    pub fn new(address: &HostAddress) {
        let mac = address
            .mac
            .iter()
            .fold(0, |mac, &byte| mac << 8 | u128::from(byte));
    }
}

impl Logic for HostDivert {
    #[hdl_gen]
    fn update(&mut self) {
        self.full.next = self.held.q.val() == 6;
        self.s_tready.next =
            !self.whole.q.val() && (!self.full.val() || self.mine.q.val() || self.m_tready.val());
        self.beat.next = self.s_tvalid.val() && self.s_tready.val();
        self.pushed.next = (self.row.q.val() << 8) | bits_to(self.s_tdata.val(), 48);
        self.sixth.next = self.beat.val() && (self.held.q.val() == 5);
        self.to_card.next = self.sixth.val() && (self.pushed.val() == self.mac.val());
        self.to_all.next = self.sixth.val() && self.pushed.val().all();

        self.row.d.next = self.row.q.val();
        self.held.d.next = self.held.q.val();
        self.whole.d.next = self.whole.q.val();
        self.bad.d.next = self.bad.q.val();
        self.mine.d.next = self.mine.q.val();
        if self.beat.val() {
            self.row.d.next = self.pushed.val();
            self.bad.d.next = self.s_tuser.val();
            if !self.full.val() {
                self.held.d.next = self.held.q.val() + 1;
            }
            if self.to_card.val() {
                self.mine.d.next = true;
            }
            if self.s_tlast.val() {
                self.whole.d.next = true;
                if self.mine.q.val() || self.to_card.val() {
                    self.held.d.next = bits_to(0, 3);
                    self.whole.d.next = false;
                    self.mine.d.next = false;
                }
            }
        }
        comment!("a frame passes as it comes, and its last six beats by themselves");
        self.m_tvalid.next =
            !self.mine.q.val() && (self.whole.q.val() || (self.full.val() && self.s_tvalid.val()));
        self.from.next = bits_to(self.held.q.val() - 1, 6) << 3;
        self.m_tdata.next = bits_to(self.row.q.val() >> self.from.val(), 8);
        self.m_tlast.next = self.whole.q.val() && (self.held.q.val() == 1);
        self.m_tuser.next = self.bad.q.val();
        if self.whole.q.val() && self.m_tready.val() {
            self.held.d.next = self.held.q.val() - 1;
            self.whole.d.next = self.held.q.val() != 1;
        }
        if self.reset.val() {
            self.held.d.next = bits_to(0, 3);
            self.whole.d.next = false;
            self.mine.d.next = false;
        }
    }
}
