//! Receive queue of the UART bridge.

use crate::bus::SmallMemory;
use crate::prelude::*;
use bloomline_spec::UART_QUEUE_BYTES;

block! {
    /// The queue behind the receiver. A byte that meets a full queue is dropped; head and any are registers, so a byte that comes in clock t is shown in t + 2,
    /// and so is the one behind a byte that is taken in t.
    ///
    /// Timing: `docs/card.md`, "UART".
    /// `reset` is synchronous and active high.
    pub struct ByteQueue {
        about: About = About::new(
            "byte_queue",
            format!("Queue of {depth} bytes; one that meets it full is dropped. A byte is at head two clocks after it came, or after the one before it was taken."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty"),
        pub received: Wire<In> = Wire::default().doc("a byte comes"),
        pub data: Bus<In> = Bus::new(8).doc("it"),
        pub take: Wire<In> = Wire::default().doc("the oldest byte is taken; only if it is shown"),
        pub any: Wire<Out> = Wire::default().doc("a byte is shown"),
        pub head: Bus<Out> = Bus::new(8).doc("the oldest"),
        pub dropped: Wire<Out> = Wire::default().doc("the byte that comes meets a full queue"),
        bytes: SmallMemory = SmallMemory::new("queue_memory", depth, 8),
        write_place: Reg = Reg::new(place),
        read_place: Reg = Reg::new(place),
        some: Flag,
        full: Flag,
        any_r: Flag,
        head_r: Reg = Reg::new(8),
        ahead: Bus<Local> = Bus::new(place),
        storing: Wire<Local>,
        first: Const = Const::new(0, place),
    }

    fn default() {
        let depth = UART_QUEUE_BYTES as usize;
        let place = clog2(depth);
    }
}

impl Logic for ByteQueue {
    #[hdl_gen]
    fn update(&mut self) {
        self.storing.next = self.received.val() && !self.full.q.val();
        self.bytes.write_enable.next = self.storing.val();
        self.bytes.write_address.next = self.write_place.q.val();
        self.bytes.write_data.next = self.data.val();
        self.bytes.read_address.next = self.read_place.q.val();
        self.write_place.d.next = self.write_place.q.val();
        self.read_place.d.next = self.read_place.q.val();
        self.some.d.next = self.some.q.val();
        self.full.d.next = self.full.q.val();
        comment!("places written and not read, but for the 16 that look like none");
        self.ahead.next = self.write_place.q.val() - self.read_place.q.val();
        if self.storing.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        if self.take.val() {
            self.read_place.d.next = self.read_place.q.val() + 1;
        }
        if self.storing.val() && !self.take.val() {
            self.some.d.next = true;
            self.full.d.next = self.ahead.val().all();
        } else if !self.storing.val() && self.take.val() {
            self.some.d.next = self.ahead.val() != 1;
            self.full.d.next = false;
        }
        self.any_r.d.next = self.some.q.val() && !self.take.val();
        self.head_r.d.next = self.bytes.read_data.val();
        if self.reset.val() {
            self.write_place.d.next = self.first.val();
            self.read_place.d.next = self.first.val();
            self.some.d.next = false;
            self.full.d.next = false;
            self.any_r.d.next = false;
        }
        self.dropped.next = self.received.val() && self.full.q.val();
        self.any.next = self.any_r.q.val();
        self.head.next = self.head_r.q.val();
    }
}
