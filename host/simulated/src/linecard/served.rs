//! A line card that other programs reach over its host port: datagrams become frames at the RGMII pins, and frames there datagrams.

use super::clocks::PhyClocks;
use super::error::LineCardError;
use super::lines::LineFrame;
use super::peer::HostPeer;
use super::pins::emitted_line_card;
use super::testbench::play;
use super::wires::Wires;
use crate::device::Clocked;
use bloomline_bench::filter::PinWriter;
use bloomline_bench::lockstep::{Running, Simulation, Simulator, SimulatorError};
use bloomline_bench::verilator::{BuildOptions, Initial, Optimisation};
use bloomline_driver::packet::Packet;
use bloomline_driver::serve::Responder;
use bloomline_driver::{uartbone, Design};
use bloomline_model::mac::{FrameEnd, MacReceiverModel};
use bloomline_spec::host_port::{HostAuth, HostBinding, HOST_BUS_CLOCKS};
use bloomline_spec::registers::{address, field};
use bloomline_spec::LANES;
use std::collections::VecDeque;
use std::time::Instant;

/// Who asks.
const PEER: HostPeer = HostPeer {
    mac: [0x02, 0, 0, 0, 0, 0x99],
    ip: [10, 0, 0, 99],
    port: 40_000,
};
/// Clocks of the reset.
const RESET_CLOCKS: u64 = 20;
/// Clocks for a filter to take items after it.
const CLOCKS_TO_RUN: u64 = 5_000_000;
/// Clocks to an answer that makes no access: pins to pins, with a frame under way before it.
const ANSWER_CLOCKS: u64 = 3_000;
/// Clocks of an access, and of a word of an answer.
const WORD_CLOCKS: u64 = 40;

/// The emitted line card in a simulator, between two PHYs whose clocks are 100 ppm faster and slower than its own. Its host port is reached by frames,
/// or as a [`Responder`] by datagrams, each of which is wrapped into a frame, and what comes back unwrapped.
///
/// The clock stands still but for these and [`ServedLineCard::run`].
#[derive(Debug)]
pub struct ServedLineCard {
    sim: Running,
    wires: Wires,
    host: HostBinding,
    clocks: u64,
    /// What has come of the frame that leaves.
    receiver: MacReceiverModel,
    frame: Vec<u8>,
    /// Frames that have left at the port of the host.
    left: VecDeque<Vec<u8>>,
}

impl ServedLineCard {
    /// Reads the emitted line card, or builds it or finds it in the cache where the simulator is Verilator, and lets it come out of a reset until its filter takes items. `initial` is what memories
    /// and registers hold at power-up. One that asks for tags is not waited for: it answers no reads before [`ServedLineCard::load_key`].
    ///
    /// # Errors
    /// [`LineCardError::NoHostPort`] without `[packet.host]`; [`LineCardError::Emit`], [`LineCardError::Simulator`];
    /// [`LineCardError::NotRunning`] when the filter does not come out of its reset.
    pub fn build(
        design: &Design,
        simulator: Simulator<'_>,
        initial: Initial,
    ) -> Result<ServedLineCard, LineCardError> {
        let common = design.common();
        let name = || common.name().to_owned();
        let host = common.line_card().and_then(|packet| packet.host());
        let host = host.ok_or_else(|| LineCardError::NoHostPort { name: name() })?;
        let options = BuildOptions {
            // who waits for a card to be served waits for the compiler above all
            optimisation: Optimisation::Quick,
            ..BuildOptions::default()
        };
        let simulation = Simulation::new(&emitted_line_card(design)?, simulator, &options)?;
        let mut card = ServedLineCard {
            sim: simulation.open(initial).map_err(SimulatorError::from)?,
            wires: Wires::new(simulation.design(), PhyClocks::APART)?,
            host,
            clocks: 0,
            receiver: MacReceiverModel::default(),
            frame: Vec::new(),
            left: VecDeque::new(),
        };
        card.run(RESET_CLOCKS)?;
        card.wires.put(card.wires.pins.hold, 0);
        card.run(RESET_CLOCKS)?;
        if host.auth == HostAuth::SipHash24 {
            // Nothing but the mailbox can be asked before a secret is loaded.
            return Ok(card);
        }
        let status = Packet {
            reads: Some((0, vec![address::STATUS])),
            ..Packet::default()
        }
        .encode();
        while card.clocks < CLOCKS_TO_RUN {
            let answer = card.datagram(&status)?;
            let words = Packet::decode(&answer).and_then(|packet| packet.writes);
            let running = |status: &u32| status >> field::STATUS_RUNNING & 1 == 1;
            if words.is_some_and(|(_, words)| words.iter().any(running)) {
                return Ok(card);
            }
        }
        Err(LineCardError::NotRunning {
            name: name(),
            clocks: card.clocks,
        })
    }

    /// Loads the secret under which the host port takes requests, over the UART of a card of this design.
    ///
    /// # Errors
    /// [`SimulatorError`] when the model ends.
    pub fn load_key(&mut self, design: &Design, secret: u128) -> Result<(), SimulatorError> {
        let uart = design.common().card().and_then(|card| card.uart);
        let clocks_per_bit = uart.map_or(1, |uart| uart.clocks_per_bit);
        let words: [u32; 4] = std::array::from_fn(|word| (secret >> (32 * word)) as u32);
        let mut bytes = Vec::new();
        uartbone::write_command(address::HOST_KEY, &words, &mut bytes);
        let mut writer = PinWriter::new(clocks_per_bit, 0.0);
        writer.bytes(&bytes);
        while !writer.at_rest() {
            let level = writer.clock();
            self.wires.put(self.wires.pins.uart_rx, level.into());
            self.clock()?;
        }
        self.run(RESET_CLOCKS * u64::from(clocks_per_bit))
    }

    /// Where the host port stands, and who the card is there.
    pub fn host(&self) -> HostBinding {
        self.host
    }

    /// Clocks since power-up.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// Lets so many clocks pass.
    ///
    /// # Errors
    /// [`SimulatorError`] when the model ends.
    pub fn run(&mut self, clocks: u64) -> Result<(), SimulatorError> {
        (0..clocks).try_for_each(|_| self.clock())
    }

    /// One clock of the card.
    fn clock(&mut self) -> Result<(), SimulatorError> {
        loop {
            let sim = &mut self.sim;
            let step = |inputs: &[u64], outputs: &mut [u64]| sim.step(inputs, outputs);
            let moved = self.wires.advance(step)?;
            for port in 0..LANES {
                if let Some(level) = moved.phys[port] {
                    self.wires.drive(port, level);
                }
            }
            match moved.card {
                Some(true) => self.wires.rise(),
                Some(false) => {
                    self.clocks += 1;
                    self.listen();
                    return Ok(());
                }
                None => {}
            }
        }
    }

    /// A byte has left at the port of the host.
    fn listen(&mut self) {
        let gmii = self.wires.byte_out(self.host.port);
        self.receiver.clock(false, gmii);
        self.frame
            .extend(self.receiver.beat().map(|beat| beat.data));
        if let Some(end) = self.receiver.end() {
            let frame = std::mem::take(&mut self.frame);
            self.left.extend((end == FrameEnd::Good).then_some(frame));
        }
    }

    /// A frame comes to the port of the host, whatever stands on its `line`: the first good one that leaves there within so many clocks of its end.
    ///
    /// # Errors
    /// [`SimulatorError`] when the model ends.
    pub fn exchange(
        &mut self,
        line: &LineFrame,
        within: u64,
    ) -> Result<Option<Vec<u8>>, SimulatorError> {
        self.left.clear();
        play(&mut self.wires.players[self.host.port], line);
        while !self.wires.players[self.host.port].is_idle() {
            self.clock()?;
        }
        let until = self.clocks + within;
        while self.left.is_empty() && self.clocks < until {
            self.clock()?;
        }
        Ok(self.left.pop_front())
    }

    /// A datagram to the card's UDP port; the one that comes back, empty for none.
    ///
    /// # Errors
    /// [`SimulatorError`] when the model ends.
    pub fn datagram(&mut self, payload: &[u8]) -> Result<Vec<u8>, SimulatorError> {
        let card = self.host.address;
        let frame = LineFrame::good(&PEER.datagram(&card, payload));
        let words = payload.len() as u64 / 4;
        let within = ANSWER_CLOCKS + u64::from(HOST_BUS_CLOCKS) + WORD_CLOCKS * words;
        let answer = self.exchange(&frame, within)?;
        let payload = answer.and_then(|frame| PEER.payload(&card, &frame));
        Ok(payload.unwrap_or_default())
    }
}

impl Responder for ServedLineCard {
    /// Nothing when the model has ended, which [`Clocked::run`] then tells.
    fn answer(&mut self, bytes: &[u8], _now: Instant) -> Vec<u8> {
        self.datagram(bytes).unwrap_or_default()
    }
}

impl Clocked for ServedLineCard {
    fn run(&mut self, clocks: u64, _now: Instant) -> Result<Vec<u8>, SimulatorError> {
        ServedLineCard::run(self, clocks)?;
        Ok(Vec::new())
    }
}
