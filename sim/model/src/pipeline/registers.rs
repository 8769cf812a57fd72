use super::ports::Inputs;
use super::status::Status;
use bloomline_spec::registers::{
    address, field, Access, Counter, Register, RegisterMap, RESPONSE_DECERR, RESPONSE_OKAY,
    RESPONSE_SLVERR,
};
use bloomline_spec::Geometry;

const COUNTERS: usize = Counter::ALL.len();
/// Places for one register each in the 8-bit address space.
const PLACES: usize = 64;
const ALL_STROBES: u8 = 0b1111;

/// The AXI4-Lite slave: its handshakes, the two writable registers, and what is pending.
#[derive(Debug, Clone)]
pub(super) struct Registers {
    map: Vec<Option<Register>>,
    reset_threshold: u32,
    reset_max_age: u32,
    threshold: u32,
    max_age: u32,
    clear_pending: bool,
    threshold_pending: bool,
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
    Samples { address: u32 },
    Selects(ReadResponse),
}

/// What a read answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReadResponse {
    pub data: u32,
    pub response: u32,
}

impl Registers {
    pub fn new(geometry: &Geometry) -> Registers {
        let map = RegisterMap::for_geometry(geometry);
        let reset_threshold =
            u32::try_from(geometry.threshold()).expect("a validated threshold fits 32 bits");
        Registers {
            map: (0..PLACES as u32)
                .map(|place| map.at(4 * place).cloned())
                .collect(),
            reset_threshold,
            reset_max_age: geometry.max_age_ticks(),
            threshold: reset_threshold,
            max_age: geometry.max_age_ticks(),
            clear_pending: false,
            threshold_pending: false,
            write_ready: false,
            write_response: None,
            read: Read::None,
            sampled_upper: 0,
            read_response: None,
        }
    }

    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    pub fn max_age(&self) -> u32 {
        self.max_age
    }

    pub fn clear_pending(&self) -> bool {
        self.clear_pending
    }

    pub fn threshold_pending(&self) -> bool {
        self.threshold_pending
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

    /// One clock without reset. `status` holds the read-only registers' values in this clock. `served` says that the sequencer has done what is pending.
    pub fn clock(&mut self, inputs: &Inputs, served: bool, status: &Status) {
        self.clock_read(inputs, status);
        self.clock_write(inputs, served);
    }

    fn clock_write(&mut self, inputs: &Inputs, served: bool) {
        let take = inputs.s_axil_awvalid
            && inputs.s_axil_wvalid
            && !self.write_ready
            && self.write_response.is_none()
            && !self.clear_pending
            && !self.threshold_pending;
        if served {
            self.clear_pending = false;
            self.threshold_pending = false;
        }
        if inputs.s_axil_bready {
            self.write_response = None;
        }
        if self.write_ready {
            self.write_response = Some(self.write(inputs));
        }
        self.write_ready = take;
    }

    fn write(&mut self, inputs: &Inputs) -> u32 {
        let Some(register) = self.at(inputs.s_axil_awaddr) else {
            return RESPONSE_DECERR;
        };
        let value = inputs.s_axil_wdata;
        let whole = inputs.s_axil_wstrb & ALL_STROBES == ALL_STROBES;
        if !register.access.is_writable() || !whole || value > register.max_value() {
            return RESPONSE_SLVERR;
        }
        match register.offset {
            address::THRESHOLD => {
                self.threshold = value;
                self.threshold_pending = true;
            }
            address::MAX_AGE => self.max_age = value,
            address::CONTROL => self.clear_pending |= value >> field::CONTROL_CLEAR & 1 == 1,
            _ => {}
        }
        RESPONSE_OKAY
    }

    fn at(&self, byte_address: u8) -> Option<&Register> {
        self.map[usize::from(byte_address >> 2)].as_ref()
    }

    fn clock_read(&mut self, inputs: &Inputs, status: &Status) {
        let take = inputs.s_axil_arvalid && self.read == Read::None && self.read_response.is_none();
        if inputs.s_axil_rready {
            self.read_response = None;
        }
        self.read = match self.read {
            Read::None if take => Read::TakesAddress,
            Read::None => Read::None,
            Read::TakesAddress => Read::Samples {
                address: u32::from(inputs.s_axil_araddr),
            },
            Read::Samples { address } => Read::Selects(self.sample(address, status)),
            Read::Selects(response) => {
                self.read_response = Some(response);
                Read::None
            }
        };
    }

    fn sample(&mut self, byte_address: u32, status: &Status) -> ReadResponse {
        let Some(register) = self.at(byte_address as u8) else {
            return ReadResponse {
                data: 0,
                response: RESPONSE_DECERR,
            };
        };
        let (offset, access, constant) = (register.offset, register.access, register.reset);
        let counter = offset
            .checked_sub(address::FIRST_COUNTER)
            .filter(|&place| (place as usize) < 8 * COUNTERS)
            .map(|place| (place as usize / 8, place % 8 == 0));
        let data = match (offset, counter) {
            (_, Some((index, true))) => {
                self.sampled_upper = (status.counters[index] >> 32) as u32;
                status.counters[index] as u32
            }
            (_, Some((_, false))) => self.sampled_upper,
            (address::CONTROL, _) => 0,
            (address::STATUS, _) => status.word(),
            (address::THRESHOLD, _) => self.threshold,
            (address::MAX_AGE, _) => self.max_age,
            (address::BITS_ACTIVE, _) => status.bits_active,
            (address::BITS_FROZEN, _) => status.bits_frozen,
            (address::MESSAGES, _) => status.messages,
            _ => {
                debug_assert_eq!(
                    access,
                    Access::Constant,
                    "every other register is a constant"
                );
                constant.unwrap_or(0)
            }
        };
        ReadResponse {
            data,
            response: RESPONSE_OKAY,
        }
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.threshold = self.reset_threshold;
        self.max_age = self.reset_max_age;
        self.clear_pending = false;
        self.threshold_pending = false;
        self.write_ready = false;
        self.write_response = None;
        self.read = Read::None;
        self.sampled_upper = 0;
        self.read_response = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{FilterSpec, EXAMPLES};
    use std::path::Path;

    /// Reads one address; the counters move on by one in every clock.
    fn read(registers: &mut Registers, status: &mut Status, byte_address: u32) -> u32 {
        let inputs = Inputs {
            s_axil_arvalid: true,
            s_axil_araddr: byte_address as u8,
            ..Inputs::default()
        };
        while registers.read_response().is_none() {
            registers.clock(&inputs, false, status);
            status.counters.iter_mut().for_each(|counter| *counter += 1);
        }
        let data = registers
            .read_response()
            .expect("the loop ends with a response")
            .data;
        registers.clock(
            &Inputs {
                s_axil_rready: true,
                ..Inputs::default()
            },
            false,
            status,
        );
        data
    }

    #[test]
    fn low_then_high_is_one_value_although_the_counter_carries_in_between() {
        let (file, text) = EXAMPLES[0];
        let sizing = FilterSpec::from_toml(text, Path::new(file))
            .and_then(|spec| spec.validate())
            .expect("an example");
        let mut registers = Registers::new(&sizing.with_threshold(30_000).expect("legal"));
        for counter in Counter::ALL {
            let mut carried_in_between = 0;
            for before_carry in 0..12 {
                let start = (7 << 32) - before_carry;
                let mut status = Status {
                    counters: [start; COUNTERS],
                    ..Status::default()
                };
                let low = u64::from(read(&mut registers, &mut status, counter.address_lo()));
                let high = u64::from(read(&mut registers, &mut status, counter.address_hi()));
                // Sampled two clocks after the read was taken.
                assert_eq!(high << 32 | low, start + 2, "{counter:?}");
                carried_in_between += u32::from(high == 6 && status.counter(counter) >> 32 == 7);
            }
            assert!(carried_in_between > 0, "{counter:?}");
        }
    }
}
