//! Joins frames with their verdicts.

use super::descriptor::Descriptor;
use super::{Beat, Queue, RegisterQueue};
use crate::prelude::*;

block! {
    /// The frame queue, and behind it the next verdict for a frame that has a key: of class 0 it becomes one of class 1 if bit 0 of the verdict is 1.
    ///
    /// ```text
    /// frame --> frame queue --> [ ] --+--> known queue --> frame, of known class
    ///                      verdict ---+
    /// ```
    ///
    /// What comes out of the queue's block RAM comes late in its clock: the register behind it decides over a verdict.
    ///
    /// One frame a clock. `docs/packet.md`, "Classes".
    /// `reset` is synchronous and active high.
    pub struct VerdictStage {
        about: About = About::new(
            "verdict_stage",
            "Frames wait for their verdicts, in the order in which they ended.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame waits"),
        pub push: Wire<In> = Wire::default().doc("a frame ended"),
        pub frame_in: WideBus<In> = WideBus::<In>::new(bits).doc("what is known of it"),
        pub full: Wire<Out> = Wire::default().doc("there is no place for a frame"),
        pub verdict_valid: Wire<In> = Wire::default().doc("verdict of the oldest frame with a key"),
        pub verdict_ready: Wire<Out> = Wire::default().doc("that frame is the oldest of all"),
        pub seen: Wire<In> = Wire::default().doc("bit 0 of the verdict"),
        pub valid: Wire<Out> = Wire::default().doc("the oldest frame's class is known"),
        pub frame: WideBus<Out> = WideBus::<Out>::new(bits),
        pub take: Wire<In> = Wire::default().doc("it leaves, or is dropped"),
        pub follows: Wire<Out> = Wire::default().doc("in the next clock the oldest frame is that of class_behind"),
        pub class_behind: Bus<Out> = Bus::new(descriptor.class.width).doc("class of the frame after the oldest"),
        waiting: Queue = Queue::new("frame_queue", "Frames that are whole.", frames, bits),
        next_valid: Flag = Flag::default().doc("a frame meets its verdict next"),
        next_frame: WideReg = WideReg::new(bits).doc("it"),
        known: RegisterQueue = RegisterQueue::new("known_queue", "Frames whose class is known.", bits),
        behind_in: WideSlice = descriptor.class.of_wide(bits),
        keyed: Wire<Local>,
        goes: Wire<Local>,
        keyed_bit: Const = descriptor.keyed.place(),
        class_place: Const = descriptor.class.place(),
        bits: usize = bits,
    }

    /// For `frames` waiting frames, a power of two, in a buffer of `depth` beats.
    pub fn new(beat: Beat, depth: usize, frames: usize) {
        let descriptor = Descriptor::new(beat, depth);
        let bits = descriptor.bits;
    }
}

impl Logic for VerdictStage {
    #[hdl_gen]
    fn update(&mut self) {
        self.waiting.reset.next = self.reset.val();
        self.waiting.push.next = self.push.val();
        self.waiting.data_in.next = self.frame_in.val();
        self.full.next = self.waiting.full.val();
        self.keyed.next = self.next_frame.q.val().get_bit(self.keyed_bit.val());
        self.verdict_ready.next =
            self.next_valid.q.val() && self.keyed.val() && !self.known.full.val();
        self.goes.next = self.next_valid.q.val()
            && !self.known.full.val()
            && (!self.keyed.val() || self.verdict_valid.val());
        self.waiting.take.next = !self.next_valid.q.val() || self.goes.val();
        self.next_valid.d.next = self.next_valid.q.val() && !self.goes.val();
        self.next_frame.d.next = self.next_frame.q.val();
        if self.waiting.valid.val() && self.waiting.take.val() {
            self.next_valid.d.next = true;
            self.next_frame.d.next = self.waiting.data.val();
        }
        if self.reset.val() {
            self.next_valid.d.next = false;
        }
        self.known.reset.next = self.reset.val();
        self.known.push.next = self.goes.val();
        self.known.data_in.next = self.next_frame.q.val()
            | (bits_wide(bits_of(self.keyed.val() && self.seen.val(), 1), self.bits)
                << self.class_place.val());
        self.known.take.next = self.take.val();
        self.valid.next = self.known.valid.val();
        self.frame.next = self.known.data.val();
        self.follows.next = self.known.follows.val();
        self.behind_in.input.next = self.known.behind.val();
        self.class_behind.next = self.behind_in.output.val();
    }
}
