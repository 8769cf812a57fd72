//! The card on its bench: everything that moves in one clock.

use super::clocks::PhyClocks;
use super::failure::{protocol, Wrong, PORTS_OUT};
use super::lines::{Gap, LineFrame};
use super::network::NetworkHost;
use super::script::Lines;
use super::wires::Wires;
use bloomline_bench::filter::{PinReader, PinWriter};
use bloomline_bench::lockstep::Device;
use bloomline_bench::path::{Judge, LeftFrame, OfferedFrame, Problem};
use bloomline_bench::rgmii::{FrameListener, RgmiiPlayer};
use bloomline_bench::verilator::{Design, VerilatorError};
use bloomline_model::mac::{FrameEnd, Gmii, MacReceiverModel};
use bloomline_model::{LineCardModel, PathFilter, PortsModel};
use bloomline_spec::mac::{FCS_BYTES, MIN_FRAME_BYTES};
use bloomline_spec::{Uart, LANES};
use std::collections::VecDeque;
use std::iter::Peekable;

/// Clocks of a reset after which nothing is sent.
const CUT_CLOCKS: u64 = 10;
/// Bytes of the data of a false carrier.
const FALSE_CARRIER: u8 = 0x0E;

/// Called with each frame that left, after it was found right: port, clock of the first byte of its preamble, bytes.
pub(super) type Observe<'a> = dyn FnMut(usize, u64, &[u8]) + Send + 'a;

/// A port's frames: those that come by the MAC's model, and those that leave.
#[derive(Debug, Default)]
struct Phy {
    receiver: MacReceiverModel,
    frame: Vec<u8>,
    /// Clock of the card in which the last byte with a carrier was whole.
    last_byte: u64,
    listener: FrameListener,
}

/// The host's end of the UART.
#[derive(Debug)]
pub(super) struct HostLine {
    writer: PinWriter,
    reader: PinReader,
    pub received: VecDeque<u8>,
    uart: Uart,
}

impl HostLine {
    fn new(uart: Uart) -> HostLine {
        HostLine {
            writer: PinWriter::new(uart.clocks_per_bit, 0.0),
            reader: PinReader::new(uart.clocks_per_bit),
            received: VecDeque::new(),
            uart,
        }
    }

    pub fn baud(&self) -> u32 {
        self.uart.baud
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.writer.bytes(bytes);
    }
}

/// Device, PHYs, host's line and models.
pub(super) struct Testbench<'a, D> {
    device: &'a mut D,
    observe: &'a mut Observe<'a>,
    wires: Wires,
    phys: [Phy; LANES],
    feeds: [Option<Peekable<Lines>>; LANES],
    pub host: HostLine,
    /// Clocks of the card, and instants in which anything moved.
    pub clock: u64,
    pub instants: u64,
    /// Clock in which a reset began that has not ended.
    held: Option<u64>,
    filter: PathFilter,
    pub judges: [Judge; LANES],
    pub ports: PortsModel,
    pub network: Option<NetworkHost>,
    /// Verdicts whose bit 0 is 1, of each lane: by the model, and as the device told.
    seen: [u64; LANES],
    told_seen: [u64; LANES],
    /// Frames sent by each port.
    pub first_and_last: [Option<(u64, u64)>; LANES],
    /// Frames that came later than their line would bring them, for want of room; and whether the next one is such.
    pub held_back: [u64; LANES],
    waits: [bool; LANES],
    /// What was wrong in a clock that the host's client ran.
    pub wrong: Option<Wrong>,
}

impl<'a, D: Device> Testbench<'a, D> {
    pub fn new(
        design: &Design,
        device: &'a mut D,
        model: LineCardModel,
        uart: Uart,
        clocks: PhyClocks,
        seed: u64,
        observe: &'a mut Observe<'a>,
    ) -> Result<Testbench<'a, D>, VerilatorError> {
        let (filter, lanes, ports, host) = model.into_parts();
        let network = host.map(|host| NetworkHost::new(host, filter.design().register_map(), seed));
        Ok(Testbench {
            device,
            observe,
            wires: Wires::new(design, clocks)?,
            phys: Default::default(),
            feeds: [None, None],
            host: HostLine::new(uart),
            clock: 0,
            instants: 0,
            held: Some(0),
            filter,
            judges: lanes.map(|lane| Judge::new(lane, MIN_FRAME_BYTES - FCS_BYTES)),
            ports,
            network,
            seen: [0; LANES],
            told_seen: [0; LANES],
            first_and_last: [None; LANES],
            held_back: [0; LANES],
            waits: [false; LANES],
            wrong: None,
        })
    }

    /// Runs one clock of the card, up to where it is low again.
    pub fn clock(&mut self) -> Result<(), Wrong> {
        loop {
            let device = &mut *self.device;
            let moved = self
                .wires
                .advance(|inputs, outputs| device.step(inputs, outputs))
                .map_err(|error| (None, Problem::Device(error)))?;
            self.instants += 1;
            for (port, level) in moved.phys.into_iter().enumerate() {
                if let Some(level) = level {
                    self.phy_edge(port, level);
                }
            }
            match moved.card {
                Some(true) => {
                    self.clock += 1;
                    self.rise()?;
                }
                Some(false) => return self.fall(),
                None => {}
            }
        }
    }

    /// Runs so many clocks.
    pub fn run(&mut self, clocks: u64) -> Result<(), Wrong> {
        (0..clocks).try_for_each(|_| self.clock())
    }

    /// A PHY's clock has moved: the next nibble is on its pins, and with the falling edge a byte was whole.
    fn phy_edge(&mut self, port: usize, rising: bool) {
        if !rising {
            self.byte_in(port);
            self.feed(port);
        }
        self.wires.drive(port, rising);
    }

    /// A byte has come at a port: the MAC's model says what it means.
    fn byte_in(&mut self, port: usize) {
        let phy = &mut self.phys[port];
        let byte = self.wires.players[port].byte();
        if byte.valid {
            phy.last_byte = self.clock;
        }
        phy.receiver.clock(self.held.is_some(), byte);
        phy.frame.extend(phy.receiver.beat().map(|beat| beat.data));
        let Some(end) = phy.receiver.end() else {
            return;
        };
        let (ended, bytes) = (phy.last_byte, std::mem::take(&mut phy.frame));
        let bad = end != FrameEnd::Good;
        self.ports.received(port, end);
        let taken = self.network.as_mut().is_some_and(|network| {
            let (judges, ports) = (&mut self.judges, &mut self.ports);
            network.came(port, &bytes, bad, ended, judges, ports)
        });
        if !taken && !bytes.is_empty() {
            self.judges[port].came(ended, OfferedFrame { bytes, bad });
        }
    }

    /// Puts the next frame on a line where the last one was played, if there is room for it.
    fn feed(&mut self, port: usize) {
        let player = &mut self.wires.players[port];
        if !player.is_idle() || self.held.is_some() {
            return;
        }
        let Some(lines) = &mut self.feeds[port] else {
            return;
        };
        let network = self.network.as_mut();
        let judge = &self.judges[port];
        if let Some(request) = network.and_then(|host| host.offer(self.clock, port, judge)) {
            play(player, &request);
            return;
        }
        if !judge.has_room(lines.peek().map_or(0, LineFrame::buffered_bytes)) {
            self.waits[port] = lines.peek().is_some();
            return;
        }
        self.held_back[port] += u64::from(std::mem::take(&mut self.waits[port]));
        match lines.next() {
            Some(frame) => play(player, &frame),
            None => self.feeds[port] = None,
        }
    }

    /// The card's clock has risen.
    fn rise(&mut self) -> Result<(), Wrong> {
        self.wires.rise();
        (0..LANES).try_for_each(|port| self.tx_clock(port, true))
    }

    fn tx_clock(&self, port: usize, level: bool) -> Result<(), Wrong> {
        let shown = self.wires.shown(self.wires.pins.ports[port].tx_clock) != 0;
        if shown != level && self.held.is_none() {
            return Err(protocol(
                Some(1 - port),
                PORTS_OUT[port],
                "the clock to the PHY is the card's",
                u8::from(shown).to_string(),
            ));
        }
        Ok(())
    }

    /// It has fallen: bytes to the PHYs are whole, and registers have shown what they hold.
    fn fall(&mut self) -> Result<(), Wrong> {
        for port in 0..LANES {
            self.tx_clock(port, false)?;
            self.byte_out(port, self.wires.byte_out(port))?;
        }
        if self.held.is_none() {
            self.items()?;
            for judge in &mut self.judges {
                judge.settle(self.clock);
            }
            if let Some(network) = &mut self.network {
                network.settle(self.clock, &mut self.judges)?;
            }
        }
        let pins = self.wires.pins;
        let received = self.host.reader.clock(self.wires.shown(pins.uart_tx) == 1);
        self.host.received.extend(received);
        self.wires
            .put(pins.uart_rx, self.host.writer.clock().into());
        Ok(())
    }

    /// What a port sends.
    fn byte_out(&mut self, port: usize, gmii: Gmii) -> Result<(), Wrong> {
        let lane = 1 - port;
        if let Some(since) = self.held {
            if gmii.valid && self.clock > since + CUT_CLOCKS {
                let rule = "in reset nothing is sent";
                let got = format!("{:02x}", gmii.data);
                return Err(protocol(Some(lane), PORTS_OUT[port], rule, got));
            }
            return Ok(());
        }
        let phy = &mut self.phys[port];
        let heard = phy
            .listener
            .clock(self.clock, gmii)
            .map_err(|(rule, got)| protocol(Some(lane), PORTS_OUT[port], rule, got))?;
        let Some(frame) = heard else { return Ok(()) };
        self.ports.sent(port);
        let answers = self.network.as_mut().is_some_and(|network| {
            network.answers(port, &frame.bytes, frame.first_clock, &mut self.judges)
        });
        if answers {
            self.judges[lane].line_was_taken(frame.last_clock);
            return Ok(());
        }
        let left = LeftFrame {
            bytes: frame.bytes,
            first_clock: frame.first_clock,
            last_clock: frame.last_clock,
        };
        self.judges[lane]
            .leaves(&left, true, &mut self.filter)
            .map_err(|problem| (Some(lane), problem))?;
        let first = self.first_and_last[port].map_or(left.first_clock, |(first, _)| first);
        self.first_and_last[port] = Some((first, left.last_clock));
        (self.observe)(port, left.first_clock, &left.bytes);
        Ok(())
    }

    /// Whose item the filter has taken, and for whom it has seen one.
    fn items(&mut self) -> Result<(), Wrong> {
        let taken = self.wires.shown(self.wires.pins.item_taken);
        for lane in 0..LANES {
            if taken >> lane & 1 == 0 {
                continue;
            }
            if taken.count_ones() > 1 {
                let rule = "one item is taken in a clock";
                return Err(protocol(
                    Some(lane),
                    "item_taken",
                    rule,
                    format!("{taken:02b}"),
                ));
            }
            match self.judges[lane].ask(&mut self.filter) {
                Some(seen) => self.seen[lane] += u64::from(seen),
                None => {
                    let rule = "a lane has an item of a frame that has ended, and one of each";
                    return Err(protocol(Some(lane), "item_taken", rule, "1".into()));
                }
            }
        }
        let seen = self.wires.shown(self.wires.pins.item_seen);
        for lane in 0..LANES {
            self.told_seen[lane] += seen >> lane & 1;
        }
        Ok(())
    }

    /// Frames that come from now on.
    pub fn begin(&mut self, lines: [Lines; LANES]) {
        self.feeds = lines.map(|lines| Some(lines.peekable()));
    }

    /// What the PHYs tell of their links from now on.
    pub fn tell(&mut self, links: [u8; LANES]) {
        for (port, link) in links.into_iter().enumerate() {
            self.wires.players[port].tell(link);
            self.ports.tell(port, link);
        }
    }

    /// Everything that was to come has come.
    pub fn has_come(&self) -> bool {
        self.feeds.iter().all(Option::is_none) && self.is_played()
    }

    /// What was on the lines to the card was played.
    fn is_played(&self) -> bool {
        self.wires.players.iter().all(RgmiiPlayer::is_idle)
    }

    /// Every frame that came has left or was dropped, and what was asked for was answered.
    pub fn has_left(&self) -> bool {
        self.judges.iter().all(Judge::is_idle)
            && self.network.as_ref().is_none_or(NetworkHost::is_idle)
            && self.phys.iter().all(|phy| !phy.listener.is_within())
    }

    /// What the device tells of links and of verdicts, when nothing is under way.
    pub fn compare_lamps(&self) -> Result<(), Wrong> {
        let link = self.wires.shown(self.wires.pins.link);
        for (port, player) in self.wires.players.iter().enumerate() {
            let told = u64::from(player.link() & 1);
            if link >> port & 1 != told {
                let rule = "a bit of each port whose PHY tells of a link";
                return Err(protocol(None, "link", rule, format!("{link:02b}")));
            }
        }
        for lane in 0..LANES {
            let (expected, got) = (self.seen[lane], self.told_seen[lane]);
            if expected != got {
                let got = format!("{got} where the model has {expected}");
                let rule = "a clock of each verdict whose bit 0 is 1";
                return Err(protocol(Some(lane), "item_seen", rule, got));
            }
        }
        Ok(())
    }

    /// A reset: what is under way on either side is cut. It ends in the middle of a frame that came in it on both lines, and is passed over.
    pub fn reset(&mut self) -> Result<(), Wrong> {
        const PASSED_OVER: [u8; 300] = [0xA5; 300];
        self.wires.put(self.wires.pins.hold, 1);
        self.held = Some(self.clock);
        self.filter.reset();
        self.ports.reset();
        if let Some(network) = &mut self.network {
            network.reset();
        }
        for judge in &mut self.judges {
            judge.reset(self.clock);
        }
        (self.seen, self.told_seen) = ([0; LANES], [0; LANES]);
        self.host = HostLine::new(self.host.uart);
        self.run(CUT_CLOCKS)?;
        while !self.is_played() {
            self.clock()?;
        }
        for player in &mut self.wires.players {
            play(player, &LineFrame::good(&PASSED_OVER));
        }
        self.run(100)?;
        self.wires.put(self.wires.pins.hold, 0);
        for phy in &mut self.phys {
            phy.listener.forget();
            phy.frame.clear();
        }
        self.held = None;
        while !self.is_played() {
            self.clock()?;
        }
        self.run(50)
    }
}

/// Puts a frame and the gap behind it on a line.
pub(super) fn play(player: &mut RgmiiPlayer, frame: &LineFrame) {
    player.send(&frame.line, 0);
    match frame.gap {
        Gap::Rest(clocks) => player.send(&[], clocks),
        Gap::Noise(clocks) => {
            let carrier = Gmii {
                data: FALSE_CARRIER,
                valid: false,
                error: true,
            };
            player.send(&[carrier], clocks.saturating_sub(1));
        }
    }
}
