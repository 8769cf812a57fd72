//! Queue in distributed RAM with an output register.

use super::WideQueueMemory;
use crate::prelude::*;

block! {
    /// A queue: `valid`, `data` and `full` are registers. An entry pushed into an empty queue in clock t is out in clock t + 2; one entry a clock comes and goes.
    ///
    /// A push while `full` is 1 is lost, so nobody makes one. The register behind the memory is one more place.
    /// `reset` is synchronous and active high.
    pub struct Queue {
        about: About = About::new(name, format!("{text}\n{depth} entries, and one in the register behind them; an entry comes out two clocks after it came.")),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty"),
        pub push: Wire<In> = Wire::default().doc("an entry comes; not while full"),
        pub data_in: WideBus<In> = WideBus::<In>::new(width).doc("it"),
        pub full: Wire<Out> = Wire::default().doc("there is no place"),
        pub valid: Wire<Out> = Wire::default().doc("there is an entry"),
        pub data: WideBus<Out> = WideBus::<Out>::new(width).doc("the oldest"),
        pub take: Wire<In> = Wire::default().doc("the oldest is taken"),
        pub loads: Wire<Out> = Wire::default().doc("an entry leaves the memory"),
        memory: WideQueueMemory = WideQueueMemory::new(depth, width),
        write_place: Reg = Reg::new(place),
        read_place: Reg = Reg::new(place),
        ahead: Bus<Local> = Bus::new(place),
        some: Flag = Flag::default().doc("the memory holds an entry"),
        one: Flag = Flag::default().doc("it holds one entry, if any"),
        full_r: Flag,
        valid_r: Flag,
        data_r: WideReg = WideReg::new(width),
        free: Wire<Local>,
        load: Wire<Local>,
        storing: Wire<Local>,
        first: Const = Const::new(0, place),
    }

    /// A queue of `depth` entries (a power of two, 4 or more) of `width` bits, called `name`.
    pub fn new(name: &str, text: &str, depth: usize, width: usize) {
        let place = clog2(depth);
    }
}

impl Logic for Queue {
    #[hdl_gen]
    fn update(&mut self) {
        self.free.next = !self.valid_r.q.val() || self.take.val();
        self.load.next = self.some.q.val() && self.free.val();
        self.loads.next = self.load.val();
        self.storing.next = self.push.val() && !self.full_r.q.val();
        comment!("the place that is written next may be written before an entry comes: nobody reads it until then");
        self.memory.write_enable.next = !self.full_r.q.val();
        self.memory.write_address.next = self.write_place.q.val();
        self.memory.write_data.next = self.data_in.val();
        self.memory.read_address.next = self.read_place.q.val();
        self.write_place.d.next = self.write_place.q.val();
        self.read_place.d.next = self.read_place.q.val();
        comment!("entries in the memory, but for all of them, which look like none");
        self.ahead.next = self.write_place.q.val() - self.read_place.q.val();
        if self.storing.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        if self.load.val() {
            self.read_place.d.next = self.read_place.q.val() + 1;
        }
        comment!("load is the latest of these signals");
        self.full_r.d.next = (self.full_r.q.val()
            || (self.storing.val() && self.ahead.val().all()))
            && !self.load.val();
        self.some.d.next =
            self.storing.val() || (self.some.q.val() && !(self.one.q.val() && self.free.val()));
        self.one.d.next = self.one.q.val();
        if self.storing.val() && !self.load.val() {
            self.one.d.next = !self.some.q.val();
        }
        if self.load.val() && !self.storing.val() {
            self.one.d.next = self.ahead.val() == 2;
        }
        self.valid_r.d.next = self.load.val() || (self.valid_r.q.val() && !self.take.val());
        comment!("loaded without an entry, too: data counts while valid is 1");
        self.data_r.d.next = self.data_r.q.val();
        if self.free.val() {
            self.data_r.d.next = self.memory.read_data.val();
        }
        if self.reset.val() {
            self.write_place.d.next = self.first.val();
            self.read_place.d.next = self.first.val();
            self.some.d.next = false;
            self.full_r.d.next = false;
            self.valid_r.d.next = false;
        }
        self.full.next = self.full_r.q.val();
        self.valid.next = self.valid_r.q.val();
        self.data.next = self.data_r.q.val();
    }
}
