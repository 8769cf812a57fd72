use crate::output::{write_bytes, Ending};
use clap::CommandFactory;
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Shell that the script is for
    shell: Shell,
}

impl Cmd {
    /// Prints the script; it is the same with and without `--json`.
    pub fn run(self) -> anyhow::Result<Ending> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut crate::Cli::command(),
            "bloomline",
            &mut script,
        );
        write_bytes(&script)?;
        Ok(Ending::Good)
    }
}
