use bloomline_toolkit::sizing::{self, Sheet};

/// Arguments of `size sliding`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Elements n that always answer yes: the last ones
    #[arg(long, value_name = "N")]
    window: u64,
    /// Elements m before the window that may answer either way
    #[arg(long, value_name = "M")]
    slack: u64,
    /// Largest rate eps of a yes for any other element
    #[arg(long, value_name = "EPS")]
    rate: f64,
    /// Generations c that make up a window [default: those with the fewest bits]
    #[arg(long, value_name = "C")]
    generations: Option<u64>,
}

impl Cmd {
    /// Solves.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
        let Cmd {
            window,
            slack,
            rate,
            generations,
        } = self;
        Ok(sizing::Sliding {
            window,
            slack,
            rate,
            generations,
        }
        .sheet()?)
    }
}
