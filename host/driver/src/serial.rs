use crate::line::Line;
use serialport::{ClearBuffer, SerialPort, TTYPort};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// A serial port, or either end of a pseudo-terminal.
#[derive(Debug)]
pub struct SerialLine {
    port: TTYPort,
}

impl SerialLine {
    /// Opens the device file at `path` for this process alone.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(path: &str, baud: u32) -> Result<SerialLine, serialport::Error> {
        let port = TTYPort::open(&serialport::new(path, baud))?;
        Ok(SerialLine { port })
    }

    /// A pseudo-terminal: the end to serve at, and the end whose [`SerialLine::path`] others open. The terminal stays as long
    /// as both are kept.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn pair() -> Result<(SerialLine, SerialLine), serialport::Error> {
        let (port, other) = TTYPort::pair()?;
        Ok((SerialLine { port }, SerialLine { port: other }))
    }

    /// Path of the device file, where there is one.
    pub fn path(&self) -> Option<String> {
        self.port.name()
    }

    /// Lets others open the device file again, when a process that had it for itself has gone without letting go: a terminal
    /// that somebody keeps open stays taken otherwise.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn share(&self) -> io::Result<()> {
        // SAFETY: the descriptor is open as long as the port is, and the request takes no argument.
        match unsafe { libc::ioctl(self.port.as_raw_fd(), libc::TIOCNXCL) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Throws away what was received and not read.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn discard_received(&self) -> io::Result<()> {
        Ok(self.port.clear(ClearBuffer::Input)?)
    }

    fn wait_until(&mut self, until: Instant) -> io::Result<()> {
        // Whole milliseconds, rounded up: the port's timeouts have no more.
        let left = until.saturating_duration_since(Instant::now());
        let left = Duration::from_millis(left.as_micros().div_ceil(1000) as u64);
        Ok(self.port.set_timeout(left)?)
    }
}

impl Line for SerialLine {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn send(&mut self, bytes: &[u8], until: Instant) -> io::Result<()> {
        self.wait_until(until)?;
        self.port.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        self.wait_until(until)?;
        match self.port.read(buffer) {
            Ok(0) => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the serial device is gone",
            )),
            Ok(got) => Ok(got),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::TimedOut
                        | io::ErrorKind::WouldBlock
                        | io::ErrorKind::Interrupted
                ) =>
            {
                Ok(0)
            }
            Err(error) => Err(error),
        }
    }
}
