//! Merges the items of two lanes into one filter, and returns each verdict to its lane.

use super::LaneVerdicts;
use crate::prelude::*;

block! {
    /// The items of two lanes in turn to one card, and each verdict to the lane of its item.
    ///
    /// ```text
    /// item_0 ---+
    ///           +--- lane ---> register ---> item, tag: lane
    /// item_1 ---+
    ///
    /// verdict_0 <--- register <---+
    ///                             +--- memory <--- verdict, by its tag
    /// verdict_1 <--- register <---+
    /// ```
    ///
    /// An item waits in the register for the card, so there is no combinational path from the card's ready to the lanes, whose ready is a register each. The next one is
    /// taken when the register is empty: at most one in every two clocks.
    /// A lane whose verdicts nobody takes does not hold up the other's: it has a place for each that may come. `docs/linecard.md`, "Lane merge".
    /// `reset` is synchronous and active high.
    pub struct LaneMerge {
        about: About = About::new(
            "lane_merge",
            "Items of two lanes in turn to one card; verdicts back by their tags. Contract: linecard.md.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("lane 0 is asked; no item and no verdict waits"),
        pub item_0: ItemStream<Slave> = ItemStream::new(key_bits, operation_bits, 0).doc("tvalid", "items of lane 0").doc("tdata", "key").doc("tuser", "operation"),
        pub item_1: ItemStream<Slave> = ItemStream::new(key_bits, operation_bits, 0).doc("tvalid", "items of lane 1"),
        pub verdict_0: VerdictStream<Master> = VerdictStream::seen(0).doc("tvalid", "verdicts for lane 0").doc("seen", "bit 0 of the verdict"),
        pub verdict_1: VerdictStream<Master> = VerdictStream::seen(0).doc("tvalid", "verdicts for lane 1"),
        pub item: ItemStream<Master> = ItemStream::new(key_bits, operation_bits, tag_bits).doc("tvalid", "items to the card").doc("tid", "lane of the item"),
        pub verdict: VerdictStream<Slave> = VerdictStream::seen(tag_bits).doc("tvalid", "verdicts from it").doc("tready", "always: there is a place for each that may come").doc("tid", "lane of the item"),
        pub item_taken: Bus<Out> = Bus::new(2).doc("bit i: the card took an item of lane i a clock ago"),
        pub item_seen: Bus<Out> = Bus::new(2).doc("bit i: a verdict for lane i came a clock ago, and its bit 0 was 1"),
        lane: Flag = Flag::default().doc("lane that is asked for an item"),
        waits: Flag = Flag::default().doc("an item waits for the card"),
        ask_0: Flag = Flag::with_init(true).doc("lane 0 is asked, and no item waits"),
        ask_1: Flag = Flag::default().doc("lane 1 is asked, and no item waits"),
        from: Flag = Flag::default().doc("lane of that item"),
        key: WideReg = WideReg::new(key_bits).doc("its key"),
        operation: Reg = Reg::new(operation_bits).doc("its operation"),
        offered: Wire<Local> = Wire::default().doc("the lane that is asked has an item"),
        waiting: Wire<Local> = Wire::default().doc("waits of the next clock"),
        asked: Wire<Local> = Wire::default().doc("lane of the next clock"),
        goes: Wire<Local> = Wire::default().doc("the card takes the item that waits"),
        to_lane: Wire<Local> = Wire::default().doc("lane of the verdict"),
        taken_0: Flag,
        taken_1: Flag,
        seen_0: Flag,
        seen_1: Flag,
        verdicts: LaneVerdicts = LaneVerdicts::new(frames),
        tag: usize = tag_bits,
    }

    /// For keys, operations and tags of these widths in bits, and `frames` frames (a power of two) that wait for verdicts in a lane.
    pub fn new(key_bits: usize, operation_bits: usize, tag_bits: usize, frames: usize) {}
}

impl Logic for LaneMerge {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("the lanes are asked in turn while no item waits");
        self.item_0.tready.next = self.ask_0.q.val();
        self.item_1.tready.next = self.ask_1.q.val();
        self.offered.next = self.item_0.tvalid.val();
        if self.lane.q.val() {
            self.offered.next = self.item_1.tvalid.val();
        }
        self.goes.next = self.waits.q.val() && self.item.tready.val();
        self.waiting.next = self.offered.val();
        self.asked.next = !self.lane.q.val();
        if self.waits.q.val() {
            self.waiting.next = !self.item.tready.val();
            self.asked.next = self.lane.q.val();
        }
        self.waits.d.next = self.waiting.val();
        self.lane.d.next = self.asked.val();
        self.ask_0.d.next = !self.waiting.val() && !self.asked.val();
        self.ask_1.d.next = !self.waiting.val() && self.asked.val();
        self.from.d.next = self.from.q.val();
        self.key.d.next = self.key.q.val();
        self.operation.d.next = self.operation.q.val();
        if !self.waits.q.val() {
            self.from.d.next = self.lane.q.val();
            self.key.d.next = self.item_0.tdata.val();
            self.operation.d.next = self.item_0.tuser.val();
            if self.lane.q.val() {
                self.key.d.next = self.item_1.tdata.val();
                self.operation.d.next = self.item_1.tuser.val();
            }
        }
        self.item.tvalid.next = self.waits.q.val();
        self.item.tdata.next = self.key.q.val();
        self.item.tuser.next = self.operation.q.val();
        self.item.tid.next = bits_of(self.from.q.val(), self.tag);

        comment!("a verdict has its place: no more are under way than frames wait");
        self.verdict.tready.next = true;
        self.to_lane.next = self.verdict.tid.val().get_bit(0);
        self.verdicts.reset.next = self.reset.val();
        self.verdicts.push.next = self.verdict.tvalid.val();
        self.verdicts.lane.next = self.to_lane.val();
        self.verdicts.seen.next = self.verdict.seen.val();
        self.verdict_0.link(&mut self.verdicts.verdict_0);
        self.verdict_1.link(&mut self.verdicts.verdict_1);

        comment!("for lamps");
        self.taken_0.d.next = self.goes.val() && !self.from.q.val();
        self.taken_1.d.next = self.goes.val() && self.from.q.val();
        self.seen_0.d.next =
            self.verdict.tvalid.val() && self.verdict.seen.val() && !self.to_lane.val();
        self.seen_1.d.next =
            self.verdict.tvalid.val() && self.verdict.seen.val() && self.to_lane.val();
        self.item_taken.next =
            (bits_of(self.taken_1.q.val(), 2) << 1) | bits_of(self.taken_0.q.val(), 2);
        self.item_seen.next =
            (bits_of(self.seen_1.q.val(), 2) << 1) | bits_of(self.seen_0.q.val(), 2);

        if self.reset.val() {
            self.lane.d.next = false;
            self.waits.d.next = false;
            self.ask_0.d.next = true;
            self.ask_1.d.next = false;
            self.taken_0.d.next = false;
            self.taken_1.d.next = false;
            self.seen_0.d.next = false;
            self.seen_1.d.next = false;
        }
    }
}
