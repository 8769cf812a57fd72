//! The emitted host port with all its surroundings: a MAC, a lane each way, registers; every frame, access and event against the model.

use crate::host_bus::{OnBus, Played};
use crate::host_frames::{host_frame, HostFrame};
use crate::host_pins::{HostBeat, HostInputs, HostOutputs, HOST_BUS_BITS, HOST_CARD, HOST_SECRET};
use bloomline_bench::lockstep::Device;
use bloomline_model::{HostAccess, HostPortModel, HostResponse};
use bloomline_spec::host_port::HOST_BUS_CLOCKS;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Clocks in which a late access must have ended, behind those that it is given.
const LATE_SLACK: u64 = 40;
/// Clocks that whatever is under way may take to end when nothing holds it up any more.
const DRAIN_CLOCKS: u64 = 20_000;
/// Clocks between two changes of the surroundings.
const MIX_CLOCKS: u64 = 20_000;
/// Clocks, about, that a late response lets the bus wait when nothing else goes on.
const LONG_WAIT: u32 = 300;
/// A ready that was missing for so long comes.
const LONGEST_UNREADY: u64 = 12;

/// What the runs came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostTally {
    /// Clocks.
    pub clocks: u64,
    /// Frames that passed.
    pub passed: u64,
    /// Frames taken that were missed, refused.
    pub missed: u64,
    /// See above.
    pub refused: u64,
    /// ARP replies, echo replies, datagrams.
    pub answers: [u64; 3],
    /// Frames acted on that have no answer.
    pub silent: u64,
    /// Accesses over the bus, and those of them that were late.
    pub accesses: u64,
    /// See above.
    pub late: u64,
    /// Packets refused because the bus owed a response.
    pub stuck: u64,
    /// Frames of the other lane.
    pub lane_frames: u64,
    /// Resets.
    pub resets: u64,
}

/// Chances, of a clock or a beat.
#[derive(Debug, Clone, Copy)]
struct Mix {
    reset: f64,
    rx_pause: f64,
    hurry: f64,
    lane_ready: f64,
    line_ready: f64,
    lane_rest: f64,
    lane_pause: f64,
    bus_ready: f64,
    late: f64,
}

/// Beats that are offered one after the other.
#[derive(Debug, Default)]
struct Source {
    beats: VecDeque<HostBeat>,
    pause: u32,
}

impl Source {
    fn of(frame: &HostFrame) -> VecDeque<HostBeat> {
        let last = frame.bytes.len() - 1;
        let beat = |(i, &data): (usize, &u8)| HostBeat {
            data,
            last: i == last,
            user: i == last && frame.bad,
        };
        frame.bytes.iter().enumerate().map(beat).collect()
    }

    fn offer(&mut self) -> Option<HostBeat> {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        self.beats.front().copied()
    }
}

/// A frame that is worked on.
struct Job {
    frame: HostFrame,
    owed: bool,
    answer: Option<Vec<u8>>,
}

/// The surroundings of the host port of a design, with the `which`th of its faults.
pub struct HostBench<'a> {
    sim: &'a mut dyn Device,
    which: usize,
    rng: ChaCha8Rng,
    model: HostPortModel,
    /// Under which requests get a tag, where the port asks for tags.
    secret: Option<u128>,
    /// The port has no secret.
    locked: bool,
    /// The clock before was one of reset.
    in_reset: bool,
    mix: Mix,
    clock: u64,
    stopping: bool,
    rx: Source,
    rx_waits: bool,
    /// The beat of the clock before: the port reads it in this one.
    heard: Option<HostBeat>,
    coming: Vec<u8>,
    listened: bool,
    passing: VecDeque<HostFrame>,
    passed: Vec<u8>,
    lane: Source,
    lane_sent: VecDeque<Vec<u8>>,
    sending: Vec<u8>,
    bus: Option<OnBus>,
    unready: u64,
    log: VecDeque<OnBus>,
    registers: Vec<u32>,
    job: Option<Job>,
    before: Option<(HostInputs, HostOutputs)>,
    /// Events that must show in this clock: a frame taken, one missed, an answer sent.
    due: [bool; 3],
    tally: HostTally,
}

impl<'a> HostBench<'a> {
    /// For `sim`, whatever it did before: begins with a reset. `which` is 0 for the port as emitted.
    pub fn new(sim: &'a mut dyn Device, which: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let registers = (0..1 << (HOST_BUS_BITS - 2))
            .map(|_| rng.random())
            .collect();
        let mut bench = Self {
            sim,
            which,
            rng,
            model: HostPortModel::new(HOST_CARD, HOST_BUS_BITS),
            secret: None,
            locked: false,
            in_reset: false,
            mix: Mix {
                reset: 0.0,
                rx_pause: 0.0,
                hurry: 0.0,
                lane_ready: 1.0,
                line_ready: 1.0,
                lane_rest: 1.0,
                lane_pause: 0.0,
                bus_ready: 1.0,
                late: 0.0,
            },
            clock: 0,
            stopping: false,
            rx: Source::default(),
            rx_waits: false,
            heard: None,
            coming: Vec::new(),
            listened: false,
            passing: VecDeque::new(),
            passed: Vec::new(),
            lane: Source::default(),
            lane_sent: VecDeque::new(),
            sending: Vec::new(),
            bus: None,
            unready: 0,
            log: VecDeque::new(),
            registers,
            job: None,
            before: None,
            due: [false; 3],
            tally: HostTally::default(),
        };
        bench.draw_mix();
        bench
    }

    /// The same for a port that asks for tags under [`HOST_SECRET`](crate::HOST_SECRET); behind some of its resets no secret is loaded.
    pub fn tagged(sim: &'a mut dyn Device, which: usize, seed: u64) -> Self {
        let mut bench = Self::new(sim, which, seed);
        bench.model = bench.model.with_tags();
        bench.secret = Some(HOST_SECRET);
        bench
    }

    fn draw_mix(&mut self) {
        let rng = &mut self.rng;
        let mut one_of = |all: &[f64]| all[rng.random_range(0..all.len())];
        self.mix = Mix {
            reset: one_of(&[0.0, 0.0, 0.0005]),
            rx_pause: one_of(&[0.0, 0.0, 0.1, 0.5]),
            hurry: one_of(&[0.0, 0.1, 0.5]),
            lane_ready: one_of(&[1.0, 1.0, 0.9, 0.3]),
            line_ready: one_of(&[1.0, 1.0, 0.5, 0.1]),
            lane_rest: one_of(&[0.0, 0.5, 0.99]),
            lane_pause: one_of(&[0.0, 0.05]),
            bus_ready: one_of(&[1.0, 0.5, 0.2]),
            late: one_of(&[0.0, 0.0, 0.1]),
        };
    }

    /// Runs so many clocks, and then until nothing is under way any more.
    ///
    /// # Errors
    /// What is not as the contract has it, and in which clock.
    pub fn run(mut self, clocks: u64) -> Result<HostTally, String> {
        self.reset()?;
        while self.clock < clocks {
            if self.clock.is_multiple_of(MIX_CLOCKS) {
                self.draw_mix();
            }
            // With tags the count outlives a reset, so what a reset cuts must be known.
            let may = self.secret.is_none() || self.job.is_none();
            if self.rng.random_bool(self.mix.reset) && may {
                self.reset()?;
                if self.secret.is_some() {
                    // a second reset while the check of the record runs, which the first one started
                    for _ in 0..self.rng.random_range(1..20) {
                        self.step()?;
                    }
                    self.reset()?;
                }
            }
            self.step()?;
        }
        self.stopping = true;
        self.mix = Mix {
            lane_ready: 1.0,
            line_ready: 1.0,
            bus_ready: 1.0,
            late: 0.0,
            ..self.mix
        };
        while !self.is_idle() {
            if self.clock > clocks + DRAIN_CLOCKS {
                return Err(format!(
                    "clock {}: something does not end: passing {}, lane {}, busy {}, bus {:X?}",
                    self.clock,
                    self.passing.len(),
                    self.lane_sent.len(),
                    self.job.is_some(),
                    self.bus
                ));
            }
            self.step()?;
        }
        self.tally.clocks = self.clock;
        Ok(self.tally)
    }

    fn is_idle(&self) -> bool {
        self.rx.beats.is_empty()
            && self.passing.is_empty()
            && self.lane.beats.is_empty()
            && self.lane_sent.is_empty()
            && self.bus.is_none()
            && self.job.is_none()
            && self.heard.is_none()
    }

    fn drive(&mut self, inputs: &HostInputs) -> Result<HostOutputs, String> {
        let mut words = vec![0; HostOutputs::WORDS];
        self.sim
            .step(&inputs.pack(self.which), &mut words)
            .map_err(|error| error.to_string())?;
        self.clock += 1;
        Ok(HostOutputs::unpack(&words))
    }

    /// Some clocks of reset: everything is forgotten, on both sides. Right behind another it is the same reset.
    fn reset(&mut self) -> Result<(), String> {
        self.locked = self.secret.is_some() && self.rng.random_ratio(1, 4);
        let inputs = HostInputs {
            reset: true,
            locked: self.locked,
            ..HostInputs::default()
        };
        for _ in 0..self.rng.random_range(1..4) {
            self.drive(&inputs)?;
        }
        if !std::mem::replace(&mut self.in_reset, true) {
            self.model.reset();
        }
        let secret = self.secret.filter(|_| !self.locked);
        self.model.set_secret(secret.unwrap_or(0));
        (self.rx, self.rx_waits, self.lane) = (Source::default(), false, Source::default());
        self.heard = None;
        self.passing.clear();
        self.lane_sent.clear();
        self.log.clear();
        (self.coming, self.passed, self.sending) = (Vec::new(), Vec::new(), Vec::new());
        (self.bus, self.job, self.before, self.due) = (None, None, None, [false; 3]);
        self.tally.resets += 1;
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        self.in_reset = false;
        let inputs = self.inputs();
        let outputs = self.drive(&inputs)?;
        let result = self
            .rules(&inputs, &outputs)
            .and_then(|()| self.finish_job(&outputs))
            .and_then(|()| self.events(&outputs))
            .and_then(|()| self.hear(&outputs))
            .and_then(|()| self.watch_rx(&inputs, &outputs))
            .and_then(|()| self.watch_lane(&inputs, &outputs))
            .and_then(|()| self.watch_tx(&inputs, &outputs))
            .and_then(|()| self.registers(&inputs, &outputs));
        self.before = Some((inputs, outputs));
        result.map_err(|error| format!("clock {}: {error}", self.clock))
    }

    fn inputs(&mut self) -> HostInputs {
        let mix = self.mix;
        let waits = self.rx_waits && (self.job.is_some() || self.heard.is_some());
        if self.rx.beats.is_empty() && !waits && !self.stopping {
            let frame = host_frame(
                &mut self.rng,
                &HOST_CARD,
                self.model.accesses(),
                self.secret,
            );
            self.rx.beats = Source::of(&frame);
            self.rx.pause = self.rng.random_range(0..30);
            self.rx_waits = !self.rng.random_bool(mix.hurry);
        }
        if self.lane.beats.is_empty() && !self.stopping {
            let length = self.rng.random_range(1..120);
            let bytes: Vec<u8> = (0..length).map(|_| self.rng.random()).collect();
            self.lane.beats = Source::of(&HostFrame { bytes, bad: false });
            if self.rng.random_bool(mix.lane_rest) {
                self.lane.pause = self.rng.random_range(0..400);
            }
        }
        let quiet = self.job.is_none()
            && self.coming.is_empty()
            && self.heard.is_none()
            && self.rng.random_ratio(1, LONG_WAIT);
        let clock = self.clock;
        let comes = self.bus.filter(|bus| {
            bus.address_taken
                && bus.data_taken
                && bus.due.map_or(
                    quiet && clock > bus.begun + u64::from(HOST_BUS_CLOCKS) + LATE_SLACK,
                    |due| clock >= bus.begun + due,
                )
        });
        let forced = self.unready > LONGEST_UNREADY;
        let mut ready = |chance: f64| self.rng.random_bool(chance);
        HostInputs {
            reset: false,
            s_rx: self.rx.offer(),
            m_rx_ready: ready(mix.lane_ready),
            s_tx: self.lane.offer(),
            m_tx_ready: ready(mix.line_ready),
            awready: ready(mix.bus_ready) || forced,
            wready: ready(mix.bus_ready) || forced,
            arready: ready(mix.bus_ready) || forced,
            b: comes
                .filter(|bus| bus.access.write.is_some())
                .map(|bus| bus.response.code),
            r: comes
                .filter(|bus| bus.access.write.is_none())
                .map(|bus| (bus.response.code, bus.response.data)),
            locked: self.locked,
        }
    }

    /// Rules of AXI: what is offered stands until it is taken.
    fn rules(&self, inputs: &HostInputs, outputs: &HostOutputs) -> Result<(), String> {
        let Some((was_in, was)) = &self.before else {
            return Ok(());
        };
        let kept = [
            (
                "m_rx",
                was.m_rx.is_some() && !was_in.m_rx_ready,
                was.m_rx == outputs.m_rx,
            ),
            (
                "m_tx",
                was.m_tx.is_some() && !was_in.m_tx_ready,
                was.m_tx == outputs.m_tx,
            ),
            (
                "aw",
                was.aw.is_some() && !was_in.awready,
                was.aw == outputs.aw,
            ),
            ("w", was.w.is_some() && !was_in.wready, was.w == outputs.w),
            (
                "ar",
                was.ar.is_some() && !was_in.arready,
                was.ar == outputs.ar,
            ),
        ];
        for (name, stands, same) in kept {
            if stands && !same {
                return Err(format!("{name} is taken back: {was:X?}, then {outputs:X?}"));
            }
        }
        if inputs.b.is_some() && !outputs.bready || inputs.r.is_some() && !outputs.rready {
            return Err("a response is not taken at once".into());
        }
        if let Some((_, strobes)) = outputs.w {
            if strobes != 0xF {
                return Err(format!("strobes {strobes:X}"));
            }
        }
        Ok(())
    }

    /// When a frame is done with: the model's word on it.
    fn finish_job(&mut self, outputs: &HostOutputs) -> Result<(), String> {
        let idle = [outputs.refused, outputs.late];
        let Some(job) = &self.job else {
            return match (outputs.busy, idle) {
                (true, _) => Err("busy without a frame".into()),
                (_, [false, false]) => Ok(()),
                _ => Err(format!("refused, late: {idle:?}, without a frame")),
            };
        };
        let late_at = |bus: &OnBus| bus.begun + u64::from(HOST_BUS_CLOCKS) + LATE_SLACK;
        if self
            .bus
            .as_ref()
            .is_some_and(|bus| self.clock > late_at(bus))
            && !job.owed
            && outputs.busy
        {
            return Err("an access waits for ever".into());
        }
        if outputs.busy {
            return match idle {
                [false, false] => Ok(()),
                _ => Err(format!("refused, late: {idle:?}, while busy")),
            };
        }
        let job = self.job.take().expect("it was there");
        let mut log = std::mem::take(&mut self.log);
        log.extend(self.bus.filter(|_| !job.owed));
        let accesses = log.len() as u64;
        let mut bus = Played {
            log,
            owed: job.owed,
            wrong: None,
        };
        let outcome = self.model.frame(&job.frame.bytes, job.frame.bad, &mut bus);
        let told = |what: String| Err(format!("{what}; frame {:02X?}", job.frame));
        if let Some(wrong) = bus.wrong {
            return told(wrong);
        }
        if let Some(more) = bus.log.front() {
            return told(format!("{more:X?} was not asked for"));
        }
        if outcome.answer != job.answer {
            return told(format!(
                "answer {:02X?} instead of {:02X?}",
                job.answer, outcome.answer
            ));
        }
        if idle != [outcome.refused, outcome.late] {
            return told(format!(
                "refused, late: {idle:?} instead of {:?}",
                [outcome.refused, outcome.late]
            ));
        }
        self.tally.accesses += accesses;
        self.tally.late += u64::from(outcome.late);
        self.tally.refused += u64::from(outcome.refused);
        self.tally.stuck += u64::from(outcome.refused && job.owed);
        match &outcome.answer {
            Some(answer) if answer[12..14] == [8, 6] => self.tally.answers[0] += 1,
            Some(answer) if answer[23] == 1 => self.tally.answers[1] += 1,
            Some(_) => self.tally.answers[2] += 1,
            None => self.tally.silent += u64::from(outcome.taken && !outcome.refused),
        }
        Ok(())
    }

    fn events(&mut self, outputs: &HostOutputs) -> Result<(), String> {
        let seen = [outputs.taken, outputs.missed, outputs.sent];
        let due = std::mem::take(&mut self.due);
        match seen == due {
            true => Ok(()),
            false => Err(format!("taken, missed, sent: {seen:?} instead of {due:?}")),
        }
    }

    fn watch_rx(&mut self, inputs: &HostInputs, outputs: &HostOutputs) -> Result<(), String> {
        let (Some(beat), true) = (inputs.s_rx, outputs.s_rx_ready) else {
            return Ok(());
        };
        self.rx.beats.pop_front();
        if !beat.last && self.rng.random_bool(self.mix.rx_pause) {
            self.rx.pause = self.rng.random_range(1..6);
        }
        self.heard = Some(beat);
        Ok(())
    }

    /// What a beat is to the port, a clock after it came.
    fn hear(&mut self, outputs: &HostOutputs) -> Result<(), String> {
        let Some(beat) = self.heard.take() else {
            return Ok(());
        };
        if self.coming.is_empty() {
            self.listened = !outputs.busy;
        }
        self.coming.push(beat.data);
        let takes = self.model.takes(&self.coming);
        if self.coming.len() == HOST_CARD.mac.len() && takes {
            self.due[0] = true;
            self.due[1] = !self.listened;
            self.tally.missed += u64::from(!self.listened);
        }
        if !beat.last {
            return Ok(());
        }
        let frame = HostFrame {
            bytes: std::mem::take(&mut self.coming),
            bad: beat.user,
        };
        if self.listened && self.model.reads(&frame.bytes) {
            if self.job.is_some() {
                return Err("two frames are worked on".into());
            }
            self.job = Some(Job {
                frame: frame.clone(),
                owed: self.bus.is_some(),
                answer: None,
            });
        }
        if !takes {
            self.passing.push_back(frame);
        }
        Ok(())
    }

    fn watch_lane(&mut self, inputs: &HostInputs, outputs: &HostOutputs) -> Result<(), String> {
        let (Some(beat), true) = (outputs.m_rx, inputs.m_rx_ready) else {
            return Ok(());
        };
        self.passed.push(beat.data);
        if beat.last {
            let got = HostFrame {
                bytes: std::mem::take(&mut self.passed),
                bad: beat.user,
            };
            let expected = self.passing.pop_front();
            if expected.as_ref() != Some(&got) {
                return Err(format!("to the lane {got:02X?} instead of {expected:02X?}"));
            }
            self.tally.passed += 1;
        }
        Ok(())
    }

    fn watch_tx(&mut self, inputs: &HostInputs, outputs: &HostOutputs) -> Result<(), String> {
        if let (Some(beat), true) = (inputs.s_tx, outputs.s_tx_ready) {
            if outputs.m_tx != inputs.s_tx {
                return Err("a beat of the other lane is lost".into());
            }
            self.lane.beats.pop_front();
            if self.rng.random_bool(self.mix.lane_pause) {
                self.lane.pause = self.rng.random_range(1..6);
            }
            if self.lane_sent.is_empty() || self.sending.is_empty() {
                self.lane_sent.push_back(Vec::new());
            }
            self.lane_sent
                .back_mut()
                .expect("it was put there")
                .push(beat.data);
        }
        let (Some(beat), true) = (outputs.m_tx, inputs.m_tx_ready) else {
            return Ok(());
        };
        self.sending.push(beat.data);
        if !beat.last {
            return Ok(());
        }
        let got = std::mem::take(&mut self.sending);
        if self.lane_sent.front() == Some(&got) {
            self.lane_sent.pop_front();
            self.tally.lane_frames += 1;
            return Ok(());
        }
        match &mut self.job {
            Some(job) if job.answer.is_none() => {
                job.answer = Some(got);
                self.due[2] = true;
                Ok(())
            }
            _ => Err(format!("to the MAC {got:02X?}, of nobody")),
        }
    }

    fn registers(&mut self, inputs: &HostInputs, outputs: &HostOutputs) -> Result<(), String> {
        if self.bus.is_none() {
            let access = match (outputs.aw, outputs.w, outputs.ar) {
                (None, None, None) => None,
                (Some(address), Some((word, _)), None) => Some(HostAccess {
                    address,
                    write: Some(word),
                }),
                (None, None, Some(address)) => Some(HostAccess {
                    address,
                    write: None,
                }),
                other => return Err(format!("no access at once: {other:X?}")),
            };
            self.bus = access.map(|access| self.begin(access));
        }
        let Some(bus) = &mut self.bus else {
            return Ok(());
        };
        match bus.access.write {
            Some(_) => {
                bus.address_taken |= outputs.aw.is_some() && inputs.awready;
                bus.data_taken |= outputs.w.is_some() && inputs.wready;
            }
            None => {
                bus.address_taken |= outputs.ar.is_some() && inputs.arready;
                bus.data_taken = bus.address_taken;
            }
        }
        self.unready = match bus.address_taken && bus.data_taken {
            true => 0,
            false => self.unready + 1,
        };
        if inputs.b.is_some() || inputs.r.is_some() {
            bus.answered = Some(self.clock);
            // of a job that is over it is nobody's
            if self.job.as_ref().is_some_and(|job| !job.owed) {
                self.log.extend(self.bus);
            }
            self.bus = None;
        }
        Ok(())
    }

    /// What comes of an access that begins now.
    fn begin(&mut self, access: HostAccess) -> OnBus {
        let rng = &mut self.rng;
        let due = match rng.random_bool(self.mix.late) {
            // in the last clock that is in time, or later
            true => [None, Some(u64::from(HOST_BUS_CLOCKS) - 1)][rng.random_range(0..2)],
            false => Some([0, 1, 2, 5, 30][rng.random_range(0..5)]),
        };
        let place = (access.address / 4) as usize;
        let code = match access.address {
            0x700.. => 3,
            0x600.. => 2,
            _ => 0,
        };
        let data = self.registers[place];
        if let (Some(word), 0) = (access.write, code) {
            self.registers[place] = word;
        }
        OnBus {
            access,
            begun: self.clock,
            address_taken: false,
            data_taken: false,
            due,
            response: HostResponse { code, data },
            answered: None,
        }
    }
}
