use super::bridge::Bridge;
use super::Responder;
use crate::etherbone::{none_if_late, wait_for};
use crate::line::Line;
use crate::packet::Packet;
use crate::transport::Transport;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::time::Instant;

/// A bridge that speaks [Etherbone](crate::packet): what is no packet gets no answer, a read without an answer from the
/// device leaves the whole packet unanswered.
#[derive(Debug)]
pub struct EtherboneResponder<T> {
    bridge: Bridge<T>,
}

impl<T: Transport + Send> EtherboneResponder<T> {
    /// Answers for `bridge`.
    pub fn new(bridge: Bridge<T>) -> EtherboneResponder<T> {
        EtherboneResponder { bridge }
    }

    /// The bridge.
    pub fn bridge_mut(&mut self) -> &mut Bridge<T> {
        &mut self.bridge
    }

    fn reply(&mut self, packet: Packet) -> Option<Packet> {
        if packet.probe {
            return Some(Packet {
                probe_reply: true,
                ..Packet::default()
            });
        }
        if let Some((base, words)) = packet.writes {
            for (address, word) in (0u32..).map(|i| base.wrapping_add(4 * i)).zip(words) {
                self.bridge.write(address, word);
            }
        }
        let (base, addresses) = packet.reads?;
        let values: Option<Vec<u32>> = addresses
            .into_iter()
            .map(|address| self.bridge.read(address))
            .collect();
        Some(Packet {
            writes: Some((base, values?)),
            ..Packet::default()
        })
    }
}

impl<T: Transport + Send> Responder for EtherboneResponder<T> {
    fn answer(&mut self, bytes: &[u8], _now: Instant) -> Vec<u8> {
        Packet::decode(bytes)
            .and_then(|packet| self.reply(packet))
            .map(|packet| packet.encode())
            .unwrap_or_default()
    }
}

/// A UDP socket that answers whoever asked last.
#[derive(Debug)]
pub struct UdpServer {
    socket: UdpSocket,
    asked: Option<SocketAddr>,
}

impl UdpServer {
    /// Listens at `address`; port 0 means any that is free.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<UdpServer> {
        let socket = UdpSocket::bind(address)?;
        Ok(UdpServer {
            socket,
            asked: None,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl Line for UdpServer {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn send(&mut self, bytes: &[u8], _until: Instant) -> io::Result<()> {
        match self.asked {
            Some(host) => self.socket.send_to(bytes, host).map(|_| ()),
            None => Ok(()),
        }
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        wait_for(&self.socket, until)?;
        none_if_late(self.socket.recv_from(buffer).map(|(got, host)| {
            self.asked = Some(host);
            got
        }))
    }
}
