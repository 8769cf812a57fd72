//! Pipeline stage of the parser for extension headers and ports.

use super::fields::{header, RING};
use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;

block! {
    /// Walks from the IP header over its extensions to the ports, two words a clock.
    ///
    /// Every header is at least two words, so at most one begins in a beat. Where it begins is one bit of a shift register that moves by two words a beat; a header that begins sets the bit of the next one.
    /// Outputs are registers: latency 1 clock; `waits` and `malformed` say what holds behind the beat. `docs/packet.md`, "What a frame is to the parser".
    /// `reset` is synchronous and active high.
    pub struct ExtensionStage {
        about: About = About::new(
            "extension_stage",
            "Walks from the IP header over its extensions to the ports, two words a clock; what begins in a beat comes a clock later.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub begins: Wire<In> = Wire::default().doc("the IP header begins in it"),
        pub reach: Bus<In> = Bus::new(RING).doc("bit i: the word behind that header stands i words behind the beat"),
        pub known: Wire<In> = Wire::default().doc("what follows it is known"),
        pub options: Wire<In> = Wire::default().doc("an extension of 8 (b + 1) bytes"),
        pub authentication: Wire<In> = Wire::default().doc("one of 4 (b + 2) bytes"),
        pub fragment: Wire<In> = Wire::default().doc("one of 8 bytes"),
        pub ports: Wire<In>,
        pub six: Wire<In> = Wire::default().doc("the IP header is of version 6"),
        pub whole: Vec<Wire<In>> = flags(),
        pub size: Vec<Bus<In>> = (0..LANES).map(|_| Bus::new(RING).doc("bit i: b of an extension that begins here is i")).collect(),
        pub high: Vec<Bus<In>> = (0..LANES).map(|_| Bus::new(header::BITS).doc("kind of the header that follows it")).collect(),
        pub fragment_6: Vec<Wire<In>> = (0..LANES).map(|_| Wire::default().doc("as a fragment header: not the first fragment")).collect(),
        pub at_options: Vec<Wire<Out>> = outputs("the word is the first of an extension of 8 (b + 1) bytes"),
        pub at_authentication: Vec<Wire<Out>> = outputs("of one of 4 (b + 2) bytes"),
        pub at_fragment: Vec<Wire<Out>> = outputs("of one of 8 bytes"),
        pub at_ports: Vec<Wire<Out>> = outputs("the word holds the ports"),
        pub waits: Wire<Out> = Wire::default().doc("a word is still to be read behind the IP header"),
        pub malformed: Wire<Out> = Wire::default().doc("a hop-by-hop header stands behind an extension"),
        // bit i: the next header begins i words on; and what it is
        ring: Reg = Reg::new(RING).doc("bit i: the next header begins with word i of the next beat"),
        options_r: Flag = Flag::default().doc("it is an extension of 8 (b + 1) bytes"),
        authentication_r: Flag = Flag::default().doc("one of 4 (b + 2) bytes"),
        fragment_r: Flag = Flag::default().doc("one of 8 bytes"),
        ports_r: Flag = Flag::default().doc("it begins with the ports"),
        wrong_r: Flag = Flag::default().doc("it must not stand there"),
        // what begins in this beat
        here: Vec<Wire<Local>> = locals(),
        options_here: Vec<Wire<Local>> = locals(),
        authentication_here: Vec<Wire<Local>> = locals(),
        fragment_here: Vec<Wire<Local>> = locals(),
        goes_on: Vec<Wire<Local>> = (0..LANES).map(|_| Wire::default().doc("an extension begins, and the header behind it is looked at")).collect(),
        behind_options: Vec<Bus<Local>> = rings(),
        behind_authentication: Vec<Bus<Local>> = rings(),
        behind_fragment: Vec<Const> = (0..LANES).map(|lane| Const::new(1 << lane, RING)).collect(),
        // behind it
        ring_next: Bus<Local> = Bus::new(RING),
        options_next: Wire<Local>,
        authentication_next: Wire<Local>,
        fragment_next: Wire<Local>,
        ports_next: Wire<Local>,
        wrong_next: Wire<Local>,
        at_options_r: Vec<Flag> = registers(),
        at_authentication_r: Vec<Flag> = registers(),
        at_fragment_r: Vec<Flag> = registers(),
        at_ports_r: Vec<Flag> = registers(),
        waits_r: Flag,
        malformed_r: Flag,
        no_ring: Const = Const::new(0, RING),
        hops_bit: usize = header::HOPS,
        options_bit: usize = header::OPTIONS,
        fragment_bit: usize = header::FRAGMENT,
        authentication_bit: usize = header::AUTHENTICATION,
        ports_bit: usize = header::PORTS,
        lanes: usize = LANES,
        ring_bits: usize = RING,
        half_ring: usize = RING / LANES,
    }

    fn default() {
        let flags = || (0..LANES).map(|_| Wire::default()).collect();
        let outputs = |text: &str| (0..LANES).map(|_| Wire::default().doc(text)).collect();
        let locals = || (0..LANES).map(|_| Wire::default()).collect();
        let registers = || (0..LANES).map(|_| Flag::default()).collect();
        let rings = || (0..LANES).map(|_| Bus::new(RING)).collect();
    }
}

impl Logic for ExtensionStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("what begins in this beat");
        for i in 0..self.lanes {
            self.here[i].next = self.ring.q.val().get_bit(i) && self.whole[i].val();
            self.options_here[i].next = self.here[i].val() && self.options_r.q.val();
            self.authentication_here[i].next = self.here[i].val() && self.authentication_r.q.val();
            self.fragment_here[i].next = self.here[i].val() && self.fragment_r.q.val();
            self.at_options_r[i].d.next = self.options_here[i].val();
            self.at_options[i].next = self.at_options_r[i].q.val();
            self.at_authentication_r[i].d.next = self.authentication_here[i].val();
            self.at_authentication[i].next = self.at_authentication_r[i].q.val();
            self.at_fragment_r[i].d.next = self.fragment_here[i].val();
            self.at_fragment[i].next = self.at_fragment_r[i].q.val();
            self.at_ports_r[i].d.next = self.here[i].val() && self.ports_r.q.val();
            self.at_ports[i].next = self.at_ports_r[i].q.val();
            self.goes_on[i].next = self.options_here[i].val()
                || self.authentication_here[i].val()
                || (self.fragment_here[i].val() && !self.fragment_6[i].val());
        }

        comment!("where the next header begins");
        self.ring_next.next = self.ring.q.val() >> 2;
        if self.begins.val() {
            self.ring_next.next = self.reach.val();
        }
        for i in 0..self.lanes {
            self.behind_options[i].next = self.no_ring.val();
            for b in 0..self.half_ring {
                self.behind_options[i].next = self.behind_options[i].val()
                    | (bits_of(self.size[i].val().get_bit(b), self.ring_bits) << (2 * b + i));
            }
            self.behind_authentication[i].next = self.size[i].val() << i;
            if self.options_here[i].val() {
                self.ring_next.next = self.ring_next.val() | self.behind_options[i].val();
            }
            if self.authentication_here[i].val() {
                self.ring_next.next = self.ring_next.val() | self.behind_authentication[i].val();
            }
            if self.fragment_here[i].val() {
                self.ring_next.next = self.ring_next.val() | self.behind_fragment[i].val();
            }
        }

        comment!("what it is");
        self.options_next.next = self.options_r.q.val();
        self.authentication_next.next = self.authentication_r.q.val();
        self.fragment_next.next = self.fragment_r.q.val();
        self.ports_next.next = self.ports_r.q.val();
        self.wrong_next.next = self.wrong_r.q.val();
        if self.known.val() {
            self.options_next.next = self.options.val();
            self.authentication_next.next = self.authentication.val();
            self.fragment_next.next = self.fragment.val();
            self.ports_next.next = self.ports.val();
        }
        for i in 0..self.lanes {
            if self.here[i].val() {
                self.options_next.next = self.goes_on[i].val()
                    && self.six.val()
                    && self.high[i].val().get_bit(self.options_bit);
                self.authentication_next.next =
                    self.goes_on[i].val() && self.high[i].val().get_bit(self.authentication_bit);
                self.fragment_next.next = self.goes_on[i].val()
                    && self.six.val()
                    && self.high[i].val().get_bit(self.fragment_bit);
                self.ports_next.next =
                    self.goes_on[i].val() && self.high[i].val().get_bit(self.ports_bit);
                self.wrong_next.next = self.wrong_r.q.val()
                    || (self.goes_on[i].val()
                        && self.six.val()
                        && self.high[i].val().get_bit(self.hops_bit));
            }
        }
        self.waits_r.d.next = self.options_next.val()
            || self.authentication_next.val()
            || self.fragment_next.val()
            || self.ports_next.val();
        self.waits.next = self.waits_r.q.val();
        self.malformed_r.d.next = self.wrong_next.val();
        self.malformed.next = self.malformed_r.q.val();

        dff_setup!(
            self,
            clock,
            ring,
            options_r,
            authentication_r,
            fragment_r,
            ports_r,
            wrong_r
        );
        if self.valid.val() {
            self.ring.d.next = self.ring_next.val();
            self.options_r.d.next = self.options_next.val();
            self.authentication_r.d.next = self.authentication_next.val();
            self.fragment_r.d.next = self.fragment_next.val();
            self.ports_r.d.next = self.ports_next.val();
            self.wrong_r.d.next = self.wrong_next.val();
        }
        if (self.valid.val() && self.last.val()) || self.reset.val() {
            self.ring.d.next = self.no_ring.val();
            self.options_r.d.next = false;
            self.authentication_r.d.next = false;
            self.fragment_r.d.next = false;
            self.ports_r.d.next = false;
            self.wrong_r.d.next = false;
        }
    }
}
