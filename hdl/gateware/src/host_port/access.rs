//! Carries out register accesses of the host port, one at a time, at the mailbox or over the bus.

use super::RequestTag;
use crate::bus::SECRET_BITS;
use crate::card::{Mailbox, MAILBOX};
use crate::prelude::*;
use bloomline_spec::host_port::{HOST_AUTH_LOADED, HOST_AUTH_TAGGED, HOST_BUS_CLOCKS};

block! {
    /// Carries out accesses: those of the mailbox here, all others over AXI4-Lite, with an end to waiting.
    ///
    /// ```text
    /// IDLE --> BUS --> CHECK --> IDLE      CHECK: the mailbox runs its CRC, over a request (then BUS if it is good) or the record
    ///      \-----------^  \--> BUS
    /// ```
    ///
    /// With tags an access to the device is made only by a request whose last word is the end of its tag: IDLE --> TAG --> CHECK, where TAG computes SipHash-2-4.
    ///
    /// An access that is late leaves the bus as AXI4-Lite asks; `stuck` is 1 until its response has come. `docs/host-port.md`, "Time".
    /// `reset` is synchronous and active high.
    pub struct HostAccess {
        about: About = About::new(
            "host_access",
            [
                "Accesses of the host port: to its mailbox, or over AXI4-Lite with an end to waiting.",
                "Accesses of the host port over AXI4-Lite, with an end to waiting: only by requests to its mailbox that have the right tag.",
            ][tagged],
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no access, and a record of nothing"),
        pub start: Wire<In> = Wire::default().doc("an access; not while one is made, nor while stuck"),
        pub write: Wire<In> = Wire::default().doc("it writes"),
        pub address: Bus<In> = Bus::new(30).doc("its address in words"),
        pub word: Bus<In> = Bus::new(32).doc("what it writes"),
        pub done: Wire<Out> = Wire::default().doc("it is made"),
        pub late: Wire<Out> = Wire::default().doc("with done: there was no response in time"),
        pub data: Bus<Out> = Bus::new(32).doc("with done: what was read"),
        pub stuck: Wire<Out> = Wire::default().doc("the bus owes a response"),
        pub secret: Vec<Bus<In>> = (0..tagged).map(|_| Bus::new(SECRET_BITS).doc("secret of the tags")).collect(),
        pub locked: Vec<Wire<In>> = (0..tagged).map(|_| Wire::default().doc("there is none")).collect(),
        pub axil: Axil<Master> = Axil::port(address).named(""),
        tags: Vec<RequestTag> = (0..tagged).map(|_| Default::default()).collect(),
        mail: Mailbox = Mailbox::with_tags(address, tagged),
        state: Reg = Reg::new(2),
        requested: Flag = Flag::default().doc("the check is that of a request"),
        open: Flag = Flag::default().doc("an access is on the bus"),
        address_sent: Flag = Flag::default().doc("the device has the address"),
        data_sent: Flag = Flag::default().doc("the device has the data"),
        age: Reg = Reg::new(late_bit + 1).doc("clocks on the bus"),
        done_r: Flag,
        late_r: Flag,
        data_r: Reg = Reg::new(32),
        in_bus: Wire<Local>,
        in_check: Wire<Local>,
        at_mailbox: Wire<Local>,
        of_request: Wire<Local>,
        of_record: Wire<Local>,
        begins: Wire<Local> = Wire::default().doc("an access to the device begins in the next clock"),
        answered: Wire<Local> = Wire::default().doc("its response is here"),
        finished: Wire<Local>,
        response: Bus<Local> = Bus::new(2),
        read_data: Bus<Local> = Bus::new(32),
        idle: Const = state(0, "IDLE"),
        bus: Const = state(1, "BUS"),
        check: Const = state(2, "CHECK"),
        none: Const = Const::new(1, 2).doc("no response"),
        mailbox_address: Const = Const::new(MAILBOX, 26).doc("of 16 words"),
        all_strobes: Const = Const::new(0xF, 4),
        zero: Const = Const::new(0, 32),
        no_age: Const = Const::new(0, late_bit + 1),
        late_bit: usize = late_bit,
        of_tag: Vec<Wire<Local>> = wires("one of the words of a tag is written"),
        of_last: Vec<Wire<Local>> = wires("the last of them"),
        of_auth: Vec<Wire<Local>> = wires("the word is read that says that tags are needed"),
        tag_high: Vec<Reg> = words("the request's tag, high half"),
        tag_low: Vec<Reg> = words("and low half"),
        tag_right: Vec<Wire<Local>> = wires("the tag is that of the request under the secret"),
        auth: Vec<Const> = (0..tagged).map(|_| Const::new(HOST_AUTH_TAGGED.into(), 32)).collect(),
        auth_loaded: Vec<Const> = (0..tagged)
            .map(|_| Const::new((HOST_AUTH_TAGGED | 1 << HOST_AUTH_LOADED).into(), 32))
            .collect(),
        tagging: Vec<Const> = (0..tagged).map(|_| state(3, "TAG")).collect(),
        tagged: usize = tagged,
    }

    /// To registers at byte addresses of `address` bits, for whoever can send where `tagged` is 0; where it is 1, for requests with the right tag.
    pub fn new(address: usize, tagged: usize) {
        let late_bit = clog2(HOST_BUS_CLOCKS as usize);
        let state = |value: u128, doc: &str| Const::new(value, 2).doc(doc);
        let wires = |doc: &str| (0..tagged).map(|_| Wire::default().doc(doc)).collect();
        let words = |doc: &str| (0..tagged).map(|_| Reg::new(32).doc(doc)).collect();
    }
}

impl Logic for HostAccess {
    #[hdl_gen]
    fn update(&mut self) {
        self.in_bus.next = self.state.q.val() == self.bus.val();
        self.in_check.next = self.state.q.val() == self.check.val();
        self.state.d.next = self.state.q.val();
        self.requested.d.next = self.requested.q.val();
        self.data_r.d.next = self.data_r.q.val();
        self.late_r.d.next = self.late_r.q.val();
        self.done_r.d.next = false;

        comment!("to the mailbox, or over the bus");
        self.at_mailbox.next = bits_to(self.address.val() >> 4, 26) == self.mailbox_address.val();
        self.of_request.next =
            self.at_mailbox.val() && self.write.val() && (bits_to(self.address.val(), 4) < 6);
        self.of_record.next = self.at_mailbox.val()
            && !self.write.val()
            && (bits_to(self.address.val(), 4) >= 8)
            && (bits_to(self.address.val(), 4) < 13);
        self.mail.reset.next = self.reset.val();
        self.mail.place.next = bits_to(self.address.val(), 3);
        self.mail.keep.next = self.start.val() && self.of_request.val();
        self.mail.word.next = self.word.val();
        self.mail.start.next = self.start.val() && !self.of_request.val() && !self.of_record.val();
        if self.tagged == 1 {
            self.mail.start.next = false;
        }
        self.mail.start_write.next = self.write.val();
        self.mail.start_address.next = self.address.val();
        self.begins.next = self.mail.good.val()
            || (self.start.val() && !self.of_request.val() && !self.of_record.val());
        if self.tagged == 1 {
            self.begins.next = self.mail.good.val();
        }
        if self.start.val() {
            self.late_r.d.next = false;
            self.requested.d.next = true;
            self.state.d.next = self.bus.val();
            if self.of_request.val() {
                self.state.d.next = self.idle.val();
                self.done_r.d.next = true;
                if bits_to(self.address.val(), 3) == 5 {
                    self.state.d.next = self.check.val();
                    self.done_r.d.next = false;
                }
            }
            if self.of_record.val() {
                self.state.d.next = self.idle.val();
                self.done_r.d.next = true;
                self.data_r.d.next = self.mail.fetched.val();
            }
        }

        for t in 0..self.tagged {
            comment!("a request is complete with its tag; anything else does nothing");
            self.of_tag[t].next = self.at_mailbox.val()
                && self.write.val()
                && (bits_to(self.address.val() >> 1, 3) == 3);
            self.of_last[t].next = self.of_tag[t].val() && self.address.val().get_bit(0);
            self.of_auth[t].next = self.at_mailbox.val()
                && !self.write.val()
                && (bits_to(self.address.val(), 4) == 13);
            self.tag_high[t].d.next = self.tag_high[t].q.val();
            self.tag_low[t].d.next = self.tag_low[t].q.val();
            if self.start.val() && !self.of_record.val() {
                self.state.d.next = self.idle.val();
                self.done_r.d.next = true;
                self.data_r.d.next = self.zero.val();
            }
            if self.start.val() && self.of_auth[t].val() {
                self.data_r.d.next = self.auth[t].val();
                if !self.locked[t].val() {
                    self.data_r.d.next = self.auth_loaded[t].val();
                }
            }
            if self.start.val() && self.of_tag[t].val() {
                if self.of_last[t].val() {
                    self.tag_low[t].d.next = self.word.val();
                    self.state.d.next = self.tagging[t].val();
                    self.done_r.d.next = false;
                } else {
                    self.tag_high[t].d.next = self.word.val();
                }
            }
            self.tags[t].reset.next = self.reset.val();
            self.tags[t].start.next = self.start.val() && self.of_last[t].val();
            self.tags[t].message.next = self.mail.message[t].val();
            self.tags[t].secret.next = self.secret[t].val();
            self.tag_right[t].next = (self.tags[t].tag.val()
                == ((bits_to(self.tag_high[t].q.val(), 64) << 32)
                    | bits_to(self.tag_low[t].q.val(), 64)))
                && !self.locked[t].val();
            if self.tags[t].done.val() {
                self.state.d.next = self.check.val();
                if !self.tag_right[t].val() {
                    self.state.d.next = self.idle.val();
                    self.done_r.d.next = true;
                }
            }
        }

        comment!("bus");
        self.axil.awvalid.next = self.open.q.val()
            && self.mail.write.val()
            && !self.mail.outside.val()
            && !self.address_sent.q.val();
        self.axil.wvalid.next = self.open.q.val()
            && self.mail.write.val()
            && !self.mail.outside.val()
            && !self.data_sent.q.val();
        self.axil.arvalid.next = self.open.q.val()
            && !self.mail.write.val()
            && !self.mail.outside.val()
            && !self.address_sent.q.val();
        self.axil.awaddr.next = self.mail.address.val();
        self.axil.araddr.next = self.mail.address.val();
        self.axil.wdata.next = self.mail.data.val();
        self.axil.wstrb.next = self.all_strobes.val();
        self.axil.bready.next = self.open.q.val() && self.mail.write.val();
        self.axil.rready.next = self.open.q.val() && !self.mail.write.val();
        self.answered.next = self.open.q.val()
            && ((self.mail.write.val() && self.axil.bvalid.val())
                || (!self.mail.write.val() && self.axil.rvalid.val()));
        self.open.d.next = self.open.q.val();
        self.address_sent.d.next = self.address_sent.q.val()
            || (self.axil.awvalid.val() && self.axil.awready.val())
            || (self.axil.arvalid.val() && self.axil.arready.val());
        self.data_sent.d.next =
            self.data_sent.q.val() || (self.axil.wvalid.val() && self.axil.wready.val());
        self.age.d.next = self.age.q.val() + 1;
        self.finished.next = self.in_bus.val()
            && (self.mail.outside.val()
                || self.answered.val()
                || self.age.q.val().get_bit(self.late_bit));
        if self.answered.val() || (self.in_bus.val() && self.mail.outside.val()) {
            self.open.d.next = false;
        }
        self.response.next = self.none.val();
        self.read_data.next = self.zero.val();
        if self.answered.val() {
            self.response.next = self.axil.rresp.val();
            if self.mail.write.val() {
                self.response.next = self.axil.bresp.val();
            } else if !self.axil.rresp.val().any() {
                self.read_data.next = self.axil.rdata.val();
            }
        }
        self.mail.finish.next = self.finished.val();
        self.mail.response.next = self.response.val();
        self.mail.read_data.next = self.read_data.val();
        if self.finished.val() {
            self.requested.d.next = false;
            self.data_r.d.next = self.read_data.val();
            self.late_r.d.next = !self.mail.outside.val() && !self.answered.val();
            self.state.d.next = self.check.val();
        }

        comment!("check");
        self.mail.checking.next = self.in_check.val();
        self.mail.of_request.next = self.requested.q.val();
        if self.mail.over.val() {
            self.state.d.next = self.idle.val();
            self.done_r.d.next = true;
            if self.mail.good.val() {
                self.state.d.next = self.bus.val();
                self.done_r.d.next = false;
            }
        }
        if self.begins.val() {
            self.open.d.next = true;
            self.address_sent.d.next = false;
            self.data_sent.d.next = false;
            self.age.d.next = self.no_age.val();
        }
        if self.reset.val() {
            self.state.d.next = self.idle.val();
            self.open.d.next = false;
            self.done_r.d.next = false;
            if self.tagged == 1 {
                comment!("the count stays, so the record's check is made anew");
                self.state.d.next = self.check.val();
                self.requested.d.next = false;
            }
        }
        self.done.next = self.done_r.q.val();
        self.late.next = self.late_r.q.val();
        self.data.next = self.data_r.q.val();
        self.stuck.next = self.open.q.val();
    }
}
