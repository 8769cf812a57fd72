//! `etherbone:`, UDP to a bridge that speaks Etherbone.

use crate::bridge_link::{BridgeLink, Carrier, Lost, Wait};
use crate::line::Line;
use crate::packet::{Packet, LARGEST};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// The transport over UDP, or another line of datagrams.
pub type Etherbone<L> = BridgeLink<EtherboneCarrier<L>>;

/// How long an answer is waited for at least before the packet is sent again; twice as long as answers have taken, if that is longer.
const FIRST_PATIENCE: Duration = Duration::from_millis(20);
/// The longest time an answer is waited for before the packet is sent again.
const LONGEST_PATIENCE: Duration = Duration::from_secs(1);

/// Etherbone packets over a line.
///
/// Every packet has a number of its own, which the answer brings back: answers to packets that were given up, and second
/// copies of answers, are known by it and dropped. Second copies of a request are the bridge's to drop, which it does by the
/// [mailbox](crate::mailbox)'s count; a late answer to an earlier copy says what became of the request, and counts.
#[derive(Debug)]
pub struct EtherboneCarrier<L> {
    line: L,
    number: u32,
    has_mailbox: bool,
    /// The request of the last packet, of those to a mailbox.
    request: Vec<u32>,
    /// Number of the first packet in a row with it.
    first_copy: u32,
    /// When that was sent.
    first_sent: Option<Instant>,
    /// How long answers take, of late.
    round_trip: Duration,
    patience: Duration,
    buffer: Vec<u8>,
}

impl<L: Line> EtherboneCarrier<L> {
    /// Over `line`, one datagram a packet.
    pub fn new(line: L) -> EtherboneCarrier<L> {
        EtherboneCarrier {
            line,
            number: 0,
            has_mailbox: false,
            request: Vec::new(),
            first_copy: 0,
            first_sent: None,
            round_trip: Duration::ZERO,
            patience: FIRST_PATIENCE,
            buffer: vec![0; LARGEST],
        }
    }

    fn usual_patience(&self) -> Duration {
        (2 * self.round_trip).clamp(FIRST_PATIENCE, LONGEST_PATIENCE)
    }

    /// An answer took so long: the next ones are expected in that time, or a little less than before.
    fn learn(&mut self, took: Duration) {
        self.round_trip = took.max(self.round_trip * 7 / 8);
        self.patience = self.usual_patience();
    }

    /// The line, as it stands.
    pub fn line(&self) -> &L {
        &self.line
    }

    /// The line, to be changed.
    pub fn line_mut(&mut self) -> &mut L {
        &mut self.line
    }
}

impl<L: Line> Carrier for EtherboneCarrier<L> {
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
        self.patience = self.usual_patience();
    }

    fn has_mailbox(&mut self) {
        self.has_mailbox = true;
    }

    fn carry(
        &mut self,
        write: Option<(u32, &[u32])>,
        from: u32,
        values: &mut [u32],
        wait: Wait,
        until: Instant,
    ) -> Result<(), Lost> {
        self.number = self.number.wrapping_add(1);
        // Requests to a mailbox differ, as each has a tag of its own.
        let request = write.filter(|_| self.has_mailbox);
        let request = request.map_or(&[][..], |(_, words)| words);
        if request.is_empty() || self.request != request {
            self.request.clear();
            self.request.extend(request);
            self.first_copy = self.number;
        }
        let copies = self.number.wrapping_sub(self.first_copy);
        let addresses = (0u32..).map(|place| from.wrapping_add(4 * place));
        let packet = Packet {
            writes: write.map(|(base, words)| (base, words.to_vec())),
            reads: Some((self.number, addresses.take(values.len()).collect())),
            ..Packet::default()
        };
        let sent = self.line.now();
        if copies == 0 {
            self.first_sent = Some(sent);
        }
        self.line.send(&packet.encode(), until)?;
        let until = match wait {
            Wait::Usual => until.min(self.line.now() + self.patience),
            Wait::Whole => until,
        };
        loop {
            let got = self.line.receive(&mut self.buffer, until)?;
            if got == 0 && self.line.now() >= until {
                self.patience = (self.patience * 2).min(LONGEST_PATIENCE);
                return Err(Lost::Silence);
            }
            match Packet::decode(&self.buffer[..got]).and_then(|packet| packet.writes) {
                Some((number, words))
                    if self.number.wrapping_sub(number) <= copies
                        && words.len() == values.len() =>
                {
                    values.copy_from_slice(&words);
                    let asked = match number == self.number {
                        true => sent,
                        false => self.first_sent.unwrap_or(sent),
                    };
                    self.learn(self.line.now().saturating_duration_since(asked));
                    return Ok(());
                }
                _ => {}
            }
        }
    }
}

/// A UDP socket with one peer.
#[derive(Debug)]
pub struct UdpLine {
    socket: UdpSocket,
}

impl UdpLine {
    /// A socket of its own port that talks to `peer` only.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn connect(peer: SocketAddr) -> io::Result<UdpLine> {
        let own = match peer {
            SocketAddr::V4(_) => SocketAddr::from(([0; 4], 0)),
            SocketAddr::V6(_) => SocketAddr::from(([0u16; 8], 0)),
        };
        let socket = UdpSocket::bind(own)?;
        socket.connect(peer)?;
        Ok(UdpLine { socket })
    }
}

impl Line for UdpLine {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn send(&mut self, bytes: &[u8], _until: Instant) -> io::Result<()> {
        self.socket.send(bytes).map(|_| ())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        wait_for(&self.socket, until)?;
        none_if_late(self.socket.recv(buffer))
    }
}

/// Sets the socket so that the next receive ends at `until`.
pub(crate) fn wait_for(socket: &UdpSocket, until: Instant) -> io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    socket.set_nonblocking(left.is_zero())?;
    if !left.is_zero() {
        socket.set_read_timeout(Some(left))?;
    }
    Ok(())
}

/// A receive that found nothing in its time is no error.
pub(crate) fn none_if_late(received: io::Result<usize>) -> io::Result<usize> {
    match received {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
            ) =>
        {
            Ok(0)
        }
        other => other,
    }
}
