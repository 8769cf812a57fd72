//! Simulation loop of a packet-path testbench.

use super::error::Problem;
use super::host::{draw_access, Access, Answer, BusHost, Host};
use super::judge::Judge;
use super::pins::{shows, BusPins, FramePins, UartPins};
use super::script::{Episode, Rates, Script};
use super::sink::Sink;
use super::source::{Came, Source};
use super::uart_host::UartHost;
use super::PathError;
use crate::lockstep::Device;
use crate::verilator::Design;
use bloomline_model::{PathFilter, PathModel};
use bloomline_spec::registers::{
    address, field, PathCounter, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::{Access as RegisterAccess, FrameClass, RegisterMap};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::HashMap;

/// Clocks of the reset that a run begins with.
const RESET_CLOCKS: u64 = 4;
/// Clocks for a filter to take items after a reset.
const CLOCKS_TO_RUN: u64 = 5_000_000;
/// Clocks after a reset in mid-stream, within which it takes them again.
const RESTART_CLOCKS: u64 = 20_000;
/// Clocks without anything leaving after which nothing will.
const PATIENCE_CLOCKS: u64 = 20_000;

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathReport {
    /// Clocks run.
    pub clocks: u64,
    /// Frames that came whole and were not lost to a reset's cut.
    pub came: u64,
    /// Frames that left.
    pub left: u64,
    /// Frames whose policy was read, by class.
    pub by_class: [u64; FrameClass::COUNT],
    /// Frames for which there was no room.
    pub overflows: u64,
    /// Frames that a policy dropped, since the last reset.
    pub dropped: u64,
    /// Frames that a mark changed or could have, since the last reset.
    pub marked: u64,
    /// Frames that the source began later than it could have, for want of room that is sure ([`Room::Awaited`](super::Room::Awaited)).
    pub held_back: u64,
    /// Accesses of the host's that were answered.
    pub accesses: u64,
    /// Most clocks, where the sink was always ready, from the clock of a frame's last beat (or of the last beat of the frame
    /// before it, if that was later) to that of its first beat.
    pub latency_clocks: u64,
    /// Most clocks, where the sink was always ready, from the clock of a frame's last beat to that of its first beat, whatever
    /// stood before it.
    pub wait_clocks: u64,
    /// Clocks of the first and of the last beat that left.
    pub first_and_last: Option<(u64, u64)>,
}

/// Where a run failed, and why.
#[derive(Debug)]
pub struct Failure {
    /// The clock, from 0.
    pub clock: u64,
    /// What was wrong in it.
    pub problem: Problem,
}

struct Run<'a, D, O> {
    device: &'a mut D,
    observe: O,
    pins: FramePins,
    map: &'a RegisterMap,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    rng: SmallRng,
    clock: u64,
    was_reset: bool,
    source: Source,
    sink: Sink,
    host: Host,
    access_since: u64,
    answer: Option<Answer>,
    /// What each counter's low half read last.
    counters: HashMap<u32, u32>,
    filter: PathFilter,
    judge: Judge,
    rates: Rates,
    jam: u64,
    /// Clock in which a beat was on offer last: while one is, a frame is leaving, however slowly.
    last_offer: u64,
    report: PathReport,
}

/// Runs `device`, whose ports are those of `design`, through a script against `model`, from power-up. `map` is the register map
/// of its specification, `seed` decides gaps and the host's doings; `observe` is called with the clock of the first beat and
/// the bytes of each frame that left, after it was found right.
///
/// # Errors
/// [`PathError::Verilator`] for a port that `design` lacks. The first thing that was wrong in the run, with its clock, is the inner
/// error.
pub fn run_path<D: Device>(
    design: &Design,
    device: &mut D,
    model: PathModel,
    map: &RegisterMap,
    script: Script,
    seed: u64,
    observe: impl FnMut(u64, &[u8]),
) -> Result<Result<PathReport, Failure>, PathError> {
    let (filter, lane) = model.into_parts();
    let pins = FramePins::of(design)?;
    let beat_bytes = lane.packet().beat_bytes() as usize;
    let uart = filter.design().card().and_then(|card| card.uart);
    let host = match uart {
        Some(uart) => Host::Uart(Box::new(UartHost::new(UartPins::of(design)?, uart))),
        None => Host::Bus(BusHost::new(BusPins::of(design)?)),
    };
    let mut run = Run {
        device,
        observe,
        pins,
        map,
        inputs: vec![0; design.input_words()],
        outputs: vec![0; design.output_words()],
        rng: SmallRng::seed_from_u64(seed),
        clock: 0,
        was_reset: false,
        source: Source::new(pins, beat_bytes),
        sink: Sink::new(pins, beat_bytes),
        host,
        access_since: 0,
        answer: None,
        counters: HashMap::new(),
        filter,
        judge: Judge::new(lane, 0),
        rates: Rates::default(),
        jam: 0,
        last_offer: 0,
        report: PathReport::default(),
    };
    let result = run.script(script);
    let clock = run.clock;
    Ok(match result {
        Ok(()) => Ok(run.into_report()),
        Err(problem) => Err(Failure { clock, problem }),
    })
}

impl<D: Device, O: FnMut(u64, &[u8])> Run<'_, D, O> {
    fn script(&mut self, script: Script) -> Result<(), Problem> {
        self.reset(RESET_CLOCKS)?;
        self.await_running()?;
        for episode in script.episodes {
            self.episode(episode)?;
        }
        Ok(())
    }

    fn into_report(self) -> PathReport {
        PathReport {
            clocks: self.clock,
            came: self.judge.came,
            left: self.judge.left,
            by_class: self.judge.by_class,
            overflows: self.judge.overflows,
            dropped: self.judge.lane.counter(PathCounter::Dropped),
            marked: self.judge.lane.counter(PathCounter::Marked),
            latency_clocks: self.judge.latency,
            wait_clocks: self.judge.wait,
            ..self.report
        }
    }

    fn episode(&mut self, episode: Episode) -> Result<(), Problem> {
        let Episode {
            settings,
            mut frames,
            rates,
            room,
            blocked,
            reset,
            settings_behind,
        } = episode;
        self.rates = Rates::default();
        self.write_all(&settings)?;
        self.judge.begin(room);
        self.rates = rates;
        let mut reset = reset.map(|(after, clocks)| (self.clock + after, clocks));
        let (mut next, mut held, mut waits) = (frames.next(), blocked, false);
        while next.is_some() || !self.source.is_idle() {
            if reset.is_some_and(|(at, _)| at <= self.clock) {
                let (_, clocks) = reset.take().unwrap_or_default();
                self.reset(clocks)?;
            }
            if self.source.is_idle() {
                if let Some(frame) = next.take_if(|frame| self.judge.has_room(frame.bytes.len())) {
                    self.source.begin(frame);
                    next = frames.next();
                    self.report.held_back += u64::from(std::mem::take(&mut waits));
                } else {
                    waits = next.is_some();
                    // one that waits for room behind a sink that is never ready would wait for ever
                    held &= next.is_none();
                }
            }
            self.idle_host();
            let ready = !held && self.draw_ready();
            self.step(ready)?;
            if !held {
                self.give_up()?;
            }
        }
        if blocked {
            self.run_held(1_000)?;
            self.write_held(&settings_behind)?;
        }
        self.drain()?;
        self.compare_counters()
    }

    /// What has not left for long does not leave any more: it must have been dropped, or lost where that may be.
    fn give_up(&mut self) -> Result<(), Problem> {
        let since = self.judge.last_progress().max(self.judge.unsettled_until());
        let waited = self.clock.saturating_sub(since.max(self.last_offer));
        if waited > PATIENCE_CLOCKS {
            self.judge.end(waited)?;
        }
        Ok(())
    }

    /// Whether the sink is ready, by the rates.
    fn draw_ready(&mut self) -> bool {
        let Rates { hold, jam, .. } = self.rates;
        if self.jam > 0 {
            self.jam -= 1;
            return false;
        }
        if jam > 0.0 && self.rng.random_bool(jam) {
            self.jam = self.rng.random_range(100..4_000);
        }
        hold == 0.0 || !self.rng.random_bool(hold)
    }

    /// Begins an access of the host's by the rates.
    fn idle_host(&mut self) {
        if self.host.is_idle() {
            if let Some(access) = draw_access(&mut self.rng, &self.rates) {
                self.begin(access);
            }
        }
    }

    fn begin(&mut self, access: Access) {
        self.host.begin(access);
        self.access_since = self.clock;
        if let Some(value) = access.write {
            self.judge.write_begins(access.address, value);
        }
    }

    /// Runs until what is under way has left, with the sink always ready.
    fn drain(&mut self) -> Result<(), Problem> {
        let rates = std::mem::take(&mut self.rates);
        self.jam = 0;
        self.end_access()?;
        while !self.judge.is_idle() {
            self.step(true)?;
            self.give_up()?;
        }
        // nothing comes behind what is right
        for _ in 0..200 {
            self.step(true)?;
        }
        self.rates = rates;
        Ok(())
    }

    fn run_held(&mut self, clocks: u64) -> Result<(), Problem> {
        (0..clocks).try_for_each(|_| self.step(false))
    }

    /// One clock without a reset.
    fn step(&mut self, ready: bool) -> Result<(), Problem> {
        self.judge.settle(self.clock);
        let unheld = self.rates.hold == 0.0 && self.rates.jam == 0.0;
        self.drive(false, ready)?;
        let tready = shows(&self.outputs, self.pins.s_ready);
        if !tready && !self.was_reset {
            return Err(Problem::Protocol {
                port: "s_frame",
                rule: "tready is 1 in every clock but those of reset",
                got: "0".into(),
            });
        }
        self.was_reset = false;
        if let Came::Whole(frame) = self.source.clock(false, &self.outputs) {
            self.judge.came(self.clock, frame);
            if self.judge.loses_nothing() {
                self.judge.ask(&mut self.filter);
            }
        }
        if shows(&self.outputs, self.pins.m_valid) {
            self.last_offer = self.clock;
        }
        if let Some(left) = self.sink.clock(self.clock, ready, &self.outputs)? {
            self.judge.leaves(&left, unheld, &mut self.filter)?;
            let first = self
                .report
                .first_and_last
                .map_or(left.first_clock, |(first, _)| first);
            self.report.first_and_last = Some((first, left.last_clock));
            (self.observe)(left.first_clock, &left.bytes);
        }
        if let Some(answer) = self.host.clock(&self.outputs) {
            self.report.accesses += 1;
            self.answer = Some(answer);
            self.check(answer)?;
        }
        self.clock += 1;
        let within = self.host.answer_clocks();
        if !self.host.is_idle() && self.clock - self.access_since > within {
            return Err(Problem::Register {
                address: 0,
                what: "an access",
                expected: format!("an answer within {within} clocks"),
                got: "none".into(),
            });
        }
        Ok(())
    }

    fn drive(&mut self, reset: bool, ready: bool) -> Result<(), Problem> {
        let pins = self.pins;
        self.inputs[pins.reset] = reset.into();
        self.inputs[pins.m_ready] = ready.into();
        self.source
            .drive(&mut self.rng, &self.rates, &mut self.inputs);
        self.host.drive(&mut self.rng, &mut self.inputs);
        self.device
            .step(&self.inputs, &mut self.outputs)
            .map_err(Problem::Device)
    }

    /// A reset of so many clocks, in which no frame is taken; what is on its way in is cut.
    fn reset(&mut self, clocks: u64) -> Result<(), Problem> {
        self.host.reset();
        for place in 0..clocks {
            self.drive(true, false)?;
            let tready = shows(&self.outputs, self.pins.s_ready);
            if tready && place > 0 {
                return Err(Problem::Protocol {
                    port: "s_frame",
                    rule: "tready is 0 in the clocks of reset",
                    got: "1".into(),
                });
            }
            self.source.clock(true, &self.outputs);
            self.clock += 1;
        }
        self.was_reset = true;
        self.sink.reset();
        self.counters.clear();
        self.filter.reset();
        self.judge.reset(self.clock + RESTART_CLOCKS);
        Ok(())
    }

    /// Runs until the filter takes items.
    fn await_running(&mut self) -> Result<(), Problem> {
        let since = self.clock;
        while self.read(address::STATUS)? >> field::STATUS_RUNNING & 1 == 0 {
            if self.clock - since > CLOCKS_TO_RUN {
                return Err(Problem::Register {
                    address: address::STATUS,
                    what: "running",
                    expected: format!("1 within {CLOCKS_TO_RUN} clocks"),
                    got: "0".into(),
                });
            }
        }
        self.judge.runs(self.clock);
        Ok(())
    }

    /// Runs until the host's access is answered.
    fn end_access(&mut self) -> Result<(), Problem> {
        while !self.host.is_idle() {
            self.step(true)?;
        }
        Ok(())
    }

    fn access(&mut self, access: Access, ready: bool) -> Result<u32, Problem> {
        self.answer = None;
        self.begin(access);
        loop {
            self.step(ready)?;
            if let Some(answer) = self.answer.take() {
                return Ok(answer.data);
            }
        }
    }

    fn read(&mut self, address: u32) -> Result<u32, Problem> {
        let write = None;
        self.access(Access { address, write }, true)
    }

    fn write_all(&mut self, settings: &[(u32, u32)]) -> Result<(), Problem> {
        for &(address, value) in settings {
            let write = Some(value);
            self.access(Access { address, write }, true)?;
        }
        Ok(())
    }

    /// Writes while the sink is not ready; frames that have not begun to leave go by what is written.
    fn write_held(&mut self, settings: &[(u32, u32)]) -> Result<(), Problem> {
        if settings.is_empty() {
            return Ok(());
        }
        for &(address, value) in settings {
            let write = Some(value);
            self.access(Access { address, write }, false)?;
        }
        self.judge.policies_hold();
        Ok(())
    }

    /// Whether an answer is what the map and the model say.
    fn check(&mut self, answer: Answer) -> Result<(), Problem> {
        let Answer {
            access: Access { address, write },
            data,
            response,
        } = answer;
        let wrong = |what, expected: String, got: String| {
            Err(Problem::Register {
                address,
                what,
                expected,
                got,
            })
        };
        let register = self.map.at(address);
        let of_path = address >= address::PACKET_PATH;
        let expected = match (write, register) {
            (Some(value), _) if of_path => self.judge.write_ends(address, value),
            (_, None) => RESPONSE_DECERR,
            (Some(_), Some(register)) if !register.access.is_writable() => RESPONSE_SLVERR,
            (_, Some(_)) => RESPONSE_OKAY,
        };
        if response != expected {
            return wrong("response", expected.to_string(), response.to_string());
        }
        let Some(register) = register.filter(|_| write.is_none()) else {
            return Ok(());
        };
        match register.access {
            RegisterAccess::Constant => {
                let expected = register.reset.unwrap_or(0);
                if data != expected {
                    return wrong("constant", format!("{expected:#x}"), format!("{data:#x}"));
                }
            }
            RegisterAccess::ReadWrite if of_path => {
                let (expected, _) = self.judge.lane.read(address);
                if data != expected {
                    return wrong("value", format!("{expected:#x}"), format!("{data:#x}"));
                }
            }
            RegisterAccess::ReadOnly
                if of_path && (address - address::PATH_COUNTERS).is_multiple_of(8) =>
            {
                let before = self.counters.insert(address, data).unwrap_or(0);
                // a frame may be counted before its last beat was seen
                let most = self.judge.came + 1;
                if data < before || u64::from(data) > most {
                    return wrong("counter", format!("{before} to {most}"), data.to_string());
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Every counter, low half and then high half, when nothing is under way.
    fn compare_counters(&mut self) -> Result<(), Problem> {
        for counter in PathCounter::all() {
            let low = self.read(counter.address_lo())?;
            let high = self.read(counter.address_hi())?;
            let got = u64::from(high) << 32 | u64::from(low);
            let (least, most) = self.judge.counter(counter);
            if !(least..=most).contains(&got) {
                return Err(Problem::Register {
                    address: counter.address_lo(),
                    what: "counter when nothing is under way",
                    expected: format!("{least} to {most}"),
                    got: got.to_string(),
                });
            }
        }
        Ok(())
    }
}
