//! AXI4-Lite bus functional model with random timing.

use super::host_mix::HostMix;
use super::offers::{array_place, item_words};
use bloomline_model::BusInputs;
use bloomline_spec::registers::address;
use bloomline_spec::Common;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Outputs of the bus that handshakes look at; their order is that of the ports.
mod output {
    pub const AWREADY: usize = 0;
    pub const ARREADY: usize = 4;
}

/// Begins accesses in both directions whether or not earlier ones are answered; addresses and data before their valids, and
/// after they were taken, are noise.
pub(super) struct BusTraffic {
    common: Common,
    mix: HostMix,
    /// Writes that follow each other: an item.
    burst: VecDeque<(u32, u32)>,
    write: Option<Write>,
}

/// A write on offer; address and data may come clocks apart.
struct Write {
    address: u16,
    data: u32,
    strobes: u8,
    address_in: u32,
    data_in: u32,
}

impl BusTraffic {
    /// Nothing on offer.
    pub fn new(common: &Common, mix: HostMix) -> Self {
        Self {
            common: common.clone(),
            mix,
            burst: VecDeque::new(),
            write: None,
        }
    }

    /// The bus in this clock.
    pub fn offer(&mut self, rng: &mut ChaCha8Rng, keys: u64, bus: &mut BusInputs) {
        bus.bready = rng.random_bool(self.mix.ready);
        bus.rready = rng.random_bool(self.mix.ready);
        if !bus.arvalid && rng.random_bool(self.mix.begins) {
            bus.arvalid = true;
            bus.araddr = match rng.random_range(0..8) {
                0 | 1 => address::ITEM_RESULT as u16,
                2 | 3 => rng.random_range(0x100..0x200),
                4 => address::ARRAY_DATA as u16,
                _ => rng.random_range(0..0x200),
            };
        }
        if self.write.is_none() && rng.random_bool(self.mix.begins) {
            self.write = Some(self.choose_write(rng, keys));
        }
        let Some(write) = &mut self.write else {
            (bus.awaddr, bus.wdata) = (rng.random_range(0..0x200), rng.random());
            return;
        };
        bus.awvalid = write.address_in == 0;
        bus.awaddr = if bus.awvalid {
            write.address
        } else {
            rng.random_range(0..0x200)
        };
        bus.wvalid = write.data_in == 0;
        (bus.wdata, bus.wstrb) = if bus.wvalid {
            (write.data, write.strobes)
        } else {
            rng.random()
        };
        bus.wstrb &= 15;
        write.address_in = write.address_in.saturating_sub(1);
        write.data_in = write.data_in.saturating_sub(1);
    }

    fn choose_write(&mut self, rng: &mut ChaCha8Rng, keys: u64) -> Write {
        if self.burst.is_empty() {
            match rng.random_range(0..8) {
                0..5 => {
                    let words = item_words(rng, &self.common, keys);
                    let addresses = (address::ITEM_OPERATION..).step_by(4);
                    self.burst.extend(addresses.zip(words));
                }
                5 => self.burst.push_back((address::CONTROL, 1)),
                6 => self
                    .burst
                    .push_back((address::ARRAY_ADDRESS, array_place(rng))),
                _ => {
                    let data = rng.random::<u32>() >> rng.random_range(0..32);
                    self.burst.push_back((rng.random_range(0..0x200), data));
                }
            }
        }
        let (address, data) = self.burst.pop_front().unwrap_or_default();
        let late = |rng: &mut ChaCha8Rng| match rng.random_bool(0.7) {
            true => 0,
            false => rng.random_range(1..5),
        };
        Write {
            address: address as u16,
            data,
            strobes: match rng.random_bool(0.95) {
                true => 15,
                false => rng.random_range(0..16),
            },
            address_in: late(rng),
            data_in: late(rng),
        }
    }

    /// What is taken in this clock is off the bus in the next, and a reset ends everything.
    pub fn withdraw(
        &mut self,
        rng: &mut ChaCha8Rng,
        reset: bool,
        predicted: &[u64],
        bus: &mut BusInputs,
    ) {
        let shows = |word: usize| predicted[word] & 1 == 1;
        if shows(output::AWREADY) || reset {
            (bus.awvalid, bus.wvalid) = (false, false);
            self.write = None;
        }
        if shows(output::ARREADY) || reset {
            bus.arvalid = false;
            bus.araddr = rng.random_range(0..0x200);
        }
        if reset {
            self.burst.clear();
        }
    }
}
