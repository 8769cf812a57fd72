use bloomline_spec::registers::{
    address, field, PathCounter, BLOCK_PACKET_PATH, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::{FrameClass, Packet};

/// Bits of a policy's register, with those between action and DSCP.
const POLICY_BITS: u32 = 14;
const COUNTERS: usize = FrameClass::COUNT + 3;

/// The registers of the packet path's block.
#[derive(Debug, Clone)]
pub(super) struct PathRegisters {
    learn: bool,
    max_frame: u16,
    policies: [u32; FrameClass::COUNT],
    counters: [u64; COUNTERS],
    /// High half of the counter whose low half was read last.
    high_half: u32,
}

/// What stands at an address.
enum Place {
    Constant(u32),
    Learn,
    MaxFrame,
    Policy(usize),
    CounterLow(usize),
    CounterHigh,
}

impl PathRegisters {
    /// As after reset.
    pub fn new(packet: &Packet) -> PathRegisters {
        let mut policies = [0; FrameClass::COUNT];
        for &class in FrameClass::ALL {
            policies[class as usize] = packet.policy(class).register();
        }
        PathRegisters {
            learn: packet.learn(),
            max_frame: u16::try_from(packet.max_frame_bytes())
                .expect("a validated frame length fits 16 bits"),
            policies,
            counters: [0; COUNTERS],
            high_half: 0,
        }
    }

    pub fn learn(&self) -> bool {
        self.learn
    }

    pub fn max_frame(&self) -> u16 {
        self.max_frame
    }

    pub fn policy(&self, class: FrameClass) -> u32 {
        self.policies[class as usize]
    }

    pub fn counter(&self, counter: PathCounter) -> u64 {
        self.counters[counter.index()]
    }

    pub fn count(&mut self, counter: PathCounter) {
        let value = &mut self.counters[counter.index()];
        *value = value.wrapping_add(1);
    }

    pub fn write(&mut self, offset: u32, value: u32) -> u32 {
        let fits = |bits: u32| value >> bits == 0;
        match place(offset) {
            None => return RESPONSE_DECERR,
            Some(Place::Learn) if fits(1) => self.learn = value == 1,
            Some(Place::MaxFrame) if fits(16) => self.max_frame = value as u16,
            Some(Place::Policy(class)) if fits(POLICY_BITS) => {
                self.policies[class] = value & field::POLICY_KEPT;
            }
            Some(_) => return RESPONSE_SLVERR,
        }
        RESPONSE_OKAY
    }

    pub fn read(&mut self, offset: u32) -> (u32, u32) {
        let value = match place(offset) {
            None => return (0, RESPONSE_DECERR),
            Some(Place::Constant(value)) => value,
            Some(Place::Learn) => self.learn.into(),
            Some(Place::MaxFrame) => self.max_frame.into(),
            Some(Place::Policy(class)) => self.policies[class],
            Some(Place::CounterLow(index)) => {
                self.high_half = (self.counters[index] >> 32) as u32;
                self.counters[index] as u32
            }
            Some(Place::CounterHigh) => self.high_half,
        };
        (value, RESPONSE_OKAY)
    }
}

fn place(offset: u32) -> Option<Place> {
    let from = |first: u32| offset.checked_sub(first).filter(|by| by % 4 == 0);
    match offset {
        address::PACKET_PATH => return Some(Place::Constant(BLOCK_PACKET_PATH)),
        address::PACKET_PATH_VERSION => return Some(Place::Constant(1)),
        address::PACKET_PATH_NEXT => return Some(Place::Constant(0)),
        address::LEARN => return Some(Place::Learn),
        address::MAX_FRAME => return Some(Place::MaxFrame),
        _ => {}
    }
    if let Some(by) = from(address::PATH_COUNTERS) {
        let index = by as usize / 8;
        return (index < COUNTERS).then_some(match by % 8 {
            0 => Place::CounterLow(index),
            _ => Place::CounterHigh,
        });
    }
    let class = from(address::POLICY)? as usize / 4;
    (class < FrameClass::COUNT).then_some(Place::Policy(class))
}
