use super::ports::PortsModel;
use super::{lane_of, read_lane};
use crate::host_port::{HostAccess, HostBus, HostPortModel, HostResponse};
use crate::packet::PathLane;
use bloomline_spec::host_port::{HostAuth, HostBinding};
use bloomline_spec::mac::{FCS_BYTES, MIN_FRAME_BYTES};
use bloomline_spec::registers::{address, HostCounter};
use bloomline_spec::LANES;

/// Bits of a byte address of the card's bus.
const BUS_BITS: u32 = 11;

/// The host port of a line card, a frame at a time: what it takes from its port and what it says there.
#[derive(Debug, Clone)]
pub struct CardHostModel {
    binding: HostBinding,
    model: HostPortModel,
}

impl CardHostModel {
    /// As after reset.
    pub fn new(binding: HostBinding) -> CardHostModel {
        let model = HostPortModel::new(binding.address, BUS_BITS);
        CardHostModel {
            binding,
            model: match binding.auth {
                HostAuth::SipHash24 => model.with_tags(),
                HostAuth::None => model,
            },
        }
    }

    /// Where it stands, and who it is there.
    pub fn binding(&self) -> HostBinding {
        self.binding
    }

    /// Accesses so far, as its mailbox counts them.
    pub fn accesses(&self) -> u32 {
        self.model.accesses()
    }

    /// Whether a frame that came at a port is the card's, and so nothing to its lane.
    pub fn takes(&self, port: usize, frame: &[u8]) -> bool {
        port == self.binding.port && self.model.takes(frame)
    }

    /// Whether a frame that came at a port is worked on, if it began while no other was.
    pub fn reads(&self, port: usize, frame: &[u8]) -> bool {
        port == self.binding.port && self.model.reads(frame)
    }

    /// A frame has ended at a port, and is `bad` or not; it began while no other was worked on, or else was not `heard`. Gives the frame that leaves
    /// at that port, as it is sent, if one does, and counts.
    pub fn received(
        &mut self,
        port: usize,
        frame: &[u8],
        bad: bool,
        heard: bool,
        bus: &mut CardBus<'_, impl HostBus>,
    ) -> Option<Vec<u8>> {
        if self.takes(port, frame) {
            bus.ports.count_host(HostCounter::FramesTaken);
            if !heard {
                bus.ports.count_host(HostCounter::FramesMissed);
            }
        }
        if !heard || !self.reads(port, frame) {
            return None;
        }
        self.model.set_secret(bus.ports.host_secret());
        let outcome = self.model.frame(frame, bad, bus);
        let events = [
            (outcome.refused, HostCounter::FramesRefused),
            (outcome.late, HostCounter::AccessesLate),
            (outcome.answer.is_some(), HostCounter::AnswersSent),
        ];
        for (_, counter) in events.iter().filter(|(happens, _)| *happens) {
            bus.ports.count_host(*counter);
        }
        outcome.answer.map(padded)
    }

    /// What a reset leaves.
    pub fn reset(&mut self) {
        self.model.reset();
    }
}

/// The registers of a line card as its host port reaches them.
pub struct CardBus<'a, B> {
    /// Those of both lanes.
    pub lanes: &'a mut [PathLane; LANES],
    /// Those of the ports.
    pub ports: &'a mut PortsModel,
    /// Those of the card in the middle, below [`address::PACKET_PATH`].
    pub middle: &'a mut B,
}

impl<B: HostBus> HostBus for CardBus<'_, B> {
    fn access(&mut self, access: HostAccess) -> Option<HostResponse> {
        let HostAccess { address, write } = access;
        if address < address::PACKET_PATH {
            return self.middle.access(access);
        }
        let (data, code) = match (lane_of(address), write) {
            (Some((lane, within)), Some(value)) => (0, self.lanes[lane].write(within, value)),
            (Some((lane, within)), None) => read_lane(&mut self.lanes[lane], lane, within),
            (None, Some(value)) => (0, self.ports.write(address, value)),
            (None, None) => self.ports.read(address),
        };
        let code = code as u8;
        Some(HostResponse { code, data })
    }

    fn owes(&self) -> bool {
        self.middle.owes()
    }
}

/// A frame as a port sends it: of the least length at least.
pub(super) fn padded(mut frame: Vec<u8>) -> Vec<u8> {
    frame.resize(frame.len().max(MIN_FRAME_BYTES - FCS_BYTES), 0);
    frame
}
