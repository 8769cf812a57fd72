//! Writes frames into the buffer.

use crate::prelude::*;

block! {
    /// Writes beats into the frame buffer; a frame that has room for every beat, for itself and for its key is kept when its last beat comes, any other is taken back.
    ///
    /// ```text
    ///            read            kept              write
    ///   ..free..  | whole frames  | this frame       | ..free..
    /// ```
    ///
    /// Places have one bit more than addresses, so that a full buffer differs from an empty one. All decisions are of the clock of the beat; that the buffer is full is a register, which
    /// sees a place given back a clock later.
    /// `docs/packet.md`, "Room and time".
    /// `reset` is synchronous and active high.
    pub struct FrameStore {
        about: About = About::new(
            "frame_store",
            "Beats into the frame buffer. A frame for which there is no room is taken back when its last beat comes.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("the buffer is empty"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("it, and it is the last of its frame"),
        pub keyed: Wire<In> = Wire::default().doc("which has a key"),
        pub frames_full: Wire<In> = Wire::default().doc("the frame queue has no place"),
        pub keys_full: Wire<In> = Wire::default().doc("the key queue has no place"),
        pub read: Bus<In> = Bus::new(address + 1).doc("place that is read next"),
        pub write_enable: Wire<Out> = Wire::default().doc("write the beat"),
        pub write_address: Bus<Out> = Bus::new(address).doc("here"),
        pub end: Bus<Out> = Bus::new(address + 1).doc("place of this beat"),
        pub keep: Wire<Out> = Wire::default().doc("the frame is whole and kept"),
        pub overflow: Wire<Out> = Wire::default().doc("it ends and there was no room"),
        write: Reg = Reg::new(address + 1).doc("place of the next beat"),
        kept: Reg = Reg::new(address + 1).doc("place behind the last frame that was kept"),
        spilled: Flag = Flag::default().doc("a beat of this frame had no room"),
        full: Flag = Flag::default().doc("there is no place for a beat"),
        whole: Wire<Local>,
        after: Bus<Local> = Bus::new(address + 1),
        lap: Bus<Local> = Bus::new(address + 1).doc("place that is given back next, as a beat would meet it"),
        buffer: Const = Const::new(1 << address, address + 1).doc("beats of the buffer"),
        nowhere: Const = Const::new(0, address + 1),
        address: usize = address,
    }

    /// For a buffer of `depth` beats, a power of two.
    pub fn new(depth: usize) {
        let address = clog2(depth);
    }
}

#[allow(clippy::nonminimal_bool)] // conditions are printed as they stand here
impl Logic for FrameStore {
    #[hdl_gen]
    fn update(&mut self) {
        self.write_enable.next = self.valid.val() && !self.full.q.val();
        self.write_address.next = bits_to(self.write.q.val(), self.address);
        self.end.next = self.write.q.val();
        self.whole.next = !self.full.q.val()
            && !self.spilled.q.val()
            && !self.frames_full.val()
            && !(self.keyed.val() && self.keys_full.val());
        self.keep.next = self.last.val() && self.whole.val();
        self.overflow.next = self.last.val() && !self.whole.val();
        self.write.d.next = self.write.q.val();
        self.kept.d.next = self.kept.q.val();
        self.spilled.d.next = self.spilled.q.val();
        self.after.next = self.write.q.val() + 1;
        self.lap.next = self.read.val() ^ self.buffer.val();
        self.full.d.next = self.write.q.val() == self.lap.val();
        if self.valid.val() {
            if self.full.q.val() {
                self.spilled.d.next = true;
            } else {
                self.write.d.next = self.after.val();
                self.full.d.next = self.after.val() == self.lap.val();
            }
            if self.last.val() {
                self.spilled.d.next = false;
                if self.whole.val() {
                    self.kept.d.next = self.after.val();
                } else {
                    self.write.d.next = self.kept.q.val();
                    self.full.d.next = self.kept.q.val() == self.lap.val();
                }
            }
        }
        if self.reset.val() {
            self.write.d.next = self.nowhere.val();
            self.kept.d.next = self.nowhere.val();
            self.spilled.d.next = false;
            self.full.d.next = false;
        }
    }
}
