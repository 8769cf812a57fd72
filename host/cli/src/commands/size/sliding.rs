use crate::numbers;
use bloomline_toolkit::sizing::{self, Wants};

/// Arguments of `size sliding`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Elements n that always answer yes: the last ones
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    window: u64,
    /// Elements m before the window that may answer either way [default: no limit]
    #[arg(long, value_name = "M", value_parser = numbers::count)]
    slack: Option<u64>,
    /// Largest rate eps of a yes for any other element
    #[arg(long, value_name = "EPS", value_parser = numbers::rate)]
    rate: f64,
    /// Generations c that make up a window [default: those with the fewest bits]
    #[arg(long, value_name = "C", value_parser = numbers::count)]
    generations: Option<u64>,
}

impl Cmd {
    /// What is wanted.
    pub fn wants(self) -> anyhow::Result<Wants> {
        let Cmd {
            window,
            slack,
            rate,
            generations,
        } = self;
        Ok(Wants::Sliding(sizing::Sliding {
            window,
            // as many as the window say as much as no limit
            slack: slack.unwrap_or(window),
            rate,
            generations,
        }))
    }
}
