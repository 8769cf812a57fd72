use super::etherbone::{self, Packet};
use super::frame::{self, Asked};
use crate::card::{Access, Record, Request};
use bloomline_spec::host_port::HostAddress;
use bloomline_spec::registers::{RESPONSE_DECERR, RESPONSE_OKAY};

/// What a record says of an access that had no response.
const RESPONSE_NONE: u8 = 1;
/// Words of a request.
const REQUEST_WORDS: usize = 6;

/// An access to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostAccess {
    /// Byte address.
    pub address: u32,
    /// The word to write; a read without.
    pub write: Option<u32>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostResponse {
    /// AXI4-Lite's: 0, 2 or 3.
    pub code: u8,
    /// What was read.
    pub data: u32,
}

/// The bus behind the host port.
pub trait HostBus {
    /// Makes an access; `None` if there was no response in time.
    fn access(&mut self, access: HostAccess) -> Option<HostResponse>;

    /// Whether it still owes the response of an access that was late.
    fn owes(&self) -> bool;
}

/// What becomes of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HostOutcome {
    /// It is the card's; else it goes to the lane.
    pub taken: bool,
    /// It is the card's, and nothing is done of it.
    pub refused: bool,
    /// An access had no response in time.
    pub late: bool,
    /// The frame that goes back.
    pub answer: Option<Vec<u8>>,
}

/// The host port, a frame at a time.
#[derive(Debug, Clone)]
pub struct HostPortModel {
    card: HostAddress,
    /// Bytes of addresses that the bus has.
    bytes: u32,
    request: Request,
    record: Record,
}

impl HostPortModel {
    /// Behind a reset, with a bus of `bits` bits of address.
    pub fn new(card: HostAddress, bits: u32) -> Self {
        Self {
            card,
            bytes: 1 << bits,
            request: Request::default(),
            record: Record::default(),
        }
    }

    /// Accesses to the device so far, as the mailbox counts them.
    pub fn accesses(&self) -> u32 {
        self.record.count
    }

    /// Whether a frame is to the card.
    pub fn takes(&self, frame: &[u8]) -> bool {
        frame::to_card(&self.card, frame)
    }

    /// Whether a frame is read, so that for a while no other is.
    pub fn reads(&self, frame: &[u8]) -> bool {
        self.takes(frame) || frame.starts_with(&[0xFF; 6])
    }

    /// A frame that begins while no other is worked on; `bad` if its end says so.
    pub fn frame(&mut self, bytes: &[u8], bad: bool, bus: &mut impl HostBus) -> HostOutcome {
        let card = self.card;
        let mut outcome = HostOutcome {
            taken: self.takes(bytes),
            ..HostOutcome::default()
        };
        match (!bad).then(|| frame::asked(&card, bytes)).flatten() {
            None => outcome.refused = outcome.taken,
            Some(Asked::Arp) => outcome.answer = Some(frame::arp_reply(&card, bytes)),
            Some(Asked::Echo(rest)) => {
                outcome.answer = Some(frame::echo_reply(&card, bytes, &rest));
            }
            Some(Asked::Datagram(from, payload)) => {
                let payload = match etherbone::packet(&payload) {
                    None => {
                        outcome.refused = true;
                        None
                    }
                    Some(Packet::Probe) => Some(etherbone::probe_answer()),
                    Some(Packet::Accesses { writes, reads }) => {
                        self.packet(&writes, reads.as_ref(), bus, &mut outcome)
                    }
                };
                outcome.answer =
                    payload.map(|payload| frame::datagram(&card, bytes, from, &payload));
            }
        }
        outcome
    }

    /// Makes the accesses of a packet; what is answered.
    fn packet(
        &mut self,
        writes: &[(u32, u32)],
        reads: Option<&(u32, Vec<u32>)>,
        bus: &mut impl HostBus,
        outcome: &mut HostOutcome,
    ) -> Option<Vec<u8>> {
        if bus.owes() && (!writes.is_empty() || reads.is_some()) {
            outcome.refused = true;
            return None;
        }
        for &(address, word) in writes {
            if self.write(address & !3, word, bus).is_none() {
                outcome.late = true;
                return None;
            }
        }
        let (base, addresses) = reads?;
        let mut words = Vec::new();
        for address in addresses {
            match self.read(address & !3, bus) {
                Some(word) => words.push(word),
                None => {
                    outcome.late = true;
                    return None;
                }
            }
        }
        Some(etherbone::answer(*base, &words))
    }

    fn write(&mut self, address: u32, word: u32, bus: &mut impl HostBus) -> Option<()> {
        let Some(place) = Request::place(address) else {
            return self.access(0, address, Some(word), bus).map(|_| ());
        };
        self.request.keep(place, word);
        if place + 1 < REQUEST_WORDS {
            return Some(());
        }
        match self.request.access(self.record.count) {
            Some(Access {
                tag,
                write,
                address,
                data,
            }) => self
                .access(tag, address, write.then_some(data), bus)
                .map(|_| ()),
            None => Some(()),
        }
    }

    fn read(&mut self, address: u32, bus: &mut impl HostBus) -> Option<u32> {
        match Record::place(address) {
            Some(place) => Some(self.record.word(place)),
            None => self.access(0, address, None, bus),
        }
    }

    /// Makes an access and keeps it in the record; what was read, or 0.
    fn access(
        &mut self,
        tag: u16,
        address: u32,
        write: Option<u32>,
        bus: &mut impl HostBus,
    ) -> Option<u32> {
        let response = match address < self.bytes {
            true => bus.access(HostAccess { address, write }),
            false => Some(HostResponse {
                code: RESPONSE_DECERR as u8,
                data: 0,
            }),
        };
        let read = match response {
            Some(HostResponse { code, data }) if u32::from(code) == RESPONSE_OKAY => data,
            _ => 0,
        };
        self.record = Record {
            tag,
            write: write.is_some(),
            response: response.map_or(RESPONSE_NONE, |response| response.code),
            count: self.record.count.wrapping_add(1),
            address,
            data: write.unwrap_or(read),
        };
        response.map(|_| read)
    }
}
