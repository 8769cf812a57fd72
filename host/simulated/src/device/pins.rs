use super::CardError;
use bloomline_bench::lockstep::{Running, Simulation, SimulatorError};
use bloomline_bench::rgmii::GIGABIT_LINK;
use bloomline_bench::verilator::{Design, Initial};
use bloomline_spec::{Common, Key, LANES};
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

/// What stands at the pins beside the host.
#[derive(Debug)]
enum Beside {
    /// A stream of items and one of verdicts.
    Items(Items),
    /// Streams of frames, on which nothing comes; what leaves is taken.
    Frames,
    /// The PHYs of a line card, which tell of a link at 1 Gb/s and bring nothing: the places of the card's clock and of theirs,
    /// which run with it.
    Lines([Place; 1 + LANES]),
}

/// The streams of a filter or card, attended to in every clock: the oldest waiting item is on offer, verdicts are taken at once
/// and kept.
#[derive(Debug)]
struct Items {
    ports: Ports,
    waiting: VecDeque<Item>,
    verdicts: VecDeque<Verdict>,
}

/// The places of the ports of those streams.
#[derive(Debug, Clone, Copy)]
struct Ports {
    item_valid: Place,
    item_ready: Place,
    item_data: Place,
    item_user: Place,
    item_tag: Place,
    verdict_valid: Place,
    verdict_bits: Place,
    verdict_tag: Place,
}

/// Clocks that a line card is held in its reset at least, and clocks after it for what crosses between its clocks.
const LINES_RESET_CLOCKS: u64 = 64;

/// A running design with its pins.
#[derive(Debug)]
pub(super) struct Pins {
    sim: Running,
    design: Design,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    reset: Place,
    beside: Beside,
    clocks: u64,
    name: String,
    key_bits: u32,
}

impl Pins {
    /// The pins of a design around the filter `common`, powered up with memories and registers as `initial` says: of a line card, a packet path,
    /// a card or the filter alone.
    pub fn new(
        simulation: &Simulation,
        initial: Initial,
        common: &Common,
    ) -> Result<Pins, SimulatorError> {
        let sim = simulation.open(initial)?;
        let design = simulation.design();
        let place = |port: &str| design.place(port);
        let mut inputs = vec![0; sim.input_words()];
        let (reset, beside) = match (common.packet(), common.line_card()) {
            (_, Some(_)) => {
                for port in 0..LANES {
                    inputs[place(&format!("rgmii_{port}_rx_data"))?] = GIGABIT_LINK.into();
                }
                let clocks = ["clock", "rgmii_0_rx_clock", "rgmii_1_rx_clock"];
                let [card, zero, one] = clocks.map(place);
                (place("hold")?, Beside::Lines([card?, zero?, one?]))
            }
            (Some(_), None) => {
                inputs[place("m_frame_tready")?] = 1;
                (place("reset")?, Beside::Frames)
            }
            (None, None) => {
                inputs[place("m_verdict_tready")?] = 1;
                let items = Items {
                    ports: Ports::of(design)?,
                    waiting: VecDeque::new(),
                    verdicts: VecDeque::new(),
                };
                (place("reset")?, Beside::Items(items))
            }
        };
        Ok(Pins {
            inputs,
            outputs: vec![0; sim.output_words()],
            sim,
            design: design.clone(),
            reset,
            beside,
            clocks: 0,
            name: common.name().to_owned(),
            key_bits: common.key_bits(),
        })
    }

    /// Name of the filter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Clocks since power-up.
    pub fn clocks(&self) -> u64 {
        self.clocks
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

    /// Holds the reset for `clocks` clocks, on a line card for as long as it needs; what waited or was under way is dropped.
    pub fn reset(&mut self, clocks: u64) -> Result<(), SimulatorError> {
        let (held, after) = match &mut self.beside {
            Beside::Items(items) => {
                items.waiting.clear();
                self.inputs[items.ports.item_valid] = 0;
                (clocks, 0)
            }
            Beside::Frames => (clocks, 0),
            Beside::Lines(_) => (clocks.max(LINES_RESET_CLOCKS), LINES_RESET_CLOCKS),
        };
        self.inputs[self.reset] = 1;
        for _ in 0..held {
            self.clock()?;
        }
        self.inputs[self.reset] = 0;
        for _ in 0..after {
            self.clock()?;
        }
        if let Beside::Items(items) = &mut self.beside {
            items.verdicts.clear();
        }
        Ok(())
    }

    /// See [`super::SimulatedCard::offer`].
    pub fn offer(&mut self, key: &Key, user: u64, tag: u64) -> Result<(), CardError> {
        let name = self.name.clone();
        let Beside::Items(items) = &mut self.beside else {
            return Err(CardError::NoItemStream { name });
        };
        if key.bits() != self.key_bits {
            return Err(CardError::KeyWidth {
                name,
                expected: self.key_bits,
                got: key.bits(),
            });
        }
        let key = *key;
        items.waiting.push_back(Item { key, user, tag });
        Ok(())
    }

    /// Items that were not taken yet.
    pub fn waiting(&self) -> usize {
        match &self.beside {
            Beside::Items(items) => items.waiting.len(),
            Beside::Frames | Beside::Lines(_) => 0,
        }
    }

    /// The oldest verdict that was not taken yet.
    pub fn take_verdict(&mut self) -> Option<Verdict> {
        match &mut self.beside {
            Beside::Items(items) => items.verdicts.pop_front(),
            Beside::Frames | Beside::Lines(_) => None,
        }
    }

    /// One clock; what is handed over in it is withdrawn or kept.
    pub fn clock(&mut self) -> Result<(), SimulatorError> {
        match &mut self.beside {
            Beside::Items(items) => {
                items.offer(&mut self.inputs);
                self.sim.step(&self.inputs, &mut self.outputs)?;
                items.hand_over(self.clocks, &mut self.inputs, &self.outputs);
            }
            Beside::Frames => self.sim.step(&self.inputs, &mut self.outputs)?,
            Beside::Lines(places) => {
                for level in [1, 0] {
                    for &place in &*places {
                        self.inputs[place] = level;
                    }
                    self.sim.step(&self.inputs, &mut self.outputs)?;
                }
            }
        }
        self.clocks += 1;
        Ok(())
    }
}

impl Ports {
    fn of(design: &Design) -> Result<Ports, SimulatorError> {
        let place = |port| design.place(port);
        Ok(Ports {
            item_valid: place("s_item_tvalid")?,
            item_ready: place("s_item_tready")?,
            item_data: place("s_item_tdata")?,
            item_user: place("s_item_tuser")?,
            item_tag: place("s_item_tid")?,
            verdict_valid: place("m_verdict_tvalid")?,
            verdict_bits: place("m_verdict_tdata")?,
            verdict_tag: place("m_verdict_tid")?,
        })
    }
}

impl Items {
    /// Puts the oldest item on offer where none is.
    fn offer(&self, inputs: &mut [u64]) {
        let ports = self.ports;
        if inputs[ports.item_valid] & 1 == 0 {
            if let Some(item) = self.waiting.front() {
                let words = item.key.words();
                inputs[ports.item_data..][..words.len()].copy_from_slice(words);
                inputs[ports.item_user] = item.user;
                inputs[ports.item_tag] = item.tag;
                inputs[ports.item_valid] = 1;
            }
        }
    }

    /// Withdraws what was taken in a clock, and keeps what came.
    fn hand_over(&mut self, clock: u64, inputs: &mut [u64], outputs: &[u64]) {
        let ports = self.ports;
        if inputs[ports.item_valid] & outputs[ports.item_ready] & 1 == 1 {
            self.waiting.pop_front();
            inputs[ports.item_valid] = 0;
        }
        if outputs[ports.verdict_valid] & 1 == 1 {
            self.verdicts.push_back(Verdict {
                bits: outputs[ports.verdict_bits],
                tag: outputs[ports.verdict_tag],
                clock,
            });
        }
    }
}
