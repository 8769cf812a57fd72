use crate::help::with_examples;
use crate::output::{Ending, Output};
use anyhow::Context;
use clap::CommandFactory;
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Folder for the pages; pages of the same names are replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Cmd {
    /// Writes the pages.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let failed = || {
            format!(
                "--out: cannot write manual pages into {}; name another folder",
                self.out.display()
            )
        };
        std::fs::create_dir_all(&self.out).with_context(failed)?;
        clap_mangen::generate_to(with_examples(crate::Cli::command()), &self.out)
            .with_context(failed)?;
        output.result(&json!({ "folder": self.out }), || {
            let folder = self.out.display();
            format!("Written: {folder}\n\nNext:\n  man {folder}/bloomline.1")
        })?;
        Ok(Ending::Good)
    }
}
