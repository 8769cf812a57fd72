//! Simulation loop of a line card's run.

use super::error::LineCardError;
use super::failure::Wrong;
use super::network::HostReport;
use super::registers::{is_networks, lane_of, NETWORKS_CLASS};
use super::script::{LineEpisode, LineScript};
use super::testbench::Testbench;
use bloomline_bench::lockstep::Device;
use bloomline_bench::path::{draw_policy, Judge, Problem};
use bloomline_bench::verilator::Design;
use bloomline_driver::TransportError;
use bloomline_model::LineCardModel;
use bloomline_spec::registers::{
    address, field, HostCounter, PathCounter, PortCounter, RESPONSE_DECERR, RESPONSE_OKAY,
    RESPONSE_SLVERR,
};
use bloomline_spec::{Access as RegisterAccess, FrameClass, RegisterMap, LANES};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Clocks for a filter to take items after a reset.
const CLOCKS_TO_RUN: u64 = 5_000_000;
/// Clocks without anything leaving after which nothing will.
const PATIENCE_CLOCKS: u64 = 20_000;
/// Clocks between two decisions of the host's.
const HOST_CLOCKS: u64 = 500;
/// Clocks in which nothing comes behind what is right, and counters of other clocks have followed.
const QUIET_CLOCKS: u64 = 300;
/// Addresses of the UART bridge's bus that are the card's.
const CARD_BYTES: u32 = 0x800;

/// What became of the frames of one lane.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaneReport {
    /// Frames that came whole, good or bad, and were not lost to a reset's cut.
    pub came: u64,
    /// Frames that left at the other port.
    pub left: u64,
    /// Frames whose policy was read, by class.
    pub by_class: [u64; FrameClass::COUNT],
    /// Frames for which there was no room.
    pub overflows: u64,
    /// Frames that a policy dropped, since the last reset.
    pub dropped: u64,
    /// Frames that a mark changed or could have, since the last reset.
    pub marked: u64,
    /// Frames that waited for room at their line.
    pub held_back: u64,
    /// Most clocks from a frame's last byte at the pins (or the last of the frame before it at the other port, if that was later) to the first
    /// of its preamble at the other port.
    pub latency_clocks: u64,
    /// Most clocks from a frame's last byte at the pins to the first of its preamble at the other port, whatever stood before it.
    pub wait_clocks: u64,
    /// Clocks of the first byte and of the last that left.
    pub first_and_last: Option<(u64, u64)>,
}

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineCardReport {
    /// Clocks of the card.
    pub clocks: u64,
    /// Lane i is from port i to port 1 - i.
    pub lanes: [LaneReport; LANES],
    /// Counters of each port since the last reset, which device and model agree on.
    pub ports: [[u64; PortCounter::ALL.len()]; LANES],
    /// What became of what a host on the network asked for; `None` for a card without a host port.
    pub host: Option<HostReport>,
    /// Resets in mid-stream.
    pub resets: u64,
    /// Accesses of the host's while frames came, each of which was answered.
    pub accesses: u64,
}

/// Where a run failed, and why.
#[derive(Debug)]
pub struct LineFailure {
    /// The clock of the card, from 0.
    pub clock: u64,
    /// Steps of the device up to there: instants in which any clock moved.
    pub instants: u64,
    /// The lane it was in, if it was in one.
    pub lane: Option<usize>,
    /// What was wrong.
    pub problem: Problem,
}

struct Run<'a, D> {
    testbench: Testbench<'a, D>,
    map: RegisterMap,
    rng: SmallRng,
    report: LineCardReport,
}

/// Runs `device`, whose ports are those of `design`, through a script against `model`, from power-up. `seed` decides the host's doings;
/// `observe` is called with the port, the clock of the first byte of the preamble, and the bytes of each frame that left, after it was found right.
///
/// # Errors
/// [`LineCardError::Verilator`] for a port that `design` lacks, [`LineCardError::NoLineCard`] for a card without a UART. The first thing that was
/// wrong in the run, with its clock, is the inner error.
pub fn run_line_card<'a, D: Device + Send>(
    design: &Design,
    device: &'a mut D,
    model: LineCardModel,
    script: LineScript,
    seed: u64,
    observe: &'a mut (dyn FnMut(usize, u64, &[u8]) + Send + 'a),
) -> Result<Result<LineCardReport, LineFailure>, LineCardError> {
    let common = model.filter().design();
    let Some(uart) = common.card().and_then(|card| card.uart) else {
        let name = common.name().to_owned();
        return Err(LineCardError::NoLineCard { name });
    };
    let map = model.filter().design().register_map();
    let clocks = script.clocks;
    let testbench = Testbench::new(design, device, model, uart, clocks, seed, observe)?;
    let mut run = Run {
        testbench,
        map,
        rng: SmallRng::seed_from_u64(seed),
        report: LineCardReport::default(),
    };
    let result = run.script(script.episodes);
    Ok(match result {
        Ok(()) => Ok(run.into_report()),
        Err((lane, problem)) => Err(LineFailure {
            clock: run.testbench.clock,
            instants: run.testbench.instants,
            lane,
            problem,
        }),
    })
}

impl<D: Device + Send> Run<'_, D> {
    fn script(&mut self, episodes: Vec<LineEpisode>) -> Result<(), Wrong> {
        self.reset()?;
        for episode in episodes {
            self.episode(episode)?;
        }
        Ok(())
    }

    fn into_report(self) -> LineCardReport {
        let testbench = &self.testbench;
        let lane = |lane: usize| {
            let judge = &testbench.judges[lane];
            LaneReport {
                came: judge.came,
                left: judge.left,
                by_class: judge.by_class,
                overflows: judge.overflows,
                dropped: judge.lane.counter(PathCounter::Dropped),
                marked: judge.lane.counter(PathCounter::Marked),
                held_back: testbench.held_back[lane],
                latency_clocks: judge.latency,
                wait_clocks: judge.wait,
                first_and_last: testbench.first_and_last[1 - lane],
            }
        };
        let port = |port| PortCounter::ALL.map(|counter| testbench.ports.counter(port, counter));
        let host = testbench.network.as_ref().map(|network| HostReport {
            counters: HostCounter::ALL.map(|counter| testbench.ports.host_counter(counter)),
            ..network.report.clone()
        });
        LineCardReport {
            clocks: testbench.clock,
            lanes: [lane(0), lane(1)],
            ports: [port(0), port(1)],
            host,
            ..self.report
        }
    }

    fn episode(&mut self, episode: LineEpisode) -> Result<(), Wrong> {
        let LineEpisode {
            settings,
            lines,
            room,
            policies,
            reads,
            requests,
            reset,
            links,
        } = episode;
        self.testbench.tell(links);
        for (address, value) in settings {
            self.write(address, value)?;
        }
        for judge in &mut self.testbench.judges {
            judge.begin(room);
        }
        if let Some(network) = &mut self.testbench.network {
            network.begin(requests);
        }
        self.testbench.begin(lines);
        let mut reset = reset.map(|after| self.testbench.clock + after);
        while !self.testbench.has_come() {
            if reset.is_some_and(|at| at <= self.testbench.clock) {
                reset = None;
                self.reset()?;
                self.report.resets += 1;
            }
            if policies > 0.0 && self.rng.random_bool(policies) {
                self.write_any_policy()?;
            } else if reads > 0.0 && self.rng.random_bool(reads) {
                self.access_anything()?;
            } else {
                self.testbench.run(HOST_CLOCKS)?;
            }
            self.give_up()?;
        }
        self.drain()?;
        self.testbench.compare_lamps()?;
        self.compare_counters()
    }

    /// Resets the card, and waits until its filter takes items.
    fn reset(&mut self) -> Result<(), Wrong> {
        self.testbench.reset()?;
        let since = self.testbench.clock;
        loop {
            let mut status = [0];
            self.read(address::STATUS, &mut status)?;
            if status[0] >> field::STATUS_RUNNING & 1 == 1 {
                return Ok(());
            }
            if self.testbench.clock - since > CLOCKS_TO_RUN {
                let expected = format!("1 within {CLOCKS_TO_RUN} clocks");
                return register(address::STATUS, "running", expected, "0".into());
            }
        }
    }

    /// What has not left for long does not leave any more.
    fn give_up(&mut self) -> Result<(), Wrong> {
        let clock = self.testbench.clock;
        for (lane, judge) in self.testbench.judges.iter_mut().enumerate() {
            let since = judge.last_progress().max(judge.unsettled_until());
            let waited = clock.saturating_sub(since);
            if waited > PATIENCE_CLOCKS {
                judge.end(waited).map_err(|problem| (Some(lane), problem))?;
            }
        }
        Ok(())
    }

    /// Runs until what is under way has left.
    fn drain(&mut self) -> Result<(), Wrong> {
        while !self.testbench.has_left() {
            self.testbench.run(10)?;
            self.give_up()?;
        }
        self.testbench.run(QUIET_CLOCKS)
    }

    fn read(&mut self, address: u32, words: &mut [u32]) -> Result<(), Wrong> {
        let result = self.testbench.read_words(address, words);
        self.answered(address, result)
    }

    /// What came of an access, or what was wrong in the clocks that it took.
    fn answered<T>(&mut self, address: u32, result: Result<T, TransportError>) -> Result<T, Wrong> {
        if let Some(wrong) = self.testbench.wrong.take() {
            return Err(wrong);
        }
        result.or_else(|error| {
            let expected = "an answer".to_owned();
            register(address, "access over the UART", expected, error.to_string())
        })
    }

    /// Writes a register of a lane.
    fn write(&mut self, address: u32, value: u32) -> Result<(), Wrong> {
        let Some((lane, offset)) = lane_of(address) else {
            return register(
                address,
                "setting",
                "the address of a lane's register".into(),
                "another".into(),
            );
        };
        self.testbench.judges[lane].write_begins(offset, value);
        let result = self.testbench.write_word(address, value);
        self.answered(address, result)?;
        self.testbench.judges[lane].write_ends(offset, value);
        Ok(())
    }

    fn write_any_policy(&mut self) -> Result<(), Wrong> {
        let class = FrameClass::ALL[self.rng.random_range(0..FrameClass::COUNT)];
        if class == NETWORKS_CLASS && self.testbench.network.is_some() {
            return Ok(());
        }
        let lane = address::LANE_BYTES * self.rng.random_range(0..LANES as u32);
        let policy = draw_policy(&mut self.rng).register();
        self.report.accesses += 1;
        self.write(address::POLICY + lane + 4 * class.number(), policy)
    }

    /// Reads a register, or tries to write one that cannot be written.
    fn access_anything(&mut self) -> Result<(), Wrong> {
        let anywhere = 4 * self.rng.random_range(0..CARD_BYTES / 4);
        let constants = [
            address::MAGIC,
            address::PACKET_PATH,
            address::PACKET_PATH_NEXT + address::LANE_BYTES,
            address::PORTS_VERSION,
            address::LINK,
            address::HOST,
            PortCounter::FramesGood.address_lo(1),
        ];
        let (address, write) = match self.rng.random_range(0..4) {
            0 => {
                let place = self.rng.random_range(0..constants.len());
                (constants[place], Some(self.rng.random()))
            }
            1 => (address::PACKET_PATH + anywhere % 0x100, None),
            2 => (address::PORTS + anywhere % 0x100, None),
            _ => (anywhere, None),
        };
        self.report.accesses += 1;
        let result = self.testbench.access(address, write);
        let (data, response) = self.answered(address, result)?;
        let known = self.map.at(address).map(|register| register.access);
        let expected = match (known, write) {
            (None, _) => RESPONSE_DECERR,
            (Some(access), Some(_)) if !access.is_writable() => RESPONSE_SLVERR,
            (Some(_), _) => RESPONSE_OKAY,
        };
        if response != expected {
            return register(
                address,
                "response",
                expected.to_string(),
                response.to_string(),
            );
        }
        let has_network = self.testbench.network.is_some();
        let value = match known {
            Some(RegisterAccess::Constant) if address >= address::PORTS => {
                Some(self.testbench.ports.read(address).0)
            }
            Some(RegisterAccess::Constant) => self.map.at(address).and_then(|known| known.reset),
            Some(RegisterAccess::ReadWrite) if is_networks(address) && has_network => None,
            Some(RegisterAccess::ReadWrite) => lane_of(address).map(|(lane, offset)| {
                let (value, _) = self.testbench.judges[lane].lane.read(offset);
                value
            }),
            _ => None,
        };
        match value.filter(|_| write.is_none()) {
            Some(value) if value != data => register(
                address,
                "value",
                format!("{value:#x}"),
                format!("{data:#x}"),
            ),
            _ => Ok(()),
        }
    }

    /// Every counter of lanes and ports, and the links, when nothing is under way.
    fn compare_counters(&mut self) -> Result<(), Wrong> {
        for lane in 0..LANES {
            let first = address::PATH_COUNTERS + address::LANE_BYTES * lane as u32;
            let counters: Vec<PathCounter> = PathCounter::all().collect();
            let mut words = vec![0; 2 * counters.len()];
            self.read(first, &mut words)?;
            for (counter, halves) in counters.into_iter().zip(words.chunks_exact(2)) {
                let judge: &Judge = &self.testbench.judges[lane];
                let place = first + 8 * counter.index() as u32;
                compare(place, judge.counter(counter), halves)
                    .map_err(|problem| (Some(lane), problem))?;
            }
        }
        let mut of_ports = Vec::new();
        for port in 0..LANES {
            for counter in PortCounter::ALL {
                of_ports.push((
                    counter.address_lo(port),
                    self.testbench.ports.counter(port, counter),
                ));
            }
        }
        if self.testbench.network.is_some() {
            for counter in HostCounter::ALL {
                of_ports.push((
                    counter.address_lo(),
                    self.testbench.ports.host_counter(counter),
                ));
            }
        }
        // they stand one behind the other
        let mut words = vec![0; 2 * of_ports.len()];
        self.read(address::PORT_COUNTERS, &mut words)?;
        for ((place, expected), halves) in of_ports.into_iter().zip(words.chunks_exact(2)) {
            compare(place, (expected, expected), halves).map_err(|problem| (None, problem))?;
        }
        let mut link = [0];
        self.read(address::LINK, &mut link)?;
        let (expected, _) = self.testbench.ports.read(address::LINK);
        match link {
            [link] if link == expected => Ok(()),
            [link] => register(
                address::LINK,
                "what the PHYs tell",
                format!("{expected:08b}"),
                format!("{link:08b}"),
            ),
        }
    }
}

/// Compares a counter's halves with what it may be.
fn compare(address: u32, (least, most): (u64, u64), halves: &[u32]) -> Result<(), Problem> {
    let got = halves
        .iter()
        .rev()
        .fold(0, |value, &half| value << 32 | u64::from(half));
    if (least..=most).contains(&got) {
        return Ok(());
    }
    Err(Problem::Register {
        address,
        what: "counter when nothing is under way",
        expected: match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        },
        got: got.to_string(),
    })
}

fn register<T>(
    address: u32,
    what: &'static str,
    expected: String,
    got: String,
) -> Result<T, Wrong> {
    let problem = Problem::Register {
        address,
        what,
        expected,
        got,
    };
    Err((None, problem))
}
