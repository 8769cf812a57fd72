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
        pub single: Wire<Out> = Wire::default().doc("it is the only one of its frame, if that is kept"),
        pub keep: Wire<Out> = Wire::default().doc("the frame is whole and kept"),
        pub keep_key: Wire<Out> = Wire::default().doc("and so is its key"),
        pub overflow: Wire<Out> = Wire::default().doc("a frame ended in the clock before for which there was no room"),
        write: Reg = Reg::new(address + 1).doc("place of the next beat"),
        after: Reg = Reg::with_init(address + 1, 1).doc("place after it"),
        kept: Reg = Reg::new(address + 1).doc("place behind the last frame that was kept"),
        begun: Flag = Flag::default().doc("a beat of this frame is in the buffer"),
        spilled: Flag = Flag::default().doc("a beat of this frame had no room"),
        full: Flag = Flag::default().doc("there is no place for a beat"),
        overflow_r: Flag,
        clear: Wire<Local> = Wire::default().doc("a frame ends, and there is room for its beats and in the frame queue"),
        lap: Bus<Local> = Bus::new(address + 1).doc("place that is given back next, as a beat would meet it"),
        buffer: Const = Const::new(1 << address, address + 1).doc("beats of the buffer"),
        nowhere: Const = Const::new(0, address + 1),
        second: Const = Const::new(1, address + 1),
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
        self.single.next = !self.begun.q.val();
        self.clear.next = self.last.val()
            && !self.full.q.val()
            && !self.spilled.q.val()
            && !self.frames_full.val();
        self.keep.next = self.clear.val() && !(self.keyed.val() && self.keys_full.val());
        self.keep_key.next = self.clear.val() && self.keyed.val() && !self.keys_full.val();
        self.overflow_r.d.next = self.last.val() && !self.keep.val();
        self.overflow.next = self.overflow_r.q.val();
        self.write.d.next = self.write.q.val();
        self.kept.d.next = self.kept.q.val();
        self.spilled.d.next = self.spilled.q.val();
        self.after.d.next = self.after.q.val();
        self.lap.next = self.read.val() ^ self.buffer.val();
        self.begun.d.next = self.begun.q.val();
        if self.valid.val() {
            if self.full.q.val() {
                self.spilled.d.next = true;
            } else {
                self.write.d.next = self.after.q.val();
                self.after.d.next = self.after.q.val() + 1;
                self.begun.d.next = true;
            }
            if self.last.val() {
                self.spilled.d.next = false;
                self.begun.d.next = false;
                if self.keep.val() {
                    self.kept.d.next = self.after.q.val();
                } else {
                    self.write.d.next = self.kept.q.val();
                    self.after.d.next = self.kept.q.val() + 1;
                }
            }
        }

        comment!("a frame that is taken back leaves room, if a beat of it is in the buffer");
        self.full.d.next = self.valid.val()
            && (self.after.q.val() == self.lap.val())
            && (!self.last.val() || self.keep.val());
        if self.full.q.val() {
            self.full.d.next =
                (self.write.q.val() == self.lap.val()) && !(self.last.val() && self.begun.q.val());
        }
        if self.reset.val() {
            self.write.d.next = self.nowhere.val();
            self.after.d.next = self.second.val();
            self.kept.d.next = self.nowhere.val();
            self.begun.d.next = false;
            self.spilled.d.next = false;
            self.full.d.next = false;
            self.overflow_r.d.next = false;
        }
    }
}
