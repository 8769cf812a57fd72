use bloomline_toolkit::sizing::{self, Sheet};

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
    /// Solves.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
        let Cmd {
            error,
            failure,
            copies,
        } = self;
        Ok(sizing::CountMin {
            error,
            failure,
            copies,
        }
        .sheet()?)
    }
}
