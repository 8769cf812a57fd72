use super::clocked::Clocked;
use super::pins::{Pins, Place};
use bloomline_bench::filter::{PinReader, PinWriter};
use bloomline_bench::verilator::VerilatorError;
use bloomline_driver::serve::Responder;
use bloomline_driver::uartbone::{DROPPED_AFTER, HEADER, WRITE_FIXED, WRITE_INCREMENTING};
use bloomline_driver::Line;
use bloomline_spec::Uart;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// Bits of a byte on the wire: start, eight, stop.
const FRAME_BITS: u32 = 10;
/// Clocks by which the speed of the simulation is measured.
const CLOCKS_TO_MEASURE: u64 = 200_000;
/// Clocks of a pause that are made up for at once while nobody waits for them.
const PAUSE_SLICE: u64 = 1_000_000;
/// Silence after which a card has said what it has to say, in bits.
const QUIET_BITS: u64 = 3 * FRAME_BITS as u64;

/// The UART pins of a card, driven and read bit by bit: a line to the bridge in its gateware.
///
/// As a [`Line`] its time is the card's own, in clocks of the specification's `target.clock_hz`, which run while one waits.
/// As the end of a line that is served ([`Clocked`]) it runs for as long as bytes are under way, and makes the pause in the
/// middle of a command for the card that the client made on the line, so that the card gives the command up.
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
    command: Command,
    /// When a client was heard last, in the computer's time.
    heard: Option<Instant>,
}

/// How far a client's command has come, by its bytes.
#[derive(Debug, Default)]
struct Command {
    header: Vec<u8>,
    /// Bytes that are still to come; known from the whole header on.
    data: usize,
    /// Clock of its first byte's stop bit.
    began: u64,
}

impl Command {
    /// Takes a byte that has gone to the card.
    fn take(&mut self, byte: u8, clock: u64) {
        if self.header.is_empty() {
            self.began = clock;
        }
        if self.header.len() < HEADER {
            self.header.push(byte);
            if let [WRITE_INCREMENTING | WRITE_FIXED, words, ..] = self.header[..] {
                self.data = 4 * if words == 0 { 256 } else { usize::from(words) };
            }
        } else {
            self.data -= 1;
        }
        if self.header.len() == HEADER && self.data == 0 {
            self.drop_it();
        }
    }

    fn is_open(&self) -> bool {
        !self.header.is_empty()
    }

    fn drop_it(&mut self) {
        self.header.clear();
        self.data = 0;
    }
}

impl UartPins {
    /// The pins of a card's design with this UART, at power-up.
    pub(super) fn new(
        mut pins: Pins,
        uart: Uart,
        clock_hz: u64,
    ) -> Result<UartPins, VerilatorError> {
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
            command: Command::default(),
            heard: None,
        })
    }

    /// Bits a second that this computer simulates, by the time that it takes for some clocks of silence.
    ///
    /// # Errors
    /// [`VerilatorError`] when the model ends.
    pub fn simulated_baud(&mut self) -> Result<u32, VerilatorError> {
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
    pub(super) fn reset(&mut self, clocks: u64) -> Result<(), VerilatorError> {
        self.waiting.clear();
        self.writer.abandon();
        self.reader = PinReader::new(self.uart.clocks_per_bit);
        self.pins.drive(self.rx, 1);
        self.pins.reset(clocks)?;
        self.received.clear();
        self.command.drop_it();
        self.active = self.pins.clocks();
        Ok(())
    }

    /// Lets so many clocks pass.
    pub(super) fn run(&mut self, clocks: u64) -> Result<(), VerilatorError> {
        for _ in 0..clocks {
            self.clock()?;
        }
        Ok(())
    }

    /// One clock of both directions.
    fn clock(&mut self) -> Result<(), VerilatorError> {
        if self.writer.at_rest() {
            if let Some(byte) = self.waiting.pop_front() {
                self.writer.byte(byte);
                self.command.take(byte, self.pins.clocks());
            }
        }
        let to_card = self.writer.clock();
        self.pins.drive(self.rx, to_card.into());
        self.pins.clock()?;
        let to_host = self.pins.shows(self.tx);
        self.received.extend(self.reader.clock(to_host));
        if !(to_card && to_host) {
            self.active = self.pins.clocks();
        }
        Ok(())
    }

    /// Whether anything is under way on the pins, or was until a moment ago.
    fn is_busy(&self) -> bool {
        let quiet = self.pins.clocks().saturating_sub(self.active);
        !self.waiting.is_empty()
            || !self.writer.at_rest()
            || quiet < QUIET_BITS * u64::from(self.uart.clocks_per_bit)
    }

    /// Lets the card give up a command that its client has left open, for as long as that takes on a line but for `most`
    /// clocks.
    fn pause(&mut self, now: Instant, most: u64) -> Result<(), VerilatorError> {
        let silent = self
            .heard
            .is_some_and(|heard| now.saturating_duration_since(heard) > DROPPED_AFTER);
        if silent && self.command.is_open() && self.waiting.is_empty() {
            let time_out = self.byte_clocks() + u64::from(self.uart.timeout_clocks);
            let given_up = self.command.began + time_out + self.byte_clocks();
            let left = given_up.saturating_sub(self.pins.clocks());
            self.run(left.min(most))?;
            if left <= most {
                self.command.drop_it();
            }
        }
        Ok(())
    }

    fn byte_clocks(&self) -> u64 {
        u64::from(FRAME_BITS) * u64::from(self.uart.clocks_per_bit)
    }

    fn exchange(&mut self, bytes: &[u8], now: Instant) -> Result<(), VerilatorError> {
        self.pause(now, u64::MAX)?;
        self.waiting.extend(bytes);
        while self.is_busy() {
            self.clock()?;
        }
        Ok(())
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
    fn run(&mut self, clocks: u64, now: Instant) -> Result<Vec<u8>, VerilatorError> {
        self.pause(now, PAUSE_SLICE)?;
        UartPins::run(self, clocks)?;
        Ok(self.received.drain(..).collect())
    }
}
