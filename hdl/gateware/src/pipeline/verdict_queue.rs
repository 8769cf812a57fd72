//! Output queue of the verdict stream.

use crate::bus::SmallMemory;
use crate::prelude::*;

/// Fewest places that are built.
pub const LEAST_QUEUE: usize = bloomline_spec::VERDICT_QUEUE_DEPTHS.0 as usize;

/// Where there is no queue: the tags of the slots, each of which is at the port `clocks` clocks after its item was accepted, with the verdict. It has no
/// reset: `tvalid` says which tags are those of verdicts.
pub fn tag_line(queued: bool, tag_bits: usize, clocks: usize) -> Optional<Delay> {
    Optional::new(!queued, Delay::new(tag_bits, clocks))
}

block! {
    /// Verdicts wait here for the stream; an item is admitted only while its verdict is sure of a place.
    ///
    /// Tags enter at admission, flags at the decision, both in order, so that tags need not travel along the pipeline.
    /// Timing: a verdict pushed into an empty queue is on the stream two clocks later; made with a bypass, one clock later.
    /// `reset` is synchronous and active high.
    pub struct VerdictQueue {
        about: About = About::new(
            "verdict_queue",
            format!("Queue of {depth} verdicts. An item is admitted only while its verdict is sure of a place, so the pipeline never stops.\nTags enter at admission, flags at the decision, both in order."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty"),
        pub claim: Wire<In> = Wire::default().doc("an item that wants a verdict is accepted"),
        pub tag: Bus<In> = Bus::new(tag_bits).doc("its tag"),
        pub push: Wire<In> = Wire::default().doc("the oldest claimed verdict is known"),
        pub flags: Bus<In> = Bus::new(verdict_bits).doc(format!("verdict: {contents}")),
        pub ready: Wire<In> = Wire::default().doc("the stream takes the beat"),
        pub valid: Wire<Out> = Wire::default().doc("a beat is offered"),
        pub data: Bus<Out> = Bus::new(verdict_bits).doc("its verdict"),
        pub data_tag: Bus<Out> = Bus::new(tag_bits).doc("its tag"),
        pub credit: Wire<Out> = Wire::default().doc("places are left for items accepted from here on"),
        pub restart: Vec<Wire<In>>,
        pub answers_odd: Vec<Wire<In>>,
        pub trouble: Vec<Wire<Out>>,
        tags: SmallMemory = SmallMemory::new("queue_memory", depth, tag_bits),
        verdicts: SmallMemory = SmallMemory::new("queue_memory", depth, verdict_bits),
        tag_in: Reg = Reg::new(address),
        verdict_in: Reg = Reg::new(address),
        out: Reg = Reg::new(address),
        used: Reg = Reg::new(count),
        some: Flag = Flag::default().doc("used > 0"),
        single: Flag = Flag::default().doc("used = 1"),
        claimed: Flag,
        claimed_tag: Reg = Reg::new(tag_bits),
        loaded: Flag,
        outstanding: Reg = Reg::new(count).doc("claimed and not loaded, a clock late"),
        valid_r: Flag,
        data_r: Reg = Reg::new(verdict_bits),
        tag_r: Reg = Reg::new(tag_bits),
        credit_r: Flag = Flag::with_init(true),
        load: Wire<Local>,
        held: Vec<Bus<Local>>,
        promised: Vec<Bus<Local>>,
        in_step: Vec<Wire<Local>>,
        no_address: Const = Const::new(0, address),
        no_count: Const = Const::new(0, count),
        most: Const = Const::new(depth as u128 - 4, count).doc("places that may be claimed when ready is decided: four more items may follow"),
        address: usize = address,
        bypass: bool = false,
        checks: usize = 0,
    }

    /// A queue of `depth` entries (a power of two), each a tag of `tag_bits` and a verdict of `verdict_bits`, described by `contents`.
    pub fn new(depth: usize, tag_bits: usize, verdict_bits: usize, contents: &str) {
        let address = clog2(depth);
        let count = width_of(depth);
    }
}

impl VerdictQueue {
    /// The queue with a bypass: a verdict that meets it empty is offered at once.
    pub fn with_bypass(mut self) -> Self {
        self.bypass = true;
        self
    }

    /// The queue with a check of its places and counts, and a restart.
    pub fn with_self_check(mut self) -> Self {
        self.restart = vec![Wire::default()
            .doc("empty, but for the beat that is offered; nothing is on its way here")];
        self.answers_odd = vec![
            Wire::default().doc("an odd number of slots ahead of the decision wants a verdict")
        ];
        self.trouble = vec![Wire::default().doc("places and counts contradict each other")];
        self.held = vec![Bus::new(self.address)];
        self.promised = vec![Bus::new(self.address)];
        self.in_step = vec![Wire::default()];
        self.checks = 1;
        self
    }
}

impl Logic for VerdictQueue {
    #[hdl_gen]
    fn update(&mut self) {
        if self.bypass {
            comment!("a verdict that comes to an empty queue goes straight to the stream");
            self.load.next = (self.some.q.val() || self.push.val())
                && (!self.valid_r.q.val() || self.ready.val());
        } else {
            self.load.next = self.some.q.val() && (!self.valid_r.q.val() || self.ready.val());
        }

        self.claimed.d.next = self.claim.val() && !self.reset.val();
        self.claimed_tag.d.next = self.tag.val();
        self.loaded.d.next = self.load.val() && !self.reset.val();
        self.tags.write_enable.next = self.claimed.q.val();
        self.tags.write_address.next = self.tag_in.q.val();
        self.tags.write_data.next = self.claimed_tag.q.val();
        self.tags.read_address.next = self.out.q.val();
        self.verdicts.write_enable.next = self.push.val();
        self.verdicts.write_address.next = self.verdict_in.q.val();
        self.verdicts.write_data.next = self.flags.val();
        self.verdicts.read_address.next = self.out.q.val();

        self.tag_in.d.next = self.tag_in.q.val();
        if self.claimed.q.val() {
            self.tag_in.d.next = self.tag_in.q.val() + 1;
        }
        self.verdict_in.d.next = self.verdict_in.q.val();
        if self.push.val() {
            self.verdict_in.d.next = self.verdict_in.q.val() + 1;
        }
        self.out.d.next = self.out.q.val();
        self.data_r.d.next = self.data_r.q.val();
        self.tag_r.d.next = self.tag_r.q.val();
        self.valid_r.d.next = self.valid_r.q.val() && !self.ready.val();
        if self.load.val() {
            self.out.d.next = self.out.q.val() + 1;
            self.data_r.d.next = self.verdicts.read_data.val();
            if self.bypass {
                if !self.some.q.val() {
                    self.data_r.d.next = self.flags.val();
                }
            }
            self.tag_r.d.next = self.tags.read_data.val();
            self.valid_r.d.next = true;
        }

        self.used.d.next = self.used.q.val();
        self.some.d.next = self.some.q.val();
        self.single.d.next = self.single.q.val();
        if self.push.val() && !self.load.val() {
            self.used.d.next = self.used.q.val() + 1;
            self.some.d.next = true;
            self.single.d.next = !self.some.q.val();
        } else if !self.push.val() && self.load.val() {
            self.used.d.next = self.used.q.val() - 1;
            self.some.d.next = !self.single.q.val();
            self.single.d.next = self.used.q.val() == 2;
        }
        self.outstanding.d.next = self.outstanding.q.val();
        if self.claimed.q.val() && !self.loaded.q.val() {
            self.outstanding.d.next = self.outstanding.q.val() + 1;
        } else if !self.claimed.q.val() && self.loaded.q.val() {
            self.outstanding.d.next = self.outstanding.q.val() - 1;
        }
        self.credit_r.d.next = self.outstanding.q.val() <= self.most.val();

        for c in 0..self.checks {
            comment!("self-check: verdicts held and promised, by places and by counts; tags and verdicts differ by what is on its way");
            self.held[c].next = self.verdict_in.q.val() - self.out.q.val();
            self.promised[c].next =
                self.tag_in.q.val() - self.out.q.val() + bits_of(self.loaded.q.val(), self.address);
            self.in_step[c].next = (self.tag_in.q.val().get_bit(0) != self.claimed.q.val())
                == ((self.verdict_in.q.val().get_bit(0) != self.push.val())
                    != self.answers_odd[c].val());
            self.trouble[c].next = !self.in_step[c].val()
                || (self.held[c].val() != bits_to(self.used.q.val(), self.address))
                || (self.promised[c].val() != bits_to(self.outstanding.q.val(), self.address))
                || (self.some.q.val() != self.used.q.val().any())
                || (self.single.q.val() != (self.used.q.val() == 1));
            if self.restart[c].val() {
                self.tag_in.d.next = self.no_address.val();
                self.verdict_in.d.next = self.no_address.val();
                self.out.d.next = self.no_address.val();
                self.used.d.next = self.no_count.val();
                self.some.d.next = false;
                self.single.d.next = false;
                self.claimed.d.next = false;
                self.loaded.d.next = false;
                self.outstanding.d.next = self.no_count.val();
                self.credit_r.d.next = true;
            }
        }
        if self.reset.val() {
            self.tag_in.d.next = self.no_address.val();
            self.verdict_in.d.next = self.no_address.val();
            self.out.d.next = self.no_address.val();
            self.used.d.next = self.no_count.val();
            self.some.d.next = false;
            self.single.d.next = false;
            self.outstanding.d.next = self.no_count.val();
            self.valid_r.d.next = false;
            self.credit_r.d.next = true;
        }
        self.valid.next = self.valid_r.q.val();
        self.data.next = self.data_r.q.val();
        self.data_tag.next = self.tag_r.q.val();
        self.credit.next = self.credit_r.q.val();
    }
}
