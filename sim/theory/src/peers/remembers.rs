//! Memory span of a structure: for how many insertions it remembers a key.

use super::age_partitioned::AgePartitioned;
use super::solve::last_within;
use super::stable::Stable;
use serde::Serialize;

/// The law of forgetting, by the number d of new keys between two occurrences of a key. A key is forgotten when it would not be seen
/// without what other keys have written: chance hits are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remembers {
    /// Whole generations are forgotten: no key up to d = `kept`, all from d = `gone` on, in between `(d - kept)/(gone - kept)` of
    /// the keys, over the place of a key in its generation. Exact for a stream of distinct keys.
    Generations {
        /// Greatest d at which no key is forgotten.
        kept: f64,
        /// Least d at which every key is forgotten.
        gone: f64,
    },
    /// A key loses its slices one by one: with the first of them it is forgotten, as a whole generation is.
    Slices(AgePartitioned),
    /// Random cells are decremented: any key may be forgotten at any time.
    Decay(Stable),
}

impl Remembers {
    /// The probability that a key is forgotten after `distance` new keys.
    pub fn forgotten(&self, distance: f64) -> f64 {
        match *self {
            Self::Generations { kept, gone } => ((distance - kept) / (gone - kept)).clamp(0.0, 1.0),
            Self::Slices(slices) => slices.generations().forgotten(distance),
            Self::Decay(stable) => stable.forgotten(distance),
        }
    }

    /// The greatest distance at which at most `share` (above 0, below 1) of the keys are forgotten.
    pub fn reach(&self, share: f64) -> f64 {
        match *self {
            Self::Generations { kept, gone } => kept + share * (gone - kept),
            Self::Slices(slices) => slices.generations().reach(share),
            // its law is that of whole numbers of keys
            Self::Decay(stable) => {
                last_within(|distance| stable.forgotten(distance), share).floor()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_is_the_inverse_of_forgetting() {
        let generations = Remembers::Generations {
            kept: 100.0,
            gone: 300.0,
        };
        assert_eq!(generations.reach(0.25), 150.0);
        let slices = AgePartitioned::new(300, 4, 3, 40).expect("legal");
        let slices = Remembers::Slices(slices);
        assert_eq!(slices.forgotten(120.0), 0.0);
        let decay = Remembers::Decay(Stable::new(1024, 4, 2, 3).expect("legal"));
        for share in [0.01, 0.3] {
            assert!((generations.forgotten(generations.reach(share)) - share).abs() < 1e-12);
            let reach = decay.reach(share);
            assert!(decay.forgotten(reach) <= share && decay.forgotten(reach + 1.0) > share);
            assert_eq!(reach, reach.trunc());
            assert!((slices.forgotten(slices.reach(share)) / share - 1.0).abs() < 1e-3);
        }
    }
}
