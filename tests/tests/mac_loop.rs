//! Frames through a whole port, from pins to pins, with the PHY's clock and the own at any ratio: `mac_loop` in Verilator.

use bloomline_bench::lockstep::Running;
use bloomline_bench::rgmii::{
    on_the_line, Clocks, RgmiiListener, RgmiiPlayer, GIGABIT_LINK as LINK,
};
use bloomline_bench::verilator::{Design, Initial, Port};
use bloomline_hdl::mac::mac_loop_verilog;
use bloomline_model::mac::{FrameEnd, Gmii, MacReceiverModel};
use bloomline_tests::in_verilator;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// 125 MHz in femtoseconds, and 200 ppm of it.
const PERIOD: u64 = 8_000_000;
const PPM_200: u64 = PERIOD / 5000;

const COUNTERS: [&str; 8] = [
    "frames_good",
    "frames_bad_fcs",
    "frames_runt",
    "frames_error",
    "overflows",
    "frames_sent",
    "frames_broken",
    "underruns",
];

/// A port whose frames come back, or two of which the first one's frames leave at the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loop,
    Wire,
}

/// Two ports in the place of one: received at the first, sent at the second. What the second receives leaves at the first, unseen.
fn wire(text: &str) -> String {
    let received = [
        "frames_good",
        "frames_bad_fcs",
        "frames_runt",
        "frames_error",
        "overflows",
    ];
    let port = |number: usize, more: &[(&str, &str)]| {
        let other = 1 - number;
        let mut pins = vec![".clock(clock), .hold(hold), .reset()".to_owned()];
        for (side, from) in [("m", number), ("s", other)] {
            for signal in ["tvalid", "tready", "tdata", "tlast", "tuser"] {
                pins.push(format!(".{side}_frame_{signal}({signal}_{from})"));
            }
        }
        let of_first = |name: &str| received.contains(&name) == (number == 0);
        for name in COUNTERS {
            pins.push(format!(
                ".{name}({})",
                if of_first(name) { name } else { "" }
            ));
        }
        pins.extend(more.iter().map(|(port, to)| format!(".{port}({to})")));
        format!("  mac_port port_{number} ({});\n", pins.join(", "))
    };
    let first = port(
        0,
        &[
            ("rgmii_rx_clock", "rgmii_rx_clock"),
            ("rgmii_rx_control", "rgmii_rx_control"),
            ("rgmii_rx_data", "rgmii_rx_data"),
            ("rgmii_tx_clock", ""),
            ("rgmii_tx_control", ""),
            ("rgmii_tx_data", ""),
            ("link_up", "link_up"),
            ("link_speed", "link_speed"),
            ("link_full_duplex", "link_full_duplex"),
        ],
    );
    let second = port(
        1,
        &[
            ("rgmii_rx_clock", "other_rx_clock"),
            ("rgmii_rx_control", "1'b0"),
            ("rgmii_rx_data", "4'd0"),
            ("rgmii_tx_clock", "rgmii_tx_clock"),
            ("rgmii_tx_control", "rgmii_tx_control"),
            ("rgmii_tx_data", "rgmii_tx_data"),
            ("link_up", ""),
            ("link_speed", ""),
            ("link_full_duplex", ""),
        ],
    );
    let mut head = String::new();
    for name in COUNTERS {
        head += &format!(", output wire [63:0] {name}");
    }
    format!(
        "{text}\nmodule mac_wire (input wire clock, input wire rgmii_rx_clock, input wire hold, input wire rgmii_rx_control, input wire [3:0] rgmii_rx_data, input wire other_rx_clock, \
         output wire rgmii_tx_clock, output wire rgmii_tx_control, output wire [3:0] rgmii_tx_data, output wire link_up, output wire [1:0] link_speed, output wire link_full_duplex{head});\n  \
         wire tvalid_0, tready_0, tlast_0, tuser_0, tvalid_1, tready_1, tlast_1, tuser_1;\n  wire [7:0] tdata_0, tdata_1;\n{first}{second}endmodule\n"
    )
}

fn design(kind: Kind) -> Design {
    let text = mac_loop_verilog("").expect("can be printed").text();
    let inputs = [
        ("clock", 1),
        ("rgmii_rx_clock", 1),
        ("hold", 1),
        ("rgmii_rx_control", 1),
        ("rgmii_rx_data", 4),
    ];
    let outputs = [
        ("rgmii_tx_clock", 1),
        ("rgmii_tx_control", 1),
        ("rgmii_tx_data", 4),
        ("link_up", 1),
        ("link_speed", 2),
        ("link_full_duplex", 1),
    ];
    let counters = COUNTERS.map(|name| Port::output(name, 64));
    Design {
        top: match kind {
            Kind::Loop => "mac_loop".into(),
            Kind::Wire => "mac_wire".into(),
        },
        clock: None,
        sources: vec![(
            "mac.v".into(),
            match kind {
                Kind::Loop => text,
                Kind::Wire => wire(&text),
            },
        )],
        ports: inputs
            .map(|(name, width)| Port::input(name, width))
            .into_iter()
            .chain((kind == Kind::Wire).then(|| Port::input("other_rx_clock", 1)))
            .chain(outputs.map(|(name, width)| Port::output(name, width)))
            .chain(counters)
            .collect(),
    }
}

/// A port between a line that is played and one that is listened to.
struct Loop {
    sim: Running,
    clocks: Clocks<2>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// What comes from the PHY.
    player: RgmiiPlayer,
    rx_stopped: bool,
    /// Of a wire: the second PHY's clock does not run.
    other_stopped: bool,
    /// What goes to the PHY: bytes, then the frames.
    pins: RgmiiListener,
    receiver: MacReceiverModel,
    frame: Vec<u8>,
    frames: Vec<(Vec<u8>, FrameEnd)>,
    carrier: bool,
}

impl Loop {
    fn new(rx_period: u64, phase: u64) -> Self {
        Self::of(Kind::Loop, rx_period, phase)
    }

    fn of(kind: Kind, rx_period: u64, phase: u64) -> Self {
        let sim = in_verilator(&design(kind)).open(Initial::Random(phase));
        let sim = sim.unwrap_or_else(|error| panic!("{error}"));
        let outputs = vec![0; sim.output_words()];
        let mut inputs = vec![0; sim.input_words()];
        inputs[2] = 1;
        let mut this = Self {
            sim,
            clocks: Clocks::new([PERIOD, rx_period], [0, phase]),
            inputs,
            outputs,
            player: RgmiiPlayer::new(LINK),
            rx_stopped: false,
            other_stopped: kind == Kind::Wire,
            pins: RgmiiListener::default(),
            receiver: MacReceiverModel::default(),
            frame: Vec::new(),
            frames: Vec::new(),
            carrier: false,
        };
        this.run(10);
        this.inputs[2] = 0;
        this.run(40);
        this
    }

    fn step(&mut self) {
        self.sim
            .step(&self.inputs, &mut self.outputs)
            .expect("runs");
    }

    /// One instant: edges first, then what the pins show for the next ones.
    fn advance(&mut self) {
        let edge = self.clocks.advance();
        let levels = self.clocks.levels();
        self.inputs[0] = levels[0].into();
        self.inputs[1] = (levels[1] && !self.rx_stopped).into();
        if let Some(other) = self.inputs.get_mut(5) {
            *other = (levels[1] && !self.other_stopped).into();
        }
        self.step();
        if edge[0] {
            let [clock, control, data] = [0, 1, 2].map(|place| self.outputs[place]);
            if self.inputs[2] == 0 {
                assert_eq!(clock != 0, levels[0], "the clock to the PHY");
            }
            if levels[0] {
                self.pins.high(control != 0, data as u8);
            } else {
                self.listen(self.pins.low(control != 0, data as u8));
            }
        }
        if edge[1] && !self.rx_stopped {
            let (control, data) = match levels[1] {
                true => self.player.risen(),
                false => self.player.fallen(),
            };
            (self.inputs[3], self.inputs[4]) = (control.into(), data.into());
            self.step();
        }
    }

    fn listen(&mut self, gmii: Gmii) {
        self.carrier = gmii.valid;
        self.receiver.clock(false, gmii);
        self.frame
            .extend(self.receiver.beat().map(|beat| beat.data));
        if let Some(end) = self.receiver.end() {
            self.frames.push((std::mem::take(&mut self.frame), end));
        }
    }

    /// So many clocks, about.
    fn run(&mut self, clocks: usize) {
        (0..4 * clocks).for_each(|_| self.advance());
    }

    /// Until the line is played and nothing more comes.
    fn finish(&mut self) {
        while !self.player.is_idle() {
            self.run(100);
        }
        self.run(3000);
    }

    fn counters(&self) -> [u64; 8] {
        let first = self.outputs.len() - COUNTERS.len();
        std::array::from_fn(|i| self.outputs[first + i])
    }
}

fn frame(rng: &mut ChaCha8Rng, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|_| rng.random()).collect()
}

#[test]
fn frames_in_are_frames_out_whatever_the_phase_and_within_200_ppm() {
    for (run, rx_period) in [PERIOD, PERIOD + PPM_200, PERIOD - PPM_200]
        .into_iter()
        .enumerate()
    {
        for phase in [0, PERIOD / 4, PERIOD / 3, PERIOD * 7 / 8] {
            let mut rng = ChaCha8Rng::seed_from_u64(phase + run as u64);
            let mut port = Loop::new(rx_period, phase);
            let mut sent = Vec::new();
            let lengths = [60, 61, 1514, 9000, 60, 60];
            let more: Vec<usize> = (0..30).map(|_| rng.random_range(60..400)).collect();
            for bytes in lengths.into_iter().chain(more) {
                sent.push((frame(&mut rng, bytes), FrameEnd::Good));
                port.player.send(&on_the_line(&sent[sent.len() - 1].0), 12);
            }
            port.finish();
            assert!(port.frames == sent, "period {rx_period}, phase {phase}");
            let count = sent.len() as u64;
            assert_eq!(port.counters(), [count, 0, 0, 0, 0, count, 0, 0]);
        }
    }
}

#[test]
fn bad_frames_in_are_bad_frames_out_in_their_place_and_counted_by_kind() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut port = Loop::new(PERIOD + PPM_200, 1000);
    let mut expected = Vec::new();
    for i in 0..200 {
        let bytes = frame(&mut rng, [60, 70, 150][i % 3]);
        let mut line = on_the_line(&bytes);
        let at = rng.random_range(8..line.len());
        match i % 5 {
            0 => line[at].data ^= 4,
            1 => line[at].error = true,
            2 => line.truncate(rng.random_range(13..60)),
            _ => {}
        }
        let end = [FrameEnd::Good, FrameEnd::Error][usize::from(i % 5 < 3)];
        expected.push((bytes, end));
        port.player.send(&line, rng.random_range(12..30));
    }
    port.finish();
    assert_eq!(port.frames.len(), expected.len());
    for (got, expected) in port.frames.iter().zip(&expected) {
        assert_eq!(got.1, expected.1);
        assert!(got.1 != FrameEnd::Good || got.0 == expected.0);
    }
    assert_eq!(port.counters(), [80, 40, 40, 40, 0, 80, 120, 0]);
}

#[test]
fn frames_that_do_not_fit_are_dropped_or_end_as_bad_and_the_rest_is_whole() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    // a tenth faster than can be sent
    let mut port = Loop::new(PERIOD * 10 / 11, 77);
    let sent: Vec<Vec<u8>> = (0..300)
        .map(|_| {
            let bytes = rng.random_range(60..200);
            frame(&mut rng, bytes)
        })
        .collect();
    for bytes in &sent {
        port.player.send(&on_the_line(bytes), 12);
    }
    port.finish();
    let [good, .., overflows, out, broken, underruns] = port.counters();
    assert_eq!((good, underruns), (300, 0));
    assert!(overflows > 10 && broken > 5 && broken <= overflows);
    assert_eq!(out + overflows, good);
    let ends = port.frames.iter().map(|(_, end)| *end);
    assert_eq!(
        ends.filter(|&end| end == FrameEnd::Error).count() as u64,
        broken
    );
    let mut left = sent.iter();
    for (bytes, _) in port.frames.iter().filter(|(_, end)| *end == FrameEnd::Good) {
        assert!(left.any(|sent| sent == bytes), "in order, and none twice");
    }
    assert_eq!(port.frames.len() as u64, out + broken);
}

#[test]
fn a_source_that_is_far_too_slow_breaks_long_frames_and_no_others() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut port = Loop::new(PERIOD * 3 / 2, 5);
    let sent: Vec<Vec<u8>> = (0..40).map(|i| frame(&mut rng, [60, 400][i % 2])).collect();
    for bytes in &sent {
        port.player.send(&on_the_line(bytes), 12);
    }
    port.finish();
    assert_eq!(port.frames.len(), 40);
    for (i, (bytes, end)) in port.frames.iter().enumerate() {
        match i % 2 {
            0 => assert_eq!((bytes, *end), (&sent[i], FrameEnd::Good)),
            _ => assert_eq!(*end, FrameEnd::Error),
        }
    }
    assert_eq!(port.counters(), [40, 0, 0, 0, 0, 20, 20, 20]);
}

#[test]
fn the_link_is_what_the_phy_tells_between_frames() {
    let mut port = Loop::new(PERIOD + PPM_200, 3);
    for status in [LINK, 0, 0b1011, 0b0101, LINK] {
        port.player.tell(status);
        port.player.send(&on_the_line(&[0xEE; 60]), 20);
        port.finish();
        let [up, speed, duplex] = [3, 4, 5].map(|place| port.outputs[place]);
        assert_eq!(duplex << 3 | speed << 1 | up, u64::from(status));
    }
}

#[test]
fn a_reset_in_mid_frame_loses_that_frame_alone_and_needs_no_clock_from_the_phy() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for stop_at in [20, 50, 90, 130, 200] {
        let mut port = Loop::new(PERIOD - PPM_200, stop_at as u64);
        let bytes = frame(&mut rng, 300);
        port.player.send(&on_the_line(&bytes), 12);
        port.run(stop_at);
        port.inputs[2] = 1;
        port.rx_stopped = true;
        port.run(30);
        port.inputs[2] = 0;
        // the PHY's clock does not run: nothing is sent, whatever the FIFO was about to say
        port.run(10);
        let frames = port.frames.len();
        for _ in 0..2000 {
            port.advance();
            assert!(!port.carrier, "stopped at {stop_at}");
        }
        assert_eq!(port.frames.len(), frames);
        port.rx_stopped = false;
        port.finish();
        port.frames.clear();
        port.frame.clear();
        for _ in 0..3 {
            port.player.send(&on_the_line(&bytes), 12);
        }
        port.finish();
        let expected = vec![(bytes, FrameEnd::Good); 3];
        assert!(port.frames == expected, "stopped at {stop_at}");
        assert_eq!(port.counters()[5], 3);
    }
}

#[test]
fn a_port_whose_phy_begins_to_run_later_sends_whole_frames_alone() {
    for begins in 100..140 {
        let mut rng = ChaCha8Rng::seed_from_u64(begins as u64);
        let mut port = Loop::of(Kind::Wire, PERIOD + PPM_200, begins as u64 * 1000);
        let sent: Vec<Vec<u8>> = (0..12).map(|_| frame(&mut rng, 70)).collect();
        for bytes in &sent {
            port.player.send(&on_the_line(bytes), 12);
        }
        port.run(begins);
        assert!(port.frames.is_empty() && !port.carrier);
        port.other_stopped = false;
        port.finish();
        let good: Vec<&Vec<u8>> = port
            .frames
            .iter()
            .filter(|(_, end)| *end == FrameEnd::Good)
            .map(|(bytes, _)| bytes)
            .collect();
        assert!(good.len() >= 8, "began after {begins}: {}", good.len());
        let mut left = sent.iter();
        for bytes in good {
            assert!(left.any(|sent| sent == bytes), "began after {begins}");
        }
    }
}
