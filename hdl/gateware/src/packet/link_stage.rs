//! Pipeline stage of the parser for Ethernet types, tags and labels.

use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;

block! {
    /// Reads Ethernet types, VLAN tags and MPLS labels, two words a clock, and marks where the IP header begins.
    ///
    /// A tag or a label is one word, so two of them may begin in a beat. One of five flags says what the next word is read as; none is set before a frame's type and behind the last label.
    /// Outputs are registers: latency 1 clock. A word that is not `whole` ends its frame or is not read, and changes nothing that counts.
    /// `docs/packet.md`, "What a frame is to the parser". `reset` is synchronous and active high.
    pub struct LinkStage {
        about: About = About::new(
            "link_stage",
            "Types, tags and labels, two words a clock: marks where the IP header begins, a clock later.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub type_here: Wire<In> = Wire::default().doc("its second word holds the type of the frame"),
        pub whole: Vec<Wire<In>> = (0..LANES).map(|_| Wire::default().doc("the frame has the word, and the parser may read it")).collect(),
        pub tag: Vec<Wire<In>> = inputs(),
        pub label: Vec<Wire<In>> = inputs(),
        pub ipv4: Vec<Wire<In>> = inputs(),
        pub ipv6: Vec<Wire<In>> = inputs(),
        pub bottom: Vec<Wire<In>> = inputs(),
        pub is_4: Vec<Wire<In>> = inputs(),
        pub is_6: Vec<Wire<In>> = inputs(),
        pub fits_4: Vec<Wire<In>> = inputs(),
        pub begins: Vec<Wire<Out>> = (0..LANES).map(|_| Wire::default().doc("the word is the first of the IP header")).collect(),
        pub six: Wire<Out> = Wire::default().doc("of version 6"),
        pub fits: Wire<Out> = Wire::default().doc("its version is the one announced, and its lengths agree"),
        pub no_ip: Wire<Out> = Wire::default().doc("the parse has ended without IP"),
        // what the next word is read as
        type_r: Flag = Flag::default().doc("the next word holds a type"),
        label_r: Flag = Flag::default().doc("is a label"),
        version_r: Flag = Flag::default().doc("stands behind labels"),
        first_4_r: Flag = Flag::default().doc("is the first of an IPv4 header"),
        first_6_r: Flag = Flag::default().doc("of an IPv6 header"),
        ended: Flag = Flag::default().doc("the parse has ended without IP"),
        // what a word is read as, and the word behind both
        as_type: Vec<Wire<Local>> = locals(),
        as_label: Vec<Wire<Local>> = locals(),
        as_version: Vec<Wire<Local>> = locals(),
        as_first_4: Vec<Wire<Local>> = locals(),
        as_first_6: Vec<Wire<Local>> = locals(),
        ends: Wire<Local>,
        begins_r: Vec<Flag> = (0..LANES).map(|_| Flag::default()).collect(),
        six_r: Flag,
        fits_r: Flag,
        no_ip_r: Flag,
        lanes: usize = LANES,
    }

    fn default() {
        let inputs = || (0..LANES).map(|_| Wire::default()).collect();
        let locals = || (0..=LANES).map(|_| Wire::default()).collect();
    }
}

impl Logic for LinkStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("what each word is read as");
        self.as_type[0].next = self.type_r.q.val();
        self.as_label[0].next = self.label_r.q.val();
        self.as_version[0].next = self.version_r.q.val();
        self.as_first_4[0].next = self.first_4_r.q.val();
        self.as_first_6[0].next = self.first_6_r.q.val();
        self.as_type[1].next = (self.as_type[0].val() && self.tag[0].val()) || self.type_here.val();
        self.as_type[2].next = self.as_type[1].val() && self.tag[1].val();
        for i in 0..self.lanes {
            self.as_label[i + 1].next = (self.as_type[i].val() && self.label[i].val())
                || (self.as_label[i].val() && !self.bottom[i].val());
            self.as_version[i + 1].next = self.as_label[i].val() && self.bottom[i].val();
            self.as_first_4[i + 1].next = self.as_type[i].val() && self.ipv4[i].val();
            self.as_first_6[i + 1].next = self.as_type[i].val() && self.ipv6[i].val();
        }

        comment!("where the IP header begins, or that there is none");
        self.ends.next = self.ended.q.val();
        self.six_r.d.next = false;
        self.fits_r.d.next = false;
        for i in 0..self.lanes {
            self.begins_r[i].d.next = self.whole[i].val()
                && (self.as_first_4[i].val()
                    || self.as_first_6[i].val()
                    || (self.as_version[i].val() && (self.is_4[i].val() || self.is_6[i].val())));
            self.begins[i].next = self.begins_r[i].q.val();
            if self.as_first_6[i].val() || (self.as_version[i].val() && self.is_6[i].val()) {
                self.six_r.d.next = true;
            }
            if (self.as_first_4[i].val() && self.fits_4[i].val())
                || (self.as_first_6[i].val() && self.is_6[i].val())
                || (self.as_version[i].val() && (self.fits_4[i].val() || self.is_6[i].val()))
            {
                self.fits_r.d.next = true;
            }
            if self.whole[i].val()
                && ((self.as_type[i].val()
                    && !self.tag[i].val()
                    && !self.label[i].val()
                    && !self.ipv4[i].val()
                    && !self.ipv6[i].val())
                    || (self.as_version[i].val() && !self.is_4[i].val() && !self.is_6[i].val()))
            {
                self.ends.next = true;
            }
        }
        self.no_ip_r.d.next = self.ends.val();
        self.six.next = self.six_r.q.val();
        self.fits.next = self.fits_r.q.val();
        self.no_ip.next = self.no_ip_r.q.val();

        dff_setup!(self, clock, type_r, label_r, version_r, first_4_r, first_6_r, ended);
        if self.valid.val() {
            self.type_r.d.next = self.as_type[2].val();
            self.label_r.d.next = self.as_label[2].val();
            self.version_r.d.next = self.as_version[2].val();
            self.first_4_r.d.next = self.as_first_4[2].val();
            self.first_6_r.d.next = self.as_first_6[2].val();
            self.ended.d.next = self.ends.val();
        }
        if (self.valid.val() && self.last.val()) || self.reset.val() {
            self.type_r.d.next = false;
            self.label_r.d.next = false;
            self.version_r.d.next = false;
            self.first_4_r.d.next = false;
            self.first_6_r.d.next = false;
            self.ended.d.next = false;
        }
    }
}
