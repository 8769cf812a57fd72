use super::etherbone::{self, Packet};
use super::frame::{self, Asked};
use crate::card::{Access, Record, Request};
use bloomline_spec::host_port::{HostAddress, HOST_AUTH_LOADED, HOST_AUTH_TAGGED};
use bloomline_spec::registers::{RESPONSE_DECERR, RESPONSE_OKAY};
use siphasher::sip::SipHasher24;
use std::hash::Hasher;

/// What a record says of an access that had no response.
const RESPONSE_NONE: u8 = 1;
/// Words of a request without a tag.
const REQUEST_WORDS: usize = 6;
/// Byte address of a tag's high half, and of the word that says whether tags are needed.
const TAG: u32 = 0xA5A5_A518;
const AUTH: u32 = 0xA5A5_A534;

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
    tags: Option<Tags>,
}

/// What a host port that asks for tags knows of them.
#[derive(Debug, Clone, Copy, Default)]
struct Tags {
    /// 0: none is loaded.
    secret: u128,
    /// The tag of the request in hand: its high and its low half.
    given: [u32; 2],
}

impl Tags {
    /// Whether the tag in hand is that of a message.
    fn fits(&self, message: u128) -> bool {
        let mut hasher = SipHasher24::new_with_key(&self.secret.to_le_bytes());
        hasher.write(&message.to_le_bytes());
        let [high, low] = self.given.map(u64::from);
        self.secret != 0 && hasher.finish() == high << 32 | low
    }
}

impl HostPortModel {
    /// Behind a reset, with a bus of `bits` bits of address.
    pub fn new(card: HostAddress, bits: u32) -> Self {
        Self {
            card,
            bytes: 1 << bits,
            request: Request::default(),
            record: Record::default(),
            tags: None,
        }
    }

    /// The same, and it makes only accesses that are asked for by a request with the right tag; without a secret none.
    pub fn with_tags(self) -> Self {
        Self {
            tags: Some(Tags::default()),
            ..self
        }
    }

    /// The tags are made under this secret from now on; 0 is none.
    pub fn set_secret(&mut self, secret: u128) {
        if let Some(tags) = &mut self.tags {
            tags.secret = secret;
        }
    }

    /// A reset, of one clock or more, after which a port with tags still knows its secret, and counts one access more: one may have been under way.
    pub fn reset(&mut self) {
        let (tags, count) = (self.tags, self.record.count);
        *self = Self {
            tags: tags.map(|tags| Tags {
                given: [0; 2],
                ..tags
            }),
            request: Request::default(),
            record: Record {
                count: tags.map_or(0, |_| count.wrapping_add(1)),
                ..Record::default()
            },
            ..self.clone()
        };
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
        let place = Request::place(address);
        if let Some(place) = place {
            self.request.keep(place, word);
        }
        match (&mut self.tags, place) {
            (None, None) => return self.access(0, address, Some(word), bus).map(|_| ()),
            (None, Some(place)) if place + 1 < REQUEST_WORDS => return Some(()),
            (None, Some(_)) => {}
            (Some(tags), _) => {
                let half = [TAG, TAG + 4].iter().position(|&half| half == address);
                if let Some(half) = half {
                    tags.given[half] = word;
                }
                let fits = |message| tags.fits(message);
                if half != Some(1) || !self.request.message().is_some_and(fits) {
                    return Some(());
                }
            }
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
            None => match self.tags {
                None => self.access(0, address, None, bus),
                Some(tags) if address == AUTH => {
                    Some(HOST_AUTH_TAGGED | u32::from(tags.secret != 0) << HOST_AUTH_LOADED)
                }
                Some(_) => Some(0),
            },
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
