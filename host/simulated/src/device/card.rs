use super::axi::AxiRegisters;
use super::pins::{Pins, Verdict};
use super::{CardError, UartPins};
use crate::linecard::emitted_line_card;
use bloomline_bench::filter::{card_design, emitted_design};
use bloomline_bench::lockstep::{Simulation, Simulator, SimulatorError};
use bloomline_bench::path::path_design;
use bloomline_bench::verilator::{self, BuildOptions, Initial, Optimisation};
use bloomline_driver::{Checking, Design, Transport, TransportError, Uart, UartCarrier, Within};
use bloomline_hdl::emit::EmitError;
use bloomline_hdl::{card_verilog, path_verilog};
use bloomline_spec::registers::{address, field};
use bloomline_spec::Key;

/// Clocks of the reset.
const RESET_CLOCKS: u64 = 4;
/// Clocks that a filter has to take items after its reset: more than any memory that is built has words to empty.
const CLOCKS_TO_RUN: u64 = 100_000_000;

/// A filter of any kind in a simulator, with its pins driven as a card would: register accesses are AXI4-Lite transactions, or
/// bits on the UART where the specification has one, keys and verdicts AXI4-Stream beats, all in the same clocks.
///
/// The clock stands still but for the accesses and [`SimulatedCard::run`], so what a card does depends on its calls alone.
/// Verdicts are always taken at once and kept until [`SimulatedCard::take_verdict`].
///
/// As a [`Transport`]: a deadline is counted in clocks, [`CLOCKS_A_SECOND`](super::CLOCKS_A_SECOND) of them a second (over a UART, as many as the
/// specification's `target.clock_hz` says), and does not look at the computer's time. Over AXI4-Lite an access that is late
/// stays on the pins, as the bus asks for, and the next one waits for its end; so a late write is
/// [`TransportError::Unknown`], and the next access finds out. When the model has ended (`$fatal`) every access is
/// [`TransportError::Link`].
#[derive(Debug)]
pub struct SimulatedCard {
    way: Way,
}

/// How the registers are reached.
#[derive(Debug)]
enum Way {
    Axi(Box<AxiRegisters>),
    Uart(Box<Uart<UartPins>>),
}

impl SimulatedCard {
    /// Reads the emitted design, or builds it or finds it in the cache where the simulator is Verilator, and lets it come out of a reset until it takes items: the line card
    /// or packet path where the specification has one, else the card, without one the filter alone. Of frames none come: a line
    /// card's PHYs tell of a link at 1 Gb/s, and rest. `design` is any kind's geometry; `initial` is what memories and registers hold
    /// at power-up.
    ///
    /// # Errors
    /// [`CardError::Emit`], [`CardError::Simulator`], [`CardError::NotRunning`], [`CardError::NoStatus`].
    pub fn build(
        design: impl Into<Design>,
        simulator: Simulator<'_>,
        initial: Initial,
    ) -> Result<SimulatedCard, CardError> {
        let design = design.into();
        let options = BuildOptions {
            // Around a path of frames most of the time goes into pins, which are as fast either way.
            optimisation: match design.common().packet() {
                Some(_) => Optimisation::Quick,
                None => Optimisation::Full,
            },
            ..BuildOptions::default()
        };
        let common = design.common();
        let simulation = Simulation::new(&emitted(&design)?, simulator, &options)?;
        let pins = Pins::new(&simulation, initial, common)?;
        let way = match common.card().and_then(|card| card.uart) {
            Some(uart) => {
                let pins = UartPins::new(pins, uart, common.clock_hz())?;
                let carrier = UartCarrier::new(pins, uart.baud);
                Way::Uart(Box::new(Uart::new(carrier, 0, Checking::Mailbox)))
            }
            None => {
                let registers = AxiRegisters::new(pins, common.map_address_bits())?;
                Way::Axi(Box::new(registers))
            }
        };
        let mut card = SimulatedCard { way };
        card.reset()?;
        Ok(card)
    }

    /// Resets the card, which ends accesses and drops items under way and verdicts, and waits until it takes items again.
    ///
    /// # Errors
    /// [`CardError::Simulator`], [`CardError::NotRunning`], [`CardError::NoStatus`].
    pub fn reset(&mut self) -> Result<(), CardError> {
        match &mut self.way {
            Way::Axi(registers) => registers.reset(RESET_CLOCKS)?,
            Way::Uart(uart) => uart.carrier_mut().line_mut().reset(RESET_CLOCKS)?,
        }
        let start = self.clocks();
        loop {
            let status =
                self.read(address::STATUS, Within::MAX)
                    .map_err(|source| CardError::NoStatus {
                        name: self.pins().name().to_owned(),
                        source,
                    })?;
            if status >> field::STATUS_RUNNING & 1 == 1 {
                return Ok(());
            }
            let clocks = self.clocks() - start;
            if clocks > CLOCKS_TO_RUN {
                return Err(CardError::NotRunning {
                    name: self.pins().name().to_owned(),
                    clocks,
                    status,
                });
            }
        }
    }

    /// Clocks since power-up.
    pub fn clocks(&self) -> u64 {
        self.pins().clocks()
    }

    /// Puts an item behind those that wait for the card to take them. `user` is the operation and what stands above it
    /// (`s_item_tuser`); bits of `user` and `tag` beyond their ports are dropped.
    ///
    /// # Errors
    /// [`CardError::NoItemStream`] in a path of frames, [`CardError::KeyWidth`].
    pub fn offer(&mut self, key: &Key, user: u64, tag: u64) -> Result<(), CardError> {
        self.pins_mut().offer(key, user, tag)
    }

    /// Items that the card has not taken yet.
    pub fn waiting(&self) -> usize {
        self.pins().waiting()
    }

    /// The oldest verdict that was not taken yet.
    pub fn take_verdict(&mut self) -> Option<Verdict> {
        self.pins_mut().take_verdict()
    }

    /// Lets so many clocks pass.
    ///
    /// # Errors
    /// [`SimulatorError`] when the model ends.
    pub fn run(&mut self, clocks: u64) -> Result<(), SimulatorError> {
        match &mut self.way {
            Way::Axi(registers) => (0..clocks).try_for_each(|_| registers.pins.clock()),
            Way::Uart(uart) => uart.carrier_mut().line_mut().run(clocks),
        }
    }

    /// Takes the host's end off the UART and gives its pins, to be served.
    ///
    /// # Errors
    /// The card itself, where it has no UART.
    pub fn into_uart_pins(self) -> Result<UartPins, SimulatedCard> {
        match self.way {
            Way::Uart(uart) => Ok(uart.into_carrier().into_line()),
            way => Err(SimulatedCard { way }),
        }
    }

    fn pins(&self) -> &Pins {
        match &self.way {
            Way::Axi(registers) => &registers.pins,
            Way::Uart(uart) => &uart.carrier().line().pins,
        }
    }

    fn pins_mut(&mut self) -> &mut Pins {
        match &mut self.way {
            Way::Axi(registers) => &mut registers.pins,
            Way::Uart(uart) => &mut uart.carrier_mut().line_mut().pins,
        }
    }

    fn transport(&mut self) -> &mut dyn Transport {
        match &mut self.way {
            Way::Axi(registers) => &mut **registers,
            Way::Uart(uart) => &mut **uart,
        }
    }
}

impl Transport for SimulatedCard {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        self.transport().read(address, within)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.transport().write(address, value, within)
    }

    fn burst(
        &mut self,
        address: u32,
        values: &mut [u32],
        within: Within,
    ) -> Result<(), TransportError> {
        self.transport().burst(address, values, within)
    }
}

/// The Verilog of what the specification has around the filter, with its ports.
pub(crate) fn emitted(design: &Design) -> Result<verilator::Design, EmitError> {
    let common = design.common();
    if common.line_card().is_some() {
        return emitted_line_card(design);
    }
    if common.packet().is_some() {
        let emitted = path_verilog(design, "")?;
        let file = format!("{}_path.v", common.name());
        return Ok(path_design(common, vec![(file, emitted.text())]));
    }
    if common.card().is_some() {
        let emitted = card_verilog(design, "")?;
        let file = format!("{}.v", common.name());
        return Ok(card_design(common, vec![(file, emitted.text())]));
    }
    Ok(emitted_design(design)?.0)
}
