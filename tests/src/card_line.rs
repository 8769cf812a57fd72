use bloomline_bench::filter::{ClockedModel, PinReader, PinWriter};
use bloomline_driver::Line;
use bloomline_model::{CardInputs, CardModel};
use bloomline_spec::{Common, Uart};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// How much of what stands on the pins is harmed, of every kind so much: probabilities a byte.
#[derive(Debug, Clone, Copy, Default)]
pub struct HarmRates {
    /// The pin stays high.
    pub drop: f64,
    /// One of the ten bits is inverted, the start or stop bit too.
    pub flip: f64,
    /// The byte comes later, up to twice the bridge's time-out.
    pub delay: f64,
}

/// Harm that was done.
#[derive(Debug, Clone, Copy, Default)]
pub struct Harm {
    /// Bytes that were dropped, flipped, delayed.
    pub done: [u64; 3],
}

impl Harm {
    /// Of all kinds.
    pub fn total(&self) -> u64 {
        self.done.iter().sum()
    }
}

/// What becomes of a byte on the pins.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Whole,
    Dropped,
    /// With these bits inverted.
    Flipped(u16),
    /// By so many clocks.
    Delayed(u64),
}

/// A serial line whose other end is the pins of a simulated card, with harm to both directions and the card's clock as its
/// time: while one waits, the card runs.
pub struct CardLine<M> {
    card: CardModel<M>,
    uart: Uart,
    clock_hz: u64,
    start: Instant,
    clock: u64,
    to_card: PinWriter,
    from_card: PinReader,
    /// What becomes of the byte that the card sends now, and the clocks since it began.
    sending: Option<(Fate, u64)>,
    /// Bytes for the host, with the clock from which it can have them.
    heard: VecDeque<(u64, u8)>,
    rng: ChaCha8Rng,
    rates: HarmRates,
    harm: Harm,
}

impl<M: ClockedModel> CardLine<M> {
    /// A line to `card`, the one of `common`, without harm as yet.
    ///
    /// # Panics
    /// When it has no UART.
    pub fn new(common: &Common, card: CardModel<M>, seed: u64) -> Self {
        let uart = common
            .card()
            .and_then(|card| card.uart)
            .expect("has a UART");
        Self {
            card,
            uart,
            clock_hz: common.clock_hz(),
            start: Instant::now(),
            clock: 0,
            to_card: PinWriter::new(uart.clocks_per_bit, 0.0),
            from_card: PinReader::new(uart.clocks_per_bit),
            sending: None,
            heard: VecDeque::new(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            rates: HarmRates::default(),
            harm: Harm::default(),
        }
    }

    /// From now on bytes are harmed at these rates.
    pub fn set_rates(&mut self, rates: HarmRates) {
        self.rates = rates;
    }

    /// What was done so far.
    pub fn harm(&self) -> Harm {
        self.harm
    }

    /// The card.
    pub fn card(&self) -> &CardModel<M> {
        &self.card
    }

    /// Clocks since the line was made.
    pub fn clocks(&self) -> u64 {
        self.clock
    }

    fn fate(&mut self) -> Fate {
        let rates = self.rates;
        let mut left: f64 = self.rng.random();
        for (kind, rate) in [rates.drop, rates.flip, rates.delay]
            .into_iter()
            .enumerate()
        {
            if left < rate {
                self.harm.done[kind] += 1;
                return match kind {
                    0 => Fate::Dropped,
                    1 => Fate::Flipped(1 << self.rng.random_range(0..10)),
                    _ => {
                        let most = 2 * u64::from(self.uart.timeout_clocks);
                        Fate::Delayed(self.rng.random_range(1..most))
                    }
                };
            }
            left -= rate;
        }
        Fate::Whole
    }

    /// The host's end of `uart_tx`: what the card shows, as the line makes it.
    fn harmed(&mut self, tx: bool) -> bool {
        if self.sending.is_none() && !tx {
            let fate = self.fate();
            self.sending = Some((fate, 0));
        }
        let Some((fate, clock)) = self.sending else {
            return tx;
        };
        let bit = clock / u64::from(self.uart.clocks_per_bit);
        self.sending = (bit < 10).then_some((fate, clock + 1));
        match fate {
            // behind its stop bit the next byte has a fate of its own
            _ if bit >= 10 => tx,
            Fate::Dropped => true,
            Fate::Flipped(bits) => tx != (bits >> bit & 1 == 1),
            Fate::Whole | Fate::Delayed(_) => tx,
        }
    }

    fn run_a_clock(&mut self) {
        let delay = match self.sending {
            Some((Fate::Delayed(clocks), _)) => clocks,
            _ => 0,
        };
        let tx = self.card.outputs().uart_tx;
        let tx = self.harmed(tx);
        if let Some(byte) = self.from_card.clock(tx) {
            // a stream: nothing overtakes
            let last = self.heard.back().map_or(0, |&(clock, _)| clock);
            self.heard.push_back((last.max(self.clock + delay), byte));
        }
        let inputs = CardInputs {
            m_verdict_tready: true,
            uart_rx: self.to_card.clock(),
            ..CardInputs::default()
        };
        self.card.clock(&inputs);
        self.clock += 1;
    }
}

impl<M: ClockedModel + Send> Line for CardLine<M> {
    fn now(&self) -> Instant {
        let nanoseconds = u128::from(self.clock) * 1_000_000_000 / u128::from(self.clock_hz);
        self.start + Duration::from_nanos(nanoseconds as u64)
    }

    fn send(&mut self, bytes: &[u8], _until: Instant) -> io::Result<()> {
        let n = u64::from(self.uart.clocks_per_bit);
        for &byte in bytes {
            match self.fate() {
                Fate::Whole => self.to_card.byte(byte),
                Fate::Dropped => self.to_card.level(true, 10 * n),
                Fate::Flipped(bits) => self.to_card.damaged_byte(byte, bits),
                Fate::Delayed(clocks) => {
                    self.to_card.level(true, clocks);
                    self.to_card.byte(byte);
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        loop {
            let mut got = 0;
            while let Some(&(clock, byte)) = self.heard.front() {
                if clock > self.clock || got == buffer.len() {
                    break;
                }
                buffer[got] = byte;
                got += 1;
                self.heard.pop_front();
            }
            if got > 0 || self.now() >= until {
                return Ok(got);
            }
            self.run_a_clock();
        }
    }
}
