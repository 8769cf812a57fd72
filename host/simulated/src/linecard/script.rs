//! Stimulus of a run: frames, settings and resets with their times.

use super::clocks::PhyClocks;
use super::lines::{LineFrame, LineMix};
use super::network::Requests;
use bloomline_bench::path::{draw_policy, FrameMaker, FrameMix, Room};
use bloomline_bench::rgmii::GIGABIT_LINK;
use bloomline_spec::registers::address;
use bloomline_spec::{FrameClass, Packet, LANES};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// What comes at a port.
pub type Lines = Box<dyn Iterator<Item = LineFrame> + Send>;

/// Frames under settings that stay, but for policies.
pub struct LineEpisode {
    /// Writes before the first frame, each a byte address and a value.
    pub settings: Vec<(u32, u32)>,
    /// What comes, by port.
    pub lines: [Lines; LANES],
    /// Who cares for room: [`Room::Awaited`] or [`Room::Enough`].
    pub room: Room,
    /// Share of the time in which the host writes a policy of a lane.
    pub policies: f64,
    /// Share of the time in which the host reads a register or tries what a register refuses.
    pub reads: f64,
    /// What a host on the network asks for, of a card with a host port.
    pub requests: Requests,
    /// Clocks after which a reset comes.
    pub reset: Option<u64>,
    /// What the PHYs tell of their links.
    pub links: [u8; LANES],
}

impl LineEpisode {
    /// These lines, for which there is room, and hosts that are silent.
    pub fn of(lines: [Lines; LANES]) -> LineEpisode {
        LineEpisode {
            settings: Vec::new(),
            lines,
            room: Room::Enough,
            policies: 0.0,
            reads: 0.0,
            requests: Requests::NONE,
            reset: None,
            links: [GIGABIT_LINK; LANES],
        }
    }
}

impl std::fmt::Debug for LineEpisode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LineEpisode")
            .field("settings", &self.settings)
            .field("room", &self.room)
            .field("requests", &self.requests)
            .field("reset", &self.reset)
            .finish_non_exhaustive()
    }
}

/// A run: episodes, between which everything leaves and the counters are compared.
#[derive(Debug)]
pub struct LineScript {
    /// The PHYs' clocks.
    pub clocks: PhyClocks,
    /// The episodes.
    pub episodes: Vec<LineEpisode>,
}

impl LineScript {
    /// One episode under even clocks.
    pub fn of(episode: LineEpisode) -> LineScript {
        LineScript {
            clocks: PhyClocks::EVEN,
            episodes: vec![episode],
        }
    }

    /// A run drawn from `seed`: every episode is of another kind, with at most so many frames and bytes a port.
    pub fn draw(
        packet: &Packet,
        episodes: usize,
        frames: usize,
        bytes: usize,
        seed: u64,
    ) -> LineScript {
        let mut rng = SmallRng::seed_from_u64(seed ^ 0x6C69_6E65);
        LineScript {
            clocks: PhyClocks::draw(&mut rng),
            episodes: (0..episodes)
                .map(|_| draw_episode(packet, frames, bytes, &mut rng))
                .collect(),
        }
    }
}

fn draw_episode(packet: &Packet, frames: usize, bytes: usize, rng: &mut SmallRng) -> LineEpisode {
    // flows are numbers from 0 on: what one lane inserts the other asks for
    let lines = std::array::from_fn(|_| {
        let mix = FrameMix::draw(packet, rng);
        let (maker, line) = (FrameMaker::new(mix, rng.random()), LineMix::draw(rng));
        let mut line_rng = SmallRng::seed_from_u64(rng.random());
        let drawn = maker
            .take(frames)
            .map(move |frame| LineFrame::draw(frame, line, &mut line_rng));
        Box::new(within(drawn, bytes)) as Lines
    });
    let mut settings = Vec::new();
    for lane in 0..LANES as u32 {
        let above = address::LANE_BYTES * lane;
        settings.push((address::LEARN + above, u32::from(rng.random_bool(0.8))));
        let most = [packet.max_frame_bytes(), 65_535, 200, 60][rng.random_range(0..4)];
        settings.push((address::MAX_FRAME + above, most));
        for class in FrameClass::ALL {
            let place = address::POLICY + above + 4 * class.number();
            settings.push((place, draw_policy(rng).register()));
        }
    }
    let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
    let (policies, reads) = (pick(&[0.0, 0.0, 0.2]), pick(&[0.0, 0.1, 0.3]));
    LineEpisode {
        settings,
        room: Room::Awaited,
        policies,
        reads,
        requests: match packet.host() {
            Some(_) => Requests::draw(rng),
            None => Requests::NONE,
        },
        reset: rng.random_bool(0.3).then(|| rng.random_range(0..20_000)),
        links: [
            [GIGABIT_LINK, GIGABIT_LINK, 0, 0b1011][rng.random_range(0..4)],
            [GIGABIT_LINK, GIGABIT_LINK, 0, 0b0101][rng.random_range(0..4)],
        ],
        ..LineEpisode::of(lines)
    }
}

/// Lines until they have so many bytes together.
fn within(lines: impl Iterator<Item = LineFrame>, bytes: usize) -> impl Iterator<Item = LineFrame> {
    lines.scan(bytes, |left, line| {
        *left = left.checked_sub(line.clocks())?;
        Some(line)
    })
}
