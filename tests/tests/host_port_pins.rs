//! From pins to registers and back: ARP, ping and register accesses over RGMII, through an emitted port, host port and filter.

use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Initial, Library, Sim};
use bloomline_driver::packet::Packet;
use bloomline_model::mac::{FrameEnd, Gmii, MacReceiverModel};
use bloomline_spec::registers::{address, MAGIC, MAP_VERSION};
use bloomline_tests::{
    host_card_on_rgmii, on_the_line, toolchain, HostPeer, Sample, TwoClocks, HOST_CARD,
};

/// 125 MHz in femtoseconds; the PHY's is 100 ppm off.
const PERIOD: u64 = 8_000_000;
const PHY_PERIOD: u64 = PERIOD + PERIOD / 10_000;
const PEER: HostPeer = HostPeer {
    mac: [0x02, 0, 0, 0, 0, 7],
    ip: [10, 0, 0, 7],
    port: 4321,
};
/// Bytes that a short frame is filled up to.
const SHORTEST: usize = 60;

/// Places of the inputs.
const HOLD: usize = 2;
const CONTROL: usize = 3;
const DATA: usize = 4;

/// The card, and a PHY at its pins.
struct Card {
    sim: Sim,
    clocks: TwoClocks,
    inputs: [u64; 5],
    outputs: [u64; 3],
    low: u64,
    receiver: MacReceiverModel,
    frame: Vec<u8>,
    frames: Vec<(Vec<u8>, FrameEnd)>,
}

impl Card {
    fn new() -> Self {
        let toolchain = toolchain(&[Program::Verilator]);
        let design = host_card_on_rgmii(&Sample::BASE.geometry());
        let library =
            Library::build(&toolchain, &design, &BuildOptions::default()).expect("builds");
        let mut card = Self {
            sim: library.open(Initial::Random(11)).expect("opens"),
            clocks: TwoClocks::new([PERIOD, PHY_PERIOD], 1_234_567),
            inputs: [0, 0, 1, 0, 0],
            outputs: [0; 3],
            low: 0,
            receiver: MacReceiverModel::default(),
            frame: Vec::new(),
            frames: Vec::new(),
        };
        card.play(&[], 20);
        card.inputs[HOLD] = 0;
        // the filter empties its memory
        card.play(&[], 2000);
        card
    }

    /// A nibble and its control on the pins, at the PHY's next edge of this level; what the card sends meanwhile is listened to.
    fn edge(&mut self, level: bool, control: bool, nibble: u8) {
        loop {
            let edge = self.clocks.advance();
            let levels = self.clocks.levels();
            (self.inputs[0], self.inputs[1]) = (levels[0].into(), levels[1].into());
            self.sim
                .step(&self.inputs, &mut self.outputs)
                .expect("runs");
            if edge[0] {
                self.listen(levels[0]);
            }
            if edge[1] && levels[1] == level {
                (self.inputs[CONTROL], self.inputs[DATA]) = (control.into(), nibble.into());
                self.sim
                    .step(&self.inputs, &mut self.outputs)
                    .expect("runs");
                return;
            }
        }
    }

    fn listen(&mut self, rising: bool) {
        let [_, control, data] = self.outputs;
        if rising {
            self.low = control << 4 | data;
            return;
        }
        let valid = self.low & 0x10 != 0;
        self.receiver.clock(
            false,
            Gmii {
                data: (data << 4 | self.low & 0xF) as u8,
                valid,
                error: valid != (control != 0),
            },
        );
        let beat = self.receiver.beat();
        self.frame.extend(beat.map(|beat| beat.data));
        if let Some(end) = self.receiver.end() {
            self.frames.push((std::mem::take(&mut self.frame), end));
        }
    }

    /// Plays a line and so many clocks of a gap: the low nibble stands from a falling edge on, the high one from the rising edge.
    fn play(&mut self, line: &[Gmii], gap: usize) {
        let gap = std::iter::repeat_n(Gmii::default(), gap);
        for byte in line.iter().copied().chain(gap) {
            self.edge(false, byte.valid, byte.data & 0xF);
            self.edge(true, byte.valid != byte.error, byte.data >> 4);
        }
    }

    /// The frames that come back within 2000 clocks.
    fn exchange(&mut self, line: &[Gmii]) -> Vec<Vec<u8>> {
        self.play(line, 2000);
        let frames = std::mem::take(&mut self.frames);
        let good = |(bytes, end)| {
            assert_eq!(end, FrameEnd::Good);
            bytes
        };
        frames.into_iter().map(good).collect()
    }

    /// What reads over Etherbone give.
    fn read(&mut self, packet: Packet) -> Vec<u32> {
        let frame = PEER.datagram(&HOST_CARD, &packet.encode());
        let frames = self.exchange(&on_the_line(&frame));
        assert_eq!(frames.len(), 1);
        let answer = Packet::decode(&frames[0][42..]).and_then(|packet| packet.writes);
        answer.expect("the words").1
    }
}

#[test]
fn arp_ping_and_registers_answer_at_the_pins_and_damaged_frames_do_not() {
    let mut card = Card::new();
    let arp = PEER.arp(&HOST_CARD, [0xFF; 6]);
    let padded = [&arp[..], &[0; SHORTEST - 42]].concat();
    let frames = card.exchange(&on_the_line(&padded));
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0].len(), SHORTEST);
    assert_eq!(frames[0][6..12], HOST_CARD.mac);
    assert_eq!(frames[0][22..28], HOST_CARD.mac);

    let ping = PEER.echo(&HOST_CARD, 5, &[0x5A; 56]);
    let frames = card.exchange(&on_the_line(&ping));
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0][..6], PEER.mac);
    assert_eq!(frames[0][42..], ping[42..]);

    let identity = Packet {
        reads: Some((1, vec![address::MAGIC, address::VERSION])),
        ..Packet::default()
    };
    assert_eq!(card.read(identity.clone()), [MAGIC, MAP_VERSION]);
    let written = Packet {
        writes: Some((address::THRESHOLD, vec![123])),
        reads: Some((2, vec![address::THRESHOLD])),
        ..Packet::default()
    };
    assert_eq!(card.read(written), [123]);

    // one bit of one byte behind the preamble, the FCS as it was
    let whole = on_the_line(&PEER.datagram(&HOST_CARD, &identity.encode()));
    for place in [8, 20, 50, whole.len() - 1] {
        let mut line = whole.clone();
        line[place].data ^= 8;
        assert_eq!(card.exchange(&line), Vec::<Vec<u8>>::new(), "byte {place}");
    }
    assert_eq!(card.exchange(&whole).len(), 1);
}
