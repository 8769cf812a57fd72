//! Writes frames into the buffer.

use crate::prelude::*;

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
#[derive(LogicBlock)]
pub struct FrameStore {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub valid: Wire<In>,
    pub last: Wire<In>,
    pub keyed: Wire<In>,
    pub frames_full: Wire<In>,
    pub keys_full: Wire<In>,
    pub read: Bus<In>,
    pub write_enable: Wire<Out>,
    pub write_address: Bus<Out>,
    pub end: Bus<Out>,
    pub keep: Wire<Out>,
    pub overflow: Wire<Out>,
    write: Reg,
    kept: Reg,
    spilled: Flag,
    full: Flag,
    whole: Wire<Local>,
    after: Bus<Local>,
    lap: Bus<Local>,
    buffer: Const,
    nowhere: Const,
    address: usize,
}

impl FrameStore {
    /// For a buffer of `depth` beats, a power of two.
    pub fn new(depth: usize) -> Self {
        let address = clog2(depth);
        Self {
            about: About::new(
                "frame_store",
                "Beats into the frame buffer. A frame for which there is no room is taken back when its last beat comes.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("the buffer is empty"),
            valid: Wire::default().doc("a beat"),
            last: Wire::default().doc("the last of its frame"),
            keyed: Wire::default().doc("which has a key"),
            frames_full: Wire::default().doc("the frame queue has no place"),
            keys_full: Wire::default().doc("the key queue has no place"),
            read: Bus::new(address + 1).doc("place that is read next"),
            write_enable: Wire::default().doc("write the beat"),
            write_address: Bus::new(address).doc("here"),
            end: Bus::new(address + 1).doc("place of this beat"),
            keep: Wire::default().doc("the frame is whole and kept"),
            overflow: Wire::default().doc("it ends and there was no room"),
            write: Reg::new(address + 1).doc("place of the next beat"),
            kept: Reg::new(address + 1).doc("place behind the last frame that was kept"),
            spilled: Flag::default().doc("a beat of this frame had no room"),
            full: Flag::default().doc("there is no place for a beat"),
            whole: Default::default(),
            after: Bus::new(address + 1),
            lap: Bus::new(address + 1).doc("place that is given back next, as a beat would meet it"),
            buffer: Const::new(1 << address, address + 1).doc("beats of the buffer"),
            nowhere: Const::new(0, address + 1),
            address,
        }
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
        self.keep.next = self.valid.val() && self.last.val() && self.whole.val();
        self.overflow.next = self.valid.val() && self.last.val() && !self.whole.val();
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
