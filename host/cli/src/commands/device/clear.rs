use super::link::identified;
use crate::output::Output;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `clear`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
}

#[derive(Serialize)]
struct Cleared {
    filter: String,
    running: bool,
}

impl Cmd {
    /// Clears, and waits until the filter runs again.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let device = identified(url, &self.spec)?;
        device.clear()?;
        let cleared = Cleared {
            filter: device.design().common().name().to_owned(),
            running: device.status()?.running,
        };
        output.result(&cleared, || format!("{}: empty, running", cleared.filter))
    }
}
