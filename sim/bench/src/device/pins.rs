use super::CardError;
use crate::verilator::{Design, Sim, VerilatorError};
use bloomline_spec::{Common, Key};
use std::collections::VecDeque;

/// A verdict as it left the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The verdict's bits; what they mean is the kind's.
    pub bits: u64,
    /// The item's tag.
    pub tag: u64,
    /// The clock in which it was handed over, from the first after power-up.
    pub clock: u64,
}

/// An item that waits for its turn.
#[derive(Debug, Clone, Copy)]
struct Item {
    key: Key,
    user: u64,
    tag: u64,
}

/// Where a port stands in the packed inputs or outputs.
pub(super) type Place = usize;

/// The places of the ports that every filter and card has.
#[derive(Debug, Clone, Copy)]
struct Ports {
    reset: Place,
    item_valid: Place,
    item_ready: Place,
    item_data: Place,
    item_user: Place,
    item_tag: Place,
    verdict_valid: Place,
    verdict_bits: Place,
    verdict_tag: Place,
}

/// A running design with its pins, whose two streams are attended to in every clock: the oldest waiting item is on offer,
/// verdicts are taken at once and kept.
#[derive(Debug)]
pub(super) struct Pins {
    sim: Sim,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    ports: Ports,
    name: String,
    key_bits: u32,
    items: VecDeque<Item>,
    verdicts: VecDeque<Verdict>,
}

impl Pins {
    /// The pins of a design around the filter `common` at power-up, all inputs low.
    pub fn new(sim: Sim, common: &Common) -> Result<Pins, VerilatorError> {
        let place = |port| sim.design().place(port);
        let ports = Ports {
            reset: place("reset")?,
            item_valid: place("s_item_tvalid")?,
            item_ready: place("s_item_tready")?,
            item_data: place("s_item_tdata")?,
            item_user: place("s_item_tuser")?,
            item_tag: place("s_item_tid")?,
            verdict_valid: place("m_verdict_tvalid")?,
            verdict_bits: place("m_verdict_tdata")?,
            verdict_tag: place("m_verdict_tid")?,
        };
        let verdict_ready = place("m_verdict_tready")?;
        let mut inputs = vec![0; sim.input_words()];
        inputs[verdict_ready] = 1;
        Ok(Pins {
            inputs,
            outputs: vec![0; sim.output_words()],
            sim,
            ports,
            name: common.name().to_owned(),
            key_bits: common.key_bits(),
            items: VecDeque::new(),
            verdicts: VecDeque::new(),
        })
    }

    /// Name of the filter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The design.
    pub fn design(&self) -> &Design {
        self.sim.design()
    }

    /// Clocks since power-up.
    pub fn clocks(&self) -> u64 {
        self.sim.cycle()
    }

    /// Drives an input from the next clock on.
    pub fn drive(&mut self, port: Place, value: u64) {
        self.inputs[port] = value;
    }

    /// What an input is driven with.
    pub fn driven(&self, port: Place) -> bool {
        self.inputs[port] & 1 == 1
    }

    /// What an output showed in the last clock.
    pub fn shown(&self, port: Place) -> u64 {
        self.outputs[port]
    }

    /// Whether an output of one bit was high in the last clock.
    pub fn shows(&self, port: Place) -> bool {
        self.outputs[port] & 1 == 1
    }

    /// Holds the reset for `clocks` clocks; what waited or was under way is dropped.
    pub fn reset(&mut self, clocks: u64) -> Result<(), VerilatorError> {
        self.items.clear();
        self.inputs[self.ports.item_valid] = 0;
        self.inputs[self.ports.reset] = 1;
        for _ in 0..clocks {
            self.clock()?;
        }
        self.inputs[self.ports.reset] = 0;
        self.verdicts.clear();
        Ok(())
    }

    /// See [`super::SimulatedCard::offer`].
    pub fn offer(&mut self, key: &Key, user: u64, tag: u64) -> Result<(), CardError> {
        if key.bits() != self.key_bits {
            return Err(CardError::KeyWidth {
                name: self.name.clone(),
                expected: self.key_bits,
                got: key.bits(),
            });
        }
        let key = *key;
        self.items.push_back(Item { key, user, tag });
        Ok(())
    }

    /// Items that were not taken yet.
    pub fn waiting(&self) -> usize {
        self.items.len()
    }

    /// The oldest verdict that was not taken yet.
    pub fn take_verdict(&mut self) -> Option<Verdict> {
        self.verdicts.pop_front()
    }

    /// One clock; what is handed over in it is withdrawn or kept.
    pub fn clock(&mut self) -> Result<(), VerilatorError> {
        let ports = self.ports;
        if !self.driven(ports.item_valid) {
            if let Some(item) = self.items.front() {
                let words = item.key.words();
                self.inputs[ports.item_data..][..words.len()].copy_from_slice(words);
                self.inputs[ports.item_user] = item.user;
                self.inputs[ports.item_tag] = item.tag;
                self.inputs[ports.item_valid] = 1;
            }
        }
        let clock = self.sim.cycle();
        self.sim.step(&self.inputs, &mut self.outputs)?;
        if self.driven(ports.item_valid) && self.shows(ports.item_ready) {
            self.items.pop_front();
            self.inputs[ports.item_valid] = 0;
        }
        if self.shows(ports.verdict_valid) {
            self.verdicts.push_back(Verdict {
                bits: self.outputs[ports.verdict_bits],
                tag: self.outputs[ports.verdict_tag],
                clock,
            });
        }
        Ok(())
    }
}
