//! Verdicts on their way to two lanes.

use crate::packet::FrameMemory;
use crate::prelude::*;

block! {
    /// Verdicts wait for their lanes in one block RAM, half of it for each, which is read for the lanes in turn.
    ///
    /// A lane's next verdict is read while its register is empty: one in every four clocks at most, where frames of minimum size come in 42 or more.
    /// Places of a lane are never all taken, as its frame queue has half as many: nothing looks whether there is one. Rules: `docs/linecard.md`, "Lane merge".
    /// `reset` is synchronous and active high.
    pub struct LaneVerdicts {
        about: About = About::new(
            "lane_verdicts",
            format!("Verdicts on their way to two lanes: bit 0 of each, {places} places a lane."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no verdict waits"),
        pub push: Wire<In> = Wire::default().doc("a verdict comes; not where its lane has no place"),
        pub lane: Wire<In> = Wire::default().doc("for this lane"),
        pub seen: Wire<In> = Wire::default().doc("it"),
        pub verdict_0: VerdictStream<Master> = VerdictStream::seen(0).doc("tvalid", "verdicts for lane 0").doc("seen", "bit 0 of the verdict"),
        pub verdict_1: VerdictStream<Master> = VerdictStream::seen(0).doc("tvalid", "verdicts for lane 1"),
        memory: FrameMemory = FrameMemory::new(2 * places, 1),
        write_0: Reg = Reg::new(place).doc("place that lane 0's next verdict takes"),
        write_1: Reg = Reg::new(place),
        read_0: Reg = Reg::new(place).doc("place of its oldest verdict that is not read"),
        read_1: Reg = Reg::new(place),
        some_0: Flag = Flag::default().doc("there was one a clock ago"),
        some_1: Flag = Flag::default(),
        valid_0: Flag = Flag::default().doc("a verdict is offered to lane 0"),
        valid_1: Flag = Flag::default(),
        seen_0: Flag = Flag::default(),
        seen_1: Flag = Flag::default(),
        turn: Flag = Flag::default().doc("lane whose verdict may be read; it changes in every clock"),
        going: Flag = Flag::default().doc("one was read a clock ago, for the other lane"),
        coming: Flag = Flag::default().doc("one was read two clocks ago, and is out of the memory"),
        goes_0: Wire<Local> = Wire::default().doc("lane 0's is read: none is offered, and none on its way"),
        goes_1: Wire<Local>,
        write_place: Bus<Local> = Bus::new(place),
        read_place: Bus<Local> = Bus::new(place),
        first: Const = Const::new(0, place),
        half: usize = place,
        address: usize = place + 1,
    }

    /// For lanes with queues of `frames` frames, a power of two.
    pub fn new(frames: usize) {
        let places = 2 * frames;
        let place = clog2(places);
    }
}

impl Logic for LaneVerdicts {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("a verdict that comes");
        self.write_place.next = self.write_0.q.val();
        if self.lane.val() {
            self.write_place.next = self.write_1.q.val();
        }
        self.memory.write_enable.next = self.push.val();
        self.memory.write_address.next = (bits_of(self.lane.val(), self.address) << self.half)
            | bits_to(self.write_place.val(), self.address);
        self.memory.write_data.next = bits_wide(bits_of(self.seen.val(), 1), 1);
        self.write_0.d.next = self.write_0.q.val();
        self.write_1.d.next = self.write_1.q.val();
        if self.push.val() && !self.lane.val() {
            self.write_0.d.next = self.write_0.q.val() + 1;
        }
        if self.push.val() && self.lane.val() {
            self.write_1.d.next = self.write_1.q.val() + 1;
        }

        comment!("one that is read");
        self.turn.d.next = !self.turn.q.val();
        self.some_0.d.next = self.write_0.q.val() != self.read_0.q.val();
        self.some_1.d.next = self.write_1.q.val() != self.read_1.q.val();
        self.goes_0.next = self.some_0.q.val()
            && !self.turn.q.val()
            && !self.coming.q.val()
            && !self.valid_0.q.val();
        self.goes_1.next = self.some_1.q.val()
            && self.turn.q.val()
            && !self.coming.q.val()
            && !self.valid_1.q.val();
        self.read_place.next = self.read_0.q.val();
        if self.turn.q.val() {
            self.read_place.next = self.read_1.q.val();
        }
        self.memory.read_address.next = (bits_of(self.turn.q.val(), self.address) << self.half)
            | bits_to(self.read_place.val(), self.address);
        self.read_0.d.next = self.read_0.q.val();
        self.read_1.d.next = self.read_1.q.val();
        if self.goes_0.val() {
            self.read_0.d.next = self.read_0.q.val() + 1;
        }
        if self.goes_1.val() {
            self.read_1.d.next = self.read_1.q.val() + 1;
        }
        self.going.d.next = self.goes_0.val() || self.goes_1.val();
        self.coming.d.next = self.going.q.val();

        comment!("to its lane");
        self.verdict_0.tvalid.next = self.valid_0.q.val();
        self.verdict_0.seen.next = self.seen_0.q.val();
        self.verdict_1.tvalid.next = self.valid_1.q.val();
        self.verdict_1.seen.next = self.seen_1.q.val();
        self.valid_0.d.next = self.valid_0.q.val() && !self.verdict_0.tready.val();
        self.valid_1.d.next = self.valid_1.q.val() && !self.verdict_1.tready.val();
        self.seen_0.d.next = self.seen_0.q.val();
        self.seen_1.d.next = self.seen_1.q.val();
        if self.coming.q.val() && !self.turn.q.val() {
            self.valid_0.d.next = true;
            self.seen_0.d.next = self.memory.read_data.val().get_bit(0);
        }
        if self.coming.q.val() && self.turn.q.val() {
            self.valid_1.d.next = true;
            self.seen_1.d.next = self.memory.read_data.val().get_bit(0);
        }

        if self.reset.val() {
            self.write_0.d.next = self.first.val();
            self.write_1.d.next = self.first.val();
            self.read_0.d.next = self.first.val();
            self.read_1.d.next = self.first.val();
            self.some_0.d.next = false;
            self.some_1.d.next = false;
            self.valid_0.d.next = false;
            self.valid_1.d.next = false;
            self.turn.d.next = false;
            self.going.d.next = false;
            self.coming.d.next = false;
        }
    }
}
