//! The power-up state of registers and memories.

/// Power-up values of registers and memories that the text does not initialise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Initial {
    /// All bits zero.
    #[default]
    Zeros,
    /// All bits one.
    Ones,
    /// Random bits, the same for the same seed.
    Random(u64),
}

/// Random numbers of the power-up state: splitmix64.
pub(crate) struct Splitmix(pub u64);

impl Splitmix {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Initial {
    /// Power-up state of lane `lane` of [`crate::Design::open_lanes`]: [`crate::Design::open`] with it starts the same run alone.
    pub fn of_lane(self, lane: u64) -> Self {
        match self {
            // The seeds of two lanes must not be one step of the generator apart.
            Initial::Random(seed) => Initial::Random(Splitmix(seed ^ lane << 32).next()),
            other => other,
        }
    }

    /// Words for registers and memories that the text does not initialise.
    pub(crate) fn words(self) -> impl FnMut() -> u64 {
        let mut random = Splitmix(match self {
            Initial::Random(seed) => seed,
            _ => 0,
        });
        move || match self {
            Initial::Zeros => 0,
            Initial::Ones => u64::MAX,
            Initial::Random(_) => random.next(),
        }
    }
}
