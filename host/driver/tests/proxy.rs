//! A proxy between host and bridge that does everything to messages that a network or an attacker without a key can do: drop, double, delay, replay, reorder,
//! corrupt, insert, truncate. Written apart from the driver's own faults, and with a clock of its own.

use bloomline_driver::serve::Responder;
use bloomline_driver::Line;
use bloomline_spec::SplitMix64;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Kinds of faults.
pub const KINDS: [&str; 8] = [
    "dropped",
    "doubled",
    "delayed",
    "replayed",
    "reordered",
    "corrupted",
    "inserted",
    "truncated",
];
/// Longest time for which a message is held back.
const LONGEST: Duration = Duration::from_millis(400);
/// Messages of a connection that are harmed every other time.
const FIRST: u64 = 8;
/// Messages that can be replayed.
const REMEMBERED: usize = 64;

/// What messages go over.
#[derive(Debug, Clone, Copy)]
pub enum Way {
    /// Datagrams, each taking this long.
    Datagrams(Duration),
    /// Bytes, each taking this long.
    Bytes(Duration),
}

/// Switches a [`Proxy`] off and says what it did.
#[derive(Debug, Clone)]
pub struct Hand {
    state: Arc<Mutex<(bool, [u64; KINDS.len()], Instant)>>,
}

impl Hand {
    /// No more faults.
    pub fn rest(&self) {
        self.state.lock().expect("no panic").0 = false;
    }

    /// When the last byte arrives of what is on its way, held back or not.
    pub fn arrived(&self) -> Instant {
        self.state.lock().expect("no panic").2
    }

    /// Faults so far, by kind.
    pub fn done(&self) -> [u64; KINDS.len()] {
        self.state.lock().expect("no panic").1
    }
}

/// The line of the host's end; the responder is at the other.
#[derive(Debug)]
pub struct Proxy<R> {
    responder: R,
    way: Way,
    hand: Hand,
    random: SplitMix64,
    in_a_thousand: u64,
    now: Instant,
    messages: u64,
    /// What is on its way, by arrival: to the host or not.
    flying: BTreeMap<(Instant, u64), (bool, Vec<u8>)>,
    /// By direction: when the last byte arrives, and what can be replayed.
    last: [Instant; 2],
    past: [Vec<Vec<u8>>; 2],
}

impl<R: Responder> Proxy<R> {
    /// Harms so many messages in a thousand, and the first of the connection more often.
    pub fn new(responder: R, way: Way, in_a_thousand: u64, seed: u64) -> (Proxy<R>, Hand) {
        let now = Instant::now();
        let hand = Hand {
            state: Arc::new(Mutex::new((true, [0; KINDS.len()], now))),
        };
        let proxy = Proxy {
            responder,
            way,
            hand: hand.clone(),
            random: SplitMix64::new(seed),
            in_a_thousand,
            now,
            messages: 0,
            flying: BTreeMap::new(),
            last: [now; 2],
            past: [Vec::new(), Vec::new()],
        };
        (proxy, hand)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.random.next_word() % limit.max(1) as u64) as usize
    }

    fn some_bytes(&mut self, most: usize) -> Vec<u8> {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.random.next_word() as u8).collect()
    }

    fn hold(&mut self) -> Duration {
        LONGEST * self.below(1000) as u32 / 1000
    }

    /// A message enters one of the directions.
    fn enter(&mut self, to_host: bool, message: &[u8]) {
        self.messages += 1;
        let rate = match self.messages {
            0..=FIRST => 500,
            _ => self.in_a_thousand,
        };
        let armed = self.hand.state.lock().expect("no panic").0;
        let hit = armed && (self.below(1000) as u64) < rate;
        let remembered = &mut self.past[usize::from(to_host)];
        if remembered.len() < REMEMBERED {
            remembered.push(message.to_vec());
        }
        if !hit {
            return self.carry(to_host, message, Duration::ZERO);
        }
        let kind = self.below(KINDS.len());
        self.hand.state.lock().expect("no panic").1[kind] += 1;
        match self.way {
            Way::Datagrams(latency) => self.harm_datagram(to_host, message, kind, latency),
            Way::Bytes(_) => self.harm_bytes(to_host, message, kind),
        }
    }

    fn harm_datagram(&mut self, to_host: bool, message: &[u8], kind: usize, latency: Duration) {
        let mut changed = message.to_vec();
        let hold = self.hold();
        match kind {
            0 => return,
            1 => self.carry(to_host, message, hold),
            2 => return self.carry(to_host, message, hold),
            3 => {
                let old = self.below(self.past[usize::from(to_host)].len());
                let old = self.past[usize::from(to_host)][old].clone();
                self.carry(to_host, &old, hold);
            }
            4 => return self.carry(to_host, message, 3 * latency),
            5 => self.corrupt(&mut changed),
            6 => {
                let mut invented = self.some_bytes(80);
                if self.below(2) == 0 {
                    invented = changed.clone();
                    self.corrupt(&mut invented);
                }
                self.carry(to_host, &invented, hold);
            }
            _ => changed.truncate(self.below(message.len())),
        }
        self.carry(to_host, &changed, Duration::ZERO);
    }

    fn harm_bytes(&mut self, to_host: bool, message: &[u8], kind: usize) {
        let mut changed = message.to_vec();
        let place = self.below(message.len());
        let run = (1 + self.below(8)).min(message.len() - place);
        match kind {
            0 => drop(changed.drain(place..place + run)),
            1 => drop(changed.splice(place..place, message[place..place + run].iter().copied())),
            2 => {
                let hold = self.hold();
                self.carry(to_host, &message[..place], Duration::ZERO);
                return self.carry(to_host, &message[place..], hold);
            }
            3 => {
                let old = self.below(self.past[usize::from(to_host)].len());
                let old = self.past[usize::from(to_host)][old].clone();
                drop(changed.splice(0..0, old));
            }
            4 if place + 1 < changed.len() => changed.swap(place, place + 1),
            4 | 5 => self.corrupt(&mut changed),
            6 => {
                let more = self.some_bytes(8);
                drop(changed.splice(place..place, more));
            }
            _ => changed.truncate(place),
        }
        self.carry(to_host, &changed, Duration::ZERO);
    }

    fn corrupt(&mut self, bytes: &mut [u8]) {
        for _ in 0..=self.below(3) {
            let (place, change) = (self.below(bytes.len()), 1 + self.below(255));
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= change as u8;
            }
        }
    }

    fn carry(&mut self, to_host: bool, bytes: &[u8], hold: Duration) {
        match self.way {
            Way::Datagrams(latency) => self.put(to_host, self.now + latency + hold, bytes.to_vec()),
            Way::Bytes(byte_time) => {
                let last = &mut self.last[usize::from(to_host)];
                *last = (*last).max(self.now) + hold;
                for &byte in bytes {
                    self.last[usize::from(to_host)] += byte_time;
                    self.put(to_host, self.last[usize::from(to_host)], vec![byte]);
                }
            }
        }
    }

    fn put(&mut self, to_host: bool, arrives: Instant, bytes: Vec<u8>) {
        let last = &mut self.hand.state.lock().expect("no panic").2;
        *last = arrives.max(*last);
        let number = self.random.next_word();
        let order = match self.way {
            Way::Datagrams(_) => number,
            Way::Bytes(_) => to_host.into(),
        };
        self.flying.insert((arrives, order), (to_host, bytes));
    }
}

impl<R: Responder> Line for Proxy<R> {
    fn now(&self) -> Instant {
        self.now
    }

    fn send(&mut self, bytes: &[u8], _until: Instant) -> io::Result<()> {
        self.enter(false, bytes);
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        loop {
            let next = self.flying.first_key_value();
            let Some((&(arrives, order), _)) = next.filter(|((arrives, _), _)| *arrives <= until)
            else {
                self.now = self.now.max(until);
                return Ok(0);
            };
            self.now = self.now.max(arrives);
            let Some((to_host, bytes)) = self.flying.remove(&(arrives, order)) else {
                continue;
            };
            if to_host {
                let got = bytes.len().min(buffer.len());
                buffer[..got].copy_from_slice(&bytes[..got]);
                return Ok(got);
            }
            let answer = self.responder.answer(&bytes, self.now);
            if !answer.is_empty() {
                self.enter(true, &answer);
            }
        }
    }
}
