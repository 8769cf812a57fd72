//! The host: the driver's UART client on the card's pins.

use super::testbench::Testbench;
use bloomline_bench::lockstep::Device;
use bloomline_driver::{Checking, Line, Transport, TransportError, Uart, UartCarrier};
use bloomline_spec::registers::{RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR};
use bloomline_spec::LINECARD_CLOCK_HZ;
use std::io;
use std::time::{Duration, Instant};

/// Time of the card within which an access is answered.
const WITHIN: Duration = Duration::from_millis(10);

/// The testbench as a line: its time is the card's, which runs while one waits, and everything else with it.
struct HostPort<'r, 'a, D> {
    testbench: &'r mut Testbench<'a, D>,
    /// Time of the card's clock 0.
    start: Instant,
}

impl<D: Device + Send> Line for HostPort<'_, '_, D> {
    fn now(&self) -> Instant {
        let nanoseconds =
            u128::from(self.testbench.clock) * 1_000_000_000 / u128::from(LINECARD_CLOCK_HZ);
        self.start + Duration::from_nanos(nanoseconds as u64)
    }

    fn send(&mut self, bytes: &[u8], _until: Instant) -> io::Result<()> {
        self.testbench.host.send(bytes);
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        let time = until.saturating_duration_since(self.start).as_nanos();
        let clocks = (time * u128::from(LINECARD_CLOCK_HZ)).div_ceil(1_000_000_000);
        let until = u64::try_from(clocks).unwrap_or(u64::MAX);
        while self.testbench.host.received.is_empty() && self.testbench.clock < until {
            if let Err(wrong) = self.testbench.clock() {
                self.testbench.wrong = Some(wrong);
                return Err(io::Error::other("the run has failed"));
            }
        }
        let got = self.testbench.host.received.len().min(buffer.len());
        for (place, byte) in buffer
            .iter_mut()
            .zip(self.testbench.host.received.drain(..got))
        {
            *place = byte;
        }
        Ok(got)
    }
}

impl<'a, D: Device + Send> Testbench<'a, D> {
    /// A client of the card's bridge, for one access or more.
    fn client<'r>(&'r mut self, checking: Checking) -> Uart<HostPort<'r, 'a, D>> {
        let baud = self.host.baud();
        let port = HostPort {
            testbench: self,
            start: Instant::now(),
        };
        Uart::new(UartCarrier::new(port, baud), 0, checking)
    }

    /// Reads words from an address on, in one message.
    pub fn read_words(&mut self, address: u32, words: &mut [u32]) -> Result<(), TransportError> {
        self.client(Checking::None).burst(address, words, WITHIN)
    }

    /// Writes a word.
    pub fn write_word(&mut self, address: u32, value: u32) -> Result<(), TransportError> {
        self.client(Checking::None).write(address, value, WITHIN)
    }

    /// Reads or writes through the mailbox, which carries the response: data, or that of a read that was refused, and response.
    pub fn access(
        &mut self,
        address: u32,
        write: Option<u32>,
    ) -> Result<(u32, u32), TransportError> {
        let mut client = self.client(Checking::Mailbox);
        let result = match write {
            Some(value) => client.write(address, value, WITHIN).map(|()| 0),
            None => client.read(address, WITHIN),
        };
        match result {
            Ok(data) => Ok((data, RESPONSE_OKAY)),
            Err(TransportError::NoRegister { .. }) => Ok((0, RESPONSE_DECERR)),
            Err(TransportError::Refused { .. }) => Ok((0, RESPONSE_SLVERR)),
            Err(error) => Err(error),
        }
    }
}
