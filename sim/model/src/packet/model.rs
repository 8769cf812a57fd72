use super::digest::frame_digest;
use super::filter::PathFilter;
use super::mark::mark;
use super::parse::{parse, IpHeader, ParsedFrame};
use super::registers::PathRegisters;
use bloomline_spec::registers::PathCounter;
use bloomline_spec::{FrameClass, Key, KeyFormat, KeySource, Packet, PacketFields, Policy};

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
/// let mut path = PathModel::new(PathFilter::from(geometry)).expect("the example has a packet path");
/// let arp = [[0xFF; 12].as_slice(), &[0x08, 0x06], &[0; 46]].concat();
/// assert_eq!(path.judge(&arp, false).class, FrameClass::Other);
/// assert_eq!(path.pass(&arp, false), Some(arp), "as it came");
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PathModel {
    filter: PathFilter,
    packet: Packet,
    key_format: KeyFormat,
    registers: PathRegisters,
}

/// What a frame is, known when it has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedFrame {
    /// Its class, which chooses its policy.
    pub class: FrameClass,
    /// The item it sent to the filter, if it sent one.
    pub key: Option<Key>,
    /// Where a mark changes it; `None` where its parse did not end with IP.
    pub header: Option<IpHeader>,
}

impl JudgedFrame {
    /// What leaves in the place of this frame by a policy, if anything does.
    pub fn by(&self, policy: Policy, frame: &[u8]) -> Option<Vec<u8>> {
        if policy == Policy::Drop {
            return None;
        }
        let mut frame = frame.to_vec();
        if let (Policy::Mark(dscp), Some(header)) = (policy, self.header) {
            mark(&mut frame, header, dscp);
        }
        Some(frame)
    }
}

impl PathModel {
    /// The path as after reset, with an empty filter; `None` if the specification of the filter has no packet path.
    pub fn new(filter: PathFilter) -> Option<PathModel> {
        let packet = filter.common().packet()?;
        Some(PathModel {
            key_format: filter.common().key_format(),
            registers: PathRegisters::new(&packet),
            filter,
            packet,
        })
    }

    /// What the path is built with.
    pub fn packet(&self) -> Packet {
        self.packet
    }

    /// What a frame is that came whole; if it has a key, the filter has seen it when this returns. `bad` is the `tuser` of its
    /// last beat.
    pub fn judge(&mut self, frame: &[u8], bad: bool) -> JudgedFrame {
        let parsed = parse(frame);
        let source = self.key_format.packet_source();
        let by_itself = if bad {
            Some(FrameClass::Bad)
        } else if frame.len() > usize::from(self.registers.max_frame()) {
            Some(FrameClass::Oversize)
        } else {
            parsed.class(source)
        };
        let (class, key) = match by_itself {
            Some(class) => (class, None),
            None => {
                let key = self.key(frame, &parsed, source);
                let class = match self.filter.verdict(&key, self.registers.learn()) {
                    true => FrameClass::Seen,
                    false => FrameClass::Unseen,
                };
                (class, Some(key))
            }
        };
        JudgedFrame {
            class,
            key,
            header: parsed.header,
        }
    }

    fn key(&self, frame: &[u8], parsed: &ParsedFrame, source: KeySource) -> Key {
        let digest = (source == KeySource::FrameDigest)
            .then(|| frame_digest(frame, parsed, self.packet.mask_hops()));
        let fields = PacketFields {
            frame_digest: digest,
            ..parsed.fields()
        };
        self.key_format.of_packet(&fields).ok().flatten().expect(
            "the class says that the frame has a key of this source, whose width is the key's",
        )
    }

    /// What leaves in the place of a frame by the policy in force, if anything does; counts it.
    pub fn release(&mut self, frame: &[u8], judged: &JudgedFrame) -> Option<Vec<u8>> {
        self.release_by(self.policy(judged.class), frame, judged)
    }

    /// The same by a policy that was in force when the frame left.
    pub fn release_by(
        &mut self,
        policy: Policy,
        frame: &[u8],
        judged: &JudgedFrame,
    ) -> Option<Vec<u8>> {
        self.registers.count(PathCounter::Frames(judged.class));
        match policy {
            Policy::Drop => self.registers.count(PathCounter::Dropped),
            Policy::Mark(_) if judged.header.is_some() => {
                self.registers.count(PathCounter::Marked);
            }
            Policy::Mark(_) | Policy::Pass => {}
        }
        judged.by(policy, frame)
    }

    /// A frame's whole way: what leaves in its place, if anything does.
    pub fn pass(&mut self, frame: &[u8], bad: bool) -> Option<Vec<u8>> {
        let judged = self.judge(frame, bad);
        self.release(frame, &judged)
    }

    /// A frame for which there was no room.
    pub fn overflow(&mut self) {
        self.registers.count(PathCounter::Overflows);
    }

    /// Policy of a class in force.
    pub fn policy(&self, class: FrameClass) -> Policy {
        Policy::from_register(self.registers.policy(class))
    }

    /// Value of a counter.
    pub fn counter(&self, counter: PathCounter) -> u64 {
        self.registers.counter(counter)
    }

    /// A write of a whole word to a byte address of the packet path's block; gives the AXI4-Lite response.
    pub fn write(&mut self, address: u32, value: u32) -> u32 {
        self.registers.write(address, value)
    }

    /// A read from a byte address of the packet path's block: data and AXI4-Lite response.
    pub fn read(&mut self, address: u32) -> (u32, u32) {
        self.registers.read(address)
    }

    /// The filter, for what registers do to it while no frame is under way.
    pub fn filter_mut(&mut self) -> &mut PathFilter {
        &mut self.filter
    }

    /// What a reset leaves: an empty filter, counters of 0, and the settings of the specification.
    pub fn reset(&mut self) {
        self.filter.reset();
        self.registers = PathRegisters::new(&self.packet);
    }
}
