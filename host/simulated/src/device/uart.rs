use super::clocked::Clocked;
use super::pins::{Pins, Place};
use super::uart_commands::Commands;
use bloomline_bench::filter::{PinReader, PinWriter};
use bloomline_bench::lockstep::SimulatorError;
use bloomline_driver::serve::Responder;
use bloomline_driver::uartbone::DROPPED_AFTER;
use bloomline_driver::Line;
use bloomline_spec::{Uart, UART_SYNC_BYTE, UART_SYNC_RUN};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// Bits of a byte on the wire: start, eight, stop.
const FRAME_BITS: u32 = 10;
/// Clocks by which the speed of the simulation is measured.
const CLOCKS_TO_MEASURE: u64 = 200_000;
/// Clocks of a pause that are made up for at once while nobody waits for them.
const PAUSE_SLICE: u64 = 50_000;
/// Clocks without a bit on either pin after which a card sends no more of an answer.
const CLOCKS_TO_ANSWER: u64 = 100_000;
/// Bytes of answers to what a client sent at once behind which more of it is dropped: a card's queue would long have overflowed.
const MOST_ANSWERED_AT_ONCE: usize = 256;
/// Silence after which a card has said what it has to say, in bits.
const QUIET_BITS: u64 = 3 * FRAME_BITS as u64;

/// The UART pins of a card, driven and read bit by bit: a line to the bridge in its gateware.
///
/// As a [`Line`] its time is the card's own, in clocks of the specification's `target.clock_hz`, which run while one waits.
/// As the end of a line that is served ([`Clocked`]) it runs for as long as bytes are under way. A command goes to the card once the one before is answered, so
/// that the card's queue never overflows, but behind a few answers (256 bytes) what the client sent without waiting for them is dropped and nothing is taken until
/// it is silent or synchronises, as by a card whose queue has overflowed. While a client is silent the card's time-out passes, at the latest before the client's
/// next bytes go to it: a command that was left incomplete is given up, as on a line.
#[derive(Debug)]
pub struct UartPins {
    pub(super) pins: Pins,
    rx: Place,
    tx: Place,
    uart: Uart,
    clock_hz: u64,
    /// Time of clock 0.
    start: Instant,
    /// Bytes that wait to go to the card.
    waiting: VecDeque<u8>,
    writer: PinWriter,
    reader: PinReader,
    /// Bytes from the card that nobody took yet.
    received: VecDeque<u8>,
    /// The last clock in which either pin was low.
    active: u64,
    commands: Commands,
    /// Clock in which the last byte began on its way to the card.
    fed: u64,
    /// When a client was heard last, in the computer's time.
    heard: Option<Instant>,
    /// Too much came at once: what comes is dropped until the client is silent or synchronises.
    lost: bool,
}

impl UartPins {
    /// The pins of a card's design with this UART, at power-up.
    pub(super) fn new(
        mut pins: Pins,
        uart: Uart,
        clock_hz: u64,
    ) -> Result<UartPins, SimulatorError> {
        let rx = pins.design().place("uart_rx")?;
        let tx = pins.design().place("uart_tx")?;
        pins.drive(rx, 1);
        Ok(UartPins {
            active: pins.clocks(),
            pins,
            rx,
            tx,
            uart,
            clock_hz,
            start: Instant::now(),
            waiting: VecDeque::new(),
            writer: PinWriter::new(uart.clocks_per_bit, 0.0),
            reader: PinReader::new(uart.clocks_per_bit),
            received: VecDeque::new(),
            commands: Commands::new(uart.timeout_clocks),
            fed: 0,
            heard: None,
            lost: false,
        })
    }

    /// Bits a second that this computer simulates, by the time that it takes for some clocks of silence.
    ///
    /// # Errors
    /// [`SimulatorError`] when the model ends.
    pub fn simulated_baud(&mut self) -> Result<u32, SimulatorError> {
        let start = Instant::now();
        UartPins::run(self, CLOCKS_TO_MEASURE)?;
        let seconds = start.elapsed().as_secs_f64().max(1e-9);
        Ok((CLOCKS_TO_MEASURE as f64 / seconds / f64::from(self.uart.clocks_per_bit)) as u32)
    }

    /// The UART of the specification.
    pub fn uart(&self) -> Uart {
        self.uart
    }

    /// Resets the card; bytes on their way are dropped.
    pub(super) fn reset(&mut self, clocks: u64) -> Result<(), SimulatorError> {
        self.waiting.clear();
        self.writer.abandon();
        self.reader = PinReader::new(self.uart.clocks_per_bit);
        self.pins.drive(self.rx, 1);
        self.pins.reset(clocks)?;
        self.received.clear();
        self.commands.at_rest();
        self.lost = false;
        self.active = self.pins.clocks();
        Ok(())
    }

    /// Lets so many clocks pass.
    pub(super) fn run(&mut self, clocks: u64) -> Result<(), SimulatorError> {
        for _ in 0..clocks {
            self.clock()?;
        }
        Ok(())
    }

    /// One clock of both directions.
    fn clock(&mut self) -> Result<(), SimulatorError> {
        if self.writer.at_rest() && self.commands.owed() == 0 {
            if let Some(byte) = self.waiting.pop_front() {
                self.fed = self.pins.clocks();
                self.writer.byte(byte);
                self.commands.sent(byte, self.fed);
            }
        }
        let to_card = self.writer.clock();
        self.pins.drive(self.rx, to_card.into());
        self.pins.clock()?;
        let to_host = self.pins.shows(self.tx);
        if let Some(byte) = self.reader.clock(to_host) {
            self.received.push_back(byte);
            self.commands.answered();
        }
        if !(to_card && to_host) {
            self.active = self.pins.clocks();
        } else if self.pins.clocks() - self.active > CLOCKS_TO_ANSWER {
            self.commands.expect_no_more();
        }
        Ok(())
    }

    /// Whether anything is under way on the pins, or was until a moment ago.
    fn is_busy(&self) -> bool {
        let quiet = self.pins.clocks().saturating_sub(self.active);
        !self.waiting.is_empty()
            || self.commands.owed() > 0
            || !self.writer.at_rest()
            || quiet < QUIET_BITS * u64::from(self.uart.clocks_per_bit)
    }

    /// Whether the client has been silent for so long that a card on a line would have given up its command.
    fn is_silent(&self, now: Instant) -> bool {
        self.heard
            .is_some_and(|heard| now.saturating_duration_since(heard) > DROPPED_AFTER)
    }

    /// Clocks until the card has given up whatever it had of a command.
    fn until_given_up(&self) -> u64 {
        let time_out = u64::from(self.uart.timeout_clocks) + 2 * self.byte_clocks();
        (self.fed + time_out).saturating_sub(self.pins.clocks())
    }

    fn byte_clocks(&self) -> u64 {
        u64::from(FRAME_BITS) * u64::from(self.uart.clocks_per_bit)
    }

    fn exchange(&mut self, bytes: &[u8], now: Instant) -> Result<(), SimulatorError> {
        let silent = self.is_silent(now);
        if silent && !self.commands.can_be_followed_by(bytes) {
            let clocks = self.until_given_up();
            UartPins::run(self, clocks)?;
            self.commands.at_rest();
        }
        self.lost &= !silent;
        self.waiting.extend(bytes);
        if self.lost {
            self.drop_backlog();
        }
        let mut before = self.received.len();
        while self.is_busy() {
            let answered = self.received.len() - before;
            if answered >= MOST_ANSWERED_AT_ONCE && self.commands.owed() == 0 {
                self.lost |= !self.waiting.is_empty();
                self.drop_backlog();
                before = self.received.len();
            }
            self.clock()?;
        }
        Ok(())
    }

    /// Drops what waits to go to the card, up to a run of synchronisation bytes, with which the client begins anew.
    fn drop_backlog(&mut self) {
        let run = self
            .waiting
            .make_contiguous()
            .windows(UART_SYNC_RUN)
            .rposition(|bytes| bytes == [UART_SYNC_BYTE; UART_SYNC_RUN]);
        self.lost &= run.is_none();
        self.waiting.drain(..run.unwrap_or(self.waiting.len()));
    }
}

impl Line for UartPins {
    fn now(&self) -> Instant {
        let clocks = u128::from(self.pins.clocks());
        let nanoseconds = clocks * 1_000_000_000 / u128::from(self.clock_hz.max(1));
        self.start + Duration::from_nanos(nanoseconds as u64)
    }

    fn send(&mut self, bytes: &[u8], _until: Instant) -> io::Result<()> {
        self.waiting.extend(bytes);
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        let time = until.saturating_duration_since(self.start).as_nanos();
        let clocks = (time * u128::from(self.clock_hz)).div_ceil(1_000_000_000);
        let until = u64::try_from(clocks).unwrap_or(u64::MAX);
        while self.received.is_empty() && self.pins.clocks() < until {
            self.clock().map_err(io::Error::other)?;
        }
        let got = self.received.len().min(buffer.len());
        for (place, byte) in buffer.iter_mut().zip(self.received.drain(..got)) {
            *place = byte;
        }
        Ok(got)
    }
}

impl Responder for UartPins {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        // A model that has ended says so again in the next `Clocked::run`.
        let _ = self.exchange(bytes, now);
        self.heard = Some(Instant::now());
        self.received.drain(..).collect()
    }
}

impl Clocked for UartPins {
    fn run(&mut self, clocks: u64, now: Instant) -> Result<Vec<u8>, SimulatorError> {
        let pause = match self.is_silent(now) {
            true => self.until_given_up().min(PAUSE_SLICE),
            false => 0,
        };
        UartPins::run(self, clocks.max(pause))?;
        Ok(self.received.drain(..).collect())
    }
}
