use super::{Sheet, SizeError};
use bloomline_theory::count_min::Sizing;

/// What is wanted of a filter; what is not given is solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct CountMin {
    /// Error eps: an estimate is too high by at most eps times the sum of all counts.
    pub error: f64,
    /// Probability delta that it is not.
    pub failure: f64,
    /// Independent copies of two functions each, as the paper sizes them, instead of one sketch.
    pub copies: bool,
}

impl CountMin {
    /// Solves for width, depth and copies.
    pub fn sheet(self) -> Result<Sheet, SizeError> {
        let size = if self.copies {
            Sizing::by_copies(self.error, self.failure)?
        } else {
            Sizing::single(self.error, self.failure)?
        };
        let copies = u64::from(size.copies);
        Ok(
            Sheet::new("Count-Min sketch with rows g_j = h1 + j h2 mod w, w prime")
                .given("error", self.error)
                .given("failure", self.failure)
                .whole(
                    "width",
                    size.sketch.width(),
                    "counters",
                    if self.copies {
                        "smallest prime for the error"
                    } else {
                        "smallest prime at that depth"
                    },
                )
                .whole(
                    "depth",
                    size.sketch.depth(),
                    "rows",
                    if self.copies {
                        "fewest for the failure probability"
                    } else {
                        "of all depths the one with the fewest counters"
                    },
                )
                .whole(
                    "copies",
                    copies,
                    "",
                    if self.copies {
                        "KM 9.2, corrected"
                    } else {
                        "one"
                    },
                )
                .whole(
                    "counters",
                    copies * size.sketch.counters(),
                    "",
                    "copies * depth * width",
                )
                .figure("failure_bound", &size.failure, ""),
        )
    }
}
