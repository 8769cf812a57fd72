//! The bench of packet paths has teeth: a path in Rust, made of the model and a queue, passes, and each way to break it is found.

use bloomline_bench::lockstep::{Device, DeviceError};
use bloomline_bench::path::{
    path_design, run_path, write_capture, Episode, Failure, FrameMaker, FrameMix, PathReport,
    Problem, Rates, Room, Script, ScriptMix,
};
use bloomline_bench::verilator::Design;
use bloomline_model::{JudgedFrame, PathFilter, PathModel};
use bloomline_spec::registers::{address, RESPONSE_DECERR, RESPONSE_OKAY};
use bloomline_spec::{CardSection, FilterSpec, FrameClass, Policy, RegisterMap, PACKET_EXAMPLES};
use bloomline_stimulus::Capture;
use std::collections::{HashMap, VecDeque};
use std::path::Path;

/// The example over AXI4-Lite, with beats of so many bits.
fn filter(data_bits: u64) -> PathFilter {
    let (file, text) = PACKET_EXAMPLES[0];
    let mut spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    spec.card = Some(CardSection { uart_baud: None });
    let packet = spec.packet.as_mut().expect("has a packet path");
    (packet.data_bits, packet.buffer_bytes) = (data_bits, 4_096);
    let sizing = spec.validate().expect("is valid");
    PathFilter::new(sizing.with_threshold(20_000).expect("is legal"))
}

/// A way to break the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    ByteFlipped,
    FrameLost,
    FrameTwice,
    FramesSwapped,
    MarkForgotten,
    PolicyAtArrival,
    ValidFalls,
    GapWithinFrame,
    DataUnstable,
    LengthWrong,
    KeepWrong,
    BytesBeyondKeep,
    ReadyFalls,
    ReadyInReset,
    CutFrameKept,
    OverflowsUncounted,
    RegisterStuck,
    WriteOfConstantAccepted,
    NoAnswer,
}

const FAULTS: [Fault; 19] = [
    Fault::ByteFlipped,
    Fault::FrameLost,
    Fault::FrameTwice,
    Fault::FramesSwapped,
    Fault::MarkForgotten,
    Fault::PolicyAtArrival,
    Fault::ValidFalls,
    Fault::GapWithinFrame,
    Fault::DataUnstable,
    Fault::LengthWrong,
    Fault::KeepWrong,
    Fault::BytesBeyondKeep,
    Fault::ReadyFalls,
    Fault::ReadyInReset,
    Fault::CutFrameKept,
    Fault::OverflowsUncounted,
    Fault::RegisterStuck,
    Fault::WriteOfConstantAccepted,
    Fault::NoAnswer,
];

/// Clocks from a frame's last beat to its first.
const LATENCY: u64 = 25;

struct Waiting {
    bytes: Vec<u8>,
    judged: JudgedFrame,
    policy: Policy,
    from: u64,
}

/// A packet path of the model and a queue.
struct Stub {
    places: HashMap<String, usize>,
    design: Design,
    model: PathModel,
    map: RegisterMap,
    fault: Fault,
    beat_bytes: usize,
    clock: u64,
    incoming: Vec<u8>,
    /// A frame is on its way in, and a reset has cut it.
    within: bool,
    cut: bool,
    waiting: VecDeque<Waiting>,
    leaving: Option<(Vec<u8>, usize)>,
    write: (Option<u32>, Option<u32>),
    write_answer: Option<u32>,
    read_answer: Option<(u32, u32)>,
    left: u64,
}

impl Stub {
    fn new(filter: PathFilter, fault: Fault) -> Stub {
        let packet = filter.design().packet().expect("has a packet path");
        let design = path_design(filter.design(), Vec::new());
        let names = design.ports.iter().map(|port| port.name.clone());
        let place = |name: String| design.word_of(&name).map(|place| (name, place));
        Stub {
            places: names.filter_map(place).collect(),
            design,
            map: filter.design().register_map(),
            beat_bytes: packet.beat_bytes() as usize,
            model: PathModel::new(filter).expect("has a packet path"),
            fault,
            clock: 0,
            incoming: Vec::new(),
            within: false,
            cut: false,
            waiting: VecDeque::new(),
            leaving: None,
            write: (None, None),
            write_answer: None,
            read_answer: None,
            left: 0,
        }
    }

    fn at(&self, port: &str) -> usize {
        self.places[port]
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn room(&self, bytes: usize) -> bool {
        let beats = |bytes: usize| bytes.div_ceil(self.beat_bytes);
        let leaving = self
            .leaving
            .as_ref()
            .map_or(0, |(frame, at)| beats(frame.len() - at));
        let waiting: usize = self
            .waiting
            .iter()
            .map(|frame| beats(frame.bytes.len()))
            .sum();
        leaving + waiting + beats(bytes) <= 4_096 / self.beat_bytes
    }

    fn came(&mut self, bad: bool) {
        let bytes = std::mem::take(&mut self.incoming);
        if !self.room(bytes.len()) {
            if !self.is(Fault::OverflowsUncounted) {
                self.model.overflow();
            }
            return;
        }
        let judged = self.model.judge(&bytes, bad);
        let policy = self.model.policy(judged.class);
        let from = self.clock + LATENCY;
        self.waiting.push_back(Waiting {
            bytes,
            judged,
            policy,
            from,
        });
        let count = self.waiting.len();
        if self.is(Fault::FramesSwapped) && count == 5 {
            self.waiting.swap(count - 1, count - 2);
        }
    }

    /// The next frame that leaves, if its turn has come.
    fn next_leaving(&mut self) {
        while self.leaving.is_none() {
            if self
                .waiting
                .front()
                .is_none_or(|frame| frame.from > self.clock)
            {
                return;
            }
            let Some(frame) = self.waiting.pop_front() else {
                return;
            };
            let mut policy = self.model.policy(frame.judged.class);
            if self.is(Fault::PolicyAtArrival) {
                policy = frame.policy;
            }
            self.left += 1;
            let odd = self.left % 50 == 49;
            let mut left = self.model.release_by(policy, &frame.bytes, &frame.judged);
            if odd && self.is(Fault::MarkForgotten) {
                left = left.map(|_| frame.bytes.clone());
            }
            if odd && self.is(Fault::FrameLost) {
                left = None;
            }
            let Some(mut left) = left else { continue };
            if odd && self.is(Fault::ByteFlipped) {
                let last = left.len() - 1;
                left[last] ^= 1;
            }
            if odd && self.is(Fault::FrameTwice) {
                self.waiting.push_front(Waiting {
                    judged: frame.judged.clone(),
                    ..frame
                });
            }
            self.leaving = Some((left, 0));
        }
    }

    fn bus(&mut self, reset: bool, inputs: &[u64], outputs: &mut [u64]) {
        let high = |stub: &Stub, port: &str| inputs[stub.at(port)] & 1 == 1;
        let value = |stub: &Stub, port: &str| inputs[stub.at(port)] as u32;
        for (port, bit) in [
            (
                "s_axil_awready",
                self.write.0.is_none() && self.write_answer.is_none(),
            ),
            (
                "s_axil_wready",
                self.write.1.is_none() && self.write_answer.is_none(),
            ),
            ("s_axil_bvalid", self.write_answer.is_some()),
            ("s_axil_arready", self.read_answer.is_none()),
            ("s_axil_rvalid", self.read_answer.is_some()),
        ] {
            outputs[self.at(port)] = bit.into();
        }
        outputs[self.at("s_axil_bresp")] = self.write_answer.unwrap_or(0).into();
        let (data, response) = self.read_answer.unwrap_or((0, 0));
        outputs[self.at("s_axil_rdata")] = data.into();
        outputs[self.at("s_axil_rresp")] = response.into();
        if reset {
            (self.write, self.write_answer, self.read_answer) = ((None, None), None, None);
            return;
        }
        if high(self, "s_axil_bready") && self.write_answer.is_some() {
            self.write_answer = None;
        } else if self.write_answer.is_none() {
            if high(self, "s_axil_awvalid") {
                self.write.0 = self.write.0.or(Some(value(self, "s_axil_awaddr")));
            }
            if high(self, "s_axil_wvalid") {
                self.write.1 = self.write.1.or(Some(value(self, "s_axil_wdata")));
            }
        }
        if high(self, "s_axil_rready") && self.read_answer.is_some() {
            self.read_answer = None;
        } else if self.read_answer.is_none() && high(self, "s_axil_arvalid") {
            self.read_answer = Some(self.read(value(self, "s_axil_araddr")));
        }
        if let (Some(address), Some(data)) = self.write {
            if self.is(Fault::NoAnswer) && self.clock > 5_000 {
                return;
            }
            self.write = (None, None);
            let answer = self.write_register(address, data);
            self.write_answer = Some(answer);
        }
    }

    fn read(&mut self, offset: u32) -> (u32, u32) {
        if offset >= address::PACKET_PATH {
            let (value, response) = self.model.read(offset);
            if self.is(Fault::RegisterStuck) && offset == address::POLICY {
                return (0x802, response);
            }
            return (value, response);
        }
        match self.map.at(offset) {
            None => (0, RESPONSE_DECERR),
            Some(_) if offset == address::STATUS => (1, RESPONSE_OKAY),
            Some(register) => (register.reset.unwrap_or(0), RESPONSE_OKAY),
        }
    }

    fn write_register(&mut self, offset: u32, value: u32) -> u32 {
        if self.is(Fault::WriteOfConstantAccepted) && offset == address::PACKET_PATH_VERSION {
            return RESPONSE_OKAY;
        }
        self.model.write(offset, value)
    }
}

impl Device for Stub {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        let high = |port: &str, stub: &Stub| inputs[stub.at(port)] & 1 == 1;
        let reset = high("reset", self);
        outputs.fill(0);
        self.next_leaving();
        let ready = !reset || self.is(Fault::ReadyInReset);
        let ready = ready && !(self.is(Fault::ReadyFalls) && self.clock % 4_096 == 4_000);
        outputs[self.at("s_frame_tready")] = ready.into();
        let falls = self.is(Fault::ValidFalls) && self.clock % 1_024 == 1_000;
        let gap = self.is(Fault::GapWithinFrame)
            && self.leaving.as_ref().is_some_and(|&(_, at)| at == 32)
            && self.clock.is_multiple_of(8);
        if let Some((frame, at)) = self.leaving.as_ref().filter(|_| !falls && !gap) {
            let beat = &frame[*at..frame.len().min(at + self.beat_bytes)];
            let data = self.at("m_frame_tdata");
            for (place, &byte) in beat.iter().enumerate() {
                outputs[data + place / 8] |= u64::from(byte) << (8 * (place % 8));
            }
            if self.is(Fault::DataUnstable) && self.clock % 1_024 == 1_000 {
                outputs[data] ^= 1;
            }
            let short = beat.len() < self.beat_bytes;
            if self.is(Fault::BytesBeyondKeep) && short {
                outputs[data + beat.len() / 8] |= 1 << (8 * (beat.len() % 8));
            }
            let last = at + beat.len() == frame.len();
            let wrong = self.is(Fault::LengthWrong) && self.left % 50 == 49;
            outputs[self.at("m_frame_tuser")] = frame.len() as u64 ^ u64::from(wrong);
            outputs[self.at("m_frame_tvalid")] = 1;
            outputs[self.at("m_frame_tlast")] = last.into();
            if self.beat_bytes > 1 {
                let all = u64::MAX >> (64 - self.beat_bytes);
                let keep = u64::MAX >> (64 - beat.len());
                let wrong = self.is(Fault::KeepWrong) && short;
                outputs[self.at("m_frame_tkeep")] = if wrong { all } else { keep };
            }
        }
        let taken = ready && high("s_frame_tvalid", self);
        let last = high("s_frame_tlast", self);
        self.bus(reset, inputs, outputs);
        if taken {
            let keep = match self.beat_bytes {
                1 => 1,
                _ => inputs[self.at("s_frame_tkeep")],
            };
            let data = self.at("s_frame_tdata");
            let bytes = keep.trailing_ones().min(self.beat_bytes as u32) as usize;
            let beat = (0..bytes).map(|at| (inputs[data + at / 8] >> (8 * (at % 8))) as u8);
            self.incoming.extend(beat);
            self.within = !last;
        }
        if reset {
            if !self.is(Fault::CutFrameKept) {
                self.incoming.clear();
                self.cut = self.within;
            }
            self.waiting.clear();
            self.leaving = None;
            self.model.reset();
        } else {
            if taken && last {
                if std::mem::take(&mut self.cut) {
                    self.incoming.clear();
                } else {
                    self.came(high("s_frame_tuser", self));
                }
            }
            let moved = outputs[self.at("m_frame_tvalid")] == 1 && high("m_frame_tready", self);
            if let Some((frame, at)) = self.leaving.as_mut().filter(|_| moved) {
                *at += self.beat_bytes;
                if *at >= frame.len() {
                    self.leaving = None;
                }
            }
        }
        self.clock += 1;
        Ok(())
    }
}

fn run(data_bits: u64, fault: Fault, script: Script, seed: u64) -> Result<PathReport, Failure> {
    let filter = filter(data_bits);
    let mut stub = Stub::new(filter.clone(), fault);
    let design = stub.design.clone();
    let map = filter.design().register_map();
    let model = PathModel::new(filter).expect("has a packet path");
    run_path(&design, &mut stub, model, &map, script, seed, |_, _| {}).expect("has every port")
}

fn torture(data_bits: u64, fault: Fault, seed: u64) -> Result<PathReport, Failure> {
    let packet = filter(data_bits).design().packet().expect("has one");
    let mix = ScriptMix {
        episodes: 3,
        frames: 200,
        beats: 15_000,
    };
    run(
        data_bits,
        fault,
        Script::draw(&packet, true, mix, seed),
        seed,
    )
}

/// Policies change while frames wait behind a sink that is not ready.
fn policies_behind_a_blocked_sink() -> Script {
    let seen = address::POLICY + 4 * FrameClass::Seen.number();
    Script::of(Episode {
        settings: vec![(seen, Policy::Pass.register())],
        blocked: true,
        settings_behind: vec![(seen, Policy::Mark(33).register())],
        ..Episode::of(FrameMaker::new(FrameMix::minimum(1), 1).take(20))
    })
}

#[test]
fn a_sound_path_passes_under_torture_at_every_width() {
    let mut classes = [0; FrameClass::COUNT];
    let (mut overflows, mut accesses, mut left) = (0, 0, 0);
    for data_bits in [8, 64, 512] {
        for seed in 0..8 {
            let report = torture(data_bits, Fault::None, seed)
                .unwrap_or_else(|failure| panic!("{data_bits} bits, seed {seed}: {failure:?}"));
            for (sum, count) in classes.iter_mut().zip(report.by_class) {
                *sum += count;
            }
            overflows += report.overflows;
            accesses += report.accesses;
            left += report.left;
        }
    }
    println!("by class {classes:?}, {overflows} overflows, {accesses} accesses, {left} left");
    assert!(classes.iter().all(|&count| count > 30), "{classes:?}");
    assert!(overflows > 100 && accesses > 1_000 && left > 5_000);
}

#[test]
fn every_way_to_break_the_path_is_found() {
    let missed: Vec<Fault> = FAULTS
        .into_iter()
        .filter(|&fault| {
            let directed = run(8, fault, policies_behind_a_blocked_sink(), 1).err();
            let found = directed.or_else(|| {
                (0..40).find_map(|seed| {
                    let data_bits = [64, 8, 512][seed as usize % 3];
                    torture(data_bits, fault, seed).err()
                })
            });
            match &found {
                Some(failure) => {
                    println!("{fault:?}: clock {}: {}", failure.clock, failure.problem)
                }
                None => println!("{fault:?}: NOT FOUND"),
            }
            found.is_none()
        })
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn frames_behind_a_blocked_sink_leave_by_the_policy_of_their_turn() {
    let report = run(8, Fault::None, policies_behind_a_blocked_sink(), 1).expect("is sound");
    assert_eq!((report.came, report.left), (20, 20));
    let failure = run(
        8,
        Fault::PolicyAtArrival,
        policies_behind_a_blocked_sink(),
        1,
    );
    let failure = failure.expect_err("goes by the policy of its arrival");
    assert!(
        matches!(failure.problem, Problem::Frame { .. }),
        "{failure:?}"
    );
}

#[test]
fn frames_at_full_rate_leave_after_the_latency_and_without_gaps() {
    let frames = 1_000;
    let script = Script::of(Episode {
        room: Room::Enough,
        rates: Rates::default(),
        ..Episode::of(FrameMaker::new(FrameMix::minimum(1 << 40), 7).take(frames))
    });
    let report = run(8, Fault::None, script, 7).expect("is sound");
    assert_eq!((report.left, report.overflows), (1_000, 0));
    // nothing stands before the first one, which comes when the filter has said that it runs
    let latency = (report.latency_clocks, report.wait_clocks);
    assert_eq!(latency, (LATENCY, LATENCY));
    let (first, last) = report.first_and_last.expect("frames left");
    let shortest = 60 * frames as u64 - 1;
    assert!((shortest..shortest + 20 * frames as u64).contains(&(last - first)));
}

#[test]
fn what_left_is_written_as_a_capture() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("left.pcap");
    let filter = filter(8);
    let mut stub = Stub::new(filter.clone(), Fault::None);
    let (design, map) = (stub.design.clone(), filter.design().register_map());
    let model = PathModel::new(filter).expect("has a packet path");
    let frames = FrameMaker::new(FrameMix::minimum(10), 3).take(50);
    let mut left = Vec::new();
    let script = Script::of(Episode::of(frames));
    run_path(
        &design,
        &mut stub,
        model,
        &map,
        script,
        3,
        |clock, bytes| {
            left.push((clock, bytes.to_vec()));
        },
    )
    .expect("has every port")
    .expect("is sound");
    left.push((u64::MAX >> 20, vec![7; 70_000])); // longer than captures usually keep
    let frames = left.iter().map(|(clock, bytes)| (*clock, &bytes[..]));
    write_capture(&file, 125_000_000, frames).expect("writes");
    let mut capture = Capture::open(&file).expect("reads");
    for (clock, bytes) in &left {
        let captured = capture.next_captured().expect("a frame").expect("is whole");
        assert_eq!(
            (&captured.bytes, captured.timestamp_ns / 1000),
            (bytes, clock * 8 / 1000)
        );
    }
    assert!(capture.next_captured().is_none());
}
