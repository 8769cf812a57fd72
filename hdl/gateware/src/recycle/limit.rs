//! Registers the limit in force and derives the room that is left in the active half.

use crate::prelude::*;

block! {
    /// Holds the limit in force and derives the room of the active half and the room right after a recycle.
    ///
    /// limit = sigma on bits set, N - 1 on messages (the N-th bit-setting message trips). room = max(0, limit - count).
    /// Timing: `limit` one clock after `take`, the rooms two clocks later, `one_at_a_time` another.
    /// No reset.
    pub struct RecycleLimit {
        about: About = About::new(
            "recycle_limit",
            "The limit in force (sigma on bits set; N - 1 on messages, since the N-th message trips), the room left in the\nactive half, and the room right after a recycle, when the retained item is in it.",
        ),
        pub clock: Signal<In, Clock>,
        pub take: Wire<In> = Wire::default().doc("take the threshold"),
        pub threshold: Bus<In> = Bus::new(shape.count_bits).doc("threshold register"),
        pub count: Bus<In> = Bus::new(shape.count_bits).doc("bits set, or messages, of the active half"),
        pub room: Bus<Out> = Bus::new(shape.count_bits).doc("limit - count, not below 0"),
        pub base_room: Bus<Out> = Bus::new(shape.count_bits).doc("limit - what a retained item adds, not below 0"),
        pub one_at_a_time: Wire<Out> = Wire::default().doc("cycles may be so short that two slots in flight recycle: admit one item at a time"),
        limit_r: Reg = Reg::new(shape.count_bits),
        limit_in: Bus<Local> = Bus::new(shape.count_bits),
        difference: Reg = Reg::new(shape.count_bits + 1).doc("limit - count, with sign"),
        room_r: Reg = Reg::new(shape.count_bits),
        base_difference: Reg = Reg::new(shape.count_bits + 1).doc("limit - base, with sign"),
        base_room_r: Reg = Reg::new(shape.count_bits),
        one_at_a_time_r: Flag = Flag::with_init(true),
        base: Const = Const::new(shape.base(), shape.count_bits).doc("what a retained item adds"),
        large: Const = Const::new(large, shape.count_bits).doc("room from which cycles are long enough for full rate"),
        zero: Const = Const::new(0, shape.count_bits),
        sign: usize = shape.count_bits,
        shape: Shape = *shape,
    }

    /// The limit of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let large = (shape.large_cycle_items * shape.unit()).min(ones(shape.count_bits));
    }
}

impl Logic for RecycleLimit {
    #[hdl_gen]
    fn update(&mut self) {
        self.limit_in.next = self.threshold.val();
        if self.shape.on_messages {
            if self.threshold.val().any() {
                self.limit_in.next = self.threshold.val() - 1;
            }
        }
        self.limit_r.d.next = self.limit_r.q.val();
        if self.take.val() {
            self.limit_r.d.next = self.limit_in.val();
        }
        self.difference.d.next = bits_to(self.limit_r.q.val(), self.shape.count_bits + 1)
            - bits_to(self.count.val(), self.shape.count_bits + 1);
        self.room_r.d.next = bits_to(self.difference.q.val(), self.shape.count_bits);
        if self.difference.q.val().get_bit(self.sign) {
            self.room_r.d.next = self.zero.val();
        }
        self.base_difference.d.next = bits_to(self.limit_r.q.val(), self.shape.count_bits + 1)
            - bits_to(self.base.val(), self.shape.count_bits + 1);
        self.base_room_r.d.next = bits_to(self.base_difference.q.val(), self.shape.count_bits);
        if self.base_difference.q.val().get_bit(self.sign) {
            self.base_room_r.d.next = self.zero.val();
        }
        self.one_at_a_time_r.d.next = self.base_room_r.q.val() < self.large.val();
        self.room.next = self.room_r.q.val();
        self.base_room.next = self.base_room_r.q.val();
        self.one_at_a_time.next = self.one_at_a_time_r.q.val();
    }
}
