//! Constrained-random stimulus for a card.

use super::card_bus::BusTraffic;
use super::card_host::UartTraffic;
use super::host_mix::HostMix;
use super::offers::{spread_key, Repeats, ResetPulses};
use crate::lockstep::Stimulus;
use bloomline_model::CardInputs;
use bloomline_spec::Common;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a torture run of a card does, as probabilities a clock unless said otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct CardTortureMix {
    /// Clocks.
    pub clocks: u64,
    /// Share of the time in which the stream brings items; what is left is silent for hundreds of clocks at a time.
    pub busy: f64,
    /// No item is offered while it is busy.
    pub idle: f64,
    /// The verdict stream is not ready.
    pub hold_verdict: f64,
    /// Once in a while the verdict stream is not ready for hundreds of clocks.
    pub jams: bool,
    /// Synchronous reset (one to three clocks).
    pub reset: f64,
    /// Distinct keys that items of the stream and the host are drawn from.
    pub keys: u64,
    /// An item repeats one of the last eight keys.
    pub repeat: f64,
    /// What the host does.
    pub host: HostMix,
}

impl CardTortureMix {
    /// A mix drawn from `seed` for the card of `common`: every run is of another kind.
    pub fn draw(common: &Common, seed: u64, clocks: u64) -> Self {
        let uart = common.card().and_then(|card| card.uart);
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6361_7264);
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        let (busy, idle) = (pick(&[0.0, 0.5, 0.9, 1.0]), pick(&[0.0, 0.0, 0.3, 0.9]));
        let hold_verdict = pick(&[0.0, 0.0, 0.2, 0.8]);
        // Over a UART a command takes thousands of clocks: a reset now and then, or at any place of the commands.
        let reset = match uart {
            Some(_) => pick(&[0.0, 0.0, 3e-5, 2e-4]),
            None => pick(&[0.0, 0.0, 1e-3, 1e-2]),
        };
        let keys = pick(&[2.0, 8.0, 8.0, 200.0, 1e18]) as u64;
        let repeat = pick(&[0.0, 0.3, 0.9]);
        let (waits, off) = (
            pick(&[0.5, 0.95, 1.0, 1.0]),
            pick(&[0.0, 0.0, -0.02, -0.01, 0.01, 0.02]),
        );
        let (ready, begins) = (pick(&[0.05, 0.5, 1.0]), pick(&[0.01, 0.3, 1.0]));
        let acts = [
            [6, 3, 6, 1, 1, 1, 4, 1, 3],
            [8, 1, 0, 0, 0, 0, 0, 0, 2],
            [2, 1, 8, 0, 0, 0, 0, 0, 0],
            [3, 3, 3, 3, 3, 3, 8, 1, 1],
            [6, 4, 4, 0, 0, 0, 0, 1, 3],
        ];
        let acts = acts[rng.random_range(0..acts.len())];
        Self {
            clocks,
            busy,
            idle,
            hold_verdict,
            jams: rng.random_bool(0.5),
            reset,
            keys,
            repeat,
            host: HostMix {
                acts,
                waits,
                off,
                ready,
                begins,
            },
        }
    }
}

/// Draws inputs of a card from a seed: a stream with items, idle clocks and back-pressure, resets, and a host over the UART or
/// AXI4-Lite.
pub struct CardTorture {
    rng: ChaCha8Rng,
    mix: CardTortureMix,
    common: Common,
    clock: u64,
    resets: ResetPulses,
    repeats: Repeats,
    inputs: CardInputs,
    /// Clocks left in which the stream is busy or not, and the verdicts are jammed or not.
    spell: u64,
    busy: bool,
    jam: u64,
    host: Host,
}

enum Host {
    Uart(UartTraffic),
    Bus(BusTraffic),
}

/// The output that says that the stream's item is taken; the order is that of the ports.
const TREADY: usize = 0;
/// Outputs of the host's side, behind those of the streams.
const HOST: usize = 4;

impl CardTorture {
    /// A run of `mix` with `seed` on the card of `common`; its host rests if there is none.
    pub fn new(common: &Common, mix: CardTortureMix, seed: u64) -> Self {
        let host = match common.card().and_then(|card| card.uart) {
            Some(uart) => Host::Uart(UartTraffic::new(common, &uart, mix.host.clone())),
            None => Host::Bus(BusTraffic::new(common, mix.host.clone())),
        };
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            mix,
            common: common.clone(),
            clock: 0,
            resets: ResetPulses::default(),
            repeats: Repeats::new(),
            inputs: CardInputs::default(),
            spell: 0,
            busy: false,
            jam: 0,
            host,
        }
    }

    /// The stream's side of this clock; an offer stands until it is taken.
    fn stream(&mut self) {
        let (rng, mix, inputs) = (&mut self.rng, &self.mix, &mut self.inputs);
        if self.spell == 0 {
            self.spell = rng.random_range(1..1_000);
            self.busy = rng.random_bool(mix.busy);
        }
        self.spell -= 1;
        if !inputs.s_item_tvalid && self.busy && !rng.random_bool(mix.idle) {
            let value = self.repeats.draw(rng, mix.repeat, mix.keys);
            inputs.s_item_tvalid = true;
            inputs.s_item_tdata = spread_key(self.common.key_bits(), value);
            inputs.s_item_tuser = rng.random::<u64>() >> (64 - self.common.operation_bits());
            inputs.s_item_tid = rng.random::<u64>() >> (64 - self.common.stream_tag_bits());
        }
        if self.jam > 0 {
            self.jam -= 1;
        } else if mix.jams && rng.random_bool(2e-4) {
            self.jam = rng.random_range(100..4_000);
        }
        inputs.m_verdict_tready = self.jam == 0 && !rng.random_bool(mix.hold_verdict);
    }
}

impl Stimulus for CardTorture {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if self.clock == self.mix.clocks {
            return false;
        }
        self.clock += 1;
        self.inputs.reset = self.resets.draw(&mut self.rng, self.mix.reset);
        self.stream();
        let (rng, keys) = (&mut self.rng, self.mix.keys);
        match &mut self.host {
            Host::Uart(uart) => {
                self.inputs.uart_rx = uart.clock(rng, keys, predicted[HOST] & 1 == 1);
            }
            Host::Bus(bus) => bus.offer(rng, keys, &mut self.inputs.s_axil),
        }
        self.inputs.pack(&self.common, inputs);
        let reset = self.inputs.reset;
        if predicted[TREADY] & 1 == 1 || reset {
            self.inputs.s_item_tvalid = false;
        }
        if let Host::Bus(bus) = &mut self.host {
            bus.withdraw(rng, reset, &predicted[HOST..], &mut self.inputs.s_axil);
        }
        true
    }
}
