use super::{Sheet, SizeError};
use bloomline_theory::counting::{optimal_hashes, optimal_hashes_at, optimal_load, CountingFilter};

/// Most counters that a search for a rate tries.
const MOST_COUNTERS: u64 = 1 << 40;

/// What is wanted of a filter; what is not given is solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct Counting {
    /// Insertions of other keys, or those of a window.
    pub insertions: u64,
    /// Occurrences count over a window of so many insertions, not since the last clear.
    pub window: bool,
    /// Count at which a key is reported.
    pub threshold: u64,
    /// Counters of the filter.
    pub counters: Option<u64>,
    /// Largest rate of false alarms: solves for the counters.
    pub rate: Option<f64>,
    /// Number of hashes [default: the best].
    pub hashes: Option<u64>,
    /// True count of the key asked about, below the threshold.
    pub true_count: u64,
}

impl Counting {
    /// Solves for hashes, and for counters where a rate is given.
    pub fn sheet(self) -> Result<Sheet, SizeError> {
        let counters = match (self.counters, self.rate) {
            (Some(counters), _) => counters,
            (None, Some(rate)) => self.fewest_counters(rate)?,
            (None, None) => return Err(SizeError::CountersOrRate),
        };
        let filter = self.filter(counters)?;
        let hashes = self.hashes(counters)?;
        let sheet = Sheet::new(format!(
            "counting filter: a key is reported when all its counters reach {}",
            self.threshold
        ));
        let sheet = match self.rate {
            Some(rate) => sheet.given("target_rate", rate).whole(
                "counters",
                counters,
                "",
                "fewest at the rate, by bisection of CBF (2)",
            ),
            None => sheet.whole("counters", counters, "", "given"),
        };
        let source = if self.hashes.is_some() {
            "given"
        } else {
            "CBF Theorem 1"
        };
        Ok(sheet
            .whole("insertions", self.insertions, "", "given")
            .whole("threshold", self.threshold, "", "given")
            .whole("true_count", self.true_count, "", "given")
            .whole("hashes", hashes, "", source)
            .figure("best_load", &optimal_load(self.threshold)?, "")
            .whole(
                "counter_bits",
                counter_bits(self.threshold),
                "bits",
                "fewest that hold the threshold",
            )
            .figure("false_alarm_rate", &filter.rate(), "")
            .figure("false_alarm_rate_poisson", &filter.poisson_rate(), ""))
    }

    fn hashes(&self, counters: u64) -> Result<u64, SizeError> {
        match self.hashes {
            Some(hashes) => Ok(hashes),
            None => Ok(optimal_hashes(counters, self.insertions, self.threshold)?),
        }
    }

    fn filter(&self, counters: u64) -> Result<CountingFilter, SizeError> {
        let hashes = self.hashes(counters)?;
        let filter = CountingFilter::new(counters, self.insertions, hashes, self.threshold)?;
        Ok(filter.for_true_count(self.true_count)?)
    }

    /// The rate falls with the counters at the best number of hashes, but for steps of k that are below one counter in a
    /// thousand; the answer is checked.
    fn fewest_counters(&self, rate: f64) -> Result<u64, SizeError> {
        SizeError::unless_share("rate", Some(rate))?;
        // One that no filter has is no fault of the counters.
        CountingFilter::new(2, 1, 1, self.threshold)?.for_true_count(self.true_count)?;
        let load = optimal_load(self.threshold)?.value;
        let meets = |counters: u64| {
            let hashes = match self.hashes {
                Some(hashes) => hashes,
                None => optimal_hashes_at(load, counters, self.insertions, self.threshold)?,
            };
            let filter = CountingFilter::new(counters, self.insertions, hashes, self.threshold)?;
            Ok::<_, SizeError>(filter.for_true_count(self.true_count)?.meets(rate))
        };
        let mut above = 2;
        while !meets(above).map_err(|error| SizeError::NoFilter {
            rate,
            counters: above,
            source: Some(Box::new(error)),
        })? {
            if above >= MOST_COUNTERS {
                return Err(SizeError::NoFilter {
                    rate,
                    counters: MOST_COUNTERS,
                    source: None,
                });
            }
            above *= 2;
        }
        let mut below = above / 2;
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if meets(middle)? {
                above = middle;
            } else {
                below = middle;
            }
        }
        Ok(above)
    }
}

/// Bits of a counter that counts to the threshold.
pub(super) fn counter_bits(threshold: u64) -> u64 {
    u64::from(u64::BITS - threshold.leading_zeros())
}
