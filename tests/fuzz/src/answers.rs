//! Fuzzing of a bridge's answers: every access of the host ends in time, with a value or a typed error.
#![no_main]

use bloomline_driver::bridge_link::BridgeLink;
use bloomline_driver::{Checking, EtherboneCarrier, Line, Transport, UartCarrier};
use libfuzzer_sys::fuzz_target;
use std::io;
use std::time::{Duration, Instant};

const WITHIN: Duration = Duration::from_millis(500);

/// A line that answers every message with the next piece of what it has, and has its own clock.
struct Hostile<'a> {
    left: &'a [u8],
    piece: usize,
    now: Instant,
}

impl Line for Hostile<'_> {
    fn now(&self) -> Instant {
        self.now
    }

    fn send(&mut self, _bytes: &[u8], _until: Instant) -> io::Result<()> {
        self.piece = self.left.first().map_or(0, |&length| length.into());
        self.left = self.left.get(1..).unwrap_or_default();
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        let got = self.piece.min(self.left.len()).min(buffer.len());
        if got == 0 {
            self.now = self.now.max(until);
            return Ok(0);
        }
        let (bytes, left) = self.left.split_at(got);
        buffer[..got].copy_from_slice(bytes);
        (self.left, self.piece) = (left, self.piece - got);
        self.now += Duration::from_micros(100);
        Ok(got)
    }
}

fn hostile(bytes: &[u8]) -> Hostile<'_> {
    Hostile {
        left: bytes,
        piece: 0,
        now: Instant::now(),
    }
}

fuzz_target!(|bytes: &[u8]| {
    for checking in [Checking::Mailbox, Checking::Agree, Checking::None] {
        let mut uart = BridgeLink::new(UartCarrier::new(hostile(bytes), 115_200), 0, checking);
        let start = uart.carrier().line().now;
        let _ = uart.read(0, WITHIN);
        let _ = uart.write(0x54, 7, WITHIN);
        let _ = uart.burst(0x80, &mut [0; 4], WITHIN);
        let took = uart.carrier().line().now - start;
        assert!(took <= 3 * WITHIN + Duration::from_millis(50), "{took:?}");

        let mut etherbone = BridgeLink::new(EtherboneCarrier::new(hostile(bytes)), 0, checking);
        let start = etherbone.carrier().line().now;
        let _ = etherbone.read(0, WITHIN);
        let _ = etherbone.write(0x54, 7, WITHIN);
        let _ = etherbone.burst(0x80, &mut [0; 4], WITHIN);
        let took = etherbone.carrier().line().now - start;
        assert!(took <= 3 * WITHIN + Duration::from_millis(50), "{took:?}");
    }
});
