use super::{CardError, CardFilter};
use crate::toolchain::Toolchain;
use crate::verilator::{BuildOptions, Initial, Library, Optimisation, Sim, VerilatorError};
use bloomline_driver::{Transport, TransportError, Within};
use bloomline_model::Inputs;
use bloomline_spec::registers::{
    address, field, ADDRESS_BITS, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::{Common, Key};
use std::collections::VecDeque;

/// Clocks of a simulated card in a second of a deadline: a clock counts as a microsecond, about what a simulation takes for
/// one. So whether an access is in time depends on the gateware alone, and takes about as long as it says.
pub const CLOCKS_A_SECOND: u64 = 1_000_000;

/// Clocks of the reset.
const RESET_CLOCKS: u64 = 4;
/// Clocks that a filter has to take items after its reset: more than any memory that is built has words to empty.
const CLOCKS_TO_RUN: u64 = 100_000_000;

/// Where the outputs stand in their packed words, in the order of the ports.
mod output {
    pub const ITEM_READY: usize = 0;
    pub const VERDICT_VALID: usize = 1;
    pub const VERDICT_DATA: usize = 2;
    pub const VERDICT_TAG: usize = 3;
    pub const AW_READY: usize = 4;
    pub const W_READY: usize = 5;
    pub const B_VALID: usize = 6;
    pub const B_RESPONSE: usize = 7;
    pub const AR_READY: usize = 8;
    pub const R_VALID: usize = 9;
    pub const R_DATA: usize = 10;
    pub const R_RESPONSE: usize = 11;
}

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

/// A filter of any kind in Verilator, with its pins driven as a card would: register accesses are AXI4-Lite transactions,
/// keys and verdicts AXI4-Stream beats, both in the same clocks.
///
/// The clock stands still but for the accesses and [`SimulatedCard::run`], so what a card does depends on its calls alone.
/// Verdicts are always taken at once and kept until [`SimulatedCard::take_verdict`].
///
/// As a [`Transport`]: a deadline is counted in clocks, [`CLOCKS_A_SECOND`] of them a second, and does not look at the
/// computer's time. An access that is late stays on the pins, as AXI4-Lite asks for, and the next one waits for its end; so a
/// late write is [`TransportError::Unknown`], and the next access finds out. When the model has ended (`$fatal`) every access
/// is [`TransportError::Link`].
#[derive(Debug)]
pub struct SimulatedCard {
    sim: Sim,
    name: String,
    key_bits: u32,
    user_bits: u32,
    tag_bits: u32,
    inputs: Inputs,
    packed: Vec<u64>,
    shown: Vec<u64>,
    items: VecDeque<Item>,
    verdicts: VecDeque<Verdict>,
}

/// What the card said to an access.
struct Answer {
    response: u32,
    data: u32,
}

impl SimulatedCard {
    /// Builds the emitted filter, or finds it in the cache, and lets it come out of a reset until it takes items. `initial`
    /// is what memories and registers hold at power-up.
    ///
    /// # Errors
    /// [`CardError::Emit`], [`CardError::Verilator`], [`CardError::NotRunning`].
    pub fn build<'a>(
        filter: impl Into<CardFilter<'a>>,
        toolchain: &Toolchain,
        initial: Initial,
    ) -> Result<SimulatedCard, CardError> {
        let filter = filter.into();
        let options = BuildOptions {
            optimisation: Optimisation::Full,
            ..BuildOptions::default()
        };
        let library = Library::build(toolchain, &filter.design()?, &options)?;
        let mut card = SimulatedCard::on(library.open(initial)?, filter.common());
        card.reset()?;
        Ok(card)
    }

    fn on(sim: Sim, common: &Common) -> SimulatedCard {
        let inputs = Inputs {
            m_verdict_tready: true,
            s_axil_wstrb: 0b1111,
            ..Inputs::default()
        };
        SimulatedCard {
            packed: vec![0; sim.input_words()],
            shown: vec![0; sim.output_words()],
            sim,
            name: common.name().to_owned(),
            key_bits: common.key_bits(),
            user_bits: common.operation_bits(),
            tag_bits: common.tag_bits(),
            inputs,
            items: VecDeque::new(),
            verdicts: VecDeque::new(),
        }
    }

    /// Resets the card, which ends accesses and drops items under way and verdicts, and waits until it takes items again.
    ///
    /// # Errors
    /// [`CardError::Verilator`], [`CardError::NotRunning`].
    pub fn reset(&mut self) -> Result<(), CardError> {
        self.items.clear();
        self.inputs.s_item_tvalid = false;
        self.inputs.s_axil_awvalid = false;
        self.inputs.s_axil_wvalid = false;
        self.inputs.s_axil_bready = false;
        self.inputs.s_axil_arvalid = false;
        self.inputs.s_axil_rready = false;
        self.inputs.reset = true;
        self.run(RESET_CLOCKS)?;
        self.inputs.reset = false;
        self.verdicts.clear();
        let (start, within) = (self.clocks(), Within::MAX);
        loop {
            let status = self.read(address::STATUS, within).map_err(|source| {
                let name = self.name.clone();
                CardError::NoStatus { name, source }
            })?;
            if status >> field::STATUS_RUNNING & 1 == 1 {
                return Ok(());
            }
            let clocks = self.clocks() - start;
            if clocks > CLOCKS_TO_RUN {
                return Err(CardError::NotRunning {
                    name: self.name.clone(),
                    clocks,
                    status,
                });
            }
        }
    }

    /// Clocks since power-up.
    pub fn clocks(&self) -> u64 {
        self.sim.cycle()
    }

    /// Puts an item behind those that wait for the card to take them. `user` is the operation and what stands above it
    /// (`s_item_tuser`); bits of `user` and `tag` beyond their ports are dropped.
    ///
    /// # Errors
    /// [`CardError::KeyWidth`].
    pub fn offer(&mut self, key: &Key, user: u64, tag: u64) -> Result<(), CardError> {
        if key.bits() != self.key_bits {
            return Err(CardError::KeyWidth {
                name: self.name.clone(),
                expected: self.key_bits,
                got: key.bits(),
            });
        }
        self.items.push_back(Item {
            key: *key,
            user: user & (u64::MAX >> (64 - self.user_bits)),
            tag: tag & (u64::MAX >> (64 - self.tag_bits)),
        });
        Ok(())
    }

    /// Items that the card has not taken yet.
    pub fn waiting(&self) -> usize {
        self.items.len()
    }

    /// The oldest verdict that was not taken yet.
    pub fn take_verdict(&mut self) -> Option<Verdict> {
        self.verdicts.pop_front()
    }

    /// Lets so many clocks pass.
    ///
    /// # Errors
    /// [`VerilatorError`] when the model ends.
    pub fn run(&mut self, clocks: u64) -> Result<(), VerilatorError> {
        for _ in 0..clocks {
            self.clock()?;
        }
        Ok(())
    }

    /// One clock, with the oldest waiting item on offer; what is handed over in it is withdrawn or kept.
    fn clock(&mut self) -> Result<(), VerilatorError> {
        if !self.inputs.s_item_tvalid && !self.inputs.reset {
            if let Some(item) = self.items.front() {
                self.inputs.set_key(&item.key);
                self.inputs.s_item_tuser = item.user;
                self.inputs.s_item_tid = item.tag;
                self.inputs.s_item_tvalid = true;
            }
        }
        let clock = self.sim.cycle();
        self.inputs.pack(self.key_bits, &mut self.packed);
        self.sim.step(&self.packed, &mut self.shown)?;
        if self.inputs.s_item_tvalid && self.shows(output::ITEM_READY) {
            self.items.pop_front();
            self.inputs.s_item_tvalid = false;
        }
        if self.shows(output::VERDICT_VALID) {
            self.verdicts.push_back(Verdict {
                bits: self.shown[output::VERDICT_DATA],
                tag: self.shown[output::VERDICT_TAG],
                clock,
            });
        }
        Ok(())
    }

    fn shows(&self, word: usize) -> bool {
        self.shown[word] & 1 == 1
    }

    /// Whether an access is on the pins.
    fn accessing(&self) -> bool {
        self.inputs.s_axil_bready || self.inputs.s_axil_rready
    }

    /// Runs until the access on the pins is answered; `None` if that is not so before the clock `until`.
    fn answer(&mut self, until: u64) -> Result<Option<Answer>, VerilatorError> {
        while self.clocks() < until {
            self.clock()?;
            self.inputs.s_axil_awvalid &= !self.shows(output::AW_READY);
            self.inputs.s_axil_wvalid &= !self.shows(output::W_READY);
            self.inputs.s_axil_arvalid &= !self.shows(output::AR_READY);
            if self.inputs.s_axil_bready && self.shows(output::B_VALID) {
                self.inputs.s_axil_bready = false;
                return Ok(Some(Answer {
                    response: self.shown[output::B_RESPONSE] as u32,
                    data: 0,
                }));
            }
            if self.inputs.s_axil_rready && self.shows(output::R_VALID) {
                self.inputs.s_axil_rready = false;
                return Ok(Some(Answer {
                    response: self.shown[output::R_RESPONSE] as u32,
                    data: self.shown[output::R_DATA] as u32,
                }));
            }
        }
        Ok(None)
    }

    /// Makes an access: the value read, or 0 for a write.
    fn access(
        &mut self,
        address: u32,
        write: Option<u32>,
        within: Within,
    ) -> Result<u32, TransportError> {
        if within.is_zero() {
            return Err(TransportError::Timeout { address, within });
        }
        let Some(byte) = register(address) else {
            return Err(TransportError::NoRegister { address });
        };
        let until = self.clocks().saturating_add(clocks_of(within));
        let broken = |error: VerilatorError| TransportError::Link {
            address,
            what: error.to_string(),
            source: None,
        };
        // an access that was late
        if self.accessing() && self.answer(until).map_err(broken)?.is_none() {
            return Err(TransportError::Timeout { address, within });
        }
        match write {
            Some(value) => {
                self.inputs.s_axil_awaddr = byte;
                self.inputs.s_axil_wdata = value;
                self.inputs.s_axil_awvalid = true;
                self.inputs.s_axil_wvalid = true;
                self.inputs.s_axil_bready = true;
            }
            None => {
                self.inputs.s_axil_araddr = byte;
                self.inputs.s_axil_arvalid = true;
                self.inputs.s_axil_rready = true;
            }
        }
        let answer = self.answer(until).map_err(broken)?;
        match (answer, write) {
            (Some(answer), _) => match answer.response {
                RESPONSE_OKAY => Ok(answer.data),
                RESPONSE_SLVERR => Err(TransportError::Refused { address }),
                RESPONSE_DECERR => Err(TransportError::NoRegister { address }),
                other => Err(TransportError::Link {
                    address,
                    what: format!(
                        "the card answered with response {other}, which a register never gives"
                    ),
                    source: None,
                }),
            },
            (None, None) => Err(TransportError::Timeout { address, within }),
            (None, Some(value)) => Err(TransportError::Unknown {
                address,
                value,
                why: format!(
                    "the card did not answer within {} clocks and may still take it",
                    clocks_of(within)
                ),
            }),
        }
    }
}

impl Transport for SimulatedCard {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        self.access(address, None, within)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.access(address, Some(value), within).map(|_| ())
    }

    /// Its deadline is one count of clocks for the whole burst.
    fn burst(
        &mut self,
        address: u32,
        values: &mut [u32],
        within: Within,
    ) -> Result<(), TransportError> {
        let start = self.clocks();
        for (place, value) in (0u32..).zip(values) {
            let address = address.wrapping_add(4 * place);
            let left = within.saturating_sub(time_of(self.clocks() - start));
            *value = self.read(address, left).map_err(|error| match error {
                TransportError::Timeout { address, .. } => {
                    TransportError::Timeout { address, within }
                }
                other => other,
            })?;
        }
        Ok(())
    }
}

/// The address on the pins of a register at `address`, if it can be one.
fn register(address: u32) -> Option<u8> {
    let known = address.is_multiple_of(4) && address < 1 << ADDRESS_BITS;
    known.then_some(address as u8)
}

/// Clocks in a time, one at least.
fn clocks_of(within: Within) -> u64 {
    let clocks = within.as_nanos() * u128::from(CLOCKS_A_SECOND) / 1_000_000_000;
    u64::try_from(clocks).unwrap_or(u64::MAX).max(1)
}

/// The time of so many clocks.
fn time_of(clocks: u64) -> Within {
    Within::from_nanos(clocks.saturating_mul(1_000_000_000 / CLOCKS_A_SECOND))
}
