//! The clocks of a line card and of its two PHYs.

use bloomline_spec::LANES;
use rand::rngs::SmallRng;
use rand::Rng;

/// Period of the card's clock in femtoseconds: 125 MHz.
pub const CLOCK_FS: u64 = 8_000_000;

/// The PHYs' clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhyClocks {
    /// How much faster than the card's each is, in millionths.
    pub faster_ppm: [i64; LANES],
    /// How much later than the card's each begins, in femtoseconds.
    pub phases_fs: [u64; LANES],
}

impl PhyClocks {
    /// As fast as the card's, a third and two thirds of a clock later.
    pub const EVEN: PhyClocks = PhyClocks {
        faster_ppm: [0; LANES],
        phases_fs: [CLOCK_FS / 3, CLOCK_FS * 2 / 3],
    };

    /// 100 ppm faster than the card's and as much slower.
    pub const APART: PhyClocks = PhyClocks {
        faster_ppm: [100, -100],
        ..PhyClocks::EVEN
    };

    /// Of any phase, within 200 ppm.
    pub fn draw(rng: &mut SmallRng) -> PhyClocks {
        PhyClocks {
            faster_ppm: std::array::from_fn(|_| {
                [0, 200, -200, 100, -100, 17][rng.random_range(0..6)]
            }),
            phases_fs: std::array::from_fn(|_| rng.random_range(0..CLOCK_FS)),
        }
    }

    /// Periods in femtoseconds.
    pub(super) fn periods_fs(&self) -> [u64; LANES] {
        self.faster_ppm.map(|ppm| {
            let period = CLOCK_FS as f64 / (1.0 + ppm as f64 * 1e-6);
            period.round() as u64
        })
    }
}
