//! `uart:`, a serial line to a bridge that speaks uartbone.

use crate::bridge_link::{BridgeLink, Carrier, Lost, Wait};
use crate::line::Line;
use crate::uartbone;
use std::io;
use std::time::{Duration, Instant};

/// The transport over a serial line, or another stream of bytes.
pub type Uart<L> = BridgeLink<UartCarrier<L>>;

/// Bits on the wire for a byte: start, eight, stop.
const BITS_A_BYTE: u32 = 10;
/// How much later than the wire alone an answer may come at first: USB adapters hold bytes back for 16 ms.
const FIRST_LATENCY: Duration = Duration::from_millis(60);
/// The longest time an answer is waited for before asking again.
const LONGEST_LATENCY: Duration = Duration::from_secs(1);
/// Silence after which a bridge has dropped what it had of a command, with room for its clock.
const SILENCE: Duration = uartbone::DROPPED_AFTER.saturating_add(Duration::from_millis(20));

/// uartbone messages over a line.
///
/// After an answer that did not come whole, nothing is sent until the line was silent for 120 ms: bytes that follow a damaged
/// command could be taken for its data and written, while a bridge that gets none drops the command. Where the bridge has a
/// mailbox, the next message begins with [synchronisation bytes](uartbone::synchronisation): they end a request that was cut
/// also where the bridge's clock is slower than the computer's, as in a simulation.
#[derive(Debug)]
pub struct UartCarrier<L> {
    line: L,
    byte_time: Duration,
    latency: Duration,
    /// Until then the bridge may be in the middle of a command.
    quiet_until: Option<Instant>,
    /// The bridge knows synchronisation bytes.
    synchronises: bool,
    /// The message or answer in hand, kept for its memory.
    bytes: Vec<u8>,
}

impl<L: Line> UartCarrier<L> {
    /// Over `line`, whose wire carries `baud` bits a second (at least 1).
    pub fn new(line: L, baud: u32) -> UartCarrier<L> {
        UartCarrier {
            line,
            byte_time: Duration::from_secs(1) * BITS_A_BYTE / baud.max(1),
            latency: FIRST_LATENCY,
            quiet_until: None,
            synchronises: false,
            bytes: Vec::new(),
        }
    }

    /// The line, as it stands.
    pub fn line(&self) -> &L {
        &self.line
    }

    /// The line, to be changed.
    pub fn line_mut(&mut self) -> &mut L {
        &mut self.line
    }

    /// Gives the line back.
    pub fn into_line(self) -> L {
        self.line
    }

    fn wire_time(&self, bytes: usize) -> Duration {
        self.byte_time.saturating_mul(bytes as u32)
    }

    /// Sends the message in hand and takes an answer of `expected` bytes.
    fn exchange(&mut self, expected: usize, wait: Wait, until: Instant) -> Result<(), Lost> {
        self.line.send(&self.bytes, until)?;
        let there = self.wire_time(self.bytes.len());
        let now = self.line.now();
        self.quiet_until = Some(now + there + SILENCE);
        let patience = there + self.wire_time(expected) + self.latency;
        let until = match wait {
            Wait::Usual => until.min(now + patience),
            Wait::Whole => until,
        };

        self.bytes.clear();
        self.bytes.resize(expected, 0);
        let mut have = 0;
        while have < expected {
            let got = self.line.receive(&mut self.bytes[have..], until)?;
            have += got;
            if got == 0 && self.line.now() >= until {
                self.latency = (self.latency * 2).min(LONGEST_LATENCY);
                return Err(Lost::Silence);
            }
        }
        Ok(())
    }

    /// Waits until the bridge has dropped what it had of a command and nothing more comes of an answer.
    fn settle(&mut self, until: Instant) -> Result<(), Lost> {
        let mut waste = [0; 256];
        while let Some(quiet) = self.quiet_until {
            let got = self.line.receive(&mut waste, quiet.min(until))?;
            let now = self.line.now();
            if got > 0 {
                self.quiet_until = Some(quiet.max(now + SILENCE));
            } else if now >= quiet {
                self.quiet_until = None;
            }
            if now >= until {
                return Err(Lost::Silence);
            }
        }
        Ok(())
    }

    /// Throws away what waits; whether anything did.
    fn discard(&mut self) -> io::Result<bool> {
        let mut waste = [0; 256];
        let mut any = false;
        while self.line.receive(&mut waste, self.line.now())? > 0 {
            any = true;
        }
        Ok(any)
    }
}

impl<L: Line> Carrier for UartCarrier<L> {
    fn now(&self) -> Instant {
        self.line.now()
    }

    fn pause(&mut self, until: Instant) -> io::Result<()> {
        let mut waste = [0; 256];
        while self.line.now() < until {
            self.line.receive(&mut waste, until)?;
        }
        Ok(())
    }

    fn begin(&mut self) {
        self.latency = FIRST_LATENCY;
    }

    fn unsettle(&mut self) {
        self.quiet_until = Some(self.line.now() + SILENCE);
    }

    fn has_mailbox(&mut self) {
        self.synchronises = true;
    }

    fn carry(
        &mut self,
        write: Option<(u32, &[u32])>,
        from: u32,
        values: &mut [u32],
        wait: Wait,
        until: Instant,
    ) -> Result<(), Lost> {
        let unsettled = self.quiet_until.is_some();
        self.settle(until)?;
        self.discard()?;
        self.bytes.clear();
        if unsettled && self.synchronises {
            uartbone::synchronisation(&mut self.bytes);
        }
        if let Some((address, words)) = write {
            uartbone::write_command(address, words, &mut self.bytes);
        }
        uartbone::read_command(from, values.len(), &mut self.bytes);
        // Were sending to fail half-way, the bridge would be in the middle of a command.
        self.quiet_until = Some(self.line.now() + self.wire_time(self.bytes.len()) + SILENCE);
        self.exchange(4 * values.len(), wait, until)?;
        if self.discard()? {
            // More came than was asked for.
            return Err(Lost::Silence);
        }
        self.quiet_until = None;
        self.latency = FIRST_LATENCY;
        uartbone::decode_answer(&self.bytes, values);
        Ok(())
    }
}
