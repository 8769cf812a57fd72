use bloomline_model::mac::Gmii;
use std::collections::VecDeque;

/// What a PHY tells between frames of a link that is up: full duplex, 1 Gb/s.
pub const GIGABIT_LINK: u8 = 0b1101;

/// A PHY's side that brings frames: bytes of GMII on the pins `rgmii_rx_control` and `rgmii_rx_data`, low nibble with the rising edge of its
/// clock.
///
/// Pins are driven behind an edge for the next one, so that they stand whenever the clock moves.
#[derive(Debug, Clone)]
pub struct RgmiiPlayer {
    line: VecDeque<Gmii>,
    byte: Gmii,
    link: u8,
}

/// Control and data on the pins.
type Shown = (bool, u8);

impl RgmiiPlayer {
    /// At rest, telling of this link between frames: up (bit 0), speed (2:1), full duplex (3).
    pub fn new(link: u8) -> Self {
        let mut player = Self {
            line: VecDeque::new(),
            byte: Gmii::default(),
            link: 0,
        };
        player.tell(link);
        player.byte = player.rest();
        player
    }

    /// Tells of this link from the next byte on that is none of a frame's.
    pub fn tell(&mut self, link: u8) {
        self.link = link & 0xF;
    }

    /// What is told of the link.
    pub fn link(&self) -> u8 {
        self.link
    }

    /// What is shown between frames.
    pub fn rest(&self) -> Gmii {
        Gmii {
            data: self.link * 0x11,
            ..Gmii::default()
        }
    }

    /// Puts bytes on the line, and a gap behind them.
    pub fn send(&mut self, line: &[Gmii], gap: usize) {
        self.line.extend(line);
        let rest = self.rest();
        self.line.extend(std::iter::repeat_n(rest, gap));
    }

    /// Everything was played.
    pub fn is_idle(&self) -> bool {
        self.line.is_empty()
    }

    /// Bytes that are still to be played.
    pub fn left(&self) -> usize {
        self.line.len()
    }

    /// The byte that is on the pins.
    pub fn byte(&self) -> Gmii {
        self.byte
    }

    /// The clock has risen: what the pins show for its falling edge.
    #[inline]
    pub fn risen(&self) -> Shown {
        (self.byte.valid != self.byte.error, self.byte.data >> 4)
    }

    /// The clock has fallen, and the byte is over: what the pins show for its next rising edge.
    #[inline]
    pub fn fallen(&mut self) -> Shown {
        self.byte = self.line.pop_front().unwrap_or_else(|| self.rest());
        (self.byte.valid, self.byte.data & 0xF)
    }
}

/// A PHY's side that takes frames: bytes of GMII from the pins `rgmii_tx_control` and `rgmii_tx_data`.
#[derive(Debug, Clone, Copy, Default)]
pub struct RgmiiListener {
    low: Shown,
}

impl RgmiiListener {
    /// What the pins show while the transmitted clock is high.
    #[inline]
    pub fn high(&mut self, control: bool, data: u8) {
        self.low = (control, data & 0xF);
    }

    /// What they show while it is low: the byte.
    #[inline]
    pub fn low(&self, control: bool, data: u8) -> Gmii {
        let (valid, nibble) = self.low;
        Gmii {
            data: data << 4 | nibble,
            valid,
            error: valid != control,
        }
    }
}
