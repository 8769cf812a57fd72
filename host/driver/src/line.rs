use std::io;
use std::time::{Duration, Instant};

/// What bytes go over: a serial line, a socket, or a simulation of one with its own clock.
///
/// A stream keeps the order of bytes and no boundaries; a line of datagrams keeps boundaries: one `send` is one datagram, one
/// `receive` takes one. Everything above asks the line for the time, so that a simulated line runs as fast as it can.
pub trait Line: Send {
    /// The line's time.
    fn now(&self) -> Instant;

    /// Sends all of `bytes`.
    ///
    /// # Errors
    /// What the operating system says; [`io::ErrorKind::TimedOut`] when they did not all go out until `until`.
    fn send(&mut self, bytes: &[u8], until: Instant) -> io::Result<()>;

    /// Waits until `until` for bytes, takes what there is and returns how many; 0 when none came. A moment that has passed
    /// means: take what waits already.
    ///
    /// # Errors
    /// What the operating system says; [`io::ErrorKind::UnexpectedEof`] when the other end closed.
    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize>;
}

impl<L: Line + ?Sized> Line for Box<L> {
    fn now(&self) -> Instant {
        (**self).now()
    }

    fn send(&mut self, bytes: &[u8], until: Instant) -> io::Result<()> {
        (**self).send(bytes, until)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        (**self).receive(buffer, until)
    }
}

/// The moment `within` from `now`; a time too long for the clock means a year.
pub(crate) fn deadline(now: Instant, within: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    now.checked_add(within).unwrap_or_else(|| now + YEAR)
}
