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

impl KeyLayout {
    /// Words that are part of the key, those of the IP header and that of the ports; 1 where it has none.
    pub fn parts(&self) -> usize {
        (self.words.len() + usize::from(self.ports.is_some())).max(1)
    }
}

block! {
    /// Which part of the key a word that is read is, if any: the words of the IP header as [`KeyLayout`] has them, then that of the ports. Combinational; what the word is says [`super::ParserStep`].
    pub struct KeyPart {
        about: About = About::new("key_part", "Which part of the key a word that is read is."),
        pub in_header: Wire<In> = Wire::default().doc("it is one of the IP header"),
        pub six: Wire<In> = Wire::default().doc("of version 6"),
        pub step: Bus<In> = Bus::new(4).doc("which one"),
        pub ports: Wire<In> = Wire::default().doc("it holds the ports"),
        pub part: Bus<Out> = Bus::new(layout.parts()).doc("bit i: part i"),
        found: Bus<Local> = Bus::new(layout.parts()),
        none: Const = Const::new(0, layout.parts()),
        wanted_six: Const = Const::new(layout.six.into(), 1),
        word_step: Vec<Const> = layout
            .words
            .iter()
            .map(|w| Const::new(w.0 as u128, 4))
            .collect(),
        word_count: usize = layout.words.len(),
        port_count: usize = usize::from(layout.ports.is_some()),
    }

    /// For the keys of a layout.
    pub fn new(layout: &KeyLayout) {}
}

impl Logic for KeyPart {
    #[hdl_gen]
    fn update(&mut self) {
        self.found.next = self.none.val();
        for i in 0..self.word_count {
            self.found.next = self.found.val().replace_bit(
                i,
                self.in_header.val()
                    && (bits_of(self.six.val(), 1) == self.wanted_six.val())
                    && (self.step.val() == self.word_step[i].val()),
            );
        }
        for i in 0..self.port_count {
            self.found.next = self
                .found
                .val()
                .replace_bit(self.word_count + i, self.ports.val());
        }
        self.part.next = self.found.val();
    }
}

block! {
    /// Puts a word that is read into the key, whose other bits stand; the key is 0 at a frame's begin. Combinational; what the word is says [`KeyPart`]. `docs/packet.md`, "Key".
    pub struct KeyCapture {
        about: About = About::new(
            "key_capture",
            "Puts a word that is read into the key, byte by byte in the order of the wire.",
        ),
        pub key: WideBus<In> = WideBus::<In>::new(layout.bits),
        pub word: Bus<In> = Bus::new(32),
        pub part: Bus<In> = Bus::new(layout.parts()).doc("which part of the key it is, if any"),
        pub captured: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        order: NetworkOrder,
        bytes: WideBus<Local> = WideBus::<Local>::new(layout.bits),
        place: Vec<usize> = layout.words.iter().map(|w| w.1).chain(layout.ports).collect(),
        key_bits: usize = layout.bits,
        count: usize = layout.words.len() + usize::from(layout.ports.is_some()),
    }

    /// For the keys of a layout.
    pub fn new(layout: &KeyLayout) {}
}

impl Logic for KeyCapture {
    #[hdl_gen]
    fn update(&mut self) {
        self.order.bytes.next = self.word.val();
        self.bytes.next = bits_wide(self.order.word.val(), self.key_bits);
        self.captured.next = self.key.val();
        for i in 0..self.count {
            if self.part.val().get_bit(i) {
                self.captured.next = self.key.val() | (self.bytes.val() << self.place[i]);
            }
        }
    }
}
