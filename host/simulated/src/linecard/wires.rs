//! The card's pins between two PHYs, each with its own clock.

use super::clocks::{PhyClocks, CLOCK_FS};
use super::pins::CardPins;
use bloomline_bench::rgmii::{Clocks, RgmiiListener, RgmiiPlayer, GIGABIT_LINK};
use bloomline_bench::verilator::{Design, VerilatorError};
use bloomline_model::mac::Gmii;
use bloomline_spec::LANES;

/// Levels of the clocks that have moved, of the card and of each PHY.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub card: Option<bool>,
    pub phys: [Option<bool>; LANES],
}

/// What is on the pins, and who plays and listens there.
#[derive(Debug)]
pub(super) struct Wires {
    pub pins: CardPins,
    clocks: Clocks<3>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    pub players: [RgmiiPlayer; LANES],
    listeners: [RgmiiListener; LANES],
}

impl Wires {
    /// In reset, the lines at rest.
    pub fn new(design: &Design, clocks: PhyClocks) -> Result<Wires, VerilatorError> {
        let pins = CardPins::of(design)?;
        let [zero, one] = clocks.periods_fs();
        let phases = clocks.phases_fs;
        let mut inputs = vec![0; design.input_words()];
        inputs[pins.uart_rx] = 1;
        inputs[pins.hold] = 1;
        Ok(Wires {
            pins,
            clocks: Clocks::new([CLOCK_FS, zero, one], [0, phases[0], phases[1]]),
            inputs,
            outputs: vec![0; design.output_words()],
            players: std::array::from_fn(|_| RgmiiPlayer::new(GIGABIT_LINK)),
            listeners: Default::default(),
        })
    }

    /// Goes to the next instant in which a clock moves, and has the device take `step` there. What of a PHY falls is still to be driven
    /// ([`Wires::drive`]).
    pub fn advance<E>(
        &mut self,
        step: impl FnOnce(&[u64], &mut [u64]) -> Result<(), E>,
    ) -> Result<Moved, E> {
        let edges = self.clocks.advance();
        let levels = self.clocks.levels();
        self.inputs[self.pins.clock] = levels[0].into();
        for port in 0..LANES {
            self.inputs[self.pins.ports[port].rx_clock] = levels[1 + port].into();
        }
        step(&self.inputs, &mut self.outputs)?;
        let moved = |clock: usize| edges[clock].then_some(levels[clock]);
        Ok(Moved {
            card: moved(0),
            phys: [moved(1), moved(2)],
        })
    }

    /// A PHY's clock has moved: the next nibble is on its pins.
    pub fn drive(&mut self, port: usize, rising: bool) {
        let player = &mut self.players[port];
        let (control, data) = match rising {
            true => player.risen(),
            false => player.fallen(),
        };
        let pins = self.pins.ports[port];
        self.inputs[pins.rx_control] = control.into();
        self.inputs[pins.rx_data] = data.into();
    }

    /// The card's clock has risen: half of what the ports send is on the pins.
    pub fn rise(&mut self) {
        for port in 0..LANES {
            let (control, data) = self.sent(port);
            self.listeners[port].high(control, data);
        }
    }

    /// It has fallen: what a port sends is whole.
    pub fn byte_out(&self, port: usize) -> Gmii {
        let (control, data) = self.sent(port);
        self.listeners[port].low(control, data)
    }

    fn sent(&self, port: usize) -> (bool, u8) {
        let pins = self.pins.ports[port];
        (
            self.outputs[pins.tx_control] != 0,
            self.outputs[pins.tx_data] as u8,
        )
    }

    /// What is at a place of the outputs.
    pub fn shown(&self, place: usize) -> u64 {
        self.outputs[place]
    }

    /// Puts a value on an input.
    pub fn put(&mut self, place: usize, value: u64) {
        self.inputs[place] = value;
    }
}
