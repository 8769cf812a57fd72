use super::faults::Faults;
use super::Responder;
use crate::line::Line;
use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

/// What a simulated line is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// A stream: bytes in their order, each taking this long.
    Stream {
        /// Time of one byte on the wire.
        byte_time: Duration,
    },
    /// Datagrams, which may overtake each other.
    Datagrams {
        /// Time of one datagram from end to end.
        latency: Duration,
    },
}

/// A line with a responder at its other end, harm in both directions, and its own clock, which runs while one waits: what a
/// host does over it takes no longer than the computing, and is the same for the same seed.
#[derive(Debug)]
pub struct Simulated<R> {
    responder: R,
    medium: Medium,
    faults: Faults,
    now: Instant,
    to_device: Way,
    to_host: Way,
}

/// One direction: what is on its way, by when it arrives.
#[derive(Debug)]
struct Way {
    travelling: BTreeMap<(Instant, u64), Vec<u8>>,
    sent: u64,
    /// When a stream's last byte arrives.
    last: Instant,
}

impl Way {
    fn new(now: Instant) -> Way {
        Way {
            travelling: BTreeMap::new(),
            sent: 0,
            last: now,
        }
    }

    fn add(&mut self, bytes: &[u8], now: Instant, medium: Medium, faults: &mut Faults) {
        match medium {
            Medium::Stream { byte_time } => {
                for &byte in bytes {
                    let mut unit = [byte];
                    let fate = faults.apply(&mut unit);
                    self.last = self.last.max(now) + byte_time + fate.delay;
                    if !fate.lost {
                        self.put(self.last, unit.to_vec());
                    }
                }
            }
            Medium::Datagrams { latency } => {
                let mut unit = bytes.to_vec();
                let fate = faults.apply(&mut unit);
                if fate.lost {
                    return;
                }
                if let Some(delay) = fate.copy {
                    self.put(now + latency + delay, unit.clone());
                }
                self.put(now + latency + fate.delay, unit);
            }
        }
    }

    fn put(&mut self, arrives: Instant, bytes: Vec<u8>) {
        self.sent += 1;
        self.travelling.insert((arrives, self.sent), bytes);
    }

    fn next(&self) -> Option<Instant> {
        self.travelling.keys().next().map(|&(arrives, _)| arrives)
    }

    /// What arrives first, if it does until `now`.
    fn take(&mut self, now: Instant) -> Option<Vec<u8>> {
        let first = self.travelling.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}

impl<R: Responder> Simulated<R> {
    /// A line of this medium between the host and `responder`.
    pub fn new(responder: R, medium: Medium, faults: Faults) -> Simulated<R> {
        let now = Instant::now();
        Simulated {
            responder,
            medium,
            faults,
            now,
            to_device: Way::new(now),
            to_host: Way::new(now),
        }
    }

    /// The responder.
    pub fn responder_mut(&mut self) -> &mut R {
        &mut self.responder
    }

    /// Lets the other end have what has arrived there by now.
    fn deliver(&mut self) {
        while let Some(bytes) = self.to_device.take(self.now) {
            let answer = self.responder.answer(&bytes, self.now);
            if !answer.is_empty() {
                self.to_host
                    .add(&answer, self.now, self.medium, &mut self.faults);
            }
        }
    }
}

impl<R: Responder> Line for Simulated<R> {
    fn now(&self) -> Instant {
        self.now
    }

    fn send(&mut self, bytes: &[u8], _until: Instant) -> io::Result<()> {
        self.to_device
            .add(bytes, self.now, self.medium, &mut self.faults);
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        loop {
            self.deliver();
            if let Some(bytes) = self.to_host.take(self.now) {
                // A stream's pieces are single bytes; a datagram that is too long for the buffer is cut, as by a socket.
                let got = bytes.len().min(buffer.len());
                buffer[..got].copy_from_slice(&bytes[..got]);
                return Ok(got);
            }
            let next = [self.to_device.next(), self.to_host.next()];
            match next.into_iter().flatten().min() {
                Some(next) if next <= until => self.now = next,
                _ => {
                    self.now = self.now.max(until);
                    return Ok(0);
                }
            }
        }
    }
}
