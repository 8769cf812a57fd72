use crate::output::{Ending, Output};
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Shell that the script is for
    shell: Shell,
}

impl Cmd {
    /// Prints the script.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut crate::Cli::command(),
            "bloomline",
            &mut script,
        );
        let script = String::from_utf8(script).context("a script is text")?;
        output.result(
            &json!({ "shell": self.shell.to_string(), "script": script }),
            || script.clone(),
        )?;
        Ok(Ending::Good)
    }
}
