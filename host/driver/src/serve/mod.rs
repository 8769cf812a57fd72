//! The other end: bridges in software, which answer uartbone and Etherbone over any [`Transport`], and lines that do harm.
//!
//! ```text
//!  host  Uart / Etherbone                         Bridge  registers of any Transport, and the mailbox
//!            |                                       |
//!          Line  <-- pseudo-terminal, UDP -->  UartResponder / EtherboneResponder, driven by serve()
//!            |                                       |
//!            +------- Simulated line, own clock, seeded Faults ------+
//! ```
//!
//! A simulation of the gateware, reached by a transport, is served to other programs this way (LiteX's `litex_server` among
//! them); the tests of the transports put faults between the two ends. May depend on the codecs and on [`Transport`], never
//! on the transports of the host's end.
//!
//! [`Transport`]: crate::Transport

mod bridge;
mod etherbone;
mod faults;
mod faulty;
mod simulated;
mod uart;

pub use bridge::Bridge;
pub use etherbone::{EtherboneResponder, UdpServer};
pub use faults::{FaultCounts, FaultRates, Faults};
pub use faulty::{FaultSwitch, FaultyResponder};
pub use simulated::{Medium, Simulated};
pub use uart::UartResponder;

use crate::line::Line;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Something that answers what comes over a line.
pub trait Responder: Send {
    /// What to send back for `bytes`, which came at `now`: for datagrams one datagram, for streams what there was. Nothing is
    /// sent for an empty answer.
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8>;
}

/// One responder at the end of several lines.
impl<R: Responder> Responder for Arc<Mutex<R>> {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        self.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .answer(bytes, now)
    }
}

/// Answers over `line` until `stop` is set, which is noticed within 50 ms.
///
/// # Errors
/// When the line fails; a host that goes away and comes back over UDP is no failure.
pub fn serve(
    line: &mut impl Line,
    responder: &mut impl Responder,
    stop: &AtomicBool,
) -> io::Result<()> {
    const LOOK_UP: Duration = Duration::from_millis(50);
    let mut buffer = vec![0; crate::packet::LARGEST];
    while !stop.load(Ordering::Relaxed) {
        let until = line.now() + LOOK_UP;
        let got = line.receive(&mut buffer, until)?;
        if got == 0 {
            continue;
        }
        let answer = responder.answer(&buffer[..got], line.now());
        if !answer.is_empty() {
            line.send(&answer, line.now() + Duration::from_secs(1))?;
        }
    }
    Ok(())
}
