//! The shell around the box: two clocks, streams of frames on four sides, and a host on the register bus.

use bloomline_bench::verilator::{
    BuildOptions, Design, Initial, Library, Port, Sim, VerilatorError,
};
use bloomline_build::plugin_sources;
use bloomline_toolchain::Toolchain;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Bytes of a beat.
const BEAT: usize = 64;
/// Half a clock of 250 MHz in picoseconds.
pub const AXIS_HALF_PS: u64 = 2_000;

/// The box with a plugin around the path `path`, as Verilator takes it: without files that are read by others.
pub fn sources(path: &str, verilog: &str, buffer_bytes: u32) -> Vec<(String, String)> {
    let mut all = plugin_sources(path, verilog, buffer_bytes);
    all.push((
        "box_250mhz.sv".to_owned(),
        include_str!("shell.sv").to_owned(),
    ));
    let base = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let inlined = |text: &str| inline(text, &all);
    all.iter()
        .filter(|(name, _)| name.ends_with(".v") || name.ends_with(".sv"))
        .map(|(name, text)| (base(name), inlined(text)))
        .collect()
}

/// A text with the files that it includes in the places where it does.
fn inline(text: &str, files: &[(String, String)]) -> String {
    let line = |line: &str| -> String {
        let Some(name) = line
            .strip_prefix("`include \"")
            .and_then(|rest| rest.strip_suffix('"'))
        else {
            return format!("{line}\n");
        };
        let file = files.iter().find(|(file, _)| file.ends_with(name));
        inline(&file.expect(name).1, files)
    };
    text.lines().map(line).collect()
}

/// Builds the box with `interfaces` interfaces.
pub fn library(
    toolchain: &Toolchain,
    sources: Vec<(String, String)>,
    interfaces: usize,
    parameters: &[&str],
) -> Result<Library, VerilatorError> {
    let n = interfaces;
    let mut ports = vec![
        Port::input("axil_aclk", 1),
        Port::input("axis_aclk", 1),
        Port::input("mod_rstn", 16),
        Port::output("mod_rst_done", 16),
        Port::input("internal_box_rstn", 1),
    ];
    for (name, width) in [
        ("awvalid", 1),
        ("awaddr", 32),
        ("wvalid", 1),
        ("wdata", 32),
        ("bready", 1),
        ("arvalid", 1),
        ("araddr", 32),
        ("rready", 1),
    ] {
        ports.push(Port::input(format!("s_axil_{name}"), width));
    }
    for (name, width) in [
        ("awready", 1),
        ("wready", 1),
        ("bvalid", 1),
        ("bresp", 2),
        ("arready", 1),
        ("rvalid", 1),
        ("rdata", 32),
        ("rresp", 2),
    ] {
        ports.push(Port::output(format!("s_axil_{name}"), width));
    }
    for (stream, comes_in) in [(RX, true), (H2C, true), (C2H, false), (TX, false)] {
        for (name, width) in FIELDS {
            let name = format!("{stream}_{name}");
            ports.push(match comes_in {
                true => Port::input(name, width * n),
                false => Port::output(name, width * n),
            });
        }
        let ready = format!("{stream}_tready");
        ports.push(match comes_in {
            true => Port::output(ready, n),
            false => Port::input(ready, n),
        });
    }
    let design = Design {
        top: "box_250mhz".into(),
        clock: None,
        sources,
        ports,
    };
    let interfaces = [
        format!("-GNUM_PHYS_FUNC={n}"),
        format!("-GNUM_CMAC_PORT={n}"),
    ];
    let parameters = parameters.iter().map(|text| (*text).to_owned());
    let options = BuildOptions {
        verilator_flags: interfaces.into_iter().chain(parameters).collect(),
        ..BuildOptions::default()
    };
    Library::build(toolchain, &design, &options)
}

const RX: &str = "s_axis_adap_rx_250mhz";
const H2C: &str = "s_axis_qdma_h2c";
const C2H: &str = "m_axis_qdma_c2h";
const TX: &str = "m_axis_adap_tx_250mhz";
const FIELDS: [(&str, usize); 7] = [
    ("tvalid", 1),
    ("tdata", 512),
    ("tkeep", 64),
    ("tlast", 1),
    ("tuser_size", 16),
    ("tuser_src", 16),
    ("tuser_dst", 16),
];

/// A frame and what the shell says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub bytes: Vec<u8>,
    pub size: u16,
    pub src: u16,
    pub dst: u16,
}

/// Chances in 256 of what the shell does in a clock.
#[derive(Debug, Clone, Copy)]
pub struct Chances {
    /// A source that has a beat offers it.
    pub offer: u8,
    /// A sink takes one.
    pub take: u8,
}

/// Always.
pub const ALWAYS: u8 = 255;

struct Source {
    stream: &'static str,
    interface: usize,
    frames: VecDeque<Frame>,
    beat: usize,
    offering: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Beat {
    data: [u64; 8],
    keep: u64,
    last: bool,
    tuser: [u16; 3],
}

struct Sink {
    stream: &'static str,
    interface: usize,
    ready: bool,
    /// A beat that was shown and not taken.
    stalled: Option<Beat>,
    beats: Vec<Beat>,
    frames: Vec<Frame>,
    /// Clock of the first and of the last beat that was taken.
    taken: Option<(u64, u64)>,
}

/// One direction of the register bus, one access at a time.
#[derive(Default)]
struct Bus {
    /// Address and data; the data of a read means nothing.
    asked: VecDeque<(u32, u32)>,
    busy: bool,
    address_offered: bool,
    data_offered: bool,
    address_taken: bool,
    data_taken: bool,
    ready: bool,
    /// Data and response.
    answers: Vec<(u32, u64)>,
}

struct Clock {
    next_ps: u64,
    half_ps: u64,
    high: bool,
}

/// A running box in its shell.
pub struct Shell {
    sim: Sim,
    design: Design,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    axis: Clock,
    axil: Clock,
    chances: Chances,
    random: ChaCha8Rng,
    /// Received and to be sent, of each interface.
    sources: Vec<Source>,
    sinks: Vec<Sink>,
    write: Bus,
    read: Bus,
    /// A reset cuts the streams: what they do meanwhile is not looked at.
    cut: bool,
    axis_clocks: u64,
    axil_clocks: u64,
}

impl Shell {
    /// Starts the box; `axil` is half a clock of the registers and the time of the first edge, in picoseconds.
    pub fn start(
        library: &Library,
        interfaces: usize,
        seed: u64,
        chances: Chances,
        axil: (u64, u64),
    ) -> Shell {
        let sim = library.open(Initial::Random(seed)).expect("a simulation");
        let design = sim.design().clone();
        let source = |stream, interface| Source {
            stream,
            interface,
            frames: VecDeque::new(),
            beat: 0,
            offering: false,
        };
        let sink = |stream, interface| Sink {
            stream,
            interface,
            ready: false,
            stalled: None,
            beats: Vec::new(),
            frames: Vec::new(),
            taken: None,
        };
        let pairs = (0..interfaces).flat_map(|i| [source(RX, i), source(H2C, i)]);
        let sinks = (0..interfaces).flat_map(|i| [sink(C2H, i), sink(TX, i)]);
        let mut shell = Shell {
            inputs: vec![0; design.input_words()],
            outputs: vec![0; design.output_words()],
            sim,
            axis: Clock {
                next_ps: 1_000,
                half_ps: AXIS_HALF_PS,
                high: false,
            },
            axil: Clock {
                next_ps: axil.1,
                half_ps: axil.0,
                high: false,
            },
            chances,
            random: ChaCha8Rng::seed_from_u64(seed),
            sources: pairs.collect(),
            sinks: sinks.collect(),
            write: Bus::default(),
            read: Bus::default(),
            design,
            cut: false,
            axis_clocks: 0,
            axil_clocks: 0,
        };
        shell.set("mod_rstn", 0xFFFF);
        shell.set("internal_box_rstn", 1);
        shell.settle();
        shell
    }

    /// Queues a frame that the interface receives.
    pub fn receive(&mut self, interface: usize, frame: Frame) {
        self.sources[2 * interface].frames.push_back(frame);
    }

    /// Queues a frame that the host sends over the interface.
    pub fn send(&mut self, interface: usize, frame: Frame) {
        self.sources[2 * interface + 1].frames.push_back(frame);
    }

    /// Frames that came to the host.
    pub fn to_host(&self, interface: usize) -> &[Frame] {
        &self.sinks[2 * interface].frames
    }

    /// Whether every frame that was to be received has been.
    pub fn all_received(&self) -> bool {
        let received = |source: &&Source| source.stream == RX;
        self.sources
            .iter()
            .filter(received)
            .all(|source| source.frames.is_empty())
    }

    /// Frames that came to the wire.
    pub fn to_wire(&self, interface: usize) -> &[Frame] {
        &self.sinks[2 * interface + 1].frames
    }

    /// Clocks from the first to the last beat that came to the host, both counted.
    pub fn clocks_to_host(&self, interface: usize) -> u64 {
        let (first, last) = self.sinks[2 * interface].taken.expect("beats came");
        last - first + 1
    }

    /// Queues a write; it and reads go their own ways.
    pub fn ask_write(&mut self, address: u32, data: u32) {
        self.write.asked.push_back((address, data));
    }

    /// Queues a read.
    pub fn ask_read(&mut self, address: u32) {
        self.read.asked.push_back((address, 0));
    }

    /// Responses to the writes so far.
    pub fn written(&self) -> Vec<u64> {
        self.write.answers.iter().map(|answer| answer.1).collect()
    }

    /// Data and response of the reads so far.
    pub fn answers(&self) -> &[(u32, u64)] {
        &self.read.answers
    }

    /// Writes and waits for the response.
    pub fn write(&mut self, address: u32, data: u32) -> u64 {
        self.ask_write(address, data);
        let wanted = self.write.answers.len() + 1;
        self.run(10_000, |shell| shell.write.answers.len() == wanted);
        self.write.answers[wanted - 1].1
    }

    /// Reads and waits for the data and the response.
    pub fn read(&mut self, address: u32) -> (u32, u64) {
        self.ask_read(address);
        let wanted = self.read.answers.len() + 1;
        self.run(10_000, |shell| shell.read.answers.len() == wanted);
        self.read.answers[wanted - 1]
    }

    /// Lets time pass until `done`; panics after `limit` clocks of the frames.
    pub fn run(&mut self, limit: u64, done: impl Fn(&Shell) -> bool) {
        let end = self.axis_clocks + limit;
        while !done(self) {
            assert!(self.axis_clocks < end, "still not after {limit} clocks");
            self.edge();
        }
    }

    /// Lets `clocks` clocks of the registers pass.
    pub fn wait(&mut self, clocks: u64) {
        let end = self.axil_clocks + clocks;
        self.run(100 * clocks + 100, |shell| shell.axil_clocks >= end);
    }

    /// Sets an input.
    pub fn set(&mut self, port: &str, value: u64) {
        self.put(port, 0, 64, value);
    }

    /// An output of at most 64 bits.
    pub fn get(&self, port: &str) -> u64 {
        self.outputs[self.word(port)]
    }

    /// Pulls mod_rstn low for one clock of the registers. From then to [`Shell::look_again`] nobody looks at the streams.
    pub fn ask_reset(&mut self) {
        self.wait(1);
        self.set("mod_rstn", 0xFFFE);
        self.settle();
        self.cut = true;
        self.wait(1);
        self.set("mod_rstn", 0xFFFF);
        self.settle();
    }

    fn word(&self, port: &str) -> usize {
        self.design.word_of(port).expect(port)
    }

    /// Sets `width` bits of an input from bit `width * index` on; no field lies across words.
    fn put(&mut self, port: &str, index: usize, width: usize, value: u64) {
        let (word, shift) = (self.word(port) + index * width / 64, index * width % 64);
        let mask = (u64::MAX >> (64 - width)) << shift;
        self.inputs[word] = self.inputs[word] & !mask | value << shift & mask;
    }

    fn take(&self, port: &str, index: usize, width: usize) -> u64 {
        let word = self.word(port) + index * width / 64;
        self.outputs[word] >> (index * width % 64) & (u64::MAX >> (64 - width))
    }

    fn settle(&mut self) {
        self.sim
            .step(&self.inputs, &mut self.outputs)
            .expect("the design runs");
    }

    /// The next edge of a clock, or of both; inputs change after it.
    fn edge(&mut self) {
        let now = self.axis.next_ps.min(self.axil.next_ps);
        let rises = |clock: &mut Clock| {
            if clock.next_ps != now {
                return false;
            }
            clock.next_ps += clock.half_ps;
            clock.high = !clock.high;
            clock.high
        };
        let (axis, axil) = (rises(&mut self.axis), rises(&mut self.axil));
        let levels = (u64::from(self.axis.high), u64::from(self.axil.high));
        self.set("axis_aclk", levels.0);
        self.set("axil_aclk", levels.1);
        // what stands at the edge is what is handed over in it
        let before = self.outputs.clone();
        self.settle();
        if !axis && !axil {
            return;
        }
        let after = std::mem::replace(&mut self.outputs, before);
        if axis {
            self.axis_clocks += 1;
            for index in 0..self.sources.len() {
                self.source(index);
                self.sink(index);
            }
        }
        if axil {
            self.axil_clocks += 1;
            self.write_bus();
            self.read_bus();
        }
        self.outputs = after;
        self.settle();
    }

    fn chance(&mut self, of_256: u8) -> bool {
        of_256 == ALWAYS || self.random.random::<u8>() < of_256
    }

    fn source(&mut self, index: usize) {
        let (stream, i) = (self.sources[index].stream, self.sources[index].interface);
        let ready = self.take(&format!("{stream}_tready"), i, 1) == 1;
        let offer = self.chance(self.chances.offer);
        let source = &mut self.sources[index];
        if source.offering && ready {
            source.offering = false;
            source.beat += 1;
            let frame = source.frames.front().expect("it is being offered");
            if source.beat == frame.bytes.len().div_ceil(BEAT) {
                source.frames.pop_front();
                source.beat = 0;
            }
        }
        source.offering |= offer && !source.frames.is_empty();
        let valid = u64::from(source.offering);
        let (beat, frame) = (source.beat, source.frames.front().cloned());
        self.put(&format!("{stream}_tvalid"), i, 1, valid);
        let Some(frame) = frame else {
            return;
        };
        let bytes = &frame.bytes[beat * BEAT..frame.bytes.len().min((beat + 1) * BEAT)];
        let mut padded = [0; BEAT];
        padded[..bytes.len()].copy_from_slice(bytes);
        for (word, bytes) in padded.chunks_exact(8).enumerate() {
            let word_value = u64::from_le_bytes(bytes.try_into().expect("eight"));
            self.put(&format!("{stream}_tdata"), 8 * i + word, 64, word_value);
        }
        let last = (beat + 1) * BEAT >= frame.bytes.len();
        self.put(
            &format!("{stream}_tkeep"),
            i,
            64,
            u64::MAX >> (BEAT - bytes.len()),
        );
        self.put(&format!("{stream}_tlast"), i, 1, u64::from(last));
        for (name, value) in [("size", frame.size), ("src", frame.src), ("dst", frame.dst)] {
            self.put(&format!("{stream}_tuser_{name}"), i, 16, value.into());
        }
    }

    fn sink(&mut self, index: usize) {
        let (stream, i) = (self.sinks[index].stream, self.sinks[index].interface);
        let of = |name: &str, width| self.take(&format!("{stream}_{name}"), i, width);
        let valid = of("tvalid", 1) == 1;
        let data = self.word(&format!("{stream}_tdata")) + 8 * i;
        let beat = Beat {
            data: self.outputs[data..data + 8].try_into().expect("a beat"),
            keep: of("tkeep", 64),
            last: of("tlast", 1) == 1,
            tuser: ["tuser_size", "tuser_src", "tuser_dst"].map(|name| of(name, 16) as u16),
        };
        let clock = self.axis_clocks;
        let ready = self.chance(self.chances.take);
        let cut = self.cut;
        let sink = &mut self.sinks[index];
        if cut {
            sink.beats.clear();
            sink.stalled = None;
            return;
        }
        if let Some(stalled) = sink.stalled.take() {
            assert!(valid && beat == stalled, "{stream} changed what it offers");
        }
        if valid && sink.ready {
            sink.taken = Some((sink.taken.map_or(clock, |taken| taken.0), clock));
            sink.beats.push(beat.clone());
            if beat.last {
                sink.frames.push(frame(std::mem::take(&mut sink.beats)));
            }
        } else if valid {
            sink.stalled = Some(beat);
        }
        sink.ready = ready;
        self.put(&format!("{stream}_tready"), i, 1, u64::from(ready));
    }

    /// Streams are looked at again, from a frame's first beat on.
    pub fn look_again(&mut self) {
        self.cut = false;
    }

    fn write_bus(&mut self) {
        let [awready, wready, bvalid] =
            ["awready", "wready", "bvalid"].map(|name| self.get(&format!("s_axil_{name}")) == 1);
        let response = self.get("s_axil_bresp");
        let chances: [bool; 3] = std::array::from_fn(|_| self.random.random());
        let bus = &mut self.write;
        bus.step(awready, wready, bvalid.then_some((0, response)), chances);
        let (address, data) = bus.asked.front().copied().unwrap_or_default();
        let [awvalid, wvalid, bready] = [
            bus.address_offered && !bus.address_taken,
            bus.data_offered && !bus.data_taken,
            bus.ready,
        ]
        .map(u64::from);
        self.set("s_axil_awvalid", awvalid);
        self.set("s_axil_awaddr", address.into());
        self.set("s_axil_wvalid", wvalid);
        self.set("s_axil_wdata", data.into());
        self.set("s_axil_bready", bready);
    }

    fn read_bus(&mut self) {
        let [arready, rvalid] =
            ["arready", "rvalid"].map(|name| self.get(&format!("s_axil_{name}")) == 1);
        let answer = (self.get("s_axil_rdata") as u32, self.get("s_axil_rresp"));
        // a read has no data to offer
        let chances = [self.random.random(), true, self.random.random()];
        let bus = &mut self.read;
        bus.step(arready, true, rvalid.then_some(answer), chances);
        let address = bus.asked.front().copied().unwrap_or_default().0;
        let [arvalid, rready] =
            [bus.address_offered && !bus.address_taken, bus.ready].map(u64::from);
        self.set("s_axil_arvalid", arvalid);
        self.set("s_axil_araddr", address.into());
        self.set("s_axil_rready", rready);
    }
}

impl Bus {
    /// A clock: what was handed over in it, then what is offered after it, by chance.
    fn step(
        &mut self,
        address_ready: bool,
        data_ready: bool,
        answer: Option<(u32, u64)>,
        [address, data, ready]: [bool; 3],
    ) {
        self.address_taken |= self.address_offered && address_ready;
        self.data_taken |= self.data_offered && data_ready;
        if let Some(answer) = answer {
            assert!(
                self.busy && self.address_taken && self.data_taken,
                "an answer to nothing"
            );
            if self.ready {
                self.answers.push(answer);
                self.asked.pop_front();
                *self = Bus {
                    asked: std::mem::take(&mut self.asked),
                    answers: std::mem::take(&mut self.answers),
                    ..Bus::default()
                };
            }
        }
        self.busy = !self.asked.is_empty();
        self.address_offered |= self.busy && address;
        self.data_offered |= self.busy && data;
        self.ready = ready;
    }
}

/// The frame of these beats, whose tuser and keep are as the shell demands.
fn frame(beats: Vec<Beat>) -> Frame {
    let tuser = beats[0].tuser;
    let mut bytes = Vec::new();
    for beat in &beats {
        assert_eq!(beat.tuser, tuser, "tuser changes within a frame");
        let valid = beat.keep.trailing_ones() as usize;
        assert!(beat.keep != 0 && beat.keep.count_ones() as usize == valid);
        assert!(beat.last || valid == BEAT, "a beat before the last is full");
        let all: Vec<u8> = beat
            .data
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        bytes.extend_from_slice(&all[..valid]);
    }
    Frame {
        bytes,
        size: tuser[0],
        src: tuser[1],
        dst: tuser[2],
    }
}
