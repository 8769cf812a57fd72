use super::sheet::Sheet;
use bloomline_theory::count_min::Sizing;

/// Arguments of `size count-min`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Error eps: an estimate is too high by at most eps times the sum of all counts
    #[arg(long, value_name = "EPS")]
    error: f64,
    /// Probability delta that it is not
    #[arg(long, value_name = "DELTA")]
    failure: f64,
    /// Independent copies of two functions each, as the paper sizes them, instead of one sketch
    #[arg(long)]
    copies: bool,
}

impl Cmd {
    /// Solves for width, depth and copies.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
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
