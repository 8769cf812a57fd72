//! Queue of items between the hash unit and the tables.

use super::CuckooShape;
use crate::bus::SmallMemory;
use crate::prelude::*;

block! {
    /// Takes what leaves the hash unit while the stash is too full for more items at the tables; then those go on in order. An empty queue takes no clock.
    ///
    /// No item is accepted in a clock in which items are stopped, so that the queue never holds more than the hash unit has stages: an item that is accepted beside an empty last stage
    /// makes one more, and otherwise one goes on in the same clock. Rules: `docs/cuckoo-window.md`, "Queue before the tables".
    /// `clear` empties it.
    pub struct HoldQueue {
        about: About = About::new(
            "hold_queue",
            format!("Items that leave the hash unit while the stash is too full, at most {stages}; then they go on in order."),
        ),
        pub clock: Signal<In, Clock>,
        pub clear: Wire<In> = Wire::default().doc("empty it"),
        pub held: Wire<In> = Wire::default().doc("the stash might have no room for more: from the next clock on items are stopped"),
        pub arrives: Wire<In> = Wire::default().doc("an item leaves the hash unit"),
        pub data: Bus<In> = Bus::new(width).doc("what is known of it"),
        pub enters: Wire<Out> = Wire::default().doc("an item goes on to the tables"),
        pub entering: Bus<Out> = Bus::new(width).doc("what is known of that"),
        pub queued: Wire<Out> = Wire::default().doc("items wait"),
        stopped: Flag = Flag::default().doc("items are stopped"),
        waiting: Flag = Flag::default().doc("items wait"),
        first: Reg = Reg::new(place).doc("place of the first of them"),
        last: Reg = Reg::new(place).doc("place behind the last"),
        items: SmallMemory = SmallMemory::new("hold_memory", 1 << place, width),
        pops: Wire<Local>,
        pushes: Wire<Local>,
        next_first: Bus<Local> = Bus::new(place),
        place: usize = place,
    }

    /// The queue of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let stages = shape.hash_stages;
        let width = shape.held_bits();
        let place = clog2(stages.max(2));
    }
}

impl Logic for HoldQueue {
    #[hdl_gen]
    fn update(&mut self) {
        self.pops.next = self.waiting.q.val() && !self.stopped.q.val();
        self.pushes.next = self.arrives.val() && (self.waiting.q.val() || self.stopped.q.val());
        self.enters.next = !self.stopped.q.val() && (self.waiting.q.val() || self.arrives.val());
        self.entering.next = self.data.val();
        if self.waiting.q.val() {
            self.entering.next = self.items.read_data.val();
        }
        self.queued.next = self.waiting.q.val();

        comment!("places");
        self.items.write_enable.next = self.pushes.val();
        self.items.write_address.next = self.last.q.val();
        self.items.write_data.next = self.data.val();
        self.items.read_address.next = self.first.q.val();
        self.next_first.next = self.first.q.val() + 1;
        self.first.d.next = self.first.q.val();
        if self.pops.val() {
            self.first.d.next = self.next_first.val();
        }
        self.last.d.next = self.last.q.val();
        if self.pushes.val() {
            self.last.d.next = self.last.q.val() + 1;
        }
        self.waiting.d.next = self.pushes.val()
            || (self.waiting.q.val()
                && !(self.pops.val() && (self.next_first.val() == self.last.q.val())));
        self.stopped.d.next = self.held.val();
        if self.clear.val() {
            self.waiting.d.next = false;
            self.stopped.d.next = false;
            self.first.d.next = bits_to(0, self.place);
            self.last.d.next = bits_to(0, self.place);
        }
    }
}
