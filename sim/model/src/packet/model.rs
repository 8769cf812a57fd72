use super::filter::PathFilter;
use super::lane::{JudgedFrame, PathLane};
use bloomline_spec::registers::PathCounter;
use bloomline_spec::{FrameClass, Packet, Policy};

/// The packet path, one frame at a time, with no notion of time: what each frame is, and what leaves in its place.
///
/// A frame's way has two steps: [`PathModel::judge`] when it has ended (its item goes to the filter then), and
/// [`PathModel::release`] when its turn comes to leave (its policy is read then). [`PathModel::pass`] is both. Frames are
/// judged and released in the order in which they ended; those for which there was no room are told by
/// [`PathModel::overflow`] only.
///
/// ```
/// use bloomline_model::{PathFilter, PathModel};
/// use bloomline_spec::{FilterSpec, FrameClass, PACKET_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = PACKET_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.validate()?.with_threshold(30_000)?;
/// let mut path = PathModel::new(PathFilter::new(geometry)).expect("the example has a packet path");
/// let arp = [[0xFF; 12].as_slice(), &[0x08, 0x06], &[0; 46]].concat();
/// assert_eq!(path.judge(&arp, false).class, FrameClass::Other);
/// assert_eq!(path.pass(&arp, false), Some(arp), "as it came");
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PathModel {
    filter: PathFilter,
    lane: PathLane,
}

impl PathModel {
    /// The path as after reset, with an empty filter; `None` if the specification of the filter has no packet path.
    pub fn new(filter: PathFilter) -> Option<PathModel> {
        let lane = PathLane::new(filter.design())?;
        Some(PathModel { filter, lane })
    }

    /// The filter, and the path around it.
    pub fn into_parts(self) -> (PathFilter, PathLane) {
        (self.filter, self.lane)
    }

    /// What the path is built with.
    pub fn packet(&self) -> Packet {
        self.lane.packet()
    }

    /// What a frame is that came whole; if it has a key, the filter has seen it when this returns. `bad` is the `tuser` of its
    /// last beat.
    pub fn judge(&mut self, frame: &[u8], bad: bool) -> JudgedFrame {
        self.lane
            .sort(frame, bad)
            .judged(&self.lane, &mut self.filter)
    }

    /// What leaves in the place of a frame by the policy in force, if anything does; counts it.
    pub fn release(&mut self, frame: &[u8], judged: &JudgedFrame) -> Option<Vec<u8>> {
        self.lane.release(frame, judged)
    }

    /// What leaves in the place of a frame by `policy`, the one in force when the frame left; counts it.
    pub fn release_by(
        &mut self,
        policy: Policy,
        frame: &[u8],
        judged: &JudgedFrame,
    ) -> Option<Vec<u8>> {
        self.lane.release_by(policy, frame, judged)
    }

    /// A frame's whole way: what leaves in its place, if anything does.
    pub fn pass(&mut self, frame: &[u8], bad: bool) -> Option<Vec<u8>> {
        let judged = self.judge(frame, bad);
        self.release(frame, &judged)
    }

    /// A frame for which there was no room.
    pub fn overflow(&mut self) {
        self.lane.overflow();
    }

    /// Policy of a class in force.
    pub fn policy(&self, class: FrameClass) -> Policy {
        self.lane.policy(class)
    }

    /// Value of a counter.
    pub fn counter(&self, counter: PathCounter) -> u64 {
        self.lane.counter(counter)
    }

    /// A write of a whole word to a byte address of the packet path's block; gives the AXI4-Lite response.
    pub fn write(&mut self, address: u32, value: u32) -> u32 {
        self.lane.write(address, value)
    }

    /// A read from a byte address of the packet path's block: data and AXI4-Lite response.
    pub fn read(&mut self, address: u32) -> (u32, u32) {
        self.lane.read(address)
    }

    /// The filter, for what registers do to it while no frame is under way.
    pub fn filter_mut(&mut self) -> &mut PathFilter {
        &mut self.filter
    }

    /// What a reset leaves: an empty filter, counters of 0, and the settings of the specification.
    pub fn reset(&mut self) {
        self.filter.reset();
        self.lane.reset();
    }
}
