use super::digest::frame_digest;
use super::filter::PathFilter;
use super::mark::mark;
use super::parse::{IpHeader, ParsedFrame};
use super::registers::PathRegisters;
use super::tunnel::parse_opening;
use bloomline_spec::registers::PathCounter;
use bloomline_spec::{Common, FrameClass, Key, KeyFormat, KeySource, Packet, PacketFields, Policy};

/// A packet path without its filter: parser, policies, registers. [`super::PathModel`] is one with a filter of its own; in a
/// line card two share one.
#[derive(Debug, Clone)]
pub struct PathLane {
    packet: Packet,
    key_format: KeyFormat,
    registers: PathRegisters,
}

/// What a frame is, as far as it can be said without the filter: known when it has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedFrame {
    /// Its class, or the item that tells it.
    pub finding: Sorted,
    /// Where a mark changes it; `None` where its parse did not end with IP.
    pub header: Option<IpHeader>,
}

/// A class, or what the filter is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sorted {
    /// It sends no item.
    Class(FrameClass),
    /// It sends this key.
    Key(Key),
}

impl SortedFrame {
    /// What the frame is; if it has a key, the filter has seen it when this returns.
    pub fn judged(&self, lane: &PathLane, filter: &mut PathFilter) -> JudgedFrame {
        let (class, key) = match self.finding {
            Sorted::Class(class) => (class, None),
            Sorted::Key(key) => {
                let class = match filter.verdict(&key, lane.registers.learn()) {
                    true => FrameClass::Seen,
                    false => FrameClass::Unseen,
                };
                (class, Some(key))
            }
        };
        JudgedFrame {
            class,
            key,
            header: self.header,
        }
    }

    /// What the frame is, where it sends no item.
    pub fn without_item(&self) -> Option<JudgedFrame> {
        match self.finding {
            Sorted::Class(class) => Some(JudgedFrame {
                class,
                key: None,
                header: self.header,
            }),
            Sorted::Key(_) => None,
        }
    }
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

impl PathLane {
    /// As after reset; `None` if the specification has no packet path.
    pub fn new(common: &Common) -> Option<PathLane> {
        let packet = common.packet()?;
        Some(PathLane {
            key_format: common.key_format(),
            registers: PathRegisters::new(&packet),
            packet,
        })
    }

    /// What it is built with.
    pub fn packet(&self) -> Packet {
        self.packet
    }

    /// What a frame is that came whole. `bad` is the `tuser` of its last beat.
    pub fn sort(&self, frame: &[u8], bad: bool) -> SortedFrame {
        let parsed = parse_opening(frame, self.packet.tunnels());
        let source = self.key_format.packet_source();
        let by_itself = if bad {
            Some(FrameClass::Bad)
        } else if frame.len() > usize::from(self.registers.max_frame()) {
            Some(FrameClass::Oversize)
        } else {
            parsed.class(source)
        };
        let finding = match by_itself {
            Some(class) => Sorted::Class(class),
            None => Sorted::Key(self.key(frame, &parsed, source)),
        };
        SortedFrame {
            finding,
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

    /// What leaves in the place of a frame by `policy`, the one in force when the frame left; counts it.
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

    /// What a reset leaves: counters of 0, and the settings of the specification.
    pub fn reset(&mut self) {
        self.registers = PathRegisters::new(&self.packet);
    }
}
