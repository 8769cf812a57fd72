//! Counts and checksums a frame, and stores its payload.

use crate::prelude::*;
use bloomline_spec::host_port::{HOST_FRAME_BYTES, HOST_HEAD_BYTES, HOST_PAYLOAD_BYTES};

/// Bits that count the bytes of a frame.
const COUNT: usize = 10;

block! {
    /// Counts a frame's bytes, sums them up, and sends them on: the head to the row, the rest to the memory.
    ///
    /// Sums are in ones' complement, over the IP header and over what a UDP or ICMP checksum covers. `docs/host-port.md`, "What is taken, and what is answered".
    /// `reset` is synchronous and active high.
    pub struct HostReader {
        about: About = About::new(
            "host_reader",
            "Counts a frame's bytes, sums them up in ones' complement, and sends them on to head and memory.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame"),
        pub free: Wire<In> = Wire::default().doc("a frame that begins is read"),
        pub beat: Wire<In> = Wire::default().doc("a beat of any frame"),
        pub data: Bus<In> = Bus::new(8),
        pub last: Wire<In>,
        pub user: Wire<In> = Wire::default().doc("with the last: the frame is bad"),
        pub to_card: Wire<In> = Wire::default().doc("it ends the card's MAC address"),
        pub to_all: Wire<In> = Wire::default().doc("it ends the address of all"),
        pub missed: Wire<Out> = Wire::default().doc("it does, in a frame that is not read"),
        pub store: Wire<Out> = Wire::default().doc("it belongs to the head"),
        pub write: Wire<Out> = Wire::default().doc("to the payload"),
        pub place: Bus<Out> = Bus::new(place).doc("word of it"),
        pub word: Bus<Out> = Bus::new(32).doc("what of the word has come, the first byte highest"),
        pub ended: Wire<Out> = Wire::default().doc("a frame to the card or to all has come; the facts stand from the next clock on"),
        pub own: Wire<Out> = Wire::default().doc("to the card"),
        pub sound: Wire<Out> = Wire::default().doc("not bad, and of a length that can be"),
        pub fits: Wire<Out> = Wire::default().doc("the IP packet is long enough, and within the frame"),
        pub header_right: Wire<Out> = Wire::default().doc("its header's checksum is right"),
        pub body_right: Wire<Out> = Wire::default().doc("the checksum of what it carries is right"),
        pub total: Bus<Out> = Bus::new(16).doc("its length"),
        within: Flag = Flag::default().doc("a frame has begun"),
        listening_r: Flag = Flag::default().doc("it is read"),
        own_r: Flag,
        all_r: Flag = Flag::default().doc("to all"),
        bad: Flag,
        count: Reg = Reg::new(COUNT).doc("its bytes, at most 1023"),
        at: Reg = Reg::new(at).doc("bytes of payload, as many as are kept"),
        total_r: Reg = Reg::new(16),
        end: Reg = Reg::new(17).doc("bytes of the frame up to the end of the IP packet"),
        udp_r: Flag = Flag::default().doc("protocol UDP"),
        header: Reg = Reg::new(16).doc("sum over the IP header"),
        body: Reg = Reg::new(16).doc("sum over what it carries, for UDP with the pseudo header"),
        word_r: Reg = Reg::new(32),
        ended_r: Flag,
        sound_r: Flag,
        fits_r: Flag,
        header_r: Flag,
        body_r: Flag,
        first: Wire<Local>,
        listening: Wire<Local>,
        heard: Wire<Local> = Wire::default().doc("a byte that is read"),
        read: Wire<Local> = Wire::default().doc("the frame is to the card or to all"),
        index: Bus<Local> = Bus::new(COUNT).doc("number of the byte"),
        term: Bus<Local> = Bus::new(17).doc("what it adds to a sum"),
        header_sum: Bus<Local> = Bus::new(17),
        body_sum: Bus<Local> = Bus::new(17),
        filled: Bus<Local> = Bus::new(32),
        shift: Bus<Local> = Bus::new(5).doc("place of the byte in its word"),
        in_payload: Wire<Local> = Wire::default().doc("it belongs to the payload and is kept"),
        most: Const = Const::new(ones(COUNT), COUNT),
        udp: Const = Const::new(17, 8),
        ethernet: Const = Const::new(14, 17).doc("bytes before the IP packet"),
        less_sizes: Const = Const::new(3, 16).doc("the header's bytes, less the protocol's number"),
        least_total: Const = Const::new(28, 16),
        head_bytes: Const = Const::new(HOST_HEAD_BYTES as u128, COUNT),
        frame_bytes: Const = Const::new(HOST_FRAME_BYTES as u128, COUNT),
        place_bits: usize = place,
    }

    fn default() {
        let at = width_of(HOST_PAYLOAD_BYTES);
        let place = at - 3;
    }
}

impl Logic for HostReader {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("whose frame it is");
        self.first.next = self.beat.val() && !self.within.q.val();
        self.listening.next = self.listening_r.q.val();
        if self.first.val() {
            self.listening.next = self.free.val();
        }
        self.heard.next = self.beat.val() && self.listening.val();
        self.missed.next = self.to_card.val() && !self.listening.val();
        self.within.d.next = self.within.q.val();
        if self.beat.val() {
            self.within.d.next = !self.last.val();
        }
        self.listening_r.d.next = self.listening.val();
        self.own_r.d.next = self.own_r.q.val();
        self.all_r.d.next = self.all_r.q.val();
        if self.heard.val() {
            self.own_r.d.next = self.to_card.val() || (self.own_r.q.val() && !self.first.val());
            self.all_r.d.next = self.to_all.val() || (self.all_r.q.val() && !self.first.val());
        }
        self.read.next = self.to_card.val()
            || self.to_all.val()
            || ((self.own_r.q.val() || self.all_r.q.val()) && !self.first.val());
        self.ended_r.d.next = self.heard.val() && self.last.val() && self.read.val();

        comment!("its bytes");
        self.index.next = self.count.q.val();
        if self.first.val() {
            self.index.next = bits_to(0, 10);
        }
        self.count.d.next = self.count.q.val();
        self.bad.d.next = self.bad.q.val();
        self.total_r.d.next = self.total_r.q.val();
        self.udp_r.d.next = self.udp_r.q.val();
        if self.heard.val() {
            self.count.d.next = self.index.val() + 1;
            if self.index.val() == self.most.val() {
                self.count.d.next = self.most.val();
            }
            self.bad.d.next = self.user.val();
            if (self.index.val() == 16) || (self.index.val() == 17) {
                self.total_r.d.next = (self.total_r.q.val() << 8) | bits_to(self.data.val(), 16);
            }
            if self.index.val() == 23 {
                self.udp_r.d.next = self.data.val() == self.udp.val();
            }
        }
        self.end.d.next = bits_to(self.total_r.q.val(), 17) + self.ethernet.val();
        self.store.next = self.heard.val() && (self.index.val() < self.head_bytes.val());

        comment!("sums");
        self.term.next = bits_to(self.data.val(), 17) << 8;
        if self.index.val().get_bit(0) {
            self.term.next = bits_to(self.data.val(), 17);
        }
        self.header_sum.next = bits_to(self.header.q.val(), 17) + self.term.val();
        self.body_sum.next = bits_to(self.body.q.val(), 17) + self.term.val();
        self.header.d.next = self.header.q.val();
        self.body.d.next = self.body.q.val();
        if self.heard.val() {
            if self.index.val() == 14 {
                self.header.d.next = bits_to(self.term.val(), 16);
            } else if self.index.val() < 34 {
                self.header.d.next =
                    bits_to(self.header_sum.val(), 16) + bits_to(self.header_sum.val() >> 16, 16);
            }
            if self.index.val() == 24 {
                self.body.d.next = bits_to(0, 16);
                if self.udp_r.q.val() {
                    self.body.d.next = self.total_r.q.val() - self.less_sizes.val();
                }
            } else if ((self.index.val() >= 26) && (self.index.val() < 34) && self.udp_r.q.val())
                || ((self.index.val() >= 34) && (bits_to(self.index.val(), 17) < self.end.q.val()))
            {
                self.body.d.next =
                    bits_to(self.body_sum.val(), 16) + bits_to(self.body_sum.val() >> 16, 16);
            }
        }

        comment!("payload");
        self.in_payload.next = self.heard.val()
            && (self.index.val() >= self.head_bytes.val())
            && (self.index.val() < self.frame_bytes.val());
        self.at.d.next = self.at.q.val();
        if self.first.val() {
            self.at.d.next = bits_to(0, 10);
        } else if self.in_payload.val() {
            self.at.d.next = self.at.q.val() + 1;
        }
        self.shift.next = bits_to(!bits_to(self.at.q.val(), 2), 5) << 3;
        self.filled.next = (bits_to(self.data.val(), 32) << self.shift.val()) | self.word_r.q.val();
        if !bits_to(self.at.q.val(), 2).any() {
            self.filled.next = bits_to(self.data.val(), 32) << 24;
        }
        self.word_r.d.next = self.word_r.q.val();
        if self.in_payload.val() {
            self.word_r.d.next = self.filled.val();
        }
        self.write.next = self.in_payload.val();
        self.place.next = bits_to(self.at.q.val() >> 2, self.place_bits);
        self.word.next = self.filled.val();

        comment!("facts");
        self.sound_r.d.next = !self.bad.q.val()
            && (self.count.q.val() >= self.head_bytes.val())
            && (self.count.q.val() <= self.frame_bytes.val());
        self.fits_r.d.next = (self.total_r.q.val() >= self.least_total.val())
            && (self.end.q.val() <= bits_to(self.count.q.val(), 17));
        self.header_r.d.next = self.header.q.val().all();
        self.body_r.d.next = self.body.q.val().all();
        if self.reset.val() {
            self.within.d.next = false;
            self.ended_r.d.next = false;
        }
        self.ended.next = self.ended_r.q.val();
        self.own.next = self.own_r.q.val();
        self.sound.next = self.sound_r.q.val();
        self.fits.next = self.fits_r.q.val();
        self.header_right.next = self.header_r.q.val();
        self.body_right.next = self.body_r.q.val();
        self.total.next = self.total_r.q.val();
    }
}
