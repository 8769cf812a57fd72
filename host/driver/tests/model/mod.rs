//! A card whose filter is the pipeline model: its registers over AXI4-Lite, clock by clock, and the item port of the contract.
#![allow(dead_code, reason = "not every test file uses all of it")]

use bloomline_driver::{Design, Limits, Transport, TransportError, Within};
use bloomline_model::{pipeline_model, ClockedModel, Inputs, Outputs};
use bloomline_spec::registers::{
    address, field, ADDRESS_BITS, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::{
    FilterKind, FilterSpec, Key, RegisterMap, SpecError, OPERATION_BITS, SLIDING_EXAMPLES,
};
use std::path::Path;
use std::time::Duration;

/// Clocks that an access to the item port takes.
const PORT_CLOCKS: u32 = 4;
const PATIENCE_CLOCKS: u32 = 100_000;

pub const LIMITS: Limits = Limits {
    access: Duration::from_secs(5),
    command: Duration::from_secs(5),
};

const RECYCLING: &str = r#"
name = "recycler"
[filter]
kind = "recycling"
memory_bits = 8192
hashes = 4
hashing = "double"
accept_two_hash_floor = true
[filter.recycle]
phases = 2
on = "bits-set"
threshold = 600
[key]
bits = 104
"#;

const CELLS: &str = r#"
name = "cells"
[filter]
kind = "KIND"
memory_bits = 16384
hashes = 4
hashing = "double"
accept_two_hash_floor = true
items = 1000
SECTION
[key]
bits = 40
[hash]
family = "FAMILY"
"#;

fn cells(kind: &str, family: &str, section: &str) -> String {
    CELLS
        .replace("KIND", kind)
        .replace("FAMILY", family)
        .replace("SECTION", section)
}

/// The text of a specification of every kind; the static filter has a keyed hash.
pub fn text(kind: FilterKind) -> String {
    match kind {
        FilterKind::Recycling => RECYCLING.to_owned(),
        FilterKind::Static => cells("static", "siphash", ""),
        FilterKind::Counting => cells(
            "counting",
            "h3-sbox",
            "[filter.counting]\ncounter_bits = 3\nthreshold = 3",
        )
        .replace("16384", "12288"),
        FilterKind::CountMin => cells(
            "count-min",
            "h3-sbox",
            "[filter.count-min]\ncounter_bits = 12\namount_bits = 9\nthreshold = 400",
        )
        .replace("16384", "49152"),
        FilterKind::Sliding => SLIDING_EXAMPLES[0].1.to_owned(),
    }
}

/// The complete geometry of a specification.
pub fn design(text: &str) -> Design {
    let spec = FilterSpec::from_toml(text, Path::new("test.toml")).expect("it parses");
    let auto: Result<Design, SpecError> = spec.design_with(|_, _| Ok(600));
    auto.expect("it is valid")
}

/// A filter of a kind on a card.
pub fn card(kind: FilterKind) -> Design {
    design(&format!("{}\n[card]\n", text(kind)))
}

/// A filter of a kind, alone.
pub fn alone(kind: FilterKind) -> Design {
    design(&text(kind))
}

/// The keys of a small universe, `number` modulo `universe`, spread over the width.
pub fn key(design: &Design, number: u64, universe: u64) -> Key {
    let bits = design.common().key_bits();
    let wide = u128::from(number % universe + 1) * 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
    Key::from_integer(wide >> (128 - bits), bits).expect("shifted to the width")
}

/// The item port's registers.
#[derive(Debug, Default)]
struct Port {
    operation: u32,
    key: [u32; 16],
    pending: bool,
    busy: bool,
    sequence: u32,
    verdict: u64,
}

/// A card, or a filter alone, in simulation: one access at a time.
pub struct ModelCard {
    model: Box<dyn ClockedModel + Send>,
    map: RegisterMap,
    key_words: u32,
    host_tag: u64,
    inputs: Inputs,
    port: Port,
    /// While set, nothing takes the item that the host offers.
    pub held: bool,
}

impl ModelCard {
    /// As configured.
    pub fn new(design: &Design) -> ModelCard {
        let common = design.common();
        ModelCard {
            model: pipeline_model(design),
            map: design.register_map(),
            key_words: common.key_words(),
            host_tag: 1 << (common.tag_bits() - 1),
            inputs: Inputs {
                m_verdict_tready: true,
                ..Inputs::default()
            },
            port: Port::default(),
            held: false,
        }
    }

    /// Offers an item on the stream, which is the filter's whole one here, and clocks until it is taken.
    pub fn stream(&mut self, key: &Key, tuser: u64) {
        let mut inputs = self.inputs;
        inputs.set_key(key);
        inputs.s_item_tvalid = true;
        inputs.s_item_tuser = tuser;
        while !self.model.outputs().s_item_tready {
            self.clock();
        }
        self.model.clock(&inputs);
    }

    /// Clocks without anything to do.
    pub fn idle(&mut self, clocks: u32) {
        (0..clocks).for_each(|_| self.clock());
    }

    fn clock(&mut self) {
        let outputs = self.model.outputs();
        let offered = self.port.pending && !self.held;
        let mut inputs = self.inputs;
        inputs.s_item_tvalid = offered;
        if offered {
            let words: Vec<u64> = self
                .port
                .key
                .chunks(2)
                .map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32)
                .collect();
            inputs.s_item_tdata.copy_from_slice(&words);
            inputs.s_item_tuser = self.port.operation.into();
            inputs.s_item_tid = self.host_tag;
        }
        if offered && outputs.s_item_tready {
            self.port.pending = false;
            if self.port.operation & ((1 << OPERATION_BITS) - 1) == 1 {
                self.done(0);
            }
        }
        let host = outputs
            .m_verdict_tid
            .is_some_and(|tag| tag & self.host_tag != 0);
        if outputs.m_verdict_tvalid && host && self.port.busy && !self.port.pending {
            self.done(outputs.m_verdict_tdata.unwrap_or(0));
        }
        self.model.clock(&inputs);
    }

    fn done(&mut self, verdict: u64) {
        self.port.verdict = verdict;
        self.port.busy = false;
        self.port.sequence = (self.port.sequence + 1) % 128;
    }

    fn until(&mut self, shows: impl Fn(&Outputs) -> bool) -> Option<Outputs> {
        for _ in 0..PATIENCE_CLOCKS {
            let outputs = self.model.outputs();
            self.clock();
            if shows(&outputs) {
                return Some(outputs);
            }
        }
        None
    }

    fn port_read(&self, address: u32) -> u32 {
        let port = &self.port;
        let constant = |register: &bloomline_spec::Register| register.reset.unwrap_or(0);
        match address {
            address::ITEM_RESULT => {
                u32::from(port.busy) << field::ITEM_BUSY
                    | port.sequence << field::ITEM_SEQUENCE
                    | (port.verdict & 15) as u32
            }
            address::ITEM_ESTIMATE => (port.verdict >> 4) as u32,
            address::ITEM_OPERATION => port.operation,
            address::ITEM_KEY.. => port.key[((address - address::ITEM_KEY) / 4) as usize],
            _ => self.map.at(address).map_or(0, constant),
        }
    }

    fn port_write(&mut self, address: u32, value: u32) -> u32 {
        if self.port.busy {
            return RESPONSE_SLVERR;
        }
        if address == address::ITEM_OPERATION {
            self.port.operation = value;
        } else {
            let word = (address - address::ITEM_KEY) / 4;
            self.port.key[word as usize] = value;
            if word + 1 == self.key_words {
                self.port.pending = true;
                self.port.busy = true;
            }
        }
        RESPONSE_OKAY
    }

    fn in_filter(&self, address: u32) -> bool {
        address < 1 << ADDRESS_BITS
    }
}

fn judged<R>(response: u32, value: R, address: u32) -> Result<R, TransportError> {
    match response {
        RESPONSE_OKAY => Ok(value),
        RESPONSE_SLVERR => Err(TransportError::Refused { address }),
        RESPONSE_DECERR => Err(TransportError::NoRegister { address }),
        _ => panic!("response {response} at 0x{address:03X} is none of the contract"),
    }
}

impl Transport for ModelCard {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        let timeout = || TransportError::Timeout { address, within };
        if !self.in_filter(address) {
            self.idle(PORT_CLOCKS);
            return match self.map.at(address) {
                Some(_) => Ok(self.port_read(address)),
                None => Err(TransportError::NoRegister { address }),
            };
        }
        self.inputs.s_axil_arvalid = true;
        self.inputs.s_axil_araddr = address as u8;
        self.inputs.s_axil_rready = true;
        let taken = self.until(|outputs| outputs.s_axil_arready);
        self.inputs.s_axil_arvalid = false;
        taken.ok_or_else(timeout)?;
        let answer = self
            .until(|outputs| outputs.s_axil_rvalid)
            .ok_or_else(timeout)?;
        self.inputs.s_axil_rready = false;
        let response = answer.s_axil_rresp.map_or(RESPONSE_OKAY, u32::from);
        judged(response, answer.s_axil_rdata.unwrap_or(0), address)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        let timeout = || TransportError::Timeout { address, within };
        if !self.in_filter(address) {
            self.idle(PORT_CLOCKS);
            let register = self
                .map
                .at(address)
                .ok_or(TransportError::NoRegister { address })?;
            let legal = register.access.is_writable() && value <= register.max_value();
            let response = if legal {
                self.port_write(address, value)
            } else {
                RESPONSE_SLVERR
            };
            return judged(response, (), address);
        }
        self.inputs.s_axil_awvalid = true;
        self.inputs.s_axil_wvalid = true;
        self.inputs.s_axil_awaddr = address as u8;
        self.inputs.s_axil_wdata = value;
        self.inputs.s_axil_wstrb = 15;
        self.inputs.s_axil_bready = true;
        let taken = self.until(|outputs| outputs.s_axil_awready);
        self.inputs.s_axil_awvalid = false;
        self.inputs.s_axil_wvalid = false;
        taken.ok_or_else(timeout)?;
        let answer = self
            .until(|outputs| outputs.s_axil_bvalid)
            .ok_or_else(timeout)?;
        self.inputs.s_axil_bready = false;
        let response = answer.s_axil_bresp.map_or(RESPONSE_OKAY, u32::from);
        judged(response, (), address)
    }
}

/// A card whose link fails for good behind so many writes.
pub struct Ending(pub ModelCard, pub usize);

impl Transport for Ending {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        match self.1 {
            0 => Err(TransportError::Timeout { address, within }),
            _ => self.0.read(address, within),
        }
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.1 = self.1.saturating_sub(1);
        match self.1 {
            0 => Err(TransportError::Timeout { address, within }),
            _ => self.0.write(address, value, within),
        }
    }
}
