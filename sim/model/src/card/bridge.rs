use super::bus::{BusInputs, BusOutputs};
use super::mailbox::{Access, Request, REQUEST_WORDS};
use super::record::Record;
use bloomline_spec::registers::RESPONSE_DECERR;
use bloomline_spec::{UART_SYNC_BYTE, UART_SYNC_RUN};

/// Clocks in which the CRC runs over a request or the record.
const CRC_CLOCKS: u32 = 16;
/// First byte address that belongs to no slave.
const DEVICE_BYTES: u32 = 0x200;
const ALL_STROBES: u8 = 0b1111;
/// Bytes of a command before its data.
const HEADER_BYTES: usize = 6;
const WORD_BYTES: u32 = 4;

/// Reads and writes commands of uartbone, makes accesses to the device, keeps the mailbox.
#[derive(Debug, Clone)]
pub(super) struct Bridge {
    timeout_clocks: u32,
    state: State,
    /// Clocks of the command in hand, stopped at the time-out; of the silence while `lost`.
    age: u32,
    /// Synchronisation bytes that were taken last, in a row.
    run: usize,
    /// A byte was dropped, so those that come belong to no command that is known.
    lost: bool,
    /// The byte that was taken in the clock before.
    taken: Option<u8>,
    header: [u8; HEADER_BYTES],
    command: Command,
    /// The word in hand: of the command's data, or of its answer.
    word: u32,
    access: Access,
    request: Request,
    record: Record,
}

/// What the bridge does in a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Bytes of the header that came.
    Command {
        bytes: usize,
    },
    /// Bytes of the data word that came.
    Data {
        bytes: u32,
    },
    /// In its first clock the address is decoded.
    Access {
        decoded: bool,
    },
    /// The slave has taken the address; it has answered.
    Bus {
        addressed: bool,
        answer: Option<(u8, u32)>,
    },
    /// Clocks left after this one; then `access` is made if the request is good, or nothing.
    CheckRequest {
        left: u32,
    },
    /// Clocks left after this one, in which the record's check is made.
    CheckRecord {
        left: u32,
    },
    Next,
    /// Bytes of the answer that were loaded.
    Answer {
        bytes: u32,
    },
}

/// The command in hand.
#[derive(Debug, Clone, Copy, Default)]
struct Command {
    write: bool,
    rising: bool,
    /// Words left, the one in hand included.
    words: u32,
    /// Byte address of the word in hand.
    address: u32,
}

/// What the bridge does to the queue and the transmitter.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    pub takes: bool,
    pub sends: Option<u8>,
}

impl Command {
    /// `None` for a command that is passed over.
    fn of([code, length, address @ ..]: [u8; HEADER_BYTES]) -> Option<Command> {
        let (write, rising) = match code {
            1 => (true, true),
            2 => (false, true),
            3 => (true, false),
            4 => (false, false),
            _ => return None,
        };
        Some(Command {
            write,
            rising,
            words: if length == 0 { 256 } else { length.into() },
            address: u32::from_be_bytes(address) << 2,
        })
    }
}

impl Bridge {
    /// As after reset.
    pub fn new(timeout_clocks: u32) -> Bridge {
        Bridge {
            timeout_clocks,
            state: State::Command { bytes: 0 },
            age: 0,
            run: 0,
            lost: false,
            taken: None,
            header: [0; HEADER_BYTES],
            command: Command::default(),
            word: 0,
            access: Access::default(),
            request: Request::default(),
            record: Record::default(),
        }
    }

    /// What it shows on the bus in this clock.
    pub fn bus(&self) -> BusInputs {
        let State::Bus { addressed, .. } = self.state else {
            return BusInputs::default();
        };
        if self.access.address >= DEVICE_BYTES {
            return BusInputs::default();
        }
        let (address, write) = (self.access.address as u16, self.access.write);
        BusInputs {
            awvalid: write && !addressed,
            awaddr: address,
            wvalid: write && !addressed,
            wdata: self.access.data,
            wstrb: ALL_STROBES,
            bready: write,
            arvalid: !write && !addressed,
            araddr: address,
            rready: !write,
        }
    }

    /// The last access.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// One clock without reset: the queue's head, whether a byte is dropped behind it, whether the transmitter is idle, what the slaves show.
    pub fn clock(
        &mut self,
        head: Option<u8>,
        dropped: bool,
        idle: bool,
        bus: &BusOutputs,
    ) -> Moved {
        let mut moved = Moved::default();
        let lost = self.lost;
        let nothing_in_hand = self.state == State::Command { bytes: 0 } && !lost;
        let collects = matches!(self.state, State::Command { .. } | State::Data { .. });
        let acting = self.taken.take();
        let timed_out =
            collects && !nothing_in_hand && self.age == self.timeout_clocks && acting.is_none();
        if collects && !timed_out {
            self.taken = head;
            moved.takes = head.is_some();
        }
        let mut synchronised = false;
        if timed_out {
            self.state = State::Command { bytes: 0 };
        } else {
            self.state = self.step(acting, idle, bus, &mut moved);
            if let Some(byte) = acting {
                self.run = if byte == UART_SYNC_BYTE {
                    self.run + 1
                } else {
                    0
                };
                synchronised = self.run >= UART_SYNC_RUN;
            }
            if synchronised || (lost && collects) {
                self.state = State::Command { bytes: 0 };
            }
        }
        self.lost = dropped || (lost && !timed_out && !synchronised);
        let heard = lost && (acting.is_some() || !collects);
        self.age = if nothing_in_hand || dropped || heard {
            0
        } else {
            (self.age + 1).min(self.timeout_clocks)
        };
        moved
    }

    fn step(&mut self, byte: Option<u8>, idle: bool, bus: &BusOutputs, moved: &mut Moved) -> State {
        match self.state {
            State::Command { bytes } => match byte {
                Some(byte) => {
                    self.header[bytes] = byte;
                    self.with_header(bytes + 1)
                }
                None => self.state,
            },
            State::Data { bytes } => match byte {
                Some(byte) => {
                    self.word = self.word << 8 | u32::from(byte);
                    if bytes + 1 == WORD_BYTES {
                        Self::access_begins()
                    } else {
                        State::Data { bytes: bytes + 1 }
                    }
                }
                None => self.state,
            },
            State::Access { decoded: false } => State::Access { decoded: true },
            State::Access { decoded: true } => self.begin_access(),
            State::Bus { addressed, answer } => self.on_bus(addressed, answer, bus),
            State::CheckRequest { left: 0 } => match self.request.access(self.record.count) {
                Some(access) => {
                    self.access = access;
                    Self::bus_begins()
                }
                None => State::Next,
            },
            State::CheckRequest { left } => State::CheckRequest { left: left - 1 },
            State::CheckRecord { left: 0 } if self.command.write => State::Next,
            State::CheckRecord { left: 0 } => State::Answer { bytes: 0 },
            State::CheckRecord { left } => State::CheckRecord { left: left - 1 },
            State::Answer { bytes } if !idle => State::Answer { bytes },
            State::Answer { bytes } => {
                moved.sends = Some((self.word >> 24) as u8);
                self.word <<= 8;
                if bytes + 1 == WORD_BYTES {
                    State::Next
                } else {
                    State::Answer { bytes: bytes + 1 }
                }
            }
            State::Next => self.next_word(),
        }
    }

    fn with_header(&mut self, bytes: usize) -> State {
        if bytes < HEADER_BYTES {
            return State::Command { bytes };
        }
        match Command::of(self.header) {
            Some(command) => {
                self.command = command;
                self.word_begins()
            }
            None => State::Command { bytes: 0 },
        }
    }

    fn word_begins(&self) -> State {
        if self.command.write {
            State::Data { bytes: 0 }
        } else {
            Self::access_begins()
        }
    }

    fn access_begins() -> State {
        State::Access { decoded: false }
    }

    fn begin_access(&mut self) -> State {
        let Command { write, address, .. } = self.command;
        if let Some(place) = Record::place(address).filter(|_| !write) {
            self.word = self.record.word(place);
            return State::Answer { bytes: 0 };
        }
        if let Some(place) = Request::place(address).filter(|_| write) {
            self.request.keep(place, self.word);
            return if place + 1 == REQUEST_WORDS {
                State::CheckRequest {
                    left: CRC_CLOCKS + 1,
                }
            } else {
                State::Next
            };
        }
        self.access = Access {
            tag: 0,
            write,
            address,
            data: self.word,
        };
        Self::bus_begins()
    }

    fn bus_begins() -> State {
        State::Bus {
            addressed: false,
            answer: None,
        }
    }

    fn on_bus(&mut self, addressed: bool, answer: Option<(u8, u32)>, bus: &BusOutputs) -> State {
        let write = self.access.write;
        let outside = self.access.address >= DEVICE_BYTES;
        let answer = answer.or(outside.then_some((RESPONSE_DECERR as u8, 0)));
        let Some((response, data)) = answer else {
            let (taken, answer) = if write {
                (bus.awready, bus.written.map(|response| (response, 0)))
            } else {
                (bus.arready, bus.read.map(|read| (read.response, read.data)))
            };
            return State::Bus {
                addressed: addressed || taken,
                answer,
            };
        };
        // A read that is refused gives 0.
        let read = if response == 0 { data } else { 0 };
        self.record = Record {
            tag: self.access.tag,
            write,
            response,
            count: self.record.count.wrapping_add(1),
            address: self.access.address,
            data: if write { self.access.data } else { read },
        };
        if !self.command.write {
            self.word = read;
        }
        State::CheckRecord {
            left: CRC_CLOCKS - 1,
        }
    }

    fn next_word(&mut self) -> State {
        self.command.words -= 1;
        if self.command.words == 0 {
            return State::Command { bytes: 0 };
        }
        if self.command.rising {
            self.command.address = self.command.address.wrapping_add(4);
        }
        self.word_begins()
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Bridge::new(self.timeout_clocks);
    }
}
