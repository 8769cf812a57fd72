//! Test scripts: episodes of frames, register writes and back-pressure.

use super::frames::{FrameMaker, FrameMix, OfferedFrame};
use bloomline_spec::registers::address;
use bloomline_spec::{FrameClass, Packet, Policy};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// How fast things go, as probabilities a clock.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rates {
    /// No beat is on offer within a frame.
    pub gap_within: f64,
    /// No frame is begun.
    pub gap_between: f64,
    /// The sink is not ready.
    pub hold: f64,
    /// The sink is not ready for hundreds of clocks from here on.
    pub jam: f64,
    /// The host writes a policy, if it is not in an access.
    pub policy: f64,
    /// The host reads a register or tries what a register refuses, if it is not in an access.
    pub read: f64,
}

/// Who cares that there is room for a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// The source: it begins a frame when there must be room for it. Nothing may be lost.
    Awaited,
    /// The rates: the source does not wait, and nothing may be lost all the same.
    Enough,
    /// Nobody: frames may be lost for want of room. Each must differ from all others in bytes that a mark leaves alone, and no
    /// policy may drop.
    Overflowing,
}

/// Frames under settings that stay, but for policies.
pub struct Episode {
    /// Writes to the packet path's block before the first frame, each a byte address and a value.
    pub settings: Vec<(u32, u32)>,
    /// The frames.
    pub frames: Box<dyn Iterator<Item = OfferedFrame>>,
    /// How fast they come and go.
    pub rates: Rates,
    /// Who cares for room.
    pub room: Room,
    /// The sink is not ready before the last frame has come.
    pub blocked: bool,
    /// Clocks from the first on after which a reset of so many clocks comes.
    pub reset: Option<(u64, u64)>,
    /// Writes to the packet path's block when the last frame has come, before the sink is unblocked.
    pub settings_behind: Vec<(u32, u32)>,
}

impl Episode {
    /// Frames one right behind the other, and a sink that is always ready.
    pub fn of(frames: impl Iterator<Item = OfferedFrame> + 'static) -> Episode {
        Episode {
            settings: Vec::new(),
            frames: Box::new(frames),
            rates: Rates::default(),
            room: Room::Awaited,
            blocked: false,
            reset: None,
            settings_behind: Vec::new(),
        }
    }
}

impl std::fmt::Debug for Episode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Episode")
            .field("settings", &self.settings)
            .field("rates", &self.rates)
            .field("room", &self.room)
            .finish_non_exhaustive()
    }
}

/// A run: episodes, between which everything leaves and the counters are compared.
#[derive(Debug, Default)]
pub struct Script {
    /// The episodes.
    pub episodes: Vec<Episode>,
}

/// What a torture run is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptMix {
    /// Episodes.
    pub episodes: u64,
    /// Most frames an episode.
    pub frames: usize,
    /// Beats an episode, after which no further frame comes.
    pub beats: usize,
}

impl Script {
    /// One episode.
    pub fn of(episode: Episode) -> Script {
        Script {
            episodes: vec![episode],
        }
    }

    /// A run drawn from `seed` for a packet path: every episode is of another kind. `bus` says that the host can reach the
    /// registers.
    pub fn draw(packet: &Packet, bus: bool, mix: ScriptMix, seed: u64) -> Script {
        let mut rng = SmallRng::seed_from_u64(seed ^ 0x7061_7468);
        let episodes = (0..mix.episodes)
            .map(|_| draw_episode(packet, bus, mix, &mut rng))
            .collect();
        Script { episodes }
    }
}

fn draw_episode(packet: &Packet, bus: bool, run: ScriptMix, rng: &mut SmallRng) -> Episode {
    let overflowing = rng.random_bool(0.25);
    let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
    let mut rates = Rates {
        gap_within: pick(&[0.0, 0.0, 0.3, 0.9]),
        gap_between: pick(&[0.0, 0.0, 0.5, 0.98]),
        hold: pick(&[0.0, 0.0, 0.3, 0.8]),
        jam: pick(&[0.0, 0.0, 5e-4]),
        policy: pick(&[0.0, 0.002, 0.02]),
        read: pick(&[0.0, 0.01, 0.5]),
    };
    if !bus {
        (rates.policy, rates.read) = (0.0, 0.0);
    }
    if overflowing {
        (rates.gap_within, rates.gap_between, rates.policy) = (0.0, 0.0, 0.0);
        (rates.hold, rates.jam) = (pick(&[0.3, 0.6, 0.9]), pick(&[0.0, 2e-3]));
    }
    let mut settings = Vec::new();
    if bus {
        settings.push((address::LEARN, u32::from(rng.random_bool(0.8))));
        let most = [packet.max_frame_bytes(), 65_535, 200, 60][rng.random_range(0..4)];
        settings.push((address::MAX_FRAME, most));
        for class in FrameClass::ALL {
            let mut policy = draw_policy(rng);
            if overflowing && policy == Policy::Drop {
                policy = Policy::Pass;
            }
            settings.push((address::POLICY + 4 * class.number(), policy.register()));
        }
    }
    let room = match overflowing && bus {
        true => Room::Overflowing,
        false => Room::Awaited,
    };
    let mix = match room {
        Room::Overflowing => FrameMix::serial(packet, rng),
        Room::Awaited | Room::Enough => FrameMix::draw(packet, rng),
    };
    let reset = (room == Room::Awaited && rng.random_bool(0.3))
        .then(|| (rng.random_range(0..20_000), rng.random_range(1..4)));
    Episode {
        settings,
        rates,
        room,
        reset,
        ..Episode::of(within(
            FrameMaker::new(mix, rng.random()).take(run.frames),
            run.beats * packet.beat_bytes() as usize,
        ))
    }
}

/// Frames until they have so many bytes together.
fn within(
    frames: impl Iterator<Item = OfferedFrame>,
    bytes: usize,
) -> impl Iterator<Item = OfferedFrame> {
    frames.scan(bytes, |left, frame| {
        *left = left.checked_sub(frame.bytes.len())?;
        Some(frame)
    })
}

/// A policy of any kind.
pub fn draw_policy(rng: &mut SmallRng) -> Policy {
    match rng.random_range(0..4) {
        0 => Policy::Drop,
        1 => Policy::Pass,
        _ => Policy::Mark(rng.random_range(0..64)),
    }
}
