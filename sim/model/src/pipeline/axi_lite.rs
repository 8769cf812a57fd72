use super::ports::Inputs;
use bloomline_spec::registers::{
    address, Access, Register, RegisterMap, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};

/// Places for one register each in the 8-bit address space of a slave.
const PLACES: usize = 64;
/// Byte addresses of a slave.
const SPAN: u32 = 4 * PLACES as u32;
const ALL_STROBES: u8 = 0b1111;

/// What stands behind the addresses of a map.
pub(crate) trait RegisterValues {
    /// Whether a write to the register at `offset`, legal by the map, is refused in this clock.
    fn refuses(&self, _offset: u32) -> bool {
        false
    }
    /// A legal write to the writable register at `offset`.
    fn write(&mut self, offset: u32, value: u32);
    /// Value in this clock of the register at `offset`, which is neither a constant, a command nor half of a counter.
    fn value(&self, offset: u32) -> u32;
    /// Value in this clock of the counter at a place of the counter block.
    fn counter(&self, place: usize) -> u64;
}

/// What keeps a transfer waiting in a clock.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Waits {
    pub writes: bool,
    pub reads: bool,
}

/// The AXI4-Lite slave: its handshakes, and what a map answers at each address.
#[derive(Debug, Clone)]
pub(crate) struct AxiLite {
    map: Vec<Option<Register>>,
    /// A write was seen in the last clock, and is ready in the next.
    write_seen: bool,
    write_ready: bool,
    write_response: Option<u32>,
    read: Read,
    /// Upper half of the last counter sample; one for all counters.
    sampled_upper: u32,
    read_response: Option<ReadResponse>,
}

/// A read on its way, by what it does in this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    None,
    TakesAddress,
    Samples { address: u8 },
    Selects(ReadResponse),
}

/// What a read answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadResponse {
    pub data: u32,
    pub response: u32,
}

impl AxiLite {
    /// The slave of the filter's registers.
    pub fn new(map: &RegisterMap) -> AxiLite {
        AxiLite::from(map, 0)
    }

    /// The slave of the registers from byte address `first` on.
    pub fn from(map: &RegisterMap, first: u32) -> AxiLite {
        AxiLite {
            map: (first..first + SPAN)
                .step_by(4)
                .map(|offset| map.at(offset).cloned())
                .collect(),
            write_seen: false,
            write_ready: false,
            write_response: None,
            read: Read::None,
            sampled_upper: 0,
            read_response: None,
        }
    }

    /// `s_axil_awready` and `s_axil_wready`.
    pub fn write_ready(&self) -> bool {
        self.write_ready
    }

    /// `bresp` while `bvalid`.
    pub fn write_response(&self) -> Option<u32> {
        self.write_response
    }

    /// `s_axil_arready`.
    pub fn read_ready(&self) -> bool {
        self.read == Read::TakesAddress
    }

    /// `rdata` and `rresp` while `rvalid`.
    pub fn read_response(&self) -> Option<ReadResponse> {
        self.read_response
    }

    /// Whether a read takes the value of its register in this clock: in no other is one asked for.
    pub fn samples(&self) -> bool {
        matches!(self.read, Read::Samples { .. })
    }

    /// One clock without reset.
    pub fn clock(&mut self, inputs: &Inputs, waits: Waits, values: &mut impl RegisterValues) {
        // a filter without registers has no slave
        if self.map.iter().all(Option::is_none) {
            return;
        }
        self.clock_read(inputs, waits.reads, values);
        self.clock_write(inputs, waits.writes, values);
    }

    fn clock_write(&mut self, inputs: &Inputs, waits: bool, values: &mut impl RegisterValues) {
        let take = inputs.s_axil_awvalid
            && inputs.s_axil_wvalid
            && !self.write_seen
            && !self.write_ready
            && self.write_response.is_none()
            && !waits;
        if inputs.s_axil_bready {
            self.write_response = None;
        }
        if self.write_ready {
            self.write_response = Some(self.write(inputs, values));
        }
        self.write_ready = self.write_seen;
        self.write_seen = take;
    }

    fn write(&self, inputs: &Inputs, values: &mut impl RegisterValues) -> u32 {
        let Some(register) = self.at(inputs.s_axil_awaddr) else {
            return RESPONSE_DECERR;
        };
        let value = inputs.s_axil_wdata;
        let whole = inputs.s_axil_wstrb & ALL_STROBES == ALL_STROBES;
        let legal = register.access.is_writable() && whole && value <= register.max_value();
        if !legal || values.refuses(register.offset) {
            return RESPONSE_SLVERR;
        }
        values.write(register.offset, value);
        RESPONSE_OKAY
    }

    fn at(&self, byte_address: u8) -> Option<&Register> {
        self.map[usize::from(byte_address >> 2)].as_ref()
    }

    fn clock_read(&mut self, inputs: &Inputs, waits: bool, values: &impl RegisterValues) {
        let take = inputs.s_axil_arvalid
            && self.read == Read::None
            && self.read_response.is_none()
            && !waits;
        if inputs.s_axil_rready {
            self.read_response = None;
        }
        self.read = match self.read {
            Read::None if take => Read::TakesAddress,
            Read::None => Read::None,
            Read::TakesAddress => Read::Samples {
                address: inputs.s_axil_araddr,
            },
            Read::Samples { address } => Read::Selects(self.sample(address, values)),
            Read::Selects(response) => {
                self.read_response = Some(response);
                Read::None
            }
        };
    }

    fn sample(&mut self, byte_address: u8, values: &impl RegisterValues) -> ReadResponse {
        let Some(register) = self.at(byte_address) else {
            return ReadResponse {
                data: 0,
                response: RESPONSE_DECERR,
            };
        };
        let offset = register.offset;
        let counters = address::FIRST_COUNTER..SPAN;
        let counter = counters.contains(&offset).then(|| offset - counters.start);
        let data = match (register.access, counter) {
            (_, Some(place)) if place % 8 == 0 => {
                let sample = values.counter(place as usize / 8);
                self.sampled_upper = (sample >> 32) as u32;
                sample as u32
            }
            (_, Some(_)) => self.sampled_upper,
            (Access::Constant, None) => register.reset.unwrap_or(0),
            (Access::WritePulse | Access::WriteOnly, None) => 0,
            (Access::ReadOnly | Access::ReadWrite, None) => values.value(offset),
        };
        ReadResponse {
            data,
            response: RESPONSE_OKAY,
        }
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.write_seen = false;
        self.write_ready = false;
        self.write_response = None;
        self.read = Read::None;
        self.sampled_upper = 0;
        self.read_response = None;
    }
}
