//! Times the second pass of an insertion (conservative update).

use crate::prelude::*;

block! {
    /// Follows an item that inserts: k - 1 more probes that look, four clocks in which the least of them becomes known, k probes that raise.
    ///
    /// ```text
    /// clock     t        t + 1  ...  t + k - 1   ...   t + k + 4 ... t + 2 k + 3   t + 2 k + 4
    ///           start    busy                          busy, raising               next item
    /// probes    look 0   1           k - 1             raise 0       k - 1
    /// ```
    ///
    /// Source: `docs/cells.md`, "Conservative update".
    /// `reset` is synchronous and active high.
    pub struct RaiseTimer {
        about: About = About::new(
            "raise_timer",
            "Follows an item that inserts: it has the array until its last raise, and then the next item comes.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("forget it"),
        pub start: Wire<In> = Wire::default().doc("an item that inserts is accepted"),
        pub raising: Wire<Out> = Wire::default().doc("issue the next raise"),
        pub busy: Wire<Out> = Wire::default().doc("the item holds up the next one (left counts on)"),
        pub more: Wire<Out> = Wire::default().doc("in the next clock too"),
        left: Reg = Reg::new(width).doc("clocks, this one included, in which it does"),
        busy_r: Flag,
        more_r: Flag,
        raising_r: Flag,
        clocks_behind: Const = Const::new(behind as u128, width),
        before_raises: Const = Const::new(shape.hashes as u128 + 1, width)
            .doc("clocks left in the one before the first raise"),
    }

    /// The timer of a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let behind = shape.raise + shape.hashes - 1;
        let width = width_of(behind);
    }
}

impl Logic for RaiseTimer {
    #[hdl_gen]
    fn update(&mut self) {
        self.left.d.next = self.left.q.val() - 1;
        self.busy_r.d.next = self.more_r.q.val();
        self.more_r.d.next = self.more_r.q.val() && (self.left.q.val() != 2);
        self.raising_r.d.next = self.more_r.q.val()
            && (self.raising_r.q.val() || (self.left.q.val() == self.before_raises.val()));
        if self.start.val() {
            self.left.d.next = self.clocks_behind.val();
            self.busy_r.d.next = true;
            self.more_r.d.next = true;
        }
        if self.reset.val() {
            self.busy_r.d.next = false;
            self.more_r.d.next = false;
            self.raising_r.d.next = false;
        }
        self.busy.next = self.busy_r.q.val();
        self.more.next = self.more_r.q.val();
        self.raising.next = self.raising_r.q.val();
    }
}
