//! The card on its bench: everything that moves in one clock.

use super::lines::{Gap, LineFrame};
use super::pins::CardPins;
use super::script::{Lines, PhyClocks, CLOCK_FS};
use crate::filter::{PinReader, PinWriter};
use crate::lockstep::Device;
use crate::path::{Judge, LeftFrame, OfferedFrame, Problem};
use crate::rgmii::{Clocks, FrameListener, RgmiiListener, RgmiiPlayer, GIGABIT_LINK};
use crate::verilator::{Design, VerilatorError};
use bloomline_model::mac::{Gmii, MacReceiverModel};
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

/// A port's PHY, and what its frames are by the MAC's model.
#[derive(Debug)]
struct Phy {
    player: RgmiiPlayer,
    receiver: MacReceiverModel,
    frame: Vec<u8>,
    /// Clock of the card in which the last byte with a carrier was whole.
    last_byte: u64,
    pins: RgmiiListener,
    listener: FrameListener,
}

impl Phy {
    fn new() -> Phy {
        Phy {
            player: RgmiiPlayer::new(GIGABIT_LINK),
            receiver: MacReceiverModel::default(),
            frame: Vec::new(),
            last_byte: 0,
            pins: RgmiiListener::default(),
            listener: FrameListener::default(),
        }
    }
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

/// What was wrong, and in which lane if in one.
pub(super) type Wrong = (Option<usize>, Problem);

/// Device, PHYs, host's line and models.
pub(super) struct Rig<'a, D> {
    device: &'a mut D,
    observe: &'a mut Observe<'a>,
    pins: CardPins,
    clocks: Clocks<3>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
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
    /// Verdicts whose bit 0 is 1, of each lane: by the model, and as the device told.
    seen: [u64; LANES],
    told_seen: [u64; LANES],
    /// Frames sent by each port.
    pub first_and_last: [Option<(u64, u64)>; LANES],
    /// What was wrong in a clock that the host's client ran.
    pub wrong: Option<Wrong>,
}

impl<'a, D: Device> Rig<'a, D> {
    pub fn new(
        design: &Design,
        device: &'a mut D,
        model: LineCardModel,
        uart: Uart,
        clocks: PhyClocks,
        observe: &'a mut Observe<'a>,
    ) -> Result<Rig<'a, D>, VerilatorError> {
        let pins = CardPins::of(design)?;
        let (filter, lanes, ports) = model.into_parts();
        let [zero, one] = clocks.periods_fs();
        let phases = clocks.phases_fs;
        let mut inputs = vec![0; design.input_words()];
        inputs[pins.uart_rx] = 1;
        inputs[pins.hold] = 1;
        Ok(Rig {
            device,
            observe,
            pins,
            clocks: Clocks::new([CLOCK_FS, zero, one], [0, phases[0], phases[1]]),
            inputs,
            outputs: vec![0; design.output_words()],
            phys: [Phy::new(), Phy::new()],
            feeds: [None, None],
            host: HostLine::new(uart),
            clock: 0,
            instants: 0,
            held: Some(0),
            filter,
            judges: lanes.map(|lane| Judge::new(lane, MIN_FRAME_BYTES - FCS_BYTES)),
            ports,
            seen: [0; LANES],
            told_seen: [0; LANES],
            first_and_last: [None; LANES],
            wrong: None,
        })
    }

    /// Runs one clock of the card, up to where it is low again.
    pub fn clock(&mut self) -> Result<(), Wrong> {
        loop {
            let edges = self.clocks.advance();
            let levels = self.clocks.levels();
            self.inputs[self.pins.clock] = levels[0].into();
            for port in 0..LANES {
                self.inputs[self.pins.ports[port].rx_clock] = levels[1 + port].into();
            }
            self.device
                .step(&self.inputs, &mut self.outputs)
                .map_err(|error| (None, Problem::Device(error)))?;
            self.instants += 1;
            for port in 0..LANES {
                if edges[1 + port] {
                    self.phy_edge(port, levels[1 + port]);
                }
            }
            match (edges[0], levels[0]) {
                (true, true) => {
                    self.clock += 1;
                    self.rise()?;
                }
                (true, false) => return self.fall(),
                (false, _) => {}
            }
        }
    }

    /// Runs so many clocks.
    pub fn run(&mut self, clocks: u64) -> Result<(), Wrong> {
        (0..clocks).try_for_each(|_| self.clock())
    }

    /// A PHY's clock has moved: the next nibble is on its pins, and with the falling edge a byte was whole.
    fn phy_edge(&mut self, port: usize, rising: bool) {
        let (control, data) = if rising {
            self.phys[port].player.risen()
        } else {
            self.byte_in(port);
            self.feed(port);
            self.phys[port].player.fallen()
        };
        let pins = self.pins.ports[port];
        self.inputs[pins.rx_control] = control.into();
        self.inputs[pins.rx_data] = data.into();
    }

    /// A byte has come at a port: the MAC's model says what it means.
    fn byte_in(&mut self, port: usize) {
        let phy = &mut self.phys[port];
        let byte = phy.player.byte();
        if byte.valid {
            phy.last_byte = self.clock;
        }
        phy.receiver.clock(self.held.is_some(), byte);
        let beat = phy.receiver.beat();
        phy.frame.extend(beat.map(|beat| beat.data));
        if let Some(end) = phy.receiver.end() {
            self.ports.received(port, end);
        }
        if let Some(beat) = beat.filter(|beat| beat.last) {
            let bytes = std::mem::take(&mut phy.frame);
            let bad = beat.user;
            self.judges[port].came(phy.last_byte, OfferedFrame { bytes, bad });
        }
    }

    /// Puts the next frame on a line where the last one was played, if there is room for it.
    fn feed(&mut self, port: usize) {
        let phy = &mut self.phys[port];
        if !phy.player.is_idle() || self.held.is_some() {
            return;
        }
        let Some(lines) = &mut self.feeds[port] else {
            return;
        };
        let room = self.judges[port].has_room(lines.peek().map_or(0, LineFrame::clocks));
        if !room {
            return;
        }
        match lines.next() {
            Some(frame) => play(&mut phy.player, &frame),
            None => self.feeds[port] = None,
        }
    }

    /// The card's clock has risen.
    fn rise(&mut self) -> Result<(), Wrong> {
        for port in 0..LANES {
            let pins = self.pins.ports[port];
            self.tx_clock(port, true)?;
            let (control, data) = (self.outputs[pins.tx_control], self.outputs[pins.tx_data]);
            self.phys[port].pins.high(control != 0, data as u8);
        }
        Ok(())
    }

    fn tx_clock(&self, port: usize, level: bool) -> Result<(), Wrong> {
        let shown = self.outputs[self.pins.ports[port].tx_clock] != 0;
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
            let pins = self.pins.ports[port];
            let (control, data) = (self.outputs[pins.tx_control], self.outputs[pins.tx_data]);
            let gmii = self.phys[port].pins.low(control != 0, data as u8);
            self.byte_out(port, gmii)?;
        }
        if self.held.is_none() {
            self.items()?;
            for judge in &mut self.judges {
                judge.settle(self.clock);
            }
        }
        let received = self
            .host
            .reader
            .clock(self.outputs[self.pins.uart_tx] & 1 == 1);
        self.host.received.extend(received);
        self.inputs[self.pins.uart_rx] = self.host.writer.clock().into();
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
        let left = LeftFrame {
            bytes: frame.bytes,
            first_clock: frame.first_clock,
            last_clock: frame.last_clock,
        };
        self.judges[lane]
            .leaves(&left, true, &mut self.filter)
            .map_err(|problem| (Some(lane), problem))?;
        self.ports.sent(port);
        let first = self.first_and_last[port].map_or(left.first_clock, |(first, _)| first);
        self.first_and_last[port] = Some((first, left.last_clock));
        (self.observe)(port, left.first_clock, &left.bytes);
        Ok(())
    }

    /// Whose item the filter has taken, and for whom it has seen one.
    fn items(&mut self) -> Result<(), Wrong> {
        let taken = self.outputs[self.pins.item_taken];
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
        let seen = self.outputs[self.pins.item_seen];
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
            self.phys[port].player.tell(link);
            self.ports.tell(port, link);
        }
    }

    /// Everything that was to come has come.
    pub fn has_come(&self) -> bool {
        self.feeds.iter().all(Option::is_none) && self.phys.iter().all(|phy| phy.player.is_idle())
    }

    /// Every frame that came has left or was dropped.
    pub fn has_left(&self) -> bool {
        self.judges.iter().all(Judge::is_idle)
            && self.phys.iter().all(|phy| !phy.listener.is_within())
    }

    /// What the device tells of links and of verdicts, when nothing is under way.
    pub fn compare_lamps(&self) -> Result<(), Wrong> {
        let link = self.outputs[self.pins.link];
        for (port, phy) in self.phys.iter().enumerate() {
            let told = u64::from(phy.player.link() & 1);
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
        self.inputs[self.pins.hold] = 1;
        self.held = Some(self.clock);
        self.filter.reset();
        self.ports.reset();
        for judge in &mut self.judges {
            judge.reset(self.clock);
        }
        (self.seen, self.told_seen) = ([0; LANES], [0; LANES]);
        self.host = HostLine::new(self.host.uart);
        self.run(CUT_CLOCKS)?;
        while self.phys.iter().any(|phy| !phy.player.is_idle()) {
            self.clock()?;
        }
        for phy in &mut self.phys {
            play(&mut phy.player, &LineFrame::good(&PASSED_OVER));
        }
        self.run(100)?;
        self.inputs[self.pins.hold] = 0;
        for phy in &mut self.phys {
            phy.listener.forget();
            phy.frame.clear();
        }
        self.held = None;
        while self.phys.iter().any(|phy| !phy.player.is_idle()) {
            self.clock()?;
        }
        self.run(50)
    }
}

/// The pins to the PHYs, for messages.
const PORTS_OUT: [&str; LANES] = ["rgmii_0_tx", "rgmii_1_tx"];

fn protocol(lane: Option<usize>, port: &'static str, rule: &'static str, got: String) -> Wrong {
    (lane, Problem::Protocol { port, rule, got })
}

/// Puts a frame and the gap behind it on a line.
fn play(player: &mut RgmiiPlayer, frame: &LineFrame) {
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
