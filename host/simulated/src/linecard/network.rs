//! A host on the network: what it asks the card for, and what the card owes it.

use super::failure::{protocol, Wrong, PORTS_OUT};
use super::lines::{LineFrame, LineMix};
use super::peer::HostPeer;
use super::registers::{policy_address, NETWORKS_CLASS};
use bloomline_bench::path::{draw_policy, hexadecimal, Judge, OfferedFrame};
use bloomline_driver::mailbox::{Request, RECORD, RECORD_WORDS, REQUEST};
use bloomline_driver::packet::Packet;
use bloomline_model::{CardBus, CardHostModel, HostAccess, HostBus, HostResponse, PortsModel};
use bloomline_spec::host_port::{HostAddress, HostBinding};
use bloomline_spec::registers::{
    address, HostCounter, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::{Access as RegisterAccess, RegisterMap, LANES};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Reads of a packet.
const FEW_READS: usize = 5;
const MANY_READS: usize = 100;

/// Bytes of the longest request on the line.
const LONGEST: usize = 600;
/// Clocks behind a request's last byte within which the next frame begins, or is not right behind it.
const RIGHT_BEHIND: u64 = 16;
/// Clocks in which a request that has no answer is surely done with.
const SILENT_CLOCKS: u64 = 2_000;
/// Clocks in which an answer has surely left.
const PATIENCE_CLOCKS: u64 = 20_000;

/// What a host on the network asks for while frames come, as probabilities of a place for a frame on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Requests {
    /// By port, a request comes there: at the card's own when none is under way, at the other, where it is a frame like any, at any time.
    pub at_port: [f64; LANES],
    /// Of requests that are answered: another frame comes right behind, too early.
    pub early: f64,
    /// Of requests: on the line it is damaged or too short.
    pub damaged: f64,
    /// They are pings of minimum size and nothing else.
    pub pings: bool,
}

impl Requests {
    /// It is silent.
    pub const NONE: Requests = Requests {
        at_port: [0.0; LANES],
        early: 0.0,
        damaged: 0.0,
        pings: false,
    };

    /// Requests of all kinds.
    pub fn draw(rng: &mut SmallRng) -> Requests {
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        Requests {
            at_port: std::array::from_fn(|_| pick(&[0.0, 0.1, 0.5])),
            early: pick(&[0.0, 0.2, 0.5]),
            damaged: pick(&[0.0, 0.0, 0.3]),
            pings: false,
        }
    }
}

/// What came of the requests of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostReport {
    /// Frames for the card that came at its own port, when nothing else was under way.
    pub requests: u64,
    /// Those that came right behind another.
    pub early: u64,
    /// Frames for the card that came at the other port.
    pub elsewhere: u64,
    /// Answers: ARP, echo, datagrams.
    pub answers: [u64; 3],
    /// Most clocks from a request's last byte at the pins to the first of its answer's preamble.
    pub answer_clocks: u64,
    /// Policies that were written.
    pub writes: u64,
    /// Counters of the host port since the last reset, which device and model agree on.
    pub counters: [u64; HostCounter::ALL.len()],
}

/// What is under way.
#[derive(Debug)]
enum Way {
    Nothing,
    /// A request is on the line.
    Sent,
    /// It has come.
    Working(Work),
}

#[derive(Debug)]
struct Work {
    answer: Option<Vec<u8>>,
    /// Clock of its last byte.
    ended: u64,
    /// Another came right behind it.
    followed: bool,
    /// Lane, address as of a packet path, value.
    writes: Vec<(usize, u32, u32)>,
}

/// The host, and the model of the card's host port.
#[derive(Debug)]
pub(super) struct NetworkHost {
    model: CardHostModel,
    map: RegisterMap,
    /// Registers whose values it knows.
    known: Vec<u32>,
    rng: SmallRng,
    requests: Requests,
    way: Way,
    /// What is on the line began too early; it may end when what it came behind is done with.
    early: bool,
    pub report: HostReport,
}

impl NetworkHost {
    pub fn new(model: CardHostModel, map: RegisterMap, seed: u64) -> NetworkHost {
        let constants = map.registers().map(|register| register.offset);
        let is_constant = |&offset: &u32| {
            let register = map.at(offset);
            register.is_some_and(|register| register.access == RegisterAccess::Constant)
        };
        let mut known: Vec<u32> = constants.filter(is_constant).collect();
        for lane in 0..LANES as u32 {
            let settings = [address::LEARN, address::MAX_FRAME, policy_address()];
            known.extend(settings.map(|setting| setting + address::LANE_BYTES * lane));
        }
        // where nothing is: between the blocks, behind them, and behind the bus
        known.extend([0x1F8, 0x2F0, 0x4FC, 0x7FC, 0x800, 0x1000, 0xFFFF_FFFC]);
        NetworkHost {
            model,
            map,
            known,
            rng: SmallRng::seed_from_u64(seed ^ 0x6E65_7477),
            requests: Requests::NONE,
            way: Way::Nothing,
            early: false,
            report: HostReport::default(),
        }
    }

    fn binding(&self) -> HostBinding {
        self.model.binding()
    }

    /// An episode begins.
    pub fn begin(&mut self, requests: Requests) {
        self.requests = requests;
    }

    /// Nothing is under way.
    pub fn is_idle(&self) -> bool {
        matches!(self.way, Way::Nothing)
    }

    /// A reset: what was under way is lost.
    pub fn reset(&mut self) {
        self.model.reset();
        (self.way, self.early) = (Way::Nothing, false);
    }

    /// There is a place for a frame on the line to a port, whose lane the `judge` has: a request, if one comes.
    pub fn offer(&mut self, clock: u64, port: usize, judge: &Judge) -> Option<LineFrame> {
        let chance = self.requests.at_port[port];
        if chance == 0.0 || !judge.has_room(LONGEST) {
            return None;
        }
        if port != self.binding().port {
            let comes = self.rng.random_bool(chance);
            self.report.elsewhere += u64::from(comes);
            return comes.then(|| self.line());
        }
        match &mut self.way {
            Way::Nothing if self.rng.random_bool(chance) => {
                self.way = Way::Sent;
                self.report.requests += 1;
            }
            Way::Working(work)
                if work.answer.is_some()
                    && !work.followed
                    && clock < work.ended + RIGHT_BEHIND
                    && self.rng.random_bool(self.requests.early) =>
            {
                (work.followed, self.early) = (true, true);
                self.report.early += 1;
            }
            _ => return None,
        }
        Some(self.line())
    }

    /// A request as it stands on the line.
    fn line(&mut self) -> LineFrame {
        let bytes = self.request();
        if !self.rng.random_bool(self.requests.damaged) {
            return LineFrame::good(&bytes);
        }
        let bad = self.rng.random_bool(0.7);
        let mix = LineMix {
            runts: 0.5,
            ..LineMix::CLEAN
        };
        LineFrame::draw(OfferedFrame { bytes, bad }, mix, &mut self.rng)
    }

    fn request(&mut self) -> Vec<u8> {
        let card = self.binding().address;
        let rng = &mut self.rng;
        let mut peer = HostPeer {
            mac: rng.random(),
            ip: rng.random(),
            port: rng.random(),
        };
        peer.mac[0] &= !1;
        if self.requests.pings {
            return peer.echo(&card, rng.random(), &rng.random::<[u8; 18]>());
        }
        match rng.random_range(0..12) {
            0 => peer.arp(&card, card.mac),
            1 | 2 => peer.arp(&card, [0xFF; 6]),
            3 => {
                let to = [card.mac, [0xFF; 6]][rng.random_range(0..2)];
                let ip = [card.ip[0], card.ip[1], card.ip[2], card.ip[3] ^ 1];
                peer.arp(&HostAddress { ip, ..card }, to)
            }
            4 | 5 => {
                let data: Vec<u8> = (0..rng.random_range(0..100))
                    .map(|_| rng.random())
                    .collect();
                peer.echo(&card, rng.random(), &data)
            }
            6 => {
                let probe = Packet {
                    probe: true,
                    ..Packet::default()
                };
                peer.datagram(&card, &probe.encode())
            }
            _ => {
                let packet = self.packet();
                peer.datagram(&card, &packet.encode())
            }
        }
    }

    /// A packet of accesses.
    fn packet(&mut self) -> Packet {
        let rng = &mut self.rng;
        let lane = address::LANE_BYTES * rng.random_range(0..LANES as u32);
        // long lists of reads now and then, so that the UART's accesses fall among them
        let count = match rng.random_range(0..3) {
            0 => MANY_READS,
            _ => FEW_READS,
        };
        let mut known = || self.known[rng.random_range(0..self.known.len())];
        let reads: Vec<u32> = (0..count).map(|_| known()).collect();
        let (address, write) = match rng.random_range(0..3) {
            0 => (policy_address() + lane, true),
            // what cannot be written
            1 => (address::HOST, rng.random()),
            _ => (reads[0], false),
        };
        let data = draw_policy(rng).register();
        let read_too = rng.random_bool(0.8);
        if rng.random() {
            let request = Request {
                tag: rng.random(),
                write,
                address,
                data,
                // of a request that was lost, now and then
                expect: self
                    .model
                    .accesses()
                    .wrapping_add(rng.random_range(0..8) / 7),
            };
            let record = (0..RECORD_WORDS as u32).map(|i| RECORD + 4 * i).collect();
            return Packet {
                writes: Some((REQUEST, request.encode().to_vec())),
                reads: read_too.then(|| (rng.random(), record)),
                ..Packet::default()
            };
        }
        Packet {
            writes: write.then(|| (address, vec![data])),
            reads: (read_too || !write).then(|| (rng.random(), reads)),
            ..Packet::default()
        }
    }

    /// A frame has ended at a port, its last byte in clock `ended`, `bad` or not: whether the card takes it.
    pub fn came(
        &mut self,
        port: usize,
        frame: &[u8],
        bad: bool,
        ended: u64,
        judges: &mut [Judge; LANES],
        ports: &mut PortsModel,
    ) -> bool {
        if port != self.binding().port {
            return false;
        }
        let early = std::mem::take(&mut self.early);
        let heard = !early && !matches!(self.way, Way::Working(_));
        let mut lanes = judges.each_ref().map(|judge| judge.lane.clone());
        let mut bus = CardBus {
            lanes: &mut lanes,
            ports,
            middle: &mut Constants(&self.map),
        };
        let answer = self.model.received(port, frame, bad, heard, &mut bus);
        if heard && (matches!(self.way, Way::Sent) || self.model.reads(port, frame)) {
            let mut writes = Vec::new();
            for (lane, (judge, after)) in judges.iter_mut().zip(&lanes).enumerate() {
                let after = after.policy(NETWORKS_CLASS);
                if after != judge.lane.policy(NETWORKS_CLASS) {
                    let value = after.register();
                    judge.write_begins(policy_address(), value);
                    writes.push((lane, policy_address(), value));
                }
            }
            self.way = Way::Working(Work {
                answer,
                ended,
                followed: false,
                writes,
            });
        }
        self.model.takes(port, frame)
    }

    /// A frame has left at a port, its preamble from clock `first` on: whether it is the answer that is due. A frame of the other lane with the same
    /// bytes may be taken for it, and the answer then for that frame: neither can be missing for it.
    pub fn answers(
        &mut self,
        port: usize,
        frame: &[u8],
        first: u64,
        judges: &mut [Judge; LANES],
    ) -> bool {
        let Way::Working(work) = &mut self.way else {
            return false;
        };
        if port != self.model.binding().port || work.answer.as_deref() != Some(frame) {
            return false;
        }
        let report = &mut self.report;
        let kind = match (&frame[12..14], frame[23]) {
            ([8, 6], _) => 0,
            (_, 1) => 1,
            _ => 2,
        };
        report.answers[kind] += 1;
        report.answer_clocks = report.answer_clocks.max(first.saturating_sub(work.ended));
        self.done(judges);
        true
    }

    /// What was under way is done with.
    fn done(&mut self, judges: &mut [Judge; LANES]) {
        let way = std::mem::replace(&mut self.way, Way::Nothing);
        let Way::Working(work) = way else { return };
        for (lane, place, value) in work.writes {
            judges[lane].write_ends(place, value);
            self.report.writes += 1;
        }
    }

    /// A clock has passed.
    pub fn settle(&mut self, clock: u64, judges: &mut [Judge; LANES]) -> Result<(), Wrong> {
        let Way::Working(work) = &self.way else {
            return Ok(());
        };
        match &work.answer {
            None if clock > work.ended + SILENT_CLOCKS => self.done(judges),
            Some(answer) if clock > work.ended + PATIENCE_CLOCKS => {
                let rule = "what is asked of the card is answered";
                let got = format!(
                    "none in {PATIENCE_CLOCKS} clocks, where {} is due",
                    hexadecimal(answer)
                );
                return Err(protocol(None, PORTS_OUT[self.binding().port], rule, got));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Registers of the card in the middle, of which those that never change are asked for.
struct Constants<'m>(&'m RegisterMap);

impl HostBus for Constants<'_> {
    fn access(&mut self, access: HostAccess) -> Option<HostResponse> {
        let (code, data) = match (self.0.at(access.address), access.write) {
            (None, _) => (RESPONSE_DECERR, 0),
            (Some(_), Some(_)) => (RESPONSE_SLVERR, 0),
            (Some(register), None) => (RESPONSE_OKAY, register.reset.unwrap_or(0)),
        };
        let code = code as u8;
        Some(HostResponse { code, data })
    }

    fn owes(&self) -> bool {
        false
    }
}
