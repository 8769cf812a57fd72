use super::pins::{place, Pins, Place};
use super::serve::Clocked;
use crate::verilator::VerilatorError;
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
    sender: Sender,
    receiver: Receiver,
    /// Bytes from the card that nobody took yet.
    received: VecDeque<u8>,
    /// The last clock with anything but silence on either pin.
    active: u64,
    command: Command,
    /// When a client was heard last, in the computer's time.
    heard: Option<Instant>,
}

/// A byte on its way to the card.
#[derive(Debug, Default)]
struct Sender {
    /// Stop, eight bits and start; the bit on the pin is the lowest.
    frame: u16,
    bits: u32,
    /// Clocks that the bit on the pin still has.
    clocks: u32,
}

/// A byte on its way from the card.
#[derive(Debug, Default)]
struct Receiver {
    byte: u8,
    /// Bits that are still to be looked at; 0 between bytes.
    bits: u32,
    /// Clocks until the next look.
    clocks: u32,
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
        let rx = place(pins.design(), "uart_rx")?;
        let tx = place(pins.design(), "uart_tx")?;
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
            sender: Sender::default(),
            receiver: Receiver::default(),
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
        self.sender = Sender::default();
        self.receiver = Receiver::default();
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
        let n = self.uart.clocks_per_bit;
        if self.sender.bits == 0 {
            if let Some(byte) = self.waiting.pop_front() {
                self.sender = Sender {
                    frame: 1 << 9 | u16::from(byte) << 1,
                    bits: FRAME_BITS,
                    clocks: n,
                };
                self.command.take(byte, self.pins.clocks());
            }
        }
        let sending = self.sender.bits > 0;
        if sending {
            self.pins.drive(self.rx, u64::from(self.sender.frame & 1));
            self.sender.clocks -= 1;
            if self.sender.clocks == 0 {
                self.sender.frame >>= 1;
                self.sender.bits -= 1;
                self.sender.clocks = n;
            }
        }
        self.pins.clock()?;
        let high = self.pins.shows(self.tx);
        self.listen(high, n);
        if sending || self.receiver.bits > 0 {
            self.active = self.pins.clocks();
        }
        Ok(())
    }

    /// Takes what the card's pin shows in a clock.
    fn listen(&mut self, high: bool, n: u32) {
        let receiver = &mut self.receiver;
        if receiver.bits == 0 {
            if !high {
                // The middle of the first bit after the start bit.
                *receiver = Receiver {
                    byte: 0,
                    bits: FRAME_BITS - 1,
                    clocks: n + n / 2,
                };
            }
            return;
        }
        receiver.clocks -= 1;
        if receiver.clocks > 0 {
            return;
        }
        receiver.clocks = n;
        receiver.bits -= 1;
        if receiver.bits > 0 {
            receiver.byte = receiver.byte >> 1 | u8::from(high) << 7;
        } else if high {
            self.received.push_back(receiver.byte);
        }
        // A byte without its stop bit is none.
    }

    /// Whether anything is under way on the pins, or was until a moment ago.
    fn is_busy(&self) -> bool {
        let quiet = self.pins.clocks().saturating_sub(self.active);
        !self.waiting.is_empty() || quiet < QUIET_BITS * u64::from(self.uart.clocks_per_bit)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::{Program, Toolchain};
    use crate::verilator::{BuildOptions, Design, Initial, Library, Port};
    use bloomline_spec::{FilterSpec, EXAMPLES};
    use std::path::Path;

    /// A card that answers every byte with its successor, `n` clocks a bit.
    fn successor(n: u32) -> Design {
        let text = format!(
            "module successor(input wire clock, input wire reset, input wire s_item_tvalid, output wire s_item_tready,
             input wire [7:0] s_item_tdata, input wire [1:0] s_item_tuser, input wire [7:0] s_item_tid,
             output wire m_verdict_tvalid, input wire m_verdict_tready, output wire [3:0] m_verdict_tdata,
             output wire [7:0] m_verdict_tid, input wire uart_rx, output wire uart_tx);
             assign s_item_tready = 0; assign m_verdict_tvalid = 0; assign m_verdict_tdata = 0; assign m_verdict_tid = 0;
             reg getting, have, giving; reg [7:0] shift, next; reg [9:0] frame; reg [3:0] in, out; integer gets, gives;
             assign uart_tx = !giving || frame[0];
             always @(posedge clock) if (reset) begin getting <= 0; have <= 0; giving <= 0; end else begin
               if (giving && gives != 0) gives <= gives - 1;
               else if (!giving || out == 0) begin
                 giving <= have; have <= 0; frame <= {{1'b1, next, 1'b0}}; out <= 9; gives <= {n} - 1;
               end else begin frame <= {{1'b1, frame[9:1]}}; out <= out - 1; gives <= {n} - 1; end
               if (!getting) begin
                 if (!uart_rx) begin getting <= 1; in <= 0; gets <= {n} + {n} / 2 - 1; end
               end else if (gets != 0) gets <= gets - 1;
               else if (in == 8) begin getting <= 0; if (uart_rx) begin have <= 1; next <= shift + 1; end end
               else begin shift <= {{uart_rx, shift[7:1]}}; in <= in + 1; gets <= {n} - 1; end
             end
             endmodule"
        );
        Design {
            top: "successor".into(),
            clock: Some("clock".into()),
            sources: vec![("successor.v".into(), text)],
            ports: vec![
                Port::input("reset", 1),
                Port::input("s_item_tvalid", 1),
                Port::output("s_item_tready", 1),
                Port::input("s_item_tdata", 8),
                Port::input("s_item_tuser", 2),
                Port::input("s_item_tid", 8),
                Port::output("m_verdict_tvalid", 1),
                Port::input("m_verdict_tready", 1),
                Port::output("m_verdict_tdata", 4),
                Port::output("m_verdict_tid", 8),
                Port::input("uart_rx", 1),
                Port::output("uart_tx", 1),
            ],
        }
    }

    #[test]
    fn bytes_go_bit_by_bit_with_the_clocks_of_the_specification() {
        let toolchain = Toolchain::discover().expect("a folder for tools");
        toolchain
            .find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))
            .expect("Verilator");
        let (file, text) = EXAMPLES[0];
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let sizing = spec.validate().expect("an example");
        let geometry = sizing.with_threshold(30_000).expect("legal");
        for n in [8, 25] {
            let design = successor(n);
            let options = BuildOptions::default();
            let library = Library::build(&toolchain, &design, &options).expect("it builds");
            let sim = library.open(Initial::Random(1)).expect("it opens");
            let pins = Pins::new(sim, &geometry).expect("it has the ports");
            let uart = Uart {
                baud: 1_000_000 / n,
                clocks_per_bit: n,
                timeout_clocks: 100_000,
            };
            let mut line = UartPins::new(pins, uart, 1_000_000).expect("it has the pins");
            line.reset(4).expect("it runs");
            let sent: Vec<u8> = (0..=255).collect();
            let start = line.now();
            line.send(&sent, start).expect("it takes bytes");
            let mut got = Vec::<u8>::new();
            let mut buffer = [0; 100];
            let until = start + Duration::from_secs(1);
            while got.len() < 256 && line.now() < until {
                let count = line.receive(&mut buffer, until).expect("it runs");
                got.extend(&buffer[..count]);
            }
            let expected: Vec<u8> = sent.iter().map(|byte| byte.wrapping_add(1)).collect();
            assert_eq!(got, expected);
            // The last answer's stop bit is seen half-way, ten bits after its byte.
            let clocks = (line.now() - start).as_micros() as u64;
            let bits = 256 * 10 + 9;
            let n = u64::from(n);
            assert!(
                (bits * n..(bits + 2) * n).contains(&clocks),
                "{clocks} clocks"
            );
            assert_eq!(line.receive(&mut buffer, start).expect("it runs"), 0);
        }
    }
}
