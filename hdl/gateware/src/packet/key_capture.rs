//! Captures the fields of the key from the parsed words.

use super::NetworkOrder;
use crate::prelude::*;
use bloomline_spec::KeySource;

/// Where the parts of a key come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLayout {
    /// Bits of the key, at least 1: those of the source.
    pub bits: usize,
    /// The IP version it is taken from is 6.
    pub six: bool,
    /// Words of the IP header that are part of it, and where each begins in the key.
    pub words: Vec<(usize, usize)>,
    /// Where the ports begin in it.
    pub ports: Option<usize>,
    /// Where the number of the next header begins in it.
    pub next: Option<usize>,
}

impl KeyLayout {
    /// The parts of a source, as `bloomline_spec::KeySource` lays them out; none of the frame's digest.
    pub fn of(source: KeySource) -> Self {
        let (six, first, words, tuple) = match source {
            KeySource::Ipv4FiveTuple => (false, 3, 2, true),
            KeySource::Ipv6FiveTuple => (true, 2, 8, true),
            KeySource::SrcIp => (false, 3, 1, false),
            KeySource::DstIp => (false, 4, 1, false),
            KeySource::SrcIp6 => (true, 2, 4, false),
            KeySource::DstIp6 => (true, 6, 4, false),
            KeySource::FrameDigest => (false, 0, 0, false),
        };
        Self {
            bits: source.bits() as usize,
            six,
            words: (0..words).map(|i| (first + i, 32 * i)).collect(),
            ports: tuple.then_some(32 * words),
            next: tuple.then_some(32 * words + 32),
        }
    }
}

/// Puts a word that is read into the key, whose other bits stand; the key is 0 at a frame's begin. Combinational; what the word is says [`super::ParserStep`]. `docs/packet.md`, "Key".
#[derive(LogicBlock)]
pub struct KeyCapture {
    about: About,
    pub key: WideBus<In>,
    pub word: Bus<In>,
    pub in_header: Wire<In>,
    pub six: Wire<In>,
    pub step: Bus<In>,
    pub ports: Wire<In>,
    pub captured: WideBus<Out>,
    order: NetworkOrder,
    bytes: WideBus<Local>,
    wanted_six: Const,
    word_step: Vec<Const>,
    word_place: Vec<usize>,
    ports_place: Vec<usize>,
    key_bits: usize,
    word_count: usize,
    port_count: usize,
}

impl KeyCapture {
    /// For the keys of a layout.
    pub fn new(layout: &KeyLayout) -> Self {
        Self {
            about: About::new(
                "key_capture",
                "Puts a word that is read into the key, byte by byte in the order of the wire.",
            ),
            key: WideBus::<In>::new(layout.bits),
            word: Bus::new(32),
            in_header: Wire::default().doc("it is one of the IP header"),
            six: Wire::default().doc("of version 6"),
            step: Bus::new(4).doc("which one"),
            ports: Wire::default().doc("it holds the ports"),
            captured: WideBus::<Out>::new(layout.bits),
            order: Default::default(),
            bytes: WideBus::<Local>::new(layout.bits),
            wanted_six: Const::new(layout.six.into(), 1),
            word_step: layout
                .words
                .iter()
                .map(|w| Const::new(w.0 as u128, 4))
                .collect(),
            word_place: layout.words.iter().map(|w| w.1).collect(),
            ports_place: layout.ports.into_iter().collect(),
            key_bits: layout.bits,
            word_count: layout.words.len(),
            port_count: usize::from(layout.ports.is_some()),
        }
    }
}

impl Logic for KeyCapture {
    #[hdl_gen]
    fn update(&mut self) {
        self.order.bytes.next = self.word.val();
        self.bytes.next = bits_wide(self.order.word.val(), self.key_bits);
        self.captured.next = self.key.val();
        for i in 0..self.word_count {
            if self.in_header.val()
                && (bits_of(self.six.val(), 1) == self.wanted_six.val())
                && (self.step.val() == self.word_step[i].val())
            {
                self.captured.next = self.key.val() | (self.bytes.val() << self.word_place[i]);
            }
        }
        for i in 0..self.port_count {
            if self.ports.val() {
                self.captured.next = self.key.val() | (self.bytes.val() << self.ports_place[i]);
            }
        }
    }
}
