//! Queue in registers.

use crate::prelude::*;

block! {
    /// A short queue: `valid`, `data` and `full` are registers. An entry pushed into an empty queue in clock t is out in clock t + 2; one entry a clock comes and goes.
    ///
    /// ```text
    ///          +--> [ ] --+
    /// push --> |          +--> behind --> [ data ] --> take
    ///          +--> [ ] --+
    /// ```
    ///
    /// `even` and `odd` are written without regard to `take`, so their enables are not on its path. A decision that depends on the entry can be registered from `behind` before the entry
    /// is the oldest. A push while `full` is 1 is lost, so nobody makes one.
    /// `reset` is synchronous and active high.
    pub struct RegisterQueue {
        about: About = About::new(name, format!("{text}\nThree places in registers; an entry comes out two clocks after it came.")),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty"),
        pub push: Wire<In> = Wire::default().doc("an entry comes; not while full"),
        pub data_in: WideBus<In> = WideBus::<In>::new(width).doc("it"),
        pub full: Wire<Out> = Wire::default().doc("there is no place"),
        pub valid: Wire<Out> = Wire::default().doc("there is an entry"),
        pub data: WideBus<Out> = WideBus::<Out>::new(width).doc("the oldest"),
        pub behind: WideBus<Out> = WideBus::<Out>::new(width).doc("the entry after the oldest, if there is one"),
        pub take: Wire<In> = Wire::default().doc("the oldest is taken"),
        pub follows: Wire<Out> = Wire::default().doc("in the next clock data is what behind is now"),
        even: WideReg = WideReg::new(width).doc("entries 0, 2, 4 .."),
        odd: WideReg = WideReg::new(width).doc("entries 1, 3, 5 .."),
        write_odd: Flag = Flag::default().doc("the next entry is odd"),
        read_odd: Flag = Flag::default().doc("the entry after the oldest is odd"),
        some: Flag = Flag::default().doc("even or odd holds an entry"),
        full_r: Flag = Flag::default().doc("both hold one"),
        valid_r: Flag,
        data_r: WideReg = WideReg::new(width),
        second: WideBus<Local> = WideBus::<Local>::new(width),
        free: Wire<Local>,
        load: Wire<Local>,
    }

    /// A queue of entries of `width` bits, called `name`.
    pub fn new(name: &str, text: &str, width: usize) {}
}

impl Logic for RegisterQueue {
    #[hdl_gen]
    fn update(&mut self) {
        self.free.next = !self.valid_r.q.val() || self.take.val();
        self.load.next = self.some.q.val() && self.free.val();
        comment!("the place that is written next may be written before an entry comes");
        self.even.d.next = self.even.q.val();
        if !self.full_r.q.val() && !self.write_odd.q.val() {
            self.even.d.next = self.data_in.val();
        }
        self.odd.d.next = self.odd.q.val();
        if !self.full_r.q.val() && self.write_odd.q.val() {
            self.odd.d.next = self.data_in.val();
        }
        self.write_odd.d.next = self.write_odd.q.val() != self.push.val();
        self.read_odd.d.next = self.read_odd.q.val() != self.load.val();
        comment!("load is the latest of these signals");
        self.full_r.d.next =
            (self.full_r.q.val() || (self.some.q.val() && self.push.val())) && !self.load.val();
        self.some.d.next =
            (self.push.val() || self.full_r.q.val()) || (self.some.q.val() && !self.load.val());
        self.valid_r.d.next = self.some.q.val() || !self.free.val();
        self.second.next = self.even.q.val();
        if self.read_odd.q.val() {
            self.second.next = self.odd.q.val();
        }
        comment!("loaded without an entry, too: data counts while valid is 1");
        self.data_r.d.next = self.data_r.q.val();
        if self.free.val() {
            self.data_r.d.next = self.second.val();
        }
        if self.reset.val() {
            self.write_odd.d.next = false;
            self.read_odd.d.next = false;
            self.some.d.next = false;
            self.full_r.d.next = false;
            self.valid_r.d.next = false;
        }
        self.full.next = self.full_r.q.val();
        self.valid.next = self.valid_r.q.val();
        self.data.next = self.data_r.q.val();
        self.behind.next = self.second.val();
        self.follows.next = self.free.val();
    }
}
