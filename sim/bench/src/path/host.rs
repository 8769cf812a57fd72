//! Host of a packet-path testbench over AXI4-Lite or the UART, one access at a time.

use super::pins::{shows, BusPins};
use super::script::Rates;
use super::uart_host::UartHost;
use rand::rngs::SmallRng;
use rand::Rng;

/// An access of the host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Access {
    pub address: u32,
    /// What is written; `None` for a read.
    pub write: Option<u32>,
}

/// An access that was answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub access: Access,
    pub data: u32,
    pub response: u32,
}

/// What reaches the registers.
#[derive(Debug)]
pub(super) enum Host {
    Bus(BusHost),
    Uart(Box<UartHost>),
}

impl Host {
    /// No access is under way.
    pub fn is_idle(&self) -> bool {
        match self {
            Host::Bus(host) => host.is_idle(),
            Host::Uart(host) => host.is_idle(),
        }
    }

    /// Begins an access; none is under way.
    pub fn begin(&mut self, access: Access) {
        match self {
            Host::Bus(host) => host.begin(access),
            Host::Uart(host) => host.begin(access),
        }
    }

    /// What is under way is forgotten.
    pub fn reset(&mut self) {
        match self {
            Host::Bus(host) => host.reset(),
            Host::Uart(host) => host.reset(),
        }
    }

    /// Its pins in this clock.
    pub fn drive(&mut self, rng: &mut SmallRng, inputs: &mut [u64]) {
        match self {
            Host::Bus(host) => host.drive(rng, inputs),
            Host::Uart(host) => host.drive(inputs),
        }
    }

    /// The answer that was taken in this clock.
    pub fn clock(&mut self, outputs: &[u64]) -> Option<Answer> {
        match self {
            Host::Bus(host) => host.clock(outputs),
            Host::Uart(host) => host.clock(outputs),
        }
    }

    /// Clocks within which an access is answered, without which it is not.
    pub fn answer_clocks(&self) -> u64 {
        match self {
            Host::Bus(_) => ANSWER_CLOCKS,
            Host::Uart(host) => ANSWER_CLOCKS + host.line_clocks(),
        }
    }
}

/// Clocks within which a bus answers.
const ANSWER_CLOCKS: u64 = 2_000;

/// Keeps to the rules of AXI4-Lite.
#[derive(Debug)]
pub(super) struct BusHost {
    pins: BusPins,
    access: Option<Access>,
    address_taken: bool,
    data_taken: bool,
    ready: bool,
}

impl BusHost {
    pub fn new(pins: BusPins) -> BusHost {
        BusHost {
            pins,
            access: None,
            address_taken: false,
            data_taken: false,
            ready: false,
        }
    }

    /// No access is under way.
    pub fn is_idle(&self) -> bool {
        self.access.is_none()
    }

    /// Begins an access; none is under way.
    pub fn begin(&mut self, access: Access) {
        self.access = Some(access);
        (self.address_taken, self.data_taken) = (false, access.write.is_none());
    }

    /// What is under way is forgotten.
    pub fn reset(&mut self) {
        *self = BusHost::new(self.pins);
    }

    /// The bus in this clock; what means nothing is noise.
    pub fn drive(&mut self, rng: &mut SmallRng, inputs: &mut [u64]) {
        let pins = self.pins;
        for noise in [
            pins.aw_address,
            pins.w_data,
            pins.w_strobes,
            pins.ar_address,
        ] {
            inputs[noise] = rng.random();
        }
        for low in [
            pins.aw_valid,
            pins.w_valid,
            pins.b_ready,
            pins.ar_valid,
            pins.r_ready,
        ] {
            inputs[low] = 0;
        }
        let Some(access) = self.access else { return };
        self.ready = rng.random_bool(0.7);
        match access.write {
            Some(value) => {
                if !self.address_taken {
                    inputs[pins.aw_address] = access.address.into();
                    inputs[pins.aw_valid] = 1;
                }
                if !self.data_taken {
                    inputs[pins.w_data] = value.into();
                    inputs[pins.w_strobes] = 0b1111;
                    inputs[pins.w_valid] = 1;
                }
                inputs[pins.b_ready] = self.ready.into();
            }
            None => {
                if !self.address_taken {
                    inputs[pins.ar_address] = access.address.into();
                    inputs[pins.ar_valid] = 1;
                }
                inputs[pins.r_ready] = self.ready.into();
            }
        }
    }

    /// The answer that was taken in this clock.
    pub fn clock(&mut self, outputs: &[u64]) -> Option<Answer> {
        let (pins, access) = (self.pins, self.access?);
        let (address_ready, valid, response, data) = match access.write {
            Some(_) => {
                self.data_taken |= shows(outputs, pins.w_ready);
                (pins.aw_ready, pins.b_valid, pins.b_response, None)
            }
            None => (
                pins.ar_ready,
                pins.r_valid,
                pins.r_response,
                Some(pins.r_data),
            ),
        };
        self.address_taken |= shows(outputs, address_ready);
        if !(self.ready && shows(outputs, valid)) {
            return None;
        }
        self.access = None;
        Some(Answer {
            access,
            data: data.map_or(0, |place| outputs[place] as u32),
            response: outputs[response] as u32,
        })
    }
}

/// What a host does while frames pass: a policy, a read, or what is refused.
pub(super) fn draw_access(rng: &mut SmallRng, rates: &Rates) -> Option<Access> {
    use bloomline_spec::registers::address;
    if rates.policy > 0.0 && rng.random_bool(rates.policy) {
        let policy = super::script::draw_policy(rng).register();
        return Some(Access {
            address: address::POLICY + 4 * rng.random_range(0..8),
            write: Some(policy),
        });
    }
    if rates.read == 0.0 || !rng.random_bool(rates.read) {
        return None;
    }
    let address = match rng.random_range(0..4) {
        0 => address::PATH_COUNTERS + 8 * rng.random_range(0..11),
        1 => 4 * rng.random_range(0..0x100),
        _ => address::PACKET_PATH + 4 * rng.random_range(0..0x80),
    };
    let refused = address::PACKET_PATH + 4 * rng.random_range(0..3);
    let write = rng.random_bool(0.1).then(|| rng.random());
    Some(Access {
        address: if write.is_some() { refused } else { address },
        write,
    })
}
